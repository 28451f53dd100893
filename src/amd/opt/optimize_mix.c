/* Mixed precision: conversions between f16 and f32 become part of sums, products and fmas.
 *
 *     v1: %3 = v_cvt_f32_f16 %1
 *     v1: %4 = v_mul_f32 %3, %2            ->    v1: %4 = v_fma_mix_f32 %1, %2, -0 op_sel_hi:0x1
 *
 *     v1: %3 = v_fma_f32 %0, %1, %2
 *     v1: %4 = v_cvt_f16_f32 %3            ->    v1: %4 = v_fma_mixlo_f16 %0, %1, %2
 *
 * Both are exact: v_fma_mix reads f16 as the conversion does, by the mode of f16 denormals, and
 * v_fma_mixlo rounds to f32 first, then to f16 (emu/alu/vop3p.c; LLVM needs no permission to
 * contract for it). a * b is a * b - 0, a + b is 1 * a + b.
 *
 * The first gfx9 chips have v_mad_mix in their place, which is v_mad, and flushes denormals of both
 * sizes in any mode (emu/alu/vop3p.c). So it never reads f16 here, and does not compute f32 either,
 * which v_mad and its like do in fewer bytes; but as v_mad is selected where f32 may be flushed
 * (select_alu.c), v_mad_mixlo is used there.
 */
#include "amd/opt/optimize_half.h"

#include "amd/isa/isa.h"

enum { MIX_SOURCES = 3, ONE = 0x3f800000 };

/* A source of a mixed instruction. */
typedef struct mix_source {
    ir_ref ref;
    bool neg, abs, half, high;
} mix_source;

/* ---- what the target has ---- */

static bool
has_fused(const mopt_ctx *c)
{
    return mopt_exists(c, AMD_V_FMA_MIX_F32);
}

/* The instructions that write f16; AMD_OP_INVALID: none. */
static unsigned
low_op(const mopt_ctx *c)
{
    enum { F32 = 2 };
    const ir_float_controls *fp = &c->f->shader.fp;
    if (has_fused(c))
        return AMD_V_FMA_MIXLO_F16;
    bool flushes = !((fp->denorm_preserve | fp->round_zero) & F32);
    return flushes && mopt_exists(c, AMD_V_MAD_MIXLO_F16) ? AMD_V_MAD_MIXLO_F16 : AMD_OP_INVALID;
}

/* ---- sources ---- */

/* The f16 that `def`, a v_cvt_f32_f16, converts. */
static bool
converted(const mopt_ctx *c, const ir_instr *i, const ir_instr *def, mix_source *s)
{
    enum { WORD_0 = 4, WORD_1 = 5, DWORD = 6 };
    uint32_t word = ir_words(def)[0], sdwa = ir_words(def)[2], part = sdwa >> AMD_SDWA_SRC0 & 7;
    const uint32_t known = 1u << AMD_MOD_NEG | 1u << AMD_MOD_ABS | 1u << AMD_MOD_OPSEL;
    bool is_sdwa = amd_form_ext(def) == AMD_EXT_SDWA;
    if (word & ~known || ir_words(def)[1] || (sdwa && !is_sdwa) || !cg_can_move_refs(def, i) ||
        !ir_is_value(def->refs[0]))
        return false;
    if (is_sdwa && ((sdwa & 7) != DWORD || part < WORD_0 || part > DWORD))
        return false;
    s->ref = def->refs[0];
    s->half = true;
    s->high = is_sdwa ? part == WORD_1 : word >> AMD_MOD_OPSEL & 1;
    if (!s->high)
        s->high = amd_opt_half_of(c, i, s->ref, &s->ref);
    if (!s->abs)
        s->neg ^= word >> AMD_MOD_NEG & 1;
    s->abs |= word >> AMD_MOD_ABS & 1;
    return true;
}

/* Source `n` of the f32 instruction `i`. Returns true if this saves a conversion. */
static bool
read_source(const mopt_ctx *c, const ir_instr *i, unsigned n, mix_source *s)
{
    const ir_instr *def = cg_def_of(&c->uses, i->refs[n]);
    *s = (mix_source){.ref = i->refs[n],
                      .neg = ir_words(i)[0] >> (AMD_MOD_NEG + n) & 1,
                      .abs = ir_words(i)[0] >> (AMD_MOD_ABS + n) & 1};
    bool converts = def && def->op == AMD_V_CVT_F32_F16 && has_fused(c) && converted(c, i, def, s);
    return converts && c->uses.count[i->refs[n].id] == 1;
}

/* The three sources of the fma that computes what `i` does, and the number of conversions that
 * nothing else needs; -1 if `i` is not one of these instructions. */
static int
read_sources(const mopt_ctx *c, const ir_instr *i, mix_source s[MIX_SOURCES])
{
    const uint32_t known = 7u << AMD_MOD_NEG | 7u << AMD_MOD_ABS | 1u << AMD_MOD_CLAMP;
    bool product = i->op == AMD_V_MUL_F32;
    bool fma = i->op == (has_fused(c) ? AMD_V_FMA_F32 : AMD_V_MAD_F32);
    bool sum = i->op == AMD_V_ADD_F32 || i->op == AMD_V_SUB_F32;
    int saved = 0;
    if ((!product && !fma && !sum) || i->n_refs != (fma ? 3 : 2) || i->form ||
        ir_words(i)[0] & ~known || ir_words(i)[1] | ir_words(i)[2])
        return -1;
    for (unsigned n = 0; n < i->n_refs; n++)
        saved += read_source(c, i, n, &s[n + sum]);
    if (sum)
        s[0] = (mix_source){.ref = amd_const(ONE)};
    if (product)
        s[2] = (mix_source){.ref = amd_const(0), .neg = true};
    if (i->op == AMD_V_SUB_F32)
        s[2].neg = !s[2].neg;
    return saved;
}

