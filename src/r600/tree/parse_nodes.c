/* Words, operands and operations of the text of a tree. */
#include "base/number.h"
#include "r600/isa/asm/asm.h"
#include "r600/tree/parse.h"

#include <string.h>

/* ---- words ---- */

_Noreturn void
r600_parse_want(tree_parser *t, const char *what)
{
    t->p->diag->loc.line = t->line;
    diag_fail(t->p->diag, ERR_R600_TREE_TEXT, what);
}

void
r600_parse_skip_blanks(tree_parser *t)
{
    while (*t->at == ' ')
        t->at++;
}

void
r600_parse_skip_lines(tree_parser *t)
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

bool
r600_parse_take(tree_parser *t, const char *word)
{
    const size_t n = strlen(word);
    r600_parse_skip_blanks(t);
    if (strncmp(t->at, word, n) != 0)
        return false;
    t->at += n;
    return true;
}

void
r600_parse_expect(tree_parser *t, const char *word)
{
    if (!r600_parse_take(t, word))
        r600_parse_want(t, word);
}

uint32_t
r600_parse_number(tree_parser *t)
{
    uint64_t n = 0;
    const bool is_hex = strncmp(t->at, "0x", 2) == 0;
    const char *start = t->at += is_hex ? 2 : 0;
    for (unsigned digit; (digit = base_digit_value(*t->at)) < (is_hex ? 16u : 10u); t->at++) {
        n = n * (is_hex ? 16 : 10) + digit;
        if (n > UINT32_MAX)
            r600_parse_want(t, "a number of 32 bits");
    }
    if (t->at == start)
        r600_parse_want(t, "a number");
    return (uint32_t)n;
}

