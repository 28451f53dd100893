/* What instructions do to registers, from the opcode table.
 *
 * The operands of a row say most of it. What they do not say: implied registers (flags of the row),
 * writes that keep a part of a register (16-bit results, d16 loads, SDWA, DPP, lanes), registers
 * that an index selects, and lanes other than those in exec. Where a fact depends on more than the
 * instruction, the answer is the safe one: more is read, less is killed.
 *
 * The numbers of registers are those of isa/table/numbers.h.
 */
#include "amd/code/effects.h"

#include "amd/code/reader.h"
#include "amd/isa/table/dual.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/mimg.h"

#include <string.h>

static const char *const special_names[] = {"vcc_lo", "vcc_hi", "m0", "scc"};

const family_bank amd_banks[] = {
    {"SGPR", "s", 0, 106, NULL, "sgprs"},
    {"VGPR", "v", AMD_NUMBER_VGPR0, 256, NULL, "vgprs"},
    {"AGPR", "a", AMD_NUMBER_AGPR0, 256, NULL, "agprs"},
    {"vcc m0 scc", NULL, AMD_NUMBER_VCC_LO, 4, special_names, NULL},
    {NULL, NULL, 0, 0, NULL, NULL},
};

/* The instruction being described. */
typedef struct effects {
    amd_reader *r;
    const amd_inst *in;
    const amd_op_info *row;
    family_effects *out;
    bool is_valu, keeps_lanes /* DPP leaves some lanes of the results */;
} effects;

static void
add(effects *e, uint32_t code, uint32_t count, family_use use)
{
    use.first = amd_register_number(code);
    use.count = code == AMD_SRC_VCCZ ? 2 : (uint16_t)count;
    if (use.first != AMD_NUMBER_NONE && use.count)
        family_add_use(e->out, use);
}

static void
read_register(effects *e, uint32_t code, uint32_t count)
{
    add(e, code, count, (family_use){.read = FAMILY_WHOLE});
}

static void
write_register(effects *e, uint32_t code, uint32_t count)
{
    add(e, code, count, (family_use){.write = FAMILY_WHOLE, .kills = FAMILY_WHOLE});
}

static bool
is_named(const effects *e, const char *head)
{
    return strncmp(e->row->name, head, strlen(head)) == 0;
}

/* ---- parts of registers ---- */

static bool
is_half(const effects *e, const amd_operand *o)
{
    return e->is_valu && e->in->fmt != AMD_VOP3P && o->kind != AMD_K_MASK &&
           amd_type_bits((amd_type)o->type, false) == 16;
}

/* The halves that source number `s` consists of. */
static uint8_t
source_halves(const effects *e, const amd_operand *o, unsigned s)
{
    const amd_inst *in = e->in;
    if (in->ext == AMD_EXT_SDWA && s < 2) {
        unsigned select = s ? in->src1_sel : in->src0_sel;
        return select == 6 ? FAMILY_WHOLE : select < 2 || select == 4 ? FAMILY_LOW : FAMILY_HIGH;
    }
    if (!is_half(e, o))
        return FAMILY_WHOLE;
    return in->op_sel >> s & 1 ? FAMILY_HIGH : FAMILY_LOW;
}

/* The halves that a vector instruction's result is sure to write. */
static uint8_t
valu_result(const effects *e, const amd_operand *o)
{
    const amd_inst *in = e->in;
    amd_gen gen = e->r->gen;
    if (e->keeps_lanes || is_named(e, "v_writelane") || is_named(e, "v_movreld") ||
        is_named(e, "v_movrelsd") || is_named(e, "v_swaprel") || e->r->indexed)
        return 0;
    if (is_named(e, "v_cvt_pk_fp8") || is_named(e, "v_cvt_pk_bf8") || is_named(e, "v_cvt_sr_"))
        return 0;
    if (in->ext == AMD_EXT_SDWA && o->kind == AMD_K_VGPR && in->dst_sel != 6 && in->dst_unused == 2)
        return in->dst_sel == 4 ? FAMILY_LOW : in->dst_sel == 5 ? FAMILY_HIGH : 0;
    if (in->ext == AMD_EXT_SDWA || amd_type_bits((amd_type)o->type, false) != 16)
        return FAMILY_WHOLE;
    if (in->fmt >= AMD_VOP3P || in->fmt < AMD_VOP1)
        return 0;
    /* up to gfx9 what has a 32-bit encoding writes all bits */
    if (gen < AMD_GFX10 && e->row->fmt != AMD_VOP3)
        return FAMILY_WHOLE;
    return in->op_sel & 8 ? FAMILY_HIGH : FAMILY_LOW;
}

