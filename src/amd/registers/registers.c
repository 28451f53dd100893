/* The table of registers, and a file of their values. */
#include "amd/registers/registers.h"

#include <inttypes.h>

typedef struct reg_row {
    const char *name;
    amd_hw_reg reg;
    uint32_t address;
    uint8_t from, to; /* amd_gen */
} reg_row;

typedef struct field_row {
    const char *name;
    amd_hw_reg reg;
    amd_hw_field field;
    uint8_t low, high, from, to;
} field_row;

static const reg_row reg_rows[] = {
#define AMD_HW_REG(name, address, from, to) {#name, AMD_HW_##name, address, AMD_##from, AMD_##to},
#define AMD_HW_REG_MOVED(name, address, from, to)                                                  \
    {#name, AMD_HW_##name, address, AMD_##from, AMD_##to},
#define AMD_HW_FIELD(reg, name, low, high, from, to)
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
};

static const field_row field_rows[] = {
#define AMD_HW_REG(name, address, from, to)
#define AMD_HW_REG_MOVED(name, address, from, to)
#define AMD_HW_FIELD(reg, name, low, high, from, to)                                               \
    {#name, AMD_HW_##reg, AMD_HW_##reg##_##name, low, high, AMD_##from, AMD_##to},
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)                                         \
    AMD_HW_FIELD(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
};

enum {
    N_REGS = sizeof reg_rows / sizeof *reg_rows,
    N_FIELDS = sizeof field_rows / sizeof *field_rows,
};

static const struct {
    uint32_t base, dwords;
} spaces[AMD_HW_SPACE_COUNT] = {
    [AMD_HW_SPACE_CONFIG] = {0x8000, 0xc00},
    [AMD_HW_SPACE_SH] = {0xb000, 0x400},
    [AMD_HW_SPACE_CONTEXT] = {0x28000, 0x400},
    [AMD_HW_SPACE_UCONFIG] = {0x30000, 0x4000},
};

uint32_t
amd_hw_space_base(amd_hw_space space)
{
    return spaces[space].base;
}

uint32_t
amd_hw_space_dwords(amd_hw_space space)
{
    return spaces[space].dwords;
}

void
amd_hw_registers_init(amd_hw_registers *f, amd_gen gen, arena *a)
{
    f->gen = gen;
    for (unsigned s = 0; s < AMD_HW_SPACE_COUNT; s++)
        f->values[s] = ARENA_ARRAY(a, spaces[s].dwords, uint32_t);
}

uint32_t *
amd_hw_register_at(const amd_hw_registers *f, uint32_t address)
{
    for (unsigned s = 0; s < AMD_HW_SPACE_COUNT && address % 4 == 0; s++) {
        uint32_t dword = (address - spaces[s].base) / 4;
        if (address >= spaces[s].base && dword < spaces[s].dwords)
            return &f->values[s][dword];
    }
    return NULL;
}

/* The rows are in the order of the enumerations; those that a register or field has elsewhere
 * follow its first one. */
static const reg_row *
find_reg(amd_hw_reg reg, amd_gen gen)
{
    unsigned low = 0, high = N_REGS;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (reg_rows[middle].reg < reg)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < N_REGS && reg_rows[low].reg == reg; low++) {
        if (reg_rows[low].from <= gen && gen <= reg_rows[low].to)
            return &reg_rows[low];
    }
    return NULL;
}

static const field_row *
find_field(amd_hw_field field, amd_gen gen)
{
    unsigned low = 0, high = N_FIELDS;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (field_rows[middle].field < field)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < N_FIELDS && field_rows[low].field == field; low++) {
        if (field_rows[low].from <= gen && gen <= field_rows[low].to)
            return &field_rows[low];
    }
    return NULL;
}

uint32_t
amd_hw_reg_address(amd_hw_reg reg, amd_gen gen)
{
    const reg_row *row = find_reg(reg, gen);
    return row ? row->address : 0;
}

