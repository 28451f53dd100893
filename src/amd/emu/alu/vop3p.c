/* Packed and mixed-precision operations (VOP3P, and their VOP2 forms).
 *
 * A packed operation runs the 16-bit operation of valu_*.c twice. Bit i of op_sel selects the half
 * of source i for the low result (0: low), op_sel_hi the half for the high result (1: high); neg
 * and neg_hi negate these halves. That applies to constants too: for binary16 operations an inline
 * float has its 16 bits in the low half and 0 in the high half; for integer operations it is the
 * binary32 dword. Integers are sign-extended to dwords (LLVM, getInlineEncodingV216). Dot products
 * and v_fma_mix are implemented here.
 */
#include "amd/emu/alu/alu.h"
#include "amd/emu/alu/valu.h"
#include "amd/emu/alu/valu_fast.h"
#include "amd/emu/core/operand.h"

typedef struct packed_row {
    uint16_t op;    /* VOP3P's opcode */
    uint16_t plain; /* the 16-bit opcode that runs on each half */
} packed_row;

static const packed_row packed_rows[] = {
    {AMD_V_PK_MAD_I16, AMD_V_MAD_I16},           {AMD_V_PK_MUL_LO_U16, AMD_V_MUL_LO_U16},
    {AMD_V_PK_ADD_I16, AMD_V_ADD_NC_I16},        {AMD_V_PK_SUB_I16, AMD_V_SUB_NC_I16},
    {AMD_V_PK_LSHLREV_B16, AMD_V_LSHLREV_B16},   {AMD_V_PK_LSHRREV_B16, AMD_V_LSHRREV_B16},
    {AMD_V_PK_ASHRREV_I16, AMD_V_ASHRREV_I16},   {AMD_V_PK_MAX_I16, AMD_V_MAX_I16},
    {AMD_V_PK_MIN_I16, AMD_V_MIN_I16},           {AMD_V_PK_MAD_U16, AMD_V_MAD_U16},
    {AMD_V_PK_ADD_U16, AMD_V_ADD_NC_U16},        {AMD_V_PK_SUB_U16, AMD_V_SUB_NC_U16},
    {AMD_V_PK_MAX_U16, AMD_V_MAX_U16},           {AMD_V_PK_MIN_U16, AMD_V_MIN_U16},
    {AMD_V_PK_FMA_F16, AMD_V_FMA_F16},           {AMD_V_PK_ADD_F16, AMD_V_ADD_F16},
    {AMD_V_PK_MUL_F16, AMD_V_MUL_F16},           {AMD_V_PK_MIN_F16, AMD_V_MIN_F16},
    {AMD_V_PK_MAX_F16, AMD_V_MAX_F16},           {AMD_V_PK_MINIMUM_F16, AMD_V_MINIMUM_F16},
    {AMD_V_PK_MAXIMUM_F16, AMD_V_MAXIMUM_F16},   {AMD_V_PK_FMAC_F16, AMD_V_FMA_F16},
    {AMD_V_PK_MINIMUM3_F16, AMD_V_MINIMUM3_F16}, {AMD_V_PK_MAXIMUM3_F16, AMD_V_MAXIMUM3_F16},
};

static bool
is_f16(uint32_t t)
{
    return t == EMU_T_F16 || t == EMU_T_H16;
}

static float
clamp_unit(const emu_wave *w, float f)
{
    if (f != f)
        return w->mode & EMU_MODE_DX10_CLAMP ? 0.0f : f;
    return f > 1 ? 1.0f : f > 0 ? f : 0.0f;
}

/* The operand code of source `s` of a packed operation: v_pk_fmac's third source is its
 * destination. */
static uint32_t
source_code(const amd_inst *in, uint32_t s)
{
    return in->op == AMD_V_PK_FMAC_F16 && s == 2 ? in->dst[0] : in->src[s];
}

