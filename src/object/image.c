/* Lays out a linked object with arbitrary sections.
 *
 * The parts in file order, with the segment that loads them:
 *
 *     ELF and program headers .note .dynsym .hash .dynstr [read-only sections]   read
 *     [executable sections]                                                      execute
 *     .dynamic .rela.dyn [writable sections] [zero sections]                     write
 *     [kept sections] .symtab .strtab .shstrtab                                  not loaded
 *
 * Placing and writing go through the same list of pieces; file offsets and addresses agree modulo
 * the page size.
 */
#include "object/image.h"

#include "object/elf.h"

#include <string.h>

enum { PAGE = 4096, N_SEGMENTS = 5, N_DYNAMIC = 9, NOTE_ALIGN = 4, MADE = 10 };
enum { GROUP_READ, GROUP_EXECUTE, GROUP_WRITE, GROUP_NONE, N_GROUPS };

/* A section of the file: either the caller's or generated here. */
typedef struct piece {
    const char *name;
    uint32_t type, flags, link, info, align, entry_size;
    int group;
    obj_section *from; /* NULL: generated here */
    base_buf data;
    uint64_t size, address, offset;
} piece;

typedef struct image_writer {
    const obj_image *image;
    arena *arena;
    piece *pieces; /* [0] is the null section */
    uint32_t count;
    uint32_t note, dynsym, hash, dynstr, dynamic, rela, symtab, strtab, shstrtab;
    uint32_t *index_of; /* by the caller's section: its piece; 0: left out */
    uint64_t end;       /* offset of the section headers */
} image_writer;

static uint32_t
add_piece(image_writer *w, const char *name, uint32_t type, uint32_t flags, int group)
{
    piece *p = &w->pieces[w->count];
    *p = (piece){.name = name, .type = type, .flags = flags, .group = group, .align = 8};
    p->data = buf_make(w->arena);
    return w->count++;
}

/* The group of a section; N_GROUPS if it is left out. */
static int
group_of(const obj_section *s)
{
    if (!s->is_loaded)
        return s->is_kept ? GROUP_NONE : N_GROUPS;
    return s->is_executable ? GROUP_EXECUTE : s->is_writable ? GROUP_WRITE : GROUP_READ;
}

static void
add_sections(image_writer *w, int group, bool zero)
{
    for (uint32_t i = 0; i < w->image->n_sections; i++) {
        obj_section *s = &w->image->sections[i];
        if (group_of(s) != group || s->is_zero != zero)
            continue;
        uint32_t flags = (s->is_loaded ? ELF_SHF_ALLOC : 0) |
                         (s->is_executable ? ELF_SHF_EXECINSTR : 0) |
                         (s->is_writable ? ELF_SHF_WRITE : 0);
        w->index_of[i] = add_piece(w, s->name, zero ? ELF_SHT_NOBITS : ELF_SHT_PROGBITS, flags,
                                   group);
        piece *p = &w->pieces[w->index_of[i]];
        p->from = s;
        p->align = s->align ? s->align : 1;
        p->size = s->size;
    }
}

/* Returns true if loaders see the symbol. */
static bool
is_dynamic(const obj_symbol *s)
{
    return s->binding != OBJ_BIND_LOCAL &&
           (s->visibility == OBJ_VISIBLE_DEFAULT || s->visibility == OBJ_VISIBLE_PROTECTED);
}

static uint32_t
symbol_type(obj_symbol_kind kind)
{
    return kind == OBJ_SYMBOL_FUNCTION ? ELF_STT_FUNC
           : kind == OBJ_SYMBOL_OBJECT ? ELF_STT_OBJECT
                                       : 0;
}

