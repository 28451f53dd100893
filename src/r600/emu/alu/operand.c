/* Sources of ALU instructions. */
#include "r600/emu/core/wave.h"

#include "base/bits.h"
#include "r600/isa/text/text.h"

enum {
    HW_WAVE_ID = 231,
    SE_ID = 233,
    LDS_OQ_A = 219,
    LDS_OQ_B = 220,
    LDS_OQ_A_POP = 221,
    LDS_OQ_B_POP = 222
};

static void
set_all(emu_lanes *out, uint32_t value)
{
    for (unsigned i = 0; i < EMU_LANES; i++)
        out->v[i] = value;
    out->defined = ~UINT64_C(0);
}

/* What a relative operand adds in a lane. */
static int32_t
index_of(const emu_wave *w, const r600_inst *in, uint32_t lane)
{
    const uint32_t mode = in->f[R600_F_index_mode];
    if (mode > 3)
        r600_emu_unsupported(w, "an index that is not in AR");
    if (!(w->ar[mode].defined >> lane & 1))
        r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, (int)lane, "AR is not defined");
    return (int32_t)w->ar[mode].v[lane];
}

/* Up to R700 a register that the group before has written through AR still has its old value. */
static void
check_indexed(const emu_wave *w, uint32_t reg, uint32_t chan)
{
    if (w->indexed[reg] >> chan & 1 && emu_machine_of(w)->isa->gen <= R600_GEN_R700)
        r600_emu_find(w, R600_RULE_INDEXED_READ, -1, "the group before has written it through AR");
}

static void
read_gpr(emu_wave *w, const r600_inst *in, const uint32_t *s, emu_lanes *out)
{
    const uint32_t limit = emu_machine_of(w)->d->n_gprs;
    *out = w->gpr[s[R600_SRC_SEL]][s[R600_SRC_CHAN]];
    if (!s[R600_SRC_REL]) {
        check_indexed(w, s[R600_SRC_SEL], s[R600_SRC_CHAN]);
        if (s[R600_SRC_SEL] >= limit && s[R600_SRC_SEL] < R600_FIRST_TEMP)
            r600_emu_find(w, R600_RULE_GPR_BOUNDS, -1, "the register is not allocated");
        return;
    }
    out->defined = 0;
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        const int64_t reg = (int64_t)s[R600_SRC_SEL] + index_of(w, in, lane);
        if (reg < 0 || reg >= limit) {
            r600_emu_find(w, R600_RULE_GPR_BOUNDS, (int)lane,
                          "the index leads to a register that is not allocated");
            continue;
        }
        check_indexed(w, (uint32_t)reg, s[R600_SRC_CHAN]);
        const emu_lanes *from = &w->gpr[reg][s[R600_SRC_CHAN]];
        out->v[lane] = from->v[lane];
        out->defined |= from->defined & UINT64_C(1) << lane;
    }
}

/* Which constants the clause has locked in a bank, and where they are. */
static bool
find_constant(const emu_wave *w, unsigned bank, int64_t number, uint64_t *offset, uint32_t *buffer)
{
    const r600_inst *in = bank < 2 ? &w->cf : &w->ext;
    const uint32_t mode = in->f[R600_F_kc_mode0 + bank];
    const uint32_t lines = mode == 1 ? 1 : mode == 2 ? 2 : 0;
    *buffer = in->f[R600_F_kc_bank0 + bank];
    *offset = ((uint64_t)in->f[R600_F_kc_addr0 + bank] * R600_KCACHE_LINE + (uint64_t)number) * 16;
    return (bank < 2 || w->has_ext) && number >= 0 && number < lines * R600_KCACHE_LINE;
}

static uint32_t
read_constant(emu_wave *w, const r600_range *range, uint64_t offset, int lane)
{
    emu_machine *m = emu_machine_of(w);
    const mach_region *r = offset + 4 <= range->size
                               ? mach_memory_find(m->memory, &m->hint, range->address + offset, 4)
                               : NULL;
    if (r)
        return r600_read_dword(r->host + (range->address + offset - r->base));
    r600_emu_find(w, R600_RULE_CONSTANT_BOUNDS, lane, "the constant is outside its buffer");
    return 0;
}

