/* Floating-point items: mathematics written with +, -, *, /, sqrt and fma, which round the same
 * everywhere, as functions of the item's number (items.h). */
#define ITEMS_MATH(X)                                                                              \
    X(fma32)                                                                                       \
    X(fma64)                                                                                       \
    X(rounding32)                                                                                  \
    X(rounding64)                                                                                  \
    X(scale)                                                                                       \
    X(classify)                                                                                    \
    X(fminmax)                                                                                     \
    X(exponential)                                                                                 \
    X(logarithm)                                                                                   \
    X(sine)                                                                                        \
    X(cube_root)                                                                                   \
    X(divide_f64)                                                                                  \
    X(roots)                                                                                       \
    X(complex_power)                                                                               \
    X(compensated)                                                                                 \
    X(denormals)                                                                                   \
    X(signs) X(half_math) X(half_pairs) X(half_compare) X(newton64) X(remainder)

INLINED(fma32)
{
    float x = some_float(a[i]), y = some_float(b[i]), z = some_float(a[i] ^ b[i]);
    u32 r = mix(n, f32_bits(__builtin_fmaf(x, y, z)));
    r = mix(r, f32_bits(__builtin_fmaf(-x, y, x * y))); /* the part that the product lost */
    r = mix(r, f32_bits(__builtin_fmaf(x, 2.0f, -z)));
    return mix(r, f32_bits(x * y + z));
}

INLINED(fma64)
{
    double x = some_double(a[i], b[i]), y = some_double(b[i], a[i]),
           z = some_double(a[i] ^ b[i], 77);
    u32 r = mix(n, f64_bits(__builtin_fma(x, y, z)));
    r = mix(r, f64_bits(__builtin_fma(-x, y, x * y)));
    r = mix(r, f64_bits(x * y + z));
    return mix(r, f64_bits(x * y - z) ^ f64_bits(x - y) << 1);
}

INLINED(rounding32)
{
    float t[4];
    t[0] = some_float(a[i]);
    t[1] = (float)(i32)(b[i] & 0x3ff) * 0.25f - 100.0f;
    t[2] = t[0] * 65536.0f;
    t[3] = t[0] / 65536.0f;
    u32 r = n;
    for (u32 k = 0; k < 4; k++) {
        r = mix(r, f32_bits(__builtin_floorf(t[k])));
        r = mix(r, f32_bits(__builtin_ceilf(t[k])));
        r = mix(r, f32_bits(__builtin_truncf(t[k])));
        r = mix(r, f32_bits(__builtin_rintf(t[k])));
        r = mix(r, f32_bits(__builtin_roundf(t[k])));
        r = mix(r, f32_bits(t[k] - __builtin_floorf(t[k])));
    }
    return r;
}

/* With + 0.0: for gfx6 clang 19 loses the sign of zero in ceil and rint. */
INLINED(rounding64)
{
    double t[4];
    t[0] = some_double(a[i], b[i]);
    t[1] = (double)(i32)(b[i] & 0x3ff) * 0.25 - 100.0;
    t[2] = t[0] * 1e12;
    t[3] = t[0] * 1e-9;
    u32 r = n;
    for (u32 k = 0; k < 4; k++) {
        r = mix(r, f64_bits(__builtin_floor(t[k])));
        r = mix(r, f64_bits(__builtin_ceil(t[k]) + 0.0));
        r = mix(r, f64_bits(__builtin_trunc(t[k])));
        r = mix(r, f64_bits(__builtin_rint(t[k]) + 0.0));
        r = mix(r, f64_bits(__builtin_round(t[k])));
        r = mix(r, f64_bits(t[k] - __builtin_floor(t[k])));
    }
    return r;
}

/* ldexp and frexp. */
INLINED(scale)
{
    float x = some_float(a[i]);
    double d = some_double(b[i], a[i]);
    int by = (int)(b[i] & 63) - 32, exponent = 0;
    u32 r = mix(n, f32_bits(__builtin_ldexpf(x, by)));
    r = mix(r, f32_bits(__builtin_ldexpf(x, -by * 5)));
    r = mix(r, f64_bits(__builtin_ldexp(d, by * 3)));
    r = mix(r, f64_bits(__builtin_ldexp(d, -1000 - by)));
    r = mix(r, f32_bits(__builtin_frexpf(x, &exponent)));
    r = mix(r, (u32)exponent);
    r = mix(r, f64_bits(__builtin_frexp(d, &exponent)));
    return mix(r, (u32)exponent);
}

