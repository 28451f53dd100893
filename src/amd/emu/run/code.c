/* Decodes instructions when they are first reached, and binds them to their handlers.
 *
 * Each dword of the code's region has a slot for the instruction that begins there, so data between
 * instructions does no harm. A jump to another region makes that region the code; the decoded
 * instructions of a region are kept.
 */
#include "amd/emu/run/code.h"

#include "amd/emu/alu/alu.h"
#include "amd/emu/alu/shared_vgprs.h"
#include "amd/emu/check/check.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/flow/flow.h"
#include "amd/emu/graphics/graphics.h"
#include "amd/emu/image/image.h"
#include "amd/emu/matrix/matrix.h"
#include "amd/emu/mem/mem.h"
#include "amd/isa/codec/legal.h"
#include "amd/isa/table/dual.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/mimg.h"

/* Tries the opcode families, the most frequent first. */
static bool
bind(emu_inst *i)
{
    switch (i->in.fmt) {
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPK:
    case AMD_SOPC:
    case AMD_SOPP:
        return amd_emu_bind_salu(i) || amd_emu_bind_scalar_row(i) || amd_emu_bind_sopp(i) ||
               amd_emu_bind_hwreg(i) || amd_emu_bind_trap(i) || amd_emu_bind_barrier(i) ||
               amd_emu_bind_mode(i);
    case AMD_SMEM: return amd_emu_bind_smem(i) || amd_emu_bind_smem_write(i);
    case AMD_VOP1:
    case AMD_VOP2:
    case AMD_VOPC:
    case AMD_VOP3:
        return amd_emu_bind_lane(i) || amd_emu_bind_valu(i) || amd_emu_bind_vop3p(i) ||
               amd_emu_bind_scale(i) || amd_emu_bind_interp(i) || amd_emu_bind_scalar_row(i) ||
               amd_emu_bind_matrix(i);
    case AMD_VOP3P:
        return amd_emu_bind_vop3p(i) || amd_emu_bind_vop3p_wide(i) || amd_emu_bind_matrix(i) ||
               amd_emu_bind_wave_matrix(i);
    case AMD_VINTRP:
    case AMD_LDSDIR: return amd_emu_bind_interp(i);
    case AMD_VINTERP: return amd_emu_bind_vinterp(i);
    case AMD_EXP: return amd_emu_bind_export(i);
    case AMD_DS: return amd_emu_bind_gds(i) || amd_emu_bind_ds_src2(i) || amd_emu_bind_ds(i);
    case AMD_MUBUF:
    case AMD_MTBUF: return amd_emu_bind_buffer(i) || amd_emu_bind_format(i);
    case AMD_MIMG: return amd_emu_bind_bvh(i) || amd_emu_bind_image(i);
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH: return amd_emu_bind_flat(i);
    default: return false;
    }
}

/* Adds the register range of an operand: source `place`, or a result. */
static void
add_operand(emu_inst *i, bool source, unsigned place, uint32_t count, bool write)
{
    uint32_t n = i->n_ranges;
    amd_emu_add_range(i, source ? i->in.src[place] : i->in.dst[place], count, write);
    if (i->n_ranges > n)
        i->ranges[n].slot = source && place < 3    ? (uint8_t)(EMU_SLOT_SRC0 + place)
                            : !source && place < 2 ? (uint8_t)(EMU_SLOT_DST + place)
                                                   : EMU_SLOT_NONE;
}

/* The number of registers that the operand occupies in this instruction. */
static uint32_t
operand_width(amd_gen gen, const emu_inst *i, const amd_operand *o, bool wave64)
{
    if (amd_type_is_matrix((amd_type)o->type))
        return amd_operand_dwords(gen, i->row, &i->in, o, wave64);
    if (o->kind == AMD_K_VADDR && (i->in.fmt == AMD_MUBUF || i->in.fmt == AMD_MTBUF))
        return i->in.addr64 ? 2 : (uint32_t)i->in.idxen + i->in.offen;
    if (o->kind == AMD_K_VDATA && i->in.fmt == AMD_MIMG && o->type != AMD_T_VAR)
        return amd_mimg_data_dwords(i->row, &i->in);
    if (o->kind == AMD_K_VADDR && i->in.fmt == AMD_GLOBAL)
        return i->saddr == AMD_REG_ABSENT || i->saddr == AMD_REG_NULL ? 2 : 1;
    return amd_type_dwords((amd_type)o->type, wave64);
}

