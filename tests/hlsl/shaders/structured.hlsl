// Members that lie at the same place by the rules of D3D, dxc and shaderc: elements of 48 bytes.
struct Range { uint2 ends; };
struct Item {
    float4 p;
    Range range;
    float2 uv;
    int id;
    uint flags;
    uint2 rest;
};
StructuredBuffer<Item> items : register(t0);
RWStructuredBuffer<Item> result : register(u1);
RWStructuredBuffer<uint> sizes : register(u2);
[numthreads(64, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    uint count, stride;
    items.GetDimensions(count, stride);
    if (t.x == 0) {
        sizes[0] = count;
        sizes[1] = stride;
    }
    if (t.x >= count)
        return;
    Item i = items[count - 1 - t.x];
    i.p.xyz = i.p.zxy * 2;
    i.range.ends.x += i.range.ends.y;
    i.uv.y = items.Load(t.x).uv.x;
    i.id = -i.id;
    i.flags |= 0x80000000u;
    result[t.x] = i;
}
