#include "adreno/emit/emit.h"

#include "base/bits.h"
#include "base/fp.h"

#include <assert.h>

typedef struct emitter {
    ir_fn *f;
    const adreno_isa *isa;
    base_buf *out;
    uint32_t *start; /* of blocks, in words */
    uint32_t n;
    bool writes; /* else it only counts */
} emitter;

static uint32_t
modifier(const ir_instr *i, unsigned shift, unsigned bits)
{
    return adreno_attr(i, 0, shift, bits);
}

/* ---- attributes ---- */

/* Fields that are bits of the attribute words, in each format that has them: the encoder takes no
 * others. */
static const struct {
    uint8_t field, word, shift, bits;
} attributes[] = {
#define OTHER(id, name, word, shift, bits, kind, names)
#define ATTRIBUTE(id, name, word, shift, bits, kind, names, field)                                 \
    {ADRENO_F_##field, word, shift, bits},
#include "adreno/attributes.def"
#undef ATTRIBUTE
#undef OTHER
    {ADRENO_F_r1, 0, ADRENO_M_R, 1},
    {ADRENO_F_r2, 0, ADRENO_M_R + 1, 1},
    {ADRENO_F_r3, 0, ADRENO_M_R + 2, 1},
    {ADRENO_F_samp, 1, 0, 4},
    {ADRENO_F_tex, 1, 4, 7},
    {ADRENO_F_base_high, 2, ADRENO_W_BASE + 1, 2},
    {ADRENO_F_global, 2, ADRENO_W_BARRIER, 1},
    {ADRENO_F_local, 2, ADRENO_W_BARRIER + 1, 1},
    {ADRENO_F_read, 2, ADRENO_W_BARRIER + 2, 1},
    {ADRENO_F_write, 2, ADRENO_W_BARRIER + 3, 1},
};

static void
put_attributes(const ir_instr *i, adreno_inst *in)
{
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        in->f[attributes[k].field] = adreno_attr(i, attributes[k].word, attributes[k].shift,
                                                 attributes[k].bits);
    in->f[ADRENO_F_ss] = i->form & ADRENO_FORM_SS ? 1 : 0;
    in->f[ADRENO_F_sy] = i->form & ADRENO_FORM_SY ? 1 : 0;
    in->f[ADRENO_F_jp] = i->form & ADRENO_FORM_JP ? 1 : 0;
}

/* ---- sources ---- */

static int
float_entry(ir_ref r)
{
    const unsigned bits = adreno_is_half_class(r.rc) ? 16 : 32;
    int k = 0;
    while (k < ADRENO_TABLE_FLOATS - 1 &&
           base_fp_encode(adreno_table_floats[k], bits, BASE_ROUND_EVEN) != r.id)
        k++;
    return k;
}

/* The registers that it picks one of are its results. */
static bool
is_relative_result(const ir_instr *i)
{
    return i->op == ADRENO_MOV && adreno_attr(i, 2, ADRENO_W_REL_DST, 1);
}

static adreno_source
source_of(const ir_instr *i, unsigned r)
{
    const ir_ref ref = i->refs[r];
    const bool half = adreno_is_half_class(ref.rc);
    const unsigned category = adreno_category(i->op);
    adreno_source s = {.kind = ADRENO_S_REG,
                       .absneg = (uint8_t)(modifier(i, ADRENO_M_NEG + r, 1) |
                                           modifier(i, ADRENO_M_ABS + r, 1) << 1)};
    if (ref.kind != IR_REF_CONST) {
        s.value = ref.reg == IR_REG_NONE ? 0 : adreno_reg_number(ref);
        if (category == 1 && modifier(i, ADRENO_M_REL, 1) && !is_relative_result(i)) {
            s.kind = ADRENO_S_REG_REL;
            s.value += ir_words(i)[1];
        }
        return s;
    }
    s.value = ref.id;
    if (modifier(i, ADRENO_M_CFILE + r, 1)) {
        s.kind = modifier(i, ADRENO_M_REL, 1) ? ADRENO_S_CONST_REL : ADRENO_S_CONST;
    } else if (category == 1) {
        s.kind = modifier(i, ADRENO_M_STYPE, 3) <= ADRENO_F32 ? ADRENO_S_FLOAT : ADRENO_S_NUMBER;
    } else if (adreno_op_row((adreno_op)i->op)->type == ADRENO_T_F &&
               !adreno_is_varying_op(i->op)) {
        s.kind = ADRENO_S_TABLE;
        s.value = float_entry(ref);
        s.own_half = half;
    } else {
        s.kind = ADRENO_S_NUMBER;
        s.value = base_sext64(ref.id, half ? 16 : 32);
    }
    return s;
}

static void
put_sources(const emitter *e, const ir_instr *i, adreno_inst *in)
{
    static const adreno_field fields[] = {ADRENO_F_src1, ADRENO_F_src2, ADRENO_F_src3};
    static const adreno_field negs[] = {ADRENO_F_neg1, ADRENO_F_neg2, ADRENO_F_neg3};
    const unsigned category = adreno_category(i->op);
    const unsigned most = category == 1 ? 1 : 3;
    for (unsigned r = 0; r < i->n_refs && r < most; r++) {
        const adreno_source s = source_of(i, r);
        bool ok = true;
        if (category == 1)
            ok = adreno_write_move(&s, in);
        else if (category == 3 && r == 1)
            in->f[ADRENO_F_src2] = (uint32_t)s.value;
        else if (category == 3)
            ok = adreno_write_source3(e->isa, in->op, r == 2, &s, &in->f[fields[r]]);
        else
            ok = adreno_write_source(&s, &in->f[fields[r]]);
        if (category == 3)
            in->f[negs[r]] = s.absneg & 1;
        assert(ok);
        (void)ok;
    }
}

static bool
is_half_ref(ir_ref r)
{
    return adreno_is_half_class(r.rc);
}

/* ---- categories ---- */

static void
put_move(const emitter *e, const ir_instr *i, adreno_inst *in)
{
    if (i->n_defs)
        in->f[ADRENO_F_dst] = adreno_reg_number(i->defs[0]);
    switch (i->op) {
    case ADRENO_SWZ:
        in->f[ADRENO_F_dst2] = adreno_reg_number(i->defs[1]);
        in->f[ADRENO_F_src] = adreno_reg_number(i->refs[0]);
        in->f[ADRENO_F_src1] = adreno_reg_number(i->refs[1]);
        return;
    case ADRENO_MOVMSK: in->f[ADRENO_F_width] = adreno_row(i->defs[0].rc) - 1; return;
    default: break;
    }
    if (is_relative_result(i)) {
        in->f[ADRENO_F_dst] += ir_words(i)[1];
        in->f[ADRENO_F_dst_rel] = 1;
    }
    put_sources(e, i, in);
}

/* (r) of sources are the bits of (nopN), which an instruction with repetitions does not have. */
static void
put_operation(const emitter *e, const ir_instr *i, adreno_inst *in)
{
    const bool from = is_half_ref(i->refs[0]), to = is_half_ref(i->defs[0]);
    const bool is_predicate = i->defs[0].rc == ADRENO_P1;
    const unsigned nop = i->form >> ADRENO_FORM_NOP & 3;
    in->f[ADRENO_F_full] = !from;
    in->f[ADRENO_F_conv] = !is_predicate && from != to;
    in->f[ADRENO_F_dst] = adreno_reg_number(i->defs[0]);
    put_sources(e, i, in);
    if (i->op == ADRENO_FLAT_B) /* its second source is the same place */
        in->f[ADRENO_F_src2] = in->f[ADRENO_F_src1];
    in->f[ADRENO_F_r1] |= nop & 1;
    in->f[ADRENO_F_r2] |= nop >> 1;
}

/* A signed offset in fields off and off_high. */
static void
put_offset(const ir_instr *i, adreno_inst *in)
{
    const adreno_format_info *format = adreno_format_of(in->op);
    const unsigned low = adreno_field_width(format, ADRENO_F_off);
    const uint32_t off = ir_words(i)[1];
    in->f[ADRENO_F_off] = off & (uint32_t)base_mask64(low);
    in->f[ADRENO_F_off_high] = off >> low &
                               (uint32_t)base_mask64(adreno_field_width(format, ADRENO_F_off_high));
}

/* The fields of the definition and of the references of instructions of category 6. */
typedef struct places {
    uint16_t format;
    uint8_t def, refs[4];
} places;

static const places *
places_of(unsigned format)
{
    static const places usual = {
        0, ADRENO_F_dst, {ADRENO_F_src1, ADRENO_F_src2, ADRENO_F_src3, ADRENO_F_src4}};
    static const places others[] = {
        {ADRENO_FMT_CAT6_STG, ADRENO_F_dst, {ADRENO_F_src1, ADRENO_F_src3}},
        {ADRENO_FMT_CAT6_LDLV, ADRENO_F_dst, {ADRENO_F_off}},
        {ADRENO_FMT_CAT6_LDC, ADRENO_F_dst, {ADRENO_F_src1, ADRENO_F_uav}},
        {ADRENO_FMT_CAT6_RES, ADRENO_F_dst, {ADRENO_F_uav}},
        {ADRENO_FMT_CAT6_LDIB, ADRENO_F_src1, {ADRENO_F_src2, ADRENO_F_uav}},
        {ADRENO_FMT_CAT6_STIB, ADRENO_F_dst, {ADRENO_F_src1, ADRENO_F_src2, ADRENO_F_uav}},
        {ADRENO_FMT_CAT6_ATOMIC_B, ADRENO_F_dst, {ADRENO_F_src1, ADRENO_F_src2, ADRENO_F_uav}},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k].format == format)
            return &others[k];
    return &usual;
}

