/* AMD's part of the assembler: instructions, kernel directives, functions and names. The language
 * is asm/'s, whose machine this is.
 *
 * A mnemonic names a row and perhaps, by suffix, a form (32-bit, VOP3, SDWA, DPP); without suffix
 * the forms are tried in LLVM's order, and the first one that takes the operands and modifiers
 * wins. Each trial parses the rest of the line again, guided by the row's operands. A trial that
 * fails records where and why; the one that got furthest gives the diagnostic.
 *
 *   asm_unit.c         the machine: mnemonics, symbols that are always there, branches; the calls
 *   asm_instruction.c  instructions: forms and encoding
 *   asm_operand.c      registers, constants, source modifiers
 *   asm_literal.c      literals whose values are not known yet
 *   asm_value.c        operands with their own names: s_waitcnt's, sendmsg, hwreg, swizzle, targets
 *   asm_modifier.c     what follows the operands
 *   asm_call.c         functions in expressions
 *   asm_kernel.c       directives, counts of registers
 */
#ifndef AMD_ASM_H
#define AMD_ASM_H

#include "amd/isa/asm/amdhsa.h"
#include "amd/isa/asm/unit.h"
#include "amd/isa/table/table.h"
#include "asm/ctx.h"

/* The machine's state: asm_ctx.user. */
typedef struct amd_asm {
    amd_gen gen;
    bool wave64;
    amd_unit *unit;
    base_strings mnemonics; /* of the generation */
    uint16_t *mnemonic_ops; /* amd_op by number of mnemonic */
    bool has_target;        /* target is known */
    amd_hsa_target target;
    uint32_t next_free[2]; /* .amdgcn.next_free_vgpr and _sgpr */
    bool has_literal;      /* of the instruction: one whose value is not known yet */
    asm_expr literal;
    const char *literal_at;
} amd_asm;

static inline amd_asm *
amd_asm_of(const asm_ctx *a)
{
    return a->user;
}

/* An .amdhsa_kernel: its directives; the expressions of those whose values are not known yet. */
typedef struct amd_asm_kernel {
    asm_token name;
    uint32_t source; /* that has the name; lines may come from others */
    amd_hsa_kernel rows;
    bool is_bad;    /* a row of it was wrong */
    bool has_stray; /* a line in it was no row */
    uint32_t owner; /* the symbol of its name */
    uint32_t n_open;
    struct amd_asm_open_row {
        amd_hsa_row row;
        asm_expr expr;
        const char *at;
    } open[AMD_HSA_ROW_COUNT];
} amd_asm_kernel;

/* An instruction being parsed in one form. */
typedef struct amd_asm_trial {
    amd_inst in;
    const amd_op_info *row;
    bool omit_dst; /* the text has no vdst: an atomic that does not return, a load to LDS */
    uint8_t dst_count[AMD_MAX_DST],
        src_count[AMD_MAX_SRC]; /* registers written in the text; 0 for constants */
    uint8_t half;               /* of the last register: 0 not written, 'l' or 'h' */
    bool has_literal, op_sel_hi_given, labelled;
    uint32_t label; /* symbol of the branch's target */
    const char *at_label;
    uint64_t modifiers[2]; /* bits of those that were there */
} amd_asm_trial;

/* Parses and emits the instruction whose mnemonic is the current token. */
void
amd_asm_instruction(asm_ctx *a);

/* Parses operand `o` into t->in.dst[i] or src[i]. */
bool
amd_asm_operand(asm_ctx *a, amd_asm_trial *t, const amd_operand *o, unsigned i);

/* Parses an immediate operand. */
bool
amd_asm_immediate(asm_ctx *a, amd_asm_trial *t, amd_kind kind);

/* The value after "offset:" of DS, with swizzle(). */
bool
amd_asm_swizzle(asm_ctx *a, int64_t *value);

/* Parses the modifiers after the operands, to the line's end. */
bool
amd_asm_modifiers(asm_ctx *a, amd_asm_trial *t);

/* An expression for a literal of the instruction: where it has labels in it, known or not (so
 * LLVM), it is a placeholder, which amd_asm_note_literal finds again in the encoded instruction. */
bool
amd_asm_literal(asm_ctx *a, bool alone, int64_t *value);
bool
amd_asm_note_literal(asm_ctx *a, size_t start);

/* Counts the registers that the instruction names for .amdgcn.next_free_vgpr and _sgpr. */
void
amd_asm_count_registers(asm_ctx *a, const amd_asm_trial *t);

/* The function in expressions whose name is the token; NULL if there is none, or it depends on the
 * target and that is not known. */
const asm_function *
amd_asm_find_function(const asm_ctx *a);

/* The directives of AMDGPU. */
extern const asm_directive amd_asm_directives[];

#endif
