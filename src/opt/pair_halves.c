/* Pairs operations on 16-bit numbers that one instruction can compute (hir.h, IR_PAIRED).
 *
 *     16 %5 = fmul %1.x, %3.x              pair {
 *     16 %6 = fmul %1.y, %3.x                  16 %5 = fmul %1.x, %3.x
 *     16 %7 = fadd %5, %2.y        ->          16 %6 = fmul %1.y, %3.x
 *     16 %8 = fadd %6, %2.x                }
 *                                          pair {
 *                                              16 %7 = fadd %5, %2.y
 *                                              16 %8 = fadd %6, %2.x
 *                                          }
 *
 * A number has a place: a register and one of its halves. Components 2n and 2n + 1 of a vector
 * share a register, and so do the results of a pair. Two operations whose operands have the same
 * registers become a pair without cost: a map from opcode and registers finds the partner, so that
 * a pair makes further pairs of what uses it. Where a vector, a phi or a word needs two numbers in
 * one register anyway (pair_seeds.c), the operations that compute them are paired first, even if
 * some of their operands must be packed, as long as this is fewer instructions. Then operations
 * that found no partner are twins if their opcodes, their depth and those of their operands are the
 * same, and pairs of what computes them save more than packing costs (also pair_seeds.c).
 *
 * A phi of a loop is paired before it is known whether its operands at the loop's end will be. If
 * they are not, the walk is repeated without that pair; this happens at most twice. Only then is
 * the function changed: a pair takes the place of its first operation if the second one's operands
 * are there already, otherwise that of its second one if nothing between uses the first one's
 * result. Pairs of phis become phis of vectors. The time is linear, except for sorting a block's
 * phis. */
#include "opt/pair_plan.h"

#include "ir/replace.h"

/* ---- places ---- */

static uint64_t
register_of(uint32_t id, unsigned dword)
{
    return (uint64_t)id << 5 | dword;
}

opt_place
opt_place_of(const opt_pairing *p, ir_ref r)
{
    const ir_value *v = &p->f->values[r.id];
    const ir_instr *def = v->def;
    unsigned comp = r.comp == IR_WHOLE ? 0 : r.comp;
    if (def->op == IR_load_const || def->op == IR_undef)
        return (opt_place){0, 0};
    if (p->at[r.id].reg)
        return p->at[r.id];
    if (def->op == IR_unpack_32_2x16_x || def->op == IR_unpack_32_2x16_y) {
        ir_ref from = def->refs[0];
        return (opt_place){register_of(from.id, from.comp == IR_WHOLE ? 0 : from.comp),
                           def->op == IR_unpack_32_2x16_y};
    }
    if (ir_type_bits(v->type) == 16)
        return (opt_place){register_of(r.id, comp / 2), comp & 1};
    return (opt_place){register_of(r.id, comp), 0};
}

void
opt_put_pair(opt_pairing *p, uint32_t low, uint32_t high)
{
    p->at[low] = (opt_place){register_of(low, 0), 0};
    p->at[high] = (opt_place){register_of(low, 0), 1};
}

ir_ref
opt_pair_operand(const opt_pairing *p, const ir_instr *i, unsigned k, opt_pair_kind kind)
{
    ir_ref r = i->refs[k];
    bool is_float = ir_kind_base((ir_kind)ir_alu_table[i->op].src[k]) == IR_KIND_F;
    while (kind == OPT_PAIR_ANY && is_float && p->f->values[r.id].def->op == IR_fneg)
        r = p->f->values[r.id].def->refs[0];
    return r;
}

/* The number of instructions that bring two operands into one register as `kind` needs it: 0 or 1;
 * MISFIT if nothing does. */
enum { MISFIT = 8 };

static unsigned
operand_cost(const opt_pairing *p, ir_ref a, ir_ref b, opt_pair_kind kind)
{
    opt_place x = opt_place_of(p, a), y = opt_place_of(p, b);
    if (ir_type_bits(ir_ref_type(p->f, a)) == 1)
        return ir_same_ref(a, b) ? 0 : MISFIT;
    if (!x.reg && !y.reg)
        return 0;
    bool in_place = kind != OPT_PAIR_ALIGNED || (x.half == 0 && y.half == 1);
    return x.reg == y.reg && in_place ? 0 : 1;
}

