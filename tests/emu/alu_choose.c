/* Draws a random instruction within the limits of its row and encoding, and its inputs. */
#include "alu_trial.h"
#include "source_rule.h"

/* The number of combinations of corner values. */
static uint64_t
crossings(const amd_op_info *row, unsigned *n_values)
{
    unsigned n = 0;
    uint64_t all = 1;
    for (unsigned s = 0; s < amd_op_src_count(row); s++)
        n += amd_op_src(row, s)->type != AMD_T_MASK;
    for (unsigned s = 0; s < amd_op_src_count(row); s++)
        if (amd_op_src(row, s)->type != AMD_T_MASK)
            all *= input_corners(amd_op_src(row, s)->type, n > 2);
    *n_values = n;
    return all;
}

uint64_t
frame_crossings(const amd_op_info *row)
{
    unsigned n;
    return (crossings(row, &n) + 63) / 64;
}

/* Makes source `s` an inline constant; false if that type's rule is not certain. */
static bool
inline_constant(trial *t, source *s)
{
    frame *f = t->f;
    const source_rule *rule = source_rule_of(t->row, t->in.op, s->type);
    if (!rule)
        return false;
    if (frame_one_in(f, 2)) {
        int64_t n = (int64_t)frame_random(f, 81) - 16;
        s->code = (uint16_t)(n >= 0 ? 128 + n : 192 - n);
    } else {
        s->code = (uint16_t)(AMD_SRC_F_0_5 + frame_random(f, 9));
    }
    s->value = source_rule_constant(rule, s->code) & base_mask64(s->bits);
    return true;
}

static bool
literal_constant(trial *t, source *s)
{
    const source_rule *rule = source_rule_of(t->row, t->in.op, s->type);
    uint64_t v = input_random(t->f, s->bits == 64 ? AMD_T_F32 : s->type, NULL, 0);
    if (t->has_literal || !rule || rule->literals == RULE_NO_LITERAL)
        return false;
    t->has_literal = true;
    t->in.literal = (uint32_t)v;
    s->code = AMD_SRC_LITERAL;
    s->value = source_rule_literal(rule, t->in.literal);
    return true;
}

/* Makes source `s` scalar; false if it remains a vector register. */
static bool
scalar_source(trial *t, source *s)
{
    frame *f = t->f;
    if (s->bits > 64)
        return false;
    switch (frame_random(f, 3)) {
    case 0: return s->is_inline = inline_constant(t, s);
    case 1: return literal_constant(t, s);
    default:
        s->code = SOURCE_S;
        s->value = input_random(f, s->type, NULL, 0);
        f->one.w.sgpr[SOURCE_S] = (uint32_t)s->value;
        f->one.w.sgpr[SOURCE_S + 1] = (uint32_t)(s->value >> 32);
        return true;
    }
}

static bool
is_vop3(const amd_inst *in)
{
    return in->fmt == AMD_VOP3 || in->fmt == AMD_VOP3P;
}

/* The register of an operand of kind MASK: vcc in 32-bit encodings. */
static uint16_t
mask_register(const amd_inst *in, uint16_t sgpr)
{
    return in->fmt == AMD_VOP3 ? sgpr : AMD_REG_VCC_LO;
}

static void
choose_sources(trial *t)
{
    bool scalar_allowed = t->in.ext == AMD_EXT_NONE && frame_one_in(t->f, 5);
    unsigned scalar_at = (unsigned)frame_random(t->f, 3);
    t->reads_mask = t->row->flags & AMD_F_VCC_R;
    for (unsigned k = t->n_src; k-- > 0;) { /* mandatory literals come last */
        const amd_operand *o = amd_op_src(t->row, k);
        source *s = &t->s[k];
        t->reads_mask = t->reads_mask || o->type == AMD_T_MASK;
        s->type = o->type;
        s->is_mask = o->type == AMD_T_MASK;
        s->is_float = trial_format(o->type) != NULL;
        s->bits = amd_type_bits((amd_type)o->type, true);
        s->scalar = false;
        if (o->kind == AMD_K_LIT) {
            t->has_literal = false;
            s->scalar = literal_constant(t, s);
        } else if (s->is_mask) {
            s->code = mask_register(&t->in, MASK_IN_S);
        } else if (o->kind == AMD_K_VSRC && scalar_allowed && k == scalar_at) {
            s->scalar = scalar_source(t, s);
        }
        if (!s->scalar && !s->is_mask)
            s->code = (uint16_t)(AMD_REG_VGPR0 + SOURCE_V + 8 * k);
        t->in.src[k] = s->code;
    }
    t->in.n_src = (uint8_t)t->n_src;
}

