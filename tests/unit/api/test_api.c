/* The C API: contexts, structs that grow, diagnostics, memory failures, outputs. */
#include <heddle/heddle.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An allocator that counts live allocations, and fails after `left` allocations. */
typedef struct counter {
    long out, left;
    size_t bytes;
} counter;

static void *
counted_alloc(void *user, size_t size)
{
    counter *c = user;
    if (c->left-- == 0)
        return NULL;
    c->out++;
    c->bytes += size;
    return malloc(size);
}

static void
counted_release(void *user, void *memory, size_t size)
{
    counter *c = user;
    c->out--;
    c->bytes -= size;
    free(memory);
}

typedef struct heard {
    int count;
    heddle_result result;
    char name[64], text[512];
} heard;

static void
hear(void *user, const heddle_diagnostic *d)
{
    heard *h = user;
    h->count++;
    h->result = d->result;
    strncpy(h->name, d->name, sizeof h->name - 1);
    strncpy(h->text, d->text, sizeof h->text - 1);
}

static heddle_context *
context(counter *c, heard *h)
{
    heddle_context *out;
    const heddle_allocator a = {counted_alloc, counted_release, c};
    const heddle_context_options o = {sizeof o, &a, hear, h};
    assert_int_equal(heddle_create_context(&o, &out), HEDDLE_OK);
    return out;
}

/* s_nop 3; v_mov_b32 v1, v0; a word that is not an instruction; s_endpgm */
static const uint32_t code[] = {0xbf800003, 0x7e020300, 0xffffffff, 0xbf810000};

static void
test_disassembles(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    heddle_context *ctx = context(&c, &h);
    heddle_output *out;
    const heddle_asm_options o = {.struct_size = sizeof o, .target = "gfx1030"};
    assert_int_equal(heddle_disassemble(ctx, code, sizeof code, &o, &out), HEDDLE_OK);
    const char *text = heddle_output_data(out);
    assert_non_null(strstr(text, "\ts_nop 3\n\tv_mov_b32"));
    assert_non_null(strstr(text, "\t.long 0xffffffff\n\ts_endpgm"));
    assert_int_equal(heddle_output_size(out), strlen(text));
    heddle_stats stats = {.struct_size = sizeof stats};
    assert_int_equal(heddle_output_stats(out, &stats), HEDDLE_ERROR_ARGUMENT);
    heddle_destroy_output(out);
    heddle_destroy_context(ctx);
    assert_int_equal(c.out, 0);
    assert_int_equal(c.bytes, 0);
    assert_int_equal(h.count, 0);
}

/* A program of TeraScale as text of the optimizer's tree: the same sum twice, and one that nothing uses. */
static const char tree[] =
    "target: cypress\n"
    "form: ssa\n"
    "input: %1 R0.x\n"
    "%2.x = ADD_INT %1, 0x5\n"
    "%3.y = ADD_INT %1, 0x5\n"
    "%4.z = MULLO_INT %1, %1\n"
    "flow \"EXPORT_DONE PIX[0], R0.xy01\" [%2, %3, 0x0, 0x3f800000], [_, _, _, _]\n";

static heddle_output *
optimize(heddle_context *ctx, const void *bytes, size_t size, const char *until)
{
    heddle_output *out;
    const heddle_asm_options o = {.struct_size = sizeof o, .target = "cypress", .until = until};
    assert_int_equal(heddle_optimize_code(ctx, bytes, size, &o, &out), HEDDLE_OK);
    return out;
}

static void
test_optimizes_code(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    heddle_context *ctx = context(&c, &h);
    heddle_output *text = optimize(ctx, tree, strlen(tree), "dce");
    assert_non_null(strstr(heddle_output_data(text), "ADD_INT %1, 0x5"));
    assert_null(strstr(heddle_output_data(text), "%3"));
    assert_null(strstr(heddle_output_data(text), "MULLO_INT"));
    heddle_output *words = optimize(ctx, tree, strlen(tree), NULL);
    heddle_output *again = optimize(ctx, heddle_output_data(words), heddle_output_size(words),
                                    NULL);
    assert_int_equal(heddle_output_size(words), heddle_output_size(again));
    assert_memory_equal(heddle_output_data(words), heddle_output_data(again),
                        heddle_output_size(words));
    heddle_output *figures = optimize(ctx, tree, strlen(tree), "figures");
    assert_non_null(strstr(heddle_output_data(figures), "gprs 1\nstack 0\n"));
    heddle_output *list[] = {text, words, again, figures};
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        heddle_destroy_output(list[i]);
    heddle_destroy_context(ctx);
    assert_int_equal(c.out, 0);
    assert_int_equal(h.count, 0);
}

