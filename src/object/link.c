/* Linking one file; see link.h. Source: System V gABI, chapter 4, "Relocation". */
#include "object/link.h"

#include "object/elf.h"
#include "object/image.h"

#include <string.h>

enum { MAX_ALIGN = 4096, GOT_ENTRY = 8, MAX_SECTIONS = 256 };

#define MAX_SECTION (UINT64_C(1) << 30)

typedef struct linker {
    elf_reader *r;
    obj_image image;
    int32_t *section_of; /* by section of the file: its section in the image, or -1 */
    uint8_t **bytes;     /* by section in the image: its data, which relocations change */
    uint32_t *entries; /* by symbol of the file: the number of its entry in .got, from 1; 0: none */
    uint32_t n_entries; /* of .got */
    uint32_t got;       /* in the image */
    obj_dynamic *dynamics;
} linker;

/* One relocation. */
typedef struct relocation {
    const obj_reloc_kind *kind;
    uint32_t type, index; /* of the symbol */
    const elf_symbol *symbol;
    uint32_t section; /* in the image */
    uint64_t offset, addend;
} relocation;

/* Walks all relocations of sections that stay. */
typedef struct reloc_walk {
    uint32_t section; /* of the file, with relocations */
    uint64_t next;
} reloc_walk;

/* ---- sections ---- */

static bool
is_debug(linker *l, const elf_section *s)
{
    return s->type == ELF_SHT_PROGBITS && !(s->flags & ELF_SHF_COMPRESSED) &&
           strncmp(elf_section_name(l->r, s), ".debug_", 7) == 0;
}

static void
add_section(linker *l, uint32_t index)
{
    const elf_section *s = &l->r->sections[index];
    uint32_t at = l->image.n_sections++;
    obj_section *out = &l->image.sections[at];
    bool is_zero = s->type == ELF_SHT_NOBITS;
    if (s->align > MAX_ALIGN || (s->align & (s->align - 1)))
        diag_fail(l->r->d, ERR_OBJECT_BAD_ELF,
                  "a section's alignment is not a power of two up to 4096");
    if (s->size > MAX_SECTION)
        diag_fail(l->r->d, ERR_OBJECT_TOO_LARGE, "a section of more than 1 GiB");
    l->section_of[index] = (int32_t)at;
    l->bytes[at] = is_zero ? NULL : arena_copy(l->r->a, l->r->bytes + s->offset, (size_t)s->size);
    *out = (obj_section){.name = elf_section_name(l->r, s),
                         .is_loaded = s->flags & ELF_SHF_ALLOC,
                         .is_executable = s->flags & ELF_SHF_EXECINSTR,
                         .is_writable = s->flags & ELF_SHF_WRITE,
                         .is_zero = is_zero,
                         .is_kept = !(s->flags & ELF_SHF_ALLOC),
                         .align = s->align ? (uint32_t)s->align : 1,
                         .data = l->bytes[at],
                         .size = s->size};
}

/* Fails unless the sections are disjoint in the file, so that the work is linear in its size. */
static void
check_sizes(linker *l)
{
    elf_reader *r = l->r;
    uint64_t in_file = 0;
    for (uint32_t i = 0; i < r->n_sections; i++) {
        const elf_section *s = &r->sections[i];
        in_file += s->type && s->type != ELF_SHT_NOBITS ? s->size : 0;
        if (in_file > r->size)
            diag_fail(r->d, ERR_OBJECT_BAD_ELF, "sections overlap in the file");
    }
}

static void
add_sections(linker *l)
{
    elf_reader *r = l->r;
    check_sizes(l);
    l->section_of = ARENA_ARRAY(r->a, r->n_sections, int32_t);
    l->bytes = ARENA_ARRAY(r->a, r->n_sections + 1, uint8_t *);
    l->image.sections = ARENA_ARRAY(r->a, r->n_sections + 1, obj_section);
    for (uint32_t i = 0; i < r->n_sections; i++) {
        const elf_section *s = &r->sections[i];
        bool loaded = (s->flags & ELF_SHF_ALLOC) && s->type && s->type != ELF_SHT_NOTE && s->size;
        l->section_of[i] = -1;
        if (!loaded && !is_debug(l, s))
            continue;
        if (l->image.n_sections == MAX_SECTIONS)
            diag_fail(r->d, ERR_OBJECT_TOO_LARGE, "more than 256 sections");
        add_section(l, i);
    }
}

/* ---- relocations ---- */

/* What an error calls a symbol. */
static const char *
symbol_name(linker *l, const elf_symbol *s)
{
    if (*s->name || s->section >= l->r->n_sections)
        return *s->name ? s->name : "?";
    return elf_section_name(l->r, &l->r->sections[s->section]);
}

