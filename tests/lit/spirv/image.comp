// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// Combined and separate samplers, storage images, texel buffers, queries.
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform sampler2D combined;
layout(set = 0, binding = 1) uniform texture2DArray pictures[3];
layout(set = 0, binding = 2) uniform sampler s;
layout(set = 0, binding = 3, rgba8) uniform coherent image2D target;
layout(set = 0, binding = 4) uniform usamplerBuffer words;
layout(set = 0, binding = 5, r32ui) uniform uimage2D counters;
void main()
{
    vec2 at = vec2(gl_GlobalInvocationID.xy);
    vec4 c = texture(combined, at);
    c += textureLod(sampler2DArray(pictures[2], s), vec3(at, 1.0), 2.0);
    c += vec4(texelFetch(words, int(gl_LocalInvocationIndex)));
    c += textureGather(combined, at, 1);
    ivec2 size = textureSize(combined, 0);
    imageAtomicMax(counters, ivec2(0), uint(size.x));
    imageStore(target, size, c);
}
// CHECK: [[COMBINED:%[0-9]+]] = @vulkan_resource_index {{.*}}binding=0, desc_type=combined
// CHECK: @tex ([[COMBINED]], [[COMBINED]], {{.*}}op=txl, image_dim=2D, type=float
// CHECK: desc_type=sampled_image
// CHECK: @tex {{.*}}op=txl, image_dim=2D, image_array=true
// CHECK: @tex {{.*}}op=txf, image_dim=buf, type=uint
// CHECK: @tex {{.*}}op=tg4{{.*}}component=1
// CHECK: 32x2 {{%[0-9]+}} = @image_size
// CHECK: @image_atomic {{.*}}format=r32_uint{{.*}}atomic_op=umax
// CHECK: @image_store {{.*}}format=r8g8b8a8_unorm, access=coherent
