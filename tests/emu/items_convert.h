/* Conversion items: all pairs of types, saturating ones, and the rounding directions, as functions of the item's number (items.h). */
#define ITEMS_CONVERT(X)                                                                           \
    X(int_to_int)                                                                                  \
    X(int_to_float)                                                                                \
    X(long_to_float)                                                                               \
    X(float_to_int)                                                                                \
    X(float_to_long)                                                                               \
    X(float_saturate)                                                                              \
    X(directed)                                                                                    \
    X(half_to_all)                                                                                 \
    X(double_to_all)                                                                               \
    X(float_widths) X(vector_convert) X(bit_casts)

INLINED(int_to_int)
{
    u32 x = a[i], r = n;
    u64 w = (u64)x << 32 | b[i];
#define FROM(T, v)                                                                                 \
    do {                                                                                           \
        const T t = (T)(v);                                                                        \
        r = mix(r, (u64)(i64)(i8)t);                                                               \
        r = mix(r, (u64)(u8)t);                                                                    \
        r = mix(r, (u64)(i64)(i16)t);                                                              \
        r = mix(r, (u64)(u16)t);                                                                   \
        r = mix(r, (u64)(i64)(i32)t);                                                              \
        r = mix(r, (u64)(u32)t);                                                                   \
        r = mix(r, (u64)(i64)t);                                                                   \
    } while (0)
    FROM(i8, x);
    FROM(u8, x);
    FROM(i16, x);
    FROM(u16, x);
    FROM(i32, x);
    FROM(u32, x);
    FROM(i64, w);
    FROM(u64, w);
#undef FROM
    return r;
}

INLINED(int_to_float)
{
    u32 x = a[i], r = n;
#define TO(T, v)                                                                                   \
    do {                                                                                           \
        const T t = (T)(v);                                                                        \
        r = mix(r, f32_bits((float)t));                                                            \
        r = mix(r, f64_bits((double)t));                                                           \
    } while (0)
    for (u32 k = 0; k < 4; k++) {
        TO(u8, x >> 8 * k);
        TO(i8, x >> 8 * k);
        r = mix(r, f16_bits((f16)(u8)(x >> 8 * k)));
    }
    TO(u16, x);
    TO(i16, x);
    TO(u32, x);
    TO(i32, x);
    TO(u32, x >> (b[i] & 31));
    TO(i32, (i32)x >> (b[i] & 31));
#undef TO
    r = mix(r, f16_bits((f16)(u16)(x & 0x7fff)));
    return mix(r, f16_bits((f16)(i16)x));
}

/* 64 bits to floats: rounded once, ties to even. */
INLINED(long_to_float)
{
    u64 w = ((u64)a[i] << 32 | b[i]) >> (b[i] & 63);
    u64 tie = ((u64)(a[i] & 0xffffff) << 1 | 1) << (b[i] & 31);
    u32 r = mix(n, f32_bits((float)w));
    r = mix(r, f32_bits((float)(i64)(w ^ -(u64)(a[i] & 1))));
    r = mix(r, f64_bits((double)w));
    r = mix(r, f64_bits((double)(i64)(w ^ -(u64)(a[i] & 1))));
    r = mix(r, f32_bits((float)tie));
    r = mix(r, f32_bits((float)(i64)-tie));
    return mix(r, f32_bits((float)(((u64)1 << 63) + tie)));
}

INLINED(float_to_int)
{
    float x = some_float(a[i]), y = x < 0 ? -x : x;
    u32 r = n;
    r = mix(r, (u64)(i64)(i8)(x / 4.0f));
    r = mix(r, (u8)(y / 2.0f));
    r = mix(r, (u64)(i64)(i16)(x * 16.0f));
    r = mix(r, (u16)(y * 16.0f));
    r = mix(r, (u32)(i32)(x * 65536.0f));
    r = mix(r, (u32)(y * 1048576.0f));
    r = mix(r, (u32)(i32)((double)x * 12345.678));
    return mix(r, (u32)((double)y * 1234567.89));
}

INLINED(float_to_long)
{
    float x = some_float(a[i]), y = x < 0 ? -x : x;
    double d = some_double(a[i], b[i]), e = d < 0 ? -d : d;
    u32 r = n;
    r = mix(r, (u64)(i64)(x * 1e15f));
    r = mix(r, (u64)(y * 1e15f));
    r = mix(r, (u64)(i64)(d * 1e16));
    r = mix(r, (u64)(e * 1e16));
    r = mix(r, (u64)(i64)(x * 3.0f));
    return mix(r, (u64)(e * 7.0));
}

#define CLAMPED(T, x, low, high)                                                                   \
    ((x) != (x) ? (T)0 : (x) <= (low) ? (T)(low) : (x) >= (high) ? (T)(high) : (T)(x))

/* Saturating conversions of any float, including NaN and infinities. */
INLINED(float_saturate)
{
    float x = i % 7 == 3 ? as_f32(0x7fc00000) : i % 11 == 5 ? as_f32(0xff800000) : as_f32(a[i]);
    double d = i % 5 == 2 ? as_f64((u64)0x7ff << 52) : (double)x * 3.0;
    u32 r = n;
    r = mix(r, CLAMPED(u8, x, 0.0f, 255.0f));
    r = mix(r, (u64)(i64)CLAMPED(i8, x, -128.0f, 127.0f));
    r = mix(r, CLAMPED(u16, x, 0.0f, 65535.0f));
    r = mix(r, (u64)(i64)CLAMPED(i16, x, -32768.0f, 32767.0f));
    r = mix(r, x != x ? 0 : x <= 0.0f ? 0 : x >= 4294967296.0f ? 0xffffffffu : (u32)x);
    r = mix(r, x != x               ? 0
               : x < -2147483648.0f ? 0x80000000u
               : x >= 2147483648.0f ? 0x7fffffffu
                                    : (u32)(i32)x);
    r = mix(r, CLAMPED(u32, d, 0.0, 4294967295.0));
    return mix(r, (u32)CLAMPED(i32, d, -2147483648.0, 2147483647.0));
}

