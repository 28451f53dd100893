#version 450
// RUN: %heddle compile -t a530 --emit choose_handles %s | %FileCheck %s
// Variables of one binding name the same array, which has the elements of the longest.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer One { uint at[]; } one[1];
layout(set = 0, binding = 0) buffer Many { vec4 at[]; } many[3];
layout(set = 0, binding = 0) buffer Two { ivec2 at[]; } two[2];
layout(set = 0, binding = 1) buffer Result { vec4 r[]; } result;
void main() {
  const uint i = gl_LocalInvocationIndex;
  result.r[i] = many[nonuniformEXT(i & 3u)].at[i] + float(one[0].at[i]) + float(two[1].at[i].x);
}
// CHECK: vulkan_resource_index {{.*}}binding=0
// CHECK: vulkan_resource_index {{.*}}binding=0
// CHECK: vulkan_resource_index {{.*}}binding=0
// CHECK: phi
// CHECK: phi
