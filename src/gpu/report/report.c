#include "gpu/report/report.h"

#include "amd/isa/table/table.h"
#include "base/json_text.h"
#include "gpu/order/findings.h"
#include "gpu/report/place.h"

#include <inttypes.h>

enum { SHOWN = 8 /* findings of a dispatch */ };

/* The conflict with earlier work that a finding is about; NULL: it is about none. */
static const gpu_conflict *
conflict_of(const gpu_run *run, uint32_t finding)
{
    for (uint32_t k = 0; k < run->n_conflicts; k++) {
        if (run->conflicts[k].finding == finding)
            return &run->conflicts[k];
    }
    return NULL;
}

static const char *
work_name(bool is_draw)
{
    return is_draw ? "draw" : "dispatch";
}

/* ---- text ---- */

static void
print_size(const uint32_t n[3], base_buf *out)
{
    buf_printf(out, "%u x %u x %u", (unsigned)n[0], (unsigned)n[1], (unsigned)n[2]);
}

static void
print_named(const char *what, uint64_t handle, const char *name, base_buf *out)
{
    buf_printf(out, "%s 0x%" PRIx64, what, handle);
    if (*name)
        buf_printf(out, " \"%s\"", name);
}

static void
print_shader(const gpu_shader *s, base_buf *out)
{
    if (!s) {
        buf_puts(out, "  no pipeline of the application: the driver's own shader, or one that was "
                      "not seen\n");
        return;
    }
    if (s->pipeline)
        print_named("  pipeline", s->pipeline, s->name, out);
    else
        print_named("  shader object", s->module, s->module_name, out);
    buf_printf(out, ", %s shader \"%s\"", s->stage, s->entry_point);
    if (s->pipeline && s->module)
        print_named(" of module", s->module, s->module_name, out);
    if (*s->source)
        buf_printf(out, ", source %s", s->source);
    buf_puts(out, "\n");
}

/* ---- lines of the source ---- */

static const char *const line_texts[GPU_LINE_KINDS] = {
    [GPU_LINE_BUFFER_LOAD] = "loads from buffers",
    [GPU_LINE_BUFFER_STORE] = "stores to buffers",
    [GPU_LINE_BUFFER_ATOMIC] = "atomics on buffers",
    [GPU_LINE_SHARED_LOAD] = "loads from shared memory",
    [GPU_LINE_SHARED_STORE] = "stores to shared memory",
    [GPU_LINE_SHARED_ATOMIC] = "atomics on shared memory",
    [GPU_LINE_IMAGE_LOAD] = "reads of images",
    [GPU_LINE_IMAGE_STORE] = "stores to images",
    [GPU_LINE_IMAGE_ATOMIC] = "atomics on images",
    [GPU_LINE_BARRIER] = "barriers",
};

/* Which lines of the source an instruction may come from; GPU_LINE_KINDS: any. */
static gpu_line_kind
kind_of(const amd_inst *in)
{
    enum { LOAD, STORE, ATOMIC };
    uint32_t flags = amd_op_row((amd_op)in->op)->flags;
    unsigned what = flags & AMD_F_ATOMIC ? ATOMIC : flags & AMD_F_STORE ? STORE : LOAD;
    if (flags & AMD_F_BARRIER)
        return GPU_LINE_BARRIER;
    switch (in->fmt) {
    case AMD_DS: return (gpu_line_kind)(GPU_LINE_SHARED_LOAD + what);
    case AMD_MIMG: return (gpu_line_kind)(GPU_LINE_IMAGE_LOAD + what);
    case AMD_SMEM:
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_FLAT:
    case AMD_GLOBAL: return (gpu_line_kind)(GPU_LINE_BUFFER_LOAD + what);
    default: return GPU_LINE_KINDS;
    }
}

