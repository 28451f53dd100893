/* Transform feedback: what vertex shaders store is streamed out.
 *
 * The hardware knows the vertex and its place in each buffer; an instruction says the dword behind
 * it. Elements have one, two or four dwords (Mesa: emit_streamout, which says that three are not
 * supported). */
#include "r600/select/stage.h"

enum { NO_LIMIT = 0xfff, MOST_DWORDS = 1 << 13 };

/* Dwords `first` to `first` + n of what the instruction stores. */
static void
stream(r600_sel *s, const ir_instr *i, unsigned first, unsigned n)
{
    const uint32_t buffer = ir_attr_get(i, IR_A_BINDING);
    const bool is_old = s->p->chip->gen < R600_GEN_EG;
    const unsigned op = (is_old ? R600_MEM_STREAM0 : R600_MEM_STREAM0_BUF0) + buffer;
    tree_vector *v = r600_sel_vector(s, TREE_FLOW, (r600_op)op);
    v->inst.f[R600_F_array_base] = ir_attr_get(i, IR_A_BASE) / 4 + first;
    v->inst.f[R600_F_array_size] = NO_LIMIT;
    v->inst.f[R600_F_elem_size] = n - 1;
    v->inst.f[R600_F_comp_mask] = (1u << n) - 1;
    for (unsigned c = 0; c < n; c++) {
        v->src[c] = r600_sel_part(s, i->refs[0], first + c);
        if (v->src[c].kind == TREE_UNDEF)
            v->src[c] = r600_tree_const(0);
    }
}

bool
r600_select_capture(r600_sel *s, const ir_instr *i)
{
    if (i->op != IR_store_xfb)
        return false;
    const uint32_t buffer = ir_attr_get(i, IR_A_BINDING);
    const unsigned n = r600_sel_parts(s, i->refs[0]);
    if (ir_attr_get(i, IR_A_BASE) / 4 + n > MOST_DWORDS)
        r600_sel_lacks(s, "captured vertices of more than 32 KiB");
    s->program->captured_stride[buffer] = ir_attr_get(i, IR_A_RANGE);
    for (unsigned k = 0, count; k < n; k += count) {
        count = n - k >= 4 ? 4 : n - k >= 2 ? 2 : 1;
        stream(s, i, k, count);
    }
    return true;
}
