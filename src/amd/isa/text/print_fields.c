/* Prints an instruction's bit fields, using the layout tables. */
#include "amd/isa/table/layout.h"
#include "amd/isa/text/print.h"

static const char *
field_name(unsigned field)
{
    static const char *const names[AMD_FIELD_COUNT] = {
#define AMD_FIELD_NAME(name)                #name,
#define AMD_MEMBER_FIELD_NAME(name, member) #name,
        AMD_OTHER_FIELDS(AMD_FIELD_NAME) AMD_MEMBER_FIELDS(AMD_MEMBER_FIELD_NAME)
#undef AMD_FIELD_NAME
#undef AMD_MEMBER_FIELD_NAME
    };
    return names[field];
}

static const char *
layout_name(amd_layout_id layout)
{
    static const char *const names[AMD_L_COUNT] = {"",
#define AMD_LAYOUT_NAME(name, enc, words) #name,
                                                   AMD_LAYOUTS(AMD_LAYOUT_NAME)
#undef AMD_LAYOUT_NAME
    };
    return names[layout];
}

/* Prints the fields of a layout in the order of their lowest rows; the parts of a split field are
 * combined. */
static void
print_layout(amd_layout_id id, const uint8_t *bytes, size_t size, base_buf *out)
{
    const amd_layout *l = &amd_layouts[id];
    bool done[AMD_FIELD_COUNT] = {false};
    buf_printf(out, "%s:", layout_name(id));
    for (unsigned r = 0; r < l->count; r++) {
        unsigned field = l->rows[r].field;
        uint32_t v = 0;
        bool known = field != AMD_FIELD_RESERVED && field != AMD_FIELD_ZERO;
        for (unsigned k = r; known && !done[field] && k < l->count; k++) {
            const amd_layout_row *row = &l->rows[k];
            size_t at = row->word * 4u;
            if (row->field != field || at + 4 > size)
                continue;
            uint32_t word = bytes[at] | (uint32_t)bytes[at + 1] << 8 |
                            (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
            v |= amd_row_read(row, word);
        }
        if (known && !done[field])
            buf_printf(out, " %s=%u", field_name(field), v);
        done[field] = true;
    }
}

void
amd_print_fields(amd_gen gen, const amd_inst *in, const uint8_t *bytes, base_buf *out)
{
    amd_layout_id id = amd_layout_of(gen, amd_op_row((amd_op)in->op), (amd_fmt)in->fmt);
    size_t behind = (size_t)amd_layouts[id].words * 4;
    print_layout(id, bytes, in->size, out);
    if (in->ext != AMD_EXT_NONE) {
        buf_puts(out, ", ");
        print_layout(amd_layout_of_ext(gen, (amd_fmt)in->fmt, (amd_ext)in->ext), bytes, in->size,
                     out);
        behind += 4;
    }
    for (size_t at = behind; at + 4 <= in->size; at += 4)
        buf_printf(out, ", LITERAL=0x%02x%02x%02x%02x", bytes[at + 3], bytes[at + 2], bytes[at + 1],
                   bytes[at]);
}
