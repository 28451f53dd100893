/* Copies between physical registers.
 *
 * Copies are collected as a parallel copy, sequenced by src/cg/parallel_copy.c, and emitted one by
 * one; constants come last, because they read no register. The copies of gfx10:
 *
 *   SGPR <- SGPR       s_mov_b32, s_mov_b64 for aligned pairs
 *   SGPR <-> SGPR      through m0; three s_xor if m0 is live and scc is not
 *   SGPR <- VGPR       v_readfirstlane_b32 (the value is uniform)
 *   scc <- SGPR        s_cmp_lg_u32; SGPR <- scc: s_cselect_b32
 *   VGPR <- any        v_mov_b32; parts of a VGPR by SDWA or v_perm, which keep the other bytes
 *   VGPR <-> VGPR      v_swap_b32, or three v_xor; parts by three v_xor with SDWA, or by v_perm and
 *                      a free VGPR
 *
 * From gfx11 on v_mov_b16 and v_xor_b16 move and swap halves of VGPRs, v_alignbit those of one.
 */
#include "amd/post/lower.h"
#include "amd/target/occupancy.h"

#include <assert.h>

static bool
is_vgpr(unsigned reg)
{
    return reg >= AMD_VGPR0;
}

/* The class of `bytes` bytes at register `reg`. */
static ir_ref
part(unsigned reg, unsigned bytes)
{
    return amd_phys(reg, amd_rc(is_vgpr(reg), bytes));
}

/* ---- constants ---- */

void
amd_low_load_const(low_ctx *c, unsigned reg, uint32_t value)
{
    ir_ref constant = amd_const(value);
    if (is_vgpr(reg)) {
        amd_low_1(c, AMD_V_MOV_B32, low_v(reg, 1), constant);
    } else if (reg == AMD_SCC) {
        amd_low_emit(c, value ? AMD_S_CMP_EQ_U32 : AMD_S_CMP_LG_U32, 0, NULL, 2,
                     (ir_ref[]){amd_const(0), amd_const(0)});
    } else if (amd_is_literal(c->p->target->gen, constant, 32) &&
               (int32_t)value == (int16_t)value) {
        ir_ref def = low_s(reg, 1);
        ir_words(amd_low_emit(c, AMD_S_MOVK_I32, 1, &def, 0, NULL))[0] = value & 0xffff;
    } else {
        amd_low_1(c, AMD_S_MOV_B32, low_s(reg, 1), constant);
    }
}

static uint32_t
const_dword(ir_ref r, unsigned dword)
{
    if (dword == 0)
        return r.id;
    return r.flags & IR_CONST64 ? (uint32_t)((int32_t)r.id >> 31) : 0;
}

static bool
is_inline(uint32_t value)
{
    return (int32_t)value >= -16 && (int32_t)value <= 64;
}

/* Moves 16 bits to a half of a VGPR from a half, an SGPR or a constant. */
static bool
move_half(low_ctx *c, unsigned dst, ir_ref src)
{
    if (!amd_op_exists(AMD_V_MOV_B16, c->p->target->gen))
        return false;
    ir_ref whole = low_v(dst & ~3u, 1), refs[2] = {src, whole};
    bool from_high = src.kind != IR_REF_CONST && src.reg & 2;
    if (src.kind != IR_REF_CONST)
        refs[0] = part(src.reg & ~3u, 4);
    ir_words(amd_low_emit(c, AMD_V_MOV_B16, 1, &whole, 2,
                          refs))[0] = (from_high | (dst & 2 ? 8u : 0u)) << AMD_MOD_OPSEL;
    return true;
}

/* Sets some bytes of a VGPR and keeps the others: clears them, then ORs the constant. */
static void
load_const_part(low_ctx *c, unsigned reg, uint32_t value, unsigned size)
{
    unsigned shift = reg % 4 * 8;
    uint32_t mask = (uint32_t)base_mask64(size * 8) << shift;
    ir_ref whole = low_v(reg & ~3u, 1);
    if (size == 2 && reg % 2 == 0 && move_half(c, reg, amd_const(value & 0xffff)))
        return;
    value = value << shift & mask;
    if (value != mask)
        amd_low_2(c, AMD_V_AND_B32, whole, amd_const(~mask), whole);
    if (value)
        amd_low_2(c, AMD_V_OR_B32, whole, amd_const(value), whole);
}

