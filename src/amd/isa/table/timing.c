/* Finds the class of an opcode from its row: the encoding names the unit, types and flags the rate.
 *
 * Vector memory moves 64 bytes a cycle between a compute unit's cache and its registers, LDS 128
 * (32 banks); a sample filters four lanes a cycle ("RDNA Architecture", and the GCN white paper:
 * 16 load and store units, four filtering units). Matrix instructions of CDNA take passes of four
 * cycles: 2, 8 and 16 for results of 4, 16 and 32 rows, on gfx942 half of it where the factors are
 * wide (LLVM 19's model); WMMA takes a sixteenth of a product's operations in cycles, less for
 * small integers (peak rates).
 */
#include "amd/isa/table/timing.h"

#include "amd/isa/table/table.h"

#include <string.h>

typedef enum column { GCN, CDNA2, RDNA, RDNA3, RDNA4, N_COLUMNS } column;

static const uint8_t column_of[AMD_GEN_COUNT] = {
    [AMD_GFX6] = GCN,    [AMD_GFX7] = GCN,     [AMD_GFX8] = GCN,     [AMD_GFX9] = GCN,
    [AMD_GFX908] = GCN,  [AMD_GFX90A] = CDNA2, [AMD_GFX942] = CDNA2, [AMD_GFX950] = CDNA2,
    [AMD_GFX10] = RDNA,  [AMD_GFX10_3] = RDNA, [AMD_GFX11] = RDNA3,  [AMD_GFX11_5] = RDNA3,
    [AMD_GFX12] = RDNA4,
};

typedef struct triple {
    uint16_t issue, busy, latency;
} triple;

typedef struct class_row {
    uint8_t unit;
    triple at[N_COLUMNS];
} class_row;

#define T(issue, busy, latency)                                                                    \
    {                                                                                              \
        issue, busy, latency                                                                       \
    }
