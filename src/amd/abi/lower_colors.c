/* Outputs of fragment shaders: what lower_abi makes of their stores, which stand in the block that
 * ends the shader.
 *
 * Colours are exported to targets 0 to 7 in the formats that suit their attachments
 * (color_format.c), depth, stencil and mask of samples together to their own target. Depth comes
 * first, and the last export is done and says which lanes are valid. A shader that exports nothing
 * makes an empty export where the hardware waits for one. Targets without a format must not stand
 * before others (hang; Mesa, radv_pipeline: "all previous target formats must be non-zero"), so
 * they get one.
 */
#include "amd/abi/fragment.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"

typedef struct color {
    ir_ref comp[4];
    uint8_t mask; /* components that are stored */
    uint8_t base; /* ir_base_type */
} color;

/* An export that is made when all values are there, so that none waits for the one before. */
typedef struct pending_export {
    ir_ref value;
    uint32_t base; /* target and AMD_EXPORT_* */
    uint32_t mask;
} pending_export;

enum { MAX_EXPORTS = FAMILY_COLORS + 2 };

typedef struct outputs {
    amd_abi *a;
    const family_pipeline *pipeline;
    color colors[FAMILY_COLORS], second; /* second: the other source of color 0 */
    ir_ref depth, stencil, sample_mask;
    uint8_t formats[FAMILY_COLORS]; /* amd_color_format */
    pending_export exports[MAX_EXPORTS];
    unsigned n_exports;
} outputs;

/* ---- gathering ---- */

static color *
color_of(outputs *o, const ir_instr *i)
{
    uint32_t location = ir_attr_get(i, IR_A_LOCATION);
    if (ir_attr_get(i, IR_A_BLEND_SOURCE))
        return &o->second;
    return location < FAMILY_COLORS ? &o->colors[location] : NULL;
}

static void
gather_color(outputs *o, const ir_instr *i)
{
    ir_ref value = i->refs[0];
    unsigned at = ir_attr_get(i, IR_A_COMPONENT), n = ir_type_comps(ir_ref_type(o->a->f, value));
    color *to = color_of(o, i);
    for (unsigned c = 0; to && c < n && at + c < 4; c++) {
        to->comp[at + c] = value.comp == IR_WHOLE && n > 1 ? ir_comp(value, c) : value;
        to->mask |= (uint8_t)(1u << (at + c));
        to->base = (uint8_t)ir_attr_get(i, IR_A_TEX_TYPE);
    }
}

static void
gather_store(void *user, const ir_instr *i)
{
    outputs *o = user;
    switch (ir_attr_get(i, IR_A_SLOT)) {
    case IR_SLOT_location: gather_color(o, i); break;
    case IR_SLOT_depth: o->depth = i->refs[0]; break;
    case IR_SLOT_stencil: o->stencil = i->refs[0]; break;
    case IR_SLOT_sample_mask: o->sample_mask = i->refs[0]; break;
    default: break;
    }
}

/* ---- exports ---- */

/* Without components (`mask` 0) one that is undefined stands for them, and is left out. */
static void
export_vector(outputs *o, unsigned target, const ir_ref comps[4], unsigned mask)
{
    ir_ref v[4];
    for (unsigned c = 0; c < 4; c++)
        v[c] = mask >> c & 1 ? comps[c] : ir_build_undef(&o->a->b, IR_I32);
    o->exports[o->n_exports++] = (pending_export){
        .value = ir_build_vec(&o->a->b, v, 4), .base = target, .mask = mask ? mask : 1};
}

/* Two channels to a register, where the instruction says that and not the format. */
static void
mark_halves(outputs *o)
{
    if (amd_has(o->a->p->target, exports_halves))
        o->exports[o->n_exports - 1].base |= AMD_EXPORT_COMPRESSED;
}

