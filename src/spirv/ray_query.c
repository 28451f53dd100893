/* Ray queries: a walk through the two levels of an acceleration structure, whose layout is that of
 * base/ray.h, by ray_intersect.
 *
 * A query is a struct of words of the reader's own. The walk goes down into the nearest child that
 * the ray meets, and leaves the others on a stack of eight entries: the number of the first child,
 * and the list that ray_intersect gave, which is shifted on to the child that was visited last. If
 * there are more entries the oldest are lost. What was below them is found again from the node that
 * was visited last: its parent is intersected once more, and the child behind it in the list is
 * next (Laine, "Restart Trail for Stackless BVH Traversal", 2010, has the idea; here the parents
 * have words of their own). Only the candidate and the committed hit are kept, as few words; what
 * else can be asked about a hit is loaded from the instance's record or the leaf. */
#include "base/ray.h"
#include "spirv/structure.h"

/* ---- the words of a query ---- */

/* A hit, candidate or committed. */
enum {
    HIT_FLAGS, /* BASE_HIT_*, and of a committed one IS_HIT; 0: nothing is committed */
    HIT_T,
    HIT_BARYCENTRICS, /* 2 */
    HIT_PRIMITIVE = HIT_BARYCENTRICS + 2,
    HIT_NODE, /* the leaf, in its instance's hierarchy */
    HIT_INSTANCE,
    HIT_WORDS,

    IS_HIT = 1,
};

/* The first member: words. */
enum {
    Q_FLAGS, /* the operand of ray_intersect */
    Q_TMIN,
    Q_WORLD_ORIGIN,
    Q_WORLD_DIRECTION = Q_WORLD_ORIGIN + 3,
    Q_ORIGIN = Q_WORLD_DIRECTION + 3, /* in the space of the level */
    Q_DIRECTION = Q_ORIGIN + 3,
    Q_CANDIDATE = Q_DIRECTION + 3,
    Q_COMMITTED = Q_CANDIDATE + HIT_WORDS,
    Q_CURRENT = Q_COMMITTED + HIT_WORDS, /* the node to visit, or BASE_RAY_NO_NODE: go up */
    Q_LAST,                              /* the node that was visited last */
    Q_CAME_FROM, /* the child from which its parent is visited again, or BASE_RAY_NO_NODE */
    Q_DEPTH,     /* entries of the stack, and how many of them are lost */
    Q_LOST,
    Q_ENTRY,  /* depth when the instance was entered, or -1 outside of instances */
    Q_BOTTOM, /* root of the instance's hierarchy, or NO_BOTTOM */
    Q_TOP,    /* the instance's leaf in the top level */
    Q_WORDS,

    STACK = 8, /* entries */
    CHILD_BITS = 3,
    FIRST_CHILD = 8, /* bit of the child that is last in the list */
};

/* The second: addresses; the third: booleans; the last: the stack, two words each. */
enum { A_ACCEL, A_ROOT, A_HIERARCHY, ADDRESSES };
enum {
    IS_ACTIVE,    /* the walk is not at its end */
    IS_SEARCHING, /* there is no candidate yet */
    BOOLEANS,
};

static_assert(SPIRV_QUERY_STACK == Q_WORDS + ADDRESSES + BOOLEANS, "the stack's first leaf");

/* Neither a node nor BASE_RAY_NO_NODE. */
#define NO_BOTTOM UINT32_C(0xfffffffe)

/* SPIR-V 1.6, 3.x Ray Flags. */
enum { RAY_FLAGS = 0x3ff, TERMINATE_ON_FIRST_HIT = 4 };

static const spirv_type *
scalar_type(spirv_reader *r, spirv_kind kind, unsigned bits)
{
    spirv_type *t = ARENA_NEW(r->a, spirv_type);
    const uint32_t bytes = kind == SPIRV_BOOL ? 4 : bits / 8;
    *t = (spirv_type){.kind = (uint8_t)kind, .bits = (uint8_t)bits, .leaves = 1, .size = bytes,
                      .align = bytes};
    return t;
}

static const spirv_type *
array_type(spirv_reader *r, const spirv_type *elem, uint32_t n)
{
    spirv_type *t = ARENA_NEW(r->a, spirv_type);
    *t = (spirv_type){.kind = SPIRV_ARRAY,
                      .elem = elem,
                      .count = n,
                      .depth = (uint8_t)(elem->depth + 1),
                      .leaves = n * elem->leaves,
                      .size = n * elem->size,
                      .align = elem->align};
    return t;
}

enum { MEMBER_WORDS, MEMBER_ADDRESSES, MEMBER_BOOLEANS, MEMBER_STACK, MEMBERS };

