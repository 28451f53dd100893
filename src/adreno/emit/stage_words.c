/* Register words of vertex and fragment shaders: those that depend on one shader alone. What two
 * shaders agree on (places of outputs in VPC, SP_VS_OUT, VFD_DEST_CNTL) a driver makes of the rows
 * of both. The words are those of turnip 26.2.6 for code that has the same (its command streams on
 * a660 and a750); unnamed bits are set as there. */
#include "adreno/emit/words.h"

enum { NONE = ADRENO_WORD_NO_REG, FULL_LOW = 7, STACK_LOW = 14 };

static bool
has(const adreno_program *p, adreno_io_kind kind)
{
    return adreno_find_io(p, kind) != NULL;
}

/* The register of the row of a kind. */
static uint32_t
reg_of(const adreno_program *p, adreno_io_kind kind)
{
    const adreno_io *io = adreno_find_io(p, kind);
    return io && io->reg != ADRENO_IO_NO_REG ? io->reg : NONE;
}

static uint32_t
four(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return a | b << 8 | c << 16 | d << 24;
}

/* ---- vertex shaders ---- */

static void
add_vertex(adreno_words *w)
{
    enum { MERGED = 1 << 20, EARLY_LOW = 21 };
    const adreno_program *p = w->p;
    adreno_add_word(w, ADRENO_OBJ_SP_VS_CTRL_REG0,
                    w->s->full_registers << FULL_LOW | adreno_stack_word(p) << STACK_LOW | MERGED |
                        (uint32_t)p->early_preamble << EARLY_LOW);
    adreno_add_word(w, ADRENO_OBJ_SP_VS_OBJ_FIRST_EXEC_OFFSET, 0);
    adreno_add_word(w, ADRENO_OBJ_SP_VS_PVT_MEM_PARAM, adreno_private_word(p));
    adreno_add_word(w, ADRENO_OBJ_SP_VS_CONFIG, ADRENO_WORD_ENABLED | w->resources);
    adreno_add_word(w, ADRENO_OBJ_SP_VS_INSTRLEN, adreno_obj_instrlen(w->code_size));
    adreno_add_word(w, ADRENO_OBJ_HLSQ_VS_CNTL, ADRENO_WORD_ENABLED | w->s->consts / 4);
    adreno_add_word(
        w, ADRENO_OBJ_VFD_CONTROL_1,
        four(reg_of(p, ADRENO_IO_VERTEX_ID), reg_of(p, ADRENO_IO_INSTANCE_ID), NONE, NONE));
    for (uint32_t k = 0; k < FAMILY_CAPTURED_BUFFERS; k++)
        if (p->captured_stride[k])
            adreno_add_word(w, (adreno_obj_register_id)(ADRENO_OBJ_VPC_SO_BUFFER_STRIDE_0 + k),
                            p->captured_stride[k] / 4);
}

/* ---- fragment shaders ---- */

/* What a fragment shader wants of its quad: neighbours for coarse differences, or all of it. */
static uint32_t
quad_bits(const ir_fn *f)
{
    enum { ALL = 1 << 23, NEIGHBOURS = 1 << 26 };
    uint32_t bits = 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            switch (i->op) {
            case ADRENO_DSXPP_1:
            case ADRENO_DSYPP_1:
            case ADRENO_QUAD_SHUFFLE_BRCST:
            case ADRENO_QUAD_SHUFFLE_HORIZ:
            case ADRENO_QUAD_SHUFFLE_VERT:
            case ADRENO_QUAD_SHUFFLE_DIAG: bits |= ALL | NEIGHBOURS; break;
            case ADRENO_P_PREFETCH:
            case ADRENO_SAM:
            case ADRENO_SAM_ANY:
            case ADRENO_SAMB:
            case ADRENO_SAMB_ANY:
            case ADRENO_GETLOD:
            case ADRENO_GETLOD_ANY:
            case ADRENO_DSX:
            case ADRENO_DSY: bits |= NEIGHBOURS; break;
            default: break;
            }
        }
    }
    return bits;
}

