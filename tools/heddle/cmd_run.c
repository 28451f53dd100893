/* heddle run: runs scripts on targets and prints one line for each, in the order given.
 *
 * Each script runs in a worker process, so a crash affects only that script. A worker takes one job
 * after the other and keeps its devices open. `-j 0` runs everything in this process, for
 * debuggers.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli.h"
#include "device_program.h"
#include "picture_png.h"
#include "radeon_self.h"
#include "run_beside.h"
#include "run_described.h"
#include "run_kernel.h"
#include "run_script.h"
#include "targets.h"

#include "base/bits.h"
#include "families/families.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORKERS = 64 };

typedef struct job {
    const char *path, *target;
    bool done;
    amber_result result;
    run_texts texts;
} job;

typedef struct worker {
    pid_t pid;    /* 0: none */
    int to, from; /* job numbers to the worker, results from it */
    size_t job;   /* the current job; SIZE_MAX: none */
} worker;

typedef struct runner {
    const run_options *options;
    job *jobs;
    size_t count, next, printed;
    size_t totals[3]; /* by amber_status */
    worker workers[MAX_WORKERS];
    size_t worker_count;
} runner;

static void *
allocate(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p)
        cli_out_of_memory();
    return p;
}

static bool
is_script_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".amber") == 0 || strcmp(dot, ".test") == 0);
}

static void
add_path(arena *a, cli_list *files, const char *path, bool explicit);

/* Adds the scripts in a folder and its subfolders, sorted by name. */
static void
add_folder(arena *a, cli_list *files, const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    size_t len = strlen(path);
    while (len && path[len - 1] == '/')
        len--;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (name[0] != '.') {
            char *child = arena_printf(a, "%.*s/%s", (int)len, path, name);
            add_path(a, files, child, false);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void
add_path(arena *a, cli_list *files, const char *path, bool explicit)
{
    struct stat s;
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode))
        add_folder(a, files, path);
    else if (explicit || is_script_name(path))
        run_list_cases(a, path, files);
}