spirv_member *
spirv_query_members(spirv_reader *r, uint32_t *n)
{
    spirv_member *m = ARENA_ARRAY(r->a, MEMBERS, spirv_member);
    const spirv_type *word = scalar_type(r, SPIRV_INT, 32);
    const spirv_type *address = scalar_type(r, SPIRV_INT, 64);
    const spirv_type *boolean = scalar_type(r, SPIRV_BOOL, 1);
    m[MEMBER_WORDS].type = array_type(r, word, Q_WORDS);
    m[MEMBER_ADDRESSES].type = array_type(r, address, ADDRESSES);
    m[MEMBER_BOOLEANS].type = array_type(r, boolean, BOOLEANS);
    m[MEMBER_STACK].type = array_type(r, array_type(r, word, 2), STACK);
    for (unsigned k = 0; k < MEMBERS; k++)
        m[k].builtin = UINT32_MAX;
    *n = MEMBERS;
    return m;
}

/* ---- access ---- */

typedef struct query {
    spirv_reader *r;
    ir_builder *b;
    const spirv_ptr *p;
} query;

static query
query_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    query q = {.r = r, .b = &r->b, .p = spirv_pointer_operand(r, i, k)};
    if (!q.p->type->is_query)
        spirv_invalid(r, "operand %u is not a pointer to a ray query", k);
    return q;
}

static spirv_ptr
element(const query *q, unsigned member, unsigned k)
{
    spirv_ptr p = *q->p;
    spirv_step(q->r, &p, member);
    spirv_step(q->r, &p, k);
    return p;
}

static ir_ref
get_member(const query *q, unsigned member, unsigned k)
{
    const spirv_ptr p = element(q, member, k);
    return spirv_load(q->r, &p, 0, 0)[0];
}

static void
set_member(const query *q, unsigned member, unsigned k, ir_ref value)
{
    const spirv_ptr p = element(q, member, k);
    spirv_store(q->r, &p, &value, 0, 0);
}

static ir_ref
get(const query *q, unsigned word)
{
    return get_member(q, MEMBER_WORDS, word);
}

static void
set(const query *q, unsigned word, ir_ref value)
{
    set_member(q, MEMBER_WORDS, word, value);
}

static void
set_number(const query *q, unsigned word, uint32_t value)
{
    set(q, word, spirv_imm(q->r, 32, value));
}

static void
copy(const query *q, unsigned to, unsigned from, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        set(q, to + k, get(q, from + k));
}

static ir_ref
get_address(const query *q, unsigned k)
{
    return get_member(q, MEMBER_ADDRESSES, k);
}

static ir_ref
get_boolean(const query *q, unsigned k)
{
    return get_member(q, MEMBER_BOOLEANS, k);
}

static void
set_boolean(const query *q, unsigned k, ir_ref value)
{
    set_member(q, MEMBER_BOOLEANS, k, value);
}

/* The entry of the stack at depth `at`, as a pointer to two words. */
static spirv_ptr
stack_entry(const query *q, ir_ref at)
{
    static const spirv_type index = {.kind = SPIRV_INT, .bits = 32, .leaves = 1};
    spirv_ptr p = *q->p;
    spirv_step(q->r, &p, MEMBER_STACK);
    spirv_step_dynamic(q->r, &p, irb_iand(q->b, at, spirv_imm(q->r, 32, STACK - 1)), &index);
    return p;
}

static ir_ref
number(const query *q, uint32_t value)
{
    return spirv_imm(q->r, 32, value);
}

/* (x & mask) != 0 */
static ir_ref
has(const query *q, ir_ref x, uint32_t mask)
{
    return irb_ine(q->b, irb_iand(q->b, x, number(q, mask)), number(q, 0));
}

static ir_ref
is_number(const query *q, ir_ref x, uint32_t value)
{
    return irb_ieq(q->b, x, number(q, value));
}

/* ---- memory ---- */

/* Loads `n` words at `base` + `bytes`, which are aligned to `align` bytes. They do not change while
 * the shader runs. */
static ir_ref
load_words(const query *q, ir_ref base, int32_t bytes, unsigned n, unsigned align)
{
    ir_ref at = irb_iadd(q->b, base, spirv_imm(q->r, 64, (uint64_t)(int64_t)bytes));
    ir_ref v = ir_build_intr(q->b, IR_load_global, IR_TYPE(32, n), &at, 1);
    ir_instr *i = ir_built(q->b);
    ir_attr_set(i, IR_A_ACCESS, IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER);
    ir_attr_set(i, IR_A_ALIGN_MUL, align);
    return v;
}

static ir_ref
component(ir_ref v, unsigned k)
{
    v.comp = (uint8_t)k;
    return v;
}

static ir_ref
pack_address(const query *q, ir_ref v)
{
    return irb_pack_64_2x32(q->b, component(v, 0), component(v, 1));
}

/* `base` + n * `stride`, a power of two. */
static ir_ref
scaled(const query *q, ir_ref base, ir_ref n, unsigned stride)
{
    return irb_iadd(q->b, base, irb_umul_2x32_64(q->b, n, number(q, stride)));
}

/* The address of an instance's record. */
static ir_ref
instance_record(const query *q, ir_ref instance)
{
    const ir_ref first = irb_iadd(q->b, get_address(q, A_ACCEL),
                                  spirv_imm(q->r, 64, BASE_ACCEL_RECORD));
    return scaled(q, first, instance, BASE_ACCEL_RECORD);
}

