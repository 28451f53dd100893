/* Names and look-ups of the object model. */
#include "object/object.h"

#include "object/elf.h"

#include <string.h>

const char *
obj_abi_name(obj_abi abi)
{
    return abi == OBJ_ABI_HSA ? "hsa" : "vulkan";
}

const char *
obj_stage_name(obj_stage stage)
{
    static const char *const names[OBJ_STAGE_COUNT] = {"vert", "tesc", "tese", "geom",
                                                       "frag", "comp", "task", "mesh"};
    return names[stage];
}

const char *
obj_user_kind_name(obj_user_kind kind)
{
    static const char *const names[] = {
#define X(id, name) name,
        OBJ_USER_KINDS(X)
#undef X
    };
    return names[kind];
}

bool
obj_is_elf(const void *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "\177ELF", 4) == 0;
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

static const elf_machine machines[] = {
#define MACHINE(name, mach, xnack, sramecc) {#name, mach, xnack, sramecc},
#include "object/machines.def"
#undef MACHINE
};

enum { N_MACHINES = sizeof machines / sizeof machines[0] };

const elf_machine *
elf_machine_by_name(const char *name)
{
    for (int i = 0; i < N_MACHINES; i++) {
        if (strcmp(machines[i].name, name) == 0)
            return &machines[i];
    }
    return NULL;
}

const elf_machine *
elf_machine_by_number(uint32_t mach)
{
    for (int i = 0; i < N_MACHINES; i++) {
        if (machines[i].mach == mach)
            return &machines[i];
    }
    return NULL;
}

uint32_t
elf_hsa_user_sgprs(obj_user_kind kind)
{
    return kind == OBJ_USER_PRIVATE_SEGMENT_BUFFER ? 4
           : kind == OBJ_USER_PRIVATE_SEGMENT_SIZE ? 1
                                                   : 2;
}

void
elf_put_program(base_buf *b, const elf_program *p)
{
    buf_put_u32(b, p->type);
    buf_put_u32(b, p->flags);
    buf_put_u64(b, p->offset);
    buf_put_u64(b, p->address);
    buf_put_u64(b, p->address);
    buf_put_u64(b, p->in_file);
    buf_put_u64(b, p->in_memory);
    buf_put_u64(b, p->align);
}
