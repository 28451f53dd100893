/* Atomic instructions, barriers, scopes and memory semantics.
 *
 * An atomic with acquire semantics is followed by a memory barrier, one with release semantics is
 * preceded by one. The operation itself gets access flags that bypass caches which other
 * invocations do not see.
 */
#include "spirv/reader.h"

/* ---- scopes and semantics ---- */

ir_scope
spirv_scope(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    switch (spirv_const_word(r, i, k)) {
    case SPIRV_SCOPE_CROSS_DEVICE:
    case SPIRV_SCOPE_DEVICE: return IR_SCOPE_device;
    case SPIRV_SCOPE_QUEUE_FAMILY: return IR_SCOPE_queue_family;
    case SPIRV_SCOPE_WORKGROUP: return IR_SCOPE_workgroup;
    case SPIRV_SCOPE_SUBGROUP: return IR_SCOPE_subgroup;
    case SPIRV_SCOPE_INVOCATION: return IR_SCOPE_invocation;
    default: spirv_unsupported(r, "scope %u", (unsigned)spirv_const_word(r, i, k));
    }
}

void
spirv_build_barrier(spirv_reader *r, ir_scope exec, ir_scope scope, unsigned semantics,
                    unsigned modes)
{
    ir_build_intr(&r->b, IR_barrier, 0, NULL, 0);
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_EXEC_SCOPE, exec);
    ir_attr_set(i, IR_A_SCOPE, scope);
    ir_attr_set(i, IR_A_SEMANTICS, semantics);
    ir_attr_set(i, IR_A_MODES, modes);
}

static unsigned
order_of(uint32_t s)
{
    unsigned order = 0;
    if (s & (SPIRV_SEM_ACQUIRE | SPIRV_SEM_ACQUIRE_RELEASE | SPIRV_SEM_SEQUENTIAL))
        order |= IR_SEM_ACQUIRE;
    if (s & (SPIRV_SEM_RELEASE | SPIRV_SEM_ACQUIRE_RELEASE | SPIRV_SEM_SEQUENTIAL))
        order |= IR_SEM_RELEASE;
    return order;
}

/* Without the Vulkan memory model, availability and visibility are implied. */
static unsigned
semantics_of(const spirv_reader *r, uint32_t s)
{
    unsigned order = order_of(s), all = order;
    bool implied = !r->vulkan_memory;
    if ((order & IR_SEM_RELEASE) && (implied || (s & SPIRV_SEM_MAKE_AVAILABLE)))
        all |= IR_SEM_MAKE_AVAILABLE;
    if ((order & IR_SEM_ACQUIRE) && (implied || (s & SPIRV_SEM_MAKE_VISIBLE)))
        all |= IR_SEM_MAKE_VISIBLE;
    return all;
}

static unsigned
modes_of(uint32_t s)
{
    return (s & SPIRV_SEM_UNIFORM ? IR_MODE_SSBO : 0u) |
           (s & SPIRV_SEM_WORKGROUP ? IR_MODE_SHARED : 0u) |
           (s & SPIRV_SEM_IMAGE ? IR_MODE_IMAGE : 0u) |
           (s & SPIRV_SEM_ATOMIC_COUNTER ? IR_MODE_ATOMIC_COUNTER : 0u);
}

