/* HIR to the tree.
 *
 * Each component of a value is an operand of the tree, of 64 bits two. Constants, locked constants
 * and undefined values stay operands, without a node. Booleans are 0 or -1. Numbers of 8 and 16
 * bits are the low bits of a component, whose others are not defined. The list that is open
 * receives the nodes: HIR's control flow is nested as the tree's is (select_program.c). */
#ifndef R600_SELECT_SELECT_H
#define R600_SELECT_SELECT_H

#include "ir/hir.h"
#include "opt/private_parts.h"
#include "r600/r600.h"
#include "r600/tree/tree.h"

typedef struct r600_sel {
    const ir_fn *hir;
    tree_program *p;
    r600_program *program;
    tree_list *list;       /* the open one */
    tree_operand **values; /* by value of HIR */
    uint32_t *uses;        /* by value of HIR: how often it is read */
    tree_operand local_id[3], group_id[3];
    tree_operand (*io)[4]; /* of a stage of graphics: the components of each row of its program */
    tree_operand vertex_id, instance_id;
    tree_operand (*moved)[4][3]; /* of rows that are moved, by component: r600_sel_find_slopes */
    tree_operand moved_w[3];
    tree_operand pixel; /* before Evergreen: 0 of helpers, when it is needed */
    bool needs_pixel;
    uint32_t unacked; /* RATs, a bit each, whose stores may not have reached memory */
    uint32_t loc;
    uint32_t wish;           /* of the next definition: its channel */
    opt_private_parts parts; /* those in registers: the first array */
} r600_sel;

/* The tree of a shader in SSA form, and what the launch must know; `in_memory`: no array is in
 * registers. Fails with TARGET_SELECT for what the back end does not have. */
tree_program *
r600_select_program(const ir_fn *hir, r600_program *program, bool in_memory);

/* ---- inside the room ---- */

_Noreturn void
r600_sel_lacks(const r600_sel *s, const char *what);

/* An operation with a result. Sources that are not there are of kind TREE_NONE. */
tree_operand
r600_sel_op(r600_sel *s, unsigned op, tree_operand a, tree_operand b, tree_operand c);

static inline tree_operand
r600_sel_op1(r600_sel *s, unsigned op, tree_operand a)
{
    return r600_sel_op(s, op, a, (tree_operand){0}, (tree_operand){0});
}

static inline tree_operand
r600_sel_op2(r600_sel *s, unsigned op, tree_operand a, tree_operand b)
{
    return r600_sel_op(s, op, a, b, (tree_operand){0});
}

/* A conversion from or to binary16 by other operations; kind TREE_NONE for other operations. */
tree_operand
r600_sel_expand_half(r600_sel *s, unsigned op, tree_operand x);

/* Makes a definition of a node. */
uint32_t
r600_sel_define(r600_sel *s, tree_node *n);

/* A node of one vector at the end of the list: a fetch or an instruction of control flow. */
tree_vector *
r600_sel_vector(r600_sel *s, tree_kind kind, r600_op op);

/* Waits until stores to these RATs, a bit each, have reached memory, if any may not have. */
void
r600_sel_wait(r600_sel *s, uint32_t rats);

/* Operand `k` of what a reference reads. */
tree_operand
r600_sel_part(r600_sel *s, ir_ref r, unsigned k);

static inline tree_operand
r600_sel_get(r600_sel *s, ir_ref r)
{
    return r600_sel_part(s, r, 0);
}

/* How many operands it has, and how many bits a component. */
unsigned
r600_sel_parts(const r600_sel *s, ir_ref r);
unsigned
r600_sel_bits(const r600_sel *s, ir_ref r);

/* The operands of an instruction's definition, which the caller fills. */
tree_operand *
r600_sel_def(r600_sel *s, const ir_instr *i);

/* Kinds of instructions; return false for others. */
bool
r600_select_alu(r600_sel *s, const ir_instr *i);
bool
r600_select_double(r600_sel *s, const ir_instr *i);
bool
r600_select_memory(r600_sel *s, const ir_instr *i);
bool
r600_select_array(r600_sel *s, const ir_instr *i);
bool
r600_select_scratch(r600_sel *s, const ir_instr *i);
bool
r600_select_shared(r600_sel *s, const ir_instr *i);
bool
r600_select_atomic(r600_sel *s, const ir_instr *i);
bool
r600_select_image(r600_sel *s, const ir_instr *i);
bool
r600_select_subgroup(r600_sel *s, const ir_instr *i);
bool
r600_select_system(r600_sel *s, const ir_instr *i);
bool
r600_select_vertex(r600_sel *s, const ir_instr *i);
bool
r600_select_fragment(r600_sel *s, const ir_instr *i);

/* The binding that a handle names, which gets a number if it has none: a buffer, or what it is used
 * as. */
const r600_bound *
r600_sel_bound(r600_sel *s, ir_ref handle);
r600_bound *
r600_sel_bound_as(r600_sel *s, ir_ref handle, r600_bound_kind kind);

/* An atomic of a RAT at an index of three components. */
void
r600_sel_atomic(r600_sel *s, const ir_instr *i, uint32_t number, const tree_operand index[3]);

/* Component `at`, four to a register, of the registers as they are when the program starts. */
tree_operand
r600_sel_input(r600_sel *s, unsigned at);

/* Finds the parts of private memory, and decides which of them are in registers: with `in_memory`
 * none. */
void
r600_sel_find_arrays(r600_sel *s, bool in_memory);

/* A byte offset in units of 1 << `log` bytes, at most 16. */
tree_operand
r600_sel_units(r600_sel *s, ir_ref offset, unsigned log);
static inline tree_operand
r600_sel_dwords(r600_sel *s, ir_ref offset)
{
    return r600_sel_units(s, offset, 2);
}
/* `a` plus a constant. */
tree_operand
r600_sel_plus(r600_sel *s, tree_operand a, uint32_t n);

/* A fetch: the fields of its instruction. */
typedef struct r600_fetched {
    uint32_t resource, format, num, offset, bytes;
    bool is_signed, has_no_zero;
    unsigned n; /* components */
} r600_fetched;

enum { R600_NUM_NORM, R600_NUM_INT, R600_NUM_SCALED };

void
r600_sel_fetch_as(r600_sel *s, const r600_fetched *e, tree_operand index, tree_operand *out);

/* Fetches `n` dwords, at most 4, from dword `index` of a resource on. */
void
r600_sel_fetch(r600_sel *s, uint32_t resource, tree_operand index, unsigned n, tree_operand *out);

/* Refuses chips that write nothing but colours: those before Evergreen. */
void
r600_sel_check_stores(r600_sel *s);

/* An operation of a RAT, whose operands the caller fills in. */
tree_vector *
r600_sel_rat(r600_sel *s, uint32_t number, uint32_t inst, tree_operand index);

/* The lane's number among all of the waves that a chip can hold. Lanes of a wave are invocations in
 * order. */
tree_operand
r600_sel_lane_place(r600_sel *s);

/* An instruction of LDS at a byte, which stands alone in slot x; the caller fills in what it takes.
 * The result of one that has any, which must be taken next. */
tree_slot *
r600_sel_lds(r600_sel *s, unsigned op, tree_operand address);
tree_operand
r600_sel_lds_result(r600_sel *s);

/* Is `i` a reduction or scan of numbers for which there is no atomic operation in LDS? */
bool
r600_lacks_scan(const ir_fn *f, const ir_instr *i);

/* The invocation's number in its workgroup, and the lane's in its wave. */
tree_operand
r600_sel_local_index(r600_sel *s);
tree_operand
r600_sel_lane(r600_sel *s);

#endif