static void
test_wrong_optimizations_are_told(void **state)
{
    (void)state;
    static const uint32_t no_code[] = {0, 0}; /* NOP, and no end */
    counter c = {.left = -1};
    heard h = {0};
    heddle_context *ctx = context(&c, &h);
    heddle_output *out = (heddle_output *)&c;
    heddle_asm_options o = {.struct_size = sizeof o, .target = "cypress", .until = "no_phase"};
    assert_int_equal(heddle_optimize_code(ctx, tree, strlen(tree), &o, &out),
                     HEDDLE_ERROR_ARGUMENT);
    assert_null(out);
    assert_string_equal(h.name, "API_BAD_ARGUMENT");
    o.until = NULL;
    assert_int_equal(heddle_optimize_code(ctx, no_code, sizeof no_code, &o, &out),
                     HEDDLE_ERROR_INVALID);
    assert_string_equal(h.name, "R600_BAD_CODE");
    assert_int_equal(heddle_optimize_code(ctx, tree, strlen(tree) - 20, &o, &out),
                     HEDDLE_ERROR_INVALID);
    assert_string_equal(h.name, "R600_TREE_TEXT");
    o.target = "gfx1030";
    assert_int_not_equal(heddle_optimize_code(ctx, code, sizeof code, &o, &out), HEDDLE_OK);
    assert_string_equal(h.name, "API_NO_SERVICE");
    assert_int_equal(heddle_optimize_code(ctx, NULL, 4, &o, &out), HEDDLE_ERROR_ARGUMENT);
    heddle_destroy_context(ctx);
    assert_int_equal(c.out, 0);
}

static void
test_optimize_without_memory(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    const heddle_asm_options o = {.struct_size = sizeof o, .target = "cypress"};
    heddle_result result = HEDDLE_ERROR_OUT_OF_MEMORY;
    for (long n = 0; n < 1000 && result != HEDDLE_OK; n++) {
        heddle_output *out;
        c.left = -1;
        heddle_context *ctx = context(&c, &h);
        c.left = n;
        result = heddle_optimize_code(ctx, tree, strlen(tree), &o, &out);
        if (result == HEDDLE_OK)
            heddle_destroy_output(out);
        else
            assert_int_equal(result, HEDDLE_ERROR_OUT_OF_MEMORY);
        heddle_destroy_context(ctx);
        assert_int_equal(c.out, 0);
    }
    assert_int_equal(result, HEDDLE_OK);
}

static void
test_wrong_calls_are_results(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    heddle_context *ctx = context(&c, &h);
    heddle_output *out = (heddle_output *)&c;
    heddle_asm_options o = {.struct_size = sizeof o, .target = "gfx1030", .wave_size = 16};
    assert_int_equal(heddle_disassemble(ctx, code, sizeof code, NULL, &out), HEDDLE_ERROR_ARGUMENT);
    assert_null(out);
    assert_int_equal(heddle_disassemble(ctx, code, sizeof code, &o, &out), HEDDLE_ERROR_ARGUMENT);
    assert_string_equal(h.name, "API_BAD_ARGUMENT");
    o.wave_size = 0;
    o.target = "vega";
    o.file = "some.bin";
    assert_int_equal(heddle_disassemble(ctx, code, sizeof code, &o, &out), HEDDLE_ERROR_ARGUMENT);
    assert_string_equal(h.name, "API_UNKNOWN_TARGET");
    assert_string_equal(
        h.text, "some.bin: error: unknown target 'vega': nearest are vegam (gfx803), Vega 3 "
                "(gfx902), Vega 6 (gfx902), Vega 8 (gfx902); see heddle targets --names");
    assert_int_equal(heddle_read_kernel(ctx, code, sizeof code, "x.o", 0, &out),
                     HEDDLE_ERROR_INVALID);
    assert_string_equal(h.name, "OBJECT_BAD_ELF");
    assert_int_equal(h.count, 4);
    assert_int_equal(h.result, HEDDLE_ERROR_INVALID);
    heddle_destroy_output(NULL);
    heddle_destroy_context(NULL);
    heddle_destroy_context(ctx);
    assert_int_equal(c.out, 0);
}

