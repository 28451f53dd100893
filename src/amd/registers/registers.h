/* The registers that command streams set, by name, and a file of their values.
 *
 * Registers have byte addresses in four ranges, each with its own packet: configuration, shader,
 * context and user configuration. A stream may set any of them; those with a row in registers.def
 * have a name and fields.
 */
#ifndef AMD_REGISTERS_REGISTERS_H
#define AMD_REGISTERS_REGISTERS_H

#include "amd/isa/isa.h"
#include "base/buf.h"

typedef enum amd_hw_reg {
#define AMD_HW_REG(name, address, from, to) AMD_HW_##name,
#define AMD_HW_REG_MOVED(name, address, from, to)
#define AMD_HW_FIELD(reg, name, low, high, from, to)
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
    AMD_HW_REG_COUNT
} amd_hw_reg;

typedef enum amd_hw_field {
#define AMD_HW_REG(name, address, from, to)
#define AMD_HW_REG_MOVED(name, address, from, to)
#define AMD_HW_FIELD(reg, name, low, high, from, to) AMD_HW_##reg##_##name,
#define AMD_HW_FIELD_MOVED(reg, name, low, high, from, to)
#include "amd/registers/registers.def"
    AMD_HW_FIELD_COUNT
} amd_hw_field;

/* Ranges of byte addresses. */
typedef enum amd_hw_space {
    AMD_HW_SPACE_CONFIG,  /* 0x8000 to 0xafff */
    AMD_HW_SPACE_SH,      /* 0xb000 to 0xbfff */
    AMD_HW_SPACE_CONTEXT, /* 0x28000 to 0x28fff */
    AMD_HW_SPACE_UCONFIG, /* 0x30000 to 0x3ffff; from gfx7 on */
    AMD_HW_SPACE_COUNT,
} amd_hw_space;

/* The values of all registers. */
typedef struct amd_hw_registers {
    amd_gen gen;
    uint32_t *values[AMD_HW_SPACE_COUNT]; /* by dword of the range */
} amd_hw_registers;

/* The buffers of streamout, and the registers from one's to the next's. */
enum { AMD_HW_XFB_BUFFERS = 4, AMD_HW_XFB_DWORDS = 4 };

/* Makes a file in which all registers are 0. */
void
amd_hw_registers_init(amd_hw_registers *f, amd_gen gen, arena *a);

/* The first byte address of a range. */
uint32_t
amd_hw_space_base(amd_hw_space space);

/* The number of registers of a range. */
uint32_t
amd_hw_space_dwords(amd_hw_space space);

/* The place of the register at a byte address; NULL if the address is in none of the ranges or not
 * a multiple of 4. */
uint32_t *
amd_hw_register_at(const amd_hw_registers *f, uint32_t address);

/* A field of a register's value; 0 if the generation does not have it. */
uint32_t
amd_hw_register_field(const amd_hw_registers *f, amd_hw_field field);

/* The value of a register, and a field of it, `dwords` registers behind the named one: the first of
 * several has a row. 0 if the generation does not have it. */
uint32_t
amd_hw_register_value(const amd_hw_registers *f, amd_hw_reg reg, uint32_t dwords);
uint32_t
amd_hw_register_field_at(const amd_hw_registers *f, amd_hw_field field, uint32_t dwords);

/* Sets a register, or a field of it, likewise. False if the generation does not have it. */
bool
amd_hw_set_register(amd_hw_registers *f, amd_hw_reg reg, uint32_t dwords, uint32_t v);
bool
amd_hw_set_register_field(amd_hw_registers *f, amd_hw_field field, uint32_t dwords, uint32_t v);

/* The bits of a register's value that set a field to `v`; 0 if the generation does not have it. The
 * field's register. */
uint32_t
amd_hw_field_bits(amd_hw_field field, amd_gen gen, uint32_t v);
amd_hw_reg
amd_hw_field_register(amd_hw_field field);

/* The byte address of a register; 0 if the generation does not have it. */
uint32_t
amd_hw_reg_address(amd_hw_reg reg, amd_gen gen);

/* The name of the register at a byte address; NULL if it has no row. */
const char *
amd_hw_reg_name(uint32_t address, amd_gen gen);

/* Appends "NAME = 0x1234 (FIELD 5, FIELD 1)": the register at `address`, by number where it has no
 * name, and those of its fields that are not 0. */
void
amd_hw_print_register(uint32_t address, uint32_t value, amd_gen gen, base_buf *out);

#endif
