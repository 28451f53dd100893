/* ALU operations on all lanes of a wave: loops over registers generated from the `expr` column of
 * ops.def, for rows whose sizes are all 32 or all 64 bits (and booleans). Other sizes, and
 * functions that flush denormals or round towards zero, are evaluated lane by lane with
 * ir_eval_alu. */
#include "ir/eval_internal.h"
#include "ir/eval_math.h"

/* The type of a register's lane, by kind and the row's size. */
#define LANE__(size)   uint32_t
#define LANE_B(size)   uint32_t
#define LANE_F(size)   uint##size##_t
#define LANE_I(size)   uint##size##_t
#define LANE_U(size)   uint##size##_t
#define LANE_FX(size)  uint##size##_t
#define LANE_IX(size)  uint##size##_t
#define LANE_UX(size)  uint##size##_t
#define LANE_F32(size) uint32_t
#define LANE_I32(size) uint32_t
#define LANE_U16(size) uint32_t
#define LANE_U32(size) uint32_t
#define LANE_U64(size) uint64_t

#define READ_FLOAT_32(x)  base_bits_f32(x)
#define READ_FLOAT_64(x)  base_bits_f64(x)
#define READ_INT_32(x)    (int32_t)(x)
#define READ_INT_64(x)    (int64_t)(x)
#define READ__(x, size)   0
#define READ_B(x, size)   (x)
#define READ_F(x, size)   READ_FLOAT_##size(x)
#define READ_F32(x, size) base_bits_f32(x)
#define READ_I(x, size)   READ_INT_##size(x)
#define READ_I32(x, size) (int32_t)(x)
#define READ_U(x, size)   (x)
#define READ_U16(x, size) (x)
#define READ_U32(x, size) (x)
#define READ_U64(x, size) (x)

#define WRITE_FLOAT_32(x)  base_f32_bits((float)(x))
#define WRITE_FLOAT_64(x)  base_f64_bits(x)
#define WRITE_B(x, size)   (uint32_t)(bool)(x)
#define WRITE_F(x, size)   WRITE_FLOAT_##size(x)
#define WRITE_FX(x, size)  WRITE_FLOAT_##size(x)
#define WRITE_F32(x, size) base_f32_bits((float)(x))
#define WRITE_I(x, size)   (uint##size##_t)(x)
#define WRITE_IX(x, size)  (uint##size##_t)(x)
#define WRITE_U(x, size)   (uint##size##_t)(x)
#define WRITE_UX(x, size)  (uint##size##_t)(x)
#define WRITE_I32(x, size) (uint32_t)(x)
#define WRITE_U16(x, size) (uint32_t)(uint16_t)(x)
#define WRITE_U32(x, size) (uint32_t)(x)
#define WRITE_U64(x, size) (uint64_t)(x)

#define KERNEL(id, dst, k0, k1, k2, expr, size)                                                    \
    static void kernel_##id##_##size(const ev_instr *instr, void *d_, const void *a_,              \
                                     const void *b_, const void *c_, unsigned n_)                  \
    {                                                                                              \
        LANE_##dst(size) *restrict to_ = d_;                                                       \
        const LANE_##k0(size) *sa_ = a_;                                                           \
        const LANE_##k1(size) *sb_ = b_;                                                           \
        const LANE_##k2(size) *sc_ = c_;                                                           \
        const unsigned bits = size, dbits = size;                                                  \
        const bool rtz = false;                                                                    \
        (void)instr, (void)bits, (void)dbits, (void)rtz, (void)sa_, (void)sb_, (void)sc_;          \
        for (unsigned l_ = 0; l_ < n_; l_++) {                                                     \
            const EV_TYPE_##k0 a = READ_##k0(sa_[l_], size);                                       \
            const EV_TYPE_##k1 b = READ_##k1(sb_[l_], size);                                       \
            const EV_TYPE_##k2 c = READ_##k2(sc_[l_], size);                                       \
            (void)a, (void)b, (void)c;                                                             \
            to_[l_] = WRITE_##dst(expr, size);                                                     \
        }                                                                                          \
    }
