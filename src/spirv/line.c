/* Source lines of a module's instructions, and the text of its source files, for messages and
 * listings.
 *
 * Only an error and a listing need them, so nothing is kept while a module is read: each question
 * walks the words again. The module may be the one in which the reader found an error, so nothing
 * is relied on but the number of words. Lines come from OpLine and, by the instructions of
 * NonSemantic.Shader.DebugInfo.100, from DebugLine and DebugGlobalVariable; text from OpSource and
 * DebugSource, and what continues them.
 */
#include "base/buf.h"
#include "spirv/model.h"
#include "spirv/spirv.h"

#include <string.h>

enum { HEADER_WORDS = 5 };

typedef struct module {
    const uint32_t *words;
    size_t n_words;
    uint32_t debug_set; /* the id of NonSemantic.Shader.DebugInfo.100, or 0 */
} module;

typedef struct insn {
    const uint32_t *w;
    size_t at;
    unsigned op, n;
} insn;

/* The instruction at word `at`. Returns false behind the last one, and if the words end in it. */
static bool
next_insn(const module *m, size_t at, insn *i)
{
    if (at >= m->n_words)
        return false;
    const uint32_t *w = m->words + at;
    *i = (insn){w, at, w[0] & 0xffff, w[0] >> 16};
    return i->n && i->n <= m->n_words - at;
}

/* The literal string at word `k` of an instruction, or NULL. Hosts with the other byte order have
 * none. */
static const char *
string_at(const insn *i, unsigned k)
{
    static const uint32_t one = 1;
    if (k >= i->n || !*(const unsigned char *)&one)
        return NULL;
    return memchr(i->w + k, 0, 4 * (size_t)(i->n - k)) ? (const char *)(i->w + k) : NULL;
}

static module
open_module(const uint32_t *words, size_t n_words)
{
    module m = {words, n_words, 0};
    insn i;
    for (size_t at = HEADER_WORDS; next_insn(&m, at, &i) && i.op != SPIRV_OpFunction; at += i.n) {
        const char *name = i.op == SPIRV_OpExtInstImport ? string_at(&i, 2) : NULL;
        if (name && !strcmp(name, "NonSemantic.Shader.DebugInfo.100"))
            m.debug_set = i.w[1];
    }
    return m;
}

/* Is it instruction `number` of the debug info with at least `operands` operands? */
static bool
is_debug(const module *m, const insn *i, unsigned number, unsigned operands)
{
    return i->op == SPIRV_OpExtInst && i->n >= 5 + operands && m->debug_set &&
           i->w[3] == m->debug_set && i->w[4] == number;
}

/* Finds what defines an id in the global section, if it is of opcode `op`. */
static bool
find_global(const module *m, unsigned op, uint32_t id, insn *i)
{
    unsigned k = op == SPIRV_OpString ? 1 : 2;
    for (size_t at = HEADER_WORDS; next_insn(m, at, i) && i->op != SPIRV_OpFunction; at += i->n)
        if (i->op == op && i->n > k && i->w[k] == id)
            return true;
    return false;
}

static const char *
string_named(const module *m, uint32_t id)
{
    insn i;
    return find_global(m, SPIRV_OpString, id, &i) ? string_at(&i, 2) : NULL;
}

static uint32_t
constant_named(const module *m, uint32_t id)
{
    insn i;
    return find_global(m, SPIRV_OpConstant, id, &i) && i.n > 3 ? i.w[3] : 0;
}

static const char *
debug_source_file(const module *m, uint32_t id)
{
    insn i;
    if (!find_global(m, SPIRV_OpExtInst, id, &i) || !is_debug(m, &i, SPIRV_DEBUG_SOURCE, 1))
        return NULL;
    return string_named(m, i.w[5]);
}

/* ---- lines ---- */

/* What stands at an instruction: it is an OpLine or DebugLine, or NULL. */
typedef struct line_state {
    insn last;    /* the line in force */
    bool has;     /* there is one */
    insn before;  /* the last one of the function */
    bool has_any; /* there is one */
} line_state;