static void
make_exports(outputs *o)
{
    for (unsigned n = 0; n < o->n_exports; n++) {
        const pending_export *e = &o->exports[n];
        bool last = n + 1 == o->n_exports;
        ir_build_intr(&o->a->b, AMD_HIR_export_amd, 0, &e->value, 1);
        ir_attr_set(ir_built(&o->a->b), IR_A_BASE,
                    e->base | (last ? AMD_EXPORT_DONE | AMD_EXPORT_VALID_MASK : 0u));
        ir_attr_set(ir_built(&o->a->b), IR_A_WRITE_MASK, e->mask);
    }
}

static ir_ref
convert(outputs *o, ir_op op, unsigned bits, ir_ref r)
{
    return ir_build_alu(&o->a->b, op, IR_TYPE(bits, 1), r, ir_none(), ir_none());
}

static unsigned
bits_of(const outputs *o, ir_ref r)
{
    return ir_type_bits(o->a->f->values[r.id].type);
}

/* The component as 32 bits of its type. */
static ir_ref
widened(outputs *o, const color *c, ir_ref r)
{
    static const ir_op ops[] = {
        [IR_BASE_float] = IR_f2f, [IR_BASE_int] = IR_i2i, [IR_BASE_uint] = IR_u2u};
    return bits_of(o, r) == 32 ? r : convert(o, ops[c->base], 32, r);
}

/* ---- 16 bits a channel ---- */

/* Integers of attachments with less bits than the export has are clamped here. */
static ir_ref
clamped(outputs *o, const color *c, const mach_format_info *f, unsigned at, ir_ref r)
{
    ir_builder *b = &o->a->b;
    char source = f->swizzle[at];
    unsigned bits = source < 'w' ? 16 : f->bits[source == 'w' ? 3 : source - 'x'];
    if (bits >= 16 || !bits)
        return r;
    if (c->base == IR_BASE_uint)
        return irb_umin(b, r, amd_abi_imm(o->a, (1u << bits) - 1));
    r = irb_imin(b, r, amd_abi_imm(o->a, (1u << (bits - 1)) - 1));
    return irb_imax(b, r, amd_abi_imm(o->a, ~0u << (bits - 1)));
}

static ir_ref
pack(outputs *o, amd_pack how, ir_ref low, ir_ref high)
{
    ir_ref refs[2] = {low, high};
    ir_ref r = ir_build_intr(&o->a->b, AMD_HIR_pack_color_amd, IR_I32, refs, 2);
    ir_attr_set(ir_built(&o->a->b), IR_A_BASE, how);
    o->a->f->values[r.id].divergent = true;
    return r;
}

/* Two channels that are stored as the export has them. */
static bool
are_halves(const outputs *o, const color *c, unsigned format, unsigned at)
{
    for (unsigned k = at; k < at + 2; k++) {
        if ((c->mask >> k & 1) && bits_of(o, c->comp[k]) != 16)
            return false;
    }
    return format != AMD_COLOR_UNORM16 && format != AMD_COLOR_SNORM16;
}

/* Channels `at` and `at` + 1 in one register; one of them at least is stored. */
static ir_ref
packed_pair(outputs *o, const color *c, unsigned format, const mach_format_info *f, unsigned at)
{
    bool halves = are_halves(o, c, format, at);
    ir_ref v[2];
    for (unsigned k = 0; k < 2; k++) {
        if (!(c->mask >> (at + k) & 1)) {
            v[k] = ir_build_undef(&o->a->b, halves ? IR_I16 : IR_I32);
            continue;
        }
        ir_ref r = c->comp[at + k];
        bool integer = format == AMD_COLOR_UINT16 || format == AMD_COLOR_SINT16;
        if (halves && !integer) {
            v[k] = r;
            continue;
        }
        r = widened(o, c, r);
        v[k] = integer ? clamped(o, c, f, at + k, r) : r;
        if (halves)
            v[k] = convert(o, IR_u2u, 16, v[k]);
    }
    if (halves)
        return irb_pack_32_2x16(&o->a->b, v[0], v[1]);
    return pack(o, (amd_pack)(format - AMD_COLOR_FP16), v[0], v[1]);
}

