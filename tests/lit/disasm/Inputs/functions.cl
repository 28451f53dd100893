/* Functions that call each other, constants in another section, pointers with loader relocations, two
 * kernels. */
constant int table[8] = {1, 5, 7, 9, 2, 4, 6, 8};
constant float thirds[3] = {1.5f, 2.5f, 3.5f};
constant int *constant pointers[2] = {&table[1], &table[5]};

__attribute__((noinline)) int
inner(int x)
{
    return x * 3 + table[x & 7];
}

__attribute__((noinline)) int
outer(int x)
{
    return inner(x) + inner(x + 1) + *pointers[x & 1];
}

kernel void
calls(global int *out)
{
    int i = __builtin_amdgcn_workitem_id_x();
    out[i] = outer(i);
}

kernel void
constants(global float *out, int n)
{
    int i = __builtin_amdgcn_workitem_id_x();
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += thirds[(i + k) % 3];
    out[i] = sum;
}
