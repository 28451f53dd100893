/* AmberScript: the commands that are executed: RUN, EXPECT, COPY, and REPEAT around them. */
#include "amber/read_pipeline.h"

#include <string.h>

/* RUN [TIMED_EXECUTION] pipeline x y z, or a draw */
static void
read_run(reader *r)
{
    amber_read_accept(r, "TIMED_EXECUTION");
    const amber_pipeline *p = amber_read_pipeline_ref(r);
    if (p->graphics) {
        amber_read_draw(r, p);
        return;
    }
    amber_command *c = amber_read_new_command(r, AMBER_OP_DISPATCH);
    c->pipeline = p;
    for (unsigned i = 0; i < 3; i++)
        c->groups[i] = (uint32_t)amber_read_uint(r, "a number of workgroups", UINT32_MAX);
    amber_read_line_end(r, "RUN");
}

/* EXPECT buffer EQ_BUFFER other, and the two variants with a tolerance. */
static void
read_expect_buffer(reader *r, const amber_buffer *buffer, amber_op op)
{
    amber_command *c = amber_read_new_command(r, op);
    c->buffer = buffer;
    c->other = amber_read_buffer_ref(r);
    if (op != AMBER_OP_EXPECT_EQUAL) {
        amber_read_word(r, "TOLERANCE");
        c->limit = amber_read_real(r, "a tolerance");
    }
    amber_read_line_end(r, "EXPECT");
    if (!amber_type_equal(c->buffer->type, c->other->type) ||
        c->buffer->elements != c->other->elements || c->buffer->width != c->other->width ||
        c->buffer->height != c->other->height)
        diag_fail(r->diag, ERR_AMBER_DIFFERENT, c->buffer->name, c->other->name);
}

/* EXPECT buffer IDX x y SIZE w h EQ_RGB[A] r g b [a] [TOLERANCE ...] */
static void
read_expect_color(reader *r, amber_command *c)
{
    static const char *const words[] = {"EQ_RGB", "EQ_RGBA", NULL};
    c->op = AMBER_OP_EXPECT_COLOR;
    c->rect[2] = (uint32_t)amber_read_uint(r, "a width", UINT32_MAX);
    c->rect[3] = (uint32_t)amber_read_uint(r, "a height", UINT32_MAX);
    if (!c->rect[2] || !c->rect[3])
        amber_read_expected(r, "a width and a height of at least 1");
    c->with_alpha = amber_read_choice(r, words, "EQ_RGB or EQ_RGBA") == 1;
    for (unsigned i = 0; i < (c->with_alpha ? 4u : 3u); i++)
        c->color[i] = (double)amber_read_uint(r, "a colour from 0 to 255", 255) / 255.0;
    if (amber_read_accept(r, "TOLERANCE"))
        amber_read_tolerances(r, c);
    amber_read_line_end(r, "EXPECT");
}

/* EXPECT buffer IDX offset [TOLERANCE ...] EQ value... */
static void
read_expect_values(reader *r, amber_command *c)
{
    static const char *const words[] = {"EQ", "NE", "LT", "LE", "GT", "GE", NULL};
    c->offset = c->rect[0];
    c->type = c->buffer->type;
    if (amber_read_accept(r, "TOLERANCE"))
        amber_read_tolerances(r, c);
    c->compare = (amber_compare)amber_read_choice(r, words, "a comparison");
    if (c->tolerance_count) {
        if (c->compare != AMBER_EQ)
            amber_read_expected(r, "EQ behind TOLERANCE");
        c->compare = AMBER_FUZZY;
    }
    c->values = amber_read_values(r, c->type, false, &c->value_count);
    if (!c->value_count)
        amber_read_expected(r, "a value");
}

static void
read_expect(reader *r)
{
    const amber_buffer *buffer = amber_read_buffer_ref(r);
    if (amber_read_accept(r, "EQ_BUFFER")) {
        read_expect_buffer(r, buffer, AMBER_OP_EXPECT_EQUAL);
    } else if (amber_read_accept(r, "RMSE_BUFFER")) {
        read_expect_buffer(r, buffer, AMBER_OP_EXPECT_RMSE);
    } else if (amber_read_accept(r, "EQ_HISTOGRAM_EMD_BUFFER")) {
        read_expect_buffer(r, buffer, AMBER_OP_EXPECT_EMD);
    } else {
        amber_read_word(r, "IDX");
        amber_command *c = amber_read_new_command(r, AMBER_OP_EXPECT_VALUES);
        c->buffer = buffer;
        c->rect[0] = (uint32_t)amber_read_uint(r, "an index", UINT32_MAX);
        lex_kind next = amber_lex_peek(&r->lex).kind;
        if (next == LEX_INTEGER || next == LEX_HEX) {
            c->rect[1] = (uint32_t)amber_read_uint(r, "an index", UINT32_MAX);
            amber_read_word(r, "SIZE");
            read_expect_color(r, c);
        } else {
            read_expect_values(r, c);
        }
    }
}

static void
read_copy(reader *r)
{
    amber_command *c = amber_read_new_command(r, AMBER_OP_COPY);
    c->buffer = amber_read_buffer_ref(r);
    amber_read_word(r, "TO");
    c->other = amber_read_buffer_ref(r);
    amber_read_line_end(r, "COPY");
    if (c->buffer->size != c->other->size || c->buffer->elements != c->other->elements)
        diag_fail(r->diag, ERR_AMBER_DIFFERENT, c->buffer->name, c->other->name);
}

static const struct {
    const char *word;
    void (*read)(reader *r);
} commands[] = {
    {"CLEAR", amber_read_clear},
    {"CLEAR_COLOR", amber_read_clear},
    {"CLEAR_DEPTH", amber_read_clear},
    {"CLEAR_STENCIL", amber_read_clear},
    {"COPY", read_copy},
    {"EXPECT", read_expect},
    {"RUN", read_run},
};

bool
amber_read_command(reader *r)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (amber_read_is(r, commands[i].word)) {
            commands[i].read(r);
            return true;
        }
    }
    return false;
}

void
amber_read_repeat(reader *r)
{
    read_commands inner = {0}, *outer = r->commands;
    uint32_t line = r->token.line;
    uint32_t count = (uint32_t)amber_read_uint(r, "a number of repetitions", 1 << 24);
    amber_read_line_end(r, "REPEAT");
    r->commands = &inner;
    for (;;) {
        amber_read_skip_lines(r);
        amber_read_token(r);
        if (amber_read_is(r, "END"))
            break;
        if (!amber_read_command(r))
            amber_read_expected(r, "RUN, EXPECT, COPY or END");
    }
    amber_read_line_end(r, "END");
    r->commands = outer;
    amber_command *c = amber_read_new_command(r, AMBER_OP_REPEAT);
    c->line = line;
    c->count = count;
    c->body = inner.items;
    c->body_count = (uint32_t)inner.count;
}