static void
choose_destinations(trial *t)
{
    unsigned n = amd_op_dst_count(t->row);
    t->to_mask = false;
    t->d_type = t->d_bits = 0;
    for (unsigned k = 0; k < n; k++) {
        const amd_operand *o = amd_op_dst(t->row, k);
        if (o->type == AMD_T_MASK) {
            t->mask_code = amd_operand_kind(t->f->one.d.gen, o) == AMD_K_EXEC
                               ? AMD_REG_EXEC_LO
                               : mask_register(&t->in, MASK_OUT_S);
            t->to_mask = true;
            t->in.dst[k] = t->mask_code;
        } else {
            t->d_type = o->type;
            t->d_bits = amd_type_bits((amd_type)o->type, true);
            t->in.dst[k] = AMD_REG_VGPR0 + DEST_V;
        }
    }
    t->in.n_dst = (uint8_t)n;
}

/* The op_sel bits that select bytes or words of 8-bit floats. */
static unsigned
byte_selection(unsigned op)
{
    switch (op) {
    case AMD_V_CVT_PK_FP8_F32:
    case AMD_V_CVT_PK_BF8_F32: return 8;
    case AMD_V_CVT_SR_FP8_F32:
    case AMD_V_CVT_SR_BF8_F32: return 12;
    default: return 0;
    }
}

/* Halves of 16-bit operands: in VOP3 if the row has op_sel; from gfx11 on in all encodings (in
 * 32-bit ones only for VGPRs). */
static void
choose_halves(trial *t)
{
    amd_inst *in = &t->in;
    unsigned may = amd_half_mask(t->f->one.d.gen, t->row), halves = 0;
    bool vop = in->fmt == AMD_VOP1 || in->fmt == AMD_VOP2 || in->fmt == AMD_VOPC;
    if (in->fmt == AMD_VOP3 && amd_has_op_sel(t->f->one.d.gen, t->row))
        may = 15;
    if ((in->fmt != AMD_VOP3 && !vop) || in->ext == AMD_EXT_SDWA || !frame_one_in(t->f, 2))
        return;
    for (unsigned k = 0; k < t->n_src; k++)
        if (t->s[k].bits == 16 && !(vop ? t->s[k].scalar : t->s[k].is_inline))
            halves |= 1u << k;
    halves |= t->d_bits == 16 ? 8u : 0;
    in->op_sel = (uint8_t)(in->op_sel | (frame_bits(t->f) & halves & may));
}

/* Modifiers of sources and of the result, if the row and the encoding have them. */
static void
choose_modifiers(trial *t)
{
    frame *f = t->f;
    amd_inst *in = &t->in;
    uint32_t flags = t->row->flags;
    bool wide_encoding = is_vop3(in) || in->ext == AMD_EXT_SDWA;
    bool plain = t->ref->flags & REF_PLAIN;
    bool result_clamps = trial_format(t->d_type) || (t->ref->flags & REF_RAW);
    unsigned all = base_mask64(t->n_src) & 7;
    if (in->fmt == AMD_VOP3P) {
        bool floats = trial_is_pair(t->s[0].type)
                          ? t->s[0].type == AMD_T_V2F16 || t->s[0].type == AMD_T_V2F32
                          : t->s[0].is_float;
        in->op_sel_hi = (uint8_t)all;
        if (t->s[0].type != AMD_T_B32 && frame_one_in(f, 2)) {
            in->op_sel = (uint8_t)(frame_bits(f) & all);
            in->op_sel_hi = (uint8_t)(frame_bits(f) & all);
        }
        if (in->op == AMD_V_DOT4_I32_IU8 || in->op == AMD_V_DOT8_I32_IU4)
            in->neg = (uint8_t)(frame_bits(f) & 3); /* signedness */
        if (t->row->flags & AMD_F_NEG && floats && frame_one_in(f, 2)) {
            in->neg = (uint8_t)(frame_bits(f) & all);
            in->neg_hi = (uint8_t)(frame_bits(f) & all);
        }
        if (t->s[0].type == AMD_T_V2F16 && t->n_src == 3 && !trial_is_pair(t->s[2].type)) {
            /* a dot product's addend has neither a half nor abs */
            in->op_sel &= 3;
            in->op_sel_hi = (uint8_t)(in->op_sel_hi | 4);
            in->neg_hi &= 3;
        }
        if (t->s[0].type != AMD_T_V2F16 && trial_is_pair(t->s[0].type) &&
            !trial_is_pair(t->s[t->n_src - 1].type)) {
            in->op_sel &= 3;
            in->op_sel_hi = (uint8_t)(in->op_sel_hi | 4);
        }
    } else if (wide_encoding || in->ext) {
        for (unsigned k = 0; k < t->n_src && k < 3; k++) {
            bool may = t->s[k].is_float || in->op == AMD_V_CNDMASK_B32 ||
                       in->op == AMD_V_CNDMASK_B16;
            if (!(flags & AMD_F_NEG) || !may || t->s[k].is_mask)
                continue;
            in->neg = (uint8_t)(in->neg | frame_one_in(f, 3) << k);
            in->abs = (uint8_t)(in->abs | frame_one_in(f, 4) << k);
        }
    }
    choose_halves(t);
    if (in->fmt == AMD_VOP3 && frame_one_in(f, 2))
        in->op_sel = (uint8_t)(in->op_sel | (frame_bits(f) & byte_selection(in->op)));
    if (wide_encoding && (flags & AMD_F_CLAMP) && !plain && result_clamps && frame_one_in(f, 4))
        in->clamp = true;
    if (wide_encoding && (flags & AMD_F_OMOD) && !plain && trial_format(t->d_type) &&
        frame_one_in(f, 4))
        in->omod = (uint8_t)frame_random(f, 4);
}

