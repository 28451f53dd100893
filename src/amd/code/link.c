/* Linking: assigns addresses to sections, resolves references, and makes the note. */
#include "amd/code/link.h"

#include "amd/object/object.h"
#include "base/map.h"
#include "object/yaml.h"

#include <string.h>

/* The symbols of a unit by name. */
typedef struct symbol_names {
    base_strings names;
    const asm_unit_symbol **symbols; /* the first symbol of each name that has a section, or NULL */
} symbol_names;

static void
name_symbols(arena *a, const asm_unit *u, symbol_names *n)
{
    n->names = strings_make(a);
    n->symbols = ARENA_ARRAY(a, u->n_symbols, const asm_unit_symbol *);
    for (uint32_t i = 0; i < u->n_symbols; i++) {
        const asm_unit_symbol *s = &u->symbols[i];
        uint32_t k = strings_intern(&n->names, s->name, strlen(s->name));
        if (!n->symbols[k] && s->section >= 0)
            n->symbols[k] = s;
    }
}

/* The bytes of a kernel's descriptor, or NULL. */
static const uint8_t *
find_descriptor(const asm_unit *u, const symbol_names *n, const char *symbol)
{
    uint32_t k = strings_find(&n->names, symbol, strlen(symbol));
    const asm_unit_symbol *s = k == UINT32_MAX ? NULL : n->symbols[k];
    return s ? u->sections[s->section].data.data + s->value : NULL;
}

