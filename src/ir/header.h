/* The fields of structs in the header of the text form. Private to printer and parser. */
#ifndef IR_HEADER_H
#define IR_HEADER_H

#include "ir/lex.h"
#include "ir/text.h"

/* Appends the fields of the struct at `at`, a line each, that are not zero. */
void
ir_put_fields(const ir_text_field *fields, const void *at, base_buf *out);

/* Finds a field by name; NULL if there is none. */
const ir_text_field *
ir_find_field(const ir_text_field *fields, ir_tok name);

/* Reads the value of a field after "name:" into the struct at `at`. Memory comes from `a`. Fails
 * with line and column. */
void
ir_take_field(ir_lexer *l, arena *a, const ir_text_field *field, void *at);

#endif
