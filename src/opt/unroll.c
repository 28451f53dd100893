/* Unrolls loops with a known number of iterations.
 *
 *     loop b1 merge b5 continue b4           loop b1 merge b5 continue b4
 *         block b1:                              A0  if false (break) ...  B0
 *         %2 = phi b0: 0, b4: %6                 A1  if false (break) ...  B1
 *         A  if %3 (break) ...                   A2  if true (break)  ...  jump b5
 *         B  jump b4                      ->     block b4: // not reached
 *         block b4:                              jump b1
 *         %6 = iadd %2, 1                    block b5:
 *         jump b1
 *     block b5:
 *
 * The exit is an if at the top level of the body or the continue region that has an arm that breaks
 * (trip_count.h). The result is a loop that runs once, which preserves other breaks; dead_cf turns
 * it into straight-line code and drops arms that are not taken. Code after a continue is first
 * nested into the other arm of its if (nest_jumps.h).
 *
 * Inner loops come first. The size limit is about that of RADV (32 iterations, some 800
 * operations), and larger if the loop indexes scratch memory, because constant indices allow it to
 * be promoted to registers, or if the source asks for it; a loop that it wants to keep stays. What
 * folds once the counter is a constant costs nothing; slow operations cost what they take, because
 * a loop around them loses little.
 *
 * A small loop with more iterations than that stays a loop, of several copies: if their number
 * divides that of the iterations, only the first copy can break at the test. So does a small loop
 * with an unknown number of iterations that reads memory; there each copy has the test.
 *
 * unroll_known does that once more, where the first time has left constants for the loops behind,
 * and leaves alone what stays a loop.
 */
#include "opt/cfg.h"
#include "opt/clone.h"
#include "opt/nest_jumps.h"
#include "opt/opt.h"
#include "opt/speculate.h"
#include "opt/trip_count.h"

#include "ir/analysis.h"
#include "ir/builder.h"

enum {
    MAX_COPIES = 33,
    MAX_SIZE = 800,
    PART = 4,            /* copies in a loop that stays one */
    MAX_SIZE_PART = 25,  /* of its body: what the branches take is a small part of larger ones */
    MAX_SIZE_LOADS = 50, /* the same if it reads memory, where copies wait together */
    MAX_SIZE_SCRATCH = 4000,
    MAX_SIZE_ASKED = 16000, /* the source asks for it; a limit to the time of compiling */
    FEW = 2,                /* iterations */
    MAX_SIZE_FEW = 1600,    /* few iterations: the code at most doubles */
    MAX_SIZE_OPEN = 80,     /* the test may also end the loop early: copies may be for nothing */
    MAX_SIZE_BARRIER = 75,  /* with a barrier, which costs more than the branch saved */
    MAX_SIZE_SLOW = 60,     /* with a loop inside, the same */
    MAX_SIZE_REPEAT = 16,   /* of a body whose iterations are not known: each copy has the test */
    MAX_BLOCKS = 8,         /* of the same */
};

typedef struct unroll {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    opt_loop loop;
    opt_trips trips;
    bool whole_only; /* no loop stays one */
    unsigned copies; /* to make; fewer than trips.copies: the loop stays */
    opt_copy copy;   /* maps of the copy being made; empty otherwise */
    size_t cap_blocks, cap_values;
    bool changed;
} unroll;

/* ---- eligibility ---- */

/* The cost of an instruction: about its time in units of a simple operation. */
static uint32_t
cost(const ir_fn *f, const ir_instr *i)
{
    unsigned wide = i->n_defs && ir_type_bits(f->values[i->defs[0].id].type) == 64 ? 2 : 1;
    switch (i->op) {
    case IR_phi:
    case IR_load_const:
    case IR_undef:
    case IR_vec:
    case IR_mov:
    case IR_jump: return 0;
    case IR_fsqrt:
    case IR_frsq:
    case IR_frcp:
    case IR_fexp2:
    case IR_flog2:
    case IR_fsin:
    case IR_fcos: return 4 * wide;
    case IR_fdiv: return 5 * wide;
    case IR_fpow: return 9;
    case IR_idiv:
    case IR_udiv:
    case IR_irem:
    case IR_imod:
    case IR_umod: return 16 * wide;
    default: return wide;
    }
}

