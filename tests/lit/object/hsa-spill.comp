// A kernel that needs scratch only for spilling gets the registers for it.
// REQUIRES: frontend
// RUN: env HEDDLE_DEBUG=vgprs=16 %heddle compile --abi hsa %s -o %t.elf
// RUN: %llvm/llvm-objdump -D --disassemble-symbols=main.kd %t.elf | %FileCheck %s --check-prefix=KD
// RUN: %llvm/llvm-objdump -d %t.elf | %FileCheck %s --check-prefix=CODE
// RUN: %heddle compile --abi hsa %s -o %t.elf
// RUN: %llvm/llvm-objdump -D --disassemble-symbols=main.kd %t.elf | %FileCheck %s --check-prefix=NONE
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { vec4 o[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec4 a = o[i], b = o[i + 1], c = o[i + 2], d = o[i + 3], e = o[i + 4];
    for (int k = 0; k < 10; k++) { a = a * b + c; b = b * c + d; c = c * d + e; d = d * e + a; e = e * a + b; o[k] = a; }
    o[i] = a; o[i + 1] = b; o[i + 2] = c; o[i + 3] = d; o[i + 4] = e;
}

// KD: .amdhsa_private_segment_fixed_size {{[1-9]}}
// KD: .amdhsa_system_sgpr_private_segment_wavefront_offset 1
// KD: .amdhsa_user_sgpr_kernarg_segment_ptr 1
// KD: .amdhsa_user_sgpr_flat_scratch_init 1
// s[0:1] kernarg, s[2:3] scratch, s4 workgroup id x, s5 the wave's scratch.
// CODE: s_add_u32 s2, s2, s5
// CODE: s_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s3
// CODE: scratch_store_dword
// NONE: .amdhsa_private_segment_fixed_size 0
// NONE: .amdhsa_system_sgpr_private_segment_wavefront_offset 0
// NONE: .amdhsa_user_sgpr_flat_scratch_init 0
