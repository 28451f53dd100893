/* ALU groups: all slots read, then all write.
 *
 * A group is read from the code as the hardware assigns its slots. Results go into PV and PS as
 * well, whether or not their registers are written. LDS instructions and the predicate take effect
 * behind the group. */
#include "r600/emu/alu/compute.h"
#include "r600/isa/text/text.h"

enum { LDS_OQ_A_POP = 221, LDS_OQ_B_POP = 222 };

void
r600_emu_read_group(const emu_wave *w, emu_slots *g)
{
    const emu_machine *m = emu_machine_of(w);
    unsigned taken = 0, literals = 0;
    uint32_t at = w->at;
    g->n = 0;
    do {
        uint32_t words[2] = {0};
        for (unsigned i = 0; i < 2 && at + i < w->end; i++)
            words[i] = r600_read_dword(m->d->code + (at + i) * 4);
        r600_inst *in = &g->in[g->n];
        r600_decode(m->isa, R600_SPACE_ALU, words, in);
        in->slot = r600_assign_slot(m->isa, in, taken);
        taken |= 1u << in->slot;
        g->at[g->n++] = at;
        const unsigned n = r600_count_literals(in);
        literals = n > literals ? n : literals;
        at += 2;
    } while (g->n < R600_SLOTS && at < w->end && !g->in[g->n - 1].f[R600_F_last]);
    for (unsigned i = 0; i < R600_SLOTS - 1; i++)
        g->literals[i] = i < literals && at + i < w->end
                             ? r600_read_dword(m->d->code + (at + i) * 4)
                             : 0;
    g->next = at + literals + (literals & 1);
}

/* The lanes that an instruction's predicate selects. */
static uint64_t
select_lanes(const emu_wave *w, const r600_inst *in)
{
    const uint32_t select = in->f[R600_F_pred_sel];
    if (select < 2)
        return emu_active(w);
    if (!w->has_predicate)
        r600_emu_find(w, R600_RULE_CLAUSE_PREDICATE, -1, "the clause has not set the predicate");
    return emu_active(w) & (select == 2 ? ~w->predicate : w->predicate);
}

static void
read_sources(emu_wave *w, emu_work *k, const uint32_t *literals)
{
    const unsigned n = k->row->properties & R600_P_SOURCES;
    for (unsigned i = 0; i < n; i++)
        r600_emu_source(w, k->in, i, literals, &k->s[i]);
}

/* A predicate, or the lanes that a kill ends. */
static void
compute_predicate(const emu_wave *w, emu_work *k)
{
    const uint64_t undefined = k->lanes & ~r600_emu_defined_in(k);
    if (undefined)
        r600_emu_find(w, R600_RULE_UNDEFINED_BRANCH, r600_emu_lowest(undefined),
                      "the predicate depends on an undefined value");
    EMU_FOREACH_LANE(lane, k->lanes) {
        const uint32_t s[3] = {k->s[0].v[lane], k->s[1].v[lane], 0};
        bool holds;
        if (!r600_emu_compare(k->in->op, s, &holds))
            r600_emu_unsupported(w, "a predicate that the emulator does not have");
        k->pass |= (uint64_t)holds << lane;
    }
    if (k->in->f[R600_F_write_mask])
        r600_emu_unsupported(w, "a predicate that is written to a register");
}

/* A conversion whose result depends on a rounding that is not known. */
static void
check_rounding(const emu_wave *w, const emu_work *k, uint32_t lane)
{
    const bool converts = k->in->op == R600_FLT_TO_INT || k->in->op == R600_FLT_TO_UINT;
    const uint32_t s[3] = {k->s[0].v[lane], 0, 0};
    uint32_t whole;
    if (!converts || emu_machine_of(w)->isa->gen <= R600_GEN_R700)
        return;
    r600_emu_compute(R600_GEN_EG, R600_TRUNC, s, &whole);
    if ((whole ^ s[0]) << 1)
        r600_emu_find(w, R600_RULE_CONVERT_ROUNDING, (int)lane, "the number has a fraction");
}

/* A selection is defined where the operand that it takes is. */
static void
define_selection(const emu_wave *w, emu_work *k)
{
    const r600_gen gen = emu_machine_of(w)->isa->gen;
    if (k->in->op < R600_CNDE || k->in->op > R600_CNDGE_INT)
        return;
    k->result.defined = 0;
    EMU_FOREACH_LANE(lane, k->lanes) {
        const uint32_t s[3] = {k->s[0].v[lane], 1, 2};
        uint32_t taken;
        if (!r600_emu_compute(gen, k->in->op, s, &taken))
            continue;
        k->result.defined |= k->s[0].defined & k->s[taken].defined & UINT64_C(1) << lane;
    }
}

