/* Inside the library's entry points: one protected call.
 *
 * An entry point checks its arguments, then `api_call` makes diag and arenas, arms the error exit,
 * runs the work, and turns a failure into a result and a call of the diagnostic callback. The work
 * puts its result into an output, whose memory is an arena of its own; all else is freed when the
 * call ends.
 */
#ifndef API_API_H
#define API_API_H

#include "amd/amd.h"
#include "base/buf.h"
#include "base/diag.h"
#include "object/object.h"

#include <heddle/heddle.h>
#include <stdatomic.h>

/* Blocks of memory that a context keeps for its next calls: what was touched once costs no page
 * faults again. */
enum { API_KEPT = 8, API_FIRST_BLOCK = 256 * 1024 };

struct heddle_context {
    base_allocator allocator;       /* the caller's */
    base_allocator blocks;          /* of arenas: takes and gives kept blocks first */
    _Atomic(void *) kept[API_KEPT]; /* sizes in api.c; calls on any thread exchange them */
    void (*diagnostic)(void *user, const heddle_diagnostic *d);
    void *diagnostic_user;
};

struct heddle_output {
    const heddle_context *context;
    arena arena; /* of what the output has */
    const void *data;
    size_t size;
    bool has_shader; /* `shader` is filled */
    obj_code shader;
    heddle_stats stats; /* what only the compile knows: peak_bytes, phases */
    heddle_user_sgpr *user_sgprs;
};

typedef struct api_state {
    const heddle_context *context;
    diag diag;
    arena arena, scratch;  /* live as long as the call */
    heddle_output *output; /* NULL in calls that give none */
} api_state;

typedef void (*api_work)(api_state *s, const void *job);

/* Runs `work`. With `out` there is an output to fill, which the caller gets on success. `file`
 * names the input in diagnostics, and may be NULL. */
heddle_result
api_call(const heddle_context *context, const char *file, api_work work, const void *job,
         heddle_output **out);

/* Copies the caller's struct, whose first member is its size, into `*copy` of `size` bytes; what
 * the caller's is shorter by is zero. */
void
api_copy_struct(void *copy, size_t size, const void *from);

/* The same back to the caller: no more than its own struct_size, which stays. */
void
api_fill_struct(void *to, const void *from, size_t size);

/* The target that the options name; fails with API_UNKNOWN_TARGET, or API_BAD_ARGUMENT for a wave
 * size that is neither 32 nor 64. */
const amd_target *
api_find_target(api_state *s, const heddle_asm_options *o);

/* Copies bytes into the output, with a zero byte behind. */
void
api_set_data(api_state *s, const void *data, size_t size);

/* Copies a shader's model into the output, with all that it points to. */
void
api_set_shader(api_state *s, const obj_code *code);

/* Appends the shader as text: comments on top say what a code object's notes would, labels stand at
 * branch targets, constant data behind the code. `with_bytes` adds address and bytes of each
 * instruction. */
void
api_print_shader(api_state *s, const obj_code *code, bool with_bytes, bool with_fields,
                 base_buf *out);

/* True where byte `at` of the code is an s_code_end; `at` is at most the code's size. */
bool
api_is_code_end(const obj_code *code, uint32_t at);

/* Adds the instructions of `code` to `stats` by the unit that executes them, and fills what follows
 * from the model: registers, occupancy, the estimates. */
void
api_count_code(api_state *s, const obj_code *code, heddle_stats *stats);

#endif
