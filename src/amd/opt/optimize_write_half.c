/* Results in the high halves of registers.
 *
 *     v1: %3 = v_add_f16 %1, %2
 *     v1: %5 = v_perm_b32 %3, %4, 0x5040100      ->    v1: %5 = v_add_f16 %1, %2, %4 op_sel:0x8
 *
 * Two numbers of 16 bits that were computed apart are packed into a register. An instruction that
 * can choose the half that it writes (op_sel, whose bit 3 is for the result) writes the second one
 * where it belongs, beside the first. The register's old value is then its last operand, tied to
 * the result (amd_tied): to liveness and register allocation both are one register. What cannot be
 * moved there is copied by v_mov_b16, unless find_halves makes the two numbers halves of their own.
 * Where there is SDWA instead, it chooses the half:
 *
 *     v1: %5 = v_add_f16 %1, %2, %4 dst_sel:5 dst_unused:2 src0_sel:6 src1_sel:6
 *
 * or the low half, if the number that stays is in the high one.
 */
#include "amd/opt/combine.h"
#include "amd/target/half.h"

#include <string.h>

/* v_perm's selections: the low half of its second source, and either half of its first one. */
enum { LOW_HALVES = 0x05040100, OUTER_HALVES = 0x07060100, ONE = 0x3f800000, MOST_SOURCES = 4 };

/* Does v_perm take these bytes? Before gfx10 they are a copy, because it has no literal. */
static bool
takes(const mopt_ctx *c, const ir_instr *i, uint32_t bytes)
{
    const ir_instr *copy = cg_def_of(&c->uses, i->refs[2]);
    bool is_copy = copy && copy->op == AMD_P_PARALLELCOPY && copy->n_defs == 1;
    return mopt_is_const(is_copy ? copy->refs[0] : i->refs[2], bytes);
}

static bool
writes_either_half(const mopt_ctx *c, const amd_op_info *row)
{
    const amd_operand *dst = amd_op_dst(row, 0);
    return dst && dst->role == AMD_ROLE_DST && amd_selects_result_half(c->p->target->gen, row);
}

/* Can `def` be done at `i` instead, with its result in the high half? */
static bool
can_write_high(const mopt_ctx *c, const ir_instr *def, const ir_instr *i)
{
    const amd_op_info *row = def && !amd_is_pseudo(def->op) ? amd_op_row((amd_op)def->op) : NULL;
    return row && amd_words_of(def->op) == AMD_WORDS_VALU && def->block == i->block &&
           def->n_defs == 1 && def->n_refs == amd_op_src_count(row) &&
           def->n_refs <= MOST_SOURCES && !def->form && !ir_words(def)[1] && !ir_words(def)[2] &&
           !amd_forbids_modifiers(c->p, def) && writes_either_half(c, row) &&
           cg_can_move_refs(def, i);
}

/* Turns `i` into `op` with the `n` references, of which the last is the register whose high half it
 * writes. */
static void
write_high(mopt_ctx *c, ir_instr *i, amd_op op, unsigned n, const ir_ref *refs)
{
    ir_ref *room = ARENA_ARRAY(c->f->arena, n > i->n_refs ? n : i->n_refs, ir_ref);
    memcpy(room, i->refs, i->n_refs * sizeof *room);
    i->refs = room;
    cg_set_refs(&c->uses, i, n, refs);
    i->op = (uint16_t)op;
}

/* v_mov_b16 has half the size of v_perm_b32. */
static bool
move_to_high(mopt_ctx *c, ir_instr *i, bool from_high)
{
    ir_ref refs[2] = {i->refs[0], i->refs[1]};
    if (!mopt_exists(c, AMD_V_MOV_B16) || !ir_is_value(refs[0]) || !amd_rc_is_vgpr(refs[0].rc))
        return false;
    write_high(c, i, AMD_V_MOV_B16, 2, refs);
    ir_words(i)[0] = (8u | from_high) << AMD_MOD_OPSEL;
    return true;
}

/* ---- by SDWA ---- */

enum { WORD_0 = 4, WORD_1 = 5, DWORD = 6 };

