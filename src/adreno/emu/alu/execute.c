/* An operation in all fibres of a wave, with its repetitions.
 *
 * A source becomes a row: a number for each fibre, with signs applied. It is the register's own row
 * where nothing has to be changed. Kernels compute chunks of rows, those without an active fibre
 * left out, and what they give is put into the active fibres of the destination's row. Which
 * fibres have a value is a set for each source. What the instruction says is found once and kept
 * (plan). A shared destination is computed once, with what the first active fibre reads. */
#include "adreno/emu/alu/alu.h"
#include "adreno/emu/core/findings.h"
#include "base/bits.h"
#include "base/fp.h"

#include <string.h>

enum { EACH_FIBRE = -1 };

/* What an instruction says. */
typedef struct adreno_plan {
    adreno_operation operation;
    adreno_source sources[ADRENO_MAX_SOURCES];
    uint32_t literals[ADRENO_MAX_SOURCES];
    bool moves_on[ADRENO_MAX_SOURCES]; /* (r): counts with the repetitions */
    bool half_sources, half_result;
    bool is_shared;      /* the destination */
    bool chooses;        /* the result may have a value though a source has none */
    int64_t destination; /* of the first step */
    bool is_fixed;       /* the destination does not count with the repetitions */
} adreno_plan;

/* One repetition. */
typedef struct execution {
    adreno_wave *w;
    const adreno_plan *p;
    unsigned step;
    int fibre; /* the only one that is computed, or EACH_FIBRE */
    int64_t destination;
    const uint32_t *src[ADRENO_MAX_SOURCES];
    adreno_fibres defined[ADRENO_MAX_SOURCES], result_defined;
    uint32_t room[ADRENO_MAX_SOURCES][ADRENO_MAX_FIBRES], out[ADRENO_MAX_FIBRES];
} execution;

/* ---- the plan ---- */

/* up0.x, the predicate that the scalar ALU writes, is encoded as a0.x; neither it nor the address
 * registers move on. */
static void
plan_destination(adreno_plan *p)
{
    const adreno_inst *in = p->operation.in;
    const int64_t dst = in->f[ADRENO_F_dst];
    const bool is_address = in->op == ADRENO_MOVA || in->op == ADRENO_MOVA1;
    const bool is_uniform_predicate = p->operation.category == 2 && dst >= ADRENO_NUMBER_A0 &&
                                      dst < ADRENO_NUMBER_P0;
    p->is_fixed = is_address || is_uniform_predicate;
    p->destination = is_address             ? ADRENO_NUMBER_A0 + (in->op == ADRENO_MOVA1)
                     : is_uniform_predicate ? dst - ADRENO_NUMBER_A0 + ADRENO_NUMBER_P0
                                            : dst;
    p->is_shared = !in->f[ADRENO_F_dst_rel] && (adreno_is_shared(dst) || is_uniform_predicate);
}

static void
make_plan(const adreno_isa *t, const adreno_inst *in, adreno_plan *p)
{
    static const adreno_field flags[] = {ADRENO_F_r1, ADRENO_F_r2, ADRENO_F_r3};
    const bool is_dp = adreno_op_row(in->op)->format == ADRENO_FMT_CAT3_DP;
    const bool is_address = in->op == ADRENO_MOVA || in->op == ADRENO_MOVA1;
    *p = (adreno_plan){0};
    adreno_prepare(t, in, &p->operation);
    const bool moves = p->operation.category == 1;
    p->half_sources = is_address || adreno_is_half(in, moves ? ADRENO_BY_STYPE : ADRENO_BY_SRC);
    p->half_result = is_address ||
                     (!is_dp && adreno_is_half(in, moves ? ADRENO_BY_DTYPE : ADRENO_BY_DST));
    p->chooses = in->op == ADRENO_SEL_B16 || in->op == ADRENO_SEL_B32 || in->op == ADRENO_AND_B;
    for (unsigned i = 0; i < p->operation.n; i++) {
        p->sources[i] = adreno_source_of(t, in, i);
        adreno_literal_source(t, in, i, &p->literals[i]);
        p->moves_on[i] = in->f[ADRENO_F_repeat] && in->f[flags[i]];
    }
    plan_destination(p);
}

/* The plan of an instruction of the wave's code, made when it is first executed; in `room` if the
 * wave is of no run. */
static const adreno_plan *
plan_of(const adreno_wave *w, const adreno_inst *in, adreno_plan *room)
{
    if (!w->m) {
        make_plan(w->isa, in, room);
        return room;
    }
    adreno_plan **place = &w->m->plans[in - w->m->insts];
    if (!*place) {
        *place = ARENA_NEW(w->m->arena, adreno_plan);
        make_plan(w->isa, in, *place);
    }
    return *place;
}

