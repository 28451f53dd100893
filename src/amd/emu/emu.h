/* The emulator of gfx10.3: runs a compute dispatch from the bytes of its code.
 *
 * The caller puts everything that the shader can reach into a mach_memory: the code, descriptor
 * sets, buffers, images, kernel arguments; fills an amd_emu_dispatch, which says what a command
 * processor would set up (register counts, user SGPRs, group sizes, the MODE register); and calls
 * amd_emu_run. Results are in the memory afterwards; the report has a status and what the checkers
 * found. Nothing ends the process, and the same inputs give the same outputs: waves are interleaved
 * by a generator that `seed` starts.
 *
 * What is modelled: all waves of one workgroup at a time (groups run one after another, in order of
 * their ids), LDS, scratch, scalar and vector memory as one coherent memory. Memory instructions
 * take effect when they are issued; that their results arrive late is the business of the *waits*
 * checker. See docs/emulator.md.
 */
#ifndef AMD_EMU_H
#define AMD_EMU_H

#include "amd/isa/isa.h"
#include "machine/memory.h"

/* Checkers, a bit each. */
enum {
    AMD_EMU_CHECK_WAITS = 1,   /* a register is used while a memory operation on it is pending */
    AMD_EMU_CHECK_HAZARDS = 2, /* missing wait states */
    AMD_EMU_CHECK_MEMORY = 4,  /* accesses outside allocations, LDS out of range, misaligned;
                                  registers that are not allocated, operands that are not legal */
    AMD_EMU_CHECK_UNDEFINED =
        8, /* a value never written decides a branch, an address or what is stored */
    AMD_EMU_CHECK_RACES = 16, /* conflicts between waves with no barrier between */
    AMD_EMU_CHECK_HANGS = 32, /* the instruction limit, barriers that are never met */
    AMD_EMU_CHECK_ALL = 63,
};

enum { AMD_EMU_MAX_USER_SGPRS = 32, AMD_EMU_MAX_FINDINGS = 16 };

/* Where the per-lane scratch memory of a dispatch is put: wave w of a group owns the bytes from
 * AMD_EMU_SCRATCH_BASE + w * (bytes a lane * wave size), dword-interleaved between its lanes (dword
 * d of lane l at (d * wave size + l) * 4), as swizzled scratch buffers and scratch_* instructions
 * both address it. */
#define AMD_EMU_SCRATCH_BASE UINT64_C(0x0000600000000000)
/* The apertures that src_shared_base and src_private_base return and flat addresses are compared
 * with. */
#define AMD_EMU_SHARED_BASE  UINT64_C(0x0001000000000000)
#define AMD_EMU_PRIVATE_BASE UINT64_C(0x0002000000000000)

/* Where global data share lies while a dispatch runs. */
#define AMD_EMU_GDS_BASE UINT64_C(0x0003000000000000)

/* What an export instruction hands out. */
typedef struct amd_emu_export {
    uint32_t group[3], wave;
    uint8_t target;  /* 0 to 7 colours, 8 depth, 9 null, 12 to 16 positions, 20 a primitive, from 32
                        parameters */
    uint8_t enabled; /* components, a bit each */
    bool compressed; /* value[0] and value[1] hold two 16-bit components each */
    bool done, valid_mask;
    uint64_t lanes;        /* exec */
    uint32_t value[4][64]; /* of enabled components, by lanes */
} amd_emu_export;

typedef void
amd_emu_export_fn(void *user, const amd_emu_export *e);

