/* Directives of AMDGPU: the target, kernel descriptors, metadata; and the counts of registers for
 * .amdgcn.next_free_vgpr and _sgpr. */
#include "amd/isa/asm/asm.h"

#include <string.h>

/* ---- registers in use ---- */

/* Raises a count to one more than the highest register. */
static void
raise_count(asm_ctx *a, bool scalar, uint32_t count)
{
    asm_symbol *s = &a->symbols[amd_asm_of(a)->next_free[scalar]];
    if (!s->label && !s->lazy && s->value < (int64_t)count)
        s->value = count;
}

void
amd_asm_count_registers(asm_ctx *a, const amd_asm_trial *t)
{
    for (unsigned i = 0; i < t->in.n_dst + t->in.n_src; i++) {
        bool dst = i < t->in.n_dst;
        unsigned k = dst ? i : i - t->in.n_dst;
        unsigned code = dst ? t->in.dst[k] : t->in.src[k],
                 count = dst ? t->dst_count[k] : t->src_count[k];
        if (code >= AMD_REG_VGPR0 && code < AMD_REG_VGPR0 + 256)
            raise_count(a, false, code - AMD_REG_VGPR0 + (count ? count : 1));
        else if (count && code < AMD_REG_VCC_LO)
            raise_count(a, true, code + count);
    }
}

/* ---- directives ---- */

/* A feature behind the processor's name: ":xnack+". It must not be set otherwise already. */
static bool
take_feature(const char **p, const char *end, const char *name, amd_unit_feature *out)
{
    size_t n = strlen(name);
    if ((size_t)(end - *p) < n + 2 || **p != ':' || memcmp(*p + 1, name, n) != 0 ||
        ((*p)[n + 1] != '+' && (*p)[n + 1] != '-'))
        return false;
    amd_unit_feature set = (*p)[n + 1] == '+' ? AMD_UNIT_ON : AMD_UNIT_OFF;
    if (*out != AMD_UNIT_ANY && *out != set)
        return false;
    *out = set;
    *p += n + 2;
    return true;
}

/* .amdgcn_target "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-" */
static void
target(asm_ctx *a, unsigned unused)
{
    amd_unit *u = amd_asm_of(a)->unit;
    asm_token text = asm_take_string(a);
    const char *p = text.text + 1, *end = text.text + text.len - 1, *start;
    (void)unused;
    for (start = p; p < end; p++)
        start = end - p > 4 && memcmp(p, "-gfx", 4) == 0 ? p + 1 : start;
    for (p = start; p < end && *p != ':'; p++)
        ;
    size_t len = (size_t)(p - start);
    bool known = amd_hsa_parse_target(start, len, &amd_asm_of(a)->target);
    while (known && (take_feature(&p, end, "xnack", &u->xnack) ||
                     take_feature(&p, end, "sramecc", &u->sramecc)))
        ;
    const char *own = u->options.target;
    if (!known || p < end || (own && (strlen(own) != len || memcmp(own, start, len) != 0))) {
        a->is_last = true;
        asm_report_texts(a, text.text, ERR_ASM_TARGET,
                         asm_short(a, text.text + 1, (size_t)(text.len - 2)),
                         own ? own : "the processor of the call");
    }
    amd_asm_of(a)->has_target = true;
    amd_asm_of(a)->target.has_xnack = (own ? u->options.has_xnack : true) &&
                                      u->xnack != AMD_UNIT_OFF;
}

#define ROW_PREFIX ".amdhsa_"
enum { ROW_PREFIX_SIZE = sizeof ROW_PREFIX - 1 };

/* Does the current token begin a directive of kernels? */
static bool
is_row(const asm_ctx *a)
{
    return a->token.kind == ASM_IDENT && a->token.len > ROW_PREFIX_SIZE &&
           memcmp(a->token.text, ROW_PREFIX, ROW_PREFIX_SIZE) == 0;
}

