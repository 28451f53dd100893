/* Executes vector ALU instructions: the part common to all operations.
 *
 * Each source becomes an array with one dword (or 64 bits) per lane: a register's row itself, or a
 * copy after broadcast, SDWA, DPP, op_sel, neg and abs, and flushing of denormals, in that order.
 * The row's kernel computes all lanes. The result then goes through flushing, omod and clamp, and
 * is blended into the destination under exec (and DPP's row, bank and bound rules). RDNA 2 ISA,
 * chapter "Vector ALU operations".
 */
#include "amd/emu/alu/valu.h"

#include "amd/emu/core/operand.h"
#include "amd/emu/num/minmax.h"

#include <fenv.h>

typedef struct sources {
    emu_row room[4];
    const void *lanes[3];
} sources;

static bool
is_float(uint32_t t)
{
    return t == EMU_T_F32 || t == EMU_T_F16 || t == EMU_T_H16 || t == EMU_T_F64;
}

bool
amd_emu_round_begin(unsigned round)
{
    static const int host[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (round == EMU_RNE)
        return false;
    fesetround(host[round]);
    return true;
}

void
amd_emu_round_end(bool begun)
{
    if (begun)
        fesetround(FE_TONEAREST);
}

/* A scalar source in the format of type `t`; for pairs, in the lower half. bfloat16's constants are
 * the upper halves of binary32's (as LLVM 19 assembles them). */
static uint32_t
scalar_as(emu_wave *w, const emu_inst *i, uint32_t code, emu_type t)
{
    bool is_const_float = code >= AMD_SRC_F_0_5 && code <= AMD_SRC_F_INV_2PI;
    if (is_const_float && (t == EMU_T_F16 || t == EMU_T_H16 || t == EMU_T_V2))
        return (uint32_t)amd_emu_inline_float(code, 16);
    if (is_const_float && (t == EMU_T_B16 || t == EMU_T_VB))
        return (uint32_t)amd_emu_inline_float(code, 32) >> 16;
    return amd_emu_read_s32(w, &i->in, code);
}

const uint32_t *
amd_emu_source_row(emu_wave *w, const emu_inst *i, uint32_t code, emu_type t, uint32_t add,
                   emu_row *room)
{
    if (code >= AMD_REG_VGPR0)
        return w->vgpr[code - AMD_REG_VGPR0 + add];
    uint32_t v = add ? (uint32_t)(amd_emu_read_s64(w, &i->in, code) >> 32)
                     : scalar_as(w, i, code, t);
    for (uint32_t l = 0; l < w->lanes; l++)
        room->u[l] = v;
    return room->u;
}

void
amd_emu_wide_source(emu_wave *w, const emu_inst *i, uint32_t code, uint32_t t, emu_row *room)
{
    if (code >= AMD_REG_VGPR0) {
        const uint32_t *low = w->vgpr[code - AMD_REG_VGPR0],
                       *high = w->vgpr[code - AMD_REG_VGPR0 + 1];
        for (uint32_t l = 0; l < w->lanes; l++)
            room->q[l] = low[l] | (uint64_t)high[l] << 32;
        return;
    }
    uint64_t v = amd_emu_read_s64(w, &i->in, code);
    if (code == AMD_SRC_LITERAL && t == EMU_T_F64)
        v <<= 32; /* a literal is the high half of a double */
    for (uint32_t l = 0; l < w->lanes; l++)
        room->q[l] = v;
}

/* SDWA: selects bytes, words or all of a source, and extends them. */
static void
sdwa_select(uint32_t lanes, const uint32_t *from, uint32_t *to, uint32_t select, bool sext)
{
    uint32_t shift = select < 4 ? select * 8 : select < 6 ? (select - 4) * 16 : 0;
    uint32_t drop = select < 4 ? 24 : select < 6 ? 16 : 0;
    for (uint32_t l = 0; l < lanes; l++) {
        uint32_t v = from[l] >> shift << drop;
        to[l] = sext ? (uint32_t)((int32_t)v >> drop) : v >> drop;
    }
}

/* Shifts and rotations by one lane over the whole wave (gfx8 and gfx9): wave_shl, wave_rol,
 * wave_shr, wave_ror. */
static int
wave_lane(uint32_t kind, uint32_t l)
{
    switch (kind) {
    case 0: return l < 63 ? (int)l + 1 : -1;
    case 4: return (int)((l + 1) & 63);
    case 8: return (int)l - 1;
    default: return (int)((l + 63) & 63);
    }
}

int
amd_emu_dpp_lane(const amd_inst *in, uint32_t l)
{
    uint32_t ctrl = in->dpp_ctrl, n = ctrl & 15, row = l & ~15u, at = l & 15;
    if (in->ext == AMD_EXT_DPP8)
        return (int)((l & ~7u) | (in->dpp8 >> (3 * (l & 7)) & 7));
    if (ctrl < 0x100)
        return (int)((l & ~3u) | (ctrl >> (2 * (l & 3)) & 3));
    switch (ctrl & 0x1f0) {
    case 0x100: return at + n < 16 ? (int)(l + n) : -1; /* row_shl */
    case 0x110: return at >= n ? (int)(l - n) : -1;     /* row_shr */
    case 0x120: return (int)(row | ((at - n) & 15));    /* row_ror */
    case 0x130: return wave_lane(n, l);
    case 0x140:
        if (n < 2)
            return (int)(n ? (l & ~7u) | (7 - (l & 7)) : row | (15 - at)); /* mirrors */
        if (n == 2)
            return row ? (int)row - 1 : -1; /* row_bcast:15 */
        return row >= 32 ? 31 : -1;         /* row_bcast:31 */
    case 0x150: return (int)(row | n);      /* row_share */
    case 0x160: return (int)(l ^ n);        /* row_xmask */
    default: return -1;
    }
}

uint64_t
amd_emu_dpp_write(const emu_wave *w, const amd_inst *in)
{
    uint64_t exec = amd_emu_exec(w), write = exec;
    if (in->ext != AMD_EXT_DPP16)
        return exec;
    for (uint32_t l = 0; l < w->lanes; l++) {
        int source = amd_emu_dpp_lane(in, l);
        bool valid = source >= 0 && (in->fi || (exec >> source & 1));
        bool enabled = (in->row_mask >> (l / 16) & 1) && (in->bank_mask >> (l % 16 / 4) & 1);
        if (!enabled || (!valid && !in->bound_ctrl))
            write &= ~(UINT64_C(1) << l);
    }
    return write;
}

void
amd_emu_dpp_permute(const emu_wave *w, const amd_inst *in, const uint32_t *from, uint32_t *to)
{
    uint64_t exec = amd_emu_exec(w);
    for (uint32_t l = 0; l < w->lanes; l++) {
        int source = amd_emu_dpp_lane(in, l);
        to[l] = source >= 0 && (in->fi || (exec >> source & 1)) ? from[source] : 0;
    }
}

/* The same for 64-bit lanes, in place. */
static void
permute_wide(const emu_wave *w, const amd_inst *in, emu_row *row)
{
    uint64_t from[EMU_LANES], exec = amd_emu_exec(w);
    memcpy(from, row->q, sizeof from);
    for (uint32_t l = 0; l < w->lanes; l++) {
        int source = amd_emu_dpp_lane(in, l);
        row->q[l] = source >= 0 && (in->fi || (exec >> source & 1)) ? from[source] : 0;
    }
}

/* Applies neg and abs to a float source. */
static void
modify(uint32_t lanes, uint32_t t, const void *from, emu_row *to, bool neg, bool abs)
{
    if (amd_emu_type_is_wide(t)) {
        const uint64_t *q = from;
        uint64_t sign = UINT64_C(1) << 63, keep = abs ? ~sign : UINT64_MAX, flip = neg ? sign : 0;
        for (uint32_t l = 0; l < lanes; l++)
            to->q[l] = (q[l] & keep) ^ flip;
        return;
    }
    const uint32_t *u = from;
    uint32_t sign = amd_emu_type_is_half(t) ? 0x8000 : 0x80000000, keep = abs ? ~sign : UINT32_MAX,
             flip = neg ? sign : 0;
    for (uint32_t l = 0; l < lanes; l++)
        to->u[l] = (u[l] & keep) ^ flip;
}

static void
flush(uint32_t lanes, uint32_t t, const void *from, emu_row *to)
{
    if (t == EMU_T_F64) {
        const uint64_t *q = from;
        for (uint32_t l = 0; l < lanes; l++)
            to->q[l] = amd_emu_flush64(q[l]);
        return;
    }
    const uint32_t *u = from;
    if (t == EMU_T_F32)
        for (uint32_t l = 0; l < lanes; l++)
            to->u[l] = amd_emu_flush32(u[l]);
    else
        for (uint32_t l = 0; l < lanes; l++)
            to->u[l] = amd_emu_flush16(u[l]);
}

/* On gfx6 to gfx8 minima, maxima and related operations do not flush denormals (LLVM 19,
 * GCNSubtarget.h, supportsMinMaxDenormModes). */
static bool
never_flushes(const emu_wave *w, const emu_valu *v)
{
    return v->flags & EMU_VALU_RAW || (v->flags & EMU_VALU_CHOICE && w->m->d->gen <= AMD_GFX8);
}

uint32_t
amd_emu_nan_rule(const emu_wave *w)
{
    if (w->m->d->gen >= AMD_GFX12)
        return EMU_NAN_NUMBER;
    return (w->mode & EMU_MODE_IEEE ? EMU_NAN_IEEE : 0u) |
           (w->m->d->gen >= AMD_GFX11 ? EMU_NAN_SECOND : 0u);
}

static bool
flushes_input(const emu_wave *w, const emu_valu *v, uint32_t t)
{
    uint32_t keep = t == EMU_T_F32 ? EMU_DENORM_IN_32 : EMU_DENORM_IN_16_64;
    return is_float(t) && !never_flushes(w, v) && (!(w->mode & keep) || v->flags & EMU_VALU_FLUSH);
}

static bool
keeps_denormals(const emu_wave *w, uint32_t t)
{
    return w->mode & (t == EMU_T_F32 ? EMU_DENORM_OUT_32 : EMU_DENORM_OUT_16_64);
}

static bool
flushes_output(const emu_wave *w, const emu_valu *v, uint32_t t)
{
    return is_float(t) && !never_flushes(w, v) &&
           (!keeps_denormals(w, t) || v->flags & EMU_VALU_FLUSH);
}

/* Source `s` of type `t` from register or constant `code`, ready for the kernel. An addend that is
 * the destination register is taken from the half that the result goes to. */
static void
fetch(emu_wave *w, const emu_inst *i, const emu_valu *v, uint32_t s, uint32_t code, sources *src)
{
    const amd_inst *in = &i->in;
    uint32_t t = v->src[s], n = w->lanes, half_bit = s < in->n_src ? s : 3;
    emu_row *room = &src->room[s];
    const void *p;
    if (t == EMU_T_MASK) {
        uint64_t mask = n > 32 ? amd_emu_read_s64(w, in, code) : amd_emu_read_s32(w, in, code);
        for (uint32_t l = 0; l < n; l++)
            room->u[l] = mask >> l & 1;
        src->lanes[s] = room->u;
        return;
    }
    if (amd_emu_type_is_wide(t)) {
        amd_emu_wide_source(w, i, code, t, room);
        p = room->q;
    } else {
        p = amd_emu_source_row(w, i, code, (emu_type)t, 0, room);
    }
    if (in->ext == AMD_EXT_SDWA && s < 2) {
        sdwa_select(n, p, room->u, s ? in->src1_sel : in->src0_sel, in->sext >> s & 1);
        p = room->u;
    } else if (in->ext && s == 0 && amd_emu_type_is_wide(t)) {
        permute_wide(w, in, room);
    } else if (in->ext && s == 0) {
        emu_row permuted;
        amd_emu_dpp_permute(w, in, p, permuted.u);
        for (uint32_t l = 0; l < n; l++)
            room->u[l] = permuted.u[l];
        p = room->u;
    }
    if (amd_emu_type_is_half(t) && in->op_sel >> half_bit & 1) {
        const uint32_t *u = p;
        for (uint32_t l = 0; l < n; l++)
            room->u[l] = u[l] >> 16;
        p = room->u;
    }
    if ((in->neg | in->abs) >> s & 1) {
        modify(n, t, p, room, in->neg >> s & 1, in->abs >> s & 1);
        p = amd_emu_type_is_wide(t) ? (const void *)room->q : room->u;
    }
    if (flushes_input(w, v, t)) {
        flush(n, t, p, room);
        p = amd_emu_type_is_wide(t) ? (const void *)room->q : room->u;
    }
    src->lanes[s] = p;
}

/* The rounding mode for floats of type `t`. */
static unsigned
float_rounding(const emu_wave *w, uint32_t t)
{
    return t == EMU_T_F32 ? w->mode & 3 : w->mode >> 2 & 3;
}

/* Applies the output modifier to rounded results. It is ignored in IEEE mode (which RDNA 4 lacks)
 * and where denormals are kept; results that it makes denormal are flushed too. */
static void
scale(const emu_wave *w, const amd_inst *in, uint32_t t, emu_row *d)
{
    static const float factor[4] = {1.0f, 2.0f, 4.0f, 0.5f};
    bool ieee = w->mode & EMU_MODE_IEEE && w->m->d->gen < AMD_GFX12;
    if (!in->omod || ieee || keeps_denormals(w, t))
        return;
    float f = factor[in->omod & 3];
    unsigned round = float_rounding(w, t);
    bool rounded = amd_emu_round_begin(round);
    for (uint32_t l = 0; l < w->lanes; l++) {
        if (t == EMU_T_F64 && !amd_emu_nan64(d->q[l]))
            d->q[l] = base_f64_bits(base_bits_f64(d->q[l]) * (double)f);
        else if (t == EMU_T_F32 && !amd_emu_nan32(d->u[l]))
            d->u[l] = base_f32_bits(base_bits_f32(d->u[l]) * f);
        else if (amd_emu_type_is_half(t) && !amd_emu_nan16(d->u[l]))
            d->u[l] = amd_emu_to_half((double)amd_emu_from_half(d->u[l]) * (double)f, round);
    }
    amd_emu_round_end(rounded);
    flush(w->lanes, t, t == EMU_T_F64 ? (void *)d->q : d->u, d);
}

/* The float clamp to [0, 1], with -0 to +0. NaNs become 0 with DX10_CLAMP; otherwise they are
 * kept. */
static void
clamp(const emu_wave *w, uint32_t t, emu_row *d)
{
    bool nan_to_0 = w->mode & EMU_MODE_DX10_CLAMP;
    for (uint32_t l = 0; l < w->lanes; l++) {
        double v = t == EMU_T_F64   ? base_bits_f64(d->q[l])
                   : t == EMU_T_F32 ? (double)base_bits_f32(d->u[l])
                                    : (double)amd_emu_from_half(d->u[l]);
        bool low = v != v ? nan_to_0 : !(v > 0);
        if (!low && !(v > 1))
            continue;
        if (t == EMU_T_F64)
            d->q[l] = low ? 0 : UINT64_C(0x3ff0000000000000);
        else
            d->u[l] = low ? 0 : t == EMU_T_F32 ? 0x3f800000 : 0x3c00;
    }
}

void
amd_emu_write_vgpr(emu_wave *w, uint32_t reg, const uint32_t *restrict d, uint64_t mask)
{
    uint32_t *restrict r = w->vgpr[reg];
    uint32_t n = w->lanes;
    if (mask == w->all_lanes) {
        memcpy(r, d, n * sizeof *r);
        return;
    }
    uint32_t room[EMU_LANES];
    const uint32_t *m = room;
    amd_emu_spread_exec(w);
    if (mask == w->exec_spread)
        m = w->exec_lanes;
    else
        amd_emu_spread(mask, n, room);
    for (uint32_t l = 0; l < n; l++)
        r[l] = (d[l] & m[l]) | (r[l] & ~m[l]);
}

/* SDWA's destination: places the result in the dword and handles the rest. */
static void
sdwa_place(uint32_t lanes, const amd_inst *in, const uint32_t *old, uint32_t *d)
{
    if (in->dst_sel >= 6) /* the whole dword */
        return;
    uint32_t bits = in->dst_sel < 4 ? 8 : 16;
    uint32_t shift = in->dst_sel < 4 ? in->dst_sel * 8 : (in->dst_sel - 4) * 16;
    uint32_t field = (bits == 8 ? 0xffu : 0xffffu) << shift;
    for (uint32_t l = 0; l < lanes; l++) {
        uint32_t v = d[l] << shift & field;
        if (in->dst_unused == 2)
            v |= old[l] & ~field;
        else if (in->dst_unused == 1 && (v >> (shift + bits - 1) & 1))
            v |= ~field & ~((UINT32_C(1) << shift) - 1);
        d[l] = v;
    }
}

/* On gfx9 only instructions with op_sel, v_mac and related ones keep it; before, the upper half
 * becomes 0 (LLVM 19, GCNSubtarget.cpp, zeroesHigh16BitsOfDest). */
bool
amd_emu_keeps_half(const emu_wave *w, const emu_inst *i, const emu_valu *v)
{
    amd_gen gen = w->m->d->gen;
    return gen >= AMD_GFX10 ||
           (gen >= AMD_GFX9 && (v->flags & EMU_VALU_KEEP || amd_has_op_sel(gen, i->row)));
}

static void
half_place(uint32_t lanes, bool high, bool keeps, const uint32_t *old, uint32_t *d)
{
    uint32_t keep = keeps ? UINT32_MAX : 0;
    for (uint32_t l = 0; l < lanes; l++)
        d[l] = high ? (old[l] & 0xffff) | d[l] << 16
                    : (old[l] & keep & 0xffff0000) | (d[l] & 0xffff);
}

uint64_t
amd_emu_pack_mask(const uint32_t *m, uint32_t n)
{
    uint8_t bytes[EMU_LANES];
    uint64_t bits = 0;
    for (uint32_t l = 0; l < n; l++)
        bytes[l] = (uint8_t)(m[l] & 1);
    for (uint32_t l = 0; l < n; l += 8) {
        /* eight bytes, the first lowest; the product has the bit of byte k at 56 + k */
        const uint8_t *b = bytes + l;
        uint64_t eight = b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
                         (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
                         (uint64_t)b[7] << 56;
        bits |= (eight * UINT64_C(0x0102040810204080) >> 56) << l;
    }
    return bits;
}

void
amd_emu_finish(const emu_wave *w, const amd_inst *in, const emu_valu *v, emu_row *d)
{
    if (flushes_output(w, v, v->dst))
        flush(w->lanes, v->dst, v->dst == EMU_T_F64 ? (void *)d->q : d->u, d);
    if (!is_float(v->dst))
        return;
    scale(w, in, v->dst, d);
    if (in->clamp)
        clamp(w, v->dst, d);
}

/* Writes a result's lanes from `d`. */
static void
put_result(emu_wave *w, const emu_inst *i, const emu_valu *v, emu_row *d, uint64_t write)
{
    const amd_inst *in = &i->in;
    uint32_t reg = in->dst[0] - AMD_REG_VGPR0, n = w->lanes;
    amd_emu_finish(w, in, v, d);
    if (amd_emu_type_is_wide(v->dst)) {
        uint32_t low[EMU_LANES], high[EMU_LANES];
        for (uint32_t l = 0; l < n; l++) {
            low[l] = (uint32_t)d->q[l];
            high[l] = (uint32_t)(d->q[l] >> 32);
        }
        amd_emu_write_vgpr(w, reg, low, write);
        amd_emu_write_vgpr(w, reg + 1, high, write);
        return;
    }
    if (in->ext == AMD_EXT_SDWA)
        sdwa_place(n, in, w->vgpr[reg], d->u);
    else if (amd_emu_type_is_half(v->dst))
        half_place(n, in->op_sel & 8, amd_emu_keeps_half(w, i, v), w->vgpr[reg], d->u);
    amd_emu_write_vgpr(w, reg, d->u, write);
}

unsigned
amd_emu_rounding(const emu_wave *w, const emu_valu *v)
{
    if (v->flags & EMU_VALU_RNE)
        return EMU_RNE;
    return is_float(v->dst) ? float_rounding(w, v->dst) : EMU_RNE;
}

void
amd_emu_write_comparison(emu_wave *w, const emu_inst *i, uint64_t mask)
{
    amd_emu_write_mask(w, i->in.dst[0], mask);
    if (i->row->flags & AMD_F_EXEC_W)
        amd_emu_write_mask(w, AMD_REG_EXEC_LO, mask);
}

/* What a row works on, by lane. */
typedef struct row_run {
    sources src;
    emu_row d;
    uint32_t mask[EMU_LANES], vcc[EMU_LANES];
} row_run;

/* Fetches the sources. */
static inline emu_args
begin_row(emu_wave *w, const emu_inst *i, row_run *r)
{
    const emu_valu *v = i->op;
    uint32_t n = 0;
    for (; n < 3 && v->src[n]; n++) {
        bool acc = (v->flags & EMU_VALU_ACC) && (n == 2 || !v->src[n + 1]);
        fetch(w, i, v, n, acc ? i->in.dst[0] : i->in.src[n], &r->src);
    }
    return (emu_args){w->lanes,
                      w->mode,
                      r->src.lanes[0],
                      n > 1 ? r->src.lanes[1] : NULL,
                      n > 2 ? r->src.lanes[2] : NULL,
                      r->vcc,
                      &r->d,
                      r->mask,
                      amd_emu_nan_rule(w),
                      &i->in,
                      w->m->d->gen};
}

void
amd_emu_run_valu(emu_wave *w, const emu_inst *i)
{
    const emu_valu *v = i->op;
    const amd_inst *in = &i->in;
    uint64_t exec = amd_emu_exec(w);
    bool to_mask = v->flags & (EMU_VALU_CMP | EMU_VALU_MASK_OUT);
    if (!exec && !to_mask)
        return;
    row_run r;
    emu_args k = begin_row(w, i, &r);
    if (v->flags & EMU_VALU_VCC)
        amd_emu_spread(amd_emu_read_mask(w, AMD_REG_VCC_LO), w->lanes, r.vcc);
    bool rounded = amd_emu_round_begin(amd_emu_rounding(w, v));
    (in->clamp && v->sat ? v->sat : v->fn)(&k);
    amd_emu_round_end(rounded);
    w->lane_instructions += base_popcount64(exec);
    if (v->flags & EMU_VALU_CMP) {
        amd_emu_write_comparison(w, i, amd_emu_pack_mask(r.mask, w->lanes) & exec);
        return;
    }
    put_result(w, i, v, &r.d, in->ext == AMD_EXT_DPP16 ? amd_emu_dpp_write(w, in) : exec);
    if (v->flags & EMU_VALU_MASK_OUT)
        amd_emu_write_mask(w, in->dst[1], amd_emu_pack_mask(r.mask, w->lanes) & exec);
}

void
amd_emu_run_scalar_row(emu_wave *w, const emu_inst *i)
{
    const emu_valu *v = i->op;
    row_run r;
    emu_args k = begin_row(w, i, &r);
    bool rounded = amd_emu_round_begin(amd_emu_rounding(w, v));
    v->fn(&k);
    amd_emu_round_end(rounded);
    if (v->flags & EMU_VALU_CMP) {
        w->scc = r.mask[0] & 1;
        return;
    }
    amd_emu_finish(w, &i->in, v, &r.d);
    amd_emu_write_s32(w, i->in.dst[0], amd_emu_type_is_half(v->dst) ? r.d.u[0] & 0xffff : r.d.u[0]);
}