static void
export_packed(outputs *o, unsigned target, const color *c, unsigned format,
              const mach_format_info *f)
{
    ir_ref v[4];
    unsigned mask = 0;
    for (unsigned k = 0; k < 2; k++) {
        if (!(c->mask >> (2 * k) & 3))
            continue;
        v[k] = packed_pair(o, c, format, f, 2 * k);
        mask |= 1u << k;
    }
    export_vector(o, target, v, mask);
    mark_halves(o);
}

/* ---- 32 bits a channel ---- */

static void
export_wide(outputs *o, unsigned target, const color *c, unsigned format)
{
    static const uint8_t channels[] = {[AMD_COLOR_32_R] = 1,
                                       [AMD_COLOR_32_GR] = 3,
                                       [AMD_COLOR_32_AR] = 9,
                                       [AMD_COLOR_32_ABGR] = 15};
    unsigned mask = c->mask & channels[format];
    ir_ref v[4];
    for (unsigned k = 0; k < 4; k++) {
        if (mask >> k & 1)
            v[k] = widened(o, c, c->comp[k]);
    }
    if (format == AMD_COLOR_32_AR && !amd_has(o->a->p->target, red_and_alpha)) {
        v[1] = v[3];
        mask = (mask & 1) | (mask >> 3 & 1) << 1;
    }
    if (mask)
        export_vector(o, target, v, mask);
}

/* ---- colours ---- */

/* The attachment of a colour, or what stands for it by default. */
static family_color
attachment(const outputs *o, unsigned n)
{
    static const mach_format defaults[] = {[IR_BASE_float] = MACH_FORMAT_r8g8b8a8_unorm,
                                           [IR_BASE_int] = MACH_FORMAT_r8g8b8a8_sint,
                                           [IR_BASE_uint] = MACH_FORMAT_r8g8b8a8_uint};
    if (o->pipeline->has_colors)
        return o->pipeline->colors[n];
    return (family_color){.format = defaults[o->colors[n].base]};
}

static unsigned
choose_format(const outputs *o, unsigned n)
{
    const family_pipeline *p = o->pipeline;
    family_color c = attachment(o, n);
    bool alpha = n == 0 && p->alpha_to_coverage;
    if (!o->colors[n].mask)
        return AMD_COLOR_ZERO;
    if (p->dynamic & FAMILY_DYNAMIC_COLORS)
        return AMD_COLOR_32_ABGR; /* all attachments accept it */
    if (!c.format && alpha)
        return AMD_COLOR_32_AR;
    return amd_abi_color_format(&c, alpha || (p->dynamic & FAMILY_DYNAMIC_ALPHA));
}

static void
export_color(outputs *o, unsigned target, const color *c, unsigned n)
{
    unsigned format = o->formats[n];
    family_color at = attachment(o, n);
    if (!c->mask || format == AMD_COLOR_ZERO)
        return;
    if (format >= AMD_COLOR_FP16 && format <= AMD_COLOR_SINT16)
        export_packed(o, target, c, format, mach_format_get(at.format));
    else
        export_wide(o, target, c, format);
}

/* The alpha that is exported: 1, if the state says so when the shader runs. */
static ir_ref
chosen_alpha(outputs *o, ir_ref alpha)
{
    amd_abi *a = o->a;
    ir_ref one = ir_build_fimm(&a->b, bits_of(o, alpha), 1);
    if (!(o->pipeline->dynamic & FAMILY_DYNAMIC_ALPHA))
        return one;
    ir_ref state = amd_abi_load_arg(a, amd_abi_own_fragment(a)->state_arg);
    ir_ref flag = irb_iand(&a->b, state, amd_abi_imm(a, AMD_STATE_ALPHA_TO_ONE));
    return irb_bcsel(&a->b, irb_ine(&a->b, flag, amd_abi_imm(a, 0)), one, alpha);
}

/* Alpha to one; what covers samples is the alpha before. */
static void
set_alpha(outputs *o)
{
    bool may = o->pipeline->alpha_to_one || (o->pipeline->dynamic & FAMILY_DYNAMIC_ALPHA);
    for (unsigned n = 0; n < FAMILY_COLORS && may; n++) {
        color *c = &o->colors[n];
        if ((c->mask & 8) && c->base == IR_BASE_float)
            c->comp[3] = chosen_alpha(o, c->comp[3]);
    }
}

