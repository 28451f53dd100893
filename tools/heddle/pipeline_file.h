/* A graphics pipeline as a file of JSON, for --pipeline. */
#ifndef PIPELINE_FILE_H
#define PIPELINE_FILE_H

#include "cli.h"

typedef struct pipeline_file pipeline_file;

/* Reads a file. Its members have the names of heddle_pipeline's and of the structs in it (docs/cli.md);
 * formats are Vulkan's names in small letters, flags are true or false, enumerations words. Returns
 * NULL after a message with the line ([PIPELINE_FILE]); whether the pipeline makes sense is for the
 * library to say. */
pipeline_file *
pipeline_file_read(const char *path);

void
pipeline_file_free(pipeline_file *file);

/* The pipeline, valid as long as the file; NULL if `file` is NULL. */
const heddle_pipeline *
pipeline_file_pipeline(const pipeline_file *file);

/* Prints the defaults, as such a file. */
void
pipeline_file_print_defaults(void);

#endif
