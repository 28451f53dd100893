/* Textures. Of their operands the first row has coordinates, the reference of a comparison, the
 * layer, the sample, and from its fifth register on the gradients; the second one offsets, then the
 * level or bias. A 1D image has a second coordinate (emit_tex in ir3_compiler_nir.c of Mesa). */
#include "adreno/select/stage.h"

enum { MAX_ROW = 12, ACCEL_ADDRESS = 20 /* word (base/ray.h) */ };

/* Operands in a row. */
typedef struct row {
    ir_ref list[MAX_ROW];
    unsigned n;
} row;

static void
add(row *r, ir_ref a)
{
    r->list[r->n++] = a;
}

/* ---- descriptors ---- */

/* How an instruction says where texture and sampler are. */
typedef struct numbers {
    uint32_t set; /* of the texture */
    adreno_desc_mode mode;
    uint32_t imm;
    ir_ref refs[2]; /* behind the rows: a row of both numbers, the value of a1.x */
    unsigned n;
} numbers;

/* What a1.x holds: the sampler's set, and one of the numbers. */
static ir_ref
address_of(uint32_t number, const adreno_descriptor *samp)
{
    enum { NUMBER_AT = 3 };
    return adreno_full(number << NUMBER_AT | samp->set);
}

/* The numbers are in the instruction, or in registers; with two sets a1.x has the sampler's.
 * Source: get_tex_samp_tex_src in ir3_compiler_nir.c of Mesa. */
static numbers
place_descriptors(adreno_sel *s, const ir_instr *i, const adreno_descriptor *tex,
                  const adreno_descriptor *samp)
{
    enum { MOST_SMALL = 15, MOST = 255 };
    const bool is_known = tex->index.kind == IR_REF_NONE && samp->index.kind == IR_REF_NONE;
    const bool is_one_set = !s->p->target->bindless || tex->set == samp->set;
    const uint32_t larger = tex->number > samp->number ? tex->number : samp->number;
    const bool samplers_in_a1 = s->p->target->samplers_in_a1;
    numbers w = {.set = tex->set, .mode = ADRENO_DESC_BINDLESS_IMM};
    if (!s->p->target->bindless || (is_known && is_one_set && larger <= MOST_SMALL)) {
        w.imm = (samp->number & MOST_SMALL) | tex->number << 4;
        return w;
    }
    if (is_known && !is_one_set && larger <= MOST) {
        w.mode = ADRENO_DESC_BINDLESS_A1_IMM;
        w.imm = samplers_in_a1 ? tex->number : samp->number;
        w.refs[w.n++] = address_of(samplers_in_a1 ? samp->number : tex->number, samp);
        return w;
    }
    const bool differs = ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_NON_UNIFORM || tex->differs ||
                         samp->differs;
    const ir_ref both[2] = {adreno_descriptor_ref(s, tex), adreno_descriptor_ref(s, samp)};
    w.mode = differs ? ADRENO_DESC_BINDLESS_NONUNIFORM : ADRENO_DESC_BINDLESS_UNIFORM;
    w.refs[w.n++] = adreno_join(s, 2, both);
    if (!is_one_set) {
        w.mode = differs ? ADRENO_DESC_BINDLESS_A1_NONUNIFORM : ADRENO_DESC_BINDLESS_A1_UNIFORM;
        w.refs[w.n++] = address_of(0, samp);
    }
    return w;
}

static adreno_descriptor
no_sampler(const adreno_descriptor *tex)
{
    return (adreno_descriptor){.set = tex->set, .index = ir_none()};
}

/* Emits an instruction with these operands before the descriptors. The row of the table with
 * numbers in it stands before the one with bases. */
static ir_ref
emit_texture(adreno_sel *s, unsigned op, unsigned rc, row operands, const numbers *where)
{
    const bool bindless = s->p->target->bindless;
    for (unsigned k = 0; k < where->n; k++)
        add(&operands, where->refs[k]);
    const ir_ref r = adreno_emit(s, bindless ? op : op - 1, rc, operands.n, operands.list);
    ir_words(s->last)[1] = where->imm;
    adreno_mark(s, 2, ADRENO_W_BASE, bindless ? where->set : 0);
    adreno_mark(s, 2, ADRENO_W_MODE, bindless ? where->mode : 0);
    return r;
}