/* The row of the directive at the current token. */
static amd_hsa_row
take_row(asm_ctx *a, const amd_hsa_kernel *k)
{
    bool is_one = is_row(a);
    amd_hsa_row row = is_one ? amd_hsa_find(a->token.text + ROW_PREFIX_SIZE,
                                            a->token.len - ROW_PREFIX_SIZE)
                             : AMD_HSA_ROW_COUNT;
    a->failure = (asm_failure){0};
    if (!is_one)
        asm_expected(a, ".end_amdhsa_kernel or a directive of kernels");
    else if (row == AMD_HSA_ROW_COUNT)
        asm_fail(a, ERR_ASM_DIRECTIVE,
                 arena_printf(a->arena, "%.*s", (int)(a->token.len > 60 ? 60 : a->token.len),
                              a->token.text));
    else if (!amd_hsa_exists(&amd_asm_of(a)->target, row))
        asm_fail(a, ERR_ASM_RULE,
                 arena_printf(a->arena, "the target has no %s", amd_hsa_name(row)));
    else if (k->given[row])
        asm_fail(a, ERR_ASM_REDEFINED, amd_hsa_name(row));
    else
        return row;
    asm_report(a);
}

/* A row's value, from an expression at `at`. */
static void
give_row(asm_ctx *a, amd_hsa_kernel *k, amd_hsa_row row, int64_t value, const char *at)
{
    uint32_t most = amd_hsa_largest(&amd_asm_of(a)->target, row);
    if (value < 0 || value > (int64_t)most) {
        asm_seek(a, at);
        asm_fail(a, ERR_ASM_RANGE, arena_printf(a->arena, "0 to %u", most));
        asm_report(a);
    }
    k->values[row] = (uint32_t)value;
}

/* The value at the token, which may be made of what stands further below. */
static void
read_value(asm_ctx *a, amd_asm_kernel *k, amd_hsa_row row)
{
    const char *at = a->token.text;
    asm_expr e;
    asm_sum sum;
    if (!asm_parse(a, false, &e))
        asm_report(a);
    k->rows.given[row] = true;
    if (a->token.kind != ASM_END)
        asm_want(a, "the end of the line");
    if (!e.is_known && !(asm_evaluate(a, &e, &sum) && sum.bases == 0)) {
        k->open[k->n_open++] = (struct amd_asm_open_row){row, e, at};
        return;
    }
    give_row(a, &k->rows, row, e.is_known ? e.value : sum.number, at);
    a->n_codes = e.first;
}

static void
read_row(asm_ctx *a, void *user)
{
    amd_asm_kernel *k = user;
    amd_hsa_row row = take_row(a, &k->rows);
    asm_next(a);
    read_value(a, k, row);
}

/* Lines up to .end_amdhsa_kernel. Of those that are no rows the first one is reported: the end may
 * be missing. */
static void
read_rows(asm_ctx *a, const char *at, amd_asm_kernel *k)
{
    while (!asm_is_name(a, ".end_amdhsa_kernel")) {
        if (a->token.kind == ASM_END) {
            if (a->p == a->end && k->has_stray)
                asm_finish(a);
            if (a->p == a->end)
                asm_report_end(a, at, ".end_amdhsa_kernel");
            asm_next_line(a);
            continue;
        }
        bool stray = !is_row(a);
        if (stray && k->has_stray)
            asm_skip_line(a);
        else if (!asm_attempt(a, read_row, k))
            k->is_bad = true;
        k->has_stray |= stray;
    }
    asm_next(a);
}

static void
encode(asm_ctx *a, const amd_asm_kernel *k, uint8_t bytes[AMD_HSA_DESCRIPTOR_SIZE])
{
    const char *wrong = amd_hsa_encode(&amd_asm_of(a)->target, &k->rows, bytes);
    if (!wrong)
        return;
    asm_report_texts(a, k->name.text, ERR_ASM_KERNEL,
                     arena_printf(a->arena, "%.*s", (int)k->name.len, k->name.text), wrong);
}

/* Fills in a kernel's descriptor, all but the entry, when all its values are known. */
static void
resolve_kernel(asm_ctx *a, const asm_fixup *f)
{
    amd_asm_kernel *k = f->user;
    uint8_t bytes[AMD_HSA_DESCRIPTOR_SIZE],
        *to = a->unit->sections[f->section].data.data + f->offset;
    for (uint32_t i = 0; i < k->n_open; i++) {
        asm_sum sum;
        asm_return_to(a, k->open[i].expr.source, k->open[i].at);
        asm_evaluate_last(a, f, &k->open[i].expr, &sum);
        if (sum.bases)
            asm_want(a, "a number, which no address is");
        give_row(a, &k->rows, k->open[i].row, sum.number, k->open[i].at);
    }
    encode(a, k, bytes);
    memcpy(bytes + AMD_HSA_ENTRY_OFFSET, to + AMD_HSA_ENTRY_OFFSET, AMD_HSA_ENTRY_SIZE);
    memcpy(to, bytes, sizeof bytes);
}

