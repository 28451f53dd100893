/* Layout tables, the proofs of their consistency, and the field in which each operand is stored. */
#include "amd/isa/table/layout.h"
#include "amd/isa/table/names.h"
#include "base/bits.h"

/* The rows of a layout tile its words: the masks cover every bit, and adding them gives no carry,
 * so no two overlap. LOW is the first two words, HIGH the others. */
#define BITS(bits)                     ((UINT64_C(1) << (bits)) - 1)
#define ADD_LOW(field, pos, bits, at)  +((pos) < 64 ? BITS(bits) << ((pos)&63) : 0)
#define OR_LOW(field, pos, bits, at)   | ((pos) < 64 ? BITS(bits) << ((pos)&63) : 0)
#define ADD_HIGH(field, pos, bits, at) +((pos) < 64 ? 0 : BITS(bits) << ((pos)&63))
#define OR_HIGH(field, pos, bits, at)  | ((pos) < 64 ? 0 : BITS(bits) << ((pos)&63))
#define WORD                           UINT64_C(0xffffffff)
#define WANT_HIGH(words)               ((words) == 4 ? ~UINT64_C(0) : (words) == 3 ? WORD : 0)
#define WANT_LOW(enc, words)                                                                       \
    ((enc) == 0 && (words) == 0 ? WORD << 32 : (words) == 1 ? WORD : ~UINT64_C(0))
