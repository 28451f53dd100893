/* Links an assembled unit to a code object. */
#ifndef API_ASM_LINK_H
#define API_ASM_LINK_H

#include "amd/amd.h"
#include "amd/isa/asm/amdhsa.h"
#include "amd/isa/asm/unit.h"
#include "api/api.h"
#include "object/image.h"

/* Lays the unit out as a linked object of the AMDHSA ABI and appends it. */
void
api_link_unit(api_state *s, const amd_unit *made, const amd_target *t, base_buf *out);

#endif
