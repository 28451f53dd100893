/* Two kernels, for parts of code objects that clang writes and Heddle does not. */
__attribute__((always_inline)) int
global_id(void)
{
    return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
           __builtin_amdgcn_workitem_id_x();
}

kernel void
saxpy(global float *x, global float *y, float a, local float *more)
{
    local float block[64];
    int i = global_id(), t = __builtin_amdgcn_workitem_id_x();
    block[t] = x[i];
    __builtin_amdgcn_s_barrier();
    y[i] = a * block[63 - t] + more[0];
}

constant int table[4] = {1, 2, 3, 4};
global int counters[4];

kernel __attribute__((reqd_work_group_size(8, 4, 1))) void
look(global int *o)
{
    int mine[64];
    for (int i = 0; i < 64; i++)
        mine[i ^ 3] = o[i];
    counters[1] = o[7];
    o[global_id()] = mine[o[5] & 63] + table[o[__builtin_amdgcn_workgroup_id_y()] & 3];
}
