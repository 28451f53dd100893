/* Inputs and outputs of vertex and fragment shaders.
 *
 * A variable of storage class Input or Output is kept as SSA values, as a Private one is, so that
 * any part of it may be indexed. Inputs are loaded at the start of the entry point, outputs are
 * stored at its end; what is not used disappears as dead code. A variable is a list of pieces, each
 * a scalar or vector at one location (Vulkan 1.3, "Location and Component Assignment") or one of
 * Vulkan's built-ins.
 */
#include "spirv/glsl450.h"

/* How the fragment shader reads an input. */
typedef struct interpolation {
    bool flat, per_vertex, no_perspective;
    ir_interp_at at;
} interpolation;

/* Where transform feedback captures an output: `offset` bytes behind the vertex' place. */
typedef struct capture {
    uint32_t buffer, stride, offset; /* offset UINT32_MAX: nowhere */
} capture;

/* A scalar or vector; a vector of 64-bit numbers is split where a location ends. */
struct spirv_piece {
    const spirv_type *scalar;
    uint32_t leaf, n; /* leaves of the variable */
    uint32_t slot, location, component, blend_source;
    uint32_t builtin; /* an input that is not in a slot, or UINT32_MAX */
    interpolation interp;
    capture xfb;
};

/* What decorations say about a part of a variable. */
typedef struct place {
    uint32_t builtin, location, component, blend_source;
    interpolation interp;
    capture xfb;
} place;

/* ---- decorations ---- */

static void
apply(const spirv_id *id, uint32_t member, place *p)
{
    for (const spirv_decor *d = id->decor; d; d = d->next) {
        uint32_t arg = d->n_args ? d->args[0] : 0;
        if (d->member != member)
            continue;
        switch (d->what) {
        case SPIRV_DEC_BUILTIN:
            p->builtin = arg;
            p->location = 0;
            break;
        case SPIRV_DEC_LOCATION: p->location = arg; break;
        case SPIRV_DEC_COMPONENT: p->component = arg; break;
        case SPIRV_DEC_INDEX: p->blend_source = arg; break;
        case SPIRV_DEC_FLAT: p->interp.flat = true; break;
        case SPIRV_DEC_NO_PERSPECTIVE: p->interp.no_perspective = true; break;
        case SPIRV_DEC_CENTROID: p->interp.at = IR_INTERP_AT_centroid; break;
        case SPIRV_DEC_SAMPLE: p->interp.at = IR_INTERP_AT_sample; break;
        case SPIRV_DEC_PER_VERTEX: p->interp.per_vertex = true; break;
        case SPIRV_DEC_XFB_BUFFER: p->xfb.buffer = arg; break;
        case SPIRV_DEC_XFB_STRIDE: p->xfb.stride = arg; break;
        case SPIRV_DEC_OFFSET: p->xfb.offset = arg; break;
        default: break;
        }
    }
}

/* ---- pieces ---- */

typedef struct pieces {
    spirv_reader *r;
    spirv_var *v;
    size_t cap;
} pieces;

static void
add_piece(pieces *list, const spirv_piece *p)
{
    spirv_var *v = list->v;
    v->pieces = arena_grow(list->r->a, v->pieces, &list->cap, v->n_pieces + 1, sizeof *v->pieces);
    v->pieces[v->n_pieces++] = *p;
}

/* Slots that the built-ins of variables other than system values are in, or -1. */
static int
slot_of(const spirv_var *v, uint32_t builtin)
{
    bool output = v->storage == SPIRV_SC_OUTPUT;
    switch (builtin) {
    case SPIRV_BUILTIN_POSITION: return IR_SLOT_position;
    case SPIRV_BUILTIN_POINT_SIZE: return IR_SLOT_point_size;
    case SPIRV_BUILTIN_CLIP_DISTANCE: return IR_SLOT_clip_distance;
    case SPIRV_BUILTIN_CULL_DISTANCE: return IR_SLOT_cull_distance;
    case SPIRV_BUILTIN_LAYER: return IR_SLOT_layer;
    case SPIRV_BUILTIN_VIEWPORT_INDEX: return IR_SLOT_viewport_index;
    case SPIRV_BUILTIN_PRIMITIVE_ID: return IR_SLOT_primitive_id;
    case SPIRV_BUILTIN_PRIMITIVE_SHADING_RATE: return output ? IR_SLOT_shading_rate : -1;
    case SPIRV_BUILTIN_FRAG_DEPTH: return output ? IR_SLOT_depth : -1;
    case SPIRV_BUILTIN_FRAG_STENCIL: return output ? IR_SLOT_stencil : -1;
    case SPIRV_BUILTIN_SAMPLE_MASK: return output ? IR_SLOT_sample_mask : -1;
    default: return -1;
    }
}

