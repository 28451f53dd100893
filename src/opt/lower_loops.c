#include "opt/lower_loops.h"

#include "ir/builder.h"
#include "ir/replace.h"

/* ---- the skeleton: a loop with one exit ---- */

typedef struct loop_blocks {
    ir_block *header, *then, *otherwise, *merge, *cont, *rest;
} loop_blocks;

/* Cuts the block before `at` and inserts a loop: before -> header. The caller fills `header` up to
 * its condition and ends it with branch_out, then fills `then`. `at` begins `rest`. The new blocks
 * are ordered within the function when all loops have been made. */
static loop_blocks
open_loop(ir_builder *b, ir_instr *at)
{
    ir_fn *f = b->f;
    ir_block *before = at->block;
    loop_blocks l = {.rest = ir_split_block(at)};
    ir_block **made[] = {&l.header, &l.then, &l.otherwise, &l.merge, &l.cont};
    for (unsigned i = 0; i < 5; i++)
        *made[i] = ir_block_new(f);
    ir_builder_at_end(b, before);
    ir_build_loop(b, l.header, l.rest, l.cont);
    ir_builder_at_end(b, l.header);
    return l;
}

/* Ends the header with `cond`: lanes for which it holds execute `then` and leave. The builder moves
 * to `then`. */
static void
branch_out(ir_builder *b, const loop_blocks *l, ir_ref cond)
{
    ir_build_if(b, cond, l->then, l->otherwise, l->merge);
    ir_builder_at_end(b, l->otherwise);
    ir_build_jump(b, l->merge);
    ir_builder_at_end(b, l->merge);
    ir_build_jump(b, l->cont);
    ir_builder_at_end(b, l->cont);
    ir_build_jump(b, l->header);
    ir_builder_at_end(b, l->then);
}

/* Makes value `r`, computed in the loop, available after it. */
static ir_ref
carry_out(ir_builder *b, const loop_blocks *l, ir_ref r)
{
    ir_instr *phi = ir_build_phi(b, l->rest, b->f->values[r.id].type, 1);
    phi->refs[0] = r;
    return ir_use(b->f, phi->defs[0].id);
}

/* ---- handles ---- */

unsigned
opt_handle_refs(const ir_instr *i, uint8_t refs[2])
{
    switch (i->op) {
    case IR_store_ssbo: refs[0] = 1; return 1;
    case IR_load_ubo:
    case IR_load_ssbo:
    case IR_get_ssbo_size:
    case IR_ssbo_atomic:
    case IR_ssbo_atomic_swap:
    case IR_image_load:
    case IR_image_store:
    case IR_image_atomic:
    case IR_image_atomic_swap:
    case IR_image_size:
    case IR_image_samples:
    case IR_image_levels:
    case IR_load_accel_struct: refs[0] = 0; return 1;
    case IR_tex:
        refs[0] = IR_TEX_IMAGE;
        refs[1] = IR_TEX_SAMPLER;
        return i->refs[IR_TEX_SAMPLER].kind == IR_REF_NONE ? 1 : 2;
    default: return 0;
    }
}

static bool
has_divergent_handle(const ir_fn *f, const ir_instr *i)
{
    uint8_t refs[2];
    unsigned n = opt_handle_refs(i, refs);
    for (unsigned k = 0; k < n; k++) {
        if (f->values[i->refs[refs[k]].id].divergent)
            return true;
    }
    return false;
}

/* The first lane's handles take the place of the divergent ones. `first`: by handle, what was read
 * last. */
static void
read_handles(ir_builder *b, ir_instr *i, ir_ref *first)
{
    ir_fn *f = b->f;
    uint8_t refs[2];
    unsigned n = opt_handle_refs(i, refs);
    for (unsigned k = 0; k < n; k++) {
        ir_ref *r = &i->refs[refs[k]], handle = *r;
        if (!f->values[handle.id].divergent)
            continue;
        ir_ref *known = &first[handle.id];
        if (!ir_is_value(*known) || f->values[known->id].def->block != i->block) {
            ir_builder_before(b, i);
            b->loc = i->loc;
            *known = ir_build_intr(b, IR_read_first_invocation, f->values[handle.id].type, &handle,
                                   1);
        }
        *r = *known;
    }
}

