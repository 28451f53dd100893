"""What a case is made of: memory, bindings, expected results. cases.py and its parts have the cases."""
import dataclasses
import struct

B, T, U, S = 0, 1000, 2000, 3000  # the bindings of b0, t0, u0, s0: docs/cli.md


@dataclasses.dataclass
class Resource:
    name: str
    kind: str  # as Amber's BIND calls it; "sampler"
    binding: int
    data: list = dataclasses.field(default_factory=list)
    set: int = 0
    type: str = "uint32"
    format: str = ""
    size: tuple = ()
    options: str = ""

    @property
    def is_image(self):
        return self.kind in ("sampled_image", "storage_image")


@dataclasses.dataclass
class Expected:
    values: list  # of the buffer's elements; None: anything
    tolerance: str = ""
    stride: int = 4  # bytes of an element


@dataclasses.dataclass
class Case:
    name: str
    resources: list
    expected: dict
    groups: tuple = (1, 1, 1)
    hlsl_entry: str = "main"
    hlsl_options: tuple = ()
    images: list = None  # not run, but compiled: the image instructions that it must have, "name dimension"


def f32(x):
    """Rounds to a float of 32 bits."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bits(x):
    """The bits of a float of 32 bits."""
    return struct.unpack("<I", struct.pack("<f", x))[0]


def from_bits(word):
    return struct.unpack("<f", struct.pack("<I", word & 0xffffffff))[0]


def floats(values):
    return [bits(v) for v in values]


def u32(x):
    return x & 0xffffffff


def words64(values):
    """Numbers of 64 bits as pairs of words."""
    return [w for v in values for w in (v & 0xffffffff, v >> 32 & 0xffffffff)]


def doubles(values):
    return words64(struct.unpack("<Q", struct.pack("<d", v))[0] for v in values)


def half_bits(x):
    return struct.unpack("<H", struct.pack("<e", x))[0]


def from_half(h):
    return struct.unpack("<e", struct.pack("<H", h))[0]


def storage(name, binding, data, **more):
    return Resource(name, "storage", binding, list(data), **more)


def output(name, binding, count, **more):
    return Resource(name, "storage", binding, [0] * count, **more)


def uniform(name, binding, data, **more):
    return Resource(name, "uniform", binding, list(data), **more)


def texels(name, binding, format, data, **more):
    return Resource(name, "uniform_texel_buffer", binding, list(data), format=format, **more)


def rw_texels(name, binding, format, data, **more):
    return Resource(name, "storage_texel_buffer", binding, list(data), format=format, **more)


def texture(name, binding, format, size, data, **more):
    return Resource(name, "sampled_image", binding, list(data), format=format, size=size, **more)


def rw_texture(name, binding, format, size, data, **more):
    return Resource(name, "storage_image", binding, list(data), format=format, size=size, **more)


def sampler(name, binding, options="", **more):
    return Resource(name, "sampler", binding, options=options, **more)


def noise(seed, count, limit=1 << 32):
    """Numbers that look random: a linear congruence (Numerical Recipes' constants)."""
    out, x = [], seed
    for _ in range(count):
        x = (x * 1664525 + 1013904223) & 0xffffffff
        out.append((x >> 8) * limit >> 24)
    return out
