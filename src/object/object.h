/* Code objects: the result of a compile, and the input of a loader.
 *
 * A code object is a linked ELF file with machine code and a note. This layer has what the files of
 * all families share: the model of a kernel and of a file, the container, symbols, source lines as
 * DWARF (dwarf.h), MessagePack (pack.h) and YAML (yaml.h). A family says how its files are marked
 * (obj_format, obj_marks), writes and reads the contents of its note, and keeps what it alone knows
 * behind `own`. Shaders and kernels have one of two ABIs:
 *
 *   vulkan  a shader that a driver launches with descriptor sets and push constants
 *   hsa     a kernel that a runtime launches with a block of arguments, which the note describes
 *
 * `obj_code` is one kernel or shader in memory; the back end fills it in and `obj_write` lays it
 * out. `obj_file` is what reading a file gives: the segments to load, and the kernels in them. The
 * reader (read.h) trusts nothing: it checks every offset, count and nesting depth, and reports a
 * broken file as a diagnostic. Its result points into the caller's bytes and the arena.
 *
 * Source: System V gABI, chapters 4 and 5.
 */
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H

#include "base/buf.h"
#include "base/diag.h"

typedef enum obj_abi { OBJ_ABI_VULKAN, OBJ_ABI_HSA } obj_abi;

/* The name of an ABI: "vulkan", "hsa". */
const char *
obj_abi_name(obj_abi abi);

/* Shader stages, in the order of Vulkan's bits. */
typedef enum obj_stage {
    OBJ_STAGE_VERTEX,
    OBJ_STAGE_TESS_CONTROL,
    OBJ_STAGE_TESS_EVALUATION,
    OBJ_STAGE_GEOMETRY,
    OBJ_STAGE_FRAGMENT,
    OBJ_STAGE_COMPUTE,
    OBJ_STAGE_TASK,
    OBJ_STAGE_MESH,
    OBJ_STAGE_COUNT,
} obj_stage;

/* A stage's short name as on the command line: "vert", "tesc", "tese", "geom", "frag", "comp",
 * "task", "mesh". */
const char *
obj_stage_name(obj_stage stage);

/* hsa: an argument in the block of arguments. `kind` is the note's word for it ("by_value",
 * "global_buffer", "hidden_block_count_x" ...). Offsets and sizes in bytes. */
typedef struct obj_arg {
    const char *name; /* "" if the object does not name it */
    const char *kind;
    uint32_t offset, size;
} obj_arg;

/* Types of descriptors: X(enumerator, name in the notes). The order is that of VkDescriptorType. */
#define OBJ_DESCRIPTORS(X)                                                                         \
    X(SAMPLER, "sampler")                                                                          \
    X(COMBINED, "combined_image_sampler")                                                          \
    X(SAMPLED_IMAGE, "sampled_image")                                                              \
    X(STORAGE_IMAGE, "storage_image")                                                              \
    X(UNIFORM_TEXEL_BUFFER, "uniform_texel_buffer")                                                \
    X(STORAGE_TEXEL_BUFFER, "storage_texel_buffer")                                                \
    X(UNIFORM_BUFFER, "uniform_buffer")                                                            \
    X(STORAGE_BUFFER, "storage_buffer")                                                            \
    X(UNIFORM_BUFFER_DYNAMIC, "uniform_buffer_dynamic")                                            \
    X(STORAGE_BUFFER_DYNAMIC, "storage_buffer_dynamic")                                            \
    X(INPUT_ATTACHMENT, "input_attachment")                                                        \
    X(INLINE_UNIFORM_BLOCK, "inline_uniform_block")                                                \
    X(ACCELERATION_STRUCTURE, "acceleration_structure")                                            \
    X(MUTABLE, "mutable")

typedef enum obj_descriptor {
    OBJ_DESCRIPTOR_NONE,
#define X(id, name) OBJ_DESCRIPTOR_##id,
    OBJ_DESCRIPTORS(X)
#undef X
        OBJ_DESCRIPTOR_COUNT,
} obj_descriptor;

/* The name of a type of descriptors; "none" for NONE and unknown numbers. */
const char *
obj_descriptor_name(obj_descriptor type);

