/* Tests each rule of the hazards checker with code that violates it, which must be reported, and
 * with similar code that does not, which must not be reported.
 *
 *     test_hazards GENERATION FILE...
 *
 * A file holds cases. Lines that begin with `#` direct, others are assembly:
 *
 *     # rule NAME          the rule that the `bad` parts of the case break, at their last
 * instruction # gens gfx9 gfx10    the generations that it is tried on # wave 32            wave
 * size, 64 if not given # also NAME          that rule is broken too, before # set v1 0x10        a
 * register before the first instruction, in all lanes # vgprs 32           VGPRs allocated, 256 if
 * not given # bad                what is caught, by this rule alone; a case may have several parts
 *     # good               what is not
 *
 * Instructions are checked in order; none is executed. Only the generation's cases are used; a rule
 * of the generation that no case violates is a failure.
 */
#include "base/diag.h"
#include "hazard_env.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_SETS = 8, MAX_TEXT = 4096, MAX_RULES = 128 };

static const struct {
    const char *name;
    amd_gen gen;
} gens[] = {{"gfx6", AMD_GFX6},       {"gfx7", AMD_GFX7},     {"gfx8", AMD_GFX8},
            {"gfx9", AMD_GFX9},       {"gfx908", AMD_GFX908}, {"gfx90a", AMD_GFX90A},
            {"gfx942", AMD_GFX942},   {"gfx950", AMD_GFX950}, {"gfx10", AMD_GFX10},
            {"gfx10.3", AMD_GFX10_3}, {"gfx11", AMD_GFX11},   {"gfx11.5", AMD_GFX11_5},
            {"gfx12", AMD_GFX12}};
enum { N_GENS = sizeof gens / sizeof *gens };

typedef struct test_case {
    char rule[64], also[64];
    bool on[N_GENS];
    uint32_t wave_size, vgprs, n_sets;
    struct {
        uint32_t code, value;
    } sets[MAX_SETS];
} test_case;

typedef struct runner {
    unsigned gen; /* in `gens` */
    unsigned done, failed;
    bool broken[MAX_RULES]; /* rules that some case broke, by their row */
} runner;

