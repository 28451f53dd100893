"""Cases of groups, waves, counters, matrices and how resources are bound."""
from case import (B, S, T, U, Case, Expected, bits, floats, noise, output, rw_texels, sampler, storage, texels, texture, u32, uniform)


def append_consume():
    # one wave at a time may append: the order is not defined, so every particle is equal but for what decides
    particles = [[bits(1.5)] * 4 + [3, 7, 0, 0] for _ in range(32)]
    grown = [bits(3.0)] * 4 + [3, 7, 0, 0]
    return Case("append_consume", [output("to", U, 32 * 8), storage("from", U + 1, sum(particles, [])), output("calls", U + 2, 32),
                                   storage("to_count", U + 3, [0]), storage("from_count", U + 4, [32]), storage("calls_count", U + 5, [0])],
                {"to": Expected(grown * 32), "to_count": Expected([32]), "from_count": Expected([0]), "calls_count": Expected([32]),
                 "calls": Expected([7] * 32)})


def group_reduce():
    data = noise(21, 384, 10000)
    wanted = []
    for g in range(3):
        part = data[g * 128:g * 128 + 128]
        wanted += [sum(part), max(part)]
    return Case("group_reduce", [storage("f", T, data), output("o", U, 6)], {"o": Expected(wanted)}, groups=(3, 1, 1))


def interlocked():
    x = y = 0
    for i in range(64):
        x, y = x ^ i * 3, y ^ i
    result = [sum(range(64)), 0xffffffff, 0xffff0000, x, max(i ^ 21 for i in range(64)), 9, 1, 1, u32(-40), u32(-7)]
    raw = [5 + 2016, 126, 0xffffffff, y, 3, 0xffffffc0] + [i * i for i in range(64)]
    numbers = [u32(-58), u32(-17)] + [i + 1000 for i in range(64)]
    return Case("interlocked", [output("o", U, 10), storage("r", U + 1, [5, 7, 0, 0, 900, 0xffffffff] + [i + 1000 for i in range(64)]),
                                storage("n", U + 2, [3, u32(-90)] + [0] * 64)],
                {"o": Expected(result), "r": Expected(raw), "n": Expected(numbers)})


def wave_reduce():
    wanted = []
    for i in range(64):
        wanted += [1, 1, 0x7f ^ 0x80, u32(~0x7f), 1, 5, 1, 7 if i % 2 == 0 else 0]
    return Case("wave_reduce", [output("o", U, 512)], {"o": Expected(wanted)})


def wave_lanes():
    wanted = [1, 1, 1, 1, 1, 0x02020202, 0, 0] * 64
    return Case("wave_lanes", [output("o", U, 512)], {"o": Expected(wanted)})


def by_columns(rows, columns, m):
    """A matrix of rows as columns, each in a register."""
    return [v for c in range(columns) for v in [m[r * columns + c] for r in range(rows)] + [0.0] * (4 - rows)]


def matrix_memory():
    a, b, c = [[float(k * 100 + i) for i in range(12)] for k in (1, 2, 3)]
    lists = [[float(k * 100 + i) for i in range(16)] for k in (4, 5)]
    words = floats(a + by_columns(3, 4, b) + by_columns(3, 4, c) + by_columns(4, 4, lists[0]) + by_columns(4, 4, lists[1]))
    pairs = []
    for k in (6, 7):
        m = [float(k * 100 + i) for i in range(8)]
        pairs += m + [m[r * 4 + col] + 50 for col in range(4) for r in range(2)]
    wanted = [x for i in range(12) for x in (a[i], b[i], c[i])]
    wanted += [a[6], b[6], c[3], lists[1][11], lists[1][3], a[7], 706.0, 756.0]
    return Case("matrix_memory", [uniform("k", B, words), storage("p", T, floats(pairs)), output("o", U, len(wanted))],
                {"o": Expected(floats(wanted))})


def det(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** c * m[0][c] * det([row[:c] + row[c + 1:] for row in m[1:]]) for c in range(len(m)))


