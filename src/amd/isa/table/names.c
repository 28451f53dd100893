/* Names of values. Sources: RDNA 2 ISA reference guide (messages, hardware registers, buffer
 * formats); the spelling is that of LLVM 19 (AMDGPUInstPrinter, "Syntax of AMDGPU Instruction
 * Operands"). */
#include "amd/isa/table/names.h"

#include <string.h>

/* A register with its own name; `count` registers, 0 for values that fit any size. */
typedef struct register_name {
    const char *name;
    uint16_t code;
    uint8_t count, first, last; /* amd_gen: first and last generation that have it */
} register_name;

#define PAIR(name, code, first, last)                                                              \
    {name, code, 2, first, last}, {name "_lo", code, 1, first, last},                              \
    {                                                                                              \
        name "_hi", (code) + 1, 1, first, last                                                     \
    }
/* A value, printed with the prefix "src_"; the assembler accepts it without the prefix too. */
#define VALUE(name, code, first, last)                                                             \
    {"src_" name, code, 0, first, last},                                                           \
    {                                                                                              \
        name, code, 0, first, last                                                                 \
    }

/* Sources: tables "SSRC operands" of the guides "Southern Islands" to "RDNA4". The trap registers
 * are ttmp0 to ttmp15 from gfx9 on, tba, tma and ttmp0 to ttmp11 before. */
static const register_name registers[] = {
    PAIR("vcc", AMD_REG_VCC_LO, AMD_GFX6, AMD_GFX12),
    PAIR("exec", AMD_REG_EXEC_LO, AMD_GFX6, AMD_GFX12),
    PAIR("flat_scratch", 104, AMD_GFX7, AMD_GFX7),
    PAIR("flat_scratch", 102, AMD_GFX8, AMD_GFX950),
    PAIR("xnack_mask", 104, AMD_GFX8, AMD_GFX950),
    PAIR("tba", AMD_REG_TTMP0, AMD_GFX6, AMD_GFX8),
    PAIR("tma", AMD_REG_TTMP0 + 2, AMD_GFX6, AMD_GFX8),
    {"m0", AMD_REG_M0, 1, AMD_GFX6, AMD_GFX12},
    {"null", AMD_REG_NULL, 0, AMD_GFX10, AMD_GFX12},
    VALUE("shared_base", AMD_SRC_SHARED_BASE, AMD_GFX9, AMD_GFX12),
    VALUE("shared_limit", AMD_SRC_SHARED_LIMIT, AMD_GFX9, AMD_GFX12),
    VALUE("private_base", AMD_SRC_PRIVATE_BASE, AMD_GFX9, AMD_GFX12),
    VALUE("private_limit", AMD_SRC_PRIVATE_LIMIT, AMD_GFX9, AMD_GFX12),
    VALUE("pops_exiting_wave_id", AMD_SRC_POPS_EXITING_WAVE_ID, AMD_GFX9, AMD_GFX10_3),
    VALUE("vccz", AMD_SRC_VCCZ, AMD_GFX6, AMD_GFX10_3),
    VALUE("execz", AMD_SRC_EXECZ, AMD_GFX6, AMD_GFX10_3),
    VALUE("scc", AMD_SRC_SCC, AMD_GFX6, AMD_GFX12),
    VALUE("lds_direct", AMD_SRC_LDS_DIRECT, AMD_GFX6, AMD_GFX10_3),
};
enum { REGISTERS = sizeof registers / sizeof *registers };

const char *
amd_register_name(amd_gen gen, unsigned code, unsigned count)
{
    for (const register_name *r = registers; r < registers + REGISTERS; r++) {
        if (r->code == code && (r->count == count || r->count == 0) && gen >= r->first &&
            gen <= r->last)
            return r->name;
    }
    return NULL;
}

bool
amd_register_find(amd_gen gen, const char *name, size_t len, unsigned *code, unsigned *count)
{
    for (const register_name *r = registers; r < registers + REGISTERS; r++) {
        if (gen < r->first || gen > r->last || strlen(r->name) != len ||
            memcmp(r->name, name, len) != 0)
            continue;
        *code = r->code;
        *count = r->count;
        return true;
    }
    return false;
}

