/* Parses arguments and lays them out. */
#include "kernel_args.h"

#include "families/families.h"

#include <string.h>

/* Limit on the kernarg segment; a larger one means a broken file. */
enum { MAX_KERNARG = 1 << 20 };

static bool
fail(const char **message, const char *what)
{
    *message = what;
    return false;
}

static bool
is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static bool
starts_with(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

/* Parses numbers separated by commas. */
static bool
parse_numbers(arena *a, const char *p, kernel_arg *out, const char **message)
{
    data_spec *s = &out->spec;
    size_t cap = 0;
    out->kind = KERNEL_NUMBERS;
    for (;; p++) {
        s->values = arena_grow(a, s->values, &cap, s->n_values + 1u, sizeof *s->values);
        data_number *n = &s->values[s->n_values++];
        if (!data_number_parse(&p, n, message))
            return false;
        if (n->suffix >= 0 && !out->has_type) {
            out->has_type = true;
            out->type = (data_type)n->suffix;
        }
        if (!*p)
            return true;
        if (*p != ',')
            return fail(message, "separate numbers by ','");
    }
}

static bool
parse_image(arena *a, const char *p, kernel_arg *out, const char **message)
{
    const char *data;
    out->kind = KERNEL_IMAGE;
    return kernel_image_parse(p, &out->image, &data, message) &&
           (!data || data_spec_parse(a, data, false, &out->spec, message));
}

bool
kernel_arg_parse(arena *a, const char *text, kernel_arg *out, const char **message)
{
    const char *p = text;
    *out = (kernel_arg){.text = text};
    while (is_name_char(*p))
        p++;
    if (*p == '+' && p > text) /* a part of the argument */
        p += 1 + strspn(p + 1, "0123456789");
    if (*p == '=' && p > text) {
        out->name = arena_printf(a, "%.*s", (int)(p - text), text);
        p++;
    } else {
        p = text;
    }
    if (starts_with(p, "buf:same=")) {
        out->kind = KERNEL_SAME;
        out->same = p + strlen("buf:same=");
        return true;
    }
    if (starts_with(p, "buf:") || starts_with(p, "data:")) {
        out->kind = *p == 'b' ? KERNEL_BUFFER : KERNEL_DATA;
        return data_spec_parse(a, strchr(p, ':') + 1, false, &out->spec, message);
    }
    if (starts_with(p, "image:"))
        return parse_image(a, p + strlen("image:"), out, message);
    if (starts_with(p, "sampler:")) {
        out->kind = KERNEL_SAMPLER;
        return kernel_sampler_parse(p + strlen("sampler:"), &out->sampler, message);
    }
    if (starts_with(p, "lds:")) {
        out->kind = KERNEL_LDS;
        return data_size_parse(p + 4, p + strlen(p), &out->lds_bytes) ||
               fail(message, "lds: needs a size in bytes");
    }
    const char *colon = strchr(p, ':');
    if (colon) {
        if (!data_type_find(p, (size_t)(colon - p), &out->type))
            return fail(message, "expected buf, data, image, sampler, lds or a type before ':'");
        out->has_type = true;
        p = colon + 1;
    }
    return parse_numbers(a, p, out, message);
}

/* ---- the frame ---- */

typedef struct framer {
    arena *a;
    mach_memory *m;
    bool track;
    const kernel_files *files;
    kernel_frame *out;
    const char **message;
    const char *target;
} framer;

static bool
is_hidden(const obj_arg *arg)
{
    return starts_with(arg->kind, "hidden_");
}

static const char *
slot_name(const framer *f, const kernel_slot *s)
{
    return arena_printf(f->a, "%u%s%.100s", s->number, *s->arg->name ? " " : "", s->arg->name);
}

static bool
fail_slot(const framer *f, const kernel_slot *s, const char *what)
{
    return fail(f->message, arena_printf(f->a, "argument %s (%.60s, %u bytes): %s", slot_name(f, s),
                                         s->arg->kind, s->arg->size, what));
}

/* Makes the bytes of a description, reading its file. */
static bool
make_bytes(const framer *f, const data_spec *s, uint64_t otherwise, uint8_t **bytes, uint64_t *size,
           const char **why)
{
    size_t file_size = 0;
    const void *file = NULL;
    if (s->source == DATA_FILE) {
        file = f->files->read(f->files->user, s->path, &file_size);
        if (!file)
            return fail(why, arena_printf(f->a, "cannot read '%.200s'", s->path));
    }
    return data_spec_make(f->a, s, otherwise, file, file_size, bytes, size, why);
}

static bool
make_buffer(framer *f, kernel_slot *slot)
{
    const data_spec *s = &slot->given->spec;
    const char *why;
    uint8_t *bytes;
    uint64_t size;
    if (!make_bytes(f, s, 0, &bytes, &size, &why))
        return fail_slot(f, slot, why);
    const char *name = *slot->arg->name ? arena_printf(f->a, "buffer %.60s", slot->arg->name)
                                        : arena_printf(f->a, "buffer %u", slot->number);
    slot->buffer = mach_memory_alloc(f->m, MACH_HEAP_LOW, size, 4096, name);
    if (!slot->buffer)
        return fail_slot(f, slot, "there is no memory left for it");
    memcpy(slot->buffer->host, bytes, (size_t)size);
    /* without tracking, storing an undefined value is itself a finding */
    if (f->track && s->source == DATA_UNDEFINED)
        mach_region_track(f->m, slot->buffer, false);
    slot->type = s->type;
    return true;
}

static void
put_address(framer *f, const kernel_slot *slot, uint64_t address)
{
    for (uint32_t i = 0; i < slot->arg->size && i < 8; i++)
        f->out->bytes[slot->arg->offset + i] = (uint8_t)(address >> (8 * i));
}

static data_type
integer_of_size(uint32_t size)
{
    return size == 1 ? DATA_U8 : size == 2 ? DATA_U16 : size == 4 ? DATA_U32 : DATA_U64;
}

/* A single number without a type has the argument's size; a vector of three takes the space of
 * four. */
static bool
put_numbers(framer *f, const kernel_slot *slot)
{
    const kernel_arg *g = slot->given;
    uint32_t size = slot->arg->size, n = g->spec.n_values;
    bool is_power = size == 1 || size == 2 || size == 4 || size == 8;
    data_type type = g->type;
    if (!g->has_type) {
        if (n > 1 || !is_power || (g->spec.values[0].is_float && size == 1))
            return fail_slot(f, slot, "state the numbers' type (f32:1,2)");
        type = g->spec.values[0].is_float ? (size == 2   ? DATA_F16
                                             : size == 4 ? DATA_F32
                                                         : DATA_F64)
                                          : integer_of_size(size);
    }
    uint32_t element = data_type_size(type);
    if ((uint64_t)n * element != size && !(n == 3 && 4 * element == size))
        return fail_slot(f, slot,
                         arena_printf(f->a, "%u %s of %u bytes are given", n, data_type_name(type),
                                      n * element));
    for (uint32_t i = 0; i < n; i++) {
        const char *why;
        if (!data_number_store(&g->spec.values[i], type,
                               f->out->bytes + slot->arg->offset + i * element, &why))
            return fail_slot(f, slot, why);
    }
    return true;
}

static bool
put_data(framer *f, const kernel_slot *slot)
{
    const char *why;
    uint8_t *bytes;
    uint64_t size;
    if (!make_bytes(f, &slot->given->spec, slot->arg->size, &bytes, &size, &why))
        return fail_slot(f, slot, why);
    if (size != slot->arg->size)
        return fail_slot(f, slot,
                         arena_printf(f->a, "%llu bytes are given", (unsigned long long)size));
    memcpy(f->out->bytes + slot->arg->offset, bytes, (size_t)size);
    return true;
}

/* Sets a pointer into the group's memory, after the memory that the kernel declares and that of
 * earlier arguments. */
static bool
put_lds(framer *f, const kernel_slot *slot)
{
    uint64_t at = ((uint64_t)f->out->lds_bytes + 15) / 16 * 16;
    if (slot->given->lds_bytes > 65536 || at + slot->given->lds_bytes > 65536)
        return fail_slot(f, slot, "a group has at most 65536 bytes");
    f->out->lds_bytes = (uint32_t)(at + slot->given->lds_bytes);
    put_address(f, slot, at);
    return true;
}

static bool
put_same(framer *f, kernel_slot *slot)
{
    const kernel_slot *other = kernel_frame_find(f->out, slot->given->same,
                                                 strlen(slot->given->same));
    if (!other || !other->buffer)
        return fail_slot(f, slot, "same= must name an earlier argument with a buffer");
    slot->buffer = other->buffer;
    slot->type = other->type;
    put_address(f, slot, slot->buffer->base);
    return true;
}

/* Finds the kernel's target. Returns false if its emulator has no images. */
static bool
find_target(const framer *f, family_target *out)
{
    return families_find_target(f->target, out) && family_emulator_of(out)->make_image &&
           family_emulator_of(out)->make_sampler;
}

/* Makes an image in the target's layout, with the texels described. */
static bool
put_image(framer *f, kernel_slot *slot)
{
    const data_spec *s = &slot->given->spec;
    mach_image m = slot->given->image;
    uint64_t address, size, want = kernel_image_bytes(&m);
    const char *why;
    uint8_t *bytes;
    family_target target;
    if (!find_target(f, &target))
        return fail_slot(f, slot, "images need a target of the emulator");
    if (want > DATA_MAX_BYTES)
        return fail_slot(f, slot, "the image is too large");
    slot->buffer = target.family->emulator->make_image(&target, f->m, &m, &address);
    if (!slot->buffer)
        return fail_slot(f, slot, "the target has no such image");
    put_address(f, slot, address);
    slot->type = mach_format_get(m.format)->bytes % 4 ? DATA_U8 : DATA_U32;
    if (!s->has_source && !s->has_type)
        return true;
    if (!make_bytes(f, s, want, &bytes, &size, &why))
        return fail_slot(f, slot, why);
    if (size != want)
        return fail_slot(f, slot,
                         arena_printf(f->a, "the texels have %llu bytes, %llu are given",
                                      (unsigned long long)want, (unsigned long long)size));
    kernel_image_fill(&m, bytes);
    return true;
}

static bool
put_sampler(framer *f, kernel_slot *slot)
{
    uint64_t address;
    family_target target;
    if (!find_target(f, &target))
        return fail_slot(f, slot, "samplers need a target of the emulator");
    if (!target.family->emulator->make_sampler(&target, f->m, &slot->given->sampler, &address))
        return fail_slot(f, slot, "there is no memory left for it");
    put_address(f, slot, address);
    return true;
}

/* Metadata distinguishes images and samplers; a plain pointer accepts either. */
static const char *
wrong_kind(const kernel_slot *slot)
{
    kernel_value kind = slot->given->kind;
    if (strcmp(slot->arg->kind, "pipe") == 0 || strcmp(slot->arg->kind, "queue") == 0)
        return "arguments of this kind are not built";
    if (strcmp(slot->arg->kind, "image") == 0 && kind != KERNEL_IMAGE)
        return "image:FORMAT,SIZE is wanted";
    return strcmp(slot->arg->kind, "sampler") == 0 && kind != KERNEL_SAMPLER
               ? "sampler:ITEM,... is wanted"
               : NULL;
}

static bool
put_slot(framer *f, kernel_slot *slot)
{
    bool is_lds = strcmp(slot->arg->kind, "dynamic_shared_pointer") == 0;
    kernel_value kind = slot->given->kind;
    const char *wrong = wrong_kind(slot);
    if (wrong)
        return fail_slot(f, slot, wrong);
    if (is_lds != (kind == KERNEL_LDS))
        return fail_slot(
            f, slot, is_lds ? "expected lds:SIZE" : "this is not a pointer to the group's memory");
    if (kind != KERNEL_NUMBERS && kind != KERNEL_DATA && kind != KERNEL_LDS && slot->arg->size < 8)
        return fail_slot(f, slot, "an address has 8 bytes");
    switch (kind) {
    case KERNEL_NUMBERS: return put_numbers(f, slot);
    case KERNEL_DATA: return put_data(f, slot);
    case KERNEL_LDS: return put_lds(f, slot);
    case KERNEL_SAME: return put_same(f, slot);
    case KERNEL_IMAGE: return put_image(f, slot);
    case KERNEL_SAMPLER: return put_sampler(f, slot);
    case KERNEL_BUFFER:
        if (!make_buffer(f, slot))
            return false;
        put_address(f, slot, slot->buffer->base);
        return true;
    }
    return true;
}

/* The size of a value in bytes if there is no metadata: 8 for addresses, 4 for numbers without a
 * type. */
static uint32_t
own_size(const kernel_arg *g)
{
    if (g->kind == KERNEL_NUMBERS)
        return (g->has_type ? data_type_size(g->type) : 4) *
               (g->spec.n_values == 3 ? 4 : g->spec.n_values);
    if (g->kind == KERNEL_DATA)
        return (uint32_t)(g->spec.has_size ? g->spec.size
                                           : g->spec.n_values * data_type_size(g->spec.type));
    return g->kind == KERNEL_LDS ? 4 : 8;
}

/* What no metadata describes: the kind and the size follow from the value. */
static obj_arg
own_arg(const kernel_arg *g, uint32_t offset, uint32_t size)
{
    const char *kind = g->kind == KERNEL_LDS ? "dynamic_shared_pointer"
                       : size == 8           ? "global_buffer"
                                             : "by_value";
    return (obj_arg){.name = g->name ? g->name : "", .kind = kind, .offset = offset, .size = size};
}

/* For a kernel without metadata (for example from assembly): arguments are laid out in the order
 * given, each aligned to its size. */
static const obj_arg *
own_args(framer *f, const kernel_arg *args, size_t n)
{
    obj_arg *list = ARENA_ARRAY(f->a, n, obj_arg);
    uint32_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t size = own_size(&args[i]), align = size >= 8 || !size ? 8 : size;
        at = (at + align - 1) / align * align;
        list[i] = own_arg(&args[i], at, size);
        at += size;
    }
    return list;
}

