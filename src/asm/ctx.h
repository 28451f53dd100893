/* The state of one assembly.
 *
 *   source.c   nested source texts: files, macros, repetitions; locations
 *   lex.c      characters to tokens
 *   report.c   failures and diagnostics; line.c lines of code, for line tables
 *   expr.c     expressions; eval.c their values; symbol.c symbols
 *   file.c     lines, labels, which directive reads one; section.c, data.c directives
 *   cond.c     .if; macro.c .macro; repeat.c .rept, .irp; expand.c their texts; include.c files
 *   resolve.c  what can only be determined after the whole file was read
 */
#ifndef ASM_CTX_H
#define ASM_CTX_H

#include "asm/fixup.h"
#include "asm/line.h"
#include "asm/machine.h"
#include "asm/report.h"
#include "asm/section.h"
#include "asm/source.h"
#include "asm/symbol.h"
#include "asm/unit.h"
#include "base/map.h"

struct asm_ctx {
    diag *d;
    arena *arena;
    const asm_machine *machine;
    void *user;          /* the machine's state */
    base_buf *out;       /* the current section's bytes */
    const char *file;    /* name given by the call */
    const char *line;    /* the current statement */
    const char *end;     /* of the current source */
    const char *p;       /* just after the token */
    asm_token token;     /* the current one */
    asm_failure failure; /* the furthest one in the current source */
    base_strings names;  /* of symbols */
    asm_symbol *symbols; /* indexed by the number of the name */
    size_t n_symbols, symbols_cap;
    asm_fixup *fixups;
    size_t n_fixups, fixups_cap;
    asm_code *codes;
    size_t n_codes, codes_cap;
    asm_sum *sums; /* evaluation stack */
    size_t n_sums, sums_cap;
    bool may_defer;              /* the expression being read may be a distance: asm_parse_late */
    bool high;                   /* use the upper half of a value NAME@...@hi */
    const char *unknown_at;      /* the first name in the expression that is not a number */
    uint32_t unknown;            /* its symbol */
    size_t lines_cap, files_cap; /* of asm_unit */
    base_strings directives;     /* their names */
    const asm_directive **rows;  /* indexed by the number of the name */
    asm_unit *unit;
    uint32_t section, previous; /* the current section and the one before it */
    uint64_t filled;            /* bytes requested by .zero and similar directives */
    uint64_t included;          /* total bytes of included files */
    bool is_ended;              /* .end */
    asm_source *sources;
    size_t n_sources, sources_cap;
    uint32_t source; /* the current one */
    uint64_t expanded;
    unsigned n_instantiations;
    bool is_alternate; /* .altmacro */
    base_strings macro_names;
    asm_macro **macros; /* indexed by the number of the name; NULL: not a macro, or purged */
    size_t macros_cap;
    uint32_t n_macros; /* number of existing macros */
    asm_cond *conds;
    size_t n_conds, conds_cap;
    bool is_skipping; /* the innermost condition is false */
    jmp_buf *resume;  /* of the innermost asm_attempt */
    diag first;       /* the first error; without an exit */
    uint32_t n_errors;
    uint32_t stop_source; /* where the statement with an error ended */
    const char *stop_at;
    bool is_last;       /* the next error ends the call */
    bool is_recovering; /* the rest of a wrong line is being skipped */
    bool may_define;    /* the statement adds or selects other lines, which may define symbols */
    /* such a statement had an error, which may be the reason for undefined symbols */
    bool is_incomplete;
    uint32_t evaluation; /* number of the current one, from 1 */
    uint32_t stack[ASM_MAX_SECTIONS];
    uint32_t n_stack; /* .pushsection */
};

#endif
