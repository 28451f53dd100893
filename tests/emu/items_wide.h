/* Items for features of C beyond plain numbers: integers of 128 bits, overflow, bit fields and
 * unions, vectors of 3 and 16 components, tables of constants and functions, aligned frames,
 * addresses (items_base.h). */
#define ITEMS_WIDE(X)                                                                              \
    X(int128)                                                                                      \
    X(int128_divide)                                                                               \
    X(int128_float)                                                                                \
    X(overflow)                                                                                    \
    X(bit_counts)                                                                                  \
    X(unions)                                                                                      \
    X(chars3)                                                                                      \
    X(floats3)                                                                                     \
    X(doubles3)                                                                                    \
    X(ints16)                                                                                      \
    X(floats16)                                                                                    \
    X(halves8) X(switch_values) X(addressing) X(float_remainder) X(brain_floats)

#define ITEMS_WIDE_CALLS(X) X(function_table) X(aligned_frames) X(vector_arguments) X(big_structs)

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

INLINE u128
some_u128(u32 i, GLOBAL u32 *a, GLOBAL u32 *b, u32 n)
{
    u32 j = (i + 1) % n;
    return (u128)((u64)a[i] << 32 | b[i]) << 64 | ((u64)b[j] << 32 | a[j]);
}

INLINE u32
mix128(u32 r, u128 v)
{
    return mix(mix(r, (u64)v), (u64)(v >> 64));
}

INLINED(int128)
{
    u128 x = some_u128(i, a, b, n), y = some_u128((i + 7) % n, b, a, n);
    i128 s = (i128)x, t = (i128)y;
    u32 by = b[i] & 127, r = n;
    r = mix128(r, x + y);
    r = mix128(r, x - y);
    r = mix128(r, x * y);
    r = mix128(r, (u128)(u64)x * (u64)y);
    r = mix128(r, (u128)((i128)(i64)x * (i64)y));
    r = mix128(r, x << by);
    r = mix128(r, x >> by);
    r = mix128(r, (u128)(s >> by));
    r = mix128(r, (x & y) ^ ~(x | y));
    r = mix128(r, x < y ? x : y);
    r = mix128(r, s < t ? y : x);
    r = mix128(r, (u128)-s);
    return mix(r, (x == y) + (u32)(s >= 0) * 2 + (u32)((u64)(x >> 64) == (u64)(y >> 64)) * 4);
}

INLINED(int128_divide)
{
    u128 x = some_u128(i, a, b, n), y = some_u128((i + 3) % n, a, b, n) >> (a[i] & 127) | 1;
    i128 s = (i128)x >> 1, t = (i128)(y >> 1 | 1);
    u32 r = mix128(mix128(n, x / y), x % y);
    r = mix128(mix128(r, (u128)(s / t)), (u128)(s % t));
    return mix128(r, x / 10);
}

INLINED(int128_float)
{
    u128 x = some_u128(i, a, b, n) >> (a[i] & 127);
    i128 s = (b[i] & 1) ? (i128)(x >> 1) : -(i128)(x >> 1);
    u32 r = mix(n, f32_bits((float)(x >> 1)));
    r = mix(r, f64_bits((double)x));
    r = mix(r, f32_bits((float)s));
    r = mix(r, f64_bits((double)s));
    double d = some_double(a[i], b[i]) * 1e30;
    float f = some_float(b[i]) * 1e20f;
    r = mix128(r, (u128)(i128)d);
    r = mix128(r, (u128)(d < 0 ? -d : d));
    return mix128(r, (u128)(i128)f);
}

#define OVERFLOWS(T, x, y)                                                                         \
    do {                                                                                           \
        T sum, difference, product;                                                                \
        u32 c = __builtin_add_overflow((T)(x), (T)(y), &sum);                                      \
        c = c * 2 + __builtin_sub_overflow((T)(x), (T)(y), &difference);                           \
        c = c * 2 + __builtin_mul_overflow((T)(x), (T)(y), &product);                              \
        r = mix(mix(mix(mix(r, c), (u64)sum), (u64)difference), (u64)product);                     \
    } while (0)

