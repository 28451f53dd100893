/* Which bits of a value may be set: found on request from the instructions that compute it, a few
 * steps deep. Phis and results of memory count as any value, but for narrow loads.
 *
 * Nothing is stored: rules ask only where an answer saves an instruction, and most questions end at
 * the first step.
 */
#include "amd/opt/combine.h"

#include "base/bits.h"

enum { STEPS = 5 };

static uint32_t
possible(const mopt_ctx *c, ir_ref r, unsigned steps);

/* All bits up to the highest one of `v`. */
static uint32_t
filled(uint64_t v)
{
    return v > UINT32_MAX ? UINT32_MAX : v ? UINT32_MAX >> base_clz32((uint32_t)v) : 0;
}

/* The initial value of a register: local ids are less than the workgroup's size; docs/abi.md limits
 * the numbers of workgroups in y and z. */
static uint32_t
argument(const mopt_ctx *c, const ir_instr *def, uint32_t id)
{
    enum { PACKED_ID_BITS = 10 };
    const amd_program *p = c->p;
    const uint32_t *size = c->f->shader.workgroup_size;
    for (unsigned d = 0; d < def->n_defs; d++) {
        for (uint32_t a = 0; a < p->n_args && def->defs[d].id == id; a++) {
            const amd_arg *arg = &p->args[a];
            if (def->defs[d].reg != arg->reg * 4u)
                continue;
            if (arg->kind == AMD_ARG_WORKGROUP_ID)
                return arg->index && !p->hsa ? 0xffff : UINT32_MAX;
            if (arg->kind != AMD_ARG_LOCAL_ID)
                continue;
            if (!amd_has(p->target, packed_local_ids))
                return filled(size[arg->index] - 1);
            return filled(size[0] - 1) | filled(size[1] - 1) << PACKED_ID_BITS |
                   filled(size[2] - 1) << 2 * PACKED_ID_BITS;
        }
    }
    return UINT32_MAX;
}

/* The bits that the opcode alone says. */
static uint32_t
of_opcode(unsigned op)
{
    switch (op) {
    case AMD_BUFFER_LOAD_UBYTE:
    case AMD_GLOBAL_LOAD_UBYTE:
    case AMD_FLAT_LOAD_UBYTE:
    case AMD_SCRATCH_LOAD_UBYTE:
    case AMD_DS_READ_U8: return 0xff;
    case AMD_BUFFER_LOAD_USHORT:
    case AMD_GLOBAL_LOAD_USHORT:
    case AMD_FLAT_LOAD_USHORT:
    case AMD_SCRATCH_LOAD_USHORT:
    case AMD_DS_READ_U16: return 0xffff;
    case AMD_S_BCNT1_I32_B32: return 0x3f;
    case AMD_S_BCNT1_I32_B64: return 0x7f;
    default: return UINT32_MAX;
    }
}

static uint32_t
shifted(const mopt_ctx *c, ir_ref value, ir_ref count, bool left, unsigned steps)
{
    if (count.kind != IR_REF_CONST)
        return left ? UINT32_MAX : filled(possible(c, value, steps));
    uint32_t v = possible(c, value, steps);
    return left ? v << (count.id & 31) : v >> (count.id & 31);
}

static uint32_t
field(const mopt_ctx *c, ir_ref value, ir_ref at, ir_ref bits, unsigned steps)
{
    if (bits.kind != IR_REF_CONST)
        return UINT32_MAX;
    uint32_t mask = bits.id >= 32 ? UINT32_MAX : (1u << bits.id) - 1;
    return mask & shifted(c, value, at, false, steps);
}

static uint32_t
of_two(const mopt_ctx *c, const ir_instr *i, unsigned steps)
{
    uint32_t a = possible(c, i->refs[0], steps), b = possible(c, i->refs[1], steps);
    switch (i->op) {
    case AMD_V_AND_B32:
    case AMD_S_AND_B32: return a & b;
    case AMD_V_MIN_U32:
    case AMD_S_MIN_U32: return filled(a) & filled(b);
    case AMD_V_ADD_NC_U32:
    case AMD_V_ADD_CO_U32:
    case AMD_S_ADD_U32: return filled((uint64_t)filled(a) + filled(b));
    case AMD_V_MUL_LO_U32:
    case AMD_S_MUL_I32:
    case AMD_V_MUL_U32_U24:
        return filled(a) >> 16 || filled(b) >> 16 ? UINT32_MAX
                                                  : filled((uint64_t)filled(a) * filled(b));
    default: return filled(a) | filled(b); /* or, xor, max; selections */
    }
}

