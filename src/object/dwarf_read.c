/* Executes line number programs.
 *
 * A cursor with an end reads all data; reading past the end is an error like any other. Each unit's
 * files are appended to one list for the table, each unit's rows to the rows of the units before.
 * The rows are sorted by address last. Apart from the sort, the work is linear in the section's
 * size: an opcode makes at most one row, and a file takes at least one byte.
 */
#include "object/dwarf.h"

#include <stdlib.h>
#include <string.h>

/* A file may refer to the same bytes for any number of names; this limits the cost. */
enum { MAX_NAME = 4096, MAX_PATHS = 1 << 24 };

typedef struct cursor {
    diag *d;
    const uint8_t *at, *end;
} cursor;

typedef struct line_reader {
    diag *d;
    arena *a;
    const dwarf_section *line_str, *str;
    dwarf_table *out;
    /* of the current unit: */
    uint16_t version;
    uint8_t min_instruction, line_range, opcode_base, default_address;
    int8_t line_base;
    const uint8_t *operands; /* operand counts of the standard opcodes, from 1 */
    uint32_t first_file;     /* index of the unit's first file in the table */
    uint32_t n_files;
    const char **directories;
    size_t n_directories, cap_directories;
    size_t path_bytes; /* bytes of joined paths so far, of all units */
} line_reader;

/* An entry of a header's list. */
typedef struct entry {
    const char *path;
    uint64_t directory;
} entry;

_Noreturn static void
bad(diag *d)
{
    diag_fail(d, ERR_OBJECT_BAD_ELF, "a malformed line table");
}

static const uint8_t *
take(cursor *c, uint64_t size)
{
    const uint8_t *at = c->at;
    if (size > (uint64_t)(c->end - c->at))
        bad(c->d);
    c->at += size;
    return at;
}

static uint64_t
take_int(cursor *c, unsigned size)
{
    const uint8_t *p = take(c, size);
    uint64_t v = 0;
    for (unsigned i = size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static uint64_t
take_uleb(cursor *c)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *take(c, 1);
        if (shift < 64)
            v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return v;
    }
}

/* The same, signed, as the bits of a 64-bit number. */
static uint64_t
take_sleb(cursor *c)
{
    uint64_t v = 0;
    for (unsigned shift = 0;;) {
        uint8_t byte = *take(c, 1);
        if (shift < 64)
            v |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (!(byte & 0x80))
            return byte & 0x40 && shift < 64 ? v | UINT64_MAX << shift : v;
    }
}

static const char *
take_text(cursor *c)
{
    size_t left = (size_t)(c->end - c->at);
    const uint8_t *stop = memchr(c->at, 0, left < MAX_NAME ? left : MAX_NAME);
    if (!stop)
        bad(c->d);
    return (const char *)take(c, (uint64_t)(stop - c->at) + 1);
}

static const char *
section_text(line_reader *r, const dwarf_section *s, uint64_t offset)
{
    if (offset >= s->size)
        bad(r->d);
    cursor c = {r->d, s->bytes + offset, s->bytes + s->size};
    return take_text(&c);
}

/* Reads one value of an entry according to its form. */
static void
take_form(line_reader *r, cursor *c, uint64_t content, uint64_t form, entry *e)
{
    uint64_t number = 0;
    const char *text = NULL;
    switch (form) {
    case DW_FORM_string: text = take_text(c); break;
    case DW_FORM_line_strp: text = section_text(r, r->line_str, take_int(c, 4)); break;
    case DW_FORM_strp: text = section_text(r, r->str, take_int(c, 4)); break;
    case DW_FORM_udata: number = take_uleb(c); break;
    case DW_FORM_data1: number = take_int(c, 1); break;
    case DW_FORM_data2: number = take_int(c, 2); break;
    case DW_FORM_data4: number = take_int(c, 4); break;
    case DW_FORM_data8: number = take_int(c, 8); break;
    case DW_FORM_data16: take(c, 16); break;
    case DW_FORM_block: take(c, take_uleb(c)); break;
    default: bad(r->d);
    }
    if (content == DW_LNCT_path && text)
        e->path = text;
    else if (content == DW_LNCT_directory_index)
        e->directory = number;
}

