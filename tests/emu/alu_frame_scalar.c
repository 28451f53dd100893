/* Runs a scalar opcode and its reference: see alu_frame.h. */
#include "alu_frame.h"
#include "source_rule.h"

#include <inttypes.h>
#include <stdio.h>

enum { DEST_S = 60, FIRST_S = 40, VALUES = 64 };

typedef struct operand {
    uint16_t code;
    unsigned bits, type;
    bool constant;
    uint64_t value;
} operand;

/* Chooses a source: an SGPR or a pair, an inline constant, a literal. */
static operand
choose(frame *f, const amd_op_info *row, const amd_operand *o, unsigned place, amd_inst *in)
{
    const source_rule *rule = source_rule_of(row, in->op, o->type);
    operand s = {.code = (uint16_t)(FIRST_S + 4 * place), .type = o->type};
    s.bits = amd_type_bits((amd_type)o->type, true);
    if (o->kind == AMD_K_LIT) {
        s.code = AMD_SRC_LITERAL;
        s.value = in->literal & base_mask64(s.bits);
        s.constant = true;
    }
    if (o->kind != AMD_K_SSRC || !rule || frame_random(f, 4))
        return s;
    if (frame_random(f, 2)) {
        uint64_t n = frame_random(f, 90);
        s.code = (uint16_t)(n < 81 ? 128 + n : AMD_SRC_F_0_5 + n - 81);
        s.value = source_rule_constant(rule, s.code) & base_mask64(s.bits);
        s.constant = f->one.d.gen >= AMD_GFX8 || s.code != AMD_SRC_F_INV_2PI;
    } else if (in->literal == 0) {
        in->literal = (uint32_t)input_random(f, AMD_T_B32, NULL, 0) | 1;
        s.code = AMD_SRC_LITERAL;
        s.value = source_rule_literal(rule, in->literal) & base_mask64(s.bits);
        s.constant = true;
    }
    if (!s.constant)
        s.code = (uint16_t)(FIRST_S + 4 * place);
    return s;
}

static void
put(frame *f, uint32_t code, unsigned bits, uint64_t v)
{
    f->one.w.sgpr[code] = (uint32_t)v;
    if (bits > 32)
        f->one.w.sgpr[code + 1] = (uint32_t)(v >> 32);
}

static uint64_t
get(const frame *f, uint32_t code, unsigned bits)
{
    return f->one.w.sgpr[code] | (bits > 32 ? (uint64_t)f->one.w.sgpr[code + 1] << 32 : 0);
}

static void
describe(frame *f, const amd_inst *in, const ref_scalar *x, uint64_t got)
{
    base_buf text = buf_make(&f->one.a);
    if (f->wrong++)
        return;
    amd_print(f->one.d.gen, in, true, &text);
    snprintf(f->first, sizeof f->first,
             "%s: sources 0x%" PRIx64 " 0x%" PRIx64 " old 0x%" PRIx64 " exec 0x%" PRIx64
             " scc %d: got 0x%" PRIx64 " scc %d exec 0x%" PRIx64 ", want 0x%" PRIx64
             " scc %d exec 0x%" PRIx64,
             buf_text(&text), x->s[0], x->s[1], x->old, x->exec, x->scc, got, f->one.w.scc,
             get(f, AMD_REG_EXEC_LO, 64), x->writes ? x->d : x->old, x->new_scc, x->new_exec);
}