INLINED(overflow)
{
    u32 r = n;
    u64 w = (u64)a[i] << 32 | b[i];
    OVERFLOWS(u32, a[i], b[i]);
    OVERFLOWS(i32, a[i], b[i]);
    OVERFLOWS(u32, a[i] >> 13, b[i] >> (i & 31));
    OVERFLOWS(i32, (i32)a[i] >> 15, (i32)b[i] >> (i & 31));
    OVERFLOWS(u64, w, ~w * 3);
    OVERFLOWS(i64, w, ~w * 3);
    OVERFLOWS(u64, w >> 20, b[i]);
    OVERFLOWS(i64, (i64)w >> 20, (i32)b[i]);
    OVERFLOWS(u16, a[i], b[i] >> (i & 15));
    return r;
}

INLINED(bit_counts)
{
    u32 x = a[i] & b[i], r = n;
    u64 w = (u64)x << (b[i] & 31);
    r = mix(r, (u32)__builtin_ffs((i32)x) + (u32)__builtin_ffsl((i64)w) * 64);
    r = mix(r, (u32)__builtin_parity(x) + (u32)__builtin_parityl(w) * 2);
    r = mix(r, (u32)__builtin_clrsb((i32)a[i]) + (u32)__builtin_clrsbl((i64)(w - b[i])) * 64);
    r = mix(r, __builtin_bswap16((u16)x));
    u64 turned = w;
    turned = (turned >> 1 & 0x5555555555555555) | (turned & 0x5555555555555555) << 1;
    turned = (turned >> 2 & 0x3333333333333333) | (turned & 0x3333333333333333) << 2;
    turned = (turned >> 4 & 0x0f0f0f0f0f0f0f0f) | (turned & 0x0f0f0f0f0f0f0f0f) << 4;
    return mix(r, __builtin_bswap64(turned));
}

typedef union views {
    u64 wide[2];
    u32 words[4];
    u16 halves[8];
    u8 bytes[16];
    float f[4];
    double d[2];
} views;

INLINED(unions)
{
    views v;
    u32 r = n;
    v.wide[0] = (u64)a[i] << 32 | b[i];
    v.d[1] = (double)a[i] * 0.25;
    v.bytes[b[i] & 7] ^= 0x3c;
    v.halves[a[i] & 7] += 3;
    r = mix(r, v.words[0] ^ (u64)v.words[3] << 7);
    v.f[a[i] >> 3 & 3] = (float)(b[i] >> 8);
    for (u32 k = 0; k < 4; k++)
        r = mix(r, v.halves[(k + a[i]) & 7] + (u64)v.bytes[(k * 3 + b[i]) & 15] * 65536);
    return mix(mix(r, v.wide[0]), v.wide[1]);
}

/* Vectors of three, which OpenCL stores like vectors of four; the host uses arrays. */
#ifdef __OPENCL_C_VERSION__
#define VECTOR3(type) type##3
#else
#define VECTOR3(type) v3##type
typedef struct v3uchar {
    uchar v[3];
} v3uchar;
typedef struct v3float {
    float v[3];
} v3float;
typedef struct v3double {
    double v[3];
} v3double;
#endif

INLINED(chars3)
{
    u32 r = n;
    for (u32 k = 0; k < 3; k++) {
        u32 x = a[(i + k) % n], y = b[(i + k) % n];
#ifdef __OPENCL_C_VERSION__
        uchar3 v = (uchar3)((uchar)x, (uchar)(x >> 8), (uchar)(x >> 16)),
               w = (uchar3)((uchar)y, (uchar)(y >> 8), (uchar)(y >> 16));
        uchar3 s = v * w + v.zxy - w.yyx;
        short3 t = __builtin_convertvector(s, short3) - __builtin_convertvector(v, short3);
        u32 sum[3] = {s.x | (u32)(u16)t.x << 8, s.y | (u32)(u16)t.y << 8, s.z | (u32)(u16)t.z << 8};
#else
        static const u8 zxy[3] = {2, 0, 1}, yyx[3] = {1, 1, 0};
        u32 sum[3];
        for (u32 c = 0; c < 3; c++) {
            u8 s = (u8)((u8)(x >> 8 * c) * (u8)(y >> 8 * c) + (u8)(x >> 8 * zxy[c]) -
                        (u8)(y >> 8 * yyx[c]));
            sum[c] = s | (u32)(u16)(s - (u8)(x >> 8 * c)) << 8;
        }
#endif
        r = mix(mix(r, sum[0]), sum[1] ^ (u64)sum[2] << 32);
    }
    return r;
}

