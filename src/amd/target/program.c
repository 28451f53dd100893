/* The fields of amd_program in the text form: what phases behind the text's step need. The rest
 * follows from the target, from the wave size in the shader's fields, and from the options of the
 * compile that reads the text. */
#include "amd/amd.h"
#include "ir/hir.h"
#include "ir/text.h"

static const char *const arg_kinds[] = {
    [AMD_ARG_DESCRIPTOR_SET] = "descriptor_set",
    [AMD_ARG_SET_TABLE] = "set_table",
    [AMD_ARG_PUSH_INLINE] = "push_inline",
    [AMD_ARG_PUSH_POINTER] = "push_pointer",
    [AMD_ARG_WORKGROUP_COUNT] = "workgroup_count",
    [AMD_ARG_SCRATCH] = "scratch",
    [AMD_ARG_KERNARG] = "kernarg",
    [AMD_ARG_VERTEX_BUFFERS] = "vertex_buffers",
    [AMD_ARG_ATTRIBUTES] = "attributes",
    [AMD_ARG_BASE_VERTEX] = "base_vertex",
    [AMD_ARG_BASE_INSTANCE] = "base_instance",
    [AMD_ARG_DRAW_ID] = "draw_id",
    [AMD_ARG_VIEW_INDEX] = "view_index",
    [AMD_ARG_ATTRIBUTE_RING] = "attribute_ring",
    [AMD_ARG_XFB_BUFFERS] = "xfb_buffers",
    [AMD_ARG_FRAGMENT_STATE] = "fragment_state",
    [AMD_ARG_WORKGROUP_ID] = "workgroup_id",
    [AMD_ARG_WORKGROUP_INFO] = "workgroup_info",
    [AMD_ARG_SCRATCH_OFFSET] = "scratch_offset",
    [AMD_ARG_WORKGROUP_ID_YZ] = "workgroup_id_yz",
    [AMD_ARG_WAVE_ID] = "wave_id",
    [AMD_ARG_LOCAL_ID] = "local_id",
    [AMD_ARG_GROUP_COUNTS] = "group_counts",
    [AMD_ARG_WAVE_COUNTS] = "wave_counts",
    [AMD_ARG_ATTRIBUTE_OFFSET] = "attribute_offset",
    [AMD_ARG_XFB_CONFIG] = "xfb_config",
    [AMD_ARG_XFB_INDEX] = "xfb_index",
    [AMD_ARG_XFB_OFFSET] = "xfb_offset",
    [AMD_ARG_PRIMITIVE] = "primitive",
    [AMD_ARG_THIRD_VERTEX] = "third_vertex",
    [AMD_ARG_VERTEX_ID] = "vertex_id",
    [AMD_ARG_INSTANCE_ID] = "instance_id",
    [AMD_ARG_PRIMITIVE_ID] = "primitive_id",
    [AMD_ARG_PRIM_MASK] = "prim_mask",
    [AMD_ARG_COLLISION] = "collision",
    [AMD_ARG_FRAGMENT] = "fragment",
    [AMD_ARG_KIND_COUNT] = NULL,
};

#define KIND(type)                                                                                 \
    {                                                                                              \
        .name = "kind", .kind = IR_TEXT_ENUM, .size = 1, .always = true,                           \
        .offset = offsetof(type, kind), .names = arg_kinds                                         \
    }

static const ir_text_field arg_fields[] = {
    KIND(amd_arg),
    IR_TEXT_FIELD(amd_arg, NUMBER, index),
    IR_TEXT_FIELD(amd_arg, BOOL, vgpr),
    IR_TEXT_FIELD(amd_arg, NUMBER, reg),
    IR_TEXT_FIELD(amd_arg, NUMBER, count),
    {.name = NULL},
};
static const ir_text_rows arg_rows = IR_TEXT_ROW_LIST(amd_program, args, n_args, arg_fields);

static const ir_text_field kernarg_fields[] = {
    KIND(amd_kernarg),
    IR_TEXT_FIELD(amd_kernarg, NUMBER, index),
    IR_TEXT_FIELD(amd_kernarg, NUMBER, offset),
    IR_TEXT_FIELD(amd_kernarg, NUMBER, size),
    {.name = NULL},
};
static const ir_text_rows kernarg_rows = IR_TEXT_ROW_LIST(amd_program, kernargs, n_kernargs,
                                                          kernarg_fields);

static const char *const stage_names[] = {"cs", "vs", "ngg", "fs", NULL};

static const ir_text_field set_reg_fields[] = {
    IR_TEXT_FIELD(amd_set_reg, NUMBER, address),
    IR_TEXT_FIELD(amd_set_reg, NUMBER, value),
    {.name = NULL},
};
static const ir_text_rows set_reg_rows = IR_TEXT_ROW_LIST(amd_program, set_regs, n_set_regs,
                                                          set_reg_fields);

static const ir_text_field param_fields[] = {
    IR_TEXT_CHOICE(amd_param, slot, ir_hir_names.slot),
    IR_TEXT_FIELD(amd_param, NUMBER, location),
    IR_TEXT_FIELD(amd_param, NUMBER, components),
    IR_TEXT_FIELD(amd_param, NUMBER, control),
    {.name = NULL},
};
static const ir_text_rows param_rows = IR_TEXT_ROW_LIST(amd_program, params, n_params,
                                                        param_fields);

#define FIELD(how, member) IR_TEXT_FIELD(amd_program, how, member)
/* A number for each bank. */
#define BANKS(title, member, bytes)                                                                \
    {                                                                                              \
        .name = title, .kind = IR_TEXT_NUMBER, .size = bytes, .count = AMD_BANK_COUNT,             \
        .offset = offsetof(amd_program, member)                                                    \
    }

const ir_text_field amd_program_fields[] = {
    FIELD(BOOL, hsa),
    FIELD(NUMBER, address_high),
    IR_TEXT_ROW_FIELD(amd_program, "arg", args, arg_rows),
    FIELD(NUMBER, n_user_sgprs),
    IR_TEXT_ROW_FIELD(amd_program, "kernarg", kernargs, kernarg_rows),
    FIELD(NUMBER, kernarg_size),
    {.name = "hw_stage",
     .kind = IR_TEXT_ENUM,
     .size = 1,
     .offset = offsetof(amd_program, stage),
     .names = stage_names},
    IR_TEXT_ROW_FIELD(amd_program, "set_reg", set_regs, set_reg_rows),
    IR_TEXT_ROW_FIELD(amd_program, "param", params, param_rows),
    FIELD(NUMBER, float_mode),
    FIELD(NUMBER, lds_bytes),
    FIELD(NUMBER, scratch_bytes),
    FIELD(BOOL, needs_vcc),
    FIELD(BOOL, needs_scratch),
    FIELD(BOOL, may_spill),
    FIELD(BOOL, one_unit),
    BANKS("demand", cg.max_demand.units, 4),
    FIELD(NUMBER, max_waves),
    BANKS("budget", cg.budget, 2),
    BANKS("cheap", cg.cheap, 2),
    BANKS("pinned_end", cg.pinned_end, 2),
    BANKS("limit", cg.limit, 2),
    FIELD(NUMBER, sgprs_used),
    FIELD(NUMBER, vgprs_used),
    FIELD(NUMBER, agprs_used),
    FIELD(NUMBER, shared_vgprs),
    FIELD(NUMBER, spilled_sgprs),
    FIELD(NUMBER, spilled_vgprs),
    {.name = NULL},
};