/* Bits that decide alone: 0 of AND, 1 of OR. */
static void
define_logic(emu_work *k)
{
    const bool is_and = k->in->op == R600_AND_INT;
    if (!is_and && k->in->op != R600_OR_INT)
        return;
    EMU_FOREACH_LANE(lane, k->lanes & ~k->result.defined) {
        for (unsigned i = 0; i < 2; i++)
            if (k->s[i].defined >> lane & 1 && k->s[i].v[lane] == (is_and ? 0 : UINT32_MAX))
                k->result.defined |= UINT64_C(1) << lane;
    }
}

static void
compute_lanes(const emu_wave *w, emu_work *k)
{
    const emu_machine *m = emu_machine_of(w);
    const bool is_mask_op = r600_has_mask_op(m->isa, k->in);
    k->result.defined = r600_emu_defined_in(k);
    k->has_result = true;
    EMU_FOREACH_LANE(lane, k->lanes) {
        const uint32_t s[3] = {k->s[0].v[lane], k->s[1].v[lane], k->s[2].v[lane]};
        uint32_t bits;
        if (!r600_emu_compute(m->isa->gen, k->in->op, s, &bits))
            r600_emu_unsupported(w, "an operation that the emulator does not have");
        k->result.v[lane] = r600_emu_modify(k->in, bits, is_mask_op);
        check_rounding(w, k, lane);
    }
    define_selection(w, k);
    define_logic(k);
}

static void
compute_slot(const emu_wave *w, emu_work *k)
{
    const uint16_t properties = k->row->properties;
    if (k->in->op == R600_RAW)
        r600_emu_stop(w, MACH_RUN_BAD_CODE, "no instruction");
    if (k->row->format == R600_FMT_LDS || k->in->op == R600_GROUP_BARRIER ||
        k->in->op == R600_ALU_NOP)
        return;
    if (properties & (R600_P_PRED | R600_P_PUSH | R600_P_KILL)) {
        compute_predicate(w, k);
    } else if (properties & R600_P_MOVA) {
        k->result = k->s[0];
        k->has_result = true;
    } else if (!r600_emu_is_together(k->in->op)) {
        compute_lanes(w, k);
    }
}

/* ---- writes ---- */

static void
merge(emu_lanes *to, const emu_lanes *from, uint64_t lanes)
{
    EMU_FOREACH_LANE(lane, lanes)
        to->v[lane] = from->v[lane];
    to->defined = (to->defined & ~lanes) | (from->defined & lanes);
}

static void
write_relative(emu_wave *w, const emu_work *k)
{
    const r600_inst *in = k->in;
    const uint32_t mode = in->f[R600_F_index_mode];
    if (mode > 3)
        r600_emu_unsupported(w, "an index that is not in AR");
    EMU_FOREACH_LANE(lane, k->lanes) {
        const int64_t reg = (int64_t)in->f[R600_F_dst_gpr] + (int32_t)w->ar[mode].v[lane];
        if (!(w->ar[mode].defined >> lane & 1))
            r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, (int)lane, "AR is not defined");
        if (reg < 0 || reg >= emu_machine_of(w)->d->n_gprs)
            r600_emu_find(w, R600_RULE_GPR_BOUNDS, (int)lane,
                          "the index leads to a register that is not allocated");
        else
            merge(&w->gpr[reg][in->f[R600_F_dst_chan]], &k->result, UINT64_C(1) << lane);
        if (reg >= 0 && reg < EMU_GPRS)
            w->indexed[reg] |= (uint8_t)(1u << in->f[R600_F_dst_chan]);
    }
}

static void
write_register(emu_wave *w, const emu_work *k)
{
    const r600_inst *in = k->in;
    const uint32_t reg = in->f[R600_F_dst_gpr];
    const bool writes = k->row->format == R600_FMT_OP3 || in->f[R600_F_write_mask];
    if (!writes)
        return;
    if (in->f[R600_F_dst_rel]) {
        write_relative(w, k);
        return;
    }
    if (reg >= emu_machine_of(w)->d->n_gprs && reg < R600_FIRST_TEMP)
        r600_emu_find(w, R600_RULE_GPR_BOUNDS, -1, "the register is not allocated");
    merge(&w->gpr[reg][in->f[R600_F_dst_chan]], &k->result, k->lanes);
}

