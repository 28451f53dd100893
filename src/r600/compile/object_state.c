/* A program's registers, stack, rows and register words. The words have what follows from the
 * shader alone; a driver adds its own fields (caches, modes) and links parameters by
 * SPI_PS_INPUT_CNTL. How Mesa's driver fills them: evergreen_update_ps_state, r600_update_ps_state,
 * and those of vertex shaders beside them. */
#include "r600/compile/object_state.h"

typedef struct words {
    const r600_program *p;
    r600_obj_state *s;
    bool is_evergreen;
} words;

static void
put(words *w, r600_obj_register_id id, uint32_t value)
{
    const uint32_t address = r600_obj_kind.registers[id].address[w->is_evergreen];
    if (address)
        w->s->rows.registers[w->s->rows.n_registers++] = (obj_register){address, value};
}

static void
put_resources(words *w)
{
    enum { STACK_LOW = 8, DX10_CLAMP = 1 << 21 };
    const r600_obj_register_id id = w->p->hir->shader.stage == IR_STAGE_VERTEX ? R600_OBJ_PGM_VS
                                    : w->p->hir->shader.stage == IR_STAGE_FRAGMENT
                                        ? R600_OBJ_PGM_PS
                                        : R600_OBJ_PGM_LS;
    put(w, id, w->s->gprs | w->s->stack << STACK_LOW | DX10_CLAMP);
}

/* ---- vertex shaders ---- */

/* Buffers of transform feedback: VGT_STRMOUT_BUFFER_EN, from Evergreen on BUFFER_CONFIG. */
static void
put_streams(words *w)
{
    uint32_t buffers = 0;
    for (unsigned k = 0; k < FAMILY_CAPTURED_BUFFERS; k++) {
        const uint32_t dwords = w->p->captured_stride[k] / 4;
        if (dwords)
            put(w, R600_OBJ_STREAM_STRIDE_0 + k, dwords);
        buffers |= (uint32_t)(dwords != 0) << k;
    }
    if (buffers)
        put(w, R600_OBJ_STREAM_BUFFERS, buffers);
}

static void
put_vertex(words *w)
{
    enum { COUNT_LOW = 1, CULL_LOW = 8, POINT_SIZE = 1 << 16, LAYER = 1 << 18, VIEWPORT = 1 << 19 };
    enum { MISC = 1 << 21, DISTANCES_0 = 1 << 22, DISTANCES_1 = 1 << 23 };
    uint32_t clip = 0, cull = 0, control = 0;
    for (uint32_t k = 0; k < w->p->n_io; k++) {
        const r600_io *io = &w->p->io[k];
        const uint32_t n = io->mask ? r600_io_end(io) : 0;
        switch (io->slot) {
        case IR_SLOT_point_size: control |= POINT_SIZE | MISC; break;
        case IR_SLOT_layer: control |= LAYER | MISC; break;
        case IR_SLOT_viewport_index: control |= VIEWPORT | MISC; break;
        case IR_SLOT_clip_distance: clip = n > clip ? n : clip; break;
        case IR_SLOT_cull_distance: cull = n > cull ? n : cull; break;
        default: break;
        }
    }
    control |= clip + cull > 0 ? DISTANCES_0 : 0;
    control |= clip + cull > 4 ? DISTANCES_1 : 0;
    control |= (1u << clip) - 1;
    control |= ((1u << cull) - 1) << clip << CULL_LOW;
    put(w, R600_OBJ_VS_OUT_CONFIG, (w->p->n_parameters ? w->p->n_parameters - 1 : 0) << COUNT_LOW);
    put(w, R600_OBJ_VS_OUT_CNTL, control);
    put_streams(w);
}

/* ---- fragment shaders ---- */

static bool
kills(const ir_fn *f)
{
    for (uint32_t b = 0; b < f->n_blocks; b++)
        for (const ir_instr *i = f->blocks[b]->first; i; i = i->next)
            if (i->op == IR_demote || i->op == IR_terminate)
                return true;
    return false;
}

/* The fields of SPI_BARYC_CNTL. */
static uint32_t
weights_of(unsigned kind)
{
    switch (kind) {
    case R600_IO_IJ_PIXEL: return 1u << 0;
    case R600_IO_IJ_CENTROID: return 1u << 4;
    case R600_IO_IJ_SAMPLE: return 1u << 8;
    case R600_IO_IJ_LINEAR_PIXEL: return 1u << 16;
    case R600_IO_IJ_LINEAR_CENTROID: return 1u << 20;
    case R600_IO_IJ_LINEAR_SAMPLE: return 1u << 24;
    default: return 0;
    }
}

