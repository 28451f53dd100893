/* Links an assembled unit to a code object. */
#ifndef AMD_CODE_LINK_H
#define AMD_CODE_LINK_H

#include "amd/amd.h"
#include "amd/isa/asm/amdhsa.h"
#include "amd/isa/asm/unit.h"
#include "ir/ir.h"
#include "object/image.h"

/* Lays the unit out as a linked object of the AMDHSA ABI and appends it. */
void
amd_link_unit(const ir_ctx *c, const amd_unit *made, const amd_target *t, base_buf *out);

#endif
