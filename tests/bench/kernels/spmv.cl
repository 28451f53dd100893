#include "kernels.h"

KERNEL(64, 1)
spmv(const global uint *restrict rows, const global uint *restrict columns, const global float *restrict values, const global float *restrict x,
     global float *restrict y, uint n)
{
    uint row = GROUP_X * 64 + LID_X;
    if (row >= n)
        return;
    float sum = 0;
    for (uint k = rows[row]; k < rows[row + 1]; k++)
        sum = FMA(values[k], x[columns[k]], sum);
    y[row] = sum;
}
