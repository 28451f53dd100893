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
#include "spirv/ray_query.h"

static_assert(SPIRV_QUERY_STACK == SPIRV_Q_WORDS + SPIRV_Q_ADDRESSES + SPIRV_Q_BOOLEANS,
              "the stack's first leaf");

enum { RAY_FLAGS = 0x3ff /* that are known */ };

/* ---- the struct ---- */

static const spirv_type *
scalar_type(spirv_reader *r, spirv_kind kind, unsigned bits)
{
    spirv_type *t = ARENA_NEW(r->a, spirv_type);
    const uint32_t bytes = kind == SPIRV_BOOL ? 4 : bits / 8;
    *t = (spirv_type){
        .kind = (uint8_t)kind, .bits = (uint8_t)bits, .leaves = 1, .size = bytes, .align = bytes};
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
    m[MEMBER_WORDS].type = array_type(r, word, SPIRV_Q_WORDS);
    m[MEMBER_ADDRESSES].type = array_type(r, address, SPIRV_Q_ADDRESSES);
    m[MEMBER_BOOLEANS].type = array_type(r, boolean, SPIRV_Q_BOOLEANS);
    m[MEMBER_STACK].type = array_type(r, array_type(r, word, 2), SPIRV_Q_ENTRIES);
    for (unsigned k = 0; k < MEMBERS; k++)
        m[k].builtin = UINT32_MAX;
    *n = MEMBERS;
    return m;
}

/* ---- access ---- */

spirv_query
spirv_q_operand(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    spirv_query q = {.r = r, .b = &r->b, .p = spirv_pointer_operand(r, i, k)};
    if (!q.p->type->is_query)
        spirv_invalid(r, "operand %u is not a pointer to a ray query", k);
    return q;
}

static spirv_ptr
element(const spirv_query *q, unsigned member, unsigned k)
{
    spirv_ptr p = *q->p;
    spirv_step(q->r, &p, member);
    spirv_step(q->r, &p, k);
    return p;
}

static ir_ref
get_member(const spirv_query *q, unsigned member, unsigned k)
{
    const spirv_ptr p = element(q, member, k);
    return spirv_load(q->r, &p, 0, 0)[0];
}

static void
set_member(const spirv_query *q, unsigned member, unsigned k, ir_ref value)
{
    const spirv_ptr p = element(q, member, k);
    spirv_store(q->r, &p, &value, 0, 0);
}

ir_ref
spirv_q_get(const spirv_query *q, unsigned word)
{
    return get_member(q, MEMBER_WORDS, word);
}

void
spirv_q_set(const spirv_query *q, unsigned word, ir_ref value)
{
    set_member(q, MEMBER_WORDS, word, value);
}

void
spirv_q_set_number(const spirv_query *q, unsigned word, uint32_t value)
{
    spirv_q_set(q, word, spirv_q_number(q, value));
}

void
spirv_q_copy(const spirv_query *q, unsigned to, unsigned from, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        spirv_q_set(q, to + k, spirv_q_get(q, from + k));
}

ir_ref
spirv_q_address(const spirv_query *q, unsigned k)
{
    return get_member(q, MEMBER_ADDRESSES, k);
}

void
spirv_q_set_address(const spirv_query *q, unsigned k, ir_ref value)
{
    set_member(q, MEMBER_ADDRESSES, k, value);
}

ir_ref
spirv_q_boolean(const spirv_query *q, unsigned k)
{
    return get_member(q, MEMBER_BOOLEANS, k);
}

void
spirv_q_set_boolean(const spirv_query *q, unsigned k, ir_ref value)
{
    set_member(q, MEMBER_BOOLEANS, k, value);
}

spirv_ptr
spirv_q_stack(const spirv_query *q, ir_ref at)
{
    static const spirv_type index = {.kind = SPIRV_INT, .bits = 32, .leaves = 1};
    spirv_ptr p = *q->p;
    spirv_step(q->r, &p, MEMBER_STACK);
    spirv_step_dynamic(q->r, &p, irb_iand(q->b, at, spirv_imm(q->r, 32, SPIRV_Q_ENTRIES - 1)),
                       &index);
    return p;
}

/* ---- memory ---- */

ir_ref
spirv_q_load(const spirv_query *q, ir_ref base, int32_t bytes, unsigned n, unsigned align)
{
    ir_ref at = irb_iadd(q->b, base, spirv_imm(q->r, 64, (uint64_t)(int64_t)bytes));
    ir_ref v = ir_build_intr(q->b, IR_load_global, IR_TYPE(32, n), &at, 1);
    ir_instr *i = ir_built(q->b);
    ir_attr_set(i, IR_A_ACCESS, IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER);
    ir_attr_set(i, IR_A_ALIGN_MUL, align);
    return v;
}

