/* ALU clauses to the tree.
 *
 * Operations that the machine executes together become one node: sums of products, CUBE,
 * interpolation, doubles, Cayman's transcendental operations. Constants are their bits, locked
 * constants their place in the buffer, PV and PS the slot of the group before. */
#include "r600/read/read.h"

typedef struct read_group {
    r600_inst in[R600_SLOTS];
    unsigned n;
    uint32_t literals[4];
    uint32_t next; /* dword */
} read_group;

static void
decode_group(reader *r, uint32_t at, uint32_t end, read_group *g)
{
    unsigned taken = 0, literals = 0;
    r600_inst *in;
    g->n = 0;
    do {
        uint32_t words[2];
        if (at + 2 > end || g->n == R600_SLOTS)
            r600_read_bad(r, "a group that does not end");
        r600_read_words(r, at, 2, words);
        in = &g->in[g->n++];
        r600_decode(r->p->isa, R600_SPACE_ALU, words, in);
        if (in->op == R600_RAW)
            r600_read_bad(r, "a word that is no instruction");
        in->slot = r600_assign_slot(r->p->isa, in, taken);
        if (taken >> in->slot & 1)
            r600_read_bad(r, "two operations in a slot");
        taken |= 1u << in->slot;
        const unsigned n = r600_count_literals(in);
        literals = n > literals ? n : literals;
        at += 2;
    } while (!in->f[R600_F_last]);
    for (unsigned i = 0; i < 4; i++)
        g->literals[i] = 0;
    r600_read_words(r, at, literals, g->literals);
    g->next = at + literals + (literals & 1);
}

/* ---- operands ---- */

static tree_operand
read_locked(reader *r, uint32_t select, uint32_t chan)
{
    const bool is_high = select >= R600_SEL_KC2;
    const unsigned first = is_high ? R600_SEL_KC2 : R600_SEL_KC0;
    const unsigned bank = (is_high ? 2 : 0) + (select - first) / 32;
    const r600_inst *lock = is_high ? &r->ext : &r->cf;
    const uint32_t number = (select - first) % 32;
    const uint32_t mode = (is_high && !r->has_ext) ? 0 : lock->f[R600_F_kc_mode0 + bank];
    if (mode != 1 && mode != 2)
        r600_read_lacks(r, "a constant that is not locked");
    if (number >= mode * R600_KCACHE_LINE)
        r600_read_lacks(r, "a constant that is not locked");
    const uint32_t at = lock->f[R600_F_kc_addr0 + bank] * R600_KCACHE_LINE + number;
    return (tree_operand){.kind = TREE_KCACHE,
                          .buffer = (uint8_t)lock->f[R600_F_kc_bank0 + bank],
                          .id = at * 4 + chan};
}

static bool
find_constant(uint32_t select, uint32_t *bits)
{
    static const uint32_t values[] = {0, 0x3f800000, 1, 0xffffffff, 0x3f000000};
    if (select < R600_SEL_0 || select >= R600_SEL_LITERAL)
        return false;
    *bits = values[select - R600_SEL_0];
    return true;
}

static tree_operand
read_plain(reader *r, const read_group *g, uint32_t select, uint32_t chan)
{
    uint32_t bits;
    const bool has_high_banks = r->p->chip->gen >= R600_GEN_EG;
    if (select < 128)
        return (tree_operand){.kind = TREE_REG, .id = select * 4 + chan};
    if (select < R600_SEL_KC1 + 32 ||
        (has_high_banks && select >= R600_SEL_KC2 && select < R600_SEL_KC3 + 32))
        return read_locked(r, select, chan);
    if (select == R600_SEL_PV || select == R600_SEL_PS)
        return (tree_operand){.kind = TREE_PREV, .id = select == R600_SEL_PS ? R600_SLOT_T : chan};
    if (select == R600_SEL_LITERAL)
        return r600_tree_const(g->literals[chan]);
    if (find_constant(select, &bits))
        return r600_tree_const(bits);
    return (tree_operand){.kind = TREE_SPECIAL, .id = select * 4 + chan};
}

static uint32_t
read_index_mode(reader *r, const r600_inst *in)
{
    if (in->f[R600_F_index_mode] > 3)
        r600_read_lacks(r, "an index that is not in AR");
    return in->f[R600_F_index_mode];
}