static void
put_symbol(image_writer *w, piece *table, base_buf *names, const obj_symbol *s)
{
    const obj_section *in = s->section >= 0 ? &w->image->sections[s->section] : NULL;
    uint32_t index = in ? w->index_of[s->section] : ELF_SHN_ABS;
    buf_put_u32(&table->data, (uint32_t)names->size);
    buf_put(names, s->name, strlen(s->name) + 1);
    buf_put_u8(&table->data, (uint8_t)(s->binding << 4 | symbol_type(s->kind)));
    buf_put_u8(&table->data, (uint8_t)s->visibility);
    buf_put_u16(&table->data, (uint16_t)index);
    buf_put_u64(&table->data, s->value + (in ? in->address : 0));
    buf_put_u64(&table->data, s->size);
}

static bool
is_in_memory(const image_writer *w, int32_t section)
{
    return w->index_of[section] && w->image->sections[section].is_loaded;
}

/* Local symbols come first. Symbols of omitted sections are omitted too. */
static void
fill_symbols(image_writer *w, uint32_t at, uint32_t strings, bool dynamic)
{
    piece *table = &w->pieces[at];
    base_buf *names = &w->pieces[strings].data;
    table->entry_size = ELF_SYMBOL_SIZE;
    table->link = strings;
    table->info = 1;
    table->data.size = names->size = 0;
    buf_put_u8(names, 0);
    buf_put_zeros(&table->data, ELF_SYMBOL_SIZE);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < w->image->n_symbols; i++) {
            const obj_symbol *s = &w->image->symbols[i];
            bool local = s->binding == OBJ_BIND_LOCAL;
            if (local != (pass == 0) || (dynamic && !is_dynamic(s)) ||
                (s->section >= 0 && !is_in_memory(w, s->section)))
                continue;
            table->info += local;
            put_symbol(w, table, names, s);
        }
    }
}

/* Uses one bucket that chains all symbols. */
static void
fill_hash(image_writer *w)
{
    base_buf *b = &w->pieces[w->hash].data;
    uint32_t n = (uint32_t)(w->pieces[w->dynsym].data.size / ELF_SYMBOL_SIZE);
    w->pieces[w->hash].link = w->dynsym;
    w->pieces[w->hash].entry_size = 4;
    b->size = 0;
    buf_put_u32(b, 1);
    buf_put_u32(b, n);
    buf_put_u32(b, n > 1 ? 1 : 0);
    buf_put_u32(b, 0);
    for (uint32_t i = 1; i < n; i++)
        buf_put_u32(b, i + 1 < n ? i + 1 : 0);
}

static void
fill_note(image_writer *w)
{
    base_buf *b = &w->pieces[w->note].data;
    b->size = 0;
    if (w->image->notes)
        buf_put(b, w->image->notes, w->image->notes_size);
    else
        elf_put_note(b, w->image->format, w->image->metadata, w->image->metadata_size);
}

static void
fill_relocs(image_writer *w)
{
    piece *p = &w->pieces[w->rela];
    p->data.size = 0;
    p->link = w->dynsym;
    p->entry_size = ELF_RELA_SIZE;
    for (uint32_t i = 0; i < w->image->n_dynamics; i++) {
        const obj_dynamic *r = &w->image->dynamics[i];
        buf_put_u64(&p->data, w->image->sections[r->section].address + r->offset);
        buf_put_u64(&p->data, w->image->format->relative64);
        buf_put_u64(&p->data, r->addend);
    }
    buf_put_zeros(&p->data, (uint64_t)w->image->max_dynamics * ELF_RELA_SIZE - p->data.size);
}

static void
fill_dynamic(image_writer *w)
{
    const piece *p = w->pieces;
    const uint64_t rows[N_DYNAMIC][2] = {
        {ELF_DT_SYMTAB, p[w->dynsym].address},
        {ELF_DT_SYMENT, ELF_SYMBOL_SIZE},
        {ELF_DT_STRTAB, p[w->dynstr].address},
        {ELF_DT_STRSZ, p[w->dynstr].data.size},
        {ELF_DT_HASH, p[w->hash].address},
        {w->image->max_dynamics ? ELF_DT_RELA : ELF_DT_NULL, p[w->rela].address},
        {ELF_DT_RELASZ, (uint64_t)w->image->n_dynamics * ELF_RELA_SIZE},
        {ELF_DT_RELAENT, ELF_RELA_SIZE},
        {ELF_DT_NULL, 0}};
    piece *d = &w->pieces[w->dynamic];
    d->data.size = 0;
    d->link = w->dynstr;
    d->entry_size = ELF_DYNAMIC_SIZE;
    buf_put_zeros(&d->data, sizeof rows);
    for (size_t i = 0; i < N_DYNAMIC; i++) {
        buf_set_u64(&d->data, i * ELF_DYNAMIC_SIZE, rows[i][0]);
        buf_set_u64(&d->data, i * ELF_DYNAMIC_SIZE + 8, rows[i][0] ? rows[i][1] : 0);
    }
}

