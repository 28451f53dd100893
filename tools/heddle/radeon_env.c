/* The software Radeon's variables; tools/radeon/radeon.c reads them. */
#define _XOPEN_SOURCE 700

#include "radeon_env.h"

#include "cli.h"
#include "gpu/chip/chip.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the loader's file may be, from the program's folder: in the build's, or installed. */
static const char *const places[] = {"../radeon/heddle_radeon_icd.json",
                                     "../share/heddle/heddle_radeon_icd.json"};

static bool
find_icd(char path[PATH_MAX])
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return false;
    self[n] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    for (unsigned k = 0; k < sizeof places / sizeof *places; k++) {
        int size = snprintf(path, PATH_MAX, "%s/%s", self, places[k]);
        if (size > 0 && size < PATH_MAX && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static void
set_or_clear(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void
set_checks(const run_checks *checks)
{
    char names[128] = "none";
    int at = 0;
    for (uint32_t c = 1; c < MACH_CHECK_ALL; c <<= 1) {
        if (checks->checks & c)
            at += snprintf(names + at, sizeof names - (size_t)at, "%s%s", at ? "," : "",
                           mach_check_name(c));
    }
    setenv("HEDDLE_RADEON_CHECKS", names, 1);
    set_or_clear("HEDDLE_RADEON_RULES_OFF", checks->off);
}

/* Without compressed and multisampled metadata, which no shader of RADV's reads without draws. */
static void
add_driver_options(void)
{
    static const char needed[] = "nodcc,nohiz,nofastclears,nofmask";
    const char *given = getenv("RADV_DEBUG");
    char all[1024];
    if (!given || !*given)
        setenv("RADV_DEBUG", needed, 1);
    else if (!strstr(given, needed) &&
             snprintf(all, sizeof all, "%s,%s", given, needed) < (int)sizeof all)
        setenv("RADV_DEBUG", all, 1);
}

int
cli_set_radeon(const radeon_wish *wish)
{
    char icd[PATH_MAX];
    if (wish->chip && !gpu_chip_find(wish->chip)) {
        fprintf(stderr, "the chips are");
        for (uint32_t k = 0; gpu_chip_at(k); k++)
            fprintf(stderr, " %s (%s)", gpu_chip_at(k)->name, gpu_chip_at(k)->processor);
        fputc('\n', stderr);
        return cli_usage_error("the software Radeon has no chip '%s'", wish->chip);
    }
    if (!find_icd(icd))
        return cli_usage_error(
            "the software Radeon is not built in: it needs Linux and the headers "
            "of libdrm and Vulkan");
    if (wish->captures)
        mkdir(wish->captures, 0777);    /* if it cannot be made, the Radeon says so */
    setenv("VK_ICD_FILENAMES", icd, 1); /* the loader's older and newer names */
    setenv("VK_DRIVER_FILES", icd, 1);
    set_or_clear("HEDDLE_RADEON", wish->chip);
    set_checks(wish->checks);
    set_or_clear("HEDDLE_RADEON_LOG", wish->log);
    set_or_clear("HEDDLE_RADEON_JSON", wish->json);
    set_or_clear("HEDDLE_RADEON_CAPTURE", wish->captures);
    set_or_clear("HEDDLE_RADEON_DISPATCHES", wish->dispatches);
    set_or_clear("HEDDLE_RADEON_LIMIT", wish->limit);
    set_or_clear("HEDDLE_RADEON_THREADS", wish->threads);
    set_or_clear("HEDDLE_RADEON_SUMS", wish->sums ? "1" : NULL);
    set_or_clear("HEDDLE_RADEON_TRACE", wish->trace ? "packets" : NULL);
    if (wish->driver)
        setenv("HEDDLE_RADEON_DRIVER", wish->driver, 1);
    set_or_clear("HEDDLE_RADEON_QUEUES", wish->queues);
    add_driver_options();
    return -1;
}
