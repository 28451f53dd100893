/* A second model of the operand handling that all vector operations share: SDWA, DPP, op_sel, neg,
 * abs, denormals, output modifier, clamp, partial writes. From the RDNA 2 ISA guide's chapters
 * "Vector ALU operations" and "Data sharing"; other sources are named where they apply. */
#include "alu_trial.h"

#include <inttypes.h>
#include <stdio.h>

/* The lane from which DPP takes lane `l`'s first source; -1 if there is none in its row. */
static int
dpp_from(const amd_inst *in, int l)
{
    int n = in->dpp_ctrl & 15, row = l / 16 * 16, at = l % 16, from = -1;
    if (in->ext == AMD_EXT_DPP8)
        return l / 8 * 8 + (int)(in->dpp8 >> (l % 8 * 3) & 7);
    if (in->dpp_ctrl < 0x100)
        return l / 4 * 4 + (in->dpp_ctrl >> (l % 4 * 2) & 3);
    switch (in->dpp_ctrl >> 4) {
    case 0x10: from = at + n; break;            /* row_shl */
    case 0x11: from = at - n; break;            /* row_shr */
    case 0x12: return row + (at + 16 - n) % 16; /* row_ror */
    case 0x13:                                  /* the whole wave: shl, rol, shr, ror by one */
        from = n < 8 ? l + 1 : l - 1;
        return n & 4 ? (from + 64) % 64 : from < 64 ? from : -1;
    case 0x14:
        if (n == 2) /* row_bcast:15 */
            return row - 1;
        if (n == 3) /* row_bcast:31 */
            return l < 32 ? -1 : 31;
        return n ? l ^ 7 : l ^ 15;  /* row_half_mirror, row_mirror */
    case 0x15: return row + n;      /* row_share */
    default: return row + (at ^ n); /* row_xmask */
    }
    return from >= 0 && from < 16 ? row + from : -1;
}

/* The first source of lane `l` after DPP; `write` tells whether the lane is written. */
static uint64_t
dpp_value(const trial *t, uint32_t l, const uint64_t *lanes, bool *write)
{
    const amd_inst *in = &t->in;
    int from = dpp_from(in, (int)l);
    bool valid = from >= 0 && (in->fi || (t->exec >> from & 1));
    if (in->ext == AMD_EXT_DPP16)
        *write = (in->row_mask >> (l / 16) & 1) && (in->bank_mask >> (l % 16 / 4) & 1) &&
                 (valid || in->bound_ctrl);
    return valid ? lanes[from] : 0;
}

static uint64_t
sdwa_value(const trial *t, unsigned k, uint64_t v)
{
    unsigned select = k ? t->in.src1_sel : t->in.src0_sel;
    unsigned bits = select < 4 ? 8 : select < 6 ? 16 : 32;
    v = v >> (select < 4 ? select * 8 : select < 6 ? (select - 4) * 16 : 0) & base_mask64(bits);
    if (t->in.sext >> k & 1)
        v = (uint64_t)base_sext64(v, bits);
    return v & UINT32_MAX;
}

/* Minima and maxima do not flush denormals on gfx6 to gfx8 (LLVM, supportsMinMaxDenormModes). */
static bool
never_flushes(const trial *t)
{
    return t->ref->flags & REF_RAW || (t->ref->flags & REF_CHOICE && t->e.gen <= AMD_GFX8);
}