void
adreno_mark_texture(adreno_sel *s, const ir_instr *i, uint32_t mask, unsigned type)
{
    adreno_mark(s, 2, ADRENO_W_MASK, mask);
    adreno_mark(s, 2, ADRENO_W_3D, adreno_dims(ir_attr_get(i, IR_A_IMAGE_DIM)) == 3);
    adreno_mark(s, 2, ADRENO_W_A, ir_attr_get(i, IR_A_IMAGE_ARRAY));
    adreno_mark(s, 0, ADRENO_M_TYPE, type);
}

/* ---- operands ---- */

/* What a texture instruction is made of. */
typedef struct texture {
    const ir_instr *hir;
    unsigned op, dim, dims;
    bool array, shadow, offset;
    row first, second;
} texture;

static bool
has(const ir_instr *i, unsigned r)
{
    return ir_is_value(i->refs[r]);
}

static bool
is_fetch(const texture *t)
{
    const unsigned op = ir_attr_get(t->hir, IR_A_TEX_OP);
    return op == IR_TEX_txf || op == IR_TEX_txf_ms;
}

/* A coordinate; those of an input attachment count from the fragment's place. */
static ir_ref
coordinate(adreno_sel *s, const texture *t, unsigned k)
{
    const ir_ref r = adreno_get_part(s, t->hir->refs[IR_TEX_COORD], k);
    if (t->dim != IR_DIM_subpass)
        return r;
    return adreno_op2(s, ADRENO_ADD_U, adreno_fragment_place(s, k), adreno_in_reg(s, r));
}

static ir_ref
layer_of(adreno_sel *s, const texture *t)
{
    if (t->dim == IR_DIM_subpass)
        return adreno_fragment_layer(s);
    return adreno_get_part(s, t->hir->refs[IR_TEX_COORD], adreno_dims(t->dim));
}

/* A coordinate of isaml, which some chips count in texels of the first level. */
static ir_ref
scaled(adreno_sel *s, const texture *t, ir_ref x)
{
    const ir_instr *i = t->hir;
    if (!s->p->target->first_level_coords || t->op != ADRENO_ISAML_ANY || !has(i, IR_TEX_LOD))
        return x;
    return adreno_op2(s, ADRENO_SHL_B, adreno_in_reg(s, x), adreno_get(s, i->refs[IR_TEX_LOD]));
}

static void
fill_first(adreno_sel *s, texture *t)
{
    const ir_instr *i = t->hir;
    const unsigned coords = adreno_dims(t->dim);
    for (unsigned k = 0; k < coords; k++)
        add(&t->first, scaled(s, t, coordinate(s, t, k)));
    if (coords == 1)
        add(&t->first, is_fetch(t) ? adreno_full(0) : adreno_float(0.5));
    if (t->shadow)
        add(&t->first, adreno_get(s, i->refs[IR_TEX_DREF]));
    if (t->array) {
        ir_ref layer = layer_of(s, t);
        if (!is_fetch(t) && s->p->target->half_layers)
            layer = adreno_op2(s, ADRENO_ADD_F, layer, adreno_float(0.5));
        add(&t->first, layer);
    }
    if (t->op == ADRENO_ISAMM_ANY)
        add(&t->first, adreno_get(s, i->refs[IR_TEX_SAMPLE]));
    if (!has(i, IR_TEX_DDX))
        return;
    while (t->first.n < 4)
        add(&t->first, adreno_full(0));
    for (unsigned d = IR_TEX_DDX; d <= IR_TEX_DDY; d++) {
        for (unsigned k = 0; k < coords; k++)
            add(&t->first, adreno_get_part(s, i->refs[d], k));
        if (coords == 1)
            add(&t->first, adreno_full(0));
    }
}

static void
fill_second(adreno_sel *s, texture *t)
{
    const ir_instr *i = t->hir;
    const unsigned coords = t->dim == IR_DIM_cube ? 2 : adreno_dims(t->dim);
    for (unsigned k = 0; t->offset && k < coords; k++)
        add(&t->second, adreno_get_part(s, i->refs[IR_TEX_OFFSET], k));
    if (t->offset && coords == 1)
        add(&t->second, adreno_full(0));
    if (t->op == ADRENO_ISAML_ANY || t->op == ADRENO_SAML_ANY || t->op == ADRENO_SAMB_ANY)
        add(&t->second, has(i, IR_TEX_LOD) ? adreno_get(s, i->refs[IR_TEX_LOD]) : adreno_full(0));
}

