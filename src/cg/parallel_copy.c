/* Parallel copies in sequence, see parallel_copy.h.
 *
 * The copies are cut into pieces. For each byte three facts are known: the number of pieces that
 * read it (`readers`), the exclusive or of their numbers (`reader`, which is the number of the
 * reader if there is only one), and the piece that writes it (`writer`). A piece is ready if no
 * other piece reads its destination bytes. Each step removes a piece and checks the writers of the
 * bytes that it read, so the time is linear in the number of bytes.
 */
#include "cg/parallel_copy.h"

#include "base/bitset.h"

#include <assert.h>

enum { GROUP = 4 }; /* bytes whose places become known together */

typedef struct piece {
    uint16_t dst, src;
    uint8_t size, smallest;
    bool done;
} piece;

typedef struct place {
    uint16_t readers, reader, writer; /* writer: piece number + 1 */
} place;

struct cg_sequencer {
    arena *a;
    place *places; /* by byte; those of the groups that are known */
    size_t cap_places;
    uint64_t *known; /* set of groups with a byte that was copied */
    size_t n_known;  /* words */
    piece *pieces;
    size_t n_pieces, cap_pieces;
    cg_step *steps;
    size_t n_steps, cap_steps;
    uint16_t *ready; /* pieces to look at */
    size_t n_ready, cap_ready;
};

cg_sequencer *
cg_sequencer_new(arena *a)
{
    cg_sequencer *s = ARENA_NEW(a, cg_sequencer);
    s->a = a;
    return s;
}

/* Makes room for the places of bytes; nothing reads or writes those that are new. */
static void
know_places(cg_sequencer *s, unsigned first, unsigned size)
{
    unsigned end = (first + size + GROUP - 1) / GROUP;
    s->places = arena_grow(s->a, s->places, &s->cap_places, end * GROUP, sizeof *s->places);
    s->known = arena_grow_zeroed(s->a, s->known, &s->n_known, BITSET_WORDS(end), sizeof *s->known);
    for (unsigned k = first / GROUP; k < end; k++) {
        if (!bitset_has(s->known, k))
            memset(&s->places[k * GROUP], 0, GROUP * sizeof *s->places);
        bitset_add(s->known, k);
    }
}

static void
read_bytes(cg_sequencer *s, uint16_t number, bool add)
{
    const piece *p = &s->pieces[number];
    for (unsigned b = p->src; b < p->src + p->size; b++) {
        s->places[b].readers = (uint16_t)(s->places[b].readers + (add ? 1 : -1));
        s->places[b].reader ^= number;
    }
}

static void
write_bytes(cg_sequencer *s, uint16_t number, bool add)
{
    const piece *p = &s->pieces[number];
    for (unsigned b = p->dst; b < p->dst + p->size; b++) {
        assert(!add || !s->places[b].writer);
        s->places[b].writer = (uint16_t)(add ? number + 1 : 0);
    }
}

static void
add_piece(cg_sequencer *s, piece p)
{
    uint16_t number = (uint16_t)s->n_pieces;
    s->pieces = arena_grow(s->a, s->pieces, &s->cap_pieces, s->n_pieces + 1, sizeof *s->pieces);
    s->pieces[s->n_pieces++] = p;
    read_bytes(s, number, true);
    write_bytes(s, number, true);
}

static void
push_ready(cg_sequencer *s, uint16_t number)
{
    s->ready = arena_grow(s->a, s->ready, &s->cap_ready, s->n_ready + 1, sizeof *s->ready);
    s->ready[s->n_ready++] = number;
}

void
cg_add_copy(cg_sequencer *s, cg_copy copy, cg_granularity g)
{
    unsigned at = 0;
    if (copy.dst == copy.src)
        return;
    know_places(s, copy.dst, copy.size);
    know_places(s, copy.src, copy.size);
    while (at < copy.size) {
        unsigned dst = copy.dst + at, src = copy.src + at, size = g.largest;
        while (dst % size || src % size || at + size > copy.size)
            size /= 2;
        assert(size >= g.smallest);
        add_piece(s, (piece){.dst = (uint16_t)dst,
                             .src = (uint16_t)src,
                             .size = (uint8_t)size,
                             .smallest = g.smallest});
        at += size;
    }
}

static void
emit(cg_sequencer *s, const piece *p, bool swap)
{
    s->steps = arena_grow(s->a, s->steps, &s->cap_steps, s->n_steps + 1, sizeof *s->steps);
    s->steps[s->n_steps++] = (cg_step){.dst = p->dst, .src = p->src, .size = p->size, .swap = swap};
}

/* True if no other piece reads the destination of piece `number`. */
static bool
is_ready(const cg_sequencer *s, uint16_t number)
{
    const piece *p = &s->pieces[number];
    for (unsigned b = p->dst; b < p->dst + p->size; b++) {
        bool own = b >= p->src && b < p->src + p->size;
        if (s->places[b].readers > (own ? 1 : 0))
            return false;
    }
    return true;
}

