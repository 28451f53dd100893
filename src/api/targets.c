/* The targets of all families as the API shows them. */
#include "api/figures.h"

heddle_result
heddle_get_target(uint32_t index, heddle_target_info *info)
{
    static const char *const no_names[] = {NULL};
    family_target t;
    family_figures figures = {0};
    if (!info || !families_get_target(index, &t))
        return HEDDLE_ERROR_ARGUMENT;
    if (t.family->describe_target)
        t.family->describe_target(&t, &figures);
    heddle_target_info i = {
        .name = t.name,
        .family = t.family->name,
        .generation = t.generation,
        .wave_sizes = t.wave_sizes,
        .default_wave_size = t.default_wave_size,
        .compiles = t.compiles,
        .names = t.names ? t.names : no_names,
    };
    api_show_target_figures(&figures, &i);
    api_fill_struct(info, &i, sizeof i);
    return HEDDLE_OK;
}

void
api_check_wave_size(api_state *s, const family_target *t, uint32_t size)
{
    base_buf text = buf_make(&s->scratch);
    const char *between = "the wave size is neither ";
    if (!size || ((size & (size - 1)) == 0 && (size & t->family->wave_sizes)))
        return;
    for (uint32_t one = 1; one && one <= t->family->wave_sizes; one <<= 1) {
        if (t->family->wave_sizes & one) {
            buf_printf(&text, "%s%u", between, one);
            between = " nor ";
        }
    }
    diag_fail(&s->diag, ERR_API_BAD_ARGUMENT, buf_text(&text));
}

family_target
api_find_target(api_state *s, const char *name)
{
    family_target t;
    char instead[300];
    if (families_find_target(name, &t))
        return t;
    if (!name || !*name)
        diag_fail(&s->diag, ERR_API_BAD_ARGUMENT,
                  "no target is named: give one, such as gfx1030 (heddle targets)");
    bool ambiguous = families_explain_target(name, instead, sizeof instead);
    diag_fail(&s->diag, ambiguous ? ERR_API_AMBIGUOUS_TARGET : ERR_API_UNKNOWN_TARGET, name,
              instead);
}
