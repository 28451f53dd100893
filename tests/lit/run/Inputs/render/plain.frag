#version 450
// GLSL of Vulkan: y grows downwards. Texture 0 is read at a level of detail, texture 1 does not exist.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0, std140) uniform Frame {
    vec3 resolution;
    float time;
    vec4 mouse, date;
    int number;
    float time_delta, rate, sample_rate;
    vec4 texture_resolution[4], texture_time[4];
} frame;
layout(set = 0, binding = 1) uniform sampler2D first;
layout(set = 0, binding = 2) uniform sampler2D second;
void main() {
    bool right = uv.x > 0.5, lower = uv.y > 0.5;
    bool is_uv = all(lessThan(abs(uv - gl_FragCoord.xy / frame.resolution.xy), vec2(1e-5)));
    color = textureLod(first, uv, 0.0);
    if (right && !lower)
        color = textureLod(first, uv, 9.0);
    if (!right && lower)
        color = textureLod(second, uv, 0.0);
    if (right && lower)
        color = vec4(is_uv ? 1.0 : 0.0, frame.texture_resolution[0].y / 255.0, frame.texture_time[0].x, 1.0);
}
