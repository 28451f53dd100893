/* Statements: flags, the mnemonic's rows, a trial for each row, encoding. */
#include "adreno/isa/asm/trial.h"
#include "asm/fixup.h"

#include <string.h>

enum { MAX_FLAGS = 16, NOP_NONE = 4 };

/* What stands before the mnemonic. */
typedef struct prefix {
    adreno_element flags[MAX_FLAGS];
    unsigned n_flags;
    const char *at[MAX_FLAGS];
    unsigned repeat, nop; /* NOP_NONE: no (nopN) */
    const char *repeat_at, *nop_at;
} prefix;

/* ---- the prefix ---- */

/* "(rpt3)": the digit behind `name`, up to `most`. */
static bool
take_count(const asm_token *t, const char *name, unsigned most, unsigned *count)
{
    const size_t n = strlen(name);
    if (t->len != n + 1 || memcmp(t->text, name, n) != 0)
        return false;
    *count = (unsigned)(unsigned char)t->text[n] - '0';
    return *count <= most;
}

static bool
take_flag(const asm_token *t, prefix *p)
{
    static const adreno_element known[] = {ADRENO_E_sy,   ADRENO_E_ss,   ADRENO_E_jp,
                                           ADRENO_E_eq,   ADRENO_E_ul,   ADRENO_E_sat,
                                           ADRENO_E_eolm, ADRENO_E_eogm, ADRENO_E_eostsc};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        const char *text = adreno_element_row(known[i])->text;
        if (t->len + 2 != strlen(text) || memcmp(t->text, text + 1, t->len) != 0)
            continue;
        if (p->n_flags < MAX_FLAGS) {
            p->at[p->n_flags] = t->text;
            p->flags[p->n_flags++] = known[i];
        }
        return true;
    }
    return false;
}

static void
read_prefix(asm_ctx *a, prefix *p)
{
    *p = (prefix){.nop = NOP_NONE};
    while (asm_take(a, '(')) {
        if (take_count(&a->token, "rpt", 7, &p->repeat)) {
            p->repeat_at = a->token.text;
        } else if (take_count(&a->token, "nop", 3, &p->nop)) {
            p->nop_at = a->token.text;
        } else if (!take_flag(&a->token, p)) {
            asm_want(a, "a flag of instructions such as sy, ss, jp, rpt1 to rpt7, nop1 to nop3");
        }
        asm_next(a);
        if (!asm_take(a, ')'))
            asm_want(a, "')'");
    }
}

static bool
has_element(const adreno_isa *t, adreno_op op, adreno_element e)
{
    ADRENO_FOREACH_PIECE(p, t, op) {
        if (p->element == e)
            return true;
    }
    return false;
}

static bool
want_at(adreno_trial *r, const char *at, const char *what)
{
    r->at = at;
    return adreno_want(r, what);
}

/* Sets the fields of the prefix. */
static bool
apply_prefix(adreno_trial *r, const prefix *p)
{
    const bool has_nop = has_element(r->t, r->in.op, ADRENO_E_rptnop) ||
                         has_element(r->t, r->in.op, ADRENO_E_nop);
    const bool has_rpt = has_element(r->t, r->in.op, ADRENO_E_rptnop) ||
                         has_element(r->t, r->in.op, ADRENO_E_rpt);
    for (unsigned i = 0; i < p->n_flags; i++) {
        if (!has_element(r->t, r->in.op, p->flags[i]))
            return want_at(r, p->at[i], "a flag that the instruction has");
        r->in.f[adreno_element_row(p->flags[i])->field] = 1;
    }
    if (p->repeat &&
        (!has_rpt || p->repeat >> adreno_field_width(adreno_format_of(r->in.op), ADRENO_F_repeat)))
        return want_at(r, p->repeat_at, "a flag that the instruction has");
    if (p->nop != NOP_NONE && (!has_nop || p->repeat))
        return want_at(r, p->nop_at, "no nop for this instruction");
    r->in.f[ADRENO_F_repeat] = p->repeat;
    if (p->nop != NOP_NONE) {
        r->in.f[ADRENO_F_r1] = p->nop & 1;
        r->in.f[ADRENO_F_r2] = p->nop >> 1;
    }
    return true;
}

/* (r) of sources and (nopN) are the same bits. Mesa 22 prints the former for inputs. */
static bool
check_r(adreno_trial *r, const prefix *p)
{
    const bool shares = has_element(r->t, r->in.op, ADRENO_E_rptnop) ||
                        has_element(r->t, r->in.op, ADRENO_E_nop);
    const bool is_input = adreno_op_row(r->in.op)->format == ADRENO_FMT_CAT2_IN;
    if (!shares || !r->has_r || r->in.f[ADRENO_F_repeat] || (is_input && p->nop == NOP_NONE))
        return true;
    return adreno_want(r, p->nop == NOP_NONE ? "(rptN) for the (r) before this"
                                             : "no (r) beside (nopN) before this");
}

/* ---- a trial ---- */

static bool
read_character(adreno_trial *r, char c)
{
    static const char *const quoted[] = {"','", "'['", "']'", "'('", "')'", "'.'", "'+'"};
    static const char characters[] = ",[]().+";
    const char text[2] = {c, '\0'};
    if (c == ' ') {
        const bool is_blank = r->at < r->a->end && (*r->at == ' ' || *r->at == '\t');
        r->in_operands = true;
        return is_blank || r->at == r->a->end || strchr("\r\n;(", *r->at) ||
               adreno_want(r, "the end of the mnemonic");
    }
    const char *known = strchr(characters, c);
    return adreno_take(r, text) ||
           adreno_want(r, known ? quoted[known - characters] : "another operand");
}