_Noreturn static void
fail_relocation(linker *l, const relocation *x, const char *why)
{
    diag_fail(l->r->d, ERR_OBJECT_RELOCATION, x->kind->name, symbol_name(l, x->symbol), why);
}

static const obj_reloc_kind *
find_kind(linker *l, uint32_t type, const elf_symbol *s)
{
    const obj_reloc_kind *k = l->r->format->kinds;
    while (k->name && k->type != type)
        k++;
    if (!k->name)
        diag_fail(l->r->d, ERR_OBJECT_RELOCATION, arena_printf(l->r->a, "of type %u", type),
                  symbol_name(l, s), "the type is not known");
    return k;
}

/* Reads the next relocation of a section in the image. Returns false after the last. */
static bool
next_relocation(linker *l, reloc_walk *w, relocation *out)
{
    elf_reader *r = l->r;
    for (; w->section < r->n_sections; w->section++, w->next = 0) {
        const elf_section *s = &r->sections[w->section];
        if (s->type != ELF_SHT_RELA || s->info >= r->n_sections || l->section_of[s->info] < 0 ||
            w->next >= s->size / ELF_RELA_SIZE)
            continue;
        const uint8_t *p = r->bytes + s->offset + w->next++ * ELF_RELA_SIZE;
        uint32_t index = elf_u32(p + 12);
        if (index >= r->n_symbols)
            diag_fail(r->d, ERR_OBJECT_BAD_ELF, "a relocation to a symbol that is not there");
        *out = (relocation){.type = elf_u32(p + 8),
                            .index = index,
                            .symbol = &r->symbols[index],
                            .section = (uint32_t)l->section_of[s->info],
                            .offset = elf_u64(p),
                            .addend = elf_u64(p + 16)};
        out->kind = find_kind(l, out->type, out->symbol);
        uint64_t size = l->image.sections[out->section].size;
        if (!l->bytes[out->section] || out->offset > size || out->kind->size > size - out->offset)
            diag_fail(r->d, ERR_OBJECT_BAD_ELF, "a relocation outside its section");
        return true;
    }
    return false;
}

/* Gives symbols their entries of .got, and counts what the loader may have to add. */
static void
count_entries(linker *l)
{
    relocation x;
    l->entries = ARENA_ARRAY(l->r->a, l->r->n_symbols, uint32_t);
    for (reloc_walk w = {0}; next_relocation(l, &w, &x);) {
        if (x.kind->how == OBJ_RELOC_GOT && !l->entries[x.index])
            l->entries[x.index] = ++l->n_entries;
        l->image.max_dynamics += x.kind->how == OBJ_RELOC_ABSOLUTE && x.kind->size == 8 &&
                                 l->image.sections[x.section].is_loaded;
    }
    l->image.max_dynamics += l->n_entries;
    l->dynamics = ARENA_ARRAY(l->r->a, l->image.max_dynamics, obj_dynamic);
    l->image.dynamics = l->dynamics;
    if (!l->n_entries)
        return;
    uint64_t size = (uint64_t)l->n_entries * GOT_ENTRY;
    l->got = l->image.n_sections++;
    l->bytes[l->got] = arena_zalloc(l->r->a, (size_t)size);
    l->image.sections[l->got] = (obj_section){.name = ".got",
                                              .is_loaded = true,
                                              .is_writable = true,
                                              .align = GOT_ENTRY,
                                              .data = l->bytes[l->got],
                                              .size = size};
}

/* The value of a relocation's symbol; `*is_address`: it is relative to the load address. */
static uint64_t
symbol_value(linker *l, const relocation *x, bool *is_address)
{
    const elf_symbol *s = x->symbol;
    *is_address = false;
    if (x->index == 0 || s->section == ELF_SHN_ABS)
        return s->value;
    if (s->section == ELF_SHN_UNDEF) {
        if (s->binding != ELF_STB_WEAK)
            diag_fail(l->r->d, ERR_OBJECT_UNDEFINED, symbol_name(l, s));
        return 0;
    }
    if (s->section >= l->r->n_sections)
        fail_relocation(l, x, "it is in no section: common and shared memory have no place");
    if (l->section_of[s->section] < 0) {
        if (l->image.sections[x->section].is_loaded)
            fail_relocation(l, x, "its section is not loaded");
        return s->value;
    }
    const obj_section *in = &l->image.sections[l->section_of[s->section]];
    *is_address = in->is_loaded;
    return in->address + s->value;
}

