/* Code objects: the result of a compile, and the input of a loader.
 *
 * A code object is an ELF file for EM_AMDGPU with machine code and notes. The writer supports two
 * ABIs. The reader accepts both, and objects of other compilers (clang's OpenCL kernels for
 * amdhsa):
 *
 *   vulkan  like AMD's PAL: one shader under its hardware stage's symbol (`_amdgpu_cs_main`),
 *           register words and resource use in a MessagePack note; a driver follows the `.heddle`
 *           map of the same note to fill the user SGPRs.
 *   hsa     AMDHSA code object v5: `NAME` and its 64-byte descriptor `NAME.kd`, arguments in the
 *           note.
 *
 * Source lines, if the shader has them, are stored as DWARF (dwarf.h).
 *
 * `obj_code` is one kernel or shader in memory; the back end fills it in and `obj_write` lays it
 * out. `obj_file` is the result of `obj_read`: the segments to load, and the kernels in them. The
 * reader trusts nothing: it checks every offset, count and nesting depth, and reports a broken file
 * as a diagnostic. Its result points into the caller's bytes and the arena.
 *
 * Sources: LLVM 19, docs/AMDGPUUsage.rst (code object, AMDPAL and AMDHSA sections); the ELF gABI.
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

/* What a run of user SGPRs holds: X(enumerator, name in the note). A pointer in one SGPR is the low
 * half of a 64-bit address; the high half is the ABI's constant (docs/abi.md). Each row explains
 * `index` and `count`; `count` is in SGPRs. */
#define OBJ_USER_KINDS(X)                                                                          \
    /* vulkan: a pointer to the descriptors of set `index`; one SGPR */                            \
    X(DESCRIPTOR_SET, "descriptor_set")                                                            \
    /* vulkan: a pointer to a table of 32-bit set pointers, by set number; one SGPR */             \
    X(SET_TABLE, "set_table")                                                                      \
    /* vulkan: push constants themselves, `index` is the first dword's number */                   \
    X(PUSH_CONSTANTS_INLINE, "push_constants_inline")                                              \
    /* vulkan: a pointer to the block of push constants, all of them; one SGPR */                  \
    X(PUSH_CONSTANTS, "push_constants")                                                            \
    /* vulkan: the dispatch's number of workgroups in x, y, z; three SGPRs */                      \
    X(WORKGROUP_COUNT, "workgroup_count")                                                          \
    /* vulkan: a pointer to the three words of the number of workgroups; two SGPRs, 64 bits */     \
    X(WORKGROUP_COUNT_POINTER, "workgroup_count_pointer")                                          \
    /* vulkan: vkCmdDispatchBase's base in x, y, z; three SGPRs */                                 \
    X(BASE_WORKGROUP, "base_workgroup")                                                            \
    /* vulkan: a pointer to a 64-bit scratch base and its buffer descriptor; two SGPRs */          \
    X(SCRATCH, "scratch")                                                                          \
    /* vulkan: vertex shader inputs */                                                             \
    X(BASE_VERTEX, "base_vertex")                                                                  \
    X(BASE_INSTANCE, "base_instance")                                                              \
    X(DRAW_ID, "draw_id")                                                                          \
    X(VERTEX_BUFFERS, "vertex_buffers")                                                            \
    X(VIEW_INDEX, "view_index")                                                                    \
    /* hsa: in the descriptor's order of enable bits; 4, 2, 2, 2, 2, 2, 1 SGPRs */                 \
    X(PRIVATE_SEGMENT_BUFFER, "private_segment_buffer")                                            \
    X(DISPATCH_POINTER, "dispatch_pointer")                                                        \
    X(QUEUE_POINTER, "queue_pointer")                                                              \
    X(KERNARG_POINTER, "kernarg_pointer")                                                          \
    X(DISPATCH_ID, "dispatch_id")                                                                  \
    X(FLAT_SCRATCH_INIT, "flat_scratch_init")                                                      \
    X(PRIVATE_SEGMENT_SIZE, "private_segment_size")

