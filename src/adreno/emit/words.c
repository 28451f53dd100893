/* The register words are those that turnip 26.2.6 writes for its code (its command streams on a618,
 * a660 and a750 were read for shaders with each of the features below); bits whose meaning is not
 * known are set as there. They depend on one shader alone: a driver adds what only it knows
 * (addresses, sizes of memory), and what two shaders agree on (places of outputs in VPC, SP_VS_OUT,
 * VFD_DEST_CNTL) it makes of the rows of both. */
#include "adreno/emit/emit.h"

enum { NO_REG = ADRENO_OBJ_NO_REG };

typedef struct words {
    const adreno_program *p;
    const adreno_obj_state *s;
    bool is_7, is_double;
    bool has[ADRENO_OBJ_REGISTERS];
    uint32_t value[ADRENO_OBJ_REGISTERS];
} words;

static void
set(words *w, unsigned id, uint32_t value)
{
    w->has[id] = true;
    w->value[id] = value;
}

static bool
has(const words *w, adreno_io_kind kind)
{
    return adreno_find_io(w->p, kind) != NULL;
}

/* The register of the row of a kind. */
static uint32_t
reg_of(const words *w, adreno_io_kind kind)
{
    const adreno_io *io = adreno_find_io(w->p, kind);
    return io && io->reg != ADRENO_IO_NO_REG ? io->reg : NO_REG;
}

static uint32_t
four(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a | b << 8 | c << 16 | d << 24;
}

/* ---- all stages ---- */

/* The bits of SP_xS_CONFIG: textures, samplers, storage and uniform buffers of descriptor sets. */
static uint32_t
resources_of(const ir_instr *i)
{
    enum { TEX = 1, SAMP = 2, STORAGE = 4, UNIFORM = 8 };
    const unsigned category = adreno_category(i->op);
    if (i->op == ADRENO_P_PREFETCH)
        return TEX | SAMP;
    if (category != 5 && category != 6)
        return 0;
    const adreno_op_info *row = adreno_op_row((adreno_op)i->op);
    const bool is_described = adreno_field_width(adreno_format_of((adreno_op)i->op),
                                                 ADRENO_F_bindless) != 0;
    if (category == 6)
        return i->op == ADRENO_LDC ? UNIFORM : is_described ? STORAGE : 0;
    const bool is_fetch = i->op == ADRENO_ISAM_ANY || i->op == ADRENO_ISAML_ANY ||
                          i->op == ADRENO_ISAMM_ANY || i->op == ADRENO_ISAM;
    return (row->properties & ADRENO_TEX ? TEX : 0) |
           (row->properties & ADRENO_SAMP && !is_fetch ? SAMP : 0);
}

/* What a fragment shader wants of its quad, as SP_FS_CTRL_REG0 has it: neighbours for coarse
 * differences, or all of it. */
static uint32_t
quad_bits_of(const ir_instr *i)
{
    enum { ALL = 1 << 23, NEIGHBOURS = 1 << 26 };
    switch (i->op) {
    case ADRENO_DSXPP_1:
    case ADRENO_DSYPP_1:
    case ADRENO_QUAD_SHUFFLE_BRCST:
    case ADRENO_QUAD_SHUFFLE_HORIZ:
    case ADRENO_QUAD_SHUFFLE_VERT:
    case ADRENO_QUAD_SHUFFLE_DIAG: return ALL | NEIGHBOURS;
    case ADRENO_P_PREFETCH:
    case ADRENO_SAM:
    case ADRENO_SAM_ANY:
    case ADRENO_SAMB:
    case ADRENO_SAMB_ANY:
    case ADRENO_GETLOD:
    case ADRENO_GETLOD_ANY:
    case ADRENO_DSX:
    case ADRENO_DSY: return NEIGHBOURS;
    default: return 0;
    }
}

/* The bits of all instructions. */
static uint32_t
find_bits(const ir_fn *f, uint32_t (*bits_of)(const ir_instr *i))
{
    uint32_t bits = 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b)
            bits |= bits_of(i);
    }
    return bits;
}

/* The registers that each stage has, and the places of their fields. */
static const struct stage_registers {
    adreno_obj_register_id control, start, private_memory, config, length, constants;
    uint8_t early_low, merged_low;
    uint32_t double_bit;
} stages[] = {
#define STAGE(s)                                                                                   \
    ADRENO_OBJ_SP_##s##_CTRL_REG0, ADRENO_OBJ_SP_##s##_OBJ_FIRST_EXEC_OFFSET,                      \
        ADRENO_OBJ_SP_##s##_PVT_MEM_PARAM, ADRENO_OBJ_SP_##s##_CONFIG,                             \
        ADRENO_OBJ_SP_##s##_INSTRLEN, ADRENO_OBJ_HLSQ_##s##_CNTL
    [IR_STAGE_COMPUTE] = {STAGE(CS), 23, 31, 1 << 20},
    [IR_STAGE_VERTEX] = {STAGE(VS), 21, 20, 0},
    [IR_STAGE_FRAGMENT] = {STAGE(FS), 28, 31, 1 << 20},
#undef STAGE
};

