/* Every subgroup operation at every size, compiled for gfx1030 and run on the emulator, against the
 * interpreter: wave32 and wave64, whole and partly filled waves, at top level and under a divergent
 * condition, on divergent and on uniform values. Values from inactive lanes are undefined and not
 * compared. */
#include "../ir/ir_env.h"
#include "amd_run.h"
#include "ir/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LANES = 128, MAX_OPS = 16, IN_WORDS = 3 };

typedef struct subgroup_case {
    unsigned bits, lanes, wave;
    bool is_float, product; /* product: values whose products are exact */
    bool nested, uniform, exchanges;
    bool fills_lds; /* nothing of LDS is left for shuffles */
} subgroup_case;

/* One operation of a program. */
typedef struct operation {
    ir_op op;
    ir_reduction reduction;
    unsigned cluster;
    char index; /* 'v' differs, 'u' uniform, or a digit or letter: constant 0 to 35 */
} operation;

static uint64_t in[LANES][IN_WORDS], got[MAX_OPS][LANES], want[MAX_OPS][LANES];

static const char *const reductions[] = {
#define NAME(x) #x,
    IR_REDUCTIONS(NAME)};

/* ---- inputs ---- */

static uint64_t
float_value(const subgroup_case *c, uint64_t r)
{
    static const double factors[] = {1, -1, 2, 0.5, 1, -2, 1, -0.5};
    double v = c->product ? factors[r % 8] : (double)(r % 9) - 4;
    if (c->bits == 64)
        return base_f64_bits(v);
    if (c->bits == 32)
        return base_f32_bits((float)v);
    static const uint16_t halves[] = {0xc400, 0xc200, 0xc000, 0xbc00, 0,
                                      0x3c00, 0x4000, 0x4200, 0x4400}; /* -4 to 4 */
    static const uint16_t half_factors[] = {0x3c00, 0xbc00, 0x4000, 0x3800,
                                            0x3c00, 0xc000, 0x3c00, 0xb800};
    return c->product ? half_factors[r % 8] : halves[r % 9];
}

static void
make_inputs(const subgroup_case *c)
{
    uint64_t state = c->bits * 8 + c->nested;
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t r[3];
        for (unsigned k = 0; k < 3; k++)
            r[k] = base_hash64(state += UINT64_C(0x9e3779b97f4a7c15));
        in[l][0] = c->is_float ? float_value(c, r[0] >> 8) : r[0] % 3 ? r[0] >> 1 : r[0] % 7 - 3;
        in[l][1] = r[1] % c->wave;
        in[l][2] = r[2] % 3 != 0;
    }
}

/* ---- programs ---- */

typedef struct writer {
    base_buf text;
    const subgroup_case *c;
    unsigned next; /* value number */
} writer;

static void
put(writer *w, const char *text)
{
    buf_puts(&w->text, text);
}

/* The 64-bit input `word` of the lane; uniform if `first`. */
static unsigned
load(writer *w, unsigned word, bool first)
{
    buf_printf(&w->text, "32 %%%u = load_const (%u)\n", w->next + 1, word * 8);
    buf_printf(&w->text, "32 %%%u = iadd %%5, %%%u\n", w->next + 2, w->next + 1);
    w->next += 2;
    unsigned at = w->next;
    buf_printf(&w->text, "64 %%%u = @load_ssbo (%%3, %%%u) (access=none, align_mul=8)\n", at + 1,
               at);
    w->next++;
    if (first) {
        buf_printf(&w->text, "64 %%%u = @read_first_invocation (%%%u)\n", at + 2, at + 1);
        w->next++;
    }
    return w->next;
}

/* From 64 bits to `bits`. */
static unsigned
narrow(writer *w, unsigned id, unsigned bits)
{
    if (bits == 64)
        return id;
    buf_printf(&w->text, "%u %%%u = u2u %%%u\n", bits == 1 ? 32 : bits, w->next + 1, id);
    w->next++;
    if (bits > 1)
        return w->next;
    buf_printf(&w->text, "32 %%%u = iand %%%u, %%6\n", w->next + 1, w->next);
    buf_printf(&w->text, "1 %%%u = ine %%%u, %%1\n", w->next + 2, w->next + 1);
    return w->next += 2;
}

