#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std140, binding = 0) uniform View { vec2 origin; vec2 pixel; uint limit; };
layout(std430, binding = 2000) buffer O { uint result[]; };
void main()
{
    uvec2 t = gl_GlobalInvocationID.xy;
    precise vec2 c = origin + vec2(t) * pixel, z = vec2(0), s;
    uint n = 0;
    for (; n < limit; n++) {
        s = z * z;
        if (s.x + s.y > 4)
            break;
        z = vec2(s.x - s.y, z.x * z.y * 2) + c;
    }
    result[t.y * 16 + t.x] = n;
}
