/* Layout tables, their proofs, and which field an operand is stored in. */
#include "amd/isa/layout.h"

#define MASK(pos, bits) (((UINT64_C(1) << (bits)) - 1) << (pos))

/* The rows of a layout tile its words: the masks cover every bit, and their sum has no carry, so
 * that no two overlap. */
#define ADD_MASK(field, pos, bits, at) +MASK(pos, bits)
#define OR_MASK(field, pos, bits, at)  | MASK(pos, bits)
#define WORDS_1                        UINT64_C(0xffffffff)
#define WORDS_2                        UINT64_C(0xffffffffffffffff)
#define EXTENSION_1                    UINT64_C(0xffffffff00000000)
#define TILES(name, want)                                                                          \
    _Static_assert((0 AMD_LAYOUT_##name(ADD_MASK)) == (want), "fields of " #name " overlap");      \
    _Static_assert((0 AMD_LAYOUT_##name(OR_MASK)) == (want), "fields of " #name " leave a gap");
TILES(SOP1, WORDS_1)
TILES(SOP2, WORDS_1)
TILES(SOPK, WORDS_1)
TILES(SOPC, WORDS_1)
TILES(SOPP, WORDS_1)
TILES(SMEM, WORDS_2)
TILES(VOP1, WORDS_1)
TILES(VOP2, WORDS_1)
TILES(VOPC, WORDS_1)
TILES(VOP3, WORDS_2)
TILES(VOP3B, WORDS_2)
TILES(VOP3P, WORDS_2)
TILES(VINTRP, WORDS_1)
TILES(DS, WORDS_2)
TILES(MUBUF, WORDS_2)
TILES(MTBUF, WORDS_2)
TILES(MIMG, WORDS_2)
TILES(FLAT, WORDS_2)
TILES(EXP, WORDS_2)
TILES(SDWA, EXTENSION_1)
TILES(SDWA_C, EXTENSION_1)
TILES(DPP16, EXTENSION_1)
TILES(DPP8, EXTENSION_1)

#define ROW(field, pos, bits, at) {AMD_FIELD_##field, pos, bits, at},
#define ROWS(name, enc, words)    static const amd_layout_row rows_##name[] = {AMD_LAYOUT_##name(ROW)};
AMD_LAYOUTS(ROWS)

#define LAYOUT(name, enc, words)                                                                   \
    [AMD_L_##name] = {rows_##name, sizeof rows_##name / sizeof *rows_##name, enc, words},
const amd_layout amd_layouts[AMD_L_COUNT] = {AMD_LAYOUTS(LAYOUT)};

amd_layout_id
amd_layout_of(const amd_op_info *row, amd_fmt fmt)
{
    static const uint8_t by_fmt[AMD_FMT_COUNT] = {
        [AMD_SOP1] = AMD_L_SOP1,    [AMD_SOP2] = AMD_L_SOP2,   [AMD_SOPK] = AMD_L_SOPK,
        [AMD_SOPC] = AMD_L_SOPC,    [AMD_SOPP] = AMD_L_SOPP,   [AMD_SMEM] = AMD_L_SMEM,
        [AMD_VOP1] = AMD_L_VOP1,    [AMD_VOP2] = AMD_L_VOP2,   [AMD_VOPC] = AMD_L_VOPC,
        [AMD_VOP3] = AMD_L_VOP3,    [AMD_VOP3P] = AMD_L_VOP3P, [AMD_VINTRP] = AMD_L_VINTRP,
        [AMD_DS] = AMD_L_DS,        [AMD_MUBUF] = AMD_L_MUBUF, [AMD_MTBUF] = AMD_L_MTBUF,
        [AMD_MIMG] = AMD_L_MIMG,    [AMD_FLAT] = AMD_L_FLAT,   [AMD_GLOBAL] = AMD_L_FLAT,
        [AMD_SCRATCH] = AMD_L_FLAT, [AMD_EXP] = AMD_L_EXP,
    };
    /* A second destination makes it VOP3B: its sdst lies over abs and op_sel. */
    if (fmt == AMD_VOP3 && row->operands[1].role == AMD_ROLE_DST)
        return AMD_L_VOP3B;
    return by_fmt[fmt];
}

amd_layout_id
amd_layout_of_ext(amd_fmt fmt, amd_ext ext)
{
    switch (ext) {
    case AMD_EXT_SDWA: return fmt == AMD_VOPC ? AMD_L_SDWA_C : AMD_L_SDWA;
    case AMD_EXT_DPP8: return AMD_L_DPP8;
    default: return AMD_L_DPP16;
    }
}

/* Fields of a vector ALU instruction's operand. `k` counts the sources that have a field; operands
 * that the 32-bit encodings imply have none. */
static amd_field
vop_place(const amd_operand *o, unsigned index, amd_fmt fmt, amd_ext ext, unsigned *k)
{
    static const uint8_t sources[] = {AMD_FIELD_SRC0, AMD_FIELD_SRC1, AMD_FIELD_SRC2};
    bool e64 = fmt == AMD_VOP3 || fmt == AMD_VOP3P;
    switch (o->kind) {
    case AMD_K_EXEC:
    case AMD_K_LIT: return AMD_FIELD_NONE;
    case AMD_K_MASK:
        if (!e64) {
            bool sdwa_dst = fmt == AMD_VOPC && ext == AMD_EXT_SDWA && o->role == AMD_ROLE_DST;
            return sdwa_dst ? AMD_FIELD_SDST : AMD_FIELD_NONE;
        }
        if (o->role == AMD_ROLE_DST)
            return index ? AMD_FIELD_SDST : AMD_FIELD_VDST;
        break;
    default:
        if (o->role != AMD_ROLE_SRC && index == 0)
            return AMD_FIELD_VDST;
    }
    amd_field field = *k < 3 ? sources[*k] : AMD_FIELD_NONE;
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
amd_places_of(const amd_op_info *row, amd_fmt fmt, amd_ext ext, amd_places *out)
{
    unsigned n_dst = 0, n_src = 0, k = 0;
    bool vop = fmt >= AMD_VOP1 && fmt <= AMD_VOP3P;
    *out = (amd_places){.attr = AMD_FIELD_NONE};
    for (unsigned i = 0; i < AMD_MAX_OPERANDS && row->operands[i].role; i++) {
        if (row->operands[i].kind != AMD_K_ATTR)
            continue;
        out->attr = fmt == AMD_VOP3 ? AMD_FIELD_SRC0 : AMD_FIELD_ATTR;
        k = fmt == AMD_VOP3; /* the attribute stands in src0, the sources follow it */
    }
    for (unsigned i = 0; i < AMD_MAX_OPERANDS && row->operands[i].role; i++) {
        const amd_operand *o = &row->operands[i];
        if (o->role == AMD_ROLE_IMM)
            continue;
        amd_field field = vop               ? vop_place(o, i, fmt, ext, &k)
                          : fmt <= AMD_SOPP ? scalar_place(o, fmt, &k)
                                            : memory_place(o, fmt, &k);
        if (o->role == AMD_ROLE_SRC)
            out->src[n_src++] = field;
        else
            out->dst[n_dst++] = field;
    }
}

bool
amd_scalar_valid(unsigned code, unsigned count)
{
    unsigned align = count == 1 ? 1 : count == 2 ? 2 : 4;
    if (code == AMD_REG_NULL)
        return true;
    if (code % align)
        return false;
    if (code < 106)
        return code + count <= 106;
    if (code >= AMD_REG_TTMP0 && code < AMD_REG_M0)
        return code + count <= AMD_REG_M0;
    if (code == AMD_REG_VCC_LO || code == AMD_REG_EXEC_LO)
        return count <= 2;
    return code < 128 && count == 1;
}

bool
amd_constant_valid(unsigned code)
{
    return (code >= 128 && code <= 208) ||
           (code >= AMD_SRC_SHARED_BASE && code <= AMD_SRC_F_INV_2PI) ||
           (code >= AMD_SRC_VCCZ && code <= AMD_SRC_SCC);
}
