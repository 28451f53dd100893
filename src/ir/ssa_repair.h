/* SSA repair: inserts phis for variables with several definitions, and removes unneeded phis.
 *
 * A pass that gives a value several names (it spills and reloads it, moves it between registers,
 * gathers it lane by lane, keeps it in a memory that becomes a register) has a variable: blocks
 * define it, others read it, and where definitions meet there must be a phi. Passes differ in what
 * they know and when:
 *
 * - All blocks that define the variable are known before it is needed: an ir_ssa_var places phis at
 *   the dominance frontiers (Cytron, Ferrante, Rosen, Wegman, Zadeck: "Efficiently Computing Static
 *   Single Assignment Form and the Control Dependence Graph", 1991).
 * - Names appear while the pass walks over the blocks in their order, and it keeps those of each
 *   block's end itself: ir_meet gives the name where predecessors meet. At a loop's header the pass
 *   makes a phi, sets its operand on the back edge later, and drops it at the end if it was not
 *   needed (Braun, Buchwald, Hack, Leissa, Mallon, Zwinkau: "Simple and Efficient Construction of
 *   Static Single Assignment Form", 2013).
 *
 * All works on any level, along either list of edges.
 */
#ifndef IR_SSA_REPAIR_H
#define IR_SSA_REPAIR_H

#include "ir/replace.h"

/* ---- phis ---- */

/* A new phi that defines a new value of `type`, with an operand of kind NONE for each of `b`'s
 * predecessors in `list`. It is not in the block yet. */
ir_instr *
ir_new_phi(ir_fn *f, const ir_block *b, unsigned list, ir_type type);

/* The value of a variable at the start of `b` if it is refs[k] at the end of predecessor number k:
 * the reference if all are the same, else the result of a new phi, which goes first in the block.
 * The phi has undefined operands for references of kind NONE; at the HIR level they stay NONE, and
 * the caller makes values for them. */
ir_ref
ir_meet(ir_fn *f, ir_block *b, unsigned list, ir_type type, const ir_ref *refs);

/* ---- phis of one value ---- */

/* Returns the replacement of a phi that merges only itself and `only`, which is of kind NONE if
 * there is no other value. A result of kind NONE keeps the phi. */
typedef ir_ref (*ir_phi_choice)(void *user, const ir_instr *phi, ir_ref only);

/* Removes the phis that merge one value, then those that merge one value as a result, and so on;
 * adds them to the map, which the caller applies. `choose` may be NULL: `only`. Takes time linear
 * in the phis, and in the length of the chains that they form. */
bool
ir_replace_trivial_phis(ir_replacement *m, ir_instr *const *phis, size_t n, ir_phi_choice choose,
                        void *user);

/* ---- a variable ---- */

/* Serves one variable after the other. The blocks where the running one changes, because they
 * define it or because definitions meet there, are by_index[0 .. n-1] after ir_ssa_place. */
typedef struct ir_ssa_var {
    ir_fn *f;
    unsigned list;
    ir_type type;
    const ir_block *first, *end;    /* see ir_ssa_begin */
    ir_ref initial;                 /* the variable before all definitions, or kind NONE */
    ir_block **by_index, **by_tree; /* changes in the order of blocks, and of the dominator tree */
    uint32_t n;

    uint32_t *around; /* by place in by_tree: that of the next one that dominates it + 1, or 0 */
    ir_ref *at_start, *at_end; /* by block where the variable changes */
    uint32_t clock;            /* number of the variable */
    uint32_t *seen, *entered;  /* by block: the last variable that changes there, and the last whose
                                  value at the start is known */
    uint32_t *frontier_end;    /* by block: where its list in `frontier` ends, the next's begins */
    ir_block **frontier;       /* blocks where a block's changes meet other changes */
    ir_instr **open;           /* phis of loop headers, whose operands are not known yet */
    uint32_t n_open;
    ir_ref *refs; /* room for the values at the ends of a block's predecessors */
} ir_ssa_var;

/* Finds the dominance frontiers of `f` along `list`; memory from `a`. Needs dominance. The CFG must
 * not change while the result is used. */
ir_ssa_var
ir_ssa_open(ir_fn *f, unsigned list, arena *a);

/* Begins the next variable. At the start of `first` it is `initial`, which the caller may set,
 * independent of the predecessors (ir_ssa_force_phi carries it around a loop). It must not be read
 * after the start of `end`. NULL: it exists everywhere. */
void
ir_ssa_begin(ir_ssa_var *v, ir_type type, const ir_block *first, const ir_block *end);

/* The block will define the variable: ir_ssa_set_end. */
void
ir_ssa_define(ir_ssa_var *v, ir_block *b);

/* The block, a loop's header, begins with a phi in any case; returns it. */
ir_instr *
ir_ssa_force_phi(ir_ssa_var *v, ir_block *b);

/* Adds the blocks where definitions meet. Then the caller goes through by_index: for each block it
 * reads the value at its start and, if the block defines the variable, sets the value at its end.
 */
void
ir_ssa_place(ir_ssa_var *v);

/* The variable at the start of `b`, which may be any block once all changes before it have been
 * handled. Makes a phi if the block is a change, or `end`, and has none yet. */
ir_ref
ir_ssa_at_start(ir_ssa_var *v, ir_block *b);

void
ir_ssa_set_end(ir_ssa_var *v, const ir_block *b, ir_ref r);

/* Sets the operands of the loop headers' phis, which are open[0 .. n_open-1]; some may turn out to
 * be trivial. */
void
ir_ssa_finish(ir_ssa_var *v);

#endif
