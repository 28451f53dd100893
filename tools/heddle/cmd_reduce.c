/* heddle reduce: makes a SPIR-V module, or the one of a script, smaller while it still fails.
 *
 * spirv-reduce (SPIRV-Tools) makes the candidates. Its test is a small shell script in a folder of
 * its own: it asks a command whether the candidate fails, or runs the script with the candidate in
 * place of its shader, which the interpreter must pass and the target must fail for the same kind
 * of reason. When the time is over the test accepts no candidate, so that the best one stays.
 */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700 /* realpath */
#include "cli.h"
#include "input.h"
#include "probe.h"
#include "targets.h"

#include "families/families.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct reduction {
    probe probe;
    const char *input, *output;
    unsigned seconds, steps; /* of the whole reduction */
    bool is_script;
    char folder[32]; /* of temporary files */
    char word[32];   /* the first word of the reason: "line", "races" */
} reduction;

/* ---- files ---- */

static char *
in_folder(const reduction *r, const char *name, char out[64])
{
    snprintf(out, 64, "%s/%s", r->folder, name);
    return out;
}

static size_t
count_words(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (size_t)s.st_size / 4 : 0;
}

/* Writes text in quotes of the shell. */
static void
put_quoted(FILE *f, const char *text)
{
    fputc('\'', f);
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", f);
        else
            fputc(*text, f);
    }
    fputc('\'', f);
}

static void
put_run(FILE *f, const reduction *r, const char *self, const char *target)
{
    char path[PATH_MAX];
    const run_options *o = &r->probe.options;
    fprintf(f, "timeout %u ", r->probe.seconds);
    put_quoted(f, self);
    fprintf(f, " run -t %s --spirv \"$1\" ", target);
    if (o->wave_size)
        fprintf(f, "--wave-size %u ", o->wave_size);
    if (o->abi)
        fprintf(f, "--abi %s ", o->abi);
    put_quoted(f, realpath(r->input, path) ? path : r->input);
}

/* Writes the test of a candidate, which exits with 0 if the candidate still fails. */
static bool
write_test(const reduction *r, const char *path)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    snprintf(self + (n > 0 ? n : 0), sizeof self - (size_t)(n > 0 ? n : 0), "%s",
             n > 0 ? "" : "heddle");
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "#!/bin/sh\n[ $(date +%%s) -lt %lld ] || exit 1\n",
            (long long)time(NULL) + r->seconds);
    if (r->is_script) {
        put_run(f, r, self, "hir");
        fputs(" > /dev/null 2>&1 || exit 1\n", f);
        put_run(f, r, self, r->probe.target);
        fprintf(f, " 2> /dev/null | grep -q '^FAIL .*\\]: %s'\n", r->word);
    } else {
        fprintf(f, "timeout %u sh -c ", r->probe.seconds);
        put_quoted(f, r->probe.command);
        fputs(" sh \"$1\" > /dev/null 2>&1 && exit 1\nexit 0\n", f);
    }
    return fclose(f) == 0 && chmod(path, 0700) == 0;
}

static void
remove_folder(const reduction *r)
{
    char path[64];
    static const char *const names[] = {"test", "in.spv", "out.spv", "log"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(r, names[i], path));
    rmdir(r->folder);
}

/* ---- the module ---- */

/* Runs the script once on the target, which writes the module of its shader. */
static int
take_from_script(reduction *r, const char *path)
{
    probe first = r->probe;
    first.script = r->input;
    first.target = "hir";
    first.options.save_spirv = path;
    probe_result result = probe_try(&first, NULL);
    if (result.status != AMBER_PASS)
        return cli_error(r->input, "REDUCE_REFERENCE", "the interpreter does not pass it: %s",
                         result.reason);
    if (!count_words(path))
        return cli_error(r->input, "REDUCE_MODULE", "it has no single shader that can be reduced");
    first.target = r->probe.target;
    first.options.save_spirv = NULL;
    first.options.spirv = path;
    result = probe_try(&first, NULL);
    if (result.status != AMBER_FAIL)
        return cli_error(r->input, "REDUCE_PASSES", "it does not fail on %s: nothing to reduce for",
                         r->probe.target);
    size_t n = 0;
    while (isalpha((unsigned char)result.reason[n]) && n + 1 < sizeof r->word)
        n++;
    snprintf(r->word, sizeof r->word, "%.*s", (int)n, result.reason);
    printf("%s: %s\n", r->probe.target, result.reason);
    return -1;
}

static int
take_module(const reduction *r, const char *path)
{
    input in;
    const input_options options = {0};
    int code = input_load(&in, r->input, &options);
    if (code >= 0 || in.kind != FRONTEND_SPIRV) {
        code = code >= 0 ? code
                         : cli_usage_error("reduce: %s is neither a module nor a script", r->input);
    } else if (!cli_write_file(path, in.words, in.n_words * 4)) {
        code = CLI_FAILED;
    }
    input_free(&in);
    return code;
}

/* Does the test accept the whole module? */
static bool
is_accepted(const char *test, const char *module)
{
    char line[160];
    snprintf(line, sizeof line, "%s %s", test, module);
    return system(line) == 0;
}

