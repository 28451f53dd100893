/* Internals of the emulator: the state of a wave, decoded instructions, and the functions that
 * handlers call.
 *
 * A wave's vector registers are rows of EMU_LANES dwords, so that an instruction is a loop over a
 * row, which the compiler vectorises. Scalar registers are indexed by their operand codes (0 to 105
 * SGPRs, 106 vcc, 108 ttmp, 124 m0, 125 null, 126 exec), so that reading vcc or exec is not a
 * special case; null is kept at 0.
 *
 * Each opcode has one handler. A handler reads its operands from the decoded instruction, changes
 * the wave, and returns; `pc` already points after the instruction. Errors are reported with
 * emu_find (a finding of a checker, the run continues) or emu_stop (the run ends).
 */
#ifndef AMD_EMU_WAVE_H
#define AMD_EMU_WAVE_H

#include "amd/emu/emu.h"
#include "amd/emu/run/share.h"
#include "amd/isa/table/counters.h"
#include "amd/isa/table/table.h"
#include "base/bits.h"

/* Rows of vector registers: VGPRs and, from EMU_AGPR0 on, accumulation VGPRs. For both, a
 * register's row is its code minus AMD_REG_VGPR0. */
enum {
    EMU_LANES = 64,
    EMU_SREGS = 128,
    EMU_MAX_VGPRS = 512,
    EMU_AGPR0 = AMD_REG_AGPR0 - AMD_REG_VGPR0,
    EMU_MAX_RANGES = 20
};

/* MODE register fields (RDNA 2 ISA, "MODE register"). */
enum {
    EMU_MODE_DX10_CLAMP = 1 << 8,
    EMU_MODE_IEEE = 1 << 9,
    /* denormal fields: bit 0 keeps inputs, bit 1 keeps results */
    EMU_DENORM_IN_32 = 1 << 4,
    EMU_DENORM_OUT_32 = 1 << 5,
    EMU_DENORM_IN_16_64 = 1 << 6,
    EMU_DENORM_OUT_16_64 = 1 << 7,
};

typedef struct emu_wave emu_wave;
typedef struct emu_inst emu_inst;
typedef struct emu_group emu_group;
typedef struct emu_machine emu_machine;
typedef void
emu_handler(emu_wave *w, const emu_inst *i);

/* The operand that a range of registers belongs to, if an index may select other registers for it
 * (mode_gcn.c). */
typedef enum emu_slot { EMU_SLOT_NONE, EMU_SLOT_SRC0, EMU_SLOT_DST = EMU_SLOT_SRC0 + 3 } emu_slot;

/* Registers [first, first + count) that an instruction reads or writes: operand codes, VGPRs from
 * 256. */
typedef struct emu_range {
    uint16_t first;
    uint8_t count;
    bool write;
    uint8_t slot; /* emu_slot; further sources and results follow in order */
} emu_range;

/* One instruction of the code, decoded when it is first reached. */
struct emu_inst {
    amd_inst in;
    const amd_op_info *row;
    emu_handler *run;
    emu_handler *inner; /* the handler that `run` calls if it is emu_lds_direct */
    const void *op;     /* the opcode's data for its handler: an emu_valu, ... */
    uint32_t keep; /* vector ALU: MODE's denormal bits that must be set for the faster handlers */
    const struct emu_quick *quick; /* data of the handler in valu_quick.c, and */
    emu_handler *general;          /* the handler for all other cases */
    uint64_t pc, next;             /* addresses of this instruction and the next one */
    /* operands of memory instructions by kind, AMD_REG_ABSENT if there is none */
    uint16_t vdata, vaddr, saddr, rsrc, samp, soffset, data0, data1, result;
    uint32_t n_ranges;
    emu_range ranges[EMU_MAX_RANGES];
    bool reported[8];                /* findings already reported here, by the checker's bit
                                        number */
    uint64_t visits;                 /* number of executions: shows where a hang is */
    struct emu_hazard_info *hazards; /* NULL: the hazards checker is off */
    emu_inst *halves;                /* VOPD: its two operations */
    uint8_t gen;                     /* amd_gen */
    bool relative;                   /* m0 selects its registers (index.c) */
    bool unpacked_d16; /* 16-bit components of formatted data have a register each (gfx8 except
                          gfx810) */
};

/* Size of a block of registers, for loads and stores that move those that m0 selects. */
enum { EMU_BLOCK = 32 };
static inline bool
emu_is_block(const emu_inst *i)
{
    return i->row->memory == EMU_BLOCK * 4;
}

