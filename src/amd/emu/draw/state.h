/* The parts of a draw (internal to this room): what registers say, in the words of the fixed
 * functions, and the stages that shade. */
#ifndef AMD_EMU_DRAW_STATE_H
#define AMD_EMU_DRAW_STATE_H

#include "amd/emu/draw/draw.h"
#include "amd/emu/run/stage.h"

enum {
    DRAW_PARAMETERS = 32, /* that a vertex has for the pixel shader */
    DRAW_POSITIONS = 5,   /* position exports */
    DRAW_LANES = 256,     /* of vertices, or of primitives, that have parameters in a batch */
};

_Static_assert(DRAW_LANES >= (int)MACH_BATCH_VERTICES && DRAW_LANES >= (int)MACH_BATCH_PRIMITIVES,
               "all lanes of a batch have a place");

/* Differences between generations. */
typedef struct draw_gen {
    bool has_vs;         /* hardware VS */
    bool instance_in_v3; /* of hardware VS; else v1 */
    bool attribute_ring; /* parameters go through memory */
    bool data_in_pgm_gs; /* the first two SGPRs of NGG are SPI_SHADER_PGM_LO_GS, HI; else
                           * USER_DATA_ADDR_LO_GS, HI */
    bool scratch_sgpr;   /* waves get the offset of their scratch memory */
    bool mip0_registers; /* attachments have the size of the whole image (gfx9 on) */
    /* Which registers of targets are arrays of their own, beside the block of each target */
    bool bases_in_array, attributes_in_arrays, info_in_array;
    uint8_t target_dwords;   /* from a target's block to the next one's */
    uint8_t viewport_dwords; /* the same for viewports */
    bool depths_in_viewport; /* ZMIN and ZMAX are among these */
    bool inclusive_scissors; /* the lower right corner is inside */
    bool always_ngg;
    bool layer_with_viewport; /* the misc vector's z has both (gfx9 on); else w has the viewport */
    bool alpha_in_second;     /* 32_AR exports alpha as second component; else as fourth */
    bool done_is_valid_mask;  /* exec at the last export says which pixels live; else bit VM */
    bool short_blend_factors; /* BLEND_BOTH_* have no numbers */
    uint32_t lds_granule;     /* bytes, of LDS_SIZE */
    /* NGG: bits from a vertex of a primitive to the next one's; VGPRs of its number, the vertex and
     * the instance; whether the first one has all vertices always */
    uint8_t index_shift, primitive_vgpr, vertex_vgpr, instance_vgpr;
    bool always_packed;
} draw_gen;

const draw_gen *
amd_draw_gen_of(amd_gen gen);

/* The values of vertices of a batch that the pixel shader reads. */
typedef struct draw_parameters {
    uint32_t value[DRAW_PARAMETERS][4][DRAW_LANES];
    uint8_t written[DRAW_PARAMETERS][DRAW_LANES]; /* defined components, a bit each */
} draw_parameters;

/* The user data and system values that waves of a stage begin with. */
typedef struct draw_shader {
    amd_emu_dispatch launch;
    bool has_scratch;
    amd_emu_stage *stage;
    uint32_t most_waves; /* of a group */
} draw_shader;

/* Memory with attachments, as the fixed functions see it. */
typedef struct draw_attachment {
    const uint8_t *host;
    uint64_t address, size;
} draw_attachment;

/* A part of a draw that tells what it accesses. */
typedef struct draw_teller {
    struct draw_run *run;
    amd_draw_part part;
} draw_teller;

typedef struct draw_run {
    const amd_draw *draw;
    const amd_hw_registers *regs;
    const draw_gen *is;
    amd_gen gen;
    mach_memory *memory;
    arena *arena;
    mach_report *report;
    const char *problem; /* why the draw cannot be run; NULL: it can */

    mach_draw out;
    mach_depth_bias bias;
    mach_image resolved; /* what CB_RESOLVE reads */
    bool ngg;
    bool second_source; /* blending reads a second colour, which target 1 exports */
    uint8_t export_target[MACH_MAX_COLORS]; /* the attachment of each export */
    uint8_t shuffle[MACH_MAX_COLORS][4];    /* the export's component of each of the format's */
    mach_draw_counts counts;
    draw_attachment attachments[MACH_MAX_COLORS + 2];
    uint32_t n_attachments;
    draw_teller tellers[AMD_DRAW_PARTS];

    /* Streamout: the vertices for which buffers have room, those before the batch; of a primitive.
     */
    uint32_t streamout_room, streamed, streamed_of;

    draw_shader vertex, pixel;
    uint32_t n_vertex_waves; /* NGG: of the group that runs */
    uint32_t batch;          /* number of the vertices' batch */
    uint32_t group;          /* number of the group of pixel waves */
    struct draw_vertices *vertices;
    struct draw_pixels *pixels;
    draw_parameters *parameters;
    const mach_vertex_batch *of; /* the batch that is being drawn */
} draw_run;

/* ---- registers ---- */

static inline uint32_t
draw_field(const draw_run *r, amd_hw_field f)
{
    return amd_hw_register_field(r->regs, f);
}

static inline uint32_t
draw_value(const draw_run *r, amd_hw_reg reg)
{
    return amd_hw_register_value(r->regs, reg, 0);
}

/* What they say, by subject. Each sets `problem` if that is not built. */
void
amd_draw_read_primitives(draw_run *r); /* assembly, clipping, viewports, faces (primitives.c) */
void
amd_draw_read_samples(draw_run *r);
void
amd_draw_read_depth(draw_run *r); /* depth.c */
void
amd_draw_read_colors(draw_run *r); /* colors.c */
void
amd_draw_read_streamout(draw_run *r); /* streamout.c */

