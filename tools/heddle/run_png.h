/* PNG files: reads them as contents of buffers, and writes images of scripts as pictures. */
#ifndef RUN_PNG_H
#define RUN_PNG_H

#include "amber/amber.h"

/* Returns true if the program was built with libpng; without it the functions below fail. */
bool
run_has_png(void);

/* Reads a picture as rows of RGBA bytes in the arena. */
bool
run_read_png(arena *a, const char *path, const uint8_t **rgba, uint32_t *width, uint32_t *height);

/* Writes the first level (and slice) of an image, with colours clamped to [0, 1]; integers are
 * divided by 255. On failure returns false after a message. */
bool
run_write_png(arena *a, const char *path, const amber_buffer *b, const uint8_t *bytes);

#endif
