/* What stands around every vector operation, modelled once more: operand constants, SDWA, DPP,
 * op_sel, neg, abs, denormals, output modifier, clamp, partial writes. From the RDNA 2 ISA guide's
 * chapters "Vector ALU operations" and "Data sharing"; see alu_frame.h. */
#include "alu_frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SOURCE_V = 10, DEST_V = 64, MASK_IN_S = 20, MASK_OUT_S = 30, SOURCE_S = 40 };

/* What is known of an operand of the instruction at hand. */
typedef struct source {
    unsigned type, bits;
    uint16_t code;
    bool scalar;
    bool is_mask, is_float, is_inline;
    uint64_t value, high;                       /* of a scalar one */
    uint64_t lane[EMU_LANES], upper[EMU_LANES]; /* of a vector one: bits 63:0, 127:64 */
} source;

typedef struct trial {
    frame *f;
    const amd_op_info *row;
    const ref_row *ref;
    ref_env e;
    amd_inst in;
    source s[4];
    unsigned n_src;
    bool has_literal, reads_mask;
    unsigned d_type, d_bits; /* first destination; 0: none but a mask */
    bool to_mask;            /* a MASK or EXEC destination */
    uint16_t mask_code;
    uint64_t mask_in, exec;
    uint32_t old[4][EMU_LANES], got[4][EMU_LANES];
} trial;

static void
out_of_memory(void *user)
{
    (void)user;
    fprintf(stderr, "out of memory\n");
    exit(3);
}

void
frame_begin(frame *f, amd_gen gen, const char *name, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    f->name = name;
    f->random = seed * 2 + 1;
    arena_init(&f->a, &base_malloc_allocator, out_of_memory, NULL);
    mach_memory_init(&f->memory, &f->a);
    f->d = (amd_emu_dispatch){.gen = gen, .wave_size = 64, .checks = AMD_EMU_CHECK_MEMORY};
    f->m = (emu_machine){.d = &f->d, .memory = &f->memory, .arena = &f->a, .report = &f->report};
    f->g = (emu_group){.n_waves = 1, .waves = &f->w};
    f->w = (emu_wave){.group = &f->g, .m = &f->m, .n_vgprs = 256};
    f->w.vgpr = arena_zalloc(&f->a, (EMU_MAX_VGPRS + 16) * sizeof *f->w.vgpr);
    f->code = mach_memory_alloc(&f->memory, MACH_HEAP_LOW, 64, 0, "code");
}

void
frame_end(frame *f)
{
    arena_free(&f->a);
}