/* Returns true if the instruction is computed when the header's phis are known: all that it reads
 * is constant, or `mark`ed as such in the loop. */
static bool
folds(const unroll *u, const ir_instr *i)
{
    if (!ir_has_flag(i, IR_OP_ALU) && i->op != IR_vec && i->op != IR_if &&
        i->op != IR_load_constant)
        return false;
    for (unsigned r = 0; r < i->n_refs; r++) {
        const ir_instr *def = u->f->values[i->refs[r].id].def;
        bool inside = def->block->index > u->loop.opener->index;
        if (def->op != IR_load_const && !(inside && def->mark))
            return false;
    }
    return true;
}

/* Marks what folds in the loop, where the header's phis do that are marked. */
static void
mark_folding(unroll *u)
{
    for (uint32_t n = u->loop.header->index; n < u->loop.merge->index; n++) {
        IR_FOREACH_INSTR(i, u->f->blocks[n]) {
            if (i->op != IR_phi || n != u->loop.header->index)
                i->mark = folds(u, i);
        }
    }
}

/* Assumes that the header's phis with constant initial values fold, and then that those do whose
 * next value did. */
static void
find_folding(unroll *u)
{
    for (ir_instr *i = u->loop.header->first; i->op == IR_phi; i = i->next)
        i->mark = ir_is_const(u->f, i->refs[0], NULL);
    mark_folding(u);
    for (ir_instr *i = u->loop.header->first; i->op == IR_phi; i = i->next) {
        const ir_instr *next = u->f->values[i->refs[1].id].def;
        i->mark &= next->op == IR_load_const || next->mark;
    }
    mark_folding(u);
}

/* What the loop has in it. */
typedef struct extent {
    uint32_t size;      /* the cost of an iteration */
    uint32_t last;      /* of the last copy, which ends at the test */
    uint32_t whole;     /* the cost of an iteration in which nothing folds */
    bool scratch;       /* scratch memory at an index */
    bool barrier, loop; /* one that runs more than once */
    bool loads;
} extent;

static bool
is_load(const ir_instr *i)
{
    return i->op == IR_load_shared || i->op == IR_load_ssbo || i->op == IR_load_ubo ||
           i->op == IR_load_global;
}

static extent
measure(unroll *u)
{
    extent e = {0};
    find_folding(u);
    for (uint32_t n = u->loop.header->index; n < u->loop.merge->index; n++) {
        const ir_block *b = u->f->blocks[n];
        e.loop |= b->cont && b->cont->preds[0].count;
        IR_FOREACH_INSTR(i, b) {
            bool indexed = i->op == IR_load_scratch || i->op == IR_store_scratch;
            e.scratch |= indexed && !ir_is_const(u->f, i->refs[i->op == IR_store_scratch], NULL);
            e.barrier |= ir_has_flag(i, IR_OP_BARRIER);
            e.loads |= is_load(i);
            e.size += i->mark ? 0 : cost(u->f, i);
            e.whole += cost(u->f, i);
        }
        if (n <= u->trips.test->index)
            e.last = e.size;
    }
    return e;
}

static bool
fits(const unroll *u, const extent *e)
{
    bool few = u->trips.copies <= FEW + 1;
    uint32_t limit = u->loop.unroll == IR_UNROLL_always ? MAX_SIZE_ASKED
                     : e->scratch                       ? MAX_SIZE_SCRATCH
                     : e->loop && !few                  ? MAX_SIZE_SLOW
                     : e->barrier                       ? MAX_SIZE_BARRIER
                     : !u->trips.all_decided            ? MAX_SIZE_OPEN
                     : few                              ? MAX_SIZE_FEW
                                                        : MAX_SIZE;
    if (u->trips.copies > MAX_COPIES && u->loop.unroll != IR_UNROLL_always)
        return false;
    return e->size * (u->trips.copies - 1) + e->last <= limit;
}

