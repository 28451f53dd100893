/* HIR with the opcodes of hir.def: the level of a function from amd_lower_abi to selection. */
#ifndef AMD_TARGET_HIR_LEVEL_H
#define AMD_TARGET_HIR_LEVEL_H

#include "ir/hir.h"

/* AMD_HIR_load_smem_amd ... */
typedef enum amd_hir_op {
    AMD_HIR_BEFORE_FIRST = IR_HIR_OP_COUNT - 1,
#define INTR(id, n_defs, n_refs, attrs, flags, types) AMD_HIR_##id,
#include "amd/target/hir.def"
    AMD_HIR_OP_COUNT,
} amd_hir_op;

/* Bits of export_amd's BASE: bits 5:0 are the target. The last position or colour is done; the mask
 * of valid lanes; two registers with two 16-bit numbers each. */
enum {
    AMD_EXPORT_TARGET = 0x3f,
    AMD_EXPORT_DONE = 1u << 8,
    AMD_EXPORT_VALID_MASK = 1u << 9,
    AMD_EXPORT_COMPRESSED = 1u << 10,
};

/* Targets of exports (RDNA 2 ISA, 12.7 "EXP"). */
enum {
    AMD_TARGET_COLOR = 0, /* 8 of them */
    AMD_TARGET_DEPTH = 8, /* z, stencil, mask of samples */
    AMD_TARGET_NULL = 9,
    AMD_TARGET_POSITION = 12, /* 4, of a primitive shader 5 */
    AMD_TARGET_PRIMITIVE = 20,
    AMD_TARGET_DUAL_SOURCE = 21, /* 2, from gfx11 on: of even lanes, of odd ones */
    AMD_TARGET_PARAMETER = 32,   /* 32 of them; up to gfx10.3 */
};

/* add_counter_amd */
enum { AMD_COUNTER_SUBTRACT = 1 << 8 };

/* load_attribute_amd: the V# says the format. Numbers of formats in instructions have 7 bits. */
enum { AMD_FORMAT_OF_DESCRIPTOR = 1 << 7 };

/* How pack_color_amd makes 16 bits of each number: floats are rounded to zero, or become
 * fixed-point numbers; integers are clamped. */
typedef enum amd_pack {
    AMD_PACK_FLOAT,
    AMD_PACK_UNORM,
    AMD_PACK_SNORM,
    AMD_PACK_UINT,
    AMD_PACK_SINT,
} amd_pack;

extern const ir_level amd_hir_level;

#endif
