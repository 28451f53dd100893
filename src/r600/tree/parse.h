/* Reading the text of a tree: what parse.c (structure) and parse_nodes.c (the rest) share. */
#ifndef R600_TREE_PARSE_H
#define R600_TREE_PARSE_H

#include "r600/tree/tree.h"

typedef struct tree_parser {
    tree_program *p;
    const char *at; /* in the text, which ends with a zero */
    uint32_t line;
    tree_node **regions; /* by number */
    size_t cap_regions;
    unsigned depth;
    tree_access *access; /* of the node that is read */
} tree_parser;

/* Fails with R600_TREE_TEXT at the line. */
_Noreturn void
r600_parse_want(tree_parser *t, const char *what);

/* Blanks; line ends and comments, too. */
void
r600_parse_skip_blanks(tree_parser *t);
void
r600_parse_skip_lines(tree_parser *t);

/* Reads a word if it is there; one that must be. */
bool
r600_parse_take(tree_parser *t, const char *word);
void
r600_parse_expect(tree_parser *t, const char *word);

/* Numbers, registers, values, operands; a value that is defined. */
uint32_t
r600_parse_number(tree_parser *t);
uint32_t
r600_parse_register(tree_parser *t);
uint32_t
r600_parse_value(tree_parser *t);
uint32_t
r600_parse_new_value(tree_parser *t);
tree_operand
r600_parse_operand(tree_parser *t);

/* An operation and its sources; a node's operation, its elements of an array, the mark behind a
 * group, a pack; a vector, the instructions of a fetch. */
unsigned
r600_parse_op(tree_parser *t);
void
r600_parse_sources(tree_parser *t, tree_slot *s);
void
r600_parse_slot(tree_parser *t, tree_slot *s);
void
r600_parse_elements(tree_parser *t, tree_access *a);
void
r600_parse_group_end(tree_parser *t, tree_node *n);
void
r600_parse_pack(tree_parser *t, tree_node *n);
void
r600_parse_vector(tree_parser *t, tree_node *n);
void
r600_parse_fetch(tree_parser *t, tree_node *n);

#endif
