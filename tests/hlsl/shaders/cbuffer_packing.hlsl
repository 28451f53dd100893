// A member starts a new register of 16 bytes if it would cross one; arrays and structs always do.
struct Inner {
    float a;
    float2 b;
};
cbuffer C : register(b0)
{
    float first;
    float3 behind;   // fills the rest of the first register
    float2 two;
    float3 crosses;  // would begin at byte 24: begins at 32
    float last;      // byte 44
    float list[3];   // 48, 64, 80
    Inner inner;     // 96: a at 96, b at 100
    float4 whole;    // 112
    float2x3 m;      // column_major: three columns, at 128, 144, 160
    bool4 flags;     // 176
    int3 numbers;    // 192
};
RWStructuredBuffer<float> result : register(u0);
[numthreads(1, 1, 1)] void main()
{
    float all[23] = {first, behind.x, behind.y, behind.z, two.x, two.y, crosses.x, crosses.y, crosses.z, last, list[0], list[1], list[2],
        inner.a, inner.b.x, inner.b.y, whole.x, whole.w, m[0][0], m[1][0], m[0][1], m[1][2], flags.z ? 1 : 0};
    for (uint i = 0; i < 23; i++)
        result[i] = all[i];
    result[23] = numbers.x;
    result[24] = numbers.z;
}
