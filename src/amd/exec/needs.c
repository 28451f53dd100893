/* Which instructions of a fragment shader need whole quads, and which exact lanes.
 *
 * Whole quads are needed by what reads neighbours: derivatives (moves between the lanes of a quad),
 * samples whose level of detail follows from the neighbours' coordinates, parameters that are
 * loaded into quads, exports of a pair of lanes' colours. What computes their operands must have
 * run in the helper lanes too, so quads are whole from the start of the program: the need is
 * propagated backwards along the linear CFG.
 */
#include "amd/exec/exec.h"

#include "amd/isa/table/table.h"
#include "amd/target/hir_level.h"

#include <string.h>

/* The eight ways to choose a level of detail by derivatives, with and without an offset. */
#define BY_DERIVATIVES(op)                                                                         \
    case AMD_IMAGE_##op:                                                                           \
    case AMD_IMAGE_##op##_CL:                                                                      \
    case AMD_IMAGE_##op##_B:                                                                       \
    case AMD_IMAGE_##op##_B_CL:                                                                    \
    case AMD_IMAGE_##op##_C:                                                                       \
    case AMD_IMAGE_##op##_C_CL:                                                                    \
    case AMD_IMAGE_##op##_C_B:                                                                     \
    case AMD_IMAGE_##op##_C_B_CL:                                                                  \
    case AMD_IMAGE_##op##_O:                                                                       \
    case AMD_IMAGE_##op##_CL_O:                                                                    \
    case AMD_IMAGE_##op##_B_O:                                                                     \
    case AMD_IMAGE_##op##_B_CL_O:                                                                  \
    case AMD_IMAGE_##op##_C_O:                                                                     \
    case AMD_IMAGE_##op##_C_CL_O:                                                                  \
    case AMD_IMAGE_##op##_C_B_O:                                                                   \
    case AMD_IMAGE_##op##_C_B_CL_O

/* quad_perm controls are below 0x100; offsets of swizzles of quads have bit 15 set alone in their
 * upper byte (RDNA 2 ISA, "DPP16 controls", DS_SWIZZLE_B32). */
static bool
needs_quads(const ir_instr *i)
{
    enum { QUAD_PERM_END = 0x100, DPP_CONTROL = 0x1ff, SWIZZLE_QUADS = 0x8000 };
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    switch (i->op) {
        BY_DERIVATIVES(SAMPLE)
            : BY_DERIVATIVES(GATHER4)
            : case AMD_IMAGE_GET_LOD : case AMD_LDS_PARAM_LOAD : case AMD_DS_BPERMUTE_B32
            : case AMD_P_BPERMUTE : return true;
    case AMD_DS_SWIZZLE_B32: return (ir_words(i)[0] & 0xff00) == SWIZZLE_QUADS;
    default: break;
    }
    if (amd_exports_pairs(i))
        return true;
    if (!row || amd_words_of(i->op) != AMD_WORDS_VALU)
        return false;
    return row->fmt == AMD_VINTERP ||
           (amd_form_ext(i) == AMD_EXT_DPP16 && (ir_words(i)[1] & DPP_CONTROL) < QUAD_PERM_END);
}

/* Of both lanes of a pair, also where one of them is a helper (lower_colors.c). */
bool
amd_exports_pairs(const ir_instr *i)
{
    enum { TARGET = 63 };
    return i->op == AMD_EXPORT && ((ir_words(i)[0] & TARGET) == AMD_TARGET_DUAL_SOURCE ||
                                   (ir_words(i)[0] & TARGET) == AMD_TARGET_DUAL_SOURCE + 1);
}

/* An invocation's own memory is not an effect: helpers have it, too. */
bool
amd_needs_exact(const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (!row)
        return false;
    if (row->fmt == AMD_EXP)
        return true;
    bool own = row->fmt == AMD_SCRATCH || (amd_words_of(i->op) == AMD_WORDS_MEM &&
                                           ir_words(i)[2] & (AMD_SYNC_SCRATCH | AMD_SYNC_SPILL));
    return (row->flags & (AMD_F_STORE | AMD_F_ATOMIC)) && !own;
}

bool
amd_is_empty_arm(const ir_block *b)
{
    const ir_instr *i = b->first;
    while (i && (i->op == AMD_P_LOGICAL_START || i->op == AMD_P_LOGICAL_END ||
                 ir_has_flag(i, IR_OP_PHI)))
        i = i->next;
    return i && i->op == AMD_P_BRANCH;
}

ir_instr *
amd_last_quad_need(const ir_block *b)
{
    ir_instr *i = b->last;
    while (i && !needs_quads(i))
        i = i->prev;
    return i;
}

/* A block is passed by if an edge of the linear CFG leads from before it to behind it, or back from
 * behind it. Counts the edges that begin to pass blocks, and those that end, by block. In a
 * divergent if some blocks are passed by none, but have only lanes of one arm. */
static void
find_top(const ir_fn *f, arena *scratch, bool *top)
{
    arena_mark mark = arena_save(scratch);
    int32_t *change = ARENA_ARRAY(scratch, f->n_blocks + 2, int32_t), passing = 0;
    IR_FOREACH_BLOCK(b, f) {
        for (uint32_t s = 0; s < b->succs[1].count; s++) {
            uint32_t to = b->succs[1].at[s]->index;
            bool back = to <= b->index;
            change[back ? to : b->index + 1]++;
            change[back ? b->index + 1 : to]--;
        }
    }
    uint32_t ifs = 0, loops = 0; /* where masks are to be restored at their ends */
    IR_FOREACH_BLOCK(b, f) {
        passing += change[b->index];
        ifs -= (b->kind & IR_BLOCK_MERGE) != 0;
        loops -= b->kind & IR_BLOCK_LOOP_EXIT && loops;
        loops += (b->kind & IR_BLOCK_LOOP_HEADER) != 0;
        top[b->index] = passing == 0 && ifs == 0 && loops == 0;
        ifs += (b->kind & IR_BLOCK_BRANCH) != 0;
    }
    arena_release(scratch, mark);
}

static bool
propagate(const ir_fn *f, const bool *inside, bool *behind)
{
    bool changed = false;
    for (size_t k = f->n_blocks; k-- > 0;) {
        const ir_block *b = f->blocks[k];
        bool need = false;
        for (uint32_t s = 0; s < b->succs[1].count; s++) {
            uint32_t to = b->succs[1].at[s]->index;
            need |= inside[to] || behind[to];
        }
        changed |= need != behind[k];
        behind[k] = need;
    }
    return changed;
}

void
amd_find_quad_needs(const ir_fn *f, arena *a, amd_quad_needs *out)
{
    bool *inside = ARENA_ARRAY(a, f->n_blocks, bool);
    *out = (amd_quad_needs){.behind = ARENA_ARRAY(a, f->n_blocks, bool),
                            .top = ARENA_ARRAY(a, f->n_blocks, bool),
                            .demote = ARENA_ARRAY(a, f->n_blocks, bool)};
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            inside[b->index] |= needs_quads(i);
            out->demote[b->index] |= i->op == AMD_P_DEMOTE;
        }
        out->any |= inside[b->index];
        out->demotes |= out->demote[b->index];
    }
    find_top(f, f->ctx->scratch, out->top);
    while (out->any && propagate(f, inside, out->behind)) {
    }
}