static bool
write_all(int fd, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, (const char *)data + done, size - done);
        if (n <= 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool
read_all(int fd, void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(fd, (char *)data + done, size - done);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* A script whose name says so must fail, as in Amber's own test suite (run_tests.py there). A
 * finding of the checkers, or a skip, stays what it is. */
static void
expect_failure(job *j)
{
    static const char tail[] = ".expect_fail.amber";
    size_t n = strlen(j->path), m = sizeof tail - 1;
    if (n < m || strcmp(j->path + n - m, tail) != 0 || j->texts.findings)
        return;
    if (j->result.status == AMBER_PASS)
        amber_set_result(&j->result, AMBER_FAIL, "it passes, where its name says that it fails");
    else if (j->result.status == AMBER_FAIL)
        j->result.status = AMBER_PASS; /* the reason stays */
}

static void
run_job(run_session *session, job *j)
{
    j->texts = run_script(session, j->path, j->target, &j->result);
    expect_failure(j);
}

/* Sends a text that may be missing: its size with the end, and the bytes. */
static bool
write_text(int fd, const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    return write_all(fd, &size, sizeof size) && write_all(fd, text, size);
}

static bool
read_text(int fd, char **text)
{
    size_t size = 0;
    *text = NULL;
    if (!read_all(fd, &size, sizeof size))
        return false;
    *text = size ? allocate(size, 1) : NULL;
    return read_all(fd, *text, size);
}

static void
free_texts(run_texts *t)
{
    free(t->findings);
    free(t->counts);
    *t = (run_texts){0};
}

/* The worker's loop: reads a job's number, writes its result and texts, until the pipe closes. */
static void
work(runner *r, int in, int out)
{
    size_t i;
    run_session *session = run_session_open(r->options);
    while (read(in, &i, sizeof i) == (ssize_t)sizeof i) {
        job *j = &r->jobs[i];
        run_job(session, j);
        bool ok = write_all(out, &j->result, sizeof j->result) &&
                  write_text(out, j->texts.findings) && write_text(out, j->texts.counts);
        free_texts(&j->texts);
        if (!ok)
            break;
    }
    run_session_close(session);
}

static bool
start_worker(runner *r, worker *w)
{
    int to[2], from[2];
    w->pid = 0;
    w->job = SIZE_MAX;
    if (pipe(to) != 0)
        return false;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        /* The new worker must not keep the ends of the other workers' pipes open. */
        for (size_t i = 0; i < r->worker_count; i++) {
            if (r->workers[i].pid) {
                close(r->workers[i].to);
                close(r->workers[i].from);
            }
        }
        close(to[1]);
        close(from[0]);
        work(r, to[0], from[1]);
        _exit(0);
    }
    close(to[0]);
    close(from[1]);
    w->to = to[1];
    w->from = from[0];
    if (pid < 0) {
        close(w->to);
        close(w->from);
        return false;
    }
    w->pid = pid;
    return true;
}

/* Returns the process's exit status. */
static int
stop_worker(worker *w)
{
    int status = 0;
    close(w->to);
    close(w->from);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
    return status;
}

/* The name in brackets: a program's path is left out. */
static const char *
target_name(const char *target)
{
    return strncmp(target, DEVICE_PROGRAM, strlen(DEVICE_PROGRAM)) == 0 ? "program" : target;
}

static void
print_finished(runner *r)
{
    static const char *const words[] = {"PASS", "FAIL", "SKIP"};
    for (; r->printed < r->count && r->jobs[r->printed].done; r->printed++) {
        job *j = &r->jobs[r->printed];
        r->totals[j->result.status]++;
        fflush(stdout); /* the findings stand before the line where both go to one place */
        fputs(j->texts.findings ? j->texts.findings : "", stderr);
        const char *reason = j->result.reason; /* of a pass: why the script failed, as it must */
        printf("%s %s [%s]%s%s\n", words[j->result.status], j->path, target_name(j->target),
               *reason ? ": " : "", reason);
        fputs(j->texts.counts ? j->texts.counts : "", stdout);
        free_texts(&j->texts);
    }
    fflush(stdout);
}

/* Starts the worker's next job, or stops the worker if there is none. */
static void
give_job(runner *r, worker *w)
{
    while (r->next < r->count) {
        if (!w->pid && !start_worker(r, w)) {
            job *j = &r->jobs[r->next++];
            amber_set_result(&j->result, AMBER_FAIL, "cannot start a process");
            j->done = true;
            continue;
        }
        w->job = r->next;
        if (write(w->to, &w->job, sizeof w->job) == (ssize_t)sizeof w->job) {
            r->next++;
            return;
        }
        stop_worker(w);
    }
    w->job = SIZE_MAX;
    if (w->pid)
        stop_worker(w);
}

/* Reads the worker's result, or determines how the worker died. */
static void
take_result(runner *r, worker *w)
{
    job *j = &r->jobs[w->job];
    bool ok = read_all(w->from, &j->result, sizeof j->result) &&
              read_text(w->from, &j->texts.findings) && read_text(w->from, &j->texts.counts);
    if (!ok) {
        int status = stop_worker(w);
        if (WIFSIGNALED(status))
            amber_set_result(&j->result, AMBER_FAIL, "crash: signal %d", WTERMSIG(status));
        else
            amber_set_result(&j->result, AMBER_FAIL, "crash: the process ended with %d",
                             WEXITSTATUS(status));
    }
    j->done = true;
}

static void
run_in_workers(runner *r)
{
    struct pollfd polls[MAX_WORKERS];
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < r->worker_count; i++)
        give_job(r, &r->workers[i]);
    print_finished(r);
    while (r->printed < r->count) {
        for (size_t i = 0; i < r->worker_count; i++) {
            polls[i].fd = r->workers[i].pid ? r->workers[i].from : -1;
            polls[i].events = POLLIN;
            polls[i].revents = 0;
        }
        if (poll(polls, (nfds_t)r->worker_count, -1) < 0 && errno != EINTR)
            break;
        for (size_t i = 0; i < r->worker_count; i++) {
            if (polls[i].revents) {
                take_result(r, &r->workers[i]);
                give_job(r, &r->workers[i]);
            }
        }
        print_finished(r);
    }
}

