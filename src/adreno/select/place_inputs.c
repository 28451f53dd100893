/* Gives the attributes of a vertex shader registers in which outputs pass them on.
 *
 *     attribute 0.xyz, attribute 1.xy                         r0.xyz, r1.xy
 *     position = (attribute 0, 1), output 0 = attribute 1     r0.xyzw, r1.xy: w alone is moved
 *
 * An output is up to four registers in a row, and an attribute is fetched to any ones
 * (VFD_DEST_CNTL of freedreno's register descriptions). So an attribute whose components an output
 * passes on as they were fetched stands where the output will be, with room beside it for the
 * output's other components; it stands with the first such output. Allocation finds the operands in
 * place. The other inputs follow, each in registers of its own. Linear in the components of inputs
 * and outputs. */
#include "adreno/select/stage.h"
#include "base/bits.h"

enum { BIAS = 4 }; /* An attribute begins up to three registers before the output. */

/* Where a component of an output comes from. */
typedef struct source {
    uint8_t row, component;
} source;

typedef struct placing {
    adreno_program *p;
    adreno_io_refs *io;
    source *from; /* by result of p_start */
    uint32_t first, n_from;
    unsigned end; /* of the registers that are taken */
    bool placed[ADRENO_MAX_IO];
} placing;

/* An output, and the attributes that stand where it will be. */
typedef struct cluster {
    uint32_t out;
    unsigned whole, taken; /* its registers, theirs: from BIAS before it on */
    unsigned n;
    uint8_t row[4];
    int8_t at[4]; /* of an attribute's x from the output's */
} cluster;

/* ---- what is passed on ---- */

static void
find_sources(placing *pl, const ir_instr *start, arena *a)
{
    unsigned d = 0;
    pl->first = start->n_defs ? start->defs[0].id : 0;
    pl->n_from = start->n_defs;
    pl->from = ARENA_ARRAY(a, start->n_defs + 1, source);
    for (uint32_t k = 0; k < pl->p->n_io; k++)
        for (unsigned c = 0; c < 4 && pl->p->io[k].kind < ADRENO_IO_VARYING; c++)
            if (pl->p->io[k].mask >> c & 1)
                pl->from[d++] = (source){.row = (uint8_t)k, .component = (uint8_t)c};
}

/* The component of an attribute that a reference is; NULL: it is something else. */
static const source *
source_of(const placing *pl, ir_ref r)
{
    if (r.kind != IR_REF_VALUE || r.id - pl->first >= pl->n_from)
        return NULL;
    const source *from = &pl->from[r.id - pl->first];
    return pl->p->io[from->row].kind == ADRENO_IO_ATTRIBUTE ? from : NULL;
}

/* The components of output `out` that are those of attribute `row`, if it begins at `at`. */
static unsigned
passed_on(const placing *pl, uint32_t out, unsigned row, int at)
{
    unsigned mask = 0;
    for (int c = 0; c < 4; c++) {
        const source *from = source_of(pl, pl->io[out][c]);
        if (from && from->row == row && at + from->component == c)
            mask |= 1u << c;
    }
    return mask;
}

/* ---- placing ---- */

static void
give(placing *pl, uint32_t row, unsigned reg)
{
    pl->p->io[row].reg = (uint16_t)reg;
    pl->placed[row] = true;
}

/* Adds the attribute that component `c` of the output comes from, if it fits. */
static void
add(const placing *pl, cluster *to, const source *from, int c)
{
    const int at = c - from->component;
    const unsigned mask = (unsigned)pl->p->io[from->row].mask << (BIAS + at);
    const unsigned own = passed_on(pl, to->out, from->row, at) << BIAS;
    if (mask & (to->taken | (to->whole & ~own)))
        return;
    to->taken |= mask;
    to->row[to->n] = from->row;
    to->at[to->n++] = (int8_t)at;
}

static void
place_around(placing *pl, uint32_t out)
{
    cluster around = {.out = out,
                      .whole = ((1u << base_bit_width(pl->p->io[out].mask)) - 1) << BIAS};
    for (int c = 0; c < 4; c++) {
        const source *from = source_of(pl, pl->io[out][c]);
        if (from && !pl->placed[from->row])
            add(pl, &around, from, c);
    }
    int before = 0;
    for (unsigned k = 0; k < around.n; k++)
        before = around.at[k] < before ? around.at[k] : before;
    for (unsigned k = 0; k < around.n; k++)
        give(pl, around.row[k], pl->end + (unsigned)(around.at[k] - before));
    if (around.n)
        pl->end += base_bit_width((around.taken | around.whole) >> (BIAS + before));
}

static void
fix(const placing *pl, ir_instr *start)
{
    for (unsigned d = 0; d < start->n_defs; d++) {
        const source *from = &pl->from[d];
        const unsigned reg = pl->p->io[from->row].reg + from->component;
        start->defs[d] = ir_fixed(start->defs[d], 4 * reg);
    }
}

void
adreno_place_attributes(adreno_sel *s)
{
    placing pl = {.p = s->p, .io = s->io};
    find_sources(&pl, s->start, s->f->arena);
    for (uint32_t k = 0; k < s->p->n_io; k++)
        if (s->p->io[k].kind == ADRENO_IO_OUTPUT)
            place_around(&pl, k);
    for (uint32_t k = 0; k < s->p->n_io; k++) {
        if (s->p->io[k].kind >= ADRENO_IO_VARYING || pl.placed[k])
            continue;
        give(&pl, k, pl.end);
        pl.end += base_bit_width(s->p->io[k].mask);
    }
    fix(&pl, s->start);
}
