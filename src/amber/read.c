/* Reader of scripts: words, numbers, names, values; and the entry point. */
#include "amber/read.h"

#include <string.h>

const lex_token *
amber_read_token(reader *r)
{
    r->token = amber_lex_next(&r->lex);
    r->diag->loc.line = r->token.line;
    r->diag->loc.column = r->token.column;
    return &r->token;
}

/* The last token for a message, shortened. */
static const char *
show_token(reader *r)
{
    int n = r->token.size > 40 ? 40 : (int)r->token.size;
    switch (r->token.kind) {
    case LEX_END_OF_TEXT: return "the end of the text";
    case LEX_END_OF_LINE: return "the end of the line";
    default: return arena_printf(r->arena, "'%.*s'", n, r->token.text);
    }
}

void
amber_read_expected(reader *r, const char *what)
{
    diag_fail(r->diag, ERR_AMBER_EXPECTED, what, show_token(r));
}

void
amber_read_unsupported(reader *r, const char *feature)
{
    diag_fail(r->diag, ERR_AMBER_UNSUPPORTED, feature);
}

static bool
token_is(const lex_token *t, const char *word)
{
    return t->kind == LEX_WORD && strlen(word) == t->size && memcmp(word, t->text, t->size) == 0;
}

bool
amber_read_is(const reader *r, const char *word)
{
    return token_is(&r->token, word);
}

bool
amber_read_accept(reader *r, const char *word)
{
    lexer before = r->lex;
    lex_token t = amber_lex_next(&r->lex);
    if (!token_is(&t, word)) {
        r->lex = before;
        return false;
    }
    r->token = t;
    return true;
}

void
amber_read_word(reader *r, const char *word)
{
    amber_read_token(r);
    if (!amber_read_is(r, word))
        amber_read_expected(r, word);
}

static char *
copy_token(reader *r)
{
    char *s = arena_alloc(r->arena, (size_t)r->token.size + 1);
    memcpy(s, r->token.text, r->token.size);
    s[r->token.size] = '\0';
    return s;
}

const char *
amber_read_name(reader *r, const char *what)
{
    const lex_token *t = amber_read_token(r);
    if (t->kind != LEX_WORD && t->kind != LEX_STRING)
        amber_read_expected(r, what);
    return copy_token(r);
}

uint64_t
amber_read_uint(reader *r, const char *what, uint64_t max)
{
    const lex_token *t = amber_read_token(r);
    if ((t->kind != LEX_INTEGER && t->kind != LEX_HEX) || t->negative)
        amber_read_expected(r, what);
    if (t->u > max)
        diag_fail(r->diag, ERR_AMBER_RANGE, what, show_token(r));
    return t->u;
}

static bool
is_number(const lex_token *t)
{
    return t->kind == LEX_INTEGER || t->kind == LEX_HEX || t->kind == LEX_FLOAT;
}

double
amber_read_real(reader *r, const char *what)
{
    const lex_token *t = amber_read_token(r);
    if (!is_number(t))
        amber_read_expected(r, what);
    return t->f;
}

amber_value
amber_read_value(reader *r, amber_mode mode)
{
    const lex_token *t = &r->token;
    bool is_float = mode == AMBER_SFLOAT || mode == AMBER_UFLOAT;
    if (!is_number(t))
        amber_read_expected(r, "a number");
    if (!is_float && t->kind == LEX_FLOAT)
        amber_read_expected(r, "a whole number");
    return (amber_value){.is_float = is_float, .u = t->u, .f = t->f};
}

void
amber_read_line_end(reader *r, const char *what)
{
    const lex_token *t = amber_read_token(r);
    if (t->kind != LEX_END_OF_LINE && t->kind != LEX_END_OF_TEXT)
        diag_fail(r->diag, ERR_AMBER_EXTRA, what, show_token(r));
}

void
amber_read_skip_lines(reader *r)
{
    while (amber_lex_peek(&r->lex).kind == LEX_END_OF_LINE)
        amber_read_token(r);
}

bool
amber_read_switch(reader *r)
{
    static const char *const words[] = {"off", "on", NULL};
    return amber_read_choice(r, words, "on or off") == 1;
}

