/* insert_NOPs: inserts wait states and other instructions that avoid known hardware hazards.
 *
 * The rules are in hazards.def; hazard.h says what a rule is. A walk over the blocks in order
 * carries what is pending: for rules that count, a list of registers with the number of wait states
 * or vector instructions that are still missing (where the list is full, all registers of the rule
 * are taken for pending); for the others a set of registers, two if a rule
 * has a middle instruction. Joins take all that any predecessor has; cg/settle.h says how loops are
 * walked. Targets without rules are not walked at all: gfx10.3 has no hazard that software must
 * resolve (LLVM 19, AMDGPU.td: FeatureISAVersion10_3_0 names none).
 *
 * The debug switch force-waitdeps inserts s_waitcnt_depctr 0 before every instruction. It waits
 * until everything in flight has finished (its fields are the counts to wait for: LLVM 19,
 * SIDefines.h, DepCtr). A failure that disappears with it is caused by an unresolved hazard.
 */
#include "amd/post/hazard.h"
#include "amd/post/wait_count.h"
#include "amd/target/pair.h"
#include "cg/settle.h"

#include <assert.h>
#include <string.h>

enum { MAX_RULES = 32, MAX_COUNTED = 96, MAX_NOP = 8, MAX_AGE = 16 };

/* A register of a rule that counts, and what is missing. */
typedef struct counted {
    uint8_t rule, missing;
    uint8_t age; /* middle instructions that have come; those in a row count once */
    uint16_t first, count;
} counted;

typedef struct pending {
    /* By rule: what any register may lack, as entries had no room in the list; 0: all had. */
    uint8_t lost[MAX_RULES];
    uint32_t n_counted;
    counted counted[MAX_COUNTED];
    uint64_t open[]; /* the sets of all rules, at nops.at */
} pending;

/* A rule of the target, and where its sets are: `words` from `at` on before the middle instruction,
 * as many after them behind it. */
typedef struct rule {
    const amd_hazard *h;
    uint32_t at, words;
    uint16_t low, high; /* the registers of its space */
} rule;

typedef struct nops {
    ir_fn *f;
    amd_program *p;
    uint32_t n_rules, n_words;
    rule rules[MAX_RULES];
    uint64_t lasts; /* classes of any rule's last instruction */
    bool has_split; /* a rule of the kind `split` */
    pending *now;
    pending **at_end, **at_header; /* by block; NULL: nothing known */
} nops;

/* What must be inserted before an instruction. */
typedef struct wanted {
    uint32_t fixes; /* bits of amd_hazard_fix */
    uint32_t states, fields;
} wanted;

/* ---- registers ---- */

static const struct {
    uint16_t low, high;
} spaces[] = {
    [HZ_NO_REGS] = {0, 0},
    [HZ_SCALAR] = {0, AMD_TRACKED_SCALARS - 1},
    [HZ_SGPR] = {0, AMD_REG_VCC_HI},
    [HZ_SGPR_NOT_VCC] = {0, AMD_REG_VCC_LO - 1},
    [HZ_VCC] = {AMD_REG_VCC_LO, AMD_REG_VCC_HI},
    [HZ_EXECS] = {AMD_REG_EXEC_LO, AMD_REG_EXEC_HI},
    [HZ_M0] = {AMD_REG_M0, AMD_REG_M0},
    [HZ_VGPR] = {AMD_TRACKED_SCALARS, AMD_TRACKED_REGS - 1},
};

/* The part of use `u` that the rule is about, counted from its space's first register. */
static amd_reg_range
in_space(const rule *r, const amd_hazard_use *u, uint32_t how, bool pairs)
{
    uint32_t first = u->first, end = u->first + u->count;
    if (!(u->how & how))
        return (amd_reg_range){0, 0};
    if (pairs) {
        first &= ~1u;
        end += end & 1;
    }
    first = first > r->low ? first : r->low;
    end = end <= r->high + 1u ? end : r->high + 1u;
    return first < end ? (amd_reg_range){first - r->low, end - first} : (amd_reg_range){0, 0};
}

/* Calls `visit` for each range of registers that the instruction uses as the side says; once, with
 * register 0, if the rule has no registers. */
typedef void
visit_range(nops *n, uint32_t rule, amd_reg_range range);

