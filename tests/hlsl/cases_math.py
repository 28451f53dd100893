"""Cases of arithmetic, functions and control flow."""
import math

from case import B, T, U, Case, Expected, bits, f32, floats, from_bits, from_half, half_bits, noise, output, storage, u32, uniform


def int32(x):
    return (x & 0xffffffff) - ((x & 0x80000000) << 1)


def trunc_rem(a, b):
    """The remainder with the sign of the dividend, as of C's fmod and HLSL's."""
    return math.fmod(a, b)


def math_float():
    pairs = [(5.5, 2.0), (-5.5, 2.0), (5.5, -2.0), (-5.5, -2.0), (0.5, 4.0), (1.5, 4.0), (2.5, 8.0), (-0.5, 1.0), (-1.5, 0.5), (0.25, 0.125),
             (7.75, 0.5), (-7.75, -4.0), (3.0, 1.0), (-3.0, 2.0), (0.75, -0.25), (100.5, 16.0)]
    wanted = []
    for x, y in pairs:
        t = min(max((x + 2) / 4, 0), 1)
        wanted += [x * y + 1, 1 / y, min(max(x, 0), 1), x + (y - x) * 0.25, min(max(x, -1), 1), float(y >= x), t * t * (3 - 2 * t),
                   math.copysign(1, x), x - math.floor(x), math.trunc(x), math.floor(x), math.ceil(x), abs(x), min(x, y), max(x, y),
                   trunc_rem(x, y), round(x), x / y, math.degrees(x), math.sqrt(abs(x))]
    return Case("math_float", [storage("f", T, floats(sum(map(list, pairs), []))), output("o", U, 320, type="float")],
                {"o": Expected(wanted, tolerance="0.001")})


def math_transcendental():
    pairs = [(0.25 * k - 2.1, 0.05 * k - 0.4) for k in range(16)]
    wanted = []
    for x, y in pairs:
        x, y = f32(x), f32(y)
        a = abs(x)
        wanted += [math.sin(x), math.cos(x), math.sin(x), math.cos(x), math.tan(x), math.asin(y), math.acos(y), math.atan(x), math.atan2(y, x),
                   math.sinh(y), math.cosh(y), math.tanh(x), math.exp(y), 2 ** y, math.log(a), math.log2(a), math.log10(a), a ** y, a ** -0.5,
                   math.radians(x)]
    return Case("math_transcendental", [storage("f", T, floats(sum(map(list, pairs), []))), output("o", U, 320, type="float")],
                {"o": Expected(wanted, tolerance="0.01")})


def math_vectors():
    a, b, p, q = [3.0, -1.0, 2.0], [1.5, 4.0, 2.5], [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]

    def dot(u, v):
        return sum(x * y for x, y in zip(u, v))

    def unit(u):
        return [x / math.sqrt(dot(u, u)) for x in u]
    n, i = unit(b), unit(a)
    k = 1 - 0.25 * (1 - dot(n, i) ** 2)
    wanted = [dot(a, b), a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], math.sqrt(dot(a, a)), math.dist(a, b), n[1],
              a[2] - 2 * dot(n, a) * n[2], 0.5 * i[0] - (0.5 * dot(n, i) + math.sqrt(k)) * n[0], -math.copysign(1, dot(b, a)) * a[1],
              1, p[1] * q[1], p[2], q[3], 1, 0.5, 0.25, 1, 0, 0, 1, 0, 3, 4, 1, 1]
    words = floats(a + [0.0] + b + [0.0] + p + q)
    return Case("math_vectors", [uniform("k", B, words), output("o", U, 25, type="float")], {"o": Expected(wanted, tolerance="0.001")})


def math_parts():
    words = floats([0.0, -0.0, 1.0, -1.75, 2.5, 1e6 + 0.5, 1e30, -1e-3]) + [0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345]
    wanted = []
    for w in words:
        x = from_bits(w)
        nan, inf = math.isnan(x), math.isinf(x)
        finite = not nan and not inf
        part, whole = math.modf(x) if finite else (0, 0)
        wanted += [nan + 2 * inf + 4 * finite, (x < 1) + 2 * (x >= 1) + 4 * (x == x) + 8 * (x != x) + 16 * (not x < 1),
                   (None if x == 0 or part == 0 else bits(part)) if finite else 0, bits(whole) if finite else 0, None if nan else bits(x * 8),
                   None if nan else w ^ 0x80000000, 0]
        if finite and x > 0:
            mantissa, exponent = math.frexp(x)
            wanted[-1] = bits(mantissa + 4 * exponent)
    return Case("math_parts", [storage("f", T, words), output("o", U, 84)], {"o": Expected(wanted)})


def high_bit(u):
    return u.bit_length() - 1