/* isam fetches of level 0; only of turnip's code from a6xx on is that known. */
static bool
fetches_base(const adreno_sel *s, const ir_instr *i)
{
    uint64_t level = 0;
    const bool is_known = !has(i, IR_TEX_LOD) || ir_is_const(s->hir, i->refs[IR_TEX_LOD], &level);
    return ir_attr_get(i, IR_A_IMAGE_DIM) == IR_DIM_buf ||
           (s->p->target->bindless && is_known && level == 0);
}

static unsigned
texture_op(adreno_sel *s, const ir_instr *i)
{
    static const uint16_t gathers[] = {ADRENO_GATHER4R_ANY, ADRENO_GATHER4G_ANY,
                                       ADRENO_GATHER4B_ANY, ADRENO_GATHER4A_ANY};
    switch (ir_attr_get(i, IR_A_TEX_OP)) {
    case IR_TEX_txf: return fetches_base(s, i) ? ADRENO_ISAM_ANY : ADRENO_ISAML_ANY;
    case IR_TEX_txf_ms: return ADRENO_ISAMM_ANY;
    case IR_TEX_lod: return ADRENO_GETLOD_ANY;
    case IR_TEX_tex: /* without derivatives it is level 0 */
        return s->hir->shader.stage == IR_STAGE_FRAGMENT ? ADRENO_SAM_ANY : ADRENO_SAML_ANY;
    case IR_TEX_txl: return ADRENO_SAML_ANY;
    case IR_TEX_txb: return ADRENO_SAMB_ANY;
    case IR_TEX_txd: return ADRENO_SAMGQ_ANY;
    case IR_TEX_tg4: return gathers[ir_attr_get(i, IR_A_COMPONENT) & 3];
    default: adreno_sel_unsupported(s, "this texture operation");
    }
}

static texture
describe(adreno_sel *s, const ir_instr *i)
{
    texture t = {.hir = i,
                 .op = texture_op(s, i),
                 .dim = ir_attr_get(i, IR_A_IMAGE_DIM),
                 .array = ir_attr_get(i, IR_A_IMAGE_ARRAY),
                 .shadow = has(i, IR_TEX_DREF),
                 .offset = has(i, IR_TEX_OFFSET)};
    const adreno_target *target = s->p->target;
    const bool gathers = ir_attr_get(i, IR_A_TEX_OP) == IR_TEX_tg4;
    if (has(i, IR_TEX_MIN_LOD))
        adreno_sel_unsupported(s, "least levels of textures");
    if (t.op == ADRENO_ISAMM_ANY && !target->multisampled)
        adreno_sel_unsupported(s, "textures with samples");
    if (gathers && (ir_attr_get(i, IR_A_COMPONENT) & 3) >= target->gathers)
        adreno_sel_unsupported(s, "gathers of this component");
    if (adreno_ref_bits(s, i->refs[IR_TEX_COORD]) != 32)
        adreno_sel_unsupported(s, "coordinates of 16 bits");
    return t;
}

/* ---- instructions ---- */

/* getlod counts 1/256 of a level. */
static ir_ref
level_of(adreno_sel *s, ir_ref r)
{
    const ir_ref x = adreno_emit_cov(s, ADRENO_S32, ADRENO_F32, ADRENO_F1, r);
    return adreno_op2(s, ADRENO_MUL_F, x, adreno_float(1.0 / 256));
}

