// REQUIRES: frontend
// The sums of one matrix product or dot product are fused, also where a result must not depend on what stands beside it, if the target has fused
// operations at no more cost; single operations that must not be contracted are not.
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck --check-prefix=ADRENO %s
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck --check-prefix=APART %s
#version 450
layout(location = 0) in vec4 p;
layout(location = 0) out float sum;
layout(set = 0, binding = 0) uniform U { mat4 m; };
invariant gl_Position;
void main()
{
    gl_Position = m * vec4(p.xyz, 1.0);
    precise float s = p.x * p.y + p.w;
    sum = s;
}
// CHECK-COUNT-12: v_fma
// CHECK-NOT: v_fma
// CHECK: s_endpgm
// ADRENO: (rpt3)mad.f32
// ADRENO: (rpt3)mad.f32
// ADRENO: (rpt3)mad.f32
// APART-NOT: {{v_fma|v_mac|v_mad_f32}}
