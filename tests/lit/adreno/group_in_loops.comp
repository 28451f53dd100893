#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t a618 --emit register_allocation %s | %FileCheck %s
// The number of the workgroup stays in its register, with no phis, where paths join on which loops have given it names of their own.
// CHECK: s1: %[[G:[0-9]+]]:{fa}s[192]
// CHECK-NOT: s1: {{.*}}p_phi
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { int at[]; } b;

void main()
{
    const int own = int(gl_LocalInvocationIndex), group = int(gl_WorkGroupID.x);
    int sum = 0;
    for (int y = 0; y < b.at[own]; y++) {
        if ((b.at[y] & 1) != 0)
            continue;
        for (int x = 0; x < b.at[y + 64]; x++)
            sum += b.at[x] * group;
    }
    b.at[own + 128] = sum + group;
}
