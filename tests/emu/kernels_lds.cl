/* Kernels of work groups that cooperate through LDS: sizes, types, dynamic LDS, LDS atomics, barriers in loops. */

/* 32 KB, the largest size that all targets have. */
KERNEL big_lds(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[8192];
    for (uint k = 0; k < 64; k++)
        s[k * GROUP + LID] = a[GID] * k + b[GID];
    group_barrier();
    uint r = 0, at = a[GID] % 8192;
    for (uint k = 0; k < 32; k++) {
        r = mix(r, s[at]);
        at = r % 8192;
    }
    out[GID] = r;
}

/* An array whose size is set by the dispatch, after one of a fixed size. */
KERNEL dynamic_lds(const global uint *a, const global uint *b, global uint *out, uint n, local uint *dynamic)
{
    local uint fixed[GROUP];
    fixed[LID] = a[GID];
    dynamic[LID] = b[GID];
    dynamic[LID + GROUP] = a[GID] ^ 0xff;
    group_barrier();
    out[GID] = mix(fixed[GROUP - 1 - LID], dynamic[LID ^ 3]) + dynamic[GROUP + (LID * 5 & (GROUP - 1))];
}

#define LDS_OP(name, k, v) __scoped_atomic_fetch_##name(&s[k], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP)

/* Every 32-bit LDS atomic; 16 results for each group. */
KERNEL lds_atomics(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[16];
    local uint tickets[GROUP];
    uint v = a[GID];
    if (LID < 16)
        s[LID] = LID == 5 || LID == 3 ? 0xffffffff : LID == 7 ? 0x7fffffff : LID == 8 ? 0x80000000 : 0;
    tickets[LID] = 0;
    group_barrier();
    LDS_OP(add, 0, v);
    LDS_OP(sub, 1, v);
    LDS_OP(or, 2, v & 0xff00ff);
    LDS_OP(and, 3, v | 0xff);
    LDS_OP(xor, 4, v);
    LDS_OP(min, 5, v);
    LDS_OP(max, 6, v);
    __scoped_atomic_fetch_min((local int *)&s[7], (int)v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_max((local int *)&s[8], (int)v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    uint old = __scoped_atomic_load_n(&s[9], __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    while (!__scoped_atomic_compare_exchange_n(&s[9], &old, old + (v & 3), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __MEMORY_SCOPE_WRKGRP))
        ;
    uint ticket = LDS_OP(add, 10, 1);
    __scoped_atomic_fetch_add(&tickets[ticket % GROUP], 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    /* exchanges keep the sum: the values returned and the one that remains add up to the values put in */
    uint got = __scoped_atomic_exchange_n(&s[11], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    LDS_OP(add, 12, got);
    __builtin_amdgcn_atomic_inc32(&s[13], 9, __ATOMIC_RELAXED, "workgroup");
    __builtin_amdgcn_atomic_dec32(&s[14], 11, __ATOMIC_RELAXED, "workgroup");
    group_barrier();
    if (tickets[LID] != 1)
        LDS_OP(add, 15, 1);
    group_barrier();
    if (LID < 16 && LID != 11 && LID != 12)
        out[GID / GROUP * 16 + LID] = s[LID];
    if (LID == 11)
        out[GID / GROUP * 16 + 11] = s[11] + s[12];
}

#undef LDS_OP

/* 64-bit LDS atomics. */
KERNEL lds_atomics64(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local ulong s[8];
    ulong v = (ulong)a[GID] << 32 | b[GID];
    if (LID < 8)
        s[LID] = LID == 2 || LID == 4 ? ~0ul : 0;
    group_barrier();
    __scoped_atomic_fetch_add(&s[0], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_sub(&s[1], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_and(&s[2], v | 0xffff, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_or(&s[3], v & 0xff00ff00ff, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_min(&s[4], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_max(&s[5], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_xor(&s[6], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    ulong old = 0, next;
    do
        next = old + (v & 0xfffff);
    while (!__scoped_atomic_compare_exchange_n(&s[7], &old, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __MEMORY_SCOPE_WRKGRP));
    group_barrier();
    if (LID < 8)
        ((global ulong *)out)[GID / GROUP * 8 + LID] = s[LID];
}

/* Sums of floats in LDS; the values are integers, so the order does not matter. */
KERNEL lds_float_atomics(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local float sum[4];
    local double wide[2];
    if (LID < 4)
        sum[LID] = 0.0f;
    if (LID < 2)
        wide[LID] = 0.0;
    group_barrier();
    __scoped_atomic_fetch_add(&sum[a[GID] & 3], (float)(a[GID] & 0xff), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_fetch_add(&wide[b[GID] & 1], (double)b[GID], __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    group_barrier();
    if (LID < 4)
        out[GID / GROUP * 8 + LID] = f32_bits(sum[LID]);
    if (LID < 2)
        ((global ulong *)out)[GID / GROUP * 4 + 2 + LID] = f64_bits(wide[LID]);
}

/* A matrix product in tiles of 8 by 16. */
KERNEL tiles(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local float left[8][16], right[16][17];
    uint x = LID % 16, y = LID / 16;
    float sum = 0.0f;
    for (uint step = 0; step < 3; step++) {
        left[y][x] = some_float(a[(GID + step * 64) % n]);
        right[y][x] = some_float(b[(GID + step * 32) % n]);
        right[y + 8][x] = some_float(b[(GID + step * 32 + 128) % n]);
        group_barrier();
        for (uint k = 0; k < 16; k++)
            sum = sum + left[y][k] * right[k][x];
        group_barrier();
    }
    out[GID] = f32_bits(sum);
}

/* A stencil, in place; the group's first value determines the number of iterations. */
KERNEL stencil(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[2][GROUP + 2];
    uint rounds = (b[GID - LID] & 7) + 2, from = 0;
    s[0][LID + 1] = a[GID];
    if (LID < 2)
        s[0][LID * (GROUP + 1)] = s[1][LID * (GROUP + 1)] = LID;
    group_barrier();
    for (uint k = 0; k < rounds; k++) {
        s[1 - from][LID + 1] = s[from][LID] * 3 + s[from][LID + 1] + (s[from][LID + 2] >> 1);
        from = 1 - from;
        group_barrier();
    }
    out[GID] = s[from][LID + 1];
}

typedef struct __attribute__((packed)) odd {
    uchar c;
    uint u;
    ushort h;
    ulong w;
} odd;

/* Vectors of 64, 96 and 128 bits in LDS, aligned and not. */
KERNEL lds_wide(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint2 two[GROUP];
    local uint3 three[GROUP];
    local uint4 four[GROUP];
    local uint plain[GROUP * 5];
    local odd packed[GROUP];
    uint x = a[GID], y = b[GID];
    two[LID] = (uint2)(x, y);
    three[LID] = (uint3)(x + 1, y + 1, x ^ y);
    four[LID] = (uint4)(x, y, x * 3, y * 3);
    for (uint k = 0; k < 5; k++)
        plain[LID * 5 + k] = x + k * y;
    packed[LID].c = (uchar)x;
    packed[LID].u = y;
    packed[LID].h = (ushort)(x >> 3);
    packed[LID].w = (ulong)x << 32 | y;
    group_barrier();
    uint o = (LID * 7 + 3) & (GROUP - 1), r = 0;
    r = mix(r, two[o].x ^ (ulong)two[o].y << 32);
    r = mix(r, three[o].x ^ (ulong)three[o].z << 32);
    r = mix(r, four[o].y ^ (ulong)four[o].w << 32);
    const local uint *p = plain + o * 5;
    r = mix(r, (p[0] + p[1]) ^ (ulong)(p[2] + p[3] + p[4]) << 32);
    r = mix(r, packed[o].c + packed[o].u + packed[o].h);
    out[GID] = mix(r, packed[o].w);
}

/* A stable partition: items with odd values first, then the others. */
KERNEL partition(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    uint odd = a[GID] & 1;
    s[LID] = odd;
    group_barrier();
    for (uint d = 1; d < GROUP; d *= 2) {
        uint add = LID >= d ? s[LID - d] : 0;
        group_barrier();
        s[LID] += add;
        group_barrier();
    }
    uint before = s[LID] - odd, all = s[GROUP - 1];
    out[GID - LID + (odd ? before : all + LID - before)] = a[GID] ^ b[GID - LID];
}

/* A radix sort, four bits at a time. */
KERNEL radix(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint keys[GROUP], places[GROUP], counts[16];
    uint key = a[GID] & 0xfff;
    for (uint shift = 0; shift < 12; shift += 4) {
        keys[LID] = key;
        if (LID < 16)
            counts[LID] = 0;
        group_barrier();
        uint digit = key >> shift & 15, before = 0;
        for (uint k = 0; k < GROUP; k++) {
            uint other = keys[k] >> shift & 15;
            before += other < digit || (other == digit && k < LID);
        }
        __scoped_atomic_fetch_add(&counts[digit], 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
        places[before] = key;
        group_barrier();
        key = places[LID];
        group_barrier();
    }
    out[GID] = key + (b[GID] & 0);
}

/* Allocates slots for a wave at a time, and takes others back. The counter lies at address 0: clang puts its address into m0, which the hardware does
 * not read for shared memory. */
KERNEL append(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local struct {
        int counter;
        uint taken[GROUP];
    } s;
    s.taken[LID] = 0;
    if (LID == 0)
        s.counter = 0;
    group_barrier();
    if (a[GID] & 1) {
        uint base = __builtin_amdgcn_ds_append(&s.counter);
        uint slot = base + lanes_before(ballot(true));
        s.taken[slot] = a[GID];
    }
    group_barrier();
    uint odd = s.counter, sum = 0;
    group_barrier();
    if (!(a[GID] & 1))
        __builtin_amdgcn_ds_consume(&s.counter);
    group_barrier();
    for (uint k = 0; k < GROUP; k++)
        sum += s.taken[k] * (s.taken[k] != 0);
    out[GID] = sum ^ odd << 8 ^ (uint)s.counter << 20;
}
