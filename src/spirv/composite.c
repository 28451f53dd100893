/* Composites. Leaves are picked, replaced and copied; only dynamic indices need instructions. */
#include "spirv/reader.h"

/* Follows the literal indices from word `k` on. `*leaf` receives the first leaf of the selected
 * part. */
static const spirv_type *
walk_indices(spirv_reader *r, const spirv_insn *i, unsigned k, const spirv_type *t, uint32_t *leaf)
{
    *leaf = 0;
    spirv_check_value_type(r, t);
    for (; k < i->n; k++)
        t = spirv_element(r, t, i->w[k], leaf);
    return t;
}

static void
emit_extract(spirv_reader *r, const spirv_insn *i)
{
    uint32_t at;
    const spirv_type *t = walk_indices(r, i, 4, spirv_operand_type(r, i, 3), &at);
    if (t != spirv_type_ref(r, i, 1))
        spirv_invalid(r, "the result type is not what the indices name");
    spirv_define(r, i, (ir_ref *)spirv_operand(r, i, 3) + at);
}

static void
emit_insert(spirv_reader *r, const spirv_insn *i)
{
    uint32_t at;
    const spirv_type *whole = spirv_type_ref(r, i, 1);
    const spirv_type *t = walk_indices(r, i, 5, spirv_operand_type(r, i, 4), &at);
    if (t != spirv_operand_type(r, i, 3) || whole != spirv_operand_type(r, i, 4))
        spirv_invalid(r, "the object's type is not what the indices name");
    ir_ref *leaf = spirv_new_leaves(r, whole->leaves);
    memcpy(leaf, spirv_operand(r, i, 4), whole->leaves * sizeof *leaf);
    memcpy(leaf + at, spirv_operand(r, i, 3), t->leaves * sizeof *leaf);
    spirv_define(r, i, leaf);
}

/* Constituents are the elements; a vector may also be built from vectors that together provide its
 * components. */
static void
emit_construct(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1);
    spirv_check_value_type(r, t);
    if (!spirv_is_composite(t))
        spirv_invalid(r, "the result type is not a composite");
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    uint32_t at = 0;
    for (unsigned k = 3; k < i->n; k++) {
        const spirv_type *s = spirv_operand_type(r, i, k);
        uint32_t unused = 0;
        bool fits = t->kind == SPIRV_VECTOR
                        ? spirv_scalar_of(s) == t->elem
                        : k - 3u < t->count && spirv_element(r, t, k - 3, &unused) == s;
        if (!fits || s->leaves > t->leaves - at)
            spirv_invalid(r, "operand %u does not fit the result type", k);
        memcpy(leaf + at, spirv_operand(r, i, k), s->leaves * sizeof *leaf);
        at += s->leaves;
    }
    if (at != t->leaves || (t->kind != SPIRV_VECTOR && i->n - 3u != t->count))
        spirv_invalid(r, "the operands do not make up the result type");
    spirv_define(r, i, leaf);
}

static void
emit_shuffle(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1);
    const spirv_type *x = spirv_operand_type(r, i, 3), *y = spirv_operand_type(r, i, 4);
    if (t->kind != SPIRV_VECTOR || x->kind != SPIRV_VECTOR || y->kind != SPIRV_VECTOR ||
        x->elem != t->elem || y->elem != t->elem || i->n - 5u != t->count)
        spirv_invalid(r, "the vectors do not fit together");
    const ir_ref *a = spirv_operand(r, i, 3), *b = spirv_operand(r, i, 4);
    ir_ref *leaf = spirv_new_leaves(r, t->count);
    for (unsigned c = 0; c < t->count; c++) {
        uint32_t k = i->w[5 + c];
        if (k == UINT32_MAX)
            leaf[c] = ir_build_undef(&r->b, IR_TYPE(t->bits, 1));
        else if (k < x->count)
            leaf[c] = a[k];
        else if (k - x->count < y->count)
            leaf[c] = b[k - x->count];
        else
            spirv_invalid(r, "component %u is in neither vector", k);
    }
    spirv_define(r, i, leaf);
}