/* A half of a source, moved to the low half of each dword; `u` itself if no change is needed. */
static const uint32_t *
source_half(uint32_t n, const uint32_t *u, bool upper, bool negate, bool flush, uint32_t *room)
{
    if (!upper && !negate && !flush)
        return u;
    uint32_t shift = upper ? 16 : 0, flip = negate ? 0x8000 : 0;
    for (uint32_t l = 0; l < n; l++)
        room[l] = (u[l] >> shift & 0xffff) ^ flip;
    if (flush)
        for (uint32_t l = 0; l < n; l++)
            room[l] = amd_emu_flush16(room[l]);
    return room;
}

/* Applies denormal flushing and clamp to binary16 results. */
static void
finish_half(const emu_wave *w, bool clamps, uint32_t *d)
{
    if (!(w->mode & EMU_DENORM_OUT_16_64))
        for (uint32_t l = 0; l < w->lanes; l++)
            d[l] = amd_emu_flush16(d[l]);
    for (uint32_t l = 0; clamps && l < w->lanes; l++) {
        bool stays = amd_emu_nan16(d[l]) && !(w->mode & EMU_MODE_DX10_CLAMP);
        if (!stays)
            d[l] = amd_emu_to_half_rne(clamp_unit(w, amd_emu_from_half(d[l])));
    }
}

/* Computes one half of the result, in the low halves of `d`. */
static void
packed_half(emu_wave *w, const emu_inst *i, const emu_valu *v, bool high, uint32_t *d)
{
    const amd_inst *in = &i->in;
    bool vop2 = in->fmt == AMD_VOP2;
    uint32_t select = vop2 ? (high ? 7 : 0) : high ? in->op_sel_hi : in->op_sel;
    uint32_t neg = vop2 ? 0 : high ? in->neg_hi : in->neg;
    emu_row rooms[3], row;
    const void *lanes[3] = {NULL, NULL, NULL};
    for (uint32_t s = 0; s < 3 && v->src[s]; s++) {
        emu_type pair = is_f16(v->src[s]) ? EMU_T_V2 : EMU_T_U32;
        const uint32_t *u = amd_emu_source_row(w, i, source_code(in, s), pair, 0, &row);
        emu_row permuted;
        if (in->ext && s == 0) {
            amd_emu_dpp_permute(w, in, u, permuted.u);
            row = permuted;
            u = row.u;
        }
        bool f16 = is_f16(v->src[s]), flush = f16 && !(w->mode & EMU_DENORM_IN_16_64);
        if (u == row.u) { /* `row` will be reused */
            memcpy(rooms[s].u, row.u, w->lanes * sizeof *row.u);
            u = rooms[s].u;
        }
        lanes[s] = source_half(w->lanes, u, select >> s & 1, f16 && (neg >> s & 1), flush,
                               rooms[s].u);
    }
    uint32_t mask[EMU_LANES];
    emu_args k = {
        w->lanes, w->mode,     lanes[0], lanes[1], lanes[2], NULL, d, mask, amd_emu_nan_rule(w),
        &i->in,   w->m->d->gen};
    bool rounded = amd_emu_round_begin(is_f16(v->dst) ? w->mode >> 2 & 3 : EMU_RNE);
    (in->clamp && v->sat ? v->sat : v->fn)(&k);
    amd_emu_round_end(rounded);
    if (is_f16(v->dst))
        finish_half(w, in->clamp, d);
}

static void
run_packed(emu_wave *w, const emu_inst *i)
{
    uint32_t low[EMU_LANES], high[EMU_LANES];
    uint64_t exec = amd_emu_exec(w);
    packed_half(w, i, i->op, false, low);
    packed_half(w, i, i->op, true, high);
    for (uint32_t l = 0; l < w->lanes; l++)
        low[l] = (low[l] & 0xffff) | high[l] << 16;
    w->lane_instructions += base_popcount64(exec);
    amd_emu_write_vgpr(w, i->in.dst[0] - AMD_REG_VGPR0, low, amd_emu_dpp_write(w, &i->in));
}

/* v_mad_mix also rounds the product, and flushes denormals regardless of the mode. */
static bool
is_mad_mix(const emu_inst *i)
{
    return i->in.op == AMD_V_MAD_MIX_F32 || i->in.op == AMD_V_MAD_MIXLO_F16 ||
           i->in.op == AMD_V_MAD_MIXHI_F16;
}

