/* Machine IR of Adreno, and the data of a program.
 *
 * Opcodes are the rows of isa/ops.def and, behind them, the pseudo instructions of pseudo.def.
 * Three words of attributes say what an instruction's fields say; which of them an opcode uses
 * follows from its format. References are registers, numbers, or constants: a number stands for
 * itself, or with bit `cfile` of its place for a dword of the constant file. The sizes of
 * registers are those of their classes: f1 is a full register, h1 a half one, p1 a predicate, s1
 * one that the fibres of a wave share. An operation with a shared result is of the scalar ALU.
 *
 *   load, stores     references in the order of the texts, results first
 *   mad.f16, mad.f32 imm: it must not become two operations
 *   br               the predicate; successor 0 is taken where it holds (or with `inv` does not)
 *   bary.f, flat.b, ldlv   the place of the varying; bary.f: the weights, two registers
 *   end              the outputs of a stage of graphics, in the order of its rows
 *   brcst.active     (what the lower half of a cluster keeps, value)
 *   atomic.b         (result, data ...) is one vector, which the definition overwrites
 *   sam ...          rows of operands, a row of descriptors' numbers if `mode` has them in
 *                    registers, the value of a1.x if it is read (until lower_pseudo, which moves it
 *                    there) */
#ifndef ADRENO_ADRENO_H
#define ADRENO_ADRENO_H

#include "adreno/isa/table/table.h"
#include "adreno/isa/text/text.h"
#include "adreno/object/object.h"
#include "cg/state.h"
#include "family/family.h"
#include "family/layout.h"
#include "family/pipeline.h"
#include "ir/machine.h"
#include "ir/text.h"

#include <assert.h>

typedef enum adreno_mir {
    ADRENO_P_FIRST = ADRENO_OP_COUNT - 1,
#define PSEUDO(id, name, defs, refs, flags) ADRENO_##id,
#include "adreno/pseudo.def"
#undef PSEUDO
    ADRENO_MIR_COUNT
} adreno_mir;

/* Register classes: so many registers in a row. */
enum {
    ADRENO_F1 = 1,
    ADRENO_MAX_ROW = 16,
    ADRENO_H1 = ADRENO_F1 + ADRENO_MAX_ROW,
    ADRENO_P1 = ADRENO_H1 + ADRENO_MAX_ROW,
    ADRENO_S1,
    ADRENO_MAX_SHARED_ROW = 4,
    ADRENO_CLASSES = ADRENO_S1 + ADRENO_MAX_SHARED_ROW,
};

enum { ADRENO_BANK_GPR, ADRENO_BANK_SHARED, ADRENO_BANK_P, ADRENO_BANKS };

/* Registers in bytes, as in ir_ref.reg: full ones from 0, shared ones from r48.x on, predicates.
 * Shared ones are given out from r49.x on: the first row has the workgroup's numbers, and the last
 * one is for the code between fibres (post/lower_lanes.c). */
enum {
    ADRENO_REG_SHARED = 4 * 48 * 4,
    ADRENO_REG_LANES = 4 * 55 * 4,
    ADRENO_REG_PREDICATE = 1024,
    ADRENO_HALF_UNITS = 48 * 4, /* halves lie in r0.x to r23.w */
    ADRENO_FULL_UNITS = 2 * 48 * 4,
    ADRENO_REG_FREE_SHARED = 4 * 49 * 4,
    ADRENO_SHARED_UNITS = (ADRENO_REG_LANES - ADRENO_REG_FREE_SHARED) / 2,
};

/* The first bits of attributes in their words. */
enum {
#define OTHER(id, name, word, shift, bits, kind, names)            ADRENO_##id = shift,
#define ATTRIBUTE(id, name, word, shift, bits, kind, names, field) ADRENO_##id = shift,
#include "adreno/attributes.def"
#undef ATTRIBUTE
#undef OTHER
};

/* Conditions, as cond has them. */
typedef enum adreno_condition {
    ADRENO_LT,
    ADRENO_LE,
    ADRENO_GT,
    ADRENO_GE,
    ADRENO_EQ,
    ADRENO_NE,
} adreno_condition;

/* Whose values P_SCAN and P_SCAN_EIGHTS combine, as cond: all, those up to this fibre, or those
 * before it. */
typedef enum adreno_scan {
    ADRENO_SCAN_ALL,
    ADRENO_SCAN_UP_TO,
    ADRENO_SCAN_BEFORE,
} adreno_scan;

/* ir_instr.form: what the last phases set. */
enum { ADRENO_FORM_SS = 1, ADRENO_FORM_SY = 2, ADRENO_FORM_JP = 4, ADRENO_FORM_NOP = 3 };

/* ---- targets ---- */

/* Properties in which chips differ: properties.def. */
typedef struct adreno_target {
    const adreno_chip *chip;
#define PROPERTY(type, name, value, sentence) type name;
#include "adreno/properties.def"
#undef PROPERTY
} adreno_target;

adreno_target
adreno_target_of(const adreno_chip *chip);

/* ---- a program ---- */

