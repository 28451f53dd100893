/* Memory of launches. */
#include "family/launch.h"

#include <string.h>

mach_region *
family_allocate(const ir_ctx *c, mach_memory *m, mach_heap heap, uint64_t size, const char *name)
{
    mach_region *r = mach_memory_alloc(m, heap, size, 0, name);
    if (!r)
        diag_fail(c->diag, ERR_AMBER_LIMIT, name);
    return r;
}

mach_region *
family_put_code(const ir_ctx *c, mach_memory *m, const uint8_t *code, size_t size)
{
    mach_region *r = family_allocate(c, m, MACH_HEAP_LOW, size, "code");
    memcpy(r->host, code, size);
    r->read_only = true;
    return r;
}
