#version 450
layout(local_size_x = 1) in;
struct Nested { uvec2 pair; uint one; };
layout(std140, binding = 3) uniform Packed { vec4 r[4]; };
layout(std140, set = 2, binding = 1) uniform L { vec3 position; float range; Nested nested; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    result[0] = r[0].w;
    result[1] = r[1].y;
    result[2] = r[1].z;
    result[3] = r[1].w;
    result[4] = r[3].x;
    result[5] = position.z;
    result[6] = range;
    result[7] = nested.pair.y;
    result[8] = nested.one;
}
