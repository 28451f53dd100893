/* Integer items: every operation in every width, as functions of the item's number (items.h). mix
 * folds the results of many operations into one word. */
#define ITEMS_INT(X)                                                                               \
    X(ops8)                                                                                        \
    X(ops16)                                                                                       \
    X(ops32)                                                                                       \
    X(ops64)                                                                                       \
    X(divide8)                                                                                     \
    X(divide16)                                                                                    \
    X(divide_wide)                                                                                 \
    X(divide_constants)                                                                            \
    X(saturate8)                                                                                   \
    X(saturate16)                                                                                  \
    X(saturate32)                                                                                  \
    X(saturate64)                                                                                  \
    X(rotate)                                                                                      \
    X(count)                                                                                       \
    X(bitfields)                                                                                   \
    X(mul_high)                                                                                    \
    X(mad24)                                                                                       \
    X(wide128)                                                                                     \
    X(extremes)                                                                                    \
    X(distances)                                                                                   \
    X(chars4) X(shorts2) X(shorts8) X(ints8) X(longs4) X(logic) X(byte_order) X(three_operands)

/* All operators of an unsigned type U of `w` bits and its signed counterpart S. */
#define OPERATORS(U, S, w, x, y)                                                                   \
    do {                                                                                           \
        const U p = (U)(x), q = (U)(y);                                                            \
        const S s = (S)p, t = (S)q;                                                                \
        const u32 by = (u32)(q & (w - 1));                                                         \
        r = mix(r, (U)(p + q));                                                                    \
        r = mix(r, (U)(p - q));                                                                    \
        r = mix(r, (U)((u64)p * (u64)q));                                                          \
        r = mix(r, (U)((u64)p << by));                                                             \
        r = mix(r, (U)(p >> by));                                                                  \
        r = mix(r, (U)(s >> by));                                                                  \
        r = mix(r, (U)(p & q) + (U)(p | q));                                                       \
        r = mix(r, (U)(p ^ (U)~q));                                                                \
        r = mix(r, (u32)(p < q) | (u32)(s < t) << 1 | (u32)(p <= q) << 2 | (u32)(s <= t) << 3 |    \
                       (u32)(p == q) << 4 | (u32)(s != t) << 5 | (u32)(p > q) << 6 |               \
                       (u32)(s >= t) << 7);                                                        \
    } while (0)

INLINED(ops8)
{
    u32 r = n;
    for (u32 k = 0; k < 4; k++) {
        OPERATORS(u8, i8, 8, a[i] >> 8 * k, b[i] >> 8 * k);
        OPERATORS(u8, i8, 8, a[i] >> 8 * k, a[i] >> 8 * k);
    }
    return r;
}

INLINED(ops16)
{
    u32 r = n;
    for (u32 k = 0; k < 2; k++)
        OPERATORS(u16, i16, 16, a[i] >> 16 * k, b[i] >> 16 * k);
    OPERATORS(u16, i16, 16, a[i], 0x8000);
    return r;
}

INLINED(ops32)
{
    u32 r = n;
    OPERATORS(u32, i32, 32, a[i], b[i]);
    OPERATORS(u32, i32, 32, a[i], 0x80000000u);
    OPERATORS(u32, i32, 32, 12345, b[i]);
    return r;
}

INLINED(ops64)
{
    u32 r = n;
    u64 x = (u64)a[i] << 32 | b[i], y = (u64)(b[i] * 3) << 32 | (a[i] ^ 0x55);
    OPERATORS(u64, i64, 64, x, y);
    OPERATORS(u64, i64, 64, x, x ^ (y & 63));
    OPERATORS(u64, i64, 64, x, (u64)1 << 63 | 33);
    return r;
}

INLINED(divide8)
{
    u32 r = n;
    for (u32 k = 0; k < 4; k++) {
        u8 x = (u8)(a[i] >> 8 * k), y = (u8)(b[i] >> 8 * k | 1);
        i8 s = (i8)x, t = (i8)(y == 255 ? 3 : y);
        r = mix(r, (u8)(x / y) | (u32)(u8)(x % y) << 8 | (u32)(u8)(s / t) << 16 |
                       (u32)(u8)(s % t) << 24);
    }
    return r;
}

