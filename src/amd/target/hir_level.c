/* The level amd_hir_level: HIR's rows and those of hir.def. */
#define IR_HIR_EXTRA "amd/target/hir.def"
#include "amd/target/hir_level.h"
#include "amd/amd.h"
#include "ir/hir_table.h"

_Static_assert(sizeof op_table / sizeof *op_table == AMD_HIR_OP_COUNT, "a row for each opcode");
_Static_assert((int)AMD_HIR_OP_COUNT <= (int)IR_HIR_OP_LIMIT, "within the tables of passes");

const ir_level amd_hir_level = {
    IR_HIR_LEVEL_FIELDS(op_table),
    .program = amd_program_fields,
    .program_size = sizeof(amd_program),
};
