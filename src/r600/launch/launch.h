/* Launches on the emulator, as a driver does. */
#ifndef R600_LAUNCH_LAUNCH_H
#define R600_LAUNCH_LAUNCH_H

#include "family/family.h"

/* The family's emulator. */
extern const family_emulator r600_family_emulator;

#endif
