/* VkScript: commands of [test] that set the state of the graphics pipeline, each a word and a value
 * with the names of Vulkan. */
#include "amber/vkscript.h"

#include <stddef.h>
#include <string.h>

typedef enum state_kind {
    STATE_SWITCH, /* true or false */
    STATE_REAL,
    STATE_NUMBER, /* its lowest byte counts */
    STATE_BYTE,   /* one of `words`, kept in a byte */
    STATE_ENUM,   /* one of `words`, kept in an enumeration */
} state_kind;

typedef struct state_row {
    const char *word;
    state_kind kind;
    size_t offset;            /* in amber_graphics */
    const char *prefix;       /* of the words */
    const char *const *words; /* in lower case, in Vulkan's order */
} state_row;

static const char *const blend_ops[] = {"add", "subtract", "reverse_subtract", "min", "max", NULL};
static const char *const polygon_modes[] = {"fill", "line", "point", NULL};
static const char *const logic_ops[] = {
    "clear", "and", "and_reverse", "copy",   "and_inverted", "no_op",         "xor",
    "or",    "nor", "equivalent",  "invert", "or_reverse",   "copy_inverted", "or_inverted",
    "nand",  "set", NULL};
static const char *const faces[] = {"counter_clockwise", "clockwise", NULL};

#define AT(field)      offsetof(amber_graphics, field)
#define COMPARE(field) STATE_BYTE, AT(field), "VK_COMPARE_OP_", amber_read_compares
#define STENCIL(field) STATE_BYTE, AT(field), "VK_STENCIL_OP_", amber_read_stencil_ops
#define FACTOR(field)  STATE_BYTE, AT(field), "VK_BLEND_FACTOR_", amber_read_blend_factors
#define BLEND(field)   STATE_BYTE, AT(field), "VK_BLEND_OP_", blend_ops

static const state_row rows[] = {
    {"primitiveRestartEnable", STATE_SWITCH, AT(restart), NULL, NULL},
    {"depthClampEnable", STATE_SWITCH, AT(clamps_depth), NULL, NULL},
    {"rasterizerDiscardEnable", STATE_SWITCH, AT(discards_all), NULL, NULL},
    {"depthBiasEnable", STATE_SWITCH, AT(has_bias), NULL, NULL},
    {"logicOpEnable", STATE_SWITCH, AT(has_logic_op), NULL, NULL},
    {"blendEnable", STATE_SWITCH, AT(blends), NULL, NULL},
    {"depthTestEnable", STATE_SWITCH, AT(tests.depth_test), NULL, NULL},
    {"depthWriteEnable", STATE_SWITCH, AT(tests.depth_write), NULL, NULL},
    {"depthBoundsTestEnable", STATE_SWITCH, AT(bounds_depth), NULL, NULL},
    {"stencilTestEnable", STATE_SWITCH, AT(tests.stencil_test), NULL, NULL},
    {"polygonMode", STATE_ENUM, AT(polygon_mode), "VK_POLYGON_MODE_", polygon_modes},
    {"logicOp", STATE_ENUM, AT(logic_op), "VK_LOGIC_OP_", logic_ops},
    {"frontFace", STATE_BYTE, AT(front_is_clockwise), "VK_FRONT_FACE_", faces},
    {"depthBiasConstantFactor", STATE_REAL, AT(bias.constant), NULL, NULL},
    {"depthBiasClamp", STATE_REAL, AT(bias.clamp), NULL, NULL},
    {"depthBiasSlopeFactor", STATE_REAL, AT(bias.slope), NULL, NULL},
    {"lineWidth", STATE_REAL, AT(line_width), NULL, NULL},
    {"minDepthBounds", STATE_REAL, AT(depth_bounds[0]), NULL, NULL},
    {"maxDepthBounds", STATE_REAL, AT(depth_bounds[1]), NULL, NULL},
    {"srcColorBlendFactor", FACTOR(blend.color.src)},
    {"dstColorBlendFactor", FACTOR(blend.color.dst)},
    {"srcAlphaBlendFactor", FACTOR(blend.alpha.src)},
    {"dstAlphaBlendFactor", FACTOR(blend.alpha.dst)},
    {"colorBlendOp", BLEND(blend.color.op)},
    {"alphaBlendOp", BLEND(blend.alpha.op)},
    {"depthCompareOp", COMPARE(tests.depth_compare)},
    {"front.compareOp", COMPARE(tests.stencil[0].compare)},
    {"back.compareOp", COMPARE(tests.stencil[1].compare)},
    {"front.failOp", STENCIL(tests.stencil[0].fail)},
    {"front.passOp", STENCIL(tests.stencil[0].pass)},
    {"front.depthFailOp", STENCIL(tests.stencil[0].depth_fail)},
    {"back.failOp", STENCIL(tests.stencil[1].fail)},
    {"back.passOp", STENCIL(tests.stencil[1].pass)},
    {"back.depthFailOp", STENCIL(tests.stencil[1].depth_fail)},
    {"front.compareMask", STATE_NUMBER, AT(tests.stencil[0].compare_mask), NULL, NULL},
    {"back.compareMask", STATE_NUMBER, AT(tests.stencil[1].compare_mask), NULL, NULL},
    {"front.writeMask", STATE_NUMBER, AT(tests.stencil[0].write_mask), NULL, NULL},
    {"back.writeMask", STATE_NUMBER, AT(tests.stencil[1].write_mask), NULL, NULL},
    {"front.reference", STATE_NUMBER, AT(tests.stencil[0].reference), NULL, NULL},
    {"back.reference", STATE_NUMBER, AT(tests.stencil[1].reference), NULL, NULL},
};

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Does the name stand for the word, which is in lower case? */
static bool
is_word(const char *name, const char *word)
{
    while (*name && lower(*name) == *word) {
        name++;
        word++;
    }
    return !*name && !*word;
}