/* If any allocation fails, the call reports it and frees everything. */
static void
test_no_memory_is_a_result(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    const heddle_asm_options o = {.struct_size = sizeof o, .target = "gfx1030", .with_bytes = 1};
    heddle_result result = HEDDLE_ERROR_OUT_OF_MEMORY;
    long n = 0;
    for (; n < 1000 && result != HEDDLE_OK; n++) {
        heddle_output *out;
        c.left = -1;
        heddle_context *ctx = context(&c, &h);
        c.left = n;
        result = heddle_disassemble(ctx, code, sizeof code, &o, &out);
        if (result == HEDDLE_OK) {
            heddle_destroy_output(out);
        } else {
            assert_int_equal(result, HEDDLE_ERROR_OUT_OF_MEMORY);
            assert_null(out);
        }
        heddle_destroy_context(ctx);
        assert_int_equal(c.out, 0);
    }
    assert_int_equal(result, HEDDLE_OK);
    assert_true(n >= 3);
}

/* A context keeps a bounded amount of its calls' memory for the next call, and frees it at its end.
 */
static void
test_a_context_keeps_memory(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    heddle_context *ctx = context(&c, &h);
    const heddle_asm_options o = {.struct_size = sizeof o, .target = "gfx1030"};
    heddle_output *out;
    size_t before = c.bytes;
    assert_int_equal(heddle_disassemble(ctx, code, sizeof code, &o, &out), HEDDLE_OK);
    heddle_destroy_output(out);
    long kept = c.out;
    assert_in_range(c.bytes - before, 1, 5 << 20);
    assert_int_equal(heddle_disassemble(ctx, code, sizeof code, &o, &out), HEDDLE_OK);
    heddle_destroy_output(out);
    assert_int_equal(c.out, kept);
    heddle_destroy_context(ctx);
    assert_int_equal(c.out, 0);
}

static const char add_hir[] =
    "shader: compute\nworkgroup_size: 64, 1, 1\nimpl \"main\" {\nblock b0:\n"
    "32 %1 = load_const (0)\n32 %3 = load_const (4)\n32 %2 = @load_local_invocation_index\n"
    "32 %4 = imul %2, %3\n"
    "32 %5 = @vulkan_resource_index (%1) (desc_set=0, binding=0, desc_type=ssbo)\n"
    "32 %8 = @load_ssbo (%5, %4) (access=none, align_mul=4, align_offset=0)\n"
    "32 %9 = iadd %8, %2\n"
    "@store_ssbo (%9, %5, %4) (wrmask=x, access=none, align_mul=4, align_offset=0)\nreturn\n}\n";

/* Targets by the names that users have for them; the library reports their own. */
static void
test_products_are_targets(void **state)
{
    counter c = {.left = -1};
    heard h = {0};
    heddle_context *ctx = context(&c, &h);
    heddle_output *out = NULL;
    heddle_target_info t = {.struct_size = sizeof t};
    bool found = false;
    uint32_t i = 0;
    (void)state;
    for (; heddle_get_target(i, &t) == HEDDLE_OK; i++) {
        assert_non_null(t.names);
        for (const char *const *n = t.names; *n && strcmp(t.name, "gfx1030") == 0; n++)
            found |= strcmp(*n, "RX 6800") == 0;
    }
    assert_true(found);
    heddle_compile_options o = {.struct_size = sizeof o, .target = "Radeon rx-6800"};
    heddle_shader_info info = {.struct_size = sizeof info};
    assert_int_equal(heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, &o, &out), HEDDLE_OK);
    assert_int_equal(heddle_output_info(out, &info), HEDDLE_OK);
    assert_string_equal(info.target, "gfx1030");
    heddle_destroy_output(out);
    o.target = "Vega 8";
    assert_int_equal(heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, &o, &out),
                     HEDDLE_ERROR_ARGUMENT);
    assert_string_equal(h.name, "API_AMBIGUOUS_TARGET");
    heddle_destroy_context(ctx);
}