/* Handles that the shader does not declare non-uniform are uniform by contract (Vulkan, "Valid
 * usage of non-uniform", VUID-RuntimeSpirv-NonUniform-06274), no matter how their index is
 * computed: any lane's handle may be used. Each block reads a handle once. Returns true if there
 * are divergent handles that are declared non-uniform. */
static bool
read_uniform_handles(ir_fn *f)
{
    ir_ref *first = NULL;
    bool left = false;
    ir_builder b;
    ir_builder_init(&b, f);
    IR_FOREACH_INSTR_OF(i, f) {
        if (!has_divergent_handle(f, i))
            continue;
        if (ir_attr_has(i, IR_A_ACCESS) && ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_NON_UNIFORM) {
            left = true;
            continue;
        }
        if (!first)
            first = ARENA_ARRAY(f->arena, f->n_values, ir_ref);
        read_handles(&b, i, first);
    }
    return left;
}

static loop_blocks
lower_handle(ir_builder *b, ir_instr *i, ir_replacement *map)
{
    ir_fn *f = b->f;
    uint8_t refs[2];
    unsigned n = opt_handle_refs(i, refs);
    ir_ref same = ir_none(), first[2];
    loop_blocks l = open_loop(b, i);
    for (unsigned k = 0; k < n; k++) {
        ir_ref handle = i->refs[refs[k]];
        first[k] = handle;
        if (!f->values[handle.id].divergent)
            continue;
        first[k] = ir_build_intr(b, IR_read_first_invocation, IR_I32, &handle, 1);
        ir_ref eq = irb_ieq(b, handle, first[k]);
        same = same.kind == IR_REF_NONE ? eq : irb_iand(b, same, eq);
    }
    branch_out(b, &l, same);
    ir_instr *copy = ir_clone_instr(f, i);
    for (unsigned k = 0; k < n; k++)
        copy->refs[refs[k]] = first[k];
    if (i->n_defs)
        ir_define(f, copy, 0, f->values[i->defs[0].id].type);
    ir_build_place(b, copy);
    ir_build_jump(b, l.rest);
    if (i->n_defs)
        ir_replace_add(map, i->defs[0].id, carry_out(b, &l, ir_use(f, copy->defs[0].id)));
    ir_unlink(i);
    return l;
}

typedef loop_blocks (*lowers)(ir_builder *b, ir_instr *i, ir_replacement *map);

/* An instruction that is replaced by a loop. */
typedef struct place {
    ir_instr *instr;
    ir_block *block; /* its original block */
    loop_blocks made;
} place;

static size_t
find_places(const ir_fn *f, ir_choice want, place **out)
{
    size_t n = 0, cap = 0;
    place *found = NULL;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (!want(f, i))
                continue;
            found = arena_grow(f->arena, found, &cap, n + 1, sizeof *found);
            found[n++] = (place){.instr = i, .block = b};
        }
    }
    *out = found;
    return n;
}

/* Places the new blocks after the blocks that were cut. */
static void
order_blocks(ir_fn *f, const place *places, size_t n_places)
{
    ir_block **old = f->blocks;
    size_t n_old = f->n_blocks, k = 0;
    f->blocks = NULL;
    f->n_blocks = f->cap_blocks = 0;
    for (size_t n = 0; n < n_old; n++) {
        ir_append_block(f, old[n]);
        for (; k < n_places && places[k].block == old[n]; k++) {
            const loop_blocks *m = &places[k].made;
            ir_block *const made[] = {m->header, m->then, m->otherwise, m->merge, m->cont, m->rest};
            for (unsigned i = 0; i < 6; i++)
                ir_append_block(f, made[i]);
        }
    }
}

/* Lowers each instruction selected by `want`, from the last to the first: the part that is cut off
 * a block has already been processed, so nothing is moved twice. */
