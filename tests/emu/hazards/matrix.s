## Wait states of matrix instructions and dot products: gfx908, gfx90a, gfx942, gfx950. See test_hazards.c.
## Passes: 4x4 2, 16x16 8, 32x32 16 (gfx942: 16x16x16 of f16 4); f64 4x4 4, 16x16 8 (gfx950: 16).

# rule ExecMfma
# gens gfx908 gfx90a
# bad
v_cmpx_eq_u32 vcc, v0, v1
s_nop 2
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
# good
v_cmpx_eq_u32 vcc, v0, v1
s_nop 3
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]

# rule ExecMfma
# gens gfx942 gfx950
# bad
v_cmpx_eq_u32 vcc, v0, v1
s_nop 2
v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]
# good
v_cmpx_eq_u32 vcc, v0, v1
s_nop 3
v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]

# rule ValuMfma
# gens gfx908 gfx90a
# bad
v_mov_b32 v0, v2
s_nop 0
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
# good
v_mov_b32 v0, v2
s_nop 1
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
# good
v_mov_b32 v3, v2
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]

# rule ValuMfma
# gens gfx908
# bad
v_mov_b32 v0, v2
v_accvgpr_write_b32 a0, v0
# good
v_mov_b32 v0, v2
s_nop 1
v_accvgpr_write_b32 a0, v0

# rule ValuMfma
# gens gfx942 gfx950
# bad
v_mov_b32 v0, v2
s_nop 0
v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]
# good
v_mov_b32 v0, v2
s_nop 1
v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]

# rule MfmaMfmaC
# gens gfx908
# bad
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
s_nop 0
v_mfma_f32_4x4x1f32 a[16:19], v0, v1, a[4:7]
# good
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
s_nop 1
v_mfma_f32_4x4x1f32 a[16:19], v0, v1, a[4:7]
# good
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
v_mfma_f32_16x16x1f32 a[0:15], v2, v3, a[0:15]

# rule MfmaMfmaC
# gens gfx90a
# bad
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
s_nop 0
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
# bad
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
s_nop 6
v_mfma_f32_4x4x1f32 a[16:19], v0, v1, a[4:7]
# bad
v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]
s_nop 7
s_nop 6
v_mfma_f32_4x4x1f32 a[32:35], v0, v1, a[4:7]
# bad
v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], a[0:1]
s_nop 2
v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], a[0:1]
# bad
v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]
s_nop 7
v_mfma_f64_4x4x4f64 a[8:9], v[0:1], v[2:3], a[2:3]
# good
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
s_nop 7
v_mfma_f32_4x4x1f32 a[16:19], v0, v1, a[4:7]
# good
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
v_mfma_f32_16x16x1f32 a[0:15], v2, v3, a[0:15]
# good
v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]
v_mfma_f64_16x16x4f64 a[0:7], v[4:5], v[6:7], a[0:7]
# good
v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], a[0:1]
s_nop 3
v_mfma_f64_4x4x4f64 a[0:1], v[0:1], v[2:3], a[0:1]

# rule MfmaMfmaC
# gens gfx942 gfx950
# bad
v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]
s_nop 0
v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]
# bad
v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]
s_nop 3
v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]
# bad
v_mfma_f32_32x32x4_2b_f16 a[0:31], v[0:1], v[2:3], a[0:31]
s_nop 7
s_nop 7
v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]
# bad
v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[0:15]
s_nop 7
s_nop 6
v_mfma_f32_16x16x4_f32 a[0:3], v0, v1, a[0:3]
# good
v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]
s_nop 1
v_mfma_f32_4x4x1_16b_f32 a[0:3], v0, v1, a[0:3]
# good
v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]
v_mfma_f32_32x32x8_f16 a[0:15], v[4:5], v[6:7], a[0:15]
# good
v_mfma_f32_32x32x2_f32 a[0:15], v0, v1, a[0:15]
v_mfma_f32_16x16x16_f16 a[0:3], v[2:3], v[4:5], a[0:3]