/* Letters, digits and underscores. */
static size_t
word_size(const char *s)
{
    return strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static uint32_t
take_component(tree_parser *t, const char *letters)
{
    r600_parse_expect(t, ".");
    const char *c = *t->at ? strchr(letters, *t->at) : NULL;
    if (!c)
        r600_parse_want(t, "a component");
    t->at++;
    return (uint32_t)(c - letters);
}

/* ---- operands ---- */

uint32_t
r600_parse_value(tree_parser *t)
{
    r600_parse_expect(t, "%");
    const uint32_t v = r600_parse_number(t);
    if (!v || v > 1u << 20)
        r600_parse_want(t, "the number of a value");
    while (t->p->n_values <= v)
        r600_tree_value(t->p);
    return v;
}

uint32_t
r600_parse_register(tree_parser *t)
{
    r600_parse_expect(t, "R");
    const uint32_t reg = r600_parse_number(t);
    const uint32_t at = reg > 129 ? TREE_ALL_REGISTERS : reg * 4 + take_component(t, "xyzw");
    if (at >= TREE_ALL_REGISTERS)
        r600_parse_want(t, "a register");
    return at;
}

/* ---- arrays ---- */

static unsigned
take_array(tree_parser *t)
{
    r600_parse_expect(t, "A");
    const uint32_t n = r600_parse_number(t);
    if (n >= t->p->n_arrays)
        r600_parse_want(t, "an array");
    return n;
}

static bool
is_element(const char *at)
{
    return at[0] == 'A' && at[1] >= '0' && at[1] <= '9';
}

/* "+2]" */
static uint32_t
take_base(tree_parser *t, unsigned array)
{
    r600_parse_expect(t, "+");
    const uint32_t base = r600_parse_number(t);
    r600_parse_expect(t, "]");
    if (base >= t->p->arrays[array].n)
        r600_parse_want(t, "an element");
    return base;
}

/* "A1[AR.x+2]": the element in four times its number and AR's component. */
static uint32_t
take_register_element(tree_parser *t, unsigned *array)
{
    *array = take_array(t);
    r600_parse_expect(t, "[AR");
    const uint32_t c = take_component(t, "xyzw");
    return take_base(t, *array) * 4 + c;
}

/* "A1[%4+2]" */
static void
take_access(tree_parser *t, bool is_write)
{
    const unsigned array = take_array(t);
    if (t->access)
        r600_parse_want(t, "one element");
    t->access = ARENA_NEW(t->p->arena, tree_access);
    *t->access = (tree_access){
        .array = (uint8_t)array, .is_write = is_write, .n = t->p->arrays[array].n};
    r600_parse_expect(t, "[");
    t->access->index = r600_parse_operand(t);
    t->access->base = take_base(t, array);
}

static tree_operand
take_special(tree_parser *t)
{
    const size_t n = word_size(t->at);
    const r600_source_info *s = r600_sources;
    for (; s->count; s++)
        if (strlen(s->name) == n && memcmp(s->name, t->at, n) == 0 &&
            t->p->chip->gen >= s->first_gen && t->p->chip->gen <= s->last_gen)
            break;
    if (!n || !s->count)
        r600_parse_want(t, "an operand");
    t->at += n;
    uint32_t number = 0;
    if (s->count > 1) {
        r600_parse_expect(t, "[");
        number = r600_parse_number(t);
        r600_parse_expect(t, "]");
        if (number >= s->count)
            r600_parse_want(t, "an index of the operand");
    }
    return (tree_operand){.kind = TREE_SPECIAL,
                          .id = (s->first + number) * 4 + take_component(t, "xyzw")};
}

static tree_operand
take_element(tree_parser *t)
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
take_plain(tree_parser *t)
{
    if (*t->at == '%')
        return r600_tree_use(r600_parse_value(t));
    if (*t->at == 'R' && t->at[1] >= '0' && t->at[1] <= '9')
        return (tree_operand){.kind = TREE_REG, .id = r600_parse_register(t)};
    if (strncmp(t->at, "0x", 2) == 0)
        return r600_tree_const(r600_parse_number(t));
    if (r600_parse_take(t, "undef"))
        return (tree_operand){.kind = TREE_UNDEF};
    if (is_element(t->at))
        return take_element(t);
    if (r600_parse_take(t, "prev"))
        return (tree_operand){.kind = TREE_PREV, .id = take_component(t, "xyzwt")};
    if (strncmp(t->at, "CB", 2) == 0) {
        t->at += 2;
        const uint32_t buffer = r600_parse_number(t);
        r600_parse_expect(t, "[");
        const uint32_t number = r600_parse_number(t);
        r600_parse_expect(t, "]");
        if (buffer > 15 || number > 4096)
            r600_parse_want(t, "a constant");
        return (tree_operand){.kind = TREE_KCACHE,
                              .buffer = (uint8_t)buffer,
                              .id = number * 4 + take_component(t, "xyzw")};
    }
    return take_special(t);
}

tree_operand
r600_parse_operand(tree_parser *t)
{
    uint8_t mods = 0;
    r600_parse_skip_blanks(t);
    mods |= r600_parse_take(t, "-") ? TREE_NEG : 0;
    mods |= r600_parse_take(t, "|") ? TREE_ABS : 0;
    tree_operand o = take_plain(t);
    if (mods & TREE_ABS)
        r600_parse_expect(t, "|");
    o.mods = mods;
    return o;
}

unsigned
r600_parse_op(tree_parser *t)
{
    r600_parse_skip_blanks(t);
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
    r600_parse_want(t, "an operation of the target");
}

/* ---- ALU ---- */

/* A value with the channel that it came from. */
uint32_t
r600_parse_new_value(tree_parser *t)
{
    const uint32_t v = r600_parse_value(t);
    const uint32_t channel = *t->at == '.' ? take_component(t, "xyzw") : 0;
    if (!t->p->values[v].is_input)
        t->p->values[v].reg = channel;
    return v;
}

/* A definition, or `_`. */
static uint32_t
take_def(tree_parser *t, bool *writes)
{
    r600_parse_skip_blanks(t);
    *writes = !r600_parse_take(t, "_");
    if (!*writes)
        return 0;
    return t->p->is_renamed ? r600_parse_new_value(t) : r600_parse_register(t);
}

void
r600_parse_sources(tree_parser *t, tree_slot *s)
{
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++) {
        if (k)
            r600_parse_expect(t, ",");
        s->src[k] = r600_parse_operand(t);
    }
}

