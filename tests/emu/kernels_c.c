/* The kernels compiled as C, and functions that kernels.cl calls across the two languages: code
 * linked by the loader's relocations, whose callers do not know the callee's registers and stack.
 * Not for gfx6, which has no flat instructions. */
#include "items_base.h"

#include "items_c.h"

#define GID (__builtin_amdgcn_workgroup_id_x() * 128 + __builtin_amdgcn_workitem_id_x())
#define X(name)                                                                                    \
    __attribute__((amdgpu_kernel, visibility("protected"))) void name(const u32 *a, const u32 *b,  \
                                                                      u32 *out, u32 n)             \
    {                                                                                              \
        out[GID] = item_##name(GID, a, b, n);                                                      \
    }
ITEMS_C(X)
ITEMS_C_CALLS(X)
#undef X

static u32 kept[4] = {3, 1, 4, 1};

u32
outside_mix(u32 x, u32 *own, const u32 *table)
{
    u32 t[6];
    for (u32 k = 0; k < 6; k++)
        t[k] = table[(x + k) & 7] + kept[k & 3];
    *own += t[x % 6];
    return mix(x, t[*own % 6]);
}
