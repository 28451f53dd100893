/* The decoded form that the interpreter executes, shared by the files eval*.c.
 *
 * A wave has a register file. It is a subgroup, or a quad of fragments that has several smaller
 * subgroups. Each component of each value has one register of `width`
 * lanes, with 32 bits per lane (64 for 64-bit components; booleans are 0 or 1). A register is named
 * by the word offset of its first lane. vec and mov cost nothing: their components are the
 * registers of their operands, which in SSA form keep their values until the last use. Constants
 * are written when the register file is made. Phis are moves on the edges.
 *
 * Loads, intrinsics and phis leave the registers of lanes outside the mask unchanged: a lane that
 * has left a loop still needs the values of its last iteration. ALU operations need no mask (see
 * ev_exec_alu).
 */
#ifndef IR_EVAL_INTERNAL_H
#define IR_EVAL_INTERNAL_H

#include "ir/eval.h"
#include "ir/eval_alu.h"

typedef struct ev_wave ev_wave;
typedef struct ev_instr ev_instr;

typedef enum ev_step {
    EV_NEXT,
    EV_JUMP,  /* the wave has moved to another block */
    EV_YIELD, /* the wave waits at a workgroup barrier */
    EV_DONE,
    EV_FAIL,
} ev_step;

typedef ev_step
ev_exec(ev_wave *w, const ev_instr *i);

/* Performs an ALU operation on the first `n` lanes. */
typedef void
ev_kernel(const ev_instr *i, void *d, const void *a, const void *b, const void *c, unsigned n);

/* An operand: the registers of its components; n is 0 for an absent one. */
typedef struct ev_operand {
    const uint32_t *regs;
    uint8_t n, bits;
} ev_operand;

typedef struct ev_move {
    uint32_t dst, src;
    bool wide; /* 64 bits per lane */
} ev_move;

/* A branch target: the block and the phi moves on the way to it. */
typedef struct ev_edge {
    uint32_t block;
    uint32_t n_moves;
    const ev_move *moves;
} ev_edge;

struct ev_instr {
    ev_exec *exec;
    union {
        ev_kernel *kernel; /* ALU */
        ev_exec *inner;    /* ev_exec_effect */
    };
    const ir_instr *ir; /* NULL for terminators without references */
    uint32_t d, s[3];   /* ALU: registers */
    uint16_t op;
    uint8_t bits, dbits;     /* ALU: as ir_eval_alu expects them */
    uint8_t src_bits[3];     /* ALU: sizes of the registers */
    ev_operand def, refs[5]; /* other opcodes; tex has further references in `more` */
    const ev_operand *more;
    ev_edge edges[2]; /* terminators */
};

typedef struct ev_block {
    const ev_instr *first;
    uint32_t n_instrs;
} ev_block;

/* A component of an undef: its register and size. */
typedef struct ev_undef {
    uint32_t reg;
    unsigned bits;
} ev_undef;

struct ir_eval {
    const ir_fn *f;
    arena *arena;
    unsigned subgroup; /* lanes of a subgroup */
    unsigned width;    /* lanes of a wave: of one subgroup or of several */
    ev_block *blocks;
    uint32_t n_words;  /* size of a register file in words */
    uint32_t *initial; /* the initial register file, with the constants filled in */
    ev_undef *undefs;  /* components of undef instructions */
    size_t n_undefs, cap_undefs;
    unsigned invocations;   /* of a workgroup; of a run of a graphics stage */
    unsigned n_waves;       /* of these */
    bool has_barrier;       /* each wave of a workgroup then needs its own register file */
    const ir_instr *refuse; /* an instruction that the interpreter does not implement, or NULL */
    struct ev_group *group; /* state of a run, created by the first run */
};

enum { EV_MAX_WIDTH = 64, EV_BUFFER_CACHE = 8 };

/* The state of a workgroup, reused for one workgroup after the other. */
typedef struct ev_group {
    const ir_eval *e;
    const ir_eval_env *env;
    ir_eval_result *result;
    uint32_t id[3], count[3];
    uint8_t *shared;
    bool *helper; /* by invocation, or NULL: ir_eval_run_stage */
    ev_wave *waves;
    struct ev_races *races; /* NULL: not watched */
    uint32_t cached_handle[EV_BUFFER_CACHE];
    bool cached[EV_BUFFER_CACHE];
    ir_eval_buffer cached_buffer[EV_BUFFER_CACHE];
} ev_group;

struct ev_wave {
    ev_group *g;
    uint32_t *regs;
    uint8_t *scratch;
    unsigned id, lanes;  /* lanes 0 to lanes - 1 exist */
    uint64_t live, mask; /* all live lanes; those that run the current block */
    uint64_t helpers;    /* lanes that are helper invocations */
    const ev_instr *at;
    uint32_t block;
    uint64_t instructions;
    uint32_t turn; /* of races: see ev_races_order */
    struct {
        uint32_t block;
        uint64_t mask;
    } pending[EV_MAX_WIDTH]; /* the blocks where lanes wait, by decreasing block number */
    unsigned n_pending;
};

