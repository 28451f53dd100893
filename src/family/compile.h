/* Compiling for a target of any family, with what developers of shaders ask for: the code printed,
 * another code put in its place. */
#ifndef FAMILY_COMPILE_H
#define FAMILY_COMPILE_H

#include "family/family.h"

/* Compiles by the target's family. Then, if the request wants them: the code of find_code is
 * assembled and takes the place of what was compiled, with the same registers' words and limits;
 * the code is printed. The id of a shader is 16 hexadecimal digits made of its text as it was read,
 * with specialization constants; it depends neither on the target nor on the phases. Fails with a
 * diagnostic, also of the assembler. */
void
family_compile(ir_fn *hir, const family_request *request, family_binary *out);

#endif
