#version 450
layout(local_size_x = 64) in;
layout(constant_id = 1) const uint number = 3;
layout(constant_id = 2) const float real = 1.5;
layout(constant_id = 3) const bool flag = true;
layout(std430, binding = 0) buffer B { uint v[]; };
void main() { v[gl_GlobalInvocationID.x] += number + uint(real) + uint(flag); }
