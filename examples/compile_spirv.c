/* Compiles a SPIR-V file with libheddle and prints statistics of the result.
 *
 *     compile_spirv FILE.spv TARGET [OUT.elf]
 *
 * A driver or a tool needs only these steps: a context, options, a compile, the output.
 */
#include <heddle/heddle.h>

#include <stdio.h>
#include <stdlib.h>

/* Reads the words of a file. Returns NULL on failure. */
static uint32_t *
read_words(const char *path, size_t *n_words)
{
    FILE *f = fopen(path, "rb");
    long size = -1;
    uint32_t *words = NULL;
    if (f && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (size >= 0 && fseek(f, 0, SEEK_SET) == 0)
        words = malloc((size_t)size + 4);
    *n_words = (size_t)size / 4;
    if (words && fread(words, 4, *n_words, f) != *n_words) {
        free(words);
        words = NULL;
    }
    if (f)
        fclose(f);
    return words;
}

static void
print_diagnostic(void *user, const heddle_diagnostic *d)
{
    (void)user;
    fprintf(stderr, "%s\n", d->text);
}

static void
print_shader(const heddle_output *out)
{
    heddle_shader_info info = {.struct_size = sizeof info};
    heddle_stats stats = {.struct_size = sizeof stats};
    heddle_output_info(out, &info);
    heddle_output_stats(out, &stats);
    printf("%s: %u instructions in %u bytes, %u VGPRs, %u waves\n", info.entry, stats.instructions,
           stats.code_bytes, info.vgprs, stats.max_waves);
    for (size_t i = 0; i < info.n_user_sgprs; i++) {
        const heddle_user_sgpr *u = &info.user_sgprs[i];
        printf("  s%u, %u registers: %s %u\n", u->first_sgpr, u->count, u->kind, u->index);
    }
}

static int
write_file(const char *path, const heddle_output *out)
{
    FILE *f = fopen(path, "wb");
    size_t size = heddle_output_size(out);
    int ok = f && fwrite(heddle_output_data(out), 1, size, f) == size;
    if (f && fclose(f) != 0)
        ok = 0;
    if (!ok)
        fprintf(stderr, "%s: cannot be written\n", path);
    return ok;
}

int
main(int argc, char **argv)
{
    const heddle_context_options context_options = {.struct_size = sizeof context_options,
                                                    .diagnostic = print_diagnostic};
    heddle_compile_options options = {.struct_size = sizeof options};
    heddle_context *context = NULL;
    heddle_output *out = NULL;
    size_t n_words;
    if (argc < 3) {
        fprintf(stderr, "usage: compile_spirv FILE.spv TARGET [OUT.elf]\n");
        return 2;
    }
    uint32_t *words = read_words(argv[1], &n_words);
    if (!words) {
        fprintf(stderr, "%s: cannot be read\n", argv[1]);
        return 1;
    }
    options.file = argv[1];
    options.target = argv[2];
    heddle_result result = heddle_create_context(&context_options, &context);
    if (result == HEDDLE_OK)
        result = heddle_compile(context, words, n_words, &options, &out);
    if (result == HEDDLE_OK) {
        print_shader(out);
        if (argc > 3 && !write_file(argv[3], out))
            result = HEDDLE_ERROR_ARGUMENT;
    }
    heddle_destroy_output(out);
    heddle_destroy_context(context);
    free(words);
    return result == HEDDLE_OK ? 0 : 1;
}
