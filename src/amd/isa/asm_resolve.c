/* What is known only when the whole file was read and its sections have addresses: branches,
 * addresses in literals and data, descriptors' entries, symbols. */
#include "amd/isa/asm.h"

#include <string.h>

void
asm_add_fixup(amd_asm *a, asm_fixup fixup)
{
    if (fixup.kind == ASM_FIX_BRANCH)
        fixup.section = a->section;
    a->fixups = arena_grow(a->arena, a->fixups, &a->fixups_cap, a->n_fixups + 1, sizeof *a->fixups);
    a->fixups[a->n_fixups++] = fixup;
}

/* Ends the call with an error at `at` that names the token there. */
_Noreturn static void
fail_at(amd_asm *a, const char *at, diag_error error)
{
    a->failure = (asm_failure){0};
    asm_seek(a, at);
    const char *name = memchr(at, '@', a->token.len);
    size_t len = name ? (size_t)(name - at) : a->token.len;
    asm_fail(a, error, arena_printf(a->arena, "%.*s", (int)(len > 60 ? 60 : len), at));
    asm_report(a);
}

static void
put(amd_asm *a, const asm_fixup *f, uint64_t v, unsigned size)
{
    unsigned char *p = a->unit->sections[f->section].data.data + f->offset;
    for (unsigned i = 0; i < size; i++)
        p[i] = (unsigned char)(v >> (8 * i));
}

static uint64_t
place_of(const amd_asm *a, const asm_fixup *f)
{
    return a->unit->sections[f->section].address + f->offset;
}

/* The address of a label, or an absolute symbol's value. */
static uint64_t
symbol_address(amd_asm *a, const asm_fixup *f)
{
    const asm_symbol *s = &a->symbols[f->symbol];
    if (!s->defined)
        fail_at(a, f->at, ERR_AMD_ASM_UNDEFINED);
    return (uint64_t)s->value + (s->label ? a->unit->sections[s->section].address : 0);
}

static void
resolve_branch(amd_asm *a, const asm_fixup *f)
{
    const asm_symbol *s = &a->symbols[f->symbol];
    int64_t v = (int64_t)symbol_address(a, f);
    int64_t distance = s->label ? (v - (int64_t)(place_of(a, f) + 4)) / 4 : v;
    bool aligned = !s->label || s->value % 4 == 0;
    bool reaches = distance >= -0x8000 && distance <= (s->label ? 0x7fff : 0xffff);
    bool here = !s->label || !a->unit->options.is_code || s->section == f->section;
    if (!aligned || !reaches || !here)
        fail_at(a, f->at, ERR_AMD_ASM_BRANCH);
    put(a, f, (uint64_t)distance, 2);
}

static void
add_reloc(amd_asm *a, const asm_fixup *f, uint64_t addend)
{
    amd_unit *u = a->unit;
    if (u->n_relocs < u->max_relocs)
        u->relocs[u->n_relocs++] = (amd_unit_reloc){f->section, f->offset, addend};
    put(a, f, addend, 8);
}

static void
resolve_expression(amd_asm *a, const asm_fixup *f)
{
    int64_t v, sections, low = f->size == 8 ? INT64_MIN : -(INT64_C(1) << (f->size * 8 - 1)),
                         high = f->size == 8 ? INT64_MAX : (INT64_C(1) << f->size * 8) - 1;
    a->failure = (asm_failure){0};
    a->eval.section = f->section;
    a->eval.offset = f->offset;
    asm_seek(a, f->at);
    if (!asm_address(a, false, &v, &sections))
        asm_report(a);
    bool is_loaded = a->unit->sections[f->section].is_loaded;
    if (sections && is_loaded && !a->unit->options.is_code) {
        if (sections != 1 || f->size != 8) {
            a->failure = (asm_failure){
                f->at, ERR_AMD_ASM_ADDRESS,
                "the address is known only when the object is loaded; 8 bytes can hold it"};
            asm_report(a);
        }
        add_reloc(a, f, (uint64_t)v);
        return;
    }
    if (a->eval.high)
        v >>= 32;
    if (f->kind == ASM_FIX_DATA && is_loaded && (v < low || v > high)) {
        a->failure = (asm_failure){
            f->at, ERR_AMD_ASM_RANGE,
            arena_printf(a->arena, "%lld to %lld", (long long)low, (long long)high)};
        asm_report(a);
    }
    put(a, f, (uint64_t)v, f->size);
}

static void
resolve(amd_asm *a, const asm_fixup *f)
{
    switch (f->kind) {
    case ASM_FIX_BRANCH: resolve_branch(a, f); break;
    case ASM_FIX_LITERAL:
    case ASM_FIX_DATA: resolve_expression(a, f); break;
    case ASM_FIX_GOT: add_reloc(a, f, symbol_address(a, f)); break;
    case ASM_FIX_ENTRY:
        if (!a->unit->options.is_code)
            put(a, f, symbol_address(a, f) - (place_of(a, f) - 16), 8);
        break;
    }
}

static uint64_t
size_of(amd_asm *a, const asm_symbol *s)
{
    int64_t v;
    if (!s->size_at || !a->eval.resolving)
        return s->size;
    a->failure = (asm_failure){0};
    a->eval.section = s->section;
    a->eval.offset = 0;
    asm_seek(a, s->size_at);
    if (!asm_expression(a, false, &v))
        asm_report(a);
    return (uint64_t)v;
}

/* All but those whose names begin with .L, which are the compiler's own. */
void
amd_unit_list_symbols(amd_unit *u)
{
    amd_asm *a = u->state;
    amd_unit_symbol *list = ARENA_ARRAY(a->arena, a->n_symbols, amd_unit_symbol);
    u->symbols = list;
    u->n_symbols = 0;
    for (uint32_t i = 0; i < a->n_symbols; i++) {
        const asm_symbol *s = &a->symbols[i];
        const asm_symbol *bound = s->is_descriptor ? &a->symbols[s->owner] : s;
        const char *name = strings_get(&a->names, i);
        size_t len = strlen(name);
        if (!s->defined || (len >= 2 && memcmp(name, ".L", 2) == 0) ||
            (!s->label && len > 7 && memcmp(name, ".amdgcn", 7) == 0))
            continue;
        list[u->n_symbols++] = (amd_unit_symbol){.name = name,
                                                 .kind = s->kind,
                                                 .binding = bound->binding,
                                                 .visibility = bound->visibility,
                                                 .section = s->label ? (int32_t)s->section : -1,
                                                 .value = (uint64_t)s->value,
                                                 .size = size_of(a, s)};
    }
}

void
amd_unit_resolve(amd_unit *u)
{
    amd_asm *a = u->state;
    a->eval = (asm_evaluation){.resolving = true};
    u->relocs = ARENA_ARRAY(a->arena, u->max_relocs, amd_unit_reloc);
    for (size_t i = 0; i < a->n_fixups; i++)
        resolve(a, &a->fixups[i]);
    amd_unit_list_symbols(u);
}
