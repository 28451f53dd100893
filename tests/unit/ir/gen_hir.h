/* Random HIR functions with structured control flow, for differential tests: the same function must
 * give the same memory in every way of running it.
 *
 * The function reads words of the buffer at binding 1 and writes words of its invocation's own part
 * of the buffer at binding 0 (GEN_OUT_WORDS each). There are ifs, loops with breaks and continues
 * anywhere inside, phis at all merges, and 32-bit, boolean, 64- and 16-bit integer operations whose
 * results are exact. Invocations do not interact, so the result does not depend on the wave size.
 */
#ifndef TEST_GEN_HIR_H
#define TEST_GEN_HIR_H

#include "ir/builder.h"

enum {
    GEN_OUT_WORDS = 8,
    GEN_IN_WORDS = 64,
    GEN_POOL = 256,
    GEN_EDGES = 64,
    GEN_KINDS = 4, /* pools: 32 bits, booleans, 64 bits, 16 bits */
};

/* Edges to a later block, each with the value for its phi. */
typedef struct gen_join {
    ir_block *from[GEN_EDGES];
    ir_ref value[GEN_EDGES];
    unsigned n;
} gen_join;

typedef struct gen_loop {
    ir_block *merge, *cont;
    gen_join breaks, continues;
} gen_loop;

typedef struct gen {
    uint64_t random;
    ir_builder b;
    ir_fn *f;
    ir_ref pool[GEN_KINDS][GEN_POOL];
    unsigned n[GEN_KINDS];
    gen_loop *loop; /* innermost, or NULL */
    ir_ref in, out, out_base;
    unsigned budget; /* statements left */
} gen;

static inline uint32_t
gen_dice(gen *g, uint32_t n)
{
    g->random += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((base_hash64(g->random) >> 32) * n >> 32);
}

static inline unsigned
gen_kind_bits(unsigned kind)
{
    return kind == 0 ? 32 : kind == 1 ? 1 : kind == 2 ? 64 : 16;
}

static inline ir_ref
gen_value(gen *g, unsigned kind)
{
    static const uint32_t corners[] = {0, 1, 2, 3, 31, 0xff, 0x80000000, 0xffffffff};
    if (gen_dice(g, 6) == 0)
        return ir_build_imm(&g->b, gen_kind_bits(kind), corners[gen_dice(g, 8)]);
    unsigned recent = g->n[kind] > 8 && gen_dice(g, 2) ? 8 : g->n[kind];
    return g->pool[kind][g->n[kind] - 1 - gen_dice(g, recent)];
}

static inline void
gen_push(gen *g, unsigned kind, ir_ref r)
{
    if (g->n[kind] < GEN_POOL)
        g->pool[kind][g->n[kind]++] = r;
}

static inline void
gen_alu(gen *g)
{
    static const uint8_t ints[] = {IR_iadd, IR_isub,  IR_imul,  IR_iand, IR_ior,  IR_ixor,
                                   IR_imin, IR_imax,  IR_umin,  IR_umax, IR_ineg, IR_inot,
                                   IR_iabs, IR_bcsel, IR_isign, IR_ishl, IR_ushr, IR_ishr};
    static const uint8_t compares[] = {IR_ieq, IR_ine, IR_ilt, IR_ige, IR_ult, IR_uge};
    static const uint8_t bools[] = {IR_iand, IR_ior, IR_ixor, IR_inot, IR_bcsel};
    static const uint8_t sized[] = {0, 2, 3};
    unsigned k = gen_dice(g, 3) ? 0 : sized[gen_dice(g, 3)], bits = gen_kind_bits(k);
    ir_ref x, y = gen_value(g, k);
    ir_op op;
    switch (gen_dice(g, 6)) {
    case 0:
        op = (ir_op)compares[gen_dice(g, sizeof compares)];
        gen_push(g, 1, ir_build_alu(&g->b, op, 0, gen_value(g, k), y, ir_none()));
        return;
    case 1:
        op = (ir_op)bools[gen_dice(g, sizeof bools)];
        k = 1;
        bits = 1;
        y = gen_value(g, k);
        break;
    case 2: /* to another size */
        x = ir_build_alu(&g->b, gen_dice(g, 2) ? IR_u2u : IR_i2i, IR_TYPE(bits, 1),
                         gen_value(g, sized[gen_dice(g, 3)]), ir_none(), ir_none());
        gen_push(g, k, x);
        return;
    default: op = (ir_op)ints[gen_dice(g, sizeof ints)]; break;
    }
    unsigned n = ir_alu_table[op].n;
    bool shift = op == IR_ishl || op == IR_ushr || op == IR_ishr;
    ir_ref s[3] = {gen_value(g, k), y, gen_value(g, k)};
    if (shift)
        s[1] = gen_value(g, 0);
    if (op == IR_bcsel)
        s[0] = gen_value(g, 1);
    x = ir_build_alu(&g->b, op, 0, s[0], n > 1 ? s[1] : ir_none(), n > 2 ? s[2] : ir_none());
    gen_push(g, k, x);
}