/* ---- sources ---- */

static unsigned
lanes_of(const execution *e)
{
    const unsigned n = e->fibre == EACH_FIBRE ? e->w->n_fibres : 1;
    return (n + ADRENO_CHUNK - 1) / ADRENO_CHUNK * ADRENO_CHUNK;
}

static int64_t
address_of(const adreno_wave *w, unsigned fibre)
{
    return (int16_t)adreno_wave_read(w, fibre, ADRENO_NUMBER_A0, true);
}

/* A half constant is the lower part of its 32 bits; operations on floats of categories 2 and 3
 * convert them, because drivers store them as floats of 32 bits (with SP_MODE_CNTL's constant
 * demotion, which they set). */
static uint32_t
read_const(const execution *e, int64_t number)
{
    const adreno_operation *o = &e->p->operation;
    const bool half = e->p->half_sources;
    if (number < 0 || number >= (int64_t)e->w->n_consts)
        return 0;
    const uint32_t bits = e->w->consts[number];
    if (half && o->is_float && (o->category == 2 || o->category == 3))
        return base_f64_to_f16(base_fp_decode(bits, 32), BASE_ROUND_EVEN);
    return half ? bits & 0xffff : bits;
}

static uint32_t *
fill(execution *e, unsigned i, uint32_t value)
{
    const unsigned n = lanes_of(e);
    for (unsigned k = 0; k < n; k++)
        e->room[i][k] = value;
    return e->room[i];
}

/* Half registers of fibres, which lie in the whole ones if they are one file. */
static uint32_t *
gather_half(execution *e, unsigned i, unsigned number)
{
    const adreno_wave *w = e->w;
    uint32_t *room = e->room[i];
    if (!w->is_merged && number < ADRENO_NUMBER_A0) {
        for (unsigned k = 0; k < ADRENO_MAX_FIBRES; k++)
            room[k] = w->half[number][k];
        return room;
    }
    const bool is_special = number >= ADRENO_NUMBER_A0;
    const uint32_t *row = w->full[is_special ? number : number / 2];
    const unsigned shift = !is_special && number % 2 ? 16 : 0;
    for (unsigned k = 0; k < ADRENO_MAX_FIBRES; k++)
        room[k] = row[k] >> shift & 0xffff;
    return room;
}

static const uint32_t *
find_register(execution *e, unsigned i, int64_t number)
{
    const bool half = e->p->half_sources, is_one = e->fibre != EACH_FIBRE;
    const bool is_file = number >= 0 && number < ADRENO_REGISTERS;
    if (is_one || !is_file || adreno_is_shared(number) || number == ADRENO_NUMBER_A0 + 1)
        return fill(e, i, adreno_wave_read(e->w, is_one ? (unsigned)e->fibre : 0, number, half));
    return half ? gather_half(e, i, (unsigned)number) : e->w->full[number];
}

/* Each fibre has its own place, or all are one. */
static const uint32_t *
find_relative(execution *e, unsigned i, int64_t offset)
{
    const bool is_const = e->p->sources[i].kind == ADRENO_S_CONST_REL;
    const bool is_one = e->fibre != EACH_FIBRE;
    memset(e->room[i], 0, sizeof e->room[i]);
    ADRENO_FOREACH_FIBRE(f, e->w) {
        const int64_t number = address_of(e->w, f) + offset;
        e->room[i][is_one ? 0 : f] = is_const
                                         ? read_const(e, number)
                                         : adreno_wave_read(e->w, f, number, e->p->half_sources);
        if (is_one)
            break;
    }
    return e->room[i];
}

static int64_t
number_of(const execution *e, unsigned i)
{
    return e->p->sources[i].value + (e->p->moves_on[i] ? (int64_t)e->step : 0);
}

static void
find_source(execution *e, unsigned i)
{
    const adreno_operation *o = &e->p->operation;
    const int64_t number = number_of(e, i);
    const uint32_t *row;
    switch (e->p->sources[i].kind) {
    case ADRENO_S_REG: row = find_register(e, i, number); break;
    case ADRENO_S_CONST: row = fill(e, i, read_const(e, number)); break;
    case ADRENO_S_REG_REL:
    case ADRENO_S_CONST_REL: row = find_relative(e, i, number); break;
    default: row = fill(e, i, e->p->literals[i]); break;
    }
    e->src[i] = row;
    if (!o->absneg[i])
        return;
    if (row != e->room[i])
        memcpy(e->room[i], row, lanes_of(e) * sizeof *row);
    adreno_apply_sign(o, i, e->room[i], lanes_of(e));
    e->src[i] = e->room[i];
}

