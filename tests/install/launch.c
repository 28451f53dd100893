/* A driver in small, outside the tree: compiles three shaders that share a set layout, and prints how
 * to launch them (the form is that of run_launch.c). It knows the hardware's descriptors and
 * docs/abi.md; all numbers come from heddle.h.
 *
 *     launch FOLDER TARGET WAVE ABI [ADDRESS_HIGH]
 *
 * FOLDER has buffers.spv, dynamic.spv and images.spv. ABI is vulkan or hsa. */
#include <heddle/heddle.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCRATCH UINT64_C(0x600000000000) /* where the machine has its scratch memory */

enum { SHADERS = 3, SETS = 2, MAX_BLOCKS = 64, MAX_PLACES = 16, OUT_WORDS = 128 };

static void
stop(const char *what)
{
    fprintf(stderr, "launch: %s\n", what);
    exit(1);
}

static void
print_diagnostic(void *user, const heddle_diagnostic *d)
{
    (void)user;
    fprintf(stderr, "%s\n", d->text);
}

/* ---- memory ---- */

typedef struct memory {
    uint64_t address;
    uint32_t size;
    uint8_t *bytes;
    const char *name;
} memory;

typedef struct device {
    memory blocks[MAX_BLOCKS];
    int n_blocks;
    uint64_t next;
} device;

static memory *
allocate(device *d, uint32_t size, const char *name)
{
    memory *m = &d->blocks[d->n_blocks++];
    *m = (memory){d->next, size, calloc(size + 1, 1), name};
    if (!m->bytes || d->n_blocks == MAX_BLOCKS)
        stop("no memory");
    d->next += (size + UINT64_C(0x1ffff)) / 0x10000 * 0x10000;
    return m;
}

static void
put_words(memory *m, uint32_t at, const uint32_t *words, uint32_t n)
{
    if (at + 4 * n > m->size)
        stop("a descriptor lies outside its memory");
    memcpy(m->bytes + at, words, 4 * n); /* the host is little-endian too */
}

static void
print_memory(const device *d)
{
    for (int k = 0; k < d->n_blocks; k++) {
        const memory *m = &d->blocks[k];
        printf("memory 0x%" PRIx64 " %" PRIu32 " %s\n", m->address, m->size, m->name);
        printf("bytes 0x%" PRIx64 " ", m->address);
        for (uint32_t b = 0; b < m->size; b++)
            printf("%02x", m->bytes[b]);
        printf("\n");
    }
}

/* ---- the layout ---- */

/* S#s: CLAMP_X and CLAMP_Y are wrap, last texel and border; the border is white. */
#define SAMPLER(clamp, border) (clamp) | (clamp) << 3, 0, 1u << 26, (uint32_t)(border) << 30
static const uint32_t samplers[] = {SAMPLER(0u, 0), SAMPLER(2u, 0), SAMPLER(6u, 2)};
static const uint32_t one_sampler[] = {SAMPLER(2u, 0)};

#define ROW sizeof(heddle_layout_binding)
#define CS  HEDDLE_STAGE_BIT(HEDDLE_STAGE_COMPUTE)
static const heddle_layout_binding rows0[] = {
    {ROW, 7, HEDDLE_DESCRIPTOR_SAMPLED_IMAGE, 1, CS, NULL},
    {ROW, 0, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 1, CS, NULL},
    {ROW, 1, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER, 1, 0, NULL},
    {ROW, 2, HEDDLE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER, 3, CS, samplers},
    {ROW, 3, HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK, 32, CS, NULL},
    {ROW, 4, HEDDLE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC, 1, CS, NULL},
    {ROW, 5, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC, 1, CS, NULL},
    {ROW, 6, HEDDLE_DESCRIPTOR_SAMPLER, 1, CS, one_sampler},
    {ROW, 9, HEDDLE_DESCRIPTOR_STORAGE_IMAGE, 5, CS, NULL},
};
static const heddle_layout_binding rows1[] = {
    {ROW, 0, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 4, CS, NULL}};
