/* Declarations shared by the files of the SPIR-V reader.
 *
 * The stages of reading a module:
 *   module.c     words -> instructions, checked against the opcode table; ids get records
 *   types.c, constants.c, decorations in module.c: the global section
 *   function.c   functions and blocks; cfg.c their structural dominator trees (SPIR-V 1.6, 2.11)
 *   scan.c       which variables are indexed dynamically, written, constant
 *   structure.c  emits the entry function's blocks in HIR's structured form, with calls inlined
 *   ssa.c        variables -> SSA values (Braun et al. 2013)
 *   the rest     one family of instructions each
 */
#ifndef SPIRV_READER_H
#define SPIRV_READER_H

#include "ir/replace.h"
#include "spirv/model.h"

struct spirv_reader {
    ir_ctx *ctx;
    diag *d;
    arena *a;
    const spirv_options *opt;
    const uint32_t *words;
    size_t n_words;
    uint64_t budget;
    uint32_t version, bound;
    uint32_t *slots; /* id -> index into ids, 0: not seen yet */
    spirv_id *ids;
    size_t n_ids, cap_ids;
    uint32_t addressing, memory_model;
    bool explicit_workgroup, shared_blocks /* workgroup variables are blocks with offsets */;
    bool vulkan_memory, reflecting, ids_closed, has_queries;
    bool is_invariant; /* there are outputs with the decoration Invariant */
    /* entry points: word offsets of OpEntryPoint; and the selected one */
    uint32_t *entries;
    size_t n_entries, cap_entries;
    uint32_t entry_at;
    uint32_t size_id[3];   /* LocalSizeId */
    bool *spec_used;       /* spirv_info.spec_used */
    uint32_t size_builtin; /* id of the WorkgroupSize constant, or 0 */
    spirv_var **globals;
    size_t n_globals, cap_globals;
    spirv_func **funcs;
    size_t n_funcs, cap_funcs;
    uint32_t functions_at; /* word offset of the first OpFunction */
    uint32_t unknown_at;   /* word offset of the first instruction without a row, or 0 */
    /* emission */
    ir_fn *f;
    ir_builder b;
    spirv_frame *frame;
    spirv_loop *loop;
    uint32_t loop_depth, nesting, stamp;
    spirv_target **pending;
    size_t n_pending, cap_pending;
    spirv_ssa_var *ssa;
    size_t n_ssa, cap_ssa;
    base_map defs; /* SSA variable << 32 | HIR block -> reference */
    spirv_hir_block *hir;
    size_t cap_hir;
    ir_block **open;
    size_t n_open, cap_open;
    ir_replacement replaced; /* trivial phis */
    uint32_t scratch_top;    /* bytes used by open instances */
    base_buf constant_data;
    base_map constant_at;     /* id of a constant -> offset in constant_data */
    uint32_t line_file, line; /* from OpLine */
};

/* ---- module.c ---- */

/* Reads the header, instructions, ids and the global section, and splits functions into blocks.
 * Makes r->f with an open entry block for constants. */
void
spirv_parse(spirv_reader *r, ir_ctx *ctx, const spirv_options *options, const uint32_t *words,
            size_t n_words);

/* Returns the instruction at a word offset (checked by spirv_parse) and sets the location for
 * errors. */
static inline spirv_insn
spirv_insn_at(spirv_reader *r, uint32_t at)
{
    const uint32_t *w = r->words + at;
    spirv_insn i = {.w = w, .at = at, .op = w[0] & 0xffff, .n = (uint16_t)(w[0] >> 16)};
    r->d->loc.offset = at;
    r->d->loc.what = spirv_op_row_of(i.op)->name;
    return i;
}

/* Checks an instruction's length and ids against its opcode's row. */
void
spirv_check_layout(spirv_reader *r, const spirv_insn *i);

/* Fail with SPIRV_INVALID, SPIRV_UNSUPPORTED or SPIRV_LIMIT; arguments as for printf. */
_Noreturn void
spirv_invalid(spirv_reader *r, const char *format, ...);
_Noreturn void
spirv_unsupported(spirv_reader *r, const char *format, ...);
_Noreturn void
spirv_limit(spirv_reader *r, const char *format, ...);

/* Takes `n` units from the work budget, which depends on the module's size. Fails with LIMIT if it
 * is used up. */
void
spirv_charge(spirv_reader *r, uint64_t n);

/* Word `k` of an instruction. Fails with INVALID if the instruction is shorter. */
static inline uint32_t
spirv_word(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    if (k >= i->n)
        spirv_invalid(r, "the instruction ends before operand %u", k);
    return i->w[k];
}

