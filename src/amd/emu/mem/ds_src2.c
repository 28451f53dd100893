/* DS instructions that use two memory locations (gfx6 to gfx10). ds_*_src2_* performs an atomic on
 * the location at the address; its operand is the value at a second location. The distance between
 * them is 4 bytes times a signed 16-bit number: the offset's bits 14:0, or, if bit 15 is set, the
 * address's 31:17 ("Vega" ISA, DS_ADD_SRC2_U32). */
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/mem/ds.h"
#include "amd/emu/mem/mem.h"

typedef struct src2_row {
    uint16_t op;
    uint8_t bytes;
    uint8_t atomic; /* emu_atomic */
} src2_row;

#define PAIR(name, T, kind)                                                                        \
    {AMD_DS_##name##_SRC2_##T##32, 4, EMU_##kind},                                                 \
    {                                                                                              \
        AMD_DS_##name##_SRC2_##T##64, 8, EMU_##kind                                                \
    }

static const src2_row rows[] = {
    PAIR(ADD, U, ADD),    PAIR(SUB, U, SUB),
    PAIR(RSUB, U, RSUB),  PAIR(INC, U, INC),
    PAIR(DEC, U, DEC),    PAIR(MIN, I, SMIN),
    PAIR(MAX, I, SMAX),   PAIR(MIN, U, UMIN),
    PAIR(MAX, U, UMAX),   PAIR(AND, B, AND),
    PAIR(OR, B, OR),      PAIR(XOR, B, XOR),
    PAIR(WRITE, B, SWAP), PAIR(MIN, F, FMIN),
    PAIR(MAX, F, FMAX),   {AMD_DS_ADD_SRC2_F32, 4, EMU_FADD},
};

/* Eight or four bytes of a lane at DS address `at`; bytes beyond the limit are 0. */
static uint64_t
load(emu_wave *w, const emu_inst *i, uint32_t at, uint32_t bytes, uint32_t l, uint32_t *undefined)
{
    uint64_t address, v = 0;
    for (uint32_t k = 0; k < bytes / 4; k++) {
        uint32_t word = 0;
        if (amd_emu_ds_address(w, i, at + 4 * k, 4, &address))
            amd_emu_load_bytes(w, address, 4, (int)l, &word, w->shadow ? undefined : NULL);
        v |= (uint64_t)word << (32 * k);
    }
    return v;
}

static void
store(emu_wave *w, const emu_inst *i, uint32_t at, uint32_t bytes, uint32_t l, uint64_t v,
      uint32_t undefined)
{
    uint64_t address;
    for (uint32_t k = 0; k < bytes / 4; k++) {
        uint32_t word = (uint32_t)(v >> (32 * k));
        if (amd_emu_ds_address(w, i, at + 4 * k, 4, &address))
            amd_emu_store_bytes(w, address, 4, (int)l, &word, undefined);
    }
}

static void
src2(emu_wave *w, const emu_inst *i)
{
    const src2_row *r = i->op;
    uint32_t reg = i->vaddr - AMD_REG_VGPR0, offset = (uint32_t)i->in.offset & 0xffff;
    if (w->shadow)
        amd_emu_shadow_use(w, reg, amd_emu_exec(w), "LDS address");
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        uint32_t l = base_ctz64(left), v = w->vgpr[reg][l], undefined = 0;
        uint32_t a = (offset & 0x8000 ? v & 0x1ffff : v) & ~(r->bytes - 1u);
        int32_t distance = (int32_t)base_sext64(offset & 0x8000 ? v >> 17 : offset, 15);
        uint32_t b = (a + (uint32_t)distance * 4) & ~(r->bytes - 1u);
        uint64_t old = load(w, i, a, r->bytes, l, &undefined);
        uint64_t data = load(w, i, b, r->bytes, l, &undefined);
        store(w, i, a, r->bytes, l,
              amd_emu_atomic_result((emu_atomic)r->atomic, r->bytes * 8u, old, data, 0), undefined);
    }
}

/* Each of the two dwords is replaced by 31 bits of the data if the top bit of the data is set ("Sea
 * Islands" ISA, DS_CONDXCHG32_RTN_B64). */
static void
conditional_exchange(emu_wave *w, const emu_inst *i)
{
    uint32_t reg = i->vaddr - AMD_REG_VGPR0, result = i->result - AMD_REG_VGPR0;
    uint64_t exec = amd_emu_exec(w), bad = 0;
    uint64_t old[EMU_LANES];
    if (w->shadow) {
        amd_emu_shadow_use(w, reg, exec, "LDS address");
        amd_emu_shadow_use(w, i->data0 - AMD_REG_VGPR0, exec, "condition of an exchange");
        amd_emu_shadow_use(w, i->data0 - AMD_REG_VGPR0 + 1u, exec, "condition of an exchange");
    }
    for (uint64_t left = exec; left; left &= left - 1) {
        uint32_t l = base_ctz64(left), undefined = 0;
        uint32_t at = (w->vgpr[reg][l] + ((uint32_t)i->in.offset & 0xffff)) & ~7u;
        old[l] = load(w, i, at, 8, l, &undefined);
        bad |= (uint64_t)(undefined != 0) << l;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t v = w->vgpr[i->data0 - AMD_REG_VGPR0 + k][l];
            if (v >> 31)
                store(w, i, at + 4 * k, 4, l, v & 0x7fffffff, 0);
        }
    }
    for (uint64_t left = exec; left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        w->vgpr[result][l] = (uint32_t)old[l];
        w->vgpr[result + 1][l] = (uint32_t)(old[l] >> 32);
    }
    for (uint32_t k = 0; w->shadow && k < 2; k++)
        amd_emu_shadow_set(w, result + k, EMU_BYTES_ALL, exec, bad);
}

bool
amd_emu_bind_ds_src2(emu_inst *i)
{
    if (i->in.op == AMD_DS_CONDXCHG32_RTN_B64) {
        i->run = conditional_exchange;
        return true;
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].op == i->in.op) {
            i->op = &rows[r];
            i->run = src2;
            return true;
        }
    }
    return false;
}
