/* Random access targets: raw and typed stores, atomics.
 *
 * A RAT whose words are set is an image (rat_image.c), others are buffers. The index is in dwords.
 * A store of several components writes dwords side by side; an atomic takes its value from x, and
 * the mask of MSKOR and the comparand of CMPXCHG_INT from w, Cayman's comparand from z (LLVM:
 * RAT_MSKOR, RAT_ATOMIC; Mesa: r600_shader.c, tgsi_atomic_op_rat). What was there goes to the dword
 * of the return buffer that y names, if the operation has a result. */
#include "r600/emu/core/wave.h"

#include "base/buf.h"

/* RAT_INST of CF_ALLOC_EXPORT_WORD0_RAT; STORE_DWORD is Cayman's (LLVM: RAT_STORE_DWORD). */
enum {
    STORE_TYPED = 1,
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
    STORE_DWORD = 20,
    RETURNS = 32, /* operations with results are so much behind those without */
    XCHG = 2      /* with a result; without, the number is that of STORE_RAW */
};

/* The RAT of an instruction. */
typedef struct target {
    const r600_range *range;
    emu_rat_image typed; /* if is_typed */
    bool is_typed, is_open;
} target;

/* Operations that do not read what is there. */
static bool
is_store(uint32_t op)
{
    return op == STORE_RAW || op == STORE_DWORD || op == STORE_TYPED;
}

static uint8_t *
find_bytes(emu_wave *w, const r600_range *rat, uint64_t offset, uint32_t size, int lane)
{
    emu_machine *m = emu_machine_of(w);
    mach_region *r = offset + size <= rat->size
                         ? mach_memory_find(m->memory, &m->hint, rat->address + offset, size)
                         : NULL;
    if (r && !r->read_only) {
        r600_emu_note_store(w, rat->address + offset, size);
        return r->host + (rat->address + offset - r->base);
    }
    r600_emu_find(w, R600_RULE_RAT_BOUNDS, lane, "the address is outside the RAT");
    return NULL;
}

static uint8_t *
find_dword(emu_wave *w, const r600_range *rat, uint64_t offset, int lane)
{
    return find_bytes(w, rat, offset, 4, lane);
}

/* The component of what CMPXCHG_INT compares with. */
static unsigned
comparand_of(const emu_wave *w)
{
    return emu_machine_of(w)->isa->gen == R600_GEN_CM ? 2 : 3;
}

/* `x` is the value, `w` the mask. */
static uint32_t
combine(const emu_wave *wave, uint32_t op, uint32_t old, const uint32_t value[4])
{
    const uint32_t x = value[0], w = value[op == CMPXCHG_INT ? comparand_of(wave) : 3];
    switch (op) {
    case XCHG: return x;
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

/* Sets the bits of x in the bytes where the mask w has bits, and touches no others. */
static void
mask_or(emu_wave *w, const r600_range *rat, uint64_t offset, const uint32_t value[4], uint32_t lane)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t mask = (uint8_t)(value[3] >> 8 * i);
        uint8_t *p = mask ? find_bytes(w, rat, offset + i, 1, (int)lane) : NULL;
        if (p)
            *p = (uint8_t)((*p & ~mask) | value[0] >> 8 * i);
    }
}

static unsigned
used_components(const emu_wave *w, const r600_inst *in)
{
    const uint32_t inst = in->f[R600_F_rat_inst], op = inst % RETURNS;
    if (is_store(inst))
        return in->f[R600_F_comp_mask];
    return 1u | (op == MSKOR ? 8u : 0) | (op == CMPXCHG_INT ? 1u << comparand_of(w) : 0) |
           (inst >= RETURNS ? 2u : 0);
}

static void
store_lane(emu_wave *w, const r600_inst *in, const r600_range *rat, uint32_t lane)
{
    const uint64_t index = w->gpr[in->f[R600_F_index_gpr]][0].v[lane];
    uint32_t value[4];
    read_value(w, in, lane, used_components(w, in), value);
    for (unsigned c = 0; c < 4; c++) {
        uint8_t *p = in->f[R600_F_comp_mask] >> c & 1
                         ? find_dword(w, rat, (index + c) * 4, (int)lane)
                         : NULL;
        if (p)
            base_put_u32(p, value[c]);
    }
}

