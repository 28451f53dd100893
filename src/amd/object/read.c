/* Reads a code object, made by Heddle or by clang and lld. A relocatable one, of clang -c, is
 * linked first.
 *
 * object/read.h reads the file's tables. The note then lists the kernels; symbols and kernel
 * descriptors give their addresses.
 */
#include "object/read.h"

#include "amd/object/format.h"
#include "amd/object/notes.h"
#include "object/elf.h"
#include "object/link.h"

#include <string.h>

/* A target feature in the header's flags: `mask` has two bits (none, any, off, on). Older versions
 * have only the bit `is_on`, if it is not 0. */
static amd_obj_feature
feature(uint32_t flags, uint32_t mask, uint32_t is_on)
{
    uint32_t state = (flags & mask) / (mask & ~(mask << 1));
    if (is_on)
        return flags & is_on ? AMD_OBJ_FEATURE_ON : AMD_OBJ_FEATURE_ANY;
    return state == 3 ? AMD_OBJ_FEATURE_ON : state == 2 ? AMD_OBJ_FEATURE_OFF : AMD_OBJ_FEATURE_ANY;
}

/* Reads what the file's head says: ABI, code object version, target. */
static void
read_marks(elf_reader *r, amd_obj_version *v)
{
    obj_file *f = r->out;
    const obj_marks *m = &r->marks;
    if (m->os_abi != AMD_OBJ_OSABI_HSA && m->os_abi != AMD_OBJ_OSABI_PAL)
        diag_fail(r->d, ERR_OBJECT_BAD_ELF, "neither of the AMDHSA nor of the AMDPAL ABI");
    f->abi = m->os_abi == AMD_OBJ_OSABI_HSA ? OBJ_ABI_HSA : OBJ_ABI_VULKAN;
    if (f->abi == OBJ_ABI_HSA && m->abi_version < AMD_OBJ_ABI_VERSION_HSA_V3)
        diag_fail(r->d, ERR_OBJECT_UNSUPPORTED, "code object version 2");
    const amd_obj_machine *machine = amd_obj_machine_by_number(m->flags & AMD_OBJ_EF_MACH);
    char number[32] = "";
    for (int i = 0; i < 2; i++)
        number[i] = "0123456789abcdef"[m->flags >> (4 - 4 * i) & 15];
    if (!machine)
        diag_fail(r->d, ERR_OBJECT_UNKNOWN_TARGET, number);
    bool one_bit = f->abi == OBJ_ABI_VULKAN || m->abi_version == AMD_OBJ_ABI_VERSION_HSA_V3;
    v->xnack = feature(m->flags, AMD_OBJ_EF_XNACK, one_bit ? AMD_OBJ_EF_XNACK_V3 : 0);
    v->sramecc = feature(m->flags, AMD_OBJ_EF_SRAMECC, one_bit ? AMD_OBJ_EF_SRAMECC_V3 : 0);
    v->code_object_version = m->abi_version + 2u;
    f->target = amd_obj_target_id(
        r->a, &(amd_obj_target){machine, machine->has_xnack ? v->xnack : AMD_OBJ_FEATURE_ANY,
                                machine->has_sramecc ? v->sramecc : AMD_OBJ_FEATURE_ANY});
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

/* The kernel's name if a symbol is that of a kernel descriptor; otherwise NULL. */
static const char *
described_kernel(const elf_reader *r, const elf_symbol *s)
{
    const char *tail = ".kd";
    size_t length = strlen(s->name), cut = strlen(tail);
    bool is = s->section && s->type == ELF_STT_OBJECT && length > cut &&
              strcmp(s->name + length - cut, tail) == 0;
    return is ? arena_printf(r->a, "%.*s", (int)(length - cut), s->name) : NULL;
}

/* Metadata that names the kernels which have descriptors, for an object without any: text without
 * .amdgpu_metadata. Its arguments are not known, only their size. */
static const pack_value *
make_metadata(elf_reader *r)
{
    base_buf b = buf_make(r->a);
    uint32_t kernels = 0;
    for (uint32_t i = 0; i < r->n_symbols; i++)
        kernels += described_kernel(r, &r->symbols[i]) != NULL;
    if (!kernels || r->out->abi != OBJ_ABI_HSA)
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "there is none");
    pack_map(&b, 1);
    pack_text(&b, "amdhsa.kernels");
    pack_array(&b, kernels);
    for (uint32_t i = 0; i < r->n_symbols; i++) {
        const char *name = described_kernel(r, &r->symbols[i]);
        uint64_t left;
        const uint8_t *kd = name ? elf_address_bytes(r, r->symbols[i].value, &left) : NULL;
        if (!name)
            continue;
        pack_map(&b, 3);
        pack_key_text(&b, ".name", name);
        pack_key_text(&b, ".symbol", r->symbols[i].name);
        pack_key_uint(&b, ".kernarg_segment_size",
                      kd && left >= AMD_OBJ_KD_SIZE ? elf_u32(kd + AMD_OBJ_KD_KERNARG_SIZE) : 0);
    }
    return pack_read(r->d, r->a, b.data, b.size);
}