unsigned
amber_read_choice(reader *r, const char *const *words, const char *what)
{
    amber_read_token(r);
    for (unsigned i = 0; words[i]; i++)
        if (amber_read_is(r, words[i]))
            return i;
    amber_read_expected(r, what);
}

static const char *
space_name(read_space space)
{
    static const char *const names[READ_SPACES] = {
        [READ_SHADER] = "shader",
        [READ_BUFFER] = "buffer",
        [READ_SAMPLER] = "sampler",
        [READ_PIPELINE] = "pipeline",
        [READ_TYPE] = "type",
        [READ_FILE] = "virtual file",
        [READ_BOTTOM_LEVEL] = "bottom-level acceleration structure",
        [READ_TOP_LEVEL] = "top-level acceleration structure",
    };
    return names[space];
}

void
amber_read_declare(reader *r, read_space space, const char *name, uint64_t index)
{
    uint32_t id = strings_intern(&r->names, name, strlen(name));
    if (map_get(&r->spaces[space], id, NULL))
        diag_fail(r->diag, ERR_AMBER_DUPLICATE, space_name(space), name);
    map_put(&r->spaces[space], id, index);
}

bool
amber_read_find(reader *r, read_space space, const char *name, uint64_t *index)
{
    uint32_t id = strings_find(&r->names, name, strlen(name));
    return id != UINT32_MAX && map_get(&r->spaces[space], id, index);
}

/* Consumes a name and returns its index in the name space. Fails if it is not declared. */
static uint64_t
read_reference(reader *r, read_space space)
{
    uint64_t index;
    const char *name = amber_read_name(
        r, arena_printf(r->arena, "the name of a %s", space_name(space)));
    if (!amber_read_find(r, space, name, &index))
        diag_fail(r->diag, ERR_AMBER_UNKNOWN, space_name(space), name);
    return index;
}

amber_shader *
amber_read_shader_ref(reader *r)
{
    return r->script->shaders[read_reference(r, READ_SHADER)];
}

amber_buffer *
amber_read_buffer_ref(reader *r)
{
    return r->script->buffers[read_reference(r, READ_BUFFER)];
}

amber_sampler *
amber_read_sampler_ref(reader *r)
{
    return r->script->samplers[read_reference(r, READ_SAMPLER)];
}

amber_pipeline *
amber_read_pipeline_ref(reader *r)
{
    return r->script->pipelines[read_reference(r, READ_PIPELINE)];
}

amber_bottom_level *
amber_read_bottom_ref(reader *r)
{
    return r->script->bottoms[read_reference(r, READ_BOTTOM_LEVEL)];
}

amber_top_level *
amber_read_top_ref(reader *r)
{
    return r->script->tops[read_reference(r, READ_TOP_LEVEL)];
}

