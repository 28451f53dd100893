#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t rv670 --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t rv670 --emit asm %s | %FileCheck %s --check-prefix ASM
// Before Evergreen who helps is what a fetch for valid pixels leaves as it was: it puts 1.0 over 0 in one register.
layout(location = 0) out vec4 color;

// CHECK: fetch VTX valid {{\[}}[[X:%[0-9]+]].x, _, _, _] = "VFETCH R0.1___, R0.x, b16 {{.*}}" [0x0, _, _, _], [0x0, _, _, _]
// CHECK: SETE_INT [[X]], 0x0
// ASM: VTX [[AT:L[0-9a-f]+]] CNT(1) VALID_PIXEL_MODE
// ASM: VFETCH R0.__1_
// ASM: z: MOV R0.z, 0
// ASM: CNDE_INT {{.*}} R0.z, 1.0, 0.5
void main()
{
    color = vec4(gl_HelperInvocation ? 1.0 : 0.5);
}
