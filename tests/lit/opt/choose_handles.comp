#version 450
// RUN: %heddle compile -t a530 --emit choose_handles %s -o %t && %FileCheck %s < %t
// Elements of an array that are chosen at run time: ifs that halve it, around constant elements; a store has no result.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Many { uint at[]; } many[3];
layout(set = 0, binding = 1) buffer Result { uint r[]; } result;
void main() {
  const uint i = gl_LocalInvocationIndex;
  result.r[i] = many[nonuniformEXT(i & 3u)].at[i];
  many[nonuniformEXT(result.r[i + 8u])].at[i] = 7u;
}
// CHECK: %[[N:[0-9]+]] = iand
// CHECK: %[[LOW:[0-9]+]] = ieq %[[N]], %
// CHECK-NEXT: if %[[LOW]]
// CHECK: vulkan_resource_index (%{{[0-9]+}}) (desc_set=0, binding=0
// CHECK-NEXT: %[[A:[0-9]+]] = @load_ssbo
// CHECK: ult %[[N]], %
// CHECK: load_ssbo
// CHECK: load_ssbo
// CHECK: phi
// CHECK: phi {{.*}}%[[A]]
// CHECK: if %
// CHECK: store_ssbo
// CHECK: if %
// CHECK: store_ssbo
// CHECK: store_ssbo
// CHECK-NOT: store_ssbo
