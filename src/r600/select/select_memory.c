/* Buffers, push constants and constant data; private memory; barriers.
 *
 * Storage buffers are written through RATs, which count dwords, and read by vertex fetches from a
 * resource with a stride of a dword, as Mesa's driver does; a fetch must not start before stores
 * have been acknowledged. Uniform buffers and push constants at known offsets are locked constants,
 * which operations read as operands; others are fetched. Numbers of 8 and 16 bits are fetched from
 * a resource with a stride of a byte, and stored by MSKOR. Private memory of compute shaders is a
 * storage buffer in which each lane has a part (of others: select_scratch.c). */
#include "r600/select/select.h"

#include "base/bits.h"

enum { STORE_RAW = 2, MSKOR = 17, STORE_DWORD = 20, WRITE_IND_ACK = 3 };

/* ---- addresses ---- */

tree_operand
r600_sel_plus(r600_sel *s, tree_operand a, uint32_t n)
{
    if (!n)
        return a;
    if (a.kind == TREE_CONST)
        return r600_tree_const(a.id + n);
    return r600_sel_op2(s, R600_ADD_INT, a, r600_tree_const(n));
}

/* Of an offset that is a shift to the left (opt/scale_offsets) nothing is lost by shifting less: an
 * index beyond 2^30 is outside every buffer. */
tree_operand
r600_sel_units(r600_sel *s, ir_ref offset, unsigned log)
{
    uint64_t n;
    const ir_instr *def = s->hir->values[offset.id].def;
    if (ir_is_const(s->hir, offset, &n))
        return r600_tree_const((uint32_t)n >> log);
    if (def && def->op == IR_ishl && ir_is_const(s->hir, def->refs[1], &n) && n >= log) {
        const tree_operand x = r600_sel_get(s, def->refs[0]);
        const tree_operand more = r600_tree_const((uint32_t)n - log);
        return n == log ? x : r600_sel_op2(s, R600_LSHL_INT, x, more);
    }
    return r600_sel_op2(s, R600_LSHR_INT, r600_sel_get(s, offset), r600_tree_const(log));
}

/* ---- fetches ---- */

/* Elements of so many bits; `skip` counts them. */
typedef struct elements {
    uint32_t skip;
    uint8_t bits, n;
} elements;

void
r600_sel_fetch_as(r600_sel *s, const r600_fetched *e, tree_operand index, tree_operand *out)
{
    enum { NO_INDEX = 2, MASKED = 7 };
    const bool has_cache = !(s->p->chip->properties & R600_NO_VTX_CACHE);
    tree_vector *v = r600_sel_vector(s, TREE_FETCH, R600_VFETCH);
    tree_node *node = s->list->last;
    uint32_t *f = v->inst.f;
    node->id = has_cache ? R600_VTX : R600_TEX;
    f[R600_F_resource] = e->resource;
    f[R600_F_fetch_type] = NO_INDEX;
    f[R600_F_format] = e->format;
    f[R600_F_num_format] = e->num;
    f[R600_F_is_signed] = e->is_signed;
    f[R600_F_srf_mode] = e->has_no_zero;
    f[R600_F_offset] = e->offset;
    if (s->p->chip->gen < R600_GEN_CM) {
        f[R600_F_mega_fetch] = 1;
        f[R600_F_mega_count] = e->bytes - 1;
    }
    v->src[0] = index;
    for (unsigned c = 0; c < 4; c++)
        f[R600_F_out_sel_x + c] = c < e->n ? c : MASKED;
    for (unsigned c = 0; c < e->n; c++) {
        s->wish = c;
        v->def[c] = r600_sel_define(s, node);
        out[c] = r600_tree_use(v->def[c]);
    }
}