void
spirv_emit_barrier(spirv_reader *r, const spirv_insn *i)
{
    bool control = i->op == SPIRV_OpControlBarrier;
    ir_scope exec = control ? spirv_scope(r, i, 1) : IR_SCOPE_none;
    ir_scope scope = spirv_scope(r, i, control ? 2 : 1);
    uint32_t s = (uint32_t)spirv_const_word(r, i, control ? 3 : 2);
    unsigned modes = modes_of(s), semantics = semantics_of(r, s);
    if (exec == IR_SCOPE_device || exec == IR_SCOPE_queue_family)
        spirv_unsupported(r, "control barriers of a scope above the workgroup");
    /* A workgroup barrier of GLSL 4.x orders workgroup memory, but glslang before 2018 emitted it
     * without semantics (Vulkan memory model, "GLSL barrier()"). */
    if (control && exec == IR_SCOPE_workgroup && !semantics && !r->vulkan_memory) {
        modes |= IR_MODE_SHARED;
        semantics = semantics_of(r, SPIRV_SEM_ACQUIRE_RELEASE);
        scope = IR_SCOPE_workgroup;
    }
    if (exec == IR_SCOPE_subgroup)
        r->f->shader.uses_subgroups = true;
    if (control || (modes && semantics))
        spirv_build_barrier(r, exec, scope, semantics, modes);
}

/* ---- atomics ---- */

typedef struct atomic {
    const spirv_ptr *p;
    ir_scope scope;
    uint32_t semantics;
    unsigned bits;
    bool is_float;
} atomic;

/* Builds the barrier that `half` (acquire or release) of the semantics requires. */
static void
fence(spirv_reader *r, const atomic *a, unsigned half)
{
    unsigned s = semantics_of(r, a->semantics);
    unsigned modes = modes_of(a->semantics);
    unsigned keep = half == IR_SEM_RELEASE ? IR_SEM_RELEASE | IR_SEM_MAKE_AVAILABLE
                                           : IR_SEM_ACQUIRE | IR_SEM_MAKE_VISIBLE;
    if ((s & half) && modes && a->scope != IR_SCOPE_invocation)
        spirv_build_barrier(r, IR_SCOPE_none, a->scope, s & keep, modes);
}

static ir_op
atomic_intrinsic(const spirv_ptr *p, bool swap)
{
    switch (p->place) {
    case SPIRV_PLACE_SHARED: return swap ? IR_shared_atomic_swap : IR_shared_atomic;
    case SPIRV_PLACE_TEXEL: return swap ? IR_image_atomic_swap : IR_image_atomic;
    case SPIRV_PLACE_PHYSICAL: return swap ? IR_global_atomic_swap : IR_global_atomic;
    default: return swap ? IR_ssbo_atomic_swap : IR_ssbo_atomic;
    }
}

/* The reference operands that address the place. */
static unsigned
address_refs(spirv_reader *r, const spirv_ptr *p, ir_ref *refs)
{
    unsigned n = 0;
    switch (p->place) {
    case SPIRV_PLACE_TEXEL:
        refs[n++] = p->handle;
        refs[n++] = p->coord;
        refs[n++] = p->sample;
        break;
    case SPIRV_PLACE_BUFFER: refs[n++] = p->handle; /* fallthrough */
    default: refs[n++] = spirv_address(r, p, 0); break;
    }
    return n;
}

static ir_ref
build_atomic(spirv_reader *r, const atomic *a, ir_atomic_op op, ir_ref compare, ir_ref data)
{
    ir_ref refs[5];
    bool swap = ir_is_value(compare);
    unsigned n = address_refs(r, a->p, refs);
    if (swap)
        refs[n++] = compare;
    refs[n++] = data;
    fence(r, a, IR_SEM_RELEASE);
    ir_ref v = ir_build_intr(&r->b, atomic_intrinsic(a->p, swap), IR_TYPE(a->bits, 1), refs, n);
    ir_instr *i = ir_built(&r->b);
    ir_attr_set(i, IR_A_ATOMIC_OP, op);
    if (a->p->place != SPIRV_PLACE_SHARED)
        ir_attr_set(i, IR_A_ACCESS, a->p->access);
    if (a->p->place == SPIRV_PLACE_TEXEL) {
        ir_attr_set(i, IR_A_IMAGE_DIM, a->p->image->dim);
        ir_attr_set(i, IR_A_IMAGE_ARRAY, a->p->image->arrayed);
        ir_attr_set(i, IR_A_FORMAT, a->p->image->format);
    }
    fence(r, a, IR_SEM_ACQUIRE);
    return v;
}

