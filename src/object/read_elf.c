/* Reads the tables of an ELF file: header, program headers, section headers, symbols, relocations.
 *
 * Segments are those of linked objects (ET_DYN); link.h makes one of a relocatable object, whose
 * sections have no addresses. Counts are limited
 * by the file's size and by the limits below, so the work is linear in the size.
 */
#include "object/read.h"

#include "object/elf.h"

#include <string.h>

enum { MAX_SEGMENTS = 64, MAX_LISTED = 256, MAX_NAME = 4096, PAGE_ALIGN = 4096 };

/* More than any shader image needs. Prevents a malicious file from requesting terabytes. */
#define MAX_MEMORY (UINT64_C(1) << 30)

static uint64_t
little_endian(const uint8_t *p, unsigned size)
{
    uint64_t v = 0;
    for (unsigned i = size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

uint16_t
elf_u16(const uint8_t *p)
{
    return (uint16_t)little_endian(p, 2);
}

uint32_t
elf_u32(const uint8_t *p)
{
    return (uint32_t)little_endian(p, 4);
}

uint64_t
elf_u64(const uint8_t *p)
{
    return little_endian(p, 8);
}

/* Returns the file's bytes [offset, offset + size), or fails with OBJECT_OUT_OF_FILE; `what` names
 * them in the message. */
static const uint8_t *
file_bytes(elf_reader *r, uint64_t offset, uint64_t size, const char *what)
{
    if (offset > r->size || size > r->size - offset) {
        r->d->loc.has_offset = true;
        r->d->loc.unit = "byte";
        r->d->loc.offset = offset;
        diag_fail(r->d, ERR_OBJECT_OUT_OF_FILE, what);
    }
    return r->bytes + offset;
}

/* The text at `offset` of a string table, which must be terminated inside the table. */
static const char *
table_string(elf_reader *r, const elf_section *table, uint64_t offset)
{
    const uint8_t *at = file_bytes(r, table->offset, table->size, "a string table");
    uint64_t left = offset < table->size ? table->size - offset : 0;
    if (!memchr(at + (left ? offset : 0), 0, (size_t)(left < MAX_NAME ? left : MAX_NAME)))
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "a name is too long, or outside its string table");
    return (const char *)at + offset;
}

void
elf_read_header(elf_reader *r)
{
    if (!obj_is_elf(r->bytes, (size_t)r->size))
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "no ELF magic number");
    const uint8_t *h = file_bytes(r, 0, ELF_HEADER_SIZE, "the ELF header");
    if (h[4] != 2 || h[5] != 1)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "not 64-bit and little-endian");
    if (elf_u16(h + 18) != r->format->machine)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF,
                  arena_printf(r->a, "not for %s", r->format->machine_name));
    uint16_t type = elf_u16(h + 16);
    r->is_relocatable = type == ELF_ET_REL && r->format->kinds;
    if (type != ELF_ET_DYN && !r->is_relocatable)
        diag_fail(r->d, ERR_OBJECT_NOT_LINKED);
    r->marks = (obj_marks){.os_abi = h[7], .abi_version = h[8], .flags = elf_u32(h + 48)};
}

static void
add_segment(elf_reader *r, obj_segment *list, const uint8_t *p)
{
    obj_file *f = r->out;
    uint32_t flags = elf_u32(p + 4);
    obj_segment s = {
        .address = elf_u64(p + 16), .size = elf_u64(p + 32), .memory_size = elf_u64(p + 40)};
    s.bytes = file_bytes(r, elf_u64(p + 8), s.size, "a segment");
    s.is_executable = flags & ELF_PF_X;
    s.is_writable = flags & ELF_PF_W;
    if (s.memory_size < s.size)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "a segment is larger in the file than in memory");
    if (s.address > MAX_MEMORY || s.memory_size > MAX_MEMORY - s.address)
        diag_fail(r->d, ERR_OBJECT_TOO_LARGE, "a segment ends beyond 1 GiB");
    if (!s.memory_size)
        return;
    const obj_segment *last = f->n_segments ? &list[f->n_segments - 1] : NULL;
    if (last && s.address < last->address + last->memory_size)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "segments overlap or do not ascend");
    if (f->n_segments == MAX_SEGMENTS)
        diag_fail(r->d, ERR_OBJECT_TOO_LARGE, "more than 64 segments");
    list[f->n_segments++] = s;
}

