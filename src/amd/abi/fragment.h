/* Fragment shaders in lower_abi (internal to src/amd/abi): lower_fragment.c decides on the
 * arguments and replaces built-in values, lower_inputs.c reads parameters, lower_colors.c makes
 * exports of outputs, in formats that color_format.c chooses. */
#ifndef AMD_ABI_FRAGMENT_H
#define AMD_ABI_FRAGMENT_H

#include "amd/abi/abi.h"
#include "family/pipeline.h"

/* The bits of SPI_PS_INPUT_ENA, in the order in which the VGPRs come: i and j for perspective and
 * linear interpolation, i / w, j / w and 1 / w, position, facing, ancillary data (sample in bits
 * 11:8, layer from bit 16 on), coverage (RDNA 2 ISA, "VGPR initialization", PS). */
enum {
    AMD_PS_PERSP_SAMPLE,
    AMD_PS_PERSP_CENTER,
    AMD_PS_PERSP_CENTROID,
    AMD_PS_PERSP_PULL,
    AMD_PS_LINEAR_SAMPLE,
    AMD_PS_LINEAR_CENTER,
    AMD_PS_LINEAR_CENTROID,
    AMD_PS_LINE_STIPPLE,
    AMD_PS_POS_X, /* Y, Z, W follow */
    AMD_PS_POS_Z = 10,
    AMD_PS_POS_W = 11,
    AMD_PS_FRONT_FACE,
    AMD_PS_ANCILLARY,
    AMD_PS_COVERAGE,
    AMD_PS_FIXED_POINT,
    AMD_PS_INPUTS,
};

/* amd_abi.own of fragment shaders. */
typedef struct amd_abi_fragment {
    const family_pipeline *pipeline;
    uint32_t inputs;         /* AMD_PS_*, a bit each */
    int args[AMD_PS_INPUTS]; /* numbers of arguments */
    int prim_mask_arg, collision_arg, state_arg;
    uint8_t *used;        /* by value that load_frag_coord defines: components that are read */
    ir_block **converged; /* by block: the nearest one before it that all lanes run together */
    bool per_sample;      /* it runs once for each sample */
    bool uses_state;      /* that is dynamic */
    bool uses_params, reads_vertices, kills, writes_memory, interlocks;
    bool reads_samples, reads_area; /* SampleMask, FullyCovered */
} amd_abi_fragment;

static inline amd_abi_fragment *
amd_abi_own_fragment(const amd_abi *a)
{
    return a->own;
}

/* The VGPRs of an input. */
static inline ir_ref
amd_abi_ps_input(amd_abi *a, unsigned input)
{
    return amd_abi_load_arg(a, amd_abi_own_fragment(a)->args[input]);
}

/* lower_fragment.c: the input of a load_barycentric; the input that stands for weights
 * elsewhere. */
unsigned
amd_abi_weights_input(const amd_abi *a, const ir_instr *load_barycentric);

/* lower_inputs.c: the value of load_input, load_interpolated_input or load_vertex_input; of the
 * coordinate in a point. */
ir_ref
amd_abi_load_param(amd_abi *a, const ir_instr *load);
ir_ref
amd_abi_point_coord(amd_abi *a, const ir_instr *load_point_coord);

/* lower_colors.c: replaces the stores of outputs by exports, and sets the registers that say of
 * them. */
void
amd_abi_lower_colors(amd_abi *a);

/* color_format.c. The formats of exports to a colour (SPI_SHADER_COL_FORMAT). */
typedef enum amd_color_format {
    AMD_COLOR_ZERO,
    AMD_COLOR_32_R,
    AMD_COLOR_32_GR,
    AMD_COLOR_32_AR,
    AMD_COLOR_FP16,
    AMD_COLOR_UNORM16,
    AMD_COLOR_SNORM16,
    AMD_COLOR_UINT16,
    AMD_COLOR_SINT16,
    AMD_COLOR_32_ABGR,
} amd_color_format;

/* The format that suits an attachment; `needs_alpha`: something reads the alpha of the first
 * colour, even if the attachment has none. */
amd_color_format
amd_abi_color_format(const family_color *c, bool needs_alpha);

/* ordered_waves.c: does the shader wait for overlapping waves by their numbers? The wait, in place
 * of each begin_interlock. */
bool
amd_abi_waits_by_numbers(const amd_abi *a);
void
amd_abi_wait_by_numbers(amd_abi *a);

#endif
