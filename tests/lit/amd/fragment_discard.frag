#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck --check-prefixes=CHECK,NULL %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefixes=CHECK,NULL %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefixes=CHECK,MRT0 %s

// The sample needs whole quads. The discard behind it takes lanes from exec itself; in the loop lanes go on as helpers, and the mask of exact lanes is kept.
// A wave without lanes ends with an export of nothing.
// CHECK: KILL_ENABLE 1
// CHECK: s_mov_b64 [[EXACT:s[^,]+]], exec
// CHECK: s_wqm_b64 exec, exec
// CHECK: image_sample v{{.*}} dmask:0x8
// CHECK: s_mov_b64 exec, [[EXACT]]
// CHECK: {{s_andn2_b64|s_and_not1_b64}} exec, exec, vcc
// CHECK-NEXT: s_cbranch_scc0 [[END:L[0-9a-f]+]]
// CHECK: {{s_andn2_b64|s_and_not1_b64}} [[LEFT:s[^,]+]], [[LEFT]], exec
// CHECK-NEXT: s_cbranch_scc0 [[END]]
// CHECK: s_mov_b64 exec, [[LEFT]]
// CHECK: exp mrt0 {{.*}}done
// CHECK-NEXT: s_endpgm
// CHECK-NEXT: [[END]]:
// CHECK-NEXT: s_mov_b64 exec, 0
// NULL-NEXT: exp null off, off, off, off done vm
// MRT0-NEXT: exp mrt0 off, off, off, off done
// CHECK-NEXT: s_endpgm
layout(location = 0) in vec4 a;
layout(location = 1) flat in int n;
layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) uniform sampler2D t;

void main()
{
    if (texture(t, a.xy).w < 0.5)
        discard;
    float x = a.x;
    for (int i = 0; i < n; i++) {
        x *= a.z;
        if (x > 9.0)
            discard;
    }
    o = vec4(x);
}
