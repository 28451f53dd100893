#include "diff_devices.h"

#include "amber/dev_hir.h"
#include "amber/dev_machine.h"
#include "amber/dev_vulkan.h"
#include "families/families.h"
#include "machine/report.h"

#include <stdio.h>
#include <string.h>

#define ROW(target, size, kind)                                                                    \
    {                                                                                              \
        target " wave" #size, target, size, kind, false                                            \
    }
#define HSA(target, size)                                                                          \
    {                                                                                              \
        target " wave" #size " hsa", target, size, DIFF_BY_TURNS, true                             \
    }

static const diff_row all_rows[DIFF_DEVICES] = {
    ROW("hir", 32, DIFF_REFERENCE),
    ROW("hir", 64, DIFF_REFERENCE),
    ROW("gfx1030", 32, DIFF_ALWAYS),
    ROW("gfx1030", 64, DIFF_ALWAYS),
    ROW("gfx600", 64, DIFF_BY_TURNS),
    ROW("gfx1201", 32, DIFF_BY_TURNS),
    ROW("gfx900", 64, DIFF_BY_TURNS),
    ROW("gfx1100", 32, DIFF_BY_TURNS),
    ROW("gfx700", 64, DIFF_BY_TURNS),
    ROW("gfx1010", 32, DIFF_BY_TURNS),
    HSA("gfx90a", 64),
    ROW("gfx1201", 64, DIFF_BY_TURNS),
    ROW("gfx803", 64, DIFF_BY_TURNS),
    ROW("gfx1100", 64, DIFF_BY_TURNS),
    HSA("gfx908", 64),
    ROW("gfx1150", 32, DIFF_BY_TURNS),
    ROW("gfx942", 64, DIFF_BY_TURNS),
    ROW("gfx950", 64, DIFF_BY_TURNS),
    ROW("gfx1010", 64, DIFF_BY_TURNS),
    HSA("gfx1150", 64),
    HSA("gfx1030", 32),
    {"vulkan", "vulkan", 0, DIFF_DRIVER, false},
};

/* How many of the devices by turns run a program. */
enum { TURNS = 3 };

/* Is the target in the list? */
static bool
is_listed(const char *list, const char *target)
{
    size_t len = strlen(target);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, target, len) == 0 && (!at[len] || at[len] == ','))
            return true;
    }
    return false;
}

enum { LARGEST_WAVE = 128 };

static bool
is_wanted(const diff_devices *d, unsigned k)
{
    return d->rows[k].kind == DIFF_REFERENCE || !d->on || strcmp(d->on, "all") == 0 ||
           is_listed(d->on, d->rows[k].target);
}

/* The references have the subgroups of one target. */
static void
set_references(diff_devices *d, arena *a)
{
    family_target t = {0};
    if (!families_find_target(d->target, &t))
        return;
    for (unsigned k = 0; k < 2; k++) {
        d->rows[k].wave_size = family_subgroup_size(&t, d->rows[k].wave_size);
        d->rows[k].name = arena_printf(a, "hir wave%u", d->rows[k].wave_size);
    }
}

/* The table's rows, or the wave sizes of one target. */
static void
set_rows(diff_devices *d, arena *a)
{
    memcpy(d->rows, all_rows, sizeof d->rows);
    if (!d->target)
        return;
    set_references(d, a);
    bool hsa = d->abi && strcmp(d->abi, "hsa") == 0;
    for (unsigned k = 2; k < DIFF_DEVICES; k++) {
        unsigned wave = k == 2 ? 32 : k == 3 ? 64 : LARGEST_WAVE;
        const char *name = arena_printf(a, "%s wave%u", d->target, wave);
        d->rows[k] = (diff_row){name, k < 5 ? d->target : "", wave, DIFF_ALWAYS, hsa};
    }
}

static bool
has_wave_size(const diff_row *r)
{
    family_target t;
    return families_find_target(r->target, &t) && (t.wave_sizes & r->wave_size);
}

/* Opens a row's device; NULL if there is none. Races are not checked: counters are shared. */
static amber_device *
open_row(diff_devices *d, arena *a, unsigned k)
{
    const diff_row *r = &d->rows[k];
    const char *message = NULL;
    const amber_machine_options machine = {
        .wave_size = r->wave_size,
        .checks = MACH_CHECK_ALL & ~(unsigned)MACH_CHECK_RACES,
        .seed = r->wave_size == 64,
        .abi = r->hsa ? OBJ_ABI_HSA : OBJ_ABI_VULKAN,
        .switches = d->switches,
    };
    if (r->kind == DIFF_REFERENCE)
        return amber_hir_open(a, r->wave_size);
    if (r->kind != DIFF_DRIVER)
        return has_wave_size(r) ? amber_machine_open(a, r->target, &machine) : NULL;
    amber_device *driver = amber_vulkan_open(a, &message);
    if (driver)
        d->driver = amber_vulkan_driver(a, driver);
    else
        printf("no Vulkan driver: %s\n", message);
    return driver;
}

/* Is each name of `on`, or the target, there? */
static bool
has_all(const diff_devices *d)
{
    unsigned n = 0;
    for (unsigned k = 2; k < DIFF_DEVICES; k++)
        n += d->device[k] != NULL;
    for (unsigned k = 0; k < DIFF_DEVICES && n; k++) {
        if (!d->device[k] && !d->target && d->on && is_listed(d->on, d->rows[k].target))
            n = 0;
    }
    return n;
}

bool
diff_open(diff_devices *d, arena *a)
{
    set_rows(d, a);
    for (unsigned k = 0; k < DIFF_DEVICES; k++) {
        if (is_wanted(d, k))
            d->device[k] = open_row(d, a, k);
    }
    if (has_all(d))
        return true;
    fprintf(stderr, "diff: there is no device %s that runs shaders\n",
            d->target ? d->target : d->on);
    return false;
}

void
diff_close(diff_devices *d)
{
    for (unsigned k = 0; k < DIFF_DEVICES; k++) {
        if (d->device[k])
            d->device[k]->functions->destroy(d->device[k]);
    }
}

/* The place of a device among those by turns that are there, and how many there are. */
static unsigned
find_turn(const diff_devices *d, unsigned device, unsigned *count)
{
    unsigned place = 0;
    *count = 0;
    for (unsigned k = 0; k < DIFF_DEVICES; k++) {
        if (k == device)
            place = *count;
        *count += d->device[k] && d->rows[k].kind == DIFF_BY_TURNS;
    }
    return place;
}

bool
diff_runs_on(const diff_devices *d, unsigned device, uint64_t number, bool by_wave)
{
    unsigned count, place = find_turn(d, device, &count);
    if (!d->device[device])
        return false;
    if (d->rows[device].kind == DIFF_REFERENCE)
        return device == diff_reference(d, device, by_wave);
    if (by_wave && d->rows[device].wave_size == LARGEST_WAVE)
        return false; /* no reference has such subgroups */
    if (d->on || d->rows[device].kind != DIFF_BY_TURNS)
        return true;
    return (place + count - number * TURNS % count) % count < TURNS;
}

unsigned
diff_reference(const diff_devices *d, unsigned device, bool by_wave)
{
    return by_wave && d->rows[device].wave_size == 64;
}