/* Does a loop pay that has PART copies of the body? */
static bool
fits_part(const unroll *u, const extent *e)
{
    unsigned n = u->trips.copies - 1, limit = e->loads ? MAX_SIZE_LOADS : MAX_SIZE_PART;
    return u->trips.all_decided && n > PART && n % PART == 0 && !e->scratch && !e->barrier &&
           !e->loop && e->whole <= limit;
}

/* Decides how many copies are made. Returns false if the loop stays as it is. */
static bool
choose_copies(unroll *u)
{
    extent e = measure(u);
    bool whole = fits(u, &e);
    u->copies = whole ? u->trips.copies : PART;
    return whole || (!u->whole_only && fits_part(u, &e));
}

/* Does the loop read memory where iterations before that may do so early? Then hoist lets the loads
 * of several iterations wait together. */
static bool
loads_early(const unroll *u)
{
    for (uint32_t n = u->loop.header->index; n < u->loop.merge->index; n++) {
        IR_FOREACH_INSTR(i, u->f->blocks[n]) {
            if ((i->op == IR_load_ubo || i->op == IR_load_ssbo) && opt_may_speculate(i))
                return true;
        }
    }
    return false;
}

/* The condition on which the loop breaks, if there is one place where it does; else NONE. */
static ir_ref
only_exit(const unroll *u)
{
    const ir_edges *breaks = &u->loop.merge->preds[0];
    if (breaks->count != 1 || breaks->at[0]->preds[0].count != 1)
        return ir_none();
    const ir_instr *end = ir_terminator(breaks->at[0]->preds[0].at[0]);
    return end->op == IR_if ? end->refs[0] : ir_none();
}

/* Does a loop pay that has PART copies, each with its test, as nothing says how often it runs? It
 * must be small, and left by all lanes at once. */
static bool
choose_repeat(unroll *u)
{
    ir_ref exit = only_exit(u);
    if (u->loop.merge->index - u->loop.header->index > MAX_BLOCKS || !ir_is_value(exit) ||
        u->f->values[exit.id].divergent || !loads_early(u))
        return false;
    u->trips = (opt_trips){.test = u->loop.header, .copies = PART + 1};
    u->copies = PART;
    extent e = measure(u);
    return !e.scratch && !e.barrier && !e.loop && e.whole <= MAX_SIZE_REPEAT;
}

static bool
choose(unroll *u)
{
    bool known = opt_find_trips(u->f, &u->loop, &u->trips);
    return (known && choose_copies(u)) || (!u->whole_only && choose_repeat(u));
}

static bool
stays_loop(const unroll *u)
{
    return u->copies < u->trips.copies;
}

/* Returns true if the loop can be entered again, and left. */
static bool
is_loop(const unroll *u)
{
    return u->loop.header->preds[0].count == 2 && u->loop.cont->preds[0].count > 0 &&
           u->loop.merge->preds[0].count > 0;
}

/* Makes the end of the body the only continue. */
static bool
make_simple(unroll *u)
{
    const ir_block *cont = u->loop.cont;
    return (cont->preds[0].count == 1 && cont->preds[0].at[0] == u->f->blocks[cont->index - 1]) ||
           opt_nest_jumps(u->f, u->loop.opener, u->loop.cont);
}

/* ---- making the copies ---- */

/* Moves constants before the loop, so that uses outside need no phi. */
static void
hoist_constants(unroll *u)
{
    for (uint32_t n = u->loop.header->index; n < u->loop.merge->index; n++) {
        IR_FOREACH_INSTR(i, u->f->blocks[n]) {
            if (i->op != IR_load_const && i->op != IR_undef)
                continue;
            ir_unlink(i);
            ir_insert_before(ir_terminator(u->loop.opener), i);
        }
    }
}

static bool
is_header_phi(const ir_instr *i, const void *header)
{
    return i->op == IR_phi && i->block == header;
}

/* What the next copy and the loop's surroundings need to know about a copy. */
typedef struct copy {
    ir_block *head, *body_end, *cont, *end;
} copy;

