/* optimize_postRA: rules that need to know registers, or the code that SSA's end leaves.
 *
 *     s_and_b64 s[2:3], vcc, exec         (a comparison of this block is 0 in inactive lanes)
 *     s_or_b64 s[0:1], s[0:1], s[2:3] ->  s_or_b64 s[0:1], s[0:1], vcc
 *
 *     s_and_saveexec_b64 s[0:1], vcc
 *     s_andn2_b64 exec, s[0:1], vcc   ->  s_andn1_saveexec_b64 s[0:1], vcc
 *
 *     v_cmp_lt_f32 vcc, v0, v1
 *     s_and_saveexec_b64 s[0:1], vcc  ->  v_cmpx_lt_f32 v0, v1       (if nothing restores exec)
 *                                         v_cmpx_lt_f32 vcc, v0, v1  (where it writes a mask too)
 *
 *     v_cmp_lt_f32 vcc, v0, v1
 *     s_and_saveexec_b64 s[0:1], vcc
 *     s_andn2_b64 exec, s[0:1], vcc   ->  v_cmpx_nlt_f32 v0, v1      (the same)
 *
 *     v_cmp_lt_f32 vcc, v0, v1
 *     s_and_b64 s[2:3], s[4:5], vcc       s_and_saveexec_b64 s[0:1], s[4:5]
 *     s_and_saveexec_b64 s[0:1], s[2:3] -> v_cmpx_lt_f32 v0, v1
 *
 *     s_not_b64 s[2:3], s[0:1]
 *     s_and_b64 exec, s[2:3], exec    ->  s_andn2_b64 exec, exec, s[0:1]
 *
 *     s_nor_b64 s[0:1], vcc, s[2:3]
 *     exec = s[0:1]                   ->  s_nor_b64 exec, vcc, s[2:3]
 *
 *     s_or_b32 s0, s1, s2
 *     m0 = s0                         ->  s_or_b32 m0, s1, s2
 *
 * Runs behind ssa_elimination, where blocks without instructions are gone. One walk back over the
 * blocks removes what restores exec for nothing, then one forward remembers the last
 * instruction of the block that wrote each register, so that what lies between two instructions is
 * known without a search. References keep their values, so use counts tell what else reads one: a
 * phi that took a value in its register left no reference, but then the value is not killed where
 * its block ends.
 */
#include "amd/post/optimize_post_ra.h"

#include "amd/isa/table/table.h"
#include "amd/target/compare.h"

#include <assert.h>

ir_instr *
amd_post_writer(const amd_post_ctx *c, const ir_instr *i, ir_ref r)
{
    assert(r.reg < AMD_VGPR0);
    ir_instr *w = c->writer[r.reg / 4];
    for (unsigned k = 1; k < amd_rc_regs(r.rc); k++) {
        if (c->writer[r.reg / 4 + k] != w)
            return NULL;
    }
    return w && w->block == i->block ? w : NULL;
}

void
amd_post_drop(const amd_post_ctx *c, ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]))
            c->uses[i->refs[r].id]--;
    }
    for (unsigned d = 0; d < i->n_defs; d++)
        c->f->values[i->defs[d].id].def = NULL;
    ir_unlink(i);
}

/* The same where `w` has taken over the write of exec by `i`. */
static void
drop_for(const amd_post_ctx *c, ir_instr *i, ir_instr *w)
{
    ir_ref exec = i->defs[0];
    amd_post_drop(c, i);
    if (exec.id)
        c->f->values[exec.id].def = w;
}

/* Does `i` write one of the registers of `r`? */
static bool
overwrites(const ir_instr *i, ir_ref r)
{
    unsigned begin = r.reg, end = begin + amd_rc_bytes(r.rc);
    for (unsigned d = 0; d < i->n_defs; d++) {
        unsigned from = i->defs[d].reg;
        if (from < end && begin < from + amd_rc_bytes(i->defs[d].rc))
            return true;
    }
    return false;
}

