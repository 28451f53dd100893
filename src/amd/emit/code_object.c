#include "amd/emit/code_object.h"

#include "amd/object/object.h"
#include "base/map.h"
#include "ir/hir.h"

/* The code object's kind for an argument in user SGPRs; -1 for arguments that the hardware sets
 * up. */
static int
user_kind(const amd_program *p, amd_arg_kind kind)
{
    switch (kind) {
    case AMD_ARG_DESCRIPTOR_SET: return AMD_OBJ_USER_DESCRIPTOR_SET;
    case AMD_ARG_SET_TABLE: return AMD_OBJ_USER_SET_TABLE;
    case AMD_ARG_PUSH_INLINE: return AMD_OBJ_USER_PUSH_CONSTANTS_INLINE;
    case AMD_ARG_PUSH_POINTER: return AMD_OBJ_USER_PUSH_CONSTANTS;
    case AMD_ARG_WORKGROUP_COUNT: return AMD_OBJ_USER_WORKGROUP_COUNT;
    case AMD_ARG_SCRATCH:
        return !p->hsa                            ? AMD_OBJ_USER_SCRATCH
               : amd_scratch_is_buffer(p->target) ? AMD_OBJ_USER_PRIVATE_SEGMENT_BUFFER
                                                  : AMD_OBJ_USER_FLAT_SCRATCH_INIT;
    case AMD_ARG_KERNARG: return AMD_OBJ_USER_KERNARG_POINTER;
    case AMD_ARG_VERTEX_BUFFERS: return AMD_OBJ_USER_VERTEX_BUFFERS;
    case AMD_ARG_ATTRIBUTES: return AMD_OBJ_USER_ATTRIBUTES;
    case AMD_ARG_FRAGMENT_STATE: return AMD_OBJ_USER_FRAGMENT_STATE;
    case AMD_ARG_BASE_VERTEX: return AMD_OBJ_USER_BASE_VERTEX;
    case AMD_ARG_BASE_INSTANCE: return AMD_OBJ_USER_BASE_INSTANCE;
    case AMD_ARG_DRAW_ID: return AMD_OBJ_USER_DRAW_ID;
    case AMD_ARG_VIEW_INDEX: return AMD_OBJ_USER_VIEW_INDEX;
    case AMD_ARG_XFB_BUFFERS: return AMD_OBJ_USER_XFB_BUFFERS;
    case AMD_ARG_ATTRIBUTE_RING: return AMD_OBJ_USER_ATTRIBUTE_RING;
    default: return -1;
    }
}

/* Inline push constants in consecutive dwords and registers form one run. */
static bool
continues(const amd_obj_user_sgpr *u, amd_obj_user_kind kind, const amd_arg *arg)
{
    return kind == AMD_OBJ_USER_PUSH_CONSTANTS_INLINE && u->kind == kind &&
           arg->index == u->index + u->count && arg->reg == u->first_sgpr + u->count;
}

static void
list_user_sgprs(arena *a, const amd_program *p, amd_obj_state *out)
{
    amd_obj_user_sgpr *list = ARENA_ARRAY(a, p->n_args, amd_obj_user_sgpr);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_args; i++) {
        const amd_arg *arg = &p->args[i];
        int kind = user_kind(p, (amd_arg_kind)arg->kind);
        if (kind < 0)
            continue;
        if (n && continues(&list[n - 1], (amd_obj_user_kind)kind, arg))
            list[n - 1].count += arg->count;
        else
            list[n++] = (amd_obj_user_sgpr){(amd_obj_user_kind)kind, arg->index, arg->reg,
                                            arg->count};
    }
    out->user_sgprs = list;
    out->n_user_sgprs = n;
}

/* Lists the arguments of a kernel, with the names of docs/abi.md. */
static void
list_kernargs(arena *a, const amd_program *p, obj_code *out)
{
    obj_arg *list = ARENA_ARRAY(a, p->n_kernargs, obj_arg);
    for (uint32_t i = 0; i < p->n_kernargs; i++) {
        const amd_kernarg *k = &p->kernargs[i];
        list[i] = (obj_arg){.name = "", .offset = k->offset, .size = k->size};
        switch (k->kind) {
        case AMD_ARG_DESCRIPTOR_SET:
            list[i].name = arena_printf(a, "set%u", k->index);
            list[i].kind = "global_buffer";
            break;
        case AMD_ARG_PUSH_POINTER:
            list[i].name = "push_block";
            list[i].kind = "global_buffer";
            break;
        case AMD_ARG_PUSH_INLINE:
            list[i].name = "push_constants";
            list[i].kind = "by_value";
            break;
        default: list[i].kind = arena_printf(a, "hidden_block_count_%c", 'x' + k->index); break;
        }
    }
    out->args = list;
    out->n_args = p->n_kernargs;
    out->args_size = p->kernarg_size;
    out->args_align = 8;
}

