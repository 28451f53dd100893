/* The pass runner for all levels. Optimization passes over HIR and a backend's phases are rows of
 * the same type.
 *
 * A pass is a row; a pipeline is an array of pointers to rows. The runner computes the analyses
 * that a row needs and that are not valid, runs the pass, and keeps the analyses in f->valid that
 * the row preserves. On request it prints, verifies, times, skips or stops, or counts down to a
 * bisection limit. Requests and measurements are stored in an ir_pass_run, which serves one compile
 * through all its levels.
 */
#ifndef IR_PASS_H
#define IR_PASS_H

#include "ir/ir.h"

enum {
    IR_PASS_REQUIRED = 1, /* lowers what later passes cannot handle: never skipped, not even beyond
                           * the bisection limit */
    IR_PASS_REMOVES = 2,  /* only removes unused code: creates no new work for cleanup passes */
};

typedef struct ir_pass {
    const char *name;
    bool (*run)(ir_fn *f);   /* returns true if it changed the function; or ... */
    void (*phase)(ir_fn *f); /* ... a phase, which always changes it */
    uint32_t needs;          /* IR_HAS_* */
    uint32_t keeps;          /* IR_HAS_* that remain valid if it changed the function */
    uint32_t flags;          /* IR_PASS_* */
    const char *what;        /* one sentence, with a capital and a stop */
} ir_pass;

/* In a pipeline, a marker before a pass: the pass is skipped if no other pass has changed the
 * function since its last run or, if it has not run yet, since the reader made the function
 * (ir_fn.changes). Used for cleanup passes: the builder has already done their work in a new
 * function. */
extern const ir_pass ir_if_changed;

typedef struct ir_pass_time {
    const ir_pass *pass;
    uint64_t ns; /* total of all its runs */
    unsigned runs;
} ir_pass_time;

enum { IR_PASS_RAN = 32 };

typedef struct ir_pass_run {
    /* Requests of the caller; zero requests nothing. Lists are names separated by commas; "all"
     * means every pass. NULL is an empty list. */
    const char *print;      /* passes after which the function is printed */
    const char *skip;       /* passes to skip */
    const char *stop_after; /* the pass after which `stopped` is set and no other pass runs */
    int64_t bisect_limit;   /* passes that are not required run only if their number, counted from
                             * 1, is at most this; 0: no limit */
    bool verify;            /* after each pass */
    unsigned print_flags;   /* IR_PRINT_* */
    uint64_t (*clock)(void *user); /* nanoseconds; NULL: no timing */
    void (*printed)(void *user, const char *pass, const char *text, size_t size);
    /* Asked before each pass; if it returns true, the run fails with CANCELLED. NULL: never. */
    bool (*cancelled)(void *user);
    void *user; /* passed to all callbacks */
    /* Checks of a level in addition to ir_verify, or NULL. Same arguments as ir_verify. */
    void (*check)(const ir_fn *f, const char *after);

    /* HIR passes that have run, and f->changes after their last run. */
    struct {
        const ir_pass *pass;
        uint32_t changes;
    } ran[IR_PASS_RAN];
    unsigned n_ran;

    /* Results. */
    bool stopped;
    uint64_t charged;    /* the clock when time was last charged to a row */
    int64_t n_counted;   /* passes numbered for the bisection */
    ir_pass_time *times; /* one for each row that has run, in order of first run */
    size_t n_times, cap_times;
} ir_pass_run;

/* Runs one pass. Returns true if it changed the function. */
bool
ir_run_pass(ir_fn *f, const ir_pass *pass, ir_pass_run *run);

/* Computes the analyses IR_HAS_* that are not valid: dominance, loops, divergence. */
void
ir_require(ir_fn *f, uint32_t needs);

/* Runs the pipeline, which is terminated by NULL, to its end or until `run->stopped`. */
void
ir_run_passes(ir_fn *f, const ir_pass *const *pipeline, ir_pass_run *run);

/* Times work that is not a pass over a function (reading, selection, writing) as a row. ir_charge
 * charges all time since the last charge (or the start) to the row, so the rows' times add up to
 * the time of the whole compile. Without a clock these do nothing. Rows in `a` are identified by
 * address. */
void
ir_start_charging(ir_pass_run *run);
void
ir_charge(ir_pass_run *run, const ir_pass *row, arena *a);

/* Returns true if `name` is in such a list. */
bool
ir_pass_listed(const char *list, const char *name);

#endif
