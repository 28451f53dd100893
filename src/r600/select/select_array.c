/* Private arrays in registers.
 *
 * A part of private memory (opt/private_parts.h) whose accesses are all of whole dwords, and which
 * is small enough, is in registers: as one array, or as two or four of one channel each, if all
 * indices are steps of 8 or 16 bytes, because AR chooses a register and an instruction its channel.
 * The other parts stay in memory. What an index beyond a part reads or writes is not defined
 * (Vulkan has no robustness of private memory). */
#include "r600/select/select.h"

#include "base/bits.h"

enum { MOST_ROWS = 64, ALL_ROWS = 96 };

/* ---- parts ---- */

/* Gives a part its arrays, if it can have some. */
static void
make_arrays(r600_sel *s, unsigned number, uint32_t *rows)
{
    tree_program *t = s->p;
    opt_private_part *p = &s->parts.list[number];
    while (p->step && p->first % p->step)
        p->step /= 2;
    if (p->step < 4)
        return;
    const uint32_t channels = p->step / 4, n = (p->end - p->first + p->step - 1) / p->step;
    if (n > MOST_ROWS || *rows + n > ALL_ROWS || t->n_arrays + channels > TREE_MAX_ARRAYS)
        return;
    p->in_registers = true;
    p->reg = t->n_arrays;
    for (uint32_t c = 0; c < channels; c++)
        t->arrays[t->n_arrays++] = (tree_array){.n = n,
                                                .reg = *rows * 4 + (number * channels + c) % 4};
    *rows += n;
}

void
r600_sel_find_arrays(r600_sel *s, bool in_memory)
{
    uint32_t rows = 0;
    s->parts = opt_find_private_parts(s->hir, s->p->arena);
    for (unsigned k = 0; k < s->parts.n && !in_memory; k++)
        make_arrays(s, k, &rows);
}

/* ---- accesses ---- */

/* Dword `k` of an access: its array, and the element as an index and what is added. */
typedef struct element {
    unsigned array;
    tree_operand index;
    uint32_t base;
} element;

static element
find_element(r600_sel *s, const ir_instr *i, const opt_private_part *p, unsigned k)
{
    uint64_t offset;
    const unsigned first = p->reg, log = base_bit_width(p->step) - 1, channels = p->step / 4;
    const uint32_t base = ir_attr_get(i, IR_A_BASE) - p->first;
    if (ir_is_const(s->hir, opt_private_offset(i), &offset)) {
        const uint32_t dword = ((uint32_t)offset + base) / 4 + k;
        return (element){first + dword % channels, r600_tree_const(dword / channels), 0};
    }
    const uint32_t rest = ir_attr_get(i, IR_A_ALIGN_OFFSET) % p->step, dword = rest / 4 + k;
    element e = {.array = first + dword % channels};
    if ((base - rest) % p->step == 0) {
        e.index = r600_sel_units(s, opt_private_offset(i), log);
        e.base = (base - rest) / p->step + dword / channels;
    } else {
        const tree_operand at = r600_sel_plus(s, r600_sel_get(s, opt_private_offset(i)),
                                              base - rest);
        e.index = r600_sel_op2(s, R600_LSHR_INT, at, r600_tree_const(log));
        e.base = dword / channels;
    }
    if (base < rest || e.base >= s->p->arrays[e.array].n) {
        e.index = r600_sel_plus(s, e.index, e.base);
        e.base = 0;
    }
    return e;
}

static tree_node *
access_element(r600_sel *s, const element *e, bool is_write)
{
    tree_node *n = r600_tree_element(s->p, e->array, e->index, is_write);
    n->access->base = e->base;
    r600_tree_append(s->list, n);
    return n;
}

static void
load(r600_sel *s, const ir_instr *i, const opt_private_part *part)
{
    const unsigned parts = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    tree_operand *out = r600_sel_def(s, i);
    for (unsigned k = 0; k < parts; k++) {
        const element e = find_element(s, i, part, k);
        tree_node *n = access_element(s, &e, false);
        n->slots->def = r600_sel_define(s, n);
        out[k] = r600_tree_use(n->slots->def);
    }
}

static void
store(r600_sel *s, const ir_instr *i, const opt_private_part *part)
{
    const ir_ref value = i->refs[0];
    const uint32_t written = ir_written_parts(s->hir, i);
    for (unsigned k = 0; base_next_run(written, 1, &k); k++) {
        const tree_operand from = r600_sel_part(s, value, k);
        const element e = find_element(s, i, part, k);
        access_element(s, &e, true)->slots->src[0] = from;
    }
}

bool
r600_select_array(r600_sel *s, const ir_instr *i)
{
    const opt_private_part *part = opt_part_in_registers(&s->parts, s->hir, i);
    if (part)
        (i->op == IR_load_scratch ? load : store)(s, i, part);
    return part != NULL;
}