/* ---- the reduction ---- */

static int
run_tool(const reduction *r, const char *test, const char *in, const char *out)
{
    char line[400], log[64];
    snprintf(line, sizeof line,
             "spirv-reduce %s -o %s --step-limit=%u --temp-file-prefix=%s/t_ -- %s > %s 2>&1", in,
             out, r->steps, r->folder, test, in_folder(r, "log", log));
    int status = system(line);
    snprintf(line, sizeof line, "rm -f %s/t_*.spv", r->folder);
    if (system(line) != 0)
        return CLI_FAILED;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return cli_error(r->input, "REDUCE_NO_TOOL",
                         "spirv-reduce is not found; Debian has it in spirv-tools");
    return -1;
}

static int
reduce_module(reduction *r)
{
    char in[64], out[64], test[64];
    in_folder(r, "in.spv", in);
    in_folder(r, "out.spv", out);
    in_folder(r, "test", test);
    time_t start = time(NULL);
    int code = r->is_script ? take_from_script(r, in) : take_module(r, in);
    if (code >= 0)
        return code;
    if (!write_test(r, test))
        return cli_error(test, "FILE_WRITE", "cannot be written: %s", strerror(errno));
    if (!is_accepted(test, in))
        return cli_error(r->input, "REDUCE_PASSES",
                         "the module alone does not fail: nothing to reduce for");
    code = run_tool(r, test, in, out);
    if (code >= 0)
        return code;
    const char *best = count_words(out) ? out : in;
    uint8_t *bytes;
    size_t size;
    if (!cli_read_file(best, &bytes, &size))
        return CLI_FAILED;
    bool ok = cli_write_file(r->output, bytes, size);
    free(bytes);
    printf("%s: %zu words, of %zu, in %lld seconds\n", r->output, count_words(best),
           count_words(in), (long long)(time(NULL) - start));
    if (r->is_script)
        printf("heddle run -t %s --spirv %s %s\n", r->probe.target, r->output, r->input);
    return ok ? CLI_OK : CLI_FAILED;
}

static int
reduce(reduction *r, const cli_list *targets, const cli_list *operands)
{
    family_target t;
    if (operands->count != 1)
        return cli_usage_error("reduce: give one module, or one script");
    if (targets->count > 1)
        return cli_usage_error("reduce: one target at a time");
    r->input = operands->items[0];
    r->probe.target = targets->count ? cli_target_name(targets->items[0])
                                     : families_default_target();
    if (!families_find_target(r->probe.target, &t) || !t.compiles)
        return cli_target_error("reduce", r->probe.target);
    r->is_script = frontend_detect(r->input, NULL, 0) == FRONTEND_AMBER;
    if (r->is_script == (r->probe.command != NULL))
        return cli_usage_error("reduce: a module needs --command, a script goes without");
    if (!r->seconds || !r->steps || !r->probe.seconds)
        return cli_usage_error("reduce: --time, --steps and --try-time are at least 1");
    strcpy(r->folder, "/tmp/heddle-reduce-XXXXXX");
    if (!mkdtemp(r->folder))
        return cli_error("/tmp", "FILE_WRITE", "no folder can be made: %s", strerror(errno));
    int code = reduce_module(r);
    remove_folder(r);
    return code;
}

int
cmd_reduce(int argc, char **argv)
{
    reduction r = {.seconds = 300, .steps = 2500, .output = "reduced.spv"};
    cli_list operands = {0}, targets = {0};
    r.probe.seconds = 60;
    r.probe.options.device = "emu";
    r.probe.options.findings = 1;
    const cli_option rows[] = {
        {'t', "target", CLI_LIST, &targets, "TARGET", "the machine on which the script fails",
         NULL},
        {0, "wave-size", CLI_NUMBER, &r.probe.options.wave_size, "N",
         "lanes of a wave, where a target has a choice", NULL},
        {0, "abi", CLI_CHOICE, &r.probe.options.abi, "ABI", "vulkan (default) or hsa",
         "vulkan|hsa"},
        {0, "command", CLI_TEXT, &r.probe.command, "COMMAND",
         "of a module: a command for sh that fails if the module in \"$1\" fails", NULL},
        {0, "time", CLI_NUMBER, &r.seconds, "SECONDS", "of the whole reduction (300)", NULL},
        {0, "steps", CLI_NUMBER, &r.steps, "N", "at most so many candidates (2500)", NULL},
        {0, "try-time", CLI_NUMBER, &r.probe.seconds, "SECONDS", "of one trial (60)", NULL},
        {'o', NULL, CLI_TEXT, &r.output, "OUT", "write the module there (reduced.spv)", NULL},
    };
    int code = cli_parse(rows, sizeof rows / sizeof rows[0], argc, argv, &operands);
    if (code < 0)
        code = run_checks_parse(NULL, &r.probe.options.checks);
    if (code < 0)
        code = reduce(&r, &targets, &operands);
    run_checks_free(&r.probe.options.checks);
    cli_release(rows, sizeof rows / sizeof rows[0], &operands);
    return code;
}