static void
each_range(nops *n, uint32_t k, const amd_hazard_info *info, const amd_hazard_side *side,
           visit_range *visit)
{
    const rule *r = &n->rules[k];
    if (!(info->is & side->is))
        return;
    if (r->h->space == HZ_NO_REGS) {
        visit(n, k, (amd_reg_range){0, 1});
        return;
    }
    for (uint32_t u = 0; u < info->n_uses; u++) {
        bool pairs = r->h->pairs && side == &r->h->first;
        amd_reg_range range = in_space(r, &info->uses[u], side->how, pairs);
        if (range.count)
            visit(n, k, range);
    }
}

static uint64_t
bit(uint32_t reg)
{
    return UINT64_C(1) << reg % 64;
}

/* ---- one instruction ---- */

static bool
counts(const amd_hazard *h)
{
    return h->states || h->valus;
}

static bool
overlaps(amd_reg_range a, const counted *c)
{
    return a.first < c->first + c->count && c->first < a.first + a.count;
}

/* What `range` still lacks for rule `k`, which counts, of registers that are at least as old. */
static uint32_t
missing_count(const nops *n, uint32_t k, amd_reg_range range, uint32_t age)
{
    uint32_t most = range.count ? n->now->lost[k] : 0;
    for (uint32_t c = 0; c < n->now->n_counted; c++) {
        const counted *at = &n->now->counted[c];
        if (at->rule == k && at->age >= age && overlaps(range, at) && at->missing > most)
            most = at->missing;
    }
    return most;
}

/* The wait states (1 if the rule counts something else) that `range` still lacks for rule `k`. */
static uint32_t
missing(const nops *n, uint32_t k, amd_reg_range range)
{
    const rule *r = &n->rules[k];
    const uint64_t *open = n->now->open + r->at + (r->h->middle.is ? r->words : 0);
    if (counts(r->h))
        return missing_count(n, k, range, r->h->middle.is != 0);
    for (uint32_t reg = range.first; reg < range.first + range.count; reg++) {
        if (open[reg / 64] & bit(reg))
            return 1;
    }
    return 0;
}

static bool
is_read(const nops *n, const counted *c, const amd_hazard_info *info)
{
    const rule *r = &n->rules[c->rule];
    for (uint32_t u = 0; u < info->n_uses; u++) {
        if (overlaps(in_space(r, &info->uses[u], r->h->last.how, false), c))
            return true;
    }
    return false;
}

/* Is `old` from before a middle instruction behind which `young` is, and do they lie near enough to
 * each other? */
static bool
is_split(const nops *n, const counted *young, const counted *old)
{
    const amd_hazard *h = n->rules[young->rule].h;
    bool near = young->missing < old->missing + h->valus - h->split;
    return old->rule == young->rule && old->age > young->age && near;
}

/* Does the last instruction of a rule of the kind `split` read a register that one of the latest
 * vector instructions wrote, and one that was written before, with a middle instruction between? */
static bool
reads_both(const nops *n, uint32_t k, const amd_hazard_info *info)
{
    const amd_hazard *h = n->rules[k].h;
    const counted *all = n->now->counted;
    if (n->now->lost[k])
        return true;
    for (uint32_t a = 0; a < n->now->n_counted; a++) {
        if (all[a].rule != k || all[a].missing <= h->valus - h->split || !is_read(n, &all[a], info))
            continue;
        for (uint32_t b = 0; b < n->now->n_counted; b++) {
            if (is_split(n, &all[a], &all[b]) && is_read(n, &all[b], info))
                return true;
        }
    }
    return false;
}

/* Adds what the rules demand before an instruction. */
static wanted
find_wanted(const nops *n, const amd_hazard_info *info)
{
    wanted w = {0};
    for (uint32_t k = 0; k < n->n_rules && info->is & n->lasts; k++) {
        const rule *r = &n->rules[k];
        uint32_t most = 0;
        if (!(info->is & r->h->last.is))
            continue;
        if (r->h->space == HZ_NO_REGS)
            most = missing(n, k, (amd_reg_range){0, 1});
        else if (r->h->split)
            most = reads_both(n, k, info);
        for (uint32_t u = 0; r->h->space != HZ_NO_REGS && !r->h->split && u < info->n_uses; u++) {
            uint32_t m = missing(n, k, in_space(r, &info->uses[u], r->h->last.how, false));
            most = m > most ? m : most;
        }
        if (!most)
            continue;
        w.fixes |= 1u << r->h->fix;
        w.fields |= r->h->fields;
        if (r->h->fix == HZ_FIX_NOP && most > w.states)
            w.states = most;
    }
    return w;
}

