/* Global value numbering and simplification in one walk.
 *
 * Blocks are visited in preorder of the dominator tree, so definitions come before their uses
 * (except phi references along back edges). Each ALU operation is folded again with its replaced
 * operands (ir/fold.h), and loads from constant data at constant offsets become constants, from
 * small tables arithmetic (opt/constant_table.h). Then every pure instruction is looked up among
 * the earlier ones. If an equal one dominates it, and is not in a loop that this one is outside of
 * (which would let a value out of its loop), the earlier one is used instead.
 *
 * In the arm of an if, values that its condition makes known are constants (opt/arm_facts.h).
 *
 * Pure instructions are ALU operations, constants, vectors, phis (within their block), and
 * intrinsics without effect that do not depend on the active lanes and read nothing that may
 * change. Equal instructions form a chain. Instructions are removed from it when the walk leaves
 * their dominator subtree, so the walk is linear.
 */
#include "opt/arm_facts.h"
#include "opt/constant_table.h"
#include "opt/opt.h"
#include "opt/speculate.h"

#include "ir/dominance.h"
#include "ir/eval_alu.h"
#include "ir/fold.h"
#include "ir/numbering.h"
#include "ir/value_table.h"

typedef struct gvn {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    ir_value_table table;
    opt_facts *facts;
    bool has_facts;     /* in the block being visited */
    uint32_t *loop_end; /* by index of a loop's header: index of its merge block */
    bool has_undefined;
    bool changed;
} gvn;

/* ---- lookup ---- */

static bool
is_equal(const gvn *g, const ir_instr *a, const ir_instr *b)
{
    return a->op == b->op && g->f->values[a->defs[0].id].type == g->f->values[b->defs[0].id].type &&
           (a->op != IR_phi || a->block == b->block) && ir_same_operation(a, b);
}

static bool
may_replace(const void *user, const ir_instr *def, const ir_instr *i)
{
    const gvn *g = user;
    const ir_block *loop = def->block->loop_header, *at = i->block;
    return is_equal(g, def, i) && ir_dominates(def->block, at, 0) &&
           (!loop || (at->index >= loop->index && at->index < g->loop_end[loop->index]));
}

/* The walk has left the subtree. Entries of loops that have been left remain. */
static bool
has_gone(const void *user, const ir_instr *def, const ir_instr *i)
{
    (void)user;
    return ir_dom(def->block, 0)->post < ir_dom(i->block, 0)->pre;
}

static const ir_value_rules rules = {has_gone, may_replace};

/* Returns an equal instruction that can replace `i`; otherwise adds `i` and returns NULL. */
static ir_instr *
find_or_add(gvn *g, ir_instr *i)
{
    uint32_t hash = ir_operation_hash(i, g->f->values[i->defs[0].id].type, 0);
    return ir_value_table_find_or_add(&g->table, i, hash, &rules, g);
}

static void
replace(gvn *g, ir_instr *i, ir_ref by)
{
    ir_replace_add(&g->map, i->defs[0].id, by);
    ir_remove(i);
    g->changed = true;
}

static void
number_pure(gvn *g, ir_instr *i)
{
    ir_instr *same = find_or_add(g, i);
    if (same)
        replace(g, i, same->defs[0]);
}

static void
number(gvn *g, ir_instr *i)
{
    if (opt_is_pure(i))
        number_pure(g, i);
}

/* ---- folding ---- */

static void
begin_fold(gvn *g, const ir_instr *i, ir_fold *n)
{
    unsigned sizes[3] = {0};
    *n = (ir_fold){.b = &g->b, .f = g->f, .op = (ir_op)i->op};
    for (unsigned s = 0; s < i->n_refs; s++) {
        n->s[s] = ir_look_through(g->f, i->refs[s]);
        sizes[s] = ir_type_bits(ir_ref_type(g->f, n->s[s]));
    }
    for (unsigned s = i->n_refs; s < 3; s++)
        n->s[s] = ir_none();
    n->bits = ir_alu_bits(n->op, sizes);
    n->dbits = ir_type_bits(g->f->values[i->defs[0].id].type);
    ir_fold_prepare(n);
}