static void
read_segments(elf_reader *r)
{
    const uint8_t *h = r->bytes;
    uint32_t n = elf_u16(h + 56);
    if (n && elf_u16(h + 54) != ELF_PROGRAM_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "program headers of a wrong size");
    const uint8_t *p = file_bytes(r, elf_u64(h + 32), (uint64_t)n * ELF_PROGRAM_SIZE,
                                  "the program headers");
    obj_segment *list = ARENA_ARRAY(r->a, MAX_SEGMENTS, obj_segment);
    r->out->segments = list;
    for (uint32_t i = 0; i < n; i++) {
        if (elf_u32(p + (size_t)i * ELF_PROGRAM_SIZE) == ELF_PT_LOAD)
            add_segment(r, list, p + (size_t)i * ELF_PROGRAM_SIZE);
    }
}

static void
read_sections(elf_reader *r)
{
    const uint8_t *h = r->bytes;
    r->n_sections = elf_u16(h + 60);
    if (r->n_sections && elf_u16(h + 58) != ELF_SECTION_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "section headers of a wrong size");
    const uint8_t *p = file_bytes(r, elf_u64(h + 40), (uint64_t)r->n_sections * ELF_SECTION_SIZE,
                                  "the section headers");
    r->sections = ARENA_ARRAY(r->a, r->n_sections, elf_section);
    for (uint32_t i = 0; i < r->n_sections; i++, p += ELF_SECTION_SIZE) {
        elf_section *s = &r->sections[i];
        *s = (elf_section){.name = elf_u32(p),
                           .type = elf_u32(p + 4),
                           .link = elf_u32(p + 40),
                           .info = elf_u32(p + 44)};
        s->flags = elf_u64(p + 8);
        s->address = elf_u64(p + 16);
        s->offset = elf_u64(p + 24);
        s->size = elf_u64(p + 32);
        s->align = elf_u64(p + 48);
        if (s->type && s->type != ELF_SHT_NOBITS)
            file_bytes(r, s->offset, s->size, "a section");
    }
}

/* The first section of a type, or NULL. */
static const elf_section *
section_by_type(const elf_reader *r, uint32_t type)
{
    for (uint32_t i = 0; i < r->n_sections; i++) {
        if (r->sections[i].type == type)
            return &r->sections[i];
    }
    return NULL;
}

static void
read_symbols(elf_reader *r)
{
    const elf_section *table = section_by_type(r, ELF_SHT_SYMTAB);
    if (!table)
        table = section_by_type(r, ELF_SHT_DYNSYM);
    if (!table)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "no symbol table");
    if (table->link >= r->n_sections || r->sections[table->link].type != ELF_SHT_STRTAB)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "a symbol table has no string table");
    r->n_symbols = (uint32_t)(table->size / ELF_SYMBOL_SIZE);
    r->symbols = ARENA_ARRAY(r->a, r->n_symbols, elf_symbol);
    r->names = strings_make(r->a);
    r->by_name = map_make(r->a);
    const uint8_t *p = r->bytes + table->offset;
    for (uint32_t i = 0; i < r->n_symbols; i++, p += ELF_SYMBOL_SIZE) {
        elf_symbol *s = &r->symbols[i];
        s->name = table_string(r, &r->sections[table->link], elf_u32(p));
        s->type = p[4] & 15;
        s->binding = p[4] >> 4;
        s->visibility = p[5] & 3;
        s->section = elf_u16(p + 6);
        s->value = elf_u64(p + 8);
        s->size = elf_u64(p + 16);
        if (s->section != ELF_SHN_UNDEF && *s->name)
            map_put(&r->by_name, strings_intern(&r->names, s->name, strlen(s->name)), i);
    }
}

