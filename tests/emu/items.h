/* Items of all kinds, which are separate functions at -O0 (items_base.h). */
#define ITEMS(X)                                                                                   \
    X(arith)                                                                                       \
    X(collatz)                                                                                     \
    X(gcd)                                                                                         \
    X(bits)                                                                                        \
    X(crc)                                                                                         \
    X(wide)                                                                                        \
    X(divide64)                                                                                    \
    X(udivide)                                                                                     \
    X(sdivide)                                                                                     \
    X(poly)                                                                                        \
    X(fdivide)                                                                                     \
    X(fcompare)                                                                                    \
    X(doubles)                                                                                     \
    X(halves)                                                                                      \
    X(convert)                                                                                     \
    X(choose)                                                                                      \
    X(table)                                                                                       \
    X(sort16)                                                                                      \
    X(called)                                                                                      \
    X(pointers)                                                                                    \
    X(bytes)                                                                                       \
    X(vectors) X(matrix) X(mandel) X(rounds) X(structs) X(nested) X(early) X(longloop) X(mixed)

ITEM(arith)
{
    u32 x = a[i], y = b[i % n];
    return x * y + (x - y) * 3 + (x ^ (y << 5)) - (x >> 3);
}

ITEM(collatz)
{
    u32 x = a[i] & 0xffff, steps = 0;
    while (x > 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
    }
    return steps;
}

ITEM(gcd)
{
    u32 x = a[i] | 1, y = b[i];
    while (y) {
        u32 t = x % y;
        x = y;
        y = t;
    }
    return x;
}

ITEM(bits)
{
    u32 x = a[i], r = 0;
    r += (u32)__builtin_popcount(x);
    r = r * 33 + (x ? (u32)__builtin_clz(x) : 32);
    r = r * 33 + (x ? (u32)__builtin_ctz(x) : 32);
    r = r * 33 + (x << 7 | x >> 25);
    u32 rev = 0;
    for (int k = 0; k < 32; k++)
        rev |= (x >> k & 1) << (31 - k);
    return r ^ rev;
}

