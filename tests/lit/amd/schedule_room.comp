#version 460
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1150 --wave-size 64 --emit asm %s | %FileCheck %s
// Loads leave registers for what uses their results: as many begin early as fit in the registers of all waves, if not all do.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D t;
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D o;

vec3 sum = vec3(0.0);
int n = 0;

void
add(vec3 c)
{
    if (abs(c.r) + abs(c.g) + abs(c.b) != 0.0) {
        n++;
        sum += c;
    }
}

void
main()
{
    vec2 at = vec2(gl_GlobalInvocationID.xy) / 64.0;
    vec3 mine = textureLod(t, at, 0.0).rgb;
    // CHECK-COUNT-8: image_sample_lz
    // CHECK-NEXT: s_waitcnt vmcnt(7)
    add(textureLodOffset(t, at, 0.0, ivec2(-1, -1)).rgb);
    add(textureLodOffset(t, at, 0.0, ivec2(0, -1)).rgb);
    add(textureLodOffset(t, at, 0.0, ivec2(1, -1)).rgb);
    add(textureLodOffset(t, at, 0.0, ivec2(-1, 0)).rgb);
    add(textureLodOffset(t, at, 0.0, ivec2(1, 0)).rgb);
    add(textureLodOffset(t, at, 0.0, ivec2(-1, 1)).rgb);
    add(textureLodOffset(t, at, 0.0, ivec2(0, 1)).rgb);
    add(textureLodOffset(t, at, 0.0, ivec2(1, 1)).rgb);
    bool lives = mine != vec3(0.0) ? n == 2 || n == 3 : n == 3;
    imageStore(o, ivec2(gl_GlobalInvocationID.xy), vec4(lives ? mine + sum : vec3(0.0), 1.0));
}
