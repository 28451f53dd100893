#include "opt/private_parts.h"

#include <stdlib.h>

enum { DWORD = 4 };

static bool
is_access(const ir_instr *i)
{
    return i->op == IR_load_scratch || i->op == IR_store_scratch;
}

ir_ref
opt_private_offset(const ir_instr *i)
{
    return i->refs[i->n_refs - 1];
}

/* The size of what it accesses. */
static unsigned
bits_of(const ir_fn *f, const ir_instr *i)
{
    const ir_ref value = i->op == IR_load_scratch ? ir_use(f, i->defs[0].id) : i->refs[0];
    return ir_type_bits(ir_ref_type(f, value));
}

static bool
has_whole_dwords(const ir_fn *f, const ir_instr *i)
{
    const uint32_t places = ir_attr_get(i, IR_A_ALIGN_MUL) | ir_attr_get(i, IR_A_ALIGN_OFFSET) |
                            ir_attr_get(i, IR_A_BASE);
    return bits_of(f, i) >= 32 && places % DWORD == 0;
}

/* What an access says of the part that it reaches. */
static opt_private_part
part_of(const ir_fn *f, const ir_instr *i)
{
    uint64_t offset;
    const uint32_t base = ir_attr_get(i, IR_A_BASE), range = ir_attr_get(i, IR_A_RANGE);
    const uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL);
    opt_private_part p = {.first = base, .end = base + range, .step = OPT_PART_MOST_STEP};
    if (!ir_is_const(f, opt_private_offset(i), &offset))
        p.step = mul < OPT_PART_MOST_STEP ? mul : OPT_PART_MOST_STEP;
    if (!range) {
        p.first = 0;
        p.end = f->shader.scratch_size;
    }
    if (!has_whole_dwords(f, i))
        p.step = 0;
    return p;
}

static int
compare(const void *a, const void *b)
{
    const opt_private_part *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
           : x->end != y->end   ? (x->end < y->end ? -1 : 1)
                                : 0;
}

/* Joins parts that overlap. */
static void
join(opt_private_parts *parts)
{
    unsigned n = 0;
    qsort(parts->list, parts->n, sizeof *parts->list, compare);
    for (unsigned k = 0; k < parts->n; k++) {
        const opt_private_part *next = &parts->list[k];
        opt_private_part *last = n ? &parts->list[n - 1] : NULL;
        if (!last || next->first >= last->end) {
            parts->list[n++] = *next;
            continue;
        }
        last->end = next->end > last->end ? next->end : last->end;
        last->step = next->step < last->step ? next->step : last->step;
    }
    parts->n = n;
}

opt_private_parts
opt_find_private_parts(const ir_fn *f, arena *a)
{
    opt_private_parts parts = {0};
    unsigned n = 0;
    IR_FOREACH_BLOCK(b, f)
        IR_FOREACH_INSTR(i, b)
            n += is_access(i);
    parts.list = ARENA_ARRAY(a, n, opt_private_part);
    IR_FOREACH_BLOCK(b, f)
        IR_FOREACH_INSTR(i, b)
            if (is_access(i))
                parts.list[parts.n++] = part_of(f, i);
    join(&parts);
    return parts;
}

const opt_private_part *
opt_part_in_registers(const opt_private_parts *parts, const ir_fn *f, const ir_instr *i)
{
    if (!is_access(i))
        return NULL;
    const uint32_t first = part_of(f, i).first;
    unsigned low = 0, high = parts->n - 1;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (parts->list[middle].end <= first)
            low = middle + 1;
        else
            high = middle;
    }
    return parts->list[low].in_registers ? &parts->list[low] : NULL;
}
