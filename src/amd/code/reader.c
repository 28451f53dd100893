#include "amd/code/reader.h"

#include "amd/isa/table/table.h"
#include "amd/isa/text/print.h"
#include "amd/target/target_id.h"

#include <string.h>

void *
amd_reader_open(arena *a, const family_target *t, uint32_t wave_size)
{
    amd_reader *r = ARENA_NEW(a, amd_reader);
    r->gen = amd_target_of(t)->gen;
    r->wave64 = wave_size != 32;
    r->check = amd_line_check_new(a, r->gen, r->wave64);
    r->text = buf_make(a);
    return r;
}

bool
amd_reader_decode(void *reader, const uint8_t *bytes, size_t size, family_inst *out)
{
    amd_reader *r = reader;
    *out = (family_inst){0};
    if (size < 4 || !amd_decode_loose(r->gen, bytes, size, &r->inst, &out->has_extra))
        return false;
    bool is_branch = amd_op_row((amd_op)r->inst.op)->flags & AMD_F_BRANCH;
    out->size = r->inst.size;
    out->is_branch = is_branch && (r->inst.fmt == AMD_SOPP || r->inst.op == AMD_S_CALL_B64);
    out->distance = 4 + 4 * (int64_t)r->inst.imm;
    return true;
}

void
amd_reader_print(const void *reader, const char *last, base_buf *out)
{
    const amd_reader *r = reader;
    size_t start = out->size;
    amd_print(r->gen, &r->inst, r->wave64, out);
    if (!last)
        return;
    while (out->size > start && out->data[out->size - 1] != ' ')
        out->size--;
    buf_puts(out, last);
}

/* The value of a symbol is always encoded as a literal, but the number it replaces may not be. */
static bool
has_literal(const amd_inst *in)
{
    for (unsigned k = 0; k < in->n_src; k++)
        if (in->src[k] == AMD_SRC_LITERAL)
            return true;
    return false;
}

bool
amd_reader_is_exact(void *reader, const uint8_t *bytes, const char *last)
{
    amd_reader *r = reader;
    if (last && has_literal(&r->inst))
        return true;
    r->text.size = 0;
    amd_print(r->gen, &r->inst, r->wave64, &r->text);
    const asm_text line = {(const char *)r->text.data, r->text.size};
    return asm_line_check_run(r->check, line, bytes, r->inst.size);
}

void
amd_reader_print_fields(const void *reader, const uint8_t *bytes, base_buf *out)
{
    const amd_reader *r = reader;
    amd_print_fields(r->gen, &r->inst, bytes, out);
}

bool
amd_is_code_end(const obj_code *code, uint32_t at)
{
    static const uint8_t code_end[4] = {0x00, 0x00, 0x9f, 0xbf};
    return code->code_size - at >= 4 && memcmp(code->code + at, code_end, 4) == 0;
}

uint32_t
amd_print_padding(const obj_code *code, base_buf *out)
{
    uint32_t at = code->data_offset, n = 0;
    for (; amd_is_code_end(code, at); at += 4)
        n++;
    if (n)
        buf_printf(out, "\t.rept %u\n\ts_code_end\n\t.endr\n", n);
    return at;
}
