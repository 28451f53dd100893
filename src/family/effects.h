/* What an instruction does to registers and to control, as a family tells it to the analyses of
 * machine code (liveness.h, blocks.h).
 *
 * A family numbers its registers from 0 and groups them in banks. A register has two halves, so
 * that writes of 16 bits are known to keep the other half. A vector register has a value in each
 * lane, and an instruction touches those of the lanes in the execution mask, which is a register,
 * too. Which lanes have been written is therefore a question of which mask contains which; a family
 * answers it for the instructions that make masks by steps.
 */
#ifndef FAMILY_EFFECTS_H
#define FAMILY_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

/* Registers of one kind: `count` from number `first`. */
typedef struct family_bank {
    const char *name;   /* "VGPR" */
    const char *prefix; /* register 0 is "v0"; NULL: `names` has them */
    uint16_t first, count;
    const char *const *names;
    /* The name of the family's figures (heddle stats) for the registers that are used; NULL: not
     * counted as pressure. */
    const char *figure;
} family_bank;

enum { FAMILY_MAX_BANKS = 8, FAMILY_MAX_USES = 40, FAMILY_MAX_STEPS = 2 };

/* Halves of a register. */
enum { FAMILY_LOW = 1, FAMILY_HIGH = 2, FAMILY_WHOLE = 3 };

/* A use of `count` registers from `first`. */
typedef struct family_use {
    uint16_t first, count;
    uint8_t read;   /* halves whose values matter */
    uint8_t write;  /* halves that it may write */
    uint8_t kills;  /* halves that it writes in all lanes of the mask, whatever happens */
    bool all_lanes; /* reads and kills do not depend on the mask */
} family_use;

/* How a mask is made of `a` and `b`. */
typedef enum family_mask_op {
    FAMILY_MASK_COPY,   /* a */
    FAMILY_MASK_BOTH,   /* lanes of a and b */
    FAMILY_MASK_PART,   /* some lanes of a */
    FAMILY_MASK_REST,   /* lanes of a that are not in b */
    FAMILY_MASK_EITHER, /* lanes of a, of b, or of both, and no others */
    FAMILY_MASK_UNION,  /* all lanes of a and of b */
    FAMILY_MASK_DIFFER, /* lanes of a or b, but not of both */
} family_mask_op;

/* Masks that are not in registers. */
enum { FAMILY_MASK_ALL = 0xfffe, FAMILY_MASK_UNKNOWN = 0xffff };

/* An instruction puts a mask into register `to`. A register that is written without a step holds an
 * unknown mask. */
typedef struct family_mask_step {
    uint8_t op; /* family_mask_op */
    uint16_t to, a, b;
} family_mask_step;

typedef enum family_flow {
    FAMILY_NEXT,    /* to the next instruction */
    FAMILY_MAYBE,   /* to the branch's target or to the next instruction */
    FAMILY_JUMP,    /* to the branch's target */
    FAMILY_END,     /* the program ends */
    FAMILY_CALL,    /* to other code, which comes back */
    FAMILY_UNKNOWN, /* to a place that is computed */
} family_flow;

/* What a branch says about the execution mask. */
typedef enum family_test {
    FAMILY_TEST_OTHER,
    FAMILY_TEST_NONE, /* taken if no lane is in it */
    FAMILY_TEST_ANY,  /* taken if a lane is in it */
} family_test;

typedef struct family_effects {
    family_flow flow;
    family_test test;
    uint32_t n_uses, n_steps;
    family_use uses[FAMILY_MAX_USES];
    family_mask_step steps[FAMILY_MAX_STEPS];
} family_effects;

/* Adds a use; one for which there is no room must not be lost, so a family has room for all. */
static inline void
family_add_use(family_effects *e, family_use u)
{
    if (e->n_uses < FAMILY_MAX_USES)
        e->uses[e->n_uses++] = u;
}

#endif
