/* The file and its note. */
#include "r600/object/object.h"

#include <stddef.h>

/* Not a registered number: one above all of them. */
enum { EM_TERASCALE = 0xad60, NT_METADATA = 32 };

static const obj_state_number numbers[] = {
    {".gprs", offsetof(r600_obj_state, gprs), true},
    {".stack", offsetof(r600_obj_state, stack), true},
    {".spilled", offsetof(r600_obj_state, spilled), false},
};

static const obj_register_row registers[] = {
#define REGISTER(id, name, r600, eg) {name, {r600, eg}},
#include "r600/object/registers.def"
#undef REGISTER
};

_Static_assert((int)R600_OBJ_REGISTERS <= (int)OBJ_MOST_REGISTERS, "a program may set all");

const obj_shader_kind r600_obj_kind = {
    .format = {.machine = EM_TERASCALE,
               .machine_name = "TeraScale",
               .note_owner = "TeraScale",
               .note_type = NT_METADATA,
               .code_align = R600_OBJ_CODE_ALIGN},
    .state_size = sizeof(r600_obj_state),
    .numbers = numbers,
    .n_numbers = sizeof numbers / sizeof *numbers,
    .registers = registers,
    .n_registers = R600_OBJ_REGISTERS,
};
