/* Fragment shaders: their arguments and built-in values.
 *
 * The hardware gives what SPI_PS_INPUT_ENA asks for, in VGPRs without gaps in the order of its bits
 * (SPI_PS_INPUT_ADDR is the same). Built-in values are computed from these: the layer, and with it
 * the view, and the sample's number from ancillary data, the sample's place from the position.
 * Weights at a sample or an offset follow the plane of i / w, j / w and 1 / w, which is exact.
 */
#include "amd/abi/fragment.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"
#include "base/bits.h"
#include "ir/analysis.h"

/* Fields of ancillary data. */
enum { RATE_X_SHIFT = 2, RATE_Y_SHIFT = 4, RATE_BITS = 2 };
enum { SAMPLE_SHIFT = 8, SAMPLE_BITS = 4, LAYER_SHIFT = 16, LAYER_BITS = 13 };

/* Registers of each input. */
static const uint8_t sizes[AMD_PS_INPUTS] = {2, 2, 2, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static _Noreturn void
unsupported(const amd_abi *a, const ir_instr *i, const char *what)
{
    ir_locate(a->f, i->loc);
    diag_fail(a->f->ctx->diag, ERR_TARGET_SELECT, a->p->target->name, what);
}

/* ---- what is used ---- */

/* With sample shading, what is not at the centroid is at the sample. */
unsigned
amd_abi_weights_input(const amd_abi *a, const ir_instr *i)
{
    static const uint8_t inputs[2][3] = {
        {AMD_PS_PERSP_CENTER, AMD_PS_PERSP_CENTROID, AMD_PS_PERSP_SAMPLE},
        {AMD_PS_LINEAR_CENTER, AMD_PS_LINEAR_CENTROID, AMD_PS_LINEAR_SAMPLE},
    };
    bool linear = ir_attr_get(i, IR_A_INTERP) == IR_INTERP_noperspective;
    uint32_t at = ir_attr_get(i, IR_A_INTERP_AT);
    if (at == IR_INTERP_AT_pixel && amd_abi_own_fragment(a)->per_sample)
        at = IR_INTERP_AT_sample;
    return inputs[linear][at];
}

static void
use(amd_abi *a, unsigned input)
{
    amd_abi_own_fragment(a)->inputs |= 1u << input;
}

static void
scan_refs(const amd_abi *a, const ir_instr *i)
{
    uint8_t *used = amd_abi_own_fragment(a)->used;
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (!ir_is_value(ref) || a->f->values[ref.id].def->op != IR_load_frag_coord)
            continue;
        used[ref.id] |= (uint8_t)(ref.comp == IR_WHOLE ? 15 : 1u << ref.comp);
        for (unsigned c = 0; c < 4; c++)
            amd_abi_own_fragment(a)->inputs |= (used[ref.id] >> c & 1u) << (AMD_PS_POS_X + c);
    }
}

static void
scan_samples(amd_abi *a)
{
    amd_abi_fragment *g = a->own;
    g->uses_state |= (g->pipeline->dynamic & FAMILY_DYNAMIC_SAMPLES) != 0;
}

/* The hardware gives either the samples that are covered, or those of pixels all of whose area is:
 * COVERAGE_TO_SHADER_SELECT 1, INPUT_INNER_COVERAGE, as RADV 26.2.6 sets it. */
static void
scan_coverage(amd_abi *a, const ir_instr *i)
{
    amd_abi_fragment *g = a->own;
    static const amd_hw_field selects[] = {AMD_HW_PA_SC_AA_CONFIG_COVERAGE_TO_SHADER_SELECT,
                                           AMD_HW_SPI_PS_INPUT_ENA_COVERAGE_TO_SHADER_SELECT};
    uint32_t bits = 0;
    use(a, AMD_PS_COVERAGE);
    g->reads_samples |= i->op == IR_load_sample_mask_in;
    g->reads_area |= i->op == IR_load_fully_covered;
    for (unsigned k = 0; k < 2; k++)
        bits |= amd_hw_field_bits(selects[k], a->p->target->gen, 1);
    if (g->reads_area && !bits)
        unsupported(a, i, "FullyCoveredEXT");
    if (g->reads_area && g->reads_samples)
        unsupported(a, i, "FullyCoveredEXT beside SampleMask");
    for (unsigned k = 0; k < 2 && g->reads_area; k++)
        amd_set_field(a->p, selects[k], 1);
}

