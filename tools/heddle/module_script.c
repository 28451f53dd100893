/* Describes a module's resources to AmberScript: a buffer for each block, whose runtime array gets
 * some elements, bound as the module declares it. */
#include "module_script.h"
#include "cli.h"

#include "spirv/spirv.h"

#include <stdio.h>
#include <string.h>

enum { MORE_WORDS = 1024 }; /* for a runtime array, behind the members before it */

static const char stand_in[] = "#!amber\nSHADER compute s SPIRV-ASM\n"
                               "OpCapability Shader\n"
                               "OpMemoryModel Logical GLSL450\n"
                               "OpEntryPoint GLCompute %m \"main\"\n"
                               "OpExecutionMode %m LocalSize 1 1 1\n"
                               "%v = OpTypeVoid\n%f = OpTypeFunction %v\n"
                               "%m = OpFunction %v None %f\n%l = OpLabel\nOpReturn\n"
                               "OpFunctionEnd\nEND\n";

static const char *
kind_of(const spirv_binding *b)
{
    if (b->count != 1)
        return NULL;
    return b->type == IR_DESC_ubo ? "uniform" : b->type == IR_DESC_ssbo ? "storage" : NULL;
}

static const char *
write_script(FILE *f, const spirv_info *info)
{
    const spirv_entry *entry = NULL;
    for (size_t i = 0; i < info->n_entries && !entry; i++) {
        if (info->entries[i].has_stage && info->entries[i].stage == IR_STAGE_COMPUTE)
            entry = &info->entries[i];
    }
    if (!entry)
        return "it has no compute shader";
    fputs(stand_in, f);
    for (size_t i = 0; i < info->n_bindings; i++) {
        if (info->bindings[i].used && !kind_of(&info->bindings[i]))
            return "it has resources that are not single buffers";
        fprintf(f, "BUFFER b%zu DATA_TYPE uint32 SIZE %u SERIES_FROM %zu INC_BY 3\n", i,
                info->bindings[i].size / 4 + MORE_WORDS, i + 1);
    }
    if (info->push_constant_size)
        fprintf(f, "BUFFER push DATA_TYPE uint32 SIZE %u SERIES_FROM 1 INC_BY 1\n",
                (info->push_constant_size + 3) / 4);
    fprintf(f, "PIPELINE compute p\n  ATTACH s ENTRY_POINT %s\n", entry->name);
    for (size_t i = 0; i < info->n_bindings; i++) {
        const spirv_binding *b = &info->bindings[i];
        if (kind_of(b))
            fprintf(f, "  BIND BUFFER b%zu AS %s DESCRIPTOR_SET %u BINDING %u\n", i, kind_of(b),
                    b->set, b->binding);
    }
    if (info->push_constant_size)
        fputs("  BIND BUFFER push AS push_constant\n", f);
    fputs("END\nRUN p 1 1 1\n", f);
    return NULL;
}

/* Reads the declarations; errors leave through the diag. */
static const char *
reflect_and_write(diag *d, arena *a, FILE *f, const uint32_t *words, size_t n_words)
{
    if (!DIAG_TRY(d))
        return d->message;
    ir_ctx ctx = {.diag = d, .arena = a, .scratch = a};
    const spirv_options options = {.stage = IR_STAGE_COMPUTE};
    return write_script(f, spirv_reflect(&ctx, &options, words, n_words));
}

bool
module_script_write(const char *path, const char *name, const uint32_t *words, size_t n_words)
{
    diag d;
    arena a;
    FILE *f = fopen(path, "w");
    if (!f) {
        cli_error(path, "FILE_WRITE", "cannot be written");
        return false;
    }
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    const char *wrong = reflect_and_write(&d, &a, f, words, n_words);
    if (wrong)
        cli_error(name, "BISECT_MODULE", "%s: it needs a script, or --command, to be run with",
                  wrong);
    arena_free(&a);
    return fclose(f) == 0 && !wrong;
}