/* Dwords of the constant file. */
enum {
    ADRENO_CONST_GROUPS = 0,        /* numbers of workgroups */
    ADRENO_CONST_BASE = 4,          /* first workgroup */
    ADRENO_CONST_PUSH = 16,         /* push constants, then the compiler's numbers */
    ADRENO_MAX_LITERALS = 512,      /* of the compiler */
    ADRENO_CONST_BUFFERS = 448 * 4, /* a4xx: address, pitch, pitch of layers, bytes of a buffer */
};

/* Of vertex shaders; in place of the numbers of workgroups. */
enum {
    ADRENO_CONST_DRAW = 0,
    ADRENO_CONST_BASE_VERTEX = 1,
    ADRENO_CONST_BASE_INSTANCE = 2,
};

/* What a driver provides of a resource where there are no descriptor sets. */
typedef enum adreno_slot_kind {
#define SLOT(id, name, words, sentence) ADRENO_SLOT_##id,
#include "adreno/slots.def"
#undef SLOT
    ADRENO_SLOT_KINDS
} adreno_slot_kind;

enum { ADRENO_MAX_SLOTS = 64 };

typedef struct adreno_slot {
    uint8_t kind; /* adreno_slot_kind */
    uint32_t set, binding, element;
    uint32_t place; /* the number, or the first constant: slots.def */
} adreno_slot;

enum { ADRENO_MAX_IO = 96, ADRENO_IO_NO_REG = 0xffff };

/* An input or output of a stage of graphics, a row of object/stage_io.def. */
typedef struct adreno_io {
    uint8_t kind; /* adreno_io_kind */
    /* Of VARYING and OUTPUT: ir_slot and location; of ATTRIBUTE and colours: location; of CAPTURED:
     * a number, and the buffer. */
    uint8_t slot, location;
    uint8_t mask;    /* components that are read or written */
    uint8_t aliased; /* those that alias.rt gives */
    uint16_t at;     /* varyings: the place of component 0; CAPTURED: its dword */
    uint16_t reg;    /* of component 0, as instructions number registers; or NO_REG */
} adreno_io;

/* The number of r63.x, which drops what is written. */
enum { ADRENO_NO_RESULT = 63 * 4 };

enum {
#define SWITCH(name, id, bit) ADRENO_DEBUG_##id = 1 << (bit),
#include "adreno/debug.def"
#undef SWITCH
};

typedef struct adreno_program {
    cg_state cg; /* must be first */
    const adreno_target *target;
    ir_fn *fn;
    family_layout *layout;
    uint32_t debug; /* ADRENO_DEBUG_* */
    uint32_t wave_size;
    bool chooses_wave; /* nothing says which size; it is known when registers are */
    uint32_t local_bytes, private_bytes;
    uint32_t array_words; /* of arrays in registers */
    uint32_t push_dwords;
    uint32_t literals[ADRENO_MAX_LITERALS], n_literals;
    uint32_t constant_at;    /* 1 + the literal where constant data begins; 0: there is none */
    uint32_t constant_words; /* literals that are not the compiler's to share */
    bool constant_in_memory; /* constant data: the literals are its address */
    adreno_slot slots[ADRENO_MAX_SLOTS];
    uint32_t n_slots;
    bool uses_local_id, uses_group_id;
    bool early_preamble; /* the preamble has only shared registers; known when code is emitted */
    uint32_t full_used, half_used, branch_stack;
    uint32_t spilled;    /* units that were stored */
    uint32_t spill_base; /* 1 + the offset of the first slot in private memory; 0: there is none */
    uint16_t gpr_budget; /* units; 0: all */
    uint32_t n_words;    /* of code */
    const family_pipeline *pipeline; /* of graphics */
    adreno_io io[ADRENO_MAX_IO];     /* inputs first */
    uint32_t n_io;
    uint32_t captured_stride[FAMILY_CAPTURED_BUFFERS]; /* bytes of a vertex; 0: no such buffer */
    adreno_prefetch prefetches[ADRENO_MAX_PREFETCHES]; /* known when the code is emitted */
    uint32_t n_prefetches;
} adreno_program;

extern const ir_level adreno_level;

/* The description of registers and instructions for general passes; the fields of a program's
 * text. */
extern const ir_machine adreno_machine_description;
extern const ir_text_field adreno_program_fields[];

static inline adreno_program *
adreno_prog(const ir_fn *f)
{
    return f->backend;
}

/* Bytes as words, the low byte first; `words` are zeros before. */
static inline void
adreno_pack_words(const uint8_t *bytes, uint32_t size, uint32_t *words)
{
    for (uint32_t b = 0; b < size; b++)
        words[b / 4] |= (uint32_t)bytes[b] << 8 * (b % 4);
}

/* The place of one of the compiler's numbers in the constant file. */
static inline uint32_t
adreno_literal_place(const adreno_program *p, uint32_t literal)
{
    return ADRENO_CONST_PUSH + p->push_dwords + literal;
}

/* The register of the first of the three numbers of a workgroup, in components. */
static inline unsigned
adreno_group_id_number(const adreno_target *t)
{
    return t->shared_registers ? ADRENO_REG_SHARED / 4 : 3;
}