INLINED(classify)
{
    u32 bits = i % 4 == 0   ? a[i] & 0x80000000
               : i % 4 == 1 ? (a[i] & 0x807fffff) | 0x7f800000
               : i % 4 == 2 ? a[i] & 0x807fffff
                            : a[i];
    float x = as_f32(i % 16 == 5 ? 0xff800000 : bits);
    double d = as_f64((u64)((a[i] & 0x800fffff) | (i % 3 ? 0x7ff00000 : 0)) << 32);
    u32 r = mix(n, (u32)__builtin_isnan(x) | (u32)__builtin_isinf(x) << 1);
    r = mix(r, (u32)(__builtin_isinf_sign(x) + 1));
    r = mix(r, (u32) !!__builtin_isfinite(x) | (u32) !!__builtin_isnormal(x) << 1);
    r = mix(r, (u32) !!__builtin_signbit(x));
    r = mix(r, (u32)__builtin_isnan(d) | (u32)__builtin_isinf(d) << 1);
    r = mix(r, (u32) !!__builtin_isfinite(d) | (u32) !!__builtin_signbit(d) << 1);
    r = mix(r, (u32)__builtin_isunordered(x, some_float(b[i])));
    r = mix(r, (u32)__builtin_isgreater(x, 1.0f) | (u32)__builtin_islessequal(x, 1.0f) << 1);
    return mix(r,
               (u32)__builtin_islessgreater(x, 1.0f) | (u32)(x == x) << 1 | (u32)(x != 0.0f) << 2);
}

INLINED(fminmax)
{
    float x = some_float(a[i]), y = i % 5 == 1 ? as_f32(0x7fc00000) : some_float(b[i]),
          z = some_float(a[i] * 3);
    double d = (double)x * 1.1, e = (double)some_float(b[i]) * 0.9;
    u32 r = mix(n, f32_bits(__builtin_fminf(x, y)));
    r = mix(r, f32_bits(__builtin_fmaxf(x, y)));
    r = mix(r, f32_bits(__builtin_fmaxf(__builtin_fminf(x, z),
                                        __builtin_fminf(__builtin_fmaxf(x, z), 1.5f))));
    r = mix(r, f64_bits(__builtin_fmin(d, e)));
    r = mix(r, f64_bits(__builtin_fmax(d, e)));
    r = mix(r, f32_bits(x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x));
    return mix(r, f32_bits(__builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f)) & 0x7fffffff);
}

INLINE float
exp_of(float x)
{
    float k = __builtin_rintf(x * 1.44269504f), t = x - k * 0.693359375f;
    t = t + k * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * t + 1.3981999507e-3f;
    p = p * t + 8.3334519073e-3f;
    p = p * t + 4.1665795894e-2f;
    p = p * t + 1.6666665459e-1f;
    p = p * t + 5.0000001201e-1f;
    p = p * t * t + t + 1.0f;
    return p * as_f32((u32)((i32)k + 127) << 23);
}

INLINED(exponential)
{
    float x = some_float(a[i]) * 0.3f;
    float y = x > 80.0f ? 80.0f : x < -80.0f ? -80.0f : x;
    float p = exp_of(y);
    return mix(mix(n, f32_bits(p)), f32_bits(p / (1.0f + p)));
}

INLINE float
log_of(float x)
{
    u32 u = f32_bits(x);
    i32 e = (i32)(u >> 23) - 126;
    float m = as_f32((u & 0x7fffff) | 0x3f000000);
    if (m < 0.707106781f) {
        e--;
        m = m + m;
    }
    m = m - 1.0f;
    float z = m * m, p = 7.0376836292e-2f;
    p = p * m - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    float y = m * (z * p);
    y = y + (float)e * -2.12194440e-4f;
    y = y - 0.5f * z;
    return m + y + (float)e * 0.693359375f;
}

INLINED(logarithm)
{
    float x = as_f32((a[i] & 0x7fffff) | ((b[i] % 250) + 1) << 23), y = log_of(x);
    return mix(mix(n, f32_bits(y)), f32_bits(exp_of(y * 0.25f)));
}

