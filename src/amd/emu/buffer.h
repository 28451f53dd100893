/* Buffer addressing for MUBUF and MTBUF. */
#ifndef AMD_EMU_BUFFER_H
#define AMD_EMU_BUFFER_H

#include "amd/emu/access.h"
#include "amd/emu/descriptor.h"

/* What decides whether an access is within bounds (docs/emulator.md). */
typedef enum emu_bounds {
    EMU_BOUNDS_SELECT,     /* OOB_SELECT of the descriptor */
    EMU_BOUNDS_RAW,        /* num_records are bytes */
    EMU_BOUNDS_STRUCTURED, /* num_records are strides */
    EMU_BOUNDS_NONE,       /* addr64 */
    EMU_BOUNDS_UNBOUND,    /* no resource: all is out of bounds */
} emu_bounds;

/* A buffer instruction's operands, read. */
typedef struct emu_buffer_args {
    amd_buffer_desc desc;
    const uint32_t *index, *offset; /* a lane each; NULL: 0 */
    const uint32_t *high;           /* addr64: `offset` and this are addresses */
    uint32_t scalar;                /* soffset */
    emu_bounds bounds;
    bool scalar_swizzled; /* the scalar offset is swizzled with the others */
} emu_buffer_args;

/* Is it a load to LDS: by the lds bit, or from gfx11 on by the opcode? */
static inline bool
emu_buffer_to_lds(const emu_inst *i)
{
    return i->in.lds || (i->row->flags & AMD_F_LOAD && i->vdata == AMD_REG_ABSENT);
}

/* Reads the operands; false if the descriptor cannot be used, which stops the run. */
bool
emu_buffer_source(emu_wave *w, const emu_inst *i, emu_buffer_args *b);

/* The address of `size` bytes `add` bytes behind the lane's place; false where they are out of
 * bounds. */
bool
emu_buffer_place(const emu_wave *w, const emu_inst *i, const emu_buffer_args *b, uint32_t lane,
                 uint32_t add, uint32_t size, uint64_t *address);

/* tfe: the register behind the data gets 0, "no fault". */
void
emu_fault_status(emu_wave *w, uint32_t reg);

/* Formatted loads and stores (format.c); false for other opcodes. */
bool
emu_bind_format(emu_inst *i);

#endif