#define ALU(id, n, dst, k0, k1, k2, flags, expr)                                                   \
    KERNEL(id, dst, k0, k1, k2, expr, 32)                                                          \
    KERNEL(id, dst, k0, k1, k2, expr, 64)
#include "ir/ops.def"

static ev_kernel *const kernels_32[IR_HIR_OP_COUNT] = {
#define ALU(id, n, dst, k0, k1, k2, flags, expr) [IR_##id] = kernel_##id##_32,
#include "ir/ops.def"
};

static ev_kernel *const kernels_64[IR_HIR_OP_COUNT] = {
#define ALU(id, n, dst, k0, k1, k2, flags, expr) [IR_##id] = kernel_##id##_64,
#include "ir/ops.def"
};

static uint64_t
load_lane(const void *reg, unsigned bits, unsigned lane)
{
    return bits == 64 ? ((const uint64_t *)reg)[lane] : ((const uint32_t *)reg)[lane];
}

static void
kernel_any_size(const ev_instr *i, void *d, const void *a, const void *b, const void *c, unsigned n)
{
    const ir_float_controls fp = i->ir->block->fn->shader.fp;
    for (unsigned l = 0; l < n; l++) {
        const uint64_t src[3] = {load_lane(a, i->src_bits[0], l), load_lane(b, i->src_bits[1], l),
                                 load_lane(c, i->src_bits[2], l)};
        uint64_t r = ir_eval_alu((ir_op)i->op, i->bits, i->dbits, src, fp);
        if (i->dbits == 64)
            ((uint64_t *)d)[l] = r;
        else
            ((uint32_t *)d)[l] = (uint32_t)r;
    }
}

static void
kernel_not_bool(const ev_instr *i, void *d, const void *a, const void *b, const void *c, unsigned n)
{
    uint32_t *to = d;
    const uint32_t *from = a;
    (void)i, (void)b, (void)c;
    for (unsigned l = 0; l < n; l++)
        to[l] = !from[l];
}

/* Returns true if all floats of the row keep denormals and round to nearest. */
static bool
has_plain_floats(const ir_alu_info *row, ir_float_controls fp)
{
    bool floats = ir_kind_base((ir_kind)row->dst) == IR_KIND_F;
    for (unsigned s = 0; s < row->n; s++)
        floats |= ir_kind_base((ir_kind)row->src[s]) == IR_KIND_F;
    return !floats || !(fp.denorm_flush | fp.round_zero);
}

/* Returns true if all sizes that the row leaves open are `size`. */
static bool
fits_size(const ir_alu_info *row, unsigned bits, unsigned dbits, unsigned size)
{
    bool ok = true;
    for (unsigned s = 0; s < row->n; s++) {
        ir_kind k = (ir_kind)row->src[s];
        ok &= k == IR_KIND_B || ir_kind_bits(k) || bits == size;
    }
    return ok && (ir_kind_bits((ir_kind)row->dst) || dbits == size);
}

/* Boolean operations for which the 32-bit kernel is correct on 0 and 1. */
static bool
is_bool_kernel(ir_op op)
{
    return op == IR_iand || op == IR_ior || op == IR_ixor || op == IR_ieq || op == IR_ine ||
           op == IR_bcsel || op == IR_ult || op == IR_uge || op == IR_umin || op == IR_umax;
}

ev_kernel *
ev_find_kernel(ir_op op, unsigned bits, unsigned dbits, ir_float_controls fp)
{
    const ir_alu_info *row = &ir_alu_table[op];
    if (op == IR_inot && bits == 1)
        return kernel_not_bool;
    if (bits == 1 && is_bool_kernel(op))
        return kernels_32[op];
    if (has_plain_floats(row, fp)) {
        if (fits_size(row, bits, dbits, 32))
            return kernels_32[op];
        if (fits_size(row, bits, dbits, 64))
            return kernels_64[op];
    }
    return kernel_any_size;
}
