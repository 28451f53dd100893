#include "opt_code.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Numbers of programs, and whether they are those that are optimized. */
typedef struct range {
    uint64_t first, last;
    bool excludes;
} range;

typedef struct job {
    const opt_code *o;
    heddle_context *context;
    range range;
    char *debug;      /* the switches of the library */
    bool many;        /* `output` is a folder */
    uint64_t sums[8]; /* of figure_names, old and new */
} job;

static const char *const figure_names[] = {"dwords", "groups", "gprs", "stack"};
enum { N_FIGURES = sizeof figure_names / sizeof *figure_names };

/* ---- switches ---- */

/* Reads A-B or A. */
static bool
read_range(const char *text, size_t len, range *r)
{
    size_t at = base_integer_read(text, len, 10, &r->first);
    r->last = r->first;
    if (at && at < len && text[at] == '-') {
        const size_t n = base_integer_read(text + at + 1, len - at - 1, 10, &r->last);
        at = n ? at + 1 + n : 0;
    }
    return at && at == len && r->first && r->first <= r->last;
}

/* Takes the range from the switches; the others are the library's. Returns CLI_OK or an exit code
 * after a message. */
static int
take_switches(job *j)
{
    const char *all = getenv("HEDDLE_DEBUG");
    j->range = (range){1, UINT64_MAX, false};
    j->debug = calloc(1, all ? strlen(all) + 1 : 1);
    if (!j->debug)
        cli_out_of_memory();
    while (all && *all) {
        const size_t len = strcspn(all, ",");
        const bool only = strncmp(all, "only=", 5) == 0, except = strncmp(all, "except=", 7) == 0;
        const size_t skipped = only ? 5 : 7;
        if (only || except) {
            j->range.excludes = except;
            if (!read_range(all + skipped, len - skipped, &j->range))
                return cli_usage_error("HEDDLE_DEBUG: %.*s: not numbers of programs, A-B from 1 on",
                                       (int)len, all);
        } else {
            strcat(j->debug, *j->debug ? "," : "");
            strncat(j->debug, all, len);
        }
        all += len + (all[len] == ',');
    }
    return CLI_OK;
}

/* ---- output ---- */

/* Writes code as words in hexadecimal. */
static bool
write_words(const char *path, const uint8_t *code, size_t size)
{
    arena a;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, NULL);
    base_buf text = buf_make(&a);
    for (size_t i = 0; i + 4 <= size; i += 4)
        buf_printf(&text, "%02x%02x%02x%02x\n", code[i + 3], code[i + 2], code[i + 1], code[i]);
    bool ok = cli_write_file(path, text.data, text.size);
    arena_free(&a);
    return ok;
}

/* Writes what was made of a file: code in the file's form, or text. */
static int
write_made(const job *j, const char *path, bool as_words, const void *data, size_t size)
{
    const char *slash = strrchr(path, '/'), *to = j->o->output ? j->o->output : "-";
    char *joined = NULL;
    if (j->many) {
        const size_t room = strlen(to) + strlen(path) + 2;
        joined = malloc(room);
        if (!joined)
            cli_out_of_memory();
        snprintf(joined, room, "%s/%s", to, slash ? slash + 1 : path);
        to = joined;
    }
    const bool ok = as_words ? write_words(to, data, size) : cli_write_file(to, data, size);
    free(joined);
    return ok ? CLI_OK : CLI_FAILED;
}

/* ---- figures ---- */

/* The number behind a name in lines of NAME NUMBER; false if there is none. */
static bool
find_figure(const char *text, const char *prefix, const char *name, uint64_t *out)
{
    char key[32];
    const int len = snprintf(key, sizeof key, "%s%s ", prefix, name);
    while (text && strncmp(text, key, (size_t)len) != 0) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text && base_integer_read(text + len, strcspn(text + len, "\n"), 10, out);
}

static void
print_figures(const char *title, const uint64_t sums[2 * N_FIGURES])
{
    printf("%s:", title);
    for (unsigned k = 0; k < N_FIGURES; k++) {
        printf("%s %s", k ? "," : "", figure_names[k]);
        if (sums[2 * k])
            printf(" %llu ->", (unsigned long long)sums[2 * k]);
        printf(" %llu", (unsigned long long)sums[2 * k + 1]);
    }
    printf("\n");
}