static void
note_operand(emu_inst *i, const amd_operand *o, uint16_t code)
{
    switch (o->kind) {
    case AMD_K_VDATA: i->vdata = code; break;
    case AMD_K_VADDR: i->vaddr = code; break;
    case AMD_K_SADDR: i->saddr = code; break;
    case AMD_K_RSRC: i->rsrc = code; break;
    case AMD_K_SAMP: i->samp = code; break;
    case AMD_K_SOFFSET: i->soffset = code; break;
    case AMD_K_VDATA0: i->data0 = code; break;
    case AMD_K_VDATA1: i->data1 = code; break;
    default: break;
    }
    if (o->role == AMD_ROLE_DST)
        i->result = code;
}

/* Walks the row's operands: records those of memory instructions by kind, and the registers that
 * are read and written. Image instructions add their own ranges when they are bound. */
static void
note_operands(amd_gen gen, emu_inst *i, bool wave64)
{
    unsigned d = 0, s = 0;
    i->vdata = i->vaddr = i->saddr = i->rsrc = i->samp = i->soffset = i->data0 = i->data1 =
        i->result = AMD_REG_ABSENT;
    for (const amd_operand *o = i->row->operands;
         o < i->row->operands + AMD_MAX_OPERANDS && o->role; o++)
        if (o->role != AMD_ROLE_IMM)
            note_operand(i, o, o->role == AMD_ROLE_SRC ? i->in.src[s++] : i->in.dst[d++]);
    d = s = 0;
    for (const amd_operand *o = i->row->operands;
         o < i->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->role == AMD_ROLE_IMM)
            continue;
        bool source = o->role == AMD_ROLE_SRC;
        unsigned place = source ? s++ : d++;
        uint32_t n = operand_width(gen, i, o, wave64);
        /* an atomic with a result writes only the first half of a compare-and-swap's data */
        bool atomic = i->row->flags & AMD_F_ATOMIC && o->role == AMD_ROLE_BOTH;
        bool sized = atomic && i->row->memory &&
                     i->in.fmt != AMD_MIMG; /* its sources are address parts */
        if (o->role != AMD_ROLE_DST && o->kind != AMD_K_PARAM)
            add_operand(i, source, place, n, false);
        if (!source && (!atomic || i->in.glc))
            add_operand(i, source, place, sized ? i->row->memory / 4u : n, true);
    }
    if (i->row->flags & AMD_F_VCC_R)
        amd_emu_add_range(i, AMD_REG_VCC_LO, wave64 ? 2 : 1, false);
    if (i->row->flags & AMD_F_M0_R)
        amd_emu_add_range(i, AMD_REG_M0, 1, false);
    if (i->in.tfe && i->in.fmt == AMD_MUBUF && i->result != AMD_REG_ABSENT)
        amd_emu_add_range(i, i->result + i->row->memory / 4u, 1, true);
}

static void
check_registers(emu_wave *w, const emu_inst *i)
{
    for (uint32_t r = 0; r < i->n_ranges; r++) {
        uint32_t last = i->ranges[r].first + i->ranges[r].count - 1u;
        if (amd_emu_is_block(i) && i->ranges[r].count == EMU_BLOCK)
            continue; /* m0 selects the ones used: flat.c */
        if (i->ranges[r].first >= AMD_REG_AGPR0) {
            if (last - AMD_REG_AGPR0 >= w->n_agprs)
                amd_emu_find(w, EMU_RULE_REGISTER_BOUNDS, -1,
                             "a%u is used, but %u AGPRs are allocated", last - AMD_REG_AGPR0,
                             w->n_agprs);
        } else if (i->ranges[r].first >= AMD_REG_VGPR0 && last - AMD_REG_VGPR0 >= w->n_vgprs)
            amd_emu_find(
                w, i->in.op == AMD_EXPORT ? EMU_RULE_EXPORT_REGISTER : EMU_RULE_REGISTER_BOUNDS, -1,
                "v%u is used, but %u VGPRs are allocated", last - AMD_REG_VGPR0, w->n_vgprs);
        /* after the last SGPR come vcc and, before gfx10, flat_scratch and xnack_mask */
        if (last < amd_emu_gen_of(w->m->d->gen)->max_sgprs && w->m->d->n_sgprs &&
            last >= w->m->d->n_sgprs)
            amd_emu_find(w, EMU_RULE_REGISTER_BOUNDS, -1, "s%u is used, but %u SGPRs are allocated",
                         last, w->m->d->n_sgprs);
    }
}

/* Reports operands that can be encoded but that the hardware does not support: it would do
 * something else. */
