/* Aliases (a7xx): what stands for registers of texture instructions, and for components of render
 * targets. Source: the documentation of the instruction in Mesa's ir3-cat7.xml.
 *
 *     alias.tex.b32.1 r40.x, c1.x     for the texture instruction behind, at most 16; the first
 *     alias.tex.b32.0 r40.y, (0x3)    says how many follow it
 *     sam (f32)(xyzw)r0.x, r40.x, ...
 *     alias.rt.b32.0 rt0.w, c2.y      in the preamble: for all waves; a constant or a number */
#ifndef ADRENO_EMU_CORE_ALIAS_H
#define ADRENO_EMU_CORE_ALIAS_H

#include "adreno/emu/core/machine.h"

/* Is it an alias for texture instructions? */
bool
adreno_is_texture_alias(const adreno_inst *in);

/* Adds an alias. Returns false if it is of a kind of which nothing is known. */
bool
adreno_alias_add(adreno_wave *w, const adreno_inst *in);

/* Behind an instruction: aliases of textures end, and must have been used. */
void
adreno_alias_end(adreno_wave *w, const adreno_inst *in);

/* What a register of a texture instruction stands for: itself, unless there is an alias. */
adreno_source
adreno_alias_of(const adreno_wave *w, unsigned reg, bool half);

/* What stands for component `c` of a colour; false: nothing. */
bool
adreno_alias_output(const adreno_wave *w, unsigned color, unsigned c, uint32_t *value);

/* The bits of a constant or a number; an undefined constant is reported. */
uint32_t
adreno_alias_value(adreno_wave *w, const adreno_source *s);

#endif
