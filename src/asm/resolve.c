/* What is known only when the whole file was read and its sections have addresses: branches,
 * addresses in literals and data, symbols. */
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

/* Ends the call with an error at the fixup's place that names the symbol. */
_Noreturn static void
fail_at(asm_ctx *a, const asm_fixup *f, diag_error error)
{
    asm_return_to(a, f->source, f->at);
    asm_fail(a, error, asm_symbol_text(a, f->symbol));
    asm_report(a);
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

/* .size; 0 while it is not known. */
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

/* Variables that are made of what stood below. */
static void
settle_variables(asm_ctx *a)
{
    for (uint32_t i = 0; i < a->n_symbols; i++) {
        asm_sum sum;
        asm_expr e = a->symbols[i].expr;
        if (a->symbols[i].lazy && asm_evaluate(a, &e, &sum))
            asm_settle(&a->symbols[i], &sum);
    }
}

static void
list_symbols(asm_unit *u, bool resolving)
{
    asm_ctx *a = u->state;
    size_t reserved = strlen(a->machine->reserved);
    asm_unit_symbol *list = ARENA_ARRAY(a->arena, a->n_symbols, asm_unit_symbol);
    u->symbols = list;
    u->n_symbols = 0;
    for (uint32_t i = 0; i < a->n_symbols; i++) {
        const asm_symbol *s = &a->symbols[i];
        const asm_symbol *bound = s->bound_as ? &a->symbols[s->bound_as - 1] : s;
        const char *name = strings_get(&a->names, i);
        size_t len = strlen(name);
        if (!s->defined || s->lazy || s->is_hidden || (len >= 2 && memcmp(name, ".L", 2) == 0) ||
            (!s->label && len > reserved && memcmp(name, a->machine->reserved, reserved) == 0))
            continue;
        list[u->n_symbols++] = (asm_unit_symbol){.name = name,
                                                 .kind = s->kind,
                                                 .binding = bound->binding,
                                                 .visibility = bound->visibility,
                                                 .section = s->label ? (int32_t)s->section : -1,
                                                 .value = (uint64_t)s->value,
                                                 .size = size_of(a, s, resolving)};
    }
}

/* All but those whose names begin with .L, which are the compiler's own. */
void
asm_list_symbols(asm_unit *u)
{
    settle_variables(u->state);
    list_symbols(u, false);
}

void
asm_resolve(asm_unit *u)
{
    asm_ctx *a = u->state;
    settle_variables(a);
    u->relocs = ARENA_ARRAY(a->arena, u->max_relocs, asm_unit_reloc);
    for (size_t i = 0; i < a->n_fixups; i++)
        resolve(a, &a->fixups[i]);
    list_symbols(u, true);
}
