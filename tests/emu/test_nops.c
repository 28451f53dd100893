/* Compares the hazards checker with clang's hazard recogniser: in code that clang generated
 * (hazards/nops.cl) it finds nothing, but it reports a finding as soon as one of clang's s_nops is
 * shorter by one.
 *
 *     test_nops GENERATION OBJECT
 *
 * Some of clang's s_nops separate soft clauses, since XNACK may be on. The code is checked linearly,
 * from beginning to end.
 */
#include "amd/emu/core/gens.h"
#include "amd/object/object.h"
#include "base/diag.h"
#include "hazard_env.h"

#include <stdio.h>

enum { MAX_CODE = 1 << 16, MAX_FILE = 1 << 20, BEFORE = 64, BEHIND = 24 };

typedef struct code {
    const emu_inst *list[MAX_CODE];
    unsigned n;
} code;

static bool
ends(const emu_inst *i)
{
    return i->row->flags & AMD_F_TERM || i->in.op == AMD_S_ENDPGM;
}

/* Checks instructions [from, to) with number `at` replaced. Returns the number of findings. */
static uint32_t
check(hazard_env *e, const code *c, unsigned from, unsigned to, unsigned at,
      const emu_inst *instead)
{
    memset(&e->report, 0, sizeof e->report);
    amd_emu_hazards_start(&e->w);
    for (unsigned k = from; k < to && k < c->n; k++) {
        const emu_inst *i = k == at ? instead : c->list[k];
        if (i)
            hazard_env_check(e, i);
        if (ends(c->list[k]))
            amd_emu_hazards_start(&e->w);
    }
    return e->report.n_findings;
}

/* Does the s_nop only pad the end of the code? */
static bool
is_idle(const code *c, unsigned at)
{
    unsigned k = at;
    while (k > 0 && c->list[k]->in.op == AMD_S_NOP)
        k--;
    return ends(c->list[k]) || at + 1 == c->n;
}

/* Returns the number of s_nops that can be shortened without a finding. */
static unsigned
try_nops(hazard_env *e, const char *name, const code *c, unsigned *tried)
{
    unsigned missed = 0;
    for (unsigned k = 0; k < c->n; k++) {
        if (c->list[k]->in.op != AMD_S_NOP || is_idle(c, k))
            continue;
        emu_inst shorter = *c->list[k];
        struct emu_hazard_info info = *shorter.hazards;
        info.states--;
        shorter.hazards = &info;
        ++*tried;
        if (check(e, c, k > BEFORE ? k - BEFORE : 0, k + BEHIND, k, info.states ? &shorter : NULL))
            continue;
        missed++;
        printf("# %s: nothing is found where s_nop at 0x%llx is shorter\n", name,
               (unsigned long long)c->list[k]->pc);
    }
    return missed;
}

static bool
run_kernel(const obj_code *k, amd_gen gen, unsigned *tried)
{
    static code c;
    hazard_env *e = hazard_env_new(gen, 64, amd_obj_may_retry(k->target, k->abi));
    c.n = 0;
    for (size_t at = 0; at < k->code_size && c.n < MAX_CODE; at += c.list[c.n - 1]->in.size) {
        c.list[c.n] = hazard_env_decode(e, k->code, k->code_size, at);
        if (!c.list[c.n++]) {
            printf("# %s: 0x%zx cannot be decoded\n", k->name, at);
            hazard_env_free(e);
            return false;
        }
    }
    bool ok = check(e, &c, 0, c.n, c.n, NULL) == 0;
    if (!ok)
        printf("# %s: `%s` at 0x%llx: %s\n", k->name, e->report.findings[0].text,
               (unsigned long long)e->report.findings[0].pc, e->report.findings[0].message);
    ok &= try_nops(e, k->name, &c, tried) == 0;
    hazard_env_free(e);
    return ok;
}

int
main(int argc, char **argv)
{
    static uint8_t bytes[MAX_FILE];
    arena a;
    diag d;
    obj_file file;
    amd_gen gen;
    if (argc < 3) {
        printf("1..0 # SKIP clang 19 with an AMDGPU target and lld are not there\n");
        return 0;
    }
    FILE *f = fopen(argv[2], "rb");
    size_t size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    arena_init(&a, &base_malloc_allocator, one_wave_no_memory, NULL);
    diag_init(&d);
    if (!amd_gen_find(argv[1], &gen) || !DIAG_TRY(&d)) {
        printf("Bail out! %s: %s\n", argv[2], d.message);
        return 1;
    }
    amd_obj_read(&d, &a, bytes, size, &file);
    unsigned failed = 0, tried = 0;
    for (uint32_t k = 0; k < file.n_kernels; k++) {
        bool ok = run_kernel(&file.kernels[k], gen, &tried);
        failed += !ok;
        printf("%sok %u - %s %s\n", ok ? "" : "not ", k + 1, argv[1], file.kernels[k].name);
    }
    printf("%sok %u - %u s_nops were shortened\n1..%u\n", tried ? "" : "not ", file.n_kernels + 1,
           tried, file.n_kernels + 1);
    arena_free(&a);
    if (f)
        fclose(f);
    return failed || !tried;
}
