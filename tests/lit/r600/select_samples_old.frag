#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t rv670 --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t rv770 --emit asm %s | %FileCheck %s --check-prefix=WORDS
// R600 and R700 say which sample is shaded, in w of a register, and take a mask of samples, in z of export 61; a sample's place is four bits of a literal.
layout(location = 0) out vec4 color;

// CHECK: [[SHIFT:%[0-9]+]].{{.}} = LSHL_INT [[SAMPLE:R[0-9]+.w|%[0-9]+]], 0x2
// CHECK: [[BITS:%[0-9]+]].{{.}} = LSHR_INT 0x{{[0-9a-f]+}}, [[SHIFT]]
// CHECK: AND_INT [[BITS]], 0xf
// CHECK: LSHL_INT 0x1, [[SAMPLE]]
// CHECK: flow "EXPORT PIX[61], R0.__x_ ELEM(4)"
// WORDS: // sample_mask
// WORDS: SPI_PS_IN_CONTROL_1 0x0{{[1-9a-f]}}000000
// WORDS: DB_SHADER_CONTROL 0x00000100
void main()
{
    color = vec4(gl_SamplePosition, 0.0, 1.0);
    gl_SampleMask[0] = 1 << gl_SampleID;
}