/* Makes a record for an id that has none. Fails with INVALID if it may not have one. */
spirv_id *
spirv_new_id(spirv_reader *r, uint32_t id);

/* The record of an id, which may not be defined yet. */
static inline spirv_id *
spirv_id_of(spirv_reader *r, uint32_t id)
{
    uint32_t slot = id < r->bound ? r->slots[id] : 0;
    return slot ? &r->ids[slot] : spirv_new_id(r, id);
}

/* The record of the id in word `k`. */
static inline spirv_id *
spirv_ref(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    return spirv_id_of(r, spirv_word(r, i, k));
}

/* The literal string that starts at word `k`, where the opcode's layout has one. */
const char *
spirv_string(spirv_reader *r, const spirv_insn *i, unsigned k);

/* The decoration `what` of an id or of its member `member` (UINT32_MAX: of the id itself), or NULL.
 */
const spirv_decor *
spirv_decor_find(const spirv_id *id, uint32_t what, uint32_t member);

/* The first argument of a decoration, or `otherwise` if the id is not decorated with it. */
uint32_t
spirv_decor_arg(const spirv_id *id, uint32_t what, uint32_t otherwise);

/* IR_ACCESS_* of an id's decorations, or of one decoration. */
uint32_t
spirv_decor_access(const spirv_id *id);
uint32_t
spirv_access_of(uint32_t what);

/* ---- decorate.c ---- */

void
spirv_read_decoration(spirv_reader *r, const spirv_insn *i);

/* Records OpEntryPoint and finds the one that the options name. */
void
spirv_read_entry(spirv_reader *r, const spirv_insn *i);

/* Reads the execution modes of that entry point. */
void
spirv_read_mode(spirv_reader *r, const spirv_insn *i);

/* Lists the descriptors and push constants for reflection; in reflect.c. */
void
spirv_list_bindings(spirv_reader *r, spirv_info *info);

/* Looks for used variables of different descriptor types at one set and binding: fails, or sets
 * info->conflict, as the options want it. `info` may be NULL. */
void
spirv_check_bindings(spirv_reader *r, spirv_info *info);

/* The name of an execution model, for messages: "compute", "vertex" ... */
const char *
spirv_model_name(uint32_t model);

/* ---- types.c ---- */

void
spirv_read_type(spirv_reader *r, const spirv_insn *i);

/* The type in word `k`. */
const spirv_type *
spirv_type_ref(spirv_reader *r, const spirv_insn *i, unsigned k);

/* Fails with INVALID if the type cannot be that of a value, and with LIMIT if it has too many
 * leaves. Charges for them. */
void
spirv_check_value_type(spirv_reader *r, const spirv_type *t);

/* HIR's type of leaf `k`. */
ir_type
spirv_leaf_type(spirv_reader *r, const spirv_type *t, uint32_t k);

/* What the bits of a number are. */
ir_base_type
spirv_base_type(const spirv_type *scalar);

/* Element type and count of a scalar or vector; NULL for other types. */
const spirv_type *
spirv_scalar_of(const spirv_type *t);

static inline bool
spirv_is_scalar(const spirv_type *t)
{
    return t->kind == SPIRV_BOOL || t->kind == SPIRV_INT || t->kind == SPIRV_FLOAT;
}

static inline bool
spirv_is_composite(const spirv_type *t)
{
    return t->kind >= SPIRV_VECTOR && t->kind <= SPIRV_STRUCT;
}

/* An index outside an array, matrix or vector is undefined behaviour; the last element is used. */
static inline uint64_t
spirv_clamp_index(const spirv_type *t, uint64_t index)
{
    bool clamps = t->kind != SPIRV_STRUCT && t->kind != SPIRV_RUNTIME_ARRAY && t->count;
    return clamps && index >= t->count ? t->count - 1 : index;
}

/* The type of element `index` of a composite; its first leaf is added to *leaf. Fails with INVALID
 * if the index is out of range. */
const spirv_type *
spirv_element(spirv_reader *r, const spirv_type *t, uint64_t index, uint32_t *leaf);

/* Distance in bytes between elements of an array in the reader's own layout. */
uint64_t
spirv_natural_stride(const spirv_type *array);

/* Offset of leaf `k` in the reader's own layout. */
uint64_t
spirv_natural_offset(spirv_reader *r, const spirv_type *t, uint32_t k);

/* Size in bytes of a type as decorated, without a runtime array. */
uint64_t
spirv_explicit_size(const spirv_type *t, uint32_t matrix_stride, bool row_major);

