#version 450
// A corner of a triangle (conservative.c). Push constants are not indexed by what differs between vertices.
layout(push_constant) uniform constants { vec2 a, b, c; };
void main() { gl_Position = vec4(gl_VertexIndex == 0 ? a : gl_VertexIndex == 1 ? b : c, 0, 1); }
