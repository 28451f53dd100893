/* The words of a ray query, and access to them: what ray_query.c, ray_walk.c and ray_answers.c
 * share. */
#ifndef SPIRV_RAY_QUERY_H
#define SPIRV_RAY_QUERY_H

#include "base/ray.h"
#include "spirv/structure.h"

/* ---- the words of a query ---- */

/* A hit, candidate or committed. */
enum {
    SPIRV_HIT_FLAGS, /* BASE_HIT_*, and of a committed one SPIRV_HIT; 0: nothing is committed */
    SPIRV_HIT_T,
    SPIRV_HIT_BARYCENTRICS, /* 2 */
    SPIRV_HIT_PRIMITIVE = SPIRV_HIT_BARYCENTRICS + 2,
    SPIRV_HIT_NODE, /* the leaf, in its instance's hierarchy */
    SPIRV_HIT_INSTANCE,
    SPIRV_HIT_WORDS,

    SPIRV_HIT = 1,
};

/* The first member: words. */
enum {
    SPIRV_Q_FLAGS, /* the operand of ray_intersect */
    SPIRV_Q_TMIN,
    SPIRV_Q_WORLD_ORIGIN,
    SPIRV_Q_WORLD_DIRECTION = SPIRV_Q_WORLD_ORIGIN + 3,
    SPIRV_Q_ORIGIN = SPIRV_Q_WORLD_DIRECTION + 3, /* in the space of the level */
    SPIRV_Q_DIRECTION = SPIRV_Q_ORIGIN + 3,
    SPIRV_Q_CANDIDATE = SPIRV_Q_DIRECTION + 3,
    SPIRV_Q_COMMITTED = SPIRV_Q_CANDIDATE + SPIRV_HIT_WORDS,
    SPIRV_Q_CURRENT = SPIRV_Q_COMMITTED +
                      SPIRV_HIT_WORDS, /* the node to visit, or BASE_RAY_NO_NODE: go up */
    SPIRV_Q_LAST,                      /* the node that was visited last */
    SPIRV_Q_CAME_FROM, /* the child from which its parent is visited again, or BASE_RAY_NO_NODE */
    SPIRV_Q_DEPTH,     /* entries of the stack, and how many of them are lost */
    SPIRV_Q_LOST,
    SPIRV_Q_ENTRY,  /* depth when the instance was entered, or -1 outside of instances */
    SPIRV_Q_BOTTOM, /* root of the instance's hierarchy, or SPIRV_Q_NO_BOTTOM */
    SPIRV_Q_TOP,    /* the instance's leaf in the top level */
    SPIRV_Q_WORDS,

    SPIRV_Q_ENTRIES = 8, /* of the stack */
};

/* The second: addresses; the third: booleans; the last: the stack, two words each. */
enum { SPIRV_Q_ACCEL, SPIRV_Q_ROOT, SPIRV_Q_HIERARCHY, SPIRV_Q_ADDRESSES };
enum {
    SPIRV_Q_IS_ACTIVE,    /* the walk is not at its end */
    SPIRV_Q_IS_SEARCHING, /* there is no candidate yet */
    SPIRV_Q_BOOLEANS,
};

/* Neither a node nor BASE_RAY_NO_NODE. */
#define SPIRV_Q_NO_BOTTOM UINT32_C(0xfffffffe)

/* ---- memory ---- */

/* Places in records and nodes (base/ray.h). */
enum {
    SPIRV_INSTANCE_INDEX = 2, /* words of an instance's first four */
    SPIRV_INSTANCE_FLAGS = 3,
    SPIRV_INSTANCE_TO_OBJECT = 16, /* bytes, as the rest */
    SPIRV_INSTANCE_TO_WORLD = 80,
    SPIRV_MATRIX_ROW = 16,
    SPIRV_LEAF_GEOMETRY = 40,
    SPIRV_ACCEL_ROOT = 24,
    SPIRV_LOW_24 = 0xffffff,
};

typedef struct spirv_query {
    spirv_reader *r;
    ir_builder *b;
    const spirv_ptr *p; /* to the struct */
} spirv_query;

/* The query that operand `k` points to. */
spirv_query
spirv_q_operand(spirv_reader *r, const spirv_insn *i, unsigned k);

/* Words, addresses and booleans. */
ir_ref
spirv_q_get(const spirv_query *q, unsigned word);
void
spirv_q_set(const spirv_query *q, unsigned word, ir_ref value);
void
spirv_q_set_number(const spirv_query *q, unsigned word, uint32_t value);
void
spirv_q_copy(const spirv_query *q, unsigned to, unsigned from, unsigned n);
ir_ref
spirv_q_address(const spirv_query *q, unsigned k);
void
spirv_q_set_address(const spirv_query *q, unsigned k, ir_ref value);
ir_ref
spirv_q_boolean(const spirv_query *q, unsigned k);
void
spirv_q_set_boolean(const spirv_query *q, unsigned k, ir_ref value);

/* The entry of the stack at depth `at`, as a pointer to two words. */
spirv_ptr
spirv_q_stack(const spirv_query *q, ir_ref at);

static inline ir_ref
spirv_q_number(const spirv_query *q, uint32_t value)
{
    return spirv_imm(q->r, 32, value);
}

/* x == value; (x & mask) != 0 */
static inline ir_ref
spirv_q_is(const spirv_query *q, ir_ref x, uint32_t value)
{
    return irb_ieq(q->b, x, spirv_q_number(q, value));
}

static inline ir_ref
spirv_q_has(const spirv_query *q, ir_ref x, uint32_t mask)
{
    return irb_ine(q->b, irb_iand(q->b, x, spirv_q_number(q, mask)), spirv_q_number(q, 0));
}

/* The address in the first two components. */
static inline ir_ref
spirv_q_pack(const spirv_query *q, ir_ref v)
{
    return irb_pack_64_2x32(q->b, ir_comp(v, 0), ir_comp(v, 1));
}

/* Loads `n` words at `base` + `bytes`, which are aligned to `align` bytes. They do not change while
 * the shader runs. */
ir_ref
spirv_q_load(const spirv_query *q, ir_ref base, int32_t bytes, unsigned n, unsigned align);
/* `base` + n * `stride`, a power of two. */
ir_ref
spirv_q_scaled(const spirv_query *q, ir_ref base, ir_ref n, unsigned stride);
/* The first four words of an instance's record; the three rows of its matrix at `bytes`. */
ir_ref
spirv_q_instance(const spirv_query *q, ir_ref instance);
void
spirv_q_matrix(const spirv_query *q, ir_ref instance, int32_t bytes, ir_ref row[3]);
/* The world's ray by these rows. */
void
spirv_q_transform(const spirv_query *q, const ir_ref row[3], ir_ref origin[3], ir_ref direction[3]);

/* The candidate becomes the committed hit, and is the last one if the ray asks for that. */
void
spirv_q_commit(const spirv_query *q);

/* Goes on until there is a candidate, or to the end (ray_walk.c). */
void
spirv_q_walk(const spirv_query *q);

/* What instructions ask about the ray and its hits (ray_answers.c). */
void
spirv_q_answer(spirv_reader *r, const spirv_insn *i);

#endif