ir_instr *
amd_post_reader(const amd_post_ctx *c, const ir_instr *i, ir_ref def, ir_ref keep, unsigned *at)
{
    unsigned n = 0;
    if (c->uses[def.id] != 1)
        return NULL;
    for (ir_instr *k = i->next; k && n < NEAR; k = k->next, n++) {
        for (*at = 0; *at < k->n_refs; ++*at) {
            if (ir_is_value(k->refs[*at]) && k->refs[*at].id == def.id)
                return k;
        }
        if (overwrites(k, keep))
            return NULL;
    }
    return NULL;
}

/* ---- masks ---- */

bool
amd_post_is_compare(const ir_instr *i)
{
    const amd_op_info *row = i ? amd_op_row((amd_op)i->op) : NULL;
    return row && row->fmt == AMD_VOPC;
}

bool
amd_post_same_exec(const amd_post_ctx *c, const ir_instr *w, const ir_instr *i)
{
    const ir_instr *e = c->writer[AMD_EXEC / 4];
    return !e || e->block != i->block || e->mark < w->mark;
}

static bool
use_compare(amd_post_ctx *c, ir_instr *i)
{
    if ((i->op != AMD_S_AND_B32 && i->op != AMD_S_AND_B64) || !amd_post_is_unused(c, i->defs[1]))
        return false;
    unsigned at = amd_post_is_exec(i->refs[0]), reader_at;
    ir_ref mask = i->refs[at];
    if (!amd_post_is_exec(i->refs[!at]) || !amd_post_is_register(mask))
        return false;
    const ir_instr *w = amd_post_writer(c, i, mask);
    if (!amd_post_is_compare(w) || w->defs[0].reg != mask.reg || !amd_post_same_exec(c, w, i))
        return false;
    ir_instr *reader = amd_post_reader(c, i, i->defs[0], mask, &reader_at);
    const amd_op_info *row = reader ? amd_op_row((amd_op)reader->op) : NULL;
    if (!row || row->fmt != AMD_SOP2)
        return false;
    reader->refs[reader_at] = mask;
    c->uses[mask.id]++;
    amd_post_drop(c, i);
    return true;
}

/* ---- exec ---- */

static bool
is_save(const ir_instr *i, unsigned op32, unsigned op64)
{
    return (i->op == op32 || i->op == op64) && amd_post_is_register(i->refs[0]);
}

/* Are the operands of `w` still in their registers at `i`, which follows soon? */
static bool
can_move_to(const ir_instr *w, const ir_instr *i)
{
    unsigned n = 0;
    for (const ir_instr *k = w->next; k != i; k = k->next) {
        if (++n > NEAR)
            return false;
        for (unsigned r = 0; r < w->n_refs; r++) {
            if (amd_post_is_register(w->refs[r]) && overwrites(k, w->refs[r]))
                return false;
        }
    }
    return true;
}

/* exec that nothing restores need not be saved. */
static void
forget_saved(const amd_post_ctx *c, ir_instr *i)
{
    if (!is_save(i, AMD_S_AND_SAVEEXEC_B32, AMD_S_AND_SAVEEXEC_B64) ||
        !amd_post_is_unused(c, i->defs[0]))
        return;
    i->op = i->op == AMD_S_AND_SAVEEXEC_B32 ? AMD_S_AND_B32 : AMD_S_AND_B64;
    c->f->values[i->defs[0].id].def = NULL;
    i->defs[0] = i->defs[2];
    ir_drop_defs(i, 2);
}

/* Does it copy a register to exec? */
static bool
sets_exec(const ir_instr *i)
{
    return i->op == AMD_P_PARALLELCOPY && i->n_defs == 1 && i->defs[0].reg == AMD_EXEC &&
           amd_post_is_register(i->refs[0]);
}

/* exec & a mask, or, where all lanes are active, that mask alone? */
static bool
narrows_exec(const amd_post_ctx *c, const ir_instr *i)
{
    bool and = i->op == AMD_S_AND_B32 || i->op == AMD_S_AND_B64;
    bool save = is_save(i, AMD_S_AND_SAVEEXEC_B32, AMD_S_AND_SAVEEXEC_B64);
    bool copy = sets_exec(i);
    return (save || copy || (and&&i->defs[0].reg == AMD_EXEC && amd_post_is_exec(i->refs[1]))) &&
           amd_post_is_register(i->refs[0]) && (copy || amd_post_is_unused(c, i->defs[1]));
}

