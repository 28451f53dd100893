/* Bytecode to the tree. */
#ifndef R600_READ_READ_H
#define R600_READ_READ_H

#include "r600/tree/tree.h"

/* Registers of the tree behind the machine's: what a comparison says of the lanes, the predicate
 * of a clause, and its address register with four components. */
enum { READ_EXEC = TREE_REGISTERS, READ_PRED, READ_AR, READ_REGISTERS = TREE_ALL_REGISTERS };

/* A program's bytecode. Which registers are arrays cannot be seen in it: `arrays` says it, as in
 * "R5-R8.xy,R10-R13" (all components). NULL: there are none. */
typedef struct read_code {
    const uint8_t *bytes;
    size_t size;
    const char *arrays;
} read_code;

/* Reads a program before renaming. Fails with R600_BAD_CODE or R600_NOT_IN_TREE. */
tree_program *
r600_read_tree(diag *d, arena *a, const r600_chip *chip, const read_code *code);

/* ---- inside ---- */

/* A push or a loop that is open. */
typedef struct read_frame {
    bool is_loop, has_else, was_dead;
    tree_node *region; /* a loop's; a push's from its first comparison on */
    tree_list *outer;
    uint32_t start;          /* of a loop: its first instruction */
    uint32_t end;            /* of a loop: where breaks go; 0: none has said it */
    uint32_t behind;         /* of a loop: where its start goes if no lane is active */
    uint32_t jump[4];        /* where idle waves go */
    uint8_t pops[4], n_jump; /* and what they pop */
} read_frame;

typedef struct reader {
    tree_program *p;
    const uint8_t *bytes;
    uint32_t n; /* dwords */
    uint32_t pc;
    r600_inst cf, ext;
    bool has_ext;
    tree_list *list;
    tree_list dead_end;
    bool is_dead; /* `list` is never executed */
    read_frame frames[TREE_MAX_DEPTH];
    uint32_t depth;
} reader;

/* Fails: the tree has no `what`. */
_Noreturn void
r600_read_lacks(reader *r, const char *what);
_Noreturn void
r600_read_bad(reader *r, const char *what);

/* Makes the program's arrays of a statement. */
void
r600_read_arrays(reader *r, const char *text);

/* The array with the register's component, one of four; fails if there is none. */
unsigned
r600_read_find_array(reader *r, uint32_t reg);

/* The words at a dword; fails outside the program. */
void
r600_read_words(reader *r, uint32_t at, unsigned n, uint32_t *words);

/* The clause that r->cf names. */
void
r600_read_alu_clause(reader *r);
void
r600_read_fetch_clause(reader *r);

/* Exports, stores and others that transfer data. */
void
r600_read_transfer(reader *r);

/* Goes on in the lanes where READ_EXEC is set. */
void
r600_read_branch(reader *r);

#endif
