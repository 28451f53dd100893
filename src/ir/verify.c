/* The verifier: a table of named checks. Each checks one invariant that passes rely on. Later
 * checks rely on earlier ones. Types and attributes of HIR are checked in verify_hir.c.
 */
#include "ir/verify.h"
#include "ir/bundle.h"
#include "ir/dominance.h"
#include "ir/machine.h"
#include "ir/text.h"
#include "ir/verify_hir.h"

#include <stdarg.h>
#include <stdio.h>

void
ir_verify_fail(const ir_verifier *v, const ir_block *b, const ir_instr *i, const char *format, ...)
{
    base_buf where = buf_make(v->f->ctx->scratch);
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (b)
        buf_printf(&where, " in %s%u", v->f->level->machine ? "BB" : "b", b->index);
    if (i) {
        buf_puts(&where, ": ");
        ir_print_instr(v->f, i, IR_PRINT_KILLS, &where);
    }
    diag *d = v->f->ctx->diag;
    if (!v->after)
        diag_fail(d, ERR_IR_INVALID, v->check, what, buf_text(&where));
    diag_fail(d, ERR_IR_VERIFY, v->check, v->after, what, buf_text(&where));
}

/* ---- links ---- */

static void
check_links(const ir_verifier *v)
{
    const ir_fn *f = v->f;
    if (f->n_blocks == 0)
        ir_verify_fail(v, NULL, NULL, "a function has at least one block");
    for (uint32_t n = 0; n < f->n_blocks; n++) {
        const ir_block *b = f->blocks[n];
        const ir_instr *last = NULL;
        if (b->index != n || b->fn != f)
            ir_verify_fail(v, b, NULL, "the block at place %u does not say so", n);
        for (const ir_instr *i = b->first; i; last = i, i = i->next) {
            if (i->op >= f->level->n_ops)
                ir_verify_fail(v, b, NULL, "opcode %u is not in the table", i->op);
            if (i->block != b || i->prev != last)
                ir_verify_fail(v, b, i, "the instruction is linked wrongly");
        }
        if (b->last != last)
            ir_verify_fail(v, b, NULL, "the block's last instruction is not the last");
    }
}

/* ---- edges: the two sides agree; no edge occurs twice ---- */

static void
check_edge_list(const ir_verifier *v, unsigned list)
{
    const ir_fn *f = v->f;
    uint32_t *stamp = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint32_t);
    uint64_t n_preds = 0, n_succs = 0;
    IR_FOREACH_BLOCK(b, f) {
        n_succs += b->succs[list].count;
        n_preds += b->preds[list].count;
        for (uint32_t p = 0; p < b->preds[list].count; p++) {
            const ir_block *from = b->preds[list].at[p];
            if (from->index >= f->n_blocks || f->blocks[from->index] != from)
                ir_verify_fail(v, b, NULL, "a predecessor is not in the function");
            if (stamp[from->index] == b->index + 1)
                ir_verify_fail(v, b, NULL, "block %u is a predecessor twice", from->index);
            stamp[from->index] = b->index + 1;
            bool found = false;
            for (uint32_t s = 0; s < from->succs[list].count; s++)
                found |= from->succs[list].at[s] == b;
            if (!found)
                ir_verify_fail(v, b, NULL, "predecessor %u has no such successor", from->index);
        }
    }
    if (n_preds != n_succs)
        ir_verify_fail(v, NULL, NULL, "%u edges are known to successors, %u to predecessors",
                       (unsigned)n_preds, (unsigned)n_succs);
}

static void
check_edges(const ir_verifier *v)
{
    check_edge_list(v, 0);
    check_edge_list(v, 1);
    if (v->f->n_blocks && (v->f->blocks[0]->preds[0].count || v->f->blocks[0]->preds[1].count))
        ir_verify_fail(v, v->f->blocks[0], NULL, "the entry has a predecessor");
}

/* ---- terminators ---- */

static void
check_terminators(const ir_verifier *v)
{
    IR_FOREACH_BLOCK(b, v->f) {
        for (const ir_instr *i = b->first; i && i->next; i = i->next) {
            if (ir_has_flag(i, IR_OP_TERMINATOR))
                ir_verify_fail(v, b, i, "a terminator stands before the block's end");
        }
        if (!v->f->level->machine && !ir_terminator(b))
            ir_verify_fail(v, b, NULL, "the block has no terminator");
    }
}

/* ---- counts of definitions, references and words match the row ---- */

