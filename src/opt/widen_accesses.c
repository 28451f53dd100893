/* Numbers of 8 and 16 bits in storage buffers, for machines that access them by dwords alone.
 *
 *     16x3 %5 = @load_ssbo (%1, %4)       ->  32x2 %6 = @load_ssbo (%1, %4)
 *                                             %6.x, %6.x >> 16, %6.y
 *     @store_ssbo (%7, %1, %4)            ->  @ssbo_atomic (%1, %4, 0xffff0000) (iand)
 *                                             @ssbo_atomic (%1, %4, %8) (ior)
 *
 * Where in its dword a number lies is known from the alignment, or found from the offset. A store
 * that fills dwords stores them. Of others the bits are cleared, then set: other invocations may
 * store what is beside them at the same time, and one that reads the number itself between the two
 * would race with the store. */
#include "opt/widen_accesses.h"

#include "base/bits.h"
#include "ir/builder.h"
#include "ir/replace.h"
#include "opt/lower.h"

enum { DWORD = 4, MOST = 4 /* dwords of a store */ };

typedef struct widening {
    ir_builder b;
    ir_replacement map;
} widening;

/* A load or store: `first` is where in a dword its first number lies, if that is known. */
typedef struct access {
    ir_instr *i;
    ir_ref handle, offset;
    unsigned bits, bytes, n;
    unsigned first;
    bool is_known;
} access;

static ir_ref
imm(widening *w, uint32_t value)
{
    return ir_build_imm(&w->b, 32, value);
}

static ir_ref
plus(widening *w, ir_ref x, uint32_t n)
{
    return n ? irb_iadd(&w->b, x, imm(w, n)) : x;
}

static access
describe(const widening *w, ir_instr *i)
{
    const bool is_load = i->op == IR_load_ssbo;
    const ir_type t = is_load ? w->b.f->values[i->defs[0].id].type
                              : ir_ref_type(w->b.f, i->refs[0]);
    return (access){.i = i,
                    .handle = i->refs[is_load ? 0 : 1],
                    .offset = i->refs[is_load ? 1 : 2],
                    .bits = ir_type_bits(t),
                    .bytes = ir_type_bits(t) / 8,
                    .n = ir_type_comps(t),
                    .first = ir_attr_get(i, IR_A_ALIGN_OFFSET) % DWORD,
                    .is_known = ir_attr_get(i, IR_A_ALIGN_MUL) >= DWORD};
}

/* ---- loads ---- */

static ir_ref
load(widening *w, const access *a, ir_ref offset, unsigned n)
{
    const ir_ref refs[2] = {a->handle, offset};
    const ir_ref r = ir_build_intr(&w->b, IR_load_ssbo, IR_TYPE(32, n), refs, 2);
    ir_attr_set(ir_built(&w->b), IR_A_ACCESS, ir_attr_get(a->i, IR_A_ACCESS));
    ir_attr_set(ir_built(&w->b), IR_A_ALIGN_MUL, DWORD);
    return r;
}

/* The bits by which a number at an offset is moved in its dword, and the dword's offset. */
static ir_ref
shift_of(widening *w, ir_ref offset)
{
    const ir_ref three = imm(w, 3), byte = irb_iand(&w->b, offset, imm(w, DWORD - 1));
    return irb_ishl(&w->b, byte, three);
}

static ir_ref
dword_of(widening *w, ir_ref offset)
{
    return irb_iand(&w->b, offset, imm(w, ~(uint32_t)(DWORD - 1)));
}

static ir_ref
narrow(widening *w, const access *a, ir_ref dword, ir_ref shift)
{
    return opt_convert(&w->b, IR_u2u, a->bits, irb_ushr(&w->b, dword, shift));
}

static void
widen_load(widening *w, const access *a)
{
    ir_ref parts[IR_MAX_COMPS], dwords = ir_none();
    if (a->is_known)
        dwords = load(w, a, plus(w, a->offset, -a->first),
                      (a->first + a->n * a->bytes + DWORD - 1) / DWORD);
    for (unsigned k = 0; k < a->n; k++) {
        const unsigned at = a->first + k * a->bytes;
        const ir_ref here = plus(w, a->offset, k * a->bytes);
        const ir_ref shift = a->is_known ? imm(w, 8 * (at % DWORD)) : shift_of(w, here);
        const ir_ref dword = a->is_known ? ir_comp(dwords, at / DWORD)
                                         : load(w, a, dword_of(w, here), 1);
        parts[k] = narrow(w, a, dword, shift);
    }
    ir_replace_add(&w->map, a->i->defs[0].id, ir_build_vec(&w->b, parts, a->n));
    ir_remove(a->i);
}

/* ---- stores ---- */

static void
change(widening *w, const access *a, ir_ref offset, unsigned op, ir_ref data)
{
    const ir_ref refs[3] = {a->handle, offset, data};
    ir_build_intr(&w->b, IR_ssbo_atomic, IR_TYPE(32, 1), refs, 3);
    ir_attr_set(ir_built(&w->b), IR_A_ACCESS, ir_attr_get(a->i, IR_A_ACCESS));
    ir_attr_set(ir_built(&w->b), IR_A_ATOMIC_OP, op);
}

