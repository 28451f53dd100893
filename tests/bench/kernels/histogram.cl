#include "kernels.h"

KERNEL(128, 1)
histogram(const global uchar4 *restrict in, global uint *restrict bins, uint n)
{
    local uint counts[256];
    uint l = LID_X;
    for (uint b = l; b < 256; b += 128)
        counts[b] = 0;
    sync();
    for (uint i = GROUP_X * 512 + l; i < MIN(GROUP_X * 512 + 512, n); i += 128) {
        uchar4 v = in[i];
        __opencl_atomic_fetch_add((local atomic_uint *)&counts[v.x], 1, memory_order_relaxed, memory_scope_work_group);
        __opencl_atomic_fetch_add((local atomic_uint *)&counts[v.y], 1, memory_order_relaxed, memory_scope_work_group);
        __opencl_atomic_fetch_add((local atomic_uint *)&counts[v.z], 1, memory_order_relaxed, memory_scope_work_group);
        __opencl_atomic_fetch_add((local atomic_uint *)&counts[v.w], 1, memory_order_relaxed, memory_scope_work_group);
    }
    sync();
    for (uint b = l; b < 256; b += 128)
        __opencl_atomic_fetch_add((global atomic_uint *)&bins[b], counts[b], memory_order_relaxed, memory_scope_device);
}
