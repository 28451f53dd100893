/* The registers that command streams set, by name, and a file of their values.
 *
 * Registers have byte addresses in four ranges, each with its own packet: configuration, shader,
 * context and user configuration. A stream may set any of them; those with a row in registers.def
 * have a name and fields.
 */
#ifndef GPU_PM4_REGISTERS_H
#define GPU_PM4_REGISTERS_H

#include "amd/isa/isa.h"
#include "base/buf.h"

typedef enum gpu_reg {
#define GPU_REG(name, address, from, to) GPU_##name,
#define GPU_REG_MOVED(name, address, from, to)
#define GPU_FIELD(reg, name, low, high, from, to)
#define GPU_FIELD_MOVED(reg, name, low, high, from, to)
#include "gpu/pm4/registers.def"
    GPU_REG_COUNT
} gpu_reg;

typedef enum gpu_field {
#define GPU_REG(name, address, from, to)
#define GPU_REG_MOVED(name, address, from, to)
#define GPU_FIELD(reg, name, low, high, from, to) GPU_##reg##_##name,
#define GPU_FIELD_MOVED(reg, name, low, high, from, to)
#include "gpu/pm4/registers.def"
    GPU_FIELD_COUNT
} gpu_field;

/* Ranges of byte addresses. */
typedef enum gpu_reg_space {
    GPU_SPACE_CONFIG,  /* 0x8000 to 0xafff */
    GPU_SPACE_SH,      /* 0xb000 to 0xbfff */
    GPU_SPACE_CONTEXT, /* 0x28000 to 0x28fff */
    GPU_SPACE_UCONFIG, /* 0x30000 to 0x3ffff; from gfx7 on */
    GPU_SPACE_COUNT,
} gpu_reg_space;

/* The values of all registers. */
typedef struct gpu_register_file {
    amd_gen gen;
    uint32_t *values[GPU_SPACE_COUNT]; /* by dword of the range */
} gpu_register_file;

/* Makes a file in which all registers are 0. */
void
gpu_registers_init(gpu_register_file *f, amd_gen gen, arena *a);

/* The first byte address of a range. */
uint32_t
gpu_space_base(gpu_reg_space space);

/* The number of registers of a range. */
uint32_t
gpu_space_dwords(gpu_reg_space space);

/* The place of the register at a byte address; NULL if the address is in none of the ranges or not
 * a multiple of 4. */
uint32_t *
gpu_register_at(const gpu_register_file *f, uint32_t address);

/* A field of a register's value; 0 if the generation does not have it. */
uint32_t
gpu_register_field(const gpu_register_file *f, gpu_field field);

/* The byte address of a register; 0 if the generation does not have it. */
uint32_t
gpu_reg_address(gpu_reg reg, amd_gen gen);

/* The name of the register at a byte address; NULL if it has no row. */
const char *
gpu_reg_name(uint32_t address, amd_gen gen);

/* Appends "NAME = 0x1234 (FIELD 5, FIELD 1)": the register at `address`, by number where it has no
 * name, and those of its fields that are not 0. */
void
gpu_print_register(uint32_t address, uint32_t value, amd_gen gen, base_buf *out);

#endif