/* The comparison that makes `mask`, for the lanes of exec at `i`; else NULL. */
static ir_instr *
compare_of(const amd_post_ctx *c, const ir_instr *i, ir_ref mask)
{
    ir_instr *w = amd_post_is_register(mask) ? c->f->values[mask.id].def : NULL;
    return amd_post_is_compare(w) && w->block == i->block && amd_post_same_exec(c, w, i) ? w : NULL;
}

/* Does an instruction between `w` and `i` read `mask`? */
static bool
is_read_between(const ir_instr *w, const ir_instr *i, ir_ref mask)
{
    for (const ir_instr *k = w->next; k != i; k = k->next) {
        for (unsigned r = 0; r < k->n_refs; r++) {
            if (ir_is_value(k->refs[r]) && k->refs[r].id == mask.id)
                return true;
        }
    }
    return false;
}

/* The same if it may write exec itself, in the place of `i`. */
static ir_instr *
movable_compare(const amd_post_ctx *c, const ir_instr *i, ir_ref mask)
{
    ir_instr *w = compare_of(c, i, mask);
    unsigned op = w ? amd_exec_compare(c->p->target, w->op) : AMD_OP_INVALID;
    if (op == AMD_OP_INVALID || w->form || w->n_defs != 1 || !can_move_to(w, i))
        return NULL;
    bool only = c->uses[mask.id] == 1;
    bool keeps = amd_exec_compare_has_mask(c->p->target, op) && !is_read_between(w, i, mask);
    return only || keeps ? w : NULL;
}

/* The same if it may do so behind `i`. `both` is the only reader of its mask: whose registers must
 * still be free if the comparison writes them. */
static ir_instr *
compare_behind(const amd_post_ctx *c, const ir_instr *i, const ir_instr *both, ir_ref mask)
{
    ir_instr *w = c->uses[mask.id] == 1 ? movable_compare(c, i, mask) : NULL;
    bool fits = w != NULL;
    for (unsigned r = 0; fits && r < w->n_refs; r++)
        fits = !amd_post_is_register(w->refs[r]) || !overwrites(i, w->refs[r]);
    if (!fits || !amd_exec_compare_has_mask(c->p->target, amd_exec_compare(c->p->target, w->op)))
        return fits ? w : NULL;
    for (const ir_instr *k = both->next; fits && k != i->next; k = k->next)
        fits = !overwrites(k, mask);
    return fits ? w : NULL;
}

/* Moves the comparison before `at`, where it writes exec; returns it. */
static ir_instr *
move_compare(amd_post_ctx *c, ir_instr *w, ir_instr *at, ir_ref exec)
{
    ir_ref mask = w->defs[0];
    for (unsigned k = 0; k < amd_rc_regs(mask.rc); k++)
        c->writer[mask.reg / 4 + k] = NULL;
    ir_unlink(w);
    ir_insert_before(at, w);
    w->op = (uint16_t)amd_exec_compare(c->p->target, w->op);
    if (amd_exec_compare_has_mask(c->p->target, w->op)) {
        w = ir_extend_instr(w, 1, 0);
        w->defs[0].flags |= c->uses[mask.id] > 1 ? 0 : IR_KILL;
        w->defs[1] = exec;
    } else {
        c->f->values[mask.id].def = NULL;
        w->defs[0] = exec;
    }
    return w;
}

/* Is exec, and are the operands of `w`, at `i` what they were at `w`? */
static bool
same_lanes_at(const ir_instr *w, const ir_instr *i)
{
    const ir_ref exec = amd_phys(AMD_EXEC, AMD_S2);
    for (const ir_instr *k = w->next; k && k != i; k = k->next)
        if (overwrites(k, exec))
            return false;
    return can_move_to(w, i);
}

/* exec &= ~mask, where nothing else reads the mask, a comparison of this block: the opposite
 * comparison writes exec. */