ir_ref
spirv_q_scaled(const spirv_query *q, ir_ref base, ir_ref n, unsigned stride)
{
    return irb_iadd(q->b, base, irb_umul_2x32_64(q->b, n, spirv_q_number(q, stride)));
}

/* The address of an instance's record. */
static ir_ref
instance_record(const spirv_query *q, ir_ref instance)
{
    const ir_ref first = irb_iadd(q->b, spirv_q_address(q, SPIRV_Q_ACCEL),
                                  spirv_imm(q->r, 64, BASE_ACCEL_RECORD));
    return spirv_q_scaled(q, first, instance, BASE_ACCEL_RECORD);
}

ir_ref
spirv_q_instance(const spirv_query *q, ir_ref instance)
{
    return spirv_q_load(q, instance_record(q, instance), 0, 4, SPIRV_MATRIX_ROW);
}

void
spirv_q_matrix(const spirv_query *q, ir_ref instance, int32_t bytes, ir_ref row[3])
{
    const ir_ref record = instance_record(q, instance);
    for (int k = 0; k < 3; k++)
        row[k] = spirv_q_load(q, record, bytes + k * SPIRV_MATRIX_ROW, 4, SPIRV_MATRIX_ROW);
}

/* Row times (v, w), w being 1 for points, 0 for directions. */
static ir_ref
transform(const spirv_query *q, ir_ref row, const ir_ref v[3], bool is_point)
{
    ir_ref sum = irb_fmul(q->b, ir_comp(row, 0), v[0]);
    if (is_point)
        sum = irb_fadd(q->b, sum, ir_comp(row, 3));
    for (unsigned k = 1; k < 3; k++)
        sum = irb_fadd(q->b, sum, irb_fmul(q->b, ir_comp(row, k), v[k]));
    return sum;
}

void
spirv_q_transform(const spirv_query *q, const ir_ref row[3], ir_ref origin[3], ir_ref direction[3])
{
    ir_ref o[3], d[3];
    for (unsigned k = 0; k < 3; k++) {
        o[k] = spirv_q_get(q, SPIRV_Q_WORLD_ORIGIN + k);
        d[k] = spirv_q_get(q, SPIRV_Q_WORLD_DIRECTION + k);
    }
    for (unsigned k = 0; k < 3; k++) {
        origin[k] = transform(q, row[k], o, true);
        direction[k] = transform(q, row[k], d, false);
    }
}

/* ---- hits ---- */

void
spirv_q_commit(const spirv_query *q)
{
    spirv_q_copy(q, SPIRV_Q_COMMITTED, SPIRV_Q_CANDIDATE, SPIRV_HIT_WORDS);
    spirv_q_set(q, SPIRV_Q_COMMITTED + SPIRV_HIT_FLAGS,
                irb_ior(q->b, spirv_q_get(q, SPIRV_Q_CANDIDATE + SPIRV_HIT_FLAGS),
                        spirv_q_number(q, SPIRV_HIT)));
    ir_ref ends = spirv_q_has(q, spirv_q_get(q, SPIRV_Q_FLAGS),
                              BASE_RAY_TERMINATE << BASE_RAY_FLAGS_SHIFT);
    ir_ref stays = irb_inot(q->b, ends);
    spirv_q_set_boolean(q, SPIRV_Q_IS_ACTIVE,
                        irb_iand(q->b, spirv_q_boolean(q, SPIRV_Q_IS_ACTIVE), stays));
    spirv_q_set_boolean(q, SPIRV_Q_IS_SEARCHING, stays);
}

