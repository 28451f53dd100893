/* Compiles HIR and runs it on the emulator with storage buffers of set 0, for unit tests. The target
 * is gfx1030, or the program's first argument. */
#ifndef TEST_AMD_RUN_H
#define TEST_AMD_RUN_H

#include "amd/compile/compile.h"
#include "amd/emu/desc/descriptor.h"
#include "amd/emu/emu.h"
#include "amd/emu/run/load.h"
#include "opt/opt.h"

#include <stdio.h>

enum { AMD_RUN_MAX_BUFFERS = 4 };

static const amd_target *amd_run_target;

/* For main: takes the target. Returns false, with a message, if there is none of the name. */
static inline bool
amd_run_choose(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "gfx1030";
    amd_run_target = amd_find_target(name);
    if (!amd_run_target)
        fprintf(stderr, "there is no target %s\n", name);
    return amd_run_target != NULL;
}

/* Has the target waves of `lanes` lanes? Tests leave out the others. */
static inline bool
amd_run_has_wave(unsigned lanes)
{
    return lanes == 64 || amd_has(amd_run_target, has_wave32);
}

typedef struct amd_run {
    uint32_t wave_size;
    uint32_t groups[3];
    void *buffers[AMD_RUN_MAX_BUFFERS]; /* binding i */
    uint64_t sizes[AMD_RUN_MAX_BUFFERS];
    unsigned n_buffers;
    uint32_t debug;       /* AMD_DEBUG_* */
    int64_t bisect_limit; /* ir_pass_run's */
    uint32_t unchecked;   /* MACH_CHECK_* that are off */
    mach_report report;
} amd_run;

static inline void
amd_run_write_descriptors(const amd_run *r, const family_layout *l, mach_memory *m,
                          mach_region *set)
{
    for (unsigned i = 0; i < r->n_buffers; i++) {
        mach_region *b = mach_memory_map(m, UINT64_C(0x200000000) + i * UINT64_C(0x10000000),
                                         r->sizes[i], r->buffers[i], "buffer");
        amd_buffer_desc d = {.base = b->base,
                             .num_records = (uint32_t)b->size,
                             .oob = AMD_OOB_RAW,
                             .format = 22, /* 32_FLOAT */
                             .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W}};
        uint32_t words[4];
        amd_buffer_encode(amd_run_target->gen, &d, words);
        memcpy(set->host + l->bindings[i].offset, words, sizeof words);
    }
}

static inline void
amd_run_set_sgprs(const amd_program *p, amd_emu_dispatch *d, const mach_region *set)
{
    for (unsigned a = 0; a < p->n_args; a++) {
        const amd_arg *arg = &p->args[a];
        switch (arg->kind) {
        case AMD_ARG_DESCRIPTOR_SET: d->user_sgprs[arg->reg] = (uint32_t)set->base; break;
        case AMD_ARG_WORKGROUP_COUNT: memcpy(&d->user_sgprs[arg->reg], d->grid_groups, 12); break;
        case AMD_ARG_SCRATCH:
            d->user_sgprs[arg->reg] = (uint32_t)AMD_EMU_SCRATCH_BASE;
            d->user_sgprs[arg->reg + 1] = (uint32_t)(AMD_EMU_SCRATCH_BASE >> 32);
            break;
        case AMD_ARG_WORKGROUP_ID: d->workgroup_id[arg->index] = true; break;
        case AMD_ARG_WORKGROUP_INFO: d->workgroup_info = true; break;
        case AMD_ARG_SCRATCH_OFFSET: d->scratch_wave_offset = true; break;
        case AMD_ARG_LOCAL_ID: d->workitem_ids = arg->index; break;
        default: break;
        }
    }
}

/* True if it ran and the checkers found nothing. `hir` is changed. The caller's diag must be armed.
 */
static inline bool
amd_run_hir(ir_fn *hir, amd_run *r)
{
    arena *a = hir->ctx->arena;
    family_binding bindings[AMD_RUN_MAX_BUFFERS];
    for (unsigned i = 0; i < r->n_buffers; i++)
        bindings[i] = (family_binding){
            .binding = i, .type = OBJ_DESCRIPTOR_STORAGE_BUFFER, .count = 1};
    family_layout l = {.bindings = bindings, .n_bindings = r->n_buffers};
    amd_layout_place(hir->ctx->diag, &l);
    ir_pass_run passes = {.verify = true, .bisect_limit = r->bisect_limit};
    amd_options o = {.target = amd_run_target,
                     .wave_size = r->wave_size,
                     .layout = &l,
                     .address_high = AMD_ADDRESS_HIGH,
                     .switches = {.debug = r->debug},
                     .run = &passes};
    amd_binary bin;
    amd_compile(hir, &o, &bin);
    mach_memory m;
    mach_memory_init(&m, a);
    mach_region *code = mach_memory_alloc(&m, MACH_HEAP_LOW, bin.size, 256, "code");
    memcpy(code->host, bin.code, bin.size);
    mach_region *set = mach_memory_alloc(&m, MACH_HEAP_SET, family_set_size(&l, 0), 64, "set 0");
    amd_run_write_descriptors(r, &l, &m, set);
    amd_emu_dispatch d = {.gen = amd_run_target->gen,
                          .entry = code->base,
                          .wave_size = bin.program->wave_size,
                          .lds_bytes = bin.program->lds_bytes,
                          .scratch_bytes = bin.program->scratch_bytes,
                          .one_unit = bin.program->one_unit,
                          .n_user_sgprs = bin.program->n_user_sgprs,
                          .mode = bin.program->float_mode | 1u << 8,
                          .checks = MACH_CHECK_ALL & ~(MACH_CHECK_RACES | r->unchecked)};
    amd_emu_set_counts(&d, bin.rsrc);
    memcpy(d.group_size, hir->shader.workgroup_size, sizeof d.group_size);
    memcpy(d.grid_groups, r->groups, sizeof d.grid_groups);
    amd_run_set_sgprs(bin.program, &d, set);
    return amd_emu_run(&d, &m, hir->ctx->scratch, &r->report);
}

#endif
