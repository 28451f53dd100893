/* A whole code object as text.
 *
 * Sections are printed in the file's order, with their symbols. What refers to a place (a branch, a
 * program-counter-relative address that s_getpc_b64 and an addition make, a datum that the loader
 * relocates) names it: by its symbol, or by a label made for it. So the text can be edited, and
 * assembles to an object whose references are right although its sections lie elsewhere.
 *
 *     collect   references of all sections; every place referred to, and every symbol, is a place
 *     print     each section once, with cursors over its places, its references and its symbols' ends
 *
 * Without `as_object` the code sections alone are printed, with what the notes say of kernels, and
 * references stand in comments, for each section's text to assemble to its bytes.
 */
#include "api/listing.h"

#include "amd/isa/amdhsa.h"
#include "base/bitset.h"
#include "object/image.h"
#include "object/yaml.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_FILL = 8, GETPC_REACH = 8, NOP = (int)0xbf800000, CODE_END = (int)0xbf9f0000 };

/* Where a label stands. */
typedef struct place {
    uint32_t section;
    uint64_t offset;
    const obj_symbol *symbol; /* NULL: the label is made for references */
} place;

typedef enum reference_kind { REF_BRANCH, REF_LOW, REF_HIGH, REF_DATA } reference_kind;

/* What stands at `offset` refers to `to_offset` of section `to`. */
typedef struct reference {
    uint32_t section, to;
    uint64_t offset, to_offset;
    reference_kind kind;
    uint32_t addend; /* REF_LOW, REF_HIGH: from the address that s_getpc_b64 gives */
} reference;

typedef struct object_listing {
    api_state *s;
    const obj_file *file;
    bool as_object;
    place *places;
    size_t n_places;
    reference *refs;
    size_t n_refs, cap_refs;
    const obj_symbol **ends; /* symbols with a size, by their end */
    size_t n_ends;
    uint64_t **starts; /* of code sections: bit sets of dwords where instructions begin */
    listing line;
    base_buf *out;
} object_listing;

/* Cursors over what is sorted by section and offset. */
typedef struct cursors {
    size_t place, ref, end;
} cursors;

static bool
find_address(const obj_file *f, uint64_t address, uint32_t *section, uint64_t *offset)
{
    for (int at_end = 0; at_end < 2; at_end++) {
        for (uint32_t i = 0; i < f->n_sections; i++) {
            const obj_section *s = &f->sections[i];
            if (address < s->address || address - s->address >= s->size + (unsigned)at_end)
                continue;
            *section = i;
            *offset = address - s->address;
            return true;
        }
    }
    return false;
}

static void
add_reference(object_listing *o, uint32_t section, uint64_t offset, uint64_t address,
              reference_kind kind, uint32_t addend)
{
    reference r = {.section = section, .offset = offset, .kind = kind, .addend = addend};
    if (!find_address(o->file, address, &r.to, &r.to_offset))
        return;
    o->refs = arena_grow(&o->s->arena, o->refs, &o->cap_refs, o->n_refs + 1, sizeof *o->refs);
    o->refs[o->n_refs++] = r;
}

static listing
section_listing(const object_listing *o, uint32_t index)
{
    listing l = o->line;
    const obj_section *s = &o->file->sections[index];
    l.bytes = s->data;
    l.size = (size_t)s->size;
    l.address = o->as_object ? 0 : s->address;
    l.code = s->source;
    return l;
}

/* An s_getpc_b64 whose address additions are looked for. */
typedef struct pc_address {
    uint32_t reg;        /* the low SGPR */
    uint64_t at, low_at; /* behind s_getpc_b64; the addition to the low half */
    uint32_t low;        /* its literal */
    unsigned age, stage; /* instructions since; 0 none, 1 s_getpc_b64 seen, 2 and the low half */
} pc_address;

static bool
adds_literal(const amd_inst *in, amd_op op, uint32_t reg)
{
    return in->op == op && in->size == 8 && in->dst[0] == reg && in->src[0] == reg &&
           in->src[1] == AMD_SRC_LITERAL;
}