/* Buffers that have numbers have them in word 1, where others have an offset, and stc the place. */
static void
put_memory(const ir_instr *i, adreno_inst *in)
{
    const places *to = places_of(adreno_op_row(in->op)->format);
    in->f[ADRENO_F_size] = adreno_attr(i, 2, ADRENO_W_ELEMS, 2) + 1;
    put_offset(i, in);
    in->f[ADRENO_F_has_offset] = ir_words(i)[1] != 0;
    in->f[ADRENO_F_uav] = ir_words(i)[1];
    in->f[ADRENO_F_uav_im] = 1;
    in->f[ADRENO_F_im1] = i->n_refs > 0 && i->refs[0].kind == IR_REF_CONST;
    in->f[ADRENO_F_im2] = i->n_refs > 1 && i->refs[1].kind == IR_REF_CONST;
    in->f[ADRENO_F_dst] = ir_words(i)[1];
    in->f[ADRENO_F_u] = !i->n_defs;
    if (i->n_defs) {
        in->f[to->def] = adreno_reg_number(i->defs[0]);
        in->f[ADRENO_F_u] = i->defs[0].reg >= ADRENO_REG_SHARED;
    }
    for (unsigned r = 0; r < i->n_refs; r++)
        in->f[to->refs[r]] = i->refs[r].kind == IR_REF_CONST ? i->refs[r].id
                                                             : adreno_reg_number(i->refs[r]);
}