INLINED(divide16)
{
    u32 r = n;
    for (u32 k = 0; k < 2; k++) {
        u16 x = (u16)(a[i] >> 16 * k), y = (u16)((u16)(b[i] >> 16 * k) >> (i & 15) | 1);
        i16 s = (i16)x, t = (i16)(y == 0xffff ? 3 : y);
        r = mix(r, (u16)(x / y) | (u32)(u16)(x % y) << 16);
        r = mix(r, (u16)(s / t) | (u32)(u16)(s % t) << 16);
    }
    return r;
}

INLINED(divide_wide)
{
    u64 x = (u64)a[i] << 32 | b[i], y = ((u64)b[i] << 32 | a[i]) >> (a[i] & 63) | 1;
    i64 s = (i64)x >> 1, t = (i64)y == -1 ? 3 : (i64)y;
    u32 r = mix(n, x / y);
    r = mix(r, x % y);
    r = mix(r, (u64)(s / t));
    r = mix(r, (u64)(s % t));
    r = mix(r, (x >> 32) / (y & 0xffff | 1));
    return mix(r, (u64)((i64)(i32)a[i] / (i64)((i32)b[i] | 1)));
}

INLINED(divide_constants)
{
    u32 x = a[i], r = n;
    i32 s = (i32)x;
    u64 w = (u64)x << 32 | b[i];
    r = mix(r, x / 3 + x % 3);
    r = mix(r, x / 10 * 7 + x % 10);
    r = mix(r, x / 641 + x % 1000000007u);
    r = mix(r, (u32)(s / 5) ^ (u32)(s % -7));
    r = mix(r, (u32)(s / 16) ^ (u32)(s % 64));
    r = mix(r, (u32)(s / -1000) + (u32)(s % 0x7fffffff));
    r = mix(r, w / 10 + w % 1000000000u);
    r = mix(r, (u64)((i64)w / 4096) ^ (u64)((i64)w % 86400));
    return mix(r, (u32)(u16)x / 100 + (u32)(u8)x % 13);
}

/* Sums and differences that stay within the type, unsigned and signed. */
#define SATURATE(U, S, W, low, high, top, x, y)                                                    \
    do {                                                                                           \
        const U p = (U)(x), q = (U)(y);                                                            \
        const U sum = (U)(p + q);                                                                  \
        const W s = (W)(S)p + (W)(S)q, d = (W)(S)p - (W)(S)q;                                      \
        r = mix(r, sum < p ? (U)(top) : sum);                                                      \
        r = mix(r, p < q ? (U)0 : (U)(p - q));                                                     \
        r = mix(r, (U)(s < (low) ? (low) : s > (high) ? (high) : s));                              \
        r = mix(r, (U)(d < (low) ? (low) : d > (high) ? (high) : d));                              \
    } while (0)

INLINED(saturate8)
{
    u32 r = n;
    for (u32 k = 0; k < 4; k++)
        SATURATE(u8, i8, i32, -128, 127, 255, a[i] >> 8 * k, b[i] >> 8 * k);
    return r;
}

INLINED(saturate16)
{
    u32 r = n;
    for (u32 k = 0; k < 2; k++)
        SATURATE(u16, i16, i32, -32768, 32767, 0xffff, a[i] >> 16 * k, b[i] >> 16 * k);
    return r;
}

INLINED(saturate32)
{
    u32 r = n;
    SATURATE(u32, i32, i64, -2147483647 - 1, 2147483647, 0xffffffffu, a[i], b[i]);
    SATURATE(u32, i32, i64, -2147483647 - 1, 2147483647, 0xffffffffu, a[i], 0x80000000u | b[i]);
    return r;
}

INLINED(saturate64)
{
    const u64 x = (u64)a[i] << 32 | b[i], y = (u64)b[i] << 32 | a[i], top = (u64)1 << 63;
    u64 s = x + y, d = x - y;
    u32 r = mix(n, s < x ? ~(u64)0 : s);
    r = mix(r, x < y ? 0 : d);
    r = mix(r, ((x ^ s) & (y ^ s)) >> 63 ? ((i64)x < 0 ? top : top - 1) : s);
    return mix(r, ((x ^ y) & (x ^ d)) >> 63 ? ((i64)x < 0 ? top : top - 1) : d);
}

