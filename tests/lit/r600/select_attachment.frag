#version 450
// RUN: %heddle compile -t cypress --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s --check-prefix=OLD
// An input attachment is fetched at the fragment's pixel. Signed parts of words are fields, or two shifts where the chip has no fields.
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) flat in uint word;
layout(location = 0) out vec4 color;

// CHECK: = BFE_INT {{%[0-9]+}}, 0x0, 0x10
// CHECK: [[TX:%[0-9]+]].{{.}} = TRUNC {{%[0-9]+}}
// CHECK: [[X:%[0-9]+]].{{.}} = FLT_TO_INT [[TX]]
// CHECK: [[TY:%[0-9]+]].{{.}} = TRUNC {{%[0-9]+}}
// CHECK: [[Y:%[0-9]+]].{{.}} = FLT_TO_INT [[TY]]
// CHECK: "LD R0.xyzw, R0.xxxx, t112, s0" {{.}}[[X]], [[Y]], 0x0, 0x0]

// OLD: [[UP:%[0-9]+]].{{.}} = LSHL_INT {{%[0-9]+}}, 0x10
// OLD: = ASHR_INT [[UP]], 0x10
// OLD: "LD R0.xyzw, R0.xxxx, t112, s0"
void main()
{
    color = vec4(unpackSnorm2x16(word), 0.0, 1.0) + subpassLoad(before);
}
