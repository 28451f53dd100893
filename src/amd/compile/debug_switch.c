/* The back end's debug switches by name: those of debug.def, and the limits. */
#include "amd/compile/compile.h"

#include "base/number.h"
#include "family/compiler.h"

#include <string.h>

enum { MAX_BOUND = 512, MAX_END = UINT16_MAX - 1 };

static bool
read_bound(const char *text, uint64_t most, uint16_t *bound)
{
    uint64_t n;
    size_t length = base_integer_read(text, strlen(text), 10, &n);
    *bound = (uint16_t)n;
    return length && !text[length] && n <= most;
}

const char *
amd_read_switch(void *switches, const char *word)
{
    amd_switches *o = switches;
    static const family_switch list[] = {
#define SWITCH(name, id, bit) {name, AMD_DEBUG_##id},
#include "amd/debug.def"
#undef SWITCH
        {NULL, 0},
    };
    const struct {
        const char *name;
        uint16_t *bound;
    } bounds[] = {{"sgprs=", &o->sgprs},
                  {"vgprs=", &o->vgprs},
                  {"reach=", &o->reach},
                  {"nohazard=", &o->nohazard}};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        size_t len = strlen(bounds[i].name);
        if (strncmp(bounds[i].name, word, len) == 0)
            return read_bound(word + len, MAX_BOUND, bounds[i].bound)
                       ? NULL
                       : "the debug switch '%.40s' needs a number up to 512";
    }
    if (strncmp(word, "end=", 4) == 0) {
        bool ok = read_bound(word + 4, MAX_END, &o->end);
        o->end++;
        return ok ? NULL
                  : "the debug switch '%.40s' needs the number of an instruction, up to 65534";
    }
    return family_read_switch(list, word, &o->debug);
}