enum {
    INSTANCE_INDEX = 2, /* words of its first four */
    INSTANCE_FLAGS = 3,
    INSTANCE_TO_OBJECT = 16, /* bytes, as the rest */
    INSTANCE_TO_WORLD = 80,
    MATRIX_ROW = 16,
    LEAF_GEOMETRY = 40,
    ACCEL_ROOT = 24,
    LOW_24 = 0xffffff,
};

static ir_ref
instance_head(const query *q, ir_ref instance)
{
    return load_words(q, instance_record(q, instance), 0, 4, MATRIX_ROW);
}

/* The three rows of one of its matrices. */
static void
load_matrix(const query *q, ir_ref instance, int32_t bytes, ir_ref row[3])
{
    const ir_ref record = instance_record(q, instance);
    for (int k = 0; k < 3; k++)
        row[k] = load_words(q, record, bytes + k * MATRIX_ROW, 4, MATRIX_ROW);
}

/* Row times (v, w), w being 1 for points, 0 for directions. */
static ir_ref
transform(const query *q, ir_ref row, const ir_ref v[3], bool is_point)
{
    ir_ref sum = irb_fmul(q->b, component(row, 0), v[0]);
    if (is_point)
        sum = irb_fadd(q->b, sum, component(row, 3));
    for (unsigned k = 1; k < 3; k++)
        sum = irb_fadd(q->b, sum, irb_fmul(q->b, component(row, k), v[k]));
    return sum;
}

static void
transform_ray(const query *q, const ir_ref row[3], ir_ref origin[3], ir_ref direction[3])
{
    ir_ref o[3], d[3];
    for (unsigned k = 0; k < 3; k++) {
        o[k] = get(q, Q_WORLD_ORIGIN + k);
        d[k] = get(q, Q_WORLD_DIRECTION + k);
    }
    for (unsigned k = 0; k < 3; k++) {
        origin[k] = transform(q, row[k], o, true);
        direction[k] = transform(q, row[k], d, false);
    }
}

/* ---- hits ---- */

/* The candidate becomes the committed hit, and is the last one if the ray asks for that. */
static void
commit(const query *q)
{
    copy(q, Q_COMMITTED, Q_CANDIDATE, HIT_WORDS);
    set(q, Q_COMMITTED + HIT_FLAGS,
        irb_ior(q->b, get(q, Q_CANDIDATE + HIT_FLAGS), number(q, IS_HIT)));
    ir_ref ends = has(q, get(q, Q_FLAGS), TERMINATE_ON_FIRST_HIT << BASE_RAY_FLAGS_SHIFT);
    ir_ref stays = irb_inot(q->b, ends);
    set_boolean(q, IS_ACTIVE, irb_iand(q->b, get_boolean(q, IS_ACTIVE), stays));
    set_boolean(q, IS_SEARCHING, stays);
}

/* A box's hit is committed where the shader says, if that is within the ray's range. */
static void
generate(spirv_reader *r, const spirv_insn *i)
{
    query q = query_operand(r, i, 1);
    ir_ref t = spirv_scalar(r, i, 2);
    spirv_arms a;
    ir_ref near = irb_fge(q.b, get(&q, Q_COMMITTED + HIT_T), t);
    spirv_begin_then(r, &a, irb_iand(q.b, near, irb_fge(q.b, t, get(&q, Q_TMIN))));
    commit(&q);
    set(&q, Q_COMMITTED + HIT_T, t);
    spirv_begin_else(r, &a, SPIRV_FALLS);
    spirv_end_if(r, &a, SPIRV_FALLS);
}

/* ---- the walk ---- */

static void
finish(const query *q)
{
    set_boolean(q, IS_ACTIVE, spirv_imm(q->r, 1, 0));
    set_boolean(q, IS_SEARCHING, spirv_imm(q->r, 1, 0));
}

/* Back to the top level. */
static void
leave_instance(const query *q)
{
    set_number(q, Q_ENTRY, UINT32_MAX);
    set_number(q, Q_BOTTOM, NO_BOTTOM);
    set(q, Q_LAST, get(q, Q_TOP));
    set_member(q, MEMBER_ADDRESSES, A_HIERARCHY, get_address(q, A_ROOT));
    copy(q, Q_ORIGIN, Q_WORLD_ORIGIN, 3);
    copy(q, Q_DIRECTION, Q_WORLD_DIRECTION, 3);
}

static void
enter_instance(const query *q, ir_ref instance, ir_ref leaf)
{
    ir_ref head = instance_head(q, instance), row[3], origin[3], direction[3];
    load_matrix(q, instance, INSTANCE_TO_OBJECT, row);
    transform_ray(q, row, origin, direction);
    for (unsigned k = 0; k < 3; k++) {
        set(q, Q_ORIGIN + k, origin[k]);
        set(q, Q_DIRECTION + k, direction[k]);
    }
    set(q, Q_CANDIDATE + HIT_INSTANCE, instance);
    set(q, Q_FLAGS,
        irb_bitfield_select(q->b, number(q, LOW_24), get(q, Q_FLAGS),
                            component(head, INSTANCE_FLAGS)));
    set_member(q, MEMBER_ADDRESSES, A_HIERARCHY, pack_address(q, head));
    set(q, Q_ENTRY, get(q, Q_DEPTH));
    set_number(q, Q_BOTTOM, 0);
    set(q, Q_TOP, leaf);
    set_number(q, Q_CURRENT, 0);
}