typedef enum obj_user_kind {
#define X(id, name) OBJ_USER_##id,
    OBJ_USER_KINDS(X)
#undef X
        OBJ_USER_KIND_COUNT,
} obj_user_kind;

const char *
obj_user_kind_name(obj_user_kind kind);

/* `count` SGPRs from `first_sgpr` hold `kind`. */
typedef struct obj_user_sgpr {
    obj_user_kind kind;
    uint32_t index;
    uint32_t first_sgpr, count;
} obj_user_sgpr;

/* A register that the driver writes in addition to rsrc1 to rsrc3, such as SPI_PS_INPUT_ENA.
 * `address` is the dword address as in PAL's `.registers` (the byte address in the register space /
 * 4). */
typedef struct obj_register {
    uint32_t address, value;
} obj_register;

/* hsa: an argument in the kernarg segment. `kind` is the metadata's `.value_kind` ("by_value",
 * "global_buffer", "hidden_block_count_x" ...). Offsets and sizes in bytes. */
typedef struct obj_arg {
    const char *name; /* "" if the object does not name it */
    const char *kind;
    uint32_t offset, size;
} obj_arg;

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

    uint32_t sgprs, vgprs;  /* registers used, including VCC and similar; not rounded */
    uint32_t lds_bytes;     /* static, per workgroup */
    uint32_t scratch_bytes; /* per lane */
    bool dynamic_stack;     /* hsa: the code may need more scratch than scratch_bytes */
    uint32_t spilled_sgprs, spilled_vgprs;
    uint32_t workgroup_size[3];  /* required; 0 0 0: any */
    uint32_t max_workgroup_size; /* flat; 0: not stated */

    /* COMPUTE_PGM_RSRC1, 2, 3 (in graphics, those of the hardware stage). hsa: as in the kernel
     * descriptor, where the dispatcher sets the LDS size. */
    uint32_t rsrc[3];
    const obj_register *registers;
    uint32_t n_registers;
    const obj_user_sgpr *user_sgprs;
    uint32_t n_user_sgprs;

    /* hsa */
    uint32_t kernarg_size, kernarg_align; /* bytes */
    const obj_arg *args;
    uint32_t n_args;
    uint64_t descriptor_address; /* when read: address of NAME.kd, see obj_segment */
    const uint8_t *descriptor;   /* when read: its 64 bytes */

    uint64_t entry_address; /* when read: address of the first instruction, see obj_segment */

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

/* A target feature in the file's flags. */
typedef enum obj_feature { OBJ_FEATURE_ANY, OBJ_FEATURE_OFF, OBJ_FEATURE_ON } obj_feature;

typedef struct obj_file {
    const char *target; /* "gfx1030" */
    obj_abi abi;
    obj_feature xnack, sramecc;
    const obj_code *kernels;
    uint32_t n_kernels;
    uint32_t code_object_version;      /* hsa: 3 to 6 */
    const struct pack_value *metadata; /* of the note (pack.h) */
    const obj_segment *segments;       /* ascending, not overlapping */
    uint32_t n_segments;
    const obj_reloc *relocs;
    uint32_t n_relocs;
    bool is_ours; /* made by obj_write: one kernel, possibly followed by data */
    /* The loaded sections, without those that linkers make for loaders (.dynsym, .hash ...), in
     * file order. At most 256, with no more bytes than the file has. */
    const obj_section *sections;
    uint32_t n_sections;
    const obj_symbol *symbols; /* symbols of these sections and absolute symbols, in file order */
    uint32_t n_symbols;
} obj_file;

/* Appends the code object of `code` to `out`; equal models give equal bytes. Scratch memory comes
 * from `out->arena`. Fails with OBJECT_UNKNOWN_TARGET. */
void
obj_write(diag *d, const obj_code *code, base_buf *out);

/* Returns true if `bytes` start like an ELF file. */
bool
obj_is_elf(const void *bytes, size_t size);

/* Reads a code object. `bytes` must live as long as `out` is used. Fails with an OBJECT_* error. */
void
obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out);

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
