// A compute shader as an AMDHSA kernel: LLVM's tools read its metadata and descriptor, and it loads its addresses from
// the kernarg segment.
// REQUIRES: frontend
// RUN: %heddle compile --abi hsa --wave-size 32 %s -o %t.elf
// RUN: %llvm/llvm-readelf --notes %t.elf | %FileCheck %s --check-prefix=NOTES
// RUN: %llvm/llvm-objdump -D --disassemble-symbols=main.kd %t.elf | %FileCheck %s --check-prefix=KD
// RUN: %llvm/llvm-objdump -d %t.elf | %FileCheck %s --check-prefix=CODE
// RUN: %heddle disasm %t.elf | %FileCheck %s --check-prefix=HEAD
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 2, binding = 1) buffer In { uint i[]; };
layout(push_constant) uniform Push { uint a, b[3]; };
shared uint s[64];

void main()
{
    uint t[40];
    for (int k = 0; k < 40; k++)
        t[k] = i[k] * k;
    s[gl_LocalInvocationIndex & 63] = t[i[gl_LocalInvocationIndex] % 40];
    barrier();
    o[gl_GlobalInvocationID.x] = t[i[gl_GlobalInvocationID.x] % 40] + gl_NumWorkGroups.y + gl_SubgroupID +
                                 b[gl_WorkGroupID.y] + s[gl_LocalInvocationIndex / 2];
}

// NOTES: .args:
// NOTES-NEXT: .address_space: global
// NOTES-NEXT: .name: set0
// NOTES-NEXT: .offset: 0
// NOTES-NEXT: .size: 8
// NOTES-NEXT: .value_kind: global_buffer
// NOTES: .name: set2
// NOTES-NEXT: .offset: 8
// NOTES: .name: push_constants
// NOTES-NEXT: .offset: 16
// NOTES-NEXT: .size: 16
// NOTES-NEXT: .value_kind: by_value
// NOTES-NEXT: .offset: 32
// NOTES-NEXT: .size: 4
// NOTES-NEXT: .value_kind: hidden_block_count_x
// NOTES-NEXT: .offset: 36
// NOTES: .value_kind: hidden_block_count_y
// NOTES-NEXT: .offset: 40
// NOTES: .kernarg_segment_align: 8
// NOTES-NEXT: .kernarg_segment_size: 48
// NOTES: .name: main
// NOTES: .reqd_workgroup_size:
// NOTES-NEXT: 128
// NOTES: .symbol: main.kd
// NOTES: .wavefront_size: 32

// The dispatcher sets the LDS size: .amdhsa_group_segment_fixed_size is the descriptor's field, not RSRC2's.
// KD: .amdhsa_kernel main
// KD-NEXT: .amdhsa_group_segment_fixed_size 256
// KD-NEXT: .amdhsa_private_segment_fixed_size 160
// KD-NEXT: .amdhsa_kernarg_size 48
// KD: .amdhsa_system_sgpr_private_segment_wavefront_offset 1
// KD: .amdhsa_system_sgpr_workgroup_id_x 1
// KD: .amdhsa_system_sgpr_workgroup_id_y 1
// KD: .amdhsa_system_sgpr_workgroup_id_z 0
// KD: .amdhsa_system_sgpr_workgroup_info 1
// KD: .amdhsa_user_sgpr_private_segment_buffer 0
// KD: .amdhsa_user_sgpr_kernarg_segment_ptr 1
// KD: .amdhsa_user_sgpr_flat_scratch_init 1
// KD: .amdhsa_wavefront_size32 1

// s[0:1] kernarg, s[2:3] scratch, s[4:5] workgroup id x and y, s6 TG_SIZE, s7 the wave's scratch.
// CODE: s_add_u32 s2, s2, s7
// CODE: s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s2
// CODE-DAG: s_load_dwordx2 s[{{[0-9:]+}}], s[0:1], null
// CODE-DAG: s_load_dwordx2 s[{{[0-9:]+}}], s[0:1], 0x8
// CODE-DAG: s_bfe_u32 s{{[0-9]+}}, s6, 0x50014

// HEAD: // main: target gfx1030, hsa, wave32