static void
add_counted(pending *p, const counted *c)
{
    uint8_t *lost = &p->lost[c->rule];
    if (p->n_counted < MAX_COUNTED)
        p->counted[p->n_counted++] = *c;
    else
        *lost = c->missing > *lost ? c->missing : *lost;
}

static void
arm(nops *n, uint32_t k, amd_reg_range range)
{
    const rule *r = &n->rules[k];
    for (uint32_t reg = range.first; !counts(r->h) && reg < range.first + range.count; reg++)
        n->now->open[r->at + reg / 64] |= bit(reg);
    if (counts(r->h))
        add_counted(n->now, &(counted){(uint8_t)k, (uint8_t)(r->h->states + r->h->valus), 0,
                                       (uint16_t)range.first, (uint16_t)range.count});
}

static void
arm_middle(nops *n, uint32_t k, amd_reg_range range)
{
    const rule *r = &n->rules[k];
    uint64_t *open = n->now->open + r->at;
    for (uint32_t reg = range.first; reg < range.first + range.count; reg++)
        open[r->words + reg / 64] |= open[reg / 64] & bit(reg);
}

static bool
ends(const amd_hazard_info *info, const amd_hazard_end *e)
{
    return (info->is & e->is) || (info->waits & e->waits);
}

static bool
ends_clause(const amd_hazard_info *info, const amd_hazard *h)
{
    return h->clause && !(info->is & h->clause);
}

/* What is counted for a rule whose middle instruction has come grows older, unless nothing has been
 * counted since the last one. */
static void
pass_middle(nops *n, uint32_t k)
{
    pending *p = n->now;
    bool young = false;
    for (uint32_t c = 0; c < p->n_counted; c++)
        young |= p->counted[c].rule == k && !p->counted[c].age;
    for (uint32_t c = 0; young && c < p->n_counted; c++)
        p->counted[c].age += p->counted[c].rule == k && p->counted[c].age < MAX_AGE;
}

/* What is missing for a rule behind the instruction, of `missing` before it. */
static uint8_t
left_behind(const amd_hazard *h, const amd_hazard_info *info, uint8_t missing)
{
    uint32_t passed = h->states ? info->states : (info->is & HZ_VALU) != 0;
    return missing <= passed || ends(info, &h->end) ? 0 : (uint8_t)(missing - passed);
}

/* Lowers what is missing, and drops what is complete. */
static void
pass_time(nops *n, const amd_hazard_info *info)
{
    pending *p = n->now;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < p->n_counted; c++) {
        uint8_t k = p->counted[c].rule;
        uint8_t left = left_behind(n->rules[k].h, info, p->counted[c].missing);
        if (!left)
            continue;
        p->counted[kept] = p->counted[c];
        p->counted[kept++].missing = left;
    }
    p->n_counted = kept;
    for (uint32_t k = 0; k < n->n_rules; k++)
        p->lost[k] = p->lost[k] ? left_behind(n->rules[k].h, info, p->lost[k]) : 0;
}

/* Rules of the kind `split` are about the last write of a register. */
static void
forget_written(nops *n, const amd_hazard_info *info)
{
    pending *p = n->now;
    uint32_t kept = 0;
    for (uint32_t c = 0; c < p->n_counted; c++) {
        const rule *r = &n->rules[p->counted[c].rule];
        bool covered = false;
        for (uint32_t u = 0; r->h->split && u < info->n_uses; u++) {
            amd_reg_range w = in_space(r, &info->uses[u], HZ_WRITE, false);
            covered |= w.count && w.first <= p->counted[c].first &&
                       w.first + w.count >= p->counted[c].first + p->counted[c].count;
        }
        if (!covered)
            p->counted[kept++] = p->counted[c];
    }
    p->n_counted = kept;
}

