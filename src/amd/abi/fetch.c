/* Attributes of vertices: what lower_abi makes of a vertex shader's load_input.
 *
 * A binding's elements are numbered by vertex or by instance; its V#, from the table in user SGPRs,
 * has address, stride and number of elements, so that the hardware checks the index. Which bytes of
 * an element are loaded, and how they become numbers, is in the instruction: channels of 32 and 64
 * bits are loaded as dwords, all others by typed loads, several channels at once where alignment
 * and the generation's formats allow it. Then channels are put in the format's order, missing ones
 * are 0, 0, 0, 1, and numbers of 16 bits are narrowed.
 *
 * Where vertex input is dynamic state, the table has a record for each location: a V# with the
 * attribute's address, whose format makes its numbers, and how elements are numbered (docs/abi.md).
 */
#include "amd/abi/typed_format.h"
#include "amd/abi/vertex.h"

#include "amd/target/hir_level.h"

#include <string.h>

enum { BINDING_BYTES = 16, LARGEST_OFFSET = 4095 };

/* An attribute of the pipeline, or what stands for it by default. */
typedef struct attribute {
    const mach_format_info *format; /* channels 0: the shader's numbers as they are */
    uint32_t binding, offset, align;
    unsigned wide; /* numbers of 64 bits; 0: as many as the shader has */
    const family_vertex_binding *rate;
} attribute;

/* What a load_input reads: `skip` dwords of 64-bit numbers belong to the location before. */
typedef struct input {
    const ir_instr *load;
    unsigned bits, comps, first; /* first: in components of 32 bits */
    uint8_t used;
    attribute at;
} input;

static _Noreturn void
unsupported(const amd_abi *a, const ir_instr *i, const char *what)
{
    ir_locate(a->f, i->loc);
    diag_fail(a->f->ctx->diag, ERR_TARGET_SELECT, a->p->target->name, what);
}

/* ---- the attribute ---- */

/* The alignment of the attribute's bytes, at least that of a channel (Vulkan,
 * VUID-vkCmdDraw-None-02721). */
static uint32_t
alignment(const mach_format_info *f, const family_vertex_binding *b, uint32_t offset)
{
    bool packed = f->bits[0] % 8 || f->bits[1] % 8;
    uint32_t least = packed ? f->bytes : f->bits[0] / 8u, sum = offset | b->stride | b->align;
    uint32_t known = sum & (0u - sum);
    return !b->stride_is_dynamic && b->align && known > least ? known : least;
}

/* Finds the attribute of a location. False if the pipeline has none. */
static bool
find_attribute(const amd_abi *a, uint32_t location, attribute *out)
{
    static const mach_format_info raw = {.name = "none"};
    static const family_vertex_binding each;
    const family_pipeline *p = amd_abi_own_vertex(a)->pipeline;
    *out = (attribute){.format = &raw, .binding = location, .align = 4, .rate = &each};
    if (!p->has_vertices)
        return true;
    if (location >= FAMILY_VERTEX_ATTRIBUTES)
        return false;
    const family_vertex_attribute *at = &p->attributes[location];
    if (!at->format && !at->wide)
        return false;
    out->wide = at->wide;
    out->format = mach_format_get(at->format);
    out->binding = at->binding;
    out->offset = at->offset;
    out->rate = &p->bindings[at->binding % FAMILY_VERTEX_BINDINGS];
    out->align = alignment(out->format, out->rate, at->offset);
    return true;
}

/* Describes the load. False if nothing is there, and zeros are read. A vector of more than two
 * 64-bit numbers goes on at the next location. */
static bool
find_input(const amd_abi *a, const ir_instr *i, input *in)
{
    ir_type t = a->f->values[i->defs[0].id].type;
    uint32_t location = ir_attr_get(i, IR_A_LOCATION);
    *in = (input){.load = i,
                  .bits = ir_type_bits(t),
                  .comps = ir_type_comps(t),
                  .first = ir_attr_get(i, IR_A_COMPONENT),
                  .used = amd_abi_own_vertex(a)->used[i->defs[0].id]};
    if (find_attribute(a, location, &in->at))
        return true;
    if (in->bits != 64 || !location || !find_attribute(a, location - 1, &in->at))
        return false;
    in->first += 4;
    return true;
}

