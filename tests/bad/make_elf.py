"""Makes small ELF files for AMDGPU, for cases that need more than a header."""
from struct import pack

HEADER, SECTION, SEGMENT = 64, 64, 56
GFX1030 = 0x36


def make_elf(metadata=None, address=None):
    """Returns a file with an empty symbol table, a note with `metadata` (MessagePack), and a segment at `address`; None omits these."""
    segments = b"" if address is None else pack("<IIQQQQQQ", 1, 5, 0, address, 0, 64, 64, 4096)
    note = b"" if metadata is None else pack("<III", 7, len(metadata), 32) + b"AMDGPU\0\0" + metadata
    at = HEADER + len(segments)
    names, symbol = at + len(note), at + len(note) + 8
    table = symbol + 24
    sections = [pack("<IIQQQQIIQQ", 0, kind, 0, 0, offset, size, link, 0, 8, entry)
                for kind, offset, size, link, entry in
                [(0, 0, 0, 0, 0), (7, at, len(note), 0, 0), (3, names, 8, 0, 0), (11, symbol, 24, 2, 24)]]
    header = b"\x7fELF\2\1\1\x40\3" + bytes(7) + pack("<HHIQQQIHHHHHH", 3, 224, 1, 0, HEADER, table, GFX1030, HEADER, SEGMENT,
                                                      len(segments) // SEGMENT, SECTION, len(sections), 2)
    return header + segments + note + bytes(8) + bytes(24) + b"".join(sections)


def make_relocatable(kind, symbol, name=b"other", offset=0):
    """Returns a relocatable file with 8 bytes of code and one relocation of type `kind` at `offset`, to a global symbol in section number
    `symbol` (0: undefined, 1: the code)."""
    names = b"\0" + name + b"\0"
    symbols = bytes(24) + pack("<IBBHQQ", 1, 16, 0, symbol, 0, 0)
    parts = [bytes(8), pack("<QIIq", offset, kind, 1, 0), symbols, names]
    kinds = [(1, 6, 0, 0), (4, 0, 3, 1), (2, 0, 4, 1), (3, 0, 0, 0)]  # type, flags, link, info
    at, headers = HEADER, [bytes(SECTION)]
    for part, (kind_of, flags, link, info) in zip(parts, kinds):
        headers.append(pack("<IIQQQQIIQQ", 0, kind_of, flags, 0, at, len(part), link, info, 1, 24 if kind_of in (2, 4) else 0))
        at += len(part)
    header = b"\x7fELF\2\1\1\x40\3" + bytes(7) + pack("<HHIQQQIHHHHHH", 1, 224, 1, 0, 0, at, GFX1030, HEADER, 0, 0, SECTION,
                                                      len(headers), 4)
    return header + b"".join(parts) + b"".join(headers)
