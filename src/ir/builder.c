#include "ir/builder.h"

#include "base/fp.h"
#include "ir/eval_alu.h"
#include "ir/fold.h"
#include "ir/numbering.h"
#include "ir/value_table.h"

#include <assert.h>

/* ---- position ---- */

void
ir_builder_init(ir_builder *b, ir_fn *f)
{
    *b = (ir_builder){.f = f, .numbering = ir_numbering_new(f)};
}

void
ir_builder_at_end(ir_builder *b, ir_block *block)
{
    ir_numbering_clear(b->numbering);
    ir_builder_continue_at(b, block);
}

void
ir_builder_before(ir_builder *b, ir_instr *at)
{
    ir_numbering_clear(b->numbering);
    b->block = at->block;
    b->before = at;
}

void
ir_builder_continue_at(ir_builder *b, ir_block *block)
{
    b->block = block;
    b->before = NULL;
}

void
ir_builder_open_scope(ir_builder *b)
{
    ir_numbering_open(b->numbering);
}

void
ir_builder_close_scope(ir_builder *b)
{
    ir_numbering_close(b->numbering);
}

void
ir_build_place(ir_builder *b, ir_instr *i)
{
    i->loc = b->loc;
    if (b->before)
        ir_insert_before(b->before, i);
    else
        ir_append(b->block, i);
}

/* ---- constants ---- */

/* Adds a constant or undefined value after those at the head of the first block. */
static ir_ref
place_constant(ir_builder *b, ir_instr *i, ir_type type)
{
    ir_constants *c = b->numbering->constants;
    assert(b->f->n_blocks && "constants stand in the first block");
    ir_ref r = ir_define(b->f, i, 0, type);
    ir_instr *last = ir_constants_last(b->f, c);
    if (last)
        ir_insert_after(last, i);
    else
        ir_prepend(b->f->blocks[0], i);
    c->last = i;
    return r;
}

ir_ref
ir_build_imm(ir_builder *b, unsigned bits, uint64_t value)
{
    unsigned words = bits == 64 ? 2 : 1;
    ir_constants *c = b->numbering->constants;
    value &= base_mask64(bits);
    uint64_t key = ir_constant_key(bits, value);
    uint32_t id = ir_constants_find(b->f, c, words - 1, key);
    if (id)
        return ir_use(b->f, id);
    ir_instr *i = ir_new_instr_words(b->f, IR_load_const, 1, 0, words);
    ir_words(i)[0] = (uint32_t)value;
    if (words == 2)
        ir_words(i)[1] = (uint32_t)(value >> 32);
    ir_ref r = place_constant(b, i, IR_TYPE(bits, 1));
    ir_constants_add(c, words - 1, key, r.id);
    return r;
}

ir_ref
ir_build_fimm(ir_builder *b, unsigned bits, double value)
{
    return ir_build_imm(b, bits, base_fp_encode(value, bits, BASE_ROUND_EVEN));
}

ir_ref
ir_build_undef(ir_builder *b, ir_type type)
{
    ir_constants *c = b->numbering->constants;
    uint64_t key = ir_undef_key(type);
    uint32_t id = ir_constants_find(b->f, c, 0, key);
    if (id)
        return ir_use(b->f, id);
    ir_ref r = place_constant(b, ir_new_instr(b->f, IR_undef, 1, 0), type);
    ir_constants_add(c, 0, key, r.id);
    return r;
}

/* ---- pure operations ---- */

ir_ref
ir_look_through_copy(const ir_fn *f, ir_ref r)
{
    while (ir_is_value(r)) {
        const ir_instr *def = f->values[r.id].def;
        if (def && def->op == IR_vec && r.comp != IR_WHOLE)
            r = def->refs[r.comp];
        else if (def && def->op == IR_mov)
            r = r.comp == IR_WHOLE || def->refs[0].comp != IR_WHOLE ? def->refs[0]
                                                                    : ir_comp(def->refs[0], r.comp);
        else
            break;
    }
    return r;
}

/* Makes an instruction like `proto` (not in a block, its one definition still missing) unless an
 * equal one exists. */
static ir_ref
number_instr(ir_builder *b, const ir_instr *proto, ir_type type)
{
    uint32_t hash = ir_operation_hash(proto, type, 0);
    uint32_t id = ir_numbering_find(b->numbering, proto, type, hash);
    if (id)
        return ir_use(b->f, id);
    ir_instr *i = ir_new_instr(b->f, proto->op, 1, proto->n_refs);
    memcpy(i->refs, proto->refs, proto->n_refs * sizeof *i->refs);
    i->form = proto->form;
    ir_ref r = ir_define(b->f, i, 0, type);
    ir_build_place(b, i);
    ir_numbering_add(b->numbering, r.id, hash);
    return r;
}

