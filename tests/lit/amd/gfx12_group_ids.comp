// REQUIRES: frontend
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1201 --wave-size 32 --abi hsa --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --emit lower_abi %s | %FileCheck --check-prefix=HIR %s

// Nothing asks for z, so y needs no mask. RSRC2 enables what is used alone: 9:7 are 2.
// HIR: arg: kind=workgroup_id index=1
// HIR-NOT: arg: kind=workgroup_id
// CHECK: rsrc {{0x[0-9a-f]+ 0x[0-9a-f]+[159d][0-7][0-9a-f] }}
// CHECK-NOT: 0xffff
// CHECK: v_lshl_add_u32 v{{[0-9]+}}, ttmp7, 6, v{{[0-9]+}}
#version 450
layout(local_size_y = 64) in;
layout(binding = 0) buffer B { uint a[]; };

void main()
{
    a[gl_GlobalInvocationID.y] = 7;
}
