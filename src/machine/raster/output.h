/* What becomes of a fragment's depth, stencil and colours: tests, blending, logical operations.
 * Enumerations have Vulkan's numbers. */
#ifndef MACH_OUTPUT_H
#define MACH_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/image.h"

/* ---- depth and stencil ---- */

typedef enum mach_stencil_op {
    MACH_STENCIL_KEEP,
    MACH_STENCIL_ZERO,
    MACH_STENCIL_REPLACE,
    MACH_STENCIL_INCREMENT_CLAMP,
    MACH_STENCIL_DECREMENT_CLAMP,
    MACH_STENCIL_INVERT,
    MACH_STENCIL_INCREMENT_WRAP,
    MACH_STENCIL_DECREMENT_WRAP,
} mach_stencil_op;

/* For primitives that face one way. */
typedef struct mach_stencil {
    uint8_t fail, depth_fail, pass; /* mach_stencil_op */
    uint8_t compare;                /* mach_compare */
    uint8_t compare_mask, write_mask, reference;
} mach_stencil;

typedef struct mach_depth_stencil {
    bool depth_test, depth_write, stencil_test;
    uint8_t depth_compare;   /* mach_compare */
    mach_stencil stencil[2]; /* front, back */
} mach_depth_stencil;

/* What is stored for a sample. Depths compare as numbers: callers round the fragment's depth to the
 * attachment's format first. */
typedef struct mach_depth_sample {
    double depth;
    uint8_t stencil;
} mach_depth_sample;

/* Returns true if the sample passes; `stored` becomes what is to be stored then, or after the
 * failure. A depth or stencil that the attachment lacks passes: its test is off. */
bool
mach_test_sample(const mach_depth_stencil *s, bool back, double depth, mach_depth_sample *stored);

/* ---- colours ---- */

typedef enum mach_blend_factor {
    MACH_BLEND_ZERO,
    MACH_BLEND_ONE,
    MACH_BLEND_SRC_COLOR,
    MACH_BLEND_ONE_MINUS_SRC_COLOR,
    MACH_BLEND_DST_COLOR,
    MACH_BLEND_ONE_MINUS_DST_COLOR,
    MACH_BLEND_SRC_ALPHA,
    MACH_BLEND_ONE_MINUS_SRC_ALPHA,
    MACH_BLEND_DST_ALPHA,
    MACH_BLEND_ONE_MINUS_DST_ALPHA,
    MACH_BLEND_CONSTANT_COLOR,
    MACH_BLEND_ONE_MINUS_CONSTANT_COLOR,
    MACH_BLEND_CONSTANT_ALPHA,
    MACH_BLEND_ONE_MINUS_CONSTANT_ALPHA,
    MACH_BLEND_SRC_ALPHA_SATURATE,
    MACH_BLEND_SRC1_COLOR,
    MACH_BLEND_ONE_MINUS_SRC1_COLOR,
    MACH_BLEND_SRC1_ALPHA,
    MACH_BLEND_ONE_MINUS_SRC1_ALPHA,
} mach_blend_factor;

typedef enum mach_blend_op {
    MACH_BLEND_ADD,
    MACH_BLEND_SUBTRACT,
    MACH_BLEND_REVERSE_SUBTRACT,
    MACH_BLEND_MIN,
    MACH_BLEND_MAX,
} mach_blend_op;

typedef struct mach_blend_equation {
    uint8_t src, dst; /* mach_blend_factor */
    uint8_t op;       /* mach_blend_op */
} mach_blend_equation;

typedef struct mach_blend {
    mach_blend_equation color, alpha;
    float constant[4];
} mach_blend;

/* The numbers of a colour attachment's format: those of normalised formats are clamped before they
 * are blended. */
typedef enum mach_color_range {
    MACH_COLOR_FLOAT,
    MACH_COLOR_UNORM,
    MACH_COLOR_SNORM,
} mach_color_range;

/* The blended colour of a fragment's colours, `src` and that of blend source 1, and the stored one.
 */
void
mach_blend_color(const mach_blend *b, mach_color_range range, const float src[2][4],
                 const float dst[4], float out[4]);

typedef enum mach_logic_op {
    MACH_LOGIC_CLEAR,
    MACH_LOGIC_AND,
    MACH_LOGIC_AND_REVERSE,
    MACH_LOGIC_COPY,
    MACH_LOGIC_AND_INVERTED,
    MACH_LOGIC_NO_OP,
    MACH_LOGIC_XOR,
    MACH_LOGIC_OR,
    MACH_LOGIC_NOR,
    MACH_LOGIC_EQUIVALENT,
    MACH_LOGIC_INVERT,
    MACH_LOGIC_OR_REVERSE,
    MACH_LOGIC_COPY_INVERTED,
    MACH_LOGIC_OR_INVERTED,
    MACH_LOGIC_NAND,
    MACH_LOGIC_SET,
} mach_logic_op;

/* The operation on the bits of the fragment's colour `s` and the stored one `d`. */
uint32_t
mach_logic(mach_logic_op op, uint32_t s, uint32_t d);

#endif
