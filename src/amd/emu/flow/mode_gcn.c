/* MODE bits that only gfx6 to gfx942 have, and the instructions that change them.
 *
 * - GPR_IDX_EN (27; from gfx8 on): registers of vector ALU instructions are indexed. m0 7:0 is
 *   added to the VGPR numbers that m0 15:12 selects: SRC0, SRC1, SRC2, destination ("Vega" ISA,
 *   S_SET_GPR_IDX_ON). Beyond the allocated registers a source reads v0 and a result is dropped
 *   ("Vega" ISA, "Out-of-range behavior").
 * - VSKIP (28): vector instructions, including memory instructions, are skipped; skipped ones are
 *   not counted in any counter ("Vega" ISA, S_SETVSKIP).
 * - CSP (31:29): the stack pointer of s_cbranch_*_fork. An entry has four SGPRs, from s0 on: exec,
 *   then the address at which those lanes continue. A fork with divergent lanes continues with the
 *   smaller set; s_cbranch_join then continues with the others, until the stack is as it was before
 *   the fork ("Vega" ISA, S_CBRANCH_G_FORK).
 */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/flow/flow.h"

enum { CSP = 29 };
#define GPR_IDX_EN (UINT32_C(1) << 27)
#define VSKIP      (UINT32_C(1) << 28)

uint32_t
amd_emu_mode_special(amd_gen gen)
{
    return gen < AMD_GFX8 ? VSKIP : gen < AMD_GFX10 ? VSKIP | GPR_IDX_EN : 0;
}

static bool
is_vector_alu(const emu_inst *i)
{
    return (i->in.fmt >= AMD_VOP1 && i->in.fmt <= AMD_VOP3P) || i->in.fmt == AMD_VINTRP;
}

/* Applies the index to a VGPR; false beyond the allocated ones. */
static bool
indexed(emu_wave *w, uint16_t *code, uint32_t bit)
{
    uint32_t m0 = w->sgpr[AMD_REG_M0], reg = *code - AMD_REG_VGPR0 + (m0 & 255);
    if (*code < AMD_REG_VGPR0 || *code >= AMD_REG_AGPR0 || !(m0 >> (12 + bit) & 1))
        return true;
    if (reg >= w->n_vgprs) {
        amd_emu_find(w, EMU_RULE_REGISTER_BOUNDS, -1, "m0 leads to v%u, but %u VGPRs are allocated",
                     reg, w->n_vgprs);
        *code = AMD_REG_VGPR0;
        return false;
    }
    *code = (uint16_t)(AMD_REG_VGPR0 + reg);
    return true;
}

const emu_inst *
amd_emu_mode_apply(emu_wave *w, const emu_inst *i, emu_inst *room)
{
    bool vector = i->in.fmt >= AMD_VOP1, written = true;
    if (vector && w->mode & VSKIP)
        return NULL;
    if (!(w->mode & GPR_IDX_EN) || !is_vector_alu(i))
        return i;
    if (w->shadow && w->shadow->s[AMD_REG_M0] & 0xf0ff)
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "register index");
    *room = *i;
    for (uint32_t s = 0; s < i->in.n_src && s < 3; s++)
        indexed(w, &room->in.src[s], s);
    if (i->in.n_dst)
        written = indexed(w, &room->in.dst[0], 3);
    amd_emu_move_ranges(room);
    return written ? room : NULL;
}

/* Sets bits `mask` of m0 to `v`; bits in `undefined` become undefined. */
static void
set_m0(emu_wave *w, uint32_t mask, uint32_t v, uint64_t undefined)
{
    uint32_t *m0 = &w->sgpr[AMD_REG_M0];
    *m0 = (*m0 & ~mask) | (v & mask);
    if (w->shadow) {
        uint32_t *s = &w->shadow->s[AMD_REG_M0];
        *s = (*s & ~mask) | ((uint32_t)undefined & mask);
    }
}

static void
set_gpr_idx(emu_wave *w, const emu_inst *i)
{
    uint32_t enables = ((uint32_t)i->in.imm & 15) << 12, index = 0;
    uint64_t undefined = 0;
    if (i->in.n_src) {
        index = amd_emu_read_s32(w, &i->in, i->in.src[0]);
        undefined = w->shadow ? amd_emu_shadow_bits(w, i->in.src[0], false) : 0;
    }
    switch (i->in.op) {
    case AMD_S_SET_GPR_IDX_ON:
        w->mode |= GPR_IDX_EN;
        set_m0(w, 0xff, index, undefined);
        set_m0(w, 0xf000, enables, 0);
        break;
    case AMD_S_SET_GPR_IDX_IDX: set_m0(w, 0xff, index, undefined); break;
    case AMD_S_SET_GPR_IDX_MODE: set_m0(w, 0xf000, enables, 0); break;
    default: w->mode &= ~GPR_IDX_EN; break;
    }
}

