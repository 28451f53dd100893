/* Internals of the library's entry points: one protected call.
 *
 * An entry point checks its arguments. `api_call` then makes diag and arenas, arms the error exit,
 * runs the work, and turns a failure into a result code and a call of the diagnostic callback. The
 * work puts its result into an output that has its own arena; all other memory is freed when the
 * call ends.
 */
#ifndef API_API_H
#define API_API_H

#include "base/buf.h"
#include "base/diag.h"
#include "families/families.h"
#include "object/object.h"

#include <heddle/heddle.h>
#include <stdatomic.h>

/* Memory blocks that a context keeps for its next calls: reusing touched memory avoids page faults.
 */
enum { API_KEPT = 8, API_FIRST_BLOCK = 256 * 1024 };

struct heddle_context {
    base_allocator allocator; /* the caller's */
    base_allocator blocks;    /* for arenas: uses kept blocks first */
    /* sizes in api.c; calls on any thread exchange them atomically */
    _Atomic(void *) kept[API_KEPT];
    void (*diagnostic)(void *user, const heddle_diagnostic *d);
    void *diagnostic_user;
};

struct heddle_output {
    const heddle_context *context;
    arena arena; /* holds the output's data */
    const void *data;
    size_t size;
    bool has_shader; /* `shader` is filled in */
    obj_code shader;
    heddle_stats stats;           /* values that only the compile knows: peak_bytes, phases */
    heddle_user_sgpr *user_sgprs; /* the family's launch values */
    uint32_t n_user_sgprs;
    heddle_binding_place *bindings;
    heddle_kernel_arg *args;
    uint32_t n_bindings, n_args;
    const heddle_stage_link *link; /* of heddle_link_stage */
};

typedef struct api_state {
    const heddle_context *context;
    diag diag;
    arena arena, scratch;  /* live until the end of the call */
    heddle_output *output; /* NULL in calls without output */
} api_state;

typedef void (*api_work)(api_state *s, const void *job);

/* Runs `work`. If `out` is not NULL, an output is made for the work to fill, and the caller
 * receives it on success. `file` names the input in diagnostics and may be NULL. */
heddle_result
api_call(const heddle_context *context, const char *file, api_work work, const void *job,
         heddle_output **out);

/* Calls the diagnostic callback for the error in `diag`, unless it is marked as reported; returns
 * its result. api_call does this for the error that ends the work; the work calls it for errors
 * after which it goes on. */
heddle_result
api_report(const api_state *s);

/* Calls the diagnostic callback for what is no error: a `kind` of "warning" or "note". */
void
api_tell(api_state *s, const diag_loc *loc, const char *kind, const char *name,
         const char *message);

/* Checks the pointers of a call; a call that has no options passes true for them. If one is
 * missing, calls the diagnostic callback, if there is a context, and returns
 * HEDDLE_ERROR_ARGUMENT. */
heddle_result
api_check_call(const heddle_context *context, bool input, bool options, bool place);

/* Copies the caller's struct, whose first member is its size, into `*copy` of `size` bytes. If the
 * caller's struct is shorter, the rest is zero. */
void
api_copy_struct(void *copy, size_t size, const void *from);

/* Copies an element of an array of such structs. Returns the next one, or NULL if no struct has
 * this size. */
const void *
api_read_struct(void *copy, size_t size, const void *at);

/* The call's diag and arenas as the layers below want them. */
static inline ir_ctx
api_ctx(api_state *s)
{
    return (ir_ctx){&s->diag, &s->arena, &s->scratch};
}

/* Copies a struct back to the caller: at most struct_size bytes of it; struct_size itself is not
 * changed. */
void
api_fill_struct(void *to, const void *from, size_t size);

/* Finds a target (families_find_target). Fails with API_UNKNOWN_TARGET or API_AMBIGUOUS_TARGET. */
family_target
api_find_target(api_state *s, const char *name);

/* Fails with API_BAD_ARGUMENT if no target of the family has this wave size; 0 is allowed. */
void
api_check_wave_size(api_state *s, const family_target *t, uint32_t size);

/* Copies bytes into the output and appends a zero byte. */
void
api_set_data(api_state *s, const void *data, size_t size);

/* Copies a shader's model into the output, including everything it points to. `t` is its target. */
void
api_set_shader(api_state *s, const family_target *t, const obj_code *code);

/* Appends the shader as text (family_print_shader). */
void
api_print_shader(api_state *s, const obj_code *code, family_text how, base_buf *out);

#endif
