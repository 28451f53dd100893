/* Which places of a code object its text has to name.
 *
 * A place is a byte of a section with a label: a symbol's, or one made because something refers to
 * it. What refers to a place is a branch, a program-counter-relative address that s_getpc_b64 and
 * an addition make, or a datum: one that the loader relocates, or a kernel descriptor's.
 *
 * Lists are sorted by section, then by offset, so a printer follows them with cursors.
 */
#ifndef API_OBJECT_MAP_H
#define API_OBJECT_MAP_H

#include "api/listing.h"

/* Where a label stands. */
typedef struct place {
    uint32_t section;
    uint64_t offset;
    const obj_symbol *symbol; /* NULL: the label is made for references */
} place;

typedef enum reference_kind { REF_BRANCH, REF_LOW, REF_HIGH, REF_DATA } reference_kind;

/* What stands at `offset` refers to `to_offset` of section `to`. */
typedef struct reference {
    uint32_t section, to;
    uint64_t offset, to_offset;
    reference_kind kind;
    uint32_t addend; /* REF_LOW, REF_HIGH: from the address that s_getpc_b64 gives */
} reference;

/* A kernel by one of its addresses. */
typedef struct addressed_kernel {
    uint64_t address;
    const obj_code *kernel;
} addressed_kernel;

typedef struct object_map {
    api_state *s; /* lists are in its arena */
    const obj_file *file;
    place *places;
    size_t n_places;
    reference *refs;
    size_t n_refs, cap_refs;
    addressed_kernel *entries, *descriptors; /* all kernels, sorted by address */
    const obj_symbol **ends;                 /* symbols with a size, by their end */
    size_t n_ends;
    uint64_t **starts; /* of code sections: bit sets of dwords where instructions begin */
} object_map;

/* Finds the references of all sections of `file`, and lists the places. `line` has what decodes its
 * code. `with_data`: the data's references too; fails with OBJECT_UNSUPPORTED where one has no
 * directive. */
object_map
object_map_make(api_state *s, const obj_file *file, const listing *line, bool with_data);

/* A section's bytes, to be decoded as `line` says; the listing's address is that of `line`. */
listing
object_section_listing(const obj_file *file, const listing *line, uint32_t section);

/* Does the assembler read `name` as a symbol's? */
bool
object_is_symbol_name(const char *name);

/* The first place that is not before byte `offset` of the section. */
size_t
object_first_place(const object_map *m, uint32_t section, uint64_t offset);

/* Is place `index` one of byte `offset` of the section? */
bool
object_is_place_at(const object_map *m, size_t index, uint32_t section, uint64_t offset);

/* The place that names where `r` goes: there, or before it in the same data. */
const place *
object_target(const object_map *m, const reference *r);

/* The kernel whose code begins at a function's symbol, or NULL. */
const obj_code *
object_kernel_at(const object_map *m, const place *p);

/* The kernel whose descriptor is at place `index`, if that is its symbol `NAME.kd`, alone there,
 * and the code has the symbol NAME; or NULL. */
const obj_code *
object_descriptor_at(const object_map *m, size_t index);

/* Is the address that of the 8 bytes in a kernel's descriptor that refer to its code? */
bool
object_is_descriptor_entry(const object_map *m, uint64_t address);

#endif
