/* The made-up machine's level: its opcode table, text, and description for general passes. */
#include "toy.h"

#include "base/number.h"
#include "ir/bundle.h"

#include <stdio.h>
#include <string.h>

/* ---- opcodes ---- */

enum { TOY_PLAIN, TOY_TIED, TOY_ARRAY, TOY_LATE };

static const ir_attr_info words_NONE[] = {{0}};
static const ir_attr_info words_AREA[] = {{"area", 0, 0, 2, IR_ATTR_UINT, true, NULL}, {0}};
static const ir_attr_info words_SLOT[] = {{"slot", 0, 0, 32, IR_ATTR_UINT, true, NULL}, {0}};

#define COUNT(a) (sizeof(a) / sizeof *(a)-1)

static const ir_op_info op_table[TOY_OP_COUNT] = {
    [TOY_NONE] = {.name = "none", .attrs = words_NONE},
#define TOY(id, name, defs, refs, words, flags, property)                                          \
    [TOY_##id] = {name,  defs,          refs, COUNT(words_##words), COUNT(words_##words),          \
                  flags, words_##words, NULL},
#include "toy.def"
#undef TOY
};

static const uint8_t properties[TOY_OP_COUNT] = {
#define TOY(id, name, defs, refs, words, flags, property) [TOY_##id] = TOY_##property,
#include "toy.def"
#undef TOY
};

/* ---- registers ---- */

typedef struct class_row {
    const char *name;
    char letter;  /* of its registers */
    uint8_t step; /* units from one to the next */
} class_row;

static const class_row class_rows[TOY_CLASSES] = {
    [TOY_S1] = {"s1", 's', 2}, [TOY_S2] = {"s2", 's', 2}, [TOY_S4] = {"s4", 's', 2},
    [TOY_V1] = {"v1", 'v', 2}, [TOY_V2] = {"v2", 'v', 2}, [TOY_V3] = {"v3", 'v', 2},
    [TOY_V4] = {"v4", 'v', 2}, [TOY_H1] = {"h1", 'h', 1}, [TOY_H2] = {"h2", 'h', 1},
    [TOY_X6] = {"x6", 'v', 2}, [TOY_Y6] = {"y6", 'v', 2}, [TOY_P1] = {"p1", 'p', 1},
    [TOY_A1] = {"a1", 'a', 1},
};

#define CLASS(BANK, EDGES, UNITS, ALIGN, ...)                                                      \
    {                                                                                              \
        .bank = TOY_BANK_##BANK, .edges = EDGES, .units = UNITS, .align = ALIGN,                   \
        .bytes = (UNITS)*TOY_UNIT, __VA_ARGS__                                                     \
    }

enum { LOGICAL, LINEAR, HALVES_END = 32 };

static const ir_class classes[256] = {
    [TOY_S1] = CLASS(S, LINEAR, 2, 2, .limit = 0),
    [TOY_S2] = CLASS(S, LINEAR, 4, 4, .limit = 0),
    [TOY_S4] = CLASS(S, LINEAR, 8, 8, .limit = 0),
    [TOY_V1] = CLASS(V, LOGICAL, 2, 2, .limit = 0),
    [TOY_V2] = CLASS(V, LOGICAL, 4, 4, .limit = 0),
    [TOY_V3] = CLASS(V, LOGICAL, 6, 2, .limit = 0),
    [TOY_V4] = CLASS(V, LOGICAL, 8, 8, .limit = 0),
    [TOY_H1] = CLASS(V, LOGICAL, 1, 1, .limit = HALVES_END, .apart = 2),
    [TOY_H2] = CLASS(V, LOGICAL, 2, 2, .limit = HALVES_END),
    [TOY_X6] = CLASS(V, LOGICAL, 12, 2, .limit = 0),
    [TOY_Y6] = CLASS(V, LINEAR, 12, 2, .pinned = true),
    [TOY_P1] = CLASS(P, LOGICAL, 1, 1, .limit = 0),
    [TOY_A1] = CLASS(A, LINEAR, 1, 1, .limit = 0),
};

static const ir_bank banks[TOY_BANKS] = {
    [TOY_BANK_S] =
        {.name = "scalar", .first = 0, .units = 64, .special = 60, .spills_constants = true},
    [TOY_BANK_V] = {.name = "vector", .first = TOY_V0, .units = 64},
    [TOY_BANK_P] = {.name = "predicate", .first = TOY_P0, .units = 4},
    [TOY_BANK_A] = {.name = "address", .first = TOY_A0, .units = 1},
};

/* ---- properties of instructions ---- */

int
toy_tied_ref(const ir_instr *i)
{
    switch (properties[i->op]) {
    case TOY_TIED: return i->n_refs - 1;
    case TOY_ARRAY: return 0;
    default: return -1;
    }
}

static ir_tied
tied(const ir_instr *i)
{
    int ref = toy_tied_ref(i);
    return (ir_tied){ref, ref < 0 ? -1 : 0};
}

static bool
kills_late(unsigned op)
{
    return properties[op] == TOY_LATE;
}

static bool
is_special(unsigned reg)
{
    return reg == TOY_CC;
}

static bool
is_move(const ir_instr *i)
{
    return i->op == TOY_COPY || i->op == TOY_JOIN;
}

/* A predicate needs no field in sel if it is p[0]. */
static void
find_wants(const ir_instr *i, void (*want)(void *user, uint32_t id, unsigned unit), void *user)
{
    if (i->op == TOY_SEL && ir_is_value(i->refs[0]))
        want(user, i->refs[0].id, TOY_P0);
}

/* Bits of ir_effects: the areas of memory come first. */
enum { OUTPUT = 1 << TOY_AREAS, COUNTER = OUTPUT << 1 };

/* Outputs and stores need not stay where they are: it is enough that their order and the lanes that
 * are active in them do. */
static void
refine_effects(const ir_instr *i, ir_effects *e)
{
    switch (i->op) {
    case TOY_JUMP: /* all other terminators change which lanes are active */
    case TOY_BRANCH: e->lanes = 0; break;
    case TOY_OUT: *e = (ir_effects){.writes = OUTPUT, .lanes = IR_LANES_MASK}; break;
    case TOY_TICK: *e = (ir_effects){.writes = COUNTER, .unique = true}; break;
    case TOY_POKE: e->writes = (uint16_t)(1u << ir_words(i)[0]); break;
    case TOY_PEEK:
        e->reads = (uint16_t)(ir_words(i)[0] < TOY_AREAS - 1 ? 1u << ir_words(i)[0] : 0);
        break;
    default: break;
    }
}

/* A bank has as many registers as the test says. */
static void
demand_known(ir_fn *f)
{
    toy_program *p = toy_prog(f);
    for (unsigned k = 0; k < TOY_BANKS; k++) {
        unsigned all = banks[k].special ? banks[k].special : banks[k].units;
        unsigned n = p->bound[k] && p->bound[k] < all ? p->bound[k] : all;
        p->cg.budget[k] = p->cg.cheap[k] = p->cg.pinned_end[k] = p->cg.limit[k] = (uint16_t)n;
    }
}

static const ir_machine machine = {
    .classes = classes,
    .banks = banks,
    .n_banks = TOY_BANKS,
    .unit_shift = 1,
    .n_units = TOY_UNITS,
    .null_reg = IR_REG_NONE,
    .ops = {.phi = {TOY_PHI, TOY_LINEAR_PHI},
            .parallel_copy = TOY_COPY,
            .create_vector = TOY_JOIN,
            .split_vector = TOY_SPLIT,
            .extract_vector = TOY_PART,
            .begin_pinned = TOY_BEGIN,
            .spill = TOY_SPILL,
            .reload = TOY_RELOAD,
            .logical_start = TOY_LOGICAL_START,
            .logical_end = TOY_LOGICAL_END,
            .jump = TOY_JUMP},
    .tied = tied,
    .kills_late = kills_late,
    .is_special = is_special,
    .is_move = is_move,
    .find_wants = find_wants,
    .refine_effects = refine_effects,
    .demand_known = demand_known,
};

/* ---- text ---- */

static void
type_name(ir_type t, char out[16])
{
    snprintf(out, 16, "%s", t && t < TOY_CLASSES ? class_rows[t].name : "none");
}

static bool
parse_type(const char *text, size_t len, ir_type *out)
{
    for (unsigned t = 1; t < TOY_CLASSES; t++) {
        if (len == 2 && memcmp(text, class_rows[t].name, 2) == 0) {
            *out = (ir_type)t;
            return true;
        }
    }
    return false;
}

static unsigned
first_unit(unsigned rc)
{
    return banks[classes[rc].bank].first;
}

/* s[2], v[4-7], h[3], p[0], a[0], cc. */
static void
reg_name(unsigned reg, ir_type t, char out[16])
{
    unsigned rc = t && t < TOY_CLASSES ? t : TOY_S1, step = class_rows[rc].step;
    unsigned n = (reg / TOY_UNIT - first_unit(rc)) / step, count = classes[rc].units / step;
    if (reg == TOY_CC)
        snprintf(out, 16, "cc");
    else if (count > 1)
        snprintf(out, 16, "%c[%u-%u]", class_rows[rc].letter, n % 100, (n + count - 1) % 100);
    else
        snprintf(out, 16, "%c[%u]", class_rows[rc].letter, n % 100);
}

/* The class that a name implies: that of its letter, with so many registers; of no number the
 * array. */
static bool
find_class(char letter, unsigned count, ir_type *out)
{
    for (unsigned t = 1; t < TOY_CLASSES; t++) {
        if (class_rows[t].letter == letter && classes[t].units == count * class_rows[t].step) {
            *out = (ir_type)t;
            return true;
        }
    }
    return false;
}

static bool
parse_reg(const char *text, size_t len, unsigned *out, ir_type *type)
{
    char word[16], end;
    unsigned first, last;
    if (len >= sizeof word)
        return false;
    memcpy(word, text, len);
    word[len] = '\0';
    if (strcmp(word, "cc") == 0) {
        *out = TOY_CC;
        *type = TOY_S1;
        return true;
    }
    if (sscanf(word + 1, "[%2u-%2u%c", &first, &last, &end) != 3 || end != ']') {
        if (sscanf(word + 1, "[%2u%c", &first, &end) != 2 || end != ']')
            return false;
        last = first;
    }
    if (last < first || !find_class(word[0], last - first + 1, type))
        return false;
    *out = (first_unit(*type) + first * class_rows[*type].step) * TOY_UNIT;
    return true;
}

/* ---- bundles ---- */

/* Has one of the references before reference `r` of `i`, in the bundle that begins with `first`,
 * the same constant? */
static bool
is_known_constant(const ir_instr *first, const ir_instr *i, unsigned r)
{
    for (const ir_instr *j = first;; j = j->next) {
        for (unsigned k = 0; k < (j == i ? r : j->n_refs); k++) {
            if (j->refs[k].kind == IR_REF_CONST && j->refs[k].id == i->refs[r].id)
                return true;
        }
        if (j == i)
            return false;
    }
}

/* A bundle carries its constants in TOY_BUNDLE_CONSTANTS words. */
static const char *
check_bundle(const ir_instr *first, const ir_instr *last)
{
    unsigned n = 0;
    for (const ir_instr *i = first; i != last->next; i = i->next) {
        for (unsigned r = 0; r < i->n_refs; r++)
            n += i->refs[r].kind == IR_REF_CONST && !is_known_constant(first, i, r);
    }
    return n > TOY_BUNDLE_CONSTANTS ? "more than two constants" : NULL;
}

static const ir_bundle_kind bundles[] = {
    {.name = "", .joins = TOY_JOINS, .slots = TOY_BUNDLE_SLOTS, .check = check_bundle},
    {.joins = 0},
};

const ir_level toy_level = {
    .name = "toy",
    .ops = op_table,
    .n_ops = TOY_OP_COUNT,
    .machine = &machine,
    .type_name = type_name,
    .reg_name = reg_name,
    .parse_type = parse_type,
    .parse_reg = parse_reg,
    .const_type = TOY_S1,
    .bundles = bundles,
};
