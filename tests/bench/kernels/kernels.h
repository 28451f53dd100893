/* What the kernels in OpenCL C share. OpenCL's built-in library is not linked: these are its functions as one instruction each. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL(x, y) __attribute__((reqd_work_group_size(x, y, 1))) kernel void
#define LID_X        __builtin_amdgcn_workitem_id_x()
#define LID_Y        __builtin_amdgcn_workitem_id_y()
#define GROUP_X      __builtin_amdgcn_workgroup_id_x()
#define GROUP_Y      __builtin_amdgcn_workgroup_id_y()
#define FMA          __builtin_fmaf
#define RSQRT        __builtin_amdgcn_rsqf
#define RCP          __builtin_amdgcn_rcpf
#define EXP2         __builtin_amdgcn_exp2f
#define MIN(a, b)    ((a) < (b) ? (a) : (b))
#define MAX(a, b)    ((a) > (b) ? (a) : (b))

static inline void
sync(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
}

static inline uint
rotate_left(uint x, uint n)
{
    return x << n | x >> (32 - n);
}