/* ---- phases ---- */

/* Those on machine IR, in the order of the pipeline. */
#define PHASE(id, function, ...) void function(ir_fn *f);
#define OPTIONAL_PHASE           PHASE
#include "adreno/phases.def"
#undef OPTIONAL_PHASE
#undef PHASE

/* ---- instructions ---- */

static inline bool
adreno_is_pseudo(unsigned op)
{
    return op >= ADRENO_OP_COUNT;
}

static inline unsigned
adreno_category(unsigned op)
{
    return adreno_is_pseudo(op) || op == ADRENO_RAW ? 0xff : adreno_category_of((adreno_op)op);
}

static inline bool
adreno_is_half_class(unsigned rc)
{
    return rc >= ADRENO_H1 && rc < ADRENO_P1;
}

static inline bool
adreno_is_shared_class(unsigned rc)
{
    return rc >= ADRENO_S1;
}

/* One register each, both full or both half ones? */
static inline bool
adreno_is_same_size(unsigned a, unsigned b)
{
    return a == b || (a == ADRENO_F1 && b == ADRENO_S1) || (a == ADRENO_S1 && b == ADRENO_F1);
}

/* The registers of a class. */
static inline unsigned
adreno_row(unsigned rc)
{
    if (adreno_is_shared_class(rc))
        return rc - ADRENO_S1 + 1;
    return rc == ADRENO_P1 ? 1 : rc >= ADRENO_H1 ? rc - ADRENO_H1 + 1 : rc;
}

static inline unsigned
adreno_class(bool half, unsigned n)
{
    return (half ? ADRENO_H1 : ADRENO_F1) + n - 1;
}

/* Has it a register? */
static inline bool
adreno_has_register(ir_ref r)
{
    return r.kind != IR_REF_CONST && r.kind != IR_REF_UNDEF && r.reg != IR_REG_NONE;
}

/* Does it branch by predicates? */
static inline bool
adreno_is_branch(unsigned op)
{
    return op == ADRENO_BR || op == ADRENO_BRAA || op == ADRENO_BRAO;
}

/* bary.f, flat.b and ldlv: the first operand is a place among the varyings. */
static inline bool
adreno_is_varying_op(unsigned op)
{
    return op == ADRENO_BARY_F || op == ADRENO_FLAT_B || op == ADRENO_LDLV;
}

/* Has the row places among the varyings? */
static inline bool
adreno_has_places(const adreno_io *io)
{
    return io->kind == ADRENO_IO_VARYING || io->kind == ADRENO_IO_FLAT_VARYING;
}

/* The first row of a kind; NULL: there is none. */
static inline const adreno_io *
adreno_find_io(const adreno_program *p, adreno_io_kind kind)
{
    for (uint32_t k = 0; k < p->n_io; k++)
        if (p->io[k].kind == kind)
            return &p->io[k];
    return NULL;
}

static inline ir_ref
adreno_number(uint32_t value, bool half)
{
    return ir_pack_ref(IR_REF_CONST, value, IR_REG_NONE, half ? ADRENO_H1 : ADRENO_F1, 0);
}

/* The same for a full register. */
static inline ir_ref
adreno_full(uint32_t value)
{
    return adreno_number(value, false);
}

static inline ir_ref
adreno_undef(unsigned rc)
{
    return ir_pack_ref(IR_REF_UNDEF, 0, IR_REG_NONE, rc, 0);
}

static inline uint32_t
adreno_attr(const ir_instr *i, unsigned word, unsigned shift, unsigned bits)
{
    return ir_words(i)[word] >> shift & ((1u << bits) - 1);
}

static inline void
adreno_set(ir_instr *i, unsigned word, unsigned shift, uint32_t value)
{
    ir_words(i)[word] |= value << shift;
}

/* A move, or a conversion between types, that is in no block yet. */
static inline ir_instr *
adreno_new_move(ir_fn *f, ir_ref from, unsigned stype, unsigned dtype)
{
    ir_instr *i = ir_new_instr(f, stype == dtype ? ADRENO_MOV : ADRENO_COV, 1, 1);
    i->refs[0] = from;
    adreno_set(i, 0, ADRENO_M_STYPE, stype);
    adreno_set(i, 0, ADRENO_M_DTYPE, dtype);
    return i;
}

/* Does a texture instruction have the sampler's set in a1.x? */
static inline bool
adreno_reads_a1(const ir_instr *i)
{
    return adreno_category(i->op) == 5 && adreno_uses_a1(adreno_attr(i, 2, ADRENO_W_MODE, 3));
}

/* The number of a register in instructions; of halves those up to r23.w, or shared ones. */
static inline unsigned
adreno_reg_number(ir_ref r)
{
    assert(!adreno_is_half_class(r.rc) || r.reg < 2 * ADRENO_HALF_UNITS ||
           r.reg >= ADRENO_REG_SHARED);
    if (r.rc == ADRENO_P1)
        return (r.reg - ADRENO_REG_PREDICATE) / 2u + 62 * 4;
    return adreno_is_half_class(r.rc) ? r.reg / 2u : r.reg / 4u;
}

#endif
