/* Removes moves of constants into registers that already hold them.
 *
 * Known contents are tracked through a block, and into the next one if it has no other predecessor.
 * A VGPR's content is known only for the lanes that were active, so it is forgotten when exec is
 * written.
 *
 *     v_mov_b32 v0, 0                  v_mov_b32 v0, 0
 *     buffer_store_dword v0, ...  ->   buffer_store_dword v0, ...
 *     v_mov_b32 v0, 0
 *     buffer_store_dword v0, ...       buffer_store_dword v0, ...
 */
#include "amd/post/lower.h"

enum { N_CODES = 512 };

/* A register's content is known if its stamp equals that of its bank. */
struct low_known {
    uint32_t now[2]; /* scalars, VGPRs */
    uint32_t stamp[N_CODES];
    uint32_t value[N_CODES]; /* where the stamp is now's */
};

static uint32_t
stamp_of(const low_known *k, unsigned code)
{
    return k->now[code >= AMD_REG_VGPR0];
}

static bool
holds(const low_known *k, unsigned code, uint32_t value)
{
    return k->stamp[code] == stamp_of(k, code) && k->value[code] == value;
}

static void
set(low_known *k, unsigned code, uint32_t value)
{
    k->value[code] = value;
    k->stamp[code] = stamp_of(k, code);
}

/* Forgets the registers that the instruction writes. */
static void
forget_written(low_known *k, const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    bool exec = row && (row->flags & AMD_F_EXEC_W);
    for (unsigned d = 0; d < i->n_defs; d++) {
        unsigned code = i->defs[d].reg / 4,
                 end = (i->defs[d].reg + amd_rc_bytes(i->defs[d].rc) + 3) / 4;
        exec |= code <= AMD_REG_EXEC_HI && end > AMD_REG_EXEC_LO;
        for (; code < end && code < N_CODES; code++)
            k->stamp[code] = 0;
    }
    if (exec)
        k->now[1]++;
}

/* True if the instruction moves a constant to its only definition, `n` registers from `*code`
 * on. */
static bool
is_constant_move(const ir_instr *i, unsigned *code, unsigned *n, uint32_t value[2])
{
    if (i->n_defs != 1)
        return false;
    ir_ref ref = i->n_refs ? i->refs[0] : ir_none();
    *code = i->defs[0].reg / 4;
    *n = 1;
    value[0] = ref.id;
    switch (i->op) {
    case AMD_V_MOV_B32:
        return ref.kind == IR_REF_CONST && !amd_form_ext(i) && !ir_words(i)[0] && i->n_refs == 1;
    case AMD_S_MOV_B32: return ref.kind == IR_REF_CONST && *code <= AMD_REG_M0;
    case AMD_S_MOVK_I32:
        value[0] = (uint32_t)(int32_t)(int16_t)ir_words(i)[0];
        return *code <= AMD_REG_M0;
    case AMD_S_MOV_B64:
        *n = 2;
        value[1] = (uint32_t)((int32_t)ref.id >> 31);
        return ref.kind == IR_REF_CONST && (ref.flags & IR_CONST64) && *code + 1 <= AMD_REG_M0;
    default: return false;
    }
}

static void
visit(low_known *k, ir_instr *i)
{
    unsigned code, n;
    uint32_t value[2] = {0};
    if (!is_constant_move(i, &code, &n, value)) {
        forget_written(k, i);
        return;
    }
    bool there = true;
    for (unsigned r = 0; r < n; r++) {
        there &= holds(k, code + r, value[r]);
        set(k, code + r, value[r]);
    }
    if (there)
        ir_unlink(i);
}

low_known *
amd_low_known_new(arena *a)
{
    low_known *k = arena_alloc(a, sizeof *k);
    memset(k->stamp, 0, sizeof k->stamp);
    k->now[0] = k->now[1] = 1;
    return k;
}

void
amd_low_remove_known_moves(low_known *k, const ir_block *b)
{
    const ir_edges *preds = &b->preds[1];
    if (preds->count != 1 || preds->at[0]->index + 1 != b->index) {
        k->now[0]++;
        k->now[1]++;
    }
    IR_FOREACH_INSTR(i, b)
        visit(k, i);
}