/* A source of a mixed operation: op_sel_hi selects binary16, op_sel the half; neg_hi means abs. */
static void
mix_source(emu_wave *w, const emu_inst *i, uint32_t s, float *out)
{
    const amd_inst *in = &i->in;
    bool half = in->op_sel_hi >> s & 1, upper = in->op_sel >> s & 1, flush = is_mad_mix(i);
    emu_row room;
    const uint32_t *u = amd_emu_source_row(w, i, in->src[s], half ? EMU_T_F16 : EMU_T_F32, 0,
                                           &room);
    emu_row permuted;
    if (in->ext && s == 0) {
        amd_emu_dpp_permute(w, in, u, permuted.u);
        u = permuted.u;
    }
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t bits = half ? u[l] >> (upper ? 16 : 0) & 0xffff : u[l];
        if (!half && (flush || !(w->mode & EMU_DENORM_IN_32)))
            bits = amd_emu_flush32(bits);
        if (half && (flush || !(w->mode & EMU_DENORM_IN_16_64)))
            bits = amd_emu_flush16(bits);
        float f = half ? amd_emu_from_half(bits) : base_bits_f32(bits);
        if (in->neg_hi >> s & 1)
            f = fabsf(f);
        out[l] = in->neg >> s & 1 ? -f : f;
    }
}

/* v_fma_mix_f32, v_fma_mixlo_f16, v_fma_mixhi_f16, and v_mad_mix. The f16 forms round the exact sum
 * to binary32 first, as the f32 unit does, then to binary16. */
static void
run_mix(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    float a[EMU_LANES], b[EMU_LANES], c[EMU_LANES], sum[EMU_LANES];
    uint32_t d[EMU_LANES], reg = in->dst[0] - AMD_REG_VGPR0;
    uint64_t exec = amd_emu_exec(w);
    mix_source(w, i, 0, a);
    mix_source(w, i, 1, b);
    mix_source(w, i, 2, c);
    bool rounded = amd_emu_round_begin(w->mode & 3);
    if (is_mad_mix(i))
        amd_emu_mad_lanes(w->lanes, a, b, c, sum);
    else
        amd_emu_fma_lanes(w->lanes, a, b, c, sum);
    amd_emu_round_end(rounded);
    for (uint32_t l = 0; l < w->lanes; l++) {
        float f = sum[l];
        if (is_mad_mix(i) || !(w->mode & EMU_DENORM_OUT_32))
            f = base_bits_f32(amd_emu_flush32(base_f32_bits(f)));
        if (in->clamp)
            f = clamp_unit(w, f);
        d[l] = base_f32_bits(f);
    }
    if (in->op != AMD_V_FMA_MIX_F32 && in->op != AMD_V_MAD_MIX_F32) {
        bool high = in->op == AMD_V_FMA_MIXHI_F16 || in->op == AMD_V_MAD_MIXHI_F16;
        for (uint32_t l = 0; l < w->lanes; l++) {
            uint32_t h = amd_emu_f32_to_half(base_bits_f32(d[l]), w->mode >> 2 & 3),
                     old = w->vgpr[reg][l];
            if (!(w->mode & EMU_DENORM_OUT_16_64))
                h = amd_emu_flush16(h);
            d[l] = high ? (old & 0xffff) | h << 16 : (old & 0xffff0000) | h;
        }
    }
    w->lane_instructions += base_popcount64(exec);
    amd_emu_write_vgpr(w, reg, d, amd_emu_dpp_write(w, in));
}

/* The sum of products of `bits`-wide fields of two dwords. */
static int64_t
dot_fields(uint32_t a, uint32_t b, uint32_t bits, bool is_signed)
{
    int64_t sum = 0;
    for (uint32_t s = 0; s < 32; s += bits) {
        uint64_t x = a >> s & base_mask64(bits), y = b >> s & base_mask64(bits);
        sum += is_signed ? base_sext64(x, bits) * base_sext64(y, bits) : (int64_t)(x * y);
    }
    return sum;
}