/* Streamout of primitive shaders: the number of the group that begins, the counters before and
 * behind the draw (streamout.c). */
uint32_t
amd_draw_group_order(const draw_run *r);
void
amd_draw_begin_counters(draw_run *r);
void
amd_draw_end_counters(draw_run *r);

/* Tells who asks for it what fixed functions read: indices and the like (touch.c). */
void
amd_draw_tell_read(draw_run *r, amd_draw_part part, uint64_t address, uint64_t size);

/* Makes stages and results tell what they access, if somebody asks. */
void
amd_draw_begin_telling(draw_run *r);

/* Lays out an attachment of gfx9 and later. */
typedef struct draw_surface {
    uint64_t address;
    mach_format format;
    uint32_t width, height, depth, levels, samples; /* of the whole image; depth of 3D images */
    uint32_t resource;                              /* 0, 1, 2: one, two, three dimensions */
    uint32_t sw_mode;
    uint32_t pitch; /* gfx9's linear images: elements; 0: derived */
    uint32_t level, first_layer, last_layer;
} draw_surface;
bool
amd_draw_place_surface(draw_run *r, const draw_surface *s, mach_image *out);

/* The same up to gfx8: a level with its own address and pitch. */
typedef struct draw_level {
    uint64_t address;
    mach_format format;
    uint32_t pitch, height; /* in texels, with padding */
    uint32_t samples, tile_mode;
    uint32_t first_layer, last_layer;
} draw_level;
bool
amd_draw_place_level(draw_run *r, const draw_level *s, mach_image *out);

/* ---- shaders ---- */

/* Reads the registers of the vertex and the pixel shader (shaders.c). */
void
amd_draw_read_shaders(draw_run *r);
bool
amd_draw_open_stages(draw_run *r);
void
amd_draw_close_stages(draw_run *r);

/* Appends scalar registers to a wave's. */
void
amd_draw_give_user(const draw_shader *s, amd_emu_stage_wave *w);
void
amd_draw_give_scalar(amd_emu_stage_wave *w, uint32_t v);
void
amd_draw_give_streamout(const draw_run *r, uint32_t first, uint32_t n, amd_emu_stage_wave *w);
void
amd_draw_give_scratch(const draw_run *r, const draw_shader *s, uint32_t wave,
                      amd_emu_stage_wave *w);

/* Vertices: hardware VS (vertices.c), NGG (ngg.c), and what they have in common. */
bool
amd_draw_shade_vertices(void *user, mach_vertex_batch *b);
bool
amd_draw_shade_ngg(void *user, mach_vertex_batch *b);

/* The address of the ring through which NGG passes parameters from gfx11 on. */
uint64_t
amd_draw_attribute_ring(const draw_run *r);

typedef struct draw_vertices {
    uint32_t position[DRAW_POSITIONS][4][DRAW_LANES];
    uint8_t written[DRAW_POSITIONS][DRAW_LANES]; /* components */
    /* NGG: what gs_alloc_req asked for, and the primitives' exports */
    bool allocated;
    uint32_t n_vertices, n_primitives;
    uint32_t primitive[MACH_BATCH_PRIMITIVES];
    bool has_primitive[MACH_BATCH_PRIMITIVES];
    uint64_t done; /* waves that made the last export of positions */
    amd_emu_stage_wave waves[8];
} draw_vertices;

/* Forgets the batch before, takes exports of positions and parameters of thread `first` + lane,
 * and gives the fixed functions the first `n` vertices. */
void
amd_draw_clear_vertices(draw_run *r);
void
amd_draw_take_vertex_export(draw_run *r, const amd_emu_export *e, uint32_t first);
void
amd_draw_finish_vertices(draw_run *r, mach_vertex_batch *b, uint32_t n);

/* Pixels: waves (pixels.c), their parameters in LDS (parameters.c), what they export
 * (pixel_exports.c). */
bool
amd_draw_shade_pixels(void *user, mach_fragment_batch *b);
void
amd_draw_begin_pixels(draw_run *r);

/* The parameters of the primitives of quads, for one wave. */
typedef struct draw_lds {
    uint32_t bytes;
    uint32_t new_primitives; /* bit k: quad k + 1 begins another primitive */
    uint8_t *values, *defined;
} draw_lds;
void
amd_draw_fill_lds(draw_run *r, const mach_fragment_quad *quads, uint32_t n, draw_lds *lds);

/* Where an input of the pixel shader comes from: SPI_PS_INPUT_CNTL_n. */
typedef struct draw_input {
    uint32_t source; /* parameter of the vertices, or of the primitive */
    bool primitive, constant, flat, sprite, halves;
    uint8_t constants; /* DEFAULT_VAL */
} draw_input;
void
amd_draw_read_inputs(draw_run *r);

/* The registers that shading reads are kept, as each takes a search. */
typedef struct draw_pixels {
    amd_emu_stage_wave wave;
    draw_lds lds;
    uint32_t n_parameters, first_of_primitives;
    uint32_t enabled, addressed; /* SPI_PS_INPUT_ENA, ADDR */
    uint32_t color_format, depth_format;
    draw_input inputs[DRAW_PARAMETERS];
    unsigned position_place; /* POS_FLOAT_LOCATION */
    bool position_corner;    /* POS_FLOAT_ULC */
    bool inner_coverage;     /* COVERAGE has that of pixels that are covered as a whole */
    bool face_all_bits, exports_mask, counts_waves, takes_collision;
    mach_fragment (*fragments)[4]; /* of the wave's first quad */
    uint64_t live;                 /* lanes that are pixels */
    bool any_export, done;
} draw_pixels;

void
amd_draw_take_pixel_export(void *user, const amd_emu_export *e);

#endif
