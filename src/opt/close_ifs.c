/* close_ifs: values leave a divergent if through phis.
 *
 * If one arm of a divergent if leaves (break, continue), the other arm dominates the code after the
 * if in the logical CFG. In the linear CFG it does not: waves whose lanes have all left go past it.
 * A value in a register that all lanes share, defined in the arm and used after the if, must be
 * carried along the linear edges, as phis are. So, as in loop-closed SSA:
 *
 *     if c then b1 else b2 merge b3           if c then b1 else b2 merge b3
 *         b1: %2 = ...                            b1: %2 = ...
 *         b2: jump (break)               ->       b2: jump (break)
 *     b3: ... = use %2                        b3: %9 = phi b1: %2
 *                                                 ... = use %9
 *
 * The same holds at the continue block of a loop with divergent continues: waves whose lanes have
 * all left or continued reach it without the blocks that they skip. There a phi takes the value
 * from each predecessor. The skipped part begins with the outermost if around the first block that
 * leaves:
 *
 *     loop: if i == n then b1 else b2 merge b5        b2's lanes leave, but others may wait at b6:
 *         b1: %2 = ...; if c then b3 else b4           b2's linear edge goes there, past b1,
 *             b3: jump b6 (continue)                   although b1 comes before b6 and dominates
 *         b2: jump (break)                             b6
 *     b5: jump b6
 *     b6 (continue): ... = use %2
 *
 * The code before that if dominates the continue block in the linear CFG too: no lane has left yet.
 *
 * One walk in block order; a value defined in the arm (or in the loop's body after the beginning of
 * that if) is closed if its last use comes later, and if the machine keeps it in such a register. A
 * phi is as divergent as the value that it closes; the analysis could not know that where a loop's
 * lanes meet, as it would see several names of one value. Needs dominance and divergence, and keeps
 * them.
 */
#include "opt/close_ifs.h"

#include "opt/cfg.h"

#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/hir.h"
#include "ir/ssa_repair.h"

/* An open if or loop: the block that opens it. */
typedef struct open_construct {
    ir_block *at;
    uint32_t leaves_from; /* loops: the last block that comes before all ways out of the body, or
                             UINT32_MAX */
    bool continues;       /* loops: there are divergent continues */
} open_construct;

typedef struct close_ctx {
    ir_fn *f;
    opt_is_linear is_linear;
    /* From the first region to close on; NULL: nothing has changed. */
    uint32_t *last_use; /* by value: index of the last block that uses it; phis use at the end of
                           their predecessors */
    uint32_t *now;      /* by value: the value that currently replaces it */
    base_map before;    /* by closing phi's value: the previous replacement */
    size_t n_values;    /* when the walk began */
    ir_builder build;
    open_construct *open;
    size_t n_open, cap_open;
} close_ctx;

static void
note_use(close_ctx *c, ir_ref r, uint32_t block)
{
    if (ir_is_value(r) && c->last_use[r.id] < block)
        c->last_use[r.id] = block;
}

static void
find_last_uses(close_ctx *c)
{
    IR_FOREACH_BLOCK(b, c->f) {
        IR_FOREACH_INSTR(i, b) {
            for (unsigned r = 0; r < i->n_refs; r++)
                note_use(c, i->refs[r], i->op == IR_phi ? b->preds[0].at[r]->index : b->index);
        }
    }
}

static void
start_closing(close_ctx *c)
{
    arena *a = c->f->ctx->scratch;
    c->last_use = ARENA_ARRAY(a, c->n_values, uint32_t);
    c->now = ARENA_ARRAY(a, c->n_values, uint32_t);
    for (uint32_t v = 0; v < c->n_values; v++)
        c->now[v] = v;
    find_last_uses(c);
}

/* The name of value `id` at the end of `b`: the last closing phi that dominates it, or the value
 * itself. */
static uint32_t
name_at(const close_ctx *c, uint32_t id, const ir_block *b)
{
    uint64_t name = c->now[id];
    while (name != id && !ir_dominates(c->f->values[name].def->block, b, 0))
        map_get(&c->before, name, &name);
    return (uint32_t)name;
}

static void
close_value(close_ctx *c, ir_block *at, uint32_t id)
{
    ir_type type = c->f->values[id].type;
    ir_instr *phi = ir_new_phi(c->f, at, 0, type);
    for (uint32_t p = 0; p < at->preds[0].count; p++) {
        const ir_block *from = at->preds[0].at[p];
        phi->refs[p] = opt_cfg_is_reached(from) ? ir_use(c->f, name_at(c, id, from))
                                                : ir_build_undef(&c->build, type);
    }
    uint32_t made = phi->defs[0].id;
    map_put(&c->before, made, c->now[id]);
    c->now[id] = made;
    c->f->values[made].divergent = c->f->values[id].divergent;
    phi->loc = c->f->values[id].def->loc;
    ir_prepend(at, phi);
}

