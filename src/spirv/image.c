/* Images: sampling, fetching, gathering (`tex`), storage access, and queries.
 *
 * The value of an image or sampler is the handle of its descriptor; a sampled image has both
 * handles. Access flags (coherent, non-uniform ...) are set on the id when the descriptor is
 * loaded.
 */
#include "spirv/reader.h"

#include <assert.h>

/* ---- operands ---- */

typedef struct image {
    const spirv_type *type;
    ir_ref handle, sampler;
    uint32_t access;
} image;

/* The image, or sampled image, in word `k`. */
static image
image_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    const spirv_type *t = spirv_operand_type(r, i, k);
    const spirv_id *id = spirv_ref(r, i, k);
    bool sampled = t->kind == SPIRV_SAMPLED_IMAGE;
    if (t->kind != SPIRV_IMAGE && !sampled)
        spirv_invalid(r, "operand %u is not an image", k);
    const ir_ref *leaf = spirv_operand(r, i, k);
    image m = {.type = sampled ? t->elem : t,
               .handle = leaf[0],
               .sampler = sampled ? leaf[1] : ir_none(),
               .access = id->access | (id->non_uniform ? IR_ACCESS_NON_UNIFORM : 0u)};
    if (m.type->dim == IR_DIM_subpass && r->opt->stage != IR_STAGE_FRAGMENT)
        spirv_invalid(r, "subpass images are for fragment shaders");
    return m;
}

/* The number of coordinate components without the layer. */
static unsigned
dimensions(const spirv_type *t)
{
    switch (t->dim) {
    case IR_DIM_1D:
    case IR_DIM_buf: return 1;
    case IR_DIM_3D:
    case IR_DIM_cube: return 3;
    default: return 2;
    }
}

/* Copies `n` components of a coordinate or another operand, which instructions take as 32 bits:
 * floats of 16 bits are widened. */
static void
copy_components(spirv_reader *r, const ir_ref *from, const spirv_type *scalar, unsigned n,
                ir_ref *out)
{
    bool half = scalar->kind == SPIRV_FLOAT && scalar->bits == 16;
    if (scalar->bits != 32 && !half)
        spirv_unsupported(r, "coordinates and image operands of %u bits", scalar->bits);
    for (unsigned c = 0; c < n; c++)
        out[c] = half ? ir_build_alu(&r->b, IR_f2f, IR_I32, from[c], ir_none(), ir_none())
                      : from[c];
}

/* The first `n` components (one more if there are layers) of the coordinate in word `k`. */
static unsigned
coordinate(spirv_reader *r, const spirv_insn *i, unsigned k, spirv_kind kind, unsigned n,
           ir_ref out[5])
{
    const spirv_type *t = spirv_operand_type(r, i, k), *c = spirv_scalar_of(t);
    if (!c || c->kind != kind || t->leaves < n)
        spirv_invalid(r, "the coordinate has a type that the instruction does not take");
    copy_components(r, spirv_operand(r, i, k), c, t->leaves, out);
    return t->leaves;
}

/* Makes one value from the first `n` components of word `k`, 32 bits each. */
static ir_ref
vector_operand(spirv_reader *r, const spirv_insn *i, unsigned k, spirv_kind kind, unsigned n)
{
    const spirv_type *t = spirv_operand_type(r, i, k), *c = spirv_scalar_of(t);
    if (!c || c->kind != kind || t->leaves < n || (n == 1 && t->leaves > 1))
        spirv_invalid(r, "image operand in word %u has a type that it may not have", k);
    ir_ref comps[IR_MAX_COMPS];
    copy_components(r, spirv_operand(r, i, k), c, n, comps);
    return ir_build_vec(&r->b, comps, n);
}

static ir_ref
scalar_operand(spirv_reader *r, const spirv_insn *i, unsigned k, spirv_kind kind)
{
    return vector_operand(r, i, k, kind, 1);
}

/* The image operands (SPIR-V 1.6, 3.14) from word `k` on. */
typedef struct operands {
    uint32_t mask, access;
    ir_ref bias, lod, ddx, ddy, offset, sample, min_lod;
    const ir_ref *offsets; /* ConstOffsets: four pairs */
} operands;

