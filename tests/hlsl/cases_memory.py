"""Cases of memory: constant buffers, buffers, textures, samplers."""
from case import (B, S, T, U, Case, Expected, bits, f32, floats, from_bits, noise, output, rw_texels, rw_texture, sampler, storage, texels,
                  texture, u32, uniform)


def place(size, members):
    """A constant buffer of `size` bytes as words: {byte: words}."""
    words = [0xcdcdcdcd] * (size // 4)
    for at, values in members.items():
        words[at // 4:at // 4 + len(values)] = values
    return words


def cbuffer_packing():
    # offsets by the packing rules of HLSL's constant variables, worked out by hand
    members = {0: [1.0], 4: [2.0, 3.0, 4.0], 16: [5.0, 6.0], 32: [7.0, 8.0, 9.0], 44: [10.0], 48: [11.0], 64: [12.0], 80: [13.0], 96: [14.0],
               100: [15.0, 16.0], 112: [17.0, 0.0, 0.0, 18.0], 128: [19.0, 20.0], 144: [21.0, 0.0], 160: [0.0, 22.0]}
    words = place(208, {at: floats(v) for at, v in members.items()})
    words[44:48] = [0, 0, 1, 0]
    words[48:51] = [u32(-3), 2, 5]
    wanted = [float(i) for i in range(1, 23)] + [1.0, -3.0, 5.0]
    return Case("cbuffer_packing", [uniform("c", B, words), output("o", U, 25)], {"o": Expected(floats(wanted))})


def constant_buffers():
    packed = place(64, {0: floats([1, 2, 3, 4]), 20: floats([5]), 24: floats([6, 7]), 48: floats([8])})
    light = place(32, {0: floats([9, 10, 11]), 12: floats([12]), 16: [13, 14], 24: [15]})
    return Case("constant_buffers", [uniform("c", B + 3, packed), uniform("l", B + 1, light, set=2), output("o", U, 9)],
                {"o": Expected(floats([4, 5, 6, 7, 8, 11, 12, 14, 15]))})


def structured():
    items = [[bits(i), bits(i + 0.25), bits(i + 0.5), bits(i * 9), i * 5, i * 7, bits(-i), bits(i * 3), u32(i - 4), i, i + 1, i + 2]
             for i in range(10)]
    wanted = []
    for t in range(10):
        i = list(items[9 - t])
        p = [from_bits(w) for w in i[:3]]
        i[:3] = floats([p[2] * 2, p[0] * 2, p[1] * 2])
        i[4] += i[5]
        i[7] = items[t][6]
        i[8] = u32(-i[8])
        i[9] |= 0x80000000
        wanted += i
    return Case("structured", [storage("i", T, sum(items, [])), output("o", U + 1, 120), output("n", U + 2, 2)],
                {"o": Expected(wanted), "n": Expected([10, 48])})


def byte_address():
    data, old = noise(1, 320, 1 << 24), noise(2, 320)
    wanted = []
    for t in range(32):
        d = data[t * 10:t * 10 + 10]
        wanted += d[3::-1] + [d[k] + 1280 for k in (4, 5, 6)] + [bits(from_bits(d[k] | 0x40000000) * 0.5) for k in (7, 8)]
        wanted.append(d[9] ^ old[t * 10 + 9])
    data = [w | 0x40000000 if i % 10 in (7, 8) else w for i, w in enumerate(data)]
    return Case("byte_address", [storage("f", T + 2, data), storage("g", U, old)], {"g": Expected(wanted)})


def typed_buffers():
    colors = [f32(x / 8) for x in noise(3, 200, 64)]
    counts = noise(4, 50, 1000)
    mixed = []
    for t in range(50):
        c, d = colors[t * 4:t * 4 + 4], colors[196 - t * 4:200 - t * 4]
        mixed += [c[2] + d[0], c[1] + d[1], c[0] + d[2], c[3] + d[3]]
    sums = [sum(counts[k::4]) for k in range(4)] + [max(counts)]
    return Case("typed_buffers", [texels("c", T, "R32G32B32A32_SFLOAT", colors), texels("n", T + 1, "R32_UINT", counts),
                                  rw_texels("s", U, "R32_UINT", [0] * 5), rw_texels("m", U + 1, "R32G32B32A32_SFLOAT", [0] * 200)],
                {"s": Expected(sums), "m": Expected(mixed[:196], stride=4)})


def texture_load():
    one, two, three = [x / 4 for x in noise(5, 20, 99)], noise(6, 6 * 5 * 4, 1000), [x / 2 for x in noise(7, 7 * 4 * 3, 99)]
    wanted = []
    for i in range(32):
        x, y, z = i % 4, i // 4 % 4, i // 16
        a, b = one[x % 5 * 4:][:4], [two[((4 - y) * 6 + x) * 4:][k] + two[(y * 6 + x) * 4:][k] for k in range(4)]
        c = three[(z * 4 + y) * 7 + x] + three[(z * 4 + y) * 7 + 6 - x]
        wanted += [a[0] + a[3], b[1] + b[2], c, 5 + 60 + 500 + 1000 + 70000 + 400000 + 3000000]
    return Case("texture_load", [texture("one", T, "R32G32B32A32_SFLOAT", (5,), one), texture("two", T + 1, "R32G32B32A32_UINT", (6, 5), two),
                                 texture("three", T + 2, "R32_SFLOAT", (7, 4, 3), three), output("o", U, 128)],
                {"o": Expected(floats(wanted))})


def rw_textures():
    line, image, volume = [x / 4 for x in noise(8, 6, 99)], [x / 4 for x in noise(9, 4 * 5 * 4, 99)], noise(10, 64, 1000)
    new_image = list(image)
    for i in range(16):
        x, y = i % 4, i // 4
        p = image[i * 4:i * 4 + 4]
        new_image[i * 4:i * 4 + 4] = [p[3] + x, p[0] + y, p[1] + 5, p[2] + 4]
    return Case("rw_textures", [rw_texture("line", U, "R32_SFLOAT", (6,), line), rw_texture("image", U + 1, "R32G32B32A32_SFLOAT", (4, 5), image),
                                rw_texture("volume", U + 2, "R32_UINT", (4, 4, 4), volume)],
                {"line": Expected([x * 2 if i < 4 else x for i, x in enumerate(line)]), "image": Expected(new_image),
                 "volume": Expected([v * 3 + 8 for v in volume])})


def texel(image, width, height, x, y):
    return image[(y % height * width + x % width) * 4:][:4]


def sample_level():
    image, volume = [float(x) for x in noise(11, 8 * 8 * 4, 64)], [float(x) for x in noise(12, 8 * 8 * 2, 64)]

    def edge(x, y):
        return texel(image, 8, 8, min(max(x, 0), 7), min(max(y, 0), 7))
    wanted = [texel(image, 8, 8, x, 3) for x in range(8)]
    wanted += [[sum(edge(x + i, 2 + j)[k] for i in (0, 1) for j in (0, 1)) / 4 for k in range(4)] for x in range(8)]
    wanted += [texel(image, 8, 8, x + 1, 2) for x in range(8)]
    wanted += [texel(image, 8, 8, x, 3) for x in range(8)]
    wanted += [[volume[(8 + 3) * 8 + x]] * 4 for x in range(8)]
    return Case("sample_level", [texture("image", T, "R32G32B32A32_SFLOAT", (8, 8), image), texture("volume", T + 1, "R32_SFLOAT", (8, 8, 2), volume),
                                 sampler("points", S),
                                 sampler("smooth", S + 1, "MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U clamp_to_edge "
                                                          "ADDRESS_MODE_V clamp_to_edge ADDRESS_MODE_W clamp_to_edge"), output("o", U, 160)],
                {"o": Expected(floats(sum(wanted, [])))})


def gather():
    image = [float(x) for x in noise(13, 8 * 8 * 4, 1000)]

    def edge(x, y, k):
        return texel(image, 8, 8, min(max(x, 0), 7), min(max(y, 0), 7))[k]
    wanted = []
    for dx, dy, k in ((0, 0, 0), (-1, 1, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3)):
        for t in range(8):  # lower left, lower right, upper right, upper left
            x, y = t + dx, 4 + dy
            wanted += [edge(x, y + 1, k), edge(x + 1, y + 1, k), edge(x + 1, y, k), edge(x, y, k)]
    return Case("gather", [texture("image", T, "R32G32B32A32_SFLOAT", (8, 8), image),
                           sampler("edge", S, "ADDRESS_MODE_U clamp_to_edge ADDRESS_MODE_V clamp_to_edge"), output("o", U, 160)],
                {"o": Expected(floats(wanted))})


def sample_compare():
    depth = [x / 16 for x in noise(14, 64, 16)]
    return Case("sample_compare", [texture("depth", T, "R32_SFLOAT", (8, 8), depth),
                                   sampler("less", S, "COMPARE on COMPARE_OP less"), output("o", U, 64)],
                {"o": Expected(floats([1.0 if 0.5 < d else 0.0 for d in depth]))})


def layers():
    return Case("layers", [], {}, images=["load 1D_ARRAY", "load 2D_ARRAY", "load 2D_MSAA", "sample_l 2D_ARRAY", "sample_lz CUBE", "sample_lz CUBE",
                                          "gather4_lz 2D_ARRAY", "sample_lz 1D_ARRAY", "atomic_add 1D_ARRAY", "store 2D_ARRAY"])


CASES = [cbuffer_packing(), constant_buffers(), structured(), byte_address(), typed_buffers(), texture_load(), rw_textures(), sample_level(), gather(),
         sample_compare(), layers()]
