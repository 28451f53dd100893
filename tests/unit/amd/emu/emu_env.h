/* Environment of the emulator's unit tests: a wave whose registers a test sets and reads, and
 * programs as text.
 *
 * emu_run_text assembles a program, runs it on the wave to its s_endpgm and leaves the registers to
 * be read. It uses the emulator's internals (wave.h), so that a single instruction can be tested;
 * tests of checkers and dispatches use amd_emu_run.
 */
#ifndef EMU_ENV_H
#define EMU_ENV_H

#include "../../../emu/one_wave.h"
#include "amd/emu/run/code.h"
#include "base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef one_wave emu_env;

/* A wave of `lanes` lanes of gfx10.3 with 4 KiB of LDS. */
static inline emu_env *
emu_env_new(uint32_t lanes)
{
    return one_wave_new(
        &(amd_emu_dispatch){.gen = AMD_GFX10_3,
                            .wave_size = lanes,
                            .lds_bytes = 4096,
                            .scratch_bytes = 64,
                            .checks = MACH_CHECK_ALL & ~(MACH_CHECK_WAITS | MACH_CHECK_UNDEFINED)});
}

static inline void
emu_env_free(emu_env *e)
{
    one_wave_free(e);
}

/* Places the bytes of a program into a separate region. */
static inline mach_region *
emu_assemble_for(amd_gen gen, arena *a, mach_memory *m, uint32_t wave_size, const char *text)
{
    diag d;
    base_buf code = buf_make(a);
    diag_init(&d);
    if (!DIAG_TRY(&d)) {
        fail_msg("%s: %s", text, d.message);
        return NULL;
    }
    amd_assemble(&d, a, gen, wave_size == 64, text, strlen(text), &code);
    mach_region *r = mach_memory_alloc(m, MACH_HEAP_LOW, code.size, 256, "code");
    memcpy(r->host, code.data, code.size);
    return r;
}

static inline mach_region *
emu_assemble(arena *a, mach_memory *m, uint32_t wave_size, const char *text)
{
    return emu_assemble_for(AMD_GFX10_3, a, m, wave_size, text);
}

/* Runs `text`, followed by s_endpgm, on the wave in its current state. */
static inline void
emu_run_text(emu_env *e, const char *text)
{
    const mach_region *r = emu_assemble_for(e->d.gen, &e->a, &e->memory, e->w.lanes,
                                            arena_printf(&e->a, "%s\ns_endpgm\n", text));
    e->w.pc = r->base;
    e->w.state = EMU_READY;
    e->m.stop = false;
    one_wave_forget_code(e);
    for (unsigned n = 0; e->w.state == EMU_READY && n < 100000; n++) {
        emu_inst *i = amd_emu_fetch(&e->w, e->w.pc);
        if (!i)
            fail_msg("%s: %s", text, e->report.findings[e->report.n_findings - 1].message);
        e->w.at = i;
        e->w.pc = i->next;
        i->run(&e->w, i);
        if (e->m.stop)
            fail_msg("%s: %s", text, e->report.findings[e->report.n_findings - 1].message);
    }
}

/* Runs `text` and s_endpgm as a dispatch. s[0:1] is the address of a buffer that holds `words`
 * before and whose words are there after. */
static inline mach_report
emu_dispatch_text(amd_emu_dispatch d, const char *text, uint32_t *words, size_t n)
{
    arena a;
    mach_memory m;
    mach_report r;
    arena_init(&a, &base_malloc_allocator, one_wave_no_memory, NULL);
    mach_memory_init(&m, &a);
    mach_region *data = mach_memory_alloc(&m, MACH_HEAP_LOW, n * sizeof *words, 0, "data");
    memcpy(data->host, words, n * sizeof *words);
    d.entry =
        emu_assemble_for(d.gen, &a, &m, d.wave_size, arena_printf(&a, "%s\ns_endpgm", text))->base;
    d.n_user_sgprs = 2;
    d.user_sgprs[0] = (uint32_t)data->base;
    d.user_sgprs[1] = (uint32_t)(data->base >> 32);
    amd_emu_run(&d, &m, &a, &r);
    memcpy(words, data->host, n * sizeof *words);
    arena_free(&a);
    return r;
}

static inline void
emu_expect_clean(const char *text, const mach_report *r)
{
    if (r->status != MACH_RUN_DONE || r->total)
        fail_msg("%s\n%s: %s", text, r->findings[0].text, r->findings[0].message);
}

static inline void
emu_set_all(emu_env *e, uint32_t reg, uint32_t v)
{
    for (uint32_t l = 0; l < EMU_LANES; l++)
        e->w.vgpr[reg][l] = v;
}

/* v[reg] = f(lane) for tests of lane operations: 100 + lane. */
static inline void
emu_set_lanes(emu_env *e, uint32_t reg)
{
    for (uint32_t l = 0; l < EMU_LANES; l++)
        e->w.vgpr[reg][l] = 100 + l;
}

#endif
