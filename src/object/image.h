/* A linked code object of any sections and symbols: what an assembler makes.
 *
 * The caller lists its sections and symbols, `obj_image_place` gives sections their addresses, the
 * caller fills in what depends on them, `obj_image_write` writes the file. Sections that are not
 * loaded are left out. (obj_write, in object.h, is the shorter way for one compiled kernel.)
 */
#ifndef OBJECT_IMAGE_H
#define OBJECT_IMAGE_H

#include "object/object.h"

typedef struct obj_section {
    const char *name;
    bool is_loaded, is_executable, is_writable;
    bool is_zero;   /* takes no room in the file */
    uint32_t align; /* a power of two; 0 counts as 1 */
    const uint8_t *data;
    uint64_t size;
    uint64_t address; /* from obj_image_place */
} obj_section;

typedef enum obj_symbol_kind {
    OBJ_SYMBOL_NONE,
    OBJ_SYMBOL_OBJECT,
    OBJ_SYMBOL_FUNCTION
} obj_symbol_kind;
typedef enum obj_binding { OBJ_BIND_LOCAL, OBJ_BIND_GLOBAL, OBJ_BIND_WEAK } obj_binding;
typedef enum obj_visibility {
    OBJ_VISIBLE_DEFAULT,
    OBJ_VISIBLE_INTERNAL,
    OBJ_VISIBLE_HIDDEN,
    OBJ_VISIBLE_PROTECTED
} obj_visibility;

typedef struct obj_symbol {
    const char *name;
    obj_symbol_kind kind;
    obj_binding binding;
    obj_visibility visibility;
    int32_t section; /* into obj_image.sections; -1: an absolute value */
    uint64_t value;  /* offset in the section */
    uint64_t size;
} obj_symbol;

/* The loader puts its load address plus `addend` into the 8 bytes at `offset` of the section. */
typedef struct obj_dynamic {
    uint32_t section;
    uint64_t offset, addend;
} obj_dynamic;

/* A target feature in the file's flags. */
typedef enum obj_feature { OBJ_FEATURE_ANY, OBJ_FEATURE_OFF, OBJ_FEATURE_ON } obj_feature;

typedef struct obj_image {
    const char *target;           /* "gfx1030" */
    uint32_t code_object_version; /* 4, 5 or 6 */
    obj_feature xnack, sramecc;   /* where the target has them */
    const void *metadata;         /* MessagePack */
    size_t metadata_size;
    obj_section *sections;
    uint32_t n_sections;
    const obj_symbol *symbols;
    uint32_t n_symbols;
    const obj_dynamic *dynamics;
    uint32_t n_dynamics, max_dynamics; /* how many there may be is known when addresses are given */
} obj_image;

/* Whether the target's XNACK can be on. */
bool
obj_target_has_xnack(const char *target);

/* Gives the loaded sections their addresses. Fails with OBJECT_UNKNOWN_TARGET. */
void
obj_image_place(diag *d, arena *a, obj_image *image);

/* Appends the file. The sections' data, the symbols and the relocations are final. */
void
obj_image_write(diag *d, const obj_image *image, base_buf *out);

#endif
