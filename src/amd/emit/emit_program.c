/* emit_program: machine instructions to bytes.
 *
 * Each instruction becomes an amd_inst, which the encoder of the ISA tables writes; vector
 * instructions use their 32-bit encoding if the operands allow it, otherwise VOP3. Branches name
 * their target block in their immediate; the distances are filled in when all blocks have their
 * positions (branches.h). Constant data follows the code, aligned to 64 bytes.
 */
#include "amd/emit/branches.h"
#include "amd/emit/size.h"
#include "amd/isa/codec/legal.h"
#include "amd/isa/table/names.h"
#include "amd/isa/table/table.h"
#include "amd/target/pair.h"

#include <assert.h>
#include <string.h>

/* A literal that will hold the distance to the constant data. */
typedef struct patch {
    size_t at;   /* position of the literal */
    size_t from; /* position of the end of s_getpc */
} patch;

#define NO_ENCODING "there is no encoding with these operands and modifiers"

typedef struct emitter {
    ir_fn *f;
    amd_program *p;
    base_buf *out;
    size_t start;
    amd_branches branches;
    unsigned in_clause; /* remaining instructions of the current s_clause */
    size_t pc;          /* the end of the latest s_getpc_b64 */
    bool reached;       /* control flows from the last instruction to the next */
    patch *data;
    size_t n_data, cap_data;
    uint32_t n_instrs; /* written */
    const ir_instr *now;
} emitter;

static bool
is_valu_fmt(unsigned fmt)
{
    return fmt == AMD_VOP1 || fmt == AMD_VOP2 || fmt == AMD_VOPC || fmt == AMD_VOP3 ||
           fmt == AMD_VOP3P;
}

/* The operand code of a reference; constants need the operand's type and may set the instruction's
 * literal. */
static uint16_t
operand_code(amd_gen gen, ir_ref r, unsigned type, amd_inst *in)
{
    if (r.kind == IR_REF_CONST) {
        unsigned code = amd_const_code_of(gen, r, type);
        assert(code != AMD_SRC_LITERAL || in->literal == 0 || in->literal == r.id);
        if (code == AMD_SRC_LITERAL)
            in->literal = r.id;
        return (uint16_t)code;
    }
    if (r.kind == IR_REF_NONE && !(r.flags & IR_FIXED))
        return AMD_REG_ABSENT;
    if (r.kind == IR_REF_UNDEF && r.reg == IR_REG_NONE)
        return r.rc & AMD_RC_VGPR ? AMD_REG_VGPR0 : AMD_SRC_INT_0;
    return r.reg / 4;
}

static void
set_valu_words(const ir_instr *i, amd_inst *in)
{
    uint32_t m = ir_words(i)[0], dpp = ir_words(i)[1], sdwa = ir_words(i)[2];
    in->neg = m >> AMD_MOD_NEG & 15;
    in->abs = m >> AMD_MOD_ABS & 15;
    in->neg_hi = m >> AMD_MOD_NEG_HI & 15;
    in->op_sel = m >> AMD_MOD_OPSEL & 15;
    in->op_sel_hi = m >> AMD_MOD_OPSEL_HI & 15;
    in->omod = m >> AMD_MOD_OMOD & 3;
    in->clamp = m >> AMD_MOD_CLAMP & 1;
    in->wait_exp = m >> AMD_MOD_WAIT_EXP & 7;
    in->ext = amd_form_ext(i);
    if (amd_reads_params(i->op))
        in->imm = (int32_t)(sdwa >> AMD_ATTR_SHIFT);
    if (in->ext == AMD_EXT_DPP16) {
        in->dpp_ctrl = dpp & 0x1ff;
        in->row_mask = dpp >> AMD_DPP_ROW_MASK & 15;
        in->bank_mask = dpp >> AMD_DPP_BANK_MASK & 15;
        in->bound_ctrl = dpp >> AMD_DPP_BOUND_CTRL & 1;
        in->fi = dpp >> AMD_DPP_FI & 1;
    } else if (in->ext == AMD_EXT_DPP8) {
        in->dpp8 = dpp & 0xffffff;
        in->fi = dpp >> AMD_DPP8_FI & 1;
    } else if (in->ext == AMD_EXT_SDWA) {
        in->dst_sel = sdwa & 7;
        in->dst_unused = sdwa >> AMD_SDWA_DST_UNUSED & 3;
        in->src0_sel = sdwa >> AMD_SDWA_SRC0 & 7;
        in->src1_sel = sdwa >> AMD_SDWA_SRC1 & 7;
        in->sext = sdwa >> AMD_SDWA_SEXT & 3;
    }
}