/* To the parent of the node that was visited last, if there is one. */
static void
climb(const query *q)
{
    spirv_arms a;
    ir_ref last = get(q, Q_LAST);
    spirv_begin_then(q->r, &a, is_number(q, last, 0));
    finish(q);
    spirv_begin_else(q->r, &a, SPIRV_FALLS);
    ir_ref bytes = irb_umul_2x32_64(q->b, last, number(q, 4));
    ir_ref at = irb_isub(q->b, get_address(q, A_HIERARCHY), bytes);
    set(q, Q_CURRENT, load_words(q, at, -4, 1, 4));
    set(q, Q_CAME_FROM, last);
    spirv_end_if(q->r, &a, SPIRV_FALLS);
}

/* Takes the next child of the last entry, which goes with its last child. */
static void
pop(const query *q)
{
    ir_builder *b = q->b;
    ir_ref depth = irb_iadd(b, get(q, Q_DEPTH), number(q, UINT32_MAX));
    spirv_ptr entry = stack_entry(q, depth), list_of = entry;
    spirv_step(q->r, &entry, 0);
    spirv_step(q->r, &list_of, 1);
    ir_ref first = spirv_load(q->r, &entry, 0, 0)[0], list = spirv_load(q->r, &list_of, 0, 0)[0];
    list = irb_iadd(b, list, number(q, 0u - CHILD_BITS)); /* the place is in its lowest bits */
    ir_ref child = irb_iand(b, irb_ushr(b, list, list), number(q, (1 << CHILD_BITS) - 1));
    ir_ref is_last = is_number(q, irb_iand(b, list, number(q, 31)), FIRST_CHILD);
    spirv_store(q->r, &list_of, &list, 0, 0);
    set(q, Q_CURRENT, irb_iadd(b, first, child));
    set(q, Q_DEPTH, irb_bcsel(b, is_last, depth, get(q, Q_DEPTH)));
}

/* Finds the next node where nothing is left below the last one. */
static void
go_up(const query *q)
{
    ir_builder *b = q->b;
    spirv_arms done, leaves, lost;
    spirv_begin_then(q->r, &done, is_number(q, get(q, Q_DEPTH), 0));
    finish(q);
    spirv_begin_else(q->r, &done, SPIRV_FALLS);
    ir_ref at_entry = irb_ige(b, get(q, Q_ENTRY), get(q, Q_DEPTH));
    ir_ref at_bottom = irb_ieq(b, get(q, Q_LAST), get(q, Q_BOTTOM));
    spirv_begin_then(q->r, &leaves, irb_ior(b, at_entry, at_bottom));
    leave_instance(q);
    spirv_begin_else(q->r, &leaves, SPIRV_FALLS);
    spirv_end_if(q->r, &leaves, SPIRV_FALLS);
    spirv_begin_then(q->r, &lost, irb_ige(b, get(q, Q_LOST), get(q, Q_DEPTH)));
    climb(q);
    spirv_begin_else(q->r, &lost, SPIRV_FALLS);
    pop(q);
    spirv_end_if(q->r, &lost, SPIRV_FALLS);
    spirv_end_if(q->r, &done, SPIRV_FALLS);
}

/* The child behind the one that the walk comes from, in a list of the children that are met. That
 * one is no longer among them if a nearer hit was found since: then all behind it are not, either.
 */
static ir_ref
next_child(const query *q, ir_ref first, ir_ref list)
{
    const uint32_t ones = 0x24924900, highs = ones << (CHILD_BITS - 1);
    ir_builder *b = q->b;
    ir_ref from = irb_isub(b, get(q, Q_CAME_FROM), first);
    /* the lowest number that is 0 after this is the child's (Warren, Hacker's Delight, 6-1) */
    ir_ref x = irb_ixor(b, irb_imul(b, from, number(q, ones)), list);
    ir_ref zeros = irb_iand(b, irb_iadd(b, x, number(q, 0u - ones)), irb_inot(b, x));
    ir_ref at = irb_find_lsb(b, irb_iand(b, zeros, number(q, highs)));
    at = irb_iadd(b, at, number(q, 1u - CHILD_BITS)); /* its lowest bit; none: negative */
    ir_ref behind = irb_ilt(b, number(q, FIRST_CHILD), at);
    ir_ref within = irb_ige(b, irb_iand(b, list, number(q, 31)), at);
    ir_ref next = irb_ushr(b, list, irb_iadd(b, at, number(q, 0u - CHILD_BITS)));
    next = irb_iadd(b, first, irb_iand(b, next, number(q, (1 << CHILD_BITS) - 1)));
    return irb_bcsel(b, irb_iand(b, behind, within), next, number(q, BASE_RAY_NO_NODE));
}