static const heddle_set_layout set_layouts[SETS] = {
    {sizeof(heddle_set_layout), rows0, sizeof rows0 / sizeof rows0[0]},
    {sizeof(heddle_set_layout), rows1, 1},
};
static const heddle_set_layout *const set_list[SETS] = {&set_layouts[0], &set_layouts[1]};
static const heddle_push_range range = {sizeof range, CS, 0, 24};
static const heddle_pipeline_layout layout = {sizeof layout, set_list, SETS, &range, 1};

/* ---- the shaders and their resources ---- */

typedef struct shader {
    const char *file;
    uint32_t push[6], n_push;
    uint32_t groups[3];
    memory *out;
    uint32_t out_at, out_words;
    heddle_output *output;
    heddle_shader_info info;
    memory *code, *block, *arguments;
} shader;

typedef struct driver {
    device device;
    heddle_context *context;
    heddle_compile_options options;
    shader shaders[SHADERS];
    heddle_binding_place places[SETS][MAX_PLACES];
    heddle_layout_info layout_info;
    memory *sets[SETS];
} driver;

static uint32_t *
read_words(const char *folder, const char *name, size_t *n_words)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.spv", folder, name);
    FILE *f = fopen(path, "rb");
    uint32_t *words = malloc(1 << 20);
    if (!f || !words)
        stop("a shader cannot be read");
    *n_words = fread(words, 4, (1 << 20) / 4, f);
    fclose(f);
    return words;
}

static void
compile(driver *d, shader *s, const char *folder)
{
    size_t n;
    uint32_t *words = read_words(folder, s->file, &n);
    if (heddle_compile(d->context, words, n, &d->options, &s->output) != HEDDLE_OK)
        stop("a shader does not compile");
    free(words);
    s->info.struct_size = sizeof s->info;
    heddle_output_info(s->output, &s->info);
    s->code = allocate(&d->device, s->info.code_size, "code");
    memcpy(s->code->bytes, s->info.code, s->info.code_size);
}

/* Sets and the block lie where the code takes the high half of their addresses from. */
static void
make_sets(driver *d)
{
    d->layout_info.struct_size = sizeof d->layout_info;
    if (heddle_place_layout(d->context, d->options.target, &layout, &d->layout_info) != HEDDLE_OK)
        stop("the layout has no places");
    if (d->options.abi == HEDDLE_ABI_VULKAN)
        d->device.next = ((uint64_t)d->shaders[0].info.address_high << 32) + 0x10000;
    for (int s = 0; s < SETS; s++) {
        heddle_set_info info = {.struct_size = sizeof info};
        if (heddle_place_set(d->context, d->options.target, &set_layouts[s], &info, d->places[s]) !=
            HEDDLE_OK)
            stop("a set has no places");
        d->sets[s] = allocate(&d->device, info.size, "set");
    }
    for (int k = 0; k < SHADERS; k++)
        d->shaders[k].block = allocate(&d->device, d->layout_info.block_size, "block");
}

/* Writes words of a descriptor to its place, or to its place in each shader's block. */
static void
put(driver *d, uint32_t set, uint32_t binding, uint32_t element, const uint32_t *words, uint32_t n)
{
    for (size_t k = 0; k < set_layouts[set].n_bindings; k++) {
        const heddle_binding_place *p = &d->places[set][k];
        uint32_t at = p->offset + element * p->stride;
        if (p->binding != binding)
            continue;
        if (!p->in_block)
            put_words(d->sets[set], at, words, n);
        for (int s = 0; s < SHADERS && p->in_block; s++)
            put_words(d->shaders[s].block, d->layout_info.dynamic_offset[set] + at, words, n);
    }
}

static void
put_buffer(driver *d, uint32_t set, uint32_t binding, uint32_t element, const memory *m,
           uint32_t from)
{
    uint64_t address = m->address + from;
    const uint32_t words[4] = {(uint32_t)address, (uint32_t)(address >> 32) & 0xffff,
                               m->size - from, d->shaders[0].info.buffer_word3};
    put(d, set, binding, element, words, 4);
}

/* A T#: 64 by 2 texels of 32_FLOAT, in lines. gfx10 alone has the bit RESOURCE_LEVEL; gfx12 has
 * the format three bits lower. */
