/* Rules of the *hazards* checker that do not fit a pair of sides: single instructions that a chip
 * cannot handle, and rules that depend on the kind of the last vector instructions. hazards.def has
 * the sources. */
#include "amd/emu/check/hazards.h"
#include "amd/emu/core/operand.h"

#define IS(i, name) amd_emu_hazard_is(i, HAZARD_C(name))

/* The registers of the first use that includes `how` (and is in VGPRs, if `vector`); NULL if there
 * is none. */
static const hazard_use *
find_use(const emu_inst *i, uint32_t how, bool vector)
{
    const struct emu_hazard_info *info = i->hazards;
    for (uint32_t k = 0; k < info->n_uses; k++)
        if (info->uses[k].how & how && (info->uses[k].code >= AMD_REG_VGPR0) == vector)
            return &info->uses[k];
    return NULL;
}

static bool
touches(const emu_inst *i, uint32_t how, const hazard_use *u)
{
    const struct emu_hazard_info *info = i->hazards;
    for (uint32_t k = 0; k < info->n_uses; k++)
        if (info->uses[k].how & how && amd_emu_hazard_overlap(HAZARD_S_VECTOR, &info->uses[k], u))
            return true;
    return false;
}

/* The ring's entry `back` places before the newest; NULL beyond its end. */
static const hazard_issue *
issued(const struct emu_hazards *h, uint32_t back)
{
    if (back >= h->n || back >= HAZARD_RING)
        return NULL;
    return &h->ring[(h->n - 1 - back) % HAZARD_RING];
}

/* The vector ALU instruction `back` places before the newest. */
static const emu_inst *
last_valu(const struct emu_hazards *h, uint32_t back, uint32_t *execs)
{
    if (back >= h->n_valu || back >= HAZARD_VALU_RING)
        return NULL;
    uint32_t at = (h->n_valu - 1 - back) % HAZARD_VALU_RING;
    if (execs)
        *execs = h->valu[at].execs;
    return h->valu[at].inst;
}

void
amd_emu_hazard_test_inst_prefetch(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    if (i->in.op == AMD_S_INST_PREFETCH)
        amd_emu_hazard_report(w, r, NULL, "");
}

void
amd_emu_hazard_test_offset_3f(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    bool relative = i->in.fmt == AMD_SOPP || i->in.fmt == AMD_SOPK;
    if (relative && ((uint32_t)i->in.imm & 0xffff) == 0x3f)
        amd_emu_hazard_report(w, r, NULL, "");
}

void
amd_emu_hazard_test_flat_offset(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    if (i->in.offset != 0)
        amd_emu_hazard_report(w, r, NULL, "");
}

void
amd_emu_hazard_test_negative_scratch(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    if (i->in.fmt == AMD_SCRATCH && i->in.offset < 0 && find_use(i, HAZARD_READ, false))
        amd_emu_hazard_report(w, r, NULL, "");
}

/* The VGPR that holds a scratch instruction's address; AMD_REG_ABSENT if none. */
static uint16_t
scratch_vgpr(const emu_inst *i)
{
    unsigned s = 0;
    for (const amd_operand *o = i->row->operands;
         o < i->row->operands + AMD_MAX_OPERANDS && o->role; o++) {
        if (o->kind == AMD_K_VADDR)
            return i->in.src[s];
        s += o->role == AMD_ROLE_SRC;
    }
    return AMD_REG_ABSENT;
}

void
amd_emu_hazard_test_negative_unaligned(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    if (i->in.fmt == AMD_SCRATCH && i->in.offset < 0 && i->in.offset % 4 != 0 &&
        scratch_vgpr(i) != AMD_REG_ABSENT)
        amd_emu_hazard_report(w, r, NULL, "");
}

/* The parts of a scratch address are swizzled before they are added, so their lowest two bits must
 * not carry. */
void
amd_emu_hazard_test_carry_scratch(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const hazard_use *s = find_use(i, HAZARD_READ, false);
    uint16_t v = scratch_vgpr(i);
    if (i->in.fmt != AMD_SCRATCH || !s || v == AMD_REG_ABSENT)
        return;
    uint32_t low = (w->sgpr[s->code] + (uint32_t)i->in.offset) & 3;
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1)
        if ((w->vgpr[v - AMD_REG_VGPR0][base_ctz64(left)] & 3) + low > 3) {
            amd_emu_hazard_report(w, r, NULL, " (lane %u)", base_ctz64(left));
            return;
        }
}

void
amd_emu_hazard_test_long_nsa(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    if (i->in.n_nsa > 5)
        amd_emu_hazard_report(w, r, NULL, "");
}

void
amd_emu_hazard_test_nsa_in_clause(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    (void)i;
    if (w->hazards->clause)
        amd_emu_hazard_report(w, r, NULL, "");
}

