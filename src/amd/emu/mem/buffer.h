/* Buffer addressing for MUBUF and MTBUF. */
#ifndef AMD_EMU_BUFFER_H
#define AMD_EMU_BUFFER_H

#include "amd/emu/desc/descriptor.h"
#include "amd/emu/mem/access.h"

/* The rule that decides whether an access is within bounds (docs/emulator.md). */
typedef enum emu_bounds {
    EMU_BOUNDS_SELECT,     /* OOB_SELECT of the descriptor */
    EMU_BOUNDS_RAW,        /* num_records counts bytes */
    EMU_BOUNDS_STRUCTURED, /* num_records counts strides */
    EMU_BOUNDS_NONE,       /* addr64 */
    EMU_BOUNDS_UNBOUND,    /* null descriptor: everything is out of bounds */
} emu_bounds;

/* The values of a buffer instruction's operands. */
typedef struct emu_buffer_args {
    amd_buffer_desc desc;
    const uint32_t *index, *offset; /* one per lane; NULL: 0 */
    const uint32_t *high;           /* addr64: `offset` and `high` are the halves of an address */
    uint32_t scalar;                /* soffset */
    emu_bounds bounds;
    bool scalar_swizzled; /* the scalar offset takes part in swizzling */
} emu_buffer_args;

/* Is it a load to LDS? The lds bit says so; from gfx11 on the opcode does. */
static inline bool
amd_emu_buffer_to_lds(const emu_inst *i)
{
    return i->in.lds || (i->row->flags & AMD_F_LOAD && i->vdata == AMD_REG_ABSENT);
}

/* Reads the operands. Returns false, and stops the run, if the descriptor cannot be used. */
bool
amd_emu_buffer_source(emu_wave *w, const emu_inst *i, emu_buffer_args *b);

/* The address of `size` bytes that lie `add` bytes after the lane's position; false if they are out
 * of bounds. */
bool
amd_emu_buffer_place(const emu_wave *w, const emu_inst *i, const emu_buffer_args *b, uint32_t lane,
                     uint32_t add, uint32_t size, uint64_t *address);

/* tfe: sets the register after the data to 0, "no fault". */
void
amd_emu_fault_status(emu_wave *w, uint32_t reg);

#endif
