#pragma OPENCL EXTENSION cl_khr_fp16 : enable
// Kernels for the tests of heddle run, compiled by clang without device libraries.
#define GLOBAL_ID(axis) \
    (__builtin_amdgcn_workgroup_id_##axis() * __builtin_amdgcn_workgroup_size_##axis() + __builtin_amdgcn_workitem_id_##axis())

kernel void
saxpy(global float *y, global const float *x, float a, uint n)
{
    uint i = GLOBAL_ID(x);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

kernel void
reverse(global uint *out, global const uint *in, local uint *t)
{
    uint l = __builtin_amdgcn_workitem_id_x(), n = __builtin_amdgcn_workgroup_size_x(), i = GLOBAL_ID(x);
    t[l] = in[i];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    out[i] = t[n - 1 - l];
}

typedef struct point {
    float x, y;
    ushort tag;
} point;

kernel void
values(global ulong *out, char c, short s, int i, long l, half h, float f, double d, float4 v, int3 w, point p)
{
    out[0] = (ulong)c;
    out[1] = (ulong)s;
    out[2] = (ulong)i;
    out[3] = (ulong)l;
    out[4] = (ulong)(h * 4);
    out[5] = (ulong)(f * 4);
    out[6] = (ulong)(d * 4);
    out[7] = (ulong)(v.x + 10 * v.y + 100 * v.z + 1000 * v.w);
    out[8] = (ulong)(w.x + 10 * w.y + 100 * w.z);
    out[9] = (ulong)(p.x + 10 * p.y + 100 * p.tag);
}

kernel void
sizes(global uint *out)
{
    if (GLOBAL_ID(x) + GLOBAL_ID(y) + GLOBAL_ID(z))
        return;
    constant ushort *hidden = (constant ushort *)__builtin_amdgcn_implicitarg_ptr();
    constant uint *packet = (constant uint *)__builtin_amdgcn_dispatch_ptr();
    for (uint a = 0; a < 3; a++) {
        out[a] = ((constant uint *)hidden)[a];        // hidden_block_count_x ...
        out[3 + a] = hidden[6 + a];                   // hidden_group_size_x ...
        out[6 + a] = hidden[9 + a];                   // hidden_remainder_x ...
        out[9 + a] = ((constant ulong *)hidden)[5 + a]; // hidden_global_offset_x ...
        out[12 + a] = packet[3 + a];                  // grid_size_x ...
    }
    out[15] = hidden[32]; // hidden_grid_dims
}

kernel void
oops(global uint *out, uint n)
{
    out[GLOBAL_ID(x) + n] = 1;
}

kernel void
forever(global volatile uint *out)
{
    while (*out == 0)
        ;
}

// Groups count in the same words.
kernel void
count(global uint *counts, global uint *sums, uint rounds)
{
    uint i = GLOBAL_ID(x);
    for (uint k = 0; k < rounds; k++)
        __atomic_fetch_add(&counts[(i + k) % 8], 1, __ATOMIC_RELAXED);
    sums[i] = i * rounds;
}
