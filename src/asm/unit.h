/* The assembler's result for a file: sections, symbols, and the data that a linker needs.
 *
 * Steps: asm_read reads the text; the caller assigns addresses to the sections; asm_resolve fills
 * in everything that depends on them, and lists the symbols and the relocations that are left for
 * the loader.
 */
#ifndef ASM_UNIT_H
#define ASM_UNIT_H

#include "asm/machine.h"
#include "base/buf.h"
#include "base/diag.h"

typedef struct asm_unit_section {
    const char *name;
    bool is_loaded, is_executable, is_writable;
    bool is_zero;   /* all its bytes are zero and take no space in a file */
    uint32_t align; /* a power of two up to 4096 */
    base_buf data;
    uint64_t address; /* set by the caller */
} asm_unit_section;

/* Numbers as in ELF. */
enum { ASM_UNIT_NONE = 0, ASM_UNIT_OBJECT = 1, ASM_UNIT_FUNCTION = 2 };
enum { ASM_UNIT_LOCAL = 0, ASM_UNIT_GLOBAL = 1, ASM_UNIT_WEAK = 2 };
enum { ASM_UNIT_DEFAULT = 0, ASM_UNIT_INTERNAL = 1, ASM_UNIT_HIDDEN = 2, ASM_UNIT_PROTECTED = 3 };

typedef struct asm_unit_symbol {
    const char *name;
    uint8_t kind, binding, visibility;
    int32_t section; /* -1: an absolute value */
    uint64_t value;  /* offset in the section */
    uint64_t size;
} asm_unit_symbol;

/* 8 bytes that get the load address plus `addend`. */
typedef struct asm_unit_reloc {
    uint32_t section;
    uint64_t offset, addend;
} asm_unit_reloc;

/* The code of a section from `offset` on, up to the next row of the section, comes from a line of a
 * file: an index into asm_unit.files. */
typedef struct asm_unit_line {
    uint32_t section, offset, file, line;
} asm_unit_line;

typedef struct asm_unit_given {
    const char *name;
    int64_t value;
} asm_unit_given;

typedef struct asm_options {
    const asm_machine *machine;
    void *user;      /* the machine's state */
    bool is_code;    /* only .text is used, at address 0: references to other sections are errors */
    bool with_lines; /* list the lines of executable sections */
    const asm_unit_given *given; /* symbols that are predefined for the text */
    uint32_t n_given;
    /* Provides the bytes of a file for .include and .incbin, which must live as long as the unit;
     * false if there is no file of that name. NULL: including is not allowed. */
    bool (*include)(void *user, const char *name, const char **text, size_t *size);
    void *include_user;
    /* Receives the messages of .print and .warning. May be NULL. */
    void (*note)(void *user, const diag_loc *loc, bool is_warning, const char *text);
    void *note_user;
    /* Receives each error when it is found; reading goes on at the next statement. The call fails
     * with the first one, whose diag.is_reported is set. NULL: the first error ends the call. */
    void (*report)(void *user, const diag *d);
    void *report_user;
} asm_options;

/* A piece of text, which need not end with a zero. */
typedef struct asm_text {
    const char *text;
    size_t size;
} asm_text;

typedef struct asm_unit {
    asm_options options;
    asm_unit_section *sections; /* [0] is .text */
    uint32_t n_sections;
    uint32_t max_relocs; /* upper bound */
    const char **files;  /* of `lines` */
    uint32_t n_files;
    asm_unit_line *lines; /* each section's rows are in ascending order */
    uint32_t n_lines;
    const asm_unit_symbol *symbols; /* from here on set by asm_resolve */
    uint32_t n_symbols;
    asm_unit_reloc *relocs;
    uint32_t n_relocs;
    asm_ctx *state;
} asm_unit;

/* The word behind a directive that stands at the start of a line; NULL if there is none. */
const char *
asm_find_word(const char *text, size_t size, const char *directive);

/* The same word, which names a target, as a string in `a`. */
const char *
asm_read_target(arena *a, const char *text, size_t size, const char *directive);

/* Assembles a file. The result lives in `scratch`. Fails with a diagnostic at line and column. */
asm_unit *
asm_read(diag *d, arena *scratch, const asm_options *options, const char *text, size_t size);

/* Lists the symbols known before resolving; unknown sizes are 0. */
void
asm_list_symbols(asm_unit *unit);

/* Fills in everything that depends on the sections' addresses, and lists the symbols. */
void
asm_resolve(asm_unit *unit);

/* The bytes that one statement of the machine assembles to, valid until the next call; NULL if it
 * is not a statement or refers to a symbol that it does not define. Errors leave by the exit that
 * the `diag` of asm_read has armed. */
const base_buf *
asm_read_statement(asm_unit *unit, const char *text, size_t length);

#endif
