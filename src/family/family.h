/* A family of GPUs as the API, the script runner and the program see it.
 *
 * A back end defines one `const family` and adds a row to src/families/families.def. Everything
 * above it reaches the back end through this struct and names no family. The struct has a part for
 * each service. A part that a family does not have yet is NULL; its users then report that the
 * target does not support the service.
 *
 *   targets   what there is, with the figures that `heddle targets` shows
 *   compiler  HIR to machine code and the model of a code object
 *
 * What differs between families in kind (register banks, register words, bundles, clauses) appears
 * here only as text, as named figures (figures.h) or behind an opaque pointer.
 */
#ifndef FAMILY_FAMILY_H
#define FAMILY_FAMILY_H

#include "family/figures.h"
#include "family/layout.h"
#include "ir/pass.h"
#include "object/object.h"

typedef struct family family;

/* ---- targets ---- */

typedef struct family_target {
    const family *family;
    const char *name;       /* as on the command line */
    const char *generation; /* of the instruction set, as users call it */
    uint32_t wave_sizes;    /* the sum of the supported sizes, each a power of two */
    uint32_t default_wave_size;
    bool compiles;   /* the compiler generates code for it */
    const void *own; /* the family's description */
} family_target;

/* ---- the compiler ---- */

/* How much the optional passes of the back end do. */
typedef enum family_effort {
    FAMILY_EFFORT_FULL,
    FAMILY_EFFORT_LESS,
    FAMILY_EFFORT_NONE
} family_effort;

/* What to compile for. */
typedef struct family_request {
    const family_target *target;
    const char *name;   /* the entry point's, for the code object */
    uint32_t wave_size; /* 0: the shader's required size, else the target's default */
    obj_abi abi;
    family_effort effort;
    bool validate;         /* run the back end's own validators of what its phases made */
    family_layout *layout; /* its positions are assigned as the default layout */
    const void *switches;  /* set by read_switch; NULL: none */
    ir_pass_run *run;      /* selects what to print, verify, time, skip; must not be NULL */
} family_request;

/* The result of a compile. It lives in the arena of the function's context. */
typedef struct family_binary {
    const ir_fn *fn; /* the machine IR as emitted, or at the point where the run stopped */
    obj_code code;   /* not set if the run stopped */
    const void *own; /* what the family's emulator needs to launch it without a code object */
} family_binary;

typedef struct family_compiler {
    /* The names of the phases on machine IR in the order of the pipeline, terminated by NULL. The
     * passes of opt/passes.def come before them and are not listed. */
    const char *const *phases;
    /* The bytes of the family's debug switches; all zeros is none. */
    size_t switches_size;
    /* Sets a debug switch. Returns NULL, or a message that is a printf format for `word`. */
    const char *(*read_switch)(void *switches, const char *word);
    /* Compiles `hir`, modifying it. Fails with a diagnostic. */
    void (*compile)(ir_fn *hir, const family_request *request, family_binary *out);
} family_compiler;

/* ---- the family ---- */

struct family {
    const char *name;
    uint32_t wave_sizes; /* the sum of the sizes that any target has */
    /* Fills in target number `index`, from 0, except for `family`. Returns false if there is none.
     */
    bool (*get_target)(uint32_t index, family_target *out);
    /* The resources of a target, in the order in which users see them. */
    void (*describe_target)(const family_target *target, family_figures *out);
    const family_compiler *compiler;
};

#endif
