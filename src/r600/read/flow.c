/* Control flow to the tree.
 *
 * A push becomes a region when a comparison takes lanes away: its `if` holds what these lanes'
 * neighbours do, the rest of the region is what ELSE begins, and POP ends it. LOOP_START begins a
 * region that LOOP_END repeats. Jumps only spare waves without active lanes the way; each must lead
 * to where such a wave would have come anyway, which is checked.
 *
 * What no lane reaches is read into a list that is thrown away. */
#include "r600/read/read.h"

#include <string.h>

void
r600_read_lacks(reader *r, const char *what)
{
    r->p->diag->loc.has_offset = true;
    r->p->diag->loc.offset = r->pc * UINT64_C(2);
    r->p->diag->loc.unit = "word";
    diag_fail(r->p->diag, ERR_R600_NOT_IN_TREE, what);
}

void
r600_read_bad(reader *r, const char *what)
{
    r->p->diag->loc.has_offset = true;
    r->p->diag->loc.offset = r->pc * UINT64_C(2);
    r->p->diag->loc.unit = "word";
    diag_fail(r->p->diag, ERR_R600_BAD_CODE, what);
}

void
r600_read_words(reader *r, uint32_t at, unsigned n, uint32_t *words)
{
    if (at > r->n || n > r->n - at)
        r600_read_bad(r, "an instruction outside the program");
    for (unsigned i = 0; i < n; i++)
        words[i] = r600_read_dword(r->bytes + (at + i) * 4);
}

/* ---- frames ---- */

static read_frame *
push_frame(reader *r, bool is_loop)
{
    if (r->depth == TREE_MAX_DEPTH)
        r600_read_lacks(r, "control flow that is nested so deep");
    read_frame *f = &r->frames[r->depth++];
    *f = (read_frame){.is_loop = is_loop, .was_dead = r->is_dead, .outer = r->list};
    return f;
}

static read_frame *
top_push(reader *r)
{
    if (!r->depth || r->frames[r->depth - 1].is_loop)
        r600_read_bad(r, "there is no push");
    return &r->frames[r->depth - 1];
}

static read_frame *
find_loop(reader *r)
{
    for (uint32_t i = r->depth; i-- > 0;)
        if (r->frames[i].is_loop)
            return &r->frames[i];
    r600_read_bad(r, "there is no loop");
}

static void
go_dead(reader *r)
{
    r->dead_end = (tree_list){0};
    r->list = &r->dead_end;
    r->is_dead = true;
}

static void
leave(reader *r, tree_node *region, tree_kind kind)
{
    if (!r->is_dead) {
        tree_node *n = r600_tree_new(r->p, kind);
        n->target = region;
        n->id = kind == TREE_DEPART ? region->n_departs++ : region->n_repeats++;
        r600_tree_append(r->list, n);
    }
    go_dead(r);
}

static void
note_jump(reader *r, read_frame *f)
{
    if (r->cf.f[R600_F_addr] <= r->pc)
        r600_read_lacks(r, "a jump back");
    if (f->n_jump == sizeof f->jump / sizeof *f->jump)
        r600_read_lacks(r, "so many jumps");
    f->jump[f->n_jump] = r->cf.f[R600_F_addr];
    f->pops[f->n_jump++] = (uint8_t)r->cf.f[R600_F_pop_count];
}

/* Jumps lead to `here` at most, or behind it if they pop `pops` elements as the instruction there
 * does. */
static void
check_jumps(reader *r, read_frame *f, uint32_t pops)
{
    for (unsigned i = 0; i < f->n_jump; i++) {
        const bool is_inside = f->pops[i] == 0 && f->jump[i] <= r->pc;
        const bool is_behind = pops && f->pops[i] == pops && f->jump[i] == r->pc + 1;
        if (!is_inside && !is_behind)
            r600_read_lacks(r, "a jump to another place than the end of its branch");
    }
    f->n_jump = 0;
}

