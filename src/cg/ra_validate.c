/* Checks a register allocation independently of how it was made.
 *
 * For each block the checker tracks the value in each byte of each register, and propagates it
 * along the edges until nothing changes; a byte that differs between predecessors is unknown. There
 * are two such states, as there are two CFGs: one for the logical edges and one for the linear
 * edges. A definition writes the state that its class lives in, and makes its registers unknown in
 * the other. Then each reference must find its value in its register, a phi's at the end of the
 * predecessor it belongs to.
 *
 * It also checks that registers exist and are within the limit, tuples are aligned, definitions of
 * an instruction do not overlap, tied operands share the register, operands that die late are not
 * overwritten, and pinned values begin at top level, where no inactive lane still needs the
 * contents of their registers.
 *
 * An allocation error is reported as IR_VERIFY. Time: blocks x registers x loop depth; for tests.
 */
#include "base/bitset.h"
#include "cg/register_allocation.h"
#include "cg/state.h"
#include "ir/text.h"

#include <string.h>

/* By list of edges and byte of the register file: the value in it, or 0. */
typedef struct reg_state {
    uint32_t *held[2];
    bool reached;
} reg_state;

typedef struct val_ctx {
    ir_fn *f;
    const ir_machine *m;
    unsigned n_bytes; /* of the register file */
    reg_state *end;   /* by block */
    reg_state now;
} val_ctx;

static const ir_class *
class_of(const val_ctx *c, ir_ref r)
{
    return &c->m->classes[r.rc];
}

_Noreturn static void
fail(const val_ctx *c, const ir_instr *i, const char *what)
{
    base_buf text = buf_make(c->f->ctx->scratch);
    buf_printf(&text, " in BB%u: ", i->block->index);
    ir_print_instr(c->f, i, 0, &text);
    diag_fail(c->f->ctx->diag, ERR_IR_VERIFY, "registers", "register_allocation", what,
              buf_text(&text));
}

/* ---- registers as such ---- */

/* Such a register may be outside of what allocation gives out. */
static bool
is_fixed_to_special(const val_ctx *c, ir_ref r)
{
    if (!ir_is_special(c->m, r.reg))
        return false;
    const ir_instr *def = c->f->values[r.id].def;
    for (unsigned d = 0; d < def->n_defs; d++)
        if (def->defs[d].id == r.id)
            return def->defs[d].flags & IR_FIXED;
    return false;
}

static void
check_register(const val_ctx *c, const ir_instr *i, ir_ref r)
{
    const ir_class *k = class_of(c, r);
    const ir_bank *bank = &c->m->banks[k->bank];
    unsigned shift = c->m->unit_shift, bytes = k->bytes, reg = r.reg, first = bank->first;
    unsigned lo = first << shift, hi = (first + cg_of(c->f)->limit[k->bank]) << shift;
    bool special = is_fixed_to_special(c, r) ||
                   (bank->special && reg >= (first + bank->special) << shift &&
                    reg + bytes <= (first + bank->units) << shift);
    if (k->limit && (first + k->limit) << shift < hi)
        hi = (first + k->limit) << shift;
    if (reg == IR_REG_NONE || !(r.flags & IR_ASSIGNED))
        fail(c, i, "a value has no register");
    if (r.rc != (uint8_t)c->f->values[r.id].type)
        fail(c, i, "a reference has another class than its value");
    if (!special && (reg < lo || reg + bytes > hi))
        fail(c, i, "a register is outside of its file or above the budget");
    if (bytes == (unsigned)k->units << shift && reg & ((1u << shift) - 1))
        fail(c, i, "a whole register does not begin at its first byte");
    if (!special && ((reg >> shift) - first) % k->align && !(r.flags & IR_FIXED))
        fail(c, i, "a tuple of registers is not aligned");
}

static bool
overlap(const val_ctx *c, ir_ref a, ir_ref b)
{
    return a.reg < b.reg + class_of(c, b)->bytes && b.reg < a.reg + class_of(c, a)->bytes;
}

