/* Selection of image operations: MIMG for images, MUBUF's typed accesses for texel buffers.
 *
 * An image instruction's address is one vector of VGPRs: offset, bias, depth reference, gradients,
 * coordinates, lod (RDNA 2 ISA, "Image address"). Their presence determines the opcode. Image sizes
 * and levels are not selected here: lower_values.c reads them from the descriptor. Gradients of
 * cubes are those on a face (opt/cube_gradients.c).
 */
#include "amd/select/select_half.h"
#include "amd/select/select_memory.h"

#include <assert.h>

enum { MAX_ADDRESS = 16, DMASK_ALL = 15 };

typedef struct image_access {
    ir_ref address[MAX_ADDRESS];
    unsigned n;
    ir_ref rsrc, samp; /* samp NONE: no sampler */
    unsigned dim;      /* MIMG's */
    uint32_t flags;    /* AMD_MEM_* of the cache */
} image_access;

static bool
result_is_float(const ir_instr *i)
{
    if (i->op == IR_tex)
        return ir_attr_get(i, IR_A_TEX_TYPE) == IR_BASE_float;
    uint32_t f = ir_attr_get(i, IR_A_FORMAT);
    return f < IR_FORMAT_r32g32b32a32_sint;
}

static bool
is_texel_buffer(const ir_instr *i)
{
    return ir_attr_get(i, IR_A_IMAGE_DIM) == IR_DIM_buf;
}

/* MIMG dim: 0 1D, 1 2D, 2 3D, 3 cube, 4 1D array, 5 2D array, 6 2D multisampled, 7 its array (RDNA
 * 2 ISA, MIMG). Storage and fetched cubes are addressed as 2D arrays of faces. */
static unsigned
mimg_dim(const ir_instr *i, bool sampled)
{
    bool array = ir_attr_get(i, IR_A_IMAGE_ARRAY);
    switch (ir_attr_get(i, IR_A_IMAGE_DIM)) {
    case IR_DIM_1D: return array ? 4 : 0;
    case IR_DIM_3D: return 2;
    case IR_DIM_cube: return sampled ? 3 : 5;
    case IR_DIM_ms:
    case IR_DIM_subpass: return array ? 7 : 6;
    default: return array ? 5 : 1;
    }
}

static void
push(image_access *a, ir_ref r)
{
    assert(a->n < MAX_ADDRESS);
    a->address[a->n++] = r;
}

static unsigned
comps_of(const sel *s, ir_ref r)
{
    return r.comp == IR_WHOLE ? ir_type_comps(s->hir->values[r.id].type) : 1;
}

static ir_ref
comp_of(sel *s, ir_ref r, unsigned c)
{
    return r.comp == IR_WHOLE ? amd_sel_get_comp(s, r, c) : amd_sel_get(s, r);
}

static void
push_vector(sel *s, image_access *a, ir_ref r)
{
    for (unsigned c = 0; c < comps_of(s, r); c++)
        push(a, comp_of(s, r, c));
}

/* Can the address be in registers anywhere? Where an instruction names each of them in any case, a
 * vector would only cost copies. Elsewhere post/lower_nsa.c decides, once registers are known. */
static bool
is_scattered(const sel *s, const image_access *a)
{
    if (!amd_has(s->p->target, separate_addresses) || a->n < 2 ||
        a->n > amd_has(s->p->target, max_nsa_addresses))
        return false;
    for (unsigned k = 0; k < a->n; k++) {
        if (amd_rc_bytes(a->address[k].rc) != 4 || a->address[k].kind == IR_REF_UNDEF)
            return false;
    }
    return true;
}

/* Emits `op` with the access's address, `data` (stores and atomics: the row has it first, or tied)
 * and the channel mask. */