void
r600_read_branch(reader *r)
{
    tree_program *p = r->p;
    read_frame *f = r->depth ? &r->frames[r->depth - 1] : NULL;
    if (!f || f->is_loop)
        r600_read_lacks(r, "a comparison without a push before it");
    if (f->region)
        r600_read_lacks(r, "a second comparison behind a push");
    f->region = r600_tree_new(p, TREE_REGION);
    f->outer = r->list;
    f->was_dead = r->is_dead;
    r600_tree_append(r->list, f->region);
    tree_node *branch = r600_tree_new(p, TREE_IF);
    branch->n = 1;
    branch->slots = ARENA_NEW(p->arena, tree_slot);
    branch->slots->op = R600_PRED_SETNE_INT;
    branch->slots->src[0] = (tree_operand){.kind = TREE_REG, .id = READ_EXEC};
    branch->slots->src[1] = r600_tree_const(0);
    r600_tree_append(&f->region->body, branch);
    r->list = &branch->body;
}

static void
turn(reader *r)
{
    read_frame *f = top_push(r);
    if (!f->region || f->has_else)
        r600_read_lacks(r, "ELSE without a comparison before it");
    check_jumps(r, f, 0);
    leave(r, f->region, TREE_DEPART);
    f->has_else = true;
    r->list = &f->region->body;
    r->is_dead = f->was_dead;
}

static void
pop_frame(reader *r, uint32_t pops)
{
    read_frame *f = top_push(r);
    check_jumps(r, f, pops);
    r->depth--;
    if (!f->region)
        return;
    if (!f->has_else) {
        leave(r, f->region, TREE_DEPART);
        r->list = &f->region->body;
        r->is_dead = f->was_dead;
    }
    leave(r, f->region, TREE_DEPART);
    if (!f->was_dead && f->region->n_departs) {
        r->list = f->outer;
        r->is_dead = false;
    }
}

static void
pop(reader *r, uint32_t pops)
{
    for (; pops; pops--)
        pop_frame(r, pops);
}

/* ---- loops ---- */

static void
start_loop(reader *r)
{
    read_frame *f = push_frame(r, true);
    f->region = r600_tree_new(r->p, TREE_REGION);
    f->start = r->pc + 1;
    f->behind = r->cf.f[R600_F_addr];
    r600_tree_append(r->list, f->region);
    r->list = &f->region->body;
}

static void
end_loop(reader *r)
{
    if (!r->depth || !r->frames[r->depth - 1].is_loop)
        r600_read_lacks(r, "a loop that ends inside a branch");
    read_frame *f = &r->frames[--r->depth];
    if (r->cf.f[R600_F_addr] != f->start || f->behind != r->pc + 1 || (f->end && f->end != r->pc))
        r600_read_lacks(r, "a loop whose instructions do not name each other");
    leave(r, f->region, TREE_REPEAT);
    if (!f->was_dead && f->region->n_departs) {
        r->list = f->outer;
        r->is_dead = false;
    }
}

static void
leave_round(reader *r, bool is_break)
{
    read_frame *f = find_loop(r);
    const uint32_t end = r->cf.f[R600_F_addr];
    if (end <= r->pc || (f->end && f->end != end))
        r600_read_lacks(r, "a break to another place than the end of its loop");
    f->end = end;
    leave(r, f->region, is_break ? TREE_DEPART : TREE_REPEAT);
}

/* ---- instructions ---- */

static void
read_alu(reader *r)
{
    if (r->cf.f[R600_F_wqm] || r->cf.f[R600_F_alt_const] || r->cf.f[R600_F_waterfall])
        r600_read_lacks(r, "a clause with such options");
    switch (r->cf.op) {
    case R600_ALU_PUSH_BEFORE: push_frame(r, false); break;
    case R600_ALU:
    case R600_ALU_POP_AFTER:
    case R600_ALU_POP2_AFTER:
    case R600_ALU_ELSE_AFTER: break;
    default: r600_read_lacks(r, r600_op_row(r->cf.op)->name);
    }
    r600_read_alu_clause(r);
    switch (r->cf.op) {
    case R600_ALU_POP_AFTER: pop(r, 1); break;
    case R600_ALU_POP2_AFTER: pop(r, 2); break;
    case R600_ALU_ELSE_AFTER: turn(r); break;
    default: break;
    }
    r->has_ext = false;
}

