/* round_trip [--target=T] [--wave=N] [--hsa] [--debug=SWITCHES] [--every=N] [--first=N] FILE.spv...:
 * is a compile in two parts the same as in one?
 *
 * For each phase of the pipeline: the program printed behind the phase is read back and compiled
 * further. The code object must have the bytes of the direct compile's. Without --every, all phases;
 * --every=N takes each phase in every Nth file, a different N for each. Prints a line for each
 * difference, and at the end the numbers of compiles and differences. Only the public API is used.
 */
#include <heddle/heddle.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tester {
    heddle_context *context;
    heddle_compile_options options;
    unsigned every, n_file;
    unsigned n_done, n_failed, n_refused;
} tester;

static void
report(void *user, const heddle_diagnostic *d)
{
    (void)user;
    if (d->result != HEDDLE_OK)
        fprintf(stderr, "%s [%s]\n", d->text, d->name);
}

static uint32_t *
read_words(const char *path, size_t *n_words)
{
    FILE *f = fopen(path, "rb");
    long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    uint32_t *words = size > 0 ? malloc((size_t)size) : NULL;
    bool ok = words && fseek(f, 0, SEEK_SET) == 0 &&
              fread(words, 1, (size_t)size, f) == (size_t)size;
    if (f)
        fclose(f);
    if (!ok) {
        fprintf(stderr, "round_trip: cannot read %s\n", path);
        exit(2);
    }
    *n_words = (size_t)size / 4;
    return words;
}

/* The name of phase number `index`; false behind the last. */
static bool
name_phase(const tester *t, uint32_t index, char out[80])
{
    heddle_phase_info info = {.struct_size = sizeof info};
    if (heddle_get_phase(t->options.target, index, &info) != HEDDLE_OK)
        return false;
    if (info.count > 1)
        snprintf(out, 80, "%s.%u", info.pass, (unsigned)info.number);
    else
        snprintf(out, 80, "%s", info.pass);
    return true;
}

/* Compiles the rest of `text`. Returns NULL if it has the bytes of `whole`, else what is wrong. */
static const char *
check_rest(tester *t, const heddle_output *text, const heddle_output *whole)
{
    heddle_output *rest;
    heddle_compile_options o = t->options;
    o.emit = NULL;
    if (heddle_compile_hir(t->context, heddle_output_data(text), heddle_output_size(text), &o,
                           &rest) != HEDDLE_OK)
        return "the text is refused";
    bool same = heddle_output_size(rest) == heddle_output_size(whole) &&
                memcmp(heddle_output_data(rest), heddle_output_data(whole),
                       heddle_output_size(rest)) == 0;
    heddle_destroy_output(rest);
    return same ? NULL : "the code differs";
}

/* Does the text print as itself again? */
static const char *
check_text(tester *t, const heddle_output *text, const char *phase)
{
    heddle_output *again;
    heddle_compile_options o = t->options;
    o.emit = phase;
    if (heddle_compile_hir(t->context, heddle_output_data(text), heddle_output_size(text), &o,
                           &again) != HEDDLE_OK)
        return "the text is refused";
    bool same = heddle_output_size(again) == heddle_output_size(text) &&
                memcmp(heddle_output_data(again), heddle_output_data(text),
                       heddle_output_size(text)) == 0;
    heddle_destroy_output(again);
    return same ? NULL : "the text prints as another one";
}

static void
check_phase(tester *t, const uint32_t *words, size_t n_words, const heddle_output *whole,
            const char *phase)
{
    heddle_output *text;
    heddle_compile_options o = t->options;
    o.emit = phase;
    t->n_done++;
    const char *wrong = "there is no text";
    if (heddle_compile(t->context, words, n_words, &o, &text) == HEDDLE_OK) {
        wrong = check_rest(t, text, whole);
        if (!wrong)
            wrong = check_text(t, text, phase);
        heddle_destroy_output(text);
    }
    if (wrong)
        printf("not ok: %s: %s behind %s\n", t->options.file, wrong, phase);
    t->n_failed += wrong != NULL;
}

static void
check_file(tester *t, const char *path)
{
    size_t n_words;
    uint32_t *words = read_words(path, &n_words);
    heddle_output *whole;
    char phase[80];
    t->options.file = path;
    if (heddle_compile(t->context, words, n_words, &t->options, &whole) == HEDDLE_OK) {
        if (t->n_file % t->every == 0)
            check_phase(t, words, n_words, whole, "hir");
        for (uint32_t k = 0; name_phase(t, k, phase); k++) {
            if ((t->n_file + k + 1) % t->every == 0)
                check_phase(t, words, n_words, whole, phase);
        }
        heddle_destroy_output(whole);
    } else {
        t->n_refused++;
    }
    t->n_file++;
    free(words);
}

static bool
read_option(tester *t, const char *arg)
{
    if (strncmp(arg, "--wave=", 7) == 0)
        t->options.wave_size = (uint32_t)strtoul(arg + 7, NULL, 10);
    else if (strncmp(arg, "--target=", 9) == 0)
        t->options.target = arg + 9;
    else if (strncmp(arg, "--debug=", 8) == 0)
        t->options.debug = arg + 8;
    else if (strncmp(arg, "--every=", 8) == 0)
        t->every = (unsigned)strtoul(arg + 8, NULL, 10);
    else if (strncmp(arg, "--first=", 8) == 0)
        t->n_file = (unsigned)strtoul(arg + 8, NULL, 10);
    else if (strcmp(arg, "--hsa") == 0)
        t->options.abi = HEDDLE_ABI_HSA;
    else
        return false;
    return true;
}

int
main(int argc, char **argv)
{
    static tester t;
    heddle_context_options c = {.struct_size = sizeof c, .diagnostic = report};
    t.options = (heddle_compile_options){.struct_size = sizeof t.options, .target = "gfx1030"};
    t.every = 1;
    if (heddle_create_context(&c, &t.context) != HEDDLE_OK)
        return 2;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0)
            check_file(&t, argv[i]);
        else if (!read_option(&t, argv[i]) || !t.every)
            return 2;
    }
    heddle_destroy_context(t.context);
    printf("%u passed, %u failed, %u skipped\n", t.n_done - t.n_failed, t.n_failed, t.n_refused);
    return t.n_failed != 0;
}
