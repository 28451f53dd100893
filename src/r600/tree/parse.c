/* Trees from text: what r600_tree_print writes, before it is scheduled.
 *
 * A line is a node, or opens or closes a region, an `if` or a pack. Departs and repeats get their
 * numbers in the order of the text, as phis have their operands. */
#include "base/number.h"
#include "r600/isa/asm/asm.h"
#include "r600/tree/tree.h"

#include <string.h>

typedef struct parser {
    tree_program *p;
    const char *at; /* in the text, which ends with a zero */
    uint32_t line;
    tree_node **regions; /* by number */
    size_t cap_regions;
    unsigned depth;
    tree_access *access; /* of the node that is read */
} parser;

/* ---- words ---- */

static _Noreturn void
want(parser *t, const char *what)
{
    t->p->diag->loc.line = t->line;
    diag_fail(t->p->diag, ERR_R600_TREE_TEXT, what);
}

static void
skip_blanks(parser *t)
{
    while (*t->at == ' ')
        t->at++;
}

static void
skip_lines(parser *t)
{
    for (;; t->at++) {
        if (*t->at == '\n')
            t->line++;
        else if (strncmp(t->at, "//", 2) == 0)
            t->at += strcspn(t->at, "\n") - 1;
        else if (*t->at != ' ')
            return;
    }
}

static bool
take(parser *t, const char *word)
{
    const size_t n = strlen(word);
    skip_blanks(t);
    if (strncmp(t->at, word, n) != 0)
        return false;
    t->at += n;
    return true;
}

static void
expect(parser *t, const char *word)
{
    if (!take(t, word))
        want(t, word);
}

static uint32_t
take_number(parser *t)
{
    uint64_t n = 0;
    const bool is_hex = strncmp(t->at, "0x", 2) == 0;
    const char *start = t->at += is_hex ? 2 : 0;
    for (unsigned digit; (digit = base_digit_value(*t->at)) < (is_hex ? 16u : 10u); t->at++) {
        n = n * (is_hex ? 16 : 10) + digit;
        if (n > UINT32_MAX)
            want(t, "a number of 32 bits");
    }
    if (t->at == start)
        want(t, "a number");
    return (uint32_t)n;
}

