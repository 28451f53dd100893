/* Every ALU opcode of HIR at every size, compiled for gfx1030 and run on the emulator, against
 * ir_eval_alu: once with operands that differ between lanes (vector unit), once with uniform ones
 * (scalar unit where it can). */
#include "../ir/ir_env.h"
#include "amd_run.h"
#include "ir/builder.h"
#include "ir/eval_alu.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LANES = 64 };

typedef struct alu_case {
    ir_op op;
    unsigned bits, dbits; /* of the sources, of the definition */
    bool uniform;
    uint32_t wave_size;
    bool exact; /* ffma rounds once */
} alu_case;

static uint64_t
next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return base_hash64(*state);
}

static const uint32_t corner_floats[] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                         0x40490fdb, 0x3f000000, 0x4b800000, 0x42c80000};

static uint64_t
float_of(unsigned bits, double v)
{
    ir_float_controls fp = {0};
    uint64_t src[3] = {base_f64_bits(v)};
    return bits == 64 ? src[0] : ir_eval_alu(IR_f2f, 64, bits, src, fp);
}

/* Operand `s` in lane `lane`: corner values first, then random ones; floats of moderate size. */
static uint64_t
operand(const alu_case *c, unsigned s, unsigned lane, unsigned bits, uint64_t *random)
{
    if (c->uniform)
        lane = 5;
    uint64_t r = next_random(random);
    if (ir_alu_is_float_src(c->op, s)) {
        bool trig = c->op == IR_fsin || c->op == IR_fcos,
             power = c->op == IR_fpow || c->op == IR_fexp2;
        double unit = (double)(int64_t)r / 9.3e18;
        if (trig || power) /* the range for which Vulkan specifies a precision */
            return float_of(bits, power && s == 0 ? fabs(unit) * 4 : unit * 3.14);
        if ((c->op == IR_f2u || c->op == IR_f2i) && c->dbits == 64) /* out of range is undefined */
            return float_of(bits, fabs(unit) * (bits == 16 ? 1e4 : 1e15));
        if (lane < 8)
            return float_of(bits, (double)base_bits_f32(corner_floats[(lane + s) % 8]));
        return float_of(bits, ((double)(int64_t)r / 9.3e18) * (lane % 2 ? 4 : 1000));
    }
    static const uint64_t corners[] = {0,          1,  UINT64_MAX, 0x80000000,
                                       0x7fffffff, 31, 5,          UINT64_C(0x8000000000000000)};
    uint64_t v = lane < 8 ? corners[(lane + 3 * s) % 8] : lane % 3 ? r : r % 64;
    bool divides = c->op >= IR_idiv && c->op <= IR_umod;
    if (divides && s == 1 && (v & base_mask64(bits)) == 0) /* undefined */
        v = 3;
    if (c->op == IR_ldexp && s == 1)
        v = (uint64_t)((int64_t)(r % 40) - 20);
    if ((c->op == IR_ubitfield_extract || c->op == IR_ibitfield_extract) && s > 0)
        v = s == 1 ? lane % (c->bits / 2) : lane % (c->bits / 2 + 1);
    if (c->op >= IR_extract_u8 && c->op <= IR_extract_i16 && s == 1)
        v = 1;
    return v & base_mask64(bits);
}

static void
source_bits(const alu_case *c, unsigned out[3])
{
    const ir_alu_info *row = &ir_alu_table[c->op];
    for (unsigned s = 0; s < 3; s++) {
        unsigned fixed = ir_kind_bits((ir_kind)row->src[s]);
        out[s] = s >= row->n ? 0 : fixed ? fixed : c->bits;
    }
}

static ir_ref
load_operand(ir_builder *b, const alu_case *c, unsigned s, unsigned bits, ir_ref buffer,
             ir_ref lane)
{
    if (c->op >= IR_extract_u8 && c->op <= IR_extract_i16 && s == 1)
        return ir_build_imm(b, 32, 1);
    ir_ref offset = irb_iadd(b, irb_imul(b, lane, ir_build_imm(b, 32, 24)),
                             ir_build_imm(b, 32, s * 8));
    ir_ref refs[2] = {buffer, offset};
    ir_ref v = ir_build_intr(b, IR_load_ssbo, IR_I64, refs, 2);
    ir_attr_set(ir_built(b), IR_A_ALIGN_MUL, 8);
    if (c->uniform)
        v = ir_build_intr(b, IR_read_first_invocation, IR_I64, &v, 1);
    if (bits == 64)
        return v;
    v = irb_unpack_64_2x32_x(b, v);
    if (bits == 1)
        return irb_ine(b, irb_iand(b, v, ir_build_imm(b, 32, 1)), ir_build_imm(b, 32, 0));
    return bits == 32 ? v : ir_build_alu(b, IR_u2u, IR_TYPE(bits, 1), v, ir_none(), ir_none());
}

