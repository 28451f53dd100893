ByteAddressBuffer from : register(t2);
RWByteAddressBuffer to : register(u0);
[numthreads(32, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    uint size;
    from.GetDimensions(size);
    uint at = t.x * 40;
    uint4 four = from.Load4(at);
    uint3 three = from.Load3(at + 16);
    uint2 two = from.Load2(at + 28);
    uint one = from.Load(at + 36);
    to.Store4(at, four.wzyx);
    to.Store3(at + 16, three + size);
    to.Store2(at + 28, asuint(asfloat(two) * 0.5f));
    to.Store(at + 36, one ^ to.Load(at + 36));
}