static ir_ref
emit_image(sel *s, unsigned op, unsigned rc, const image_access *a, ir_ref data, bool tied,
           uint32_t flags)
{
    ir_ref refs[5 + MAX_ADDRESS];
    unsigned n = 0;
    bool scattered = is_scattered(s, a);
    if (amd_op_number((amd_op)op, AMD_MIMG, s->p->target->gen) < 0)
        amd_sel_unsupported(s, "image instructions");
    if (data.kind != IR_REF_NONE && !tied)
        refs[n++] = data;
    refs[n++] = scattered ? amd_sel_as_vgpr(s, a->address[0])
                          : amd_sel_join(s, false, a->n, a->address);
    refs[n++] = a->rsrc;
    if (a->samp.kind != IR_REF_NONE)
        refs[n++] = a->samp;
    else if (amd_has(s->p->target, images_have_unorm))
        flags |= AMD_MEM_UNORM;
    if (tied)
        refs[n++] = data;
    for (unsigned k = 1; scattered && k < a->n; k++)
        refs[n++] = amd_sel_as_vgpr(s, a->address[k]);
    flags |= scattered ? AMD_MEM_NSA : 0u;
    ir_ref r = amd_sel_emit(s, op, rc, n, refs);
    ir_words(s->last)[1] |= flags | a->dim << AMD_MEM_DIM;
    ir_words(s->last)[2] |= AMD_SYNC_IMAGE;
    return r;
}

static bool
has_residency(const ir_instr *i)
{
    return ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_RESIDENCY;
}

/* The number of the texel's components. */
static unsigned
texel_comps(const sel *s, const ir_instr *i)
{
    return ir_type_comps(s->hir->values[i->defs[0].id].type) - has_residency(i);
}

/* Is the residency code read? The instruction then writes it to a register behind the texel's
 * (tfe). */
static bool
gets_residency(const sel *s, const ir_instr *i)
{
    return has_residency(i) && s->used[i->defs[0].id] >> texel_comps(s, i) & 1;
}

/* `n` registers of zeros: what an access that gets residency leaves where memory is missing. */
static ir_ref
zeros(sel *s, unsigned n)
{
    ir_ref parts[8];
    for (unsigned k = 0; k < n; k++)
        parts[k] = amd_const(0);
    return amd_sel_join(s, false, n, parts);
}

/* Sets the definition's components from the result, which has one dword for each channel of `mask`,
 * and one for the residency code; 16-bit results are narrowed. */
static void
set_result(sel *s, const ir_instr *i, ir_ref whole, uint32_t mask, bool is_float)
{
    ir_type t = s->hir->values[i->defs[0].id].type;
    unsigned n = texel_comps(s, i), regs = sel_regs(whole), next = 0;
    ir_ref parts[8], comps[IR_MAX_COMPS];
    amd_sel_split(s, whole, regs, parts);
    if (has_residency(i)) {
        ir_ref pair[2] = {gets_residency(s, i) ? parts[regs - 1] : amd_const(0), amd_const(0)};
        comps[n] = ir_type_bits(t) == 64 ? amd_sel_join(s, false, 2, pair) : pair[0];
    }
    for (unsigned c = 0; c < n; c++) {
        if (ir_type_bits(t) == 64)
            comps[c] = c == 0 ? amd_sel_join(s, false, 2, parts) : amd_const64(c == 3);
        else if (!(mask >> c & 1))
            comps[c] = amd_const(0); /* unused */
        else
            comps[c] = ir_type_bits(t) == 16 && is_float
                           ? amd_sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, parts[next++])
                           : parts[next++];
    }
    amd_sel_set_comps(s, i, comps);
}

/* Do image operations on `bits`-bit floats move halves? */
static bool
moves_halves(const sel *s, unsigned bits, bool is_float)
{
    return bits == 16 && is_float && amd_has(s->p->target, packed_d16);
}

