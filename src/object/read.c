/* Reading a code object: ours, or one that clang and lld made.
 *
 * The file's tables are parsed first (header, program headers, section headers, symbols), each
 * record checked against the file's size when it is read. Then the note says which kernels there
 * are, symbols and kernel descriptors say where. Addresses are looked up in the segments, never
 * computed into the file directly.
 *
 * Only linked objects are read (ET_DYN): a relocatable one has no addresses. Counts are bounded by
 * the file's size and by the limits below, so the work is linear in the size.
 */
#include "object/dwarf.h"
#include "object/elf.h"
#include "object/notes.h"

#include "base/map.h"

#include <string.h>

enum { MAX_SEGMENTS = 64, MAX_NAME = 4096 };

/* More than a shader's image will ever have; keeps a lying file from asking for terabytes. */
#define MAX_MEMORY (UINT64_C(1) << 30)

typedef struct elf_section {
    uint32_t name, type, link, entry_size;
    uint64_t flags, address, offset, size;
} elf_section;

typedef struct elf_symbol {
    const char *name;
    uint8_t type;
    uint16_t section;
    uint64_t value, size;
} elf_symbol;

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
    base_strings names; /* of symbols: the number of a name, then `by_name` the symbol's */
    base_map by_name;
    obj_file *out;
} elf_reader;

static uint64_t
little_endian(const uint8_t *p, unsigned size)
{
    uint64_t v = 0;
    for (unsigned i = size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static uint16_t
u16(const uint8_t *p)
{
    return (uint16_t)little_endian(p, 2);
}

static uint32_t
u32(const uint8_t *p)
{
    return (uint32_t)little_endian(p, 4);
}

static uint64_t
u64(const uint8_t *p)
{
    return little_endian(p, 8);
}

/* The file's bytes [offset, offset + size), or OBJECT_OUT_OF_FILE; `what` names them. */
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

/* The text at `offset` of a string table; it must be terminated inside. */
static const char *
table_string(elf_reader *r, const elf_section *table, uint64_t offset)
{
    const uint8_t *at = file_bytes(r, table->offset, table->size, "a string table");
    uint64_t left = offset < table->size ? table->size - offset : 0;
    if (!memchr(at + (left ? offset : 0), 0, (size_t)(left < MAX_NAME ? left : MAX_NAME)))
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "a name is too long, or outside its string table");
    return (const char *)at + offset;
}

static void
read_header(elf_reader *r)
{
    obj_file *f = r->out;
    if (!obj_is_elf(r->bytes, (size_t)r->size))
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "no ELF magic number");
    const uint8_t *h = file_bytes(r, 0, ELF_HEADER_SIZE, "the ELF header");
    if (h[4] != 2 || h[5] != 1)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "not 64-bit and little-endian");
    if (u16(h + 18) != ELF_EM_AMDGPU)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "not for AMDGPU");
    if (h[7] != ELF_OSABI_HSA && h[7] != ELF_OSABI_PAL)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "neither of the AMDHSA nor of the AMDPAL ABI");
    f->abi = h[7] == ELF_OSABI_HSA ? OBJ_ABI_HSA : OBJ_ABI_VULKAN;
    r->abi_version = h[8];
    if (f->abi == OBJ_ABI_HSA && r->abi_version < ELF_ABI_VERSION_HSA_V3)
        diag_fail(r->d, ERR_OBJECT_UNSUPPORTED, "code object version 2");
    if (u16(h + 16) != ELF_ET_DYN)
        diag_fail(r->d, ERR_OBJECT_NOT_LINKED);
    r->flags = u32(h + 48);
    const elf_machine *m = elf_machine_by_number(r->flags & ELF_EF_MACH);
    char number[32] = "";
    for (int i = 0; i < 2; i++)
        number[i] = "0123456789abcdef"[r->flags >> (4 - 4 * i) & 15];
    if (!m)
        diag_fail(r->d, ERR_OBJECT_UNKNOWN_TARGET, number);
    f->target = m->name;
    bool one_bit = f->abi == OBJ_ABI_VULKAN || r->abi_version == ELF_ABI_VERSION_HSA_V3;
    f->xnack = one_bit ? (r->flags & ELF_EF_XNACK_V3) != 0
                       : (r->flags & ELF_EF_XNACK) == ELF_EF_XNACK_ON;
    f->sramecc = one_bit ? (r->flags & ELF_EF_SRAMECC_V3) != 0
                         : (r->flags & ELF_EF_SRAMECC) == ELF_EF_SRAMECC_ON;
}