# rule MfmaMfmaAB
# gens gfx908
# bad
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
s_nop 2
v_mfma_f32_4x4x1f32 a[4:7], a1, v1, a[4:7]
# good
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
s_nop 3
v_mfma_f32_4x4x1f32 a[4:7], a1, v1, a[4:7]

# rule MfmaMfmaAB
# gens gfx90a
# bad
v_mfma_f32_4x4x1f32 v[0:3], v8, v9, v[0:3]
s_nop 3
v_mfma_f32_4x4x1f32 v[4:7], v1, v8, v[4:7]
# bad
v_mfma_f32_16x16x1f32 v[0:15], v16, v17, v[0:15]
s_nop 7
s_nop 1
v_mfma_f32_4x4x1f32 v[20:23], v1, v16, v[20:23]
# bad
v_mfma_f32_32x32x1f32 v[0:31], v32, v33, v[0:31]
s_nop 7
s_nop 7
s_nop 1
v_mfma_f32_4x4x1f32 v[36:39], v1, v32, v[36:39]
# bad
v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
s_nop 4
v_mfma_f64_4x4x4f64 v[6:7], v[0:1], v[4:5], v[6:7]
# good
v_mfma_f32_4x4x1f32 v[0:3], v8, v9, v[0:3]
s_nop 4
v_mfma_f32_4x4x1f32 v[4:7], v1, v8, v[4:7]
# good
v_mfma_f32_32x32x1f32 v[0:31], v32, v33, v[0:31]
s_nop 7
s_nop 7
s_nop 2
v_mfma_f32_4x4x1f32 v[36:39], v1, v32, v[36:39]

# rule MfmaMfmaAB
# gens gfx942 gfx950
# bad
v_mfma_f32_4x4x1_16b_f32 v[0:3], v8, v9, v[0:3]
s_nop 2
v_mfma_f32_4x4x1_16b_f32 v[4:7], v1, v8, v[4:7]
# bad
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]
s_nop 5
v_mfma_f32_16x16x16_f16 v[4:7], v[0:1], v[10:11], v[4:7]
# good
v_mfma_f32_4x4x1_16b_f32 v[0:3], v8, v9, v[0:3]
s_nop 3
v_mfma_f32_4x4x1_16b_f32 v[4:7], v1, v8, v[4:7]

# rule MfmaMfmaC
# gens gfx942
# good
v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]
s_nop 4
v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]

# rule MfmaMfmaC
# gens gfx950
# bad
v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]
s_nop 4
v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]
# good
v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]
s_nop 5
v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]

# rule MfmaMfmaAB
# gens gfx942
# good
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]
s_nop 6
v_mfma_f32_16x16x16_f16 v[4:7], v[0:1], v[10:11], v[4:7]

# rule MfmaMfmaAB
# gens gfx950
# bad
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]
s_nop 6
v_mfma_f32_16x16x16_f16 v[4:7], v[0:1], v[10:11], v[4:7]
# good
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]
s_nop 7
v_mfma_f32_16x16x16_f16 v[4:7], v[0:1], v[10:11], v[4:7]
# bad
v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7]
s_nop 7
s_nop 7
s_nop 1
v_mfma_f64_16x16x4_f64 v[12:19], v[0:1], v[10:11], v[12:19]
# good
v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7]
s_nop 7
s_nop 7
s_nop 2
v_mfma_f64_16x16x4_f64 v[12:19], v[0:1], v[10:11], v[12:19]

# rule MfmaAccRead
# gens gfx908
# bad
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
s_nop 2
v_accvgpr_read_b32 v2, a1
# bad
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]
s_nop 7
s_nop 0
v_accvgpr_read_b32 v2, a1
# bad
v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]
s_nop 7
s_nop 7
s_nop 0
v_accvgpr_read_b32 v2, a1
# good
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
s_nop 3
v_accvgpr_read_b32 v2, a1
# good
v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]
s_nop 7
s_nop 7
s_nop 1
v_accvgpr_read_b32 v2, a1

