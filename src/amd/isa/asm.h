/* The assembler's parts.
 *
 * A mnemonic names a row and perhaps, by suffix, a form (32-bit, VOP3, SDWA, DPP); without suffix
 * the forms are tried in LLVM's order, and the first one that takes the operands and modifiers
 * wins. Each trial parses the rest of the line anew, guided by the row's operands. A trial that
 * fails says where and why; the one that got furthest makes the diagnostic.
 *
 *   asm_source.c   texts that are read one within the other: files, macros, repetitions; places
 *   asm_lex.c      characters to tokens
 *   asm_expr.c     expressions; asm_eval.c their values; asm_call.c functions; asm_symbol.c symbols
 *   asm_operand.c  registers, constants, source modifiers
 *   asm_value.c    operands with names of their own: s_waitcnt's, sendmsg, hwreg, swizzle, targets
 *   asm_modifier.c what follows the operands
 *   asm.c          instructions: forms and encoding
 *   asm_file.c     lines, labels; asm_section.c, asm_data.c, asm_kernel.c the directives
 *   asm_cond.c     .if; asm_macro.c .macro; asm_repeat.c .rept, .irp; asm_expand.c their texts
 *   asm_resolve.c  what is known only when the whole file was read
 */
#ifndef AMD_ASM_H
#define AMD_ASM_H

#include "amd/isa/amdhsa.h"
#include "amd/isa/asm_text.h"
#include "amd/isa/table.h"
#include "amd/isa/unit.h"
#include "base/map.h"

typedef struct amd_asm amd_asm;

typedef enum asm_token_kind {
    ASM_END, /* of the line */
    ASM_IDENT,
    ASM_INT,
    ASM_FLOAT,
    ASM_STRING, /* with its quotes */
    ASM_PUNCT,  /* value: the character, or ASM_PAIR of two */
    ASM_BAD,
} asm_token_kind;

/* Operators of two characters: << >> == != <> <= >= && || */
#define ASM_PAIR(first, second) ((unsigned)(first) | (unsigned)(second) << 8)

typedef struct asm_token {
    asm_token_kind kind;
    const char *text; /* `len` characters */
    uint32_t len;
    uint64_t value;
    double number; /* ASM_FLOAT, and an ASM_INT's value */
} asm_token;

/* What an expression is made of, in postfix order. */
typedef enum asm_code_op {
    ASM_CONST,
    ASM_SYMBOL,
    ASM_PLACE, /* `.`: section `index`, offset `value` */
    ASM_REL32, /* the distance to symbol `index` from where the value stands */
    ASM_REL32_HI,
    ASM_GOT, /* the same to the symbol's place in .got */
    ASM_GOT_HI,
    ASM_CALL, /* function `index` of asm_call.c */
    ASM_NEG,  /* operators of one value */
    ASM_NOT,
    ASM_IS_ZERO,
    ASM_ADD, /* operators of two */
    ASM_SUB,
    ASM_MUL,
    ASM_DIV,
    ASM_REM,
    ASM_SHL,
    ASM_SHR,
    ASM_AND,
    ASM_OR,
    ASM_OR_NOT,
    ASM_XOR,
    ASM_BOTH,
    ASM_EITHER,
    ASM_EQ,
    ASM_NE,
    ASM_LT,
    ASM_LE,
    ASM_GT,
    ASM_GE,
    ASM_MAX,
} asm_code_op;

typedef struct asm_code {
    uint8_t op;
    uint32_t index;
    union {
        int64_t value;
        const char *at; /* of symbols: where the name stands, in the expression's source */
    } as;
} asm_code;

/* An expression: a number, or codes where something in it is not known when it is read. */
typedef struct asm_expr {
    bool is_known;
    int64_t value;
    uint32_t first, count; /* of amd_asm.codes */
    uint32_t source;
} asm_expr;

/* A value: `number` and `bases` times the address of `section`. When all addresses are known these
 * are part of `number`, and `bases` is how often it counts the address that the object is loaded
 * at. ASM_ODD: it depends on addresses in another way, and so does all that is made of it. */
