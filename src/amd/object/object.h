/* AMD's code objects: the model of what only this family's files have, writing and reading.
 *
 * A code object is an ELF file for EM_AMDGPU with machine code and a note (object/object.h). It has
 * one of two ABIs:
 *
 *   vulkan  like AMD's PAL: one shader under its hardware stage's symbol (`_amdgpu_cs_main`),
 *           register words and resource use in a MessagePack note; a driver follows the `.heddle`
 *           map of the same note to fill the user SGPRs.
 *   hsa     AMDHSA code object v5: `NAME` and its 64-byte descriptor `NAME.kd`, arguments in the
 *           note. Objects of other compilers (clang's OpenCL kernels) are read too.
 *
 * obj_code.own and obj_file.own point to the structs of this header.
 *
 * Source: LLVM 19, docs/AMDGPUUsage.rst (code object, AMDPAL and AMDHSA sections).
 */
#ifndef AMD_OBJECT_OBJECT_H
#define AMD_OBJECT_OBJECT_H

#include "object/object.h"

/* What a run of user SGPRs holds: X(enumerator, name in the note). A pointer in one SGPR is the low
 * half of a 64-bit address; the high half is the ABI's constant (docs/abi.md). Each row explains
 * `index` and `count`; `count` is in SGPRs. */
#define AMD_OBJ_USER_KINDS(X)                                                                      \
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
    X(ATTRIBUTES, "attributes")                                                                    \
    X(VIEW_INDEX, "view_index")                                                                    \
    /* vulkan, primitive shaders from gfx11 on: a pointer to the V# of the attribute ring */       \
    X(ATTRIBUTE_RING, "attribute_ring")                                                            \
    /* vulkan, transform feedback: a pointer to the V#s of its buffers */                          \
    X(XFB_BUFFERS, "xfb_buffers")                                                                  \
    /* vulkan, fragment shaders: dynamic state */                                                  \
    X(FRAGMENT_STATE, "fragment_state")                                                            \
    /* hsa: in the descriptor's order of enable bits; 4, 2, 2, 2, 2, 2, 1 SGPRs */                 \
    X(PRIVATE_SEGMENT_BUFFER, "private_segment_buffer")                                            \
    X(DISPATCH_POINTER, "dispatch_pointer")                                                        \
    X(QUEUE_POINTER, "queue_pointer")                                                              \
    X(KERNARG_POINTER, "kernarg_pointer")                                                          \
    X(DISPATCH_ID, "dispatch_id")                                                                  \
    X(FLAT_SCRATCH_INIT, "flat_scratch_init")                                                      \
    X(PRIVATE_SEGMENT_SIZE, "private_segment_size")

typedef enum amd_obj_user_kind {
#define X(id, name) AMD_OBJ_USER_##id,
    AMD_OBJ_USER_KINDS(X)
#undef X
        AMD_OBJ_USER_KIND_COUNT,
} amd_obj_user_kind;

const char *
amd_obj_user_kind_name(amd_obj_user_kind kind);

/* `count` SGPRs from `first_sgpr` hold `kind`. */
typedef struct amd_obj_user_sgpr {
    amd_obj_user_kind kind;
    uint32_t index;
    uint32_t first_sgpr, count;
} amd_obj_user_sgpr;

/* A register that the driver writes in addition to rsrc1 to rsrc3, such as SPI_PS_INPUT_ENA.
 * `address` is the dword address as in PAL's `.registers` (the byte address in the register space /
 * 4). */
typedef struct amd_obj_register {
    uint32_t address, value;
} amd_obj_register;

/* A parameter, by its number in a list: what a vertex shader puts into the parameter cache or the
 * attribute ring, what a fragment shader reads as attribute of this number. */
typedef struct amd_obj_param {
    const char *name;    /* "location", or the built-in output: "layer", "clip_distance" ... */
    uint32_t location;   /* of distances: 0 for the first four, 1 */
    uint32_t components; /* written or read, a bit each */
    uint32_t control;    /* fragment: bits of SPI_PS_INPUT_CNTL, to which a driver adds the place */
} amd_obj_param;

