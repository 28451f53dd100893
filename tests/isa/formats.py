"""The positions of fixed bits and opcode numbers in each generation's encodings, from the ISA guides.

The census and the random words use this table, so that they do not depend on Heddle's own layouts.
"""
import collections

# head: value of the fixed bits in the first word; fixed: their mask; op: (position, bits) parts of the opcode number, low part first,
# positions in the first 64 bits; words: length.
Encoding = collections.namedtuple("Encoding", "head fixed op words")

TARGETS = ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90c", "gfx908", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1150",
           "gfx1200", "gfx1201"]

# Opcodes that LLVM 22 has and LLVM 19 lacks; v_mov_b16 is there with the feature real-true16 alone.
NEWEST_NAMES = {"v_swap_b16", "ds_bpermute_fi_b32", "ds_bvh_stack_push4_pop1_rtn_b32", "ds_bvh_stack_push8_pop1_rtn_b32",
                "ds_bvh_stack_push8_pop2_rtn_b64", "image_bvh8_intersect_ray", "image_bvh_dual_intersect_ray", "s_alloc_vgpr"}
NEWEST = ["gfx950", "gfx1153"]  # known only to LLVM 22 (newest.py)

NOT_DISASSEMBLED = ["gfx600", "gfx700"]  # LLVM 19 has only an assembler for them


def e(head, prefix, pos, bits, words=1, *more, fixed=0):
    """An encoding in which the `prefix` leading bits of the first word and the bits of the mask `fixed` are fixed."""
    return Encoding(head, (1 << 32) - (1 << 32 - prefix) | fixed, ((pos, bits),) + more, words)


SCALAR = {
    "SOP1": e(0xBE800000, 9, 8, 8), "SOP2": e(0x80000000, 2, 23, 7), "SOPK": e(0xB0000000, 4, 23, 5), "SOPC": e(0xBF000000, 9, 16, 7),
    "SOPP": e(0xBF800000, 9, 16, 7), "VOP1": e(0x7E000000, 7, 9, 8), "VOP2": e(0, 1, 25, 6), "VOPC": e(0x7C000000, 7, 17, 8),
}
GFX6 = dict(SCALAR, SMEM=e(0xC0000000, 5, 22, 5), VOP3=e(0xD0000000, 6, 17, 9, 2), VINTRP=e(0xC8000000, 6, 16, 2),
            DS=e(0xD8000000, 6, 18, 8, 2), MUBUF=e(0xE0000000, 6, 18, 7, 2), MTBUF=e(0xE8000000, 6, 16, 3, 2), MIMG=e(0xF0000000, 6, 18, 7, 2),
            EXP=e(0xF8000000, 6, 0, 0, 2))
GFX7 = dict(GFX6, FLAT=e(0xDC000000, 6, 18, 7, 2, fixed=0xC000))
GFX8 = dict(GFX7, SMEM=e(0xC0000000, 6, 18, 8, 2), VOP3=e(0xD0000000, 6, 16, 10, 2), VINTRP=e(0xD4000000, 6, 16, 2),
            DS=e(0xD8000000, 6, 17, 8, 2), MTBUF=e(0xE8000000, 6, 15, 4, 2), EXP=e(0xC4000000, 6, 0, 0, 2))
GFX9 = dict(GFX8, VOP3=e(0xD0000000, 6, 16, 10, 2), VOP3P=e(0xD3800000, 9, 16, 7, 2), SCRATCH=e(0xDC004000, 6, 18, 7, 2, fixed=0xC000), GLOBAL=e(0xDC008000, 6, 18, 7, 2, fixed=0xC000))
# A matrix instruction in 16 bytes with the scales that it uses: the number is the one in its own words.
GFX950 = dict(GFX9, VOP3PX=Encoding(0xD3AC0000 | 0xD3800800 << 64, 0xFFFF0000 | 0xFF807800 << 64, ((80, 7),), 4))
GFX10 = dict(SCALAR, SMEM=e(0xF4000000, 6, 18, 8, 2), VOP3=e(0xD4000000, 6, 16, 10, 2), VOP3P=e(0xCC000000, 8, 16, 7, 2),
             VINTRP=e(0xC8000000, 6, 16, 2), DS=e(0xD8000000, 6, 18, 8, 2), MUBUF=e(0xE0000000, 6, 18, 8, 2),
             MTBUF=e(0xE8000000, 6, 16, 3, 2, (53, 1)), MIMG=e(0xF0000000, 6, 18, 7, 2, (0, 1)), EXP=e(0xF8000000, 6, 0, 0, 2),
             FLAT=e(0xDC000000, 6, 18, 7, 2, fixed=0xC000), SCRATCH=e(0xDC004000, 6, 18, 7, 2, fixed=0xC000), GLOBAL=e(0xDC008000, 6, 18, 7, 2, fixed=0xC000))
