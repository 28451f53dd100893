/* Names and look-ups of the model. */
#include "amd/object/object.h"

#include "amd/object/format.h"

#include "base/short_name.h"

#include <string.h>

static const obj_reloc_kind relocs[] = {
#define X(name, number, how, size, high) {#name, number, OBJ_RELOC_##how, size, high},
    AMD_OBJ_RELOCS(X)
#undef X
        {.name = NULL},
};

const obj_format amd_obj_format = {
    .machine = AMD_OBJ_EM_AMDGPU,
    .machine_name = "AMDGPU",
    .note_owner = "AMDGPU",
    .note_type = AMD_OBJ_NT_METADATA,
    .code_align = 256,
    .absolute64 = AMD_OBJ_R_ABS64,
    .absolute32 = AMD_OBJ_R_ABS32,
    .relative64 = AMD_OBJ_R_RELATIVE64,
    .kinds = relocs,
};

const char *
amd_obj_user_kind_name(amd_obj_user_kind kind)
{
    static const char *const names[] = {
#define X(id, name) name,
        AMD_OBJ_USER_KINDS(X)
#undef X
    };
    return names[kind];
}

const amd_obj_state *
amd_obj_state_of(const obj_code *code)
{
    static const amd_obj_state none;
    return code->own ? code->own : &none;
}

const amd_obj_version *
amd_obj_version_of(const obj_file *file)
{
    return file->own;
}

static const amd_obj_machine machines[] = {
#define MACHINE(name, mach, xnack, sramecc) {#name, mach, xnack, sramecc, (xnack) == 2, 0},
#define GENERIC(id, name, mach, xnack, sramecc, version)                                           \
    {name, mach, xnack, sramecc, (xnack) == 2, version},
#include "amd/object/machines.def"
#undef MACHINE
#undef GENERIC
};

enum { N_MACHINES = sizeof machines / sizeof machines[0] };

const amd_obj_machine *
amd_obj_machine_by_name(const char *id)
{
    short_name wanted;
    if (!short_name_cut(&wanted, id, strcspn(id, ":")))
        return NULL;
    for (int i = 0; i < N_MACHINES; i++) {
        if (short_name_is(&wanted, machines[i].name))
            return &machines[i];
    }
    return NULL;
}

const amd_obj_machine *
amd_obj_machine_by_number(uint32_t mach)
{
    for (int i = 0; i < N_MACHINES; i++) {
        if (machines[i].mach == mach)
            return &machines[i];
    }
    return NULL;
}

/* Takes ":NAME+" or ":NAME-" from the text if the feature is not set yet. */
static bool
take_feature(const char **text, const char *name, amd_obj_feature *out)
{
    size_t n = strlen(name);
    const char *at = *text;
    if (*out != AMD_OBJ_FEATURE_ANY || *at != ':' || strncmp(at + 1, name, n) != 0 ||
        (at[n + 1] != '+' && at[n + 1] != '-'))
        return false;
    *out = at[n + 1] == '+' ? AMD_OBJ_FEATURE_ON : AMD_OBJ_FEATURE_OFF;
    *text = at + n + 2;
    return true;
}

bool
amd_obj_parse_target(const char *id, amd_obj_target *out)
{
    const char *at = id + strcspn(id, ":");
    *out = (amd_obj_target){.machine = amd_obj_machine_by_name(id)};
    while (take_feature(&at, "xnack", &out->xnack) || take_feature(&at, "sramecc", &out->sramecc))
        continue;
    return out->machine && !*at && (out->xnack == AMD_OBJ_FEATURE_ANY || out->machine->has_xnack) &&
           (out->sramecc == AMD_OBJ_FEATURE_ANY || out->machine->has_sramecc);
}

const char *
amd_obj_target_id(arena *a, const amd_obj_target *t)
{
    static const char *const sramecc[] = {"", ":sramecc-", ":sramecc+"};
    static const char *const xnack[] = {"", ":xnack-", ":xnack+"};
    if (t->xnack == AMD_OBJ_FEATURE_ANY && t->sramecc == AMD_OBJ_FEATURE_ANY)
        return t->machine->name;
    return arena_printf(a, "%s%s%s", t->machine->name, sramecc[t->sramecc], xnack[t->xnack]);
}

amd_obj_retry
amd_obj_may_retry(const char *id, obj_abi abi)
{
    amd_obj_target t;
    if (!amd_obj_parse_target(id, &t) || !t.machine->has_xnack || t.xnack == AMD_OBJ_FEATURE_OFF)
        return AMD_OBJ_RETRY_NONE;
    if (t.xnack == AMD_OBJ_FEATURE_ON || abi == OBJ_ABI_HSA)
        return AMD_OBJ_RETRY_ALL;
    return t.machine->vulkan_xnack ? AMD_OBJ_RETRY_SCALAR : AMD_OBJ_RETRY_NONE;
}

bool
amd_obj_has_xnack(const char *id)
{
    amd_obj_target t;
    return amd_obj_parse_target(id, &t) && t.machine->has_xnack && t.xnack != AMD_OBJ_FEATURE_OFF;
}

uint32_t
amd_obj_hsa_user_sgprs(amd_obj_user_kind kind)
{
    return kind == AMD_OBJ_USER_PRIVATE_SEGMENT_BUFFER ? 4
           : kind == AMD_OBJ_USER_PRIVATE_SEGMENT_SIZE ? 1
                                                       : 2;
}

static uint32_t
feature_bits(bool has, amd_obj_feature f, unsigned low)
{
    return has ? (f == AMD_OBJ_FEATURE_ANY ? 1u : f == AMD_OBJ_FEATURE_OFF ? 2u : 3u) << low : 0;
}

uint32_t
amd_obj_default_version(const char *target)
{
    const amd_obj_machine *m = amd_obj_machine_by_name(target);
    return m && m->generic_version ? 6 : 5;
}

obj_marks
amd_obj_hsa_marks(diag *d, const char *id, uint32_t version)
{
    amd_obj_target t;
    if (!amd_obj_parse_target(id, &t))
        diag_fail(d, ERR_OBJECT_UNKNOWN_TARGET, id);
    const amd_obj_machine *m = t.machine;
    if (m->generic_version && version < 6)
        diag_fail(d, ERR_OBJECT_GENERIC_VERSION, id);
    return (obj_marks){.os_abi = AMD_OBJ_OSABI_HSA,
                       .abi_version = (uint8_t)(version - 2), /* V4 is 2 */
                       .flags = m->mach | feature_bits(m->has_xnack, t.xnack, 8) |
                                feature_bits(m->has_sramecc, t.sramecc, 10) |
                                (uint32_t)m->generic_version << 24};
}