#ifdef __OPENCL_C_VERSION__
#define AT3(v, c)      ((c) == 0 ? (v).x : (c) == 1 ? (v).y : (v).z)
#define CROSS(T, x, y) ((x).yzx * (y).zxy - (x).zxy * (y).yzx)
#else
#define AT3(x, c) ((x).v[c])
#define CROSS(T, x, y)                                                                             \
    ((T){{(x).v[1] * (y).v[2] - (x).v[2] * (y).v[1], (x).v[2] * (y).v[0] - (x).v[0] * (y).v[2],    \
          (x).v[0] * (y).v[1] - (x).v[1] * (y).v[0]}})
#endif

/* Cross products, kept in an array. */
INLINED(floats3)
{
    VECTOR3(float) t[3];
    u32 r = n;
    for (u32 k = 0; k < 3; k++) {
        float x = some_float(a[(i + k) % n]), y = some_float(b[(i + k) % n]),
              z = some_float(a[(i + k * 2) % n]);
#ifdef __OPENCL_C_VERSION__
        t[k] = (float3)(x, y, z);
#else
        t[k] = (v3float){{x, y, z}};
#endif
    }
    const u32 at = a[i] % 3;
    t[at] = CROSS(v3float, t[(at + 1) % 3], t[b[i] % 3]);
    for (u32 k = 0; k < 3; k++)
        r = mix(mix(r, f32_bits(AT3(t[k], 0) + AT3(t[k], 1))), f32_bits(AT3(t[k], 2)));
    return r;
}

INLINED(doubles3)
{
    VECTOR3(double) x, y, z;
#ifdef __OPENCL_C_VERSION__
    x = (double3)(some_double(a[i], b[i]), some_double(b[i], a[i]), 1.5);
    y = (double3)(some_double(a[i], a[i]), 0.75, some_double(b[i], b[i]));
#else
    x = (v3double){{some_double(a[i], b[i]), some_double(b[i], a[i]), 1.5}};
    y = (v3double){{some_double(a[i], a[i]), 0.75, some_double(b[i], b[i])}};
#endif
    z = CROSS(v3double, x, y);
    return mix(mix(mix(n, f64_bits(AT3(z, 0))), f64_bits(AT3(z, 1))), f64_bits(AT3(z, 2)));
}

VECTOR(v16u32, u32, 16);
VECTOR(v16f32, float, 16);

INLINED(ints16)
{
    v16u32 x, y;
    u32 r = n;
    for (u32 c = 0; c < 16; c++) {
        x[c] = a[(i + c) % n];
        y[c] = b[(i + c * 5) % n];
    }
    v16u32 sum = x * y + (x ^ y >> 3);
    sum[b[i] & 15] = 17; /* a component that depends on the item */
    for (u32 c = 0; c < 16; c++)
        r = mix(r, sum[c]);
    return mix(r, sum[a[i] & 15]);
}

INLINED(floats16)
{
    v16f32 x, y;
    u32 r = n;
    for (u32 c = 0; c < 16; c++) {
        x[c] = some_float(a[(i + c) % n]);
        y[c] = some_float(b[(i + c * 3) % n]);
    }
    v16f32 z = x * y - x, q = -y / x;
    for (u32 c = 0; c < 16; c++)
        r = mix(r, f32_bits(z[c]) ^ (u64)f32_bits(q[c]) << 32);
    return mix(r, f32_bits(x[a[i] & 15]));
}