static void
add_directory(line_reader *r, const char *path)
{
    r->directories = arena_grow(r->a, r->directories, &r->cap_directories, r->n_directories + 1,
                                sizeof *r->directories);
    r->directories[r->n_directories++] = path;
}

static void
add_file(line_reader *r, const entry *e)
{
    dwarf_table *t = r->out;
    const char *folder = e->directory < r->n_directories ? r->directories[e->directory] : "";
    const char *path = e->path;
    if (*folder && *path != '/') {
        path = arena_printf(r->a, "%s/%s", folder, path);
        r->path_bytes += strlen(path);
    }
    if (r->path_bytes > MAX_PATHS)
        diag_fail(r->d, ERR_OBJECT_TOO_LARGE, "more than 16 MiB of file names in the line table");
    t->files = arena_grow(r->a, t->files, &t->cap_files, t->n_files + 1, sizeof *t->files);
    t->files[t->n_files++] = path;
    r->n_files++;
}

/* Version 5: a description of the entry format, followed by a list of directories or files. */
static void
read_entries(line_reader *r, cursor *c, bool are_files)
{
    unsigned n_formats = (unsigned)take_int(c, 1);
    cursor formats = *c;
    for (unsigned f = 0; f < 2 * n_formats; f++)
        take_uleb(c);
    uint64_t count = take_uleb(c);
    if (count && !n_formats)
        bad(r->d);
    for (uint64_t k = 0; k < count; k++) {
        entry e = {.path = ""};
        cursor at = formats;
        const uint8_t *before = c->at;
        for (unsigned f = 0; f < n_formats; f++) {
            uint64_t content = take_uleb(&at), form = take_uleb(&at);
            take_form(r, c, content, form, &e);
        }
        if (c->at == before)
            bad(r->d);
        if (are_files)
            add_file(r, &e);
        else
            add_directory(r, e.path);
    }
}

/* Versions 2 to 4: terminated lists, numbered from 1. Directory 0 is the unit's own, which is not
 * in this list. */
static void
read_old_entries(line_reader *r, cursor *c)
{
    const char *path;
    add_directory(r, "");
    while (*(path = take_text(c)))
        add_directory(r, path);
    add_file(r, &(entry){.path = ""});
    while (*(path = take_text(c))) {
        entry e = {path, take_uleb(c)};
        take_uleb(c); /* time, size */
        take_uleb(c);
        add_file(r, &e);
    }
}

/* Reads the unit's header; `c` is just after the version on entry and at the program on return. */
static void
read_header(line_reader *r, cursor *c)
{
    if (r->version >= 5)
        take(c, 2); /* sizes of an address and of a segment selector */
    uint64_t length = take_int(c, 4);
    cursor h = *c;
    take(c, length);
    h.end = c->at;
    r->min_instruction = (uint8_t)take_int(&h, 1);
    if (r->version >= 4)
        take(&h, 1); /* operations per instruction, for VLIW machines */
    take(&h, 1);     /* default_is_stmt */
    r->line_base = (int8_t)take_int(&h, 1);
    r->line_range = (uint8_t)take_int(&h, 1);
    r->opcode_base = (uint8_t)take_int(&h, 1);
    if (!r->line_range || !r->opcode_base)
        bad(r->d);
    r->operands = take(&h, r->opcode_base - 1u) - 1;
    r->first_file = (uint32_t)r->out->n_files;
    r->n_files = 0;
    r->n_directories = 0;
    if (r->version < 5) {
        read_old_entries(r, &h);
    } else {
        read_entries(r, &h, false);
        read_entries(r, &h, true);
    }
}

static void
add_row(line_reader *r, const dwarf_row *state, bool is_end)
{
    dwarf_table *t = r->out;
    dwarf_row row = *state;
    row.is_end = is_end;
    row.number = (uint32_t)t->n_rows;
    if (row.file >= r->n_files)
        row.line = row.file = 0;
    row.file += r->first_file;
    if (!r->n_files)
        return;
    t->rows = arena_grow(r->a, t->rows, &t->cap_rows, t->n_rows + 1, sizeof *t->rows);
    t->rows[t->n_rows++] = row;
}

