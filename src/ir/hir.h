/* HIR: the opcodes of ir/ops.def, their attributes, and the enumerations that attributes use. */
#ifndef IR_HIR_H
#define IR_HIR_H

#include "ir/bundle.h"

#include <assert.h>

/* Opcodes. The names keep the table's lower case (IR_fadd), because the preprocessor cannot make
 * upper-case names from them. */
typedef enum ir_op {
#define ALU(id, n, dst, s0, s1, s2, flags, expr)      IR_##id,
#define INTR(id, n_defs, n_refs, attrs, flags, types) IR_##id,
#define CORE(id, n_defs, n_refs, attrs, flags)        IR_##id,
#include "ir/ops.def"
    IR_HIR_OP_COUNT,
} ir_op;

/* A level that extends HIR by opcodes that only its back end's lowering makes (hir_table.h) numbers
 * them from IR_HIR_OP_COUNT, below IR_HIR_OP_LIMIT. They are intrinsics: passes know them by the
 * flags of their rows. Tables of passes over all opcodes, which an instruction indexes unchecked,
 * have IR_HIR_OP_LIMIT entries. */
enum { IR_HIR_OP_LIMIT = IR_HIR_OP_COUNT + 32 };

/* Attributes. Each takes one word, in the order listed in the opcode's row. */
typedef enum ir_attr {
    IR_ATTR_NONE,
    IR_A_BASE,
    IR_A_RANGE,
    IR_A_ALIGN_MUL,
    IR_A_ALIGN_OFFSET,
    IR_A_WRITE_MASK,
    IR_A_ACCESS,    /* IR_ACCESS_* */
    IR_A_ATOMIC_OP, /* ir_atomic_op */
    IR_A_DESC_SET,
    IR_A_BINDING,
    IR_A_DESC_TYPE, /* ir_desc_type */
    IR_A_IMAGE_DIM, /* ir_dim */
    IR_A_IMAGE_ARRAY,
    IR_A_FORMAT,   /* ir_format of a storage image; UNKNOWN if it declares none */
    IR_A_TEX_OP,   /* ir_tex_op */
    IR_A_TEX_TYPE, /* ir_base_type */
    IR_A_COMPONENT,
    IR_A_HALF,         /* numbers of 16 bits are floats */
    IR_A_REDUCTION_OP, /* ir_reduction */
    IR_A_CLUSTER_SIZE,
    IR_A_EXEC_SCOPE, /* ir_scope */
    IR_A_SCOPE,      /* ir_scope */
    IR_A_SEMANTICS,  /* IR_SEM_* */
    IR_A_MODES,      /* IR_MODE_* */
    IR_A_UNROLL,     /* ir_unroll */
    IR_A_SLOT,       /* ir_slot */
    IR_A_LOCATION,   /* of SLOT `location`: Vulkan's; of distances: of four */
    IR_A_BLEND_SOURCE,
    IR_A_INTERP,    /* ir_interp */
    IR_A_INTERP_AT, /* ir_interp_at */
    IR_A_COUNT,
} ir_attr;

enum {
    IR_ACCESS_COHERENT = 1,
    IR_ACCESS_VOLATILE = 2,
    IR_ACCESS_RESTRICT = 4,
    IR_ACCESS_READONLY = 8, /* the shader never writes it: NonWritable */
    IR_ACCESS_WRITEONLY = 16,
    IR_ACCESS_NON_UNIFORM = 32, /* the handle may differ between lanes */
    IR_ACCESS_NON_TEMPORAL = 64,
    IR_ACCESS_CAN_REORDER = 128, /* the memory does not change while the shader runs */
    IR_ACCESS_ALIASED = 256,     /* resources of other bindings may use the same memory */
    IR_ACCESS_RESIDENCY = 512,   /* the last component is not the texel's: 0 if memory is behind
                                    all that was read, else another number (image_load, tex) */
};

/* These lists generate the enumerations and their names in the text form, in order. */
/* clang-format off */
#define IR_ATOMIC_OPS(X)                                                                           \
    X(iadd) X(imin) X(umin) X(imax) X(umax) X(iand) X(ior) X(ixor) X(xchg) X(cmpxchg) X(fadd)      \
    X(fmin) X(fmax) X(inc_wrap) X(dec_wrap)
#define IR_REDUCTIONS(X)                                                                           \
    X(iadd) X(fadd) X(imul) X(fmul) X(imin) X(umin) X(fmin) X(imax) X(umax) X(fmax) X(iand)        \
    X(ior) X(ixor)
#define IR_DESC_TYPES(X)                                                                           \
    X(sampler) X(combined) X(sampled_image) X(storage_image) X(uniform_texel_buffer)               \
    X(storage_texel_buffer) X(ubo) X(ssbo) X(inline_ubo) X(accel)            \
    X(input_attachment)
