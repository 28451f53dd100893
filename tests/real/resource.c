/* Makes buffers, images, samplers and bindings from declarations. */
#include "maker.h"

#include "machine/image.h"

enum {
    MIN_ELEMENTS = 64, /* of a runtime array */
    MAX_ELEMENTS = 4096,
    MAX_DESCRIPTORS = 16, /* bound elements of a descriptor array; the others stay empty */
    TEXELS = 1024,        /* of a texel buffer */
    LEVELS = 4,           /* of a sampled image */
    DRAWN_LEVELS = 5,     /* the same in a case that draws */
    LAYERS = 5,           /* of an array */
    CUBES = 2,            /* of an array of cubes */
    SIDES = 6,
};

real_buffer *
real_add_buffer(real_maker *m, const char *name)
{
    real_case *c = m->c;
    real_buffer *b = ARENA_NEW(c->arena, real_buffer);
    c->buffers = arena_grow(c->arena, c->buffers, &c->cap_buffers, c->n_buffers + 1,
                            sizeof *c->buffers);
    b->amber = (amber_buffer){.name = name,
                              .index = (uint32_t)c->n_buffers,
                              .elements = 1,
                              .width = 1,
                              .height = 1,
                              .depth = 1,
                              .mips = 1,
                              .samples = 1};
    c->buffers[c->n_buffers++] = b;
    return b;
}

void
real_set_type(real_maker *m, amber_buffer *b, amber_type type)
{
    b->type = arena_copy(m->c->arena, &type, sizeof type);
}

void
real_make_block(real_maker *m, real_buffer *b, const spirv_type *block, uint32_t room)
{
    uint32_t stride = real_block_stride(block), elements = 0;
    if (stride) {
        elements = room / stride > MAX_ELEMENTS ? MAX_ELEMENTS : room / stride;
        elements = elements < MIN_ELEMENTS ? MIN_ELEMENTS : elements;
    }
    b->type = block;
    b->amber.size = (real_block_size(block, elements) + 3) & ~UINT64_C(3);
    if (b->amber.size > REAL_MAX_BLOCK) {
        m->too_large = true;
        b->amber.size = REAL_MAX_BLOCK;
    }
    b->amber.elements = b->amber.width = (uint32_t)b->amber.size;
    real_set_type(m, &b->amber, (amber_type){.size = 1});
}

/* Draws a format for an image without a declared one, by the type of its texels. */
static mach_format
draw_format(real_maker *m, const spirv_type *image)
{
    static const mach_format floats[] = {MACH_FORMAT_r32g32b32a32_sfloat,
                                         MACH_FORMAT_r8g8b8a8_unorm,
                                         MACH_FORMAT_r16g16b16a16_sfloat, MACH_FORMAT_r32_sfloat};
    static const mach_format ints[] = {MACH_FORMAT_r32g32b32a32_sint, MACH_FORMAT_r8g8b8a8_sint};
    static const mach_format uints[] = {MACH_FORMAT_r32g32b32a32_uint, MACH_FORMAT_r8g8b8a8_uint};
    const spirv_type *sampled = image->elem;
    uint64_t n = real_next(&m->draw);
    if (image->depth_image)
        return MACH_FORMAT_r32_sfloat;
    if (sampled->kind == SPIRV_FLOAT)
        return floats[n % 4];
    if (sampled->bits == 64)
        return sampled->is_signed ? MACH_FORMAT_r64_sint : MACH_FORMAT_r64_uint;
    return sampled->is_signed ? ints[n % 2] : uints[n % 2];
}

static bool
set_format(real_maker *m, const spirv_type *image, real_buffer *b)
{
    mach_format format = image->sampled == 2 ? mach_format_from_ir((ir_format)image->format)
                                             : MACH_FORMAT_none;
    amber_type type = {.has_texel = true, .slot_count = 0};
    if (format == MACH_FORMAT_none)
        format = draw_format(m, image);
    if (!amber_texel_by_number(mach_format_get(format)->vk, &type.texel))
        return false;
    type.size = type.texel.bytes;
    real_set_type(m, &b->amber, type);
    return true;
}

static bool
computes(const real_maker *m)
{
    return m->c->options.stage == IR_STAGE_COMPUTE;
}

static void
set_layers(amber_buffer *b, const spirv_type *image)
{
    b->cube = image->dim == IR_DIM_cube;
    if (b->cube)
        b->layers = image->arrayed ? CUBES * SIDES : SIDES;
    else if (image->arrayed)
        b->layers = LAYERS;
}

