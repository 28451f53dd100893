/* TeraScale's code objects: the machine code of one shader, and a note with what a driver must know
 * to launch it (docs/abi.md).
 *
 * The note has two entries: `.target`, the chip, and the `.heddle` map (object/shader_map.h), with
 * TeraScale's own entries: registers and stack, register words, rows of inputs and outputs, places
 * of resources. LLVM's number of ELF for these chips is AMDGPU's; that of these files is in
 * object.c. */
#ifndef R600_OBJECT_OBJECT_H
#define R600_OBJECT_OBJECT_H

#include "object/object.h"
#include "object/shader_file.h"

/* Registers that a driver writes: registers.def. */
typedef enum r600_obj_register_id {
#define REGISTER(id, name, r600, eg) R600_OBJ_##id,
#include "r600/object/registers.def"
#undef REGISTER
    R600_OBJ_REGISTERS
} r600_obj_register_id;

/* What TeraScale alone knows of a kernel. */
typedef struct r600_obj_state {
    /* Kinds of inputs and outputs are those of src/r600/stage_io.def; `place` is a parameter, 255:
     * none; `first` is the component of a register, four each, 65535: none. Kinds of slots: buffer,
     * uniform, image, texture, sampler. */
    obj_shader_rows rows; /* must be first */
    uint32_t gprs, stack; /* the stack's entries of four elements */
    uint32_t spilled;     /* elements of scratch memory */
} r600_obj_state;

enum { R600_OBJ_NO_PLACE = 255, R600_OBJ_NO_COMPONENT = 65535, R600_OBJ_CODE_ALIGN = 256 };

/* Registers have an address before Evergreen and one from it on. */
extern const obj_shader_kind r600_obj_kind;

#endif
