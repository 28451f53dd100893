/* The description of the registers and instructions for general passes. */
#ifndef ADRENO_TARGET_MACHINE_H
#define ADRENO_TARGET_MACHINE_H

#include "ir/machine.h"

extern const ir_machine adreno_machine_description;

#endif
