/* Compiles modules for a target under qemu, and prints how many instructions of the processor each compile took:
 *
 *     minsn COUNT TARGET STAGE FILE.spv...
 *
 * COUNT is the file in which the plugin of turnip-anchor (shim/insncount.c) counts. Each file is compiled by a process of
 * its own. A line is "FILE MILLIONS HASH", with a hash of the code object, or "FILE -" if it is refused. */
#include <heddle/heddle.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, MILLION = 1000000 };

typedef struct measure {
    heddle_context *context;
    heddle_compile_options options;
    const volatile uint64_t *count;
} measure;

static const uint64_t *
open_count(const char *path)
{
    const int fd = open(path, O_RDONLY);
    void *page = fd < 0 ? MAP_FAILED : mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) {
        fprintf(stderr, "minsn: cannot read %s\n", path);
        exit(2);
    }
    return page;
}

static uint32_t *
read_words(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    uint32_t *words = NULL;
    if (f && !fseek(f, 0, SEEK_END)) {
        *n = (size_t)ftell(f) / 4;
        words = malloc(*n * 4 + 4);
        rewind(f);
        *n = words ? fread(words, 4, *n, f) : 0;
    }
    if (f)
        fclose(f);
    return words;
}

static uint64_t
hash(const unsigned char *bytes, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t k = 0; k < n; k++)
        h = (h ^ bytes[k]) * UINT64_C(0x100000001b3);
    return h;
}

static void
report(const measure *m, const char *path)
{
    heddle_output *out = NULL;
    size_t n = 0;
    uint32_t *words = read_words(path, &n);
    const uint64_t before = *m->count;
    const heddle_result result = heddle_compile(m->context, words, n, &m->options, &out);
    const uint64_t took = *m->count - before;
    if (result == HEDDLE_OK)
        printf("%s %.6f %016llx\n", path, (double)took / MILLION,
               (unsigned long long)hash(heddle_output_data(out), heddle_output_size(out)));
    else
        printf("%s -\n", path);
    fflush(stdout);
}

int
main(int argc, char **argv)
{
    static const char *const stages[] = {"comp", "vert", "frag"};
    static const heddle_stage values[] = {HEDDLE_STAGE_COMPUTE, HEDDLE_STAGE_VERTEX,
                                          HEDDLE_STAGE_FRAGMENT};
    if (argc < 5) {
        fputs("usage: minsn COUNT TARGET comp|vert|frag FILE.spv...\n", stderr);
        return 2;
    }
    measure m = {.options = {.struct_size = sizeof m.options, .target = argv[2]},
                 .count = open_count(argv[1])};
    for (int k = 0; k < 3; k++)
        if (strcmp(argv[3], stages[k]) == 0)
            m.options.stage = values[k];
    if (heddle_create_context(NULL, &m.context) != HEDDLE_OK)
        return 1;
    for (int k = 4; k < argc; k++) {
        const pid_t child = fork();
        if (child == 0) {
            report(&m, argv[k]);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    heddle_destroy_context(m.context);
    return 0;
}