#define IR_DIMS(X)                                                                                 \
    X(1D) X(2D) X(3D) X(cube) X(rect) X(buf) X(ms) X(subpass)
#define IR_TEX_OPS(X)                                                                              \
    X(tex) X(txb) X(txl) X(txd) X(txf) X(txf_ms) X(tg4) X(lod)
#define IR_SCOPES(X)                                                                               \
    X(none) X(invocation) X(subgroup) X(workgroup) X(queue_family) X(device)
#define IR_UNROLLS(X)                                                                              \
    X(free) X(always) X(never)
/* Inputs and outputs of stages: those that have a location, and Vulkan's built-in ones. */
#define IR_SLOTS(X)                                                                                \
    X(location) X(position) X(point_size) X(clip_distance) X(cull_distance) X(layer)               \
    X(viewport_index) X(primitive_id) X(depth) X(stencil) X(sample_mask) X(point_coord)            \
    X(shading_rate)
#define IR_INTERPS(X)                                                                              \
    X(smooth) X(noperspective)
#define IR_INTERP_PLACES(X)                                                                        \
    X(pixel) X(centroid) X(sample)
#define IR_BASE_TYPES(X)                                                                           \
    X(float) X(int) X(uint)
/* Storage image formats, in the order of SPIR-V's Image Format enumeration (SPIR-V 1.6, 3.11), so
 * that the numbers agree. */
#define IR_FORMATS(X)                                                                              \
    X(unknown) X(r32g32b32a32_sfloat) X(r16g16b16a16_sfloat) X(r32_sfloat) X(r8g8b8a8_unorm)       \
    X(r8g8b8a8_snorm) X(r32g32_sfloat) X(r16g16_sfloat) X(r11g11b10_ufloat) X(r16_sfloat)          \
    X(r16g16b16a16_unorm) X(r10g10b10a2_unorm) X(r16g16_unorm) X(r8g8_unorm) X(r16_unorm)          \
    X(r8_unorm) X(r16g16b16a16_snorm) X(r16g16_snorm) X(r8g8_snorm) X(r16_snorm) X(r8_snorm)       \
    X(r32g32b32a32_sint) X(r16g16b16a16_sint) X(r8g8b8a8_sint) X(r32_sint) X(r32g32_sint)          \
    X(r16g16_sint) X(r8g8_sint) X(r16_sint) X(r8_sint) X(r32g32b32a32_uint) X(r16g16b16a16_uint)   \
    X(r8g8b8a8_uint) X(r32_uint) X(r10g10b10a2_uint) X(r32g32_uint) X(r16g16_uint) X(r8g8_uint)    \
    X(r16_uint) X(r8_uint) X(r64_uint) X(r64_sint)
/* clang-format on */

#define IR_ENUM_ATOMIC(x) IR_ATOMIC_##x,
typedef enum ir_atomic_op { IR_ATOMIC_OPS(IR_ENUM_ATOMIC) IR_ATOMIC_COUNT } ir_atomic_op;
#define IR_ENUM_REDUCE(x) IR_REDUCE_##x,
typedef enum ir_reduction { IR_REDUCTIONS(IR_ENUM_REDUCE) IR_REDUCE_COUNT } ir_reduction;
#define IR_ENUM_DESC(x) IR_DESC_##x,
typedef enum ir_desc_type { IR_DESC_TYPES(IR_ENUM_DESC) IR_DESC_COUNT } ir_desc_type;
#define IR_ENUM_DIM(x) IR_DIM_##x,
typedef enum ir_dim { IR_DIMS(IR_ENUM_DIM) IR_DIM_COUNT } ir_dim;
#define IR_ENUM_TEX(x) IR_TEX_##x,
typedef enum ir_tex_op { IR_TEX_OPS(IR_ENUM_TEX) IR_TEX_COUNT } ir_tex_op;
#define IR_ENUM_SCOPE(x) IR_SCOPE_##x,
typedef enum ir_scope { IR_SCOPES(IR_ENUM_SCOPE) IR_SCOPE_COUNT } ir_scope;
/* What the source wants of a loop: nothing, that it is unrolled even if that makes much code, that
 * it stays. */
