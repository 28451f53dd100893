#version 450
layout(local_size_x = 1) in;
layout(std140, binding = 0) uniform K { layout(row_major) mat3 a; layout(row_major) mat4x3 b; layout(row_major) mat4 d; vec4 v; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uint n = 0, i, j;
    mat4x3 ab = a * b;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4; j++)
            result[n++] = ab[j][i];
    vec3 column = b * v;
    vec4 row = v.xyz * b;
    result[n++] = column.x;
    result[n++] = column.z;
    result[n++] = row.x;
    result[n++] = row.w;
    result[n++] = b[3][1];
    result[n++] = b[2][0];
    result[n++] = determinant(a);
    result[n++] = determinant(d);
    result[n++] = determinant(mat2(a));
    result[n++] = a[2][1] + a[2][1];
    result[n++] = a[0][2] * 3 + 1;
    result[n++] = dot(v, transpose(d)[2]);
    result[n++] = dot(v, v);
    result[n++] = v.w;
    result[n++] = 1;
}
