/* What families' launches have in common: memory of the emulator. */
#ifndef FAMILY_LAUNCH_H
#define FAMILY_LAUNCH_H

#include "family/family.h"

/* Allocates zeroed memory at a multiple of 256. Fails with AMBER_LIMIT, which names it, if there is
 * no room. */
mach_region *
family_allocate(const ir_ctx *c, mach_memory *m, mach_heap heap, uint64_t size, const char *name);

/* Puts machine code into memory that is only read. Fails as family_allocate does. */
mach_region *
family_put_code(const ir_ctx *c, mach_memory *m, const uint8_t *code, size_t size);

#endif
