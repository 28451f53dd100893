#include "gpu/report/dispatch.h"

#include "gpu/code/code.h"
#include "gpu/report/descriptor.h"

#include <inttypes.h>
#include <string.h>

void
gpu_note_descriptor(gpu_descriptors *s, const mach_descriptor *d)
{
    for (uint32_t k = 0; k < s->n; k++) {
        const mach_descriptor *o = &s->all[k];
        if (o->pc == d->pc && o->kind == d->kind && o->from == d->from &&
            memcmp(o->words, d->words, 4 * d->n_words) == 0)
            return;
    }
    if (s->n < GPU_DESCRIPTORS_OF_DISPATCH)
        s->all[s->n++] = *d;
    else
        s->left_out++;
}

/* The user SGPR whose value, as the low half of an address, is nearest below `address`; -1: none
 * within the size of a descriptor set. */
static int
pointer_to(const amd_emu_dispatch *l, uint64_t address)
{
    enum { FAR = 1 << 16 };
    uint32_t low = (uint32_t)address, best = FAR;
    int found = -1;
    for (uint32_t k = 0; k < l->n_user_sgprs && k < AMD_EMU_MAX_USER_SGPRS; k++) {
        uint32_t v = l->user_sgprs[k];
        if (v > 0xffff && low >= v && low - v < best) {
            best = low - v;
            found = (int)k;
        }
    }
    return found;
}

static void
print_state(const gpu_run *run, base_buf *out)
{
    const amd_emu_dispatch *l = &run->dispatch->launch;
    buf_printf(out, "  %u VGPRs, %u SGPRs, %u bytes of LDS, %u of scratch a lane, mode 0x%x\n",
               (unsigned)l->n_vgprs, (unsigned)l->n_sgprs, (unsigned)l->lds_bytes,
               (unsigned)l->scratch_bytes, (unsigned)l->mode);
    if (l->first_group[0] || l->first_group[1] || l->first_group[2])
        buf_printf(out, "  first group %u, %u, %u\n", (unsigned)l->first_group[0],
                   (unsigned)l->first_group[1], (unsigned)l->first_group[2]);
    for (uint32_t k = 0; k < l->n_user_sgprs && k < AMD_EMU_MAX_USER_SGPRS; k++)
        buf_printf(out, "%ss%u = 0x%x",
                   k ? ", " : "  user data: ", (unsigned)(run->dispatch->first_user_sgpr + k),
                   (unsigned)l->user_sgprs[k]);
    buf_puts(out, l->n_user_sgprs ? "\n" : "");
}

/* The code that begins at an address: a program, or a part that it goes on with. */
static void
print_part(const gpu_run *run, uint64_t entry, base_buf *out)
{
    enum { MOST = 100000 };
    const amd_emu_dispatch *l = &run->dispatch->launch;
    gpu_code c = {.gen = l->gen, .wave64 = l->wave_size != 32};
    if (!gpu_code_open(&c, run->memory, entry)) {
        buf_puts(out, "  no code is mapped there\n");
        return;
    }
    buf_puts(out, entry == l->entry ? "  code:\n" : "  which goes on with:\n");
    for (uint32_t k = 0; k < MOST && gpu_code_next(&c); k++) {
        buf_puts(out, "    ");
        gpu_print_code_line(&c, out);
        buf_puts(out, "\n");
    }
}

static void
print_code(const gpu_run *run, base_buf *out)
{
    const amd_emu_dispatch *l = &run->dispatch->launch;
    const gpu_code_user user = {l->user_sgprs, l->n_user_sgprs, run->dispatch->first_user_sgpr};
    const gpu_code c = {.gen = l->gen};
    uint64_t next;
    print_part(run, l->entry, out);
    if (gpu_code_goes_on(&c, run->memory, l->entry, &user, &next))
        print_part(run, next, out);
}

static void
print_used(const gpu_run *run, const mach_descriptor *d, base_buf *out)
{
    const amd_emu_dispatch *l = &run->dispatch->launch;
    buf_printf(out, "    0x%012" PRIx64 " s[%u:%u] ", d->pc, (unsigned)d->reg,
               (unsigned)(d->reg + d->n_words - 1));
    int sgpr = d->from ? pointer_to(l, d->from) : -1;
    if (sgpr >= 0)
        buf_printf(out, "at s%u + 0x%x",
                   (unsigned)(run->dispatch->first_user_sgpr + (uint32_t)sgpr),
                   (unsigned)((uint32_t)d->from - l->user_sgprs[sgpr]));
    else if (d->from)
        buf_printf(out, "at 0x%" PRIx64, d->from);
    else
        buf_puts(out, "made by the code");
    buf_puts(out, ": ");
    gpu_print_descriptor(l->gen, d, run->memory, out);
    buf_puts(out, "\n");
}

void
gpu_print_dispatch(const gpu_run *run, const gpu_shader *shader, const gpu_descriptors *used,
                   bool with_code, base_buf *out)
{
    gpu_print_run_head(run, shader, out);
    print_state(run, out);
    if (with_code)
        print_code(run, out);
    else
        buf_puts(out, "  code: as above\n");
    if (used->n)
        buf_puts(out, "  descriptors, by the instructions that use them:\n");
    for (uint32_t k = 0; k < used->n; k++)
        print_used(run, &used->all[k], out);
    if (used->left_out)
        buf_printf(out, "    and %" PRIu64 " uses more\n", used->left_out);
}