static void
set_dimensions(const real_maker *m, amber_buffer *b, const spirv_type *image)
{
    switch ((ir_dim)image->dim) {
    case IR_DIM_cube: b->dim = AMBER_2D, b->width = b->height = 32; break;
    case IR_DIM_1D: b->dim = AMBER_1D, b->width = 64; break;
    case IR_DIM_3D: b->dim = AMBER_3D, b->width = 16, b->height = 12, b->depth = 10; break;
    case IR_DIM_buf: b->width = TEXELS; break;
    default: b->dim = AMBER_2D, b->width = 48, b->height = 36; break;
    }
    if (image->sampled != 2 && image->dim != IR_DIM_buf && image->dim != IR_DIM_rect)
        b->mips = computes(m) ? LEVELS : DRAWN_LEVELS;
    set_layers(b, image);
    b->elements = (uint64_t)b->width * b->height * b->depth * amber_layers(b);
    for (uint32_t l = 0; l < b->mips; l++)
        b->size += (uint64_t)mach_level_size(b->width, l) * mach_level_size(b->height, l) *
                   mach_level_size(b->depth, l) * amber_layers(b) * b->type->size;
}

static bool
make_image(real_maker *m, const spirv_type *image, real_buffer *b)
{
    real_case *c = m->c;
    if (image->dim == IR_DIM_ms || image->dim == IR_DIM_subpass || image->multisampled) {
        c->skip = image->dim == IR_DIM_subpass ? "an input attachment" : "a multisampled image";
        return false;
    }
    if (!set_format(m, image, b)) {
        c->skip = "an image format that scripts have no name for";
        return false;
    }
    m->has_depth |= image->depth_image;
    set_dimensions(m, &b->amber, image);
    return true;
}

/* Leaves out what is undefined, or open, in shaders that draw. Derivatives choose a level, which
 * control flow may leave undefined, and for cubes it is open how those of their faces' coordinates
 * are taken: there is one filter, and only even seeds leave the first level, but not of cubes. */
static void
limit_sampler(const real_maker *m, const spirv_type *image, amber_sampler *s)
{
    if (image && image->elem->kind == SPIRV_INT) {
        s->mag = AMBER_NEAREST;
        s->border++; /* VK_BORDER_COLOR_INT_* */
    }
    s->min = s->mag;
    if (m->c->plan.seed % 2 || (image && image->dim == IR_DIM_cube))
        s->max_lod = 0;
}

/* `image` is that of a combined descriptor, or NULL. */
static const amber_sampler *
make_sampler(real_maker *m, const spirv_type *image)
{
    amber_sampler *s = ARENA_NEW(m->c->arena, amber_sampler);
    uint64_t n = real_next(&m->draw);
    *s = (amber_sampler){.name = "sampler",
                         .mag = n & 1 ? AMBER_LINEAR : AMBER_NEAREST,
                         .min = n & 2 ? AMBER_LINEAR : AMBER_NEAREST,
                         .border = (uint32_t)(n >> 2) % 3 * 2,
                         .max_lod = 16.0f,
                         .compare = image ? image->depth_image : m->has_depth,
                         .compare_op = 3 /* VK_COMPARE_OP_LESS_OR_EQUAL */};
    if (!computes(m))
        limit_sampler(m, image, s);
    for (unsigned i = 0; i < 3; i++)
        s->address[i] = (amber_address)((n >> (8 + 4 * i)) % 5);
    return s;
}

/* ---- bindings ---- */

static const amber_descriptor kinds[IR_DESC_COUNT] = {
    [IR_DESC_sampler] = AMBER_BIND_SAMPLER,
    [IR_DESC_combined] = AMBER_BIND_COMBINED,
    [IR_DESC_sampled_image] = AMBER_BIND_SAMPLED_IMAGE,
    [IR_DESC_storage_image] = AMBER_BIND_STORAGE_IMAGE,
    [IR_DESC_uniform_texel_buffer] = AMBER_BIND_UNIFORM_TEXEL,
    [IR_DESC_storage_texel_buffer] = AMBER_BIND_STORAGE_TEXEL,
    [IR_DESC_ubo] = AMBER_BIND_UNIFORM,
    [IR_DESC_ssbo] = AMBER_BIND_STORAGE,
};

/* The image of a combined descriptor, otherwise the descriptor's own type. */
static const spirv_type *
image_of(const spirv_var *v)
{
    return v->desc->kind == SPIRV_SAMPLED_IMAGE ? v->desc->elem : v->desc;
}