/* ---- constants.c ---- */

void
spirv_read_constant(spirv_reader *r, const spirv_insn *i);

/* Reads the value of an integer or boolean scalar constant. Returns false if `id` is not one. */
bool
spirv_const_value(spirv_reader *r, spirv_id *id, uint64_t *value);

/* The bit patterns of a constant's leaves. */
const uint64_t *
spirv_const_leaves(spirv_reader *r, spirv_id *id);

/* The constant integer in word `k`. Fails with INVALID if it is not one. */
uint64_t
spirv_const_word(spirv_reader *r, const spirv_insn *i, unsigned k);

/* ---- function.c ---- */

/* Reads OpFunction .. OpFunctionEnd from word offset `at`. Returns the offset after it. */
uint32_t
spirv_read_function(spirv_reader *r, uint32_t at);

/* Emits the entry point's code into r->f. */
void
spirv_emit_entry(spirv_reader *r, spirv_func *entry);

/* Fails with INVALID unless `i` is allowed in an OpSpecConstantOp of a shader. */
void
spirv_check_spec_op(spirv_reader *r, const spirv_insn *i);

/* OpFunctionCall. */
void
spirv_emit_call(spirv_reader *r, const spirv_insn *i);

/* Emits the instructions of a block before its terminator. */
void
spirv_emit_instructions(spirv_reader *r, spirv_block *b);

/* ---- cfg.c ---- */

/* Computes successors, reachability, and structural dominators of a function's blocks. */
void
spirv_build_cfg(spirv_reader *r, spirv_func *f);

/* Number of words of a literal of an OpSwitch. */
unsigned
spirv_switch_literal_words(spirv_reader *r, const spirv_insn *i);

/* Does the block end its function? An invocation that ends there does so too. */
static inline bool
spirv_returns(const spirv_block *b)
{
    return b->term == SPIRV_OpReturn || b->term == SPIRV_OpReturnValue || b->term == SPIRV_OpKill ||
           b->term == SPIRV_OpTerminateInvocation;
}

static inline bool
spirv_dominates(const spirv_block *a, const spirv_block *b)
{
    return a->pre <= b->pre && b->pre < a->post;
}

/* ---- scan.c ---- */

/* Scans all functions that `entry` calls, callees first. Recursion is INVALID. */
void
spirv_scan_functions(spirv_reader *r, spirv_func *entry);

/* Makes `id` (a variable or parameter that points to `pointee`) a root. */
void
spirv_scan_root(spirv_reader *r, spirv_id *id, const spirv_type *pointee);

/* Marks the module's variables that an instruction refers to as used. Returns the function that it
 * calls, or NULL. */
spirv_func *
spirv_mark_operands(spirv_reader *r, const spirv_insn *i);

/* Returns true if the loop may write `var`. */
bool
spirv_loop_writes(spirv_reader *r, const spirv_loop *loop, const spirv_var *var);

/* ---- structure.c ---- */

/* Sets the value of an OpPhi for control coming from block `label` (phi.c). */
void
spirv_write_phi(spirv_reader *r, const spirv_insn *i, uint32_t label);
/* Emits an OpPhi in its block. */
void
spirv_emit_phi(spirv_reader *r, const spirv_insn *i);

/* Emits the body of the frame's function. Control continues after it in the builder's block. */
void
spirv_emit_body(spirv_reader *r, spirv_frame *frame);

/* ---- ssa.c ---- */

/* Makes `n` consecutive SSA variables. spirv_ssa_type sets their types. Never returns 0. */
uint32_t
spirv_ssa_new(spirv_reader *r, uint32_t n, bool is_temp, const spirv_var *var);

/* Makes one for each leaf of `t`. */
uint32_t
spirv_ssa_leaves(spirv_reader *r, const spirv_type *t, bool is_temp, const spirv_var *var);

void
spirv_ssa_write(spirv_reader *r, uint32_t var, ir_ref value);
/* Writes at the end of `b`. Nothing after that point may have read the variable yet. */
void
spirv_ssa_write_at(spirv_reader *r, uint32_t var, ir_block *b, ir_ref value);
/* The value at the builder's position. */
ir_ref
spirv_ssa_read(spirv_reader *r, uint32_t var);

/* Makes a phi at the loop header at the builder's position, for a variable written before the loop
 * and at its end. */
ir_ref
spirv_ssa_header_phi(spirv_reader *r, uint32_t var);

/* Appends `b` to the function and moves the builder there. `head` as in spirv_hir_block. */
void
spirv_open_block(spirv_reader *r, ir_block *b, ir_block *head);

