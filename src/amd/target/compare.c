/* Relations between comparisons (compares.def). Rules ask rarely, so the rows are searched. */
#include "amd/target/compare.h"

typedef struct compare_row {
    uint16_t op, inverse, exec, exec_inverse;
} compare_row;

#define SCALAR(a, b) {AMD_S_##a, AMD_S_##b, 0, 0},
#define SCALARS(t)                                                                                 \
    SCALAR(CMP_LT_##t, CMP_NLT_##t)                                                                \
    SCALAR(CMP_EQ_##t, CMP_NEQ_##t)                                                                \
    SCALAR(CMP_LE_##t, CMP_NLE_##t)                                                                \
    SCALAR(CMP_GT_##t, CMP_NGT_##t)                                                                \
    SCALAR(CMP_LG_##t, CMP_NLG_##t) SCALAR(CMP_GE_##t, CMP_NGE_##t) SCALAR(CMP_O_##t, CMP_U_##t)
static const compare_row rows[] = {
#define COMPARE(a, b) {AMD_V_CMP_##a, AMD_V_CMP_##b, AMD_V_CMPX_##a, AMD_V_CMPX_##b},
#include "amd/target/compares.def"
#undef COMPARE
    SCALAR(CMP_EQ_U32, CMP_LG_U32) SCALAR(CMP_EQ_I32, CMP_LG_I32) SCALAR(CMP_EQ_U64, CMP_LG_U64)
        SCALAR(CMP_LT_I32, CMP_GE_I32) SCALAR(CMP_LT_U32, CMP_GE_U32) SCALAR(CMP_GT_I32, CMP_LE_I32)
            SCALAR(CMP_GT_U32, CMP_LE_U32) SCALAR(BITCMP0_B32, BITCMP1_B32)
                SCALAR(BITCMP0_B64, BITCMP1_B64) SCALARS(F16) SCALARS(F32)};

/* The row of `op`; `*second` tells that it is the pair's other one. */
static const compare_row *
find(unsigned op, bool *second)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        *second = rows[k].inverse == op;
        if (rows[k].op == op || *second)
            return &rows[k];
    }
    return NULL;
}

unsigned
amd_inverse_compare(unsigned op)
{
    bool second;
    const compare_row *row = find(op, &second);
    return !row ? AMD_OP_INVALID : second ? row->op : row->inverse;
}

unsigned
amd_exec_compare(const amd_target *t, unsigned op)
{
    bool second;
    const compare_row *row = find(op, &second);
    unsigned exec = !row ? AMD_OP_INVALID : second ? row->exec_inverse : row->exec;
    bool has = exec != AMD_OP_INVALID && amd_op_number((amd_op)exec, AMD_VOPC, t->gen) >= 0;
    return has ? exec : AMD_OP_INVALID;
}

bool
amd_exec_compare_has_mask(const amd_target *t, unsigned op)
{
    return amd_operand_kind(t->gen, amd_op_dst(amd_op_row((amd_op)op), 0)) != AMD_K_EXEC;
}
