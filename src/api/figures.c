/* The public structs have members for figures of AMD's targets and code; they are 0 for a family
 * without a figure of that name. */
#include "api/figures.h"

#include <string.h>

/* A member of type uint32_t that shows the figure `name`. */
typedef struct member {
    const char *name;
    size_t offset;
} member;

static const member target_members[] = {
    {"sgprs", offsetof(heddle_target_info, sgprs)},
    {"vgprs", offsetof(heddle_target_info, vgprs)},
    {"waves", offsetof(heddle_target_info, max_waves)},
    {"lds", offsetof(heddle_target_info, lds_bytes)},
};

static const member launch_members[] = {
    {"sgprs", offsetof(heddle_shader_info, sgprs)},
    {"vgprs", offsetof(heddle_shader_info, vgprs)},
    {"lds_bytes", offsetof(heddle_shader_info, lds_bytes)},
    {"scratch_bytes", offsetof(heddle_shader_info, scratch_bytes)},
    {"rsrc1", offsetof(heddle_shader_info, rsrc[0])},
    {"rsrc2", offsetof(heddle_shader_info, rsrc[1])},
    {"rsrc3", offsetof(heddle_shader_info, rsrc[2])},
    {"address_high", offsetof(heddle_shader_info, address_high)},
    {"buffer_word3", offsetof(heddle_shader_info, buffer_word3)},
};

#define STATS(name)                                                                                \
    {                                                                                              \
#name, offsetof(heddle_stats, name)                                                        \
    }

static const member stats_members[] = {
    STATS(code_bytes),
    STATS(instructions),
    STATS(valu),
    STATS(salu),
    STATS(vmem),
    STATS(smem),
    STATS(ds),
    STATS(branches),
    STATS(copies),
    STATS(waits),
    STATS(nops),
    STATS(vopd),
    STATS(sgprs),
    STATS(vgprs),
    STATS(spilled_sgprs),
    STATS(spilled_vgprs),
    STATS(scratch_bytes),
    STATS(lds_bytes),
    STATS(max_waves),
    STATS(latency),
    STATS(inv_throughput),
};

static void
set_member(const member *members, size_t n, const family_figure *figure, void *to)
{
    uint32_t value = (uint32_t)figure->value;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(members[i].name, figure->name) == 0)
            memcpy((char *)to + members[i].offset, &value, sizeof value);
    }
}

/* Copies the figures; sets the members of `to`. Returns the number of figures. */
static uint32_t
show(const family_figures *f, heddle_figure *figures, const member *members, size_t n_members,
     void *to)
{
    _Static_assert((int)HEDDLE_MAX_FIGURES == FAMILY_MAX_FIGURES, "all figures are shown");
    for (uint32_t i = 0; i < f->n; i++) {
        figures[i] = (heddle_figure){f->list[i].name, f->list[i].value};
        set_member(members, n_members, &f->list[i], to);
    }
    return f->n;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

void
api_show_target_figures(const family_figures *f, heddle_target_info *info)
{
    info->n_figures = show(f, info->figures, target_members, COUNT(target_members), info);
}

void
api_show_launch_figures(const family_figures *f, heddle_shader_info *info)
{
    info->n_figures = show(f, info->figures, launch_members, COUNT(launch_members), info);
}

void
api_show_statistics(const family_figures *f, heddle_stats *stats)
{
    stats->n_figures = show(f, stats->figures, stats_members, COUNT(stats_members), stats);
}
