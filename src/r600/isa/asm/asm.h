/* The assembler of TeraScale: control flow, slots of ALU groups, fetches, literals; a statement a
 * line, in the order in which they stand in memory (docs/r600.md).
 *
 * A mnemonic names a row; its operands follow the format's text, its options come in any order. A
 * number in place of a source becomes a literal of its group, which is written behind the group. */
#ifndef R600_ISA_ASM_ASM_H
#define R600_ISA_ASM_ASM_H

#include "asm/ctx.h"
#include "asm/line_check.h"
#include "r600/isa/table/table.h"

/* Assembles a text; asm_resolve must follow. Fails with a diagnostic at line and column. */
asm_unit *
r600_assemble_unit(diag *d, arena *scratch, const r600_isa *isa, const asm_options *options,
                   asm_text text);

/* Assembles single lines, to see what they give. */
asm_line_check *
r600_line_check_new(arena *scratch, const r600_isa *isa);

/* Returns true if the line assembles to these bytes. */
bool
r600_line_check_run(asm_line_check *c, asm_text line, const uint8_t *bytes, size_t size);

/* ---- inside the assembler ---- */

enum { R600_MAX_LITERALS = 4 };

/* The machine's state. */
typedef struct r600_asm {
    const r600_isa *isa;
    base_strings names[R600_SPACES];      /* of rows */
    uint16_t *rows[R600_SPACES];          /* by number of the name */
    uint32_t literals[R600_MAX_LITERALS]; /* of the group that is being read */
    uint32_t n_literals;
    bool has_named_literals; /* the group has L.x, so that its literals are written out */
} r600_asm;

/* A statement that is being read. */
typedef struct r600_reader {
    asm_ctx *a;
    r600_asm *m;
    const r600_isa *t;
    r600_inst in;
    const char *at, *end;
    const char *label; /* the address is a label; NULL: a number */
    uint32_t label_size;
    bool has_index_mode; /* an operand has said it */
} r600_reader;

void
r600_asm_statement(asm_ctx *a);

/* Is the current token the start of a slot, "x:" or "12 x:", which is no label? */
bool
r600_asm_begins(const asm_ctx *a);

/* Ends the statement with "expected `what`" at the current place. */
_Noreturn void
r600_want(r600_reader *r, const char *what);

void
r600_skip_blanks(r600_reader *r);

/* Reads `text` if it stands here; the same for a word, behind which no other letter stands. */
bool
r600_take(r600_reader *r, const char *text);
bool
r600_take_word(r600_reader *r, const char *text);

/* Reads `text`, which must stand here. */
void
r600_expect(r600_reader *r, const char *text);

/* Reads letters, digits and underscores. */
asm_text
r600_take_name(r600_reader *r);

/* A number from `low` to `high`. */
int64_t
r600_take_number(r600_reader *r, int64_t low, int64_t high);

/* Sets a field, which must have room for the value. */
void
r600_set_field(r600_reader *r, unsigned field, int64_t value);

/* "R5", "T1": the number of a register. */
uint32_t
r600_take_register(r600_reader *r);

/* Reads a name of the list, or #number. */
uint32_t
r600_take_choice(r600_reader *r, const char *names);

/* Reads what follows the mnemonic of an ALU instruction, except for options. */
void
r600_read_alu(r600_reader *r);

/* Reads the options of the row's format. */
void
r600_read_options(r600_reader *r);

/* Reads `[AR.x]` if it stands here. Returns false if it does not. */
bool
r600_take_index(r600_reader *r);

#endif
