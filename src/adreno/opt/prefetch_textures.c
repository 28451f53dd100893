/* prefetch_textures: textures that a fragment shader samples at once, at two neighbouring
 * components of a varying at the pixel's centre, are sampled before the wave starts. Their results
 * are inputs, for which the first reader waits by (sy).
 *
 *     BB0: %1, %2 = p_start                          BB0: %1, %2 = p_start
 *          %4 = BARY_F 2, %3                              %7 = p_prefetch %1, %2 imm:(place 2 ...)
 *          %5 = BARY_F 3, %3                ->       BB1: ...
 *          %7 = SAM_ANY (%4, %5)
 *
 * At most four, in 2D, with weights that are inputs themselves, texture and sampler by numbers in
 * the instruction: what SP_FS_PREFETCH can say, and what turnip does. The inputs get a block of
 * their own, so that nothing is moved before a prefetch. */
#include "adreno/adreno.h"
#include "adreno/opt/preamble.h"
#include "opt/opt.h"

typedef struct prefetching {
    ir_fn *f;
    ir_instr *start;
    ir_ref weights[2]; /* the input */
    unsigned n;
} prefetching;

/* The block of the program's inputs; NULL: it has none. */
static ir_block *
start_block(const ir_fn *f)
{
    ir_block *b = f->blocks[0];
    return b->first && b->first->op == ADRENO_P_START ? b : NULL;
}

/* Finds the weights at the pixel's centre among the inputs. */
static bool
find_weights(prefetching *t)
{
    const adreno_program *p = adreno_prog(t->f);
    const adreno_io *io = adreno_find_io(p, ADRENO_IO_IJ_PIXEL);
    const uint32_t reg = io ? io->reg : ADRENO_IO_NO_REG;
    for (unsigned d = 0; d + 1u < t->start->n_defs && reg != ADRENO_IO_NO_REG; d++) {
        if (t->start->defs[d].rc != ADRENO_F1 || t->start->defs[d].reg != 4 * reg)
            continue;
        t->weights[0] = ir_use(t->f, t->start->defs[d].id);
        t->weights[1] = ir_use(t->f, t->start->defs[d + 1].id);
        return true;
    }
    return false;
}

static bool
is_row_of(const ir_fn *f, ir_ref row, const ir_ref parts[2])
{
    const ir_instr *def = ir_def_of(f, row);
    if (!def || def->op != ADRENO_P_CREATE_VECTOR || def->n_refs != 2)
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (!ir_is_value(def->refs[k]) || def->refs[k].id != parts[k].id)
            return false;
    return true;
}

/* The place of a component of a varying that is interpolated at the pixel's centre; -1: it is
 * something else. */
static int
place_of(const prefetching *t, ir_ref r)
{
    const ir_instr *def = ir_def_of(t->f, r);
    if (!def || def->op != ADRENO_BARY_F || ir_words(def)[0] || def->defs[0].rc != ADRENO_F1 ||
        !is_row_of(t->f, def->refs[1], t->weights))
        return -1;
    return (int)def->refs[0].id;
}

/* The place of the first coordinate; -1: the instruction cannot be prefetched. */
static int
prefetched_place(const prefetching *t, const ir_instr *i)
{
    const uint32_t others = 1u << ADRENO_W_3D | 1u << ADRENO_W_A | 1u << ADRENO_W_O |
                            1u << ADRENO_W_S | 1u << ADRENO_W_P;
    if (i->op != ADRENO_SAM_ANY || i->n_refs != 1 || ir_words(i)[2] & others ||
        adreno_attr(i, 2, ADRENO_W_MODE, 3) != ADRENO_DESC_BINDLESS_IMM ||
        adreno_is_half_class(i->defs[0].rc))
        return -1;
    const ir_instr *row = ir_def_of(t->f, i->refs[0]);
    if (!row || row->op != ADRENO_P_CREATE_VECTOR || row->n_refs != 2)
        return -1;
    const int first = place_of(t, row->refs[0]);
    return first >= 0 && place_of(t, row->refs[1]) == first + 1 ? first : -1;
}

/* The inputs' instructions go to a block before the first one. */
static void
split_start(ir_fn *f)
{
    ir_block *main = f->blocks[0], *made = ir_block_new(f);
    ir_insert_block(f, made, 0);
    adreno_move_inputs(main, made);
    ir_append(made, ir_new_instr(f, ADRENO_JUMP, 0, 0));
    ir_add_edge(made, main, 0);
    ir_add_edge(made, main, 1);
}

static void
prefetch(prefetching *t, ir_instr *i, unsigned place)
{
    enum { PLACE_LOW = 8 };
    ir_instr *made = ir_new_instr(t->f, ADRENO_P_PREFETCH, 1, 2);
    made->loc = i->loc;
    made->defs[0] = i->defs[0];
    made->refs[0] = t->weights[0];
    made->refs[1] = t->weights[1];
    ir_words(made)[0] = ir_words(i)[0];
    ir_words(made)[1] = ir_words(i)[1] | place << PLACE_LOW;
    ir_words(made)[2] = ir_words(i)[2];
    t->f->values[i->defs[0].id].def = made;
    ir_insert_before(t->start->block->last, made);
    ir_unlink(i);
    t->n++;
}

void
adreno_prefetch_textures(ir_fn *f)
{
    ir_block *b = start_block(f);
    prefetching t = {.f = f, .start = b ? b->first : NULL};
    if (f->shader.stage != IR_STAGE_FRAGMENT || !b || !find_weights(&t))
        return;
    /* the first block that all fibres execute */
    ir_block *main = f->blocks[adreno_has_preamble(f) ? ADRENO_PREAMBLE_BLOCKS : 0];
    for (ir_instr *i = main->first, *next; i && t.n < ADRENO_MAX_PREFETCHES; i = next) {
        next = i->next;
        const int place = prefetched_place(&t, i);
        if (place < 0 || !ir_may_change(f->ctx))
            continue;
        if (main == f->blocks[0])
            split_start(f);
        prefetch(&t, i, (unsigned)place);
    }
    if (t.n)
        opt_dce(f);
}
