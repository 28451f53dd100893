/* Sizes of an image instruction's operands.
 *
 * Addresses have this order, one register each: offset, bias, z-compare, gradients, coordinates,
 * lod (or clamp, or mip). a16 packs coordinates and lod as halves, two per register; the _g16
 * opcodes pack gradients, separately for each direction: (dx/du, dy/du), (dz/du, -), ...
 */
#include "amd/isa/table/mimg.h"
#include "base/bits.h"

/* Numbers of coordinates (including face, slice and fragment) and gradients by `dim`: 1D 2D 3D cube
 * 1D-array 2D-array 2D-msaa 2D-msaa-array. */
static const uint8_t dim_coords[8] = {1, 2, 3, 3, 2, 3, 3, 4};
static const uint8_t dim_gradients[8] = {2, 4, 6, 4, 2, 4, 4, 4};

unsigned
amd_mimg_address_dwords(const amd_op_info *row, const amd_inst *in)
{
    unsigned parts = row->memory;
    if (parts & AMD_A_BVH)
        return (parts & 1 ? 12u : 11u) - (in->a16 ? 3u : 0u);
    unsigned dwords = base_popcount32(parts & (AMD_A_OFFSET | AMD_A_BIAS | AMD_A_COMPARE));
    unsigned comps = (parts & AMD_A_COORDS ? dim_coords[in->dim & 7] : 0u) +
                     (parts & AMD_A_LOD ? 1u : 0u);
    dwords += in->a16 ? (comps + 1) / 2 : comps;
    if (parts & AMD_A_GRADIENTS) {
        unsigned gradients = dim_gradients[in->dim & 7];
        dwords += parts & AMD_A_G16 ? (gradients / 2 + 1) / 2 * 2 : gradients;
    }
    return dwords;
}

unsigned
amd_mimg_address_tuple(const amd_op_info *row, const amd_inst *in)
{
    unsigned n = amd_mimg_address_dwords(row, in);
    return n > 12 ? 16 : n;
}

unsigned
amd_mimg_address_fields(amd_gen gen, const amd_op_info *row, const amd_inst *in,
                        uint8_t dwords[AMD_MAX_ADDRESS_FIELDS])
{
    unsigned left = amd_mimg_address_dwords(row, in), n = 0;
    unsigned most = gen < AMD_GFX11 ? AMD_MAX_ADDRESS_FIELDS
                    : gen == AMD_GFX12 && row->number[gen] >= AMD_VSAMPLE_NUMBERS ? 4
                                                                                  : 5;
    if (row->memory & AMD_A_BVH && gen >= AMD_GFX11) {
        bool wide = row->memory > AMD_A_BVH64;
        dwords[n++] = wide || row->memory == AMD_A_BVH64 ? 2 : 1;
        dwords[n++] = wide ? 2 : 1;
        if (wide) {
            dwords[n++] = 3;
            dwords[n++] = 3;
            dwords[n++] = row->memory == AMD_A_BVH_DUAL ? 2 : 1;
            return n;
        }
        while (n < (in->a16 ? 4u : 5u))
            dwords[n++] = 3;
        return n;
    }
    while (left && n < most) {
        dwords[n] = (uint8_t)(n + 1 == most ? left : 1);
        left -= dwords[n++];
    }
    return n;
}

static bool
is_sampled(const amd_op_info *row)
{
    return row->operands[3].role && row->operands[3].kind == AMD_K_SAMP;
}

unsigned
amd_mimg_address_most(const amd_op_info *row)
{
    bool msaa = !is_sampled(row) && !(row->memory & AMD_A_LOD); /* multisampled images have no
                                                                   samplers and no mips */
    unsigned most = 0, dims = msaa ? 8 : 6;
    for (unsigned dim = 0; dim < dims; dim++) {
        unsigned n = amd_mimg_address_dwords(row, &(amd_inst){.dim = (uint8_t)dim});
        if (n > most)
            most = n;
    }
    return most;
}

unsigned
amd_mimg_nsa_words_max(amd_gen gen, const amd_op_info *row)
{
    if (gen >= AMD_GFX11)
        return 1;
    unsigned most = amd_mimg_address_most(row);
    return most < 2 ? 1 : (most + 2) / 4 > 3 ? 3 : (most + 2) / 4;
}

unsigned
amd_mimg_data_dwords(const amd_op_info *row, const amd_inst *in)
{
    if (row->memory & AMD_A_BVH)
        return row->memory > AMD_A_BVH64 ? 10 : 4;
    bool gather4 = row->operands[0].type == AMD_T_B128;
    unsigned dwords = gather4 ? 4 : base_popcount32(in->dmask);
    if (dwords == 0)
        dwords = 1;
    if (in->d16)
        dwords = (dwords + 1) / 2;
    return dwords + (in->tfe ? 1 : 0);
}

/* As LLVM 19 counts: sampler instructions have at least one coordinate, or two gradients and one
 * coordinate packed into two registers. */
unsigned
amd_mimg_address_least(const amd_op_info *row)
{
    unsigned parts = row->memory;
    if (!is_sampled(row))
        return 1;
    return base_popcount32(parts & (AMD_A_OFFSET | AMD_A_BIAS | AMD_A_COMPARE)) +
           (parts & AMD_A_GRADIENTS ? 2u : 1u);
}

bool
amd_mimg_address_fits(const amd_op_info *row, unsigned dwords)
{
    unsigned parts = row->memory, most = 4;
    if (is_sampled(row))
        most = base_popcount32(parts & (AMD_A_OFFSET | AMD_A_BIAS | AMD_A_COMPARE)) + 3 +
               (parts & AMD_A_GRADIENTS ? 6u : 0u) + (parts & AMD_A_LOD ? 1u : 0u);
    if (dwords >= amd_mimg_address_least(row) && dwords <= most)
        return true;
    return dwords == (most <= 4 ? 4u : most <= 8 ? 8u : 16u); /* a tuple that is large enough */
}
