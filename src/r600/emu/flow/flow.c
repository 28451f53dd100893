/* Control flow.
 *
 * A push keeps the lanes of the branch; the predicates of the clause behind it take lanes away;
 * ELSE takes those that the push had and the branch does not have; POP returns to those of the
 * push. A lane that breaks out of a loop, or goes on to its end, stays inactive whatever the stack
 * says, until the loop ends or its next round begins. LOOP_END returns to the entry of its loop. */
#include "r600/emu/core/wave.h"

enum { CF_DWORDS = 2 };

static void
push(emu_wave *w, bool is_loop)
{
    if (w->depth == EMU_MAX_STACK)
        r600_emu_unsupported(w, "a stack of more than 256 elements");
    w->stack[w->depth++] = (emu_entry){is_loop, w->branch, w->broken, w->continued};
    r600_emu_check_stack(w);
}

static void
pop(emu_wave *w, uint32_t count)
{
    for (; count; count--) {
        if (!w->depth || w->stack[w->depth - 1].is_loop) {
            r600_emu_find(w, R600_RULE_STACK_EMPTY, -1, "there is no push to return to");
            return;
        }
        w->branch = w->stack[--w->depth].branch;
    }
}

/* Goes on with the lanes that the push had and this branch has not. */
static void
turn(emu_wave *w)
{
    if (!w->depth || w->stack[w->depth - 1].is_loop)
        r600_emu_find(w, R600_RULE_STACK_EMPTY, -1, "there is no push to take lanes from");
    else
        w->branch = w->stack[w->depth - 1].branch & ~w->branch;
}

/* Takes the stack back to the innermost loop. Returns NULL if there is none. */
static emu_entry *
find_loop(emu_wave *w)
{
    while (w->depth && !w->stack[w->depth - 1].is_loop)
        w->depth--;
    if (w->depth)
        return &w->stack[w->depth - 1];
    r600_emu_find(w, R600_RULE_STACK_EMPTY, -1, "there is no loop");
    return NULL;
}

static void
start_loop(emu_wave *w)
{
    const uint64_t active = emu_active(w);
    if (!active) {
        w->pc = w->cf.f[R600_F_addr];
        return;
    }
    push(w, true);
    w->branch = active;
    w->broken = w->continued = 0;
    w->pc++;
}

static void
end_loop(emu_wave *w)
{
    emu_entry *loop = find_loop(w);
    w->pc++;
    if (!loop)
        return;
    w->continued = 0;
    w->branch = loop->branch & ~(loop->broken | loop->continued);
    if (emu_active(w)) {
        w->pc = w->cf.f[R600_F_addr];
        return;
    }
    w->branch = loop->branch;
    w->broken = loop->broken;
    w->continued = loop->continued;
    w->depth--;
}

/* Active lanes leave the loop, or go on to its end. If no lane of the loop is left, the code behind
 * it does so, too. */
static void
leave_round(emu_wave *w, bool is_break)
{
    uint64_t *mask = is_break ? &w->broken : &w->continued;
    *mask |= emu_active(w);
    uint32_t i = w->depth;
    while (i && !w->stack[i - 1].is_loop)
        i--;
    const uint64_t all = i ? w->stack[i - 1].branch &
                                 ~(w->stack[i - 1].broken | w->stack[i - 1].continued)
                           : 0;
    if (i && all & w->valid & ~(w->broken | w->continued))
        w->pc++;
    else
        w->pc = w->cf.f[R600_F_addr];
}

static void
jump_if_idle(emu_wave *w)
{
    if (emu_active(w)) {
        w->pc++;
        return;
    }
    pop(w, w->cf.f[R600_F_pop_count]);
    w->pc = w->cf.f[R600_F_addr];
}

static void
call(emu_wave *w)
{
    if (w->n_calls == EMU_MAX_CALLS)
        r600_emu_unsupported(w, "calls nested more than 16 deep");
    w->calls[w->n_calls++] = w->pc + 1;
    w->pc = w->cf.f[R600_F_addr];
}

/* ---- clauses ---- */

static void
begin_alu(emu_wave *w)
{
    if (w->cf.op == R600_ALU_PUSH_BEFORE)
        push(w, false);
    w->in_clause = true;
    w->at = w->cf.f[R600_F_addr] * CF_DWORDS;
    w->end = w->at + (w->cf.f[R600_F_count] + 1) * CF_DWORDS;
    w->was_first = w->has_predicate = false;
    w->previous = 0;
    memset(w->indexed, 0, sizeof w->indexed);
    for (unsigned c = 0; c < 4; c++)
        w->ar[c].defined = 0;
    w->before = emu_active(w);
    if (w->end > emu_machine_of(w)->d->size / 4)
        r600_emu_stop(w, MACH_RUN_BAD_CODE, "a clause outside the code");
}

/* Findings name the wave's instruction of control flow from here on. Those of a clause end with the
 * calls that decode them. */
static void
point_at_flow(const emu_wave *w)
{
    emu_machine *m = emu_machine_of(w);
    m->inst = &w->cf;
    m->where = w->pc * CF_DWORDS;
}

static void
end_alu(emu_wave *w)
{
    w->in_clause = w->has_ext = false;
    if (w->queue[0].count || w->queue[1].count)
        r600_emu_find(w, R600_RULE_LDS_QUEUE, -1, "the clause leaves results in the queue");
    w->queue[0].count = w->queue[1].count = 0;
    const uint64_t failed = w->before & ~emu_active(w);
    switch (w->cf.op) {
    case R600_ALU_POP_AFTER: pop(w, 1); break;
    case R600_ALU_POP2_AFTER: pop(w, 2); break;
    case R600_ALU_ELSE_AFTER: turn(w); break;
    case R600_ALU_BREAK: w->broken |= failed; break;
    case R600_ALU_CONTINUE: w->continued |= failed; break;
    default: break;
    }
    w->pc++;
}