/* Weights of a place that the shader computes. */
static void
scan_weights(amd_abi *a, const ir_instr *i)
{
    if (i->op == IR_load_barycentric_at_sample)
        scan_samples(a);
    bool linear = ir_attr_get(i, IR_A_INTERP) == IR_INTERP_noperspective;
    use(a, linear ? AMD_PS_LINEAR_CENTER : AMD_PS_PERSP_PULL);
}

static void
scan_input(amd_abi *a, const ir_instr *i)
{
    amd_abi_fragment *g = a->own;
    if (ir_attr_get(i, IR_A_SLOT) == IR_SLOT_layer) {
        use(a, AMD_PS_ANCILLARY);
        return;
    }
    g->uses_params = true;
    g->reads_vertices |= i->op == IR_load_vertex_input;
    if (i->op == IR_load_vertex_input && !amd_has(a->p->target, turns_vertices))
        unsupported(a, i, "inputs of single vertices");
}

/* Input attachments are read at the fragment's place, in its layer. */
static void
scan_texture(amd_abi *a, const ir_instr *i)
{
    if (ir_attr_get(i, IR_A_IMAGE_DIM) != IR_DIM_subpass)
        return;
    use(a, AMD_PS_POS_X);
    use(a, AMD_PS_POS_X + 1);
    if (ir_attr_get(i, IR_A_IMAGE_ARRAY) || amd_abi_own_fragment(a)->pipeline->view_mask)
        use(a, AMD_PS_ANCILLARY);
}

static void
scan(amd_abi *a, const ir_instr *i)
{
    amd_abi_fragment *g = a->own;
    scan_refs(a, i);
    g->writes_memory |= ir_has_flag(i, IR_OP_WRITES);
    switch (i->op) {
    case IR_load_barycentric: use(a, amd_abi_weights_input(a, i)); break;
    case IR_load_barycentric_at_sample:
    case IR_load_barycentric_at_offset: scan_weights(a, i); break;
    case IR_load_input:
    case IR_load_interpolated_input:
    case IR_load_vertex_input: scan_input(a, i); break;
    case IR_load_point_coord:
        g->uses_params = true;
        use(a, AMD_PS_PERSP_CENTER);
        break;
    case IR_load_front_face: use(a, AMD_PS_FRONT_FACE); break;
    case IR_load_sample_id:
    case IR_load_view_index: use(a, AMD_PS_ANCILLARY); break;
    case IR_load_frag_invocations: scan_samples(a); break;
    case IR_load_shading_rate:
        if (amd_has(a->p->target, shading_rates))
            use(a, AMD_PS_ANCILLARY);
        break;
    case IR_load_sample_pos:
        use(a, AMD_PS_POS_X);
        use(a, AMD_PS_POS_X + 1);
        break;
    case IR_load_sample_mask_in:
        scan_coverage(a, i);
        if (g->per_sample)
            use(a, AMD_PS_ANCILLARY);
        break;
    case IR_load_fully_covered: scan_coverage(a, i); break;
    case IR_tex: scan_texture(a, i); break;
    case IR_demote:
    case IR_terminate:
    case AMD_HIR_demote_if_amd: g->kills = true; break;
    case IR_begin_interlock:
        if (!amd_has(a->p->target, overlap_event) && !amd_has(a->p->target, packer_bits))
            unsupported(a, i, "fragment shader interlock");
        g->interlocks = true;
        break;
    default: break;
    }
}

/* ---- arguments ---- */

static unsigned
count_user_sgprs(const amd_abi *a)
{
    return amd_abi_own_fragment(a)->uses_state;
}

static void
declare_user_sgprs(amd_abi *a)
{
    amd_abi_fragment *g = a->own;
    if (g->uses_state)
        g->state_arg = amd_abi_add_arg(a, (amd_arg){.kind = AMD_ARG_FRAGMENT_STATE, .count = 1});
}

static void
declare_nothing(amd_abi *a)
{
    (void)a;
}

static void
declare_last_sgprs(amd_abi *a)
{
    amd_abi_own_fragment(a)->prim_mask_arg = amd_abi_add_arg(
        a, (amd_arg){.kind = AMD_ARG_PRIM_MASK, .count = 1});
    if (amd_abi_waits_by_numbers(a))
        amd_abi_own_fragment(a)->collision_arg = amd_abi_add_arg(
            a, (amd_arg){.kind = AMD_ARG_COLLISION, .count = 1});
}

