/* References of kernels_target.cl: instructions that plain C does not reach. */
#include "kernel_test.h"

#include <fenv.h>
#include <math.h>

static u32
byte_of(u64 w, u32 k)
{
    return (u32)(w >> 8 * k) & 255;
}

static u32
distance(u32 x, u32 y)
{
    return x > y ? x - y : y - x;
}

/* The sum of absolute differences of four bytes; with `masked`, only those where y is not 0. */
static u32
sad(u64 x, u32 y, bool masked)
{
    u32 sum = 0;
    for (u32 k = 0; k < 4; k++)
        if (!masked || byte_of(y, k))
            sum += distance(byte_of(x, k), byte_of(y, k));
    return sum;
}

REFERENCE(byte_operations)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 x = a[i], y = b[i], at = y & 31, width = y >> 5 & 31, average = 0;
        u64 both = (u64)x << 32 | y;
        for (u32 k = 0; k < 4; k++)
            average |= ((byte_of(x, k) + byte_of(y, k) + (0x01000101u >> 8 * k & 1)) >> 1) << 8 * k;
        u32 r = mix(0, sad(x, y, false) + 100);
        r = mix(r, (sad(x, y, false) << 16) + 100);
        r = mix(r, distance(x & 0xffff, y & 0xffff) + distance(x >> 16, y >> 16) + x);
        r = mix(r, sad(x, y & 0xff00ffff, true) + 7);
        r = mix(r, average);
        r = mix(r, (u32)(both >> (y & 31)));
        r = mix(r, (u32)(both >> 8 * (y & 3)));
        r = mix(r, x >> at & ((1u << width) - 1));
        u32 field = (u32)((i32)x >> at);
        if (at + width < 32)
            field = width ? (u32)((i32)(x << (32 - at - width)) >> (32 - width)) : 0;
        r = mix(r, width ? field : 0);
        u32 top = (y & 511) > 255 ? 255 : y & 511;
        out[i] = mix(r, (x & 0xff00ffff) | top << 16);
    }
}

REFERENCE(quad_sad)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u64 w = (u64)a[i] << 32 | b[i], quad = 0, masked = 0;
        u32 m[4];
        for (u32 k = 0; k < 4; k++) {
            quad |= (u64)(u16)(sad(w >> 8 * k, a[i], false) + 4 - k) << 16 * k;
            masked |= (u64)(u16)(sad(w >> 8 * k, b[i] & 0xffff00ff, true) + 4 - k) << 16 * k;
            m[k] = sad(w >> 8 * k, b[i] & 0xff00ffff, true) + k + 1;
        }
        u32 r = mix(mix(0, quad), masked);
        out[i] = mix(mix(r, m[0] ^ (u64)m[1] << 32), m[2] ^ (u64)m[3] << 32);
    }
}

static u32
permuted(u32 x, u32 y, u32 selector)
{
    u64 both = (u64)x << 32 | y;
    u32 r = 0;
    for (u32 k = 0; k < 4; k++) {
        u32 s = byte_of(selector, k), v;
        if (s < 8)
            v = byte_of(both, s);
        else if (s < 12)
            v = both >> (16 * (s - 8) + 15) & 1 ? 255 : 0;
        else
            v = s == 12 ? 0 : 255;
        r |= v << 8 * k;
    }
    return r;
}

REFERENCE(byte_permute)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 x = a[i], y = b[i], r = mix(0, permuted(x, y, 0x05010703));
        r = mix(r, permuted(x, y, 0x0c0d0608));
        out[i] = mix(r, permuted(x, y, (x ^ y) & 0x0f0f0f0f));
    }
}

/* Rounds to binary16 towards zero. */
static u32
half_towards_zero(float x)
{
    u32 h = f16_bits((f16)x);
    return fabsf((float)as_f16(h)) > fabsf(x) ? h - 1 : h;
}

static u32
clamped(double x, double low, double high)
{
    return (u32)(i32)rint(x < low ? low : x > high ? high : x) & 0xffff;
}