/* Letters, digits and underscores. */
static size_t
word_size(const char *s)
{
    return strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static uint32_t
take_component(parser *t, const char *letters)
{
    expect(t, ".");
    const char *c = *t->at ? strchr(letters, *t->at) : NULL;
    if (!c)
        want(t, "a component");
    t->at++;
    return (uint32_t)(c - letters);
}

/* ---- operands ---- */

static uint32_t
take_value(parser *t)
{
    expect(t, "%");
    const uint32_t v = take_number(t);
    if (!v || v > 1u << 20)
        want(t, "the number of a value");
    while (t->p->n_values <= v)
        r600_tree_value(t->p);
    return v;
}

static uint32_t
take_register(parser *t)
{
    expect(t, "R");
    const uint32_t reg = take_number(t);
    const uint32_t at = reg > 129 ? TREE_ALL_REGISTERS : reg * 4 + take_component(t, "xyzw");
    if (at >= TREE_ALL_REGISTERS)
        want(t, "a register");
    return at;
}

static tree_operand
take_operand(parser *t);

/* ---- arrays ---- */

static unsigned
take_array(parser *t)
{
    expect(t, "A");
    const uint32_t n = take_number(t);
    if (n >= t->p->n_arrays)
        want(t, "an array");
    return n;
}

static bool
is_element(const char *at)
{
    return at[0] == 'A' && at[1] >= '0' && at[1] <= '9';
}

/* "+2]" */
static uint32_t
take_base(parser *t, unsigned array)
{
    expect(t, "+");
    const uint32_t base = take_number(t);
    expect(t, "]");
    if (base >= t->p->arrays[array].n)
        want(t, "an element");
    return base;
}

/* "A1[AR.x+2]": the element in four times its number and AR's component. */
static uint32_t
take_register_element(parser *t, unsigned *array)
{
    *array = take_array(t);
    expect(t, "[AR");
    const uint32_t c = take_component(t, "xyzw");
    return take_base(t, *array) * 4 + c;
}

/* "A1[%4+2]" */
static void
take_access(parser *t, bool is_write)
{
    const unsigned array = take_array(t);
    if (t->access)
        want(t, "one element");
    t->access = ARENA_NEW(t->p->arena, tree_access);
    *t->access = (tree_access){
        .array = (uint8_t)array, .is_write = is_write, .n = t->p->arrays[array].n};
    expect(t, "[");
    t->access->index = take_operand(t);
    t->access->base = take_base(t, array);
}

static tree_operand
take_special(parser *t)
{
    const size_t n = word_size(t->at);
    const r600_source_info *s = r600_sources;
    for (; s->count; s++)
        if (strlen(s->name) == n && memcmp(s->name, t->at, n) == 0 &&
            t->p->chip->gen >= s->first_gen && t->p->chip->gen <= s->last_gen)
            break;
    if (!n || !s->count)
        want(t, "an operand");
    t->at += n;
    uint32_t number = 0;
    if (s->count > 1) {
        expect(t, "[");
        number = take_number(t);
        expect(t, "]");
        if (number >= s->count)
            want(t, "an index of the operand");
    }
    return (tree_operand){.kind = TREE_SPECIAL,
                          .id = (s->first + number) * 4 + take_component(t, "xyzw")};
}

static tree_operand
take_element(parser *t)
{
    unsigned array;
    if (!t->p->is_renamed) {
        const uint32_t id = take_register_element(t, &array);
        return (tree_operand){.kind = TREE_ELEMENT, .buffer = (uint8_t)array, .id = id};
    }
    take_access(t, false);
    return (tree_operand){.kind = TREE_ELEMENT, .buffer = t->access->array};
}

static tree_operand
take_plain(parser *t)
{
    if (*t->at == '%')
        return r600_tree_use(take_value(t));
    if (*t->at == 'R' && t->at[1] >= '0' && t->at[1] <= '9')
        return (tree_operand){.kind = TREE_REG, .id = take_register(t)};
    if (strncmp(t->at, "0x", 2) == 0)
        return r600_tree_const(take_number(t));
    if (take(t, "undef"))
        return (tree_operand){.kind = TREE_UNDEF};
    if (is_element(t->at))
        return take_element(t);
    if (take(t, "prev"))
        return (tree_operand){.kind = TREE_PREV, .id = take_component(t, "xyzwt")};
    if (strncmp(t->at, "CB", 2) == 0) {
        t->at += 2;
        const uint32_t buffer = take_number(t);
        expect(t, "[");
        const uint32_t number = take_number(t);
        expect(t, "]");
        if (buffer > 15 || number > 4096)
            want(t, "a constant");
        return (tree_operand){.kind = TREE_KCACHE,
                              .buffer = (uint8_t)buffer,
                              .id = number * 4 + take_component(t, "xyzw")};
    }
    return take_special(t);
}

static tree_operand
take_operand(parser *t)
{
    uint8_t mods = 0;
    skip_blanks(t);
    mods |= take(t, "-") ? TREE_NEG : 0;
    mods |= take(t, "|") ? TREE_ABS : 0;
    tree_operand o = take_plain(t);
    if (mods & TREE_ABS)
        expect(t, "|");
    o.mods = mods;
    return o;
}

static unsigned
take_op(parser *t)
{
    skip_blanks(t);
    const size_t n = word_size(t->at);
    for (unsigned op = R600_LITERAL + 1; n && op < R600_OP_COUNT; op++) {
        const r600_op_info *row = r600_op_row((r600_op)op);
        const bool is_alu = r600_format_of((r600_op)op)->space == R600_SPACE_ALU;
        if (is_alu && r600_op_exists((r600_op)op, t->p->chip->gen) && strlen(row->name) == n &&
            memcmp(row->name, t->at, n) == 0) {
            t->at += n;
            return op;
        }
    }
    want(t, "an operation of the target");
}

/* ---- ALU ---- */

/* A value with the channel that it came from. */
static uint32_t
take_new_value(parser *t)
{
    const uint32_t v = take_value(t);
    const uint32_t channel = *t->at == '.' ? take_component(t, "xyzw") : 0;
    if (!t->p->values[v].is_input)
        t->p->values[v].reg = channel;
    return v;
}

/* A definition, or `_`. */
static uint32_t
take_def(parser *t, bool *writes)
{
    skip_blanks(t);
    *writes = !take(t, "_");
    if (!*writes)
        return 0;
    return t->p->is_renamed ? take_new_value(t) : take_register(t);
}

static void
take_sources(parser *t, tree_slot *s)
{
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++) {
        if (k)
            expect(t, ",");
        s->src[k] = take_operand(t);
    }
}

/* What an operation writes. */
static void
take_target(parser *t, tree_slot *s)
{
    unsigned array;
    skip_blanks(t);
    if (!is_element(t->at)) {
        s->def = take_def(t, &s->writes);
    } else if (t->p->is_renamed) {
        take_access(t, true);
    } else {
        const uint32_t at = take_register_element(t, &array);
        s->array = (uint8_t)(1 + array);
        s->def = at / 4;
        s->ar = at & 3;
        s->writes = true;
    }
}

