/* Kernels of address spaces and of a dispatch's inputs: grids of three dimensions, hidden and explicit arguments, constants,
 * program-scope variables, generic pointers, unaligned addresses, wide accesses, buffer descriptors, clocks. */

/* Properties of the dispatch. They are hidden arguments after the explicit ones; code objects before V5 have only the offsets there, and
 * the others come from the dispatch packet. */
#define HIDDEN(type, at) (*(const constant type *)((const constant char *)__builtin_amdgcn_implicitarg_ptr() + (at)))
#define PACKET(type, at) (*(const constant type *)((const constant char *)__builtin_amdgcn_dispatch_ptr() + (at)))
#ifdef CODE_OBJECT_V4
#define GROUP_SIZE(d)    PACKET(ushort, 4 + 2 * (d))
#define WHOLE_GROUPS(d)  (PACKET(uint, 12 + 4 * (d)) / GROUP_SIZE(d))
#define REMAINDER(d)     (PACKET(uint, 12 + 4 * (d)) % GROUP_SIZE(d))
#define GLOBAL_OFFSET(d) HIDDEN(ulong, 8 * (d))
#define DIMENSIONS()     PACKET(ushort, 2)
#else
#define GROUP_SIZE(d)    HIDDEN(ushort, 12 + 2 * (d))
#define WHOLE_GROUPS(d)  HIDDEN(uint, 4 * (d))
#define REMAINDER(d)     HIDDEN(ushort, 18 + 2 * (d))
#define GLOBAL_OFFSET(d) HIDDEN(ulong, 40 + 8 * (d))
#define DIMENSIONS()     HIDDEN(ushort, 64)
#endif

/* The last groups of a grid are partial. */
__attribute__((reqd_work_group_size(8, 4, 4))) kernel void
grid3(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint x = __builtin_amdgcn_workgroup_id_x() * 8 + __builtin_amdgcn_workitem_id_x();
    uint y = __builtin_amdgcn_workgroup_id_y() * 4 + __builtin_amdgcn_workitem_id_y();
    uint z = __builtin_amdgcn_workgroup_id_z() * 4 + __builtin_amdgcn_workitem_id_z();
    out[x + 13 * (y + 7 * z)] = x + 100 * y + 10000 * z;
}

/* Every item stores its ids and sizes; the kernel has no fixed group size. */
kernel void
hidden(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint groups[3] = {__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z()};
    uint items[3] = {__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z()};
    uint r = 0, at = 0;
    for (uint d = 3; d-- > 0;) {
        uint whole = WHOLE_GROUPS(d), size = GROUP_SIZE(d), rest = REMAINDER(d);
        r = mix(r, GLOBAL_OFFSET(d) << 20 ^ whole << 16 ^ size << 8 ^ rest);
        at = at * (whole * size + rest) + groups[d] * size + items[d];
    }
    out[at] = mix(r, DIMENSIONS());
}

/* The dispatch packet. */
KERNEL packet(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint r = mix(PACKET(ushort, 4) | PACKET(ushort, 6) << 16, PACKET(ushort, 8) + (ulong)PACKET(uint, 12) * 3);
    out[GID] = mix(r, PACKET(uint, 16) * 5 + PACKET(uint, 20) * 7) ^ a[GID];
}

typedef struct kernel_struct {
    uchar c;
    double d;
    ushort h[3];
    uint3 v;
} kernel_struct;

/* Arguments of all types. */
KERNEL arguments(const global uint *a, const global uint *b, global uint *out, uint n, char c, ushort h, half f16, float f, double d,
                 long w, uchar3 v3, ushort2 v2, float4 v4, kernel_struct s, const constant uint *k, uint last)
{
    uint r = mix((uint)(int)c, h | n << 16);
    r = mix(r, f16_bits(f16) ^ f32_bits(f));
    r = mix(r, f64_bits(d) ^ (ulong)w);
    r = mix(r, v3.x + v3.y * 3 + v3.z * 5 + v2.x * 7 + v2.y * 9);
    r = mix(r, f32_bits(v4.x + v4.y) ^ f32_bits(v4.z * v4.w));
    r = mix(r, s.c + s.h[0] + s.h[1] * 3 + s.h[2] * 5 + f64_bits(s.d));
    r = mix(r, s.v.x + s.v.y * 3 + s.v.z * 5);
    out[GID] = mix(r, k[3] + last) ^ a[GID];
}

