/* Items that clang compiles for TeraScale: functions of an item's number and two input arrays, in
 * OpenCL C and in the host's C with the same meaning. Only integers and floats of 32 bits, which
 * the chips have; conversions are in range, and no result is denormal. */
#ifndef R600_ITEMS_H
#define R600_ITEMS_H

#ifdef __OPENCL_C_VERSION__
typedef uint u32;
typedef int i32;
#define GLOBAL       const global
#define FMA(a, b, c) fma(a, b, c)
#define FLOOR(x)     __builtin_floorf(x)
#define TRUNC(x)     __builtin_truncf(x)
#define CEIL(x)      __builtin_ceilf(x)
#define RINT(x)      __builtin_rintf(x)
#define FABS(x)      __builtin_fabsf(x)
#define AS_FLOAT(x)  __builtin_astype(x, float)
#define AS_UINT(x)   __builtin_astype(x, u32)
#define MULHI(a, b)  ((u32)((ulong)(a) * (b) >> 32))
#else
#include <math.h>
#include <stdint.h>
#include <string.h>
typedef uint32_t u32;
typedef int32_t i32;
#define GLOBAL      const
#define FLOOR(x)    floorf(x)
#define TRUNC(x)    truncf(x)
#define CEIL(x)     ceilf(x)
#define RINT(x)     rintf(x)
#define FABS(x)     fabsf(x)
static inline float
AS_FLOAT(u32 u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static inline u32
AS_UINT(float f)
{
    u32 u;
    memcpy(&u, &f, 4);
    return u;
}
#define MULHI(a, b) ((u32)((uint64_t)(a) * (b) >> 32))
#endif

#define ITEM(name, body)                                                                           \
    static inline u32 item_##name(u32 i, GLOBAL u32 *a, GLOBAL u32 *b, u32 n)                      \
    {                                                                                              \
        u32 x = a[i], y = b[i], r = 0;                                                             \
        (void)x;                                                                                   \
        (void)y;                                                                                   \
        (void)n;                                                                                   \
        body return r;                                                                             \
    }

/* A float of moderate size from a random word: -8 to 8, in steps that products keep exact enough. */
#define F(word)   ((float)(i32)((word) >> 8 & 0xffff) / 4096.0f - 8.0f)
#define MIX(r, v) ((r) = ((r) << 5 | (r) >> 27) ^ (v))

/* clang-format off */
#define ITEMS(X)                                                                                   \
    X(copy)                                                                                        \
    X(add)                                                                                         \
    X(sub) X(mul) X(mulhi) X(divide) X(modulo) X(sdivide) X(smodulo) X(logic) X(shifts) X(rotate)  \
        X(minmax) X(umin) X(compare) X(ucompare) X(select) X(abs_diff) X(clz) X(popcount) X(bytes) \
            X(bitfield) X(mad24) X(fadd) X(fmul) X(fmad) X(fsub) X(fcompare) X(fminmax) X(ffloor)  \
                X(fround) X(fsign) X(from_int) X(from_uint) X(to_int) X(to_uint) X(fdot) X(poly)   \
                    X(loop) X(loop_break) X(loop_continue) X(nested_loops) X(deep_if) X(ladder)    \
                        X(collatz) X(gcd) X(prime) X(early) X(switches) X(fibonacci) X(crc)        \
                            X(bubble) X(local_array) X(table) X(gather) X(stencil) X(vectors)      \
                                X(matrix) X(mandel) X(isqrt) X(hash) X(and_or) X(triple)           \
                                    X(do_while) X(mixed)

ITEM(copy, { r = x; })
ITEM(add, { r = x + y; })
ITEM(sub, { r = x - y * 3; })
ITEM(mul, { r = x * y; })
ITEM(mulhi, { r = MULHI(x, y); })
ITEM(divide, { r = x / (y >> 8 | 1); })
ITEM(modulo, { r = x % (y >> 16 | 1); })
ITEM(sdivide, { r = (u32)((i32)x / (i32)(y >> 12 | 1)); })
ITEM(smodulo, { r = (u32)((i32)x % ((i32)y >> 20 | 1)); })
ITEM(logic, { r = (x & y) ^ (x | ~y) ^ (x & 0xff00ff); })
ITEM(shifts, {
    MIX(r, x << (y & 31));
    MIX(r, x >> (y & 31));
    MIX(r, (u32)((i32)x >> (y & 31)));
})
ITEM(rotate, { r = (x << (y & 15) | x >> ((32 - (y & 15)) & 31)) + n; })
ITEM(minmax, {
    const i32 s = (i32)x;
    const i32 t = (i32)y;
    r = (u32)(s > t ? s : t) ^ (u32)(s < 5 ? s : 5);
})
ITEM(umin, { r = (x < y ? x : y) + (x > 77 ? x : 77); })
ITEM(compare, {
    const i32 s = (i32)x;
    const i32 t = (i32)y;
    r = (u32)(s < t) | (u32)(s <= t) << 1 | (u32)(s == t) << 2 | (u32)(s != t) << 3 |
        (u32)(s > -5) << 4;
})
ITEM(ucompare,
     { r = (u32)(x < y) | (u32)(x <= y) << 1 | (u32)(x > 0x80000000u) << 2 | (u32)(x >= y) << 3; })
ITEM(select, { r = x & 4 ? y : x & 8 ? y + 7 : x; })
ITEM(abs_diff, { r = x > y ? x - y : y - x; })
ITEM(clz, {
    u32 v = x;
    while (v && !(v >> 31)) {
        v <<= 1;
        r++;
    }
})
ITEM(popcount, {
    u32 v = x;
    while (v) {
        v &= v - 1;
        r++;
    }
})
ITEM(bytes, { r = (x & 0xff) + (x >> 8 & 0xff) * 3 + (x >> 16 & 0xff) * 5 + (x >> 24) * 7; })
ITEM(bitfield, { r = (x >> 5 & 0x3ff) | ((u32)((i32)(y << 7) >> 20) & 0xfff) << 12; })
ITEM(mad24, { r = (x & 0xffffff) * (y & 0xfff) + n; })
ITEM(fadd, { r = AS_UINT(F(x) + F(y)); })
ITEM(fmul, { r = AS_UINT(F(x) * F(y) + 1.0f); })
ITEM(fmad, { r = AS_UINT(F(x) * 0.5f + F(y) * 0.25f); })
ITEM(fsub, { r = AS_UINT(F(x) - 3.25f - F(y)); })
ITEM(fcompare, {
    const float f = F(x);
    const float g = F(y);
    r = (u32)(f < g) | (u32)(f <= g) << 1 | (u32)(f == g) << 2 | (u32)(f != g) << 3 |
        (u32)(f >= 2.0f) << 4 | (u32)(g > -1.0f) << 5;
})
ITEM(fminmax, {
    const float f = F(x);
    const float g = F(y);
    r = AS_UINT((f < g ? f : g) + (f > 1.0f ? f : 1.0f));
})
ITEM(ffloor, { r = AS_UINT(FLOOR(F(x)) + CEIL(F(y)) * 16.0f); })
ITEM(fround, { r = AS_UINT(RINT(F(x)) + TRUNC(F(y)) * 32.0f); })
ITEM(fsign, { r = AS_UINT(FABS(F(x)) + -F(y)); })
ITEM(from_int, { r = AS_UINT((float)(i32)x); })
ITEM(from_uint, { r = AS_UINT((float)x) ^ AS_UINT((float)(y >> 7)); })
ITEM(to_int, { r = (u32)(i32)(F(x) * 100.0f); })
ITEM(to_uint, { r = (u32)(FABS(F(x)) * 1000.0f); })
ITEM(fdot, {
    float s = 0.0f;
    for (u32 k = 0; k < 4; k++)
        s += F(a[(i + k) % n]) * F(b[(i + k) % n]);
    r = AS_UINT(s + 500.0f);
})
ITEM(poly, {
    const float f = F(x) * 0.125f;
    r = AS_UINT((((f + 2.0f) * f - 3.0f) * f + 4.0f) * f + 16.0f);
})
ITEM(loop, {
    for (u32 k = 0; k < (x & 31); k++)
        r += y ^ k;
})
ITEM(loop_break, {
    for (u32 k = 0; k < 40; k++) {
        if ((x >> (k & 31) & 3) == 3)
            break;
        r += k + y;
    }
})
ITEM(loop_continue, {
    for (u32 k = 0; k < 24; k++) {
        if (x >> k & 1)
            continue;
        MIX(r, y + k);
        if (r & 0x10000)
            break;
    }
})
ITEM(nested_loops, {
    for (u32 k = 0; k < (x & 7); k++)
        for (u32 j = 0; j < (y & 7); j++) {
            if (j == k)
                continue;
            if ((r & 63) == 17)
                break;
            r += k * 8 + j;
        }
})
ITEM(deep_if, {
    if (x & 1) {
        r = 3;
        if (x & 2) {
            r = y;
            if (x & 4)
                r = y & 8 ? r * 3 : r + 5;
            else if (x & 16)
                r ^= x;
            r += 100;
        } else if (y & 1) {
            r = x;
        }
        r ^= 0x55;
    } else {
        r = y & 2 ? 9 : 11;
    }
})
ITEM(ladder, {
    r = x < 0x20000000   ? 1
        : x < 0x40000000 ? y
        : x < 0x80000000 ? y * 3
        : x < 0xc0000000 ? y ^ x
                         : 5;
})
ITEM(collatz, {
    u32 v = x & 0xfff;
    while (v > 1) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        r++;
    }
})
ITEM(gcd, {
    u32 u = x & 0xffff;
    u32 v = (y & 0xffff) | 1;
    while (v) {
        const u32 t = u % v;
        u = v;
        v = t;
    }
    r = u;
})
ITEM(prime, {
    const u32 v = (x & 0x3ff) + 2;
    r = 1;
    for (u32 k = 2; k * k <= v; k++)
        if (v % k == 0) {
            r = 0;
            break;
        }
})
ITEM(early, {
    if (x & 1)
        return y;
    for (u32 k = 0; k < 8; k++) {
        r += x >> k;
        if (r & 0x800)
            return r ^ k;
    }
})
ITEM(switches, {
    switch (x & 7) {
    case 0: r = y; break;
    case 1: r = y * 4 + 1; break;
    case 2: r = y * 3; break;
    case 5: r = ~y; break;
    case 6: r = y >> 3; break;
    default: r = 77;
    }
})
ITEM(fibonacci, {
    u32 u = 0;
    u32 v = 1;
    for (u32 k = 0; k < (x & 31); k++) {
        const u32 t = u + v;
        u = v;
        v = t;
    }
    r = u;
})
ITEM(crc, {
    r = x;
    for (u32 k = 0; k < 32; k++)
        r = r & 1 ? r >> 1 ^ 0xedb88320 : r >> 1;
})
ITEM(bubble, {
    u32 v0 = x & 0xff;
    u32 v1 = x >> 8 & 0xff;
    u32 v2 = x >> 16 & 0xff;
    u32 v3 = x >> 24;
    for (u32 k = 0; k < 3; k++) {
        u32 t;
        if (v0 > v1) {
            t = v0;
            v0 = v1;
            v1 = t;
        }
        if (v1 > v2) {
            t = v1;
            v1 = v2;
            v2 = t;
        }
        if (v2 > v3) {
            t = v2;
            v2 = v3;
            v3 = t;
        }
    }
    r = v0 | v1 << 8 | v2 << 16 | v3 << 24;
})
ITEM(local_array, {
    u32 t[8];
    for (u32 k = 0; k < 8; k++)
        t[k] = x + k * y;
    for (u32 k = 0; k < 8; k++)
        MIX(r, t[(k + y) & 7]);
})
ITEM(table, { r = a[x % n] + b[y % n]; })
ITEM(gather, {
    for (u32 k = 0; k < 4; k++)
        r += a[(x + k * 37) % n] ^ b[(y + k) % n];
})
ITEM(stencil, { r = a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n]; })
ITEM(vectors, {
    for (u32 k = 0; k < 3; k++)
        r += (a[(i + k) % n] & 0xff) * (b[(i + k) % n] & 0xff);
})
ITEM(matrix, {
    for (u32 k = 0; k < 4; k++)
        for (u32 j = 0; j < 4; j++)
            r += a[(i & ~3u) + k] * b[(i & ~3u) + j] + (k ^ j);
})
ITEM(mandel, {
    const float cx = F(x) * 0.25f;
    const float cy = F(y) * 0.25f;
    float zx = 0.0f;
    float zy = 0.0f;
    while (r < 20 && zx * zx + zy * zy < 4.0f) {
        const float t = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = t;
        r++;
    }
})
ITEM(isqrt, {
    u32 bit = 1u << 30;
    u32 v = x;
    while (bit > v)
        bit >>= 2;
    while (bit) {
        if (v >= r + bit) {
            v -= r + bit;
            r = (r >> 1) + bit;
        } else {
            r >>= 1;
        }
        bit >>= 2;
    }
})
ITEM(hash, {
    r = x ^ 61 ^ x >> 16;
    r *= 9;
    r ^= r >> 4;
    r *= 0x27d4eb2d;
    r ^= r >> 15;
})
ITEM(and_or, { r = ((x & 1) && (y & 2)) || (!(x & 4) && (y & 8) && x > y); })
ITEM(triple, {
    for (u32 k = 0; k < 3; k++)
        for (u32 j = 0; j < (x & 3); j++)
            for (u32 l = 0; l <= (y & 3); l++)
                r += k * 16 + j * 4 + l;
})
ITEM(do_while, {
    u32 v = x;
    do {
        r += v & 15;
        v >>= 3;
    } while (v);
})
ITEM(mixed, {
    const float f = F(x);
    for (u32 k = 0; k < (y & 7) + 1; k++)
        r += f > (float)k ? (u32)(f * 16.0f) + k : k * 3;
})

/* clang-format on */

#endif