GFX11 = dict(SCALAR, SMEM=e(0xF4000000, 6, 18, 8, 2), VOP3=e(0xD4000000, 6, 16, 10, 2), VOP3P=e(0xCC000000, 8, 16, 7, 2),
             VINTERP=e(0xCD000000, 8, 16, 7, 2), LDSDIR=e(0xCE000000, 8, 20, 2), VOPD_X=e(0xC8000000, 6, 22, 4, 2), VOPD_Y=e(0xC8000000, 6, 17, 5, 2),
             DS=e(0xD8000000, 6, 18, 8, 2), MUBUF=e(0xE0000000, 6, 18, 8, 2), MTBUF=e(0xE8000000, 6, 15, 4, 2), MIMG=e(0xF0000000, 6, 18, 8, 2),
             EXP=e(0xF8000000, 6, 0, 0, 2), FLAT=e(0xDC000000, 6, 18, 7, 2, fixed=0x30000), SCRATCH=e(0xDC010000, 6, 18, 7, 2, fixed=0x30000),
             GLOBAL=e(0xDC020000, 6, 18, 7, 2, fixed=0x30000))
GFX12 = dict(SCALAR, SMEM=e(0xF4000000, 6, 13, 6, 2), VOP3=e(0xD4000000, 6, 16, 10, 2), VOP3P=e(0xCC000000, 8, 16, 7, 2),
             VINTERP=e(0xCD000000, 8, 16, 5, 2), LDSDIR=e(0xCE000000, 8, 20, 2), VOPD_X=e(0xC8000000, 6, 22, 4, 2), VOPD_Y=e(0xC8000000, 6, 17, 5, 2),
             DS=e(0xD8000000, 6, 18, 8, 2), MUBUF=e(0xC4000000, 6, 14, 7, 3, fixed=0x200000), MTBUF=e(0xC4200000, 6, 14, 7, 3, fixed=0x200000), MIMG=e(0xD0000000, 6, 14, 8, 3),
             VSAMPLE=e(0xE4000000, 6, 14, 8, 3), EXP=e(0xF8000000, 6, 0, 0, 2), FLAT=e(0xEC000000, 8, 14, 8, 3),
             SCRATCH=e(0xED000000, 8, 14, 8, 3), GLOBAL=e(0xEE000000, 8, 14, 8, 3))

ENCODINGS = {"gfx600": GFX6, "gfx700": GFX7, "gfx803": GFX8, "gfx900": GFX9, "gfx90c": GFX9, "gfx908": GFX9, "gfx90a": GFX9,
             "gfx942": GFX9, "gfx950": GFX950, "gfx1010": GFX10, "gfx1030": GFX10, "gfx1100": GFX11, "gfx1150": GFX11, "gfx1153": GFX11, "gfx1200": GFX12,
             "gfx1201": GFX12}


def words(encoding, number, fill=0):
    """Returns the instruction's words as one number: fixed bits, opcode, and `fill` in all other bits."""
    value = encoding.head
    mask = encoding.fixed
    for pos, bits in encoding.op:
        value |= (number & (1 << bits) - 1) << pos
        mask |= (1 << bits) - 1 << pos
        number >>= bits
    return value | fill & ~mask


LIMITS = {"SOP2": 0x60, "SOPK": 0x1D, "VOP2": 0x3E}  # numbers above belong to other encodings
VOP3P_OF_GFX9 = 0x380  # from this number on, VOP3's bits are VOP3P's prefix


def numbers(fmt, encoding):
    if fmt == "VOP3" and encoding is GFX9["VOP3"]:
        return VOP3P_OF_GFX9
    return LIMITS.get(fmt, 1 << sum(bits for _, bits in encoding.op))


def longest(cpu, code):
    """The largest size of an instruction that begins with `code`: a literal, DPP, SDWA, or addresses may follow."""
    first = int.from_bytes(code[:4], "little")
    if first >> 30 != 3:
        return 8
    if len(cpu) == 7 and cpu < "gfx11" and first >> 26 == 0x3C:
        return 8 + 4 * (first >> 1 & 3)
    return 12
