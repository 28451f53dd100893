/* What the debug info of a SPIR-V module says: its source, and the lines that access memory.
 *
 * RADV keeps no lines in its code, so a finding cannot name one for sure; it lists the lines that
 * do what the instruction does.
 */
#include "radeon.h"

#include "spirv/model.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MAX_BOUND = 1 << 22 };

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
    case SPIRV_SC_WORKGROUP: add_line(r, (gpu_line_kind)(GPU_LINE_SHARED_LOAD + what)); break;
    case SPIRV_SC_IMAGE: add_line(r, (gpu_line_kind)(GPU_LINE_IMAGE_LOAD + what)); break;
    case SPIRV_SC_UNIFORM:
    case SPIRV_SC_STORAGE_BUFFER:
    case SPIRV_SC_PHYSICAL: add_line(r, (gpu_line_kind)(GPU_LINE_BUFFER_LOAD + what)); break;
    default: break;
    }
}

static void
read_debug(reading *r, const uint32_t *w, uint32_t n)
{
    if (n > 5 && w[4] == SPIRV_DEBUG_SOURCE)
        set_source(r, w[5]);
    if (n > 6 && w[4] == SPIRV_DEBUG_LINE)
        r->line = facts(r, w[6])->value;
    if (w[4] == SPIRV_DEBUG_NO_LINE)
        r->line = 0;
}

/* Instructions without effect in the program: names, types, lines. */
static void
read_declaration(reading *r, const uint32_t *w, uint32_t op, uint32_t n)
{
    switch (op) {
    case SPIRV_OpString: facts(r, w[1])->text = string_at(w + 2, n - 2); break;
    case SPIRV_OpSource:
        if (n > 3)
            set_source(r, w[3]);
        break;
    case SPIRV_OpLine: r->line = w[2]; break;
    case SPIRV_OpNoLine:
    case SPIRV_OpFunctionEnd: r->line = 0; break;
    case SPIRV_OpExtInstImport: {
        const char *name = string_at(w + 2, n - 2);
        if (name && strcmp(name, "NonSemantic.Shader.DebugInfo.100") == 0)
            r->debug_set = w[1];
        break;
    }
    case SPIRV_OpExtInst:
        if (r->debug_set && w[3] == r->debug_set)
            read_debug(r, w, n);
        break;
    case SPIRV_OpTypePointer: facts(r, w[1])->class = w[2] + 1; break;
    case SPIRV_OpConstant: facts(r, w[2])->value = w[3]; break;
    default: break;
    }
}

/* Has it a type and a result that may be a pointer? */
static bool
may_be_pointer(uint32_t op)
{
    return op == SPIRV_OpFunctionParameter || op == SPIRV_OpVariable ||
           op == SPIRV_OpImageTexelPointer || op == SPIRV_OpLoad ||
           (op >= SPIRV_OpAccessChain && op <= SPIRV_OpInBoundsPtrAccessChain) ||
           op == SPIRV_OpCopyObject || op == SPIRV_OpSelect || op == SPIRV_OpPhi;
}

static void
read_instruction(reading *r, const uint32_t *w, uint32_t op, uint32_t n)
{
    bool is_atomic = (op >= SPIRV_OpAtomicLoad && op <= SPIRV_OpAtomicXor) ||
                     op == SPIRV_OpAtomicFMinEXT || op == SPIRV_OpAtomicFMaxEXT ||
                     op == SPIRV_OpAtomicFAddEXT;
    if (may_be_pointer(op) && n > 2)
        facts(r, w[2])->class = facts(r, w[1])->class;
    if (!r->line)
        return;
    if (op == SPIRV_OpLoad)
        note_access(r, w[3], LOAD);
    else if (op == SPIRV_OpStore)
        note_access(r, w[1], STORE);
    else if (is_atomic)
        note_access(r, op == SPIRV_OpAtomicStore ? w[1] : w[3], ATOMIC);
    else if (op >= SPIRV_OpImageSampleImplicitLod && op <= SPIRV_OpImageRead)
        add_line(r, GPU_LINE_IMAGE_LOAD);
    else if (op == SPIRV_OpImageWrite)
        add_line(r, GPU_LINE_IMAGE_STORE);
    else if (op == SPIRV_OpControlBarrier)
        add_line(r, GPU_LINE_BARRIER);
}

/* The words that an instruction has at least, so that what is read above is inside it. */
static uint32_t
least_words(uint32_t op)
{
    switch (op) {
    case SPIRV_OpExtInst: return 5;
    case SPIRV_OpLoad:
    case SPIRV_OpConstant: return 4;
    case SPIRV_OpStore:
    case SPIRV_OpString:
    case SPIRV_OpExtInstImport:
    case SPIRV_OpLine:
    case SPIRV_OpAtomicStore:
    case SPIRV_OpTypePointer: return 3;
    default:
        return op >= SPIRV_OpAtomicLoad && op <= SPIRV_OpAtomicXor ? 4
               : op >= SPIRV_OpAtomicFMinEXT                       ? 4
                                                                   : 1;
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