/* The same as set_result for a result in halves. */
static void
set_halves(sel *s, const ir_instr *i, ir_ref whole, uint32_t mask)
{
    unsigned n = ir_type_comps(s->hir->values[i->defs[0].id].type), next = 0;
    ir_ref parts[4], comps[IR_MAX_COMPS];
    amd_sel_split_halves(s, whole, base_popcount32(mask), parts);
    for (unsigned c = 0; c < n; c++)
        comps[c] = mask >> c & 1 ? parts[next++] : amd_const(0);
    amd_sel_set_comps(s, i, comps);
}

/* The masks of channels of an image load. */
typedef struct {
    uint32_t got;  /* that it returns */
    uint32_t mask; /* the instruction's dmask */
} load_channels;

/* Emits the image load `op` and sets the definition's components. */
static void
emit_load(sel *s, const ir_instr *i, unsigned op, const image_access *a, load_channels c)
{
    bool is_float = result_is_float(i), halves = moves_halves(s, sel_bits(s, i->defs[0]), is_float);
    bool tfe = gets_residency(s, i);
    unsigned n = base_popcount32(c.got), regs = (halves ? (n + 1) / 2 : n) + tfe;
    uint32_t flags = c.mask << AMD_MEM_DMASK | a->flags | (halves ? AMD_MEM_D16 : 0u) |
                     (tfe ? AMD_MEM_TFE : 0u);
    ir_ref old = tfe ? zeros(s, regs) : ir_none();
    ir_ref r = emit_image(s, op, amd_rc(true, regs * 4), a, old, tfe, flags);
    if (halves)
        set_halves(s, i, r, c.got);
    else
        set_result(s, i, r, c.got, is_float);
}

/* The channels that exist, and those that are used. */
static uint32_t
channels(const sel *s, const ir_instr *i)
{
    ir_type t = s->hir->values[i->defs[0].id].type;
    return ir_type_bits(t) == 64 ? 3 : (uint32_t)base_mask64(texel_comps(s, i));
}

static uint32_t
load_mask(const sel *s, const ir_instr *i)
{
    uint32_t all = channels(s, i), used = all & s->used[i->defs[0].id];
    bool wide = sel_bits(s, i->defs[0]) == 64;
    return wide ? all : used ? used : 1;
}

/* ---- texel buffers ---- */

static sel_address
texel_address(sel *s, ir_ref handle, ir_ref coord, uint32_t flags)
{
    sel_address a = {.kind = SEL_BUFFER, .flags = flags | AMD_MEM_IDXEN, .sync = AMD_SYNC_BUFFER};
    a.base = amd_sel_get_vector(s, handle, true);
    a.index = amd_sel_as_vgpr(s, comp_of(s, coord, 0));
    return a;
}

static void
finish_texel(sel *s, const sel_address *a)
{
    amd_sel_finish_memory(s, a);
    ir_words(s->last)[1] &= ~(uint32_t)AMD_MEM_OFFEN;
}

static void
load_texel(sel *s, const ir_instr *i, ir_ref handle, ir_ref coord)
{
    static const uint16_t ops[] = {AMD_BUFFER_LOAD_FORMAT_X, AMD_BUFFER_LOAD_FORMAT_XY,
                                   AMD_BUFFER_LOAD_FORMAT_XYZ, AMD_BUFFER_LOAD_FORMAT_XYZW};
    unsigned n = base_bit_width(load_mask(s, i));
    uint32_t mask = (uint32_t)base_mask64(n);
    bool tfe = gets_residency(s, i);
    sel_address a = texel_address(s, handle, coord,
                                  amd_sel_load_flags(s, ir_attr_get(i, IR_A_ACCESS)));
    ir_ref refs[4] = {a.index, a.base, sel_no_offset(s), tfe ? zeros(s, n + 1) : ir_none()};
    ir_ref r = amd_sel_emit(s, ops[n - 1], amd_rc(true, (n + tfe) * 4), 3 + tfe, refs);
    finish_texel(s, &a);
    ir_words(s->last)[1] |= tfe ? AMD_MEM_TFE : 0u;
    set_result(s, i, r, mask, result_is_float(i));
}

