// REQUIRES: frontend
// Before a6xx uniform buffers are read at addresses, without a check: an element whose number may be beyond the array is not read where the program does not.
// RUN: %heddle compile -t a420 --emit asm %s | %FileCheck --check-prefix=STAYS %s
// RUN: %heddle compile -t a530 --emit asm %s | %FileCheck --check-prefix=STAYS %s
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
#version 450
layout(set = 0, binding = 0) uniform U { vec4 rows[4]; };
layout(location = 0) flat in uint k;
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(1.0);
    if (k < 4u)
        color = rows[k];
}
// STAYS: {{br|predt}}
// STAYS: ldg.u32
// CHECK-NOT: {{br |predt}}
// CHECK: ldc