/* The bytes of a piece where it is captured, if it is: numbers are packed (GLSL 4.60, "Transform
 * Feedback Layout Qualifiers"). */
static void
move_capture(capture *at, const spirv_piece *p)
{
    if (at->offset != UINT32_MAX)
        at->offset += p->n * p->scalar->bits / 8;
}

/* Adds a scalar or vector, and moves `p` behind it. */
static void
add_vector(pieces *list, const spirv_type *t, uint32_t leaf, place *p)
{
    spirv_reader *r = list->r;
    const spirv_type *scalar = spirv_scalar_of(t);
    if (!scalar)
        spirv_invalid(r, "an input or output has a part of type id %u", t->id);
    spirv_piece piece = {.scalar = scalar,
                         .leaf = leaf,
                         .n = t->leaves,
                         .location = p->location,
                         .component = p->component,
                         .blend_source = p->blend_source,
                         .builtin = UINT32_MAX,
                         .interp = p->interp,
                         .xfb = p->xfb};
    if (p->builtin != UINT32_MAX) {
        int slot = slot_of(list->v, p->builtin);
        piece.slot = slot < 0 ? 0 : (uint32_t)slot;
        piece.builtin = slot < 0 ? p->builtin : UINT32_MAX;
        add_piece(list, &piece);
        move_capture(&p->xfb, &piece);
        if (p->builtin == SPIRV_BUILTIN_CLIP_DISTANCE ||
            p->builtin == SPIRV_BUILTIN_CULL_DISTANCE) {
            p->location += (p->component + 1) / 4;
            p->component = (p->component + 1) % 4;
        }
        return;
    }
    if (scalar->kind == SPIRV_BOOL || p->location == UINT32_MAX)
        spirv_invalid(r, "an input or output has no Location, or is a boolean");
    unsigned words = scalar->bits == 64 ? 2 : 1, most = (4 - (p->component & 3)) / words;
    for (uint32_t done = 0; done < t->leaves; done += piece.n) {
        piece.leaf = leaf + done;
        piece.n = t->leaves - done < most ? t->leaves - done : most;
        add_piece(list, &piece);
        move_capture(&piece.xfb, &piece);
        piece.location++;
        piece.component = 0;
        most = 4 / words;
    }
    p->location = piece.location;
    p->xfb = piece.xfb;
}

static void
add_parts(pieces *list, const spirv_type *t, uint32_t leaf, place *p)
{
    spirv_reader *r = list->r;
    if (t->kind != SPIRV_STRUCT && t->kind != SPIRV_ARRAY && t->kind != SPIRV_MATRIX) {
        add_vector(list, t, leaf, p);
        return;
    }
    spirv_charge(r, t->count);
    uint32_t component = p->component;
    bool distances = p->builtin != UINT32_MAX;
    for (uint32_t k = 0; k < t->count; k++) {
        uint32_t first = leaf;
        place q = *p;
        if (t->kind == SPIRV_STRUCT)
            apply(spirv_id_of(r, t->id), k, &q);
        else if (!distances)
            q.component = component;
        const spirv_type *part = spirv_element(r, t, k, &first);
        add_parts(list, part, first, &q);
        p->location = q.builtin == UINT32_MAX || distances ? q.location : p->location;
        p->component = distances ? q.component : p->component;
        if (p->xfb.offset != UINT32_MAX) /* else parts have places of their own */
            p->xfb.offset = q.xfb.offset;
    }
}

