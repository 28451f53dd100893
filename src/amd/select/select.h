/* Instruction selection: declarations that its files share.
 *
 * The input is HIR (after the ABI lowering, with loops, LCSSA and divergence analysed), the output
 * machine IR. Each component of an HIR value becomes one machine reference: 8-, 16- and 32-bit
 * components occupy a whole register (upper bits undefined), 64-bit ones two. In VGPRs, two 16-bit
 * components may share one (select_half.h). Values live in
 *   SGPRs: uniform values, computed by the scalar unit from uniform values or loaded by SMEM;
 *   VGPRs: everything else, including uniform floats where the scalar unit has no floats.
 * A boolean is a lane mask (divergent, or computed by the vector unit; bits of inactive lanes are
 * undefined), or, when uniform and computed by the scalar unit, an s1 of 0 or 1.
 */
#ifndef AMD_SELECT_H
#define AMD_SELECT_H

#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "ir/hir.h"
#include "opt/pair_halves.h"

/* The representation of a HIR value. */
typedef enum sel_rep {
    SEL_NONE, /* not yet selected */
    SEL_SGPR,
    SEL_VGPR,
    SEL_BOOL, /* s1, 0 or 1 */
    SEL_MASK, /* lane mask */
} sel_rep;

/* Flag of a 16-bit component that is in the high half of its register. */
enum { SEL_HIGH = IR_MAKERS_MARK };

static inline bool
sel_is_high(ir_ref r)
{
    return r.kind != IR_REF_CONST && (r.flags & SEL_HIGH);
}

/* The register itself, without regard to a half. */
static inline ir_ref
sel_register(ir_ref r)
{
    if (sel_is_high(r))
        r.flags &= ~SEL_HIGH;
    return r;
}

typedef struct sel_value {
    ir_ref *comps; /* one reference per component */
    ir_ref whole;  /* the vector as one temporary if that exists, otherwise NONE */
    uint8_t rep;   /* sel_rep, decided before selection */
    uint8_t gain;  /* while it is decided: uniform operations on integers that it leads to */
} sel_value;

/* By machine value: an instruction that was made for it, or NULL. */
typedef struct sel_known {
    ir_instr **at;
    size_t cap;
} sel_known;

enum { SEL_COMMON = 8 };

typedef struct sel {
    const ir_fn *hir;
    ir_fn *f;
    amd_program *p;
    ir_block *cur; /* new instructions are appended to it */
    uint32_t loc;
    sel_value *values;       /* by HIR value */
    const uint32_t *uses;    /* of each HIR value */
    uint16_t *used;          /* the used components of each HIR value */
    ir_ref *args;            /* by argument: the temporary of p_startpgm */
    const bool *full;        /* by HIR block: all lanes are active */
    ir_instr *last;          /* emitted last */
    sel_known halves;        /* of two registers: the instruction that splits it */
    sel_known highs;         /* with two 16-bit numbers: the instruction that shifts it right */
    ir_instr *const_address; /* the last p_constaddr, or NULL */
    struct {
        ir_instr *made;
        ir_ref a, b;
    } common[SEL_COMMON]; /* see amd_sel_common; a ring */
    unsigned next_common;
} sel;

/* Fails with TARGET_SELECT: `what` is not supported by selection. */
_Noreturn void
amd_sel_unsupported(sel *s, const char *what);

/* ---- emitting ---- */

/* Emits `op` with a definition of class `rc` (none if 0) and `n` references in the row's order.
 * Scalar instructions that write scc get that definition too. Vector operands are made legal:
 * places that accept only VGPRs, the constant bus, one literal. Returns the definition. */
ir_ref
amd_sel_emit(sel *s, unsigned op, unsigned rc, unsigned n, const ir_ref *refs);
ir_ref
amd_sel_1(sel *s, unsigned op, unsigned rc, ir_ref a);
ir_ref
amd_sel_2(sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b);
ir_ref
amd_sel_3(sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b, ir_ref c);
/* The same with two operands and a VGPR as result, for parts of an operation that its components
 * and those beside it share: one of the last few in this block is used again. The opcode depends on
 * its operands alone. */
