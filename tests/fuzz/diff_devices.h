/* The devices of the differential fuzzer: the interpreter, which is the reference, one target of
 * each generation that is compiled for in each of its wave sizes, and the system's Vulkan driver.
 *
 * A program runs on the interpreter, on gfx1030 and, because there are many, on a few others by
 * turns; or on those that --on names. Its results are compared with those of the interpreter, for
 * families whose results depend on the size of subgroups with the same size. --target replaces all
 * by one target.
 */
#ifndef FUZZ_DIFF_DEVICES_H
#define FUZZ_DIFF_DEVICES_H

#include "amber/device.h"

enum { DIFF_DEVICES = 22 };

typedef enum diff_kind { DIFF_REFERENCE, DIFF_ALWAYS, DIFF_BY_TURNS, DIFF_DRIVER } diff_kind;

typedef struct diff_row {
    const char *name, *target;
    unsigned wave_size; /* of references the size of subgroups */
    diff_kind kind;
    bool hsa;
} diff_row;

typedef struct diff_devices {
    diff_row rows[DIFF_DEVICES];
    amber_device *device[DIFF_DEVICES]; /* NULL: not available, or not wanted */
    unsigned ran[DIFF_DEVICES];         /* programs */
    const char *on;                     /* targets, separated by commas; "all"; NULL: by turns */
    const char *target;                 /* instead of all others; NULL: none */
    const char *abi;                    /* of `target`: "vulkan", "hsa"; NULL: vulkan */
    const char *switches; /* of the targets' compilers, as in HEDDLE_DEBUG; NULL: none */
    const char *driver;   /* name and version of the Vulkan driver; NULL: there is none */
} diff_devices;

/* Opens the devices that are wanted. Returns false after a message if one that is named is not
 * there. */
bool
diff_open(diff_devices *d, arena *a);

void
diff_close(diff_devices *d);

/* Does program number `number` run on this device? `by_wave`: its results depend on the size of
 * subgroups. */
bool
diff_runs_on(const diff_devices *d, unsigned device, uint64_t number, bool by_wave);

/* The reference for a device. */
unsigned
diff_reference(const diff_devices *d, unsigned device, bool by_wave);

#endif
