/* Input of heddle run for kernels: any text as arguments and data, for a kernel with any YAML as
 * metadata. The first line is the separator: the arguments are above it, one per line, the YAML
 * below. */
#include "fuzz.h"

#include "kernel_args.h"

#include "amd/object/notes.h"
#include "object/yaml.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ARGS = 16 };

typedef struct call {
    diag d;
    arena a;
} call;

static const void *
no_file(void *user, const char *path, size_t *size)
{
    (void)user;
    *size = strlen(path);
    return path;
}

/* Metadata that is read, written and read again must not change. */
static void
read_metadata(call *c, const char *text, size_t size, obj_code *kernel)
{
    base_buf once = buf_make(&c->a), packed = buf_make(&c->a), again = buf_make(&c->a);
    const pack_value *v = yaml_read(&c->d, &c->a, text, size);
    yaml_write(v, &once);
    c->d.loc.line = 0;
    yaml_write(yaml_read(&c->d, &c->a, (const char *)once.data, once.size), &again);
    if (v->count && (again.size != once.size || memcmp(again.data, once.data, once.size) != 0))
        abort();
    pack_put(&packed, v);
    pack_read(&c->d, &c->a, packed.data, packed.size);
    amd_obj_state *state = ARENA_NEW(&c->a, amd_obj_state);
    kernel->own = state;
    amd_obj_read_kernel(&c->d, &c->a, pack_at(pack_get(v, "amdhsa.kernels"), 0), NULL,
                        (amd_obj_kernel){kernel, state});
}

static void
give_args(call *c, const obj_code *kernel, kernel_arg *args, size_t n)
{
    const kernel_files files = {no_file, NULL};
    const char *why;
    kernel_frame frame;
    mach_memory m;
    mach_memory_init(&m, &c->a);
    for (size_t i = 0; i < n; i++) /* kernel_frame_make would allocate any size */
        if (args[i].spec.count > 4096 || args[i].spec.size > 4096)
            return;
    if (kernel_frame_make(&c->a, &m, kernel, args, n, true, &files, &frame, &why))
        kernel_frame_find(&frame, "0", 1);
}

static void
run(call *c, const char *text, size_t size)
{
    kernel_arg *args = ARENA_ARRAY(&c->a, MAX_ARGS, kernel_arg);
    size_t n = 0;
    const char *end = text + size, *why;
    obj_code kernel = {.args_size = 64};
    for (const char *newline;
         n < MAX_ARGS && (newline = memchr(text, '\n', (size_t)(end - text)));) {
        char *line = arena_printf(&c->a, "%.*s", (int)(newline - text), text);
        data_spec spec;
        text = newline + 1;
        if (!*line)
            break;
        data_spec_parse(&c->a, line, true, &spec, &why);
        n += kernel_arg_parse(&c->a, line, &args[n], &why);
    }
    give_args(c, &kernel, args, n);
    read_metadata(c, text, (size_t)(end - text), &kernel);
    give_args(c, &kernel, args, n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    call c;
    diag_init(&c.d);
    arena_init(&c.a, &base_malloc_allocator, diag_out_of_memory, &c.d);
    if (DIAG_TRY(&c.d))
        run(&c, (const char *)data, size);
    arena_free(&c.a);
    return 0;
}

uint8_t *
fuzz_seed(int index, size_t *size)
{
    static const char *const seeds[] = {
        "buf:f32,count=100,iota\nx=buf:u8,size=1k,fill=2\n0.5f\n-100\n\n---\namdhsa.kernels:\n  - "
        ".args:\n"
        "      - .name: y\n        .offset: 0\n        .size: 8\n        .value_kind: "
        "global_buffer\n"
        "      - { .name: x, .offset: 8, .size: 8, .value_kind: global_buffer }\n"
        "      - .offset: 16\n        .size: 4\n        .value_kind: by_value\n"
        "      - .offset: 20\n        .size: 4\n        .value_kind: by_value\n    .name: "
        "'k'\n...\n",
        "f32:1,2,3\ndata:u64,values=1:-2\nbuf:same=0\nlds:256\nbuf:file=x,relative=0.5\n\namdhsa."
        "version: [ 1, 2 ]\n"
        "amdhsa.kernels:\n- .wavefront_size: 32\n  .args:\n    - .size: 16\n    - .value_kind: "
        "dynamic_shared_pointer\n",
    };
    if (index >= (int)(sizeof seeds / sizeof *seeds))
        return NULL;
    *size = strlen(seeds[index]);
    uint8_t *copy = malloc(*size);
    memcpy(copy, seeds[index], *size);
    return copy;
}
