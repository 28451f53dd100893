/* The tables of an ELF file for obj_read: read_elf.c reads them, read.c makes kernels from them.
 * Every record is checked against the file's size when it is read. */
#ifndef OBJECT_READ_H
#define OBJECT_READ_H

#include "object/object.h"

#include "base/map.h"

typedef struct elf_section {
    uint32_t name, type, link;
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
    uint32_t flags;
    uint8_t abi_version;
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

/* Reads header, segments, sections, symbols and relocations into the reader and `r->out`. */
void
elf_read_tables(elf_reader *r);

/* Fills `r->out`'s sections and symbols, for disassembling the whole file. Returns the sections. */
obj_section *
elf_list_sections(elf_reader *r);

/* A defined symbol of that name, or NULL. */
const elf_symbol *
elf_find_symbol(const elf_reader *r, const char *name);

/* The section's name, or "" if the file has no section names. */
const char *
elf_section_name(elf_reader *r, const elf_section *s);

/* Returns the file's bytes at loaded address `address`; `*left` receives the number of bytes up to
 * the segment's end. NULL outside all segments. */
const uint8_t *
elf_address_bytes(const elf_reader *r, uint64_t address, uint64_t *left);

#endif
