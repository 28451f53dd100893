#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly restrict buffer Fin { float v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) restrict buffer Fio { float v[]; };
layout(push_constant) uniform P { Fin x; Fio y; float a; int n; };
void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i < n) y.v[i] = fma(a, x.v[i], y.v[i]);
}