/* The same of the last register of loaded data; those before it are written whole. */
static uint8_t
loaded_half(const effects *e, unsigned count)
{
    const amd_inst *in = e->in;
    bool named = strstr(e->row->name, "d16") != NULL;
    if (in->tfe || in->lwe || e->row->memory == 128)
        return 0;
    if (strstr(e->row->name, "d16_hi"))
        return FAMILY_HIGH;
    if (named || in->d16)
        return count > 1 && !(in->fmt == AMD_MIMG && base_popcount64(in->dmask) % 2) ? FAMILY_WHOLE
                                                                                     : FAMILY_LOW;
    return FAMILY_WHOLE;
}

/* ---- operands ---- */

static bool
crosses_lanes(const effects *e, unsigned s)
{
    const amd_inst *in = e->in;
    if (s == 0 && (in->ext == AMD_EXT_DPP16 || in->ext == AMD_EXT_DPP8))
        return true;
    return is_named(e, "v_readlane") || is_named(e, "v_permlane") || in->fmt == AMD_VINTERP ||
           is_named(e, "ds_permute") || is_named(e, "ds_bpermute") || is_named(e, "ds_swizzle") ||
           is_named(e, "ds_read_b64_tr") || is_named(e, "ds_read_b96_tr") ||
           is_named(e, "v_mfma") || is_named(e, "v_smfmac") || is_named(e, "v_wmma") ||
           is_named(e, "v_swmmac");
}

static bool
ignores_exec(const effects *e)
{
    return is_named(e, "v_mfma") || is_named(e, "v_smfmac");
}

/* All registers of the file from `code` on: an index selects one. */
static uint32_t
rest_of_file(uint32_t code)
{
    if (code < AMD_REG_VCC_LO)
        return AMD_REG_VCC_LO - code;
    return code >= AMD_REG_AGPR0 ? AMD_REG_AGPR0 + 256 - code : AMD_REG_AGPR0 - code;
}

static bool
is_indexed(const effects *e, uint32_t code)
{
    bool vector = code >= AMD_REG_VGPR0 && code != AMD_REG_ABSENT;
    return (vector && e->is_valu &&
            (e->r->indexed || is_named(e, "v_movrel") || is_named(e, "v_swaprel"))) ||
           (code < AMD_REG_VCC_LO && is_named(e, "s_movrel"));
}

static void
add_source(effects *e, const amd_operand *o, unsigned s)
{
    const amd_inst *in = e->in;
    uint32_t code = in->src[s], count = amd_operand_dwords(e->r->gen, e->row, in, o, e->r->wave64);
    family_use use = {.read = source_halves(e, o, s), .all_lanes = crosses_lanes(e, s)};
    if (o->kind == AMD_K_PARAM)
        return;
    /* before gfx10 the resource decides the dimension */
    if (o->kind == AMD_K_VADDR && in->fmt == AMD_MIMG && e->r->gen < AMD_GFX10)
        count = amd_mimg_address_most(e->row);
    if (o->kind == AMD_K_VADDR && in->nsa) {
        for (unsigned k = 0; k < in->n_nsa && k < AMD_MAX_NSA; k++)
            add(e, in->nsa_addr[k], 1, use);
        return;
    }
    if (is_indexed(e, code)) {
        add(e, code, rest_of_file(code), use);
        return;
    }
    add(e, code, count, use);
}

static bool
gives_back(const effects *e)
{
    return !(e->row->flags & AMD_F_ATOMIC) || e->in->glc || e->row->flags & AMD_F_RTN;
}

static void
add_result(effects *e, const amd_operand *o, unsigned d)
{
    const amd_inst *in = e->in;
    uint32_t code = in->dst[d], count = amd_operand_dwords(e->r->gen, e->row, in, o, e->r->wave64);
    bool both = o->role == AMD_ROLE_BOTH;
    family_use use = {.read = both ? FAMILY_WHOLE : 0, .all_lanes = ignores_exec(e)};
    if (!both || gives_back(e))
        use.write = use.kills = FAMILY_WHOLE;
    if (both && crosses_lanes(e, 1))
        use.all_lanes = true;
    if (e->is_valu && code >= AMD_REG_VGPR0)
        use.kills &= valu_result(e, o);
    else if (e->keeps_lanes)
        use.kills = 0;
    else if (code >= AMD_REG_VGPR0 && code != AMD_REG_ABSENT && use.write) {
        uint8_t last = loaded_half(e, count);
        if (count > 1 && last != FAMILY_WHOLE)
            add(e, code, count - 1,
                (family_use){use.first, 0, use.read, use.write, last ? FAMILY_WHOLE : 0, false});
        code += count > 1 && last != FAMILY_WHOLE ? count - 1 : 0;
        count = last != FAMILY_WHOLE ? 1 : count;
        use.kills = last;
    }
    if (is_indexed(e, code) && !is_named(e, "v_movrels_") && !is_named(e, "s_movrels_")) {
        use.kills = 0;
        count = rest_of_file(code);
    }
    add(e, code, count, use);
}

