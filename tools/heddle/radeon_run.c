/* Runs a command on the software Radeon. */
#define _GNU_SOURCE 1

#include "radeon_run.h"

#include "root_command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

radeon_counts *
cli_new_radeon_counts(void)
{
    char number[16];
    void *map = MAP_FAILED;
    int fd = memfd_create("counts", 0);
    if (fd >= 0 && ftruncate(fd, sizeof(radeon_counts)) == 0)
        map = mmap(NULL, sizeof(radeon_counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        cli_out_of_memory();
    snprintf(number, sizeof number, "%d", fd);
    setenv("HEDDLE_RADEON_COUNTS", number, 1);
    return map;
}

void
cli_free_radeon_counts(radeon_counts *c)
{
    const char *number = getenv("HEDDLE_RADEON_COUNTS");
    munmap(c, sizeof *c);
    close(number ? atoi(number) : -1);
    unsetenv("HEDDLE_RADEON_COUNTS");
}

/* Starts the command and waits for it. Returns its exit code, 128 and more for a signal. */
static int
run_command(char **argv, int output)
{
    enum { NOT_FOUND = 127, BY_SIGNAL = 128 };
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* who ends this program ends the command */
        if (output)
            dup2(output, STDOUT_FILENO);
        execvp(argv[0], argv);
        fprintf(stderr, "heddle gpu: cannot run %s: %s\n", argv[0], strerror(errno));
        _exit(NOT_FOUND);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        return CLI_FAILED;
    return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int
cli_run_on_radeon(const radeon_run *run, const cli_list *command)
{
    cli_list within = {0};
    const cli_list *words = run->root ? &within : command;
    if (run->root && !cli_root_command(run->root, command, &within))
        return CLI_FAILED;
    int code = cli_set_radeon(&run->radeon);
    if (code < 0) {
        char **argv = calloc(words->count + 1, sizeof *argv);
        if (!argv)
            cli_out_of_memory();
        memcpy(argv, words->items, words->count * sizeof *argv);
        code = run_command(argv, run->output);
        free(argv);
    }
    cli_list_free(&within);
    return code;
}
