"""Cases that are whole small programs, of the kinds that the corpus has."""
import math

from case import B, T, U, Case, Expected, bits, doubles, f32, floats, from_bits, noise, output, rw_texture, storage, texture, u32, uniform


def small_types():
    values = [0, 1, -1, 2, -2, 3, 7, -7, 10, 100, -100, 12, 33, -33, 64, 40]
    wanted = []
    for n in values:
        h = n * 0.25
        wanted += [h, n * 2 - 1, abs(n) // 3, n * 2, h * h + 2 * h, h]
    return Case("small_types", [storage("f", T, [u32(n) for n in values]), output("o", U, 96)], {"o": Expected(floats(wanted))})


def double_numbers():
    values = [0.0, 1.0, -1.5, 2.5, 1e10 + 0.125, -7.75, 3.0, 100.0]
    others = [1.0, 2.0, -3.0, 1e-10, 1e10, 0.1, 0.2, -0.3]
    wanted = []
    for d, o in zip(values, others):
        whole = max(min(math.trunc(d), 2147483647), -2147483648)
        wanted += [d * d + 1, d / 3, o - d, f32(d) + whole if abs(d) < 1e9 else None, min(d, 5.0) if d > 2 else -d]
    words = [w for v in wanted for w in ([None, None] if v is None else doubles([v]))]
    # d / 3 may be one unit off in the last place (Vulkan allows it), and -0 is as good as 0
    for i in range(8):
        words[i * 10 + 2:i * 10 + 4] = [None, words[i * 10 + 3] if words[i * 10 + 3] not in (0, 0x80000000) else None]
        if wanted[i * 5 + 4] == 0:
            words[i * 10 + 9] = None
    return Case("doubles", [storage("f", T, doubles(values)), storage("w", T + 1, doubles(others)), output("o", U, 80)], {"o": Expected(words)})


def scan():
    data = noise(70, 512, 1000)
    wanted = [sum(data[g * 256:g * 256 + i + 1]) for g in range(2) for i in range(256)]
    return Case("scan", [storage("f", T, data), output("o", U, 512)], {"o": Expected(wanted)}, groups=(2, 1, 1))


def bitonic_sort():
    keys = [(k - 5000) * 128 + i for i, k in enumerate(noise(71, 128, 10000))]  # no two are equal
    pairs = sorted((k, i) for i, k in enumerate(keys))
    return Case("bitonic_sort", [storage("d", U, [w for i, k in enumerate(keys) for w in (u32(k), i)])],
                {"d": Expected([w for k, i in pairs for w in (u32(k), i)])})


def histogram():
    width, height = 20, 13
    image = [x / 64 for x in noise(72, width * height * 4, 64)]
    bins = [0] * 64
    for i in range(width * height):
        r, g, b = image[i * 4:i * 4 + 3]
        bins[min(int((r * 0.25 + g * 0.5 + b * 0.25) * 64), 63)] += 1
    return Case("histogram", [texture("image", T, "R32G32B32A32_SFLOAT", (width, height), image), output("b", U, 64)], {"b": Expected(bins)},
                groups=(3, 2, 1))


def matrix_tiles():
    n = 16
    a, b = [float(x) for x in noise(73, n * n, 20)], [float(x) for x in noise(74, n * n, 20)]
    wanted = [sum(a[y * n + k] * b[k * n + x] for k in range(n)) for y in range(n) for x in range(n)]
    return Case("matrix_tiles", [uniform("size", B, [n, 0, 0, 0]), storage("a", T, floats(a)), storage("b", T + 1, floats(b)), output("c", U, n * n)],
                {"c": Expected(floats(wanted))}, groups=(2, 2, 1))


def blur():
    width, height = 40, 3
    image = [float(x) for x in noise(75, width * height * 4, 256)]
    weights = [0.0625, 0.25, 0.375, 0.25, 0.0625]
    wanted = []
    for y in range(height):
        for x in range(width):
            row = [image[(y * width + min(max(x + k - 2, 0), width - 1)) * 4:][:4] for k in range(5)]
            wanted += [sum(w * p[c] for w, p in zip(weights, row)) for c in range(4)]
    return Case("blur", [texture("from", T, "R32G32B32A32_SFLOAT", (width, height), image),
                         rw_texture("to", U, "R32G32B32A32_SFLOAT", (width, height), [0] * len(image))], {"to": Expected(wanted)}, groups=(2, 3, 1))


def mandelbrot():
    limit, wanted = 60, []
    for i in range(256):
        cx, cy = -2 + 0.1875 * (i % 16), -1.5 + 0.1875 * (i // 16)
        x = y = 0.0
        n = 0
        while n < limit:
            xx, yy = f32(x * x), f32(y * y)
            if f32(xx + yy) > 4:
                break
            x, y = f32(f32(xx - yy) + cx), f32(f32(f32(x * y) * 2) + cy)
            n += 1
        wanted.append(n)
    return Case("mandelbrot", [uniform("view", B, floats([-2.0, -1.5, 0.1875, 0.1875]) + [limit, 0, 0, 0]), output("o", U, 256)],
                {"o": Expected(wanted)}, groups=(2, 2, 1))


def pcg(v):
    state = u32(v * 747796405 + 2891336453)
    word = u32(((state >> (state >> 28) + 4) ^ state) * 277803737)
    return word >> 22 ^ word


def xorshift(s):
    s ^= u32(s << 13)
    s ^= s >> 17
    return s ^ u32(s << 5)


def wang(s):
    s = u32((s ^ 61 ^ s >> 16) * 9)
    s = u32((s ^ s >> 4) * 0x27d4eb2d)
    return s ^ s >> 15


def pcg3(v):
    x, y, z = (u32(c * 1664525 + 1013904223) for c in v)
    for again in range(2):
        x = u32(x + y * z)
        y = u32(y + z * x)
        z = u32(z + x * y)
        if not again:
            x, y, z = x ^ x >> 16, y ^ y >> 16, z ^ z >> 16
    return x ^ y ^ z


def random_numbers():
    wanted = []
    for t in range(64):
        wanted += [pcg(t), xorshift(xorshift(t + 1)), wang(t), pcg3((t, 1, 2)), bits(from_bits(0x3f800000 | pcg(t) >> 9) - 1)]
    return Case("random", [output("o", U, 320)], {"o": Expected(wanted)})


def tone_map():
    scene = [float(x) for x in noise(76, 8 * 4 * 4, 4)]
    wanted = []
    for i in range(32):
        c = [1 - x * 0.5 / (x * 0.5 + 1) for x in scene[i * 4:i * 4 + 3]]
        wanted += [round(x * 255) for x in (c[1], c[2], c[0], 1)]
    return Case("tone_map", [texture("scene", T, "R32G32B32A32_SFLOAT", (8, 4), scene), rw_texture("screen", U, "R8G8B8A8_UNORM", (8, 4), [0] * 128),
                             uniform("s", B, floats([0.5]) + [1, 0, 0])], {"screen": Expected(wanted, stride=1)}, hlsl_options=("-D", "CHANNEL=1"))


def bodies():
    n, dt, soft = 64, 0.125, 0.5
    rows = [[float(x) / 8 - 4 for x in noise(80 + i, 3, 64)] + [float(i % 5 + 1)] + [float(x) / 16 for x in noise(180 + i, 3, 16)] + [0.0]
            for i in range(n)]
    wanted = []
    for b in rows:
        force = [0.0] * 3
        for o in rows:
            d = [o[c] - b[c] for c in range(3)]
            k = o[3] * (sum(x * x for x in d) + soft) ** -1.5
            force = [force[c] + d[c] * k for c in range(3)]
        speed = [b[4 + c] + force[c] * dt for c in range(3)]
        wanted += [b[c] + speed[c] * dt for c in range(3)] + [b[3]] + speed + [0.0]
    return Case("bodies", [uniform("step", B, [bits(dt), n, bits(soft), 0]), storage("f", T, floats(sum(rows, []))), output("t", U, n * 8, type="float")],
                {"t": Expected(wanted, tolerance="0.001")}, groups=(2, 1, 1))


def vulkan():
    base, scale, four, tint = 10, 0.5, [1, 2, 3, 4], [0.25, 0.5, 1.0, 2.0]
    wanted = [(base + (four[i] << 2)) * scale + tint[i] for i in range(4)]
    push = [base, bits(scale), 0, 0] + four
    case = Case("vulkan", [uniform("push", 0, push), uniform("g", B, floats(tint)), output("o", U, 4)], {"o": Expected(floats(wanted))})
    case.resources[0].kind = "push_constant"
    return case


CASES = [small_types(), double_numbers(), scan(), bitonic_sort(), histogram(), matrix_tiles(), blur(), mandelbrot(), random_numbers(), tone_map(),
         bodies(), vulkan()]