uint64_t
frame_bits(frame *f)
{
    /* splitmix64 (Steele, Lea and Flood 2014) */
    uint64_t z = f->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t
frame_random(frame *f, uint64_t n)
{
    return (frame_bits(f) >> 11) % n;
}

static bool
one_in(frame *f, unsigned n)
{
    return frame_random(f, n) == 0;
}

static const ref_format *
format_of(unsigned type)
{
    return type == AMD_T_F16   ? &ref_f16
           : type == AMD_T_F32 ? &ref_f32
           : type == AMD_T_F64 ? &ref_f64
                               : NULL;
}

static bool
is_pair(unsigned type)
{
    return amd_type_class((amd_type)type) >= AMD_CLASS_V2U;
}

/* Numbers of corner combinations. */
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

/* An inline constant: its value in a source of `t`; false where that type's rule is not certain. */
static bool
inline_constant(frame *f, source *s)
{
    static const uint16_t halves[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                      0xc000, 0x4400, 0xc400, 0x3118};
    static const uint32_t singles[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                       0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
    static const uint64_t doubles[] = {0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                       0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                       0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};
    if (is_pair(s->type))
        return false;
    if (one_in(f, 2)) {
        int64_t n = (int64_t)frame_random(f, 81) - 16;
        s->code = (uint16_t)(n >= 0 ? 128 + n : 192 - n);
        s->value = (uint64_t)n & base_mask64(s->bits);
        return true;
    }
    unsigned k = (unsigned)frame_random(f, 9);
    s->code = (uint16_t)(AMD_SRC_F_0_5 + k);
    if (s->bits == 16) {
        s->value = halves[k];
        return s->type == AMD_T_F16;
    }
    s->value = s->bits == 64 ? doubles[k] : singles[k];
    return s->bits == 32 || s->type == AMD_T_F64;
}

static bool
literal_constant(trial *t, source *s)
{
    uint64_t v = input_random(t->f, s->bits == 64 ? AMD_T_F32 : s->type, NULL, 0);
    if (t->has_literal || (s->bits == 64 && s->type != AMD_T_F64))
        return false;
    t->has_literal = true;
    t->in.literal = (uint32_t)v;
    s->code = AMD_SRC_LITERAL;
    s->value = s->bits == 64 ? (uint64_t)t->in.literal << 32 : t->in.literal;
    return true;
}

/* Makes source `s` a scalar one; false: let it stay a vector register. */
static bool
scalar_source(trial *t, source *s)
{
    frame *f = t->f;
    if (s->bits > 64)
        return false;
    /* what a constant is as a binary16 source of a mixed operation is not documented */
    switch (t->row->flags & AMD_F_MIX ? 2 : frame_random(f, 3)) {
    case 0: return s->is_inline = inline_constant(f, s);
    case 1: return literal_constant(t, s);
    default:
        s->code = SOURCE_S;
        s->value = input_random(f, s->type, NULL, 0);
        f->w.sgpr[SOURCE_S] = (uint32_t)s->value;
        f->w.sgpr[SOURCE_S + 1] = (uint32_t)(s->value >> 32);
        return true;
    }
}

static bool
is_vop3(const amd_inst *in)
{
    return in->fmt == AMD_VOP3 || in->fmt == AMD_VOP3P;
}

/* Where an operand of kind MASK is: vcc in 32-bit encodings. */
static uint16_t
mask_register(const amd_inst *in, uint16_t sgpr)
{
    return in->fmt == AMD_VOP3 ? sgpr : AMD_REG_VCC_LO;
}

static void
choose_sources(trial *t)
{
    bool scalar_allowed = t->in.ext == AMD_EXT_NONE && one_in(t->f, 5);
    unsigned scalar_at = (unsigned)frame_random(t->f, 3);
    t->reads_mask = t->row->flags & AMD_F_VCC_R;
    for (unsigned k = t->n_src; k-- > 0;) { /* the literals that must be come last */
        const amd_operand *o = amd_op_src(t->row, k);
        source *s = &t->s[k];
        t->reads_mask = t->reads_mask || o->type == AMD_T_MASK;
        s->type = o->type;
        s->is_mask = o->type == AMD_T_MASK;
        s->is_float = format_of(o->type) != NULL;
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
            t->mask_code = amd_operand_kind(t->f->d.gen, o) == AMD_K_EXEC
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

/* The op_sel bits that choose bytes or words of 8-bit floats. */
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

/* Modifiers of sources and of the result, where the row and the encoding have them. */
static void
choose_modifiers(trial *t)
{
    frame *f = t->f;
    amd_inst *in = &t->in;
    uint32_t flags = t->row->flags;
    bool wide_encoding = is_vop3(in) || in->ext == AMD_EXT_SDWA;
    bool plain = t->ref->flags & REF_PLAIN;
    bool result_clamps = format_of(t->d_type) || (t->ref->flags & REF_RAW);
    unsigned all = base_mask64(t->n_src) & 7;
    if (in->fmt == AMD_VOP3P) {
        bool floats = is_pair(t->s[0].type) ? t->s[0].type == AMD_T_V2F16 : t->s[0].is_float;
        in->op_sel_hi = (uint8_t)all;
        if (t->s[0].type != AMD_T_B32 && one_in(f, 2)) {
            in->op_sel = (uint8_t)(frame_bits(f) & all);
            in->op_sel_hi = (uint8_t)(frame_bits(f) & all);
        }
        if (t->row->flags & AMD_F_NEG && floats && one_in(f, 2)) {
            in->neg = (uint8_t)(frame_bits(f) & all);
            in->neg_hi = (uint8_t)(frame_bits(f) & all);
        }
        if (t->s[0].type == AMD_T_V2F16 && t->n_src == 3 && !is_pair(t->s[2].type)) {
            /* a dot product's addend has neither a half nor abs */
            in->op_sel &= 3;
            in->op_sel_hi = (uint8_t)(in->op_sel_hi | 4);
            in->neg_hi &= 3;
        }
        if (t->s[0].type != AMD_T_V2F16 && is_pair(t->s[0].type) &&
            !is_pair(t->s[t->n_src - 1].type)) {
            in->op_sel &= 3;
            in->op_sel_hi = (uint8_t)(in->op_sel_hi | 4);
        }
    } else if (wide_encoding || in->ext) {
        for (unsigned k = 0; k < t->n_src && k < 3; k++) {
            bool may = t->s[k].is_float || in->op == AMD_V_CNDMASK_B32;
            if (!(flags & AMD_F_NEG) || !may || t->s[k].is_mask)
                continue;
            in->neg = (uint8_t)(in->neg | one_in(f, 3) << k);
            in->abs = (uint8_t)(in->abs | one_in(f, 4) << k);
        }
    }
    if (in->fmt == AMD_VOP3 && (flags & AMD_F_OPSEL) && one_in(f, 2)) {
        for (unsigned k = 0; k < t->n_src; k++)
            in->op_sel = (uint8_t)(in->op_sel |
                                   (t->s[k].bits == 16 && !t->s[k].is_inline && one_in(f, 2)) << k);
        in->op_sel = (uint8_t)(in->op_sel | (t->d_bits == 16 && one_in(f, 2)) << 3);
    }
    if (in->fmt == AMD_VOP3 && one_in(f, 2))
        in->op_sel = (uint8_t)(in->op_sel | (frame_bits(f) & byte_selection(in->op)));
    if (wide_encoding && (flags & AMD_F_CLAMP) && !plain && result_clamps && one_in(f, 4))
        in->clamp = true;
    if (wide_encoding && (flags & AMD_F_OMOD) && !plain && format_of(t->d_type) && one_in(f, 4))
        in->omod = (uint8_t)frame_random(f, 4);
}

/* Conversions from 8-bit floats, for which SDWA chooses a byte, or a word with two of them. */
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
        in->src0_sel = one_in(f, 2) ? 6 : (uint8_t)frame_random(f, 7);
        in->src1_sel = one_in(f, 2) ? 6 : (uint8_t)frame_random(f, 7);
        in->dst_sel = t->d_bits && t->d_bits <= 32 && one_in(f, 2) ? (uint8_t)frame_random(f, 7)
                                                                   : 6;
        in->dst_unused = (uint8_t)frame_random(f, 3);
        if (reads_fp8(in->op))
            in->src0_sel = (uint8_t)(t->d_bits == 64 ? 4 + frame_random(f, 2) : frame_random(f, 4));
        for (unsigned k = 0; k < 2 && k < t->n_src; k++)
            if (!t->s[k].is_float && !t->s[k].is_mask && !reads_fp8(in->op) &&
                !(in->neg >> k & 1) && !(in->abs >> k & 1))
                in->sext = (uint8_t)(in->sext | one_in(f, 3) << k);
        break;
    case AMD_EXT_DPP16:
        in->dpp_ctrl = controls[frame_random(f, sizeof controls / sizeof *controls)];
        if (f->d.gen < AMD_GFX10)
            in->dpp_ctrl = waves[frame_random(f, sizeof waves / sizeof *waves)];
        if (t->d_bits == 64 || t->s[0].bits == 64) /* all that 64-bit DPP has: row_newbcast */
            in->dpp_ctrl = (uint16_t)(0x150 + frame_random(f, 16));
        in->row_mask = one_in(f, 2) ? 15 : (uint8_t)frame_random(f, 16);
        in->bank_mask = one_in(f, 2) ? 15 : (uint8_t)frame_random(f, 16);
        in->bound_ctrl = one_in(f, 2);
        in->fi = f->d.gen >= AMD_GFX10 && one_in(f, 2);
        break;
    case AMD_EXT_DPP8:
        in->dpp8 = (uint32_t)frame_bits(f) & 0xffffff;
        in->fi = one_in(f, 2);
        break;
    default: break;
    }
}

static void
choose_mode(trial *t, unsigned mode)
{
    frame *f = t->f;
    unsigned round = mode & 3, denorm = mode >> 2 & 3;
    bool same = one_in(f, 2);
    ref_env *e = &t->e;
    e->gen = f->d.gen;
    e->round32 = (ref_round)round;
    e->denorm32 = denorm;
    e->round16_64 = (ref_round)(same ? round : frame_random(f, 4));
    e->denorm16_64 = same ? denorm : (unsigned)frame_random(f, 4);
    if (!same && one_in(f, 2)) {
        ref_round r = e->round32;
        unsigned d = e->denorm32;
        e->round32 = e->round16_64;
        e->denorm32 = e->denorm16_64;
        e->round16_64 = r;
        e->denorm16_64 = d;
    }
    e->ieee = e->gen >= AMD_GFX12 || one_in(f, 2); /* always on there */
    e->dx10_clamp = e->gen >= AMD_GFX12 || one_in(f, 2);
    e->lanes = f->w.lanes;
    f->w.mode = (uint32_t)e->round32 | (uint32_t)e->round16_64 << 2 | e->denorm32 << 4 |
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
                if (n_values > 2 && s->is_float && one_in(f, 2))
                    v ^= UINT64_C(1) << (s->bits - 1);
                index /= n;
            } else {
                v = input_random(f, s->type, before, n_before);
            }
            before[n_before++] = v;
            if (s->bits < 64) /* what lies above a narrow source must not matter */
                v = (v & base_mask64(s->bits)) | frame_bits(f) << s->bits;
            s->lane[l] = v;
            s->upper[l] = frame_bits(f);
            if (s->scalar)
                continue;
            uint32_t r = s->code - AMD_REG_VGPR0;
            f->w.vgpr[r][l] = (uint32_t)v;
            f->w.vgpr[r + 1][l] = (uint32_t)(v >> 32);
            f->w.vgpr[r + 2][l] = (uint32_t)s->upper[l];
            f->w.vgpr[r + 3][l] = (uint32_t)(s->upper[l] >> 32);
        }
        for (unsigned r = 0; r < 4; r++) {
            uint64_t type = t->d_type && t->d_bits <= 32 ? t->d_type : AMD_T_B32;
            t->old[r][l] = f->w.vgpr[DEST_V + r][l] = (uint32_t)input_random(f, (unsigned)type,
                                                                             before, n_before);
        }
    }
}