#define IR_ENUM_UNROLL(x) IR_UNROLL_##x,
typedef enum ir_unroll { IR_UNROLLS(IR_ENUM_UNROLL) IR_UNROLL_COUNT } ir_unroll;
#define IR_ENUM_SLOT(x) IR_SLOT_##x,
typedef enum ir_slot { IR_SLOTS(IR_ENUM_SLOT) IR_SLOT_COUNT } ir_slot;
#define IR_ENUM_INTERP(x) IR_INTERP_##x,
typedef enum ir_interp { IR_INTERPS(IR_ENUM_INTERP) IR_INTERP_COUNT } ir_interp;
#define IR_ENUM_INTERP_AT(x) IR_INTERP_AT_##x,
typedef enum ir_interp_at { IR_INTERP_PLACES(IR_ENUM_INTERP_AT) IR_INTERP_AT_COUNT } ir_interp_at;
#define IR_ENUM_BASE(x) IR_BASE_##x,
typedef enum ir_base_type { IR_BASE_TYPES(IR_ENUM_BASE) IR_BASE_COUNT } ir_base_type;
#define IR_ENUM_FORMAT(x) IR_FORMAT_##x,
typedef enum ir_format { IR_FORMATS(IR_ENUM_FORMAT) IR_FORMAT_COUNT } ir_format;

enum { IR_SEM_ACQUIRE = 1, IR_SEM_RELEASE = 2, IR_SEM_MAKE_AVAILABLE = 4, IR_SEM_MAKE_VISIBLE = 8 };
enum {
    IR_MODE_SSBO = 1, /* buffers and physical addresses */
    IR_MODE_SHARED = 2,
    IR_MODE_IMAGE = 4,
    IR_MODE_ATOMIC_COUNTER = 8,
};

/* Operands of `tex`, in order. */
enum {
    IR_TEX_IMAGE,
    IR_TEX_SAMPLER,
    IR_TEX_COORD,
    IR_TEX_LOD, /* lod, or bias for txb */
    IR_TEX_DREF,
    IR_TEX_OFFSET,
    IR_TEX_DDX,
    IR_TEX_DDY,
    IR_TEX_MIN_LOD,
    IR_TEX_SAMPLE,
    IR_TEX_N_REFS,
};

/* Bit of ir_instr.form: a float operation that must not be contracted with others (SPIR-V's
 * NoContraction). Only these opcodes may have it: */
enum { IR_EXACT = 1 };

static inline bool
ir_may_be_exact(unsigned op)
{
    return op == IR_fadd || op == IR_fsub || op == IR_fmul || op == IR_fdiv || op == IR_ffma;
}

/* Bit of ir_instr.form: the operation and the one before it are a pair (bundle.h), two operations
 * of one opcode on 16-bit numbers that share a register, the first one in its low half. What they
 * compute is the same as without the bit. opt/pair_halves.h makes pairs just before selection. */
enum { IR_PAIRED = 2 };

extern const ir_bundle_kind ir_hir_bundles[];

/* The words of enumerations and flags in attributes. All end with NULL. */
extern const struct ir_hir_names {
    const char *atomic[IR_ATOMIC_COUNT + 1], *reduction[IR_REDUCE_COUNT + 1];
    const char *desc[IR_DESC_COUNT + 1], *dim[IR_DIM_COUNT + 1], *tex[IR_TEX_COUNT + 1];
    const char *scope[IR_SCOPE_COUNT + 1], *base[IR_BASE_COUNT + 1], *format[IR_FORMAT_COUNT + 1];
    const char *unroll[IR_UNROLL_COUNT + 1], *slot[IR_SLOT_COUNT + 1];
    const char *interp[IR_INTERP_COUNT + 1], *interp_at[IR_INTERP_AT_COUNT + 1];
    const char *access[11], *sem[5], *mode[5];
} ir_hir_names;

/* Kinds of operand types of ALU rows. */
typedef enum ir_kind {
    IR_KIND__,
    IR_KIND_B,
    IR_KIND_F,
    IR_KIND_I,
    IR_KIND_U,
    IR_KIND_F16,
    IR_KIND_F32,
    IR_KIND_F64,
    IR_KIND_I32,
    IR_KIND_U32,
    IR_KIND_U64,
    IR_KIND_U16,
    IR_KIND_U8,
    IR_KIND_FX,
    IR_KIND_IX,
    IR_KIND_UX,
} ir_kind;

/* The typing of an ALU opcode: kind of the definition and of the sources. */
typedef struct ir_alu_info {
    uint8_t n, dst, src[3]; /* ir_kind; IR_KIND__ for absent sources */
} ir_alu_info;

/* The typing row of an ALU opcode; n is 0 for other opcodes. */
extern const ir_alu_info ir_alu_table[IR_HIR_OP_COUNT];

/* The kind B, F, I or U that a kind is based on; and its fixed size in bits, or 0 if the size is
 * the row's common size or the definition's. */
ir_kind
ir_kind_base(ir_kind k);
unsigned
ir_kind_bits(ir_kind k);

/* The word of each attribute plus 1, by opcode; 0: the opcode does not have it. Opcodes of back
 * ends (hir_table.h) are not in the table. */
extern const uint8_t ir_attr_places[IR_HIR_OP_COUNT][IR_A_COUNT];