static void
run_fetches(emu_wave *w)
{
    emu_machine *m = emu_machine_of(w);
    uint32_t at = w->cf.f[R600_F_addr] * CF_DWORDS;
    for (uint32_t i = 0; i <= w->cf.f[R600_F_count]; i++, at += 4) {
        uint32_t words[4];
        r600_inst in;
        if (at + 4 > m->d->size / 4)
            r600_emu_stop(w, MACH_RUN_BAD_CODE, "a clause outside the code");
        for (unsigned k = 0; k < 4; k++)
            words[k] = r600_read_dword(m->d->code + (at + k) * 4);
        r600_decode(m->isa, R600_SPACE_FETCH, words, &in);
        m->inst = &in;
        m->where = at;
        r600_emu_fetch(w, &in);
    }
    point_at_flow(w);
    w->pc++;
}

/* ---- instructions ---- */

static void
run_jump(emu_wave *w)
{
    switch (w->cf.op) {
    case R600_LOOP_START:
    case R600_LOOP_START_DX10:
    case R600_LOOP_START_NO_AL: start_loop(w); break;
    case R600_LOOP_END: end_loop(w); break;
    case R600_LOOP_BREAK: leave_round(w, true); break;
    case R600_LOOP_CONTINUE: leave_round(w, false); break;
    case R600_PUSH:
        push(w, false);
        jump_if_idle(w);
        break;
    case R600_ELSE:
        turn(w);
        jump_if_idle(w);
        break;
    case R600_POP:
        pop(w, w->cf.f[R600_F_pop_count]);
        w->pc = emu_active(w) ? w->pc + 1 : w->cf.f[R600_F_addr];
        break;
    case R600_JUMP: jump_if_idle(w); break;
    case R600_CALL: call(w); break;
    default: r600_emu_unsupported(w, "control flow that the emulator does not have");
    }
}

static void
run_plain(emu_wave *w)
{
    switch (w->cf.op) {
    case R600_CF_NOP: w->pc++; break;
    case R600_WAIT_ACK:
        r600_emu_wait_ack(w);
        w->pc++;
        break;
    case R600_END: w->state = EMU_ENDED; break;
    case R600_CALL_FS:
        if (!emu_machine_of(w)->d->fill)
            r600_emu_unsupported(w, "a fetch shader that is not there");
        w->pc++;
        break;
    case R600_RETURN:
        if (!w->n_calls)
            r600_emu_stop(w, MACH_RUN_BAD_CODE, "a return without a call");
        w->pc = w->calls[--w->n_calls];
        break;
    default: r600_emu_unsupported(w, "control flow that the emulator does not have");
    }
}

static void
run_instruction(emu_wave *w)
{
    switch (r600_op_row(w->cf.op)->format) {
    case R600_FMT_CF_ALU: begin_alu(w); break;
    case R600_FMT_CF_ALU_EXT:
        w->ext = w->cf;
        w->has_ext = true;
        w->pc++;
        break;
    case R600_FMT_CF_FETCH: run_fetches(w); break;
    case R600_FMT_CF_JUMP: run_jump(w); break;
    case R600_FMT_CF: run_plain(w); break;
    case R600_FMT_CF_EXPORT: r600_emu_export(w); break;
    case R600_FMT_CF_MEM:
        if (w->cf.op >= R600_MEM_STREAM0_BUF0 && w->cf.op <= R600_MEM_STREAM3)
            r600_emu_stream_out(w, &w->cf);
        else
            r600_emu_scratch_write(w, &w->cf);
        w->pc++;
        break;
    case R600_FMT_CF_SCRATCH:
        r600_emu_scratch_transfer(w, &w->cf);
        w->pc++;
        break;
    case R600_FMT_CF_RAT:
        r600_emu_rat(w, &w->cf);
        w->pc++;
        break;
    default: r600_emu_unsupported(w, "control flow that the emulator does not have");
    }
}

/* Runs the next instruction of control flow. */
static void
step_flow(emu_wave *w)
{
    emu_machine *m = emu_machine_of(w);
    uint32_t words[CF_DWORDS];
    point_at_flow(w);
    if (w->pc >= m->d->size / 8)
        r600_emu_stop(w, MACH_RUN_BAD_CODE, "control flow leaves the code");
    for (unsigned i = 0; i < CF_DWORDS; i++)
        words[i] = r600_read_dword(m->d->code + (w->pc * CF_DWORDS + i) * 4);
    r600_decode(m->isa, R600_SPACE_CF, words, &w->cf);
    if (w->cf.op == R600_RAW)
        r600_emu_stop(w, MACH_RUN_BAD_CODE, "no instruction");
    w->pixels_only = w->cf.f[R600_F_vpm];
    const bool ends = w->cf.f[R600_F_eop];
    run_instruction(w);
    if (ends && !w->in_clause)
        w->state = EMU_ENDED;
}

void
r600_emu_step(emu_wave *w)
{
    emu_machine *m = emu_machine_of(w);
    if (++w->executed > (m->d->max_instructions ? m->d->max_instructions : UINT64_C(1) << 24)) {
        r600_emu_find(w, R600_RULE_HANG, -1, "the limit of instructions is reached");
        r600_emu_stop(w, MACH_RUN_HANG, "the limit of instructions is reached");
    }
    m->report->instructions++;
    if (!w->in_clause) {
        step_flow(w);
        return;
    }
    if (w->at < w->end)
        r600_emu_group(w);
    point_at_flow(w);
    if (w->at >= w->end)
        end_alu(w);
}