ITEM(crc)
{
    u32 crc = 0xffffffff;
    for (u32 k = 0; k < (a[i] & 7) + 1; k++) {
        crc ^= b[(i + k) % n] & 255;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

ITEM(wide)
{
    u64 x = (u64)a[i] << 32 | b[i], y = (u64)b[i] << 20 ^ a[i];
    i64 s = (i64)(x * y);
    u64 r = x * y + (y >> (a[i] & 63)) - (x << (b[i] & 31));
    r ^= (u64)(s >> 17);
    r += s < (i64)y ? 5 : 7;
    r += x > y ? x - y : y - x;
    return (u32)r ^ (u32)(r >> 32);
}

ITEM(divide64)
{
    u64 x = (u64)a[i] << 32 | b[i], y = ((u64)(b[i] & 0xfff) << 16 | (a[i] & 0xffff)) + 1;
    i64 s = (i64)x / (i64)y, t = (i64)x % (i64)(y | 3);
    u64 r = x / y + x % y * 7 + (u64)s + (u64)t * 3;
    return (u32)r ^ (u32)(r >> 32);
}

ITEM(udivide)
{
    u32 x = a[i], y = (b[i] >> (a[i] & 31)) + 1;
    return x / y * 31 + x % y + x / 7 + x % 1000;
}

ITEM(sdivide)
{
    i32 x = (i32)a[i] >> 1, y = (i32)((b[i] >> (i & 15)) | 1);
    return (u32)(x / y) * 31 + (u32)(x % y) + (u32)(x / -7) + (u32)(x % 10);
}

ITEM(poly)
{
    float x = some_float(a[i]), y = some_float(b[i]), r = 0.5f;
    for (int k = 0; k < 6; k++)
        r = r * x + (y - (float)k);
    return f32_bits(r);
}

ITEM(fdivide)
{
    float x = as_f32(a[i] & 0xbfffffff), y = as_f32((b[i] & 0x7fffff) | (a[i] % 253 + 1) << 23);
    float q = x / y, s = __builtin_sqrtf(y);
    return f32_bits(q) * 3 + f32_bits(s) + f32_bits(1.0f / y);
}

ITEM(fcompare)
{
    float x = i % 5 == 0 ? as_f32(0x7fc00000) : some_float(a[i]),
          y = i % 7 == 0 ? -0.0f : some_float(b[i]);
    u32 r = x < y;
    r = r * 2 + (x <= y);
    r = r * 2 + (x == y);
    r = r * 2 + (x != y);
    r = r * 2 + !(x > y);
    r = r * 2 + (x >= y);
    float z = x > y ? x : y;
    return r ^ f32_bits(z) << 3;
}

ITEM(doubles)
{
    double x = (double)some_float(a[i]) * 3.25, y = (double)some_float(b[i]) + 0.1, r = x;
    for (int k = 0; k < 4; k++)
        r = r * y - x / (y * y + 1.0) + (double)k;
    r += __builtin_sqrt(y * y + 2.0);
    u64 u = f64_bits(r);
    return (u32)u ^ (u32)(u >> 32);
}

ITEM(halves)
{
    f16 x = (f16)some_float(a[i]), y = (f16)some_float(b[i]);
    f16 s = x + y, p = x * y, d = x - y;
    u32 r = f16_bits(s) | f16_bits(p) << 16;
    r ^= (u32)(f16_bits(d) * 3);
    r += x < y ? 1 : 2;
    /* as bits: clang 19 omits the rounding of a value that is converted back at once, for gfx6,
     * gfx7 */
    return r + f32_bits((float)f16_of(f16_bits(p)));
}

ITEM(convert)
{
    float x = some_float(a[i]) * 1000.0f;
    i32 k = (i32)x;
    u32 u = (u32)(x < 0 ? -x : x);
    float back = (float)(i32)a[i] + (float)b[i];
    double d = (double)(i32)a[i] * 0.5 + (double)b[i];
    return (u32)k * 3 + u + f32_bits(back) + (u32)f64_bits(d) + f32_bits((float)d) +
           (u32)(i32)(signed char)a[i];
}

ITEM(choose)
{
    u32 r = b[i];
    for (u32 k = 0; k < 4; k++)
        switch (a[i] >> (k * 3) & 7) {
        case 0: r += 1; break;
        case 1: r *= 3; break;
        case 2: r ^= 0x55; break;
        case 3: r = r << 3 | r >> 29; break;
        case 4: r -= a[i]; break;
        case 5: r = ~r; /* falls through */
        case 6: r ^= r >> 7; break;
        default: r += k; break;
        }
    return r;
}

ITEM(table)
{
    u32 t[24];
    for (u32 k = 0; k < 24; k++)
        t[k] = a[(i + k) % n] + k;
    u32 r = 0, at = b[i] % 24;
    for (u32 k = 0; k < 40; k++) {
        r = r * 5 + t[at];
        t[at] = r;
        at = r % 24;
    }
    return r;
}

ITEM(sort16)
{
    u32 t[16], r = 0;
    for (u32 k = 0; k < 16; k++)
        t[k] = a[(i * 3 + k) % n] % 1000;
    for (int x = 1; x < 16; x++) {
        u32 v = t[x];
        int y = x;
        while (y > 0 && t[y - 1] > v) {
            t[y] = t[y - 1];
            y--;
        }
        t[y] = v;
    }
    for (u32 k = 0; k < 16; k++)
        r = r * 7 + t[k];
    return r + t[b[i] & 15];
}

NOINLINE u32
mixed_up(u32 x, u32 y)
{
    for (u32 k = 0; k < (y & 3) + 1; k++)
        x = x * 1664525 + 1013904223;
    return x;
}

NOINLINE u32
twice(u32 x, u32 y)
{
    return mixed_up(x, y) ^ mixed_up(y, x);
}

ITEM(called)
{
    u32 r = twice(a[i], b[i]);
    if (r & 1)
        r += twice(r, i);
    return r;
}

NOINLINE void
accumulate(PRIVATE u32 *sum, PRIVATE const u32 *t, u32 count)
{
    for (u32 k = 0; k < count; k++)
        *sum += t[k] * (k + 1);
}

ITEM(pointers)
{
    u32 t[8], sum = 3;
    for (u32 k = 0; k < 8; k++)
        t[k] = a[(i + k * 5) % n];
    accumulate(&sum, t, (b[i] & 7) + 1);
    accumulate(&t[2], t, 2);
    return sum + t[2];
}

ITEM(bytes)
{
    GLOBAL uchar *p = (GLOBAL uchar *)a;
    GLOBAL ushort *q = (GLOBAL ushort *)b;
    u32 r = 0;
    for (u32 k = 0; k < 5; k++) {
        r = r * 3 + p[(i * 3 + k) % (4 * n)];
        r ^= (u32)q[(i * 5 + k) % (2 * n)] << k;
        r += (u32)(i32)(signed char)p[(i + k) % (4 * n)] + (u32)(i32)(short)q[(i + k) % (2 * n)];
    }
    uchar local_bytes[8];
    for (u32 k = 0; k < 8; k++)
        local_bytes[k] = (uchar)(r >> k);
    return r + local_bytes[a[i] & 7];
}

ITEM(vectors)
{
    u32 r = 0;
    for (u32 k = 0; k < 4; k++) {
        u32 at = (i / 4 * 4 + k * 4) % n;
#ifdef __OPENCL_C_VERSION__
        uint4 v = *(const global uint4 *)(a + at) + (uint4)(1, 2, 3, 4);
        v = v.wzyx ^ *(const global uint4 *)(b + at);
        r += v.x + v.y * 3 + v.z * 5 + v.w * 7;
#else
        for (u32 c = 0; c < 4; c++)
            r += ((a[at + 3 - c] + 4 - c) ^ b[at + c]) * (2 * c + 1);
#endif
    }
    return r;
}

ITEM(matrix)
{
    u32 row = i % 16, column = i / 16 % 16, sum = 0;
    for (u32 k = 0; k < 16; k++)
        sum += a[row * 16 + k] * b[k * 16 + column];
    return sum;
}

ITEM(mandel)
{
    float cx = (float)(i % 32) * 0.1f - 2.0f, cy = (float)(i / 32) * 0.15f - 1.2f, x = 0, y = 0;
    u32 k = 0;
    for (; k < 60; k++) {
        float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f)
            break;
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
    }
    return k * 1000 + (f32_bits(x) >> 20) + a[i] % 3 + b[i] % 5;
}

ITEM(rounds)
{
    u32 h = a[i], g = b[i], e = 0x6a09e667;
    for (u32 k = 0; k < 20; k++) {
        u32 s = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7);
        u32 ch = (e & g) ^ (~e & h), maj = (e & g) ^ (e & h) ^ (g & h);
        u32 t = s + ch + maj + k;
        h = g;
        g = e;
        e = t;
    }
    return h ^ g ^ e;
}