/* Something of i and j must be asked for, and of perspective ones where w is (Mesa,
 * ac_get_fs_input_vgpr_cnt and radv's SPI_PS_INPUT_ENA). */
static void
complete_inputs(amd_abi_fragment *g)
{
    enum { PERSP = 0xf, ANY = 0x7f };
    if ((g->inputs >> AMD_PS_POS_W & 1) && !(g->inputs & PERSP))
        g->inputs |= 1u << AMD_PS_PERSP_CENTER;
    if (!(g->inputs & ANY))
        g->inputs |= 1u << AMD_PS_LINEAR_CENTER;
}

static void
declare_vgprs(amd_abi *a)
{
    amd_abi_fragment *g = a->own;
    unsigned next = AMD_REG_VGPR0;
    complete_inputs(g);
    for (unsigned k = 0; k < AMD_PS_INPUTS; k++) {
        if (!(g->inputs >> k & 1))
            continue;
        g->args[k] = amd_abi_append_arg(a->p, (amd_arg){.kind = AMD_ARG_FRAGMENT,
                                                        .vgpr = true,
                                                        .count = sizes[k],
                                                        .index = (uint16_t)k,
                                                        .reg = (uint16_t)next});
        next += sizes[k];
    }
    amd_set_register(a->p, AMD_HW_SPI_PS_INPUT_ENA, g->inputs);
    amd_set_register(a->p, AMD_HW_SPI_PS_INPUT_ADDR, g->inputs);
}

/* ---- built-in values ---- */

static ir_ref
ancillary(amd_abi *a, unsigned shift, unsigned bits)
{
    return irb_ubitfield_extract(&a->b, amd_abi_ps_input(a, AMD_PS_ANCILLARY),
                                 amd_abi_imm(a, shift), amd_abi_imm(a, bits));
}

static ir_ref
unary(amd_abi *a, ir_op op, ir_ref x)
{
    return ir_build_alu(&a->b, op, IR_I32, x, ir_none(), ir_none());
}

/* The hardware gives w, FragCoord has 1 / w. */
static ir_ref
frag_coord(amd_abi *a, const ir_instr *i)
{
    ir_ref v[4];
    unsigned used = amd_abi_own_fragment(a)->used[i->defs[0].id];
    for (unsigned c = 0; c < 4; c++)
        v[c] = used >> c & 1 ? amd_abi_ps_input(a, AMD_PS_POS_X + c)
                             : ir_build_undef(&a->b, IR_I32);
    if (used & 8)
        v[3] = unary(a, IR_frcp, v[3]);
    return ir_build_vec(&a->b, v, 4);
}

static ir_ref
sample_pos(amd_abi *a)
{
    ir_ref v[2];
    for (unsigned c = 0; c < 2; c++)
        v[c] = unary(a, IR_ffract, amd_abi_ps_input(a, AMD_PS_POS_X + c));
    return ir_build_vec(&a->b, v, 2);
}

/* The logarithms of its width and height are in bits 3:2 and 5:4 of ancillary data (Mesa,
 * ac_nir_lower_ps_early.c); without such rates all fragments are single pixels. */
static ir_ref
shading_rate(amd_abi *a)
{
    if (!amd_has(a->p->target, shading_rates))
        return amd_abi_imm(a, 0);
    ir_ref x = ancillary(a, RATE_X_SHIFT, RATE_BITS), y = ancillary(a, RATE_Y_SHIFT, RATE_BITS);
    return irb_ior(&a->b, irb_ishl(&a->b, x, amd_abi_imm(a, 2)), y);
}

/* There are no density maps. */
static ir_ref
frag_size(amd_abi *a)
{
    ir_ref v[2] = {amd_abi_imm(a, 1), amd_abi_imm(a, 1)};
    return ir_build_vec(&a->b, v, 2);
}

/* The logarithm of the number of samples. */
static ir_ref
samples_log(amd_abi *a)
{
    const amd_abi_fragment *g = a->own;
    if (g->pipeline->dynamic & FAMILY_DYNAMIC_SAMPLES)
        return irb_iand(&a->b, amd_abi_load_arg(a, g->state_arg),
                        amd_abi_imm(a, AMD_STATE_SAMPLES));
    return amd_abi_imm(a, base_log2_up(g->pipeline->samples));
}

