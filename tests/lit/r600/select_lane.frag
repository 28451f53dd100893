#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
// RUN: %heddle compile -t cypress --target-env vulkan1.2 --emit tree %s | %FileCheck %s
// A wave of fragments: the lane's number is counted, and lanes exchange numbers in LDS of the wave.
layout(location = 0) out vec4 color;

// CHECK: pack {
// CHECK-NEXT: _ = MBCNT_32HI_INT 0xffffffff slot:x
// CHECK-NEXT: .y = MBCNT_32LO_ACCUM_PREV_INT 0xffffffff slot:y
// CHECK-NEXT: }
// CHECK: [[LANE:%[0-9]+]].y = MBCNT_32LO_ACCUM_PREV_INT
// CHECK: [[AT:%[0-9]+]].{{.}} = LSHL_INT [[LANE]], 0x2
// CHECK: LDS_WRITE [[AT]],
// CHECK: LDS_READ_RET
void main()
{
    color = vec4(subgroupShuffle(gl_FragCoord.x, uint(gl_FragCoord.y) & 3u));
}