/* Lists the arguments that are not hidden, with room for a part for each value given. */
static bool
make_slots(framer *f, const obj_arg *list, size_t n, size_t n_given)
{
    kernel_frame *out = f->out;
    out->slots = ARENA_ARRAY(f->a, n + n_given, kernel_slot);
    for (size_t i = 0; i < n; i++) {
        const obj_arg *arg = &list[i];
        if (is_hidden(arg))
            continue;
        if (arg->offset > MAX_KERNARG || arg->size > MAX_KERNARG)
            return fail(f->message, "the metadata's arguments are too large");
        out->slots[out->n_slots] = (kernel_slot){.arg = arg, .number = out->n_slots};
        out->n_slots++;
        if (arg->offset + arg->size > out->size)
            out->size = arg->offset + arg->size;
    }
    out->bytes = arena_zalloc(f->a, out->size);
    return true;
}

/* Do `part` and another part of its argument share bytes? */
static bool
is_in_another_part(const kernel_frame *out, const kernel_slot *part)
{
    const obj_arg *a = part->arg;
    for (const kernel_slot *s = out->slots; s < part; s++)
        if (s->is_part && a->offset < s->arg->offset + s->arg->size &&
            s->arg->offset < a->offset + a->size)
            return true;
    return false;
}

/* Adds the part of an argument by value that is named ARG+OFFSET: members of a structure, such as
 * the addresses in push constants. */
