/* The HIR interpreter (target name `hir`) defines the meaning of a shader without a machine.
 *
 * It runs a dispatch of a HIR function, one workgroup at a time. A workgroup's invocations, in
 * order of their local index, form subgroups of a given size. The lanes of a subgroup run in
 * lockstep; the quads of fragments, too, if subgroups are smaller. Each lane waits at a block; the
 * lanes waiting at the block that comes first in structured order run it together. A merge block
 * comes after its construct and a continue block after the loop's body, so lanes wait there for the
 * others: reconvergence is maximal, and subgroup operations see exactly the lanes that the
 * structure implies. Subgroups of a workgroup take turns at workgroup barriers.
 *
 * The environment provides memory. Buffers are robust (VK_EXT_robustness2): loads out of bounds
 * give 0, stores out of bounds are dropped. Workgroup memory, scratch and addresses are not robust:
 * an access out of bounds is the shader's error and ends the run with a message that names block
 * and lane. Values that Vulkan leaves undefined (undef, inactive lanes in a shuffle) are 0; the
 * environment may ask for others.
 */
#ifndef IR_EVAL_H
#define IR_EVAL_H

#include "ir/hir.h"

/* The buffer that a descriptor refers to. `data` may be NULL if `size` is 0. */
typedef struct ir_eval_buffer {
    uint8_t *data;
    uint64_t size;
} ir_eval_buffer;

/* Bits of ir_eval_image_op.has: which operands are present. */
enum {
    IR_EVAL_HAS_LOD = 1,
    IR_EVAL_HAS_DREF = 2,
    IR_EVAL_HAS_OFFSET = 4,
    IR_EVAL_HAS_GRADIENTS = 8, /* also of an implicit lod, in fragment shaders */
    IR_EVAL_HAS_MIN_LOD = 16,
    IR_EVAL_HAS_SAMPLE = 32,
    IR_EVAL_HAS_SAMPLER = 64,
};

/* One lane's image operation. Coordinates, lod and similar operands are 32-bit patterns: floats
 * (tex, txb, txl, txd, tg4, lod) or integers (txf, txf_ms, image_*, the offset). 16-bit operands
 * have been widened. */
typedef struct ir_eval_image_op {
    ir_op op; /* IR_image_load ... IR_image_levels, IR_tex */
    ir_tex_op tex_op;
    ir_dim dim;
    bool array;
    ir_format format; /* of image_*: as declared in the shader; unknown if none is declared */
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
    /* expected by the interpreter; 32 for 16-bit results, which it narrows */
    unsigned n_result, result_bits;
    uint64_t result[4]; /* set by the callback: 32-bit patterns (r64: 64-bit) */
} ir_eval_image_op;

/* What an invocation of a vertex or fragment shader reads or writes beside resources. */
typedef struct ir_eval_io {
    ir_op op; /* the inputs of these stages in ops.def but is_helper_invocation; store_output,
                 store_xfb */
    uint32_t invocation; /* its number in the run */
    ir_slot slot;        /* the instruction's attributes, where it has them */
    uint32_t location, component, blend_source;
    uint32_t buffer, offset, stride; /* store_xfb */
    ir_base_type type;
    ir_interp interp;
    ir_interp_at at;
    /* load_interpolated_input: the weights, and load_barycentric_at_offset: the offset in pixels,
     * patterns of floats; load_barycentric_at_sample: the sample; load_vertex_input: the vertex */
    uint32_t place[2];
    unsigned n, bits;             /* components, and the size of each */
    uint64_t value[IR_MAX_COMPS]; /* patterns; of loads set by the callback */
} ir_eval_io;

/* The environment of a dispatch. Callbacks receive `user`. A callback for a feature that the shader
 * does not use may be NULL. */