/* EMU_WAITING: at an instruction that is executed again after a resource has changed. */
typedef enum emu_state { EMU_READY, EMU_AT_BARRIER, EMU_WAITING, EMU_ENDED } emu_state;

/* A resource of global wave sync (gds.c). */
typedef struct emu_gws {
    uint32_t counter; /* a semaphore's counter; for a barrier, the number of waves that have not
                         arrived */
    uint32_t turn;    /* how often the barrier has completed */
} emu_gws;

struct emu_pending; /* waits.c */
struct emu_shadow;  /* undefined.c */
struct emu_hazards; /* hazards.c */
struct emu_races;   /* races.c */
struct emu_race_wave;
struct hazard_set;

struct emu_wave {
    emu_group *group;
    emu_machine *m;
    uint32_t index; /* in the group */
    emu_state state;
    uint32_t lanes;     /* 32 or 64 */
    uint64_t all_lanes; /* mask of them */
    uint64_t pc;
    bool scc;
    uint32_t mode;
    uint64_t flat_scratch;
    uint32_t trapsts;
    bool at_gws, ordered_released;
    uint32_t lds_direct;   /* value of the source lds_direct in the current instruction */
    uint32_t barrier_bits; /* gfx12: completed barriers that the wave has not yet waited for */
    int32_t named_barrier; /* gfx12: the one that the wave has joined, 0: none */
    uint32_t gws_turn;     /* the barrier's turn when the wave arrived */
    bool in_trap;          /* in the trap handler */
    uint64_t scratch;      /* address of this wave's scratch memory */
    uint64_t instructions; /* number executed */
    uint64_t lane_instructions;
    uint64_t exports; /* number executed */
    uint32_t n_vgprs, n_agprs;
    uint32_t sgpr[EMU_SREGS + 16]; /* padding keeps tuples at the end within the array */
    uint32_t (*vgpr)[EMU_LANES];
    uint64_t exec_spread;           /* the exec value that exec_lanes represents */
    uint32_t exec_lanes[EMU_LANES]; /* 0 or ~0 per lane */
    const emu_inst *at;             /* the instruction being executed */
    uint32_t region_hint;           /* for mach_memory_find */
    struct emu_pending *pending;    /* NULL: the waits checker is off */
    struct emu_shadow *shadow;      /* NULL: the undefined checker is off */
    struct emu_hazards *hazards;    /* NULL: the hazards checker is off */
    struct emu_race_wave *race;     /* NULL: the races checker is off */
};

/* A barrier of gfx12 (barrier.c). */
typedef struct emu_barrier {
    uint32_t signals, members;
} emu_barrier;

struct emu_group {
    uint32_t id[3];
    uint32_t n_waves;
    emu_wave *waves;
    uint8_t *lds;
    emu_barrier barriers[64]; /* by number modulo 64 */
    uint8_t *lds_defined;     /* one byte per byte of LDS; NULL: checker off */
};

struct emu_machine {
    const amd_emu_dispatch *d;
    mach_memory *memory;
    arena *arena;
    amd_emu_report *report;
    bool stop;     /* no further instruction is executed */
    uint64_t time; /* value returned by s_memtime; increases */
    /* code: the region that contains the entry, and its decoded instructions, by dword */
    const mach_region *code;
    mach_region *scratch; /* the waves' scratch memory, or NULL */
    mach_region *gds;     /* global data share, or NULL */
    emu_gws gws[64];
    uint32_t gs_registers[24]; /* gfx11: streamout and GS registers, in GDS (gds.c) */
    emu_inst **insts;
    struct emu_code *codes;        /* all regions that were entered (code.c) */
    uint64_t random;               /* state of the scheduler's generator */
    struct emu_watching *watching; /* NULL: the dispatch is not watched */
    struct amd_emu_share *share;   /* NULL: no other thread runs groups of this dispatch */
    uint64_t group;                /* number of the current group */
    struct hazard_set *hazards;    /* the generation's rules; NULL: the checker is off */
    struct emu_races *races;       /* NULL: the checker is off */
    uint32_t special_modes; /* MODE bits that change how instructions run: emu_mode_special */
};

/* run.c */

/* Reports a finding of `check` (one bit) at the current instruction; lane -1 names none. The report
 * keeps the first one for each instruction and counts all. Does nothing if the dispatch does not
 * request `check`. */
