/* The assembler's result for a file: sections, symbols, and the data that a linker needs.
 *
 * Steps: amd_assemble_unit reads the text; the caller assigns addresses to the sections;
 * amd_unit_resolve fills in everything that depends on them, and lists the symbols and the
 * relocations that are left for the loader.
 */
#ifndef AMD_UNIT_H
#define AMD_UNIT_H

#include "amd/isa/isa.h"

typedef struct amd_unit_section {
    const char *name;
    bool is_loaded, is_executable, is_writable;
    bool is_zero;   /* all its bytes are zero and take no space in a file */
    uint32_t align; /* a power of two up to 4096 */
    base_buf data;
    uint64_t address; /* set by the caller */
} amd_unit_section;

/* Numbers as in ELF. */
enum { AMD_UNIT_NONE = 0, AMD_UNIT_OBJECT = 1, AMD_UNIT_FUNCTION = 2 };
enum { AMD_UNIT_LOCAL = 0, AMD_UNIT_GLOBAL = 1, AMD_UNIT_WEAK = 2 };
enum { AMD_UNIT_DEFAULT = 0, AMD_UNIT_INTERNAL = 1, AMD_UNIT_HIDDEN = 2, AMD_UNIT_PROTECTED = 3 };

typedef struct amd_unit_symbol {
    const char *name;
    uint8_t kind, binding, visibility;
    int32_t section; /* -1: an absolute value */
    uint64_t value;  /* offset in the section */
    uint64_t size;
} amd_unit_symbol;

/* 8 bytes that get the load address plus `addend`. */
typedef struct amd_unit_reloc {
    uint32_t section;
    uint64_t offset, addend;
} amd_unit_reloc;

typedef enum amd_unit_feature { AMD_UNIT_ANY, AMD_UNIT_OFF, AMD_UNIT_ON } amd_unit_feature;

typedef struct amd_unit_given {
    const char *name;
    int64_t value;
} amd_unit_given;

typedef struct amd_unit_options {
    amd_gen gen;
    bool wave64;
    const char *target; /* "gfx1030"; NULL: directives that depend on it are ignored */
    bool has_xnack;     /* the target's XNACK can be on */
    bool is_code;       /* only .text is used, at address 0: references to other sections are
                           errors */
    const amd_unit_given *given; /* symbols that are predefined for the text */
    uint32_t n_given;
    /* Provides the bytes of a file for .include and .incbin, which must live as long as the unit;
     * false if there is no file of that name. NULL: including is not allowed. */
    bool (*include)(void *user, const char *name, const char **text, size_t *size);
    void *include_user;
    /* Receives the messages of .print and .warning. May be NULL. */
    void (*note)(void *user, const diag_loc *loc, bool is_warning, const char *text);
    void *note_user;
} amd_unit_options;

typedef struct amd_unit {
    amd_unit_options options;
    amd_unit_section *sections; /* [0] is .text */
    uint32_t n_sections;
    uint32_t max_relocs;            /* upper bound */
    const amd_unit_symbol *symbols; /* from here on set by amd_unit_resolve */
    uint32_t n_symbols;
    amd_unit_reloc *relocs;
    uint32_t n_relocs;
    const char **kernels; /* names given to .amdhsa_kernel; each descriptor is the symbol NAME.kd */
    uint32_t n_kernels;
    size_t cap_kernels;
    const char *metadata; /* the text between .amdgpu_metadata and its end, or NULL */
    size_t metadata_size;
    diag_loc metadata_loc;        /* its first line */
    uint32_t code_object_version; /* 5 if the text does not set it */
    amd_unit_feature xnack, sramecc;
    struct amd_asm *state;
} amd_unit;

/* Assembles a file. The result lives in `a`. Fails with a diagnostic at line and column. */
amd_unit *
amd_assemble_unit(diag *d, arena *a, const amd_unit_options *options, const char *text,
                  size_t size);

/* Lists the symbols known before resolving; unknown sizes are 0. */
void
amd_unit_list_symbols(amd_unit *unit);

/* Fills in everything that depends on the sections' addresses, and lists the symbols. */
void
amd_unit_resolve(amd_unit *unit);

/* May `c` be part of a symbol's or parameter's name? */
bool
amd_is_name_char(char c);

/* Checks that an instruction's text assembles to its bytes, for disassemblers whose output is meant
 * to be assembled again. One checker serves any number of lines; it lives in `a`. */
typedef struct amd_line_check amd_line_check;

amd_line_check *
amd_line_check_new(arena *a, amd_gen gen, bool wave64);

/* The bytes that the text of one instruction assembles to, valid until the next call; NULL if it is
 * not an instruction or refers to a symbol that it does not define. */
const base_buf *
amd_line_assemble(amd_line_check *c, const char *text, size_t length);

bool
amd_line_check_run(amd_line_check *c, const char *text, size_t length, const uint8_t *bytes,
                   size_t size);

#endif
