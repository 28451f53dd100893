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
 * The count is found by evaluating the exit condition on constants. The exit is an if at the top
 * level of the body or the continue region that has an arm that breaks, and whose condition depends
 * on header phis with constant initial values. The result is a loop that runs once, which preserves
 * other breaks; dead_cf turns it into straight-line code and drops arms that are not taken. Loops
 * with continues other than the end of the body are left alone.
 *
 * Inner loops come first. The size limit is about that of RADV (32 iterations, some 800
 * operations), and larger if the loop indexes scratch memory, because constant indices allow it to
 * be promoted to registers.
 */
#include "opt/cfg.h"
#include "opt/clone.h"
#include "opt/opt.h"

#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/eval_alu.h"

enum {
    MAX_COPIES = 33,
    MAX_SIZE = 800,
    MAX_SIZE_SCRATCH = 4000,
    MAX_SIZE_SLOW = 60, /* with a barrier or a loop inside, which cost more than the branch saved */
    MAX_DEPTH = 12,     /* of a condition's expression tree */
};

typedef struct unroll {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    ir_block *opener, *header, *cont, *merge;
    ir_block *test; /* ends with the if that decides the exit */
    bool break_on;  /* the value of the condition that breaks */
    unsigned copies;
    opt_copy copy; /* maps of the copy being made; empty otherwise */
    size_t cap_blocks, cap_values;
    uint64_t *value; /* by number: the header phis' values in this iteration */
    bool *known;
    bool changed;
} unroll;

/* ---- evaluating the loop on constants ---- */

static bool
in_loop(const unroll *u, const ir_block *b)
{
    return b->index > u->opener->index && b->index < u->merge->index;
}

static bool
evaluate(const unroll *u, ir_ref r, unsigned depth, uint64_t *out)
{
    if (!ir_is_value(r))
        return false;
    if (ir_is_const(u->f, r, out))
        return true;
    const ir_instr *i = u->f->values[r.id].def;
    if (!i || depth == MAX_DEPTH || r.comp == IR_WHOLE)
        return false;
    if (i->op == IR_phi && i->block == u->header && u->known[i->mark]) {
        *out = u->value[i->mark];
        return true;
    }
    if (!ir_has_flag(i, IR_OP_ALU) || !in_loop(u, i->block))
        return false;
    uint64_t src[3] = {0};
    unsigned sizes[3] = {0};
    for (unsigned s = 0; s < i->n_refs; s++) {
        if (!evaluate(u, i->refs[s], depth + 1, &src[s]))
            return false;
        sizes[s] = ir_type_bits(ir_ref_type(u->f, i->refs[s]));
    }
    unsigned bits = ir_alu_bits((ir_op)i->op, sizes);
    *out = ir_eval_alu((ir_op)i->op, bits, ir_type_bits(u->f->values[r.id].type), src,
                       u->f->shader.fp);
    return true;
}

/* Numbers the header's phis, sets their initial values, and allocates the values of one iteration.
 */
static unsigned
start_phis(unroll *u)
{
    unsigned n = 0;
    for (ir_instr *i = u->header->first; i->op == IR_phi; i = i->next)
        i->mark = n++;
    u->value = ARENA_ARRAY(u->f->ctx->scratch, n, uint64_t);
    u->known = ARENA_ARRAY(u->f->ctx->scratch, n, bool);
    for (ir_instr *i = u->header->first; i->op == IR_phi; i = i->next)
        u->known[i->mark] = ir_is_const(u->f, i->refs[0], &u->value[i->mark]);
    return n;
}

static void
next_iteration(unroll *u, unsigned n)
{
    uint64_t *value = ARENA_ARRAY(u->f->ctx->scratch, n, uint64_t);
    bool *known = ARENA_ARRAY(u->f->ctx->scratch, n, bool);
    for (ir_instr *i = u->header->first; i->op == IR_phi; i = i->next)
        known[i->mark] = evaluate(u, i->refs[1], 0, &value[i->mark]);
    u->value = value;
    u->known = known;
}

/* The number of copies up to and including the one that breaks at `test`, or 0. */
static unsigned
count_copies(unroll *u, ir_ref cond, bool break_on)
{
    unsigned n = start_phis(u);
    for (unsigned k = 1; k <= MAX_COPIES; k++) {
        uint64_t c;
        if (!evaluate(u, cond, 0, &c))
            return 0;
        if (c == break_on)
            return k;
        next_iteration(u, n);
    }
    return 0;
}

