/* Items that call non-inlined functions and keep arrays in private memory, as functions of the
 * item's number (items.h). */
#define ITEMS_CALLS(X)                                                                             \
    X(many_arguments)                                                                              \
    X(chain)                                                                                       \
    X(wide_arguments)                                                                              \
    X(indirect)                                                                                    \
    X(indirect_divergent)                                                                          \
    X(live_across)                                                                                 \
    X(by_value) X(callee_arrays) X(divergent_calls)

#define ITEMS_SCRATCH(X)                                                                           \
    X(private_bytes)                                                                               \
    X(private_shorts)                                                                              \
    X(private_doubles)                                                                             \
    X(private_vectors)                                                                             \
    X(private_structs)                                                                             \
    X(private_big)                                                                                 \
    X(private_matrix) X(heap_sort) X(pressure) X(copies)

NOINLINE u32
take_many(u32 p0, u32 p1, u32 p2, u64 p3, float p4, double p5, u32 p6, u8 p7, i16 p8, u32 p9,
          u64 p10, u32 p11, u32 p12, u32 p13, u32 p14, u32 p15, u32 p16, u32 p17, u32 p18, u32 p19,
          u32 p20, u32 p21, u32 p22, u32 p23, u32 p24, u32 p25, u32 p26, u32 p27, u32 p28, u32 p29,
          u64 p30, u32 p31, double p32, u32 p33)
{
    u32 r = mix(p0, p1 + p2 * 3);
    r = mix(r, p3 ^ p10);
    r = mix(r, f32_bits(p4) ^ f64_bits(p5));
    r = mix(r, p6 + p7 + (u64)(i64)p8 + p9);
    r = mix(r, p11 + p12 * 3 + p13 * 5 + p14 * 7 + p15 * 9 + p16 * 11 + p17 * 13);
    r = mix(r, p18 ^ p19 << 1 ^ p20 << 2 ^ p21 << 3 ^ p22 << 4 ^ p23 << 5 ^ p24 << 6 ^ p25 << 7);
    r = mix(r, p26 - p27 + p28 - p29 + p30 + p31);
    return mix(r, f64_bits(p32) + p33);
}

/* More arguments than registers for them. */
INLINED(many_arguments)
{
    u32 x = a[i], y = b[i];
    return take_many(x, y, x + y, (u64)x << 32 | y, (float)(x >> 8), (double)y, x ^ y, (u8)x,
                     (i16)y, x + 1, (u64)y << 20, x + 2, x + 3, x + 4, y + 1, y + 2, y + 3, y + 4,
                     x & y, x | y, x * 3, y * 3, x >> 1, y >> 1, x >> 2, y >> 2, x >> 3, y >> 3,
                     x >> 4, y >> 4, (u64)x * y, ~x, (double)x * 0.5, ~y);
}

NOINLINE u32
link5(u32 x)
{
    return mix(x, 5);
}

NOINLINE u32
link4(u32 x, u32 y)
{
    return link5(x + 4) ^ link5(y) * 3;
}

NOINLINE u32
link3(u32 x, u32 y)
{
    u32 keep = x * y;
    for (u32 k = 0; k < (y & 3); k++)
        x = link4(x, k);
    return x + keep;
}

NOINLINE u32
link2(u32 x, u32 y)
{
    if (x & 1)
        return link3(y, x) + 1;
    return link4(x, y) - link3(x, 2);
}

NOINLINE u32
link1(u32 x, u32 y)
{
    u32 first = link2(x, y), second = link2(y, first);
    return mix(first, second);
}

INLINED(chain)
{
    return link1(a[i], b[i]) + n;
}

NOINLINE double
wide_result(double x, u64 y, float z, f16 h)
{
    return x * 2.0 + (double)(y >> 40) - (double)z + (double)(float)h;
}

NOINLINE u64
wide_integer(u64 x, i8 y, u16 z)
{
    return x * 3 + (u64)(i64)y - z;
}

INLINED(wide_arguments)
{
    double d = wide_result((double)some_float(a[i]), (u64)a[i] << 32 | b[i], some_float(b[i]),
                           (f16)(u8)a[i]);
    u64 w = wide_integer((u64)b[i] << 32 | a[i], (i8)a[i], (u16)b[i]);
    return mix(mix(n, f64_bits(d)), w);
}

NOINLINE u32
op_add(u32 x, u32 y)
{
    return x + y;
}

NOINLINE u32
op_mul(u32 x, u32 y)
{
    return x * (y | 1);
}

NOINLINE u32
op_mix(u32 x, u32 y)
{
    return link4(x, y);
}

NOINLINE u32
op_loop(u32 x, u32 y)
{
    for (u32 k = 0; k < (y & 7); k++)
        x = x << 1 ^ y;
    return x;
}

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#endif
typedef u32 (*operation)(u32, u32);

/* A function called by address, the same for all items. */
INLINED(indirect)
{
    operation f = (n & 1) ? op_add : (b[3] & 2) ? op_mul : op_mix;
    operation g = b[5] & 1 ? op_loop : op_add;
    return f(a[i], b[i]) ^ g(b[i], a[i]);
}