static uint32_t
word_of(const uint8_t *descriptor, unsigned at)
{
    const uint8_t *p = descriptor + at;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Makes the metadata entry of a kernel from its descriptor, if the text has none. */
static void
put_kernel(const asm_unit *u, const symbol_names *n, const amd_target *t, const char *name,
           base_buf *b)
{
    const uint8_t none[AMD_HSA_DESCRIPTOR_SIZE] = {0};
    const char *symbol = arena_printf(b->arena, "%s.kd", name);
    const uint8_t *kd = find_descriptor(u, n, symbol);
    kd = kd ? kd : none;
    pack_map(b, 10);
    pack_key_uint(b, ".group_segment_fixed_size", word_of(kd, 0));
    pack_key_uint(b, ".kernarg_segment_align", 8);
    pack_key_uint(b, ".kernarg_segment_size", word_of(kd, 8));
    pack_key_uint(b, ".max_flat_workgroup_size", 1024);
    pack_key_text(b, ".name", name);
    pack_key_uint(b, ".private_segment_fixed_size", word_of(kd, 4));
    pack_key_uint(b, ".sgpr_count", t->sgpr_limit);
    pack_key_text(b, ".symbol", symbol);
    pack_key_uint(b, ".vgpr_count", t->vgpr_limit);
    pack_key_uint(b, ".wavefront_size", word_of(kd, 56) & 1 << 10 ? 32 : 64);
}

static uint32_t
version_of(const amd_unit *made, const amd_target *t)
{
    return made->code_object_version ? made->code_object_version : amd_obj_default_version(t->name);
}

/* The target with the settings of the text or the caller. */
static const char *
id_of(arena *a, const amd_unit *made, const amd_target *t)
{
    return amd_obj_target_id(a, &(amd_obj_target){amd_obj_machine_by_name(t->name),
                                                  (amd_obj_feature)made->xnack,
                                                  (amd_obj_feature)made->sramecc});
}

static void
put_metadata(const ir_ctx *c, const amd_unit *u, const amd_target *t, base_buf *b)
{
    if (u->metadata.text) {
        const diag_loc loc = c->diag->loc;
        c->diag->loc = u->metadata.loc;
        pack_put(b, yaml_read(c->diag, c->scratch, u->metadata.text, u->metadata.size));
        c->diag->loc = loc;
        return;
    }
    uint32_t version = version_of(u, t);
    symbol_names names;
    name_symbols(b->arena, u->text, &names);
    pack_map(b, 3);
    pack_text(b, "amdhsa.kernels");
    pack_array(b, u->n_kernels);
    for (uint32_t i = 0; i < u->n_kernels; i++)
        put_kernel(u->text, &names, t, u->kernels[i], b);
    pack_key_text(b, "amdhsa.target",
                  arena_printf(b->arena, "amdgcn-amd-amdhsa--%s", id_of(c->scratch, u, t)));
    pack_text(b, "amdhsa.version");
    pack_array(b, 2);
    pack_uint(b, 1);
    pack_uint(b, version < 5 ? version - 3 : 2); /* version 4 is 1.1; LLVM 19, AMDGPUMetadata.h */
}

static void
set_sections(const asm_unit *u, obj_image *image)
{
    for (uint32_t i = 0; i < u->n_sections; i++) {
        const asm_unit_section *from = &u->sections[i];
        image->sections[i] = (obj_section){.name = from->name,
                                           .is_loaded = from->is_loaded && from->data.size,
                                           .is_executable = from->is_executable,
                                           .is_writable = from->is_writable,
                                           .is_zero = from->is_zero,
                                           .align = from->align,
                                           .data = from->data.data,
                                           .size = from->data.size,
                                           .address = from->address};
    }
}

static void
set_symbols(arena *a, const asm_unit *u, obj_image *image)
{
    obj_symbol *list = ARENA_ARRAY(a, u->n_symbols, obj_symbol);
    image->symbols = list;
    image->n_symbols = u->n_symbols;
    for (uint32_t i = 0; i < u->n_symbols; i++) {
        const asm_unit_symbol *from = &u->symbols[i];
        list[i] = (obj_symbol){.name = from->name,
                               .kind = (obj_symbol_kind)from->kind,
                               .binding = (obj_binding)from->binding,
                               .visibility = (obj_visibility)from->visibility,
                               .section = from->section,
                               .value = from->value,
                               .size = from->size};
    }
}

static void
set_dynamics(arena *a, const asm_unit *u, obj_image *image)
{
    obj_dynamic *list = ARENA_ARRAY(a, u->n_relocs, obj_dynamic);
    image->dynamics = list;
    image->n_dynamics = u->n_relocs;
    for (uint32_t i = 0; i < u->n_relocs; i++)
        list[i] = (obj_dynamic){u->relocs[i].section, u->relocs[i].offset, u->relocs[i].addend};
}

/* The models of the sections' source lines. */
static const obj_code *
make_lines(arena *a, const asm_unit *u)
{
    obj_code *codes = ARENA_ARRAY(a, u->n_sections, obj_code);
    uint32_t *counts = ARENA_ARRAY(a, u->n_sections, uint32_t);
    obj_line **rows = ARENA_ARRAY(a, u->n_sections, obj_line *);
    for (uint32_t i = 0; i < u->n_lines; i++)
        counts[u->lines[i].section]++;
    for (uint32_t i = 0; i < u->n_sections; i++)
        rows[i] = ARENA_ARRAY(a, counts[i], obj_line);
    for (uint32_t i = 0; i < u->n_lines; i++) {
        const asm_unit_line *l = &u->lines[i];
        obj_code *c = &codes[l->section];
        c->lines = rows[l->section];
        c->files = u->files;
        c->n_files = u->n_files;
        c->data_offset = (uint32_t)u->sections[l->section].data.size;
        rows[l->section][c->n_lines++] = (obj_line){
            .code_offset = l->offset, .file = l->file, .line = l->line};
    }
    return codes;
}

void
amd_link_unit(const ir_ctx *c, const amd_unit *made, const amd_target *t, base_buf *out)
{
    arena *a = c->scratch;
    asm_unit *u = made->text;
    base_buf metadata = buf_make(a);
    obj_image image = {.format = &amd_obj_format,
                       .marks = amd_obj_hsa_marks(c->diag, id_of(a, made, t), version_of(made, t)),
                       .n_sections = u->n_sections,
                       .max_dynamics = u->max_relocs};
    image.sections = ARENA_ARRAY(a, u->n_sections + OBJ_LINE_SECTIONS, obj_section);
    asm_list_symbols(u);
    put_metadata(c, made, t, &metadata);
    image.metadata = metadata.data;
    image.metadata_size = metadata.size;
    set_sections(u, &image);
    set_symbols(a, u, &image);
    obj_image_lines *lines = obj_image_add_lines(a, &image, make_lines(a, u));
    obj_image_place(a, &image);
    obj_image_set_lines(lines, &image);
    for (uint32_t i = 0; i < u->n_sections; i++)
        u->sections[i].address = image.sections[i].address;
    asm_resolve(u);
    set_sections(u, &image);
    set_symbols(a, u, &image);
    set_dynamics(a, u, &image);
    obj_image_write(&image, out);
}
