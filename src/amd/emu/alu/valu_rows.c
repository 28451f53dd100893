/* All rows of the vector ALU. */
#include "amd/emu/alu/valu_rows.h"

const emu_valu *
emu_valu_find(uint32_t op)
{
    const struct {
        const emu_valu_entry *rows;
        size_t count;
    } tables[] = {
        {emu_valu_f32_rows, emu_valu_f32_count}, {emu_valu_int_rows, emu_valu_int_count},
        {emu_valu_cmp_rows, emu_valu_cmp_count}, {emu_valu_cvt_rows, emu_valu_cvt_count},
        {emu_valu_f16_rows, emu_valu_f16_count}, {emu_valu_f64_rows, emu_valu_f64_count},
        {emu_valu_fp8_rows, emu_valu_fp8_count},
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t].count; i++)
            if (tables[t].rows[i].op == op)
                return &tables[t].rows[i].v;
    return NULL;
}