static void
oppose_compare(amd_post_ctx *c, ir_instr *i, ir_ref mask)
{
    ir_instr *w = amd_post_is_register(mask) && c->uses[mask.id] == 1 ? c->f->values[mask.id].def
                                                                      : NULL;
    unsigned op = amd_post_is_compare(w) ? amd_inverse_compare(w->op) : AMD_OP_INVALID;
    if (op == AMD_OP_INVALID || w->block != i->block || w->form || w->n_defs != 1 ||
        amd_exec_compare(c->p->target, op) == AMD_OP_INVALID || !same_lanes_at(w, i))
        return;
    ir_ref exec = i->defs[0];
    w->op = (uint16_t)op;
    w = move_compare(c, w, i, exec);
    drop_for(c, i, w);
    c->writer[AMD_EXEC / 4] = c->writer[AMD_EXEC / 4 + 1] = w;
}

/* `save`, whose saved mask only `i` read, takes the other lanes. */
static void
take_others(amd_post_ctx *c, ir_instr *save, ir_instr *i)
{
    ir_ref mask = save->refs[0], exec = i->defs[0];
    amd_post_drop(c, i);
    c->f->values[save->defs[0].id].def = NULL;
    save->op = save->op == AMD_S_AND_SAVEEXEC_B32 ? AMD_S_ANDN2_B32 : AMD_S_ANDN2_B64;
    save->refs[0] = save->refs[1];
    save->refs[1] = mask;
    save->defs[0] = exec;
    ir_drop_defs(save, 2);
    if (exec.id)
        c->f->values[exec.id].def = save;
    oppose_compare(c, save, mask);
}

/* A then arm without code: the branch's block goes on with the other arm's lanes. */
static bool
join_else(amd_post_ctx *c, ir_instr *i)
{
    const ir_block *b = i->block;
    bool andn2 = i->op == AMD_S_ANDN2_B32 || i->op == AMD_S_ANDN2_B64;
    if (!andn2 || i != b->first || i->defs[0].reg != AMD_EXEC || b->preds[1].count != 1 ||
        !amd_post_is_unused(c, i->defs[1]))
        return false;
    const ir_block *from = b->preds[1].at[0];
    ir_instr *save = from->last ? from->last->prev : NULL;
    unsigned op = i->op == AMD_S_ANDN2_B32 ? AMD_S_ANDN1_SAVEEXEC_B32 : AMD_S_ANDN1_SAVEEXEC_B64;
    bool in_exec = amd_post_is_exec(i->refs[1]); /* where it is that of the arm */
    if (from->succs[1].count != 1 || !save || from->last->op != AMD_P_BRANCH ||
        !is_save(save, AMD_S_AND_SAVEEXEC_B32, AMD_S_AND_SAVEEXEC_B64) ||
        save->defs[0].reg != i->refs[0].reg || (!in_exec && save->refs[0].reg != i->refs[1].reg) ||
        save->defs[0].reg == save->refs[0].reg || !amd_post_is_unused(c, save->defs[1]))
        return false;
    if (c->uses[save->defs[0].id] == 1 && save->defs[0].id == i->refs[0].id &&
        (in_exec || save->refs[0].id == i->refs[1].id)) {
        take_others(c, save, i);
        return true;
    }
    if (amd_op_number((amd_op)op, AMD_SOP1, c->p->target->gen) < 0)
        return false;
    save->op = (uint16_t)op;
    amd_post_drop(c, i);
    return true;
}

/* A comparison that only narrows exec, which nothing restores, writes exec itself. Returns what
 * stands in the place of `i` then. */
static ir_instr *
compare_to_exec(amd_post_ctx *c, ir_instr *i)
{
    bool save = is_save(i, AMD_S_AND_SAVEEXEC_B32, AMD_S_AND_SAVEEXEC_B64);
    ir_instr *w = !save && narrows_exec(c, i) ? movable_compare(c, i, i->refs[0]) : NULL;
    if (!w)
        return i;
    w = move_compare(c, w, i, i->defs[0]);
    drop_for(c, i, w);
    return w;
}

/* The same where all lanes were active: the branch's block has the lanes of the else arm. Returns
 * what stands in the place of `i` then. */
