/* Branches and islands; see branches.h.
 *
 * A forward branch is open until its target is emitted; a loop header is open until the last branch
 * back to it is. Islands are written when the oldest open place is nearly out of reach, for all
 * places at least half as far away. So each hop covers at least half the reach, and a branch over a
 * distance of n reaches takes about 2n hops.
 */
#include "amd/emit/branches.h"

#include "ir/analysis.h"

#include <assert.h>

enum { MAX_WORDS = 32767, BAD_DISTANCE = 0x3f };

void
amd_branches_init(amd_branches *b, ir_fn *f, base_buf *out)
{
    uint32_t less = amd_prog(f)->debug_reach;
    *b = (amd_branches){.f = f, .out = out, .start = out->size, .reach = less ? less : MAX_WORDS};
    b->check = b->start + b->reach * 2u; /* half the reach: nothing can be too far before that */
}

static size_t
start_of(const amd_branches *b, uint32_t block)
{
    return b->start + b->f->blocks[block]->offset;
}

/* The target of a branch back to block `h`: its start, or the last island after it. */
static size_t
place_of(const amd_branches *b, uint32_t h)
{
    size_t start = start_of(b, h);
    return b->island[h] > start ? b->island[h] : start;
}

void
amd_branches_add(amd_branches *b, uint32_t target)
{
    amd_branch branch = {b->out->size, target, b->block, SIZE_MAX};
    if (b->loop_end && target <= b->block)
        branch.island = place_of(b, target);
    b->list = arena_grow(b->f->ctx->scratch, b->list, &b->cap, b->count + 1, sizeof *b->list);
    b->list[b->count++] = branch;
}

/* ---- what is open ---- */

static bool
is_open(const amd_branches *b, const amd_branch *branch)
{
    return branch->block > b->block && branch->island == SIZE_MAX;
}

static void
find_back_branches(amd_branches *b)
{
    size_t n = b->f->n_blocks;
    arena *a = b->f->ctx->scratch;
    b->loop_end = ir_find_loop_ends(b->f, 1, a);
    b->headers = ARENA_ARRAY(a, n, uint32_t);
    b->island = ARENA_ARRAY(a, n, size_t);
}

/* Removes entries that are no longer open, and adds headers that have been emitted. */
static void
update_open(amd_branches *b)
{
    size_t n = 0;
    while (b->first_open < b->count && !is_open(b, &b->list[b->first_open]))
        b->first_open++;
    for (; b->next_header <= b->block; b->next_header++) {
        if (b->loop_end[b->next_header])
            b->headers[b->n_headers++] = b->next_header;
    }
    for (size_t k = 0; k < b->n_headers; k++) {
        if (b->loop_end[b->headers[k]] > b->block)
            b->headers[n++] = b->headers[k];
    }
    b->n_headers = n;
}

/* The position of the oldest open branch or header. */
static size_t
oldest_open(const amd_branches *b)
{
    size_t old = b->first_open < b->count ? b->list[b->first_open].at : b->out->size;
    for (size_t k = 0; k < b->n_headers; k++) {
        size_t place = place_of(b, b->headers[k]);
        old = place < old ? place : old;
    }
    return old;
}

/* ---- islands ---- */

static void
write(const amd_branches *b, amd_inst in)
{
    const bool good = amd_encode(amd_prog(b->f)->target->gen, &in, b->out);
    assert(good);
    (void)good;
}

static void
write_branch(const amd_branches *b)
{
    write(b, (amd_inst){.op = AMD_S_BRANCH, .fmt = AMD_SOPP});
}

/* Writes an island on the way to `block`; returns its position. */
static size_t
write_island(amd_branches *b, uint32_t block)
{
    size_t at = b->out->size;
    amd_branches_add(b, block);
    write_branch(b);
    return b->island[block] = at;
}

/* Writes islands for branches and headers before `old`. A forward branch uses an island to the same
 * block that another branch has just got (after `now`). */