static void
load_consts(low_ctx *c, unsigned dst, ir_ref src, unsigned offset, unsigned size)
{
    for (unsigned at = 0, step; at < size; at += step) {
        unsigned reg = dst + at, byte = offset + at;
        uint32_t value = const_dword(src, byte / 4);
        bool pair = !is_vgpr(reg) && reg % 8 == 0 && byte % 8 == 0 && size - at >= 8;
        step = 4 - (reg % 4 > byte % 4 ? reg % 4 : byte % 4);
        step = step < size - at ? step : size - at;
        if (pair && is_inline(value) &&
            const_dword(src, byte / 4 + 1) == (uint32_t)((int32_t)value >> 31)) {
            step = 8;
            amd_low_1(c, AMD_S_MOV_B64, low_s(reg, 2), amd_const64((int32_t)value));
        } else if (step == 4) {
            amd_low_load_const(c, reg, value);
        } else {
            load_const_part(c, reg, value >> (byte % 4 * 8), step);
        }
    }
}

/* ---- registers ---- */

/* The SDWA select for `size` bytes from byte `byte` on: BYTE_n, WORD_n, DWORD (RDNA 2 ISA, 6.5,
 * SDWA). */
static unsigned
sdwa_sel(unsigned byte, unsigned size)
{
    return size == 4 ? 6 : size == 2 ? 4 + byte / 2 : byte;
}

static void
set_sdwa(ir_instr *i, unsigned fmt, const cg_step *s, bool two)
{
    unsigned dst = sdwa_sel(s->dst % 4, s->size), src = sdwa_sel(s->src % 4, s->size);
    i->form = amd_form(fmt, AMD_EXT_SDWA);
    ir_words(i)[2] = dst | AMD_SDWA_PRESERVE << AMD_SDWA_DST_UNUSED;
    ir_words(i)[2] |= (two ? dst << AMD_SDWA_SRC0 | src << AMD_SDWA_SRC1 : src << AMD_SDWA_SRC0);
}

static bool
has_sdwa(const low_ctx *c)
{
    return amd_op_has_sdwa(AMD_V_MOV_B32, c->p->target->gen);
}

/* Puts bytes of register `src` into `dst`, whose other bytes come from `old`. v_perm takes bytes 0
 * to 3 of its second and 4 to 7 of its first source. */
static void
permute(low_ctx *c, unsigned dst, unsigned old, const cg_step *s)
{
    enum { FIRST_SOURCE = 4 };
    uint32_t select = 0x03020100;
    for (unsigned k = 0; k < s->size; k++) {
        unsigned shift = (s->dst % 4 + k) * 8;
        select &= ~(0xffu << shift);
        select |= (FIRST_SOURCE + s->src % 4 + k) << shift;
    }
    amd_low_3(c, AMD_V_PERM_B32, low_v(dst, 1), low_v(s->src & ~3u, 1), low_v(old, 1),
              amd_const(select));
}

static void
swap_in_register(low_ctx *c, const cg_step *s)
{
    uint32_t select = 0x03020100;
    for (unsigned k = 0; k < s->size; k++) {
        unsigned a = s->dst % 4 + k, b = s->src % 4 + k;
        select &= ~(0xffu << a * 8 | 0xffu << b * 8);
        select |= b << a * 8 | a << b * 8;
    }
    ir_ref whole = low_v(s->dst & ~3u, 1);
    amd_low_3(c, AMD_V_PERM_B32, whole, whole, whole, amd_const(select));
}

/* Has the wave another VGPR that instructions can name? AGPRs and shared VGPRs take what is behind
 * those in use. */
static bool
has_vgpr_left(const amd_program *p)
{
    enum { NAMED = 256 };
    return p->vgprs_used < NAMED && p->vgprs_used < p->target->vgpr_limit && !p->agprs_used &&
           !p->shared_vgprs;
}

/* A VGPR that nothing uses. */
static unsigned
free_vgpr(low_ctx *c)
{
    amd_program *p = c->p;
    if (!c->spare_vgpr && !has_vgpr_left(p))
        diag_fail(c->f->ctx->diag, ERR_INTERNAL, "no scratch register to swap parts of VGPRs");
    if (!c->spare_vgpr)
        c->spare_vgpr = AMD_PHYS(AMD_REG_VGPR0 + p->vgprs_used++);
    return c->spare_vgpr;
}

/* May one more VGPR be used without fewer waves? */
static bool
has_free_vgpr(const low_ctx *c)
{
    const amd_program *p = c->p;
    return c->spare_vgpr ||
           (has_vgpr_left(p) && amd_waves_for_vgprs(p, p->vgprs_used + 1u) >= p->max_waves);
}

