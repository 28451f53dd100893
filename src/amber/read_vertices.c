/* AmberScript: what graphics pipelines draw. VERTEX_DATA, INDEX_DATA; RUN with a draw; CLEAR. */
#include "amber/read_pipeline.h"

#include <string.h>

/* ---- vertex data ---- */

static void
put_input(read_body *b, const amber_vertex_input *input)
{
    amber_graphics *g = b->p->graphics;
    for (uint32_t i = 0; i < g->input_count; i++) {
        if (g->inputs[i].location == input->location) {
            g->inputs[i] = *input;
            return;
        }
    }
    g->inputs = arena_grow(b->r->arena, g->inputs, &b->input_cap, (size_t)g->input_count + 1,
                           sizeof *g->inputs);
    g->inputs[g->input_count++] = *input;
}

/* VERTEX_DATA buffer LOCATION n [RATE vertex|instance] [FORMAT format] [OFFSET n] [STRIDE n] */
void
amber_read_vertex_data(read_body *b)
{
    static const char *const rates[] = {"vertex", "instance", NULL};
    reader *r = b->r;
    amber_vertex_input in = {.buffer = amber_read_buffer_ref(r)};
    const amber_type *type = in.buffer->type;
    amber_read_word(r, "LOCATION");
    in.location = (uint32_t)amber_read_uint(r, "a location", 31);
    if (amber_read_accept(r, "RATE"))
        in.per_instance = amber_read_choice(r, rates, "vertex or instance") == 1;
    if (amber_read_accept(r, "FORMAT"))
        type = amber_read_format_type(r, amber_read_name(r, "a format"));
    if (amber_read_accept(r, "OFFSET"))
        in.offset = amber_read_uint(r, "an offset", UINT32_MAX);
    in.stride = type->size;
    if (amber_read_accept(r, "STRIDE"))
        in.stride = (uint32_t)amber_read_uint(r, "a stride", 1 << 16);
    amber_read_line_end(r, "VERTEX_DATA");
    if (!type->has_texel)
        diag_fail(r->diag, ERR_AMBER_EXPECTED, "a buffer of numbers or vectors, or FORMAT",
                  arena_printf(r->arena, "'%s'", in.buffer->name));
    in.format = type->texel;
    put_input(b, &in);
}

void
amber_read_index_data(read_body *b)
{
    reader *r = b->r;
    const amber_buffer *buffer = amber_read_buffer_ref(r);
    const amber_slot *s = buffer->type->slots;
    amber_read_line_end(r, "INDEX_DATA");
    if (buffer->type->slot_count != 1 || s->mode != AMBER_UINT || s->bits > 32)
        diag_fail(r->diag, ERR_AMBER_EXPECTED, "a buffer of uint8, uint16 or uint32",
                  arena_printf(r->arena, "'%s'", buffer->name));
    b->p->graphics->index = buffer;
}

amber_buffer *
amber_read_hidden_buffer(reader *r, const char *format, uint64_t elements, uint8_t **bytes)
{
    const char *name = arena_printf(r->arena, "vertices of line %u (%u)", r->token.line,
                                    r->script->buffer_count);
    amber_buffer *b = amber_read_new_buffer(r, name);
    b->type = amber_read_format_type(r, format);
    b->elements = elements;
    b->width = (uint32_t)elements;
    b->init_size = b->size = elements * b->type->size;
    *bytes = amber_read_buffer_bytes(r, b->size);
    b->init = *bytes;
    return b;
}

/* ---- rectangles ---- */

static uint8_t *
put_corner(uint8_t *at, float x, float y)
{
    amber_store(at, AMBER_SFLOAT, 32, (amber_value){.is_float = true, .f = (double)x});
    amber_store(at + 4, AMBER_SFLOAT, 32, (amber_value){.is_float = true, .f = (double)y});
    return at + 8;
}

static uint8_t *
put_strip(uint8_t *at, const read_grid *g)
{
    for (unsigned i = 0; i < 4; i++)
        at = put_corner(at, i & 2 ? g->x + g->width : g->x, i & 1 ? g->y : g->y + g->height);
    return at;
}

/* The corners of a cell's two triangles: 1 is right, 2 is below. */
static uint8_t *
put_cell(uint8_t *at, const read_grid *g, uint32_t column, uint32_t row)
{
    static const uint8_t corners[] = {3, 2, 0, 3, 0, 1};
    float width = g->width / (float)g->columns, height = g->height / (float)g->rows;
    for (unsigned i = 0; i < sizeof corners; i++)
        at = put_corner(at, g->x + width * (float)(column + (corners[i] & 1)),
                        g->y + height * (float)(row + (corners[i] >> 1)));
    return at;
}

