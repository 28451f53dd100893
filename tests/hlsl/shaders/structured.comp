#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 1000) readonly buffer I { uint items[]; };
layout(std430, binding = 2001) buffer O { uint result[]; };
layout(std430, binding = 2002) buffer N { uint sizes[]; };
const uint STRIDE = 12;
void main()
{
    uint t = gl_GlobalInvocationID.x, count = items.length() / STRIDE;
    if (t == 0) {
        sizes[0] = count;
        sizes[1] = STRIDE * 4;
    }
    if (t >= count)
        return;
    uint from = (count - 1 - t) * STRIDE, to = t * STRIDE;
    for (uint k = 0; k < 3; k++)
        result[to + k] = floatBitsToUint(uintBitsToFloat(items[from + (k + 2) % 3]) * 2);
    result[to + 3] = items[from + 3];
    result[to + 4] = items[from + 4] + items[from + 5];
    result[to + 5] = items[from + 5];
    result[to + 6] = items[from + 6];
    result[to + 7] = items[t * STRIDE + 6];
    result[to + 8] = uint(-int(items[from + 8]));
    result[to + 9] = items[from + 9] | 0x80000000u;
    result[to + 10] = items[from + 10];
    result[to + 11] = items[from + 11];
}
