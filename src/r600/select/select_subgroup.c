/* Subgroups: lanes of a wave exchange numbers through LDS.
 *
 * Behind the shader's own LDS each lane of the workgroup has a dword; in stages of graphics each
 * lane of the wave, which has LDS of its own (SQ_LDS_ALLOC_PS). The lanes of a wave execute
 * an instruction of LDS before any executes the next one, so no barrier is needed between a write
 * and a read of another lane's dword. The first dword of a wave, or of a cluster of lanes, serves
 * for atomics in which active lanes take part. */
#include "r600/select/select.h"

#include "base/bits.h"
#include "opt/lower_loops.h"

static tree_operand
number(uint32_t n)
{
    return r600_tree_const(n);
}

static uint32_t
lanes_of(const r600_sel *s)
{
    return s->program->wave_size;
}

/* The byte of the dword of lane `at`, in a wave of graphics. */
static tree_operand
place_in_wave(r600_sel *s, tree_operand at)
{
    s->program->lds_bytes = lanes_of(s) * 4;
    return r600_sel_op2(s, R600_LSHL_INT, at, number(2));
}

/* The byte of a lane's dword: of lane `at` of this wave. */
static tree_operand
place_of(r600_sel *s, tree_operand at)
{
    if (s->hir->shader.stage != IR_STAGE_COMPUTE)
        return place_in_wave(s, at);
    const uint32_t *size = s->hir->shader.workgroup_size;
    const uint32_t lanes = lanes_of(s), items = size[0] * size[1] * size[2];
    const uint32_t base = (s->hir->shader.shared_size + 3) & ~3u;
    const uint32_t bytes = (items + lanes - 1) / lanes * lanes * 4;
    s->program->lds_bytes = base + bytes;
    if (base + bytes > R600_MOST_LDS)
        r600_sel_lacks(s, "subgroups beside so much shared memory");
    const tree_operand wave = r600_sel_op2(s, R600_AND_INT, r600_sel_local_index(s),
                                           number(~(lanes - 1)));
    const tree_operand index = r600_sel_op2(s, R600_OR_INT, wave, at);
    return r600_sel_plus(s, r600_sel_op2(s, R600_LSHL_INT, index, number(2)), base);
}

static void
lds_write(r600_sel *s, unsigned op, tree_operand place, tree_operand value)
{
    r600_sel_lds(s, op, place)->src[1] = value;
}

static tree_operand
lds_read(r600_sel *s, tree_operand place)
{
    r600_sel_lds(s, R600_LDS_READ_RET, place);
    return r600_sel_lds_result(s);
}

/* What an atomic of all active lanes leaves in a dword that begins as `start`. */
static tree_operand
gather(r600_sel *s, unsigned op, tree_operand place, uint32_t start, tree_operand value)
{
    lds_write(s, R600_LDS_WRITE, place, number(start));
    lds_write(s, op, place, value);
    return lds_read(s, place);
}

static tree_operand
first_lane(r600_sel *s)
{
    return gather(s, R600_LDS_MIN_UINT, place_of(s, number(0)), UINT32_MAX, r600_sel_lane(s));
}

/* ---- masks ---- */

/* The active lanes where a mask is set, in `out`, 64 bits. */
static void
ballot(r600_sel *s, tree_operand mask, tree_operand out[2])
{
    const tree_operand me = r600_sel_lane(s);
    const tree_operand bit = r600_sel_op2(s, R600_LSHL_INT, number(1), me);
    const tree_operand value = r600_sel_op2(s, R600_AND_INT, mask, bit);
    const tree_operand half = r600_sel_op2(s, R600_LSHR_INT, me, number(5));
    const tree_operand low = place_of(s, number(0)), high = place_of(s, number(1));
    lds_write(s, R600_LDS_WRITE, low, number(0));
    lds_write(s, R600_LDS_WRITE, high, number(0));
    lds_write(s, R600_LDS_OR, place_of(s, half), value);
    out[0] = lds_read(s, low);
    out[1] = lds_read(s, high);
}

static tree_operand
is_any(r600_sel *s, unsigned op, tree_operand mask)
{
    const tree_operand any = gather(s, R600_LDS_OR, place_of(s, number(0)), 0, mask);
    return r600_sel_op2(s, op, any, number(0));
}

static tree_operand
is_all(r600_sel *s, tree_operand mask)
{
    return is_any(s, R600_SETE_INT, r600_sel_op1(s, R600_NOT_INT, mask));
}

