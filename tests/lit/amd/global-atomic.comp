// An atomic with an unused result returns nothing: no glc, no destination.
// REQUIRES: frontend
// RUN: %heddle compile --emit asm %s | %FileCheck %s
// CHECK: global_atomic_add v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9]+:[0-9]+}}]{{$}}
// CHECK: global_atomic_add v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9]+:[0-9]+}}] glc
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counter { uint n; };
layout(push_constant) uniform Push { Counter a; Counter b; Counter old; };

void
main()
{
    atomicAdd(a.n, 1u);
    old.n = atomicAdd(b.n, 2u);
}