static void
write_mask(frame *f, uint32_t code, uint64_t v)
{
    f->w.sgpr[code] = (uint32_t)v;
    f->w.sgpr[code + 1] = (uint32_t)(v >> 32);
}

static uint64_t
read_mask(const frame *f, uint32_t code)
{
    uint64_t low = f->w.sgpr[code];
    return f->w.lanes > 32 ? low | (uint64_t)f->w.sgpr[code + 1] << 32 : low;
}

static void
draw_masks(trial *t)
{
    frame *f = t->f;
    t->mask_in = frame_bits(f);
    t->exec = one_in(f, 4) ? frame_bits(f) : UINT64_MAX;
    t->exec &= base_mask64(f->w.lanes);
    t->exec |= t->exec ? 0 : 1;
    write_mask(f, MASK_IN_S, t->mask_in);
    write_mask(f, AMD_REG_VCC_LO, t->mask_in);
    write_mask(f, MASK_OUT_S, frame_bits(f));
    write_mask(f, AMD_REG_EXEC_LO, t->exec);
}

frame_outcome
frame_fetch(frame *f, amd_inst *in, emu_inst **out)
{
    f->mark = arena_save(&f->a);
    base_buf bytes = buf_make(&f->a);
    *out = NULL;
    if (!amd_encode(f->d.gen, in, &bytes))
        return FRAME_NOT_ENCODABLE;
    memset(f->code->host, 0, 32);
    memcpy(f->code->host, bytes.data, bytes.size);
    f->m.code = NULL;
    f->m.stop = false;
    f->report.n_findings = 0;
    f->w.pc = f->code->base;
    emu_inst *i = emu_fetch(&f->w, f->w.pc);
    if (i && i->in.op == in->op && !f->m.stop) {
        f->w.at = i;
        f->w.pc = i->next;
        *out = i;
        return FRAME_RAN;
    }
    snprintf(f->first, sizeof f->first, "%s",
             f->report.n_findings ? f->report.findings[0].message : "another opcode is decoded");
    return FRAME_REFUSED;
}