static const ir_ref *
four_offsets(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    const spirv_type *t = spirv_operand_type(r, i, k);
    if (t->kind != SPIRV_ARRAY || t->leaves != 8 || spirv_leaf_type(r, t, 0) != IR_I32)
        spirv_invalid(r, "the offsets are not an array of four pairs");
    return spirv_operand(r, i, k);
}

static void
check_known(spirv_reader *r, uint32_t mask)
{
    uint32_t known = 0x7fff | SPIRV_IMAGE_OFFSETS;
    if (mask & ~known)
        spirv_unsupported(r, "image operands 0x%x", mask & ~known);
}

static operands
read_operands(spirv_reader *r, const spirv_insn *i, unsigned k, const image *m, bool fetch)
{
    operands o = {.bias = ir_none(),
                  .lod = ir_none(),
                  .ddx = ir_none(),
                  .ddy = ir_none(),
                  .offset = ir_none(),
                  .sample = ir_none(),
                  .min_lod = ir_none()};
    spirv_kind lod_kind = fetch ? SPIRV_INT : SPIRV_FLOAT;
    unsigned n = dimensions(m->type);
    o.mask = k < i->n ? i->w[k++] : 0;
    check_known(r, o.mask);
    if (o.mask & SPIRV_IMAGE_BIAS)
        o.bias = scalar_operand(r, i, k++, SPIRV_FLOAT);
    if (o.mask & SPIRV_IMAGE_LOD)
        o.lod = scalar_operand(r, i, k++, lod_kind);
    if (o.mask & SPIRV_IMAGE_GRAD) {
        o.ddx = vector_operand(r, i, k++, SPIRV_FLOAT, n);
        o.ddy = vector_operand(r, i, k++, SPIRV_FLOAT, n);
    }
    if (o.mask & (SPIRV_IMAGE_CONST_OFFSET | SPIRV_IMAGE_OFFSET))
        o.offset = vector_operand(r, i, k++, SPIRV_INT, n);
    if (o.mask & SPIRV_IMAGE_CONST_OFFSETS)
        o.offsets = four_offsets(r, i, k++);
    if (o.mask & SPIRV_IMAGE_SAMPLE)
        o.sample = scalar_operand(r, i, k++, SPIRV_INT);
    if (o.mask & SPIRV_IMAGE_MIN_LOD)
        o.min_lod = scalar_operand(r, i, k++, SPIRV_FLOAT);
    for (uint32_t bit = SPIRV_IMAGE_MAKE_AVAILABLE; bit <= SPIRV_IMAGE_MAKE_VISIBLE; bit *= 2) {
        if (!(o.mask & bit))
            continue;
        o.access |= IR_ACCESS_COHERENT;
        spirv_const_word(r, i, k++);
    }
    if (o.mask & SPIRV_IMAGE_VOLATILE)
        o.access |= IR_ACCESS_VOLATILE;
    if (o.mask & SPIRV_IMAGE_NONTEMPORAL)
        o.access |= IR_ACCESS_NON_TEMPORAL;
    if (o.mask & SPIRV_IMAGE_OFFSETS)
        o.offsets = four_offsets(r, i, k++);
    return o;
}

/* ---- sparse instructions ---- */

/* They are what the others are, and also tell whether memory was behind all texels: the result is
 * a struct of a residency code and the texel. */
static bool
is_sparse(const spirv_insn *i)
{
    return (i->op >= SPIRV_OpImageSparseSampleImplicitLod &&
            i->op <= SPIRV_OpImageSparseDrefGather) ||
           i->op == SPIRV_OpImageSparseRead;
}

/* The opcode without residency. */
static unsigned
plain_op(const spirv_insn *i)
{
    static_assert(SPIRV_OpImageSparseDrefGather - SPIRV_OpImageSparseSampleImplicitLod ==
                      SPIRV_OpImageDrefGather - SPIRV_OpImageSampleImplicitLod,
                  "both have the same order");
    if (i->op == SPIRV_OpImageSparseRead)
        return SPIRV_OpImageRead;
    return is_sparse(i)
               ? i->op - SPIRV_OpImageSparseSampleImplicitLod + SPIRV_OpImageSampleImplicitLod
               : i->op;
}