/* A program's line. */
static void
show_figures(job *j, const char *path, uint64_t number, const heddle_output *out)
{
    uint64_t mine[2 * N_FIGURES] = {0};
    char title[300];
    const size_t size = heddle_output_size(out);
    char *text = calloc(1, size + 1);
    if (!text)
        cli_out_of_memory();
    memcpy(text, heddle_output_data(out), size);
    for (unsigned k = 0; k < N_FIGURES; k++) {
        find_figure(text, "old_", figure_names[k], &mine[2 * k]);
        find_figure(text, "", figure_names[k], &mine[2 * k + 1]);
    }
    for (unsigned k = 0; k < 2 * N_FIGURES; k++)
        j->sums[k] += mine[k];
    snprintf(title, sizeof title, "%llu %.250s", (unsigned long long)number, path);
    print_figures(title, mine);
    free(text);
}

/* ---- programs ---- */

typedef struct program {
    const char *path;
    uint64_t number;
    uint8_t *bytes;
    size_t size;
} program;

static int
optimize(job *j, const program *p, const char *until, heddle_output **out)
{
    heddle_compile_options watched = {.struct_size = sizeof watched};
    const int code = pass_watch_begin(j->o->watch, j->debug, &watched);
    if (code != CLI_OK)
        return code;
    const heddle_asm_options options = {.struct_size = sizeof options,
                                        .target = j->o->target,
                                        .file = p->path,
                                        .until = until,
                                        .arrays = j->o->arrays,
                                        .debug = watched.debug,
                                        .trace = watched.trace,
                                        .user = watched.user};
    const heddle_result result = heddle_optimize_code(j->context, p->bytes, p->size, &options, out);
    pass_watch_end(j->o->watch);
    return cli_exit_code(result);
}

static int
show_program(job *j, const program *p)
{
    heddle_output *out;
    const int code = optimize(j, p, "figures", &out);
    if (code != CLI_OK)
        return code;
    show_figures(j, p->path, p->number, out);
    heddle_destroy_output(out);
    return CLI_OK;
}

static int
write_program(job *j, const program *p, bool as_words)
{
    heddle_output *out;
    int code = optimize(j, p, j->o->emit, &out);
    if (code != CLI_OK)
        return code;
    code = write_made(j, p->path, as_words, heddle_output_data(out), heddle_output_size(out));
    heddle_destroy_output(out);
    return code;
}

/* What the range leaves out stays as it was read. */
static int
handle(job *j, const program *p)
{
    const bool inside = p->number >= j->range.first && p->number <= j->range.last;
    const bool as_words = cli_has_words(p->path) && !j->o->emit;
    const bool writes = !j->o->figures || j->o->output;
    int code = CLI_OK;
    if (inside == j->range.excludes)
        return writes ? write_made(j, p->path, as_words, p->bytes, p->size) : CLI_OK;
    if (j->o->figures)
        code = show_program(j, p);
    return code == CLI_OK && writes ? write_program(j, p, as_words) : code;
}

static int
optimize_file(job *j, const char *path, uint64_t number)
{
    program p = {.path = path, .number = number};
    if (!cli_read_file(path, &p.bytes, &p.size))
        return CLI_FAILED;
    const bool ok = !cli_has_words(path) || cli_decode_words(p.bytes, &p.size);
    const int code = ok ? handle(j, &p)
                        : cli_usage_error("opt: %s has something else than words of 8 or 16 digits",
                                          path);
    free(p.bytes);
    return code;
}

static int
check(job *j, const cli_list *files)
{
    struct stat s;
    const bool is_folder = j->o->output && stat(j->o->output, &s) == 0 && S_ISDIR(s.st_mode);
    j->many = is_folder;
    if (!files->count)
        return cli_usage_error("opt: no input");
    if (files->count > 1 && !is_folder && (j->o->output || !j->o->figures))
        return cli_usage_error("opt: more than one input: give -o a folder");
    return take_switches(j);
}

int
opt_code_run(const opt_code *o, const cli_list *files)
{
    job j = {.o = o};
    int code = check(&j, files);
    j.context = code == CLI_OK ? cli_context() : NULL;
    if (code == CLI_OK && !j.context)
        code = CLI_INTERNAL;
    for (size_t i = 0; i < files->count && j.context; i++)
        code = cli_worse(code, optimize_file(&j, files->items[i], i + 1));
    if (o->figures && files->count > 1 && j.context)
        print_figures("all", j.sums);
    heddle_destroy_context(j.context);
    free(j.debug);
    return code;
}