/* Where a binding's descriptors are. */
typedef struct obj_resource {
    uint32_t set, binding;
    obj_descriptor type;
    uint32_t count;          /* elements there is room for; an inline uniform block: bytes */
    uint32_t offset, stride; /* bytes: of the first element; from one to the next */
    uint32_t size;           /* bytes of one descriptor; an inline uniform block: 0 */
    bool in_block; /* they follow the push constants: `offset` is in that block, not in the set */
    bool is_used;  /* the code reads a descriptor of the binding, or the inline block's bytes */
} obj_resource;

/* The source line of the code from byte `code_offset` up to the next row. Rows are in ascending
 * order. */
typedef struct obj_line {
    uint32_t code_offset;
    uint32_t file;   /* index into `files` */
    uint32_t line;   /* from 1; 0: no source line */
    uint32_t column; /* from 1; 0: unknown */
} obj_line;

/* One kernel or shader. */
typedef struct obj_code {
    const char *target; /* "gfx1030" */
    obj_abi abi;
    obj_stage stage; /* hsa: OBJ_STAGE_COMPUTE */
    uint8_t wave_size;
    const char *name; /* the entry point's name in SPIR-V, or the kernel's symbol (hsa) */

    /* Machine code, followed from `data_offset` on by constant data that the code addresses
     * relative to the program counter. Without data, data_offset == code_size. Sizes in bytes. In a
     * read object these are the kernel's own bytes; a loader uses the file's segments, because the
     * kernel may refer to data around it. */
    const uint8_t *code;
    uint32_t code_size, data_offset;

    uint32_t lds_bytes;          /* static, per workgroup */
    uint32_t scratch_bytes;      /* per lane */
    uint32_t workgroup_size[3];  /* required; 0 0 0: any */
    uint32_t max_workgroup_size; /* flat; 0: not stated */

    /* hsa: the block of arguments; sizes in bytes. */
    uint32_t args_size, args_align;
    const obj_arg *args;
    uint32_t n_args;

    /* The descriptors that the shader declares, by set, binding and type. */
    const obj_resource *resources;
    uint32_t n_resources;
    uint32_t push_size; /* bytes of the push constants that it declares, from byte 0 on */

    uint64_t entry_address; /* when read: address of the first instruction, see obj_segment */

    /* What the family alone knows: registers, launch state. NULL: nothing. */
    const void *own;

    const char *const *files;
    uint32_t n_files;
    const obj_line *lines;
    uint32_t n_lines;
} obj_code;

/* A section, either to be written (image.h) or read. */
typedef struct obj_section {
    const char *name;
    bool is_loaded, is_executable, is_writable;
    bool is_zero;   /* occupies no space in the file */
    bool is_kept;   /* to be written though it is not loaded */
    uint32_t align; /* a power of two; 0 counts as 1 */
    const uint8_t *data;
    uint64_t size;
    uint64_t address;       /* from obj_image_place, or as read */
    const obj_code *source; /* when read: source lines of the code (`lines`, `files`); or NULL */
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
    int32_t section; /* index into obj_image.sections; -1: an absolute value */
    uint64_t value;  /* offset in the section */
    uint64_t size;
} obj_symbol;

/* Bytes to load at `address`, relative to the loader's address for the file's address 0 (aligned to
 * 4096). If `memory_size` exceeds `size`, the rest is zero. */
typedef struct obj_segment {
    uint64_t address;
    const uint8_t *bytes;
    uint64_t size, memory_size;
    bool is_executable, is_writable;
} obj_segment;

/* When loaded, the `size` (4 or 8) bytes at `address` are set to `addend`, plus the load address if
 * `is_relative`. */
typedef struct obj_reloc {
    uint64_t address;
    uint64_t addend;
    uint8_t size;
    bool is_relative;
} obj_reloc;

