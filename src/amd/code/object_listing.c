/* Prints a whole code object as text.
 *
 * Sections are printed in file order, with their symbols. A reference to a place (a branch, a
 * program-counter-relative address computed by s_getpc_b64 and an addition, a datum that the loader
 * relocates) is printed by name: the place's symbol, or a label made for it. So the text can be
 * edited, and it assembles to an object whose references are right even if its sections move.
 *
 * object_map.h finds references and the places that need labels. Each section is printed once, with
 * cursors over its places, its references and its symbols' ends.
 *
 * Without `as_object`, only the code sections are printed, with the notes' information on kernels.
 * References are then printed in comments, so that each section's text assembles to its bytes.
 */
#include "family/listing.h"

#include "amd/code/code.h"
#include "amd/code/object_map.h"
#include "amd/isa/asm/amdhsa.h"
#include "amd/object/object.h"
#include "object/yaml.h"

#include <string.h>

enum { MIN_FILL = 8, NOP = (int)0xbf800000, CODE_END = (int)0xbf9f0000 };

typedef struct object_listing {
    const ir_ctx *c;
    const obj_file *file;
    bool as_object;
    object_map map;
    family_listing line;
    base_buf *out;
} object_listing;

/* Cursors over lists that are sorted by section and offset. */
typedef struct cursors {
    size_t place, ref, end;
} cursors;

/* The name of a generated label is made from the section's number and the offset in it if the text
 * will be linked again, else from the address. */
static void
print_name(const object_listing *o, const place *p, base_buf *out)
{
    unsigned long long address = o->file->sections[p->section].address + p->offset;
    if (p->symbol)
        buf_puts(out, p->symbol->name);
    else if (o->as_object)
        buf_printf(out, ".L%u_%llx", p->section, (unsigned long long)p->offset);
    else
        buf_printf(out, ".L%llx", address);
}

/* Prints the label at the target of `r` or before it. Returns the distance in bytes from the label
 * to the target. */
static uint64_t
print_target(const object_listing *o, const reference *r, base_buf *out)
{
    const place *p = amd_object_target(&o->map, r);
    print_name(o, p, out);
    return r->to_offset - p->offset;
}

static void
print_visibility(obj_visibility visibility, const char *name, base_buf *out)
{
    static const char *const seen[] = {NULL, "internal", "hidden", "protected"};
    if (seen[visibility])
        buf_printf(out, "\t.%s %s\n", seen[visibility], name);
}

static void
print_attributes(const obj_symbol *s, base_buf *out)
{
    static const char *const kinds[] = {"notype", "object", "function"};
    if (s->binding != OBJ_BIND_LOCAL)
        buf_printf(out, "\t.%s %s\n", s->binding == OBJ_BIND_WEAK ? "weak" : "globl", s->name);
    print_visibility(s->visibility, s->name, out);
    if (s->kind != OBJ_SYMBOL_NONE)
        buf_printf(out, "\t.type %s,@%s\n", s->name, kinds[s->kind]);
}

/* Prints the labels of byte `at`, after the directives that belong to them. */
static void
print_labels(object_listing *o, family_listing *l, uint32_t section, uint64_t at, cursors *c)
{
    for (; c->place < o->map.n_places; c->place++) {
        const place *p = &o->map.places[c->place];
        if (p->section != section || p->offset != at)
            return;
        const obj_code *kernel = l ? amd_object_kernel_at(&o->map, p) : NULL;
        if (p->symbol && l && at && !o->as_object)
            buf_puts(o->out, "\n");
        if (kernel && o->as_object)
            buf_puts(o->out, "\t.p2align 8\n");
        if (kernel) {
            amd_print_notes(kernel, o->out);
            ((amd_reader *)l->reader)->wave64 = kernel->wave_size != 32;
        }
        if (p->symbol && o->as_object)
            print_attributes(p->symbol, o->out);
        print_name(o, p, o->out);
        buf_puts(o->out, ":\n");
    }
}

