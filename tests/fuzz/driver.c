/* Seeded mutation: the same runs every time.
 *
 *     fuzz_X [--runs=N] [--seconds=N] [--seed=N] [--max=BYTES] [--head=BYTE] [--salt=OFFSET]
 *            [--dump=FOLDER] FILE...
 *
 * Files are the initial inputs; --head puts a byte before each, for targets whose first byte is a
 * selector. With --salt most mutants differ only in the word at that offset, for targets that make
 * their own changes based on it. --seconds also limits the time for mutants. First each input is
 * run unchanged, then N mutants. A mutant is a copy of a random input with one to eight changes:
 * bits, bytes, words of interest, pieces deleted, doubled, or taken from another input. --dump
 * writes the inputs to a folder instead, for libFuzzer. Before each run the input is written to
 * $FUZZ_SAVE, if that is set: after a crash it holds the input that caused it.
 */
#include "fuzz.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_INPUTS = 4096 };

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

typedef struct fuzzer {
    input inputs[MAX_INPUTS];
    size_t count;
    size_t max;
    bool has_head;
    uint8_t head; /* before each file's bytes */
    size_t salt;  /* SIZE_MAX: none */
    uint64_t state;
    uint8_t *mutant; /* `max` bytes */
    size_t size;
} fuzzer;

/* xorshift64* (Vigna 2016). */
static uint64_t
next_random(fuzzer *f)
{
    f->state ^= f->state >> 12;
    f->state ^= f->state << 25;
    f->state ^= f->state >> 27;
    return f->state * UINT64_C(0x2545f4914f6cdd1d);
}

static size_t
below(fuzzer *f, size_t n)
{
    return n ? (size_t)(next_random(f) >> 11) % n : 0;
}

static void
add_input(fuzzer *f, uint8_t *data, size_t size)
{
    if (f->count < MAX_INPUTS && size <= f->max)
        f->inputs[f->count++] = (input){data, size};
    else
        free(data);
}

static void
add_file(fuzzer *f, const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(f->max + 1);
    if (!file || !data) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    if (f->has_head)
        data[0] = f->head;
    add_input(f, data, f->has_head + fread(data + f->has_head, 1, f->max + 1 - f->has_head, file));
    fclose(file);
}

static void
run(const uint8_t *data, size_t size)
{
    const char *save = getenv("FUZZ_SAVE");
    FILE *file = save ? fopen(save, "wb") : NULL;
    if (file) {
        fwrite(data, 1, size, file);
        fclose(file);
    }
    uint8_t *exact = malloc(size ? size : 1); /* so that ASan sees a read after the end */
    if (!exact)
        exit(1);
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void
insert(fuzzer *f, size_t at, const uint8_t *from, size_t n)
{
    if (n > f->max - f->size)
        n = f->max - f->size;
    memmove(f->mutant + at + n, f->mutant + at, f->size - at);
    memcpy(f->mutant + at, from, n);
    f->size += n;
}

static void
put_word(fuzzer *f, size_t at)
{
    static const uint32_t words[] = {0,      1,      0x7f,       0x80,       0xff,       0x100,
                                     0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000};
    size_t n = (size_t)1 << below(f, 3);
    uint32_t w = words[below(f, sizeof words / sizeof words[0])];
    if (at + n <= f->size)
        memcpy(f->mutant + at, &w, n);
}

static void
change(fuzzer *f)
{
    size_t at = below(f, f->size), len = 1 + below(f, f->size - at < 64 ? f->size - at : 64);
    const input *other = &f->inputs[below(f, f->count)];
    uint8_t piece[256];
    switch (f->size ? below(f, 9) : 8) {
    case 0: f->mutant[at] ^= (uint8_t)(1 << below(f, 8)); break;
    case 1: f->mutant[at] = (uint8_t)next_random(f); break;
    case 2: put_word(f, at); break;
    case 3: put_word(f, at & ~(size_t)3); break;
    case 4: f->mutant[at] = (uint8_t)(f->mutant[at] + (below(f, 2) ? 1 : -1)); break;
    case 5:
        memmove(f->mutant + at, f->mutant + at + len, f->size - at - len);
        f->size -= len;
        break;
    case 6:
        memcpy(piece, f->mutant + at, len);
        insert(f, below(f, f->size + 1), piece, len);
        break;
    case 7: f->size = at; break;
    default:
        if (other->size) {
            size_t from = below(f, other->size), left = other->size - from;
            insert(f, at, other->data + from, 1 + below(f, left < 256 ? left : 256));
        }
        break;
    }
}

static void
run_mutant(fuzzer *f)
{
    const input *i = &f->inputs[below(f, f->count)];
    memcpy(f->mutant, i->data, i->size);
    f->size = i->size;
    if (f->salt < f->size && f->size - f->salt >= 4 && below(f, 4)) {
        uint32_t salt = (uint32_t)next_random(f);
        memcpy(f->mutant + f->salt, &salt, 4);
        run(f->mutant, f->size);
        return;
    }
    for (size_t n = 1 + below(f, 8); n; n--)
        change(f);
    run(f->mutant, f->size);
}

/* The inputs as files FOLDER/seed-N. */
static int
dump(const fuzzer *f, const char *folder)
{
    for (size_t i = 0; i < f->count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/seed-%zu", folder, i);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(f->inputs[i].data, 1, f->inputs[i].size, file) != f->inputs[i].size ||
            fclose(file)) {
            fprintf(stderr, "%s: cannot be written\n", path);
            return 1;
        }
    }
    return 0;
}

static unsigned long
number(const char *arg, const char *name, unsigned long otherwise)
{
    size_t len = strlen(name);
    return strncmp(arg, name, len) == 0 ? strtoul(arg + len, NULL, 0) : otherwise;
}

int
main(int argc, char **argv)
{
    static fuzzer f;
    unsigned long runs = 10000, seconds = ULONG_MAX, n = 0;
    time_t start = time(NULL);
    const char *folder = NULL;
    f.max = 1 << 16;
    f.salt = SIZE_MAX;
    f.state = 1;
    for (int i = 1; i < argc; i++) {
        runs = number(argv[i], "--runs=", runs);
        seconds = number(argv[i], "--seconds=", seconds);
        f.salt = number(argv[i], "--salt=", f.salt);
        folder = strncmp(argv[i], "--dump=", 7) == 0 ? argv[i] + 7 : folder;
        f.has_head |= strncmp(argv[i], "--head=", 7) == 0;
        f.head = (uint8_t)number(argv[i], "--head=", f.head);
        f.state = number(argv[i], "--seed=", (unsigned long)f.state);
        f.max = number(argv[i], "--max=", (unsigned long)f.max);
    }
    f.state = f.state * UINT64_C(0x9e3779b97f4a7c15) + 1;
    f.mutant = malloc(f.max + 1);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) != 0)
            add_file(&f, argv[i]);
    }
    size_t size;
    uint8_t *seed;
    for (int i = 0; (seed = fuzz_seed(i, &size)) != NULL; i++)
        add_input(&f, seed, size);
    if (!f.count || !f.mutant) {
        fprintf(stderr, "no inputs\n");
        return 1;
    }
    if (folder)
        return dump(&f, folder);
    for (size_t i = 0; i < f.count; i++)
        run(f.inputs[i].data, f.inputs[i].size);
    for (; n < runs && (unsigned long)(time(NULL) - start) < seconds; n++)
        run_mutant(&f);
    printf("%zu inputs, %lu mutants\n1 passed, 0 failed, 0 skipped\n", f.count, n);
    for (size_t i = 0; i < f.count; i++)
        free(f.inputs[i].data);
    free(f.mutant);
    return 0;
}
