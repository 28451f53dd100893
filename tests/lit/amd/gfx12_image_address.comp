// REQUIRES: frontend
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1201 --emit select_program %s | %FileCheck --check-prefix=MIR %s

// gfx12 names each register of an image address, so it is no vector: two images read the same coordinates where they are. A constant is
// copied to a register.
// MIR: v4: %{{[0-9]+}} = image_load %[[X:[0-9]+]], %{{[0-9]+}}, %[[Y:[0-9]+]] nsa
// MIR: image_store %{{[0-9]+}}, %[[Y]], %{{[0-9]+}}, %[[X]] nsa
// MIR: v1: %[[Z:[0-9]+]] = p_parallelcopy 3
// MIR: v1: %{{[0-9]+}} = image_atomic_add %[[X]], %{{[0-9]+}}, %{{[0-9]+}}, %[[Y]], %[[Z]] glc nsa
// CHECK-NOT: v_mov_b32_e32 v{{[0-9]+}}, v
// CHECK: image_load v[{{[0-9:]+}}], [v[[X:[0-9]+]], v[[Y:[0-9]+]]]
// CHECK: image_store v[{{[0-9:]+}}], [v[[Y]], v[[X]]]
// CHECK: image_atomic_add_uint v{{[0-9]+}}, [v[[X]], v[[Y]], v{{[0-9]+}}]
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) readonly uniform image2D a;
layout(binding = 1, rgba8) writeonly uniform image2D b;
layout(binding = 2, r32ui) uniform uimage3D c;
layout(binding = 3) buffer D { uint d[]; };

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(b, at.yx, imageLoad(a, at));
    d[at.x] = imageAtomicAdd(c, ivec3(at, 3), 5u);
}
