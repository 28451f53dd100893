/* A family of generated compute or fragment shaders: what diff.c needs to know to make a script of each. */
#ifndef FUZZ_GEN_FAMILY_H
#define FUZZ_GEN_FAMILY_H

#include "gen_text.h"

enum {
    GEN_INVOCATIONS = 128,
    GEN_WORKGROUP = 64, /* two workgroups, unless the family has others */
    GEN_WORDS = 8,      /* words of in and of out for each invocation */
    GEN_COUNTERS = 16,
    GEN_WIDTH = 16, /* of a frame that has a pixel for each invocation */
    GEN_HEIGHT = GEN_INVOCATIONS / GEN_WIDTH,
};

typedef struct gen_info {
    size_t statements;
    /* lavapipe of Mesa 22.3.6 gives wrong results for some do-while loops that end for one
     * invocation before another: values that leave the loop are those of a later round
     * (tests/fuzz/known/lavapipe-do-while.amber). Every fourth shader has such loops by their
     * conditions, some others by break. Nor does it know images that differ by lane. If lavapipe
     * alone differs for these, its result is ignored. Nor do its derivatives agree with those of lavapipe 26.2.6, which are ours. */
    bool beyond_lavapipe;
    bool one_triangle;  /* covers the frame: no quad is shaded twice */
    unsigned workgroup; /* invocations; 0: GEN_WORKGROUP */
} gen_info;

enum {
    GEN_OPTIMIZED = 1,     /* odd seeds' SPIR-V goes through SPIR-V's optimizer */
    GEN_BY_WAVE = 2,       /* results depend on the size of subgroups */
    GEN_NO_DRIVER = 4,     /* the Vulkan driver does not run it */
    GEN_UNIFORM_INPUT = 8, /* `in` is a uniform buffer of uvec4, and there is no other storage */
};

typedef struct gen_family {
    const char *name;
    /* Appends the shader of `seed`. Buffers of set 0: binding 0 `uint in[]`, 1 `uint out[]` (floats
     * as bits), 2 `uint counters[]`, 3 a uniform uvec4; each invocation has GEN_WORDS words of the
     * first two. More are the family's. */
    gen_info (*make)(uint64_t seed, gen_cuts cuts, base_buf *out);
    /* Appends the vertex shader for a fragment shader, which writes a uvec4 to location 0; it reads
     * a position from there. NULL: shaders are compute shaders. */
    void (*make_vertex)(uint64_t seed, base_buf *out);
    unsigned flags;
    void (*resources)(uint64_t seed, base_buf *out); /* definitions for the script; NULL: none */
    const char *bindings; /* the pipeline's lines that bind them; NULL: none */
    /* A part of each shader that lavapipe is known to get wrong in some of them, and one that means
     * the same and that it gets right: if it alone differs, and with the second part does not, its
     * result is ignored. NULL: none. */
    const char *doubted, *instead;
} gen_family;

extern const gen_family gen_mixed, gen_loops, gen_switches, gen_halves, gen_sizes, gen_matrices,
    gen_images, gen_subgroups, gen_lanes, gen_fragments, gen_pixels, gen_varyings;

#endif
