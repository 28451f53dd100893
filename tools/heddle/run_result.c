/* Writes, prints and compares buffers after a run. */
#include "run_result.h"

#include <stdio.h>
#include <string.h>

enum { PRINTED = 64, COLUMNS = 8 };

typedef struct result_reader {
    run_results *r;
    const kernel_frame *frame;
    const kernel_files *files;
    const char **message;
} result_reader;

static bool
fail(const result_reader *p, const run_result *one, const char *what)
{
    *p->message = arena_printf(p->r->arena, "%.200s: %s", one->text, what);
    return false;
}

/* Finds the argument named by the text up to `end`, which must have a buffer. */
static bool
find_slot(const result_reader *p, run_result *one, const char *end)
{
    one->slot = kernel_frame_find(p->frame, one->text, (size_t)(end - one->text));
    if (!one->slot)
        return fail(p, one, "the kernel has no such argument");
    return one->slot->buffer || fail(p, one, "the argument has no buffer");
}

static bool
parse_out(const result_reader *p, run_result *one)
{
    const char *equals = strchr(one->text, '=');
    if (!equals || !equals[1])
        return fail(p, one, "expected ARG=FILE");
    one->path = equals + 1;
    return find_slot(p, one, equals);
}

static bool
parse_print(const result_reader *p, run_result *one)
{
    const char *end = one->text + strcspn(one->text, ":,");
    if (!find_slot(p, one, end))
        return false;
    one->spec.type = one->slot->type;
    one->spec.count = PRINTED;
    if (*end == ':') {
        size_t len = strcspn(end + 1, ",");
        if (!data_type_find(end + 1, len, &one->spec.type))
            return fail(p, one, "expected a type after ':'");
        end += 1 + len;
    }
    if (*end == ',' && !data_size_parse(end + 1, end + strlen(end), &one->spec.count))
        return fail(p, one, "expected the number of elements after ','");
    return true;
}

/* Determines the bytes to compare: the size stated in the description, else everything after its
 * offset. */
static bool
parse_expect(const result_reader *p, run_result *one)
{
    const char *colon = strchr(one->text, ':'), *why;
    data_spec *s = &one->spec;
    if (!colon)
        return fail(p, one, "expected ARG:DESCRIPTION");
    if (!find_slot(p, one, colon))
        return false;
    if (!data_spec_parse(p->r->arena, colon + 1, true, s, &why))
        return fail(p, one, why);
    if (!s->has_source || s->source == DATA_UNDEFINED)
        return fail(p, one, "the expected contents are missing");
    if (!s->has_type)
        s->type = one->slot->type;
    uint64_t element = data_type_size(s->type), whole = one->slot->buffer->size / element;
    if (s->offset > whole)
        return fail(p, one, "the offset is beyond the buffer's end");
    one->offset = s->offset * element;
    size_t file_size = 0;
    const void *file = NULL;
    if (s->source == DATA_FILE && !(file = p->files->read(p->files->user, s->path, &file_size)))
        return fail(p, one, "the file cannot be read");
    bool is_list = s->source == DATA_VALUES;
    if (!data_spec_make(p->r->arena, s, is_list ? 0 : (whole - s->offset) * element, file,
                        file_size, &one->want, &one->size, &why))
        return fail(p, one, why);
    if (one->size > one->slot->buffer->size - one->offset)
        return fail(p, one, "the expected data is larger than the buffer");
    return true;
}

static bool
parse_list(const result_reader *p, const cli_list *list, run_result **out, size_t *count,
           bool (*parse)(const result_reader *p, run_result *one))
{
    *out = ARENA_ARRAY(p->r->arena, list->count, run_result);
    *count = list->count;
    for (size_t i = 0; i < list->count; i++) {
        (*out)[i].text = list->items[i];
        if (!parse(p, &(*out)[i]))
            return false;
    }
    return true;
}

bool
run_results_parse(run_results *r, arena *a, const kernel_frame *frame, const kernel_files *files,
                  const kernel_options *o, const char **message)
{
    result_reader p = {r, frame, files, message};
    *r = (run_results){.arena = a};
    return parse_list(&p, &o->outs, &r->outs, &r->n_outs, parse_out) &&
           parse_list(&p, &o->prints, &r->prints, &r->n_prints, parse_print) &&
           parse_list(&p, &o->expects, &r->expects, &r->n_expects, parse_expect);
}

static const char *
name_of(const run_results *r, const kernel_slot *s)
{
    return *s->arg->name ? s->arg->name : arena_printf(r->arena, "%u", s->number);
}

static void
print_buffer(const run_results *r, const run_result *one)
{
    const mach_region *b = one->slot->buffer;
    base_buf text = buf_make(r->arena);
    uint64_t n = b->size / data_type_size(one->spec.type);
    uint64_t shown = one->spec.count < n ? one->spec.count : n;
    buf_printf(&text, "%s: %llu %s\n", name_of(r, one->slot), (unsigned long long)n,
               data_type_name(one->spec.type));
    for (uint64_t i = 0; i < shown; i++) {
        if (i % COLUMNS == 0)
            buf_printf(&text, "%8llu:", (unsigned long long)i);
        buf_puts(&text, " ");
        data_print_element(b->host, i, one->spec.type, &text);
        if (i % COLUMNS == COLUMNS - 1 || i + 1 == shown)
            buf_puts(&text, "\n");
    }
    fputs(buf_text(&text), stdout);
}

/* Returns NULL if everything is as expected. */
static const char *
compare(const run_results *r, const run_result *one)
{
    const uint8_t *got = one->slot->buffer->host + one->offset;
    uint64_t first = 0, wrong = data_compare(&one->spec, got, one->want, one->size, &first);
    if (!wrong)
        return NULL;
    base_buf text = buf_make(r->arena);
    buf_printf(&text, "%s: %llu of %llu elements differ; element %llu is ", name_of(r, one->slot),
               (unsigned long long)wrong,
               (unsigned long long)(one->size / data_type_size(one->spec.type)),
               (unsigned long long)(first + one->spec.offset));
    data_print_element(got, first, one->spec.type, &text);
    buf_puts(&text, ", expected ");
    data_print_element(one->want, first, one->spec.type, &text);
    return buf_text(&text);
}

const char *
run_results_finish(const run_results *r)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < r->n_prints; i++)
        print_buffer(r, &r->prints[i]);
    for (size_t i = 0; i < r->n_outs; i++) {
        const mach_region *b = r->outs[i].slot->buffer;
        if (!cli_write_file(r->outs[i].path, b->host, (size_t)b->size) && !wrong)
            wrong = arena_printf(r->arena, "cannot write %.200s", r->outs[i].path);
    }
    for (size_t i = 0; i < r->n_expects; i++) {
        const char *why = compare(r, &r->expects[i]);
        wrong = wrong ? wrong : why;
    }
    return wrong;
}
