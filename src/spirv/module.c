/* Words -> instructions -> the global section.
 *
 * One walk over all instructions checks their length and the ids of their fixed operands against
 * the opcode table (opcodes.def), so later code may read a row's required operands without checks.
 * The walk also defines each result id once. The instructions before the first function are handled
 * in order; functions are split into blocks (function.c). The order of sections (SPIR-V 1.6, 2.4)
 * is enforced where the reader relies on it.
 */
#include "spirv/reader.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- errors and work ---- */

/* Adds the source line of the instruction, if debug info says it. */
static void
add_line(spirv_reader *r)
{
    diag_loc *loc = &r->d->loc;
    spirv_line line;
    if (!loc->has_offset || !loc->what ||
        !spirv_find_line(r->words, r->n_words, loc->offset, &line))
        return;
    loc->source = line.file;
    loc->line = line.line;
    loc->column = line.column;
}

static _Noreturn void
fail(spirv_reader *r, diag_error e, const char *format, va_list args)
{
    char text[DIAG_MESSAGE_MAX];
    add_line(r);
    vsnprintf(text, sizeof text, format, args);
    diag_fail(r->d, e, text);
}

_Noreturn void
spirv_invalid(spirv_reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(r, ERR_SPIRV_INVALID, format, args);
}

_Noreturn void
spirv_unsupported(spirv_reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(r, ERR_SPIRV_UNSUPPORTED, format, args);
}

_Noreturn void
spirv_limit(spirv_reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(r, ERR_SPIRV_LIMIT, format, args);
}

void
spirv_charge(spirv_reader *r, uint64_t n)
{
    if (n > r->budget)
        spirv_limit(r, "the module asks for more work than its size allows");
    r->budget -= n;
}

/* ---- instructions ---- */

static void
set_place(spirv_reader *r, uint32_t at, const char *what)
{
    r->d->loc.has_offset = true;
    r->d->loc.offset = at;
    r->d->loc.unit = "word";
    r->d->loc.what = what;
}

/* The number of words of the literal string at word `k`. */
static unsigned
string_words(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    for (unsigned w = k; w < i->n; w++) {
        uint32_t x = i->w[w];
        if ((x - 0x01010101) & ~x & 0x80808080) /* contains a zero byte */
            return w + 1 - k;
    }
    spirv_invalid(r, "a literal string does not end within the instruction");
}

/* On a little-endian host its words already have the right byte order; on other hosts it is copied.
 */
const char *
spirv_string(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    static const uint32_t one = 1;
    if (*(const unsigned char *)&one)
        return (const char *)&i->w[k];
    unsigned n = string_words(r, i, k);
    char *text = arena_alloc(r->a, 4 * (size_t)n);
    for (unsigned b = 0; b < 4 * n; b++)
        text[b] = (char)(i->w[k + b / 4] >> b % 4 * 8);
    return text;
}

/* ---- ids ---- */

spirv_id *
spirv_new_id(spirv_reader *r, uint32_t id)
{
    if (!id || id >= r->bound)
        spirv_invalid(r, "id %u is outside the bound %u", id, r->bound);
    if (r->ids_closed)
        spirv_invalid(r, "id %u is not defined", id);
    r->ids = arena_grow(r->a, r->ids, &r->cap_ids, r->n_ids + 1, sizeof *r->ids);
    r->ids[r->n_ids] = (spirv_id){.number = id};
    r->slots[id] = (uint32_t)r->n_ids++;
    return &r->ids[r->slots[id]];
}

/* Makes sure that the id has a record. */
static inline void
need_id(spirv_reader *r, uint32_t id)
{
    if (id >= r->bound || !r->slots[id])
        spirv_new_id(r, id);
}

/* Checks the operands from word `k` on, which the rest of the layout describes. */
static void
check_rest(spirv_reader *r, const spirv_insn *i, const char *layout, unsigned k)
{
    unsigned n = i->n;
    bool optional = false;
    for (; *layout && k < n; layout++) {
        switch (*layout) {
        case '|': optional = true; break;
        case 'i': need_id(r, i->w[k++]); break;
        case 'n': k++; break;
        case 's': k += string_words(r, i, k); break;
        case 'I':
            while (k < n)
                need_id(r, i->w[k++]);
            break;
        default: k = n; break;
        }
    }
    if (k < n)
        spirv_invalid(r, "the instruction is too long");
    if (*layout && *layout != '|' && !optional)
        spirv_invalid(r, "the instruction is too short");
}

/* Checks the words of an instruction against its row. */
static inline void
check_layout(spirv_reader *r, const spirv_insn *i, const spirv_op_row *row)
{
    unsigned k = 1u + row->fixed;
    if (i->n < k)
        spirv_invalid(r, "the instruction is too short");
    for (unsigned ids = row->ids; ids; ids &= ids - 1)
        need_id(r, i->w[1 + base_ctz64(ids)]);
    char more = row->layout[row->fixed];
    if (i->n > k || (more && more != '|'))
        check_rest(r, i, row->layout + row->fixed, k);
}

