#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { vec4 a[]; };
layout(set = 0, binding = 1) uniform sampler2D plain;
layout(set = 0, binding = 2) uniform sampler2DArrayShadow layers;
layout(set = 0, binding = 3) uniform samplerCube cube;
layout(set = 0, binding = 4, r32ui) uniform uimage2DArray stored;
layout(set = 0, binding = 5) uniform usamplerBuffer texels;
layout(set = 0, binding = 6) uniform usampler2D whole;
layout(push_constant) uniform P { ivec2 by; float level; vec2 p; };
void main()
{
    uint k = gl_LocalInvocationIndex;
    vec4 r = textureLod(plain, p, level) + textureGrad(plain, p, vec2(level, 0), vec2(0, level));
    r += textureGatherOffset(plain, p, by, 1) + textureOffset(plain, p, ivec2(1, -1));
    r += texture(layers, vec4(p, 1.25, 0.5)) + texture(cube, vec3(p, level));
    r += vec4(textureGather(whole, p)) + vec4(texelFetch(texels, int(k)));
    r += vec4(imageSize(stored), textureQueryLevels(plain)) + float(textureSize(texels));
    imageStore(stored, ivec3(k, by), uvec4(k));
    imageAtomicAdd(stored, ivec3(by, k), 1u);
    a[k] = r + float(imageLoad(stored, ivec3(k, by)).x);
}
