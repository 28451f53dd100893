// Division and remainder of negative numbers, conversions, comparisons of unsigned numbers, logic of numbers.
StructuredBuffer<int2> from : register(t0);
RWStructuredBuffer<int> result : register(u0);
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex)
{
    int a = from[i].x, b = from[i].y;
    uint u = (uint)a, v = (uint)b;
    uint at = i * 12;
    result[at] = a / b;
    result[at + 1] = a % b;
    result[at + 2] = (int)(u / v);
    result[at + 3] = (int)(u % v);
    result[at + 4] = (a < b ? 1 : 0) + (u < v ? 2 : 0) + (u >= v ? 4 : 0);
    result[at + 5] = a * b;
    result[at + 6] = (int)((float)a * 0.5f);
    result[at + 7] = (int)(float)(u >> 8);
    result[at + 8] = (bool)a + 2 * (bool)(a & 4);
    result[at + 9] = a && b || !a ? ~a : -a;
    result[at + 10] = (a++ + ++b) * 2 + a - b--;
    a <<= 2;
    b ^= a;
    a |= 5;
    a -= b;
    result[at + 11] = a;
}
