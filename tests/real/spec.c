/* Chooses specialisation constants. */
#include "maker.h"

#include <string.h>

spirv_info *
real_reflect(real_maker *m)
{
    return spirv_reflect(m->ctx, &m->c->options, m->c->words, m->c->n_words);
}

void
real_local_size(const real_case *c, const spirv_info *info, uint32_t size[3])
{
    memset(size, 0, 3 * sizeof *size);
    for (size_t e = 0; e < info->n_entries; e++)
        if (info->entries[e].model == SPIRV_MODEL_COMPUTE &&
            strcmp(info->entries[e].name, c->options.entry) == 0)
            memcpy(size, info->entries[e].local_size, 3 * sizeof *size);
}

/* The size of a workgroup that every device supports. */
enum { MAX_INVOCATIONS = 256 };

/* Reads the module's declarations; NULL if the constants make them invalid. */
static spirv_info *
try_reflect(real_maker *m)
{
    diag d;
    ir_ctx ctx = *m->ctx;
    ctx.diag = &d;
    diag_init(&d);
    if (!DIAG_TRY(&d))
        return NULL;
    return spirv_reflect(&ctx, &m->c->options, m->c->words, m->c->n_words);
}

/* The dimension of the workgroup size that the constant sets, or -1. */
static int
size_dimension(real_maker *m, spirv_spec *spec, const uint32_t before[3])
{
    uint64_t old = spec->value;
    uint32_t size[3];
    int found = -1;
    spec->value = old + 1;
    const spirv_info *info = try_reflect(m);
    spec->value = old;
    if (!info)
        return -1;
    real_local_size(m->c, info, size);
    for (int d = 2; d >= 0; d--)
        if (size[d] == before[d] + 1)
            found = d;
    return found;
}

/* Draws a size as applications use them, of 32 to 256 invocations. */
static uint32_t
draw_size(real_maker *m, int dimension, bool is_flat)
{
    static const uint32_t flat[] = {64, 128, 32, 256}, square[] = {8, 16, 4, 32};
    uint64_t n = real_next(&m->draw);
    uint32_t size = is_flat          ? flat[n % 4]
                    : dimension == 2 ? 1
                    : dimension == 1 ? square[n % 2]
                                     : square[n % 4];
    uint32_t others = 1;
    for (int d = 0; d < 3; d++)
        others *= d != dimension && m->c->local[d] ? m->c->local[d] : 1;
    while (size > 1 && size * others > MAX_INVOCATIONS)
        size /= 2;
    return m->c->local[dimension] = size;
}

static uint64_t
draw_spec(real_maker *m, const spirv_spec_info *s)
{
    static const uint64_t numbers[] = {1, 2, 3, 4, 8, 16};
    uint64_t n = real_next(&m->draw);
    if (s->bits == 1)
        return n & 1;
    if (s->is_float || s->bits != 32)
        return s->value;
    return n % 3 == 0 ? numbers[n / 3 % 6] : n % 3 == 1 ? s->value * 2 : s->value;
}

static bool
has_bold_specs(const real_case *c)
{
    return c->plan.attempt <= REAL_ONE_GROUP;
}

/* Several constants may have the same id, which the application sets once: all get the last one's
 * value, which the reader uses. */
static void
share_values(spirv_spec *specs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t last = n - 1;
        while (specs[last].id != specs[i].id)
            last--;
        specs[i].value = specs[last].value;
    }
}

/* A workgroup size that is a specialisation constant is raised to at least 32 invocations, even
 * with default values. */
void
real_choose_specs(real_maker *m)
{
    real_case *c = m->c;
    spirv_info *info = real_reflect(m);
    spirv_spec *specs = ARENA_ARRAY(c->arena, info->n_specs, spirv_spec);
    int *dimension = ARENA_ARRAY(c->arena, info->n_specs, int);
    unsigned n_sized = 0;
    for (size_t i = 0; i < info->n_specs; i++)
        specs[i] = (spirv_spec){.id = info->specs[i].id, .value = info->specs[i].value};
    c->options.specs = specs;
    c->options.n_specs = info->n_specs;
    real_local_size(c, info, c->local);
    for (size_t i = 0; i < info->n_specs; i++) {
        dimension[i] = info->specs[i].bits == 32 ? size_dimension(m, &specs[i], c->local) : -1;
        n_sized += dimension[i] >= 0;
    }
    uint32_t lanes = c->local[0] * c->local[1] * c->local[2];
    for (size_t i = 0; i < info->n_specs; i++) {
        if (dimension[i] >= 0 && (has_bold_specs(c) || lanes < 32))
            specs[i].value = draw_size(m, dimension[i], n_sized == 1);
        else if (dimension[i] < 0 && has_bold_specs(c))
            specs[i].value = draw_spec(m, &info->specs[i]);
    }
    share_values(specs, info->n_specs);
}