ir_ref
amd_sel_common(sel *s, unsigned op, ir_ref a, ir_ref b);

/* a + b or a - b on the vector unit, `b` a VGPR unless `a` is one, with the carry of each lane:
 * `*carry` is the one that comes in, or NONE, and is set to the one that goes out. */
ir_ref
amd_sel_carry(sel *s, bool sub, ir_ref a, ir_ref b, ir_ref *carry);

/* a * b + addend of 64 bits on the vector unit, of factors of 32 bits. */
ir_ref
amd_sel_mad_wide(sel *s, bool sign, ir_ref a, ir_ref b, ir_ref addend);

/* Gives the last vector instruction modifiers (AMD_MOD_*). */
void
amd_sel_modify(sel *s, uint32_t modifiers);

/* stand_in.c: if other opcodes stand in for `op`, which the target lacks, emits them and sets
 * `*out` to their result. */
bool
amd_sel_stand_in(sel *s, unsigned op, unsigned rc, const ir_ref *refs, ir_ref *out);

/* The scc definition of the last emitted instruction. */
ir_ref
amd_sel_scc(sel *s);

/* A parallel copy into a new temporary of class `rc` (same size). */
ir_ref
amd_sel_copy(sel *s, unsigned rc, ir_ref a);

/* The value in VGPRs; the value in SGPRs, using p_as_uniform if it is in VGPRs. */
ir_ref
amd_sel_as_vgpr(sel *s, ir_ref a);
ir_ref
amd_sel_as_sgpr(sel *s, ir_ref a);

/* Joins `n` references to a vector, in SGPRs if `sgpr`; splits a vector into `n` equal parts. */
ir_ref
amd_sel_join(sel *s, bool sgpr, unsigned n, const ir_ref *parts);
void
amd_sel_split(sel *s, ir_ref whole, unsigned n, ir_ref *parts);
/* The entry of value `id`. */
ir_instr **
amd_sel_known(sel *s, sel_known *known, uint32_t id);
/* Can an instruction stand directly behind the definition of `r`, where it serves all uses? Inserts
 * one there. */
bool
amd_sel_dominates_all(const sel *s, ir_ref r);
void
amd_sel_insert_behind(sel *s, ir_ref r, ir_instr *i);
/* Dword `i` of a 64-bit reference or constant. */
ir_ref
amd_sel_half(sel *s, ir_ref a, unsigned i);

static inline bool
sel_is_vgpr(ir_ref r)
{
    return r.kind == IR_REF_VALUE && amd_rc_is_vgpr(r.rc);
}

static inline unsigned
sel_regs(ir_ref r)
{
    return amd_rc_regs(r.rc);
}

/* ---- HIR values ---- */

static inline sel_rep
sel_rep_of(const sel *s, ir_ref r)
{
    return (sel_rep)s->values[r.id].rep;
}

/* The component that `r` reads, as a constant, SGPR or VGPR; only for numbers, not booleans. */
ir_ref
amd_sel_get(sel *s, ir_ref r);
/* Component `c` of the value that `r` refers to. */
ir_ref
amd_sel_get_comp(sel *s, ir_ref r, unsigned c);
/* All components joined, as VGPRs or SGPRs. */
ir_ref
amd_sel_get_vector(sel *s, ir_ref r, bool sgpr);
/* A boolean as a lane mask; as scc (a fixed reference, to be used at once). */
ir_ref
amd_sel_get_mask(sel *s, ir_ref r);
ir_ref
amd_sel_get_scc(sel *s, ir_ref r);
/* A uniform boolean as an s1 of 0 or 1, or a constant. */
ir_ref
amd_sel_get_bit(sel *s, ir_ref r);

/* Is the boolean `i` used only by the if that ends its block, without operands of phis computed in
 * between? Then it can stay in scc. */