/* Components that the mask leaves out keep what they are. */
static void
store_texel(emu_wave *w, const r600_inst *in, const target *t, uint32_t lane)
{
    const mach_format f = t->typed.image.format;
    uint32_t value[4];
    read_value(w, in, lane, in->f[R600_F_comp_mask], value);
    uint8_t *p = t->is_open ? r600_emu_find_texel(w, in, &t->typed, lane) : NULL;
    if (!p)
        return;
    mach_texel texel = mach_texel_read(f, p);
    for (unsigned c = 0; c < 4; c++)
        texel.c[c] = in->f[R600_F_comp_mask] >> c & 1 ? value[c] : texel.c[c];
    mach_texel_write(f, p, &texel);
}

/* Where an atomic is done: a dword of a buffer, or a texel, of which those outside the image are
 * nowhere. */
static uint8_t *
find_atomic(emu_wave *w, const r600_inst *in, const target *t, uint32_t lane)
{
    const uint64_t index = w->gpr[in->f[R600_F_index_gpr]][0].v[lane];
    if (!t->is_typed)
        return find_dword(w, t->range, index * 4, (int)lane);
    if (mach_format_get(t->typed.image.format)->bytes != 4)
        r600_emu_unsupported(w, "an atomic on texels that have not 32 bits");
    return t->is_open ? r600_emu_find_texel(w, in, &t->typed, lane) : NULL;
}

static void
atomic_lane(emu_wave *w, const r600_inst *in, const target *t, uint32_t lane)
{
    const uint32_t inst = in->f[R600_F_rat_inst];
    const uint64_t index = w->gpr[in->f[R600_F_index_gpr]][0].v[lane];
    uint32_t value[4];
    read_value(w, in, lane, used_components(w, in), value);
    if (inst == MSKOR && !t->is_typed) {
        mask_or(w, t->range, index * 4, value, lane);
        return;
    }
    uint8_t *p = find_atomic(w, in, t, lane);
    const uint32_t old = p ? r600_read_dword(p) : 0;
    if (p)
        base_put_u32(p, combine(w, inst % RETURNS, old, value));
    uint8_t *to = inst < RETURNS ? NULL
                                 : find_dword(w, &emu_machine_of(w)->d->returns,
                                              (uint64_t)value[1] * 4, (int)lane);
    if (to)
        base_put_u32(to, old);
}

static target
open_target(emu_wave *w, const r600_inst *in)
{
    const uint32_t id = in->f[R600_F_rat_id];
    if (id >= R600_MAX_RATS || in->f[R600_F_rw_rel] || in->f[R600_F_burst])
        r600_emu_unsupported(w, "a RAT that the emulator does not have");
    target t = {.range = &emu_machine_of(w)->d->rats[id], .is_typed = r600_emu_is_typed_rat(w, id)};
    t.is_open = t.is_typed && r600_emu_open_rat(w, id, &t.typed);
    if (t.is_typed != (in->f[R600_F_rat_inst] == STORE_TYPED) && is_store(in->f[R600_F_rat_inst]))
        r600_emu_unsupported(w, "a raw store to an image, or a typed one to a buffer");
    return t;
}

void
r600_emu_rat(emu_wave *w, const r600_inst *in)
{
    const uint64_t lanes = emu_effective(w);
    const uint64_t undefined = lanes & ~w->gpr[in->f[R600_F_index_gpr]][0].defined;
    const target t = open_target(w, in);
    if (undefined)
        r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, r600_emu_lowest(undefined),
                      "the index is not defined");
    EMU_FOREACH_LANE(lane, lanes) {
        if (in->f[R600_F_rat_inst] == STORE_TYPED)
            store_texel(w, in, &t, lane);
        else if (is_store(in->f[R600_F_rat_inst]))
            store_lane(w, in, t.range, lane);
        else
            atomic_lane(w, in, &t, lane);
    }
}
