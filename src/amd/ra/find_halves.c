/* find_halves: numbers of 16 bits get half a VGPR each.
 *
 *     v1: %1 = buffer_load_ushort ...              v2b: %1 = buffer_load_ushort ...
 *     v1: %2 = v_add_f16 %3, %1             ->     v2b: %2 = v_add_f16 %3, %1
 *     v1: %4 = v_perm_b32 %2, %1, 0x5040100        v1: %4 = p_create_vector %1, %2
 *
 * A value of class v1 becomes v2b if the instruction that defines it writes 16 bits, all that read
 * it read only these, and each can choose the half of the register (target/half.h): then allocation
 * may put it into any half, and no instruction asks for a certain one. Values that copies and phis
 * join become halves together or not at all. Two halves that are packed are a vector, and the high
 * half of a register is extracted: allocation makes most of these copies disappear.
 *
 * A program with halves is at amd_half_level up to register allocation, so its demand for registers
 * is counted in halves. If it must spill, amd_widen_halves makes whole registers of all values
 * again: slots of spilled values are dwords.
 */
#include "amd/ra/halves.h"
#include "amd/target/half.h"

enum { LOW_HALVES = 0x05040100 }; /* v_perm: the low halves of its second and first source */

typedef struct half_ctx {
    ir_fn *f;
    const amd_target *target;
    uint32_t *parent; /* by value: union-find of values that become halves together */
    bool *whole;      /* by root: they do not */
} half_ctx;

static bool
is_vgpr(ir_ref r)
{
    return ir_is_value(r) && r.rc == AMD_V1;
}

/* ---- what belongs together ---- */

static uint32_t
find_root(const half_ctx *c, uint32_t id)
{
    while (c->parent[id] != id)
        id = c->parent[id] = c->parent[c->parent[id]];
    return id;
}

static void
join(half_ctx *c, ir_ref a, ir_ref b)
{
    uint32_t x = find_root(c, a.id), y = find_root(c, b.id);
    c->parent[y] = x;
    c->whole[x] |= c->whole[y];
}

static void
need_whole(half_ctx *c, ir_ref r)
{
    if (is_vgpr(r))
        c->whole[find_root(c, r.id)] = true;
}

static bool
is_half(const half_ctx *c, ir_ref r)
{
    return is_vgpr(r) && !c->whole[find_root(c, r.id)];
}

/* ---- what instructions need ---- */

static bool
has_words(const ir_instr *i)
{
    return i->form || ir_words(i)[0] | ir_words(i)[1] | ir_words(i)[2];
}

static bool
is_constant(ir_ref r, uint32_t value)
{
    return r.kind == IR_REF_CONST && r.id == value;
}

/* Moves 32 bits that are only needed to the 16th. */
static bool
is_plain_move(const ir_instr *i)
{
    return i->op == AMD_V_MOV_B32 && !has_words(i) && i->n_refs == 1;
}

/* The high half of its second reference. */
static bool
is_extraction(const ir_instr *i)
{
    return i->op == AMD_V_LSHRREV_B32 && !has_words(i) && is_constant(i->refs[0], 16) &&
           is_vgpr(i->refs[1]);
}

static bool
is_pack(const ir_instr *i)
{
    return i->op == AMD_V_PERM_B32 && !has_words(i) && is_constant(i->refs[2], LOW_HALVES) &&
           is_vgpr(i->refs[0]) && is_vgpr(i->refs[1]) && i->refs[0].id != i->refs[1].id;
}

/* Moves the low half of its first reference to the high half of the register of its second one. */
static bool
is_pack_in_place(const ir_instr *i)
{
    return i->op == AMD_V_MOV_B16 && !i->form && ir_words(i)[0] == 8u << AMD_MOD_OPSEL &&
           !(ir_words(i)[1] | ir_words(i)[2]) && i->n_refs == 2 && is_vgpr(i->refs[0]) &&
           is_vgpr(i->refs[1]) && i->refs[0].id != i->refs[1].id;
}

static void
visit_copy(half_ctx *c, ir_ref def, ir_ref from)
{
    if (!is_vgpr(def))
        need_whole(c, from);
    else if (is_vgpr(from))
        join(c, def, from);
    else if (ir_is_value(from) && amd_rc_is_vgpr(from.rc))
        need_whole(c, def);
}

static void
visit_operands(half_ctx *c, const ir_instr *i)
{
    bool writes = amd_can_write_half(c->target, i);
    int accumulator = writes ? amd_half_accumulator(i) : -1;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if ((int)r == accumulator)
            visit_copy(c, i->defs[0], i->refs[r]);
        else if (is_vgpr(i->refs[r]) && !amd_can_read_high(c->target, i, r))
            need_whole(c, i->refs[r]);
    }
    for (unsigned d = 0; d < i->n_defs && !writes && !is_extraction(i); d++)
        need_whole(c, i->defs[d]);
}

static void
visit_pseudo(half_ctx *c, const ir_instr *i)
{
    bool phi = i->op == AMD_P_PHI, copy = i->op == AMD_P_PARALLELCOPY;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (phi || copy)
            visit_copy(c, i->defs[copy ? r : 0], i->refs[r]);
        else
            need_whole(c, i->refs[r]);
    }
    for (unsigned d = 0; d < i->n_defs && !phi && !copy; d++)
        need_whole(c, i->defs[d]);
}

