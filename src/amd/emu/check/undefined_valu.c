/* The undefined checker's rules for vector ALU instructions, per byte and lane.
 *
 * A result is undefined in a lane if a source is. Bitwise instructions work byte by byte; sums and
 * products of integers are undefined from the lowest undefined byte upwards; a select considers
 * only the selected value; shifts by whole bytes and v_perm move bytes. Other instructions that
 * extract a field from a source (bfe, shifts ...) treat it as undefined only if all its bytes are:
 * a byte packed into a register whose other bytes are garbage must not be reported. A dot product
 * of bytes does not depend on those that it multiplies by 0.
 */
#include "amd/emu/alu/lane.h"
#include "amd/emu/alu/valu.h"
#include "amd/emu/alu/valu_fast.h"
#include "amd/emu/check/undefined.h"
#include "amd/emu/core/operand.h"

/* Lanes where each byte of a dword is undefined. */
typedef struct lanes {
    uint64_t b[4];
} lanes;

static uint64_t
any(lanes u)
{
    return u.b[0] | u.b[1] | u.b[2] | u.b[3];
}

static lanes
all_bytes(uint64_t u)
{
    return (lanes){{u, u, u, u}};
}

static lanes
merge(lanes x, lanes y)
{
    for (uint32_t k = 0; k < 4; k++)
        x.b[k] |= y.b[k];
    return x;
}

/* The dword in operand `code`. */
static lanes
source(const emu_wave *w, uint32_t code)
{
    lanes u = {{0}};
    bool vector = code >= AMD_REG_VGPR0 && code < AMD_REG_VGPR0 + EMU_MAX_VGPRS;
    if (vector)
        memcpy(u.b, w->shadow->v[code - AMD_REG_VGPR0], sizeof u.b);
    uint64_t bits = vector ? 0 : amd_emu_shadow_bits(w, code, false);
    for (uint32_t k = 0; bits && k < 4; k++)
        u.b[k] = bits >> (8 * k) & 255 ? UINT64_MAX : 0;
    return u;
}

/* The shadow `from` of a source after DPP. */
static lanes
permuted(const emu_wave *w, const amd_inst *in, lanes from)
{
    lanes u = {{0}};
    for (uint32_t l = 0; l < w->lanes; l++) {
        int lane = amd_emu_dpp_lane(in, l);
        if (lane < 0 || !(in->fi || (amd_emu_exec(w) >> lane & 1)))
            continue;
        for (uint32_t k = 0; k < 4; k++)
            u.b[k] |= (from.b[k] >> lane & 1) << l;
    }
    return u;
}

/* The field that an SDWA select extracts; the bytes above are a sign- or zero-extension. */
static lanes
selected(lanes u, uint32_t select, bool sext)
{
    uint32_t first = select < 4 ? select : (select - 4) * 2, n = select < 4 ? 1 : 2;
    lanes r = {{0}};
    if (select >= 6)
        return u;
    for (uint32_t k = 0; k < 4; k++)
        r.b[k] = k < n ? u.b[first + k] : sext ? u.b[first + n - 1] : 0;
    return r;
}

/* Source `s` as the instruction sees it: `dwords` registers merged, DPP, SDWA and op_sel applied;
 * the upper bytes of 16-bit sources are 0. */
static lanes
taken(const emu_wave *w, const emu_inst *i, uint32_t s, uint32_t dwords, bool half)
{
    const amd_inst *in = &i->in;
    uint32_t code = in->src[s];
    lanes u = source(w, code);
    for (uint32_t k = 1; k < dwords && (code < EMU_SREGS || code >= AMD_REG_VGPR0); k++)
        u = merge(u, source(w, code + k));
    if (in->ext == AMD_EXT_SDWA && s < 2)
        u = selected(u, s ? in->src1_sel : in->src0_sel, in->sext >> s & 1);
    else if ((in->ext == AMD_EXT_DPP16 || in->ext == AMD_EXT_DPP8) && s == 0)
        u = permuted(w, in, u);
    if (half && (in->op_sel >> s & 1))
        u = (lanes){{u.b[2], u.b[3], 0, 0}};
    else if (half)
        u.b[2] = u.b[3] = 0;
    return u;
}

