#include "amd/target/pair.h"

#include "amd/isa/codec/legal.h"
#include "amd/isa/table/dual.h"
#include "ir/bundle.h"

/* A program that has just been read does not know its target yet. */
static const char *
check_bundle(const ir_instr *first, const ir_instr *last)
{
    const amd_program *p = amd_prog(first->block->fn);
    amd_inst in;
    if (!p || !p->target || amd_make_pair(p, first, last, &in))
        return NULL;
    return "no instruction does both";
}

const ir_bundle_kind amd_bundles[] = {
    {.name = "dual", .joins = AMD_FORM_JOINS, .slots = 2, .check = check_bundle},
    {.name = NULL},
};

/* ---- halves ---- */

/* Sets `literal` if the reference is one; false if it is another one than before. */
static bool
source_code(amd_gen gen, ir_ref r, amd_inst *in, uint16_t *code)
{
    if (r.kind == IR_REF_UNDEF && r.reg == IR_REG_NONE)
        *code = AMD_REG_VGPR0;
    else
        *code = r.kind == IR_REF_CONST ? (uint16_t)amd_const_code_of(gen, r, 32) : r.reg / 4;
    if (*code != AMD_SRC_LITERAL)
        return true;
    bool same = in->imm == 0 || in->literal == r.id;
    in->literal = r.id;
    in->imm = 1; /* there is a literal */
    return same;
}

/* Puts the half's registers and literal into `in`; false if its operands have no place there. */
static bool
put_half(amd_gen gen, const ir_instr *i, bool second, amd_inst *in)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    const amd_operand *o;
    unsigned at = 0;
    *(second ? &in->op_y : &in->op) = i->op;
    in->dst[second] = i->defs[0].reg / 4;
    in->src[second * 2] = in->src[second * 2 + 1] = AMD_REG_ABSENT;
    for (unsigned r = 0; (o = amd_op_src(row, r)); r++) {
        uint16_t code;
        ir_ref ref = i->refs[r];
        if (o->kind == AMD_K_LIT)
            ref = amd_const(ref.id);
        if (o->kind == AMD_K_MASK) {
            if (ref.reg != AMD_VCC)
                return false;
            continue;
        }
        if (!source_code(gen, ref, in, &code))
            return false;
        int place = amd_dual_place(o, second, &at);
        if (o->kind == AMD_K_LIT && code != AMD_SRC_LITERAL) {
            if (in->imm && in->literal != ref.id)
                return false;
            in->literal = ref.id;
            in->imm = 1;
        }
        if (place >= 0)
            in->src[place] = code;
    }
    return true;
}

bool
amd_may_pair(const amd_program *p, const ir_instr *i)
{
    return amd_dual_exists(p->target->gen, (amd_op)i->op, true) && i->n_defs == 1 &&
           !amd_form_ext(i) && !ir_words(i)[0];
}

bool
amd_make_pair(const amd_program *p, const ir_instr *x, const ir_instr *y, amd_inst *out)
{
    amd_gen gen = p->target->gen;
    *out = (amd_inst){.fmt = AMD_VOPD, .n_dst = 2, .n_src = 4};
    if (!amd_may_pair(p, x) || !amd_may_pair(p, y) || !put_half(gen, x, false, out) ||
        !put_half(gen, y, true, out))
        return false;
    out->imm = 0;
    return amd_dual_valid(gen, out) && !amd_inst_illegal(gen, out, p->wave_size == 64);
}

/* ---- fitting ---- */

/* Exchanges the two sources if there is an opcode for that. */
static bool
exchange(ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (row->reversed == AMD_OP_INVALID || i->n_refs < 2)
        return false;
    ir_ref first = i->refs[0];
    i->refs[0] = i->refs[1];
    i->refs[1] = first;
    i->op = row->reversed;
    return true;
}

/* Tries each half as it is and with exchanged sources. */
static bool
fit_in_order(const amd_program *p, ir_instr *x, ir_instr *y)
{
    amd_inst in;
    for (unsigned try_x = 0; try_x < 2; try_x++) {
        for (unsigned try_y = 0; try_y < 2; try_y++) {
            if (amd_make_pair(p, x, y, &in))
                return true;
            if (!exchange(y))
                break;
        }
        if (!exchange(x))
            break;
    }
    return false;
}

bool
amd_fit_pair(const amd_program *p, ir_instr *a, ir_instr *b, ir_instr **first)
{
    /* one even and one odd destination: what most pairs lack */
    if (!((a->defs[0].reg ^ b->defs[0].reg) / 4 & 1))
        return false;
    *first = fit_in_order(p, a, b) ? a : b;
    return *first == a || fit_in_order(p, b, a);
}