/* Registers with dword addresses, as in PAL's notes. */
static void
list_registers(arena *a, const amd_program *p, amd_obj_state *out)
{
    amd_obj_register *list = ARENA_ARRAY(a, p->n_set_regs, amd_obj_register);
    for (uint32_t i = 0; i < p->n_set_regs; i++)
        list[i] = (amd_obj_register){p->set_regs[i].address / 4, p->set_regs[i].value};
    out->registers = list;
    out->n_registers = p->n_set_regs;
}

static void
list_params(arena *a, const amd_program *p, amd_obj_state *out)
{
    amd_obj_param *list = ARENA_ARRAY(a, p->n_params, amd_obj_param);
    for (uint32_t i = 0; i < p->n_params; i++)
        list[i] = (amd_obj_param){.name = ir_hir_names.slot[p->params[i].slot],
                                  .location = p->params[i].location,
                                  .components = p->params[i].components,
                                  .control = p->params[i].control};
    out->params = list;
    out->n_params = p->n_params;
}

static obj_stage
stage_of(const amd_program *p)
{
    static const obj_stage stages[] = {
        [AMD_STAGE_COMPUTE_CS] = OBJ_STAGE_COMPUTE,
        [AMD_STAGE_VERTEX_VS] = OBJ_STAGE_VERTEX,
        [AMD_STAGE_VERTEX_NGG] = OBJ_STAGE_VERTEX,
        [AMD_STAGE_FRAGMENT_FS] = OBJ_STAGE_FRAGMENT,
    };
    return stages[p->stage];
}

/* Makes the line table. Files are numbered in the order of their first lines. */
static void
list_lines(arena *a, const amd_binary *binary, obj_code *out)
{
    const amd_program *p = binary->program;
    const ir_fn *f = binary->fn;
    obj_line *lines = ARENA_ARRAY(a, p->n_lines, obj_line);
    const char **files = NULL;
    size_t cap_files = 0;
    base_map numbers = map_make(a);
    uint32_t n = 0;
    for (size_t i = 0; i < p->n_lines; i++) {
        const ir_loc *loc = &f->locs[p->lines[i].loc];
        uint64_t file;
        if (!map_get(&numbers, loc->file, &file)) {
            file = out->n_files;
            map_put(&numbers, loc->file, file);
            files = arena_grow(a, files, &cap_files, out->n_files + 1, sizeof *files);
            files[out->n_files++] = strings_get(&f->strings, loc->file);
        }
        /* Instructions without code leave rows that the next ones replace. */
        n -= n && lines[n - 1].code_offset == p->lines[i].offset;
        lines[n++] = (obj_line){p->lines[i].offset, (uint32_t)file, loc->line, loc->column};
    }
    out->files = files;
    out->lines = lines;
    out->n_lines = n;
}

void
amd_make_object(arena *a, const amd_binary *binary, const char *name, obj_code *out)
{
    const amd_program *p = binary->program;
    const ir_shader *s = &binary->fn->shader;
    amd_obj_state *state = ARENA_NEW(a, amd_obj_state);
    *state = (amd_obj_state){
        .sgprs = binary->sgprs,
        .vgprs = binary->vgprs,
        .address_high = p->hsa ? 0 : p->address_high,
        .buffer_word3 = amd_raw_buffer_word3(p->target->gen),
        .spilled_sgprs = p->spilled_sgprs,
        .spilled_vgprs = p->spilled_vgprs,
    };
    *out = (obj_code){
        .target = p->target_id,
        .abi = p->hsa ? OBJ_ABI_HSA : OBJ_ABI_VULKAN,
        .stage = stage_of(p),
        .wave_size = (uint8_t)p->wave_size,
        .name = name,
        .code = binary->code,
        .code_size = binary->size,
        .data_offset = binary->code_size,
        .lds_bytes = p->lds_bytes,
        .scratch_bytes = p->scratch_bytes,
        .push_size = s->push_constant_size,
        .own = state,
    };
    for (int i = 0; i < 3; i++) {
        out->workgroup_size[i] = s->workgroup_size[i];
        state->rsrc[i] = binary->rsrc[i];
    }
    state->is_primitive = p->stage == AMD_STAGE_VERTEX_NGG;
    list_user_sgprs(a, p, state);
    list_registers(a, p, state);
    list_params(a, p, state);
    list_lines(a, binary, out);
    if (p->hsa)
        list_kernargs(a, p, out);
}
