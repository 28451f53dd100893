/* Whether an invocation is a helper now: it began as one, which the hardware says, or it has been
 * demoted, which the program keeps in a variable. */
#include "opt/lower_helper.h"

#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/hir.h"
#include "ir/ssa_repair.h"

typedef struct helpers {
    ir_fn *f;
    ir_builder b;
    ir_ssa_var demoted;
    ir_replacement map;
} helpers;

static bool
demotes(const ir_instr *i)
{
    return i->op == IR_demote || i->op == IR_terminate;
}

static bool
has(const ir_fn *f, bool (*is)(const ir_instr *))
{
    IR_FOREACH_INSTR_OF(i, f) {
        if (is(i))
            return true;
    }
    return false;
}

static bool
asks(const ir_instr *i)
{
    return i->op == IR_is_helper_invocation;
}

/* The blocks that demote, and where their ways meet. */
static void
find_variable(helpers *h)
{
    ir_fn *f = h->f;
    const ir_ref no = ir_build_imm(&h->b, 1, 0), yes = ir_build_imm(&h->b, 1, 1);
    h->demoted = ir_ssa_open(f, 0, f->arena);
    ir_ssa_begin(&h->demoted, IR_BOOL, f->blocks[0], NULL);
    h->demoted.initial = no;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (demotes(i))
                ir_ssa_define(&h->demoted, b);
        }
    }
    ir_ssa_place(&h->demoted);
    for (uint32_t k = 0; k < h->demoted.n; k++) {
        ir_block *b = h->demoted.by_index[k];
        bool sets = false;
        ir_ssa_at_start(&h->demoted, b);
        IR_FOREACH_INSTR(i, b)
            sets |= demotes(i);
        if (sets)
            ir_ssa_set_end(&h->demoted, b, yes);
    }
}

static void
lower_block(helpers *h, ir_block *block)
{
    ir_ref now = ir_none();
    ir_instr *next;
    for (ir_instr *i = block->first; i; i = next) {
        next = i->next;
        if (demotes(i))
            now = ir_build_imm(&h->b, 1, 1);
        if (!asks(i))
            continue;
        if (now.kind == IR_REF_NONE)
            now = ir_ssa_at_start(&h->demoted, block);
        ir_builder_before(&h->b, next);
        const ir_ref began = ir_build_intr(&h->b, IR_is_helper_invocation, IR_BOOL, NULL, 0);
        ir_replace_add(&h->map, i->defs[0].id, irb_ior(&h->b, began, now));
        ir_unlink(i);
    }
}

bool
opt_lower_helper(ir_fn *f)
{
    if (!has(f, asks) || !has(f, demotes))
        return false;
    helpers h = {.f = f, .map = {.f = f}};
    ir_builder_init(&h.b, f);
    find_variable(&h);
    IR_FOREACH_BLOCK(b, f)
        lower_block(&h, b);
    ir_ssa_finish(&h.demoted);
    ir_replace_all(&h.map);
    return true;
}
