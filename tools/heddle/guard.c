/* A translation in a process of its own: glslang's HLSL front end crashes on some shaders, which
 * must cost its user one message and not the other inputs. The result comes back through a pipe:
 * a head, then the words, the messages and the paths of included files. */
#include "guard.h"

#include "frontend_glsl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct head {
    bool ok;
    size_t size, messages, includes; /* bytes of each; messages with their zero byte */
} head;

/* ---- the child ---- */

static bool
send_bytes(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        ssize_t sent = write(fd, at, size);
        if (sent <= 0)
            return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool
send_result(int fd, const frontend_result *r)
{
    head h = {.ok = r->ok, .size = r->ok ? r->size : 0};
    h.messages = r->messages ? strlen(r->messages) + 1 : 0;
    for (size_t i = 0; i < r->includes.count; i++)
        h.includes += strlen(r->includes.items[i]) + 1;
    bool ok = send_bytes(fd, &h, sizeof h) && send_bytes(fd, r->words, h.size) &&
              send_bytes(fd, r->messages, h.messages);
    for (size_t i = 0; i < r->includes.count && ok; i++)
        ok = send_bytes(fd, r->includes.items[i], strlen(r->includes.items[i]) + 1);
    return ok;
}

/* ---- the parent ---- */

static bool
receive(int fd, void *bytes, size_t size)
{
    char *at = bytes;
    while (size) {
        ssize_t got = read(fd, at, size);
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* Reads `size` bytes into malloc'd memory, with a zero byte behind them. */
static char *
receive_text(int fd, size_t size)
{
    char *text = calloc(1, size + 1);
    if (text && !receive(fd, text, size)) {
        free(text);
        text = NULL;
    }
    return text;
}

static bool
receive_result(int fd, frontend_result *r)
{
    head h;
    if (!receive(fd, &h, sizeof h))
        return false;
    char *words = receive_text(fd, h.size), *messages = words ? receive_text(fd, h.messages) : NULL;
    char *includes = messages ? receive_text(fd, h.includes) : NULL;
    for (size_t i = 0; includes && i < h.includes; i += strlen(includes + i) + 1)
        cli_list_add(&r->includes, frontend_copy_text(includes + i, strlen(includes + i)));
    if (includes && h.ok)
        frontend_take(r, words, h.size);
    r->messages = includes && h.messages ? messages : NULL;
    if (!r->messages)
        free(messages);
    free(words);
    free(includes);
    return includes != NULL;
}

frontend_result
guard_run(frontend_result (*work)(const void *user), const void *user, const char *message)
{
    int ends[2], status = 0;
    frontend_result r = {0};
    if (pipe(ends) != 0)
        return work(user);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        r = work(user);
        _exit(send_result(ends[1], &r) ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return work(user);
    }
    bool whole = receive_result(ends[0], &r);
    close(ends[0]);
    bool ended = waitpid(child, &status, 0) == child;
    if (whole && ended && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return r;
    frontend_free(&r);
    return (frontend_result){.messages = frontend_copy_text(message, strlen(message))};
}