static tree_operand
read_element(reader *r, const r600_inst *in, const tree_operand *reg)
{
    if (reg->kind != TREE_REG)
        r600_read_lacks(r, "constants that AR selects");
    const unsigned array = r600_read_find_array(r, reg->id);
    const uint32_t at = (reg->id - r->p->arrays[array].reg) / 4;
    r->p->has_elements = true;
    return (tree_operand){
        .kind = TREE_ELEMENT, .buffer = (uint8_t)array, .id = at * 4 + read_index_mode(r, in)};
}

static tree_operand
read_operand(reader *r, const read_group *g, const r600_inst *in, unsigned i)
{
    const uint32_t *s = r600_source_fields(in, i);
    tree_operand o = read_plain(r, g, s[R600_SRC_SEL], s[R600_SRC_CHAN]);
    if (s[R600_SRC_REL])
        o = read_element(r, in, &o);
    if (o.kind == TREE_CONST) {
        o.id &= s[R600_SRC_ABS] ? 0x7fffffff : 0xffffffff;
        o.id ^= s[R600_SRC_NEG] ? 0x80000000 : 0;
    } else {
        o.mods = (uint8_t)((s[R600_SRC_NEG] ? TREE_NEG : 0) | (s[R600_SRC_ABS] ? TREE_ABS : 0));
    }
    return o;
}

/* ---- operations ---- */

static const uint16_t refused[] = {
    R600_SET_MODE,        R600_SET_CF_IDX0,  R600_SET_CF_IDX1,      R600_SET_LDS_SIZE,
    R600_LDS_1A,          R600_LDS_1A1D,     R600_LDS_2A,           R600_GROUP_SEQ_END,
    R600_STORE_FLAGS,     R600_PRED_SET_INV, R600_PRED_SET_POP,     R600_LOAD_STORE_FLAGS,
    R600_GROUP_SEQ_BEGIN, R600_PRED_SET_CLR, R600_PRED_SET_RESTORE,
};

/* Does it set a component of AR to an integer? */
static bool
is_address(const reader *r, const r600_inst *in)
{
    return in->op == R600_MOVA_INT && !in->f[R600_F_pred_sel] &&
           (r->p->chip->gen != R600_GEN_CM || in->f[R600_F_dst_gpr] == 0);
}

static void
check_operation(reader *r, const r600_inst *in)
{
    const r600_op_info *row = r600_op_row(in->op);
    const bool is_compare = row->properties & (R600_P_PRED | R600_P_KILL);
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        if (in->op == refused[i])
            r600_read_lacks(r, row->name);
    if (row->properties & R600_P_PUSH || (row->properties & R600_P_MOVA && !is_address(r, in)) ||
        (row->properties & R600_P_PRED && row->properties & R600_P_F64))
        r600_read_lacks(r, row->name);
    if (in->f[R600_F_dst_rel] && (in->f[R600_F_pred_sel] || row->format == R600_FMT_LDS))
        r600_read_lacks(r, "writes that AR selects under a predicate");
    if (in->f[R600_F_fog_merge] || in->f[R600_F_pred_sel] == 1)
        r600_read_lacks(r, "an operation with such options");
    if (is_compare && (in->f[R600_F_write_mask] || in->f[R600_F_omod]))
        r600_read_lacks(r, "a comparison that also writes a register");
    if (in->f[R600_F_pred_sel] && (is_compare || row->format == R600_FMT_LDS))
        r600_read_lacks(r, "a comparison or an access to LDS under a predicate");
}

static void
read_slot(reader *r, const read_group *g, const r600_inst *in, tree_slot *s)
{
    const r600_op_info *row = r600_op_row(in->op);
    *s = (tree_slot){.op = (uint16_t)in->op,
                     .slot = in->slot,
                     .clamp = (uint8_t)in->f[R600_F_clamp],
                     .omod = (uint8_t)in->f[R600_F_omod],
                     .offset = (uint8_t)in->f[R600_F_lds_offset],
                     .pred = (uint8_t)in->f[R600_F_pred_sel]};
    s->writes = row->format == R600_FMT_OP3 ||
                (row->format == R600_FMT_OP2 && in->f[R600_F_write_mask]);
    s->def = in->f[R600_F_dst_gpr] * 4 + in->f[R600_F_dst_chan];
    for (unsigned k = 0; k < r600_tree_sources(in->op); k++)
        s->src[k] = read_operand(r, g, in, k);
    if (row->properties & R600_P_MOVA) {
        s->op = R600_MOV;
        s->def = READ_AR + in->f[R600_F_dst_chan];
        s->writes = true;
    } else if (in->f[R600_F_dst_rel] && s->writes) {
        const unsigned array = r600_read_find_array(r, s->def);
        s->def = (s->def - r->p->arrays[array].reg) / 4;
        s->array = (uint8_t)(1 + array);
        s->ar = (uint8_t)read_index_mode(r, in);
        r->p->has_elements = true;
    }
}

