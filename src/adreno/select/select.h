/* HIR to machine instructions.
 *
 * Each component of a value has a register of its own, of 64 bits two; vectors are made where
 * instructions want registers in a row. Booleans are 0 or 1 in a full register, numbers of 8 bits
 * the low bits of one. Numbers may be operands anywhere; place_constants makes that legal. Blocks
 * correspond to those of HIR, because each fibre has its own way through the program. */
#ifndef ADRENO_SELECT_SELECT_H
#define ADRENO_SELECT_SELECT_H

#include "adreno/adreno.h"
#include "base/fp.h"
#include "ir/hir.h"
#include "opt/private_parts.h"

/* The registers of a row of inputs or outputs. */
typedef ir_ref adreno_io_refs[4];

typedef struct adreno_sel {
    const ir_fn *hir;
    ir_fn *f;
    adreno_program *p;
    ir_block *cur;
    ir_block **blocks; /* by number of HIR's */
    ir_ref **values;   /* by value of HIR: its registers */
    ir_instr *last;    /* emitted last */
    uint32_t loc;
    ir_ref local_id[3], group_id[3];
    adreno_io_refs *io;      /* of a stage of graphics, by row */
    ir_instr *start;         /* defines the inputs */
    opt_private_parts parts; /* those in registers: the number among the arrays' */
} adreno_sel;

ir_fn *
adreno_select_program(ir_fn *hir);

/* ---- inside the room ---- */

_Noreturn void
adreno_sel_unsupported(adreno_sel *s, const char *what);

/* Appends an instruction, whose operands the caller fills in. */
ir_instr *
adreno_append(adreno_sel *s, unsigned op, unsigned n_defs, unsigned n_refs);

/* Emits an instruction with a result of class `rc`; 0: without. */
ir_ref
adreno_emit(adreno_sel *s, unsigned op, unsigned rc, unsigned n, const ir_ref *refs);
ir_ref
adreno_emit_1(adreno_sel *s, unsigned op, unsigned rc, ir_ref a);
ir_ref
adreno_emit_2(adreno_sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b);
ir_ref
adreno_emit_3(adreno_sel *s, unsigned op, unsigned rc, ir_ref a, ir_ref b, ir_ref c);

/* The same with the result in a full register. */
static inline ir_ref
adreno_op1(adreno_sel *s, unsigned op, ir_ref a)
{
    return adreno_emit_1(s, op, ADRENO_F1, a);
}
static inline ir_ref
adreno_op2(adreno_sel *s, unsigned op, ir_ref a, ir_ref b)
{
    return adreno_emit_2(s, op, ADRENO_F1, a, b);
}
static inline ir_ref
adreno_op3(adreno_sel *s, unsigned op, ir_ref a, ir_ref b, ir_ref c)
{
    return adreno_emit_3(s, op, ADRENO_F1, a, b, c);
}

/* Sets bits of an attribute word of the last instruction; taking a row apart does not count. */
static inline void
adreno_mark(adreno_sel *s, unsigned word, unsigned shift, uint32_t value)
{
    adreno_set(s->last, word, shift, value);
}

/* A boolean: whether the condition holds. */
ir_ref
adreno_compare(adreno_sel *s, unsigned op, adreno_condition cond, ir_ref a, ir_ref b);

static inline ir_ref
adreno_float(double x)
{
    return adreno_full(base_f32_bits((float)x));
}

/* The type of numbers of this kind in full or half registers. */
static inline unsigned
adreno_type_of(ir_base_type base, bool half)
{
    static const uint8_t full[] = {
        [IR_BASE_float] = ADRENO_F32, [IR_BASE_int] = ADRENO_S32, [IR_BASE_uint] = ADRENO_U32};
    return full[base] - half;
}

/* A number of one kind as one of another, in a full or half register. */
ir_ref
adreno_emit_convert(adreno_sel *s, ir_base_type from, ir_base_type to, bool half, ir_ref a);