/* A function called by address, which differs between items. */
INLINED(indirect_divergent)
{
    u32 r = a[i];
    for (u32 k = 0; k < 3; k++) {
        u32 which = b[(i + k) % n] & 3;
        operation f = which == 0 ? op_add : which == 1 ? op_mul : which == 2 ? op_mix : op_loop;
        r = f(r, b[i] + k);
    }
    return r;
}

/* Values that live across calls, more than there are callee-saved registers. */
INLINED(live_across)
{
    u32 t[40], r = n;
    for (u32 k = 0; k < 40; k++)
        t[k] = a[(i + k) % n] * (k + 1);
    for (u32 k = 0; k < 3; k++) {
        u32 c = link4(t[k], b[i] + k);
        for (u32 j = 0; j < 40; j++)
            t[j] = (t[j] << 1 | t[j] >> 31) + c;
    }
    for (u32 k = 0; k < 40; k++)
        r = mix(r, t[k]);
    return r;
}

typedef struct record {
    u32 head;
    u8 bytes[7];
    u64 wide;
    float f[3];
    i16 tail;
} record;

NOINLINE record
change(record v, u32 by)
{
    record r = v;
    r.head += by;
    r.bytes[by % 7] ^= 0x5a;
    r.wide = v.wide * 5 + by;
    r.f[by % 3] = v.f[(by + 1) % 3] + 1.0f;
    r.tail = (i16)(v.tail - (i16)by);
    return r;
}

INLINED(by_value)
{
    record v;
    v.head = a[i];
    for (u32 k = 0; k < 7; k++)
        v.bytes[k] = (u8)(b[i] >> k);
    v.wide = (u64)a[i] << 32 | b[i];
    for (u32 k = 0; k < 3; k++)
        v.f[k] = (float)(a[i] >> (8 + k));
    v.tail = (i16)b[i];
    record w = change(v, a[i] & 63);
    w = change(w, v.head & 31);
    u32 r = mix(w.head, w.wide);
    for (u32 k = 0; k < 7; k++)
        r = mix(r, w.bytes[k]);
    return mix(mix(r, f32_bits(w.f[0]) ^ f32_bits(w.f[1]) << 1),
               f32_bits(w.f[2]) + (u32)(i32)w.tail);
}

NOINLINE u32
with_array(u32 seed, u32 at)
{
    u32 t[12];
    for (u32 k = 0; k < 12; k++)
        t[k] = seed = mix(seed, k);
    t[at % 12] += at;
    return t[(at >> 4) % 12] + t[at % 12];
}

NOINLINE u32
with_arrays(u32 seed, u32 at)
{
    u8 t[16];
    for (u32 k = 0; k < 16; k++)
        t[k] = (u8)(with_array(seed, at + k) >> 3);
    return t[at & 15] * 3u + t[at >> 8 & 15];
}

INLINED(callee_arrays)
{
    return with_arrays(a[i], b[i]) + with_array(b[i], a[i]);
}

/* Calls in which only some lanes take part. */
INLINED(divergent_calls)
{
    u32 r = a[i];
    for (u32 k = 0; k < (b[i] & 3) + 1; k++) {
        if (r & 1)
            r = link4(r, k);
        else if (r & 2)
            r += link3(k, r);
        else
            continue;
        if (r % 7 == 0)
            break;
    }
    return r;
}

INLINED(private_bytes)
{
    u8 t[37];
    for (u32 k = 0; k < 37; k++)
        t[k] = (u8)(a[(i + k) % n] >> (k & 7));
    u32 at = b[i] % 37, r = n;
    for (u32 k = 0; k < 30; k++) {
        u8 v = t[at];
        t[at] = (u8)(v * 3 + k);
        r = mix(r, v);
        at = (at + v + 1) % 37;
    }
    return mix(r, (u32)(i32)(i8)t[at]);
}

INLINED(private_shorts)
{
    i16 t[20];
    for (u32 k = 0; k < 20; k++)
        t[k] = (i16)(a[(i + k) % n] >> 3);
    u32 r = n, at = b[i] % 20;
    for (u32 k = 0; k < 20; k++) {
        r = mix(r, (u64)(i64)t[at]);
        t[at] = (i16)(t[at] + (i16)r);
        at = (u32)(u16)t[at] % 20;
    }
    return r;
}

INLINED(private_doubles)
{
    double t[9];
    u64 w[5];
    for (u32 k = 0; k < 9; k++)
        t[k] = (double)(a[(i + k) % n] >> 4);
    for (u32 k = 0; k < 5; k++)
        w[k] = (u64)b[(i + k) % n] << 21;
    for (u32 k = 0; k < 9; k++) {
        u32 at = b[(i + k) % n] % 9;
        t[at] = t[(at + 4) % 9] * 0.5 + t[k];
        w[at % 5] ^= f64_bits(t[at]);
    }
    return mix(mix(n, f64_bits(t[a[i] % 9])), w[b[i] % 5]);
}

