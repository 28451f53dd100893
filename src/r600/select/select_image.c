/* Storage images, and queries.
 *
 * An image that is stored to is a RAT, which converts, and a texture or a texel buffer with which
 * it is loaded; so a load waits for stores as that of a buffer does. x, y and the depth, layer or
 * face are the index. */
#include "r600/select/image.h"

enum { STORE_TYPED = 1 };

unsigned
r600_sel_axes(unsigned dim)
{
    switch (dim) {
    case IR_DIM_1D:
    case IR_DIM_buf: return 1;
    case IR_DIM_3D: return 3;
    default: return 2;
    }
}

/* ---- instructions ---- */

static void
set_results(r600_sel *s, tree_vector *v, tree_operand out[4])
{
    tree_node *node = s->list->last;
    for (unsigned c = 0; c < 4; c++) {
        s->wish = c;
        v->inst.f[R600_F_out_sel_x + c] = c;
        v->def[c] = r600_sel_define(s, node);
        out[c] = r600_tree_use(v->def[c]);
    }
}

tree_vector *
r600_sel_tex(r600_sel *s, unsigned op, uint32_t resource, tree_operand out[4])
{
    tree_vector *v = r600_sel_vector(s, TREE_FETCH, (r600_op)op);
    s->list->last->id = R600_TEX;
    v->inst.f[R600_F_resource] = resource;
    for (unsigned c = 0; c < 4; c++) {
        v->src[c] = r600_tree_const(0);
        v->inst.f[R600_F_coord_x + c] = 1;
    }
    set_results(s, v, out);
    return v;
}

/* Dword `at` of what the driver says of a texel buffer or an array of cubes. */
static tree_operand
texels_constant(r600_sel *s, uint32_t resource, unsigned at)
{
    enum { MOST = 1 << 14 };
    const uint32_t n = r600_description_of(resource);
    const uint32_t dword = r600_first_texels(s->program) + n * R600_TEXELS_DWORDS + at;
    if (dword >= MOST)
        r600_sel_lacks(s, "descriptions of images behind so many constants");
    if (s->program->n_texels <= n)
        s->program->n_texels = n + 1;
    return (tree_operand){.kind = TREE_KCACHE, .id = dword};
}

/* Resources have no selects before Evergreen, so that components which the format lacks are
 * anything. */
static void
mask_texel(r600_sel *s, uint32_t resource, tree_operand out[4])
{
    for (unsigned c = 0; c < 4; c++)
        out[c] = r600_sel_op2(s, R600_AND_INT, out[c],
                              texels_constant(s, resource, R600_TEXELS_MASKS + c));
    out[3] = r600_sel_op2(s, R600_OR_INT, out[3], texels_constant(s, resource, R600_TEXELS_OR));
}

void
r600_sel_texel(r600_sel *s, uint32_t resource, tree_operand index, tree_operand out[4])
{
    enum { NO_INDEX = 2 };
    const bool has_cache = !(s->p->chip->properties & R600_NO_VTX_CACHE);
    tree_vector *v = r600_sel_vector(s, TREE_FETCH, R600_VFETCH);
    s->list->last->id = has_cache ? R600_VTX : R600_TEX;
    v->inst.f[R600_F_resource] = resource;
    v->inst.f[R600_F_fetch_type] = NO_INDEX;
    v->inst.f[R600_F_const_fields] = 1;
    if (s->p->chip->gen < R600_GEN_CM) {
        v->inst.f[R600_F_mega_fetch] = 1;
        v->inst.f[R600_F_mega_count] = 15;
    }
    v->src[0] = index;
    set_results(s, v, out);
    if (s->p->chip->gen < R600_GEN_EG)
        mask_texel(s, resource, out);
}

void
r600_sel_tex_size(r600_sel *s, uint32_t resource, tree_operand level, tree_operand out[4])
{
    r600_sel_tex(s, R600_GET_TEXTURE_RESINFO, resource, out)->src[0] = level;
}

/* ---- loads and stores ---- */

