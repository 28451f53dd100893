/* The table of registers, and a file of their values. */
#include "amd/registers/registers.h"

#include <inttypes.h>

/* The head of a row: a register or field, and the generations that have it so. */
typedef struct row_head {
    const char *name;
    uint32_t id;      /* amd_hw_reg, amd_hw_field */
    uint8_t from, to; /* amd_gen */
} row_head;

typedef struct reg_row {
    row_head head;
    uint32_t address;
} reg_row;

typedef struct field_row {
    row_head head;
    amd_hw_reg reg;
    uint8_t low, high;
} field_row;

static const reg_row reg_rows[] = {
#define ROW(text, id, from, to)                                                                    \
    {                                                                                              \
        .name = text, id, AMD_##from, AMD_##to                                                     \
    }
#define AMD_HW_REG(name, address, from, to)       {ROW(#name, AMD_HW_##name, from, to), address},
#define AMD_HW_REG_MOVED(name, address, from, to) AMD_HW_REG(name, address, from, to)
#define AMD_HW_FIELD(reg, name, low, high, from, to)
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
};

static const field_row field_rows[] = {
#define AMD_HW_REG(name, address, from, to)
#define AMD_HW_REG_MOVED(name, address, from, to)
#define AMD_HW_FIELD(reg, name, low, high, from, to)                                               \
    {ROW(#name, AMD_HW_##reg##_##name, from, to), AMD_HW_##reg, low, high},
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)                                         \
    AMD_HW_FIELD(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
};

/* The rows' numbers. Those that a register or field has elsewhere follow its first one. */
enum {
#define AMD_HW_REG(name, address, from, to)       REG_##name,
#define AMD_HW_REG_MOVED(name, address, from, to) REG_##name##_##from,
#define AMD_HW_FIELD(reg, name, low, high, from, to)
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
    N_REGS
};

enum {
#define AMD_HW_REG(name, address, from, to)
#define AMD_HW_REG_MOVED(name, address, from, to)
#define AMD_HW_FIELD(reg, name, low, high, from, to)       FIELD_##reg##_##name,
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to) FIELD_##reg##_##name##_##from,
#include "amd/registers/registers.def"
    N_FIELDS
};

static const uint16_t first_reg_row[AMD_HW_REG_COUNT] = {
#define AMD_HW_REG(name, address, from, to) [AMD_HW_##name] = REG_##name,
#define AMD_HW_REG_MOVED(name, address, from, to)
#define AMD_HW_FIELD(reg, name, low, high, from, to)
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
};

static const uint16_t first_field_row[AMD_HW_FIELD_COUNT] = {
#define AMD_HW_REG(name, address, from, to)
#define AMD_HW_REG_MOVED(name, address, from, to)
#define AMD_HW_FIELD(reg, name, low, high, from, to) [AMD_HW_##reg##_##name] = FIELD_##reg##_##name,
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
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

static bool
is_of(const row_head *row, amd_gen gen)
{
    return row->from <= gen && gen <= row->to;
}

static const reg_row *
find_reg(amd_hw_reg reg, amd_gen gen)
{
    for (size_t k = first_reg_row[reg]; k < N_REGS && reg_rows[k].head.id == reg; k++) {
        if (is_of(&reg_rows[k].head, gen))
            return &reg_rows[k];
    }
    return NULL;
}

static const field_row *
find_field(amd_hw_field field, amd_gen gen)
{
    for (size_t k = first_field_row[field]; k < N_FIELDS && field_rows[k].head.id == field; k++) {
        if (is_of(&field_rows[k].head, gen))
            return &field_rows[k];
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
find_address(uint32_t address, amd_gen gen)
{
    for (unsigned r = 0; r < N_REGS; r++) {
        const reg_row *row = &reg_rows[r];
        if (row->address == address && is_of(&row->head, gen))
            return row;
    }
    return NULL;
}

const char *
amd_hw_reg_name(uint32_t address, amd_gen gen)
{
    const reg_row *row = find_address(address, gen);
    return row ? row->head.name : NULL;
}

/* As many ones as the field has bits. */
static uint32_t
mask_of(const field_row *row)
{
    return (uint32_t)((UINT64_C(2) << (row->high - row->low)) - 1);
}

static uint32_t
bits_of(const field_row *row, uint32_t value)
{
    return value >> row->low & mask_of(row);
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
    return row ? (v & mask_of(row)) << row->low : 0;
}

amd_hw_reg
amd_hw_field_register(amd_hw_field field)
{
    return field_rows[first_field_row[field]].reg;
}

bool
amd_hw_set_register_field(amd_hw_registers *f, amd_hw_field field, uint32_t dwords, uint32_t v)
{
    const field_row *row = find_field(field, f->gen);
    uint32_t address = row ? amd_hw_reg_address(row->reg, f->gen) : 0;
    uint32_t *at = address ? amd_hw_register_at(f, address + 4 * dwords) : NULL;
    if (!at)
        return false;
    *at = (*at & ~(mask_of(row) << row->low)) | (v & mask_of(row)) << row->low;
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
    const reg_row *reg = find_address(address, gen);
    const char *before = " (";
    if (!reg) {
        buf_printf(out, "register 0x%" PRIx32 " = 0x%" PRIx32, address, value);
        return;
    }
    buf_printf(out, "%s = 0x%" PRIx32, reg->head.name, value);
    for (unsigned k = 0; k < N_FIELDS; k++) {
        const field_row *row = &field_rows[k];
        bool is = row->reg == reg->head.id && is_of(&row->head, gen);
        if (!is || !bits_of(row, value))
            continue;
        buf_printf(out, "%s%s %" PRIu32, before, row->head.name, bits_of(row, value));
        before = ", ";
    }
    buf_puts(out, *before == ',' ? ")" : "");
}
