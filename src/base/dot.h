/* Graphs of basic blocks in the language of graphviz: a box of left-aligned text for each block,
 * and arrows. A graph is written in order: open, boxes and arrows, close. */
#ifndef BASE_DOT_H
#define BASE_DOT_H

#include "base/buf.h"

/* How an arrow is drawn, in bits. */
enum {
    BASE_DOT_BACK = 1,  /* to a block that stands before it in the code: the arrow of a loop */
    BASE_DOT_FAINT = 2, /* an edge of a second kind */
};

void
base_dot_open(base_buf *out, const char *name);
void
base_dot_close(base_buf *out);

/* A box with the text, whose lines end with '\n'. */
void
base_dot_box(base_buf *out, uint32_t block, const char *text, size_t size);

/* An arrow; `label` may be NULL. */
void
base_dot_arrow(base_buf *out, uint32_t from, uint32_t to, const char *label, unsigned how);

#endif
