/* Words and texts of Adreno's instructions for the tests.
 *
 *   adreno_tool text GEN      words, in hex one a line, to texts; "!" before a text whose word has bits that it does not show
 *   adreno_tool words GEN     texts, one a line, to words; "!" and a message for a line that is wrong
 *   adreno_tool rows          names of rows, formats, first and last generation
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
    adreno_line_check *check;
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
    bool extra = adreno_decode(t->isa, word, &in);
    t->text.size = 0;
    adreno_print(t->isa, &in, NULL, &t->text);
    return adreno_line_check_run(t->check, (const char *)t->text.data, t->text.size, word) &&
           !extra;
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
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t word = seed ^ seed >> 29 ^ seed << 17;
        adreno_inst in;
        bool extra = adreno_decode(t->isa, word, &in);
        uint64_t again = adreno_encode(t->isa, &in);
        if (!extra && again != word) {
            printf("%016llx is encoded as %016llx\n", (unsigned long long)word,
                   (unsigned long long)again);
            return 1;
        }
        exact += print_word(t, word);
    }
    printf("%lu of %lu words have texts\n", exact, count);
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
    if (argc == 5 && !strcmp(argv[1], "random"))
        return check_random(&t, strtoull(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    return 2;
}
