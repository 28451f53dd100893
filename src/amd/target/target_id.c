/* The table of target ids, made of the processors and of the features that object/machines.def says
 * they have. */
#include "amd/target/target_id.h"

/* The numbers of the processors in amd_targets. */
enum {
#define AMD_PROCESSOR(name, gen, limits)   NUMBER_##name,
#define AMD_GENERIC(id, name, gen, limits) NUMBER_##id,
#include "amd/isa/table/processors.def"
#undef AMD_PROCESSOR
#undef AMD_GENERIC
    PROCESSORS
};

#define ID(id, text, xnack, sramecc)                                                               \
    {text, &amd_targets[NUMBER_##id], AMD_OBJ_FEATURE_##xnack, AMD_OBJ_FEATURE_##sramecc},
/* By the columns of machines.def: XNACK, SRAM-ECC. */
#define IDS_00(id, name)
#define IDS_10(id, name) ID(id, name ":xnack-", OFF, ANY) ID(id, name ":xnack+", ON, ANY)
#define IDS_20(id, name) IDS_10(id, name)
#define IDS_11(id, name)                                                                           \
    IDS_10(id, name)                                                                               \
    ID(id, name ":sramecc-", ANY, OFF)                                                             \
    ID(id, name ":sramecc-:xnack-", OFF, OFF)                                                      \
    ID(id, name ":sramecc-:xnack+", ON, OFF)                                                       \
    ID(id, name ":sramecc+", ANY, ON)                                                              \
    ID(id, name ":sramecc+:xnack-", OFF, ON)                                                       \
    ID(id, name ":sramecc+:xnack+", ON, ON)

const amd_target_id amd_target_ids[] = {
#define AMD_PROCESSOR(name, gen, limits)   ID(name, #name, ANY, ANY)
#define AMD_GENERIC(id, name, gen, limits) ID(id, name, ANY, ANY)
#include "amd/isa/table/processors.def"
#undef AMD_PROCESSOR
#undef AMD_GENERIC
#define MACHINE(name, mach, xnack, sramecc)              IDS_##xnack##sramecc(name, #name)
#define GENERIC(id, name, mach, xnack, sramecc, version) IDS_##xnack##sramecc(id, name)
#include "amd/object/machines.def"
#undef MACHINE
#undef GENERIC
};

const amd_target_id *
amd_find_target_id(const char *name)
{
    amd_obj_target wanted;
    const amd_target *t = amd_find_target(name);
    if (!t || !amd_obj_parse_target(name, &wanted))
        return NULL;
    if (wanted.xnack == AMD_OBJ_FEATURE_ANY && wanted.sramecc == AMD_OBJ_FEATURE_ANY)
        return &amd_target_ids[t - amd_targets];
    for (size_t i = PROCESSORS; i < sizeof amd_target_ids / sizeof *amd_target_ids; i++) {
        const amd_target_id *id = &amd_target_ids[i];
        if (id->target == t && id->xnack == wanted.xnack && id->sramecc == wanted.sramecc)
            return id;
    }
    return NULL;
}