static const heddle_compile_options compile_options = {.struct_size = sizeof compile_options,
                                                       .target = "gfx1030"};

static void
test_compiles(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    heddle_context *ctx = context(&c, &h);
    heddle_output *out;
    heddle_shader_info info = {.struct_size = sizeof info};
    heddle_stats stats = {.struct_size = sizeof stats};
    uint32_t kernels = 0;
    assert_int_equal(heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, &compile_options, &out),
                     HEDDLE_OK);
    assert_int_equal(heddle_output_info(out, &info), HEDDLE_OK);
    assert_int_equal(heddle_output_stats(out, &stats), HEDDLE_OK);
    assert_string_equal(info.entry, "main");
    assert_string_equal(info.target, "gfx1030");
    assert_int_equal(info.stage, HEDDLE_STAGE_COMPUTE);
    assert_int_equal(info.wave_size, 64);
    assert_int_equal(info.workgroup_size[0], 64);
    assert_int_equal(info.n_user_sgprs, 1);
    assert_string_equal(info.user_sgprs[0].kind, "descriptor_set");
    assert_int_equal(stats.vmem, 2);
    assert_true(stats.peak_bytes > 0 && stats.n_phases == 0);
    assert_int_equal(
        heddle_count_kernels(ctx, heddle_output_data(out), heddle_output_size(out), NULL, &kernels),
        HEDDLE_OK);
    assert_int_equal(kernels, 1);
    heddle_destroy_output(out);
    heddle_destroy_context(ctx);
    assert_int_equal(c.out, 0);
}

/* A compile in which the nth allocation fails frees everything and reports the error. */
static void
test_compile_without_memory(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    heddle_result result = HEDDLE_ERROR_OUT_OF_MEMORY;
    for (long n = 0; n < 1000 && result != HEDDLE_OK; n++) {
        heddle_output *out;
        c.left = -1;
        heddle_context *ctx = context(&c, &h);
        c.left = n;
        result = heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, &compile_options, &out);
        if (result == HEDDLE_OK)
            heddle_destroy_output(out);
        else
            assert_int_equal(result, HEDDLE_ERROR_OUT_OF_MEMORY);
        heddle_destroy_context(ctx);
        assert_int_equal(c.out, 0);
    }
    assert_int_equal(result, HEDDLE_OK);
}

/* Whatever is wrong with a call, the callback says it. */
static void
test_wrong_compiles_are_told(void **state)
{
    (void)state;
    counter c = {.left = -1};
    heard h = {0};
    heddle_context *ctx = context(&c, &h);
    heddle_output *out;
    heddle_compile_options o = compile_options;
    assert_int_equal(heddle_compile(ctx, NULL, 0, &o, &out), HEDDLE_ERROR_ARGUMENT);
    assert_string_equal(h.text, "heddle: error: the call gives no input");
    assert_int_equal(heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, NULL, &out),
                     HEDDLE_ERROR_ARGUMENT);
    assert_string_equal(h.text, "heddle: error: the call gives no options");
    assert_int_equal(heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, &o, NULL),
                     HEDDLE_ERROR_ARGUMENT);
    assert_string_equal(h.text, "heddle: error: the call gives no place for its result");
    o.abi = (heddle_abi)7;
    assert_int_equal(heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, &o, &out),
                     HEDDLE_ERROR_ARGUMENT);
    assert_non_null(strstr(h.text, "HEDDLE_ABI_HSA"));
    o = compile_options;
    o.optimization = (heddle_optimization)9;
    assert_int_equal(heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, &o, &out),
                     HEDDLE_ERROR_ARGUMENT);
    assert_non_null(strstr(h.text, "optimization"));
    assert_null(out);
    assert_int_equal(h.count, 5);
    heddle_destroy_context(ctx);
    assert_int_equal(c.out, 0);
}

