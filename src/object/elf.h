/* ELF64: numbers and record sizes shared by the writers and the reader.
 *
 * Records are written and read byte by byte in little-endian order, so no structs mirror the file.
 * Source: System V gABI, chapters 4 and 5.
 */
#ifndef OBJECT_ELF_H
#define OBJECT_ELF_H

#include "object/object.h"

/* Sizes of the file's records, in bytes. */
enum {
    ELF_HEADER_SIZE = 64,
    ELF_PROGRAM_SIZE = 56,
    ELF_SECTION_SIZE = 64,
    ELF_SYMBOL_SIZE = 24,
    ELF_RELA_SIZE = 24,
    ELF_DYNAMIC_SIZE = 16,
};

enum { ELF_ET_REL = 1, ELF_ET_DYN = 3 };

enum {
    ELF_PT_LOAD = 1,
    ELF_PT_DYNAMIC = 2,
    ELF_PT_NOTE = 4,
    ELF_PF_X = 1,
    ELF_PF_W = 2,
    ELF_PF_R = 4,
};

enum {
    ELF_SHT_PROGBITS = 1,
    ELF_SHT_SYMTAB = 2,
    ELF_SHT_STRTAB = 3,
    ELF_SHT_RELA = 4,
    ELF_SHT_HASH = 5,
    ELF_SHT_DYNAMIC = 6,
    ELF_SHT_NOTE = 7,
    ELF_SHT_NOBITS = 8,
    ELF_SHT_DYNSYM = 11,
    ELF_SHF_WRITE = 1,
    ELF_SHF_ALLOC = 2,
    ELF_SHF_EXECINSTR = 4,
    ELF_SHF_COMPRESSED = 0x800,
    ELF_SHN_UNDEF = 0,
    ELF_SHN_ABS = 0xfff1,
    ELF_SHN_LORESERVE = 0xff00,
};

enum {
    ELF_STB_LOCAL = 0,
    ELF_STB_GLOBAL = 1,
    ELF_STB_WEAK = 2,
    ELF_STT_OBJECT = 1,
    ELF_STT_FUNC = 2,
    ELF_STT_FILE = 4,
    ELF_STV_PROTECTED = 3,
};

enum {
    ELF_DT_NULL = 0,
    ELF_DT_HASH = 4,
    ELF_DT_STRTAB = 5,
    ELF_DT_SYMTAB = 6,
    ELF_DT_RELA = 7,
    ELF_DT_RELASZ = 8,
    ELF_DT_RELAENT = 9,
    ELF_DT_STRSZ = 10,
    ELF_DT_SYMENT = 11,
};

/* The file's header. Offsets and counts are those of the tables. */
typedef struct elf_header {
    uint16_t machine;
    obj_marks marks;
    uint32_t n_programs; /* the program headers follow the header */
    uint64_t sections;   /* offset of the section headers */
    uint32_t n_sections;
    uint32_t names; /* the section with the sections' names */
} elf_header;

/* Appends the header of a linked file. */
void
elf_put_header(base_buf *b, const elf_header *h);

/* Appends the note that a format prescribes, aligned to 4 bytes. */
void
elf_put_note(base_buf *b, const obj_format *format, const void *bytes, size_t size);

/* A section header: sizes in bytes, `entry` of an entry of a table. */
typedef struct elf_section_header {
    uint32_t name, type; /* the name's offset in the section of names */
    uint64_t flags, address, offset, size;
    uint32_t link, info;
    uint64_t align, entry;
} elf_section_header;

/* Appends the header. */
void
elf_put_section(base_buf *b, const elf_section_header *s);

/* A program header. Physical addresses are the virtual ones. Sizes are in bytes. */
typedef struct elf_program {
    uint32_t type, flags;
    uint64_t offset, address, in_file, in_memory, align;
} elf_program;

/* Appends the header. */
void
elf_put_program(base_buf *b, const elf_program *p);

#endif
