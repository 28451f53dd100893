#version 460
layout(local_size_x_id = 1, local_size_y = 2) in;
layout(constant_id = 1) const uint WIDTH = 16;
layout(constant_id = 2) const int COUNT = 3;
layout(constant_id = 4) const bool FANCY = true;
const int TWICE = COUNT * 2 + (FANCY ? 1 : 0);
struct Inner { mat2 m; ivec3 v[2]; };
struct Outer { Inner parts[3]; float weights[3]; bool set; };
layout(binding = 0, std430) buffer Data { Inner data[]; };
layout(binding = 1, std140, row_major) uniform Block { mat4x3 turns[2]; Inner first; } block;
shared Outer meeting;
const float curve[5] = float[](0.0, 0.5, 0.25, 3.0, -1.0);

void
mix_in(inout Outer o, in Inner i, out float total)
{
    o.parts[int(WIDTH) % 3] = i;
    o.set = i.v[1].x > 3;
    total = determinant(i.m);
    for (int k = 0; k < COUNT; k++)
        total += o.weights[k] * curve[(k + i.v[0].y) & 3];
}

void
main()
{
    uint id = gl_GlobalInvocationID.x;
    float steps[TWICE];
    Outer mine = meeting;
    for (int k = 0; k < TWICE; k++)
        steps[k] = float(k) * curve[k % 5];
    float total;
    mix_in(mine, data[id], total);
    steps[id % uint(TWICE)] = total;
    mat2 inv = inverse(data[id].m) * transpose(block.first.m);
    mine.parts[2].m = inv + mine.parts[1].m * steps[(id + 1u) % uint(TWICE)];
    if (gl_LocalInvocationIndex == 0u)
        meeting = mine;
    barrier();
    data[id] = meeting.parts[id % 3u];
    data[id].v[1].zx = ivec2((block.turns[1] * vec4(total)).yz);
}
