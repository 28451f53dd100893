#include "hir_gen.h"

typedef struct gen {
    ir_fn *f;
    ir_block *b; /* instructions are appended to it */
    uint64_t seed;
    int budget;
    unsigned features, sites, depth;
    ir_ref pool[3][256]; /* available values: booleans, integers, floats */
    unsigned n_pool[3];
    ir_ref in, out, lane, row, site_base, zero, four;
    ir_block *brk, *cont; /* targets in the innermost loop, or NULL */
} gen;

enum { POOL_BOOL, POOL_INT, POOL_FLOAT };

static uint32_t
rnd(gen *g, uint32_t n)
{
    g->seed += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((base_hash64(g->seed) >> 32) * n >> 32);
}

/* ---- instructions ---- */

static ir_instr *
emit(gen *g, unsigned op, ir_type type, unsigned n, const ir_ref *refs)
{
    ir_instr *i = ir_new_instr(g->f, op, type ? 1 : 0, n);
    if (n)
        memcpy(i->refs, refs, n * sizeof *refs);
    i->form = ir_may_be_exact(op) ? IR_EXACT : 0; /* results are compared bit by bit */
    if (type)
        ir_define(g->f, i, 0, type);
    ir_append(g->b, i);
    return i;
}

static ir_ref
constant(gen *g, uint32_t v)
{
    ir_instr *i = ir_new_instr_words(g->f, IR_load_const, 1, 0, 1);
    ir_words(i)[0] = v;
    ir_define(g->f, i, 0, IR_I32);
    ir_append(g->b, i);
    return i->defs[0];
}

static ir_ref
alu(gen *g, unsigned op, ir_type type, ir_ref a, ir_ref b)
{
    return emit(g, op, type, 2, (ir_ref[]){a, b})->defs[0];
}

static void
add(gen *g, unsigned pool, ir_ref r)
{
    if (g->n_pool[pool] < 256)
        g->pool[pool][g->n_pool[pool]++] = r;
}

static ir_ref
pick(gen *g, unsigned pool)
{
    /* Prefers recent values. */
    unsigned n = g->n_pool[pool], back = rnd(g, 3) ? rnd(g, n < 12 ? n : 12) : rnd(g, n);
    return g->pool[pool][n - 1 - back];
}

static void
random_alu(gen *g)
{
    static const uint16_t ints[] = {IR_iadd, IR_isub, IR_imul, IR_iand, IR_ior,  IR_ixor, IR_ishl,
                                    IR_ushr, IR_imin, IR_umax, IR_udiv, IR_umod, IR_idiv, IR_irem};
    static const uint16_t floats[] = {IR_fadd, IR_fsub, IR_fmul, IR_fmin, IR_fmax};
    static const uint16_t compares[] = {IR_ieq, IR_ine, IR_ilt, IR_uge};
    static const uint16_t bools[] = {IR_iand, IR_ior, IR_ixor};
    ir_ref a = pick(g, POOL_INT), b = pick(g, POOL_INT);
    switch (rnd(g, 8)) {
    case 0: add(g, POOL_BOOL, alu(g, compares[rnd(g, 4)], IR_BOOL, a, b)); break;
    case 1:
        add(g, POOL_FLOAT,
            alu(g, floats[rnd(g, 5)], IR_I32, pick(g, POOL_FLOAT), pick(g, POOL_FLOAT)));
        break;
    case 2:
        add(g, POOL_BOOL,
            alu(g, bools[rnd(g, 3)], IR_BOOL, pick(g, POOL_BOOL), pick(g, POOL_BOOL)));
        break;
    case 3: {
        ir_ref refs[] = {pick(g, POOL_BOOL), a, b};
        add(g, POOL_INT, emit(g, IR_bcsel, IR_I32, 3, refs)->defs[0]);
        break;
    }
    case 4: {
        ir_ref v = emit(g, IR_vec, IR_TYPE(32, 2), 2, (ir_ref[]){a, b})->defs[0];
        add(g, POOL_INT, ir_comp(v, rnd(g, 2)));
        break;
    }
    case 5: add(g, POOL_INT, constant(g, rnd(g, 5) ? rnd(g, 20) : rnd(g, UINT32_MAX))); break;
    default: {
        unsigned op = ints[rnd(g, 14)];
        if (op == IR_udiv || op == IR_umod || op == IR_idiv || op == IR_irem)
            b = alu(g, IR_ior, IR_I32, b, g->four);
        add(g, POOL_INT, alu(g, op, IR_I32, a, b));
    }
    }
}