void
amber_read_add_draw(reader *r, const amber_pipeline *p, const amber_vertices *v)
{
    amber_command *c = amber_read_new_command(r, AMBER_OP_DRAW);
    c->pipeline = p;
    c->vertices = v;
}

/* Vertices are two floats at location 0 (google/amber, DoDrawRect and DoDrawGrid). */
amber_vertices *
amber_read_draw_grid(reader *r, const amber_pipeline *p, const read_grid *grid)
{
    uint8_t *at;
    uint64_t count = grid->columns ? (uint64_t)grid->columns * grid->rows * 6 : 4;
    amber_vertex_input *in = ARENA_NEW(r->arena, amber_vertex_input);
    amber_vertices *v = ARENA_NEW(r->arena, amber_vertices);
    in->buffer = amber_read_hidden_buffer(r, "R32G32_SFLOAT", count, &at);
    in->format = in->buffer->type->texel;
    in->stride = in->buffer->type->size;
    *v = (amber_vertices){
        .topology = grid->columns ? MACH_TRIANGLE_LIST : MACH_TRIANGLE_STRIP,
        .inputs = in,
        .input_count = 1,
        .count = (uint32_t)count,
        .instances = 1,
    };
    if (!grid->columns)
        put_strip(at, grid);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++)
            at = put_cell(at, grid, column, row);
    amber_read_add_draw(r, p, v);
    return v;
}

/* POS x y SIZE width height, in pixels. The vertices are those of location 0, whatever the pipeline
 * has there, but there must be no others. */
static read_grid
read_place(reader *r, const amber_pipeline *p)
{
    read_grid g = {0};
    if (p->graphics->input_count > 1)
        diag_fail(r->diag, ERR_AMBER_EXPECTED, "at most one VERTEX_DATA of what draws rectangles",
                  arena_printf(r->arena, "those of '%s'", p->name));
    float width = (float)p->graphics->width, height = (float)p->graphics->height;
    amber_read_word(r, "POS");
    g.x = (float)amber_read_real(r, "a place") / width * 2.0f - 1.0f;
    g.y = (float)amber_read_real(r, "a place") / height * 2.0f - 1.0f;
    amber_read_word(r, "SIZE");
    g.width = (float)amber_read_real(r, "a width") / width * 2.0f;
    g.height = (float)amber_read_real(r, "a height") / height * 2.0f;
    return g;
}

static void
read_rectangle(reader *r, const amber_pipeline *p)
{
    read_grid g = read_place(r, p);
    amber_read_line_end(r, "DRAW_RECT");
    amber_read_draw_grid(r, p, &g);
}

static void
read_grid_cells(reader *r, const amber_pipeline *p)
{
    read_grid g = read_place(r, p);
    amber_read_word(r, "CELLS");
    g.columns = (uint32_t)amber_read_uint(r, "a number of columns", 1 << 14);
    g.rows = (uint32_t)amber_read_uint(r, "a number of rows", 1 << 14);
    if (!g.columns || !g.rows)
        amber_read_expected(r, "at least one cell");
    amber_read_line_end(r, "DRAW_GRID");
    amber_read_draw_grid(r, p, &g);
}

/* ---- arrays ---- */

static const struct {
    const char *name;
    mach_topology topology;
} topologies[] = {
    {"POINT_LIST", MACH_POINT_LIST},
    {"LINE_LIST", MACH_LINE_LIST},
    {"LINE_LIST_WITH_ADJACENCY", MACH_LINE_LIST_ADJACENCY},
    {"LINE_STRIP", MACH_LINE_STRIP},
    {"LINE_STRIP_WITH_ADJACENCY", MACH_LINE_STRIP_ADJACENCY},
    {"TRIANGLE_LIST", MACH_TRIANGLE_LIST},
    {"TRIANGLE_LIST_WITH_ADJACENCY", MACH_TRIANGLE_LIST_ADJACENCY},
    {"TRIANGLE_STRIP", MACH_TRIANGLE_STRIP},
    {"TRIANGLE_STRIP_WITH_ADJACENCY", MACH_TRIANGLE_STRIP_ADJACENCY},
    {"TRIANGLE_FAN", MACH_TRIANGLE_FAN},
    {"PATCH_LIST", MACH_PATCH_LIST},
};

bool
amber_read_find_topology(const char *name, mach_topology *out)
{
    for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++) {
        if (strcmp(topologies[i].name, name) == 0) {
            *out = topologies[i].topology;
            return true;
        }
    }
    return false;
}

