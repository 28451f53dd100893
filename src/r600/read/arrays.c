/* Statements of arrays: "R5-R8.xy,R10-R13". Each component is an array of its own. */
#include "r600/read/read.h"

#include "base/number.h"

#include <string.h>

static uint32_t
take_register(reader *r, const char **at)
{
    uint64_t n;
    const size_t used = **at == 'R' ? base_integer_read(*at + 1, strlen(*at + 1), 10, &n) : 0;
    if (!used || n >= R600_FIRST_TEMP)
        diag_fail(r->p->diag, ERR_R600_TREE_TEXT, "arrays as in R5-R8.xy,R10-R13");
    *at += 1 + used;
    return (uint32_t)n;
}

static void
add_array(reader *r, uint32_t first, uint32_t last, uint32_t chan)
{
    tree_program *p = r->p;
    for (uint32_t i = 0; i < p->n_arrays; i++) {
        const uint32_t begin = p->arrays[i].reg / 4;
        if ((p->arrays[i].reg & 3) == chan && begin <= last && first < begin + p->arrays[i].n)
            diag_fail(p->diag, ERR_R600_TREE_TEXT, "arrays that do not overlap");
    }
    if (p->n_arrays == TREE_MAX_ARRAYS)
        r600_read_lacks(r, "so many arrays");
    p->arrays[p->n_arrays++] = (tree_array){.n = last - first + 1, .reg = first * 4 + chan};
}

void
r600_read_arrays(reader *r, const char *text)
{
    while (text && *text) {
        const uint32_t first = take_register(r, &text);
        uint32_t last = first;
        unsigned channels = 0;
        if (*text == '-') {
            text++;
            last = take_register(r, &text);
        }
        if (*text == '.')
            for (text++; *text && strchr("xyzw", *text); text++)
                channels |= 1u << (strchr("xyzw", *text) - "xyzw");
        else
            channels = 15;
        if (last < first || !channels || (*text && *text != ','))
            diag_fail(r->p->diag, ERR_R600_TREE_TEXT, "arrays as in R5-R8.xy,R10-R13");
        for (unsigned c = 0; c < 4; c++)
            if (channels >> c & 1)
                add_array(r, first, last, c);
        text += *text == ',';
    }
}

unsigned
r600_read_find_array(reader *r, uint32_t reg)
{
    for (uint32_t i = 0; i < r->p->n_arrays; i++) {
        const tree_array *a = &r->p->arrays[i];
        if ((a->reg & 3) == (reg & 3) && reg >= a->reg && reg < a->reg + a->n * 4)
            return i;
    }
    r600_read_lacks(r, "operands that AR selects in registers which no array is stated for");
}