const amd_name amd_hwreg_names[] = {
    {"HW_REG_MODE", 1, AMD_GFX6, AMD_GFX12},
    {"HW_REG_STATUS", 2, AMD_GFX6, AMD_GFX12},
    {"HW_REG_TRAPSTS", 3, AMD_GFX6, AMD_GFX11_5},
    {"HW_REG_HW_ID", 4, AMD_GFX6, AMD_GFX950},
    {"HW_REG_STATE_PRIV", 4, AMD_GFX12, AMD_GFX12},
    {"HW_REG_GPR_ALLOC", 5, AMD_GFX6, AMD_GFX12},
    {"HW_REG_LDS_ALLOC", 6, AMD_GFX6, AMD_GFX12},
    {"HW_REG_IB_STS", 7, AMD_GFX6, AMD_GFX12},
    {"HW_REG_PERF_SNAPSHOT_DATA", 10, AMD_GFX12, AMD_GFX12},
    {"HW_REG_PERF_SNAPSHOT_PC_LO", 11, AMD_GFX12, AMD_GFX12},
    {"HW_REG_PERF_SNAPSHOT_PC_HI", 12, AMD_GFX12, AMD_GFX12},
    {"HW_REG_SH_MEM_BASES", 15, AMD_GFX9, AMD_GFX11_5},
    {"HW_REG_PERF_SNAPSHOT_DATA1", 15, AMD_GFX12, AMD_GFX12},
    {"HW_REG_TBA_LO", 16, AMD_GFX9, AMD_GFX10_3},
    {"HW_REG_PERF_SNAPSHOT_DATA2", 16, AMD_GFX12, AMD_GFX12},
    {"HW_REG_TBA_HI", 17, AMD_GFX9, AMD_GFX10_3},
    {"HW_REG_EXCP_FLAG_PRIV", 17, AMD_GFX12, AMD_GFX12},
    {"HW_REG_TMA_LO", 18, AMD_GFX9, AMD_GFX10_3},
    {"HW_REG_PERF_SNAPSHOT_PC_LO", 18, AMD_GFX11, AMD_GFX11_5},
    {"HW_REG_EXCP_FLAG_USER", 18, AMD_GFX12, AMD_GFX12},
    {"HW_REG_TMA_HI", 19, AMD_GFX9, AMD_GFX10_3},
    {"HW_REG_PERF_SNAPSHOT_PC_HI", 19, AMD_GFX11, AMD_GFX11_5},
    {"HW_REG_TRAP_CTRL", 19, AMD_GFX12, AMD_GFX12},
    {"HW_REG_XCC_ID", 20, AMD_GFX942, AMD_GFX950},
    {"HW_REG_FLAT_SCR_LO", 20, AMD_GFX10, AMD_GFX11_5},
    {"HW_REG_SCRATCH_BASE_LO", 20, AMD_GFX12, AMD_GFX12},
    {"HW_REG_SQ_PERF_SNAPSHOT_DATA", 21, AMD_GFX942, AMD_GFX950},
    {"HW_REG_FLAT_SCR_HI", 21, AMD_GFX10, AMD_GFX11_5},
    {"HW_REG_SCRATCH_BASE_HI", 21, AMD_GFX12, AMD_GFX12},
    {"HW_REG_SQ_PERF_SNAPSHOT_DATA1", 22, AMD_GFX942, AMD_GFX950},
    {"HW_REG_XNACK_MASK", 22, AMD_GFX10, AMD_GFX10},
    {"HW_REG_SQ_PERF_SNAPSHOT_PC_LO", 23, AMD_GFX942, AMD_GFX950},
    {"HW_REG_HW_ID1", 23, AMD_GFX10, AMD_GFX12},
    {"HW_REG_SQ_PERF_SNAPSHOT_PC_HI", 24, AMD_GFX942, AMD_GFX950},
    {"HW_REG_HW_ID2", 24, AMD_GFX10, AMD_GFX12},
    {"HW_REG_POPS_PACKER", 25, AMD_GFX10, AMD_GFX10_3},
    {"HW_REG_PERF_SNAPSHOT_DATA", 27, AMD_GFX11, AMD_GFX11_5},
    {"HW_REG_SHADER_CYCLES", 29, AMD_GFX10_3, AMD_GFX11_5},
    {"HW_REG_SHADER_CYCLES_LO", 29, AMD_GFX12, AMD_GFX12},
    {"HW_REG_SHADER_CYCLES_HI", 30, AMD_GFX12, AMD_GFX12},
    {"HW_REG_DVGPR_ALLOC_LO", 31, AMD_GFX12, AMD_GFX12},
    {"HW_REG_DVGPR_ALLOC_HI", 32, AMD_GFX12, AMD_GFX12},
    /* LLVM's names from version 20 on */
    {"HW_REG_WAVE_MODE", 1, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_STATUS", 2, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_STATE_PRIV", 4, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_GPR_ALLOC", 5, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_LDS_ALLOC", 6, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_EXCP_FLAG_PRIV", 17, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_EXCP_FLAG_USER", 18, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_TRAP_CTRL", 19, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_SCRATCH_BASE_LO", 20, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_SCRATCH_BASE_HI", 21, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_HW_ID1", 23, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_HW_ID2", 24, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_SCHED_MODE", 26, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_DVGPR_ALLOC_LO", 31, AMD_GFX12, AMD_GFX12},
    {"HW_REG_WAVE_DVGPR_ALLOC_HI", 32, AMD_GFX12, AMD_GFX12},
    {NULL, 0, 0, 0},
};

const amd_name amd_message_names[] = {
    {"MSG_INTERRUPT", 1, AMD_GFX6, AMD_GFX12},
    {"MSG_GS", AMD_MSG_GS, AMD_GFX6, AMD_GFX10_3},
    {"MSG_HS_TESSFACTOR", 2, AMD_GFX11, AMD_GFX12},
    {"MSG_GS_DONE", AMD_MSG_GS_DONE, AMD_GFX6, AMD_GFX10_3},
    {"MSG_DEALLOC_VGPRS", 3, AMD_GFX11, AMD_GFX12},
    {"MSG_SAVEWAVE", 4, AMD_GFX8, AMD_GFX10_3},
    {"MSG_STALL_WAVE_GEN", 5, AMD_GFX9, AMD_GFX11_5},
    {"MSG_HALT_WAVES", 6, AMD_GFX9, AMD_GFX11_5},
    {"MSG_ORDERED_PS_DONE", 7, AMD_GFX9, AMD_GFX10_3},
    {"MSG_EARLY_PRIM_DEALLOC", 8, AMD_GFX9, AMD_GFX10_3},
    {"MSG_GS_ALLOC_REQ", 9, AMD_GFX9, AMD_GFX12},
    {"MSG_GET_DOORBELL", 10, AMD_GFX9, AMD_GFX10_3},
    {"MSG_GET_DDID", 11, AMD_GFX10, AMD_GFX10_3},
    {"MSG_SYSMSG", AMD_MSG_SYSMSG, AMD_GFX6, AMD_GFX10_3},
    {"MSG_RTN_GET_DOORBELL", 128, AMD_GFX11, AMD_GFX12},
    {"MSG_RTN_GET_DDID", 129, AMD_GFX11, AMD_GFX12},
    {"MSG_RTN_GET_TMA", 130, AMD_GFX11, AMD_GFX12},
    {"MSG_RTN_GET_REALTIME", 131, AMD_GFX11, AMD_GFX12},
    {"MSG_RTN_SAVE_WAVE", 132, AMD_GFX11, AMD_GFX12},
    {"MSG_RTN_GET_TBA", 133, AMD_GFX11, AMD_GFX12},
    {"MSG_RTN_GET_TBA_TO_PC", 134, AMD_GFX11, AMD_GFX12},
    {"MSG_RTN_GET_SE_AID_ID", 135, AMD_GFX12, AMD_GFX12},
    {NULL, 0, 0, 0},
};

/* Sources: chapters "Export" of the guides. */
const amd_target_name amd_target_names[] = {
    {"mrt", 0, 8, AMD_GFX6, AMD_GFX12},
    {"mrtz", 8, 0, AMD_GFX6, AMD_GFX12},
    {"null", 9, 0, AMD_GFX6, AMD_GFX10_3},
    {"pos", 12, 4, AMD_GFX6, AMD_GFX12},
    {"pos", 12, 5, AMD_GFX10, AMD_GFX12},
    {"prim", 20, 0, AMD_GFX10, AMD_GFX12},
    {"dual_src_blend", 21, 2, AMD_GFX11, AMD_GFX12},
    {"param", 32, 32, AMD_GFX6, AMD_GFX10_3},
    {"invalid_target_", 0, 64, AMD_GFX6, AMD_GFX12},
    {NULL, 0, 0, 0, 0},
};

/* RDNA3 ISA, "S_DELAY_ALU". */
static const char *const delay_skips[] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};
static const char *const delay_ids[] = {"NO_DEP",        "VALU_DEP_1",    "VALU_DEP_2",
                                        "VALU_DEP_3",    "VALU_DEP_4",    "TRANS32_DEP_1",
                                        "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1",
                                        "SALU_CYCLE_1",  "SALU_CYCLE_2",  "SALU_CYCLE_3"};