/* Completes the pending phis of `b`, a loop header whose two predecessors are now both known. */
void
spirv_seal_header(spirv_reader *r, ir_block *b);

/* Records that blocks opened since `mark` (r->n_open) no longer dominate the following code. */
void
spirv_close_blocks(spirv_reader *r, size_t mark);

/* Replaces all references to trivial phis. */
void
spirv_ssa_finish(spirv_reader *r);

/* ---- value.c ---- */

/* Allocates `n` references. */
ir_ref *
spirv_new_leaves(spirv_reader *r, uint32_t n);

/* The leaves of a value, constant or undefined value, valid at the builder's position. */
const ir_ref *
spirv_leaves(spirv_reader *r, spirv_id *id);
/* The same for the id in word `k`. */
const ir_ref *
spirv_operand(spirv_reader *r, const spirv_insn *i, unsigned k);
/* The only leaf of a scalar. */
ir_ref
spirv_scalar(spirv_reader *r, const spirv_insn *i, unsigned k);

/* The type of the value in word `k`. */
const spirv_type *
spirv_operand_type(spirv_reader *r, const spirv_insn *i, unsigned k);

/* Defines the result (word 2, of the type in word 1) as these leaves. */
void
spirv_define(spirv_reader *r, const spirv_insn *i, ir_ref *leaf);
void
spirv_define_scalar(spirv_reader *r, const spirv_insn *i, ir_ref leaf);
void
spirv_define_ptr(spirv_reader *r, const spirv_insn *i, const spirv_ptr *ptr);

/* Gets the `n` references of `id` (its leaves, or those of its pointer), each valid at the
 * builder's position: those that do not dominate it are read as temporaries. */
void
spirv_localise(spirv_reader *r, spirv_id *id, ir_ref *refs, unsigned n);

/* An index of any size as 32 or 64 bits, sign-extended if its type is signed. */
ir_ref
spirv_index(spirv_reader *r, ir_ref index, const spirv_type *t, unsigned bits);

static inline ir_ref
spirv_imm(spirv_reader *r, unsigned bits, uint64_t value)
{
    return ir_build_imm(&r->b, bits, value);
}

static inline ir_ref
spirv_fimm(spirv_reader *r, unsigned bits, double value)
{
    return ir_build_fimm(&r->b, bits, value);
}

/* The component of `comps` selected by a dynamic index; undefined if out of range. */
ir_ref
spirv_choose(spirv_reader *r, const ir_ref *comps, unsigned n, ir_ref index);

/* ---- variable.c ---- */

/* OpVariable outside functions. */
void
spirv_read_variable(spirv_reader *r, const spirv_insn *i);

/* Places and initialises the used global variables, before the entry's code. */
void
spirv_open_globals(spirv_reader *r);

/* OpVariable in a function. */
void
spirv_open_local(spirv_reader *r, const spirv_insn *i);

/* ---- builtin.c ---- */

/* The leaves of a built-in variable. */
ir_ref *
spirv_builtin(spirv_reader *r, const spirv_var *v);

/* The `n` components of an input of a graphics stage that has no slot; `scalar` is their type. */
ir_ref *
spirv_stage_builtin(spirv_reader *r, uint32_t builtin, const spirv_type *scalar, uint32_t n);

/* Workgroup size from the execution mode or WorkgroupSize. */
void
spirv_set_workgroup_size(spirv_reader *r);

/* Lets all invocations store zeros to bytes from .. to of workgroup memory, followed by a barrier.
 */
void
spirv_zero_shared(spirv_reader *r, uint32_t from, uint32_t to);

/* ---- stage_io.c ---- */

/* Loads all leaves of an input variable of a graphics stage. */
void
spirv_open_input(spirv_reader *r, spirv_var *v, ir_ref *leaf);

/* A volatile load of an input that changes while the shader runs: HelperInvocation; or none. */
ir_ref
spirv_reload_input(spirv_reader *r, const spirv_ptr *p);

/* Finds the places of an output variable; stores all of them at the end of the entry point. */
void
spirv_open_output(spirv_reader *r, spirv_var *v);
void
spirv_store_outputs(spirv_reader *r);

/* GLSL.std.450's InterpolateAtCentroid, InterpolateAtSample, InterpolateAtOffset. */
void
spirv_emit_interpolate(spirv_reader *r, const spirv_insn *i);

/* ---- fragment.c ---- */

/* Derivatives, OpDemoteToHelperInvocation, OpIsHelperInvocationEXT, interlocks. */
void
spirv_emit_fragment(spirv_reader *r, const spirv_insn *i);

