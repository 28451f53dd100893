// modf, frexp, isnan and its like, comparisons with NaN.
StructuredBuffer<uint> from : register(t0);
RWStructuredBuffer<uint> result : register(u0);
[numthreads(12, 1, 1)] void main(uint i : SV_GroupIndex)
{
    float x = asfloat(from[i]), whole;
    float part = modf(x, whole);
    result[i * 7] = (isnan(x) ? 1 : 0) + (isinf(x) ? 2 : 0) + (isfinite(x) ? 4 : 0);
    result[i * 7 + 1] = (x < 1 ? 1 : 0) + (x >= 1 ? 2 : 0) + (x == x ? 4 : 0) + (x != x ? 8 : 0) + (!(x < 1) ? 16 : 0);
    result[i * 7 + 2] = isfinite(x) ? asuint(part) : 0;
    result[i * 7 + 3] = isfinite(x) ? asuint(whole) : 0;
    result[i * 7 + 4] = asuint(x * exp2(3));
    result[i * 7 + 5] = asuint(-x);
    float exponent, mantissa = frexp(x, exponent);
    result[i * 7 + 6] = x > 0 && isfinite(x) ? asuint(mantissa + 4 * exponent) : 0;
}