def matrix_algebra():
    a = [[2.0, 1.0, 3.0], [0.0, 4.0, 5.0], [1.0, 6.0, 2.0]]
    b = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 13.0]]
    d = [[2.0, 0.0, 1.0, 3.0], [1.0, 5.0, 0.0, 2.0], [4.0, 1.0, 2.0, 1.0], [0.0, 3.0, 1.0, 2.0]]
    v = [1.0, -2.0, 3.0, 0.5]
    ab = [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(4)] for i in range(3)]
    column = [sum(b[i][k] * v[k] for k in range(4)) for i in range(3)]
    row = [sum(v[k] * b[k][j] for k in range(3)) for j in range(4)]
    wanted = sum(ab, []) + [column[0], column[2], row[0], row[3], b[1][3], b[0][2], det(a), det(d), det([a[0][:2], a[1][:2]]), a[1][2] * 2,
                            a[2][0] * 3 + 1, sum(x * y for x, y in zip(v, d[2])), sum(x * x for x in v), v[3], 1.0]
    words = floats(sum([r + [0.0] for r in a], []) + sum(b, []) + sum(d, []) + v)
    return Case("matrix_algebra", [uniform("k", B, words), output("o", U, len(wanted), type="float")], {"o": Expected(wanted, tolerance="0.001")})


def spaces():
    a, b, c, k, d, m = ([(i * 3 + j) % 10 for i in range(4)] for j in range(6))
    wanted = [a[i] + 10 * b[i] + 100 * c[i] + 1000 * k[i] + 10000 * d[i] + 100000 * m[i] for i in range(4)]
    return Case("spaces", [storage("a", T, a), storage("b", T, b, set=1), storage("c", T, c, set=3), uniform("k", B, k, set=1),
                           storage("d", 5, d, set=2), uniform("m", 3, m), output("o", U, 4, set=2)], {"o": Expected(wanted)})


def resource_arrays():
    images = [[float(x) for x in noise(30 + k, 4 * 2 * 4, 100)] for k in range(3)]
    lists = [noise(40 + k, 4, 50) for k in range(2)]
    second = [images[2][(4 + i) * 4 + 1] + images[0][i * 4 + 2] + lists[0][i] for i in range(4)]
    # the second sampler clamps: beyond 1 is the last texel
    first = [images[1][(4 + 3) * 4] + lists[1][i] for i in range(4)]
    return Case("resource_arrays",
                [texture(f"i{k}", T, "R32G32B32A32_SFLOAT", (4, 2), images[k]) for k in range(3)] +
                [texels(f"l{k}", T + 8, "R32_UINT", lists[k]) for k in range(2)] +
                [sampler("s0", S), sampler("s1", S, "ADDRESS_MODE_U clamp_to_edge ADDRESS_MODE_V clamp_to_edge")] +
                [rw_texels(f"r{k}", U, "R32_SFLOAT", [0] * 4) for k in range(2)] + [uniform("k", B, [1, 1, 0, 0])],
                {"r0": Expected(first), "r1": Expected(second)})


def static_arrays():
    primes = [2, 3, 5, 7, 11, 13, 17, 19]
    directions = [[(1, 0, 0), (0, 1, 0)], [(0, 0, 1), (-1, -1, -1)]]
    wanted = []
    for i in range(16):
        four = [i, i * 2, i * 3, i * 4]
        four[i % 4] = 100
        d = directions[i & 1][i >> 1 & 1]
        wanted.append(primes[(i + 2) % 8] + 100 * primes[(i + 5) % 8] + four[(i + 1) % 4] * 10000 + d[0] + 2 * d[1] + 3 * d[2] +
                      (i % 3 + 0.5) + (i % 3 + 1) + 4)
    return Case("static_arrays", [output("o", U, 16)], {"o": Expected(floats(wanted))})


CASES = [append_consume(), group_reduce(), interlocked(), wave_reduce(), wave_lanes(), matrix_memory(), matrix_algebra(), spaces(), resource_arrays(),
         static_arrays()]