static void
check_operands(emu_wave *w, const emu_inst *i)
{
    const char *rule = amd_inst_illegal(w->m->d->gen, &i->in, w->lanes > 32);
    if (rule)
        amd_emu_find(w, EMU_RULE_OPERANDS, -1, "the operands break a rule: %s", rule);
}

/* Is lds_direct among the sources (of a vector ALU instruction)? */
static bool
reads_lds_direct(const emu_inst *i)
{
    for (unsigned k = 0; k < i->in.n_src; k++)
        if (i->in.src[k] == AMD_SRC_LDS_DIRECT)
            return true;
    return false;
}

/* VOPD: creates the halves; false if one is unknown. */
static bool
split_dual(amd_gen gen, arena *a, emu_inst *i)
{
    i->halves = ARENA_ARRAY(a, 2, emu_inst);
    for (unsigned k = 0; k < 2; k++) {
        emu_inst *half = &i->halves[k];
        half->in = amd_dual_half(&i->in, k);
        half->row = amd_op_row((amd_op)half->in.op);
        half->pc = i->pc;
        half->next = i->next;
        note_operands(gen, half, false);
        if (!bind(half))
            return false;
        for (uint32_t r = 0; r < half->n_ranges; r++)
            amd_emu_add_range(i, half->ranges[r].first, half->ranges[r].count,
                              half->ranges[r].write);
    }
    i->run = amd_emu_dual;
    return true;
}

/* A region that was entered, and its decoded instructions. */
typedef struct emu_code {
    struct emu_code *next;
    const mach_region *region;
    emu_inst **insts;
} emu_code;

static bool
enter_region(emu_wave *w, uint64_t pc)
{
    emu_machine *m = w->m;
    uint32_t hint = 0;
    m->code = mach_memory_find(m->memory, &hint, pc, 4);
    if (!m->code) {
        amd_emu_stop(w, MACH_RUN_BAD_CODE, "the program counter is 0x%llx, where nothing is mapped",
                     (unsigned long long)pc);
        return false;
    }
    emu_code *c = m->codes;
    while (c && c->region != m->code)
        c = c->next;
    if (!c) {
        c = ARENA_NEW(m->arena, emu_code);
        *c = (emu_code){m->codes, m->code,
                        ARENA_ARRAY(m->arena, (size_t)(m->code->size / 4 + 1), emu_inst *)};
        m->codes = c;
    }
    m->insts = c->insts;
    return true;
}

emu_inst *
amd_emu_fetch(emu_wave *w, uint64_t pc)
{
    emu_machine *m = w->m;
    if ((!m->code || pc - m->code->base >= m->code->size) && !enter_region(w, pc))
        return NULL;
    uint64_t at = pc - m->code->base;
    emu_inst **place = &m->insts[at / 4];
    if (*place)
        return *place;
    emu_inst *i = ARENA_NEW(m->arena, emu_inst);
    i->pc = pc;
    i->gen = (uint8_t)m->d->gen;
    i->unpacked_d16 = m->d->gen == AMD_GFX8 && !m->d->packed_d16;
    bool extra;
    w->at = i;
    if (at % 4 || !amd_decode_loose(m->d->gen, m->code->host + at, (size_t)(m->code->size - at),
                                    &i->in, &extra)) {
        amd_emu_stop(w, MACH_RUN_BAD_CODE, "these bytes are not an instruction");
        return NULL;
    }
    i->next = pc + i->in.size;
    i->row = amd_op_row((amd_op)i->in.op);
    i->relative = amd_emu_is_relative(&i->in);
    bool dual = i->in.fmt == AMD_VOPD;
    bool bound = dual && split_dual(m->d->gen, m->arena, i);
    if (!dual)
        note_operands(m->d->gen, i, w->lanes > 32);
    if (!bound && (dual || !bind(i))) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED, "the emulator does not have %s",
                     amd_op_name((amd_op)i->in.op, m->d->gen));
        return NULL;
    }
    if (reads_lds_direct(i)) {
        i->inner = i->run;
        i->run = amd_emu_lds_direct;
        amd_emu_add_range(i, AMD_REG_M0, 1, false);
    }
    if (amd_emu_writes_shared_vgprs(w, i)) {
        i->unshared = i->run;
        i->run = amd_emu_shared_vgprs;
    }
    check_registers(w, i);
    check_operands(w, i);
    if (m->hazards)
        i->hazards = amd_emu_hazards_info(m->arena, m->hazards, i, w->lanes > 32);
    *place = i;
    return i;
}