/* Cayman's MOVA_INT also writes other registers than AR. */
static void
write_address(emu_wave *w, const emu_work *k)
{
    const bool is_ar = k->in->op == R600_MOVA_INT && (emu_machine_of(w)->isa->gen != R600_GEN_CM ||
                                                      k->in->f[R600_F_dst_gpr] == 0);
    if (!is_ar)
        r600_emu_unsupported(w, "a move to another register than AR");
    merge(&w->ar[k->in->f[R600_F_dst_chan]], &k->result, k->lanes);
}

static void
write_result(emu_wave *w, const emu_work *k)
{
    if (!k->has_result)
        return;
    merge(k->in->slot == R600_SLOT_T ? &w->ps : &w->pv[k->in->slot], &k->result, k->lanes);
    if (k->row->properties & R600_P_MOVA)
        write_address(w, k);
    else
        write_register(w, k);
}

static void
write_predicate(emu_wave *w, const emu_work *k)
{
    const uint64_t failed = k->lanes & ~k->pass;
    if (k->row->properties & R600_P_KILL) {
        w->pixels &= ~k->pass;
        return;
    }
    if (!(k->row->properties & (R600_P_PRED | R600_P_PUSH)))
        return;
    if (k->in->f[R600_F_update_pred]) {
        w->predicate = (w->predicate & ~k->lanes) | k->pass;
        w->has_predicate = true;
    }
    if (!k->in->f[R600_F_update_exec])
        return;
    switch (r600_has_mask_op(emu_machine_of(w)->isa, k->in) ? k->in->f[R600_F_omod] : 0) {
    case 0: w->branch &= ~failed; break;
    case 1: w->broken |= failed; break;
    case 2: w->continued |= failed; break;
    default: w->pixels &= ~failed; break;
    }
}

/* Results that the group has taken from the queues of LDS. */
static void
pop_queues(emu_wave *w, const emu_slots *g)
{
    bool pops[2] = {false, false};
    for (unsigned i = 0; i < g->n; i++) {
        for (unsigned k = 0; k < (r600_op_row(g->in[i].op)->properties & R600_P_SOURCES); k++) {
            const uint32_t select = r600_source_fields(&g->in[i], k)[R600_SRC_SEL];
            pops[0] |= select == LDS_OQ_A_POP;
            pops[1] |= select == LDS_OQ_B_POP;
        }
    }
    for (unsigned q = 0; q < 2; q++) {
        if (pops[q] && w->queue[q].count) {
            w->queue[q].first = (w->queue[q].first + 1) % EMU_QUEUE;
            w->queue[q].count--;
        }
    }
}

static void
finish_group(emu_wave *w, const emu_slots *g, emu_work *work)
{
    emu_machine *m = emu_machine_of(w);
    bool has_barrier = false;
    unsigned slots = 0;
    memset(w->indexed, 0, sizeof w->indexed);
    for (unsigned i = 0; i < g->n; i++) {
        m->inst = &g->in[i];
        write_result(w, &work[i]);
        slots |= (work[i].has_result ? 1u : 0u) << g->in[i].slot;
        has_barrier |= g->in[i].op == R600_GROUP_BARRIER;
    }
    pop_queues(w, g);
    for (unsigned i = 0; i < g->n; i++) {
        m->inst = &g->in[i];
        m->where = g->at[i];
        if (work[i].row->format == R600_FMT_LDS)
            r600_emu_lds(w, work[i].in, work[i].lanes, work[i].s);
        write_predicate(w, &work[i]);
    }
    w->previous = slots;
    w->was_first = true;
    w->at = g->next;
    if (has_barrier)
        w->state = EMU_WAITS;
}

void
r600_emu_group(emu_wave *w)
{
    emu_machine *m = emu_machine_of(w);
    emu_slots g;
    emu_work work[R600_SLOTS];
    r600_emu_read_group(w, &g);
    if (m->checked && !m->checked[w->at]) {
        m->checked[w->at] = 1;
        r600_emu_check_group(w, &g);
    }
    for (unsigned i = 0; i < g.n; i++) {
        work[i] = (emu_work){.in = &g.in[i], .row = r600_op_row(g.in[i].op)};
        m->inst = &g.in[i];
        m->where = g.at[i];
        work[i].lanes = select_lanes(w, work[i].in);
        read_sources(w, &work[i], g.literals);
    }
    for (unsigned i = 0; i < g.n; i++) {
        m->inst = &g.in[i];
        m->where = g.at[i];
        compute_slot(w, &work[i]);
    }
    r600_emu_together(w, work, g.n);
    finish_group(w, &g, work);
}
