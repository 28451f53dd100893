#version 450
// Makes a part of what a draw reads: vertices, indices, arguments, a colour (drawn.c).
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer result { uint to[]; };
layout(push_constant) uniform constants { uint first, count, words[16]; };

void main()
{
    for (uint k = 0; k < count; k++)
        to[first + k] = words[k];
}
