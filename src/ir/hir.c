#include "ir/hir_table.h"

#include "base/bits.h"

#include <stdio.h>

/* ---- attributes ---- */

#define WORD(x) #x,
#define WORDS_OF(list)                                                                             \
    {                                                                                              \
        list(WORD) NULL                                                                            \
    }
const struct ir_hir_names ir_hir_names = {
    .atomic = WORDS_OF(IR_ATOMIC_OPS),
    .reduction = WORDS_OF(IR_REDUCTIONS),
    .desc = WORDS_OF(IR_DESC_TYPES),
    .dim = WORDS_OF(IR_DIMS),
    .tex = WORDS_OF(IR_TEX_OPS),
    .scope = WORDS_OF(IR_SCOPES),
    .base = WORDS_OF(IR_BASE_TYPES),
    .unroll = WORDS_OF(IR_UNROLLS),
    .format = WORDS_OF(IR_FORMATS),
    .slot = WORDS_OF(IR_SLOTS),
    .interp = WORDS_OF(IR_INTERPS),
    .interp_at = WORDS_OF(IR_INTERP_PLACES),
    .access = {"coherent", "volatile", "restrict", "readonly", "writeonly", "non_uniform",
               "non_temporal", "can_reorder", "aliased", "residency", NULL},
    .sem = {"acquire", "release", "available", "visible", NULL},
    .mode = {"ssbo", "shared", "image", "atomic_counter", NULL},
};

/* A format's name has a letter and a size for each channel. */
unsigned
ir_format_channels(ir_format f)
{
    const char *name = ir_hir_names.format[f];
    unsigned n = 0;
    if (f == IR_FORMAT_unknown)
        return 4;
    for (; *name && *name != '_'; name++)
        n += *name >= 'a';
    return n;
}

#define A1(a)                [IR_A_##a] = 1,
#define A2(a, b)             A1(a)[IR_A_##b] = 2,
#define A3(a, b, c)          A2(a, b)[IR_A_##c] = 3,
#define A4(a, b, c, d)       A3(a, b, c)[IR_A_##d] = 4,
#define A5(a, b, c, d, e)    A4(a, b, c, d)[IR_A_##e] = 5,
#define A6(a, b, c, d, e, f) A5(a, b, c, d, e)[IR_A_##f] = 6,
#define WORDS
const uint8_t ir_attr_places[IR_HIR_OP_COUNT][IR_A_COUNT] = {
#define INTR(id, n_defs, n_refs, attrs, flags, types) [IR_##id] = {[IR_ATTR_NONE] = 0, attrs},
#define CORE(id, n_defs, n_refs, attrs, flags)        [IR_##id] = {[IR_ATTR_NONE] = 0, attrs},
#include "ir/ops.def"
};

unsigned
ir_attr_place_of_extra(const ir_instr *i, ir_attr a)
{
    const ir_op_info *row = ir_op_of(i->block->fn, i);
    for (unsigned w = 0; w < row->n_attrs; w++) {
        if (row->attrs[w].id == a)
            return w + 1;
    }
    return 0;
}

/* ---- kinds of ALU rows ---- */