/* `special` are other bits of SP_xS_CTRL_REG0. */
static void
set_stage(words *w, uint32_t special)
{
    enum { FULL_LOW = 7, STACK_LOW = 14, MAX_STACK = 32, PRIVATE_UNIT = 512, ENABLED = 1 << 8 };
    const adreno_program *p = w->p;
    const struct stage_registers *r = &stages[p->fn->shader.stage];
    const uint32_t places = p->branch_stack ? p->branch_stack / 2 + 1 : 0;
    const uint32_t stack = places < MAX_STACK ? places : MAX_STACK;
    set(w, r->control,
        w->s->full_registers << FULL_LOW | stack << STACK_LOW | (w->is_double ? r->double_bit : 0) |
            (uint32_t)p->early_preamble << r->early_low | UINT32_C(1) << r->merged_low | special);
    set(w, r->start, 0);
    set(w, r->private_memory, (p->private_bytes + PRIVATE_UNIT - 1) / PRIVATE_UNIT);
    set(w, r->config, ENABLED | find_bits(p->fn, resources_of));
    set(w, r->length, adreno_obj_instrlen(p->n_words * ADRENO_WORD_BYTES));
    set(w, r->constants, ENABLED | w->s->consts / 4);
}

/* ---- compute shaders ---- */

/* The size of the constant file in steps of four: 128, 192, 256, 512 constants. */
static uint32_t
const_mode(uint32_t consts)
{
    return consts <= 128 ? 0 : consts <= 192 ? 1 : consts <= 256 ? 2 : 3;
}

static uint32_t
memory_word(const words *w)
{
    enum { KIB = 1024, MODE_LOW = 5 };
    const uint32_t bytes = w->p->local_bytes, size = bytes ? (bytes - 1) / KIB : 0;
    return (size ? size : 1) | const_mode(w->s->consts) << MODE_LOW;
}

/* HLSQ_CS_CNTL_1: from a7xx on with the rows of a workgroup. */
static uint32_t
threads_word(const words *w)
{
    enum { ALWAYS = 1 << 11 | 1 << 22 | 1 << 26, ROWS_LOW = 27 };
    const uint32_t y = w->p->fn->shader.workgroup_size[1];
    const uint32_t rows = y % 8 == 0 ? 1 : y % 4 == 0 ? 2 : y % 2 == 0 ? 4 : 8;
    return NO_REG | (uint32_t)w->is_double << 9 | (w->is_7 ? ALWAYS | rows << ROWS_LOW : 0);
}

static void
set_compute(words *w)
{
    const adreno_program *p = w->p;
    const uint32_t group = p->uses_group_id ? adreno_group_id_number(p->target) : NO_REG;
    const uint32_t local = p->uses_local_id ? 0 : NO_REG, is_double = w->is_double;
    const uint32_t ids = four(group, NO_REG, NO_REG, local);
    set_stage(w, 0);
    set(w, ADRENO_OBJ_SP_CS_MEMORY, memory_word(w));
    set(w, ADRENO_OBJ_HLSQ_CS_CNTL_0, ids);
    set(w, ADRENO_OBJ_HLSQ_CS_CNTL_1, threads_word(w));
    if (!p->target->two_schedulers)
        return;
    set(w, ADRENO_OBJ_SP_CS_CNTL_0, ids);
    set(w, ADRENO_OBJ_SP_CS_CNTL_1,
        NO_REG | (w->is_7 ? is_double << 8 | 1u << 15 : is_double << 9));
    set(w, ADRENO_OBJ_HLSQ_CS_MEMORY, memory_word(w));
}

/* ---- vertex shaders ---- */

static void
set_vertex(words *w)
{
    set_stage(w, 0);
    set(w, ADRENO_OBJ_VFD_CONTROL_1,
        four(reg_of(w, ADRENO_IO_VERTEX_ID), reg_of(w, ADRENO_IO_INSTANCE_ID), NO_REG, NO_REG));
    for (uint32_t k = 0; k < FAMILY_CAPTURED_BUFFERS; k++)
        if (w->p->captured_stride[k])
            set(w, ADRENO_OBJ_VPC_SO_BUFFER_STRIDE_0 + k, w->p->captured_stride[k] / 4);
}

/* ---- fragment shaders ---- */

/* Colours: a register for each attachment up to the last one that is written, and the components of
 * all. */
static void
set_colors(words *w)
{
    enum { COLORS = 8, ALL = 15 };
    uint32_t n = 0, components = 0, aliased = 0;
    for (uint32_t k = 0; k < w->p->n_io; k++) {
        const adreno_io *io = &w->p->io[k];
        const bool second = io->kind == ADRENO_IO_SECOND_COLOR;
        const uint32_t at = second ? 1 : io->location;
        if ((io->kind != ADRENO_IO_COLOR && !second) || at >= COLORS)
            continue;
        set(w, ADRENO_OBJ_SP_FS_OUTPUT_0 + at, io->reg == ADRENO_IO_NO_REG ? NO_REG : io->reg);
        aliased |= (uint32_t)io->aliased << 4 * at;
        components |= second ? 0 : (uint32_t)ALL << 4 * at;
        n = at + 1 > n ? at + 1 : n;
    }
    for (uint32_t k = 0; k < n; k++)
        if (!w->has[ADRENO_OBJ_SP_FS_OUTPUT_0 + k])
            set(w, ADRENO_OBJ_SP_FS_OUTPUT_0 + k, NO_REG);
    set(w, ADRENO_OBJ_SP_FS_RENDER_COMPONENTS, components);
    set(w, ADRENO_OBJ_SP_FS_OUTPUT_CNTL1, n);
    set(w, ADRENO_OBJ_SP_PS_OUTPUT_CONST_CNTL, aliased != 0);
    set(w, ADRENO_OBJ_SP_PS_OUTPUT_CONST_MASK, aliased);
}

