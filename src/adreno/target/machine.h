/* The description of the registers and instructions for general passes. */
#ifndef ADRENO_TARGET_MACHINE_H
#define ADRENO_TARGET_MACHINE_H

#include "ir/machine.h"
#include "ir/text.h"

extern const ir_machine adreno_machine_description;

/* The fields of a program's text; adreno_program. */
extern const ir_text_field adreno_program_fields[];

#endif
