/* The state of an emulated machine: waves, their registers and stacks; findings. */
#ifndef R600_EMU_CORE_WAVE_H
#define R600_EMU_CORE_WAVE_H

#include "base/map.h"
#include "r600/emu/emu.h"

#include <setjmp.h>

enum { EMU_SELECT_0 = 4, EMU_SELECT_1 = 5 }; /* of fetches: constants */
enum { EMU_LANES = 64, EMU_GPRS = 128, EMU_MAX_STACK = 256, EMU_MAX_CALLS = 16, EMU_QUEUE = 64 };
enum { EMU_QUADS = EMU_LANES / 4, EMU_PARAMETERS = 32 };

typedef enum r600_rule {
#define RULE(id, check, name, text, clang) R600_RULE_##id,
#include "r600/emu/core/rules.def"
#undef RULE
    R600_RULE_COUNT
} r600_rule;

/* A value in all lanes, and the lanes in which it is defined. */
typedef struct emu_lanes {
    uint32_t v[EMU_LANES];
    uint64_t defined;
} emu_lanes;

/* Planes of parameters, of each quad of a wave of fragments: P0, P10 and P20 as bits; components
 * that are defined, a bit each. */
typedef struct emu_parameters {
    uint32_t n;
    uint32_t plane[EMU_QUADS][EMU_PARAMETERS][3][4];
    uint8_t defined[EMU_QUADS][EMU_PARAMETERS];
} emu_parameters;

/* What a wave of vertices streams out: the first `n` lanes, of which lane 0 has this number. */
typedef struct emu_streamout {
    const r600_stream *buffer; /* R600_STREAMS of them */
    uint32_t first, n;
} emu_streamout;

/* An entry of the stack: what a push or the start of a loop keeps. */
typedef struct emu_entry {
    bool is_loop;
    uint64_t branch, broken, continued;
} emu_entry;

/* Results of LDS in the order in which they were asked for. */
typedef struct emu_queue {
    emu_lanes items[EMU_QUEUE];
    uint32_t first, count;
} emu_queue;

/* What texture instructions set for the next one: gradients, offsets. */
enum { EMU_SET_H, EMU_SET_V, EMU_SET_OFFSETS, EMU_SETS };

typedef enum emu_state { EMU_RUNS, EMU_WAITS, EMU_ENDED } emu_state;

struct emu_group;

typedef struct emu_wave {
    struct emu_group *group;
    uint32_t id;
    emu_state state;
    uint64_t valid;                     /* lanes that have a work item */
    uint64_t pixels;                    /* those that are no helpers and were not killed */
    bool pixels_only;                   /* VALID_PIXEL_MODE of the instruction of control flow */
    uint64_t branch, broken, continued; /* see emu_active */
    uint64_t predicate;
    bool has_predicate; /* the clause has set it */
    emu_lanes gpr[EMU_GPRS][4];
    emu_lanes pv[4], ps;
    unsigned previous; /* slots of the group before in this clause, a bit each */
    emu_lanes ar[4];
    uint8_t indexed[EMU_GPRS]; /* components that the group before has written through AR */
    emu_queue queue[2];
    uint32_t fetched[EMU_LANES]; /* what the fetch before has set for the caller's texture unit */
    uint32_t set[EMU_SETS][3][EMU_LANES]; /* the same for the emulator's own */
    uint8_t sets;                         /* which of them are set, a bit each */
    emu_entry stack[EMU_MAX_STACK];
    uint32_t depth;
    uint32_t calls[EMU_MAX_CALLS];
    uint32_t n_calls;
    uint32_t pc;   /* of control flow, in 64-bit units */
    r600_inst cf;  /* the instruction of control flow that is being executed */
    r600_inst ext; /* ALU_EXT before it */
    bool has_ext;
    bool in_clause; /* of ALU instructions, which go on at dword `at` and end before `end` */
    uint32_t at, end;
    bool was_first;  /* the clause's first group has been executed */
    uint64_t before; /* the active lanes when the clause began */
    uint64_t executed;
    uint64_t stamp, unmarked_stamp;   /* of stores (check/stores.c) */
    const emu_parameters *parameters; /* NULL: those of the dispatch */
    const emu_streamout *streamout;   /* NULL: nothing is captured */
    uint8_t done;                     /* types of exports of which the last was made, a bit each */
} emu_wave;

/* Who accessed a dword of LDS since the last barrier. */
typedef struct emu_access {
    uint32_t writer, reader; /* 1 + the wave; 0: none; EMU_MANY: several */
    uint32_t epoch;          /* number of the barrier before */
} emu_access;
enum { EMU_MANY = 0x7fffffff };

typedef struct emu_group {
    struct emu_machine *machine;
    uint32_t id[3];
    uint32_t n_waves;
    emu_wave *waves;
    uint8_t *lds;
    emu_access *accesses; /* a dword each */
    uint32_t epoch;
} emu_group;

typedef struct emu_machine {
    const r600_emu_dispatch *d;
    const r600_isa *isa;
    arena *arena;
    mach_memory *memory;
    mach_report *report;
    uint32_t hint;    /* of mach_memory_find */
    uint8_t *checked; /* groups whose form was checked, a byte a dword */
    jmp_buf stop;
    base_buf text;
    uint32_t where; /* the dword of the instruction, for findings */
    const r600_inst *inst;
    uint64_t random;
    base_map stores; /* dwords of memory: the stamp of the last store */
    uint64_t n_stamps;
} emu_machine;