static ir_instr *
join_full_else(amd_post_ctx *c, ir_instr *i)
{
    const ir_block *b = i->block, *to = b->succs[1].count == 1 ? b->succs[1].at[0] : NULL;
    ir_instr *inverse = to && to->preds[1].count == 1 ? to->first : NULL;
    if (!inverse || !sets_exec(i) || b->last->op != AMD_P_BRANCH || i->next != b->last ||
        (inverse->op != AMD_S_NOT_B32 && inverse->op != AMD_S_NOT_B64) ||
        !amd_post_is_exec(inverse->refs[0]) || inverse->defs[0].reg != AMD_EXEC ||
        !amd_post_is_unused(c, inverse->defs[1]))
        return i;
    ir_unlink(inverse);
    ir_insert_before(i, inverse);
    inverse->refs[0] = i->refs[0];
    c->uses[inverse->refs[0].id]++;
    amd_post_drop(c, i);
    oppose_compare(c, inverse, inverse->refs[0]);
    return b->last->prev;
}

/* A scalar operation that only makes exec writes it, at the end of the block. Returns what stands
 * in the place of `i` then. */
static ir_instr *
write_exec(amd_post_ctx *c, ir_instr *i)
{
    bool only = sets_exec(i) && narrows_exec(c, i) && c->uses[i->refs[0].id] == 1;
    ir_instr *w = only ? amd_post_writer(c, i, i->refs[0]) : NULL;
    const amd_op_info *row = w ? amd_op_row((amd_op)w->op) : NULL;
    if (!row || (row->fmt != AMD_SOP1 && row->fmt != AMD_SOP2) || !w->n_defs || w->n_defs > 2 ||
        w->defs[0].id != i->refs[0].id || (w->n_defs == 2 && !amd_post_is_unused(c, w->defs[1])) ||
        !can_move_to(w, i))
        return i;
    for (unsigned r = 0; r < w->n_refs; r++) {
        if ((amd_post_is_exec(w->refs[r]) && !amd_post_same_exec(c, w, i)) ||
            w->refs[r].reg == AMD_SCC)
            return i;
    }
    ir_ref mask = w->defs[0], exec = i->defs[0];
    for (unsigned k = 0; k < amd_rc_regs(mask.rc); k++)
        c->writer[mask.reg / 4 + k] = NULL;
    ir_unlink(w);
    ir_insert_before(i, w);
    amd_post_drop(c, i);
    c->f->values[mask.id].def = NULL;
    w->defs[0] = exec;
    if (exec.id)
        c->f->values[exec.id].def = w;
    return w;
}

static bool
touches_m0(const ir_instr *i)
{
    bool any = false;
    for (unsigned d = 0; d < i->n_defs; d++)
        any |= i->defs[d].reg == AMD_M0;
    for (unsigned r = 0; r < i->n_refs; r++)
        any |= i->refs[r].reg == AMD_M0;
    return any;
}

/* A scalar operation that only makes m0 writes it. */
static bool
write_m0(amd_post_ctx *c, ir_instr *i)
{
    if (i->op != AMD_P_PARALLELCOPY || i->n_defs != 1 || i->defs[0].reg != AMD_M0 ||
        !amd_post_is_register(i->refs[0]) || i->refs[0].reg >= AMD_VGPR0 ||
        c->uses[i->refs[0].id] != 1)
        return false;
    ir_instr *w = amd_post_writer(c, i, i->refs[0]);
    const amd_op_info *row = w ? amd_op_row((amd_op)w->op) : NULL;
    if (!row || (row->fmt != AMD_SOP1 && row->fmt != AMD_SOP2) || w->defs[0].id != i->refs[0].id ||
        w->defs[0].rc != AMD_S1)
        return false;
    for (const ir_instr *k = w->next; k != i; k = k->next) {
        if (touches_m0(k))
            return false;
    }
    ir_ref m0 = i->defs[0];
    c->writer[w->defs[0].reg / 4] = NULL;
    c->writer[AMD_M0 / 4] = w;
    c->f->values[w->defs[0].id].def = NULL;
    amd_post_drop(c, i);
    w->defs[0] = m0;
    c->f->values[m0.id].def = w;
    return true;
}