/* Conversions from 8-bit floats, for which SDWA selects a byte, or a word with two of them. */
static bool
reads_fp8(unsigned op)
{
    return op == AMD_V_CVT_F32_FP8 || op == AMD_V_CVT_F32_BF8 || op == AMD_V_CVT_PK_F32_FP8 ||
           op == AMD_V_CVT_PK_F32_BF8;
}

static void
choose_extension(trial *t)
{
    static const uint16_t controls[] = {0x0e4, 0x01b, 0x0b1, 0x101, 0x10f, 0x111, 0x118,
                                        0x121, 0x12f, 0x140, 0x141, 0x153, 0x161, 0x16f};
    static const uint16_t waves[] = {0x0e4, 0x1b,  0x111, 0x12f, 0x140, 0x141,
                                     0x130, 0x134, 0x138, 0x13c, 0x142, 0x143};
    frame *f = t->f;
    amd_inst *in = &t->in;
    switch (in->ext) {
    case AMD_EXT_SDWA:
        in->src0_sel = frame_one_in(f, 2) ? 6 : (uint8_t)frame_random(f, 7);
        in->src1_sel = frame_one_in(f, 2) ? 6 : (uint8_t)frame_random(f, 7);
        in->dst_sel = t->d_bits && t->d_bits <= 32 && frame_one_in(f, 2)
                          ? (uint8_t)frame_random(f, 7)
                          : 6;
        in->dst_unused = (uint8_t)frame_random(f, 3);
        if (reads_fp8(in->op))
            in->src0_sel = (uint8_t)(t->d_bits == 64 ? 4 + frame_random(f, 2) : frame_random(f, 4));
        for (unsigned k = 0; k < 2 && k < t->n_src; k++)
            if (!t->s[k].is_float && !t->s[k].is_mask && !reads_fp8(in->op) &&
                !(in->neg >> k & 1) && !(in->abs >> k & 1))
                in->sext = (uint8_t)(in->sext | frame_one_in(f, 3) << k);
        break;
    case AMD_EXT_DPP16:
        in->dpp_ctrl = controls[frame_random(f, sizeof controls / sizeof *controls)];
        if (f->one.d.gen < AMD_GFX10)
            in->dpp_ctrl = waves[frame_random(f, sizeof waves / sizeof *waves)];
        if (t->d_bits == 64 || t->s[0].bits == 64) /* row_newbcast is the only 64-bit DPP control */
            in->dpp_ctrl = (uint16_t)(0x150 + frame_random(f, 16));
        in->row_mask = frame_one_in(f, 2) ? 15 : (uint8_t)frame_random(f, 16);
        in->bank_mask = frame_one_in(f, 2) ? 15 : (uint8_t)frame_random(f, 16);
        in->bound_ctrl = frame_one_in(f, 2);
        in->fi = f->one.d.gen >= AMD_GFX10 && frame_one_in(f, 2);
        break;
    case AMD_EXT_DPP8:
        in->dpp8 = (uint32_t)frame_bits(f) & 0xffffff;
        in->fi = frame_one_in(f, 2);
        break;
    default: break;
    }
}

