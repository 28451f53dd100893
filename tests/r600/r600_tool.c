/* Words and texts of TeraScale's instructions for the tests.
 *
 *   r600_tool text GEN      lines "SPACE WORD ..." (cf, alu, fetch; hex) to texts; "!" before a text that does not give the words
 *   r600_tool words GEN     texts, one a line, to words; "!" and a message for a line that is wrong
 *   r600_tool rows          names of rows, formats, the generations that have them
 *   r600_tool row GEN       lines as for `text` to names of rows and formats
 *   r600_tool samples GEN SEED COUNT  random words of each row, which their texts give back
 *   r600_tool mutate GEN SEED COUNT   assembles texts of each row with changed characters: they are read or refused
 *   r600_tool random GEN SEED COUNT   checks that random words and programs keep their bytes as text
 *   r600_tool identity GEN FILE ...   programs of hexadecimal words: disassembled, assembled to the same words
 *   r600_tool check GEN FILE ...      the same, through the checkers of groups
 */
#include "base/diag.h"
#include "families/families.h"
#include "family/listing.h"
#include "r600/emu/emu.h"
#include "r600/isa/asm/asm.h"
#include "r600/isa/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, MAX_WORDS = 1 << 18 };

typedef struct tool {
    diag d;
    arena a;
    unsigned gen;
    family_target target;
    const r600_isa *isa;
    asm_line_check *check;
    base_buf text;
} tool;

static const char *const chip_of[] = {"rv670", "rv770", "cypress", "cayman"};
static const char *const space_names[] = {"cf", "alu", "fetch"};

static unsigned
find_chip(const char *name)
{
    unsigned g = 0;
    while (g < R600_GENS && strcmp(name, chip_of[g]) != 0)
        g++;
    return g;
}

static void
start(tool *t, const char *gen)
{
    t->gen = find_chip(gen);
    diag_init(&t->d);
    arena_init(&t->a, &base_malloc_allocator, diag_out_of_memory, &t->d);
    if (t->gen == R600_GENS || !DIAG_TRY(&t->d))
        exit(2);
    families_find_target(gen, &t->target);
    t->isa = r600_isa_open(&t->a, (r600_gen)t->gen);
    t->check = r600_line_check_new(&t->a, t->isa);
    t->text = buf_make(&t->a);
}

static unsigned
words_of(r600_space space)
{
    return space == R600_SPACE_FETCH ? 4 : 2;
}

/* Puts the text of words into `t->text`. Returns true if it assembles to them. */
static bool
print_inst(tool *t, r600_space space, const uint32_t *words, r600_inst *in)
{
    uint8_t bytes[16];
    bool extra = r600_decode(t->isa, space, words, in);
    for (unsigned i = 0; i < words_of(space); i++)
        base_put_u32(bytes + 4 * i, words[i]);
    t->text.size = 0;
    r600_print(t->isa, in, NULL, &t->text);
    const asm_text line = {(const char *)t->text.data, t->text.size};
    return in->op != R600_RAW && !extra &&
           r600_line_check_run(t->check, line, bytes, words_of(space) * 4u);
}

static bool
read_line(const char *line, r600_space *space, uint32_t words[R600_MAX_WORDS])
{
    char name[8];
    unsigned v[4] = {0}, s = 0;
    const int n = sscanf(line, "%7s %x %x %x %x", name, &v[0], &v[1], &v[2], &v[3]);
    while (s < R600_SPACES && strcmp(name, space_names[s]) != 0)
        s++;
    *space = (r600_space)s;
    for (unsigned i = 0; i < 4; i++)
        words[i] = v[i];
    return n > 0 && s < R600_SPACES && n == (int)words_of(*space) + 1;
}

/* The text without what aligns it. */
static const char *
plain_text(tool *t)
{
    static char out[LINE];
    size_t n = 0;
    bool blank = true;
    for (size_t i = 0; i < t->text.size && n + 1 < LINE; i++) {
        const char c = (char)t->text.data[i];
        if (c != ' ' || !blank)
            out[n++] = c;
        blank = c == ' ';
    }
    out[n] = '\0';
    return out;
}