void
frame_release(frame *f)
{
    arena_release(&f->a, f->mark);
}

/* Runs `in`. */
static frame_outcome
execute(frame *f, amd_inst *in)
{
    emu_inst *i;
    frame_outcome outcome = frame_fetch(f, in, &i);
    f->w.exec_spread = ~read_mask(f, AMD_REG_EXEC_LO);
    if (outcome == FRAME_RAN)
        i->run(&f->w, i);
    frame_release(f);
    return outcome;
}

/* The lane that DPP takes lane `l`'s first source from, -1 where there is none in its row. */
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

/* The first source of lane `l` behind DPP; whether the lane is written goes to `write`. */
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

/* Minima and maxima leave denormals alone on gfx6 to gfx8 (LLVM, supportsMinMaxDenormModes). */
static bool
never_flushes(const trial *t)
{
    return t->ref->flags & REF_RAW || (t->ref->flags & REF_CHOICE && t->e.gen <= AMD_GFX8);
}

/* Source `k` of lane `l` as the operation sees it. */
static uint64_t
source_value(const trial *t, unsigned k, uint32_t l, bool *write)
{
    const source *s = &t->s[k];
    const amd_inst *in = &t->in;
    const ref_format *fmt = format_of(s->type);
    uint64_t v = s->scalar ? s->value : s->lane[l];
    if (in->ext == AMD_EXT_SDWA && k < 2)
        v = sdwa_value(t, k, v & UINT32_MAX);
    else if (in->ext && k == 0)
        v = dpp_value(t, l, s->lane, write);
    if (t->ref->flags & REF_NO_TYPE)
        return v & UINT32_MAX;
    if (s->bits == 16 && in->fmt == AMD_VOP3 && (in->op_sel >> k & 1))
        v >>= 16;
    if (s->bits < 64)
        v &= base_mask64(s->bits);
    uint64_t sign = UINT64_C(1) << (s->bits - 1);
    if (s->bits <= 64 && (in->abs >> k & 1))
        v &= ~sign;
    if (s->bits <= 64 && (in->neg >> k & 1))
        v ^= sign;
    if (fmt && !never_flushes(t) && !(t->ref->flags & REF_NO_IN) &&
        !(ref_denorm(&t->e, fmt) & REF_KEEP_IN))
        v = ref_flush(fmt, v);
    return v;
}

