/* Reads a code object, made by Heddle or by clang and lld.
 *
 * read_elf.c parses the file's tables. The note then lists the kernels; symbols and kernel
 * descriptors give their addresses. Addresses are always looked up in the segments and never
 * converted to file offsets directly.
 */
#include "object/read.h"

#include "object/dwarf.h"
#include "object/elf.h"
#include "object/notes.h"

#include <string.h>

/* A position in the search for notes: a section and the offset in it. */
typedef struct note_place {
    uint32_t section;
    uint64_t at;
    bool found; /* the section has a metadata note */
} note_place;

/* Returns the MessagePack of the next metadata note, or NULL after the last. All must be in one
 * section, so that no two share bytes. */
static const uint8_t *
next_metadata(elf_reader *r, note_place *p, size_t *size)
{
    for (; p->section < r->n_sections; p->section++, p->at = 0) {
        const elf_section *s = &r->sections[p->section];
        while (s->type == ELF_SHT_NOTE && p->at <= s->size && s->size - p->at >= 12) {
            const uint8_t *note = r->bytes + s->offset + p->at;
            uint64_t name = ((uint64_t)elf_u32(note) + 3) / 4 * 4;
            uint64_t length = elf_u32(note + 4), left = s->size - p->at - 12;
            if (name > left || length > left - name)
                diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "a note is longer than its section");
            p->at += 12 + name + (length + 3) / 4 * 4;
            if (elf_u32(note) == sizeof "AMDGPU" &&
                memcmp(note + 12, "AMDGPU", sizeof "AMDGPU") == 0 &&
                elf_u32(note + 8) == ELF_NT_AMDGPU_METADATA) {
                *size = (size_t)length;
                p->found = true;
                return note + 12 + name;
            }
        }
        if (p->found)
            break;
    }
    return NULL;
}

/* Joins `notes` maps into one: the first, with the kernels of all. */
static const pack_value *
join_notes(arena *a, const pack_value *const *maps, uint32_t notes)
{
    const pack_value *first = pack_get(maps[0], "amdhsa.kernels");
    uint32_t kernels = 0, n = 0;
    for (uint32_t i = 0; i < notes; i++)
        kernels += pack_count(pack_get(maps[i], "amdhsa.kernels"));
    if (!first || kernels == pack_count(first))
        return maps[0];
    pack_value *list = ARENA_ARRAY(a, kernels, pack_value), *map = ARENA_ARRAY(a, 1, pack_value);
    for (uint32_t i = 0; i < notes; i++) {
        const pack_value *of = pack_get(maps[i], "amdhsa.kernels");
        for (uint32_t k = 0; k < pack_count(of); k++)
            list[n++] = of->kind == PACK_ARRAY ? of->items[k] : (pack_value){.kind = PACK_NIL};
    }
    pack_value *entries = ARENA_ARRAY(a, 2 * maps[0]->count, pack_value);
    memcpy(entries, maps[0]->items, 2 * maps[0]->count * sizeof *entries);
    entries[first - maps[0]->items] = (pack_value){.kind = PACK_ARRAY, .count = n, .items = list};
    *map = *maps[0];
    map->items = entries;
    return map;
}

/* Reads the metadata. A linker concatenates the notes of its inputs. */
static const pack_value *
read_metadata(elf_reader *r)
{
    note_place p = {0};
    uint32_t notes = 0;
    const uint8_t *bytes;
    size_t size;
    while (next_metadata(r, &p, &size))
        notes++;
    if (!notes)
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "there is none");
    const pack_value **maps = ARENA_ARRAY(r->a, notes, const pack_value *);
    p = (note_place){0};
    for (uint32_t i = 0; (bytes = next_metadata(r, &p, &size)); i++)
        maps[i] = pack_read(r->d, r->a, bytes, size);
    return join_notes(r->a, maps, notes);
}

/* Sets code and entry of a kernel from its code symbol. */
static void
set_code(elf_reader *r, obj_code *c, uint64_t entry, uint64_t size, bool is_ours)
{
    uint64_t left;
    const uint8_t *at = elf_address_bytes(r, entry, &left);
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

/* The size of the function at an address according to the symbol table, or 0. */
static uint64_t
function_size(const elf_reader *r, const char *name, uint64_t address)
{
    const elf_symbol *s = elf_find_symbol(r, name);
    return s && s->type == ELF_STT_FUNC && s->value == address ? s->size : 0;
}

/* Reads the 64 bytes of the kernel descriptor. User SGPRs are in the order of their bits. */
static uint64_t
read_descriptor(elf_reader *r, obj_code *c, uint64_t address)
{
    uint64_t left;
    const uint8_t *kd = elf_address_bytes(r, address, &left);
    if (!kd || left < HSA_KD_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its descriptor is in no segment");
    uint32_t properties = elf_u16(kd + HSA_KD_PROPERTIES);
    c->lds_bytes = elf_u32(kd + HSA_KD_GROUP_SEGMENT_SIZE);
    c->scratch_bytes = elf_u32(kd + HSA_KD_PRIVATE_SEGMENT_SIZE);
    c->rsrc[0] = elf_u32(kd + HSA_KD_RSRC1);
    c->rsrc[1] = elf_u32(kd + HSA_KD_RSRC2);
    c->rsrc[2] = elf_u32(kd + HSA_KD_RSRC3);
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
    return address + elf_u64(kd + HSA_KD_ENTRY_OFFSET);
}

static void
read_kernel(elf_reader *r, const pack_value *kernel, const pack_value *heddle, obj_code *c)
{
    notes_read_kernel(r->d, r->a, kernel, heddle, c);
    const char *name = pack_get_text(kernel, ".symbol", "");
    const elf_symbol *s = elf_find_symbol(r, name);
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
    const elf_symbol *s = elf_find_symbol(r, name);
    if (!s)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its code has no symbol");
    set_code(r, c, s->value, s->size, heddle != NULL);
}

/* The bytes of the section called `name`, or none if there is no such section. */
static dwarf_section
section_by_name(elf_reader *r, const char *name)
{
    for (uint32_t i = 1; i < r->n_sections; i++) {
        const elf_section *s = &r->sections[i];
        if (s->type == ELF_SHT_PROGBITS && !(s->flags & ELF_SHF_COMPRESSED) &&
            strcmp(elf_section_name(r, s), name) == 0)
            return (dwarf_section){r->bytes + s->offset, s->size};
    }
    return (dwarf_section){0};
}

/* Reads source lines of kernels and of whole code sections. */
static void
read_lines(elf_reader *r, obj_code *kernels, obj_section *sections)
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
    for (uint32_t i = 0; i < r->out->n_sections; i++) {
        if (!sections[i].is_executable || sections[i].size > UINT32_MAX)
            continue;
        obj_code *source = ARENA_ARRAY(r->a, 1, obj_code);
        source->code_size = source->data_offset = (uint32_t)sections[i].size;
        dwarf_set_lines(r->a, &table, sections[i].address, source);
        sections[i].source = source;
    }
}

void
obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out)
{
    elf_reader r = {.d = d, .a = a, .bytes = bytes, .size = size, .out = out};
    *out = (obj_file){0};
    elf_read_tables(&r);
    obj_section *sections = elf_list_sections(&r);
    const pack_value *metadata = read_metadata(&r), *heddle = pack_get(metadata, ".heddle");
    bool hsa = out->abi == OBJ_ABI_HSA;
    out->is_ours = heddle != NULL;
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
    read_lines(&r, kernels, sections);
}
