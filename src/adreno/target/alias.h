/* Texture instructions that read the parts of their rows where they are (alias.tex).
 *
 * Their first references are the parts of the first row, then of the second one; a row of 0 parts
 * is one reference, as always. What is neither number nor register is a place in the constant
 * file. */
#ifndef ADRENO_TARGET_ALIAS_H
#define ADRENO_TARGET_ALIAS_H

#include "adreno/adreno.h"

#include <string.h>

/* Fields of word 1, above the numbers of texture and sampler. */
enum {
    ADRENO_T_FIRST = 8,   /* parts of the first row; 4 bits */
    ADRENO_T_SECOND = 12, /* 3 bits */
    ADRENO_T_FILES = 16,  /* by reference: in the constant file */
    ADRENO_MAX_ALIASED = 16,
};

static inline bool
adreno_is_aliased(const ir_instr *i)
{
    return adreno_category(i->op) == 5 && adreno_attr(i, 1, ADRENO_T_FIRST, 7);
}

/* Puts an instruction with other references, to be filled in, before `i`, and takes it away. */
static inline ir_instr *
adreno_replace_texture(ir_fn *f, ir_instr *i, unsigned n_refs)
{
    ir_instr *made = ir_new_instr(f, i->op, 1, n_refs);
    memcpy(ir_words(made), ir_words(i), i->n_words * sizeof(uint32_t));
    made->form = i->form;
    made->loc = i->loc;
    made->defs[0] = i->defs[0];
    if (ir_is_value(i->defs[0]))
        f->values[i->defs[0].id].def = made;
    ir_insert_before(i, made);
    ir_unlink(i);
    return made;
}

#endif