enum { ASM_ODD = 1 << 20 };
typedef struct asm_sum {
    int64_t number, bases;
    uint32_t section;
} asm_sum;

/* Whether a sum is there, while addresses are not known or when they are. */
typedef enum asm_summed { ASM_NOT_SUMMED, ASM_SUMMED_EARLY, ASM_SUMMED } asm_summed;

/* A label's value is its offset in its section. */
typedef struct asm_symbol {
    bool defined, label;
    bool variable;  /* defined by `=`: may change */
    bool used;      /* as what is no number */
    bool lazy;      /* a variable whose value `expr` is not known yet */
    bool busy;      /* `expr` is being evaluated */
    bool is_hidden; /* not in the object: the call gave it */
    int64_t value;
    uint32_t section;                  /* of labels */
    uint8_t kind, binding, visibility; /* as in amd_unit_symbol */
    bool is_descriptor;                /* NAME.kd: 64 bytes, bound as NAME is */
    uint32_t owner;                    /* NAME's number */
    uint32_t got;                      /* offset in .got + 1; 0: it has no place there */
    bool has_size;                     /* .size: `size` */
    asm_expr expr, size;
    asm_sum sum; /* of a lazy one's `expr` */
    asm_summed summed;
} asm_symbol;

/* Bytes that are filled in when the whole file was read. */
typedef enum asm_fixup_kind {
    ASM_FIX_BRANCH,  /* `symbol`: the low half of the word becomes the distance in words */
    ASM_FIX_LITERAL, /* `expr`, 32 bits, cut */
    ASM_FIX_DATA,    /* `expr`, `size` bytes */
    ASM_FIX_GOT,     /* the address of `symbol`, 8 bytes */
    ASM_FIX_ENTRY,   /* `symbol` less the descriptor's address, 8 bytes */
    ASM_FIX_KERNEL,  /* the descriptor of `kernel` */
} asm_fixup_kind;

typedef struct asm_fixup {
    asm_fixup_kind kind;
    uint32_t section, symbol;
    size_t offset;
    uint8_t size;
    asm_expr expr;
    struct asm_kernel *kernel;
    const char *at; /* in `source`: for diagnostics */
    uint32_t source;
} asm_fixup;

/* An .amdhsa_kernel: its directives; the expressions of those whose values are not known yet. */
typedef struct asm_kernel {
    asm_token name;
    uint32_t source; /* that has the name; lines may come from others */
    amd_hsa_kernel rows;
    uint32_t n_open;
    struct asm_open_row {
        amd_hsa_row row;
        asm_expr expr;
        const char *at;
    } open[AMD_HSA_ROW_COUNT];
} asm_kernel;

/* Why a trial failed: at `at`, "expected `what`", or another row of errors.def with `what`. */
typedef struct asm_failure {
    const char *at;
    diag_error error;
    const char *what;
} asm_failure;

enum { ASM_MAX_SECTIONS = 64 };

/* A directive; `arg` tells those apart that one function reads. The current token is behind the
 * name. */
typedef struct asm_directive {
    const char *name; /* in small letters */
    void (*read)(amd_asm *a, unsigned arg);
    unsigned arg;
    bool is_condition; /* looked at where lines are passed over, too */
} asm_directive;