static void
list_pieces(spirv_reader *r, spirv_var *v)
{
    pieces list = {.r = r, .v = v};
    place p = {.builtin = UINT32_MAX, .location = UINT32_MAX, .xfb = {.offset = UINT32_MAX}};
    const spirv_type *t = v->type;
    spirv_check_value_type(r, t);
    apply(v->info, UINT32_MAX, &p);
    if (t->kind == SPIRV_STRUCT)
        apply(spirv_id_of(r, t->id), UINT32_MAX, &p);
    if (p.interp.per_vertex && t->kind != SPIRV_ARRAY)
        spirv_invalid(r, "a PerVertexKHR input is not an array");
    if (!p.interp.per_vertex) {
        add_parts(&list, t, 0, &p);
        return;
    }
    /* element k is of vertex k, all at the same locations */
    for (uint32_t k = 0; k < t->count; k++) {
        place q = p;
        add_parts(&list, t->elem, k * t->elem->leaves, &q);
    }
}

/* ---- inputs ---- */

static ir_ref
barycentric(spirv_reader *r, const interpolation *how, ir_interp_at at)
{
    ir_ref w = ir_build_intr(&r->b, IR_load_barycentric, IR_TYPE(32, 2), NULL, 0);
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_INTERP, how->no_perspective ? IR_INTERP_noperspective : IR_INTERP_smooth);
    ir_attr_set(i, IR_A_INTERP_AT, at);
    r->f->shader.fragment.sample_shading |= at == IR_INTERP_AT_sample;
    return w;
}

/* Integers and 64-bit numbers are never interpolated. */
static bool
is_interpolated(const spirv_reader *r, const spirv_piece *p)
{
    return r->opt->stage == IR_STAGE_FRAGMENT && p->scalar->kind == SPIRV_FLOAT &&
           p->scalar->bits <= 32 && !p->interp.flat && p->slot != IR_SLOT_primitive_id;
}

/* Loads the piece; `from` is its weights, the number of its vertex, or NONE. */
static ir_ref
load_piece(spirv_reader *r, const spirv_piece *p, ir_op op, ir_ref from)
{
    ir_ref v = ir_build_intr(&r->b, op, IR_TYPE(p->scalar->bits, p->n), &from,
                             ir_is_value(from) ? 1 : 0);
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_SLOT, p->slot);
    ir_attr_set(i, IR_A_LOCATION, p->location);
    ir_attr_set(i, IR_A_COMPONENT, p->component);
    return v;
}

static ir_ref
load_input(spirv_reader *r, const spirv_var *v, const spirv_piece *p)
{
    if (p->interp.per_vertex) {
        uint32_t vertex = p->leaf / v->type->elem->leaves;
        return load_piece(r, p, IR_load_vertex_input, spirv_imm(r, 32, vertex));
    }
    if (is_interpolated(r, p))
        return load_piece(r, p, IR_load_interpolated_input,
                          barycentric(r, &p->interp, p->interp.at));
    const ir_ref value = load_piece(r, p, IR_load_input, ir_none());
    if (p->scalar->kind == SPIRV_FLOAT && p->scalar->bits == 16)
        ir_attr_set(ir_built(&r->b), IR_A_HALF, 1);
    return value;
}

ir_ref
spirv_reload_input(spirv_reader *r, const spirv_ptr *p)
{
    bool changes = p->storage == SPIRV_SC_INPUT && p->var->n_pieces == 1 &&
                   p->var->pieces->builtin == SPIRV_BUILTIN_HELPER_INVOCATION;
    return changes ? *spirv_stage_builtin(r, p->var->pieces->builtin, p->var->pieces->scalar, 1)
                   : ir_none();
}

void
spirv_open_input(spirv_reader *r, spirv_var *v, ir_ref *leaf)
{
    list_pieces(r, v);
    for (size_t k = 0; k < v->n_pieces; k++) {
        const spirv_piece *p = &v->pieces[k];
        if (p->builtin != UINT32_MAX) {
            const ir_ref *value = spirv_stage_builtin(r, p->builtin, p->scalar, p->n);
            for (uint32_t c = 0; c < p->n; c++)
                leaf[p->leaf + c] = value[c];
            continue;
        }
        ir_ref value = load_input(r, v, p);
        for (uint32_t c = 0; c < p->n; c++)
            leaf[p->leaf + c] = ir_comp(value, c);
    }
}