static uint32_t
mix_word(const mix_source s[MIX_SOURCES])
{
    uint32_t word = 0;
    for (unsigned n = 0; n < MIX_SOURCES; n++) {
        word |= (uint32_t)s[n].neg << (AMD_MOD_NEG + n);
        word |= (uint32_t)s[n].abs << (AMD_MOD_NEG_HI + n);
        word |= (uint32_t)s[n].high << (AMD_MOD_OPSEL + n);
        word |= (uint32_t)s[n].half << (AMD_MOD_OPSEL_HI + n);
    }
    return word;
}

/* The text of these instructions has f16 literals only (amd_constant_type). */
static bool
has_literal(const mopt_ctx *c, const mix_source s[MIX_SOURCES])
{
    for (unsigned n = 0; n < MIX_SOURCES; n++) {
        if (amd_is_literal(c->p->target->gen, s[n].ref, AMD_T_B32))
            return true;
    }
    return false;
}

/* ---- the rules ---- */

/* A sum, product or fma of f32, if a conversion is saved. */
bool
amd_opt_mix(mopt_ctx *c, ir_instr *i)
{
    mix_source s[MIX_SOURCES];
    if (!ir_made_op(c->f, AMD_V_CVT_F32_F16) || !mopt_exists(c, AMD_V_FMA_MIX_F32) ||
        read_sources(c, i, s) <= 0 || has_literal(c, s))
        return false;
    ir_ref refs[MIX_SOURCES] = {s[0].ref, s[1].ref, s[2].ref};
    uint32_t clamp = ir_words(i)[0] & 1u << AMD_MOD_CLAMP;
    if (!amd_opt_become(c, i, AMD_V_FMA_MIX_F32, MIX_SOURCES, refs))
        return false;
    ir_words(i)[0] = mix_word(s) | clamp;
    return true;
}

/* The sources and modifiers of the mixed instruction that computes `r` for `i` alone. */
static bool
mixed_inner(const mopt_ctx *c, const ir_instr *i, ir_ref r, ir_ref refs[MIX_SOURCES],
            uint32_t *word)
{
    const ir_instr *def = cg_single_def(&c->uses, r);
    mix_source s[MIX_SOURCES];
    if (!def || !cg_can_move_refs(def, i) || def->block != i->block)
        return false;
    *word = ir_words(def)[0];
    if (def->op == AMD_V_FMA_MIX_F32) {
        for (unsigned n = 0; n < MIX_SOURCES; n++)
            refs[n] = def->refs[n];
        return !ir_words(def)[1] && !ir_words(def)[2];
    }
    if (*word >> AMD_MOD_CLAMP & 1 || read_sources(c, def, s) < 0 || has_literal(c, s))
        return false;
    for (unsigned n = 0; n < MIX_SOURCES; n++)
        refs[n] = s[n].ref;
    *word = mix_word(s);
    return true;
}

/* f16 of a sum, product or fma. */
bool
amd_opt_mix_low(mopt_ctx *c, ir_instr *i)
{
    ir_ref refs[MIX_SOURCES];
    uint32_t word;
    unsigned op = low_op(c);
    if (op == AMD_OP_INVALID || i->form || ir_words(i)[0] & ~(1u << AMD_MOD_CLAMP) ||
        ir_words(i)[1] | ir_words(i)[2] || !mixed_inner(c, i, i->refs[0], refs, &word))
        return false;
    uint32_t clamp = ir_words(i)[0];
    if (!amd_sources_fit(c->p->target->gen, op, MIX_SOURCES, refs))
        return false;
    ir_ref *room = ARENA_ARRAY(c->f->arena, MIX_SOURCES, ir_ref);
    room[0] = i->refs[0];
    i->refs = room;
    cg_set_refs(&c->uses, i, MIX_SOURCES, refs);
    i->op = (uint16_t)op;
    ir_words(i)[0] = word | clamp;
    return true;
}

/* The same for the high half, which selection converts as x * 1 - 0. */
bool
amd_opt_mix_high(mopt_ctx *c, ir_instr *i)
{
    ir_ref refs[MIX_SOURCES + 1];
    uint32_t word;
    if (low_op(c) == AMD_OP_INVALID || ir_words(i)[0] != 4u << AMD_MOD_NEG ||
        !mopt_is_const(i->refs[1], ONE) || !mopt_is_const(i->refs[2], 0) ||
        i->n_refs != MIX_SOURCES + 1 || !mixed_inner(c, i, i->refs[0], refs, &word) ||
        !amd_sources_fit(c->p->target->gen, i->op, MIX_SOURCES, refs))
        return false;
    refs[MIX_SOURCES] = i->refs[MIX_SOURCES];
    cg_set_refs(&c->uses, i, MIX_SOURCES + 1, refs);
    ir_words(i)[0] = word;
    return true;
}