/* What an operation writes. */
static void
take_target(tree_parser *t, tree_slot *s)
{
    unsigned array;
    r600_parse_skip_blanks(t);
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
void
r600_parse_elements(tree_parser *t, tree_access *a)
{
    bool writes;
    if (a->is_write && r600_parse_take(t, "def [")) {
        a->def = ARENA_ARRAY(t->p->arena, a->n, uint32_t);
        for (uint32_t i = 0; i < a->n; i++) {
            if (i)
                r600_parse_expect(t, ",");
            a->def[i] = take_def(t, &writes);
        }
        r600_parse_expect(t, "]");
    }
    if (r600_parse_take(t, "use [")) {
        a->use = ARENA_ARRAY(t->p->arena, a->n, tree_operand);
        for (uint32_t i = 0; i < a->n; i++) {
            if (i)
                r600_parse_expect(t, ",");
            a->use[i] = r600_parse_operand(t);
        }
        r600_parse_expect(t, "]");
    }
    t->p->has_elements |= !a->use;
    if ((a->use && a->is_write) != (a->def != NULL))
        r600_parse_want(t, "all elements");
}

void
r600_parse_slot(tree_parser *t, tree_slot *s)
{
    take_target(t, s);
    r600_parse_expect(t, "=");
    s->op = (uint16_t)r600_parse_op(t);
    r600_parse_sources(t, s);
    s->clamp = r600_parse_take(t, "CLAMP");
    s->omod = r600_parse_take(t, "MUL2")   ? 1
              : r600_parse_take(t, "MUL4") ? 2
              : r600_parse_take(t, "DIV2") ? 3
                                           : 0;
    if (r600_parse_take(t, "OFFSET(")) {
        s->offset = (uint8_t)(r600_parse_number(t) & 63);
        r600_parse_expect(t, ")");
    }
    s->pred = r600_parse_take(t, "PRED_ZERO") ? 2 : r600_parse_take(t, "PRED_ONE") ? 3 : 0;
    if (r600_parse_take(t, "slot:")) {
        const char *c = *t->at ? strchr("xyzwt", *t->at) : NULL;
        if (!c)
            r600_parse_want(t, "a slot");
        s->slot = (uint8_t)(c - "xyzwt");
        t->at++;
    }
}

void
r600_parse_group_end(tree_parser *t, tree_node *n)
{
    n->ends_clause = r600_parse_take(t, ";;");
    n->ends_group = n->ends_clause || r600_parse_take(t, ";");
}

void
r600_parse_pack(tree_parser *t, tree_node *n)
{
    n->is_pack = true;
    n->slots = ARENA_ARRAY(t->p->arena, TREE_MAX_SLOTS, tree_slot);
    for (r600_parse_skip_lines(t); !r600_parse_take(t, "}"); r600_parse_skip_lines(t)) {
        if (n->n == TREE_MAX_SLOTS)
            r600_parse_want(t, "four operations at most");
        r600_parse_slot(t, &n->slots[n->n]);
        if (n->slots[n->n].slot >= R600_SLOT_T)
            r600_parse_want(t, "a vector slot");
        n->n++;
    }
    if (!n->n)
        r600_parse_want(t, "an operation");
    if (r600_parse_take(t, "bank:"))
        n->bank = (uint8_t)(1 + r600_parse_number(t) % 6);
}

/* ---- vectors ---- */

static void
take_instruction(tree_parser *t, r600_space space, r600_inst *in)
{
    const asm_options options = {.is_code = true};
    uint32_t words[R600_MAX_WORDS] = {0};
    r600_parse_expect(t, "\"");
    const char *end = strchr(t->at, '"');
    if (!end)
        r600_parse_want(t, "an instruction in quotes");
    char *text = arena_printf(t->p->arena, "%.*s\n", (int)(end - t->at), t->at);
    asm_unit *u = r600_assemble_unit(t->p->diag, t->p->arena, t->p->isa, &options,
                                     (asm_text){text, strlen(text)});
    const size_t size = space == R600_SPACE_FETCH ? 16 : 8;
    if (u->sections[0].data.size != size)
        r600_parse_want(t, "one instruction");
    for (unsigned i = 0; i < size / 4; i++)
        words[i] = r600_read_dword(u->sections[0].data.data + i * 4);
    r600_decode(t->p->isa, space, words, in);
    t->at = end + 1;
}

static void
take_components(tree_parser *t, tree_operand *out)
{
    r600_parse_expect(t, "[");
    for (unsigned c = 0; c < 4; c++) {
        if (c)
            r600_parse_expect(t, ",");
        if (!r600_parse_take(t, "_"))
            out[c] = r600_parse_operand(t);
    }
    r600_parse_expect(t, "]");
}

void
r600_parse_vector(tree_parser *t, tree_node *n)
{
    if (n->n == TREE_MAX_FETCHES)
        r600_parse_want(t, "four instructions at most");
    tree_vector *v = &n->vectors[n->n++];
    const bool has_results = r600_parse_take(t, "[");
    if (n->kind == TREE_FETCH && !has_results)
        r600_parse_want(t, "[");
    if (has_results) {
        for (unsigned c = 0; c < 4; c++) {
            bool writes;
            if (c)
                r600_parse_expect(t, ",");
            v->def[c] = take_def(t, &writes);
            v->writes |= (uint8_t)(writes ? 1u << c : 0);
        }
        r600_parse_expect(t, "]");
        r600_parse_expect(t, "=");
    }
    take_instruction(t, n->kind == TREE_FETCH ? R600_SPACE_FETCH : R600_SPACE_CF, &v->inst);
    take_components(t, v->src);
    if (n->kind == TREE_FLOW || n->bank) {
        r600_parse_expect(t, ",");
        take_components(t, v->index);
    }
}

void
r600_parse_fetch(tree_parser *t, tree_node *n)
{
    n->id = r600_parse_take(t, "TEX")   ? R600_TEX
            : r600_parse_take(t, "VTX") ? R600_VTX
            : r600_parse_take(t, "GDS") ? R600_GDS
                                        : 0;
    if (!n->id)
        r600_parse_want(t, "TEX, VTX or GDS");
    n->bank = r600_parse_take(t, "valid");
    r600_parse_vector(t, n);
    for (r600_parse_skip_lines(t); r600_parse_take(t, "with "); r600_parse_skip_lines(t))
        r600_parse_vector(t, n);
}