static bool
is_dynamic(const amd_abi *a)
{
    return amd_abi_own_vertex(a)->pipeline->dynamic & FAMILY_DYNAMIC_VERTEX_INPUT;
}

amd_fetch_rate
amd_abi_fetch_rate(const amd_abi *a, const ir_instr *i)
{
    input in;
    if (ir_attr_get(i, IR_A_SLOT) != IR_SLOT_location)
        unsupported(a, i, "this input of a vertex shader");
    if (is_dynamic(a))
        return AMD_FETCH_ANY;
    if (!find_input(a, i, &in))
        return AMD_FETCH_NONE;
    return in.at.rate->per_instance ? AMD_FETCH_INSTANCE : AMD_FETCH_VERTEX;
}

bool
amd_abi_fetch_needs_id(const amd_abi *a, const ir_instr *i)
{
    input in;
    return find_input(a, i, &in) && (!in.at.rate->per_instance || in.at.rate->divisor);
}

/* ---- loads ---- */

/* The number of the element (Vulkan, "Vertex Input Address Calculation"). */
static ir_ref
element_index(amd_abi *a, const family_vertex_binding *rate)
{
    const amd_abi_vertex *v = a->own;
    if (!rate->per_instance)
        return amd_abi_vertex_index(a);
    if (rate->divisor == 1)
        return amd_abi_instance_index(a);
    ir_ref base = amd_abi_load_arg(a, v->base_instance_arg);
    if (!rate->divisor)
        return base;
    ir_ref id = amd_abi_load_arg(a, v->instance_arg);
    return irb_iadd(&a->b, irb_udiv(&a->b, id, amd_abi_imm(a, rate->divisor)), base);
}

static ir_ref
buffer_descriptor(amd_abi *a, uint32_t binding)
{
    const amd_abi_vertex *v = a->own;
    ir_ref table = amd_abi_whole_address(a, amd_abi_load_arg(a, v->buffers_arg));
    return amd_abi_load_smem(a, IR_TYPE(32, 4), table, amd_abi_imm(a, binding * BINDING_BYTES));
}

/* A buffer, and the element in it. */
typedef struct element {
    ir_ref descriptor, index;
} element;

/* Channels `at` bytes behind the element's start, of a format's number or, if that is 0, as
 * dwords. */
typedef struct channel_run {
    uint32_t at;
    unsigned n;
    uint32_t format;
} channel_run;

static void
load_channels(amd_abi *a, const element *e, channel_run c, ir_ref *out)
{
    unsigned n = c.n;
    ir_ref refs[2] = {e->descriptor, e->index};
    ir_ref r = ir_build_intr(&a->b, AMD_HIR_load_attribute_amd, IR_TYPE(32, n), refs, 2);
    ir_attr_set(ir_built(&a->b), IR_A_BASE, c.at);
    ir_attr_set(ir_built(&a->b), IR_A_RANGE, c.format);
    a->f->values[r.id].divergent = true;
    for (unsigned k = 0; k < n; k++)
        out[k] = n == 1 ? r : ir_comp(r, k);
}

/* The format number for the first `n` channels; 0: there is no typed load for them. */
static uint32_t
format_of(const amd_abi *a, const mach_format_info *f, unsigned n)
{
    uint8_t bits[4] = {0};
    memcpy(bits, f->bits, n);
    return amd_typed_format(a->p->target, bits, (mach_numeric)f->kind);
}