void
spirv_check_layout(spirv_reader *r, const spirv_insn *i)
{
    check_layout(r, i, spirv_op_row_of(i->op));
}

static void
check_instruction(spirv_reader *r, uint32_t at)
{
    const uint32_t *w = r->words + at;
    unsigned op = w[0] & 0xffff, n = w[0] >> 16;
    const spirv_op_row *row = spirv_op_find(op);
    r->d->loc.offset = at;
    r->d->loc.what = row ? row->name : NULL;
    if (!n || n > r->n_words - at)
        spirv_invalid(r, "the instruction's length of %u words does not fit the module", n);
    if (!row) {
        r->unknown_at = r->unknown_at ? r->unknown_at : at;
        return;
    }
    spirv_insn i = {.w = w, .at = at, .op = (uint16_t)op, .n = (uint16_t)n};
    check_layout(r, &i, row);
    if (!row->result)
        return;
    spirv_id *id = spirv_id_of(r, w[row->result]);
    if (id->at)
        spirv_invalid(r, "id %u is defined twice", id->number);
    id->at = at;
    id->op = i.op;
}

/* Checks length and ids of all instructions and finds the first function. */
static void
check_words(spirv_reader *r)
{
    r->functions_at = (uint32_t)r->n_words;
    for (uint32_t at = 5; at < r->n_words; at += r->words[at] >> 16) {
        check_instruction(r, at);
        if ((r->words[at] & 0xffff) == SPIRV_OpFunction && r->functions_at == r->n_words)
            r->functions_at = at;
    }
    r->ids_closed = true; /* records no longer move from now on */
}

/* ---- the header ---- */

static uint32_t
swap32(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

static void
read_header(spirv_reader *r, const uint32_t *words, size_t n_words)
{
    set_place(r, 0, NULL);
    if (n_words < 5)
        spirv_invalid(r, "the module is shorter than its header of 5 words");
    if (n_words > UINT32_MAX / 2)
        spirv_limit(r, "the module has more than 2^31 words");
    if (words[0] == swap32(SPIRV_MAGIC)) {
        uint32_t *swapped = arena_alloc(r->a, n_words * sizeof *swapped);
        for (size_t i = 0; i < n_words; i++)
            swapped[i] = swap32(words[i]);
        words = swapped;
    }
    if (words[0] != SPIRV_MAGIC)
        spirv_invalid(r, "the magic number is 0x%08x, not 0x07230203", words[0]);
    r->words = words;
    r->n_words = n_words;
    r->version = words[1];
    if (r->version < 0x00010000 || r->version > 0x000106ff)
        spirv_unsupported(r, "SPIR-V version %u.%u", r->version >> 16 & 0xff,
                          r->version >> 8 & 0xff);
    r->bound = words[3];
    if (r->bound > SPIRV_MAX_BOUND)
        spirv_limit(r, "the id bound %u is over %u", r->bound, SPIRV_MAX_BOUND);
    r->slots = ARENA_ARRAY(r->a, r->bound + 1u, uint32_t);
    r->budget = 2000000 + 256 * (uint64_t)n_words;
    r->n_ids = 1;
    /* Defining an id takes at least two words, so with this capacity records seldom move. */
    size_t room = n_words / 2 < r->bound ? n_words / 2 : r->bound;
    r->ids = arena_grow(r->a, r->ids, &r->cap_ids, room + 1, sizeof *r->ids);
    r->ids[0] = (spirv_id){0};
}

/* ---- the global section ---- */

static void
read_capability(spirv_reader *r, unsigned number)
{
    enum { YES, STAGE, NO };
    static const struct {
        uint16_t number, support;
        const char *name;
    } caps[] = {
#define CAP(number, name, support) {number, support, #name},
#include "spirv/capabilities.def"
#undef CAP
    };
    if (number == 4428) /* WorkgroupMemoryExplicitLayoutKHR */
        r->explicit_workgroup = true;
    for (size_t c = 0; c < sizeof caps / sizeof *caps; c++) {
        if (caps[c].number != number)
            continue;
        if (caps[c].support == NO && !r->reflecting)
            spirv_unsupported(r, "capability %s", caps[c].name);
        return;
    }
    if (!r->reflecting)
        spirv_unsupported(r, "capability %u", number);
}

static void
read_set(spirv_reader *r, const spirv_insn *i)
{
    const char *name = spirv_string(r, i, 2);
    spirv_id *id = spirv_ref(r, i, 1);
    id->kind = SPIRV_ID_SET;
    id->name = name;
    if (!strcmp(name, "GLSL.std.450"))
        id->set = SPIRV_SET_GLSL450;
    else if (!strcmp(name, "NonSemantic.Shader.DebugInfo.100"))
        id->set = SPIRV_SET_DEBUG_INFO;
    else if (!strncmp(name, "NonSemantic.", 12) || strstr(name, "DebugInfo"))
        id->set = SPIRV_SET_NON_SEMANTIC;
    else
        id->set = SPIRV_SET_OTHER;
}

static void
read_memory_model(spirv_reader *r, const spirv_insn *i)
{
    r->addressing = i->w[1];
    r->memory_model = i->w[2];
    r->vulkan_memory = r->memory_model == SPIRV_MEMORY_VULKAN;
    if (r->reflecting)
        return;
    if (r->addressing != SPIRV_ADDRESSING_LOGICAL && r->addressing != SPIRV_ADDRESSING_PHYSICAL64)
        spirv_unsupported(r, "addressing model %u", r->addressing);
    if (r->memory_model > SPIRV_MEMORY_VULKAN || r->memory_model == 2)
        spirv_unsupported(r, "memory model %u", r->memory_model);
}

/* Handles an instruction of the global section. Returns false if `i` does not belong there. */
static bool
read_global(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpCapability: read_capability(r, i->w[1]); return true;
    case SPIRV_OpExtInstImport: read_set(r, i); return true;
    case SPIRV_OpMemoryModel: read_memory_model(r, i); return true;
    case SPIRV_OpEntryPoint: spirv_read_entry(r, i); return true;
    case SPIRV_OpExecutionMode:
    case SPIRV_OpExecutionModeId: spirv_read_mode(r, i); return true;
    case SPIRV_OpName: spirv_ref(r, i, 1)->name = spirv_string(r, i, 2); return true;
    case SPIRV_OpString:
        spirv_ref(r, i, 1)->kind = SPIRV_ID_STRING;
        spirv_ref(r, i, 1)->name = spirv_string(r, i, 2);
        return true;
    case SPIRV_OpVariable: spirv_read_variable(r, i); return true;
    case SPIRV_OpUndef:
    case SPIRV_OpConstantTrue:
    case SPIRV_OpConstantFalse:
    case SPIRV_OpConstant:
    case SPIRV_OpConstantComposite:
    case SPIRV_OpConstantNull:
    case SPIRV_OpSpecConstantTrue:
    case SPIRV_OpSpecConstantFalse:
    case SPIRV_OpSpecConstant:
    case SPIRV_OpSpecConstantComposite:
    case SPIRV_OpSpecConstantOp: spirv_read_constant(r, i); return true;
    case SPIRV_OpNop:
    case SPIRV_OpExtension:
    case SPIRV_OpSource:
    case SPIRV_OpSourceExtension:
    case SPIRV_OpSourceContinued:
    case SPIRV_OpMemberName:
    case SPIRV_OpModuleProcessed:
    case SPIRV_OpExtInst: return true;
    case SPIRV_OpLine:
    case SPIRV_OpNoLine: return true;
    case SPIRV_OpDecorate:
    case SPIRV_OpDecorateId:
    case SPIRV_OpDecorateString:
    case SPIRV_OpMemberDecorate:
    case SPIRV_OpMemberDecorateString:
    case SPIRV_OpDecorationGroup:
    case SPIRV_OpGroupDecorate:
    case SPIRV_OpGroupMemberDecorate: spirv_read_decoration(r, i); return true;
    default: break;
    }
    if (spirv_op_row_of(i->op)->is_type) {
        spirv_read_type(r, i);
        return true;
    }
    return false;
}

