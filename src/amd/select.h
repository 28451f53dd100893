/* Instruction selection: what its files share.
 *
 * HIR comes in (after the ABI lowering, with loops, LCSSA and divergence analysed), machine IR goes
 * out. Each HIR value becomes one machine reference a component: 8-, 16- and 32-bit components take
 * a whole register (upper bits undefined), 64-bit ones two. Where it lives:
 *   SGPRs: uniform, and computed by integer operations on uniform values or loaded by SMEM;
 *   VGPRs: everything else, also uniform floats: the scalar unit of gfx10 has no float operations.
 * A boolean is a lane mask (divergent, or computed by the vector unit; bits of inactive lanes are
 * undefined), or, when uniform and computed by the scalar unit, an s1 of 0 or 1.
 */
#ifndef AMD_SELECT_H
#define AMD_SELECT_H

#include "amd/amd.h"
#include "amd/isa/table.h"
#include "ir/hir.h"

/* How a HIR value is held. */
typedef enum sel_rep {
    SEL_NONE, /* not yet selected */
    SEL_SGPR,
    SEL_VGPR,
    SEL_BOOL, /* s1, 0 or 1 */
    SEL_MASK, /* lane mask */
} sel_rep;

typedef struct sel_value {
    ir_ref *comps; /* one reference a component */
    ir_ref whole;  /* the vector as one temporary where it exists as such, else NONE */
    uint8_t rep;   /* sel_rep, decided before selection */
} sel_value;

typedef struct sel {
    const ir_fn *hir;
    ir_fn *f;
    amd_program *p;
    ir_block *cur; /* instructions go to its end */
    uint32_t loc;
    sel_value *values;    /* by HIR value */
    const uint32_t *uses; /* of each HIR value */
    uint16_t *used;       /* the components of each HIR value that something uses */
    ir_ref *args;         /* by argument: the temporary of p_startpgm */
    const bool *full;     /* by HIR block: all lanes are active */
    ir_instr *last;       /* emitted last */
    ir_instr **halves;    /* by machine value of two registers: what takes it apart, or NULL */
    size_t cap_halves;
    ir_instr *const_address; /* the last p_constaddr, or NULL */
} sel;

/* Fails with AMD_SELECT: `what` cannot be selected yet. */
_Noreturn void
sel_unsupported(sel *s, const char *what);

/* ---- emitting ---- */

/* Emits `op` with a definition of class `rc` (none if 0) and `n` references in the row's order.
 * Scalar instructions that write scc get their definition of it. Vector operands are made legal:
 * VGPR-only places, the constant bus, one literal. Returns the definition. */
ir_ref
sel_emit(sel *s, unsigned op, unsigned rc, unsigned n, const ir_ref *refs);
ir_ref
sel_1(sel *s, unsigned op, unsigned rc, ir_ref a);
ir_ref
sel_2(sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b);
ir_ref
sel_3(sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b, ir_ref c);

/* The definition of scc by the instruction emitted last. */
ir_ref
sel_scc(sel *s);

/* A parallel copy into a new temporary of class `rc` (same size). */
ir_ref
sel_copy(sel *s, unsigned rc, ir_ref a);

/* The value as a VGPR (or VGPRs); as SGPRs, with p_as_uniform where it lies in VGPRs. */
ir_ref
sel_as_vgpr(sel *s, ir_ref a);
ir_ref
sel_as_sgpr(sel *s, ir_ref a);

/* Vectors of `n` references joined, SGPRs if `sgpr`; and taken apart into `n` equal parts. */
ir_ref
sel_join(sel *s, bool sgpr, unsigned n, const ir_ref *parts);
void
sel_split(sel *s, ir_ref whole, unsigned n, ir_ref *parts);
/* Dword `i` of a 64-bit reference, constants included. */
ir_ref
sel_half(sel *s, ir_ref a, unsigned i);

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

/* The component that `r` reads, as constant, SGPR or VGPR; numbers only, not booleans. */
ir_ref
sel_get(sel *s, ir_ref r);
/* Component `c` of the value behind `r`. */
ir_ref
sel_get_comp(sel *s, ir_ref r, unsigned c);
/* All components joined, as VGPRs or SGPRs. */
ir_ref
sel_get_vector(sel *s, ir_ref r, bool sgpr);
/* A boolean as lane mask; as scc (a fixed reference, to be used at once). */
ir_ref
sel_get_mask(sel *s, ir_ref r);
ir_ref
sel_get_scc(sel *s, ir_ref r);
/* A uniform boolean as an s1 of 0 or 1, or such a constant. */
ir_ref
sel_get_bit(sel *s, ir_ref r);

/* Is the boolean `i` used by the if behind it and nothing else, with no phi's operand computed
 * between? Then it can stay in scc. */
bool
sel_feeds_only_its_branch(const sel *s, const ir_instr *i);

/* Records the (only, or all) components of HIR definition `d` of `i`. A reference of the wrong kind
 * is copied into the one that the value's representation wants. */
void
sel_set(sel *s, const ir_instr *i, ir_ref value);
void
sel_set_comps(sel *s, const ir_instr *i, const ir_ref *comps);
/* From one temporary that holds all components, each of the HIR size rounded up to dwords. */
void
sel_set_vector(sel *s, const ir_instr *i, ir_ref whole);
/* A boolean: from a lane mask, or from scc. */
void
sel_set_mask(sel *s, const ir_instr *i, ir_ref mask);
void
sel_set_scc(sel *s, const ir_instr *i, ir_ref scc);
/* A boolean that is held as s1 (SEL_BOOL), from 0 or 1. */
void
sel_set_bit(sel *s, const ir_instr *i, ir_ref bit);

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

/* Lane mask instructions: the 32- or 64-bit form of a scalar opcode by the wave size. */
#define SEL_LM(s, name) ((s)->p->wave_size == 64 ? AMD_##name##_B64 : AMD_##name##_B32)

/* Are all lanes active where `i` stands? */
static inline bool
sel_is_full(const sel *s, const ir_instr *i)
{
    return s->full[i->block->index];
}

/* The wave's exec mask as an operand. */
static inline ir_ref
sel_exec(const sel *s)
{
    return amd_phys(AMD_EXEC, s->p->lane_mask);
}

/* ---- the files of selection ---- */

/* select_rep.c: decides where each value lives. */
void
sel_decide_reps(sel *s);
/* select_alu.c: selects; and says whether the scalar unit can compute, or compare, on sources of
 * `bits` bits. */
void
sel_alu(sel *s, const ir_instr *i);
bool
sel_alu_is_scalar(unsigned op, unsigned bits);
bool
sel_cmp_is_scalar(unsigned op, unsigned bits);
/* select_memory.c, select_image.c, select_subgroup.c: false if the opcode is not theirs. */
bool
sel_memory(sel *s, const ir_instr *i);
bool
sel_image(sel *s, const ir_instr *i);
bool
sel_subgroup(sel *s, const ir_instr *i);

/* select_program.c: machine IR of an HIR function. */
ir_fn *
amd_select_program(ir_fn *hir, amd_program *p);

#endif
