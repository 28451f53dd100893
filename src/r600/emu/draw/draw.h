/* Draws: the fixed functions of machine/raster with waves as shaders.
 *
 * A caller puts everything that shaders reach into a mach_memory, fills an r600_draw with what
 * registers of a command stream say, and calls r600_draw_run. Vertices are fetched by the vertex
 * shader itself. What it exports as positions goes to the fixed functions, what it exports as
 * parameters to fragments: from Evergreen on these interpolate it themselves, before the hardware
 * does it before they start. Names of registers in comments are those of AMD's register references
 * for R600 and Evergreen. */
#ifndef R600_EMU_DRAW_DRAW_H
#define R600_EMU_DRAW_DRAW_H

#include "machine/raster/draw.h"
#include "machine/raster/fragment_place.h"
#include "r600/emu/emu.h"

enum {
    R600_DRAW_PARAMETERS = 32,
    R600_DRAW_NONE = 0xffff, /* a component of the register file that is not filled */
};

/* Which positions a vertex shader exports behind the first one, in this order, and what is in them:
 * PA_CL_VS_OUT_CNTL. */
typedef struct r600_vertex_state {
    bool has_misc; /* x point size, z layer, w viewport */
    bool uses_point_size, uses_layer, uses_viewport;
    bool has_distances[2]; /* four distances each: to clip, then to cull */
    uint8_t n_clip, n_cull;
    uint8_t n_parameters; /* SPI_VS_OUT_CONFIG */
    r600_stream streams[R600_STREAMS];
    bool gives_primitive; /* R0.z is its number (VGT_PRIMITIVEID_EN): vertices are not shared */
} r600_vertex_state;

typedef enum r600_parameter_source {
    R600_FROM_VERTEX,
    R600_FROM_NOTHING, /* the vertex shader does not give it: not defined */
    R600_FROM_ZEROS,   /* DEFAULT_VAL */
    R600_FROM_POINT,   /* PT_SPRITE_TEX: the place in a point, 0, 1 */
} r600_parameter_source;

/* A parameter of the fragment shader: SPI_PS_INPUT_CNTL. */
typedef struct r600_parameter {
    uint8_t source; /* r600_parameter_source */
    uint8_t number; /* FROM_VERTEX: among the vertex shader's parameters */
    bool is_flat, is_linear;
    uint8_t at; /* MACH_AT_*; these three count where the hardware interpolates */
} r600_parameter;

/* Components of the register file, four to a register, that the fixed functions fill
 * (SPI_PS_IN_CONTROL, SPI_BARYC_CNTL); R600_DRAW_NONE: not. */
typedef struct r600_fragment_inputs {
    uint16_t weights[2][MACH_FRAGMENT_PLACES]; /* with perspective, linear; i and j */
    uint16_t position;                         /* x, y, depth, w */
    uint16_t face;                             /* 1.0 of a primitive that faces the viewer, -1.0 */
    uint16_t coverage;                         /* covered samples; of helpers none */
    uint16_t sample_id;
} r600_fragment_inputs;

typedef struct r600_fragment_state {
    r600_fragment_inputs in;
    uint32_t n_parameters;
    r600_parameter parameters[R600_DRAW_PARAMETERS];
    uint32_t colors;           /* that are exported, a bit each */
    bool has_second;           /* export 1 is the second source of blending */
    bool depth, stencil, mask; /* DB_SHADER_CONTROL */
} r600_fragment_state;

typedef struct r600_draw {
    const r600_emu_dispatch *vertex, *fragment; /* fragment NULL: there is none */
    r600_vertex_state vs;
    r600_fragment_state fs;
    mach_draw fixed; /* without shading; attachments have their bytes */
} r600_draw;

/* Runs the draw. `scratch` is reset to its state at entry. Findings are of vertex waves (group:
 * batch, wave, 0) and fragment waves (batch, wave, 1). Returns true if it ended without any. */
bool
r600_draw_run(const r600_draw *d, mach_memory *m, arena *scratch, mach_report *report);

#endif
