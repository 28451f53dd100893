/* A compiled program of TeraScale: what selection says to the launch.
 *
 * The driver's part of the ABI (docs/abi.md): constant buffer 0 holds the numbers below, the push
 * constants and the shader's constant data; uniform buffers are constant buffers from 1 on. A
 * storage buffer is RAT n, and vertex resource n for loads. Vertex resource R600_RESOURCE_CONSTANT
 * + n is constant buffer n, for indices that are not known. Resource R600_RESOURCE_BYTES + m is
 * resource m with a stride of a byte, for numbers of 8 and 16 bits. An image that is stored to is
 * RAT n, and texture or texel buffer R600_RESOURCE_IMAGE + n; a texture is R600_RESOURCE_TEXTURE +
 * n. Where atomics leave what was there is resource R600_RESOURCE_RETURN, a dword for each lane of
 * each wave of the chip. Resource R600_RESOURCE_VERTEX + n is vertex buffer n. Resource
 * R600_RESOURCE_MEMORY is the 4 GiB, aligned to their size, in which all buffers are whose
 * addresses shaders know. */
#ifndef R600_R600_H
#define R600_R600_H

#include "base/bits.h"
#include "family/family.h"
#include "family/layout.h"
#include "family/pipeline.h"
#include "r600/isa/table/table.h"

enum {
    R600_MOST_RATS = 12,
    R600_RAT_PRIVATE = R600_MOST_RATS - 1, /* private memory, a part for each lane */
    R600_MOST_CONSTANT_BUFFERS = 16,
    R600_MOST_LDS = 32768,    /* bytes, of a workgroup */
    R600_MOST_SCRATCH = 4096, /* elements of a lane, which a field of 12 bits counts */
    R600_RESOURCE_RETURN = R600_MOST_RATS,
    R600_RESOURCE_MEMORY, /* what addresses reach */
    R600_RESOURCE_CONSTANT = 16,
    R600_RESOURCE_BYTES = 32,
    R600_RESOURCE_VERTEX = 64,
    R600_RESOURCE_IMAGE = 96, /* + the RAT's number */
    R600_RESOURCE_TEXTURE = 112,
    R600_MOST_TEXTURES = 48,
    R600_MOST_SAMPLERS = 18,
};

/* Dwords of constant buffer 0. */
enum {
    R600_CONST_GROUPS = 0, /* numbers of workgroups; of a draw: */
    R600_CONST_BASE_VERTEX = 0,
    R600_CONST_BASE_INSTANCE = 1,
    R600_CONST_DRAW = 2,
    R600_CONST_SIZES = 4, /* bytes of each storage buffer */
    R600_CONST_PUSH = 16, /* push constants, then constant data, then what is said of resources: */
};

/* What shaders must be told of a resource, R600_TEXELS_DWORDS behind those before it (as Mesa's
 * driver does, r600_state_common.c: buffer_constants): of an array of cubes how many they are; of a
 * texel buffer, R600 and R700 alone, the bits of each component that the format has, those that it
 * has not as bits of the fourth component, and the number of texels. */
enum { R600_TEXELS_MASKS = 0, R600_TEXELS_OR = 4, R600_TEXELS_COUNT = 5, R600_TEXELS_DWORDS = 8 };

/* ---- stages of graphics ---- */

typedef enum r600_io_kind {
#define IO(id, name, register, sentence) R600_IO_##id,
#include "r600/stage_io.def"
#undef IO
    R600_IO_COUNT
} r600_io_kind;

enum { R600_MOST_IO = 96, R600_MOST_PARAMETERS = 32, R600_IO_NO_PARAMETER = 0xff };

/* A row of what a stage has. */
typedef struct r600_io {
    uint8_t kind;
    uint8_t slot, location, mask; /* components */
    uint8_t interp, at;           /* of a varying: ir_interp, or R600_IO_FLAT; ir_interp_at */
    uint8_t number;               /* of a varying or an output: the parameter's */
    uint16_t reg;                 /* of an input: the first component, four to a register */
    bool is_moved;                /* of a varying: before Evergreen, it is read elsewhere, too */
} r600_io;

enum { R600_IO_FLAT = IR_INTERP_COUNT };

/* The components of the row's slot up to its last one. */
static inline uint32_t
r600_io_end(const r600_io *io)
{
    return io->location * 4u + base_bit_width(io->mask);
}

/* ---- programs ---- */

typedef enum r600_bound_kind {
    R600_BOUND_BUFFER,  /* a RAT and a vertex resource */
    R600_BOUND_UNIFORM, /* a constant buffer */
    R600_BOUND_IMAGE,   /* a RAT and a texture, or a texel buffer */
    R600_BOUND_TEXTURE, /* or a texel buffer */
    R600_BOUND_SAMPLER,
} r600_bound_kind;

/* A binding that the program uses. */
typedef struct r600_bound {
    uint32_t set, binding, element;
    uint8_t kind; /* r600_bound_kind */
    uint8_t number;
    bool is_stored; /* IMAGE: the program stores to it */
} r600_bound;

typedef struct r600_program {
    const r600_chip *chip;
    family_layout *layout;
    uint32_t wave_size;
    uint32_t gprs, stack;
    uint32_t inputs; /* registers that the hardware fills */
    uint32_t lds_bytes;
    uint32_t push_dwords;
    const uint8_t *constants; /* behind the push constants */
    uint32_t constant_bytes;
    uint32_t n_texels; /* resources up to the last one of which constants are needed */
    r600_bound bound[R600_MOST_RATS + R600_MOST_CONSTANT_BUFFERS + R600_MOST_TEXTURES +
                     R600_MOST_SAMPLERS];
    uint32_t n_bound;
    bool uses_returns;       /* atomics with results */
    uint32_t private_bytes;  /* of a lane */
    uint32_t spill_elements; /* of 16 bytes, of scratch memory of a lane, behind the private ones */
    const ir_fn *hir;
    const family_pipeline *pipeline; /* of a stage of graphics */
    r600_io io[R600_MOST_IO];
    uint32_t n_io;
    uint32_t first_rat; /* of storage buffers: colours of fragments are RATs, too */
    uint32_t
        captured_stride[FAMILY_CAPTURED_BUFFERS]; /* bytes of a vertex; 0: nothing is captured */
    uint32_t n_parameters; /* that a vertex shader exports, or a fragment shader reads */
} r600_program;

/* Which of the descriptions is a resource's: textures come before images that are stored to. */
static inline uint32_t
r600_description_of(uint32_t resource)
{
    return resource >= R600_RESOURCE_TEXTURE ? resource - R600_RESOURCE_TEXTURE
                                             : resource - R600_RESOURCE_IMAGE + R600_MOST_TEXTURES;
}

/* The dword of constant buffer 0 from which on resources are described. */
static inline uint32_t
r600_first_texels(const r600_program *p)
{
    return (R600_CONST_PUSH + p->push_dwords + (p->constant_bytes + 3) / 4 + 3) & ~3u;
}

#endif