struct amd_asm {
    diag *d;
    arena *arena;
    amd_gen gen;
    bool wave64;
    base_buf *out;          /* the current section's bytes */
    const char *file;       /* that the call named */
    const char *line;       /* the current statement */
    const char *end;        /* of the current source */
    const char *p;          /* behind the token */
    asm_token token;        /* the current one */
    asm_failure failure;    /* the furthest, in the current source */
    base_strings mnemonics; /* of the generation */
    uint16_t *mnemonic_ops; /* amd_op by number of mnemonic */
    base_strings names;     /* of symbols */
    asm_symbol *symbols;
    size_t n_symbols, symbols_cap;
    asm_fixup *fixups;
    size_t n_fixups, fixups_cap;
    asm_code *codes;
    size_t n_codes, codes_cap;
    asm_sum *sums; /* the stack of evaluation */
    size_t n_sums, sums_cap;
    bool may_defer;         /* a literal may have a value that is not known yet: `literal` */
    bool has_literal, high; /* high: of a value NAME@...@hi the upper half counts */
    asm_expr literal;       /* the instruction's */
    const char *literal_at;
    const char *unknown_at;     /* the first name in the expression that is no number */
    base_strings directives;    /* their names */
    const asm_directive **rows; /* by number of name */
    amd_unit *unit;
    uint32_t section, previous; /* the current one, the one before */
    bool has_target;            /* target is known */
    amd_hsa_target target;
    uint32_t next_free[2]; /* .amdgcn.next_free_vgpr and _sgpr */
    uint64_t filled;       /* bytes that .zero and its like asked for */
    uint64_t included;     /* bytes of files */
    bool is_ended;         /* .end */
    asm_source *sources;
    size_t n_sources, sources_cap;
    uint32_t source; /* the current one */
    uint64_t expanded;
    unsigned n_instantiations;
    bool is_alternate; /* .altmacro */
    base_strings macro_names;
    asm_macro **macros; /* by number of name; NULL: none, or no more */
    size_t macros_cap;
    uint32_t n_macros; /* that there are */
    asm_cond *conds;
    size_t n_conds, conds_cap;
    bool is_skipping; /* the innermost condition does not hold */
    uint32_t stack[ASM_MAX_SECTIONS];
    uint32_t n_stack; /* .pushsection */
};

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

/* May `c` be part of an identifier: of a name, or of what @ joins to it? */
bool
asm_is_name_char(char c);

/* Up to 60 characters of a name, for a diagnostic. */
const char *
asm_short(const amd_asm *a, const char *name, size_t len);

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

/* The diagnostic that `what` was expected at the token. */
_Noreturn void
asm_want(amd_asm *a, const char *what);

/* Takes what must be there, or the diagnostic. */
void
asm_take_comma(amd_asm *a);
asm_token
asm_take_string(amd_asm *a);

/* Sets the diagnostic's place to `at`. */
void
asm_locate(amd_asm *a, const char *at);

/* Reads an expression. `alone` leaves operators of two values alone: between the bars of an
 * absolute value. False: it is none. */
bool
asm_parse(amd_asm *a, bool alone, asm_expr *e);

/* Its value as far as that is known while the file is read; false if it is not. */
bool
asm_evaluate(amd_asm *a, const asm_expr *e, asm_sum *out);

/* Makes a sum that is a number or a label a variable's value, in place of what it was made of;
 * false: it is neither. */
bool
asm_settle(asm_symbol *s, const asm_sum *sum);

/* The value of a fixup's or symbol's expression when addresses are known, or the diagnostic. `f`
 * says where it will stand. Sets a->high. */
void
asm_evaluate_last(amd_asm *a, const asm_fixup *f, const asm_expr *e, asm_sum *out);

/* left = left op right; operators of one value ignore `right`. False: a division by zero. */
bool
asm_apply(unsigned op, int64_t *left, int64_t right);

/* The function whose name is the token; false if there is none, or the target is not known. The
 * number of its arguments, up to ASM_MAX_ARGUMENTS; its value, false where it has none. */
enum { ASM_MAX_ARGUMENTS = 7 };
bool
asm_find_call(const amd_asm *a, uint32_t *function);
unsigned
asm_call_arguments(uint32_t function);
bool
asm_call(const amd_asm *a, uint32_t function, const int64_t *args, int64_t *out);

/* An expression for a literal of the instruction: where it has labels in it, known or not (so
 * LLVM), it is a placeholder, which asm_note_literal finds again in the encoded instruction. */
bool
asm_literal(amd_asm *a, bool alone, int64_t *value);
bool
asm_note_literal(amd_asm *a, size_t start);

