/* The rows of ops.def as data, and the lookup of rows by number.
 *
 * The number lookup is a switch that the compiler builds from the rows: two rows with the same
 * number in one encoding of a generation cause a compile error.
 */
#include "amd/isa/table/table.h"

#include <string.h>

/* Short names of the rows' columns. */
enum {
    A_OFFSET = AMD_A_OFFSET,
    A_BIAS = AMD_A_BIAS,
    A_COMPARE = AMD_A_COMPARE,
    A_GRADIENTS = AMD_A_GRADIENTS,
    A_COORDS = AMD_A_COORDS,
    A_LOD = AMD_A_LOD,
    A_G16 = AMD_A_G16,
    A_BVH = AMD_A_BVH,
    A_BVH64 = AMD_A_BVH64,
    A_BVH8 = AMD_A_BVH8,
    A_BVH_DUAL = AMD_A_BVH_DUAL,
#define FLAG_SHORT(name) F_##name = AMD_F_##name,
    AMD_FLAGS(FLAG_SHORT)
#undef FLAG_SHORT
};

#define D(kind, type)                                                                              \
    {                                                                                              \
        AMD_ROLE_DST, AMD_K_##kind, AMD_T_##type                                                   \
    }
#define B(kind, type)                                                                              \
    {                                                                                              \
        AMD_ROLE_BOTH, AMD_K_##kind, AMD_T_##type                                                  \
    }
#define S(kind, type)                                                                              \
    {                                                                                              \
        AMD_ROLE_SRC, AMD_K_##kind, AMD_T_##type                                                   \
    }
#define I(kind)                                                                                    \
    {                                                                                              \
        AMD_ROLE_IMM, AMD_K_##kind, 0                                                              \
    }
#define NO_OPERANDS                                                                                \
    {                                                                                              \
        0, 0, 0                                                                                    \
    }
#define UNPAREN(...) __VA_ARGS__

/* A number of ops.def, hexadecimal digits or nothing, as a constant; -1 for nothing. The 1 that is
 * pasted before the digits keeps no digits apart from 0. */
#define NUMBER(digits) WITHOUT_1(0x1##digits)
#define WITHOUT_1(n)                                                                               \
    ((n) == 0x1 ? -1 : (n) < 0x20 ? (n)-0x10 : (n) < 0x200 ? (n)-0x100 : (n)-0x1000)
#define NUMBERS(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g10_3, g11, g11_5, g12)               \
    {                                                                                              \
        NUMBER(g6), NUMBER(g7), NUMBER(g8), NUMBER(g9), NUMBER(g908), NUMBER(g90a), NUMBER(g942),  \
            NUMBER(g950), NUMBER(g10), NUMBER(g10_3), NUMBER(g11), NUMBER(g11_5), NUMBER(g12)      \
    }

