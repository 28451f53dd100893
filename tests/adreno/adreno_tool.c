/* Words and texts of Adreno's instructions for the tests.
 *
 *   adreno_tool text GEN      words, in hex one a line, to texts; "!" before a text whose word has bits that it does not show
 *   adreno_tool words GEN     texts, one a line, to words; "!" and a message for a line that is wrong
 *   adreno_tool rows          names of rows, formats, first and last generation
 *   adreno_tool row GEN       words to names of rows and formats; "!" if a word's text does not give it back
 *   adreno_tool samples GEN SEED COUNT  random words of each row, which their texts give back
 *   adreno_tool mutate GEN SEED COUNT   assembles texts of each row with changed characters: they are read or refused
 *   adreno_tool random GEN SEED COUNT   checks that random words keep their bytes as text; prints the first that does not
 */
#include "adreno/isa/asm/asm.h"
#include "adreno/isa/table/table.h"
#include "asm/ctx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096 };

typedef struct tool {
    diag d;
    arena a;
    const adreno_isa *isa;
    asm_line_check *check;
    base_buf text;
} tool;

static void
start(tool *t, const char *gen)
{
    diag_init(&t->d);
    arena_init(&t->a, &base_malloc_allocator, diag_out_of_memory, &t->d);
    if (!DIAG_TRY(&t->d))
        exit(1);
    t->isa = adreno_isa_open(&t->a, (unsigned)strtoul(gen, NULL, 10));
    t->check = adreno_line_check_new(&t->a, t->isa);
    t->text = buf_make(&t->a);
}

/* Puts the text of a word into `t->text`. Returns true if it assembles to the word. */
static bool
print_word(tool *t, uint64_t word)
{
    adreno_inst in;
    uint8_t bytes[ADRENO_WORD_BYTES];
    bool extra = adreno_decode(t->isa, word, &in);
    t->text.size = 0;
    adreno_print(t->isa, &in, NULL, &t->text);
    const asm_text line = {(const char *)t->text.data, t->text.size};
    for (unsigned i = 0; i < ADRENO_WORD_BYTES; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
    return asm_line_check_run(t->check, line, bytes, sizeof bytes) && !extra;
}

static int
print_texts(tool *t)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        bool exact = print_word(t, strtoull(line, NULL, 16));
        printf("%s%.*s\n", exact ? "" : "!", (int)t->text.size, (const char *)t->text.data);
    }
    return 0;
}

static int
print_words(tool *t)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        const asm_options o = {.is_code = true};
        line[strcspn(line, "\n")] = '\0';
        diag d;
        diag_init(&d);
        arena_mark mark = arena_save(&t->a);
        if (DIAG_TRY(&d)) {
            asm_unit *u =
                adreno_assemble_unit(&d, &t->a, t->isa, &o, (asm_text){line, strlen(line)})->text;
            asm_resolve(u);
            const base_buf *b = &u->sections[0].data;
            for (size_t at = 0; at + 8 <= b->size; at += 8)
                printf("%s%016llx", at ? " " : "",
                       (unsigned long long)adreno_read_word(b->data + at));
            printf("\n");
        } else {
            printf("!%u:%u: %s\n", d.loc.line, d.loc.column, d.message);
        }
        arena_release(&t->a, mark);
    }
    return 0;
}

static int
print_row_names(tool *t)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        uint64_t word = strtoull(line, NULL, 16);
        bool exact = print_word(t, word);
        adreno_inst in;
        adreno_decode(t->isa, word, &in);
        printf("%s%s %s\n", exact ? "" : "!", adreno_op_row(in.op)->name,
               in.op ? adreno_format_of(in.op)->name : "-");
    }
    return 0;
}

static uint64_t
next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed ^ *seed >> 29 ^ *seed << 17;
}

/* Words of a row with few bits set are nearer to real ones. */
static int
print_samples(tool *t, uint64_t seed, unsigned long count)
{
    for (unsigned op = 1; op < ADRENO_OP_COUNT; op++) {
        if (!adreno_op_exists((adreno_op)op, t->isa->gen))
            continue;
        unsigned long found = 0;
        for (unsigned i = 0; i < 200000 && found < count; i++) {
            uint64_t word = next_random(&seed) & next_random(&seed);
            adreno_inst in;
            word &= i % 2 ? next_random(&seed) : UINT64_MAX;
            word = (word & ~t->isa->mask[op]) | t->isa->value[op];
            if (adreno_decode(t->isa, word, &in) || in.op != (adreno_op)op || !print_word(t, word))
                continue;
            found++;
            printf("%016llx\n", (unsigned long long)word);
        }
    }
    return 0;
}

