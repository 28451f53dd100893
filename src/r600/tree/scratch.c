/* Scratch memory: MEM_SCRATCH writes and READ_SCRATCH reads elements of 16 bytes of the lane's own
 * part. R600 reads by MEM_SCRATCH, too, into a whole register, and has no acknowledgements: the
 * instructions of control flow are in order. How Mesa's driver sets the fields: sfn_assembler,
 * ScratchIOInstr and LoadFromScratch. */
#include "r600/tree/tree.h"

enum { ELEMENT_OF_FOUR = 3, MASKED = 7 };
enum { IS_INDEXED = 1, WRITE_ACK = 2, FORMAT_32_32_32_32 = 34, NUM_INT = 1, WHOLE = 15 };

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

/* An instruction of control flow on an element. */
static tree_node *
new_transfer(tree_program *p, tree_operand element, uint32_t last)
{
    const bool is_old = p->chip->gen == R600_GEN_R600, is_known = element.kind == TREE_CONST;
    tree_node *n = new_vector(p, TREE_FLOW, is_old ? R600_MEM_SCRATCH_R600 : R600_MEM_SCRATCH);
    uint32_t *f = n->vectors->inst.f;
    f[R600_F_type] = is_known ? 0 : IS_INDEXED;
    f[R600_F_elem_size] = ELEMENT_OF_FOUR;
    if (is_known) {
        f[R600_F_array_base] = element.id;
    } else {
        f[R600_F_array_size] = last;
        n->vectors->index[0] = element;
    }
    return n;
}

tree_node *
r600_tree_read_scratch(tree_program *p, tree_operand element, uint32_t last, unsigned component)
{
    if (p->chip->gen == R600_GEN_R600) {
        tree_node *old = new_transfer(p, element, last);
        old->vectors->inst.f[R600_F_type] |= TREE_SCRATCH_READ;
        old->vectors->inst.f[R600_F_comp_mask] = WHOLE;
        old->vectors->writes = WHOLE;
        return old;
    }
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

/* On R600 the other components get values that nothing uses. */
void
r600_tree_take_scratch(tree_program *p, tree_node *read, unsigned component, uint32_t value)
{
    uint32_t *def = read->vectors->def;
    if (read->kind != TREE_FLOW) {
        def[0] = value;
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        def[c] = c == component ? value : r600_tree_value(p);
        p->values[def[c]].def = read;
        p->values[def[c]].reg = c;
    }
}

tree_node *
r600_tree_write_scratch(tree_program *p, tree_operand element, uint32_t last, unsigned component)
{
    tree_node *n = new_transfer(p, element, last);
    uint32_t *f = n->vectors->inst.f;
    f[R600_F_comp_mask] = 1u << component;
    if (p->chip->gen != R600_GEN_R600) {
        f[R600_F_type] |= WRITE_ACK;
        f[R600_F_mark] = 1;
    }
    return n;
}

tree_node *
r600_tree_wait(tree_program *p)
{
    return new_vector(p, TREE_FLOW, R600_WAIT_ACK);
}
