/* What the debug info of a SPIR-V module says: its source, and the lines that access memory.
 *
 * RADV keeps no lines in its code, so a finding cannot name one for sure; it lists the lines that
 * do what the instruction does. Numbers: the SPIR-V specification, 1.6;
 * NonSemantic.Shader.DebugInfo.100.
 */
#include "radeon.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MAX_BOUND = 1 << 22 };

enum {
    OP_SOURCE = 3,
    OP_STRING = 7,
    OP_LINE = 8,
    OP_EXT_INST_IMPORT = 11,
    OP_EXT_INST = 12,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_FUNCTION_PARAMETER = 55,
    OP_FUNCTION_END = 56,
    OP_VARIABLE = 59,
    OP_IMAGE_TEXEL_POINTER = 60,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
    OP_COPY_OBJECT = 83,
    OP_IMAGE_SAMPLE = 87, /* the first of them */
    OP_IMAGE_READ = 98,
    OP_IMAGE_WRITE = 99,
    OP_SELECT = 169,
    OP_CONTROL_BARRIER = 224,
    OP_ATOMIC_LOAD = 227,
    OP_ATOMIC_STORE = 228,
    OP_ATOMIC_XOR = 242,
    OP_PHI = 245,
    OP_NO_LINE = 317,
    OP_ATOMIC_F_MIN = 5614,
    OP_ATOMIC_F_MAX = 5615,
    OP_ATOMIC_F_ADD = 6035,
};

enum { DEBUG_SOURCE = 35, DEBUG_LINE = 103, DEBUG_NO_LINE = 104 };

enum {
    CLASS_UNIFORM = 2,
    CLASS_WORKGROUP = 4,
    CLASS_IMAGE = 11,
    CLASS_STORAGE_BUFFER = 12,
    CLASS_PHYSICAL = 5349,
};

/* What is known of an id. */
typedef struct id_facts {
    uint32_t class;   /* storage class plus one, of pointers and their types; 0: neither */
    uint32_t value;   /* of a constant */
    const char *text; /* of a string */
} id_facts;

typedef struct reading {
    const uint32_t *words;
    size_t n;
    id_facts *ids;
    uint32_t bound;
    uint32_t debug_set; /* id of NonSemantic.Shader.DebugInfo.100; 0: not imported */
    uint32_t line;      /* of the instruction; 0: not known */
    gpu_shader *out;
} reading;

/* The facts of an id; of id 0 for one that does not exist. */
static id_facts *
facts(reading *r, uint32_t id)
{
    return &r->ids[id < r->bound ? id : 0];
}

/* A literal string in `n` words; NULL if it has no end there. */
static const char *
string_at(const uint32_t *w, size_t n)
{
    const char *text = (const char *)w;
    return memchr(text, 0, n * 4) ? text : NULL;
}

static void
set_source(reading *r, uint32_t id)
{
    const char *text = facts(r, id)->text;
    if (text && !*r->out->source)
        snprintf(r->out->source, sizeof r->out->source, "%s", text);
}

static void
add_line(reading *r, gpu_line_kind kind)
{
    uint32_t *lines = r->out->lines[kind], k = 0;
    while (k < GPU_LINES_OF_KIND && lines[k] && lines[k] != r->line)
        k++;
    if (k < GPU_LINES_OF_KIND)
        lines[k] = r->line;
}

enum access { LOAD, STORE, ATOMIC };

static void
note_access(reading *r, uint32_t pointer, enum access what)
{
    switch ((int)facts(r, pointer)->class - 1) {
    case CLASS_WORKGROUP: add_line(r, (gpu_line_kind)(GPU_LINE_SHARED_LOAD + what)); break;
    case CLASS_IMAGE: add_line(r, (gpu_line_kind)(GPU_LINE_IMAGE_LOAD + what)); break;
    case CLASS_UNIFORM:
    case CLASS_STORAGE_BUFFER:
    case CLASS_PHYSICAL: add_line(r, (gpu_line_kind)(GPU_LINE_BUFFER_LOAD + what)); break;
    default: break;
    }
}

static void
read_debug(reading *r, const uint32_t *w, uint32_t n)
{
    if (n > 5 && w[4] == DEBUG_SOURCE)
        set_source(r, w[5]);
    if (n > 6 && w[4] == DEBUG_LINE)
        r->line = facts(r, w[6])->value;
    if (w[4] == DEBUG_NO_LINE)
        r->line = 0;
}