/* v_dot2_f32_f16: products and sums in binary32 with one rounding at the end; denormals are flushed
 * (LLVM's notes on GFX10's dot instructions say that the mode is ignored). */
static uint32_t
dot_f16(uint32_t a, uint32_t b, uint32_t c)
{
    double p = (double)amd_emu_from_half(a) * (double)amd_emu_from_half(b);
    double q = (double)amd_emu_from_half(a >> 16) * (double)amd_emu_from_half(b >> 16);
    return amd_emu_flush32(
        base_f32_bits((float)amd_emu_sum3(p, q, (double)base_bits_f32(amd_emu_flush32(c)))));
}

/* V_DOT4_I32_IU8 and V_DOT8_I32_IU4: the bits of neg tell which factors are signed. */
static int64_t
dot_mixed(const amd_inst *in, uint32_t a, uint32_t b)
{
    uint32_t bits = in->op == AMD_V_DOT4_I32_IU8 ? 8 : 4;
    int64_t sum = 0;
    for (uint32_t s = 0; s < 32; s += bits) {
        uint64_t x = a >> s & base_mask64(bits), y = b >> s & base_mask64(bits);
        sum += (in->neg & 1 ? base_sext64(x, bits) : (int64_t)x) *
               (in->neg & 2 ? base_sext64(y, bits) : (int64_t)y);
    }
    return sum;
}

static void
run_dot_mixed(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    emu_row rows[3];
    uint32_t d[EMU_LANES];
    uint64_t exec = amd_emu_exec(w);
    const uint32_t *a = amd_emu_source_row(w, i, in->src[0], EMU_T_U32, 0, &rows[0]);
    const uint32_t *b = amd_emu_source_row(w, i, in->src[1], EMU_T_U32, 0, &rows[1]);
    const uint32_t *c = amd_emu_source_row(w, i, in->src[2], EMU_T_U32, 0, &rows[2]);
    for (uint32_t l = 0; l < w->lanes; l++) {
        int64_t sum = dot_mixed(in, a[l], b[l]) + (int32_t)c[l];
        if (in->clamp)
            sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        d[l] = (uint32_t)sum;
    }
    w->lane_instructions += base_popcount64(exec);
    amd_emu_write_vgpr(w, in->dst[0] - AMD_REG_VGPR0, d, exec);
}

static uint32_t
dot_lane(uint32_t op, uint32_t a, uint32_t b, uint32_t c, bool clamp)
{
    uint32_t bits = 16;
    bool is_signed = true;
    switch (op) {
    case AMD_V_DOT2_F32_F16:
    case AMD_V_DOT2C_F32_F16: return dot_f16(a, b, c);
    case AMD_V_DOT2_U32_U16: is_signed = false; break;
    case AMD_V_DOT4C_I32_I8:
    case AMD_V_DOT4_I32_I8: bits = 8; break;
    case AMD_V_DOT4_U32_U8: bits = 8, is_signed = false; break;
    case AMD_V_DOT8C_I32_I4:
    case AMD_V_DOT8_I32_I4: bits = 4; break;
    case AMD_V_DOT8_U32_U4: bits = 4, is_signed = false; break;
    default: break;
    }
    int64_t sum = dot_fields(a, b, bits, is_signed) +
                  (is_signed ? (int64_t)(int32_t)c : (int64_t)c);
    if (clamp && is_signed)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    if (clamp && !is_signed)
        sum = sum > UINT32_MAX ? (int64_t)UINT32_MAX : sum;
    return (uint32_t)sum;
}

