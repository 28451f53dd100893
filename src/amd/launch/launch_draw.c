/* Draws as a driver does: puts both shaders' code and descriptors into memory, writes the registers
 * that their programs ask for, user data and the fixed functions' state, and runs the draw from the
 * registers alone. */
#include "amd/emu/draw/draw.h"

#include "amd/emu/desc/descriptor.h"
#include "amd/launch/arguments.h"
#include "amd/launch/draw.h"
#include "amd/launch/launch.h"
#include "family/draw_state.h"

#include <string.h>

typedef struct draw_launch {
    amd_launch shader; /* the stage that is being put into memory */
    const family_draw *draw;
    amd_hw_registers registers;
    const amd_program *vertex, *fragment; /* fragment NULL: none */
} draw_launch;

static void
set(draw_launch *l, amd_hw_field field, uint32_t dwords, uint32_t v)
{
    amd_hw_set_register_field(&l->registers, field, dwords, v);
}

/* ---- vertex buffers ---- */

/* The end of what attributes read of an element. */
static uint32_t
element_end(const family_pipeline *p, uint32_t binding)
{
    uint32_t end = 1;
    for (uint32_t k = 0; k < FAMILY_VERTEX_ATTRIBUTES; k++) {
        const family_vertex_attribute *a = &p->attributes[k];
        uint32_t bytes = a->wide ? 8u * a->wide : mach_format_get(a->format)->bytes;
        if (a->binding == binding && bytes && a->offset + bytes > end)
            end = a->offset + bytes;
    }
    return end;
}

/* An element is there if all that attributes read of it is (docs/abi.md). */
static void
describe_buffer(const draw_launch *l, const family_vertex_buffer *b, uint32_t words[4])
{
    enum { FORMAT_32_FLOAT = 22 }; /* hwformat.h; instructions have their own */
    const family_pipeline *p = l->draw->pipeline;
    uint32_t stride = p->bindings[b->binding].stride, end = element_end(p, b->binding);
    uint64_t records = b->size < end ? 0 : stride ? (b->size - end) / stride + 1 : b->size;
    if (stride && l->shader.target->gen == AMD_GFX8)
        records = records ? (records - 1) * stride + end : 0;
    amd_buffer_desc d = {
        .base = b->address,
        .stride = stride,
        .num_records = records < UINT32_MAX ? (uint32_t)records : UINT32_MAX,
        .oob = stride ? AMD_OOB_INDEX : AMD_OOB_RAW,
        .format = FORMAT_32_FLOAT,
        .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W},
    };
    amd_buffer_encode(l->shader.target->gen, &d, words);
}

static uint32_t
put_vertex_buffers(draw_launch *l)
{
    enum { BYTES = 16 };
    mach_region *table = amd_launch_allocate(&l->shader, MACH_HEAP_SET,
                                             FAMILY_VERTEX_BINDINGS * BYTES, "vertex buffers");
    for (uint32_t b = 0; b < FAMILY_VERTEX_BINDINGS; b++) {
        const family_vertex_buffer *buffer = family_find_vertex_buffer(l->draw, b);
        uint32_t words[4] = {0};
        if (buffer)
            describe_buffer(l, buffer, words);
        memcpy(table->host + b * BYTES, words, sizeof words);
    }
    return (uint32_t)table->base;
}

static uint32_t
put_attributes(draw_launch *l)
{
    enum { BYTES = 4 * AMD_DRAW_RECORD_WORDS };
    mach_region *table = amd_launch_allocate(&l->shader, MACH_HEAP_SET,
                                             FAMILY_VERTEX_ATTRIBUTES * BYTES, "vertex attributes");
    for (uint32_t k = 0; k < FAMILY_VERTEX_ATTRIBUTES; k++) {
        uint32_t words[AMD_DRAW_RECORD_WORDS] = {0};
        const char *wrong = amd_draw_describe_attribute(l->shader.target, l->draw, k, words);
        if (wrong)
            diag_fail(l->shader.c->diag, ERR_TARGET_SELECT, l->shader.target->name, wrong);
        memcpy(table->host + k * BYTES, words, sizeof words);
    }
    return (uint32_t)table->base;
}