static const spirv_type *
texel_type(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1);
    if (!is_sparse(i))
        return t;
    if (t->kind != SPIRV_STRUCT || t->count != 2 || t->members[0].type->kind != SPIRV_INT ||
        t->members[0].type->bits != 32)
        spirv_invalid(r, "the result is not a struct of a residency code and a texel");
    const spirv_type *texel = t->members[1].type, *c = spirv_scalar_of(texel);
    if (c && c->bits == 16)
        spirv_unsupported(r, "sparse texels of 16 bits");
    return texel;
}

/* The residency code of `v`: its last component, 0 where all texels are resident. */
static ir_ref
residency(spirv_reader *r, ir_ref v)
{
    ir_type t = r->f->values[v.id].type;
    ir_ref code = ir_comp(v, ir_type_comps(t) - 1);
    return ir_type_bits(t) == 32 ? code
                                 : ir_build_alu(&r->b, IR_u2u, IR_I32, code, ir_none(), ir_none());
}

static void
emit_resident(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_operand_type(r, i, 3);
    if (t->kind != SPIRV_INT || t->bits != 32 || spirv_type_ref(r, i, 1)->kind != SPIRV_BOOL)
        spirv_invalid(r, "the operand is not a residency code, or the result not a boolean");
    spirv_define_scalar(r, i, irb_ieq(&r->b, *spirv_operand(r, i, 3), spirv_imm(r, 32, 0)));
}

/* ---- tex ---- */

typedef struct sampling {
    ir_tex_op op;
    bool proj, dref, gather;
} sampling;

static sampling
sampling_of(unsigned op)
{
    switch (op) {
    case SPIRV_OpImageSampleImplicitLod: return (sampling){IR_TEX_tex, false, false, false};
    case SPIRV_OpImageSampleExplicitLod: return (sampling){IR_TEX_txl, false, false, false};
    case SPIRV_OpImageSampleDrefImplicitLod: return (sampling){IR_TEX_tex, false, true, false};
    case SPIRV_OpImageSampleDrefExplicitLod: return (sampling){IR_TEX_txl, false, true, false};
    case SPIRV_OpImageSampleProjImplicitLod: return (sampling){IR_TEX_tex, true, false, false};
    case SPIRV_OpImageSampleProjExplicitLod: return (sampling){IR_TEX_txl, true, false, false};
    case SPIRV_OpImageSampleProjDrefImplicitLod: return (sampling){IR_TEX_tex, true, true, false};
    case SPIRV_OpImageSampleProjDrefExplicitLod: return (sampling){IR_TEX_txl, true, true, false};
    case SPIRV_OpImageGather: return (sampling){IR_TEX_tg4, false, false, true};
    default: return (sampling){IR_TEX_tg4, false, true, true};
    }
}

/* Builds one `tex` with the references; it has `n` components of the result's type, and of a sparse
 * instruction the residency code behind them. */
static ir_ref
build_tex(spirv_reader *r, const spirv_insn *i, const image *m, ir_tex_op op, const ir_ref *refs,
          unsigned n)
{
    const spirv_type *c = spirv_scalar_of(texel_type(r, i));
    bool sparse = is_sparse(i);
    ir_type type = IR_TYPE(c->bits, n + sparse);
    ir_ref v = ir_build_intr(&r->b, IR_tex, type, refs, IR_TEX_N_REFS);
    ir_instr *t = ir_built(&r->b);
    ir_attr_set(t, IR_A_TEX_OP, op);
    ir_attr_set(t, IR_A_IMAGE_DIM, m->type->dim);
    ir_attr_set(t, IR_A_IMAGE_ARRAY, m->type->arrayed);
    ir_attr_set(t, IR_A_TEX_TYPE, spirv_base_type(c));
    ir_attr_set(t, IR_A_ACCESS,
                (m->access & IR_ACCESS_NON_UNIFORM) | (sparse ? IR_ACCESS_RESIDENCY : 0u));
    return v;
}