static inline void
gen_load(gen *g)
{
    ir_builder *b = &g->b;
    ir_ref at = irb_iand(b, gen_value(g, 0), ir_build_imm(b, 32, 4 * (GEN_IN_WORDS - 1)));
    ir_ref refs[2] = {g->in, at};
    ir_ref v = ir_build_intr(b, IR_load_ssbo, IR_I32, refs, 2);
    ir_attr_set(ir_built(b), IR_A_ALIGN_MUL, 4);
    ir_attr_set(ir_built(b), IR_A_ACCESS, IR_ACCESS_READONLY);
    gen_push(g, 0, v);
}

static inline void
gen_store(gen *g, ir_ref value, unsigned word)
{
    ir_builder *b = &g->b;
    ir_ref at = irb_iadd(b, g->out_base, ir_build_imm(b, 32, 4 * word));
    ir_ref refs[3] = {value, g->out, at};
    ir_build_intr(b, IR_store_ssbo, 0, refs, 3);
    ir_attr_set(ir_built(b), IR_A_ALIGN_MUL, 4);
    ir_attr_set(ir_built(b), IR_A_WRITE_MASK, 1);
}

/* The state of the pools, to be restored at the end of a scope. */
typedef struct gen_scope {
    unsigned n[GEN_KINDS];
} gen_scope;

static inline gen_scope
gen_open(gen *g)
{
    gen_scope s;
    memcpy(s.n, g->n, sizeof s.n);
    ir_builder_open_scope(&g->b);
    return s;
}

static inline void
gen_close(gen *g, gen_scope s)
{
    memcpy(g->n, s.n, sizeof s.n);
    ir_builder_close_scope(&g->b);
}

/* A jump to a merge or continue block, with a 32-bit value for its phi. */
static inline void
gen_jump(gen *g, ir_block *to, gen_join *join)
{
    join->value[join->n] = gen_value(g, 0);
    join->from[join->n++] = g->b.block;
    ir_build_jump(&g->b, to);
}

/* The builder continues at `block`, where the edges of `join` meet in a phi. */
static inline void
gen_meet(gen *g, ir_block *block, const gen_join *join)
{
    ir_append_block(g->f, block);
    ir_builder_continue_at(&g->b, block);
    if (!join->n)
        return;
    ir_instr *phi = ir_build_phi(&g->b, block, IR_I32, join->n);
    for (unsigned k = 0; k < join->n; k++)
        phi->refs[ir_pred_index(block, join->from[k], 0)] = join->value[k];
    gen_push(g, 0, phi->defs[0]);
}

static inline bool
gen_region(gen *g, unsigned depth);

/* One arm of an if; the region ends with a jump or continues to the merge. */
static inline void
gen_arm(gen *g, ir_block *block, ir_block *merge, gen_join *join, unsigned depth)
{
    gen_scope s = gen_open(g);
    ir_append_block(g->f, block);
    ir_builder_continue_at(&g->b, block);
    if (gen_region(g, depth))
        gen_jump(g, merge, join);
    gen_close(g, s);
}

/* Returns false if the code after it is unreachable. */
static inline bool
gen_if(gen *g, unsigned depth)
{
    ir_block *then = ir_block_new(g->f), *otherwise = ir_block_new(g->f);
    ir_block *merge = ir_block_new(g->f);
    gen_join join = {.n = 0};
    ir_build_if(&g->b, gen_value(g, 1), then, otherwise, merge);
    gen_arm(g, then, merge, &join, depth - 1);
    gen_arm(g, otherwise, merge, &join, depth - 1);
    gen_meet(g, merge, &join);
    return join.n != 0;
}

/* Up to seven iterations; the header has phis for the counter and a value from the continue block.
 */
