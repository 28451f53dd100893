/* What a shader asks about a ray and its hits. */
#include "spirv/ray_query.h"

/* Candidate or committed, as operand 4 says. */
static unsigned
hit_operand(spirv_reader *r, const spirv_insn *i)
{
    return spirv_const_word(r, i, 4) ? SPIRV_Q_COMMITTED : SPIRV_Q_CANDIDATE;
}

static ir_ref
hit_word(spirv_reader *r, const spirv_insn *i, unsigned word)
{
    spirv_query q = spirv_q_operand(r, i, 3);
    return spirv_q_get(&q, hit_operand(r, i) + word);
}

/* The candidate's kind is 0 for a triangle, 1 for a box; the committed one's is one more, or 0 if
 * there is none. */
static ir_ref
hit_type(spirv_reader *r, const spirv_insn *i)
{
    ir_ref flags = hit_word(r, i, SPIRV_HIT_FLAGS);
    ir_ref is_hit = irb_iand(&r->b, flags, spirv_imm(r, 32, SPIRV_HIT));
    ir_ref is_box = ir_build_alu(
        &r->b, IR_b2i, IR_I32,
        irb_ine(&r->b, irb_iand(&r->b, flags, spirv_imm(r, 32, BASE_HIT_BOX)), spirv_imm(r, 32, 0)),
        ir_none(), ir_none());
    return irb_iadd(&r->b, is_hit, is_box);
}

/* A word of the instance's head, of which the lower 24 bits count. */
static ir_ref
instance_word(spirv_reader *r, const spirv_insn *i, unsigned word)
{
    spirv_query q = spirv_q_operand(r, i, 3);
    ir_ref head = spirv_q_instance(&q, hit_word(r, i, SPIRV_HIT_INSTANCE));
    return irb_iand(&r->b, ir_comp(head, word), spirv_imm(r, 32, SPIRV_LOW_24));
}

static ir_ref
geometry(spirv_reader *r, const spirv_insn *i)
{
    spirv_query q = spirv_q_operand(r, i, 3);
    ir_ref hierarchy = spirv_q_pack(&q, spirv_q_instance(&q, hit_word(r, i, SPIRV_HIT_INSTANCE)));
    ir_ref leaf = spirv_q_scaled(&q, hierarchy, hit_word(r, i, SPIRV_HIT_NODE), BASE_NODE_BYTES);
    return spirv_q_load(&q, leaf, SPIRV_LEAF_GEOMETRY, 1, 4);
}

static ir_ref
has_not(spirv_reader *r, const spirv_insn *i, ir_ref flags, uint32_t mask)
{
    spirv_query q = spirv_q_operand(r, i, 3);
    return irb_inot(&r->b, spirv_q_has(&q, flags, mask));
}

static ir_ref
scalar_result(spirv_reader *r, const spirv_insn *i)
{
    spirv_query q = spirv_q_operand(r, i, 3);
    switch (i->op) {
    case SPIRV_OpRayQueryGetIntersectionTypeKHR: return hit_type(r, i);
    case SPIRV_OpRayQueryGetRayTMinKHR: return spirv_q_get(&q, SPIRV_Q_TMIN);
    case SPIRV_OpRayQueryGetRayFlagsKHR:
        return irb_ubitfield_extract(q.b, spirv_q_get(&q, SPIRV_Q_FLAGS),
                                     spirv_q_number(&q, BASE_RAY_FLAGS_SHIFT),
                                     spirv_q_number(&q, 12));
    case SPIRV_OpRayQueryGetIntersectionTKHR: return hit_word(r, i, SPIRV_HIT_T);
    case SPIRV_OpRayQueryGetIntersectionInstanceCustomIndexKHR:
        return instance_word(r, i, SPIRV_INSTANCE_INDEX);
    case SPIRV_OpRayQueryGetIntersectionInstanceIdKHR: return hit_word(r, i, SPIRV_HIT_INSTANCE);
    case SPIRV_OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR:
        return instance_word(r, i, SPIRV_INSTANCE_FLAGS);
    case SPIRV_OpRayQueryGetIntersectionGeometryIndexKHR: return geometry(r, i);
    case SPIRV_OpRayQueryGetIntersectionPrimitiveIndexKHR:
        return hit_word(r, i, SPIRV_HIT_PRIMITIVE);
    case SPIRV_OpRayQueryGetIntersectionFrontFaceKHR:
        return has_not(r, i, hit_word(r, i, SPIRV_HIT_FLAGS), BASE_HIT_BACK_FACE);
    default: /* OpRayQueryGetIntersectionCandidateAABBOpaqueKHR */
        return has_not(r, i, spirv_q_get(&q, SPIRV_Q_CANDIDATE + SPIRV_HIT_FLAGS),
                       BASE_HIT_NOT_OPAQUE);
    }
}

