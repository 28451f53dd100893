/* Metadata notes.
 *
 * vulkan: the map `amdpal.pipelines` as in PAL (one pipeline: hardware stage, shader, registers).
 * hsa: the map `amdhsa.kernels` of code object v5. Both get an additional entry, `.heddle`, for
 * what neither format can express: the contents of user SGPRs, the entry point's name, the start of
 * constant data, spilled registers. Readers ignore unknown keys, so other tools accept these
 * objects.
 *
 * Source: LLVM 19, docs/AMDGPUUsage.rst, "AMDPAL Code Object Metadata" and "Code Object V5
 * Metadata".
 */
#include "amd/object/notes.h"

#include "amd/object/format.h"
#include "object/shader_map.h"

#include <string.h>

/* The stage in whose hardware the shader runs. */
static obj_stage
hardware_of(const obj_code *c)
{
    return amd_obj_state_of(c)->is_primitive ? OBJ_STAGE_GEOMETRY : c->stage;
}

const char *
amd_obj_hardware_stage(const obj_code *code)
{
    static const char *const names[OBJ_STAGE_COUNT] = {".vs", ".hs", ".vs", ".gs",
                                                       ".ps", ".cs", ".cs", ".gs"};
    return names[hardware_of(code)];
}

const char *
amd_obj_entry_symbol(const obj_code *code)
{
    static const char *const names[OBJ_STAGE_COUNT] = {
        "_amdgpu_vs_main", "_amdgpu_hs_main", "_amdgpu_vs_main", "_amdgpu_gs_main",
        "_amdgpu_ps_main", "_amdgpu_cs_main", "_amdgpu_cs_main", "_amdgpu_gs_main"};
    return names[hardware_of(code)];
}

/* PAL's name of an API shader. */
static const char *
shader_key(obj_stage stage)
{
    static const char *const names[OBJ_STAGE_COUNT] = {
        ".vertex", ".hull", ".domain", ".geometry", ".pixel", ".compute", ".task", ".mesh"};
    return names[stage];
}

static void
write_user_sgprs(base_buf *b, const amd_obj_state *s)
{
    pack_text(b, ".user_sgprs");
    pack_array(b, s->n_user_sgprs);
    for (uint32_t i = 0; i < s->n_user_sgprs; i++) {
        const amd_obj_user_sgpr *u = &s->user_sgprs[i];
        pack_map(b, 4);
        pack_key_text(b, ".kind", amd_obj_user_kind_name(u->kind));
        pack_key_uint(b, ".index", u->index);
        pack_key_uint(b, ".first", u->first_sgpr);
        pack_key_uint(b, ".count", u->count);
    }
}

/* AMD's numbers in the `.heddle` map: each key and its place in the kernel's state `s`. */
#define HEDDLE_NUMBERS(X)                                                                          \
    X(".sgprs", s->sgprs)                                                                          \
    X(".vgprs", s->vgprs)                                                                          \
    X(".spilled_sgprs", s->spilled_sgprs)                                                          \
    X(".spilled_vgprs", s->spilled_vgprs)                                                          \
    X(".address_high", s->address_high)                                                            \
    X(".buffer_word3", s->buffer_word3)

static bool
is_compute(const obj_code *c)
{
    return c->stage == OBJ_STAGE_COMPUTE || c->stage == OBJ_STAGE_TASK;
}

static void
write_params(base_buf *b, const amd_obj_state *s)
{
    pack_text(b, ".params");
    pack_array(b, s->n_params);
    for (uint32_t i = 0; i < s->n_params; i++) {
        pack_map(b, 4);
        pack_key_text(b, ".slot", s->params[i].name);
        pack_key_uint(b, ".location", s->params[i].location);
        pack_key_uint(b, ".components", s->params[i].components);
        pack_key_uint(b, ".control", s->params[i].control);
    }
}

static void
write_heddle(base_buf *b, const obj_code *c, const amd_obj_state *s)
{
#define X(key, place) +1
    const uint32_t numbers = HEDDLE_NUMBERS(X);
#undef X
    obj_put_shader_map(b, c, numbers + (is_compute(c) ? 2 : 4));
#define X(key, place) pack_key_uint(b, key, place);
    HEDDLE_NUMBERS(X)
#undef X
    pack_key_words(b, ".rsrc", s->rsrc, 3);
    write_user_sgprs(b, s);
    if (!is_compute(c)) {
        pack_key_uint(b, ".primitive", s->is_primitive);
        write_params(b, s);
    }
}

static void
write_register(base_buf *b, uint32_t address, uint32_t value)
{
    pack_uint(b, address);
    pack_uint(b, value);
}