/* A conversion; a number in a register; a dword of the constant file in one. */
ir_ref
adreno_emit_cov(adreno_sel *s, unsigned from, unsigned to, unsigned rc, ir_ref a);
/* A number of 8 bits with its sign or zeros above. */
ir_ref
adreno_extend_byte(adreno_sel *s, ir_ref a, bool is_signed);
/* The instruction that an operation of HIR is; 0: there is not one. */
unsigned
adreno_alu_op(unsigned op);
/* The number of bits that are set; the low 32 bits of a product. */
ir_ref
adreno_count_bits(adreno_sel *s, ir_ref a);
ir_ref
adreno_emit_product(adreno_sel *s, ir_ref a, ir_ref b);
ir_ref
adreno_in_reg(adreno_sel *s, ir_ref a);
ir_ref
adreno_emit_const(adreno_sel *s, uint32_t place);

/* Registers in a row, and the other way round. */
ir_ref
adreno_join(adreno_sel *s, unsigned n, const ir_ref *parts);
void
adreno_split(adreno_sel *s, ir_ref whole, unsigned n, ir_ref *parts);

/* What a reference of HIR reads: a scalar of up to 32 bits; register `k` of a value, which has two
 * for each component of 64 bits. */
ir_ref
adreno_get(adreno_sel *s, ir_ref r);
ir_ref
adreno_get_part(adreno_sel *s, ir_ref r, unsigned k);
/* How many registers the value that a reference reads has, and bits its components; the same of an
 * instruction's definition. */
unsigned
adreno_parts(const adreno_sel *s, ir_ref r);
unsigned
adreno_ref_bits(const adreno_sel *s, ir_ref r);
unsigned
adreno_def_parts(const adreno_sel *s, const ir_instr *i);
unsigned
adreno_def_bits(const adreno_sel *s, const ir_instr *i);

/* The registers of a definition, which the caller fills. */
ir_ref *
adreno_def(adreno_sel *s, const ir_instr *i);
void
adreno_set_def(adreno_sel *s, const ir_instr *i, ir_ref r);
/* The same unless it is NONE; returns false then. */
bool
adreno_set_any(adreno_sel *s, const ir_instr *i, ir_ref r);

/* The fibre's number in its wave. */
ir_ref
adreno_fibre_id(adreno_sel *s);

/* A predicate that holds where the boolean is true. */
ir_ref
adreno_as_predicate(adreno_sel *s, ir_ref boolean);

/* Kinds of instructions; return false for others. */
bool
adreno_select_alu(adreno_sel *s, const ir_instr *i);
bool
adreno_select_memory(adreno_sel *s, const ir_instr *i);
bool
adreno_select_system(adreno_sel *s, const ir_instr *i);
bool
adreno_select_image(adreno_sel *s, const ir_instr *i);
bool
adreno_select_subgroup(adreno_sel *s, const ir_instr *i);

/* ---- descriptors ---- */

/* Where a descriptor is: at base `set` number `number`, or behind it by `index` (NONE: not), which
 * may differ between fibres though nothing says so. */
typedef struct adreno_descriptor {
    uint32_t set, number;
    ir_ref index;
    bool differs;
} adreno_descriptor;

adreno_descriptor
adreno_find_handle(adreno_sel *s, ir_ref handle);
/* The sampler's of a handle: of a combined image sampler it is the second one. */
adreno_descriptor
adreno_find_sampler(adreno_sel *s, ir_ref handle);
/* The reference for it, a number or a register, for the last operand of an instruction of category
 * 6; `mark` then sets the instruction's mode and base. */
ir_ref
adreno_descriptor_ref(adreno_sel *s, const adreno_descriptor *d);
void
adreno_mark_descriptor(adreno_sel *s, const adreno_descriptor *d, uint32_t access);

/* The instruction of HIR that a handle comes from; the binding that it names, which becomes
 * used. */
const ir_instr *
adreno_resource_index(adreno_sel *s, ir_ref handle);
const family_binding *
adreno_find_binding(adreno_sel *s, const ir_instr *index);

/* ---- memory ---- */

/* `a` plus a constant. */
ir_ref
adreno_plus(adreno_sel *s, ir_ref a, uint32_t n);

/* `a` in units of 2^by. */
ir_ref
adreno_units_of(adreno_sel *s, ir_ref a, unsigned by);

