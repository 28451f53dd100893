/* The pass runner for all levels. Optimization passes over HIR and a backend's phases are rows of
 * the same type.
 *
 * A pass is a row; a pipeline is an array of steps, each of which runs a pass. The
 * runner computes the analyses that a row needs and that are not valid, runs the pass, and keeps
 * the analyses in f->valid that the row preserves. On request it prints, verifies, times, skips or
 * stops, begins behind a step, or counts down to a bisection limit. Requests and measurements are
 * stored in an ir_pass_run, which serves one compile through all its levels.
 *
 * A step is named after its pass. If the pass has several steps in the pipeline, they are NAME.1,
 * NAME.2 ...; NAME alone means all of them, or the first where one step is asked for.
 */
#ifndef IR_PASS_H
#define IR_PASS_H

#include "ir/text.h"

enum {
    IR_PASS_REQUIRED = 1, /* lowers what later passes cannot handle: never skipped, not even beyond
                           * the bisection limit */
    IR_PASS_REMOVES = 2,  /* only removes unused code, or marks: no new work for cleanup passes */
    IR_PASS_CLEANS = 4,   /* its steps may have if_changed */
    IR_PASS_NUMBERS = 8,  /* the same, and its first run is needed unless ir_fn.numbered */
};

/* Does a pass concern the instruction? */
typedef bool (*ir_choice)(const ir_fn *f, const ir_instr *i);

typedef struct ir_pass {
    const char *name;
    bool (*run)(ir_fn *f);    /* returns true if it changed the function; or ... */
    void (*phase)(ir_fn *f);  /* ... a phase, which always changes it */
    uint32_t needs;           /* IR_HAS_* */
    uint32_t keeps;           /* IR_HAS_* that remain valid if it changed the function */
    uint32_t flags;           /* IR_PASS_* */
    const char *what;         /* one sentence, with a capital and a stop */
    ir_fn *(*make)(ir_fn *f); /* ... or a phase that makes a new function of it */
    bool (*lower)(ir_fn *f, ir_choice lacks); /* ... or as `run`, of what `lacks` chooses */
    ir_choice lacks;
    const ir_level *level; /* the function's level from then on; NULL: as before */
    uint32_t unless;       /* the back end's switches of which any leaves it out */
} ir_pass;

/* The row of a phase whose flags are `when` and that switches `off` leave out; the rest is what
 * tables of phases say of one. */
#define IR_PHASE_ROW(when, off, id, function, before, behind, sentence)                            \
    {                                                                                              \
        .name = #id, .phase = function, .needs = before, .keeps = behind, .flags = when,           \
        .unless = off, .what = sentence,                                                           \
    }

/* ---- steps ---- */

typedef struct ir_step {
    const ir_pass *pass; /* NULL: the end of a pipeline */
    /* The pass is skipped if no other pass has changed the function since its last run or, if it
     * has not run yet, since the reader made the function (ir_fn.changes, ir_fn.numbered). For
     * cleanup passes: the builder has already done their work in a new function. */
    bool if_changed;
} ir_step;

typedef struct ir_steps {
    const ir_step *list; /* the pipeline */
    size_t count;
    const ir_level *level; /* of the function before all */
} ir_steps;

enum { IR_STEP_NAME = 64 };

/* The steps of a pipeline, which starts at `level`. */
ir_steps
ir_list_steps(const ir_step *pipeline, const ir_level *level);

/* The level of the function behind step `at`. */
const ir_level *
ir_level_behind(const ir_steps *s, size_t at);

/* Writes the name of step `at`, with its number if there are several of its pass. */
void
ir_step_name(const ir_steps *s, size_t at, char out[IR_STEP_NAME]);

/* Is this a name of step `at`: NAME, or NAME.2? */
bool
ir_is_step_name(const ir_steps *s, size_t at, const char *name, size_t len);

/* The first step of this name from number `first` on, or the number of steps. */
size_t
ir_find_step(const ir_steps *s, size_t first, const char *name);

/* ---- running ---- */

typedef struct ir_pass_time {
    const ir_pass *pass;
    size_t step; /* its number plus 1; 0: it is no step of a pipeline */
    uint64_t ns; /* total of all its runs */
    unsigned runs;
} ir_pass_time;

enum { IR_PASS_RAN = 8 };

