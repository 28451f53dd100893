#include "cg/combine.h"

bool
cg_apply_rule(const cg_uses *u, const cg_rule *rule, ir_instr *outer,
              bool (*fuse)(void *user, const cg_match *m), void *user)
{
    for (unsigned at = 0; at < 2; at++) {
        cg_match m = {rule, outer, NULL, at};
        if (!(rule->at >> at & 1))
            continue;
        m.inner = cg_single_def(u, outer->refs[at]);
        if (m.inner && cg_can_move_refs(m.inner, outer) && fuse(user, &m))
            return true;
    }
    return false;
}

unsigned
cg_find_sources(const cg_match *m, uint32_t each, ir_ref refs[CG_SOURCES], uint32_t *bits)
{
    unsigned n = 0;
    *bits = 0;
    for (; n < CG_SOURCES && m->rule->order[n] != CG_NONE; n++) {
        const unsigned from = m->rule->order[n], source = from == CG_OTHER ? !m->at : from;
        const ir_instr *i = from == CG_OTHER ? m->outer : m->inner;
        refs[n] = i->refs[source];
        if (i->n_words)
            *bits |= (ir_words(i)[0] >> source & each) << n;
    }
    return n;
}
