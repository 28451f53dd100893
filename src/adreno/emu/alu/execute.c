/* An operation in all fibres of a wave, with its repetitions. */
#include "adreno/emu/alu/alu.h"
#include "base/bits.h"
#include "base/fp.h"

#include <string.h>

/* One execution: repetition `step` in a fibre. */
typedef struct execution {
    adreno_wave *w;
    const adreno_inst *in;
    unsigned category, fibre, step;
    /* The same for all of them. */
    adreno_operation operation;
    unsigned n;
    adreno_source sources[ADRENO_MAX_SOURCES];
    uint32_t literals[ADRENO_MAX_SOURCES];
    bool half_sources, half_result;
    bool copies;         /* all 32 bits of a register or number */
    int64_t destination; /* unless it is relative */
} execution;

static int64_t
address_of(const execution *e)
{
    return (int16_t)adreno_wave_read(e->w, e->fibre, ADRENO_NUMBER_A0, true);
}

/* A half constant is the lower part of its 32 bits; operations on floats of categories 2 and 3
 * convert them, because drivers store them as floats of 32 bits (with SP_MODE_CNTL's constant
 * demotion, which they set). */
static uint32_t
read_const(const execution *e, int64_t number, bool half)
{
    const bool is_float = adreno_op_row(e->in->op)->type == ADRENO_T_F;
    if (number < 0 || number >= (int64_t)e->w->n_consts)
        return 0;
    const uint32_t bits = e->w->consts[number];
    if (half && is_float && (e->category == 2 || e->category == 3))
        return base_f64_to_f16(base_fp_decode(bits, 32), BASE_ROUND_EVEN);
    return half ? bits & 0xffff : bits;
}

/* With (r) a source moves on with the repetitions. */
static bool
moves_on(const execution *e, unsigned index)
{
    static const adreno_field flags[] = {ADRENO_F_r1, ADRENO_F_r2, ADRENO_F_r3};
    return e->in->f[ADRENO_F_repeat] && e->in->f[flags[index]];
}

static uint32_t
read_source(const execution *e, unsigned index)
{
    const adreno_source *s = &e->sources[index];
    const bool half = e->half_sources;
    const int64_t number = s->value + (moves_on(e, index) ? e->step : 0);
    switch (s->kind) {
    case ADRENO_S_REG: return adreno_wave_read(e->w, e->fibre, number, half);
    case ADRENO_S_REG_REL: return adreno_wave_read(e->w, e->fibre, address_of(e) + number, half);
    case ADRENO_S_CONST: return read_const(e, number, half);
    case ADRENO_S_CONST_REL: return read_const(e, address_of(e) + number, half);
    default: return e->literals[index];
    }
}

/* Whether what a source reads has a value. */
static bool
is_defined(const execution *e, unsigned index)
{
    const adreno_source *s = &e->sources[index];
    int64_t number = s->value + (moves_on(e, index) ? e->step : 0);
    if (s->kind == ADRENO_S_REG_REL)
        number += address_of(e);
    return (s->kind != ADRENO_S_REG && s->kind != ADRENO_S_REG_REL) ||
           adreno_wave_is_defined(e->w, e->fibre, number, e->half_sources);
}

/* Whether the result has a value: a selection needs the source that it takes. */
static bool
gives_value(const execution *e, const uint32_t src[ADRENO_MAX_SOURCES])
{
    bool defined[ADRENO_MAX_SOURCES] = {true, true, true};
    for (unsigned i = 0; i < e->n; i++)
        defined[i] = is_defined(e, i);
    switch (e->in->op) {
    case ADRENO_SEL_B16:
    case ADRENO_SEL_B32: return defined[1] && defined[src[1] ? 0 : 2];
    case ADRENO_AND_B:
        return (defined[0] && defined[1]) || (defined[0] && !src[0]) || (defined[1] && !src[1]);
    default: return defined[0] && defined[1] && defined[2];
    }
}

/* up0.x, the predicate that the scalar ALU writes, is encoded as a0.x; neither it nor the address
 * registers move on. */