/* The first reference is what is sampled with; a second one, offsets and levels; the last one of
 * instructions with descriptors in registers, their numbers. */
static void
put_texture(const ir_instr *i, adreno_inst *in)
{
    const bool is_imm = in->f[ADRENO_F_mode] >= 6;
    const bool is_tied = i->op == ADRENO_BRCST_ACTIVE; /* its first reference is the result */
    unsigned n = i->n_refs;
    in->f[ADRENO_F_full] = n && !is_half_ref(i->refs[0]);
    in->f[ADRENO_F_dst] = i->n_defs ? adreno_reg_number(i->defs[0]) : ADRENO_NO_RESULT;
    if (adreno_field_width(adreno_format_of(in->op), ADRENO_F_mode))
        in->f[ADRENO_F_src3] = is_imm ? ir_words(i)[1] : adreno_reg_number(i->refs[--n]);
    if (n > 0 && i->n_defs)
        in->f[ADRENO_F_src1] = adreno_reg_number(i->refs[is_tied]);
    else if (n > 0) /* samples anywhere, with registers that an early preamble has */
        in->f[ADRENO_F_src1] = ADRENO_REG_SHARED / 4;
    if (n > 1 && !is_tied)
        in->f[ADRENO_F_src2] = adreno_reg_number(i->refs[1]);
}

/* What the branch tests, or the opposite: not (a and b) is not a or not b. */
static void
put_predicates(const ir_instr *i, bool opposite, adreno_inst *in)
{
    const uint32_t inverts = adreno_attr(i, 0, ADRENO_M_INV, 1) ^
                             (opposite && adreno_is_branch(i->op));
    in->f[ADRENO_F_inv1] = inverts;
    if (i->n_refs)
        in->f[ADRENO_F_comp1] = adreno_reg_number(i->refs[0]) & 3;
    if (i->n_refs < 2)
        return;
    in->f[ADRENO_F_inv2] = inverts;
    in->f[ADRENO_F_comp2] = adreno_reg_number(i->refs[1]) & 3;
    if (opposite)
        in->op = i->op == ADRENO_BRAA ? ADRENO_BRAO : ADRENO_BRAA;
}