static void
random_subgroup(gen *g)
{
    ir_ref a = pick(g, POOL_INT);
    switch (rnd(g, 4)) {
    case 0: add(g, POOL_INT, emit(g, IR_read_first_invocation, IR_I32, 1, &a)->defs[0]); break;
    case 1: {
        ir_instr *i = emit(g, IR_reduce, IR_I32, 1, &a);
        ir_attr_set(i, IR_A_REDUCTION_OP, IR_REDUCE_iadd);
        add(g, POOL_INT, i->defs[0]);
        break;
    }
    case 2:
        a = pick(g, POOL_BOOL);
        add(g, POOL_BOOL, emit(g, IR_vote_any, IR_BOOL, 1, &a)->defs[0]);
        break;
    default:
        a = pick(g, POOL_BOOL);
        add(g, POOL_BOOL, emit(g, IR_vote_all, IR_BOOL, 1, &a)->defs[0]);
        break;
    }
}

/* ---- memory ---- */

static void
aligned(ir_instr *i)
{
    ir_attr_set(i, IR_A_ALIGN_MUL, 4);
    if (ir_attr_has(i, IR_A_WRITE_MASK))
        ir_attr_set(i, IR_A_WRITE_MASK, 1);
}

static void
random_load(gen *g)
{
    ir_ref at = alu(g, IR_iand, IR_I32, pick(g, POOL_INT), constant(g, HIR_GEN_IN - 4));
    if (rnd(g, 2))
        at = alu(g, IR_iadd, IR_I32, g->row, constant(g, 4 * rnd(g, 4)));
    else if (rnd(g, 2))
        at = constant(g, 4 * rnd(g, 32));
    ir_instr *i = emit(g, IR_load_ssbo, IR_I32, 2, (ir_ref[]){g->in, at});
    aligned(i);
    if (rnd(g, 2))
        ir_attr_set(i, IR_A_ACCESS, IR_ACCESS_CAN_REORDER);
    add(g, rnd(g, 4) ? POOL_INT : POOL_FLOAT, i->defs[0]);
}

static void
random_store(gen *g)
{
    if (g->sites == HIR_GEN_SITES)
        return;
    ir_ref at = alu(g, IR_iadd, IR_I32, g->site_base, constant(g, 4 * g->sites++));
    ir_ref value = pick(g, rnd(g, 3) ? POOL_INT : POOL_FLOAT);
    aligned(emit(g, IR_store_ssbo, 0, 3, (ir_ref[]){value, g->out, at}));
}

/* Scratch of 32 bytes, all stored at the program's start; shared memory that only this lane
 * touches. */
static void
random_local(gen *g)
{
    bool shared = rnd(g, 3) == 0;
    ir_ref at = rnd(g, 4) ? constant(g, 4 * rnd(g, 8))
                          : alu(g, IR_iand, IR_I32, pick(g, POOL_INT), constant(g, 28));
    if (shared)
        at = alu(g, IR_iadd, IR_I32, alu(g, IR_ishl, IR_I32, g->lane, constant(g, 5)), at);
    if (rnd(g, 2)) {
        ir_ref refs[] = {pick(g, POOL_INT), at};
        aligned(emit(g, shared ? IR_store_shared : IR_store_scratch, 0, 2, refs));
        return;
    }
    ir_instr *i = emit(g, shared ? IR_load_shared : IR_load_scratch, IR_I32, 1, &at);
    aligned(i);
    add(g, POOL_INT, i->defs[0]);
}

/* ---- control flow ---- */

static void
jump(gen *g, ir_block *to)
{
    emit(g, IR_jump, 0, 0, NULL);
    ir_add_edge(g->b, to, 0);
}

static void
begin(gen *g, ir_block *b)
{
    ir_append_block(g->f, b);
    g->b = b;
}

static void
region(gen *g, int budget);

