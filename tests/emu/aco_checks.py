"""Runs the hazards and waits checkers over ACO's code, which tests/isa/aco_code.py compiles.

`straight` follows each path of a program (straight.c describes its limits). FINDINGS lists the expected findings and which side is
right.
"""
import re
import subprocess

LINE = re.compile(r"^(?:\t\S.*?| {40,})\s*; ((?:[0-9a-f]{8} ?)+)$|^\t\(then repeated (\d+) times\)$", re.M)

MANY = 200  # from this number of programs on, each row of FINDINGS must occur

# Families, a pattern of the finding, the reason. Mesa is version 22.3.
FINDINGS = [
    ("GFX1100", r"hazards: VALUMaskWriteHazard(VALU)?: ",
     "the checker: Mesa learnt later what the scalar ALU must not write, and later still what vector instructions must not (aco_insert_NOPs.cpp)"),
    ("GFX1100", r"`s_sendmsg sendmsg\(MSG_DEALLOC_VGPRS\)`: hazards: DeallocVgprsNop: ", "the checker: later Mesa and LLVM put an s_nop there"),
    ("GFX1100", r"`v_\S+ v\d+, [^`]*`: waits: v\d+ is overwritten, but `ds_load_",
     "the checker: the other lanes of a divergent if write the register. Mesa waits there since it found that from gfx11 on the ALU must not "
     "write the lanes that a load leaves alone (aco_insert_waitcnt.cpp)"),
]


def to_code(text):
    """Returns the bytes of a disassembly."""
    out = [b""]
    for words, again in LINE.findall(text):
        out += [out[-1]] * int(again) if again else [b"".join(int(w, 16).to_bytes(4, "little") for w in words.split())]
    return b"".join(out)


def programs(outputs):
    """Returns [(name, wave size, bytes)] of the programs that radv-anchor printed."""
    out = []
    name, wave = "?", "64"
    for part in re.split(r"^(?=\S.*  \[|  \S.* subgroup size )", "\n".join(outputs), flags=re.M):
        if part[:1].strip():
            name = part.split("  [")[0].split("/")[-1].replace(" ", "_")
        wave = (re.search(r"subgroup size (\d+)", part) or [0, wave])[1]
        code = to_code(part)
        if code:
            out.append((name, wave, code))
    return out


def check(straight, family, target, outputs):
    """Returns a summary and the unexpected findings; with many programs also the rows of FINDINGS that did not occur."""
    made = programs(outputs)
    text = "".join(f"{target} {wave} {k}:{name} {code.hex()}\n" for k, (name, wave, code) in enumerate(made))
    run = subprocess.run([straight], input=text, capture_output=True, text=True)
    closed = re.findall(r": (\d+) instructions, (\d+) paths, \d+ findings$", run.stdout, flags=re.M)
    wrong, met = [], {pattern: 0 for families, pattern, _ in FINDINGS if family in families.split()}
    for line in run.stdout.splitlines():
        if line.endswith(" findings"):
            continue
        found = next((pattern for pattern in met if re.search(pattern, line)), None)
        if found:
            met[found] += 1
        else:
            wrong.append(line)
    if run.returncode or len(closed) != len(made) or not made:
        wrong.append(f"the checkers went through {len(closed)} of {len(made)} programs")
    if len(made) >= MANY:
        wrong += [f"nothing is found that '{pattern}' expects" for pattern, n in met.items() if not n]
    done = f"{len(made)} programs, {sum(int(n) for n, _ in closed)} instructions on {sum(int(p) for _, p in closed)} paths through the " \
           f"checkers, {sum(met.values())} expected findings, {len(wrong)} others"
    return done, wrong