/* x, y and z of the index; those that the image does not have are 0. */
static void
get_index(r600_sel *s, const ir_instr *i, tree_operand out[3])
{
    const unsigned dim = ir_attr_get(i, IR_A_IMAGE_DIM), axes = r600_sel_axes(dim);
    const bool has_layer = ir_attr_get(i, IR_A_IMAGE_ARRAY) || dim == IR_DIM_cube;
    for (unsigned c = 0; c < 3; c++)
        out[c] = c < axes ? r600_sel_part(s, i->refs[1], c) : r600_tree_const(0);
    if (has_layer)
        out[2] = r600_sel_part(s, i->refs[1], axes);
}

/* A RAT whose components that the image lacks are not there. */
static void
trim_index(const ir_instr *i, tree_operand index[3])
{
    const unsigned dim = ir_attr_get(i, IR_A_IMAGE_DIM);
    if (r600_sel_axes(dim) < 2)
        index[1] = (tree_operand){0};
    if (dim != IR_DIM_3D && dim != IR_DIM_cube && !ir_attr_get(i, IR_A_IMAGE_ARRAY))
        index[2] = (tree_operand){0};
}

static void
load(r600_sel *s, const ir_instr *i)
{
    tree_operand index[3], out[4];
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    const uint32_t number = r600_sel_bound_as(s, i->refs[0], R600_BOUND_IMAGE)->number;
    const bool is_aliased = ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_ALIASED;
    get_index(s, i, index);
    r600_sel_wait(s, is_aliased ? UINT32_MAX : UINT32_C(1) << number);
    if (ir_attr_get(i, IR_A_IMAGE_DIM) == IR_DIM_buf) {
        r600_sel_texel(s, R600_RESOURCE_IMAGE + number, index[0], out);
    } else {
        tree_vector *v = r600_sel_tex(s, R600_LD, R600_RESOURCE_IMAGE + number, out);
        for (unsigned c = 0; c < 3; c++)
            v->src[c] = index[c];
        if (ir_is_value(i->refs[2]))
            v->src[3] = r600_sel_get(s, i->refs[2]);
    }
    for (unsigned k = 0; k < n && k < 4; k++)
        r600_sel_def(s, i)[k] = out[k];
}

static void
check_samples(const r600_sel *s, const ir_instr *i)
{
    uint64_t sample = 0;
    if (ir_is_value(i->refs[2]) && (!ir_is_const(s->hir, i->refs[2], &sample) || sample))
        r600_sel_lacks(s, "stores to samples");
}

static void
store(r600_sel *s, const ir_instr *i)
{
    tree_operand index[3];
    r600_bound *b = r600_sel_bound_as(s, i->refs[0], R600_BOUND_IMAGE);
    const unsigned n = r600_sel_parts(s, i->refs[3]);
    check_samples(s, i);
    b->is_stored = true;
    get_index(s, i, index);
    trim_index(i, index);
    tree_vector *v = r600_sel_rat(s, b->number, STORE_TYPED, index[0]);
    v->index[1] = index[1];
    v->index[2] = index[2];
    v->inst.f[R600_F_comp_mask] = 15;
    for (unsigned c = 0; c < 4; c++) {
        v->src[c] = c < n ? r600_sel_part(s, i->refs[3], c) : r600_tree_const(0);
        v->src[c] = v->src[c].kind == TREE_UNDEF ? r600_tree_const(0) : v->src[c];
    }
}

static void
atomic(r600_sel *s, const ir_instr *i)
{
    tree_operand index[3];
    r600_bound *b = r600_sel_bound_as(s, i->refs[0], R600_BOUND_IMAGE);
    check_samples(s, i);
    b->is_stored = true;
    get_index(s, i, index);
    trim_index(i, index);
    r600_sel_atomic(s, i, b->number, index);
}

/* ---- queries ---- */

