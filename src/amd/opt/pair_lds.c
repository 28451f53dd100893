/* Pairs accesses to LDS whose addresses differ in a constant.
 *
 *     v1: %3 = ds_read_b32 %1 offset:8           v2: %5 = ds_read2_b32 %1 offset:0x0802
 *     ...                                   ->   v1: %3,  v1: %4 = p_split_vector %5
 *     v1: %4 = ds_read_b32 %1 offset:32          ...
 *
 * One instruction moves two separate values of one size. Its two offsets have 8 bits each and count
 * values or, in the forms with st64, 64 values (RDNA 2 ISA, "LDS", DS_READ2_B32). What the middle
 * end could merge is one access already (opt/vectorize_mem.c); left are neighbours whose alignment
 * does not allow that, and places apart, such as the same column of two rows.
 *
 * Offsets too large for that are counted from another address, REACH bytes or a multiple of it
 * further, if that helps two pairs or more: one addition makes it.
 *
 * Loads go up to the first of the two, not past stores. Stores go down to the second, past accesses
 * that are known to be elsewhere, because they have the same base. The walk keeps the last few
 * accesses in mind, so time is linear.
 */
#include "amd/opt/combine.h"

#include "cg/effects.h"

/* How many accesses are kept in mind, and how many instructions may lie between two; the distance
 * of the addresses that are made, and how many are kept in mind. */
enum { KEPT = 8, NEAR = 48, REACH = 1024, BASES = 4 };

/* The address `from` + `add`; kind NONE: not worth it. */
typedef struct base {
    ir_ref from, to;
    uint32_t add;
} base;

typedef struct pairing {
    ir_fn *f;
    bool keeps;           /* there was an access to keep in the block */
    ir_instr *kept[KEPT]; /* accesses of the block without a partner, a ring */
    unsigned next;
    base bases[BASES]; /* of the block, a ring */
    unsigned next_base;
    uint32_t position; /* ir_instr.mark of accesses: the number in the block */
} pairing;

typedef struct pair_row {
    uint16_t one, two, far; /* opcodes: one value, two, two in steps of 64 */
    uint8_t bytes;
    bool store;
} pair_row;

static const pair_row rows[] = {
    {AMD_DS_READ_B32, AMD_DS_READ2_B32, AMD_DS_READ2ST64_B32, 4, false},
    {AMD_DS_READ_B64, AMD_DS_READ2_B64, AMD_DS_READ2ST64_B64, 8, false},
    {AMD_DS_WRITE_B32, AMD_DS_WRITE2_B32, AMD_DS_WRITE2ST64_B32, 4, true},
    {AMD_DS_WRITE_B64, AMD_DS_WRITE2_B64, AMD_DS_WRITE2ST64_B64, 8, true},
};

/* The row of a plain access, or NULL. */
static const pair_row *
row_of(const ir_instr *i)
{
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].one == i->op) {
            bool plain = !ir_words(i)[1] && ir_words(i)[2] == AMD_SYNC_SHARED &&
                         ir_is_value(i->refs[0]) && !(i->refs[0].flags & IR_FIXED) &&
                         i->n_refs == 1u + rows[r].store && i->n_defs == !rows[r].store;
            return plain ? &rows[r] : NULL;
        }
    }
    return NULL;
}

/* Where both accesses are: the opcode, the address, the offset field. */
typedef struct place {
    unsigned op;
    ir_ref address;
    uint32_t offset;
} place;

/* Finds an opcode whose offset field has both offsets. */
static bool
join_offsets(const pair_row *row, uint32_t a, uint32_t b, place *to)
{
    for (unsigned step = row->bytes;; step *= 64) {
        bool far = step > row->bytes;
        to->op = far ? row->far : row->two;
        to->offset = a / step | b / step << 8;
        if (a % step == 0 && b % step == 0 && a / step < 256 && b / step < 256)
            return true;
        if (far)
            return false;
    }
}

/* ---- other addresses ---- */

/* Do two more accesses behind `i` profit from an address `add` bytes further? */
static bool
is_worth_it(const pairing *m, const ir_instr *i, uint32_t add)
{
    unsigned found = 0, n = 0;
    for (const ir_instr *o = i->next; o && n < NEAR && found < 2; o = o->next, n++) {
        if (o->n_refs && ir_same_ref(i->refs[0], o->refs[0]) && row_of(o))
            found += ir_words(o)[0] - add < REACH;
    }
    return found == 2 && ir_may_change(m->f->ctx);
}

/* A kept access may come before the one that the sum was made for. */
static ir_ref
moved_before(const pairing *m, ir_ref sum, ir_instr *first)
{
    ir_instr *i = ir_def_of(m->f, sum);
    if (i && i->mark > first->mark) {
        ir_unlink(i);
        ir_insert_before(first, i);
        i->mark = first->mark;
    }
    return sum;
}