/* Fills the generated sections; called again when addresses are known. */
static void
fill(image_writer *w)
{
    fill_note(w);
    fill_symbols(w, w->dynsym, w->dynstr, true);
    fill_symbols(w, w->symtab, w->strtab, false);
    fill_hash(w);
    fill_relocs(w);
    fill_dynamic(w);
    for (uint32_t i = 1; i < w->count; i++)
        if (!w->pieces[i].from)
            w->pieces[i].size = w->pieces[i].data.size;
}

static void
list_pieces(image_writer *w)
{
    const uint32_t read = ELF_SHF_ALLOC, write = ELF_SHF_ALLOC | ELF_SHF_WRITE;
    w->pieces = ARENA_ARRAY(w->arena, w->image->n_sections + MADE, piece);
    w->index_of = ARENA_ARRAY(w->arena, w->image->n_sections, uint32_t);
    w->count = 1;
    w->note = add_piece(w, ".note", ELF_SHT_NOTE, read, GROUP_READ);
    w->pieces[w->note].align = NOTE_ALIGN;
    w->dynsym = add_piece(w, ".dynsym", ELF_SHT_DYNSYM, read, GROUP_READ);
    w->hash = add_piece(w, ".hash", ELF_SHT_HASH, read, GROUP_READ);
    w->dynstr = add_piece(w, ".dynstr", ELF_SHT_STRTAB, read, GROUP_READ);
    add_sections(w, GROUP_READ, false);
    add_sections(w, GROUP_EXECUTE, false);
    w->dynamic = add_piece(w, ".dynamic", ELF_SHT_DYNAMIC, write, GROUP_WRITE);
    w->rela = add_piece(w, ".rela.dyn", ELF_SHT_RELA, read, GROUP_WRITE);
    add_sections(w, GROUP_WRITE, false);
    add_sections(w, GROUP_WRITE, true);
    add_sections(w, GROUP_NONE, false);
    w->symtab = add_piece(w, ".symtab", ELF_SHT_SYMTAB, 0, GROUP_NONE);
    w->strtab = add_piece(w, ".strtab", ELF_SHT_STRTAB, 0, GROUP_NONE);
    w->shstrtab = add_piece(w, ".shstrtab", ELF_SHT_STRTAB, 0, GROUP_NONE);
}

static void
name_pieces(image_writer *w, uint32_t *names)
{
    base_buf *b = &w->pieces[w->shstrtab].data;
    buf_put_u8(b, 0);
    for (uint32_t i = 1; i < w->count; i++) {
        names[i] = (uint32_t)b->size;
        buf_put(b, w->pieces[i].name, strlen(w->pieces[i].name) + 1);
    }
}

/* Assigns offsets and addresses. Each group starts on a new page. */
static void
place(image_writer *w)
{
    uint64_t offset = ELF_HEADER_SIZE + N_SEGMENTS * ELF_PROGRAM_SIZE, address = offset;
    int group = GROUP_READ;
    for (uint32_t i = 1; i < w->count; i++) {
        piece *p = &w->pieces[i];
        if (p->group != group && p->group != GROUP_NONE)
            address = (address + PAGE - 1) / PAGE * PAGE + offset % PAGE;
        group = p->group;
        uint64_t step = (p->align - address % p->align) % p->align;
        offset += p->type == ELF_SHT_NOBITS ? 0 : step;
        address += step;
        p->offset = offset;
        p->address = p->flags & ELF_SHF_ALLOC ? address : 0;
        if (p->from)
            p->from->address = p->address;
        offset += p->type == ELF_SHT_NOBITS ? 0 : p->size;
        address += p->size;
    }
    w->end = (offset + 7) / 8 * 8;
}