/* Prints `.size` of the symbols that end at byte `at`, or that ended inside the line printed last.
 */
static void
print_ends(object_listing *o, uint32_t section, uint64_t at, cursors *c)
{
    for (; c->end < o->map.n_ends; c->end++) {
        const obj_symbol *s = o->map.ends[c->end];
        if ((uint32_t)s->section != section || s->value + s->size > at)
            return;
        if (!o->as_object)
            continue;
        if (s->value + s->size == at)
            buf_printf(o->out, "\t.size %s, .-%s\n", s->name, s->name);
        else
            buf_printf(o->out, "\t.size %s, %llu\n", s->name, (unsigned long long)s->size);
    }
}

/* The position of the next label after byte `at`; at most the section's end. */
static uint64_t
next_place(const object_listing *o, uint32_t section, uint64_t at, size_t cursor)
{
    const obj_section *s = &o->file->sections[section];
    while (cursor < o->map.n_places && o->map.places[cursor].section == section &&
           o->map.places[cursor].offset <= at)
        cursor++;
    return cursor < o->map.n_places && o->map.places[cursor].section == section
               ? o->map.places[cursor].offset
               : s->size;
}

/* The section's alignment as a power of two. */
static unsigned
section_power(const obj_section *s)
{
    unsigned power = 0;
    while ((1u << power) < s->align)
        power++;
    return power;
}

/* Prints the fill between functions and returns its end, or `at` if there is none. Fill that an
 * alignment before the next label produces is left to that alignment. */
static size_t
print_fill(object_listing *o, const obj_section *s, size_t at, size_t end)
{
    uint32_t word, other;
    size_t to = at;
    if (end - at < 4)
        return at;
    memcpy(&word, s->data + at, 4);
    if (word != (uint32_t)NOP && word != (uint32_t)CODE_END && word != 0)
        return at;
    for (other = word; other == word; to += 4) {
        if (end - to < 8) {
            to += 4;
            break;
        }
        memcpy(&other, s->data + to + 4, 4);
    }
    if (to - at < MIN_FILL * 4 && (to != end || end == s->size))
        return at;
    unsigned power = section_power(s);
    while (power > 2 && (end % ((size_t)1 << power) || end - at >= (size_t)1 << power))
        power--;
    if (o->as_object && word == (uint32_t)NOP && to == end && end < s->size && power > 2)
        buf_printf(o->out, "\t.p2align %u\n", power);
    else
        buf_printf(o->out, "\t.fill %zu, 4, 0x%08x\n", (to - at) / 4, (unsigned)word);
    return to;
}

/* The next reference at or after byte `at`, or NULL. */
static const reference *
next_reference(const object_listing *o, uint32_t section, uint64_t at, cursors *c)
{
    for (; c->ref < o->map.n_refs; c->ref++) {
        const reference *r = &o->map.refs[c->ref];
        if (r->section > section || (r->section == section && r->offset >= at))
            return r->section == section ? r : NULL;
    }
    return NULL;
}

/* Prints what the instruction at `at` refers to, as an operand or as a comment. */
static family_operand
operand_of(object_listing *o, uint32_t section, size_t at, cursors *c)
{
    static const char *const suffixes[] = {"", "@rel32@lo", "@rel32@hi", ""};
    const reference *r = next_reference(o, section, at, c);
    if (!r || r->offset != at)
        return (family_operand){0};
    base_buf text = buf_make(o->c->arena);
    bool is_operand = r->kind == REF_BRANCH || o->as_object;
    if (!is_operand && r->kind == REF_HIGH)
        return (family_operand){0};
    unsigned long long beyond = print_target(o, r, &text);
    if (o->as_object && r->kind != REF_BRANCH)
        buf_printf(&text, "%s+%llu", suffixes[r->kind], beyond + r->addend);
    else if (beyond)
        buf_printf(&text, "+%llu", beyond);
    buf_put_u8(&text, 0);
    const char *s = (const char *)text.data;
    return is_operand ? (family_operand){.text = s} : (family_operand){.note = s};
}