/* Operations whose slots belong together, or which cannot stand elsewhere. */
static bool
is_fixed(const reader *r, const r600_inst *in)
{
    const r600_op_info *row = r600_op_row(in->op);
    const char slots = r600_slots_of(r->p->isa, in->op);
    return slots == 'Q' || (slots == 'S' && r->p->chip->gen == R600_GEN_CM) ||
           row->properties & (R600_P_F64 | R600_P_INTERP | R600_P_PREV) ||
           row->format == R600_FMT_LDS;
}

static bool
is_joined(const r600_inst *a, const r600_inst *b)
{
    const uint16_t p = r600_op_row(a->op)->properties, q = r600_op_row(b->op)->properties;
    const bool has_neighbours = p & q & R600_P_F64 || (p | q) & R600_P_PREV;
    return has_neighbours || (a->op == b->op && r600_op_row(a->op)->format != R600_FMT_LDS &&
                              !(p & R600_P_INTERP && a->op >= R600_INTERP_LOAD_P0));
}

static tree_node *
read_pack(reader *r, const read_group *g, unsigned first, unsigned n)
{
    tree_node *node = r600_tree_new(r->p, TREE_ALU);
    node->n = (uint8_t)n;
    node->is_pack = true;
    node->slots = ARENA_ARRAY(r->p->arena, n, tree_slot);
    for (unsigned i = 0; i < n; i++)
        read_slot(r, g, &g->in[first + i], &node->slots[i]);
    if (r600_op_row(g->in[first].op)->properties & R600_P_INTERP)
        node->bank = (uint8_t)(1 + g->in[first].f[R600_F_bank_swizzle]);
    return node;
}

/* A comparison: the lanes where it holds go on, or it is a predicate for others. */
static tree_node *
read_compare(reader *r, const read_group *g, const r600_inst *in, bool *branches)
{
    tree_node *node = r600_tree_alu(r->p, in->op);
    const bool to_exec = in->f[R600_F_update_exec], to_pred = in->f[R600_F_update_pred];
    read_slot(r, g, in, node->slots);
    if (to_exec == to_pred && (to_exec || *branches))
        r600_read_lacks(r, "a comparison for lanes and predicate");
    node->slots->def = to_exec ? READ_EXEC : READ_PRED;
    node->slots->writes = true;
    *branches |= to_exec;
    return node;
}

static void
read_operations(reader *r, const read_group *g, bool *branches)
{
    for (unsigned i = 0; i < g->n;) {
        const r600_inst *in = &g->in[i];
        unsigned n = 1;
        tree_node *node;
        check_operation(r, in);
        if (r600_op_row(in->op)->properties & R600_P_PRED) {
            node = read_compare(r, g, in, branches);
        } else if (is_fixed(r, in) && in->slot != R600_SLOT_T) {
            while (i + n < g->n && n < TREE_MAX_SLOTS && is_fixed(r, &g->in[i + n]) &&
                   g->in[i + n].slot != R600_SLOT_T && is_joined(in, &g->in[i + n])) {
                check_operation(r, &g->in[i + n]);
                n++;
            }
            node = read_pack(r, g, i, n);
        } else {
            node = r600_tree_alu(r->p, in->op);
            read_slot(r, g, in, node->slots);
        }
        r600_tree_append(r->list, node);
        i += n;
    }
    r->list->last->ends_group = true;
}

void
r600_read_alu_clause(reader *r)
{
    uint32_t at = r->cf.f[R600_F_addr] * 2;
    const uint32_t end = at + (r->cf.f[R600_F_count] + 1) * 2;
    while (at < end) {
        read_group g;
        bool branches = false;
        decode_group(r, at, end, &g);
        read_operations(r, &g, &branches);
        at = g.next;
        if (at >= end)
            r->list->last->ends_clause = true;
        if (branches)
            r600_read_branch(r);
    }
}