/* Changes `i` to the operation that folding left; its definition stays. */
static ir_instr *
take_form(gvn *g, ir_instr *i, const ir_fold *n)
{
    if (n->n != i->n_refs) {
        ir_instr *other = ir_new_instr(g->f, n->op, 1, n->n);
        other->defs[0] = i->defs[0];
        other->loc = i->loc;
        other->form = i->form;
        g->f->values[i->defs[0].id].def = other;
        ir_insert_before(i, other);
        ir_unlink(i);
        i = other;
    }
    g->changed |= i->op != n->op;
    i->op = (uint16_t)n->op;
    ir_note_op(g->f, n->op);
    i->form = ir_may_be_exact(i->op) ? i->form : 0;
    for (unsigned r = 0; r < n->n; r++) {
        ir_ref now = ir_replace_follow(&g->map, n->s[r]);
        g->changed |= !ir_same_ref(i->refs[r], now);
        i->refs[r] = now;
    }
    return i;
}

/* Numbers the instructions that folding inserted between `before` and `i`. */
static void
number_new(gvn *g, ir_instr *before, ir_instr *i)
{
    for (ir_instr *j = before ? before->next : i->block->first, *next; j && j != i; j = next) {
        next = j->next;
        ir_replace_in(&g->map, j);
        number(g, j);
    }
}

static uint64_t
quiet_nan(unsigned bits)
{
    return bits == 16 ? 0x7e00 : bits == 32 ? 0x7fc00000 : UINT64_C(0x7ff8) << 48;
}

static bool
is_undefined(const gvn *g, ir_ref r)
{
    return g->f->values[ir_look_through(g->f, r).id].def->op == IR_undef;
}

/* An undefined source is each time whatever makes the operation simple (SPIR-V, OpUndef): a NaN in
 * a sum, zero in a product of integers. Returns the result, or none. */
static ir_ref
of_undefined(gvn *g, const ir_instr *i)
{
    unsigned bits = ir_type_bits(g->f->values[i->defs[0].id].type);
    bool any = false;
    for (unsigned s = 0; s < i->n_refs && g->has_undefined; s++)
        any |= is_undefined(g, i->refs[s]);
    if (!any)
        return ir_none();
    switch (i->op) {
    case IR_fadd:
    case IR_fsub:
    case IR_fmul:
    case IR_ffma: return ir_build_imm(&g->b, bits, quiet_nan(bits));
    case IR_iand:
    case IR_imul: return ir_build_imm(&g->b, bits, 0);
    case IR_bcsel:
        return is_undefined(g, i->refs[1])   ? i->refs[2]
               : is_undefined(g, i->refs[2]) ? i->refs[1]
                                             : ir_none();
    default: return ir_none();
    }
}

static void
visit_alu(gvn *g, ir_instr *i)
{
    ir_fold n;
    ir_instr *before = i->prev;
    ir_ref simple = of_undefined(g, i);
    if (ir_is_value(simple)) {
        replace(g, i, ir_look_through(g->f, simple));
        return;
    }
    begin_fold(g, i, &n);
    g->b.block = i->block;
    g->b.before = i;
    g->b.loc = i->loc;
    g->b.exact = i->form & IR_EXACT;
    bool result = ir_fold_alu(&n);
    if (i->prev != before) {
        number_new(g, before, i);
        ir_numbering_clear(g->b.numbering);
    }
    if (result)
        replace(g, i, ir_replace_follow(&g->map, n.result));
    else
        number_pure(g, take_form(g, i, &n));
}

static void
visit_const(gvn *g, ir_instr *i)
{
    ir_type t = g->f->values[i->defs[0].id].type;
    if (ir_type_comps(t) != 1) {
        number(g, i);
        return;
    }
    ir_ref r = i->op == IR_undef ? ir_build_undef(&g->b, t)
                                 : ir_build_imm(&g->b, ir_type_bits(t), ir_const_comp(g->f, i, 0));
    if (r.id != i->defs[0].id)
        replace(g, i, r);
}

/* Bits of constant data, little-endian. */
static uint64_t
constant_bits(const ir_shader *s, uint64_t at, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned k = 0; k < bytes; k++)
        v |= (uint64_t)s->constant_data[at + k] << 8 * k;
    return v;
}

