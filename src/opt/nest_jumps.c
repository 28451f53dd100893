/* Nests the code after an early jump into the other arm of its if.
 *
 *     if c then b1 else b2 merge b3           if c then b1 else b2 merge b9
 *         b1: A  jump cont                        b1: A  jump b9
 *         b2: B  jump b3                 ->       b2: B  C  jump b9
 *     b3: C                                   b9: jump cont
 *     jump cont
 *
 * C goes to the only end that reaches it, however deep it is, so what dominated C still does; what
 * dominated the continue region alone reaches it through phis (close_target.h). Where
 * both arms reach b3 and one of them may also have jumped deeper inside, a flag says which, and C
 * becomes the arm of a second if:
 *
 *     b3: %9 = phi b1: %8, b2: false          if %9 then b4 else b5 merge b6
 *                                                 b5: C  jump b6
 *
 * The walk goes through the structure. A part (an arm, or the body) is handled as a whole: its end
 * is cut from the block that it went to, and the construct around it decides where it goes now. The
 * values for the phis of that block and of the target travel along; so do the merge blocks that
 * wait until the end is complete. Linear in the size of the loop; the recursion is as deep as ifs
 * with jumps are nested, which is limited.
 */
#include "opt/nest_jumps.h"

#include "opt/cfg.h"
#include "opt/close_target.h"

#include "ir/builder.h"

enum { MAX_JUMPS = 32, MAX_IFS = 64 };

/* Blocks in their new order. */
typedef struct block_item {
    ir_block *block;
    struct block_item *next;
} block_item;

typedef struct block_list {
    block_item *first, **end;
} block_list;

/* How control leaves a part's end, other than by a break that stays one. */
enum { FALLS, JUMPS, N_WAYS };

typedef struct part_end {
    ir_block *block;  /* without terminator, unless it breaks */
    block_item *item; /* in the new order */
    unsigned ways;    /* set of bits: 1 << FALLS, 1 << JUMPS */
    ir_ref skips;     /* both: the condition that it jumps */
    ir_block *falls_to;
    ir_ref *values[N_WAYS]; /* for the phis of `falls_to` and of the target */
    struct pending *pending;
} part_end;

/* An if around the end, the innermost first: its merge block, and the end of its other arm. */
typedef struct pending {
    ir_block *merge;
    block_item *item;
    part_end other;
    struct pending *outer;
} pending;

typedef struct nest {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    ir_block *opener, *header, *cont, *target;
    uint32_t *jumps; /* by block of the loop: number of early jumps before it */
} nest;

static void
new_list(block_list *l)
{
    *l = (block_list){.first = NULL};
    l->end = &l->first;
}

static block_item *
add(nest *c, block_list *l, ir_block *b)
{
    block_item *i = ARENA_NEW(c->f->ctx->scratch, block_item);
    *i = (block_item){.block = b};
    *l->end = i;
    l->end = &i->next;
    return i;
}

static void
append(block_list *to, const block_list *l)
{
    if (!l->first)
        return;
    *to->end = l->first;
    to->end = l->end;
}

/* Inserts `l` behind `at`, which is an item of `to`. */
static void
insert_behind(block_list *to, block_item *at, const block_list *l)
{
    if (!l->first)
        return;
    if (to->end == &at->next)
        to->end = l->end;
    *l->end = at->next;
    at->next = l->first;
}

/* ---- phis ---- */

static unsigned
count_phis(const ir_block *b)
{
    unsigned n = 0;
    for (const ir_instr *i = b->first; i && i->op == IR_phi; i = i->next)
        n++;
    return n;
}

/* The references of the phis of `b`'s only successor on the way from `b`. */
static ir_ref *
refs_from(const nest *c, const ir_block *b)
{
    const ir_block *to = b->succs[0].at[0];
    uint32_t at = ir_pred_index(to, b, 0), n = 0;
    ir_ref *refs = ARENA_ARRAY(c->f->ctx->scratch, count_phis(to), ir_ref);
    for (const ir_instr *i = to->first; i->op == IR_phi; i = i->next)
        refs[n++] = i->refs[at];
    return refs;
}

