/* An instruction is a dword of opcode (bits 0 to 7), numbers of definitions and of references (4
 * bits each) and a mark, and a dword for each operand: a register, or a constant with bit 31 set. */
#include "loom.h"

#include "cg/cssa.h"
#include "cg/live.h"
#include "cg/register_allocation.h"
#include "ir/text.h"
#include "object/elf.h"
#include "object/pack.h"
#include "object/read.h"
#include "toy_check.h"
#include "toy_run.h"

#include <stdlib.h>
#include <string.h>

enum { MARK = 0x4c4d, MAX_OPERANDS = 15, WAVE = TOY_LANES };

static const uint32_t CONSTANT = UINT32_C(1) << 31;

static const obj_format format = {
    .machine = 0x4c4d,
    .machine_name = "the loom",
    .note_owner = "Loom",
    .note_type = 1,
    .code_align = 64,
};

/* What only the family knows of a kernel: obj_code.own. */
typedef struct loom_state {
    uint32_t yarns; /* registers of the vector bank, in bytes */
} loom_state;

/* A compiled program: family_binary.own. */
typedef struct loom_program {
    const ir_fn *fn;
    uint64_t output; /* what it put out before its registers were allocated */
} loom_program;

/* ---- targets ---- */

static bool
get_target(uint32_t index, family_target *out)
{
    static const char *const names[] = {"loom1", "loom2"};
    if (index >= 2)
        return false;
    *out = (family_target){.name = names[index],
                           .generation = "jacquard",
                           .wave_sizes = WAVE,
                           .default_wave_size = WAVE,
                           .subgroup_size = loom.subgroup_size,
                           .compiles = index == 0};
    return true;
}

static void
describe_target(const family_target *t, family_figures *out)
{
    (void)t;
    family_add_figure(out, "shuttles", 3);
}

/* ---- the compiler ---- */

static void
run_cssa(ir_fn *f)
{
    cg_lower_to_cssa(f, f->arena);
}

enum { LIVE = IR_HAS_LIVENESS | IR_HAS_KILLS };

static const ir_pass passes[] = {
    {.name = "loom_live", .phase = cg_find_live, .keeps = LIVE},
    {.name = "loom_spill", .phase = toy_spill, .keeps = LIVE},
    {.name = "loom_cssa", .phase = run_cssa, .keeps = LIVE},
    {.name = "loom_registers", .phase = cg_allocate_registers, .keeps = LIVE},
    {.name = "loom_validate", .phase = cg_validate_registers},
    {.name = "loom_weave", .phase = toy_lower},
};

static const ir_step pipeline[] = {{&passes[0]}, {&passes[1]}, {&passes[2]}, {&passes[3]},
                                   {&passes[4]}, {&passes[5]}, {NULL}};

/* Appends an operand: values keep their numbers, constants are written where they are used. */
static void
put_operand(const ir_fn *hir, ir_ref r, base_buf *out)
{
    uint64_t value;
    if (ir_is_const(hir, r, &value))
        buf_printf(out, "%u", (unsigned)value & 0xffff);
    else
        buf_printf(out, "%%%u", r.id);
}

static void
select_instruction(const ir_fn *hir, const ir_instr *i, base_buf *out)
{
    switch (i->op) {
    case IR_load_const:
    case IR_vulkan_resource_index:
    case IR_load_local_invocation_index: /* the machine's only input */
    case IR_return: return;
    case IR_store_ssbo:
        buf_puts(out, "    out ");
        put_operand(hir, i->refs[0], out);
        break;
    case IR_iadd:
        buf_printf(out, "    v1: %%%u = add ", i->defs[0].id);
        put_operand(hir, i->refs[0], out);
        buf_puts(out, ", ");
        put_operand(hir, i->refs[1], out);
        break;
    default: diag_fail(hir->ctx->diag, ERR_API_UNSUPPORTED, "this opcode on the loom");
    }
    buf_puts(out, "\n");
}

static uint32_t
find_input(const ir_fn *hir)
{
    IR_FOREACH_BLOCK(b, hir) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op == IR_load_local_invocation_index)
                return i->defs[0].id;
        }
    }
    return (uint32_t)hir->n_values;
}