/* Loads channels `from` to `to`, each of the same whole bytes, as many at once as can be. */
static void
load_in_pieces(amd_abi *a, const input *in, const element *e, unsigned to, ir_ref *out)
{
    const attribute *at = &in->at;
    bool aligned = amd_has(a->p->target, aligned_typed_loads);
    uint32_t bytes = at->format->bits[0] / 8u;
    for (unsigned c = 0, n; c < to; c += n) {
        uint32_t offset = at->offset + c * bytes, format = 0;
        for (n = to - c; n > 0 && !format; n -= !format) {
            uint32_t low = (c * bytes) | at->align, known = low & (0u - low);
            if (n == 1 || !aligned || known % (n * bytes) == 0)
                format = format_of(a, at->format, n);
        }
        if (!format)
            unsupported(a, in->load, "this format of a vertex attribute");
        load_channels(a, e, (channel_run){offset, n, format}, out + c);
    }
}

/* Loads channels 0 to `n`. */
static void
load_format(amd_abi *a, const input *in, const element *e, unsigned n, ir_ref *out)
{
    const mach_format_info *f = in->at.format;
    bool packed = f->bits[0] % 8 || f->bits[1] % 8;
    if (f->bits[0] == 32 && f->kind >= MACH_NUM_UINT && f->kind <= MACH_NUM_FLOAT) {
        load_channels(a, e, (channel_run){in->at.offset, n, 0}, out);
        return;
    }
    if (!packed) {
        load_in_pieces(a, in, e, n, out);
        return;
    }
    uint32_t format = format_of(a, f, f->channels);
    if (!format)
        unsupported(a, in->load, "this format of a vertex attribute");
    load_channels(a, e, (channel_run){in->at.offset, n, format}, out);
}

/* ---- numbers ---- */

/* The sign of two bits that were loaded without one: as a number from 0 to 3, or a third of it. */
static ir_ref
signed_alpha(amd_abi *a, ir_ref v, mach_numeric kind)
{
    ir_builder *b = &a->b;
    ir_ref shift = amd_abi_imm(a, 30);
    if (kind == MACH_NUM_SNORM)
        v = irb_fmul(b, v, ir_build_fimm(b, 32, 3));
    if (kind != MACH_NUM_SINT)
        v = ir_build_alu(b, IR_f2u, IR_I32, v, ir_none(), ir_none());
    v = irb_ishr(b, irb_ishl(b, v, shift), shift);
    if (kind != MACH_NUM_SINT)
        v = ir_build_alu(b, IR_i2f, IR_I32, v, ir_none(), ir_none());
    return kind == MACH_NUM_SNORM ? irb_fmax(b, v, ir_build_fimm(b, 32, -1)) : v;
}

static bool
lacks_sign(const amd_abi *a, const mach_format_info *f)
{
    bool sign = f->kind == MACH_NUM_SNORM || f->kind == MACH_NUM_SSCALED ||
                f->kind == MACH_NUM_SINT;
    return f->bits[3] == 2 && sign && amd_has(a->p->target, unsigned_alpha2);
}

static bool
is_integer(const mach_format_info *f)
{
    return f->kind == MACH_NUM_UINT || f->kind == MACH_NUM_SINT;
}

/* A number of 32 bits as the input's type has it. */
static ir_ref
narrow(amd_abi *a, const input *in, ir_ref v)
{
    if (in->bits == 32)
        return v;
    ir_op op = is_integer(in->at.format) ? IR_u2u : IR_f2f;
    return ir_build_alu(&a->b, op, IR_TYPE(in->bits, 1), v, ir_none(), ir_none());
}

/* Component `c` of the location, from the format's channels. */
static ir_ref
component(amd_abi *a, const input *in, unsigned c, const ir_ref *channels)
{
    const mach_format_info *f = in->at.format;
    char source = f->swizzle[c];
    if (source == '0' || source == '1') {
        uint32_t one = is_integer(f) ? 1 : 0x3f800000;
        return narrow(a, in, amd_abi_imm(a, source == '1' ? one : 0));
    }
    unsigned channel = source == 'w' ? 3 : (unsigned)(source - 'x');
    ir_ref v = channels[channel];
    if (channel == 3 && lacks_sign(a, f))
        v = signed_alpha(a, v, (mach_numeric)f->kind);
    return narrow(a, in, v);
}