#define TILES(name, enc, words)                                                                    \
    _Static_assert((0 AMD_LAYOUT_##name(ADD_LOW)) == WANT_LOW(enc, words),                         \
                   "fields of " #name " overlap");                                                 \
    _Static_assert((0 AMD_LAYOUT_##name(OR_LOW)) == WANT_LOW(enc, words),                          \
                   "fields of " #name " leave a gap");                                             \
    _Static_assert((0 AMD_LAYOUT_##name(ADD_HIGH)) == WANT_HIGH(words),                            \
                   "fields of " #name " overlap");                                                 \
    _Static_assert((0 AMD_LAYOUT_##name(OR_HIGH)) == WANT_HIGH(words),                             \
                   "fields of " #name " leave a gap");
AMD_LAYOUTS(TILES)

#define ROW(f, pos, bits, at)                                                                      \
    {AMD_FIELD_##f, (pos) / 32, (pos) % 32, at, (uint32_t)BITS(bits) << (at)},
#define ROWS(name, enc, words) static const amd_layout_row rows_##name[] = {AMD_LAYOUT_##name(ROW)};
AMD_LAYOUTS(ROWS)

#define LAYOUT(name, enc, words)                                                                   \
    [AMD_L_##name] = {rows_##name, sizeof rows_##name / sizeof *rows_##name, enc, words},
const amd_layout amd_layouts[AMD_L_COUNT] = {AMD_LAYOUTS(LAYOUT)};

/* Rows of AMD_LAYOUTS_BY_GEN; a format without a row has no encoding on any generation. */
#define BY_GEN(fmt, ...) [AMD_##fmt] = {BY_GEN_ROW(__VA_ARGS__)},
#define BY_GEN_ROW(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g10_3, g11, g11_5, g12)            \
    AMD_L_##g6, AMD_L_##g7, AMD_L_##g8, AMD_L_##g9, AMD_L_##g908, AMD_L_##g90a, AMD_L_##g942,      \
        AMD_L_##g950, AMD_L_##g10, AMD_L_##g10_3, AMD_L_##g11, AMD_L_##g11_5, AMD_L_##g12
static const uint8_t by_gen[AMD_FMT_COUNT][AMD_GEN_COUNT] = {AMD_LAYOUTS_BY_GEN(BY_GEN)};

amd_layout_id
amd_layout_of(amd_gen gen, const amd_op_info *row, amd_fmt fmt)
{
    amd_layout_id base = (amd_layout_id)by_gen[fmt][gen];
    if (!row)
        return base;
    /* an instruction with a second destination is VOP3B: its sdst occupies the bits of abs and
     * op_sel */
    if (fmt == AMD_VOP3 && row->operands[1].role == AMD_ROLE_DST)
        return base == AMD_L_VOP3     ? AMD_L_VOP3B
               : base != AMD_L_VOP3_6 ? AMD_L_VOP3B_8
                                      : AMD_L_VOP3B_6;
    if (fmt == AMD_VOP3P && row->operands[0].kind == AMD_K_VACC)
        return row->number[gen] >= AMD_SCALED_NUMBERS ? AMD_L_MAI_SCALE : AMD_L_MAI;
    if (base == AMD_L_VIMAGE && row->number[gen] >= AMD_VSAMPLE_NUMBERS)
        return AMD_L_VSAMPLE;
    return base;
}

amd_layout_id
amd_layout_of_ext(amd_gen gen, amd_fmt fmt, amd_ext ext)
{
    switch (ext) {
    case AMD_EXT_SDWA:
        if (gen == AMD_GFX8)
            return fmt == AMD_VOPC ? AMD_L_SDWA_C_8 : AMD_L_SDWA_8;
        return fmt == AMD_VOPC ? AMD_L_SDWA_C : AMD_L_SDWA;
    case AMD_EXT_DPP8: return AMD_L_DPP8;
    default:
        if (fmt == AMD_VOP3 || fmt == AMD_VOP3P)
            return AMD_L_DPP16_E64;
        return gen >= AMD_GFX10 ? AMD_L_DPP16 : AMD_L_DPP_8;
    }
}

/* The field of a vector ALU instruction's operand. `k` counts the sources that have a field;
 * operands implied by 32-bit encodings have none. */
static amd_field
vop_place(amd_gen gen, const amd_operand *o, unsigned index, amd_fmt fmt, amd_ext ext, unsigned *k)
{
    static const uint8_t sources[] = {AMD_FIELD_SRC0, AMD_FIELD_SRC1, AMD_FIELD_SRC2,
                                      AMD_FIELD_SCALE0, AMD_FIELD_SCALE1};
    bool e64 = fmt == AMD_VOP3 || fmt == AMD_VOP3P || fmt == AMD_VINTERP;
    switch (amd_operand_kind(gen, o)) {
    case AMD_K_EXEC:
    case AMD_K_LIT: return AMD_FIELD_NONE;
    case AMD_K_MASK:
        if (!e64) {
            bool sdwa_dst = gen >= AMD_GFX9 && fmt == AMD_VOPC && ext == AMD_EXT_SDWA &&
                            o->role == AMD_ROLE_DST;
            return sdwa_dst ? AMD_FIELD_SDST : AMD_FIELD_NONE;
        }
        if (o->role == AMD_ROLE_DST)
            return index ? AMD_FIELD_SDST : AMD_FIELD_VDST;
        break;
    default:
        if (o->role != AMD_ROLE_SRC && index == 0)
            return AMD_FIELD_VDST;
    }
    amd_field field = *k < 5 ? sources[*k] : AMD_FIELD_NONE;
    ++*k;
    if (field == AMD_FIELD_SRC0 && ext != AMD_EXT_NONE)
        return AMD_FIELD_XSRC0;
    return field;
}

static amd_field
scalar_place(const amd_operand *o, amd_fmt fmt, unsigned *k)
{
    switch (o->kind) {
    case AMD_K_SDST: return AMD_FIELD_SDST;
    case AMD_K_SREG: return fmt == AMD_SOPK ? AMD_FIELD_SDST : AMD_FIELD_SSRC0;
    case AMD_K_SBAR:
    case AMD_K_SSRC: return (*k)++ ? AMD_FIELD_SSRC1 : AMD_FIELD_SSRC0;
    default: return AMD_FIELD_NONE; /* LIT */
    }
}

static amd_field
memory_place(const amd_operand *o, amd_fmt fmt, unsigned *k)
{
    static const uint8_t exports[] = {AMD_FIELD_VDATA, AMD_FIELD_DATA1, AMD_FIELD_DATA2,
                                      AMD_FIELD_DATA3};
    switch (o->kind) {
    case AMD_K_SDST:
    case AMD_K_SDATA: return AMD_FIELD_SDATA;
    case AMD_K_VGPR:
        return fmt == AMD_VINTRP && o->role == AMD_ROLE_SRC ? AMD_FIELD_SRC0 : AMD_FIELD_VDST;
    case AMD_K_PARAM: return AMD_FIELD_SRC0;
    case AMD_K_SBASE: return AMD_FIELD_SBASE;
    case AMD_K_SOFFSET: return AMD_FIELD_SOFFSET;
    case AMD_K_SADDR: return AMD_FIELD_SADDR;
    case AMD_K_VADDR: return AMD_FIELD_VADDR;
    case AMD_K_VDATA:
    case AMD_K_VDATA0: return AMD_FIELD_VDATA;
    case AMD_K_VDATA1: return AMD_FIELD_DATA1;
    case AMD_K_RSRC: return AMD_FIELD_SRSRC;
    case AMD_K_SAMP: return AMD_FIELD_SSAMP;
    case AMD_K_VEXP: return exports[(*k)++ & 3];
    default: return AMD_FIELD_NONE;
    }
}

void
amd_places_of(amd_gen gen, const amd_op_info *row, amd_fmt fmt, amd_ext ext, amd_places *out)
{
    unsigned n_dst = 0, n_src = 0, k = 0;
    bool vop = (fmt >= AMD_VOP1 && fmt <= AMD_VOP3P) || fmt == AMD_VINTERP;
    bool has_imm = amd_op_shape(row)->n_imm;
    *out = (amd_places){.attr = AMD_FIELD_NONE};
    for (unsigned i = 0; has_imm && i < AMD_MAX_OPERANDS && row->operands[i].role; i++) {
        if (row->operands[i].kind != AMD_K_ATTR)
            continue;
        out->attr = fmt == AMD_VOP3 ? AMD_FIELD_SRC0 : AMD_FIELD_ATTR;
        k = fmt == AMD_VOP3; /* the attribute is in src0, followed by the sources */
    }
    for (unsigned i = 0; i < AMD_MAX_OPERANDS && row->operands[i].role; i++) {
        const amd_operand *o = &row->operands[i];
        if (o->role == AMD_ROLE_IMM)
            continue;
        amd_field field = vop               ? vop_place(gen, o, i, fmt, ext, &k)
                          : fmt <= AMD_SOPP ? scalar_place(o, fmt, &k)
                                            : memory_place(o, fmt, &k);
        if (o->role == AMD_ROLE_SRC)
            out->src[n_src++] = field;
        else
            out->dst[n_dst++] = field;
    }
}

/* The field's width is the layout's. The guides' chapters on memory tell whether it is signed or
 * not fully used: SMEM counts dwords on gfx6 and gfx7 and is signed from gfx9 on; GLOBAL and
 * SCRATCH are always signed, the others on gfx12. */
amd_offsets
amd_offsets_of(amd_gen gen, amd_fmt fmt)
{
    const amd_layout *l = &amd_layouts[by_gen[fmt][gen]];
    uint32_t mask = 0;
    bool gfx12 = gen == AMD_GFX12;
    bool is_signed = fmt == AMD_GLOBAL || fmt == AMD_SCRATCH || (gfx12 && fmt != AMD_DS) ||
                     (fmt == AMD_SMEM && gen >= AMD_GFX9);
    for (unsigned i = 0; i < l->count; i++) {
        if (l->rows[i].field == AMD_FIELD_OFFSET)
            mask = l->rows[i].mask >> l->rows[i].at;
    }
    unsigned bits = base_popcount32(mask);
    if (bits && (is_signed || fmt == AMD_FLAT))
        bits--;
    if (fmt == AMD_SMEM && gen < AMD_GFX8)
        return (amd_offsets){0, 0xff * 4};
    return (amd_offsets){is_signed ? -(INT32_C(1) << bits) : 0, (INT32_C(1) << bits) - 1};
}

bool
amd_scalar_valid(amd_gen gen, unsigned code, unsigned count)
{
    unsigned align = count == 1 ? 1 : count == 2 ? 2 : 4;
    unsigned sgprs = amd_sgpr_count(gen);
    if (code == AMD_REG_NULL)
        return gen >= AMD_GFX10;
    if (code % align)
        return false;
    if (code < sgprs)
        return code + count <= sgprs + (gen >= AMD_GFX10 ? 2 : 0); /* behind s105 is vcc */
    if (code >= amd_ttmp_first(gen) && code < AMD_REG_M0)
        return code + count <= AMD_REG_M0;
    return code < 128 && amd_register_name(gen, code, count);
}

bool
amd_constant_valid(amd_gen gen, unsigned code)
{
    if (code == AMD_SRC_F_INV_2PI)
        return gen >= AMD_GFX8;
    return (code >= 128 && code <= 208) || (code >= AMD_SRC_F_0_5 && code < AMD_SRC_F_INV_2PI) ||
           (code >= 128 && code != AMD_SRC_LDS_DIRECT && amd_register_name(gen, code, 0));
}

void
amd_exchange_null(amd_gen gen, amd_fmt fmt, amd_raw *raw)
{
    static const uint8_t fields[] = {
        AMD_FIELD_SDST, AMD_FIELD_SSRC0, AMD_FIELD_SSRC1, AMD_FIELD_SRC0,    AMD_FIELD_SRC1,
        AMD_FIELD_SRC2, AMD_FIELD_SRC0Y, AMD_FIELD_SDATA, AMD_FIELD_SOFFSET, AMD_FIELD_SADDR};
    bool vector_src1 = fmt == AMD_VOP2 || fmt == AMD_VOPC || fmt == AMD_VOPD;
    if (gen < AMD_GFX11)
        return;
    for (unsigned i = 0; i < sizeof fields; i++) {
        uint32_t *f = &raw->f[fields[i]];
        if (*f >> 1 == AMD_REG_M0 >> 1 && !(vector_src1 && fields[i] == AMD_FIELD_SRC1))
            *f ^= 1;
    }
}