static bool
add_part(framer *f, const kernel_arg *g)
{
    kernel_frame *out = f->out;
    const char *plus = strchr(g->name, '+');
    kernel_slot *whole = (kernel_slot *)kernel_frame_find(out, g->name, (size_t)(plus - g->name));
    uint64_t at, size = own_size(g);
    if (!whole || !data_size_parse(plus + 1, plus + strlen(plus), &at))
        return fail(f->message,
                    arena_printf(f->a, "--arg %.200s: the kernel has no such argument", g->text));
    if (strcmp(whole->arg->kind, "by_value") != 0 || at > whole->arg->size ||
        size > whole->arg->size - at)
        return fail_slot(f, whole,
                         arena_printf(f->a, "it has no %u bytes at +%llu", (unsigned)size,
                                      (unsigned long long)at));
    obj_arg *arg = ARENA_NEW(f->a, obj_arg);
    *arg = own_arg(g, whole->arg->offset + (uint32_t)at, (uint32_t)size);
    kernel_slot *part = &out->slots[out->n_slots];
    *part = (kernel_slot){.arg = arg, .given = g, .number = whole->number, .is_part = true};
    if ((whole->given && !whole->in_parts) || is_in_another_part(out, part))
        return fail_slot(f, part, "it is given twice");
    whole->given = g;
    whole->in_parts = true;
    out->n_slots++;
    return true;
}

