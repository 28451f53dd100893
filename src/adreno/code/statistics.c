/* The figures that Mesa's drivers give for a shader (ir3_collect_info), of any code. */
#include "adreno/code/code.h"

#include "adreno/emu/check/uses.h"
#include "adreno/emu/core/alias.h"
#include "adreno/isa/table/table.h"

#include <string.h>

/* In the order in which users see them. full and half: registers of four components, where both are
 * one file as full ones. ss_stall: cycles for which (ss) is expected to wait. */
#define FIGURES(X)                                                                                 \
    X(words)                                                                                       \
    X(instructions)                                                                                \
    X(nops)                                                                                        \
    X(movs)                                                                                        \
    X(covs)                                                                                        \
    X(full)                                                                                        \
    X(half)                                                                                        \
    X(ss)                                                                                          \
    X(sy)                                                                                          \
    X(ss_stall)                                                                                    \
    X(cat0)                                                                                        \
    X(cat1)                                                                                        \
    X(cat2)                                                                                        \
    X(cat3)                                                                                        \
    X(cat4)                                                                                        \
    X(cat5)                                                                                        \
    X(cat6)                                                                                        \
    X(cat7)                                                                                        \
    X(preamble)

typedef struct statistics {
#define X(name) uint32_t name;
    FIGURES(X)
#undef X
} statistics;

typedef struct counter {
    const adreno_isa *isa;
    bool merged;     /* full and half registers are one file */
    bool preamble;   /* between shps and shpe, which count on their own */
    uint32_t waited; /* cycles until what (ss) waits for is there */
    /* Whole and half registers that stand for something else in the next texture instruction. */
    bool aliased[2][ADRENO_REGISTERS];
    statistics s;
} counter;

enum { SLOW_CYCLES = 10, SHARED_CYCLES = 6 };

/* Cycles until (ss) need not wait for its result; 0: another flag waits for it, or none. */
static uint32_t
ss_cycles(const adreno_inst *in, const adreno_uses *u)
{
    switch (in->op) {
    case ADRENO_LDL:
    case ADRENO_LDLW:
    case ADRENO_LDLV: return SLOW_CYCLES;
    case ADRENO_SHFL:
    case ADRENO_RESINFO:
    case ADRENO_RESINFO_B: return SHARED_CYCLES;
    default: break;
    }
    if (adreno_category_of(in->op) == 4)
        return SLOW_CYCLES;
    for (uint32_t k = 0; k < u->n; k++)
        if (u->list[k].write && adreno_is_shared(u->list[k].reg))
            return SHARED_CYCLES;
    return 0;
}

static void
count_registers(counter *c, const adreno_inst *in, const adreno_uses *u)
{
    enum { GENERAL = 48 * 4 };
    for (uint32_t k = 0; k < u->n; k++) {
        const adreno_use *use = &u->list[k];
        uint32_t end = use->reg + use->count + (use->steps ? in->f[ADRENO_F_repeat] : 0);
        while (!use->write && end > use->reg && c->aliased[use->half][end - 1])
            end = end - 1 > use->reg ? end - 1 : 0;
        const uint32_t rows = (end + 3) / 4, full = use->half ? (rows + 1) / 2 : rows;
        if (use->reg >= GENERAL)
            continue;
        if (use->half && !c->merged)
            c->s.half = rows > c->s.half ? rows : c->s.half;
        else
            c->s.full = full > c->s.full ? full : c->s.full;
    }
}

static void
count_alias(counter *c, const adreno_inst *in)
{
    const adreno_source s = adreno_read_move(in);
    const bool half = !in->f[ADRENO_F_tsize];
    const adreno_uses u = {
        .n = s.kind == ADRENO_S_REG,
        .list = {{.reg = (uint16_t)s.value, .count = 1, .half = half, .write = true}}};
    if (!adreno_is_texture_alias(in))
        return;
    c->aliased[half][in->f[ADRENO_F_dst]] = true;
    count_registers(c, in, &u);
}

static uint32_t
nops_of(const adreno_inst *in, unsigned category)
{
    if (in->op == ADRENO_NOP)
        return 1 + in->f[ADRENO_F_repeat];
    const bool has = (category == 2 || category == 3) && !in->f[ADRENO_F_repeat];
    return has ? in->f[ADRENO_F_r1] | in->f[ADRENO_F_r2] << 1 : 0;
}

