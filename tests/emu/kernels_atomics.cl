/* Kernels of global and generic atomics: all operations, memory orders and scopes; locks and messages built from them. */

#define GLOBAL_OP(name, p, v) __scoped_atomic_fetch_##name(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)

/* Atomics with used results. */
KERNEL atomics_returned(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID], ticket = GLOBAL_OP(add, &out[0], 1), place = GLOBAL_OP(sub, &out[1], 1);
    out[16 + ticket] = 1;
    GLOBAL_OP(add, &out[12], 0u - place);
    uint got = __scoped_atomic_exchange_n(&out[2], 5, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    GLOBAL_OP(add, &out[3], got);
    /* each bit is counted by the item that set it */
    uint bit = 1u << (v & 31), was = GLOBAL_OP(or, &out[4], bit);
    GLOBAL_OP(add, &out[5], (was & bit) == 0);
    uint flips = GLOBAL_OP(xor, &out[6], 1);
    GLOBAL_OP(add, &out[7], flips & 1);
    uint cleared = GLOBAL_OP(and, &out[8], 0);
    GLOBAL_OP(add, &out[9], cleared);
    uint most = GLOBAL_OP(max, &out[10], v | 1);
    if (most == 0) /* the first */
        GLOBAL_OP(add, &out[11], 1);
}

/* Increments and decrements that wrap. */
KERNEL atomics_wrap(const global uint *a, const global uint *b, global uint *out, uint n)
{
    __builtin_amdgcn_atomic_inc32(&out[0], 99, __ATOMIC_RELAXED, "agent");
    __builtin_amdgcn_atomic_dec32(&out[1], 77, __ATOMIC_RELAXED, "agent");
    __builtin_amdgcn_atomic_inc64((global ulong *)&out[2], 1000, __ATOMIC_RELAXED, "agent");
    uint was = __builtin_amdgcn_atomic_inc32(&out[4], n - 1, __ATOMIC_RELAXED, "agent");
    out[16 + was] = 1;
}

