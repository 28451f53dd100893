// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s -o %t.hir && %FileCheck %s < %t.hir
// RUN: %heddle compile --lang hir --emit hir %t.hir -o - | %FileCheck %s
// Locations: 64-bit vectors of more than two components take two, each column of a matrix takes one.
// Outputs that nothing writes are not stored: point size, some distances, component 3 of `a`.
#version 450
layout(location = 0) in vec3 p;
layout(location = 1) in dvec4 d;
layout(location = 3) in mat2 m;
layout(location = 0, component = 1) out vec2 uv;
layout(location = 1) out Block { vec4 a; flat int b[2]; } block;
void main()
{
    gl_Position = vec4(p, 1.0);
    gl_ClipDistance[0] = p.x;
    gl_ClipDistance[4] = p.y;
    uv = m * p.xy;
    block.a.xyz = vec3(d.xyw);
    block.b[0] = gl_VertexIndex;
    block.b[1] = gl_InstanceIndex;
}
// CHECK: shader: vertex
// CHECK: 32x3 [[P:%[0-9]+]] = @load_input (slot=location)
// CHECK: 32x2 {{%[0-9]+}} = @load_input (slot=location, location=3)
// CHECK: 32x2 {{%[0-9]+}} = @load_input (slot=location, location=4)
// CHECK: 64x2 {{%[0-9]+}} = @load_input (slot=location, location=1)
// CHECK: 64x2 {{%[0-9]+}} = @load_input (slot=location, location=2)
// CHECK: [[V:%[0-9]+]] = @load_vertex_index
// CHECK: [[I:%[0-9]+]] = @load_instance_index
// CHECK: @store_output ({{.*}}) (slot=position, type=float)
// CHECK-NOT: point_size
// CHECK: @store_output ([[P]].x) (slot=clip_distance, type=float)
// CHECK-NEXT: @store_output ([[P]].y) (slot=clip_distance, location=1, type=float)
// CHECK: 32x2 [[UV:%[0-9]+]] = vec
// CHECK-NEXT: @store_output ([[UV]]) (slot=location, component=1, type=float)
// CHECK: 32x3 [[A:%[0-9]+]] = vec
// CHECK-NEXT: @store_output ([[A]]) (slot=location, location=1, type=float)
// CHECK-NEXT: @store_output ([[V]]) (slot=location, location=2, type=int)
// CHECK-NEXT: @store_output ([[I]]) (slot=location, location=3, type=int)