const amd_delay_part amd_delay_parts[] = {
    {"instid0", 0, 4, 12, delay_ids},
    {"instskip", 4, 3, 6, delay_skips},
    {"instid1", 7, 4, 12, delay_ids},
    {NULL, 0, 0, 0, NULL},
};

const amd_name amd_gs_op_names[] = {
    {"GS_OP_NOP", 0}, {"GS_OP_CUT", 1}, {"GS_OP_EMIT", 2}, {"GS_OP_EMIT_CUT", 3}, {NULL, 0},
};

const amd_name amd_sys_op_names[] = {
    {"SYSMSG_OP_ECC_ERR_INTERRUPT", 1},
    {"SYSMSG_OP_REG_RD", 2},
    {"SYSMSG_OP_HOST_TRAP_ACK", 3, AMD_GFX6, AMD_GFX8},
    {"SYSMSG_OP_TTRACE_PC", 4},
    {NULL, 0},
};

const amd_name amd_version_names[] = {
    {"UC_VERSION_GFX7", 0},
    {"UC_VERSION_GFX10", 4},
    {"UC_VERSION_GFX11", 6},
    {"UC_VERSION_GFX12", 9},
    {NULL, 0},
};

const amd_name amd_dim_names[] = {
    {"1D", 0},       {"2D", 1},       {"3D", 2},      {"CUBE", 3},
    {"1D_ARRAY", 4}, {"2D_ARRAY", 5}, {"2D_MSAA", 6}, {"2D_MSAA_ARRAY", 7},
    {NULL, 0},
};

