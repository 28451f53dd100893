#include "adreno/code/code.h"

#include "adreno/isa/table/table.h"

/* ---- assembling ---- */

static const char *
stated_target(arena *a, const char *text, size_t size)
{
    return asm_read_target(a, text, size, ".adreno_target");
}

static void
assemble(const ir_ctx *c, const family_assembly *job, base_buf *out)
{
    const adreno_chip *chip = job->target->own;
    adreno_asm_unit *u = adreno_assemble_unit(c->diag, c->scratch,
                                              adreno_isa_open(c->scratch, chip->gen), job->options,
                                              (asm_text){job->text, job->size});
    asm_resolve(u->text);
    if (job->object) {
        adreno_make_object(c, job->target, u, out);
        return;
    }
    *out = u->text->sections[0].data;
}

/* ---- reading ---- */

typedef struct adreno_reader {
    const adreno_isa *isa;
    asm_line_check *check; /* assembles texts, to see what they give */
    base_buf text;
    adreno_inst inst;
} adreno_reader;

static void *
open_reader(arena *a, const family_target *t, uint32_t wave_size)
{
    const adreno_chip *chip = t->own;
    adreno_reader *r = ARENA_NEW(a, adreno_reader);
    (void)wave_size;
    r->isa = adreno_isa_open(a, chip->gen);
    r->check = adreno_line_check_new(a, r->isa);
    r->text = buf_make(a);
    return r;
}

/* The number of a jump's target counts instructions from the jump itself. */
static bool
decode(void *reader, const uint8_t *bytes, size_t size, family_inst *out)
{
    adreno_reader *r = reader;
    *out = (family_inst){.size = ADRENO_WORD_BYTES};
    if (size < ADRENO_WORD_BYTES)
        return false;
    out->has_extra = adreno_decode(r->isa, adreno_read_word(bytes), &r->inst);
    const adreno_format_info *format = adreno_format_of(r->inst.op);
    out->is_branch = r->inst.op != ADRENO_RAW && adreno_field_width(format, ADRENO_F_imm) != 0;
    out->distance = ADRENO_WORD_BYTES * (int64_t)(int32_t)r->inst.f[ADRENO_F_imm];
    return true;
}

static void
print(const void *reader, const char *last, base_buf *out)
{
    const adreno_reader *r = reader;
    adreno_print(r->isa, &r->inst, last, out);
}

static bool
is_exact(void *reader, const uint8_t *bytes, const char *last)
{
    adreno_reader *r = reader;
    (void)last; /* a label gives the number that it replaces */
    r->text.size = 0;
    adreno_print(r->isa, &r->inst, NULL, &r->text);
    const asm_text line = {(const char *)r->text.data, r->text.size};
    return asm_line_check_run(r->check, line, bytes, ADRENO_WORD_BYTES);
}

static void
print_fields(const void *reader, const uint8_t *bytes, base_buf *out)
{
    static const char *const names[] = {
#define X(name) #name,
#include "adreno/isa/fields.def"
#undef X
    };
    const adreno_reader *r = reader;
    (void)bytes;
    if (r->inst.op == ADRENO_RAW)
        return;
    const adreno_format_info *format = adreno_format_of(r->inst.op);
    buf_printf(out, "%s:", format->name);
    for (const adreno_bits *b = format->bits; b < format->bits + ADRENO_MAX_BITS && b->width; b++)
        if (b->kind == ADRENO_BITS_FIELD && r->inst.f[b->value])
            buf_printf(out, " %s=0x%x", names[b->value], r->inst.f[b->value]);
}

const family_isa adreno_family_isa = {
    .stated_target = stated_target,
    .assemble = assemble,
    .open = open_reader,
    .decode = decode,
    .print = print,
    .is_exact = is_exact,
    .print_fields = print_fields,
};