/* State collected while copies are made. */
typedef struct made {
    copy at[OPT_MAX_TRIPS];
    unsigned n_phis;
    ir_ref *phis;     /* of the header of a loop that stays */
    ir_block **order; /* the blocks that replace the loop */
    size_t n_order;
    ir_ref *starts; /* initial values of the header's phis for the next copy */
    ir_ref **exits; /* by phi of the merge block: its new references */
    uint32_t n_exits;
} made;

static void
gather_exits(unroll *u, const opt_copy *c, made *m, uint32_t n_breaks)
{
    unsigned row = 0;
    for (const ir_instr *i = u->loop.merge->first; i->op == IR_phi; i = i->next, row++) {
        for (uint32_t p = 0; p < n_breaks; p++)
            m->exits[row][m->n_exits + p] = opt_copy_ref(c, i->refs[p]);
    }
    for (uint32_t p = 0; p < n_breaks; p++)
        ir_add_edge(c->blocks[u->loop.merge->preds[0].at[p]->index], u->loop.merge, 0);
    m->n_exits += n_breaks;
}

static void
make_copy(unroll *u, opt_copy *c, made *m, unsigned k, uint32_t n_breaks)
{
    uint32_t first = u->loop.header->index, end = u->loop.merge->index;
    unsigned n = 0;
    for (ir_instr *i = u->loop.header->first; i->op == IR_phi; i = i->next)
        c->values[i->defs[0].id] = m->starts[n++];
    opt_clone_region(u->f, first, end, c, is_header_phi, u->loop.header);
    copy *at = &m->at[k];
    *at = (copy){c->blocks[first], c->blocks[u->loop.cont->index - 1],
                 c->blocks[u->loop.cont->index], c->blocks[end - 1]};
    ir_remove_edge(at->end, at->head, 0);
    bool last = k + 1 == u->trips.copies, open = k == 0 && stays_loop(u);
    if (u->trips.decided[k] && !open)
        ir_terminator(c->blocks[u->trips.test->index])->refs[0] = ir_build_imm(
            &u->b, 1, u->trips.break_on == last);
    gather_exits(u, c, m, n_breaks);
    n = 0;
    for (ir_instr *i = u->loop.header->first; i->op == IR_phi; i = i->next)
        m->starts[n++] = opt_copy_ref(c, i->refs[1]);
    for (uint32_t b = first; b < end; b++)
        m->order[m->n_order++] = c->blocks[b];
}

/* Clears the maps' entries for values and blocks of the loop, for the next copy. */
static void
clear_copy(unroll *u, opt_copy *c)
{
    for (uint32_t n = u->loop.header->index; n < u->loop.merge->index; n++) {
        c->blocks[n] = NULL;
        IR_FOREACH_INSTR(i, u->f->blocks[n]) {
            for (unsigned d = 0; d < i->n_defs; d++)
                c->values[i->defs[d].id] = ir_none();
        }
    }
}

static unsigned
count_phis(const ir_block *b)
{
    unsigned n = 0;
    for (const ir_instr *i = b->first; i->op == IR_phi; i = i->next)
        n++;
    return n;
}

/* A phi like `old` for the header of a loop that stays; place_phis gives it its operands. */
static ir_ref
new_phi(unroll *u, const ir_instr *old)
{
    ir_instr *phi = ir_new_instr(u->f, IR_phi, 1, 2);
    phi->loc = old->loc;
    phi->refs[0] = old->refs[0];
    return ir_define(u->f, phi, 0, u->f->values[old->defs[0].id].type);
}

