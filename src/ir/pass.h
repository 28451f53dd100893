/* The pass runner, of any level: opt's passes over HIR and a backend's phases are rows of the same
 * kind.
 *
 * A pass is a row; a pipeline is an array of rows' addresses. The runner computes the analyses that
 * a row needs and that do not hold, runs it, keeps of f->valid what the row keeps, and as asked
 * prints, verifies, times, skips, stops, or counts down to a bisection limit. What it was asked and
 * what it measured stand in an ir_pass_run, which serves one compile through all its levels.
 */
#ifndef IR_PASS_H
#define IR_PASS_H

#include "ir/ir.h"

enum {
    IR_PASS_REQUIRED = 1, /* lowers what later passes cannot do: never left out, not even beyond the
                             bisection limit */
    IR_PASS_REMOVES = 2,  /* only takes out what nothing needs: gives passes that tidy up no work */
};

typedef struct ir_pass {
    const char *name;
    bool (*run)(ir_fn *f);   /* true if it changed the function; or ... */
    void (*phase)(ir_fn *f); /* ... a phase, which always does */
    uint32_t needs;          /* IR_HAS_* */
    uint32_t keeps;          /* IR_HAS_* that still hold if it changed the function */
    uint32_t flags;          /* IR_PASS_* */
    const char *what;        /* one sentence, with a capital and a stop */
} ir_pass;

/* In a pipeline, before a pass: the pass is left out where no other has changed the function since
 * it ran last; or, if it did not run, since the reader made the function (ir_fn.changes). For
 * passes that tidy up, and do so themselves what the builder does. */
extern const ir_pass ir_if_changed;

typedef struct ir_pass_time {
    const ir_pass *pass;
    uint64_t ns; /* of all its runs */
    unsigned runs;
} ir_pass_time;

enum { IR_PASS_RAN = 32 };

typedef struct ir_pass_run {
    /* Asked by the caller; zeros ask for nothing. Lists are names divided by commas; "all" is every
     * pass. NULL is empty. */
    const char *print;      /* passes behind which the function is printed */
    const char *skip;       /* passes that are left out */
    const char *stop_after; /* the pass behind which `stopped` is set and no other is run */
    int64_t bisect_limit;   /* passes that are not required run only if their number, from 1, is at
                               most this; 0: no limit */
    bool verify;            /* after each pass */
    unsigned print_flags;   /* IR_PRINT_* */
    uint64_t (*clock)(void *user); /* nanoseconds; NULL: nothing is timed */
    void (*printed)(void *user, const char *pass, const char *text, size_t size);
    void *user; /* for both */
    /* Checks of a level beyond ir_verify's, or NULL; as ir_verify. */
    void (*check)(const ir_fn *f, const char *after);

    /* Passes on HIR that have run, and f->changes behind their last run. */
    struct {
        const ir_pass *pass;
        uint32_t changes;
    } ran[IR_PASS_RAN];
    unsigned n_ran;

    /* Results. */
    bool stopped;
    uint64_t charged;    /* the clock when time was last charged to a row */
    int64_t n_counted;   /* passes numbered for the bisection */
    ir_pass_time *times; /* one a row that has run, in order of first run */
    size_t n_times, cap_times;
} ir_pass_run;

/* Runs one pass; true if it changed the function. */
bool
ir_run_pass(ir_fn *f, const ir_pass *pass, ir_pass_run *run);

/* Computes the analyses IR_HAS_* that do not hold: dominance, loops, divergence. */
void
ir_require(ir_fn *f, uint32_t needs);

/* Runs the pipeline, which ends with NULL, until it ends or `run->stopped`. */
void
ir_run_passes(ir_fn *f, const ir_pass *const *pipeline, ir_pass_run *run);

/* What is timed as a row though no pass over a function: reading, selection, writing. All the time
 * since the last charge (or the start) is the row's, so that the rows' times add up to the whole
 * compile's. Nothing happens where nothing is timed. Rows are in `a` by address. */
void
ir_start_charging(ir_pass_run *run);
void
ir_charge(ir_pass_run *run, const ir_pass *row, arena *a);

/* Is `name` in a list as above? */
bool
ir_pass_listed(const char *list, const char *name);

#endif