/* What AMD alone knows of a kernel. */
typedef struct amd_obj_state {
    uint32_t sgprs, vgprs; /* registers used, including VCC and similar; not rounded */
    uint32_t spilled_sgprs, spilled_vgprs;
    uint32_t address_high; /* vulkan: the high half of pointers that are in one SGPR */
    uint32_t buffer_word3; /* of each raw buffer's descriptor; 0: not known */
    bool dynamic_stack;    /* hsa: the code may need more scratch than obj_code.scratch_bytes */

    /* COMPUTE_PGM_RSRC1, 2, 3 (in graphics, those of the hardware stage). hsa: as in the kernel
     * descriptor, where the dispatcher sets the LDS size. */
    uint32_t rsrc[3];
    const amd_obj_register *registers;
    uint32_t n_registers;
    const amd_obj_user_sgpr *user_sgprs;
    uint32_t n_user_sgprs;
    bool is_primitive; /* a vertex shader as primitive shader (NGG): the hardware stage is GS */
    const amd_obj_param *params;
    uint32_t n_params;

    uint64_t descriptor_address; /* when read: address of NAME.kd, see obj_segment */
    const uint8_t *descriptor;   /* when read: its 64 bytes */
} amd_obj_state;

/* A kernel's state; all zeros if it has none. */
const amd_obj_state *
amd_obj_state_of(const obj_code *code);

/* A target feature in the file's flags. */
typedef enum amd_obj_feature {
    AMD_OBJ_FEATURE_ANY,
    AMD_OBJ_FEATURE_OFF,
    AMD_OBJ_FEATURE_ON
} amd_obj_feature;

/* What AMD alone knows of a file. */
typedef struct amd_obj_version {
    amd_obj_feature xnack, sramecc; /* for targets that have them */
    uint32_t code_object_version;   /* hsa: 3 to 6 */
} amd_obj_version;

/* The version of a file that was read. */
const amd_obj_version *
amd_obj_version_of(const obj_file *file);

/* A processor: a row of machines.def. */
typedef struct amd_obj_machine {
    char name[16]; /* as base/short_name.h compares it */
    uint8_t mach;
    bool has_xnack, has_sramecc;
    bool vulkan_xnack;       /* shaders of Vulkan run with XNACK on */
    uint8_t generic_version; /* of a generic processor, from 1; 0: it is not generic */
} amd_obj_machine;

/* What a target id says: a processor, and the settings of features that it has. In
 * "gfx90a:sramecc+:xnack-" both are set; without a setting, code must run with any. */
typedef struct amd_obj_target {
    const amd_obj_machine *machine;
    amd_obj_feature xnack, sramecc;
} amd_obj_target;

/* Reads a target id: the features in any order, each once. Returns false if there is no such
 * processor, or if it has no such feature. */
bool
amd_obj_parse_target(const char *id, amd_obj_target *out);

/* The target id in LLVM's canonical form; lives in `a`, or forever. */
const char *
amd_obj_target_id(arena *a, const amd_obj_target *t);

/* Finds the row by the processor that a target id begins with, or by EF_AMDGPU_MACH bits; NULL if
 * there is none. */
const amd_obj_machine *
amd_obj_machine_by_name(const char *id);
const amd_obj_machine *
amd_obj_machine_by_number(uint32_t mach);

/* Which memory accesses of such code may be repeated, because XNACK is or may be on. Without a
 * setting, AMDHSA code runs with it on or off, and Vulkan's as drivers run it on the processor:
 * ACO breaks up clauses of scalar loads alone. */
typedef enum amd_obj_retry {
    AMD_OBJ_RETRY_NONE,
    AMD_OBJ_RETRY_SCALAR,
    AMD_OBJ_RETRY_ALL,
} amd_obj_retry;

amd_obj_retry
amd_obj_may_retry(const char *id, obj_abi abi);

/* Can XNACK be on for the target id? */
bool
amd_obj_has_xnack(const char *id);

/* How AMD's files differ from those of other families. */
extern const obj_format amd_obj_format;

/* The version of code objects for the target, if nobody asks for another: 5, or 6 for generic
 * processors. */
uint32_t
amd_obj_default_version(const char *target);

/* The head of an AMDHSA object. Fails with OBJECT_UNKNOWN_TARGET, or OBJECT_GENERIC_VERSION if the
 * target is generic and the version below 6. */
obj_marks
amd_obj_hsa_marks(diag *d, const char *id, uint32_t version);

/* Appends the code object of `code` to `out`; equal models give equal bytes. Scratch memory comes
 * from `out->arena`. Fails with OBJECT_UNKNOWN_TARGET. */
void
amd_obj_write(diag *d, const obj_code *code, base_buf *out);

/* Reads a code object, made by Heddle or by clang and lld. `bytes` must live as long as `out` is
 * used. Fails with an OBJECT_* error. */
void
amd_obj_read(diag *d, arena *a, const void *bytes, size_t size, obj_file *out);

#endif