static ir_ref
frag_invocations(amd_abi *a)
{
    const amd_abi_fragment *g = a->own;
    if (!g->per_sample)
        return amd_abi_imm(a, 1);
    return irb_ishl(&a->b, amd_abi_imm(a, 1), samples_log(a));
}

/* Of a fragment for each sample, the mask has that sample alone. */
static ir_ref
sample_mask_in(amd_abi *a)
{
    ir_ref mask = amd_abi_ps_input(a, AMD_PS_COVERAGE);
    if (!amd_abi_own_fragment(a)->per_sample)
        return mask;
    ir_ref sample = ancillary(a, SAMPLE_SHIFT, SAMPLE_BITS);
    return irb_iand(&a->b, mask, irb_ishl(&a->b, amd_abi_imm(a, 1), sample));
}

/* A linear function of the pixel: its value at an offset from the pixel's centre. */
static ir_ref
at_offset(amd_abi *a, ir_ref x, ir_ref dx, ir_ref dy)
{
    ir_builder *b = &a->b;
    ir_ref ddx = ir_build_intr(b, IR_ddx_coarse, IR_I32, &x, 1),
           ddy = ir_build_intr(b, IR_ddy_coarse, IR_I32, &x, 1);
    a->f->values[ddx.id].divergent = a->f->values[ddy.id].divergent = true;
    return irb_ffma(b, ddy, dy, irb_ffma(b, ddx, dx, x));
}

static ir_ref
weights_at(amd_abi *a, const ir_instr *i, ir_ref dx, ir_ref dy)
{
    ir_builder *b = &a->b;
    ir_ref v[3];
    bool linear = ir_attr_get(i, IR_A_INTERP) == IR_INTERP_noperspective;
    ir_ref plane = amd_abi_ps_input(a, linear ? AMD_PS_LINEAR_CENTER : AMD_PS_PERSP_PULL);
    for (unsigned c = 0; c < (linear ? 2 : 3); c++)
        v[c] = at_offset(a, ir_comp(plane, c), dx, dy);
    if (!linear) {
        ir_ref w = unary(a, IR_frcp, v[2]);
        v[0] = irb_fmul(b, v[0], w);
        v[1] = irb_fmul(b, v[1], w);
    }
    return ir_build_vec(b, v, 2);
}

/* The places of samples in 1/16 of a pixel from its centre, x in bits 3:0 and y in 7:4 (Vulkan,
 * "Standard sample locations"), for 1, 2, 4, 8 and 16 samples. */
static const uint8_t places[5][16] = {
    {0x00},
    {0x44, 0xcc},
    {0xae, 0xe6, 0x2a, 0x62},
    {0xd1, 0x3f, 0x15, 0xbd, 0x5b, 0xf9, 0x73, 0x97},
    {0x11, 0xdf, 0x2d, 0xf4, 0xeb, 0x52, 0x35, 0xb3, 0x6e, 0x90, 0xac, 0x4a, 0x08, 0xc7, 0x76,
     0x89},
};

/* The place of sample `n` of 1 << `row`, in bits 8 (n % 4) on: it is found in constants, four
 * samples to a word. */
static ir_ref
place_word(amd_abi *a, unsigned row, ir_ref n)
{
    ir_builder *b = &a->b;
    ir_ref word = amd_abi_imm(a, 0);
    for (unsigned k = 0; k < 16 && (k == 0 || k < 1u << row); k += 4) {
        const uint8_t *at = &places[row][k];
        ir_ref four = amd_abi_imm(a, at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                                         (uint32_t)at[3] << 24);
        word = k ? irb_bcsel(b, irb_ult(b, n, amd_abi_imm(a, k)), word, four) : four;
    }
    return word;
}

/* The same for a number of samples that may be dynamic. */
static ir_ref
any_place_word(amd_abi *a, ir_ref log, ir_ref n)
{
    uint64_t row;
    if (ir_is_const(a->f, log, &row))
        return place_word(a, (unsigned)row, n);
    ir_ref word = place_word(a, 0, n);
    for (unsigned k = 1; k <= 4; k++)
        word = irb_bcsel(&a->b, irb_ieq(&a->b, log, amd_abi_imm(a, k)), place_word(a, k, n), word);
    return word;
}