/* Reads what follows the name in the format's text. */
static bool
read_pieces(adreno_trial *r)
{
    bool is_behind = false;
    ADRENO_FOREACH_PIECE(p, r->t, r->in.op) {
        if (p->element == ADRENO_E_name)
            is_behind = true;
        else if (is_behind && p->element < ADRENO_ELEMENT_COUNT
                     ? !adreno_read_element(r, (adreno_element)p->element)
                     : is_behind && !read_character(r, p->character))
            return false;
    }
    return true;
}

/* 22.3.6 writes the predicate, which is always p0.x. */
static void
skip_predicate(adreno_trial *r)
{
    r->in_operands = true;
    if (r->in.op == ADRENO_PREDT || r->in.op == ADRENO_PREDF)
        adreno_take(r, "p0.x");
}

static bool
try_row(adreno_trial *r, const prefix *p)
{
    static const uint8_t no_rule = ADRENO_SIZE_UNKNOWN;
    const char *start = r->at;
    const adreno_op_info *row = adreno_op_row(r->in.op);
    memset(r->size, no_rule, sizeof r->size);
    r->table_size = no_rule;
    if (!apply_prefix(r, p))
        return false;
    r->at = start;
    if (!read_pieces(r))
        return false;
    skip_predicate(r);
    if (!adreno_settle_sizes(r) || !check_r(r, p))
        return false;
    const bool is_same = r->in.f[ADRENO_F_stype] == r->in.f[ADRENO_F_dtype];
    if (row->properties & (is_same ? ADRENO_OTHER_TYPES : ADRENO_SAME_TYPES))
        return want_at(r, start, is_same ? "two types" : "one type twice");
    asm_seek(r->a, r->at);
    return r->a->token.kind == ASM_END || asm_expected(r->a, "the end of the line");
}

/* ---- output ---- */

static void
put_word(asm_ctx *a, uint64_t word)
{
    buf_put_u32(a->out, (uint32_t)word);
    buf_put_u32(a->out, (uint32_t)(word >> 32));
}

/* Between @fullsyncstart and its end, and the same for nop, each instruction has a nop before
 * it. */
static void
put_nops(asm_ctx *a)
{
    const adreno_asm *m = adreno_asm_of(a);
    adreno_inst nop = {.op = ADRENO_NOP};
    if (m->full_sync) {
        nop.f[ADRENO_F_sy] = nop.f[ADRENO_F_ss] = 1;
        put_word(a, adreno_encode(m->isa, &nop));
    }
    nop = (adreno_inst){.op = ADRENO_NOP};
    nop.f[ADRENO_F_repeat] = 5;
    if (m->full_nop)
        put_word(a, adreno_encode(m->isa, &nop));
}

static void
emit(asm_ctx *a, const adreno_trial *r)
{
    put_nops(a);
    if (r->label) {
        asm_seek(a, r->label);
        asm_symbol *s = asm_take_symbol(a);
        s->used = true;
        asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_BRANCH,
                                     .symbol = asm_symbol_of(a, r->label, r->label_size),
                                     .offset = a->out->size,
                                     .at = r->label});
        asm_seek(a, r->at);
    }
    put_word(a, adreno_encode(r->t, &r->in));
}

/* ---- statements ---- */

/* The rows of the longest name that begins the mnemonic, from `size` on downwards; 0: none.
 * `*size` becomes the name's. */
static uint16_t
find_rows(const adreno_asm *m, const asm_token *mnemonic, uint32_t *size)
{
    for (; *size; --*size) {
        const bool is_part = *size == mnemonic->len || mnemonic->text[*size] == '.';
        uint32_t i = is_part ? strings_find(&m->names, mnemonic->text, *size) : UINT32_MAX;
        if (i != UINT32_MAX)
            return m->first[i];
    }
    return 0;
}

static bool
try_rows(asm_ctx *a, const asm_token *mnemonic, const prefix *p)
{
    const adreno_asm *m = adreno_asm_of(a);
    bool is_known = false;
    for (uint32_t size = mnemonic->len; size; size--) {
        for (uint16_t op = find_rows(m, mnemonic, &size); op; op = m->next[op]) {
            adreno_trial r = {
                .a = a, .t = m->isa, .in.op = (adreno_op)op, .at = mnemonic->text + size};
            is_known = true;
            if (try_row(&r, p)) {
                emit(a, &r);
                return true;
            }
        }
        if (!size)
            break;
    }
    if (!is_known) {
        asm_seek(a, mnemonic->text);
        asm_fail(a, ERR_ASM_UNKNOWN, asm_short(a, mnemonic->text, mnemonic->len));
    }
    return false;
}

/* `raw 0x...`: a word. */
static void
read_raw(asm_ctx *a)
{
    asm_next(a);
    put_word(a, (uint64_t)asm_number(a, INT64_MIN, INT64_MAX));
}

void
adreno_asm_statement(asm_ctx *a)
{
    prefix p;
    if (a->token.kind == ASM_IDENT && *a->token.text == '@') {
        adreno_asm_header(a);
        return;
    }
    if (asm_is_name(a, "raw")) {
        read_raw(a);
        return;
    }
    if (asm_is_name(a, "Native") || asm_is_name(a, "SIMD0")) { /* the head of a dump */
        asm_skip_line(a);
        return;
    }
    read_prefix(a, &p);
    const asm_token mnemonic = a->token;
    if (mnemonic.kind != ASM_IDENT)
        asm_want(a, "an instruction");
    if (!try_rows(a, &mnemonic, &p))
        asm_report(a);
}
