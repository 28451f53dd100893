/* Finds references, and the places that need labels.
 *
 * Code is decoded once. s_getpc_b64 and the two additions after it are tracked by their registers.
 * Everything is sorted once and then searched, so that time depends on a file's size and not on its
 * structure.
 */
#include "amd/code/object_map.h"

#include "amd/isa/asm/amdhsa.h"
#include "amd/object/object.h"
#include "base/bitset.h"

#include <stdlib.h>
#include <string.h>

enum {
    GETPC_REACH = 8,   /* instructions between s_getpc_b64 and the addition to the high half */
    ENTRY_OFFSET = 16, /* position in a kernel descriptor of the code's relative address */
};

static void
add_reference(object_map *m, reference r)
{
    m->refs = arena_grow(m->c->arena, m->refs, &m->cap_refs, m->n_refs + 1, sizeof *m->refs);
    m->refs[m->n_refs++] = r;
}

/* Records that the data at `r.offset` refers to `address`, if that is in a section. */
static void
add_address(object_map *m, reference r, uint64_t address)
{
    const obj_section *to = obj_find_section(m->file, address);
    if (!to)
        return;
    r.to = (uint32_t)(to - m->file->sections);
    r.to_offset = address - to->address;
    add_reference(m, r);
}

/* Records that the datum at loaded address `at` refers to `address`. */
static void
add_pointer(object_map *m, uint64_t at, uint64_t address)
{
    const obj_section *in = obj_find_section(m->file, at);
    if (!in)
        return;
    reference r = {.section = (uint32_t)(in - m->file->sections), .kind = REF_DATA};
    r.offset = at - in->address;
    add_address(m, r, address);
}

family_listing
amd_object_section_listing(const obj_file *file, const family_listing *line, uint32_t section)
{
    const obj_section *s = &file->sections[section];
    family_listing l = *line;
    l.bytes = s->data;
    l.size = (size_t)s->size;
    l.code = s->source;
    return l;
}

/* An s_getpc_b64 whose address additions have not all been found yet. */
typedef struct pc_address {
    uint32_t reg;        /* the low SGPR */
    uint64_t at, low_at; /* the address after s_getpc_b64; the addition to the low half */
    uint32_t low;        /* its literal */
    /* instructions since then; 0 none, 1 s_getpc_b64 seen, 2 also the low half */
    unsigned age, stage;
} pc_address;

static bool
adds_literal(const amd_inst *in, amd_op op, uint32_t reg)
{
    return in->op == op && in->size == 8 && in->dst[0] == reg && in->src[0] == reg &&
           in->src[1] == AMD_SRC_LITERAL;
}

/* Tracks the three instructions that compute an address; the last one adds the references. */
static void
follow_address(object_map *m, uint32_t section, pc_address *pc, const amd_inst *in, size_t at)
{
    if (in->op == AMD_S_GETPC_B64) {
        *pc = (pc_address){.reg = in->dst[0], .at = at + in->size, .stage = 1};
    } else if (pc->stage == 1 && adds_literal(in, AMD_S_ADD_U32, pc->reg)) {
        pc->low_at = at;
        pc->low = in->literal;
        pc->stage = 2;
    } else if (pc->stage == 2 && adds_literal(in, AMD_S_ADDC_U32, pc->reg + 1)) {
        uint64_t address = m->file->sections[section].address + pc->at +
                           ((uint64_t)in->literal << 32 | pc->low);
        reference low = {section, 0, pc->low_at, 0, REF_LOW, (uint32_t)(pc->low_at + 4 - pc->at)};
        reference high = {section, 0, at, 0, REF_HIGH, (uint32_t)(at + 4 - pc->at)};
        add_address(m, low, address);
        add_address(m, high, address);
        pc->stage = 0;
    } else if (++pc->age > GETPC_REACH) {
        pc->stage = 0;
    }
}

static void
collect_code(object_map *m, const family_listing *line, uint32_t section)
{
    family_listing l = amd_object_section_listing(m->file, line, section);
    const amd_reader *reader = l.reader;
    pc_address pc = {0};
    family_inst in;
    m->starts[section] = ARENA_ARRAY(m->c->arena, BITSET_WORDS(l.size / 4 + 1), uint64_t);
    for (size_t at = 0; at < l.size;) {
        bool ok = family_listing_decode(&l, at, &in);
        size_t to = ok ? family_listing_target(&l, &in, at) : SIZE_MAX;
        bitset_add(m->starts[section], at / 4);
        if (to != SIZE_MAX)
            add_reference(m, (reference){section, section, at, to, REF_BRANCH, 0});
        if (ok)
            follow_address(m, section, &pc, &reader->inst, at);
        else
            pc.stage = 0;
        at += ok ? in.size : 4;
    }
    if (l.size % 4 == 0)
        bitset_add(m->starts[section], l.size / 4);
}

