/* What a program of graphics tells its driver besides the code: registers, and parameters. */
#ifndef AMD_TARGET_GRAPHICS_H
#define AMD_TARGET_GRAPHICS_H

#include "amd/amd.h"
#include "amd/registers/registers.h"

/* Sets a field of a register that the driver writes for the program; fields that the generation
 * lacks are left out. The register's other fields are zero until they are set. */
void
amd_set_field(amd_program *p, amd_hw_field field, uint32_t v);

/* Sets bits of a register that has no fields. */
void
amd_set_register(amd_program *p, amd_hw_reg reg, uint32_t v);

/* The same of one that follows it `dwords` behind. */
void
amd_set_register_at(amd_program *p, amd_hw_reg reg, uint32_t dwords, uint32_t v);

/* Appends a parameter. Returns its number. */
unsigned
amd_add_param(amd_program *p, amd_param param);

/* The hardware stage of a shader that is compiled for the pipeline: a vertex shader is a primitive
 * shader where the target has no other, or where both exist and the pipeline asks for it. */
amd_stage
amd_stage_of(const ir_fn *f, const amd_target *t, const struct family_pipeline *pipeline);

/* Does the program take an argument of the kind? */
bool
amd_has_arg(const amd_program *p, amd_arg_kind kind);

/* What ends its waves: those that count as ordered say that they are over. */
amd_op
amd_end_op(const amd_program *p);

#endif
