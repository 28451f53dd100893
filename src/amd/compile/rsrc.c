#include "amd/compile/rsrc.h"

#include "amd/registers/registers.h"
#include "amd/target/graphics.h"
#include "amd/target/occupancy.h"

static uint32_t
granules(uint32_t n, uint32_t granule)
{
    uint32_t g = (n + granule - 1) / granule;
    return g ? g - 1 : 0;
}

/* The lines of 128 bytes of code that the hardware fetches before the first instruction; 0: it does
 * not. */
static uint32_t
prefetch_size(const amd_program *p)
{
    uint32_t lines = (p->code_size + 127) / 128;
    uint32_t most = (1u << amd_has(p->target, prefetch_bits)) - 1;
    return lines < most ? lines : most;
}

/* The fields at the same place in RSRC1 of all stages: VGPRS 5:0, SGPRS 9:6 in steps of 8,
 * FLOAT_MODE 19:12, DX10_CLAMP 21. */
static uint32_t
common_rsrc(const amd_program *p)
{
    enum { SGPRS_SHIFT = 6, SGPRS_STEP = 8, MODE_SHIFT = 12, CLAMP = 1 << 21 };
    unsigned granule = amd_has(p->target, vgpr_count_step) * (p->wave_size == 32 ? 2u : 1u);
    unsigned sgpr_granule = amd_has(p->target, sgpr_granule);
    uint32_t word = granules(amd_vgprs_taken(p), granule) | p->float_mode << MODE_SHIFT;
    if (sgpr_granule) {
        uint32_t n = p->sgprs_used + amd_has(p->target, extra_sgprs);
        n = (granules(n, sgpr_granule) + 1) * sgpr_granule;
        word |= granules(n, SGPRS_STEP) << SGPRS_SHIFT;
    }
    return word | (amd_has(p->target, has_clamp_mode) ? CLAMP : 0);
}

/* COMPUTE_PGM_RSRC1 to 3 (LLVM 19, AMDGPUUsage, "compute_pgm_rsrc1 for GFX6-GFX12" and following):
 * VGPRS 5:0, SGPRS 9:6 in steps of 8, FLOAT_MODE 19:12, DX10_CLAMP 21, WGP_MODE 29, MEM_ORDERED
 * 30; SCRATCH_EN 0, USER_SGPR 5:1, TGID_X_EN 7 to 9, TG_SIZE_EN 10, TIDIG_COMP_CNT 12:11, LDS_SIZE
 * 23:15 in blocks of lds_granule; ACCUM_OFFSET 5:0 in steps of 4, or SHARED_VGPR_COUNT 3:0 in steps
 * of 8, INST_PREF_SIZE from 4 on. */
static void
make_compute(const amd_program *p, uint32_t rsrc[3])
{
    enum { ACCUM_STEP = 4, SHARED_STEP = 8 };
    uint32_t local_ids = 0, rsrc2 = p->n_user_sgprs << 1 | p->needs_scratch;
    for (unsigned a = 0; a < p->n_args; a++) {
        if (p->args[a].kind == AMD_ARG_WORKGROUP_ID)
            rsrc2 |= 1u << (7 + p->args[a].index);
        if (p->args[a].kind == AMD_ARG_WORKGROUP_ID_YZ)
            rsrc2 |= 3u << 8;
        if (p->args[a].kind == AMD_ARG_WORKGROUP_INFO)
            rsrc2 |= 1u << 10;
        if (p->args[a].kind == AMD_ARG_LOCAL_ID)
            local_ids = p->args[a].index;
    }
    rsrc[0] = common_rsrc(p);
    if (amd_has(p->target, has_wgp_mode))
        rsrc[0] |= (uint32_t)!p->one_unit << 29 | 1u << 30;
    uint32_t block = amd_has(p->target, lds_granule);
    uint32_t lds = p->hsa ? 0 : (p->lds_bytes + block - 1) / block; /* hsa: set by the dispatcher */
    rsrc[1] = rsrc2 | local_ids << 11 | lds << 15;
    rsrc[2] = amd_has(p->target, has_accum_offset) ? granules(p->vgprs_used, ACCUM_STEP) : 0;
    rsrc[2] |= p->shared_vgprs / SHARED_STEP | prefetch_size(p) << 4;
}

/* ---- graphics ---- */

