/* Machine code in a device's memory as text. */
#ifndef GPU_CODE_CODE_H
#define GPU_CODE_CODE_H

#include "amd/isa/isa.h"
#include "base/buf.h"
#include "machine/memory.h"

/* A walk over the instructions of a shader, from its first on. */
typedef struct gpu_code {
    amd_gen gen;
    bool wave64;
    const uint8_t *bytes; /* those that are left, `size` of them */
    uint64_t size;
    uint64_t pc;   /* address of the instruction that was read last */
    amd_inst in;   /* it */
    uint64_t last; /* the greatest address that a branch so far leads to */
    bool ended;    /* the instruction ends the program, or this part, and nothing leads behind it */
} gpu_code;

/* Begins at an address. False if it is not mapped. */
bool
gpu_code_open(gpu_code *c, const mach_memory *m, uint64_t entry);

/* Reads the next instruction. False behind the end of the program, and at what is none. */
bool
gpu_code_next(gpu_code *c);

/* Is there an instruction at `pc` in the program that begins at `entry`? `c` has the generation. */
bool
gpu_code_has(const gpu_code *c, const mach_memory *m, uint64_t entry, uint64_t pc);

/* What the launch gives a program in SGPRs. */
typedef struct gpu_code_user {
    const uint32_t *values;
    uint32_t n, first; /* the number of the first one's SGPR */
} gpu_code_user;

/* Where a program goes on that ends with a jump to an address of its user data, as the parts of a
 * shader do that a driver compiles apart: two SGPRs hold it, or point to it where the program loads
 * them from there. False: it does not end so, or the memory is not mapped. */
bool
gpu_code_goes_on(const gpu_code *c, const mach_memory *m, uint64_t entry, const gpu_code_user *user,
                 uint64_t *to);

/* Appends the instruction that was read last: its address and text, and where it branches to. */
void
gpu_print_code_line(const gpu_code *c, base_buf *out);

/* A part of a program's text. */
typedef struct gpu_code_part {
    uint64_t entry, pc;
    unsigned before, after; /* instructions, of which at most GPU_CODE_LINES are shown */
} gpu_code_part;

enum { GPU_CODE_LINES = 16 };

/* What is called for each line of a part; `is_pc`: of the instruction that the part is about. */
typedef void
gpu_code_line(void *user, const gpu_code *c, bool is_pc);

/* Calls `line` for the instructions around the one at `pc`, found by reading from `entry` on. None,
 * if the walk does not meet it. */
void
gpu_walk_code_part(gpu_code *c, const mach_memory *m, const gpu_code_part *part,
                   gpu_code_line *line, void *user);

#endif
