// Vulkan's attributes: push constants, specialisation constants; a loose global is in a cbuffer of its own.
struct Push {
    uint base;
    float scale;
    uint4 list;
};
[[vk::push_constant]] ConstantBuffer<Push> push;
[[vk::constant_id(3)]] const uint shift = 2;
[[vk::constant_id(4)]] const bool twice = false;
float4 tint;
RWStructuredBuffer<float> result : register(u0);
[numthreads(4, 1, 1)] void main(uint i : SV_GroupIndex)
{
    float v = (push.base + (push.list[i] << shift)) * push.scale + tint[i];
    result[i] = twice ? v * 2 : v;
}