static void
run_here(runner *r)
{
    run_session *session = run_session_open(r->options);
    for (size_t i = 0; i < r->count; i++) {
        job *j = &r->jobs[i];
        run_job(session, j);
        j->done = true;
        print_finished(r);
    }
    run_session_close(session);
}

static void
make_jobs(runner *r, const cli_list *files, const cli_list *targets)
{
    r->count = files->count * targets->count;
    r->jobs = allocate(r->count, sizeof *r->jobs);
    for (size_t f = 0, n = 0; f < files->count; f++) {
        for (size_t t = 0; t < targets->count; t++, n++) {
            r->jobs[n].path = files->items[f];
            r->jobs[n].target = targets->items[t];
        }
    }
}

static int
wave_size_error(void)
{
    char text[80] = "";
    size_t used = 0;
    uint32_t sizes = families_wave_sizes();
    for (uint32_t size = 1; size && size <= sizes && used < sizeof text; size <<= 1)
        if (sizes & size)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", used ? " or " : "",
                                     size);
    return cli_usage_error("run: the wave size is %s", text);
}

/* Checks for usage errors that the option parser does not detect. Returns -1 if there are none. */
static int
check_options(const run_options *o, const cli_list *targets)
{
    for (size_t i = 0; i < targets->count; i++)
        if (!run_has_target(targets->items[i]))
            return cli_target_error("run", targets->items[i]);
    bool is_size = base_is_pow2(o->wave_size) && (o->wave_size & families_wave_sizes());
    if (o->wave_size && !is_size)
        return wave_size_error();
    for (size_t i = 0; o->counts && i < targets->count; i++)
        if (strcmp(targets->items[i], "hir") == 0 || strcmp(targets->items[i], "vulkan") == 0)
            return cli_usage_error("run: --counts is for the emulators of machines, not for %s",
                                   targets->items[i]);
    if (o->png_dir && !picture_has_png())
        return cli_usage_error("run: --png is not built in");
    if (o->png_dir && !cli_make_folder(o->png_dir))
        return CLI_FAILED;
    return run_check_switches();
}

static int
run_files(const run_options *options, const cli_list *targets, const cli_list *files, unsigned jobs)
{
    runner r = {.options = options, .worker_count = jobs < MAX_WORKERS ? jobs : MAX_WORKERS};
    make_jobs(&r, files, targets);
    if (r.worker_count)
        run_in_workers(&r);
    else
        run_here(&r);
    printf("%zu passed, %zu failed, %zu skipped\n", r.totals[AMBER_PASS], r.totals[AMBER_FAIL],
           r.totals[AMBER_SKIP]);
    free(r.jobs);
    return r.totals[AMBER_FAIL] ? CLI_FAILED : CLI_OK;
}

static void
add_words(cli_list *to, const char *const *words, size_t n)
{
    for (size_t k = 0; k < n; k++)
        cli_list_add(to, words[k]);
}

/* Runs the scripts on the software Radeon, where the device is the system's RADV. */
static int
run_on_radv(const char *target, const run_options *options, const cli_list *operands, unsigned jobs)
{
    const radeon_self radv = {
        .target = target, .check = options->checks.text, .root = options->root};
    char workers[16];
    snprintf(workers, sizeof workers, "%u", jobs);
    arena a;
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, NULL);
    const char *again[] = {"run", "-j", workers, "--device", "vulkan"};
    const char *png[] = {"--png", options->png_dir, "--png-as", cli_radv_name(&a, target)};
    cli_list words = {0};
    add_words(&words, again, sizeof again / sizeof *again);
    add_words(&words, png, options->png_dir ? sizeof png / sizeof *png : 0);
    add_words(&words, operands->items, operands->count);
    int code = cli_run_self_on_radv(&radv, &words);
    cli_list_free(&words);
    arena_free(&a);
    return code;
}