/* Consumes a name of Vulkan and returns the index of its word. */
static unsigned
read_name(reader *r, const char *prefix, const char *const *words)
{
    size_t skipped = strlen(prefix);
    const char *what = arena_printf(r->arena, "a name %s...", prefix);
    const char *name = amber_read_name(r, what);
    if (strncmp(name, prefix, skipped) != 0)
        amber_read_expected(r, what);
    for (unsigned i = 0; words[i]; i++)
        if (is_word(name + skipped, words[i]))
            return i;
    size_t size = strlen(name);
    if (words == blend_ops && size > 4 && strcmp(name + size - 4, "_EXT") == 0)
        amber_read_unsupported(r, "advanced blend operation");
    amber_read_expected(r, what);
}

static bool
read_truth(reader *r)
{
    const char *name = amber_read_name(r, "true or false");
    if (!is_word(name, "true") && !is_word(name, "false"))
        amber_read_expected(r, "true or false");
    return lower(*name) == 't';
}

static void
read_row(vkscript *v, const state_row *row)
{
    reader *r = v->r;
    uint8_t *at = (uint8_t *)&v->state + row->offset;
    float real;
    unsigned number;
    switch (row->kind) {
    case STATE_SWITCH: *(bool *)at = read_truth(r); break;
    case STATE_REAL:
        real = (float)amber_read_real(r, "a number");
        memcpy(at, &real, sizeof real);
        break;
    case STATE_NUMBER: *at = (uint8_t)amber_read_uint(r, "a number", UINT32_MAX); break;
    case STATE_BYTE: *at = (uint8_t)read_name(r, row->prefix, row->words); break;
    case STATE_ENUM:
        number = read_name(r, row->prefix, row->words);
        memcpy(at, &number, sizeof number);
        break;
    }
}

_Static_assert(sizeof(mach_polygon_mode) == sizeof(unsigned) &&
                   sizeof(mach_logic_op) == sizeof(unsigned) && sizeof(bool) == 1,
               "as read_row writes them");

/* Names with `|` between them, as a set of the words' bits. */
static uint32_t
read_set(reader *r, const char *prefix, const char *const *words)
{
    uint32_t set = 0;
    do
        set |= 1u << read_name(r, prefix, words);
    while (amber_read_accept(r, "|"));
    return set;
}

static void
read_cull_mode(vkscript *v)
{
    static const char *const modes[] = {"none", "front_bit", "back_bit", "front_and_back", NULL};
    uint32_t set = read_set(v->r, "VK_CULL_MODE_", modes);
    v->state.cull_front = (set & (2 | 8)) != 0;
    v->state.cull_back = (set & (4 | 8)) != 0;
}

static void
read_write_mask(vkscript *v)
{
    static const char *const channels[] = {"r_bit", "g_bit", "b_bit", "a_bit", NULL};
    v->state.write_mask = (uint8_t)read_set(v->r, "VK_COLOR_COMPONENT_", channels);
}

/* Draws name their topology themselves. */
static void
read_topology(vkscript *v)
{
    static const char prefix[] = "VK_PRIMITIVE_TOPOLOGY_";
    mach_topology topology;
    const char *name = amber_read_name(v->r, "a topology");
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 ||
        !amber_read_find_topology(name + sizeof prefix - 1, &topology))
        amber_read_expected(v->r, "a topology");
}

static const struct {
    const char *word;
    void (*read)(vkscript *v);
} others[] = {
    {"colorWriteMask", read_write_mask}, {"cullMode", read_cull_mode}, {"topology", read_topology}};

bool
amber_vkscript_state(vkscript *v)
{
    const char *word = NULL;
    for (size_t i = 0; i < sizeof others / sizeof others[0] && !word; i++) {
        if (amber_read_is(v->r, others[i].word)) {
            word = others[i].word;
            amber_vkscript_prepare(v);
            others[i].read(v);
        }
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !word; i++) {
        if (amber_read_is(v->r, rows[i].word)) {
            word = rows[i].word;
            amber_vkscript_prepare(v);
            read_row(v, &rows[i]);
        }
    }
    if (!word)
        return false;
    v->draw = NULL;
    amber_read_line_end(v->r, word);
    return true;
}