static void
put_flow(const ir_instr *i, adreno_inst *in)
{
    enum { EIGHT = 2 };
    if (i->op == ADRENO_NOP)
        in->f[ADRENO_F_repeat] = ir_words(i)[1];
    if (i->op == ADRENO_KILL)
        put_predicates(i, false, in);
    if (i->op == ADRENO_GETLAST)
        in->f[ADRENO_F_cluster] = EIGHT;
}

/* For textures with a register as definition; else for a component of a render target. */
static void
put_alias(const ir_instr *i, adreno_inst *in)
{
    const bool half = is_half_ref(i->refs[0]);
    adreno_source s = source_of(i, 0);
    s.value &= half && s.kind == ADRENO_S_NUMBER ? 0xffff : UINT32_MAX;
    in->f[ADRENO_F_scope] = !i->n_defs;
    in->f[ADRENO_F_dst] = i->n_defs ? adreno_reg_number(i->defs[0]) : ir_words(i)[1];
    in->f[ADRENO_F_table] = i->n_defs ? ir_words(i)[1] : 0;
    in->f[ADRENO_F_tclass] = 1;
    in->f[ADRENO_F_tsize] = !half;
    adreno_write_move(&s, in);
}

static adreno_inst
make(const emitter *e, const ir_instr *i)
{
    adreno_inst in = {.op = (adreno_op)i->op};
    put_attributes(i, &in);
    switch (adreno_category(i->op)) {
    case 0: put_flow(i, &in); break;
    case 1: put_move(e, i, &in); break;
    case 2:
    case 3:
    case 4: put_operation(e, i, &in); break;
    case 5: put_texture(i, &in); break;
    case 6: put_memory(i, &in); break;
    default:
        if (i->op == ADRENO_ALIAS)
            put_alias(i, &in);
        break;
    }
    return in;
}

/* ---- the program ---- */

static void
put_word(emitter *e, const adreno_inst *in)
{
    if (e->writes) {
        const uint64_t word = adreno_encode(e->isa, in);
        buf_put_u32(e->out, (uint32_t)word);
        buf_put_u32(e->out, (uint32_t)(word >> 32));
    }
    e->n++;
}

static void
put_instr(emitter *e, const ir_instr *i)
{
    adreno_inst in = {.op = ADRENO_NOP};
    if (e->writes)
        in = make(e, i);
    put_word(e, &in);
}

static void
put_jump(emitter *e, adreno_inst *in, const ir_block *to)
{
    in->f[ADRENO_F_imm] = e->start[to->index] - e->n;
    put_word(e, in);
}

/* The last instruction of a block: what goes on to the next block needs no jump. */
static void
put_end(emitter *e, const ir_block *b, const ir_instr *i)
{
    adreno_inst in = make(e, i);
    const ir_block *taken = b->succs[1].at[0];
    const bool falls = taken->index == b->index + 1;
    if (i->op == ADRENO_JUMP) {
        if (!falls || i->form)
            put_jump(e, &in, taken);
        return;
    }
    const ir_block *other = b->succs[1].count > 1 ? b->succs[1].at[1] : taken;
    put_predicates(i, falls, &in);
    if (falls && adreno_is_branch(i->op)) {
        taken = other;
        other = b->succs[1].at[0];
    }
    put_jump(e, &in, taken);
    if (other->index != b->index + 1) {
        adreno_inst jump = {.op = ADRENO_JUMP};
        put_jump(e, &jump, other);
    }
}

static void
put_blocks(emitter *e)
{
    IR_FOREACH_BLOCK(b, e->f) {
        e->start[b->index] = e->n;
        IR_FOREACH_INSTR(i, b) {
            if (i->op == ADRENO_P_PREFETCH)
                continue;
            const bool ends = e->f->level->ops[i->op].flags & IR_OP_TERMINATOR;
            if (ends && i->op != ADRENO_END) {
                put_end(e, b, i);
                continue;
            }
            put_instr(e, i);
        }
    }
}

static uint16_t
output_register(ir_ref r)
{
    return r.kind == IR_REF_UNDEF ? ADRENO_IO_NO_REG : (uint16_t)adreno_reg_number(r);
}

/* The end's operands are the outputs, in the order of their rows. */
static void
note_outputs(adreno_program *p, const ir_instr *end)
{
    unsigned r = 0;
    for (uint32_t k = 0; k < p->n_io; k++)
        if (p->io[k].kind >= ADRENO_IO_OUTPUT && r < end->n_refs)
            p->io[k].reg = output_register(end->refs[r++]);
}

