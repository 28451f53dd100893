// Arrays of textures, samplers and typed buffers: each register of the array is an element of one binding.
Texture2D<float4> images[3] : register(t0);
Buffer<uint> lists[2] : register(t8);
SamplerState samplers[2] : register(s0);
RWBuffer<float> results[2] : register(u0);
cbuffer K : register(b0) { uint which; uint other; };
[numthreads(4, 1, 1)] void main(uint i : SV_GroupIndex)
{
    float2 at = (float2(i, 0) + 0.5) / 4;
    results[0][i] = images[which].SampleLevel(samplers[other], at + 1, 0).x + lists[other][i];
    results[1][i] = images[2].Load(int3(i, 1, 0)).y + images[0][uint2(i, 0)].z + lists[0].Load(i);
}