/* Can `def` be done at `i` instead, with its result in a half that SDWA chooses? */
static bool
can_write_part(const mopt_ctx *c, const ir_instr *def, const ir_instr *i)
{
    const uint32_t known = 3u << AMD_MOD_NEG | 3u << AMD_MOD_ABS | 1u << AMD_MOD_CLAMP;
    const amd_op_info *row = def && !amd_is_pseudo(def->op) ? amd_op_row((amd_op)def->op) : NULL;
    bool form = row && (row->fmt == AMD_VOP1 || row->fmt == AMD_VOP2) &&
                amd_op_has_sdwa((amd_op)def->op, c->p->target->gen);
    if (!form || def->block != i->block || def->n_defs != 1 || def->defs[0].rc != AMD_V1 ||
        def->n_refs != amd_op_src_count(row) || def->n_refs > 2 || amd_tied(def).ref >= 0 ||
        ir_words(def)[0] & ~known || ir_words(def)[1])
        return false;
    bool plain = !def->form && !ir_words(def)[2];
    bool whole = amd_form_ext(def) == AMD_EXT_SDWA &&
                 (ir_words(def)[2] & ((1u << AMD_SDWA_SRC0) - 1)) == DWORD;
    for (unsigned r = 0; r < def->n_refs; r++) {
        if (!ir_is_value(def->refs[r]) || def->refs[r].rc != AMD_V1)
            return false;
    }
    return (plain || whole) && cg_can_move_refs(def, i);
}

/* `i`, which packs the result of `def` with a half of `kept`, becomes `def` with its result in half
 * `part`. */
static bool
write_part(mopt_ctx *c, ir_instr *i, const ir_instr *def, ir_ref kept, uint32_t part)
{
    bool dies = ir_is_value(kept) && kept.rc == AMD_V1 && c->uses.count[kept.id] == 1;
    if (!dies || !can_write_part(c, def, i))
        return false;
    uint32_t sources = DWORD << AMD_SDWA_SRC0 | (def->n_refs > 1 ? DWORD << AMD_SDWA_SRC1 : 0);
    uint32_t word = ir_words(def)[0];
    if (def->form)
        sources = ir_words(def)[2] & ~((1u << AMD_SDWA_SRC0) - 1);
    ir_ref refs[MOST_SOURCES];
    memcpy(refs, def->refs, def->n_refs * sizeof *refs);
    refs[def->n_refs] = kept;
    write_high(c, i, (amd_op)def->op, def->n_refs + 1u, refs);
    i->form = amd_form(amd_op_row((amd_op)def->op)->fmt, AMD_EXT_SDWA);
    ir_words(i)[0] = word;
    ir_words(i)[2] = part | AMD_SDWA_PRESERVE << AMD_SDWA_DST_UNUSED | sources;
    return true;
}

bool
amd_opt_write_part(mopt_ctx *c, ir_instr *i)
{
    bool lows = takes(c, i, LOW_HALVES), ends = takes(c, i, OUTER_HALVES);
    unsigned moved = lows ? 0 : 1;
    if ((!lows && !ends) || mopt_has_words(i) || i->form)
        return false;
    return write_part(c, i, cg_single_def(&c->uses, i->refs[moved]), i->refs[!moved],
                      lows ? WORD_1 : WORD_0);
}

/* ---- by op_sel ---- */

/* The packing of a number that nothing else uses with a second one. */
bool
amd_opt_write_high(mopt_ctx *c, ir_instr *i)
{
    bool lows = takes(c, i, LOW_HALVES), ends = takes(c, i, OUTER_HALVES);
    ir_ref low = i->refs[1];
    bool dies = ir_is_value(low) && amd_rc_is_vgpr(low.rc) && c->uses.count[low.id] == 1;
    if (!dies || (!lows && !ends) || mopt_has_words(i) || i->form)
        return false;
    const ir_instr *def = lows ? cg_single_def(&c->uses, i->refs[0]) : NULL;
    if (!can_write_high(c, def, i))
        return move_to_high(c, i, ends);
    uint32_t word = ir_words(def)[0] | 8u << AMD_MOD_OPSEL;
    ir_ref refs[MOST_SOURCES + 1];
    memcpy(refs, def->refs, def->n_refs * sizeof *refs);
    refs[def->n_refs] = low;
    write_high(c, i, (amd_op)def->op, def->n_refs + 1u, refs);
    ir_words(i)[0] = word;
    return true;
}

/* x * 1 - 0 rounded to 16 bits, as selection converts the second number of a pair: where the
 * conversion can choose the half, it has the shorter encoding. */
bool
amd_opt_convert_to_high(mopt_ctx *c, ir_instr *i)
{
    const amd_op_info *row = amd_op_row(AMD_V_CVT_F16_F32);
    if (ir_words(i)[0] != 4u << AMD_MOD_NEG || !mopt_is_const(i->refs[1], ONE) ||
        !mopt_is_const(i->refs[2], 0) || i->n_refs != 4 || i->form ||
        !amd_is_half(c->p->target->gen, row, amd_op_dst(row, 0)))
        return false;
    ir_ref refs[2] = {i->refs[0], i->refs[3]};
    cg_set_refs(&c->uses, i, 2, refs);
    i->op = AMD_V_CVT_F16_F32;
    ir_words(i)[0] = 8u << AMD_MOD_OPSEL;
    return true;
}
