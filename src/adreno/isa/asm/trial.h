/* The attempt to read an instruction as one row. */
#ifndef ADRENO_ISA_ASM_TRIAL_H
#define ADRENO_ISA_ASM_TRIAL_H

#include "adreno/isa/asm/asm.h"
#include "asm/ctx.h"

enum { ADRENO_SIZE_UNKNOWN = 2 }; /* else 0 whole, 1 half */

typedef struct adreno_trial {
    asm_ctx *a;
    const adreno_isa *t;
    adreno_inst in;
    const char *at;                  /* what is read next */
    bool in_operands;                /* blanks are skipped */
    uint8_t size[ADRENO_SIZE_RULES]; /* of the registers that were written */
    uint8_t table_size;              /* of entries of the table of floats */
    bool has_r;                      /* (r) on source 1 or 2 */
    bool is_indirect, is_nonuniform, is_bindless;
    const char *label; /* the target of a jump; NULL: a number */
    uint32_t label_size;
} adreno_trial;

/* Reads an element's text. Returns false and records the failure if it is another. */
bool
adreno_read_element(adreno_trial *r, adreno_element e);

/* Reads `text`, which must stand there. */
bool
adreno_take(adreno_trial *r, const char *text);

/* Records a failure at the current place; always returns false. */
bool
adreno_want(adreno_trial *r, const char *what);

/* The same for a flag; in a mnemonic only if a whole part of it is the text. */
bool
adreno_take_flag(adreno_trial *r, const char *text);

void
adreno_skip_blanks(adreno_trial *r);

/* Reads "12.y": the number of a vec4 below `limit`, and a component. */
bool
adreno_read_place(adreno_trial *r, uint32_t limit, uint32_t *place);

/* Reads a component behind the name of vec4 `number`: "up0.x". */
bool
adreno_read_special(adreno_trial *r, const char *name, unsigned number, uint32_t *reg);

/* Reads a register: its number in a byte, and whether it is written as a half one. */
bool
adreno_read_register(adreno_trial *r, uint32_t *reg, bool *half);

/* Records the size of a register. Returns false if another one has another size. */
bool
adreno_set_size(adreno_trial *r, adreno_size_rule rule, bool half);

/* Reads a register into a field. */
bool
adreno_read_sized(adreno_trial *r, adreno_field field, adreno_size_rule rule);

/* Reads an integer; one of a field's range, from which `bias` is subtracted; the same in a
 * mnemonic. */
bool
adreno_read_number(adreno_trial *r, int64_t low, int64_t high, int64_t *number);
bool
adreno_read_field_number(adreno_trial *r, adreno_field field, unsigned bias);
bool
adreno_read_mnemonic_number(adreno_trial *r, adreno_field field, unsigned bias);

/* Reads a number in a mnemonic that is 2 << field if `unit` is 2, else (field + 1) * unit. */
bool
adreno_read_power(adreno_trial *r, adreno_field field, uint32_t unit);

/* Reads the longest of the names that stands here; an empty one if no other does. */
bool
adreno_read_name(adreno_trial *r, const char *names, uint32_t *value);

/* Sets the fields that follow from the sizes of registers. */
bool
adreno_settle_sizes(adreno_trial *r);

#endif
