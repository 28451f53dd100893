#define AT(b, s) [[vk::binding(b, s)]]
AT(7, 2) ByteAddressBuffer bytes : register(t3);
[[vk::binding(9)]] cbuffer K { int n; float f; };
RWStructuredBuffer<uint> o : register(u0);
[numthreads(64, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    uint size, count, stride;
    bytes.GetDimensions(size);
    o.GetDimensions(count, stride);
    o[t.x] = size + count + n % 3 + (uint)fmod(f, 2) + WavePrefixSum(t.x);
}