/* Source `k` of lane `l`, as the operation receives it. */
static uint64_t
source_value(const trial *t, unsigned k, uint32_t l, bool *write)
{
    const source *s = &t->s[k];
    const amd_inst *in = &t->in;
    const ref_format *fmt = trial_format(s->type);
    uint64_t v = s->scalar ? s->value : s->lane[l];
    if (in->ext == AMD_EXT_SDWA && k < 2)
        v = sdwa_value(t, k, v & UINT32_MAX);
    else if (in->ext && k == 0)
        v = dpp_value(t, l, s->lane, write);
    if (t->ref->flags & REF_NO_TYPE)
        return s->bits == 64 ? v : v & UINT32_MAX;
    if (s->bits == 16 && (in->op_sel >> k & 1))
        v >>= 16;
    if (s->bits < 64)
        v &= base_mask64(s->bits);
    uint64_t sign = s->bits <= 64 ? UINT64_C(1) << (s->bits - 1) : 0;
    if ((in->abs >> k & 1))
        v &= ~sign;
    if ((in->neg >> k & 1))
        v ^= sign;
    if (fmt && !never_flushes(t) && !(t->ref->flags & REF_NO_IN) &&
        !(ref_denorm(&t->e, fmt) & REF_KEEP_IN))
        v = ref_flush(fmt, v);
    return v;
}

/* The old value of the destination, as an accumulating operation's source. */
static uint64_t
old_value(const trial *t, uint32_t l)
{
    const ref_format *fmt = trial_format(t->d_type);
    uint64_t v = t->old[0][l] | (uint64_t)t->old[1][l] << 32;
    if (t->ref->flags & REF_NO_TYPE)
        return v & UINT32_MAX;
    if (t->d_bits == 16 && t->in.op_sel & 8)
        v >>= 16;
    if (t->d_bits < 64)
        v &= base_mask64(t->d_bits ? t->d_bits : 32);
    if (fmt && !never_flushes(t) && !(t->ref->flags & REF_NO_IN) &&
        !(ref_denorm(&t->e, fmt) & REF_KEEP_IN))
        v = ref_flush(fmt, v);
    return v;
}

static uint64_t
flush_result(const trial *t, const ref_format *f, uint64_t v)
{
    bool keeps = ref_denorm(&t->e, f) & REF_KEEP_OUT || t->ref->flags & REF_NO_OUT;
    return keeps || never_flushes(t) ? v : ref_flush(f, v);
}

static bool
omod_works(const trial *t, const ref_format *f)
{
    bool ieee = t->e.ieee && t->e.gen < AMD_GFX12; /* gfx12 has no such mode */
    return t->in.omod && !ieee && !(ref_denorm(&t->e, f) & REF_KEEP_OUT);
}

/* Post-processes a float result: output modifier, denormals, clamp. `late`: denormals are flushed
 * only after the output modifier; the guides do not specify the order. */
static uint64_t
finish_float(const trial *t, const ref_format *f, uint64_t v, bool late)
{
    static const int scale[4] = {0, 1, 2, -1};
    uint64_t one = (uint64_t)f->bias << f->mantissa;
    if (!late)
        v = flush_result(t, f, v);
    if (omod_works(t, f) && !ref_is_nan(f, v))
        v = ref_flush(f, ref_scale(f, v, scale[t->in.omod & 3], ref_mode(&t->e, f)));
    v = flush_result(t, f, v);
    if (!t->in.clamp)
        return v;
    if (ref_is_nan(f, v))
        return t->e.dx10_clamp ? 0 : v;
    return ref_less(f, v, 0) ? 0 : ref_less(f, one, v) ? one : v;
}

static bool
same_float(const trial *t, const ref_format *f, const ref_lane *x, uint64_t want, uint64_t got,
           bool open_zero)
{
    if (x->any_nan && ref_is_nan(f, want))
        return ref_is_nan(f, got) && (!t->e.ieee || !ref_is_snan(f, got));
    if (open_zero && ref_is_zero(f, want))
        return ref_is_zero(f, got);
    return got == want;
}

/* Is `got` (of the destination's width) a correct float result? */
static bool
right_float(const trial *t, const ref_format *f, const ref_lane *x, uint64_t got)
{
    bool open_zero = x->any_zero || t->in.clamp || omod_works(t, f);
    for (unsigned late = 0; late < 2; late++)
        if (same_float(t, f, x, finish_float(t, f, x->d, late), got, open_zero) ||
            (x->has_alt && same_float(t, f, x, finish_float(t, f, x->alt, late), got, open_zero)))
            return true;
    return x->ulp > 0 && !ref_is_nan(f, got) && ref_within(f, x->ulp, got);
}