/* The state behind an instruction. */
static void
step(nops *n, const amd_hazard_info *info)
{
    pass_time(n, info);
    if (n->has_split)
        forget_written(n, info);
    for (uint32_t k = 0; k < n->n_rules; k++) {
        const rule *r = &n->rules[k];
        uint64_t *open = n->now->open + r->at;
        if (ends(info, &r->h->end) || ends_clause(info, r->h))
            memset(open, 0, r->words * sizeof *open);
        if (r->h->middle.is && ends(info, &r->h->end2))
            memset(open + r->words, 0, r->words * sizeof *open);
        if (info->is & r->h->middle.is && counts(r->h))
            pass_middle(n, k);
        else if (info->is & r->h->middle.is)
            each_range(n, k, info, &r->h->middle, arm_middle);
        if (info->is & r->h->first.is)
            each_range(n, k, info, &r->h->first, arm);
    }
}

/* ---- inserting ---- */

/* The state behind the instruction that was inserted before `at`. */
static void
step_inserted(nops *n, const ir_instr *at)
{
    amd_hazard_info info;
    amd_hazard_describe(n->p, at->prev, &info);
    step(n, &info);
}

static void
insert(nops *n, ir_instr *at, ir_instr *i)
{
    i->loc = at->loc;
    ir_insert_before(at, i);
    step_inserted(n, at);
}

static ir_instr *
make(nops *n, unsigned op, uint32_t word)
{
    ir_instr *i = amd_new(n->f, op, 0, 0);
    ir_words(i)[0] = word;
    return i;
}

static ir_instr *
make_move(nops *n, unsigned op, ir_ref to, ir_ref from)
{
    ir_instr *i = amd_new(n->f, op, 1, 1);
    i->defs[0] = to;
    i->refs[0] = from;
    i->form = amd_form(op == AMD_V_MOV_B32 ? AMD_VOP1 : AMD_SOP1, AMD_EXT_NONE);
    return i;
}

/* Waits until nothing that `counter` counts is in flight. */
static void
insert_wait(nops *n, ir_instr *at, amd_wait counter)
{
    amd_wait_values values = amd_no_wait;
    values.at_most[counter] = 0;
    amd_insert_waits(at, &values);
    step_inserted(n, at);
}

static void
insert_fixes(nops *n, ir_instr *at, const wanted *w)
{
    ir_ref v0 = amd_phys(AMD_VGPR0, AMD_V1), vcc = amd_phys(AMD_VCC, AMD_S2);
    for (uint32_t left = w->states; left; left -= left < MAX_NOP ? left : MAX_NOP)
        insert(n, at, make(n, AMD_S_NOP, (left < MAX_NOP ? left : MAX_NOP) - 1));
    if (w->fixes & 1u << HZ_FIX_WAIT)
        insert(n, at, make(n, AMD_S_WAITCNT_DEPCTR, amd_hazard_wait(w->fields)));
    if (w->fixes & 1u << HZ_FIX_S_MOV_NULL)
        insert(n, at, make_move(n, AMD_S_MOV_B32, amd_phys(AMD_NULL, AMD_S1), amd_const(0)));
    if (w->fixes & 1u << HZ_FIX_V_MOV)
        insert(n, at, make_move(n, AMD_V_MOV_B32, v0, v0));
    if (w->fixes & 1u << HZ_FIX_V_NOP)
        insert(n, at, make(n, AMD_V_NOP, 0));
    if (w->fixes & 1u << HZ_FIX_VSCNT)
        insert_wait(n, at, AMD_WAIT_VS);
    if (w->fixes & 1u << HZ_FIX_VCCZ) {
        insert_wait(n, at, AMD_WAIT_LGKM);
        insert(n, at, make_move(n, AMD_S_MOV_B64, vcc, vcc));
    }
}

/* ---- the walk ---- */

static size_t
state_size(const nops *n)
{
    return sizeof(pending) + n->n_words * sizeof(uint64_t);
}

/* Rules of the kind `split` need to know which one was when: those stay apart. */
static bool
is_same(const nops *n, const counted *a, const counted *b)
{
    if (n->rules[a->rule].h->split && a->missing != b->missing)
        return false;
    return a->rule == b->rule && a->age == b->age && a->first == b->first && a->count == b->count;
}

