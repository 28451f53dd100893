"""Random instruction words of gfx10.3: an encoding's fixed bits and opcode, the rest mostly sensible."""
import random
import struct


def code(*words):
    return b"".join(struct.pack("<I", w & 0xFFFFFFFF) for w in words)


class Words:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def bits(self, n):
        return self.random.getrandbits(n)

    def maybe(self, n):
        """`n` random bits, or 0."""
        return self.random.choice([0, self.bits(n)])

    def bit_or_all(self, n):
        return self.random.choice([0, 0, self.bits(n), 1 << self.random.randrange(n)])

    def source(self):
        r = self.random
        return r.choice([r.randrange(256, 512)] * 4 + [r.randrange(0, 106)] * 3 +
                        [r.choice([106, 107, 124, 125, 126, 127]), 255, r.randrange(108, 124)] +
                        [r.randrange(128, 209)] * 2 +
                        [r.choice([235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 251, 252, 253, 254])])

    def scalar(self):
        return self.random.choice([self.bits(8) & ~1, self.bits(6) & ~3, self.source() & 255])

    def literal(self):
        return self.random.choice([self.bits(32), self.bits(6), 0x3F800000, 0xFFFFFFFF, 0x3C00, self.bits(16), 0x40000000])

    def sdwa(self, fmt):
        def select():
            return self.random.choice([0, 1, 2, 3, 4, 5, 6, 6])
        scalar0 = self.maybe(1)
        word = (self.source() & 255 if scalar0 else self.bits(8)) | scalar0 << 23 | select() << 16
        word |= self.bit_or_all(3) << 19
        if fmt == "VOPC":
            word |= self.random.choice([0, 0x8000 | self.bits(7) << 8, 0x8000 | self.bits(6) << 9])
        else:
            word |= select() << 8 | self.random.randrange(3) << 11 | self.maybe(3) << 13
        if fmt != "VOP1":
            word |= self.random.choice([0, 0, self.bits(1)]) << 31 | select() << 24 | self.bit_or_all(3) << 27
        return word

    def dpp16(self):
        control = self.random.choice([self.bits(8), self.bits(9), 0x101 + self.bits(3), 0x111 + self.bits(3), 0x121, 0x140,
                                      0x141, 0x150 + self.bits(4), 0x160 + self.bits(4)])
        return (self.bits(8) | control << 8 | self.bits(2) << 18 | self.maybe(4) << 20 |
                self.random.choice([0xFF, self.bits(8)]) << 24)

    def vop32(self, fmt, head):
        kind = self.random.random()
        if kind < 0.25:
            return [head | 249, self.sdwa(fmt)]
        if kind < 0.35 and fmt != "VOPC":
            return [head | 250, self.dpp16()]
        if kind < 0.4 and fmt != "VOPC":
            return [head | self.random.choice([233, 234]), self.bits(32)]
        return [head | self.source(), self.literal()]

    def sdst(self):
        return self.random.choice([self.bits(7), self.bits(7) & ~1, self.bits(5) * 4])

    def sop(self, fmt, op):
        if fmt == "SOP1":
            return [0xBE800000 | self.sdst() << 16 | op << 8 | self.scalar(), self.literal()]
        if fmt == "SOP2":
            return [0x80000000 | op << 23 | self.sdst() << 16 | self.scalar() << 8 | self.scalar(), self.literal()]
        if fmt == "SOPC":
            return [0xBF000000 | op << 16 | self.scalar() << 8 | self.scalar(), self.literal()]
        if fmt == "SOPK":
            return [0xB0000000 | op << 23 | self.sdst() << 16 | self.bits(16), self.literal()]
        return [0xBF800000 | op << 16 | self.maybe(16)]

    def vop3(self, op):
        used = self.random.choice([1, 2, 3])
        sources = [self.source() if i < used else 0 for i in range(3)]
        sources = [s & ~self.maybe(1) for s in sources]
        return [0xD4000000 | op << 16 | self.bit_or_all(8) << 8 | self.bits(8),
                self.bit_or_all(5) << 27 | sources[0] | sources[1] << 9 | sources[2] << 18, self.literal()]

    def vop3p(self, op):
        third = self.random.choice([0, self.source()])
        return [0xCC000000 | op << 16 | self.bits(8) | self.random.choice([0x4000, self.bits(8) << 8]),
                self.random.choice([0x18000000, self.bits(5) << 27]) | self.source() | self.source() << 9 | third << 18,
                self.literal()]

    def image(self, op, name):
        nsa = self.random.choice([0, 0, 1, 2, 3])
        head = 0xF0000000 | (op & 127) << 18 | op >> 7 | nsa << 1
        if "bvh" in name:
            head |= 0x9F00 | self.random.choice([0, 0, self.bits(3) << 3])
            tail = self.maybe(2) << 30 | self.bits(21)
        else:
            mask = self.random.choice([1, 2, 4, 8, 3, 7, 15, self.bits(4)])
            head |= self.bits(3) << 3 | mask << 8 | self.random.choice([0, self.bits(26) & 0x203F080])
            tail = self.maybe(2) << 30 | self.maybe(5) << 21 | self.bits(21)
        # Tuples that begin above v223 could end behind v255: LLVM prints those as if they were shorter.
        tail &= ~0x2020 if tail & 0xC0 == 0xC0 or tail & 0xC000 == 0xC000 else ~0
        return [head, tail] + [self.bits(32) for _ in range(nsa)]

    def memory(self, fmt, op, name):
        if fmt == "SMEM":
            return [0xF4000000 | op << 18 | self.maybe(18) & 0x3E000 |
                    (self.bits(7) & ~self.random.choice([0, 3, 15])) << 6 | self.bits(6) & ~self.maybe(1),
                    self.random.choice([0x7D, self.bits(7)]) << 25 | self.bits(21)]
        if fmt == "DS":
            mask = self.random.choice([0xFFFFFFFF, 0xFF00FFFF, 0xFF0000FF, 0xFF00FF00, 0xFF000000, 0xFFFFFF, 0xFFFF, 0xFF,
                                       0xFF00, 0])
            return [0xD8000000 | op << 18 | self.bits(1) << 17 | self.maybe(1) << 16 |
                    self.random.choice([0, self.bits(8), self.bits(16)]), self.bits(32) & mask]
        if fmt == "MUBUF":
            return [0xE0000000 | op << 18 | self.maybe(1) << 17 | self.maybe(1) << 16 | self.bits(4) << 12 | self.bits(12),
                    self.random.choice([self.scalar(), 0x80]) << 24 | self.maybe(1) << 23 | self.bits(1) << 22 | self.bits(21)]
        if fmt == "MTBUF":
            return [0xE8000000 | (op & 7) << 16 | self.bits(7) << 19 | self.bits(16),
                    self.scalar() << 24 | self.maybe(1) << 23 | self.bits(1) << 22 | (op >> 3) << 21 | self.bits(21)]
        if fmt == "MIMG":
            return self.image(op, name)
        if fmt == "EXP":
            return [0xF8000000 | self.bits(13), self.bits(32)]
        segment = {"FLAT": 0, "SCRATCH": 1, "GLOBAL": 2}[fmt]
        address = self.random.choice([0x7D, 0x7D, self.bits(7), self.bits(7) & ~1])
        return [0xDC000000 | op << 18 | segment << 14 | self.bits(2) << 16 | self.maybe(1) << 13 | self.bits(1) << 12 |
                self.random.choice([self.bits(12), self.bits(11)]),
                self.bits(32) & 0xFF00FFFF | address << 16]

    def instruction(self, fmt, op, name):
        """Bytes with the fixed bits of encoding `fmt` and opcode number `op`."""
        if fmt.startswith("SOP"):
            words = self.sop(fmt, op)
        elif fmt == "VOP1":
            words = self.vop32(fmt, 0x7E000000 | self.maybe(8) << 17 | op << 9)
        elif fmt == "VOP2":
            words = self.vop32(fmt, op << 25 | self.bits(8) << 17 | self.bits(8) << 9)
        elif fmt == "VOPC":
            words = self.vop32(fmt, 0x7C000000 | op << 17 | self.bits(8) << 9)
        elif fmt == "VOP3":
            words = self.vop3(op)
        elif fmt == "VOP3P":
            words = self.vop3p(op)
        elif fmt == "VINTRP":
            words = [0xC8000000 | op << 16 | self.bits(8) << 18 | self.bits(8) << 8 |
                     self.random.choice([self.bits(8), self.bits(2)])]
        else:
            words = self.memory(fmt, op, name)
        return code(*words)

    def anything(self):
        """Four random words."""
        return code(self.bits(32), self.bits(32), self.bits(32), self.bits(32))
