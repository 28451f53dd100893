RWTexture1D<float> row : register(u0);
RWTexture2D<float4> image : register(u1);
RWTexture3D<uint> volume : register(u2);
[numthreads(4, 4, 4)] void main(uint3 t : SV_DispatchThreadID)
{
    uint w, h, w3, h3, d3;
    image.GetDimensions(w, h);
    volume.GetDimensions(w3, h3, d3);
    uint old = volume[t];
    volume[t] = old * 3 + w + w3;
    if (t.z == 0)
        image[t.xy] = image[t.xy].wxyz + float4(t.x, t.y, h, d3);
    if (t.y == 0 && t.z == 0)
        row[t.x] *= 2;
}