static void
check_counts(const ir_verifier *v)
{
    IR_FOREACH_BLOCK(b, v->f) {
        IR_FOREACH_INSTR(i, b) {
            const ir_op_info *row = ir_op_of(v->f, i);
            if (row->n_defs != IR_ANY && row->n_defs != i->n_defs)
                ir_verify_fail(v, b, i, "%u results, not %u", i->n_defs, row->n_defs);
            if (row->n_refs != IR_ANY && row->n_refs != i->n_refs)
                ir_verify_fail(v, b, i, "%u operands, not %u", i->n_refs, row->n_refs);
            if (row->n_words != IR_ANY && row->n_words != i->n_words)
                ir_verify_fail(v, b, i, "%u attribute words, not %u", i->n_words, row->n_words);
        }
    }
}

/* ---- the level's byte of an instruction is one that its opcode may have ---- */

static void
check_forms(const ir_verifier *v)
{
    const ir_level *level = v->f->level;
    uint8_t bits = ir_bundle_bits(level);
    if (!level->has_form)
        return;
    IR_FOREACH_BLOCK(b, v->f) {
        IR_FOREACH_INSTR(i, b) {
            if (!level->has_form(i->op, i->form & ~bits))
                ir_verify_fail(v, b, i, "the opcode has no form 0x%x", i->form);
        }
    }
}

/* ---- definitions: each value has one ---- */

static void
check_definition(const ir_verifier *v, const ir_instr *i, ir_ref d)
{
    const ir_fn *f = v->f;
    if (f->level->machine && (d.id == 0 || !f->ssa))
        return;
    if (d.kind != IR_REF_VALUE || d.id == 0 || d.id >= f->n_values)
        ir_verify_fail(v, i->block, i, "the result is not a value");
    if (f->values[d.id].def != i)
        ir_verify_fail(v, i->block, i, "value %%%u has another definition", d.id);
    if (f->values[d.id].type == 0)
        ir_verify_fail(v, i->block, i, "value %%%u has no type", d.id);
    if (f->level->machine && d.rc != f->values[d.id].type)
        ir_verify_fail(v, i->block, i, "value %%%u is defined with another class", d.id);
}

static void
check_definitions(const ir_verifier *v)
{
    const ir_fn *f = v->f;
    uint8_t *defined = ARENA_ARRAY(f->ctx->scratch, f->n_values, uint8_t);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            for (unsigned d = 0; d < i->n_defs; d++) {
                check_definition(v, i, i->defs[d]);
                if (f->ssa && i->defs[d].id && defined[i->defs[d].id]++)
                    ir_verify_fail(v, b, i, "value %%%u is defined twice", i->defs[d].id);
            }
        }
    }
}

/* ---- operands: present, and read values that are defined ---- */

static void
check_operand(const ir_verifier *v, const ir_instr *i, unsigned n)
{
    const ir_fn *f = v->f;
    ir_ref r = i->refs[n];
    if (!ir_is_value(r)) {
        if (!f->level->machine && r.kind != IR_REF_NONE)
            ir_verify_fail(v, i->block, i, "operand %u is not a value", n);
        return;
    }
    if (f->level->machine && r.id == 0)
        return;
    if (r.id == 0 || r.id >= f->n_values)
        ir_verify_fail(v, i->block, i, "operand %u is not a value", n);
    const ir_instr *def = f->values[r.id].def;
    bool lost = f->allocated && !f->ssa; /* registers alone count: definitions may be gone */
    if ((!def || !def->block) && !lost)
        ir_verify_fail(v, i->block, i, "value %%%u has no definition", r.id);
    if (f->level->machine)
        return;
    unsigned comps = ir_type_comps(f->values[r.id].type);
    if (r.comp == IR_WHOLE ? comps == 1 : r.comp >= comps)
        ir_verify_fail(v, i->block, i, "value %%%u has no component %u", r.id, r.comp);
}

static void
check_operands(const ir_verifier *v)
{
    IR_FOREACH_BLOCK(b, v->f) {
        IR_FOREACH_INSTR(i, b) {
            for (unsigned r = 0; r < i->n_refs; r++)
                check_operand(v, i, r);
        }
    }
}

/* ---- phis: at the head of the block, with a reference for each predecessor ---- */

static void
check_phis(const ir_verifier *v)
{
    IR_FOREACH_BLOCK(b, v->f) {
        bool head = true;
        IR_FOREACH_INSTR(i, b) {
            bool phi = ir_has_flag(i, IR_OP_PHI);
            unsigned list = ir_has_flag(i, IR_OP_LINEAR_PHI) ? 1 : 0;
            if (phi && !head)
                ir_verify_fail(v, b, i, "a phi after another instruction");
            if (phi && i->n_refs != b->preds[list].count)
                ir_verify_fail(v, b, i, "%u references for %u predecessors", i->n_refs,
                               b->preds[list].count);
            head = phi;
        }
    }
}

