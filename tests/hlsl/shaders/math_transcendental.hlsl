StructuredBuffer<float2> from : register(t0);
RWStructuredBuffer<float> result : register(u0);
[numthreads(16, 1, 1)] void main(uint i : SV_GroupIndex)
{
    float x = from[i].x, y = from[i].y, s, c;
    sincos(x, s, c);
    float values[20] = {s, c, sin(x), cos(x), tan(x), asin(y), acos(y), atan(x), atan2(y, x), sinh(y), cosh(y), tanh(x), exp(y), exp2(y), log(abs(x)),
        log2(abs(x)), log10(abs(x)), pow(abs(x), y), rsqrt(abs(x)), radians(x)};
    for (uint k = 0; k < 20; k++)
        result[i * 20 + k] = values[k];
}
