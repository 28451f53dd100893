/* Lays out a code object.
 *
 * Sections, in file order, and the segment each is loaded by:
 *
 *     .note .dynsym .hash .dynstr [.rodata]     read, with the ELF and program headers before them
 *     .text                                     execute
 *     .dynamic                                  write
 *     [.debug_abbrev .debug_info .debug_line]
 *     .symtab .strtab .shstrtab                 not loaded
 *
 * All sizes are known before any address, so there are three steps: fill the sections (with zeros
 * in place of addresses), place the sections, fill in the addresses. A segment's file offset and
 * address agree modulo the page size: the address advances by one extra page for each segment, as
 * in linkers.
 */
#include "object/dwarf.h"
#include "object/elf.h"
#include "object/notes.h"

#include <string.h>

enum { PAGE = 4096, CODE_ALIGN = 256 };

enum { MAX_SECTIONS = 14, MAX_SYMBOLS = 4, N_SEGMENTS = 5 };

typedef struct section {
    const char *name;
    uint32_t type, flags, link, info, align, entry_size;
    uint64_t address, offset;
    base_buf data;
} section;

typedef struct symbol {
    const char *name;
    uint8_t type, binding;
    int section;
    uint64_t offset, size; /* offset and size in the section */
} symbol;

typedef struct writer {
    const obj_code *code;
    const elf_machine *machine;
    arena *arena;
    section sections[MAX_SECTIONS]; /* 0 is the null section */
    int n_sections;
    int dynsym, hash, dynstr, rodata, text, dynamic, symtab, strtab, shstrtab;
    int debug_abbrev, debug_info, debug_line; /* 0: none */
    size_t info_address, line_address;        /* offsets of the code's address in them */
    symbol symbols[MAX_SYMBOLS];              /* local ones first */
    int n_symbols, n_local;
} writer;

static int
add_section(writer *w, const char *name, uint32_t type, uint32_t flags, uint32_t align)
{
    section *s = &w->sections[w->n_sections];
    *s = (section){.name = name, .type = type, .flags = flags, .align = align};
    s->data = buf_make(w->arena);
    return w->n_sections++;
}

static uint32_t
add_string(base_buf *table, const char *text)
{
    uint32_t at = (uint32_t)table->size;
    buf_put(table, text, strlen(text) + 1);
    return at;
}

static void
fill_note(writer *w)
{
    base_buf *b = &w->sections[add_section(w, ".note", ELF_SHT_NOTE, ELF_SHF_ALLOC, 4)].data;
    base_buf description = buf_make(w->arena);
    notes_write(w->code, &description);
    buf_put_u32(b, sizeof "AMDGPU");
    buf_put_u32(b, (uint32_t)description.size);
    buf_put_u32(b, ELF_NT_AMDGPU_METADATA);
    buf_put(b, "AMDGPU", sizeof "AMDGPU");
    buf_align(b, 4);
    buf_put(b, description.data, description.size);
    buf_align(b, 4);
}

/* Bits 0 to 6 of the properties: the user SGPRs that the dispatcher fills. */
static uint32_t
hsa_properties(const obj_code *c)
{
    uint32_t bits = c->wave_size == 32 ? HSA_PROPERTY_WAVE32 : 0;
    if (c->dynamic_stack)
        bits |= HSA_PROPERTY_DYNAMIC_STACK;
    for (uint32_t i = 0; i < c->n_user_sgprs; i++) {
        if (c->user_sgprs[i].kind >= OBJ_USER_PRIVATE_SEGMENT_BUFFER)
            bits |= 1u << (c->user_sgprs[i].kind - OBJ_USER_PRIVATE_SEGMENT_BUFFER);
    }
    return bits;
}

/* Fills the kernel descriptor, except for the entry's offset. */
static void
fill_descriptor(writer *w)
{
    const obj_code *c = w->code;
    base_buf *b = &w->sections[w->rodata].data;
    buf_put_u32(b, c->lds_bytes);
    buf_put_u32(b, c->scratch_bytes);
    buf_put_u32(b, c->kernarg_size);
    buf_put_zeros(b, HSA_KD_RSRC3 - HSA_KD_KERNARG_SIZE - 4);
    buf_put_u32(b, c->rsrc[2]);
    buf_put_u32(b, c->rsrc[0]);
    buf_put_u32(b, c->rsrc[1]);
    buf_put_u16(b, (uint16_t)hsa_properties(c));
    buf_put_zeros(b, HSA_KD_SIZE - HSA_KD_PROPERTIES - 2);
}