/* The lines that the instruction of a place may come from; NULL: none are known. */
static const uint32_t *
lines_of(const gpu_place *p, const amd_inst *in)
{
    const gpu_shader *s = gpu_place_shader(p);
    gpu_line_kind kind = s && s->entry == p->part.entry ? kind_of(in) : GPU_LINE_KINDS;
    return kind < GPU_LINE_KINDS && s->lines[kind][0] ? s->lines[kind] : NULL;
}

static void
print_lines(const uint32_t lines[GPU_LINES_OF_KIND], base_buf *out)
{
    for (unsigned k = 0; k < GPU_LINES_OF_KIND && lines[k]; k++)
        buf_printf(out, "%s%u", k ? ", " : "", (unsigned)lines[k]);
}

/* Where the code of a finding is printed. */
typedef struct code_lines {
    base_buf *out;
    const char *between; /* JSON: before the next one */
    amd_inst found;      /* the finding's */
    bool was_found;
} code_lines;

static void
print_line(void *user, const gpu_code *c, bool is_pc)
{
    code_lines *l = user;
    buf_puts(l->out, is_pc ? "    > " : "      ");
    gpu_print_code_line(c, l->out);
    buf_puts(l->out, "\n");
    if (is_pc)
        l->found = c->in;
    l->was_found |= is_pc;
}

/* The code around an instruction, and the lines of the source that it may come from. */
static void
print_code(const gpu_place *p, base_buf *out)
{
    const gpu_shader *shader = gpu_place_shader(p);
    code_lines lines = {.out = out};
    gpu_place_walk(p, print_line, &lines);
    if (shader && p->part.entry != shader->entry)
        buf_puts(out, "    this part of the program is the driver's, not the shader's code\n");
    const uint32_t *source = lines.was_found ? lines_of(p, &lines.found) : NULL;
    if (!source)
        return;
    buf_printf(out, "    the source has %s at %s:", line_texts[kind_of(&lines.found)],
               *shader->source ? shader->source : "lines ");
    print_lines(source, out);
    buf_puts(out, "\n");
}

/* The dispatch or draw that came before, if it was one: its pipeline and code. */
static void
print_earlier(const gpu_place *p, const gpu_conflict *c, base_buf *out)
{
    const gpu_work *w = &c->earlier.work;
    if (w->packet)
        return;
    buf_printf(out, "    before it, submission %" PRIu64 " (%s), %s %" PRIu64 ":\n  ",
               w->submission, w->ring, work_name(w->is_draw), w->number);
    print_shader(gpu_place_shader(p), out);
    if (c->earlier.access.pc)
        print_code(p, out);
}

static void
print_finding(const gpu_run *run, uint32_t finding, const gpu_shaders *shaders, base_buf *out)
{
    const mach_finding *f = &run->report->findings[finding];
    const gpu_conflict *c = conflict_of(run, finding);
    gpu_place p = gpu_place_of(run, f, shaders);
    if (p.program != run->dispatch->launch.entry)
        print_shader(gpu_place_shader(&p), out);
    buf_puts(out, "  ");
    mach_print_finding(f, out);
    buf_puts(out, "\n");
    if (f->pc)
        print_code(&p, out);
    if (!c)
        return;
    p = gpu_place_of_earlier(p.gen, c, run->memory, shaders);
    print_earlier(&p, c, out);
}

void
gpu_print_run_head(const gpu_run *run, const gpu_shader *shader, base_buf *out)
{
    const amd_emu_dispatch *l = &run->dispatch->launch;
    buf_printf(out, "submission %" PRIu64 " (%s), %s %" PRIu64 ": ", run->submission, run->ring,
               work_name(run->draw != NULL), run->dispatch->number);
    if (run->draw) {
        buf_printf(out, "%u %s, %u instances", (unsigned)run->draw->draw.count,
                   run->draw->draw.indexed ? "indices" : "vertices",
                   (unsigned)run->draw->draw.instances);
    } else {
        print_size(l->grid_groups, out);
        buf_puts(out, " groups of ");
        print_size(l->group_size, out);
    }
    buf_printf(out, ", wave%u, code at 0x%" PRIx64, (unsigned)l->wave_size, l->entry);
    if (run->report->total)
        buf_printf(out, ": %" PRIu64 " findings", run->report->total);
    buf_puts(out, "\n");
    print_shader(shader, out);
}