/* Checks only lanes whose address is in the shared aperture. */
void
amd_emu_hazard_test_misaligned_flat(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    uint32_t bytes = i->row->memory, v = scratch_vgpr(i) - AMD_REG_VGPR0;
    if (bytes <= 4 || i->row->flags & AMD_F_ATOMIC || v + 1 >= EMU_MAX_VGPRS)
        return;
    uint32_t align = bytes == 8 ? 8 : 16;
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        bool shared = w->vgpr[v + 1][l] == AMD_EMU_SHARED_BASE >> 32;
        if (shared && w->vgpr[v][l] % align) {
            amd_emu_hazard_report(w, r, NULL, " (lane %u)", l);
            return;
        }
    }
}

void
amd_emu_hazard_test_last_shift(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    uint32_t v = (uint32_t)i->in.src[0] - AMD_REG_VGPR0;
    if (v < EMU_MAX_VGPRS && v % 8 == 7 && v + 1 >= w->n_vgprs)
        amd_emu_hazard_report(w, r, NULL, "");
}

/* LLVM never lets the result overlap a source. clang's code overlaps the addend's high half where
 * that does no harm, so that is not reported. */
void
amd_emu_hazard_test_mad_overlap(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const hazard_use *d = find_use(i, HAZARD_WRITE, true);
    for (unsigned k = 0; d && k < 2; k++)
        if ((uint32_t)i->in.src[k] - d->code < d->count) {
            amd_emu_hazard_report(w, r, NULL, "");
            return;
        }
}

void
amd_emu_hazard_test_dealloc(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const hazard_issue *e = issued(w->hazards, 0);
    (void)i;
    if (!e || e->inst->in.op != AMD_S_NOP)
        amd_emu_hazard_report(w, r, NULL, "");
}

void
amd_emu_hazard_test_denorm_mode(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const struct emu_hazards *h = w->hazards;
    const hazard_issue *e;
    (void)i;
    for (uint32_t k = 0; (e = issued(h, k)); k++) {
        uint32_t between = h->time - e->time - e->inst->hazards->states;
        if (between >= 3 || IS(e->inst, VALU) || e->inst->hazards->waits & HAZARD_WAIT_ANY)
            return;
        if (IS(e->inst, FP_ATOMIC)) {
            amd_emu_hazard_report(w, r, e->inst,
                                  "needs 3 wait states, a wait or a vector instruction");
            return;
        }
    }
}

/* A v_accvgpr_* comes directly before `i`, and before it a vector instruction that writes a
 * register that `i` reads. */
void
amd_emu_hazard_test_late_accumulator(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const hazard_issue *acc = issued(w->hazards, 0), *e = issued(w->hazards, 1);
    const struct emu_hazard_info *info = i->hazards;
    if (!acc || !e || !(IS(acc->inst, ACC_READ) || IS(acc->inst, ACC_WRITE)) ||
        !IS(e->inst, VALU_PLAIN))
        return;
    for (uint32_t k = 0; k < info->n_uses; k++)
        if (info->uses[k].how & HAZARD_READ && touches(e->inst, HAZARD_WRITE, &info->uses[k])) {
            amd_emu_hazard_report(w, r, e->inst, "needs a wait state more");
            return;
        }
}

void
amd_emu_hazard_test_after_dgemm(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const hazard_issue *gemm = issued(w->hazards, 0), *e = issued(w->hazards, 1);
    const struct emu_hazard_info *info = i->hazards;
    if (!gemm || !e || !IS(gemm->inst, DGEMM) || !IS(e->inst, VALU))
        return;
    for (uint32_t k = 0; k < info->n_uses; k++)
        if (info->uses[k].how & HAZARD_READ && touches(e->inst, HAZARD_WRITE, &info->uses[k])) {
            amd_emu_hazard_report(w, r, e->inst, "needs 2 wait states between, there is 1");
            return;
        }
}

void
amd_emu_hazard_test_trans_use(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const struct emu_hazards *h = w->hazards;
    const struct emu_hazard_info *info = i->hazards;
    const emu_inst *v;
    if (h->since_trans > 5)
        return;
    for (uint32_t u = 0; u < info->n_uses; u++) {
        uint32_t trans = 0;
        if (!(info->uses[u].how & HAZARD_READ) || info->uses[u].code < AMD_REG_VGPR0)
            continue;
        for (uint32_t k = 0; k <= 5 && trans <= 1 && (v = last_valu(h, k, NULL)); k++) {
            bool writes = touches(v, HAZARD_WRITE, &info->uses[u]);
            if (writes && IS(v, TRANS)) {
                amd_emu_hazard_report(w, r, v, "is not waited for");
                return;
            }
            trans += IS(v, TRANS);
        }
    }
}

/* The last write of register `code`: how many vector instructions back, and the number of exec
 * writes before it. False if that is too long ago. */
