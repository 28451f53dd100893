#version 450
// y = a * x + y, and the sum of the results of each workgroup.
layout(local_size_x = 64) in;
layout(push_constant) uniform Parameters { uint n; float a; };
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) buffer Y { float y[]; };
layout(binding = 2) buffer Sums { float sums[]; };
shared float block[64];

void
main()
{
    uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;
    float value = 0.0;
    if (i < n) {
        value = a * x[i] + y[i];
        y[i] = value;
    }
    block[lane] = value;
    for (uint step = 32u; step > 0u; step /= 2u) {
        barrier();
        if (lane < step)
            block[lane] += block[lane + step];
    }
    if (lane == 0u)
        sums[gl_WorkGroupID.x] = block[0];
}