static void
make_copies(unroll *u, made *m)
{
    arena *a = u->f->ctx->scratch;
    uint32_t blocks = u->loop.merge->index - u->loop.header->index,
             n_breaks = u->loop.merge->preds[0].count;
    m->order = ARENA_ARRAY(a, (size_t)u->copies * blocks + 1, ir_block *);
    m->starts = ARENA_ARRAY(a, count_phis(u->loop.header), ir_ref);
    m->phis = ARENA_ARRAY(a, count_phis(u->loop.header), ir_ref);
    m->exits = ARENA_ARRAY(a, count_phis(u->loop.merge), ir_ref *);
    for (unsigned row = 0; row < count_phis(u->loop.merge); row++)
        m->exits[row] = ARENA_ARRAY(a, (size_t)u->copies * n_breaks + 1, ir_ref);
    unsigned n = 0;
    for (ir_instr *i = u->loop.header->first; i->op == IR_phi; i = i->next)
        m->starts[n++] = stays_loop(u) ? new_phi(u, i) : i->refs[0];
    m->n_phis = n;
    memcpy(m->phis, m->starts, n * sizeof *m->phis);
    for (unsigned k = 0; k < u->copies; k++) {
        make_copy(u, &u->copy, m, k, n_breaks);
        clear_copy(u, &u->copy);
    }
}

/* ---- replacing the loop ---- */

/* The last copy continues with the first one, whose header gets the phis of new_phi. */
static void
close_part(unroll *u, made *m)
{
    const copy *last = &m->at[u->copies - 1];
    ir_block *head = m->at[0].head;
    ir_add_edge(u->loop.opener, head, 0);
    ir_add_edge(last->end, head, 0);
    ir_attr_set(ir_terminator(u->loop.opener), IR_A_UNROLL, IR_UNROLL_never); /* not again */
    u->loop.opener->cont = last->cont;
    for (unsigned n = m->n_phis; n-- > 0;) {
        ir_instr *phi = u->f->values[m->phis[n].id].def;
        phi->refs[1] = m->starts[n];
        ir_prepend(head, phi);
    }
}

/* The last copy ends with a break and never continues; a continue block exists only because the
 * structure requires one. */
static void
close_loop(unroll *u, made *m)
{
    ir_block *cont = ir_block_new(u->f), *head = m->at[0].head;
    unsigned row = 0;
    for (ir_instr *i = u->loop.merge->first; i->op == IR_phi; i = i->next, row++)
        m->exits[row][m->n_exits] = ir_build_undef(&u->b, u->f->values[i->defs[0].id].type);
    m->n_exits++;
    ir_add_edge(m->at[u->copies - 1].end, u->loop.merge, 0);
    ir_add_edge(u->loop.opener, head, 0);
    ir_append(cont, ir_new_instr(u->f, IR_jump, 0, 0));
    ir_add_edge(cont, head, 0);
    u->loop.opener->cont = cont;
    m->order[m->n_order++] = cont;
}

/* Gives the merge block's phis their new references. */
static void
replace_exits(unroll *u, const made *m)
{
    unsigned row = 0;
    for (ir_instr *i = u->loop.merge->first, *next; i->op == IR_phi; i = next, row++) {
        next = i->next;
        ir_instr *phi = ir_new_instr(u->f, IR_phi, 1, m->n_exits);
        memcpy(phi->refs, m->exits[row], m->n_exits * sizeof *phi->refs);
        phi->defs[0] = i->defs[0];
        phi->loc = i->loc;
        u->f->values[phi->defs[0].id].def = phi;
        ir_insert_before(i, phi);
        ir_unlink(i);
    }
}

/* Inserts the blocks of `m` into the function after the loop's opener. */
static void
place_blocks(unroll *u, const made *m)
{
    ir_fn *f = u->f;
    size_t behind = u->loop.opener->index + 1, n = f->n_blocks + m->n_order;
    ir_block **blocks = ARENA_ARRAY(f->arena, n, ir_block *);
    memcpy(blocks, f->blocks, behind * sizeof *blocks);
    memcpy(blocks + behind, m->order, m->n_order * sizeof *blocks);
    memcpy(blocks + behind + m->n_order, f->blocks + behind,
           (f->n_blocks - behind) * sizeof *blocks);
    f->blocks = blocks;
    f->n_blocks = f->cap_blocks = n;
    for (size_t k = 0; k < m->n_order; k++)
        m->order[k]->index = (uint32_t)(behind + k);
}

/* Joins the end of each copy's body with its continue region, which the last copy of a loop that
 * stays keeps, and the end of that with the next copy's header. */