/* Assembles a text. Returns true if it is an instruction. */
static bool
is_accepted(tool *t, const char *text, size_t size)
{
    const asm_options o = {.is_code = true};
    const arena_mark mark = arena_save(&t->a);
    diag d;
    diag_init(&d);
    if (!DIAG_TRY(&d)) {
        arena_release(&t->a, mark);
        return false;
    }
    asm_resolve(adreno_assemble_unit(&d, &t->a, t->isa, &o, (asm_text){text, size})->text);
    arena_release(&t->a, mark);
    return true;
}

/* Each text is copied to a block of its size, so that reading behind its end is found. */
static unsigned long
mutate_text(tool *t, const char *text, size_t size, uint64_t *seed)
{
    static const char characters[] = "()<>[],.#+-abcfhnprstuwxyz0123456789@ \t\n\"'\\/*;";
    unsigned long accepted = 0;
    for (unsigned i = 0; i < 8; i++) {
        char *copy = malloc(size + 1);
        memcpy(copy, text, size);
        for (unsigned n = 0; n <= i % 3 && size; n++)
            copy[next_random(seed) % size] =
                characters[next_random(seed) % (sizeof characters - 1)];
        accepted += is_accepted(t, copy, i % 2 ? next_random(seed) % (size + 1) : size);
        free(copy);
    }
    return accepted;
}

static int
mutate(tool *t, uint64_t seed, unsigned long count)
{
    unsigned long accepted = 0, n = 0;
    for (unsigned op = 1; op < ADRENO_OP_COUNT; op++) {
        for (unsigned long i = 0; i < count && adreno_op_exists((adreno_op)op, t->isa->gen); i++) {
            char text[LINE];
            uint64_t word = (next_random(&seed) & next_random(&seed) & ~t->isa->mask[op]) |
                            t->isa->value[op];
            print_word(t, word);
            size_t size = t->text.size < LINE ? t->text.size : LINE;
            memcpy(text, t->text.data, size);
            accepted += mutate_text(t, text, size, &seed);
            n += 8;
        }
    }
    printf("1..1\nok 1 - %lu of %lu changed texts are instructions\n", accepted, n);
    return 0;
}

static int
print_rows(void)
{
    for (unsigned op = 1; op < ADRENO_OP_COUNT; op++) {
        const adreno_op_info *row = adreno_op_row((adreno_op)op);
        printf("%s %s %u %u\n", row->name, adreno_format_of((adreno_op)op)->name, row->first,
               row->last);
    }
    return 0;
}

/* A word that a text stands for must decode to the same text; others are data. */
static int
check_random(tool *t, uint64_t seed, unsigned long count)
{
    unsigned long exact = 0;
    for (unsigned long i = 0; i < count; i++) {
        uint64_t word = next_random(&seed);
        adreno_inst in;
        bool extra = adreno_decode(t->isa, word, &in);
        uint64_t again = adreno_encode(t->isa, &in);
        if (!extra && again != word) {
            printf("1..1\nnot ok 1 - %016llx is encoded as %016llx\n", (unsigned long long)word,
                   (unsigned long long)again);
            return 1;
        }
        exact += print_word(t, word);
    }
    printf("1..1\nok 1 - %lu of %lu words have texts\n", exact, count);
    return 0;
}

int
main(int argc, char **argv)
{
    static tool t;
    if (argc == 2 && !strcmp(argv[1], "rows"))
        return print_rows();
    if (argc < 3)
        return 2;
    start(&t, argv[2]);
    if (!strcmp(argv[1], "text"))
        return print_texts(&t);
    if (!strcmp(argv[1], "words"))
        return print_words(&t);
    if (!strcmp(argv[1], "row"))
        return print_row_names(&t);
    if (argc == 5 && !strcmp(argv[1], "samples"))
        return print_samples(&t, strtoull(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    if (argc == 5 && !strcmp(argv[1], "mutate"))
        return mutate(&t, strtoull(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    if (argc == 5 && !strcmp(argv[1], "random"))
        return check_random(&t, strtoull(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    return 2;
}