/* The channels that the image's format has. */
static unsigned
format_channels(const ir_instr *i)
{
    return ir_format_channels((ir_format)ir_attr_get(i, IR_A_FORMAT));
}

/* The channels that a store must write: those that the format has, without zeros at the end if
 * `fills`: the hardware writes these itself. */
static unsigned
stored_channels(sel *s, const ir_instr *i, bool fills)
{
    unsigned has = format_channels(i), n = comps_of(s, i->refs[3]);
    n = n < has ? n : has;
    while (n > 1 && fills && sel_bits(s, i->refs[3]) < 64) {
        ir_ref last = comp_of(s, i->refs[3], n - 1);
        if (last.kind != IR_REF_UNDEF && (last.kind != IR_REF_CONST || last.id))
            break;
        n--;
    }
    return n;
}

/* The channels that a store writes, as dwords. 16-bit floats are widened, 64-bit values take two.
 */
static ir_ref
store_value(sel *s, const ir_instr *i, bool fills, unsigned *dwords)
{
    ir_ref parts[4], value = i->refs[3];
    bool is_float = result_is_float(i);
    unsigned n = stored_channels(s, i, fills), bits = sel_bits(s, value), count = 0;
    for (unsigned c = 0; c < n; c++) {
        ir_ref v = comp_of(s, value, c);
        if (bits == 64 && c > 0)
            break;
        if (bits == 64) {
            parts[count++] = amd_sel_half(s, v, 0);
            parts[count++] = amd_sel_half(s, v, 1);
        } else {
            parts[count++] = bits == 16 && is_float ? amd_sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, v)
                                                    : v;
        }
    }
    *dwords = count;
    return amd_sel_join(s, false, count, parts);
}

static void
store_texel(sel *s, const ir_instr *i)
{
    static const uint16_t ops[] = {AMD_BUFFER_STORE_FORMAT_X, AMD_BUFFER_STORE_FORMAT_XY,
                                   AMD_BUFFER_STORE_FORMAT_XYZ, AMD_BUFFER_STORE_FORMAT_XYZW};
    unsigned n;
    ir_ref data = store_value(s, i, false, &n);
    sel_address a = texel_address(s, i->refs[0], i->refs[1],
                                  amd_sel_store_flags(s, ir_attr_get(i, IR_A_ACCESS)));
    ir_ref refs[4] = {data, a.index, a.base, sel_no_offset(s)};
    amd_sel_emit(s, ops[n - 1], 0, 4, refs);
    finish_texel(s, &a);
}

/* ---- storage images ---- */

static image_access
storage_access(sel *s, const ir_instr *i)
{
    image_access a = {.samp = ir_none()};
    a.rsrc = amd_sel_get_vector(s, i->refs[0], true);
    a.dim = mimg_dim(i, false);
    push_vector(s, &a, i->refs[1]);
    if (i->refs[2].kind != IR_REF_NONE && a.dim >= 6)
        push(&a, amd_sel_get(s, i->refs[2]));
    return a;
}

static void
image_load(sel *s, const ir_instr *i)
{
    if (is_texel_buffer(i)) {
        load_texel(s, i, i->refs[0], i->refs[1]);
        return;
    }
    image_access a = storage_access(s, i);
    uint32_t mask = load_mask(s, i);
    a.flags = amd_sel_load_flags(s, ir_attr_get(i, IR_A_ACCESS));
    emit_load(s, i, AMD_IMAGE_LOAD, &a, (load_channels){mask, mask});
}

