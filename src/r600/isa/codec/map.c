/* The map of a program: which kind of code each dword is.
 *
 * Control flow is read from the first dword on, and from every place that a jump or a call names,
 * until an instruction ends the program. Its clauses are then read as ALU groups or fetches. What
 * two readings claim belongs to the first; what none reaches is data. */
#include "r600/isa/table/table.h"

#include <string.h>

enum { CF_DWORDS = 2, ALU_DWORDS = 2, FETCH_DWORDS = 4, MAX_GROUP_LITERALS = 4 };

typedef struct mapper {
    const r600_isa *t;
    const uint8_t *bytes;
    size_t n; /* dwords */
    r600_place *places;
    uint32_t groups;
    size_t *todo; /* dwords where control flow begins */
    size_t n_todo;
} mapper;

static void
read_words(const mapper *m, size_t at, unsigned n, uint32_t *words)
{
    for (unsigned i = 0; i < n; i++)
        words[i] = r600_read_dword(m->bytes + (at + i) * 4);
}

static bool
is_free(const mapper *m, size_t at, size_t n)
{
    if (at > m->n || n > m->n - at)
        return false;
    for (size_t i = 0; i < n; i++)
        if (m->places[at + i].kind != R600_PLACE_DATA)
            return false;
    return true;
}

static r600_place *
claim(mapper *m, size_t at, uint8_t size, r600_place_kind kind, r600_space space)
{
    for (unsigned i = 0; i < size; i++)
        m->places[at + i] = (r600_place){.kind = R600_PLACE_INSIDE};
    m->places[at] = (r600_place){.kind = (uint8_t)kind, .space = (uint8_t)space, .size = size};
    return &m->places[at];
}

/* ---- clauses ---- */

uint8_t
r600_assign_slot(const r600_isa *t, const r600_inst *in, unsigned taken)
{
    const unsigned channel = in->f[R600_F_dst_chan];
    const char slots = in->op == R600_RAW ? 'A' : r600_slots_of(t, in->op);
    if (t->gen == R600_GEN_CM)
        return (uint8_t)channel;
    return (uint8_t)(slots == 'S' || taken >> channel & 1 ? R600_SLOT_T : channel);
}

unsigned
r600_count_literals(const r600_inst *in)
{
    static const r600_field selects[] = {R600_F_src0_sel, R600_F_src1_sel, R600_F_src2_sel};
    static const r600_field channels[] = {R600_F_src0_chan, R600_F_src1_chan, R600_F_src2_chan};
    const unsigned n = in->op == R600_RAW ? 0 : r600_op_row(in->op)->properties & R600_P_SOURCES;
    unsigned most = 0;
    for (unsigned i = 0; i < n; i++)
        if (in->f[selects[i]] == R600_SEL_LITERAL && in->f[channels[i]] >= most)
            most = in->f[channels[i]] + 1;
    return most;
}

/* Reads a group at `at`, which ends before `end`. Returns where the next one begins. */
static size_t
map_group(mapper *m, size_t at, size_t end)
{
    unsigned taken = 0, literals = 0, n = 0;
    r600_inst in = {0};
    m->groups++;
    do {
        uint32_t words[ALU_DWORDS];
        if (at + ALU_DWORDS > end || !is_free(m, at, ALU_DWORDS))
            return end;
        read_words(m, at, ALU_DWORDS, words);
        r600_decode(m->t, R600_SPACE_ALU, words, &in);
        r600_place *p = claim(m, at, ALU_DWORDS, R600_PLACE_CODE, R600_SPACE_ALU);
        p->slot = r600_assign_slot(m->t, &in, taken);
        p->group = n ? 0 : m->groups;
        taken |= 1u << p->slot;
        literals = r600_count_literals(&in) > literals ? r600_count_literals(&in) : literals;
        at += ALU_DWORDS;
    } while (++n < R600_SLOTS && in.op != R600_RAW && !in.f[R600_F_last]);
    const uint8_t size = (uint8_t)(literals + (literals & 1));
    if (size && at + size <= end && is_free(m, at, size))
        claim(m, at, size, R600_PLACE_LITERAL, R600_SPACE_ALU);
    return at + size;
}

static void
map_clause(mapper *m, const r600_inst *cf)
{
    const uint64_t first = (uint64_t)cf->f[R600_F_addr] * 2;
    const size_t count = cf->f[R600_F_count] + 1u;
    if (first >= m->n)
        return;
    if (r600_op_row(cf->op)->format == R600_FMT_CF_ALU) {
        const size_t end = first + count * ALU_DWORDS < m->n ? first + count * ALU_DWORDS : m->n;
        for (size_t at = first; at < end;)
            at = map_group(m, at, end);
    } else {
        for (size_t at = first, i = 0; i < count && is_free(m, at, FETCH_DWORDS);
             at += FETCH_DWORDS, i++)
            claim(m, at, FETCH_DWORDS, R600_PLACE_CODE, R600_SPACE_FETCH);
    }
}

/* ---- control flow ---- */

static bool
is_clause(const r600_inst *in)
{
    const uint8_t format = r600_op_row(in->op)->format;
    return in->op != R600_RAW && (format == R600_FMT_CF_ALU || format == R600_FMT_CF_FETCH);
}

static bool
ends_program(const r600_inst *in)
{
    return in->f[R600_F_eop] || in->op == R600_RETURN || in->op == R600_END;
}

static void
map_control_flow(mapper *m, size_t at)
{
    while (is_free(m, at, CF_DWORDS)) {
        uint32_t words[CF_DWORDS];
        r600_inst in;
        read_words(m, at, CF_DWORDS, words);
        r600_decode(m->t, R600_SPACE_CF, words, &in);
        if (in.op == R600_RAW)
            return;
        claim(m, at, CF_DWORDS, R600_PLACE_CODE, R600_SPACE_CF);
        if (r600_op_row(in.op)->format == R600_FMT_CF_JUMP && in.f[R600_F_addr] < m->n / 2)
            m->todo[m->n_todo++] = (size_t)in.f[R600_F_addr] * 2;
        if (ends_program(&in))
            return;
        at += CF_DWORDS;
    }
}

static void
map_clauses(mapper *m)
{
    for (size_t at = 0; at + CF_DWORDS <= m->n; at++) {
        uint32_t words[CF_DWORDS];
        r600_inst in;
        if (m->places[at].kind != R600_PLACE_CODE || m->places[at].space != R600_SPACE_CF)
            continue;
        read_words(m, at, CF_DWORDS, words);
        r600_decode(m->t, R600_SPACE_CF, words, &in);
        if (is_clause(&in))
            map_clause(m, &in);
    }
}

r600_place *
r600_map_code(const r600_isa *t, arena *a, const uint8_t *bytes, size_t n)
{
    mapper m = {.t = t, .bytes = bytes, .n = n};
    m.places = ARENA_ARRAY(a, n + 1, r600_place);
    m.todo = ARENA_ARRAY(a, n + 1, size_t);
    memset(m.places, 0, (n + 1) * sizeof *m.places);
    m.todo[m.n_todo++] = 0;
    while (m.n_todo)
        map_control_flow(&m, m.todo[--m.n_todo]);
    map_clauses(&m);
    return m.places;
}