static void
count_waits(counter *c, const adreno_inst *in, const adreno_uses *u, uint32_t cycles)
{
    if (in->f[ADRENO_F_ss]) {
        c->s.ss++;
        c->s.ss_stall += c->waited;
        c->waited = 0;
    }
    c->s.sy += in->f[ADRENO_F_sy] != 0;
    const uint32_t slow = ss_cycles(in, u);
    if (slow)
        c->waited = slow;
    else
        c->waited -= c->waited < cycles ? c->waited : cycles;
}

/* How often an instruction counts: swz moves twice, movmsk writes each of its registers. */
static uint32_t
times_of(const adreno_inst *in)
{
    switch (in->op) {
    case ADRENO_NOP: return 0;
    case ADRENO_SWZ: return 2;
    case ADRENO_MOVMSK: return 1 + in->f[ADRENO_F_width];
    default: return 1 + in->f[ADRENO_F_repeat];
    }
}

static void
count_instruction(counter *c, const adreno_inst *in)
{
    statistics *s = &c->s;
    uint32_t *const categories[] = {&s->cat0, &s->cat1, &s->cat2, &s->cat3,
                                    &s->cat4, &s->cat5, &s->cat6, &s->cat7};
    adreno_uses u;
    if (in->op == ADRENO_RAW)
        return;
    const unsigned category = adreno_category_of(in->op);
    const uint32_t nops = nops_of(in, category);
    const uint32_t times = times_of(in);
    c->preamble |= in->op == ADRENO_SHPS;
    if (c->preamble) {
        s->preamble += times + nops;
        c->preamble = in->op != ADRENO_SHPE;
        return;
    }
    adreno_find_uses(c->isa, in, &u);
    s->instructions += times + nops;
    s->nops += nops;
    *categories[category] += times;
    s->cat0 += nops;
    s->movs += in->op == ADRENO_MOV ? times : 0;
    s->covs += in->op == ADRENO_COV ? times : 0;
    count_registers(c, in, &u);
    if (in->op == ADRENO_ALIAS)
        count_alias(c, in);
    if (category == 5)
        memset(c->aliased, 0, sizeof c->aliased);
    count_waits(c, in, &u, times + nops);
}

/* The words up to the last `end`. */
static uint32_t
words_of(const adreno_isa *isa, const obj_code *code)
{
    adreno_inst in;
    uint32_t n = code->data_offset / ADRENO_WORD_BYTES;
    while (n > 0) {
        adreno_decode(isa, adreno_read_word(code->code + (size_t)(n - 1) * ADRENO_WORD_BYTES), &in);
        if (in.op == ADRENO_END)
            break;
        n--;
    }
    return n ? n : code->data_offset / ADRENO_WORD_BYTES;
}

void
adreno_count_code(arena *scratch, const family_target *t, const obj_code *code, family_figures *out)
{
    const adreno_chip *chip = t->own;
    counter c = {.isa = adreno_isa_open(scratch, chip->gen), .merged = chip->gen >= 6};
    const uint32_t n = words_of(c.isa, code);
    for (uint32_t k = 0; k < n; k++) {
        adreno_inst in;
        adreno_decode(c.isa, adreno_read_word(code->code + (size_t)k * ADRENO_WORD_BYTES), &in);
        count_instruction(&c, &in);
    }
    c.s.words = n;
#define X(name) family_add_figure(out, #name, c.s.name);
    FIGURES(X)
#undef X
}

void
adreno_print_statistics(const family_figures *figures, base_buf *out)
{
    statistics s = {0};
#define X(member) s.member = (uint32_t)family_figure_of(figures, #member);
    FIGURES(X)
#undef X
    buf_printf(out, "  %u instructions in %u words: %u nops, %u movs, %u covs\n", s.instructions,
               s.words, s.nops, s.movs, s.covs);
    buf_printf(out, "  by category: %u, %u, %u, %u, %u, %u, %u, %u\n", s.cat0, s.cat1, s.cat2,
               s.cat3, s.cat4, s.cat5, s.cat6, s.cat7);
    buf_printf(
        out, "  %u full, %u half registers; %u (ss), %u cycles stalled, %u (sy); preamble of %u\n",
        s.full, s.half, s.ss, s.ss_stall, s.sy, s.preamble);
}
