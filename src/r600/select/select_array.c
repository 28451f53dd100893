/* Private arrays in registers.
 *
 * Private memory is parts of bytes: those that an access may reach, which are joined where they
 * overlap. A part whose accesses are all of whole dwords, and which is small enough, is in
 * registers: as one array, or as two or four of one channel each, if all indices are steps of 8 or
 * 16 bytes, because AR chooses a register and an instruction its channel. The other parts stay in
 * memory. What an index beyond a part reads or writes is not defined (Vulkan has no robustness of
 * private memory). */
#include "r600/select/select.h"

#include <stdlib.h>

enum { MOST_ROWS = 64, ALL_ROWS = 96, MOST_STEP = 16 };

static bool
is_access(const ir_instr *i)
{
    return i->op == IR_load_scratch || i->op == IR_store_scratch;
}

static ir_ref
offset_of(const ir_instr *i)
{
    return i->op == IR_load_scratch ? i->refs[0] : i->refs[1];
}

static unsigned
bits_of(const ir_fn *f, const ir_instr *i)
{
    const ir_ref value = i->op == IR_load_scratch ? ir_use(f, i->defs[0].id) : i->refs[0];
    return ir_type_bits(ir_ref_type(f, value));
}

/* ---- parts ---- */

/* What an access says of the part that it reaches. Its step is what indices are known to be
 * multiples of. */
static r600_part
part_of(const ir_fn *f, const ir_instr *i)
{
    uint64_t offset;
    const uint32_t base = ir_attr_get(i, IR_A_BASE), mul = ir_attr_get(i, IR_A_ALIGN_MUL);
    r600_part p = {.first = base, .end = base + ir_attr_get(i, IR_A_RANGE), .step = MOST_STEP};
    if (!ir_is_const(f, offset_of(i), &offset))
        p.step = mul < MOST_STEP ? mul : MOST_STEP;
    if (!ir_attr_get(i, IR_A_RANGE)) {
        p.first = 0;
        p.end = f->shader.scratch_size;
    }
    if (bits_of(f, i) < 32 || r600_sel_alignment(i) < 4 || base % 4)
        p.step = 0;
    return p;
}

static int
compare_parts(const void *a, const void *b)
{
    const r600_part *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
           : x->end != y->end   ? (x->end < y->end ? -1 : 1)
                                : 0;
}

/* Joins parts that overlap. Returns their new number. */
static unsigned
join_parts(r600_part *list, unsigned n)
{
    unsigned out = 0;
    qsort(list, n, sizeof *list, compare_parts);
    for (unsigned i = 0; i < n; i++) {
        r600_part *last = out ? &list[out - 1] : NULL;
        if (!last || list[i].first >= last->end) {
            list[out++] = list[i];
            continue;
        }
        last->end = list[i].end > last->end ? list[i].end : last->end;
        last->step = list[i].step < last->step ? list[i].step : last->step;
    }
    return out;
}

/* Gives a part its arrays, if it can have some. */
static void
make_arrays(r600_sel *s, r600_part *p, uint32_t *rows, unsigned number)
{
    tree_program *t = s->p;
    while (p->step && p->first % p->step)
        p->step /= 2;
    if (p->step < 4)
        return;
    const uint32_t channels = p->step / 4, n = (p->end - p->first + p->step - 1) / p->step;
    if (n > MOST_ROWS || *rows + n > ALL_ROWS || t->n_arrays + channels > TREE_MAX_ARRAYS)
        return;
    p->in_registers = true;
    p->array = t->n_arrays;
    for (uint32_t c = 0; c < channels; c++)
        t->arrays[t->n_arrays++] = (tree_array){.n = n,
                                                .reg = *rows * 4 + (number * channels + c) % 4};
    *rows += n;
}

void
r600_sel_find_arrays(r600_sel *s, bool in_memory)
{
    const ir_fn *f = s->hir;
    unsigned n = 0;
    uint32_t rows = 0;
    for (uint32_t b = 0; b < f->n_blocks; b++)
        for (const ir_instr *i = f->blocks[b]->first; i; i = i->next)
            n += is_access(i);
    s->parts = ARENA_ARRAY(s->p->arena, n, r600_part);
    n = 0;
    for (uint32_t b = 0; b < f->n_blocks; b++)
        for (const ir_instr *i = f->blocks[b]->first; i; i = i->next)
            if (is_access(i))
                s->parts[n++] = part_of(f, i);
    s->n_parts = join_parts(s->parts, n);
    for (unsigned i = 0; i < s->n_parts && !in_memory; i++)
        make_arrays(s, &s->parts[i], &rows, i);
}

/* ---- accesses ---- */

/* Dword `k` of an access: its array, and the element as an index and what is added. */
typedef struct element {
    unsigned array;
    tree_operand index;
    uint32_t base;
} element;

static unsigned
log2_of(uint32_t n)
{
    unsigned log = 0;
    while (n >> (log + 1))
        log++;
    return log;
}

static element
find_element(r600_sel *s, const ir_instr *i, const r600_part *p, unsigned k)
{
    uint64_t offset;
    const unsigned log = log2_of(p->step), channels = p->step / 4;
    const uint32_t base = ir_attr_get(i, IR_A_BASE) - p->first;
    if (ir_is_const(s->hir, offset_of(i), &offset)) {
        const uint32_t dword = ((uint32_t)offset + base) / 4 + k;
        return (element){p->array + dword % channels, r600_tree_const(dword / channels), 0};
    }
    const uint32_t rest = ir_attr_get(i, IR_A_ALIGN_OFFSET) % p->step, dword = rest / 4 + k;
    element e = {.array = p->array + dword % channels};
    if ((base - rest) % p->step == 0) {
        e.index = r600_sel_units(s, offset_of(i), log);
        e.base = (base - rest) / p->step + dword / channels;
    } else {
        const tree_operand at = r600_sel_plus(s, r600_sel_get(s, offset_of(i)), base - rest);
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
load(r600_sel *s, const ir_instr *i, const r600_part *p)
{
    const unsigned parts = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    tree_operand *out = r600_sel_def(s, i);
    for (unsigned k = 0; k < parts; k++) {
        const element e = find_element(s, i, p, k);
        tree_node *n = access_element(s, &e, false);
        n->slots->def = r600_sel_define(s, n);
        out[k] = r600_tree_use(n->slots->def);
    }
}

static void
store(r600_sel *s, const ir_instr *i, const r600_part *p)
{
    const ir_ref value = i->refs[0];
    const unsigned per = bits_of(s->hir, i) == 64 ? 2 : 1;
    const uint32_t mask = ir_attr_get(i, IR_A_WRITE_MASK);
    for (unsigned k = 0; k < r600_sel_parts(s, value); k++) {
        if (!(mask >> k / per & 1))
            continue;
        const tree_operand from = r600_sel_part(s, value, k);
        const element e = find_element(s, i, p, k);
        access_element(s, &e, true)->slots->src[0] = from;
    }
}

bool
r600_select_array(r600_sel *s, const ir_instr *i)
{
    if (!is_access(i))
        return false;
    const r600_part *p = s->parts;
    for (const uint32_t first = part_of(s->hir, i).first; p->end <= first; p++)
        ;
    if (!p->in_registers)
        return false;
    if (i->op == IR_load_scratch)
        load(s, i, p);
    else
        store(s, i, p);
    return true;
}