/* Does each result byte depend only on the same byte of each source? */
static bool
is_bitwise(uint32_t op)
{
    switch (op) {
    case AMD_V_MOV_B32:
    case AMD_V_CNDMASK_B32:
    case AMD_V_NOT_B32:
    case AMD_V_AND_B32:
    case AMD_V_OR_B32:
    case AMD_V_XOR_B32:
    case AMD_V_XNOR_B32:
    case AMD_V_BFI_B32:
    case AMD_V_XOR3_B32:
    case AMD_V_AND_OR_B32:
    case AMD_V_OR3_B32:
    case AMD_V_BITOP3_B32:
    case AMD_V_BITOP3_B16: return true;
    default: return false;
    }
}

/* Does the instruction extract a field from its sources? */
static bool
takes_field(uint32_t op)
{
    switch (op) {
    case AMD_V_BFE_U32:
    case AMD_V_BFE_I32:
    case AMD_V_LSHRREV_B32:
    case AMD_V_ASHRREV_I32:
    case AMD_V_LSHLREV_B32:
    case AMD_V_LSHR_B32:
    case AMD_V_ASHR_I32:
    case AMD_V_LSHL_B32:
    case AMD_V_LSHRREV_B16:
    case AMD_V_LSHLREV_B16:
    case AMD_V_ASHRREV_I16:
    case AMD_V_LSHL_OR_B32:
    case AMD_V_ALIGNBIT_B32:
    case AMD_V_ALIGNBYTE_B32:
    case AMD_V_PERM_B32:
    case AMD_V_CVT_F32_UBYTE0:
    case AMD_V_CVT_F32_UBYTE1:
    case AMD_V_CVT_F32_UBYTE2:
    case AMD_V_CVT_F32_UBYTE3:
    case AMD_V_CVT_PK_U8_F32:
    case AMD_V_MUL_U32_U24:
    case AMD_V_MUL_I32_I24:
    case AMD_V_MAD_U32_U24:
    case AMD_V_MAD_I32_I24: return true;
    default: return false;
    }
}

/* Whole sums, differences and products: a result byte depends on the source bytes up to it. clang
 * does byte arithmetic in registers whose other bytes are garbage. */
static bool
carries_up(const amd_inst *in)
{
    switch (in->op) {
    case AMD_V_ADD_CO_U32:
    case AMD_V_ADD_NC_U32:
    case AMD_V_ADD_NC_I32:
    case AMD_V_ADD_NC_U16:
    case AMD_V_ADD_NC_I16:
    case AMD_V_ADD3_U32:
    case AMD_V_SUB_CO_U32:
    case AMD_V_SUB_NC_U32:
    case AMD_V_SUB_NC_I32:
    case AMD_V_SUB_NC_U16:
    case AMD_V_SUB_NC_I16:
    case AMD_V_SUBREV_CO_U32:
    case AMD_V_SUBREV_NC_U32:
    case AMD_V_SUBREV_U16:
    case AMD_V_MUL_LO_U32:
    case AMD_V_MUL_LO_I32:
    case AMD_V_MUL_LO_U16:
    case AMD_V_MAD_U16:
    case AMD_V_MAD_I16:
    case AMD_V_MAD_LEGACY_U16:
    case AMD_V_MAD_LEGACY_I16: return !in->clamp;
    default: return false;
    }
}

static bool
is_constant(uint32_t code)
{
    return code >= EMU_SREGS && code < AMD_REG_VGPR0;
}

/* Shifts by a constant number of whole bytes, and v_perm with a constant: sets `out` to the
 * result. */
