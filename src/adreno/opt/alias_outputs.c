/* alias_outputs: components of colours that are numbers or in the constant file are said once, in
 * the preamble, and need no register.
 *
 *     BB2: ... SHPE                              BB2: ... ALIAS 5 cfile:0x1 imm:0 ... SHPE
 *     f1: %2 = MOV 5 cfile:0x1           ->
 *     f2: %3 = p_create_vector %2, %1            f2: %4 = p_create_vector undef, %1
 *     END %3                                     END %4
 *
 * HEDDLE_DEBUG=noaliasrt leaves it out. */
#include "adreno/opt/operand.h"
#include "adreno/opt/preamble.h"
#include "base/bits.h"
#include "opt/opt.h"

enum { COMPONENTS = 4 };

static void
add_alias(ir_fn *f, const ir_instr *mov, ir_ref number, unsigned component)
{
    ir_instr *alias = ir_insert_new(adreno_preamble(f), ADRENO_ALIAS, 0, 1);
    alias->refs[0] = number;
    if (mov)
        adreno_set(alias, 0, ADRENO_M_CFILE, adreno_attr(mov, 0, ADRENO_M_CFILE, 1));
    ir_words(alias)[1] = component;
}

/* Aliases the components of an attachment that can be, and leaves the others in the row. The second
 * source of blending is that of attachment 1. */
static void
alias_row(ir_fn *f, ir_instr *end, unsigned r, adreno_io *io)
{
    const unsigned target = io->kind == ADRENO_IO_SECOND_COLOR ? 1 : io->location;
    ir_instr *row = ir_def_of(f, end->refs[r]);
    const bool is_row = row && row->op == ADRENO_P_CREATE_VECTOR;
    const unsigned n = is_row ? row->n_refs : 1;
    ir_ref parts[COMPONENTS];
    unsigned left = 0;
    for (unsigned c = 0; c < n; c++) {
        parts[c] = is_row ? row->refs[c] : end->refs[r];
        const ir_instr *mov = adreno_constant_move(f, parts[c]);
        if (mov || parts[c].kind == IR_REF_CONST) {
            add_alias(f, mov, mov ? mov->refs[0] : parts[c], COMPONENTS * target + c);
            io->aliased |= (uint8_t)(1u << c);
            parts[c] = adreno_undef(ADRENO_F1);
        } else if (parts[c].kind != IR_REF_UNDEF) {
            left = c + 1;
        }
    }
    if (!io->aliased)
        return;
    end->refs[r] = left == 0 ? adreno_undef(ADRENO_F1) : parts[0];
    if (left < 2)
        return;
    ir_instr *made = ir_new_instr(f, ADRENO_P_CREATE_VECTOR, 1, left);
    for (unsigned c = 0; c < left; c++)
        made->refs[c] = parts[c];
    end->refs[r] = ir_define(f, made, 0, adreno_class(false, left));
    ir_insert_before(end, made);
}

void
adreno_alias_outputs(ir_fn *f)
{
    adreno_program *p = adreno_prog(f);
    ir_instr *end = ir_find_op(f, ADRENO_END);
    unsigned r = 0;
    if (!p->target->alias_outputs || f->shader.stage != IR_STAGE_FRAGMENT || !end)
        return;
    for (uint32_t k = 0; k < p->n_io && ir_may_change(f->ctx); k++) {
        if (p->io[k].kind == ADRENO_IO_COLOR || p->io[k].kind == ADRENO_IO_SECOND_COLOR)
            alias_row(f, end, r, &p->io[k]);
        r += p->io[k].kind >= ADRENO_IO_OUTPUT;
    }
    opt_dce(f);
}