static void
check_place(spirv_reader *r, const spirv_ptr *p)
{
    bool ok = (p->place == SPIRV_PLACE_BUFFER && !p->is_ubo) || p->place == SPIRV_PLACE_SHARED ||
              p->place == SPIRV_PLACE_PHYSICAL || p->place == SPIRV_PLACE_TEXEL;
    if (!ok || ir_is_value(p->component))
        spirv_unsupported(r, "atomic instructions in storage class %u", p->storage);
}

/* Reads pointer, scope and semantics from word `k` on. */
static atomic
read_atomic(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    atomic a = {.p = spirv_pointer_operand(r, i, k), .scope = spirv_scope(r, i, k + 1)};
    const spirv_type *t = a.p->type;
    a.semantics = (uint32_t)spirv_const_word(r, i, k + 2);
    check_place(r, a.p);
    if ((t->kind != SPIRV_INT && t->kind != SPIRV_FLOAT) || t->bits < 32)
        spirv_unsupported(r, "atomics of a type other than 32 or 64-bit numbers");
    a.bits = t->bits;
    a.is_float = t->kind == SPIRV_FLOAT;
    return a;
}

static ir_ref
atomic_value(spirv_reader *r, const spirv_insn *i, unsigned k, const atomic *a)
{
    if (spirv_operand_type(r, i, k) != a->p->type)
        spirv_invalid(r, "the value is not of the type pointed to");
    return spirv_scalar(r, i, k);
}

static ir_atomic_op
op_of(spirv_reader *r, const spirv_insn *i, bool is_float)
{
    static const uint8_t ops[] = {
        [SPIRV_OpAtomicIAdd - SPIRV_OpAtomicIAdd] = IR_ATOMIC_iadd,
        [SPIRV_OpAtomicISub - SPIRV_OpAtomicIAdd] = IR_ATOMIC_iadd,
        [SPIRV_OpAtomicSMin - SPIRV_OpAtomicIAdd] = IR_ATOMIC_imin,
        [SPIRV_OpAtomicUMin - SPIRV_OpAtomicIAdd] = IR_ATOMIC_umin,
        [SPIRV_OpAtomicSMax - SPIRV_OpAtomicIAdd] = IR_ATOMIC_imax,
        [SPIRV_OpAtomicUMax - SPIRV_OpAtomicIAdd] = IR_ATOMIC_umax,
        [SPIRV_OpAtomicAnd - SPIRV_OpAtomicIAdd] = IR_ATOMIC_iand,
        [SPIRV_OpAtomicOr - SPIRV_OpAtomicIAdd] = IR_ATOMIC_ior,
        [SPIRV_OpAtomicXor - SPIRV_OpAtomicIAdd] = IR_ATOMIC_ixor,
    };
    bool float_op = true;
    ir_atomic_op op = IR_ATOMIC_xchg;
    switch (i->op) {
    case SPIRV_OpAtomicFAddEXT: op = IR_ATOMIC_fadd; break;
    case SPIRV_OpAtomicFMinEXT: op = IR_ATOMIC_fmin; break;
    case SPIRV_OpAtomicFMaxEXT: op = IR_ATOMIC_fmax; break;
    case SPIRV_OpAtomicExchange: float_op = is_float; break;
    default:
        op = (ir_atomic_op)ops[i->op - SPIRV_OpAtomicIAdd];
        float_op = false;
        break;
    }
    if (float_op != is_float)
        spirv_invalid(r, "the type pointed to does not fit the operation");
    return op;
}

/* ---- instructions ---- */

