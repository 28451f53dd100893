// A preamble for the scalar ALU has shared registers alone, and runs early. Products and sums are two operations, of 32 bits more; the scalar ALU
// waits for itself: (ss) stands only where others read or overwrite its registers.
// REQUIRES: frontend
// RUN: %heddle compile -t a750 --emit hoist_uniform %s | %FileCheck %s
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck --check-prefix=CODE %s
// RUN: %heddle compile -t a650 --emit asm %s | %FileCheck --check-prefix=EARLY %s
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck --check-prefix=LATE %s
// RUN: env HEDDLE_DEBUG=noearlypreamble %heddle compile -t a750 --emit asm %s | %FileCheck --check-prefix=LATE %s
// What only a fibre can read, and values that are too many for shared registers, make it a late one.
// RUN: %heddle compile -t a750 -DLOAD --emit asm %s | %FileCheck --check-prefix=LATE %s
// RUN: %heddle compile -t a750 -DMANY --emit asm %s | %FileCheck --check-prefix=LATE %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform U { vec4 v[12]; uvec4 n; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint c; };

void
main()
{
    float f = v[0].x * v[0].y + v[0].z;
#ifdef LOAD
    f *= float(c);
#endif
#ifdef MANY
    for (int i = 0; i < 12; i++)
        f += v[i].x * v[11 - i].y + v[i].z * v[11 - i].w;
#endif
    b[gl_LocalInvocationIndex] = uint(f) + gl_LocalInvocationIndex * (n.x * n.y);
}
// CHECK: s{{[34]}}: %[[V:[0-9]+]] = LDC 0, 0
// CHECK: s1: %[[X:[0-9]+]], {{.*}}s1: %[[Z:[0-9]+]]{{.*}} = p_split_vector %[[V]]
// CHECK: s1: %[[P:[0-9]+]] = MUL_F %[[X]]
// CHECK-NEXT: s1: {{.*}} = ADD_F %[[P]], %[[Z]]
// CHECK: s1: %[[H:[0-9]+]] = SHR_B %{{[0-9]+}}, 16
// CHECK-NEXT: s1: %[[M:[0-9]+]] = MULL_U %[[H]]
// CHECK-NEXT: s1: %[[S:[0-9]+]] = SHL_B %[[M]], 16
// CHECK-NEXT: s1: {{.*}} = ADD_U %[[S]]
// CHECK: SHPE
// CODE: // SP_CS_CTRL_REG0 0x8080
// CODE: shps
// CODE-NOT: {{ h?}}r{{[0-9]\.|[123][0-9]\.}}
// CODE-DAG: ldc.u.offset0.2.imm.base0 [[N:r[0-9]+]].x, 12, 0
// CODE-DAG: ldc.u.offset0.3.imm.base0 {{r[0-9.xyzw]+}}, 0, 0
// CODE-NOT: {{ h?}}r{{[0-9]\.|[123][0-9]\.}}
// CODE: (sy)(ss)
// CODE-NOT: ss
// CODE: mul.f [[A:r[0-9.xyzw]+]], r49
// CODE-NOT: ss
// CODE: add.f [[A2:r[0-9.xyzw]+]], [[A]], r50
// CODE-NOT: ss
// CODE: cov.f32u32 [[B:r[0-9.xyzw]+]], [[A2]]
// CODE: (ss)nop
// CODE-NEXT: stc.u32 c[16], [[B]], 2
// CODE: (sy)(ss)shpe
// EARLY: // SP_CS_CTRL_REG0 0x8080
// EARLY: ldc.u
// LATE: // SP_CS_CTRL_REG0 0x8000
// LATE-NOT: ldc.u
// LATE: shpe
