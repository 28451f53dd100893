/* Values of expressions, while the file is read and when its sections have addresses.
 *
 * An early value is a number, or a number plus the address of one section. Names that are defined
 * later, and expressions that combine addresses other than by adding and subtracting, have no early
 * value. A variable's expression is evaluated only once; the variable is then a number or a label.
 */
#include "asm/ctx.h"

/* Limit on the nesting of variables that depend on other unknown variables. */
enum { MAX_CHAIN = 256 };

bool
asm_apply(unsigned op, int64_t *left, int64_t right)
{
    uint64_t l = (uint64_t)*left, r = (uint64_t)right;
    switch ((asm_code_op)op) {
    case ASM_NEG: *left = (int64_t)(0 - l); break;
    case ASM_NOT: *left = ~*left; break;
    case ASM_IS_ZERO: *left = !*left; break;
    case ASM_ADD: *left = (int64_t)(l + r); break;
    case ASM_SUB: *left = (int64_t)(l - r); break;
    case ASM_MUL: *left = (int64_t)(l * r); break;
    case ASM_SHL: *left = r > 63 ? 0 : (int64_t)(l << r); break;
    case ASM_SHR: *left = r > 63 ? 0 : (int64_t)(l >> r); break;
    case ASM_AND: *left = (int64_t)(l & r); break;
    case ASM_OR: *left = (int64_t)(l | r); break;
    case ASM_OR_NOT: *left = (int64_t)(l | ~r); break;
    case ASM_XOR: *left = (int64_t)(l ^ r); break;
    case ASM_BOTH: *left = l && r; break;
    case ASM_EITHER: *left = l || r; break;
    case ASM_EQ: *left = -(l == r); break;
    case ASM_NE: *left = -(l != r); break;
    case ASM_LT: *left = -(*left < right); break;
    case ASM_LE: *left = -(*left <= right); break;
    case ASM_GT: *left = -(*left > right); break;
    case ASM_GE: *left = -(*left >= right); break;
    case ASM_MAX: *left = *left > right ? *left : right; break;
    default:
        if (right == 0)
            return false;
        if (right == -1)
            *left = op == ASM_DIV ? (int64_t)(0 - l) : 0;
        else
            *left = op == ASM_DIV ? *left / right : *left % right;
    }
    return true;
}

/* The use of a value. */
typedef struct asm_purpose {
    const asm_fixup *fixup; /* where it will be stored; NULL while the file is read */
    unsigned chain;
} asm_purpose;

static bool
evaluate(asm_ctx *a, const asm_expr *e, asm_purpose to, asm_sum *out);

_Noreturn void
asm_fail_symbol(asm_ctx *a, const asm_expr *e, const asm_code *c, diag_error error)
{
    a->failure = (asm_failure){c->as.at, error, asm_symbol_text(a, c->index), c->index + 1};
    asm_report_in(a, e->source);
}

static asm_sum
address(const asm_ctx *a, uint32_t section, int64_t offset, asm_purpose to)
{
    const asm_unit *u = a->unit;
    uint64_t at = to.fixup ? u->sections[section].address : 0;
    return (asm_sum){(int64_t)(at + (uint64_t)offset), !(to.fixup && u->options.is_code), section};
}

bool
asm_settle(asm_symbol *s, const asm_sum *sum)
{
    if (sum->bases != 0 && sum->bases != 1)
        return false;
    s->lazy = false;
    s->value = sum->number;
    s->label = sum->bases == 1;
    s->section = sum->section;
    return true;
}

/* Evaluates a variable's expression. The sum is kept, so that each is evaluated only once. */
static bool
variable(asm_ctx *a, const asm_expr *e, const asm_code *c, asm_purpose to, asm_sum *out)
{
    asm_symbol *s = &a->symbols[c->index];
    asm_expr made = s->expr;
    asm_summed now = to.fixup ? ASM_SUMMED : ASM_SUMMED_EARLY;
    if (s->summed == now) {
        *out = s->sum;
        return true;
    }
    if (s->evaluation && s->evaluation != a->evaluation)
        asm_abandon(a);
    if (s->evaluation || (to.fixup && to.chain > MAX_CHAIN))
        asm_fail_symbol(a, e, c, ERR_ASM_CYCLE);
    if (to.chain > MAX_CHAIN)
        return false;
    s->evaluation = a->evaluation;
    to.chain++;
    bool ok = evaluate(a, &made, to, out);
    s = &a->symbols[c->index];
    s->evaluation = 0;
    if (!ok)
        return false;
    if (!to.fixup && asm_settle(s, out))
        return true;
    s->summed = now;
    s->sum = *out;
    return true;
}

static bool
symbol(asm_ctx *a, const asm_expr *e, const asm_code *c, asm_purpose to, asm_sum *out)
{
    asm_symbol *s = &a->symbols[c->index];
    if (!s->defined) {
        if (to.fixup)
            asm_fail_symbol(a, e, c, ERR_ASM_UNDEFINED);
        return false;
    }
    if (s->lazy)
        return variable(a, e, c, to, out);
    *out = s->label ? address(a, s->section, s->value, to) : (asm_sum){.number = s->value};
    return true;
}

