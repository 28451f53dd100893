#include "ir/eval_alu.h"

#include "ir/eval_math.h"

/* The data that a row's expression can access in addition to its sources. */
typedef struct frame {
    unsigned bits, dbits;
    uint8_t flush; /* bit b: floats of 16 << b bits flush denormals */
    bool rtz;
} frame;

static bool
size_in_set(uint8_t set, unsigned bits)
{
    return set >> (bits >> 5) & 1; /* 16, 32, 64 -> 0, 1, 2: the bits of ir_float_controls */
}

static double
read_float(uint64_t x, unsigned bits, const frame *f)
{
    return base_fp_decode(size_in_set(f->flush, bits) ? base_fp_flush(x, bits) : x, bits);
}

static uint64_t
write_float(double x, const frame *f)
{
    uint64_t u = base_fp_encode(x, f->dbits, f->rtz ? BASE_ROUND_ZERO : BASE_ROUND_EVEN);
    return size_in_set(f->flush, f->dbits) ? base_fp_flush(u, f->dbits) : u;
}

/* How to read a source from its pattern, and how to convert a value to a pattern. */
#define READ__(x)    0
#define READ_B(x)    ((x)&1)
#define READ_F(x)    read_float(x, f->bits, f)
#define READ_F32(x)  read_float(x, 32, f)
#define READ_I(x)    base_sext64(x, f->bits)
#define READ_I32(x)  base_sext64(x, 32)
#define READ_U(x)    (x)
#define READ_U16(x)  (x)
#define READ_U32(x)  (x)
#define READ_U64(x)  (x)
#define WRITE_B(x)   (uint64_t)(bool)(x)
#define WRITE_F(x)   write_float(x, f)
#define WRITE_F32(x) write_float(x, f)
#define WRITE_FX(x)  write_float(x, f)
#define WRITE_I(x)   (uint64_t)(int64_t)(x)
#define WRITE_I32(x) (uint64_t)(int64_t)(x)
#define WRITE_IX(x)  (uint64_t)(int64_t)(x)
#define WRITE_U(x)   (uint64_t)(x)
#define WRITE_U16(x) (uint64_t)(x)
#define WRITE_U32(x) (uint64_t)(x)
#define WRITE_U64(x) (uint64_t)(x)
#define WRITE_UX(x)  (uint64_t)(x)

#define ALU(id, n, dst, k0, k1, k2, flags, expr)                                                   \
    static uint64_t eval_##id(const uint64_t s[3], const frame *f)                                 \
    {                                                                                              \
        const EV_TYPE_##k0 a = READ_##k0(s[0]);                                                    \
        const EV_TYPE_##k1 b = READ_##k1(s[1]);                                                    \
        const EV_TYPE_##k2 c = READ_##k2(s[2]);                                                    \
        const unsigned bits = f->bits, dbits = f->dbits;                                           \
        const bool rtz = f->rtz;                                                                   \
        (void)a, (void)b, (void)c, (void)bits, (void)dbits, (void)rtz;                             \
        return WRITE_##dst(expr);                                                                  \
    }
#include "ir/ops.def"

uint64_t
ir_eval_alu(ir_op op, unsigned bits, unsigned dbits, const uint64_t src[3], ir_float_controls fp)
{
    const frame f = {bits, dbits, fp.denorm_flush, size_in_set(fp.round_zero, dbits)};
    uint64_t r = 0;
    switch (op) {
#define ALU(id, n, dst, k0, k1, k2, flags, expr)                                                   \
    case IR_##id:                                                                                  \
        r = eval_##id(src, &f);                                                                    \
        break;
#include "ir/ops.def"
    default: break;
    }
    return r & base_mask64(dbits);
}

static bool
is_sized(ir_kind k)
{
    return k == IR_KIND_F || k == IR_KIND_I || k == IR_KIND_U;
}

unsigned
ir_alu_bits(ir_op op, const unsigned src_bits[3])
{
    const ir_alu_info *row = &ir_alu_table[op];
    for (unsigned s = 0; s < row->n; s++) {
        if (is_sized((ir_kind)row->src[s]))
            return src_bits[s];
    }
    return src_bits[0];
}

unsigned
ir_alu_def_bits(ir_op op, unsigned bits, unsigned wanted)
{
    ir_kind k = (ir_kind)ir_alu_table[op].dst;
    if (is_sized(k))
        return bits;
    return ir_kind_bits(k) ? ir_kind_bits(k) : wanted;
}

bool
ir_alu_is_float_src(ir_op op, unsigned s)
{
    return ir_kind_base((ir_kind)ir_alu_table[op].src[s]) == IR_KIND_F;
}