static void
swap_by_permutes(low_ctx *c, const cg_step *s)
{
    cg_step back = {.dst = s->src, .src = s->dst, .size = s->size};
    unsigned a = s->dst & ~3u, b = s->src & ~3u;
    if (a == b) {
        swap_in_register(c, s);
        return;
    }
    unsigned saved = free_vgpr(c);
    amd_low_1(c, AMD_V_MOV_B32, low_v(saved, 1), low_v(a, 1));
    permute(c, a, a, s);
    back.src = (uint16_t)(saved + s->dst % 4);
    permute(c, b, b, &back);
}

static void
move_part(low_ctx *c, const cg_step *s)
{
    if (s->size == 2 && move_half(c, s->dst, part(s->src, 2)))
        return;
    if (!has_sdwa(c)) {
        permute(c, s->dst & ~3u, s->dst & ~3u, s);
        return;
    }
    ir_ref dst = low_v(s->dst & ~3u, 1), src = part(s->src & ~3u, 4);
    set_sdwa(amd_low_emit(c, AMD_V_MOV_B32, 1, &dst, 1, &src), AMD_VOP1, s, false);
}

/* v_xor_b16 of two halves into the first one. */
static void
xor_half(low_ctx *c, unsigned dst, unsigned src)
{
    ir_ref whole = low_v(dst & ~3u, 1), refs[] = {whole, low_v(src & ~3u, 1), whole};
    uint32_t sel = (dst & 2 ? 9u : 0u) | (src & 2 ? 2u : 0u);
    ir_words(amd_low_emit(c, AMD_V_XOR_B16, 1, &whole, 3, refs))[0] = sel << AMD_MOD_OPSEL;
}

/* Exchanges halves where instructions choose them. */
static void
swap_halves(low_ctx *c, const cg_step *s)
{
    ir_ref a = low_v(s->dst & ~3u, 1);
    if (a.reg == (s->src & ~3u)) {
        amd_low_3(c, AMD_V_ALIGNBIT_B32, a, a, a, amd_const(16));
    } else if (has_free_vgpr(c)) {
        unsigned saved = free_vgpr(c);
        amd_low_1(c, AMD_V_MOV_B32, low_v(saved, 1), a);
        move_half(c, s->dst, part(s->src, 2));
        move_half(c, s->src, part(saved + s->dst % 4, 2));
    } else {
        xor_half(c, s->dst, s->src);
        xor_half(c, s->src, s->dst);
        xor_half(c, s->dst, s->src);
    }
}

static void
swap_part(low_ctx *c, const cg_step *s)
{
    if (s->size == 2 && amd_op_exists(AMD_V_XOR_B16, c->p->target->gen)) {
        swap_halves(c, s);
        return;
    }
    if (!has_sdwa(c)) {
        swap_by_permutes(c, s);
        return;
    }
    cg_step back = {.dst = s->src, .src = s->dst, .size = s->size};
    const cg_step *steps[] = {s, &back, s};
    for (unsigned k = 0; k < 3; k++) {
        ir_ref dst = low_v(steps[k]->dst & ~3u, 1);
        ir_ref refs[] = {dst, low_v(steps[k]->src & ~3u, 1)};
        set_sdwa(amd_low_emit(c, AMD_V_XOR_B32, 1, &dst, 2, refs), AMD_VOP2, steps[k], true);
    }
}

static void
move_scalar(low_ctx *c, const cg_step *s)
{
    ir_ref dst = part(s->dst, s->size), src = part(s->src, s->size);
    if (s->dst == AMD_SCC)
        amd_low_emit(c, AMD_S_CMP_LG_U32, 0, NULL, 2, (ir_ref[]){src, amd_const(0)});
    else if (s->src == AMD_SCC)
        amd_low_3(c, AMD_S_CSELECT_B32, dst, amd_const(1), amd_const(0), amd_phys(AMD_SCC, AMD_S1));
    else
        amd_low_1(c, s->size == 8 ? AMD_S_MOV_B64 : AMD_S_MOV_B32, dst, src);
}

static void
move(low_ctx *c, const cg_step *s)
{
    if (!is_vgpr(s->dst) && is_vgpr(s->src))
        amd_low_1(c, AMD_V_READFIRSTLANE_B32, part(s->dst, 4), part(s->src, 4));
    else if (!is_vgpr(s->dst))
        move_scalar(c, s);
    else if (s->size == 4)
        amd_low_1(c, AMD_V_MOV_B32, part(s->dst, 4), part(s->src, 4));
    else
        move_part(c, s);
}