void
adreno_select_texture(adreno_sel *s, const ir_instr *i)
{
    texture t = describe(s, i);
    const bool is_lod = t.op == ADRENO_GETLOD_ANY, half = adreno_def_bits(s, i) == 16;
    const unsigned n = is_lod ? 2 : 4;
    const ir_base_type kind = (ir_base_type)ir_attr_get(i, IR_A_TEX_TYPE);
    const adreno_descriptor tex = adreno_find_handle(s, i->refs[IR_TEX_IMAGE]);
    const adreno_descriptor samp = has(i, IR_TEX_SAMPLER)
                                       ? adreno_find_sampler(s, i->refs[IR_TEX_SAMPLER])
                                       : no_sampler(&tex);
    row rows = {.n = 0};
    ir_ref parts[4];
    fill_first(s, &t);
    fill_second(s, &t);
    add(&rows, adreno_join(s, t.first.n, t.first.list));
    if (t.second.n)
        add(&rows, adreno_join(s, t.second.n, t.second.list));
    const numbers where = place_descriptors(s, i, &tex, &samp);
    const ir_ref r = emit_texture(s, t.op, adreno_class(half, n), rows, &where);
    adreno_mark_texture(s, i, (1u << n) - 1, is_lod ? ADRENO_S32 : adreno_type_of(kind, half));
    adreno_mark(s, 2, ADRENO_W_O, t.offset);
    adreno_mark(s, 2, ADRENO_W_S, t.shadow);
    adreno_split(s, r, n, parts);
    for (unsigned k = 0; is_lod && k < n; k++)
        parts[k] = level_of(s, parts[k]);
    for (unsigned k = 0; k < adreno_def_parts(s, i) && k < n; k++)
        adreno_def(s, i)[k] = parts[k];
}

/* ---- queries ---- */

/* An instruction on an image alone, with this operand (NONE: without), for the caller to mark. */
static void
query(adreno_sel *s, const ir_instr *i, unsigned op, ir_ref operand, ir_ref out[4])
{
    const adreno_descriptor d = adreno_find_handle(s, i->refs[0]), none = no_sampler(&d);
    const numbers where = place_descriptors(s, i, &d, &none);
    row operands = {.n = 0};
    if (operand.kind != IR_REF_NONE)
        add(&operands, adreno_in_reg(s, operand));
    adreno_split(s, emit_texture(s, op, adreno_class(false, 4), operands, &where), 4, out);
}

/* getsize: sizes of a level; layers are in w. */
void
adreno_select_texture_size(adreno_sel *s, const ir_instr *i)
{
    const unsigned array = ir_attr_get(i, IR_A_IMAGE_ARRAY);
    const unsigned sizes = adreno_def_parts(s, i) - array;
    const ir_ref level = ir_is_value(i->refs[1]) ? adreno_get(s, i->refs[1]) : adreno_full(0);
    ir_ref parts[4], *out = adreno_def(s, i);
    query(s, i, ADRENO_GETSIZE_ANY, level, parts);
    adreno_mark_texture(s, i, ((1u << sizes) - 1) | array << 3, ADRENO_S32);
    for (unsigned k = 0; k < sizes; k++)
        out[k] = parts[k];
    if (array)
        out[sizes] = adreno_plus(s, parts[3], s->p->target->first_level_coords);
}

/* getinfo: the number of levels is its third component, that of samples the fourth. */
void
adreno_select_info(adreno_sel *s, const ir_instr *i)
{
    const bool levels = i->op == IR_image_levels;
    const unsigned at = levels ? 2 : 3;
    ir_ref parts[4];
    query(s, i, ADRENO_GETINFO_ANY, ir_none(), parts);
    adreno_mark(s, 2, ADRENO_W_MASK, 1u << at);
    adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_S32);
    adreno_set_def(s, i, adreno_plus(s, parts[at], levels && s->p->target->first_level_coords));
}

/* An acceleration structure's own address, from its first record: a buffer of records is fetched by
 * record and word, as in turnip's code. */
void
adreno_select_accel(adreno_sel *s, const ir_instr *i)
{
    if (!s->p->target->ray_intersection)
        adreno_sel_unsupported(s, "ray queries");
    const adreno_descriptor d = adreno_find_handle(s, i->refs[0]), none = no_sampler(&d);
    const numbers where = place_descriptors(s, i, &d, &none);
    for (unsigned k = 0; k < 2; k++) {
        const ir_ref at[2] = {adreno_full(0), adreno_full(ACCEL_ADDRESS + k)};
        row place = {.n = 0};
        add(&place, adreno_join(s, 2, at));
        adreno_def(s, i)[k] = emit_texture(s, ADRENO_ISAM_ANY, ADRENO_F1, place, &where);
        adreno_mark(s, 2, ADRENO_W_MASK, 1);
        adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
    }
}
