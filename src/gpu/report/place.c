#include "gpu/report/place.h"

enum { BEFORE = 3, AFTER = 2 /* instructions that are shown */ };

/* ---- whose code begins at an address ---- */

static bool
begins_at(const gpu_shaders *shaders, uint64_t entry, gpu_shader *out)
{
    return shaders->find(shaders->user, entry, out) && out->entry == entry;
}

static gpu_code
code_of(const amd_emu_dispatch *l)
{
    return (gpu_code){.gen = l->gen, .wave64 = l->wave_size != 32};
}

/* The shader of a program, by its entry, or by where it goes on. */
static bool
runs(const gpu_dispatch *d, const mach_memory *m, const gpu_shaders *shaders, gpu_shader *out)
{
    const amd_emu_dispatch *l = &d->launch;
    const gpu_code_user user = {l->user_sgprs, l->n_user_sgprs, d->first_user_sgpr};
    const gpu_code c = code_of(l);
    uint64_t next;
    return begins_at(shaders, l->entry, out) ||
           (gpu_code_goes_on(&c, m, l->entry, &user, &next) && begins_at(shaders, next, out));
}

const gpu_shader *
gpu_shader_of(const gpu_run *run, const gpu_shaders *shaders, gpu_shader *own)
{
    return runs(run->dispatch, run->memory, shaders, own) ? own : NULL;
}

/* ---- places ---- */

/* Finds the part of the code that has the instruction: of the program's shader, where that is
 * known, or any known one; the program's first part, of which nobody knows whose it is; or one that
 * is read from the instruction on. */
static void
find_part(gpu_place *p, const gpu_shaders *shaders)
{
    const gpu_code c = {.gen = p->gen, .wave64 = p->wave64};
    uint64_t pc = p->part.pc;
    gpu_shader near;
    p->part.entry = p->program;
    if (!pc)
        return;
    if (p->is_known && gpu_code_has(&c, p->memory, p->shader.entry, pc)) {
        p->part.entry = p->shader.entry;
    } else if (shaders->find(shaders->user, pc, &near) &&
               gpu_code_has(&c, p->memory, near.entry, pc)) {
        p->part.entry = near.entry;
        p->shader = near;
        p->is_known = true;
    } else if (!gpu_code_has(&c, p->memory, p->program, pc)) {
        p->part.entry = pc;
    }
}

gpu_place
gpu_place_of(const gpu_run *run, const mach_finding *f, const gpu_shaders *shaders)
{
    gpu_dispatch of_draw;
    const gpu_dispatch *d = run->dispatch;
    if (run->draw) {
        gpu_draw_program(run->draw, f->group[2] != 0, &of_draw);
        d = &of_draw;
    }
    const amd_emu_dispatch *l = &d->launch;
    gpu_place p = {.gen = l->gen,
                   .wave64 = l->wave_size != 32,
                   .memory = run->memory,
                   .program = l->entry,
                   .part = {.pc = f->pc, .before = BEFORE, .after = AFTER}};
    p.is_known = runs(d, run->memory, shaders, &p.shader);
    find_part(&p, shaders);
    return p;
}

gpu_place
gpu_place_of_earlier(amd_gen gen, const gpu_conflict *c, const mach_memory *m,
                     const gpu_shaders *shaders)
{
    const gpu_work_access *e = &c->earlier;
    gpu_place p = {.gen = gen,
                   .wave64 = e->work.wave_size != 32,
                   .memory = m,
                   .program = e->work.entry,
                   .part = {.pc = e->access.pc, .before = BEFORE, .after = AFTER}};
    p.is_known = begins_at(shaders, p.program, &p.shader);
    find_part(&p, shaders);
    return p;
}

void
gpu_place_walk(const gpu_place *p, gpu_code_line *line, void *user)
{
    gpu_code c = {.gen = p->gen, .wave64 = p->wave64};
    gpu_walk_code_part(&c, p->memory, &p->part, line, user);
}