/* Makes the function, with an entry block for constants. */
static void
open_function(spirv_reader *r)
{
    ir_fn *f = ir_fn_new(r->ctx, &ir_hir_level, r->opt->entry ? r->opt->entry : "main");
    r->f = f;
    r->replaced.f = f;
    f->shader.stage = r->opt->stage;
    r->defs = map_make(r->a);
    r->constant_at = map_make(r->a);
    r->constant_data = buf_make(r->a);
    ir_builder_init(&r->b, f);
    spirv_open_block(r, ir_block_new(f), NULL);
}

static _Noreturn void
fail_unknown(spirv_reader *r)
{
    set_place(r, r->unknown_at, NULL);
    spirv_unsupported(r, "opcode %u", r->words[r->unknown_at] & 0xffff);
}

void
spirv_parse(spirv_reader *r, ir_ctx *ctx, const spirv_options *options, const uint32_t *words,
            size_t n_words)
{
    r->ctx = ctx;
    r->d = ctx->diag;
    r->a = ctx->scratch;
    r->opt = options;
    r->memory_model = UINT32_MAX;
    r->spec_used = ARENA_ARRAY(ctx->arena, options->n_specs, bool);
    read_header(r, words, n_words);
    open_function(r);
    check_words(r);
    uint32_t at = 5;
    while (at < r->functions_at) {
        bool capability = (r->words[at] & 0xffff) == SPIRV_OpCapability;
        /* an unsupported capability would have given a better message */
        if (r->unknown_at && !capability && !r->reflecting)
            fail_unknown(r);
        spirv_insn i = spirv_insn_at(r, at);
        if (!read_global(r, &i) && spirv_op_find(i.op))
            spirv_invalid(r, "the instruction is outside a function");
        at += i.n;
    }
    if (r->unknown_at && !r->reflecting)
        fail_unknown(r);
    if (r->memory_model == UINT32_MAX)
        spirv_invalid(r, "the module has no OpMemoryModel");
    while (at < r->n_words)
        at = spirv_read_function(r, at);
}