INLINED(sine)
{
    float x = some_float(a[i]);
    float ax = x < 0 ? -x : x;
    i32 j = (i32)(ax * 1.27323954f);
    j = (j + 1) & ~1;
    float y = (float)j, t = ax - y * 0.78515625f;
    t = t - y * 2.4187564849853515625e-4f;
    t = t - y * 3.77489497744594108e-8f;
    float z = t * t, s, c;
    s = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * t + t;
    c = ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z;
    c = c - 0.5f * z + 1.0f;
    float value = j & 2 ? c : s;
    if (((j >> 2) & 1) != (x < 0))
        value = -value;
    return mix(mix(n, f32_bits(value)), f32_bits(value * value));
}

INLINED(cube_root)
{
    float x = some_float(a[i]), ax = x < 0 ? -x : x;
    float t = as_f32(f32_bits(ax) / 3 + 709921077u);
    for (u32 k = 0; k < 3; k++)
        t = t - (t * t * t - ax) / (3.0f * t * t);
    return mix(n, f32_bits(x < 0 ? -t : t));
}

INLINED(divide_f64)
{
    double x = some_double(a[i], b[i]), y = some_double(b[i], a[i]);
    double far = __builtin_ldexp(x, (int)(b[i] & 1023) * 2 - 1023);
    u32 r = mix(n, f64_bits(x / y));
    r = mix(r, f64_bits(far / y));
    r = mix(r, f64_bits(y / far));
    r = mix(r, f64_bits(1.0 / x));
    r = mix(r, f64_bits(x / 0.0));
    return mix(r, f64_bits(x / 3.0));
}

INLINED(roots)
{
    float x = as_f32(a[i] & 0x7f7fffff);
    double d = as_f64((u64)(a[i] & 0x7fefffff) << 32 | b[i]);
    u32 r = mix(n, f32_bits(__builtin_sqrtf(x)));
    r = mix(r, f64_bits(__builtin_sqrt(d)));
    r = mix(r, f32_bits(1.0f / __builtin_sqrtf(some_float(a[i] & 0x7fffffff))));
    double p = some_double(a[i], b[i]), q = some_double(b[i], a[i]);
    return mix(r, f64_bits(__builtin_sqrt(p * p + q * q)));
}

INLINED(complex_power)
{
    float re = some_float(a[i] | 0x3f000000) * 0.01f, im = some_float(b[i]) * 0.002f, x = 1.0f,
          y = 0.0f;
    for (u32 e = (a[i] & 15) + 1; e; e >>= 1) {
        if (e & 1) {
            float t = x * re - y * im;
            y = x * im + y * re;
            x = t;
        }
        float t = re * re - im * im;
        im = 2.0f * re * im;
        re = t;
    }
    return mix(mix(n, f32_bits(x)), f32_bits(y));
}

/* Kahan's sum: wrong if a compiler reassociates. */
INLINED(compensated)
{
    float sum = 0.0f, lost = 0.0f;
    double plain = 0.0;
    for (u32 k = 0; k < 24; k++) {
        float x = some_float(a[(i + k) % n]) - lost, t = sum + x;
        lost = (t - sum) - x;
        sum = t;
        plain += (double)some_float(b[(i + k) % n]);
    }
    return mix(mix(mix(n, f32_bits(sum)), f32_bits(lost)), f64_bits(plain));
}

INLINED(denormals)
{
    float x = as_f32(a[i] & 0x807fffff), y = as_f32((b[i] & 0x007fffff) | 0x00800000);
    double d = as_f64((u64)(a[i] & 0x800fffff) << 32 | b[i]),
           e = as_f64((u64)0x00200000 << 32 | a[i]);
    u32 r = mix(n, f32_bits(x + y));
    r = mix(r, f32_bits(y - x));
    r = mix(r, f32_bits(x * 3.5f));
    r = mix(r, f32_bits(y * 0.125f));
    r = mix(r, f32_bits(x * 16777216.0f));
    r = mix(r, (u32)(x < y) | (u32)(x == 0.0f) << 1 | (u32)(-x > y) << 2);
    r = mix(r, f64_bits(d + e));
    r = mix(r, f64_bits(d * 0.75));
    return mix(r, f64_bits(e * 0.03125));
}

INLINED(signs)
{
    float x = some_float(a[i]), y = some_float(b[i]);
    double d = some_double(a[i], b[i]);
    u32 r = mix(n, f32_bits(__builtin_copysignf(x, y)));
    r = mix(r, f32_bits(__builtin_fabsf(x) - __builtin_fabsf(y)));
    r = mix(r, f32_bits(-x * __builtin_fabsf(y)));
    r = mix(r, f64_bits(__builtin_copysign(d, -1.0)));
    r = mix(r, f64_bits(-__builtin_fabs(d) + 1.0));
    return mix(r, f32_bits(0.0f - x) ^ f32_bits(-0.0f + x * 0.0f));
}

