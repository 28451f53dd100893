/* Opcodes that selection wants, on targets that lack them: other opcodes stand in for them.
 *
 *     v_add_nc_u32 a, b        ->   v_add_co_u32 a, b, with a carry that nothing reads
 *     v_lshlrev_b64 n, a       ->   v_lshl_b64 a, n
 *     v_lshl_or_b32 a, n, b    ->   v_lshlrev_b32 n, a; v_or_b32 b
 *
 * A row of the table says how; its opcodes exist wherever the first one does not.
 */
#include "amd/select/select.h"

typedef enum how {
    CARRY,    /* `by` has a carry too */
    EXCHANGE, /* `by` has the first two sources exchanged */
    TWO,      /* `by` of sources 0 and 1, then `then` with source 2 */
    TWO_REV,  /* the same, and `by` has its sources exchanged */
} how;

typedef struct stand_in {
    uint16_t op, by, then;
    uint8_t how;
} stand_in;

static const stand_in rows[] = {
    {AMD_V_ADD_NC_U32, AMD_V_ADD_CO_U32, 0, CARRY},
    {AMD_V_SUB_NC_U32, AMD_V_SUB_CO_U32, 0, CARRY},
    {AMD_V_LSHLREV_B64, AMD_V_LSHL_B64, 0, EXCHANGE},
    {AMD_V_LSHRREV_B64, AMD_V_LSHR_B64, 0, EXCHANGE},
    {AMD_V_ASHRREV_I64, AMD_V_ASHR_I64, 0, EXCHANGE},
    {AMD_V_LSHL_OR_B32, AMD_V_LSHLREV_B32, AMD_V_OR_B32, TWO_REV},
};

bool
amd_sel_stand_in(sel *s, unsigned op, unsigned rc, const ir_ref *refs, ir_ref *out)
{
    const stand_in *row = rows, *end = rows + sizeof rows / sizeof *rows;
    ir_ref carry = ir_none();
    while (row < end && row->op != op)
        row++;
    if (row == end)
        return false;
    ir_ref a = refs[0], b = refs[1];
    bool is_sub = op == AMD_V_SUB_NC_U32;
    switch ((how)row->how) {
    case CARRY:
        if (!sel_is_vgpr(a) && !sel_is_vgpr(b))
            b = amd_sel_as_vgpr(s, b);
        *out = amd_sel_carry(s, is_sub, a, b, &carry);
        break;
    case EXCHANGE: *out = amd_sel_2(s, row->by, rc, b, a); break;
    case TWO: *out = amd_sel_2(s, row->then, rc, amd_sel_2(s, row->by, rc, a, b), refs[2]); break;
    case TWO_REV:
        *out = amd_sel_2(s, row->then, rc, amd_sel_2(s, row->by, rc, b, a), refs[2]);
        break;
    }
    return true;
}