static void
choose_mode(trial *t, unsigned mode)
{
    frame *f = t->f;
    unsigned round = mode & 3, denorm = mode >> 2 & 3;
    bool same = frame_one_in(f, 2);
    ref_env *e = &t->e;
    e->gen = f->one.d.gen;
    e->round32 = (ref_round)round;
    e->denorm32 = denorm;
    e->round16_64 = (ref_round)(same ? round : frame_random(f, 4));
    e->denorm16_64 = same ? denorm : (unsigned)frame_random(f, 4);
    if (!same && frame_one_in(f, 2)) {
        ref_round r = e->round32;
        unsigned d = e->denorm32;
        e->round32 = e->round16_64;
        e->denorm32 = e->denorm16_64;
        e->round16_64 = r;
        e->denorm16_64 = d;
    }
    e->ieee = e->gen >= AMD_GFX12 || frame_one_in(f, 2); /* always on there */
    e->dx10_clamp = e->gen >= AMD_GFX12 || frame_one_in(f, 2);
    e->lanes = f->one.w.lanes;
    f->one.w.mode = (uint32_t)e->round32 | (uint32_t)e->round16_64 << 2 | e->denorm32 << 4 |
                    e->denorm16_64 << 6 | (e->dx10_clamp ? EMU_MODE_DX10_CLAMP : 0) |
                    (e->ieee ? EMU_MODE_IEEE : 0);
}

/* Fills the vector sources' registers. */
static void
draw_values(trial *t, frame_batch batch)
{
    frame *f = t->f;
    unsigned n_values;
    uint64_t all = crossings(t->row, &n_values);
    for (uint32_t l = 0; l < EMU_LANES; l++) {
        uint64_t index = (batch.cross * EMU_LANES + l) % all, before[4];
        unsigned n_before = 0;
        for (unsigned k = 0; k < t->n_src; k++) {
            source *s = &t->s[k];
            uint64_t v;
            if (s->is_mask)
                continue;
            if (batch.cross != UINT64_MAX) {
                unsigned n = input_corners(s->type, n_values > 2);
                v = input_corner(s->type, n_values > 2, index % n);
                if (n_values > 2 && s->is_float && frame_one_in(f, 2))
                    v ^= UINT64_C(1) << (s->bits - 1);
                index /= n;
            } else {
                v = input_random(f, s->type, before, n_before);
            }
            before[n_before++] = v;
            if (s->bits < 64) /* bits above a narrow source must not matter */
                v = (v & base_mask64(s->bits)) | frame_bits(f) << s->bits;
            s->lane[l] = v;
            s->upper[l] = frame_bits(f);
            if (s->scalar)
                continue;
            uint32_t r = s->code - AMD_REG_VGPR0;
            f->one.w.vgpr[r][l] = (uint32_t)v;
            f->one.w.vgpr[r + 1][l] = (uint32_t)(v >> 32);
            f->one.w.vgpr[r + 2][l] = (uint32_t)s->upper[l];
            f->one.w.vgpr[r + 3][l] = (uint32_t)(s->upper[l] >> 32);
        }
        /* old values that are read, and bytes that must not change */
        unsigned type = t->d_type && t->d_bits <= 32 ? t->d_type : AMD_T_B32;
        for (unsigned r = 0; r < 4; r++) {
            uint64_t v = r * 32 < t->d_bits ? input_random(f, type, before, n_before)
                                            : frame_bits(f);
            t->old[r][l] = f->one.w.vgpr[DEST_V + r][l] = (uint32_t)v;
        }
    }
}

static void
write_mask(frame *f, uint32_t code, uint64_t v)
{
    f->one.w.sgpr[code] = (uint32_t)v;
    f->one.w.sgpr[code + 1] = (uint32_t)(v >> 32);
}

static void
draw_masks(trial *t)
{
    frame *f = t->f;
    t->mask_in = frame_bits(f);
    t->exec = frame_one_in(f, 4) ? frame_bits(f) : UINT64_MAX;
    t->exec &= base_mask64(f->one.w.lanes);
    t->exec |= t->exec ? 0 : 1;
    write_mask(f, MASK_IN_S, t->mask_in);
    write_mask(f, AMD_REG_VCC_LO, t->mask_in);
    write_mask(f, MASK_OUT_S, frame_bits(f));
    write_mask(f, AMD_REG_EXEC_LO, t->exec);
}

void
trial_choose(trial *t, frame_batch batch)
{
    choose_destinations(t);
    choose_sources(t);
    choose_modifiers(t);
    choose_extension(t);
    choose_mode(t, batch.mode);
    t->e.clamp = t->in.clamp;
    draw_masks(t);
    draw_values(t, batch);
}