/* The channels that the used components need: those below the result. */
static unsigned
needed_channels(const input *in)
{
    unsigned n = 0;
    for (unsigned c = 0; c < in->comps; c++) {
        char source = in->at.format->swizzle[in->first + c];
        unsigned channel = source == 'w' ? 3 : (unsigned)(source - 'x');
        if ((in->used >> c & 1) && source > '1' && channel + 1 > n)
            n = channel + 1;
    }
    return n;
}

/* Components by the pipeline's format. */
static void
fetch_format(amd_abi *a, const input *in, const element *e, ir_ref *comps)
{
    ir_ref channels[4];
    unsigned n = needed_channels(in);
    if (in->at.format->block || in->at.format->bytes > 16)
        unsupported(a, in->load, "this format of a vertex attribute");
    if (n)
        load_format(a, in, e, n, channels);
    for (unsigned c = 0; c < in->comps; c++)
        comps[c] = in->used >> c & 1 ? component(a, in, in->first + c, channels)
                                     : ir_build_undef(&a->b, IR_TYPE(in->bits, 1));
}

/* ---- numbers as they are ---- */

static unsigned
last_used(const input *in)
{
    unsigned n = in->comps;
    while (n > 1 && !(in->used >> (n - 1) & 1))
        n--;
    return n;
}

/* Numbers of 64 bits, whose format only says how many there are; those that it lacks are 0. */
static void
fetch_wide(amd_abi *a, const input *in, const element *e, ir_ref *comps)
{
    ir_ref words[8];
    unsigned n = last_used(in), have = in->at.wide, first = in->first / 2;
    uint32_t at = in->at.offset + 4 * in->first;
    unsigned stored = have && have < first + n ? have > first ? have - first : 0 : n;
    for (unsigned w = 0; w < 2 * stored; w += 4) {
        unsigned left = 2 * stored - w;
        load_channels(a, e, (channel_run){at + 4 * w, left < 4 ? left : 4, 0}, words + w);
    }
    for (unsigned c = 0; c < in->comps; c++)
        comps[c] = c < stored ? irb_pack_64_2x32(&a->b, words[2 * c], words[2 * c + 1])
                              : ir_build_imm(&a->b, 64, 0);
}

/* Numbers of 16 bits: by typed loads, as integers. */
static void
fetch_halves(amd_abi *a, const input *in, const element *e, ir_ref *comps)
{
    static const mach_format_info halves = {.name = "none",
                                            .bytes = 8,
                                            .kind = MACH_NUM_UINT,
                                            .channels = 4,
                                            .bits = {16, 16, 16, 16},
                                            .swizzle = "xyzw"};
    input as = *in;
    as.at.format = &halves;
    as.at.align = 8;
    fetch_format(a, &as, e, comps);
}

static void
fetch_dwords(amd_abi *a, const input *in, const element *e, ir_ref *comps)
{
    unsigned n = last_used(in);
    load_channels(a, e, (channel_run){in->at.offset + 4 * in->first, n, 0}, comps);
    for (unsigned c = n; c < in->comps; c++)
        comps[c] = ir_build_undef(&a->b, IR_I32);
}

/* ---- dynamic state ---- */

/* A record: the V#, then a word of fields and the multiplier that divides (docs/abi.md). */
enum { RECORD_BYTES = 32, FIELDS_AT = 16, PER_INSTANCE = 1, INCREMENT_AT = 1 };
enum { PRE_SHIFT_AT = 8, POST_SHIFT_AT = 16, SHIFT_BITS = 5 };

