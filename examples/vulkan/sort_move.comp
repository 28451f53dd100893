#version 450
#extension GL_KHR_shader_subgroup_ballot : require
// Moves keys to the places of their digits; those with the same digit keep their order.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer sizes { uint keys; };
layout(std430, binding = 1) readonly buffer unsorted { uvec2 from[]; };
layout(std430, binding = 2) writeonly buffer sorted { uvec2 to[]; };
layout(std430, binding = 3) readonly buffer counted { uint counts[]; };
layout(push_constant) uniform constants { uint shift; };

shared uint digits[64][16]; // of each subgroup

void main()
{
    uint own = gl_SubgroupID, k = own * gl_SubgroupSize + gl_SubgroupInvocationID;
    uint at = gl_WorkGroupID.x * 256 + k;
    uvec2 key = at < keys ? from[at] : uvec2(0);
    uint digit = key.x >> shift & 15;
    uvec4 same = subgroupBallot(at < keys);
    for (uint bit = 1; bit < 16; bit <<= 1) {
        uvec4 set = subgroupBallot((digit & bit) != 0);
        same &= (digit & bit) != 0 ? set : ~set;
    }
    for (uint d = gl_SubgroupInvocationID; d < 16; d += gl_SubgroupSize)
        digits[own][d] = 0;
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    uint rank = subgroupBallotExclusiveBitCount(same);
    if (at < keys && rank == 0)
        digits[own][digit] = subgroupBallotBitCount(same);
    barrier();
    uint place = counts[digit * gl_NumWorkGroups.x + gl_WorkGroupID.x] + rank;
    for (uint s = 0; s < own; s++)
        place += digits[s][digit];
    if (at < keys)
        to[place] = key;
}
