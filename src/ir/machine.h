/* The description of a machine for general passes: its registers and its pseudo instructions.
 *
 * A register file is a row of units, the smallest registers that allocation hands out; ir_ref.reg
 * counts them in bytes (unit << unit_shift, plus the byte within the unit). Banks are ranges of
 * units. A register class has a bank and the number of units that a value takes. Registers of
 * different sizes overlap if their classes share a bank: a machine whose half registers are the
 * lower part of its full registers has half units, full classes of two units aligned to two, and
 * half classes with a `limit`.
 */
#ifndef IR_MACHINE_H
#define IR_MACHINE_H

#include "ir/ir.h"

enum {
    IR_MAX_BANKS = 4,
    IR_MAX_UNITS = 1024,
    IR_MAX_ALIGN = 16, /* units; alignments are powers of two */
};

typedef struct ir_bank {
    const char *name;
    uint16_t first; /* unit; a multiple of 64 */
    uint16_t units;
    uint16_t special; /* of its units, the first that allocation does not hand out: flags, fixed
                              registers; 0: there are none */
    bool spills_constants; /* a spill may have a constant as its value */
} ir_bank;

typedef struct ir_class {
    uint8_t bank;
    uint8_t edges;  /* the list of edges that values of the class live on: 0 logical, 1 linear */
    uint8_t units;  /* that a value takes; 0: there is no such class */
    uint8_t align;  /* the first is a multiple of it, counted from the bank's first */
    uint8_t apart;  /* values take a place that is a multiple of it, and leave the units up to the
                       next one free, while that costs nothing; 0: any place is as good */
    uint16_t bytes; /* of a value, in one lane */
    bool pinned;    /* values stay where they are first put, as high as possible */
    uint16_t limit; /* values end below this unit of the bank; 0: the bank's end */
} ir_class;

/* Opcodes of pseudo instructions. 0: there is none. Definitions and references of parallel_copy
 * pair up; create_vector joins references, split_vector takes a value apart, extract_vector (value,
 * index in sizes of the definition) takes one part. */
typedef struct ir_machine_ops {
    uint16_t phi[2]; /* by list of edges */
    uint16_t parallel_copy, create_vector, split_vector, extract_vector;
    uint16_t begin_pinned;               /* defines a pinned value */
    uint16_t spill, reload;              /* (value, ...) and (...): attribute word 0 is the slot */
    uint16_t logical_start, logical_end; /* markers of the part that logical edges see */
    uint16_t jump;                       /* a terminator that goes to the only successor */
} ir_machine_ops;

/* A reference and a definition that must share a register; -1: there are none. */
typedef struct ir_tied {
    int ref, def;
} ir_tied;

/* How an instruction depends on the lanes of a wave that are active. */
enum {
    IR_LANES_MASK = 1, /* writes results in active lanes only */
    IR_LANES_READ = 2, /* its results depend on which lanes are active, or on other lanes' values */
    IR_LANES_WRITE = 4, /* changes which lanes are active */
};

/* A bit for each alias class of memory: accesses that share no bit are never to the same place. */
enum { IR_MEMORY_SPILL = 1u << 15, IR_MEMORY_ALL = 0xffff };

/* The effects of an instruction other than computing its definitions from its references and words.
 */
typedef struct ir_effects {
    uint16_t reads, writes; /* memory that may change, IR_MEMORY_* or the level's own bits */
    uint8_t lanes;          /* IR_LANES_* */
    bool fence;             /* must not move, and nothing may move across it */
    bool unique;            /* an equal instruction may have other results */
} ir_effects;

typedef struct ir_machine {
    const ir_class *classes; /* by type */
    const ir_bank *banks;
    uint8_t n_banks;
    uint8_t unit_shift; /* a unit has 1 << unit_shift bytes */
    uint16_t n_units;
    uint16_t null_reg; /* ir_ref.reg of definitions whose results are dropped, or IR_REG_NONE */
    ir_machine_ops ops;

    ir_tied (*tied)(const ir_instr *i);
    /* True for opcodes that write results before they have read all operands. */
    bool (*kills_late)(unsigned op);
    /* True if a value that is fixed to `reg` takes no register of its class's bank. NULL: never. */
    bool (*is_special)(unsigned reg);
    /* Does it move its references to its definitions, bit by bit? */
    bool (*is_move)(const ir_instr *i);
    /* Calls `want` for each value and the unit that makes the instruction shorter. May be NULL. */
    void (*find_wants)(const ir_instr *i, void (*want)(void *user, uint32_t id, unsigned unit),
                       void *user);
    /* The reference whose register makes the instruction shorter if its only definition takes it,
     * or -1. May be NULL. */
    int (*shorter_in)(const ir_instr *i);
    /* Makes the effects in `e`, which come from the opcode's row (cg/effects.h), more exact. May be
     * NULL. If `finds_lanes`, it finds e->lanes on its own: they come as 0. */
    void (*refine_effects)(const ir_instr *i, ir_effects *e);
    bool finds_lanes;
    /* The program's demand is known: sets the budgets of cg_state. */
    void (*demand_known)(ir_fn *f);
    /* Computes the analyses "liveness" and "kills". NULL: no pass needs them computed for it. */
    void (*find_live)(ir_fn *f);
} ir_machine;

static inline bool
ir_is_special(const ir_machine *m, unsigned reg)
{
    return m->is_special && m->is_special(reg);
}

/* `r` fixed to physical register `reg`. */
static inline ir_ref
ir_fixed(ir_ref r, unsigned reg)
{
    r.reg = (uint16_t)reg;
    r.flags |= IR_FIXED;
    return r;
}

static inline const ir_machine *
ir_machine_of(const ir_fn *f)
{
    return f->level->machine;
}

static inline const ir_class *
ir_class_of(const ir_fn *f, ir_type t)
{
    return &f->level->machine->classes[t];
}

static inline bool
ir_is_pinned(const ir_fn *f, ir_ref r)
{
    return ir_is_value(r) && ir_class_of(f, r.rc)->pinned;
}

#endif
