// What chips lack has one name, wherever selection meets it first.
// REQUIRES: frontend
// RUN: not %heddle compile -t rv770 %s -o %t.elf 2>&1 | %FileCheck %s
#version 450
layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
layout(location = 0) flat in int k;
layout(location = 0) out uvec4 color;

// CHECK: unsupported: rv770 code for stores to memory and atomics
void
main()
{
    color = uvec4(imageAtomicMax(image, ivec2(k), 3u));
}
