#version 450
// The texture of the test: its upper half is red, its lower half is blue.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = uv.y < 0.5 ? vec4(1.0, 0.0, 0.0, 1.0) : vec4(0.0, 0.0, 1.0, 1.0); }
