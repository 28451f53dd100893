#define IR_HIR_EXTRA "ir/tiny_hir.def" /* src/ir includes it: a path below tests/unit */
#include "tiny_hir.h"
#include "ir/hir_table.h"

const ir_level tiny_hir_level = IR_HIR_LEVEL(op_table);