static void
image_store(sel *s, const ir_instr *i)
{
    if (is_texel_buffer(i)) {
        store_texel(s, i);
        return;
    }
    ir_ref value = i->refs[3], data;
    unsigned n = comps_of(s, value);
    bool halves = n > 1 && n <= format_channels(i) &&
                  moves_halves(s, sel_bits(s, value), result_is_float(i));
    image_access a = storage_access(s, i);
    data = halves ? amd_sel_get_vector(s, value, false)
                  : store_value(s, i, amd_has(s->p->target, stores_fill_zero), &n);
    uint32_t mask = (uint32_t)base_mask64(n);
    uint32_t flags = amd_sel_store_flags(s, ir_attr_get(i, IR_A_ACCESS)) | mask << AMD_MEM_DMASK |
                     (halves ? AMD_MEM_D16 : 0u);
    emit_image(s, AMD_IMAGE_STORE, 0, &a, data, false, flags);
}

#define IMAGE_ATOMIC(ir, name)                                                                     \
    [IR_ATOMIC_##                                                                                  \
        ir] = {AMD_IMAGE_ATOMIC_##name, AMD_BUFFER_ATOMIC_##name, AMD_BUFFER_ATOMIC_##name##_X2}
static const struct {
    uint16_t image, texel, texel64;
} image_atomics[IR_ATOMIC_COUNT] = {
    IMAGE_ATOMIC(iadd, ADD),
    IMAGE_ATOMIC(imin, SMIN),
    IMAGE_ATOMIC(umin, UMIN),
    IMAGE_ATOMIC(imax, SMAX),
    IMAGE_ATOMIC(umax, UMAX),
    IMAGE_ATOMIC(iand, AND),
    IMAGE_ATOMIC(ior, OR),
    IMAGE_ATOMIC(ixor, XOR),
    IMAGE_ATOMIC(xchg, SWAP),
    IMAGE_ATOMIC(cmpxchg, CMPSWAP),
    IMAGE_ATOMIC(fmin, FMIN),
    IMAGE_ATOMIC(fmax, FMAX),
    IMAGE_ATOMIC(inc_wrap, INC),
    IMAGE_ATOMIC(dec_wrap, DEC),
    [IR_ATOMIC_fadd] = {AMD_IMAGE_ATOMIC_ADD_FLT, AMD_BUFFER_ATOMIC_ADD_F32,
                        AMD_BUFFER_ATOMIC_ADD_F64},
};

static void
image_atomic(sel *s, const ir_instr *i)
{
    bool swap = i->op == IR_image_atomic_swap, wide = sel_bits(s, i->defs[0]) == 64;
    bool used = s->uses[i->defs[0].id] > 0;
    uint32_t op = ir_attr_get(i, IR_A_ATOMIC_OP), glc = used ? AMD_MEM_GLC : 0;
    if (!image_atomics[op].image)
        amd_sel_unsupported(s, "this image atomic");
    ir_ref parts[2] = {amd_sel_get(s, i->refs[swap ? 4 : 3]),
                       swap ? amd_sel_get(s, i->refs[3]) : ir_none()};
    ir_ref data = amd_sel_join(s, false, swap ? 2 : 1, parts), r;
    if (is_texel_buffer(i)) {
        sel_address a = texel_address(s, i->refs[0], i->refs[1], glc);
        ir_ref refs[4] = {a.index, a.base, sel_no_offset(s), data};
        r = amd_sel_emit(s, wide ? image_atomics[op].texel64 : image_atomics[op].texel,
                         used ? data.rc : 0, 4, refs);
        finish_texel(s, &a);
    } else {
        image_access a = storage_access(s, i);
        uint32_t mask = (uint32_t)base_mask64(sel_regs(data));
        r = emit_image(s, image_atomics[op].image, used ? data.rc : 0, &a, data, true,
                       glc | mask << AMD_MEM_DMASK);
    }
    ir_words(s->last)[2] |= AMD_SYNC_ATOMIC;
    if (used)
        amd_sel_set(
            s, i,
            swap ? amd_sel_2(s, AMD_P_EXTRACT_VECTOR, wide ? AMD_V2 : AMD_V1, r, amd_const(0)) : r);
}

/* ---- sampled images ---- */

/* How the level of detail is found: level 0, given, from derivatives, these with a bias, from given
 * gradients. */
typedef enum lod_kind {
    LOD_ZERO,
    LOD_GIVEN,
    LOD_DERIVATIVES,
    LOD_BIAS,
    LOD_GRADIENTS,
    N_LODS
} lod_kind;

#define KINDS(p, c, o)                                                                             \
    {                                                                                              \
        p##c##_LZ##o, p##c##_L##o, p##c##o, p##c##_B##o, p##c##_D##o                               \
    }
#define GATHER_KINDS(p, c, o)                                                                      \
    {                                                                                              \
        p##c##_LZ##o, p##c##_L##o, p##c##o, p##c##_B##o, 0                                         \
    }
/* With a least level. */
#define CLAMPED_KINDS(p, c, o)                                                                     \
    {                                                                                              \
        0, 0, p##c##_CL##o, p##c##_B_CL##o, p##c##_D_CL##o                                         \
    }
/* By compare, offset, lod. */
static const uint16_t sample_ops[2][2][N_LODS] = {
    {KINDS(AMD_IMAGE_SAMPLE, , ), KINDS(AMD_IMAGE_SAMPLE, , _O)},
    {KINDS(AMD_IMAGE_SAMPLE, _C, ), KINDS(AMD_IMAGE_SAMPLE, _C, _O)},
};
static const uint16_t clamped_ops[2][2][N_LODS] = {
    {CLAMPED_KINDS(AMD_IMAGE_SAMPLE, , ), CLAMPED_KINDS(AMD_IMAGE_SAMPLE, , _O)},
    {CLAMPED_KINDS(AMD_IMAGE_SAMPLE, _C, ), CLAMPED_KINDS(AMD_IMAGE_SAMPLE, _C, _O)},
};
static const uint16_t gather_ops[2][2][N_LODS] = {
    {GATHER_KINDS(AMD_IMAGE_GATHER4, , ), GATHER_KINDS(AMD_IMAGE_GATHER4, , _O)},
    {GATHER_KINDS(AMD_IMAGE_GATHER4, _C, ), GATHER_KINDS(AMD_IMAGE_GATHER4, _C, _O)},
};

static bool
present(const ir_instr *i, unsigned ref)
{
    return i->refs[ref].kind != IR_REF_NONE;
}

/* Three signed 6-bit texel offsets, 8 bits apart. */
static ir_ref
packed_offset(sel *s, ir_ref offset)
{
    ir_ref r = amd_const(0);
    for (unsigned c = 0; c < comps_of(s, offset); c++) {
        ir_ref v = comp_of(s, offset, c);
        if (v.kind == IR_REF_CONST && r.kind == IR_REF_CONST) {
            r.id |= (v.id & 63) << (8 * c);
            continue;
        }
        v = amd_sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const(63), v);
        r = amd_sel_3(s, AMD_V_LSHL_OR_B32, AMD_V1, v, amd_const(8 * c), r);
    }
    return r;
}