/* ---- interpolateAt* ---- */

static const spirv_piece *
find_piece(spirv_reader *r, const spirv_ptr *p)
{
    const spirv_var *v = p->var;
    for (size_t k = 0; v && k < v->n_pieces; k++) {
        const spirv_piece *piece = &v->pieces[k];
        if (p->leaf >= piece->leaf && p->leaf + p->type->leaves <= piece->leaf + piece->n)
            return piece;
    }
    spirv_unsupported(r, "interpolation of several inputs at once");
}

static ir_ref
weights(spirv_reader *r, const spirv_insn *i, const interpolation *how)
{
    ir_interp mode = how->no_perspective ? IR_INTERP_noperspective : IR_INTERP_smooth;
    ir_ref from[2];
    if (i->w[4] == GLSL_InterpolateAtCentroid)
        return barycentric(r, how, IR_INTERP_AT_centroid);
    const spirv_type *t = spirv_operand_type(r, i, 6), *c = spirv_scalar_of(t);
    bool sample = i->w[4] == GLSL_InterpolateAtSample;
    if (!c || c->bits != 32 || t->leaves != (sample ? 1 : 2) ||
        c->kind != (sample ? SPIRV_INT : SPIRV_FLOAT))
        spirv_invalid(r, "the place of interpolation has the wrong type");
    memcpy(from, spirv_operand(r, i, 6), t->leaves * sizeof *from);
    from[0] = ir_build_vec(&r->b, from, t->leaves);
    ir_op op = sample ? IR_load_barycentric_at_sample : IR_load_barycentric_at_offset;
    ir_ref w = ir_build_intr(&r->b, op, IR_TYPE(32, 2), from, 1);
    ir_attr_set(ir_built(&r->b), IR_A_INTERP, mode);
    return w;
}

static ir_ref
interpolate_piece(spirv_reader *r, const spirv_insn *i, const spirv_var *v,
                  const spirv_piece *piece)
{
    if (is_interpolated(r, piece) && !piece->interp.per_vertex)
        return load_piece(r, piece, IR_load_interpolated_input, weights(r, i, &piece->interp));
    return load_input(r, v, piece);
}

/* Of an input that an index selects: the pointer is an offset in the variable. All parts that it
 * may point to are interpolated, and one is chosen. */
static ir_ref *
interpolate_selected(spirv_reader *r, const spirv_insn *i, const spirv_ptr *p)
{
    const spirv_var *v = p->var;
    uint32_t n = p->type->leaves;
    ir_type scalar = spirv_leaf_type(r, p->type, 0);
    ir_ref *chosen = spirv_new_leaves(r, n);
    ir_ref at = irb_iadd(&r->b, p->offset, spirv_imm(r, 32, p->base - v->offset));
    bool found = false;
    for (size_t k = 0; k < v->n_pieces; k++) {
        const spirv_piece *piece = &v->pieces[k];
        if (spirv_leaf_type(r, piece->scalar, 0) != scalar || (n > 1 && piece->n != n))
            continue;
        ir_ref value = interpolate_piece(r, i, v, piece);
        for (uint32_t first = 0; first < piece->n; first += n) {
            uint64_t offset = spirv_natural_offset(r, v->type, piece->leaf + first);
            ir_ref here = irb_ieq(&r->b, at, spirv_imm(r, 32, offset));
            for (uint32_t c = 0; c < n; c++) {
                ir_ref one = ir_comp(value, first + c);
                chosen[c] = found ? irb_bcsel(&r->b, here, one, chosen[c]) : one;
            }
            found = true;
        }
    }
    if (!found)
        spirv_unsupported(r, "interpolation of several inputs at once");
    return chosen;
}

