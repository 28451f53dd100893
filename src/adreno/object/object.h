/* Adreno's code objects: the machine code of one shader, and a note with what a driver must know to
 * launch it (docs/abi.md).
 *
 * The note has two entries: `.target`, the chip, and the `.heddle` map (object/shader_map.h), with
 * Adreno's own entries: registers used, launch values, the compiler's numbers, register words. No
 * machine number of ELF is registered for Adreno; the one used here is in format. */
#ifndef ADRENO_OBJECT_OBJECT_H
#define ADRENO_OBJECT_OBJECT_H

#include "object/object.h"
#include "object/pack.h"
#include "object/shader_file.h"

/* Registers that a driver writes: registers.def. */
typedef enum adreno_obj_register_id {
#define REGISTER(id, name, a6xx, a7xx) ADRENO_OBJ_##id,
#include "adreno/object/registers.def"
#undef REGISTER
    ADRENO_OBJ_REGISTERS
} adreno_obj_register_id;

/* Inputs and outputs of a stage of graphics. */
typedef enum adreno_io_kind {
#define IO(id, first, name, reg, sentence) ADRENO_IO_##id,
#include "adreno/object/stage_io.def"
#undef IO
    ADRENO_IO_KINDS
} adreno_io_kind;

/* Their names in notes and texts, terminated by NULL. */
extern const char *const adreno_io_names[];

/* A texture that is sampled before a fragment shader starts (SP_FS_PREFETCH): 2D, at a varying's
 * components from `place` on. */
typedef struct adreno_prefetch {
    uint8_t place;     /* of the first coordinate among the varyings */
    uint8_t reg, mask; /* of the first component; those that are written */
    uint8_t set;       /* of texture and sampler */
    uint8_t texture, sampler;
} adreno_prefetch;

enum { ADRENO_MAX_PREFETCHES = 4, ADRENO_PREFETCH_REGS = 64 };

/* What a register or constant holds when the shader starts: X(enumerator, name in the notes, is it
 * in constants). */
#define ADRENO_OBJ_VALUES(X)                                                                       \
    X(LOCAL_ID, "local_id", false)                                                                 \
    X(WORKGROUP_ID, "workgroup_id", false)                                                         \
    X(WORKGROUP_COUNT, "const_workgroup_count", true)                                              \
    X(BASE_WORKGROUP, "const_base_workgroup", true)                                                \
    X(WAVE_SIZE, "const_wave_size", true)                                                          \
    X(DRAW_ID, "const_draw_id", true)                                                              \
    X(BASE_VERTEX, "const_base_vertex", true)                                                      \
    X(BASE_INSTANCE, "const_base_instance", true)                                                  \
    X(PUSH_CONSTANTS, "const_push_constants", true)                                                \
    X(NUMBERS, "const_numbers", true)                                                              \
    X(DATA_ADDRESS, "const_data_address", true)

typedef enum adreno_obj_value_kind {
#define X(id, name, is_const) ADRENO_OBJ_##id,
    ADRENO_OBJ_VALUES(X)
#undef X
        ADRENO_OBJ_VALUE_KINDS
} adreno_obj_value_kind;

const char *
adreno_obj_value_name(adreno_obj_value_kind kind);
bool
adreno_obj_value_is_const(adreno_obj_value_kind kind);

/* `count` registers or constants from `first` on, counted in components: r0.y is 1. */
typedef struct adreno_obj_value {
    adreno_obj_value_kind kind;
    uint32_t first, count;
} adreno_obj_value;

/* What Adreno alone knows of a kernel. */
typedef struct adreno_obj_state {
    /* Kinds of inputs and outputs are those of stage_io.def; `place` is of varyings, of component
     * 0; `first` is NO_REG if there is no register. Slots are there before a6xx, which has no
     * descriptor sets: kinds and places are those of src/adreno/slots.def. */
    obj_shader_rows rows;    /* must be first */
    uint32_t full_registers; /* of four components, with the half ones */
    uint32_t branch_stack;   /* places at which fibres wait at once */
    uint32_t consts;         /* constants of four components that the code uses */
    uint32_t spilled;        /* components */
    const adreno_obj_value *values;
    uint32_t n_values;
    const uint32_t *numbers; /* what the constants of NUMBERS hold */
    uint32_t n_numbers;
    const uint32_t *data; /* what is in memory at the address of DATA_ADDRESS */
    uint32_t n_data;
} adreno_obj_state;

/* Registers have an address on a6xx and one on a7xx. */
extern const obj_shader_kind adreno_obj_kind;

enum { ADRENO_OBJ_CODE_ALIGN = 128, ADRENO_OBJ_NO_REG = 0xfc };

/* SP_CS_INSTRLEN of so many bytes of code. */
static inline uint32_t
adreno_obj_instrlen(uint32_t bytes)
{
    return (bytes + ADRENO_OBJ_CODE_ALIGN - 1) / ADRENO_OBJ_CODE_ALIGN;
}

#endif
