/* All rows of the vector ALU. */
#include "amd/emu/alu/valu_rows.h"

const emu_valu *
amd_emu_valu_find(uint32_t op)
{
    const struct {
        const emu_valu_entry *rows;
        size_t count;
    } tables[] = {
        {amd_emu_valu_f32_rows, amd_emu_valu_f32_count},
        {amd_emu_valu_int_rows, amd_emu_valu_int_count},
        {amd_emu_valu_cmp_rows, amd_emu_valu_cmp_count},
        {amd_emu_valu_cvt_rows, amd_emu_valu_cvt_count},
        {amd_emu_valu_f16_rows, amd_emu_valu_f16_count},
        {amd_emu_valu_f64_rows, amd_emu_valu_f64_count},
        {amd_emu_valu_fp8_rows, amd_emu_valu_fp8_count},
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t].count; i++)
            if (tables[t].rows[i].op == op)
                return &tables[t].rows[i].v;
    return NULL;
}
