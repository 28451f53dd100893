/* Conversions between f32 and f16 become part of image operations.
 *
 *     32x4 %2 = @image_load (...)             16x4 %2 = @image_load (...)
 *     16 %3 = f2f %2.x                  ->    ... %2.x ... %2.y
 *     16 %4 = f2f %2.y
 *
 *     32 %5 = f2f %3                          16x2 %9 = vec %3, %4
 *     32 %6 = f2f %4                    ->    @image_store (..., %9)
 *     32x2 %7 = vec %5, %6
 *     @image_store (..., %7)
 *
 * A result is narrowed if all its uses convert it. Conversions that the shader wants rounded in
 * one way (SPV_KHR_float_controls) stay, because the image unit rounds as it does. Stored
 * components may also be constants that f16 has. Texel buffers are left alone. Two walks. */
#include "opt/narrow_images.h"

#include "base/fp.h"
#include "ir/builder.h"
#include "ir/replace.h"

typedef struct narrow {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    uint32_t *uses; /* by value: uses that do not convert it to 16 bits */
    bool changed;
} narrow;

static bool
is_float_image(const ir_instr *i)
{
    if (ir_attr_get(i, IR_A_IMAGE_DIM) == IR_DIM_buf)
        return false;
    return i->op == IR_tex ? ir_attr_get(i, IR_A_TEX_TYPE) == IR_BASE_float
                           : ir_attr_get(i, IR_A_FORMAT) < IR_FORMAT_r32g32b32a32_sint;
}

static bool
converts(const narrow *n, const ir_instr *i, unsigned from, unsigned to)
{
    return i && i->op == IR_f2f && ir_type_bits(n->f->values[i->defs[0].id].type) == to &&
           ir_type_bits(ir_ref_type(n->f, i->refs[0])) == from;
}

/* ---- loads ---- */

static void
count_uses(narrow *n, const ir_instr *i)
{
    if (converts(n, i, 32, 16))
        return;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]))
            n->uses[i->refs[r].id]++;
    }
}

static void
narrow_load(narrow *n, const ir_instr *i)
{
    ir_value *v = &n->f->values[i->defs[0].id];
    if (n->uses[i->defs[0].id] || ir_type_bits(v->type) != 32 || !is_float_image(i) ||
        ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_RESIDENCY)
        return;
    ir_set_type(n->f, i->defs[0].id, IR_TYPE(16, ir_type_comps(v->type)));
    n->changed = true;
}

/* A conversion of a result that is narrow now. */
static void
drop_conversion(narrow *n, ir_instr *i)
{
    const ir_instr *def = n->f->values[i->refs[0].id].def;
    if (i->op != IR_f2f || (def->op != IR_image_load && def->op != IR_tex) ||
        ir_type_bits(n->f->values[def->defs[0].id].type) != 16 ||
        ir_type_bits(n->f->values[i->defs[0].id].type) != 16)
        return;
    ir_replace_add(&n->map, i->defs[0].id, i->refs[0]);
    ir_remove(i);
}

/* ---- stores ---- */

/* The f16 whose value `r`, an f32, is, or none. */
static ir_ref
narrow_component(narrow *n, ir_ref r)
{
    const ir_instr *def = n->f->values[r.id].def;
    uint64_t c;
    if (converts(n, def, 16, 32))
        return def->refs[0];
    if (!ir_is_const(n->f, r, &c))
        return ir_none();
    double value = base_fp_decode(c, 32);
    uint64_t half = base_fp_encode(value, 16, BASE_ROUND_EVEN);
    bool same = base_fp_encode(base_fp_decode(half, 16), 32, BASE_ROUND_EVEN) == c;
    return same ? ir_build_imm(&n->b, 16, half) : ir_none();
}

static void
narrow_store(narrow *n, ir_instr *i)
{
    enum { VALUE = 3 };
    const ir_instr *vec = n->f->values[i->refs[VALUE].id].def;
    bool any = false, divergent = false;
    if (!is_float_image(i) || vec->op != IR_vec || i->refs[VALUE].comp != IR_WHOLE ||
        ir_type_bits(n->f->values[vec->defs[0].id].type) != 32)
        return;
    ir_ref comps[IR_MAX_COMPS];
    for (unsigned c = 0; c < vec->n_refs; c++) {
        comps[c] = narrow_component(n, vec->refs[c]);
        if (!ir_is_value(comps[c]))
            return;
        any |= !ir_is_const(n->f, comps[c], NULL);
        divergent |= n->f->values[comps[c].id].divergent;
    }
    if (!any)
        return;
    ir_instr *halves = ir_new_instr(n->f, IR_vec, 1, vec->n_refs);
    for (unsigned c = 0; c < vec->n_refs; c++)
        halves->refs[c] = comps[c];
    halves->loc = i->loc;
    i->refs[VALUE] = ir_define(n->f, halves, 0, IR_TYPE(16, vec->n_refs));
    n->f->values[halves->defs[0].id].divergent = divergent;
    ir_insert_before(i, halves);
    n->changed = true;
}

/* ---- the walks ---- */

static void
visit(narrow *n, ir_instr *i)
{
    ir_replace_in(&n->map, i);
    if (i->op == IR_image_load || i->op == IR_tex)
        narrow_load(n, i);
    else if (i->op == IR_image_store)
        narrow_store(n, i);
    else if (i->op == IR_f2f)
        drop_conversion(n, i);
}

bool
opt_narrow_images(ir_fn *f)
{
    bool images = ir_made_op(f, IR_image_load) || ir_made_op(f, IR_image_store) ||
                  ir_made_op(f, IR_tex);
    if (!images || !ir_made_bits(f, 16) || !ir_made_op(f, IR_f2f) ||
        (f->shader.fp.round_even | f->shader.fp.round_zero | f->shader.fp.denorm_preserve |
         f->shader.fp.denorm_flush) &
            1)
        return false;
    arena_mark mark = arena_save(f->ctx->scratch);
    narrow n = {.f = f, .map = {.f = f}};
    n.uses = ARENA_ARRAY(f->ctx->scratch, f->n_values, uint32_t);
    ir_builder_init(&n.b, f);
    IR_FOREACH_INSTR_OF(i, f)
        count_uses(&n, i);
    IR_FOREACH_INSTR_OF(i, f)
        visit(&n, i);
    if (n.map.any)
        ir_replace_all(&n.map);
    arena_release(f->ctx->scratch, mark);
    return n.changed;
}
