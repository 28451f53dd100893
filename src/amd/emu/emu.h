/* The emulator of all generations from gfx6 to gfx12: runs a compute dispatch from the bytes of its
 * code.
 *
 * The caller puts everything that the shader can reach into a mach_memory (code, descriptor sets,
 * buffers, images, kernel arguments), fills an amd_emu_dispatch with the state that a command
 * processor would set up (register counts, user SGPRs, group sizes, the MODE register), and calls
 * amd_emu_run. Afterwards the results are in the memory, and the report has a status and the
 * checkers' findings. The emulator never ends the process, and the same inputs give the same
 * outputs: a generator seeded with `seed` interleaves the waves.
 *
 * The model: all waves of one workgroup run at a time (groups run one after another, in order of
 * their ids); LDS, scratch, scalar and vector memory are one coherent memory. Memory instructions
 * take effect when they are issued; the *waits* checker takes care of results that arrive late. See
 * docs/emulator.md.
 */
#ifndef AMD_EMU_H
#define AMD_EMU_H

#include "amd/isa/isa.h"
#include "machine/memory.h"
#include "machine/report.h"

enum { AMD_EMU_MAX_USER_SGPRS = 32 };

/* The address of a dispatch's per-lane scratch memory. Wave w of a group owns the bytes from
 * AMD_EMU_SCRATCH_BASE + w * (bytes per lane * wave size), dword-interleaved between its lanes
 * (dword d of lane l at (d * wave size + l) * 4). Swizzled scratch buffers and scratch_*
 * instructions both use this layout. */
#define AMD_EMU_SCRATCH_BASE UINT64_C(0x0000600000000000)
/* The apertures that src_shared_base and src_private_base return, and that flat addresses are
 * compared with. */
#define AMD_EMU_SHARED_BASE  UINT64_C(0x0001000000000000)
#define AMD_EMU_PRIVATE_BASE UINT64_C(0x0002000000000000)

/* The address of global data share while a dispatch runs. */
#define AMD_EMU_GDS_BASE UINT64_C(0x0003000000000000)

/* The data that an export instruction passes to the callback. */
typedef struct amd_emu_export {
    uint32_t group[3], wave;
    uint8_t target;  /* 0 to 7 colours, 8 depth, 9 null, 12 to 16 positions, 20 a primitive, 21
                        and 22 colours of both blend sources, 32 and above parameters */
    uint8_t enabled; /* enabled components, one bit each */
    bool compressed; /* value[0] and value[1] hold two 16-bit components each */
    bool done, valid_mask;
    uint64_t lanes;        /* exec */
    uint32_t value[4][64]; /* values of enabled components, by lane */
    uint64_t
        undefined[4]; /* of parameters: lanes whose value is undefined, which may be read by none */
} amd_emu_export;

typedef void
amd_emu_export_fn(void *user, const amd_emu_export *e);

/* A message to the pipeline, s_sendmsg's constant and m0. */
typedef void
amd_emu_message_fn(void *user, uint32_t message, uint32_t m0);

/* The effects of an access to memory. */
enum {
    AMD_EMU_READS = 1,
    AMD_EMU_WRITES = 2,
    AMD_EMU_ATOMIC = 4,
    AMD_EMU_COHERENT = 8, /* a load past the nearest cache (glc, sc0, sc1, a scope) */
    AMD_EMU_SCALAR = 16,  /* through the scalar cache */
};

/* An access of one of a dispatch's waves. */
typedef struct amd_emu_access {
    uint64_t pc;
    uint32_t kind; /* AMD_EMU_* */
    uint32_t group, wave;
} amd_emu_access;

/* What a dispatch has done to bytes that are next to each other and alike. */
typedef struct amd_emu_touch {
    uint64_t address, size;
    amd_emu_access writer; /* kind 0: the dispatch has not changed them */
    amd_emu_access reader; /* kind 0: nothing has read them since they were changed */
} amd_emu_touch;

/* Is told of the bytes that the dispatch has accessed, in no order, each once. Stores that changed
 * nothing are left out. */
typedef void
amd_emu_touched_fn(void *user, const amd_emu_touch *t);