/* To integers, rounded to nearest, up, down and towards zero. */
INLINED(directed)
{
    float x = some_float(a[i]);
    double d = some_double(b[i], a[i]);
    float tie = (float)(i32)(a[i] & 0xfff) * 0.5f - 1024.0f;
    u32 r = n;
    r = mix(r, (u32)(i32)__builtin_floorf(x));
    r = mix(r, (u32)(i32)__builtin_ceilf(x));
    r = mix(r, (u32)(i32)__builtin_truncf(x));
    r = mix(r, (u32)(i32)__builtin_rintf(x));
    r = mix(r, (u32)(i32)__builtin_rintf(tie));
    r = mix(r, (u32)(i32)__builtin_roundf(tie));
    r = mix(r, (u32)(i32)__builtin_floor(d));
    r = mix(r, (u32)(i32)__builtin_ceil(d));
    r = mix(r, (u32)(i32)__builtin_rint(d));
    r = mix(r, (u32)(i32)__builtin_trunc(d));
    r = mix(r, (u64)(i64)__builtin_rint((double)tie));
    return mix(r, f32_bits(__builtin_floorf(x + 0.5f)));
}

INLINED(half_to_all)
{
    f16 h = as_f16((a[i] & 0x83ff) | ((a[i] >> 10 & 15) + 8) << 10), tiny = as_f16(b[i] & 0x83ff);
    float x = (float)h;
    u32 r = n;
    r = mix(r, f32_bits(x));
    r = mix(r, f64_bits((double)h));
    r = mix(r, f32_bits((float)tiny));
    r = mix(r, f64_bits((double)tiny));
    r = mix(r, (u32)(i32)h);
    r = mix(r, (u64)(i64)h);
    r = mix(r, (u32)(x < 0 ? -x : x));
    r = mix(r, (u64)(i64)(i8)(x / 16.0f));
    r = mix(r, (u64)(i64)(i16)h);
    return mix(r, f16_bits((f16)(i32)(a[i] & 0xfff)));
}

INLINED(double_to_all)
{
    double d = some_double(a[i], b[i]);
    u32 r = n;
    r = mix(r, f32_bits((float)d));
    r = mix(r, f16_bits((f16)(float)d));
    r = mix(r, (u64)(i64)(i8)(d * 0.1));
    r = mix(r, (u64)(i64)(i16)(d * 10.0));
    r = mix(r, (u64)(i64)(i32)(d * 1000.0));
    r = mix(r, f32_bits((float)(d * 1e-40))); /* a denormal */
    r = mix(r, f32_bits((float)(d * 1e-37)));
    r = mix(r, f32_bits((float)(d * 1e38)));
    return mix(r, f32_bits((float)as_f64((u64)b[i] << 29 | 0x3ff0000010000000))); /* ties */
}

/* Conversions between floats of all widths, including denormals, infinities and NaN. */
INLINED(float_widths)
{
    float x = as_f32(a[i]);
    u32 r = n, h = b[i] & 0xffff;
    if (x != x)
        x = 1.0f;
    r = mix(r, f64_bits((double)x));
    r = mix(r, f16_bits((f16)x));
    r = mix(r, f16_bits((f16)some_float(a[i])));
    r = mix(r,
            f16_bits((f16)as_f32((a[i] & 0x807fffff) | (103 + (b[i] & 15)) << 23))); /* denormals */
    if ((h & 0x7fff) > 0x7c00)
        h = 0x7c00;
    r = mix(r, f32_bits((float)as_f16(h)));
    return mix(r, f64_bits((double)as_f16(h)) >> 16);
}

/* Vector components one by one, like convert_TYPE4. */
INLINED(vector_convert)
{
    float f[4];
    u8 bytes[4];
    u16 shorts[4];
    u32 r = n;
    for (u32 c = 0; c < 4; c++) {
        float x = (float)(u8)(a[i] >> 8 * c);
        f[c] = x * 0.5f + (float)(i8)(b[i] >> 8 * c);
        bytes[c] = (u8)(f[c] < 0 ? 0.0f : f[c] > 255.0f ? 255.0f : f[c]);
        shorts[c] = (u16)(i16)(f[c] * 8.0f);
    }
    r = mix(r, bytes[0] | (u32)bytes[1] << 8 | (u32)bytes[2] << 16 | (u32)bytes[3] << 24);
    r = mix(r, shorts[0] | (u32)shorts[1] << 16);
    return mix(r, shorts[3] | (u32)shorts[2] << 16);
}

INLINED(bit_casts)
{
    u64 w = (u64)a[i] << 32 | b[i];
    u32 r = mix(n, f64_bits(as_f64(w & 0x7fefffffffffffff)));
    r = mix(r, f32_bits(as_f32(a[i] & 0x7f7fffff)));
    r = mix(r, f16_bits(as_f16(b[i] & 0x7bff)));
    float x = as_f32((a[i] & 0x7fffff) | 0x3f800000); /* 1 to 2 */
    return mix(r, f32_bits(x - 1.0f) ^ f32_bits(as_f32(f32_bits(x) ^ 0x80000000u) * 3.0f));
}
