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
        bool reads = o && o->format && o->read;
        if (reads && obj_is_elf_for(bytes, size, o->format->machine)) {
            reader = o;
            break;
        }
        reader = reader || !reads ? reader : o;
    }
    if (!reader)
        diag_fail(d, ERR_OBJECT_UNSUPPORTED, "objects of any family");
    elf_reader r = {
        .d = d, .a = a, .bytes = bytes, .size = size, .format = reader->format, .out = out};
    reader->read(&r);
}

/* The steps of a family. */
static const ir_step *
pipeline_of(const family *f)
{
    static const ir_step none[] = {{NULL}};
    return f->compiler && f->compiler->pipeline ? f->compiler->pipeline : none;
}

/* Returns true if a step before `at`, which is one of family `end`, has its name. */
static bool
is_listed(const family *const *end, const ir_step *at)
{
    for (const family *const *f = families; f <= end; f++) {
        for (const ir_step *p = pipeline_of(*f); p->pass && p != at; p++) {
            if (strcmp(p->pass->name, at->pass->name) == 0)
                return true;
        }
    }
    return false;
}

/* Phase number `*index` of all families, or NULL; then that many are behind the last. */
static const char *
find_phase(uint32_t *index)
{
    for (const family *const *f = families; *f; f++) {
        const family_phase *p = (*f)->compiler ? (*f)->compiler->phases : NULL;
        for (; p && p->name; p++)
            if ((*index)-- == 0)
                return p->name;
    }
    return NULL;
}

const char *
families_pass(uint32_t index)
{
    for (const family *const *f = families; *f; f++) {
        for (const ir_step *p = pipeline_of(*f); p->pass; p++) {
            if (!is_listed(f, p) && index-- == 0)
                return p->pass->name;
        }
    }
    return find_phase(&index);
}