/* Fills the debug sections if there are source lines. */
static void
fill_debug(writer *w)
{
    if (!w->code->n_lines)
        return;
    w->debug_abbrev = add_section(w, ".debug_abbrev", ELF_SHT_PROGBITS, 0, 1);
    w->debug_info = add_section(w, ".debug_info", ELF_SHT_PROGBITS, 0, 1);
    w->debug_line = add_section(w, ".debug_line", ELF_SHT_PROGBITS, 0, 1);
    w->info_address = dwarf_write_unit(w->code, &w->sections[w->debug_info].data,
                                       &w->sections[w->debug_abbrev].data);
    w->line_address = dwarf_write_lines(w->code, &w->sections[w->debug_line].data);
}

static void
add_symbol(writer *w, symbol s)
{
    s.binding = w->n_symbols < w->n_local ? ELF_STB_LOCAL : ELF_STB_GLOBAL;
    w->symbols[w->n_symbols++] = s;
}

static void
choose_symbols(writer *w)
{
    const obj_code *c = w->code;
    bool hsa = c->abi == OBJ_ABI_HSA;
    w->n_local = c->data_offset < c->code_size;
    if (w->n_local) {
        add_symbol(w, (symbol){.name = "heddle.data",
                               .type = ELF_STT_OBJECT,
                               .section = w->text,
                               .offset = c->data_offset,
                               .size = c->code_size - c->data_offset});
    }
    add_symbol(w, (symbol){.name = hsa ? c->name : notes_entry_symbol(c->stage),
                           .type = ELF_STT_FUNC,
                           .section = w->text,
                           .size = c->data_offset});
    if (hsa) {
        add_symbol(w, (symbol){.name = arena_printf(w->arena, "%s.kd", c->name),
                               .type = ELF_STT_OBJECT,
                               .section = w->rodata,
                               .size = HSA_KD_SIZE});
    }
}

/* Makes a symbol table from the symbols from `first` on, and its strings; addresses are set later.
 */
static void
fill_symbols(writer *w, int table, int strings, int first)
{
    section *t = &w->sections[table];
    base_buf *b = &t->data, *names = &w->sections[strings].data;
    t->entry_size = ELF_SYMBOL_SIZE;
    t->link = (uint32_t)strings;
    t->info = 1 + (uint32_t)(w->n_local - first);
    buf_put_u8(names, 0);
    buf_put_zeros(b, ELF_SYMBOL_SIZE);
    for (int i = first; i < w->n_symbols; i++) {
        const symbol *s = &w->symbols[i];
        buf_put_u32(b, add_string(names, s->name));
        buf_put_u8(b, (uint8_t)(s->binding << 4 | s->type));
        buf_put_u8(b, s->binding == ELF_STB_GLOBAL ? ELF_STV_PROTECTED : 0);
        buf_put_u16(b, (uint16_t)s->section);
        buf_put_u64(b, 0);
        buf_put_u64(b, s->size);
    }
}

/* Uses one bucket that chains all symbols: there are at most two. */
static void
fill_hash(writer *w)
{
    base_buf *b = &w->sections[w->hash].data;
    uint32_t n = 1 + (uint32_t)(w->n_symbols - w->n_local);
    buf_put_u32(b, 1);
    buf_put_u32(b, n);
    buf_put_u32(b, 1);
    buf_put_u32(b, 0);
    for (uint32_t i = 1; i < n; i++)
        buf_put_u32(b, i + 1 < n ? i + 1 : 0);
    w->sections[w->hash].link = (uint32_t)w->dynsym;
    w->sections[w->hash].entry_size = 4;
}