def bit_operations():
    words = [0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x3c00, 0xbc01, 0x7c00] + noise(50, 24)
    wanted = []
    for i, u in enumerate(words):
        n = int32(u)
        rev, rev_not = int(f"{u:032b}"[::-1], 2), int(f"{u ^ 0xffffffff:032b}"[::-1], 2)
        h = from_half(u & 0xffff)
        x = from_bits(u & 0x7f7fffff)
        half = None if x >= 65504 or 0 < x < 2 ** -14 else None if half_bits(x) is None else half_bits(x)
        # f32tof16 rounds toward zero in D3D and to nearest in Vulkan's PackHalf2x16: only exact values are compared
        half = half if half is not None and from_half(half) == x else None
        both = u32(rev + bin(u).count("1")) ^ u32(rev_not + 1)
        wanted += [bin(u).count("1"), rev, (u & -u).bit_length() - 1 if u else 0xffffffff, u32(high_bit(u)) if u else 0xffffffff,
                   u32(high_bit(u if n >= 0 else ~n)) if n not in (0, -1) else 0xffffffff, None if math.isnan(h) else bits(h), half, 0xffffffff,
                   u32(u << (i + 20 & 31)) | u >> (i * 5 & 31), u32(n >> (i & 31)), both,
                   u32((abs(n) if u != 0x80000000 else n) + min(n, 7) + max(n, -9) + (n > 0) - (n < 0))]
    return Case("bits", [storage("f", T, words), output("o", U, 384)], {"o": Expected(wanted)})


def quotient(a, b):
    return int(math.copysign(1, a) * math.copysign(1, b)) * (abs(a) // abs(b))


def integers():
    pairs = [(7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (1, -1), (-1, 1), (100, 7), (-100, 7), (5, 5), (4, 2), (-8, 2)]
    pairs += [(int32(a), int32(b) | 1) for a, b in zip(noise(60, 20), noise(61, 20))]
    wanted = []
    for a, b in pairs:
        u, v = u32(a), u32(b)
        half = int(f32(f32(a) * 0.5))
        row = [quotient(a, b), a - b * quotient(a, b), u // v, u % v, (a < b) + 2 * (u < v) + 4 * (u >= v), a * b, half, int(f32(u >> 8)),
               (a != 0) + 2 * (a & 4 != 0), ~a if a and b or not a else -a, (a + b + 1) * 2 + a + 1 - (b + 1)]
        c = u32((a + 1) << 2)
        row.append((c | 5) - (b ^ int32(c)))
        wanted += [u32(x) for x in row]
    return Case("integers", [storage("f", T, [u32(x) for p in pairs for x in p]), output("o", U, 384)], {"o": Expected(wanted)})


def swizzles():
    v, which = [1.0, 2.0, 3.0, 4.0], 1
    a = [v[3], v[1], v[1], v[3]]
    b = [v[0] + a[3], v[0] + a[2], v[1] + a[1], v[1] + a[0]]
    c = [2.0, 2 + v[2], 2 + v[3]]
    d = [c[2], c[1], v[1], v[0]]
    d[which] = 100.0
    wanted = a + b + c + d + [v[which] + d[3 - which], a[0], a[1], 3.0, a[0], v[2], v[2] * 2, v[1], 3.0]
    return Case("swizzles", [uniform("k", B, floats(v) + [which, 0, 0, 0]), output("o", U, 24)], {"o": Expected(floats(wanted))})


def control():
    wanted = []
    for t in range(64):
        n, steps = t + 1, 0
        while n != 1:
            n = n * 3 + 1 if n & 1 else n // 2
            steps += 1
            if steps > 100:
                steps = 1000
                break
        k = t % 6
        chosen = 5 if k < 2 else t + 10 if k == 2 else t + 4 if k == 3 else t * 2
        total, i = 0, 0
        while True:
            total += i * t
            if total > 50:
                break
            i += 1
            if i >= 5:
                break
        total += 1000 * (t & 1)
        wanted.append(steps + 10000 * chosen + 1000000 * (total % 7))
    return Case("control", [output("o", U, 64)], {"o": Expected(wanted)})


def functions():
    wanted = []
    for i in range(8):
        a, b = i * 10, i
        low, high = min(b * 5, 10), max(b * 5 - 10, 0)
        wanted += [low * 100 + high, a * a + 1 + (a + 2) ** 2 + (1 + b) ** 2 - 1, a * 3 + a * b, 100 + b + low + high, i * 0.5]
    return Case("functions", [output("o", U, 40)], {"o": Expected(floats(wanted))})


def semantics():
    wanted = []
    for group in range(4):
        gx, gy = group % 2, group // 2
        for i in range(24):
            x, y, z = i % 4, i // 4 % 3, i // 12
            wanted += [gx * 4 + x + 100 * (gy * 3 + y) + 10000 * z, x + 10 * y + 100 * z + 1000 * group]
    return Case("semantics", [output("o", U, 192)], {"o": Expected(wanted)}, groups=(2, 2, 1), hlsl_entry="start", hlsl_options=("--entry", "start"))


CASES = [math_float(), math_transcendental(), math_vectors(), math_parts(), bit_operations(), integers(), swizzles(), control(), functions(),
         semantics()]