static void
join(nops *n, pending *to, const pending *from)
{
    for (uint32_t w = 0; w < n->n_words; w++)
        to->open[w] |= from->open[w];
    for (uint32_t c = 0; c < from->n_counted; c++) {
        const counted *add = &from->counted[c];
        uint32_t k = 0;
        while (k < to->n_counted && !is_same(n, &to->counted[k], add))
            k++;
        if (k < to->n_counted)
            to->counted[k].missing = add->missing > to->counted[k].missing ? add->missing
                                                                           : to->counted[k].missing;
        else
            add_counted(to, add);
    }
    for (uint32_t k = 0; k < n->n_rules; k++)
        to->lost[k] = from->lost[k] > to->lost[k] ? from->lost[k] : to->lost[k];
}

static pending *
new_state(const nops *n)
{
    pending *s = arena_zalloc(n->f->ctx->scratch, state_size(n));
    return s;
}

static void
visit_block(void *user, ir_block *b, bool header, bool final)
{
    nops *n = user;
    memset(n->now, 0, state_size(n));
    for (uint32_t p = 0; p < b->preds[1].count; p++) {
        const pending *end = n->at_end[b->preds[1].at[p]->index];
        if (end)
            join(n, n->now, end);
    }
    if (header) {
        if (!n->at_header[b->index])
            n->at_header[b->index] = new_state(n);
        join(n, n->now, n->at_header[b->index]);
        memcpy(n->at_header[b->index], n->now, state_size(n));
    }
    for (ir_instr *i = b->first; i; i = i->next) {
        amd_hazard_info info;
        if (amd_joins_previous(i))
            continue;
        amd_hazard_describe(n->p, i, &info);
        wanted w = find_wanted(n, &info);
        if (w.fixes && final)
            insert_fixes(n, i, &w);
        step(n, &info);
    }
    if (!n->at_end[b->index])
        n->at_end[b->index] = new_state(n);
    memcpy(n->at_end[b->index], n->now, state_size(n));
}

/* Has the header's state everything that the end of `from` has? */
static bool
is_known(void *user, const ir_block *header, const ir_block *from)
{
    nops *n = user;
    const pending *big = n->at_header[header->index], *small = n->at_end[from->index];
    memcpy(n->now, big, state_size(n));
    join(n, n->now, small);
    return memcmp(n->now, big, state_size(n)) == 0;
}

/* Takes the target's rules. */
static void
choose_rules(nops *n)
{
    const amd_program *p = n->p;
    for (const amd_hazard *h = amd_hazards; h->name; h++) {
        bool left_out = h - amd_hazards + 1 == p->debug_nohazard;
        if (!(h->gens >> p->target->gen & 1) || (h->wave && h->wave != p->wave_size) ||
            h->retry > p->may_retry || left_out)
            continue;
        assert(n->n_rules < MAX_RULES);
        uint16_t low = spaces[h->space].low, high = spaces[h->space].high;
        uint32_t words = counts(h) ? 0 : (high - low) / 64u + 1;
        n->rules[n->n_rules++] = (rule){h, n->n_words, words, low, high};
        n->n_words += 2 * words;
        n->lasts |= h->last.is;
        n->has_split |= h->split != 0;
    }
}

static void
wait_before_each(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        for (ir_instr *i = b->first; i; i = i->next) {
            if (amd_is_pseudo(i->op) || amd_joins_previous(i))
                continue;
            ir_instr *wait = amd_new(f, AMD_S_WAITCNT_DEPCTR, 0, 0);
            wait->loc = i->loc;
            ir_insert_before(i, wait);
        }
    }
}

void
amd_insert_nops(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    nops *n = ARENA_NEW(f->ctx->scratch, nops);
    n->f = f;
    n->p = amd_prog(f);
    choose_rules(n);
    if (n->n_rules) {
        n->now = new_state(n);
        n->at_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, pending *);
        n->at_header = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, pending *);
        cg_walk_settled(f, &(cg_settling){n, visit_block, is_known});
    }
    arena_release(f->ctx->scratch, mark);
    if (amd_prog(f)->debug & AMD_DEBUG_FORCE_WAITDEPS)
        wait_before_each(f);
}
