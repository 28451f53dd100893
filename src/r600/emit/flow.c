/* Control flow: regions to pushes, loops and jumps; addresses; the end of the program.
 *
 *     clause with the comparison (ALU_PUSH_BEFORE)
 *     JUMP to ELSE, or behind POP       waves whose lanes all failed
 *     what the `if` holds
 *     ELSE, the rest of the region
 *     POP, as an option of the last clause if it can be
 *
 * An `if` that leaves a loop has LOOP_BREAK or LOOP_CONTINUE at its end and no ELSE. A region that
 * does not repeat, but is left from regions inside it, is a loop that all lanes break. */
#include "r600/emit/emit.h"

enum { STACK_ENTRY = 4 };

emit_cf *
r600_emit_cf(emitter *e, unsigned op)
{
    e->cf = (emit_cf *)arena_grow(e->p->arena, e->cf, &e->cap, e->n + 1, sizeof *e->cf);
    emit_cf *cf = &e->cf[e->n++];
    *cf = (emit_cf){.in = {.op = (r600_op)op, .n_words = 2}};
    cf->in.f[R600_F_barrier] = 1;
    return cf;
}

/* ---- the stack ---- */

/* Elements that are used here, with those that the hardware needs for itself: Mesa,
 * callstack_update_max_depth. Loops take a row, which is wider on chips with small waves. */
static void
note_depth(emitter *e)
{
    const r600_chip *chip = e->p->chip;
    const uint32_t row = chip->wave_size < 64 ? 8 : 4;
    uint32_t n = e->loops * row + e->pushes;
    if (chip->gen <= R600_GEN_R700)
        n += e->pushes ? 2 : 0;
    else
        n += (chip->gen == R600_GEN_CM ? 2 : 0) + (e->pushes ? 1 : 0);
    e->most_elements = n > e->most_elements ? n : e->most_elements;
}

static void
pop(emitter *e)
{
    emit_cf *last = e->n ? &e->cf[e->n - 1] : NULL;
    e->pushes--;
    if (last && last->in.op == R600_ALU && e->last_label != e->n) {
        last->in.op = R600_ALU_POP_AFTER;
    } else {
        emit_cf *cf = r600_emit_cf(e, R600_POP);
        cf->in.f[R600_F_pop_count] = 1;
        cf->target = (uint32_t)e->n + 1;
    }
    e->last_label = (uint32_t)e->n;
}

/* ---- branches ---- */

static void
emit_from(emitter *e, tree_node *n);

static tree_node *
innermost_loop(const tree_node *n)
{
    tree_node *owner = n->list->owner;
    while (owner && !owner->is_loop)
        owner = owner->list->owner;
    return owner;
}

/* The region whose end follows the list that `n` ends, without a jump: its own, or that of the `if`
 * which it is in. */
static const tree_node *
natural_target(const tree_node *n)
{
    const tree_node *owner = n->list->owner;
    return owner && owner->kind == TREE_IF ? owner->list->owner : owner;
}

static void
find_loops(tree_program *p)
{
    TREE_FOREACH(n, p) {
        if (n->kind == TREE_REPEAT || (n->kind == TREE_DEPART && n->target != natural_target(n)))
            n->target->is_loop = true;
    }
}

static void
emit_leave(emitter *e, const tree_node *n)
{
    const bool is_repeat = n->kind == TREE_REPEAT;
    if (!n->target->is_loop ? n->target == natural_target(n)
                            : is_repeat && n->list->owner == n->target)
        return;
    if (!n->target->is_loop || n->target != innermost_loop(n))
        diag_fail(e->p->diag, ERR_R600_NOT_IN_TREE, "a depart from a region to one further out");
    r600_emit_cf(e, is_repeat ? R600_LOOP_CONTINUE : R600_LOOP_BREAK)->target = UINT32_MAX;
}

/* An `if` and what follows it in its list. */
static void
emit_if(emitter *e, tree_node *n)
{
    const bool has_rest = n->body.last->kind == TREE_DEPART && !n->body.last->target->is_loop;
    e->pushes++;
    note_depth(e);
    const size_t jump = e->n;
    r600_emit_cf(e, R600_JUMP);
    e->last_label = (uint32_t)e->n;
    emit_from(e, n->body.first);
    const tree_node *last = n->list->last;
    const bool is_empty = n->next == last && last->kind == TREE_DEPART && !last->target->is_loop;
    if (!has_rest || is_empty) {
        pop(e);
        e->cf[jump].target = (uint32_t)e->n + 1;
        e->cf[jump].in.f[R600_F_pop_count] = 1;
        emit_from(e, n->next);
        return;
    }
    const size_t turn = e->n;
    e->cf[jump].target = (uint32_t)turn + 1;
    r600_emit_cf(e, R600_ELSE)->in.f[R600_F_pop_count] = 1;
    e->last_label = (uint32_t)e->n;
    emit_from(e, n->next);
    pop(e);
    e->cf[turn].target = (uint32_t)e->n + 1;
}