static void
put_image(driver *d, uint32_t set, uint32_t binding, uint32_t element, const memory *m)
{
    unsigned format_at = strncmp(d->options.target, "gfx12", 5) == 0 ? 17 : 20;
    uint32_t resource_level = strncmp(d->options.target, "gfx10", 5) == 0 ? 1u << 31 : 0;
    const uint32_t words[8] = {(uint32_t)(m->address >> 8),
                               ((uint32_t)(m->address >> 40) & 0xff) | 22u << format_at |
                                   (63u & 3) << 30,
                               63u >> 2 | 1u << 14 | resource_level,
                               4u | 1u << 9 | 9u << 28,
                               0,
                               0,
                               0,
                               0};
    put(d, set, binding, element, words, 8);
}

static memory *
make_image(device *d, float first)
{
    memory *m = allocate(d, 512, "image");
    for (int x = 0; x < 128; x++) {
        float texel = x < 64 ? first + (float)x : 0;
        memcpy(m->bytes + 4 * x, &texel, 4);
    }
    return m;
}

static void
fill_sets(driver *d, memory *out, memory *sums)
{
    static const uint32_t scale[] = {3}, block[8] = {0, 5, 0, 0, 0, 0, 1, 0};
    static const uint32_t weights[4] = {2, 0, 0, 10};
    memory *m = allocate(&d->device, 4, "scale");
    put_words(m, 0, scale, 1);
    put_buffer(d, 0, 0, 0, out, 0);
    put_buffer(d, 0, 1, 0, m, 0);
    put(d, 0, 3, 0, block, 8);
    put_buffer(d, 0, 4, 0, sums, 64); /* the dynamic offset */
    m = allocate(&d->device, 272, "weights");
    put_words(m, 256, weights, 4);
    put_buffer(d, 0, 5, 0, m, 256);
    m = make_image(&d->device, 2);
    for (uint32_t k = 0; k < 3; k++)
        put_image(d, 0, 2, k, m);
    put_image(d, 0, 7, 0, make_image(&d->device, 100));
    for (uint32_t part = 0; part < 4; part++) {
        m = allocate(&d->device, 4 * OUT_WORDS, "part");
        for (uint32_t k = 0; k < OUT_WORDS; k++) {
            uint32_t v = part * 1000 + k * 7;
            put_words(m, 4 * k, &v, 1);
        }
        put_buffer(d, 1, 0, part, m, 0);
    }
}

/* ---- launching ---- */

static void
print_sgprs(uint32_t first, uint32_t count, const uint32_t *values)
{
    for (uint32_t k = 0; k < count; k++)
        printf("sgpr %" PRIu32 " 0x%" PRIx32 "\n", first + k, values[k]);
}

static void
print_user(const driver *d, const shader *s, const heddle_user_sgpr *u)
{
    uint64_t address = SCRATCH;
    uint32_t words[2];
    if (strcmp(u->kind, "push_constants_inline") == 0) {
        print_sgprs(u->first_sgpr, u->count, s->push + u->index);
        return;
    }
    if (strcmp(u->kind, "workgroup_count") == 0) {
        print_sgprs(u->first_sgpr, 3, s->groups);
        return;
    }
    if (strcmp(u->kind, "descriptor_set") == 0)
        address = d->sets[u->index]->address;
    else if (strcmp(u->kind, "push_constants") == 0)
        address = s->block->address;
    else if (strcmp(u->kind, "kernarg_pointer") == 0)
        address = s->arguments->address;
    else if (strcmp(u->kind, "scratch") != 0 && strcmp(u->kind, "flat_scratch_init") != 0)
        stop("a kind of user SGPR that docs/abi.md does not have");
    words[0] = (uint32_t)address;
    words[1] = (uint32_t)(address >> 32);
    print_sgprs(u->first_sgpr, u->count, words);
}

/* hsa: fills the kernarg segment. */
static void
make_arguments(driver *d, shader *s)
{
    s->arguments = allocate(&d->device, s->info.kernarg_size, "arguments");
    for (size_t k = 0; k < s->info.n_args; k++) {
        const heddle_kernel_arg *a = &s->info.args[k];
        uint8_t *at = s->arguments->bytes + a->offset;
        if (strncmp(a->name, "set", 3) == 0)
            memcpy(at, &d->sets[atoi(a->name + 3)]->address, 8);
        else if (strcmp(a->name, "push_block") == 0)
            memcpy(at, &s->block->address, 8);
        else if (strcmp(a->name, "push_constants") == 0)
            memcpy(at, s->push, a->size);
        else if (strncmp(a->kind, "hidden_block_count_", 19) == 0)
            memcpy(at, &s->groups[a->kind[19] - 'x'], 4);
        else
            stop("an argument that docs/abi.md does not have");
    }
}