/* One function for each kind of item: the same code with other types. */
#define READ_NEW(function, type, array, space)                                                     \
    type *function(reader *r, const char *name)                                                    \
    {                                                                                              \
        amber_script *s = r->script;                                                               \
        type *new = ARENA_NEW(r->arena, type);                                                     \
        amber_read_declare(r, space, name, s->array##_count);                                      \
        s->array##s = arena_grow(r->arena, s->array##s, &r->array##_cap,                           \
                                 (size_t)s->array##_count + 1, sizeof *s->array##s);               \
        new->name = name;                                                                          \
        new->index = s->array##_count;                                                             \
        s->array##s[s->array##_count++] = new;                                                     \
        return new;                                                                                \
    }

/* clang-format off */
READ_NEW(amber_read_new_shader, amber_shader, shader, READ_SHADER)
static READ_NEW(new_buffer, amber_buffer, buffer, READ_BUFFER)
static READ_NEW(new_sampler, amber_sampler, sampler, READ_SAMPLER)
READ_NEW(amber_read_new_pipeline, amber_pipeline, pipeline, READ_PIPELINE)
READ_NEW(amber_read_new_bottom, amber_bottom_level, bottom, READ_BOTTOM_LEVEL)
READ_NEW(amber_read_new_top, amber_top_level, top, READ_TOP_LEVEL)

amber_buffer *
amber_read_new_buffer(reader *r, const char *name)
/* clang-format on */
{
    amber_buffer *b = new_buffer(r, name);
    b->mips = b->samples = b->width = b->height = b->depth = 1;
    return b;
}

amber_sampler *
amber_read_new_sampler(reader *r, const char *name)
{
    amber_sampler *s = new_sampler(r, name);
    s->max_lod = 1.0f;
    return s;
}

amber_command *
amber_read_new_command(reader *r, amber_op op)
{
    read_commands *list = r->commands;
    list->items = arena_grow(r->arena, list->items, &list->cap, list->count + 1,
                             sizeof *list->items);
    amber_command *c = &list->items[list->count++];
    *c = (amber_command){.op = op, .line = r->token.line};
    return c;
}

void
amber_read_count_bytes(reader *r, uint64_t size)
{
    if (size > AMBER_MAX_BYTES - r->bytes)
        diag_fail(r->diag, ERR_AMBER_LIMIT, "the buffers together");
    r->bytes += size;
}

uint8_t *
amber_read_buffer_bytes(reader *r, uint64_t size)
{
    amber_read_count_bytes(r, size);
    return arena_zalloc(r->arena, (size_t)size);
}

void
amber_read_add_name(reader *r, amber_names *list, const char *name)
{
    list->items = arena_grow(r->arena, list->items, &list->cap, list->count + 1,
                             sizeof *list->items);
    list->items[list->count++] = name;
}

amber_value *
amber_read_values(reader *r, const amber_type *type, bool block, uint32_t *count)
{
    amber_value *values = NULL;
    size_t n = 0, cap = 0;
    uint32_t slot = 0;
    for (;;) {
        const lex_token *t = amber_read_token(r);
        if (t->kind == LEX_END_OF_TEXT && block)
            amber_read_expected(r, "END");
        if (block ? amber_read_is(r, "END")
                  : t->kind == LEX_END_OF_LINE || t->kind == LEX_END_OF_TEXT)
            break;
        if (t->kind == LEX_END_OF_LINE)
            continue;
        values = arena_grow(r->arena, values, &cap, n + 1, sizeof *values);
        values[n++] = amber_read_value(r, (amber_mode)type->slots[slot].mode);
        slot = slot + 1 < type->slot_count ? slot + 1 : 0;
    }
    if (n > UINT32_MAX)
        diag_fail(r->diag, ERR_AMBER_LIMIT, "the number of values");
    *count = (uint32_t)n;
    return values;
}

void
amber_read_tolerances(reader *r, amber_command *c)
{
    for (;;) {
        lex_token t = amber_lex_peek(&r->lex);
        if (!is_number(&t))
            break;
        amber_read_token(r);
        if (c->tolerance_count == 4)
            amber_read_expected(r, "at most 4 tolerances");
        amber_tolerance *tolerance = &c->tolerance[c->tolerance_count++];
        tolerance->value = r->token.f;
        tolerance->percent = amber_read_accept(r, "%");
    }
    if (!c->tolerance_count)
        amber_read_expected(r, "a tolerance");
}

static bool
is_amberscript(const char *text, size_t size)
{
    static const char head[] = "#!amber";
    return size >= sizeof head - 1 && memcmp(text, head, sizeof head - 1) == 0;
}

amber_script *
amber_parse(arena *a, diag *d, const char *file, const char *text, size_t size,
            const amber_loader *loader)
{
    read_commands commands = {0};
    reader r = {
        .arena = a,
        .diag = d,
        .loader = loader,
        .script = ARENA_NEW(a, amber_script),
        .names = strings_make(a),
        .commands = &commands,
    };
    for (int i = 0; i < READ_SPACES; i++)
        r.spaces[i] = map_make(a);
    d->loc = (diag_loc){.file = file, .line = 1, .column = 1};
    r.script->file = file;
    if (is_amberscript(text, size)) {
        r.lex = amber_lex_make(a, text, size, 1);
        amber_read_amberscript(&r);
    } else {
        r.script->vkscript = true;
        amber_read_vkscript(&r, text, size);
    }
    r.script->commands = commands.items;
    r.script->command_count = (uint32_t)commands.count;
    return r.script;
}
