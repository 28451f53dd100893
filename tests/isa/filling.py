"""Draws random instruction words of any generation; fixed bits and opcodes come from formats.py.

New words of an encoding and opcode have mostly sensible operand fields. Others are made by changing some fields of words
that are known to be instructions, so that most of them are instructions too, and the rest nearly so.
"""
import random

import census
import formats

# Fields of source operands, drawn as a whole, by format: (position, bits).
SOURCES = {"VOP1": [(0, 9)], "VOP2": [(0, 9)], "VOPC": [(0, 9)], "VOP3": [(32, 9), (41, 9), (50, 9)],
           "VOP3P": [(32, 9), (41, 9), (50, 9)], "VINTERP": [(32, 9), (41, 9), (50, 9)], "SOP1": [(0, 8)], "SOP2": [(0, 8), (8, 8)],
           "SOPC": [(0, 8), (8, 8)], "VOPD": [(0, 9), (32, 9)], "VOP3PX": [(32, 9), (41, 9), (96, 9), (105, 9), (114, 9)]}


def encoding_of(fmt, op):
    """Returns formats.py's name for the encoding of a row, and the opcode number in it."""
    apart = {"MIMG": "VSAMPLE", "VOP3P": "VOP3PX"}  # numbers from 0x100 on
    return (apart[fmt], op - 0x100) if fmt in apart and op >= 0x100 else (fmt, op)


# Fields of modifiers; literals that are inline constants in some size of float, or nearly.
MODIFIERS = {"VOP3": [(8, 3), (11, 4), (15, 1), (59, 2), (61, 3)], "VOP3P": [(8, 3), (11, 4), (15, 1), (59, 2), (61, 3)],
             "VINTERP": [(8, 3), (11, 4), (15, 1), (61, 3)]}
LITERALS = [0x3800, 0xB800, 0x3C00, 0x4000, 0xC400, 0x3118, 0x13C00, 0x3F000000, 0x3F800000, 0xBF800000, 0x40000000, 0xC0800000, 0x3E22F983,
            0x3F00, 0x3F80, 0xBF80, 0xC080, 0x3E22, 0x3E23, 0x3F803F80, 0x3FE00000, 0x3FF00000, 0xBFF00000, 0x40100000, 0x3FC45F30, 64, 65,
            0xFFFFFFF0, 0xFFFFFFEF, 0xFFF0, 0xFFFF, 0x8000, 0x80000000]


# Further fillings: f8f6f4's ABID must be 0.
MORE = {("gfx950", "VOP3P"): [(0x100 | 0x100 << 9 | 0x100 << 18) << 32] * 3}


