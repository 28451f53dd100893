/* Counts as text and as JSON. */
#include "run_counts.h"

#include "json.h"

#include <string.h>

/* The members of a count: name and value. */
#define MEMBERS(X) X(instructions) X(lanes) X(bytes) X(lines64) X(lines128) X(conflicts)

/* A list of names that may be missing. */
static const char *const *
list(const char *const *names)
{
    static const char *const none[] = {NULL};
    return names ? names : none;
}

static unsigned long long
all_instructions(const run_counts *c)
{
    const char *const *classes = list(c->emulator->classes);
    unsigned long long n = 0;
    for (int k = 0; classes[k]; k++)
        n += c->watch->counts[k].instructions;
    return n;
}

static void
print_time_text(const run_counts *c, FILE *to)
{
    const mach_time *t = &c->watch->time;
    const char *const *units = list(c->emulator->units);
    fprintf(to, "time: %llu cycles of a SIMD; %llu waves, %llu cycles each if alone; busy:",
            (unsigned long long)t->cycles, (unsigned long long)t->waves,
            (unsigned long long)(t->waves ? t->wave_cycles / t->waves : 0));
    for (int u = 0; units[u]; u++) {
        if (t->busy[u])
            fprintf(to, " %s %llu", units[u], (unsigned long long)t->busy[u]);
    }
    fputc('\n', to);
}

static void
print_text(const run_counts *c, FILE *to)
{
    const char *const *classes = list(c->emulator->classes);
    fprintf(to, "%-9s", "class");
#define X(name) fprintf(to, " %12s", #name);
    MEMBERS(X)
#undef X
    fputc('\n', to);
    for (int k = 0; classes[k]; k++) {
        const mach_class_count *n = &c->watch->counts[k];
        if (!n->instructions)
            continue;
        fprintf(to, "%-9s", classes[k]);
#define X(name) fprintf(to, " %12llu", (unsigned long long)n->name);
        MEMBERS(X)
#undef X
        fputc('\n', to);
    }
    fprintf(to, "%-9s %12llu\n", "all", all_instructions(c));
    if (c->emulator->units)
        print_time_text(c, to);
}

static void
print_time_json(const run_counts *c, FILE *to)
{
    const mach_time *t = &c->watch->time;
    const char *const *units = list(c->emulator->units), *between = "";
    fprintf(to,
            ", \"time\": {\"cycles\": %llu, \"waves\": %llu, \"wave_cycles\": %llu, \"busy\": {",
            (unsigned long long)t->cycles, (unsigned long long)t->waves,
            (unsigned long long)t->wave_cycles);
    for (int u = 0; units[u]; u++) {
        if (strcmp(units[u], "none") == 0)
            continue;
        fprintf(to, "%s\"%s\": %llu", between, units[u], (unsigned long long)t->busy[u]);
        between = ", ";
    }
    fputs("}}", to);
}

static void
print_json(const run_counts *c, FILE *to)
{
    const char *const *classes = list(c->emulator->classes);
    fputs("{\"file\": ", to);
    json_print_text(c->file, to);
    if (c->kernel) {
        fputs(", \"kernel\": ", to);
        json_print_text(c->kernel, to);
    }
    fprintf(to, ", \"target\": \"%s\", \"instructions\": %llu, \"classes\": {", c->target,
            all_instructions(c));
    for (int k = 0; classes[k]; k++) {
        const mach_class_count *n = &c->watch->counts[k];
        const char *between = "";
        fprintf(to, "%s\"%s\": {", k ? ", " : "", classes[k]);
#define X(name)                                                                                    \
    fprintf(to, "%s\"%s\": %llu", between, #name, (unsigned long long)n->name);                    \
    between = ", ";
        MEMBERS(X)
#undef X
        fputc('}', to);
    }
    fputc('}', to);
    if (c->emulator->units)
        print_time_json(c, to);
    fputs("}\n", to);
}

void
run_counts_print(const run_counts *c, const char *format, FILE *to)
{
    if (strcmp(format, "json") == 0)
        print_json(c, to);
    else
        print_text(c, to);
}