void
emu_find(emu_wave *w, uint32_t check, int lane, const char *format, ...);

/* Ends the run with `status`. */
void
emu_stop(emu_wave *w, amd_emu_status status, const char *format, ...);

static inline bool
emu_checks(const emu_wave *w, uint32_t check)
{
    return (w->m->d->checks & check) != 0;
}

/* The decoded instruction at `pc`; NULL, after emu_stop, if there is none. */
emu_inst *
emu_fetch(emu_wave *w, uint64_t pc);

/* gfx6 to gfx942 (mode_gcn.c). emu_mode_special: the MODE bits that change how instructions run.
 * emu_mode_apply: the instruction to execute for `i` while one is set: `i` itself, a copy in `room`
 * with other registers, or NULL for none. */
uint32_t
emu_mode_special(amd_gen gen);
const emu_inst *
emu_mode_apply(emu_wave *w, const emu_inst *i, emu_inst *room);

/* Records that `i` reads or writes `count` registers from operand code `code`; ignores
 * constants. */
void
emu_add_range(emu_inst *i, uint32_t code, uint32_t count, bool write);

/* Writes the disassembly of `i` to `out`. */
void
emu_print_inst(const emu_wave *w, const emu_inst *i, char *out, size_t size);

/* Sets the handler of an instruction whose `in` and `row` are set; false if it is not
 * implemented. */
bool
emu_bind(emu_inst *i);

/* The handler of VOPD (dual.c); the halves are already bound. */
void
emu_dual(emu_wave *w, const emu_inst *i);

/* The same for each family: set `run` and `op` of an instruction whose `in` and `row` are set.
 * False if it is not implemented. */
bool
emu_bind_salu(emu_inst *i);
bool
emu_bind_valu(emu_inst *i);
bool
emu_bind_sopp(emu_inst *i);
bool
emu_bind_barrier(emu_inst *i);
bool
emu_bind_hwreg(emu_inst *i);
bool
emu_bind_trap(emu_inst *i);
bool
emu_bind_mode(emu_inst *i);
bool
emu_bind_lane(emu_inst *i);
bool
emu_bind_vop3p(emu_inst *i);
bool
emu_bind_matrix(emu_inst *i);
bool
emu_bind_wave_matrix(emu_inst *i);
void
emu_lds_direct(emu_wave *w, const emu_inst *i);
bool
emu_bind_vop3p_wide(emu_inst *i);
bool
emu_bind_scalar_row(emu_inst *i);
bool
emu_bind_interp(emu_inst *i);
bool
emu_bind_vinterp(emu_inst *i);
bool
emu_bind_export(emu_inst *i);
bool
emu_bind_smem(emu_inst *i);
bool
emu_bind_ds(emu_inst *i);
bool
emu_bind_buffer(emu_inst *i);
bool
emu_bind_flat(emu_inst *i);
bool
emu_bind_bvh(emu_inst *i);
bool
emu_bind_image(emu_inst *i);

/* Scalar operands. */

static inline uint64_t
emu_exec(const emu_wave *w)
{
    return w->sgpr[AMD_REG_EXEC_LO] |
           (w->lanes > 32 ? (uint64_t)w->sgpr[AMD_REG_EXEC_HI] << 32 : 0);
}

/* A lane mask in the SGPR (pair) `code`, truncated to the wave's lanes. */
static inline uint64_t
emu_read_mask(const emu_wave *w, uint32_t code)
{
    return w->sgpr[code] | (w->lanes > 32 ? (uint64_t)w->sgpr[code + 1] << 32 : 0);
}

static inline void
emu_write_s32(emu_wave *w, uint32_t code, uint32_t v)
{
    if (code < EMU_SREGS && code != AMD_REG_NULL)
        w->sgpr[code] = v;
}

static inline void
emu_write_s64(emu_wave *w, uint32_t code, uint64_t v)
{
    if (code != AMD_REG_NULL) {
        emu_write_s32(w, code, (uint32_t)v);
        emu_write_s32(w, code + 1, (uint32_t)(v >> 32));
    }
}

/* Writes a lane mask: one SGPR in wave32, two in wave64. */
static inline void
emu_write_mask(emu_wave *w, uint32_t code, uint64_t v)
{
    if (w->lanes > 32)
        emu_write_s64(w, code, v);
    else
        emu_write_s32(w, code, (uint32_t)v);
}

/* The value of a 32-bit scalar source (any code below 256). For 64-bit sources, constants are
 * extended as in the ISA's operand table (literals with zeros). operand.c */
