/* Functions. Their blocks are read once and emitted again for each call (all calls are inlined). */
#include "spirv/reader.h"

/* ---- reading ---- */

typedef struct body {
    spirv_func *f;
    size_t cap_blocks, cap_params;
    spirv_block *open; /* the block being read */
} body;

static bool
is_terminator(unsigned op)
{
    switch (op) {
    case SPIRV_OpBranch:
    case SPIRV_OpBranchConditional:
    case SPIRV_OpSwitch:
    case SPIRV_OpReturn:
    case SPIRV_OpReturnValue:
    case SPIRV_OpKill:
    case SPIRV_OpUnreachable:
    case SPIRV_OpTerminateInvocation:
    case SPIRV_OpIgnoreIntersectionKHR:
    case SPIRV_OpTerminateRayKHR:
    case SPIRV_OpEmitMeshTasksEXT: return true;
    default: return false;
    }
}

static void
open_block(spirv_reader *r, body *b, const spirv_insn *i)
{
    spirv_func *f = b->f;
    if (b->open)
        spirv_invalid(r, "a block begins before the one before has ended");
    f->blocks = arena_grow(r->a, f->blocks, &b->cap_blocks, f->n_blocks + 1u, sizeof *f->blocks);
    b->open = &f->blocks[f->n_blocks];
    *b->open = (spirv_block){
        .label = i->w[1], .first = i->at + i->n, .index = f->n_blocks++, .func = f};
    spirv_ref(r, i, 1)->kind = SPIRV_ID_LABEL;
}

static void
add_param(spirv_reader *r, body *b, const spirv_insn *i)
{
    spirv_func *f = b->f;
    if (f->n_blocks || f->n_params >= f->type->count)
        spirv_invalid(r, "too many function parameters, or one after the first block");
    spirv_id *id = spirv_ref(r, i, 2);
    id->kind = SPIRV_ID_VALUE;
    id->type = (spirv_type *)spirv_type_ref(r, i, 1);
    if (id->type != f->type->args[f->n_params])
        spirv_invalid(r, "a parameter's type differs from the function type's");
    f->params = arena_grow(r->a, f->params, &b->cap_params, f->n_params + 1u, sizeof *f->params);
    f->params[f->n_params++] = id->number;
}

/* Adds an instruction to a block, and sets the type of its result. */
static void
add_instruction(spirv_reader *r, body *b, const spirv_insn *i)
{
    bool merge = i->op == SPIRV_OpLoopMerge || i->op == SPIRV_OpSelectionMerge;
    bool ends = is_terminator(i->op);
    if (!b->open) {
        bool line = i->op == SPIRV_OpLine || i->op == SPIRV_OpNoLine;
        if (line || i->op == SPIRV_OpExtInst || i->op == SPIRV_OpNop)
            return;
        spirv_invalid(r, "the instruction is outside a block");
    }
    if (b->open->merge_at && !ends)
        spirv_invalid(r, "a merge instruction is not the last but one of its block");
    if (spirv_op_row_of(i->op)->layout[0] == 'T') {
        spirv_id *id = spirv_ref(r, i, 2);
        id->type = (spirv_type *)spirv_type_ref(r, i, 1);
        id->kind = SPIRV_ID_VALUE;
    }
    if (merge) {
        b->open->merge_at = i->at;
        b->open->merge_op = i->op;
    }
    b->f->has_calls |= i->op == SPIRV_OpFunctionCall;
    if (ends) {
        b->open->term = i->op;
        b->open->end = i->at;
        b->open = NULL;
    }
}

static spirv_func *
open_function(spirv_reader *r, const spirv_insn *i)
{
    spirv_id *id = spirv_ref(r, i, 2);
    spirv_func *f = ARENA_NEW(r->a, spirv_func);
    f->id = id->number;
    f->at = i->at;
    f->type = spirv_type_ref(r, i, 4);
    if (f->type->kind != SPIRV_FUNCTION || spirv_type_ref(r, i, 1) != f->type->elem)
        spirv_invalid(r, "the function's type does not fit its result type");
    id->kind = SPIRV_ID_FUNC;
    id->func = f;
    id->type = (spirv_type *)f->type->elem;
    r->funcs = arena_grow(r->a, r->funcs, &r->cap_funcs, r->n_funcs + 1, sizeof *r->funcs);
    r->funcs[r->n_funcs++] = f;
    return f;
}

