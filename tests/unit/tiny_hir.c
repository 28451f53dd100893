#define IR_HIR_EXTRA "tiny_hir.def"
#include "tiny_hir.h"
#include "ir/hir_table.h"

const ir_level tiny_hir_level = IR_HIR_LEVEL(op_table);