static void
moves_bytes(const emu_wave *w, const emu_inst *i, lanes *out)
{
    const amd_inst *in = &i->in;
    bool first = in->op == AMD_V_LSHL_B32 || in->op == AMD_V_LSHR_B32; /* the value is the first
                                                                          operand */
    bool left = in->op == AMD_V_LSHLREV_B32 || in->op == AMD_V_LSHL_B32;
    bool right = in->op == AMD_V_LSHRREV_B32 || in->op == AMD_V_LSHR_B32;
    uint32_t amount = in->src[first];
    bool left16 = in->op == AMD_V_LSHLREV_B16, right16 = in->op == AMD_V_LSHRREV_B16;
    if ((left || right || left16 || right16) && is_constant(amount) && !in->ext) {
        uint32_t n = left16 || right16 ? 2 : 4, by = amd_emu_read_s32(w, in, amount) & (8 * n - 1);
        lanes u = taken(w, i, !first, 1, n == 2);
        if (by % 8)
            return;
        for (uint32_t k = 0; k < 4; k++) {
            int from = left || left16 ? (int)(k - by / 8) : (int)(k + by / 8);
            out->b[k] = from >= 0 && from < (int)n && k < n ? u.b[from] : 0;
        }
    }
    if (in->op == AMD_V_PERM_B32 && (is_constant(in->src[2]) || in->src[2] < EMU_SREGS)) {
        uint32_t select = amd_emu_read_s32(w, in, in->src[2]);
        lanes high = taken(w, i, 0, 1, false), low = taken(w, i, 1, 1, false);
        for (uint32_t k = 0; k < 4; k++, select >>= 8) {
            uint32_t from = select & 255;
            if (from >= 8 && from < 12)
                from = (from - 8) * 2 + 1;
            out->b[k] = from < 4 ? low.b[from] : from < 8 ? high.b[from - 4] : 0;
        }
    }
}

/* The undefined bytes of source `s`, without those that a mask (the other source) sets to 0. */
static lanes
masked(const emu_wave *w, const emu_inst *i, uint32_t s, lanes u)
{
    bool masks = i->in.op == AMD_V_AND_B32 || i->in.op == AMD_V_AND_OR_B32;
    uint32_t mask = i->in.src[s ^ 1];
    if (!masks || s > 1 || i->in.ext == AMD_EXT_SDWA || mask >= AMD_REG_VGPR0 ||
        amd_emu_shadow_bits(w, mask, false))
        return u;
    uint32_t v = amd_emu_read_s32(w, &i->in, mask);
    for (uint32_t k = 0; k < 4; k++)
        if (!(v >> (8 * k) & 255))
            u.b[k] = 0;
    return u;
}

static uint64_t
mask_lanes(const emu_wave *w, uint32_t code)
{
    return amd_emu_shadow_bits(w, code, w->lanes > 32) & w->all_lanes;
}

static void
set_bytes(emu_wave *w, uint32_t reg, uint32_t first, uint32_t n, uint64_t write, lanes u)
{
    for (uint32_t k = 0; k < n; k++)
        amd_emu_shadow_set(w, reg, 1u << (first + k), write, u.b[k]);
}