static void
no_refs(ir_ref refs[IR_TEX_N_REFS])
{
    for (unsigned k = 0; k < IR_TEX_N_REFS; k++)
        refs[k] = ir_none();
}

/* Defines the result from the components of vector `v`. */
static void
define_components(spirv_reader *r, const spirv_insn *i, ir_ref v)
{
    const spirv_type *t = texel_type(r, i);
    bool sparse = is_sparse(i);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves + sparse);
    if (sparse)
        leaf[0] = residency(r, v);
    for (unsigned c = 0; c < t->leaves; c++)
        leaf[c + sparse] = ir_comp(v, c);
    spirv_define(r, i, leaf);
}

static unsigned
check_result(spirv_reader *r, const spirv_insn *i, const spirv_type *m, unsigned most)
{
    const spirv_type *t = texel_type(r, i), *c = spirv_scalar_of(t);
    if (!c || c->kind == SPIRV_BOOL || t->leaves > most ||
        (m->elem->kind != SPIRV_VOID && c->kind != m->elem->kind))
        spirv_invalid(r, "the result is not of a type that the image gives");
    return t->leaves;
}

/* Gathers four times: with ConstOffsets, each result is texel (i0, j0) of one gather, which is
 * component w. */
static void
gather_offsets(spirv_reader *r, const spirv_insn *i, const image *m, ir_ref *refs,
               const ir_ref *offsets, uint32_t component)
{
    bool sparse = is_sparse(i);
    ir_ref *leaf = spirv_new_leaves(r, 4 + sparse);
    for (unsigned k = 0; k < 4; k++) {
        refs[IR_TEX_OFFSET] = ir_build_vec(&r->b, offsets + 2 * k, 2);
        ir_ref v = build_tex(r, i, m, IR_TEX_tg4, refs, 4);
        ir_attr_set(ir_built(&r->b), IR_A_COMPONENT, component);
        leaf[k + sparse] = ir_comp(v, 3);
        if (sparse)
            leaf[0] = k ? irb_ior(&r->b, leaf[0], residency(r, v)) : residency(r, v);
    }
    spirv_define(r, i, leaf);
}

/* Stores coordinate and reference value in `refs`, after dividing projected ones. */
static void
sample_coordinate(spirv_reader *r, const spirv_insn *i, const image *m, sampling s, ir_ref *refs)
{
    ir_ref c[5];
    unsigned n = dimensions(m->type) + (m->type->arrayed && !s.proj);
    coordinate(r, i, 4, SPIRV_FLOAT, n + s.proj, c);
    for (unsigned k = 0; k < n && s.proj; k++)
        c[k] = irb_fdiv(&r->b, c[k], c[n]);
    refs[IR_TEX_COORD] = ir_build_vec(&r->b, c, n);
    if (!s.dref)
        return;
    refs[IR_TEX_DREF] = scalar_operand(r, i, 5, SPIRV_FLOAT);
    if (s.proj)
        refs[IR_TEX_DREF] = irb_fdiv(&r->b, refs[IR_TEX_DREF], c[n]);
}

