// REQUIRES: frontend
// A shader as read has no equal operations, so that value numbering does not run first; but loads are not compared while it is read.
// RUN: env HEDDLE_DEBUG=print=gvn %heddle compile --emit dce.1 %s 2>&1 | %FileCheck %s --check-prefix=ONE
// RUN: env HEDDLE_DEBUG=print=gvn %heddle compile --emit dce.1 -D TWICE %s 2>&1 | %FileCheck %s --check-prefix=TWO
// ONE-NOT: after gvn
// ONE: @load_ssbo
// ONE-NOT: after gvn
// TWO: // after gvn.1
// TWO: @load_ssbo
// TWO-NOT: @load_ssbo
// TWO: fadd
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
#ifdef TWICE
    a[i] = b[i] + b[i];
#else
    a[i] = b[i];
#endif
}