/* ---- eligibility ---- */

static bool
breaks(const unroll *u, const ir_block *arm)
{
    return ir_terminator(arm)->op == IR_jump && arm->succs[0].at[0] == u->merge;
}

/* Looks for the if that decides the exit among the blocks at the loop's top level. */
static bool
find_test(unroll *u)
{
    ir_block *b = u->header;
    while (b) {
        const ir_instr *end = ir_terminator(b);
        if (end->op == IR_if) {
            bool on = breaks(u, b->succs[0].at[0]), off = breaks(u, b->succs[0].at[1]);
            u->test = b;
            u->break_on = on;
            u->copies = on != off ? count_copies(u, end->refs[0], on) : 0;
            if (u->copies)
                return true;
        }
        if (b->merge)
            b = b->merge;
        else
            b = b->succs[0].count && b->succs[0].at[0] == u->cont ? u->cont : NULL;
    }
    return false;
}

static bool
fits(const unroll *u)
{
    uint32_t size = 0;
    bool scratch = false, slow = false;
    for (uint32_t n = u->header->index; n < u->merge->index; n++) {
        const ir_block *b = u->f->blocks[n];
        slow |= b->cont && b->cont->preds[0].count; /* a loop that runs only once does not count */
        IR_FOREACH_INSTR(i, b) {
            bool indexed = i->op == IR_load_scratch || i->op == IR_store_scratch;
            scratch |= indexed && !ir_is_const(u->f, i->refs[i->op == IR_store_scratch], NULL);
            slow |= ir_has_flag(i, IR_OP_BARRIER);
            size += i->op != IR_phi && i->op != IR_load_const && i->op != IR_jump;
        }
    }
    return size * u->copies <= (scratch ? MAX_SIZE_SCRATCH : slow ? MAX_SIZE_SLOW : MAX_SIZE);
}

/* Returns true if the end of the body is the only continue and the loop can be left. */
static bool
is_simple(const unroll *u)
{
    return u->header->preds[0].count == 2 && u->cont->preds[0].count == 1 &&
           u->cont->preds[0].at[0] == u->f->blocks[u->cont->index - 1] &&
           u->merge->preds[0].count > 0;
}

/* ---- making the copies ---- */

