/* The walk of a ray query: down into the nearest child, up by the stack or by parents, in and out
 * of instances (ray_query.c). */
#include "spirv/ray_query.h"

enum {
    CHILD_BITS = 3,
    FIRST_CHILD = 8, /* bit of the child that is last in a list */
};

/* ---- up ---- */

static void
finish(const spirv_query *q)
{
    spirv_q_set_boolean(q, SPIRV_Q_IS_ACTIVE, spirv_imm(q->r, 1, 0));
    spirv_q_set_boolean(q, SPIRV_Q_IS_SEARCHING, spirv_imm(q->r, 1, 0));
}

/* Back to the top level. */
static void
leave_instance(const spirv_query *q)
{
    spirv_q_set_number(q, SPIRV_Q_ENTRY, UINT32_MAX);
    spirv_q_set_number(q, SPIRV_Q_BOTTOM, SPIRV_Q_NO_BOTTOM);
    spirv_q_set(q, SPIRV_Q_LAST, spirv_q_get(q, SPIRV_Q_TOP));
    spirv_q_set_address(q, SPIRV_Q_HIERARCHY, spirv_q_address(q, SPIRV_Q_ROOT));
    spirv_q_copy(q, SPIRV_Q_ORIGIN, SPIRV_Q_WORLD_ORIGIN, 3);
    spirv_q_copy(q, SPIRV_Q_DIRECTION, SPIRV_Q_WORLD_DIRECTION, 3);
}

static void
enter_instance(const spirv_query *q, ir_ref instance, ir_ref leaf)
{
    ir_ref head = spirv_q_instance(q, instance), row[3], origin[3], direction[3];
    spirv_q_matrix(q, instance, SPIRV_INSTANCE_TO_OBJECT, row);
    spirv_q_transform(q, row, origin, direction);
    for (unsigned k = 0; k < 3; k++) {
        spirv_q_set(q, SPIRV_Q_ORIGIN + k, origin[k]);
        spirv_q_set(q, SPIRV_Q_DIRECTION + k, direction[k]);
    }
    spirv_q_set(q, SPIRV_Q_CANDIDATE + SPIRV_HIT_INSTANCE, instance);
    spirv_q_set(q, SPIRV_Q_FLAGS,
                irb_bitfield_select(q->b, spirv_q_number(q, SPIRV_LOW_24),
                                    spirv_q_get(q, SPIRV_Q_FLAGS),
                                    ir_comp(head, SPIRV_INSTANCE_FLAGS)));
    spirv_q_set_address(q, SPIRV_Q_HIERARCHY, spirv_q_pack(q, head));
    spirv_q_set(q, SPIRV_Q_ENTRY, spirv_q_get(q, SPIRV_Q_DEPTH));
    spirv_q_set_number(q, SPIRV_Q_BOTTOM, 0);
    spirv_q_set(q, SPIRV_Q_TOP, leaf);
    spirv_q_set_number(q, SPIRV_Q_CURRENT, 0);
}

/* To the parent of the node that was visited last, if there is one. */
static void
climb(const spirv_query *q)
{
    spirv_arms a;
    ir_ref last = spirv_q_get(q, SPIRV_Q_LAST);
    spirv_begin_then(q->r, &a, spirv_q_is(q, last, 0));
    finish(q);
    spirv_begin_else(q->r, &a, SPIRV_FALLS);
    ir_ref bytes = irb_umul_2x32_64(q->b, last, spirv_q_number(q, 4));
    ir_ref at = irb_isub(q->b, spirv_q_address(q, SPIRV_Q_HIERARCHY), bytes);
    spirv_q_set(q, SPIRV_Q_CURRENT, spirv_q_load(q, at, -4, 1, 4));
    spirv_q_set(q, SPIRV_Q_CAME_FROM, last);
    spirv_end_if(q->r, &a, SPIRV_FALLS);
}