static ir_ref
phi(gen *g, ir_block *b, ir_ref first, ir_ref second)
{
    ir_instr *i = ir_new_instr(g->f, IR_phi, 1, b->preds[0].count);
    ir_ref refs[] = {first, second};
    memcpy(i->refs, refs, i->n_refs * sizeof *refs);
    ir_define(g->f, i, 0, ir_ref_type(g->f, first));
    ir_prepend(b, i);
    return i->defs[0];
}

/* An arm; true if it leaves the loop, otherwise `out` has its values for phis. */
static bool
arm(gen *g, ir_block *first, ir_block *merge, int budget, ir_ref out[3])
{
    unsigned had[3];
    memcpy(had, g->n_pool, sizeof had);
    begin(g, first);
    if (rnd(g, 4))
        region(g, budget);
    for (unsigned p = 0; p < 3; p++)
        out[p] = pick(g, p);
    bool leaves = g->brk && rnd(g, 4) == 0;
    jump(g, leaves ? (g->cont && rnd(g, 2) ? g->cont : g->brk) : merge);
    for (unsigned p = 0; p < 3; p++)
        g->n_pool[p] = had[p] < g->n_pool[p] ? had[p] : g->n_pool[p];
    return leaves;
}

static void
make_if(gen *g, int budget)
{
    ir_block *then = ir_block_new(g->f), *otherwise = ir_block_new(g->f),
             *merge = ir_block_new(g->f);
    ir_ref cond = pick(g, POOL_BOOL), yes[3], no[3];
    emit(g, IR_if, 0, 1, &cond);
    ir_add_edge(g->b, then, 0);
    ir_add_edge(g->b, otherwise, 0);
    g->b->merge = merge;
    bool gone = arm(g, then, merge, budget / 2, yes);
    bool gone_too = arm(g, otherwise, merge, budget / 2, no);
    begin(g, merge);
    for (unsigned p = 0; p < 3 && !(gone && gone_too); p++)
        add(g, p, phi(g, merge, gone ? no[p] : yes[p], no[p]));
}

/* Counts from 0 to a bound, which is uniform or divergent. */
static void
make_loop(gen *g, int budget)
{
    ir_block *header = ir_block_new(g->f), *merge = ir_block_new(g->f), *cont = ir_block_new(g->f),
             *leave = ir_block_new(g->f), *stay = ir_block_new(g->f), *body = ir_block_new(g->f);
    ir_ref bound = rnd(g, 2) ? constant(g, rnd(g, 5))
                             : alu(g, IR_iand, IR_I32, pick(g, POOL_INT), g->four);
    ir_ref start = pick(g, POOL_INT);
    ir_block *brk = g->brk, *up = g->cont;
    unsigned had[3];
    emit(g, IR_loop, 0, 0, NULL);
    ir_add_edge(g->b, header, 0);
    g->b->merge = merge;
    g->b->cont = cont;
    memcpy(had, g->n_pool, sizeof had);
    begin(g, header);
    ir_instr *count = ir_new_instr(g->f, IR_phi, 1, 2), *sum = ir_new_instr(g->f, IR_phi, 1, 2);
    ir_append(header, count);
    ir_append(header, sum);
    count->refs[0] = g->zero;
    sum->refs[0] = start;
    ir_define(g->f, count, 0, IR_I32);
    ir_define(g->f, sum, 0, IR_I32);
    add(g, POOL_INT, count->defs[0]);
    add(g, POOL_INT, sum->defs[0]);
    ir_ref end = alu(g, IR_uge, IR_BOOL, count->defs[0], bound);
    emit(g, IR_if, 0, 1, &end);
    ir_add_edge(header, leave, 0);
    ir_add_edge(header, stay, 0);
    header->merge = body;
    begin(g, leave);
    jump(g, merge);
    begin(g, stay);
    jump(g, body);
    begin(g, body);
    g->brk = merge;
    g->cont = cont;
    unsigned in_body[3];
    memcpy(in_body, g->n_pool, sizeof in_body);
    region(g, budget);
    jump(g, rnd(g, 8) ? cont : merge);
    memcpy(g->n_pool, in_body, sizeof in_body);
    begin(g, cont);
    g->cont = NULL;
    if (rnd(g, 3) == 0 && cont->preds[0].count)
        region(g, budget / 4);
    count->refs[1] = alu(g, IR_iadd, IR_I32, count->defs[0], constant(g, 1));
    sum->refs[1] = alu(g, IR_iadd, IR_I32, sum->defs[0], pick(g, POOL_INT));
    jump(g, header);
    memcpy(g->n_pool, had, sizeof had);
    g->brk = brk;
    g->cont = up;
    begin(g, merge);
    /* Values of the header dominate the code after the loop. */
    add(g, POOL_INT, count->defs[0]);
    add(g, POOL_INT, sum->defs[0]);
}