static void
read_jump(reader *r)
{
    switch (r->cf.op) {
    case R600_LOOP_START_DX10:
    case R600_LOOP_START_NO_AL: start_loop(r); break;
    case R600_LOOP_END: end_loop(r); break;
    case R600_LOOP_BREAK: leave_round(r, true); break;
    case R600_LOOP_CONTINUE: leave_round(r, false); break;
    case R600_PUSH: note_jump(r, push_frame(r, false)); break;
    case R600_JUMP: note_jump(r, top_push(r)); break;
    case R600_ELSE:
        turn(r);
        note_jump(r, top_push(r));
        break;
    case R600_POP:
        if (r->cf.f[R600_F_addr] != r->pc + 1)
            r600_read_lacks(r, "POP with a jump");
        pop(r, r->cf.f[R600_F_pop_count]);
        break;
    default: r600_read_lacks(r, r600_op_row(r->cf.op)->name);
    }
}

/* Returns true at the end of the program. */
static bool
read_plain(reader *r)
{
    switch (r->cf.op) {
    case R600_CF_NOP: return false;
    case R600_END: return true;
    case R600_CALL_FS:
        if (r->pc || r->depth)
            r600_read_lacks(r, "CALL_FS behind other instructions");
        r->p->has_fetch_shader = true;
        break;
    case R600_WAIT_ACK:
    case R600_EMIT_VERTEX:
    case R600_EMIT_CUT_VERTEX:
    case R600_CUT_VERTEX: break;
    default: r600_read_lacks(r, r600_op_row(r->cf.op)->name);
    }
    r600_read_transfer(r);
    return false;
}

static bool
read_instruction(reader *r)
{
    switch (r600_op_row(r->cf.op)->format) {
    case R600_FMT_CF_ALU: read_alu(r); return false;
    case R600_FMT_CF_ALU_EXT:
        for (unsigned i = 0; i < 4; i++)
            if (r->cf.f[R600_F_kc_index0 + i])
                r600_read_lacks(r, "banks of constants whose buffer is indexed");
        r->ext = r->cf;
        r->has_ext = true;
        return false;
    case R600_FMT_CF_FETCH: r600_read_fetch_clause(r); break;
    case R600_FMT_CF_JUMP: read_jump(r); break;
    case R600_FMT_CF:
        if (read_plain(r))
            return true;
        break;
    case R600_FMT_CF_EXPORT:
    case R600_FMT_CF_MEM:
    case R600_FMT_CF_SCRATCH:
    case R600_FMT_CF_RAT: r600_read_transfer(r); break;
    default: r600_read_lacks(r, r600_op_row(r->cf.op)->name);
    }
    return r->cf.f[R600_F_eop];
}

tree_program *
r600_read_tree(diag *d, arena *a, const r600_chip *chip, const read_code *code)
{
    tree_program *p = r600_tree_open(d, a, chip);
    reader *r = ARENA_NEW(a, reader);
    *r = (reader){.p = p, .bytes = code->bytes, .n = (uint32_t)(code->size / 4), .list = &p->body};
    if (code->size > UINT32_MAX / 2)
        r600_read_bad(r, "a program of this size");
    r600_read_arrays(r, code->arrays);
    for (bool ends = false; !ends; r->pc++) {
        uint32_t words[2];
        r600_read_words(r, r->pc * 2, 2, words);
        r600_decode(p->isa, R600_SPACE_CF, words, &r->cf);
        if (r->cf.op == R600_RAW)
            r600_read_bad(r, "a word that is no instruction");
        ends = read_instruction(r);
    }
    if (r->depth)
        r600_read_lacks(r, "the end of the program inside a branch");
    d->loc.has_offset = false;
    return p;
}