static void
emit_sample(spirv_reader *r, const spirv_insn *i)
{
    sampling s = sampling_of(plain_op(i));
    image m = image_operand(r, i, 3);
    ir_ref refs[IR_TEX_N_REFS];
    uint32_t component = 0;
    if (!ir_is_value(m.sampler) || m.type->dim == IR_DIM_buf || m.type->dim == IR_DIM_ms)
        spirv_invalid(r, "the operand is not a sampled image that can be sampled");
    no_refs(refs);
    sample_coordinate(r, i, &m, s, refs);
    if (s.gather && !s.dref)
        component = (uint32_t)spirv_const_word(r, i, 5) & 3;
    operands o = read_operands(r, i, s.dref || s.gather ? 6 : 5, &m, false);
    refs[IR_TEX_IMAGE] = m.handle;
    refs[IR_TEX_SAMPLER] = m.sampler;
    refs[IR_TEX_LOD] = ir_is_value(o.lod) ? o.lod : o.bias;
    refs[IR_TEX_DDX] = o.ddx;
    refs[IR_TEX_DDY] = o.ddy;
    refs[IR_TEX_OFFSET] = o.offset;
    refs[IR_TEX_MIN_LOD] = o.min_lod;
    ir_tex_op op = s.gather              ? IR_TEX_tg4
                   : ir_is_value(o.ddx)  ? IR_TEX_txd
                   : ir_is_value(o.lod)  ? IR_TEX_txl
                   : ir_is_value(o.bias) ? IR_TEX_txb
                                         : IR_TEX_tex;
    if (s.op == IR_TEX_txl && op != IR_TEX_txl && op != IR_TEX_txd)
        spirv_invalid(r, "an explicit-lod instruction without Lod or Grad");
    bool scalar = s.dref && !s.gather;
    if (check_result(r, i, m.type, scalar ? 1 : 4) != (scalar ? 1u : 4u))
        spirv_invalid(r, "the result has the wrong number of components");
    if (o.offsets) {
        gather_offsets(r, i, &m, refs, o.offsets, component);
        return;
    }
    ir_ref v = build_tex(r, i, &m, op, refs, scalar ? 1 : 4);
    ir_attr_set(ir_built(&r->b), IR_A_COMPONENT, component);
    define_components(r, i, v);
}

static void
emit_fetch(spirv_reader *r, const spirv_insn *i)
{
    image m = image_operand(r, i, 3);
    operands o = read_operands(r, i, 5, &m, true);
    ir_ref refs[IR_TEX_N_REFS], c[5];
    unsigned n = dimensions(m.type) + m.type->arrayed;
    bool ms = m.type->multisampled, plain = m.type->dim == IR_DIM_buf || m.type->dim == IR_DIM_rect;
    if (m.type->sampled == 2)
        spirv_invalid(r, "OpImageFetch of a storage image");
    no_refs(refs);
    coordinate(r, i, 4, SPIRV_INT, n, c);
    refs[IR_TEX_IMAGE] = m.handle;
    refs[IR_TEX_COORD] = ir_build_vec(&r->b, c, n);
    refs[IR_TEX_OFFSET] = o.offset;
    if (ms)
        refs[IR_TEX_SAMPLE] = ir_is_value(o.sample) ? o.sample : spirv_imm(r, 32, 0);
    else if (!plain)
        refs[IR_TEX_LOD] = ir_is_value(o.lod) ? o.lod : spirv_imm(r, 32, 0);
    check_result(r, i, m.type, 4);
    define_components(r, i, build_tex(r, i, &m, ms ? IR_TEX_txf_ms : IR_TEX_txf, refs, 4));
}

/* ---- storage ---- */

static void
set_storage(spirv_reader *r, const image *m, uint32_t access)
{
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_IMAGE_DIM, m->type->dim);
    ir_attr_set(i, IR_A_IMAGE_ARRAY, m->type->arrayed);
    ir_attr_set(i, IR_A_FORMAT, m->type->format);
    ir_attr_set(i, IR_A_ACCESS, m->access | access);
}

static image
storage_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    image m = image_operand(r, i, k);
    if (m.type->sampled != 2)
        spirv_invalid(r, "the operand is not a storage image");
    return m;
}

/* Sets handle, coordinate and sample of a storage access whose coordinate is in word `k`. */
static void
storage_refs(spirv_reader *r, const spirv_insn *i, unsigned k, const image *m, const operands *o,
             ir_ref refs[3])
{
    ir_ref c[5];
    unsigned n = dimensions(m->type) + (m->type->arrayed && m->type->dim != IR_DIM_cube);
    coordinate(r, i, k, SPIRV_INT, n, c);
    if (ir_is_value(o->lod))
        spirv_unsupported(r, "storage images with a level of detail");
    if (m->type->multisampled && !ir_is_value(o->sample))
        spirv_invalid(r, "a multisampled image is accessed without Sample");
    refs[0] = m->handle;
    refs[1] = ir_build_vec(&r->b, c, n);
    refs[2] = m->type->multisampled ? o->sample : ir_none();
}

