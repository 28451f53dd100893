#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t cypress --emit tree_dce2 %s | %FileCheck %s
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require

// A half becomes a double by way of a single; as two conversions of HIR the builder would join them again.
// CHECK: %[[SINGLE:[0-9]+]].{{[xyzw]}} = FLT16_TO_FLT32
// CHECK: FLT32_TO_FLT64 %[[SINGLE]] slot:x
layout(set = 0, binding = 0) buffer Numbers { double d; float16_t h; };

void main()
{
    d = double(h);
}