static int
compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int
compare_places(const void *pa, const void *pb)
{
    const place *a = pa, *b = pb;
    int order = compare_u64(a->section, b->section);
    order = order ? order : compare_u64(a->offset, b->offset);
    order = order ? order : (a->symbol == NULL) - (b->symbol == NULL);
    return order || !a->symbol ? order : (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

static int
compare_references(const void *pa, const void *pb)
{
    const reference *a = pa, *b = pb;
    int order = compare_u64(a->section, b->section);
    return order ? order : compare_u64(a->offset, b->offset);
}

static int
compare_ends(const void *pa, const void *pb)
{
    const obj_symbol *a = *(const obj_symbol *const *)pa, *b = *(const obj_symbol *const *)pb;
    int order = compare_u64((uint64_t)a->section, (uint64_t)b->section);
    return order ? order : compare_u64(a->value + a->size, b->value + b->size);
}

static int
compare_kernels(const void *pa, const void *pb)
{
    const addressed_kernel *a = pa, *b = pb;
    int order = compare_u64(a->address, b->address);
    return order ? order : (a->kernel > b->kernel) - (a->kernel < b->kernel);
}

static void
sort_kernels(object_map *m)
{
    uint32_t n = m->file->n_kernels;
    m->entries = ARENA_ARRAY(m->c->arena, n, addressed_kernel);
    m->descriptors = ARENA_ARRAY(m->c->arena, n, addressed_kernel);
    for (uint32_t i = 0; i < n; i++) {
        const obj_code *k = &m->file->kernels[i];
        m->entries[i] = (addressed_kernel){k->entry_address, k};
        m->descriptors[i] = (addressed_kernel){amd_obj_state_of(k)->descriptor_address, k};
    }
    if (!n)
        return;
    qsort(m->entries, n, sizeof *m->entries, compare_kernels);
    qsort(m->descriptors, n, sizeof *m->descriptors, compare_kernels);
}

/* The first entry of a sorted list that is not before `address`, or the list's end. */
static const addressed_kernel *
first_kernel(const object_map *m, const addressed_kernel *list, uint64_t address)
{
    size_t low = 0, high = m->file->n_kernels;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return &list[low];
}

/* Returns true if it is in the list and has `address`. */
static bool
is_kernel_at(const object_map *m, const addressed_kernel *list, const addressed_kernel *k,
             uint64_t address)
{
    return k < list + m->file->n_kernels && k->address == address;
}

bool
amd_object_is_symbol_name(const char *name)
{
    bool ok = (*name < '0' || *name > '9') && strlen(name) < 4096;
    for (; *name && ok; name++)
        ok = asm_is_symbol_char(*name);
    return ok;
}

/* Returns true if a label is possible there: in code, only at the start of an instruction. */
static bool
can_be_referred_to(const object_map *m, uint32_t section, uint64_t offset)
{
    const uint64_t *starts = m->starts[section];
    return !starts || (offset % 4 == 0 && bitset_has(starts, (uint32_t)(offset / 4)));
}

/* Returns true if the label `by` can express `p`: as the same place, or as one inside its data. */
static bool
names_place(const object_map *m, const place *by, const place *p)
{
    if (by->section != p->section || by->offset == p->offset)
        return by->section == p->section;
    return !m->starts[p->section] && by->symbol && by->offset < p->offset &&
           p->offset - by->offset < by->symbol->size;
}

static void
list_places(object_map *m)
{
    const obj_file *f = m->file;
    size_t kept = 0, named = 0;
    m->places = ARENA_ARRAY(m->c->arena, f->n_symbols + m->n_refs, place);
    m->ends = ARENA_ARRAY(m->c->arena, f->n_symbols, const obj_symbol *);
    for (uint32_t i = 0; i < f->n_symbols; i++) {
        const obj_symbol *s = &f->symbols[i];
        if (s->section < 0 || !amd_object_is_symbol_name(s->name))
            continue;
        m->places[m->n_places++] = (place){(uint32_t)s->section, s->value, s};
        if (s->size)
            m->ends[m->n_ends++] = s;
    }
    for (size_t i = 0; i < m->n_refs; i++)
        m->places[m->n_places++] = (place){m->refs[i].to, m->refs[i].to_offset, NULL};
    qsort(m->places, m->n_places, sizeof *m->places, compare_places);
    if (m->n_refs)
        qsort(m->refs, m->n_refs, sizeof *m->refs, compare_references);
    qsort(m->ends, m->n_ends, sizeof *m->ends, compare_ends);
    /* one generated label for each place that no symbol can express */
    for (size_t i = 0; i < m->n_places; i++) {
        const place *p = &m->places[i];
        if (!p->symbol && kept && names_place(m, &m->places[named], p))
            continue;
        if (!kept || m->places[named].section != p->section || m->places[named].offset != p->offset)
            named = kept;
        m->places[kept++] = *p;
    }
    m->n_places = kept;
}

/* Drops references to places that cannot have a label; they are printed as numbers. */
static void
drop_references(object_map *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->n_refs; i++)
        if (can_be_referred_to(m, m->refs[i].to, m->refs[i].to_offset))
            m->refs[kept++] = m->refs[i];
    m->n_refs = kept;
}

static void
collect_data(object_map *m)
{
    const obj_file *f = m->file;
    for (uint32_t i = 0; i < f->n_relocs; i++) {
        const obj_reloc *r = &f->relocs[i];
        if (r->size != 8 || !r->is_relative)
            diag_fail(m->c->diag, ERR_OBJECT_UNSUPPORTED,
                      "a relocation that is not of 64 bits has no directive");
        add_pointer(m, r->address, r->addend);
    }
    for (uint32_t i = 0; i < f->n_kernels; i++)
        add_pointer(m, amd_obj_state_of(&f->kernels[i])->descriptor_address + ENTRY_OFFSET,
                    f->kernels[i].entry_address);
}

object_map
amd_object_map_make(const ir_ctx *c, const obj_file *file, const family_listing *line,
                    bool with_data)
{
    object_map m = {.c = c, .file = file};
    m.starts = ARENA_ARRAY(c->arena, file->n_sections, uint64_t *);
    for (uint32_t i = 0; i < file->n_sections; i++)
        if (file->sections[i].is_executable && file->sections[i].data)
            collect_code(&m, line, i);
    if (with_data)
        collect_data(&m);
    sort_kernels(&m);
    drop_references(&m);
    list_places(&m);
    return m;
}

/* The first place at or after byte `offset` of the section. */
static size_t
first_place(const object_map *m, uint32_t section, uint64_t offset)
{
    size_t low = 0, high = m->n_places;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const place *p = &m->places[middle];
        if (p->section < section || (p->section == section && p->offset < offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool
amd_object_is_place_at(const object_map *m, size_t index, uint32_t section, uint64_t offset)
{
    return index < m->n_places && m->places[index].section == section &&
           m->places[index].offset == offset;
}

const place *
amd_object_target(const object_map *m, const reference *r)
{
    size_t i = first_place(m, r->to, r->to_offset);
    if (!amd_object_is_place_at(m, i, r->to, r->to_offset))
        i = first_place(m, r->to, m->places[i - 1].offset);
    return &m->places[i];
}

const obj_code *
amd_object_kernel_at(const object_map *m, const place *p)
{
    uint64_t address = m->file->sections[p->section].address + p->offset;
    const addressed_kernel *k = first_kernel(m, m->entries, address);
    bool is_function = p->symbol && p->symbol->kind == OBJ_SYMBOL_FUNCTION;
    return is_function && is_kernel_at(m, m->entries, k, address) ? k->kernel : NULL;
}

/* Returns true if a function symbol `name` is at the start of the kernel's code. */
static bool
has_entry(const object_map *m, const obj_code *kernel)
{
    const obj_section *in = obj_find_section(m->file, kernel->entry_address);
    if (!in)
        return false;
    uint32_t section = (uint32_t)(in - m->file->sections);
    uint64_t offset = kernel->entry_address - in->address;
    for (size_t i = first_place(m, section, offset); amd_object_is_place_at(m, i, section, offset);
         i++) {
        const obj_symbol *s = m->places[i].symbol;
        if (s && s->kind == OBJ_SYMBOL_FUNCTION && strcmp(s->name, kernel->name) == 0)
            return true;
    }
    return false;
}

const obj_code *
amd_object_descriptor_at(const object_map *m, size_t index)
{
    const place *p = &m->places[index];
    const obj_section *s = &m->file->sections[p->section];
    uint64_t address = s->address + p->offset;
    if (!p->symbol || s->size - p->offset < AMD_HSA_DESCRIPTOR_SIZE ||
        amd_object_is_place_at(m, index + 1, p->section, p->offset))
        return NULL;
    const addressed_kernel *k = first_kernel(m, m->descriptors, address);
    for (; is_kernel_at(m, m->descriptors, k, address); k++) {
        size_t length = strlen(k->kernel->name);
        if (strncmp(p->symbol->name, k->kernel->name, length) == 0 &&
            strcmp(p->symbol->name + length, ".kd") == 0)
            return has_entry(m, k->kernel) ? k->kernel : NULL;
    }
    return NULL;
}

bool
amd_object_is_descriptor_entry(const object_map *m, uint64_t address)
{
    address -= ENTRY_OFFSET;
    return is_kernel_at(m, m->descriptors, first_kernel(m, m->descriptors, address), address);
}
