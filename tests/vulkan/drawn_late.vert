#version 450
// Reads the buffer beside its input, which is fetched by a part of the driver's (drawn.c).
layout(std430, binding = 0) readonly buffer source { vec4 colors[]; };
layout(location = 0) in vec2 place;

void main()
{
    gl_Position = vec4(place + colors[4].y - 1, 0, 1);
}