typedef struct amd_emu_dispatch {
    amd_gen gen;
    uint64_t entry;         /* address of the first instruction; its region is the code */
    uint32_t wave_size;     /* 32 or 64 */
    uint32_t n_vgprs;       /* allocated; a higher number used is a finding. 0 means 256 */
    uint32_t n_sgprs;       /* 0 means all that the generation has */
    uint32_t lds_bytes;     /* a workgroup */
    uint32_t scratch_bytes; /* a lane; rounded up to a multiple of 4 */
    uint32_t n_agprs;       /* accumulation VGPRs of gfx908, gfx90a, gfx942 */

    uint32_t user_sgprs[AMD_EMU_MAX_USER_SGPRS]; /* put into s0 upwards */
    uint32_t n_user_sgprs;
    /* System SGPRs, which follow the user SGPRs in this order (COMPUTE_PGM_RSRC2 TGID_X_EN ...,
     * SCRATCH_EN). */
    bool workgroup_id[3];
    /* TG_SIZE_EN: bits 5:0 are the waves in the group, 24:20 the wave; the others are undefined. */
    bool workgroup_info;
    bool scratch_wave_offset; /* the wave's first scratch byte relative to the scratch base */
    uint32_t
        workitem_ids; /* 0: v0 = x; 1: v0, v1 = x, y; 2: v0, v1, v2 = x, y, z (TIDIG_COMP_CNT) */

    uint32_t group_size[3];  /* work items */
    uint32_t grid_groups[3]; /* workgroups to run */
    uint32_t first_group[3]; /* added to the workgroup ids */
    /* Where the grid is no multiple of the group size, the number of work items in each dimension
     * (HSA); 0: whole groups. */
    uint32_t grid_items[3];
    uint32_t grid_offset[3]; /* HSA: OpenCL's global offset, for hidden arguments */

    uint32_t mode; /* initial MODE: 3:0 rounding, 7:4 denormals, 8 DX10_CLAMP, 9 IEEE (RDNA 2
                      ISA, 3.8 "Mode register") */

    /* What s_trap enters, and what TMA holds; 0: none, a trap ends the run. */
    uint64_t trap_handler, trap_memory;

    /* Global data share: bytes that stay from one dispatch to the next; NULL: `gds_bytes` of zeros,
     * for this one. */
    uint8_t *gds;
    uint32_t gds_bytes;

    /* Address of the table of border colours, 16 bytes each (TA_CS_BC_BASE_ADDR); 0: none. */
    uint64_t border_colors;
    /* gfx810: 16-bit components of images and formatted buffers lie two in a register. The other
     * processors of gfx8 have a register for each. */
    bool packed_d16;

    amd_emu_export_fn *on_export; /* NULL: exports go nowhere */
    void *export_user;

    uint32_t checks; /* AMD_EMU_CHECK_* */
    /* Rules of the hazards checker, by name and separated by commas, that are not checked: those
     * that a compiler is known to break. NULL: all are. */
    const char *hazards_off;
    uint64_t seed; /* of the wave scheduler; 0: waves run in turn from barrier to barrier */
    uint64_t max_instructions;   /* a wave may execute; 0 means 50 million */
    struct amd_emu_watch *watch; /* traces, dumps, counts (watch.h); NULL: none */
} amd_emu_dispatch;

typedef enum amd_emu_status {
    AMD_EMU_DONE,         /* all waves ended (there may be findings) */
    AMD_EMU_BAD_CODE,     /* an instruction that cannot be decoded, or a jump out of the code */
    AMD_EMU_UNSUPPORTED,  /* an instruction that is not built */
    AMD_EMU_HANG,         /* instruction limit or dead barrier */
    AMD_EMU_STOPPED,      /* too many findings */
    AMD_EMU_TRAPPED,      /* s_trap without a trap handler */
    AMD_EMU_BAD_DISPATCH, /* the dispatch itself makes no sense: see message */
} amd_emu_status;

typedef struct amd_emu_finding {
    uint32_t check; /* AMD_EMU_CHECK_*, one bit; 0 for what ended the run (bad code, unsupported) */
    uint64_t pc;    /* address of the instruction */
    char text[112]; /* the instruction, disassembled */
    uint32_t group[3]; /* workgroup id */
    uint32_t wave;     /* in the group */
    int32_t lane;      /* the lowest lane concerned, or -1 */
    uint32_t count;    /* how often the same finding came up at this instruction */
    char message[320]; /* what is wrong */
} amd_emu_finding;

typedef struct amd_emu_report {
    amd_emu_status status;
    uint64_t stopped_at;        /* where status is not AMD_EMU_DONE: the group, counted from 0 */
    uint32_t n_findings;        /* kept in `findings`: one for each checker and instruction */
    uint64_t total;             /* all that came up */
    uint64_t instructions;      /* executed by all waves */
    uint64_t lane_instructions; /* VALU instructions times active lanes */
    uint64_t exports;
    amd_emu_finding findings[AMD_EMU_MAX_FINDINGS];
} amd_emu_report;

/* Runs the dispatch. `scratch` holds the emulator's own memory and is released to its state at
 * entry; when it runs out of memory it leaves by its fail handler. `m` may get and lose regions
 * (scratch) during the run. True if the status is AMD_EMU_DONE and nothing was found. */
bool
amd_emu_run(const amd_emu_dispatch *d, mach_memory *m, arena *scratch, amd_emu_report *report);

/* "waits", "memory" ...; and the bits that a comma-separated list of names means ("all", "none"
 * too), or -1. */
const char *
amd_emu_check_name(uint32_t check);
int
amd_emu_parse_checks(const char *names);

/* One finding as a line of text: "memory: pc 0x1234 `buffer_load_dword v0, ...` group (0,0,0) wave
 * 1 lane 3: ...". */
void
amd_emu_print_finding(const amd_emu_finding *f, base_buf *out);

#endif
