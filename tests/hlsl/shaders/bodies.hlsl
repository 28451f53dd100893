struct Body {
    float4 place; // w: mass
    float4 speed;
};
cbuffer Step : register(b0) { float dt; uint count; float softening; };
StructuredBuffer<Body> from : register(t0);
RWStructuredBuffer<Body> to : register(u0);
groupshared float4 near[32];
float3 pull(float3 at, float4 other)
{
    float3 d = other.xyz - at;
    float inverse = rsqrt(dot(d, d) + softening);
    return d * (other.w * inverse * inverse * inverse);
}
[numthreads(32, 1, 1)] void main(uint3 t : SV_DispatchThreadID, uint i : SV_GroupIndex)
{
    Body b = from[t.x];
    float3 force = 0;
    for (uint first = 0; first < count; first += 32) {
        near[i] = from[first + i].place;
        GroupMemoryBarrierWithGroupSync();
        for (uint k = 0; k < 32; k++)
            force += pull(b.place.xyz, near[k]);
        GroupMemoryBarrierWithGroupSync();
    }
    b.speed.xyz += force * dt;
    b.place.xyz += b.speed.xyz * dt;
    to[t.x] = b;
}
