#include "emu_program.h"

#include "../emu/opcode_draw.h"
#include "emu_descriptors.h"

#include <string.h>

/* The encodings of a generation, format after format. */
enum { MAX_ROWS = 1 << 14 };
typedef struct encoding {
    uint16_t op;
    uint8_t fmt, ext;
} encoding;
typedef struct encodings {
    bool made;
    uint32_t first[AMD_FMT_COUNT + 1];
    encoding rows[MAX_ROWS];
} encodings;

static const encodings *
encodings_of(amd_gen gen)
{
    static encodings all[AMD_GEN_COUNT];
    encodings *e = &all[gen];
    uint32_t n = 0;
    for (unsigned fmt = 0; fmt < AMD_FMT_COUNT && !e->made; fmt++) {
        e->first[fmt] = n;
        for (unsigned op = 1; fmt && op < AMD_OP_HW_COUNT; op++)
            for (unsigned ext = AMD_EXT_NONE; ext <= AMD_EXT_DPP8; ext++)
                if (n < MAX_ROWS && opcode_draw_has(gen, (amd_op)op, (amd_fmt)fmt, (amd_ext)ext))
                    e->rows[n++] = (encoding){(uint16_t)op, (uint8_t)fmt, (uint8_t)ext};
        e->first[fmt + 1] = n;
    }
    e->made = true;
    return e;
}

static uint32_t
word_at(const uint8_t *bytes)
{
    uint32_t w;
    memcpy(&w, bytes, 4);
    return w;
}

static uint32_t
next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Appends an instruction; nothing if the generation cannot encode it. */
static void
put(emu_program *p, amd_inst in)
{
    if (p->code.size < EMU_CODE - 256)
        amd_encode(p->gen, &in, &p->code);
}

static void
put_1(emu_program *p, amd_op op, amd_fmt fmt, unsigned dst, unsigned src)
{
    put(p, (amd_inst){.op = (uint16_t)op,
                      .fmt = (uint8_t)fmt,
                      .n_dst = 1,
                      .n_src = 1,
                      .dst = {(uint16_t)dst},
                      .src = {(uint16_t)src}});
}

static void
put_2(emu_program *p, amd_op op, amd_fmt fmt, unsigned dst, unsigned a, unsigned b)
{
    put(p, (amd_inst){.op = (uint16_t)op,
                      .fmt = (uint8_t)fmt,
                      .n_dst = 1,
                      .n_src = 2,
                      .dst = {(uint16_t)dst},
                      .src = {(uint16_t)a, (uint16_t)b}});
}

/* Sets VGPRs: v0 is the lane (or packed ids), v1 0, v2 four times the lane, v3 a small number.
 * Pairs are addresses: v4 in the data, by lane, v6 near its end, v8 in an aperture. v10 to v13 are
 * arbitrary, v14 is 1.0, v15 the lane. */
static void
put_vectors(emu_program *p, unsigned which)
{
    enum { V = AMD_REG_VGPR0 };
    if (which == 0) {
        put_1(p, AMD_V_MOV_B32, AMD_VOP1, V + 1, AMD_SRC_INT_0);
        put_2(p, AMD_V_AND_B32, AMD_VOP2, V + 15, AMD_SRC_INT_0 + 63, V);
        put_2(p, AMD_V_LSHLREV_B32, AMD_VOP2, V + 2, AMD_SRC_INT_0 + 2, V + 15);
        put_1(p, AMD_V_MOV_B32, AMD_VOP1, V + 3, EMU_ANY);
    } else if (which == 1) {
        put_2(p, AMD_V_LSHLREV_B32, AMD_VOP2, V + 4, AMD_SRC_INT_0 + 4, V + 15);
        put_2(p, AMD_V_OR_B32, AMD_VOP2, V + 4, EMU_ADDRESS, V + 4);
        put_1(p, AMD_V_MOV_B32, AMD_VOP1, V + 5, EMU_ADDRESS + 1);
    } else if (which == 2) {
        for (unsigned k = 0; k < 2; k++)
            put_1(p, AMD_V_MOV_B32, AMD_VOP1, V + 6 + k, EMU_NEAR + k);
        put_2(p, AMD_V_OR_B32, AMD_VOP2, V + 8, EMU_APERTURE, V + 2);
        put_1(p, AMD_V_MOV_B32, AMD_VOP1, V + 9, EMU_APERTURE + 1);
    } else {
        for (unsigned k = 0; k < 4; k++)
            put_1(p, AMD_V_MOV_B32, AMD_VOP1, V + 10 + k, EMU_ANY + k);
        put_1(p, AMD_V_MOV_B32, AMD_VOP1, V + 14, AMD_SRC_F_0_5 + 2);
    }
}