INLINED(rotate)
{
    u32 x = a[i], s = b[i] & 31, r = n;
    u64 w = (u64)x << 32 | b[i];
    r = mix(r, x << s | x >> (-s & 31));
    r = mix(r, x >> s | x << (-s & 31));
    r = mix(r, x << 13 | x >> 19);
    r = mix(r, w << (s * 2) | w >> (-(s * 2) & 63));
    r = mix(r, w >> 21 | w << 43);
    r = mix(r, (u16)((u16)x << (s & 15) | (u16)x >> (-s & 15)));
    r = mix(r, (u8)((u8)x << 3 | (u8)x >> 5));
    return mix(r, (u32)(w >> s)); /* a funnel shift */
}

INLINED(count)
{
    u32 r = n;
    for (u32 k = 0; k < 32; k += 5) {
        u32 x = a[i] >> k << (b[i] & 7);
        u64 w = (u64)a[i] << 32 >> 2 * k ^ (u64)(k == 30);
        r = mix(r, (u32)__builtin_popcount(x) << 8 | (u32)__builtin_popcountl(w));
        r = mix(r, x ? (u32)__builtin_clz(x) : 32);
        r = mix(r, x ? (u32)__builtin_ctz(x) : 32);
        r = mix(r, w ? (u32)__builtin_clzl(w) : 64);
        r = mix(r, w ? (u32)__builtin_ctzl(w) : 64);
        r = mix(r, (u16)x ? (u32)__builtin_clz((u32)(u16)x) - 16 : 16);
        r = mix(r, (u8)x ? (u32)__builtin_ctz((u32)(u8)x) : 8);
        r = mix(r, (u32)__builtin_popcount(x) & 1);
        i32 s = (i32)x;
        r = mix(r, s == 0 || s == -1 ? 31 : (u32)__builtin_clz(s < 0 ? ~x : x) - 1);
    }
    return r;
}

INLINED(bitfields)
{
    u32 x = a[i], y = b[i], r = n, at = y & 15, width = y >> 8 & 15;
    u64 w = (u64)x << 32 | y;
    r = mix(r, x >> at & ((1u << width) - 1));
    r = mix(r, (u32)((i32)(x << 7) >> 20));
    r = mix(r, (u32)((i32)(x << (17 - at)) >> 15));
    r = mix(r, (x & y) | (~x & at * 0x01010101u));
    r = mix(r, (x & ~0x00fff000u) | (y << 12 & 0x00fff000u));
    r = mix(r, ((1u << width) - 1) << at);
    r = mix(r, w >> (at + 20) & 0xfffffff);
    r = mix(r, (u64)((i64)(w << 9) >> 40));
    r = mix(r, x & -x);
    r = mix(r, x & (x - 1));
    return mix(r, x ^ (x - 1));
}

INLINED(mul_high)
{
    u32 x = a[i], y = b[i], r = n;
    u64 w = (u64)x << 32 | y, v = (u64)y << 32 | ~x;
    r = mix(r, (u64)x * y);
    r = mix(r, (u64)((i64)(i32)x * (i32)y));
    r = mix(r, (u64)x * y + w);
    r = mix(r, (u64)((i64)(i32)x * (i32)y) + v);
    r = mix(r, (u32)((u64)x * 0xaaaaaaabu >> 32));
    /* the upper 64 bits of w * v */
    u64 ll = (u64)(u32)w * (u32)v, lh = (u64)(u32)w * (v >> 32), hl = (w >> 32) * (u32)v;
    u64 mid = (ll >> 32) + (u32)lh + (u32)hl;
    return mix(r, (w >> 32) * (v >> 32) + (lh >> 32) + (hl >> 32) + (mid >> 32));
}

INLINED(mad24)
{
    u32 x = a[i] & 0xffffff, y = b[i] & 0xffffff, r = n;
    i32 s = (i32)(a[i] << 8) >> 8, t = (i32)(b[i] << 8) >> 8;
    r = mix(r, x * y);
    r = mix(r, x * y + a[i]);
    r = mix(r, (u32)((u64)x * y >> 32));
    r = mix(r, (u32)((i64)s * t));
    r = mix(r, (u32)((i64)s * t) - b[i]);
    r = mix(r, (u32)((i64)s * t >> 32));
    return mix(r, (a[i] & 0xffff) * (b[i] & 0xffff) + y);
}

