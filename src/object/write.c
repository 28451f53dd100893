/* Lays out a code object of one kernel.
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

#include <string.h>

enum { PAGE = 4096 };

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
    const obj_envelope *envelope;
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
    elf_put_note(b, w->envelope->format, w->envelope->metadata->data, w->envelope->metadata->size);
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
    w->info_address = dwarf_write_unit(w->code, 0, &w->sections[w->debug_info].data,
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
    const obj_record *record = &w->envelope->record;
    w->n_local = c->data_offset < c->code_size;
    if (w->n_local) {
        add_symbol(w, (symbol){.name = "heddle.data",
                               .type = ELF_STT_OBJECT,
                               .section = w->text,
                               .offset = c->data_offset,
                               .size = c->code_size - c->data_offset});
    }
    add_symbol(w, (symbol){.name = w->envelope->symbol,
                           .type = ELF_STT_FUNC,
                           .section = w->text,
                           .size = c->data_offset});
    if (record->bytes) {
        add_symbol(w, (symbol){.name = record->symbol,
                               .type = ELF_STT_OBJECT,
                               .section = w->rodata,
                               .size = record->size});
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
    const obj_record *record = &w->envelope->record;
    w->n_sections = 1;
    fill_note(w);
    w->dynsym = add_section(w, ".dynsym", ELF_SHT_DYNSYM, ELF_SHF_ALLOC, 8);
    w->hash = add_section(w, ".hash", ELF_SHT_HASH, ELF_SHF_ALLOC, 4);
    w->dynstr = add_section(w, ".dynstr", ELF_SHT_STRTAB, ELF_SHF_ALLOC, 1);
    if (record->bytes) {
        w->rodata = add_section(w, ".rodata", ELF_SHT_PROGBITS, ELF_SHF_ALLOC, record->align);
        buf_put(&w->sections[w->rodata].data, record->bytes, record->size);
    }
    w->text = add_section(w, ".text", ELF_SHT_PROGBITS, ELF_SHF_ALLOC | ELF_SHF_EXECINSTR,
                          w->envelope->format->code_align);
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
        buf_set_u64(&w->sections[w->rodata].data, w->envelope->record.entry_at,
                    s[w->text].address - s[w->rodata].address);
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
    elf_put_section(b, &(elf_section_header){.name = name,
                                             .type = s->type,
                                             .flags = s->flags,
                                             .address = s->address,
                                             .offset = s->offset,
                                             .size = s->data.size,
                                             .link = s->link,
                                             .info = s->info,
                                             .align = s->align,
                                             .entry = s->entry_size});
}

void
obj_write(const obj_code *code, const obj_envelope *envelope, base_buf *out)
{
    writer w = {.code = code, .envelope = envelope, .arena = out->arena};
    uint32_t names[MAX_SECTIONS] = {0};
    fill_sections(&w);
    buf_put_u8(&w.sections[w.shstrtab].data, 0);
    for (int i = 1; i < w.n_sections; i++)
        names[i] = add_string(&w.sections[w.shstrtab].data, w.sections[i].name);
    uint64_t section_headers = place_sections(&w);
    set_addresses(&w);

    size_t start = out->size;
    buf_reserve(out, section_headers + (size_t)w.n_sections * ELF_SECTION_SIZE);
    elf_put_header(out, &(elf_header){.machine = envelope->format->machine,
                                      .marks = envelope->marks,
                                      .n_programs = N_SEGMENTS,
                                      .sections = section_headers,
                                      .n_sections = (uint32_t)w.n_sections,
                                      .names = (uint32_t)w.shstrtab});
    put_segments(&w, out);
    for (int i = 1; i < w.n_sections; i++) {
        const section *s = &w.sections[i];
        buf_put_zeros(out, (size_t)(start + s->offset - out->size));
        buf_put(out, s->data.data, s->data.size);
    }
    buf_put_zeros(out, (size_t)(start + section_headers - out->size));
    for (int i = 0; i < w.n_sections; i++)
        put_section_header(out, &w.sections[i], names[i]);
}