/* Runs one value through the bound instruction `i`. */
static void
try_value(frame *f, emu_inst *i, const ref_env *e, ref_scalar_fn *ref, const operand *s,
          unsigned n_src, unsigned d_bits)
{
    ref_scalar x = {.scc = frame_random(f, 2) != 0};
    uint64_t before[3];
    for (unsigned k = 0; k < n_src; k++) {
        x.s[k] = s[k].constant ? s[k].value
                               : input_random(f, s[k].type, before, k) & base_mask64(s[k].bits);
        before[k] = x.s[k];
        if (!s[k].constant)
            put(f, s[k].code, s[k].bits, x.s[k]);
    }
    x.old = input_random(f, AMD_T_B64, before, n_src) & base_mask64(d_bits ? d_bits : 32);
    x.exec = frame_bits(f);
    x.new_exec = x.exec;
    put(f, DEST_S, d_bits, x.old);
    put(f, AMD_REG_EXEC_LO, 64, x.exec);
    f->one.w.scc = x.scc;
    ref(e, &x);
    i->run(&f->one.w, i);
    uint64_t got = get(f, DEST_S, d_bits ? d_bits : 32);
    const ref_format *fmt = d_bits == 16 ? &ref_f16 : &ref_f32;
    if (d_bits == 16) /* the upper half is unspecified */
        got &= 0xffff;
    for (unsigned h = 0; x.halves && h < 32; h += 16) /* 0x7e00 means any NaN */
        if ((x.d >> h & 0xffff) == 0x7e00 && ref_is_nan(&ref_f16, got >> h & 0xffff))
            got = (got & ~(UINT64_C(0xffff) << h)) | UINT64_C(0x7e00) << h;
    bool same = (x.has_alt && got == x.alt) || (x.ulp > 0 && ref_within(fmt, x.ulp, got)) ||
                got == (x.writes ? x.d : x.old) ||
                (x.any_nan && ref_is_nan(fmt, x.d) && ref_is_nan(fmt, got)) ||
                (x.any_zero && ref_is_zero(fmt, x.d) && ref_is_zero(fmt, got));
    if (!same || f->one.w.scc != x.new_scc || get(f, AMD_REG_EXEC_LO, 64) != x.new_exec)
        describe(f, &i->in, &x, got);
    f->inputs++;
}

static void
choose_mode(frame *f, ref_env *e)
{
    unsigned m = (unsigned)frame_random(f, 1024);
    e->gen = f->one.d.gen;
    e->round32 = (ref_round)(m & 3);
    e->round16_64 = (ref_round)(m >> 2 & 3);
    e->denorm32 = m >> 4 & 3;
    e->denorm16_64 = m >> 6 & 3;
    e->dx10_clamp = m >> 8 & 1;
    e->ieee = m >> 9 & 1;
    f->one.w.mode = m;
}

frame_outcome
frame_scalar(frame *f, const amd_op_info *row, ref_scalar_fn *ref, amd_op op)
{
    amd_inst in = {.op = (uint16_t)op, .fmt = row->fmt};
    operand s[AMD_MAX_SRC];
    unsigned n_src = amd_op_src_count(row), n_dst = amd_op_dst_count(row), d_bits = 0;
    ref_env e = {.op = op, .in = &in};
    f->one.w.lanes = 64;
    f->one.w.all_lanes = UINT64_MAX;
    choose_mode(f, &e);
    for (unsigned k = 0; k < n_src; k++)
        if (amd_op_src(row, k)->kind == AMD_K_LIT)
            in.literal = (uint32_t)input_random(f, AMD_T_F32, NULL, 0) | 1;
    for (unsigned k = 0; k < n_src; k++) {
        s[k] = choose(f, row, amd_op_src(row, k), k, &in);
        in.src[k] = s[k].code;
    }
    if (n_dst) {
        in.dst[0] = DEST_S;
        d_bits = amd_type_bits((amd_type)amd_op_dst(row, 0)->type, true);
    }
    in.n_src = (uint8_t)n_src;
    in.n_dst = (uint8_t)n_dst;
    if (row->fmt == AMD_SOPK)
        in.imm = (int32_t)(int16_t)input_random(f, AMD_T_I16, NULL, 0);
    emu_inst *i;
    frame_outcome outcome = frame_fetch(f, &in, &i);
    if (outcome == FRAME_RAN)
        for (unsigned n = 0; n < VALUES; n++)
            try_value(f, i, &e, ref, s, n_src, d_bits);
    frame_release(f);
    return outcome;
}