static const class_row classes[AMD_TIMING_COUNT] = {
#define AMD_TIMING(name, unit, gcn, cdna2, rdna, rdna3, rdna4, source)                             \
    [AMD_TIMING_##name] = {AMD_UNIT_##unit, {gcn, cdna2, rdna, rdna3, rdna4}},
#define AMD_SPEED(...)
#define AMD_TIMED(...)
#include "amd/isa/table/timing.def"
#undef AMD_TIMING
#undef AMD_SPEED
#undef AMD_TIMED
};
#undef T

/* By opcode: 1 + the class, if it does not follow from the row; and the operations that may be
 * either half of VOPD. */
static const uint8_t listed[AMD_OP_HW_COUNT] = {
#define AMD_DUAL(id, number, slots, ...) [AMD_##id] = SLOTS_##slots,
#define SLOTS_XY                         1 + AMD_TIMING_VALU_WIDE
#define SLOTS_Y                          0
#include "amd/isa/table/dual.def"
#undef AMD_DUAL
#define AMD_TIMING(...)
#define AMD_SPEED(...)
#define AMD_TIMED(class, op) [AMD_##op] = 1 + AMD_TIMING_##class,
#include "amd/isa/table/timing.def"
#undef AMD_TIMING
#undef AMD_SPEED
#undef AMD_TIMED
};

static const struct speed {
    const char *processor;
    uint16_t fma, f64, f64_add;
} speeds[] = {
#define AMD_TIMING(...)
#define AMD_SPEED(processor, fma, f64, f64_add) {#processor, fma, f64, f64_add},
#define AMD_TIMED(...)
#include "amd/isa/table/timing.def"
#undef AMD_TIMING
#undef AMD_SPEED
#undef AMD_TIMED
};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

/* ---- classes ---- */

typedef struct shape {
    unsigned f64, wide; /* operands of binary64, and of other 64-bit types */
    amd_type dst, src;  /* of the first ones */
    bool matrix;
} shape;

static shape
shape_of(const amd_op_info *row)
{
    shape s = {0};
    for (unsigned i = 0; i < AMD_MAX_OPERANDS && row->operands[i].role; i++) {
        const amd_operand *o = &row->operands[i];
        amd_type t = (amd_type)o->type;
        s.f64 += t == AMD_T_F64;
        s.wide += t == AMD_T_B64 || t == AMD_T_U64 || t == AMD_T_I64;
        s.matrix |= o->kind == AMD_K_VACC || amd_type_is_matrix(t);
        if (o->role & AMD_ROLE_DST && !s.dst)
            s.dst = t;
        if (o->role == AMD_ROLE_SRC && !s.src)
            s.src = t;
    }
    return s;
}

static amd_timing_class
double_class(const amd_op_info *row, const shape *s)
{
    if (row->flags & AMD_F_TRANS)
        return AMD_TIMING_F64_TRANS;
    if (s->dst != AMD_T_F64 && row->fmt == AMD_VOP1)
        return AMD_TIMING_F64_CVT;
    if (s->src != AMD_T_F64)
        return AMD_TIMING_F64_CVT;
    return s->f64 > 3 ? AMD_TIMING_F64 : AMD_TIMING_F64_ADD;
}

static bool
is_float(amd_type t)
{
    return amd_type_class(t) == AMD_CLASS_F;
}

/* Does a float become a 32-bit integer, the reverse, or a float of another size? Single bytes
 * (type B32) convert at the full rate. */
static bool
converts(const amd_op_info *row, const shape *s)
{
    amd_type other = is_float(s->dst) ? s->src : s->dst;
    bool one_float = is_float(s->src) || is_float(s->dst);
    return row->fmt == AMD_VOP1 && one_float && s->src != s->dst &&
           (is_float(other) || other == AMD_T_U32 || other == AMD_T_I32);
}

static amd_timing_class
vector_class(const amd_op_info *row)
{
    shape s = shape_of(row);
    if (s.matrix)
        return AMD_TIMING_MATRIX;
    if (s.f64)
        return double_class(row, &s);
    if (row->flags & AMD_F_TRANS)
        return AMD_TIMING_TRANS;
    if (s.wide)
        return AMD_TIMING_VALU64;
    if (converts(row, &s))
        return AMD_TIMING_CONVERT;
    return amd_type_bits(s.dst, false) == 16 ? AMD_TIMING_VALU_WIDE : AMD_TIMING_VALU;
}

static amd_timing_class
scalar_class(const amd_op_info *row)
{
    if (row->flags & AMD_F_BRANCH)
        return AMD_TIMING_BRANCH;
    if (row->flags & AMD_F_BARRIER)
        return AMD_TIMING_IDLE;
    if (row->flags & AMD_F_LGKM)
        return AMD_TIMING_MESSAGE;
    bool computes = row->fmt != AMD_SOPP && strncmp(row->name, "s_wait", 6) != 0;
    if (!computes)
        return AMD_TIMING_IDLE;
    return row->flags & AMD_F_FP ? AMD_TIMING_SALU_FLOAT : AMD_TIMING_SALU;
}

amd_timing_class
amd_timing_class_of(amd_op op)
{
    const amd_op_info *row = amd_op_row(op);
    if (!row)
        return AMD_TIMING_IDLE;
    if (listed[op])
        return (amd_timing_class)(listed[op] - 1);
    switch ((amd_fmt)row->fmt) {
    case AMD_SOP1:
    case AMD_SOP2:
    case AMD_SOPK:
    case AMD_SOPC:
    case AMD_SOPP: return scalar_class(row);
    case AMD_SMEM: return AMD_TIMING_SMEM;
    case AMD_DS:
    case AMD_LDSDIR: return AMD_TIMING_LDS;
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_MIMG:
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH: return AMD_TIMING_VMEM;
    case AMD_EXP: return AMD_TIMING_EXPORT;
    default: return vector_class(row);
    }
}

/* ---- durations ---- */

amd_pace
amd_pace_of(amd_gen gen, const char *processor, bool wave64)
{
    column c = (column)column_of[gen];
    amd_pace p = {.gen = (uint8_t)gen, .column = (uint8_t)c, .wave64 = wave64};
    p.slot = (uint8_t)classes[AMD_TIMING_IDLE].at[c].issue;
    p.passes = p.slot == 1 && wave64 ? 2 : 1;
    p.wide = c >= RDNA3;
    p.line_shift = p.slot == 1 ? 7 : 6; /* "RDNA Architecture": 128 bytes, GCN 64 */
    for (size_t i = 0; processor && i < SPEEDS; i++) {
        if (strcmp(speeds[i].processor, processor) != 0)
            continue;
        p.fma = speeds[i].fma;
        p.f64 = speeds[i].f64;
        p.f64_add = speeds[i].f64_add;
    }
    return p;
}

static unsigned
divide_up(unsigned a, unsigned b)
{
    return (a + b - 1) / b;
}

static uint16_t
at_least(uint16_t least, unsigned n)
{
    return (uint16_t)(n > least ? n : least);
}

static unsigned
lanes_of(const amd_pace *pace)
{
    return pace->wave64 ? 64 : 32;
}

/* The rows of a matrix instruction's result: the first number before an x in its name. */
static unsigned
matrix_rows(const amd_op_info *row)
{
    const char *x = strstr(row->name, "x");
    while (x && !(x > row->name && x[-1] >= '0' && x[-1] <= '9'))
        x = strstr(x + 1, "x");
    if (!x)
        return 16;
    return x[-1] == '4' ? 4 : x[-1] == '2' ? 32 : 16;
}

static unsigned
matrix_passes(const amd_pace *pace, const amd_op_info *row)
{
    unsigned rows = matrix_rows(row), passes = rows == 4 ? 2 : rows == 16 ? 8 : 16;
    amd_type acc = (amd_type)row->operands[0].type, factor = (amd_type)row->operands[1].type;
    if (amd_type_class(acc) == AMD_CLASS_ACCD || amd_type_class(acc) == AMD_CLASS_F)
        return rows == 4 ? 4 : 8;
    bool one_block = amd_type_bits(acc, false) == rows * rows / 2;
    return amd_is_cdna3(pace->gen) && one_block && amd_type_bits(factor, false) > 32 ? passes / 2
                                                                                     : passes;
}

/* Cycles of a matrix instruction: passes of CDNA, or of RDNA's WMMA by the factors' size. */
static void
time_matrix(const amd_pace *pace, const amd_op_info *row, amd_timing *t)
{
    if (pace->slot > 1) {
        t->busy = t->latency = (uint16_t)(4 * matrix_passes(pace, row));
        return;
    }
    amd_type factor = (amd_type)row->operands[1].type;
    unsigned bits = amd_type_bits(factor, false), full = t->busy;
    unsigned cycles = pace->column == RDNA4 ? full * bits / 128 : bits < 64 ? full / 2 : full;
    t->issue = t->busy = t->latency = at_least(1, cycles);
    t->unit = AMD_UNIT_VALU;
}

static void
time_vector(const amd_pace *pace, const amd_op_info *row, amd_timing *t)
{
    bool one = pace->wide && (t->class == AMD_TIMING_VALU_WIDE || t->class == AMD_TIMING_FMA32);
    uint16_t own = t->class == AMD_TIMING_FMA32     ? pace->fma
                   : t->class == AMD_TIMING_F64     ? pace->f64
                   : t->class == AMD_TIMING_F64_ADD ? pace->f64_add
                                                    : 0;
    if (t->class == AMD_TIMING_MATRIX)
        time_matrix(pace, row, t);
    else if (own)
        t->issue = t->busy = t->latency = own;
    if (!one) {
        t->issue = (uint16_t)(t->issue * pace->passes);
        t->busy = (uint16_t)(t->busy * pace->passes);
    }
}

enum { VMEM_BYTES = 64, LDS_BYTES = 128, IMAGE_BYTES = 16, FILTERED_LANES = 4 };

static void
add_transfer(const amd_pace *pace, unsigned bytes, unsigned bytes_a_cycle, amd_timing *t)
{
    t->busy = at_least(t->busy, divide_up(bytes * lanes_of(pace), bytes_a_cycle));
}

amd_timing
amd_timing_of(const amd_pace *pace, amd_op op)
{
    const amd_op_info *row = amd_op_row(op);
    amd_timing_class class = amd_timing_class_of(op);
    const class_row *c = &classes[class];
    const triple *n = &c->at[pace->column];
    amd_timing t = {(uint8_t) class, c->unit, n->issue, n->busy, n->latency};
    if (c->unit == AMD_UNIT_VALU || c->unit == AMD_UNIT_TRANS || c->unit == AMD_UNIT_MATRIX)
        time_vector(pace, row, &t);
    else if (class == AMD_TIMING_LDS)
        add_transfer(pace, row->memory, LDS_BYTES, &t);
    else if (class == AMD_TIMING_VMEM)
        add_transfer(pace, row->fmt == AMD_MIMG || !row->memory ? IMAGE_BYTES : row->memory,
                     VMEM_BYTES, &t);
    return t;
}

/* ---- of one instruction ---- */

static unsigned
channels(unsigned mask)
{
    unsigned n = 0;
    for (; mask; mask &= mask - 1)
        n++;
    return n ? n : 1;
}

/* An image instruction that samples filters; the others move the channels of dmask. */
static void
time_image(const amd_pace *pace, const amd_inst *in, const amd_op_info *row, amd_timing *t)
{
    bool samples = strncmp(row->name, "image_sample", 12) == 0 ||
                   strncmp(row->name, "image_gather", 12) == 0;
    unsigned cycles = samples ? lanes_of(pace) / FILTERED_LANES
                              : divide_up(4 * channels(in->dmask) * lanes_of(pace), VMEM_BYTES);
    t->busy = at_least(classes[AMD_TIMING_VMEM].at[pace->column].busy, cycles);
}

/* Is the address of a scalar load the base plus a constant? Descriptors and parameters, which the
 * constant cache has. */
static bool
is_near(const amd_inst *in, const amd_op_info *row)
{
    for (unsigned i = 0; i < in->n_src; i++) {
        const amd_operand *o = amd_op_src(row, i);
        if (o && o->kind == AMD_K_SOFFSET && in->src[i] != AMD_REG_ABSENT &&
            in->src[i] != AMD_REG_NULL && in->src[i] != AMD_SRC_LITERAL)
            return false;
    }
    return true;
}

static amd_timing
dual_timing(const amd_pace *pace, const amd_inst *in)
{
    amd_timing x = amd_timing_of(pace, (amd_op)in->op), y = amd_timing_of(pace, (amd_op)in->op_y);
    x.latency = at_least(x.latency, y.latency);
    return x;
}

amd_timing
amd_inst_timing(const amd_pace *pace, const amd_inst *in)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    if (in->fmt == AMD_VOPD)
        return dual_timing(pace, in);
    amd_timing t = amd_timing_of(pace, (amd_op)in->op);
    if (in->fmt == AMD_MIMG)
        time_image(pace, in, row, &t);
    if (t.class == AMD_TIMING_SMEM && is_near(in, row)) {
        t.class = AMD_TIMING_SMEM_NEAR;
        t.latency = classes[AMD_TIMING_SMEM_NEAR].at[pace->column].latency;
    }
    if (in->op == AMD_S_NOP)
        t.issue = (uint16_t)(pace->slot * ((in->imm & 15) + 1));
    if (in->op == AMD_S_SLEEP)
        t.issue = (uint16_t)(64 * (in->imm & 127) + pace->slot);
    return t;
}

const char *const amd_unit_names[] = {
    "none", "valu", "trans", "matrix", "salu", "smem", "vmem", "lds", "export", "branch", NULL,
};
_Static_assert(sizeof amd_unit_names / sizeof *amd_unit_names == AMD_UNIT_COUNT + 1, "all units");