/* The value at the head of `b` of what is `refs[p]` on the way from predecessor p (NONE: any). */
static ir_ref
meet(nest *c, ir_block *b, ir_type type, const ir_ref refs[2])
{
    uint32_t n = b->preds[0].count;
    if (n == 1 || ir_same_ref(refs[0], refs[1]))
        return refs[0];
    ir_instr *phi = ir_build_phi(&c->b, b, type, n);
    for (uint32_t p = 0; p < n; p++)
        phi->refs[p] = ir_is_value(refs[p]) ? refs[p] : ir_build_undef(&c->b, type);
    return ir_use(c->f, phi->defs[0].id);
}

/* Joins the ends' values for the phis of `to` at the head of `b`, their new successor. */
static ir_ref *
meet_values(nest *c, ir_block *b, const ir_block *to, unsigned way, const part_end *const ends[2])
{
    ir_ref *out = ARENA_ARRAY(c->f->ctx->scratch, count_phis(to), ir_ref);
    unsigned row = 0;
    for (const ir_instr *i = to->first; i->op == IR_phi; i = i->next, row++) {
        ir_ref refs[2] = {ir_none(), ir_none()};
        for (unsigned e = 0; e < b->preds[0].count; e++)
            refs[e] = ends[e]->values[way] ? ends[e]->values[way][row] : ir_none();
        out[row] = meet(c, b, c->f->values[i->defs[0].id].type, refs);
    }
    return out;
}

static ir_ref
skips(nest *c, const part_end *e)
{
    if (e->ways == (1 << FALLS | 1 << JUMPS))
        return e->skips;
    return ir_build_imm(&c->b, 1, e->ways == 1 << JUMPS);
}

/* Lets the ends of both arms (those that do not break) go to `b`, and returns what is known there.
 */
static part_end
join_ends(nest *c, const part_end arms[2], ir_block *b, block_item *item)
{
    const part_end *ends[2];
    unsigned n = 0;
    part_end out = {.block = b, .item = item};
    for (unsigned k = 0; k < 2; k++) {
        if (!arms[k].ways)
            continue;
        ends[n++] = &arms[k];
        out.ways |= arms[k].ways;
        out.falls_to = arms[k].falls_to ? arms[k].falls_to : out.falls_to;
        ir_builder_at_end(&c->b, arms[k].block);
        ir_build_jump(&c->b, b);
    }
    if (out.ways & 1 << FALLS)
        out.values[FALLS] = meet_values(c, b, out.falls_to, FALLS, ends);
    if (out.ways & 1 << JUMPS)
        out.values[JUMPS] = meet_values(c, b, c->target, JUMPS, ends);
    if (out.ways == (1 << FALLS | 1 << JUMPS)) {
        ir_ref refs[2] = {skips(c, ends[0]), n > 1 ? skips(c, ends[1]) : ir_none()};
        out.skips = meet(c, b, IR_BOOL, refs);
    }
    return out;
}

/* Closes the ifs around an end. */
static part_end
close_pending(nest *c, part_end end)
{
    const pending *p = end.pending;
    for (; p; p = p->outer) {
        part_end arms[2] = {end, p->other};
        end = join_ends(c, arms, p->merge, p->item);
    }
    return end;
}

/* Adds an if around those that are pending already. */
static void
add_pending(nest *c, part_end *end, ir_block *merge, block_item *item, const part_end *other)
{
    pending *p = ARENA_NEW(c->f->ctx->scratch, pending), **at = &end->pending;
    *p = (pending){merge, item, *other, NULL};
    while (*at)
        at = &(*at)->outer;
    *at = p;
}

/* ---- parts ---- */

static bool
is_break(const nest *c, const ir_block *to)
{
    return to == c->opener->merge && to != c->target;
}

/* Cuts the end of a part from its successor. */
static part_end
cut_end(const nest *c, ir_block *b, block_item *item)
{
    ir_block *to = b->succs[0].at[0];
    part_end e = {.block = b, .item = item};
    if (is_break(c, to))
        return e;
    unsigned way = to == c->target ? JUMPS : FALLS;
    e.ways = 1u << way;
    e.values[way] = refs_from(c, b);
    e.falls_to = way == FALLS ? to : NULL;
    opt_cfg_cut(b);
    return e;
}