/* Two binary16 values; in float halves 0x7e00 means any NaN. */
static bool
right_halves(const ref_lane *x, uint64_t want, uint64_t got)
{
    for (unsigned h = 0; h < 2; h++) {
        uint64_t w = want >> (16 * h) & 0xffff, g = got >> (16 * h) & 0xffff;
        bool open = x->open_half == 0 || x->open_half == h + 1u;
        if (w != g && !(open && w == 0x7e00 && ref_is_nan(&ref_f16, g)))
            return false;
    }
    return true;
}

/* Two binary32 values; 0x7fc00000 means any NaN. */
static bool
right_singles(uint64_t want, uint64_t got)
{
    for (unsigned h = 0; h < 64; h += 32) {
        uint64_t w = want >> h & UINT32_MAX, g = got >> h & UINT32_MAX;
        if (w != g && !(w == 0x7fc00000 && ref_is_nan(&ref_f32, g)))
            return false;
    }
    return true;
}

/* Compares a result of the destination's type. */
static bool
right_value(const trial *t, const ref_lane *x, uint64_t got)
{
    const ref_format *f = trial_format(t->d_type);
    uint64_t mask = base_mask64(t->d_bits > 64 ? 64 : t->d_bits);
    if (x->singles)
        return right_singles(x->d, got) || (x->has_alt && right_singles(x->alt, got));
    if (x->halves)
        return right_halves(x, x->d, got) || (x->has_alt && right_halves(x, x->alt, got));
    if (t->ref->flags & REF_WHOLE && x->any_nan && x->as && ref_is_nan(x->as, x->d))
        return ref_is_nan(x->as, got);
    if (t->ref->flags & REF_WHOLE && x->ulp > 0)
        return ref_within(x->as, x->ulp, got) || got == x->d;
    if (t->ref->flags & REF_WHOLE && x->any_zero && x->as && ref_is_zero(x->as, x->d))
        return ref_is_zero(x->as, got);
    if (x->as == &ref_bf16) /* after the greatest number, the next encoding is infinity */
        return (x->any_nan && ref_is_nan(x->as, got)) || ref_within(x->as, x->ulp, got) ||
               (x->ulp >= 1 && got - x->d + 1 <= 2) || got == x->d ||
               (ref_is_zero(x->as, x->d) && ref_is_zero(x->as, got));
    if (f && !(t->ref->flags & REF_RAW))
        return right_float(t, f, x, got);
    return !((got ^ x->d) & mask & ~x->d_mask) || (x->has_alt && got == (x->alt & mask));
}

/* SDWA's destination: `got` is the dword, whose field must be the result's low bits. */
static bool
right_sdwa(const trial *t, const ref_lane *x, uint32_t old, uint32_t got)
{
    const amd_inst *in = &t->in;
    const ref_format *f = trial_format(t->d_type);
    unsigned bits = in->dst_sel < 4 ? 8 : in->dst_sel < 6 ? 16 : 32;
    unsigned at = bits == 8 ? in->dst_sel * 8u : bits == 16 ? (in->dst_sel - 4u) * 16 : 0;
    uint32_t mask = (uint32_t)base_mask64(bits) << at;
    if (bits == 32)
        return t->d_bits == 16 ? !(got >> 16) && right_value(t, x, got) : right_value(t, x, got);
    uint32_t field = (got & mask) >> at, rest = 0;
    if (in->dst_unused == 2)
        rest = old & ~mask;
    else if (in->dst_unused == 1 && (field >> (bits - 1) & 1))
        rest = ~mask & ~(uint32_t)base_mask64(at);
    if ((got & ~mask) != rest)
        return false;
    if (bits >= t->d_bits)
        return right_value(t, x, field & base_mask64(t->d_bits));
    if (x->halves || x->ulp > 0 || (x->any_nan && f && ref_is_nan(f, x->d)) || t->in.clamp ||
        t->in.omod || x->any_zero)
        return true; /* the available part cannot be judged */
    uint64_t want[2] = {x->d, x->has_alt ? x->alt : x->d};
    for (unsigned k = 0; k < 2; k++) {
        uint64_t v = f && !(t->ref->flags & REF_RAW) ? finish_float(t, f, want[k], false) : want[k];
        if ((v & base_mask64(bits)) == field)
            return true;
    }
    return false;
}

