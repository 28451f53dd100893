// The kernel of docs/tour.md.
kernel void
reverse(global uint *out, global const uint *in, local uint *t)
{
    uint l = __builtin_amdgcn_workitem_id_x(), n = __builtin_amdgcn_workgroup_size_x();
    uint i = __builtin_amdgcn_workgroup_id_x() * n + l;
    t[l] = in[i];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    out[i] = t[n - 1 - l];
}
