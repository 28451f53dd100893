/* Pseudo instructions become hardware instructions. */
#include "adreno/post/lower.h"
#include "adreno/target/alias.h"

ir_ref
adreno_place(unsigned reg, unsigned bytes)
{
    const unsigned rc = reg >= ADRENO_REG_PREDICATE ? ADRENO_P1
                        : bytes == 2                ? ADRENO_H1
                                                    : ADRENO_F1;
    return ir_pack_ref(IR_REF_NONE, 0, reg, rc, IR_ASSIGNED);
}

static void
put(const adreno_lowering *l, ir_instr *i)
{
    i->loc = l->loc;
    if (l->end)
        ir_append(l->end, i);
    else
        ir_insert_before(l->at, i);
}

ir_instr *
adreno_add_instr(adreno_lowering *l, unsigned op, unsigned n_defs, unsigned n_refs)
{
    ir_instr *i = ir_new_instr(l->f, op, n_defs, n_refs);
    put(l, i);
    return i;
}

ir_instr *
adreno_add_op(adreno_lowering *l, unsigned op, ir_ref def, ir_ref a, ir_ref b)
{
    ir_instr *i = adreno_add_instr(l, op, 1, 2);
    i->defs[0] = def;
    i->refs[0] = a;
    i->refs[1] = b;
    return i;
}

ir_instr *
adreno_add_typed(adreno_lowering *l, unsigned stype, unsigned dtype, ir_ref def, ir_ref ref)
{
    ir_instr *i = adreno_new_move(l->f, ref, stype, dtype);
    i->defs[0] = def;
    put(l, i);
    return i;
}

void
adreno_add_move(adreno_lowering *l, ir_ref def, ir_ref ref)
{
    const bool to = adreno_is_half_class(def.rc);
    const bool from = ref.kind == IR_REF_CONST ? to : adreno_is_half_class(ref.rc);
    adreno_add_typed(l, from ? ADRENO_U16 : ADRENO_U32, to ? ADRENO_U16 : ADRENO_U32, def, ref);
}

/* swz moves both at once; without it, as for shared registers, three differences do. */
static void
add_swap(adreno_lowering *l, ir_ref a, ir_ref b)
{
    const ir_ref to[3] = {a, b, a};
    const bool has_swz = adreno_prog(l->f)->target->swaps && a.reg < ADRENO_REG_SHARED;
    for (unsigned k = 0; k < 3 && !has_swz; k++)
        adreno_add_op(l, ADRENO_XOR_B, to[k], a, b);
    if (!has_swz)
        return;
    const unsigned type = adreno_is_half_class(a.rc) ? ADRENO_U16 : ADRENO_U32;
    ir_instr *i = adreno_add_instr(l, ADRENO_SWZ, 2, 2);
    i->defs[0] = i->refs[1] = a;
    i->defs[1] = i->refs[0] = b;
    adreno_set(i, 0, ADRENO_M_STYPE, type);
    adreno_set(i, 0, ADRENO_M_DTYPE, type);
}

/* ---- copies ---- */

/* Where half registers are a file of their own, their copies have these places, apart from those of
 * whole registers. */
enum { HALF_FILE = 4096 };

static void
add_part(void *user, const cg_part *p)
{
    adreno_lowering *l = user;
    const bool merged = adreno_prog(l->f)->target->merged, half = adreno_is_half_class(p->src.rc);
    const uint8_t each = half ? 2 : 4;
    const unsigned file = half && !merged ? HALF_FILE : 0;
    const cg_copy copy = {p->dst + file, p->src.reg + p->offset + file, p->size};
    if (adreno_has_register(p->src))
        cg_add_copy(l->seq, copy, merged ? (cg_granularity){4, 2} : (cg_granularity){each, each});
}

static cg_step
without_file(cg_step s)
{
    const uint16_t file = s.dst >= HALF_FILE ? HALF_FILE : 0;
    s.dst = (uint16_t)(s.dst - file);
    s.src = (uint16_t)(s.src - file);
    return s;
}

/* Numbers are written when all registers have been read. */
static void
add_number(void *user, const cg_part *p)
{
    if (p->src.kind == IR_REF_CONST)
        adreno_add_move(user, adreno_place(p->dst, p->size), p->src);
}

/* Halves behind r23.w have no names: their register changes places with one whose halves have, for
 * the time of the step (as in ir3_lower_parallelcopy.c of Mesa). */
static void
add_step(adreno_lowering *l, cg_step s)
{
    enum { NAMED = 2 * ADRENO_HALF_UNITS, WHOLE = 4 };
    const unsigned far = s.dst >= NAMED ? s.dst : s.src, other = far == s.dst ? s.src : s.dst;
    const ir_ref to = adreno_place(s.dst, s.size), from = adreno_place(s.src, s.size);
    if (s.size < WHOLE && far >= NAMED) {
        const unsigned high = far / WHOLE * WHOLE, near = other < WHOLE ? WHOLE : 0;
        add_swap(l, adreno_place(near, WHOLE), adreno_place(high, WHOLE));
        s.dst = (uint16_t)(s.dst / WHOLE * WHOLE == high ? near + s.dst % WHOLE : s.dst);
        s.src = (uint16_t)(s.src / WHOLE * WHOLE == high ? near + s.src % WHOLE : s.src);
        add_step(l, s);
        add_swap(l, adreno_place(near, WHOLE), adreno_place(high, WHOLE));
    } else if (s.swap) {
        add_swap(l, to, from);
    } else {
        adreno_add_move(l, to, from);
    }
}

