/* Algebraic rules: random expressions are built with folding and evaluated, and compared with their
 * direct evaluation, on corner values and random bits, under all float controls.
 *
 * For each opcode with rules and each size, expressions with that opcode at the root are made until
 * every rule of that opcode has fired at that size. So a rule that is wrong, that never matches, or
 * that claims a size for which it has no case, fails the test.
 */
#include "base/fp.h"
#include "ir/builder.h"
#include "ir/eval_alu.h"
#include "ir/fold.h"
#include "ir_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- expressions ---- */

enum { MAX_NODES = 64, MAX_RULES = 16, PALETTE = 4, VARS = 2 };

/* Booleans are integers of one bit. */
typedef struct node {
    enum { VAR, CONSTANT, OPERATION } kind;
    bool is_float;
    uint8_t bits;   /* of the result */
    uint8_t var;    /* VAR: 0 or 1 */
    uint64_t value; /* CONSTANT */
    ir_op op;
    unsigned src_bits; /* as ir_eval_alu's `bits` */
    unsigned child[3];
    ir_ref ref;
} node;

typedef struct trial {
    uint64_t random;
    node at[MAX_NODES];
    unsigned n;
    ir_op palette[PALETTE]; /* inner operations are mostly drawn from these: patterns need
                               repetition */
    unsigned hits[IR_HIR_OP_COUNT][MAX_RULES][7]; /* by logarithm of the size */
    uint64_t vars[2][7][VARS];                    /* values by float or not, size, number */
    ir_float_controls fp;
    bool narrow; /* one variable and few constants, for rules with equal operands */
} trial;

static uint32_t
dice(trial *t, uint32_t n)
{
    t->random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((base_hash64(t->random) >> 32) * n >> 32);
}

static uint64_t
random_bits(trial *t)
{
    return base_hash64(t->random += UINT64_C(0x9e3779b97f4a7c15));
}

static uint64_t
corner(trial *t, bool is_float, unsigned bits)
{
    static const double floats[] = {0.0, -0.0, 1, -1, 2, 0.5, -4, 3, 1e-5, 60000, -0.25, 1.5};
    uint64_t top = UINT64_C(1) << (bits - 1), all = base_mask64(bits), inf;
    if (t->narrow)
        return is_float ? base_fp_encode(dice(t, 2), bits, BASE_ROUND_EVEN) : dice(t, 2);
    if (is_float) {
        inf = base_fp_infinity(bits);
        switch (dice(t, 10)) {
        case 0: return inf | (dice(t, 2) ? top : 0);
        case 1: return inf | 1 | (random_bits(t) & (inf >> 1 & ~inf));
        case 2: return (1 + dice(t, 3)) | (dice(t, 2) ? top : 0); /* denormal */
        case 3: return random_bits(t) & all;
        default: return base_fp_encode(floats[dice(t, 12)], bits, BASE_ROUND_EVEN);
        }
    }
    switch (dice(t, 12)) {
    case 0: return all;
    case 1: return top;
    case 2: return top - 1;
    case 3: return random_bits(t) & all;
    case 4: return UINT64_C(1) << dice(t, bits);
    case 5: return base_mask64(dice(t, bits + 1));
    case 6: return (bits / 2) & all;
    case 7: return all << dice(t, bits) & all;
    case 8: return (dice(t, 2) ? 24 : 8) & all;
    default: return dice(t, 4) & all;
    }
}

static unsigned
add_node(trial *t, node n)
{
    t->at[t->n] = n;
    return t->n++;
}

/* The operand that source kind `k` of a row needs if its common size is `bits`. */
static void
wanted(ir_kind k, unsigned bits, bool *is_float, unsigned *size)
{
    *is_float = ir_kind_base(k) == IR_KIND_F;
    *size = ir_kind_bits(k) ? ir_kind_bits(k) : bits;
}

static bool
size_is_possible(ir_kind k, unsigned bits)
{
    if (k == IR_KIND__ || ir_kind_bits(k))
        return true;
    return ir_kind_base(k) == IR_KIND_F ? bits >= 16 : bits >= 8;
}

