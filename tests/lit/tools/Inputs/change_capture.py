"""Copies a capture and turns a bit of the byte at an offset in the content of its first chunk of a name."""
import struct
import sys

name, offset, source, target = sys.argv[1:]
data = bytearray(open(source, "rb").read())
at = 16
while data[at:at + 4].decode() != name:
    at += 16 + (struct.unpack_from("<Q", data, at + 8)[0] + 7) // 8 * 8
data[at + 16 + int(offset)] ^= 1
open(target, "wb").write(data)
