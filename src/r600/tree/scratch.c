/* Scratch memory: MEM_SCRATCH writes and READ_SCRATCH reads elements of 16 bytes of the lane's own
 * part. How Mesa's driver sets the fields: sfn_assembler, ScratchIOInstr and LoadFromScratch. */
#include "r600/tree/tree.h"

enum { ELEMENT_OF_FOUR = 3, MASKED = 7 };
enum { WRITE_ACK = 2, WRITE_IND_ACK = 3, FORMAT_32_32_32_32 = 34, NUM_INT = 1 };

static tree_node *
new_vector(tree_program *p, tree_kind kind, r600_op op)
{
    tree_node *n = r600_tree_new(p, kind);
    n->n = 1;
    n->vectors = ARENA_NEW(p->arena, tree_vector);
    n->vectors->inst = (r600_inst){.op = op, .n_words = kind == TREE_FETCH ? 4 : 2};
    n->vectors->inst.f[R600_F_barrier] = kind == TREE_FLOW;
    return n;
}

tree_node *
r600_tree_read_scratch(tree_program *p, tree_operand element, uint32_t last, unsigned component)
{
    tree_node *n = new_vector(p, TREE_FETCH, R600_READ_SCRATCH);
    uint32_t *f = n->vectors->inst.f;
    n->id = p->chip->properties & R600_NO_VTX_CACHE ? R600_TEX : R600_VTX;
    f[R600_F_elem_size] = ELEMENT_OF_FOUR;
    f[R600_F_format] = FORMAT_32_32_32_32;
    f[R600_F_num_format] = NUM_INT;
    f[R600_F_srf_mode] = 1;
    f[R600_F_uncached] = 1;
    f[R600_F_indexed] = element.kind != TREE_CONST;
    if (element.kind == TREE_CONST) {
        f[R600_F_array_base] = element.id;
    } else {
        f[R600_F_array_size] = last;
        n->vectors->src[0] = element;
    }
    for (unsigned c = 0; c < 4; c++)
        f[R600_F_out_sel_x + c] = c ? MASKED : component;
    return n;
}

tree_node *
r600_tree_write_scratch(tree_program *p, tree_operand element, uint32_t last, unsigned component)
{
    tree_node *n = new_vector(p, TREE_FLOW, R600_MEM_SCRATCH);
    uint32_t *f = n->vectors->inst.f;
    const bool is_known = element.kind == TREE_CONST;
    f[R600_F_type] = is_known ? WRITE_ACK : WRITE_IND_ACK;
    f[R600_F_mark] = 1;
    f[R600_F_elem_size] = ELEMENT_OF_FOUR;
    f[R600_F_comp_mask] = 1u << component;
    if (is_known) {
        f[R600_F_array_base] = element.id;
    } else {
        f[R600_F_array_size] = last;
        n->vectors->index[0] = element;
    }
    return n;
}

tree_node *
r600_tree_wait(tree_program *p)
{
    return new_vector(p, TREE_FLOW, R600_WAIT_ACK);
}
