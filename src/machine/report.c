/* Names of the checks, findings as text, and their order. */
#include "machine/report.h"

#include <stdio.h>
#include <string.h>

/* Checkers in the order in which their findings are listed: causes before consequences. Within a
 * checker, findings are in the order in which they occurred. */
static const struct {
    uint32_t check;
    const char *name, *text;
} checks[] = {
    /* The hardware does something else than the instructions say, so that all that follows may be
     * wrong; no other finding leads to it. */
    {MACH_CHECK_HAZARDS, "hazards", "dependencies that the program must handle, not the hardware"},
    /* The instruction uses a wrong value, which no other finding leads to. */
    {MACH_CHECK_WAITS, "waits", "uses of registers and LDS before a memory operation has ended"},
    /* What is read depends on the order of waves: it may be undefined, or anything. */
    {MACH_CHECK_RACES, "races", "conflicting accesses of waves and groups that nothing orders"},
    /* The value may come from a race; it may be an address, or decide a loop. */
    {MACH_CHECK_UNDEFINED, "undefined",
     "branches, addresses and stored values that depend on a value never written"},
    /* The address may come from a race or an undefined value. */
    {MACH_CHECK_MEMORY, "memory",
     "accesses outside allocations, misaligned accesses, unallocated registers"},
    /* The loop's condition may come from any of these; it ends the run. */
    {MACH_CHECK_HANGS, "hangs", "endless loops, and waits that never end"},
    /* What ends the run is the last consequence. */
    {0, "error", "code that cannot be executed"},
};
enum { N_CHECKS = sizeof checks / sizeof *checks };

/* The number of a checker in the list. */
static uint32_t
rank(uint32_t check)
{
    uint32_t k = 0;
    while (k < N_CHECKS - 1 && checks[k].check != check)
        k++;
    return k;
}

const char *
mach_check_name(uint32_t check)
{
    return checks[rank(check)].name;
}

const char *
mach_check_text(uint32_t check)
{
    return checks[rank(check)].text;
}

int
mach_find_check(const char *name, size_t length)
{
    for (uint32_t k = 0; k < N_CHECKS - 1; k++)
        if (strlen(checks[k].name) == length && !strncmp(checks[k].name, name, length))
            return (int)checks[k].check;
    if (length == 3 && !strncmp(name, "all", length))
        return MACH_CHECK_ALL;
    return length == 4 && !strncmp(name, "none", length) ? 0 : -1;
}

bool
mach_is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; at && *at;) {
        size_t k = strcspn(at, ",");
        if (k == n && !strncmp(at, name, n))
            return true;
        at += k + (at[k] == ',');
    }
    return false;
}

uint64_t
mach_find_rules(const char *list, const mach_rule *rules, uint32_t n)
{
    uint64_t found = 0;
    for (uint32_t r = 0; r < n; r++)
        found |= (uint64_t)mach_is_listed(list, rules[r].name) << r;
    return found;
}

bool
mach_is_same_finding(const mach_finding *a, const mach_finding *b)
{
    const char *x = a->rule ? a->rule : "", *y = b->rule ? b->rule : "";
    return a->check == b->check && a->pc == b->pc && strcmp(x, y) == 0 &&
           strcmp(a->resource, b->resource) == 0;
}

bool
mach_repeat_finding(mach_report *r, const mach_finding *f)
{
    for (uint32_t k = 0; k < r->n_findings; k++) {
        mach_finding *old = &r->findings[k];
        if (mach_is_same_finding(old, f)) {
            old->count += f->count;
            return true;
        }
    }
    return false;
}

bool
mach_add_finding(mach_report *r, const mach_finding *f)
{
    if (mach_repeat_finding(r, f))
        return true;
    if (r->n_findings == MACH_MAX_FINDINGS)
        return false;
    r->findings[r->n_findings++] = *f;
    return true;
}

mach_finding *
mach_report_end(mach_report *r, mach_status status, uint64_t group)
{
    r->status = status;
    r->stopped_at = group;
    r->total++;
    if (r->n_findings == MACH_MAX_FINDINGS)
        r->n_findings--;
    return &r->findings[r->n_findings++];
}

uint32_t
mach_order_findings(const mach_report *r, uint32_t limit, uint32_t order[MACH_MAX_FINDINGS])
{
    bool ended = r->status != MACH_RUN_DONE && r->status != MACH_RUN_STOPPED;
    uint32_t n = 0;
    for (uint32_t k = 0; k < N_CHECKS; k++)
        for (uint32_t f = 0; f < r->n_findings; f++)
            if (rank(r->findings[f].check) == k)
                order[n++] = f;
    if (n <= limit)
        return n;
    if (ended && limit)
        order[limit - 1] = r->n_findings - 1;
    return limit;
}

bool
mach_print_left_out(const mach_report *r, uint32_t shown, base_buf *out)
{
    uint32_t n = r->n_findings - shown;
    if (n)
        buf_printf(out, "%u more finding%s: --findings all lists all", n, n == 1 ? "" : "s");
    if (r->n_findings == MACH_MAX_FINDINGS)
        buf_printf(out, "%sfindings in more than %u places are only counted", n ? "; " : "",
                   MACH_MAX_FINDINGS - 1);
    return n || r->n_findings == MACH_MAX_FINDINGS;
}

static void
print_rule(const mach_finding *f, base_buf *out)
{
    if (f->count > 1)
        buf_printf(out, " (%u times)", f->count);
    if (f->rule)
        buf_printf(out, " [%s]", f->rule);
}

void
mach_print_finding(const mach_finding *f, base_buf *out)
{
    if (!f->text[0]) { /* a finding about the dispatch has no instruction */
        buf_printf(out, "%s: %s", mach_check_name(f->check), f->message);
        return;
    }
    buf_printf(out, "%s: pc 0x%llx `%s` group (%u, %u, %u) wave %u", mach_check_name(f->check),
               (unsigned long long)f->pc, f->text, f->group[0], f->group[1], f->group[2], f->wave);
    if (f->lane >= 0)
        buf_printf(out, " lane %d", (int)f->lane);
    buf_printf(out, ": %s", f->message);
    print_rule(f, out);
}

void
mach_report_unsupported_draw(mach_report *r, const char *what)
{
    mach_finding *f = &r->findings[0];
    memset(r, 0, sizeof *r);
    r->status = MACH_RUN_UNSUPPORTED;
    r->n_findings = r->total = 1;
    *f = (mach_finding){.lane = -1, .count = 1};
    snprintf(f->message, sizeof f->message, "a draw with %s", what);
}