static void
add_operands(effects *e)
{
    unsigned d = 0, s = 0;
    for (const amd_operand *o = e->row->operands;
         o < e->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->role == AMD_ROLE_SRC)
            add_source(e, o, s++);
        else if (o->role != AMD_ROLE_IMM)
            add_result(e, o, d++);
    }
}

/* ---- implied registers ---- */

static bool
reads_m0(const effects *e)
{
    const amd_inst *in = e->in;
    bool lds = in->fmt == AMD_DS || (e->row->flags & AMD_F_LDS && in->fmt == AMD_FLAT);
    return e->row->flags & AMD_F_M0_R || in->gds || in->fmt == AMD_VINTRP ||
           in->fmt == AMD_LDSDIR || in->row_en || is_named(e, "s_sendmsg") ||
           is_named(e, "s_ttrace") || is_named(e, "s_movrel") || strstr(e->row->name, "addtid") ||
           strstr(e->row->name, "gws") || strstr(e->row->name, "lds") ||
           (in->lds && in->fmt >= AMD_MUBUF) || (lds && e->r->gen < AMD_GFX9);
}

/* The SGPRs that hold the address of private memory on gfx7 to gfx90a; 0: none. */
static uint32_t
flat_scratch(const effects *e)
{
    amd_gen gen = e->r->gen;
    if (e->in->fmt != AMD_FLAT && e->in->fmt != AMD_SCRATCH)
        return 0;
    return gen == AMD_GFX7 ? 104 : gen >= AMD_GFX8 && gen <= AMD_GFX90A ? 102 : 0;
}

static void
add_implied(effects *e)
{
    uint32_t flags = e->row->flags, lanes = e->r->wave64 ? 2 : 1;
    if (flags & AMD_F_SCC_R)
        read_register(e, AMD_SRC_SCC, 1);
    if (flags & AMD_F_SCC_W)
        write_register(e, AMD_SRC_SCC, 1);
    if (flags & AMD_F_VCC_R)
        read_register(e, AMD_REG_VCC_LO, lanes);
    if (reads_m0(e))
        read_register(e, AMD_REG_M0, 1);
    if (flags & AMD_F_EXEC_W)
        write_register(e, AMD_REG_EXEC_LO, lanes);
    if (flat_scratch(e))
        read_register(e, flat_scratch(e), 2);
}

/* ---- masks ---- */

/* What a scalar source is as a mask. */
static uint16_t
mask_of(const effects *e, unsigned s)
{
    uint32_t code = e->in->src[s];
    if (s >= e->in->n_src)
        return FAMILY_MASK_UNKNOWN;
    if (code == AMD_SRC_INT_NEG1)
        return FAMILY_MASK_ALL;
    return code <= AMD_REG_VCC_HI || code == AMD_REG_EXEC_LO ? amd_register_number(code)
                                                             : FAMILY_MASK_UNKNOWN;
}

static void
add_step(effects *e, uint32_t code, family_mask_op op, uint16_t a, uint16_t b)
{
    uint16_t to = code <= AMD_REG_VCC_HI || code == AMD_REG_EXEC_LO ? amd_register_number(code)
                                                                    : AMD_NUMBER_NONE;
    if (to != AMD_NUMBER_NONE && e->out->n_steps < FAMILY_MAX_STEPS)
        e->out->steps[e->out->n_steps++] = (family_mask_step){(uint8_t)op, to, a, b};
}

/* s_and_saveexec and its like: exec becomes that of the source and exec, the result is exec before.
 * "andn2" inverts exec, "andn1" the source; from gfx11 on these are and_not0 and and_not1. */
static void
add_saveexec(effects *e)
{
    uint16_t from = mask_of(e, 0);
    add_step(e, e->in->dst[0], FAMILY_MASK_COPY, AMD_MASK_REGISTER, FAMILY_MASK_UNKNOWN);
    if (is_named(e, "s_and_save"))
        add_step(e, AMD_REG_EXEC_LO, FAMILY_MASK_BOTH, AMD_MASK_REGISTER, from);
    else if (is_named(e, "s_or_save"))
        add_step(e, AMD_REG_EXEC_LO, FAMILY_MASK_UNION, AMD_MASK_REGISTER, from);
    else if (is_named(e, "s_xor_save"))
        add_step(e, AMD_REG_EXEC_LO, FAMILY_MASK_DIFFER, AMD_MASK_REGISTER, from);
    else if (is_named(e, "s_andn2_save"))
        add_step(e, AMD_REG_EXEC_LO, FAMILY_MASK_REST, from, AMD_MASK_REGISTER);
    else if (is_named(e, "s_andn1_save"))
        add_step(e, AMD_REG_EXEC_LO, FAMILY_MASK_REST, AMD_MASK_REGISTER, from);
}