/* The lists behind a move of an element. */
static void
take_elements(parser *t, tree_access *a)
{
    bool writes;
    if (a->is_write && take(t, "def [")) {
        a->def = ARENA_ARRAY(t->p->arena, a->n, uint32_t);
        for (uint32_t i = 0; i < a->n; i++) {
            if (i)
                expect(t, ",");
            a->def[i] = take_def(t, &writes);
        }
        expect(t, "]");
    }
    if (take(t, "use [")) {
        a->use = ARENA_ARRAY(t->p->arena, a->n, tree_operand);
        for (uint32_t i = 0; i < a->n; i++) {
            if (i)
                expect(t, ",");
            a->use[i] = take_operand(t);
        }
        expect(t, "]");
    }
    t->p->has_elements |= !a->use;
    if ((a->use && a->is_write) != (a->def != NULL))
        want(t, "all elements");
}

static void
take_slot(parser *t, tree_slot *s)
{
    take_target(t, s);
    expect(t, "=");
    s->op = (uint16_t)take_op(t);
    take_sources(t, s);
    s->clamp = take(t, "CLAMP");
    s->omod = take(t, "MUL2") ? 1 : take(t, "MUL4") ? 2 : take(t, "DIV2") ? 3 : 0;
    if (take(t, "OFFSET(")) {
        s->offset = (uint8_t)(take_number(t) & 63);
        expect(t, ")");
    }
    s->pred = take(t, "PRED_ZERO") ? 2 : take(t, "PRED_ONE") ? 3 : 0;
    if (take(t, "slot:")) {
        const char *c = *t->at ? strchr("xyzwt", *t->at) : NULL;
        if (!c)
            want(t, "a slot");
        s->slot = (uint8_t)(c - "xyzwt");
        t->at++;
    }
}

static void
take_group_end(parser *t, tree_node *n)
{
    n->ends_clause = take(t, ";;");
    n->ends_group = n->ends_clause || take(t, ";");
}

static void
take_pack(parser *t, tree_node *n)
{
    n->is_pack = true;
    n->slots = ARENA_ARRAY(t->p->arena, TREE_MAX_SLOTS, tree_slot);
    for (skip_lines(t); !take(t, "}"); skip_lines(t)) {
        if (n->n == TREE_MAX_SLOTS)
            want(t, "four operations at most");
        take_slot(t, &n->slots[n->n]);
        if (n->slots[n->n].slot >= R600_SLOT_T)
            want(t, "a vector slot");
        n->n++;
    }
    if (!n->n)
        want(t, "an operation");
    if (take(t, "bank:"))
        n->bank = (uint8_t)(1 + take_number(t) % 6);
}

/* ---- vectors ---- */

static void
take_instruction(parser *t, r600_space space, r600_inst *in)
{
    const asm_options options = {.is_code = true};
    uint32_t words[R600_MAX_WORDS] = {0};
    expect(t, "\"");
    const char *end = strchr(t->at, '"');
    if (!end)
        want(t, "an instruction in quotes");
    char *text = arena_printf(t->p->arena, "%.*s\n", (int)(end - t->at), t->at);
    asm_unit *u = r600_assemble_unit(t->p->diag, t->p->arena, t->p->isa, &options,
                                     (r600_text){text, strlen(text)});
    const size_t size = space == R600_SPACE_FETCH ? 16 : 8;
    if (u->sections[0].data.size != size)
        want(t, "one instruction");
    for (unsigned i = 0; i < size / 4; i++)
        words[i] = r600_read_dword(u->sections[0].data.data + i * 4);
    r600_decode(t->p->isa, space, words, in);
    t->at = end + 1;
}

static void
take_components(parser *t, tree_operand *out)
{
    expect(t, "[");
    for (unsigned c = 0; c < 4; c++) {
        if (c)
            expect(t, ",");
        if (!take(t, "_"))
            out[c] = take_operand(t);
    }
    expect(t, "]");
}