static const reg_row *
row_at(uint32_t address, amd_gen gen)
{
    for (unsigned r = 0; r < N_REGS; r++) {
        const reg_row *row = &reg_rows[r];
        if (row->address == address && row->from <= gen && gen <= row->to)
            return row;
    }
    return NULL;
}

const char *
amd_hw_reg_name(uint32_t address, amd_gen gen)
{
    const reg_row *row = row_at(address, gen);
    return row ? row->name : NULL;
}

static uint32_t
bits_of(const field_row *row, uint32_t value)
{
    return value >> row->low & (uint32_t)((UINT64_C(2) << (row->high - row->low)) - 1);
}

uint32_t
amd_hw_register_value(const amd_hw_registers *f, amd_hw_reg reg, uint32_t dwords)
{
    uint32_t address = amd_hw_reg_address(reg, f->gen);
    const uint32_t *at = address ? amd_hw_register_at(f, address + 4 * dwords) : NULL;
    return at ? *at : 0;
}

uint32_t
amd_hw_register_field_at(const amd_hw_registers *f, amd_hw_field field, uint32_t dwords)
{
    const field_row *row = find_field(field, f->gen);
    return row ? bits_of(row, amd_hw_register_value(f, row->reg, dwords)) : 0;
}

uint32_t
amd_hw_register_field(const amd_hw_registers *f, amd_hw_field field)
{
    return amd_hw_register_field_at(f, field, 0);
}

uint32_t
amd_hw_field_bits(amd_hw_field field, amd_gen gen, uint32_t v)
{
    const field_row *row = find_field(field, gen);
    if (!row)
        return 0;
    return (v & (uint32_t)((UINT64_C(2) << (row->high - row->low)) - 1)) << row->low;
}

amd_hw_reg
amd_hw_field_register(amd_hw_field field)
{
    unsigned low = 0, high = N_FIELDS;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (field_rows[middle].field < field)
            low = middle + 1;
        else
            high = middle;
    }
    return field_rows[low].reg;
}

bool
amd_hw_set_register_field(amd_hw_registers *f, amd_hw_field field, uint32_t dwords, uint32_t v)
{
    const field_row *row = find_field(field, f->gen);
    uint32_t address = row ? amd_hw_reg_address(row->reg, f->gen) : 0;
    uint32_t *at = address ? amd_hw_register_at(f, address + 4 * dwords) : NULL;
    if (!at)
        return false;
    uint32_t mask = (uint32_t)((UINT64_C(2) << (row->high - row->low)) - 1);
    *at = (*at & ~(mask << row->low)) | (v & mask) << row->low;
    return true;
}

bool
amd_hw_set_register(amd_hw_registers *f, amd_hw_reg reg, uint32_t dwords, uint32_t v)
{
    uint32_t address = amd_hw_reg_address(reg, f->gen);
    uint32_t *at = address ? amd_hw_register_at(f, address + 4 * dwords) : NULL;
    if (at)
        *at = v;
    return at != NULL;
}

void
amd_hw_print_register(uint32_t address, uint32_t value, amd_gen gen, base_buf *out)
{
    const reg_row *reg = row_at(address, gen);
    const char *before = " (";
    if (!reg) {
        buf_printf(out, "register 0x%" PRIx32 " = 0x%" PRIx32, address, value);
        return;
    }
    buf_printf(out, "%s = 0x%" PRIx32, reg->name, value);
    for (unsigned k = 0; k < N_FIELDS; k++) {
        const field_row *row = &field_rows[k];
        bool is = row->reg == reg->reg && row->from <= gen && gen <= row->to;
        if (!is || !bits_of(row, value))
            continue;
        buf_printf(out, "%s%s %" PRIu32, before, row->name, bits_of(row, value));
        before = ", ";
    }
    buf_puts(out, *before == ',' ? ")" : "");
}
