/* Rules for operands that can be encoded but that the hardware does not accept: a single
 * implementation for the code that makes instructions (selection, its optimizer, the assembler),
 * writes them, and runs them.
 */
#ifndef AMD_ISA_LEGAL_H
#define AMD_ISA_LEGAL_H

#include "amd/isa/table/table.h"

/* The rule that an encodable instruction violates, as a phrase; NULL if none. `in->op` has a row,
 * except in pairs (VOPD). */
const char *
amd_inst_illegal(amd_gen gen, const amd_inst *in, bool wave64);

/* The constant bus: the scalar values that one vector instruction reads, each counted once,
 * including a literal. The limit is one before gfx10 (Vega ISA, "Vector Instruction Operands");
 * from gfx10 on it is two, but one for 64-bit shifts (RDNA 2 ISA, "Limitations on Constants"; RDNA
 * 3 ISA the same). */
typedef struct amd_bus {
    uint64_t seen[2];
    unsigned n, limit;
    bool literal;
    amd_gen gen;
} amd_bus;

amd_bus
amd_bus_begin(amd_gen gen, unsigned op);

/* Adds a value, identified by a number that the caller chooses. A second literal is rejected,
 * because an instruction has room for one. False if the value does not fit. */
bool
amd_bus_take(amd_bus *b, uint64_t value, bool literal);

#endif