/* The same for all operands of two operations, if `a` is the low one, and, if `swapped`, the first
 * two operands of `b` are exchanged. */
static unsigned
pair_cost(const opt_pairing *p, const ir_instr *a, const ir_instr *b, bool swapped)
{
    opt_pair_kind kind = p->rule(p->f, a);
    unsigned cost = 0;
    for (unsigned k = 0; k < a->n_refs && kind != OPT_PAIR_PARTS; k++) {
        unsigned other = swapped && k < 2 ? 1 - k : k;
        cost += operand_cost(p, opt_pair_operand(p, a, k, kind),
                             opt_pair_operand(p, b, other, kind), kind);
    }
    return cost;
}

/* ---- pairs of operations ---- */

/* May the pair stand where `first` does: are all operands of `second` defined before it? */
static bool
can_rise(const opt_pairing *p, const ir_instr *first, const ir_instr *second)
{
    for (unsigned k = 0; k < second->n_refs; k++) {
        if (p->order[second->refs[k].id] >= p->order[first->defs[0].id])
            return false;
    }
    return true;
}

static bool
reads(const ir_instr *i, uint32_t id)
{
    bool found = false;
    for (unsigned r = 0; r < i->n_refs; r++)
        found |= ir_is_value(i->refs[r]) && i->refs[r].id == id;
    return found;
}

/* Plans the pair of `first` and the later `second`, if it costs at most `most` instructions. */
static bool
plan_pair(opt_pairing *p, ir_instr *first, ir_instr *second, bool exchange, unsigned most)
{
    uint32_t a = first->defs[0].id, b = second->defs[0].id;
    ir_instr *low = exchange ? second : first, *high = exchange ? first : second;
    unsigned cost = pair_cost(p, low, high, false);
    bool swapped = false, rise = can_rise(p, first, second);
    if (cost && ir_has_flag(low, IR_OP_COMMUTES)) {
        unsigned other = pair_cost(p, low, high, true);
        swapped = other < cost;
        cost = swapped ? other : cost;
    }
    if (cost > most || (!rise && (p->used[a] || reads(second, a))))
        return false;
    p->pairs = arena_grow(p->scratch, p->pairs, &p->cap_pairs, p->n_pairs + 1, sizeof *p->pairs);
    p->pairs[p->n_pairs++] = (opt_planned_pair){low, high, swapped, rise ? first : second};
    p->order[rise ? b : a] = p->order[rise ? a : b];
    opt_put_pair(p, low->defs[0].id, high->defs[0].id);
    return true;
}

/* Equal for operations that are a pair without cost. */
static uint64_t
key_of(const opt_pairing *p, const ir_instr *i, opt_pair_kind kind)
{
    uint64_t regs[3] = {0}, key = i->op | (uint64_t)i->form << 16;
    for (unsigned k = 0; k < i->n_refs; k++)
        regs[k] = opt_place_of(p, opt_pair_operand(p, i, k, kind)).reg;
    if (ir_has_flag(i, IR_OP_COMMUTES) && regs[0] > regs[1]) {
        uint64_t t = regs[0];
        regs[0] = regs[1];
        regs[1] = t;
    }
    key = base_hash64(key + ((uint64_t)i->block->index << 32));
    for (unsigned k = 0; k < i->n_refs; k++)
        key = base_hash64(key + regs[k]);
    return key;
}

/* Is the first number that `i` reads in a high half? Then, where halves are read in place, the
 * other operation of a pair comes first. */
static bool
reads_high(const opt_pairing *p, const ir_instr *i)
{
    for (unsigned k = 0; k < i->n_refs; k++) {
        opt_place at = opt_place_of(p, i->refs[k]);
        if (at.reg && ir_type_bits(ir_ref_type(p->f, i->refs[k])) == 16)
            return at.half;
    }
    return false;
}