/* Removes the instruction that made the operand of `i`, which reads operand `k` of it now. */
static void
take_operand(amd_post_ctx *c, ir_instr *i, ir_instr *maker, unsigned k)
{
    ir_ref mask = maker->refs[k];
    ir_instr *def = c->f->values[mask.id].def;
    ir_ref gone = maker->defs[0];
    c->uses[mask.id]++;
    amd_post_drop(c, maker);
    for (unsigned r = 0; r < amd_rc_regs(gone.rc); r++)
        c->writer[gone.reg / 4 + r] = NULL;
    for (unsigned r = 0; def && def->block == i->block && r < amd_rc_regs(mask.rc); r++)
        c->writer[mask.reg / 4 + r] = def;
    i->refs[0] = mask;
}

/* Of two masks that narrow exec, one that is a comparison does so itself, behind the other. Where
 * there is no such comparison, the "and" of the masks writes exec. */
static bool
split_masks(amd_post_ctx *c, ir_instr *i)
{
    bool narrows = narrows_exec(c, i) && c->uses[i->refs[0].id] == 1;
    ir_instr *both = narrows ? amd_post_writer(c, i, i->refs[0]) : NULL;
    bool and = both && (both->op == AMD_S_AND_B32 || both->op == AMD_S_AND_B64);
    if (!and || both->defs[0].id != i->refs[0].id || !amd_post_is_unused(c, both->defs[1]) ||
        !amd_post_is_register(both->refs[0]) || !amd_post_is_register(both->refs[1]) ||
        !can_move_to(both, i))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        ir_instr *w = compare_behind(c, i, both, both->refs[k]);
        if (!w)
            continue;
        take_operand(c, i, both, !k);
        move_compare(c, w, i->next, amd_phys(AMD_EXEC, c->p->lane_mask));
        return true;
    }
    bool inside = compare_of(c, i, both->refs[0]) || compare_of(c, i, both->refs[1]);
    if (i->n_refs != 2 || i->defs[0].reg != AMD_EXEC || !inside)
        return false;
    i->refs[1] = both->refs[1];
    c->uses[i->refs[1].id]++;
    take_operand(c, i, both, 0);
    return false;
}

/* exec loses the lanes of a mask, of which only that reads the inverse. */
static void
take_inverse(amd_post_ctx *c, ir_instr *i)
{
    bool save = is_save(i, AMD_S_AND_SAVEEXEC_B32, AMD_S_AND_SAVEEXEC_B64);
    bool one = i->n_refs == 2 && narrows_exec(c, i) && c->uses[i->refs[0].id] == 1;
    ir_instr *w = one ? amd_post_writer(c, i, i->refs[0]) : NULL;
    bool wide = w && w->op == AMD_S_NOT_B64;
    unsigned op = wide ? AMD_S_ANDN1_SAVEEXEC_B64 : AMD_S_ANDN1_SAVEEXEC_B32;
    if (!w || (!wide && w->op != AMD_S_NOT_B32) || w->defs[0].id != i->refs[0].id ||
        !amd_post_is_unused(c, w->defs[1]) || !amd_post_is_register(w->refs[0]) ||
        !can_move_to(w, i) || (save && amd_op_number((amd_op)op, AMD_SOP1, c->p->target->gen) < 0))
        return;
    take_operand(c, i, w, 0);
    if (save) {
        i->op = (uint16_t)op;
        return;
    }
    i->op = wide ? AMD_S_ANDN2_B64 : AMD_S_ANDN2_B32;
    ir_ref mask = i->refs[0];
    i->refs[0] = i->refs[1];
    i->refs[1] = mask;
}

/* ---- writes of exec for nothing ---- */

static bool
restores_exec(const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    bool scalar = row && (row->fmt == AMD_SOP1 || row->fmt == AMD_SOP2);
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (i->defs[d].reg != AMD_EXEC && i->defs[d].reg != AMD_SCC)
            return false;
    }
    return i->n_defs && i->defs[0].reg == AMD_EXEC && (scalar || i->op == AMD_P_PARALLELCOPY);
}

static bool
reads_exec(const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (amd_post_is_exec(i->refs[r]))
            return true;
    }
    return amd_needs_exec(i) || i->op == AMD_P_SPILL || i->op == AMD_P_RELOAD;
}