/* Does a 16-bit result keep the other half of its register? LLVM's zeroesHigh16BitsOfDest, a list
 * from experiments: always from gfx10 on; on gfx9 with op_sel and for v_mac, v_fmac and their forms
 * with a literal; not before. */
static bool
keeps_half(const trial *t)
{
    if (t->e.gen >= AMD_GFX10)
        return true;
    return t->e.gen >= AMD_GFX9 && (amd_has_op_sel(t->e.gen, t->row) || t->ref->flags & REF_KEEP);
}

/* Compares the destination registers of a lane. */
static bool
right_register(const trial *t, const ref_lane *x, uint32_t l)
{
    uint32_t old = t->old[0][l], got = t->got[0][l];
    if (t->in.ext == AMD_EXT_SDWA && t->d_bits <= 32)
        return right_sdwa(t, x, old, got);
    if (t->d_bits == 16 && !(t->ref->flags & REF_WHOLE)) {
        unsigned at = t->in.op_sel & 8 ? 16 : 0;
        uint32_t field = UINT32_C(0xffff) << at;
        return (got & ~field) == (keeps_half(t) || at ? old & ~field : 0) &&
               right_value(t, x, got >> at & 0xffff);
    }
    if (t->d_bits <= 32)
        return right_value(t, x, got);
    uint64_t wide = got | (uint64_t)t->got[1][l] << 32;
    uint64_t upper = t->got[2][l] | (uint64_t)t->got[3][l] << 32;
    return right_value(t, x, wide) && (t->d_bits <= 64 || upper == x->d_high);
}

static void
describe(trial *t, const ref_lane *x, uint32_t l, uint64_t mask_got)
{
    frame *f = t->f;
    base_buf text = buf_make(&f->one.a);
    if (f->wrong++)
        return;
    amd_print(f->one.d.gen, &t->in, f->one.w.lanes > 32, &text);
    snprintf(f->first, sizeof f->first,
             "%s: lane %u mode 0x%03x sources 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
             " old 0x%x mask %d: got 0x%x 0x%x mask %d, want 0x%" PRIx64 " (or 0x%" PRIx64
             ") mask %d",
             buf_text(&text), l, f->one.w.mode, x->s[0], x->s[1], x->s[2], t->old[0][l], x->mask_in,
             t->got[0][l], t->got[1][l], (int)(mask_got >> l & 1), x->d, x->has_alt ? x->alt : x->d,
             x->mask_out);
}

static bool
unchanged(const trial *t, uint32_t l)
{
    for (unsigned r = 0; r < 4; r++)
        if (t->got[r][l] != t->old[r][l])
            return false;
    return true;
}

void
trial_compare(trial *t, uint32_t l, uint64_t mask_got)
{
    ref_lane x = {.lane = l};
    bool active = t->exec >> l & 1, write = true;
    for (unsigned k = 0; k < t->n_src && k < 3; k++)
        if (!t->s[k].is_mask) {
            x.s[k] = source_value(t, k, l, &write);
            x.high[k] = t->s[k].upper[l];
        }
    x.old = old_value(t, l);
    x.mask_in = t->reads_mask && (t->mask_in >> l & 1);
    t->ref->fn(&t->e, &x);
    bool ok = !t->to_mask || x.mask_open || (mask_got >> l & 1) == (active && x.mask_out);
    if (t->d_bits)
        ok = ok && (active && write ? right_register(t, &x, l) : unchanged(t, l));
    if (!ok)
        describe(t, &x, l, mask_got);
}
