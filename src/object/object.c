/* Names and look-ups of the object model, and records that both writers make. */
#include "object/object.h"

#include "object/elf.h"

#include <string.h>

const char *
obj_abi_name(obj_abi abi)
{
    return abi == OBJ_ABI_HSA ? "hsa" : "vulkan";
}

const char *
obj_descriptor_name(obj_descriptor type)
{
    static const char *const names[OBJ_DESCRIPTOR_COUNT] = {"none",
#define X(id, name) name,
                                                            OBJ_DESCRIPTORS(X)
#undef X
    };
    return names[(unsigned)type < OBJ_DESCRIPTOR_COUNT ? type : OBJ_DESCRIPTOR_NONE];
}

const char *
obj_stage_name(obj_stage stage)
{
    static const char *const names[OBJ_STAGE_COUNT] = {"vert", "tesc", "tese", "geom",
                                                       "frag", "comp", "task", "mesh"};
    return names[stage];
}

bool
obj_is_elf(const void *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

bool
obj_is_elf_for(const void *bytes, size_t size, uint16_t machine)
{
    const uint8_t *b = bytes;
    return obj_is_elf(bytes, size) && size >= 20 && (b[18] | b[19] << 8) == machine;
}

const obj_code *
obj_find_kernel(const obj_file *file, const char *name)
{
    if (!name)
        return file->n_kernels == 1 ? &file->kernels[0] : NULL;
    for (uint32_t i = 0; i < file->n_kernels; i++) {
        if (strcmp(file->kernels[i].name, name) == 0)
            return &file->kernels[i];
    }
    return NULL;
}

const obj_line *
obj_find_line(const obj_code *code, uint64_t offset)
{
    uint32_t low = 0, high = code->n_lines; /* all rows before `low` start at or before `offset` */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (code->lines[middle].code_offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low && code->lines[low - 1].line ? &code->lines[low - 1] : NULL;
}

const obj_section *
obj_find_section(const obj_file *f, uint64_t address)
{
    const obj_section *ends = NULL;
    for (uint32_t i = 0; i < f->n_sections; i++) {
        uint64_t offset = address - f->sections[i].address;
        if (offset < f->sections[i].size)
            return &f->sections[i];
        if (offset == f->sections[i].size && !ends)
            ends = &f->sections[i];
    }
    return ends;
}

bool
obj_find_place(const obj_file *f, uint64_t address, obj_code_place *out)
{
    const obj_section *in = obj_find_section(f, address);
    *out = (obj_code_place){0};
    if (!in || address - in->address == in->size)
        return false;
    for (uint32_t i = 0; i < f->n_symbols; i++) {
        const obj_symbol *s = &f->symbols[i];
        uint64_t offset = address - in->address - s->value;
        if (s->section != in - f->sections || s->kind != OBJ_SYMBOL_FUNCTION || offset >= s->size)
            continue;
        out->function = s->name;
        out->offset = offset;
    }
    const obj_line *line = in->source ? obj_find_line(in->source, address - in->address) : NULL;
    if (line) {
        out->file = in->source->files[line->file];
        out->line = line->line;
    }
    return out->function || out->file;
}

void
elf_put_header(base_buf *b, const elf_header *h)
{
    /* EI_MAG, EI_CLASS 64 bits, EI_DATA little-endian, EI_VERSION */
    buf_put(b, "\177ELF\2\1\1", 7);
    buf_put_u8(b, h->marks.os_abi);
    buf_put_u8(b, h->marks.abi_version);
    buf_put_zeros(b, 7);
    buf_put_u16(b, ELF_ET_DYN);
    buf_put_u16(b, h->machine);
    buf_put_u32(b, 1);
    buf_put_u64(b, 0); /* e_entry: a code object has none */
    buf_put_u64(b, ELF_HEADER_SIZE);
    buf_put_u64(b, h->sections);
    buf_put_u32(b, h->marks.flags);
    buf_put_u16(b, ELF_HEADER_SIZE);
    buf_put_u16(b, ELF_PROGRAM_SIZE);
    buf_put_u16(b, (uint16_t)h->n_programs);
    buf_put_u16(b, ELF_SECTION_SIZE);
    buf_put_u16(b, (uint16_t)h->n_sections);
    buf_put_u16(b, (uint16_t)h->names);
}

void
elf_put_note(base_buf *b, const obj_format *format, const void *bytes, size_t size)
{
    size_t owner = strlen(format->note_owner) + 1;
    buf_put_u32(b, (uint32_t)owner);
    buf_put_u32(b, (uint32_t)size);
    buf_put_u32(b, format->note_type);
    buf_put(b, format->note_owner, owner);
    buf_align(b, 4);
    if (size)
        buf_put(b, bytes, size);
    buf_align(b, 4);
}

void
elf_put_section(base_buf *b, const elf_section_header *s)
{
    unsigned char *at = buf_extend(b, ELF_SECTION_SIZE);
    at = base_put_u32(at, s->name);
    at = base_put_u32(at, s->type);
    at = base_put_u64(at, s->flags);
    at = base_put_u64(at, s->address);
    at = base_put_u64(at, s->offset);
    at = base_put_u64(at, s->size);
    at = base_put_u32(at, s->link);
    at = base_put_u32(at, s->info);
    at = base_put_u64(at, s->align);
    base_put_u64(at, s->entry);
}

void
elf_put_program(base_buf *b, const elf_program *p)
{
    unsigned char *at = buf_extend(b, ELF_PROGRAM_SIZE);
    at = base_put_u32(at, p->type);
    at = base_put_u32(at, p->flags);
    at = base_put_u64(at, p->offset);
    at = base_put_u64(at, p->address);
    at = base_put_u64(at, p->address);
    at = base_put_u64(at, p->in_file);
    at = base_put_u64(at, p->in_memory);
    base_put_u64(at, p->align);
}
