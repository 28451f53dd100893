// clang's output from version 20 on: a kernel's values are expressions of its functions' resources, which are defined later.
// RUN: %heddle asm --emit obj %s -o %t.co
// RUN: %heddle disasm --object %t.co | %FileCheck %s
// RUN: %heddle disasm --object %t.co > %t.s
// RUN: %heddle asm --emit obj %t.s -o %t.again.co
// RUN: llvm-objcopy -O binary --only-section=.text --only-section=.text.callee --only-section=.rodata %t.co %t.bin
// RUN: llvm-objcopy -O binary --only-section=.text --only-section=.text.callee --only-section=.rodata %t.again.co %t.again.bin
// RUN: cmp %t.bin %t.again.bin
// RUN: %heddle run %t.co --kernel main --arg buf:count=1 --group 1 --expect 0:values=42
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 6
	.section	.text.callee,"axG",@progbits,callee,comdat
	.hidden	callee
	.weak	callee
	.p2align	2
	.type	callee,@function
callee:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_mov_b32 v20, 42
	s_setpc_b64 s[30:31]
.Lfunc_end0:
	.size	callee, .Lfunc_end0-callee
	.set callee.num_vgpr, max(21, amdgpu.max_num_vgpr)
	.set callee.num_agpr, max(0, amdgpu.max_num_agpr)
	.set callee.numbered_sgpr, 32
	.set callee.private_seg_size, 0
	.set callee.uses_vcc, 1
	.set callee.uses_flat_scratch, 0
	.set callee.has_dyn_sized_stack, 0
	.set callee.has_recursion, 0
	.text
	.protected	main
	.globl	main
	.p2align	8
	.type	main,@function
main:
	s_load_b64 s[0:1], s[0:1], 0x0
	s_getpc_b64 s[2:3]
	s_add_u32 s2, s2, callee@rel32@lo+4
	s_addc_u32 s3, s3, callee@rel32@hi+12
	s_swappc_b64 s[30:31], s[2:3]
	v_mov_b32 v0, 0
	s_waitcnt lgkmcnt(0)
	global_store_b32 v0, v20, s[0:1]
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel main
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size main.private_seg_size
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack ((59736|main.has_dyn_sized_stack)>>11)&1
		.amdhsa_enable_private_segment (((((alignto(main.private_seg_size*32, 1024))/1024)>0)||(main.has_dyn_sized_stack|main.has_recursion))|5020)&1
		.amdhsa_next_free_vgpr max(totalnumvgprs(main.num_agpr, main.num_vgpr), 1, 0)
		.amdhsa_next_free_sgpr max(main.numbered_sgpr+(extrasgprs(main.uses_vcc, main.uses_flat_scratch, 1)), 1, 0)-(extrasgprs(main.uses_vcc, main.uses_flat_scratch, 1))
		.amdhsa_reserve_vcc main.uses_vcc
		.amdhsa_inst_pref_size ((instprefsize(.Lfunc_end1-main)<<4)&1008)>>4
	.end_amdhsa_kernel
	.amdhsa_kernel large
		.amdhsa_next_free_vgpr 1
		.amdhsa_next_free_sgpr 1
		.amdhsa_inst_pref_size instprefsize(.Lfunc_end2-large)
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.size	main, .Lfunc_end1-main
	.set main.num_vgpr, max(1, callee.num_vgpr)
	.set main.num_agpr, max(0, callee.num_agpr)
	.set main.numbered_sgpr, max(33, callee.numbered_sgpr)
	.set main.private_seg_size, 0+(max(callee.private_seg_size))
	.set main.uses_vcc, or(0, callee.uses_vcc)
	.set main.uses_flat_scratch, or(0, callee.uses_flat_scratch)
	.set main.has_dyn_sized_stack, or(0, callee.has_dyn_sized_stack)
	.set main.has_recursion, or(1, callee.has_recursion)
	.p2align 8
	.globl large
	.type large,@function
large:
	.fill 3000, 4, 0xbf800000
	s_endpgm
.Lfunc_end2:
	.size	large, .Lfunc_end2-large
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 27
	.set amdgpu.max_num_agpr, 0
	.text
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space: global
        .offset: 0
        .size: 8
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 1024
    .name: main
    .private_segment_fixed_size: 0
    .sgpr_count: 35
    .symbol: main.kd
    .vgpr_count: 27
    .wavefront_size: 32
  - .args: []
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 4
    .kernarg_segment_size: 0
    .max_flat_workgroup_size: 1024
    .name: large
    .private_segment_fixed_size: 0
    .sgpr_count: 1
    .symbol: large.kd
    .vgpr_count: 1
    .wavefront_size: 32
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.version: [1, 2]
...
	.end_amdgpu_metadata
// CHECK-LABEL: .amdhsa_kernel main
// CHECK: .amdhsa_uses_dynamic_stack 1
// CHECK: .amdhsa_enable_private_segment 1
// CHECK: .amdhsa_next_free_vgpr 32
// CHECK: .amdhsa_inst_pref_size 1
// CHECK-LABEL: .amdhsa_kernel large
// CHECK: .amdhsa_inst_pref_size 63