static int
print_texts(tool *t, bool rows)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        r600_space space;
        uint32_t words[R600_MAX_WORDS];
        r600_inst in;
        if (!read_line(line, &space, words)) {
            printf("?\n");
            continue;
        }
        bool exact = print_inst(t, space, words, &in);
        if (rows)
            printf("%s%s %s\n", exact ? "" : "!", r600_op_row(in.op)->name,
                   in.op > R600_LITERAL ? r600_format_of(in.op)->name : "-");
        else
            printf("%s%s\n", exact ? "" : "!", plain_text(t));
    }
    return 0;
}

static asm_unit *
assemble(tool *t, diag *d, asm_text text)
{
    const asm_options o = {.is_code = true};
    asm_unit *u = r600_assemble_unit(d, &t->a, t->isa, &o, text);
    asm_resolve(u);
    return u;
}

static int
print_words(tool *t)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        diag d;
        diag_init(&d);
        const arena_mark mark = arena_save(&t->a);
        if (DIAG_TRY(&d)) {
            const base_buf *b = &assemble(t, &d, (asm_text){line, strlen(line)})->sections[0].data;
            for (size_t at = 0; at + 4 <= b->size; at += 4)
                printf("%s%08x", at ? " " : "", r600_read_dword(b->data + at));
            printf("\n");
        } else {
            printf("!%u:%u: %s\n", d.loc.line, d.loc.column, d.message);
        }
        arena_release(&t->a, mark);
    }
    return 0;
}

static uint32_t
next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed ^ *seed >> 29) >> 16);
}

/* Words of a row; with few bits set they are nearer to real ones. */
static void
draw_words(const tool *t, r600_op op, uint64_t *seed, uint32_t *words)
{
    const unsigned n = words_of((r600_space)r600_format_of(op)->space);
    const bool is_sparse = next_random(seed) & 1;
    for (unsigned w = 0; w < n; w++) {
        uint32_t bits = next_random(seed) & next_random(seed);
        if (is_sparse)
            bits &= next_random(seed);
        uint32_t used = 0;
        const r600_bits *b =
            r600_word_row((r600_word)r600_format_of(op)->words[t->isa->gen][w])->bits;
        for (unsigned i = 0; i < R600_MAX_BITS && b[i].width; i++)
            if (b[i].kind == R600_BITS_FIELD)
                used |= (uint32_t)(((UINT64_C(1) << b[i].width) - 1) << b[i].low);
        words[w] = (bits & used) | t->isa->value[op][w];
    }
}

static int
print_samples(tool *t, uint64_t seed, unsigned long count)
{
    for (unsigned op = 0; op < R600_OP_COUNT; op++) {
        unsigned long found = 0;
        for (unsigned i = 0; r600_op_exists((r600_op)op, t->isa->gen) && i < 20000 && found < count;
             i++) {
            const r600_space space = (r600_space)r600_format_of((r600_op)op)->space;
            uint32_t words[R600_MAX_WORDS] = {0};
            r600_inst in;
            draw_words(t, (r600_op)op, &seed, words);
            if (!print_inst(t, space, words, &in) || in.op != (r600_op)op)
                continue;
            found++;
            printf("%s", space_names[space]);
            for (unsigned w = 0; w < words_of(space); w++)
                printf(" %08x", words[w]);
            printf("  %s\n", plain_text(t));
        }
    }
    return 0;
}

/* Assembles a text. Returns true if it is an instruction. */
static bool
is_accepted(tool *t, asm_text text)
{
    const arena_mark mark = arena_save(&t->a);
    diag d;
    diag_init(&d);
    if (!DIAG_TRY(&d)) {
        arena_release(&t->a, mark);
        return false;
    }
    assemble(t, &d, text);
    arena_release(&t->a, mark);
    return true;
}