static void
print_code(object_listing *o, uint32_t section, cursors *c)
{
    family_listing l = amd_object_section_listing(o->file, &o->line, section);
    l.address = o->as_object ? 0 : o->file->sections[section].address;
    for (size_t at = 0; at < l.size;) {
        print_ends(o, section, at, c);
        print_labels(o, &l, section, at, c);
        size_t end = (size_t)next_place(o, section, at, c->place);
        size_t filled = print_fill(o, &o->file->sections[section], at, end);
        at = filled > at ? filled : family_listing_line(&l, at, end, operand_of(o, section, at, c));
    }
    print_ends(o, section, l.size, c);
    print_labels(o, &l, section, l.size, c);
}

/* Prints the kernel's descriptor as directives, if they produce exactly its 64 bytes. LLVM's
 * assembler gives the descriptor's symbol the visibility that the kernel has at that point. */
static bool
print_descriptor(object_listing *o, const obj_code *code, const obj_symbol *symbol)
{
    amd_hsa_target t = {.has_xnack = amd_obj_has_xnack(code->target)};
    amd_hsa_kernel k;
    if (!amd_hsa_parse_target(code->target, strcspn(code->target, ":"), &t) ||
        !amd_hsa_decode(&t, amd_obj_state_of(code)->descriptor, &k))
        return false;
    print_visibility(symbol->visibility, code->name, o->out);
    amd_hsa_print(&t, code->name, &k, o->out);
    return true;
}