static void
add_segment(elf_reader *r, obj_segment *list, const uint8_t *p)
{
    obj_file *f = r->out;
    uint32_t flags = u32(p + 4);
    obj_segment s = {.address = u64(p + 16), .size = u64(p + 32), .memory_size = u64(p + 40)};
    s.bytes = file_bytes(r, u64(p + 8), s.size, "a segment");
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
    uint32_t n = u16(h + 56);
    if (n && u16(h + 54) != ELF_PROGRAM_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "program headers of a wrong size");
    const uint8_t *p = file_bytes(r, u64(h + 32), (uint64_t)n * ELF_PROGRAM_SIZE,
                                  "the program headers");
    obj_segment *list = ARENA_ARRAY(r->a, MAX_SEGMENTS, obj_segment);
    r->out->segments = list;
    for (uint32_t i = 0; i < n; i++) {
        if (u32(p + (size_t)i * ELF_PROGRAM_SIZE) == ELF_PT_LOAD)
            add_segment(r, list, p + (size_t)i * ELF_PROGRAM_SIZE);
    }
}

static void
read_sections(elf_reader *r)
{
    const uint8_t *h = r->bytes;
    r->n_sections = u16(h + 60);
    if (r->n_sections && u16(h + 58) != ELF_SECTION_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "section headers of a wrong size");
    const uint8_t *p = file_bytes(r, u64(h + 40), (uint64_t)r->n_sections * ELF_SECTION_SIZE,
                                  "the section headers");
    r->sections = ARENA_ARRAY(r->a, r->n_sections, elf_section);
    for (uint32_t i = 0; i < r->n_sections; i++, p += ELF_SECTION_SIZE) {
        elf_section *s = &r->sections[i];
        *s = (elf_section){.name = u32(p), .type = u32(p + 4), .link = u32(p + 40)};
        s->flags = u64(p + 8);
        s->address = u64(p + 16);
        s->offset = u64(p + 24);
        s->size = u64(p + 32);
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
        s->name = table_string(r, &r->sections[table->link], u32(p));
        s->type = p[4] & 15;
        s->section = u16(p + 6);
        s->value = u64(p + 8);
        s->size = u64(p + 16);
        if (s->section != ELF_SHN_UNDEF && *s->name)
            map_put(&r->by_name, strings_intern(&r->names, s->name, strlen(s->name)), i);
    }
}

static const elf_symbol *
find_symbol(const elf_reader *r, const char *name)
{
    uint64_t i;
    uint32_t number = strings_find(&r->names, name, strlen(name));
    return number != UINT32_MAX && map_get(&r->by_name, number, &i) ? &r->symbols[i] : NULL;
}

/* The file's bytes at loaded address `address`; `*left` gets how many follow in the segment. NULL
 * outside. */
static const uint8_t *
address_bytes(const elf_reader *r, uint64_t address, uint64_t *left)
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

/* The MessagePack of the metadata note. */
static const pack_value *
read_metadata(elf_reader *r)
{
    for (uint32_t i = 0; i < r->n_sections; i++) {
        const elf_section *s = &r->sections[i];
        uint64_t at = 0;
        while (s->type == ELF_SHT_NOTE && s->size - at >= 12) {
            const uint8_t *p = r->bytes + s->offset + at;
            uint64_t name = ((uint64_t)u32(p) + 3) / 4 * 4;
            uint64_t size = u32(p + 4), left = s->size - at - 12;
            if (name > left || size > left - name)
                diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "a note is longer than its section");
            if (u32(p) == sizeof "AMDGPU" && memcmp(p + 12, "AMDGPU", sizeof "AMDGPU") == 0 &&
                u32(p + 8) == ELF_NT_AMDGPU_METADATA)
                return pack_read(r->d, r->a, p + 12 + name, (size_t)size);
            at += 12 + name + (size + 3) / 4 * 4;
            if (at > s->size)
                break;
        }
    }
    diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "there is none");
}

