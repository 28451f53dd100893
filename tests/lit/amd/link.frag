#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s

// Alone it reads both locations; link.vert links it.
// CHECK-DAG: attr0
// CHECK-DAG: attr1
layout(location = 0) in vec4 tint;
layout(location = 2) in vec4 given;
layout(location = 0) out vec4 color;

void main()
{
    color = tint * given;
}