static bool
last_write(const struct emu_hazards *h, uint32_t code, uint32_t *back, uint32_t *execs)
{
    hazard_use u = {(uint16_t)code, 1, HAZARD_READ};
    const emu_inst *v;
    for (*back = 0; (v = last_valu(h, *back, execs)); ++*back)
        if (touches(v, HAZARD_WRITE, &u))
            return true;
    return false;
}

/* Collects the VGPRs that an instruction reads; returns their number. */
static uint32_t
vgprs_read(const emu_inst *i, uint32_t *codes, uint32_t room)
{
    const struct emu_hazard_info *info = i->hazards;
    uint32_t n = 0;
    for (uint32_t u = 0; u < info->n_uses; u++)
        for (uint32_t k = 0; k < info->uses[u].count; k++)
            if (info->uses[u].how & HAZARD_READ && info->uses[u].code >= AMD_REG_VGPR0 &&
                info->uses[u].code < HAZARD_HWREG0 && n < room)
                codes[n++] = info->uses[u].code + k;
    return n;
}

/* Did a scalar instruction write exec within the last `n` vector instructions? */
static bool
exec_changed(const struct emu_hazards *h, uint32_t n)
{
    uint32_t newest, oldest;
    if (!last_valu(h, 0, &newest))
        return false;
    while (!last_valu(h, n - 1, &oldest))
        n--;
    return newest != oldest;
}

/* One of two VGPRs was written after a scalar write of exec, at most 4 vector instructions ago; the
 * other one before it, at most 2 vector instructions earlier. */
void
amd_emu_hazard_test_partial_forward(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const struct emu_hazards *h = w->hazards;
    if (!exec_changed(h, 8))
        return;
    uint32_t codes[16], n = vgprs_read(i, codes, 16);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            uint32_t old, young, execs_old, execs_young;
            if (codes[a] == codes[b] || !last_write(h, codes[a], &old, &execs_old) ||
                !last_write(h, codes[b], &young, &execs_young))
                continue;
            if (young <= 4 && old > young && old - young - 1 <= 2 && execs_old != execs_young) {
                amd_emu_hazard_report(w, r, last_valu(h, old, NULL),
                                      "wrote v%u before exec changed", codes[a] - AMD_REG_VGPR0);
                return;
            }
        }
}

/* LDS direct waits for vector instructions according to its field. The wait must cover the last use
 * of its destination among the last 15 instructions, and all of them if one of those is
 * transcendental. */
void
amd_emu_hazard_test_lds_direct(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const struct emu_hazards *h = w->hazards;
    const hazard_use *d = find_use(i, HAZARD_WRITE, true);
    const emu_inst *v;
    bool trans = false;
    for (uint32_t k = 0; d && k < 15 && (v = last_valu(h, k, NULL)); k++) {
        trans |= IS(v, TRANS);
        if (!touches(v, HAZARD_READ | HAZARD_WRITE, d))
            continue;
        if (i->in.wait_vdst > (trans ? 0 : k))
            amd_emu_hazard_report(w, r, v, "is not waited for");
        return;
    }
}

/* ---- soft clauses ---- */

/* The instruction `back` places before `i`, which is about to be issued, if it is in the same soft
 * clause; else NULL. */
static const emu_inst *
in_clause(const emu_wave *w, const emu_inst *i, uint32_t back)
{
    const hazard_issue *e = issued(w->hazards, back);
    uint64_t kind = IS(i, SMEM) ? HAZARD_C(SMEM) : HAZARD_VMEM_CLAUSE;
    return e && amd_emu_hazard_is(e->inst, kind) ? e->inst : NULL;
}

static bool
overwrites_own(const emu_inst *i)
{
    const struct emu_hazard_info *info = i->hazards;
    for (uint32_t k = 0; k < info->n_uses; k++) {
        const hazard_use *w = &info->uses[k];
        for (uint32_t m = 0; w->how & HAZARD_WRITE && m < info->n_uses; m++) {
            const hazard_use *r = &info->uses[m];
            if (r->how & HAZARD_READ && r->code < w->code + w->count &&
                w->code < r->code + r->count)
                return true;
        }
    }
    return false;
}

/* A clause with more than one instruction has two next to each other. */
void
amd_emu_hazard_test_self_in_clause(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const emu_inst *before = in_clause(w, i, 0);
    if (before && !IS(before, VM_STORE) && (overwrites_own(i) || overwrites_own(before)))
        amd_emu_hazard_report(w, r, before, "");
}

void
amd_emu_hazard_test_store_in_clause(emu_wave *w, const emu_inst *i, const hazard_rule *r)
{
    const emu_inst *before = i;
    if (!(i->row->flags & (AMD_F_STORE | AMD_F_ATOMIC)))
        return;
    for (uint32_t back = 0; before && (before == i || IS(before, VM_STORE)); back++)
        before = in_clause(w, i, back);
    if (before)
        amd_emu_hazard_report(w, r, before, "");
}