/* A sum, a difference and a product of 128 bits, by carries. */
INLINED(wide128)
{
    u64 xl = (u64)a[i] << 32 | b[i], xh = (u64)b[i] << 17 ^ a[i], yl = ~xh * 3, yh = xl ^ n;
    u64 sl = xl + yl, sh = xh + yh + (sl < xl), dl = xl - yl, dh = xh - yh - (xl < yl);
    u32 r = mix(n, sl);
    r = mix(r, sh);
    r = mix(r, dl);
    r = mix(r, dh);
    u32 s = b[i] & 63;
    u64 shifted = s ? xh << s | xl >> (64 - s) : xh;
    r = mix(r, shifted);
    return mix(r, xh < yh || (xh == yh && xl < yl));
}

#define EXTREMES(T, x, y, z)                                                                       \
    do {                                                                                           \
        const T p = (T)(x), q = (T)(y), c = (T)(z);                                                \
        const T least = p < q ? p : q, most = p > q ? p : q;                                       \
        r = mix(r, (u64)least);                                                                    \
        r = mix(r, (u64)most);                                                                     \
        r = mix(r, (u64)(c < least ? least : c > most ? most : c));                                \
        r = mix(r, (u64)(least < c ? least : c));                                                  \
        r = mix(r, (u64)(most > c ? most : c));                                                    \
    } while (0)

INLINED(extremes)
{
    u32 r = n, z = a[(i + 1) % n];
    u64 x = (u64)a[i] << 32 | b[i], y = (u64)b[i] << 32 | z;
    EXTREMES(u32, a[i], b[i], z);
    EXTREMES(i32, a[i], b[i], z);
    EXTREMES(u16, a[i], b[i], z);
    EXTREMES(i16, a[i], b[i], z);
    EXTREMES(u8, a[i], b[i], z);
    EXTREMES(i8, a[i], b[i], z);
    EXTREMES(u64, x, y, x ^ y);
    EXTREMES(i64, x, y, x ^ y);
    return r;
}

/* Sums of absolute differences, as in the hardware's instructions for bytes, halves and words. */
INLINED(distances)
{
    u32 x = a[i], y = b[i], r = n,
        sum = n; /* not 0: clang 19 drops the sign of a single byte distance (SDWA) */
    for (u32 k = 0; k < 4; k++) {
        u32 p = x >> 8 * k & 255, q = y >> 8 * k & 255;
        sum += p > q ? p - q : q - p;
    }
    r = mix(r, sum);
    r = mix(r, (x > y ? x - y : y - x) + sum);
    i32 s = (i32)x >> 2, t = (i32)y >> 2;
    r = mix(r, (u32)(s < 0 ? -s : s));
    return mix(r, (u32)(s > t ? s - t : t - s));
}

#ifdef __OPENCL_C_VERSION__
#define VECTOR(name, type, count) typedef type name __attribute__((ext_vector_type(count)))
#else
#define VECTOR(name, type, count)                                                                  \
    typedef type name __attribute__((vector_size(sizeof(type) * count)))
#endif
VECTOR(v4u8, u8, 4);
VECTOR(v4i8, i8, 4);
VECTOR(v2u16, u16, 2);
VECTOR(v2i16, i16, 2);
VECTOR(v8u16, u16, 8);
VECTOR(v8i16, i16, 8);
VECTOR(v8u32, u32, 8);
VECTOR(v8i32, i32, 8);
VECTOR(v4u64, u64, 4);
VECTOR(v4i64, i64, 4);

/* Reinterprets a type as another one of the same size. */
#ifdef __OPENCL_C_VERSION__
#define AS(type, x) __builtin_astype(x, type)
#else
#define AS(type, x) ((type)(x))
#endif