REFERENCE(pack_conversions)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        float x = some_float(a[i]), y = some_float(b[i]), xs = x / 256.0f, ys = y / 4.0f;
        u32 r = mix(0, half_towards_zero(x) | half_towards_zero(y) << 16);
        r = mix(r, clamped(xs * 32767.0, -32767, 32767) | clamped(ys * 32767.0, -32767, 32767)
                                                              << 16);
        r = mix(r, clamped(xs * 65535.0, 0, 65535) | clamped(ys * 65535.0, 0, 65535) << 16);
        r = mix(r, clamped((i32)a[i] >> 14, -32768, 32767) | clamped((i32)b[i] >> 10, -32768, 32767)
                                                                 << 16);
        out[i] = mix(r, clamped(a[i] >> 14, 0, 65535) | clamped(b[i] >> 10, 0, 65535) << 16);
    }
}

REFERENCE(hardware_math)
{
    const double turn = 6.283185307179586;
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        float x = some_float(a[i]), p = fabsf(x);
        double r;
        switch (i & 7) {
        case 0: r = 1.0 / x; break;
        case 1: r = 1.0 / sqrt(p); break;
        case 2: r = sqrt(p); break;
        case 3: r = exp2(x * 0.2f); break;
        case 4: r = log2(p + 3.0f); break;
        case 5: r = sin(turn * (p * 0.0004f + 0.05f)); break;
        case 6: r = cos(turn * (p * 0.0002f)); break;
        default: r = x - floor(x); break;
        }
        out[i] = f32_bits((float)r);
    }
}

/* The face of a cube: its number, its coordinates, and twice the largest coordinate. */
static void
cube(float x, float y, float z, float face[4])
{
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    if (az >= ax && az >= ay)
        memcpy(face, (float[]){z < 0 ? 5 : 4, z < 0 ? -x : x, -y, 2 * z}, 16);
    else if (ay >= ax)
        memcpy(face, (float[]){y < 0 ? 3 : 2, x, y < 0 ? -z : z, 2 * y}, 16);
    else
        memcpy(face, (float[]){x < 0 ? 1 : 0, x < 0 ? z : -z, -y, 2 * x}, 16);
}

REFERENCE(float_parts)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        float x = some_float(a[i]), y = some_float(b[i]), low = x < y ? x : y, high = x < y ? y : x,
              face[4];
        double d = some_double(a[i], b[i]), part;
        int exponent;
        part = frexp(x, &exponent);
        u32 r = mix(mix(0, (u32)exponent), f32_bits((float)part));
        part = frexp(d, &exponent);
        r = mix(mix(r, (u32)exponent), f64_bits(part));
        r = mix(r, f32_bits(1.0f < low ? low : 1.0f > high ? high : 1.0f));
        r = mix(r, 1 | (u32)(d < 0) << 1);
        r = mix(r, f64_bits(ldexp(d, (int)(b[i] & 63) - 40)));
        r = mix(r, f64_bits(d - floor(d)));
        cube(x, y, 3.0f, face);
        r = mix(mix(r, f32_bits(face[3])), f32_bits(face[0]));
        out[i] = mix(r, f32_bits(face[1]) ^ f32_bits(face[2]) << 1);
    }
}

REFERENCE(rounding_modes)
{
    static const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        volatile float x = some_float(a[i]), y = some_float(b[i]);
        volatile double d = some_double(a[i], b[i]), e = some_double(b[i], a[i]);
        u32 r = 0;
        for (u32 k = 0; k < 4; k++) {
            fesetround(modes[k]);
            volatile float sum = x + y, product = x * y, narrow = (float)d;
            volatile double wide = d + e;
            fesetround(FE_TONEAREST);
            r = mix(r, f32_bits(sum) ^ (u64)f32_bits(product) << 32);
            r = mix(mix(r, f64_bits(wide)), f32_bits(narrow));
        }
        out[i] = r;
    }
}

