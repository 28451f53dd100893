/* Operands that an encoding has, but the hardware does not take as they stand: one answer for who
 * makes instructions (selection, its optimizer, the assembler), who writes and who runs them.
 */
#ifndef AMD_ISA_LEGAL_H
#define AMD_ISA_LEGAL_H

#include "amd/isa/table.h"

/* The rule that an instruction which can be encoded breaks, as a phrase; NULL if none. `in->op` has
 * a row, but in pairs (VOPD). */
const char *
amd_inst_illegal(amd_gen gen, const amd_inst *in, bool wave64);

/* The constant bus: scalar values that one vector instruction reads, each counted once, a literal
 * too. Before gfx10 one (Vega ISA, "Vector Instruction Operands"), from then on two, but 64-bit
 * shifts one (RDNA 2 ISA, "Limitations on Constants"; RDNA 3 ISA the same). */
typedef struct amd_bus {
    uint64_t seen[2];
    unsigned n, limit;
    bool literal;
} amd_bus;

amd_bus
amd_bus_begin(amd_gen gen, unsigned op);

/* Takes the value, which the caller names; a second literal has no place, as an instruction has
 * room for one. False if it does not fit. */
bool
amd_bus_take(amd_bus *b, uint64_t value, bool literal);

#endif
