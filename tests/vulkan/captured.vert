#version 450
// Says which vertex it is, to two buffers of transform feedback (captured.c).
layout(location = 0, xfb_buffer = 0, xfb_stride = 12, xfb_offset = 0) out uvec2 numbers;
layout(location = 1, xfb_buffer = 0, xfb_offset = 8) out float half_number;
layout(location = 2, xfb_buffer = 1, xfb_stride = 8, xfb_offset = 4) out uint number;

void main()
{
    number = uint(gl_VertexIndex);
    numbers = uvec2(number, gl_InstanceIndex);
    half_number = 0.5 * float(gl_VertexIndex);
    gl_Position = vec4(0, 0, 0, 1);
}
