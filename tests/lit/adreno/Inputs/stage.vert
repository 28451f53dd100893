#version 450
layout(location = 0) in vec4 p;
layout(location = 1) in vec2 q;
layout(location = 0) out vec4 v;
layout(set = 0, binding = 0) uniform U { mat4 m; };
void main() { gl_Position = m * p; gl_PointSize = 2.0; v = vec4(q, gl_VertexIndex, gl_InstanceIndex); }
