// Storage buffers that nothing changes, and textures at places that are the same for all, are read in the preamble: there a texture has no
// neighbours, and the least level. A buffer that the shader stores to is read where it is.
// RUN: %heddle compile -t a660 --emit hoist_uniform %s | %FileCheck %s
// RUN: %heddle compile -t a660 --emit hoist_uniform %s -o %t.mir
// RUN: %heddle compile -t a660 --emit asm %t.mir | %FileCheck --check-prefix=CODE %s
// RUN: env HEDDLE_DEBUG=nopreamble %heddle compile -t a660 --emit asm %s | %FileCheck --check-prefix=WITHOUT %s
#version 450
layout(set = 0, binding = 0) readonly buffer A { vec4 fixed_one; } a;
layout(set = 0, binding = 1) buffer B { vec4 changed; } b;
layout(set = 0, binding = 2) uniform sampler2D t;
layout(location = 0) out vec4 color;
void main()
{
    color = a.fixed_one * texture(t, vec2(0.5)) + b.changed;
    b.changed = color;
}
// CHECK: SHPS
// CHECK-DAG: LDIB_B {{.*}}unchanged
// CHECK-DAG: MOV 0xc1800000
// CHECK-DAG: SAML_ANY
// CHECK: SHPE
// CHECK-NOT: SAM
// CHECK: LDIB_B
// CODE: shpe
// CODE-NOT: sam
// CODE: ldib.b
// WITHOUT-NOT: shps
// WITHOUT: sam.base0