static bool
is_constant(const ir_fn *f, uint32_t id)
{
    unsigned op = f->values[id].def->op;
    return op == IR_load_const || op == IR_undef;
}

/* Closes at `at` the values that are defined in the blocks from `first` to before `at` and used
 * from `at` on. */
static void
close_region(close_ctx *c, uint32_t first, ir_block *at)
{
    if (!c->last_use)
        start_closing(c);
    for (uint32_t k = first; k < at->index; k++) {
        if (!ir_dominates(c->f->blocks[k], at, 0))
            continue;
        IR_FOREACH_INSTR(i, c->f->blocks[k]) {
            uint32_t id = i->n_defs ? i->defs[0].id : 0;
            if (!id || id >= c->n_values || c->last_use[id] < at->index || is_constant(c->f, id))
                continue;
            if (c->is_linear(c->f, id))
                close_value(c, at, id);
        }
    }
}

static void
rewrite(close_ctx *c, ir_ref *r)
{
    if (ir_is_value(*r) && r->id < c->n_values)
        r->id = c->now[r->id];
}

static void
rewrite_block(close_ctx *c, ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        for (unsigned r = 0; i->op != IR_phi && r < i->n_refs; r++)
            rewrite(c, &i->refs[r]);
    }
    for (uint32_t s = 0; s < b->succs[0].count; s++) {
        ir_block *to = b->succs[0].at[s];
        uint32_t p = ir_pred_index(to, b, 0);
        for (ir_instr *i = to->first; i && i->op == IR_phi; i = i->next)
            rewrite(c, &i->refs[p]);
    }
}

static bool
is_divergent_if(const close_ctx *c, const ir_block *b)
{
    const ir_instr *t = ir_terminator(b);
    return t->op == IR_if && c->f->values[t->refs[0].id].divergent;
}

/* Notes a break or continue inside a divergent if in the innermost loop. */
static void
note_leave(close_ctx *c, const ir_block *b)
{
    bool divergent = false;
    if (ir_terminator(b)->op != IR_jump)
        return;
    for (size_t i = c->n_open; i-- > 0;) {
        open_construct *k = &c->open[i];
        if (ir_terminator(k->at)->op == IR_if) {
            divergent |= is_divergent_if(c, k->at);
            continue;
        }
        const ir_block *to = b->succs[0].at[0];
        bool continues = to == k->at->cont && b->index < k->at->cont->index;
        if (continues || to == k->at->merge) {
            /* where lanes wait at the continue block, even a break of all others goes there */
            k->continues |= continues && divergent;
            uint32_t from = i + 1 < c->n_open ? c->open[i + 1].at->index : b->index;
            k->leaves_from = from < k->leaves_from ? from : k->leaves_from;
        }
        return;
    }
}

static void
close_at_merge(close_ctx *c, const ir_block *branch, ir_block *b)
{
    bool is_if = ir_terminator(branch)->op == IR_if;
    uint32_t reached = 0;
    for (uint32_t p = 0; p < b->preds[0].count; p++)
        reached += opt_cfg_is_reached(b->preds[0].at[p]);
    bool one_arm = reached == 1 && branch->succs[0].at[is_if] != b && branch->succs[0].at[0] != b;
    if (is_if && one_arm && is_divergent_if(c, branch))
        close_region(c, branch->index + 1, b);
}

static void
visit(close_ctx *c, ir_block *b)
{
    const ir_instr *t = ir_terminator(b);
    while (c->n_open && c->open[c->n_open - 1].at->merge == b)
        close_at_merge(c, c->open[--c->n_open].at, b);
    const open_construct *k = c->n_open ? &c->open[c->n_open - 1] : NULL;
    if (k && k->at->cont == b && k->continues)
        close_region(c, k->leaves_from + 1, b);
    if (c->now)
        rewrite_block(c, b);
    note_leave(c, b);
    if (t->op != IR_if && t->op != IR_loop)
        return;
    c->open = arena_grow(c->f->ctx->scratch, c->open, &c->cap_open, c->n_open + 1, sizeof *c->open);
    c->open[c->n_open++] = (open_construct){.at = b, .leaves_from = UINT32_MAX};
}

void
opt_close_divergent_ifs(ir_fn *f, opt_is_linear is_linear)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    if (f->n_blocks == 1)
        return;
    close_ctx c = {.f = f, .is_linear = is_linear, .n_values = f->n_values, .before = map_make(a)};
    ir_builder_init(&c.build, f);
    IR_FOREACH_BLOCK(b, f)
        visit(&c, b);
    arena_release(a, mark);
}