/* Instructions without effect in the program: names, types, lines. */
static void
read_declaration(reading *r, const uint32_t *w, uint32_t op, uint32_t n)
{
    switch (op) {
    case OP_STRING: facts(r, w[1])->text = string_at(w + 2, n - 2); break;
    case OP_SOURCE:
        if (n > 3)
            set_source(r, w[3]);
        break;
    case OP_LINE: r->line = w[2]; break;
    case OP_NO_LINE:
    case OP_FUNCTION_END: r->line = 0; break;
    case OP_EXT_INST_IMPORT: {
        const char *name = string_at(w + 2, n - 2);
        if (name && strcmp(name, "NonSemantic.Shader.DebugInfo.100") == 0)
            r->debug_set = w[1];
        break;
    }
    case OP_EXT_INST:
        if (r->debug_set && w[3] == r->debug_set)
            read_debug(r, w, n);
        break;
    case OP_TYPE_POINTER: facts(r, w[1])->class = w[2] + 1; break;
    case OP_CONSTANT: facts(r, w[2])->value = w[3]; break;
    default: break;
    }
}

/* Has it a type and a result that may be a pointer? */
static bool
may_be_pointer(uint32_t op)
{
    return op == OP_FUNCTION_PARAMETER || op == OP_VARIABLE || op == OP_IMAGE_TEXEL_POINTER ||
           op == OP_LOAD || (op >= OP_ACCESS_CHAIN && op <= OP_IN_BOUNDS_PTR_ACCESS_CHAIN) ||
           op == OP_COPY_OBJECT || op == OP_SELECT || op == OP_PHI;
}

static void
read_instruction(reading *r, const uint32_t *w, uint32_t op, uint32_t n)
{
    bool is_atomic = (op >= OP_ATOMIC_LOAD && op <= OP_ATOMIC_XOR) || op == OP_ATOMIC_F_MIN ||
                     op == OP_ATOMIC_F_MAX || op == OP_ATOMIC_F_ADD;
    if (may_be_pointer(op) && n > 2)
        facts(r, w[2])->class = facts(r, w[1])->class;
    if (!r->line)
        return;
    if (op == OP_LOAD)
        note_access(r, w[3], LOAD);
    else if (op == OP_STORE)
        note_access(r, w[1], STORE);
    else if (is_atomic)
        note_access(r, op == OP_ATOMIC_STORE ? w[1] : w[3], ATOMIC);
    else if (op >= OP_IMAGE_SAMPLE && op <= OP_IMAGE_READ)
        add_line(r, GPU_LINE_IMAGE_LOAD);
    else if (op == OP_IMAGE_WRITE)
        add_line(r, GPU_LINE_IMAGE_STORE);
    else if (op == OP_CONTROL_BARRIER)
        add_line(r, GPU_LINE_BARRIER);
}

/* The words that an instruction has at least, so that what is read above is inside it. */
static uint32_t
least_words(uint32_t op)
{
    switch (op) {
    case OP_EXT_INST: return 5;
    case OP_LOAD:
    case OP_CONSTANT: return 4;
    case OP_STORE:
    case OP_STRING:
    case OP_EXT_INST_IMPORT:
    case OP_LINE:
    case OP_ATOMIC_STORE:
    case OP_TYPE_POINTER: return 3;
    default: return op >= OP_ATOMIC_LOAD && op <= OP_ATOMIC_XOR ? 4 : op >= OP_ATOMIC_F_MIN ? 4 : 1;
    }
}

void
radeon_read_module(const uint32_t *words, size_t n, gpu_shader *out)
{
    reading r = {.words = words, .n = n, .out = out};
    if (n < HEADER || words[0] != 0x07230203 || words[3] > MAX_BOUND)
        return;
    r.bound = words[3] ? words[3] : 1;
    r.ids = calloc(r.bound, sizeof *r.ids);
    if (!r.ids)
        return;
    for (size_t at = HEADER; at < n;) {
        uint32_t op = words[at] & 0xffff, size = words[at] >> 16;
        if (!size || size > n - at)
            break;
        if (size >= least_words(op)) {
            read_declaration(&r, words + at, op, size);
            read_instruction(&r, words + at, op, size);
        }
        at += size;
    }
    free(r.ids);
}