/* All 64-bit atomics. */
KERNEL atomics64_all(const global uint *a, const global uint *b, global uint *out, uint n)
{
    global ulong *p = (global ulong *)out;
    ulong v = (ulong)a[GID] << 32 | b[GID];
    GLOBAL_OP(add, &p[0], v);
    GLOBAL_OP(sub, &p[1], v);
    GLOBAL_OP(and, &p[2], v | 0xff00ff);
    GLOBAL_OP(or, &p[3], v & 0xff00ff00ff00ff);
    GLOBAL_OP(xor, &p[4], v);
    GLOBAL_OP(min, &p[5], v);
    GLOBAL_OP(max, &p[6], v);
    GLOBAL_OP(min, (global long *)&p[7], (long)v);
    GLOBAL_OP(max, (global long *)&p[8], (long)v);
    ulong got = __scoped_atomic_exchange_n(&p[9], 0x500000007, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    GLOBAL_OP(add, &p[10], got);
    ulong old = __scoped_atomic_load_n(&p[11], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    while (!__scoped_atomic_compare_exchange_n(&p[11], &old, old + (v & 0xffffff), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __MEMORY_SCOPE_DEVICE))
        ;
    ulong ticket = GLOBAL_OP(add, &p[12], 1);
    out[32 + ticket] = 1;
}

/* Sums of floats in memory; the values are integers, so the order does not matter. */
KERNEL atomics_float(const global uint *a, const global uint *b, global uint *out, uint n)
{
    global float *f = (global float *)out;
    global double *d = (global double *)(out + 8);
    GLOBAL_OP(add, &f[a[GID] & 3], (float)(b[GID] & 0xfff));
    GLOBAL_OP(sub, &f[4], (float)(a[GID] & 0xff));
    GLOBAL_OP(add, &d[b[GID] & 1], (double)a[GID]);
    GLOBAL_OP(sub, &d[2], 1.0);
}

/* OpenCL's atomics in all memory orders and scopes. */
KERNEL opencl_atomics(const global uint *a, const global uint *b, global uint *out, uint n)
{
    volatile global atomic_uint *p = (volatile global atomic_uint *)out;
    local atomic_uint s;
    uint v = a[GID];
    if (LID == 0)
        __opencl_atomic_init(&s, 0);
    group_barrier();
    __opencl_atomic_fetch_add(&p[0], v, memory_order_relaxed, memory_scope_device);
    __opencl_atomic_fetch_add(&p[1], v, memory_order_acquire, memory_scope_device);
    __opencl_atomic_fetch_sub(&p[2], v, memory_order_release, memory_scope_device);
    __opencl_atomic_fetch_xor(&p[3], v, memory_order_acq_rel, memory_scope_device);
    __opencl_atomic_fetch_or(&p[4], v & 0x0f0f0f0f, memory_order_seq_cst, memory_scope_device);
    __opencl_atomic_fetch_max(&p[5], v, memory_order_relaxed, memory_scope_all_svm_devices);
    __opencl_atomic_fetch_and(&p[6], v, memory_order_seq_cst, memory_scope_all_svm_devices);
    __opencl_atomic_fetch_min(&p[7], ~v, memory_order_acq_rel, memory_scope_all_svm_devices);
    __opencl_atomic_fetch_add(&s, 1, memory_order_acq_rel, memory_scope_work_group);
    uint expected = __opencl_atomic_load(&p[8], memory_order_acquire, memory_scope_device);
    while (!__opencl_atomic_compare_exchange_weak(&p[8], &expected, expected + 3, memory_order_acq_rel, memory_order_acquire,
                                                  memory_scope_device))
        ;
    expected = 0;
    if (__opencl_atomic_compare_exchange_strong(&p[9], &expected, 77, memory_order_seq_cst, memory_order_relaxed,
                                                memory_scope_device))
        __opencl_atomic_fetch_add(&p[10], 1, memory_order_relaxed, memory_scope_device);
    __opencl_atomic_store(&p[11], 5, memory_order_release, memory_scope_device);
    uint got = __opencl_atomic_exchange(&p[12], 1, memory_order_seq_cst, memory_scope_device);
    __opencl_atomic_fetch_add(&p[13], got, memory_order_relaxed, memory_scope_device);
    group_barrier();
    if (LID == 0)
        out[16 + GID / GROUP] = __opencl_atomic_load(&s, memory_order_relaxed, memory_scope_work_group);
}

/* The group that ends last adds the results of all groups. */
KERNEL last_group(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP], last;
    s[LID] = a[GID] ^ b[GID];
    group_barrier();
    for (uint d = GROUP / 2; d > 0; d /= 2) {
        if (LID < d)
            s[LID] += s[LID + d];
        group_barrier();
    }
    if (LID == 0) {
        out[16 + GID / GROUP] = s[0];
        uint done = __scoped_atomic_fetch_add(&out[0], 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
        last = done == n / GROUP - 1;
    }
    group_barrier();
    if (last && LID < n / GROUP)
        __scoped_atomic_fetch_add(&out[1], out[16 + LID], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

/* A lock in LDS, taken by one lane of every 64; plain instructions access the data that it guards. */
KERNEL lock_lds(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint lock, count, sum;
    if (LID == 0)
        lock = count = sum = 0;
    group_barrier();
    if (LID % 64 == 0)
        for (uint k = 0; k < 3; k++) {
            uint open = 0;
            while (!__scoped_atomic_compare_exchange_n(&lock, &open, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED,
                                                       __MEMORY_SCOPE_WRKGRP))
                open = 0;
            count = count + 1;
            sum = sum + a[GID + k];
            __scoped_atomic_store_n(&lock, 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP);
        }
    group_barrier();
    out[GID] = mix(count, sum);
}

/* A lock in memory for all groups, released by an exchange or by a store. */
KERNEL lock_global(const global uint *a, const global uint *b, global uint *out, uint n)
{
    if (LID % 64 == 0)
        for (uint k = 0; k < 3; k++) {
            while (__scoped_atomic_exchange_n(&out[0], 1, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE))
                ;
            out[1] = out[1] + 1;
            out[2] = out[2] + a[GID + k];
            if (k == 1)
                __scoped_atomic_exchange_n(&out[0], 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
            else
                __scoped_atomic_store_n(&out[0], 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
        }
}

/* One wave sends a message to the others through memory, which they poll. */
KERNEL message(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint group = GID / GROUP;
    if (LID < 64) {
        out[64 + group * 64 + LID] = a[GID] * 3;
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
        if (LID % 32 == 0)
            __scoped_atomic_fetch_add(&out[group], 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
    } else {
        while (__scoped_atomic_load_n(&out[group], __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) < 2)
            ;
        out[320 + group * 64 + LID - 64] = out[64 + group * 64 + LID - 64] + b[GID];
    }
}

#ifndef __GFX6__
__attribute__((noinline)) static void
bump(uint *p, uint by)
{
    __scoped_atomic_fetch_add(p, by, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

/* Atomics through generic pointers, to memory and LDS in one instruction. */
KERNEL atomics_generic(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[2];
    if (LID < 2)
        s[LID] = 0;
    group_barrier();
    uint which = a[GID] % 3;
    uint *p = which == 0 ? (uint *)&s[0] : which == 1 ? (uint *)&s[1] : (uint *)&out[8];
    bump(p, b[GID]);
    group_barrier();
    if (LID < 2)
        GLOBAL_OP(add, &out[LID], s[LID]);
}
#endif