static bool
lower_each(ir_fn *f, ir_choice want, lowers lower)
{
    place *places;
    size_t n = find_places(f, want, &places);
    if (!n)
        return false;
    ir_replacement map = {.f = f};
    ir_builder b;
    ir_builder_init(&b, f);
    for (size_t k = n; k--;) {
        b.loc = places[k].instr->loc;
        places[k].made = lower(&b, places[k].instr, &map);
    }
    order_blocks(f, places, n);
    ir_replace_all(&map);
    return true;
}

bool
opt_lower_divergent_handles(ir_fn *f)
{
    return read_uniform_handles(f) && lower_each(f, has_divergent_handle, lower_handle);
}

/* ---- atomic operations in memory ---- */

/* A compare and swap at the same address, with the attributes copied: (address operands, compare,
 * data). */
static ir_ref
build_swap(ir_builder *b, const ir_instr *i, ir_ref compare, ir_ref data)
{
    ir_op op = i->op == IR_ssbo_atomic     ? IR_ssbo_atomic_swap
               : i->op == IR_global_atomic ? IR_global_atomic_swap
               : i->op == IR_image_atomic  ? IR_image_atomic_swap
                                           : IR_shared_atomic_swap;
    ir_ref refs[8];
    unsigned n = i->n_refs - 1u;
    for (unsigned r = 0; r < n; r++)
        refs[r] = i->refs[r];
    refs[n] = compare;
    refs[n + 1] = data;
    ir_ref got = ir_build_intr(b, op, b->f->values[i->defs[0].id].type, refs, n + 2);
    ir_instr *made = ir_built(b);
    for (unsigned w = 0; w < i->n_words; w++)
        ir_words(made)[w] = ir_words(i)[w];
    ir_attr_set(made, IR_A_ATOMIC_OP, IR_ATOMIC_cmpxchg);
    return got;
}

/* What is stored over `old`. */
static ir_ref
combine(ir_builder *b, const ir_instr *i, ir_ref old, ir_ref data)
{
    switch (ir_attr_get(i, IR_A_ATOMIC_OP)) {
    case IR_ATOMIC_iadd: return irb_iadd(b, old, data);
    case IR_ATOMIC_imin: return irb_imin(b, old, data);
    case IR_ATOMIC_umin: return irb_umin(b, old, data);
    case IR_ATOMIC_imax: return irb_imax(b, old, data);
    case IR_ATOMIC_umax: return irb_umax(b, old, data);
    case IR_ATOMIC_iand: return irb_iand(b, old, data);
    case IR_ATOMIC_ior: return irb_ior(b, old, data);
    case IR_ATOMIC_ixor: return irb_ixor(b, old, data);
    case IR_ATOMIC_fmin: return irb_fmin(b, old, data);
    case IR_ATOMIC_fmax: return irb_fmax(b, old, data);
    default: return irb_fadd(b, old, data);
    }
}

/* The first guess for the old value is 0, exchanged for itself: that reads memory as all atomics
 * see it. */
static loop_blocks
lower_atomic(ir_builder *b, ir_instr *i, ir_replacement *map)
{
    ir_fn *f = b->f;
    ir_type t = f->values[i->defs[0].id].type;
    ir_builder_before(b, i);
    ir_ref zero = ir_build_imm(b, ir_type_bits(t), 0);
    ir_ref first = build_swap(b, i, zero, zero);
    loop_blocks l = open_loop(b, i);
    ir_instr *phi = ir_build_phi(b, l.header, t, 2);
    ir_ref old = ir_use(f, phi->defs[0].id);
    ir_ref got = build_swap(b, i, old, combine(b, i, old, i->refs[i->n_refs - 1]));
    branch_out(b, &l, irb_ieq(b, got, old));
    ir_build_jump(b, l.rest);
    phi->refs[0] = first;
    phi->refs[1] = got;
    ir_replace_add(map, i->defs[0].id, carry_out(b, &l, got));
    ir_unlink(i);
    return l;
}

