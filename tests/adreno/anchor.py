#!/usr/bin/env python3
"""Compares with Mesa's drivers: the words and texts of shaders that turnip-anchor or freedreno-anchor compiles.

    anchor.py --tool adreno_tool --anchor .../turnip-anchor --gpu 660 --gen 6 --driver 26 FILE.spv...
    anchor.py --tool adreno_tool --dumps FOLDER --gen 6 --driver 22

The words must have the driver's text, but for white space, and its text must be assembled to the words. Differences that are known are counted with
their reasons, others are printed and fail. Not part of the tests of a build, because it needs qemu and the drivers."""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

SAT = "(sat) stands before the destination since Mesa 23, but for comparisons and special functions"
ISAM = "isam has .1d if bit 18 is 0 since Mesa 24; a text without it means the bit is set"
FLOAT = "floats have six decimals until Mesa 25, which may be another number"
S8 = "type 7 of conversions is called s8 until Mesa 23"
INPUT = "flat.b and bary.f have (r) in place of (nopN) in Mesa 22"
NOT_CODE = re.compile(r"(;|@|Native|SIMD|l\d+:$|$)")


def run(tool, command, gen, lines):
    text = "".join(line + "\n" for line in lines)
    return subprocess.run([tool, command, gen], input=text, capture_output=True, text=True, check=True).stdout.splitlines()


def read_shader(path):
    """The pairs of words and texts; jumps to labels become distances."""
    with open(path + ".words", encoding="utf-8") as f:
        words = f.read().split()
    with open(path + ".asm", encoding="utf-8", errors="replace") as f:
        texts = [line for line in f.read().split("\n") if not NOT_CODE.match(line)]
    if len(words) != len(texts):
        raise ValueError(f"{path}: {len(words)} words, {len(texts)} texts")
    for i, text in enumerate(texts):
        texts[i] = re.sub(r"#l(\d+)", lambda m, i=i: f"#{int(m.group(1)) - i}", text.split("\t;")[0])
    return zip(words, texts)


def read_folder(folder):
    """The different pairs, each with a shader that has it, and the numbers of shaders and words."""
    pairs, n_shaders, n_words = {}, 0, 0
    for top, _, names in sorted(os.walk(folder)):
        for name in sorted(n[:-6] for n in names if n.endswith(".words")):
            shader = list(read_shader(os.path.join(top, name)))
            n_shaders += 1
            n_words += len(shader)
            pairs.update((pair, name) for pair in shader)
    return pairs, n_shaders, n_words


def plain(text):
    return re.sub(r"\s+", "", text)


def reason_of(text, ours):
    """Why the driver's text differs from ours; None if it should not."""
    if plain(text.replace("(sat)", "")) == plain(ours.replace("(sat)", "")):
        return SAT
    if plain(text) == plain(ours.replace(".1d", "")):
        return ISAM
    if plain(text.replace("s8", "u8_32")) == plain(ours):
        return S8
    if plain(text.replace("(r)", "")) == plain(re.sub(r"\(nop\d\)", "", ours)):
        return INPUT
    number = r"\((-?[\d.e+-]+)\)"
    if plain(re.sub(number, "", text.replace("(sat)", ""))) == plain(re.sub(number, "", ours.replace("(sat)", ""))):
        return FLOAT
    return None


def compare(options, folder):
    pairs, n_shaders, n_words = read_folder(folder)
    known, failed = collections.Counter(), []
    keys = list(pairs)
    ours = run(options.tool, "text", options.gen, [word for word, _ in keys])
    back = run(options.tool, "words", options.gen, [text for _, text in keys])
    for (word, text), our, again in zip(keys, ours, back, strict=True):
        if plain(our) == plain(text) and again == word:
            continue
        reason = reason_of(text, our) if options.driver == "22" else None
        if reason and (again == word or reason not in (SAT, S8, INPUT)):
            known[reason] += 1
        else:
            failed.append(f"{word} of {pairs[word, text]}: '{text}' is {again}, and the word is '{our}'")
    print("\n".join(failed[:50]))
    for reason, n in known.most_common():
        print(f"{n}: {reason}")
    print(f"{n_shaders} shaders, {n_words} words, {len(keys)} different: {len(keys) - len(failed) - sum(known.values())} equal, "
          f"{sum(known.values())} with a known difference, {len(failed)} others")
    return bool(failed) or not n_shaders


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--gen", required=True, help="3 to 8")
    parser.add_argument("--driver", choices=["22", "26"], default="26")
    parser.add_argument("--dumps", help="a folder with what --asm of the anchors writes")
    parser.add_argument("--anchor", help="the anchor's program")
    parser.add_argument("--gpu")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.dumps:
        return compare(options, options.dumps)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([options.anchor, "--gpu", options.gpu, "--json", "--asm", folder, *options.files], stdout=subprocess.DEVNULL, check=False)
        return compare(options, folder)


if __name__ == "__main__":
    sys.exit(main())
