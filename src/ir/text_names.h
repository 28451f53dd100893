/* Words of the text form, shared by printer and parser. Private to them. */
#ifndef IR_TEXT_NAMES_H
#define IR_TEXT_NAMES_H

#include "ir/text.h"

/* Component letters of values with at most four components, and of larger ones. The two sets are
 * disjoint. */
extern const char ir_text_comps_few[5];
extern const char ir_text_comps_many[IR_MAX_COMPS + 1];

/* Indexed by bit: IR_BLOCK_*. Indexed by number: ir_stage. All
 * end with NULL.
 */
extern const char *const ir_text_block_kinds[];
extern const char *const ir_text_stages[];

/* Indexed by bit of IR_HAS_*: those that a text can state. */
extern const char *const ir_text_analyses[];

/* The fields of ir_shader; terminated by a NULL name. */
extern const ir_text_field ir_text_shader_fields[];

#endif
