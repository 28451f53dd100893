/* Patience diff (Bram Cohen): lines that are unique in both texts and stand in the same order are
 * anchors; the parts between them are compared in the same way. A part without anchors is small as
 * a rule: there, Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986)
 * finds the shortest script, unless that is longer than a limit; then the whole part counts as
 * replaced.
 *
 * Lines are numbers, equal for equal lines. Time is n log n for each of at most MAX_DEPTH rounds,
 * and n times the limit; memory is linear.
 */
#include "line_diff.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3, MAX_DEPTH = 24, MAX_EDITS = 200 };

/* A text as lines. */
typedef struct text {
    const char **line;
    size_t *len, *id; /* equal lines have equal ids */
    bool *changed;    /* the line is not in the other text */
    size_t n;
} text;

/* By id of a line, in the part that is compared. */
typedef struct count {
    size_t n[2], at[2]; /* how often it occurs in each text, and where last */
} count;

typedef struct match {
    size_t a, b;     /* lines that are equal */
    size_t previous; /* number of the match before it in the longest sequence; SIZE_MAX: none */
} match;

typedef struct differ {
    text t[2];
    count *counts; /* zero between uses */
    match *matches;
    size_t *tops; /* by length of a sequence: the number of its last match */
    int *trace;   /* of Myers' algorithm: the furthest points, a row for each number of edits */
} differ;

/* A part: lines from `first` to before `end` of both texts. */
typedef struct part {
    size_t first[2], end[2];
} part;

static void *
make(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (!p)
        cli_out_of_memory();
    return p;
}

/* ---- lines ---- */

static void
split(text *t, const char *s)
{
    size_t lines = 0;
    for (const char *c = s; *c; c++)
        lines += *c == '\n';
    t->line = make(lines + 1, sizeof *t->line);
    t->len = make(lines + 1, sizeof *t->len);
    t->id = make(lines + 1, sizeof *t->id);
    t->changed = make(lines + 1, sizeof *t->changed);
    for (; *s; t->n++) {
        t->line[t->n] = s;
        t->len[t->n] = strcspn(s, "\n");
        s += t->len[t->n] + (s[t->len[t->n]] == '\n');
    }
}

static size_t
hash(const char *s, size_t len)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * UINT64_C(1099511628211);
    return (size_t)(h ^ h >> 32);
}

/* Numbers the lines of both texts, from 1. */
static size_t
number_lines(differ *d)
{
    size_t total = d->t[0].n + d->t[1].n, cap = 16, n = 0;
    while (cap < 2 * total)
        cap *= 2;
    struct slot {
        const char *line;
        size_t len, id;
    } *slots = make(cap, sizeof *slots);
    for (unsigned k = 0; k < 2; k++) {
        text *t = &d->t[k];
        for (size_t i = 0; i < t->n; i++) {
            size_t s = hash(t->line[i], t->len[i]) & (cap - 1);
            while (slots[s].id &&
                   (slots[s].len != t->len[i] || memcmp(slots[s].line, t->line[i], t->len[i]) != 0))
                s = (s + 1) & (cap - 1);
            if (!slots[s].id)
                slots[s] = (struct slot){t->line[i], t->len[i], ++n};
            t->id[i] = slots[s].id;
        }
    }
    free(slots);
    return n + 1;
}

/* ---- small parts: Myers ---- */

/* Row `e` of the trace: the furthest line of text 0 on diagonal k (line 0 - line 1), from -e to
 * e. */
static int *
furthest(const differ *d, int e, int k)
{
    return &d->trace[e * (2 * MAX_EDITS + 1) + k + MAX_EDITS];
}

/* The furthest line of text 0 on diagonal k that one more edit reaches, -1 if none: `*adds` tells
 * whether that edit adds a line of text 1 or removes one of text 0. */
static int
step(const differ *d, const part *p, int e, int k, bool *adds)
{
    int n = (int)(p->end[0] - p->first[0]), m = (int)(p->end[1] - p->first[1]);
    int removed = k > -e ? *furthest(d, e - 1, k - 1) : -1;
    int added = k < e ? *furthest(d, e - 1, k + 1) : -1;
    removed = removed >= 0 && removed < n ? removed + 1 : -1;
    added = added >= 0 && added - k <= m ? added : -1;
    *adds = added > removed;
    return *adds ? added : removed;
}