static void
fill_sections(writer *w)
{
    bool hsa = w->code->abi == OBJ_ABI_HSA;
    w->n_sections = 1;
    fill_note(w);
    w->dynsym = add_section(w, ".dynsym", ELF_SHT_DYNSYM, ELF_SHF_ALLOC, 8);
    w->hash = add_section(w, ".hash", ELF_SHT_HASH, ELF_SHF_ALLOC, 4);
    w->dynstr = add_section(w, ".dynstr", ELF_SHT_STRTAB, ELF_SHF_ALLOC, 1);
    if (hsa) {
        w->rodata = add_section(w, ".rodata", ELF_SHT_PROGBITS, ELF_SHF_ALLOC, 64);
        fill_descriptor(w);
    }
    w->text = add_section(w, ".text", ELF_SHT_PROGBITS, ELF_SHF_ALLOC | ELF_SHF_EXECINSTR,
                          CODE_ALIGN);
    buf_put(&w->sections[w->text].data, w->code->code, w->code->code_size);
    w->dynamic = add_section(w, ".dynamic", ELF_SHT_DYNAMIC, ELF_SHF_ALLOC | ELF_SHF_WRITE, 8);
    buf_put_zeros(&w->sections[w->dynamic].data, 6 * ELF_DYNAMIC_SIZE);
    w->sections[w->dynamic].link = (uint32_t)w->dynstr;
    w->sections[w->dynamic].entry_size = ELF_DYNAMIC_SIZE;
    fill_debug(w);
    w->symtab = add_section(w, ".symtab", ELF_SHT_SYMTAB, 0, 8);
    w->strtab = add_section(w, ".strtab", ELF_SHT_STRTAB, 0, 1);
    w->shstrtab = add_section(w, ".shstrtab", ELF_SHT_STRTAB, 0, 1);
    choose_symbols(w);
    fill_symbols(w, w->dynsym, w->dynstr, w->n_local);
    fill_symbols(w, w->symtab, w->strtab, 0);
    fill_hash(w);
}

/* Assigns offsets and addresses. Returns the offset of the section headers. */
static uint64_t
place_sections(writer *w)
{
    uint64_t offset = ELF_HEADER_SIZE + N_SEGMENTS * ELF_PROGRAM_SIZE, pages = 0;
    for (int i = 1; i < w->n_sections; i++) {
        section *s = &w->sections[i];
        offset = (offset + s->align - 1) / s->align * s->align;
        if (i == w->text || i == w->dynamic)
            pages += PAGE;
        s->offset = offset;
        s->address = s->flags & ELF_SHF_ALLOC ? offset + pages : 0;
        offset += s->data.size;
    }
    return (offset + 7) / 8 * 8;
}

static void
set_symbol_addresses(writer *w, int table, int first)
{
    base_buf *b = &w->sections[table].data;
    for (int i = first; i < w->n_symbols; i++) {
        const symbol *s = &w->symbols[i];
        buf_set_u64(b, (size_t)(1 + i - first) * ELF_SYMBOL_SIZE + 8,
                    w->sections[s->section].address + s->offset);
    }
}

static void
set_addresses(writer *w)
{
    const section *s = w->sections;
    const uint64_t dynamic[6][2] = {
        {ELF_DT_SYMTAB, s[w->dynsym].address}, {ELF_DT_SYMENT, ELF_SYMBOL_SIZE},
        {ELF_DT_STRTAB, s[w->dynstr].address}, {ELF_DT_STRSZ, s[w->dynstr].data.size},
        {ELF_DT_HASH, s[w->hash].address},     {ELF_DT_NULL, 0}};
    for (size_t i = 0; i < 6; i++) {
        buf_set_u64(&w->sections[w->dynamic].data, i * ELF_DYNAMIC_SIZE, dynamic[i][0]);
        buf_set_u64(&w->sections[w->dynamic].data, i * ELF_DYNAMIC_SIZE + 8, dynamic[i][1]);
    }
    set_symbol_addresses(w, w->dynsym, w->n_local);
    set_symbol_addresses(w, w->symtab, 0);
    if (w->debug_line) {
        buf_set_u64(&w->sections[w->debug_info].data, w->info_address, s[w->text].address);
        buf_set_u64(&w->sections[w->debug_line].data, w->line_address, s[w->text].address);
    }
    if (w->rodata)
        buf_set_u64(&w->sections[w->rodata].data, HSA_KD_ENTRY_OFFSET,
                    s[w->text].address - s[w->rodata].address);
}

static uint32_t
header_flags(const writer *w)
{
    uint32_t flags = w->machine->mach;
    if (w->code->abi == OBJ_ABI_HSA && w->machine->has_xnack)
        flags |= ELF_EF_XNACK_ANY;
    if (w->code->abi == OBJ_ABI_HSA && w->machine->has_sramecc)
        flags |= ELF_EF_SRAMECC_ANY;
    return flags;
}

