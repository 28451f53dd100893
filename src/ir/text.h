/* The text form of every level: it is printed, and parsed back to an equal function.
 *
 * HIR follows NIR's text form, machine levels follow ACO's; docs/hir.md has the grammar.
 */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include "base/buf.h"
#include "ir/ir.h"

enum {
    IR_PRINT_DIVERGENCE = 1, /* con and div before definitions; needs the analysis */
    IR_PRINT_LOCS = 2,       /* source lines as comments */
    IR_PRINT_KILLS = 4,      /* machine levels: kill flags */
};

/* Appends the function as text. */
void
ir_print(const ir_fn *f, unsigned flags, base_buf *out);

/* Appends one instruction without a line end. */
void
ir_print_instr(const ir_fn *f, const ir_instr *i, unsigned flags, base_buf *out);

/* Reads a function of `level`; fails with line and column. The result is structurally sound but not
 * yet verified. */
ir_fn *
ir_parse(ir_ctx *ctx, const ir_level *level, const char *text, size_t size);

#endif
