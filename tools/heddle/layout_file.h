/* A pipeline layout as a text file, for --layout. */
#ifndef LAYOUT_FILE_H
#define LAYOUT_FILE_H

#include "cli.h"

typedef struct layout_file layout_file;

/* Reads a file:
 *
 *     # a comment
 *     set N
 *     binding N TYPE [COUNT] [stages=STAGE,...] [samplers=WORD,...]
 *     push OFFSET SIZE [stages=STAGE,...]
 *
 * Bindings belong to the last set. TYPE is a word of heddle_descriptor_type_text, STAGE one of the
 * command line. Returns NULL after a message with the line ([LAYOUT_FILE]); whether the layout
 * makes sense is for the library to say. */
layout_file *
layout_file_read(const char *path);

void
layout_file_free(layout_file *file);

/* The layout, valid as long as the file; NULL if `file` is NULL. */
const heddle_pipeline_layout *
layout_file_layout(const layout_file *file);

#endif
