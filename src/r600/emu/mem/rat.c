/* Random access targets: raw stores and atomics without a result.
 *
 * The index is in dwords. A store of several components writes dwords side by side; an atomic takes
 * its value from x, and the mask of MSKOR and the comparand of CMPXCHG_INT from w (LLVM: RAT_MSKOR,
 * RAT_ATOMIC). */
#include "r600/emu/core/wave.h"

#include "base/buf.h"

/* RAT_INST of CF_ALLOC_EXPORT_WORD0_RAT; STORE_DWORD is Cayman's (LLVM: RAT_STORE_DWORD). */
enum {
    STORE_RAW = 2,
    CMPXCHG_INT = 4,
    ADD = 7,
    SUB,
    RSUB,
    MIN_INT,
    MIN_UINT,
    MAX_INT,
    MAX_UINT,
    AND,
    OR,
    XOR,
    MSKOR,
    STORE_DWORD = 20
};

static uint8_t *
find_dword(emu_wave *w, const r600_range *rat, uint64_t offset, int lane)
{
    emu_machine *m = emu_machine_of(w);
    mach_region *r = offset + 4 <= rat->size
                         ? mach_memory_find(m->memory, &m->hint, rat->address + offset, 4)
                         : NULL;
    if (r && !r->read_only)
        return r->host + (rat->address + offset - r->base);
    r600_emu_find(w, R600_RULE_RAT_BOUNDS, lane, "the address is outside the RAT");
    return NULL;
}

/* `x` is the value, `w` the mask or the comparand. */
static uint32_t
combine(const emu_wave *wave, uint32_t op, uint32_t old, const uint32_t value[4])
{
    const uint32_t x = value[0], w = value[3];
    switch (op) {
    case CMPXCHG_INT: return old == w ? x : old;
    case ADD: return old + x;
    case SUB: return old - x;
    case RSUB: return x - old;
    case MIN_INT: return (int32_t)old < (int32_t)x ? old : x;
    case MIN_UINT: return old < x ? old : x;
    case MAX_INT: return (int32_t)old > (int32_t)x ? old : x;
    case MAX_UINT: return old > x ? old : x;
    case AND: return old & x;
    case OR: return old | x;
    case XOR: return old ^ x;
    case MSKOR: return (old & ~w) | x;
    default: r600_emu_unsupported(wave, "an operation of a RAT that the emulator does not have");
    }
}

/* The components that an instruction uses must be defined. */
static void
read_value(emu_wave *w, const r600_inst *in, uint32_t lane, unsigned used, uint32_t value[4])
{
    for (unsigned c = 0; c < 4; c++) {
        const emu_lanes *from = &w->gpr[in->f[R600_F_rw_gpr]][c];
        value[c] = from->v[lane];
        if (used >> c & 1 && !(from->defined >> lane & 1))
            r600_emu_find(w, R600_RULE_UNDEFINED_STORE, (int)lane, "the value is not defined");
    }
}

static void
access_lane(emu_wave *w, const r600_inst *in, const r600_range *rat, uint32_t lane)
{
    const uint32_t op = in->f[R600_F_rat_inst], mask = in->f[R600_F_comp_mask];
    const bool is_store = op == STORE_RAW || op == STORE_DWORD;
    const bool has_two = op == MSKOR || op == CMPXCHG_INT;
    const uint64_t index = w->gpr[in->f[R600_F_index_gpr]][0].v[lane];
    uint32_t value[4];
    read_value(w, in, lane, is_store ? mask : has_two ? 9 : 1, value);
    for (unsigned c = 0; c < (is_store ? 4 : 1); c++) {
        uint8_t *p = mask >> c & 1 ? find_dword(w, rat, (index + c) * 4, (int)lane) : NULL;
        if (p)
            base_put_u32(p, is_store ? value[c] : combine(w, op, r600_read_dword(p), value));
    }
}

void
r600_emu_rat(emu_wave *w, const r600_inst *in)
{
    const r600_emu_dispatch *d = emu_machine_of(w)->d;
    const uint64_t lanes = emu_active(w);
    const uint64_t undefined = lanes & ~w->gpr[in->f[R600_F_index_gpr]][0].defined;
    if (in->f[R600_F_rat_id] >= R600_MAX_RATS || in->f[R600_F_rw_rel] || in->f[R600_F_burst])
        r600_emu_unsupported(w, "a RAT that the emulator does not have");
    if (undefined)
        r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, r600_emu_lowest(undefined),
                      "the index is not defined");
    EMU_FOREACH_LANE(lane, lanes)
        access_lane(w, in, &d->rats[in->f[R600_F_rat_id]], lane);
}