/* The value of symbol `index` of the table that a relocation section names. */
static uint64_t
reloc_symbol(elf_reader *r, const elf_section *relocs, uint32_t index)
{
    const elf_section *table = relocs->link < r->n_sections ? &r->sections[relocs->link] : NULL;
    bool is_table = table && (table->type == ELF_SHT_DYNSYM || table->type == ELF_SHT_SYMTAB);
    if (!is_table || index >= table->size / ELF_SYMBOL_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "a relocation to a symbol that is not there");
    const uint8_t *p = r->bytes + table->offset + (size_t)index * ELF_SYMBOL_SIZE;
    if (u16(p + 6) == ELF_SHN_UNDEF)
        diag_fail(r->d, ERR_OBJECT_UNSUPPORTED, "a relocation to a symbol of another file");
    return u64(p + 8);
}

/* What a loader does for one record. */
static obj_reloc
read_reloc(elf_reader *r, const elf_section *relocs, const uint8_t *p)
{
    uint32_t type = u32(p + 8);
    obj_reloc reloc = {.address = u64(p), .addend = u64(p + 16), .size = 8, .is_relative = true};
    if (type == ELF_R_AMDGPU_ABS64 || type == ELF_R_AMDGPU_ABS32) {
        reloc.addend += reloc_symbol(r, relocs, u32(p + 12));
        reloc.size = type == ELF_R_AMDGPU_ABS32 ? 4 : 8;
    } else if (type != ELF_R_AMDGPU_RELATIVE64) {
        diag_fail(r->d, ERR_OBJECT_UNSUPPORTED, "a relocation that loaders do not apply");
    }
    return reloc;
}

/* Relocations of every SHT_RELA section; a linked object has the dynamic ones only. */
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
            list = arena_grow(r->a, list, &cap, (size_t)f->n_relocs + 1, sizeof *list);
            list[f->n_relocs++] = read_reloc(r, s, r->bytes + s->offset + k * ELF_RELA_SIZE);
        }
    }
    f->relocs = list;
}

/* Fills code and entry of a kernel from the symbol of its code. */
static void
set_code(elf_reader *r, obj_code *c, uint64_t entry, uint64_t size, bool is_ours)
{
    uint64_t left;
    const uint8_t *at = address_bytes(r, entry, &left);
    if (!at)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its code is in no segment");
    if (is_ours && (c->code_size > left || c->data_offset > c->code_size))
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its code is cut off");
    if (!is_ours) {
        c->code_size = (uint32_t)(size && size < left ? size : left);
        c->data_offset = c->code_size;
    }
    c->code = at;
    c->entry_address = entry;
}

/* Where the symbol table says that something at an address ends: the size of the function there, or
 * 0. */
static uint64_t
function_size(const elf_reader *r, const char *name, uint64_t address)
{
    const elf_symbol *s = find_symbol(r, name);
    return s && s->type == ELF_STT_FUNC && s->value == address ? s->size : 0;
}