/* ---- whether sources have values ---- */

static adreno_fibres
all_or_none(bool all)
{
    adreno_fibres s;
    memset(&s, all ? 0xff : 0, sizeof s);
    return s;
}

/* The fibres whose register has a value. */
static adreno_fibres
defined_registers(const execution *e, int64_t number)
{
    const bool half = e->p->half_sources, is_one = e->fibre != EACH_FIBRE;
    unsigned n;
    if (is_one || adreno_is_shared(number) || number == ADRENO_NUMBER_A0 + 1)
        return all_or_none(
            adreno_wave_is_defined(e->w, is_one ? (unsigned)e->fibre : 0, number, half));
    adreno_fibres s = all_or_none(true);
    const unsigned first = adreno_unit_of(e->w, number, half, &n);
    for (unsigned u = first; u < first + n; u++)
        for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++)
            s.word[k] &= e->w->defined[u].word[k];
    return s;
}

static adreno_fibres
defined_source(const execution *e, unsigned i)
{
    const int64_t number = number_of(e, i);
    adreno_fibres s = all_or_none(true);
    if (e->p->sources[i].kind == ADRENO_S_REG)
        return defined_registers(e, number);
    if (e->p->sources[i].kind != ADRENO_S_REG_REL)
        return s;
    ADRENO_FOREACH_FIBRE(f, e->w) {
        if (!adreno_wave_is_defined(e->w, f, address_of(e->w, f) + number, e->p->half_sources))
            s.word[f / 64] &= ~(UINT64_C(1) << f % 64);
        if (e->fibre != EACH_FIBRE)
            return all_or_none(s.word[f / 64] >> f % 64 & 1);
    }
    return s;
}

/* A selection needs the source that it takes, and 0 is enough for and.b. */
static bool
gives_value(const execution *e, unsigned fibre)
{
    const unsigned lane = e->fibre == EACH_FIBRE ? fibre : 0;
    bool defined[ADRENO_MAX_SOURCES] = {true, true, true};
    for (unsigned i = 0; i < e->p->operation.n; i++)
        defined[i] = e->defined[i].word[fibre / 64] >> fibre % 64 & 1;
    if (e->p->operation.in->op == ADRENO_AND_B)
        return (defined[0] && defined[1]) || (defined[0] && !e->src[0][lane]) ||
               (defined[1] && !e->src[1][lane]);
    return defined[1] && defined[e->src[1][lane] ? 0 : 2];
}

static void
find_defined(execution *e)
{
    uint64_t undefined = 0;
    e->result_defined = all_or_none(true);
    for (unsigned i = 0; i < e->p->operation.n; i++) {
        e->defined[i] = defined_source(e, i);
        for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++) {
            e->result_defined.word[k] &= e->defined[i].word[k];
            undefined |= e->w->active[k] & ~e->result_defined.word[k];
        }
    }
    if (!undefined || !e->p->chooses)
        return;
    ADRENO_FOREACH_FIBRE(f, e->w)
        if (gives_value(e, f))
            e->result_defined.word[f / 64] |= UINT64_C(1) << f % 64;
}

/* ---- the result ---- */

/* Registers of other kinds than put_row's, fibre by fibre. */
static void
put_fibres(const execution *e)
{
    const bool half = e->p->half_result, is_relative = e->p->operation.in->f[ADRENO_F_dst_rel];
    ADRENO_FOREACH_FIBRE(f, e->w) {
        const int64_t dst = e->destination + (is_relative ? address_of(e->w, f) : 0);
        const bool defined = e->result_defined.word[f / 64] >> f % 64 & 1;
        adreno_wave_define(e->w, f, dst, half, defined);
        adreno_wave_write(e->w, f, dst, half, e->out[f]);
    }
}

/* A shared register; up0.x is written for all fibres. */
static void
put_shared(const execution *e)
{
    const unsigned fibre = (unsigned)e->fibre;
    const bool half = e->p->half_result, is_predicate = e->destination >= ADRENO_NUMBER_P0;
    const bool defined = e->result_defined.word[fibre / 64] >> fibre % 64 & 1;
    const unsigned first = is_predicate ? 0 : fibre;
    const unsigned end = is_predicate ? e->w->n_fibres : fibre + 1;
    for (unsigned f = first; f < end; f++) {
        adreno_wave_define(e->w, f, e->destination, half, defined);
        adreno_wave_write(e->w, f, e->destination, half, e->out[0]);
    }
}

static void
define_row(const execution *e)
{
    unsigned n;
    const unsigned first = adreno_unit_of(e->w, e->destination, e->p->half_result, &n);
    for (unsigned u = first; u < first + n; u++)
        for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++) {
            uint64_t *word = &e->w->defined[u].word[k];
            const uint64_t active = e->w->active[k];
            *word = (*word & ~active) | (active & e->result_defined.word[k]);
        }
}