# rule MfmaAccWrite
# gens gfx908
# bad
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[16:31]
s_nop 5
v_accvgpr_write_b32 a1, v2
# good
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[16:31]
s_nop 6
v_accvgpr_write_b32 a1, v2

# rule MfmaAccWriteC
# gens gfx908
# bad
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[16:31]
s_nop 3
v_accvgpr_write_b32 a17, v2
# good
v_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[16:31]
s_nop 4
v_accvgpr_write_b32 a17, v2
# good
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[16:19]
v_accvgpr_write_b32 a17, v2

# rule AccWriteMfmaC
# gens gfx908
# bad
v_accvgpr_write_b32 a1, v2
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
# good
v_accvgpr_write_b32 a1, v2
s_nop 0
v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]

# rule AccWriteMfmaAB
# gens gfx908
# bad
v_accvgpr_write_b32 a8, v2
s_nop 1
v_mfma_f32_4x4x1f32 a[0:3], a8, v1, a[0:3]
# good
v_accvgpr_write_b32 a8, v2
s_nop 2
v_mfma_f32_4x4x1f32 a[0:3], a8, v1, a[0:3]

# rule AccWriteAccRead
# gens gfx908
# bad
v_accvgpr_write_b32 a8, v2
s_nop 1
v_accvgpr_read_b32 v3, a8
# good
v_accvgpr_write_b32 a8, v2
s_nop 2
v_accvgpr_read_b32 v3, a8

# rule AccReadMemory
# gens gfx908
# bad
v_accvgpr_read_b32 v3, a8
s_nop 0
ds_write_b32 v0, v3
# good
v_accvgpr_read_b32 v3, a8
s_nop 1
ds_write_b32 v0, v3

# rule ValuAccMemory
# gens gfx908
# bad
v_mov_b32 v3, v4
v_accvgpr_read_b32 v5, a8
ds_write_b32 v0, v3
# good
v_mov_b32 v3, v4
v_accvgpr_read_b32 v5, a8
s_nop 0
ds_write_b32 v0, v3
# good
v_mov_b32 v3, v4
ds_write_b32 v0, v3

# rule MfmaValu
# gens gfx90a
# bad
v_mfma_f32_4x4x1f32 v[0:3], v8, v9, v[0:3]
s_nop 3
v_mov_b32 v4, v1
# bad
v_mfma_f32_16x16x1f32 v[0:15], v16, v17, v[0:15]
s_nop 7
s_nop 1
v_mov_b32 v1, 0
# bad
v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
s_nop 4
v_mov_b32 v6, v1
# good
v_mfma_f32_4x4x1f32 v[0:3], v8, v9, v[0:3]
s_nop 4
v_mov_b32 v4, v1
# good
v_mfma_f32_4x4x1f32 v[0:3], v8, v9, v[0:3]
v_mov_b32 v4, v5

# rule MfmaValu
# gens gfx942 gfx950
# bad
v_mfma_f32_16x16x4_f32 v[0:3], v8, v9, v[0:3]
s_nop 7
s_nop 0
v_mov_b32 v4, v1
# good
v_mfma_f32_16x16x4_f32 v[0:3], v8, v9, v[0:3]
s_nop 7
s_nop 1
v_mov_b32 v4, v1

# rule MfmaMemory
# gens gfx90a
# bad
v_mfma_f32_4x4x1f32 v[0:3], v8, v9, v[0:3]
s_nop 3
ds_write_b32 v4, v1
# bad
v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
s_nop 7
ds_write_b64 v4, v[0:1]
# bad
v_mfma_f64_16x16x4f64 v[0:7], v[8:9], v[10:11], v[0:7]
s_nop 7
s_nop 7
s_nop 0
global_store_dword v12, v0, s[0:1]
# good
v_mfma_f64_16x16x4f64 v[0:7], v[8:9], v[10:11], v[0:7]
s_nop 7
s_nop 7
s_nop 1
global_store_dword v12, v0, s[0:1]

