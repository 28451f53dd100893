/* Walks over the module twice: first it learns names, bindings and types, then it writes the
 * corrected instructions. Numbers of opcodes and enumerants: SPIR-V's specification, 3.52, 3.20. */
#include "hlsl_correct.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 5, /* words; the fourth is the bound of ids */
    OP_NAME = 5,
    OP_TYPE_INT = 21,
    OP_TYPE_POINTER = 32,
    OP_VARIABLE = 59,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_ARRAY_LENGTH = 68,
    OP_DECORATE = 71,
    OP_CONSTANT = 43,
    OP_I_MUL = 132,
    OP_S_REM = 138,
    OP_S_MOD = 139,
    OP_F_REM = 140,
    OP_F_MOD = 141,
    OP_BALLOT_BIT_COUNT = 342,
    OP_GROUP_FIRST = 349, /* OpGroupNonUniformIAdd */
    OP_GROUP_LAST = 364,  /* OpGroupNonUniformLogicalXor */
    INCLUSIVE_SCAN = 1,
    EXCLUSIVE_SCAN = 2,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
};

/* What is known of an id; word positions, 0: none. */
typedef struct fact {
    const char *name;
    uint32_t binding, set; /* the literals of its decorations */
    uint32_t pointee;      /* of a pointer type; of a variable and an access chain: its root */
    bool is_variable;
} fact;

typedef struct module {
    uint32_t *words;
    size_t count;
    fact *facts; /* by id */
    uint32_t bound;
    uint32_t *out; /* the new module */
    size_t n_out;
    uint32_t four_type, four; /* a constant 4, made behind its type; 0: not needed */
} module;

/* An instruction, with the id in each place; 0 if the instruction is too short. */
static uint32_t
id_at(const module *m, size_t at, unsigned place)
{
    uint32_t id = place < m->words[at] >> 16 ? m->words[at + place] : 0;
    return id < m->bound ? id : 0;
}

static size_t
next_inst(const module *m, size_t at)
{
    size_t length = m->words[at] >> 16;
    return length && at + length <= m->count ? at + length : m->count;
}

/* ---- learning ---- */

static void
learn(module *m, size_t at)
{
    uint32_t op = m->words[at] & 0xffff;
    fact *first = &m->facts[id_at(m, at, 1)], *second = &m->facts[id_at(m, at, 2)];
    switch (op) {
    case OP_NAME: first->name = (const char *)&m->words[at + 2]; break;
    case OP_TYPE_POINTER: first->pointee = id_at(m, at, 3); break;
    case OP_DECORATE:
        if (id_at(m, at, 2) == DECORATION_BINDING && m->words[at] >> 16 == 4)
            first->binding = (uint32_t)at + 3;
        if (id_at(m, at, 2) == DECORATION_SET && m->words[at] >> 16 == 4)
            first->set = (uint32_t)at + 3;
        break;
    case OP_VARIABLE:
        second->is_variable = true;
        second->pointee = first->pointee;
        break;
    case OP_ACCESS_CHAIN:
    case OP_IN_BOUNDS_ACCESS_CHAIN: second->pointee = id_at(m, at, 3); break;
    default: break;
    }
}

/* The name in the text of a variable: its own, or that of its block for a cbuffer. */
static const char *
name_of(const module *m, const fact *variable)
{
    const char *own = variable->name;
    return own && *own ? own : m->facts[variable->pointee].name;
}

/* ---- bindings ---- */

/* The declaration of this name that has a binding, or that is a byte address buffer: a name may be
 * in the list for each. NULL: there is none. */
static const hlsl_resource *
find(const hlsl_names *names, const char *name, bool bound)
{
    for (size_t i = 0; name && i < names->count; i++) {
        const hlsl_resource *r = &names->items[i];
        if ((bound ? r->is_bound : r->is_bytes) && strlen(name) == r->size &&
            memcmp(name, r->name, r->size) == 0)
            return r;
    }
    return NULL;
}

