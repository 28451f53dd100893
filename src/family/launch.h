/* What families' launches have in common: memory of the emulator. */
#ifndef FAMILY_LAUNCH_H
#define FAMILY_LAUNCH_H

#include "family/family.h"

/* Allocates zeroed memory at a multiple of 256. Fails with AMBER_LIMIT, which names it, if there is
 * no room. */
mach_region *
family_allocate(const ir_ctx *c, mach_memory *m, mach_heap heap, uint64_t size, const char *name);

/* Descriptor sets of a family. */
enum { FAMILY_DESCRIPTOR_WORDS = 32 };
typedef struct family_sets {
    mach_heap heap;
    uint64_t *addresses; /* receives those of the sets that have bindings */
    uint32_t n;          /* sets that there may be */
    /* Fills in the words of a resource's descriptor, which are zeros. Returns false if there is
     * none. */
    bool (*describe)(const void *user, const family_resource *r, const family_binding *b,
                     uint32_t words[FAMILY_DESCRIPTOR_WORDS]);
    const void *user;
} family_sets;

/* Puts the sets of a shader's layout into memory, with its resources. Returns the number of the
 * first resource that has no descriptor, or UINT32_MAX. Fails as family_allocate does. */
uint32_t
family_put_sets(const ir_ctx *c, mach_memory *m, const family_shader *s, const family_sets *sets);

/* Puts machine code into memory that is only read. Fails as family_allocate does. */
mach_region *
family_put_code(const ir_ctx *c, mach_memory *m, const uint8_t *code, size_t size);

#endif
