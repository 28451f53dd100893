#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Turns counts into places: each becomes the sum of all before it.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer sizes { uint keys; uint unused; uvec3 grid; };
layout(std430, binding = 3) buffer counted { uint counts[]; };

shared uint sums[256];
shared uint before;

void main()
{
    uint n = 16 * grid.x, k = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    if (k == 0)
        before = 0;
    for (uint first = 0; first < n; first += 256) {
        uint v = first + k < n ? counts[first + k] : 0;
        uint place = subgroupExclusiveAdd(v);
        if (gl_SubgroupInvocationID == gl_SubgroupSize - 1)
            sums[gl_SubgroupID] = place + v;
        barrier();
        place += before;
        for (uint s = 0; s < gl_SubgroupID; s++)
            place += sums[s];
        if (first + k < n)
            counts[first + k] = place;
        barrier();
        if (k == 255)
            before = place + v;
        barrier();
    }
}