/* What the 64 bytes of the kernel descriptor say. User SGPRs come in the order of their bits. */
static uint64_t
read_descriptor(elf_reader *r, obj_code *c, uint64_t address)
{
    uint64_t left;
    const uint8_t *kd = address_bytes(r, address, &left);
    if (!kd || left < HSA_KD_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its descriptor is in no segment");
    uint32_t properties = u16(kd + HSA_KD_PROPERTIES);
    c->lds_bytes = u32(kd + HSA_KD_GROUP_SEGMENT_SIZE);
    c->scratch_bytes = u32(kd + HSA_KD_PRIVATE_SEGMENT_SIZE);
    c->rsrc[0] = u32(kd + HSA_KD_RSRC1);
    c->rsrc[1] = u32(kd + HSA_KD_RSRC2);
    c->rsrc[2] = u32(kd + HSA_KD_RSRC3);
    c->wave_size = properties & HSA_PROPERTY_WAVE32 ? 32 : 64;
    c->dynamic_stack = properties & HSA_PROPERTY_DYNAMIC_STACK;
    c->descriptor_address = address;
    c->descriptor = kd;
    obj_user_sgpr *users = ARENA_ARRAY(r->a, 7, obj_user_sgpr);
    c->user_sgprs = users;
    c->n_user_sgprs = 0;
    for (uint32_t bit = 0, sgpr = 0; bit < 7; bit++) {
        obj_user_kind kind = (obj_user_kind)(OBJ_USER_PRIVATE_SEGMENT_BUFFER + (int)bit);
        if (!(properties >> bit & 1))
            continue;
        users[c->n_user_sgprs++] = (obj_user_sgpr){kind, 0, sgpr, elf_hsa_user_sgprs(kind)};
        sgpr += elf_hsa_user_sgprs(kind);
    }
    return address + u64(kd + HSA_KD_ENTRY_OFFSET);
}

static void
read_kernel(elf_reader *r, const pack_value *kernel, const pack_value *heddle, obj_code *c)
{
    notes_read_kernel(r->d, r->a, kernel, heddle, c);
    const char *name = pack_get_text(kernel, ".symbol", "");
    const elf_symbol *s = find_symbol(r, name);
    if (!s)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its descriptor has no symbol");
    uint64_t entry = read_descriptor(r, c, s->value);
    set_code(r, c, entry, function_size(r, c->name, entry), heddle != NULL);
}

static void
read_pipeline(elf_reader *r, const pack_value *pipeline, const pack_value *heddle, obj_code *c)
{
    notes_read_pipeline(r->d, r->a, pipeline, heddle, c);
    const pack_value *stages = pack_get(pipeline, ".hardware_stages");
    const char *name = pack_get_text(pack_get(stages, notes_hardware_stage(c->stage)),
                                     ".entry_point", notes_entry_symbol(c->stage));
    const elf_symbol *s = find_symbol(r, name);
    if (!s)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its code has no symbol");
    set_code(r, c, s->value, s->size, heddle != NULL);
}

/* The bytes of the section called `name`; none where there is no such section. */
static dwarf_section
section_by_name(elf_reader *r, const char *name)
{
    uint32_t index = u16(r->bytes + 62);
    if (index >= r->n_sections || r->sections[index].type != ELF_SHT_STRTAB)
        return (dwarf_section){0};
    for (uint32_t i = 1; i < r->n_sections; i++) {
        const elf_section *s = &r->sections[i];
        if (s->type == ELF_SHT_PROGBITS && !(s->flags & ELF_SHF_COMPRESSED) &&
            strcmp(table_string(r, &r->sections[index], s->name), name) == 0)
            return (dwarf_section){r->bytes + s->offset, s->size};
    }
    return (dwarf_section){0};
}

static void
read_lines(elf_reader *r, obj_code *kernels)
{
    dwarf_section lines = section_by_name(r, ".debug_line");
    dwarf_section line_strings = section_by_name(r, ".debug_line_str");
    dwarf_section strings = section_by_name(r, ".debug_str");
    dwarf_table table;
    if (!lines.size)
        return;
    dwarf_read_lines(r->d, r->a, &lines, &line_strings, &strings, &table);
    for (uint32_t i = 0; i < r->out->n_kernels; i++)
        dwarf_set_lines(r->a, &table, kernels[i].entry_address, &kernels[i]);
}

void
obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out)
{
    elf_reader r = {.d = d, .a = a, .bytes = bytes, .size = size, .out = out};
    *out = (obj_file){0};
    read_header(&r);
    read_segments(&r);
    read_sections(&r);
    read_symbols(&r);
    read_relocs(&r);
    const pack_value *metadata = read_metadata(&r), *heddle = pack_get(metadata, ".heddle");
    bool hsa = out->abi == OBJ_ABI_HSA;
    out->metadata = metadata;
    out->code_object_version = r.abi_version + 2u;
    const pack_value *list = pack_get(metadata, hsa ? "amdhsa.kernels" : "amdpal.pipelines");
    out->n_kernels = pack_count(list);
    if (heddle && out->n_kernels != 1)
        diag_fail(d, ERR_OBJECT_BAD_METADATA, "a .heddle map beside several kernels");
    obj_code *kernels = ARENA_ARRAY(a, out->n_kernels, obj_code);
    out->kernels = kernels;
    for (uint32_t i = 0; i < out->n_kernels; i++) {
        kernels[i].target = out->target;
        kernels[i].abi = out->abi;
        (hsa ? read_kernel : read_pipeline)(&r, pack_at(list, i), heddle, &kernels[i]);
    }
    read_lines(&r, kernels);
}
