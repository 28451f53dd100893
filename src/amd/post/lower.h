/* Lowering of pseudo instructions to hardware instructions: declarations that its files share.
 *
 * Lowered instructions name registers, not values: definitions and references are amd_phys. Copies
 * respect live special registers: scc is clobbered only where it is not live, and m0 is the scratch
 * register where it is not live.
 */
#ifndef AMD_LOWER_H
#define AMD_LOWER_H

#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "cg/parallel_copy.h"

/* Bits of ir_instr.mark for pseudo instructions, and of liveness between blocks. */
enum {
    LOW_SCC = 1,
    LOW_M0 = 2,
    LOW_VCC = 4,
    LOW_EXEC = 8,
};

/* Bytes of a constant to be put into registers. */
typedef struct low_const {
    ir_ref src;
    uint16_t dst, offset, size;
} low_const;

typedef struct low_ctx {
    ir_fn *f;
    amd_program *p;
    ir_instr *at;  /* new instructions are inserted before it */
    unsigned live; /* LOW_* live after the pseudo instruction (except those it writes itself) */
    cg_sequencer *seq;
    low_const *consts;
    size_t n_consts, cap_consts;
    uint16_t scratch_descriptor; /* SGPRs of the descriptor of scratch; 0: none */
    uint16_t spare_vgpr;         /* taken to swap parts of VGPRs; 0: none yet */
    ir_block **skips;            /* blocks that end with a branch on exec, in order */
    size_t n_skips, cap_skips;
} low_ctx;

/* ---- lower_emit.c ---- */

/* Inserts a new instruction before c->at, with definitions of their classes and references in
 * order; all have fixed registers. For scalar instructions that write scc, that definition is added
 * after `n_defs`. */
ir_instr *
amd_low_emit(low_ctx *c, unsigned op, unsigned n_defs, const ir_ref *defs, unsigned n_refs,
             const ir_ref *refs);
void
amd_low_1(low_ctx *c, unsigned op, ir_ref def, ir_ref a);
void
amd_low_2(low_ctx *c, unsigned op, ir_ref def, ir_ref a, ir_ref b);
ir_instr *
amd_low_3(low_ctx *c, unsigned op, ir_ref def, ir_ref a, ir_ref b, ir_ref d);

/* References to SGPRs, or VGPRs: `reg` is the physical register in bytes, `n` the number of
 * registers. */
static inline ir_ref
low_s(unsigned reg, unsigned n)
{
    return amd_phys(reg, n);
}

static inline ir_ref
low_v(unsigned reg, unsigned n)
{
    return amd_phys(reg, AMD_RC_VGPR | n);
}

/* Loads a 32-bit constant into an SGPR (or m0, vcc_lo ...), or into a VGPR. */
void
amd_low_load_const(low_ctx *c, unsigned reg, uint32_t value);

/* The operand itself or, if it is a literal that VOP3 does not take, m0 or vcc_lo, which is set to
 * it. */
ir_ref
amd_low_scalar(low_ctx *c, ir_ref r);

/* A scalar register that may be overwritten: m0, or vcc_lo if m0 is in use. Fails, naming `what`,
 * if both are. */
unsigned
amd_low_spare_scalar(const low_ctx *c, const char *what);

/* ---- lower_copies.c ---- */

/* Collects a copy: register bytes dst .. dst + size - 1 get those of `src` from byte `offset` on: a
 * register, a constant, or UNDEF. amd_low_end_copies makes all collected copies. */
void
amd_low_begin_copies(low_ctx *c);
void
amd_low_add_copy(low_ctx *c, unsigned dst, ir_ref src, unsigned offset, unsigned size);
void
amd_low_end_copies(low_ctx *c);

/* ---- lower_memory.c ---- */

/* Makes the descriptor of scratch from its argument, an address or (hsa) another descriptor. */
void
amd_low_start_scratch_buffer(low_ctx *c, const amd_arg *base, const amd_arg *offset);

/* Gives scratch_* and LDS instructions the form of targets before gfx9; runs after other
 * lowering. */
void
amd_low_finish_memory(low_ctx *c);

/* ---- lower_nsa.c ---- */

/* Makes image instructions of the block read their addresses from the registers they are in; runs
 * before other lowering. */
void
amd_low_form_nsa(ir_block *b);

/* ---- lower_known.c ---- */

/* What registers hold; nothing is known at first. */
typedef struct low_known low_known;

low_known *
amd_low_known_new(arena *a);

/* Removes moves of constants to registers that already hold them; runs after other lowering, on all
 * blocks in order. */
void
amd_low_remove_known_moves(low_known *k, const ir_block *b);

/* ---- lower_reduce.c ---- */

/* p_reduce and the scans: definitions result, lane mask, scc, vcc; references source, linear VGPRs.
 */
void
amd_low_reduce(low_ctx *c, const ir_instr *i);

/* ---- lower_bpermute.c ---- */

/* p_bpermute: definitions result, lane mask, scc; references value, lane index, and a linear VGPR
 * if the halves of a wave64 are to be exchanged. */
void
amd_low_bpermute(low_ctx *c, const ir_instr *i);

/* ---- lower_exec.c ---- */

/* Is `i` a write of exec that nothing reads? Instructions are marked with the registers that are
 * live after them. */
bool
amd_low_is_dead_exec(const ir_instr *i);

/* Removes those of c->skips that branch around a few vector instructions, which have no effect if
 * exec is empty. */
void
amd_low_remove_skips(const low_ctx *c);

/* ---- lower_half.c ---- */

/* A hardware instruction with halves of registers: it says which they are. */
void
amd_low_halves(const amd_target *t, ir_instr *i);

/* ---- lower_short.c ---- */

/* Gives the block's fused multiply-adds shorter encodings where registers and constants allow. */
void
amd_low_shorten(const ir_block *b);

/* ---- lower_spill.c ---- */

/* p_spill: (SGPRs, linear VGPR), slot = first lane, or (VGPRs), slot = byte offset in scratch;
 * p_reload: (linear VGPR), or (). A constant after the linear VGPR is the byte offset of a dword in
 * scratch whose lanes hold the value, and the linear VGPR is a temporary; the last definition is
 * then vcc, clobbered. */
void
amd_low_spill(low_ctx *c, const ir_instr *i);
void
amd_low_reload(low_ctx *c, const ir_instr *i);

#endif
