/* Draws: the fixed functions of machine/raster with waves as shaders.
 *
 * A caller puts everything that shaders reach into a mach_memory, fills an adreno_draw with what
 * registers and packets of a command stream say, and calls adreno_draw_run. Between the stages a
 * vertex' outputs are words of a memory (VPC): each register of an output goes to a word, and the
 * fixed functions, and fragments' varyings, read words. Names of registers in comments are those of
 * freedreno's a6xx.xml. */
#ifndef ADRENO_EMU_DRAW_DRAW_H
#define ADRENO_EMU_DRAW_DRAW_H

#include "adreno/emu/emu.h"
#include "adreno/object/object.h"
#include "machine/raster/draw.h"

enum {
    ADRENO_DRAW_WORDS = 252, /* of a vertex; their places are bytes */
    ADRENO_DRAW_FETCHES = 32,
    ADRENO_DRAW_STREAMS = 4,
    ADRENO_DRAW_NONE = 0xff, /* a register or a word that is not used */
};

/* An attribute: VFD_DECODE, VFD_FETCH, VFD_DEST_CNTL. */
typedef struct adreno_fetch {
    uint8_t reg, mask;  /* the register of component 0; components that are written */
    mach_format format; /* none: the components are words */
    uint64_t address;   /* of element 0 */
    uint64_t size;      /* bytes; elements beyond read 0 */
    uint32_t stride;
    bool per_instance;
    uint32_t divisor; /* instances that read an element; 0: all read the first one */
} adreno_fetch;

/* A buffer of transform feedback: VPC_SO_BUFFER_BASE, _SIZE, _STRIDE. */
typedef struct adreno_stream {
    uint64_t address, size;
    uint32_t stride; /* bytes of a vertex; 0: no such buffer */
} adreno_stream;

/* A word that is captured: VPC_SO_MAPPING_PORT. */
typedef struct adreno_captured {
    uint8_t word, buffer;
    uint16_t dword; /* of the vertex */
} adreno_captured;

/* A vertex shader's outputs: SP_VS_OUT, SP_VS_VPC_DST; VPC_PACK and others say where the fixed
 * functions' are. */
typedef struct adreno_vertex_state {
    uint8_t reg[ADRENO_IO_KINDS]; /* of inputs that no attribute is (VFD_CONTROL_1) */
    uint32_t n_fetches;
    adreno_fetch fetches[ADRENO_DRAW_FETCHES];
    uint32_t n_words;
    uint8_t source[ADRENO_DRAW_WORDS]; /* the register of each word */
    uint8_t position;                  /* the first of its words */
    uint8_t point_size, layer, viewport;
    uint8_t distances; /* the first of clip, then cull distances */
    uint8_t n_clip, n_cull;
    adreno_stream streams[ADRENO_DRAW_STREAMS];
    adreno_captured captured[ADRENO_DRAW_WORDS];
    uint32_t n_captured;
} adreno_vertex_state;

/* Where a place of the fragment's varyings comes from: VPC_VARYING_INTERP, _PS_REPL. */
typedef enum adreno_varying_source {
    ADRENO_FROM_VERTEX,
    ADRENO_FROM_NOTHING, /* the vertex shader does not give it: not defined */
    ADRENO_FROM_PRIMITIVE_ID,
    ADRENO_FROM_LAYER,
    ADRENO_FROM_VIEWPORT,
    ADRENO_FROM_POINT_X,
    ADRENO_FROM_POINT_Y,
} adreno_varying_source;

/* A colour: its register, components that are written, those that alias.rt gives
 * (SP_PS_OUTPUT_CONST_MASK), and the number of the render target. */
typedef struct adreno_color_regs {
    uint8_t reg, mask, aliased, number;
} adreno_color_regs;

typedef struct adreno_fragment_state {
    /* Registers of inputs that no varying is, and of outputs that no colour is: HLSQ_CONTROL_2 to
     * 4, SP_FS_OUTPUT_CNTL0. */
    uint8_t reg[ADRENO_IO_KINDS];
    adreno_prefetch prefetches[ADRENO_MAX_PREFETCHES];
    uint32_t n_prefetches;
    uint32_t n_places;
    uint8_t source[ADRENO_DRAW_WORDS]; /* adreno_varying_source, by place */
    uint8_t word[ADRENO_DRAW_WORDS];   /* FROM_VERTEX: which */
    bool flat[ADRENO_DRAW_WORDS];      /* a3xx: bary.f gives the provoking vertex' */
    adreno_color_regs colors[MACH_MAX_COLORS], second_color; /* SP_FS_OUTPUT_REG */
} adreno_fragment_state;

typedef struct adreno_draw {
    const adreno_dispatch *vertex, *fragment; /* fragment NULL: there is none */
    adreno_vertex_state vs;
    adreno_fragment_state fs;
    mach_draw fixed; /* without shading; attachments have their bytes */
} adreno_draw;

/* Runs the draw. `scratch` is reset to its state at entry. Findings are of vertex waves (group:
 * batch, wave, 0) and fragment waves (batch, wave, 1). Returns true if it ended without any. */
bool
adreno_draw_run(const adreno_draw *d, const mach_memory *m, arena *scratch, mach_report *report);

#endif
