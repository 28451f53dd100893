/* Counts machine code that has no notes: only what its words say, by the same function of the
 * family that counts compiled shaders. */
#include "stats_code.h"
#include "targets.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_DIGITS = 8 };

/* The end of a number of 8 hexadecimal digits at `p`, if one stands there alone; NULL: none. */
static const char *
word_at(const char *p, uint32_t *word)
{
    char digits[WORD_DIGITS + 1] = "";
    int n = 0;
    for (; n < WORD_DIGITS && isxdigit((unsigned char)p[n]); n++)
        digits[n] = p[n];
    if (n < WORD_DIGITS || isalnum((unsigned char)p[n]) || p[n] == '_')
        return NULL;
    *word = (uint32_t)strtoul(digits, NULL, 16);
    return p + n;
}

static const char *
skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    return p;
}

/* Appends the words of a line, which are all that it has, or stand behind its `;`. Other lines (of
 * a listing: labels, text without words) have none. */
static size_t
read_line(const char *line, const char *end, uint8_t *out)
{
    size_t n = 0;
    uint32_t word;
    const char *mark = memchr(line, ';', (size_t)(end - line));
    const char *p = skip_blanks(mark ? mark + 1 : line, end), *next;
    while (p < end && (next = word_at(p, &word))) {
        for (int k = 0; k < 4; k++)
            out[n++] = (uint8_t)(word >> 8 * k);
        p = skip_blanks(next, end);
    }
    return p == end ? n : 0;
}

/* Returns the bytes of a listing's words, malloc'd. */
static uint8_t *
read_words(const char *text, size_t *size)
{
    uint8_t *out = malloc(strlen(text) + 1);
    if (!out)
        cli_out_of_memory();
    *size = 0;
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        *size += read_line(text, end, out + *size);
        text = end + (*end == '\n');
    }
    return out;
}

static int
assemble(heddle_context *context, const uint8_t *text, size_t size, const stats_code *c,
         heddle_output **out)
{
    const heddle_asm_options options = {.struct_size = sizeof options,
                                        .target = c->target,
                                        .wave_size = c->wave_size,
                                        .file = c->path};
    return cli_exit_code(heddle_assemble(context, (const char *)text, size, &options, out));
}

/* The part with its own memory. */
static int
count(stats_code *c, const uint8_t *code, size_t size)
{
    family_target t;
    arena a;
    if (!families_find_target(c->target, &t) || !family_objects_of(&t)->count)
        return cli_target_error("stats", c->target);
    if (!size || size % 4)
        return cli_error(c->path, "STATS_CODE",
                         "%s, so it is no machine code; --code says what the file is: "
                         "assembly, bytes or words in hexadecimal",
                         size ? "its size is no multiple of 4 bytes" : "there is nothing in it");
    c->wave_size = c->wave_size ? c->wave_size : t.default_wave_size;
    const obj_code whole = {.target = t.name,
                            .wave_size = (uint8_t)c->wave_size,
                            .code = code,
                            .code_size = (uint32_t)size,
                            .data_offset = (uint32_t)size};
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, NULL);
    t.family->objects->count(&a, &t, &whole, &c->figures);
    arena_free(&a);
    return -1;
}

int
stats_code_count(heddle_context *context, const uint8_t *bytes, size_t size, stats_code *c)
{
    if (strcmp(c->kind, "bin") == 0)
        return count(c, bytes, size);
    if (strcmp(c->kind, "words") == 0) {
        uint8_t *code = read_words((const char *)bytes, &size);
        int result = count(c, code, size);
        free(code);
        return result;
    }
    heddle_output *out;
    int result = assemble(context, bytes, size, c, &out);
    if (result == CLI_OK) {
        result = count(c, heddle_output_data(out), heddle_output_size(out));
        heddle_destroy_output(out);
    }
    return result;
}

void
stats_code_print(const stats_code *c)
{
    family_target t;
    arena a;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, NULL);
    base_buf text = buf_make(&a);
    if (families_find_target(c->target, &t) && family_objects_of(&t)->print_statistics) {
        t.family->objects->print_statistics(&c->figures, &text);
        fwrite(text.data, 1, text.size, stdout);
    }
    arena_free(&a);
}
