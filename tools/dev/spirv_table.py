#!/usr/bin/env python3
"""Prints src/spirv/opcodes.def or capabilities.def from the grammar files of the SPIR-V registry (package spirv-headers).

    tools/dev/spirv_table.py opcodes > src/spirv/opcodes.def
    tools/dev/spirv_table.py capabilities > src/spirv/capabilities.def
"""
import json
import sys

GRAMMAR = "/usr/include/spirv/unified1/spirv.core.grammar.json"

OPCODES_HEAD = """\
/* The instructions of SPIR-V: OP(number, name without "Op", operand layout). Facts of the registry's grammar
 * (spirv.core.grammar.json of spirv-headers), made by tools/dev/spirv_table.py; INTEL's are left out.
 *
 * A layout has a letter an operand: T the result's type, R the result, i an id, n a literal word, s a string,
 * v one or more words whose number the context tells; behind '|' stand optional ones, where I, N and P are all the
 * rest: ids, words, or an image-operand or memory-access mask with what it asks for.
 */
"""

CAPABILITIES_HEAD = """\
/* The capabilities of SPIR-V: CAP(number, name, support). Numbers and names are the registry's, made by
 * tools/dev/spirv_table.py. Support: YES; STAGE, it concerns other stages or instructions only, which are refused where
 * they stand; NO, the module is refused.
 */
"""

SUPPORTED = """
Matrix Shader Float16Buffer Float16 Float64 Int64 Int64Atomics Int16 Int8 ImageBasic
ImageGatherExtended StorageImageMultisample UniformBufferArrayDynamicIndexing SampledImageArrayDynamicIndexing
StorageBufferArrayDynamicIndexing StorageImageArrayDynamicIndexing ImageCubeArray SampledCubeArray ImageRect SampledRect
Sampled1D Image1D SampledBuffer ImageBuffer ImageMSArray StorageImageExtendedFormats ImageQuery
StorageImageReadWithoutFormat StorageImageWriteWithoutFormat GroupNonUniform GroupNonUniformVote
GroupNonUniformArithmetic GroupNonUniformBallot GroupNonUniformShuffle GroupNonUniformShuffleRelative
GroupNonUniformClustered GroupNonUniformQuad GroupNonUniformRotateKHR SubgroupBallotKHR SubgroupVoteKHR DrawParameters
WorkgroupMemoryExplicitLayoutKHR WorkgroupMemoryExplicitLayout8BitAccessKHR WorkgroupMemoryExplicitLayout16BitAccessKHR
StorageBuffer16BitAccess UniformAndStorageBuffer16BitAccess StoragePushConstant16 StorageInputOutput16 DeviceGroup
MultiView VariablePointersStorageBuffer VariablePointers StorageBuffer8BitAccess UniformAndStorageBuffer8BitAccess
StoragePushConstant8 DenormPreserve DenormFlushToZero SignedZeroInfNanPreserve RoundingModeRTE RoundingModeRTZ
Int64ImageEXT ShaderClockKHR ShaderNonUniform RuntimeDescriptorArray InputAttachmentArrayDynamicIndexing
UniformTexelBufferArrayDynamicIndexing StorageTexelBufferArrayDynamicIndexing UniformBufferArrayNonUniformIndexing
SampledImageArrayNonUniformIndexing StorageBufferArrayNonUniformIndexing StorageImageArrayNonUniformIndexing
InputAttachmentArrayNonUniformIndexing UniformTexelBufferArrayNonUniformIndexing
StorageTexelBufferArrayNonUniformIndexing VulkanMemoryModel VulkanMemoryModelDeviceScope PhysicalStorageBufferAddresses
DemoteToHelperInvocation AtomicFloat32AddEXT AtomicFloat64AddEXT AtomicFloat32MinMaxEXT AtomicFloat64MinMaxEXT
DotProduct DotProductInputAll DotProductInput4x8Bit DotProductInput4x8BitPacked MinLod
""".split()

OTHER_STAGES = """
Geometry Tessellation AtomicStorage TessellationPointSize GeometryPointSize ClipDistance CullDistance SampleRateShading
InputAttachment SparseResidency InterpolationFunction TransformFeedback GeometryStreams DerivativeControl MultiViewport
FragmentShadingRateKHR StencilExportEXT ShaderViewportIndexLayerEXT ShaderLayer ShaderViewportIndex
FragmentShaderSampleInterlockEXT FragmentShaderPixelInterlockEXT FragmentShaderShadingRateInterlockEXT
FragmentBarycentricKHR FragmentFullyCoveredEXT FragmentDensityEXT SampleMaskPostDepthCoverage
ComputeDerivativeGroupQuadsNV ComputeDerivativeGroupLinearNV MeshShadingEXT MeshShadingNV
""".split()


def layout(instruction):
    must, may = "", ""
    for o in instruction.get("operands", []):
        kind, q = o["kind"], o.get("quantifier", "")
        if kind == "IdResultType":
            c = "T"
        elif kind == "IdResult":
            c = "R"
        elif kind.startswith("Pair"):
            c = "N" if kind != "PairIdRefIdRef" else "I"
        elif kind.startswith("Id"):
            c = "i"
        elif kind == "LiteralString":
            c = "s"
        elif kind == "LiteralContextDependentNumber":
            c = "v"
        elif kind in ("ImageOperands", "MemoryAccess"):
            c = "P"
        elif kind in ("Decoration", "ExecutionMode", "LoopControl"):
            must += "n"
            c, q = "N", "*"
        else:
            c = "n"
        if q == "*":
            c = {"i": "I", "n": "N"}.get(c, c)
        if c == "P" and not q:
            must += "n"
            c, q = "N", "*"
        if q:
            may += c
        else:
            must += c
    return must + ("|" + may if may else "")


def opcodes(grammar):
    seen = set()
    print(OPCODES_HEAD, end="")
    for i in grammar["instructions"]:
        if i["opcode"] in seen or "INTEL" in i["opname"]:
            continue
        seen.add(i["opcode"])
        text = layout(i)
        if i["opname"] == "OpSpecConstantOp":
            text = "TRn|N"
        if i["opname"] == "OpExtInst":
            text = "TRin|N"  # what the operands are, the set tells
        print(f'OP({i["opcode"]}, {i["opname"][2:]}, "{text}")')


def capabilities(grammar):
    seen = set()
    print(CAPABILITIES_HEAD, end="")
    known = next(k for k in grammar["operand_kinds"] if k["kind"] == "Capability")["enumerants"]
    for c in known:
        if c["value"] in seen:
            continue
        seen.add(c["value"])
        name = c["enumerant"]
        support = "YES" if name in SUPPORTED else "STAGE" if name in OTHER_STAGES else "NO"
        print(f'CAP({c["value"]}, {name}, {support})')


if __name__ == "__main__":
    with open(GRAMMAR, encoding="utf-8") as f:
        {"opcodes": opcodes, "capabilities": capabilities}[sys.argv[1]](json.load(f))
