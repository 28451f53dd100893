/* Dispatches an opcode to its family of instructions. */
#include "spirv/reader.h"

typedef void
emitter(spirv_reader *r, const spirv_insn *i);

static void
ignore(spirv_reader *r, const spirv_insn *i)
{
    (void)r, (void)i;
}

static emitter *
control_emitter(unsigned op)
{
    switch (op) {
    case SPIRV_OpPhi: return spirv_emit_phi;
    case SPIRV_OpFunctionCall: return spirv_emit_call;
    case SPIRV_OpVariable: return spirv_open_local;
    case SPIRV_OpExtInst: return spirv_emit_glsl;
    case SPIRV_OpLine:
    case SPIRV_OpNoLine: return spirv_emit_debug;
    case SPIRV_OpNop: return ignore;
    default: return NULL;
    }
}

static emitter *
memory_emitter(unsigned op)
{
    switch (op) {
    case SPIRV_OpLoad:
    case SPIRV_OpStore:
    case SPIRV_OpCopyMemory:
    case SPIRV_OpCopyMemorySized:
    case SPIRV_OpArrayLength: return spirv_emit_memory;
    case SPIRV_OpAccessChain:
    case SPIRV_OpInBoundsAccessChain:
    case SPIRV_OpPtrAccessChain:
    case SPIRV_OpInBoundsPtrAccessChain:
    case SPIRV_OpPtrEqual:
    case SPIRV_OpPtrNotEqual:
    case SPIRV_OpPtrDiff:
    case SPIRV_OpConvertPtrToU:
    case SPIRV_OpConvertUToPtr:
    case SPIRV_OpImageTexelPointer: return spirv_emit_pointer;
    case SPIRV_OpControlBarrier:
    case SPIRV_OpMemoryBarrier: return spirv_emit_barrier;
    case SPIRV_OpAtomicFlagTestAndSet:
    case SPIRV_OpAtomicFlagClear:
    case SPIRV_OpAtomicFAddEXT:
    case SPIRV_OpAtomicFMinEXT:
    case SPIRV_OpAtomicFMaxEXT: return spirv_emit_atomic;
    default: return op >= SPIRV_OpAtomicLoad && op <= SPIRV_OpAtomicXor ? spirv_emit_atomic : NULL;
    }
}

static emitter *
value_emitter(unsigned op)
{
    switch (op) {
    case SPIRV_OpVectorExtractDynamic:
    case SPIRV_OpVectorInsertDynamic:
    case SPIRV_OpVectorShuffle:
    case SPIRV_OpCompositeConstruct:
    case SPIRV_OpCompositeExtract:
    case SPIRV_OpCompositeInsert:
    case SPIRV_OpCopyObject:
    case SPIRV_OpCopyLogical:
    case SPIRV_OpUndef:
    case SPIRV_OpSelect: return spirv_emit_composite;
    case SPIRV_OpTranspose:
    case SPIRV_OpVectorTimesScalar:
    case SPIRV_OpMatrixTimesScalar:
    case SPIRV_OpVectorTimesMatrix:
    case SPIRV_OpMatrixTimesVector:
    case SPIRV_OpMatrixTimesMatrix:
    case SPIRV_OpOuterProduct:
    case SPIRV_OpDot: return spirv_emit_matrix;
    case SPIRV_OpConvertFToU:
    case SPIRV_OpConvertFToS:
    case SPIRV_OpConvertSToF:
    case SPIRV_OpConvertUToF:
    case SPIRV_OpUConvert:
    case SPIRV_OpSConvert:
    case SPIRV_OpFConvert:
    case SPIRV_OpQuantizeToF16:
    case SPIRV_OpBitcast: return spirv_emit_convert;
    case SPIRV_OpSDot:
    case SPIRV_OpUDot:
    case SPIRV_OpSUDot:
    case SPIRV_OpSDotAccSat:
    case SPIRV_OpUDotAccSat:
    case SPIRV_OpSUDotAccSat: return spirv_emit_dot;
    default: return op >= SPIRV_OpSNegate && op <= SPIRV_OpBitCount ? spirv_emit_alu : NULL;
    }
}

static emitter *
other_emitter(unsigned op)
{
    if ((op >= SPIRV_OpSampledImage && op <= SPIRV_OpImageQuerySamples) ||
        (op >= SPIRV_OpImageSparseSampleImplicitLod && op <= SPIRV_OpImageSparseTexelsResident) ||
        op == SPIRV_OpImageSparseRead)
        return spirv_emit_image;
    if (op >= SPIRV_OpGroupNonUniformElect && op <= SPIRV_OpGroupNonUniformQuadSwap)
        return spirv_emit_subgroup;
    if (op >= SPIRV_OpDPdx && op <= SPIRV_OpFwidthCoarse)
        return spirv_emit_fragment;
    if ((op >= SPIRV_OpRayQueryInitializeKHR && op <= SPIRV_OpRayQueryGetIntersectionTypeKHR) ||
        (op >= SPIRV_OpRayQueryGetRayTMinKHR &&
         op <= SPIRV_OpRayQueryGetIntersectionWorldToObjectKHR))
        return spirv_emit_ray_query;
    switch (op) {
    case SPIRV_OpConvertUToAccelerationStructureKHR: return spirv_emit_ray_query;
    case SPIRV_OpDemoteToHelperInvocation:
    case SPIRV_OpIsHelperInvocationEXT:
    case SPIRV_OpBeginInvocationInterlockEXT:
    case SPIRV_OpEndInvocationInterlockEXT: return spirv_emit_fragment;
    case SPIRV_OpGroupNonUniformRotateKHR:
    case SPIRV_OpSubgroupBallotKHR:
    case SPIRV_OpSubgroupFirstInvocationKHR:
    case SPIRV_OpSubgroupAllKHR:
    case SPIRV_OpSubgroupAnyKHR:
    case SPIRV_OpSubgroupAllEqualKHR:
    case SPIRV_OpSubgroupReadInvocationKHR:
    case SPIRV_OpReadClockKHR: return spirv_emit_subgroup;
    default: return NULL;
    }
}

/* Outputs that are invariant have the same bits in all shaders that compute them alike. What may
 * differ with the rest of a shader are products of matrices (opt/order_products.c). */
static bool
is_exact(spirv_reader *r, const spirv_insn *i, emitter *e)
{
    return (e == spirv_emit_matrix && r->is_invariant) ||
           spirv_decor_find(spirv_ref(r, i, 2), SPIRV_DEC_NO_CONTRACTION, UINT32_MAX);
}

void
spirv_emit(spirv_reader *r, const spirv_insn *i)
{
    emitter *e = control_emitter(i->op);
    if (!e)
        e = memory_emitter(i->op);
    if (!e) {
        e = value_emitter(i->op);
        r->b.exact = e && i->n > 2 && is_exact(r, i, e);
    }
    if (!e)
        e = other_emitter(i->op);
    if (!e)
        spirv_unsupported(r, "%s", spirv_op_row_of(i->op)->name);
    e(r, i);
}

void
spirv_check_spec_op(spirv_reader *r, const spirv_insn *i)
{
    emitter *e = value_emitter(i->op);
    bool fits = e == spirv_emit_alu || e == spirv_emit_convert || e == spirv_emit_composite;
    if (!fits || i->op == SPIRV_OpUndef || i->op == SPIRV_OpCopyObject)
        spirv_unsupported(r, "OpSpecConstantOp with %s", spirv_op_row_of(i->op)->name);
    spirv_check_layout(r, i);
}
