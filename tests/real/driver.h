/* The system's Vulkan driver as a further way to run a case, if that is meaningful.
 *
 * Its subgroups differ in size from the reference's, it chooses addresses itself, and it need not
 * accept modules beyond its features. Such modules are skipped with the name of what is missing.
 */
#ifndef REAL_DRIVER_H
#define REAL_DRIVER_H

#include "amber/device.h"

/* Why a module cannot be compared with the reference on the driver, or NULL. The text is in `a`. */
const char *
real_driver_lacks(arena *a, amber_device *driver, const uint32_t *words, size_t n_words);

/* Closes the driver. Leaks are checked before, while its library is loaded: afterwards its leaks
 * could not be distinguished from ours. */
void
real_driver_close(amber_device *driver);

#endif
