/* The HIR interpreter (target name `hir`): what a compute shader means, without a machine.
 *
 * It runs a dispatch of a HIR function, workgroup by workgroup. A workgroup's invocations, in order
 * of their local index, form subgroups of `wave_size` lanes. The lanes of a subgroup run in
 * lockstep: each lane stands at a block, and the lanes that stand at the block which comes first in
 * structured order run it together. As a merge block stands behind its construct and a continue
 * block behind the loop's body, lanes wait there for the others: reconvergence is maximal, subgroup
 * operations see exactly the lanes that the structure says. Subgroups of a workgroup take turns at
 * workgroup barriers.
 *
 * Memory comes from the environment. Buffers are robust (VK_EXT_robustness2): loads outside give 0,
 * stores outside are dropped. Workgroup memory, scratch and addresses are not: an access outside is
 * the shader's error and ends the run with a message that names block and lane. Values that Vulkan
 * leaves undefined (undef, lanes not active in a shuffle) are 0; the environment may ask for
 * others.
 */
#ifndef IR_EVAL_H
#define IR_EVAL_H

#include "ir/hir.h"

/* A buffer behind a descriptor. `data` may be NULL if `size` is 0. */
typedef struct ir_eval_buffer {
    uint8_t *data;
    uint64_t size;
} ir_eval_buffer;

/* Bits of ir_eval_image_op.has: operands that are there. */
enum {
    IR_EVAL_HAS_LOD = 1,
    IR_EVAL_HAS_DREF = 2,
    IR_EVAL_HAS_OFFSET = 4,
    IR_EVAL_HAS_GRADIENTS = 8,
    IR_EVAL_HAS_MIN_LOD = 16,
    IR_EVAL_HAS_SAMPLE = 32,
    IR_EVAL_HAS_SAMPLER = 64,
};

/* An operation on an image, of one lane. Coordinates, lod and the like are 32-bit patterns: floats
 * (tex, txb, txl, txd, tg4, lod) or integers (txf, txf_ms, image_*, the offset); 16-bit operands
 * have been widened. */
typedef struct ir_eval_image_op {
    ir_op op; /* IR_image_load ... IR_image_levels, IR_tex */
    ir_tex_op tex_op;
    ir_dim dim;
    bool array;
    ir_format format; /* of image_*: as the shader declares it; unknown without one */
    ir_base_type type;
    ir_atomic_op atomic;
    uint32_t access;         /* IR_ACCESS_* */
    uint32_t image, sampler; /* handles */
    unsigned component;      /* tg4 */
    unsigned has;            /* IR_EVAL_HAS_* */
    unsigned n_coord;
    uint32_t coord[4];
    uint32_t lod; /* or bias (txb); integer for txf, image_size */
    uint32_t dref, min_lod, sample;
    uint32_t offset[3], ddx[3], ddy[3];
    unsigned n_data; /* components of image_store's value */
    uint64_t data[4], compare;
    unsigned n_result, result_bits; /* wanted; 32 for 16-bit results, which the interpreter cuts */
    uint64_t result[4];             /* set by the callback: 32-bit patterns (r64: 64-bit) */
} ir_eval_image_op;

/* What a dispatch sees. Callbacks get `user`; those for features that the shader does not use may
 * be NULL. */
typedef struct ir_eval_env {
    void *user;
    /* The handle of a descriptor: any number that the other callbacks understand. */
    uint32_t (*resource)(void *user, uint32_t set, uint32_t binding, uint32_t index,
                         ir_desc_type type);
    /* The buffer (uniform, storage, inline uniform) behind a handle; an unknown handle gives an
     * empty one. */
    ir_eval_buffer (*buffer)(void *user, uint32_t handle);
    /* An image operation. False: not possible, the run ends with an error. */
    bool (*image)(void *user, ir_eval_image_op *op);
    /* Host bytes of [address, address + size), or NULL if that is not all mapped. */
    uint8_t *(*translate)(void *user, uint64_t address, uint64_t size, bool write);
    const uint8_t *push_constants;
    uint32_t push_constant_size;
    uint64_t instruction_limit; /* per subgroup; 0: 2^26 */
    /* For telling what a result depends on that nobody defines. The byte of which values that are
     * never written are made (undef, workgroup memory and scratch at first) and, unless it is 0,
     * quotients and remainders of zero divisors; then, too, a handle that differs between lanes
     * though no access says NonUniform is the first lane's. Whether groups, subgroups and lanes
     * take their turns from the last to the first. And by how much patterns of results are off that
     * machines do not round correctly (divisions, roots, transcendental functions); then they are
     * something else where they are no number. */
    uint8_t undefined;
    bool backwards;
    int8_t rough;
} ir_eval_env;

typedef enum ir_eval_status {
    IR_EVAL_OK,
    IR_EVAL_BAD_ACCESS,  /* outside workgroup memory, scratch or what is mapped */
    IR_EVAL_HANG,        /* the instruction limit was reached */
    IR_EVAL_UNSUPPORTED, /* an opcode without meaning here, or a callback that refused */
} ir_eval_status;

typedef struct ir_eval_result {
    ir_eval_status status;
    char message[256];     /* empty with IR_EVAL_OK */
    uint64_t instructions; /* executed, counted once a subgroup */
    uint64_t lane_ops;     /* the same, counted once a lane */
} ir_eval_result;

/* A function decoded for running; many runs are possible. */
typedef struct ir_eval ir_eval;

/* Decodes `f` for subgroups of `wave_size` lanes (1 to 64). Everything is allocated in `a`, the
 * state of runs too. `f` must outlive the result and not be changed. */
ir_eval *
ir_eval_new(const ir_fn *f, unsigned wave_size, arena *a);

/* Runs groups[0] * groups[1] * groups[2] workgroups. Ends at the first error; what was stored until
 * then stays. Returns result->status. */
ir_eval_status
ir_eval_run(ir_eval *e, const ir_eval_env *env, const uint32_t groups[3], ir_eval_result *result);

#endif