static void
fetch(r600_sel *s, uint32_t resource, tree_operand index, elements e, tree_operand *out)
{
    /* 32, 32_32, 32_32_32, 32_32_32_32; those of 8 and 16 bits come one by one */
    static const uint8_t formats[] = {13, 29, 47, 34};
    enum { FORMAT_8 = 1, FORMAT_16 = 5 };
    const r600_fetched how = {.resource = resource,
                              .format = e.bits == 8    ? FORMAT_8
                                        : e.bits == 16 ? FORMAT_16
                                                       : formats[e.n - 1],
                              .num = R600_NUM_INT,
                              .has_no_zero = true,
                              .offset = e.skip * e.bits / 8,
                              .bytes = e.n * e.bits / 8u,
                              .n = e.n};
    r600_sel_fetch_as(s, &how, index, out);
}

void
r600_sel_fetch(r600_sel *s, uint32_t resource, tree_operand index, unsigned n, tree_operand *out)
{
    fetch(s, resource, index, (elements){0, 32, (uint8_t)n}, out);
}

static void
fetch_all(r600_sel *s, uint32_t resource, tree_operand index, unsigned n, tree_operand *out)
{
    for (unsigned k = 0; k < n; k += 4)
        fetch(s, resource, index, (elements){k, 32, n - k < 4 ? (uint8_t)(n - k) : 4}, out + k);
}

/* Where an access is, `base` bytes behind the offset. */
typedef struct place {
    uint32_t number;   /* of the resource and the RAT */
    tree_operand lane; /* the first dword of the lane's own part; kind TREE_NONE: there is none */
    ir_ref offset;
    uint32_t base;
} place;

/* The dword `skip` behind the place, of an access that is aligned to dwords. */
static tree_operand
dword_of(r600_sel *s, const place *p, uint32_t skip)
{
    const tree_operand at = r600_sel_plus(s, r600_sel_dwords(s, p->offset), p->base / 4 + skip);
    return p->lane.kind ? r600_sel_op2(s, R600_ADD_INT, at, p->lane) : at;
}

static tree_operand
byte_of(r600_sel *s, const place *p, uint32_t skip)
{
    const tree_operand at = r600_sel_plus(s, r600_sel_get(s, p->offset), p->base + skip);
    if (!p->lane.kind)
        return at;
    return r600_sel_op2(s, R600_ADD_INT, at,
                        r600_sel_op2(s, R600_LSHL_INT, p->lane, r600_tree_const(2)));
}

static void
check_alignment(r600_sel *s, const ir_instr *i, const place *p, unsigned bits)
{
    const unsigned bytes = bits >= 32 ? 4 : bits / 8;
    if (ir_alignment(i) < bytes || p->base % bytes)
        r600_sel_lacks(s, "unaligned accesses");
}

static void
load(r600_sel *s, const ir_instr *i, const place *p)
{
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    const unsigned bits = ir_type_bits(s->hir->values[i->defs[0].id].type);
    tree_operand *out = r600_sel_def(s, i);
    check_alignment(s, i, p, bits);
    if (bits >= 32) {
        fetch_all(s, p->number, dword_of(s, p, 0), n, out);
        return;
    }
    const tree_operand at = byte_of(s, p, 0);
    for (unsigned k = 0; k < n; k++)
        fetch(s, R600_RESOURCE_BYTES + p->number, at, (elements){k, (uint8_t)bits, 1}, &out[k]);
}

/* ---- constants ---- */

/* Loads from constant buffer `buffer`, `base` bytes behind the offset. */
static void
load_constant(r600_sel *s, const ir_instr *i, uint32_t buffer, ir_ref offset, uint32_t base)
{
    const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
    const unsigned bits = ir_type_bits(s->hir->values[i->defs[0].id].type);
    const unsigned bytes = bits >= 32 ? 4 : bits / 8;
    enum { MOST_BYTES = 1 << 16 };
    uint64_t at;
    tree_operand *out = r600_sel_def(s, i);
    if (!ir_is_const(s->hir, offset, &at) || at + base + n * bytes > MOST_BYTES ||
        (at + base) % bytes) {
        const place p = {.number = R600_RESOURCE_CONSTANT + buffer, .offset = offset, .base = base};
        load(s, i, &p);
        return;
    }
    for (unsigned k = 0; k < n; k++) {
        const uint32_t byte = (uint32_t)at + base + k * bytes;
        out[k] = (tree_operand){.kind = TREE_KCACHE, .buffer = (uint8_t)buffer, .id = byte / 4};
        if (byte % 4)
            out[k] = r600_sel_op2(s, R600_LSHR_INT, out[k], r600_tree_const(byte % 4 * 8));
    }
}

