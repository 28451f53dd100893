#version 450
layout(local_size_x = 64) in;
shared uint g[8];
shared int low, high;
layout(std430, binding = 2000) buffer O { uint result[]; };
layout(std430, binding = 2001) buffer R { uint raw[]; };
layout(std430, binding = 2002) buffer N { int numbers[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    if (i < 8)
        g[i] = i == 2 ? 0xffffffffu : i == 5 ? 1000u : 0u;
    if (i == 8)
        low = 0;
    if (i == 9)
        high = -100;
    barrier();
    atomicAdd(g[0], i);
    atomicOr(g[1], 1u << (i & 31));
    atomicAnd(g[2], ~(1u << (i & 15)));
    atomicXor(g[3], i * 3);
    atomicMax(g[4], i ^ 21);
    atomicMin(g[5], i + 9);
    if (atomicCompSwap(g[6], 0u, i + 1) == 0)
        atomicExchange(g[7], i + 1);
    atomicMin(low, int(i) - 40);
    atomicMax(high, int(i) - 70);
    atomicAdd(raw[0], i);
    atomicMax(raw[1], i * 2);
    atomicOr(raw[2], 1u << (i & 31));
    atomicXor(raw[3], i);
    atomicMin(raw[4], i + 3);
    atomicAnd(raw[5], ~i);
    numbers[2 + i] = int(atomicExchange(raw[6 + i], i * i));
    atomicMin(numbers[0], 5 - int(i));
    atomicMax(numbers[1], int(i) - 80);
    barrier();
    if (i < 8)
        result[i] = i == 6 ? uint(g[6] == g[7]) : i == 7 ? uint(g[7] >= 1 && g[7] <= 64) : g[i];
    if (i == 8)
        result[8] = uint(low);
    if (i == 9)
        result[9] = uint(high);
}
