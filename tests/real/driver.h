/* The system's Vulkan driver as a further way to run a case, where that is meaningful.
 *
 * Its subgroups have another size than those of the reference, it chooses addresses itself, and what it
 * is given must be within its features: what is not is named, and no module goes to the driver that
 * it need not take.
 */
#ifndef REAL_DRIVER_H
#define REAL_DRIVER_H

#include "amber/device.h"

/* Why a module cannot be compared with the reference on the driver, or NULL. The text is in `a`. */
const char *
real_driver_lacks(arena *a, amber_device *driver, const uint32_t *words, size_t n_words);

/* Closes the driver. Leaks are looked for before, while its library is there: behind it what it leaks
 * could not be told from ours. */
void
real_driver_close(amber_device *driver);

#endif
