#version 450
#extension GL_NV_conservative_raster_underestimation : require
// REQUIRES: frontend
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck --check-prefixes=CHECK,CONFIG %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefixes=CHECK,CONFIG %s
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck --check-prefixes=CHECK,INPUT %s
// RUN: not %heddle compile -t gfx803 --emit asm %s 2>&1 | %FileCheck --check-prefix=OLD %s

// The hardware gives the samples of pixels that are covered as a whole, in place of those that are covered.
// CONFIG: PA_SC_AA_CONFIG = 0x4000000 (COVERAGE_TO_SHADER_SELECT 1)
// INPUT: SPI_PS_INPUT_ENA = {{.*}}COVERAGE_TO_SHADER_SELECT 1
// CHECK: v_cmp_{{(ne|eq)}}_u32{{.*}} vcc, 0, v{{[0-9]+}}
// OLD: unsupported: gfx803 code for FullyCoveredEXT
layout(location = 0) out vec4 color;
void main() { color = gl_FragFullyCoveredNV ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1); }
