#include "ir/hir.h"

#include <assert.h>
#include <stdio.h>

/* ---- attributes ---- */

#define WORD(x)              #x,
#define WORDS_OF(name, list) static const char *const name[] = {list(WORD) NULL};
WORDS_OF(atomic_names, IR_ATOMIC_OPS)
WORDS_OF(reduction_names, IR_REDUCTIONS)
WORDS_OF(desc_names, IR_DESC_TYPES)
WORDS_OF(dim_names, IR_DIMS)
WORDS_OF(tex_names, IR_TEX_OPS)
WORDS_OF(scope_names, IR_SCOPES)
WORDS_OF(base_names, IR_BASE_TYPES)
WORDS_OF(format_names, IR_FORMATS)
static const char *const access_names[] = {
    "coherent",    "volatile",     "restrict",    "readonly", "writeonly",
    "non_uniform", "non_temporal", "can_reorder", "aliased",  NULL};
static const char *const sem_names[] = {"acquire", "release", "available", "visible", NULL};
static const char *const mode_names[] = {"ssbo", "shared", "image", "atomic_counter", NULL};

/* Each attribute as a field in word `w` of its instruction. */
#define FIELD(text, w, k, opt, list) {text, w, 0, 32, k, opt, 0, list},
#define ATTR_BASE(w)                 FIELD("base", w, IR_ATTR_UINT, true, NULL)
#define ATTR_RANGE(w)                FIELD("range", w, IR_ATTR_UINT, true, NULL)
#define ATTR_ALIGN_MUL(w)            FIELD("align_mul", w, IR_ATTR_UINT, false, NULL)
#define ATTR_ALIGN_OFFSET(w)         FIELD("align_offset", w, IR_ATTR_UINT, false, NULL)
#define ATTR_WRITE_MASK(w)           FIELD("wrmask", w, IR_ATTR_MASK, false, NULL)
#define ATTR_ACCESS(w)               FIELD("access", w, IR_ATTR_FLAGS, false, access_names)
#define ATTR_ATOMIC_OP(w)            FIELD("atomic_op", w, IR_ATTR_ENUM, false, atomic_names)
#define ATTR_DESC_SET(w)             FIELD("desc_set", w, IR_ATTR_UINT, false, NULL)
#define ATTR_BINDING(w)              FIELD("binding", w, IR_ATTR_UINT, false, NULL)
#define ATTR_DESC_TYPE(w)            FIELD("desc_type", w, IR_ATTR_ENUM, false, desc_names)
#define ATTR_IMAGE_DIM(w)            FIELD("image_dim", w, IR_ATTR_ENUM, false, dim_names)
#define ATTR_IMAGE_ARRAY(w)          FIELD("image_array", w, IR_ATTR_BOOL, true, NULL)
#define ATTR_FORMAT(w)               FIELD("format", w, IR_ATTR_ENUM, false, format_names)
#define ATTR_TEX_OP(w)               FIELD("op", w, IR_ATTR_ENUM, false, tex_names)
#define ATTR_TEX_TYPE(w)             FIELD("type", w, IR_ATTR_ENUM, false, base_names)
#define ATTR_COMPONENT(w)            FIELD("component", w, IR_ATTR_UINT, true, NULL)
#define ATTR_REDUCTION_OP(w)         FIELD("reduction_op", w, IR_ATTR_ENUM, false, reduction_names)
#define ATTR_CLUSTER_SIZE(w)         FIELD("cluster_size", w, IR_ATTR_UINT, true, NULL)
#define ATTR_EXEC_SCOPE(w)           FIELD("execution_scope", w, IR_ATTR_ENUM, false, scope_names)
#define ATTR_SCOPE(w)                FIELD("memory_scope", w, IR_ATTR_ENUM, false, scope_names)
#define ATTR_SEMANTICS(w)            FIELD("mem_semantics", w, IR_ATTR_FLAGS, false, sem_names)
#define ATTR_MODES(w)                FIELD("mem_modes", w, IR_ATTR_FLAGS, false, mode_names)
#define ATTR_WORDS(w)                FIELD("", w, IR_ATTR_WORDS, false, NULL)

/* The attribute lists of ops.def as fields, one array per opcode. */
#define A0
#define A1(a)                ATTR_##a(0)
#define A2(a, b)             A1(a) ATTR_##b(1)
#define A3(a, b, c)          A2(a, b) ATTR_##c(2)
#define A4(a, b, c, d)       A3(a, b, c) ATTR_##d(3)
#define A5(a, b, c, d, e)    A4(a, b, c, d) ATTR_##e(4)
#define A6(a, b, c, d, e, f) A5(a, b, c, d, e) ATTR_##f(5)
#define WORDS                ATTR_WORDS(0)
#define NO_FIELD                                                                                   \
    {                                                                                              \
        NULL                                                                                       \
    }