/* Does `op` exist at common size `bits`? For booleans, only if a shader may use it. */
static bool
op_takes(ir_op op, unsigned bits)
{
    const ir_alu_info *row = &ir_alu_table[op];
    bool sized = false;
    for (unsigned s = 0; s < row->n; s++)
        sized |= ir_kind_bits((ir_kind)row->src[s]) == 0;
    if (!sized)
        return bits == ir_kind_bits((ir_kind)row->src[0]);
    if (bits == 1)
        return op == IR_iand || op == IR_ior || op == IR_ixor || op == IR_inot || op == IR_ieq ||
               op == IR_ine || op == IR_bcsel;
    for (unsigned s = 0; s < row->n; s++) {
        if (!size_is_possible((ir_kind)row->src[s], bits))
            return false;
    }
    return true;
}

static unsigned
random_size(trial *t, bool is_float)
{
    return is_float ? 16u << dice(t, 3) : 8u << dice(t, 4);
}

/* A common size at which `op` gives (is_float, bits), or 0. */
static unsigned
size_for_result(trial *t, ir_op op, bool is_float, unsigned bits)
{
    const ir_alu_info *row = &ir_alu_table[op];
    ir_kind dst = (ir_kind)row->dst;
    if ((ir_kind_base(dst) == IR_KIND_F) != is_float)
        return 0;
    if (dst == IR_KIND_F || dst == IR_KIND_I || dst == IR_KIND_U)
        return op_takes(op, bits) ? bits : 0;
    if (ir_kind_bits(dst) ? ir_kind_bits(dst) != bits : bits == 1 || (is_float && bits < 16))
        return 0;
    unsigned size = ir_kind_bits((ir_kind)row->src[0]);
    if (!size)
        size = random_size(t, ir_kind_base((ir_kind)row->src[0]) == IR_KIND_F);
    return op_takes(op, size) ? size : 0;
}

static unsigned
make(trial *t, bool is_float, unsigned bits, unsigned depth);

static unsigned
make_op(trial *t, ir_op op, unsigned bits, unsigned dbits, unsigned depth)
{
    const ir_alu_info *row = &ir_alu_table[op];
    node n = {.kind = OPERATION, .op = op, .src_bits = bits, .bits = (uint8_t)dbits};
    n.is_float = ir_kind_base((ir_kind)row->dst) == IR_KIND_F;
    for (unsigned s = 0; s < row->n; s++) {
        bool f;
        unsigned size;
        wanted((ir_kind)row->src[s], bits, &f, &size);
        /* Siblings are often equal, or an operand of each other. */
        const node *first = s ? &t->at[n.child[0]] : NULL;
        if (first && first->bits == size && first->is_float == f && dice(t, 6) == 0)
            n.child[s] = n.child[0];
        else
            n.child[s] = make(t, f, size, depth);
    }
    return add_node(t, n);
}

static unsigned
make(trial *t, bool is_float, unsigned bits, unsigned depth)
{
    if (depth && t->n < MAX_NODES - 16 && dice(t, 8) < 4) {
        for (unsigned tries = 0; tries < 8; tries++) {
            ir_op op = dice(t, 8) ? t->palette[dice(t, PALETTE)] : (ir_op)dice(t, IR_HIR_OP_COUNT);
            unsigned size = ir_alu_table[op].n ? size_for_result(t, op, is_float, bits) : 0;
            if (size)
                return make_op(t, op, size, bits, depth - 1);
        }
    }
    if (dice(t, 8) < 4) {
        for (unsigned k = 0; k < t->n; k++) {
            /* Constants repeat. */
            const node *c = &t->at[k];
            if (c->kind == CONSTANT && c->bits == bits && c->is_float == is_float && dice(t, 2))
                return k;
        }
        return add_node(t, (node){.kind = CONSTANT,
                                  .is_float = is_float,
                                  .bits = (uint8_t)bits,
                                  .value = corner(t, is_float, bits)});
    }
    return add_node(t, (node){.kind = VAR,
                              .is_float = is_float,
                              .bits = (uint8_t)bits,
                              .var = (uint8_t)dice(t, t->narrow ? 1 : VARS)});
}

/* ---- the two evaluations ---- */

static unsigned
log2_of(unsigned bits)
{
    return base_ctz32(bits);
}

static uint64_t
eval_node(const trial *t, unsigned k)
{
    const node *n = &t->at[k];
    uint64_t s[3] = {0};
    if (n->kind == VAR)
        return t->vars[n->is_float][log2_of(n->bits)][n->var];
    if (n->kind == CONSTANT)
        return n->value;
    for (unsigned i = 0; i < ir_alu_table[n->op].n; i++)
        s[i] = eval_node(t, n->child[i]);
    return ir_eval_alu(n->op, n->src_bits, n->bits, s, t->fp);
}