/* ---- transform feedback ---- */

/* V#s; from gfx11 on, where shaders count, behind them turns and counters, which begin at 0, and
 * the vertices of a primitive (docs/abi.md). */
static uint32_t
put_captured(draw_launch *l)
{
    enum { BYTES = 16, FORMAT_32_FLOAT = 22, VERTICES_AT = 96, TABLE_BYTES = 128 };
    mach_region *table = amd_launch_allocate(&l->shader, MACH_HEAP_SET, TABLE_BYTES,
                                             "descriptors of captured buffers");
    const uint32_t vertices = mach_primitive_vertices(l->draw->state->assembly.topology);
    memcpy(table->host + VERTICES_AT, &vertices, sizeof vertices);
    for (uint32_t k = 0; k < FAMILY_CAPTURED_BUFFERS; k++) {
        const family_captured_buffer *b = &l->draw->captured[k];
        uint32_t words[4], size = (uint32_t)b->size;
        amd_buffer_desc d = {.base = b->address,
                             .num_records = size,
                             .oob = AMD_OOB_RAW,
                             .format = FORMAT_32_FLOAT,
                             .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W}};
        amd_buffer_encode(l->shader.target->gen, &d, words);
        memcpy(table->host + k * BYTES, words, sizeof words);
        amd_hw_set_register(&l->registers, AMD_HW_VGT_STRMOUT_BUFFER_SIZE_0, k * AMD_HW_XFB_DWORDS,
                            size / 4);
    }
    return (uint32_t)table->base;
}

/* ---- the attribute ring ---- */

/* A row of 16 bytes for each parameter, for 32 vertices at a time. */
static uint32_t
put_attribute_ring(draw_launch *l)
{
    enum { UNIT = 1 << 16, ROW = 16, VERTICES = 32 };
    uint32_t n = l->vertex->n_params, size = 4 * UNIT;
    mach_region *ring = mach_memory_alloc(l->shader.memory, MACH_HEAP_LOW, size, UNIT,
                                          "attribute ring");
    mach_region *table = amd_launch_allocate(&l->shader, MACH_HEAP_SET, ROW,
                                             "descriptor of the attribute ring");
    if (!ring)
        diag_fail(l->shader.c->diag, ERR_AMBER_LIMIT, "attribute ring");
    amd_buffer_desc d = {.base = ring->base,
                         .stride = ROW * n,
                         .num_records = UINT32_MAX,
                         .swizzle = true,
                         .element_size = ROW,
                         .index_stride = VERTICES,
                         .oob = AMD_OOB_EMPTY,
                         .format = AMD_FORMAT_32_32_32_32_FLOAT,
                         .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W}};
    uint32_t words[4];
    amd_buffer_encode(l->shader.target->gen, &d, words);
    memcpy(table->host, words, sizeof words);
    amd_hw_set_register(&l->registers, AMD_HW_SPI_ATTRIBUTE_RING_BASE, 0,
                        (uint32_t)(ring->base >> 16));
    set(l, AMD_HW_SPI_ATTRIBUTE_RING_SIZE_MEM_SIZE, 0, size / UNIT - 1);
    return (uint32_t)table->base;
}

/* ---- programs ---- */

static void
give(draw_launch *l, const amd_arg *a, uint32_t *s)
{
    const mach_draw *state = l->draw->state;
    if (amd_launch_give(&l->shader, a, s))
        return;
    switch ((amd_arg_kind)a->kind) {
    case AMD_ARG_VERTEX_BUFFERS: *s = put_vertex_buffers(l); break;
    case AMD_ARG_ATTRIBUTES: *s = put_attributes(l); break;
    case AMD_ARG_FRAGMENT_STATE:
        *s = base_log2_up(state->samples) |
             (l->draw->pipeline->alpha_to_one ? AMD_STATE_ALPHA_TO_ONE : 0u);
        break;
    case AMD_ARG_BASE_VERTEX: *s = state->vertex_offset; break;
    case AMD_ARG_BASE_INSTANCE: *s = state->first_instance; break;
    case AMD_ARG_XFB_BUFFERS: *s = put_captured(l); break;
    case AMD_ARG_ATTRIBUTE_RING: *s = put_attribute_ring(l); break;
    default: break; /* the first draw, the first view */
    }
}