void
obj_image_place(arena *a, obj_image *image)
{
    image_writer w = {.image = image, .arena = a};
    list_pieces(&w);
    fill(&w);
    place(&w);
}

/* The segment that has a piece alone. */
static void
put_piece(base_buf *b, uint32_t type, uint32_t flags, const piece *p)
{
    elf_put_program(b, &(elf_program){.type = type,
                                      .flags = flags,
                                      .offset = p->offset,
                                      .address = p->address,
                                      .in_file = p->size,
                                      .in_memory = p->size,
                                      .align = type == ELF_PT_NOTE ? NOTE_ALIGN : 8});
}

/* Writes the segment of a group; an empty one if the group has no sections. */
static void
put_group(const image_writer *w, base_buf *b, int group)
{
    static const uint32_t flags[] = {ELF_PF_R, ELF_PF_R | ELF_PF_X, ELF_PF_R | ELF_PF_W};
    const piece *first = NULL, *last = NULL, *last_in_file = NULL;
    for (uint32_t i = 1; i < w->count; i++) {
        const piece *p = &w->pieces[i];
        if (p->group != group)
            continue;
        first = first ? first : p;
        last = p;
        last_in_file = p->type == ELF_SHT_NOBITS ? last_in_file : p;
    }
    elf_program p = {.type = ELF_PT_LOAD, .flags = flags[group], .align = PAGE};
    if (first) {
        p.offset = group == GROUP_READ ? 0 : first->offset;
        p.address = group == GROUP_READ ? 0 : first->address;
        p.in_file = last_in_file ? last_in_file->offset + last_in_file->size - p.offset : 0;
        p.in_memory = last->address + last->size - p.address;
    }
    elf_put_program(b, &p);
}

static void
put_section(base_buf *b, const piece *p, uint32_t name)
{
    elf_put_section(b, &(elf_section_header){.name = name,
                                             .type = p->type,
                                             .flags = p->flags,
                                             .address = p->address,
                                             .offset = p->offset,
                                             .size = p->size,
                                             .link = p->link,
                                             .info = p->info,
                                             .align = p->align,
                                             .entry = p->entry_size});
}

void
obj_image_write(const obj_image *image, base_buf *out)
{
    image_writer w = {.image = image, .arena = out->arena};
    list_pieces(&w);
    uint32_t *names = ARENA_ARRAY(w.arena, w.count, uint32_t);
    name_pieces(&w, names);
    fill(&w);
    place(&w);
    fill(&w);
    base_buf b = buf_make(out->arena);
    elf_put_header(&b, &(elf_header){.machine = image->format->machine,
                                     .marks = image->marks,
                                     .n_programs = N_SEGMENTS,
                                     .sections = w.end,
                                     .n_sections = w.count,
                                     .names = w.shstrtab});
    for (int g = GROUP_READ; g < GROUP_NONE; g++)
        put_group(&w, &b, g);
    put_piece(&b, ELF_PT_DYNAMIC, ELF_PF_R | ELF_PF_W, &w.pieces[w.dynamic]);
    put_piece(&b, ELF_PT_NOTE, ELF_PF_R, &w.pieces[w.note]);
    for (uint32_t i = 1; i < w.count; i++) {
        const piece *p = &w.pieces[i];
        if (p->type == ELF_SHT_NOBITS)
            continue;
        buf_put_zeros(&b, p->offset - b.size);
        if (p->size)
            buf_put(&b, p->from ? p->from->data : p->data.data, (size_t)p->size);
    }
    buf_put_zeros(&b, w.end - b.size);
    for (uint32_t i = 0; i < w.count; i++)
        put_section(&b, &w.pieces[i], i ? names[i] : 0);
    buf_put(out, b.data, b.size);
}