/* Of a subpass image: the texel at the fragment's place, moved by the coordinate. */
static void
emit_read_subpass(spirv_reader *r, const spirv_insn *i, const image *m)
{
    operands o = read_operands(r, i, 5, m, true);
    bool ms = m->type->multisampled;
    ir_ref refs[IR_TEX_N_REFS], c[5];
    no_refs(refs);
    coordinate(r, i, 4, SPIRV_INT, 2, c);
    refs[IR_TEX_IMAGE] = m->handle;
    refs[IR_TEX_COORD] = ir_build_vec(&r->b, c, 2);
    if (ms)
        refs[IR_TEX_SAMPLE] = ir_is_value(o.sample) ? o.sample : spirv_imm(r, 32, 0);
    check_result(r, i, m->type, 4);
    define_components(r, i, build_tex(r, i, m, ms ? IR_TEX_txf_ms : IR_TEX_txf, refs, 4));
}

static void
emit_read(spirv_reader *r, const spirv_insn *i)
{
    image m = storage_operand(r, i, 3);
    if (m.type->dim == IR_DIM_subpass) {
        emit_read_subpass(r, i, &m);
        return;
    }
    operands o = read_operands(r, i, 5, &m, true);
    ir_ref refs[3];
    storage_refs(r, i, 4, &m, &o, refs);
    check_result(r, i, m.type, 4);
    bool sparse = is_sparse(i);
    ir_type type = IR_TYPE(texel_type(r, i)->bits, 4 + sparse);
    ir_ref v = ir_build_intr(&r->b, IR_image_load, type, refs, 3);
    set_storage(r, &m, o.access | (sparse ? IR_ACCESS_RESIDENCY : 0u));
    define_components(r, i, v);
}

static void
emit_write(spirv_reader *r, const spirv_insn *i)
{
    image m = storage_operand(r, i, 1);
    operands o = read_operands(r, i, 4, &m, true);
    const spirv_type *t = spirv_operand_type(r, i, 3), *c = spirv_scalar_of(t);
    ir_ref refs[4], texel[4];
    if (!c || c->kind == SPIRV_BOOL)
        spirv_invalid(r, "the texel is not a numeric scalar or vector");
    storage_refs(r, i, 2, &m, &o, refs);
    const ir_ref *x = spirv_operand(r, i, 3);
    for (unsigned k = 0; k < 4; k++)
        texel[k] = k < t->leaves ? x[k] : spirv_imm(r, c->bits, 0);
    refs[3] = ir_build_vec(&r->b, texel, 4);
    ir_build_intr(&r->b, IR_image_store, 0, refs, 4);
    set_storage(r, &m, o.access);
}

/* ---- queries ---- */

static void
emit_size(spirv_reader *r, const spirv_insn *i)
{
    image m = image_operand(r, i, 3);
    const spirv_type *t = spirv_type_ref(r, i, 1), *c = spirv_scalar_of(t);
    unsigned n = (m.type->dim == IR_DIM_cube ? 2 : dimensions(m.type)) + m.type->arrayed;
    if (!c || c->kind != SPIRV_INT || c->bits != 32 || t->leaves != n)
        spirv_invalid(r, "the result's type does not fit the image's size");
    ir_ref refs[2] = {m.handle, ir_none()};
    if (i->op == SPIRV_OpImageQuerySizeLod)
        refs[1] = scalar_operand(r, i, 4, SPIRV_INT);
    ir_ref v = ir_build_intr(&r->b, IR_image_size, IR_TYPE(32, n), refs, 2);
    ir_instr *q = ir_built(&r->b);
    ir_attr_set(q, IR_A_IMAGE_DIM, m.type->dim);
    ir_attr_set(q, IR_A_IMAGE_ARRAY, m.type->arrayed);
    ir_attr_set(q, IR_A_ACCESS, m.access);
    define_components(r, i, v);
}