/* An integer expression of known value. */
bool
asm_expression(amd_asm *a, bool alone, int64_t *value);

/* The same within limits. */
bool
asm_integer(amd_asm *a, int64_t low, int64_t high, int64_t *value);

/* The number of the symbol `name`, made when new. */
uint32_t
asm_symbol_of(amd_asm *a, const char *name, size_t len);

/* The symbol `name` itself, until the next one is made. */
asm_symbol *
asm_symbol_named(amd_asm *a, const char *name, size_t len);

/* Its name, for a diagnostic. */
const char *
asm_symbol_text(amd_asm *a, uint32_t symbol);

/* The next label `number` below, or the last one above; and its definition here. */
uint32_t
asm_local_label(amd_asm *a, uint64_t number, bool forward);
void
asm_define_local(amd_asm *a, const asm_token *number);

/* Defines the symbols that the assembler keeps ("Code Object V3 and Above Predefined Symbols"). */
void
asm_predefine(amd_asm *a);

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

/* Counts the registers that the instruction names for .amdgcn.next_free_vgpr and _sgpr. */
void
asm_count_registers(amd_asm *a, const asm_trial *t);

/* Fills in a kernel's descriptor, all but the entry, when all its values are known. */
void
asm_resolve_kernel(amd_asm *a, const asm_fixup *f);

/* Adds a fixup, of the current source. */
void
asm_add_fixup(amd_asm *a, asm_fixup fixup);

/* Moves to the end of the line. */
void
asm_skip_line(amd_asm *a);

/* Moves to the next line, of what the current source returns to when it has none; false at the end
 * of all. */
bool
asm_next_line(amd_asm *a);

/* Goes on at the beginning of a new source; a->p and asm_source.back are behind the line. */
void
asm_enter(amd_asm *a, asm_source s);

/* The same with the text that `s.macro` and `s.args` make. */
void
asm_enter_expansion(amd_asm *a, asm_source s);

/* Goes to the end of the current source, leaving out the rounds that are left. */
void
asm_leave(amd_asm *a);

/* Begins the next round where the current source is a repetition that has one. */
bool
asm_next_round(amd_asm *a);

/* Makes the source that has `at` in it the current one: the text of a statement of several lines
 * may come from several. */
void
asm_enter_source_of(amd_asm *a, const char *at);

/* Goes to a place that was noted, for a diagnostic. */
void
asm_return_to(amd_asm *a, uint32_t source, const char *at);

/* Counts what a call or repetition makes, and bytes that a directive fills; ends the call where
 * that is too much. */
void
asm_charge(amd_asm *a, uint64_t bytes);
void
asm_fill(amd_asm *a, uint64_t bytes);

/* The lines up to one of the names in `closing`, which is taken with its line; those in `opening`
 * begin a block within. `at`: what wants it. */
asm_span
asm_body(amd_asm *a, const char *const *opening, const char *const *closing, const char *at);

/* The argument at the token: texts in quotes without these. */
asm_span
asm_argument(amd_asm *a);

/* Calls the macro whose name is the token; false if there is none. */
bool
asm_call_macro(amd_asm *a);

/* Ends conditions until `left` are left open; and, at the file's end, the diagnostic where one
 * is. */
void
asm_drop_conditions(amd_asm *a, size_t left);
void
asm_check_conditions(amd_asm *a);

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

/* Directives by their kinds, to a NULL name. */
extern const asm_directive asm_data_directives[], asm_section_directives[], asm_kernel_directives[],
    asm_symbol_directives[], asm_cond_directives[], asm_macro_directives[], asm_repeat_directives[],
    asm_include_directives[];

/* The section called `name`, made when it is new. */
uint32_t
asm_find_section(amd_asm *a, const char *name, size_t len);

/* Goes on in a section. */
void
asm_enter_section(amd_asm *a, uint32_t section);

/* Parses and emits the instruction whose mnemonic is the current token. */
void
asm_instruction(amd_asm *a);

#endif