INLINED(halves8)
{
    f16 x[8], y[8], z[8];
    u32 r = n;
    for (u32 c = 0; c < 8; c++) {
        x[c] = some_half(a[(i + c) % n]);
        y[c] = some_half(b[(i + c) % n]);
    }
    for (u32 c = 0; c < 8; c++) {
        z[c] = x[c] * y[7 - c];
        y[7 - c] = x[c] - x[(c + 1) & 7];
    }
    f16 picked = z[a[i] & 7];
    for (u32 c = 0; c < 8; c += 2)
        r = mix(r, (f16_bits(z[c]) | f16_bits(z[c + 1]) << 16) ^ (u64)f16_bits(y[c]) << 37);
    return mix(r, f16_bits(picked));
}

/* Switches that only select values: clang turns them into tables. */
INLINED(switch_values)
{
    u32 r = n;
    for (u32 k = 0; k < 6; k++) {
        u32 x = a[i] >> k * 5 & 15, v;
        double d;
        switch (x) {
        case 0: v = 0x1234; break;
        case 1: v = 77; break;
        case 2: v = 0xdeadbeef; break;
        case 3: v = 19; break;
        case 4: v = 0; break;
        case 5: v = 991; break;
        case 6: v = 1u << 31; break;
        case 7: v = 12; break;
        case 9: v = 65537; break;
        case 10: v = 3; break;
        case 11: v = 0xcafe; break;
        default: v = 5; break;
        }
        switch (b[i] >> k * 4 & 7) {
        case 0: d = 1.5; break;
        case 1: d = -2.25; break;
        case 2: d = 1e100; break;
        case 3: d = 0.1; break;
        case 4: d = -0.0; break;
        case 5: d = 3.0; break;
        default: d = 1e-3; break;
        }
        r = mix(mix(r, v), f64_bits(d));
    }
    return r;
}

/* Pointers that move up and down, in steps, over rows; their differences and order. */
INLINED(addressing)
{
    GLOBAL u32 *p = a + n / 2, *q = b + n - 1, *start = p;
    GLOBAL u32(*rows)[16] = (GLOBAL u32(*)[16])a;
    u32 r = n;
    i64 step = (i64)(a[i] & 15) - 8;
    for (u32 k = 0; k < 10; k++) {
        r = mix(r, p[-3] + p[5] + *q);
        p += step;
        q -= b[i] & 31;
        if (p < a + 100 || p > a + n - 100)
            p = start + k;
    }
    r = mix(r, (u64)(p - start) * 3 + (u64)(b + n - q));
    r = mix(r, rows[i % (n / 16)][b[i] & 15] + (p > start ? 1u : 2u));
    GLOBAL u8 *bytes = (GLOBAL u8 *)(b + i) - (u64)(i & 1);
    return mix(r, bytes[i == 0 ? 0 : (u64)(a[i] & 3)]);
}

/* fmod with a small quotient: exact. */
INLINED(float_remainder)
{
    float x = some_float(a[i]), y = some_float(b[i] & 0x7fffffff) + 1.0f;
    double d = some_double(a[i], b[i]), e = __builtin_fabs(some_double(b[i], a[i])) + 1.0;
    float q = __builtin_truncf(x / y);
    double p = __builtin_trunc(d / e);
    u32 r = mix(n, f32_bits(__builtin_fmaf(-q, y, x)) & 0x7fffffff);
    r = mix(r, f64_bits(__builtin_fma(-p, e, d)) & 0x7fffffffffffffff);
    r = mix(r,
            f32_bits(__builtin_nearbyintf(x)) ^ f64_bits(__builtin_nearbyint(d) + 0.0)); /* gfx6 */
    return mix(r, f32_bits(x > y ? x - y : x < -y ? x + y : 0.0f));
}

/* bfloat16: binary32 with the lower half rounded off. For gfx6 and gfx7 clang 19 truncates it: no
 * bfloat16 there. */