static void
write_registers(base_buf *b, const obj_code *c, const amd_obj_state *s)
{
    pack_text(b, ".registers");
    pack_map(b, s->n_registers + (is_compute(c) ? 7 : 0));
    if (is_compute(c)) {
        write_register(b, AMD_OBJ_PAL_COMPUTE_DISPATCH_INITIATOR,
                       c->wave_size == 32 ? AMD_OBJ_PAL_CS_W32_EN : 0);
        for (uint32_t i = 0; i < 3; i++)
            write_register(b, AMD_OBJ_PAL_COMPUTE_NUM_THREAD_X + i, c->workgroup_size[i]);
        write_register(b, AMD_OBJ_PAL_COMPUTE_PGM_RSRC1, s->rsrc[0]);
        write_register(b, AMD_OBJ_PAL_COMPUTE_PGM_RSRC2, s->rsrc[1]);
        write_register(b, AMD_OBJ_PAL_COMPUTE_PGM_RSRC3, s->rsrc[2]);
    }
    for (uint32_t i = 0; i < s->n_registers; i++)
        write_register(b, s->registers[i].address, s->registers[i].value);
}

static void
write_pipeline(base_buf *b, const obj_code *c, const amd_obj_state *s)
{
    pack_map(b, 5);
    pack_key_text(b, ".api", "Vulkan");
    pack_text(b, ".hardware_stages");
    pack_map(b, 1);
    pack_text(b, amd_obj_hardware_stage(c));
    pack_map(b, 6);
    pack_key_text(b, ".entry_point", amd_obj_entry_symbol(c));
    pack_key_uint(b, ".lds_size", c->lds_bytes);
    pack_key_uint(b, ".scratch_memory_size", c->scratch_bytes);
    pack_key_uint(b, ".sgpr_count", s->sgprs);
    pack_key_uint(b, ".vgpr_count", s->vgprs);
    pack_key_uint(b, ".wavefront_size", c->wave_size);
    write_registers(b, c, s);
    pack_text(b, ".shaders");
    pack_map(b, 1);
    pack_text(b, shader_key(c->stage));
    pack_map(b, 1);
    pack_text(b, ".hardware_mapping");
    pack_array(b, 1);
    pack_text(b, amd_obj_hardware_stage(c));
    pack_key_text(b, ".type", is_compute(c) ? "Cs" : "VsPs");
}

static void
write_arg(base_buf *b, const obj_arg *arg)
{
    const char *space = strcmp(arg->kind, "global_buffer") == 0            ? "global"
                        : strcmp(arg->kind, "dynamic_shared_pointer") == 0 ? "local"
                                                                           : NULL;
    pack_map(b, 3 + (*arg->name != '\0') + (space != NULL));
    if (space)
        pack_key_text(b, ".address_space", space);
    if (*arg->name)
        pack_key_text(b, ".name", arg->name);
    pack_key_uint(b, ".offset", arg->offset);
    pack_key_uint(b, ".size", arg->size);
    pack_key_text(b, ".value_kind", arg->kind);
}

/* The maximum flat workgroup size: as stated, or that of the required size, or the hardware's
 * limit. */
static uint32_t
max_workgroup_size(const obj_code *c)
{
    uint32_t required = c->workgroup_size[0] * c->workgroup_size[1] * c->workgroup_size[2];
    return c->max_workgroup_size ? c->max_workgroup_size : required ? required : 1024;
}

static void
write_kernel(base_buf *b, const obj_code *c, const amd_obj_state *s)
{
    bool has_size = c->workgroup_size[0] != 0;
    pack_map(b, 14 + 2 * has_size);
    pack_text(b, ".args");
    pack_array(b, c->n_args);
    for (uint32_t i = 0; i < c->n_args; i++)
        write_arg(b, &c->args[i]);
    pack_key_uint(b, ".group_segment_fixed_size", c->lds_bytes);
    pack_key_uint(b, ".kernarg_segment_align", c->args_align ? c->args_align : 8);
    pack_key_uint(b, ".kernarg_segment_size", c->args_size);
    pack_key_uint(b, ".max_flat_workgroup_size", max_workgroup_size(c));
    pack_key_text(b, ".name", c->name);
    pack_key_uint(b, ".private_segment_fixed_size", c->scratch_bytes);
    if (has_size)
        pack_key_words(b, ".reqd_workgroup_size", c->workgroup_size, 3);
    pack_key_uint(b, ".sgpr_count", s->sgprs);
    pack_key_uint(b, ".sgpr_spill_count", s->spilled_sgprs);
    pack_key_text(b, ".symbol", arena_printf(b->arena, "%s.kd", c->name));
    if (has_size) /* the code may rely on full workgroups */
        pack_key_uint(b, ".uniform_work_group_size", 1);
    pack_text(b, ".uses_dynamic_stack");
    pack_bool(b, s->dynamic_stack);
    pack_key_uint(b, ".vgpr_count", s->vgprs);
    pack_key_uint(b, ".vgpr_spill_count", s->spilled_vgprs);
    pack_key_uint(b, ".wavefront_size", c->wave_size);
}