typedef struct ir_eval_env {
    void *user;
    /* Returns the handle of a descriptor: any number that the other callbacks understand. */
    uint32_t (*resource)(void *user, uint32_t set, uint32_t binding, uint32_t index,
                         ir_desc_type type);
    /* Returns the buffer (uniform, storage, inline uniform) for a handle; empty for an unknown
     * handle. */
    ir_eval_buffer (*buffer)(void *user, uint32_t handle);
    /* Performs an image operation. Returns false if it is not possible; the run then ends with an
     * error. */
    bool (*image)(void *user, ir_eval_image_op *op);
    /* Returns the host bytes of [address, address + size), or NULL if the range is not fully
     * mapped. */
    uint8_t *(*translate)(void *user, uint64_t address, uint64_t size, bool write);
    /* Returns the address of the acceleration structure that a handle refers to. */
    uint64_t (*accel)(void *user, uint32_t handle);
    /* Performs a load of an input or a store of an output. Returns false if it is not possible. */
    bool (*io)(void *user, ir_eval_io *io);
    const uint8_t *push_constants;
    uint32_t push_constant_size;
    uint64_t instruction_limit; /* of lanes in lockstep; 0: 2^26 */
    /* These three settings vary what Vulkan leaves undefined, to find results that depend on it.
     * - `undefined`: the byte that fills values that are never written (undef, the initial contents
     *   of workgroup memory and scratch, and what the caller of a stage makes of outputs;
     *   derivatives with pixels that do not take part; constant data outside of its array). If it
     *   is not 0, it also fills quotients and remainders of division by zero, and a handle that
     *   differs between lanes without NonUniform takes the first active lane's value.
     * - `backwards`: groups, subgroups and lanes take their turns from last to first.
     * - `rough`: added to the bit patterns of results that machines do not round correctly
     *   (divisions, roots, transcendental functions; `io` adds it to interpolated inputs, in
     *   turn with its negative). If it is not 0, infinite results become NaN
     *   and NaN results become 0. */
    uint8_t undefined;
    bool backwards;
    int8_t rough;
    bool find_races; /* tell of races between the lanes of a subgroup (eval_races.c) */
} ir_eval_env;

typedef enum ir_eval_status {
    IR_EVAL_OK,
    IR_EVAL_BAD_ACCESS, /* outside workgroup memory, scratch or mapped memory */
    IR_EVAL_HANG,       /* the instruction limit was reached */
    /* an opcode that the interpreter does not implement, or a callback refused */
    IR_EVAL_UNSUPPORTED,
} ir_eval_status;

typedef struct ir_eval_result {
    ir_eval_status status;
    char message[256];     /* empty with IR_EVAL_OK */
    char race[160];        /* the first race that env->find_races found; otherwise empty */
    uint64_t instructions; /* executed, counted once for lanes in lockstep */
    uint64_t lane_ops;     /* the same, counted once per lane */
} ir_eval_result;

/* A function decoded for execution. It can be run many times. */
typedef struct ir_eval ir_eval;

/* Decodes `f` for subgroups of `size` lanes (1 to 64). Everything is allocated in `a`,
 * including the state of runs. `f` must outlive the result and must not be changed. */
ir_eval *
ir_eval_new(const ir_fn *f, unsigned size, arena *a);

/* Runs groups[0] * groups[1] * groups[2] workgroups. Stops at the first error; stores made before
 * it remain. Returns result->status. */
ir_eval_status
ir_eval_run(ir_eval *e, const ir_eval_env *env, const uint32_t groups[3], ir_eval_result *result);

/* Runs `n` invocations of a vertex or fragment shader. Those of a fragment shader are quads: four
 * in turn are the pixels at (0, 0), (1, 0), (0, 1), (1, 1), and `helper` says which of the
 * invocations begin as helpers (NULL: none); `n` is a multiple of 4, and the size of subgroups is
 * one, too, or divides 4. Those that became helpers or were terminated are added to `helper`. */
ir_eval_status
ir_eval_run_stage(ir_eval *e, const ir_eval_env *env, uint32_t n, bool *helper,
                  ir_eval_result *result);

#endif
