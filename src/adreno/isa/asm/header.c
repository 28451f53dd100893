/* Lines with @, which describe a shader to the one who runs it.
 *
 * They are those that ir3's disassembler prints and its computerator reads; the names of inputs
 * and outputs are for readers only. */
#include "adreno/isa/asm/trial.h"

#include <string.h>

static adreno_header *
header_of(asm_ctx *a)
{
    return adreno_asm_of(a)->header;
}

static uint32_t
take_number(asm_ctx *a, int64_t most)
{
    return (uint32_t)asm_number(a, 0, most);
}

static void
expect(asm_ctx *a, char c, const char *what)
{
    if (!asm_take(a, c))
        asm_want(a, what);
}

/* "(r0.x)": the number of the register. */
static uint32_t
take_register(asm_ctx *a)
{
    adreno_trial r = {.a = a, .in_operands = true};
    uint32_t reg;
    bool half;
    expect(a, '(', "'('");
    r.at = a->token.text;
    if (!adreno_read_register(&r, &reg, &half))
        asm_want(a, "a register");
    asm_seek(a, r.at);
    expect(a, ')', "')'");
    return reg;
}

/* "(c0.x)": the number of the constant. */
static uint32_t
take_const(asm_ctx *a)
{
    adreno_trial r = {.a = a, .in_operands = true};
    uint32_t place;
    expect(a, '(', "'('");
    r.at = a->token.text;
    if (!adreno_take(&r, "c") || !adreno_read_place(&r, ADRENO_MAX_CONSTS, &place))
        asm_want(a, "a constant");
    asm_seek(a, r.at);
    expect(a, ')', "')'");
    return place;
}

/* A dword: an integer, or a float. */
static uint32_t
take_dword(asm_ctx *a)
{
    const asm_token before = a->token;
    const bool minus = asm_is(a, '-');
    if (minus)
        asm_next(a);
    if (a->token.kind == ASM_FLOAT) {
        float value = (float)(minus ? -a->token.number : a->token.number);
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        asm_next(a);
        return bits;
    }
    asm_seek(a, before.text);
    return (uint32_t)asm_number(a, INT32_MIN, UINT32_MAX);
}

static void
read_local_size(asm_ctx *a)
{
    for (unsigned i = 0; i < 3; i++) {
        if (i)
            asm_take_comma(a);
        header_of(a)->local_size[i] = take_number(a, 1024);
    }
}

/* @const(c4.x) WORD, WORD, WORD, WORD */
static void
read_const(asm_ctx *a)
{
    adreno_header *h = header_of(a);
    const uint32_t place = take_const(a);
    uint32_t n = 0;
    do {
        if (place + n >= 4 * ADRENO_MAX_CONSTS)
            asm_want(a, "no more constants");
        h->constants[place + n++] = take_dword(a);
    } while (asm_take(a, ','));
    if (place + n > h->n_constants)
        h->n_constants = place + n;
}

/* @buf SIZE (cN.c) WORD, ... */
static void
read_buf(asm_ctx *a)
{
    adreno_header *h = header_of(a);
    size_t room = 0;
    uint32_t *words = NULL;
    if (h->n_bufs == ADRENO_MAX_BUFS)
        asm_want(a, "no more buffers");
    adreno_buf *b = &h->bufs[h->n_bufs];
    *b = (adreno_buf){.size = take_number(a, 1 << 20)};
    if (asm_is(a, '('))
        b->address = (uint16_t)(1 + take_const(a));
    while (a->token.kind != ASM_END) {
        if (b->n_words)
            asm_take_comma(a);
        if (b->n_words == b->size)
            asm_want(a, "no more words than the buffer has");
        words = arena_grow(a->arena, words, &room, b->n_words + 1u, sizeof *words);
        words[b->n_words++] = take_dword(a);
    }
    b->words = words;
    h->n_bufs++;
}

/* The rest of a line that only people read. */
static void
skip_note(asm_ctx *a)
{
    asm_skip_line(a);
}

typedef enum at_line {
    AT_LOCAL_SIZE,
    AT_CONST,
    AT_BUF,
    AT_INVOCATION,
    AT_WORKGROUP,
    AT_NUM_WORKGROUPS,
    AT_IN,
    AT_OUT,
    AT_PREFETCH,
    AT_BRANCH_STACK,
    AT_PRIVATE,
    AT_LOCAL,
    AT_EARLY,
    AT_SYNC_START,
    AT_SYNC_END,
    AT_NOP_START,
    AT_NOP_END
} at_line;

static const struct {
    const char *name;
    at_line line;
} lines[] = {
    {"@localsize", AT_LOCAL_SIZE},
    {"@const", AT_CONST},
    {"@buf", AT_BUF},
    {"@invocationid", AT_INVOCATION},
    {"@wgid", AT_WORKGROUP},
    {"@numwg", AT_NUM_WORKGROUPS},
    {"@in", AT_IN},
    {"@out", AT_OUT},
    {"@tex", AT_PREFETCH},
    {"@branchstack", AT_BRANCH_STACK},
    {"@pvtmem", AT_PRIVATE},
    {"@localmem", AT_LOCAL},
    {"@earlypreamble", AT_EARLY},
    {"@fullsyncstart", AT_SYNC_START},
    {"@fullsyncend", AT_SYNC_END},
    {"@fullnopstart", AT_NOP_START},
    {"@fullnopend", AT_NOP_END},
};

/* Lines with registers. */
static void
read_register_line(asm_ctx *a, at_line line)
{
    adreno_header *h = header_of(a);
    switch (line) {
    case AT_INVOCATION: h->invocation_id = (uint8_t)take_register(a); break;
    case AT_WORKGROUP: h->workgroup_id = (uint8_t)take_register(a); break;
    case AT_NUM_WORKGROUPS: h->num_workgroups = (uint16_t)(1 + take_const(a)); break;
    case AT_IN:
    case AT_OUT:
    case AT_PREFETCH:
        take_register(a);
        skip_note(a);
        h->n_inputs += line == AT_IN;
        h->n_outputs += line == AT_OUT;
        h->n_prefetches += line == AT_PREFETCH;
        break;
    default: break;
    }
}

static void
read_line(asm_ctx *a, at_line line)
{
    adreno_asm *m = adreno_asm_of(a);
    adreno_header *h = m->header;
    switch (line) {
    case AT_LOCAL_SIZE: read_local_size(a); break;
    case AT_CONST: read_const(a); break;
    case AT_BUF: read_buf(a); break;
    case AT_BRANCH_STACK: h->branch_stack = take_number(a, 64); break;
    case AT_PRIVATE: h->private_bytes = take_number(a, 1 << 24); break;
    case AT_LOCAL: h->local_bytes = take_number(a, 1 << 20); break;
    case AT_EARLY: h->early_preamble = true; break;
    case AT_SYNC_START: m->full_sync = true; break;
    case AT_SYNC_END: m->full_sync = false; break;
    case AT_NOP_START: m->full_nop = true; break;
    case AT_NOP_END: m->full_nop = false; break;
    default: read_register_line(a, line); break;
    }
}

void
adreno_asm_header(asm_ctx *a)
{
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (asm_take_name(a, lines[i].name)) {
            read_line(a, lines[i].line);
            return;
        }
    }
    asm_fail(a, ERR_ASM_UNKNOWN, asm_short(a, a->token.text, a->token.len));
    asm_report(a);
}
