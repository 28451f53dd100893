/* Reads and lists checkers and rules; see run_check.h. A name that is neither is an error, which
 * names those that need the fewest edits. */
#include "run_check.h"
#include "cli.h"

#include "base/nearest.h"
#include "families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 64, NEAREST = 3, FINDINGS = 10 };

/* A walk over the rules of all families' emulators. */
typedef struct rule_walk {
    const family *const *at;
    uint32_t index;
} rule_walk;

static bool
next_rule(rule_walk *w, mach_rule *out)
{
    for (; *w->at; w->at++, w->index = 0)
        if ((*w->at)->emulator && (*w->at)->emulator->get_rule &&
            (*w->at)->emulator->get_rule(w->index++, out))
            return true;
    return false;
}

static bool
find_rule(const char *name, size_t length, mach_rule *out)
{
    rule_walk w = {families, 0};
    while (next_rule(&w, out))
        if (strlen(out->name) == length && strncmp(out->name, name, length) == 0)
            return true;
    return false;
}

/* ---- names that are not known ---- */

typedef struct nearest {
    const char *name[NEAREST];
    unsigned edits[NEAREST];
    unsigned count;
} nearest;

static void
consider(nearest *n, const char *wanted, size_t length, const char *name)
{
    unsigned e = base_edit_distance(wanted, length, name, strlen(name)), at = n->count;
    for (unsigned k = 0; k < n->count; k++)
        if (strcmp(n->name[k], name) == 0)
            return;
    while (at > 0 && n->edits[at - 1] > e)
        at--;
    if (at == NEAREST)
        return;
    n->count += n->count < NEAREST;
    for (unsigned k = n->count - 1; k > at; k--) {
        n->name[k] = n->name[k - 1];
        n->edits[k] = n->edits[k - 1];
    }
    n->name[at] = name;
    n->edits[at] = e;
}

static int
unknown_name(const char *name, size_t length)
{
    nearest n = {.count = 0};
    mach_rule r;
    for (uint32_t check = 1; check < MACH_CHECK_ALL; check <<= 1)
        consider(&n, name, length, mach_check_name(check));
    for (rule_walk w = {families, 0}; next_rule(&w, &r);)
        consider(&n, name, length, r.name);
    return cli_usage_error("run: --check: there is no checker or rule '%.*s': nearest are %s, %s, "
                           "%s; --check list prints all",
                           (int)(length < MAX_NAME ? length : MAX_NAME), name, n.name[0], n.name[1],
                           n.name[2]);
}

/* ---- the option ---- */

/* Adds a rule to those that are off. */
static void
switch_off(run_checks *c, const char *name, char **end)
{
    if (mach_is_listed(c->off, name))
        return;
    if (*end != c->off)
        *(*end)++ = ',';
    strcpy(*end, name);
    *end += strlen(name);
}

/* Reads one item of the list. Returns -1 or the exit code. */
static int
read_item(run_checks *c, const char *item, size_t length, char **end)
{
    bool minus = *item == '-';
    const char *name = item + minus;
    size_t n = length - minus;
    int bits = mach_find_check(name, n);
    mach_rule rule;
    if (bits >= 0) {
        c->checks = minus ? c->checks & ~(uint32_t)bits : c->checks | (uint32_t)bits;
        return -1;
    }
    if (!find_rule(name, n, &rule))
        return unknown_name(name, n);
    if (!minus)
        return cli_usage_error("run: --check: '%s' is a rule of the checker %s: -%s switches it "
                               "off, %s switches all of them on",
                               rule.name, mach_check_name(rule.check), rule.name,
                               mach_check_name(rule.check));
    switch_off(c, rule.name, end);
    return -1;
}

int
run_checks_parse(const char *text, run_checks *out)
{
    *out = (run_checks){.checks = MACH_CHECK_ALL, .text = text};
    if (!text)
        return -1;
    if (!*text)
        return cli_usage_error("run: --check needs names, all or none; --check list prints them");
    char *end = calloc(1, strlen(text) + 1);
    if (!end)
        cli_out_of_memory();
    out->off = end;
    if (*text != '-')
        out->checks = 0;
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, ",");
        int code = read_item(out, at, n, &end);
        if (code >= 0)
            return code;
        at += n + (at[n] == ',');
    }
    return -1;
}

void
run_checks_free(run_checks *c)
{
    free((char *)c->off);
    c->off = NULL;
}

bool
run_findings_parse(const char *text, uint32_t *out)
{
    char *end;
    *out = text ? UINT32_MAX : FINDINGS;
    if (!text || strcmp(text, "all") == 0)
        return true;
    unsigned long long n = strtoull(text, &end, 10);
    *out = (uint32_t)n;
    return *text >= '0' && *text <= '9' && !*end && n >= 1 && n < UINT32_MAX;
}

/* ---- texts ---- */

/* Is it the first row of its name? */
static bool
is_first(const rule_walk *until, const char *name)
{
    mach_rule r;
    for (rule_walk w = {families, 0}; next_rule(&w, &r);) {
        if (w.at == until->at && w.index == until->index)
            return true;
        if (strcmp(r.name, name) == 0)
            return false;
    }
    return true;
}

static void
print_rules(uint32_t check)
{
    mach_rule r;
    for (rule_walk w = {families, 0}; next_rule(&w, &r);) {
        if (r.check != check || !is_first(&w, r.name))
            continue;
        printf("  %-30s %s", r.name, r.text);
        if (r.clang)
            printf(" (clang 19's code breaks it: %s)", r.clang);
        putchar('\n');
    }
}

void
run_checks_print(void)
{
    for (uint32_t check = 1; check < MACH_CHECK_ALL; check <<= 1) {
        printf("%-32s %s\n", mach_check_name(check), mach_check_text(check));
        print_rules(check);
    }
}

void
run_checks_hint(const run_checks *c, const mach_finding *f, base_buf *out)
{
    mach_rule r;
    for (rule_walk w = {families, 0}; f->rule && next_rule(&w, &r);) {
        if (strcmp(r.name, f->rule) != 0 || !r.clang)
            continue;
        buf_printf(out,
                   "; clang 19's code is known to break this rule (%s): --check %s,-%s switches it "
                   "off",
                   r.clang, c->text ? c->text : "all", r.name);
        return;
    }
}