/* ---- dominance: a definition dominates its uses ---- */

typedef struct dominance_check {
    const ir_verifier *v;
    const ir_dom_node *trees[2]; /* logical, linear */
    uint32_t *position;          /* by value: position of its definition in its block, from 1 */
} dominance_check;

static bool
is_reachable(const dominance_check *c, const ir_block *b, unsigned list)
{
    return c->trees[list][b->index].pre != IR_NO_BLOCK;
}

/* The list of edges that the values of a type live on. */
static unsigned
edges_of(const ir_fn *f, ir_type t)
{
    return f->level->machine ? ir_class_of(f, t)->edges : 0;
}

/* Returns true if the definition of `id` is available at instruction number `at` of block `b`,
 * along the edges that its class lives on. For a phi's reference, `at` is UINT32_MAX, the end of
 * the predecessor. Other uses must follow the definition even in unreachable code. */
static bool
is_known(const dominance_check *c, uint32_t id, const ir_block *b, uint32_t at)
{
    const ir_fn *f = c->v->f;
    const ir_block *home = f->values[id].def->block;
    if (home == b)
        return c->position[id] < at;
    if (!f->level->machine && at != UINT32_MAX && home->index > b->index)
        return false;
    unsigned list = edges_of(f, f->values[id].type);
    return !is_reachable(c, b, list) || ir_dom_tree_has(c->trees[list], home->index, b->index);
}

static void
check_uses(const dominance_check *c, const ir_instr *i, uint32_t at)
{
    bool phi = ir_has_flag(i, IR_OP_PHI);
    unsigned list = ir_has_flag(i, IR_OP_LINEAR_PHI) ? 1 : 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (!ir_is_value(ref) || ref.id == 0)
            continue;
        const ir_block *b = phi ? i->block->preds[list].at[r] : i->block;
        if (!is_known(c, ref.id, b, phi ? UINT32_MAX : at))
            ir_verify_fail(c->v, i->block, i, "value %%%u is not known here", ref.id);
    }
}

/* The tables of the function are those that its edges give, if it says so. */
static void
check_trees(const dominance_check *c)
{
    const ir_fn *f = c->v->f;
    for (unsigned list = 0; f->valid & IR_HAS_DOMINANCE && list < 2 && c->trees[list]; list++) {
        for (size_t b = 0; b < f->n_blocks; b++) {
            if (memcmp(&f->dom[list][b], &c->trees[list][b], sizeof(ir_dom_node)) != 0)
                ir_verify_fail(c->v, f->blocks[b], NULL, "a dominator that is out of date");
        }
    }
}

static void
check_dominance(const ir_verifier *v)
{
    const ir_fn *f = v->f;
    arena *a = f->ctx->scratch;
    if (!f->ssa)
        return;
    dominance_check c = {.v = v, .position = ARENA_ARRAY(a, f->n_values, uint32_t)};
    c.trees[0] = ir_dominators(f, 0, a);
    if (f->level->machine)
        c.trees[1] = ir_dominators(f, 1, a);
    check_trees(&c);
    for (unsigned use = 0; use < 2; use++) {
        IR_FOREACH_BLOCK(b, f) {
            uint32_t at = 0;
            IR_FOREACH_INSTR(i, b) {
                at++;
                for (unsigned d = 0; d < i->n_defs && !use; d++)
                    c.position[i->defs[d].id] = at;
                if (use)
                    check_uses(&c, i, at);
            }
        }
    }
}

/* ---- the table ---- */

typedef struct check_row {
    const char *name;
    void (*run)(const ir_verifier *v);
    bool hir_only;
} check_row;

static const check_row checks[] = {
    {"links", check_links, false},
    {"edges", check_edges, false},
    {"terminators", check_terminators, false},
    {"counts", check_counts, false},
    {"forms", check_forms, false},
    {"structure", ir_verify_structure, true},
    {"phis", check_phis, false},
    {"definitions", check_definitions, false},
    {"operands", check_operands, false},
    {"types", ir_verify_types, true},
    {"attributes", ir_verify_attributes, true},
    {"dominance", check_dominance, false},
    {"bundles", ir_verify_bundles, false},
};

void
ir_verify(const ir_fn *f, const char *after)
{
    for (unsigned i = 0; i < sizeof checks / sizeof *checks; i++) {
        arena_mark m = arena_save(f->ctx->scratch);
        ir_verifier v = {f, after, checks[i].name};
        if (!checks[i].hir_only || !f->level->machine)
            checks[i].run(&v);
        arena_release(f->ctx->scratch, m);
    }
}
