/* What operands may be (ir3_valid_flags and ir3_valid_immediate of Mesa): of category 2 one of two
 * sources may be a constant or a number of ten bits with its sign, which float operations take from
 * a table; of category 3 the first and last may be constants; categories 4 to 6 want registers,
 * but for fields that hold numbers. */
#include "adreno/opt/opt.h"

#include "adreno/adreno.h"
#include "base/bits.h"

enum { MAX_NUMBER = 511, MAX_BYTE = 255 };

static bool
is_number(ir_ref r)
{
    return r.kind == IR_REF_CONST;
}

/* The entry of the table of floats, or -1. */
static int
float_entry(ir_ref r)
{
    if (adreno_is_half_class(r.rc))
        return r.id == 0 ? 0 : r.id == 0x3800 ? 1 : r.id == 0x3c00 ? 2 : r.id == 0x4000 ? 3 : -1;
    for (int k = 0; k < ADRENO_TABLE_FLOATS; k++)
        if (base_f32_bits((float)adreno_table_floats[k]) == r.id)
            return k;
    return -1;
}

static bool
fits_field(const ir_fn *f, unsigned op, ir_ref r)
{
    const int64_t value = adreno_is_half_class(r.rc) ? base_sext64(r.id, 16)
                                                     : base_sext64(r.id, 32);
    if (adreno_op_row((adreno_op)op)->type == ADRENO_T_F)
        return adreno_prog(f)->target->float_table && float_entry(r) >= 0;
    return value >= -MAX_NUMBER && value <= MAX_NUMBER;
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
    *place = ADRENO_CONST_PUSH + p->push_dwords + k;
    return true;
}

static void
move_to_register(ir_instr *i, unsigned r)
{
    ir_fn *f = i->block->fn;
    const bool half = adreno_is_half_class(i->refs[r].rc);
    const uint32_t type = half ? ADRENO_U16 : ADRENO_U32;
    ir_instr *mov = ir_new_instr(f, ADRENO_MOV, 1, 1);
    mov->refs[0] = i->refs[r];
    mov->loc = i->loc;
    adreno_set(mov, 0, ADRENO_M_STYPE, type);
    adreno_set(mov, 0, ADRENO_M_DTYPE, type);
    i->refs[r] = ir_define(f, mov, 0, i->refs[r].rc);
    ir_insert_before(i, mov);
}

/* The number becomes a place in the constant file. Half ones stay: what the file's are converted
 * from depends on the operation. */
static bool
move_to_file(ir_instr *i, unsigned r)
{
    uint32_t place;
    adreno_program *p = adreno_prog(i->block->fn);
    if (adreno_is_half_class(i->refs[r].rc) || !find_literal(p, i->refs[r].id, &place))
        return false;
    i->refs[r] = adreno_number(place, false);
    adreno_set(i, 0, ADRENO_M_CFILE + r, 1);
    return true;
}

static bool
is_in_file(const ir_instr *i, unsigned r)
{
    return adreno_attr(i, 0, ADRENO_M_CFILE + r, 1);
}

static void
place_two(ir_instr *i)
{
    bool taken = false;
    for (unsigned r = 0; r < i->n_refs; r++)
        taken |= is_number(i->refs[r]) && is_in_file(i, r);
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!is_number(i->refs[r]) || is_in_file(i, r))
            continue;
        if (taken || (!fits_field(i->block->fn, i->op, i->refs[r]) && !move_to_file(i, r)))
            move_to_register(i, r);
        taken = true;
    }
}

static bool
commutes(unsigned op)
{
    switch (op) {
    case ADRENO_MAD_F16:
    case ADRENO_MAD_F32:
    case ADRENO_MAD_U24:
    case ADRENO_MAD_S24:
    case ADRENO_MAD_U16:
    case ADRENO_MAD_S16: return true;
    default: return false;
    }
}

static void
swap_sources(ir_instr *i)
{
    const uint32_t neg = adreno_attr(i, 0, ADRENO_M_NEG, 2);
    const ir_ref first = i->refs[0];
    i->refs[0] = i->refs[1];
    i->refs[1] = first;
    ir_words(i)[0] &= ~(3u << ADRENO_M_NEG);
    adreno_set(i, 0, ADRENO_M_NEG, neg >> 1 | (neg & 1) << 1);
}

static void
place_three(ir_instr *i)
{
    if (commutes(i->op) && is_number(i->refs[1]) && !is_number(i->refs[0]))
        swap_sources(i);
    for (unsigned r = 0; r < i->n_refs; r++)
        if (is_number(i->refs[r]) && !is_in_file(i, r) && (r == 1 || !move_to_file(i, r)))
            move_to_register(i, r);
}

/* Does the instruction have a field for the number that is operand `r`? */
static bool
has_field(const ir_instr *i, unsigned r)
{
    const bool last = r + 1u == i->n_refs, fits = i->refs[r].id <= MAX_BYTE;
    switch (i->op) {
    case ADRENO_LDC: return fits;
    case ADRENO_SHFL: return last && fits;
    default:
        return last && fits && adreno_attr(i, 2, ADRENO_W_BINDLESS, 1) &&
               !adreno_attr(i, 2, ADRENO_W_MODE, 3) && adreno_category(i->op) == 6;
    }
}

static void
place_others(ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++)
        if (is_number(i->refs[r]) && !has_field(i, r))
            move_to_register(i, r);
}

static void
place(ir_instr *i)
{
    switch (i->op) {
    case ADRENO_P_PARALLELCOPY:
    case ADRENO_P_CREATE_VECTOR:
    case ADRENO_P_PHI:
    case ADRENO_P_LINEAR_PHI:
    case ADRENO_MOV:
    case ADRENO_COV:
    case ADRENO_P_SPILL: return;
    default: break;
    }
    switch (adreno_category(i->op)) {
    case 2: place_two(i); break;
    case 3: place_three(i); break;
    default: place_others(i); break;
    }
}

void
adreno_place_constants(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b)
            place(i);
    }
}