static uint32_t
control_word(const adreno_words *w)
{
    enum {
        DOUBLE = 1 << 20,
        VARYING = 1 << 22,
        ALWAYS = 1 << 24,
        EARLY_LOW = 28,
        MERGED = (int)(1u << 31)
    };
    const adreno_program *p = w->p;
    return w->s->full_registers << FULL_LOW | adreno_stack_word(p) << STACK_LOW |
           (adreno_is_double_wave(p) ? DOUBLE : 0) | (has(p, ADRENO_IO_VARYING) ? VARYING : 0) |
           quad_bits(p->fn) | ALWAYS | (uint32_t)p->early_preamble << EARLY_LOW | (uint32_t)MERGED;
}

/* Colours: a register for each attachment up to the last one that is written, and the components of
 * all. */
static void
add_colors(adreno_words *w)
{
    enum { COLORS = 8, ALL = 15 };
    const adreno_program *p = w->p;
    uint32_t regs[COLORS], n = 0, components = 0, aliased = 0;
    for (uint32_t k = 0; k < COLORS; k++)
        regs[k] = NONE;
    for (uint32_t k = 0; k < p->n_io; k++) {
        const adreno_io *io = &p->io[k];
        const bool second = io->kind == ADRENO_IO_SECOND_COLOR;
        const uint32_t at = second ? 1 : io->location;
        if ((io->kind != ADRENO_IO_COLOR && !second) || at >= COLORS)
            continue;
        regs[at] = io->reg == ADRENO_IO_NO_REG ? NONE : io->reg;
        aliased |= (uint32_t)io->aliased << 4 * at;
        components |= second ? 0 : (uint32_t)ALL << 4 * at;
        n = at + 1 > n ? at + 1 : n;
    }
    adreno_add_word(w, ADRENO_OBJ_SP_FS_RENDER_COMPONENTS, components);
    adreno_add_word(w, ADRENO_OBJ_SP_FS_OUTPUT_CNTL1, n);
    adreno_add_word(w, ADRENO_OBJ_SP_PS_OUTPUT_CONST_CNTL, aliased != 0);
    adreno_add_word(w, ADRENO_OBJ_SP_PS_OUTPUT_CONST_MASK, aliased);
    for (uint32_t k = 0; k < n; k++)
        adreno_add_word(w, (adreno_obj_register_id)(ADRENO_OBJ_SP_FS_OUTPUT_0 + k), regs[k]);
}

/* Textures that are sampled before: SP_FS_PREFETCH, SP_FS_BINDLESS_PREFETCH; their sets are in the
 * fields that have numbers otherwise. */
static void
add_prefetches(adreno_words *w)
{
    enum { SAM = 1, BINDLESS_6 = 1 << 28, BINDLESS_7 = 1 << 25 };
    const adreno_program *p = w->p;
    for (uint32_t k = 0; k < p->n_prefetches; k++) {
        const adreno_prefetch *f = &p->prefetches[k];
        const uint32_t set = f->set, reg = f->reg, mask = f->mask;
        const uint32_t on_6 = f->place | set << 7 | set << 11 | reg << 16 | mask << 22 |
                              (uint32_t)BINDLESS_6 | (uint32_t)SAM << 29;
        const uint32_t on_7 = f->place | set << 7 | set << 10 | reg << 13 | mask << 19 |
                              (uint32_t)BINDLESS_7 | (uint32_t)SAM << 26;
        adreno_add_word(w, (adreno_obj_register_id)(ADRENO_OBJ_SP_FS_PREFETCH_0 + k),
                        p->target->chip->gen >= 7 ? on_7 : on_6);
        adreno_add_word(w, (adreno_obj_register_id)(ADRENO_OBJ_SP_FS_BINDLESS_PREFETCH_0 + k),
                        f->sampler | (uint32_t)f->texture << 16);
    }
}

