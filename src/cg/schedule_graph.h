/* The dependency graph of consecutive instructions of a block, for schedulers.
 *
 * Nodes are the instructions in their order; an edge gives the number of cycles by which one must
 * precede another. A scheduler starts in one direction, takes instructions from the ready list, and
 * places each at a cycle of its choice. The graph tells which instructions become ready, their
 * earliest cycles, and how placing one changes the register demand. The scheduler's latencies
 * define a cycle: a clock of a machine that stalls, a slot where nops are needed, or a group of a
 * VLIW machine, in which latency 0 allows both ends (a register is read before it is written).
 *
 * The instructions must not be in bundles (ir/bundle.h), because those of a bundle read before any
 * of them writes, and the graph takes one after the other (cg_graph_build asserts it). A scheduler
 * comes first, and makes bundles of the instructions that it places in one cycle.
 *
 *     cg_graph *g = cg_graph_new(f, latency, user, a);
 *     cg_graph_build(g, ir_first_non_phi(b), NULL);
 *     cg_graph_start(g, CG_FORWARDS);
 *     while (g->n_ready)
 *         cg_graph_place(g, choose(g), cycle);
 *     cg_graph_apply(g);
 */
#ifndef CG_SCHEDULE_GRAPH_H
#define CG_SCHEDULE_GRAPH_H

#include "cg/live.h"

#define CG_PLACED UINT32_MAX /* cg_node.heap */

/* Why `to` comes after `from`. */
typedef enum cg_dep_kind {
    CG_DEP_VALUE,  /* it reads what `from` defines */
    CG_DEP_READ,   /* it writes a register, or a pinned value, that `from` reads */
    CG_DEP_WRITE,  /* it writes a register that `from` writes */
    CG_DEP_MEMORY, /* accesses to memory that may be the same, and changes of the active lanes */
    CG_DEP_ORDER,  /* one of them must not move */
} cg_dep_kind;

/* Cycles from `from` to the earliest cycle of `to`. `ref` is the reference of `to` that reads the
 * result (CG_DEP_VALUE), else 0. */
typedef unsigned
cg_latency(const void *user, const ir_instr *from, const ir_instr *to, cg_dep_kind kind,
           unsigned ref);

/* An edge, at the node on its other end. There is one between two nodes, of the longest latency. */
typedef struct cg_dep {
    uint32_t node;
    uint16_t latency;
    uint8_t kind; /* cg_dep_kind */
} cg_dep;

typedef struct cg_node {
    ir_instr *instr;
    uint32_t preds, succs;  /* the first in the graph's arrays; the next node's follow the last */
    uint32_t depth, height; /* cycles: longest path from the first instruction, to the last one */
    uint32_t waits;         /* number of nodes that must be placed first and are not yet */
    uint32_t cycle;         /* not before this one; counted from the end if backwards */
    uint32_t heap;          /* position in `ready`; CG_PLACED */
} cg_node;

typedef enum cg_direction { CG_FORWARDS, CG_BACKWARDS } cg_direction;

/* The demand at an instruction if it is placed next, and the change of the demand after it (in the
 * direction of scheduling). */
typedef struct cg_placing {
    cg_demand most, change;
} cg_placing;

typedef struct cg_graph {
    ir_fn *f;
    ir_block *block;
    cg_node *nodes; /* n_nodes, and one more for the edges' end */
    uint32_t n_nodes;
    uint32_t first_index; /* node n is the instruction with ir_instr.index first_index + n */
    cg_dep *preds, *succs;
    /* A heap of the nodes that may be placed: ready[0] has the longest remaining path; among equal
     * ones it is the first in the original order. */
    uint32_t *ready;
    uint32_t n_ready;
    uint32_t *order; /* placed nodes, in the direction of scheduling */
    uint32_t n_placed;
    cg_direction direction;
    cg_demand demand; /* live at this point; on SSA with liveness only */
    struct cg_graph_tables *tables;
} cg_graph;

/* Room for the graphs of `f`, one after the other, in `a`; `f` gets no new values meanwhile.
 * `latency` may be NULL: 1 for values, 0 for the rest. */
cg_graph *
cg_graph_new(ir_fn *f, cg_latency *latency, const void *user, arena *a);

/* Makes the graph of the instructions from `first`, which must not be a phi, to before `end` (NULL:
 * the block's end). If liveness is valid, demand is tracked. The time is linear in the block, its
 * live set, and the edges, of which an operand makes at most two. */
