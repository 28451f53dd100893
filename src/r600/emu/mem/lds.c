/* Local data share: instructions with an index (LDS_IDX_OP).
 *
 * Addresses are bytes. Instructions with _RET put what was there into queue A, those of two
 * addresses into queue B, too; ALU instructions take it from there in the same clause. */
#include "r600/emu/core/wave.h"

#include "base/bits.h"

/* Notes an access of a dword. Two waves between two barriers, one of which writes, are a race. */
static void
note_access(emu_wave *w, uint32_t dword, bool is_write, int lane)
{
    emu_access *a = &w->group->accesses[dword];
    const uint32_t me = w->id + 1;
    if (a->epoch != w->group->epoch)
        *a = (emu_access){.epoch = w->group->epoch};
    const bool others_wrote = a->writer && a->writer != me;
    const bool others_read = a->reader && a->reader != me;
    if (others_wrote || (is_write && others_read))
        r600_emu_find(w, R600_RULE_RACE_LDS, lane,
                      "another wave has accessed the dword since the last barrier");
    uint32_t *mine = is_write ? &a->writer : &a->reader;
    *mine = *mine && *mine != me ? EMU_MANY : me;
}

static uint8_t *
find_bytes(emu_wave *w, uint32_t address, uint32_t size, int lane)
{
    if (address % size)
        r600_emu_find(w, R600_RULE_ALIGNMENT, lane, "the address is not aligned");
    if (address <= emu_machine_of(w)->d->lds_bytes &&
        size <= emu_machine_of(w)->d->lds_bytes - address)
        return w->group->lds + address;
    r600_emu_find(w, R600_RULE_LDS_BOUNDS, lane, "the address is beyond the group's LDS");
    return NULL;
}

static uint32_t
load(emu_wave *w, uint32_t address, uint32_t size, int lane)
{
    const uint8_t *p = find_bytes(w, address, size, lane);
    uint32_t value = 0;
    if (!p)
        return 0;
    note_access(w, address / 4, false, lane);
    for (uint32_t i = size; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static void
store(emu_wave *w, uint32_t address, uint32_t size, uint32_t value, int lane)
{
    uint8_t *p = find_bytes(w, address, size, lane);
    if (!p)
        return;
    note_access(w, address / 4, true, lane);
    for (uint32_t i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

/* What an atomic leaves in memory. Returns false for other operations. */
static bool
combine(unsigned op, uint32_t old, const uint32_t s[3], uint32_t *out)
{
    const uint32_t x = s[1];
    switch (op) {
    case R600_LDS_ADD: *out = old + x; break;
    case R600_LDS_SUB: *out = old - x; break;
    case R600_LDS_RSUB: *out = x - old; break;
    case R600_LDS_INC: *out = old >= x ? 0 : old + 1; break;
    case R600_LDS_DEC: *out = old == 0 || old > x ? x : old - 1; break;
    case R600_LDS_MIN_INT: *out = (int32_t)old < (int32_t)x ? old : x; break;
    case R600_LDS_MAX_INT: *out = (int32_t)old > (int32_t)x ? old : x; break;
    case R600_LDS_MIN_UINT: *out = old < x ? old : x; break;
    case R600_LDS_MAX_UINT: *out = old > x ? old : x; break;
    case R600_LDS_AND: *out = old & x; break;
    case R600_LDS_OR: *out = old | x; break;
    case R600_LDS_XOR: *out = old ^ x; break;
    case R600_LDS_MSKOR: *out = (old & ~x) | s[2]; break;
    case R600_LDS_CMP_STORE: *out = old == x ? s[2] : old; break;
    default: return false;
    }
    return true;
}

/* The row without a result of one with a result. */
static unsigned
plain_op(r600_op op)
{
    switch (op) {
    case R600_LDS_XCHG_RET: return R600_LDS_WRITE;
    case R600_LDS_CMP_XCHG_RET: return R600_LDS_CMP_STORE;
    default:
        return op >= R600_LDS_ADD_RET && op <= R600_LDS_MSKOR_RET
                   ? op - R600_LDS_ADD_RET + R600_LDS_ADD
                   : op;
    }
}

/* Accesses memory in a lane; the old value if there is one. */
static uint32_t
access_lane(emu_wave *w, r600_op op, const uint32_t s[3], uint32_t lane)
{
    uint32_t value;
    const int l = (int)lane;
    switch (op) {
    case R600_LDS_WRITE: store(w, s[0], 4, s[1], l); return 0;
    case R600_LDS_SHORT_WRITE: store(w, s[0], 2, s[1], l); return 0;
    case R600_LDS_BYTE_WRITE: store(w, s[0], 1, s[1], l); return 0;
    case R600_LDS_READ_RET: return load(w, s[0], 4, l);
    case R600_LDS_USHORT_READ_RET: return load(w, s[0], 2, l);
    case R600_LDS_UBYTE_READ_RET: return load(w, s[0], 1, l);
    case R600_LDS_SHORT_READ_RET: return (uint32_t)base_sext64(load(w, s[0], 2, l), 16);
    case R600_LDS_BYTE_READ_RET: return (uint32_t)base_sext64(load(w, s[0], 1, l), 8);
    default: break;
    }
    const uint8_t *p = find_bytes(w, s[0], 4, l);
    const uint32_t old = p ? r600_read_dword(p) : 0;
    const unsigned plain = plain_op(op);
    if (plain == R600_LDS_WRITE)
        value = s[1];
    else if (!combine(plain, old, s, &value))
        r600_emu_unsupported(w, "an operation of LDS that the emulator does not have");
    for (unsigned i = 0; p && i < 4; i++) /* atomics of several waves are no race */
        w->group->lds[s[0] + i] = (uint8_t)(value >> 8 * i);
    return old;
}

static bool
has_result(r600_op op)
{
    return op >= R600_LDS_ADD_RET && op <= R600_LDS_USHORT_READ_RET;
}

/* A place at the end of the queue. */
static emu_lanes *
extend_queue(emu_wave *w)
{
    emu_queue *q = &w->queue[0];
    if (q->count == EMU_QUEUE)
        r600_emu_unsupported(w, "more than 64 results in the queue of LDS");
    return &q->items[(q->first + q->count++) % EMU_QUEUE];
}

void
r600_emu_lds(emu_wave *w, const r600_inst *in, uint64_t lanes, const emu_lanes s[3])
{
    const unsigned n = r600_op_row(in->op)->properties & R600_P_SOURCES;
    emu_lanes *result = has_result(in->op) ? extend_queue(w) : NULL;
    if (in->f[R600_F_lds_offset])
        r600_emu_unsupported(w, "an offset of LDS");
    if (result)
        result->defined = ~UINT64_C(0);
    EMU_FOREACH_LANE(lane, lanes) {
        const uint32_t v[3] = {s[0].v[lane], n > 1 ? s[1].v[lane] : 0, n > 2 ? s[2].v[lane] : 0};
        if (!(s[0].defined >> lane & 1))
            r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, (int)lane, "the address is not defined");
        const uint32_t old = access_lane(w, in->op, v, lane);
        if (result)
            result->v[lane] = old;
    }
}