enum { THREADS = 4, COMPILES = 50 };

typedef struct worker {
    heddle_context *context;
    const heddle_output *want;
    int different;
} worker;

static void *
compile_often(void *user)
{
    worker *w = user;
    for (int i = 0; i < COMPILES; i++) {
        heddle_output *out;
        if (heddle_compile_hir(w->context, add_hir, sizeof add_hir - 1, &compile_options, &out) !=
            HEDDLE_OK) {
            w->different++;
            continue;
        }
        w->different += heddle_output_size(out) != heddle_output_size(w->want) ||
                        memcmp(heddle_output_data(out), heddle_output_data(w->want),
                               heddle_output_size(out)) != 0;
        heddle_destroy_output(out);
    }
    return NULL;
}

/* Threads that share a context all get the same bytes. */
static void
test_same_bytes_on_threads(void **state)
{
    (void)state;
    heddle_context *ctx;
    heddle_output *want;
    pthread_t threads[THREADS];
    worker workers[THREADS];
    assert_int_equal(heddle_create_context(NULL, &ctx), HEDDLE_OK);
    assert_int_equal(heddle_compile_hir(ctx, add_hir, sizeof add_hir - 1, &compile_options, &want),
                     HEDDLE_OK);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){ctx, want, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, compile_often, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(workers[i].different, 0);
    }
    heddle_destroy_output(want);
    heddle_destroy_context(ctx);
}

/* For a caller with an older, shorter struct nothing is written after its end; for a newer one the
 * additional members are 0. */
static void
test_structs_grow(void **state)
{
    (void)state;
    struct {
        heddle_target_info info;
        char more[16];
    } newer;
    heddle_target_info older;
    memset(&older, 0x55, sizeof older);
    older.struct_size = offsetof(heddle_target_info, family);
    assert_int_equal(heddle_get_target(0, &older), HEDDLE_OK);
    assert_non_null(older.name);
    for (size_t i = older.struct_size; i < sizeof older; i++)
        assert_int_equal(((unsigned char *)&older)[i], 0x55);
    memset(&newer, 0x55, sizeof newer);
    newer.info.struct_size = sizeof newer;
    assert_int_equal(heddle_get_target(0, &newer.info), HEDDLE_OK);
    assert_string_equal(newer.info.family, "amd");
    for (size_t i = 0; i < sizeof newer.more; i++)
        assert_int_equal(newer.more[i], 0);
    assert_int_equal(heddle_get_target(1000, &older), HEDDLE_ERROR_ARGUMENT);
}

static void
test_names(void **state)
{
    (void)state;
    assert_string_equal(heddle_result_text(HEDDLE_OK), "ok");
    assert_string_equal(heddle_result_text((heddle_result)99), "unknown result");
    assert_int_equal(heddle_version() >> 16, HEDDLE_VERSION_MAJOR);
}

/* Provides only the file "f". */
static int
give_file(void *user, const char *name, const char **text, size_t *size)
{
    *text = user;
    *size = strlen(user);
    return strcmp(name, "f") == 0;
}

static void
count_notes(void *user, const heddle_diagnostic *d)
{
    unsigned *notes = user;
    *notes += d->result == HEDDLE_OK && d->line == 2 && strcmp(d->message, "hello") == 0;
}

static void
test_assembles_with_files(void **state)
{
    static const char text[] =
        ".include \"f\"\n.print \"hello\"\n.warning \"hello\"\n.long given\n";
    static char file[] = ".long 7\n";
    const heddle_asm_symbol given = {"givenness", 5, 9};
    unsigned notes = 0;
    const heddle_context_options with_notes = {
        .struct_size = sizeof with_notes, .diagnostic = count_notes, .diagnostic_user = &notes};
    heddle_asm_options o = {.struct_size = sizeof o,
                            .target = "gfx1030",
                            .symbols = &given,
                            .n_symbols = 1,
                            .include = give_file,
                            .include_user = file};
    heddle_context *c;
    heddle_output *out;
    (void)state;
    assert_int_equal(heddle_create_context(&with_notes, &c), HEDDLE_OK);
    assert_int_equal(heddle_assemble(c, text, strlen(text), &o, &out), HEDDLE_OK);
    assert_int_equal(heddle_output_size(out), 8);
    assert_memory_equal(heddle_output_data(out), "\7\0\0\0\11\0\0\0", 8);
    assert_int_equal(notes, 1); /* the warning is on line 3 */
    heddle_destroy_output(out);
    heddle_destroy_context(c);
    /* Without the function: ERR_ASM_NO_FILES. */
    o.include = NULL;
    assert_int_equal(heddle_create_context(NULL, &c), HEDDLE_OK);
    assert_int_equal(heddle_assemble(c, text, strlen(text), &o, &out), HEDDLE_ERROR_UNSUPPORTED);
    heddle_destroy_context(c);
}