static void
emit_dynamic(spirv_reader *r, const spirv_insn *i)
{
    bool insert = i->op == SPIRV_OpVectorInsertDynamic;
    const spirv_type *v = spirv_operand_type(r, i, 3), *t = spirv_type_ref(r, i, 1);
    unsigned k = insert ? 5 : 4;
    if (v->kind != SPIRV_VECTOR || t != (insert ? v : v->elem) ||
        (insert && spirv_operand_type(r, i, 4) != v->elem))
        spirv_invalid(r, "the operand is not a vector of the result's type");
    ir_ref index = spirv_index(r, spirv_scalar(r, i, k), spirv_operand_type(r, i, k), 32);
    const ir_ref *comps = spirv_operand(r, i, 3);
    if (!insert) {
        spirv_define_scalar(r, i, spirv_choose(r, comps, v->count, index));
        return;
    }
    ir_ref object = spirv_scalar(r, i, 4), *leaf = spirv_new_leaves(r, v->count);
    for (unsigned c = 0; c < v->count; c++) {
        ir_ref here = irb_ieq(&r->b, index, spirv_imm(r, 32, c));
        leaf[c] = irb_bcsel(&r->b, here, object, comps[c]);
    }
    spirv_define(r, i, leaf);
}

static void
emit_copy(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *s = spirv_operand_type(r, i, 3);
    spirv_id *from = spirv_ref(r, i, 3), *to = spirv_ref(r, i, 2);
    if (i->op == SPIRV_OpCopyObject && t != s)
        spirv_invalid(r, "the operand is not of the result type");
    to->non_uniform |= from->non_uniform;
    to->access = from->access;
    if (t->kind == SPIRV_POINTER) {
        spirv_define_ptr(r, i, spirv_pointer(r, from));
        return;
    }
    spirv_check_value_type(r, t);
    bool same = t->leaves == s->leaves;
    for (uint32_t k = 0; same && t != s && k < t->leaves; k++)
        same = spirv_leaf_type(r, t, k) == spirv_leaf_type(r, s, k);
    if (!same)
        spirv_invalid(r, "the operand's type does not match the result type");
    spirv_define(r, i, (ir_ref *)spirv_operand(r, i, 3));
}

static void
emit_undef(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1);
    spirv_check_value_type(r, t);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (uint32_t k = 0; k < t->leaves; k++)
        leaf[k] = ir_build_undef(&r->b, spirv_leaf_type(r, t, k));
    spirv_define(r, i, leaf);
}

/* The condition is one boolean for all leaves, or one per component of a vector. */
static void
emit_select(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1), *c = spirv_operand_type(r, i, 3);
    const spirv_type *cs = spirv_scalar_of(c);
    spirv_check_value_type(r, t);
    if (!cs || cs->kind != SPIRV_BOOL || spirv_operand_type(r, i, 4) != t ||
        spirv_operand_type(r, i, 5) != t ||
        (c->leaves > 1 && (t->kind != SPIRV_VECTOR || t->leaves != c->leaves)))
        spirv_invalid(r, "the condition and the objects do not fit the result type");
    if (spirv_ref(r, i, 4)->non_uniform || spirv_ref(r, i, 5)->non_uniform)
        spirv_ref(r, i, 2)->non_uniform = true;
    const ir_ref *cond = spirv_operand(r, i, 3);
    const ir_ref *a = spirv_operand(r, i, 4), *b = spirv_operand(r, i, 5);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (uint32_t k = 0; k < t->leaves; k++)
        leaf[k] = irb_bcsel(&r->b, cond[c->leaves > 1 ? k : 0], a[k], b[k]);
    spirv_define(r, i, leaf);
}

void
spirv_emit_composite(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpCompositeExtract: emit_extract(r, i); break;
    case SPIRV_OpCompositeInsert: emit_insert(r, i); break;
    case SPIRV_OpCompositeConstruct: emit_construct(r, i); break;
    case SPIRV_OpVectorShuffle: emit_shuffle(r, i); break;
    case SPIRV_OpVectorExtractDynamic:
    case SPIRV_OpVectorInsertDynamic: emit_dynamic(r, i); break;
    case SPIRV_OpUndef: emit_undef(r, i); break;
    case SPIRV_OpSelect: emit_select(r, i); break;
    default: emit_copy(r, i); break;
    }
}
