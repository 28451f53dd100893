/* Removes instructions that are redundant because of exec, once the order of instructions is final.
 *
 * Writes of exec that are overwritten before anything depends on exec: those for an arm without
 * instructions, and the last one of a program.
 *
 *     s_and_saveexec_b64 s[0:1], vcc          s_and_saveexec_b64 s[0:1], vcc
 *     ...                                     ...
 *     s_andn2_b64 exec, s[0:1], vcc    ->
 *     s_mov_b64 exec, s[0:1]                  s_mov_b64 exec, s[0:1]
 *
 * Branches that skip a few vector instructions if exec is empty: without active lanes these have no
 * effect and take less time than the branch. The branch stays if an instruction writes SGPRs,
 * because its results would overwrite those of the branch's path; but the lanes that clear or set
 * their bits of a mask in place do nothing if there are none.
 */
#include "amd/post/lower.h"

enum { MAX_SKIPPED = 6 };

/* Does `i` define exec, perhaps scc, and nothing else? */
static bool
writes_only_exec(const ir_instr *i)
{
    bool exec = false;
    for (unsigned d = 0; d < i->n_defs; d++) {
        exec |= i->defs[d].reg == AMD_EXEC;
        if (i->defs[d].reg != AMD_EXEC && i->defs[d].reg != AMD_SCC)
            return false;
    }
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    bool scalar = row && (row->fmt == AMD_SOP1 || row->fmt == AMD_SOP2);
    return exec && (scalar || i->op == AMD_P_PARALLELCOPY);
}

bool
amd_low_is_dead_exec(const ir_instr *i)
{
    return !(i->mark & (LOW_EXEC | LOW_SCC)) && writes_only_exec(i);
}

static bool
is_exec(ir_ref r)
{
    return !ir_is_value(r) && r.kind != IR_REF_CONST && r.reg == AMD_EXEC;
}

/* m & ~exec or m | exec in place of m: nothing if exec is empty. */
static bool
keeps_mask(const ir_instr *i)
{
    bool clears = i->op == AMD_S_ANDN2_B32 || i->op == AMD_S_ANDN2_B64,
         sets = i->op == AMD_S_OR_B32 || i->op == AMD_S_OR_B64;
    return (clears || sets) && i->refs[0].kind != IR_REF_CONST && is_exec(i->refs[1]) &&
           i->refs[0].reg == i->defs[0].reg;
}

static bool
is_harmless(const ir_instr *i)
{
    if (keeps_mask(i))
        return true;
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (!row || amd_words_of(i->op) != AMD_WORDS_VALU || !amd_needs_exec(i))
        return false;
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!amd_rc_is_vgpr(i->defs[d].rc))
            return false;
    }
    return i->n_defs > 0;
}

static bool
can_run_empty(const ir_fn *f, const ir_block *from, const ir_block *to)
{
    unsigned n = 0;
    if (to->index <= from->index)
        return false;
    for (size_t k = from->index + 1; k < to->index; k++) {
        const ir_block *b = f->blocks[k];
        for (const ir_instr *i = b->first; i; i = i->next) {
            if (++n > MAX_SKIPPED || !is_harmless(i))
                return false;
        }
    }
    return true;
}

void
amd_low_remove_skips(const low_ctx *c)
{
    for (size_t k = 0; k < c->n_skips; k++) {
        ir_block *b = c->skips[k];
        ir_instr *t = b->last;
        if (t->op != AMD_S_CBRANCH_EXECZ || b->succs[1].count != 2)
            continue;
        ir_block *to = c->f->blocks[ir_words(t)[0]];
        if (!can_run_empty(c->f, b, to))
            continue;
        ir_unlink(t);
        ir_remove_edge(b, to, 1);
    }
}