/* The dimensions with layers, by MIMG's dim: cube, 1D array, 2D array, 2D multisampled array. */
static bool
has_layers(unsigned dim)
{
    return dim == 3 || dim == 4 || dim == 5 || dim == 7;
}

/* How the access passes the caches. */
static void
set_cache_policy(const emitter *e, const amd_op_info *row, uint32_t m, amd_inst *in)
{
    bool atomic = row->flags & AMD_F_ATOMIC;
    in->glc = m & AMD_MEM_GLC;
    if (amd_has(e->p->target, has_scopes)) {
        in->scope = m >> AMD_MEM_SCOPE & 3;
        in->th = !(m & AMD_MEM_SLC) ? 0 : atomic ? AMD_TH_ATOMIC_NT : AMD_TH_NT;
        return;
    }
    in->slc = m & AMD_MEM_SLC;
    in->dlc = m & AMD_MEM_DLC;
    if (amd_has(e->p->target, has_scope_bits)) {
        in->glc |= !atomic && m >> AMD_MEM_SCOPE & 1;
        in->sc1 = m >> AMD_MEM_SCOPE & 2;
    }
}

static void
set_memory_words(const amd_target *t, const ir_instr *i, amd_inst *in)
{
    uint32_t m = ir_words(i)[1];
    in->offset = (int32_t)ir_words(i)[0];
    in->lds = m & AMD_MEM_LDS;
    in->gds = m & AMD_MEM_GDS;
    in->tfe = m & AMD_MEM_TFE;
    in->offen = m & AMD_MEM_OFFEN;
    in->idxen = m & AMD_MEM_IDXEN;
    in->addr64 = m & AMD_MEM_ADDR64;
    in->lwe = m & AMD_MEM_LWE;
    in->unorm = m & AMD_MEM_UNORM;
    in->r128 = m & AMD_MEM_R128;
    in->a16 = m & AMD_MEM_A16;
    in->d16 = m & AMD_MEM_D16;
    in->dim = m >> AMD_MEM_DIM & 7;
    if (!amd_has(t, has_image_dim)) {
        in->da = has_layers(in->dim);
        in->dim = 0;
    }
    in->dmask = m >> AMD_MEM_DMASK & 15;
    in->format = m >> AMD_MEM_FORMAT & 127;
}

static void
set_words(const emitter *e, const amd_op_info *row, const ir_instr *i, amd_inst *in)
{
    switch (amd_words_of(i->op)) {
    case AMD_WORDS_SALU: in->imm = (int32_t)ir_words(i)[0]; break;
    case AMD_WORDS_VALU: set_valu_words(i, in); break;
    case AMD_WORDS_MEM:
        set_cache_policy(e, row, ir_words(i)[1], in);
        set_memory_words(e->p->target, i, in);
        break;
    case AMD_WORDS_EXP:
        in->target = ir_words(i)[0] & 63;
        in->dmask = ir_words(i)[0] >> 8 & 15;
        in->compr = ir_words(i)[0] >> 12 & 1;
        in->done = ir_words(i)[0] >> 13 & 1;
        in->vm = ir_words(i)[0] >> 14 & 1;
        break;
    default: break;
    }
}

/* Sets destinations and sources in the row's order. An operand that is both goes to dst: from the
 * definition or, if the instruction returns nothing, from the tied reference after the sources. */
static void
set_operands(amd_gen gen, const amd_op_info *row, const ir_instr *i, amd_inst *in)
{
    unsigned def = 0, ref = 0, n_src = amd_op_src_count(row);
    for (const amd_operand *o = row->operands; o < row->operands + AMD_MAX_OPERANDS && o->role;
         o++) {
        if (o->role == AMD_ROLE_SRC) {
            in->src[in->n_src++] = o->kind == AMD_K_LIT ? AMD_SRC_LITERAL
                                   : o->kind == AMD_K_PARAM
                                       ? (uint16_t)i->refs[ref].id
                                       : operand_code(gen, i->refs[ref], o->type, in);
            if (o->kind == AMD_K_LIT)
                in->literal = i->refs[ref].id;
            ref++;
        } else if (o->role == AMD_ROLE_BOTH && def >= i->n_defs) {
            in->dst[in->n_dst++] = operand_code(gen, i->refs[n_src], o->type, in);
        } else if (o->role != AMD_ROLE_IMM && def >= i->n_defs) {
            in->dst[in->n_dst++] = AMD_REG_ABSENT; /* an atomic without a result */
        } else if (o->role != AMD_ROLE_IMM) {
            in->dst[in->n_dst++] = operand_code(gen, i->defs[def++], o->type, in);
        }
    }
}

