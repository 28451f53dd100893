#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;
layout(std430, binding = 2000) buffer O { uint result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, count = gl_SubgroupSize, first = i - lane, at = i * 8;
    result[at] = uint(subgroupAdd(lane) == count * (count - 1) / 2);
    result[at + 1] = uint(subgroupMin(i + 5) == first + 5 && subgroupMax(i) == first + count - 1);
    result[at + 2] = subgroupOr(1u << (i % 7)) ^ subgroupXor(lane == 3 ? 0x80u : 0u);
    result[at + 3] = subgroupAnd(~(1u << (i % 7)));
    result[at + 4] = uint(subgroupBallotBitCount(subgroupBallot(lane % 4 == 1)) * 4 == count);
    result[at + 5] = (subgroupAny(lane == 5) ? 1 : 0) + (subgroupAll(lane < 5) ? 2 : 0) + (subgroupAllEqual(first) ? 4 : 0) +
        (subgroupAllEqual(lane) ? 8 : 0);
    result[at + 6] = uint(subgroupElect() == (lane == 0));
    uint sum = 0;
    if (i % 2 == 0)
        sum = subgroupAdd(1u) * 2 == count ? 7 : 8;
    result[at + 7] = sum;
}
