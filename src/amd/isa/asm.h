/* The assembler's parts.
 *
 * A mnemonic names a row and perhaps, by suffix, a form (32-bit, VOP3, SDWA, DPP); without suffix
 * the forms are tried in LLVM's order, and the first one that takes the operands and modifiers
 * wins. Each trial parses the rest of the line anew, guided by the row's operands. A trial that
 * fails says where and why; the one that got furthest makes the diagnostic.
 *
 *   asm_lex.c      characters to tokens
 *   asm_expr.c     expressions, symbols
 *   asm_operand.c  registers, constants, source modifiers
 *   asm_value.c    operands with names of their own: s_waitcnt's, sendmsg, hwreg, swizzle, targets
 *   asm_modifier.c what follows the operands
 *   asm.c          instructions: forms and encoding
 *   asm_file.c     lines, labels; asm_section.c, asm_data.c, asm_kernel.c the directives
 *   asm_resolve.c  what is known only when the whole file was read
 */
#ifndef AMD_ASM_H
#define AMD_ASM_H

#include "amd/isa/amdhsa.h"
#include "amd/isa/table.h"
#include "amd/isa/unit.h"
#include "base/map.h"

typedef enum asm_token_kind {
    ASM_END, /* of the line */
    ASM_IDENT,
    ASM_INT,
    ASM_FLOAT,
    ASM_STRING, /* with its quotes */
    ASM_PUNCT,  /* value: the character; two equal ones of << >> as one token, value the character +
                   256 */
    ASM_BAD,
} asm_token_kind;

typedef struct asm_token {
    asm_token_kind kind;
    const char *text; /* `len` characters */
    uint32_t len;
    uint64_t value;
    double number; /* ASM_FLOAT, and an ASM_INT's value */
} asm_token;

/* A label's value is its offset in its section. */
typedef struct asm_symbol {
    bool defined, label, expected; /* expected: the file has a label of that name, perhaps below */
    int64_t value;
    uint32_t section;                  /* of labels */
    uint8_t kind, binding, visibility; /* as in amd_unit_symbol */
    bool is_descriptor;                /* NAME.kd: 64 bytes, bound as NAME is */
    uint32_t owner;                    /* NAME's number */
    uint32_t got;                      /* offset in .got + 1; 0: it has no place there */
    uint64_t size;
    const char *size_at; /* the expression behind .size, where it is not known yet */
} asm_symbol;

/* Bytes that are filled in when the whole file was read. */
typedef enum asm_fixup_kind {
    ASM_FIX_BRANCH,  /* `symbol`: the low half of the word becomes the distance in words */
    ASM_FIX_LITERAL, /* the expression at `at`, 32 bits, cut */
    ASM_FIX_DATA,    /* the expression at `at`, `size` bytes */
    ASM_FIX_GOT,     /* the address of `symbol`, 8 bytes */
    ASM_FIX_ENTRY,   /* `symbol` less the descriptor's address, 8 bytes */
} asm_fixup_kind;

typedef struct asm_fixup {
    asm_fixup_kind kind;
    uint32_t section, symbol;
    size_t offset;
    uint8_t size;
    const char *at;
} asm_fixup;

/* Why a trial failed: at `at`, "expected `what`", or another row of errors.def with `what`. */
typedef struct asm_failure {
    const char *at;
    diag_error error;
    const char *what;
} asm_failure;

enum { ASM_MAX_SECTIONS = 64 };

/* What an expression came across, and what it is evaluated for. */
typedef struct asm_evaluation {
    bool may_defer; /* what is not known yet makes a placeholder, and `deferred` is set */
    bool deferred, saw_label, high;
    bool resolving;   /* addresses are known */
    uint64_t shift;   /* added to each section's address: shows what depends on it */
    uint32_t section; /* where the value will stand: `.`, and what @rel32 is relative to */
    uint64_t offset;
    const char *literal_at; /* the instruction's literal, when it was deferred */
} asm_evaluation;

typedef struct amd_asm {
    diag *d;
    arena *arena;
    amd_gen gen;
    bool wave64;
    base_buf *out;           /* the current section's bytes */
    const char *start, *end; /* the file */
    const char *p;           /* behind the token */
    asm_token token;         /* the current one */
    asm_failure failure;     /* the furthest */
    base_strings mnemonics;  /* of the generation */
    uint16_t *mnemonic_ops;  /* amd_op by number of mnemonic */
    base_strings names;      /* of symbols */
    asm_symbol *symbols;
    size_t n_symbols, symbols_cap;
    asm_fixup *fixups;
    size_t n_fixups, fixups_cap;
    asm_evaluation eval;
    amd_unit *unit;
    uint32_t section, previous; /* the current one, the one before */
    bool has_target;            /* target is known */
    amd_hsa_target target;
} amd_asm;