/* The text of the machine's program, as a family that has no builder of its own may make it. */
static ir_fn *
select_program(const ir_fn *hir)
{
    base_buf text = buf_make(hir->arena);
    const uint32_t *size = hir->shader.workgroup_size;
    buf_printf(&text, "shader: compute\nworkgroup_size: %u, %u, %u\nimpl \"%s\" {\nBB0\n", size[0],
               size[1], size[2], hir->name);
    buf_printf(&text,
               "/* logical preds: / linear preds: / kind: top-level, logical */\n"
               "    v1: %%%u:v[0] = start\n    logical_start\n",
               find_input(hir));
    IR_FOREACH_BLOCK(b, hir) {
        IR_FOREACH_INSTR(i, b)
            select_instruction(hir, i, &text);
    }
    buf_puts(&text, "    logical_end\n    end\n/* logical succs: / linear succs: */\n}\n");
    return ir_parse(hir->ctx, &toy_level, (const char *)text.data, text.size);
}

static uint64_t
output_of(const ir_fn *f, arena *a)
{
    toy_run *m = ARENA_NEW(a, toy_run);
    toy_execute(m, f, f->allocated, a);
    return m->output;
}

static void
emit_operand(ir_ref r, base_buf *out)
{
    buf_put_u32(out, r.kind == IR_REF_CONST ? CONSTANT | r.id : r.reg);
}

static void
emit(const ir_fn *f, base_buf *out)
{
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            buf_put_u32(out, i->op | (uint32_t)i->n_defs << 8 | (uint32_t)i->n_refs << 12 |
                                 (uint32_t)MARK << 16);
            for (unsigned d = 0; d < i->n_defs; d++)
                emit_operand(i->defs[d], out);
            for (unsigned r = 0; r < i->n_refs; r++)
                emit_operand(i->refs[r], out);
        }
    }
}

static const char *
read_switch(void *switches, const char *word)
{
    if (strcmp(word, "tight"))
        return "the loom has no switch '%.40s'";
    *(bool *)switches = true;
    return NULL;
}

static void
compile(ir_fn *hir, const family_request *r, family_binary *out)
{
    arena *a = hir->ctx->arena;
    ir_fn *f = select_program(hir);
    loom_program *program = ARENA_NEW(a, loom_program);
    loom_state *state = ARENA_NEW(a, loom_state);
    base_buf code = buf_make(a);
    toy_bounds bounds = {.units = {[TOY_BANK_V] = *(const bool *)r->switches ? 8 : 0}};
    toy_prepare(f, &bounds);
    *program = (loom_program){.fn = f, .output = output_of(f, a)};
    ir_run_passes(f, pipeline, r->run);
    *out = (family_binary){.fn = f, .own = program};
    if (r->run->stopped)
        return;
    if (output_of(f, a) != program->output)
        diag_fail(hir->ctx->diag, ERR_INTERNAL, "the loom weaves something else");
    emit(f, &code);
    state->yarns = (uint32_t)toy_prog(f)->cg.max_demand.units[TOY_BANK_V] * TOY_UNIT;
    out->code = (obj_code){.target = r->target->name,
                           .abi = r->abi,
                           .stage = OBJ_STAGE_COMPUTE,
                           .wave_size = WAVE,
                           .name = r->name,
                           .code = code.data,
                           .code_size = (uint32_t)code.size,
                           .data_offset = (uint32_t)code.size,
                           .own = state};
    memcpy(out->code.workgroup_size, hir->shader.workgroup_size, sizeof out->code.workgroup_size);
}

/* ---- code objects ---- */

static void
write(diag *d, const obj_code *code, base_buf *out)
{
    const loom_state *s = code->own;
    base_buf note = buf_make(out->arena);
    (void)d;
    pack_map(&note, 3);
    pack_key_text(&note, "target", code->target);
    pack_key_text(&note, "name", code->name);
    pack_key_uint(&note, "yarns", s->yarns);
    const obj_envelope envelope = {.format = &format, .metadata = &note, .symbol = code->name};
    obj_write(code, &envelope, out);
}

