/* Subgroup operations on values that are equal in all active lanes.
 *
 * Another lane's value equals this lane's (that of an inactive lane is undefined). A vote gives its
 * operand. Minimum, maximum, `and` and `or` give the value itself. A sum is the value times the
 * number of active lanes, or in a scan of the active lanes below. The ballots that count them are
 * made once per block.
 *
 *     32 %3 = @reduce (%2) (reduction_op=iadd)  ->  64 %4 = @ballot (true)
 *                                                   32 %5 = bit_count %4
 *                                                   32 %3 = imul %2, %5
 *
 * If all lanes are known to be active, their number is a constant. A shuffle with a uniform lane
 * becomes read_invocation, others simpler exchanges (opt/subgroup_lane.c); booleans use ballots
 * (opt/subgroup_bool.c), which in waves of 32 lanes have 32 bits. One walk; the pass returns early
 * for functions without such operations.
 */
#include "ir/replace.h"
#include "opt/opt.h"
#include "opt/subgroup_bool.h"
#include "opt/subgroup_lane.h"

#include "ir/analysis.h"
#include "ir/builder.h"

typedef struct uniform {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    const bool *full; /* by block: all lanes are active */
    /* of the block being visited; kind NONE: not made yet */
    ir_ref active, count, below;
    bool all_lanes;
} uniform;

static bool
is_subgroup_op(unsigned op)
{
    return (op >= IR_elect && op <= IR_exclusive_scan) || op == IR_load_subgroup_size;
}

static bool
has_subgroup_ops(const ir_fn *f)
{
    bool any = ir_made_op(f, IR_load_subgroup_size);
    for (unsigned op = IR_elect; op <= IR_exclusive_scan; op++)
        any |= ir_made_op(f, op);
    return any;
}

static ir_ref
intrinsic(uniform *u, ir_op op, ir_type type, ir_ref a, ir_ref b)
{
    ir_ref refs[2] = {a, b};
    return ir_build_intr(&u->b, op, type, refs, ir_is_value(a) + ir_is_value(b));
}

/* Marks the new value `r` as divergent. */
static ir_ref
divergent(const uniform *u, ir_ref r)
{
    u->f->values[r.id].divergent = true;
    return r;
}

/* ---- the active lanes ---- */

/* The mask of active lanes. It is made before the first instruction in the block that needs it, so
 * it dominates the rest of the block. */
static ir_ref
active_lanes(uniform *u)
{
    if (!ir_is_value(u->active)) {
        ir_ref yes = ir_build_imm(&u->b, 1, 1);
        u->active = u->all_lanes ? ir_build_imm(&u->b, 64, base_mask64(u->f->shader.wave_size))
                                 : opt_ballot(&u->b, yes);
    }
    return u->active;
}

static ir_ref
count_active(uniform *u)
{
    if (!ir_is_value(u->count))
        u->count = u->all_lanes ? ir_build_imm(&u->b, 32, u->f->shader.wave_size)
                                : irb_bit_count(&u->b, active_lanes(u));
    return u->count;
}

/* The number of active lanes below this one. */
static ir_ref
count_below(uniform *u)
{
    if (ir_is_value(u->below))
        return u->below;
    if (u->all_lanes)
        u->below = intrinsic(u, IR_load_subgroup_invocation, IR_I32, ir_none(), ir_none());
    else
        u->below = intrinsic(u, IR_ballot_bit_count_exclusive, IR_I32, active_lanes(u), ir_none());
    return divergent(u, u->below);
}

/* ---- reductions and scans ---- */

/* Returns true if combining a value with itself any number of times gives the value. */
static bool
is_idempotent(unsigned reduction)
{
    switch (reduction) {
    case IR_REDUCE_iadd:
    case IR_REDUCE_fadd:
    case IR_REDUCE_imul:
    case IR_REDUCE_fmul:
    case IR_REDUCE_ixor: return false;
    default: return true;
    }
}

static ir_ref
identity(uniform *u, unsigned reduction, unsigned bits)
{
    return ir_build_imm(&u->b, bits, ir_reduction_identity((ir_reduction)reduction, bits));
}

