// A loop that begins where another one ends has a known number of iterations once the other one is unrolled and folded.
// RUN: %heddle compile -t gfx1030 --emit unroll %s | %FileCheck --check-prefix=FIRST %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B
{
    uint sum;
};
void main()
{
    uint m = 0, s = 0;
    for (; m < 5; m++)
        s += 2;
    for (; m < 9; m++)
        s += m;
    sum = s;
}
// FIRST: loop
// CHECK-NOT: s_cbranch
// 2 * 5 + 5 + 6 + 7 + 8
// CHECK: v_mov_b32{{.*}}, 36