/* Of two exports, the sources of one attachment, makes one of even lanes' colours and one of odd
 * lanes': a lane's own one beside the other of its neighbour. */
static void
pair_sources(outputs *o, pending_export *e)
{
    ir_builder *b = &o->a->b;
    const ir_ref source[2] = {e[0].value, e[1].value};
    unsigned mask = e[0].mask | e[1].mask;
    for (unsigned parity = 0; parity < 2; parity++) {
        ir_ref v[4];
        for (unsigned c = 0; c < 4; c++) {
            ir_ref refs[2] = {ir_comp(source[parity], c), ir_comp(source[!parity], c)};
            v[c] = mask >> c & 1 ? ir_build_intr(b, AMD_HIR_pair_lanes_amd, IR_I32, refs, 2)
                                 : ir_build_undef(b, IR_I32);
            if (mask >> c & 1)
                ir_attr_set(ir_built(b), IR_A_BASE, parity);
        }
        e[parity] = (pending_export){
            .value = ir_build_vec(b, v, 4), .base = AMD_TARGET_DUAL_SOURCE + parity, .mask = mask};
    }
}

static void
export_colors(outputs *o)
{
    unsigned first = o->n_exports;
    for (unsigned n = 0; n < FAMILY_COLORS; n++)
        export_color(o, AMD_TARGET_COLOR + n, &o->colors[n], n);
    export_color(o, AMD_TARGET_COLOR + 1, &o->second, 0);
    if (o->n_exports == first + 2 && o->second.mask && amd_has(o->a->p->target, swaps_dual_source))
        pair_sources(o, &o->exports[first]);
}

/* ---- depth, stencil, mask of samples ---- */

/* Stencil and mask alone are exported in 16 bits: the stencil's number in the high half of the
 * first register, the mask in the low half of the second. */
static void
export_small_depth(outputs *o)
{
    ir_ref v[4];
    unsigned mask = 0;
    if (ir_is_value(o->stencil)) {
        v[0] = irb_ishl(&o->a->b, o->stencil, amd_abi_imm(o->a, 16));
        mask |= 1;
    }
    if (ir_is_value(o->sample_mask)) {
        v[1] = o->sample_mask;
        mask |= 2;
    }
    export_vector(o, AMD_TARGET_DEPTH, v, mask);
    mark_halves(o);
}

/* Exports them in the smallest format that has all (Mesa, ac_get_spi_shader_z_format). */
static void
export_depth(outputs *o)
{
    amd_program *p = o->a->p;
    ir_ref v[4] = {o->depth, o->stencil, o->sample_mask, ir_none()};
    unsigned mask = 0;
    unsigned format;
    for (unsigned k = 0; k < 3; k++)
        mask |= ir_is_value(v[k]) ? 1u << k : 0;
    if (!mask)
        return;
    bool covers = o->pipeline->alpha_to_coverage || (o->pipeline->dynamic & FAMILY_DYNAMIC_ALPHA);
    bool alpha = covers && amd_has(p->target, alpha_in_z) && (o->colors[0].mask & 8);
    if (alpha) {
        v[3] = widened(o, &o->colors[0], o->colors[0].comp[3]);
        mask |= 8;
    }
    if (mask & 9)
        format = mask & 12 ? AMD_COLOR_32_ABGR : mask & 2 ? AMD_COLOR_32_GR : AMD_COLOR_32_R;
    else
        format = AMD_COLOR_UINT16;
    amd_set_field(p, AMD_HW_SPI_SHADER_Z_FORMAT_Z_EXPORT_FORMAT, format);
    if (format == AMD_COLOR_UINT16) {
        export_small_depth(o);
        return;
    }
    if (amd_has(p->target, z_mask_bug) && !(mask & 1)) {
        v[0] = amd_abi_imm(o->a, 0);
        mask |= 1;
    }
    export_vector(o, AMD_TARGET_DEPTH, v, mask);
}

