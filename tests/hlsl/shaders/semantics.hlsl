RWStructuredBuffer<uint> result : register(u0);
struct Ids {
    uint3 group : SV_GroupID;
    uint3 local : SV_GroupThreadID;
};
[numthreads(4, 3, 2)] void start(Ids ids, uint3 global : SV_DispatchThreadID, uint index : SV_GroupIndex)
{
    uint group = ids.group.x + 2 * ids.group.y;
    uint at = (group * 24 + index) * 2;
    result[at] = global.x + 100 * global.y + 10000 * global.z;
    result[at + 1] = ids.local.x + 10 * ids.local.y + 100 * ids.local.z + 1000 * group;
}