/* The destination before, as an accumulating operation's source. */
static uint64_t
old_value(const trial *t, uint32_t l)
{
    const ref_format *fmt = format_of(t->d_type);
    uint64_t v = t->old[0][l] | (uint64_t)t->old[1][l] << 32;
    if (t->ref->flags & REF_NO_TYPE)
        return v & UINT32_MAX;
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
    bool ieee = t->e.ieee && t->e.gen < AMD_GFX12; /* which has no such mode */
    return t->in.omod && !ieee && !(ref_denorm(&t->e, f) & REF_KEEP_OUT);
}

/* What becomes of a float result: output modifier, denormals, clamp. `late`: denormals are flushed
 * only behind the output modifier; the guides leave the order open. */
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

/* Is `got` (of the destination's width) a right float result? */
static bool
right_float(const trial *t, const ref_format *f, const ref_lane *x, uint64_t got)
{
    bool open_zero = x->any_zero || t->in.clamp || omod_works(t, f);
    for (unsigned late = 0; late < 2; late++)
        if (same_float(t, f, x, finish_float(t, f, x->d, late), got, open_zero) ||
            (x->has_alt && same_float(t, f, x, finish_float(t, f, x->alt, late), got, open_zero)))
            return true;
    return x->ulp > 0 && !ref_is_nan(f, got) && ref_within(f, x, got);
}

/* Two binary16 values; 0x7e00 stands for any NaN in those that are floats. */
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

/* Two binary32 values; 0x7fc00000 stands for any NaN. */
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
    const ref_format *f = format_of(t->d_type);
    uint64_t mask = base_mask64(t->d_bits > 64 ? 64 : t->d_bits);
    if (x->singles)
        return right_singles(x->d, got) || (x->has_alt && right_singles(x->alt, got));
    if (x->halves)
        return right_halves(x, x->d, got) || (x->has_alt && right_halves(x, x->alt, got));
    if (t->ref->flags & REF_WHOLE && x->any_nan && x->as && ref_is_nan(x->as, x->d))
        return ref_is_nan(x->as, got);
    if (t->ref->flags & REF_WHOLE && x->ulp > 0)
        return ref_within(x->as, x, got) || got == x->d;
    if (t->ref->flags & REF_WHOLE && x->any_zero && x->as && ref_is_zero(x->as, x->d))
        return ref_is_zero(x->as, got);
    if (f && !(t->ref->flags & REF_RAW))
        return right_float(t, f, x, got);
    return !((got ^ x->d) & mask & ~x->d_mask) || (x->has_alt && got == (x->alt & mask));
}

