#version 460
#extension GL_EXT_shader_atomic_int64 : enable
#extension GL_EXT_shader_atomic_float : enable
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
layout(local_size_x = 32, local_size_y = 2) in;
layout(binding = 0) buffer Counters { uint u[4]; int i[4]; float f; uint64_t l[2]; } c;
layout(binding = 1, r32ui) uniform coherent uimage2D picture;
shared uint bins[16];
shared int lowest;

void
main()
{
    uint id = gl_LocalInvocationIndex;
    if (id < 16u)
        bins[id] = 0u;
    if (id == 16u)
        lowest = 1000;
    barrier();
    uint old = atomicAdd(bins[(id * 7u) & 15u], id);
    atomicMin(lowest, int(old) - int(id));
    uint seen = atomicCompSwap(c.u[1], 0u, id);
    memoryBarrierShared();
    barrier();
    atomicOr(c.u[0], bins[id & 15u]);
    atomicExchange(c.u[2], seen);
    atomicMax(c.i[3], lowest);
    atomicAdd(c.f, float(id) * 0.5);
    atomicXor(c.l[0], uint64_t(old) << 33);
    uint before = imageAtomicAdd(picture, ivec2(id & 3u, id >> 2), 5u);
    imageAtomicMax(picture, ivec2(0), before);
}
