// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s -o %t.hir && %FileCheck %s < %t.hir
// RUN: %heddle compile --lang hir --emit hir %t.hir -o - | %FileCheck %s
// Each input is loaded once, at the start; what an index selects goes through scratch memory.
#version 450
layout(early_fragment_tests) in;
layout(location = 0) in vec2 uv;
layout(location = 1) flat in ivec3 id;
layout(location = 2) noperspective centroid in vec3 c[2];
layout(location = 4, component = 2) sample in vec2 s;
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0, index = 1) out vec4 second;
layout(location = 1) out uvec3 ids;
void main()
{
    second = subpassLoad(before) + vec4(interpolateAtOffset(uv, vec2(0.25)), c[id.x & 1].z, s.y);
    if (gl_FrontFacing)
        ids.yz = uvec2(id.yz);
    gl_FragDepth = gl_FragCoord.z;
}
// CHECK: shader: fragment
// CHECK-NOT: workgroup_size
// CHECK: early_tests: true
// CHECK: sample_shading: true
// CHECK: 32x2 [[W:%[0-9]+]] = @load_barycentric (interp=smooth, at=pixel)
// CHECK: @load_interpolated_input ([[W]]) (slot=location)
// CHECK: 32x2 [[W:%[0-9]+]] = @load_barycentric (interp=noperspective, at=centroid)
// CHECK: @load_interpolated_input ([[W]]) (slot=location, location=2)
// CHECK: @load_interpolated_input ({{.*}}) (slot=location, location=3)
// CHECK: @load_input (slot=location, location=1)
// CHECK: 32x2 [[W:%[0-9]+]] = @load_barycentric (interp=smooth, at=sample)
// CHECK: @load_interpolated_input ([[W]]) (slot=location, location=4, component=2)
// CHECK: 1 [[FRONT:%[0-9]+]] = @load_front_face
// CHECK: 32x4 [[AT:%[0-9]+]] = @load_frag_coord
// CHECK: @tex ({{.*}}) (op=txf, image_dim=subpass
// CHECK: 32x2 [[W:%[0-9]+]] = @load_barycentric_at_offset ({{.*}}) (interp=smooth)
// CHECK: @load_interpolated_input ([[W]]) (slot=location)
// CHECK: @load_scratch
// CHECK: if [[FRONT]]
// CHECK: @store_output ({{.*}}) (slot=location, blend_source=1, type=float)
// CHECK: 32x2 [[IDS:%[0-9]+]] = vec
// CHECK: @store_output ([[IDS]]) (slot=location, location=1, component=1, type=uint)
// CHECK: @store_output ([[AT]].z) (slot=depth, type=float)