const elf_symbol *
elf_find_symbol(const elf_reader *r, const char *name)
{
    uint64_t i;
    uint32_t number = strings_find(&r->names, name, strlen(name));
    return number != UINT32_MAX && map_get(&r->by_name, number, &i) ? &r->symbols[i] : NULL;
}

/* Returns the file's bytes at loaded address `address`; `*left` receives the number of bytes up to
 * the segment's end. NULL outside all segments. */
const uint8_t *
elf_address_bytes(const elf_reader *r, uint64_t address, uint64_t *left)
{
    for (uint32_t i = 0; i < r->out->n_segments; i++) {
        const obj_segment *s = &r->out->segments[i];
        if (address >= s->address && address - s->address < s->size) {
            *left = s->size - (address - s->address);
            return s->bytes + (address - s->address);
        }
    }
    return NULL;
}

/* The value of symbol `index` of the symbol table that a relocation section refers to. */
static uint64_t
reloc_symbol(elf_reader *r, const elf_section *relocs, uint32_t index)
{
    const elf_section *table = relocs->link < r->n_sections ? &r->sections[relocs->link] : NULL;
    bool is_table = table && (table->type == ELF_SHT_DYNSYM || table->type == ELF_SHT_SYMTAB);
    if (!is_table || index >= table->size / ELF_SYMBOL_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "a relocation to a symbol that is not there");
    const uint8_t *p = r->bytes + table->offset + (size_t)index * ELF_SYMBOL_SIZE;
    if (elf_u16(p + 6) == ELF_SHN_UNDEF)
        diag_fail(r->d, ERR_OBJECT_UNSUPPORTED, "a relocation to a symbol of another file");
    return elf_u64(p + 8);
}

/* Converts one record to what a loader must do. */
static obj_reloc
read_reloc(elf_reader *r, const elf_section *relocs, const uint8_t *p)
{
    const obj_format *f = r->format;
    uint32_t type = elf_u32(p + 8);
    obj_reloc reloc = {
        .address = elf_u64(p), .addend = elf_u64(p + 16), .size = 8, .is_relative = true};
    if (type && (type == f->absolute64 || type == f->absolute32)) {
        reloc.addend += reloc_symbol(r, relocs, elf_u32(p + 12));
        reloc.size = type == f->absolute32 ? 4 : 8;
    } else if (!type || type != f->relative64) {
        diag_fail(r->d, ERR_OBJECT_UNSUPPORTED, "a relocation that loaders do not apply");
    }
    return reloc;
}

/* Reads the relocations of every SHT_RELA section; a linked object has only dynamic ones. */
static void
read_relocs(elf_reader *r)
{
    obj_file *f = r->out;
    size_t cap = 0;
    obj_reloc *list = NULL;
    for (uint32_t i = 0; i < r->n_sections; i++) {
        const elf_section *s = &r->sections[i];
        uint64_t n = s->type == ELF_SHT_RELA ? s->size / ELF_RELA_SIZE : 0;
        for (uint64_t k = 0; k < n; k++) {
            const uint8_t *p = r->bytes + s->offset + k * ELF_RELA_SIZE;
            if (!elf_u32(p + 8)) /* type 0 does nothing: room that was left */
                continue;
            list = arena_grow(r->a, list, &cap, (size_t)f->n_relocs + 1, sizeof *list);
            list[f->n_relocs++] = read_reloc(r, s, p);
        }
    }
    f->relocs = list;
}

const char *
elf_section_name(elf_reader *r, const elf_section *s)
{
    uint32_t index = elf_u16(r->bytes + 62);
    if (index >= r->n_sections || r->sections[index].type != ELF_SHT_STRTAB)
        return "";
    return table_string(r, &r->sections[index], s->name);
}

/* Returns true if the section is loaded and was made by a compiler or an assembler. */
static bool
is_listed(elf_reader *r, const elf_section *s)
{
    return (s->flags & ELF_SHF_ALLOC) &&
           (s->type == ELF_SHT_PROGBITS || s->type == ELF_SHT_NOBITS) &&
           strcmp(elf_section_name(r, s), ".relro_padding") != 0;
}