typedef struct obj_file {
    const char *target; /* "gfx1030" */
    obj_abi abi;
    const obj_code *kernels;
    uint32_t n_kernels;
    const struct pack_value *metadata; /* of the note (pack.h) */
    const obj_segment *segments;       /* ascending, not overlapping */
    uint32_t n_segments;
    const obj_reloc *relocs;
    uint32_t n_relocs;
    bool is_ours;    /* made by Heddle: one kernel, possibly followed by data */
    const void *own; /* what the family alone knows; NULL: nothing */
    /* The loaded sections, without those that linkers make for loaders (.dynsym, .hash ...), in
     * file order. At most 256, with no more bytes than the file has. */
    const obj_section *sections;
    uint32_t n_sections;
    const obj_symbol *symbols; /* symbols of these sections and absolute symbols, in file order */
    uint32_t n_symbols;
} obj_file;

/* What a relocation stores, with S the symbol's address, A the addend, P the place: S + A;
 * S + A - P; the distance of a branch, in instructions of 4 bytes, from the one after it to S + A;
 * the distance from P to the symbol's entry in the table of addresses, plus A. */
typedef enum obj_reloc_how {
    OBJ_RELOC_ABSOLUTE,
    OBJ_RELOC_RELATIVE,
    OBJ_RELOC_BRANCH,
    OBJ_RELOC_GOT,
} obj_reloc_how;

/* A kind of relocation in relocatable files. */
typedef struct obj_reloc_kind {
    const char *name; /* NULL: the end of a list */
    uint32_t type;
    obj_reloc_how how;
    uint8_t size; /* bytes */
    bool high;    /* bits 63:32 of the value */
} obj_reloc_kind;

/* How a family's files differ from others: the same for all its files. */
typedef struct obj_format {
    uint16_t machine;         /* e_machine */
    const char *machine_name; /* in messages */
    const char *note_owner;   /* of the note with the metadata */
    uint32_t note_type;
    uint32_t code_align; /* of the code, in bytes: a power of two */
    /* Types of the relocations that a loader applies, S + A in 8 and 4 bytes, and B + A in 8; 0:
     * there is none. */
    uint32_t absolute64, absolute32, relative64;
    /* Relocations of relocatable files; NULL: only linked files are read. */
    const obj_reloc_kind *kinds;
} obj_format;

/* What the head of a file says beside its machine. */
typedef struct obj_marks {
    uint8_t os_abi, abi_version;
    uint32_t flags;
} obj_marks;

/* Read-only data that describe a kernel to a loader, under a symbol of their own. The 8 bytes at
 * `entry_at` receive the distance from the record to the code. */
typedef struct obj_record {
    const char *symbol;
    const uint8_t *bytes; /* NULL: there is no record */
    uint32_t size, align, entry_at;
} obj_record;

/* What obj_write needs beside the kernel. */
typedef struct obj_envelope {
    const obj_format *format;
    obj_marks marks;
    const base_buf *metadata; /* the note's contents */
    const char *symbol;       /* of the code */
    obj_record record;
} obj_envelope;

/* Appends a file with one kernel to `out`; equal models give equal bytes. Scratch memory comes from
 * `out->arena`. */
void
obj_write(const obj_code *code, const obj_envelope *envelope, base_buf *out);

/* Returns true if `bytes` start like an ELF file. */
bool
obj_is_elf(const void *bytes, size_t size);

/* Returns true if `bytes` start like an ELF file for `machine`. */
bool
obj_is_elf_for(const void *bytes, size_t size, uint16_t machine);

/* The line table row that covers byte `offset` of the code, or NULL if it has no source line. */
const obj_line *
obj_find_line(const obj_code *code, uint64_t offset);

/* The section that contains the byte at `address`, else one that ends there, else NULL. */
const obj_section *
obj_find_section(const obj_file *f, uint64_t address);

/* A location in code as presented to the user. */
typedef struct obj_code_place {
    const char *function; /* or NULL */
    uint64_t offset;      /* in bytes from its first instruction */
    const char *file;     /* or NULL */
    uint32_t line;
} obj_code_place;

/* Finds the function and the source line of the code at `address` of a file that was read. Returns
 * false if neither is known. */
bool
obj_find_place(const obj_file *f, uint64_t address, obj_code_place *out);

/* The kernel called `name`, or the only one if `name` is NULL; NULL if there is none (or, without a
 * name, several). */
const obj_code *
obj_find_kernel(const obj_file *file, const char *name);

#endif
