#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t cypress --emit tree_dce2 %s | %FileCheck %s

// A subtraction is an addition of the negated number, whose sign is changed as an integer: the builder would make a subtraction of it again.
// CHECK: fetch VTX [%{{[0-9]+}}.x, %[[A:[0-9]+]].y, %{{[0-9]+}}.z, %[[B:[0-9]+]].w] =
// CHECK: %[[NEG:[0-9]+]].{{[xyzw]}} = XOR_INT %[[B]], 0x80000000
// CHECK: ADD_64 %[[A]], %[[NEG]] slot:x
layout(set = 0, binding = 0) buffer Numbers { double a, b, c; };

void main()
{
    c = a - b;
}