/* NAME@rel32 and NAME@gotpcrel32 */
static bool
relative(asm_ctx *a, const asm_expr *e, const asm_code *c, asm_purpose to, asm_sum *out)
{
    if (!to.fixup)
        return false;
    bool got = c->op == ASM_GOT || c->op == ASM_GOT_HI;
    const asm_fixup *f = to.fixup;
    asm_sum place = address(a, f->section, (int64_t)f->offset, to);
    if (got)
        *out = address(a, asm_find_section(a, ".got", 4), a->symbols[c->index].got - 1, to);
    else
        symbol(a, e, c, to, out);
    a->high |= c->op == ASM_REL32_HI || c->op == ASM_GOT_HI;
    asm_apply(ASM_SUB, &out->number, place.number);
    out->bases = 0;
    return true;
}

/* How many times the result of left op right contains the load address, if its operands contain it
 * `l` and `r` times. */
static int64_t
count_bases(unsigned op, int64_t l, int64_t r)
{
    int64_t sum = op == ASM_ADD ? l + r : l - r;
    if (l == ASM_ODD || r == ASM_ODD)
        return ASM_ODD;
    if (op != ASM_ADD && op != ASM_SUB)
        return op >= ASM_EQ && op < ASM_MAX && l == r ? 0 : ASM_ODD;
    return sum >= -ASM_ODD && sum <= ASM_ODD ? sum : ASM_ODD;
}

/* left = left op right. Returns false if the result has no early value. */
static bool
combine(asm_ctx *a, unsigned op, asm_sum *left, const asm_sum *right, bool resolving)
{
    int64_t l = left->bases, r = right->bases;
    bool same = !l || !r || left->section == right->section;
    if (l || r) {
        bool compares = op >= ASM_EQ && op <= ASM_MAX && l == r;
        bool sums = op == ASM_ADD || op == ASM_SUB;
        if (!resolving && (!same || !(compares || sums)))
            return false;
        left->section = l ? left->section : right->section;
        left->bases = count_bases(op, l, r);
    }
    if (!asm_apply(op, &left->number, right->number)) {
        asm_expected(a, "a divisor other than 0");
        if (resolving)
            asm_report(a);
        return false;
    }
    return true;
}

/* Applies a function to the last values. */
static bool
call(asm_ctx *a, const asm_function *f, bool resolving)
{
    unsigned n = f->n_args;
    asm_sum *first = &a->sums[a->n_sums - n], value = {.number = 0};
    int64_t args[ASM_MAX_ARGUMENTS];
    for (unsigned i = 0; i < n; i++) {
        args[i] = first[i].number;
        if (first[i].bases)
            value.bases = ASM_ODD;
    }
    if (value.bases && !resolving)
        return false;
    if (!f->value(a, args, &value.number)) {
        asm_expected(a, "arguments for which the function is defined");
        if (resolving)
            asm_report(a);
        return false;
    }
    *first = value;
    a->n_sums -= n - 1;
    return true;
}

static bool
step(asm_ctx *a, const asm_expr *e, const asm_code *c, asm_purpose to)
{
    asm_sum value = {.number = 0};
    bool resolving = to.fixup != NULL, ok = true;
    if (c->op == ASM_CALL)
        return call(a, c->as.function, resolving);
    if (c->op >= ASM_ADD) {
        asm_sum *left = &a->sums[a->n_sums - 2];
        a->n_sums--;
        return combine(a, c->op, left, left + 1, resolving);
    }
    if (c->op >= ASM_NEG) {
        asm_sum *v = &a->sums[a->n_sums - 1];
        asm_apply(c->op, &v->number, 0);
        v->bases = v->bases ? ASM_ODD : 0;
        return resolving || !v->bases;
    }
    switch ((asm_code_op)c->op) {
    case ASM_CONST: value.number = c->as.value; break;
    case ASM_PLACE: value = address(a, c->index, c->as.value, to); break;
    case ASM_SYMBOL: ok = symbol(a, e, c, to, &value); break;
    default: ok = relative(a, e, c, to, &value); break;
    }
    a->sums = arena_grow(a->arena, a->sums, &a->sums_cap, a->n_sums + 1, sizeof *a->sums);
    a->sums[a->n_sums++] = value;
    return ok;
}

static bool
evaluate(asm_ctx *a, const asm_expr *e, asm_purpose to, asm_sum *out)
{
    size_t first = a->n_sums;
    bool ok = true;
    *out = (asm_sum){.number = e->value};
    if (e->is_known)
        return true;
    for (uint32_t i = 0; i < e->count && ok; i++) {
        asm_code c = a->codes[e->first + i];
        ok = step(a, e, &c, to);
    }
    if (ok)
        *out = a->sums[a->n_sums - 1];
    a->n_sums = first;
    return ok;
}

bool
asm_evaluate(asm_ctx *a, const asm_expr *e, asm_sum *out)
{
    a->evaluation++;
    return evaluate(a, e, (asm_purpose){NULL, 0}, out);
}

void
asm_evaluate_last(asm_ctx *a, const asm_fixup *f, const asm_expr *e, asm_sum *out)
{
    a->high = false;
    a->evaluation++;
    evaluate(a, e, (asm_purpose){f, 0}, out);
}
