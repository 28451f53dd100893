/* HIR with the extensions of a made-up back end. */
#ifndef TEST_TINY_HIR_H
#define TEST_TINY_HIR_H

#include "ir/hir.h"

enum {
    TINY_HIR_BEFORE_FIRST = IR_HIR_OP_COUNT - 1,
#define INTR(id, n_defs, n_refs, attrs, flags, types) TINY_HIR_##id,
#include "tiny_hir.def"
    TINY_HIR_OP_COUNT,
};

extern const ir_level tiny_hir_level;

#endif