void
amd_obj_write_notes(const obj_code *code, base_buf *b)
{
    const amd_obj_state *s = amd_obj_state_of(code);
    bool hsa = code->abi == OBJ_ABI_HSA;
    pack_map(b, hsa ? 4 : 3);
    write_heddle(b, code, s);
    pack_text(b, hsa ? "amdhsa.kernels" : "amdpal.pipelines");
    pack_array(b, 1);
    if (hsa) {
        write_kernel(b, code, s);
        pack_key_text(b, "amdhsa.target",
                      arena_printf(b->arena, "amdgcn-amd-amdhsa--%s", code->target));
    } else {
        write_pipeline(b, code, s);
    }
    pack_key_words(b, hsa ? "amdhsa.version" : "amdpal.version",
                   hsa ? (const uint32_t[]){1, 2} : (const uint32_t[]){2, 1}, 2);
}

static amd_obj_user_kind
user_kind_by_name(diag *d, const char *name)
{
    for (int i = 0; i < AMD_OBJ_USER_KIND_COUNT; i++) {
        if (strcmp(amd_obj_user_kind_name((amd_obj_user_kind)i), name) == 0)
            return (amd_obj_user_kind)i;
    }
    diag_fail(d, ERR_OBJECT_BAD_METADATA, "an unknown .kind of user SGPR");
}

static void
read_user_sgprs(diag *d, arena *a, const pack_value *heddle, amd_obj_state *out)
{
    const pack_value *list = pack_get(heddle, ".user_sgprs");
    uint32_t n = pack_count(list);
    amd_obj_user_sgpr *users = ARENA_ARRAY(a, n, amd_obj_user_sgpr);
    for (uint32_t i = 0; i < n; i++) {
        const pack_value *v = pack_at(list, i);
        users[i].kind = user_kind_by_name(d, pack_get_text(v, ".kind", ""));
        users[i].index = pack_get_uint(v, ".index", 0);
        users[i].first_sgpr = pack_get_uint(v, ".first", UINT32_MAX);
        users[i].count = pack_get_uint(v, ".count", UINT32_MAX);
        if (users[i].first_sgpr > 32 || users[i].count > 32 - users[i].first_sgpr)
            diag_fail(d, ERR_OBJECT_BAD_METADATA, "user SGPRs beyond the 32 that exist");
    }
    out->user_sgprs = users;
    out->n_user_sgprs = n;
}

static void
read_params(arena *a, const pack_value *heddle, amd_obj_state *out)
{
    const pack_value *list = pack_get(heddle, ".params");
    uint32_t n = pack_count(list);
    amd_obj_param *params = ARENA_ARRAY(a, n, amd_obj_param);
    for (uint32_t i = 0; i < n; i++) {
        const pack_value *v = pack_at(list, i);
        params[i] = (amd_obj_param){
            .name = pack_get_text(v, ".slot", ""),
            .location = pack_get_uint(v, ".location", 0),
            .components = pack_get_uint(v, ".components", 0),
            .control = pack_get_uint(v, ".control", 0),
        };
    }
    out->params = params;
    out->n_params = n;
}

static void
read_heddle(diag *d, arena *a, const pack_value *heddle, amd_obj_kernel out)
{
    amd_obj_state *s = out.state;
    obj_get_shader_map(d, a, heddle, out.code);
#define X(key, place) place = pack_get_uint(heddle, key, 0);
    HEDDLE_NUMBERS(X)
#undef X
    pack_get_words(heddle, ".rsrc", s->rsrc, 3);
    read_user_sgprs(d, a, heddle, s);
    s->is_primitive = pack_get_uint(heddle, ".primitive", 0) != 0;
    read_params(a, heddle, s);
}

static void
check_wave_size(diag *d, const obj_code *c)
{
    if (c->wave_size != 32 && c->wave_size != 64)
        diag_fail(d, ERR_OBJECT_BAD_METADATA, "the wave size is neither 32 nor 64");
}

