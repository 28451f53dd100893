// m[r][c] and _mRC name row and column, however the matrix lies in memory. Columns are the default.
struct Pair {
    row_major float2x4 r;
    column_major float2x4 c;
};
cbuffer K : register(b0)
{
    row_major float3x4 rows;
    column_major float3x4 columns;
    float3x4 plain;
    float4x4 list[2];
};
StructuredBuffer<Pair> pairs : register(t0);
RWStructuredBuffer<float> result : register(u0);
[numthreads(1, 1, 1)] void main()
{
    uint n = 0;
    for (uint r = 0; r < 3; r++) {
        for (uint c = 0; c < 4; c++) {
            result[n++] = rows[r][c];
            result[n++] = columns[r][c];
            result[n++] = plain[r][c];
        }
    }
    result[n++] = rows._m12;
    result[n++] = columns._23;
    result[n++] = plain._m03;
    result[n++] = list[1][2][3];
    result[n++] = list[1]._14;
    float4 row = rows[1];
    result[n++] = row.w;
    result[n++] = pairs[1].r[1][2];
    result[n++] = pairs[1].c[1][2];
}