/* Where the inputs are. */
static void
add_inputs(adreno_words *w)
{
    enum { NO_WEIGHTS = 1 << 3, NO_CONSTS = 0x1ff << 6 | 0x1ff << 16, VARYINGS = 2 };
    const adreno_program *p = w->p;
    const bool is_7 = p->target->chip->gen >= 7;
    adreno_add_word(w, ADRENO_OBJ_SP_FS_PREFETCH_CNTL,
                    p->n_prefetches | (has(p, ADRENO_IO_IJ_PIXEL) ? 0 : NO_WEIGHTS) |
                        (is_7 ? NO_CONSTS : 0));
    add_prefetches(w);
    adreno_add_word(w, ADRENO_OBJ_HLSQ_FS_CNTL_0,
                    (uint32_t)adreno_is_double_wave(p) |
                        (has(p, ADRENO_IO_VARYING) ? VARYINGS : 0));
    adreno_add_word(w, ADRENO_OBJ_HLSQ_CONTROL_2_REG,
                    four(reg_of(p, ADRENO_IO_FACE), reg_of(p, ADRENO_IO_SAMPLE_ID),
                         reg_of(p, ADRENO_IO_SAMPLE_MASK_IN), reg_of(p, ADRENO_IO_CENTER_W)));
    adreno_add_word(w, ADRENO_OBJ_HLSQ_CONTROL_3_REG,
                    four(reg_of(p, ADRENO_IO_IJ_PIXEL), reg_of(p, ADRENO_IO_IJ_LINEAR_PIXEL),
                         reg_of(p, ADRENO_IO_IJ_CENTROID),
                         reg_of(p, ADRENO_IO_IJ_LINEAR_CENTROID)));
    adreno_add_word(w, ADRENO_OBJ_HLSQ_CONTROL_4_REG,
                    four(reg_of(p, ADRENO_IO_IJ_SAMPLE), reg_of(p, ADRENO_IO_IJ_LINEAR_SAMPLE),
                         reg_of(p, ADRENO_IO_XY), reg_of(p, ADRENO_IO_ZW)));
}

static void
add_fragment(adreno_words *w)
{
    const adreno_program *p = w->p;
    const uint32_t dual = has(p, ADRENO_IO_SECOND_COLOR);
    adreno_add_word(w, ADRENO_OBJ_SP_FS_CTRL_REG0, control_word(w));
    adreno_add_word(w, ADRENO_OBJ_SP_FS_OBJ_FIRST_EXEC_OFFSET, 0);
    adreno_add_word(w, ADRENO_OBJ_SP_FS_PVT_MEM_PARAM, adreno_private_word(p));
    adreno_add_word(w, ADRENO_OBJ_SP_FS_OUTPUT_CNTL0,
                    four(dual, reg_of(p, ADRENO_IO_DEPTH), reg_of(p, ADRENO_IO_SAMPLE_MASK),
                         reg_of(p, ADRENO_IO_STENCIL)));
    add_colors(w);
    add_inputs(w);
    adreno_add_word(w, ADRENO_OBJ_SP_FS_CONFIG, ADRENO_WORD_ENABLED | w->resources);
    adreno_add_word(w, ADRENO_OBJ_SP_FS_INSTRLEN, adreno_obj_instrlen(w->code_size));
    adreno_add_word(w, ADRENO_OBJ_HLSQ_FS_CNTL, ADRENO_WORD_ENABLED | w->s->consts / 4);
}

void
adreno_add_stage_words(adreno_words *w)
{
    const ir_stage stage = w->p->fn->shader.stage;
    if (!w->p->target->bindless)
        return;
    if (stage == IR_STAGE_VERTEX)
        add_vertex(w);
    else if (stage == IR_STAGE_FRAGMENT)
        add_fragment(w);
}