static void
take_vector(parser *t, tree_node *n)
{
    if (n->n == TREE_MAX_FETCHES)
        want(t, "four instructions at most");
    tree_vector *v = &n->vectors[n->n++];
    if (n->kind == TREE_FETCH) {
        expect(t, "[");
        for (unsigned c = 0; c < 4; c++) {
            bool writes;
            if (c)
                expect(t, ",");
            v->def[c] = take_def(t, &writes);
            v->writes |= (uint8_t)(writes ? 1u << c : 0);
        }
        expect(t, "]");
        expect(t, "=");
    }
    take_instruction(t, n->kind == TREE_FETCH ? R600_SPACE_FETCH : R600_SPACE_CF, &v->inst);
    take_components(t, v->src);
    if (n->kind == TREE_FLOW) {
        expect(t, ",");
        take_components(t, v->index);
    }
}

static void
take_fetch(parser *t, tree_node *n)
{
    n->id = take(t, "TEX") ? R600_TEX : take(t, "VTX") ? R600_VTX : take(t, "GDS") ? R600_GDS : 0;
    if (!n->id)
        want(t, "TEX, VTX or GDS");
    n->bank = take(t, "valid");
    take_vector(t, n);
    for (skip_lines(t); take(t, "with "); skip_lines(t))
        take_vector(t, n);
}

/* ---- structure ---- */

static void
take_phi(parser *t, uint32_t def, tree_phi **list)
{
    tree_phi *phi = ARENA_NEW(t->p->arena, tree_phi);
    size_t n = 0, cap = 0;
    phi->def = def;
    do {
        phi->src = (tree_operand *)arena_grow(t->p->arena, phi->src, &cap, n + 1, sizeof *phi->src);
        phi->src[n++] = take_operand(t);
    } while (take(t, ","));
    phi->n = (uint32_t)n;
    while (*list)
        list = &(*list)->next;
    *list = phi;
}

/* "%5 = phi" or "%5 = loop_phi"; goes back if it is another definition. */
static bool
try_phi(parser *t, const char *name, tree_phi **list)
{
    const char *start = t->at;
    if (*t->at != '%')
        return false;
    const uint32_t def = take_new_value(t);
    if (!take(t, "=") || !take(t, name)) {
        t->at = start;
        return false;
    }
    take_phi(t, def, list);
    return true;
}

static tree_node **
region_slot(parser *t, uint32_t id)
{
    const size_t before = t->cap_regions;
    if (!id || id > 1u << 16)
        want(t, "the number of a region");
    t->regions = (tree_node **)arena_grow(t->p->arena, t->regions, &t->cap_regions, id + 1,
                                          sizeof *t->regions);
    if (t->cap_regions > before)
        memset(t->regions + before, 0, (t->cap_regions - before) * sizeof *t->regions);
    return &t->regions[id];
}

static void
take_list(parser *t, tree_list *list);

static void
check_phis(parser *t, const tree_phi *phi, uint32_t n)
{
    for (; phi; phi = phi->next)
        if (phi->n != n)
            want(t, "phis with an operand for each depart or repeat");
}

static void
take_region(parser *t, tree_node *n)
{
    const uint32_t id = (skip_blanks(t), take_number(t));
    if (*region_slot(t, id))
        want(t, "a region with a number of its own");
    *region_slot(t, id) = n;
    n->id = id;
    t->p->n_regions = id > t->p->n_regions ? id : t->p->n_regions;
    expect(t, "{");
    for (skip_lines(t); try_phi(t, "loop_phi", &n->loop_phis); skip_lines(t))
        ;
    take_list(t, &n->body);
    for (skip_lines(t); try_phi(t, "phi", &n->phis); skip_lines(t))
        ;
    check_phis(t, n->loop_phis, 1 + n->n_repeats);
    check_phis(t, n->phis, n->n_departs);
}

static void
take_leave(parser *t, tree_node *n)
{
    const uint32_t id = (skip_blanks(t), take_number(t));
    n->target = *region_slot(t, id);
    const tree_node *owner = n->list->owner;
    while (owner && owner != n->target)
        owner = owner->list->owner;
    if (!owner)
        want(t, "a region that is open");
    n->id = n->kind == TREE_DEPART ? n->target->n_departs++ : n->target->n_repeats++;
}

static void
take_if(parser *t, tree_node *n)
{
    n->n = 1;
    n->slots = ARENA_NEW(t->p->arena, tree_slot);
    n->slots->op = (uint16_t)take_op(t);
    take_sources(t, n->slots);
    if (!(r600_op_row((r600_op)n->slots->op)->properties & R600_P_PRED))
        want(t, "a comparison");
    expect(t, "{");
    take_list(t, &n->body);
}

static tree_node *
begin_node(parser *t, tree_list *list, tree_kind kind)
{
    const uint32_t n_regions = t->p->n_regions;
    tree_node *n = r600_tree_new(t->p, kind);
    t->p->n_regions = n_regions;
    if (kind == TREE_FETCH || kind == TREE_FLOW)
        n->vectors = ARENA_ARRAY(t->p->arena, TREE_MAX_FETCHES, tree_vector);
    r600_tree_append(list, n);
    return n;
}

