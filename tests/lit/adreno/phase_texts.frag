// REQUIRES: frontend
// The text behind a phase holds all that the next ones go by: the waves' size, the demand of an earlier order, private memory, spilled values.
// RUN: %heddle compile -t a750 --wave-size 128 %s -o %t.elf
// RUN: %heddle compile -t a750 --wave-size 128 --emit spill %s -o %t.mir
// RUN: %heddle compile -t a750 %t.mir -o %t.2.elf
// RUN: cmp %t.elf %t.2.elf
// RUN: env HEDDLE_DEBUG=spillall %heddle compile -t a750 %s -o %t.3.elf
// RUN: env HEDDLE_DEBUG=spillall %heddle compile -t a750 --emit spill %s -o %t.3.mir
// RUN: env HEDDLE_DEBUG=spillall %heddle compile -t a750 %t.3.mir -o %t.4.elf
// RUN: cmp %t.3.elf %t.4.elf
// RUN: %FileCheck %s --check-prefix=SPILLED < %t.3.mir
// SPILLED: private_bytes: {{[1-9]}}
// SPILLED: spilled: {{[1-9]}}
#version 450
layout(set = 0, binding = 0) uniform sampler2DShadow shadow;
layout(location = 0) out vec4 color;
float lit(vec2 at)
{
    float sum = 0.0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += textureLod(shadow, vec3(at + vec2(x, y) / 16.0, 0.25), 0.0);
    return sum;
}
void main()
{
    vec2 at = gl_FragCoord.xy / 16.0;
    float sum = lit(at);
    if (sum > 4.0)
        sum += lit(at.yx * 0.5);
    else
        sum += textureGrad(shadow, vec3(at, 0.125), vec2(0.01, 0), vec2(0, 0.01)) * 4.0;
    color = vec4(sum);
}