/* OpKill and OpTerminateInvocation. */
void
spirv_build_terminate(spirv_reader *r);

/* ---- pointer.c ---- */

/* The pointer that an id holds: of a variable, of an instruction, or made from leaves. */
const spirv_ptr *
spirv_pointer(spirv_reader *r, spirv_id *id);
/* The same for the id in word `k`; if it is a buffer, as a pointer to its memory. */
const spirv_ptr *
spirv_pointer_operand(spirv_reader *r, const spirv_insn *i, unsigned k);

/* A pointer as data. */
const ir_ref *
spirv_pointer_leaves(spirv_reader *r, const spirv_ptr *p);

/* Moves `p` to element (or member) `index` of what it points to. */
void
spirv_step(spirv_reader *r, spirv_ptr *p, uint64_t index);

/* The same by an index that is not constant, of type `index_type`. */
void
spirv_step_dynamic(spirv_reader *r, spirv_ptr *p, ir_ref index, const spirv_type *index_type);

/* Makes `p` an address of memory, if it points to a leaf of a variable in scratch or constant data.
 */
void
spirv_as_memory(spirv_reader *r, spirv_ptr *p);

/* The handle of the descriptor that a pointer refers to. */
ir_ref
spirv_handle(spirv_reader *r, const spirv_ptr *p);

/* Makes a pointer to a buffer's descriptor a pointer to the buffer's contents; others stay. */
void
spirv_enter_buffer(spirv_reader *r, spirv_ptr *p);

/* The byte offset (or 64-bit address) of a pointer to memory, plus `more` bytes. */
ir_ref
spirv_address(spirv_reader *r, const spirv_ptr *p, uint64_t more);

/* Access chains, pointer arithmetic and comparison, conversions of addresses. */
void
spirv_emit_pointer(spirv_reader *r, const spirv_insn *i);

/* ---- memory.c ---- */

/* A pointer to the vector whose component `p` selects by a dynamic index; `vec` becomes its type.
 */
spirv_ptr
spirv_whole_vector(const spirv_ptr *p, spirv_type *vec);

/* Loads everything that `p` points to. `access` is added to the pointer's flags. `aligned` is the
 * alignment that the instruction states, or 0. */
ir_ref *
spirv_load(spirv_reader *r, const spirv_ptr *p, uint32_t access, uint32_t aligned);
void
spirv_store(spirv_reader *r, const spirv_ptr *p, const ir_ref *leaf, uint32_t access,
            uint32_t aligned);

/* OpLoad, OpStore, OpCopyMemory, OpCopyMemorySized, OpArrayLength. */
void
spirv_emit_memory(spirv_reader *r, const spirv_insn *i);

/* ---- ray_query.c ---- */

/* The members of a ray query's struct, of which leaves SPIRV_QUERY_STACK and on are the stack. */
enum { SPIRV_QUERY_STACK = 41 };
spirv_member *
spirv_query_members(spirv_reader *r, uint32_t *n);

/* OpRayQuery..., OpConvertUToAccelerationStructureKHR. */
void
spirv_emit_ray_query(spirv_reader *r, const spirv_insn *i);

/* ---- families of instructions; each handles the opcodes that emit.c's table dispatches to it ----
 */

void
spirv_emit_alu(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_convert(spirv_reader *r, const spirv_insn *i);

/* Makes `n` values of `to` bits from the bits of the values at `x`, which have `from` bits each. */
void
spirv_bitcast(spirv_reader *r, const ir_ref *x, unsigned from, ir_ref *out, unsigned to,
              unsigned n);

void
spirv_emit_composite(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_matrix(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_dot(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_glsl(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_atomic(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_barrier(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_subgroup(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_image(spirv_reader *r, const spirv_insn *i);
void
spirv_emit_debug(spirv_reader *r, const spirv_insn *i);
/* OpExtInst of NonSemantic.Shader.DebugInfo.100. */
void
spirv_emit_debug_info(spirv_reader *r, const spirv_insn *i);

/* Emits instruction `i` of any family. Fails with UNSUPPORTED if there is none. */
void
spirv_emit(spirv_reader *r, const spirv_insn *i);

/* Builds a control barrier (or, if exec is IR_SCOPE_none, a memory barrier). */
void
spirv_build_barrier(spirv_reader *r, ir_scope exec, ir_scope scope, unsigned semantics,
                    unsigned modes);
/* The HIR scope of a scope constant in word `k`. */
ir_scope
spirv_scope(spirv_reader *r, const spirv_insn *i, unsigned k);

#endif