/* Follows the three instructions that make an address; references are added with the last. */
static void
follow_address(object_listing *o, uint32_t section, pc_address *pc, const amd_inst *in, size_t at)
{
    if (in->op == AMD_S_GETPC_B64) {
        *pc = (pc_address){.reg = in->dst[0], .at = at + in->size, .stage = 1};
    } else if (pc->stage == 1 && adds_literal(in, AMD_S_ADD_U32, pc->reg)) {
        pc->low_at = at;
        pc->low = in->literal;
        pc->stage = 2;
    } else if (pc->stage == 2 && adds_literal(in, AMD_S_ADDC_U32, pc->reg + 1)) {
        uint64_t address = o->file->sections[section].address + pc->at +
                           ((uint64_t)in->literal << 32 | pc->low);
        add_reference(o, section, pc->low_at, address, REF_LOW,
                      (uint32_t)(pc->low_at + 4 - pc->at));
        add_reference(o, section, at, address, REF_HIGH, (uint32_t)(at + 4 - pc->at));
        pc->stage = 0;
    } else if (++pc->age > GETPC_REACH) {
        pc->stage = 0;
    }
}

static void
collect_code(object_listing *o, uint32_t section)
{
    listing l = section_listing(o, section);
    pc_address pc = {0};
    amd_inst in;
    o->starts[section] = ARENA_ARRAY(&o->s->arena, BITSET_WORDS(l.size / 4 + 1), uint64_t);
    for (size_t at = 0; at < l.size;) {
        bool ok = listing_decode(&l, at, &in);
        size_t to = ok ? listing_branch_target(&l, &in, at) : SIZE_MAX;
        bitset_add(o->starts[section], at / 4);
        if (to != SIZE_MAX)
            add_reference(o, section, at, o->file->sections[section].address + to, REF_BRANCH, 0);
        if (ok)
            follow_address(o, section, &pc, &in, at);
        else
            pc.stage = 0;
        at += ok ? in.size : 4;
    }
    if (l.size % 4 == 0)
        bitset_add(o->starts[section], l.size / 4);
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

/* Does the assembler read `name` as a symbol's? */
static bool
is_symbol_name(const char *name)
{
    bool ok = (*name < '0' || *name > '9') && strlen(name) < 4096;
    for (; *name && ok; name++)
        ok = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
             (*name >= '0' && *name <= '9') || *name == '_' || *name == '.' || *name == '$';
    return ok;
}

/* A label can stand at a place of code only where an instruction begins. */
static bool
can_be_referred_to(const object_listing *o, uint32_t section, uint64_t offset)
{
    const uint64_t *starts = o->starts[section];
    return !starts || (offset % 4 == 0 && bitset_has(starts, (uint32_t)(offset / 4)));
}

/* Can `p` be referred to by the label `by`: as the same place, or as one inside its data? */
static bool
names_place(const object_listing *o, const place *by, const place *p)
{
    if (by->section != p->section || by->offset == p->offset)
        return by->section == p->section;
    return !o->starts[p->section] && by->symbol && by->offset < p->offset &&
           p->offset - by->offset < by->symbol->size;
}

static void
list_places(object_listing *o)
{
    const obj_file *f = o->file;
    size_t kept = 0, named = 0;
    o->places = ARENA_ARRAY(&o->s->arena, f->n_symbols + o->n_refs, place);
    o->ends = ARENA_ARRAY(&o->s->arena, f->n_symbols, const obj_symbol *);
    for (uint32_t i = 0; i < f->n_symbols; i++) {
        const obj_symbol *s = &f->symbols[i];
        if (s->section < 0 || !is_symbol_name(s->name))
            continue;
        o->places[o->n_places++] = (place){(uint32_t)s->section, s->value, s};
        if (s->size)
            o->ends[o->n_ends++] = s;
    }
    for (size_t i = 0; i < o->n_refs; i++)
        o->places[o->n_places++] = (place){o->refs[i].to, o->refs[i].to_offset, NULL};
    qsort(o->places, o->n_places, sizeof *o->places, compare_places);
    if (o->n_refs)
        qsort(o->refs, o->n_refs, sizeof *o->refs, compare_references);
    qsort(o->ends, o->n_ends, sizeof *o->ends, compare_ends);
    for (size_t i = 0; i < o->n_places; i++) { /* one made label, where no symbol will do */
        const place *p = &o->places[i];
        if (!p->symbol && kept && names_place(o, &o->places[named], p))
            continue;
        if (!kept || o->places[named].section != p->section || o->places[named].offset != p->offset)
            named = kept;
        o->places[kept++] = *p;
    }
    o->n_places = kept;
}

/* References to where no label can stand are printed as numbers. */
static void
drop_references(object_listing *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < o->n_refs; i++)
        if (can_be_referred_to(o, o->refs[i].to, o->refs[i].to_offset))
            o->refs[kept++] = o->refs[i];
    o->n_refs = kept;
}