static void
emit_count(spirv_reader *r, const spirv_insn *i)
{
    image m = image_operand(r, i, 3);
    const spirv_type *t = spirv_type_ref(r, i, 1);
    ir_op op = i->op == SPIRV_OpImageQueryLevels ? IR_image_levels : IR_image_samples;
    if (t->kind != SPIRV_INT || t->bits != 32)
        spirv_invalid(r, "the result is not a 32-bit integer");
    ir_ref v = ir_build_intr(&r->b, op, IR_I32, &m.handle, 1);
    ir_instr *q = ir_built(&r->b);
    ir_attr_set(q, IR_A_IMAGE_DIM, m.type->dim);
    ir_attr_set(q, IR_A_IMAGE_ARRAY, m.type->arrayed);
    ir_attr_set(q, IR_A_ACCESS, m.access);
    spirv_define_scalar(r, i, v);
}

static void
emit_query_lod(spirv_reader *r, const spirv_insn *i)
{
    image m = image_operand(r, i, 3);
    const spirv_type *t = spirv_type_ref(r, i, 1);
    ir_ref refs[IR_TEX_N_REFS], c[5];
    if (!ir_is_value(m.sampler) || t->kind != SPIRV_VECTOR || t->count != 2 ||
        t->elem->kind != SPIRV_FLOAT)
        spirv_invalid(r, "the operand is not a sampled image, or the result not a pair of floats");
    no_refs(refs);
    unsigned n = dimensions(m.type);
    coordinate(r, i, 4, SPIRV_FLOAT, n, c);
    refs[IR_TEX_IMAGE] = m.handle;
    refs[IR_TEX_SAMPLER] = m.sampler;
    refs[IR_TEX_COORD] = ir_build_vec(&r->b, c, n);
    define_components(r, i, build_tex(r, i, &m, IR_TEX_lod, refs, 2));
}

/* ---- values ---- */

static void
emit_sampled_image(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1);
    spirv_id *id = spirv_ref(r, i, 2), *m = spirv_ref(r, i, 3), *s = spirv_ref(r, i, 4);
    if (t->kind != SPIRV_SAMPLED_IMAGE || spirv_operand_type(r, i, 3)->kind != SPIRV_IMAGE ||
        spirv_operand_type(r, i, 4)->kind != SPIRV_SAMPLER)
        spirv_invalid(r, "the operands are not an image and a sampler");
    ir_ref *leaf = spirv_new_leaves(r, 2);
    leaf[0] = *spirv_operand(r, i, 3);
    leaf[1] = *spirv_operand(r, i, 4);
    id->access = m->access;
    id->non_uniform |= m->non_uniform || s->non_uniform;
    spirv_define(r, i, leaf);
}

static void
emit_image_of(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_operand_type(r, i, 3);
    spirv_id *id = spirv_ref(r, i, 2), *s = spirv_ref(r, i, 3);
    if (t->kind != SPIRV_SAMPLED_IMAGE || t->elem != spirv_type_ref(r, i, 1))
        spirv_invalid(r, "the operand is not a sampled image of the result type");
    id->access = s->access;
    id->non_uniform |= s->non_uniform;
    spirv_define(r, i, (ir_ref *)spirv_operand(r, i, 3));
}

void
spirv_emit_image(spirv_reader *r, const spirv_insn *i)
{
    switch (plain_op(i)) {
    case SPIRV_OpSampledImage: emit_sampled_image(r, i); break;
    case SPIRV_OpImage: emit_image_of(r, i); break;
    case SPIRV_OpImageFetch: emit_fetch(r, i); break;
    case SPIRV_OpImageRead: emit_read(r, i); break;
    case SPIRV_OpImageWrite: emit_write(r, i); break;
    case SPIRV_OpImageQuerySizeLod:
    case SPIRV_OpImageQuerySize: emit_size(r, i); break;
    case SPIRV_OpImageQueryLod: emit_query_lod(r, i); break;
    case SPIRV_OpImageQueryLevels:
    case SPIRV_OpImageQuerySamples: emit_count(r, i); break;
    case SPIRV_OpImageSparseTexelsResident: emit_resident(r, i); break;
    case SPIRV_OpImageQueryFormat:
    case SPIRV_OpImageQueryOrder: spirv_unsupported(r, "%s", spirv_op_row_of(i->op)->name);
    default: emit_sample(r, i); break;
    }
}