static void
set_vskip(emu_wave *w, const emu_inst *i)
{
    uint32_t bit = amd_emu_read_s32(w, &i->in, i->in.src[1]) & 31;
    if (w->shadow) {
        amd_emu_shadow_use_scalar(w, i->in.src[0], 1, "VSKIP");
        amd_emu_shadow_use_scalar(w, i->in.src[1], 1, "VSKIP");
    }
    w->mode &= ~VSKIP;
    if (amd_emu_read_s32(w, &i->in, i->in.src[0]) >> bit & 1)
        w->mode |= VSKIP;
}

/* Moves the top of the stack by `step` entries; returns the first of the entry's four SGPRs. */
static uint32_t
move_stack(emu_wave *w, uint32_t step)
{
    uint32_t old = w->mode >> CSP, now = (old + step) & 7;
    w->mode = (w->mode & base_mask64(CSP)) | now << CSP;
    return (step == 1 ? old : now) * 4;
}

static void
push(emu_wave *w, uint64_t address, uint64_t exec)
{
    uint32_t code = move_stack(w, 1);
    amd_emu_write_s64(w, code, exec);
    amd_emu_write_s64(w, code + 2, address);
    if (w->shadow)
        amd_emu_shadow_define(w, code, 4);
}

/* Lanes of the mask go to `target`, the others continue; the smaller set runs first. */
static void
fork_lanes(emu_wave *w, const emu_inst *i, uint64_t target)
{
    uint64_t exec = amd_emu_exec(w), mask = amd_emu_read_s64(w, &i->in, i->in.src[0]);
    uint64_t pass = mask & exec, fail = ~mask & exec;
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, i->in.src[0], 2, "lanes of a fork");
    target = mach_canonical(target);
    if (pass == exec) {
        w->pc = target;
    } else if (fail == exec) {
        return;
    } else if (base_popcount64(fail) < base_popcount64(pass)) {
        push(w, target, pass);
        amd_emu_write_s64(w, AMD_REG_EXEC_LO, fail);
    } else {
        push(w, i->next, fail);
        amd_emu_write_s64(w, AMD_REG_EXEC_LO, pass);
        w->pc = target;
    }
}

static void
fork_by_register(emu_wave *w, const emu_inst *i)
{
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, i->in.src[1], 2, "program counter");
    fork_lanes(w, i, amd_emu_read_s64(w, &i->in, i->in.src[1]));
}

static void
fork_by_constant(emu_wave *w, const emu_inst *i)
{
    fork_lanes(w, i, i->next + (uint64_t)((int64_t)(int16_t)i->in.imm * 4));
}

static void
join(emu_wave *w, const emu_inst *i)
{
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, i->in.src[0], 1, "stack pointer");
    if (w->mode >> CSP == amd_emu_read_s32(w, &i->in, i->in.src[0]))
        return;
    uint32_t code = move_stack(w, 7);
    uint64_t exec = amd_emu_read_s64(w, &i->in, code);
    w->pc = mach_canonical(amd_emu_read_s64(w, &i->in, code + 2));
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, code, 4, "entry of the fork stack");
    amd_emu_write_s64(w, AMD_REG_EXEC_LO, exec);
}

bool
amd_emu_bind_mode(emu_inst *i)
{
    switch (i->in.op) {
    case AMD_S_SET_GPR_IDX_ON:
    case AMD_S_SET_GPR_IDX_OFF:
    case AMD_S_SET_GPR_IDX_MODE:
    case AMD_S_SET_GPR_IDX_IDX: i->run = set_gpr_idx; return true;
    case AMD_S_SETVSKIP: i->run = set_vskip; return true;
    case AMD_S_CBRANCH_G_FORK: i->run = fork_by_register; return true;
    case AMD_S_CBRANCH_I_FORK: i->run = fork_by_constant; return true;
    case AMD_S_CBRANCH_JOIN: i->run = join; return true;
    default: return false;
    }
}
