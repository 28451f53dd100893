struct Entry {
    int key;
    uint value;
};
RWStructuredBuffer<Entry> data : register(u0);
groupshared Entry work[128];
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex)
{
    work[i] = data[i];
    work[i + 64] = data[i + 64];
    for (uint size = 2; size <= 128; size *= 2) {
        for (uint step = size / 2; step > 0; step /= 2) {
            GroupMemoryBarrierWithGroupSync();
            uint a = (i / step) * step * 2 + i % step, b = a + step;
            bool up = (a & size) == 0;
            Entry x = work[a], y = work[b];
            if ((x.key > y.key) == up) {
                work[a] = y;
                work[b] = x;
            }
        }
    }
    GroupMemoryBarrierWithGroupSync();
    data[i] = work[i];
    data[i + 64] = work[i + 64];
}