static void
emit_read_modify_write(spirv_reader *r, const spirv_insn *i)
{
    atomic a = read_atomic(r, i, 3);
    ir_atomic_op op = IR_ATOMIC_iadd;
    ir_ref data;
    if (i->op == SPIRV_OpAtomicIIncrement || i->op == SPIRV_OpAtomicIDecrement) {
        data = spirv_imm(r, a.bits, i->op == SPIRV_OpAtomicIIncrement ? 1 : ~UINT64_C(0));
    } else {
        op = op_of(r, i, a.is_float);
        data = atomic_value(r, i, 6, &a);
        if (i->op == SPIRV_OpAtomicISub)
            data = irb_ineg(&r->b, data);
    }
    if (spirv_type_ref(r, i, 1) != a.p->type)
        spirv_invalid(r, "the result is not of the type pointed to");
    spirv_define_scalar(r, i, build_atomic(r, &a, op, ir_none(), data));
}

static void
emit_compare_exchange(spirv_reader *r, const spirv_insn *i)
{
    atomic a = read_atomic(r, i, 3);
    a.semantics |= (uint32_t)spirv_const_word(r, i, 6);
    ir_ref data = atomic_value(r, i, 7, &a), compare = atomic_value(r, i, 8, &a);
    if (spirv_type_ref(r, i, 1) != a.p->type || a.is_float)
        spirv_invalid(r, "the result is not an integer of the type pointed to");
    spirv_define_scalar(r, i, build_atomic(r, &a, IR_ATOMIC_cmpxchg, compare, data));
}

/* Loads of workgroup memory have no access flags. A barrier that orders only this invocation's
 * accesses, and costs nothing, makes writes of other invocations visible. */
static void
order_shared(spirv_reader *r, const atomic *a)
{
    if (a->p->place == SPIRV_PLACE_SHARED)
        spirv_build_barrier(r, IR_SCOPE_none, IR_SCOPE_invocation, 0, IR_MODE_SHARED);
}

/* A single load that sees the writes of other invocations; for an image, an atomic addition of
 * zero. */
static void
emit_load(spirv_reader *r, const spirv_insn *i)
{
    atomic a = read_atomic(r, i, 3);
    if (spirv_type_ref(r, i, 1) != a.p->type)
        spirv_invalid(r, "the result is not of the type pointed to");
    if (a.p->place == SPIRV_PLACE_TEXEL) {
        ir_ref zero = spirv_imm(r, a.bits, 0);
        spirv_define_scalar(r, i, build_atomic(r, &a, IR_ATOMIC_ior, ir_none(), zero));
        return;
    }
    fence(r, &a, IR_SEM_RELEASE);
    order_shared(r, &a);
    ir_ref *leaf = spirv_load(r, a.p, IR_ACCESS_COHERENT, a.bits / 8);
    order_shared(r, &a);
    fence(r, &a, IR_SEM_ACQUIRE);
    spirv_define(r, i, leaf);
}

static void
emit_store(spirv_reader *r, const spirv_insn *i)
{
    atomic a = read_atomic(r, i, 1);
    ir_ref value = atomic_value(r, i, 4, &a);
    if (a.p->place == SPIRV_PLACE_TEXEL) {
        build_atomic(r, &a, IR_ATOMIC_xchg, ir_none(), value);
        return;
    }
    fence(r, &a, IR_SEM_RELEASE);
    spirv_store(r, a.p, &value, IR_ACCESS_COHERENT, a.bits / 8);
    fence(r, &a, IR_SEM_ACQUIRE);
}

void
spirv_emit_atomic(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpAtomicLoad: emit_load(r, i); break;
    case SPIRV_OpAtomicStore: emit_store(r, i); break;
    case SPIRV_OpAtomicCompareExchange: emit_compare_exchange(r, i); break;
    case SPIRV_OpAtomicCompareExchangeWeak:
    case SPIRV_OpAtomicFlagTestAndSet:
    case SPIRV_OpAtomicFlagClear: spirv_unsupported(r, "%s", spirv_op_row_of(i->op)->name);
    default: emit_read_modify_write(r, i); break;
    }
}
