/* The kernels that test_kernels.c runs: the items, and work groups that cooperate in LDS or by atomics. */
#include "items.h"

#define GROUP 128
#define LID   ((u32)__builtin_r600_read_tidig_x())
#define GID   ((u32)__builtin_r600_read_tgid_x() * GROUP + LID)
#define KERNEL kernel void
#define ARGS  const global u32 *a, const global u32 *b, global u32 *out, u32 n

#define X(name)                                                                                    \
    KERNEL name(ARGS)                                                                              \
    {                                                                                              \
        out[GID] = item_##name(GID, a, b, n);                                                      \
    }
ITEMS(X)
#undef X

__attribute__((convergent)) void group_barrier(void) __asm("llvm.r600.group.barrier");
#define BARRIER() group_barrier()

KERNEL lds_reverse(ARGS)
{
    local u32 t[GROUP];
    t[LID] = a[GID];
    BARRIER();
    out[GID] = t[GROUP - 1 - LID] + b[GID];
}

KERNEL lds_sum(ARGS)
{
    local u32 t[GROUP];
    t[LID] = a[GID];
    for (u32 step = GROUP / 2; step; step /= 2) {
        BARRIER();
        if (LID < step)
            t[LID] += t[LID + step];
    }
    BARRIER();
    out[GID] = t[0] + LID;
}

KERNEL lds_scan(ARGS)
{
    local u32 t[GROUP];
    t[LID] = a[GID];
    for (u32 step = 1; step < GROUP; step *= 2) {
        BARRIER();
        u32 v = LID >= step ? t[LID - step] : 0;
        BARRIER();
        t[LID] += v;
    }
    out[GID] = t[LID];
}

KERNEL lds_table(ARGS)
{
    local u32 t[GROUP * 2];
    t[LID] = a[GID];
    t[LID + GROUP] = b[GID];
    BARRIER();
    out[GID] = t[a[GID] % (GROUP * 2)] ^ t[(LID * 7 + 3) % (GROUP * 2)];
}

KERNEL lds_atomics(ARGS)
{
    local u32 t[GROUP];
    t[LID] = 0;
    BARRIER();
    __atomic_fetch_add(&t[a[GID] % 16], 1, __ATOMIC_RELAXED);
    BARRIER();
    out[GID] = t[LID];
}

KERNEL bytes_out(ARGS)
{
    global uchar *o = (global uchar *)out;
    o[GID * 4 + 1] = (uchar)a[GID];
    o[GID * 4 + 3] = (uchar)b[GID];
}

KERNEL shorts_out(ARGS)
{
    global ushort *o = (global ushort *)out;
    const global ushort *s = (const global ushort *)a;
    o[GID * 2 + 1] = s[GID * 2] + (ushort)b[GID];
}