static void
store(writer *w, unsigned slot, unsigned bits)
{
    if (bits == 1)
        buf_printf(&w->text, "32 %%%u = b2i %%%u\n", w->next + 1, w->next), w->next++;
    if (bits < 64)
        buf_printf(&w->text, "64 %%%u = u2u %%%u\n", w->next + 1, w->next), w->next++;
    unsigned value = w->next;
    buf_printf(&w->text, "32 %%%u = load_const (%u)\n", value + 1, slot * LANES * 8);
    buf_printf(&w->text, "32 %%%u = iadd %%8, %%%u\n", value + 2, value + 1);
    buf_printf(&w->text, "@store_ssbo (%%%u, %%4, %%%u) (wrmask=x, access=none, align_mul=8)\n",
               value, value + 2);
    w->next += 2;
}

static unsigned
result_bits(const subgroup_case *c, ir_op op)
{
    switch (op) {
    case IR_elect:
    case IR_vote_any:
    case IR_vote_all:
    case IR_vote_ieq:
    case IR_vote_feq:
    case IR_inverse_ballot: return 1;
    case IR_ballot: return 64;
    case IR_ballot_bit_count_exclusive: return 32;
    default: return c->bits;
    }
}

static void
write_op(writer *w, const operation *o, unsigned value, unsigned index, unsigned uniform_index)
{
    unsigned n_refs = ir_hir_level.ops[o->op].n_refs, at = o->index == 'v' ? index : uniform_index;
    if (n_refs == 2 && o->index != 'v' && o->index != 'u') {
        buf_printf(&w->text, "32 %%%u = load_const (%d)\n", w->next + 1,
                   o->index <= '9' ? o->index - '0' : o->index - 'a' + 10);
        at = ++w->next;
    }
    buf_printf(&w->text, "%u %%%u = @%s", result_bits(w->c, o->op), ++w->next,
               ir_hir_level.ops[o->op].name);
    if (n_refs == 1)
        buf_printf(&w->text, " (%%%u)", value);
    if (n_refs == 2)
        buf_printf(&w->text, " (%%%u, %%%u)", value, at);
    if (o->op == IR_rotate)
        buf_printf(&w->text, " (cluster_size=%u)", o->cluster);
    if (o->op == IR_reduce)
        buf_printf(&w->text, " (reduction_op=%s, cluster_size=%u)", reductions[o->reduction],
                   o->cluster);
    if (o->op == IR_inclusive_scan || o->op == IR_exclusive_scan)
        buf_printf(&w->text, " (reduction_op=%s)", reductions[o->reduction]);
    put(w, "\n");
}

static char *
write_program(ir_env *e, const subgroup_case *c, const operation *ops, unsigned n)
{
    writer w = {.text = buf_make(&e->a), .c = c};
    buf_printf(&w.text, "shader: compute\nworkgroup_size: %u, 1, 1\nuses_subgroups: true\n",
               c->lanes);
    buf_printf(&w.text, "shared_size: %u\nimpl \"main\" {\nblock b0:\n",
               c->fills_lds ? amd_run_target->lds_limit : 0);
    put(&w, "32 %1 = load_const (0)\n32 %2 = @load_local_invocation_index\n");
    put(&w, "32 %3 = @vulkan_resource_index (%1) (desc_set=0, binding=0, desc_type=ssbo)\n");
    put(&w, "32 %4 = @vulkan_resource_index (%1) (desc_set=0, binding=1, desc_type=ssbo)\n");
    put(&w, "32 %7 = load_const (24)\n32 %5 = imul %2, %7\n32 %6 = load_const (1)\n");
    put(&w, "32 %9 = load_const (8)\n32 %8 = imul %2, %9\n");
    w.next = 9;
    if (c->fills_lds)
        buf_printf(&w.text, "32 %%%u = @shared_atomic (%%1, %%1) (atomic_op=iadd, base=0)\n",
                   ++w.next);
    unsigned value = narrow(&w, load(&w, 0, c->uniform), c->bits);
    unsigned index = narrow(&w, load(&w, 1, false), 32);
    unsigned uniform_index = narrow(&w, load(&w, 1, true), 32);
    unsigned mask = narrow(&w, load(&w, 2, false), 1);
    if (c->nested)
        buf_printf(&w.text, "if %%%u then b1 else b2 merge b3\nblock b1:\n", mask);
    for (unsigned k = 0; k < n; k++) {
        write_op(&w, &ops[k], value, index, uniform_index);
        store(&w, k, result_bits(c, ops[k].op));
    }
    if (c->nested)
        put(&w, "jump b3\nblock b2:\njump b3\nblock b3:\n");
    put(&w, "return\n}\n");
    return buf_text(&w.text);
}

