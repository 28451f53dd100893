#include "r600/code/reader.h"

#include "r600/isa/asm/asm.h"
#include "r600/isa/table/table.h"

typedef struct r600_code_reader {
    const r600_isa *isa;
    arena *arena;
    asm_line_check *check; /* assembles texts, to see what they give */
    base_buf text;
    const uint8_t *bytes; /* all code; NULL: not known */
    size_t size;
    const r600_place *places;
    r600_inst inst;
} r600_code_reader;

void *
r600_reader_open(arena *a, const family_target *t, uint32_t wave_size)
{
    const r600_chip *chip = t->own;
    r600_code_reader *r = ARENA_NEW(a, r600_code_reader);
    (void)wave_size;
    *r = (r600_code_reader){.isa = r600_isa_open(a, chip->gen), .arena = a};
    r->check = r600_line_check_new(a, r->isa);
    r->text = buf_make(a);
    return r;
}

void
r600_reader_begin(void *reader, const uint8_t *bytes, size_t size)
{
    r600_code_reader *r = reader;
    r->bytes = bytes;
    r->size = size;
    r->places = r600_map_code(r->isa, r->arena, bytes, size / 4);
}

/* What stands at `bytes`: control flow if the program is not known. */
static r600_place
find_place(const r600_code_reader *r, const uint8_t *bytes)
{
    const size_t at = (size_t)(bytes - r->bytes);
    if (!r->bytes)
        return (r600_place){.kind = R600_PLACE_CODE, .space = R600_SPACE_CF, .size = 2};
    return at % 4 == 0 && at < r->size ? r->places[at / 4] : (r600_place){0};
}

static void
read_literals(r600_inst *in, const uint32_t *words, uint8_t n)
{
    *in = (r600_inst){.op = R600_LITERAL, .n_words = n};
    for (unsigned i = 0; i < n; i++)
        in->words[i] = words[i];
}

bool
r600_reader_decode(void *reader, const uint8_t *bytes, size_t size, family_inst *out)
{
    r600_code_reader *r = reader;
    const r600_place place = find_place(r, bytes);
    uint32_t words[R600_MAX_WORDS] = {0};
    *out = (family_inst){.size = place.size * 4u};
    if (place.kind == R600_PLACE_DATA || place.kind == R600_PLACE_INSIDE || size < out->size)
        return false;
    for (unsigned i = 0; i < place.size; i++)
        words[i] = r600_read_dword(bytes + i * 4);
    if (place.kind == R600_PLACE_LITERAL) {
        read_literals(&r->inst, words, place.size);
        return true;
    }
    out->has_extra = r600_decode(r->isa, (r600_space)place.space, words, &r->inst);
    if (place.space == R600_SPACE_ALU) {
        r->inst.slot = place.slot;
        r->inst.group = place.group;
    }
    if (r->inst.op == R600_RAW || place.space != R600_SPACE_CF || !r->bytes)
        return true;
    const r600_piece *first = r->isa->operands[r600_op_row(r->inst.op)->format];
    out->is_branch = first->element == R600_EL_addr;
    out->distance = (int64_t)r->inst.f[R600_F_addr] * 8 - (bytes - r->bytes);
    return true;
}

void
r600_reader_print(const void *reader, const char *last, base_buf *out)
{
    const r600_code_reader *r = reader;
    r600_print(r->isa, &r->inst, last, out);
}

bool
r600_reader_is_exact(void *reader, const uint8_t *bytes, const char *last)
{
    r600_code_reader *r = reader;
    (void)last; /* a label gives the number that it replaces */
    r->text.size = 0;
    r600_print(r->isa, &r->inst, NULL, &r->text);
    const asm_text line = {(const char *)r->text.data, r->text.size};
    return r->inst.op != R600_RAW &&
           r600_line_check_run(r->check, line, bytes, r->inst.n_words * 4u);
}

void
r600_reader_print_fields(const void *reader, const uint8_t *bytes, base_buf *out)
{
    static const char *const names[] = {
#define X(name) #name,
#include "r600/isa/fields.def"
#undef X
    };
    const r600_code_reader *r = reader;
    (void)bytes;
    if (r->inst.op == R600_RAW || r->inst.op == R600_LITERAL)
        return;
    buf_printf(out, "%s:", r600_format_of(r->inst.op)->name);
    for (unsigned f = 0; f < R600_FIELD_COUNT; f++)
        if (r->inst.f[f])
            buf_printf(out, " %s=0x%x", names[f], r->inst.f[f]);
}