static void
put(uint8_t *p, uint64_t v, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static void
add_dynamic(linker *l, uint32_t section, uint64_t offset, uint64_t value)
{
    l->dynamics[l->image.n_dynamics++] = (obj_dynamic){section, offset, value};
}

/* The value of a branch's distance in instructions of 4 bytes, counted from the next one. */
static uint64_t
branch_distance(linker *l, const relocation *x, uint64_t from_here)
{
    int64_t d = (int64_t)(from_here - 4) / 4;
    if (from_here % 4 || d < INT16_MIN || d > INT16_MAX)
        fail_relocation(l, x, "the target is out of reach");
    return (uint64_t)d;
}

static void
apply(linker *l, const relocation *x)
{
    const obj_section *in = &l->image.sections[x->section];
    bool is_address;
    uint64_t v = symbol_value(l, x, &is_address) + x->addend, at = in->address + x->offset;
    switch (x->kind->how) {
    case OBJ_RELOC_ABSOLUTE:
        if (is_address && in->is_loaded && x->kind->size < 8)
            fail_relocation(l, x, "the address is known only when the object is loaded");
        if (is_address && in->is_loaded)
            add_dynamic(l, x->section, x->offset, v);
        break;
    case OBJ_RELOC_RELATIVE: v -= at; break;
    case OBJ_RELOC_BRANCH: v = branch_distance(l, x, v - at); break;
    case OBJ_RELOC_GOT:
        v = l->image.sections[l->got].address + (uint64_t)(l->entries[x->index] - 1) * GOT_ENTRY +
            x->addend - at;
        break;
    }
    put(l->bytes[x->section] + x->offset, x->kind->high ? v >> 32 : v, x->kind->size);
}

/* Fills the entry of .got that the relocation uses, once. */
static void
fill_entry(linker *l, relocation x)
{
    bool is_address;
    uint64_t offset = (uint64_t)(l->entries[x.index] - 1) * GOT_ENTRY;
    uint64_t v = symbol_value(l, &x, &is_address);
    put(l->bytes[l->got] + offset, v, GOT_ENTRY);
    if (is_address)
        add_dynamic(l, l->got, offset, v);
}

static void
apply_all(linker *l)
{
    relocation x;
    bool *filled = ARENA_ARRAY(l->r->a, l->r->n_symbols, bool);
    for (reloc_walk w = {0}; next_relocation(l, &w, &x);) {
        apply(l, &x);
        if (x.kind->how != OBJ_RELOC_GOT || filled[x.index])
            continue;
        fill_entry(l, x);
        filled[x.index] = true;
    }
}

/* ---- symbols and notes ---- */

static void
add_symbols(linker *l)
{
    elf_reader *r = l->r;
    obj_symbol *list = ARENA_ARRAY(r->a, r->n_symbols, obj_symbol);
    l->image.symbols = list;
    for (uint32_t i = 0; i < r->n_symbols; i++) {
        const elf_symbol *s = &r->symbols[i];
        bool absolute = s->section == ELF_SHN_ABS && s->type != ELF_STT_FILE;
        bool is_hidden = s->visibility == OBJ_VISIBLE_HIDDEN ||
                         s->visibility == OBJ_VISIBLE_INTERNAL;
        bool here = s->section && s->section < r->n_sections && l->section_of[s->section] >= 0;
        if (!*s->name || s->type > ELF_STT_FUNC || s->binding > ELF_STB_WEAK || !(absolute || here))
            continue;
        list[l->image.n_symbols++] = (obj_symbol){
            .name = s->name,
            .kind = s->type == ELF_STT_FUNC     ? OBJ_SYMBOL_FUNCTION
                    : s->type == ELF_STT_OBJECT ? OBJ_SYMBOL_OBJECT
                                                : OBJ_SYMBOL_NONE,
            /* as linkers do: other files cannot see it */
            .binding = is_hidden ? OBJ_BIND_LOCAL : (obj_binding)s->binding,
            .visibility = (obj_visibility)s->visibility,
            .section = absolute ? -1 : l->section_of[s->section],
            .value = s->value,
            .size = s->size};
    }
}

/* All notes, in the order of the file. */
static void
add_notes(linker *l)
{
    base_buf b = buf_make(l->r->a);
    elf_note_place p = {0};
    const uint8_t *note;
    size_t size;
    while ((note = elf_next_note(l->r, &p, &size)))
        elf_put_note(&b, l->r->format, note, size);
    l->image.notes = b.data ? (const void *)b.data : ""; /* not NULL: no note is made */
    l->image.notes_size = b.size;
}

void
elf_link(elf_reader *r, base_buf *out)
{
    linker l = {.r = r, .image = {.format = r->format, .marks = r->marks}};
    elf_read_sections(r);
    add_sections(&l);
    count_entries(&l);
    add_symbols(&l);
    add_notes(&l);
    obj_image_place(r->a, &l.image);
    apply_all(&l);
    obj_image_write(&l.image, out);
}