static void
note_prefetch(const ir_fn *f, const ir_instr *i)
{
    adreno_program *p = adreno_prog(f);
    const uint32_t word = ir_words(i)[1], reg = adreno_reg_number(i->defs[0]);
    if (reg >= ADRENO_PREFETCH_REGS || p->n_prefetches == ADRENO_MAX_PREFETCHES)
        diag_fail(f->ctx->diag, ERR_TARGET_SELECT, p->target->chip->name,
                  "a texture that is sampled before the wave to such a register");
    p->prefetches[p->n_prefetches++] = (adreno_prefetch){
        .place = (uint8_t)(word >> 8),
        .reg = (uint8_t)reg,
        .mask = (uint8_t)adreno_attr(i, 2, ADRENO_W_MASK, 4),
        .set = (uint8_t)adreno_attr(i, 2, ADRENO_W_BASE, 3),
        .texture = word >> 4 & 15,
        .sampler = word & 15};
}

static void
note_register(const ir_fn *f, const ir_instr *i, ir_ref r)
{
    adreno_program *p = adreno_prog(f);
    const uint32_t rows = 1 + modifier(i, ADRENO_M_REPEAT, 2);
    const uint32_t end = (r.reg + rows * ir_class_of(f, r.rc)->bytes + 3u) / 4;
    if (r.reg < ADRENO_REG_SHARED && end > p->full_used)
        p->full_used = end;
}

/* The registers that the program uses: the highest unit, and the halves as their own file. What is
 * read was written, but for parts of arrays. */
static void
count_registers(const ir_fn *f)
{
    adreno_program *p = adreno_prog(f);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op == ADRENO_END)
                note_outputs(p, i);
            if (i->op == ADRENO_P_PREFETCH)
                note_prefetch(f, i);
            for (unsigned d = 0; d < i->n_defs && i->op != ADRENO_ALIAS; d++)
                note_register(f, i, i->defs[d]);
            for (unsigned r = 0; r < i->n_refs && i->op == ADRENO_MOV; r++)
                if (i->refs[r].kind != IR_REF_CONST && modifier(i, ADRENO_M_REL, 1))
                    note_register(f, i, i->refs[r]);
        }
    }
    if (p->uses_local_id && p->full_used < 3)
        p->full_used = 3;
    if (p->uses_group_id && !p->target->shared_registers && p->full_used < 6)
        p->full_used = 6;
    for (uint32_t k = 0; k < p->n_io; k++) {
        const adreno_io *io = &p->io[k];
        const uint32_t end = io->reg + base_bit_width(io->mask & ~io->aliased);
        if (io->reg != ADRENO_IO_NO_REG && !adreno_has_places(io) && end > p->full_used)
            p->full_used = end;
    }
}

static bool
is_of_fibre(ir_ref r)
{
    return adreno_has_register(r) && (r.reg < ADRENO_REG_SHARED || r.reg >= ADRENO_REG_PREDICATE);
}

/* Has the code up to the end of the preamble, if there is one, shared registers alone? Relative
 * constants and predicates would need others, too (ir3_legalize.c of Mesa). */
static bool
is_early(const ir_fn *f)
{
    bool early = adreno_prog(f)->target->early_preamble &&
                 !(adreno_prog(f)->debug & ADRENO_DEBUG_NO_EARLY_PREAMBLE);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            for (unsigned d = 0; d < i->n_defs && i->op != ADRENO_P_PREFETCH; d++)
                early &= !is_of_fibre(i->defs[d]);
            for (unsigned r = 0; r < i->n_refs && i->op != ADRENO_P_PREFETCH; r++)
                early &= !is_of_fibre(i->refs[r]);
            early &= i->op != ADRENO_MOVA;
            if (i->op == ADRENO_SHPE)
                return early;
        }
    }
    return false;
}

void
adreno_emit_program(ir_fn *f, base_buf *out)
{
    adreno_program *p = adreno_prog(f);
    p->n_prefetches = 0;
    emitter e = {.f = f, .isa = adreno_isa_to_encode(f->arena, p->target->chip->gen), .out = out};
    e.start = ARENA_ARRAY(f->arena, f->n_blocks, uint32_t);
    put_blocks(&e);
    e.n = 0;
    e.writes = true;
    put_blocks(&e);
    p->n_words = e.n;
    count_registers(f);
    p->early_preamble = is_early(f);
}