uint32_t
emu_read_s32(const emu_wave *w, const amd_inst *in, uint32_t code);
uint64_t
emu_read_s64(const emu_wave *w, const amd_inst *in, uint32_t code);

/* Registers selected by m0 (index.c). emu_is_relative: is the opcode v_movrel*, v_swaprel_b32 or
 * s_movrel*? Its operands become the selected registers: v0 for VGPRs that are not allocated; an
 * SGPR is unchanged if the index is beyond the last one. emu_resolved does this in a copy,
 * including its ranges, for the checkers. */
bool
emu_is_relative(const amd_inst *in);
void
emu_resolve_relative(const emu_wave *w, amd_inst *in);
const emu_inst *
emu_resolved(const emu_wave *w, const emu_inst *i, emu_inst *room);

/* Updates an instruction's ranges after its operands have become other registers. */
void
emu_move_ranges(emu_inst *i);

/* An inline float constant (codes 240 to 248) in a format of 16, 32 or 64 bits. */
uint64_t
emu_inline_float(uint32_t code, unsigned bits);

/* Updates exec_lanes to match exec. */
void
emu_spread_exec(emu_wave *w);
/* Expands each bit of `mask` to 0 or ~0 per lane. */
void
emu_spread(uint64_t mask, uint32_t lanes, uint32_t *out);

/* entry.c: sets a wave's state at the start of its group. Its storage (registers, checkers) is
 * already allocated. */
void
emu_start_wave(emu_wave *w);

/* gfx12: removes a wave that has ended from the barriers of its group (barrier.c). */
void
emu_barrier_wave_ended(emu_wave *w);

/* The memories that the lanes of a flat_* instruction address (flat.c), as bits. */
enum { EMU_SPACE_VECTOR = 1, EMU_SPACE_LDS = 2 };
uint32_t
emu_flat_spaces(const emu_wave *w, const emu_inst *i);

/* Waits checker (waits.c): allocates a wave's state; resets it; before an instruction,
 * reports uses of pending registers and records what `i` leaves pending; handles a wait until the
 * counters are at most `counts` (UINT32_MAX: not waited for). */
struct emu_pending *
emu_waits_new(arena *a);
void
emu_waits_start(emu_wave *w);
void
emu_waits_before(emu_wave *w, const emu_inst *i);
void
emu_waits_until(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT]);

/* Hazards checker (hazards.c): the rules of a generation without those named in `off`; the
 * data kept for an instruction; a wave's state, and its reset; the checks before an instruction. */
struct hazard_set *
emu_hazards_rules(arena *a, amd_gen gen, uint32_t wave_size, const char *off);
struct emu_hazard_info *
emu_hazards_info(arena *a, const struct hazard_set *set, const emu_inst *i, bool wave64);
struct emu_hazards *
emu_hazards_new(arena *a, const struct hazard_set *set);
void
emu_hazards_start(emu_wave *w);
void
emu_hazards_before(emu_wave *w, const emu_inst *i);

/* Races checker (races.c): the state of a dispatch and of a wave; the start of a group;
 * before an instruction; a wait, as above; a barrier that all waves have passed; a wave's end; each
 * access of the current instruction to memory that waves or groups share (`same`: a store that
 * changes nothing). */
struct emu_races *
emu_races_new(arena *a, uint32_t n_waves);
struct emu_race_wave *
emu_races_wave(const struct emu_races *r);
void
emu_races_start(emu_group *g);
void
emu_races_before(emu_wave *w, const emu_inst *i);
void
emu_races_until(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT]);
void
emu_races_barrier(emu_group *g);
void
emu_races_end(emu_wave *w);
void
emu_races_access(emu_wave *w, uint64_t address, uint32_t size, int lane, bool same);

/* Records an access of the current instruction for watching (watch.c). */
void
emu_watch_access(emu_wave *w, bool lds, uint64_t address, uint32_t size, int lane);

/* Undefined checker (undefined.c). At a wave's start `vectors` VGPRs in the lanes of exec are
 * defined, and SGPRs as emu_shadow_define records. The shadow of an ALU instruction's result is
 * computed before it is executed (memory instructions do that themselves). */
void
emu_shadow_define(emu_wave *w, uint32_t code, uint32_t count);
void
emu_shadow_start(emu_wave *w, uint32_t vectors, uint64_t exec);
void
emu_shadow_before(emu_wave *w, const emu_inst *i);

#endif