static void
set_result(emu_wave *w, const emu_inst *i, lanes u, uint32_t dwords, bool half)
{
    const amd_inst *in = &i->in;
    uint64_t write = in->ext ? amd_emu_dpp_write(w, in) : amd_emu_exec(w);
    uint32_t reg = in->dst[0] - AMD_REG_VGPR0;
    if (in->ext == AMD_EXT_SDWA && in->dst_sel < 6 && dwords == 1) {
        uint32_t first = in->dst_sel < 4 ? in->dst_sel : (in->dst_sel - 4u) * 2,
                 n = in->dst_sel < 4 ? 1 : 2;
        if (in->dst_unused != 2)
            amd_emu_shadow_set(w, reg, EMU_BYTES_ALL, write, 0);
        set_bytes(w, reg, first, n, write, u);
    } else if (amd_emu_scale_bits(i) && amd_emu_scale_bits(i) < 32) {
        uint32_t n = amd_emu_scale_bits(i) / 8;
        set_bytes(w, reg, n == 2 ? (in->op_sel >> 3 & 1) * 2 : in->op_sel >> 2 & 3, n, write, u);
    } else if (half && in->ext != AMD_EXT_SDWA) {
        bool row = i->run == amd_emu_run_valu || i->run == amd_emu_run_plain ||
                   i->general == amd_emu_run_valu;
        if (row && !amd_emu_keeps_half(w, i, i->op))
            amd_emu_shadow_set(w, reg, EMU_BYTES_HIGH, write, 0);
        set_bytes(w, reg, in->op_sel & 8 ? 2 : 0, 2, write, u);
    } else {
        for (uint32_t k = 0; k < dwords; k++)
            set_bytes(w, reg + k, 0, 4, write, u);
    }
}

/* Combines the shadows of an operation's sources, depending on its kind. */
static lanes
sources(const emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    lanes sum = {{0}};
    for (unsigned s = 0; s < in->n_src; s++) {
        const amd_operand *o = amd_op_src(i->row, s);
        if (!o)
            continue;
        if (o->type == AMD_T_MASK) {
            sum = merge(sum, all_bytes(mask_lanes(w, in->src[s])));
            continue;
        }
        unsigned bits = amd_type_bits((amd_type)o->type, false);
        lanes u = masked(w, i, s, taken(w, i, s, (bits + 31) / 32, bits == 16));
        if (takes_field(in->op))
            u = all_bytes(bits == 16 ? u.b[0] & u.b[1] : u.b[0] & u.b[1] & u.b[2] & u.b[3]);
        else if (carries_up(in))
            for (uint32_t k = 1; k < 4; k++)
                u.b[k] |= u.b[k - 1];
        else if (!is_bitwise(in->op))
            u = all_bytes(any(u));
        if (in->op == AMD_V_CNDMASK_B32) {
            uint64_t chosen = amd_emu_read_s64(w, in, in->src[2]);
            for (uint32_t k = 0; k < 4; k++)
                u.b[k] &= s ? chosen : ~chosen;
        }
        sum = merge(sum, u);
    }
    if (i->row->flags & AMD_F_VCC_R)
        sum = merge(sum, all_bytes(mask_lanes(w, AMD_REG_VCC_LO)));
    return sum;
}

/* The low word of a wide sum or left shift does not depend on the high word of the operand, which
 * compilers may leave undefined. */
static bool
has_low_word(const emu_wave *w, const emu_inst *i, lanes *low)
{
    const amd_inst *in = &i->in;
    bool sum = in->op == AMD_V_MAD_U64_U32 || in->op == AMD_V_MAD_I64_I32;
    if (!sum && in->op != AMD_V_LSHLREV_B64 && in->op != AMD_V_LSHL_B64)
        return false;
    uint64_t u = 0;
    for (unsigned s = 0; s < in->n_src; s++)
        u |= any(source(w, in->src[s]));
    *low = all_bytes(u);
    return true;
}

/* V_MOV_B64: each half is that of the source. */
static bool
moves_pair(const emu_wave *w, const emu_inst *i, lanes *low, lanes *high)
{
    const amd_inst *in = &i->in;
    if (in->op != AMD_V_MOV_B64 || is_constant(in->src[0]))
        return false;
    *low = source(w, in->src[0]);
    *high = source(w, in->src[0] + 1u);
    if (in->ext == AMD_EXT_DPP16 || in->ext == AMD_EXT_DPP8) {
        *low = permuted(w, in, *low);
        *high = permuted(w, in, *high);
    }
    return true;
}

/* Shifts of 64 bits by an amount that is the same for all lanes: each result byte depends on the
 * bytes that are shifted into it. clang extracts single bytes of register pairs this way, and also
 * a pointer's high word above a low word that it never wrote; a shift by 0 copies a pair. */
