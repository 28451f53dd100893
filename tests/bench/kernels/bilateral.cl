#include "kernels.h"

KERNEL(16, 8)
bilateral(const global uchar *restrict in, global uchar *restrict out, int width, int height, float space, float range)
{
    int x = GROUP_X * 16 + LID_X, y = GROUP_Y * 8 + LID_Y;
    if (x >= width || y >= height)
        return;
    float here = in[y * width + x], sum = 0, weights = 0;
    for (int v = -2; v <= 2; v++) {
        for (int u = -2; u <= 2; u++) {
            int column = MIN(MAX(x + u, 0), width - 1), row = MIN(MAX(y + v, 0), height - 1);
            float value = in[row * width + column], distance = value - here;
            float weight = EXP2(FMA(distance * distance, range, (float)(u * u + v * v) * space));
            sum = FMA(weight, value, sum);
            weights += weight;
        }
    }
    out[y * width + x] = (uchar)(uint)FMA(sum, RCP(weights), 0.5f);
}
