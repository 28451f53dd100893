#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 1000) uniform texture2D depth;
layout(binding = 3000) uniform samplerShadow less;
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uvec2 t = gl_GlobalInvocationID.xy;
    result[t.y * 8 + t.x] = textureLod(sampler2DShadow(depth, less), vec3((vec2(t) + 0.5) / 8, 0.5), 0);
}
