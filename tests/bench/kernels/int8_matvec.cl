#include "kernels.h"

KERNEL(64, 1)
int8_matvec(const global char4 *restrict matrix, const global char4 *restrict vector, global int *restrict out, uint quads)
{
    uint row = GROUP_X * 64 + LID_X;
    int sum = 0;
    for (uint k = 0; k < quads; k++) {
        char4 a = matrix[row * quads + k], b = vector[k];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    out[row] = sum;
}