/* A variable is an opcode without rules; its location holds the variable's number. */
static uint64_t
eval_value(const trial *t, const ir_fn *f, ir_ref r)
{
    const ir_instr *i = f->values[r.id].def;
    unsigned bits = ir_type_bits(f->values[r.id].type), sizes[3] = {0};
    uint64_t s[3] = {0};
    if (i->op == IR_load_const)
        return ir_const_comp(f, i, 0);
    if (i->op == IR_load_subgroup_size)
        return t->vars[i->loc >> 8][log2_of(bits)][i->loc & 0xff];
    for (unsigned k = 0; k < i->n_refs; k++) {
        s[k] = eval_value(t, f, i->refs[k]);
        sizes[k] = ir_type_bits(f->values[i->refs[k].id].type);
    }
    return ir_eval_alu((ir_op)i->op, ir_alu_bits((ir_op)i->op, sizes), bits, s, t->fp);
}

static void
print_node(const trial *t, unsigned k, base_buf *out)
{
    const node *n = &t->at[k];
    if (n->kind == VAR) {
        buf_printf(out, "%c%u", "xy"[n->var], n -> bits);
    } else if (n->kind == CONSTANT) {
        buf_printf(out, "0x%llx", (unsigned long long)n->value);
    } else {
        buf_printf(out, "%s%u(", ir_hir_level.ops[n->op].name, n->bits);
        for (unsigned i = 0; i < ir_alu_table[n->op].n; i++) {
            buf_printf(out, i ? ", " : "");
            print_node(t, n->child[i], out);
        }
        buf_printf(out, ")");
    }
}

static void
compare(trial *t, ir_env *e, ir_builder *b, unsigned root, ir_ref built)
{
    const node *n = &t->at[root];
    for (unsigned round = 0; round < 12; round++) {
        for (unsigned k = 0; k < 2 * 7 * VARS; k++) {
            unsigned f = k / (7 * VARS), log = k / VARS % 7, bits = 1u << log;
            t->vars[f][log][k % VARS] = f && bits < 16 ? 0
                                        : round & 1    ? random_bits(t) & base_mask64(bits)
                                                       : corner(t, f, bits);
        }
        uint64_t want = eval_node(t, root), got = eval_value(t, b->f, built);
        bool nan = n->is_float && base_fp_is_nan(want, n->bits) && base_fp_is_nan(got, n->bits);
        if (want == got || nan)
            continue;
        base_buf text = buf_make(&e->a);
        print_node(t, root, &text);
        fail_msg("%s: 0x%llx, folded 0x%llx (flush %u, rtz %u, x 0x%llx, y 0x%llx)\n%s",
                 buf_text(&text), (unsigned long long)want, (unsigned long long)got,
                 t->fp.denorm_flush, t->fp.round_zero,
                 (unsigned long long)t->vars[n->is_float][log2_of(n->src_bits)][0],
                 (unsigned long long)t->vars[n->is_float][log2_of(n->src_bits)][1],
                 env_print(e, b->f, 0));
    }
}

/* ---- trials ---- */

static void
note_rule(void *user, ir_op op, const char *rule, unsigned bits)
{
    trial *t = user;
    const ir_fold_rule *rules = ir_fold_rules(op);
    for (unsigned r = 0; rules[r].name; r++) {
        assert_true(r < MAX_RULES);
        t->hits[op][r][log2_of(bits)] += rules[r].name == rule;
    }
}

static ir_ref
build_node(trial *t, ir_builder *b, unsigned k, ir_ref vars[2][7][VARS])
{
    node *n = &t->at[k];
    ir_ref s[3] = {ir_none(), ir_none(), ir_none()};
    if (n->kind == VAR) {
        ir_ref *v = &vars[n->is_float][log2_of(n->bits)][n->var];
        if (!ir_is_value(*v)) {
            b->loc = (uint32_t)n->is_float << 8 | n->var;
            *v = ir_build_intr(b, IR_load_subgroup_size, IR_TYPE(n->bits, 1), NULL, 0);
        }
        return *v;
    }
    if (n->kind == CONSTANT)
        return ir_build_imm(b, n->bits, n->value);
    for (unsigned i = 0; i < ir_alu_table[n->op].n; i++)
        s[i] = build_node(t, b, n->child[i], vars);
    return ir_build_alu(b, n->op, IR_TYPE(n->bits, 1), s[0], s[1], s[2]);
}

