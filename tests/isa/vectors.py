"""Vector files: lines `bytes text`, the bytes in hex in memory order; # begins a comment."""
import re

HEAD = """# gfx1030, wave64: bytes and text of instructions, tested in both directions. Every row of src/amd/isa/ops.def has vectors for each
# encoding, including SDWA, DPP16 and DPP8. Bytes and texts are llvm-mc 19's; tools/dev/isa_vectors.py adds missing ones.
"""

# Their texts have no suffix though they have two encodings.
NO_SUFFIX = ("v_nop", "v_pipeflush", "v_clrexcp")


def read(path):
    """Returns [(bytes in hex, text)]."""
    out = []
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            code, text = line.rstrip("\n").split(None, 1)
            out.append((code, text))
    return out


def key(code, text):
    """Returns (mnemonic without suffix, form); the form is e32, e64, sdwa, dpp16, dpp8 or plain."""
    name = text.split()[0]
    m = re.match(r"(\w+?)_(e32|e64|sdwa|dpp)$", name)
    if not m:
        if name in NO_SUFFIX:
            return name, "e32" if len(code) == 8 else "e64"
        return name, "plain"
    if m.group(2) == "dpp":
        return m.group(1), "dpp8" if "dpp8:" in text else "dpp16"
    return m.group(1), m.group(2)


def keys_of(row):
    """Returns the keys for which row (name, format, number, flags) must have vectors."""
    name, fmt, _ = row[:3]
    flags = row[3] if len(row) > 3 else ()
    keys = []
    both = fmt in ("VOP1", "VOP2", "VOPC", "VINTRP")
    if both:
        keys.append((name, "e32" if "E64" in flags else "plain"))
        lanes = "DPP" in flags and fmt != "VOPC"  # no LLVM has DPP of comparisons before gfx11
        keys += [(name, "sdwa")] * ("SDWA" in flags) + [(name, "dpp16"), (name, "dpp8")] * lanes
    elif fmt == "VOP3" and name in NO_SUFFIX:
        pass  # both encodings have the same text
    elif fmt == "VOP3" and "E64" in flags:
        keys.append((name, "e64"))
    else:
        keys.append((name, "plain"))
    return keys
