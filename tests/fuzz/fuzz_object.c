/* Code objects: any bytes are read, or refused. An object that was read is written again if it is
 * one of ours, and its first kernel is launched. */
#include "fuzz.h"

#include "amd/emu/run/load.h"
#include "amd/object/object.h"

#include <heddle/heddle.h>

#include <stdlib.h>
#include <string.h>

typedef struct call {
    diag d;
    arena a;
} call;

static void
start(call *c)
{
    diag_init(&c->d);
    arena_init(&c->a, &base_malloc_allocator, diag_out_of_memory, &c->d);
}

/* Launches the first kernel as heddle run does; all arguments are 0. */
static void
launch(call *c, const obj_file *f)
{
    const uint8_t args[64] = {0};
    amd_emu_dispatch d = {.group_size = {32, 1, 1},
                          .grid_groups = {1, 1, 1},
                          .checks = MACH_CHECK_ALL,
                          .max_instructions = 100};
    mach_report report;
    mach_memory m;
    uint64_t base, size = 0;
    mach_memory_init(&m, &c->a);
    for (uint32_t s = 0; s < f->n_segments; s++)
        size += f->segments[s].address + f->segments[s].memory_size;
    if (f->n_kernels && size < 1 << 24 && amd_emu_load(&m, f, &base) &&
        amd_emu_set_up(&d, &f->kernels[0], base) &&
        amd_emu_set_up_hsa(&d, &f->kernels[0], &m, args, sizeof args) && d.scratch_bytes < 4096)
        amd_emu_run(&d, &m, &c->a, &report);
}

static void
read_and_use(call *c, const uint8_t *data, size_t size)
{
    obj_file f;
    base_buf b = buf_make(&c->a);
    if (!DIAG_TRY(&c->d))
        return;
    amd_obj_read(&c->d, &c->a, data, size, &f);
    launch(c, &f);
    for (uint32_t i = 0; i < f.n_kernels; i++)
        amd_obj_write(&c->d, &f.kernels[i], &b);
}

/* Uses the API: the first kernel, its text, the text of the object, and the object made from it. */
static void
print_kernel(const uint8_t *data, size_t size)
{
    heddle_context *context;
    heddle_output *out, *again;
    heddle_asm_options options = {.struct_size = sizeof options};
    if (heddle_create_context(NULL, &context) != HEDDLE_OK)
        return;
    if (heddle_read_kernel(context, data, size, NULL, 0, &out) == HEDDLE_OK)
        heddle_destroy_output(out);
    if (heddle_print_kernel(context, data, size, NULL, 0, &out) == HEDDLE_OK)
        heddle_destroy_output(out);
    if (heddle_print_object(context, data, size, &options, &out) == HEDDLE_OK)
        heddle_destroy_output(out);
    options.object = 1;
    if (heddle_print_object(context, data, size, &options, &out) == HEDDLE_OK) {
        if (heddle_assemble(context, heddle_output_data(out), heddle_output_size(out), &options,
                            &again) == HEDDLE_OK)
            heddle_destroy_output(again);
        heddle_destroy_output(out);
    }
    heddle_destroy_context(context);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    call c;
    start(&c);
    read_and_use(&c, data, size);
    arena_free(&c.a);
    print_kernel(data, size);
    return 0;
}

uint8_t *
fuzz_seed(int index, size_t *size)
{
    static const uint8_t code[] = {0, 0, 0x81, 0xbf, 1, 2, 3, 4};
    static const amd_obj_user_sgpr users[] = {{AMD_OBJ_USER_KERNARG_POINTER, 0, 0, 2}};
    static const amd_obj_state state = {.user_sgprs = users, .n_user_sgprs = 1};
    static const obj_arg args[] = {{"out", "global_buffer", 0, 8}};
    static const char *const files[] = {"a.comp"};
    static const obj_line lines[] = {{0, 0, 3}};
    const obj_code model = {.target = "gfx1030",
                            .abi = (obj_abi)(index & 1),
                            .stage = OBJ_STAGE_COMPUTE,
                            .wave_size = 64,
                            .name = "main",
                            .code = code,
                            .code_size = sizeof code,
                            .data_offset = 4,
                            .own = &state,
                            .args = args,
                            .n_args = 1,
                            .files = files,
                            .n_files = 1,
                            .lines = lines,
                            .n_lines = 1};
    call c;
    if (index >= 2)
        return NULL;
    start(&c);
    if (!DIAG_TRY(&c.d))
        abort();
    base_buf b = buf_make(&c.a);
    amd_obj_write(&c.d, &model, &b);
    uint8_t *copy = malloc(b.size);
    memcpy(copy, b.data, b.size);
    *size = b.size;
    arena_free(&c.a);
    return copy;
}