static obj_section
listed_section(elf_reader *r, const elf_section *s)
{
    obj_section out = {.name = elf_section_name(r, s), .is_loaded = true};
    out.is_executable = s->flags & ELF_SHF_EXECINSTR;
    out.is_writable = s->flags & ELF_SHF_WRITE;
    out.is_zero = s->type == ELF_SHT_NOBITS;
    out.address = s->address;
    out.size = s->size;
    out.data = out.is_zero ? NULL : r->bytes + s->offset;
    if (s->align > PAGE_ALIGN || (s->align & (s->align - 1)))
        diag_fail(r->d, ERR_OBJECT_BAD_ELF,
                  "a section's alignment is not a power of two up to 4096");
    out.align = s->align ? (uint32_t)s->align : 1;
    if (s->address > MAX_MEMORY || s->size > MAX_MEMORY - s->address)
        diag_fail(r->d, ERR_OBJECT_TOO_LARGE, "a section ends beyond 1 GiB");
    return out;
}

/* Lists the symbols of listed sections; those of other sections, and section and file symbols, are
 * left out. `index_of` maps a section to its number in the list, or to -1. */
static void
list_symbols(elf_reader *r, const int32_t *index_of)
{
    obj_symbol *list = ARENA_ARRAY(r->a, r->n_symbols, obj_symbol);
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_symbols; i++) {
        const elf_symbol *s = &r->symbols[i];
        bool is_absolute = s->section == ELF_SHN_ABS && s->type != ELF_STT_FILE;
        if (!*s->name || s->binding > ELF_STB_WEAK || s->type > ELF_STT_FUNC ||
            !(is_absolute || (s->section < r->n_sections && index_of[s->section] >= 0)))
            continue;
        obj_symbol out = {.name = s->name, .section = -1, .value = s->value, .size = s->size};
        out.kind = s->type == ELF_STT_FUNC     ? OBJ_SYMBOL_FUNCTION
                   : s->type == ELF_STT_OBJECT ? OBJ_SYMBOL_OBJECT
                                               : OBJ_SYMBOL_NONE;
        out.binding = (obj_binding)s->binding;
        out.visibility = (obj_visibility)s->visibility;
        if (!is_absolute) {
            const obj_section *in = &r->out->sections[index_of[s->section]];
            out.section = index_of[s->section];
            out.value -= in->address;
            if (s->value < in->address || out.value > in->size)
                continue;
            out.size = out.size < in->size - out.value ? out.size : in->size - out.value;
        }
        list[n++] = out;
    }
    r->out->symbols = list;
    r->out->n_symbols = n;
}

obj_section *
elf_list_sections(elf_reader *r)
{
    obj_section *list = ARENA_ARRAY(r->a, MAX_LISTED, obj_section);
    int32_t *index_of = ARENA_ARRAY(r->a, r->n_sections, int32_t);
    uint64_t in_file = 0;
    r->out->sections = list;
    for (uint32_t i = 0; i < r->n_sections; i++) {
        const elf_section *s = &r->sections[i];
        index_of[i] = i && is_listed(r, s) ? (int32_t)r->out->n_sections : -1;
        if (index_of[i] < 0)
            continue;
        if (r->out->n_sections == MAX_LISTED)
            diag_fail(r->d, ERR_OBJECT_TOO_LARGE, "more than 256 loaded sections");
        list[r->out->n_sections++] = listed_section(r, s);
        in_file += s->type == ELF_SHT_NOBITS ? 0 : s->size;
        if (in_file > r->size)
            diag_fail(r->d, ERR_OBJECT_BAD_ELF, "sections overlap in the file");
    }
    list_symbols(r, index_of);
    return list;
}

void
elf_read_sections(elf_reader *r)
{
    read_sections(r);
    read_symbols(r);
}

void
elf_read_tables(elf_reader *r)
{
    read_segments(r);
    elf_read_sections(r);
    read_relocs(r);
}
