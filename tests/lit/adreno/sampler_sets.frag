// REQUIRES: frontend
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s --check-prefixes=ALL,A6
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck %s --check-prefixes=ALL,A7
// RUN: %heddle compile -t a660 --emit lower_pseudo %s | %FileCheck %s --check-prefix=LOWERED
// RUN: %heddle compile -t a660 --emit ssa_elimination %s -o %t.mir
// RUN: %heddle compile -t a660 --emit bin %s -o %t.whole
// RUN: %heddle compile -t a660 --emit bin %t.mir -o %t.rest
// RUN: cmp %t.whole %t.rest

// A texture and a sampler of two sets: a1.x has the sampler's set and, where the instruction has room for one number, on a6xx the texture's number, on
// a7xx the sampler's. It waits for a1.x by cycles on a6xx, by (ss) on a7xx.
// ALL: main:
// LOWERED: MOVA1 26 
// LOWERED: SAM_ANY {{.*}}mode:7
// A6: mova1 a1.x, 26
// A6: sam.base0 (f32)(xyzw){{.*}}, s#1, a1.x
// A7: mova1 a1.x, 10
// A7: (ss)
// A7: sam.base0 (f32)(xyzw){{.*}}, t#3, a1.x
// ALL: end
#version 450
layout(set = 0, binding = 0) uniform texture2D others[3];
layout(set = 0, binding = 1) uniform texture2D picture;
layout(set = 2, binding = 0) uniform sampler other;
layout(set = 2, binding = 1) uniform sampler filtering;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

void main()
{
    color = texture(sampler2D(picture, filtering), at);
}