static void
emit_loop(emitter *e, tree_node *n)
{
    const size_t start = e->n;
    r600_emit_cf(e, R600_LOOP_START_DX10);
    e->last_label = (uint32_t)e->n;
    e->loops++;
    note_depth(e);
    emit_from(e, n->body.first);
    const size_t end = e->n;
    r600_emit_cf(e, R600_LOOP_END)->target = (uint32_t)start + 2;
    e->cf[start].target = (uint32_t)e->n + 1;
    e->last_label = (uint32_t)e->n;
    e->loops--;
    for (size_t i = start; i < end; i++)
        if (e->cf[i].target == UINT32_MAX)
            e->cf[i].target = (uint32_t)end + 1;
}

static void
emit_from(emitter *e, tree_node *n)
{
    for (; n; n = n->next) {
        switch (n->kind) {
        case TREE_ALU: n = r600_emit_alu(e, n); break;
        case TREE_FETCH: n = r600_emit_fetches(e, n); break;
        case TREE_FLOW: r600_emit_transfer(e, n); break;
        case TREE_REGION:
            if (n->is_loop)
                emit_loop(e, n);
            else
                emit_from(e, n->body.first);
            break;
        case TREE_IF: emit_if(e, n); return;
        default: emit_leave(e, n); return;
        }
    }
}

/* ---- addresses ---- */

static void
end_program(emitter *e)
{
    const uint8_t format = e->n ? r600_op_row(e->cf[e->n - 1].in.op)->format : R600_FMT_CF;
    const bool has_bit = format == R600_FMT_CF_EXPORT || format == R600_FMT_CF_MEM ||
                         format == R600_FMT_CF_SCRATCH || format == R600_FMT_CF_RAT;
    if (e->p->chip->gen == R600_GEN_CM) {
        r600_emit_cf(e, R600_END);
        return;
    }
    if (!has_bit || e->last_label == e->n)
        r600_emit_cf(e, R600_CF_NOP);
    e->cf[e->n - 1].in.f[R600_F_eop] = 1;
}

/* Clauses of fetches come first, because they are aligned, and have no gaps between them. */
static const uint8_t alignments[] = {2, 1};
enum { ALIGNMENTS = sizeof alignments };

static void
place_clauses(emitter *e)
{
    uint32_t at = (uint32_t)e->n;
    for (unsigned k = 0; k < ALIGNMENTS; k++) {
        for (size_t i = 0; i < e->n; i++) {
            emit_cf *cf = &e->cf[i];
            if (cf->align != alignments[k])
                continue;
            at = (at + cf->align - 1) / cf->align * cf->align;
            cf->in.f[R600_F_addr] = at;
            at += (uint32_t)(cf->clause.size / 8);
        }
    }
}

static void
put_clauses(const emitter *e, size_t start, base_buf *out)
{
    for (unsigned k = 0; k < ALIGNMENTS; k++) {
        for (size_t i = 0; i < e->n; i++) {
            const emit_cf *cf = &e->cf[i];
            if (cf->align != alignments[k])
                continue;
            buf_put_zeros(out, start + cf->in.f[R600_F_addr] * (size_t)8 - out->size);
            buf_put(out, cf->clause.data, cf->clause.size);
        }
    }
}

static void
put_words(emitter *e, base_buf *out)
{
    const size_t start = out->size;
    place_clauses(e);
    for (size_t i = 0; i < e->n; i++) {
        emit_cf *cf = &e->cf[i];
        uint32_t words[R600_MAX_WORDS];
        if (!cf->align && cf->target)
            cf->in.f[R600_F_addr] = cf->target - 1;
        r600_encode(e->p->isa, &cf->in, words);
        buf_put_u32(out, words[0]);
        buf_put_u32(out, words[1]);
    }
    put_clauses(e, start, out);
    e->figures->dwords = (uint32_t)((out->size - start) / 4);
}

void
r600_emit(tree_program *p, const ra_state *ra, base_buf *out, r600_figures *figures)
{
    emitter e = {.p = p, .ra = ra, .figures = figures};
    *figures = (r600_figures){.gprs = ra->n_gprs};
    find_loops(p);
    emit_from(&e, p->body.first);
    end_program(&e);
    put_words(&e, out);
    figures->cf = (uint32_t)e.n;
    figures->stack = (e.most_elements + STACK_ENTRY - 1) / STACK_ENTRY;
}
