/* The kernels that the emulator's tests run: the items of items.h, and work groups that cooperate. OpenCL's built-in library is not
 * linked; the functions needed are defined here. */
#include "items_all.h"

#define GROUP 128
#define KERNEL __attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void
#define LID __builtin_amdgcn_workitem_id_x()
#define GID (__builtin_amdgcn_workgroup_id_x() * GROUP + LID)

#define X(name)                                                                                    \
    KERNEL name(const global uint *a, const global uint *b, global uint *out, uint n)              \
    {                                                                                              \
        out[GID] = item_##name(GID, a, b, n);                                                      \
    }
ITEMS_ALL(X, X, X)
#undef X

#if defined __GFX6__ || defined __GFX7__ || defined __GFX8__ || defined __GFX9__
#define HAS_RDNA_LANES 0
#else
#define HAS_RDNA_LANES 1
#endif
#if defined __GFX6__ || defined __GFX7__
#define HAS_DPP 0
#else
#define HAS_DPP 1
#endif

/* The mask of lanes in which `p` is true. */
INLINE ulong
ballot(bool p)
{
#if __AMDGCN_WAVEFRONT_SIZE == 32
    return __builtin_amdgcn_ballot_w32(p);
#else
    return __builtin_amdgcn_ballot_w64(p);
#endif
}

/* The number of bits of `mask` below this lane. */
INLINE uint
lanes_before(ulong mask)
{
    uint low = __builtin_amdgcn_mbcnt_lo((uint)mask, 0);
#if __AMDGCN_WAVEFRONT_SIZE == 32
    return low;
#else
    return __builtin_amdgcn_mbcnt_hi((uint)(mask >> 32), low);
#endif
}