static void
read(elf_reader *r)
{
    elf_note_place place = {0};
    size_t note_size;
    obj_code *kernel = ARENA_NEW(r->a, obj_code);
    loom_state *state = ARENA_NEW(r->a, loom_state);
    *r->out = (obj_file){.kernels = kernel, .n_kernels = 1};
    elf_read_header(r);
    elf_read_tables(r);
    elf_list_sections(r);
    const uint8_t *note = elf_next_note(r, &place, &note_size);
    if (!note)
        diag_fail(r->d, ERR_OBJECT_BAD_METADATA, "no note of the loom");
    const pack_value *map = pack_read(r->d, r->a, note, note_size);
    state->yarns = pack_get_uint(map, "yarns", 0);
    *kernel = (obj_code){.target = pack_get_text(map, "target", ""),
                         .name = pack_get_text(map, "name", ""),
                         .stage = OBJ_STAGE_COMPUTE,
                         .wave_size = WAVE,
                         .own = state};
    r->out->target = kernel->target;
    const elf_symbol *entry = elf_find_symbol(r, kernel->name);
    if (!entry)
        diag_fail(r->d, ERR_OBJECT_BAD_KERNEL, kernel->name, "its code has no symbol");
    elf_set_code(r, kernel, entry->value, entry->size);
}

static const void *
keep(arena *a, const obj_code *code)
{
    return arena_copy(a, code->own, sizeof(loom_state));
}

static bool
get_value(const obj_code *code, uint32_t index, family_value *out)
{
    (void)code;
    *out = (family_value){"lane", 7, 0, 1};
    return index == 0;
}

static void
print_notes(const obj_code *code, base_buf *out)
{
    const loom_state *s = code->own;
    buf_printf(out, "// %s of %u yarns\n", code->name, s->yarns);
}

static void
print(const ir_ctx *c, const family_target *t, const obj_file *file, family_text how, base_buf *out)
{
    (void)c;
    (void)t;
    (void)how;
    buf_printf(out, "// woven: %s\n", file->kernels[0].name);
}

static void
replace_code(const ir_ctx *c, const family_target *t, base_buf *bytes, obj_code *code)
{
    (void)c;
    (void)t;
    code->code = bytes->data;
    code->code_size = code->data_offset = (uint32_t)bytes->size;
}

static void
describe(const obj_code *code, family_figures *out)
{
    const loom_state *s = code->own;
    family_add_figure(out, "yarns", s->yarns);
}

static void
count(arena *scratch, const family_target *t, const obj_code *code, family_figures *out)
{
    (void)scratch;
    (void)t;
    family_add_figure(out, "dwords", code->data_offset / 4);
}

static void
print_statistics(const family_figures *figures, base_buf *out)
{
    buf_printf(out, "  %u dwords\n", (unsigned)figures->list[0].value);
}

/* ---- instructions ---- */

static const char *
stated_target(arena *a, const char *text, size_t size)
{
    return size > 13 && memcmp(text, ".loom ", 6) == 0 ? arena_printf(a, "%.5s", text + 6) : NULL;
}

/* Reads a line "name definitions operand ..."; a constant begins with #. Returns false if there is
 * no such opcode. */
static bool
assemble_line(char *line, base_buf *out)
{
    unsigned op = 1;
    uint32_t operands[MAX_OPERANDS], n = 0;
    char *word = strtok(line, " \t");
    if (!word || *word == '.')
        return true;
    while (op < TOY_OP_COUNT && strcmp(toy_level.ops[op].name, word) != 0)
        op++;
    word = strtok(NULL, " ");
    if (op == TOY_OP_COUNT || !word)
        return false;
    uint32_t defs = (uint32_t)strtoul(word, NULL, 10);
    while (n < MAX_OPERANDS && (word = strtok(NULL, " ")))
        operands[n++] = *word == '#' ? CONSTANT | (uint32_t)strtoul(word + 1, NULL, 10)
                                     : (uint32_t)strtoul(word, NULL, 10);
    buf_put_u32(out, op | defs << 8 | (n - defs) << 12 | (uint32_t)MARK << 16);
    for (uint32_t k = 0; k < n; k++)
        buf_put_u32(out, operands[k]);
    return true;
}

