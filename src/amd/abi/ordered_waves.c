/* Interlocks of gfx9 to gfx10.3: a wave waits by its number.
 *
 * A packer numbers the waves that it hands out, modulo 2^10, and says which one ends next. The
 * hardware gives each wave an SGPR: its number (9:0), that of the newest wave that has pixels of it
 * (25:16), the packer's (28 on) and whether there is such a wave (31). Numbers are compared from
 * the wave's own on. The wave says that it is over where it ends (s_endpgm_ordered_ps_done), since
 * a message in divergent control flow might be sent for some lanes while others are in the section.
 *
 *     set the packer; loop { if (there is none, or it has ended) break; sleep; }
 *
 * Source: what RADV 26.2.6 makes of interlocks on gfx9 and gfx10.3.
 */
#include "amd/abi/fragment.h"

#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"
#include "ir/analysis.h"

enum { NUMBER_BITS = 10, NEWEST_AT = 16, PACKER_AT = 28, OVERLAPS_AT = 31 };

bool
amd_abi_waits_by_numbers(const amd_abi *a)
{
    return amd_abi_own_fragment(a)->interlocks && amd_has(a->p->target, packer_bits);
}

static ir_ref
field(amd_abi *a, unsigned at, unsigned bits)
{
    ir_ref v = amd_abi_load_arg(a, amd_abi_own_fragment(a)->collision_arg);
    return irb_ubitfield_extract(&a->b, v, amd_abi_imm(a, at), amd_abi_imm(a, bits));
}

/* The register also says that there is one to wait for. */
static void
set_packer(amd_abi *a, ir_ref overlaps)
{
    ir_builder *b = &a->b;
    ir_ref one = amd_abi_imm(a, 1),
           packer = field(a, PACKER_AT, amd_has(a->p->target, packer_bits));
    if (amd_has(a->p->target, has_packer_register))
        packer = irb_ishl(b, packer, one);
    ir_ref v = irb_bcsel(b, overlaps, irb_iadd(b, packer, one), amd_abi_imm(a, 0));
    ir_build_intr(b, AMD_HIR_set_packer_amd, 0, &v, 1);
}

/* The newest wave's number, counted from the own one on; gfx9 leaves one out where numbers begin
 * anew. */
static ir_ref
newest_from(amd_abi *a, ir_ref number, ir_ref from)
{
    ir_builder *b = &a->b;
    ir_ref newest = field(a, NEWEST_AT, NUMBER_BITS);
    if (!amd_has(a->p->target, has_packer_register)) {
        ir_ref skipped = irb_bcsel(b, irb_ult(b, number, newest), amd_abi_imm(a, 1),
                                   amd_abi_imm(a, 0));
        newest = irb_iadd(b, newest, skipped);
    }
    return irb_iadd(b, newest, from);
}

typedef struct wait_blocks {
    ir_block *header, *then, *otherwise, *merge, *cont, *rest;
} wait_blocks;

/* Puts the blocks behind `before` in the function's order. */
static void
place_blocks(ir_fn *f, const ir_block *before, const wait_blocks *w)
{
    ir_block *const made[] = {w->header, w->then, w->otherwise, w->merge, w->cont, w->rest};
    ir_block **old = f->blocks;
    size_t n = f->n_blocks;
    f->blocks = NULL;
    f->n_blocks = f->cap_blocks = 0;
    for (size_t k = 0; k < n; k++) {
        ir_append_block(f, old[k]);
        for (unsigned m = 0; old[k] == before && m < 6; m++)
            ir_append_block(f, made[m]);
    }
}

static void
expand(amd_abi *a, ir_instr *begin)
{
    ir_builder *b = &a->b;
    ir_fn *f = a->f;
    ir_block *before = begin->block;
    ir_builder_before(b, begin);
    ir_ref overlaps = irb_ine(b, field(a, OVERLAPS_AT, 1), amd_abi_imm(a, 0));
    set_packer(a, overlaps);
    ir_ref number = field(a, 0, NUMBER_BITS), from = irb_isub(b, amd_abi_imm(a, ~0u), number);
    ir_ref zero = amd_abi_imm(a, 0), one = amd_abi_imm(a, 1); /* 0 is before 1 */
    ir_ref newest = irb_bcsel(b, overlaps, newest_from(a, number, from), zero);
    wait_blocks w = {.rest = ir_split_block(begin)};
    ir_block **const made[] = {&w.header, &w.then, &w.otherwise, &w.merge, &w.cont};
    for (unsigned k = 0; k < 5; k++)
        *made[k] = ir_block_new(f);
    ir_builder_at_end(b, before);
    ir_build_loop(b, w.header, w.rest, w.cont);
    ir_builder_at_end(b, w.header);
    ir_ref exiting = ir_build_intr(b, AMD_HIR_exiting_wave_amd, IR_I32, NULL, 0);
    exiting = irb_bcsel(b, overlaps, irb_iadd(b, exiting, from), one);
    ir_build_if(b, irb_ult(b, newest, exiting), w.then, w.otherwise, w.merge);
    ir_builder_at_end(b, w.then);
    ir_build_jump(b, w.rest);
    ir_builder_at_end(b, w.otherwise);
    ir_build_intr(b, AMD_HIR_sleep_amd, 0, NULL, 0);
    ir_build_jump(b, w.merge);
    ir_builder_at_end(b, w.merge);
    ir_build_jump(b, w.cont);
    ir_builder_at_end(b, w.cont);
    ir_build_jump(b, w.header);
    ir_unlink(begin);
    place_blocks(f, before, &w);
}

void
amd_abi_wait_by_numbers(amd_abi *a)
{
    ir_instr *begin;
    while ((begin = ir_find_op(a->f, IR_begin_interlock)) != NULL)
        expand(a, begin);
    amd_set_field(a->p, AMD_HW_PA_SC_SHADER_CONTROL_LOAD_COLLISION_WAVEID, 1);
    ir_compute_dominance(a->f);
    ir_compute_loops(a->f);
}
