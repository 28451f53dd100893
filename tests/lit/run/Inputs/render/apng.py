"""Prints the chunks of an animated PNG; checks their CRCs, and that each frame's data is a picture."""
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at, frames, width, height = 8, [], 0, 0
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert zlib.crc32(name + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], name
    at += 12 + size
    if name == b"IHDR":
        width, height = struct.unpack(">II", body[:8])
    if name == b"acTL":
        print("frames, repetitions:", *struct.unpack(">II", body))
    if name == b"fcTL":
        number, w, h, x, y, delay, per = struct.unpack(">IIIIIHH", body[:24])
        print(f"frame: chunk {number}, {w} x {h} at {x}, {y}, {delay}/{per} s")
        frames.append(b"")
    if name == b"IDAT":
        frames[-1] += body
    if name == b"fdAT":
        frames[-1] += body[4:]
for i, f in enumerate(frames):
    rows = zlib.decompress(f)
    assert len(rows) == height * (1 + 4 * width)
    print(f"frame {i}: {len(set(frames[:i + 1]))} different so far")
