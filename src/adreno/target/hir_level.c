/* The level adreno_hir_level: HIR's rows and those of hir.def. */
#define IR_HIR_EXTRA "adreno/target/hir.def"
#include "adreno/target/hir_level.h"

#include "adreno/adreno.h"
#include "ir/hir_table.h"

_Static_assert(sizeof op_table / sizeof *op_table == ADRENO_HIR_OP_COUNT, "a row for each opcode");
_Static_assert((int)ADRENO_HIR_OP_COUNT <= (int)IR_HIR_OP_LIMIT, "within the tables of passes");

const ir_level adreno_hir_level = {
    IR_HIR_LEVEL_FIELDS(op_table),
    .program = adreno_program_fields,
    .program_size = sizeof(adreno_program),
};