const amd_name amd_data_formats[] = {
    {"INVALID", 0},      {"8", 1},          {"16", 2},           {"8_8", 3},
    {"32", 4},           {"16_16", 5},      {"10_11_11", 6},     {"11_11_10", 7},
    {"10_10_10_2", 8},   {"2_10_10_10", 9}, {"8_8_8_8", 10},     {"32_32", 11},
    {"16_16_16_16", 12}, {"32_32_32", 13},  {"32_32_32_32", 14}, {"RESERVED_15", 15},
    {NULL, 0},
};

const amd_name amd_num_formats[] = {
    {"UNORM", 0},
    {"SNORM", 1},
    {"USCALED", 2},
    {"SSCALED", 3},
    {"UINT", 4},
    {"SINT", 5},
    {"SNORM_OGL", 6, AMD_GFX6, AMD_GFX7},
    {"RESERVED_6", 6, AMD_GFX8, AMD_GFX950},
    {"FLOAT", 7},
    {NULL, 0},
};

const amd_name amd_scope_names[] = {{"CU", 0}, {"SE", 1}, {"DEV", 2}, {"SYS", 3}, {NULL, 0}};

const amd_name amd_th_load_names[] = {
    {"RT", 0},
    {"NT", 1},
    {"HT", 2},
    {"LU", AMD_TH_BYPASS},
    {"BYPASS", AMD_TH_BYPASS},
    {"NT_RT", 4},
    {"RT_NT", 5},
    {"NT_HT", 6},
    {NULL, 0},
};

const amd_name amd_th_store_names[] = {
    {"RT", 0},
    {"NT", 1},
    {"HT", 2},
    {"RT_WB", AMD_TH_BYPASS},
    {"WB", AMD_TH_BYPASS}, /* LLVM's name from version 20 on */
    {"BYPASS", AMD_TH_BYPASS},
    {"NT_RT", 4},
    {"RT_NT", 5},
    {"NT_HT", 6},
    {"NT_WB", 7},
    {NULL, 0},
};

const amd_name amd_th_atomic_names[] = {
    {"RT", 0},         {"RETURN", 1},     {"RT_RETURN", 1},  {"NT", 2},         {"NT_RETURN", 3},
    {"CASCADE_RT", 4}, {"CASCADE_RT", 5}, {"CASCADE_NT", 6}, {"CASCADE_NT", 7}, {NULL, 0},
};