/* ---- running ---- */

static uint32_t
resource(void *user, uint32_t set, uint32_t binding, uint32_t index, ir_desc_type type)
{
    (void)user, (void)set, (void)index, (void)type;
    return binding;
}

static ir_eval_buffer
buffer(void *user, uint32_t handle)
{
    (void)user;
    return handle ? (ir_eval_buffer){(uint8_t *)want, sizeof want}
                  : (ir_eval_buffer){(uint8_t *)in, sizeof in};
}

static bool
is_active(const subgroup_case *c, unsigned lane)
{
    return lane < c->lanes && (!c->nested || in[lane][2]);
}

/* The lane of the workgroup that `lane` reads, LANES if it is outside the wave. */
static unsigned
source_lane(const subgroup_case *c, const operation *o, unsigned lane)
{
    unsigned base = lane / c->wave * c->wave, l = lane % c->wave;
    uint64_t n = o->index == 'v'   ? in[lane][1]
                 : o->index == 'u' ? in[base][1]
                 : o->index <= '9' ? (uint64_t)(o->index - '0')
                                   : (uint64_t)(o->index - 'a' + 10);
    unsigned cluster = o->cluster && o->cluster < c->wave ? o->cluster : c->wave;
    switch (o->op) {
    case IR_read_invocation:
    case IR_shuffle: l = (unsigned)n; break;
    case IR_shuffle_xor: l ^= (unsigned)n; break;
    case IR_shuffle_up: l -= (unsigned)n; break;
    case IR_shuffle_down: l += (unsigned)n; break;
    case IR_rotate: l = l / cluster * cluster + (l + (unsigned)n) % cluster; break;
    case IR_quad_broadcast: l = (l & ~3u) + (unsigned)n; break;
    case IR_quad_swap_horizontal: l ^= 1; break;
    case IR_quad_swap_vertical: l ^= 2; break;
    case IR_quad_swap_diagonal: l ^= 3; break;
    default: break;
    }
    return l < c->wave ? base + l : LANES;
}

/* A sum of nothing is 0 of either sign. */
static bool
are_equal(const subgroup_case *c, uint64_t a, uint64_t b)
{
    uint64_t magnitude = base_mask64(c->bits - 1);
    return a == b || (c->is_float && !(a & magnitude) && !(b & magnitude));
}

static void
check(const subgroup_case *c, const operation *o, unsigned slot)
{
    for (unsigned lane = 0; lane < c->lanes; lane++) {
        unsigned from = source_lane(c, o, lane);
        if (!is_active(c, lane) || from >= LANES || !is_active(c, from) ||
            are_equal(c, want[slot][lane], got[slot][lane]))
            continue;
        fail_msg("%s %s bits %u cluster %u index %c wave%u lanes %u%s%s: lane %u got %llx, not "
                 "%llx",
                 ir_hir_level.ops[o->op].name, reductions[o->reduction], c->bits, o->cluster,
                 o->index, c->wave, c->lanes, c->nested ? " nested" : "",
                 c->uniform ? " uniform" : "", lane, (unsigned long long)got[slot][lane],
                 (unsigned long long)want[slot][lane]);
    }
}