/* Weights at sample number refs[0], which is taken modulo the number of samples. */
static ir_ref
weights_at_sample(amd_abi *a, const ir_instr *i)
{
    ir_builder *b = &a->b;
    ir_ref one = amd_abi_imm(a, 1), log = samples_log(a), d[2];
    ir_ref n = irb_iand(b, i->refs[0], irb_isub(b, irb_ishl(b, one, log), one));
    ir_ref word = any_place_word(a, log, n);
    ir_ref shift = irb_ishl(b, irb_iand(b, n, amd_abi_imm(a, 3)), amd_abi_imm(a, 3));
    for (unsigned c = 0; c < 2; c++) {
        ir_ref at = irb_iadd(b, shift, amd_abi_imm(a, 4 * c));
        ir_ref v = irb_ibitfield_extract(b, word, at, amd_abi_imm(a, 4));
        d[c] = irb_fmul(b, unary(a, IR_i2f, v), ir_build_fimm(b, 32, 1.0 / 16));
    }
    return weights_at(a, i, d[0], d[1]);
}

/* ---- input attachments ---- */

/* Makes a fetch at the fragment's place of one from an input attachment, which is a 2D image, in
 * layers if the shader reads them or there are several views. */
static void
lower_subpass(amd_abi *a, ir_instr *i)
{
    ir_builder *b = &a->b;
    ir_ref v[3], coord = i->refs[IR_TEX_COORD];
    bool layers = ir_attr_get(i, IR_A_IMAGE_ARRAY) || amd_abi_own_fragment(a)->pipeline->view_mask;
    bool samples = ir_attr_get(i, IR_A_TEX_OP) == IR_TEX_txf_ms;
    for (unsigned c = 0; c < 2; c++) {
        ir_ref at = unary(a, IR_f2i, amd_abi_ps_input(a, AMD_PS_POS_X + c));
        v[c] = irb_iadd(b, at, ir_comp(coord, c));
    }
    if (layers)
        v[2] = ancillary(a, LAYER_SHIFT, LAYER_BITS);
    i->refs[IR_TEX_COORD] = ir_build_vec(b, v, layers ? 3 : 2);
    ir_attr_set(i, IR_A_IMAGE_DIM, samples ? IR_DIM_ms : IR_DIM_2D);
    ir_attr_set(i, IR_A_IMAGE_ARRAY, layers);
}

/* ---- interlocks ---- */

/* The section begins when the waves before that have pixels of this one have made their last
 * export, which stands behind their sections' ends; there the stores are complete. */
static void
order_memory(amd_abi *a, uint32_t semantics)
{
    ir_build_intr(&a->b, IR_barrier, 0, NULL, 0);
    ir_instr *i = ir_built(&a->b);
    ir_attr_set(i, IR_A_SCOPE, IR_SCOPE_device);
    ir_attr_set(i, IR_A_SEMANTICS, semantics);
    ir_attr_set(i, IR_A_MODES, IR_MODE_SSBO | IR_MODE_IMAGE);
}

static void
lower_interlock(amd_abi *a, ir_instr *i)
{
    if (i->op == IR_begin_interlock) {
        ir_builder_before(&a->b, i->next);
        order_memory(a, IR_SEM_ACQUIRE);
        return;
    }
    order_memory(a, IR_SEM_RELEASE);
    ir_unlink(i);
}

/* ---- the stage ---- */

static ir_ref
lower_input(amd_abi *a, ir_instr *i)
{
    bool layer = ir_attr_get(i, IR_A_SLOT) == IR_SLOT_layer;
    return layer ? ancillary(a, LAYER_SHIFT, LAYER_BITS) : amd_abi_load_param(a, i);
}