/* Reads the metadata. A linker concatenates the notes of its inputs. */
static const pack_value *
read_metadata(elf_reader *r)
{
    elf_note_place p = {0};
    uint32_t notes = 0;
    const uint8_t *bytes;
    size_t size;
    while (elf_next_note(r, &p, &size))
        notes++;
    if (!notes)
        return make_metadata(r);
    const pack_value **maps = ARENA_ARRAY(r->a, notes, const pack_value *);
    p = (elf_note_place){0};
    for (uint32_t i = 0; (bytes = elf_next_note(r, &p, &size)); i++)
        maps[i] = pack_read(r->d, r->a, bytes, size);
    return join_notes(r->a, maps, notes);
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
read_descriptor(elf_reader *r, amd_obj_kernel k, uint64_t address)
{
    obj_code *c = k.code;
    amd_obj_state *s = k.state;
    uint64_t left;
    const uint8_t *kd = elf_address_bytes(r, address, &left);
    if (!kd || left < AMD_OBJ_KD_SIZE)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its descriptor is in no segment");
    uint32_t properties = elf_u16(kd + AMD_OBJ_KD_PROPERTIES);
    c->lds_bytes = elf_u32(kd + AMD_OBJ_KD_GROUP_SEGMENT_SIZE);
    c->scratch_bytes = elf_u32(kd + AMD_OBJ_KD_PRIVATE_SEGMENT_SIZE);
    s->rsrc[0] = elf_u32(kd + AMD_OBJ_KD_RSRC1);
    s->rsrc[1] = elf_u32(kd + AMD_OBJ_KD_RSRC2);
    s->rsrc[2] = elf_u32(kd + AMD_OBJ_KD_RSRC3);
    c->wave_size = properties & AMD_OBJ_PROPERTY_WAVE32 ? 32 : 64;
    s->dynamic_stack = properties & AMD_OBJ_PROPERTY_DYNAMIC_STACK;
    s->descriptor_address = address;
    s->descriptor = kd;
    amd_obj_user_sgpr *users = ARENA_ARRAY(r->a, 7, amd_obj_user_sgpr);
    s->user_sgprs = users;
    s->n_user_sgprs = 0;
    for (uint32_t bit = 0, sgpr = 0; bit < 7; bit++) {
        amd_obj_user_kind kind = (amd_obj_user_kind)(AMD_OBJ_USER_PRIVATE_SEGMENT_BUFFER +
                                                     (int)bit);
        if (!(properties >> bit & 1))
            continue;
        users[s->n_user_sgprs++] = (amd_obj_user_sgpr){kind, 0, sgpr, amd_obj_hsa_user_sgprs(kind)};
        sgpr += amd_obj_hsa_user_sgprs(kind);
    }
    return address + elf_u64(kd + AMD_OBJ_KD_ENTRY_OFFSET);
}

static void
read_kernel(elf_reader *r, const pack_value *kernel, const pack_value *heddle, amd_obj_kernel k)
{
    amd_obj_read_kernel(r->d, r->a, kernel, heddle, k);
    const char *name = pack_get_text(kernel, ".symbol", "");
    const elf_symbol *s = elf_find_symbol(r, name);
    if (!s)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, k.code->name, "its descriptor has no symbol");
    uint64_t entry = read_descriptor(r, k, s->value);
    elf_set_code(r, k.code, entry, function_size(r, k.code->name, entry));
}

static void
read_pipeline(elf_reader *r, const pack_value *pipeline, const pack_value *heddle, amd_obj_kernel k)
{
    obj_code *c = k.code;
    amd_obj_read_pipeline(r->d, r->a, pipeline, heddle, k);
    const pack_value *stages = pack_get(pipeline, ".hardware_stages");
    const char *name = pack_get_text(pack_get(stages, amd_obj_hardware_stage(c)), ".entry_point",
                                     amd_obj_entry_symbol(c));
    const elf_symbol *s = elf_find_symbol(r, name);
    if (!s)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, c->name, "its code has no symbol");
    elf_set_code(r, c, s->value, s->size);
}

void
amd_obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out)
{
    elf_reader r = {
        .d = d, .a = a, .bytes = bytes, .size = size, .format = &amd_obj_format, .out = out};
    amd_obj_version *version = ARENA_NEW(a, amd_obj_version);
    *out = (obj_file){.own = version};
    elf_read_header(&r);
    if (r.is_relocatable) {
        base_buf linked = buf_make(a);
        elf_link(&r, &linked);
        amd_obj_read(d, a, linked.data, linked.size, out);
        return;
    }
    read_marks(&r, version);
    elf_read_tables(&r);
    obj_section *sections = elf_list_sections(&r);
    const pack_value *metadata = read_metadata(&r), *heddle = pack_get(metadata, ".heddle");
    bool hsa = out->abi == OBJ_ABI_HSA;
    out->is_ours = heddle != NULL;
    out->metadata = metadata;
    const pack_value *list = pack_get(metadata, hsa ? "amdhsa.kernels" : "amdpal.pipelines");
    out->n_kernels = pack_count(list);
    if (heddle && out->n_kernels != 1)
        diag_fail(d, ERR_OBJECT_BAD_METADATA, "a .heddle map beside several kernels");
    obj_code *kernels = ARENA_ARRAY(a, out->n_kernels, obj_code);
    amd_obj_state *states = ARENA_ARRAY(a, out->n_kernels, amd_obj_state);
    out->kernels = kernels;
    for (uint32_t i = 0; i < out->n_kernels; i++) {
        kernels[i].target = out->target;
        kernels[i].abi = out->abi;
        kernels[i].own = &states[i];
        (hsa ? read_kernel : read_pipeline)(&r, pack_at(list, i), heddle,
                                            (amd_obj_kernel){&kernels[i], &states[i]});
    }
    elf_read_lines(&r, kernels, sections);
}