#define EV_FOREACH_LANE(l, w)                                                                      \
    for (unsigned l = 0; l < (w)->lanes; l++)                                                      \
        if ((w)->mask >> l & 1)

/* Visits the lanes in the order of their turns, for operations whose effects other lanes may see.
 */
#define EV_FOREACH_LANE_IN_TURN(l, w)                                                              \
    for (unsigned l##_turn = 0, l; l##_turn < (w)->lanes; l##_turn++)                              \
        if (l = ev_in_turn((w)->g, l##_turn, (w)->lanes), (w)->mask >> l & 1)

/* Returns which of `n` items has turn number `k`. */
static inline unsigned
ev_in_turn(const ev_group *g, unsigned k, unsigned n)
{
    return g->env->backwards ? n - 1 - k : k;
}

/* The lane whose handle is used for `lane`. It is the first active lane if the shader must keep the
 * handle uniform and `undefined` is set (see ir_eval_env), else `lane` itself. */
static inline unsigned
ev_handle_lane(const ev_wave *w, const ev_instr *i, unsigned lane)
{
    bool may_differ = !w->g->env->undefined ||
                      ir_attr_get(i->ir, IR_A_ACCESS) & IR_ACCESS_NON_UNIFORM;
    return may_differ ? lane : base_ctz64(w->mask);
}

static inline uint64_t
ev_get(const ev_wave *w, uint32_t reg, unsigned bits, unsigned lane)
{
    const uint32_t *r = w->regs + reg;
    if (bits != 64)
        return r[lane];
    uint64_t v;
    memcpy(&v, r + 2 * lane, sizeof v);
    return v;
}

static inline void
ev_set(ev_wave *w, uint32_t reg, unsigned bits, unsigned lane, uint64_t v)
{
    uint32_t *r = w->regs + reg;
    if (bits != 64)
        r[lane] = (uint32_t)v;
    else
        memcpy(r + 2 * lane, &v, sizeof v);
}

/* Reads component `c` of an operand in a lane. */
static inline uint64_t
ev_operand_get(const ev_wave *w, const ev_operand *o, unsigned c, unsigned lane)
{
    return ev_get(w, o->regs[c], o->bits, lane);
}

static inline void
ev_def_set(ev_wave *w, const ev_instr *i, unsigned c, unsigned lane, uint64_t v)
{
    ev_set(w, i->def.regs[c], i->def.bits, lane, v);
}

/* The lane's number in its subgroup. */
static inline unsigned
ev_lane_in_subgroup(const ev_wave *w, unsigned lane)
{
    return lane % w->g->e->subgroup;
}

/* The number of the lane's subgroup. */
static inline unsigned
ev_subgroup_of(const ev_wave *w, unsigned lane)
{
    return (w->id * w->g->e->width + lane) / w->g->e->subgroup;
}

/* Records the first error of the run, with block, workgroup and lane, and returns EV_FAIL. */
ev_step
ev_fail(ev_wave *w, ir_eval_status status, unsigned lane, const char *format, ...);

/* Takes lanes out of the run. */
ev_step
ev_end_lanes(ev_wave *w, uint64_t lanes);

/* Finds the kernel for an ALU instruction of these sizes under the function's float controls. */
ev_kernel *
ev_find_kernel(ir_op op, unsigned bits, unsigned dbits, ir_float_controls fp);

/* Each returns the function that executes an intrinsic of one family of opcodes, or NULL if the
 * interpreter does not implement it. */
ev_exec *
ev_find_system(unsigned op);
ev_exec *
ev_find_memory(unsigned op);
ev_exec *
ev_find_subgroup(unsigned op);
ev_exec *
ev_find_image(unsigned op);
ev_exec *
ev_find_stage(unsigned op);
ev_exec *
ev_find_ray(unsigned op);

/* Returns the function that executes a terminator, or NULL for other opcodes. */
ev_exec *
ev_find_terminator(unsigned op);
ev_exec ev_exec_alu, ev_exec_divide, ev_exec_rough;

/* Watches the lanes of a subgroup for races. */
struct ev_races *
ev_races_new(arena *a);

/* What the wave's lanes have done to memory is ordered before what they do from now on. */
void
ev_races_order(ev_wave *w);

/* Are the accesses of a load or store watched? Then the functions below are told of each. */
bool
ev_races_watches(const ev_wave *w, const ev_instr *i);

/* A lane loads `size` bytes at `at`. */
void
ev_races_load(ev_wave *w, const ev_instr *i, unsigned lane, const uint8_t *at, unsigned size);

/* A lane is about to store a component of value `value` at `at`. */
void
ev_races_store(ev_wave *w, const ev_instr *i, unsigned lane, const uint8_t *at, uint64_t value);

/* Executes `inner` for the lanes that are no helpers. */
ev_exec ev_exec_effect;

/* Executes `inner` for one subgroup of the wave after the other. */
ev_exec ev_exec_subgroups;

#endif