static ir_ref
lower(amd_abi *a, ir_instr *i)
{
    switch (i->op) {
    case IR_load_barycentric: return amd_abi_ps_input(a, amd_abi_weights_input(a, i));
    case IR_load_barycentric_at_sample: return weights_at_sample(a, i);
    case IR_load_barycentric_at_offset:
        return weights_at(a, i, ir_comp(i->refs[0], 0), ir_comp(i->refs[0], 1));
    case IR_load_input:
    case IR_load_interpolated_input:
    case IR_load_vertex_input: return lower_input(a, i);
    case IR_load_point_coord: return amd_abi_point_coord(a, i);
    case IR_load_frag_coord: return frag_coord(a, i);
    case IR_load_front_face:
        return irb_ine(&a->b, amd_abi_ps_input(a, AMD_PS_FRONT_FACE), amd_abi_imm(a, 0));
    case IR_load_sample_id: return ancillary(a, SAMPLE_SHIFT, SAMPLE_BITS);
    case IR_load_view_index: return ancillary(a, LAYER_SHIFT, LAYER_BITS);
    case IR_load_sample_pos: return sample_pos(a);
    case IR_load_shading_rate: return shading_rate(a);
    case IR_load_frag_size: return frag_size(a);
    case IR_load_frag_invocations: return frag_invocations(a);
    case IR_load_sample_mask_in: return sample_mask_in(a);
    case IR_load_fully_covered:
        return irb_ine(&a->b, amd_abi_ps_input(a, AMD_PS_COVERAGE), amd_abi_imm(a, 0));
    case IR_tex:
        if (ir_attr_get(i, IR_A_IMAGE_DIM) == IR_DIM_subpass)
            lower_subpass(a, i);
        return ir_none();
    case IR_begin_interlock:
    case IR_end_interlock: lower_interlock(a, i); return ir_none();
    default: return ir_none();
    }
}

/* By block: the nearest one that dominates it and is in no divergent if and no loop. */
static void
find_converged(amd_abi *a)
{
    ir_fn *f = a->f;
    arena_mark mark = arena_save(f->ctx->scratch);
    ir_block **open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, ir_block *);
    size_t depth = 0;
    amd_abi_fragment *g = a->own;
    g->converged = ARENA_ARRAY(f->arena, f->n_blocks, ir_block *);
    IR_FOREACH_BLOCK(b, f) {
        if (depth && open[depth - 1]->merge == b)
            depth--;
        g->converged[b->index] = depth ? open[0] : b;
        const ir_instr *t = ir_terminator(b);
        bool parts = t->op == IR_loop || (t->op == IR_if && f->values[t->refs[0].id].divergent);
        if (b->merge && (depth || parts))
            open[depth++] = b;
    }
    arena_release(f->ctx->scratch, mark);
}

static void
start(amd_abi *a)
{
    amd_abi_fragment *g = ARENA_NEW(a->f->arena, amd_abi_fragment);
    a->own = g;
    g->pipeline = a->p->pipeline;
    g->used = ARENA_ARRAY(a->f->arena, a->f->n_values, uint8_t);
    g->per_sample = a->f->shader.fragment.sample_shading || g->pipeline->sample_shading;
    g->uses_state = (g->pipeline->dynamic & FAMILY_DYNAMIC_ALPHA) != 0;
    find_converged(a);
}

/* Positions are those of the sample where there is a fragment for each. */
static void
set_input_registers(const amd_abi *a)
{
    enum { AT_CENTER, AT_CENTROID, AT_SAMPLE };
    amd_program *p = a->p;
    const amd_abi_fragment *g = a->own;
    amd_set_field(p, AMD_HW_SPI_BARYC_CNTL_FRONT_FACE_ALL_BITS, 1);
    amd_set_field(p, AMD_HW_SPI_BARYC_CNTL_POS_FLOAT_LOCATION,
                  g->per_sample ? AT_SAMPLE : AT_CENTER);
    amd_set_field(p, AMD_HW_SPI_PS_IN_CONTROL_NUM_INTERP, p->n_params);
    amd_set_field(p, AMD_HW_SPI_SHADER_GS_OUT_CONFIG_PS_NUM_INTERP, p->n_params);
    amd_set_field(p, AMD_HW_SPI_PS_IN_CONTROL_PS_W32_EN, p->wave_size == 32);
}

static void
finish(amd_abi *a)
{
    set_input_registers(a);
    amd_abi_lower_colors(a);
    if (amd_abi_waits_by_numbers(a))
        amd_abi_wait_by_numbers(a);
    ir_compute_divergence(a->f);
}

const amd_abi_stage amd_abi_fragment_stage = {
    .start = start,
    .scan = scan,
    .count_user_sgprs = count_user_sgprs,
    .declare_user_sgprs = declare_user_sgprs,
    .declare_first_sgprs = declare_nothing,
    .declare_last_sgprs = declare_last_sgprs,
    .declare_vgprs = declare_vgprs,
    .lower = lower,
    .finish = finish,
};
