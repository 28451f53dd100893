/* PNG files: reads and writes pictures. */
#ifndef PICTURE_PNG_H
#define PICTURE_PNG_H

#include "picture.h"

/* Returns true if the program was built with libpng; without it the functions below fail. */
bool
picture_has_png(void);

/* Reads a picture into the arena. */
bool
picture_read_png(arena *a, const char *path, picture *out);

/* Writes a picture. On failure returns false after a message. */
bool
picture_write_png(const char *path, const picture *p);

/* The bytes of the picture's file, malloc'd; NULL on failure. */
uint8_t *
picture_png_bytes(const picture *p, size_t *size);

#endif