/* The texture behind a handle. */
static uint32_t
queried(r600_sel *s, const ir_instr *i)
{
    const ir_instr *def = s->hir->values[i->refs[0].id].def;
    const ir_desc_type type = def && def->op == IR_vulkan_resource_index
                                  ? ir_attr_get(def, IR_A_DESC_TYPE)
                                  : IR_DESC_sampled_image;
    const bool is_image = type == IR_DESC_storage_image || type == IR_DESC_storage_texel_buffer;
    const r600_bound *b = r600_sel_bound_as(s, i->refs[0],
                                            is_image ? R600_BOUND_IMAGE : R600_BOUND_TEXTURE);
    return b->number + (is_image ? R600_RESOURCE_IMAGE : R600_RESOURCE_TEXTURE);
}

/* The hardware does not say how many cubes there are: a constant does (as in Mesa). */
static void
size(r600_sel *s, const ir_instr *i)
{
    const unsigned dim = ir_attr_get(i, IR_A_IMAGE_DIM);
    const bool is_array = ir_attr_get(i, IR_A_IMAGE_ARRAY);
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    tree_operand sizes[4], *out = r600_sel_def(s, i);
    if (dim == IR_DIM_buf && s->p->chip->gen < R600_GEN_EG) {
        sizes[0] = texels_constant(s, queried(s, i), R600_TEXELS_COUNT);
    } else if (dim == IR_DIM_buf) {
        tree_vector *v = r600_sel_vector(s, TREE_FETCH, R600_GET_BUFFER_RESINFO);
        s->list->last->id = s->p->chip->properties & R600_NO_VTX_CACHE ? R600_TEX : R600_VTX;
        v->inst.f[R600_F_resource] = queried(s, i);
        v->src[0] = r600_tree_const(0);
        set_results(s, v, sizes);
    } else {
        const bool has_level = ir_is_value(i->refs[1]);
        r600_sel_tex_size(s, queried(s, i),
                          has_level ? r600_sel_get(s, i->refs[1]) : r600_tree_const(0), sizes);
    }
    if (is_array && dim == IR_DIM_cube)
        sizes[2] = texels_constant(s, queried(s, i), R600_TEXELS_COUNT);
    for (unsigned k = 0; k < n; k++)
        out[k] = sizes[is_array && k + 1 == n ? 2 : k];
}

static void
query(r600_sel *s, const ir_instr *i, unsigned op)
{
    tree_operand out[4];
    r600_sel_tex(s, op, queried(s, i), out);
    *r600_sel_def(s, i) = out[3];
}

/* Numbers of other sizes than 32 bits, and what the hardware does not have. */
static void
check(const r600_sel *s, const ir_instr *i)
{
    const bool is_store = i->op == IR_image_store;
    const unsigned bits = is_store ? r600_sel_bits(s, i->refs[3])
                                   : ir_type_bits(s->hir->values[i->defs[0].id].type);
    if (bits != 32)
        r600_sel_lacks(s, bits == 64 ? "texels of 64 bits" : "images of 16-bit numbers");
}

/* No image of these chips can lack memory: the code behind the texel says that all of it is there.
 */
static void
set_residency(r600_sel *s, const ir_instr *i)
{
    if (!ir_attr_has(i, IR_A_ACCESS) || !(ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_RESIDENCY))
        return;
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    r600_sel_def(s, i)[n - 1] = r600_tree_const(0);
}

static bool
select_one(r600_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_image_load: load(s, i); return true;
    case IR_image_store: store(s, i); return true;
    case IR_image_atomic:
    case IR_image_atomic_swap: atomic(s, i); return true;
    case IR_image_size: size(s, i); return true;
    case IR_image_samples: query(s, i, R600_GET_NUMBER_OF_SAMPLES); return true;
    case IR_image_levels: query(s, i, R600_GET_TEXTURE_RESINFO); return true;
    case IR_tex: r600_select_tex(s, i); return true;
    default: return false;
    }
}

bool
r600_select_image(r600_sel *s, const ir_instr *i)
{
    if (i->op < IR_image_load || i->op > IR_tex)
        return false;
    check(s, i);
    const bool is_known = select_one(s, i);
    if (is_known)
        set_residency(s, i);
    return is_known;
}