/* Lanes that execute: those of the branch that have neither left the innermost loop nor gone on to
 * its end. */
static inline uint64_t
emu_active(const emu_wave *w)
{
    const uint64_t lanes = w->branch & w->valid & ~(w->broken | w->continued);
    return w->pixels_only ? lanes & w->pixels : lanes;
}

/* Those of them whose stores and exports have an effect. */
static inline uint64_t
emu_effective(const emu_wave *w)
{
    return emu_active(w) & w->pixels;
}

static inline emu_machine *
emu_machine_of(const emu_wave *w)
{
    return w->group->machine;
}

#define EMU_FOREACH_LANE(lane, mask)                                                               \
    for (uint32_t lane = 0; lane < EMU_LANES; lane++)                                              \
        if ((mask) >> lane & 1)

/* Records a finding at the current instruction; the lane may be -1. */
void
r600_emu_find(const emu_wave *w, r600_rule rule, int lane, const char *message);

/* The lowest lane of a mask, or -1. */
int
r600_emu_lowest(uint64_t mask);

/* Ends the run: the emulator does not know what the current instruction does. */
_Noreturn void
r600_emu_unsupported(const emu_wave *w, const char *message);
_Noreturn void
r600_emu_stop(const emu_wave *w, mach_status status, const char *message);

/* ---- alu/ ---- */

/* Computes an operation of one lane. Returns false if it is not known. */
bool
r600_emu_compute(r600_gen gen, r600_op op, const uint32_t s[3], uint32_t *out);

/* Executes the group at w->at, and moves on. */
void
r600_emu_group(emu_wave *w);

/* Reads source `i` of an instruction into `out`; `literals` are the group's. */
void
r600_emu_source(emu_wave *w, const r600_inst *in, unsigned i, const uint32_t *literals,
                emu_lanes *out);

/* ---- mem/ ---- */

void
r600_emu_lds(emu_wave *w, const r600_inst *in, uint64_t lanes, const emu_lanes s[3]);
void
r600_emu_fetch(emu_wave *w, const r600_inst *in);
void
r600_emu_sample(emu_wave *w, const r600_inst *in);
/* The texture unit. */
void
r600_emu_texture(emu_wave *w, const r600_inst *in);

/* Writes what a fetch gave in a lane through its selects. */
void
r600_emu_write_fetch(emu_wave *w, const r600_inst *in, const uint32_t value[4], uint32_t lane);
void
r600_emu_rat(emu_wave *w, const r600_inst *in);
void
r600_emu_scratch_write(emu_wave *w, const r600_inst *in);
void
r600_emu_scratch_transfer(emu_wave *w, const r600_inst *in);
void
r600_emu_scratch_read(emu_wave *w, const r600_inst *in);
void
r600_emu_stream_out(emu_wave *w, const r600_inst *in);

/* A RAT that is an image. */
typedef struct emu_rat_image {
    mach_image image;
    uint64_t address; /* of its first byte */
} emu_rat_image;

bool
r600_emu_is_typed_rat(const emu_wave *w, uint32_t rat);
/* Returns false, with a finding, if it is no image. */
bool
r600_emu_open_rat(emu_wave *w, uint32_t rat, emu_rat_image *out);
/* The texel that an instruction's index names, which is about to be stored to; NULL: it is outside.
 */
uint8_t *
r600_emu_find_texel(emu_wave *w, const r600_inst *in, const emu_rat_image *rat, uint32_t lane);

/* ---- graphics/ ---- */

/* Executes an export. */
void
r600_emu_export(emu_wave *w);

/* The plane of component `c` of a parameter, in a lane, as bits. Returns false if it is not
 * defined. */
bool
r600_emu_plane(const emu_wave *w, uint32_t number, unsigned c, unsigned lane, uint32_t plane[3]);

/* Executes GET_GRADIENTS_*. Returns false for other instructions. */
bool
r600_emu_gradients(emu_wave *w, const r600_inst *in);

/* ---- flow/ ---- */

/* Executes the instruction of control flow at w->pc, or a group of the clause. */
void
r600_emu_step(emu_wave *w);

/* ---- check/ ---- */

/* A group as it stands in the code. */
typedef struct emu_slots {
    r600_inst in[R600_SLOTS];
    uint32_t at[R600_SLOTS]; /* dwords */
    unsigned n;
    uint32_t literals[4];
    uint32_t next; /* the dword behind it */
} emu_slots;

/* Reads the group at w->at, with the slots that the hardware gives it. */
void
r600_emu_read_group(const emu_wave *w, emu_slots *g);

void
r600_emu_check_group(const emu_wave *w, const emu_slots *g);

/* A wave starts, or waits for its stores. */
void
r600_emu_start_stamps(emu_wave *w);
void
r600_emu_wait_ack(emu_wave *w);

/* The instruction of control flow stores to memory; a fetch reads it. */
void
r600_emu_note_store(emu_wave *w, uint64_t address, uint32_t size);
void
r600_emu_check_fetch(emu_wave *w, uint64_t address, uint32_t size, uint32_t lane);

/* Counts the elements of the stack and compares them with the declared entries. */
void
r600_emu_check_stack(const emu_wave *w);

#endif