/* The word of an attribute of a back end's opcode plus 1, or 0. The instruction must be in a block.
 */
unsigned
ir_attr_place_of_extra(const ir_instr *i, ir_attr a);

static inline unsigned
ir_attr_place(const ir_instr *i, ir_attr a)
{
    return i->op < IR_HIR_OP_COUNT ? ir_attr_places[i->op][a] : ir_attr_place_of_extra(i, a);
}

/* Attribute `a` of a HIR instruction. The instruction's row must have the attribute. An instruction
 * of a back end's opcode must be in a block. */
static inline uint32_t
ir_attr_get(const ir_instr *i, ir_attr a)
{
    unsigned place = ir_attr_place(i, a);
    assert(place);
    return ir_words(i)[place - 1];
}

static inline void
ir_attr_set(ir_instr *i, ir_attr a, uint32_t value)
{
    unsigned place = ir_attr_place(i, a);
    assert(place);
    ir_words(i)[place - 1] = value;
}

static inline bool
ir_attr_has(const ir_instr *i, ir_attr a)
{
    return ir_attr_place(i, a) != 0;
}

/* The number of channels that a storage image of format `f` has; 4 if it is not known. */
unsigned
ir_format_channels(ir_format f);

/* Returns component `comp` of a load_const, zero-extended. */
static inline uint64_t
ir_const_comp(const ir_fn *f, const ir_instr *load_const, unsigned comp)
{
    const uint32_t *words = ir_words(load_const);
    bool wide = ir_type_bits(f->values[load_const->defs[0].id].type) == 64;
    return wide ? words[2 * comp] | (uint64_t)words[2 * comp + 1] << 32 : words[comp];
}

/* Returns true if `r` reads a constant scalar; `*value` (may be NULL) receives it, zero-extended
 * from its size. */
static inline bool
ir_is_const(const ir_fn *f, ir_ref r, uint64_t *value)
{
    const ir_instr *def = ir_def_of(f, r);
    if (!def || def->op != IR_load_const || r.comp == IR_WHOLE)
        return false;
    if (value)
        *value = ir_const_comp(f, def, r.comp);
    return true;
}

/* How many dwords a value of the type has; of smaller numbers, how many numbers. */
static inline unsigned
ir_type_parts(ir_type t)
{
    return ir_type_comps(t) * (ir_type_bits(t) == 64 ? 2u : 1u);
}

/* Which dwords of its first reference a store writes, a bit each; of numbers that are smaller,
 * which of these. */
static inline uint32_t
ir_written_parts(const ir_fn *f, const ir_instr *store)
{
    const uint32_t mask = ir_attr_get(store, IR_A_WRITE_MASK);
    const ir_type t = ir_ref_type(f, store->refs[0]);
    const unsigned per = ir_type_bits(t) == 64 ? 2 : 1;
    uint32_t parts = 0;
    for (unsigned k = 0; k < ir_type_parts(t); k++)
        parts |= (mask >> k / per & 1) << k;
    return parts;
}

/* The bytes to which an access is aligned. */
static inline uint32_t
ir_alignment(const ir_instr *i)
{
    const uint32_t at = ir_attr_get(i, IR_A_ALIGN_OFFSET);
    return at ? at & (~at + 1) : ir_attr_get(i, IR_A_ALIGN_MUL);
}

/* ---- levels of HIR ---- */

void
ir_hir_type_name(ir_type t, char out[16]);
bool
ir_hir_parse_type(const char *text, size_t len, ir_type *out);
extern const ir_attr_info ir_hir_form[];
bool
ir_hir_has_form(unsigned op, unsigned form);

/* The level of an opcode table that hir_table.h made. */
#define IR_HIR_LEVEL_FIELDS(table)                                                                 \
    .name = "hir", .ops = table, .n_ops = sizeof(table) / sizeof *(table),                         \
    .type_name = ir_hir_type_name, .parse_type = ir_hir_parse_type, .form = ir_hir_form,           \
    .has_form = ir_hir_has_form, .bundles = ir_hir_bundles
#define IR_HIR_LEVEL(table)                                                                        \
    {                                                                                              \
        IR_HIR_LEVEL_FIELDS(table)                                                                 \
    }

/* What a reduction of `bits` bits combines with any number to that number; of sums of floats it is
 * 0, which makes 0 of -0. Booleans have 1 bit. */
uint64_t
ir_reduction_identity(ir_reduction op, unsigned bits);

/* What a reduction begins with: the identity; of sums of floats -0, which leaves -0 as it is. */
uint64_t
ir_reduction_start(ir_reduction op, unsigned bits);

/* The operation on two numbers that a reduction combines by. */
ir_op
ir_reduction_op(ir_reduction op);

#endif
