/* Numbers become operands where an instruction can hold them (operand.h): in its word, or by a
 * place in the constant file; else registers, one for all instructions of a block that want the
 * number. */
#include "adreno/opt/operand.h"

enum { KNOWN = 16 }; /* numbers of a block that are in registers: the latest */

typedef struct placing {
    ir_fn *f;
    ir_ref number[KNOWN], reg[KNOWN];
    unsigned n;
} placing;

static bool
is_number(const ir_instr *i, unsigned r)
{
    return i->refs[r].kind == IR_REF_CONST && adreno_operand_of(i, r) == ADRENO_O_NUMBER;
}

/* The place of a number in the constant file; false if there is no room. */
static bool
find_literal(adreno_program *p, uint32_t value, uint32_t *place)
{
    uint32_t k = p->constant_words;
    while (k < p->n_literals && p->literals[k] != value)
        k++;
    if (k == ADRENO_MAX_LITERALS)
        return false;
    if (k == p->n_literals)
        p->literals[p->n_literals++] = value;
    *place = adreno_literal_place(p, k);
    return true;
}

static ir_ref
make_register(placing *p, ir_instr *before, ir_ref number)
{
    const uint32_t type = adreno_is_half_class(number.rc) ? ADRENO_U16 : ADRENO_U32;
    const bool shared = before->n_defs && adreno_is_shared_class(before->defs[0].rc);
    const unsigned rc = shared ? ADRENO_S1 : number.rc;
    for (unsigned k = 0; k < KNOWN && k < p->n; k++)
        if (p->number[k].id == number.id && p->reg[k].rc == rc)
            return p->reg[k];
    ir_instr *mov = adreno_new_move(p->f, number, type, type);
    mov->loc = before->loc;
    ir_insert_before(before, mov);
    const unsigned at = p->n++ % KNOWN;
    p->number[at] = number;
    return p->reg[at] = ir_define(p->f, mov, 0, rc);
}

/* The number becomes a place in the constant file. Half ones stay: what the file's are converted
 * from depends on the operation. */
static bool
move_to_file(ir_instr *i, unsigned r)
{
    uint32_t place;
    adreno_program *p = adreno_prog(i->block->fn);
    if (adreno_is_half_class(i->refs[r].rc) || !adreno_operand_fits(i, r, ADRENO_O_FILE) ||
        !find_literal(p, i->refs[r].id, &place))
        return false;
    i->refs[r] = adreno_number(place, false);
    adreno_set(i, 0, ADRENO_M_CFILE + r, 1);
    return true;
}

/* A factor that is a number comes first, where it may be in the constant file. */
static void
order_factors(ir_instr *i)
{
    if (is_number(i, 1) && adreno_operand_of(i, 0) == ADRENO_O_REGISTER)
        adreno_swap_operands(i);
}

static void
place(placing *p, ir_instr *i)
{
    switch (i->op) {
    case ADRENO_P_PARALLELCOPY:
    case ADRENO_P_CREATE_VECTOR:
    case ADRENO_P_EXTRACT_VECTOR:
    case ADRENO_P_PHI:
    case ADRENO_P_LINEAR_PHI:
    case ADRENO_MOV:
    case ADRENO_ALIAS:
    case ADRENO_COV:
    case ADRENO_P_SPILL:
    case ADRENO_P_ARRAY_WRITE: return;
    default: break;
    }
    const unsigned category = adreno_category(i->op);
    const bool is_operation = category == 2 || category == 3;
    if (category == 3)
        order_factors(i);
    /* a number that fits as the last operand keeps its place before others look for one */
    for (unsigned k = 0; k < i->n_refs; k++) {
        const unsigned r = is_operation ? i->n_refs - 1u - k : k;
        if (is_number(i, r) && !adreno_number_fits(i, r, i->refs[r]) && !move_to_file(i, r))
            i->refs[r] = make_register(p, i, i->refs[r]);
    }
}

void
adreno_place_constants(ir_fn *f)
{
    placing p = {.f = f};
    IR_FOREACH_BLOCK(b, f) {
        p.n = 0;
        IR_FOREACH_INSTR(i, b)
            place(&p, i);
    }
}