static bool
shifts_wide(const emu_wave *w, const emu_inst *i, lanes *low, lanes *high)
{
    const amd_inst *in = &i->in;
    bool first = in->op == AMD_V_LSHL_B64 || in->op == AMD_V_LSHR_B64 ||
                 in->op == AMD_V_ASHR_I64; /* the value is the first operand */
    bool left = in->op == AMD_V_LSHLREV_B64 || in->op == AMD_V_LSHL_B64;
    bool sign = in->op == AMD_V_ASHRREV_I64 || in->op == AMD_V_ASHR_I64;
    uint32_t value = in->src[!first], amount = in->src[first];
    if ((!left && !sign && in->op != AMD_V_LSHRREV_B64 && in->op != AMD_V_LSHR_B64) ||
        amount >= AMD_REG_VGPR0 || is_constant(value) || amd_emu_shadow_bits(w, amount, false))
        return false;
    lanes from[2] = {source(w, value), source(w, value + 1u)};
    int by = (int)(amd_emu_read_s32(w, in, amount) & 63);
    for (int k = 0; k < 8; k++) {
        uint64_t u = 0;
        for (int bit = 8 * k; bit < 8 * k + 8; bit += 7) { /* the byte's first and last bit */
            int at = left ? bit - by : bit + by;
            at = sign && at > 63 ? 63 : at;
            u |= at >= 0 && at < 64 ? from[at / 32].b[at % 32 / 8] : 0;
        }
        *(k < 4 ? &low->b[k] : &high->b[k - 4]) = u;
    }
    return true;
}

/* The undefined lanes of a second result, a mask. gfx6's v_div_scale_f64 does not set it correctly
 * (LLVM 19, hasUsableDivScaleConditionOutput). */
static uint64_t
second_mask(const emu_wave *w, const emu_inst *i, lanes u)
{
    bool unusable = i->in.op == AMD_V_DIV_SCALE_F64 && w->m->d->gen == AMD_GFX6;
    return (unusable ? UINT64_MAX : any(u)) & amd_emu_exec(w);
}

/* Computes the shadow of an operation of valu_*.c. */
static void
valu(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    const amd_operand *dst = amd_op_dst(i->row, 0);
    if (!dst)
        return;
    lanes u = sources(w, i);
    if (dst->type == AMD_T_MASK) {
        amd_emu_shadow_set_scalar(w, in->dst[0], w->lanes > 32, any(u) & amd_emu_exec(w));
        return;
    }
    if (in->dst[0] < AMD_REG_VGPR0) { /* V_S_* */
        amd_emu_shadow_set_scalar(w, in->dst[0], false, any(u) ? UINT64_MAX : 0);
        return;
    }
    unsigned bits = amd_type_bits((amd_type)dst->type, false);
    if (dst->role == AMD_ROLE_BOTH) {
        lanes old = source(w, in->dst[0]);
        bool high = in->op_sel & 8;
        u = merge(u, all_bytes(bits != 16 ? any(old)
                               : high     ? old.b[2] | old.b[3]
                                          : old.b[0] | old.b[1]));
    }
    if (in->op == AMD_V_PACK_B32_F16) {
        lanes low = taken(w, i, 0, 1, true), high = taken(w, i, 1, 1, true);
        u = (lanes){{low.b[0], low.b[1], high.b[0], high.b[1]}};
    }
    moves_bytes(w, i, &u);
    amd_emu_shadow_exchange(w, i, u.b);
    lanes low = {{0}};
    bool has_low = moves_pair(w, i, &low, &u) || shifts_wide(w, i, &low, &u) ||
                   has_low_word(w, i, &low);
    set_result(w, i, u, (bits + 31) / 32, bits == 16);
    if (has_low)
        set_result(w, i, low, 1, false);
    if (in->n_dst > 1)
        amd_emu_shadow_set_scalar(w, in->dst[1], w->lanes > 32, second_mask(w, i, u));
}