static void
find_partner(opt_pairing *p, ir_instr *i, opt_pair_kind kind)
{
    uint64_t key = key_of(p, i, kind), waiting = 0;
    if (map_get(&p->waiting, key, &waiting) && waiting) {
        ir_instr *other = p->f->values[waiting].def;
        bool same = other->op == i->op && other->form == i->form && other->block == i->block;
        bool exchange = kind == OPT_PAIR_ALIGNED && reads_high(p, other);
        if (same && plan_pair(p, other, i, exchange, 0)) {
            map_put(&p->waiting, key, 0);
            return;
        }
    }
    map_put(&p->waiting, key, i->defs[0].id);
}

static void
visit_alu(opt_pairing *p, ir_instr *i)
{
    uint32_t id = i->defs[0].id, mate = p->seeds.mate[id];
    if (ir_joins_next(i, &ir_hir_bundles[0])) /* a pair already */
        opt_put_pair(p, id, i->next->defs[0].id);
    if (p->at[id].reg)
        return;
    opt_pair_kind kind = p->f->values[id].type == IR_I16 ? p->rule(p->f, i) : OPT_PAIR_NONE;
    if (kind == OPT_PAIR_NONE)
        return;
    if (mate && p->order[mate])
        plan_pair(p, p->f->values[mate].def, i, p->seeds.low[id], 1);
    else if (!mate && kind != OPT_PAIR_PARTS)
        find_partner(p, i, kind);
}

/* ---- pairs of phis ---- */

/* Are two operands, in this order, a register or constants? */
static bool
is_register(const opt_pairing *p, ir_ref low, ir_ref high)
{
    opt_place x = opt_place_of(p, low), y = opt_place_of(p, high);
    return x.reg == y.reg && (!x.reg || (x.half == 0 && y.half == 1));
}

static bool
operands_are_registers(const opt_pairing *p, const opt_phi_pair *pair, bool walked)
{
    for (unsigned k = 0; k < pair->low->n_refs; k++) {
        ir_ref a = pair->low->refs[k], b = pair->high->refs[k];
        bool later = !walked && !p->order[a.id] && !p->order[b.id];
        if (!later && !is_register(p, a, b))
            return false;
    }
    return true;
}

static void
visit_phis(opt_pairing *p, const ir_block *b)
{
    for (; p->next_phi < p->seeds.n_phis; p->next_phi++) {
        opt_phi_pair *pair = &p->seeds.phis[p->next_phi];
        if (pair->low->block != b)
            return;
        pair->taken = !pair->banned && operands_are_registers(p, pair, false);
        if (pair->taken)
            opt_put_pair(p, pair->low->defs[0].id, pair->high->defs[0].id);
    }
}

/* Bans pairs of phis that turned out to need packing. Returns true if there are any. */
static bool
ban_bad_phis(opt_pairing *p)
{
    bool any = false;
    for (size_t k = 0; k < p->seeds.n_phis; k++) {
        opt_phi_pair *pair = &p->seeds.phis[k];
        if (!pair->taken || pair->banned || operands_are_registers(p, pair, true))
            continue;
        p->at[pair->low->defs[0].id] = p->at[pair->high->defs[0].id] = (opt_place){0, 0};
        any = pair->banned = true;
    }
    return any;
}

/* Bans them, and those that read their results, as outer loops do; if `all`, every pair if one is
 * bad. Chains are followed only so far. Returns true if there are any. */
static bool
ban_phis(opt_pairing *p, bool all)
{
    enum { NEST = 6 };
    bool any = ban_bad_phis(p);
    for (unsigned k = 0; any && k < NEST && ban_bad_phis(p); k++)
        continue;
    for (size_t k = 0; all && any && k < p->seeds.n_phis; k++)
        p->seeds.phis[k].banned = true;
    return any;
}

/* ---- the walk ---- */