/* A product or a shift, and an addition. */
static uint32_t
of_sum(const mopt_ctx *c, const ir_instr *i, unsigned steps)
{
    uint64_t a = filled(possible(c, i->refs[0], steps)), b = i->refs[1].id & 31;
    if (i->op == AMD_V_LSHL_ADD_U32 && i->refs[1].kind != IR_REF_CONST)
        return UINT32_MAX;
    if (i->op == AMD_V_MAD_U32_U24) {
        b = filled(possible(c, i->refs[1], steps)) & 0xffffff;
        a = (a & 0xffffff) * b;
    } else {
        a <<= b;
    }
    return filled(a + filled(possible(c, i->refs[2], steps)));
}

static uint32_t
of_instr(const mopt_ctx *c, const ir_instr *i, unsigned steps)
{
    const ir_ref *r = i->refs;
    switch (i->op) {
    case AMD_V_LSHLREV_B32: return shifted(c, r[1], r[0], true, steps);
    case AMD_S_LSHL_B32: return shifted(c, r[0], r[1], true, steps);
    case AMD_V_LSHRREV_B32: return shifted(c, r[1], r[0], false, steps);
    case AMD_S_LSHR_B32: return shifted(c, r[0], r[1], false, steps);
    case AMD_V_BFE_U32: return field(c, r[0], r[1], r[2], steps);
    case AMD_S_BFE_U32:
        return r[1].kind != IR_REF_CONST ? UINT32_MAX
                                         : field(c, r[0], amd_const(r[1].id & 31),
                                                 amd_const(r[1].id >> 16 & 0x7f), steps);
    case AMD_V_AND_B32:
    case AMD_S_AND_B32:
    case AMD_V_OR_B32:
    case AMD_S_OR_B32:
    case AMD_V_XOR_B32:
    case AMD_S_XOR_B32:
    case AMD_V_MIN_U32:
    case AMD_S_MIN_U32:
    case AMD_V_MAX_U32:
    case AMD_S_MAX_U32:
    case AMD_V_ADD_NC_U32:
    case AMD_V_ADD_CO_U32:
    case AMD_S_ADD_U32:
    case AMD_V_MUL_LO_U32:
    case AMD_S_MUL_I32:
    case AMD_V_MUL_U32_U24:
    case AMD_V_CNDMASK_B32:
    case AMD_S_CSELECT_B32: return of_two(c, i, steps);
    case AMD_V_MAD_U32_U24:
    case AMD_V_LSHL_ADD_U32: return of_sum(c, i, steps);
    case AMD_P_PARALLELCOPY:
    case AMD_P_AS_UNIFORM: return i->n_defs == 1 ? possible(c, r[0], steps) : UINT32_MAX;
    default: return of_opcode(i->op);
    }
}

static uint32_t
possible(const mopt_ctx *c, ir_ref r, unsigned steps)
{
    if (r.kind == IR_REF_CONST)
        return r.id;
    const ir_instr *def = cg_def_of(&c->uses, r);
    if (!def || !steps || !def->n_defs || amd_rc_bytes(r.rc) != 4)
        return UINT32_MAX;
    if (def->op == AMD_P_STARTPGM)
        return argument(c, def, r.id);
    bool memory = amd_words_of(def->op) == AMD_WORDS_MEM;
    if (def->defs[0].id != r.id || !def->n_refs || (!memory && mopt_has_words(def)))
        return UINT32_MAX;
    return of_instr(c, def, steps - 1);
}

uint32_t
amd_opt_possible_bits(const mopt_ctx *c, ir_ref r)
{
    return possible(c, r, STEPS);
}
