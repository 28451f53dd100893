/* DWARF line tables (internal): the source of the line numbers that debuggers, llvm-objdump -l and
 * heddle disasm show.
 *
 * The writer emits the minimum that tools need, as DWARF 5: a compile unit without children in
 * .debug_info and .debug_abbrev, and its line program in .debug_line. The reader accepts line
 * programs of versions 2 to 5 from any producer. Source: "DWARF Debugging Information Format",
 * version 5, chapters 6.2 and 7 (numbers: 7.22), and version 4, 6.2.4, for the older header.
 */
#ifndef OBJECT_DWARF_H
#define OBJECT_DWARF_H

#include "object/object.h"

/* Line number opcodes and content types (7.22). */
enum {
    DW_LNS_copy = 1,
    DW_LNS_advance_pc,
    DW_LNS_advance_line,
    DW_LNS_set_file,
    DW_LNS_set_column,
    DW_LNS_negate_stmt,
    DW_LNS_set_basic_block,
    DW_LNS_const_add_pc,
    DW_LNS_fixed_advance_pc,
    DW_LNS_set_prologue_end,
    DW_LNS_set_epilogue_begin,
    DW_LNS_set_isa,
    DW_LNE_end_sequence = 1,
    DW_LNE_set_address = 2,
    DW_LNCT_path = 1,
    DW_LNCT_directory_index = 2,
};

/* Forms (7.5.6) of entries in a line table's header. */
enum {
    DW_FORM_addr = 0x01,
    DW_FORM_data2 = 0x05,
    DW_FORM_data4 = 0x06,
    DW_FORM_data8 = 0x07,
    DW_FORM_string = 0x08,
    DW_FORM_block = 0x09,
    DW_FORM_data1 = 0x0b,
    DW_FORM_strp = 0x0e,
    DW_FORM_udata = 0x0f,
    DW_FORM_sec_offset = 0x17,
    DW_FORM_data16 = 0x1e,
    DW_FORM_line_strp = 0x1f,
};

/* Appends the line table of `code`. Returns the offset of 8 bytes for the address of the first
 * instruction. */
size_t
dwarf_write_lines(const obj_code *code, base_buf *out);

/* Appends the compile unit of the line table at `lines` of .debug_line, and its abbreviation if
 * `abbrev` is empty. Returns an offset as dwarf_write_lines does. */
size_t
dwarf_write_unit(const obj_code *code, uint32_t lines, base_buf *info, base_buf *abbrev);

/* A section's bytes; size 0 if the file does not have it. */
typedef struct dwarf_section {
    const uint8_t *bytes;
    uint64_t size;
} dwarf_section;

/* A row of a line table, by its address. `is_end`: there is no code from here on. */
typedef struct dwarf_row {
    uint64_t address;
    uint32_t file, line, column; /* `file` is an index into the table's files */
    /* order of creation; of the rows at one address, the last one is used */
    uint32_t number;
    bool is_end;
} dwarf_row;

/* All rows of .debug_line, sorted by address, and the files they refer to. */
typedef struct dwarf_table {
    dwarf_row *rows;
    size_t n_rows, cap_rows;
    const char **files;
    size_t n_files, cap_files;
} dwarf_table;

/* Reads .debug_line; the other sections hold its strings. Units of other versions are skipped.
 * Fails with OBJECT_BAD_ELF. */
void
dwarf_read_lines(diag *d, arena *a, const dwarf_section *line, const dwarf_section *line_str,
                 const dwarf_section *str, dwarf_table *out);

/* Sets the lines of `code`, whose first instruction is at `address`, to the rows inside it. */
void
dwarf_set_lines(arena *a, const dwarf_table *t, uint64_t address, obj_code *code);

#endif
