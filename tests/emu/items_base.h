/* Definitions that items and kernels share: types, bit casts, and values of moderate size from
 * random words, in OpenCL C and in the host's C.
 *
 * An item is a function that maps its number and two input arrays to one word; both languages give
 * it the same meaning. INLINED(name) declares the body, ITEM(name) one that clang makes a separate
 * function at -O0. A file of items lists them in a macro, from which kernels.cl (kernels_c.c) makes
 * kernels and kernels_items.c references.
 *
 * Items avoid everything that the languages define differently: no contraction (both are compiled
 * without), no shifts out of range, no conversions out of range, one operation on binary16 per
 * statement.
 */
#ifndef ITEMS_BASE_H
#define ITEMS_BASE_H

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef ulong u64;
typedef long i64;
typedef uint u32;
typedef int i32;
typedef half f16;
typedef char i8;
typedef uchar u8;
typedef short i16;
typedef ushort u16;
#define GLOBAL   const global
#define PRIVATE  private
#define NOINLINE __attribute__((noinline)) static
#else
#include <stddef.h>
#include <stdint.h>
typedef uint64_t u64;
typedef int64_t i64;
typedef uint32_t u32;
typedef int32_t i32;
typedef _Float16 f16;
typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef unsigned char uchar;
typedef unsigned short ushort;
#define GLOBAL const
#define PRIVATE
#define NOINLINE static
#endif

#define INLINE static inline __attribute__((always_inline))

#define ITEM(name)    static u32 item_##name(u32 i, GLOBAL u32 *a, GLOBAL u32 *b, u32 n)
#define INLINED(name) INLINE u32 item_##name(u32 i, GLOBAL u32 *a, GLOBAL u32 *b, u32 n)

INLINE float
as_f32(u32 u)
{
#ifdef __OPENCL_C_VERSION__
    return __builtin_astype(u, float);
#else
    float f;
    __builtin_memcpy(&f, &u, 4);
    return f;
#endif
}

INLINE u32
f32_bits(float f)
{
#ifdef __OPENCL_C_VERSION__
    return __builtin_astype(f, uint);
#else
    u32 u;
    __builtin_memcpy(&u, &f, 4);
    return u;
#endif
}

INLINE u64
f64_bits(double f)
{
#ifdef __OPENCL_C_VERSION__
    return __builtin_astype(f, ulong);
#else
    u64 u;
    __builtin_memcpy(&u, &f, 8);
    return u;
#endif
}

INLINE u32
f16_bits(f16 f)
{
#ifdef __OPENCL_C_VERSION__
    return __builtin_astype(f, ushort);
#else
    ushort u;
    __builtin_memcpy(&u, &f, 2);
    return u;
#endif
}

/* Folds a value into a result, so that every bit of both counts. */
INLINE u32
mix(u32 r, u64 v)
{
    r = (r ^ (u32)v) * 0x9e3779b1u;
    return (r ^ r >> 15 ^ (u32)(v >> 32)) * 0x85ebca6bu;
}

/* A half whose bits are unknown to the compiler. */
INLINE f16
f16_of(u32 bits)
{
    u16 u = (u16)bits;
#ifdef __OPENCL_C_VERSION__
    __asm__ volatile("" : "+v"(bits));
    u = (u16)bits;
    return __builtin_astype(u, half);
#else
    f16 f;
    __builtin_memcpy(&f, &u, 2);
    return f;
#endif
}

/* A float of moderate size from random bits. */
INLINE float
some_float(u32 u)
{
    return as_f32((u & 0x807fffff) | ((u >> 23 & 15) + 120) << 23);
}

INLINE double
as_f64(u64 u)
{
#ifdef __OPENCL_C_VERSION__
    return __builtin_astype(u, double);
#else
    double f;
    __builtin_memcpy(&f, &u, 8);
    return f;
#endif
}

INLINE f16
as_f16(u32 u)
{
    u16 h = (u16)u;
#ifdef __OPENCL_C_VERSION__
    return __builtin_astype(h, half);
#else
    f16 f;
    __builtin_memcpy(&f, &h, 2);
    return f;
#endif
}

/* A double of moderate size from random bits. */
INLINE double
some_double(u32 high, u32 low)
{
    return as_f64((u64)((high & 0x800fffff) | ((high >> 20 & 15) + 1015) << 20) << 32 | low);
}

/* A half of moderate size. */
INLINE f16
some_half(u32 u)
{
    return as_f16((u & 0x83ff) | ((u >> 10 & 7) + 11) << 10);
}

#endif