static void
push(const query *q, ir_ref first, ir_ref list)
{
    ir_builder *b = q->b;
    ir_ref depth = get(q, Q_DEPTH), word[2] = {first, list};
    const spirv_ptr entry = stack_entry(q, depth);
    spirv_store(q->r, &entry, word, 0, 0);
    ir_ref lost = irb_iadd(b, depth, number(q, 1u - STACK));
    set(q, Q_LOST, irb_imax(b, get(q, Q_LOST), lost));
    set(q, Q_DEPTH, irb_iadd(b, depth, number(q, 1)));
}

static void
visit_inner(const query *q, ir_ref met, ir_ref count)
{
    ir_builder *b = q->b;
    ir_ref first = component(met, 1), list = component(met, 3);
    spirv_arms some, down, many;
    spirv_begin_then(q->r, &some, irb_ine(b, count, number(q, 0)));
    spirv_begin_then(q->r, &down, is_number(q, get(q, Q_CAME_FROM), BASE_RAY_NO_NODE));
    ir_ref nearest = irb_iand(b, irb_ushr(b, list, list), number(q, (1 << CHILD_BITS) - 1));
    set(q, Q_CURRENT, irb_iadd(b, first, nearest));
    spirv_begin_then(q->r, &many, irb_ult(b, number(q, 1), count));
    push(q, first, list);
    spirv_begin_else(q->r, &many, SPIRV_FALLS);
    spirv_end_if(q->r, &many, SPIRV_FALLS);
    spirv_begin_else(q->r, &down, SPIRV_FALLS);
    set(q, Q_CURRENT, next_child(q, first, list));
    spirv_end_if(q->r, &down, SPIRV_FALLS);
    spirv_begin_else(q->r, &some, SPIRV_FALLS);
    spirv_end_if(q->r, &some, SPIRV_FALLS);
}

/* A triangle or box: what is opaque is a hit, the shader decides about the rest. */
static void
visit_primitive(const query *q, ir_ref met, ir_ref node)
{
    spirv_arms a;
    ir_ref flags = component(met, 0);
    set(q, Q_CANDIDATE + HIT_FLAGS,
        irb_iand(q->b, flags,
                 number(q, BASE_HIT_BOX | BASE_HIT_NOT_OPAQUE | BASE_HIT_BACK_FACE)));
    set(q, Q_CANDIDATE + HIT_T, component(met, 2));
    set(q, Q_CANDIDATE + HIT_BARYCENTRICS, component(met, 3));
    set(q, Q_CANDIDATE + HIT_BARYCENTRICS + 1, component(met, 4));
    set(q, Q_CANDIDATE + HIT_PRIMITIVE, component(met, 1));
    set(q, Q_CANDIDATE + HIT_NODE, node);
    spirv_begin_then(q->r, &a, has(q, flags, BASE_HIT_BOX | BASE_HIT_NOT_OPAQUE));
    set_boolean(q, IS_SEARCHING, spirv_imm(q->r, 1, 0));
    spirv_begin_else(q->r, &a, SPIRV_FALLS);
    commit(q);
    spirv_end_if(q->r, &a, SPIRV_FALLS);
}

/* A node of several leaves is visited until none of them is left; the flags say which are. */
static void
visit_leaf(const query *q, ir_ref met, ir_ref count, ir_ref node)
{
    ir_builder *b = q->b;
    ir_ref flags = component(met, 0), all = number(q, BASE_HIT_LEFT);
    ir_ref left = irb_iand(b, flags, all), is_done = is_number(q, left, 0);
    spirv_arms some, instance;
    set(q, Q_CURRENT, irb_bcsel(b, is_done, number(q, BASE_RAY_NO_NODE), node));
    set(q, Q_FLAGS,
        irb_bitfield_select(b, all, irb_bcsel(b, is_done, all, left), get(q, Q_FLAGS)));
    spirv_begin_then(q->r, &some, irb_ine(b, count, number(q, 0)));
    spirv_begin_then(q->r, &instance, has(q, flags, BASE_HIT_INSTANCES));
    enter_instance(q, component(met, 1), node);
    spirv_begin_else(q->r, &instance, SPIRV_FALLS);
    visit_primitive(q, met, node);
    spirv_end_if(q->r, &instance, SPIRV_FALLS);
    spirv_begin_else(q->r, &some, SPIRV_FALLS);
    spirv_end_if(q->r, &some, SPIRV_FALLS);
}