typedef struct ir_pass_run {
    /* Requests of the caller; zero requests nothing. Lists are names separated by commas; "all"
     * means every step. NULL is an empty list. */
    const char *print;        /* steps behind which the function is printed */
    const char *print_before; /* steps before which it is printed */
    const char *skip;         /* steps to skip */
    const char *stop_after;   /* the step after which `stopped` is set and no other pass runs */
    const char *from;  /* the step that the function comes from: those behind it run. NULL: all */
    const char *clean; /* with `from`, passes whose steps with if_changed have nothing to do */
    /* Steps that are not required run only if their number in the pipeline, counted from 1, is at
     * most this; 0: no limit; negative: none runs. */
    int64_t bisect_limit;
    /* The step of that number makes at most this many of its changes (ir_may_change); 0: all. */
    uint64_t bisect_changes;
    bool verify;          /* after each pass */
    unsigned print_flags; /* IR_PRINT_* */
    bool plain;           /* printed texts are without the state of the compile */
    const char *target;   /* in texts of levels with a program */
    uint32_t switches;    /* the back end's, for ir_pass.unless */
    /* More fields for the header of texts; NULL: none. */
    ir_text_part (*more)(void *more_user);
    void *more_user;
    uint64_t (*clock)(void *user); /* nanoseconds; NULL: no timing */
    /* `step` is the name of a step, or "before NAME". */
    void (*printed)(void *user, const char *step, const char *text, size_t size);
    /* Asked before each pass; if it returns true, the run fails with CANCELLED. NULL: never. */
    bool (*cancelled)(void *user);
    void *user; /* passed to all callbacks */
    /* Checks of a level in addition to ir_verify, or NULL. Same arguments as ir_verify. */
    void (*check)(const ir_fn *f, const char *after);

    /* Cleanup passes that have run, and f->changes after their last run. */
    struct {
        const ir_pass *pass;
        uint32_t changes;
    } ran[IR_PASS_RAN];
    unsigned n_ran;

    /* The steps of the pipeline that runs, and the number of the last one that was reached. */
    ir_steps steps;
    size_t at;

    /* Results. */
    bool stopped;
    uint64_t charged;    /* the clock when time was last charged to a row */
    int64_t n_counted;   /* steps numbered for the bisection */
    ir_pass_time *times; /* one for each row that has run, in order of first run */
    size_t n_times, cap_times;
} ir_pass_run;

/* Runs step `at` of run->steps, which the caller has set. Returns the function that it makes, or
 * `f`. */
ir_fn *
ir_run_step(ir_fn *f, size_t at, ir_pass_run *run);

/* Reads N or N.CHANGES as the bisection limits; N may be 0: no optional step runs. Returns false if
 * it is something else. */
bool
ir_read_bisect(const char *text, ir_pass_run *run);

/* Step number `number`, from 1, of those that are not required; steps->count if there is none. */
size_t
ir_find_optional_step(const ir_steps *steps, int64_t number);

/* The number of steps that are not required. */
int64_t
ir_count_optional_steps(const ir_steps *steps);

/* Computes the analyses IR_HAS_* that are not valid: dominance, loops, divergence; at machine
 * levels liveness and kill flags, if the level can. */
void
ir_require(ir_fn *f, uint32_t needs);

/* Runs the pipeline to its end or until `run->stopped`. Returns the last function. */
ir_fn *
ir_run_passes(ir_fn *f, const ir_step *pipeline, ir_pass_run *run);

/* Appends the function as text from which a compile can go on: with the state of the compile behind
 * the step that was reached last. */
void
ir_print_run(const ir_fn *f, const ir_pass_run *run, base_buf *out);

/* The fields of the header that ir_print_run writes, and their parser. */
typedef struct ir_run_words {
    const char *target, *after, *clean; /* NULL: not stated */
} ir_run_words;
extern const ir_text_field ir_run_fields[];

/* Times work that is not a pass over a function (reading, selection, writing) as a row. ir_charge
 * charges all time since the last charge (or the start) to the row, so the rows' times add up to
 * the time of the whole compile. Without a clock these do nothing. Rows in `a` are identified by
 * address. */
void
ir_start_charging(ir_pass_run *run);
void
ir_charge(ir_pass_run *run, const ir_pass *row, arena *a);

/* Returns true if `name` is in such a list, or the list has "all". */
bool
ir_pass_listed(const char *list, const char *name);

#endif
