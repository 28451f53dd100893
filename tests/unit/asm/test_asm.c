/* The assembler's language with a made-up machine: instructions of two bytes, `#` for comments. */
#include "asm/ctx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ADD = 1, JUMP = 2, PAUSE = 3 };

/* The machine's state. */
typedef struct toy {
    unsigned statements, marks;
} toy;

/* add NUMBER: the second byte. */
static void
read_add(asm_ctx *a)
{
    int64_t v = asm_number(a, -128, 127);
    buf_put_u8(a->out, ADD);
    buf_put_u8(a->out, (uint8_t)v);
}

/* jump LABEL: the second byte is the distance in instructions. */
static void
read_jump(asm_ctx *a)
{
    const asm_token name = a->token;
    asm_take_symbol(a);
    asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_BRANCH,
                                 .symbol = asm_symbol_of(a, name.text, name.len),
                                 .offset = a->out->size,
                                 .at = name.text});
    buf_put_u8(a->out, JUMP);
    buf_put_u8(a->out, 0);
}

static void
statement(asm_ctx *a)
{
    toy *m = a->user;
    m->statements++;
    if (asm_take_name(a, "add"))
        read_add(a);
    else if (asm_take_name(a, "jump"))
        read_jump(a);
    else
        asm_want(a, "add or jump");
}

static bool
put_branch(const asm_branch *b, uint8_t *instruction)
{
    int64_t distance = (b->target - (int64_t)b->from) / 2;
    if (!b->is_label || distance < -128 || distance > 127)
        return false;
    instruction[1] = (uint8_t)distance;
    return true;
}

/* .mark N */
static void
mark(asm_ctx *a, unsigned unused)
{
    toy *m = a->user;
    (void)unused;
    m->marks += (unsigned)asm_number(a, 0, 9);
}

static const asm_directive directives[] = {{".mark", mark, 0, false}, {NULL, NULL, 0, false}};

static const asm_machine machine = {.comment = '#',
                                    .directives = directives,
                                    .padding = PAUSE,
                                    .padding_size = 2,
                                    .statement = statement,
                                    .put_branch = put_branch};

typedef struct fixture {
    diag diag;
    arena arena;
    toy toy;
    unsigned reports;
    asm_unit *unit; /* NULL: the text has errors */
} fixture;

static void
count_report(void *user, const diag *d)
{
    (void)d;
    ++*(unsigned *)user;
}

static void
assemble(fixture *f, const char *text)
{
    const asm_options o = {.machine = &machine,
                           .user = &f->toy,
                           .is_code = true,
                           .report = count_report,
                           .report_user = &f->reports};
    memset(f, 0, sizeof *f);
    diag_init(&f->diag);
    arena_init(&f->arena, &base_malloc_allocator, diag_out_of_memory, &f->diag);
    if (!DIAG_TRY(&f->diag))
        return;
    asm_unit *u = asm_read(&f->diag, &f->arena, &o, text, strlen(text));
    asm_resolve(u);
    f->unit = u;
}

static void
expect_code(const char *text, const char *bytes, size_t size)
{
    fixture f;
    assemble(&f, text);
    assert_non_null(f.unit);
    assert_int_equal(f.unit->sections[0].data.size, size);
    assert_memory_equal(f.unit->sections[0].data.data, bytes, size);
    arena_free(&f.arena);
}

static void
test_the_language(void **state)
{
    (void)state;
    expect_code("add 1 # one\nadd -2", "\1\1\1\376", 4);
    expect_code(".macro twice x\nadd \\x\nadd 2*\\x\n.endm\ntwice 3", "\1\3\1\6", 4);
    expect_code("n = 2\n.rept n\nadd n\n.endr\n.if n > 3\nadd 9\n.endif", "\1\2\1\2", 4);
    expect_code("top: jump down\n.byte 7, 8\ndown: jump top", "\2\2\7\10\2\376", 6);
    expect_code("add 1\n.p2align 3\nadd 2", "\1\1\3\0\3\0\3\0\1\2", 10);
}

static void
test_own_directives_and_state(void **state)
{
    fixture f;
    (void)state;
    assemble(&f, ".mark 4\nadd 1\n.MARK 5\nadd 2\n");
    assert_non_null(f.unit);
    assert_int_equal(f.toy.marks, 9);
    assert_int_equal(f.toy.statements, 2);
    arena_free(&f.arena);
}

static void
test_errors_go_on(void **state)
{
    fixture f;
    (void)state;
    assemble(&f, "sub 1\nadd 200\nadd x@lo\njump no\njump no\n.mark 4\n");
    assert_null(f.unit);
    assert_int_equal(f.reports, 4);
    assert_int_equal(f.toy.marks, 4);
    assert_true(f.diag.is_reported);
    assert_int_equal(f.diag.error, ERR_ASM_EXPECTED);
    assert_int_equal(f.diag.loc.line, 1);
    arena_free(&f.arena);
    assemble(&f, "top: add 1\n.space 1000\njump top\n");
    assert_null(f.unit);
    assert_int_equal(f.diag.error, ERR_ASM_BRANCH);
    arena_free(&f.arena);
}

static void
test_absolute_symbols_are_listed(void **state)
{
    fixture f;
    (void)state;
    assemble(&f, "here: add 1\nnumber = 5\n");
    assert_non_null(f.unit);
    assert_int_equal(f.unit->n_symbols, 2);
    arena_free(&f.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_language),
        cmocka_unit_test(test_own_directives_and_state),
        cmocka_unit_test(test_errors_go_on),
        cmocka_unit_test(test_absolute_symbols_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
