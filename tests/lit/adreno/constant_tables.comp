// REQUIRES: frontend
// Components that lie side by side in the constant file are read by one address; data for which it has no room is in memory, whose address it has.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a660 -DLARGE --emit asm %s | %FileCheck --check-prefix=LARGE %s
// RUN: %heddle compile -t a420 -DLARGE --emit asm %s | %FileCheck --check-prefix=OLD %s
// RUN: %heddle compile -t a660 -DLARGE %s -o %t.o
// RUN: %heddle disasm --object %t.o | %FileCheck --check-prefix=NOTE %s
// RUN: %heddle disasm --object %t.o -o %t.s
// RUN: %heddle asm --emit obj %t.s -o %t.again && cmp %t.o %t.again
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uvec4 b[]; };
const uvec4 rows[9] = uvec4[9](uvec4(7, 1, 23, 9), uvec4(2, 6, 1, 4), uvec4(8, 8, 3, 31), uvec4(5, 6, 2, 0), uvec4(3), uvec4(90, 1, 2, 8), uvec4(4, 44, 6, 2),
                               uvec4(17, 2, 3, 5), uvec4(6, 28, 9, 1));
#ifdef LARGE
const uint many[64] = uint[64](4, 9, 1, 7, 3, 0, 8, 6, 5, 21, 13, 8, 2, 7, 1, 90, 14, 9, 11, 7, 33, 0, 8, 6, 5, 1, 3, 8, 2, 7, 61, 9, 4, 19, 1, 7, 3, 10, 8, 6,
                               5, 2, 13, 8, 22, 7, 1, 0, 4, 9, 17, 7, 3, 60, 8, 66, 5, 2, 1, 85, 2, 71, 1, 9);
const uint all[8][64] = uint[8][64](many, many, many, many, many, many, many, many);
#endif
void main()
{
    uint i = gl_GlobalInvocationID.x;
#ifdef LARGE
    b[i].x = all[i >> 6 & 7u][i & 63u] + rows[i % 9u].x;
#else
    b[i] = rows[i % 9u];
#endif
}
// CHECK: mova a0.x
// CHECK: c<a0.x + [[#FIRST:]]>
// CHECK-DAG: c<a0.x + [[#FIRST+1]]>
// CHECK-DAG: c<a0.x + [[#FIRST+2]]>
// CHECK-DAG: c<a0.x + [[#FIRST+3]]>
// CHECK-NOT: mova
// LARGE: c4.x to c4.y const_data_address
// LARGE: words of constant data in memory
// LARGE: ldg.u32
// OLD: const_data_address
// OLD: ldg.u32
// NOTE: .kind: const_data_address
// NOTE: .data:
