// An SGPR that a vector instruction has read is written by the scalar ALU and read too early.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
main:
	v_mov_b32 v1, s4
	s_mov_b32 s4, 0
	v_mov_b32 v2, s4
	s_endpgm
	.amdhsa_kernel main
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