typedef struct pair {
    u32 x;
    u64 y;
    uchar tail[5];
} pair;

NOINLINE pair
make_pair(u32 v)
{
    pair p;
    p.x = v;
    p.y = (u64)v * v;
    for (u32 k = 0; k < 5; k++)
        p.tail[k] = (uchar)(v >> (k * 4));
    return p;
}

ITEM(structs)
{
    pair p[3];
    for (u32 k = 0; k < 3; k++)
        p[k] = make_pair(a[(i + k) % n]);
    pair q = p[b[i] % 3];
    return q.x + (u32)(q.y >> 7) + q.tail[b[i] % 5];
}

ITEM(nested)
{
    u32 r = 0, x = a[i], y = b[i];
    for (u32 k = 0; k < 6; k++) {
        if (x & 1) {
            if (y & 1) {
                r += k;
                if ((x ^ y) & 2)
                    continue;
            } else {
                r ^= x;
            }
            r *= 3;
        } else if (y & 2) {
            for (u32 q = 0; q < (y & 7); q++) {
                r += q;
                if (r % 5 == 4)
                    break;
            }
        }
        x >>= 1;
        y = y >> 2 | y << 30;
    }
    return r;
}

ITEM(early)
{
    for (u32 k = 0; k < n; k++) {
        if (a[(i + k) % n] % 11 == 3)
            return k;
        if (b[k] % 97 == i % 97)
            return k + 1000;
    }
    return 9999;
}

ITEM(longloop)
{
    u32 x = a[i] | 1, sum = 0;
    for (u32 k = 0; k < 300 + (b[i] & 63); k++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        sum += x >> 28;
    }
    return sum ^ x;
}

ITEM(mixed)
{
    float f = some_float(a[i]);
    double d = (double)f;
    f16 h = (f16)f;
    i64 k = (i64)(d * 1000.0);
    float m = (float)h * 2.0f + (float)(b[i] & 255);
    return (u32)k ^ f32_bits(m) ^ (u32)f64_bits(d * d) ^ (u32)((u64)(f < 0 ? -f : f) << 3);
}