/* Pairs of dwords: op_sel and op_sel_hi choose the dword of each source; V_PK_MOV_B32 takes one
 * from each. */
static void
packed_wide(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    uint64_t undefined[2] = {0, 0};
    for (uint32_t s = 0; s < in->n_src; s++)
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t code = in->src[s];
            bool is_register = code < EMU_SREGS || code >= AMD_REG_VGPR0;
            bool move = in->op == AMD_V_PK_MOV_B32;
            uint32_t select = k && !move ? in->op_sel_hi : in->op_sel;
            if (is_register && (!move || s == k))
                undefined[k] |= any(source(w, code + (select >> s & 1)));
        }
    for (uint32_t k = 0; k < 2; k++)
        amd_emu_shadow_set(w, in->dst[0] - AMD_REG_VGPR0 + k, EMU_BYTES_ALL, amd_emu_exec(w),
                           undefined[k]);
}

static bool
is_dot_of_bytes(const amd_inst *in)
{
    switch (in->op) {
    case AMD_V_DOT4_I32_I8:
    case AMD_V_DOT4_U32_U8:
    case AMD_V_DOT4_I32_IU8:
    case AMD_V_DOT8_I32_I4:
    case AMD_V_DOT8_U32_U4:
    case AMD_V_DOT8_I32_IU4: return !in->ext;
    default: return false;
    }
}

/* The undefined bytes of factor `s`, without those that the other factor multiplies by 0. RADV adds
 * the counts of the waves before this one so, from a dword of LDS of which a group with fewer waves
 * than bytes writes some. */
static lanes
multiplied(emu_wave *w, const emu_inst *i, uint32_t s, lanes u)
{
    emu_row room;
    uint32_t code = i->in.src[!s];
    lanes other = source(w, code);
    const uint32_t *v = amd_emu_source_row(w, i, code, EMU_T_U32, 0, &room);
    for (uint32_t k = 0; k < 4; k++) {
        uint64_t zero = 0;
        for (uint32_t l = 0; l < w->lanes; l++)
            zero |= (uint64_t) !(v[l] >> (8 * k) & 255) << l;
        u.b[k] &= ~(zero & ~other.b[k]);
    }
    return u;
}

/* Packed operations use halves selected by op_sel; dot products and mixes use everything they
 * read. */
static void
packed(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    const amd_operand *dst = amd_op_dst(i->row, 0);
    bool mix_high = in->op == AMD_V_FMA_MIXHI_F16 || in->op == AMD_V_MAD_MIXHI_F16;
    bool mix_half = in->op == AMD_V_FMA_MIXLO_F16 || in->op == AMD_V_MAD_MIXLO_F16 || mix_high;
    bool mix = i->row->flags & AMD_F_MIX;
    if (amd_type_bits((amd_type)dst->type, true) == 64) {
        packed_wide(w, i);
        return;
    }
    bool pairs = dst->type == AMD_T_V2F16 || dst->type == AMD_T_V2I16 || dst->type == AMD_T_V2U16;
    uint64_t low = 0, high = 0;
    for (unsigned s = 0; s < in->n_src; s++) {
        lanes u = source(w, in->src[s]);
        if (s == 0 && (in->ext == AMD_EXT_DPP16 || in->ext == AMD_EXT_DPP8))
            u = permuted(w, in, u);
        if (s < 2 && is_dot_of_bytes(in))
            u = multiplied(w, i, s, u);
        uint64_t half[2] = {u.b[0] | u.b[1], u.b[2] | u.b[3]}, either = half[0] | half[1];
        if (mix && (in->op_sel_hi >> s & 1))
            either = half[in->op_sel >> s & 1];
        low |= pairs ? half[in->op_sel >> s & 1] : either;
        high |= pairs ? half[in->op_sel_hi >> s & 1] : either;
    }
    uint32_t reg = in->dst[0] - AMD_REG_VGPR0;
    if (mix_half) {
        amd_emu_shadow_set(w, reg, mix_high ? EMU_BYTES_HIGH : EMU_BYTES_LOW, amd_emu_exec(w), low);
        return;
    }
    amd_emu_shadow_set(w, reg, EMU_BYTES_LOW, amd_emu_exec(w), low);
    amd_emu_shadow_set(w, reg, EMU_BYTES_HIGH, amd_emu_exec(w), high);
}

