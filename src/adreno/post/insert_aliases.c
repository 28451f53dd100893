/* insert_aliases: the parts that a texture instruction reads get registers in a row, their own as
 * far as they lie in one, others from r40.x on; for the rest alias.tex says what is read instead.
 *
 *     SAML_ANY r[2], r[3], r[7] first:2 second:1    ->    SAML_ANY r[2-3], r[7]
 *     SAML_ANY r[2], 0x40000000, r[3] first:2 ...   ->    r[3] = ALIAS 0x40000000 imm:1
 *                                                         r[160] = ALIAS r[3]
 *                                                         SAML_ANY r[2-3], r[160]
 *
 * The source of an alias is a register itself, whatever stands for it. Source of the form: the code
 * of turnip 26.2.6. */
#include "adreno/post/lower.h"
#include "adreno/target/alias.h"

enum { FREE = 40 * 4, LAST = 48 * 4, ROWS = 3 };

typedef struct row {
    unsigned first, n;  /* references; n 0: one that is a row already */
    unsigned base, end; /* registers */
    unsigned kept;      /* parts that are in their registers */
} row;

typedef struct aliases {
    ir_fn *f;
    ir_instr *i;
    row rows[ROWS];
    unsigned n_rows;
    bool half;
} aliases;

static bool
is_kept(const aliases *a, const row *w, unsigned k, unsigned base)
{
    const ir_ref r = a->i->refs[w->first + k];
    return r.kind == IR_REF_UNDEF || (adreno_has_register(r) && adreno_reg_number(r) == base + k);
}

static bool
overlaps(const aliases *a, const row *w, unsigned base)
{
    for (unsigned k = 0; k < a->n_rows; k++) {
        const row *o = &a->rows[k];
        if (o != w && o->end > o->base && base < o->end && o->base < base + w->n)
            return true;
    }
    return false;
}

/* Where most of the parts need no alias. */
static void
choose_base(const aliases *a, row *w)
{
    unsigned best = FREE, most = 0;
    for (unsigned k = 0; k < w->n; k++) {
        const ir_ref r = a->i->refs[w->first + k];
        const unsigned number = adreno_has_register(r) ? adreno_reg_number(r) : 0;
        unsigned kept = 0;
        if (!adreno_has_register(r) || number < k || number - k + w->n > LAST ||
            overlaps(a, w, number - k))
            continue;
        for (unsigned j = 0; j < w->n; j++)
            kept += is_kept(a, w, j, number - k);
        if (kept > most) {
            most = kept;
            best = number - k;
        }
    }
    while (overlaps(a, w, best))
        best++;
    w->base = best;
    w->kept = most;
}

static void
add_row(aliases *a, unsigned first, unsigned n)
{
    row *w = &a->rows[a->n_rows++];
    const ir_ref r = a->i->refs[first];
    *w = (row){.first = first, .n = n};
    if (n || !adreno_has_register(r) || adreno_is_half_class(r.rc) != a->half)
        return;
    w->base = adreno_reg_number(r);
    w->end = w->base + adreno_row(r.rc);
}

/* The row that keeps more of its registers chooses first. */
static void
choose_bases(aliases *a)
{
    for (unsigned k = 0; k < 2 && k < a->n_rows; k++)
        if (a->rows[k].n)
            choose_base(a, &a->rows[k]);
    const unsigned first = a->n_rows > 1 && a->rows[1].kept > a->rows[0].kept;
    for (unsigned k = 0; k < 2 && k < a->n_rows; k++) {
        row *w = &a->rows[k ^ first];
        if (!w->n)
            continue;
        choose_base(a, w);
        w->end = w->base + w->n;
    }
}

static ir_instr *
add_alias(const aliases *a, const row *w, unsigned k)
{
    const unsigned bytes = a->half ? 2 : 4, r = w->first + k;
    ir_instr *alias = ir_insert_new(a->i, ADRENO_ALIAS, 1, 1);
    alias->defs[0] = adreno_place((w->base + k) * bytes, bytes);
    alias->refs[0] = a->i->refs[r];
    adreno_set(alias, 0, ADRENO_M_CFILE, adreno_attr(a->i, 1, ADRENO_T_FILES + r, 1));
    return alias;
}

/* The first one says how many follow, and has the flags that only it can have. */
static void
add_aliases(const aliases *a)
{
    ir_instr *first = NULL;
    unsigned n = 0;
    for (unsigned k = 0; k < a->n_rows; k++) {
        const row *w = &a->rows[k];
        for (unsigned j = 0; j < w->n; j++) {
            if (is_kept(a, w, j, w->base))
                continue;
            ir_instr *alias = add_alias(a, w, j);
            first = first ? first : alias;
            n++;
        }
    }
    if (!first)
        return;
    ir_words(first)[1] = n - 1;
    first->form = a->i->form & (ADRENO_FORM_JP | ADRENO_FORM_SS);
    a->i->form &= (uint8_t)~first->form;
}

/* The instruction with rows that are registers. */
static void
put_rows(const aliases *a)
{
    ir_instr *made = adreno_replace_texture(a->f, a->i, a->n_rows);
    ir_words(made)[1] &= (1u << ADRENO_T_FIRST) - 1;
    for (unsigned k = 0; k < a->n_rows; k++) {
        const row *w = &a->rows[k];
        const unsigned reg = w->base * (a->half ? 2 : 4);
        made->refs[k] = w->n ? ir_pack_ref(IR_REF_NONE, 0, reg, adreno_class(a->half, w->n),
                                           IR_ASSIGNED)
                             : a->i->refs[w->first];
    }
}

static void
insert(ir_fn *f, ir_instr *i)
{
    const unsigned counts[] = {adreno_attr(i, 1, ADRENO_T_FIRST, 4),
                               adreno_attr(i, 1, ADRENO_T_SECOND, 3)};
    aliases a = {.f = f, .i = i, .half = adreno_is_half_class(i->refs[0].rc)};
    for (unsigned at = 0; at < i->n_refs && a.n_rows < ROWS;) {
        const unsigned n = a.n_rows < 2 ? counts[a.n_rows] : 0;
        add_row(&a, at, n);
        at += n ? n : 1;
    }
    choose_bases(&a);
    add_aliases(&a);
    put_rows(&a);
}

void
adreno_insert_aliases(ir_fn *f)
{
    IR_FOREACH_INSTR_OF(i, f)
        if (adreno_is_aliased(i))
            insert(f, i);
}