INLINED(private_vectors)
{
    v4u64 longs[3];
    v8u16 shorts[4];
    u32 r = n;
    for (u32 k = 0; k < 3; k++)
        for (u32 c = 0; c < 4; c++)
            longs[k][c] = (u64)a[(i + k * 4 + c) % n] * (c + 1);
    for (u32 k = 0; k < 4; k++)
        for (u32 c = 0; c < 8; c++)
            shorts[k][c] = (u16)b[(i + k * 8 + c) % n];
    v4u64 x = longs[a[i] % 3] + longs[b[i] % 3];
    shorts[a[i] & 3] = shorts[b[i] & 3] * shorts[2];
    for (u32 c = 0; c < 4; c++)
        r = mix(r, x[c] + shorts[c][(b[i] >> c) & 7]);
    return r;
}

INLINED(private_structs)
{
    record t[4];
    for (u32 k = 0; k < 4; k++) {
        u32 v = a[(i + k) % n];
        t[k].head = v;
        for (u32 c = 0; c < 7; c++)
            t[k].bytes[c] = (u8)(v >> c * 3);
        t[k].wide = (u64)v * v;
        for (u32 c = 0; c < 3; c++)
            t[k].f[c] = (float)(v >> (c + 9));
        t[k].tail = (i16)(v >> 5);
    }
    u32 x = b[i];
    t[x & 3].bytes[x % 7] = 99;
    t[x >> 2 & 3] = t[x >> 4 & 3];
    t[x >> 6 & 3].wide++;
    u32 r = n;
    for (u32 k = 0; k < 4; k++) {
        const u32 q = (x + k) & 3;
        r = mix(r, t[q].head + t[q].bytes[(x + k) % 7]);
        r = mix(r, t[q].wide ^ f32_bits(t[q].f[(x >> k) % 3]));
        r = mix(r, (u64)(i64)t[q].tail);
    }
    return r;
}

/* Private memory beyond the offsets of scratch instructions. */
INLINED(private_big)
{
    u32 t[1500], r = n;
    for (u32 k = 0; k < 1500; k += 60)
        t[k] = a[(i + k) % n];
    t[1499] = b[i];
    u32 at = a[i] % 25 * 60;
    for (u32 k = 0; k < 8; k++) {
        r = mix(r, t[at]);
        t[at] += k;
        at = r % 25 * 60;
    }
    return mix(r, t[1499]);
}

INLINED(private_matrix)
{
    float m[4][4], p[4][4];
    for (u32 x = 0; x < 4; x++)
        for (u32 y = 0; y < 4; y++)
            m[x][y] = some_float(a[(i + x * 4 + y) % n]);
    for (u32 x = 0; x < 4; x++)
        for (u32 y = 0; y < 4; y++) {
            float sum = 0.0f;
            for (u32 k = 0; k < 4; k++)
                sum = sum + m[x][k] * m[(k + b[i]) & 3][y];
            p[x][y] = sum;
        }
    return mix(mix(n, f32_bits(p[a[i] & 3][b[i] & 3])), f32_bits(p[b[i] >> 2 & 3][a[i] >> 2 & 3]));
}

INLINED(heap_sort)
{
    u32 t[12], r = n;
    for (u32 k = 0; k < 12; k++)
        t[k] = a[(i * 5 + k) % n] % 997;
    for (u32 end = 12, start = 6; end > 1;) {
        u32 v;
        if (start > 0) {
            v = t[--start];
        } else {
            v = t[--end];
            t[end] = t[0];
        }
        u32 at = start, child;
        while ((child = 2 * at + 1) < end) {
            if (child + 1 < end && t[child + 1] > t[child])
                child++;
            if (t[child] <= v)
                break;
            t[at] = t[child];
            at = child;
        }
        t[at] = v;
    }
    for (u32 k = 0; k < 12; k++)
        r = mix(r, t[k]);
    return mix(r, t[b[i] % 12]);
}

/* More live values than a wave has registers: they are spilled. */
INLINED(pressure)
{
    u32 t[96], r = n;
#pragma clang loop unroll(full)
    for (u32 k = 0; k < 96; k++)
        t[k] = a[(i + k * 3) % n] ^ b[(i + k) % n];
#pragma clang loop unroll(full)
    for (u32 k = 0; k < 96; k++)
        r = mix(r, t[95 - k] + t[(k * 7 + 1) % 96]);
    return r;
}

INLINED(copies)
{
    u32 from[33], to[40];
    PRIVATE u8 *p = (PRIVATE u8 *)to;
    for (u32 k = 0; k < 33; k++)
        from[k] = a[(i + k) % n];
    __builtin_memset(to, 0x5a, sizeof to);
    __builtin_memcpy(to + 2, from, 33 * 4);
    __builtin_memcpy(p + 1, (PRIVATE u8 *)from + 3, 21);
    __builtin_memmove(to + 5, to + 3, 60);
    u32 r = n;
    for (u32 k = 0; k < 40; k += 3)
        r = mix(r, to[k]);
    return mix(r, to[b[i] % 40]);
}