/* Operations that occur together in rules which random choice would find too rarely. */
static const struct {
    uint16_t op, with[2];
} hints[] = {
    {IR_fmin, {IR_fmax, IR_fmax}},
    {IR_pack_64_2x32, {IR_unpack_64_2x32_x, IR_unpack_64_2x32_y}},
    {IR_pack_32_2x16, {IR_unpack_32_2x16_x, IR_unpack_32_2x16_y}},
    {IR_bcsel, {IR_ilt, IR_ineg}},
    {IR_ieq, {IR_ishl, IR_ushr}},
    {IR_ine, {IR_ishl, IR_ushr}},
};

static void
choose_palette(trial *t, ir_op op)
{
    for (unsigned p = 0; p < PALETTE; p++) {
        do
            t->palette[p] = (ir_op)dice(t, IR_HIR_OP_COUNT);
        while (!ir_alu_table[t->palette[p]].n);
    }
    if (dice(t, 2))
        t->palette[0] = op;
    for (unsigned h = 0; h < sizeof hints / sizeof *hints; h++) {
        if (hints[h].op == op && dice(t, 2)) {
            t->palette[1] = (ir_op)hints[h].with[0];
            t->palette[2] = (ir_op)hints[h].with[1];
        }
    }
}

/* Each expression gets a separate function, whose memory is freed afterwards. */
static void
run_trial(trial *t, ir_env *e, ir_op op, unsigned bits)
{
    arena_mark mark = arena_save(&e->a);
    ir_fn *f = ir_fn_new(&e->ctx, &ir_hir_level, "fold");
    uint8_t sizes = dice(t, 4) ? 0 : 7;
    f->shader.fp.denorm_flush = dice(t, 2) ? sizes : 0;
    f->shader.fp.round_zero = dice(t, 2) ? sizes : 0;
    t->fp = f->shader.fp;
    ir_append_block(f, ir_block_new(f));
    ir_builder b;
    ir_builder_init(&b, f);
    ir_builder_at_end(&b, f->blocks[0]);
    b.trace = note_rule;
    b.trace_user = t;
    t->n = 0;
    choose_palette(t, op);
    t->narrow = dice(t, 4) == 0;
    unsigned dbits = ir_alu_def_bits(op, bits, 0);
    if (!dbits)
        dbits = random_size(t, ir_kind_base((ir_kind)ir_alu_table[op].dst) == IR_KIND_F);
    unsigned root = make_op(t, op, bits, dbits, 1 + dice(t, 2));
    ir_ref vars[2][7][VARS] = {0};
    t->narrow = false;
    compare(t, e, &b, root, build_node(t, &b, root, vars));
    arena_release(&e->a, mark);
}

/* The first rule of `op` that has not fired at this size, or NULL. */
static const char *
missing_rule(const trial *t, ir_op op, unsigned bits)
{
    const ir_fold_rule *rules = ir_fold_rules(op);
    for (unsigned r = 0; rules && rules[r].name; r++) {
        if ((rules[r].sizes & bits) && !t->hits[op][r][log2_of(bits)])
            return rules[r].name;
    }
    return NULL;
}

static void
test_every_rule_at_every_size(void **state)
{
    (void)state;
    static trial t; /* too large for the stack */
    ir_env e;
    env_open(&e);
    if (!DIAG_TRY(&e.d))
        fail_msg("%s", e.d.message);
    unsigned rules = 0;
    for (unsigned op = 0; op < IR_HIR_OP_COUNT; op++) {
        if (!ir_alu_table[op].n)
            continue;
        for (unsigned bits = 1; bits <= 64; bits *= 2) {
            if (!op_takes((ir_op)op, bits))
                continue;
            for (unsigned n = 0; n < 300 || (n < 400000 && missing_rule(&t, (ir_op)op, bits)); n++)
                run_trial(&t, &e, (ir_op)op, bits);
            if (missing_rule(&t, (ir_op)op, bits))
                fail_msg("%s: rule %s never fires at %u bits", ir_hir_level.ops[op].name,
                         missing_rule(&t, (ir_op)op, bits), bits);
        }
        for (unsigned r = 0; ir_fold_rules((ir_op)op) && ir_fold_rules((ir_op)op)[r].name; r++)
            rules++;
    }
    assert_true(rules > 100);
    env_close(&e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rule_at_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
