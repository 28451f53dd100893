/* Named numbers that a family shows to users: the resources of a target, the statistics of a
 * shader. A family decides what it counts; users see its names. */
#ifndef FAMILY_FIGURES_H
#define FAMILY_FIGURES_H

#include <stdint.h>
#include <string.h>

enum { FAMILY_MAX_FIGURES = 32 };

typedef struct family_figure {
    const char *name; /* a constant of the family */
    uint64_t value;
} family_figure;

typedef struct family_figures {
    uint32_t n;
    family_figure list[FAMILY_MAX_FIGURES];
} family_figures;

/* Appends a figure; one for which there is no room is dropped. */
static inline void
family_add_figure(family_figures *f, const char *name, uint64_t value)
{
    if (f->n < FAMILY_MAX_FIGURES)
        f->list[f->n++] = (family_figure){name, value};
}

/* The value of a figure; 0 if it is not there. */
static inline uint64_t
family_figure_of(const family_figures *f, const char *name)
{
    for (uint32_t i = 0; i < f->n; i++) {
        if (strcmp(f->list[i].name, name) == 0)
            return f->list[i].value;
    }
    return 0;
}

#endif