/* ---- stores ---- */

void
r600_sel_check_stores(r600_sel *s)
{
    if (s->p->chip->gen <= R600_GEN_R700)
        r600_sel_lacks(s, "stores to memory and atomics");
}

tree_vector *
r600_sel_rat(r600_sel *s, uint32_t number, uint32_t inst, tree_operand index)
{
    const uint32_t rat = number == R600_RAT_PRIVATE ? number : number + s->program->first_rat;
    r600_sel_check_stores(s);
    if (s->hir->shader.stage == IR_STAGE_VERTEX)
        r600_sel_lacks(s, "stores to memory and atomics of vertex shaders");
    if (number != R600_RAT_PRIVATE && rat >= R600_RAT_PRIVATE)
        r600_sel_lacks(s, "so many colours and storage buffers");
    tree_vector *v = r600_sel_vector(s, TREE_FLOW, R600_MEM_RAT);
    v->inst.f[R600_F_rat_id] = rat;
    v->inst.f[R600_F_rat_inst] = inst;
    v->inst.f[R600_F_type] = WRITE_IND_ACK;
    v->inst.f[R600_F_mark] = 1;
    v->index[0] = index;
    s->unacked |= UINT32_C(1) << number;
    return v;
}

static void
store_run(r600_sel *s, ir_ref value, const place *p, unsigned first, unsigned count)
{
    const bool is_dword = s->p->chip->gen == R600_GEN_CM;
    for (unsigned k = first; k < first + count; k += 4) {
        const unsigned n = first + count - k < 4 ? first + count - k : 4;
        tree_vector *v = r600_sel_rat(s, p->number, is_dword ? STORE_DWORD : STORE_RAW,
                                      dword_of(s, p, k));
        v->inst.f[R600_F_comp_mask] = (1u << n) - 1;
        for (unsigned c = 0; c < n; c++) {
            v->src[c] = r600_sel_part(s, value, k + c);
            v->src[c] = v->src[c].kind == TREE_UNDEF ? r600_tree_const(0) : v->src[c];
        }
    }
}

/* A number of 8 or 16 bits: x is put where the mask w has bits. */
static void
store_narrow(r600_sel *s, ir_ref value, const place *p, unsigned k)
{
    const unsigned bits = r600_sel_bits(s, value);
    const tree_operand at = byte_of(s, p, k * bits / 8);
    const tree_operand mask = r600_tree_const((1u << bits) - 1);
    const tree_operand low = r600_sel_op2(s, R600_AND_INT, r600_sel_part(s, value, k), mask);
    const tree_operand byte = r600_sel_op2(s, R600_AND_INT, at, r600_tree_const(3));
    const tree_operand shift = r600_sel_op2(s, R600_LSHL_INT, byte, r600_tree_const(3));
    const tree_operand x = r600_sel_op2(s, R600_LSHL_INT, low, shift);
    const tree_operand w = r600_sel_op2(s, R600_LSHL_INT, mask, shift);
    tree_vector *v = r600_sel_rat(s, p->number, MSKOR,
                                  r600_sel_op2(s, R600_LSHR_INT, at, r600_tree_const(2)));
    v->inst.f[R600_F_comp_mask] = 15;
    v->src[0] = x;
    v->src[3] = w;
}

