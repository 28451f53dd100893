/* A dispatch in the hsa ABI goes through the bytes of the code object: its descriptor and metadata
 * must contain everything that a ROCm loader needs, or the script fails. */
#include "amd/launch/launch.h"

#include "base/number.h"

#include <string.h>

/* Writes the bytes of an argument (docs/abi.md); hidden arguments are the dispatcher's. */
static void
put_argument(uint8_t *at, const obj_arg *arg, const amd_hsa_arguments *args)
{
    if (strncmp(arg->name, "set", 3) == 0) {
        uint64_t set;
        base_integer_read(arg->name + 3, strlen(arg->name + 3), 10, &set);
        uint64_t address = set < args->set_count ? args->sets[set] : 0;
        for (unsigned i = 0; i < 8; i++)
            at[i] = (uint8_t)(address >> 8 * i);
    } else if (strcmp(arg->name, "push_constants") == 0 && args->push_size) {
        memcpy(at, args->push, args->push_size < arg->size ? args->push_size : arg->size);
    }
}

bool
amd_launch_hsa(const ir_ctx *c, const obj_code *made, const amd_hsa_arguments *args, mach_memory *m,
               amd_emu_dispatch *d)
{
    obj_code code = *made;
    obj_file file;
    uint64_t base;
    base_buf bytes = buf_make(c->arena);
    code.name = "kernel";
    amd_obj_write(c->diag, &code, &bytes);
    amd_obj_read(c->diag, c->arena, bytes.data, bytes.size, &file);
    const obj_code *kernel = obj_find_kernel(&file, "kernel");
    if (!kernel || !amd_emu_load(m, &file, &base) || !amd_emu_set_up(d, kernel, base))
        return false;
    uint8_t *explicit_args = arena_zalloc(c->arena, kernel->args_size + 1);
    for (uint32_t a = 0; a < kernel->n_args; a++) {
        if ((uint64_t)kernel->args[a].offset + kernel->args[a].size <= kernel->args_size)
            put_argument(explicit_args + kernel->args[a].offset, &kernel->args[a], args);
    }
    return amd_emu_set_up_hsa(d, kernel, m, explicit_args, kernel->args_size);
}