static void
assemble(const ir_ctx *c, const family_assembly *job, base_buf *out)
{
    const char *at = job->text, *end = at + job->size;
    for (unsigned number = 1; at < end; number++) {
        size_t length = strcspn(at, "\n");
        c->diag->loc.line = number;
        if (!assemble_line(arena_printf(c->scratch, "%.*s", (int)length, at), out))
            diag_fail(c->diag, ERR_API_UNSUPPORTED, "a line that is not of the loom");
        at += length + (at + length < end);
    }
}

typedef struct loom_reader {
    uint32_t words[1 + MAX_OPERANDS];
    uint32_t n; /* operands */
} loom_reader;

static void *
open_reader(arena *a, const family_target *t, uint32_t wave_size)
{
    (void)t;
    (void)wave_size;
    return ARENA_NEW(a, loom_reader);
}

static bool
decode(void *reader, const uint8_t *bytes, size_t size, family_inst *out)
{
    loom_reader *r = reader;
    *out = (family_inst){.size = 4};
    if (size < 4)
        return false;
    memcpy(r->words, bytes, 4);
    r->n = (r->words[0] >> 8 & 15) + (r->words[0] >> 12 & 15);
    bool known = r->words[0] >> 16 == MARK && (r->words[0] & 255) - 1 < TOY_OP_COUNT - 1;
    out->size = 4 + 4 * r->n;
    if (!known || r->n > MAX_OPERANDS || size < out->size)
        return false;
    memcpy(r->words, bytes, out->size);
    return true;
}

static void
print_instruction(const void *reader, const char *last, base_buf *out)
{
    const loom_reader *r = reader;
    (void)last;
    buf_printf(out, "%s %u", toy_level.ops[r->words[0] & 255].name, r->words[0] >> 8 & 15);
    for (uint32_t k = 1; k <= r->n; k++)
        buf_printf(out, " %s%u", r->words[k] & CONSTANT ? "#" : "", r->words[k] & ~CONSTANT);
}

static bool
is_exact(void *reader, const uint8_t *bytes, const char *last)
{
    (void)reader;
    (void)bytes;
    return !last;
}

static void
print_fields(const void *reader, const uint8_t *bytes, base_buf *out)
{
    const loom_reader *r = reader;
    (void)bytes;
    buf_printf(out, "op=%u", r->words[0] & 255);
}

static uint32_t
print_padding(const obj_code *code, base_buf *out)
{
    (void)out;
    return code->data_offset;
}

/* ---- the emulator ---- */

static family_launch
launch_shader(const ir_ctx *c, mach_memory *m, const family_target *t, const family_dispatch *d,
              const family_shader *shader)
{
    (void)m;
    (void)t;
    (void)d;
    return (family_launch){.own = arena_copy(c->arena, shader->binary->own, sizeof(loom_program))};
}

/* Every finding is that the passes changed what the program puts out. */
static bool
run(const void *launch, mach_memory *m, arena *scratch, mach_report *report)
{
    const loom_program *p = launch;
    (void)m;
    *report = (mach_report){.instructions = p->fn->n_blocks};
    report->n_findings = report->total = output_of(p->fn, scratch) != p->output;
    return !report->n_findings;
}

/* ---- the family ---- */

static const loom_parts whole = {
    .compiler = {.pipeline = pipeline,
                 .switches_size = sizeof(bool),
                 .read_switch = read_switch,
                 .compile = compile},
    .objects = {.format = &format,
                .write = write,
                .read = read,
                .keep = keep,
                .get_value = get_value,
                .print_notes = print_notes,
                .print = print,
                .replace_code = replace_code,
                .describe = describe,
                .count = count,
                .print_statistics = print_statistics},
    .isa = {.stated_target = stated_target,
            .assemble = assemble,
            .open = open_reader,
            .decode = decode,
            .print = print_instruction,
            .is_exact = is_exact,
            .print_fields = print_fields,
            .print_padding = print_padding},
    .emulator = {.launch_shader = launch_shader, .run = run},
};

loom_parts loom;
family loom_family;

void
loom_reset(void)
{
    loom = whole;
    loom_family = (family){.name = "loom",
                           .wave_sizes = WAVE,
                           .default_target = "loom1",
                           .get_target = get_target,
                           .describe_target = describe_target,
                           .compiler = &loom.compiler,
                           .objects = &loom.objects,
                           .isa = &loom.isa,
                           .emulator = &loom.emulator};
}