static ir_fn *
make_shader(ir_env *e, const alu_case *c)
{
    ir_fn *f = ir_fn_new(&e->ctx, &ir_hir_level, "main");
    ir_builder b;
    unsigned bits[3];
    ir_ref src[3] = {ir_none(), ir_none(), ir_none()};
    f->shader.workgroup_size[0] = LANES;
    f->shader.workgroup_size[1] = f->shader.workgroup_size[2] = 1;
    ir_block *entry = ir_block_new(f);
    ir_append_block(f, entry);
    ir_builder_init(&b, f);
    ir_builder_at_end(&b, entry);
    ir_ref zero = ir_build_imm(&b, 32, 0), handle[2];
    for (unsigned k = 0; k < 2; k++) {
        handle[k] = ir_build_intr(&b, IR_vulkan_resource_index, IR_I32, &zero, 1);
        ir_attr_set(ir_built(&b), IR_A_BINDING, k);
        ir_attr_set(ir_built(&b), IR_A_DESC_TYPE, IR_DESC_ssbo);
    }
    ir_ref lane = ir_build_intr(&b, IR_load_local_invocation_index, IR_I32, NULL, 0);
    source_bits(c, bits);
    for (unsigned s = 0; s < ir_alu_table[c->op].n; s++)
        src[s] = load_operand(&b, c, s, bits[s], handle[0], lane);
    bool open = ir_kind_bits((ir_kind)ir_alu_table[c->op].dst) == 0;
    b.exact = c->exact;
    ir_ref r = ir_build_alu(&b, c->op, open ? IR_TYPE(c->dbits, 1) : 0, src[0], src[1], src[2]);
    b.exact = false;
    if (c->dbits == 1)
        r = ir_build_alu(&b, IR_b2i, IR_I32, r, ir_none(), ir_none());
    unsigned rbits = c->dbits == 1 ? 32 : c->dbits;
    if (rbits < 32)
        r = ir_build_alu(&b, IR_u2u, IR_I32, r, ir_none(), ir_none());
    if (rbits < 64)
        r = irb_pack_64_2x32(&b, r, zero);
    ir_ref refs[3] = {r, handle[1], irb_imul(&b, lane, ir_build_imm(&b, 32, 8))};
    ir_build_intr(&b, IR_store_ssbo, 0, refs, 3);
    ir_attr_set(ir_built(&b), IR_A_WRITE_MASK, 1);
    ir_attr_set(ir_built(&b), IR_A_ALIGN_MUL, 8);
    ir_build_return(&b);
    return f;
}

/* Allowed error in units of the last place: as Vulkan permits and the hardware's estimates need.
 */
static double
tolerance(ir_op op, unsigned bits)
{
    switch (op) {
    case IR_fdiv:
    case IR_frcp:
    case IR_fsqrt:
    case IR_frsq: return bits == 64 ? 2 : 3;
    case IR_fexp2:
    case IR_flog2:
    case IR_fpow: return 64;
    case IR_fsin:
    case IR_fcos: return -1; /* absolute */
    default: return 0;
    }
}

static double
as_double(uint64_t v, unsigned bits)
{
    ir_float_controls fp = {0};
    uint64_t src[3] = {v};
    return base_bits_f64(bits == 64 ? v : ir_eval_alu(IR_f2f, bits, 64, src, fp));
}

static bool
close_enough(const alu_case *c, uint64_t want, uint64_t got)
{
    if (want == got)
        return true;
    ir_kind dst = ir_kind_base((ir_kind)ir_alu_table[c->op].dst);
    if (dst != IR_KIND_F)
        return false;
    double w = as_double(want, c->dbits), g = as_double(got, c->dbits);
    if (isnan(w) && isnan(g))
        return true;
    double t = tolerance(c->op, c->bits);
    double eps = c->dbits == 16 ? 0x1p-10 : c->dbits == 32 ? 0x1p-23 : 0x1p-52;
    if (t < 0)
        return fabs(w - g) < (c->dbits == 16 ? 0x1p-7 : 0x1p-11);
    return fabs(w - g) <= t * eps * fabs(w);
}

/* An ffma that is not exact may round its product, too. */
static bool
rounds_twice(const alu_case *c, const uint64_t *in, uint64_t got)
{
    ir_float_controls fp = {0};
    uint64_t sum[3] = {ir_eval_alu(IR_fmul, c->bits, c->dbits, in, fp), in[2]};
    return c->op == IR_ffma && !c->exact && got == ir_eval_alu(IR_fadd, c->bits, c->dbits, sum, fp);
}