static void
mark_edits(differ *d, const part *p, int e, int k)
{
    for (bool adds; e > 0; e--) {
        step(d, p, e, k, &adds);
        k += adds ? 1 : -1;
        int x = *furthest(d, e - 1, k);
        if (adds)
            d->t[1].changed[p->first[1] + (size_t)(x - k)] = true;
        else
            d->t[0].changed[p->first[0] + (size_t)x] = true;
    }
}

/* Follows equal lines from line x of text 0 on diagonal k. */
static int
follow(const differ *d, const part *p, int x, int k)
{
    size_t i = p->first[0] + (size_t)x, j = p->first[1] + (size_t)(x - k);
    while (i < p->end[0] && j < p->end[1] && d->t[0].id[i] == d->t[1].id[j])
        i++, j++;
    return (int)(i - p->first[0]);
}

/* Marks the shortest script. Returns false if it is longer than the limit. */
static bool
find_script(differ *d, const part *p)
{
    int n = (int)(p->end[0] - p->first[0]), m = (int)(p->end[1] - p->first[1]);
    for (int e = 0; e <= MAX_EDITS; e++) {
        for (int k = -e; k <= e; k += 2) {
            bool adds;
            int x = e ? step(d, p, e, k, &adds) : 0;
            x = x < 0 ? x : follow(d, p, x, k);
            *furthest(d, e, k) = x;
            if (x == n && x - k == m) {
                mark_edits(d, p, e, k);
                return true;
            }
        }
    }
    return false;
}

static void
mark_all(differ *d, const part *p)
{
    for (unsigned k = 0; k < 2; k++) {
        for (size_t i = p->first[k]; i < p->end[k]; i++)
            d->t[k].changed[i] = true;
    }
}

/* ---- anchors ---- */

static void
count_lines(differ *d, const part *p, bool clear)
{
    for (unsigned k = 0; k < 2; k++) {
        for (size_t i = p->first[k]; i < p->end[k]; i++) {
            count *c = &d->counts[d->t[k].id[i]];
            c->n[k] = clear ? 0 : c->n[k] + 1;
            c->at[k] = i;
        }
    }
}

/* The length of the longest sequence that ends before line `b` of text 1. */
static size_t
find_place(const differ *d, size_t length, size_t b)
{
    size_t low = 0;
    while (low < length) {
        size_t middle = (low + length) / 2;
        if (d->matches[d->tops[middle]].b < b)
            low = middle + 1;
        else
            length = middle;
    }
    return low;
}

/* Finds lines that are unique in both texts, in the longest common order. Returns their number;
 * `*anchors` gets a malloc'd array. */
static size_t
find_anchors(differ *d, const part *p, match **anchors)
{
    size_t n = 0, length = 0;
    count_lines(d, p, false);
    for (size_t i = p->first[0]; i < p->end[0]; i++) {
        const count *c = &d->counts[d->t[0].id[i]];
        if (c->n[0] != 1 || c->n[1] != 1)
            continue;
        size_t at = find_place(d, length, c->at[1]);
        d->matches[n] = (match){i, c->at[1], at ? d->tops[at - 1] : SIZE_MAX};
        d->tops[at] = n++;
        length += at == length;
    }
    count_lines(d, p, true);
    *anchors = make(length, sizeof **anchors);
    size_t at = length ? d->tops[length - 1] : SIZE_MAX;
    for (size_t k = length; k-- > 0; at = d->matches[at].previous)
        (*anchors)[k] = d->matches[at];
    return length;
}

