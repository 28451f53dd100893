/* Figures of a family as the public structs show them: all by name, and those that have a member of
 * their own there. */
#ifndef API_FIGURES_H
#define API_FIGURES_H

#include "api/api.h"
#include "families/families.h"

/* Sets the struct's figures, and its members that are figures. */
void
api_show_target_figures(const family_figures *f, heddle_target_info *info);
void
api_show_launch_figures(const family_figures *f, heddle_shader_info *info);
void
api_show_statistics(const family_figures *f, heddle_stats *stats);

#endif