bool
opt_is_float_atomic(const ir_fn *f, const ir_instr *i)
{
    (void)f;
    if (i->op != IR_ssbo_atomic && i->op != IR_global_atomic && i->op != IR_image_atomic &&
        i->op != IR_shared_atomic)
        return false;
    const unsigned op = ir_attr_get(i, IR_A_ATOMIC_OP);
    return op == IR_ATOMIC_fadd || op == IR_ATOMIC_fmin || op == IR_ATOMIC_fmax;
}

bool
opt_lower_atomics(ir_fn *f, ir_choice lacks)
{
    bool any = ir_made_op(f, IR_ssbo_atomic) || ir_made_op(f, IR_global_atomic) ||
               ir_made_op(f, IR_image_atomic) || ir_made_op(f, IR_shared_atomic);
    return any && lower_each(f, lacks, lower_atomic);
}

/* ---- reductions and scans ---- */

bool
opt_is_scan(const ir_instr *i)
{
    return i->op == IR_reduce || i->op == IR_inclusive_scan || i->op == IR_exclusive_scan;
}

/* What the last lane, or the last one of the cluster, has. */
static ir_ref
build_total(ir_builder *b, const ir_instr *i, ir_ref sum)
{
    const ir_ref lane = ir_build_intr(b, IR_load_subgroup_invocation, IR_I32, NULL, 0);
    const ir_ref last = ir_build_intr(b, IR_reduce, IR_I32, &lane, 1);
    ir_attr_set(ir_built(b), IR_A_REDUCTION_OP, IR_REDUCE_umax);
    ir_attr_set(ir_built(b), IR_A_CLUSTER_SIZE, ir_attr_get(i, IR_A_CLUSTER_SIZE));
    return ir_build_intr(b, IR_shuffle, ir_ref_type(b->f, sum), (ir_ref[]){sum, last}, 2);
}

static loop_blocks
lower_scan(ir_builder *b, ir_instr *i, ir_replacement *map)
{
    ir_fn *f = b->f;
    const ir_reduction op = (ir_reduction)ir_attr_get(i, IR_A_REDUCTION_OP);
    const uint32_t cluster = i->op == IR_reduce ? ir_attr_get(i, IR_A_CLUSTER_SIZE) : 0;
    const ir_type t = f->values[i->defs[0].id].type;
    ir_builder_before(b, i);
    const unsigned bits = ir_type_bits(t);
    const ir_ref start = ir_build_imm(b, bits, ir_reduction_start(op, bits));
    ir_ref number = ir_none();
    if (cluster)
        number = irb_udiv(b, ir_build_intr(b, IR_load_subgroup_invocation, IR_I32, NULL, 0),
                          ir_build_imm(b, 32, cluster));
    loop_blocks l = open_loop(b, i);
    ir_instr *phi = ir_build_phi(b, l.header, t, 2);
    const ir_ref before = ir_use(f, phi->defs[0].id);
    const ir_ref first = ir_build_intr(b, IR_read_first_invocation, t, &i->refs[0], 1);
    ir_ref sum = ir_build_alu(b, ir_reduction_op(op), t, before, first, ir_none());
    if (cluster) {
        const ir_ref of = ir_build_intr(b, IR_read_first_invocation, IR_I32, &number, 1);
        sum = irb_bcsel(b, irb_ieq(b, of, number), sum, before);
    }
    branch_out(b, &l, ir_build_intr(b, IR_elect, IR_BOOL, NULL, 0));
    ir_build_jump(b, l.rest);
    phi->refs[0] = start;
    phi->refs[1] = sum;
    ir_ref r = carry_out(b, &l, i->op == IR_exclusive_scan ? before : sum);
    if (i->op == IR_reduce) {
        ir_builder_before(b, i);
        r = build_total(b, i, r);
    }
    ir_replace_add(map, i->defs[0].id, r);
    ir_unlink(i);
    return l;
}

bool
opt_lower_scans(ir_fn *f, ir_choice lacks)
{
    bool any = ir_made_op(f, IR_reduce) || ir_made_op(f, IR_inclusive_scan) ||
               ir_made_op(f, IR_exclusive_scan);
    return any && lower_each(f, lacks, lower_scan);
}
