/* Draws a valid instruction of any opcode: draws fields until the decoder accepts them. Registers
 * are low ones; descriptors begin at s0. */
#ifndef OPCODE_DRAW_H
#define OPCODE_DRAW_H

#include "amd/isa/table/table.h"

enum { OPCODE_WORDS = 6 };

/* A buffer format that every generation has, in V# and in MTBUF: one number; before gfx10 dfmt 4
 * and nfmt 4. */
enum { FORMAT = 36, OLD_FORMAT = 4 | 4 << 4 };

typedef struct opcode_draw {
    amd_gen gen;
    uint64_t random; /* not 0 */
} opcode_draw;

/* Does such an instruction exist? (VOPD is not drawn.) */
bool
opcode_draw_has(amd_gen gen, amd_op op, amd_fmt fmt, amd_ext ext);

/* Draws the words of an instruction of `op` in encoding `fmt` with `ext`; false if none was found. */
bool
opcode_draw_words(opcode_draw *r, amd_op op, amd_fmt fmt, amd_ext ext,
                  uint32_t words[OPCODE_WORDS]);

#endif
