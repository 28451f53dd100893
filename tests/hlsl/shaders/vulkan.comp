#version 450
layout(local_size_x = 4) in;
layout(push_constant) uniform Push { uint base; float scale; uvec4 list; };
layout(constant_id = 3) const uint shift = 2;
layout(constant_id = 4) const bool twice = false;
layout(std140, binding = 0) uniform G { vec4 tint; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    float v = (base + (list[i] << shift)) * scale + tint[i];
    result[i] = twice ? v * 2 : v;
}
