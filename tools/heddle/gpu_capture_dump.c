/* heddle gpu dump of a captured submission: its state, then its packets in the order in which they
 * are executed, each dispatch with its shader and the descriptors that it uses. These are seen by
 * executing it, so indirect grids, chains and descriptors are those that it really had.
 */
#include "gpu_capture.h"

#include "base/diag.h"
#include "cli.h"
#include "gpu/capture/replay.h"
#include "gpu/report/descriptor.h"
#include "gpu/report/dispatch.h"
#include "gpu/sdma/sdma.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_PRINTED = 4096 };

typedef struct dumping {
    const char *path;
    const uint8_t *data;
    size_t size;
    arena *a;
    gpu_capture capture;
    gpu_replay replay;
    gpu_descriptors used;          /* by the dispatch that is executed */
    uint64_t printed[MAX_PRINTED]; /* the code that was */
    uint32_t n_printed;
    uint32_t padding; /* packets of padding that were met and not printed yet */
} dumping;

static void
write_text(const base_buf *text)
{
    fwrite(text->data, 1, text->size, stdout);
}

static void
dump_registers(const amd_hw_registers *f, base_buf *out)
{
    buf_puts(out, "registers before:\n");
    for (unsigned s = 0; s < AMD_HW_SPACE_COUNT; s++) {
        for (uint32_t k = 0; k < amd_hw_space_dwords((amd_hw_space)s); k++) {
            if (!f->values[s][k])
                continue;
            buf_puts(out, "    ");
            amd_hw_print_register(amd_hw_space_base((amd_hw_space)s) + 4 * k, f->values[s][k],
                                  f->gen, out);
            buf_puts(out, "\n");
        }
    }
}

static void
dump_memory(const gpu_capture *c, base_buf *out)
{
    buf_puts(out, "memory:\n");
    for (uint32_t k = 0; k < c->n_ranges; k++) {
        const gpu_capture_range *r = &c->ranges[k];
        buf_printf(out, "    0x%" PRIx64 " 0x%" PRIx64 " bytes: %s", r->address, r->size,
                   c->buffers[r->buffer].name);
        if (r->offset)
            buf_printf(out, " + 0x%" PRIx64, r->offset);
        buf_puts(out, "\n");
    }
}

static void
dump_head(const dumping *p)
{
    const gpu_capture *c = &p->capture;
    base_buf out = buf_make(p->a);
    buf_printf(&out, "submission %" PRIu64 " (%s) on %s (%s), %" PRIu64 " dispatches before\n",
               c->submission, c->ring, c->chip->name, c->chip->processor, c->cp.dispatches);
    dump_registers(&c->cp.registers, &out);
    dump_memory(c, &out);
    buf_puts(&out, "streams:\n");
    for (uint32_t k = 0; k < c->n_ibs; k++)
        buf_printf(&out, "    0x%" PRIx64 ", %u dwords\n", c->ibs[k].address,
                   (unsigned)c->ibs[k].dwords);
    buf_puts(&out, "packets:\n");
    write_text(&out);
}

/* Was the code printed before? It is now. */
static bool
was_printed(dumping *p, uint64_t entry)
{
    for (uint32_t k = 0; k < p->n_printed; k++) {
        if (p->printed[k] == entry)
            return true;
    }
    if (p->n_printed < MAX_PRINTED)
        p->printed[p->n_printed++] = entry;
    return false;
}

static void
dump_program(dumping *p, const gpu_run *run, const gpu_descriptors *used)
{
    gpu_shader own;
    uint64_t entry = run->dispatch->launch.entry;
    arena_mark mark = arena_save(p->a);
    base_buf out = buf_make(p->a);
    const gpu_shaders shaders = {gpu_replay_shader, &p->replay};
    gpu_print_dispatch(run, gpu_shader_of(run, &shaders, &own), used, !was_printed(p, entry), &out);
    write_text(&out);
    arena_release(p->a, mark);
}

/* The draw's vertex and pixel shader. A descriptor is of that whose code begins next before the
 * instruction that uses it. */
static void
dump_draw(dumping *p, const gpu_run *run)
{
    gpu_dispatch both[2];
    for (unsigned k = 0; k < 2; k++)
        gpu_draw_program(run->draw, k, &both[k]);
    for (unsigned k = 0; k < 2; k++) {
        uint64_t entry = both[k].launch.entry, other = both[!k].launch.entry;
        gpu_run own = *run;
        gpu_descriptors used = {.left_out = k ? 0 : p->used.left_out};
        own.dispatch = &both[k];
        for (uint32_t d = 0; d < p->used.n; d++) {
            uint64_t pc = p->used.all[d].pc;
            if (pc >= entry && (pc < other || other <= entry))
                used.all[used.n++] = p->used.all[d];
        }
        if (entry)
            dump_program(p, &own, &used);
    }
}

static void
dump_dispatch(void *user, const gpu_run *run)
{
    dumping *p = user;
    if (run->draw)
        dump_draw(p, run);
    else
        dump_program(p, run, &p->used);
    p->used.n = 0;
    p->used.left_out = 0;
}

static void
note_descriptor(void *user, const mach_descriptor *d)
{
    dumping *p = user;
    gpu_note_descriptor(&p->used, d);
}

static void
dump_padding(dumping *p)
{
    if (p->padding)
        printf("    padding: %u packets\n", (unsigned)p->padding);
    p->padding = 0;
}

static void
dump_packet(void *user, const gpu_packet *packet, uint64_t address)
{
    dumping *p = user;
    if (gpu_packet_is_padding(packet)) {
        p->padding++;
        return;
    }
    dump_padding(p);
    arena_mark mark = arena_save(p->a);
    base_buf out = buf_make(p->a);
    buf_printf(&out, "0x%" PRIx64 " ", address);
    gpu_print_packet(packet, &out);
    write_text(&out);
    arena_release(p->a, mark);
}

static void
dump_copy_packet(void *user, const gpu_copy_packet *packet, uint64_t address)
{
    const dumping *p = user;
    arena_mark mark = arena_save(p->a);
    base_buf out = buf_make(p->a);
    buf_printf(&out, "0x%" PRIx64 " ", address);
    gpu_print_copy_packet(packet, &out);
    write_text(&out);
    arena_release(p->a, mark);
}

static int
dump(void *user, arena *a)
{
    dumping *p = user;
    char message[160];
    p->a = a;
    if (!gpu_capture_read(a, p->data, p->size, &p->capture, message) ||
        !gpu_replay_open(&p->replay, a, &p->capture, message))
        return cli_error(p->path, "GPU_CAPTURE", "%s", message);
    p->replay.launch = (gpu_launch_options){.seed = p->capture.seed,
                                            .limit = p->capture.limit,
                                            .dispatched = dump_dispatch,
                                            .descriptor = note_descriptor,
                                            .user = p};
    p->replay.packet = dump_packet;
    p->replay.copy_packet = dump_copy_packet;
    dump_head(p);
    gpu_cp_status status = gpu_replay_run(&p->replay);
    dump_padding(p);
    const gpu_fault *fault = &p->capture.cp.fault;
    if (status == GPU_CP_DONE)
        return CLI_OK;
    printf("0x%" PRIx64 " ends the submission: %s\n", fault->address, fault->message);
    return CLI_FAILED;
}

int
cli_dump_capture(const char *path, const uint8_t *data, size_t size)
{
    dumping *p = calloc(1, sizeof *p);
    if (!p)
        cli_out_of_memory();
    p->path = path;
    p->data = data;
    p->size = size;
    int code = cli_with_arena(path, dump, p);
    fflush(stdout);
    free(p);
    return code;
}