static void
correct_bindings(module *m, const hlsl_names *names)
{
    for (uint32_t id = 1; id < m->bound; id++) {
        const fact *f = &m->facts[id];
        const hlsl_resource *r = f->is_variable && f->binding ? find(names, name_of(m, f), true)
                                                              : NULL;
        if (!r)
            continue;
        m->words[f->binding] = r->binding;
        if (r->has_set && f->set)
            m->words[f->set] = r->set;
    }
}

/* ---- instructions ---- */

static void
put(module *m, const uint32_t *words, size_t count)
{
    memcpy(m->out + m->n_out, words, count * sizeof *words);
    m->n_out += count;
}

/* Returns true if the length is that of a byte address buffer. */
static bool
counts_bytes(const module *m, size_t at, const hlsl_names *names)
{
    const fact *f = &m->facts[id_at(m, at, 3)];
    if (!f->is_variable)
        f = &m->facts[f->pointee];
    return f->is_variable && find(names, name_of(m, f), false);
}

/* The length is that of an array of words: a new id gets it, and the old one four times it. */
static void
put_byte_length(module *m, size_t at, uint32_t new_id)
{
    const uint32_t *w = &m->words[at];
    const uint32_t length[] = {w[0], w[1], new_id, w[3], w[4]};
    const uint32_t bytes[] = {5u << 16 | OP_I_MUL, w[1], w[2], new_id, m->four};
    put(m, length, 5);
    put(m, bytes, 5);
}

static void
correct_word(uint32_t *w)
{
    uint32_t op = *w & 0xffff, length = *w >> 16;
    bool is_group = op == OP_BALLOT_BIT_COUNT || (op >= OP_GROUP_FIRST && op <= OP_GROUP_LAST);
    if (op == OP_S_MOD || op == OP_F_MOD)
        *w = *w - 1; /* each remainder stands before its modulo */
    if (is_group && length > 4 && w[4] == INCLUSIVE_SCAN)
        w[4] = EXCLUSIVE_SCAN;
}

/* Copies an instruction, corrected. */
static void
put_inst(module *m, size_t at, const hlsl_names *names)
{
    uint32_t op = m->words[at] & 0xffff;
    size_t length = next_inst(m, at) - at;
    if (op == OP_ARRAY_LENGTH && m->four && counts_bytes(m, at, names)) {
        put_byte_length(m, at, m->out[3]++);
        return;
    }
    correct_word(&m->words[at]);
    put(m, &m->words[at], length);
    if (op == OP_TYPE_INT && m->four && m->words[at + 1] == m->four_type) {
        const uint32_t constant[] = {4u << 16 | OP_CONSTANT, m->four_type, m->four, 4};
        put(m, constant, 4);
    }
}

/* Returns the number of lengths to correct, and makes the id of the constant for them. */
static size_t
plan_lengths(module *m, const hlsl_names *names)
{
    size_t n = 0;
    for (size_t at = HEADER; at < m->count; at = next_inst(m, at)) {
        if ((m->words[at] & 0xffff) == OP_ARRAY_LENGTH && counts_bytes(m, at, names)) {
            m->four_type = m->words[at + 1];
            n++;
        }
    }
    m->four = n ? m->words[3]++ : 0;
    return n;
}

void
hlsl_correct(frontend_result *r, const hlsl_names *names)
{
    if (!r->ok || r->n_words < HEADER || r->words[3] > 1u << 22)
        return;
    module m = {.words = r->words, .count = r->n_words, .bound = r->words[3]};
    m.facts = calloc(m.bound + 1, sizeof *m.facts);
    r->ok = m.facts != NULL;
    for (size_t at = HEADER; r->ok && at < m.count; at = next_inst(&m, at))
        learn(&m, at);
    size_t lengths = r->ok ? plan_lengths(&m, names) : 0;
    m.out = r->ok ? malloc((m.count + 5 * lengths + 8) * sizeof *m.out) : NULL;
    r->ok = m.out != NULL;
    if (r->ok) {
        correct_bindings(&m, names);
        put(&m, m.words, HEADER);
        for (size_t at = HEADER; at < m.count; at = next_inst(&m, at))
            put_inst(&m, at, names);
        free(r->words);
        r->words = m.out;
        r->n_words = m.n_out;
        r->size = m.n_out * 4;
    }
    free(m.facts);
}