/* The bits of a mask that belong to lanes below. BFM takes the width modulo 32. */
static tree_operand
count_below(r600_sel *s, ir_ref mask)
{
    const tree_operand me = r600_sel_lane(s), zero = number(0);
    const tree_operand upper = r600_sel_op2(s, R600_AND_INT, me, number(32));
    const tree_operand below = r600_sel_op2(s, R600_BFM_INT, me, zero);
    const tree_operand low = r600_sel_op(s, R600_CNDE_INT, upper, below, number(UINT32_MAX));
    const tree_operand high = r600_sel_op(s, R600_CNDE_INT, upper, zero, below);
    const tree_operand a = r600_sel_op2(s, R600_AND_INT, r600_sel_part(s, mask, 0), low);
    const tree_operand b = r600_sel_op2(s, R600_AND_INT, r600_sel_part(s, mask, 1), high);
    return r600_sel_op2(s, R600_ADD_INT, r600_sel_op1(s, R600_BCNT_INT, a),
                        r600_sel_op1(s, R600_BCNT_INT, b));
}

/* ---- values of other lanes ---- */

/* The value that lane `at` has. */
static void
take_from(r600_sel *s, ir_ref value, tree_operand at, tree_operand *out)
{
    const unsigned n = r600_sel_parts(s, value);
    const tree_operand mine = place_of(s, r600_sel_lane(s)), other = place_of(s, at);
    for (unsigned k = 0; k < n; k++) {
        lds_write(s, R600_LDS_WRITE, mine, r600_sel_part(s, value, k));
        out[k] = lds_read(s, other);
    }
}

/* The bits of `a` outside a mask and those of `b` inside. */
static tree_operand
join(r600_sel *s, uint32_t mask, tree_operand b, tree_operand a)
{
    return r600_sel_op(s, R600_BFI_INT, number(mask), b, a);
}

/* The lane from which an instruction takes its value; kind TREE_NONE for others. */
static tree_operand
source_lane(r600_sel *s, const ir_instr *i)
{
    const uint32_t most = lanes_of(s) - 1;
    const tree_operand n = i->n_refs > 1 ? r600_sel_get(s, i->refs[1]) : number(0);
    const tree_operand me = r600_sel_lane(s);
    uint32_t cluster;
    tree_operand at;
    switch (i->op) {
    case IR_read_invocation:
    case IR_shuffle: at = n; break;
    case IR_read_first_invocation: at = first_lane(s); break;
    case IR_shuffle_xor: at = r600_sel_op2(s, R600_XOR_INT, me, n); break;
    case IR_shuffle_up: at = r600_sel_op2(s, R600_SUB_INT, me, n); break;
    case IR_shuffle_down: at = r600_sel_op2(s, R600_ADD_INT, me, n); break;
    case IR_rotate:
        cluster = ir_attr_get(i, IR_A_CLUSTER_SIZE);
        at = join(s, (cluster ? cluster : most + 1) - 1, r600_sel_op2(s, R600_ADD_INT, me, n), me);
        break;
    case IR_quad_broadcast: at = join(s, 3, n, me); break;
    case IR_quad_swap_horizontal: at = r600_sel_op2(s, R600_XOR_INT, me, number(1)); break;
    case IR_quad_swap_vertical: at = r600_sel_op2(s, R600_XOR_INT, me, number(2)); break;
    case IR_quad_swap_diagonal: at = r600_sel_op2(s, R600_XOR_INT, me, number(3)); break;
    default: return (tree_operand){0};
    }
    return r600_sel_op2(s, R600_AND_INT, at, number(most));
}

/* Reductions of 32-bit integers, which are atomics in LDS. */
static const uint16_t reductions[IR_REDUCE_COUNT] = {
    [IR_REDUCE_iadd] = R600_LDS_ADD,      [IR_REDUCE_imin] = R600_LDS_MIN_INT,
    [IR_REDUCE_umin] = R600_LDS_MIN_UINT, [IR_REDUCE_imax] = R600_LDS_MAX_INT,
    [IR_REDUCE_umax] = R600_LDS_MAX_UINT, [IR_REDUCE_iand] = R600_LDS_AND,
    [IR_REDUCE_ior] = R600_LDS_OR,        [IR_REDUCE_ixor] = R600_LDS_XOR,
};

