StructuredBuffer<double> from : register(t0);
StructuredBuffer<uint2> words : register(t1);
RWStructuredBuffer<double> result : register(u0);
[numthreads(8, 1, 1)] void main(uint i : SV_GroupIndex)
{
    double d = from[i], third = d / 3.0L;
    result[i * 5] = d * d + 1.0L;
    result[i * 5 + 1] = third;
    result[i * 5 + 2] = asdouble(words[i].x, words[i].y) - d;
    result[i * 5 + 3] = (double)(float)d + (int)d;
    result[i * 5 + 4] = d > 2.0L ? min(d, 5.0L) : -d;
}
