/* The state of the script reader, and its parts (internal).
 *
 * read.c holds what both languages need: words, numbers, names. amberscript.c dispatches the
 * commands of AmberScript to read_resource.c (shaders, structures, buffers, images, samplers),
 * read_accel.c (acceleration structures), read_pipeline.c and read_command.c. vkscript.c reads the
 * other language.
 */
#ifndef AMBER_READ_H
#define AMBER_READ_H

#include "amber/amber.h"
#include "amber/layout.h"
#include "amber/lex.h"
#include "base/map.h"

/* What a name may refer to. Each kind has its own name space; images share that of buffers. */
typedef enum read_space {
    READ_SHADER,
    READ_BUFFER,
    READ_SAMPLER,
    READ_PIPELINE,
    READ_TYPE,
    READ_FILE,
    READ_BOTTOM_LEVEL,
    READ_TOP_LEVEL,
    READ_SPACES,
} read_space;

/* The commands of a script, or of one REPEAT. */
typedef struct read_commands {
    amber_command *items;
    size_t count, cap;
} read_commands;

typedef struct reader {
    arena *arena;
    diag *diag;
    const amber_loader *loader; /* may be NULL */
    amber_script *script;
    lexer lex;
    lex_token token; /* the token consumed last */
    base_strings names;
    base_map spaces[READ_SPACES]; /* name -> index in the script's array */
    size_t shader_cap, buffer_cap, sampler_cap, pipeline_cap, bottom_cap, top_cap;
    layout_type **types; /* STRUCT */
    size_t type_count, type_cap;
    read_commands *commands; /* receives new commands */
    uint64_t bytes;          /* used by buffers so far */
} reader;

/* Consumes the next token and sets the location of `diag` to it. */
const lex_token *
amber_read_token(reader *r);

/* Fails with "expected `what`, found `the last token`". */
_Noreturn void
amber_read_expected(reader *r, const char *what);

/* Fails with UNSUPPORTED: `feature` is not built yet. */
_Noreturn void
amber_read_unsupported(reader *r, const char *feature);

/* Returns true if the last token is this word. */
bool
amber_read_is(const reader *r, const char *word);

/* Consumes the next token and returns true if it is this word. */
bool
amber_read_accept(reader *r, const char *word);

/* Consumes the next token, or fails if it is not this word. */
void
amber_read_word(reader *r, const char *word);

/* Consumes a word and copies it (`what` describes it, for the message). Strings are accepted too.
 */
const char *
amber_read_name(reader *r, const char *what);

/* Consumes an integer from 0 to `max`. */
uint64_t
amber_read_uint(reader *r, const char *what, uint64_t max);

/* Consumes any number. */
double
amber_read_real(reader *r, const char *what);

/* Converts the last token to a value for a slot of that mode; integers must not have fractions. */
amber_value
amber_read_value(reader *r, amber_mode mode);

/* Consumes the end of the line (or of the text). Fails if anything else follows `what`. */
void
amber_read_line_end(reader *r, const char *what);

/* Skips ends of lines. */
void
amber_read_skip_lines(reader *r);

/* Consumes "on" or "off". */
bool
amber_read_switch(reader *r);

/* Consumes one of `words` (a NULL-terminated list) and returns its index. */
unsigned
amber_read_choice(reader *r, const char *const *words, const char *what);

/* Adds a name to a name space. Fails if it is already there. */
void
amber_read_declare(reader *r, read_space space, const char *name, uint64_t index);

/* Finds the index of a name in the name space. Returns false if it is not declared. */
bool
amber_read_find(reader *r, read_space space, const char *name, uint64_t *index);

amber_shader *
amber_read_shader_ref(reader *r);
amber_buffer *
amber_read_buffer_ref(reader *r);
amber_sampler *
amber_read_sampler_ref(reader *r);
amber_pipeline *
amber_read_pipeline_ref(reader *r);
amber_bottom_level *
amber_read_bottom_ref(reader *r);
amber_top_level *
amber_read_top_ref(reader *r);

/* Make new zeroed entries in the script's arrays. */
amber_shader *
amber_read_new_shader(reader *r, const char *name);
amber_buffer *
amber_read_new_buffer(reader *r, const char *name);
amber_sampler *
amber_read_new_sampler(reader *r, const char *name);
amber_pipeline *
amber_read_new_pipeline(reader *r, const char *name);
amber_bottom_level *
amber_read_new_bottom(reader *r, const char *name);
amber_top_level *
amber_read_new_top(reader *r, const char *name);

/* Makes a new command in the current block, with the line of the last token. */
amber_command *
amber_read_new_command(reader *r, amber_op op);

/* The layout of a texel format's elements. Fails if there is no such format. */
const amber_type *
amber_read_format_type(reader *r, const char *name);

/* Sets the size of all mip levels and samples, once the first level is known. */
void
amber_read_set_size(reader *r, amber_buffer *b);

/* Words of compare and stencil operations and blend factors, in the order of Vulkan's numbers. */
extern const char *const amber_read_compares[];
extern const char *const amber_read_stencil_ops[];
extern const char *const amber_read_blend_factors[];

/* Counts bytes of buffers or geometry. Fails if a script's are more than AMBER_MAX_BYTES. */
void
amber_read_count_bytes(reader *r, uint64_t size);

/* Allocates zeroed memory for the contents of buffers, and counts it. */
uint8_t *
amber_read_buffer_bytes(reader *r, uint64_t size);

void
amber_read_add_name(reader *r, amber_names *list, const char *name);

/* Reads the values up to the end of the line, or up to END (`block`), in the form that `type`
 * requires. A missing END is an error. */
amber_value *
amber_read_values(reader *r, const amber_type *type, bool block, uint32_t *count);

/* Reads the tolerances that follow: numbers, each optionally followed by `%`. */
void
amber_read_tolerances(reader *r, amber_command *c);

/* Read commands of AmberScript; the command's word has been consumed. */
void
amber_read_virtual_file(reader *r);
void
amber_read_shader(reader *r);
void
amber_read_struct(reader *r);
void
amber_read_buffer(reader *r);
void
amber_read_image(reader *r);
void
amber_read_sampler(reader *r);
void
amber_read_accel(reader *r);
void
amber_read_pipeline(reader *r);
void
amber_read_derive_pipeline(reader *r);

/* Reads RUN, EXPECT, COPY ... Returns false if the last token is not a command that is allowed in
 * REPEAT. */
bool
amber_read_command(reader *r);
void
amber_read_repeat(reader *r);

/* Reads a whole script. */
void
amber_read_amberscript(reader *r);
void
amber_read_vkscript(reader *r, const char *text, size_t size);

#endif
