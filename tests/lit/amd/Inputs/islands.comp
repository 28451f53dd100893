#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
    uint n = data[0];
    for (uint i = 0; i < n; i++) {
        if (i != 7) {
            data[i + 1] = i;
            data[i + 20] = i;
            data[i + 30] = i;
            data[i + 40] = i;
            data[i + 50] = i;
            data[i + 60] = i;
            data[i + 70] = i;
        }
    }
}