static void
put_header(writer *w, base_buf *b, uint64_t section_headers)
{
    bool hsa = w->code->abi == OBJ_ABI_HSA;
    /* EI_MAG, EI_CLASS 64 bits, EI_DATA little-endian, EI_VERSION */
    buf_put(b, "\177ELF\2\1\1", 7);
    buf_put_u8(b, hsa ? ELF_OSABI_HSA : ELF_OSABI_PAL);
    buf_put_u8(b, hsa ? ELF_ABI_VERSION_HSA_V5 : ELF_ABI_VERSION_PAL);
    buf_put_zeros(b, 7);
    buf_put_u16(b, ELF_ET_DYN);
    buf_put_u16(b, ELF_EM_AMDGPU);
    buf_put_u32(b, 1);
    buf_put_u64(b, 0); /* e_entry: a code object has none */
    buf_put_u64(b, ELF_HEADER_SIZE);
    buf_put_u64(b, section_headers);
    buf_put_u32(b, header_flags(w));
    buf_put_u16(b, ELF_HEADER_SIZE);
    buf_put_u16(b, ELF_PROGRAM_SIZE);
    buf_put_u16(b, N_SEGMENTS);
    buf_put_u16(b, ELF_SECTION_SIZE);
    buf_put_u16(b, (uint16_t)w->n_sections);
    buf_put_u16(b, (uint16_t)w->shstrtab);
}

/* Writes the program headers, each for a range of sections. */
static void
put_segments(const writer *w, base_buf *b)
{
    const struct {
        uint32_t type, flags;
        int first, last;
    } segments[N_SEGMENTS] = {
        {ELF_PT_LOAD, ELF_PF_R, 1, w->text - 1},
        {ELF_PT_LOAD, ELF_PF_R | ELF_PF_X, w->text, w->text},
        {ELF_PT_LOAD, ELF_PF_R | ELF_PF_W, w->dynamic, w->dynamic},
        {ELF_PT_DYNAMIC, ELF_PF_R | ELF_PF_W, w->dynamic, w->dynamic},
        {ELF_PT_NOTE, ELF_PF_R, 1, 1},
    };
    for (int k = 0; k < N_SEGMENTS; k++) {
        const section *from = &w->sections[segments[k].first];
        const section *to = &w->sections[segments[k].last];
        elf_program p = {.type = segments[k].type, .flags = segments[k].flags};
        bool load = p.type == ELF_PT_LOAD;
        bool headers = load && segments[k].first == 1; /* are part of the segment */
        p.offset = headers ? 0 : from->offset;
        p.address = headers ? 0 : from->address;
        p.in_file = p.in_memory = to->offset + to->data.size - p.offset;
        p.align = load ? PAGE : from->align;
        elf_put_program(b, &p);
    }
}

static void
put_section_header(base_buf *b, const section *s, uint32_t name)
{
    buf_put_u32(b, name);
    buf_put_u32(b, s->type);
    buf_put_u64(b, s->flags);
    buf_put_u64(b, s->address);
    buf_put_u64(b, s->offset);
    buf_put_u64(b, s->data.size);
    buf_put_u32(b, s->link);
    buf_put_u32(b, s->info);
    buf_put_u64(b, s->align);
    buf_put_u64(b, s->entry_size);
}

void
obj_write(diag *d, const obj_code *code, base_buf *out)
{
    writer w = {.code = code, .arena = out->arena};
    uint32_t names[MAX_SECTIONS] = {0};
    w.machine = elf_machine_by_name(code->target);
    if (!w.machine)
        diag_fail(d, ERR_OBJECT_UNKNOWN_TARGET, code->target);
    fill_sections(&w);
    buf_put_u8(&w.sections[w.shstrtab].data, 0);
    for (int i = 1; i < w.n_sections; i++)
        names[i] = add_string(&w.sections[w.shstrtab].data, w.sections[i].name);
    uint64_t section_headers = place_sections(&w);
    set_addresses(&w);

    base_buf b = buf_make(out->arena);
    put_header(&w, &b, section_headers);
    put_segments(&w, &b);
    for (int i = 1; i < w.n_sections; i++) {
        const section *s = &w.sections[i];
        buf_put_zeros(&b, (size_t)(s->offset - b.size));
        buf_put(&b, s->data.data, s->data.size);
    }
    buf_put_zeros(&b, (size_t)(section_headers - b.size));
    for (int i = 0; i < w.n_sections; i++)
        put_section_header(&b, &w.sections[i], names[i]);
    buf_put(out, b.data, b.size);
}
