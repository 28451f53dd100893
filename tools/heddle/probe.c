/* Trials in child processes, which send their result through a pipe. */
#define _POSIX_C_SOURCE 200809L
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void
probe_set_debug(const char *more)
{
    const char *old = getenv("HEDDLE_DEBUG");
    if (!more)
        return;
    char *all = malloc((old ? strlen(old) : 0) + strlen(more) + 2);
    if (!all)
        cli_out_of_memory();
    sprintf(all, "%s%s%s", old ? old : "", old && *old ? "," : "", more);
    setenv("HEDDLE_DEBUG", all, 1);
    free(all);
}

int
probe_fork(const probe *p, void (*body)(const probe *p, void *user), void *user)
{
    int status = 0;
    fflush(stdout);
    fflush(stderr);
    pid_t pid = fork();
    if (pid < 0)
        cli_out_of_memory();
    if (pid == 0) {
        alarm(p->seconds);
        body(p, user);
        fflush(stdout);
        _exit(0);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

typedef struct trial {
    const char *more;
    int to; /* the pipe */
} trial;

/* What the command says is of no interest. */
static void
run_command(const probe *p)
{
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", p->command, (char *)NULL);
    _exit(127);
}

static void
body(const probe *p, void *user)
{
    const trial *t = user;
    probe_result out = {.status = AMBER_FAIL};
    amber_result r = {0};
    run_options options = p->options;
    options.digest = &out.digest;
    probe_set_debug(t->more);
    if (!p->script)
        run_command(p);
    run_session *s = run_session_open(&options);
    run_texts texts = run_script(s, p->script, p->target, &r);
    free(texts.findings);
    free(texts.counts);
    run_session_close(s);
    out.status = r.status;
    snprintf(out.reason, sizeof out.reason, "%.190s", r.status == AMBER_PASS ? "" : r.reason);
    if (p->compares && r.status == AMBER_PASS && out.digest != p->expected) {
        out.status = AMBER_FAIL;
        snprintf(out.reason, sizeof out.reason, "buffers differ from the interpreter's");
    }
    if (write(t->to, &out, sizeof out) < 0)
        _exit(1);
}

probe_result
probe_try(const probe *p, const char *more)
{
    probe_result out = {.status = AMBER_FAIL};
    int ends[2];
    if (pipe(ends) != 0)
        cli_out_of_memory();
    trial t = {more, ends[1]};
    int status = probe_fork(p, body, &t);
    close(ends[1]);
    bool told = read(ends[0], &out, sizeof out) == (ssize_t)sizeof out;
    close(ends[0]);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        snprintf(out.reason, sizeof out.reason, "no end after %u seconds", p->seconds);
    else if (WIFSIGNALED(status))
        snprintf(out.reason, sizeof out.reason, "crash: signal %d", WTERMSIG(status));
    else if (!told)
        snprintf(out.reason, sizeof out.reason, "exit code %d", WEXITSTATUS(status));
    if (WIFSIGNALED(status))
        out.status = AMBER_FAIL;
    else if (!told)
        out.status = WEXITSTATUS(status) ? AMBER_FAIL : AMBER_PASS;
    return out;
}