static void
region(gen *g, int budget)
{
    g->depth++;
    if (budget > g->budget)
        budget = g->budget;
    int until = g->budget - budget;
    while (g->budget > until) {
        unsigned kind = rnd(g, 20);
        g->budget--;
        if (kind == 0 && g->depth < 6)
            make_loop(g, budget / 3);
        else if (kind <= 2 && g->depth < 8)
            make_if(g, budget / 2);
        else if (kind == 3 && g->features & HIR_GEN_SUBGROUP)
            random_subgroup(g);
        else if (kind <= 5)
            random_load(g);
        else if (kind <= 7)
            random_store(g);
        else if (kind <= 10 && g->features & HIR_GEN_SCRATCH)
            random_local(g);
        else
            random_alu(g);
    }
    g->depth--;
}

static ir_ref
resource(gen *g, unsigned binding)
{
    ir_instr *i = emit(g, IR_vulkan_resource_index, IR_I32, 1, &g->zero);
    ir_attr_set(i, IR_A_BINDING, binding);
    ir_attr_set(i, IR_A_DESC_TYPE, IR_DESC_ssbo);
    return i->defs[0];
}

static void
start(gen *g)
{
    g->zero = constant(g, 0);
    g->four = constant(g, 4);
    g->lane = emit(g, IR_load_local_invocation_index, IR_I32, 0, NULL)->defs[0];
    g->row = alu(g, IR_ishl, IR_I32, g->lane, g->four);
    g->in = resource(g, 0);
    g->out = resource(g, 1);
    g->site_base = alu(g, IR_imul, IR_I32, g->lane, constant(g, HIR_GEN_SITES * 4));
    add(g, POOL_INT, g->zero);
    add(g, POOL_INT, g->lane);
    add(g, POOL_INT, ir_comp(emit(g, IR_load_workgroup_id, IR_TYPE(32, 3), 0, NULL)->defs[0], 1));
    add(g, POOL_FLOAT, constant(g, 0x3f800000));
    add(g, POOL_FLOAT, emit(g, IR_u2f, IR_I32, 1, &g->lane)->defs[0]);
    add(g, POOL_BOOL, alu(g, IR_ult, IR_BOOL, g->lane, constant(g, 20)));
    for (unsigned n = 0; n < 8 && g->features & HIR_GEN_SCRATCH; n++) {
        ir_ref at = constant(g, 4 * n), refs[] = {pick(g, POOL_INT), at};
        aligned(emit(g, IR_store_scratch, 0, 2, refs));
        refs[1] = alu(g, IR_iadd, IR_I32, alu(g, IR_ishl, IR_I32, g->lane, constant(g, 5)), at);
        aligned(emit(g, IR_store_shared, 0, 2, refs));
    }
}

ir_fn *
hir_gen(ir_ctx *ctx, uint64_t seed, unsigned size, unsigned features)
{
    gen *g = ARENA_NEW(ctx->arena, gen);
    g->f = ir_fn_new(ctx, &ir_hir_level, "random");
    g->seed = seed;
    g->budget = (int)size;
    g->features = features;
    g->f->shader.workgroup_size[0] = HIR_GEN_LANES;
    g->f->shader.workgroup_size[1] = g->f->shader.workgroup_size[2] = 1;
    g->f->shader.scratch_size = features & HIR_GEN_SCRATCH ? 32 : 0;
    g->f->shader.shared_size = features & HIR_GEN_SCRATCH ? 32 * HIR_GEN_LANES : 0;
    begin(g, ir_block_new(g->f));
    start(g);
    region(g, (int)size);
    random_store(g);
    random_store(g);
    emit(g, IR_return, 0, 0, NULL);
    return g->f;
}