/* Prints bytes [at, end), which contain no references, as one line. Returns the offset after it. */
static uint64_t
print_bytes(object_listing *o, const uint8_t *bytes, uint64_t at, uint64_t end)
{
    uint64_t zeros = at;
    while (zeros < end && (!bytes || !bytes[zeros]))
        zeros++;
    if (zeros - at >= 16 || zeros == end) {
        buf_printf(o->out, "\t.zero %llu\n", (unsigned long long)(zeros - at));
        return zeros;
    }
    unsigned size = end - at >= 4 ? 4 : 1, n = 0;
    for (; end - at >= size && n < 4; at += size, n++) {
        uint32_t v = 0;
        for (unsigned i = size; i-- > 0;)
            v = v << 8 | bytes[at + i];
        buf_printf(o->out, "%s0x%0*x",
                   n           ? ", "
                   : size == 4 ? "\t.long "
                               : "\t.byte ",
                   (int)(2 * size), (unsigned)v);
    }
    buf_puts(o->out, "\n");
    return at;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Prints a datum that refers to a place: relative to itself in a kernel descriptor, otherwise
 * relocated by the loader. */
static uint64_t
print_pointer(object_listing *o, uint32_t section, uint64_t at, const reference *r)
{
    buf_puts(o->out, "\t.quad ");
    uint64_t beyond = print_target(o, r, o->out);
    if (beyond)
        buf_printf(o->out, "+%llu", (unsigned long long)beyond);
    if (amd_object_is_descriptor_entry(&o->map, o->file->sections[section].address + at))
        buf_puts(o->out, "-(.-16)");
    buf_puts(o->out, "\n");
    return at + 8;
}

static void
print_data(object_listing *o, uint32_t section, cursors *c)
{
    const obj_section *s = &o->file->sections[section];
    for (uint64_t at = 0; at < s->size;) {
        print_ends(o, section, at, c);
        bool is_place = amd_object_is_place_at(&o->map, c->place, section, at);
        const obj_code *kernel = is_place ? amd_object_descriptor_at(&o->map, c->place) : NULL;
        if (kernel && next_place(o, section, at, c->place) - at >= AMD_HSA_DESCRIPTOR_SIZE &&
            print_descriptor(o, kernel, o->map.places[c->place].symbol)) {
            const char *name = o->map.places[c->place++].symbol->name;
            at += AMD_HSA_DESCRIPTOR_SIZE;
            while (c->end < o->map.n_ends && strcmp(o->map.ends[c->end]->name, name) == 0)
                c->end++;
            continue;
        }
        print_labels(o, NULL, section, at, c);
        const reference *r = next_reference(o, section, at, c);
        uint64_t end = next_place(o, section, at, c->place);
        if (r && r->offset == at && end - at >= 8) {
            at = print_pointer(o, section, at, r);
            continue;
        }
        if (r && r->offset > at)
            end = least(end, r->offset);
        if (c->end < o->map.n_ends && (uint32_t)o->map.ends[c->end]->section == section)
            end = least(end, o->map.ends[c->end]->value + o->map.ends[c->end]->size);
        at = print_bytes(o, s->data, at, end);
    }
    print_ends(o, section, s->size, c);
    print_labels(o, NULL, section, s->size, c);
}

static void
print_section_start(const object_listing *o, const obj_section *s)
{
    buf_printf(o->out, "\t.section %s,\"a%s%s\",@%s\n\t.p2align %u\n", s->name,
               s->is_writable ? "w" : "", s->is_executable ? "x" : "",
               s->is_zero ? "nobits" : "progbits", section_power(s));
}

static void
print_sections(object_listing *o)
{
    const obj_file *f = o->file;
    cursors c = {0};
    for (uint32_t i = 0; i < f->n_sections; i++) {
        const obj_section *s = &f->sections[i];
        while (c.place < o->map.n_places && o->map.places[c.place].section < i)
            c.place++;
        while (c.end < o->map.n_ends && (uint32_t)o->map.ends[c.end]->section < i)
            c.end++;
        if (o->as_object)
            print_section_start(o, s);
        if (s->is_executable && s->data)
            print_code(o, i, &c);
        else if (o->as_object)
            print_data(o, i, &c);
    }
}

static void
print_target_line(const object_listing *o)
{
    uint32_t version = amd_obj_version_of(o->file)->code_object_version;
    buf_printf(o->out, "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n", o->file->target);
    buf_printf(o->out, "\t.amdhsa_code_object_version %u\n", version < 4 ? 4 : version);
}

static void
print_whole(object_listing *o)
{
    const obj_file *f = o->file;
    if (o->as_object)
        print_target_line(o);
    print_sections(o);
    for (uint32_t i = 0; i < f->n_symbols && o->as_object; i++) {
        const obj_symbol *symbol = &f->symbols[i];
        if (symbol->section >= 0 || !amd_object_is_symbol_name(symbol->name))
            continue;
        print_attributes(symbol, o->out);
        buf_printf(o->out, "\t.set %s, 0x%llx\n", symbol->name, (unsigned long long)symbol->value);
    }
    if (!o->as_object)
        return;
    buf_puts(o->out, "\t.amdgpu_metadata\n");
    yaml_write(f->metadata, o->out);
    buf_puts(o->out, "\t.end_amdgpu_metadata\n");
}

void
amd_print_object(const ir_ctx *c, const family_target *t, const obj_file *f, family_text how,
                 base_buf *out)
{
    object_listing o = {.c = c, .file = f, .as_object = how.as_directives, .out = out};
    uint32_t wave_size = f->n_kernels ? f->kernels[0].wave_size : 64;
    if (how.as_directives && f->abi != OBJ_ABI_HSA)
        diag_fail(c->diag, ERR_API_BAD_ARGUMENT, "only objects of the AMDHSA ABI have directives");
    if (f->is_ours && !how.as_directives) {
        family_print_shader(c, t, &f->kernels[0], how, out);
        return;
    }
    o.line = (family_listing){.isa = t->family->isa,
                              .reader = amd_reader_open(c->scratch, t, wave_size),
                              .with_bytes = how.with_bytes,
                              .with_fields = how.with_fields,
                              .out = out};
    o.map = amd_object_map_make(c, f, &o.line, o.as_object);
    print_whole(&o);
}
