#version 460
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
struct Item { vec3 position; float weight; ivec2 cell; };
layout(std430, set = 1, binding = 2) buffer Items { Item items[]; };
layout(rgba8, set = 0, binding = 4) uniform image2D picture;
layout(set = 0, binding = 5) uniform sampler2D tex;
layout(set = 2, binding = 0) buffer Out { double d; int64_t l; float16_t h; uint u[]; } outs[2];

float
length_of(Item i)
{
    return length(i.position) * i.weight;
}

void
main()
{
    uint id = gl_GlobalInvocationID.x;
    Item mine = items[id];
    mine.position = normalize(cross(mine.position, vec3(1, 2, 3)));
    mine.cell.yx += ivec2(gl_WorkGroupID.xy);
    float parts[4] = float[](1.0, 2.0, mine.weight, exp2(mine.weight));
    items[id] = mine;
    vec4 texel = textureLod(tex, mine.position.xy, 0.0) + imageLoad(picture, mine.cell);
    imageStore(picture, mine.cell, clamp(texel, 0.0, parts[id & 3u]));
    float sum = subgroupAdd(length_of(mine));
    uvec4 votes = subgroupBallot(sum > 3.0);
    outs[id & 1u].u[id] = votes.x + packHalf2x16(texel.xy);
    if (gl_LocalInvocationIndex == 0u) {
        outs[0].d = double(sum) / 3.0LF;
        outs[0].l = int64_t(id) * 1234567890123L;
        outs[0].h = float16_t(sum);
    }
}
