/* The places of a code object that its text has to name.
 *
 * A place is a byte of a section with a label: a symbol's label, or one generated because something
 * refers to it. A reference is a branch, a program-counter-relative address computed by s_getpc_b64
 * and an addition, or a datum: one that the loader relocates, or one in a kernel descriptor.
 *
 * Lists are sorted by section, then by offset, so a printer can follow them with cursors.
 */
#ifndef AMD_CODE_OBJECT_MAP_H
#define AMD_CODE_OBJECT_MAP_H

#include "amd/code/reader.h"
#include "family/listing.h"

/* The position of a label. */
typedef struct place {
    uint32_t section;
    uint64_t offset;
    const obj_symbol *symbol; /* NULL: the label is generated for references */
} place;

typedef enum reference_kind { REF_BRANCH, REF_LOW, REF_HIGH, REF_DATA } reference_kind;

/* The data at `offset` refers to `to_offset` of section `to`. */
typedef struct reference {
    uint32_t section, to;
    uint64_t offset, to_offset;
    reference_kind kind;
    uint32_t addend; /* REF_LOW, REF_HIGH: relative to the result of s_getpc_b64 */
} reference;

/* A kernel, found by one of its addresses. */
typedef struct addressed_kernel {
    uint64_t address;
    const obj_code *kernel;
} addressed_kernel;

typedef struct object_map {
    const ir_ctx *c; /* the lists are in its arena */
    const obj_file *file;
    place *places;
    size_t n_places;
    reference *refs;
    size_t n_refs, cap_refs;
    addressed_kernel *entries, *descriptors; /* all kernels, sorted by address */
    const obj_symbol **ends;                 /* symbols with a size, sorted by their end */
    size_t n_ends;
    uint64_t **starts; /* of code sections: bit sets of dwords at which instructions start */
} object_map;

/* Finds the references of all sections of `file` and lists the places. `line` provides the
 * decoder's settings. With `with_data`, data references are included; fails with OBJECT_UNSUPPORTED
 * if there is no directive for one. */
object_map
amd_object_map_make(const ir_ctx *c, const obj_file *file, const family_listing *line,
                    bool with_data);

/* A listing of a section's bytes with the settings of `line`; its address is also that of `line`.
 */
family_listing
amd_object_section_listing(const obj_file *file, const family_listing *line, uint32_t section);

/* Returns true if the assembler reads `name` as a symbol. */
bool
amd_object_is_symbol_name(const char *name);

/* Returns true if place `index` is at byte `offset` of the section. */
bool
amd_object_is_place_at(const object_map *m, size_t index, uint32_t section, uint64_t offset);

/* The place that names the target of `r`: at the target, or before it in the same data. */
const place *
amd_object_target(const object_map *m, const reference *r);

/* The kernel whose code starts at a function's symbol, or NULL. */
const obj_code *
amd_object_kernel_at(const object_map *m, const place *p);

/* The kernel whose descriptor is at place `index`, or NULL. Requires that the place has only the
 * symbol `NAME.kd` and that the code has the symbol NAME. */
const obj_code *
amd_object_descriptor_at(const object_map *m, size_t index);

/* Returns true if the address is that of the 8 bytes in a kernel descriptor that refer to the
 * kernel's code. */
bool
amd_object_is_descriptor_entry(const object_map *m, uint64_t address);

#endif
