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

extern const ir_level amd_hir_level;

#endif
