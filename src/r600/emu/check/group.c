/* Rules of groups that can be seen in their code: slots, reads of registers and constants, writes.
 *
 * A group reads its registers in three cycles. In a cycle each of the four banks, one a component,
 * gives one register. A bank swizzle says in which cycle each source of a slot is read; in slot t
 * constants come first. Constants of the kcache have ports of their own. */
#include "r600/emu/core/wave.h"

#include "r600/isa/text/text.h"

#include <string.h>

enum { CYCLES = 3, BANKS = 4, FREE_PORT = -1, MAX_PORTS = 4 };

/* The cycles of the three sources by bank swizzle. */
static const uint8_t vector_cycles[6][CYCLES] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                                 {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
static const uint8_t scalar_cycles[4][CYCLES] = {{2, 1, 0}, {1, 2, 2}, {2, 1, 2}, {2, 2, 1}};

typedef struct ports {
    int gpr[CYCLES][BANKS]; /* the register that is read, or FREE_PORT */
    uint32_t constant[MAX_PORTS];
    unsigned n_constants;
} ports;

static unsigned
sources_of(const r600_inst *in)
{
    return in->op == R600_RAW ? 0 : r600_op_row(in->op)->properties & R600_P_SOURCES;
}

static bool
is_kcache(r600_gen gen, uint32_t select)
{
    return (select >= R600_SEL_KC0 && select < R600_SEL_KC1 + 32) ||
           (select >= R600_SEL_KC2 && (gen <= R600_GEN_R700 || select < R600_SEL_KC3 + 32));
}

/* Reserves a port. Returns false if another register has it. */
static bool
take_port(ports *p, unsigned cycle, const uint32_t *s)
{
    int *port = &p->gpr[cycle][s[R600_SRC_CHAN]];
    if (*port != FREE_PORT && *port != (int)s[R600_SRC_SEL])
        return false;
    *port = (int)s[R600_SRC_SEL];
    return true;
}

/* R600 has four ports for a constant's component each; later chips have two for a pair of
 * components. */
static bool
take_constant(r600_gen gen, ports *p, const uint32_t *s)
{
    const unsigned most = gen == R600_GEN_R600 ? 4 : 2;
    const uint32_t key = s[R600_SRC_SEL] * 4 +
                         (gen == R600_GEN_R600 ? s[R600_SRC_CHAN] : s[R600_SRC_CHAN] / 2);
    for (unsigned i = 0; i < p->n_constants; i++)
        if (p->constant[i] == key)
            return true;
    if (p->n_constants == most)
        return false;
    p->constant[p->n_constants++] = key;
    return true;
}

/* The second source of a vector slot that reads what the first does shares its port. */
static bool
shares_first(const r600_inst *in, unsigned i)
{
    const uint32_t *a = r600_source_fields(in, 0), *b = r600_source_fields(in, 1);
    return i == 1 && a[R600_SRC_SEL] == b[R600_SRC_SEL] && a[R600_SRC_CHAN] == b[R600_SRC_CHAN];
}

static void
check_vector(const emu_wave *w, const r600_inst *in, ports *p)
{
    const uint32_t bank = in->f[R600_F_bank_swizzle];
    for (unsigned i = 0; i < sources_of(in); i++) {
        const uint32_t *s = r600_source_fields(in, i);
        if (bank < 6 && s[R600_SRC_SEL] < EMU_GPRS && !shares_first(in, i) &&
            !take_port(p, vector_cycles[bank][i], s))
            r600_emu_find(w, R600_RULE_GROUP_GPR_PORTS, -1,
                          "another slot reads another register from this bank in this cycle");
    }
}

static void
check_scalar(const emu_wave *w, const r600_inst *in, ports *p)
{
    const r600_gen gen = emu_machine_of(w)->isa->gen;
    const uint32_t bank = in->f[R600_F_bank_swizzle] & 3;
    unsigned constants = 0;
    for (unsigned i = 0; i < sources_of(in); i++) {
        const uint32_t select = r600_source_fields(in, i)[R600_SRC_SEL];
        constants += is_kcache(gen, select) || (select >= R600_SEL_0 && select <= R600_SEL_LITERAL);
    }
    if (constants > 2)
        r600_emu_find(w, R600_RULE_GROUP_SCALAR, -1, "slot t reads more than two constants");
    for (unsigned i = 0; i < sources_of(in); i++) {
        const uint32_t *s = r600_source_fields(in, i);
        const unsigned cycle = scalar_cycles[bank][i];
        const bool is_gpr = s[R600_SRC_SEL] < EMU_GPRS;
        const bool is_previous = s[R600_SRC_SEL] == R600_SEL_PV || s[R600_SRC_SEL] == R600_SEL_PS;
        if ((is_gpr || is_previous) && cycle < constants)
            r600_emu_find(w, R600_RULE_GROUP_SCALAR, -1, "slot t reads a constant in this cycle");
        if (is_gpr && !take_port(p, cycle, s))
            r600_emu_find(w, R600_RULE_GROUP_GPR_PORTS, -1,
                          "another slot reads another register from this bank in this cycle");
    }
}

static void
check_constants(const emu_wave *w, const r600_inst *in, ports *p)
{
    const r600_gen gen = emu_machine_of(w)->isa->gen;
    for (unsigned i = 0; i < sources_of(in); i++) {
        const uint32_t *s = r600_source_fields(in, i);
        if (is_kcache(gen, s[R600_SRC_SEL]) && !take_constant(gen, p, s))
            r600_emu_find(w, R600_RULE_GROUP_CONSTANT_PORTS, -1,
                          "the group's ports for constants are in use");
    }
}

/* ---- slots and writes ---- */

static bool
may_stand(const emu_wave *w, const r600_inst *in)
{
    const r600_isa *t = emu_machine_of(w)->isa;
    const char slots = in->op == R600_RAW ? 'A' : r600_slots_of(t, in->op);
    if (t->gen == R600_GEN_CM)
        return in->slot != R600_SLOT_T;
    return slots == 'A' || (slots == 'S') == (in->slot == R600_SLOT_T);
}

static bool
writes_register(const r600_inst *in)
{
    const uint8_t format = r600_op_row(in->op)->format;
    return in->op != R600_RAW &&
           (format == R600_FMT_OP3 || (format == R600_FMT_OP2 && in->f[R600_F_write_mask]));
}

/* Instructions under the two values of a predicate may share a register. */
static bool
writes_same(const r600_inst *a, const r600_inst *b)
{
    const uint32_t *f = a->f, *g = b->f;
    const bool is_same = f[R600_F_dst_gpr] == g[R600_F_dst_gpr] &&
                         f[R600_F_dst_chan] == g[R600_F_dst_chan];
    const bool is_relative = f[R600_F_dst_rel] || g[R600_F_dst_rel];
    const bool excludes = f[R600_F_pred_sel] && g[R600_F_pred_sel] &&
                          f[R600_F_pred_sel] != g[R600_F_pred_sel];
    return writes_register(a) && writes_register(b) && is_same && !is_relative && !excludes;
}

static void
check_slots(const emu_wave *w, const emu_slots *g)
{
    emu_machine *m = emu_machine_of(w);
    unsigned predicates = 0;
    for (unsigned i = 0; i < g->n; i++) {
        const r600_inst *in = &g->in[i];
        m->inst = in;
        m->where = g->at[i];
        if (!may_stand(w, in) || (i && in->slot <= g->in[i - 1].slot))
            r600_emu_find(w, R600_RULE_GROUP_SLOT, -1,
                          "the instruction cannot stand in this slot here");
        predicates += (r600_op_row(in->op)->properties & (R600_P_PRED | R600_P_PUSH)) != 0;
        if (predicates > 1)
            r600_emu_find(w, R600_RULE_GROUP_PREDICATES, -1, "the group has another predicate");
        for (unsigned k = 0; k < i; k++)
            if (writes_same(in, &g->in[k]))
                r600_emu_find(w, R600_RULE_GROUP_WRITES, -1, "another slot writes it, too");
    }
    if (!g->in[g->n - 1].f[R600_F_last] || g->next > w->end)
        r600_emu_find(w, R600_RULE_GROUP_END, -1, "the group does not end here");
}

void
r600_emu_check_group(const emu_wave *w, const emu_slots *g)
{
    emu_machine *m = emu_machine_of(w);
    ports p = {.n_constants = 0};
    for (unsigned c = 0; c < CYCLES; c++)
        for (unsigned b = 0; b < BANKS; b++)
            p.gpr[c][b] = FREE_PORT;
    check_slots(w, g);
    for (unsigned i = 0; i < g->n; i++) {
        m->inst = &g->in[i];
        m->where = g->at[i];
        check_constants(w, m->inst, &p);
        if (m->inst->slot == R600_SLOT_T)
            check_scalar(w, m->inst, &p);
        else
            check_vector(w, m->inst, &p);
    }
}