static void
lower_copy(adreno_lowering *l, const ir_instr *i)
{
    unsigned n;
    cg_each_part(i, add_part, l);
    const cg_step *steps = cg_sequence(l->seq, &n);
    for (unsigned k = 0; k < n; k++)
        add_step(l, without_file(steps[k]));
    cg_each_part(i, add_number, l);
}

/* ---- spilling ---- */

static ir_ref
slot_register(void)
{
    return adreno_place(ADRENO_REG_SHARED - 4, 4);
}

/* Registers in a row go four at a time. */
static void
lower_spill(adreno_lowering *l, const ir_instr *i)
{
    const bool stores = i->op == ADRENO_P_SPILL;
    const ir_ref whole = stores ? i->refs[0] : i->defs[0];
    const bool half = adreno_is_half_class(whole.rc);
    const unsigned n = adreno_row(whole.rc), bytes = half ? 2 : 4;
    for (unsigned k = 0; k < n; k += 4) {
        const unsigned count = n - k < 4 ? n - k : 4;
        const ir_ref part = ir_pack_ref(IR_REF_NONE, 0, whole.reg + k * bytes,
                                        adreno_class(half, count), IR_ASSIGNED);
        ir_instr *m = adreno_add_instr(l, stores ? ADRENO_STP : ADRENO_LDP, !stores, 1 + stores);
        m->refs[0] = slot_register();
        *(stores ? &m->refs[1] : &m->defs[0]) = part;
        ir_words(m)[1] = ir_words(i)[1] + k * bytes;
        adreno_set(m, 2, ADRENO_W_ELEMS, count - 1);
        adreno_set(m, 0, ADRENO_M_TYPE, half ? ADRENO_U16 : ADRENO_U32);
    }
}

static void
start_slots(adreno_lowering *l)
{
    const adreno_program *p = adreno_prog(l->f);
    l->at = l->f->blocks[0]->first;
    l->loc = l->at->loc;
    if (p->spill_base)
        adreno_add_move(l, slot_register(), adreno_number(p->spill_base - 1, false));
}

/* Two instructions make a fine derivative, of which the second one ends it. */
static void
lower_fine(adreno_lowering *l, const ir_instr *i)
{
    for (unsigned k = 0; k < 2; k++) {
        ir_instr *d = adreno_add_instr(
            l, i->op == ADRENO_P_DSX_FINE ? ADRENO_DSXPP_1 : ADRENO_DSYPP_1, 1, 1);
        d->defs[0] = i->defs[0];
        d->refs[0] = i->refs[0];
        ir_words(d)[0] = ir_words(i)[0];
        ir_words(d)[2] = ir_words(i)[2];
        adreno_set(d, 2, ADRENO_W_P, k);
    }
}

/* The value of a1.x, a texture instruction's last reference, gets there as early in the block as
 * another reader's value allows, or is there. */
static void
lower_a1(adreno_lowering *l, ir_instr *i)
{
    const unsigned n = i->n_refs - 1u;
    const ir_ref value = i->refs[n];
    const bool follows = l->a1_reader && l->a1_reader->block == i->block;
    if (!follows || l->a1 != value.id) {
        l->at = follows ? l->a1_reader->next : i->block->first;
        l->loc = l->at->loc;
        ir_instr *mova = adreno_add_instr(l, ADRENO_MOVA1, 0, 1);
        mova->refs[0] = value;
        adreno_set(mova, 0, ADRENO_M_STYPE, ADRENO_U16);
    }
    l->a1 = value.id;
    l->a1_reader = adreno_replace_texture(l->f, i, n);
    memcpy(l->a1_reader->refs, i->refs, n * sizeof *i->refs);
}

static void
lower(adreno_lowering *l, ir_instr *i)
{
    switch (i->op) {
    case ADRENO_P_PREFETCH: return; /* no instruction, but what waits for its result must know it */
    case ADRENO_P_START: break;
    case ADRENO_P_PARALLELCOPY:
    case ADRENO_P_CREATE_VECTOR:
    case ADRENO_P_SPLIT_VECTOR:
    case ADRENO_P_EXTRACT_VECTOR: lower_copy(l, i); break;
    case ADRENO_P_CONST_AT: adreno_lower_const_at(l, i); break;
    case ADRENO_P_ARRAY_READ:
    case ADRENO_P_ARRAY_WRITE: adreno_lower_array(l, i); break;
    case ADRENO_P_SPILL:
    case ADRENO_P_RELOAD: lower_spill(l, i); break;
    case ADRENO_P_DSX_FINE:
    case ADRENO_P_DSY_FINE: lower_fine(l, i); break;
    default:
        if (!adreno_lower_lanes(l, i))
            return;
    }
    ir_unlink(i);
}

void
adreno_lower_pseudo(ir_fn *f)
{
    adreno_lowering l = {.f = f, .seq = cg_sequencer_new(f->arena)};
    if (adreno_prog(f)->array_words)
        adreno_place_arrays(&l);
    start_slots(&l);
    for (size_t k = 0; k < f->n_blocks; k++) {
        IR_FOREACH_INSTR(i, f->blocks[k]) {
            l.at = i;
            l.end = NULL;
            l.loc = i->loc;
            if (adreno_is_pseudo(i->op))
                lower(&l, i);
            else if (adreno_reads_a1(i))
                lower_a1(&l, i);
        }
    }
}