/* SDWA's destination: `got` is the dword, of which the field must be the result's low bits. */
static bool
right_sdwa(const trial *t, const ref_lane *x, uint32_t old, uint32_t got)
{
    const amd_inst *in = &t->in;
    const ref_format *f = format_of(t->d_type);
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
        return true; /* the part that is there cannot be judged */
    uint64_t want[2] = {x->d, x->has_alt ? x->alt : x->d};
    for (unsigned k = 0; k < 2; k++) {
        uint64_t v = f && !(t->ref->flags & REF_RAW) ? finish_float(t, f, want[k], false) : want[k];
        if ((v & base_mask64(bits)) == field)
            return true;
    }
    return false;
}

/* Does a 16-bit result leave the other half of its register alone? LLVM's zeroesHigh16BitsOfDest, a
 * list from experiments: always from gfx10; on gfx9 with op_sel and for v_mac, v_fmac and their
 * forms with a literal; not before. */
static bool
keeps_half(const trial *t)
{
    if (t->e.gen >= AMD_GFX10)
        return true;
    return t->e.gen >= AMD_GFX9 && (t->row->flags & AMD_F_OPSEL || t->ref->flags & REF_KEEP);
}

/* Compares the destination registers of a lane. */
static bool
right_register(const trial *t, const ref_lane *x, uint32_t l)
{
    uint32_t old = t->old[0][l], got = t->got[0][l];
    if (t->in.ext == AMD_EXT_SDWA)
        return right_sdwa(t, x, old, got);
    if (t->d_bits == 16 && !(t->ref->flags & REF_WHOLE)) {
        unsigned at = t->in.fmt == AMD_VOP3 && (t->in.op_sel & 8) ? 16 : 0;
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
    base_buf text = buf_make(&f->a);
    if (f->wrong++)
        return;
    amd_print(f->d.gen, &t->in, f->w.lanes > 32, &text);
    snprintf(f->first, sizeof f->first,
             "%s: lane %u mode 0x%03x sources 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
             " old 0x%x mask %d: got 0x%x 0x%x mask %d, want 0x%" PRIx64 " (or 0x%" PRIx64
             ") mask %d",
             buf_text(&text), l, f->w.mode, x->s[0], x->s[1], x->s[2], t->old[0][l], x->mask_in,
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

static void
compare_lane(trial *t, uint32_t l, uint64_t mask_got)
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

frame_outcome
frame_vector(frame *f, const amd_op_info *row, const ref_row *ref, amd_op op, amd_fmt fmt,
             amd_ext ext, uint32_t lanes, frame_batch batch)
{
    trial *t = calloc(1, sizeof *t);
    if (!t)
        out_of_memory(NULL);
    t->f = f;
    t->row = row;
    t->ref = ref;
    t->in = (amd_inst){.op = (uint16_t)op, .fmt = (uint8_t)fmt, .ext = (uint8_t)ext};
    t->n_src = amd_op_src_count(row);
    f->w.lanes = lanes;
    f->w.all_lanes = base_mask64(lanes);
    f->d.wave_size = lanes;
    choose_destinations(t);
    choose_sources(t);
    choose_modifiers(t);
    choose_extension(t);
    choose_mode(t, batch.mode);
    t->e.op = op;
    t->e.in = &t->in;
    t->e.clamp = t->in.clamp;
    draw_masks(t);
    draw_values(t, batch);
    frame_outcome outcome = execute(f, &t->in);
    if (outcome == FRAME_RAN) {
        uint64_t mask_got = t->to_mask ? read_mask(f, t->mask_code) : 0;
        for (unsigned r = 0; r < 4; r++)
            memcpy(t->got[r], f->w.vgpr[DEST_V + r], sizeof t->got[r]);
        if (row->flags & AMD_F_EXEC_W && read_mask(f, AMD_REG_EXEC_LO) != mask_got)
            mask_got = ~mask_got; /* before gfx10 v_cmpx writes both */
        for (uint32_t l = 0; l < lanes; l++)
            compare_lane(t, l, mask_got);
        f->inputs += lanes;
    }
    free(t);
    return outcome;
}