static int64_t
fixed_destination(const execution *e)
{
    const int64_t dst = e->in->f[ADRENO_F_dst];
    if (e->in->op == ADRENO_MOVA || e->in->op == ADRENO_MOVA1)
        return ADRENO_NUMBER_A0 + (e->in->op == ADRENO_MOVA1);
    if (e->category == 2 && dst >= ADRENO_NUMBER_A0 && dst < ADRENO_NUMBER_P0)
        return dst - ADRENO_NUMBER_A0 + ADRENO_NUMBER_P0;
    return dst + e->step;
}

static int64_t
destination_of(const execution *e)
{
    return e->in->f[ADRENO_F_dst_rel] ? address_of(e) + e->destination : e->destination;
}

static bool
execute_once(execution *e)
{
    uint32_t src[ADRENO_MAX_SOURCES] = {0}, result;
    const bool half = e->half_result;
    for (unsigned i = 0; i < e->n; i++)
        src[i] = read_source(e, i);
    if (e->copies)
        result = src[0];
    else if (!adreno_compute_prepared(&e->operation, src, &result))
        return false;
    const int64_t dst = destination_of(e);
    if (e->w->defined)
        adreno_wave_define(e->w, e->fibre, dst, half, gives_value(e, src));
    adreno_wave_write(e->w, e->fibre, dst, half, result);
    return true;
}

static bool
is_shared(const execution *e)
{
    const unsigned dst = e->in->f[ADRENO_F_dst];
    const bool is_uniform_predicate = e->category == 2 && dst < ADRENO_NUMBER_P0;
    return dst >= ADRENO_FIRST_SHARED && !e->in->f[ADRENO_F_dst_rel] &&
           (dst < ADRENO_NUMBER_A0 || (is_uniform_predicate && dst >= ADRENO_NUMBER_A0));
}

/* up0.x is written for all fibres. */
static void
spread_predicate(const execution *e)
{
    const int64_t dst = destination_of(e);
    const uint32_t value = adreno_wave_read(e->w, e->fibre, dst, false);
    for (unsigned i = 0; dst >= ADRENO_NUMBER_P0 && i < e->w->n_fibres; i++)
        adreno_wave_write(e->w, i, dst, false, value);
    for (unsigned i = 0; dst >= ADRENO_NUMBER_P0 && i < e->w->n_fibres; i++)
        adreno_wave_define(e->w, i, dst, false, adreno_wave_is_defined(e->w, e->fibre, dst, false));
}

/* Finds what is the same for all fibres. */
static void
prepare(execution *e)
{
    const adreno_inst *in = e->in;
    const bool is_dp = adreno_op_row(in->op)->format == ADRENO_FMT_CAT3_DP;
    const bool is_address = in->op == ADRENO_MOVA || in->op == ADRENO_MOVA1,
               moves = e->category == 1;
    adreno_prepare(e->w->isa, in, &e->operation);
    e->n = e->operation.n;
    e->copies = in->op == ADRENO_MOV && in->f[ADRENO_F_stype] == ADRENO_U32 && !in->f[ADRENO_F_sat];
    e->half_sources = is_address || adreno_is_half(in, moves ? ADRENO_BY_STYPE : ADRENO_BY_SRC);
    e->half_result = is_address ||
                     (!is_dp && adreno_is_half(in, moves ? ADRENO_BY_DTYPE : ADRENO_BY_DST));
    for (unsigned i = 0; i < e->n; i++) {
        e->sources[i] = adreno_source_of(e->w->isa, in, i);
        adreno_literal_source(e->w->isa, in, i, &e->literals[i]);
    }
}

/* ---- whole registers ---- */

/* What most operations are: sources and result are whole registers of each fibre, a predicate, or
 * numbers, so that each is a row of the file, and whether it is defined a set of fibres. */
typedef struct rows {
    const uint32_t *from[ADRENO_MAX_SOURCES]; /* NULL: `number` for all */
    uint32_t number[ADRENO_MAX_SOURCES];
    uint32_t *to;
    adreno_fibres defined; /* the sources are */
    bool is_predicate;
} rows;

