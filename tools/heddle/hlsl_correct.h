/* Corrects what glslang's HLSL front end gets wrong and SPIR-V still shows. */
#ifndef HLSL_CORRECT_H
#define HLSL_CORRECT_H

#include "frontend.h"
#include "hlsl_names.h"

/* Changes the module in `r` where glslang (of Debian 12) gives other results than HLSL asks for:
 *
 * - a % b and fmod have the sign of a: OpSRem and OpFRem, not OpSMod and OpFMod;
 * - WavePrefixSum, WavePrefixProduct and WavePrefixCountBits leave out their own lane;
 * - GetDimensions of a byte address buffer counts bytes, not words;
 * - [[vk::binding(B, S)]] is the binding, to which no base of a register's letter is added.
 *
 * Makes the result a failure if there is no memory. */
void
hlsl_correct(frontend_result *r, const hlsl_names *names);

#endif