INLINED(half_math)
{
    f16 x = some_half(a[i]), y = some_half(b[i]), sum = x + y, difference = x - y, product = x * y;
    f16 quotient = x / y, magnitude = x < (f16)0.0f ? -x : x, tiny = as_f16(a[i] & 0x83ff),
        more = tiny + tiny;
#ifdef __OPENCL_C_VERSION__
    f16 root = __builtin_sqrtf16(magnitude), down = __builtin_floorf16(x),
        even = __builtin_rintf16(x);
#else
    f16 root = (f16)__builtin_sqrtf((float)magnitude);
    f16 down = (f16)__builtin_floorf((float)x), even = (f16)__builtin_rintf((float)x);
#endif
    u32 r = mix(n, f16_bits(sum) | f16_bits(difference) << 16);
    r = mix(r, f16_bits(product) | f16_bits(quotient) << 16);
    r = mix(r, f16_bits(root) | f16_bits(more) << 16);
    return mix(r, f16_bits(down) | f16_bits(even) << 16);
}

INLINED(half_pairs)
{
    u32 r = n;
#ifdef __OPENCL_C_VERSION__
    half2 x = {some_half(a[i]), some_half(a[i] >> 16)},
          y = {some_half(b[i]), some_half(b[i] >> 16)};
    half2 sum = x + y, product = x * y, less = y - x.yx, negated = -x;
    half4 wide = {x.x, y.y, x.y, y.x};
    half4 square = wide * wide;
#else
    f16 x[2] = {some_half(a[i]), some_half(a[i] >> 16)},
        y[2] = {some_half(b[i]), some_half(b[i] >> 16)};
    f16 sum[2], product[2], less[2], negated[2], wide[4] = {x[0], y[1], x[1], y[0]}, square[4];
    for (u32 c = 0; c < 2; c++) {
        sum[c] = x[c] + y[c];
        product[c] = x[c] * y[c];
        less[c] = y[c] - x[1 - c];
        negated[c] = -x[c];
    }
    for (u32 c = 0; c < 4; c++)
        square[c] = wide[c] * wide[c];
#endif
    for (u32 c = 0; c < 2; c++) {
        r = mix(r, f16_bits(sum[c]) | f16_bits(product[c]) << 16);
        r = mix(r, f16_bits(less[c]) | f16_bits(negated[c]) << 16);
    }
    return mix(r, f16_bits(square[0]) ^ f16_bits(square[1]) << 5 ^ f16_bits(square[2]) << 9 ^
                      f16_bits(square[3]) << 14);
}

INLINED(half_compare)
{
    f16 x = i % 9 == 4 ? as_f16(0x7e00) : some_half(a[i]), y = i % 4 == 1 ? x : some_half(b[i]);
    u32 r = mix(n, (u32)(x < y) | (u32)(x <= y) << 1 | (u32)(x == y) << 2 | (u32)(x != y) << 3);
    r = mix(r, (u32) !(x > y) | (u32)(x >= y) << 1 | (u32)(x != x) << 2);
    f16 most = x > y ? x : y;
    return mix(r, most != most ? 1 : f16_bits(most));
}

/* Roots by Newton's iteration in binary64, from a bitwise estimate. */
INLINED(newton64)
{
    double x = some_double(a[i] & 0x7fffffff, b[i]),
           y = as_f64(0x5fe6eb50c7b537a9 - (f64_bits(x) >> 1));
    for (u32 k = 0; k < 4; k++)
        y = y * (1.5 - 0.5 * x * y * y);
    return mix(mix(n, f64_bits(y)), f64_bits(x * y));
}

/* x - n * y with a truncated n, exact for small n. */
INLINED(remainder)
{
    double x = some_double(a[i], b[i]), y = __builtin_fabs(some_double(b[i], a[i])) + 1.0,
           q = __builtin_trunc(x / y);
    double left = __builtin_fma(-q, y, x);
    float f = some_float(a[i]), g = __builtin_fabsf(some_float(b[i])) + 0.5f,
          p = __builtin_floorf(f / g);
    return mix(mix(n, f64_bits(left)), f32_bits(__builtin_fmaf(-p, g, f)));
}