static void
result(runner *r, bool ok, const char *format, ...)
{
    va_list args;
    r->done++;
    r->failed += !ok;
    printf("%sok %u - ", ok ? "" : "not ", r->done);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static void
set_up(emu_wave *w, const test_case *c)
{
    w->n_vgprs = c->vgprs;
    for (uint32_t k = 0; k < c->n_sets; k++) {
        if (c->sets[k].code < EMU_SREGS)
            w->sgpr[c->sets[k].code] = c->sets[k].value;
        else
            for (uint32_t l = 0; l < EMU_LANES; l++)
                w->vgpr[c->sets[k].code - AMD_REG_VGPR0][l] = c->sets[k].value;
    }
}

/* Checks the instructions one after another. Returns the address of the last one, or UINT64_MAX if
 * one cannot be decoded. */
static uint64_t
check_code(hazard_env *e, const base_buf *code)
{
    const emu_inst *i = NULL;
    for (size_t at = 0; at < code->size; at += i->in.size) {
        i = hazard_env_decode(e, code->data, code->size, at);
        if (!i)
            return UINT64_MAX;
        hazard_env_check(e, i);
    }
    return i ? i->pc : UINT64_MAX;
}

/* What is wrong with the outcome of a part; NULL if nothing is. */
static const char *
judge(const test_case *c, bool bad, const mach_report *report, uint64_t last)
{
    const mach_finding *f = &report->findings[report->n_findings - 1];
    size_t n = strlen(c->rule), also = strlen(c->also);
    if (last == UINT64_MAX)
        return "the code cannot be decoded";
    if (!bad)
        return report->n_findings ? "something is found" : NULL;
    if (!report->n_findings)
        return "nothing is found";
    if (strncmp(f->message, c->rule, n) || f->message[n] != ':')
        return "another rule is found";
    if (f->pc != last)
        return "it is found elsewhere";
    if (report->n_findings > 1 && (!also || strncmp(report->findings[0].message, c->also, also)))
        return "more is found";
    return NULL;
}

static void
note_broken(runner *r, const test_case *c)
{
    for (uint32_t k = 0; amd_emu_hazard_rules[k].name; k++)
        if (!strcmp(amd_emu_hazard_rules[k].name, c->rule))
            r->broken[k] = true;
}

static void
run_part(runner *r, const char *file, unsigned line, const test_case *c, bool bad, const char *text)
{
    diag d;
    hazard_env *e = hazard_env_new(gens[r->gen].gen, c->wave_size, AMD_OBJ_RETRY_ALL);
    base_buf code = buf_make(&e->a);
    diag_init(&d);
    set_up(&e->w, c);
    if (!DIAG_TRY(&d)) {
        result(r, false, "%s:%u %s %s: %s", file, line, gens[r->gen].name, c->rule, d.message);
        hazard_env_free(e);
        return;
    }
    amd_assemble(&d, &e->a, gens[r->gen].gen, c->wave_size == 64, text, strlen(text), &code);
    const char *wrong = judge(c, bad, &e->report, check_code(e, &code));
    result(r, !wrong, "%s:%u %s %s %s%s%s%s%s", file, line, gens[r->gen].name, c->rule,
           bad ? "bad" : "good", wrong ? ": " : "", wrong ? wrong : "",
           e->report.n_findings ? ": " : "",
           e->report.n_findings ? e->report.findings[0].message : "");
    if (bad && !wrong)
        note_broken(r, c);
    hazard_env_free(e);
}

static void
run_parts(runner *r, const char *file, unsigned line, const test_case *c, int part,
          const char *text)
{
    if (part >= 0 && c->on[r->gen])
        run_part(r, file, line, c, part == 1, text);
}

/* Executes a directive that describes the case; false if the line is none. */
static bool
describe(test_case *c, const char *line)
{
    char reg;
    unsigned number, value;
    if (sscanf(line, "# rule %63s", c->rule) == 1) {
        *c = (test_case){.wave_size = 64, .vgprs = EMU_MAX_VGPRS};
        return sscanf(line, "# rule %63s", c->rule) == 1;
    }
    if (sscanf(line, "# set %c%u %x", &reg, &number, &value) == 3 && c->n_sets < MAX_SETS) {
        c->sets[c->n_sets].code = reg == 'v' ? number + AMD_REG_VGPR0 : number;
        c->sets[c->n_sets++].value = value;
        return true;
    }
    if (!strncmp(line, "# gens ", 7)) {
        for (unsigned g = 0; g < N_GENS; g++) {
            size_t n = strlen(gens[g].name);
            for (const char *at = line + 6; (at = strstr(at + 1, gens[g].name));)
                c->on[g] |= at[-1] == ' ' && strchr(" \n", at[n]);
        }
        return true;
    }
    return sscanf(line, "# wave %u", &c->wave_size) == 1 ||
           sscanf(line, "# vgprs %u", &c->vgprs) == 1 || sscanf(line, "# also %63s", c->also) == 1;
}

static void
run_file(runner *r, const char *path)
{
    FILE *f = fopen(path, "r");
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char line[256], text[MAX_TEXT] = "";
    test_case c = {.wave_size = 64, .vgprs = EMU_MAX_VGPRS};
    int part = -1; /* 1 bad, 0 good */
    unsigned at = 0, from = 0;
    if (!f) {
        result(r, false, "%s cannot be opened", path);
        return;
    }
    while (fgets(line, sizeof line, f)) {
        at++;
        if (line[0] != '#') {
            if (strlen(text) + strlen(line) < sizeof text)
                strcat(text, line);
            continue;
        }
        run_parts(r, name, from, &c, part, text);
        bool bad = !strncmp(line, "# bad", 5), good = !strncmp(line, "# good", 6);
        part = bad ? 1 : good ? 0 : -1;
        from = at;
        text[0] = 0;
        if (part < 0 && line[1] == ' ' && !describe(&c, line))
            result(r, false, "%s:%u is no directive: %s", name, at, line);
    }
    run_parts(r, name, from, &c, part, text);
    fclose(f);
}

static void
check_complete(runner *r)
{
    amd_gen gen = gens[r->gen].gen;
    for (uint32_t k = 0; amd_emu_hazard_rules[k].name; k++)
        if (amd_emu_hazard_rules[k].gens >> gen & 1 && !r->broken[k])
            result(r, false, "no case breaks %s on %s", amd_emu_hazard_rules[k].name,
                   gens[r->gen].name);
}

int
main(int argc, char **argv)
{
    runner r = {0};
    while (r.gen < N_GENS && argc > 1 && strcmp(argv[1], gens[r.gen].name))
        r.gen++;
    if (argc < 3 || r.gen == N_GENS) {
        fprintf(stderr, "usage: test_hazards GENERATION FILE...\n");
        return 2;
    }
    for (int k = 2; k < argc; k++)
        run_file(&r, argv[k]);
    check_complete(&r);
    printf("1..%u\n", r.done);
    return r.failed || !r.done;
}