const char *const amd_buf_formats[AMD_BUF_FORMATS] = {
    "INVALID",
    "8_UNORM",
    "8_SNORM",
    "8_USCALED",
    "8_SSCALED",
    "8_UINT",
    "8_SINT",
    "16_UNORM",
    "16_SNORM",
    "16_USCALED",
    "16_SSCALED",
    "16_UINT",
    "16_SINT",
    "16_FLOAT",
    "8_8_UNORM",
    "8_8_SNORM",
    "8_8_USCALED",
    "8_8_SSCALED",
    "8_8_UINT",
    "8_8_SINT",
    "32_UINT",
    "32_SINT",
    "32_FLOAT",
    "16_16_UNORM",
    "16_16_SNORM",
    "16_16_USCALED",
    "16_16_SSCALED",
    "16_16_UINT",
    "16_16_SINT",
    "16_16_FLOAT",
    "10_11_11_UNORM",
    "10_11_11_SNORM",
    "10_11_11_USCALED",
    "10_11_11_SSCALED",
    "10_11_11_UINT",
    "10_11_11_SINT",
    "10_11_11_FLOAT",
    "11_11_10_UNORM",
    "11_11_10_SNORM",
    "11_11_10_USCALED",
    "11_11_10_SSCALED",
    "11_11_10_UINT",
    "11_11_10_SINT",
    "11_11_10_FLOAT",
    "10_10_10_2_UNORM",
    "10_10_10_2_SNORM",
    "10_10_10_2_USCALED",
    "10_10_10_2_SSCALED",
    "10_10_10_2_UINT",
    "10_10_10_2_SINT",
    "2_10_10_10_UNORM",
    "2_10_10_10_SNORM",
    "2_10_10_10_USCALED",
    "2_10_10_10_SSCALED",
    "2_10_10_10_UINT",
    "2_10_10_10_SINT",
    "8_8_8_8_UNORM",
    "8_8_8_8_SNORM",
    "8_8_8_8_USCALED",
    "8_8_8_8_SSCALED",
    "8_8_8_8_UINT",
    "8_8_8_8_SINT",
    "32_32_UINT",
    "32_32_SINT",
    "32_32_FLOAT",
    "16_16_16_16_UNORM",
    "16_16_16_16_SNORM",
    "16_16_16_16_USCALED",
    "16_16_16_16_SSCALED",
    "16_16_16_16_UINT",
    "16_16_16_16_SINT",
    "16_16_16_16_FLOAT",
    "32_32_32_UINT",
    "32_32_32_SINT",
    "32_32_32_FLOAT",
    "32_32_32_32_UINT",
    "32_32_32_32_SINT",
    "32_32_32_32_FLOAT",
};

const char *const amd_sdwa_selects[7] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                         "WORD_0", "WORD_1", "DWORD"};
const char *const amd_indexed_names[4] = {"SRC0", "SRC1", "SRC2", "DST"};
const char *const amd_sdwa_unused[3] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};

const char *
amd_name_of(const amd_name *list, uint32_t value)
{
    for (; list->name; list++) {
        if (list->value == value)
            return list->name;
    }
    return NULL;
}

static bool
is_known(amd_gen gen, const amd_name *n)
{
    return n->last == 0 || (gen >= n->first && gen <= n->last);
}

const char *
amd_name_on(amd_gen gen, const amd_name *list, uint32_t value)
{
    for (; list->name; list++) {
        if (list->value == value && is_known(gen, list))
            return list->name;
    }
    return NULL;
}

bool
amd_name_find_on(amd_gen gen, const amd_name *list, const char *name, size_t len, uint32_t *value)
{
    for (; list->name; list++) {
        if (is_known(gen, list) && strlen(list->name) == len &&
            memcmp(list->name, name, len) == 0) {
            *value = list->value;
            return true;
        }
    }
    return false;
}

bool
amd_name_find(const amd_name *list, const char *name, size_t len, uint32_t *value)
{
    for (; list->name; list++) {
        if (strlen(list->name) == len && memcmp(list->name, name, len) == 0) {
            *value = list->value;
            return true;
        }
    }
    return false;
}

unsigned
amd_buf_format(amd_gen gen, unsigned number)
{
    static const uint8_t packed[] = {36, 43, 44, 45, 48, 49}; /* of 10, 11 and 2 bits: 30 to 35 */
    if (gen < AMD_GFX11)
        return number < AMD_BUF_FORMATS ? number : AMD_BUF_FORMATS;
    return number < 30   ? number
           : number < 36 ? packed[number - 30]
           : number < 64 ? number + 14
                         : AMD_BUF_FORMATS;
}