static void
walk(opt_pairing *p)
{
    ir_fn *f = p->f;
    uint32_t order = 0;
    p->at = ARENA_ARRAY(p->scratch, f->n_values, opt_place);
    p->order = ARENA_ARRAY(p->scratch, f->n_values, uint32_t);
    p->used = ARENA_ARRAY(p->scratch, f->n_values, bool);
    p->waiting = map_make(p->scratch);
    p->n_pairs = p->next_phi = 0;
    IR_FOREACH_BLOCK(b, f) {
        visit_phis(p, b);
        IR_FOREACH_INSTR(i, b) {
            order++;
            for (unsigned d = 0; d < i->n_defs; d++)
                p->order[i->defs[d].id] = order;
            if (ir_has_flag(i, IR_OP_ALU))
                visit_alu(p, i);
            for (unsigned r = 0; r < i->n_refs; r++) {
                if (ir_is_value(i->refs[r]))
                    p->used[i->refs[r].id] = true;
            }
        }
    }
}

/* ---- changing the function ---- */

static void
place_pair(const opt_planned_pair *pair)
{
    ir_instr *low = pair->low, *high = pair->high;
    if (pair->at == low) {
        ir_unlink(high);
        ir_insert_after(low, high);
    } else {
        ir_unlink(low);
        ir_insert_before(high, low);
    }
    if (pair->swapped) {
        ir_ref t = high->refs[0];
        high->refs[0] = high->refs[1];
        high->refs[1] = t;
    }
    high->form |= IR_PAIRED;
}

static ir_ref
define_pair(ir_fn *f, ir_instr *i, bool divergent)
{
    ir_ref r = ir_define(f, i, 0, IR_TYPE(16, 2));
    f->values[r.id].divergent = divergent;
    return r;
}

static void
join_phis(ir_fn *f, const opt_phi_pair *pair, ir_replacement *map)
{
    ir_instr *low = pair->low, *high = pair->high;
    ir_instr *phi = ir_new_instr(f, IR_phi, 1, low->n_refs);
    bool divergent = f->values[low->defs[0].id].divergent || f->values[high->defs[0].id].divergent;
    ir_ref both = define_pair(f, phi, divergent);
    phi->loc = low->loc;
    for (unsigned k = 0; k < low->n_refs; k++) {
        ir_instr *vec = ir_new_instr(f, IR_vec, 1, 2);
        vec->refs[0] = low->refs[k];
        vec->refs[1] = high->refs[k];
        vec->loc = low->loc;
        phi->refs[k] = define_pair(f, vec, divergent);
        ir_insert_before(ir_terminator(low->block->preds[0].at[k]), vec);
    }
    ir_insert_before(low, phi);
    ir_replace_add(map, low->defs[0].id, ir_comp(both, 0));
    ir_replace_add(map, high->defs[0].id, ir_comp(both, 1));
    ir_remove(low);
    ir_remove(high);
}

static bool
commit(opt_pairing *p)
{
    ir_replacement map = {.f = p->f};
    for (size_t k = 0; k < p->n_pairs; k++)
        place_pair(&p->pairs[k]);
    for (size_t k = 0; k < p->seeds.n_phis; k++) {
        if (p->seeds.phis[k].taken)
            join_phis(p->f, &p->seeds.phis[k], &map);
    }
    if (map.any)
        ir_replace_all(&map);
    return map.any || p->n_pairs;
}

/* Walks until no pair of phis turns out to need packing. */
static void
settle(opt_pairing *p)
{
    enum { ROUNDS = 3 };
    for (unsigned round = 1; round <= ROUNDS; round++) {
        walk(p);
        if (!ban_phis(p, round + 1 == ROUNDS))
            return;
    }
}

bool
opt_pair_halves(ir_fn *f, opt_pair_rule rule)
{
    if (!ir_made_bits(f, 16))
        return false;
    arena_mark mark = arena_save(f->ctx->scratch);
    opt_pairing p = {.f = f, .rule = rule, .scratch = f->ctx->scratch};
    p.at = ARENA_ARRAY(p.scratch, f->n_values, opt_place);
    opt_find_pair_seeds(&p);
    settle(&p);
    if (opt_find_pair_twins(&p))
        settle(&p);
    bool changed = commit(&p);
    arena_release(f->ctx->scratch, mark);
    return changed;
}
