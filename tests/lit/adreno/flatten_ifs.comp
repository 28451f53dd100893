// A branch waits for its predicate: an if of a dozen operations becomes selections here, but a branch on a machine that skips.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefix=BRANCH %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint v[]; } b;
void main()
{
    uint i = gl_LocalInvocationIndex, x = b.v[i];
    if ((x & 1u) != 0u)
        x = ((((x * 3u) ^ 5u) + 7u) ^ (x >> 3)) + (((x << 2) ^ 9u) + 11u) + ((x ^ 13u) & 0x3fu) * 2u;
    b.v[i] = x;
}
// CHECK-NOT: br
// CHECK: sel.b32
// CHECK-NOT: br
// BRANCH: s_cbranch