static bool
find_source(const execution *e, unsigned i, rows *r)
{
    const adreno_source *s = &e->sources[i];
    const int64_t number = s->value + (moves_on(e, i) ? e->step : 0);
    r->from[i] = NULL;
    r->number[i] = e->literals[i];
    if (s->kind == ADRENO_S_CONST)
        r->number[i] = read_const(e, number, false);
    if (s->kind != ADRENO_S_REG)
        return s->kind != ADRENO_S_REG_REL && s->kind != ADRENO_S_CONST_REL;
    if (number < 0 || number >= ADRENO_FIRST_SHARED)
        return false;
    r->from[i] = e->w->full[number];
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS && e->w->defined; k++)
        r->defined.word[k] &= e->w->defined[2 * number].word[k] &
                              e->w->defined[2 * number + 1].word[k];
    return true;
}

/* Finds the rows of a step. Returns false if the operation is none of these; one whose result may
 * have a value though a source has none is one only if all have. */
static bool
find_rows(const execution *e, rows *r)
{
    const int64_t dst = e->destination;
    bool undefined = false, depends = false;
    if (e->half_sources || e->half_result || e->in->f[ADRENO_F_dst_rel])
        return false;
    if (dst >= ADRENO_FIRST_SHARED && !(dst >= ADRENO_NUMBER_P0 && dst < ADRENO_NUMBER_NONE))
        return false;
    r->is_predicate = dst >= ADRENO_NUMBER_P0;
    r->to = e->w->full[dst];
    memset(&r->defined, 0xff, sizeof r->defined);
    for (unsigned i = 0; i < e->n; i++)
        if (!find_source(e, i, r))
            return false;
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++)
        undefined |= (e->w->active[k] & ~r->defined.word[k]) != 0;
    depends = e->in->op == ADRENO_SEL_B32 || e->in->op == ADRENO_AND_B;
    return !undefined || !depends;
}

static void
define_row(const execution *e, const rows *r)
{
    const unsigned first = 2 * (unsigned)e->destination;
    for (unsigned u = first; u < first + 2 && e->w->defined; u++)
        for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++) {
            uint64_t *word = &e->w->defined[u].word[k];
            const uint64_t active = e->w->active[k];
            *word = (*word & ~active) | (active & r->defined.word[k]);
        }
}

static bool
execute_rows(execution *e, const rows *r)
{
    uint32_t src[ADRENO_MAX_SOURCES] = {0}, result;
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++) {
        for (uint64_t left = e->w->active[k]; left; left &= left - 1) {
            const unsigned fibre = 64 * k + base_ctz64(left);
            for (unsigned i = 0; i < e->n; i++)
                src[i] = r->from[i] ? r->from[i][fibre] : r->number[i];
            if (e->copies)
                result = src[0];
            else if (!adreno_compute_prepared(&e->operation, src, &result))
                return false;
            r->to[fibre] = r->is_predicate ? result != 0 : result;
        }
    }
    define_row(e, r);
    return true;
}

/* ---- the operation ---- */

static bool
execute_fibres(execution *e)
{
    for (e->fibre = 0; e->fibre < e->w->n_fibres; e->fibre++) {
        if (!adreno_wave_is_active(e->w, e->fibre))
            continue;
        if (!execute_once(e))
            return false;
        if (is_shared(e)) {
            spread_predicate(e);
            break;
        }
    }
    return true;
}

bool
adreno_execute_alu(adreno_wave *w, const adreno_inst *in)
{
    execution e = {.w = w, .in = in, .category = (unsigned)(w->isa->value[in->op] >> 61)};
    if (e.category < 1 || e.category > 4)
        return false;
    if (adreno_execute_move(w, in))
        return true;
    prepare(&e);
    for (e.step = 0; e.step <= in->f[ADRENO_F_repeat]; e.step++) {
        e.destination = fixed_destination(&e);
        rows r;
        const bool whole = !is_shared(&e) && find_rows(&e, &r);
        if (whole ? !execute_rows(&e, &r) : !execute_fibres(&e))
            return false;
    }
    return true;
}
