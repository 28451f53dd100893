/* A linked code object with arbitrary sections and symbols, as an assembler makes it.
 *
 * The caller lists its sections and symbols; `obj_image_place` assigns addresses to sections; the
 * caller fills in what depends on addresses; `obj_image_write` writes the file. Sections that are
 * neither loaded nor kept are left out. (obj_write, in object.h, is the shorter way for one
 * compiled kernel.)
 */
#ifndef OBJECT_IMAGE_H
#define OBJECT_IMAGE_H

#include "object/object.h"

/* The loader stores its load address plus `addend` in the 8 bytes at `offset` of the section. */
typedef struct obj_dynamic {
    uint32_t section;
    uint64_t offset, addend;
} obj_dynamic;

typedef struct obj_image {
    const obj_format *format; /* with `relative64`, if there are `dynamics` */
    obj_marks marks;
    const void *metadata; /* the note's contents */
    size_t metadata_size;
    const void *notes; /* whole notes, instead of the one with the metadata; NULL: none */
    size_t notes_size;
    obj_section *sections;
    uint32_t n_sections;
    const obj_symbol *symbols;
    uint32_t n_symbols;
    const obj_dynamic *dynamics;
    uint32_t n_dynamics, max_dynamics; /* the maximum must be known when addresses are assigned */
} obj_image;

/* Assigns addresses to the loaded sections. Scratch memory comes from `a`. */
void
obj_image_place(arena *a, obj_image *image);

/* Adds the sections of line tables to the image, which must have room for them. `codes` has a model
 * for each of its sections so far, with files, lines and the section's size as `data_offset`.
 * Called before placing; obj_image_set_lines sets the addresses after it. */
typedef struct obj_image_lines obj_image_lines;
enum { OBJ_LINE_SECTIONS = 3 };

obj_image_lines *
obj_image_add_lines(arena *a, obj_image *image, const obj_code *codes);
void
obj_image_set_lines(obj_image_lines *l, const obj_image *image);

/* Appends the file. The sections' data, the symbols and the relocations must be final. */
void
obj_image_write(const obj_image *image, base_buf *out);

#endif