/* A load from a computed place: from a small table it becomes arithmetic. */
static void
visit_load_table(gvn *g, ir_instr *i)
{
    ir_instr *before = i->prev;
    g->b.block = i->block;
    g->b.before = i;
    g->b.loc = i->loc;
    g->b.exact = false;
    ir_ref r = opt_constant_table(&g->b, i);
    if (i->prev != before) {
        number_new(g, before, i);
        ir_numbering_clear(g->b.numbering);
    }
    if (ir_is_value(r))
        replace(g, i, ir_replace_follow(&g->map, r));
    else
        number(g, i);
}

/* A load from a constant place in constant data is known. */
static void
visit_load_constant(gvn *g, ir_instr *i)
{
    const ir_shader *s = &g->f->shader;
    ir_type t = g->f->values[i->defs[0].id].type;
    unsigned bits = ir_type_bits(t), n = ir_type_comps(t);
    ir_ref comps[IR_MAX_COMPS];
    uint64_t at;
    if (!ir_is_const(g->f, i->refs[0], &at)) {
        visit_load_table(g, i);
        return;
    }
    if (bits < 8 || (at += ir_attr_get(i, IR_A_BASE)) + (uint64_t)n * bits / 8 > s->constant_size) {
        number(g, i);
        return;
    }
    for (unsigned c = 0; c < n; c++)
        comps[c] = ir_build_imm(&g->b, bits, constant_bits(s, at + c * bits / 8, bits / 8));
    g->b.block = i->block;
    g->b.before = i;
    replace(g, i, ir_build_vec(&g->b, comps, n));
}

static void
visit(gvn *g, ir_instr *i)
{
    if (i->op != IR_phi) {
        g->changed |= ir_replace_in(&g->map, i);
        g->changed |= g->has_facts && opt_facts_use(g->facts, i);
    }
    if (!ir_may_change(g->f->ctx))
        return;
    if (i->op == IR_load_const || i->op == IR_undef)
        visit_const(g, i);
    else if (ir_has_flag(i, IR_OP_ALU))
        visit_alu(g, i);
    else if (i->op == IR_load_constant)
        visit_load_constant(g, i);
    else if (i->op == IR_load_subgroup_size && g->f->shader.wave_size)
        replace(g, i, ir_build_imm(&g->b, 32, g->f->shader.wave_size));
    else
        number(g, i);
}

/* Rewrites references that the walk met before their values were replaced: those of phis along back
 * edges, and those in unreachable blocks. */
static void
replace_left(gvn *g)
{
    if (!g->map.any)
        return;
    IR_FOREACH_BLOCK(b, g->f) {
        bool reached = g->f->dom[0][b->index].pre != IR_NO_BLOCK;
        for (ir_instr *i = b->first; i && (!reached || i->op == IR_phi); i = i->next)
            g->changed |= ir_replace_in(&g->map, i);
    }
}

/* ---- the walk ---- */

/* Returns the blocks by their number in the dominator tree. Unreachable ones are NULL. */
static ir_block **
preorder(ir_fn *f)
{
    ir_block **order = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, ir_block *);
    for (size_t b = 0; b < f->n_blocks; b++) {
        uint32_t at = f->dom[0][b].pre;
        if (at != IR_NO_BLOCK)
            order[at] = f->blocks[b];
    }
    return order;
}

static void
visit_block(gvn *g, const ir_block *b)
{
    if (b->cont)
        g->loop_end[b->succs[0].at[0]->index] = b->merge->index;
    g->has_facts = opt_facts_enter(g->facts, b);
    IR_FOREACH_INSTR(i, b)
        visit(g, i);
    g->changed |= opt_facts_leave(g->facts, b);
}

bool
opt_gvn(ir_fn *f)
{
    gvn g = {.f = f, .map = {.f = f}, .has_undefined = ir_made_op(f, IR_undef)};
    g.loop_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint32_t);
    g.table = ir_value_table_make(f->ctx->scratch, f->n_values);
    ir_builder_init(&g.b, f);
    g.facts = opt_facts_new(&g.b, &g.map);
    ir_block **order = preorder(f);
    for (size_t n = 0; n < f->n_blocks && order[n]; n++)
        visit_block(&g, order[n]);
    replace_left(&g);
    return g.changed;
}