/* id / divisor + base, as multiplication and shifts. */
static ir_ref
divided_instance(amd_abi *a, ir_ref fields, ir_ref multiplier)
{
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    ir_ref pre = irb_ubitfield_extract(b, fields, amd_abi_imm(a, PRE_SHIFT_AT),
                                       amd_abi_imm(a, SHIFT_BITS));
    ir_ref post = irb_ubitfield_extract(b, fields, amd_abi_imm(a, POST_SHIFT_AT),
                                        amd_abi_imm(a, SHIFT_BITS));
    ir_ref more = irb_ubitfield_extract(b, fields, amd_abi_imm(a, INCREMENT_AT), amd_abi_imm(a, 1));
    ir_ref id = irb_iadd(b, irb_ushr(b, amd_abi_load_arg(a, v->instance_arg), pre), more);
    ir_ref quotient = irb_ushr(b, irb_umul_high(b, id, multiplier), post);
    return irb_iadd(b, quotient, amd_abi_load_arg(a, v->base_instance_arg));
}

static element
dynamic_element(amd_abi *a, uint32_t location)
{
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    ir_ref table = amd_abi_whole_address(a, amd_abi_load_arg(a, v->buffers_arg));
    uint32_t at = location * RECORD_BYTES;
    ir_ref words = amd_abi_load_smem(a, IR_TYPE(32, 2), table, amd_abi_imm(a, at + FIELDS_AT));
    ir_ref fields = ir_comp(words, 0);
    ir_ref instance = divided_instance(a, fields, ir_comp(words, 1));
    ir_ref flag = irb_iand(b, fields, amd_abi_imm(a, PER_INSTANCE));
    ir_ref per_instance = irb_ine(b, flag, amd_abi_imm(a, 0));
    return (element){
        .descriptor = amd_abi_load_smem(a, IR_TYPE(32, 4), table, amd_abi_imm(a, at)),
        .index = irb_bcsel(b, per_instance, instance, amd_abi_vertex_index(a)),
    };
}

static ir_ref
fetch_dynamic(amd_abi *a, const ir_instr *i)
{
    ir_type t = a->f->values[i->defs[0].id].type;
    input in = {.load = i,
                .bits = ir_type_bits(t),
                .comps = ir_type_comps(t),
                .first = ir_attr_get(i, IR_A_COMPONENT),
                .used = amd_abi_own_vertex(a)->used[i->defs[0].id]};
    ir_ref comps[IR_MAX_COMPS];
    const element e = dynamic_element(a, ir_attr_get(i, IR_A_LOCATION));
    if (in.bits < 32)
        unsupported(a, i, "inputs of 8 and 16 bits, where vertex input is dynamic state");
    if (in.bits == 64) {
        fetch_wide(a, &in, &e, comps);
    } else {
        ir_ref channels[4];
        unsigned n = last_used(&in);
        load_channels(a, &e, (channel_run){0, in.first + n, AMD_FORMAT_OF_DESCRIPTOR}, channels);
        for (unsigned c = 0; c < in.comps; c++)
            comps[c] = c < n ? channels[in.first + c] : ir_build_undef(&a->b, IR_I32);
    }
    return ir_build_vec(&a->b, comps, in.comps);
}

/* ---- the whole ---- */

ir_ref
amd_abi_fetch(amd_abi *a, const ir_instr *i)
{
    input in;
    ir_ref comps[IR_MAX_COMPS];
    if (is_dynamic(a))
        return fetch_dynamic(a, i);
    bool found = find_input(a, i, &in);
    if (in.bits < 16)
        unsupported(a, i, "inputs of 8 bits");
    if (!found || !in.used) {
        for (unsigned c = 0; c < in.comps; c++)
            comps[c] = ir_build_imm(&a->b, in.bits, 0);
        return ir_build_vec(&a->b, comps, in.comps);
    }
    if (in.at.offset > LARGEST_OFFSET - 4 * 16)
        unsupported(a, i, "a vertex attribute this far from its element's start");
    const element e = {.descriptor = buffer_descriptor(a, in.at.binding),
                       .index = element_index(a, in.at.rate)};
    if (in.bits == 64)
        fetch_wide(a, &in, &e, comps);
    else if (in.at.format->channels)
        fetch_format(a, &in, &e, comps);
    else if (in.bits == 16)
        fetch_halves(a, &in, &e, comps);
    else
        fetch_dwords(a, &in, &e, comps);
    return ir_build_vec(&a->b, comps, in.comps);
}
