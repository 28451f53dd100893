#!/usr/bin/env python3
"""What DPP and SDWA may not be: each line of FORMS is accepted or refused on each target as llvm-mc does it.

dpp_sdwa.py --heddle PROGRAM --llvm-mc PROGRAM. The last line is "N passed, N failed, N skipped".
"""
import argparse
import subprocess
import sys

TARGETS = ["gfx803", "gfx900", "gfx908", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"]
DPP = "row_mask:0xf bank_mask:0xf"
SELECT, SELECTS = "src0_sel:DWORD", "src0_sel:DWORD src1_sel:DWORD"
PAD = "dst_sel:BYTE_0 dst_unused:UNUSED_PAD"
FORMS = [
    *(f"v_mov_b32_dpp v0, v1 {how} {DPP}" for how in (
        "row_newbcast:1", "row_bcast:15", "row_bcast:16", "wave_shl:1", "wave_shl:2", "row_share:1", "row_share:16", "row_xmask:1", "row_shr:1",
        "row_shr:0", "row_mirror", "row_half_mirror", "quad_perm:[0,1,2,3]", "quad_perm:[0,1,2,4]")),
    f"v_mov_b32_dpp v0, v1 row_shr:1 {DPP} fi:1",
    "v_mov_b32_dpp v0, v1 dpp8:[0,1,2,3,4,5,6,7]",
    "v_add_f32_dpp v0, v1, v2 dpp8:[0,1,2,3,4,5,6,7]",
    "v_add_f32_dpp v0, v1, v2 dpp8:[0,1,2,3,4,5,6,8]",
    f"v_add_f32_dpp v0, v1, s1 row_shr:1 {DPP}",
    f"v_add_f32_dpp v0, s1, v1 row_shr:1 {DPP}",
    f"v_add_f32_dpp v0, v1, 1.0 row_shr:1 {DPP}",
    f"v_readfirstlane_b32_dpp s0, v1 row_shr:1 {DPP}",
    # numbers of 64 bits
    *(f"{op} {how} {DPP}" for how in ("row_shr:1", "row_newbcast:1") for op in (
        "v_ceil_f64_dpp v[0:1], v[2:3]", "v_cvt_f32_f64_dpp v0, v[2:3]", "v_cvt_f64_i32_dpp v[0:1], v2", "v_mov_b64_dpp v[0:1], v[2:3]",
        "v_fmac_f64_dpp v[0:1], v[2:3], v[4:5]")),
    # VOP3 with DPP
    *(f"v_fma_f32_e64_dpp v0, v1, {rest} row_shr:1 {DPP}" for rest in ("v2, v3", "v2, s3", "s2, v3", "s2, s3", "1.0, v3", "v2, 0x12345")),
    f"v_mul_lo_u32_e64_dpp v0, v1, v2 row_shr:1 {DPP}",
    f"v_madak_f32_dpp v0, v1, v2, 0x11 row_shr:1 {DPP}",
    f"v_dot2c_f32_f16_dpp v0, v1, v2 row_shr:1 {DPP}",
    # SDWA
    f"v_mov_b32_sdwa v0, s1 {PAD} {SELECT}",
    f"v_mov_b32_sdwa v0, 1.0 {PAD} {SELECT}",
    *(f"v_add_f32_sdwa v0, {sources} {PAD} {SELECTS}" for sources in ("s1, v1", "v1, s1", "s1, s2", "s1, s1", "1.0, v1", "0x1234, v1")),
    f"v_mul_f32_sdwa v0, v1, v2 mul:2 {PAD} {SELECTS}",
    f"v_cmp_eq_f32_sdwa vcc, v1, v2 {SELECTS}",
    f"v_cmp_eq_f32_sdwa s[2:3], v1, v2 {SELECTS}",
    f"v_cvt_f64_i32_sdwa v[0:1], v2 dst_sel:DWORD dst_unused:UNUSED_PAD {SELECT}",
    f"v_cvt_f32_i32_sdwa v0, v1 clamp {PAD} {SELECT}",
    f"v_madak_f32_sdwa v0, v1, v2, 0x11 {PAD} {SELECTS}",
    f"v_readfirstlane_b32_sdwa s0, v1 {SELECT}",
]


def accepts(command, text):
    return subprocess.run(command, input=text + "\n", capture_output=True, text=True, timeout=60, check=False).returncode == 0


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--heddle", required=True)
    p.add_argument("--llvm-mc", required=True)
    options = p.parse_args()
    passed = failed = 0
    for target in TARGETS:
        wave64 = ["-mattr=+wavefrontsize64,-wavefrontsize32"] if target.startswith("gfx1") else []
        for text in FORMS:
            theirs = accepts([options.llvm_mc, "-triple=amdgcn", f"-mcpu={target}", *wave64], text)
            ours = accepts([options.heddle, "asm", "-t", target, "--wave-size", "64", "--emit", "bin", "-o", "/dev/null", "-"], text)
            passed, failed = passed + (ours == theirs), failed + (ours != theirs)
            if ours != theirs:
                print(f"{target}: {text}: {'accepted, refused' if ours else 'refused, accepted'} by llvm-mc")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