static void
take_node(parser *t, tree_list *list)
{
    tree_node *n;
    if (take(t, "region")) {
        take_region(t, begin_node(t, list, TREE_REGION));
    } else if (take(t, "if ")) {
        take_if(t, begin_node(t, list, TREE_IF));
    } else if (take(t, "depart")) {
        take_leave(t, begin_node(t, list, TREE_DEPART));
    } else if (take(t, "repeat")) {
        take_leave(t, begin_node(t, list, TREE_REPEAT));
    } else if (take(t, "fetch ")) {
        take_fetch(t, begin_node(t, list, TREE_FETCH));
    } else if (take(t, "flow ")) {
        take_vector(t, begin_node(t, list, TREE_FLOW));
    } else {
        n = begin_node(t, list, TREE_ALU);
        if (take(t, "pack {")) {
            take_pack(t, n);
        } else {
            n->n = 1;
            n->slots = ARENA_NEW(t->p->arena, tree_slot);
            take_slot(t, n->slots);
        }
        n->access = t->access;
        if (t->access && (n->is_pack || n->slots->op != R600_MOV))
            want(t, "a move of an element");
        if (t->access)
            take_elements(t, t->access);
        t->access = NULL;
        take_group_end(t, n);
    }
}

/* Nodes up to the closing brace, or the end of the text. */
static void
take_list(parser *t, tree_list *list)
{
    if (++t->depth > 2 * TREE_MAX_DEPTH)
        want(t, "fewer regions inside each other");
    for (skip_lines(t); *t->at && !take(t, "}"); skip_lines(t)) {
        if (list->last && (list->last->kind == TREE_DEPART || list->last->kind == TREE_REPEAT))
            want(t, "nothing behind a depart or a repeat");
        take_node(t, list);
    }
    if (list->owner &&
        (!list->last || (list->last->kind != TREE_DEPART && list->last->kind != TREE_REPEAT)))
        want(t, "a depart or a repeat at the end");
    t->depth--;
}

/* ---- the whole ---- */

static void
take_form(parser *t)
{
    expect(t, "form:");
    if (take(t, "registers"))
        return;
    t->p->is_renamed = true;
    t->p->is_ssa = take(t, "ssa");
    if (!t->p->is_ssa)
        expect(t, "variables");
}

static void
take_inputs(parser *t)
{
    uint8_t taken[124 * 4] = {0};
    for (skip_lines(t); take(t, "input:"); skip_lines(t)) {
        const uint32_t v = take_value(t);
        skip_blanks(t);
        const uint32_t reg = take_register(t);
        if (reg >= sizeof taken || taken[reg]++)
            want(t, "an input's register");
        t->p->values[v].is_input = true;
        t->p->values[v].reg = reg;
        t->p->input_gprs = reg / 4 >= t->p->input_gprs ? reg / 4 + 1 : t->p->input_gprs;
    }
}

/* "array: A0 R5.x 4" */
static void
take_arrays(parser *t)
{
    tree_program *p = t->p;
    for (skip_lines(t); take(t, "array: A"); skip_lines(t)) {
        if (take_number(t) != p->n_arrays || p->n_arrays == TREE_MAX_ARRAYS)
            want(t, "arrays in order");
        tree_array *a = &p->arrays[p->n_arrays++];
        skip_blanks(t);
        a->reg = take_register(t);
        skip_blanks(t);
        a->n = take_number(t);
        if (!a->n || a->reg / 4 + a->n > R600_FIRST_TEMP)
            want(t, "an array in registers");
    }
}

static void
note_def(void *user, tree_node *n, uint32_t *def)
{
    tree_program *p = user;
    p->values[*def].def = n;
}

tree_program *
r600_tree_parse(diag *d, arena *a, const r600_chip *chip, const char *text)
{
    tree_program *p = r600_tree_open(d, a, chip);
    parser t = {.p = p, .at = text, .line = 1};
    skip_lines(&t);
    expect(&t, "target:");
    skip_blanks(&t);
    t.at += strcspn(t.at, "\n");
    skip_lines(&t);
    take_form(&t);
    take_inputs(&t);
    take_arrays(&t);
    take_list(&t, &p->body);
    if (*t.at)
        want(&t, "the end of the text");
    TREE_FOREACH(n, p)
        if (p->is_renamed)
            r600_tree_defs(n, note_def, p);
    return p;
}