static void
print_launch(const driver *d, const shader *s)
{
    const heddle_shader_info *i = &s->info;
    printf("entry 0x%" PRIx64 "\nwave %" PRIu32 "\n", s->code->address, i->wave_size);
    printf("rsrc 0x%" PRIx32 " 0x%" PRIx32 " 0x%" PRIx32 "\n", i->rsrc[0], i->rsrc[1], i->rsrc[2]);
    if (i->abi == HEDDLE_ABI_HSA)
        printf("lds %" PRIu32 "\n", i->lds_bytes);
    if (i->scratch_bytes)
        printf("scratch 0x%" PRIx64 " %" PRIu32 "\n", SCRATCH, i->scratch_bytes);
    for (size_t k = 0; k < i->n_user_sgprs; k++)
        print_user(d, s, &i->user_sgprs[k]);
    printf("group %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", i->workgroup_size[0],
           i->workgroup_size[1], i->workgroup_size[2]);
    printf("groups %" PRIu32 " %" PRIu32 " %" PRIu32 "\nrun\n", s->groups[0], s->groups[1],
           s->groups[2]);
    printf("print 0x%" PRIx64 " %" PRIu32 "\n", s->out->address + s->out_at, s->out_words);
}

static void
describe(driver *d, memory *out, memory *sums)
{
    d->shaders[0] = (shader){.file = "buffers",
                             .push = {2, 1000},
                             .n_push = 2,
                             .groups = {2, 1, 1},
                             .out = out,
                             .out_words = OUT_WORDS};
    d->shaders[1] = (shader){.file = "dynamic",
                             .push = {7, 0, 1, 2, 3, 4},
                             .n_push = 6,
                             .groups = {3, 2, 1},
                             .out = sums,
                             .out_at = 64,
                             .out_words = 6};
    d->shaders[2] = (shader){.file = "images",
                             .push = {2},
                             .n_push = 1,
                             .groups = {1, 1, 1},
                             .out = out,
                             .out_words = 64};
}

int
main(int argc, char **argv)
{
    static driver d;
    const heddle_context_options options = {sizeof options, NULL, print_diagnostic, NULL};
    if (argc < 5 || heddle_create_context(&options, &d.context) != HEDDLE_OK)
        stop("usage: launch FOLDER TARGET WAVE ABI [ADDRESS_HIGH]");
    d.device.next = UINT64_C(0x100000000);
    memory *out = allocate(&d.device, 4 * OUT_WORDS, "out");
    memory *sums = allocate(&d.device, 128, "sums");
    d.options = (heddle_compile_options){.struct_size = sizeof d.options,
                                         .target = argv[2],
                                         .wave_size = (uint32_t)atoi(argv[3]),
                                         .abi = strcmp(argv[4], "hsa") ? HEDDLE_ABI_VULKAN
                                                                       : HEDDLE_ABI_HSA,
                                         .layout = &layout};
    d.options.has_address_high = argc > 5;
    d.options.address_high = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 0) : 0;
    describe(&d, out, sums);
    for (int k = 0; k < SHADERS; k++)
        compile(&d, &d.shaders[k], argv[1]);
    make_sets(&d);
    fill_sets(&d, out, sums);
    for (int k = 0; k < SHADERS; k++) {
        shader *s = &d.shaders[k];
        put_words(s->block, 0, s->push, s->n_push);
        if (s->info.abi == HEDDLE_ABI_HSA)
            make_arguments(&d, s);
    }
    printf("target %s\n", d.options.target);
    print_memory(&d.device);
    for (int k = 0; k < SHADERS; k++) {
        print_launch(&d, &d.shaders[k]);
        heddle_destroy_output(d.shaders[k].output);
    }
    heddle_destroy_context(d.context);
    for (int k = 0; k < d.device.n_blocks; k++)
        free(d.device.blocks[k].bytes);
    return 0;
}