static void
swap_scalar(low_ctx *c, const cg_step *s)
{
    bool m0_free = !(c->live & LOW_M0) && s->dst != AMD_M0 && s->src != AMD_M0;
    if (!m0_free) {
        if (c->live & LOW_SCC)
            diag_fail(c->f->ctx->diag, ERR_INTERNAL, "no scratch register to swap SGPRs");
        ir_ref a = part(s->dst, s->size), b = part(s->src, s->size);
        unsigned op = s->size == 8 ? AMD_S_XOR_B64 : AMD_S_XOR_B32;
        amd_low_2(c, op, a, a, b);
        amd_low_2(c, op, b, a, b);
        amd_low_2(c, op, a, a, b);
        return;
    }
    for (unsigned at = 0; at < s->size; at += 4) {
        ir_ref m0 = low_s(AMD_M0, 1);
        cg_step to = {.dst = (uint16_t)(s->dst + at), .src = (uint16_t)(s->src + at), .size = 4};
        cg_step save = {.dst = AMD_M0, .src = to.dst, .size = 4};
        cg_step back = {.dst = to.src, .src = m0.reg, .size = 4};
        move_scalar(c, &save);
        move_scalar(c, &to);
        move_scalar(c, &back);
    }
}

/* Without v_swap, through another register, or by exclusive or: then an undefined value makes the
 * other one look undefined to the emulator. */
static void
swap_vectors(low_ctx *c, ir_ref a, ir_ref b)
{
    ir_ref both[] = {a, b};
    if (amd_op_exists(AMD_V_SWAP_B32, c->p->target->gen)) {
        amd_low_emit(c, AMD_V_SWAP_B32, 2, both, 2, both);
        return;
    }
    if (has_free_vgpr(c)) {
        ir_ref saved = low_v(free_vgpr(c), 1);
        amd_low_1(c, AMD_V_MOV_B32, saved, a);
        amd_low_1(c, AMD_V_MOV_B32, a, b);
        amd_low_1(c, AMD_V_MOV_B32, b, saved);
        return;
    }
    amd_low_2(c, AMD_V_XOR_B32, a, a, b);
    amd_low_2(c, AMD_V_XOR_B32, b, a, b);
    amd_low_2(c, AMD_V_XOR_B32, a, a, b);
}

static void
swap(low_ctx *c, const cg_step *s)
{
    if (!is_vgpr(s->dst)) {
        swap_scalar(c, s);
    } else if (s->size == 4) {
        swap_vectors(c, low_v(s->dst, 1), low_v(s->src, 1));
    } else {
        swap_part(c, s);
    }
}

/* ---- collecting ---- */

void
amd_low_begin_copies(low_ctx *c)
{
    c->n_consts = 0;
}

void
amd_low_add_copy(low_ctx *c, unsigned dst, ir_ref src, unsigned offset, unsigned size)
{
    if (src.kind == IR_REF_UNDEF || (src.kind == IR_REF_NONE && !(src.flags & IR_FIXED)))
        return;
    if (src.kind == IR_REF_CONST) {
        arena *a = c->f->ctx->scratch;
        c->consts = arena_grow(a, c->consts, &c->cap_consts, c->n_consts + 1, sizeof *c->consts);
        c->consts[c->n_consts++] = (low_const){
            .dst = (uint16_t)dst, .src = src, .offset = (uint16_t)offset, .size = (uint16_t)size};
        return;
    }
    bool scalar = !is_vgpr(dst);
    bool wide = scalar && !is_vgpr(src.reg);
    cg_copy copy = {.dst = dst, .src = src.reg + offset, .size = size};
    cg_granularity g = {.largest = wide ? 8 : 4, .smallest = scalar ? 4 : 1};
    cg_add_copy(c->seq, copy, g);
}

/* Do two steps move an aligned pair of SGPRs to a pair of VGPRs? A single 64-bit shift by 0 does
 * both. */
static bool
is_pair_to_vgprs(const low_ctx *c, const cg_step *a, const cg_step *b)
{
    if (amd_has(c->p->target, aligned_vgprs) && a->dst % 8)
        return false;
    return !a->swap && !b->swap && a->size == 4 && b->size == 4 && is_vgpr(a->dst) &&
           b->dst == a->dst + 4 && a->src < AMD_VGPR0 && a->src % 8 == 0 && b->src == a->src + 4;
}

static void
move_pair(low_ctx *c, ir_ref dst, ir_ref src)
{
    if (amd_op_exists(AMD_V_LSHRREV_B64, c->p->target->gen))
        amd_low_2(c, AMD_V_LSHRREV_B64, dst, amd_const(0), src);
    else
        amd_low_2(c, AMD_V_LSHR_B64, dst, src, amd_const(0));
}