/* The number of vertices or indices that there are. */
static uint64_t
count_available(reader *r, const amber_pipeline *p, bool indexed)
{
    const amber_graphics *g = p->graphics;
    if (indexed && !g->index)
        diag_fail(r->diag, ERR_AMBER_MISSING, p->name, "INDEX_DATA");
    if (indexed)
        return g->index->elements;
    for (uint32_t i = 0; i < g->input_count; i++)
        if (!g->inputs[i].per_instance)
            return g->inputs[i].buffer->elements;
    return 0;
}

/* DRAW_ARRAY AS topology [INDEXED] [START_IDX n] [COUNT n] [START_INSTANCE n] [INSTANCE_COUNT n].
 * For indexed draws the start is added to the indices (google/amber, GraphicsPipeline::Draw). */
static void
read_array(reader *r, const amber_pipeline *p)
{
    const amber_graphics *g = p->graphics;
    amber_vertices *v = ARENA_NEW(r->arena, amber_vertices);
    amber_read_word(r, "AS");
    if (!amber_read_find_topology(amber_read_name(r, "a topology"), &v->topology))
        amber_read_expected(r, "a topology");
    bool indexed = amber_read_accept(r, "INDEXED");
    uint64_t available = count_available(r, p, indexed);
    v->inputs = g->inputs;
    v->input_count = g->input_count;
    v->index = indexed ? g->index : NULL;
    v->instances = 1;
    if (amber_read_accept(r, "START_IDX"))
        v->first = (uint32_t)amber_read_uint(r, "an index", INT32_MAX);
    uint64_t count = available > v->first ? available - v->first : 0;
    if (amber_read_accept(r, "COUNT"))
        count = amber_read_uint(r, "a number of vertices", UINT32_MAX);
    if (indexed && count > available)
        diag_fail(r->diag, ERR_AMBER_RANGE, "COUNT", g->index->name);
    v->count = (uint32_t)count;
    if (amber_read_accept(r, "START_INSTANCE"))
        v->first_instance = (uint32_t)amber_read_uint(r, "an instance", UINT32_MAX);
    if (amber_read_accept(r, "INSTANCE_COUNT"))
        v->instances = (uint32_t)amber_read_uint(r, "a number of instances", UINT32_MAX);
    amber_read_line_end(r, "DRAW_ARRAY");
    amber_read_add_draw(r, p, v);
}

void
amber_read_draw(reader *r, const amber_pipeline *p)
{
    static const char *const words[] = {"DRAW_RECT", "DRAW_GRID", "DRAW_ARRAY", NULL};
    switch (amber_read_choice(r, words, "DRAW_RECT, DRAW_GRID or DRAW_ARRAY")) {
    case 0: read_rectangle(r, p); break;
    case 1: read_grid_cells(r, p); break;
    default: read_array(r, p); break;
    }
}

/* ---- clears ---- */

/* Consumes the name of a graphics pipeline. */
static const amber_pipeline *
read_graphics_ref(reader *r)
{
    const amber_pipeline *p = amber_read_pipeline_ref(r);
    if (!p->graphics)
        diag_fail(r->diag, ERR_AMBER_UNKNOWN, "graphics pipeline", p->name);
    return p;
}

void
amber_read_clear(reader *r)
{
    static const char *const words[] = {"CLEAR", "CLEAR_COLOR", "CLEAR_DEPTH", "CLEAR_STENCIL"};
    unsigned what = 0;
    while (!amber_read_is(r, words[what]))
        what++;
    amber_command *c = amber_read_new_command(r, (amber_op)(AMBER_OP_CLEAR + what));
    c->pipeline = read_graphics_ref(r);
    if (c->op == AMBER_OP_CLEAR_COLOR)
        for (unsigned i = 0; i < 4; i++)
            c->color[i] = (double)amber_read_uint(r, "a colour from 0 to 255", 255) / 255.0;
    if (c->op == AMBER_OP_CLEAR_DEPTH)
        c->limit = amber_read_real(r, "a depth");
    if (c->op == AMBER_OP_CLEAR_STENCIL)
        c->count = (uint32_t)amber_read_uint(r, "a number from 0 to 255", 255);
    if (what > 1 && !c->pipeline->graphics->depth_stencil)
        diag_fail(r->diag, ERR_AMBER_MISSING, c->pipeline->name, "BIND BUFFER AS depth_stencil");
    amber_read_line_end(r, words[what]);
}
