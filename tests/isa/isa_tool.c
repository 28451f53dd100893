/* Runs decoder, disassembler, encoder and assembler for the tests, line by line.
 *
 * - isa_tool dis PROCESSOR [32]: each line is hex bytes; prints "size|bytes encoded again|text", or
 *   "invalid"
 * - isa_tool asm PROCESSOR [32]: each line is text; prints its bytes in hex, or
 *   "error: line:column: message"
 * - isa_tool rows PROCESSOR: prints "name format number flags" of every encoding
 */
#include "amd/isa/asm/unit.h"
#include "amd/isa/isa.h"
#include "amd/isa/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static amd_gen gen;

static void
out_of_memory(void *user)
{
    (void)user;
    exit(3);
}

static size_t
read_hex(const char *line, uint8_t *bytes, size_t max)
{
    size_t n = 0;
    unsigned v;
    while (n < max && sscanf(line + n * 2, "%2x", &v) == 1)
        bytes[n++] = (uint8_t)v;
    return n;
}

static void
print_hex(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
}

static void
disassemble_line(const char *line, bool wave64, arena *a)
{
    uint8_t bytes[64];
    size_t size = read_hex(line, bytes, sizeof bytes);
    amd_inst in;
    arena_mark mark = arena_save(a);
    base_buf text = buf_make(a), code = buf_make(a);
    if (!amd_decode(gen, bytes, size, &in)) {
        puts("invalid");
        return;
    }
    printf("%u|", in.size);
    amd_print(gen, &in, wave64, &text);
    if (amd_encode(gen, &in, &code)) {
        amd_inst again;
        print_hex(code.data, code.size);
        if (!amd_decode(gen, code.data, code.size, &again) || memcmp(&again, &in, sizeof in) != 0)
            printf("!"); /* not an identity */
    } else {
        printf("unencodable");
    }
    printf("|%s\n", buf_text(&text));
    arena_release(a, mark);
}

/* Assembles the line as a file: slower, but gives the error message. */
static void
assemble_file(const char *line, bool wave64, arena *a)
{
    diag d;
    diag_init(&d);
    base_buf code = buf_make(a);
    if (DIAG_TRY(&d)) {
        amd_assemble(&d, a, gen, wave64, line, strlen(line), &code);
        print_hex(code.data, code.size);
        puts("");
    } else {
        printf("error: %u:%u: %s\n", (unsigned)d.loc.line, (unsigned)d.loc.column, d.message);
    }
}

static void
assemble_line(asm_line_check *checker, const char *line, bool wave64, arena *a)
{
    arena_mark mark = arena_save(a);
    const base_buf *code = asm_line_assemble(checker, (asm_text){line, strlen(line)});
    if (code) {
        print_hex(code->data, code->size);
        puts("");
    } else {
        assemble_file(line, wave64, a);
    }
    arena_release(a, mark);
}

static void
print_rows(void)
{
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++) {
        for (amd_fmt fmt = 1; fmt < AMD_FMT_COUNT; fmt++) {
            int number = amd_op_number(op, fmt, gen);
            uint32_t flags = amd_op_row(op)->flags;
            amd_fmt own = (amd_fmt)amd_op_row(op)->fmt;
            if (amd_op_number(op, own, gen) < 0)
                flags &= ~(uint32_t)(AMD_F_E64 | AMD_F_SDWA | AMD_F_DPP); /* only VOP3 */
            if (!amd_op_has_dpp(op, own, gen))
                flags &= ~(uint32_t)AMD_F_DPP;
            if (!amd_op_has_sdwa(op, gen))
                flags &= ~(uint32_t)AMD_F_SDWA;
            if (number >= 0)
                printf("%s %d %d%s%s%s\n", amd_op_name(op, gen), (int)fmt, number,
                       amd_op_has_e64(op, gen) && flags & AMD_F_E64 ? " E64" : "",
                       flags & AMD_F_SDWA ? " SDWA" : "", flags & AMD_F_DPP ? " DPP" : "");
        }
    }
}

/* Prints "ALIAS NAME" for each alias of the assembler. */
static void
print_aliases(void)
{
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++) {
        const char *old = amd_op_old_name(op, gen), *name = amd_op_name(op, gen);
        if (old && amd_op_row(op)->number[gen] >= 0 && strcmp(old, name) != 0)
            printf("%s %s\n", old, name);
    }
    for (const amd_alias *a = amd_aliases; a->name; a++)
        if (gen >= a->first && gen <= a->last)
            printf("%s %s\n", a->name, amd_op_name((amd_op)a->op, gen));
}

int
main(int argc, char **argv)
{
    static char line[1 << 16];
    arena a;
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    const char *mode = argc > 2 && amd_gen_find(argv[2], &gen) ? argv[1] : "";
    bool wave64 = !(argc > 3 && strcmp(argv[3], "32") == 0);
    if (strcmp(mode, "rows") == 0) {
        print_rows();
    } else if (strcmp(mode, "aliases") == 0) {
        print_aliases();
    } else if (strcmp(mode, "dis") == 0) {
        while (fgets(line, sizeof line, stdin))
            disassemble_line(line, wave64, &a);
    } else if (strcmp(mode, "asm") == 0) {
        arena of_checker;
        arena_init(&of_checker, &base_malloc_allocator, out_of_memory, NULL);
        asm_line_check *checker = amd_line_check_new(&of_checker, gen, wave64);
        while (fgets(line, sizeof line, stdin))
            assemble_line(checker, line, wave64, &a);
        arena_free(&of_checker);
    } else {
        fputs("usage: isa_tool dis|asm|rows|aliases PROCESSOR [32]\n", stderr);
        return 2;
    }
    arena_free(&a);
    return 0;
}
