/* Words of the text form, shared by printer and parser. Private to them. */
#ifndef IR_TEXT_NAMES_H
#define IR_TEXT_NAMES_H

#include "ir/ir.h"

/* Component letters of values with at most four components, and of larger ones. The two sets are
 * disjoint. */
extern const char ir_text_comps_few[5];
extern const char ir_text_comps_many[IR_MAX_COMPS + 1];

/* Indexed by bit: IR_BLOCK_* and the widths of ir_float_controls. Indexed by number: ir_stage. All
 * end with NULL.
 */
extern const char *const ir_text_block_kinds[];
extern const char *const ir_text_widths[];
extern const char *const ir_text_stages[];

typedef enum ir_text_kind { IR_TEXT_U32, IR_TEXT_BOOL, IR_TEXT_WIDTHS } ir_text_kind;

/* A field of ir_shader that is printed as "name: value" when it is not zero. */
typedef struct ir_text_field {
    const char *name;
    unsigned kind;   /* ir_text_kind */
    unsigned offset; /* in ir_shader */
} ir_text_field;

/* Terminated by a NULL name. */
extern const ir_text_field ir_text_shader_fields[];

#endif