/* `x` combined with itself, `n` times in all; none if that costs more than the reduction. */
static ir_ref
multiple(uniform *u, unsigned reduction, ir_ref x, ir_ref n)
{
    ir_builder *b = &u->b;
    ir_type type = ir_ref_type(u->f, x);
    if (type == IR_BOOL)
        return ir_none();
    switch (reduction) {
    case IR_REDUCE_iadd:
        return irb_imul(b, x, ir_build_alu(b, IR_u2u, type, n, ir_none(), ir_none()));
    case IR_REDUCE_fadd:
        return irb_fmul(b, x, ir_build_alu(b, IR_u2f, type, n, ir_none(), ir_none()));
    case IR_REDUCE_ixor: {
        ir_ref odd = irb_ibitfield_extract(b, n, ir_build_imm(b, 32, 0), ir_build_imm(b, 32, 1));
        return irb_iand(b, x, ir_build_alu(b, IR_i2i, type, odd, ir_none(), ir_none()));
    }
    default: return ir_none();
    }
}

/* The product over all lanes. Their number is a power of 2, so repeated squaring gives it. */
static ir_ref
power(uniform *u, unsigned reduction, ir_ref x)
{
    for (uint32_t n = u->f->shader.wave_size; n > 1; n /= 2)
        x = reduction == IR_REDUCE_imul ? irb_imul(&u->b, x, x) : irb_fmul(&u->b, x, x);
    return x;
}

static ir_ref
reduce(uniform *u, const ir_instr *i)
{
    unsigned reduction = ir_attr_get(i, IR_A_REDUCTION_OP);
    if (is_idempotent(reduction))
        return i->refs[0];
    if (ir_attr_get(i, IR_A_CLUSTER_SIZE))
        return ir_none();
    if (reduction == IR_REDUCE_imul || reduction == IR_REDUCE_fmul)
        return u->all_lanes ? power(u, reduction, i->refs[0]) : ir_none();
    return multiple(u, reduction, i->refs[0], count_active(u));
}

static ir_ref
scan(uniform *u, const ir_instr *i)
{
    ir_builder *b = &u->b;
    unsigned reduction = ir_attr_get(i, IR_A_REDUCTION_OP);
    bool inclusive = i->op == IR_inclusive_scan;
    ir_ref x = i->refs[0];
    if (reduction == IR_REDUCE_imul || reduction == IR_REDUCE_fmul)
        return ir_none();
    if (is_idempotent(reduction) && inclusive)
        return x;
    if (is_idempotent(reduction)) {
        ir_ref first = divergent(u, intrinsic(u, IR_elect, IR_BOOL, ir_none(), ir_none()));
        ir_ref none = identity(u, reduction, ir_type_bits(ir_ref_type(u->f, x)));
        return divergent(u, irb_bcsel(b, first, none, x));
    }
    ir_ref n = count_below(u), zero = ir_build_imm(b, 32, 0);
    if (inclusive)
        n = irb_iadd(b, n, ir_build_imm(b, 32, 1));
    ir_ref r = multiple(u, reduction, x, n);
    if (!ir_is_value(r))
        return r;
    if (reduction == IR_REDUCE_fadd && !inclusive) /* 0, even if x is an infinity */
        r = irb_bcsel(b, irb_ieq(b, n, zero),
                      identity(u, reduction, ir_type_bits(ir_ref_type(u->f, x))), r);
    return divergent(u, r);
}

/* ---- the rest ---- */

static ir_ref
ballot(uniform *u, ir_ref x)
{
    uint64_t value;
    if (ir_is_const(u->f, x, &value))
        return value ? active_lanes(u) : ir_build_imm(&u->b, 64, 0);
    ir_ref active = active_lanes(u);
    return irb_bcsel(&u->b, x, active, ir_build_imm(&u->b, 64, 0));
}

/* The lane's own bit of a ballot is what the lane has given. */
static ir_ref
inverse_ballot(const uniform *u, ir_ref mask)
{
    const ir_instr *def = u->f->values[mask.id].def;
    if (def->op == IR_u2u) /* in waves of 32 lanes */
        def = u->f->values[def->refs[0].id].def;
    if (def->op == IR_unpack_64_2x32_x)
        def = u->f->values[def->refs[0].id].def;
    return def->op == IR_ballot ? def->refs[0] : ir_none();
}

/* The replacement for `i`, whose first operand is uniform, or none. */
static ir_ref
of_uniform(uniform *u, const ir_instr *i)
{
    ir_ref x = i->refs[0];
    if (ir_has_flag(i, IR_OP_EXCHANGE))
        return x;
    switch (i->op) {
    case IR_vote_any:
    case IR_vote_all: return x;
    case IR_vote_ieq: return ir_build_imm(&u->b, 1, 1);
    case IR_vote_feq: return irb_feq(&u->b, x, x);
    case IR_ballot: return ballot(u, x);
    case IR_inverse_ballot: return inverse_ballot(u, x);
    case IR_reduce: return reduce(u, i);
    case IR_inclusive_scan:
    case IR_exclusive_scan: return scan(u, i);
    default: return ir_none();
    }
}