INLINE void
group_barrier(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* The sum of each group. */
KERNEL reduce(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    s[LID] = a[GID] + b[GID];
    group_barrier();
    for (uint d = GROUP / 2; d > 0; d /= 2) {
        if (LID < d)
            s[LID] += s[LID + d];
        group_barrier();
    }
    out[GID] = s[0];
}

/* Inclusive prefix sums of each group. */
KERNEL scan(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[2][GROUP];
    uint from = 0;
    s[0][LID] = a[GID];
    group_barrier();
    for (uint d = 1; d < GROUP; d *= 2) {
        s[1 - from][LID] = s[from][LID] + (LID >= d ? s[from][LID - d] : 0);
        from = 1 - from;
        group_barrier();
    }
    out[GID] = s[from][LID] ^ b[GID];
}

/* A histogram of a's values modulo 32, first in LDS; all groups add theirs to 32 words of out. */
KERNEL histogram(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint bins[32];
    if (LID < 32)
        bins[LID] = 0;
    group_barrier();
    __scoped_atomic_fetch_add((local uint *)&bins[a[GID] % 32], 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    group_barrier();
    if (LID < 32)
        __scoped_atomic_fetch_add(&out[LID], bins[LID], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

/* Transposes a 16x8 tile. */
KERNEL transpose(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint tile[8][17];
    tile[LID / 16][LID % 16] = a[GID] + b[GID];
    group_barrier();
    out[GID] = tile[LID % 8][LID / 8];
}

/* Every 32-bit atomic; all items share out[0..9]. */
KERNEL atomics(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID];
    __scoped_atomic_fetch_add(&out[0], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_sub(&out[1], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_and(&out[2], v | 0xff, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_or(&out[3], v & 0xff00ff, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_xor(&out[4], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_min(&out[5], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_max(&out[6], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_min((global int *)&out[7], (int)v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_max((global int *)&out[8], (int)v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    uint old = __scoped_atomic_load_n(&out[9], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    while (!__scoped_atomic_compare_exchange_n(&out[9], &old, old * 1 + (b[GID] & 1), 0, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
        ;
    /* each ticket is given out once */
    uint ticket = __scoped_atomic_fetch_add(&out[10], 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    out[16 + ticket] = 1;
}

KERNEL atomics64(const global uint *a, const global uint *b, global uint *out, uint n)
{
    global ulong *p = (global ulong *)out;
    ulong v = (ulong)a[GID] << 32 | b[GID];
    __scoped_atomic_fetch_add(&p[0], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_max(&p[1], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_fetch_xor(&p[2], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    local ulong s;
    if (LID == 0)
        s = 1;
    group_barrier();
    __scoped_atomic_fetch_add(&s, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    group_barrier();
    if (LID == 0)
        __scoped_atomic_fetch_add(&p[3], s, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

/* Lane operations within groups of 8, 16 and 32, so that both wave sizes agree. If a target lacks one, LDS replaces it. */
KERNEL subgroups(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    uint v = a[GID], lane = LID & 31;
    s[LID] = v;
    group_barrier();
    const local uint *wave = s + (LID & ~31u);
#if HAS_DPP
    uint r = __builtin_amdgcn_update_dpp(0, v, 0xb1, 15, 15, 1);       /* quad_perm [1,0,3,2] */
    r += __builtin_amdgcn_update_dpp(7, v, 0x111, 15, 15, 0) * 3;      /* row_shr 1, lane 0 keeps 7 */
    r += __builtin_amdgcn_update_dpp(0, v, 0x121, 15, 15, 1) * 5;      /* row_ror 1 */
    r += __builtin_amdgcn_update_dpp(0, v, 0x141, 15, 15, 1) * 7;      /* row_half_mirror */
    r += __builtin_amdgcn_ds_bpermute((int)(((LID & (__AMDGCN_WAVEFRONT_SIZE - 1)) ^ 5) * 4), v) * 19;
#else
    uint r = wave[lane ^ 1];
    r += ((lane & 15) == 0 ? 7 : wave[lane - 1]) * 3;
    r += wave[(lane & 16) | (lane - 1 & 15)] * 5;
    r += wave[lane ^ 7] * 7;
    r += wave[lane ^ 5] * 19;
#endif
#if HAS_RDNA_LANES
    r += __builtin_amdgcn_mov_dpp8(v, 0x053977) * 11;                  /* lanes 7 6 5 4 3 2 1 0 */
    r += __builtin_amdgcn_permlane16(v, v, 0x76543210, 0xfedcba98, 0, 0) * 13;
    r += __builtin_amdgcn_permlanex16(v, v, 0x01234567, 0x89abcdef, 0, 0) * 17;
#else
    r += wave[lane ^ 7] * 11;
    r += wave[lane] * 13;
    r += wave[(lane & 16 ^ 16) | ((lane & 15) < 8 ? 7 - (lane & 7) : 15 - (lane & 7))] * 17;
#endif
    r += __builtin_amdgcn_ds_swizzle(v, 0x041f) * 23;                  /* xor 1 */
    out[GID] = r;
}

/* Sorts each group's values. */
KERNEL bitonic(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    s[LID] = a[GID];
    group_barrier();
    for (uint k = 2; k <= GROUP; k *= 2)
        for (uint j = k / 2; j > 0; j /= 2) {
            uint other = LID ^ j;
            if (other > LID) {
                uint x = s[LID], y = s[other];
                if ((x > y) == ((LID & k) == 0)) {
                    s[LID] = y;
                    s[other] = x;
                }
            }
            group_barrier();
        }
    out[GID] = s[LID];
}

/* LDS by bytes, halves, doubles and vectors. */
KERNEL lds_types(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uchar bytes[GROUP];
    local ushort shorts[GROUP];
    local double doubles[GROUP];
    local uint4 vectors[GROUP];
    bytes[LID] = (uchar)a[GID];
    shorts[LID] = (ushort)b[GID];
    doubles[LID] = (double)a[GID];
    vectors[LID] = (uint4)(a[GID], b[GID], 3, 4);
    group_barrier();
    uint other = GROUP - 1 - LID;
    uint4 v = vectors[other];
    double d = doubles[other] + 0.5;
    out[GID] = bytes[other] + shorts[other] * 3u + (uint)(int)(signed char)bytes[LID] + v.x * 5 + v.y * 7 + v.z +
               v.w + (uint)__builtin_astype(d, ulong);
}

/* Work item and group ids in three dimensions, from the dispatch's hidden arguments. */
__attribute__((reqd_work_group_size(8, 4, 4))) kernel void
ids(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y(), z = __builtin_amdgcn_workitem_id_z();
    uint g = __builtin_amdgcn_workgroup_id_x() + 2 * __builtin_amdgcn_workgroup_id_y();
    uint flat = x + 8 * (y + 4 * z);
    out[g * 128 + flat] = x + 10 * y + 100 * z + 1000 * g + 10000 * __builtin_amdgcn_workgroup_size_x() +
                          1000000 * __builtin_amdgcn_workgroup_size_y() + (a[flat] & 0);
}

#include "kernels_lds.cl"
#include "kernels_atomics.cl"
#include "kernels_lanes.cl"
#include "kernels_memory.cl"
#include "kernels_target.cl"
#include "kernels_images.cl"
#include "kernels_matrix.cl"
#include "kernels_uniform.cl"
#include "kernels_sync.cl"
#include "kernels_math.cl"
