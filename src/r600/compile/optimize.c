/* The phases from bytecode to bytecode. */
#include "r600/compile/compile.h"

#include "r600/opt/opt.h"
#include "r600/read/read.h"

#include <string.h>

typedef struct phase {
    const char *name;
    void (*run)(tree_program *p);
    bool is_optional;
} phase;

/* Until registers are given. */
static const phase phases[] = {
    {"rename", r600_opt_rename, false},
    {"gvn", r600_opt_gvn, true},
    {"dce", r600_opt_dce, false},
    {"if_convert", r600_opt_if_convert, true},
    {"gvn2", r600_opt_gvn, true},
    {"dce2", r600_opt_dce, true},
    {"leave_ssa", r600_opt_leave_ssa, false},
};

static bool
stops(const r600_optimize_options *o, const tree_program *p, const char *name, base_buf *out)
{
    if (!o->stop || strcmp(o->stop, name) != 0)
        return false;
    r600_tree_print(p, out);
    return true;
}

void
r600_optimize(diag *d, arena *a, const r600_optimize_options *o, const uint8_t *bytes, size_t size,
              base_buf *out, r600_figures *figures)
{
    ra_state ra;
    tree_program *p = r600_read_tree(d, a, o->chip, bytes, size);
    if (stops(o, p, "read", out))
        return;
    for (unsigned i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (!o->no_passes || !phases[i].is_optional)
            phases[i].run(p);
        if (stops(o, p, phases[i].name, out))
            return;
    }
    r600_ra_vectors(p, &ra);
    if (stops(o, p, "vectors", out))
        return;
    r600_schedule(p, &ra);
    if (stops(o, p, "schedule", out))
        return;
    if (!r600_ra_color(p, &ra))
        diag_fail(d, ERR_R600_NO_REGISTERS);
    r600_emit(p, &ra, out, figures);
}
