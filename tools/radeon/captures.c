/* Files of captures: FOLDER/submission-NUMBER.gpu. */
#define _GNU_SOURCE 1

#include "radeon.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* Other processes of the command capture to the same folder, so a name that is taken gets a number
 * behind it. */
static FILE *
create(const char *folder, uint64_t submission)
{
    enum { MOST = 10000 };
    char path[PATH_MAX];
    for (unsigned k = 1; k < MOST; k++) {
        char again[16] = "";
        if (k > 1)
            snprintf(again, sizeof again, "-%u", k);
        snprintf(path, sizeof path, "%s/submission-%04" PRIu64 "%s.gpu", folder, submission, again);
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fdopen(fd, "wb");
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

static void *
open_capture(void *user, uint64_t submission)
{
    (void)user;
    radeon *r = radeon_get();
    FILE *f = create(r->captures, submission);
    if (!f) {
        fprintf(r->log, "heddle: cannot write captures to %s\n", r->captures);
        fflush(r->log);
    }
    return f;
}

static bool
put(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) == size;
}

static void
close_capture(void *file)
{
    fclose(file);
}

const gpu_device_capture radeon_captures = {
    .open = open_capture,
    .put = put,
    .close = close_capture,
    .shader = radeon_shader_at,
};
