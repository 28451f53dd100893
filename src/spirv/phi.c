/* OpPhi: temporaries that are written on the edges and read at the start of the block.
 *
 * Phis therefore need no special care for the edges that structuring adds: SSA construction makes
 * HIR's phis where the temporaries' values meet.
 */
#include "spirv/reader.h"

static void
make_phi_var(spirv_reader *r, spirv_id *id)
{
    if (id->phi_var)
        return;
    spirv_check_value_type(r, id->type);
    id->phi_var = spirv_ssa_leaves(r, id->type, true, NULL);
}

void
spirv_write_phi(spirv_reader *r, const spirv_insn *i, uint32_t label)
{
    spirv_id *id = spirv_ref(r, i, 2);
    make_phi_var(r, id);
    spirv_charge(r, 1 + i->n / 64);
    for (unsigned k = 3; k + 1 < i->n; k += 2) {
        if (i->w[k + 1] != label)
            continue;
        if (spirv_operand_type(r, i, k) != id->type)
            spirv_invalid(r, "operand %u of the phi is of another type", k);
        const ir_ref *leaf = spirv_operand(r, i, k);
        for (uint32_t c = 0; c < id->type->leaves; c++)
            spirv_ssa_write(r, id->phi_var + c, leaf[c]);
        return;
    }
    spirv_invalid(r, "the phi has no operand for label %u", label);
}

/* Returns true if the phi is in the header of the loop whose open header block the builder is in.
 * Code after the header may be emitted in the same block, if the branch between the two is decided
 * at compile time. */
static bool
is_at_open_header(const spirv_reader *r, const spirv_insn *i)
{
    const spirv_hir_block *h = &r->hir[r->b.block->index];
    const spirv_block *source = h->is_header && !h->sealed ? h->loop->source : NULL;
    return source && i->at >= source->first && i->at < source->end;
}

void
spirv_emit_phi(spirv_reader *r, const spirv_insn *i)
{
    spirv_id *id = spirv_ref(r, i, 2);
    make_phi_var(r, id);
    ir_ref *leaf = spirv_new_leaves(r, id->type->leaves);
    bool header = is_at_open_header(r, i);
    for (uint32_t c = 0; c < id->type->leaves; c++)
        leaf[c] = header ? spirv_ssa_header_phi(r, id->phi_var + c)
                         : spirv_ssa_read(r, id->phi_var + c);
    spirv_define(r, i, leaf);
}