/* Takes the next child of the last entry, which goes with its last child. */
static void
pop(const spirv_query *q)
{
    ir_builder *b = q->b;
    ir_ref depth = irb_iadd(b, spirv_q_get(q, SPIRV_Q_DEPTH), spirv_q_number(q, UINT32_MAX));
    spirv_ptr entry = spirv_q_stack(q, depth), list_of = entry;
    spirv_step(q->r, &entry, 0);
    spirv_step(q->r, &list_of, 1);
    ir_ref first = spirv_load(q->r, &entry, 0, 0)[0], list = spirv_load(q->r, &list_of, 0, 0)[0];
    list = irb_iadd(b, list,
                    spirv_q_number(q, 0u - CHILD_BITS)); /* the place is in its lowest bits */
    ir_ref child = irb_iand(b, irb_ushr(b, list, list), spirv_q_number(q, (1 << CHILD_BITS) - 1));
    ir_ref is_last = spirv_q_is(q, irb_iand(b, list, spirv_q_number(q, 31)), FIRST_CHILD);
    spirv_store(q->r, &list_of, &list, 0, 0);
    spirv_q_set(q, SPIRV_Q_CURRENT, irb_iadd(b, first, child));
    spirv_q_set(q, SPIRV_Q_DEPTH, irb_bcsel(b, is_last, depth, spirv_q_get(q, SPIRV_Q_DEPTH)));
}

