#include "object/dwarf.h"

#include <string.h>

/* Special opcodes advance the line by LINE_BASE to LINE_BASE + LINE_RANGE - 1 and the address by a
 * multiple of MIN_INSTRUCTION bytes, and make a row (6.2.5.1). */
enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 13, MIN_INSTRUCTION = 4 };

enum { DW_TAG_compile_unit = 0x11, DW_UT_compile = 1 };

enum {
    DW_AT_name = 0x03,
    DW_AT_stmt_list = 0x10,
    DW_AT_low_pc = 0x11,
    DW_AT_high_pc = 0x12,
    DW_AT_producer = 0x25,
};

static void
put_uleb(base_buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_put_u8(b, (uint8_t)(v | 0x80));
    buf_put_u8(b, (uint8_t)v);
}

static void
put_sleb(base_buf *b, int64_t v)
{
    bool more = true;
    while (more) {
        uint8_t byte = v & 0x7f;
        int64_t rest = (v - byte) / 128;
        more = !((rest == 0 && !(byte & 0x40)) || (rest == -1 && (byte & 0x40)));
        buf_put_u8(b, more ? byte | 0x80 : byte);
        v = rest;
    }
}

static void
put_text(base_buf *b, const char *text)
{
    buf_put(b, text, strlen(text) + 1);
}

/* Reserves a length, which end_length fills in. */
static size_t
begin_length(base_buf *b)
{
    buf_put_u32(b, 0);
    return b->size;
}

static void
end_length(base_buf *b, size_t begin)
{
    size_t length = b->size - begin;
    for (unsigned i = 0; i < 4; i++)
        b->data[begin - 4 + i] = (unsigned char)(length >> 8 * i);
}

static void
put_header(const obj_code *c, base_buf *b)
{
    static const uint8_t operands[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    buf_put_u16(b, 5);
    buf_put_u8(b, 8); /* size in bytes of an address, of a segment selector */
    buf_put_u8(b, 0);
    size_t length = begin_length(b);
    buf_put_u8(b, MIN_INSTRUCTION);
    buf_put_u8(b, 1); /* operations per instruction */
    buf_put_u8(b, 1); /* rows are statements */
    buf_put_u8(b, (uint8_t)LINE_BASE);
    buf_put_u8(b, LINE_RANGE);
    buf_put_u8(b, OPCODE_BASE);
    buf_put(b, operands, sizeof operands);
    buf_put_u8(b, 1); /* directories: one format and one entry, which means no directory */
    put_uleb(b, DW_LNCT_path);
    put_uleb(b, DW_FORM_string);
    put_uleb(b, 1);
    put_text(b, "");
    buf_put_u8(b, 2); /* files: path, directory */
    put_uleb(b, DW_LNCT_path);
    put_uleb(b, DW_FORM_string);
    put_uleb(b, DW_LNCT_directory_index);
    put_uleb(b, DW_FORM_udata);
    put_uleb(b, c->n_files);
    for (uint32_t i = 0; i < c->n_files; i++) {
        put_text(b, c->files[i]);
        put_uleb(b, 0);
    }
    end_length(b, length);
}

/* The state machine's registers that differ between rows. */
typedef struct line_state {
    uint32_t offset, file, line, column;
} line_state;

static void
put_row(base_buf *b, line_state *s, const obj_line *row)
{
    int64_t lines = (int64_t)row->line - s->line;
    uint32_t steps = row->code_offset / MIN_INSTRUCTION - s->offset / MIN_INSTRUCTION;
    if (row->file != s->file) {
        buf_put_u8(b, DW_LNS_set_file);
        put_uleb(b, row->file);
    }
    if (row->column != s->column) {
        buf_put_u8(b, DW_LNS_set_column);
        put_uleb(b, row->column);
    }
    if (lines < LINE_BASE || lines >= LINE_BASE + LINE_RANGE) {
        buf_put_u8(b, DW_LNS_advance_line);
        put_sleb(b, lines);
        lines = 0;
    }
    int64_t opcode = lines - LINE_BASE + LINE_RANGE * (int64_t)steps + OPCODE_BASE;
    if (opcode > 255) {
        buf_put_u8(b, DW_LNS_advance_pc);
        put_uleb(b, steps);
        opcode = lines - LINE_BASE + OPCODE_BASE;
    }
    buf_put_u8(b, (uint8_t)opcode);
    *s = (line_state){row->code_offset, row->file, row->line, row->column};
}

size_t
dwarf_write_lines(const obj_code *c, base_buf *b)
{
    line_state s = {.file = 1, .line = 1};
    size_t unit = begin_length(b);
    put_header(c, b);
    buf_put_u8(b, 0); /* an extended opcode: its length, then its number */
    put_uleb(b, 9);
    buf_put_u8(b, DW_LNE_set_address);
    size_t address = b->size;
    buf_put_u64(b, 0);
    for (uint32_t i = 0; i < c->n_lines; i++)
        put_row(b, &s, &c->lines[i]);
    buf_put_u8(b, DW_LNS_advance_pc);
    put_uleb(b, c->data_offset / MIN_INSTRUCTION - s.offset / MIN_INSTRUCTION);
    buf_put_u8(b, 0);
    put_uleb(b, 1);
    buf_put_u8(b, DW_LNE_end_sequence);
    end_length(b, unit);
    return address;
}

size_t
dwarf_write_unit(const obj_code *c, uint32_t lines, base_buf *info, base_buf *abbrev)
{
    static const uint8_t attributes[] = {
        1,
        DW_TAG_compile_unit,
        0, /* no children */
        DW_AT_producer,
        DW_FORM_string,
        DW_AT_name,
        DW_FORM_string,
        DW_AT_stmt_list,
        DW_FORM_sec_offset,
        DW_AT_low_pc,
        DW_FORM_addr,
        DW_AT_high_pc, /* relative to low_pc */
        DW_FORM_data4,
        0,
        0, /* end of the attributes */
        0, /* end of the abbreviations */
    };
    if (!abbrev->size)
        buf_put(abbrev, attributes, sizeof attributes);
    size_t unit = begin_length(info);
    buf_put_u16(info, 5);
    buf_put_u8(info, DW_UT_compile);
    buf_put_u8(info, 8);
    buf_put_u32(info, 0); /* offset in .debug_abbrev */
    put_uleb(info, 1);
    put_text(info, "heddle");
    put_text(info, c->n_files ? c->files[0] : "");
    buf_put_u32(info, lines); /* offset in .debug_line */
    size_t address = info->size;
    buf_put_u64(info, 0);
    buf_put_u32(info, c->data_offset);
    end_length(info, unit);
    return address;
}