static uint32_t
bits(const amd_program *p, amd_hw_field field, uint32_t v)
{
    return amd_hw_field_bits(field, p->target->gen, v);
}

/* How many VGPRs behind `first` the hardware must fill for the arguments up to `last`. */
static uint32_t
vgprs_filled(const amd_program *p, unsigned first, unsigned last)
{
    uint32_t n = 0;
    for (uint32_t a = 0; a < p->n_args; a++) {
        const amd_arg *arg = &p->args[a];
        unsigned number = arg->reg - (unsigned)AMD_REG_VGPR0;
        if (arg->vgpr && number >= first && number <= last && number - first > n)
            n = number - first;
    }
    return n;
}

/* What streamout tells waves. */
static uint32_t
streamout_sgprs(const amd_program *p)
{
    uint32_t word = 0;
    for (uint32_t a = 0; a < p->n_args; a++) {
        const amd_arg *arg = &p->args[a];
        if (arg->kind == AMD_ARG_XFB_CONFIG)
            word |= bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_VS_SO_EN, 1);
        if (arg->kind == AMD_ARG_XFB_OFFSET)
            word |= bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_VS_SO_BASE0_EN, 1) << arg->index;
    }
    return word;
}

static void
make_vertex(const amd_program *p, uint32_t rsrc[3])
{
    enum { LAST = 3 };
    rsrc[0] = common_rsrc(p) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC1_VS_VGPR_COMP_CNT, vgprs_filled(p, 0, LAST)) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC1_VS_MEM_ORDERED, 1);
    rsrc[1] = bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_VS_SCRATCH_EN, p->needs_scratch) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_VS_USER_SGPR, p->n_user_sgprs & 31) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_VS_USER_SGPR_MSB, p->n_user_sgprs >> 5) |
              streamout_sgprs(p);
}

/* LDS_SIZE counts blocks of 128 dwords (Mesa, radv_shader.c: lds_size of graphics stages). */
static void
make_primitive(const amd_program *p, uint32_t rsrc[3])
{
    unsigned first = amd_has(p->target, ngg_vertex_vgpr);
    uint32_t block = amd_has(p->target, lds_granule);
    rsrc[0] = common_rsrc(p) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC1_GS_GS_VGPR_COMP_CNT,
                   vgprs_filled(p, 0, first - 1)) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC1_GS_MEM_ORDERED, 1) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC1_GS_WGP_MODE, !p->one_unit);
    rsrc[1] = bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_GS_SCRATCH_EN, p->needs_scratch) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR, p->n_user_sgprs & 31) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR_MSB, p->n_user_sgprs >> 5) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_GS_ES_VGPR_COMP_CNT,
                   vgprs_filled(p, first, first + 3)) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE, (p->lds_bytes + block - 1) / block);
}

/* Do inputs of single vertices need their order? */
static bool
reads_vertices(const amd_program *p)
{
    uint32_t turned = bits(p, AMD_HW_SPI_PS_INPUT_CNTL_0_ROTATE_PC_PTR, 1);
    for (uint32_t k = 0; k < p->n_params; k++) {
        if (p->params[k].control & turned)
            return true;
    }
    return false;
}

static void
make_fragment(const amd_program *p, uint32_t rsrc[3])
{
    rsrc[0] = common_rsrc(p) | bits(p, AMD_HW_SPI_SHADER_PGM_RSRC1_PS_MEM_ORDERED, 1) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC1_PS_LOAD_PROVOKING_VTX, reads_vertices(p));
    rsrc[1] = bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_PS_SCRATCH_EN, p->needs_scratch) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR, p->n_user_sgprs & 31) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR_MSB, p->n_user_sgprs >> 5) |
              bits(p, AMD_HW_SPI_SHADER_PGM_RSRC2_PS_LOAD_COLLISION_WAVEID,
                   amd_has_arg(p, AMD_ARG_COLLISION));
}

void
amd_make_rsrc(amd_program *p, uint32_t rsrc[3])
{
    rsrc[0] = rsrc[1] = rsrc[2] = 0;
    switch ((amd_stage)p->stage) {
    case AMD_STAGE_VERTEX_VS: make_vertex(p, rsrc); break;
    case AMD_STAGE_VERTEX_NGG: make_primitive(p, rsrc); break;
    case AMD_STAGE_FRAGMENT_FS: make_fragment(p, rsrc); break;
    default: make_compute(p, rsrc); break;
    }
}
