#include "family/live_view.h"

#include "base/bitset.h"

#include <string.h>

enum { TEXT_WIDTH = 56, RULER_EVERY = 40 };

/* ---- pressure ---- */

static void
count_bank(family_live_view *v, uint32_t k, unsigned b, const uint64_t *before,
           const uint64_t *behind)
{
    const family_bank *bank = v->banks[b].bank;
    uint32_t first = 0, second = 0;
    for (uint32_t r = bank->first; r < (uint32_t)bank->first + v->banks[b].used; r++) {
        first += bitset_has(before, r);
        second += bitset_has(behind, r);
    }
    uint32_t n = first > second ? first : second;
    v->pressure[k * v->n_banks + b] = n;
    if (n > v->banks[b].most) {
        v->banks[b].most = n;
        v->banks[b].at = k;
        v->banks[b].times = 0;
    }
    v->banks[b].times += n == v->banks[b].most;
}

/* Adds the registers that an instruction writes. */
static void
add_writes(const family_liveness *l, uint32_t k, uint64_t *set)
{
    const family_code_inst *i = &l->code->insts[k];
    for (uint32_t u = i->first_use; u < i->first_use + i->n_uses; u++) {
        const family_use *use = &l->code->uses[u];
        /* an index selects one of many */
        for (uint32_t r = use->first; use->kills && r < (uint32_t)use->first + use->count; r++)
            bitset_add(set, r);
    }
}

static void
find_used(family_live_view *v, family_live_bank *bank)
{
    const family_code *c = v->liveness->code;
    for (uint32_t k = 0; k < c->n_insts; k++)
        for (uint32_t u = 0; u < c->insts[k].n_uses; u++) {
            const family_use *use = &c->uses[c->insts[k].first_use + u];
            uint32_t end = (uint32_t)use->first + use->count - bank->bank->first;
            bool indexed = use->count > 32 && !use->kills; /* the rest of the file */
            end = indexed ? end - use->count + 1 : end;
            if (use->first >= bank->bank->first && end <= bank->bank->count && end > bank->used)
                bank->used = end;
        }
}

family_live_view *
family_live_view_of(arena *a, arena *scratch, const family_listing *l)
{
    family_live_view *v = ARENA_NEW(a, family_live_view);
    const family_code *c = family_read_code(a, l);
    v->liveness = family_liveness_of(a, scratch, c);
    for (const family_bank *b = l->isa->banks; b->name && v->n_banks < FAMILY_MAX_BANKS; b++) {
        family_live_bank bank = {.bank = b};
        find_used(v, &bank);
        if (bank.used)
            v->banks[v->n_banks++] = bank;
    }
    v->pressure = ARENA_ARRAY(a, (size_t)c->n_insts * v->n_banks + 1, uint32_t);
    v->is_complete = true;
    v->since = RULER_EVERY;
    uint64_t *behind = ARENA_ARRAY(a, v->liveness->n_words + 1u, uint64_t);
    for (uint32_t k = 0; k < c->n_insts; k++) {
        const uint64_t *before = family_live_before(v->liveness, k);
        family_live_behind(v->liveness, k, behind);
        /* what is not live before is live on a way only that is not gone with lanes */
        for (uint32_t w = 0; w < v->liveness->n_words; w++)
            behind[w] &= before[w];
        add_writes(v->liveness, k, behind);
        v->is_complete &= c->insts[k].flow < FAMILY_CALL || !c->insts[k].is_inst;
        for (unsigned b = 0; b < v->n_banks; b++)
            count_bank(v, k, b, before, behind);
    }
    return v;
}

/* ---- text ---- */

static const uint64_t *
find_figure(const family_figures *f, const char *head, const char *name)
{
    size_t n = strlen(head);
    for (uint32_t i = 0; f && i < f->n; i++)
        if (strncmp(f->list[i].name, head, n) == 0 && strcmp(f->list[i].name + n, name) == 0)
            return &f->list[i].value;
    return NULL;
}

/* The instructions that have the maximum: the first three. */
static void
print_places(const family_live_view *v, unsigned b, base_buf *out)
{
    const family_live_bank *bank = &v->banks[b];
    uint32_t n = v->liveness->code->n_insts, shown = 0;
    for (uint32_t k = bank->at; k < n && shown < 3; k++)
        if (v->pressure[k * v->n_banks + b] == bank->most)
            buf_printf(out, "%s%u", shown++ ? ", " : "", k + 1);
    if (bank->times > shown)
        buf_printf(out, " and %u more", bank->times - shown);
}