/* Counts of diagnostics by kind. */
typedef struct tally {
    unsigned errors, notes;
    uint32_t first, last; /* lines of errors */
} tally;

static void
count_errors(void *user, const heddle_diagnostic *d)
{
    tally *t = user;
    t->notes += d->result == HEDDLE_OK;
    if (d->result == HEDDLE_OK)
        return;
    t->first = t->errors++ ? t->first : d->line;
    t->last = d->line;
}

/* Assembles and counts the diagnostics in `t`; there must be no output. */
static heddle_result
assemble_wrong(const char *text, tally *t)
{
    const heddle_context_options options = {
        .struct_size = sizeof options, .diagnostic = count_errors, .diagnostic_user = t};
    const heddle_asm_options o = {.struct_size = sizeof o, .target = "gfx1030"};
    heddle_context *c;
    heddle_output *out;
    *t = (tally){0};
    assert_int_equal(heddle_create_context(&options, &c), HEDDLE_OK);
    heddle_result result = heddle_assemble(c, text, strlen(text), &o, &out);
    assert_null(out);
    heddle_destroy_context(c);
    return result;
}

static void
test_assembling_reports_every_error(void **state)
{
    static const char three[] = "nonsense\ns_nop 0\ns_nop 70000\ns_branch no\ns_branch no\n";
    static const char files[] = ".print \"here\"\nnonsense\n.include \"f\"\nnonsense\n";
    char many[22 * 9 + 1] = "";
    tally t;
    (void)state;
    assert_int_equal(assemble_wrong(three, &t), HEDDLE_ERROR_INVALID);
    assert_int_equal(t.errors, 3);
    assert_int_equal(t.first, 1);
    assert_int_equal(t.last, 4);
    /* The call's result is that of the first error; a missing file is the last error. */
    assert_int_equal(assemble_wrong(files, &t), HEDDLE_ERROR_INVALID);
    assert_int_equal(t.errors, 2);
    assert_int_equal(t.notes, 1);
    assert_int_equal(t.last, 3);
    for (unsigned i = 0; i < 20; i++)
        strcat(many, "nonsense\n");
    assert_int_equal(assemble_wrong(many, &t), HEDDLE_ERROR_INVALID);
    assert_int_equal(t.errors, 20);
    assert_int_equal(t.notes, 0);
    strcat(many, "nonsense\nnonsense\n");
    assert_int_equal(assemble_wrong(many, &t), HEDDLE_ERROR_INVALID);
    assert_int_equal(t.errors, 20);
    assert_int_equal(t.notes, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disassembles),
        cmocka_unit_test(test_optimizes_code),
        cmocka_unit_test(test_wrong_optimizations_are_told),
        cmocka_unit_test(test_optimize_without_memory),
        cmocka_unit_test(test_assembles_with_files),
        cmocka_unit_test(test_assembling_reports_every_error),
        cmocka_unit_test(test_wrong_calls_are_results),
        cmocka_unit_test(test_products_are_targets),
        cmocka_unit_test(test_no_memory_is_a_result),
        cmocka_unit_test(test_a_context_keeps_memory),
        cmocka_unit_test(test_structs_grow),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_compiles),
        cmocka_unit_test(test_wrong_compiles_are_told),
        cmocka_unit_test(test_compile_without_memory),
        cmocka_unit_test(test_same_bytes_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