static void
run_dot(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    bool acc = i->row->fmt == AMD_VOP2;
    bool f16 = in->op == AMD_V_DOT2_F32_F16 || in->op == AMD_V_DOT2C_F32_F16;
    bool v2 = amd_op_src(i->row, 0)->type == AMD_T_V2I16 ||
              amd_op_src(i->row, 0)->type == AMD_T_V2U16;
    emu_row rows[4];
    uint32_t d[EMU_LANES];
    uint64_t exec = amd_emu_exec(w);
    const uint32_t *a = amd_emu_source_row(w, i, in->src[0], f16 ? EMU_T_V2 : EMU_T_U32, 0,
                                           &rows[0]);
    const uint32_t *b = amd_emu_source_row(w, i, in->src[1], f16 ? EMU_T_V2 : EMU_T_U32, 0,
                                           &rows[1]);
    const uint32_t *c = amd_emu_source_row(w, i, acc ? in->dst[0] : in->src[2], EMU_T_U32, 0,
                                           &rows[2]);
    if (in->ext) {
        amd_emu_dpp_permute(w, in, a, rows[3].u);
        a = rows[3].u;
    }
    /* only the f16 form uses op_sel; the encodings of the others keep its defaults */
    uint32_t sel = acc ? 0 : in->op_sel, sel_hi = acc ? 7 : in->op_sel_hi;
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t x = a[l], y = b[l], z = c[l];
        if (f16 || v2) {
            x = (x >> (sel & 1 ? 16 : 0) & 0xffff) | (x >> (sel_hi & 1 ? 16 : 0)) << 16;
            y = (y >> (sel & 2 ? 16 : 0) & 0xffff) | (y >> (sel_hi & 2 ? 16 : 0)) << 16;
        }
        if (f16 && !acc) {
            x ^= (in->neg & 1 ? 0x8000u : 0) | (in->neg_hi & 1 ? 0x80000000u : 0);
            y ^= (in->neg & 2 ? 0x8000u : 0) | (in->neg_hi & 2 ? 0x80000000u : 0);
            z ^= in->neg & 4 ? 0x80000000u : 0;
        }
        d[l] = dot_lane(in->op, x, y, z, in->clamp && !f16);
        if (f16 && in->clamp)
            d[l] = base_f32_bits(clamp_unit(w, base_bits_f32(d[l])));
    }
    w->lane_instructions += base_popcount64(exec);
    amd_emu_write_vgpr(w, in->dst[0] - AMD_REG_VGPR0, d, amd_emu_dpp_write(w, in));
}

bool
amd_emu_bind_vop3p(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_V_FMA_MIX_F32:
    case AMD_V_FMA_MIXLO_F16:
    case AMD_V_FMA_MIXHI_F16:
    case AMD_V_MAD_MIX_F32:
    case AMD_V_MAD_MIXLO_F16:
    case AMD_V_MAD_MIXHI_F16: i->run = run_mix; return true;
    case AMD_V_DOT2_F32_F16:
    case AMD_V_DOT2C_F32_F16:
    case AMD_V_DOT2_I32_I16:
    case AMD_V_DOT2_U32_U16:
    case AMD_V_DOT4_I32_I8:
    case AMD_V_DOT4C_I32_I8:
    case AMD_V_DOT2C_I32_I16:
    case AMD_V_DOT8C_I32_I4:
    case AMD_V_DOT4_U32_U8:
    case AMD_V_DOT8_I32_I4:
    case AMD_V_DOT8_U32_U4: i->run = run_dot; return true;
    case AMD_V_DOT4_I32_IU8:
    case AMD_V_DOT8_I32_IU4: i->run = run_dot_mixed; return true;
    case AMD_V_DOT2_F32_BF16:
    case AMD_V_DOT4_F32_FP8_FP8:
    case AMD_V_DOT4_F32_FP8_BF8:
    case AMD_V_DOT4_F32_BF8_FP8:
    case AMD_V_DOT4_F32_BF8_BF8:
        i->in.abs = i->in.neg_hi; /* abs of the addend */
        i->op = amd_emu_valu_find(i->in.op);
        i->run = amd_emu_run_valu;
        return true;
    default: break;
    }
    for (size_t r = 0; r < sizeof packed_rows / sizeof *packed_rows; r++) {
        if (packed_rows[r].op == i->in.op) {
            i->run = run_packed;
            i->op = amd_emu_valu_find(packed_rows[r].plain);
            amd_emu_bind_quick(i);
            return true;
        }
    }
    return false;
}