static bool
ends_block(unsigned op)
{
    return op == SPIRV_OpFunctionEnd || op == SPIRV_OpLabel;
}

static void
step_line(const module *m, const insn *i, line_state *s)
{
    bool is_line = (i->op == SPIRV_OpLine && i->n >= 4) || is_debug(m, i, SPIRV_DEBUG_LINE, 4);
    if (is_line)
        *s = (line_state){*i, true, *i, true};
    else if (i->op == SPIRV_OpNoLine || is_debug(m, i, SPIRV_DEBUG_NO_LINE, 0) || ends_block(i->op))
        s->has = false;
    if (i->op == SPIRV_OpFunction)
        s->has_any = false;
}

static bool
read_line(const module *m, const insn *i, spirv_line *out)
{
    if (i->op == SPIRV_OpLine)
        *out = (spirv_line){string_named(m, i->w[1]), i->w[2], i->w[3]};
    else
        *out = (spirv_line){debug_source_file(m, i->w[5]), constant_named(m, i->w[6]),
                            constant_named(m, i->w[8])};
    return out->file && out->line;
}

/* The line that DebugGlobalVariable states for a variable. */
static bool
variable_line(const module *m, uint32_t id, spirv_line *out)
{
    insn i;
    for (size_t at = HEADER_WORDS; next_insn(m, at, &i) && i.op != SPIRV_OpFunction; at += i.n) {
        if (!is_debug(m, &i, SPIRV_DEBUG_GLOBAL_VARIABLE, 8) || i.w[12] != id)
            continue;
        *out = (spirv_line){debug_source_file(m, i.w[7]), constant_named(m, i.w[8]),
                            constant_named(m, i.w[9])};
        return out->file && out->line;
    }
    return false;
}

bool
spirv_find_line(const uint32_t *words, size_t n_words, size_t place, spirv_line *out)
{
    const module m = open_module(words, n_words);
    line_state s = {.has = false};
    insn i = {0};
    size_t at = HEADER_WORDS;
    for (; at <= place && next_insn(&m, at, &i); at += i.n)
        step_line(&m, &i, &s);
    if (at <= place || place < HEADER_WORDS)
        return false;
    if (i.op == SPIRV_OpVariable && i.n > 3 && variable_line(&m, i.w[2], out))
        return true;
    return s.has || s.has_any ? read_line(&m, s.has ? &s.last : &s.before, out) : false;
}

/* ---- text ---- */

/* Appends the string at word `k`, and those of the instructions that continue it. */
static void
put_text(const module *m, insn i, unsigned k, base_buf *out)
{
    const char *text = string_at(&i, k);
    if (text)
        buf_puts(out, text);
    while (next_insn(m, i.at + i.n, &i)) {
        if (i.op == SPIRV_OpSourceContinued)
            text = string_at(&i, 1);
        else if (is_debug(m, &i, SPIRV_DEBUG_SOURCE_CONTINUED, 1))
            text = string_named(m, i.w[5]);
        else
            return;
        if (text)
            buf_puts(out, text);
    }
}

bool
spirv_find_source(const uint32_t *words, size_t n_words, const char *file, base_buf *out)
{
    const module m = open_module(words, n_words);
    insn i;
    for (size_t at = HEADER_WORDS; next_insn(&m, at, &i) && i.op != SPIRV_OpFunction; at += i.n) {
        bool source = i.op == SPIRV_OpSource && i.n > 4,
             debug = is_debug(&m, &i, SPIRV_DEBUG_SOURCE, 2);
        const char *name = source || debug ? string_named(&m, i.w[debug ? 5 : 3]) : NULL;
        if (!name || strcmp(name, file))
            continue;
        const char *text = debug ? string_named(&m, i.w[6]) : NULL;
        if (text)
            buf_puts(out, text);
        put_text(&m, i, source ? 4 : i.n, out);
        return true;
    }
    return false;
}