REFERENCE(mixed_fma)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        float h[2] = {(float)some_half(a[i]), (float)some_half(a[i] >> 16)};
        float g[2] = {(float)some_half(b[i]), (float)some_half(b[i] >> 16)}, f = some_float(b[i]);
        u32 r = mix(0, f32_bits(fmaf(h[0], g[1], f)));
        r = mix(r, f32_bits(fmaf(-h[1], f, fabsf(g[0]))));
        out[i] = mix(r, f32_bits(fmaf(h[0], h[1], g[0])));
    }
}

/* Halves of moderate size: the sum is exact in binary64. */
static u32
half_fma(f16 x, f16 y, f16 z)
{
    return f16_bits((f16)((double)x * (double)y + (double)z));
}

REFERENCE(packed_halves)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        f16 x[2] = {some_half(a[i]), some_half(a[i] >> 16)},
            y[2] = {some_half(b[i]), some_half(b[i] >> 16)};
        f16 two = (f16)2.0f;
        u32 fma[2], least[2], most[2], last[2];
        for (u32 c = 0; c < 2; c++) {
            f16 z = x[1 - c] - y[c];
            fma[c] = half_fma(x[c], y[c], z);
            least[c] = f16_bits(x[c] < y[c] ? x[c] : y[c]);
            most[c] = f16_bits(x[c] > y[1 - c] ? x[c] : y[1 - c]);
            last[c] = half_fma(-x[c], two, y[0]);
        }
        u32 r = mix(0, fma[0] | fma[1] << 16);
        r = mix(mix(r, least[0] | least[1] << 16), most[0] | most[1] << 16);
        out[i] = mix(r, last[0] | last[1] << 16);
    }
}

static u32
limited(i64 v, i64 low, i64 high, u32 bits)
{
    return (u32)(u64)(v < low ? low : v > high ? high : v) & (u32)((u64)-1 >> (64 - bits));
}

REFERENCE(packed_integers)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 x = a[i], y = b[i], p[8] = {0}, reversed = 0;
        for (u32 k = 0; k < 32; k += 16) {
            i32 s = (i16)(x >> k), t2 = (i16)(y >> k), u = (u16)(x >> k), v = (u16)(y >> k);
            p[0] |= limited(s + t2, -32768, 32767, 16) << k;
            p[1] |= limited(s - t2, -32768, 32767, 16) << k;
            p[2] |= limited(u + v, 0, 65535, 16) << k;
            p[3] |= limited(u - v, 0, 65535, 16) << k;
            p[4] |= (u32)(u16)(s < t2 ? s : t2) << k;
            p[5] |= (u32)(u > v ? u : v) << k;
        }
        for (u32 k = 0; k < 4; k++) {
            u32 c = byte_of(x, k), d = byte_of(y, k);
            p[6] |= limited(c + d, 0, 255, 8) << 8 * k;
            p[7] |= (c > d ? c : d) << 8 * k;
        }
        u32 r = 0;
        for (u32 k = 0; k < 8; k++)
            r = mix(r, p[k]);
        /* sign-extended, like the conversion of an int */
        r = mix(r, (u64)(i64)(i32)limited((i64)(i32)x + (i32)y, -2147483648LL, 2147483647, 32));
        r = mix(r, limited((i64)x - y, 0, 0xffffffff, 32));
        r = mix(r, (i32)x < 0 ? -x : x);
        for (u32 k = 0; k < 32; k++)
            reversed |= (x >> k & 1) << (31 - k);
        out[i] = mix(r, reversed);
    }
}

REFERENCE(packed_floats)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 j = (i + 1) % KERNEL_ITEMS;
        float x[2] = {some_float(a[i]), some_float(a[j])},
              y[2] = {some_float(b[i]), some_float(b[j])}, z[2], f[2];
        double d[2] = {some_double(a[i], b[i]), some_double(b[i], a[i])}, e[2];
        for (u32 c = 0; c < 2; c++) {
            z[c] = x[c] * y[c] + x[1 - c];
            f[c] = fmaf(x[c], y[c], -z[c]);
            e[c] = fma(d[c], d[1 - c], d[c]);
        }
        u32 r = mix(0, f32_bits(z[0]) ^ (u64)f32_bits(z[1]) << 32);
        r = mix(r, f32_bits(f[0]) ^ (u64)f32_bits(f[1]) << 32);
        out[i] = mix(mix(r, f64_bits(e[0])), f64_bits(e[1] + d[0]));
    }
}