/* 1 failed, 0 passed, -1 cannot be selected. */
static int
run_case(const alu_case *c)
{
    ir_env e;
    env_open(&e);
    static uint64_t in[LANES * 3], out[LANES];
    volatile int result = 1;
    uint64_t random = (uint64_t)c->op * 1000 + c->bits;
    unsigned bits[3], failures = 0;
    source_bits(c, bits);
    memset(out, 0xee, sizeof out);
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned s = 0; s < 3; s++)
            in[lane * 3 + s] = bits[s] ? operand(c, s, lane, bits[s], &random) : 0;
        if (c->uniform && lane)
            memcpy(&in[lane * 3], in, 24);
    }
    if (DIAG_TRY(&e.d)) {
        amd_run r = {.wave_size = c->wave_size,
                     .groups = {1, 1, 1},
                     .buffers = {in, out},
                     .sizes = {sizeof in, sizeof out},
                     .n_buffers = 2,
                     .debug = AMD_DEBUG_VALIDATE_RA};
        ir_fn *f = make_shader(&e, c);
        if (!amd_run_hir(f, &r)) {
            print_error("%s %u: %s %s\n", ir_hir_level.ops[c->op].name, c->bits,
                        r.report.findings[0].text, r.report.findings[0].message);
            failures++;
        }
        for (unsigned lane = 0; lane < LANES && !failures; lane++) {
            ir_float_controls fp = {0};
            uint64_t want = ir_eval_alu(c->op, c->bits, c->dbits, &in[lane * 3], fp);
            uint64_t got = out[lane] & base_mask64(c->dbits == 1 ? 32 : c->dbits);
            if (close_enough(c, want, got) || rounds_twice(c, &in[lane * 3], got))
                continue;
            print_error("%s %u -> %u wave%u %s lane %u: (%llx, %llx, %llx) gives %llx, not %llx\n",
                        ir_hir_level.ops[c->op].name, c->bits, c->dbits, c->wave_size,
                        c->uniform ? "uniform" : "divergent", lane,
                        (unsigned long long)in[lane * 3], (unsigned long long)in[lane * 3 + 1],
                        (unsigned long long)in[lane * 3 + 2], (unsigned long long)got,
                        (unsigned long long)want);
            failures++;
        }
        result = failures ? 1 : 0;
    } else {
        result = e.d.class == DIAG_UNSUPPORTED ? -1 : 1;
        print_message("%s %u -> %u: %s\n", ir_hir_level.ops[c->op].name, c->bits, c->dbits,
                      e.d.message);
    }
    env_close(&e);
    return result;
}

static bool
legal_bits(ir_op op, unsigned bits)
{
    const ir_alu_info *row = &ir_alu_table[op];
    bool any_float = false, open = false;
    for (unsigned s = 0; s < row->n; s++) {
        unsigned fixed = ir_kind_bits((ir_kind)row->src[s]);
        any_float |= ir_kind_base((ir_kind)row->src[s]) == IR_KIND_F && !fixed;
        open |= !fixed;
    }
    if (!open)
        return bits == 32;
    if (bits == 1)
        return op == IR_iand || op == IR_ior || op == IR_ixor || op == IR_inot || op == IR_ieq ||
               op == IR_ine || op == IR_bcsel;
    if (bits == 8)
        return !any_float;
    if ((op == IR_fsin || op == IR_fcos || op == IR_fexp2 || op == IR_flog2 || op == IR_fpow) &&
        bits == 64)
        return false; /* GLSL has none */
    return true;
}

static void
run_all(void **state)
{
    (void)state;
    static const unsigned sizes[] = {1, 8, 16, 32, 64};
    unsigned passed = 0, failed = 0, unsupported = 0;
    for (unsigned op = 0; op < IR_HIR_OP_COUNT; op++) {
        if (!ir_alu_table[op].n)
            continue;
        for (unsigned k = 0; k < 5 * 5 * (op == IR_ffma ? 8 : 4); k++) {
            unsigned bits = sizes[k % 5], wanted = sizes[k / 5 % 5], way = k / 25;
            unsigned dst = ir_alu_table[op].dst;
            bool open = dst == IR_KIND_FX || dst == IR_KIND_IX || dst == IR_KIND_UX;
            if (!legal_bits((ir_op)op, bits) || (!open && wanted != 32) || (open && wanted == 1) ||
                (dst == IR_KIND_FX && wanted == 8))
                continue;
            unsigned dbits = ir_alu_def_bits((ir_op)op, bits, wanted);
            alu_case c = {(ir_op)op, bits, dbits, way & 1, way & 2 ? 64 : 32, way & 4};
            if (!amd_run_has_wave(c.wave_size))
                continue;
            int r = run_case(&c);
            passed += r == 0;
            failed += r == 1;
            unsupported += r == -1;
        }
    }
    print_message("# %u passed, %u failed, %u not selected\n", passed, failed, unsupported);
    assert_int_equal(failed, 0);
    assert_int_equal(unsupported, 0);
}

int
main(int argc, char **argv)
{
    if (!amd_run_choose(argc, argv))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(run_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
