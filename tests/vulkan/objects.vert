#version 450
// Takes a triangle from a buffer (objects.c).
layout(std430, binding = 0) readonly buffer source { vec2 corners[]; };

void main()
{
    gl_Position = vec4(corners[gl_VertexIndex], 0, 1);
}
