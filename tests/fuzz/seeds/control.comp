#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(constant_id = 3) const int LIMIT = 7;
layout(push_constant) uniform Push { uint n; float scale; } push;
layout(binding = 0) buffer Data { uint data[]; };
layout(binding = 1) uniform Block { vec4 colour; mat4 m; int table[8]; };
shared uint sums[32];

uint
walk(uint start)
{
    uint total = 0;
    for (uint i = start; i < push.n; i++) {
        if ((data[i] & 1u) == 0u)
            continue;
        if (total > 1000u)
            break;
        switch (data[i] % 5u) {
        case 0u: total += 3u; break;
        case 1u:
        case 2u: total ^= data[i]; break;
        default: total = total * 2u + 1u;
        }
    }
    return total;
}

void
main()
{
    uint id = gl_GlobalInvocationID.x, local = gl_LocalInvocationIndex;
    sums[local] = walk(id);
    barrier();
    if (local < uint(LIMIT))
        atomicAdd(data[0], sums[(local + 1u) & 31u]);
    vec4 v = m * colour;
    do {
        v = fract(v * push.scale) + float(table[local & 7u]);
    } while (v.x > 2.0);
    data[id] = floatBitsToUint(v.y) + bitCount(id);
}
