// The counters are buffers of their own, bound behind all registers u of the set: 2003 (to), 2004 (from), 2005 (calls).
struct Particle {
    float4 place;
    uint4 id;
};
AppendStructuredBuffer<Particle> to : register(u0);
ConsumeStructuredBuffer<Particle> from : register(u1);
RWStructuredBuffer<uint> calls : register(u2);
[numthreads(32, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    Particle p = from.Consume();
    if (p.id.x % 3 == 0) {
        p.place *= 2;
        to.Append(p);
    }
    calls[calls.IncrementCounter()] = p.id.y;
}