bool
amd_sel_feeds_only_its_branch(const sel *s, const ir_instr *i);

/* Sets the only component, or all components, of the HIR definition of `i`. A reference of the
 * wrong kind is copied to the kind that the value's representation requires. */
void
amd_sel_set(sel *s, const ir_instr *i, ir_ref value);
void
amd_sel_set_comps(sel *s, const ir_instr *i, const ir_ref *comps);
/* Sets the components from one temporary that holds all of them, each of the HIR size rounded up to
 * dwords. */
void
amd_sel_set_vector(sel *s, const ir_instr *i, ir_ref whole);
/* Sets a boolean from a lane mask; from scc. */
void
amd_sel_set_mask(sel *s, const ir_instr *i, ir_ref mask);
void
amd_sel_set_scc(sel *s, const ir_instr *i, ir_ref scc);
/* Sets a boolean that is represented as s1 (SEL_BOOL) from 0 or 1. */
void
amd_sel_set_bit(sel *s, const ir_instr *i, ir_ref bit);

static inline bool
sel_wants_vgpr(const sel *s, const ir_instr *i)
{
    return s->values[i->defs[0].id].rep == SEL_VGPR;
}

static inline unsigned
sel_bits(const sel *s, ir_ref r)
{
    return ir_type_bits(s->hir->values[r.id].type);
}

/* Lane mask instructions: the 32- or 64-bit form of a scalar opcode, by the wave size. */
#define SEL_LM(s, name) ((s)->p->wave_size == 64 ? AMD_##name##_B64 : AMD_##name##_B32)

/* Are all lanes active at `i`? */
static inline bool
sel_is_full(const sel *s, const ir_instr *i)
{
    return s->full[i->block->index];
}

/* Does the target have the opcode? */
static inline bool
sel_has(const sel *s, unsigned op)
{
    return amd_op_exists((amd_op)op, s->p->target->gen);
}

/* The wave's exec mask as an operand. */
static inline ir_ref
sel_exec(const sel *s)
{
    return amd_phys(AMD_EXEC, s->p->lane_mask);
}

/* ---- the files of selection ---- */

/* select_rep.c: decides the representation of each value. */
void
amd_sel_decide_reps(sel *s);
/* select_alu.c. amd_sel_alu selects `i`; the others tell whether the scalar unit can compute, or
 * compare, with sources of `bits` bits. */
void
amd_sel_alu(sel *s, const ir_instr *i);
bool
amd_sel_alu_is_scalar(const sel *s, unsigned op, unsigned bits);
bool
amd_sel_cmp_is_scalar(const sel *s, unsigned op, unsigned bits);
/* select_scalar.c: the same for an operation on floats, or a conversion from or to one. */
bool
amd_sel_float_is_scalar(const sel *s, const ir_instr *i);
/* select_memory.c, select_image.c, select_subgroup.c, select_graphics.c: return false if they do
 * not handle the opcode. */
bool
amd_sel_memory(sel *s, const ir_instr *i);
bool
amd_sel_image(sel *s, const ir_instr *i);
bool
amd_sel_subgroup(sel *s, const ir_instr *i);
bool
amd_sel_graphics(sel *s, const ir_instr *i);
bool
amd_sel_fragment(sel *s, const ir_instr *i);
/* v_mov_b32 with a DPP control, or a swizzle where there is none: 0 to 0xff permutes quads. */
ir_ref
amd_sel_quad_permute(sel *s, ir_ref v, unsigned control);

/* Lanes of one parity, 0 or 1, keep `own`, the others take `other` of their neighbour; gfx11 on. */
ir_ref
amd_sel_pair_lanes(sel *s, unsigned parity, ir_ref own, ir_ref other);

/* select_pair.c: what packed instructions there are (opt/pair_halves.h). */
opt_pair_kind
amd_sel_pair_rule(const ir_fn *f, const ir_instr *i);

/* select_program.c: makes the machine IR of an HIR function. */
ir_fn *
amd_select_program(ir_fn *hir, amd_program *p);

#endif