static void
put_full(execution *e)
{
    uint32_t *row = e->w->full[e->destination];
    const bool is_predicate = e->destination >= ADRENO_NUMBER_P0;
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++) {
        uint64_t left = e->w->active[k];
        if (left == UINT64_MAX && !is_predicate) {
            memcpy(row + 64 * k, e->out + 64 * k, 64 * sizeof *row);
            continue;
        }
        for (; left; left &= left - 1) {
            const unsigned f = 64 * k + base_ctz64(left);
            row[f] = is_predicate ? e->out[f] != 0 : e->out[f];
        }
    }
}

static void
put_half(execution *e)
{
    adreno_wave *w = e->w;
    const unsigned number = (unsigned)e->destination, shift = number % 2 ? 16 : 0;
    for (unsigned k = 0; k < ADRENO_FIBRE_WORDS; k++)
        for (uint64_t left = w->active[k]; left; left &= left - 1) {
            const unsigned f = 64 * k + base_ctz64(left);
            uint32_t *holder = &w->full[number / 2][f];
            if (w->is_merged)
                *holder = (*holder & ~(0xffffu << shift)) | (e->out[f] & 0xffff) << shift;
            else
                w->half[number][f] = (uint16_t)e->out[f];
        }
}

static void
put_result(execution *e)
{
    const int64_t dst = e->destination;
    const bool is_predicate = dst >= ADRENO_NUMBER_P0 && dst < ADRENO_NUMBER_NONE;
    const bool is_row = dst < ADRENO_FIRST_SHARED || is_predicate;
    if (e->fibre != EACH_FIBRE) {
        put_shared(e);
        return;
    }
    if (!is_row || e->p->operation.in->f[ADRENO_F_dst_rel]) {
        put_fibres(e);
        return;
    }
    if (e->w->defined)
        define_row(e);
    if (e->p->half_result && !is_predicate)
        put_half(e);
    else
        put_full(e);
}

/* ---- the operation ---- */

static void
compute_rows(execution *e)
{
    const adreno_operation *o = &e->p->operation;
    const unsigned n = lanes_of(e);
    for (unsigned i = o->n; i < ADRENO_MAX_SOURCES; i++)
        e->src[i] = e->src[0];
    for (unsigned at = 0; at < n; at += ADRENO_CHUNK) {
        const uint64_t active = e->w->active[at / 64] >> at % 64 & base_mask64(ADRENO_CHUNK);
        if (!active && e->fibre == EACH_FIBRE)
            continue;
        const uint32_t *const src[] = {e->src[0] + at, e->src[1] + at, e->src[2] + at};
        o->kernel(o, src, e->out + at);
        adreno_finish(o, e->out + at, ADRENO_CHUNK);
    }
}

static void
execute_step(execution *e)
{
    for (unsigned i = 0; i < e->p->operation.n; i++)
        find_source(e, i);
    compute_rows(e);
    if (e->w->defined)
        find_defined(e);
    put_result(e);
}

/* Constants that nothing has written. */
static void
check_constants(adreno_wave *w, const adreno_plan *p)
{
    for (unsigned i = 0; i < p->operation.n; i++) {
        const adreno_source *s = &p->sources[i];
        const uint64_t last = (uint64_t)s->value + p->operation.in->f[ADRENO_F_repeat];
        if (s->kind == ADRENO_S_CONST && last < ADRENO_EMU_CONSTS &&
            !w->m->const_state[(uint64_t)s->value])
            adreno_find(w, ADRENO_RULE_UNDEFINED_CONST, -1, "c%u.%c", (unsigned)s->value / 4,
                        "xyzw"[s->value % 4]);
    }
}

bool
adreno_execute_alu(adreno_wave *w, const adreno_inst *in)
{
    adreno_plan room;
    if (adreno_execute_move(w, in))
        return true;
    const adreno_plan *p = plan_of(w, in, &room);
    if (!p->operation.kernel)
        return false;
    if (w->m && w->defined)
        check_constants(w, p);
    execution e;
    e.w = w;
    e.p = p;
    e.fibre = p->is_shared ? (int)adreno_wave_first(w) : EACH_FIBRE;
    if (p->is_shared && (unsigned)e.fibre == w->n_fibres)
        return true;
    for (e.step = 0; e.step <= in->f[ADRENO_F_repeat]; e.step++) {
        e.destination = p->destination + (p->is_fixed ? 0 : (int64_t)e.step);
        execute_step(&e);
    }
    return true;
}