# rule MfmaMemory
# gens gfx942 gfx950
# bad
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]
s_nop 5
ds_write_b32 v4, v1

# rule MfmaMemory
# gens gfx942
# good
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]
s_nop 6
ds_write_b32 v4, v1

# rule MfmaMemory
# gens gfx950
# bad
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]
s_nop 6
ds_write_b32 v4, v1
# good
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]
s_nop 7
ds_write_b32 v4, v1
# bad
v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:15], v[16:23], v[0:3]
s_nop 7
s_nop 2
ds_write_b32 v4, v1
# good
v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:15], v[16:23], v[0:3]
s_nop 7
s_nop 3
ds_write_b32 v4, v1
# bad
v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:11], v[16:19], v[0:3] cbsz:4 blgp:4
s_nop 6
ds_write_b32 v4, v1
# good
v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[8:11], v[16:19], v[0:3] cbsz:4 blgp:4
s_nop 7
ds_write_b32 v4, v1

# rule MfmaValuWar
# gens gfx90a
# bad
v_mfma_f32_16x16x1f32 v[0:15], v32, v33, v[16:31]
s_nop 5
v_mov_b32 v17, 0
# good
v_mfma_f32_16x16x1f32 v[0:15], v32, v33, v[16:31]
s_nop 6
v_mov_b32 v17, 0

# rule MfmaValuWar
# gens gfx942 gfx950
# bad
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[4:7]
s_nop 1
v_mov_b32 v5, 0
# good
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[4:7]
s_nop 2
v_mov_b32 v5, 0
# good
v_mfma_f32_16x16x4_f32 v[0:3], v8, v9, v[4:7]
v_mov_b32 v5, 0

# rule DotForwarding
# gens gfx90a gfx942 gfx950
# bad
v_dot2_f32_f16 v0, v1, v2, v3
s_nop 1
v_mov_b32 v4, v0
# bad
v_dot2_f32_f16 v0, v1, v2, v3
v_dot2_f32_f16 v4, v0, v2, v3
# bad
v_dot2_f32_f16 v0, v1, v2, v3
s_nop 1
v_mov_b32 v0, 0
# bad
v_dot2_f32_f16 v0, v1, v2, v3
s_nop 1
ds_write_b32 v4, v0
# good
v_dot2_f32_f16 v0, v1, v2, v3
s_nop 2
v_mov_b32 v4, v0
# good
v_dot2_f32_f16 v0, v1, v2, v3
v_dot2_f32_f16 v0, v1, v2, v0

# rule DgemmFma
# gens gfx90a
# bad
v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
s_nop 0
v_fma_f64 v[6:7], v[8:9], v[10:11], v[12:13]
# good
v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
s_nop 1
v_fma_f64 v[6:7], v[8:9], v[10:11], v[12:13]

# rule DgemmFma
# gens gfx942 gfx950
# bad
v_mfma_f64_4x4x4_4b_f64 v[0:1], v[2:3], v[4:5], v[0:1]
s_nop 0
v_fma_f64 v[6:7], v[8:9], v[10:11], v[12:13]
# good
v_mfma_f64_4x4x4_4b_f64 v[0:1], v[2:3], v[4:5], v[0:1]
s_nop 1
v_fma_f64 v[6:7], v[8:9], v[10:11], v[12:13]

# rule ValuDgemmMemory
# gens gfx90a
# bad
v_mov_b32 v16, v17
v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
ds_write_b32 v18, v16
# good
v_mov_b32 v16, v17
v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
s_nop 0
ds_write_b32 v18, v16
# good
v_mov_b32 v16, v17
ds_write_b32 v18, v16