bool
r600_lacks_scan(const ir_fn *f, const ir_instr *i)
{
    if (!opt_is_scan(i) || f->values[i->defs[0].id].type == IR_BOOL)
        return false;
    return i->op != IR_reduce || f->values[i->defs[0].id].type != IR_I32 ||
           !reductions[ir_attr_get(i, IR_A_REDUCTION_OP)];
}

static tree_operand
reduce(r600_sel *s, const ir_instr *i)
{
    const ir_reduction which = (ir_reduction)ir_attr_get(i, IR_A_REDUCTION_OP);
    const uint32_t cluster = ir_attr_get(i, IR_A_CLUSTER_SIZE);
    const uint32_t size = cluster && cluster < lanes_of(s) ? cluster : lanes_of(s);
    const tree_operand first = r600_sel_op2(s, R600_AND_INT, r600_sel_lane(s), number(~(size - 1)));
    return gather(s, reductions[which], place_of(s, first),
                  (uint32_t)ir_reduction_identity(which, 32), r600_sel_get(s, i->refs[0]));
}

/* ---- all ---- */

static tree_operand
select_one(r600_sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_subgroup_id:
        return r600_sel_op2(s, R600_LSHR_INT, r600_sel_local_index(s),
                            number(base_ctz64(lanes_of(s))));
    case IR_load_subgroup_invocation: return r600_sel_lane(s);
    case IR_elect: return r600_sel_op2(s, R600_SETE_INT, first_lane(s), r600_sel_lane(s));
    case IR_vote_any: return is_any(s, R600_SETNE_INT, r600_sel_get(s, i->refs[0]));
    case IR_vote_all: return is_all(s, r600_sel_get(s, i->refs[0]));
    case IR_ballot_bit_count_exclusive: return count_below(s, i->refs[0]);
    case IR_reduce: return reduce(s, i);
    default: return (tree_operand){0};
    }
}

/* ---- subgroups of one invocation ---- */

static void
set_identity(r600_sel *s, const ir_instr *i)
{
    const unsigned bits = r600_sel_bits(s, i->refs[0]), n = r600_sel_parts(s, i->refs[0]);
    const uint64_t x = ir_reduction_identity((ir_reduction)ir_attr_get(i, IR_A_REDUCTION_OP), bits);
    for (unsigned k = 0; k < n; k++)
        r600_sel_def(s, i)[k] = number((uint32_t)(bits == 64 && k % 2 ? x >> 32 : x));
}

static void
set_same(r600_sel *s, const ir_instr *i)
{
    for (unsigned k = 0; k < r600_sel_parts(s, i->refs[0]); k++)
        r600_sel_def(s, i)[k] = r600_sel_part(s, i->refs[0], k);
}

/* Returns false for what other lanes of the quad have. */
static bool
select_alone(r600_sel *s, const ir_instr *i)
{
    tree_operand *out;
    switch (i->op) {
    case IR_ballot:
        out = r600_sel_def(s, i);
        out[0] = r600_sel_op2(s, R600_AND_INT, r600_sel_get(s, i->refs[0]), number(1));
        out[1] = number(0);
        return true;
    case IR_load_subgroup_invocation:
    case IR_ballot_bit_count_exclusive: *r600_sel_def(s, i) = number(0); return true;
    case IR_elect: *r600_sel_def(s, i) = number(UINT32_MAX); return true;
    case IR_exclusive_scan: set_identity(s, i); return true;
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_vote_any:
    case IR_vote_all:
    case IR_read_first_invocation:
    case IR_read_invocation:
    case IR_shuffle:
    case IR_shuffle_xor:
    case IR_shuffle_up:
    case IR_shuffle_down:
    case IR_rotate: set_same(s, i); return true;
    default: return false;
    }
}

bool
r600_select_subgroup(r600_sel *s, const ir_instr *i)
{
    if (r600_lanes_are_alone(s->p->chip))
        return select_alone(s, i);
    if (i->op == IR_ballot) {
        ballot(s, r600_sel_get(s, i->refs[0]), r600_sel_def(s, i));
        return true;
    }
    if (!i->n_defs)
        return false;
    const bool moves = ir_has_flag(i, IR_OP_EXCHANGE);
    const tree_operand r = moves ? source_lane(s, i) : select_one(s, i);
    if (!r.kind)
        return false;
    if (moves)
        take_from(s, i->refs[0], r, r600_sel_def(s, i));
    else
        *r600_sel_def(s, i) = r;
    return true;
}