/* ---- registers ---- */

static void
set_depth_control(const outputs *o)
{
    enum { LATE_Z, EARLY_Z_THEN_LATE_Z };
    static const uint8_t bounds[] = {
        [IR_DEPTH_ANY] = 0, [IR_DEPTH_LESS] = 1, [IR_DEPTH_GREATER] = 2, [IR_DEPTH_UNCHANGED] = 0};
    amd_program *p = o->a->p;
    const amd_abi_fragment *g = amd_abi_own_fragment(o->a);
    const ir_fragment *s = &o->a->f->shader.fragment;
    bool early = s->early_tests || !g->writes_memory;
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_Z_EXPORT_ENABLE, ir_is_value(o->depth));
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_STENCIL_TEST_VAL_EXPORT_ENABLE,
                  ir_is_value(o->stencil));
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_MASK_EXPORT_ENABLE, ir_is_value(o->sample_mask));
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_KILL_ENABLE, g->kills);
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_Z_ORDER, early ? EARLY_Z_THEN_LATE_Z : LATE_Z);
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_CONSERVATIVE_Z_EXPORT, bounds[s->depth_bound]);
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_DEPTH_BEFORE_SHADER, s->early_tests);
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_PRE_SHADER_DEPTH_COVERAGE_ENABLE,
                  s->post_depth_coverage);
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_EXEC_ON_HIER_FAIL, g->writes_memory);
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_EXEC_ON_NOOP, g->writes_memory);
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER, g->interlocks);
    amd_set_field(p, AMD_HW_DB_SHADER_CONTROL_ALPHA_TO_MASK_DISABLE,
                  !o->pipeline->alpha_to_coverage &&
                      !(o->pipeline->dynamic & FAMILY_DYNAMIC_ALPHA));
}

static void
set_color_formats(const outputs *o)
{
    static const uint8_t channels[] = {
        [AMD_COLOR_ZERO] = 0, [AMD_COLOR_32_R] = 1, [AMD_COLOR_32_GR] = 3, [AMD_COLOR_32_AR] = 9};
    uint32_t formats = 0, mask = 0;
    for (unsigned n = FAMILY_COLORS; n-- > 0;) {
        unsigned f = o->formats[n];
        mask |= (f <= AMD_COLOR_32_AR ? channels[f] : 15u) << (4 * n);
        formats |= (f || !formats ? f : AMD_COLOR_32_R) << (4 * n);
    }
    if (o->second.mask) {
        formats |= (formats & 15) << 4;
        mask |= (mask & 15) << 4;
    }
    amd_set_register(o->a->p, AMD_HW_CB_SHADER_MASK, mask);
    amd_set_register(o->a->p, AMD_HW_SPI_SHADER_COL_FORMAT, formats);
}

/* ---- the whole ---- */

/* Ends a shader that exports nothing, where it must. */
static void
export_nothing(outputs *o)
{
    const amd_target *t = o->a->p->target;
    if (!amd_abi_own_fragment(o->a)->kills && !amd_has(t, needs_null_export))
        return;
    export_vector(o, amd_has(t, has_null_target) ? AMD_TARGET_NULL : AMD_TARGET_COLOR, NULL, 0);
    amd_set_register(o->a->p, AMD_HW_SPI_SHADER_COL_FORMAT, AMD_COLOR_32_R);
}

void
amd_abi_lower_colors(amd_abi *a)
{
    outputs *o = ARENA_NEW(a->f->arena, outputs);
    *o = (outputs){.a = a, .pipeline = amd_abi_own_fragment(a)->pipeline};
    o->depth = o->stencil = o->sample_mask = ir_none();
    if (!amd_abi_take_outputs(o->a, gather_store, o))
        return;
    for (unsigned n = 0; n < FAMILY_COLORS; n++)
        o->formats[n] = (uint8_t)choose_format(o, n);
    set_depth_control(o);
    set_color_formats(o);
    export_depth(o);
    set_alpha(o);
    export_colors(o);
    if (!o->n_exports)
        export_nothing(o);
    make_exports(o);
}
