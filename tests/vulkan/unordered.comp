#version 450
// Makes one array from another, for a time that the application chooses.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer source { uint from[]; };
layout(std430, binding = 1) writeonly buffer result { uint to[]; };
layout(push_constant) uniform constants { uint rounds; };

void main()
{
    uint at = gl_GlobalInvocationID.x, v = from[at];
    for (uint k = 0; k < rounds; k++)
        v = v * 3 + 1;
    to[at] = v;
}