/* The registers of a hardware stage. */
typedef struct stage_registers {
    amd_hw_reg low, high, rsrc1, rsrc2, user_data;
} stage_registers;

static const stage_registers stages[] = {
    [AMD_STAGE_VERTEX_VS] = {AMD_HW_SPI_SHADER_PGM_LO_VS, AMD_HW_SPI_SHADER_PGM_HI_VS,
                             AMD_HW_SPI_SHADER_PGM_RSRC1_VS, AMD_HW_SPI_SHADER_PGM_RSRC2_VS,
                             AMD_HW_SPI_SHADER_USER_DATA_VS_0},
    [AMD_STAGE_VERTEX_NGG] = {AMD_HW_SPI_SHADER_PGM_LO_ES, AMD_HW_SPI_SHADER_PGM_HI_ES,
                              AMD_HW_SPI_SHADER_PGM_RSRC1_GS, AMD_HW_SPI_SHADER_PGM_RSRC2_GS,
                              AMD_HW_SPI_SHADER_USER_DATA_GS_0},
    [AMD_STAGE_FRAGMENT_FS] = {AMD_HW_SPI_SHADER_PGM_LO_PS, AMD_HW_SPI_SHADER_PGM_HI_PS,
                               AMD_HW_SPI_SHADER_PGM_RSRC1_PS, AMD_HW_SPI_SHADER_PGM_RSRC2_PS,
                               AMD_HW_SPI_SHADER_USER_DATA_PS_0},
};

/* A program's own registers; both programs may have fields of one. */
static void
write_set_registers(draw_launch *l, const amd_program *p)
{
    for (uint32_t k = 0; k < p->n_set_regs; k++) {
        uint32_t *at = amd_hw_register_at(&l->registers, p->set_regs[k].address);
        *at |= p->set_regs[k].value;
    }
}

/* Scratch of a wave, in units of 1 KiB, from gfx11 on of 256 bytes. */
static void
write_scratch(draw_launch *l, const amd_program *p)
{
    uint32_t unit = amd_takes_scratch_args(l->shader.target) ? 1024 : 256;
    uint32_t bytes = p->scratch_bytes * p->wave_size, have;
    have = amd_hw_register_field(&l->registers, AMD_HW_SPI_TMPRING_SIZE_WAVESIZE);
    uint32_t need = (bytes + unit - 1) / unit;
    set(l, AMD_HW_SPI_TMPRING_SIZE_WAVESIZE, 0, need > have ? need : have);
}

/* Puts a shader, the first or second, into memory and its registers. Returns what it cannot
 * describe, or NULL. */
static const char *
put_shader(draw_launch *l, const family_shader *shader, unsigned number)
{
    l->shader.shader = shader;
    l->shader.binary = shader->binary->own;
    l->shader.set_addresses = NULL;
    l->shader.set_count = 0;
    l->shader.push = NULL;
    const amd_program *p = l->shader.binary->program;
    const stage_registers *s = &stages[p->stage];
    amd_hw_registers *f = &l->registers;
    if (amd_launch_put_sets(&l->shader) != UINT32_MAX)
        return "a resource that no descriptor can describe";
    amd_launch_put_push_constants(&l->shader);
    uint64_t entry = amd_launch_put_code(&l->shader), code = entry >> 8;
    if (l->draw->entries)
        l->draw->entries[number] = entry;
    amd_hw_set_register(f, s->low, 0, (uint32_t)code);
    amd_hw_set_register(f, s->high, 0, (uint32_t)(code >> 32) & 0xff);
    amd_hw_set_register(f, s->rsrc1, 0, l->shader.binary->rsrc[0]);
    amd_hw_set_register(f, s->rsrc2, 0, l->shader.binary->rsrc[1]);
    for (uint32_t a = 0; a < p->n_args; a++) {
        uint32_t words[AMD_EMU_MAX_USER_SGPRS] = {0};
        uint32_t first = p->args[a].reg - amd_first_user_sgpr(p);
        bool user = !p->args[a].vgpr && p->args[a].kind < AMD_ARG_WORKGROUP_ID;
        if (!user)
            continue;
        give(l, &p->args[a], words);
        for (uint32_t k = 0; k < p->args[a].count; k++)
            amd_hw_set_register(f, s->user_data, first + k, words[k]);
    }
    write_set_registers(l, p);
    write_scratch(l, p);
    return NULL;
}

