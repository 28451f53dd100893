/* Memory: constants in addresses become part of the instruction, and loads lose the last components
 * that nothing reads, textures all such ones.
 *
 *     f1: %2 = ADD_U %1, 16
 *     f1: %3 = LDIB_B %2, 0          ->    f1: %3 = LDIB_B %1, 0 imm:16
 *
 * The sum is one of 32 bits, which may wrap: Mesa's nir_opt_offsets runs with allow_offset_wrap for
 * ir3. Constant addresses share the register of 0. */
#include "adreno/opt/combine.h"

enum { BUFFER_OFFSETS = 128, LOCAL_OFFSETS = 4096 };

/* The number of the operand that is an address, and how many offsets there are, from 0 on; 0:
 * none. */
static unsigned
offsets_of(const adreno_opt *o, const ir_instr *i, unsigned *operand)
{
    const bool buffers = o->p->target->buffer_offsets && !adreno_attr(i, 2, ADRENO_W_TYPED, 1);
    *operand = i->op == ADRENO_STIB_B;
    switch (i->op) {
    case ADRENO_LDIB_B:
    case ADRENO_STIB_B: return buffers ? BUFFER_OFFSETS : 0;
    case ADRENO_LDL:
    case ADRENO_STL:
    case ADRENO_LDP:
    case ADRENO_STP:
    case ADRENO_LDG: return LOCAL_OFFSETS;
    default: return 0;
    }
}

/* A sum of a value and a number: the number's place; 2: it is none. */
static unsigned
summand_of(const ir_instr *def)
{
    if (!def || def->op != ADRENO_ADD_U || ir_words(def)[0] || def->defs[0].rc != ADRENO_F1)
        return 2;
    return def->refs[1].kind == IR_REF_CONST ? 1 : def->refs[0].kind == IR_REF_CONST ? 0 : 2;
}

/* The number that a register is made of, instead of it. */
static void
read_number(adreno_opt *o, ir_instr *i, unsigned r, unsigned most)
{
    const ir_instr *mov = adreno_constant_move(o->f, i->refs[r]);
    if (mov && !adreno_operand_bits(mov, 0) && mov->refs[0].id < most)
        cg_set_ref(&o->uses, i, r, mov->refs[0]);
}

void
adreno_opt_fold_offset(adreno_opt *o, ir_instr *i)
{
    unsigned r;
    const unsigned most = offsets_of(o, i, &r);
    if (!most || i->refs[r].rc != ADRENO_F1)
        return;
    uint32_t *imm = &ir_words(i)[1];
    for (;;) {
        const ir_instr *def = cg_def_of(&o->uses, i->refs[r]);
        const unsigned at = summand_of(def);
        if (at == 2 || *imm + def->refs[at].id >= most || def->refs[at].id >= most ||
            adreno_is_shared_class(def->refs[!at].rc))
            break;
        *imm += def->refs[at].id;
        cg_set_ref(&o->uses, i, r, def->refs[!at]);
    }
    read_number(o, i, r, most);
    if (i->refs[r].kind == IR_REF_CONST && i->refs[r].id < most && *imm + i->refs[r].id < most) {
        *imm += i->refs[r].id;
        i->refs[r] = adreno_number(0, false);
    }
}

/* ---- components ---- */

/* Does the load say how many elements it has? */
static bool
has_elements(const ir_instr *i)
{
    switch (i->op) {
    case ADRENO_LDIB_B: return !adreno_attr(i, 2, ADRENO_W_TYPED, 1);
    case ADRENO_LDL:
    case ADRENO_LDP:
    case ADRENO_LDG:
    case ADRENO_LDC: return true;
    default: return false;
    }
}

/* Does it say which components it has, as textures do? */
static bool
has_mask(const ir_instr *i)
{
    return adreno_category(i->op) == 5 && i->n_defs == 1 && adreno_row(i->defs[0].rc) > 1 &&
           adreno_attr(i, 2, ADRENO_W_MASK, 4);
}

/* The components that something reads, of those that the load has. */
static uint32_t
mask_of(const adreno_opt *o, const ir_instr *load, const ir_instr *split)
{
    uint32_t mask = 0;
    for (unsigned d = 0; d < split->n_defs; d++)
        if (o->uses.count[split->defs[d].id])
            mask |= 1u << d;
    return mask & adreno_attr(load, 2, ADRENO_W_MASK, 4);
}

void
adreno_opt_trim_load(adreno_opt *o, ir_instr *split)
{
    ir_instr *load = split->n_refs ? cg_def_of(&o->uses, split->refs[0]) : NULL;
    unsigned n = split->n_defs;
    if (split->op != ADRENO_P_SPLIT_VECTOR || !load || !(has_elements(load) || has_mask(load)) ||
        o->uses.count[split->refs[0].id] != 1)
        return;
    if (has_mask(load)) {
        const uint32_t mask = mask_of(o, load, split);
        if (!mask)
            return;
        ir_words(load)[2] &= ~(15u << ADRENO_W_MASK);
        adreno_set(load, 2, ADRENO_W_MASK, mask);
    }
    while (n > 1 && !o->uses.count[split->defs[n - 1].id])
        n--;
    if (n == split->n_defs)
        return;
    for (unsigned d = n; d < split->n_defs; d++)
        o->f->values[split->defs[d].id].def = NULL;
    ir_drop_defs(split, n);
    const ir_type rc = (ir_type)(load->defs[0].rc - adreno_row(load->defs[0].rc) + n);
    load->defs[0].rc = split->refs[0].rc = rc;
    o->f->values[load->defs[0].id].type = rc;
    if (has_elements(load)) {
        ir_words(load)[2] &= ~3u;
        adreno_set(load, 2, ADRENO_W_ELEMS, n - 1);
    }
}