static void
chain(unroll *u, made *m)
{
    for (unsigned k = 0; k < u->copies - stays_loop(u); k++) {
        copy *at = &m->at[k];
        if (at->end == at->cont)
            at->end = at->body_end;
        opt_cfg_join(&u->map, at->body_end, at->cont);
    }
    ir_block *end = m->at[0].end;
    for (unsigned k = 1; k < u->copies; k++) {
        opt_cfg_join(&u->map, end, m->at[k].head);
        if (m->at[k].end != m->at[k].head)
            end = m->at[k].end;
    }
}

/* Grows the maps to the function's current size; they are empty between copies. */
static void
fit_maps(unroll *u)
{
    arena *a = u->f->ctx->scratch;
    opt_copy *c = &u->copy;
    if (u->cap_blocks < u->f->n_blocks) {
        u->cap_blocks = 2 * u->f->n_blocks;
        c->blocks = ARENA_ARRAY(a, u->cap_blocks, ir_block *);
    }
    if (u->cap_values < u->f->n_values) {
        u->cap_values = 2 * u->f->n_values;
        c->values = ARENA_ARRAY(a, u->cap_values, ir_ref);
    }
}

static void
unroll_loop(unroll *u)
{
    made *m = ARENA_NEW(u->f->ctx->scratch, made);
    fit_maps(u);
    hoist_constants(u);
    make_copies(u, m);
    opt_cfg_remove(u->f, u->loop.header->index, u->loop.merge->index);
    if (stays_loop(u))
        close_part(u, m);
    else
        close_loop(u, m);
    replace_exits(u, m);
    place_blocks(u, m);
    chain(u, m);
    ir_compact_blocks(u->f);
    ir_replace_all(&u->map);
    u->changed = true;
}

/* Turns a loop that runs once into one that is only left from its end. */
static bool
nest_breaks(unroll *u, ir_block *opener)
{
    const ir_block *cont = opener->cont;
    ir_block *merge = opener->merge;
    bool nested = cont->preds[0].count == 0 && merge->preds[0].count > 1 &&
                  ir_may_change(u->f->ctx) && opt_nest_jumps(u->f, opener, merge);
    u->changed |= nested;
    return nested;
}

/* Finds divergence if choose_repeat may need it for a loop. Returns false if there are no loops. */
static bool
look_at_loops(unroll *u)
{
    bool any = false, may_repeat = false;
    IR_FOREACH_BLOCK(b, u->f) {
        if (!b->cont)
            continue;
        any = true;
        u->loop = opt_loop_of(b);
        may_repeat |= is_loop(u) && u->loop.merge->index - u->loop.header->index <= MAX_BLOCKS &&
                      ir_is_value(only_exit(u)) && loads_early(u);
    }
    if (may_repeat && !u->whole_only)
        ir_require(u->f, IR_HAS_DIVERGENCE);
    return any;
}

static bool
unroll_all(ir_fn *f, bool whole_only)
{
    unroll u = {.f = f, .whole_only = whole_only};
    if (!ir_made_op(f, IR_loop) || !look_at_loops(&u))
        return false;
    u.changed = ir_convert_to_lcssa(f);
    u.map = (ir_replacement){.f = f};
    ir_builder_init(&u.b, f);
    for (size_t n = f->n_blocks; n-- > 0;) {
        arena_mark mark = arena_save(f->ctx->scratch);
        if (!f->blocks[n]->cont)
            continue;
        u.loop = opt_loop_of(f->blocks[n]);
        bool does = u.loop.unroll != IR_UNROLL_never && is_loop(&u) && choose(&u) &&
                    ir_may_change(f->ctx) && make_simple(&u);
        if (does)
            unroll_loop(&u);
        bool nested = nest_breaks(&u, f->blocks[n]);
        if (!does && !nested)
            arena_release(f->ctx->scratch, mark);
    }
    return u.changed;
}

bool
opt_unroll(ir_fn *f)
{
    return unroll_all(f, false);
}

bool
opt_unroll_known(ir_fn *f)
{
    return unroll_all(f, true);
}
