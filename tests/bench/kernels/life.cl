#include "kernels.h"

KERNEL(16, 8)
life(const global uchar *restrict in, global uchar *restrict out, uint width, uint height)
{
    uint x = GROUP_X * 16 + LID_X, y = GROUP_Y * 8 + LID_Y;
    uint left = x == 0 ? width - 1 : x - 1, right = x + 1 == width ? 0 : x + 1;
    uint above = (y == 0 ? height - 1 : y - 1) * width, below = (y + 1 == height ? 0 : y + 1) * width, row = y * width;
    uint sum = in[above + left] + in[above + x] + in[above + right] + in[row + left] + in[row + right] + in[below + left] +
               in[below + x] + in[below + right];
    out[row + x] = sum == 3 || (sum == 2 && in[row + x]) ? 1 : 0;
}