static bool
has_jumps(const nest *c, uint32_t from, uint32_t end)
{
    return c->jumps[end] != c->jumps[from];
}

static part_end
walk(nest *c, block_item *item, uint32_t at, block_list *out);

/* Replaces the phis of a block whose predecessors were cut by the joined values. */
static void
replace_phis(nest *c, ir_block *b, const ir_ref *values)
{
    unsigned row = 0;
    for (ir_instr *i = b->first, *next; i && i->op == IR_phi; i = next) {
        next = i->next;
        if (i->n_refs)
            continue; /* made by join_ends */
        ir_ref by = values && ir_is_value(values[row])
                        ? values[row]
                        : ir_build_undef(&c->b, c->f->values[i->defs[0].id].type);
        ir_replace_add(&c->map, i->defs[0].id, by);
        ir_remove(i);
        row++;
    }
}

/* Opens an if at `from`, which has no terminator: the lanes that jumped go past the blocks of
 * `out`, the code that begins with `code`. Returns the end of that code. */
static part_end
nest_in_second_if(nest *c, const part_end *from, ir_block *code, uint32_t at, block_list *out)
{
    ir_block *skip = ir_block_new(c->f), *merge = ir_block_new(c->f);
    part_end skipped = {.block = skip, .ways = 1 << JUMPS};
    skipped.values[JUMPS] = from->values[JUMPS];
    ir_ref cond = skips(c, from);
    ir_builder_at_end(&c->b, from->block);
    ir_build_if(&c->b, cond, skip, code, merge);
    skipped.item = add(c, out, skip);
    part_end end = walk(c, add(c, out, code), at, out);
    add_pending(c, &end, merge, add(c, out, merge), &skipped);
    return end;
}

/* The code from `rest` on is reached from one end only, `from`, in the list `arm`. */
static part_end
nest_at_end(nest *c, const part_end *from, ir_block *rest, block_list *arm)
{
    uint32_t at = rest->index;
    block_list more;
    part_end end;
    new_list(&more);
    replace_phis(c, rest, from->values[FALLS]);
    if (from->ways == 1 << FALLS) {
        opt_cfg_join(&c->map, from->block, rest);
        end = walk(c, from->item, at, &more);
    } else {
        end = nest_in_second_if(c, from, rest, at, &more);
    }
    insert_behind(arm, from->item, &more);
    pending *outer = from->pending, **last = &end.pending;
    while (*last)
        last = &(*last)->outer;
    *last = outer;
    return end;
}

static ir_instr *
after_phis(ir_block *b)
{
    ir_instr *i = b->first;
    while (i->op == IR_phi)
        i = i->next;
    return i;
}

/* Both arms reach `rest`, or none does. */
static part_end
nest_after_both(nest *c, part_end ends[2], ir_block *rest, block_list *out)
{
    uint32_t at = rest->index;
    for (unsigned k = 0; k < 2; k++)
        ends[k] = close_pending(c, ends[k]);
    block_item *item = add(c, out, rest);
    part_end joined = join_ends(c, ends, rest, item);
    replace_phis(c, rest, joined.values[FALLS]);
    return nest_in_second_if(c, &joined, ir_split_block(after_phis(rest)), at, out);
}

/* The block of `item` opens an if with jumps inside. The code after it, up to the part's end, is
 * nested. */
static part_end
nest_if(nest *c, ir_block *b, block_list *out)
{
    ir_block *rest = b->merge;
    block_list arms[2];
    part_end ends[2], end;
    for (unsigned k = 0; k < 2; k++) {
        ir_block *arm = b->succs[0].at[k];
        new_list(&arms[k]);
        ends[k] = walk(c, add(c, &arms[k], arm), arm->index, &arms[k]);
    }
    bool falls[2] = {ends[0].ways >> FALLS & 1, ends[1].ways >> FALLS & 1};
    if (falls[0] == falls[1]) {
        append(out, &arms[0]);
        append(out, &arms[1]);
        return nest_after_both(c, ends, rest, out);
    }
    part_end other = close_pending(c, ends[falls[0]]);
    end = nest_at_end(c, &ends[falls[1]], rest, &arms[falls[1]]);
    append(out, &arms[0]);
    append(out, &arms[1]);
    b->merge = ir_block_new(c->f);
    add_pending(c, &end, b->merge, add(c, out, b->merge), &other);
    return end;
}