/* Sets the registers of an image address after the first: they follow all other references. */
static void
set_nsa(const amd_op_info *row, const ir_instr *i, amd_inst *in)
{
    if (row->fmt != AMD_MIMG || !(ir_words(i)[1] & AMD_MEM_NSA))
        return;
    int tied = amd_tied(i).ref;
    unsigned others = amd_op_src_count(row);
    others = tied >= (int)others ? (unsigned)tied + 1 : others;
    in->nsa = true;
    in->nsa_addr[in->n_nsa++] = in->src[row->operands[0].role == AMD_ROLE_SRC];
    for (unsigned r = others; r < i->n_refs && in->n_nsa < AMD_MAX_NSA; r++)
        in->nsa_addr[in->n_nsa++] = (uint16_t)(i->refs[r].reg / 4);
}

static bool
is_high(const amd_inst *in, unsigned bit)
{
    return in->op_sel >> bit & 1;
}

/* Are the high halves that the instruction selects registers whose numbers select them in 32-bit
 * encodings? */
static bool
has_short_halves(amd_gen gen, const amd_inst *in, const amd_op_info *row)
{
    for (unsigned k = 0; k < in->n_src; k++) {
        if (is_high(in, k) && in->src[k] < AMD_REG_VGPR0)
            return false;
    }
    return !(in->op_sel & ~amd_half_mask(gen, row));
}

static bool
needs_long_form(amd_gen gen, const amd_inst *in, const amd_op_info *row)
{
    return in->neg || in->abs || in->op_sel_hi || in->neg_hi || in->omod || in->clamp ||
           (in->op_sel && !has_short_halves(gen, in, row));
}

/* 32-bit encodings accept scalars and constants only in src0: exchanges the sources if the
 * operation has a form for that. */
static void
exchange_sources(amd_inst *in, const amd_op_info **row)
{
    if ((*row)->reversed == AMD_OP_INVALID || in->n_src < 2 || in->src[0] < AMD_REG_VGPR0 ||
        in->src[1] >= AMD_REG_VGPR0)
        return;
    uint16_t t = in->src[0];
    in->src[0] = in->src[1];
    in->src[1] = t;
    in->op_sel = (in->op_sel & 0xcu) | (in->op_sel & 1u) << 1 | (in->op_sel >> 1 & 1u);
    in->op = (*row)->reversed;
    *row = amd_op_row((amd_op)in->op);
}

/* The instruction has no encoding: the fault of the text, if the machine IR was read. */
static _Noreturn void
fail(const emitter *e, const amd_op_info *row, const char *why)
{
    diag *d = e->f->ctx->diag;
    base_buf where = buf_make(e->f->ctx->scratch);
    if (!e->p->of_text || !e->now)
        diag_fail(d, ERR_INTERNAL, row->name);
    buf_printf(&where, " in BB%u: ", e->now->block->index);
    ir_print_instr(e->f, e->now, 0, &where);
    diag_fail(d, ERR_IR_INVALID, "encoding", why, buf_text(&where));
}

/* Checks rules that selection and all phases must obey. */
static void
check_legal(const emitter *e, const amd_inst *in, const amd_op_info *row)
{
    const char *why = amd_inst_illegal(e->p->target->gen, in, e->p->wave_size == 64);
    if (why)
        fail(e, row, why);
}

/* The short encoding if there is one; the long one of DPP, from gfx11 on, takes a mask that is not
 * in vcc. */
static void
encode(emitter *e, amd_inst *in, const amd_op_info *row)
{
    amd_gen gen = e->p->target->gen;
    bool dpp = in->ext == AMD_EXT_DPP16 || in->ext == AMD_EXT_DPP8;
    in->fmt = row->fmt;
    if (is_valu_fmt(row->fmt) && row->fmt != AMD_VOP3 && row->fmt != AMD_VOP3P &&
        (dpp || in->ext == AMD_EXT_NONE)) {
        bool small = dpp || (!needs_long_form(gen, in, row) &&
                             amd_op_number((amd_op)in->op, (amd_fmt)row->fmt, gen) >= 0);
        if (small && !dpp)
            exchange_sources(in, &row);
        if (small && amd_encode(gen, in, e->out)) {
            check_legal(e, in, row);
            return;
        }
        in->fmt = AMD_VOP3;
    }
    check_legal(e, in, row);
    if (!amd_encode(gen, in, e->out))
        fail(e, row, NO_ENCODING);
}

static bool
is_branch_to_block(const amd_op_info *row)
{
    return row->operands[0].kind == AMD_K_LABEL && row->operands[0].role == AMD_ROLE_IMM;
}