/* ---- what links the stages ---- */

enum { NO_PARAM = 1 << 5 }; /* in SPI_PS_INPUT_CNTL: the input is a constant */

/* The parameter of the vertex shader that is the fragment shader's input; NO_PARAM: it has none. */
static uint32_t
find_param(const amd_program *vertex, const amd_param *input)
{
    for (uint32_t k = 0; k < vertex->n_params; k++) {
        if (vertex->params[k].slot == input->slot && vertex->params[k].location == input->location)
            return k;
    }
    return NO_PARAM;
}

/* Why a fragment shader cannot have the primitive's number; NULL: it can. Primitive shaders are
 * compiled for the vertex that provokes. */
static const char *
wrong_number(const draw_launch *l, uint32_t param)
{
    if (param == NO_PARAM)
        return "PrimitiveId of a fragment shader that the vertex shader was not linked with";
    bool last = l->draw->state->assembly.last_provokes;
    return l->vertex->stage == AMD_STAGE_VERTEX_NGG && l->draw->pipeline->last_provokes != last
               ? "PrimitiveId of primitives that another vertex provokes than the pipeline says"
               : NULL;
}

static void
link_params(draw_launch *l)
{
    for (uint32_t k = 0; l->fragment && k < l->fragment->n_params; k++) {
        const amd_param *input = &l->fragment->params[k];
        const uint32_t at = find_param(l->vertex, input);
        const char *wrong = input->slot == IR_SLOT_primitive_id ? wrong_number(l, at) : NULL;
        if (wrong)
            diag_fail(l->shader.c->diag, ERR_TARGET_SELECT, l->shader.target->name, wrong);
        amd_hw_set_register(&l->registers, AMD_HW_SPI_PS_INPUT_CNTL_0, k, input->control);
        set(l, AMD_HW_SPI_PS_INPUT_CNTL_0_OFFSET, k, at);
    }
}

/* ---- the draw ---- */

bool
amd_launch_draw(const ir_ctx *c, mach_memory *m, const family_target *t, const family_draw *draw,
                mach_report *report)
{
    const family_dispatch *d = draw->how;
    draw_launch *l = ARENA_NEW(c->arena, draw_launch);
    const amd_binary *vertex = draw->vertex->binary->own;
    const amd_binary *fragment = draw->fragment ? draw->fragment->binary->own : NULL;
    l->shader = (amd_launch){.c = c, .memory = m, .target = amd_target_of(t), .asked = d};
    l->draw = draw;
    l->vertex = vertex->program;
    l->fragment = fragment ? fragment->program : NULL;
    amd_hw_registers_init(&l->registers, l->shader.target->gen, c->arena);
    const char *problem = put_shader(l, draw->vertex, 0);
    if (!problem && draw->fragment)
        problem = put_shader(l, draw->fragment, 1);
    if (problem) {
        mach_report_unsupported_draw(report, problem);
        return false;
    }
    link_params(l);
    amd_draw_write_state(&l->registers, l->shader.target, draw);
    problem = amd_draw_write_targets(&l->registers, l->shader.target, draw);
    if (problem) {
        mach_report_unsupported_draw(report, problem);
        return false;
    }
    const amd_draw run = {
        .processor = amd_target_of(t)->name,
        .may_retry = amd_obj_may_retry(t->name, OBJ_ABI_VULKAN),
        .count = draw->state->assembly.count,
        .instances = draw->state->instances,
        .indexed = draw->index_bytes != 0,
        .index_address = draw->index_address,
        .index_bytes = draw->index_bytes,
        .max_indices = draw->max_indices,
        .packs_tiles = true,
        .checks = d->checks,
        .rules_off = d->rules_off,
        .seed = d->seed,
        .max_instructions = d->max_instructions,
        .watch = d->watch,
    };
    return amd_draw_run(&run, &l->registers, m, c->scratch, report);
}
