/* Notes, the code of kernels, and source lines, from the tables that read_elf.c has read. */
#include "object/read.h"

#include "object/dwarf.h"
#include "object/elf.h"

#include <string.h>

const uint8_t *
elf_next_note(elf_reader *r, elf_note_place *p, size_t *size)
{
    const obj_format *f = r->format;
    size_t owner = strlen(f->note_owner) + 1;
    for (; p->section < r->n_sections; p->section++, p->at = 0) {
        const elf_section *s = &r->sections[p->section];
        while (s->type == ELF_SHT_NOTE && p->at <= s->size && s->size - p->at >= 12) {
            const uint8_t *note = r->bytes + s->offset + p->at;
            uint64_t name = ((uint64_t)elf_u32(note) + 3) / 4 * 4;
            uint64_t length = elf_u32(note + 4), left = s->size - p->at - 12;
            if (name > left || length > left - name)
                diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "a note is longer than its section");
            p->at += 12 + name + (length + 3) / 4 * 4;
            if (elf_u32(note) == owner && memcmp(note + 12, f->note_owner, owner) == 0 &&
                elf_u32(note + 8) == f->note_type) {
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

void
elf_set_code(elf_reader *r, obj_code *c, uint64_t entry, uint64_t size)
{
    bool is_ours = r->out->is_ours;
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

void
elf_read_lines(elf_reader *r, obj_code *kernels, obj_section *sections)
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