static unsigned
source_bits(const ir_fn *f, ir_ref r)
{
    return ir_is_value(r) ? ir_type_bits(ir_ref_type(f, r)) : 0;
}

ir_ref
ir_build_alu(ir_builder *b, ir_op op, ir_type type, ir_ref s0, ir_ref s1, ir_ref s2)
{
    ir_fn *f = b->f;
    ir_fold n = {.b = b, .f = f, .op = op, .s = {s0, s1, s2}};
    unsigned sizes[3] = {0}, count = ir_alu_table[op].n;
    for (unsigned s = 0; s < count; s++) {
        n.s[s] = ir_look_through(f, n.s[s]);
        sizes[s] = source_bits(f, n.s[s]);
    }
    n.bits = ir_alu_bits(op, sizes);
    n.dbits = ir_alu_def_bits(op, n.bits, ir_type_bits(type));
    assert(n.dbits && "rows with FX, IX, UX need a type");
    ir_fold_prepare(&n);
    if (ir_fold_alu(&n))
        return n.result;
    ir_instr proto = {.op = (uint16_t)n.op, .n_defs = 1, .n_refs = (uint16_t)n.n, .refs = n.s};
    proto.form = b->exact && ir_may_be_exact(n.op) ? IR_EXACT : 0;
    return number_instr(b, &proto, IR_TYPE(n.dbits, 1));
}

/* The value whose components in order are `comps`, or none. */
static ir_ref
whole_of(const ir_fn *f, const ir_ref *comps, unsigned n)
{
    for (unsigned c = 0; c < n; c++) {
        if (comps[c].id != comps[0].id || comps[c].comp != c)
            return ir_none();
    }
    bool all = ir_type_comps(f->values[comps[0].id].type) == n;
    return all ? ir_comp(comps[0], IR_WHOLE) : ir_none();
}

ir_ref
ir_build_vec(ir_builder *b, const ir_ref *comps, unsigned n)
{
    ir_ref at[IR_MAX_COMPS] = {ir_look_through(b->f, comps[0])};
    assert(n && n <= IR_MAX_COMPS);
    if (n == 1)
        return at[0];
    for (unsigned c = 1; c < n; c++)
        at[c] = ir_look_through(b->f, comps[c]);
    ir_ref whole = whole_of(b->f, at, n);
    if (ir_is_value(whole))
        return whole;
    ir_instr proto = {.op = IR_vec, .n_defs = 1, .n_refs = (uint16_t)n, .refs = at};
    return number_instr(b, &proto, IR_TYPE(source_bits(b->f, at[0]), n));
}

/* ---- intrinsics, phis, terminators ---- */

ir_ref
ir_build_intr(ir_builder *b, unsigned op, ir_type type, const ir_ref *refs, unsigned n)
{
    ir_instr *i = ir_new_instr(b->f, op, type ? 1 : 0, n);
    for (unsigned r = 0; r < n; r++)
        i->refs[r] = ir_look_through(b->f, refs[r]);
    ir_ref def = type ? ir_define(b->f, i, 0, type) : ir_none();
    ir_build_place(b, i);
    b->built = i;
    return def;
}

ir_instr *
ir_build_phi(ir_builder *b, ir_block *block, ir_type type, unsigned n)
{
    ir_instr *i = ir_new_instr(b->f, IR_phi, 1, n);
    i->loc = b->loc;
    ir_define(b->f, i, 0, type);
    ir_prepend(block, i);
    return i;
}

static ir_instr *
place_terminator(ir_builder *b, ir_op op, unsigned n_refs)
{
    assert(!b->before && !ir_terminator(b->block));
    ir_instr *i = ir_new_instr(b->f, op, 0, n_refs);
    ir_build_place(b, i);
    return i;
}

void
ir_build_jump(ir_builder *b, ir_block *to)
{
    place_terminator(b, IR_jump, 0);
    ir_add_edge(b->block, to, 0);
}

void
ir_build_if(ir_builder *b, ir_ref cond, ir_block *then, ir_block *otherwise, ir_block *merge)
{
    place_terminator(b, IR_if, 1)->refs[0] = ir_look_through(b->f, cond);
    ir_add_edge(b->block, then, 0);
    ir_add_edge(b->block, otherwise, 0);
    b->block->merge = merge;
}

void
ir_build_loop(ir_builder *b, ir_block *header, ir_block *merge, ir_block *cont)
{
    place_terminator(b, IR_loop, 0);
    ir_add_edge(b->block, header, 0);
    b->block->merge = merge;
    b->block->cont = cont;
}

void
ir_build_return(ir_builder *b)
{
    place_terminator(b, IR_return, 0);
}