/* Finds the next node where nothing is left below the last one. */
static void
go_up(const spirv_query *q)
{
    ir_builder *b = q->b;
    spirv_arms done, leaves, lost;
    spirv_begin_then(q->r, &done, spirv_q_is(q, spirv_q_get(q, SPIRV_Q_DEPTH), 0));
    finish(q);
    spirv_begin_else(q->r, &done, SPIRV_FALLS);
    ir_ref at_entry = irb_ige(b, spirv_q_get(q, SPIRV_Q_ENTRY), spirv_q_get(q, SPIRV_Q_DEPTH));
    ir_ref at_bottom = irb_ieq(b, spirv_q_get(q, SPIRV_Q_LAST), spirv_q_get(q, SPIRV_Q_BOTTOM));
    spirv_begin_then(q->r, &leaves, irb_ior(b, at_entry, at_bottom));
    leave_instance(q);
    spirv_begin_else(q->r, &leaves, SPIRV_FALLS);
    spirv_end_if(q->r, &leaves, SPIRV_FALLS);
    spirv_begin_then(q->r, &lost,
                     irb_ige(b, spirv_q_get(q, SPIRV_Q_LOST), spirv_q_get(q, SPIRV_Q_DEPTH)));
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
next_child(const spirv_query *q, ir_ref first, ir_ref list)
{
    const uint32_t ones = 0x24924900, highs = ones << (CHILD_BITS - 1);
    ir_builder *b = q->b;
    ir_ref from = irb_isub(b, spirv_q_get(q, SPIRV_Q_CAME_FROM), first);
    /* the lowest number that is 0 after this is the child's (Warren, Hacker's Delight, 6-1) */
    ir_ref x = irb_ixor(b, irb_imul(b, from, spirv_q_number(q, ones)), list);
    ir_ref zeros = irb_iand(b, irb_iadd(b, x, spirv_q_number(q, 0u - ones)), irb_inot(b, x));
    ir_ref at = irb_find_lsb(b, irb_iand(b, zeros, spirv_q_number(q, highs)));
    at = irb_iadd(b, at, spirv_q_number(q, 1u - CHILD_BITS)); /* its lowest bit; none: negative */
    ir_ref behind = irb_ilt(b, spirv_q_number(q, FIRST_CHILD), at);
    ir_ref within = irb_ige(b, irb_iand(b, list, spirv_q_number(q, 31)), at);
    ir_ref next = irb_ushr(b, list, irb_iadd(b, at, spirv_q_number(q, 0u - CHILD_BITS)));
    next = irb_iadd(b, first, irb_iand(b, next, spirv_q_number(q, (1 << CHILD_BITS) - 1)));
    return irb_bcsel(b, irb_iand(b, behind, within), next, spirv_q_number(q, BASE_RAY_NO_NODE));
}

static void
push(const spirv_query *q, ir_ref first, ir_ref list)
{
    ir_builder *b = q->b;
    ir_ref depth = spirv_q_get(q, SPIRV_Q_DEPTH), word[2] = {first, list};
    const spirv_ptr entry = spirv_q_stack(q, depth);
    spirv_store(q->r, &entry, word, 0, 0);
    ir_ref lost = irb_iadd(b, depth, spirv_q_number(q, 1u - SPIRV_Q_ENTRIES));
    spirv_q_set(q, SPIRV_Q_LOST, irb_imax(b, spirv_q_get(q, SPIRV_Q_LOST), lost));
    spirv_q_set(q, SPIRV_Q_DEPTH, irb_iadd(b, depth, spirv_q_number(q, 1)));
}

static void
visit_inner(const spirv_query *q, ir_ref met, ir_ref count)
{
    ir_builder *b = q->b;
    ir_ref first = ir_comp(met, 1), list = ir_comp(met, 3);
    spirv_arms some, down, many;
    spirv_begin_then(q->r, &some, irb_ine(b, count, spirv_q_number(q, 0)));
    spirv_begin_then(q->r, &down,
                     spirv_q_is(q, spirv_q_get(q, SPIRV_Q_CAME_FROM), BASE_RAY_NO_NODE));
    ir_ref nearest = irb_iand(b, irb_ushr(b, list, list), spirv_q_number(q, (1 << CHILD_BITS) - 1));
    spirv_q_set(q, SPIRV_Q_CURRENT, irb_iadd(b, first, nearest));
    spirv_begin_then(q->r, &many, irb_ult(b, spirv_q_number(q, 1), count));
    push(q, first, list);
    spirv_begin_else(q->r, &many, SPIRV_FALLS);
    spirv_end_if(q->r, &many, SPIRV_FALLS);
    spirv_begin_else(q->r, &down, SPIRV_FALLS);
    spirv_q_set(q, SPIRV_Q_CURRENT, next_child(q, first, list));
    spirv_end_if(q->r, &down, SPIRV_FALLS);
    spirv_begin_else(q->r, &some, SPIRV_FALLS);
    spirv_end_if(q->r, &some, SPIRV_FALLS);
}

/* A triangle or box: what is opaque is a hit, the shader decides about the rest. */
static void
visit_primitive(const spirv_query *q, ir_ref met, ir_ref node)
{
    spirv_arms a;
    ir_ref flags = ir_comp(met, 0);
    spirv_q_set(
        q, SPIRV_Q_CANDIDATE + SPIRV_HIT_FLAGS,
        irb_iand(q->b, flags,
                 spirv_q_number(q, BASE_HIT_BOX | BASE_HIT_NOT_OPAQUE | BASE_HIT_BACK_FACE)));
    spirv_q_set(q, SPIRV_Q_CANDIDATE + SPIRV_HIT_T, ir_comp(met, 2));
    spirv_q_set(q, SPIRV_Q_CANDIDATE + SPIRV_HIT_BARYCENTRICS, ir_comp(met, 3));
    spirv_q_set(q, SPIRV_Q_CANDIDATE + SPIRV_HIT_BARYCENTRICS + 1, ir_comp(met, 4));
    spirv_q_set(q, SPIRV_Q_CANDIDATE + SPIRV_HIT_PRIMITIVE, ir_comp(met, 1));
    spirv_q_set(q, SPIRV_Q_CANDIDATE + SPIRV_HIT_NODE, node);
    spirv_begin_then(q->r, &a, spirv_q_has(q, flags, BASE_HIT_BOX | BASE_HIT_NOT_OPAQUE));
    spirv_q_set_boolean(q, SPIRV_Q_IS_SEARCHING, spirv_imm(q->r, 1, 0));
    spirv_begin_else(q->r, &a, SPIRV_FALLS);
    spirv_q_commit(q);
    spirv_end_if(q->r, &a, SPIRV_FALLS);
}

/* A node of several leaves is visited until none of them is left; the flags say which are. */
static void
visit_leaf(const spirv_query *q, ir_ref met, ir_ref count, ir_ref node)
{
    ir_builder *b = q->b;
    ir_ref flags = ir_comp(met, 0), all = spirv_q_number(q, BASE_HIT_LEFT);
    ir_ref left = irb_iand(b, flags, all), is_done = spirv_q_is(q, left, 0);
    spirv_arms some, instance;
    spirv_q_set(q, SPIRV_Q_CURRENT,
                irb_bcsel(b, is_done, spirv_q_number(q, BASE_RAY_NO_NODE), node));
    spirv_q_set(q, SPIRV_Q_FLAGS,
                irb_bitfield_select(b, all, irb_bcsel(b, is_done, all, left),
                                    spirv_q_get(q, SPIRV_Q_FLAGS)));
    spirv_begin_then(q->r, &some, irb_ine(b, count, spirv_q_number(q, 0)));
    spirv_begin_then(q->r, &instance, spirv_q_has(q, flags, BASE_HIT_INSTANCES));
    enter_instance(q, ir_comp(met, 1), node);
    spirv_begin_else(q->r, &instance, SPIRV_FALLS);
    visit_primitive(q, met, node);
    spirv_end_if(q->r, &instance, SPIRV_FALLS);
    spirv_begin_else(q->r, &some, SPIRV_FALLS);
    spirv_end_if(q->r, &some, SPIRV_FALLS);
}

static void
visit(const spirv_query *q)
{
    ir_builder *b = q->b;
    spirv_arms leaf;
    ir_ref node = spirv_q_get(q, SPIRV_Q_CURRENT), ray[8];
    spirv_q_set(q, SPIRV_Q_LAST, node);
    spirv_q_set_number(q, SPIRV_Q_CURRENT, BASE_RAY_NO_NODE);
    for (unsigned k = 0; k < 3; k++) {
        ray[k] = spirv_q_get(q, SPIRV_Q_ORIGIN + k);
        ray[4 + k] = spirv_q_get(q, SPIRV_Q_DIRECTION + k);
    }
    ray[3] = spirv_q_get(q, SPIRV_Q_TMIN);
    ray[7] = spirv_q_get(q, SPIRV_Q_COMMITTED + SPIRV_HIT_T);
    ir_ref refs[] = {spirv_q_address(q, SPIRV_Q_HIERARCHY), node, ir_build_vec(b, ray, 8),
                     spirv_q_get(q, SPIRV_Q_FLAGS)};
    ir_ref met = ir_build_intr(b, IR_ray_intersect, IR_TYPE(32, 5), refs, 4);
    ir_ref count = irb_ubitfield_extract(
        b, ir_comp(met, 0), spirv_q_number(q, BASE_HIT_COUNT_SHIFT), spirv_q_number(q, 4));
    spirv_begin_then(q->r, &leaf, spirv_q_has(q, ir_comp(met, 0), BASE_HIT_LEAF));
    visit_leaf(q, met, count, node);
    spirv_begin_else(q->r, &leaf, SPIRV_FALLS);
    visit_inner(q, met, count);
    spirv_end_if(q->r, &leaf, SPIRV_FALLS);
}

/* Makes phis for what the walk's loop changes. */
static void
carry(const spirv_query *q)
{
    const spirv_ptr *p = q->p;
    const uint32_t words = p->leaf, addresses = words + SPIRV_Q_WORDS;
    if (p->place != SPIRV_PLACE_SSA)
        return;
    for (uint32_t k = SPIRV_Q_ORIGIN; k < SPIRV_Q_WORDS; k++)
        spirv_ssa_header_phi(q->r, p->var->ssa + words + k);
    spirv_ssa_header_phi(q->r, p->var->ssa + words + SPIRV_Q_FLAGS);
    spirv_ssa_header_phi(q->r, p->var->ssa + addresses + SPIRV_Q_HIERARCHY);
    spirv_ssa_header_phi(q->r, p->var->ssa + addresses + SPIRV_Q_ADDRESSES + SPIRV_Q_IS_ACTIVE);
}

void
spirv_q_walk(const spirv_query *q)
{
    spirv_arms up, down, end;
    spirv_loop *l = spirv_open_loop(q->r, NULL, NULL);
    carry(q);
    spirv_q_set_boolean(q, SPIRV_Q_IS_SEARCHING, spirv_imm(q->r, 1, 1));
    spirv_q_set_number(q, SPIRV_Q_CAME_FROM, BASE_RAY_NO_NODE);
    spirv_begin_then(q->r, &up, spirv_q_is(q, spirv_q_get(q, SPIRV_Q_CURRENT), BASE_RAY_NO_NODE));
    go_up(q);
    spirv_begin_else(q->r, &up, SPIRV_FALLS);
    spirv_end_if(q->r, &up, SPIRV_FALLS);
    spirv_begin_then(q->r, &down, spirv_q_boolean(q, SPIRV_Q_IS_SEARCHING));
    visit(q);
    spirv_begin_else(q->r, &down, SPIRV_FALLS);
    spirv_end_if(q->r, &down, SPIRV_FALLS);
    spirv_begin_then(q->r, &end, spirv_q_boolean(q, SPIRV_Q_IS_SEARCHING));
    spirv_begin_else(q->r, &end, SPIRV_FALLS);
    spirv_end_if(q->r, &end, SPIRV_BREAKS);
    spirv_open_continue(q->r, l, SPIRV_FALLS);
    spirv_close_loop(q->r, l);
}