static void
run(const subgroup_case *c, const operation *ops, unsigned n)
{
    ir_env e;
    env_open(&e);
    make_inputs(c);
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    if (!DIAG_TRY(&e.d))
        fail_msg("%u:%u: %s", e.d.loc.line, e.d.loc.column, e.d.message);
    const char *text = write_program(&e, c, ops, n);
    const ir_eval_env env = {.resource = resource, .buffer = buffer};
    const uint32_t one[3] = {1, 1, 1};
    ir_eval_result result;
    ir_fn *f = env_parse(&e, &ir_hir_level, text);
    assert_int_equal(ir_eval_run(ir_eval_new(f, c->wave, &e.a), &env, one, &result), IR_EVAL_OK);
    amd_run r = {.wave_size = c->wave,
                 .groups = {1, 1, 1},
                 .buffers = {in, got},
                 .sizes = {sizeof in, sizeof got},
                 .n_buffers = 2,
                 .debug = AMD_DEBUG_VALIDATE_RA,
                 /* exchanges may read inactive lanes */
                 .unchecked = c->exchanges ? MACH_CHECK_UNDEFINED : 0};
    if (!amd_run_hir(env_parse(&e, &ir_hir_level, text), &r))
        fail_msg("%s %s\n%s", r.report.findings[0].text, r.report.findings[0].message, text);
    for (unsigned k = 0; k < n; k++)
        check(c, &ops[k], k);
    env_close(&e);
}

/* The same operations on both wave sizes, in all situations. */
static void
run_all_ways(subgroup_case c, const operation *ops, unsigned n)
{
    static const unsigned lanes[] = {64, 40, LANES};
    for (unsigned way = 0; way < 24; way++) {
        c.wave = way & 1 ? 64 : 32;
        c.nested = way & 2;
        c.uniform = way & 4;
        c.lanes = lanes[way / 8];
        if (amd_run_has_wave(c.wave))
            run(&c, ops, n);
    }
}

/* ---- tests ---- */

static void
test_votes(void **state)
{
    (void)state;
    static const operation of_bool[] = {{.op = IR_elect},
                                        {.op = IR_vote_any},
                                        {.op = IR_vote_all},
                                        {.op = IR_vote_ieq},
                                        {.op = IR_ballot}};
    static const operation of_mask[] = {
        {.op = IR_inverse_ballot}, {.op = IR_ballot_bit_count_exclusive}, {.op = IR_vote_ieq}};
    static const operation of_float[] = {{.op = IR_vote_feq}, {.op = IR_vote_ieq}};
    run_all_ways((subgroup_case){.bits = 1}, of_bool, 5);
    run_all_ways((subgroup_case){.bits = 64}, of_mask, 3);
    for (unsigned bits = 16; bits <= 64; bits *= 2)
        run_all_ways((subgroup_case){.bits = bits, .is_float = true}, of_float, 2);
    run_all_ways((subgroup_case){.bits = 8}, &of_float[1], 1);
}

