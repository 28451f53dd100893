/* The opcode table: names and operand layouts by number. */
#include "spirv/reader.h"

enum {
    ROW_UNKNOWN,
#define OP(number, name, layout) ROW_##name,
#include "spirv/opcodes.def"
#undef OP
};

const spirv_op_row spirv_op_rows[] = {
    [ROW_UNKNOWN] = {"unknown instruction", "|N"},
#define OP(number, name, layout) [ROW_##name] = {"Op" #name, layout},
#include "spirv/opcodes.def"
#undef OP
};

/* Two rows with the same number do not compile. */
const uint16_t spirv_op_row_at[SPIRV_OP_NUMBERS] = {
#define OP(number, name, layout) [number] = ROW_##name,
#include "spirv/opcodes.def"
#undef OP
};

const char *
spirv_model_name(uint32_t model)
{
    switch (model) {
    case 0: return "vertex";
    case 1: return "tessellation control";
    case 2: return "tessellation evaluation";
    case 3: return "geometry";
    case 4: return "fragment";
    case 5: return "compute";
    case 6: return "kernel";
    case 5267:
    case 5364: return "task";
    case 5268:
    case 5365: return "mesh";
    case 5313: return "ray generation";
    case 5314: return "intersection";
    case 5315: return "any hit";
    case 5316: return "closest hit";
    case 5317: return "miss";
    case 5318: return "callable";
    default: return "unknown";
    }
}