/* Pinned values stay where they are, also under another name. */
static void
check_pinned(const val_ctx *c, const ir_instr *i)
{
    bool phi = ir_has_flag(i, IR_OP_PHI);
    for (unsigned r = 0; (phi || i->op == c->m->ops.parallel_copy) && r < i->n_refs; r++) {
        ir_ref def = i->defs[phi ? 0 : r];
        if (class_of(c, def)->pinned && ir_is_value(i->refs[r]) && i->refs[r].reg != def.reg)
            fail(c, i, "a pinned value moves");
    }
}

static void
check_definitions(const val_ctx *c, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (ir_is_value(i->defs[d]))
            check_register(c, i, i->defs[d]);
        for (unsigned e = 0; e < d; e++) {
            if (i->defs[d].reg != c->m->null_reg && overlap(c, i->defs[d], i->defs[e]))
                fail(c, i, "two definitions overlap");
        }
        bool all_late = c->m->kills_late(i->op);
        for (unsigned r = 0; r < i->n_refs; r++) {
            bool late = all_late || i->refs[r].flags & IR_LATE_KILL;
            if (late && ir_is_value(i->refs[r]) && overlap(c, i->defs[d], i->refs[r]))
                fail(c, i, "a definition overwrites an operand that is still read");
        }
        if (class_of(c, i->defs[d])->pinned && i->op == c->m->ops.begin_pinned &&
            !(i->block->kind & IR_BLOCK_TOP_LEVEL))
            fail(c, i, "a pinned value begins below top level");
    }
    check_pinned(c, i);
    ir_tied t = c->m->tied(i);
    if (t.ref >= 0 && t.def >= 0 && ir_is_value(i->refs[t.ref]) &&
        i->refs[t.ref].reg != i->defs[t.def].reg)
        fail(c, i, "a tied operand and its definition have different registers");
}

/* ---- contents ---- */

static void
write(val_ctx *c, ir_ref def)
{
    const ir_class *k = class_of(c, def);
    uint32_t id = ir_is_value(def) ? def.id : 0;
    for (unsigned b = def.reg; b < def.reg + (unsigned)k->bytes && b < c->n_bytes; b++) {
        c->now.held[k->edges][b] = id;
        c->now.held[!k->edges][b] = 0;
    }
}

static bool
holds(const val_ctx *c, const reg_state *s, ir_ref r)
{
    const ir_class *k = class_of(c, r);
    for (unsigned b = r.reg; b < r.reg + (unsigned)k->bytes; b++) {
        if (b >= c->n_bytes || s->held[k->edges][b] != r.id)
            return false;
    }
    return true;
}

static void
step(val_ctx *c, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (i->defs[d].reg != IR_REG_NONE)
            write(c, i->defs[d]);
    }
}

static void
meet(uint32_t *into, const uint32_t *from, size_t n, bool first)
{
    for (size_t b = 0; b < n; b++)
        into[b] = first || into[b] == from[b] ? from[b] : 0;
}

/* The state at the block's beginning, including phis. */
static void
enter(val_ctx *c, const ir_block *b)
{
    for (unsigned list = 0; list < 2; list++) {
        bool first = true;
        memset(c->now.held[list], 0, c->n_bytes * sizeof(uint32_t));
        for (uint32_t p = 0; p < b->preds[list].count; p++) {
            const reg_state *end = &c->end[b->preds[list].at[p]->index];
            if (!end->reached)
                continue;
            meet(c->now.held[list], end->held[list], c->n_bytes, first);
            first = false;
        }
    }
}

/* Is a register written for `phi` at the end of block `from`? Undefined operands move nothing. */
static bool
moves_to(const ir_instr *phi, const ir_block *from)
{
    const ir_edges *preds = &phi->block->preds[ir_has_flag(phi, IR_OP_LINEAR_PHI)];
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref ref = phi->refs[r];
        if (preds->at[r] == from && ref.kind != IR_REF_UNDEF)
            return !ir_is_value(ref) || ref.reg != phi->defs[0].reg;
    }
    return false;
}

