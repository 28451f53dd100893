/* Draws instructions from the table, from which fuzz targets make their first inputs. */
#ifndef DRAWN_H
#define DRAWN_H

#include "../emu/opcode_draw.h"

/* A processor of the generation. */
const char *
drawn_processor(amd_gen gen);

/* Draws an instruction: `k` chooses its opcode and encoding. False if there is none of that number. */
bool
drawn_inst(opcode_draw *draw, uint32_t k, uint32_t words[OPCODE_WORDS], amd_inst *in);

#endif
