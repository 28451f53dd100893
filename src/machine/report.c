/* Names of the checks, and findings as text. */
#include "machine/report.h"

#include "base/bits.h"

#include <string.h>

static const char *const check_names[] = {"waits",     "hazards", "memory",
                                          "undefined", "races",   "hangs"};
enum { N_CHECKS = sizeof check_names / sizeof *check_names };

static uint32_t
check_bit(uint32_t check)
{
    return check ? base_ctz32(check) : N_CHECKS;
}

const char *
mach_check_name(uint32_t check)
{
    uint32_t bit = check_bit(check);
    return bit < N_CHECKS ? check_names[bit] : "error";
}

int
mach_parse_checks(const char *names)
{
    int checks = 0;
    while (*names) {
        size_t n = strcspn(names, ",");
        int bit = -1;
        for (int c = 0; c < N_CHECKS; c++)
            if (strlen(check_names[c]) == n && !strncmp(check_names[c], names, n))
                bit = 1 << c;
        if (n == 3 && !strncmp(names, "all", n))
            bit = MACH_CHECK_ALL;
        if (n == 4 && !strncmp(names, "none", n))
            bit = 0;
        if (bit < 0)
            return -1;
        checks |= bit;
        names += n + (names[n] == ',');
    }
    return checks;
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
    if (f->count > 1)
        buf_printf(out, " (%u times)", f->count);
}