/* Restores some registers: SGPRs from their copies, exec, m0, or VGPRs. */
static void
put_right(emu_program *p, uint32_t seed)
{
    unsigned at = next(&seed) % 8 * 4;
    switch (next(&seed) % 4) {
    case 0:
        for (unsigned k = 0; k < 4; k += 2)
            put_1(p, AMD_S_MOV_B64, AMD_SOP1, at + k, EMU_SAVED + at + k);
        break;
    case 1: put_1(p, AMD_S_MOV_B32, AMD_SOP1, AMD_REG_M0, EMU_M0 + next(&seed) % 4); break;
    case 2: put_vectors(p, next(&seed) % 4); break;
    default: put_1(p, AMD_S_MOV_B64, AMD_SOP1, AMD_REG_EXEC_LO, AMD_SRC_INT_NEG1); break;
    }
}

/* Draws an immediate: branches stay near, values that end the wave are rare. */
static void
set_imm(amd_inst *in, const amd_operand *o, uint32_t *seed)
{
    uint32_t any = next(seed);
    if (o->kind == AMD_K_LABEL)
        in->imm = (int32_t)(any % 33) - 12;
    else if (o->kind == AMD_K_HWREG)
        in->imm = (int32_t)(any & 7 ? (any & 0xffc0) | (any >> 16 & 1 ? 1 : any >> 17 & 31)
                                    : any & 0xffff);
    else if (any & 1 && o->kind != AMD_K_TARGET && o->kind != AMD_K_MSGRTN)
        in->imm = (int32_t)(next(seed) & 0xffff);
}

/* Draws a source: an address, a descriptor, or a VGPR that was set. */
static void
set_source(amd_inst *in, const amd_operand *o, uint16_t *code, uint32_t *seed)
{
    static const uint8_t pairs[] = {4, 4, 6, 8, 10, 12}, singles[] = {1, 2, 2, 3, 4, 10, 14, 15};
    uint32_t any = next(seed);
    bool vector = *code >= AMD_REG_VGPR0 && *code < AMD_REG_AGPR0, wide = false;
    bool is_pair = o->type == AMD_T_B64 || o->type == AMD_TYPE(AMD_CLASS_U, 64);
    if (any % 8 == 7 || *code == AMD_REG_ABSENT)
        return;
    switch (o->kind) {
    case AMD_K_RSRC: *code = in->fmt == AMD_MIMG ? EMU_IMAGE : EMU_BUFFER; break;
    case AMD_K_SAMP: *code = EMU_SAMPLER; break;
    case AMD_K_SBASE: *code = is_pair ? (any >> 3 & 1) * 2 : EMU_BUFFER; break;
    case AMD_K_SADDR:
        if (*code != AMD_REG_NULL)
            *code = in->fmt == AMD_SCRATCH ? EMU_ANY : (any >> 3 & 1) * 2;
        break;
    case AMD_K_VADDR:
        for (unsigned k = 0; k < in->n_src; k++) /* with an SGPR address it is an offset */
            wide |= (in->fmt == AMD_FLAT || in->fmt == AMD_GLOBAL) &&
                    (in->src[k] == AMD_REG_ABSENT || in->src[k] == AMD_REG_NULL);
        wide |= in->fmt == AMD_FLAT;
        if (vector)
            *code = AMD_REG_VGPR0 + (wide ? pairs[any / 8 % 6] : singles[any / 8 % 8]);
        break;
    case AMD_K_SREG:
    case AMD_K_SSRC:
        if (amd_op_row((amd_op)in->op)->flags & AMD_F_BRANCH)
            *code = EMU_PLACE;
        break;
    default:
        if (vector && any & 64)
            *code = (uint16_t)(AMD_REG_VGPR0 + 16 + any / 128 % 16 * 2);
        break;
    }
}

/* Draws a destination, mostly one that overwrites nothing important. */
static void
set_result(uint16_t *code, uint32_t *seed)
{
    uint32_t any = next(seed);
    if (any % 8 == 7)
        return;
    if (*code < AMD_REG_VCC_LO)
        *code = (uint16_t)(32 + any / 8 % 8 * 4);
    else if (*code >= AMD_REG_VGPR0 && *code < AMD_REG_AGPR0)
        *code = (uint16_t)(AMD_REG_VGPR0 + 16 + any / 8 % 16 * 2);
}

static void
turn_operands(amd_inst *in, uint32_t seed)
{
    unsigned d = 0, s = 0;
    for (const amd_operand *o = amd_op_row((amd_op)in->op)->operands;
         o < amd_op_row((amd_op)in->op)->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->role == AMD_ROLE_IMM)
            set_imm(in, o, &seed);
        else if (o->role == AMD_ROLE_SRC)
            set_source(in, o, &in->src[s++], &seed);
        else
            set_result(&in->dst[d++], &seed);
    }
    if (next(&seed) & 1)
        in->offset &= 0x7c;
    if (next(&seed) & 3)
        in->tfe = in->lwe = false;
}

