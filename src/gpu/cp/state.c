/* Packets of the state of graphics: the registers' values after CLEAR_STATE, and changes of context
 * registers beside the packets that set them. */
#include "gpu/cp/execute.h"

#include <string.h>

/* Values other than 0 that registers have after CLEAR_STATE: `count` of them, `step` dwords apart
 * (the Linux kernel's clearstate_*.h). */
static const struct {
    uint32_t address, value, count, step;
} defaults[] = {
    {0x28034, 0x40004000, 1, 1},  /* PA_SC_SCREEN_SCISSOR_BR */
    {0x28204, 0x80000000, 1, 1},  /* PA_SC_WINDOW_SCISSOR_TL */
    {0x28208, 0x40004000, 1, 1},  /* PA_SC_WINDOW_SCISSOR_BR */
    {0x2820c, 0x0000ffff, 1, 1},  /* PA_SC_CLIPRECT_RULE */
    {0x28214, 0x40004000, 4, 2},  /* PA_SC_CLIPRECT_0_BR */
    {0x28230, 0xaa99aaaa, 1, 1},  /* PA_SC_EDGERULE */
    {0x28238, 0xffffffff, 2, 1},  /* CB_TARGET_MASK, CB_SHADER_MASK */
    {0x28240, 0x80000000, 1, 1},  /* PA_SC_GENERIC_SCISSOR_TL */
    {0x28244, 0x40004000, 1, 1},  /* PA_SC_GENERIC_SCISSOR_BR */
    {0x28250, 0x80000000, 16, 2}, /* PA_SC_VPORT_SCISSOR_0_TL */
    {0x28254, 0x40004000, 16, 2}, /* PA_SC_VPORT_SCISSOR_0_BR */
    {0x282d4, 0x3f800000, 16, 2}, /* PA_SC_VPORT_ZMAX_0 */
    {0x28400, 0xffffffff, 1, 1},  /* VGT_MAX_VTX_INDX */
    {0x286d8, 0x00000002, 1, 1},  /* SPI_PS_IN_CONTROL */
    {0x28810, 0x00090000, 1, 1},  /* PA_CL_CLIP_CNTL */
    {0x28814, 0x00000004, 1, 1},  /* PA_SU_SC_MODE_CNTL */
    {0x28bdc, 0x00001000, 1, 1},  /* PA_SC_LINE_CNTL */
    {0x28be4, 0x00000005, 1, 1},  /* PA_SU_VTX_CNTL */
    {0x28be8, 0x3f800000, 4, 1},  /* PA_CL_GB_VERT_CLIP_ADJ ... */
    {0x28c38, 0xffffffff, 2, 1},  /* PA_SC_AA_MASK_X0Y0_X1Y0, X0Y1_X1Y1 */
};

gpu_cp_status
gpu_cp_clear_state(gpu_cp *cp, const gpu_packet *p)
{
    (void)p;
    uint32_t *context = cp->registers.values[AMD_HW_SPACE_CONTEXT];
    memset(context, 0, amd_hw_space_dwords(AMD_HW_SPACE_CONTEXT) * sizeof *context);
    for (size_t k = 0; k < sizeof defaults / sizeof *defaults; k++) {
        for (uint32_t n = 0; n < defaults[k].count; n++)
            gpu_cp_set_register(cp, defaults[k].address + 4 * n * defaults[k].step,
                                defaults[k].value);
    }
    return GPU_CP_DONE;
}

gpu_cp_status
gpu_cp_context_rmw(gpu_cp *cp, const gpu_packet *p)
{
    uint32_t address = amd_hw_space_base(AMD_HW_SPACE_CONTEXT) +
                       4 * gpu_word_of(p, GPU_CONTEXT_REG_RMW_REG_OFFSET);
    uint32_t mask = gpu_word_of(p, GPU_CONTEXT_REG_RMW_REG_MASK);
    uint32_t old = gpu_cp_register(cp, address);
    gpu_cp_set_register(cp, address,
                        (old & ~mask) | (gpu_word_of(p, GPU_CONTEXT_REG_RMW_REG_DATA) & mask));
    return GPU_CP_DONE;
}

gpu_cp_status
gpu_cp_load_context(gpu_cp *cp, const gpu_packet *p)
{
    return gpu_cp_load_space(cp, p, AMD_HW_SPACE_CONTEXT);
}

gpu_cp_status
gpu_cp_index_base(gpu_cp *cp, const gpu_packet *p)
{
    cp->index_base = gpu_words_of(p, GPU_INDEX_BASE_ADDRESS_LO, GPU_INDEX_BASE_ADDRESS_HI);
    return GPU_CP_DONE;
}

gpu_cp_status
gpu_cp_index_count(gpu_cp *cp, const gpu_packet *p)
{
    cp->index_count = gpu_word_of(p, GPU_INDEX_BUFFER_SIZE_COUNT);
    return GPU_CP_DONE;
}

gpu_cp_status
gpu_cp_index_type(gpu_cp *cp, const gpu_packet *p)
{
    amd_hw_set_register(&cp->registers, AMD_HW_VGT_INDEX_TYPE, 0, p->words[0]);
    return GPU_CP_DONE;
}

gpu_cp_status
gpu_cp_num_instances(gpu_cp *cp, const gpu_packet *p)
{
    amd_hw_set_register(&cp->registers, AMD_HW_VGT_NUM_INSTANCES, 0,
                        gpu_word_of(p, GPU_NUM_INSTANCES_COUNT));
    return GPU_CP_DONE;
}