void
gpu_print_run(const gpu_run *run, const gpu_shaders *shaders, base_buf *out)
{
    const mach_report *r = run->report;
    uint32_t order[MACH_MAX_FINDINGS], n = mach_order_findings(r, SHOWN, order);
    gpu_shader own;
    gpu_print_run_head(run, gpu_shader_of(run, shaders, &own), out);
    for (uint32_t k = 0; k < n; k++)
        print_finding(run, order[k], shaders, out);
    if (mach_print_left_out(r, n, out))
        buf_puts(out, "\n");
}

void
gpu_print_packet_conflict(amd_gen gen, const gpu_conflict *c, const mach_memory *m,
                          const gpu_shaders *shaders, base_buf *out)
{
    const gpu_place p = gpu_place_of_earlier(gen, c, m, shaders);
    gpu_print_conflict(gen, c, m, out);
    buf_puts(out, "\n");
    print_earlier(&p, c, out);
}

/* ---- JSON ---- */

void
gpu_print_json_string(const char *text, base_buf *out)
{
    char piece[BASE_JSON_PIECE];
    buf_puts(out, "\"");
    while (*text)
        buf_put(out, piece, base_json_piece(&text, piece));
    buf_puts(out, "\"");
}

static void
print_member(const char *name, const char *text, base_buf *out)
{
    buf_printf(out, ", \"%s\": ", name);
    if (text && *text)
        gpu_print_json_string(text, out);
    else
        buf_puts(out, "null");
}

static void
print_triple(const char *name, const uint32_t v[3], base_buf *out)
{
    buf_printf(out, ", \"%s\": [%u, %u, %u]", name, (unsigned)v[0], (unsigned)v[1], (unsigned)v[2]);
}

static void
print_shader_json(const gpu_shader *s, base_buf *out)
{
    if (!s) {
        buf_puts(out, ", \"pipeline\": null");
        return;
    }
    if (s->pipeline)
        buf_printf(out, ", \"pipeline\": {\"handle\": \"0x%" PRIx64 "\"", s->pipeline);
    else
        buf_puts(out, ", \"pipeline\": {\"handle\": null");
    print_member("name", s->name, out);
    print_member("stage", s->stage, out);
    print_member("entry_point", s->entry_point, out);
    buf_printf(out, ", \"module\": \"0x%" PRIx64 "\"", s->module);
    print_member("module_name", s->module_name, out);
    print_member("source", s->source, out);
    buf_puts(out, "}");
}

static void
print_line_json(void *user, const gpu_code *c, bool is_pc)
{
    code_lines *l = user;
    base_buf text = buf_make(l->out->arena);
    amd_print(c->gen, &c->in, c->wave64, &text);
    buf_put_u8(&text, 0);
    buf_printf(l->out, "%s{\"pc\": \"0x%" PRIx64 "\"", l->between, c->pc);
    print_member("text", (const char *)text.data, l->out);
    buf_puts(l->out, is_pc ? ", \"is_finding\": true}" : "}");
    l->between = ", ";
    if (is_pc)
        l->found = c->in;
    l->was_found |= is_pc;
}

/* The members "code" and "source_lines". */
static void
print_code_json(const gpu_place *p, base_buf *out)
{
    code_lines lines = {.out = out, .between = ""};
    buf_puts(out, ", \"code\": [");
    gpu_place_walk(p, print_line_json, &lines);
    buf_puts(out, "], \"source_lines\": [");
    const uint32_t *source = lines.was_found ? lines_of(p, &lines.found) : NULL;
    if (source)
        print_lines(source, out);
    buf_puts(out, "]");
}

