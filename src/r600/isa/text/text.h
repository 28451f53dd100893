/* What the printer and the assembler both know of texts. */
#ifndef R600_ISA_TEXT_TEXT_H
#define R600_ISA_TEXT_TEXT_H

#include "r600/isa/table/table.h"

enum {
    R600_FIRST_TEMP = 124, /* the register that is T0 */
    R600_KCACHE_LINE = 16, /* constants that a bank locks at a time */
};

/* Selects of swizzles: 4 and 5 are constants, 7 masks the component. */
#define R600_SELECT_CHARS "xyzw01?_"
#define R600_SLOT_CHARS   "xyzwt"

/* Bank swizzles: the cycles in which the operands are read. In slot t others. */
#define R600_VECTOR_BANKS "VEC_012 VEC_021 VEC_120 VEC_102 VEC_201 VEC_210"
#define R600_SCALAR_BANKS "SCL_210 SCL_122 SCL_212 SCL_221"
/* Multipliers of results. Cayman has in their place what a predicate does with lanes. */
#define R600_OMOD_NAMES   "- MUL2 MUL4 DIV2"
#define R600_MASK_OPS     "- BREAK CONTINUE KILL"

/* Fields of source number `i`. */
static inline const uint32_t *
r600_source_fields(const r600_inst *in, unsigned i)
{
    return &in->f[R600_F_src0_sel + i * (R600_F_src1_sel - R600_F_src0_sel)];
}
enum { R600_SRC_SEL, R600_SRC_REL, R600_SRC_CHAN, R600_SRC_NEG, R600_SRC_ABS, R600_SRC_FIELDS };

/* Is `omod` of the instruction what a predicate does with lanes? */
static inline bool
r600_has_mask_op(const r600_isa *t, const r600_inst *in)
{
    return t->gen == R600_GEN_CM && r600_op_row(in->op)->properties & (R600_P_PRED | R600_P_PUSH);
}

/* ---- inside the printer ---- */

typedef struct r600_printer {
    const r600_isa *t;
    const r600_inst *in;
    const char *target;
    base_buf *out;
} r600_printer;

void
r600_print_name(const char *names, uint32_t index, base_buf *out);
void
r600_print_register(uint32_t reg, base_buf *out);
void
r600_print_options(const r600_printer *p);
void
r600_print_alu(const r600_printer *p);
void
r600_print_alu_option(const r600_printer *p, const r600_element_info *e);
void
r600_print_literals(const r600_inst *in, base_buf *out);

#endif