/* The argument that a value is for: the one that it names, else the next one without a value. */
static kernel_slot *
slot_for(framer *f, const kernel_arg *g, uint32_t n_whole)
{
    kernel_frame *out = f->out;
    if (g->name)
        return (kernel_slot *)kernel_frame_find(out, g->name, strlen(g->name));
    for (uint32_t next = 0; next < n_whole; next++)
        if (!out->slots[next].given)
            return &out->slots[next];
    return NULL;
}

/* Matches each --arg to its argument. */
static bool
match(framer *f, const kernel_arg *args, size_t n_args)
{
    kernel_frame *out = f->out;
    uint32_t n_whole = out->n_slots;
    for (size_t i = 0; i < n_args; i++) {
        kernel_slot *slot = slot_for(f, &args[i], n_whole);
        if (!slot && args[i].name && strchr(args[i].name, '+')) {
            if (!add_part(f, &args[i]))
                return false;
            continue;
        }
        if (!slot)
            return fail(f->message,
                        args[i].name
                            ? arena_printf(f->a, "--arg %.200s: the kernel has no such argument",
                                           args[i].text)
                            : arena_printf(f->a, "--arg %.200s: the kernel takes %u arguments",
                                           args[i].text, n_whole));
        if (slot->given)
            return fail_slot(f, slot, "it is given twice");
        slot->given = &args[i];
    }
    for (uint32_t i = 0; i < out->n_slots; i++)
        if (!out->slots[i].given)
            return fail_slot(f, &out->slots[i], "no --arg sets it");
    return true;
}