static void
store(r600_sel *s, const ir_instr *i, const place *p)
{
    const unsigned bits = r600_sel_bits(s, i->refs[0]);
    const uint32_t written = ir_written_parts(s->hir, i);
    check_alignment(s, i, p, bits);
    for (unsigned k = 0, n; (n = base_next_run(written, bits < 32 ? 1 : 32, &k)); k += n) {
        if (bits < 32)
            store_narrow(s, i->refs[0], p, k);
        else
            store_run(s, i->refs[0], p, k, n);
    }
}

/* ---- places ---- */

static place
buffer_place(r600_sel *s, ir_ref handle, ir_ref offset)
{
    return (place){.number = r600_sel_bound(s, handle)->number, .offset = offset};
}

/* Each lane of each wave that the chip can hold has its own part of RAT R600_RAT_PRIVATE. */
static place
private_place(r600_sel *s, const ir_instr *i, ir_ref offset)
{
    s->program->private_bytes = (s->hir->shader.scratch_size + 3) & ~3u;
    const tree_operand dwords = r600_tree_const(s->program->private_bytes / 4);
    return (place){.number = R600_RAT_PRIVATE,
                   .lane = r600_sel_op2(s, R600_MUL_UINT24, r600_sel_lane_place(s), dwords),
                   .offset = offset,
                   .base = ir_attr_get(i, IR_A_BASE)};
}

/* ---- order ---- */

/* The invocations of a subgroup, and of a stage of graphics, wait for nothing. */
static void
barrier(r600_sel *s, const ir_instr *i)
{
    r600_sel_wait(s, UINT32_MAX);
    if (ir_attr_get(i, IR_A_EXEC_SCOPE) < IR_SCOPE_workgroup)
        return;
    tree_node *n = r600_tree_alu(s->p, R600_GROUP_BARRIER);
    r600_tree_append(s->list, n);
}

bool
r600_select_memory(r600_sel *s, const ir_instr *i)
{
    r600_program *p = s->program;
    place at;
    switch (i->op) {
    case IR_vulkan_resource_index: return true; /* its users look at it */
    case IR_load_ubo:
        load_constant(s, i, r600_sel_bound(s, i->refs[0])->number, i->refs[1], 0);
        return true;
    case IR_load_push_constant:
        load_constant(s, i, 0, i->refs[0], R600_CONST_PUSH * 4 + ir_attr_get(i, IR_A_BASE));
        return true;
    case IR_load_constant:
        load_constant(s, i, 0, i->refs[0],
                      (R600_CONST_PUSH + p->push_dwords) * 4 + ir_attr_get(i, IR_A_BASE));
        return true;
    case IR_load_ssbo:
        at = buffer_place(s, i->refs[0], i->refs[1]);
        r600_sel_wait(s, ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_ALIASED
                             ? UINT32_MAX
                             : UINT32_C(1) << at.number);
        load(s, i, &at);
        return true;
    case IR_load_global:
        r600_sel_wait(s, UINT32_MAX);
        at = (place){.number = R600_RESOURCE_MEMORY, .offset = i->refs[0]};
        load(s, i, &at);
        return true;
    case IR_store_ssbo:
        at = buffer_place(s, i->refs[1], i->refs[2]);
        store(s, i, &at);
        return true;
    case IR_load_scratch:
        r600_sel_wait(s, UINT32_C(1) << R600_RAT_PRIVATE);
        at = private_place(s, i, i->refs[0]);
        load(s, i, &at);
        return true;
    case IR_store_scratch:
        at = private_place(s, i, i->refs[1]);
        store(s, i, &at);
        return true;
    case IR_get_ssbo_size:
        *r600_sel_def(s, i) = (tree_operand){
            .kind = TREE_KCACHE, .id = R600_CONST_SIZES + r600_sel_bound(s, i->refs[0])->number};
        return true;
    case IR_barrier: barrier(s, i); return true;
    default: return false;
    }
}