/* Cube coordinates: face coordinates in 1 to 2 (sc / |ma| + 1.5) and the face number, with 8 per
 * layer of an array (RDNA 2 ISA, V_CUBEID_F32 and following; faces in a cube array: layer * 8 +
 * face). */
static void
push_cube(sel *s, image_access *a, ir_ref coord, bool array)
{
    ir_ref xyz[3];
    for (unsigned c = 0; c < 3; c++)
        xyz[c] = comp_of(s, coord, c);
    ir_ref ma = amd_sel_emit(s, AMD_V_CUBEMA_F32, AMD_V1, 3, xyz),
           sc = amd_sel_emit(s, AMD_V_CUBESC_F32, AMD_V1, 3, xyz);
    ir_ref tc = amd_sel_emit(s, AMD_V_CUBETC_F32, AMD_V1, 3, xyz),
           id = amd_sel_emit(s, AMD_V_CUBEID_F32, AMD_V1, 3, xyz);
    ir_ref inverse = amd_sel_1(s, AMD_V_RCP_F32, AMD_V1, ma);
    inverse = amd_sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const(0x7fffffff), inverse);
    ir_ref middle = amd_const(0x3fc00000);
    push(a, amd_sel_3(s, AMD_V_FMA_F32, AMD_V1, sc, inverse, middle));
    push(a, amd_sel_3(s, AMD_V_FMA_F32, AMD_V1, tc, inverse, middle));
    if (array) {
        ir_ref layer = amd_sel_1(s, AMD_V_RNDNE_F32, AMD_V1, comp_of(s, coord, 3));
        id = amd_sel_3(s, AMD_V_FMA_F32, AMD_V1, layer, amd_const(0x41000000), id);
    }
    push(a, id);
}

