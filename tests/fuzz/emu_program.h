/* Programs of the emulator's fuzz target: bytes become instructions that are mostly valid.
 *
 * An input is a head (struct emu_head) and records of EMU_RECORD bytes. A record is an instruction
 * of the generation's table, drawn by its number and seed, whose operands are then set to the
 * registers that the prologue has filled (addresses, descriptors, positions in the code); or raw
 * words; or an instruction that restores registers. So changing a byte changes one instruction, and
 * programs keep running.
 */
#ifndef EMU_PROGRAM_H
#define EMU_PROGRAM_H

#include "amd/emu/emu.h"

enum { EMU_RECORD = 12, EMU_CODE = 4096, EMU_MAX_RECORDS = 160 };

/* User SGPRs and their contents; the descriptors are in emu_descriptors.h. */
enum {
    EMU_ADDRESS = 0, /* two addresses: in the data, and near an end of it */
    EMU_NEAR = 2,
    EMU_PLACE = 20,    /* in the code */
    EMU_APERTURE = 22, /* of LDS or scratch */
    EMU_ANY = 24,      /* four words that the input gives, the first small */
    EMU_M0 = 28,
    EMU_SAVED = 64, /* copies of s[0:31] */
};

typedef struct emu_program {
    amd_gen gen;
    bool wave64, has_trap_handler;
    uint64_t trap_handler; /* byte offset in the code */
    base_buf code;
} emu_program;

/* Makes the code: a prologue, the instructions of `size` bytes of records, s_endpgm, the trap
 * handler. */
void
emu_program_make(emu_program *p, const uint8_t *records, size_t size);

#endif
