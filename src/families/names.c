/* Targets by name: their own names ("gfx1030") and those that users have for them, codenames and
 * products.
 *
 * A target's own name is compared exactly. Other names are compared in a plain form: letters and
 * digits in lower case, without text in parentheses, and without the words that makers and
 * drivers put before ("AMD Radeon"). "Graphics" at the end only counts if a name has it: the
 * "Vega 10 Graphics" of an APU is not the chip "vega10". A name that two targets have is found
 * for neither. */
#include "families/families.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PLAIN = 48, NEAREST = 4, MAX_TARGETS_SAID = 8 };

/* A name in plain form, as far as there is room. */
typedef struct plain_name {
    char text[MAX_PLAIN];
    size_t size;
} plain_name;

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- the plain form ---- */

static void
put_plain(plain_name *p, char c)
{
    bool capital = c >= 'A' && c <= 'Z';
    if ((capital || (c >= 'a' && c <= 'z') || is_digit(c)) && p->size + 1 < MAX_PLAIN)
        p->text[p->size++] = capital ? (char)(c - 'A' + 'a') : c;
}

/* Removes `word` at the beginning if something remains. */
static bool
drop_word(plain_name *p, const char *word)
{
    size_t n = strlen(word);
    if (p->size <= n || memcmp(p->text, word, n) != 0)
        return false;
    p->size -= n;
    memmove(p->text, p->text + n, p->size + 1);
    return true;
}

/* Removes the words of makers; a series where the product has a number or a letter of its own. */
static void
drop_makers(plain_name *p)
{
    while (drop_word(p, "amd") || drop_word(p, "radeon") || drop_word(p, "instinct") ||
           drop_word(p, "qualcomm") || drop_word(p, "turnip"))
        continue;
    if (p->size > 2 && is_digit(p->text[2]))
        drop_word(p, "rx");
    if (p->size > 4 && (p->text[3] == 'w' || p->text[3] == 'v') && is_digit(p->text[4]))
        drop_word(p, "pro");
}

static plain_name
plain_of(const char *name)
{
    plain_name p = {.size = 0};
    unsigned depth = 0;
    for (; *name; name++) {
        depth += *name == '(';
        if (!depth)
            put_plain(&p, *name);
        depth -= *name == ')' && depth;
    }
    drop_makers(&p);
    return p;
}

static bool
is_same(const plain_name *a, const plain_name *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

/* ---- searching ---- */

/* A walk over the targets of all families. */
typedef struct walk {
    const family *const *at;
    uint32_t index;
} walk;

static bool
next_target(walk *w, family_target *out)
{
    for (; *w->at; w->at++, w->index = 0) {
        if ((*w->at)->get_target(w->index, out)) {
            out->family = *w->at;
            w->index++;
            return true;
        }
    }
    return false;
}

static bool
has_name(const family_target *t, const plain_name *wanted)
{
    for (const char *const *n = t->names; n && *n; n++) {
        const plain_name p = plain_of(*n);
        if (is_same(&p, wanted))
            return true;
    }
    return false;
}

/* The own name in other letters counts too: "GFX1030". */
static bool
is_called(const family_target *t, const plain_name *wanted)
{
    const plain_name own = plain_of(t->name);
    return is_same(&own, wanted) || has_name(t, wanted);
}

/* Calls `found`, if it is not NULL, for each target that has the name. Returns how many have. */
static unsigned
find_called(const plain_name *wanted, void (*found)(void *user, const family_target *t), void *user)
{
    family_target t;
    walk w = {families, 0};
    unsigned n = 0;
    while (wanted->size && next_target(&w, &t)) {
        if (!is_called(&t, wanted))
            continue;
        n++;
        if (found)
            found(user, &t);
    }
    return n;
}

/* The plain form in which targets have the name: without "graphics" if none has it so. */
static plain_name
wanted_form(const char *name)
{
    static const char suffix[] = "graphics";
    const size_t n = sizeof suffix - 1;
    plain_name p = plain_of(name);
    if (p.size > n && memcmp(p.text + p.size - n, suffix, n) == 0 && !find_called(&p, NULL, NULL))
        p.size -= n;
    return p;
}

static void
keep_target(void *user, const family_target *t)
{
    *(family_target *)user = *t;
}

static bool
find_own_name(const family *f, const char *name, family_target *out)
{
    if (f->find_target)
        return f->find_target(name, out);
    for (uint32_t i = 0; f->get_target(i, out); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

bool
families_find_target(const char *name, family_target *out)
{
    if (!name)
        return false;
    for (const family *const *at = families; *at; at++) {
        if (find_own_name(*at, name, out)) {
            out->family = *at;
            return true;
        }
    }
    const plain_name wanted = wanted_form(name);
    return find_called(&wanted, keep_target, out) == 1;
}

/* ---- what to write instead ---- */

/* A text of limited size; `used` is what it would be without the limit. */
typedef struct text {
    char *out;
    size_t room, used;
    unsigned said;
} text;

static void
say(text *t, const char *words)
{
    if (t->used < t->room)
        snprintf(t->out + t->used, t->room - t->used, "%s", words);
    t->used += strlen(words);
}

static void
say_target(void *user, const family_target *t)
{
    text *to = user;
    if (to->said++ < MAX_TARGETS_SAID) {
        say(to, to->said > 1 ? ", " : "");
        say(to, t->name);
    }
}

/* A name that a user may have meant. A low cost is near. */
typedef struct candidate {
    const char *name, *target;
    unsigned cost;
} candidate;

/* A name that begins with what was written is nearer than any misspelling. */
static unsigned
cost_of(const plain_name *wanted, const char *name)
{
    const plain_name p = plain_of(name);
    if (wanted->size && p.size >= wanted->size && !memcmp(p.text, wanted->text, wanted->size))
        return (unsigned)(p.size - wanted->size);
    return MAX_PLAIN + base_edit_distance(wanted->text, wanted->size, p.text, p.size);
}

/* Puts it where it belongs in the list of the nearest, which is ordered by cost. */
static void
consider(candidate nearest[NEAREST], candidate c)
{
    for (unsigned i = 0; i < NEAREST; i++) {
        if (nearest[i].name && nearest[i].cost <= c.cost)
            continue;
        candidate next = nearest[i];
        nearest[i] = c;
        c = next;
        if (!c.name)
            return;
    }
}

static void
say_nearest(text *to, const plain_name *wanted)
{
    candidate nearest[NEAREST] = {{0}};
    family_target t;
    walk w = {families, 0};
    while (next_target(&w, &t)) {
        consider(nearest, (candidate){t.name, NULL, cost_of(wanted, t.name)});
        for (const char *const *n = t.names; n && *n; n++)
            consider(nearest, (candidate){*n, t.name, cost_of(wanted, *n)});
    }
    for (unsigned i = 0; i < NEAREST && nearest[i].name; i++) {
        say(to, i ? ", " : "");
        say(to, nearest[i].name);
        say(to, nearest[i].target ? " (" : "");
        say(to, nearest[i].target ? nearest[i].target : "");
        say(to, nearest[i].target ? ")" : "");
    }
}

bool
families_explain_target(const char *name, char *out, size_t room)
{
    const plain_name wanted = wanted_form(name);
    text to = {out, room, 0, 0};
    *out = '\0';
    if (find_called(&wanted, say_target, &to) > 1)
        return true;
    to = (text){out, room, 0, 0};
    say_nearest(&to, &wanted);
    return false;
}