/* Removes a piece from the graph. The writers of the bytes that it read may be ready now. */
static void
retire(cg_sequencer *s, uint16_t number)
{
    piece *p = &s->pieces[number];
    p->done = true;
    read_bytes(s, number, false);
    write_bytes(s, number, false);
    uint16_t last = 0;
    for (unsigned b = p->src; b < p->src + p->size; b++) {
        uint16_t writer = s->places[b].writer;
        if (writer && writer != last)
            push_ready(s, (uint16_t)(writer - 1));
        last = writer;
    }
}

static void
run_ready(cg_sequencer *s)
{
    for (size_t k = 0; k < s->n_ready; k++) {
        uint16_t number = s->ready[k];
        if (s->pieces[number].done || !is_ready(s, number))
            continue;
        emit(s, &s->pieces[number], false);
        retire(s, number);
    }
    s->n_ready = 0;
}

/* The piece that is the only reader of the destination of `p` and reads exactly these bytes, if `p`
 * is also the only reader of its own source, and that is overwritten later; otherwise -1. */
static int
next_in_cycle(const cg_sequencer *s, const piece *p)
{
    uint16_t number = s->places[p->dst].reader;
    for (unsigned k = 0; k < p->size; k++) {
        const place *dst = &s->places[p->dst + k], *src = &s->places[p->src + k];
        if (dst->readers != 1 || dst->reader != number || src->readers != 1 || !src->writer)
            return -1;
    }
    const piece *q = &s->pieces[number];
    return q->src == p->dst && q->size == p->size ? number : -1;
}

/* Swaps source and destination of piece `number`; the next piece in its cycle then reads its
 * source. */
static void
swap_piece(cg_sequencer *s, uint16_t number, uint16_t next)
{
    piece p = s->pieces[number];
    emit(s, &p, true);
    retire(s, number);
    read_bytes(s, next, false);
    s->pieces[next].src = p.src;
    if (s->pieces[next].dst == p.src) {
        write_bytes(s, next, false);
        s->pieces[next].done = true;
        return;
    }
    read_bytes(s, next, true);
}

static void
cut(cg_sequencer *s, uint16_t number)
{
    piece p = s->pieces[number];
    assert(p.size / 2 >= p.smallest);
    read_bytes(s, number, false);
    write_bytes(s, number, false);
    s->pieces[number].done = true;
    p.size /= 2;
    for (unsigned half = 0; half < 2; half++) {
        push_ready(s, (uint16_t)s->n_pieces);
        add_piece(s, p);
        p.dst = (uint16_t)(p.dst + p.size);
        p.src = (uint16_t)(p.src + p.size);
    }
}

static unsigned
largest_blocked(const cg_sequencer *s)
{
    unsigned largest = 0;
    for (size_t k = 0; k < s->n_pieces; k++) {
        if (!s->pieces[k].done && s->pieces[k].size > largest)
            largest = s->pieces[k].size;
    }
    return largest;
}

/* All remaining pieces block each other: swaps along the cycles if there are any, or cuts the
 * largest pieces. */
static void
break_block(cg_sequencer *s)
{
    unsigned largest = largest_blocked(s);
    bool swapped = false;
    for (uint16_t k = 0; k < s->n_pieces; k++) {
        int next = s->pieces[k].done ? -1 : next_in_cycle(s, &s->pieces[k]);
        if (next < 0)
            continue;
        swap_piece(s, k, (uint16_t)next);
        swapped = true;
    }
    size_t n = swapped ? 0 : s->n_pieces;
    for (uint16_t k = 0; k < n; k++) {
        if (!s->pieces[k].done && s->pieces[k].size == largest)
            cut(s, k);
    }
}

const cg_step *
cg_sequence(cg_sequencer *s, unsigned *count)
{
    s->n_steps = 0;
    for (uint16_t k = 0; k < s->n_pieces; k++)
        push_ready(s, k);
    run_ready(s);
    while (largest_blocked(s)) {
        break_block(s);
        run_ready(s);
    }
    s->n_pieces = 0;
    *count = (unsigned)s->n_steps;
    return s->steps;
}

/* ---- pseudo instructions ---- */

void
cg_each_part(const ir_instr *i, void (*add)(void *user, const cg_part *part), void *user)
{
    const ir_machine *m = ir_machine_of(i->block->fn);
    const bool joins = i->op == m->ops.create_vector, splits = i->op == m->ops.split_vector;
    const bool extracts = i->op == m->ops.extract_vector;
    const unsigned pairs = i->n_defs < i->n_refs ? i->n_defs : i->n_refs;
    const unsigned n = joins ? i->n_refs : splits ? i->n_defs : extracts ? 1 : pairs;
    unsigned at = extracts ? i->refs[1].id * m->classes[i->defs[0].rc].bytes : 0;
    for (unsigned k = 0; k < n; k++) {
        const ir_ref src = i->refs[splits ? 0 : k], def = i->defs[joins ? 0 : k];
        cg_part p = {.dst = def.reg, .src = src, .def = joins || extracts ? ir_none() : def};
        p.size = m->classes[joins ? src.rc : def.rc].bytes;
        p.dst += joins ? at : 0;
        p.offset = splits || extracts ? at : 0;
        add(user, &p);
        at += p.size;
    }
}
