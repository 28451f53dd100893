#version 450
layout(local_size_x = 64) in;
struct Entry { int key; uint value; };
layout(std430, binding = 2000) buffer D { Entry data[]; };
shared Entry work[128];
void main()
{
    uint i = gl_LocalInvocationIndex;
    work[i] = data[i];
    work[i + 64] = data[i + 64];
    for (uint size = 2; size <= 128; size *= 2) {
        for (uint step = size / 2; step > 0; step /= 2) {
            barrier();
            uint a = (i / step) * step * 2 + i % step, b = a + step;
            bool up = (a & size) == 0;
            Entry x = work[a], y = work[b];
            if ((x.key > y.key) == up) {
                work[a] = y;
                work[b] = x;
            }
        }
    }
    barrier();
    data[i] = work[i];
    data[i + 64] = work[i + 64];
}