static void
test_exchanges(void **state)
{
    (void)state;
    static const operation ops[] = {{IR_read_first_invocation, 0, 0, 'u'},
                                    {IR_shuffle, 0, 0, 'v'},
                                    {IR_shuffle, 0, 0, 'u'},
                                    {IR_shuffle_xor, 0, 0, 'v'},
                                    {IR_shuffle_xor, 0, 0, '1'},
                                    {IR_shuffle_xor, 0, 0, 'k'},
                                    {IR_shuffle_up, 0, 0, 'v'},
                                    {IR_shuffle_up, 0, 0, '1'},
                                    {IR_shuffle_down, 0, 0, 'v'},
                                    {IR_shuffle_down, 0, 0, '2'},
                                    {IR_rotate, 0, 0, '3'},
                                    {IR_rotate, 0, 8, '5'},
                                    {IR_quad_broadcast, 0, 0, '2'},
                                    {IR_quad_swap_horizontal, 0, 0, 'u'},
                                    {IR_quad_swap_vertical, 0, 0, 'u'},
                                    {IR_quad_swap_diagonal, 0, 0, 'u'}};
    static const operation more[] = {
        {IR_read_invocation, 0, 0, '3'}, {IR_shuffle_up, 0, 0, '4'},   {IR_shuffle_up, 0, 0, 'g'},
        {IR_shuffle_down, 0, 0, '1'},    {IR_shuffle_down, 0, 0, 'g'}, {IR_rotate, 0, 4, '1'},
        {IR_rotate, 0, 16, '3'},         {IR_rotate, 0, 32, 'g'},      {IR_rotate, 0, 32, '1'},
        {IR_shuffle_xor, 0, 0, 'w'},     {IR_shuffle_xor, 0, 0, 'z'},  {IR_shuffle, 0, 0, '0'},
        {IR_shuffle_up, 0, 0, 'w'},      {IR_shuffle_down, 0, 0, 'w'}, {IR_rotate, 0, 0, 'w'},
        {IR_shuffle_xor, 0, 0, 'x'}};
    static const unsigned sizes[] = {1, 8, 16, 32, 64};
    for (unsigned k = 0; k < 5; k++) {
        run_all_ways((subgroup_case){.bits = sizes[k], .exchanges = true}, ops, 16);
        run_all_ways((subgroup_case){.bits = sizes[k], .exchanges = true}, more, 16);
    }
}

/* Shuffles across the halves of a wave64 that find no LDS. */
static void
test_exchanges_without_lds(void **state)
{
    (void)state;
    static const operation ops[] = {{IR_shuffle, 0, 0, 'v'},      {IR_shuffle_xor, 0, 0, 'v'},
                                    {IR_shuffle_xor, 0, 0, 'y'},  {IR_shuffle_up, 0, 0, 'v'},
                                    {IR_shuffle_up, 0, 0, 'w'},   {IR_shuffle_down, 0, 0, 'v'},
                                    {IR_shuffle_down, 0, 0, '3'}, {IR_rotate, 0, 0, 'v'},
                                    {IR_rotate, 0, 0, '3'},       {IR_rotate, 0, 0, 'w'}};
    for (unsigned bits = 16; bits <= 64; bits *= 2)
        run_all_ways((subgroup_case){.bits = bits, .exchanges = true, .fills_lds = true}, ops, 10);
}

static bool
is_float_reduction(unsigned r)
{
    return r == IR_REDUCE_fadd || r == IR_REDUCE_fmul || r == IR_REDUCE_fmin || r == IR_REDUCE_fmax;
}

static void
reduce_and_scan(unsigned r, unsigned bits)
{
    operation ops[MAX_OPS];
    unsigned n = 0;
    for (unsigned cluster = 0; cluster <= 64; cluster = cluster ? cluster * 2 : 1)
        ops[n++] = (operation){IR_reduce, (ir_reduction)r, cluster, 'r'};
    ops[n++] = (operation){IR_inclusive_scan, (ir_reduction)r, 0, 's'};
    ops[n++] = (operation){IR_exclusive_scan, (ir_reduction)r, 0, 's'};
    subgroup_case c = {
        .bits = bits, .is_float = is_float_reduction(r), .product = r == IR_REDUCE_fmul};
    run_all_ways(c, ops, n);
}

static void
test_reductions(void **state)
{
    (void)state;
    for (unsigned r = 0; r < IR_REDUCE_COUNT; r++) {
        if (r == IR_REDUCE_iand || r == IR_REDUCE_ior || r == IR_REDUCE_ixor)
            reduce_and_scan(r, 1);
        for (unsigned bits = is_float_reduction(r) ? 16 : 8; bits <= 64; bits *= 2)
            reduce_and_scan(r, bits);
    }
}

int
main(int argc, char **argv)
{
    if (!amd_run_choose(argc, argv))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_votes), cmocka_unit_test(test_exchanges),
        cmocka_unit_test(test_exchanges_without_lds), cmocka_unit_test(test_reductions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