/* The address `add` bytes behind that of `i`, which comes behind `first`; or none. */
static ir_ref
further(pairing *m, ir_instr *first, const ir_instr *i, uint32_t add)
{
    ir_ref from = i->refs[0];
    for (unsigned k = 0; k < BASES; k++) {
        if (m->bases[k].add == add && ir_same_ref(m->bases[k].from, from))
            return moved_before(m, m->bases[k].to, first);
    }
    base *b = &m->bases[m->next_base++ % BASES];
    *b = (base){.from = from, .to = ir_none(), .add = add};
    if (!is_worth_it(m, i, add))
        return b->to;
    ir_instr *sum = amd_new(m->f, AMD_V_ADD_NC_U32, 1, 2);
    sum->refs[0] = amd_const(add);
    sum->refs[1] = from;
    sum->loc = first->loc;
    sum->mark = first->mark;
    b->to = ir_define(m->f, sum, 0, AMD_V1);
    ir_insert_before(first, sum);
    return b->to;
}

/* Can one instruction access the places of both, of which `first` comes first? */
static bool
join_places(pairing *m, const pair_row *row, ir_instr *first, const ir_instr *i, place *to)
{
    uint32_t a = ir_words(first)[0], b = ir_words(i)[0], low = a < b ? a : b;
    uint32_t add = low / REACH * REACH;
    to->address = i->refs[0];
    if (join_offsets(row, a, b, to))
        return true;
    if (!add || !join_offsets(row, a - add, b - add, to) ||
        amd_op_number(AMD_V_ADD_NC_U32, AMD_VOP2, amd_prog(m->f)->target->gen) < 0)
        return false;
    to->address = further(m, first, i, add);
    return ir_is_value(to->address);
}

/* ---- merging ---- */

static void
copy_words(ir_instr *to, const ir_instr *from, uint32_t offset)
{
    for (unsigned w = 1; w < 3; w++)
        ir_words(to)[w] = ir_words(from)[w];
    ir_words(to)[0] = offset;
    to->loc = from->loc;
}

static void
merge_loads(pairing *m, const place *to, ir_instr *first, ir_instr *second)
{
    ir_instr *load = amd_new(m->f, (amd_op)to->op, 1, 1);
    copy_words(load, first, to->offset);
    load->refs[0] = to->address;
    amd_opt_join_loads(m->f, load, first, second, first);
}

static void
merge_stores(pairing *m, const place *to, ir_instr *first, ir_instr *second)
{
    ir_instr *store = amd_new(m->f, (amd_op)to->op, 0, 3);
    copy_words(store, first, to->offset);
    store->refs[0] = to->address;
    store->refs[1] = first->refs[1];
    store->refs[2] = second->refs[1];
    ir_insert_before(second, store);
    ir_unlink(first);
    ir_unlink(second);
}

/* Merges `i` with a kept access, if there is one that fits. */
static bool
find_partner(pairing *m, const pair_row *row, ir_instr *i)
{
    for (unsigned k = 0; k < KEPT; k++) {
        ir_instr *o = m->kept[(m->next + k) % KEPT];
        place to;
        if (!o || o->op != i->op || !ir_same_ref(o->refs[0], i->refs[0]) ||
            m->position - o->mark > NEAR || !join_places(m, row, o, i, &to) ||
            !ir_may_change(m->f->ctx))
            continue;
        m->kept[(m->next + k) % KEPT] = NULL;
        (row->store ? merge_stores : merge_loads)(m, &to, o, i);
        return true;
    }
    return false;
}

/* ---- the walk ---- */

/* Is the plain access `i`, if `row` is not NULL, known to touch other bytes than the kept one? */
static bool
is_elsewhere(const pair_row *row, const ir_instr *i, const ir_instr *kept)
{
    if (!row || !ir_same_ref(i->refs[0], kept->refs[0]))
        return false;
    uint32_t a = ir_words(i)[0], b = ir_words(kept)[0];
    return a + row->bytes <= b || b + row_of(kept)->bytes <= a;
}

/* Forgets the accesses that cannot be paired with one behind `i`: a load would come from there past
 * what `i` writes, a store would go past `i`. */
static void
forget(pairing *m, const pair_row *row, const ir_instr *i)
{
    ir_effects e;
    cg_find_effects(i, &e);
    bool fence = e.fence || e.lanes & IR_LANES_WRITE;
    bool writes = fence || e.writes & AMD_SYNC_SHARED, reads = fence || e.reads & AMD_SYNC_SHARED;
    if (!reads && !writes)
        return;
    if (fence)
        memset(m->bases, 0, sizeof m->bases);
    for (unsigned k = 0; k < KEPT; k++) {
        const ir_instr *o = m->kept[k];
        if (o && (row_of(o)->store ? !is_elsewhere(row, i, o) : writes))
            m->kept[k] = NULL;
    }
}

static void
visit(pairing *m, ir_instr *i)
{
    const pair_row *row = row_of(i);
    m->position++;
    if (m->keeps)
        forget(m, row, i);
    if (!row)
        return;
    i->mark = m->position;
    m->keeps = true;
    if (!find_partner(m, row, i))
        m->kept[m->next++ % KEPT] = i;
}

void
amd_opt_pair_lds(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        pairing m = {.f = f};
        IR_FOREACH_INSTR(i, b)
            visit(&m, i);
    }
}