static void
read_kcache(emu_wave *w, const r600_inst *in, const uint32_t *s, emu_lanes *out)
{
    const bool is_high = s[R600_SRC_SEL] >= R600_SEL_KC2;
    const unsigned first = is_high ? R600_SEL_KC2 : R600_SEL_KC0;
    const unsigned bank = (is_high ? 2 : 0) + (s[R600_SRC_SEL] - first) / 32;
    const int64_t number = (s[R600_SRC_SEL] - first) % 32;
    const uint64_t lanes = s[R600_SRC_REL] ? emu_active(w) : 1;
    uint64_t offset;
    uint32_t buffer;
    set_all(out, 0);
    EMU_FOREACH_LANE(lane, lanes) {
        const int64_t n = number + (s[R600_SRC_REL] ? index_of(w, in, lane) : 0);
        if (!find_constant(w, bank, n, &offset, &buffer))
            r600_emu_find(w, R600_RULE_KCACHE_LOCK, (int)lane,
                          "the clause has not locked the constant");
        else
            out->v[lane] = read_constant(w, &emu_machine_of(w)->d->constants[buffer],
                                         offset + 4 * s[R600_SRC_CHAN], (int)lane);
    }
    if (!s[R600_SRC_REL])
        set_all(out, out->v[0]);
}

/* PV and PS hold what the group before computed, in this clause. */
static void
read_previous(emu_wave *w, const uint32_t *s, emu_lanes *out)
{
    const bool is_scalar = s[R600_SRC_SEL] == R600_SEL_PS;
    const unsigned slot = is_scalar ? R600_SLOT_T : s[R600_SRC_CHAN];
    *out = is_scalar ? w->ps : w->pv[slot];
    if (!w->was_first)
        r600_emu_find(w, R600_RULE_CLAUSE_PV, -1, "no group of this clause stands before it");
    else if (!(w->previous >> slot & 1))
        r600_emu_find(w, R600_RULE_UNDEFINED_READ, -1,
                      "the group before has no instruction in that slot");
}

static void
read_queue(emu_wave *w, unsigned which, emu_lanes *out)
{
    emu_queue *q = &w->queue[which];
    set_all(out, 0);
    if (!q->count) {
        out->defined = 0;
        r600_emu_find(w, R600_RULE_LDS_QUEUE, -1, "the queue is empty");
        return;
    }
    *out = q->items[q->first];
}

static void
read_special(emu_wave *w, uint32_t select, const uint32_t *s, const uint32_t *literals,
             emu_lanes *out)
{
    switch (select) {
    case R600_SEL_0: set_all(out, 0); break;
    case R600_SEL_0 + 1: set_all(out, base_f32_bits(1.0f)); break;
    case R600_SEL_1: set_all(out, 1); break;
    case R600_SEL_M1: set_all(out, UINT32_MAX); break;
    case R600_SEL_M1 + 1: set_all(out, base_f32_bits(0.5f)); break;
    case R600_SEL_LITERAL: set_all(out, literals[s[R600_SRC_CHAN]]); break;
    case R600_SEL_PV:
    case R600_SEL_PS: read_previous(w, s, out); break;
    case LDS_OQ_A:
    case LDS_OQ_A_POP: read_queue(w, 0, out); break;
    case LDS_OQ_B:
    case LDS_OQ_B_POP: read_queue(w, 1, out); break;
    case HW_WAVE_ID: set_all(out, w->id % R600_EMU_WAVE_SLOTS); break;
    case SE_ID: set_all(out, 0); break;
    default: /* parameters are read where they are interpolated */
        if (select < R600_SEL_PARAM)
            r600_emu_unsupported(w, "an operand that the emulator does not have");
        set_all(out, 0);
    }
}

void
r600_emu_source(emu_wave *w, const r600_inst *in, unsigned i, const uint32_t *literals,
                emu_lanes *out)
{
    const uint32_t *s = r600_source_fields(in, i);
    const uint32_t select = s[R600_SRC_SEL];
    const bool has_kc23 = emu_machine_of(w)->isa->gen >= R600_GEN_EG && select >= R600_SEL_KC2;
    if (select < EMU_GPRS)
        read_gpr(w, in, s, out);
    else if ((select < R600_SEL_KC1 + 32) || (has_kc23 && select < R600_SEL_KC3 + 32))
        read_kcache(w, in, s, out);
    else
        read_special(w, select, s, literals, out);
    for (unsigned lane = 0; lane < EMU_LANES; lane++) {
        if (s[R600_SRC_ABS])
            out->v[lane] &= 0x7fffffff;
        if (s[R600_SRC_NEG])
            out->v[lane] ^= 0x80000000;
    }
}