static int
run_on_radvs(const cli_list *targets, const run_options *options, const cli_list *operands,
             unsigned jobs)
{
    int code = CLI_OK;
    if (!operands->count)
        return cli_usage_error("run: no script or folder is given");
    for (size_t k = 0; k < targets->count; k++)
        code = cli_worse(code, run_on_radv(targets->items[k], options, operands, jobs));
    return targets->count ? code : run_on_radv(NULL, options, operands, jobs);
}

/* Lists the scripts that the operands name, and those in folders. Their names are in `names`.
 * Returns CLI_FAILED, after a message, if there are none in one of the operands. */
static int
list_scripts(arena *names, cli_list *files, const cli_list *operands)
{
    int code = CLI_OK;
    arena_init(names, &base_malloc_allocator, diag_out_of_memory, NULL);
    for (size_t i = 0; i < operands->count; i++) {
        size_t before = files->count;
        add_path(names, files, operands->items[i], true);
        if (files->count > before)
            continue;
        cli_error(operands->items[i], "NO_SCRIPTS", "it holds no script (.amber or .test)");
        code = CLI_FAILED;
    }
    return code;
}

static int
run_scripts(const run_options *options, cli_list *targets, const cli_list *operands, unsigned jobs)
{
    cli_list files = {0};
    arena names;
    bool is_other = strcmp(options->device, "emu") != 0;
    if (!operands->count)
        return cli_usage_error("run: no script or folder is given");
    if (is_other && targets->count)
        return cli_usage_error("run: --device vulkan and program: have no targets");
    cli_settle_targets(targets, is_other ? options->device : families_default_target());
    int code = check_options(options, targets);
    if (code >= 0)
        return code;
    code = list_scripts(&names, &files, operands);
    code = cli_worse(code, run_files(options, targets, &files, jobs));
    free(files.items);
    arena_free(&names);
    return code;
}

/* What --device begins with that runs scripts twice. */
#define BESIDE "radv,"

static int
run_scripts_beside(run_options *options, const char *counts, const cli_list *operands)
{
    cli_list files = {0};
    arena names;
    if (!operands->count)
        return cli_usage_error("run: no script or folder is given");
    options->counts = counts;
    int code = list_scripts(&names, &files, operands);
    code = cli_worse(code, run_beside(options->device + strlen(BESIDE), options, &files));
    free(files.items);
    arena_free(&names);
    return code;
}

/* The operands must be either kernels or scripts. */
static int
run_operands(run_options *options, kernel_options *kernels, cli_list *targets,
             const cli_list *operands, unsigned jobs)
{
    size_t n_kernels = 0;
    options->counts = kernels->watch.counts;
    bool asked = run_has_kernel_options(kernels);
    for (size_t i = 0; i < operands->count; i++)
        n_kernels += run_is_kernel(kernels, operands->items[i]) ||
                     (asked && !is_script_name(operands->items[i]));
    if (n_kernels && n_kernels < operands->count)
        return cli_usage_error("run: kernels and scripts are run one kind at a time");
    if (!n_kernels && asked)
        return cli_usage_error(
            "run: an option that is given is for code objects and .s files alone");
    if (!n_kernels)
        return run_scripts(options, targets, operands, jobs == UINT_MAX ? 1 : jobs);
    int code = check_options(options, targets);
    if (code >= 0)
        return code;
    kernels->checks = options->checks;
    kernels->findings = options->findings;
    kernels->threads = jobs == UINT_MAX ? 0 : jobs ? jobs : 1;
    kernels->seed = options->seed;
    kernels->target = targets->count ? cli_target_name(targets->items[0]) : NULL;
    kernels->wave_size = options->wave_size;
    return run_has_described(kernels) ? run_described(kernels, operands)
                                      : run_kernels(kernels, operands);
}