#define INTR(id, n_defs, n_refs, attrs, flags)                                                     \
    static const ir_attr_info fields_##id[] = {attrs NO_FIELD};
#define CORE(id, n_defs, n_refs, attrs, flags)                                                     \
    static const ir_attr_info fields_##id[] = {attrs NO_FIELD};
#include "ir/ops.def"

/* ... and as attribute numbers, for lookup. */
#undef A1
#undef A2
#undef A3
#undef A4
#undef A5
#undef A6
#undef WORDS
#define A1(a)                IR_A_##a,
#define A2(a, b)             A1(a) IR_A_##b,
#define A3(a, b, c)          A2(a, b) IR_A_##c,
#define A4(a, b, c, d)       A3(a, b, c) IR_A_##d,
#define A5(a, b, c, d, e)    A4(a, b, c, d) IR_A_##e,
#define A6(a, b, c, d, e, f) A5(a, b, c, d, e) IR_A_##f,
#define WORDS
static const uint8_t attr_places[IR_HIR_OP_COUNT][7] = {
#define INTR(id, n_defs, n_refs, attrs, flags) [IR_##id] = {attrs 0},
#include "ir/ops.def"
};

/* ---- the opcode table ---- */

#define N_FIELDS(id) (sizeof fields_##id / sizeof *fields_##id - 1)

static const ir_op_info op_table[IR_HIR_OP_COUNT] = {
#define ALU(id, n, dst, s0, s1, s2, fl, expr) [IR_##id] = {#id, 1, n, 0, 0, NULL, IR_OP_ALU | (fl)},
#define INTR(id, n_defs, n_refs, attrs, fl)                                                        \
    [IR_##id] = {                                                                                  \
        #id, n_defs, n_refs, N_FIELDS(id), N_FIELDS(id), fields_##id, IR_OP_INTRINSIC | (fl)},
#define CORE(id, n_defs, n_refs, attrs, fl)                                                        \
    [IR_##id] = {                                                                                  \
        #id,          n_defs,      n_refs, IR_##id == IR_load_const ? IR_ANY : N_FIELDS(id),       \
        N_FIELDS(id), fields_##id, fl},
#include "ir/ops.def"
};

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

/* ---- attributes of an instruction ---- */

static unsigned
attr_word(const ir_instr *i, ir_attr a)
{
    unsigned w = 0;
    while (w < i->n_words && attr_places[i->op][w] != a)
        w++;
    return w;
}

bool
ir_attr_has(const ir_instr *i, ir_attr a)
{
    return i->op != IR_load_const && attr_word(i, a) < i->n_words;
}

uint32_t
ir_attr_get(const ir_instr *i, ir_attr a)
{
    unsigned w = attr_word(i, a);
    assert(w < i->n_words);
    return ir_words(i)[w];
}

void
ir_attr_set(ir_instr *i, ir_attr a, uint32_t value)
{
    unsigned w = attr_word(i, a);
    assert(w < i->n_words);
    ir_words(i)[w] = value;
}

/* ---- constants ---- */

uint64_t
ir_const_comp(const ir_instr *load_const, unsigned comp)
{
    ir_type t = load_const->block ? load_const->block->fn->values[load_const->defs[0].id].type : 0;
    if (load_const->n_words == 2 * ir_type_comps(t))
        return ir_words(load_const)[2 * comp] | (uint64_t)ir_words(load_const)[2 * comp + 1] << 32;
    return ir_words(load_const)[comp];
}

bool
ir_is_const(const ir_fn *f, ir_ref r, uint64_t *value)
{
    const ir_instr *def = ir_is_value(r) ? f->values[r.id].def : NULL;
    if (!def || def->op != IR_load_const || r.comp == IR_WHOLE)
        return false;
    if (value)
        *value = ir_const_comp(def, r.comp);
    return true;
}

/* ---- the level ---- */

static void
type_name(ir_type t, char out[16])
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

static bool
parse_type(const char *text, size_t len, ir_type *out)
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

const ir_level ir_hir_level = {
    .name = "hir",
    .ops = op_table,
    .n_ops = IR_HIR_OP_COUNT,
    .type_name = type_name,
    .parse_type = parse_type,
};