static void
visit(const query *q)
{
    ir_builder *b = q->b;
    spirv_arms leaf;
    ir_ref node = get(q, Q_CURRENT), ray[8];
    set(q, Q_LAST, node);
    set_number(q, Q_CURRENT, BASE_RAY_NO_NODE);
    for (unsigned k = 0; k < 3; k++) {
        ray[k] = get(q, Q_ORIGIN + k);
        ray[4 + k] = get(q, Q_DIRECTION + k);
    }
    ray[3] = get(q, Q_TMIN);
    ray[7] = get(q, Q_COMMITTED + HIT_T);
    ir_ref refs[] = {get_address(q, A_HIERARCHY), node, ir_build_vec(b, ray, 8), get(q, Q_FLAGS)};
    ir_ref met = ir_build_intr(b, IR_ray_intersect, IR_TYPE(32, 5), refs, 4);
    ir_ref count = irb_ubitfield_extract(b, component(met, 0), number(q, BASE_HIT_COUNT_SHIFT),
                                         number(q, 4));
    spirv_begin_then(q->r, &leaf, has(q, component(met, 0), BASE_HIT_LEAF));
    visit_leaf(q, met, count, node);
    spirv_begin_else(q->r, &leaf, SPIRV_FALLS);
    visit_inner(q, met, count);
    spirv_end_if(q->r, &leaf, SPIRV_FALLS);
}

/* Makes phis for what the walk's loop changes. */
static void
carry(const query *q)
{
    const spirv_ptr *p = q->p;
    const uint32_t words = p->leaf, addresses = words + Q_WORDS;
    if (p->place != SPIRV_PLACE_SSA)
        return;
    for (uint32_t k = Q_ORIGIN; k < Q_WORDS; k++)
        spirv_ssa_header_phi(q->r, p->var->ssa + words + k);
    spirv_ssa_header_phi(q->r, p->var->ssa + words + Q_FLAGS);
    spirv_ssa_header_phi(q->r, p->var->ssa + addresses + A_HIERARCHY);
    spirv_ssa_header_phi(q->r, p->var->ssa + addresses + ADDRESSES + IS_ACTIVE);
}

static void
walk(const query *q)
{
    spirv_arms up, down, end;
    spirv_loop *l = spirv_open_loop(q->r, NULL, NULL);
    carry(q);
    set_boolean(q, IS_SEARCHING, spirv_imm(q->r, 1, 1));
    set_number(q, Q_CAME_FROM, BASE_RAY_NO_NODE);
    spirv_begin_then(q->r, &up, is_number(q, get(q, Q_CURRENT), BASE_RAY_NO_NODE));
    go_up(q);
    spirv_begin_else(q->r, &up, SPIRV_FALLS);
    spirv_end_if(q->r, &up, SPIRV_FALLS);
    spirv_begin_then(q->r, &down, get_boolean(q, IS_SEARCHING));
    visit(q);
    spirv_begin_else(q->r, &down, SPIRV_FALLS);
    spirv_end_if(q->r, &down, SPIRV_FALLS);
    spirv_begin_then(q->r, &end, get_boolean(q, IS_SEARCHING));
    spirv_begin_else(q->r, &end, SPIRV_FALLS);
    spirv_end_if(q->r, &end, SPIRV_BREAKS);
    spirv_open_continue(q->r, l, SPIRV_FALLS);
    spirv_close_loop(q->r, l);
}

static void
proceed(spirv_reader *r, const spirv_insn *i)
{
    query q = query_operand(r, i, 3);
    spirv_arms a;
    spirv_begin_then(r, &a, get_boolean(&q, IS_ACTIVE));
    walk(&q);
    spirv_begin_else(r, &a, SPIRV_FALLS);
    spirv_end_if(r, &a, SPIRV_FALLS);
    spirv_define_scalar(r, i, get_boolean(&q, IS_ACTIVE));
}

/* ---- the beginning ---- */

static const ir_ref *
vector_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    if (spirv_operand_type(r, i, k)->leaves != 3)
        spirv_invalid(r, "operand %u is not a vector of three", k);
    return spirv_operand(r, i, k);
}

static void
initialize(spirv_reader *r, const spirv_insn *i)
{
    query q = query_operand(r, i, 1);
    ir_builder *b = &r->b;
    if (spirv_operand_type(r, i, 2)->kind != SPIRV_ACCEL)
        spirv_invalid(r, "operand 2 is not an acceleration structure");
    ir_ref accel = spirv_operand(r, i, 2)[0];
    ir_ref flags = irb_iand(b, spirv_scalar(r, i, 3), number(&q, RAY_FLAGS));
    ir_ref mask = irb_iand(b, spirv_scalar(r, i, 4), number(&q, 0xff));
    const ir_ref *origin = vector_operand(r, i, 5), *direction = vector_operand(r, i, 7);
    flags = irb_ior(b, irb_ishl(b, flags, number(&q, BASE_RAY_FLAGS_SHIFT)),
                    irb_ishl(b, mask, number(&q, BASE_RAY_MASK_SHIFT)));
    set(&q, Q_FLAGS, irb_ior(b, flags, number(&q, BASE_HIT_LEFT)));
    set(&q, Q_TMIN, spirv_scalar(r, i, 6));
    for (unsigned k = 0; k < 3; k++) {
        set(&q, Q_WORLD_ORIGIN + k, origin[k]);
        set(&q, Q_WORLD_DIRECTION + k, direction[k]);
    }
    copy(&q, Q_ORIGIN, Q_WORLD_ORIGIN, 6);
    for (unsigned k = 0; k < HIT_WORDS; k++) {
        set_number(&q, Q_CANDIDATE + k, 0);
        set_number(&q, Q_COMMITTED + k, 0);
    }
    set(&q, Q_COMMITTED + HIT_T, spirv_scalar(r, i, 8));
    set_number(&q, Q_CURRENT, 0);
    set_number(&q, Q_LAST, 0);
    set_number(&q, Q_DEPTH, 0);
    set_number(&q, Q_LOST, 0);
    set_number(&q, Q_ENTRY, UINT32_MAX);
    set_number(&q, Q_BOTTOM, NO_BOTTOM);
    set_number(&q, Q_TOP, 0);
    set_member(&q, MEMBER_ADDRESSES, A_ACCEL, accel);
    ir_ref root = pack_address(&q, load_words(&q, accel, ACCEL_ROOT, 2, 8));
    set_member(&q, MEMBER_ADDRESSES, A_ROOT, root);
    set_member(&q, MEMBER_ADDRESSES, A_HIERARCHY, root);
    set_boolean(&q, IS_ACTIVE, spirv_imm(r, 1, 1));
}