/* Binds an element of the descriptor array `v`; false if it cannot be made. */
static bool
bind_element(real_maker *m, const spirv_var *v, uint32_t element)
{
    real_case *c = m->c;
    amber_pipeline *p = &c->pipeline;
    amber_binding b = {.kind = kinds[v->desc_type],
                       .set = v->set,
                       .binding = v->binding,
                       .element = element,
                       .range = AMBER_WHOLE_RANGE};
    const spirv_type *image = image_of(v);
    if (v->desc_type == IR_DESC_accel || v->desc_type == IR_DESC_inline_ubo) {
        c->skip = "an acceleration structure";
        return false;
    }
    if (v->desc_type != IR_DESC_sampler) {
        real_buffer *buffer = real_add_buffer(
            m, arena_printf(c->arena, "%s (set %u, binding %u, element %u)",
                            v->info->name ? v->info->name : "", v->set, v->binding, element));
        b.buffer = &buffer->amber;
        if (image->kind != SPIRV_IMAGE)
            real_make_block(m, buffer, v->desc, v->desc_count == 1 ? REAL_ROOM : REAL_ARRAY_ROOM);
        else if (!make_image(m, image, buffer))
            return false;
    }
    if (v->desc_type == IR_DESC_sampler || v->desc_type == IR_DESC_combined)
        b.sampler = make_sampler(m, v->desc_type == IR_DESC_combined ? image : NULL);
    p->bindings = arena_grow(c->arena, p->bindings, &c->cap_bindings, p->binding_count + 1u,
                             sizeof *p->bindings);
    p->bindings[p->binding_count++] = b;
    return true;
}

static uint64_t
block_bytes(const spirv_var *v)
{
    return v->desc->kind == SPIRV_STRUCT ? real_block_size(v->desc, 1024) : 0;
}

/* Is there a buffer at the image's binding? One of the two has no descriptor. */
static bool
shares_with_buffer(const spirv_reader *r, const spirv_var *v)
{
    const bool is_image = v->desc_type == IR_DESC_sampled_image ||
                          v->desc_type == IR_DESC_input_attachment;
    for (size_t i = 0; is_image && i < r->n_globals; i++) {
        const spirv_var *o = r->globals[i];
        if (o->is_descriptor && (o->desc_type == IR_DESC_ubo || o->desc_type == IR_DESC_ssbo) &&
            o->set == v->set && o->binding == v->binding)
            return true;
    }
    return false;
}

/* Is there a sampler at the image's binding? They are a combined descriptor, which is not made. */
static bool
shares_with_sampler(const spirv_reader *r, const spirv_var *v)
{
    for (size_t i = 0; v->desc_type == IR_DESC_sampled_image && i < r->n_globals; i++) {
        const spirv_var *o = r->globals[i];
        if (o->is_descriptor && o->desc_type == IR_DESC_sampler && o->set == v->set &&
            o->binding == v->binding)
            return true;
    }
    return false;
}

/* Does it compare with depths (OpImageSampleDrefImplicitLod and others)? */
static bool
compares_depths(const uint32_t *w, size_t n)
{
    enum { FIRST = 89, DREF = 1 << 0 | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 8 };
    uint32_t op = (w[0] & 0xffff) - FIRST;
    (void)n;
    return op < 9 && DREF >> op & 1;
}

/* Does a sampler compare of which no declaration says so? */
static bool
hides_comparison(const real_maker *m)
{
    const spirv_reader *r = &m->c->reader;
    unsigned samplers = 0;
    bool has_depth = false;
    if (computes(m) || !real_any_instruction(m->c, compares_depths))
        return false;
    for (size_t i = 0; i < r->n_globals; i++) {
        const spirv_var *v = r->globals[i];
        if (!v->is_descriptor)
            continue;
        samplers += v->desc_type == IR_DESC_sampler;
        has_depth |= image_of(v)->depth_image;
    }
    return samplers > 1 || !has_depth;
}

/* Does a variable with a larger block have the same binding? Only the largest is made. */
static bool
is_alias(const spirv_reader *r, size_t g)
{
    const spirv_var *v = r->globals[g];
    for (size_t i = 0; i < r->n_globals; i++) {
        const spirv_var *o = r->globals[i];
        if (i == g || !o->is_descriptor || o->set != v->set || o->binding != v->binding)
            continue;
        if (block_bytes(o) > block_bytes(v) || (block_bytes(o) == block_bytes(v) && i < g))
            return true;
    }
    return false;
}

bool
real_make_bindings(real_maker *m)
{
    const spirv_reader *r = &m->c->reader;
    if (hides_comparison(m)) {
        m->c->skip = "a sampler that compares, of which no declaration says so";
        return false;
    }
    for (size_t g = 0; g < r->n_globals; g++) {
        const spirv_var *v = r->globals[g];
        uint32_t count;
        if (v->is_descriptor && shares_with_buffer(r, v)) {
            m->c->skip = "an image and a buffer at one binding";
            return false;
        }
        if (!v->is_descriptor || is_alias(r, g))
            continue;
        if (shares_with_sampler(r, v)) {
            m->c->skip = "an image and a sampler at one binding";
            return false;
        }
        count = v->desc_count && v->desc_count < MAX_DESCRIPTORS ? v->desc_count : MAX_DESCRIPTORS;
        for (uint32_t e = 0; e < count; e++)
            if (!bind_element(m, v, e))
                return false;
    }
    return true;
}
