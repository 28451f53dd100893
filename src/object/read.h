/* Reading a file, for a family's reader of code objects. The steps: `elf_read_header`; the family
 * checks the header's marks and finds the target; `elf_read_tables`, `elf_list_sections`; the notes
 * of `elf_next_note` list the kernels, whose code `elf_set_code` finds; `elf_read_lines` last.
 *
 * Every record is checked against the file's size when it is read. Addresses are always looked up
 * in the segments and never converted to file offsets directly. */
#ifndef OBJECT_READ_H
#define OBJECT_READ_H

#include "object/object.h"

#include "base/map.h"

typedef struct elf_section {
    uint32_t name, type, link, info;
    uint64_t flags, address, offset, size, align;
} elf_section;

typedef struct elf_symbol {
    const char *name;
    uint8_t type, binding, visibility;
    uint16_t section;
    uint64_t value, size;
} elf_symbol;

/* A file being read. */
typedef struct elf_reader {
    diag *d;
    arena *a;
    const uint8_t *bytes;
    uint64_t size;
    const obj_format *format;
    obj_marks marks;
    bool is_relocatable; /* of type ET_REL: link.h */
    elf_section *sections;
    uint32_t n_sections;
    elf_symbol *symbols;
    uint32_t n_symbols;
    /* of symbols: maps a name to a number, and `by_name` maps that to the symbol */
    base_strings names;
    base_map by_name;
    obj_file *out;
} elf_reader;

uint16_t
elf_u16(const uint8_t *p);

uint32_t
elf_u32(const uint8_t *p);

uint64_t
elf_u64(const uint8_t *p);

/* Reads the marks of a linked or relocatable, 64-bit, little-endian file for the format's machine.
 * Fails with an OBJECT_* error. */
void
elf_read_header(elf_reader *r);

/* Reads sections and symbols into the reader. */
void
elf_read_sections(elf_reader *r);

/* Reads segments, sections, symbols and relocations into the reader and `r->out`. */
void
elf_read_tables(elf_reader *r);

/* Fills `r->out`'s sections and symbols, for disassembling the whole file. Returns the sections. */
obj_section *
elf_list_sections(elf_reader *r);

/* A defined symbol of that name, or NULL. */
const elf_symbol *
elf_find_symbol(const elf_reader *r, const char *name);

/* A position in the search for notes: a section and the offset in it. */
typedef struct elf_note_place {
    uint32_t section;
    uint64_t at;
    bool found; /* the section has a note of the format */
} elf_note_place;

/* Returns the contents of the next note of the format, or NULL after the last. All must be in one
 * section, so that no two share bytes. */
const uint8_t *
elf_next_note(elf_reader *r, elf_note_place *p, size_t *size);

/* Sets code and entry of a kernel whose code begins at address `entry`. `size` is the symbol's, 0:
 * unknown; a kernel of Heddle knows its own. */
void
elf_set_code(elf_reader *r, obj_code *c, uint64_t entry, uint64_t size);

/* Reads the source lines of the kernels, which are `r->out`'s, and of whole code sections. */
void
elf_read_lines(elf_reader *r, obj_code *kernels, obj_section *sections);

/* The section's name, or "" if the file has no section names. */
const char *
elf_section_name(elf_reader *r, const elf_section *s);

/* Returns the file's bytes at loaded address `address`; `*left` receives the number of bytes up to
 * the segment's end. NULL outside all segments. */
const uint8_t *
elf_address_bytes(const elf_reader *r, uint64_t address, uint64_t *left);

#endif