/* Handles a part from the block of `item` on, which is in its list already and has the code of the
 * block that had the index `at`. */
static part_end
walk(nest *c, block_item *item, uint32_t at, block_list *out)
{
    ir_block *b = item->block;
    while (b->merge) {
        uint32_t end = b->merge->index;
        if (!b->cont && has_jumps(c, at, end))
            return nest_if(c, b, out);
        for (uint32_t n = at + 1; n <= end; n++)
            item = add(c, out, c->f->blocks[n]);
        b = b->merge;
        at = end;
    }
    return cut_end(c, b, item);
}

/* ---- the loop ---- */

/* Counts early jumps and the ifs around them. Returns false if the loop is left as it is. */
static bool
survey(nest *c)
{
    ir_fn *f = c->f;
    uint32_t first = c->header->index, end = c->cont->index, ifs = 0;
    bool *reached = ARENA_ARRAY(f->ctx->scratch, end, bool);
    c->jumps = ARENA_ARRAY(f->ctx->scratch, end + 1, uint32_t);
    for (uint32_t n = first; n < end; n++) {
        const ir_block *b = f->blocks[n];
        reached[n] = n == first;
        for (uint32_t p = 0; p < b->preds[0].count; p++) {
            uint32_t from = b->preds[0].at[p]->index;
            reached[n] |= from >= first && from < n && reached[from];
        }
        bool early = n + 1 < end && b->succs[0].count == 1 && b->succs[0].at[0] == c->target;
        if (!reached[n] && (early || b->first->op != IR_jump))
            return false;
        c->jumps[n + 1] = c->jumps[n] + early;
    }
    for (uint32_t n = first; n < end; n++) {
        const ir_block *b = f->blocks[n];
        ifs += b->merge && has_jumps(c, n, b->merge->index);
    }
    return reached[end - 1] && c->jumps[end] <= MAX_JUMPS && ifs <= MAX_IFS;
}

/* Puts the blocks of `body` in the place of the loop's body. */
static void
place_blocks(nest *c, const block_list *body)
{
    ir_fn *f = c->f;
    uint32_t cont = c->cont->index;
    size_t n = 0, tail = f->n_blocks - cont;
    for (const block_item *i = body->first; i; i = i->next)
        n++;
    size_t first = c->opener->index + 1;
    ir_block **blocks = ARENA_ARRAY(f->arena, first + n + tail, ir_block *);
    memcpy(blocks, f->blocks, first * sizeof *blocks);
    memcpy(blocks + first + n, f->blocks + cont, tail * sizeof *blocks);
    n = first;
    for (const block_item *i = body->first; i; i = i->next)
        blocks[n++] = i->block;
    f->blocks = blocks;
    f->n_blocks = f->cap_blocks = n + tail;
    for (size_t k = first; k < f->n_blocks; k++)
        blocks[k]->index = (uint32_t)k;
}

/* The target has one predecessor now: its phis are the values from there. */
static void
enter_target(nest *c, const part_end *end)
{
    replace_phis(c, c->target, end->values[JUMPS]);
    ir_builder_at_end(&c->b, end->block);
    ir_build_jump(&c->b, c->target);
}

bool
opt_nest_jumps(ir_fn *f, ir_block *opener, ir_block *target)
{
    nest c = {.f = f, .map = {.f = f}, .opener = opener, .target = target};
    c.header = opener->succs[0].at[0];
    c.cont = opener->cont;
    if (!survey(&c))
        return false;
    if (target == c.cont)
        opt_close_target(f, opener);
    block_list body;
    new_list(&body);
    ir_builder_init(&c.b, f);
    part_end end = walk(&c, add(&c, &body, c.header), c.header->index, &body);
    end = close_pending(&c, end);
    enter_target(&c, &end);
    place_blocks(&c, &body);
    ir_replace_all(&c.map);
    return true;
}
