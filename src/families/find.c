/* Look-ups over all families. */
#include "families/families.h"

#include <string.h>

bool
families_get_target(uint32_t index, family_target *out)
{
    for (const family *const *f = families; *f; f++) {
        for (uint32_t i = 0; (*f)->get_target(i, out); i++) {
            out->family = *f;
            if (index-- == 0)
                return true;
        }
    }
    return false;
}

const char *
families_default_target(void)
{
    const family *const *f = families;
    while (*f && !(*f)->default_target)
        f++;
    return *f ? (*f)->default_target : NULL;
}

uint32_t
families_wave_sizes(void)
{
    uint32_t sizes = 0;
    for (const family *const *f = families; *f; f++)
        sizes |= (*f)->wave_sizes;
    return sizes;
}

void
families_read_object(diag *d, arena *a, const void *bytes, size_t size, obj_file *out)
{
    const family *const *f = families;
    const family_objects *reader = NULL;
    for (; *f; f++) {
        const family_objects *o = (*f)->objects;
        bool reads = o && o->owns && o->read;
        if (reads && o->owns(bytes, size)) {
            reader = o;
            break;
        }
        reader = reader || !reads ? reader : o;
    }
    if (!reader)
        diag_fail(d, ERR_OBJECT_UNSUPPORTED, "objects of any family");
    reader->read(d, a, bytes, size, out);
}

/* Returns true if a family before `end` has a phase of this name, or `end` has it before `at`. */
static bool
is_listed(const family *const *end, const char *const *at)
{
    for (const family *const *f = families; f <= end; f++) {
        const char *const *name = (*f)->compiler ? (*f)->compiler->phases : NULL;
        for (; name && *name && name != at; name++) {
            if (strcmp(*name, *at) == 0)
                return true;
        }
    }
    return false;
}

const char *
families_phase(uint32_t index)
{
    for (const family *const *f = families; *f; f++) {
        const char *const *name = (*f)->compiler ? (*f)->compiler->phases : NULL;
        for (; name && *name; name++) {
            if (!is_listed(f, name) && index-- == 0)
                return *name;
        }
    }
    return NULL;
}
