/* Descriptors that the program accesses through are fetched in the preamble, so that no fibre waits
 * for them: what is asked of them there goes to r63.x, which drops it. Storage buffers and images
 * are asked for their size, textures and samplers are sampled somewhere, uniform buffers give their
 * first word, as in turnip's code for a7xx. What the preamble itself reads is fetched by that. */
#include "adreno/adreno.h"
#include "adreno/opt/preamble.h"

enum { MOST = 32 /* of a program (ir3_nir_opt_prefetch_descriptors.c of Mesa) */ };

/* A descriptor: what it is asked by, its set, and its number or numbers. */
typedef struct descriptor {
    uint16_t op;
    bool is_read; /* by the preamble */
    uint32_t set, number;
} descriptor;

typedef struct descriptors {
    descriptor list[MOST];
    unsigned n;
} descriptors;

static bool
is_texture_and_sampler(const ir_instr *i)
{
    switch (i->op) {
    case ADRENO_SAM_ANY:
    case ADRENO_SAMB_ANY:
    case ADRENO_SAML_ANY:
    case ADRENO_SAMGQ_ANY:
    case ADRENO_GATHER4R_ANY:
    case ADRENO_GATHER4G_ANY:
    case ADRENO_GATHER4B_ANY:
    case ADRENO_GATHER4A_ANY:
        return adreno_attr(i, 2, ADRENO_W_MODE, 3) == ADRENO_DESC_BINDLESS_IMM;
    default: return false;
    }
}

/* The instruction's descriptor, if it is known; `op` is 0 if not. */
static descriptor
descriptor_of(const ir_instr *i)
{
    descriptor d = {.set = adreno_attr(i, 2, ADRENO_W_BASE, 3)};
    if (is_texture_and_sampler(i)) {
        d.op = ADRENO_SAM_ANY;
        d.number = ir_words(i)[1] & 0xff;
    } else if (adreno_has_fixed_descriptor(i)) {
        d.op = i->op == ADRENO_LDC ? ADRENO_LDC : ADRENO_RESINFO_B;
        d.number = i->refs[i->n_refs - 1].id;
    }
    return d;
}

static void
note(descriptors *all, const descriptor *d)
{
    for (unsigned k = 0; k < all->n; k++)
        if (all->list[k].op == d->op && all->list[k].set == d->set &&
            all->list[k].number == d->number)
            return;
    if (all->n < MOST)
        all->list[all->n++] = *d;
}

/* Without a definition the result is in the register of word 1. */
static void
fetch(ir_fn *f, const descriptor *d)
{
    const bool is_sam = d->op == ADRENO_SAM_ANY, is_ldc = d->op == ADRENO_LDC;
    ir_instr *i = ir_insert_new(adreno_preamble(f), d->op, 0, is_ldc ? 2 : 1);
    i->refs[0] = adreno_full(0);
    i->refs[is_ldc] = is_sam ? adreno_undef(adreno_class(false, 2)) : adreno_full(d->number);
    ir_words(i)[1] = is_sam ? d->number : ADRENO_NO_RESULT;
    adreno_set(i, 2, ADRENO_W_BASE, d->set);
    if (is_sam) {
        adreno_set(i, 2, ADRENO_W_MODE, ADRENO_DESC_BINDLESS_IMM);
        adreno_set(i, 2, ADRENO_W_MASK, 15);
    } else {
        adreno_set(i, 2, ADRENO_W_BINDLESS, 1);
    }
    adreno_set(i, 0, ADRENO_M_TYPE, is_sam ? ADRENO_F32 : ADRENO_U32);
}

void
adreno_prefetch_descriptors(ir_fn *f)
{
    descriptors all = {.n = 0};
    if (!adreno_prog(f)->target->prefetches)
        return;
    const bool has_preamble = adreno_has_preamble(f);
    IR_FOREACH_INSTR_OF(i, f) {
        descriptor d = descriptor_of(i);
        d.is_read = has_preamble && i->block->index < ADRENO_PREAMBLE_BLOCKS;
        if (d.op)
            note(&all, &d);
    }
    for (unsigned k = 0; k < all.n; k++)
        if (!all.list[k].is_read && ir_may_change(f->ctx))
            fetch(f, &all.list[k]);
}