/* The sum of products of the fields of `bits` bits. */
static i64
dot(u32 x, u32 y, u32 bits, bool is_signed)
{
    i64 sum = 0;
    for (u32 k = 0; k < 32; k += bits) {
        i64 p = x << (32 - bits - k) >> (32 - bits), q = y << (32 - bits - k) >> (32 - bits);
        if (is_signed) {
            p = (i32)(x << (32 - bits - k)) >> (32 - bits);
            q = (i32)(y << (32 - bits - k)) >> (32 - bits);
        }
        sum += p * q;
    }
    return sum;
}

REFERENCE(dots)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 x = a[i], y = b[i], r = mix(0, (u32)dot(x, y, 16, true) + y);
        r = mix(r, limited(dot(x, y, 16, false) + y, 0, 0xffffffff, 32));
        r = mix(r, (u32)dot(x, y, 8, true) + x);
        r = mix(r, limited(dot(x, y, 4, true) + (i32)x, -2147483648LL, 2147483647, 32));
        r = mix(r, limited(dot(x, y, 8, false) + x, 0, 0xffffffff, 32));
        out[i] = mix(r, (u32)dot(x, y, 4, false) + y);
    }
}

REFERENCE(half_dots)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        i32 sum = (i32)(a[i] >> 20) -
                  (i32)((a[i] & 63) * (b[i] & 31) + (a[i] >> 6 & 63) * (b[i] >> 5 & 31));
        out[i] = f32_bits((float)sum);
    }
}

REFERENCE(small_floats)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++)
        out[i] = 15;
}

REFERENCE(matrix_f32)
{
    for (u32 i = 0; i < KERNEL_ITEMS; i++) {
        u32 base = i & ~63u, l = i & 63;
        float c[4];
        for (u32 k = 0; k < 4; k++) {
            u32 row = l / 16 * 4 + k, sum = k + 1;
            for (u32 j = 0; j < 8; j++) {
                u32 p = a[base + j % 4 * 16 + row] >> j / 4 * 6 & 63,
                    q = b[base + j % 4 * 16 + l % 16] >> j / 4 * 6 & 63;
                sum += p * q;
            }
            c[k] = (float)sum;
        }
        out[i] = mix(f32_bits(c[0]) ^ f32_bits(c[1]) << 1, f32_bits(c[2]) ^ (u64)f32_bits(c[3])
                                                                                << 3);
    }
}

#define CDNA     (GENS_ONE(GFX908) | GENS_ONE(GFX90A) | GENS_ONE(GFX942))
#define WITH_DOT (CDNA | GENS_FROM(GFX10_3))

const kernel_row kernel_target[] = {
    {ROW(byte_operations)},
    {ROW(quad_sad), .gens = GENS_FROM(GFX7) & GENS_TO(GFX11_5)},
    {ROW(byte_permute), .gens = GENS_FROM(GFX8)},
    {ROW(pack_conversions)},
    {ROW(hardware_math), .ulps = 2},
    {ROW(float_parts)},
    {ROW(rounding_modes)},
    {ROW(mixed_fma), .gens = CDNA | GENS_FROM(GFX10)},
    {ROW(packed_halves), .gens = GENS_FROM(GFX8)},
    {ROW(packed_integers)},
    {ROW(packed_floats)},
    {ROW(dots), .gens = WITH_DOT},
    {ROW(half_dots), .gens = WITH_DOT},
    {ROW(small_floats), .gens = GENS_ONE(GFX942) | GENS_FROM(GFX12)},
    {ROW(matrix_f32), .gens = CDNA},
    {.name = NULL},
};