/* Do two steps move an aligned pair of VGPRs to another one, in either order? */
static bool
is_pair_of_vgprs(const low_ctx *c, const cg_step *a, const cg_step *b)
{
    return amd_op_exists(AMD_V_PK_MOV_B32, c->p->target->gen) && !a->swap && !b->swap &&
           a->size == 4 && b->size == 4 && is_vgpr(a->dst) && is_vgpr(a->src) &&
           (a->dst ^ b->dst) == 4 && (a->src ^ b->src) == 4 && (a->dst | 4) != (a->src | 4);
}

/* op_sel chooses the register of the first source for the low one, of the second source for the
 * high one (CDNA 2 ISA, "V_PK_MOV_B32"); op_sel_hi is as LLVM sets it. */
static void
move_vgpr_pair(low_ctx *c, const cg_step *a, const cg_step *b)
{
    const cg_step *lo = a->dst & 4 ? b : a, *hi = a->dst & 4 ? a : b;
    ir_ref dst = low_v(lo->dst, 2), src = low_v(a->src & ~4u, 2);
    if (!(lo->src & 4) && amd_op_exists(AMD_V_MOV_B64, c->p->target->gen)) {
        amd_low_1(c, AMD_V_MOV_B64, dst, src);
        return;
    }
    uint32_t select = (uint32_t)(lo->src >> 2 & 1) | (uint32_t)(hi->src >> 2 & 1) << 1;
    ir_words(amd_low_emit(c, AMD_V_PK_MOV_B32, 1, &dst, 2,
                          (ir_ref[]){src, src}))[0] = select << AMD_MOD_OPSEL |
                                                      3u << AMD_MOD_OPSEL_HI;
}

/* Do two steps move the halves of one register? */
static bool
fills_register(const low_ctx *c, const cg_step *a, const cg_step *b)
{
    return amd_op_exists(AMD_V_PERM_B32, c->p->target->gen) && !a->swap && !b->swap &&
           a->size == 2 && b->size == 2 && is_vgpr(a->src) && is_vgpr(b->src) &&
           (a->dst ^ b->dst) == 2 && b->src != a->dst;
}

static void
fill_register(low_ctx *c, const cg_step *a, const cg_step *b)
{
    const cg_step *lo = a->dst & 2 ? b : a, *hi = a->dst & 2 ? a : b;
    uint32_t select = (lo->src & 2 ? 0x0302 : 0x0100) | (hi->src & 2 ? 0x07060000 : 0x05040000);
    ir_ref dst = low_v(lo->dst, 1), low = low_v(lo->src & ~3u, 1), high = low_v(hi->src & ~3u, 1);
    if (low.reg == high.reg && !(lo->src & 2) && hi->src & 2)
        amd_low_1(c, AMD_V_MOV_B32, dst, low);
    else
        amd_low_3(c, AMD_V_PERM_B32, dst, high, low, amd_const(select));
}

/* Constants for both halves of a register that stand near each other become one. */
static void
join_constants(low_ctx *c)
{
    enum { NEAR = 8 };
    for (size_t k = 0; k < c->n_consts; k++) {
        low_const *a = &c->consts[k];
        for (size_t m = k + 1; m < c->n_consts && m <= k + NEAR && a->size == 2; m++) {
            low_const *b = &c->consts[m];
            if (b->size != 2 || (a->dst ^ b->dst) != 2 || a->offset || b->offset)
                continue;
            uint32_t low = a->dst & 2 ? b->src.id : a->src.id, high = a->src.id ^ b->src.id ^ low;
            a->src = amd_const((low & 0xffff) | high << 16);
            a->dst &= 0xfffd;
            a->size = 4;
            b->size = 0;
        }
    }
}

void
amd_low_end_copies(low_ctx *c)
{
    unsigned n;
    const cg_step *steps = cg_sequence(c->seq, &n);
    for (unsigned k = 0; k < n; k++) {
        if (k + 1 < n && is_pair_to_vgprs(c, &steps[k], &steps[k + 1])) {
            move_pair(c, low_v(steps[k].dst, 2), part(steps[k].src, 8));
            k++;
        } else if (k + 1 < n && is_pair_of_vgprs(c, &steps[k], &steps[k + 1])) {
            move_vgpr_pair(c, &steps[k], &steps[k + 1]);
            k++;
        } else if (k + 1 < n && fills_register(c, &steps[k], &steps[k + 1])) {
            fill_register(c, &steps[k], &steps[k + 1]);
            k++;
        } else if (steps[k].swap) {
            swap(c, &steps[k]);
        } else {
            move(c, &steps[k]);
        }
    }
    join_constants(c);
    for (size_t k = 0; k < c->n_consts; k++)
        load_consts(c, c->consts[k].dst, c->consts[k].src, c->consts[k].offset, c->consts[k].size);
}
