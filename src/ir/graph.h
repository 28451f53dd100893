/* A function's blocks as a graph in the language of graphviz (base/dot.h). */
#ifndef IR_GRAPH_H
#define IR_GRAPH_H

#include "base/buf.h"
#include "ir/ir.h"

/* Appends the graph: blocks with their instructions, and the edges of control flow, named by the
 * branch that takes them. Levels with lane masks have two lists of edges: the linear one is drawn
 * as arrows, and what only the logical one has dashed. `flags` are those of ir_print. */
void
ir_print_graph(const ir_fn *f, unsigned flags, base_buf *out);

#endif
