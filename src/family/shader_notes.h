/* What families show of the notes of one shader's file (object/shader_file.h). */
#ifndef FAMILY_SHADER_NOTES_H
#define FAMILY_SHADER_NOTES_H

#include "family/figures.h"
#include "object/shader_file.h"

/* The line of a workgroup's size, if there is one. */
void
family_print_workgroup(const obj_code *code, base_buf *out);

/* A line with the name and the word of each register. */
void
family_print_registers(const obj_shader_rows *rows, base_buf *out);

/* An input or output up to the register of its first component, if that is not `no_register`:
 * `letter` and a number for each four components. */
void
family_print_io(const obj_io *io, char letter, uint32_t no_register, base_buf *out);

/* family_objects.describe: numbers, memory, and register words by their registers' names. */
void
family_describe_shader(const obj_code *code, family_figures *out);

#endif