/* ---- questions ---- */

/* Candidate or committed, as operand 4 says. */
static unsigned
hit_operand(spirv_reader *r, const spirv_insn *i)
{
    return spirv_const_word(r, i, 4) ? Q_COMMITTED : Q_CANDIDATE;
}

static ir_ref
hit_word(spirv_reader *r, const spirv_insn *i, unsigned word)
{
    query q = query_operand(r, i, 3);
    return get(&q, hit_operand(r, i) + word);
}

/* The candidate's kind is 0 for a triangle, 1 for a box; the committed one's is one more, or 0 if
 * there is none. */
static ir_ref
hit_type(spirv_reader *r, const spirv_insn *i)
{
    ir_ref flags = hit_word(r, i, HIT_FLAGS);
    ir_ref is_hit = irb_iand(&r->b, flags, spirv_imm(r, 32, IS_HIT));
    ir_ref is_box = ir_build_alu(&r->b, IR_b2i, IR_I32,
                                 irb_ine(&r->b,
                                         irb_iand(&r->b, flags, spirv_imm(r, 32, BASE_HIT_BOX)),
                                         spirv_imm(r, 32, 0)),
                                 ir_none(), ir_none());
    return irb_iadd(&r->b, is_hit, is_box);
}

/* A word of the instance's head, of which the lower 24 bits count. */
static ir_ref
instance_word(spirv_reader *r, const spirv_insn *i, unsigned word)
{
    query q = query_operand(r, i, 3);
    ir_ref head = instance_head(&q, hit_word(r, i, HIT_INSTANCE));
    return irb_iand(&r->b, component(head, word), spirv_imm(r, 32, LOW_24));
}

static ir_ref
geometry(spirv_reader *r, const spirv_insn *i)
{
    query q = query_operand(r, i, 3);
    ir_ref hierarchy = pack_address(&q, instance_head(&q, hit_word(r, i, HIT_INSTANCE)));
    ir_ref leaf = scaled(&q, hierarchy, hit_word(r, i, HIT_NODE), BASE_NODE_BYTES);
    return load_words(&q, leaf, LEAF_GEOMETRY, 1, 4);
}

static ir_ref
has_not(spirv_reader *r, const spirv_insn *i, ir_ref flags, uint32_t mask)
{
    query q = query_operand(r, i, 3);
    return irb_inot(&r->b, has(&q, flags, mask));
}

static ir_ref
scalar_result(spirv_reader *r, const spirv_insn *i)
{
    query q = query_operand(r, i, 3);
    switch (i->op) {
    case SPIRV_OpRayQueryGetIntersectionTypeKHR: return hit_type(r, i);
    case SPIRV_OpRayQueryGetRayTMinKHR: return get(&q, Q_TMIN);
    case SPIRV_OpRayQueryGetRayFlagsKHR:
        return irb_ubitfield_extract(q.b, get(&q, Q_FLAGS), number(&q, BASE_RAY_FLAGS_SHIFT),
                                     number(&q, 12));
    case SPIRV_OpRayQueryGetIntersectionTKHR: return hit_word(r, i, HIT_T);
    case SPIRV_OpRayQueryGetIntersectionInstanceCustomIndexKHR:
        return instance_word(r, i, INSTANCE_INDEX);
    case SPIRV_OpRayQueryGetIntersectionInstanceIdKHR: return hit_word(r, i, HIT_INSTANCE);
    case SPIRV_OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR:
        return instance_word(r, i, INSTANCE_FLAGS);
    case SPIRV_OpRayQueryGetIntersectionGeometryIndexKHR: return geometry(r, i);
    case SPIRV_OpRayQueryGetIntersectionPrimitiveIndexKHR: return hit_word(r, i, HIT_PRIMITIVE);
    case SPIRV_OpRayQueryGetIntersectionFrontFaceKHR:
        return has_not(r, i, hit_word(r, i, HIT_FLAGS), BASE_HIT_BACK_FACE);
    default: /* OpRayQueryGetIntersectionCandidateAABBOpaqueKHR */
        return has_not(r, i, get(&q, Q_CANDIDATE + HIT_FLAGS), BASE_HIT_NOT_OPAQUE);
    }
}