static void
write_islands(amd_branches *b, size_t old, size_t now)
{
    for (size_t k = b->first_open, count = b->count; k < count; k++) {
        uint32_t block = b->list[k].block;
        if (!is_open(b, &b->list[k]) || b->list[k].at >= old)
            continue;
        size_t island = b->island[block] >= now ? b->island[block] : write_island(b, block);
        b->list[k].island = island;
    }
    for (size_t k = 0; k < b->n_headers; k++) {
        if (place_of(b, b->headers[k]) < old)
            write_island(b, b->headers[k]);
    }
}

static int64_t
distance(size_t at, size_t to)
{
    return ((int64_t)to - (int64_t)at - 4) / 4;
}

static void
set_distance(const amd_branches *b, size_t at, size_t to)
{
    int64_t words = distance(at, to);
    if (words < -(int64_t)b->reach - 1 || words > b->reach)
        diag_fail(b->f->ctx->diag, ERR_TARGET_BRANCH_TOO_FAR);
    b->out->data[at] = (unsigned char)words;
    b->out->data[at + 1] = (unsigned char)(words >> 8);
}

/* The branch around islands, which stands where insert_NOPs saw none: LDS before it and vector
 * memory behind it, or the other way round, must not meet. Returns its position. */
static size_t
write_branch_around(const amd_branches *b)
{
    const amd_inst stores = {
        .op = AMD_S_WAITCNT_VSCNT, .fmt = AMD_SOPK, .n_src = 1, .src = {AMD_REG_NULL}};
    if (amd_has(amd_prog(b->f)->target, lds_branch_bug))
        write(b, stores);
    const size_t at = b->out->size;
    write_branch(b);
    return at;
}

static void
end_branch_around(const amd_branches *b, size_t at)
{
    if (amd_has(amd_prog(b->f)->target, branch_3f_bug) &&
        distance(at, b->out->size) == BAD_DISTANCE)
        write(b, (amd_inst){.op = AMD_S_NOP, .fmt = AMD_SOPP});
    set_distance(b, at, b->out->size);
}

/* Islands must be written while there is still room for all that may be needed, and for everything
 * that may be written until the next check: a clause, or an eighth of the reach. */
void
amd_branches_write_islands(amd_branches *b, bool reached)
{
    if (!b->loop_end)
        find_back_branches(b);
    update_open(b);
    size_t now = b->out->size, old = oldest_open(b), step = b->reach / 8;
    const size_t wait = amd_has(amd_prog(b->f)->target, lds_branch_bug);
    size_t room = 2 * step + wait + b->n_headers + b->count - b->first_open;
    size_t due = room < b->reach ? old + (b->reach - room) * 4 : old;
    if (now >= due) {
        const size_t half = now - b->reach * 2u;
        const size_t around = reached ? write_branch_around(b) : now;
        write_islands(b, old < half ? half : old + 1, now);
        if (reached)
            end_branch_around(b, around);
        update_open(b);
    }
    b->check = b->out->size + step * 4;
}

/* Makes the way of a branch longer: by an s_nop at the start of the next block, or, if that is not
 * on the way, at the end of its own. */
static void
lengthen(const amd_branches *b, const amd_branch *branch, size_t to)
{
    ir_fn *f = b->f;
    ir_instr *nop = ir_new_instr(f, AMD_S_NOP, 0, 0);
    if (branch->from + 1 < f->n_blocks && start_of(b, branch->from + 1) < to)
        ir_prepend(f->blocks[branch->from + 1], nop);
    else
        ir_append(f->blocks[branch->from], nop);
}

bool
amd_branches_finish(amd_branches *b)
{
    bool has_bug = amd_has(amd_prog(b->f)->target, branch_3f_bug), good = true;
    for (size_t k = 0; k < b->count; k++) {
        const amd_branch *branch = &b->list[k];
        size_t to = branch->island != SIZE_MAX ? branch->island : start_of(b, branch->block);
        set_distance(b, branch->at, to);
        if (has_bug && distance(branch->at, to) == BAD_DISTANCE) {
            lengthen(b, branch, to);
            good = false;
        }
    }
    return good;
}