/* Scalar operations on masks of the wave's size. "andn2" and "and_not1" are one operation: the
 * second source is inverted. */
static void
add_scalar_mask(effects *e)
{
    const amd_inst *in = e->in;
    static const struct {
        const char *gcn, *rdna; /* the names' heads, up to gfx10 and from gfx11 on */
        family_mask_op op;
    } rows[] = {
        {"s_mov_b", "s_mov_b", FAMILY_MASK_COPY},
        {"s_and_b", "s_and_b", FAMILY_MASK_BOTH},
        {"s_andn2_b", "s_and_not1_b", FAMILY_MASK_REST},
        {"s_or_b", "s_or_b", FAMILY_MASK_UNION},
        {"s_xor_b", "s_xor_b", FAMILY_MASK_DIFFER},
        {"s_cselect_b", "s_cselect_b", FAMILY_MASK_EITHER},
    };
    const char *bits = e->r->wave64 ? "64" : "32", *name = e->row->name;
    size_t size = strlen(name);
    if (size < 2 || strcmp(name + size - 2, bits) != 0)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (is_named(e, rows[i].gcn) || is_named(e, rows[i].rdna)) {
            add_step(e, in->dst[0], rows[i].op, mask_of(e, 0), mask_of(e, 1));
            return;
        }
    if (strstr(name, "saveexec"))
        add_saveexec(e);
}

/* Comparisons and carries: no lane outside of exec is set. */
static void
add_masks(effects *e)
{
    const amd_inst *in = e->in;
    if (!e->is_valu) {
        add_scalar_mask(e);
        return;
    }
    for (unsigned d = 0; d < in->n_dst; d++) {
        const amd_operand *o = amd_op_dst(e->row, d);
        if (o && (o->type == AMD_T_MASK || o->kind == AMD_K_MASK) && !e->keeps_lanes)
            add_step(e, in->dst[d], FAMILY_MASK_PART, AMD_MASK_REGISTER, FAMILY_MASK_UNKNOWN);
    }
    if (e->row->flags & AMD_F_EXEC_W && in->dst[0] != AMD_REG_EXEC_LO)
        add_step(e, AMD_REG_EXEC_LO, FAMILY_MASK_PART, AMD_MASK_REGISTER, FAMILY_MASK_UNKNOWN);
}

/* ---- the instruction ---- */

static family_flow
flow_of(const effects *e)
{
    uint32_t flags = e->row->flags;
    bool fixed = e->in->fmt == AMD_SOPP;
    if (!(flags & AMD_F_BRANCH))
        return flags & AMD_F_TERM || e->in->op == AMD_S_CODE_END ? FAMILY_END : FAMILY_NEXT;
    if (is_named(e, "s_swappc") || is_named(e, "s_call"))
        return FAMILY_CALL;
    if (!fixed)
        return FAMILY_UNKNOWN;
    return flags & AMD_F_TERM ? FAMILY_JUMP : FAMILY_MAYBE;
}

/* Does DPP keep the results of lanes that the masks leave out, or whose source does not exist? */
static bool
keeps_lanes(const amd_inst *in)
{
    return in->ext == AMD_EXT_DPP16 &&
           (!in->bound_ctrl || in->row_mask != 15 || in->bank_mask != 15);
}

static void
describe(amd_reader *r, const amd_inst *in, family_effects *out)
{
    effects e = {.r = r, .in = in, .row = amd_op_row((amd_op)in->op), .out = out};
    e.is_valu = in->fmt >= AMD_VOP1 && in->fmt <= AMD_VINTERP;
    e.keeps_lanes = keeps_lanes(in);
    add_operands(&e);
    add_implied(&e);
    add_masks(&e);
    out->flow = flow_of(&e);
    out->test = in->op == AMD_S_CBRANCH_EXECZ    ? FAMILY_TEST_NONE
                : in->op == AMD_S_CBRANCH_EXECNZ ? FAMILY_TEST_ANY
                                                 : FAMILY_TEST_OTHER;
}

void
amd_reader_effects(void *reader, family_effects *out)
{
    amd_reader *r = reader;
    out->n_uses = out->n_steps = 0;
    if (r->inst.op == AMD_S_SET_GPR_IDX_ON)
        r->indexed = true;
    if (r->inst.op == AMD_S_SET_GPR_IDX_OFF)
        r->indexed = false;
    if (r->inst.fmt != AMD_VOPD) {
        describe(r, &r->inst, out);
        return;
    }
    for (unsigned k = 0; k < 2; k++) {
        const amd_inst half = amd_dual_half(&r->inst, k);
        describe(r, &half, out);
    }
}