static void
push_coords(sel *s, const ir_instr *i, image_access *a)
{
    ir_ref coord = i->refs[IR_TEX_COORD];
    bool array = ir_attr_get(i, IR_A_IMAGE_ARRAY);
    unsigned n = comps_of(s, coord);
    if (a->dim == 3) {
        push_cube(s, a, coord, array);
        return;
    }
    for (unsigned c = 0; c < n; c++) {
        ir_ref v = comp_of(s, coord, c);
        push(a, array && c + 1 == n ? amd_sel_1(s, AMD_V_RNDNE_F32, AMD_V1, v) : v);
    }
}

static bool
is_zero(const sel *s, ir_ref r)
{
    uint64_t v;
    return ir_is_const(s->hir, r, &v) && v == 0;
}

/* Outside of fragment shaders there are no derivatives, and the level without them is 0. */
static lod_kind
find_lod(const sel *s, const ir_instr *i)
{
    bool derives = s->hir->shader.stage == IR_STAGE_FRAGMENT;
    lod_kind zero = present(i, IR_TEX_MIN_LOD) ? LOD_GIVEN : LOD_ZERO;
    switch (ir_attr_get(i, IR_A_TEX_OP)) {
    case IR_TEX_txl: return is_zero(s, i->refs[IR_TEX_LOD]) ? zero : LOD_GIVEN;
    case IR_TEX_txd: return LOD_GRADIENTS;
    case IR_TEX_txb: return derives ? LOD_BIAS : LOD_GIVEN;
    case IR_TEX_tg4: return present(i, IR_TEX_LOD) ? LOD_GIVEN : LOD_ZERO;
    default: return derives ? LOD_DERIVATIVES : zero;
    }
}

static ir_ref
given_lod(sel *s, const ir_instr *i)
{
    ir_ref lod = present(i, IR_TEX_LOD) ? amd_sel_get(s, i->refs[IR_TEX_LOD]) : amd_const(0);
    if (!present(i, IR_TEX_MIN_LOD))
        return lod;
    return amd_sel_2(s, AMD_V_MAX_F32, AMD_V1, lod, amd_sel_get(s, i->refs[IR_TEX_MIN_LOD]));
}

static void
select_sample(sel *s, const ir_instr *i, bool gather)
{
    image_access a = {.dim = mimg_dim(i, true)};
    lod_kind lod = find_lod(s, i);
    bool compare = present(i, IR_TEX_DREF), offset = present(i, IR_TEX_OFFSET);
    bool clamp = lod >= LOD_DERIVATIVES && present(i, IR_TEX_MIN_LOD);
    a.rsrc = amd_sel_get_vector(s, i->refs[IR_TEX_IMAGE], true);
    a.samp = amd_sel_get_vector(s, i->refs[IR_TEX_SAMPLER], true);
    if (offset)
        push(&a, packed_offset(s, i->refs[IR_TEX_OFFSET]));
    if (lod == LOD_BIAS)
        push(&a, amd_sel_get(s, i->refs[IR_TEX_LOD]));
    if (compare)
        push(&a, amd_sel_get(s, i->refs[IR_TEX_DREF]));
    if (lod == LOD_GRADIENTS) {
        push_vector(s, &a, i->refs[IR_TEX_DDX]);
        push_vector(s, &a, i->refs[IR_TEX_DDY]);
    }
    push_coords(s, i, &a);
    if (lod == LOD_GIVEN)
        push(&a, given_lod(s, i));
    if (clamp)
        push(&a, amd_sel_get(s, i->refs[IR_TEX_MIN_LOD]));
    unsigned op = gather  ? gather_ops[compare][offset][lod]
                  : clamp ? clamped_ops[compare][offset][lod]
                          : sample_ops[compare][offset][lod];
    uint32_t got = gather ? DMASK_ALL : load_mask(s, i);
    uint32_t mask = gather ? 1u << ir_attr_get(i, IR_A_COMPONENT) : got;
    emit_load(s, i, op, &a, (load_channels){got, mask});
}