const ir_alu_info ir_alu_table[IR_HIR_OP_COUNT] = {
#define ALU(id, n, dst, s0, s1, s2, fl, expr)                                                      \
    [IR_##id] = {n, IR_KIND_##dst, {IR_KIND_##s0, IR_KIND_##s1, IR_KIND_##s2}},
#include "ir/ops.def"
};

ir_kind
ir_kind_base(ir_kind k)
{
    static const uint8_t base[] = {
        [IR_KIND__] = IR_KIND__,   [IR_KIND_B] = IR_KIND_B,   [IR_KIND_F] = IR_KIND_F,
        [IR_KIND_I] = IR_KIND_I,   [IR_KIND_U] = IR_KIND_U,   [IR_KIND_F16] = IR_KIND_F,
        [IR_KIND_F32] = IR_KIND_F, [IR_KIND_F64] = IR_KIND_F, [IR_KIND_I32] = IR_KIND_I,
        [IR_KIND_U32] = IR_KIND_U, [IR_KIND_U64] = IR_KIND_U, [IR_KIND_U16] = IR_KIND_U,
        [IR_KIND_U8] = IR_KIND_U,  [IR_KIND_FX] = IR_KIND_F,  [IR_KIND_IX] = IR_KIND_I,
        [IR_KIND_UX] = IR_KIND_U,
    };
    return (ir_kind)base[k];
}

unsigned
ir_kind_bits(ir_kind k)
{
    static const uint8_t bits[IR_KIND_UX + 1] = {
        [IR_KIND_B] = 1,    [IR_KIND_F16] = 16, [IR_KIND_F32] = 32,
        [IR_KIND_F64] = 64, [IR_KIND_I32] = 32, [IR_KIND_U32] = 32,
        [IR_KIND_U64] = 64, [IR_KIND_U16] = 16, [IR_KIND_U8] = 8,
    };
    return bits[k];
}

/* ---- the level ---- */

void
ir_hir_type_name(ir_type t, char out[16])
{
    if (ir_type_comps(t) == 1)
        snprintf(out, 16, "%u", ir_type_bits(t));
    else
        snprintf(out, 16, "%ux%u", ir_type_bits(t), ir_type_comps(t));
}

/* Parses a decimal number of at most three digits at `*text` and advances `*text` past it. Returns
 * 0 if there is none. */
static unsigned
take_number(const char **text, const char *end)
{
    unsigned n = 0;
    for (unsigned digits = 0; *text < end && **text >= '0' && **text <= '9' && digits < 3; digits++)
        n = n * 10 + (unsigned)(*(*text)++ - '0');
    return n;
}

bool
ir_hir_parse_type(const char *text, size_t len, ir_type *out)
{
    const char *end = text + len;
    unsigned bits = take_number(&text, end), comps = 1;
    if (text < end && *text == 'x') {
        text++;
        comps = take_number(&text, end);
    }
    bool size_ok = bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
    if (text != end || !size_ok || comps < 1 || comps > IR_MAX_COMPS)
        return false;
    *out = IR_TYPE(bits, comps);
    return true;
}

/* fadd! */
const ir_attr_info ir_hir_form[] = {{.name = "!", .bits = 1, .kind = IR_ATTR_MARK}, {.name = NULL}};

bool
ir_hir_has_form(unsigned op, unsigned form)
{
    return form == 0 || (form == IR_EXACT && ir_may_be_exact(op));
}

uint64_t
ir_reduction_identity(ir_reduction op, unsigned bits)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const unsigned fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    switch (op) {
    case IR_REDUCE_imul: return 1;
    case IR_REDUCE_fmul: return (sign - 1) >> (fraction + 1) << fraction;
    case IR_REDUCE_imin: return sign - 1;
    case IR_REDUCE_imax: return sign;
    case IR_REDUCE_umin:
    case IR_REDUCE_iand: return base_mask64(bits);
    case IR_REDUCE_fmin: return (sign - 1) >> fraction << fraction;
    case IR_REDUCE_fmax: return sign | (sign - 1) >> fraction << fraction;
    default: return 0;
    }
}

uint64_t
ir_reduction_start(ir_reduction op, unsigned bits)
{
    return op == IR_REDUCE_fadd ? UINT64_C(1) << (bits - 1) : ir_reduction_identity(op, bits);
}

ir_op
ir_reduction_op(ir_reduction op)
{
    static const uint16_t ops[IR_REDUCE_COUNT] = {
#define OP(x) [IR_REDUCE_##x] = IR_##x,
        IR_REDUCTIONS(OP)
#undef OP
    };
    return (ir_op)ops[op];
}

static const char *
check_pair(const ir_instr *first, const ir_instr *last)
{
    const ir_fn *f = first->block->fn;
    if (!ir_has_flag(first, IR_OP_ALU) || f->values[first->defs[0].id].type != IR_I16 ||
        f->values[last->defs[0].id].type != IR_I16)
        return "a pair has operations with 16-bit results";
    bool same = first->op == last->op && (first->form | IR_PAIRED) == (last->form | IR_PAIRED);
    return same ? NULL : "the operations of a pair differ";
}

const ir_bundle_kind ir_hir_bundles[] = {
    {.name = "pair", .joins = IR_PAIRED, .slots = 2, .check = check_pair},
    {.name = NULL},
};

_Static_assert(sizeof op_table / sizeof *op_table == IR_HIR_OP_COUNT, "a row for each opcode");

const ir_level ir_hir_level = IR_HIR_LEVEL(op_table);
