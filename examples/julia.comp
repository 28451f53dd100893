#version 450
// A Julia set, one texel per invocation. Escape times differ between neighbours: the lanes of a wave leave the loop one by one.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba8) uniform writeonly image2D picture;
layout(push_constant) uniform Constants { vec2 c; };

vec3 palette(float t)
{
    return clamp(abs(fract(t + vec3(0.0, 0.33, 0.67)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

void main()
{
    ivec2 size = imageSize(picture), at = ivec2(gl_GlobalInvocationID.xy);
    if (at.x >= size.x || at.y >= size.y)
        return;
    vec2 z = (vec2(at) / vec2(size) * 2.0 - 1.0) * 1.5;
    int n = 0;
    while (n < 96 && dot(z, z) < 16.0) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        n++;
    }
    vec3 colour = n == 96 ? vec3(0.0) : palette(float(n) / 32.0) * sqrt(float(n) / 96.0);
    imageStore(picture, at, vec4(colour, 1.0));
}