/* Stores the bits of `mask`; `data` has no others. */
static void
store_bits(widening *w, const access *a, ir_ref offset, ir_ref mask, ir_ref data)
{
    change(w, a, offset, IR_ATOMIC_iand, irb_inot(&w->b, mask));
    change(w, a, offset, IR_ATOMIC_ior, data);
}

static ir_ref
wide(widening *w, const access *a, unsigned k)
{
    const ir_ref data = a->i->refs[0]; /* a number may be a component itself */
    return opt_convert(&w->b, IR_u2u, 32, a->n > 1 ? ir_comp(data, k) : data);
}

/* Dwords that are filled, to be stored together. */
typedef struct run {
    ir_ref dwords[MOST];
    unsigned n, at; /* `at`: bytes behind the first number's dword */
} run;

static void
flush(widening *w, const access *a, run *r)
{
    if (!r->n)
        return;
    const ir_ref data = ir_build_vec(&w->b, r->dwords, r->n);
    const ir_ref refs[3] = {data, a->handle, plus(w, a->offset, r->at - a->first)};
    ir_build_intr(&w->b, IR_store_ssbo, 0, refs, 3);
    ir_attr_set(ir_built(&w->b), IR_A_ACCESS, ir_attr_get(a->i, IR_A_ACCESS));
    ir_attr_set(ir_built(&w->b), IR_A_WRITE_MASK, (1u << r->n) - 1);
    ir_attr_set(ir_built(&w->b), IR_A_ALIGN_MUL, DWORD);
    r->n = 0;
}

/* The dword at `at`, a multiple of four bytes behind the first number's dword. */
static void
store_dword(widening *w, const access *a, unsigned at, run *r)
{
    const uint32_t written = ir_attr_get(a->i, IR_A_WRITE_MASK), ones = (1u << a->bits) - 1;
    uint32_t mask = 0;
    ir_ref data = imm(w, 0);
    for (unsigned byte = 0; byte < DWORD; byte += a->bytes) {
        const unsigned k = (at + byte - a->first) / a->bytes;
        if (at + byte < a->first || k >= a->n || !(written >> k & 1))
            continue;
        mask |= ones << 8 * byte;
        const ir_ref shift = imm(w, 8 * byte);
        data = irb_ior(&w->b, data, irb_ishl(&w->b, wide(w, a, k), shift));
    }
    if (mask == UINT32_MAX) {
        r->at = r->n ? r->at : at;
        r->dwords[r->n++] = data;
    }
    if (mask != UINT32_MAX || r->n == MOST)
        flush(w, a, r);
    if (mask && mask != UINT32_MAX) {
        const ir_ref bits = imm(w, mask);
        store_bits(w, a, plus(w, a->offset, at - a->first), bits, data);
    }
}

static void
widen_store(widening *w, const access *a)
{
    const uint32_t written = ir_attr_get(a->i, IR_A_WRITE_MASK), ones = (1u << a->bits) - 1;
    run r = {.n = 0};
    for (unsigned at = 0; a->is_known && at < a->first + a->n * a->bytes; at += DWORD)
        store_dword(w, a, at, &r);
    flush(w, a, &r);
    for (unsigned k = 0; !a->is_known && k < a->n; k++) {
        const ir_ref here = plus(w, a->offset, k * a->bytes), shift = shift_of(w, here);
        if (!(written >> k & 1))
            continue;
        const ir_ref data = irb_ishl(&w->b, wide(w, a, k), shift);
        const ir_ref mask = irb_ishl(&w->b, imm(w, ones), shift);
        store_bits(w, a, dword_of(w, here), mask, data);
    }
    ir_unlink(a->i);
}

/* ---- the walk ---- */

static bool
is_widened(const widening *w, ir_instr *i, unsigned least)
{
    if (i->op != IR_load_ssbo && i->op != IR_store_ssbo)
        return false;
    const access a = describe(w, i);
    const uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), at = ir_attr_get(i, IR_A_ALIGN_OFFSET);
    return a.bits >= 8 && a.bits < least && mul >= a.bytes && at % a.bytes == 0;
}

bool
opt_widen_accesses(ir_fn *f, unsigned least)
{
    widening w = {.map = {.f = f}};
    bool changed = false;
    if (!ir_made_op(f, IR_load_ssbo) && !ir_made_op(f, IR_store_ssbo))
        return false;
    ir_builder_init(&w.b, f);
    IR_FOREACH_BLOCK(b, f) {
        for (ir_instr *i = b->first, *next; i; i = next) {
            next = i->next;
            ir_replace_in(&w.map, i);
            if (!is_widened(&w, i, least) || !ir_may_change(f->ctx))
                continue;
            ir_builder_before(&w.b, i);
            w.b.loc = i->loc;
            const access a = describe(&w, i);
            if (i->op == IR_load_ssbo)
                widen_load(&w, &a);
            else
                widen_store(&w, &a);
            changed = true;
        }
    }
    ir_replace_all(&w.map); /* references of phis from blocks below */
    return changed;
}
