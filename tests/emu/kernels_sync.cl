/* Kernels of barriers, fences and group shapes: groups that do not fill a whole number of waves, and large ones; all fences; gfx12's split
 * barriers; the global wave sync of earlier generations. */

/* The last wave and the last group are partial: the missing items do not reach the barriers. */
kernel void
odd_group(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[100], sum;
    uint at = __builtin_amdgcn_workgroup_id_x() * 100 + LID;
    if (LID == 0)
        sum = 0;
    s[LID] = a[at];
    group_barrier();
    uint here = __builtin_amdgcn_workgroup_id_x() == 4 ? 50 : 100;
    __scoped_atomic_fetch_add(&sum, s[here - 1 - LID] ^ b[at], __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    group_barrier();
    out[at] = mix(sum, s[(LID * 7 + 1) % here]);
}

/* A group of 512 items. */
__attribute__((reqd_work_group_size(512, 1, 1))) kernel void
large_group(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[512];
    s[LID] = a[LID];
    for (uint k = 0; k < 5; k++) {
        group_barrier();
        uint v = s[(LID * 5 + k) & 511];
        group_barrier();
        s[LID] = mix(v, k);
    }
    group_barrier();
    out[LID] = s[511 - LID] ^ b[LID];
}

/* A group of one or two waves; clang omits the barrier if there is only one. */
__attribute__((reqd_work_group_size(32, 1, 1))) kernel void
small_group(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[32];
    uint at = __builtin_amdgcn_workgroup_id_x() * 32 + LID;
    s[LID] = a[at];
    for (uint d = 1; d < 32; d *= 2) {
        group_barrier();
        uint v = LID >= d ? s[LID - d] : 0;
        group_barrier();
        s[LID] += v;
    }
    out[at] = s[LID] + b[at];
}

#define FENCE(order, scope)                                                                        \
    __builtin_amdgcn_fence(order, scope);                                                          \
    r = mix(r, __scoped_atomic_load_n(&a[GID], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE));          \
    s[LID] = r;                                                                                    \
    out[GID] = r;
#define FENCES(scope)                                                                              \
    FENCE(__ATOMIC_ACQUIRE, scope)                                                                 \
    FENCE(__ATOMIC_RELEASE, scope)                                                                 \
    FENCE(__ATOMIC_ACQ_REL, scope)                                                                 \
    FENCE(__ATOMIC_SEQ_CST, scope)

/* Fences of all memory orders and scopes: caches are written back and invalidated. */
KERNEL fences(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    uint r = b[GID];
    FENCES("singlethread")
    FENCES("wavefront")
    FENCES("workgroup")
    FENCES("agent")
    FENCES("")
    FENCES("singlethread-one-as")
    FENCES("wavefront-one-as")
    FENCES("workgroup-one-as")
    FENCES("agent-one-as")
    FENCES("one-as")
    out[GID] = s[LID];
}

#ifdef __GFX12__
/* Does independent work between arriving at the barrier and waiting for it. */
KERNEL split_barrier(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    uint r = b[GID];
    s[LID] = a[GID];
    for (uint k = 0; k < 3; k++) {
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_s_barrier_signal(-1);
        r = mix(r, k);
        __builtin_amdgcn_s_barrier_wait(-1);
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
        r = mix(r, s[(LID + k * 37) & (GROUP - 1)]);
    }
    out[GID] = r;
}
#endif

/* Hints to the wave's scheduler, and reads of its state; they do not change results. */
KERNEL told(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[64];
    uint v = a[GID];
    __builtin_amdgcn_s_sleep(1);
    __builtin_amdgcn_s_setprio(2);
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_sched_barrier(0);
    s[LID & 63] = 1;
    __builtin_amdgcn_s_setprio(0);
    uint r = mix(v, __builtin_amdgcn_s_getreg(0x1801) & 15); /* MODE's rounding */
    r = mix(r, __builtin_flt_rounds());
    r = mix(r, *(const constant uint *)((const constant char *)__builtin_amdgcn_kernarg_segment_ptr() + 24));
    ulong less = __builtin_amdgcn_uicmp(v, b[GID], 36), all = __builtin_amdgcn_read_exec();
    r = mix(r, (less >> (LID & (__AMDGCN_WAVEFRONT_SIZE - 1)) & 1) + (all + 1 == 0 || all == 0xffffffff ? 2 : 0));
    if (n == 0)
        __builtin_trap();
    ulong before = __builtin_readsteadycounter(), after = __builtin_readsteadycounter();
    out[GID] = r + (after < before);
}
#if !defined __GFX12__
/* A barrier of the global wave sync, which counts waves. */
KERNEL wave_sync(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    uint waves = GROUP / __AMDGCN_WAVEFRONT_SIZE, id = __builtin_amdgcn_workgroup_id_x() + 3;
    if (LID < __AMDGCN_WAVEFRONT_SIZE)
        __builtin_amdgcn_ds_gws_init(waves - 1, id);
    group_barrier();
    uint r = b[GID];
    for (uint k = 0; k < 3; k++) {
        s[LID] = a[GID] + k;
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_ds_gws_barrier(waves - 1, id);
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
        r = mix(r, s[(LID + k * 37) & (GROUP - 1)]);
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_ds_gws_barrier(waves - 1, id);
    }
    out[GID] = r;
}
#endif
