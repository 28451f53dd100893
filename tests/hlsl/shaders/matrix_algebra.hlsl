// mul of rows and columns, transpose, determinant, * by component.
cbuffer K : register(b0)
{
    row_major float3x3 a;
    row_major float3x4 b;
    row_major float4x4 d;
    float4 v;
};
RWStructuredBuffer<float> result : register(u0);
[numthreads(1, 1, 1)] void main()
{
    uint n = 0, i, j;
    float3x4 ab = mul(a, b);
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4; j++)
            result[n++] = ab[i][j];
    float3 column = mul(b, v);   // v is a column
    float4 row = mul(v.xyz, b);  // v is a row
    result[n++] = column.x;
    result[n++] = column.z;
    result[n++] = row.x;
    result[n++] = row.w;
    float4x3 t = transpose(b);
    result[n++] = t[3][1];
    result[n++] = t._m20;
    result[n++] = determinant(a);
    result[n++] = determinant(d);
    result[n++] = determinant((float2x2)a);
    float3x3 twice = a + a;
    result[n++] = twice[1][2];
    float3x3 scaled = mul(a, 3.0f) + 1;
    result[n++] = scaled[2][0];
    result[n++] = dot(v, d[2]);
    result[n++] = mul(v, v);     // of vectors: dot
    float3x3 made = float3x3(v.xyz, v.yzw, float3(1, 2, 3));
    result[n++] = made[1][2];
    result[n++] = made[2][0];
}
