#version 460
// RUN: %heddle compile -t a750 --emit hir --target-env vulkan1.2 %s | %FileCheck %s
// RUN: %heddle compile -t a750 --emit asm --target-env vulkan1.2 %s | %FileCheck %s --check-prefix=ASM
// RUN: not %heddle compile -t a660 --target-env vulkan1.2 %s 2>&1 | %FileCheck %s --check-prefix=LACKS
// A ray query is a loop around ray_intersect; what is not asked for has no code. Indices are loaded behind the loop.
#extension GL_EXT_ray_query : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer B { uint v[]; } b;
void main()
{
    rayQueryEXT q;
    rayQueryInitializeEXT(q, scene, gl_RayFlagsOpaqueEXT, 0xff, vec3(gl_GlobalInvocationID), 0.0, vec3(0, 0, 1), 9.0);
    while (rayQueryProceedEXT(q)) {}
    if (rayQueryGetIntersectionTypeEXT(q, true) == gl_RayQueryCommittedIntersectionTriangleEXT)
        b.v[gl_GlobalInvocationID.x] = rayQueryGetIntersectionInstanceCustomIndexEXT(q, true);
}
// CHECK: %[[HANDLE:[0-9]+]] = @vulkan_resource_index {{.*}}desc_type=accel
// CHECK: %[[AT:[0-9]+]] = @load_accel_struct (%[[HANDLE]])
// CHECK: loop
// CHECK: 32x8 %[[RAY:[0-9]+]] = vec
// CHECK-NEXT: 32x5 %{{[0-9]+}} = @ray_intersect ({{.*}}%[[RAY]]
// CHECK: @store_ssbo
// CHECK-NOT: ray_intersect
// ASM: isam
// ASM: ray_intersection r
// ASM-NOT: ray_intersection
// LACKS: a660 code for ray queries
