/* Options for observing a kernel. */
#include "kernel_watch.h"

#include "data_spec.h"

#include <string.h>

static bool
fail(const char **message, const char *what)
{
    *message = what;
    return false;
}

bool
kernel_watch_wanted(const watch_options *o)
{
    return o->trace || o->dump_regs || o->dump_memory || o->counts;
}

/* Parses an address, or +N relative to the kernel's first instruction. */
static bool
parse_pc(const char *p, const char *end, uint64_t entry, uint64_t *out)
{
    bool relative = *p == '+';
    if (!data_size_parse(p + relative, end, out))
        return false;
    *out += relative ? entry : 0;
    return true;
}

static bool
parse_group(const char *p, const char *end, uint32_t out[3])
{
    for (int i = 0; i < 3; i++) {
        const char *next = memchr(p, '.', (size_t)(end - p));
        uint64_t v;
        if (!data_size_parse(p, next ? next : end, &v) || v > UINT32_MAX)
            return false;
        out[i] = (uint32_t)v;
        if (!next)
            return true;
        p = next + 1;
    }
    return false;
}

/* Parses group=X.Y.Z, wave=N, lane=N, pc=ADDRESS, separated by commas. */
static bool
parse_only(mach_filter *f, const char *p, uint64_t entry)
{
    for (;; p++) {
        const char *end = p + strcspn(p, ",");
        uint64_t v = 0;
        bool ok = false;
        if (strncmp(p, "group=", 6) == 0)
            ok = f->has_group = parse_group(p + 6, end, f->group);
        else if (strncmp(p, "wave=", 5) == 0)
            ok = f->has_wave = data_size_parse(p + 5, end, &v) && v < 1024;
        else if (strncmp(p, "lane=", 5) == 0)
            ok = f->has_lane = data_size_parse(p + 5, end, &v) && v < 64;
        else if (strncmp(p, "pc=", 3) == 0)
            ok = f->has_pc = parse_pc(p + 3, end, entry, &f->pc);
        if (!ok)
            return false;
        if (*p == 'w')
            f->wave = (uint32_t)v;
        if (*p == 'l')
            f->lane = (uint32_t)v;
        if (!*end)
            return true;
        p = end;
    }
}

static void
write_text(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, user);
}

static FILE *
open_file(const char *path)
{
    return !path || strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
}

static bool
set_dump_at(mach_watch *w, const char *at, uint64_t entry)
{
    if (!at || strcmp(at, "end") == 0)
        w->dump_at = MACH_DUMP_END;
    else if (strcmp(at, "finding") == 0)
        w->dump_at = MACH_DUMP_FINDING;
    else
        w->dump_at = MACH_DUMP_PC;
    return w->dump_at != MACH_DUMP_PC || parse_pc(at, at + strlen(at), entry, &w->dump_pc);
}

bool
kernel_watch_open(kernel_watch *k, const watch_options *o, uint64_t entry, const char **message)
{
    mach_watch *w = &k->watch;
    *k = (kernel_watch){.watch = {.dump_registers = o->dump_regs, .dump_memory = o->dump_memory}};
    w->count = o->counts != NULL;
    if (o->only && !parse_only(&w->filter, o->only, entry))
        return fail(message, "--only needs group=X.Y.Z, wave=N, lane=N, pc=ADDRESS or pc=+OFFSET, "
                             "separated by commas");
    if (!set_dump_at(w, o->dump_at, entry))
        return fail(message, "--dump-at needs end, finding, an address or +OFFSET");
    if (o->trace) {
        w->trace = write_text;
        w->trace_user = k->trace = open_file(o->trace);
        if (!k->trace)
            return fail(message, "the file of --trace cannot be written");
    }
    if (o->dump_regs || o->dump_memory) {
        w->dump = write_text;
        w->dump_user = k->dump = open_file(o->dump_to);
        if (!k->dump)
            return fail(message, "the file of --dump-to cannot be written");
    }
    return true;
}

static bool
close_file(FILE *f)
{
    return !f || (f == stdout ? fflush(f) : fclose(f)) == 0;
}

bool
kernel_watch_close(kernel_watch *k)
{
    bool ok = close_file(k->trace);
    ok &= close_file(k->dump);
    k->trace = k->dump = NULL;
    return ok;
}