static void
read_lane(emu_wave *w, const emu_inst *i, uint32_t lane)
{
    lanes u = source(w, i->in.src[0]);
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 4; k++)
        bits |= u.b[k] >> lane & 1 ? 255u << (8 * k) : 0;
    amd_emu_shadow_set_scalar(w, i->in.dst[0], false, bits);
}

/* A VGPR's shadow has bytes where the scalar's has bits: a byte is undefined if all its bits are,
 * so that a wave mask spilled to a lane and reloaded causes no false findings. */
static void
write_lane(emu_wave *w, const emu_inst *i)
{
    uint32_t lane = amd_emu_read_s32(w, &i->in, i->in.src[1]) & (w->lanes - 1);
    uint64_t bits = amd_emu_shadow_bits(w, i->in.src[0], false);
    lanes u = {{0}};
    for (uint32_t k = 0; k < 4; k++)
        u.b[k] = (bits >> (8 * k) & 255) == 255 ? UINT64_MAX : 0;
    set_bytes(w, i->in.dst[0] - AMD_REG_VGPR0, 0, 4, UINT64_C(1) << lane, u);
}

static void
permlane(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    bool vary = in->op == AMD_V_PERMLANE16_VAR_B32 || in->op == AMD_V_PERMLANEX16_VAR_B32;
    lanes u = source(w, in->src[0]), d = {{0}};
    uint64_t exec = amd_emu_exec(w), write = exec, chosen = vary ? any(source(w, in->src[1])) : 0;
    for (uint32_t l = 0; l < w->lanes; l++) {
        uint32_t from = amd_emu_permlane_source(w, in, l);
        bool valid = in->op_sel & 1 || (exec >> from & 1);
        for (uint32_t k = 0; valid && k < 4; k++)
            d.b[k] |= (u.b[k] >> from & 1) << l;
        if (!valid && !(in->op_sel & 2))
            write &= ~(UINT64_C(1) << l);
    }
    set_bytes(w, in->dst[0] - AMD_REG_VGPR0, 0, 4, write, merge(d, all_bytes(chosen)));
}

static void
permlane64(emu_wave *w, const emu_inst *i)
{
    lanes u = source(w, i->in.src[0]);
    for (uint32_t k = 0; k < 4; k++)
        u.b[k] = u.b[k] >> 32 | u.b[k] << 32;
    if (w->lanes > 32)
        set_bytes(w, i->in.dst[0] - AMD_REG_VGPR0, 0, 4, amd_emu_exec(w), u);
}

/* Registers indexed by m0: m0 must be defined; the values are copied. */
static void
movrel(emu_wave *w, const emu_inst *i)
{
    emu_inst move;
    amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "register index");
    amd_emu_movrel_move(w, i, &move);
    valu(w, &move);
}

static void
swap(emu_wave *w, const emu_inst *i)
{
    uint32_t reg[2];
    if (i->in.op == AMD_V_SWAPREL_B32)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "register index");
    amd_emu_swap_registers(w, &i->in, reg);
    lanes a = source(w, AMD_REG_VGPR0 + reg[0]), b = source(w, AMD_REG_VGPR0 + reg[1]);
    set_bytes(w, reg[0], 0, 4, amd_emu_exec(w), b);
    set_bytes(w, reg[1], 0, 4, amd_emu_exec(w), a);
}

