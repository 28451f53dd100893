// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// Calls are inlined: parameters become the arguments, and the result is the phi of the returned values.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint a, b, r; };
uint counter = 0u;
uint f(uint x, inout uint y)
{
    counter++;
    if (x == 0u)
        return 5u;
    y += x;
    return y;
}
void main()
{
    uint y = 1u;
    uint first = f(0u, y);
    uint second = f(b, y);
    r = first + second * 16u + counter * 256u + y * 4096u;
}
// The first call folds away.
// CHECK-DAG: 32 [[B:%[0-9]+]] = @load_ssbo
// CHECK: if
// CHECK: phi
// CHECK-NOT: if
// CHECK: @store_ssbo
// CHECK: return
