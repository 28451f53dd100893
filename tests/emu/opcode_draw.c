#include "opcode_draw.h"

#include "amd/isa/table/layout.h"

#include <string.h>

/* xorshift64* (Vigna 2016) */
static uint32_t
draw(opcode_draw *r, uint32_t n)
{
    uint64_t x = r->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    r->random = x;
    return (uint32_t)((x * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n;
}

/* The greatest number that the row's bits hold. */
static uint32_t
greatest(const amd_layout_row *row)
{
    return row->mask >> row->at;
}

/* Draws a field's value: existing registers, small numbers, mostly zeros for fields that are not
 * registers. */
static uint32_t
field_value(opcode_draw *r, const amd_layout_row *row, unsigned attempt)
{
    static const uint16_t scalars[] = {0, 4, 8, 12, 106, 124, 125, 128, 129, 193, 242};
    uint32_t n = draw(r, 4), number = draw(r, 8) * 2;
    bool vector = row->field == AMD_FIELD_SRC0 || row->field == AMD_FIELD_SRC1 ||
                  row->field == AMD_FIELD_SRC2;
    if (row->field == AMD_FIELD_FORMAT)
        return r->gen < AMD_GFX10 ? OLD_FORMAT : FORMAT;
    if (row->field == AMD_FIELD_ROW_MASK || row->field == AMD_FIELD_BANK_MASK)
        return UINT32_MAX; /* all lanes are written */
    if (row->field == AMD_FIELD_OPSEL_HI && attempt / 4 % 2)
        return UINT32_MAX;
    if (row->field == AMD_FIELD_SCALED)
        return 1;
    if (row->field == AMD_FIELD_SCALE0 || row->field == AMD_FIELD_SCALE1)
        return AMD_REG_VGPR0 + draw(r, 8);
    if (attempt % 4 == 1 && greatest(row) > 1) /* bits that the opcode lacks must be clear */
        return 0;
    if (attempt % 4 == 3)
        return row->field == AMD_FIELD_SRC0 ? AMD_REG_VGPR0 : 0;
    if (attempt % 4 == 2)
        return vector ? AMD_REG_VGPR0 + draw(r, 8) * 2 : 0;
    switch (row->field) {
    case AMD_FIELD_SRC0:
    case AMD_FIELD_SRC1:
    case AMD_FIELD_SRC2: return n ? AMD_REG_VGPR0 + number : scalars[draw(r, 11)];
    case AMD_FIELD_VADDR:
    case AMD_FIELD_VDATA:
    case AMD_FIELD_VDST: return n ? number : scalars[draw(r, 11)];
    case AMD_FIELD_SSRC0:
    case AMD_FIELD_SSRC1:
    case AMD_FIELD_SADDR:
    case AMD_FIELD_SOFFSET: return scalars[draw(r, 11)];
    case AMD_FIELD_SRSRC:
    case AMD_FIELD_SSAMP: return 0;
    case AMD_FIELD_SIMM16: return 1; /* MODE, one bit of it */
    case AMD_FIELD_DMASK: return n ? 15 : 1;
    default: return n ? 0 : draw(r, greatest(row) + 1) & draw(r, greatest(row) + 1);
    }
}

/* Fills the words of a layout with the given ENC and OP; `ext` is the value of SRC0, 0 for any. */
static void
fill(opcode_draw *r, const amd_layout *l, uint32_t number, uint32_t ext, unsigned attempt,
     uint32_t *words)
{
    for (unsigned k = 0; k < l->count; k++) {
        const amd_layout_row *row = &l->rows[k];
        uint32_t v = row->field == AMD_FIELD_ENC           ? (uint32_t)l->enc >> row->at
                     : row->field == AMD_FIELD_OP          ? number >> row->at
                     : row->field == AMD_FIELD_SRC0 && ext ? ext >> row->at
                                                           : field_value(r, row, attempt);
        words[row->word] |= amd_row_write(row, v << row->at);
    }
}

bool
opcode_draw_words(opcode_draw *r, amd_op op, amd_fmt fmt, amd_ext ext, uint32_t words[OPCODE_WORDS])
{
    static const uint32_t codes[] = {0, AMD_SRC_SDWA, AMD_SRC_DPP16, AMD_SRC_DPP8};
    amd_layout_id id = amd_layout_of(r->gen, amd_op_row(op), fmt);
    const amd_layout *l = &amd_layouts[id];
    uint32_t number = (uint32_t)amd_op_number(op, fmt, r->gen);
    if (id == AMD_L_VSAMPLE)
        number -= AMD_VSAMPLE_NUMBERS;
    if (id == AMD_L_MAI_SCALE)
        number = AMD_MAI_WORD | (number & 0x7f);
    for (unsigned attempt = 0; id != AMD_L_NONE && attempt < 20000; attempt++) {
        amd_inst in;
        memset(words, 0, OPCODE_WORDS * sizeof *words);
        fill(r, l, number, codes[ext], attempt, words);
        if (ext)
            fill(r, &amd_layouts[amd_layout_of_ext(r->gen, fmt, ext)], 0, 0, attempt,
                 words + l->words - 1);
        if (amd_decode(r->gen, (const uint8_t *)words, OPCODE_WORDS * 4, &in) && in.op == op &&
            in.fmt == fmt && in.ext == ext)
            return true;
    }
    return false;
}

bool
opcode_draw_has(amd_gen gen, amd_op op, amd_fmt fmt, amd_ext ext)
{
    bool e32 = fmt == AMD_VOP1 || fmt == AMD_VOP2 || fmt == AMD_VOPC;
    if (fmt == AMD_VOPD || amd_op_number(op, fmt, gen) < 0)
        return false;
    switch (ext) {
    case AMD_EXT_NONE: return true;
    case AMD_EXT_SDWA: return e32 && amd_op_has_sdwa(op, gen);
    case AMD_EXT_DPP8: return gen >= AMD_GFX10 && amd_op_has_dpp(op, fmt, gen);
    default: return amd_op_has_dpp(op, fmt, gen);
    }
}