static void
swap_halves(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    lanes was[2];
    for (unsigned k = 0; k < 2; k++)
        was[k] = source(w, in->dst[k]);
    for (unsigned k = 0; k < 2; k++) {
        unsigned to = amd_emu_swapped_half(in, k) / 8, from = amd_emu_swapped_half(in, !k) / 8;
        lanes u = {{was[!k].b[from], was[!k].b[from + 1]}};
        set_bytes(w, in->dst[k] - AMD_REG_VGPR0, to, 2, amd_emu_exec(w), u);
    }
}

static void
permlane_swap(emu_wave *w, const emu_inst *i)
{
    const amd_inst *in = &i->in;
    uint64_t exec = amd_emu_exec(w), write[2] = {exec, exec};
    lanes d[2] = {{{0}}, {{0}}}, from[2] = {source(w, in->dst[0]), source(w, in->dst[1])};
    for (uint32_t r = 0; r < 2; r++) {
        for (uint32_t l = 0; l < w->lanes; l++) {
            uint32_t other = amd_emu_swapped_lane(in, l, r);
            bool valid = in->fi || (exec >> other & 1);
            const lanes *u = &from[other == l ? r : !r];
            for (uint32_t k = 0; valid && k < 4; k++)
                d[r].b[k] |= (u->b[k] >> other & 1) << l;
            if (!valid && !in->bound_ctrl)
                write[r] &= ~(UINT64_C(1) << l);
        }
    }
    for (uint32_t r = 0; r < 2; r++)
        set_bytes(w, in->dst[r] - AMD_REG_VGPR0, 0, 4, write[r], d[r]);
}

void
amd_emu_shadow_vector(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = amd_emu_exec(w);
    bool matrix = i->row->operands[0].kind == AMD_K_VACC ||
                  amd_type_is_matrix((amd_type)i->row->operands[0].type) ||
                  i->row->operands[0].kind == AMD_K_AGPR || i->row->operands[1].kind == AMD_K_AGPR;
    if (matrix)
        return; /* mfma.c and wmma.c do this */
    if (i->in.fmt == AMD_VOP3P) {
        packed(w, i);
        return;
    }
    switch (i->in.op) {
    case AMD_V_READFIRSTLANE_B32: read_lane(w, i, exec ? base_ctz64(exec) : 0); break;
    case AMD_V_READLANE_B32:
        read_lane(w, i, amd_emu_read_s32(w, &i->in, i->in.src[1]) & (w->lanes - 1));
        break;
    case AMD_V_WRITELANE_B32: write_lane(w, i); break;
    case AMD_V_PERMLANE16_B32:
    case AMD_V_PERMLANEX16_B32:
    case AMD_V_PERMLANE16_VAR_B32:
    case AMD_V_PERMLANEX16_VAR_B32: permlane(w, i); break;
    case AMD_V_PERMLANE64_B32: permlane64(w, i); break;
    case AMD_V_MOVRELD_B32:
    case AMD_V_MOVRELS_B32:
    case AMD_V_MOVRELSD_B32:
    case AMD_V_MOVRELSD_2_B32: movrel(w, i); break;
    case AMD_V_PERMLANE16_SWAP_B32:
    case AMD_V_PERMLANE32_SWAP_B32: permlane_swap(w, i); break;
    case AMD_V_SWAP_B32:
    case AMD_V_SWAPREL_B32: swap(w, i); break;
    case AMD_V_SWAP_B16: swap_halves(w, i); break;
    default: valu(w, i); break;
    }
}

/* The second half's shadow is computed first if the second half reads the first one's result. If
 * each reads the other's result, the first half then sees the new shadow. */
void
amd_emu_shadow_dual(emu_wave *w, const emu_inst *i)
{
    bool second = amd_emu_reads(&i->halves[1], i->halves[0].in.dst[0]);
    amd_emu_shadow_vector(w, &i->halves[second]);
    amd_emu_shadow_vector(w, &i->halves[!second]);
}