bool
kernel_frame_make(arena *a, mach_memory *m, const obj_code *kernel, const kernel_arg *args,
                  size_t n_args, bool track, const kernel_files *files, kernel_frame *out,
                  const char **message)
{
    framer f = {a, m, track, files, out, message, kernel->target};
    *out = (kernel_frame){.lds_bytes = kernel->lds_bytes};
    bool has_args = kernel->n_args || !kernel->args_size;
    const obj_arg *list = has_args ? kernel->args : own_args(&f, args, n_args);
    if (!make_slots(&f, list, has_args ? kernel->n_args : n_args, n_args) ||
        !match(&f, args, n_args))
        return false;
    for (uint32_t i = 0; i < out->n_slots; i++)
        if (!out->slots[i].in_parts && !put_slot(&f, &out->slots[i]))
            return false;
    return true;
}

static const kernel_slot *
find_whole(const kernel_frame *f, const char *text, size_t len)
{
    uint32_t number = 0;
    bool is_number = len > 0 && len < 6;
    for (uint32_t i = 0; i < f->n_slots; i++) {
        const char *name = f->slots[i].arg->name;
        if (*name && strlen(name) == len && memcmp(name, text, len) == 0)
            return &f->slots[i];
    }
    for (size_t i = 0; i < len && is_number; i++) {
        is_number = text[i] >= '0' && text[i] <= '9';
        number = number * 10 + (uint32_t)(text[i] - '0');
    }
    return is_number && number < f->n_slots && !f->slots[number].is_part ? &f->slots[number] : NULL;
}

const kernel_slot *
kernel_frame_find(const kernel_frame *f, const char *text, size_t len)
{
    const char *plus = memchr(text, '+', len);
    uint64_t at;
    if (!plus)
        return find_whole(f, text, len);
    const kernel_slot *whole = find_whole(f, text, (size_t)(plus - text));
    if (!whole || !data_size_parse(plus + 1, text + len, &at))
        return NULL;
    for (uint32_t i = 0; i < f->n_slots; i++) {
        const kernel_slot *s = &f->slots[i];
        if (s->is_part && s->number == whole->number && s->arg->offset == whole->arg->offset + at)
            return s;
    }
    return NULL;
}

void
kernel_print_args(const obj_code *kernel, base_buf *out)
{
    const char *between = "";
    for (uint32_t i = 0; i < kernel->n_args; i++) {
        const obj_arg *arg = &kernel->args[i];
        if (is_hidden(arg))
            continue;
        buf_printf(out, "%s%s%s(%s, %u bytes)", between, arg->name, *arg->name ? " " : "",
                   arg->kind, arg->size);
        between = ", ";
    }
    if (!*between && kernel->args_size && !kernel->n_args)
        buf_printf(out, "%u bytes of arguments that are not described", kernel->args_size);
    else if (!*between)
        buf_puts(out, "no arguments");
}
