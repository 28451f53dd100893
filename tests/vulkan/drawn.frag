#version 450
layout(std430, binding = 0) readonly buffer source { vec4 colors[]; };
layout(location = 0) out vec4 color;

void main()
{
    color = colors[4];
}
