#version 450
// Stores a colour of the buffer behind it (objects.c).
layout(std430, binding = 0) buffer source { vec4 colors[]; };

void main()
{
    if (ivec2(gl_FragCoord.xy) == ivec2(0))
        colors[5] = colors[4];
}