#if defined __OPENCL_C_VERSION__ && !defined __GFX6__ && !defined __GFX7__
#define HAS_BRAIN_FLOATS
#endif
INLINE u32
to_brain(float f)
{
    u32 u = f32_bits(f);
    return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

INLINED(brain_floats)
{
    u32 x = f32_bits(some_float(a[i])) >> 16, y = f32_bits(some_float(b[i])) >> 16, r = n;
#ifdef HAS_BRAIN_FLOATS
    __bf16 p = __builtin_astype((ushort)x, __bf16), q = __builtin_astype((ushort)y, __bf16);
    __bf16 sum = p + q, product = p * q, from = (__bf16)some_float(a[i] ^ b[i]);
    r = mix(r, __builtin_astype(sum, ushort) | (u32)__builtin_astype(product, ushort) << 16);
    r = mix(r, __builtin_astype(from, ushort) + (p < q ? 0x10000u : 0));
    return mix(r, f32_bits((float)p));
#else
    float p = as_f32(x << 16), q = as_f32(y << 16);
    r = mix(r, to_brain(p + q) | to_brain(p * q) << 16);
    r = mix(r, to_brain(some_float(a[i] ^ b[i])) + (p < q ? 0x10000u : 0));
    return mix(r, f32_bits(p));
#endif
}

#ifdef __OPENCL_C_VERSION__
constant operation operations[4] = {op_add, op_mul, op_mix, op_loop};
#else
static const operation operations[4] = {op_add, op_mul, op_mix, op_loop};
#endif

/* Functions in a table of addresses, which the loader relocates. */
INLINED(function_table)
{
    u32 r = operations[b[7] & 3](a[i], b[i]);
    for (u32 k = 0; k < 3; k++)
        r = operations[(b[i] >> k) & 3](r, a[(i + k) % n]);
    return r;
}

NOINLINE u32
in_aligned(u32 seed, u32 at)
{
    __attribute__((aligned(64))) u32 t[16];
    u8 small[3];
    for (u32 k = 0; k < 16; k++)
        t[k] = seed = mix(seed, k);
    for (u32 k = 0; k < 3; k++)
        small[k] = (u8)(seed >> k);
    return t[at & 15] + small[at % 3];
}

NOINLINE u32
in_unaligned(u32 seed, u32 at)
{
    u8 t[13];
    for (u32 k = 0; k < 13; k++)
        t[k] = (u8)in_aligned(seed + k, at);
    return in_aligned(t[at % 13], at >> 3) ^ t[at % 7];
}

/* Frames with a larger alignment than the stack. */
INLINED(aligned_frames)
{
    return in_unaligned(a[i], b[i]) + in_aligned(b[i], a[i]);
}

VECTOR(v4u32, u32, 4);

NOINLINE v4u64
take_vectors(v8u16 x, v4u64 y, v4u32 z, u8 w)
{
    v4u64 r = y;
    for (u32 c = 0; c < 4; c++)
        r[c] = y[c] * z[3 - c] + x[c] * (u64)x[7 - c] + w;
    return r;
}

INLINED(vector_arguments)
{
    v8u16 x;
    v4u64 y;
    v4u32 z;
    u32 r = n;
    for (u32 c = 0; c < 8; c++)
        x[c] = (u16)(a[(i + c) % n] >> c);
    for (u32 c = 0; c < 4; c++) {
        y[c] = (u64)b[(i + c) % n] << (8 * c);
        z[c] = a[(i + c) % n];
    }
    v4u64 first = take_vectors(x, y, z, (u8)b[i]), second = take_vectors(x + x, first, z ^ 5, 7);
    for (u32 c = 0; c < 4; c++)
        r = mix(r, first[c] ^ second[c]);
    return r;
}

typedef struct big_struct {
    u32 words[20];
    u64 sum;
} big_struct;

NOINLINE big_struct
turn_big(big_struct v, u32 by)
{
    big_struct r;
    r.sum = v.sum * 3;
    for (u32 k = 0; k < 20; k++) {
        r.words[k] = v.words[(k + by) % 20] + by;
        r.sum += r.words[k];
    }
    v.words[0] = 0; /* the caller's copy is another one */
    return r;
}

/* Structures too large for registers, as arguments and as results. */
INLINED(big_structs)
{
    big_struct v;
    u32 r = n;
    for (u32 k = 0; k < 20; k++)
        v.words[k] = a[(i + k) % n];
    v.sum = b[i];
    big_struct w = turn_big(turn_big(v, a[i] & 15), b[i] & 7);
    for (u32 k = 0; k < 20; k += 3)
        r = mix(r, w.words[k] ^ (u64)v.words[k] << 32);
    return mix(r, w.sum);
}