/* The ray in the space of a hit's instance. */
static void
object_ray(spirv_reader *r, const spirv_insn *i, ir_ref *leaf)
{
    query q = query_operand(r, i, 3);
    ir_ref row[3], origin[3], direction[3];
    const bool is_origin = i->op == SPIRV_OpRayQueryGetIntersectionObjectRayOriginKHR;
    if (hit_operand(r, i) == Q_CANDIDATE) { /* the walk is in its instance */
        for (unsigned k = 0; k < 3; k++)
            leaf[k] = get(&q, (is_origin ? Q_ORIGIN : Q_DIRECTION) + k);
        return;
    }
    load_matrix(&q, hit_word(r, i, HIT_INSTANCE), INSTANCE_TO_OBJECT, row);
    transform_ray(&q, row, origin, direction);
    memcpy(leaf, is_origin ? origin : direction, sizeof origin);
}

/* The instance's matrix, by columns. */
static void
matrix(spirv_reader *r, const spirv_insn *i, int32_t bytes, ir_ref *leaf)
{
    query q = query_operand(r, i, 3);
    ir_ref row[3];
    load_matrix(&q, hit_word(r, i, HIT_INSTANCE), bytes, row);
    for (unsigned k = 0; k < 12; k++)
        leaf[k] = component(row[k % 3], k / 3);
}

static void
answer(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1);
    query q = query_operand(r, i, 3);
    ir_ref leaf[12] = {0};
    unsigned n = 3;
    switch (i->op) {
    case SPIRV_OpRayQueryGetWorldRayOriginKHR:
    case SPIRV_OpRayQueryGetWorldRayDirectionKHR:
        for (unsigned k = 0; k < 3; k++)
            leaf[k] = get(&q, (i->op == SPIRV_OpRayQueryGetWorldRayOriginKHR
                                   ? Q_WORLD_ORIGIN
                                   : Q_WORLD_DIRECTION) +
                                  k);
        break;
    case SPIRV_OpRayQueryGetIntersectionBarycentricsKHR:
        n = 2;
        leaf[0] = hit_word(r, i, HIT_BARYCENTRICS);
        leaf[1] = hit_word(r, i, HIT_BARYCENTRICS + 1);
        break;
    case SPIRV_OpRayQueryGetIntersectionObjectRayOriginKHR:
    case SPIRV_OpRayQueryGetIntersectionObjectRayDirectionKHR: object_ray(r, i, leaf); break;
    case SPIRV_OpRayQueryGetIntersectionObjectToWorldKHR:
        n = 12;
        matrix(r, i, INSTANCE_TO_WORLD, leaf);
        break;
    case SPIRV_OpRayQueryGetIntersectionWorldToObjectKHR:
        n = 12;
        matrix(r, i, INSTANCE_TO_OBJECT, leaf);
        break;
    default:
        n = 1;
        leaf[0] = scalar_result(r, i);
        break;
    }
    if (t->leaves != n || spirv_leaf_type(r, t, 0) != ir_ref_type(r->f, leaf[0]))
        spirv_invalid(r, "the result is not of the type that the instruction gives");
    ir_ref *result = spirv_new_leaves(r, n);
    memcpy(result, leaf, n * sizeof *leaf);
    spirv_define(r, i, result);
}

/* An address, as a number or as two words. */
static void
convert(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_operand_type(r, i, 3);
    const ir_ref *x = spirv_operand(r, i, 3);
    if (spirv_type_ref(r, i, 1)->kind != SPIRV_ACCEL || (t->bits != 64 && t->leaves != 2))
        spirv_invalid(r, "the operand is not an address of an acceleration structure");
    spirv_define_scalar(r, i, t->bits == 64 ? x[0] : irb_pack_64_2x32(&r->b, x[0], x[1]));
}

void
spirv_emit_ray_query(spirv_reader *r, const spirv_insn *i)
{
    query q;
    switch (i->op) {
    case SPIRV_OpConvertUToAccelerationStructureKHR: convert(r, i); break;
    case SPIRV_OpRayQueryInitializeKHR: initialize(r, i); break;
    case SPIRV_OpRayQueryTerminateKHR:
        q = query_operand(r, i, 1);
        set_boolean(&q, IS_ACTIVE, spirv_imm(r, 1, 0));
        break;
    case SPIRV_OpRayQueryGenerateIntersectionKHR: generate(r, i); break;
    case SPIRV_OpRayQueryConfirmIntersectionKHR:
        q = query_operand(r, i, 1);
        commit(&q);
        break;
    case SPIRV_OpRayQueryProceedKHR: proceed(r, i); break;
    default: answer(r, i); break;
    }
}
