/* Data types as named in scripts, and their memory layout (internal to the reader). */
#ifndef AMBER_LAYOUT_H
#define AMBER_LAYOUT_H

#include "amber/amber.h"

typedef enum layout_kind { LAYOUT_NUMBER, LAYOUT_TEXEL, LAYOUT_STRUCT } layout_kind;

/* A declared type: a scalar, vector or matrix of numbers; a texel format; or a structure. */
typedef struct layout_type {
    layout_kind kind;
    uint8_t mode, bits;    /* of a number */
    uint8_t rows, columns; /* of a number; a vector has one column */
    uint32_t count;        /* 0: not an array; 1 for []; n for [n] */
    amber_texel texel;
    struct layout_member *members;
    uint32_t member_count;
    uint32_t stride;   /* of a structure, in bytes; 0 if not given */
    uint32_t depth;    /* of a structure: nesting depth, from 1 */
    uint64_t align[2]; /* of a structure: the maximum over its members, for std430 and std140 */
} layout_type;

typedef struct layout_member {
    const char *name;
    const layout_type *type;
    bool has_offset;
    uint32_t offset;                      /* in bytes, if given */
    uint32_t array_stride, matrix_stride; /* in bytes; 0 if not given */
} layout_member;

/* Parses a type of AmberScript: "vec3<float16>", "mat2x3<double>[]", a texel format. Returns false
 * if the `len` bytes are not one. */
bool
amber_layout_parse(const char *name, size_t len, layout_type *out);

/* The same for the types of VkScript: "u16vec2", "dmat4x3", "int8_t". */
bool
amber_layout_parse_vkscript(const char *name, size_t len, layout_type *out);

/* Must be called once the members of a structure (at least one) are known. Fails if structures are
 * nested too deep. */
void
amber_layout_close_struct(diag *d, layout_type *t);

/* Computes the layout of a buffer's element. Fails on decreasing offsets and on types beyond the
 * limits. */
const amber_type *
amber_layout_make(arena *a, diag *d, const layout_type *type, bool std140);

#endif
