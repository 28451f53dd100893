#version 450
layout(local_size_x = 16) in;
const uint primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
const vec3 directions[2][2] = {{vec3(1, 0, 0), vec3(0, 1, 0)}, {vec3(0, 0, 1), vec3(-1, -1, -1)}};
uint calls = 0;
layout(std430, binding = 2000) buffer O { float result[]; };
uint next(uint i)
{
    calls += 2;
    return primes[(i + calls) % 8];
}
void main()
{
    uint i = gl_LocalInvocationIndex;
    uint local_list[4] = {i, i * 2, i * 3, i * 4};
    local_list[i % 4] = 100;
    vec3 d = directions[i & 1][(i >> 1) & 1];
    uint a = next(i), b = next(i + 1);
    result[i] = a + 100 * b + local_list[(i + 1) % 4] * 10000 + dot(d, vec3(1, 2, 3)) + (i % 3 + 0.5) + (i % 3 + 1) + calls;
}
