// Images of 16-bit floats: loads, fetches and samples that are only used as such, single channels of
// them, stores with constants, and a result that is also used as 32-bit float.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba16f) uniform readonly image2D a;
layout(set = 0, binding = 1, rgba8) uniform readonly image2D b;
layout(set = 0, binding = 2, rgba16f) uniform writeonly image2D c;
layout(set = 0, binding = 3, r32f) uniform writeonly image2D d;
layout(set = 0, binding = 4) uniform texture2D t;
layout(set = 0, binding = 5) uniform sampler s;
layout(set = 0, binding = 6, std430) buffer E { f16vec4 h[]; } e;
layout(set = 0, binding = 7, rg16f) uniform writeonly image2D g;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    uint i = gl_GlobalInvocationID.y * 8u + gl_GlobalInvocationID.x;
    f16vec4 x = f16vec4(imageLoad(a, at)), y = f16vec4(imageLoad(b, at));
    f16vec4 z = f16vec4(texelFetch(t, at, 0)), w = f16vec4(textureLod(sampler2D(t, s), vec2(at) * 0.125, 0.0));
    vec4 both = imageLoad(a, at.yx);
    imageStore(c, at, vec4(x * y.wzyx));
    imageStore(d, at, vec4(float(x.y), 0.0, 0.0, 1.0));
    imageStore(g, at, vec4(float(y.z), 0.5, 0.0, 1.0));
    e.h[4u * i] = z + f16vec4(both) * float16_t(both.x * 2.0);
    e.h[4u * i + 1u] = f16vec4(imageLoad(b, at.yx).ywyw) + w;
    e.h[4u * i + 2u] = f16vec4(imageLoad(a, at + 1).z);
    e.h[4u * i + 3u] = f16vec4(textureGather(sampler2D(t, s), vec2(at) * 0.125, 1));
}
