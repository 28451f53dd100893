/* A device that hands each dispatch to another program, as a file (device_job.h). */
#ifndef HEDDLE_DEVICE_PROGRAM_H
#define HEDDLE_DEVICE_PROGRAM_H

#include "amber/device.h"

/* What --device begins with; behind it stands the program. */
#define DEVICE_PROGRAM "program:"

/* Opens the device. `path` must live as long as it. */
amber_device *
device_program_open(arena *a, const char *path);

#endif