class Filling:
    def __init__(self, cpu, seed):
        self.cpu = cpu
        self.generation = int(cpu[3:-2])
        self.random = random.Random(seed)

    def bits(self, n):
        return self.random.getrandbits(n)

    def source(self, bits):
        r = self.random
        code = r.choice([r.randrange(256, 512)] * 5 + [r.randrange(0, 102)] * 3 + [r.randrange(128, 209)] * 2 +
                        [r.randrange(102, 128), r.randrange(235, 256), r.randrange(240, 249), 255])
        return code & (1 << bits) - 1

    def value(self, fmt):
        """Returns 160 random bits: a known good filling of the format, with some fields and bytes drawn anew and a few bits flipped."""
        r = self.random
        value = r.choice(census.FILLINGS.get(fmt, [0]) + MORE.get((self.cpu, fmt), []))
        for at in range(0, 96, 8):
            if r.random() < 0.4:
                value = value & ~(0xFF << at) | r.choice([self.bits(8), self.bits(8) & ~3, self.bits(8) & self.bits(8)]) << at
        for pos, bits in SOURCES.get(fmt, []):
            if r.random() < 0.85:
                value = value & ~((1 << bits) - 1 << pos) | self.source(bits) << pos
        if r.random() < 0.3:
            value ^= 1 << r.randrange(64)
        if r.random() < 0.5:  # the word after a 32-bit encoding: a literal, SDWA or DPP
            value = value & ~(0xFFFFFFFF << 32) | self.bits(32) << 32 if fmt[:3] in ("VOP", "SOP") and len(fmt) == 4 and \
                fmt not in ("VOP3", "VOPD") else value
        return value if fmt == "VOP3PX" else value | self.bits(64) << 96

    def extension(self, fmt):
        """Returns the source code for SDWA or DPP on gfx8 to gfx10, and its word."""
        r = self.random
        sel = lambda: r.choice([0, 1, 2, 3, 4, 5, 6, 6])
        modifiers = lambda: r.choice([0, 0, self.bits(3) & self.bits(3)])
        if r.random() < 0.5:
            word = self.bits(8) | sel() << 16 | modifiers() << 19
            if fmt != "VOPC":
                word |= sel() << 8 | r.randrange(3) << 11 | r.choice([0, 1]) << 13
            if fmt != "VOP1":
                word |= sel() << 24 | modifiers() << 27
            if self.generation >= 9 and r.random() < 0.4:
                word |= r.choice([1 << 23, 1 << 31, 1 << 23 | 1 << 31, 1 << 15])
            return 249, word
        if self.generation >= 10 and r.random() < 0.3:
            return r.choice([0xE9, 0xEA]), self.bits(32)
        control = r.choice([self.bits(8), 0x101 + self.bits(3), 0x111 + self.bits(3), 0x121, 0x130, 0x134, 0x138, 0x13c, 0x140, 0x141,
                            0x142, 0x143, 0x150 + self.bits(4), 0x160 + self.bits(4), self.bits(9)])
        return 250, (self.bits(8) | control << 8 | r.choice([0, 1]) << 19 | r.choice([0, self.bits(4)]) << 20 |
                     r.choice([0xFF, self.bits(8)]) << 24)

    def lanes(self):
        """Returns the source code for DPP from gfx11 on, and its word; most of the lane patterns exist."""
        r = self.random
        if r.random() < 0.3:
            return r.choice([0xE9, 0xEA]), self.bits(32)
        control = r.choice([self.bits(8), self.bits(9), 0x101 + self.bits(3), 0x111, 0x121, 0x140, 0x141, 0x150 + self.bits(4),
                            0x160 + self.bits(4)])
        masks = r.choice([0xFF, self.bits(8)])
        return 0xFA, self.bits(8) | control << 8 | r.choice([0, 1, 2, 3]) << 18 | r.choice([0, self.bits(4)]) << 20 | masks << 24

    def dpp(self, fmt, value):
        """Sometimes adds DPP to `value` on gfx11 and later."""
        r = self.random
        if self.generation < 11 or r.random() > 0.25:
            return value
        source, word = self.lanes()
        at = 64 if fmt in ("VOP3", "VOP3P") else 32
        field = at - 32
        value = value & ~(0xFFFFFFFF << at) & ~(0x1FF << field) | word << at | source << field
        if at == 64 and r.random() < 0.8:  # the other sources are mostly VGPRs
            value |= 0x100 << 41 | r.choice([0, 0x100 << 50])
        return value

    def encoding(self, fmt):
        return formats.ENCODINGS[self.cpu]["VOPD_X" if fmt == "VOPD" else fmt]

    def mask(self, fmt):
        """The mask of the bits that hold encoding and opcode."""
        encoding = self.encoding(fmt)
        mask = encoding.fixed
        for pos, bits in encoding.op if fmt != "VOPD" else ():
            mask |= (1 << bits) - 1 << pos
        return mask

    def span(self, words):
        """Draws (position, bits, value) of a change within the first `words` words."""
        r = self.random
        kind = r.random()
        if kind < 0.35:
            at, bits = 8 * r.randrange(words * 4), 8
            return at, bits, r.choice([self.bits(8), self.bits(8), self.bits(8) & ~1, self.bits(8) & ~3, 0, 0xFF, 0x7C, 0x7D])
        if kind < 0.8:
            return r.randrange(words * 32), 1, self.bits(1)
        bits = r.choice([2, 3, 4, 5, 6])
        return r.randrange(words * 32 - bits), bits, self.bits(bits)

    def change(self, fmt, op, code):
        """Returns `code`, an instruction in encoding `fmt`, with the same opcode and some fields drawn anew."""
        r = self.random
        fmt, _ = encoding_of(fmt, op)
        old = int.from_bytes(code, "little")
        value = old
        own = self.encoding(fmt).words
        extended = code[0] in (0xE9, 0xEA, 0xF9, 0xFA) or 0xFF in code[:own * 4]
        for _ in range(r.choice([1, 1, 1, 2, 2, 3])):
            places = SOURCES.get(fmt, [])
            if places and r.random() < 0.4:
                pos, bits = r.choice(places)
                drawn = self.source(bits)
            elif fmt in MODIFIERS and r.random() < 0.2:
                pos, bits = r.choice(MODIFIERS[fmt])
                drawn = self.bits(bits)
            elif extended and r.random() < 0.2:
                pos, bits, drawn = own * 32, 32, r.choice([self.bits(32), self.bits(16), self.bits(6)] + [r.choice(LITERALS)] * 3)
            else:
                pos, bits, drawn = self.span(own + extended)
            value = value & ~((1 << bits) - 1 << pos) | drawn << pos
        keep = self.mask(fmt)
        return (value & ~keep | old & keep).to_bytes(20, "little")

    def flips(self, fmt, op, code):
        """Returns copies of `code`, an instruction in encoding `fmt`, each with one bit outside the opcode changed."""
        fmt, _ = encoding_of(fmt, op)
        extended = code[0] in (0xE9, 0xEA, 0xF9, 0xFA)
        words, keep, value = self.encoding(fmt).words + extended, self.mask(fmt), int.from_bytes(code, "little")
        return [(value ^ 1 << bit).to_bytes(20, "little") for bit in range(words * 32) if not keep >> bit & 1]

    def dual(self):
        """Draws a VOPD instruction, which has two operations."""
        r = self.random
        x, y = r.randrange(16), r.randrange(32)
        if r.random() < 0.9:
            x, y = r.randrange(13), r.choice([r.randrange(13), 16, 17, 18])
        src1 = [0 if op == 8 and r.random() < 0.95 else self.bits(8) for op in (x, y)]
        low = 0xC8000000 | x << 22 | y << 17 | src1[0] << 9 | self.source(9)
        high = self.bits(8) << 24 | self.bits(7) << 17 | src1[1] << 9 | self.source(9)
        return (low | high << 32 | self.bits(96) << 64).to_bytes(20, "little")

    def fewer(self, fmt, value):
        """Clears fields that many instructions lack: on gfx6 and gfx7 only words that decode are compared."""
        clear = {"VOP3": [0, 0x1FF << 50, 0x3FFFF << 41], "FLAT": [0xFFFF | 0x7F << 48], "MUBUF": [0, 0x3000, 1 << 15, 1 << 55, 1 << 16 | 1 << 55],
                 "MIMG": [0, 0x1F << 53], "MTBUF": [0, 0x3000, 1 << 15, 1 << 55]}.get(fmt, [0])
        value &= ~self.random.choice(clear)
        if fmt == "VOP3" and self.random.random() < 0.8:
            value = value & ~(7 << 61 | 0xFF << 8) | self.random.choice([0, self.bits(3) << 61, self.bits(7) << 8])
        return value

    def instruction(self, fmt, op, name):
        """Draws bytes with the fixed bits of encoding `fmt` and opcode number `op`."""
        encodings = formats.ENCODINGS[self.cpu]
        fmt, op = encoding_of(fmt, op)
        fill = self.value(fmt)
        if fmt in ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3P"):
            fill = self.dpp(fmt, fill)
        if self.cpu in formats.NOT_DISASSEMBLED:
            fill = self.fewer(fmt, fill)
        elif fmt == "VOP3" and self.random.random() < 0.3:
            fill &= ~self.random.choice([0x1FF << 50, 0x3FFFF << 41])  # one source or two
        value = formats.words(encodings[fmt], op, fill) & (1 << 160) - 1
        if fmt in ("VOP1", "VOP2", "VOPC") and 8 <= self.generation <= 10 and self.random.random() < 0.4:
            code, word = self.extension(fmt)
            value = value >> 64 << 64 | value & 0xFFFFFE00 | code | word << 32
        return value.to_bytes(20, "little")

    def plain(self, fmt, op):
        """Returns bytes with the opcode and one of the census's fillings; with one of them nearly every opcode is valid."""
        fmt, op = encoding_of(fmt, op)
        fill = self.random.choice(census.FILLINGS[fmt])
        return (formats.words(self.encoding(fmt), op, fill) & (1 << 160) - 1).to_bytes(20, "little")

    def anything(self):
        """Five random words."""
        return self.bits(160).to_bytes(20, "little")
