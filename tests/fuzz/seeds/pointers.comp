#version 460
#extension GL_EXT_buffer_reference : enable
#extension GL_EXT_buffer_reference2 : enable
#extension GL_EXT_nonuniform_qualifier : enable
layout(local_size_x = 64) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { Node next; vec3 value; uint flags[16]; };
layout(push_constant) uniform Push { Node head; uint steps; } push;
layout(binding = 0) buffer Out { vec4 sums[]; } outs[];
layout(binding = 1) uniform Table { uvec4 rows[16]; mat3x2 turn; } table;

void
main()
{
    uint id = gl_GlobalInvocationID.x;
    Node node = push.head + int(id & 1u);
    vec3 sum = vec3(0);
    for (uint k = 0u; k < push.steps && node.flags[k] != 0u; k++) {
        sum += node.value;
        node.flags[k + 1u] |= table.rows[k & 15u].z;
        node = node.next;
    }
    outs[nonuniformEXT(id & 7u)].sums[outs[0].sums.length() - 1] = vec4(table.turn * sum, sum.zx);
}