constant uint primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
constant uchar letters[] = "the quick brown fox jumps over the lazy dog";
constant uint squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
constant const uint *constant lists[2] = {primes, squares}; /* addresses, relocated by the loader */
global uint seeds[4] = {11, 22, 33, 44};
global uint counters[4];

/* Constants read with divergent indices and through pointers in constants, and program-scope variables. */
KERNEL constants(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint x = a[GID], r = primes[x & 15] * letters[x % 43];
    r = mix(r, lists[x >> 4 & 1][b[GID] & 7] + seeds[x >> 8 & 3]);
    __scoped_atomic_fetch_add(&counters[x & 3], 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    out[GID] = mix(r, lists[b[3] & 1][5]);
}

#ifndef __GFX6__
__attribute__((noinline)) static uint
read_from(const uint *p, uint at)
{
    return p[at] + p[at ^ 1] * 3;
}

__attribute__((noinline)) static void
write_to(uint *p, uint at, uint v)
{
    p[at & 3] = v;
}

/* Pointers to global, local and private memory through the same instructions. */
KERNEL generic_pointers(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    uint mine[4] = {a[GID], b[GID], a[GID] + 1, b[GID] + 2};
    s[LID] = a[GID] * 5;
    group_barrier();
    uint which = b[GID] % 3;
    const uint *p = which == 0 ? (const uint *)s : which == 1 ? (const uint *)(a + (GID & ~3u)) : (const uint *)mine;
    uint r = read_from(p, which == 0 ? LID : GID & 3);
    group_barrier();
    write_to(which & 1 ? (uint *)mine : (uint *)(s + (LID & ~3u)) + 0, which & 1 ? r : LID, r);
    group_barrier();
    out[GID] = mix(mix(r, mine[0] + mine[1]), mine[2] ^ mine[3]) + (which & 1 ? 0 : s[LID]);
}

/* Casts back, and the null pointer of each address space. */
KERNEL spaces(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint s[GROUP];
    uint mine = b[GID];
    s[LID] = a[GID];
    uint *p = a[GID] & 1 ? (uint *)&s[LID] : a[GID] & 2 ? &mine : (uint *)0;
    uint r = 0;
    if (p)
        r = *p + (__builtin_amdgcn_is_shared((const int *)p) ? 1000 : 0) + (__builtin_amdgcn_is_private((const int *)p) ? 2000 : 0);
    local uint *none = (local uint *)0;
    uint *generic_none = none;
    out[GID] = r + (generic_none == 0 ? 7 : 0) + (p == 0 ? 50000 : 0);
}
#endif

#ifndef __GFX6__
extern uint outside_mix(uint x, uint *own, const uint *table);

/* A function from another source file (kernels_c.c). */
KERNEL outside(const global uint *a, const global uint *b, global uint *out, uint n)
{
    local uint table[8];
    uint own = b[GID];
    if (LID < 8)
        table[LID] = a[LID] * 3;
    group_barrier();
    uint r = outside_mix(a[GID] & 0xffff, &own, b[GID] & 1 ? (const uint *)table : (const uint *)a);
    if (r & 1)
        r ^= outside_mix(r & 7, &own, (const uint *)b);
    out[GID] = mix(r, own);
}
#endif

typedef struct __attribute__((packed)) loose {
    uchar c;
    uint u;
    ulong w;
    ushort h;
} loose;

/* Addresses without a known alignment. */
KERNEL unaligned(const global uint *a, const global uint *b, global uint *out, uint n)
{
    const global loose *p = (const global loose *)a;
    uint at = GID % (n * 4 / sizeof(loose));
    uint r = mix(p[at].c, p[at].u);
    r = mix(r, p[at].w);
    r = mix(r, p[at].h);
    global loose *q = (global loose *)out;
    if (GID < n * 4 / sizeof(loose)) {
        q[GID].c = (uchar)r;
        q[GID].u = r * 3;
        q[GID].w = (ulong)r << 24;
        q[GID].h = (ushort)(r >> 5);
    }
}

/* Loads and stores of 8 to 512 bits. */
KERNEL wide_access(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint r = 0, at = GID & 15;
    r = mix(r, (uint)(((const global uchar *)a)[GID] + ((const global char *)b)[GID]));
    r = mix(r, (uint)(((const global ushort *)a)[GID] + ((const global short *)b)[GID]));
    r = mix(r, ((const global ulong *)a)[GID / 2]);
    uint3 three = ((const global uint3 *)b)[at];
    r = mix(r, three.x + three.y * 3 + three.z * 5);
    uint4 four = ((const global uint4 *)a)[at];
    r = mix(r, four.x ^ four.y << 1 ^ four.z << 2 ^ four.w << 3);
    uint16 all = ((const global uint16 *)b)[at];
    r = mix(r, all.s0 + all.s5 * 3 + all.sa * 5 + all.sf * 7);
    ulong8 longs = ((const global ulong8 *)a)[at & 7];
    r = mix(r, longs.s1 ^ longs.s7);
    uchar16 bytes = ((const global uchar16 *)b)[at];
    r = mix(r, (uint)(bytes.s3 * bytes.sc + bytes.sf));
    if (GID < 64)
        ((global uint4 *)out)[GID] = (uint4)(r, three.x, four.w, all.s9);
    else if (GID < 128)
        ((global ulong *)out)[GID * 2] = longs.s2 + r;
    else if (GID < 160)
        ((global uint8 *)out)[GID - 64] = (uint8)(all.lo + all.hi);
    else
        ((global uchar *)(out + 800))[GID] = (uchar)r;
}

/* Non-temporal loads and stores. */
KERNEL nontemporal(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint x = __builtin_nontemporal_load(a + GID);
    volatile local uint s[GROUP];
    s[LID] = x;
    group_barrier();
    uint y = s[LID ^ 1] + *(const volatile global uint *)(b + GID);
    __builtin_nontemporal_store(mix(x, y), out + GID);
}

/* Each item reads and writes a structure's fields. */
typedef struct particle {
    float x, y, z;
    uint flags;
} particle;
KERNEL structures(const global uint *a, const global uint *b, global uint *out, uint n)
{
    if (GID >= n / 4)
        return;
    particle p = ((const global particle *)a)[GID];
    p.x = some_float(p.flags) + some_float(f32_bits(p.x));
    p.flags = mix(p.flags, b[GID]);
    p.z = -some_float(f32_bits(p.z));
    ((global particle *)out)[GID] = p;
}

#ifndef __GFX6__
/* A V# made by the program: accesses beyond its end read zeros or write nothing. */
#if defined __GFX10__ || defined __GFX11__ || defined __GFX12__
#define V_WORD3 0x31004000 /* a format; bounds are checked in bytes */
#else
#define V_WORD3 0x00027000
#endif
KERNEL buffers(const global uint *a, const global uint *b, global uint *out, uint n)
{
    __amdgpu_buffer_rsrc_t in = __builtin_amdgcn_make_buffer_rsrc((void *)a, 0, (int)(n * 2), V_WORD3);
    __amdgpu_buffer_rsrc_t to = __builtin_amdgcn_make_buffer_rsrc((void *)out, 0, (int)(n * 4 - 64), V_WORD3);
    typedef uint vec2 __attribute__((ext_vector_type(2)));
    typedef uint vec4 __attribute__((ext_vector_type(4)));
    uint r = __builtin_amdgcn_raw_buffer_load_b32(in, (int)(GID * 4), 0, 0); /* 0 in the second half */
    r = mix(r, __builtin_amdgcn_raw_buffer_load_b8(in, (int)GID, 5, 0));
    r = mix(r, __builtin_amdgcn_raw_buffer_load_b16(in, (int)(GID * 2 & 0x1fe), 64, 0));
    vec2 two = __builtin_amdgcn_raw_buffer_load_b64(in, (int)(b[GID] & 0x3f8), 0, 0);
    r = mix(r, two.x + two.y * 3);
    vec4 four = __builtin_amdgcn_raw_buffer_load_b128(in, (int)(b[GID] & 0x1f0), 256, 0);
    r = mix(r, four.x + four.y * 3 + four.z * 5 + four.w * 7);
    __builtin_amdgcn_raw_buffer_store_b32(r, to, (int)(GID * 4), 0, 0);
}
#endif

/* Clocks never go back. */
KERNEL clocks(const global uint *a, const global uint *b, global uint *out, uint n)
{
    ulong before = __builtin_readcyclecounter();
    uint x = a[GID];
    for (uint k = 0; k < 5; k++)
        x = mix(x, b[(GID + k) % n]);
    ulong after = __builtin_readcyclecounter();
    out[GID] = x ^ (uint)(after < before);
}
