#version 450
#extension GL_AMD_gpu_shader_half_float : require
// REQUIRES: frontend
// RUN: %heddle compile -t gfx600 --emit asm %s | %FileCheck --check-prefix=WORDS %s
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck --check-prefix=HALVES %s

// gfx6 interpolates words alone: an input of 16 bits is a flat parameter, whose three values are interpolated in 32 bits.
// WORDS: param 0: location 0 x, SPI_PS_INPUT_CNTL 0x400
// WORDS-COUNT-3: v_interp_mov_f32
// WORDS: v_cvt_f16_f32
// HALVES: SPI_PS_INPUT_CNTL 0x1080000
// HALVES: v_interp_p2_f16
layout(location = 0) in float16_t half_;
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(float(half_));
}