/* Words that the model has members for are stored in them; the others become its list. */
static void
read_registers(arena *a, const pack_value *map, amd_obj_kernel out)
{
    obj_code *c = out.code;
    amd_obj_state *s = out.state;
    uint32_t n = pack_count(map);
    amd_obj_register *list = ARENA_ARRAY(a, n, amd_obj_register);
    s->registers = list;
    for (uint32_t i = 0; i < n && map->kind == PACK_MAP; i++) {
        uint64_t address = map->items[2 * i].number;
        uint32_t value = (uint32_t)map->items[2 * i + 1].number;
        if (address == AMD_OBJ_PAL_COMPUTE_DISPATCH_INITIATOR)
            c->wave_size = value & AMD_OBJ_PAL_CS_W32_EN ? 32 : 64;
        else if (address - AMD_OBJ_PAL_COMPUTE_NUM_THREAD_X < 3)
            c->workgroup_size[address - AMD_OBJ_PAL_COMPUTE_NUM_THREAD_X] = value;
        else if (address - AMD_OBJ_PAL_COMPUTE_PGM_RSRC1 < 2)
            s->rsrc[address - AMD_OBJ_PAL_COMPUTE_PGM_RSRC1] = value;
        else if (address == AMD_OBJ_PAL_COMPUTE_PGM_RSRC3)
            s->rsrc[2] = value;
        else if (address <= UINT32_MAX)
            list[s->n_registers++] = (amd_obj_register){(uint32_t)address, value};
    }
}

/* The hardware stage that the pipeline has. */
static const pack_value *
first_stage(const pack_value *stages)
{
    static const char *const names[] = {".cs", ".vs", ".gs", ".ps"};
    const pack_value *stage = NULL;
    for (unsigned k = 0; k < sizeof names / sizeof *names && !stage; k++)
        stage = pack_get(stages, names[k]);
    return stage;
}

void
amd_obj_read_pipeline(diag *d, arena *a, const pack_value *pipeline, const pack_value *heddle,
                      amd_obj_kernel out)
{
    const pack_value *stages = pack_get(pipeline, ".hardware_stages");
    const pack_value *cs = first_stage(stages);
    obj_code *c = out.code;
    c->stage = OBJ_STAGE_COMPUTE; /* without a .heddle map only these are known */
    c->name = pack_get_text(cs, ".entry_point", "_amdgpu_cs_main");
    c->wave_size = 64;
    read_registers(a, pack_get(pipeline, ".registers"), out);
    if (cs) {
        out.state->sgprs = pack_get_uint(cs, ".sgpr_count", 0);
        out.state->vgprs = pack_get_uint(cs, ".vgpr_count", 0);
        c->lds_bytes = pack_get_uint(cs, ".lds_size", 0);
        c->scratch_bytes = pack_get_uint(cs, ".scratch_memory_size", 0);
        c->wave_size = (uint8_t)pack_get_uint(cs, ".wavefront_size", c->wave_size);
    }
    if (heddle)
        read_heddle(d, a, heddle, out);
    check_wave_size(d, c);
}

static void
read_args(arena *a, const pack_value *list, obj_code *out)
{
    uint32_t n = pack_count(list);
    obj_arg *args = ARENA_ARRAY(a, n, obj_arg);
    for (uint32_t i = 0; i < n; i++) {
        const pack_value *v = pack_at(list, i);
        args[i].name = pack_get_text(v, ".name", "");
        args[i].kind = pack_get_text(v, ".value_kind", "");
        args[i].offset = pack_get_uint(v, ".offset", 0);
        args[i].size = pack_get_uint(v, ".size", 0);
    }
    out->args = args;
    out->n_args = n;
}

void
amd_obj_read_kernel(diag *d, arena *a, const pack_value *kernel, const pack_value *heddle,
                    amd_obj_kernel out)
{
    obj_code *c = out.code;
    amd_obj_state *s = out.state;
    if (heddle)
        read_heddle(d, a, heddle, out);
    c->stage = OBJ_STAGE_COMPUTE;
    c->name = pack_get_text(kernel, ".name", "");
    c->wave_size = (uint8_t)pack_get_uint(kernel, ".wavefront_size", 64);
    s->sgprs = pack_get_uint(kernel, ".sgpr_count", 0);
    s->vgprs = pack_get_uint(kernel, ".vgpr_count", 0);
    c->lds_bytes = pack_get_uint(kernel, ".group_segment_fixed_size", 0);
    c->scratch_bytes = pack_get_uint(kernel, ".private_segment_fixed_size", 0);
    s->dynamic_stack = pack_get_uint(kernel, ".uses_dynamic_stack", 0) != 0;
    s->spilled_sgprs = pack_get_uint(kernel, ".sgpr_spill_count", 0);
    s->spilled_vgprs = pack_get_uint(kernel, ".vgpr_spill_count", 0);
    c->args_size = pack_get_uint(kernel, ".kernarg_segment_size", 0);
    c->args_align = pack_get_uint(kernel, ".kernarg_segment_align", 0);
    c->max_workgroup_size = pack_get_uint(kernel, ".max_flat_workgroup_size", 0);
    pack_get_words(kernel, ".reqd_workgroup_size", c->workgroup_size, 3);
    read_args(a, pack_get(kernel, ".args"), c);
    check_wave_size(d, c);
}