static inline void
gen_loop_statement(gen *g, unsigned depth)
{
    ir_builder *b = &g->b;
    ir_block *before = b->block, *header = ir_block_new(g->f), *body = ir_block_new(g->f);
    ir_block *leave = ir_block_new(g->f), *stay = ir_block_new(g->f);
    gen_loop loop = {.merge = ir_block_new(g->f), .cont = ir_block_new(g->f)}, *outer = g->loop;
    ir_ref zero = ir_build_imm(b, 32, 0), first = gen_value(g, 0);
    ir_ref limit = irb_iand(b, gen_value(g, 0), ir_build_imm(b, 32, 7));
    ir_build_loop(b, header, loop.merge, loop.cont);
    gen_scope s = gen_open(g);
    ir_append_block(g->f, header);
    ir_builder_continue_at(b, header);
    ir_instr *carried = ir_build_phi(b, header, IR_I32, 2);
    ir_instr *counter = ir_build_phi(b, header, IR_I32, 2);
    gen_push(g, 0, carried->defs[0]);
    gen_push(g, 0, counter->defs[0]);
    /* Defined in each iteration and used after the loop: the value when the lane left. */
    ir_ref kept = irb_iadd(b, irb_imul(b, counter->defs[0], gen_value(g, 0)), gen_value(g, 0));
    gen_push(g, 0, kept);
    g->loop = &loop;
    ir_build_if(b, irb_uge(b, counter->defs[0], limit), leave, stay, body);
    ir_append_block(g->f, leave);
    ir_builder_continue_at(b, leave);
    gen_jump(g, loop.merge, &loop.breaks);
    ir_append_block(g->f, stay);
    ir_builder_continue_at(b, stay);
    ir_build_jump(b, body);
    ir_append_block(g->f, body);
    ir_builder_continue_at(b, body);
    if (gen_region(g, depth - 1))
        gen_jump(g, loop.cont, &loop.continues);
    /* Only values of the header are certain to be defined. */
    gen_close(g, s);
    s = gen_open(g);
    gen_push(g, 0, carried->defs[0]);
    gen_meet(g, loop.cont, &loop.continues);
    ir_ref next = irb_iadd(b, counter->defs[0], ir_build_imm(b, 32, 1));
    ir_ref last = gen_value(g, 0);
    ir_block *latch = b->block;
    ir_build_jump(b, header);
    gen_close(g, s);
    uint32_t entry = ir_pred_index(header, before, 0), back = ir_pred_index(header, latch, 0);
    counter->refs[entry] = zero, counter->refs[back] = next;
    carried->refs[entry] = first, carried->refs[back] = last;
    g->loop = outer;
    gen_meet(g, loop.merge, &loop.breaks);
    gen_push(g, 0, counter->defs[0]);
    gen_push(g, 0, kept);
}

/* A sequence of statements; false if the last of them left the region. */
static inline bool
gen_region(gen *g, unsigned depth)
{
    for (unsigned k = 2 + gen_dice(g, 6); k-- && g->budget;) {
        g->budget--;
        unsigned what = gen_dice(g, 20);
        if (what < 3 && depth) {
            if (!gen_if(g, depth)) {
                /* The merge block is unreachable; it jumps wherever the region may jump. */
                ir_build_jump(&g->b, g->loop->cont);
                g->loop->continues.value[g->loop->continues.n] = ir_build_imm(&g->b, 32, 0);
                g->loop->continues.from[g->loop->continues.n++] = g->b.block;
                return false;
            }
        } else if (what < 5 && depth) {
            gen_loop_statement(g, depth);
        } else if (what < 6 && g->loop && g->loop->breaks.n < GEN_EDGES - 8 &&
                   g->loop->continues.n < GEN_EDGES - 8 && gen_dice(g, 2)) {
            bool leave = gen_dice(g, 2);
            gen_jump(g, leave ? g->loop->merge : g->loop->cont,
                     leave ? &g->loop->breaks : &g->loop->continues);
            return false;
        } else if (what < 7) {
            gen_load(g);
        } else if (what < 9) {
            gen_store(g, gen_value(g, 0), gen_dice(g, GEN_OUT_WORDS));
        } else {
            gen_alu(g);
        }
    }
    return true;
}

static inline ir_ref
gen_buffer(ir_builder *b, unsigned binding)
{
    ir_ref zero = ir_build_imm(b, 32, 0);
    ir_ref r = ir_build_intr(b, IR_vulkan_resource_index, IR_I32, &zero, 1);
    ir_attr_set(ir_built(b), IR_A_BINDING, binding);
    ir_attr_set(ir_built(b), IR_A_DESC_TYPE, IR_DESC_ssbo);
    return r;
}

/* Makes a function of about `size` statements from `seed`, for one workgroup of `invocations`. */
static inline ir_fn *
gen_function(ir_ctx *ctx, uint64_t seed, unsigned size, unsigned invocations)
{
    gen g = {.random = seed * UINT64_C(0x2545f4914f6cdd1d) + 1, .budget = size};
    ir_builder *b = &g.b;
    g.f = ir_fn_new(ctx, &ir_hir_level, "main");
    g.f->shader.workgroup_size[0] = invocations;
    g.f->shader.workgroup_size[1] = g.f->shader.workgroup_size[2] = 1;
    ir_append_block(g.f, ir_block_new(g.f));
    ir_builder_init(b, g.f);
    ir_builder_at_end(b, g.f->blocks[0]);
    ir_ref id = ir_build_intr(b, IR_load_local_invocation_index, IR_I32, NULL, 0);
    g.in = gen_buffer(b, 1);
    g.out = gen_buffer(b, 0);
    g.out_base = irb_imul(b, id, ir_build_imm(b, 32, 4 * GEN_OUT_WORDS));
    gen_push(&g, 0, id);
    gen_load(&g);
    gen_push(&g, 1, irb_ult(b, id, ir_build_imm(b, 32, invocations / 2)));
    gen_push(&g, 2, ir_build_alu(b, IR_u2u, IR_I64, id, ir_none(), ir_none()));
    gen_push(&g, 3, ir_build_alu(b, IR_u2u, IR_I16, id, ir_none(), ir_none()));
    while (g.budget)
        gen_region(&g, 4);
    for (unsigned k = 0; k < GEN_OUT_WORDS; k++)
        gen_store(&g, gen_value(&g, 0), k);
    ir_build_return(b);
    return g.f;
}

#endif