void
spirv_emit_interpolate(spirv_reader *r, const spirv_insn *i)
{
    const spirv_ptr *pointer = spirv_pointer(r, spirv_ref(r, i, 5));
    spirv_type vec;
    spirv_ptr whole = *pointer;
    bool dynamic = ir_is_value(pointer->component);
    if (pointer->storage != SPIRV_SC_INPUT)
        spirv_invalid(r, "what is interpolated is not an input");
    if (pointer->place == SPIRV_PLACE_SCRATCH && ir_is_value(pointer->offset)) {
        spirv_define(r, i, interpolate_selected(r, i, pointer));
        return;
    }
    if (pointer->place != SPIRV_PLACE_SSA)
        spirv_unsupported(r, "interpolation of an input in memory");
    if (dynamic)
        whole = spirv_whole_vector(pointer, &vec);
    const spirv_piece *piece = find_piece(r, &whole);
    ir_ref v = interpolate_piece(r, i, whole.var, piece);
    ir_ref *leaf = spirv_new_leaves(r, whole.type->leaves);
    for (uint32_t c = 0; c < whole.type->leaves; c++)
        leaf[c] = ir_comp(v, whole.leaf - piece->leaf + c);
    if (dynamic)
        *leaf = spirv_choose(r, leaf, whole.type->leaves, pointer->component);
    spirv_define(r, i, leaf);
}

/* ---- outputs ---- */

static bool
is_undefined(const spirv_reader *r, ir_ref v)
{
    return r->f->values[v.id].def && r->f->values[v.id].def->op == IR_undef;
}

/* Captures components of the piece from `from` on. */
static void
capture_run(spirv_reader *r, const spirv_piece *p, ir_ref value, uint32_t from)
{
    enum { BUFFERS = 4 };
    if (r->opt->stage != IR_STAGE_VERTEX || p->xfb.offset == UINT32_MAX || !r->f->shader.captures)
        return;
    if (p->xfb.buffer >= BUFFERS || p->xfb.offset % 4 || p->xfb.stride % 4)
        spirv_invalid(r, "an output is captured where it may not be");
    if (p->scalar->bits < 32)
        spirv_unsupported(r, "captured outputs of %u bits", p->scalar->bits);
    ir_build_intr(&r->b, IR_store_xfb, 0, &value, 1);
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_BINDING, p->xfb.buffer);
    ir_attr_set(i, IR_A_BASE, p->xfb.offset + from * p->scalar->bits / 8);
    ir_attr_set(i, IR_A_RANGE, p->xfb.stride);
}

/* Stores components [from, to) of the piece. */
static void
store_run(spirv_reader *r, const spirv_piece *p, const ir_ref *leaf, uint32_t from, uint32_t to)
{
    ir_ref value = ir_build_vec(&r->b, leaf + from, to - from);
    capture_run(r, p, value, from);
    ir_build_intr(&r->b, IR_store_output, 0, &value, 1);
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_SLOT, p->slot);
    ir_attr_set(i, IR_A_LOCATION, p->location);
    ir_attr_set(i, IR_A_COMPONENT, p->component + from * (p->scalar->bits == 64 ? 2 : 1));
    ir_attr_set(i, IR_A_BLEND_SOURCE, p->blend_source);
    ir_attr_set(i, IR_A_TEX_TYPE, spirv_base_type(p->scalar));
}

/* Components that no path writes are not stored. */
static void
store_piece(spirv_reader *r, const spirv_piece *p, const ir_ref *leaf)
{
    for (uint32_t from = 0, to; from < p->n; from = to) {
        bool skip = is_undefined(r, leaf[from]);
        for (to = from + 1; to < p->n && is_undefined(r, leaf[to]) == skip; to++)
            ;
        if (!skip)
            store_run(r, p, leaf, from, to);
    }
}

void
spirv_open_output(spirv_reader *r, spirv_var *v)
{
    list_pieces(r, v);
    for (size_t k = 0; k < v->n_pieces; k++) {
        if (v->pieces[k].builtin != UINT32_MAX)
            spirv_unsupported(r, "built-in output %u", v->pieces[k].builtin);
    }
}

void
spirv_store_outputs(spirv_reader *r)
{
    for (size_t g = 0; g < r->n_globals; g++) {
        const spirv_var *v = r->globals[g];
        if (v->storage != SPIRV_SC_OUTPUT || !v->used)
            continue;
        const ir_ref *leaf = spirv_load(r, v->info->ptr, 0, 0);
        for (size_t k = 0; k < v->n_pieces; k++)
            store_piece(r, &v->pieces[k], leaf + v->pieces[k].leaf);
    }
}