/* A byte offset of HIR in units of 2^by bytes. Of a shift to the left it is its value, shifted less
 * (opt/scale_offsets): nothing is lost by that, as an index beyond 2^30 is outside every buffer. */
ir_ref
adreno_scaled_down(adreno_sel *s, ir_ref hir, unsigned by);

/* Push constants and constant data; what lies `offset` bytes behind an address, which is at `place`
 * of the constant file (select_constant.c). */
void
adreno_select_push(adreno_sel *s, const ir_instr *i);
void
adreno_select_constant(adreno_sel *s, const ir_instr *i);
void
adreno_load_at(adreno_sel *s, const ir_instr *i, uint32_t place, ir_ref offset);

/* Decides which private memory is in registers; selects its loads and stores, and returns false for
 * the others (select_array.c). */
void
adreno_find_arrays(adreno_sel *s);
bool
adreno_select_array(adreno_sel *s, const ir_instr *i);

/* An atomic operation on each kind of memory; slot and slot5: on buffers with numbers. */
typedef struct adreno_atomic_op {
    uint16_t bindless, local, global, slot, slot5;
    uint8_t type;
} adreno_atomic_op;

/* An atomic with what it stores and, behind it, what it compares with: `n` registers, `words` for
 * each number (1, or 2 for 64 bits). */
typedef struct adreno_atomic {
    const adreno_atomic_op *op;
    ir_ref list[4];
    unsigned n, words;
} adreno_atomic;

/* The atomic on numbers of so many words that an instruction is; `what` names it if there is
 * none. */
adreno_atomic
adreno_find_atomic(adreno_sel *s, const ir_instr *i, unsigned words, const char *what);

/* On a descriptor's buffer or image: the result and the data are one row. The result takes the
 * place of the first number of `list`. The caller marks the descriptor of the last instruction. */
void
adreno_bindless_atomic(adreno_sel *s, adreno_atomic *a, ir_ref at, const adreno_descriptor *d);

/* The number of 8 or 16 bits at an offset, of the dword there. */
ir_ref
adreno_small_part(adreno_sel *s, ir_ref dword, ir_ref offset, unsigned bits);

/* ---- images ---- */

/* Coordinates of an image without its layers. */
static inline unsigned
adreno_dims(unsigned dim)
{
    switch (dim) {
    case IR_DIM_1D:
    case IR_DIM_buf: return 1;
    case IR_DIM_3D:
    case IR_DIM_cube: return 3;
    default: return 2; /* of input attachments, too */
    }
}

/* Marks the last instruction as one on such an image, with these components, of a type. */
void
adreno_mark_texture(adreno_sel *s, const ir_instr *i, uint32_t mask, unsigned type);

/* A tex, a size of a texture's level, a number of levels or samples. */
void
adreno_select_texture(adreno_sel *s, const ir_instr *i);
void
adreno_select_texture_size(adreno_sel *s, const ir_instr *i);
void
adreno_select_info(adreno_sel *s, const ir_instr *i);
/* The address of an acceleration structure. */
void
adreno_select_accel(adreno_sel *s, const ir_instr *i);

/* Of an image or texture operation: its coordinates; the type of instructions on the format. */
unsigned
adreno_image_coords(adreno_sel *s, const ir_instr *i, ir_ref out[4]);
unsigned
adreno_storage_type(const ir_instr *i);

/* Buffers and images where there are no descriptor sets; the resource of a handle, as a slot.
 * Returns false for other instructions. */
adreno_descriptor
adreno_find_slot(adreno_sel *s, ir_ref handle, adreno_slot_kind kind);
bool
adreno_select_slots(adreno_sel *s, const ir_instr *i);

/* At a byte of a storage buffer with a number: loads and stores `n` dwords; an atomic of one, whose
 * result becomes the instruction's. */
ir_ref
adreno_load_slot(adreno_sel *s, uint32_t slot, ir_ref offset, unsigned n);
void
adreno_store_slot(adreno_sel *s, uint32_t slot, ir_ref offset, unsigned n, const ir_ref *data);
void
adreno_change_slot(adreno_sel *s, const ir_instr *i, uint32_t slot, ir_ref offset,
                   const adreno_atomic *a);

#endif
