/* alias_textures: a texture instruction reads the parts of a row where they are, where the row
 * would have to be put together by moves: numbers, the constant file, values of several rows.
 *
 *     f1: %3 = MOV 0x40000000                          (dead)
 *     f2: %4 = p_create_vector %1, %2                  (dead)
 *     f4: %5 = SAML_ANY %4, %3            -> f4: %5 = SAML_ANY %1, %2, 0x40000000 first:2 second:1
 *
 * insert_aliases gives the rows registers, for which alias.tex says what is read instead.
 * HEDDLE_DEBUG=noaliastex leaves it out. */
#include "adreno/opt/operand.h"
#include "adreno/target/alias.h"
#include "cg/uses.h"
#include "opt/opt.h"

typedef struct aliasing {
    ir_fn *f;
    cg_uses uses;
    ir_instr *made; /* with room for all parts */
    unsigned n;     /* parts so far */
} aliasing;

/* What has a register by itself, in the row. */
static bool
is_free(const aliasing *a, ir_ref part)
{
    if (part.kind == IR_REF_CONST || adreno_constant_move(a->f, part))
        return false;
    return !ir_is_value(part) || a->uses.count[part.id] == 1 ||
           a->f->values[part.id].def->op == ADRENO_P_SPLIT_VECTOR;
}

/* The row's parts: what makes a vector of them, or one value. */
static unsigned
parts_of(const aliasing *a, const ir_ref *row, const ir_ref **parts)
{
    const ir_instr *def = cg_def_of(&a->uses, *row);
    const bool is_vector = def && def->op == ADRENO_P_CREATE_VECTOR;
    *parts = is_vector ? def->refs : row;
    return is_vector ? def->n_refs : row->rc == ADRENO_F1 || row->rc == ADRENO_H1 ? 1 : 0;
}

static bool
wants_alias(const aliasing *a, const ir_ref *row)
{
    const ir_ref *parts;
    const unsigned n = parts_of(a, row, &parts);
    bool all_free = true;
    for (unsigned k = 0; k < n; k++)
        all_free &= is_free(a, parts[k]);
    return n && !all_free;
}

/* A part: a register, a number, or a place in the constant file, which of halves is a register. */
static void
add_part(aliasing *a, ir_ref part)
{
    const ir_instr *mov = adreno_constant_move(a->f, part);
    const bool in_file = mov && adreno_attr(mov, 0, ADRENO_M_CFILE, 1);
    ir_ref *to = &a->made->refs[a->n];
    *to = part;
    if (mov && !(in_file && adreno_is_half_class(part.rc))) {
        *to = mov->refs[0];
        adreno_set(a->made, 1, ADRENO_T_FILES + a->n, in_file);
    }
    a->n++;
}

static void
add_row(aliasing *a, ir_ref row, unsigned shift)
{
    const ir_ref *parts;
    const unsigned n = parts_of(a, &row, &parts);
    for (unsigned k = 0; k < n; k++)
        add_part(a, parts[k]);
    adreno_set(a->made, 1, shift, n);
}

/* Rows before the numbers of descriptors: at most two. */
static unsigned
rows_of(const ir_instr *i)
{
    const bool has_numbers = adreno_is_indirect(adreno_attr(i, 2, ADRENO_W_MODE, 3));
    return i->n_refs - has_numbers - adreno_reads_a1(i);
}

static void
alias(aliasing *a, ir_instr *i)
{
    const unsigned shifts[] = {ADRENO_T_FIRST, ADRENO_T_SECOND}, rows = rows_of(i);
    unsigned n = i->n_refs;
    bool wants[2] = {false, false};
    const ir_ref *parts;
    for (unsigned r = 0; r < rows; r++) {
        wants[r] = wants_alias(a, &i->refs[r]);
        n += wants[r] ? parts_of(a, &i->refs[r], &parts) - 1 : 0;
    }
    if (!(wants[0] || wants[1]) || n > ADRENO_MAX_ALIASED || !ir_may_change(a->f->ctx))
        return;
    a->made = adreno_replace_texture(a->f, i, n);
    a->n = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (r < rows && wants[r])
            add_row(a, i->refs[r], shifts[r]);
        else
            a->made->refs[a->n++] = i->refs[r];
    }
}

static bool
is_texture(const ir_instr *i)
{
    return adreno_category(i->op) == 5 && i->n_defs == 1 && i->n_refs &&
           adreno_field_width(adreno_format_of((adreno_op)i->op), ADRENO_F_mode);
}

void
adreno_alias_textures(ir_fn *f)
{
    if (!adreno_prog(f)->target->alias_textures)
        return;
    aliasing a = {.f = f, .uses = cg_count_uses(f, f->arena)};
    IR_FOREACH_INSTR_OF(i, f)
        if (is_texture(i))
            alias(&a, i);
    opt_dce(f);
}
