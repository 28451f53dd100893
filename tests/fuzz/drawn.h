/* Draws instructions from the table for the initial inputs of fuzz targets. */
#ifndef DRAWN_H
#define DRAWN_H

#include "../emu/opcode_draw.h"

/* A processor of the generation. */
const char *
drawn_processor(amd_gen gen);

/* Draws an instruction: `k` selects its opcode and encoding. False if `k` selects none. */
bool
drawn_inst(opcode_draw *draw, uint32_t k, uint32_t words[OPCODE_WORDS], amd_inst *in);

#endif