static void
compare(differ *d, part p, unsigned depth)
{
    match *anchors = NULL;
    while (p.first[0] < p.end[0] && p.first[1] < p.end[1] &&
           d->t[0].id[p.first[0]] == d->t[1].id[p.first[1]]) {
        p.first[0]++;
        p.first[1]++;
    }
    while (p.first[0] < p.end[0] && p.first[1] < p.end[1] &&
           d->t[0].id[p.end[0] - 1] == d->t[1].id[p.end[1] - 1]) {
        p.end[0]--;
        p.end[1]--;
    }
    if (p.first[0] == p.end[0] || p.first[1] == p.end[1]) {
        mark_all(d, &p);
        return;
    }
    size_t n = depth < MAX_DEPTH ? find_anchors(d, &p, &anchors) : 0;
    for (size_t k = 0; k < n; k++) {
        compare(d, (part){{p.first[0], p.first[1]}, {anchors[k].a, anchors[k].b}}, depth + 1);
        p.first[0] = anchors[k].a + 1;
        p.first[1] = anchors[k].b + 1;
    }
    free(anchors);
    if (n)
        compare(d, p, depth + 1);
    else if (!find_script(d, &p))
        mark_all(d, &p);
}

/* ---- printing ---- */

typedef struct hunk {
    size_t first[2], end[2];
} hunk;

static void
put_line(FILE *to, char mark, const text *t, size_t i)
{
    fprintf(to, "%c%.*s\n", mark, (int)t->len[i], t->line[i]);
}

static void
put_hunk(FILE *to, const differ *d, const hunk *h)
{
    size_t i = h->first[0], k = h->first[1], n = h->end[0] - i, m = h->end[1] - k;
    fprintf(to, "@@ -%zu,%zu +%zu,%zu @@\n", n ? i + 1 : i, n, m ? k + 1 : k, m);
    while (i < h->end[0] || k < h->end[1]) {
        if (i < h->end[0] && d->t[0].changed[i])
            put_line(to, '-', &d->t[0], i++);
        else if (k < h->end[1] && d->t[1].changed[k])
            put_line(to, '+', &d->t[1], k++);
        else {
            put_line(to, ' ', &d->t[0], i++);
            k++;
        }
    }
}

/* Finds the next hunk from lines i and k on, which are equal from there on up to it. Returns false
 * if there is none. */
static bool
find_hunk(const differ *d, size_t i, size_t k, hunk *h)
{
    const text *a = &d->t[0], *b = &d->t[1];
    size_t same = 0, begin = i;
    while (i < a->n && k < b->n && !a->changed[i] && !b->changed[k])
        i++, k++;
    if (i == a->n && k == b->n)
        return false;
    size_t before = i - begin < CONTEXT ? i - begin : CONTEXT;
    *h = (hunk){{i - before, k - before}, {i, k}};
    while ((i < a->n || k < b->n) && same <= 2 * CONTEXT) {
        bool removed = i < a->n && a->changed[i], added = k < b->n && b->changed[k];
        same = removed || added ? 0 : same + 1;
        i += removed || !added;
        k += added || !removed;
        if (!same) {
            h->end[0] = i;
            h->end[1] = k;
        }
    }
    size_t left = a->n - h->end[0] < CONTEXT ? a->n - h->end[0] : CONTEXT;
    h->end[0] += left;
    h->end[1] += left;
    return true;
}

bool
line_diff_print(FILE *to, const char *const names[2], const char *old, const char *new)
{
    differ d = {0};
    hunk h = {0};
    if (strcmp(old, new) == 0)
        return false;
    split(&d.t[0], old);
    split(&d.t[1], new);
    size_t n = d.t[0].n < d.t[1].n ? d.t[0].n : d.t[1].n;
    d.counts = make(number_lines(&d), sizeof *d.counts);
    d.matches = make(n, sizeof *d.matches);
    d.tops = make(n, sizeof *d.tops);
    d.trace = make((MAX_EDITS + 1) * (2 * MAX_EDITS + 1), sizeof *d.trace);
    compare(&d, (part){{0, 0}, {d.t[0].n, d.t[1].n}}, 0);
    fprintf(to, "--- %s\n+++ %s\n", names[0], names[1]);
    while (find_hunk(&d, h.end[0], h.end[1], &h))
        put_hunk(to, &d, &h);
    for (unsigned k = 0; k < 2; k++) {
        free(d.t[k].line);
        free(d.t[k].len);
        free(d.t[k].id);
        free(d.t[k].changed);
    }
    free(d.counts);
    free(d.matches);
    free(d.tops);
    free(d.trace);
    return true;
}