/* Textures that are sampled before: SP_FS_PREFETCH, SP_FS_BINDLESS_PREFETCH; their sets are in the
 * fields that have numbers otherwise. */
static void
set_prefetches(words *w)
{
    enum { NO_WEIGHTS = 1 << 3, NO_CONSTS = 0x1ff << 6 | 0x1ff << 16, BINDLESS = 1, SAM = 1 << 1 };
    const unsigned set_low = w->is_7 ? 10 : 11, reg_low = w->is_7 ? 13 : 16;
    const adreno_program *p = w->p;
    set(w, ADRENO_OBJ_SP_FS_PREFETCH_CNTL,
        p->n_prefetches | (has(w, ADRENO_IO_IJ_PIXEL) ? 0 : NO_WEIGHTS) |
            (w->is_7 ? NO_CONSTS : 0));
    for (uint32_t k = 0; k < p->n_prefetches; k++) {
        const adreno_prefetch *f = &p->prefetches[k];
        const uint32_t result = f->reg | (uint32_t)f->mask << 6 | (BINDLESS | SAM) << 12;
        set(w, ADRENO_OBJ_SP_FS_PREFETCH_0 + 2 * k,
            f->place | (uint32_t)f->set << 7 | (uint32_t)f->set << set_low | result << reg_low);
        set(w, ADRENO_OBJ_SP_FS_BINDLESS_PREFETCH_0 + 2 * k,
            f->sampler | (uint32_t)f->texture << 16);
    }
}

static void
set_fragment(words *w)
{
    enum { VARYING = 1 << 22, ALWAYS = 1 << 24, VARYINGS = 2 };
    const bool varies = has(w, ADRENO_IO_VARYING);
    set_stage(w, ALWAYS | (varies ? VARYING : 0) | find_bits(w->p->fn, quad_bits_of));
    set(w, ADRENO_OBJ_SP_FS_OUTPUT_CNTL0,
        four(has(w, ADRENO_IO_SECOND_COLOR), reg_of(w, ADRENO_IO_DEPTH),
             reg_of(w, ADRENO_IO_SAMPLE_MASK), reg_of(w, ADRENO_IO_STENCIL)));
    set_colors(w);
    set_prefetches(w);
    set(w, ADRENO_OBJ_HLSQ_FS_CNTL_0, (uint32_t)w->is_double | (varies ? VARYINGS : 0));
    set(w, ADRENO_OBJ_HLSQ_CONTROL_2_REG,
        four(reg_of(w, ADRENO_IO_FACE), reg_of(w, ADRENO_IO_SAMPLE_ID),
             reg_of(w, ADRENO_IO_SAMPLE_MASK_IN), reg_of(w, ADRENO_IO_CENTER_W)));
    set(w, ADRENO_OBJ_HLSQ_CONTROL_3_REG,
        four(reg_of(w, ADRENO_IO_IJ_PIXEL), reg_of(w, ADRENO_IO_IJ_LINEAR_PIXEL),
             reg_of(w, ADRENO_IO_IJ_CENTROID), reg_of(w, ADRENO_IO_IJ_LINEAR_CENTROID)));
    set(w, ADRENO_OBJ_HLSQ_CONTROL_4_REG,
        four(reg_of(w, ADRENO_IO_IJ_SAMPLE), reg_of(w, ADRENO_IO_IJ_LINEAR_SAMPLE),
             reg_of(w, ADRENO_IO_XY), reg_of(w, ADRENO_IO_ZW)));
}

void
adreno_list_words(const adreno_program *p, adreno_obj_state *s)
{
    void (*const set_words[])(words * w) = {[IR_STAGE_COMPUTE] = set_compute,
                                            [IR_STAGE_VERTEX] = set_vertex,
                                            [IR_STAGE_FRAGMENT] = set_fragment};
    const uint32_t sizes = p->target->wave_sizes, single = sizes & (0 - sizes);
    words w = {
        .p = p, .s = s, .is_7 = p->target->chip->gen >= 7, .is_double = p->wave_size > single};
    if (!p->target->bindless)
        return;
    set_words[p->fn->shader.stage](&w);
    for (unsigned id = 0; id < ADRENO_OBJ_REGISTERS; id++) {
        const uint32_t address = adreno_obj_kind.registers[id].address[w.is_7];
        if (w.has[id] && address)
            s->rows.registers[s->rows.n_registers++] = (obj_register){address, w.value[id]};
    }
}