/* The member "earlier": a dispatch, a draw or a packet. */
static void
print_earlier_json(const gpu_place *p, const gpu_conflict *c, base_buf *out)
{
    const gpu_work *w = &c->earlier.work;
    buf_printf(out, ", \"earlier\": {\"submission\": %" PRIu64, w->submission);
    print_member("ring", w->ring, out);
    if (w->packet) {
        print_member("packet", w->packet, out);
        buf_printf(out, ", \"at\": \"0x%" PRIx64 "\"}", w->at);
        return;
    }
    buf_printf(out, ", \"%s\": %" PRIu64 ", \"pc\": \"0x%" PRIx64 "\"", work_name(w->is_draw),
               w->number, c->earlier.access.pc);
    print_shader_json(gpu_place_shader(p), out);
    print_code_json(p, out);
    buf_puts(out, "}");
}

static void
print_finding_json(const gpu_run *run, uint32_t finding, const gpu_shaders *shaders, base_buf *out)
{
    const mach_finding *f = &run->report->findings[finding];
    const gpu_conflict *c = conflict_of(run, finding);
    gpu_place p = gpu_place_of(run, f, shaders);
    buf_printf(out, "{\"pc\": \"0x%" PRIx64 "\"", f->pc);
    print_member("check", f->check ? mach_check_name(f->check) : NULL, out);
    print_member("rule", f->rule, out);
    print_member("message", f->message, out);
    print_member("instruction", f->text, out);
    print_member("resource", f->resource, out);
    print_triple("group", f->group, out);
    buf_printf(out, ", \"wave\": %u, \"lane\": %d, \"count\": %u", (unsigned)f->wave, (int)f->lane,
               (unsigned)f->count);
    if (p.program != run->dispatch->launch.entry)
        print_shader_json(gpu_place_shader(&p), out);
    print_code_json(&p, out);
    if (c) {
        p = gpu_place_of_earlier(p.gen, c, run->memory, shaders);
        print_earlier_json(&p, c, out);
    }
    buf_puts(out, "}");
}

void
gpu_print_packet_conflict_json(amd_gen gen, const gpu_conflict *c, const mach_memory *m,
                               const gpu_shaders *shaders, base_buf *out)
{
    const gpu_work *w = &c->later.work;
    const gpu_place p = gpu_place_of_earlier(gen, c, m, shaders);
    arena_mark mark = arena_save(m->arena);
    base_buf text = buf_make(m->arena);
    gpu_print_conflict(gen, c, m, &text);
    buf_printf(out, "{\"submission\": %" PRIu64, w->submission);
    print_member("ring", w->ring, out);
    print_member("packet", w->packet, out);
    buf_printf(out, ", \"at\": \"0x%" PRIx64 "\"", w->at);
    print_member("rule", gpu_conflict_rule(c->is_cached), out);
    print_member("message", buf_text(&text), out);
    arena_release(m->arena, mark);
    print_earlier_json(&p, c, out);
    buf_puts(out, "}\n");
}

void
gpu_print_run_json(const gpu_run *run, const gpu_shaders *shaders, base_buf *out)
{
    gpu_shader own;
    const amd_emu_dispatch *l = &run->dispatch->launch;
    const mach_report *r = run->report;
    uint32_t order[MACH_MAX_FINDINGS], n = mach_order_findings(r, MACH_MAX_FINDINGS, order);
    buf_printf(out, "{\"submission\": %" PRIu64, run->submission);
    print_member("ring", run->ring, out);
    buf_printf(out, ", \"%s\": %" PRIu64, work_name(run->draw != NULL), run->dispatch->number);
    print_triple("groups", l->grid_groups, out);
    print_triple("group_size", l->group_size, out);
    buf_printf(out, ", \"wave_size\": %u, \"code\": \"0x%" PRIx64 "\", \"total\": %" PRIu64,
               (unsigned)l->wave_size, l->entry, r->total);
    print_shader_json(gpu_shader_of(run, shaders, &own), out);
    buf_puts(out, ", \"findings\": [");
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(out, k ? ", " : "");
        print_finding_json(run, order[k], shaders, out);
    }
    buf_puts(out, "]}\n");
}
