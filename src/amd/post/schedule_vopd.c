/* schedule_vopd: pairs vector instructions that the hardware executes side by side, in wave32.
 *
 *     v_mul_f32 v4, v0, v1
 *     s_add_u32 s0, s0, s1          v_dual_mul_f32 v4, v0, v1 :: v_dual_add_f32 v5, v2, v3
 *     v_add_f32 v5, v2, v3     ->   s_add_u32 s0, s0, s1
 *
 * A walk over each block looks behind every instruction that may be a half for the nearest one that
 * can be the other half (target/pair.h) and that can move up to it: it needs nothing that is
 * written in between, and writes nothing that is used there. Instructions do not pass waits, which
 * earlier phases have inserted, branches, or what changes modes; insert_NOPs comes later, because
 * pairs change the distances that it counts. Registers in use do not become more: they are
 * allocated.
 */
#include "amd/isa/table/table.h"
#include "amd/post/reg_range.h"
#include "amd/target/pair.h"

#include <string.h>

enum { WINDOW = 16, SET_WORDS = AMD_TRACKED_REGS / 64 };

typedef struct reg_set {
    uint64_t bits[SET_WORDS];
} reg_set;

/* What the instructions between two candidates read and write. */
typedef struct between {
    reg_set reads, writes;
} between;

static void
add(reg_set *s, ir_ref r)
{
    amd_reg_range range = amd_range_of(r);
    for (unsigned k = range.first; k < range.first + range.count; k++)
        s->bits[k / 64] |= UINT64_C(1) << k % 64;
}

static bool
has(const reg_set *s, ir_ref r)
{
    amd_reg_range range = amd_range_of(r);
    for (unsigned k = range.first; k < range.first + range.count; k++) {
        if (s->bits[k / 64] >> k % 64 & 1)
            return true;
    }
    return false;
}

static void
add_instr(between *b, const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++)
        add(&b->reads, i->refs[r]);
    for (unsigned d = 0; d < i->n_defs; d++)
        add(&b->writes, i->defs[d]);
}

/* Nothing moves up past `i`: its effects are not those of the registers that it names. */
static bool
stops(const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    return !row || (ir_has_flag(i, IR_OP_EFFECT) && !(row->flags & AMD_F_STORE));
}

/* Can `i` move up past what is between? `writes` has the results of the first candidate, too. */
static bool
can_move(const between *b, const ir_instr *i)
{
    if (has(&b->writes, amd_phys(AMD_EXEC, AMD_S2)))
        return false;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (has(&b->writes, i->refs[r]))
            return false;
    }
    return !has(&b->writes, i->defs[0]) && !has(&b->reads, i->defs[0]);
}

static void
join(ir_instr *a, ir_instr *b, const ir_instr *first)
{
    ir_unlink(b);
    if (first == a) {
        ir_insert_after(a, b);
        b->form |= AMD_FORM_JOINS;
    } else {
        ir_insert_before(a, b);
        a->form |= AMD_FORM_JOINS;
    }
}

/* Finds the other half of `a` behind it; returns the last instruction of the pair, or `a`. */
static ir_instr *
pair(const amd_program *p, ir_instr *a)
{
    between seen = {0};
    unsigned steps = 0;
    add(&seen.writes, a->defs[0]);
    for (ir_instr *b = a->next; b && steps < WINDOW && !stops(b); b = b->next, steps++) {
        ir_instr *first;
        if (amd_may_pair(p, b) && can_move(&seen, b) && amd_fit_pair(p, a, b, &first)) {
            join(a, b, first);
            return first == a ? b : a;
        }
        add_instr(&seen, b);
    }
    return a;
}

void
amd_schedule_vopd(ir_fn *f)
{
    const amd_program *p = amd_prog(f);
    if (p->wave_size != 32)
        return;
    IR_FOREACH_BLOCK(b, f) {
        for (ir_instr *i = b->first; i; i = i->next) {
            if (amd_may_pair(p, i))
                i = pair(p, i);
        }
    }
}