static void
visit(half_ctx *c, const ir_instr *i)
{
    if (amd_is_pseudo(i->op)) {
        visit_pseudo(c, i);
    } else if (is_plain_move(i)) {
        visit_copy(c, i->defs[0], i->refs[0]);
    } else if (is_pack_in_place(i)) {
        join(c, i->refs[0], i->refs[1]);
        need_whole(c, i->defs[0]);
    } else {
        visit_operands(c, i);
    }
}

/* ---- making halves ---- */

static ir_instr *
replace(ir_instr *i, unsigned op, unsigned n, const ir_ref *refs)
{
    ir_instr *to = amd_new(i->block->fn, op, 1, n);
    to->defs[0] = i->defs[0];
    to->loc = i->loc;
    for (unsigned r = 0; r < n; r++)
        to->refs[r] = refs[r];
    i->block->fn->values[i->defs[0].id].def = to;
    ir_insert_before(i, to);
    ir_unlink(i);
    return to;
}

/* An instruction that only moves halves becomes a pseudo instruction. */
static ir_instr *
make_move(const half_ctx *c, ir_instr *i)
{
    if (i->n_defs != 1 || amd_is_pseudo(i->op))
        return i;
    bool halves = i->n_refs > 1 && is_half(c, i->refs[0]) && is_half(c, i->refs[1]);
    if (is_half(c, i->defs[0]) && is_plain_move(i))
        return replace(i, AMD_P_PARALLELCOPY, 1, i->refs);
    if (is_half(c, i->defs[0]) && is_extraction(i))
        return replace(i, AMD_P_EXTRACT_VECTOR, 2, (ir_ref[]){i->refs[1], amd_const(1)});
    if (halves && (is_pack(i) || is_pack_in_place(i)))
        return replace(i, AMD_P_CREATE_VECTOR, 2, (ir_ref[]){i->refs[1], i->refs[0]});
    return i;
}

static void
set_classes(const half_ctx *c, ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++)
        i->refs[r].rc = is_half(c, i->refs[r]) ? AMD_V2B : i->refs[r].rc;
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!is_half(c, i->defs[d]))
            continue;
        i->defs[d].rc = AMD_V2B;
        c->f->values[i->defs[d].id].type = AMD_V2B;
    }
}

static bool
writes_halves(const ir_fn *f)
{
    const amd_target *t = amd_prog(f)->target;
    IR_FOREACH_INSTR_OF(i, f) {
        if (amd_can_write_half(t, i))
            return true;
    }
    return false;
}

void
amd_find_halves(ir_fn *f)
{
    half_ctx c = {.f = f, .target = amd_prog(f)->target};
    if (!amd_has(c.target, moves_halves) || !writes_halves(f))
        return;
    arena_mark mark = arena_save(f->ctx->scratch);
    c.parent = ARENA_ARRAY(f->ctx->scratch, f->n_values, uint32_t);
    c.whole = ARENA_ARRAY(f->ctx->scratch, f->n_values, bool);
    for (uint32_t id = 0; id < f->n_values; id++)
        c.parent[id] = id;
    IR_FOREACH_INSTR_OF(i, f)
        visit(&c, i);
    IR_FOREACH_INSTR_OF(i, f)
        set_classes(&c, make_move(&c, i));
    if (amd_has_halves(f))
        f->level = &amd_half_level;
    arena_release(f->ctx->scratch, mark);
}

/* ---- whole registers again ---- */

static bool
is_v2b(ir_ref r)
{
    return ir_is_value(r) && r.rc == AMD_V2B;
}

/* Parts of vectors as this phase makes them. */
static bool
widen_part(ir_instr *i)
{
    ir_ref a = i->n_refs ? i->refs[0] : ir_none(), b = i->n_refs > 1 ? i->refs[1] : ir_none();
    if (i->op == AMD_P_CREATE_VECTOR && i->n_refs == 2 && is_v2b(a) && is_v2b(b))
        replace(i, AMD_V_PERM_B32, 3, (ir_ref[]){b, a, amd_const(LOW_HALVES)});
    else if (i->op == AMD_P_EXTRACT_VECTOR && is_vgpr(a) && is_constant(b, 1))
        replace(i, AMD_V_LSHRREV_B32, 2, (ir_ref[]){amd_const(16), a});
    else
        return false;
    return true;
}

static bool
has_parts(const ir_instr *i)
{
    bool part = false;
    for (unsigned r = 0; r < i->n_refs; r++)
        part |= is_v2b(i->refs[r]);
    for (unsigned d = 0; d < i->n_defs; d++)
        part |= is_v2b(i->defs[d]);
    return part && (i->op == AMD_P_CREATE_VECTOR || i->op == AMD_P_EXTRACT_VECTOR ||
                    i->op == AMD_P_SPLIT_VECTOR);
}

static void
widen_classes(ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++)
        i->refs[r].rc = is_v2b(i->refs[r]) ? AMD_V1 : i->refs[r].rc;
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!is_v2b(i->defs[d]))
            continue;
        i->defs[d].rc = AMD_V1;
        i->block->fn->values[i->defs[d].id].type = AMD_V1;
    }
}

bool
amd_widen_halves(ir_fn *f)
{
    if (f->level != &amd_half_level)
        return false;
    IR_FOREACH_INSTR_OF(i, f) {
        if (has_parts(i) && !widen_part(i))
            diag_fail(f->ctx->diag, ERR_IR_BAD_STATE,
                      "it must spill, but has vectors of half registers");
    }
    IR_FOREACH_INSTR_OF(i, f)
        widen_classes(i);
    f->level = amd_level_of(amd_prog(f)->target);
    return true;
}