/* Moves constants before the loop, so that uses outside need no phi. */
static void
hoist_constants(unroll *u)
{
    for (uint32_t n = u->header->index; n < u->merge->index; n++) {
        IR_FOREACH_INSTR(i, u->f->blocks[n]) {
            if (i->op != IR_load_const && i->op != IR_undef)
                continue;
            ir_unlink(i);
            ir_insert_before(ir_terminator(u->opener), i);
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
    copy at[MAX_COPIES];
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
    for (const ir_instr *i = u->merge->first; i->op == IR_phi; i = i->next, row++) {
        for (uint32_t p = 0; p < n_breaks; p++)
            m->exits[row][m->n_exits + p] = opt_copy_ref(c, i->refs[p]);
    }
    for (uint32_t p = 0; p < n_breaks; p++)
        ir_add_edge(c->blocks[u->merge->preds[0].at[p]->index], u->merge, 0);
    m->n_exits += n_breaks;
}

static void
make_copy(unroll *u, opt_copy *c, made *m, unsigned k, uint32_t n_breaks)
{
    uint32_t first = u->header->index, end = u->merge->index;
    unsigned n = 0;
    for (ir_instr *i = u->header->first; i->op == IR_phi; i = i->next)
        c->values[i->defs[0].id] = m->starts[n++];
    opt_clone_region(u->f, first, end, c, is_header_phi, u->header);
    copy *at = &m->at[k];
    *at = (copy){c->blocks[first], c->blocks[u->cont->index - 1], c->blocks[u->cont->index],
                 c->blocks[end - 1]};
    ir_remove_edge(at->end, at->head, 0);
    bool last = k + 1 == u->copies;
    ir_terminator(c->blocks[u->test->index])->refs[0] = ir_build_imm(&u->b, 1, u->break_on == last);
    gather_exits(u, c, m, n_breaks);
    n = 0;
    for (ir_instr *i = u->header->first; i->op == IR_phi; i = i->next)
        m->starts[n++] = opt_copy_ref(c, i->refs[1]);
    for (uint32_t b = first; b < end; b++)
        m->order[m->n_order++] = c->blocks[b];
}

/* Clears the maps' entries for values and blocks of the loop, for the next copy. */
static void
clear_copy(unroll *u, opt_copy *c)
{
    for (uint32_t n = u->header->index; n < u->merge->index; n++) {
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

static void
make_copies(unroll *u, made *m)
{
    arena *a = u->f->ctx->scratch;
    uint32_t blocks = u->merge->index - u->header->index, n_breaks = u->merge->preds[0].count;
    m->order = ARENA_ARRAY(a, (size_t)u->copies * blocks + 1, ir_block *);
    m->starts = ARENA_ARRAY(a, count_phis(u->header), ir_ref);
    m->exits = ARENA_ARRAY(a, count_phis(u->merge), ir_ref *);
    for (unsigned row = 0; row < count_phis(u->merge); row++)
        m->exits[row] = ARENA_ARRAY(a, (size_t)u->copies * n_breaks + 1, ir_ref);
    unsigned n = 0;
    for (ir_instr *i = u->header->first; i->op == IR_phi; i = i->next)
        m->starts[n++] = i->refs[0];
    for (unsigned k = 0; k < u->copies; k++) {
        make_copy(u, &u->copy, m, k, n_breaks);
        clear_copy(u, &u->copy);
    }
}

/* ---- replacing the loop ---- */

/* The last copy ends with a break and never continues; a continue block exists only because the
 * structure requires one. */
static void
close_loop(unroll *u, made *m)
{
    ir_block *cont = ir_block_new(u->f), *head = m->at[0].head;
    unsigned row = 0;
    for (ir_instr *i = u->merge->first; i->op == IR_phi; i = i->next, row++)
        m->exits[row][m->n_exits] = ir_build_undef(&u->b, u->f->values[i->defs[0].id].type);
    m->n_exits++;
    ir_add_edge(m->at[u->copies - 1].end, u->merge, 0);
    ir_add_edge(u->opener, head, 0);
    ir_append(cont, ir_new_instr(u->f, IR_jump, 0, 0));
    ir_add_edge(cont, head, 0);
    u->opener->cont = cont;
    m->order[m->n_order++] = cont;
}

/* Gives the merge block's phis their new references. */
static void
replace_exits(unroll *u, const made *m)
{
    unsigned row = 0;
    for (ir_instr *i = u->merge->first, *next; i->op == IR_phi; i = next, row++) {
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
    size_t behind = u->opener->index + 1, n = f->n_blocks + m->n_order;
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

/* Joins the end of each copy's body with its continue region, and the end of that with the next
 * copy's header. */
static void
chain(unroll *u, made *m)
{
    for (unsigned k = 0; k < u->copies; k++) {
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
    opt_cfg_remove(u->f, u->header->index, u->merge->index);
    close_loop(u, m);
    replace_exits(u, m);
    place_blocks(u, m);
    chain(u, m);
    ir_compact_blocks(u->f);
    ir_replace_all(&u->map);
    u->changed = true;
}

static bool
has_loops(const ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        if (b->cont)
            return true;
    }
    return false;
}

bool
opt_unroll(ir_fn *f)
{
    unroll u = {.f = f};
    if (!ir_made_op(f, IR_loop) || !has_loops(f))
        return false;
    u.changed = ir_convert_to_lcssa(f);
    u.map = (ir_replacement){.f = f};
    ir_builder_init(&u.b, f);
    for (size_t n = f->n_blocks; n-- > 0;) {
        arena_mark mark = arena_save(f->ctx->scratch);
        u.opener = f->blocks[n];
        if (!u.opener->cont)
            continue;
        u.header = u.opener->succs[0].at[0];
        u.cont = u.opener->cont;
        u.merge = u.opener->merge;
        bool does = is_simple(&u) && find_test(&u) && fits(&u) && ir_may_change(f->ctx);
        if (does)
            unroll_loop(&u);
        else
            arena_release(f->ctx->scratch, mark);
    }
    return u.changed;
}