static int
run_on_device(run_options *options, kernel_options *kernels, cli_list *targets,
              const cli_list *operands, unsigned jobs)
{
    const char *device = options->device;
    if (strncmp(device, BESIDE, strlen(BESIDE)) == 0)
        return run_scripts_beside(options, kernels->watch.counts, operands);
    if (strcmp(device, "radv") == 0)
        return run_on_radvs(targets, options, operands, jobs == UINT_MAX ? 1 : jobs);
    if (strcmp(device, "emu") == 0 || strcmp(device, "vulkan") == 0 ||
        strncmp(device, DEVICE_PROGRAM, strlen(DEVICE_PROGRAM)) == 0)
        return run_operands(options, kernels, targets, operands, jobs);
    return cli_usage_error(
        "run: '%s' is not one of emu, vulkan, radv, radv,TARGET, program:PROGRAM", device);
}

/* Reads the options about checks. Returns -1, or the exit code if nothing is to be run. */
static int
read_checks(const char *check, const char *findings, run_options *options)
{
    if (check && strcmp(check, "list") == 0) {
        run_checks_print();
        return CLI_OK;
    }
    if (!run_findings_parse(findings, &options->findings))
        return cli_usage_error("run: --findings needs a number from 1 on, or all");
    return run_checks_parse(check, &options->checks);
}