/* Each text is copied to a block of its size, so that reading behind its end is found. */
static unsigned long
mutate_text(tool *t, asm_text text, uint64_t *seed)
{
    static const char characters[] = "()<>[],.#+-|@:;_RTLPVSxyzwt0123456789 \t\n\"'\\/*KCB";
    unsigned long accepted = 0;
    for (unsigned i = 0; i < 8; i++) {
        char *copy = malloc(text.size + 1);
        memcpy(copy, text.text, text.size);
        for (unsigned n = 0; n <= i % 3 && text.size; n++)
            copy[next_random(seed) % text.size] =
                characters[next_random(seed) % (sizeof characters - 1)];
        accepted += is_accepted(
            t, (asm_text){copy, i % 2 ? next_random(seed) % (text.size + 1) : text.size});
        free(copy);
    }
    return accepted;
}

static int
mutate(tool *t, uint64_t seed, unsigned long count)
{
    unsigned long accepted = 0, n = 0;
    for (unsigned op = 0; op < R600_OP_COUNT; op++) {
        for (unsigned long i = 0; i < count && r600_op_exists((r600_op)op, t->isa->gen); i++) {
            char text[LINE];
            uint32_t words[R600_MAX_WORDS] = {0};
            r600_inst in;
            draw_words(t, (r600_op)op, &seed, words);
            print_inst(t, (r600_space)r600_format_of((r600_op)op)->space, words, &in);
            size_t size = t->text.size < LINE ? t->text.size : LINE;
            memcpy(text, t->text.data, size);
            accepted += mutate_text(t, (asm_text){text, size}, &seed);
            n += 8;
        }
    }
    printf("1..1\nok 1 - %lu of %lu changed texts are instructions\n", accepted, n);
    return 0;
}

static int
print_rows(void)
{
    for (unsigned op = R600_LITERAL + 1; op < R600_OP_COUNT; op++) {
        printf("%s %s", r600_op_row((r600_op)op)->name, r600_format_of((r600_op)op)->name);
        for (unsigned g = 0; g < R600_GENS; g++)
            if (r600_op_exists((r600_op)op, (r600_gen)g))
                printf(" %s", chip_of[g]);
        printf("\n");
    }
    return 0;
}

/* ---- programs ---- */

/* Lists a program and assembles the text. Returns the first word that differs, or -1. */
static long
check_program(tool *t, const uint8_t *bytes, size_t size, unsigned long *data)
{
    base_buf out = buf_make(&t->a);
    family_listing l = {.isa = t->target.family->isa,
                        .reader = t->target.family->isa->open(&t->a, &t->target, 0),
                        .bytes = bytes,
                        .size = size,
                        .out = &out};
    family_listing_begin(&l);
    family_listing_find_labels(&l, &t->a);
    family_listing_run(&l);
    diag d;
    diag_init(&d);
    if (!DIAG_TRY(&d)) {
        printf("%u:%u: %s\n", d.loc.line, d.loc.column, d.message);
        return 0;
    }
    const base_buf *made =
        &assemble(t, &d, (asm_text){(const char *)out.data, out.size})->sections[0].data;
    for (const char *p = buf_text(&out); (p = strstr(p, ".long 0x")); p++)
        *data += strncmp(p, ".long 0x00000000", 16) != 0;
    for (size_t i = 0; i < size; i++)
        if (i >= made->size || made->data[i] != bytes[i])
            return (long)(i / 4);
    return made->size == size ? -1 : (long)(size / 4);
}

static uint8_t bytes[MAX_WORDS * 4];

static size_t
read_program(const char *path)
{
    size_t size = 0;
    unsigned word;
    FILE *f = fopen(path, "r");
    while (f && size < sizeof bytes && fscanf(f, "%x", &word) == 1)
        size = (size_t)(base_put_u32(bytes + size, word) - bytes);
    if (f)
        fclose(f);
    return size;
}

