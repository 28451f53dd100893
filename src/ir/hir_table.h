/* A template: makes `static const ir_op_info op_table[]`, the rows of HIR followed by those of the
 * file IR_HIR_EXTRA, if that is defined. A file includes it once.
 *
 * HIR's own table comes from here, and that of each back end whose lowering uses opcodes of its
 * own:
 *
 *     #define IR_HIR_EXTRA "NAME/target/hir.def"    INTR rows, as in ops.def
 *     #include "ir/hir_table.h"
 *     const ir_level NAME_hir_level = IR_HIR_LEVEL(op_table);
 *
 * The opcodes of the extra rows are numbered from IR_HIR_OP_COUNT in their order. All rows are in
 * one table, so that looking one up is the same for both kinds.
 */
#ifndef IR_HIR_TABLE_H
#define IR_HIR_TABLE_H

#include "ir/hir.h"

/* clang-format off */

/* Each attribute as a field in word `w` of its instruction. */
#define FIELD(text, w, a, k, opt, list) \
    {.name = text, .word = w, .bits = 32, .kind = IR_ATTR_##k, .optional = opt, .names = list, \
     .id = IR_A_##a},
#define ATTR_BASE(w)         FIELD("base", w, BASE, UINT, true, NULL)
#define ATTR_RANGE(w)        FIELD("range", w, RANGE, UINT, true, NULL)
#define ATTR_ALIGN_MUL(w)    FIELD("align_mul", w, ALIGN_MUL, UINT, false, NULL)
#define ATTR_ALIGN_OFFSET(w) FIELD("align_offset", w, ALIGN_OFFSET, UINT, false, NULL)
#define ATTR_WRITE_MASK(w)   FIELD("wrmask", w, WRITE_MASK, MASK, false, NULL)
#define ATTR_ACCESS(w)       FIELD("access", w, ACCESS, FLAGS, false, ir_hir_names.access)
#define ATTR_ATOMIC_OP(w)    FIELD("atomic_op", w, ATOMIC_OP, ENUM, false, ir_hir_names.atomic)
#define ATTR_DESC_SET(w)     FIELD("desc_set", w, DESC_SET, UINT, false, NULL)
#define ATTR_BINDING(w)      FIELD("binding", w, BINDING, UINT, false, NULL)
#define ATTR_DESC_TYPE(w)    FIELD("desc_type", w, DESC_TYPE, ENUM, false, ir_hir_names.desc)
#define ATTR_IMAGE_DIM(w)    FIELD("image_dim", w, IMAGE_DIM, ENUM, false, ir_hir_names.dim)
#define ATTR_IMAGE_ARRAY(w)  FIELD("image_array", w, IMAGE_ARRAY, BOOL, true, NULL)
#define ATTR_FORMAT(w)       FIELD("format", w, FORMAT, ENUM, false, ir_hir_names.format)
#define ATTR_TEX_OP(w)       FIELD("op", w, TEX_OP, ENUM, false, ir_hir_names.tex)
#define ATTR_TEX_TYPE(w)     FIELD("type", w, TEX_TYPE, ENUM, false, ir_hir_names.base)
#define ATTR_COMPONENT(w)    FIELD("component", w, COMPONENT, UINT, true, NULL)
#define ATTR_HALF(w)         FIELD("half", w, HALF, BOOL, true, NULL)
#define ATTR_REDUCTION_OP(w) \
    FIELD("reduction_op", w, REDUCTION_OP, ENUM, false, ir_hir_names.reduction)
#define ATTR_CLUSTER_SIZE(w) FIELD("cluster_size", w, CLUSTER_SIZE, UINT, true, NULL)
#define ATTR_EXEC_SCOPE(w) \
    FIELD("execution_scope", w, EXEC_SCOPE, ENUM, false, ir_hir_names.scope)
#define ATTR_SCOPE(w)        FIELD("memory_scope", w, SCOPE, ENUM, false, ir_hir_names.scope)
#define ATTR_SEMANTICS(w)    FIELD("mem_semantics", w, SEMANTICS, FLAGS, false, ir_hir_names.sem)
#define ATTR_UNROLL(w)       FIELD("unroll", w, UNROLL, ENUM, true, ir_hir_names.unroll)
#define ATTR_SLOT(w)         FIELD("slot", w, SLOT, ENUM, false, ir_hir_names.slot)
#define ATTR_LOCATION(w)     FIELD("location", w, LOCATION, UINT, true, NULL)
#define ATTR_BLEND_SOURCE(w) FIELD("blend_source", w, BLEND_SOURCE, UINT, true, NULL)
#define ATTR_INTERP(w)       FIELD("interp", w, INTERP, ENUM, false, ir_hir_names.interp)
#define ATTR_INTERP_AT(w)    FIELD("at", w, INTERP_AT, ENUM, false, ir_hir_names.interp_at)
#define ATTR_MODES(w)        FIELD("mem_modes", w, MODES, FLAGS, false, ir_hir_names.mode)

/* The attribute lists of the rows as fields, one array per opcode. */
#define A0
#define A1(a)                ATTR_##a(0)
#define A2(a, b)             A1(a) ATTR_##b(1)
#define A3(a, b, c)          A2(a, b) ATTR_##c(2)
#define A4(a, b, c, d)       A3(a, b, c) ATTR_##d(3)
#define A5(a, b, c, d, e)    A4(a, b, c, d) ATTR_##e(4)
#define A6(a, b, c, d, e, f) A5(a, b, c, d, e) ATTR_##f(5)
#define WORDS                {.name = "", .kind = IR_ATTR_WORDS},
#define FIELDS_OF(id, ...) static const ir_attr_info fields_##id[] = {__VA_ARGS__ {.name = NULL}};
#define CORE(id, n_defs, n_refs, attrs, fl)        FIELDS_OF(id, attrs)
#define INTR(id, n_defs, n_refs, attrs, fl, types) FIELDS_OF(id, attrs)
#include "ir/ops.def"
#ifdef IR_HIR_EXTRA
#define INTR(id, n_defs, n_refs, attrs, fl, types) FIELDS_OF(id, attrs)
#include IR_HIR_EXTRA
#endif

#define N_FIELDS(id) (sizeof fields_##id / sizeof *fields_##id - 1)
#define INTR_ROW(id, defs, refs, fl, rule) \
    {.name = #id, .n_defs = defs, .n_refs = refs, .n_words = N_FIELDS(id), \
     .n_attrs = N_FIELDS(id), .attrs = fields_##id, .flags = IR_OP_INTRINSIC | (fl), .types = rule},

static const ir_op_info op_table[] = {
#define ALU(id, n, dst, s0, s1, s2, fl, expr) \
    [IR_##id] = {.name = #id, .n_defs = 1, .n_refs = n, .flags = IR_OP_ALU | (fl)},
#define CORE(id, defs, refs, attrs_, fl) \
    [IR_##id] = {.name = #id, .n_defs = defs, .n_refs = refs, \
                 .n_words = IR_##id == IR_load_const ? IR_ANY : N_FIELDS(id), \
                 .n_attrs = N_FIELDS(id), .attrs = fields_##id, .flags = fl},
#define INTR(id, defs, refs, attrs_, fl, rule) [IR_##id] = INTR_ROW(id, defs, refs, fl, rule)
#include "ir/ops.def"
#ifdef IR_HIR_EXTRA
#define INTR(id, defs, refs, attrs_, fl, rule) INTR_ROW(id, defs, refs, fl, rule)
#include IR_HIR_EXTRA
#endif
};

#undef A1
#undef A2
#undef A3
#undef A4
#undef A5
#undef A6
#undef WORDS

#endif
