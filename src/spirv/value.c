/* Values of SPIR-V ids: arrays of leaves, valid at the point of use. */
#include "spirv/reader.h"

ir_ref *
spirv_new_leaves(spirv_reader *r, uint32_t n)
{
    spirv_charge(r, n / 4 + 1);
    return ARENA_ARRAY(r->a, n, ir_ref);
}

/* ---- dominance ---- */

/* SPIR-V's dominance differs from HIR's, because an arm that leaves by a flag rejoins in HIR. A
 * reference may be used directly only if the construct that contains its block is still open. */
static bool
dominates_here(const spirv_reader *r, ir_ref ref)
{
    const ir_instr *def = r->f->values[ref.id].def;
    return def && def->block && r->hir[def->block->index].open;
}

void
spirv_localise(spirv_reader *r, spirv_id *id, ir_ref *refs, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        if (!ir_is_value(refs[k]))
            continue;
        refs[k] = ir_replace_follow(&r->replaced, refs[k]);
        if (dominates_here(r, refs[k]))
            continue;
        if (!id->first_var)
            id->first_var = spirv_ssa_new(r, n, true, NULL);
        uint32_t var = id->first_var + k;
        if (!r->ssa[var].n_writes) {
            r->ssa[var].type = ir_ref_type(r->f, refs[k]);
            spirv_ssa_write_at(r, var, id->block, refs[k]);
        }
        refs[k] = spirv_ssa_read(r, var);
    }
}

/* ---- operands ---- */

/* Constants stand in the function's first block, so the leaves serve everywhere. */
static ir_ref *
constant_leaves(spirv_reader *r, spirv_id *id)
{
    const spirv_type *t = id->type;
    if (id->leaf)
        return id->leaf;
    spirv_check_value_type(r, t);
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    const uint64_t *bits = id->kind == SPIRV_ID_CONST ? spirv_const_leaves(r, id) : NULL;
    for (uint32_t k = 0; k < t->leaves; k++) {
        ir_type type = spirv_leaf_type(r, t, k);
        leaf[k] = bits ? spirv_imm(r, ir_type_bits(type), bits[k]) : ir_build_undef(&r->b, type);
    }
    return id->leaf = leaf;
}

const ir_ref *
spirv_leaves(spirv_reader *r, spirv_id *id)
{
    if (id->kind == SPIRV_ID_CONST || id->kind == SPIRV_ID_UNDEF)
        return constant_leaves(r, id);
    if (id->ptr || id->kind == SPIRV_ID_VAR)
        return spirv_pointer_leaves(r, spirv_pointer(r, id));
    if (id->kind != SPIRV_ID_VALUE || !id->leaf)
        spirv_invalid(r, "id %u is not a value that is defined here", id->number);
    bool here = id->block && r->hir[id->block->index].open;
    if (here)
        return id->leaf;
    ir_ref *leaf = spirv_new_leaves(r, id->type->leaves);
    memcpy(leaf, id->leaf, id->type->leaves * sizeof *leaf);
    spirv_localise(r, id, leaf, id->type->leaves);
    return leaf;
}

const ir_ref *
spirv_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    return spirv_leaves(r, spirv_ref(r, i, k));
}

const spirv_type *
spirv_operand_type(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    const spirv_id *id = spirv_ref(r, i, k);
    bool value = id->kind == SPIRV_ID_VALUE || id->kind == SPIRV_ID_CONST ||
                 id->kind == SPIRV_ID_UNDEF || id->kind == SPIRV_ID_VAR;
    if (!value || !id->type)
        spirv_invalid(r, "operand %u (id %u) is not a value", k, id->number);
    return id->type;
}

ir_ref
spirv_scalar(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    if (!spirv_is_scalar(spirv_operand_type(r, i, k)))
        spirv_invalid(r, "operand %u (id %u) is not a scalar", k, i->w[k]);
    return spirv_operand(r, i, k)[0];
}

/* ---- results ---- */

static spirv_id *
result(spirv_reader *r, const spirv_insn *i)
{
    spirv_id *id = spirv_ref(r, i, 2);
    id->first_var = 0;
    id->block = r->b.block;
    id->leaf = NULL;
    id->ptr = NULL;
    return id;
}

void
spirv_define(spirv_reader *r, const spirv_insn *i, ir_ref *leaf)
{
    result(r, i)->leaf = leaf;
}

void
spirv_define_scalar(spirv_reader *r, const spirv_insn *i, ir_ref leaf)
{
    ir_ref *one = spirv_new_leaves(r, 1);
    *one = leaf;
    spirv_define(r, i, one);
}

void
spirv_define_ptr(spirv_reader *r, const spirv_insn *i, const spirv_ptr *ptr)
{
    spirv_id *id = result(r, i);
    if (id->type->kind != SPIRV_POINTER || id->type->elem != ptr->type)
        spirv_invalid(r, "the result type is not a pointer to what the operands lead to");
    id->ptr = arena_copy(r->a, ptr, sizeof *ptr);
    id->ptr->stride = id->type->stride;
    if (id->non_uniform)
        id->ptr->access |= IR_ACCESS_NON_UNIFORM;
}

/* ---- helpers ---- */

ir_ref
spirv_index(spirv_reader *r, ir_ref index, const spirv_type *t, unsigned bits)
{
    if (t->kind != SPIRV_INT)
        spirv_invalid(r, "an index is not an integer");
    if (t->bits == bits)
        return index;
    return ir_build_alu(&r->b, t->is_signed ? IR_i2i : IR_u2u, IR_TYPE(bits, 1), index, ir_none(),
                        ir_none());
}

ir_ref
spirv_choose(spirv_reader *r, const ir_ref *comps, unsigned n, ir_ref index)
{
    ir_ref value = comps[n - 1];
    for (unsigned k = n - 1; k-- > 0;) {
        ir_ref here = irb_ieq(&r->b, index, spirv_imm(r, 32, k));
        value = irb_bcsel(&r->b, here, comps[k], value);
    }
    return value;
}