/* Clusters of one lane, and of all. */
static ir_ref
clustered(uniform *u, ir_instr *i)
{
    uint32_t wave = u->f->shader.wave_size, cluster = ir_attr_get(i, IR_A_CLUSTER_SIZE);
    if (wave && cluster >= wave)
        ir_attr_set(i, IR_A_CLUSTER_SIZE, 0);
    return cluster == 1 ? i->refs[0] : ir_none();
}

/* The replacement for `i`, whose first operand differs between lanes, or none. */
static ir_ref
of_divergent(uniform *u, const ir_instr *i)
{
    if (i->op == IR_ballot && u->f->shader.wave_size == 32)
        return opt_ballot(&u->b, i->refs[0]);
    if (i->op == IR_shuffle && !u->f->values[i->refs[1].id].divergent)
        return intrinsic(u, IR_read_invocation, u->f->values[i->defs[0].id].type, i->refs[0],
                         i->refs[1]);
    return ir_none();
}

static ir_ref
simplified(uniform *u, ir_instr *i)
{
    uint32_t wave = u->f->shader.wave_size;
    ir_ref r = ir_none();
    if (i->op == IR_load_subgroup_size)
        return wave ? ir_build_imm(&u->b, 32, wave) : ir_none();
    if (!i->n_refs || wave > 64) /* no number has a bit for each lane */
        return ir_none();
    if (i->op == IR_reduce)
        r = clustered(u, i);
    if (!ir_is_value(r) && !u->f->values[i->refs[0].id].divergent)
        r = of_uniform(u, i);
    if (ir_is_value(r))
        return r;
    if (ir_ref_type(u->f, i->refs[0]) == IR_BOOL && i->op != IR_ballot) {
        r = opt_subgroup_bool(&u->b, i);
        if (ir_is_value(r))
            u->f->values[r.id].divergent = u->f->values[i->defs[0].id].divergent;
        return r;
    }
    return u->f->values[i->refs[0].id].divergent ? of_divergent(u, i) : ir_none();
}

/* The same, after a shuffle has become a simpler exchange. */
static ir_ref
simplified_shuffle(uniform *u, ir_instr *i)
{
    ir_ref r = opt_shuffle_by_lane(&u->b, i);
    if (!ir_is_value(r) || ir_same_ref(r, i->refs[0]))
        return ir_is_value(r) ? r : simplified(u, i);
    ir_instr *other = u->f->values[divergent(u, r).id].def;
    ir_ref again = simplified(u, other);
    if (!ir_is_value(again))
        return r;
    ir_remove(other);
    return again;
}

static ir_ref
replacement(uniform *u, ir_instr *i)
{
    if (i->op != IR_ishl)
        return i->op == IR_shuffle ? simplified_shuffle(u, i) : simplified(u, i);
    ir_ref r = u->f->values[i->defs[0].id].type == IR_I64 ? opt_shift_by_lane(&u->b, i) : ir_none();
    return ir_is_value(r) ? divergent(u, r) : r;
}

static void
visit(uniform *u, ir_instr *i)
{
    ir_replace_in(&u->map, i);
    if (!is_subgroup_op(i->op) && i->op != IR_ishl)
        return;
    ir_builder_before(&u->b, i);
    u->b.loc = i->loc;
    ir_ref r = replacement(u, i);
    if (!ir_is_value(r) || !ir_may_change(u->f->ctx))
        return;
    ir_replace_add(&u->map, i->defs[0].id, r);
    ir_remove(i);
}

bool
opt_uniform_subgroup(ir_fn *f)
{
    if (!has_subgroup_ops(f))
        return false;
    ir_compute_divergence(f);
    uniform u = {.f = f, .map = {.f = f}};
    u.full = ir_find_full_blocks(f, f->ctx->scratch);
    ir_builder_init(&u.b, f);
    IR_FOREACH_BLOCK(b, f) {
        u.active = u.count = u.below = ir_none();
        u.all_lanes = u.full[b->index];
        IR_FOREACH_INSTR(i, b)
            visit(&u, i);
    }
    if (u.map.any)
        ir_replace_all(&u.map);
    return true;
}
