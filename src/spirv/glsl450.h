/* GLSL.std.450: its instruction numbers, and declarations shared by glsl450.c, glsl_math.c and
 * glsl_vector.c. */
#ifndef SPIRV_GLSL450_H
#define SPIRV_GLSL450_H

#include "spirv/reader.h"

/* Numbers of the extended instruction set GLSL.std.450 (version 1.00, revision 13). */
typedef enum spirv_glsl {
    GLSL_Round = 1,
    GLSL_RoundEven,
    GLSL_Trunc,
    GLSL_FAbs,
    GLSL_SAbs,
    GLSL_FSign,
    GLSL_SSign,
    GLSL_Floor,
    GLSL_Ceil,
    GLSL_Fract,
    GLSL_Radians,
    GLSL_Degrees,
    GLSL_Sin,
    GLSL_Cos,
    GLSL_Tan,
    GLSL_Asin,
    GLSL_Acos,
    GLSL_Atan,
    GLSL_Sinh,
    GLSL_Cosh,
    GLSL_Tanh,
    GLSL_Asinh,
    GLSL_Acosh,
    GLSL_Atanh,
    GLSL_Atan2,
    GLSL_Pow,
    GLSL_Exp,
    GLSL_Log,
    GLSL_Exp2,
    GLSL_Log2,
    GLSL_Sqrt,
    GLSL_InverseSqrt,
    GLSL_Determinant,
    GLSL_MatrixInverse,
    GLSL_Modf,
    GLSL_ModfStruct,
    GLSL_FMin,
    GLSL_UMin,
    GLSL_SMin,
    GLSL_FMax,
    GLSL_UMax,
    GLSL_SMax,
    GLSL_FClamp,
    GLSL_UClamp,
    GLSL_SClamp,
    GLSL_FMix,
    GLSL_IMix,
    GLSL_Step,
    GLSL_SmoothStep,
    GLSL_Fma,
    GLSL_Frexp,
    GLSL_FrexpStruct,
    GLSL_Ldexp,
    GLSL_PackSnorm4x8,
    GLSL_PackUnorm4x8,
    GLSL_PackSnorm2x16,
    GLSL_PackUnorm2x16,
    GLSL_PackHalf2x16,
    GLSL_PackDouble2x32,
    GLSL_UnpackSnorm2x16,
    GLSL_UnpackUnorm2x16,
    GLSL_UnpackHalf2x16,
    GLSL_UnpackSnorm4x8,
    GLSL_UnpackUnorm4x8,
    GLSL_UnpackDouble2x32,
    GLSL_Length,
    GLSL_Distance,
    GLSL_Cross,
    GLSL_Normalize,
    GLSL_FaceForward,
    GLSL_Reflect,
    GLSL_Refract,
    GLSL_FindILsb,
    GLSL_FindSMsb,
    GLSL_FindUMsb,
    GLSL_InterpolateAtCentroid,
    GLSL_InterpolateAtSample,
    GLSL_InterpolateAtOffset,
    GLSL_NMin,
    GLSL_NMax,
    GLSL_NClamp,
    GLSL_COUNT,
} spirv_glsl;

/* Computes one component: `s` holds the operands' components, floats or integers of `bits` bits. */
typedef ir_ref
spirv_glsl_fn(spirv_reader *r, unsigned bits, const ir_ref *s);

/* glsl_math.c */
spirv_glsl_fn spirv_glsl_radians, spirv_glsl_degrees, spirv_glsl_tan, spirv_glsl_asin,
    spirv_glsl_acos, spirv_glsl_atan, spirv_glsl_sinh, spirv_glsl_cosh, spirv_glsl_tanh,
    spirv_glsl_asinh, spirv_glsl_acosh, spirv_glsl_atanh, spirv_glsl_atan2, spirv_glsl_exp,
    spirv_glsl_log, spirv_glsl_clamp, spirv_glsl_mix, spirv_glsl_step, spirv_glsl_smooth_step,
    spirv_glsl_modf;

/* glsl_vector.c: instructions on whole vectors and matrices, and packing. Returns false if the
 * instruction is not one of these. */
bool
spirv_glsl_vector(spirv_reader *r, const spirv_insn *i);

#endif
