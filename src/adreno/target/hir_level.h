/* HIR with the opcodes of hir.def: the level of a function from lower_stage to selection. */
#ifndef ADRENO_TARGET_HIR_LEVEL_H
#define ADRENO_TARGET_HIR_LEVEL_H

#include "ir/hir.h"

typedef enum adreno_hir_op {
    ADRENO_HIR_BEFORE_FIRST = IR_HIR_OP_COUNT - 1,
#define INTR(id, n_defs, n_refs, attrs, flags, types) ADRENO_HIR_##id,
#include "adreno/target/hir.def"
    ADRENO_HIR_OP_COUNT,
} adreno_hir_op;

extern const ir_level adreno_hir_level;

#endif