/* Adds a fixup whose place is the kernel's name. */
static void
add_fixup(asm_ctx *a, const amd_asm_kernel *k, asm_fixup fixup)
{
    fixup.section = a->section;
    fixup.at = k->name.text;
    asm_add_fixup(a, fixup);
    a->fixups[a->n_fixups - 1].source = k->source;
}

/* The descriptor's bytes and its symbol. */
static void
place_descriptor(asm_ctx *a, amd_asm_kernel *k)
{
    uint8_t bytes[AMD_HSA_DESCRIPTOR_SIZE] = {0};
    asm_unit_section *s = &a->unit->sections[a->section];
    const asm_token *name = &k->name;
    if (!k->n_open && !k->is_bad)
        encode(a, k, bytes);
    s->align = s->align < sizeof bytes ? sizeof bytes : s->align;
    buf_align(a->out, sizeof bytes);
    const char *symbol = arena_printf(a->arena, "%.*s.kd", (int)name->len, name->text);
    asm_define(a, symbol, name->len + 3, name->text,
               (asm_symbol){.defined = true,
                            .label = true,
                            .value = (int64_t)a->out->size,
                            .section = a->section,
                            .kind = ASM_UNIT_OBJECT,
                            .bound_as = k->owner + 1,
                            .has_size = true,
                            .size = {.is_known = true, .value = sizeof bytes}});
    add_fixup(a, k,
              (asm_fixup){.kind = ASM_FIX_DISTANCE,
                          .symbol = k->owner,
                          .offset = a->out->size + AMD_HSA_ENTRY_OFFSET,
                          .size = AMD_HSA_ENTRY_SIZE,
                          .back = AMD_HSA_ENTRY_OFFSET});
    if (k->n_open)
        add_fixup(
            a, k,
            (asm_fixup){
                .kind = ASM_FIX_OWN, .resolve = resolve_kernel, .user = k, .offset = a->out->size});
    buf_put(a->out, bytes, sizeof bytes);
}

static void
take_kernel_name(asm_ctx *a, void *user)
{
    amd_asm_kernel *k = user;
    k->name = a->token;
    k->source = a->source;
    k->owner = (uint32_t)(asm_take_symbol(a) - a->symbols);
}

static void
kernel(asm_ctx *a, unsigned unused)
{
    const char *at = a->line;
    amd_unit *u = amd_asm_of(a)->unit;
    (void)unused;
    if (!amd_asm_of(a)->has_target) {
        asm_find_end(a, at, ".end_amdhsa_kernel");
        asm_next(a);
        return;
    }
    amd_asm_kernel *k = ARENA_NEW(a->arena, amd_asm_kernel);
    a->may_define = true;
    if (!asm_attempt(a, take_kernel_name, k)) {
        asm_find_end(a, at, ".end_amdhsa_kernel");
        asm_next(a);
        return;
    }
    read_rows(a, at, k);
    place_descriptor(a, k);
    u->kernels = arena_grow(a->arena, u->kernels, &u->cap_kernels, u->n_kernels + 1u,
                            sizeof *u->kernels);
    u->kernels[u->n_kernels++] = arena_printf(a->arena, "%.*s", (int)k->name.len, k->name.text);
}

static void
metadata(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_take_block(a, ".end_amdgpu_metadata", &amd_asm_of(a)->unit->metadata);
}

static void
pal_metadata(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_find_end(a, a->line, ".end_amdgpu_pal_metadata");
    asm_next(a);
}

static void
version(asm_ctx *a, unsigned unused)
{
    (void)unused;
    amd_asm_of(a)->unit->code_object_version = (uint32_t)asm_number(a, 4, 6);
}

const asm_directive amd_asm_directives[] = {
    {".amdgcn_target", target, 0, false},
    {".amdhsa_code_object_version", version, 0, false},
    {".amdhsa_kernel", kernel, 0, false},
    {".amdgpu_metadata", metadata, 0, false},
    {".amdgpu_pal_metadata", pal_metadata, 0, false},
    {NULL, NULL, 0, false},
};