uint32_t
spirv_read_function(spirv_reader *r, uint32_t at)
{
    spirv_insn i = spirv_insn_at(r, at);
    if (i.op != SPIRV_OpFunction) {
        if (i.op == SPIRV_OpLine || i.op == SPIRV_OpNoLine || i.op == SPIRV_OpExtInst)
            return at + i.n;
        spirv_invalid(r, "the instruction is between functions");
    }
    body b = {.f = open_function(r, &i)};
    for (at += i.n; at < r->n_words; at += i.n) {
        i = spirv_insn_at(r, at);
        if (i.op == SPIRV_OpFunctionEnd)
            break;
        if (i.op == SPIRV_OpFunction)
            spirv_invalid(r, "a function begins inside another");
        if (i.op == SPIRV_OpLabel)
            open_block(r, &b, &i);
        else if (i.op == SPIRV_OpFunctionParameter)
            add_param(r, &b, &i);
        else
            add_instruction(r, &b, &i);
    }
    if (at >= r->n_words || b.open || b.f->n_params != b.f->type->count)
        spirv_invalid(r, "the function is not complete");
    for (uint32_t k = 0; k < b.f->n_blocks; k++)
        spirv_id_of(r, b.f->blocks[k].label)->label = &b.f->blocks[k];
    return at + i.n;
}

/* ---- emitting ---- */

void
spirv_emit_instructions(spirv_reader *r, spirv_block *b)
{
    uint32_t end = b->merge_at ? b->merge_at : b->end;
    for (uint32_t at = b->first; at < end;) {
        spirv_insn i = spirv_insn_at(r, at);
        spirv_charge(r, 1);
        spirv_emit(r, &i);
        at += i.n;
    }
}

static void
open_instance(spirv_reader *r, spirv_func *f)
{
    if (f->active)
        spirv_invalid(r, "function id %u calls itself", f->id);
    if (!f->n_blocks)
        spirv_unsupported(r, "imported functions");
    f->active = true;
    for (uint32_t k = 0; k < f->n_blocks; k++)
        f->blocks[k].emitted = false;
    if (f->type->elem->kind != SPIRV_VOID)
        f->result = spirv_ssa_leaves(r, f->type->elem, true, NULL);
}

static void
emit_instance(spirv_reader *r, spirv_func *f)
{
    spirv_frame frame = {.outer = r->frame, .func = f, .loop_at_entry = r->loop};
    uint32_t scratch = r->scratch_top;
    r->frame = &frame;
    spirv_emit_body(r, &frame);
    r->frame = frame.outer;
    r->scratch_top = scratch;
    f->active = false;
}

/* Binds a parameter to its argument: the same leaves or the same pointer. */
static void
bind_argument(spirv_reader *r, const spirv_insn *i, unsigned k, uint32_t param)
{
    spirv_id *to = spirv_id_of(r, param), *from = spirv_ref(r, i, k);
    to->leaf = NULL;
    to->ptr = NULL;
    to->first_var = 0;
    to->block = r->b.block;
    if (spirv_operand_type(r, i, k) != to->type)
        spirv_invalid(r, "argument %u has another type than the parameter", k - 4);
    if (to->type->kind == SPIRV_POINTER)
        to->ptr = (spirv_ptr *)spirv_pointer(r, from);
    else
        to->leaf = (ir_ref *)spirv_leaves(r, from);
}

void
spirv_emit_call(spirv_reader *r, const spirv_insn *i)
{
    spirv_func *f = spirv_ref(r, i, 3)->func;
    if (!f)
        spirv_invalid(r, "id %u is not a function", i->w[3]);
    if (i->n - 4u != f->n_params || spirv_type_ref(r, i, 1) != f->type->elem)
        spirv_invalid(r, "the call does not fit the function's type");
    spirv_insn call = *i;
    uint32_t loc = r->b.loc;
    open_instance(r, f);
    for (unsigned k = 4; k < i->n; k++)
        bind_argument(r, i, k, f->params[k - 4]);
    emit_instance(r, f);
    spirv_insn_at(r, call.at);
    r->b.loc = loc;
    const spirv_type *t = f->type->elem;
    if (t->kind == SPIRV_VOID)
        return;
    ir_ref *leaf = spirv_new_leaves(r, t->leaves);
    for (uint32_t k = 0; k < t->leaves; k++)
        leaf[k] = spirv_ssa_read(r, f->result + k);
    spirv_define(r, &call, leaf);
}

void
spirv_emit_entry(spirv_reader *r, spirv_func *entry)
{
    open_instance(r, entry);
    emit_instance(r, entry);
    spirv_store_outputs(r);
    ir_build_return(&r->b);
}