static bool
is_dead_behind(const ir_block *b, const bool *dead)
{
    for (uint32_t s = 0; s < b->succs[1].count; s++) {
        const ir_block *to = b->succs[1].at[s];
        if (to->index <= b->index || !dead[to->index])
            return false;
    }
    return true;
}

/* Removes the writes of exec that no instruction depends on until the program ends or the next
 * write. */
static void
drop_unused_restores(const amd_post_ctx *c)
{
    bool *dead = ARENA_ARRAY(c->f->ctx->scratch, c->f->n_blocks, bool);
    for (size_t n = c->f->n_blocks; n-- > 0;) {
        const ir_block *b = c->f->blocks[n];
        bool is = is_dead_behind(b, dead);
        for (ir_instr *i = b->last, *prev; i; i = prev) {
            prev = i->prev;
            bool restores = restores_exec(i);
            if (is && restores && (i->n_defs < 2 || amd_post_is_unused(c, i->defs[1])))
                amd_post_drop(c, i);
            else if (restores || is)
                is = !reads_exec(i);
        }
        dead[n] = is;
    }
}

/* ---- the walk ---- */

/* Counts the references of each value, and one more of a value that no instruction kills: it goes
 * on to where a phi was. The count of a value with several readers in other blocks may be less than
 * its true one, so rules ask for the only reader in the value's own block. */
static uint32_t *
count_uses(const ir_fn *f, arena *a)
{
    uint32_t *uses = ARENA_ARRAY(a, f->n_values, uint32_t);
    bool *killed = ARENA_ARRAY(a, f->n_values, bool);
    IR_FOREACH_INSTR_OF(i, f) {
        for (unsigned r = 0; r < i->n_refs; r++) {
            if (!ir_is_value(i->refs[r]))
                continue;
            uses[i->refs[r].id]++;
            killed[i->refs[r].id] |= (i->refs[r].flags & IR_KILL) != 0;
        }
        for (unsigned d = 0; d < i->n_defs; d++)
            if (i->defs[d].flags & IR_KILL)
                killed[i->defs[d].id] = true;
    }
    for (size_t v = 0; v < f->n_values && f->valid & IR_HAS_KILLS; v++)
        uses[v] += !killed[v];
    return uses;
}

static void
note_writes(amd_post_ctx *c, ir_instr *i)
{
    i->mark = ++c->position;
    for (unsigned d = 0; d < i->n_defs; d++) {
        for (unsigned k = 0; i->defs[d].reg < AMD_VGPR0 && k < amd_rc_regs(i->defs[d].rc); k++)
            c->writer[i->defs[d].reg / 4 + k] = i;
    }
}

/* Does a rule for masks, exec or m0 begin with this operation? */
static bool
begins_rule(unsigned op)
{
    switch (op) {
    case AMD_P_PARALLELCOPY:
    case AMD_S_AND_B32:
    case AMD_S_AND_B64:
    case AMD_S_ANDN2_B32:
    case AMD_S_ANDN2_B64:
    case AMD_S_AND_SAVEEXEC_B32:
    case AMD_S_AND_SAVEEXEC_B64: return true;
    default: return false;
    }
}

static void
visit(amd_post_ctx *c, ir_instr *i)
{
    if (!ir_may_change(c->f->ctx)) {
        note_writes(c, i);
        return;
    }
    if (amd_post_optimize_scc(c, i))
        return;
    if (!begins_rule(i->op)) {
        note_writes(c, i);
        return;
    }
    if (use_compare(c, i) || join_else(c, i) || write_m0(c, i))
        return;
    forget_saved(c, i);
    i = join_full_else(c, i);
    take_inverse(c, i);
    while (split_masks(c, i))
        continue;
    note_writes(c, write_exec(c, compare_to_exec(c, i)));
}

void
amd_optimize_post_ra(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    amd_post_ctx *c = ARENA_NEW(a, amd_post_ctx);
    c->f = f;
    c->p = amd_prog(f);
    c->uses = count_uses(f, a);
    drop_unused_restores(c);
    IR_FOREACH_INSTR_OF(i, f)
        visit(c, i);
    arena_release(a, mark);
}
