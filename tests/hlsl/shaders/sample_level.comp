#version 450
layout(local_size_x = 8) in;
layout(binding = 1000) uniform texture2D image;
layout(binding = 1001) uniform texture3D volume;
layout(binding = 3000) uniform sampler points;
layout(binding = 3001) uniform sampler smooth_clamp;
layout(std430, binding = 2000) buffer O { vec4 result[]; };
void main()
{
    uint t = gl_GlobalInvocationID.x;
    vec2 at = (vec2(t, 3) + 0.5) / 8;
    result[t] = textureLod(sampler2D(image, points), at, 0);
    result[8 + t] = textureLod(sampler2D(image, smooth_clamp), (vec2(t, 2) + 1.0) / 8, 0);
    result[16 + t] = textureLodOffset(sampler2D(image, points), at + 1, 0, ivec2(1, -1));
    result[24 + t] = textureGrad(sampler2D(image, points), at, vec2(0.01), vec2(0.01));
    result[32 + t] = vec4(textureLod(sampler3D(volume, points), vec3(at, 0.75), 0).x);
}
