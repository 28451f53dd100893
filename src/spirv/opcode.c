/* The opcode table: names and operand layouts by number. */
#include "spirv/reader.h"

enum {
    ROW_UNKNOWN,
#define OP(number, name, layout) ROW_##name,
#include "spirv/opcodes.def"
#undef OP
};

/* What a row says of its layout, a string literal `s`, as constant expressions. */
#define AT(s, k)     ((k) < sizeof(s) ? (s)[(k) < sizeof(s) ? (k) : 0] : '\0')
#define IS_ID(s, k)  (AT(s, k) == 'T' || AT(s, k) == 'R' || AT(s, k) == 'i')
#define IS_ONE(s, k) (IS_ID(s, k) || AT(s, k) == 'n')
#define FIXED_8(s)   (IS_ONE(s, 7) ? 8 : 7)
#define FIXED_6(s)   (IS_ONE(s, 5) ? (IS_ONE(s, 6) ? FIXED_8(s) : 6) : 5)
#define FIXED_4(s)   (IS_ONE(s, 3) ? (IS_ONE(s, 4) ? FIXED_6(s) : 4) : 3)
#define FIXED_2(s)   (IS_ONE(s, 1) ? (IS_ONE(s, 2) ? FIXED_4(s) : 2) : 1)
#define FIXED(s)     (IS_ONE(s, 0) ? FIXED_2(s) : 0)
#define ID_BIT(s, k) (IS_ID(s, k) && (k) < FIXED(s) ? 1u << (k) : 0)
#define IDS(s)                                                                                     \
    (ID_BIT(s, 0) | ID_BIT(s, 1) | ID_BIT(s, 2) | ID_BIT(s, 3) | ID_BIT(s, 4) | ID_BIT(s, 5) |     \
     ID_BIT(s, 6) | ID_BIT(s, 7))
#define RESULT(s) (AT(s, 0) == 'R' ? 1 : AT(s, 1) == 'R' ? 2 : 0)
#define IS_TYPE(s)                                                                                 \
    (AT(s, 2) == 'T' && AT(s, 3) == 'y' && AT(s, 4) == 'p' && AT(s, 5) == 'e') /* OpType... */
#define ROW(name, layout)                                                                          \
    {                                                                                              \
        name, layout, FIXED(layout), IDS(layout), RESULT(layout), IS_TYPE(name)                    \
    }

const spirv_op_row spirv_op_rows[] = {
    [ROW_UNKNOWN] = ROW("unknown instruction", "|N"),
#define OP(number, name, layout) [ROW_##name] = ROW("Op" #name, layout),
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