int
cmd_run(int argc, char **argv)
{
    cli_list operands = {0}, targets = {0};
    const char *check = NULL, *findings = NULL;
    run_options options = {.device = "emu"};
    kernel_options kernels = {0};
    unsigned jobs = UINT_MAX;
    char target_help[100];
    snprintf(target_help, sizeof target_help,
             "run on this target's emulator (default %s), or hir: the interpreter",
             families_default_target());
    const cli_option rows[] = {
        {'t', "target", CLI_LIST, &targets, "TARGET", target_help, NULL},
        {0, "wave-size", CLI_NUMBER, &options.wave_size, "N",
         "lanes of a wave, where a target has a choice", NULL},
        {0, "check", CLI_TEXT, &check, "LIST",
         "checkers of the emulator with commas: all (default), none, names; -NAME takes away a "
         "checker or a rule; list: print the names",
         NULL},
        {0, "findings", CLI_TEXT, &findings, "N",
         "list at most N findings of the checkers (10), or all", NULL},
        {0, "device", CLI_TEXT, &options.device, "DEVICE",
         "emu (default), vulkan: the system's driver, radv: its RADV on the software Radeon, or "
         "radv,TARGET: what RADV's and Heddle's code execute, side by side, or program:PROGRAM: "
         "hands each dispatch to the program, as a file",
         NULL},
        {0, "root", CLI_TEXT, &options.root, "DIR",
         "radv: with the loader, libraries and driver of another system, unpacked there", NULL},
        {0, "abi", CLI_CHOICE, &options.abi, "ABI",
         "how the emulator's shaders are launched: vulkan (default) or hsa", "vulkan|hsa"},
        {0, "vertex-kind", CLI_CHOICE, &options.vertex_kind, "KIND",
         "hardware stage of vertex shaders, where a target has a choice: legacy (AMD's VS) or "
         "primitive (NGG)",
         "any|legacy|primitive"},
        {0, "seed", CLI_NUMBER, &options.seed, "N", "order in which the emulator runs waves", NULL},
        {0, "spirv", CLI_TEXT, &options.spirv, "FILE",
         "scripts: this module in place of the script's shaders", NULL},
        {0, "png", CLI_TEXT, &options.png_dir, "DIR",
         "write the images of each script there; of a comparison that fails what was expected, too",
         NULL},
        {0, "png-as", CLI_TEXT, &options.png_as, "NAME", NULL, NULL},
        {'j', NULL, CLI_NUMBER, &jobs, "N",
         "run N scripts at once (1; 0: in this process, for debuggers); groups of a kernel on N "
         "threads (as many as the host has)",
         NULL},
        {0, "lang", CLI_CHOICE, &kernels.lang, "LANG",
         "of the input: amber (scripts), asm, elf (kernels); else by its contents and name",
         "amber|asm|elf"},
        {0, "kernel", CLI_TEXT, &kernels.kernel, "NAME", "kernels: the one to run of several",
         NULL},
        {0, "list", CLI_FLAG, &kernels.list, NULL, "kernels: tell names and arguments, run none",
         NULL},
        {0, "arg", CLI_LIST, &kernels.args, "[NAME[+OFFSET]=]VALUE",
         "kernels: the next argument, or the one of that name: 42, 1.5f, f32:1,2, "
         "buf:f32,count=64,iota ...",
         NULL},
        {0, "group", CLI_TEXT, &kernels.group, "X,Y,Z",
         "kernels: work items of a group (the size that the kernel requires, else 64)", NULL},
        {0, "grid", CLI_TEXT, &kernels.grid, "X,Y,Z", "kernels: work items of the grid (one group)",
         NULL},
        {0, "groups", CLI_TEXT, &kernels.groups, "X,Y,Z",
         "kernels: groups of the grid, instead of --grid", NULL},
        {0, "offset", CLI_TEXT, &kernels.offset, "X,Y,Z",
         "kernels: what OpenCL's global ids begin with (0)", NULL},
        {0, "scratch", CLI_NUMBER, &kernels.scratch, "BYTES",
         "kernels: scratch memory of a lane, if the kernel asks for less", NULL},
        {0, "limit", CLI_NUMBER, &kernels.limit, "N",
         "kernels: millions of instructions that a wave may execute (50)", NULL},
        {0, "out", CLI_LIST, &kernels.outs, "ARG=FILE",
         "kernels: write an argument's buffer there when the run has ended", NULL},
        {0, "print", CLI_LIST, &kernels.prints, "ARG[:TYPE][,N]",
         "kernels: print the first N (64) elements of a buffer when the run has ended", NULL},
        {0, "expect", CLI_LIST, &kernels.expects, "ARG:DATA",
         "kernels: what a buffer must hold then: 2:f32,file=y.bin,ulps=1, out:fill=7 ...", NULL},
        {0, "counts", CLI_CHOICE, &kernels.watch.counts, "FORMAT",
         "executed instructions by class, lanes, bytes, cache lines, LDS conflicts, and the time "
         "by the machine model: text or json",
         "text|json"},
        {0, "trace", CLI_TEXT, &kernels.watch.trace, "FILE",
         "kernels: each instruction with the registers that it changed", NULL},
        {0, "only", CLI_TEXT, &kernels.watch.only, "LIST",
         "kernels: what is traced and dumped: group=X.Y.Z,wave=N,lane=N,pc=ADDRESS or pc=+OFFSET",
         NULL},
        {0, "dump-regs", CLI_FLAG, &kernels.watch.dump_regs, NULL,
         "kernels: the registers of waves", NULL},
        {0, "dump-memory", CLI_FLAG, &kernels.watch.dump_memory, NULL,
         "kernels: the group's LDS and all buffers", NULL},
        {0, "dump-at", CLI_TEXT, &kernels.watch.dump_at, "WHEN",
         "kernels: dump at the end of waves (end), at the first finding, at an ADDRESS or +OFFSET",
         NULL},
        {0, "dump-to", CLI_TEXT, &kernels.watch.dump_to, "FILE",
         "kernels: dump there (standard output)", NULL},
    };
    int code = cli_parse(rows, sizeof rows / sizeof rows[0], argc, argv, &operands);
    if (code < 0)
        code = read_checks(check, findings, &options);
    if (code < 0)
        code = run_on_device(&options, &kernels, &targets, &operands, jobs);
    run_checks_free(&options.checks);
    cli_release(rows, sizeof rows / sizeof rows[0], &operands);
    return code;
}