static void
collect(object_listing *o)
{
    const obj_file *f = o->file;
    o->starts = ARENA_ARRAY(&o->s->arena, f->n_sections, uint64_t *);
    for (uint32_t i = 0; i < f->n_sections; i++)
        if (f->sections[i].is_executable && f->sections[i].data)
            collect_code(o, i);
    for (uint32_t i = 0; i < f->n_relocs && o->as_object; i++) {
        const obj_reloc *r = &f->relocs[i];
        uint32_t section;
        uint64_t offset;
        if (r->size != 8 || !r->is_relative)
            diag_fail(&o->s->diag, ERR_OBJECT_UNSUPPORTED,
                      "a relocation that is not of 64 bits has no directive");
        if (find_address(f, r->address, &section, &offset))
            add_reference(o, section, offset, r->addend, REF_DATA, 0);
    }
    for (uint32_t i = 0; i < f->n_kernels && o->as_object; i++) {
        uint32_t section;
        uint64_t offset;
        if (find_address(f, f->kernels[i].descriptor_address + 16, &section, &offset))
            add_reference(o, section, offset, f->kernels[i].entry_address, REF_DATA, 0);
    }
    drop_references(o);
    list_places(o);
}

/* Labels that are made have the section's number and the offset in it where the text will be linked
 * anew, else the address. */
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

