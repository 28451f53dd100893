#!/usr/bin/env python3
"""Reads an object of clang's R600 target and writes its kernels as text, for test_kernels.c: a line "kernel NAME GPRS STACK LDS WORDS", then
the words of the kernel in hexadecimal, which starts at its symbol. The registers are those of .AMDGPU.config, three pairs a kernel in the
order of the code: SQ_PGM_RESOURCES_LS (registers in bits 0 to 7, stack in 8 to 15), DB_SHADER_CONTROL, SQ_LDS_ALLOC."""
import struct
import sys


def main():
    data = open(sys.argv[1], "rb").read()
    header = struct.unpack_from("<HHIIIIIHHHHHH", data, 16)
    offset, size, n, names_at = header[5], header[10], header[11], header[12]
    raw = [struct.unpack_from("<10I", data, offset + i * size) for i in range(n)]
    text = lambda table, at: data[table[4] + at:data.index(b"\0", table[4] + at)].decode()
    sections = {text(raw[names_at], s[0]): s for s in raw}
    code, config = sections[".text"], sections[".AMDGPU.config"]
    symbols, strings = sections[".symtab"], sections[".strtab"]
    starts = {}
    for at in range(symbols[4], symbols[4] + symbols[5], 16):
        name, value, length, info, _, section = struct.unpack_from("<IIIBBH", data, at)
        if section == raw.index(code) and info & 15 == 2 and info >> 4 == 1:
            starts[value] = (text(strings, name), length)
    pairs = struct.unpack_from(f"<{config[5] // 4}I", data, config[4])
    out = []
    for k, (start, (name, length)) in enumerate(sorted(starts.items())):
        values = dict(zip(pairs[k * 6:k * 6 + 6:2], pairs[k * 6 + 1:k * 6 + 6:2]))
        resources, lds = values[0x288d4], values[0x288e8]
        words = struct.unpack_from(f"<{length // 4}I", data, code[4] + start)
        out.append(f"kernel {name} {resources & 0xff} {resources >> 8 & 0xff} {lds * 4} {len(words)}")
        out += [f"{w:08x}" for w in words]
    open(sys.argv[2], "w", encoding="utf-8").write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
