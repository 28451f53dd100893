/* Whether an instruction's operands are what its row and its encoding allow. Decoder and encoder
 * ask the same question: what one refuses the other cannot make. */
#include "amd/isa/layout.h"
#include "amd/isa/mimg.h"

/* Registers that the operand takes; MASK counts as one, as the wave size is not known here. */
static unsigned
operand_dwords(const amd_op_info *row, const amd_inst *in, const amd_operand *o)
{
    unsigned n = amd_type_dwords((amd_type)o->type, false);
    switch (in->fmt) {
    case AMD_MIMG:
        if (o->kind == AMD_K_VDATA)
            return amd_mimg_data_dwords(row, in);
        if (o->kind == AMD_K_VADDR)
            return in->nsa ? 1 : amd_mimg_address_tuple(row, in);
        if (o->kind == AMD_K_RSRC && in->r128)
            return 4;
        return n;
    case AMD_MUBUF:
    case AMD_MTBUF:
        if (o->kind == AMD_K_VADDR)
            return (in->offen ? 1u : 0u) + (in->idxen ? 1u : 0u);
        return n + (o->kind == AMD_K_VDATA && in->tfe ? 1 : 0);
    case AMD_GLOBAL:
        if (o->kind == AMD_K_VADDR && in->src[in->n_src - 1] != AMD_REG_ABSENT)
            return 1;
        return n;
    default: return n;
    }
}

unsigned
amd_operand_dwords(const amd_op_info *row, const amd_inst *in, const amd_operand *o, bool wave64)
{
    if (o->type == AMD_T_MASK)
        return wave64 ? 2 : 1;
    return operand_dwords(row, in, o);
}

static bool
vgpr_valid(unsigned code, unsigned count)
{
    return code >= AMD_REG_VGPR0 && code + count <= AMD_REG_VGPR0 + 256;
}

static bool
scalar_source_valid(const amd_inst *in, unsigned code, unsigned count)
{
    if (code == AMD_SRC_LITERAL)
        return in->ext == AMD_EXT_NONE;
    return amd_scalar_valid(code, count) || amd_constant_valid(code);
}

/* VSRC: what it may be depends on the field that holds it. */
static bool
vector_source_valid(const amd_inst *in, amd_field field, unsigned code, unsigned count)
{
    if (code >= AMD_REG_VGPR0)
        return vgpr_valid(code, count);
    bool e32 = in->fmt == AMD_VOP1 || in->fmt == AMD_VOP2 || in->fmt == AMD_VOPC;
    if (e32 && in->ext != AMD_EXT_SDWA && field != AMD_FIELD_SRC0)
        return false; /* src1, and src0 of DPP */
    if (code == AMD_SRC_LDS_DIRECT)
        return count == 1 && in->ext == AMD_EXT_NONE;
    return scalar_source_valid(in, code, count);
}

static bool
operand_valid(const amd_op_info *row, const amd_inst *in, const amd_operand *o, amd_field field,
              unsigned code)
{
    unsigned count = operand_dwords(row, in, o);
    switch (o->kind) {
    case AMD_K_EXEC: return code == AMD_REG_EXEC_LO;
    case AMD_K_LIT: return code == AMD_SRC_LITERAL;
    case AMD_K_PARAM: return code <= 2;
    case AMD_K_MASK:
        return field == AMD_FIELD_NONE ? code == AMD_REG_VCC_LO : amd_scalar_valid(code, 1);
    case AMD_K_SSRC: return scalar_source_valid(in, code, count);
    case AMD_K_VSRC: return vector_source_valid(in, field, code, count);
    case AMD_K_SOFFSET:
        if (in->fmt == AMD_SMEM)
            return code == AMD_REG_ABSENT || amd_scalar_valid(code, 1);
        return amd_scalar_valid(code, 1) || amd_constant_valid(code);
    case AMD_K_SADDR: return code == AMD_REG_ABSENT || amd_scalar_valid(code, count);
    case AMD_K_VGPR:
    case AMD_K_VADDR:
    case AMD_K_VDATA:
    case AMD_K_VDATA0:
    case AMD_K_VDATA1:
    case AMD_K_VEXP: return code == AMD_REG_ABSENT || vgpr_valid(code, count);
    default: return amd_scalar_valid(code, count);
    }
}

bool
amd_inst_valid(const amd_op_info *row, const amd_places *places, const amd_inst *in)
{
    unsigned n_dst = 0, n_src = 0;
    for (const amd_operand *o = row->operands; o < row->operands + AMD_MAX_OPERANDS && o->role;
         o++) {
        if (o->role == AMD_ROLE_IMM)
            continue;
        bool src = o->role == AMD_ROLE_SRC;
        amd_field field = src ? places->src[n_src] : places->dst[n_dst];
        unsigned code = src ? in->src[n_src++] : in->dst[n_dst++];
        if (!operand_valid(row, in, o, field, code))
            return false;
    }
    for (unsigned i = 0; i < in->n_nsa; i++) {
        if (!vgpr_valid(in->nsa_addr[i], 1))
            return false;
    }
    return in->n_dst == n_dst && in->n_src == n_src;
}
