"""Reads PNG files of 8-bit RGBA, as the program writes them, and writes files of their colours."""
import struct
import zlib


def read(path):
    """Returns (width, height, bytes of RGBA)."""
    data = open(path, "rb").read()
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        at += 12 + size
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", body[:10])
            assert (depth, kind) == (8, 6), path
        if name == b"IDAT":
            packed += body
    return width, height, unfilter(zlib.decompress(packed), width, height)


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfilter(rows, width, height):
    """Undoes the filters of each row (PNG, "Filtering")."""
    stride, out = 4 * width, bytearray()
    before = bytearray(stride)
    for y in range(height):
        kind, row = rows[y * (stride + 1)], bytearray(rows[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left, corner = (row[i - 4], before[i - 4]) if i >= 4 else (0, 0)
            row[i] = row[i] + (left, before[i], (left + before[i]) // 2, paeth(left, before[i], corner))[kind - 1] & 255
        out += row
        before = row
    return bytes(out)


def filtered(row, before):
    """A row with the filter that makes the smallest numbers: none, what is left, what is above, Paeth's."""
    n = len(row)
    left, corner = bytes(3) + row[:n - 3], bytes(3) + before[:n - 3]
    ways = [row, bytes((a - b) & 255 for a, b in zip(row, left)), bytes((a - b) & 255 for a, b in zip(row, before)), None,
            bytes((x - paeth(a, b, c)) & 255 for x, a, b, c in zip(row, left, before, corner))]
    kind = min((k for k in range(5) if ways[k] is not None), key=lambda k: sum(min(v, 256 - v) for v in ways[k]))
    return bytes([kind]) + ways[kind]


def write_rgb(path, width, height, rgba):
    """Writes the colours alone."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    rgb = b"".join(rgba[i:i + 3] for i in range(0, len(rgba), 4))
    rows = [bytes(3 * width)] + [rgb[3 * width * y:3 * width * (y + 1)] for y in range(height)]
    packed = zlib.compress(b"".join(filtered(rows[y + 1], rows[y]) for y in range(height)), 9)
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", packed) +
                chunk(b"IEND", b""))