typedef struct amd_emu_dispatch {
    amd_gen gen;
    const char *processor;   /* for the time of a watch; NULL: the generation's usual one */
    uint32_t resident_waves; /* the same: waves that a SIMD holds at once; 0 counts as 1 */
    uint64_t entry;          /* address of the first instruction; the region that holds it is the
                               code */
    uint32_t wave_size;      /* 32 or 64 */
    uint32_t n_vgprs;        /* allocated; using a higher number is a finding. 0 means 256 */
    uint32_t n_shared_vgprs; /* wave64: registers behind these that both halves share */
    uint32_t n_sgprs;        /* 0 means all that the generation offers */
    uint32_t lds_bytes;      /* per workgroup */
    bool one_unit; /* from gfx10 on: a workgroup's waves are on one compute unit (CU mode) */
    uint32_t scratch_bytes; /* per lane; rounded up to a multiple of 4 */
    uint32_t n_agprs;       /* accumulation VGPRs of gfx908, gfx90a, gfx942 */

    uint32_t user_sgprs[AMD_EMU_MAX_USER_SGPRS]; /* loaded into s0 upwards */
    uint32_t n_user_sgprs;
    /* System SGPRs, which follow the user SGPRs in this order (COMPUTE_PGM_RSRC2 TGID_X_EN ...,
     * SCRATCH_EN). */
    bool workgroup_id[3];
    /* TG_SIZE_EN: bits 5:0 are the number of waves in the group, 11:6 the wave's number, which from
     * gfx10.3 on stands in 24:20, too; others are undefined (run/entry.c). */
    bool workgroup_info;
    bool scratch_wave_offset; /* offset of the wave's first scratch byte from the scratch base */
    uint32_t
        workitem_ids; /* 0: v0 = x; 1: v0, v1 = x, y; 2: v0, v1, v2 = x, y, z (TIDIG_COMP_CNT) */

    uint32_t group_size[3];  /* work items */
    uint32_t grid_groups[3]; /* workgroups to run */
    uint32_t first_group[3]; /* added to the workgroup ids */
    /* The number of work items in each dimension, if the grid is not a multiple of the group size
     * (HSA); 0: whole groups. */
    uint32_t grid_items[3];
    uint32_t grid_offset[3]; /* HSA: OpenCL's global offset, for hidden arguments */

    uint32_t mode; /* initial MODE: 3:0 rounding, 7:4 denormals, 8 DX10_CLAMP, 9 IEEE (RDNA 2
                      ISA, 3.8 "Mode register") */

    /* The address that s_trap jumps to, and the value of TMA. 0: none; a trap ends the run. */
    uint64_t trap_handler, trap_memory;

    /* Global data share: bytes that persist from one dispatch to the next. NULL: `gds_bytes` zeros
     * for this dispatch only. */
    uint8_t *gds;
    uint32_t gds_bytes;

    /* Address of the table of border colours, 16 bytes each (TA_CS_BC_BASE_ADDR); 0: none. */
    uint64_t border_colors;
    /* gfx810: two 16-bit components of images and formatted buffers share a register. The other
     * processors of gfx8 use a register for each. */
    bool packed_d16;
    uint8_t may_retry; /* amd_obj_retry: which hazards of soft clauses count */
    /* Images in tiles are laid out as this model does (desc/texel.h), behind the same addresses.
     * Otherwise they are rejected. */
    bool packs_tiles;

    /* Memory through which fixed functions get values (the attribute ring): lanes that nobody reads
     * may store undefined values there. */
    uint64_t ring_base, ring_bytes;

    amd_emu_export_fn *on_export; /* NULL: exports are dropped */
    void *export_user;
    amd_emu_message_fn *on_message; /* with export_user; NULL: messages are dropped */

    /* Told of what the dispatch has accessed, at its end, with the races checker; of what a stage
     * has, when it is closed. NULL: nobody. */
    amd_emu_touched_fn *touched;
    void *touched_user;

    uint32_t checks; /* MACH_CHECK_* */
    /* Comma-separated names of rules that are not checked, for rules that a compiler is known to
     * violate. NULL: all rules are checked. */
    const char *rules_off;
    uint64_t seed; /* seed of the wave scheduler; 0: waves run in turn from barrier to barrier */
    uint64_t max_instructions; /* limit per wave; 0 means 50 million */
    uint64_t max_total; /* limit of all waves (of a thread), tested behind each group; 0: none */
    struct mach_watch *watch; /* traces, dumps, counts (watch.h); NULL: none */
} amd_emu_dispatch;

/* Fills in rule number `index` of the checkers, from 0. Returns false behind the last. A rule may
 * have several rows, with the same name and different texts. */
bool
amd_emu_get_rule(uint32_t index, mach_rule *out);

/* Runs the dispatch. `scratch` holds the emulator's own memory and is reset on return to its state
 * at entry; when it runs out of memory, its fail handler is called. Returns true if the status is
 * MACH_RUN_DONE and there are no findings. */
bool
amd_emu_run(const amd_emu_dispatch *d, const mach_memory *m, arena *scratch, mach_report *report);

#endif
