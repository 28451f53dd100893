/* Kernels of lane operations: ballots, reads of other lanes, DPP, permutations, reductions and scans of waves. The results do not depend on
 * the wave size, or the reference takes the size into account. */

/* Lane numbers, and a ballot for both wave sizes. */
#define WAVE __AMDGCN_WAVEFRONT_SIZE
#define LANE (LID & (WAVE - 1))

KERNEL ballots(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID], r = 0;
    ulong odd = ballot(v & 1);
    r = mix(r, odd);
    if (v & 2)
        r = mix(r, ballot(v & 4));
    else
        r = mix(r, ballot(b[GID] & 1) * 3);
    for (uint k = 0; k < (v & 3); k++)
        r = mix(r, ballot(true));
    out[GID] = mix(r, lanes_before(odd) + (odd >> LANE & 1) * 100);
}

KERNEL lane_reads(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID], r = 0;
    r = mix(r, (uint)__builtin_amdgcn_readfirstlane((int)v));
    for (uint k = 0; k < 32; k += 3)
        r = mix(r, (uint)__builtin_amdgcn_readlane((int)v, (int)k));
    uint at = (uint)__builtin_amdgcn_readfirstlane((int)(b[GID] & 31));
    r = mix(r, (uint)__builtin_amdgcn_readlane((int)v, (int)at));
    if (v & 1)
        r = mix(r, (uint)__builtin_amdgcn_readfirstlane((int)v));
    out[GID] = r;
}

/* A loop over the distinct values, as in code for indices that must be uniform (a "waterfall" loop). */
KERNEL waterfall(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID] % 5, r = 0;
    for (;;) {
        uint first = (uint)__builtin_amdgcn_readfirstlane((int)v);
        ulong equal = ballot(first == v);
        if (first == v) {
            r = mix(b[first], equal);
            break;
        }
    }
    out[GID] = r;
}

/* Compaction: lanes with something to write get consecutive slots. */
KERNEL pack(const global uint *a, const global uint *b, global uint *out, uint n)
{
    bool keep = a[GID] % 3 == 0;
    ulong who = ballot(keep);
    uint base = GID - LANE;
    if (keep)
        out[base + lanes_before(who)] = a[GID] ^ b[GID];
}

KERNEL swizzles(const global uint *a, const global uint *b, global uint *out, uint n)
{
    int v = (int)a[GID];
    uint r = 0;
    r = mix(r, (uint)__builtin_amdgcn_ds_swizzle(v, 0x041f)); /* xor 1 */
    r = mix(r, (uint)__builtin_amdgcn_ds_swizzle(v, 0x401f)); /* xor 16 */
    r = mix(r, (uint)__builtin_amdgcn_ds_swizzle(v, 0x7c1f)); /* xor 31 */
    r = mix(r, (uint)__builtin_amdgcn_ds_swizzle(v, 0x0018)); /* and 24 */
    r = mix(r, (uint)__builtin_amdgcn_ds_swizzle(v, 0x00ff)); /* or 7 */
    r = mix(r, (uint)__builtin_amdgcn_ds_swizzle(v, 0x801b)); /* quads: 3 2 1 0 */
    out[GID] = r;
}

#if HAS_DPP
KERNEL permutes(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID], at = (LID & 31) * 7 + 3 & 31, half_wave = LANE & 32;
    uint r = mix(0, (uint)__builtin_amdgcn_ds_bpermute((int)((half_wave + at) * 4), (int)v));
    r = mix(r, (uint)__builtin_amdgcn_ds_permute((int)((half_wave + at) * 4), (int)v));
    r = mix(r, (uint)__builtin_amdgcn_ds_bpermute((int)((half_wave + (b[GID] & 31)) * 4), (int)v));
    out[GID] = r;
}

#define DPP(old, v, control, rows, banks, bound) (uint) __builtin_amdgcn_update_dpp((int)(old), (int)(v), control, rows, banks, bound)