/* An instruction being parsed in one form. */
typedef struct asm_trial {
    amd_inst in;
    const amd_op_info *row;
    bool omit_dst; /* the text has no vdst: an atomic that does not return, a load to LDS */
    uint8_t dst_count[AMD_MAX_DST],
        src_count[AMD_MAX_SRC]; /* registers written in the text; 0 for constants */
    uint8_t half;               /* of the last register: 0 not written, 'l' or 'h' */
    bool has_literal, op_sel_hi_given, labelled;
    uint32_t label; /* symbol of the branch's target */
    const char *at_label;
    uint64_t modifiers[2]; /* bits of those that were there */
} asm_trial;

/* Reads the next token of the line into a->token. */
void
asm_next(amd_asm *a);

/* Goes (back) to `at`, which begins a token. */
void
asm_seek(amd_asm *a, const char *at);

bool
asm_is(const amd_asm *a, char punct);

/* Whether the current token is the identifier `name`. */
bool
asm_is_name(const amd_asm *a, const char *name);

/* Takes the token if it is `punct`. */
bool
asm_take(amd_asm *a, char punct);
bool
asm_take_name(amd_asm *a, const char *name);

/* Takes `punct` or notes that it was expected. */
bool
asm_expect(amd_asm *a, char punct, const char *what);

/* Notes a failure at the current token; always false. */
bool
asm_fail(amd_asm *a, diag_error error, const char *what);
bool
asm_expected(amd_asm *a, const char *what);

/* Ends the call with the noted failure. */
_Noreturn void
asm_report(amd_asm *a);

/* Sets the diagnostic's place to `at`. */
void
asm_locate(amd_asm *a, const char *at);

/* An expression for a literal of the instruction: where it is not known yet it is a placeholder,
 * which asm_note_literal finds again in the encoded instruction. */
bool
asm_literal(amd_asm *a, bool primary, int64_t *value);
bool
asm_note_literal(amd_asm *a, size_t start);

/* An expression of which sections' addresses may be part: `*sections` is how often. */
bool
asm_address(amd_asm *a, bool primary, int64_t *value, int64_t *sections);

/* An integer expression of known value. `primary` leaves operators alone: between the bars of an
 * absolute value. */
bool
asm_expression(amd_asm *a, bool primary, int64_t *value);

/* The same within limits. */
bool
asm_integer(amd_asm *a, int64_t low, int64_t high, int64_t *value);

/* The number of the symbol `name`, made when new. */
uint32_t
asm_symbol_of(amd_asm *a, const char *name, size_t len);

/* The symbol `name` itself, until the next one is made. */
asm_symbol *
asm_symbol_named(amd_asm *a, const char *name, size_t len);

/* A register or tuple; false (and nothing noted or taken) if there is none, with `*bad` set if it
 * begins like one but is wrong. Scalars that are constants to the hardware (scc, shared_base) have
 * count 0. */
bool
asm_register(amd_asm *a, unsigned *code, unsigned *count, bool *bad);

/* Parses operand `o` into t->in.dst[i] or src[i]. */
bool
asm_operand(amd_asm *a, asm_trial *t, const amd_operand *o, unsigned i);

/* Parses an immediate operand. */
bool
asm_immediate(amd_asm *a, asm_trial *t, amd_kind kind);

/* The value behind "offset:" of DS, with swizzle(). */
bool
asm_swizzle(amd_asm *a, int64_t *value);

/* Parses the modifiers behind the operands, to the line's end. */
bool
asm_modifiers(amd_asm *a, asm_trial *t);

/* The rule of the hardware that an encodable instruction breaks, NULL if none. */
const char *
asm_check(amd_gen gen, const asm_trial *t, bool wave64);

/* Counts the registers that the instruction names for .amdgcn.next_free_vgpr and _sgpr. */
void
asm_count_registers(amd_asm *a, const asm_trial *t);

/* Adds a fixup in the current section. */
void
asm_add_fixup(amd_asm *a, asm_fixup fixup);

/* Moves to the end of the line, to the next line. */
void
asm_skip_line(amd_asm *a);
void
asm_next_line(amd_asm *a);

/* An integer within limits, or the diagnostic. */
int64_t
asm_number(amd_asm *a, int64_t low, int64_t high);

/* Defines a symbol; `at` is where its name stands, for the diagnostic. */
void
asm_define(amd_asm *a, const char *name, uint32_t len, const char *at, asm_symbol value);

/* NAME = expression, at the expression. */
void
asm_set_symbol(amd_asm *a, const asm_token *name);

/* The name that is the current token as a symbol, or the diagnostic. */
asm_symbol *
asm_take_symbol(amd_asm *a);

/* Directives by their kinds: true if the current token was one, and it was handled. */
bool
asm_section_directive(amd_asm *a);
bool
asm_data_directive(amd_asm *a);
bool
asm_kernel_directive(amd_asm *a);

/* The section called `name`, made when it is new. */
uint32_t
asm_find_section(amd_asm *a, const char *name, size_t len);

/* Goes on in a section. */
void
asm_enter_section(amd_asm *a, uint32_t section);
/* The same of VOPD. */
const char *
asm_check_dual(amd_gen gen, const amd_inst *in, bool wave64);

/* Parses and emits the instruction whose mnemonic is the current token. */
void
asm_instruction(amd_asm *a);

#endif