void
cg_graph_build(cg_graph *g, ir_instr *first, ir_instr *end);

/* Begins a schedule; nothing is placed. */
void
cg_graph_start(cg_graph *g, cg_direction d);

/* Places a ready node. Returns the demand at the instruction, if demand is tracked. */
cg_demand
cg_graph_place(cg_graph *g, uint32_t node, uint32_t cycle);

/* What is live before `node` in the original order, if demand is tracked. */
cg_demand
cg_graph_before(const cg_graph *g, uint32_t node);

/* The effect of placing `node` next. */
cg_placing
cg_graph_try(cg_graph *g, uint32_t node);

/* Puts the instructions in the order in which they were placed; all must be. Liveness stays valid:
 * numbers, kill flags and demand are those that cg_find_live would find; only the program's largest
 * demand may now be too large. */
void
cg_graph_apply(cg_graph *g);

/* The register units of `r`, from `first` on: 0 if it is in none, or in none yet. */
static inline unsigned
cg_graph_units(const ir_fn *f, ir_ref r, unsigned *first)
{
    const ir_machine *m = f->level->machine;
    bool has = (f->allocated || (r.flags & IR_FIXED)) && r.reg != IR_REG_NONE &&
               r.reg != m->null_reg && r.kind != IR_REF_CONST;
    *first = r.reg >> m->unit_shift;
    if (!has || *first >= m->n_units)
        return 0;
    unsigned bytes = m->classes[r.rc].bytes;
    unsigned last = (r.reg + (bytes ? bytes : 1) - 1u) >> m->unit_shift;
    last = last < m->n_units ? last : m->n_units - 1u;
    return last - *first + 1;
}

/* ---- shared by the graph's files ---- */

typedef struct cg_reader {
    uint32_t node, next; /* next: index + 1, or 0 */
} cg_reader;

/* What a value takes of its bank. */
typedef struct cg_weight {
    bool known;
    uint8_t bank, units;
} cg_weight;

typedef struct cg_graph_tables {
    arena *a;
    cg_latency *latency;
    const void *user;
    size_t cap_nodes, cap_preds, cap_succs, cap_ready, cap_order, cap_slots, cap_readers;
    uint32_t n_preds;
    uint32_t *slots; /* by node: its edge to the running node + 1, if among that one's */
    /* By register unit, then the active lanes, then classes of memory: the last writer + 1, the
     * readers since, both of those in use; and these, as a list and as a set. */
    uint32_t *writer, *reader, *touched;
    uint32_t n_touched;
    uint64_t *known;
    uint32_t *pinned; /* by pinned value: its readers */
    cg_reader *readers;
    uint32_t n_readers;
    uint32_t fence,
        behind_fence; /* node + 1, or 0; the first node that the next fence comes after */
    /* Pressure, by value. Forwards: instructions that use it and are not placed, and the end if it
     * lives there; backwards: 1 if it is live. `end`: it lives at the end. */
    uint32_t *left, *seen;
    uint8_t *end;
    cg_weight *weights; /* by value */
    /* By node: what is live before it in the original order; the demand where it is placed. */
    cg_demand *before, *most;
    size_t cap_before, cap_most;
    uint32_t *values; /* values that the graph's instructions use or define */
    size_t n_values, cap_values;
    uint32_t time; /* of `seen` */
    /* The node that cg_graph_try was asked for last + 1, and its answer; 0: none that holds. */
    uint32_t tried;
    cg_placing placing;
    bool tracks;
    cg_demand begin_demand, end_demand, out_demand; /* of the row; at the block's end */
} cg_graph_tables;

/* The definition of value `id`. */
static inline ir_ref
cg_graph_definition(const ir_fn *f, uint32_t id)
{
    const ir_instr *def = f->values[id].def;
    for (unsigned d = 0; def && d < def->n_defs; d++) {
        if (ir_is_value(def->defs[d]) && def->defs[d].id == id)
            return def->defs[d];
    }
    return ir_none();
}

void
cg_pressure_build(cg_graph *g, ir_instr *end);
void
cg_pressure_start(cg_graph *g);
cg_demand
cg_pressure_place(cg_graph *g, uint32_t node);
void
cg_pressure_apply(cg_graph *g);

#endif