static void
run_extended(line_reader *r, cursor *c, dwarf_row *s)
{
    uint64_t length = take_uleb(c);
    cursor e = *c;
    take(c, length);
    e.end = c->at;
    if (!length)
        return;
    uint64_t opcode = take_int(&e, 1);
    if (opcode == DW_LNE_end_sequence) {
        add_row(r, s, true);
        *s = (dwarf_row){.file = 1, .line = 1};
    } else if (opcode == DW_LNE_set_address && length <= 9) {
        s->address = take_int(&e, (unsigned)length - 1);
    }
}

static void
run_standard(line_reader *r, cursor *c, unsigned opcode, dwarf_row *s)
{
    switch (opcode) {
    case DW_LNS_copy: add_row(r, s, false); break;
    case DW_LNS_advance_pc: s->address += take_uleb(c) * r->min_instruction; break;
    case DW_LNS_advance_line: s->line += (uint32_t)take_sleb(c); break;
    case DW_LNS_set_file: s->file = (uint32_t)take_uleb(c); break;
    case DW_LNS_set_column: s->column = (uint32_t)take_uleb(c); break;
    case DW_LNS_const_add_pc:
        s->address += (255u - r->opcode_base) / r->line_range * (uint64_t)r->min_instruction;
        break;
    case DW_LNS_fixed_advance_pc: s->address += take_int(c, 2); break;
    default:
        for (unsigned k = 0; k < r->operands[opcode]; k++)
            take_uleb(c);
    }
}

static void
run_program(line_reader *r, cursor *c)
{
    dwarf_row s = {.file = 1, .line = 1};
    while (c->at < c->end) {
        unsigned opcode = *take(c, 1);
        if (opcode >= r->opcode_base) {
            unsigned special = opcode - r->opcode_base;
            s.address += special / r->line_range * (uint64_t)r->min_instruction;
            s.line += (uint32_t)(r->line_base + (int)(special % r->line_range));
            add_row(r, &s, false);
        } else if (opcode == 0) {
            run_extended(r, c, &s);
        } else {
            run_standard(r, c, opcode, &s);
        }
    }
}

/* Sorts by address; the end of a sequence comes before a row that starts there. */
static int
compare_rows(const void *a, const void *b)
{
    const dwarf_row *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->is_end != y->is_end)
        return x->is_end ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

void
dwarf_read_lines(diag *d, arena *a, const dwarf_section *line, const dwarf_section *line_str,
                 const dwarf_section *str, dwarf_table *out)
{
    line_reader r = {.d = d, .a = a, .line_str = line_str, .str = str, .out = out};
    cursor all = {d, line->bytes, line->bytes + line->size};
    *out = (dwarf_table){0};
    while (all.at < all.end) {
        uint64_t length = take_int(&all, 4);
        cursor unit = all;
        take(&all, length);
        unit.end = all.at;
        r.version = (uint16_t)take_int(&unit, 2);
        if (r.version < 2 || r.version > 5)
            continue;
        read_header(&r, &unit);
        run_program(&r, &unit);
    }
    if (out->n_rows)
        qsort(out->rows, out->n_rows, sizeof *out->rows, compare_rows);
}

/* The first row at or after `address`. */
static size_t
first_row(const dwarf_table *t, uint64_t address)
{
    size_t low = 0, high = t->n_rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->rows[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
dwarf_set_lines(arena *a, const dwarf_table *t, uint64_t address, obj_code *c)
{
    size_t first = first_row(t, address), end = first_row(t, address + c->data_offset);
    obj_line *lines = ARENA_ARRAY(a, end - first, obj_line);
    uint32_t n = 0;
    for (size_t i = first; i < end; i++) {
        const dwarf_row *row = &t->rows[i];
        obj_line l = {(uint32_t)(row->address - address), row->file, row->line, row->column};
        if (row->is_end)
            l.line = l.column = 0;
        if (n && lines[n - 1].code_offset == l.code_offset)
            n--;
        lines[n++] = l;
    }
    c->lines = lines;
    c->n_lines = n;
    c->files = t->files;
    c->n_files = (uint32_t)t->n_files;
}
