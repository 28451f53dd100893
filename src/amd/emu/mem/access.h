/* Memory accesses for handlers: one address at a time, or those of a whole wave.
 *
 * Addresses are flat ones. Those in the shared aperture go to LDS; private addresses have already
 * been converted to addresses of the wave's scratch memory. A load from an unmapped address returns
 * zeros, a store to one does nothing; both are findings of the *memory* checker.
 */
#ifndef AMD_EMU_ACCESS_H
#define AMD_EMU_ACCESS_H

#include "amd/emu/core/wave.h"

/* Atomic operations of all families. */
typedef enum emu_atomic {
    EMU_ATOMIC_NONE,
    EMU_SWAP,
    EMU_CMPSWAP, /* operands: new value, compared value */
    EMU_ADD,
    EMU_SUB,
    EMU_RSUB,
    EMU_CSUB,    /* subtract, clamped at 0 */
    EMU_CONDSUB, /* subtract, unless the result would be below 0 */
    EMU_SMIN,
    EMU_UMIN,
    EMU_SMAX,
    EMU_UMAX,
    EMU_AND,
    EMU_OR,
    EMU_XOR,
    EMU_INC,
    EMU_DEC,
    EMU_FCMPSWAP,
    EMU_FMIN,
    EMU_FMAX,
    EMU_FADD,
    EMU_PK_ADD_F16, /* two sums, each rounded to nearest even */
    EMU_PK_ADD_BF16,
    EMU_ORDERED_ADD, /* operands: an id, and the value to add if memory holds that id */
    EMU_MSKOR,       /* operands: mask, bits */
    EMU_WRAP,
} emu_atomic;

/* The value that an atomic leaves in memory; `bits` is 32 or 64. */
uint64_t
amd_emu_atomic_result(emu_atomic op, unsigned bits, uint64_t old, uint64_t data, uint64_t data2);

enum {
    EMU_A_STORE = 1,
    EMU_A_SEXT = 2, /* loads of bytes and shorts are sign-extended */
    EMU_A_D16 = 4,  /* the value is 16 bits in the low half of its register */
    EMU_A_HIGH = 8, /* with D16: in the high half; the other half is kept */
};

/* What a load, store or atomic moves. */
typedef struct emu_access {
    uint16_t op;
    uint8_t bytes; /* bytes per component: 1, 2, 4; atomics 4 or 8 */
    uint8_t count; /* components, one register each */
    uint8_t flags;
    uint8_t atomic; /* emu_atomic */
} emu_access;

/* The row of a FLAT, GLOBAL, SCRATCH or unformatted BUFFER opcode; NULL for other opcodes. */
const emu_access *
amd_emu_access_find(uint32_t op);

/* The address of each lane's components, for a wave. */
typedef struct emu_places {
    uint64_t address[4][EMU_LANES];
    uint64_t valid[4]; /* lanes whose component is in range: others read 0 and store nothing */
} emu_places;

/* The components of an access at consecutive addresses from address[0]. */
void
amd_emu_places_linear(emu_places *p, const emu_access *a, uint64_t lanes);

/* Performs the load, store or atomic for the lanes of exec. Results go to VGPRs from `result` on
 * (AMD_REG_ABSENT: none); data comes from `data` (operand codes). */
void
amd_emu_access_lanes(emu_wave *w, const emu_access *a, const emu_places *p, uint32_t result,
                     uint32_t data);

/* A load into LDS: each lane's dword goes to m0[15:0] plus the instruction's offset plus 4 bytes
 * times the lane number (RDNA 2 ISA, "Memory Buffer Load to LDS"), three or four dwords to 16
 * bytes times the lane number (CDNA 4 ISA). */
void
amd_emu_load_to_lds(emu_wave *w, const emu_inst *i, const emu_access *a, const emu_places *p);

/* The same for a value that has already been loaded. */
void
amd_emu_put_to_lds(emu_wave *w, const emu_inst *i, uint32_t lane, uint32_t v, uint32_t undefined);

/* An atomic with its operands in two registers (or pairs): the ones that amd_emu_atomic_result
 * calls data and data2. */
void
amd_emu_atomic_lanes(emu_wave *w, const emu_access *a, const emu_places *p, uint32_t result,
                     uint32_t data, uint32_t data2);

/* The address of byte `offset` of lane `lane` in the wave's dword-interleaved scratch memory. */
static inline uint64_t
amd_emu_scratch_address(const emu_wave *w, uint64_t base, uint32_t offset, uint32_t lane)
{
    return base + ((uint64_t)(offset >> 2) * w->lanes + lane) * 4 + (offset & 3);
}

/* Single accesses of `size` bytes (at most 4). `undefined` is a set of bytes, bit 0 the first: a
 * load adds the bytes that hold no defined value (NULL: not wanted); for a store it gives the
 * undefined bytes of the data. */
bool
amd_emu_load_bytes(emu_wave *w, uint64_t address, uint32_t size, int lane, void *out,
                   uint32_t *undefined);
void
amd_emu_store_bytes(emu_wave *w, uint64_t address, uint32_t size, int lane, const void *data,
                    uint32_t undefined);

/* The host's bytes at an address for reading or writing, or NULL after reporting a finding. */
uint8_t *
amd_emu_bytes(emu_wave *w, uint64_t address, uint32_t size, int lane, bool write);

#endif