/* Prints the label that stands where `r` goes, or before it; gives how many bytes before. */
static uint64_t
print_target(const object_listing *o, const reference *r, base_buf *out)
{
    size_t low = 0, high = o->n_places;
    while (low < high) { /* the first that is not before it */
        size_t middle = low + (high - low) / 2;
        const place *p = &o->places[middle];
        int order = compare_u64(p->section, r->to);
        order = order ? order : compare_u64(p->offset, r->to_offset);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const place *p = &o->places[low];
    if (low == o->n_places || p->section != r->to || p->offset != r->to_offset) {
        p--;
        while (p > o->places && p[-1].section == p->section && p[-1].offset == p->offset)
            p--;
    }
    print_name(o, p, out);
    return r->to_offset - p->offset;
}

static const obj_code *
kernel_at(const object_listing *o, const place *p)
{
    for (uint32_t i = 0; p->symbol && i < o->file->n_kernels; i++) {
        const obj_code *k = &o->file->kernels[i];
        if (k->entry_address == o->file->sections[p->section].address + p->offset &&
            p->symbol->kind == OBJ_SYMBOL_FUNCTION)
            return k;
    }
    return NULL;
}

static void
print_attributes(const obj_symbol *s, base_buf *out)
{
    static const char *const kinds[] = {"notype", "object", "function"};
    static const char *const seen[] = {NULL, "internal", "hidden", "protected"};
    if (s->binding != OBJ_BIND_LOCAL)
        buf_printf(out, "\t.%s %s\n", s->binding == OBJ_BIND_WEAK ? "weak" : "globl", s->name);
    if (seen[s->visibility])
        buf_printf(out, "\t.%s %s\n", seen[s->visibility], s->name);
    if (s->kind != OBJ_SYMBOL_NONE)
        buf_printf(out, "\t.type %s,@%s\n", s->name, kinds[s->kind]);
}

/* The labels of byte `at`, below what belongs to them. */
static void
print_labels(object_listing *o, listing *l, uint32_t section, uint64_t at, cursors *c)
{
    for (; c->place < o->n_places; c->place++) {
        const place *p = &o->places[c->place];
        if (p->section != section || p->offset != at)
            return;
        const obj_code *kernel = l ? kernel_at(o, p) : NULL;
        if (p->symbol && l && at && !o->as_object)
            buf_puts(o->out, "\n");
        if (kernel && o->as_object)
            buf_puts(o->out, "\t.p2align 8\n");
        if (kernel) {
            listing_head(kernel, o->out);
            l->wave64 = kernel->wave_size != 32;
        }
        if (p->symbol && o->as_object)
            print_attributes(p->symbol, o->out);
        print_name(o, p, o->out);
        buf_puts(o->out, ":\n");
    }
}

/* `.size` of the symbols that end at byte `at`, or ended inside of what was printed last. */
static void
print_ends(object_listing *o, uint32_t section, uint64_t at, cursors *c)
{
    for (; c->end < o->n_ends; c->end++) {
        const obj_symbol *s = o->ends[c->end];
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

/* Where the next label stands behind byte `at`; at most the section's end. */
static uint64_t
next_place(const object_listing *o, uint32_t section, uint64_t at, size_t cursor)
{
    const obj_section *s = &o->file->sections[section];
    while (cursor < o->n_places && o->places[cursor].section == section &&
           o->places[cursor].offset <= at)
        cursor++;
    return cursor < o->n_places && o->places[cursor].section == section ? o->places[cursor].offset
                                                                        : s->size;
}

/* The power of two that a section is aligned to. */
static unsigned
section_power(const obj_section *s)
{
    unsigned power = 0;
    while ((1u << power) < s->align)
        power++;
    return power;
}

/* Prints what fills up code between functions, and gives where it ends; `at` if there is none. What
 * an alignment in front of the next label explains is left to that. */
static size_t
print_fill(object_listing *o, const obj_section *s, size_t at, size_t end)
{
    uint32_t word, other;
    size_t to = at;
    if (end - at < 4)
        return at;
    memcpy(&word, s->data + at, 4);
    for (other = word; other == word; to += 4) {
        if (end - to < 8) {
            to += 4;
            break;
        }
        memcpy(&other, s->data + to + 4, 4);
    }
    bool is_fill = word == (uint32_t)NOP || word == (uint32_t)CODE_END || word == 0;
    if (!is_fill || (to - at < MIN_FILL * 4 && (to != end || end == s->size)))
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

/* What the instruction at `at` refers to, as an operand or as a comment. */
static listing_operand
operand_of(object_listing *o, uint32_t section, size_t at, cursors *c)
{
    static const char *const suffixes[] = {"", "@rel32@lo", "@rel32@hi", ""};
    while (c->ref < o->n_refs &&
           compare_references(&o->refs[c->ref], &(reference){.section = section, .offset = at}) < 0)
        c->ref++;
    const reference *r = &o->refs[c->ref];
    if (c->ref >= o->n_refs || r->section != section || r->offset != at)
        return (listing_operand){0};
    base_buf text = buf_make(&o->s->arena);
    bool is_operand = r->kind == REF_BRANCH || o->as_object;
    if (!is_operand && r->kind == REF_HIGH)
        return (listing_operand){0};
    unsigned long long beyond = print_target(o, r, &text);
    if (o->as_object && r->kind != REF_BRANCH)
        buf_printf(&text, "%s+%llu", suffixes[r->kind], beyond + r->addend);
    else if (beyond)
        buf_printf(&text, "+%llu", beyond);
    buf_put_u8(&text, 0);
    const char *s = (const char *)text.data;
    return is_operand ? (listing_operand){.text = s} : (listing_operand){.note = s};
}

static void
print_code(object_listing *o, uint32_t section, cursors *c)
{
    listing l = section_listing(o, section);
    for (size_t at = 0; at < l.size;) {
        print_ends(o, section, at, c);
        print_labels(o, &l, section, at, c);
        size_t end = (size_t)next_place(o, section, at, c->place);
        size_t filled = print_fill(o, &o->file->sections[section], at, end);
        at = filled > at ? filled : listing_line(&l, at, end, operand_of(o, section, at, c));
    }
    print_ends(o, section, l.size, c);
    print_labels(o, &l, section, l.size, c);
}

/* The kernel's descriptor as directives, if they make just its 64 bytes. */
static bool
print_descriptor(object_listing *o, const obj_code *code)
{
    amd_hsa_target t = {.has_xnack = obj_target_has_xnack(code->target) &&
                                     o->file->xnack != OBJ_FEATURE_OFF};
    amd_hsa_kernel k;
    if (!amd_hsa_parse_target(code->target, strlen(code->target), &t) ||
        !amd_hsa_decode(&t, code->descriptor, &k))
        return false;
    amd_hsa_print(&t, code->name, &k, o->out);
    return true;
}

/* The kernel whose descriptor's symbol, `NAME.kd`, is the label at byte `at`; the code has the
 * symbol NAME. */
static const obj_code *
descriptor_at(const object_listing *o, uint32_t section, uint64_t at, const cursors *c)
{
    const obj_section *s = &o->file->sections[section];
    const place *p = c->place < o->n_places ? &o->places[c->place] : NULL;
    for (uint32_t i = 0; p && p->section == section && p->offset == at && i < o->file->n_kernels;
         i++) {
        const obj_code *k = &o->file->kernels[i];
        size_t length = strlen(k->name);
        if (k->descriptor_address != s->address + at || s->size - at < AMD_HSA_DESCRIPTOR_SIZE ||
            !p->symbol || strncmp(p->symbol->name, k->name, length) != 0 ||
            strcmp(p->symbol->name + length, ".kd") != 0)
            continue;
        for (size_t n = 0; n < o->n_places; n++)
            if (kernel_at(o, &o->places[n]) == k && strcmp(o->places[n].symbol->name, k->name) == 0)
                return k;
    }
    return NULL;
}

/* Bytes [at, end) that refer to nothing, a line of them; gives what follows. */
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

/* A datum that refers to a place: relative to itself in a kernel descriptor, else the loader's. */
static uint64_t
print_pointer(object_listing *o, uint32_t section, uint64_t at, const reference *r)
{
    buf_puts(o->out, "\t.quad ");
    uint64_t beyond = print_target(o, r, o->out);
    if (beyond)
        buf_printf(o->out, "+%llu", (unsigned long long)beyond);
    uint64_t address = o->file->sections[section].address + at;
    for (uint32_t i = 0; i < o->file->n_kernels; i++)
        if (o->file->kernels[i].descriptor_address + 16 == address)
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
        const obj_code *kernel = descriptor_at(o, section, at, c);
        if (kernel && next_place(o, section, at, c->place) - at >= AMD_HSA_DESCRIPTOR_SIZE &&
            print_descriptor(o, kernel)) {
            const char *name = o->places[c->place++].symbol->name;
            at += AMD_HSA_DESCRIPTOR_SIZE;
            while (c->end < o->n_ends && strcmp(o->ends[c->end]->name, name) == 0)
                c->end++;
            continue;
        }
        print_labels(o, NULL, section, at, c);
        while (c->ref < o->n_refs &&
               compare_references(&o->refs[c->ref],
                                  &(reference){.section = section, .offset = at}) < 0)
            c->ref++;
        const reference *r = c->ref < o->n_refs ? &o->refs[c->ref] : NULL;
        uint64_t end = next_place(o, section, at, c->place);
        if (r && r->section == section && r->offset == at && end - at >= 8) {
            at = print_pointer(o, section, at, r);
            continue;
        }
        if (r && r->section == section && r->offset > at)
            end = least(end, r->offset);
        if (c->end < o->n_ends && (uint32_t)o->ends[c->end]->section == section)
            end = least(end, o->ends[c->end]->value + o->ends[c->end]->size);
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
        while (c.place < o->n_places && o->places[c.place].section < i)
            c.place++;
        while (c.end < o->n_ends && (uint32_t)o->ends[c.end]->section < i)
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
    static const char *const states[] = {"", "-", "+"};
    const obj_file *f = o->file;
    buf_printf(o->out, "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s", f->target);
    if (f->sramecc != OBJ_FEATURE_ANY)
        buf_printf(o->out, ":sramecc%s", states[f->sramecc]);
    if (f->xnack != OBJ_FEATURE_ANY)
        buf_printf(o->out, ":xnack%s", states[f->xnack]);
    buf_printf(o->out, "\"\n\t.amdhsa_code_object_version %u\n",
               f->code_object_version < 4 ? 4 : f->code_object_version);
}

void
api_print_object(api_state *s, const obj_file *f, bool with_fields, bool as_object, base_buf *out)
{
    const heddle_asm_options options = {.target = f->target};
    object_listing o = {.s = s, .file = f, .as_object = as_object, .out = out};
    bool wave64 = !f->n_kernels || f->kernels[0].wave_size != 32;
    o.line = (listing){.target = api_find_target(s, &options), .wave64 = wave64, .out = out};
    o.line.with_bytes = true;
    o.line.with_fields = with_fields;
    o.line.check = amd_line_check_new(&s->scratch, o.line.target->gen, wave64);
    collect(&o);
    if (as_object)
        print_target_line(&o);
    print_sections(&o);
    for (uint32_t i = 0; i < f->n_symbols && as_object; i++) {
        const obj_symbol *symbol = &f->symbols[i];
        if (symbol->section >= 0 || !is_symbol_name(symbol->name))
            continue;
        print_attributes(symbol, out);
        buf_printf(out, "\t.set %s, 0x%llx\n", symbol->name, (unsigned long long)symbol->value);
    }
    if (!as_object)
        return;
    buf_puts(out, "\t.amdgpu_metadata\n");
    yaml_write(f->metadata, out);
    buf_puts(out, "\t.end_amdgpu_metadata\n");
}