/* The moves into phis are at the end of the predecessor: what lives along the other edges there is
 * not in their registers. An operand that is in the phi's register has overwritten that before. */
static void
leave(val_ctx *c, const ir_block *b)
{
    for (unsigned list = 0; list < 2; list++) {
        for (uint32_t s = 0; s < b->succs[list].count; s++) {
            const ir_block *to = b->succs[list].at[s];
            for (const ir_instr *i = to->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
                const ir_class *k = class_of(c, i->defs[0]);
                if (k->edges == list && moves_to(i, b))
                    memset(c->now.held[!list] + i->defs[0].reg, 0, k->bytes * sizeof(uint32_t));
            }
        }
    }
}

/* Executes a block on the state; returns true if the state at its end has changed. */
static bool
run_block(val_ctx *c, const ir_block *b)
{
    reg_state *end = &c->end[b->index];
    bool changed = !end->reached;
    enter(c, b);
    IR_FOREACH_INSTR(i, b) {
        step(c, i);
    }
    leave(c, b);
    for (unsigned list = 0; list < 2; list++) {
        size_t size = c->n_bytes * sizeof(uint32_t);
        changed |= memcmp(c->now.held[list], end->held[list], size) != 0;
        memcpy(end->held[list], c->now.held[list], size);
    }
    end->reached = true;
    return changed;
}

/* ---- the check ---- */

static void
check_phi(const val_ctx *c, const ir_instr *phi)
{
    const ir_edges *preds = &phi->block->preds[ir_has_flag(phi, IR_OP_LINEAR_PHI)];
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref ref = phi->refs[r];
        if (!ir_is_value(ref))
            continue;
        check_register(c, phi, ref);
        if (!holds(c, &c->end[preds->at[r]->index], ref))
            fail(c, phi, "a phi's operand is not in its register at the end of its predecessor");
    }
}

/* Phis execute in parallel: all definitions are written together. */
static void
check_phi_definitions(const val_ctx *c, const ir_block *b)
{
    uint64_t *taken = bitset_new(c->f->ctx->scratch, c->n_bytes);
    for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        unsigned reg = i->defs[0].reg, bytes = class_of(c, i->defs[0])->bytes;
        for (unsigned at = reg; at < reg + bytes; at++) {
            if (bitset_has(taken, at))
                fail(c, i, "two phis overlap");
            bitset_add(taken, at);
        }
    }
}

static void
check_block(val_ctx *c, const ir_block *b)
{
    arena_mark mark = arena_save(c->f->ctx->scratch);
    enter(c, b);
    check_phi_definitions(c, b);
    IR_FOREACH_INSTR(i, b) {
        bool phi = ir_has_flag(i, IR_OP_PHI);
        if (phi)
            check_phi(c, i);
        for (unsigned r = 0; !phi && r < i->n_refs; r++) {
            if (!ir_is_value(i->refs[r]))
                continue;
            check_register(c, i, i->refs[r]);
            if (!holds(c, &c->now, i->refs[r]))
                fail(c, i, "an operand's register does not hold its value");
        }
        check_definitions(c, i);
        step(c, i);
    }
    arena_release(c->f->ctx->scratch, mark);
}

static reg_state
new_state(const val_ctx *c)
{
    reg_state s = {.reached = false};
    for (unsigned list = 0; list < 2; list++)
        s.held[list] = ARENA_ARRAY(c->f->ctx->scratch, c->n_bytes, uint32_t);
    return s;
}

void
cg_validate_registers(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    const ir_machine *m = f->level->machine;
    val_ctx c = {.f = f, .m = m, .n_bytes = (unsigned)m->n_units << m->unit_shift};
    c.now = new_state(&c);
    c.end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, reg_state);
    for (size_t n = 0; n < f->n_blocks; n++)
        c.end[n] = new_state(&c);
    for (bool changed = true; changed;) {
        changed = false;
        IR_FOREACH_BLOCK(b, f) {
            changed |= run_block(&c, b);
        }
    }
    IR_FOREACH_BLOCK(b, f) {
        check_block(&c, b);
    }
    arena_release(f->ctx->scratch, mark);
}