/* The level of detail: that which is used, and the one that the derivatives give. */
static void
select_lod(sel *s, const ir_instr *i)
{
    image_access a = {.dim = mimg_dim(i, true)};
    if (s->hir->shader.stage != IR_STAGE_FRAGMENT)
        amd_sel_unsupported(s, "a level of detail query outside of fragment shaders");
    a.rsrc = amd_sel_get_vector(s, i->refs[IR_TEX_IMAGE], true);
    a.samp = amd_sel_get_vector(s, i->refs[IR_TEX_SAMPLER], true);
    push_coords(s, i, &a);
    uint32_t mask = load_mask(s, i);
    emit_load(s, i, AMD_IMAGE_GET_LOD, &a, (load_channels){mask, mask});
}

static void
select_fetch(sel *s, const ir_instr *i)
{
    if (is_texel_buffer(i)) {
        load_texel(s, i, i->refs[IR_TEX_IMAGE], i->refs[IR_TEX_COORD]);
        return;
    }
    image_access a = {.dim = mimg_dim(i, false), .samp = ir_none()};
    ir_ref coord = i->refs[IR_TEX_COORD], offset = i->refs[IR_TEX_OFFSET];
    a.rsrc = amd_sel_get_vector(s, i->refs[IR_TEX_IMAGE], true);
    for (unsigned c = 0; c < comps_of(s, coord); c++) {
        ir_ref v = comp_of(s, coord, c);
        if (offset.kind != IR_REF_NONE && c < comps_of(s, offset))
            v = amd_sel_2(s, AMD_V_ADD_NC_U32, AMD_V1, v, comp_of(s, offset, c));
        push(&a, v);
    }
    uint64_t level = 0;
    bool mip = a.dim < 6 && present(i, IR_TEX_LOD) &&
               !(ir_is_const(s->hir, i->refs[IR_TEX_LOD], &level) && level == 0);
    if (mip)
        push(&a, amd_sel_get(s, i->refs[IR_TEX_LOD]));
    if (a.dim >= 6)
        push(&a, present(i, IR_TEX_SAMPLE) ? amd_sel_get(s, i->refs[IR_TEX_SAMPLE]) : amd_const(0));
    uint32_t mask = load_mask(s, i);
    emit_load(s, i, mip ? AMD_IMAGE_LOAD_MIP : AMD_IMAGE_LOAD, &a, (load_channels){mask, mask});
}

static void
select_tex(sel *s, const ir_instr *i)
{
    switch (ir_attr_get(i, IR_A_TEX_OP)) {
    case IR_TEX_txf:
    case IR_TEX_txf_ms: select_fetch(s, i); break;
    case IR_TEX_tg4: select_sample(s, i, true); break;
    case IR_TEX_lod: select_lod(s, i); break;
    default: select_sample(s, i, false); break;
    }
}

bool
amd_sel_image(sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_image_load: image_load(s, i); return true;
    case IR_image_store: image_store(s, i); return true;
    case IR_image_atomic:
    case IR_image_atomic_swap: image_atomic(s, i); return true;
    case IR_tex: select_tex(s, i); return true;
    default: return false;
    }
}
