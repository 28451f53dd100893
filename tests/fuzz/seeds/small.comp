#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int v[]; };
void main() { v[gl_GlobalInvocationID.x] += 1; }