/* The end that a debug switch wants before the next instruction. */
static void
end_early(emitter *e)
{
    e->n_instrs++;
    if (e->n_instrs != e->p->debug_end)
        return;
    amd_inst end = {.op = AMD_S_ENDPGM};
    e->n_instrs++; /* s_endpgm is one, too */
    encode(e, &end, amd_op_row(AMD_S_ENDPGM));
}

/* The amount of a 64-bit shift must not lie in the last VGPR that the wave has, which are blocks of
 * eight (LLVM, FeatureShift64HighRegBug): the wave gets another block. */
static void
keep_amount_inside(const emitter *e, const ir_instr *i)
{
    enum { BLOCK = 8 };
    bool shift = i->op == AMD_V_LSHLREV_B64 || i->op == AMD_V_LSHRREV_B64 ||
                 i->op == AMD_V_ASHRREV_I64;
    if (!shift || i->refs[0].kind == IR_REF_CONST || !amd_rc_is_vgpr(i->refs[0].rc))
        return;
    uint32_t behind = i->refs[0].reg / 4 - AMD_REG_VGPR0 + 1u;
    if (behind % BLOCK == 0 && e->p->vgprs_used == behind)
        e->p->vgprs_used++;
}

static void
emit_instr(emitter *e, const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    amd_inst in = {.op = i->op};
    if (!row) /* the instructions that lower_to_hw_instr leaves have no code */
        return;
    end_early(e);
    e->now = i;
    if (amd_has(e->p->target, shift64_last_bug))
        keep_amount_inside(e, i);
    set_operands(e->p->target->gen, row, i, &in);
    set_words(e, row, i, &in);
    set_nsa(row, i, &in);
    if (is_branch_to_block(row)) {
        amd_branches_add(&e->branches, ir_words(i)[0]);
        in.imm = 0;
    }
    encode(e, &in, row);
    if (i->op == AMD_S_GETPC_B64)
        e->pc = e->out->size;
    e->reached = !(row->flags & AMD_F_TERM);
    if (i->op == AMD_S_CLAUSE)
        e->in_clause = (ir_words(i)[0] & 63) + 1;
    else if (e->in_clause)
        e->in_clause--;
}

/* Two instructions that are executed side by side. */
static void
emit_pair(emitter *e, const ir_instr *first)
{
    amd_inst in;
    e->now = first;
    if (!amd_make_pair(e->p, first, first->next, &in) ||
        !amd_encode(e->p->target->gen, &in, e->out))
        fail(e, amd_op_row((amd_op)first->op), NO_ENCODING);
    e->reached = true;
}

/* s_nops before a loop that would lie in more lines than it must. */
static void
align_loop(emitter *e, const ir_instr *i)
{
    size_t size = ir_words(i)[0], in_line = (e->out->size - e->start) % AMD_LINE;
    amd_inst nop = {.op = AMD_S_NOP};
    if (amd_lines_of(in_line + size) <= amd_lines_of(size))
        return;
    while ((e->out->size - e->start) % AMD_LINE) {
        end_early(e);
        encode(e, &nop, amd_op_row(AMD_S_NOP));
    }
}

static void
write_u32(emitter *e, size_t at, uint32_t v)
{
    for (unsigned b = 0; b < 4; b++)
        e->out->data[at + b] = (unsigned char)(v >> (8 * b));
}

/* Adds the distance to the constant data to the result of the latest s_getpc_b64: s_add_u32 d, d,
 * literal; s_addc_u32 d+1, d+1, 0. Until the distance is known, the literal is the offset into the
 * data. */
static void
emit_constaddr_add(emitter *e, const ir_instr *i)
{
    uint16_t d = i->defs[0].reg / 4;
    amd_inst lo = {
        .op = AMD_S_ADD_U32, .n_dst = 1, .n_src = 2, .dst = {d}, .src = {d, AMD_SRC_LITERAL}};
    amd_inst hi = {.op = AMD_S_ADDC_U32,
                   .n_dst = 1,
                   .n_src = 2,
                   .dst = {(uint16_t)(d + 1)},
                   .src = {(uint16_t)(d + 1), AMD_SRC_INT_0}};
    lo.literal = ir_words(i)[0];
    encode(e, &lo, amd_op_row(AMD_S_ADD_U32));
    e->data = arena_grow(e->f->ctx->scratch, e->data, &e->cap_data, e->n_data + 1, sizeof *e->data);
    e->data[e->n_data++] = (patch){e->out->size - 4, e->pc};
    encode(e, &hi, amd_op_row(AMD_S_ADDC_U32));
    e->reached = true;
}