/* Sum and minimum of each 16 lanes, then of 32 by reading a lane. */
KERNEL wave_reduce(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint sum = a[GID], least = b[GID];
    sum += DPP(0, sum, 0xb1, 15, 15, 1); /* quad_perm 1 0 3 2 */
    sum += DPP(0, sum, 0x4e, 15, 15, 1); /* quad_perm 2 3 0 1 */
    sum += DPP(0, sum, 0x141, 15, 15, 1); /* row_half_mirror */
    sum += DPP(0, sum, 0x140, 15, 15, 1); /* row_mirror */
    for (uint k = 0; k < 4; k++) {
        uint other = k == 0   ? DPP(least, least, 0x121, 15, 15, 0)
                     : k == 1 ? DPP(least, least, 0x122, 15, 15, 0)
                     : k == 2 ? DPP(least, least, 0x124, 15, 15, 0)
                              : DPP(least, least, 0x128, 15, 15, 0); /* row_ror 1, 2, 4, 8 */
        least = other < least ? other : least;
    }
    uint rows = 0;
    for (uint k = 0; k < 32; k += 16)
        rows += (uint)__builtin_amdgcn_readlane((int)sum, (int)k);
    out[GID] = mix(mix(sum, least), rows);
}

/* Inclusive sums along 16 lanes. */
KERNEL wave_scan(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint sum = a[GID];
    sum += DPP(0, sum, 0x111, 15, 15, 0); /* row_shr 1 */
    sum += DPP(0, sum, 0x112, 15, 15, 0);
    sum += DPP(0, sum, 0x114, 15, 15, 0);
    sum += DPP(0, sum, 0x118, 15, 15, 0);
    out[GID] = sum ^ b[GID];
}

/* Row and bank masks, bound_ctrl, lanes that are off. */
KERNEL dpp_masks(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID], r = b[GID];
    r = mix(r, DPP(1111, v, 0x101, 15, 15, 0)); /* row_shl 1 */
    r = mix(r, DPP(2222, v, 0x103, 15, 15, 1));
    r = mix(r, DPP(3333, v, 0x111, 5, 15, 0));
    r = mix(r, DPP(4444, v, 0x114, 15, 10, 0));
    r = mix(r, DPP(b[GID], v, 0xff, 10, 3, 1)); /* quad_perm 3 3 3 3 */
    if (LID & 1)
        r = mix(r, DPP(5555, v, 0x112, 15, 15, 0));
    else
        r = mix(r, DPP(6666, v, 0x111, 15, 15, 0)); /* from lanes that are off: old */
    out[GID] = r;
}
#endif

#if defined __GFX8__ || defined __GFX9__
/* Controls that gfx10 dropped: shifts of whole waves and broadcasts from row to row. */
KERNEL wave_shifts(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID], r = b[GID];
    r = mix(r, DPP(7, v, 0x130, 15, 15, 0)); /* wave_shl 1 */
    r = mix(r, DPP(7, v, 0x138, 15, 15, 0)); /* wave_shr 1 */
    r = mix(r, DPP(7, v, 0x134, 15, 15, 0)); /* wave_rol 1 */
    r = mix(r, DPP(7, v, 0x13c, 15, 15, 0)); /* wave_ror 1 */
    r = mix(r, DPP(7, v, 0x142, 10, 15, 0)); /* row_bcast 15 */
    r = mix(r, DPP(7, v, 0x143, 12, 15, 0)); /* row_bcast 31 */
    out[GID] = r;
}
#endif

#if HAS_RDNA_LANES
/* Instructions new in gfx10: row_share, row_xmask, and permlane with lane numbers in scalar words. */
KERNEL row_operations(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint v = a[GID], r = b[GID];
    r = mix(r, DPP(7, v, 0x153, 15, 15, 0)); /* row_share 3 */
    r = mix(r, DPP(7, v, 0x165, 15, 15, 0)); /* row_xmask 5 */
    r = mix(r, (uint)__builtin_amdgcn_permlane16((int)r, (int)v, 0x01234567, (int)n * 0 + 0x10101010, 0, 0));
    r = mix(r, (uint)__builtin_amdgcn_permlanex16((int)r, (int)v, (int)0xfedcba98, 0x76543210, 0, 1));
    out[GID] = mix(r, (uint)__builtin_amdgcn_mov_dpp8((int)v, 0x7d1c2b));
}
#endif

#if defined __GFX11__ || defined __GFX12__
/* Exchanges the halves of the wave; no effect in wave32. */
KERNEL half_waves(const global uint *a, const global uint *b, global uint *out, uint n)
{
    out[GID] = mix(a[GID], (uint)__builtin_amdgcn_permlane64((int)b[GID]));
}
#endif

#ifdef __GFX12__
/* Permutations with lane numbers in a VGPR. */
KERNEL permlane_var(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint r = (uint)__builtin_amdgcn_permlane16_var((int)a[GID], (int)a[GID], (int)(b[GID] & 15), 0, 0);
    out[GID] = mix(r, (uint)__builtin_amdgcn_permlanex16_var((int)b[GID], (int)b[GID], (int)(a[GID] & 15), 0, 0));
}
#endif