void
family_live_print_head(const family_live_view *v, const family_figures *figures, base_buf *out)
{
    buf_puts(out, "// live registers: ':' live, 'v' read, '^' written, 'x' read and written; the "
                  "columns are\n// the instruction's number, the registers needed at it, and the "
                  "registers of each bank\n");
    for (unsigned b = 0; b < v->n_banks; b++) {
        const family_live_bank *bank = &v->banks[b];
        if (!bank->bank->figure)
            continue;
        const uint64_t *used = find_figure(figures, "", bank->bank->figure),
                       *allocated = find_figure(figures, "allocated_", bank->bank->figure);
        buf_printf(out, "// %s: at most %u live, at instruction ", bank->bank->name, bank->most);
        print_places(v, b, out);
        buf_printf(out, "; %u used", used ? (unsigned)*used : bank->used);
        if (allocated)
            buf_printf(out, ", %u allocated", (unsigned)*allocated);
        buf_puts(out, "\n");
    }
    const uint64_t *waves = find_figure(figures, "", "max_waves");
    if (waves)
        buf_printf(out, "// waves: %u\n", (unsigned)*waves);
    if (!v->is_complete)
        buf_puts(out, "// all registers count as live at calls and jumps to computed places\n");
}

static char
mark_of(const family_code *c, const family_code_inst *i, uint32_t r, bool live)
{
    bool read = false, written = false;
    for (uint32_t u = i->first_use; u < i->first_use + i->n_uses; u++) {
        const family_use *use = &c->uses[u];
        if (r - use->first >= use->count)
            continue;
        read |= use->read != 0;
        written |= use->write != 0;
    }
    return read && written ? 'x' : read ? 'v' : written ? '^' : live ? ':' : ' ';
}

static void
print_columns(const family_live_view *v, uint32_t k, unsigned b, base_buf *out)
{
    const family_code *c = v->liveness->code;
    const family_live_bank *bank = &v->banks[b];
    const uint64_t *before = family_live_before(v->liveness, k);
    for (uint32_t r = 0; r < bank->used; r++) {
        uint32_t number = bank->bank->first + r;
        buf_put_u8(out, (uint8_t)mark_of(c, &c->insts[k], number, bitset_has(before, number)));
    }
}

void
family_live_print_row(family_live_view *v, size_t at, size_t width, base_buf *out)
{
    uint32_t k = family_inst_at(v->liveness->code, at);
    if (k == FAMILY_NO_BLOCK)
        return;
    buf_printf(out, "%*s // %4u |", width < TEXT_WIDTH ? (int)(TEXT_WIDTH - width) : 0, "", k + 1);
    for (unsigned b = 0; b < v->n_banks; b++)
        if (v->banks[b].bank->figure)
            buf_printf(out, " %3u", v->pressure[k * v->n_banks + b]);
    for (unsigned b = 0; b < v->n_banks; b++) {
        buf_puts(out, " | ");
        print_columns(v, k, b, out);
    }
    while (out->data[out->size - 1] == ' ')
        out->size--;
    v->since++;
}

/* Prints the numbers of the registers: of each tenth, or the first letters of names. */
static void
print_numbers(const family_live_bank *bank, base_buf *out)
{
    for (uint32_t r = 0; r < bank->used;) {
        if (bank->bank->names) {
            buf_put_u8(out, (uint8_t)bank->bank->names[r++][0]);
        } else if (r % 10 == 0 && r + (r < 10 ? 2 : r < 100 ? 3 : 4) <= bank->used) {
            buf_printf(out, "%s%u", bank->bank->prefix, r);
            r += r < 10 ? 2 : r < 100 ? 3 : 4;
        } else {
            buf_puts(out, ".");
            r++;
        }
    }
}

void
family_live_print_ruler(family_live_view *v, base_buf *out)
{
    if (v->since < RULER_EVERY)
        return;
    v->since = 0;
    buf_printf(out, "//%*s  //      |", TEXT_WIDTH - 3, "");
    for (unsigned b = 0; b < v->n_banks; b++)
        if (v->banks[b].bank->figure)
            buf_printf(out, " %3.3s", v->banks[b].bank->name);
    for (unsigned b = 0; b < v->n_banks; b++) {
        buf_puts(out, " | ");
        print_numbers(&v->banks[b], out);
    }
    buf_puts(out, "\n");
}