/* What a row says in SPI_PS_IN_CONTROL_0 and _1 beside the number of parameters. */
static void
add_input(const r600_io *io, uint32_t in[2])
{
    enum { POSITION = 1 << 8, POSITION_LOW = 10, PERSPECTIVE = 1 << 28, LINEAR = 1 << 29 };
    enum { FACE = 1 << 8, FACE_LOW = 12, FIXED = 1 << 24, FIXED_LOW = 25 };
    const uint32_t reg = io->reg / 4u;
    switch (io->kind) {
    case R600_IO_VARYING:
        in[0] |= io->interp == IR_INTERP_noperspective ? LINEAR
                 : io->interp == R600_IO_FLAT          ? 0
                                                       : PERSPECTIVE;
        break;
    case R600_IO_PLACE: in[0] |= POSITION | reg << POSITION_LOW; break;
    case R600_IO_FACE:
    case R600_IO_SAMPLE_MASK_IN: in[1] |= FACE | reg << FACE_LOW; break;
    case R600_IO_SAMPLE_ID: in[1] |= FIXED | reg << FIXED_LOW; break;
    default: break;
    }
}

static void
add_output(const r600_io *io, uint32_t *control, uint32_t *mask)
{
    enum { DEPTH = 1, STENCIL = 2, MASK = 1 << 8 };
    switch (io->kind) {
    case R600_IO_COLOR: *mask |= 15u << io->location * 4; break;
    case R600_IO_DEPTH: *control |= DEPTH; break;
    case R600_IO_STENCIL: *control |= STENCIL; break;
    case R600_IO_SAMPLE_MASK: *control |= MASK; break;
    default: break;
    }
}

static void
put_fragment(words *w)
{
    enum { KILL = 1 << 6 };
    uint32_t in[2] = {w->p->n_parameters, 0}, weights = 0, mask = 0;
    uint32_t control = kills(w->p->hir) ? KILL : 0;
    for (uint32_t k = 0; k < w->p->n_io; k++) {
        add_input(&w->p->io[k], in);
        add_output(&w->p->io[k], &control, &mask);
        weights |= weights_of(w->p->io[k].kind);
    }
    put(w, R600_OBJ_PS_IN_0, in[0]);
    put(w, R600_OBJ_PS_IN_1, in[1]);
    put(w, R600_OBJ_BARYC, weights);
    put(w, R600_OBJ_SHADER_CONTROL, control);
    put(w, R600_OBJ_SHADER_MASK, mask);
}

/* ---- rows ---- */

static const struct {
    const char *name;
    bool has_register;
} kinds[] = {
#define IO(id, name, register, sentence) {name, R600_IO_##id < R600_IO_OUTPUT},
#include "r600/stage_io.def"
#undef IO
};

static void
put_rows(words *w, arena *a)
{
    obj_io *rows = ARENA_ARRAY(a, w->p->n_io, obj_io);
    for (uint32_t k = 0; k < w->p->n_io; k++) {
        const r600_io *io = &w->p->io[k];
        const bool is_named = io->kind == R600_IO_VARYING || io->kind == R600_IO_OUTPUT;
        const bool is_loaded = kinds[io->kind].has_register &&
                               (io->kind != R600_IO_VARYING || !w->is_evergreen);
        rows[k] = (obj_io){.kind = kinds[io->kind].name,
                           .slot = is_named ? ir_hir_names.slot[io->slot] : "",
                           .location = io->location,
                           .components = io->mask,
                           .place = is_named ? io->number : R600_OBJ_NO_PLACE,
                           .first = is_loaded ? io->reg : R600_OBJ_NO_COMPONENT};
    }
    w->s->rows.io = rows;
    w->s->rows.n_io = w->p->n_io;
}

static void
put_slots(words *w, arena *a)
{
    static const char *const names[] = {[R600_BOUND_BUFFER] = "buffer",
                                        [R600_BOUND_UNIFORM] = "uniform",
                                        [R600_BOUND_IMAGE] = "image",
                                        [R600_BOUND_TEXTURE] = "texture",
                                        [R600_BOUND_SAMPLER] = "sampler"};
    obj_slot *rows = ARENA_ARRAY(a, w->p->n_bound, obj_slot);
    for (uint32_t k = 0; k < w->p->n_bound; k++) {
        const r600_bound *b = &w->p->bound[k];
        rows[k] = (obj_slot){names[b->kind], b->set, b->binding, b->element, b->number};
    }
    w->s->rows.slots = rows;
    w->s->rows.n_slots = w->p->n_bound;
}

r600_obj_state *
r600_obj_make_state(arena *a, const r600_program *p)
{
    r600_obj_state *s = ARENA_NEW(a, r600_obj_state);
    words w = {p, s, p->chip->gen >= R600_GEN_EG};
    *s = (r600_obj_state){.rows.kind = &r600_obj_kind,
                          .gprs = p->gprs,
                          .stack = p->stack,
                          .spilled = p->spill_elements};
    put_resources(&w);
    if (p->hir->shader.stage == IR_STAGE_VERTEX)
        put_vertex(&w);
    else if (p->hir->shader.stage == IR_STAGE_FRAGMENT)
        put_fragment(&w);
    put_rows(&w, a);
    put_slots(&w, a);
    return s;
}