/* Is the code after it unlikely to run? */
static bool
ends_wave(const emu_program *p, const amd_inst *in)
{
    return in->op == AMD_S_ENDPGM || in->op == AMD_S_ENDPGM_SAVED || in->op == AMD_S_SETHALT ||
           in->op == AMD_S_SENDMSGHALT || in->op == AMD_S_ENDPGM_ORDERED_PS_DONE ||
           in->op == AMD_S_RFE_B64 || in->op == AMD_S_RFE_RESTORE_B64 ||
           (in->op == AMD_S_TRAP && !p->has_trap_handler);
}

static void
put_words(emu_program *p, const uint8_t *words, size_t size)
{
    amd_inst in;
    if (p->code.size < EMU_CODE - 256 && amd_decode(p->gen, words, size, &in))
        buf_put(&p->code, words, in.size);
}

/* Draws random words until they are a VOPD instruction, which opcode_draw does not draw. */
static bool
draw_dual(const emu_program *p, uint32_t seed, uint32_t *words)
{
    amd_inst in;
    for (unsigned k = 0; k < 64; k++) {
        words[0] = 0xc8000000 | (next(&seed) << 2 & 0x03ffffff);
        words[1] = next(&seed) << 8 | (next(&seed) & 255);
        words[2] = next(&seed);
        if (amd_decode(p->gen, (const uint8_t *)words, 12, &in) && in.fmt == AMD_VOPD)
            return true;
    }
    return false;
}

/* An instruction of the table: format, row and seed from the record, then one word is masked. */
static void
put_drawn(emu_program *p, const uint8_t *r)
{
    const encodings *e = encodings_of(p->gen);
    uint32_t words[OPCODE_WORDS] = {0}, seed = word_at(r + 4), mask = word_at(r + 8);
    unsigned fmt = r[1] % AMD_FMT_COUNT;
    opcode_draw draw = {.gen = p->gen, .random = (uint64_t)seed * 2 + 1};
    amd_inst in;
    for (unsigned k = 0; k < AMD_FMT_COUNT && e->first[fmt] == e->first[fmt + 1]; k++) {
        if (fmt == AMD_VOPD && p->gen >= AMD_GFX11)
            break;
        fmt = (fmt + 1) % AMD_FMT_COUNT;
    }
    uint32_t n = e->first[fmt + 1] - e->first[fmt];
    const encoding *row = &e->rows[e->first[fmt] + (n ? (r[2] | (uint32_t)r[3] << 8) % n : 0)];
    if (n ? !opcode_draw_words(&draw, (amd_op)row->op, (amd_fmt)row->fmt, (amd_ext)row->ext, words)
          : !draw_dual(p, seed, words))
        return;
    amd_decode(p->gen, (const uint8_t *)words, sizeof words, &in);
    if (ends_wave(p, &in) && mask % 16)
        return;
    base_buf turned = buf_make(p->code.arena);
    turn_operands(&in, seed);
    if (r[0] & 8 && n && amd_encode(p->gen, &in, &turned) && turned.size <= sizeof words)
        memcpy(words, turned.data, turned.size);
    if (r[0] & 16) {
        uint32_t was = words[r[0] >> 5 & 1];
        words[r[0] >> 5 & 1] ^= mask & mask >> 16 & 0xffff;
        words[r[0] >> 5 & 1] ^= (mask & mask << 16) & 0x03ff0000;
        if (!amd_decode(p->gen, (const uint8_t *)words, sizeof words, &in) || ends_wave(p, &in))
            words[r[0] >> 5 & 1] = was;
    }
    put_words(p, (const uint8_t *)words, sizeof words);
}

static void
put_prologue(emu_program *p)
{
    for (unsigned k = 0; k < 32; k += 2)
        put_1(p, AMD_S_MOV_B64, AMD_SOP1, EMU_SAVED + k, k);
    for (unsigned k = 0; k < 4; k++)
        put_vectors(p, k);
    put_1(p, AMD_S_MOV_B32, AMD_SOP1, AMD_REG_M0, EMU_M0);
}

/* The handler continues after s_trap. */
static void
put_trap_handler(emu_program *p)
{
    enum { T = AMD_REG_TTMP0 };
    p->trap_handler = p->code.size;
    put_2(p, AMD_S_ADD_U32, AMD_SOP2, T, T, AMD_SRC_INT_0 + 4);
    put(p, (amd_inst){.op = AMD_S_RFE_B64, .fmt = AMD_SOP1, .n_src = 1, .src = {T}});
}

void
emu_program_make(emu_program *p, const uint8_t *records, size_t size)
{
    put_prologue(p);
    for (size_t at = 0; at + EMU_RECORD <= size && at < EMU_MAX_RECORDS * EMU_RECORD;
         at += EMU_RECORD) {
        const uint8_t *r = records + at;
        if ((r[0] & 7) == 0)
            put_words(p, r + 4, 8);
        else if ((r[0] & 7) == 1)
            put_right(p, word_at(r + 4));
        else
            put_drawn(p, r);
    }
    put(p, (amd_inst){.op = AMD_S_ENDPGM, .fmt = AMD_SOPP});
    put_trap_handler(p);
}