const amd_op_info amd_op_rows[AMD_OP_HW_COUNT] = {
#define AMD_OP(id, name, fmt, operands, numbers, flags, memory, reversed)                          \
    [AMD_##id] = {                                                                                 \
        name, AMD_##fmt, memory, AMD_##reversed, flags, NUMBERS numbers, {UNPAREN operands}},
#include "amd/isa/ops.def"
#undef AMD_OP
};

#undef D
#undef B
#undef S
#undef I
#undef NO_OPERANDS
#define D(kind, type)                  AMD_ROLE_DST
#define B(kind, type)                  AMD_ROLE_BOTH
#define S(kind, type)                  AMD_ROLE_SRC
#define I(kind)                        AMD_ROLE_IMM
#define NO_OPERANDS                    0
#define IS_SRC(r)                      ((r) == AMD_ROLE_SRC)
#define IS_DST(r)                      ((r) == AMD_ROLE_DST || (r) == AMD_ROLE_BOTH)
#define IS_IMM(r)                      ((r) == AMD_ROLE_IMM)
#define SUM(is, a, b, c, d, e, f, ...) (is(a) + is(b) + is(c) + is(d) + is(e) + is(f))
#define BOTH(a, b, c, ...)                                                                         \
    ((a) == AMD_ROLE_BOTH   ? 0                                                                    \
     : (b) == AMD_ROLE_BOTH ? IS_DST(a)                                                            \
     : (c) == AMD_ROLE_BOTH ? IS_DST(a) + IS_DST(b)                                                \
                            : -1)
/* The operands' numbers, each in the four bits of its place among those of the role. */
#define PLACE(is, x, number, before) (is(x) ? (uint32_t)(number) << 4 * (before) : 0)
#define LIST(is, a, b, c, d, e, f, ...)                                                            \
    (PLACE(is, b, 1, is(a)) | PLACE(is, c, 2, is(a) + is(b)) |                                     \
     PLACE(is, d, 3, is(a) + is(b) + is(c)) | PLACE(is, e, 4, is(a) + is(b) + is(c) + is(d)) |     \
     PLACE(is, f, 5, is(a) + is(b) + is(c) + is(d) + is(e)))
#define SHAPE(...)                                                                                 \
    {                                                                                              \
        SUM(IS_DST, __VA_ARGS__, 0, 0, 0, 0, 0, 0), SUM(IS_SRC, __VA_ARGS__, 0, 0, 0, 0, 0, 0),    \
            SUM(IS_IMM, __VA_ARGS__, 0, 0, 0, 0, 0, 0), BOTH(__VA_ARGS__, 0, 0, 0),                \
            LIST(IS_DST, __VA_ARGS__, 0, 0, 0, 0, 0, 0),                                           \
            LIST(IS_SRC, __VA_ARGS__, 0, 0, 0, 0, 0, 0)                                            \
    }

const amd_shape amd_op_shapes[AMD_OP_HW_COUNT] = {
#define AMD_OP(id, name, fmt, operands, numbers, flags, memory, reversed)                          \
    [AMD_##id] = SHAPE operands,
#include "amd/isa/ops.def"
#undef AMD_OP
};

bool
amd_gen_find(const char *id, amd_gen *gen)
{
    static const struct {
        const char *name;
        amd_gen gen;
    } processors[] = {
#define AMD_PROCESSOR(name, gen, limits)   {#name, AMD_##gen},
#define AMD_GENERIC(id, name, gen, limits) {name, AMD_##gen},
#include "amd/isa/table/processors.def"
#undef AMD_PROCESSOR
#undef AMD_GENERIC
    };
    size_t len = strcspn(id, ":");
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        const char *name = processors[i].name;
        if (strlen(name) == len && memcmp(name, id, len) == 0) {
            *gen = processors[i].gen;
            return true;
        }
    }
    return false;
}

/* Rows of names.def. */
static const struct {
    uint16_t op;
    uint8_t first, last; /* amd_gen */
    const char *name;
} renamed[] = {
#define AMD_NAME(id, first, last, name) {AMD_##id, AMD_##first, AMD_##last, name},
#define AMD_ALIAS(id, first, last, name)
#include "amd/isa/table/names.def"
#undef AMD_NAME
#undef AMD_ALIAS
};
enum { RENAMED = sizeof renamed / sizeof *renamed };

/* The first row of `renamed` for `op`, or RENAMED. names.def has the same order as ops.def. */
static size_t
first_renamed(amd_op op)
{
    size_t low = 0, high = RENAMED;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (renamed[middle].op < op)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first VOP3 number of a 32-bit encoding: VOPC, VOP2, VOP1 and VINTRP follow one another. gfx8
 * and gfx9 have VOP1 at 0x140 and VINTRP at 0x270 (Vega ISA, "VOP3"). */
static int
e64_base(amd_fmt fmt, amd_gen gen)
{
    bool gcn3 = gen >= AMD_GFX8 && gen <= AMD_GFX950;
    switch (fmt) {
    case AMD_VOPC: return 0;
    case AMD_VOP2: return 0x100;
    case AMD_VOP1: return gcn3 ? 0x140 : 0x180;
    case AMD_VINTRP: return gcn3 ? 0x270 : 0x200;
    default: return -1;
    }
}

/* On RDNA, accumulating dot products have only 32-bit encodings; VOP3 of gfx6 and gfx7 has no
 * numbers for interpolation. */
bool
amd_op_has_e64(amd_op op, amd_gen gen)
{
    const amd_op_info *row = amd_op_row(op);
    bool dot = op == AMD_V_DOT2C_F32_F16 || op == AMD_V_DOT4C_I32_I8;
    bool interp = row && row->fmt == AMD_VINTRP;
    return row && row->flags & AMD_F_E64 && !(dot && gen >= AMD_GFX10) &&
           !(interp && gen < AMD_GFX8);
}

int
amd_op_number(amd_op op, amd_fmt fmt, amd_gen gen)
{
    const amd_op_info *row = amd_op_row(op);
    if (!row || row->number[gen] < 0)
        return -1;
    int number = row->number[gen];
    if (fmt == row->fmt && number < 0x100)
        return number;
    int base = e64_base(row->fmt, gen);
    bool only_e64 = base >= 0 && number >= 0x100 && row->fmt != AMD_VOPC;
    if (fmt == row->fmt)
        return only_e64 ? -1 : number;
    if (fmt != AMD_VOP3 || base < 0)
        return -1;
    if (only_e64)
        return number;
    return amd_op_has_e64(op, gen) ? base + number : -1;
}

bool
amd_op_exists(amd_op op, amd_gen gen)
{
    const amd_op_info *row = amd_op_row(op);
    return row && row->number[gen] >= 0;
}

bool
amd_op_has_e32(amd_op op, amd_gen gen)
{
    const amd_op_info *row = amd_op_row(op);
    return row && row->fmt >= AMD_VOP1 && row->fmt <= AMD_VOPC &&
           amd_op_number(op, (amd_fmt)row->fmt, gen) >= 0;
}

bool
amd_op_has_dpp(amd_op op, amd_fmt fmt, amd_gen gen)
{
    const amd_op_info *row = amd_op_row(op);
    bool gfx11 = gen >= AMD_GFX11;
    if (!row)
        return false;
    if (fmt == AMD_VOP1 && amd_shares_agprs(gen) && row->flags & AMD_F_FP &&
        amd_op_has_doubles(row))
        return true;
    if (!(row->flags & AMD_F_DPP))
        return false;
    if (gfx11 && (op == AMD_V_CVT_PK_F32_FP8 || op == AMD_V_CVT_PK_F32_BF8))
        return false; /* LLVM's assembler: 64-bit results have none */
    switch (fmt) {
    case AMD_VOP1: /* v_movrel has no DPP on gfx8 */
        return gen >= AMD_GFX10 || (gen >= AMD_GFX8 && !(row->flags & AMD_F_M0_R));
    case AMD_VOP2: return gfx11 || (gen >= AMD_GFX8 && op != AMD_V_PK_FMAC_F16);
    case AMD_VOPC: return gen >= AMD_GFX8; /* no LLVM has it before gfx11; the guides and ACO do */
    case AMD_VOP3:
    case AMD_VOP3P: return gfx11;
    default: return false;
    }
}

bool
amd_op_has_sdwa(amd_op op, amd_gen gen)
{
    const amd_op_info *row = amd_op_row(op);
    if (!row || !(row->flags & AMD_F_SDWA) || gen < AMD_GFX8 || gen >= AMD_GFX11 ||
        !amd_op_has_e32(op, gen))
        return false;
    switch (op) {
    case AMD_V_MAC_F16:
    case AMD_V_MAC_F32: return gen == AMD_GFX8;
    case AMD_V_MOVRELD_B32:
    case AMD_V_MOVRELS_B32:
    case AMD_V_MOVRELSD_B32: return gen >= AMD_GFX10;
    default: return true;
    }
}

const char *
amd_op_name(amd_op op, amd_gen gen)
{
    for (size_t i = first_renamed(op); i < RENAMED && renamed[i].op == op; i++) {
        if (gen >= renamed[i].first && gen <= renamed[i].last)
            return renamed[i].name;
    }
    return amd_op_rows[op].name;
}

const amd_alias amd_aliases[] = {
#define AMD_NAME(id, first, last, name)
#define AMD_ALIAS(id, first, last, name) {AMD_##id, AMD_##first, AMD_##last, name},
#include "amd/isa/table/names.def"
#undef AMD_NAME
#undef AMD_ALIAS
    {AMD_OP_INVALID, 0, 0, NULL},
};

const char *
amd_op_old_name(amd_op op, amd_gen gen)
{
    bool matrix = amd_is_cdna3(gen) && amd_op_rows[op].operands[0].kind == AMD_K_VACC;
    bool none = gen == AMD_GFX12 && (op == AMD_LDS_PARAM_LOAD || op == AMD_LDS_DIRECT_LOAD ||
                                     op == AMD_IMAGE_ATOMIC_FMIN || op == AMD_IMAGE_ATOMIC_FMAX);
    return (gen >= AMD_GFX11 && !none) || matrix ? amd_op_rows[op].name : NULL;
}

/* Case labels: rows that a generation lacks get unique negative labels. */
#define KEY(fmt, number) ((int)AMD_##fmt << 12 | (number))
#define ROW_CASE(id, fmt, number)                                                                  \
    case NUMBER(number) < 0 ? -1 - (int)AMD_##id:                                                  \
        KEY(fmt, NUMBER(number)) : return AMD_##id;

#define FIND_NAME                                                                      find_gfx6
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g6
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx7
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g7
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx8
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g8
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx9
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g9
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx908
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g908
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx90a
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g90a
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx942
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g942
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx950
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g950
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx10
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g10
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx10_3
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g103
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx11
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g11
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx11_5
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g115
#include "amd/isa/table/find.def"
#define FIND_NAME                                                                      find_gfx12
#define FIND_COLUMN(g6, g7, g8, g9, g908, g90a, g942, g950, g10, g103, g11, g115, g12) g12
#include "amd/isa/table/find.def"

static amd_op
find_key(amd_gen gen, amd_fmt fmt, unsigned number)
{
    static amd_op (*const find[AMD_GEN_COUNT])(int) = {
        [AMD_GFX6] = find_gfx6,       [AMD_GFX7] = find_gfx7,     [AMD_GFX8] = find_gfx8,
        [AMD_GFX9] = find_gfx9,       [AMD_GFX908] = find_gfx908, [AMD_GFX90A] = find_gfx90a,
        [AMD_GFX942] = find_gfx942,   [AMD_GFX950] = find_gfx950, [AMD_GFX10] = find_gfx10,
        [AMD_GFX10_3] = find_gfx10_3, [AMD_GFX11] = find_gfx11,   [AMD_GFX11_5] = find_gfx11_5,
        [AMD_GFX12] = find_gfx12,
    };
    return find[gen]((int)(fmt << 12 | number));
}

amd_op
amd_op_find(amd_gen gen, amd_fmt fmt, unsigned number)
{
    static const amd_fmt e64_fmts[] = {AMD_VINTRP, AMD_VOP1, AMD_VOP2, AMD_VOPC};
    if (number > 0xfff)
        return AMD_OP_INVALID;
    amd_op op = find_key(gen, fmt, number);
    if (op != AMD_OP_INVALID || fmt != AMD_VOP3)
        return op;
    for (unsigned i = 0; i < sizeof e64_fmts / sizeof *e64_fmts; i++) {
        int base = e64_base(e64_fmts[i], gen);
        if (number >= 0x100) /* a row with only its VOP3 encoding on `gen` */
            op = find_key(gen, e64_fmts[i], number);
        if (amd_op_number(op, AMD_VOP3, gen) != (int)number && (int)number >= base)
            op = find_key(gen, e64_fmts[i], number - (unsigned)base);
        if (amd_op_number(op, AMD_VOP3, gen) == (int)number)
            return op;
    }
    return AMD_OP_INVALID;
}

/* Operands of which LLVM 22 selects a half although their type has 32 bits: the mask of
 * v_cmp_class_f16 (the RDNA3 ISA counts 32 bits, of which ten mean something), and two 8-bit floats
 * that gfx12 converts. */
static bool
is_half_of_word(amd_gen gen, const amd_op_info *row, const amd_operand *o)
{
    if (row->fmt == AMD_VOPC)
        return o->type == AMD_T_U32 && row->operands[1].type == AMD_T_F16;
    return o == &row->operands[1] && amd_converts_bytes(gen, row) == AMD_FROM_BYTES;
}

bool
amd_is_half(amd_gen gen, const amd_op_info *row, const amd_operand *o)
{
    bool vector = o->kind == AMD_K_VGPR || o->kind == AMD_K_VSRC;
    bool vop = row->fmt >= AMD_VOP1 && row->fmt <= AMD_VOP3;
    return gen >= AMD_GFX11 && vop && vector &&
           (amd_type_bits((amd_type)o->type, false) == 16 || is_half_of_word(gen, row, o));
}

amd_byte_conversion
amd_converts_bytes(amd_gen gen, const amd_op_info *row)
{
    if (row == amd_op_row(AMD_V_CVT_SR_FP8_F32) || row == amd_op_row(AMD_V_CVT_SR_BF8_F32))
        return AMD_TO_BYTE;
    if (gen < AMD_GFX12)
        return AMD_NO_BYTES;
    if (row == amd_op_row(AMD_V_CVT_F32_FP8) || row == amd_op_row(AMD_V_CVT_F32_BF8))
        return AMD_FROM_BYTE;
    if (row == amd_op_row(AMD_V_CVT_PK_F32_FP8) || row == amd_op_row(AMD_V_CVT_PK_F32_BF8))
        return AMD_FROM_BYTES;
    return AMD_NO_BYTES;
}

bool
amd_has_op_sel(amd_gen gen, const amd_op_info *row)
{
    bool e32 = row->fmt != AMD_VOP3 && row->fmt != AMD_VINTERP && row->number[gen] < 0x100;
    return gen >= AMD_GFX9 && row->flags & AMD_F_OPSEL && !(gen < AMD_GFX10 && e32);
}

unsigned
amd_half_mask(amd_gen gen, const amd_op_info *row)
{
    unsigned mask = 0, n_src = 0;
    for (const amd_operand *o = row->operands; o < row->operands + AMD_MAX_OPERANDS && o->role;
         o++) {
        unsigned bit = amd_half_bit(row, o, n_src);
        n_src += o->role == AMD_ROLE_SRC;
        mask |= (amd_is_half(gen, row, o) ? 1u : 0u) << bit;
    }
    return mask;
}