static void
append_data(emitter *e)
{
    const ir_shader *s = &e->f->shader;
    if (!e->n_data)
        return;
    while ((e->out->size - e->start) % 64)
        buf_put_u8(e->out, 0);
    size_t data = e->out->size;
    buf_put(e->out, s->constant_data, s->constant_size);
    for (size_t k = 0; k < e->n_data; k++) {
        const patch *p = &e->data[k];
        uint32_t offset = e->out->data[p->at] | (uint32_t)e->out->data[p->at + 1] << 8 |
                          (uint32_t)e->out->data[p->at + 2] << 16 |
                          (uint32_t)e->out->data[p->at + 3] << 24;
        write_u32(e, p->at, (uint32_t)(data - p->from) + offset);
    }
}

/* The instruction cache prefetches beyond the program's end: cache lines of 64 bytes after it must
 * exist. s_code_end fills them (RDNA 2 ISA, S_CODE_END) or, where there is none, s_nop. */
static void
pad_for_prefetch(emitter *e)
{
    const amd_target *t = e->p->target;
    bool has_end = amd_op_number(AMD_S_CODE_END, AMD_SOPP, t->gen) >= 0;
    const uint32_t s_nop = 0xbf800000u, s_code_end = 0xbf9f0000u;
    size_t size = e->out->size - e->start, lines = amd_has(t, prefetched_lines);
    size_t padded = lines ? amd_lines_of(size + lines * AMD_LINE) * AMD_LINE : size;
    for (; size < padded; size += 4)
        buf_put_u32(e->out, has_end ? s_code_end : s_nop);
}

static bool
is_same_line(const ir_fn *f, uint32_t a, uint32_t b)
{
    const ir_loc *x = &f->locs[a], *y = &f->locs[b];
    return a == b || (x->file == y->file && x->line == y->line && x->column == y->column);
}

/* Adds to the line table: instructions without a line belong to the preceding one. */
static void
note_line(emitter *e, uint32_t loc)
{
    amd_program *p = e->p;
    if (!loc || loc >= e->f->n_locs)
        return;
    if (p->n_lines && is_same_line(e->f, p->lines[p->n_lines - 1].loc, loc))
        return;
    p->lines = arena_grow(e->f->arena, p->lines, &p->cap_lines, p->n_lines + 1, sizeof *p->lines);
    p->lines[p->n_lines++] = (amd_line){(uint32_t)(e->out->size - e->start), loc};
}

static void
check_reach(emitter *e)
{
    if (e->out->size < e->branches.check || e->in_clause)
        return;
    amd_branches_write_islands(&e->branches, e->reached);
    e->reached = true;
}

static void
emit_block(emitter *e, const ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        if (amd_joins_previous(i))
            continue;
        check_reach(e);
        note_line(e, i->loc);
        if (i->op == AMD_P_CONSTADDR_ADD)
            emit_constaddr_add(e, i);
        else if (i->op == AMD_P_ALIGN_LOOP)
            align_loop(e, i);
        else if (amd_joins_next(i))
            emit_pair(e, i);
        else
            emit_instr(e, i);
    }
}

uint32_t
amd_size_of_block(ir_fn *f, const ir_block *b)
{
    arena *a = f->ctx->scratch;
    arena_mark mark = arena_save(a);
    base_buf out = buf_make(a);
    emitter e = {.f = f, .p = amd_prog(f), .out = &out};
    amd_branches_init(&e.branches, f, &out);
    e.branches.check = SIZE_MAX; /* no islands */
    emit_block(&e, b);
    e.p->n_lines = 0;
    arena_release(a, mark);
    return (uint32_t)out.size;
}

/* Emits all blocks. Returns false if it must be done again. */
static bool
emit_blocks(emitter *e)
{
    ir_fn *f = e->f;
    amd_branches_init(&e->branches, f, e->out);
    IR_FOREACH_BLOCK(b, f) {
        check_reach(e);
        e->branches.block = b->index;
        b->offset = (uint32_t)(e->out->size - e->start);
        emit_block(e, b);
    }
    return amd_branches_finish(&e->branches);
}

void
amd_emit_program(ir_fn *f, base_buf *out)
{
    size_t start = out->size;
    emitter e;
    do {
        out->size = start;
        amd_prog(f)->n_lines = 0;
        e = (emitter){.f = f, .p = amd_prog(f), .out = out, .start = start};
    } while (!emit_blocks(&e));
    e.p->code_size = (uint32_t)(out->size - e.start);
    pad_for_prefetch(&e);
    append_data(&e);
}