/* Checks the groups of programs. */
static int
check_groups(tool *t, char **files)
{
    static mach_report report;
    unsigned long n = 0, bad = 0;
    for (; *files; files++, n++) {
        const arena_mark mark = arena_save(&t->a);
        const r600_emu_dispatch d = {.chip = t->target.own,
                                     .code = bytes,
                                     .size = read_program(*files),
                                     .checks = MACH_CHECK_ALL};
        r600_emu_check_code(&t->a, &d, &report);
        for (uint32_t i = 0; i < report.n_findings && i < 3; i++)
            printf("%s: %llx: `%s` %s [%s]\n", *files, (unsigned long long)report.findings[i].pc,
                   report.findings[i].text, report.findings[i].message,
                   report.findings[i].rule ? report.findings[i].rule : "-");
        bad += report.n_findings != 0;
        arena_release(&t->a, mark);
    }
    printf("%lu programs, %lu with findings\n", n, bad);
    return bad != 0;
}

static int
check_files(tool *t, char **files)
{
    unsigned long n = 0, words = 0, data = 0, bad = 0;
    for (; *files; files++, n++) {
        const size_t size = read_program(*files);
        const arena_mark mark = arena_save(&t->a);
        const unsigned long before = data;
        const long wrong = check_program(t, bytes, size, &data);
        arena_release(&t->a, mark);
        words += size / 4;
        bad += wrong >= 0;
        if (wrong >= 0)
            printf("%s: word %ld is another\n", *files, wrong);
        else if (data != before)
            printf("%s: %lu words are data\n", *files, data - before);
    }
    printf("%lu programs, %lu words, %lu of them data, %lu programs differ\n", n, words, data, bad);
    return bad != 0;
}

/* Words that a text stands for must decode to the same text; others are data. */
static int
check_random(tool *t, uint64_t seed, unsigned long count)
{
    unsigned long exact = 0, data = 0;
    for (unsigned long i = 0; i < count; i++) {
        uint32_t words[R600_MAX_WORDS], again[R600_MAX_WORDS] = {0};
        r600_inst in;
        const r600_space space = (r600_space)(next_random(&seed) % R600_SPACES);
        for (unsigned w = 0; w < R600_MAX_WORDS; w++)
            words[w] = next_random(&seed);
        bool extra = r600_decode(t->isa, space, words, &in);
        r600_encode(t->isa, &in, again);
        if (!extra && memcmp(again, words, words_of(space) * 4u) != 0) {
            printf("1..1\nnot ok 1 - %s %08x %08x is encoded in another way\n", space_names[space],
                   words[0], words[1]);
            return 1;
        }
        exact += print_inst(t, space, words, &in);
    }
    for (unsigned long i = 0; i < count / 200; i++) {
        uint8_t random[64 * 4];
        for (unsigned w = 0; w < 64; w++)
            base_put_u32(random + 4 * w,
                         w < 8 || w & 1 ? next_random(&seed) : next_random(&seed) & 0x1f);
        const arena_mark mark = arena_save(&t->a);
        const bool is_same = check_program(t, random, sizeof random, &data) < 0;
        arena_release(&t->a, mark);
        if (!is_same) {
            printf("1..1\nnot ok 1 - program %lu has other bytes\n", i);
            return 1;
        }
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
        return print_texts(&t, false);
    if (!strcmp(argv[1], "row"))
        return print_texts(&t, true);
    if (!strcmp(argv[1], "words"))
        return print_words(&t);
    if (!strcmp(argv[1], "identity"))
        return check_files(&t, argv + 3);
    if (!strcmp(argv[1], "check"))
        return check_groups(&t, argv + 3);
    if (argc == 5 && !strcmp(argv[1], "samples"))
        return print_samples(&t, strtoull(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    if (argc == 5 && !strcmp(argv[1], "mutate"))
        return mutate(&t, strtoull(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    if (argc == 5 && !strcmp(argv[1], "random"))
        return check_random(&t, strtoull(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    return 2;
}
