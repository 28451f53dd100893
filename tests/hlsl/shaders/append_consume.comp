#version 450
layout(local_size_x = 32) in;
struct Particle { vec4 place; uvec4 id; };
layout(std430, binding = 2000) buffer A { Particle to[]; };
layout(std430, binding = 2001) buffer C { Particle from[]; };
layout(std430, binding = 2002) buffer N { uint calls[]; };
layout(std430, binding = 2003) buffer X { uint to_count; };
layout(std430, binding = 2004) buffer Y { uint from_count; };
layout(std430, binding = 2005) buffer Z { uint calls_count; };
void main()
{
    Particle p = from[atomicAdd(from_count, -1) - 1];
    if (p.id.x % 3 == 0) {
        p.place *= 2;
        to[atomicAdd(to_count, 1)] = p;
    }
    calls[atomicAdd(calls_count, 1)] = p.id.y;
}
