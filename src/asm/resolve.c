/* Resolves what depends on the whole file and on the sections' addresses: branches, addresses in
 * literals and data, symbols. */
#include "asm/ctx.h"

#include <string.h>

void
asm_add_fixup(asm_ctx *a, asm_fixup fixup)
{
    fixup.source = a->source;
    if (fixup.kind == ASM_FIX_BRANCH)
        fixup.section = a->section;
    a->fixups = arena_grow(a->arena, a->fixups, &a->fixups_cap, a->n_fixups + 1, sizeof *a->fixups);
    a->fixups[a->n_fixups++] = fixup;
}

/* Ends the statement with an error at the fixup's place that names the symbol. */
_Noreturn static void
fail_at(asm_ctx *a, const asm_fixup *f, diag_error error)
{
    asm_return_to(a, f->source, f->at);
    a->failure = (asm_failure){f->at, error, asm_symbol_text(a, f->symbol),
                               error == ERR_ASM_UNDEFINED ? f->symbol + 1 : 0};
    asm_report_in(a, f->source);
}

static uint8_t *
bytes_of(const asm_ctx *a, const asm_fixup *f)
{
    return a->unit->sections[f->section].data.data + f->offset;
}

static void
put(asm_ctx *a, const asm_fixup *f, uint64_t v, unsigned size)
{
    uint8_t *p = bytes_of(a, f);
    for (unsigned i = 0; i < size; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t
place_of(const asm_ctx *a, const asm_fixup *f)
{
    return a->unit->sections[f->section].address + f->offset;
}

/* The address of a label, or an absolute symbol's value. */
static uint64_t
symbol_address(asm_ctx *a, const asm_fixup *f)
{
    const asm_symbol *s = &a->symbols[f->symbol];
    if (!s->defined)
        fail_at(a, f, ERR_ASM_UNDEFINED);
    if (s->lazy)
        fail_at(a, f, ERR_ASM_BRANCH);
    return (uint64_t)s->value + (s->label ? a->unit->sections[s->section].address : 0);
}

static void
resolve_branch(asm_ctx *a, const asm_fixup *f)
{
    const asm_symbol *s = &a->symbols[f->symbol];
    const asm_branch b = {.is_label = s->label,
                          .target = (int64_t)symbol_address(a, f),
                          .offset = (uint64_t)s->value,
                          .from = place_of(a, f)};
    bool here = !s->label || !a->unit->options.is_code || s->section == f->section;
    if (!here || !a->machine->put_branch(&b, bytes_of(a, f)))
        fail_at(a, f, ERR_ASM_BRANCH);
}

static void
add_reloc(asm_ctx *a, const asm_fixup *f, uint64_t addend)
{
    asm_unit *u = a->unit;
    if (u->n_relocs < u->max_relocs)
        u->relocs[u->n_relocs++] = (asm_unit_reloc){f->section, f->offset, addend};
    put(a, f, addend, 8);
}

_Noreturn static void
fail_value(asm_ctx *a, const asm_fixup *f, diag_error error, const char *what)
{
    asm_return_to(a, f->source, f->at);
    asm_fail(a, error, what);
    asm_report(a);
}

static void
resolve_expression(asm_ctx *a, const asm_fixup *f)
{
    int64_t low = f->size == 8 ? INT64_MIN : -(INT64_C(1) << (f->size * 8 - 1)),
            high = f->size == 8 ? INT64_MAX : (INT64_C(1) << f->size * 8) - 1;
    asm_sum sum;
    asm_return_to(a, f->source, f->at);
    asm_evaluate_last(a, f, &f->expr, &sum);
    bool is_loaded = a->unit->sections[f->section].is_loaded;
    if (sum.bases && is_loaded) {
        if (sum.bases != 1 || f->size != 8)
            fail_value(a, f, ERR_ASM_ADDRESS,
                       "the address is known only when the object is loaded; 8 bytes can hold it");
        add_reloc(a, f, (uint64_t)sum.number);
        return;
    }
    int64_t v = a->high ? sum.number >> 32 : sum.number;
    if (f->kind == ASM_FIX_DATA && is_loaded && (v < low || v > high))
        fail_value(a, f, ERR_ASM_RANGE,
                   arena_printf(a->arena, "%lld to %lld", (long long)low, (long long)high));
    put(a, f, (uint64_t)v, f->size);
}

static void
resolve(asm_ctx *a, const asm_fixup *f)
{
    switch (f->kind) {
    case ASM_FIX_BRANCH: resolve_branch(a, f); break;
    case ASM_FIX_LITERAL:
    case ASM_FIX_DATA: resolve_expression(a, f); break;
    case ASM_FIX_GOT: add_reloc(a, f, symbol_address(a, f)); break;
    case ASM_FIX_DISTANCE:
        if (!a->unit->options.is_code)
            put(a, f, symbol_address(a, f) - (place_of(a, f) - f->back), f->size);
        break;
    case ASM_FIX_OWN: f->resolve(a, f); break;
    }
}

/* The value of .size; 0 while it is not known. */
static uint64_t
size_of(asm_ctx *a, const asm_symbol *s, bool resolving)
{
    const asm_fixup place = {.section = s->section};
    asm_sum sum = {.number = 0};
    asm_expr e = s->size;
    if (!s->has_size)
        return 0;
    if (resolving)
        asm_evaluate_last(a, &place, &e, &sum);
    else if (!asm_evaluate(a, &e, &sum))
        return 0;
    return (uint64_t)sum.number;
}

/* Work on all fixups or symbols, one after the other; `next` goes on after an error. */
typedef struct walk {
    size_t next;
    bool resolving;
    asm_unit_symbol *list;
} walk;

/* Does all of a walk. */
static void
run(asm_ctx *a, void (*step)(asm_ctx *a, void *user), walk w)
{
    while (!asm_attempt(a, step, &w))
        ;
}

/* Evaluates variables that depend on later definitions. */
static void
settle_variables(asm_ctx *a, void *user)
{
    for (walk *w = user; w->next < a->n_symbols;) {
        asm_sum sum;
        size_t i = w->next++;
        asm_expr e = a->symbols[i].expr;
        if (a->symbols[i].lazy && asm_evaluate(a, &e, &sum))
            asm_settle(&a->symbols[i], &sum);
    }
}

/* Is the symbol left out of the object? */
static bool
is_internal(const asm_ctx *a, const asm_symbol *s, const char *name)
{
    const char *reserved = a->machine->reserved;
    return !s->defined || s->lazy || s->is_hidden || strncmp(name, ".L", 2) == 0 ||
           (reserved && !s->label && strncmp(name, reserved, strlen(reserved)) == 0);
}

static void
list_symbols(asm_ctx *a, void *user)
{
    asm_unit *u = a->unit;
    for (walk *w = user; w->next < a->n_symbols;) {
        uint32_t i = (uint32_t)w->next++;
        const asm_symbol *s = &a->symbols[i];
        const asm_symbol *bound = s->bound_as ? &a->symbols[s->bound_as - 1] : s;
        const char *name = strings_get(&a->names, i);
        if (is_internal(a, s, name))
            continue;
        w->list[u->n_symbols] = (asm_unit_symbol){.name = name,
                                                  .kind = s->kind,
                                                  .binding = bound->binding,
                                                  .visibility = bound->visibility,
                                                  .section = s->label ? (int32_t)s->section : -1,
                                                  .value = (uint64_t)s->value,
                                                  .size = size_of(a, s, w->resolving)};
        u->n_symbols++;
    }
}

/* All symbols except those whose names start with .L, which are internal to the compiler. */
static void
list_all(asm_ctx *a, bool resolving)
{
    asm_unit_symbol *list = ARENA_ARRAY(a->arena, a->n_symbols, asm_unit_symbol);
    a->unit->symbols = list;
    a->unit->n_symbols = 0;
    run(a, list_symbols, (walk){.resolving = resolving, .list = list});
}

void
asm_list_symbols(asm_unit *u)
{
    run(u->state, settle_variables, (walk){0});
    list_all(u->state, false);
}

static void
resolve_fixups(asm_ctx *a, void *user)
{
    for (walk *w = user; w->next < a->n_fixups;)
        resolve(a, &a->fixups[w->next++]);
}

void
asm_resolve(asm_unit *u)
{
    asm_ctx *a = u->state;
    run(a, settle_variables, (walk){0});
    u->relocs = ARENA_ARRAY(a->arena, u->max_relocs, asm_unit_reloc);
    run(a, resolve_fixups, (walk){0});
    list_all(a, true);
    asm_finish(a);
}

static void
check_fixups(asm_ctx *a, void *user)
{
    for (walk *w = user; w->next < a->n_fixups;) {
        const asm_fixup *f = &a->fixups[w->next++];
        bool has_symbol = f->kind == ASM_FIX_BRANCH || f->kind == ASM_FIX_GOT ||
                          (f->kind == ASM_FIX_DISTANCE && !a->unit->options.is_code);
        if (has_symbol && !a->symbols[f->symbol].defined)
            fail_at(a, f, ERR_ASM_UNDEFINED);
        for (uint32_t i = 0; i < f->expr.count; i++) {
            const asm_code *c = &a->codes[f->expr.first + i];
            bool names = c->op == ASM_SYMBOL || c->op == ASM_REL32 || c->op == ASM_REL32_HI;
            if (names && !a->symbols[c->index].defined)
                asm_fail_symbol(a, &f->expr, c, ERR_ASM_UNDEFINED);
        }
    }
}

void
asm_check_symbols(asm_ctx *a)
{
    run(a, check_fixups, (walk){0});
}