/* All operators of a vector of `count` U of `w` bits and its signed counterpart S. */
#define VECTOR_ITEM(U, S, count, w)                                                                \
    U x, y, by;                                                                                    \
    u32 r = n;                                                                                     \
    for (u32 c = 0; c < count; c++) {                                                              \
        x[c] = a[(i + c) % n] >> (c & 3);                                                          \
        y[c] = b[(i + c * 3) % n] >> (c & 7);                                                      \
        by[c] = (a[(i + c) % n] >> 9) & (w - 1);                                                   \
    }                                                                                              \
    U sum = x + y, diff = x - y, product = x * y, left = x << by, right = x >> by;                 \
    U both = (x & y) ^ (x | ~y);                                                                   \
    S shifted = AS(S, x) >> AS(S, by), less = AS(S, x) < AS(S, y), negated = AS(S, -x);            \
    for (u32 c = 0; c < count; c++) {                                                              \
        r = mix(r, (u64)sum[c] * 3 + (u64)diff[c]);                                                \
        r = mix(r, (u64)product[c]);                                                               \
        r = mix(r, (u64)left[c] ^ (u64)right[c] << 1);                                             \
        r = mix(r, (u64)both[c]);                                                                  \
        r = mix(r, (u64)shifted[c] + (u64)less[c] * 5 + (u64)negated[c] * 7);                      \
    }                                                                                              \
    return r

INLINED(chars4)
{
    VECTOR_ITEM(v4u8, v4i8, 4, 8);
}

INLINED(shorts2)
{
    VECTOR_ITEM(v2u16, v2i16, 2, 16);
}

INLINED(shorts8)
{
    VECTOR_ITEM(v8u16, v8i16, 8, 16);
}

INLINED(ints8)
{
    VECTOR_ITEM(v8u32, v8i32, 8, 32);
}

INLINED(longs4)
{
    VECTOR_ITEM(v4u64, v4i64, 4, 64);
}

/* Truth values: combining them and selecting by them. */
INLINED(logic)
{
    u32 x = a[i], y = b[i], r = n;
    int p = x > y, q = (x & 3) == 1, s = (y & 5) != 0, t = (i32)x < 0;
    r = mix(r, (u32)((p && q) || (s && !t)));
    r = mix(r, (u32)((p ^ q) | (s & t) << 1 | !s << 2));
    r = mix(r, p ? q ? x : y : s ? x + y : t ? x - y : 17);
    r = mix(r, (p == q) + (s != t) * 2u + (p + q + s + t == 2) * 4u);
    u64 w = p ? (u64)x << 32 : y;
    r = mix(r, q != t ? w : ~w);
    return mix(r, (u8)(p ? 200 : -3) + (u32)(u16)(q ? 0x1234 : -x));
}

/* Bytes and bits: reversed, interleaved, gathered. */
INLINED(byte_order)
{
    u32 x = a[i], y = b[i], r = n;
    u32 swapped = x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
    r = mix(r, swapped);
    r = mix(r, (x & 0x00ff00ff) | (y & 0xff00ff00));
    r = mix(r, (x & 0xffff) | y << 16);
    r = mix(r, x >> 16 | (y & 0xffff0000));
    r = mix(r, (x & 255) << 8 | (y >> 16 & 255));
    r = mix(r, __builtin_bswap32(y));
    r = mix(r, __builtin_bswap64((u64)x << 32 | y));
    r = mix(r, (u32)(((u64)x << 32 | y) >> (8 * (x & 3))));
    u32 even = x & 0xffff; /* a bit, a gap */
    even = (even | even << 8) & 0x00ff00ff;
    even = (even | even << 4) & 0x0f0f0f0f;
    even = (even | even << 2) & 0x33333333;
    return mix(r, (even | even << 1) & 0x55555555);
}

/* Operations of the three-operand instructions. */
INLINED(three_operands)
{
    u32 x = a[i], y = b[i], z = a[(i + 7) % n], r = n;
    r = mix(r, x + y + z);
    r = mix(r, (x << (y & 31)) + z);
    r = mix(r, (x + y) << (z & 31));
    r = mix(r, (x << (y & 31)) | z);
    r = mix(r, (x & y) | z);
    r = mix(r, x | y | z);
    r = mix(r, (x ^ y) + z);
    r = mix(r, x ^ y ^ z);
    r = mix(r, (x << 4) + y);
    r = mix(r, (x & y) ^ ((x ^ y) & z));
    r = mix(r, (x & 0xffff) * (y & 0xffff) + z);
    return mix(r, (u32)(u16)((u16)x * (u16)y + (u16)z));
}