/* The ray in the space of a hit's instance. */
static void
object_ray(spirv_reader *r, const spirv_insn *i, ir_ref *leaf)
{
    spirv_query q = spirv_q_operand(r, i, 3);
    ir_ref row[3], origin[3], direction[3];
    const bool is_origin = i->op == SPIRV_OpRayQueryGetIntersectionObjectRayOriginKHR;
    if (hit_operand(r, i) == SPIRV_Q_CANDIDATE) { /* the walk is in its instance */
        for (unsigned k = 0; k < 3; k++)
            leaf[k] = spirv_q_get(&q, (is_origin ? SPIRV_Q_ORIGIN : SPIRV_Q_DIRECTION) + k);
        return;
    }
    spirv_q_matrix(&q, hit_word(r, i, SPIRV_HIT_INSTANCE), SPIRV_INSTANCE_TO_OBJECT, row);
    spirv_q_transform(&q, row, origin, direction);
    memcpy(leaf, is_origin ? origin : direction, sizeof origin);
}

/* The instance's matrix, by columns. */
static void
matrix(spirv_reader *r, const spirv_insn *i, int32_t bytes, ir_ref *leaf)
{
    spirv_query q = spirv_q_operand(r, i, 3);
    ir_ref row[3];
    spirv_q_matrix(&q, hit_word(r, i, SPIRV_HIT_INSTANCE), bytes, row);
    for (unsigned k = 0; k < 12; k++)
        leaf[k] = ir_comp(row[k % 3], k / 3);
}

void
spirv_q_answer(spirv_reader *r, const spirv_insn *i)
{
    const spirv_type *t = spirv_type_ref(r, i, 1);
    spirv_query q = spirv_q_operand(r, i, 3);
    ir_ref leaf[12] = {0};
    unsigned n = 3;
    switch (i->op) {
    case SPIRV_OpRayQueryGetWorldRayOriginKHR:
    case SPIRV_OpRayQueryGetWorldRayDirectionKHR:
        for (unsigned k = 0; k < 3; k++)
            leaf[k] = spirv_q_get(&q, (i->op == SPIRV_OpRayQueryGetWorldRayOriginKHR
                                           ? SPIRV_Q_WORLD_ORIGIN
                                           : SPIRV_Q_WORLD_DIRECTION) +
                                          k);
        break;
    case SPIRV_OpRayQueryGetIntersectionBarycentricsKHR:
        n = 2;
        leaf[0] = hit_word(r, i, SPIRV_HIT_BARYCENTRICS);
        leaf[1] = hit_word(r, i, SPIRV_HIT_BARYCENTRICS + 1);
        break;
    case SPIRV_OpRayQueryGetIntersectionObjectRayOriginKHR:
    case SPIRV_OpRayQueryGetIntersectionObjectRayDirectionKHR: object_ray(r, i, leaf); break;
    case SPIRV_OpRayQueryGetIntersectionObjectToWorldKHR:
        n = 12;
        matrix(r, i, SPIRV_INSTANCE_TO_WORLD, leaf);
        break;
    case SPIRV_OpRayQueryGetIntersectionWorldToObjectKHR:
        n = 12;
        matrix(r, i, SPIRV_INSTANCE_TO_OBJECT, leaf);
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
