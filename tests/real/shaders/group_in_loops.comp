#version 450
// The number of the workgroup is alive in loops that paths join in whose inner loops it has names of its own.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { int at[]; } b;

void main()
{
    const int own = int(gl_LocalInvocationIndex), group = int(gl_WorkGroupID.x);
    int sum = 0;
    for (int y = 0; y < b.at[own]; y++) {
        if ((b.at[y] & 1) != 0)
            continue;
        for (int x = 0; x < b.at[y + 64]; x++)
            sum += b.at[x] * group;
    }
    b.at[own + 128] = sum + group;
}