/* A box's hit is committed where the shader says, if that is within the ray's range. */
static void
generate(spirv_reader *r, const spirv_insn *i)
{
    spirv_query q = spirv_q_operand(r, i, 1);
    ir_ref t = spirv_scalar(r, i, 2);
    spirv_arms a;
    ir_ref near = irb_fge(q.b, spirv_q_get(&q, SPIRV_Q_COMMITTED + SPIRV_HIT_T), t);
    spirv_begin_then(r, &a, irb_iand(q.b, near, irb_fge(q.b, t, spirv_q_get(&q, SPIRV_Q_TMIN))));
    spirv_q_commit(&q);
    spirv_q_set(&q, SPIRV_Q_COMMITTED + SPIRV_HIT_T, t);
    spirv_begin_else(r, &a, SPIRV_FALLS);
    spirv_end_if(r, &a, SPIRV_FALLS);
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
    spirv_query q = spirv_q_operand(r, i, 1);
    ir_builder *b = &r->b;
    if (spirv_operand_type(r, i, 2)->kind != SPIRV_ACCEL)
        spirv_invalid(r, "operand 2 is not an acceleration structure");
    ir_ref accel = spirv_operand(r, i, 2)[0];
    ir_ref flags = irb_iand(b, spirv_scalar(r, i, 3), spirv_q_number(&q, RAY_FLAGS));
    ir_ref mask = irb_iand(b, spirv_scalar(r, i, 4), spirv_q_number(&q, 0xff));
    const ir_ref *origin = vector_operand(r, i, 5), *direction = vector_operand(r, i, 7);
    flags = irb_ior(b, irb_ishl(b, flags, spirv_q_number(&q, BASE_RAY_FLAGS_SHIFT)),
                    irb_ishl(b, mask, spirv_q_number(&q, BASE_RAY_MASK_SHIFT)));
    spirv_q_set(&q, SPIRV_Q_FLAGS, irb_ior(b, flags, spirv_q_number(&q, BASE_HIT_LEFT)));
    spirv_q_set(&q, SPIRV_Q_TMIN, spirv_scalar(r, i, 6));
    for (unsigned k = 0; k < 3; k++) {
        spirv_q_set(&q, SPIRV_Q_WORLD_ORIGIN + k, origin[k]);
        spirv_q_set(&q, SPIRV_Q_WORLD_DIRECTION + k, direction[k]);
    }
    spirv_q_copy(&q, SPIRV_Q_ORIGIN, SPIRV_Q_WORLD_ORIGIN, 6);
    for (unsigned k = 0; k < SPIRV_HIT_WORDS; k++) {
        spirv_q_set_number(&q, SPIRV_Q_CANDIDATE + k, 0);
        spirv_q_set_number(&q, SPIRV_Q_COMMITTED + k, 0);
    }
    spirv_q_set(&q, SPIRV_Q_COMMITTED + SPIRV_HIT_T, spirv_scalar(r, i, 8));
    spirv_q_set_number(&q, SPIRV_Q_CURRENT, 0);
    spirv_q_set_number(&q, SPIRV_Q_LAST, 0);
    spirv_q_set_number(&q, SPIRV_Q_DEPTH, 0);
    spirv_q_set_number(&q, SPIRV_Q_LOST, 0);
    spirv_q_set_number(&q, SPIRV_Q_ENTRY, UINT32_MAX);
    spirv_q_set_number(&q, SPIRV_Q_BOTTOM, SPIRV_Q_NO_BOTTOM);
    spirv_q_set_number(&q, SPIRV_Q_TOP, 0);
    spirv_q_set_address(&q, SPIRV_Q_ACCEL, accel);
    ir_ref root = spirv_q_pack(&q, spirv_q_load(&q, accel, SPIRV_ACCEL_ROOT, 2, 8));
    spirv_q_set_address(&q, SPIRV_Q_ROOT, root);
    spirv_q_set_address(&q, SPIRV_Q_HIERARCHY, root);
    spirv_q_set_boolean(&q, SPIRV_Q_IS_ACTIVE, spirv_imm(r, 1, 1));
}

static void
proceed(spirv_reader *r, const spirv_insn *i)
{
    spirv_query q = spirv_q_operand(r, i, 3);
    spirv_arms a;
    spirv_begin_then(r, &a, spirv_q_boolean(&q, SPIRV_Q_IS_ACTIVE));
    spirv_q_walk(&q);
    spirv_begin_else(r, &a, SPIRV_FALLS);
    spirv_end_if(r, &a, SPIRV_FALLS);
    spirv_define_scalar(r, i, spirv_q_boolean(&q, SPIRV_Q_IS_ACTIVE));
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
    spirv_query q;
    switch (i->op) {
    case SPIRV_OpConvertUToAccelerationStructureKHR: convert(r, i); break;
    case SPIRV_OpRayQueryInitializeKHR: initialize(r, i); break;
    case SPIRV_OpRayQueryTerminateKHR:
        q = spirv_q_operand(r, i, 1);
        spirv_q_set_boolean(&q, SPIRV_Q_IS_ACTIVE, spirv_imm(r, 1, 0));
        break;
    case SPIRV_OpRayQueryGenerateIntersectionKHR: generate(r, i); break;
    case SPIRV_OpRayQueryConfirmIntersectionKHR:
        q = spirv_q_operand(r, i, 1);
        spirv_q_commit(&q);
        break;
    case SPIRV_OpRayQueryProceedKHR: proceed(r, i); break;
    default: spirv_q_answer(r, i); break;
    }
}
