/* Transform feedback of primitive shaders, from gfx11 on: no hardware tells them where to store.
 *
 * Each lane of a vertex puts what is captured into LDS. Behind the shader one lane adds what the
 * group's primitives need to a count of each buffer's bytes, and gets where they begin; the groups
 * of a draw do so in their order, which the hardware numbers. It tells the group's lanes by LDS
 * where the bytes begin, and for how many primitives each buffer has room; what the others would
 * need it takes back. Then the lane of each of these primitives copies what its vertices have.
 *
 *     LDS: where the group begins in each of four buffers; captured primitives; vertices
 *
 * Up to gfx11.5 the counts are registers (ds_add_gs_reg_rtn), and ds_ordered_count waits for the
 * group's turn and passes it on. gfx12 has an atomic that adds, and passes the turn on, if memory
 * holds the group's number; it is repeated until then. The table of V#s has these numbers and
 * counts, and how many vertices a primitive has where the pipeline does not say it (docs/abi.md).
 * Sources: RDNA 3 ISA, 12.6.1 "GS NGG Streamout Instructions"; RDNA 4 ISA,
 * GLOBAL_ATOMIC_ORDERED_ADD_B64; what RADV 26.2.6 makes for NAVI31 and NAVI48.
 */
#include "amd/abi/frame.h"

#include "amd/isa/table/table.h"
#include "amd/target/graphics.h"
#include "amd/target/hir_level.h"

enum { TABLE_TURNS = 64, TABLE_VERTICES = 96, TURN_BYTES = 8 };      /* in the table of V#s */
enum { COUNT_AT = 4 * AMD_HW_XFB_BUFFERS, VERTICES_AT = 32 };        /* in LDS */
enum { MOST_LDS = 1 << 16, MOST_VERTICES = 3 /* of a primitive */ }; /* bytes of a group */
enum { INDEX_BITS = 9 };

/* Is the turn a number in memory? */
static bool
turns_in_memory(const amd_abi *a)
{
    return amd_op_number(AMD_DS_ADD_GS_REG_RTN, AMD_DS, a->p->target->gen) < 0;
}

/* ---- LDS ---- */

void
amd_abi_reserve_captured(amd_abi *a)
{
    amd_abi_vertex *v = a->own;
    uint32_t bytes = VERTICES_AT + AMD_GROUP_VERTICES * v->captured_bytes;
    if (a->p->lds_bytes + bytes > MOST_LDS)
        diag_fail(a->f->ctx->diag, ERR_TARGET_SELECT, a->p->target->name,
                  "transform feedback of more than 63 numbers of 32 bits a vertex");
    v->captured_at = amd_abi_reserve_lds(a, bytes);
}

static void
store_lds(amd_abi *a, ir_ref value, ir_ref at, uint32_t base)
{
    ir_ref refs[2] = {value, at};
    unsigned n = ir_type_comps(ir_ref_type(a->f, value));
    ir_build_intr(&a->b, IR_store_shared, 0, refs, 2);
    ir_instr *i = ir_built(&a->b);
    ir_attr_set(i, IR_A_BASE, amd_abi_own_vertex(a)->captured_at + base);
    ir_attr_set(i, IR_A_WRITE_MASK, (1u << n) - 1);
    ir_attr_set(i, IR_A_ALIGN_MUL, 4);
}

static ir_ref
load_lds(amd_abi *a, unsigned comps, ir_ref at, uint32_t base)
{
    ir_ref r = ir_build_intr(&a->b, IR_load_shared, IR_TYPE(32, comps), &at, 1);
    ir_instr *i = ir_built(&a->b);
    ir_attr_set(i, IR_A_BASE, amd_abi_own_vertex(a)->captured_at + base);
    ir_attr_set(i, IR_A_ALIGN_MUL, 4);
    return r;
}

/* Where a vertex of the group has its numbers. */
static ir_ref
row_of(amd_abi *a, ir_ref vertex)
{
    return irb_imul(&a->b, vertex, amd_abi_imm(a, amd_abi_own_vertex(a)->captured_bytes));
}

void
amd_abi_keep_captured(amd_abi *a, const ir_instr *i)
{
    const amd_abi_vertex *v = a->own;
    size_t k = 0;
    while (v->captured[k].buffer != ir_attr_get(i, IR_A_BINDING) ||
           v->captured[k].offset != ir_attr_get(i, IR_A_BASE))
        k++;
    store_lds(a, i->refs[0], row_of(a, amd_abi_number_in_group(a)),
              VERTICES_AT + v->captured[k].place);
}

/* ---- what the group needs ---- */

typedef struct group {
    amd_abi_frame *f;
    ir_ref table, order, primitives;
    ir_ref vertices; /* of a primitive */
    ir_ref buffer[AMD_HW_XFB_BUFFERS], start[AMD_HW_XFB_BUFFERS];
} group;

static ir_ref
vertices_of(amd_abi *a, ir_ref table)
{
    uint32_t known = amd_abi_known_vertices(a);
    return known ? amd_abi_imm(a, known)
                 : amd_abi_load_smem(a, IR_I32, table, amd_abi_imm(a, TABLE_VERTICES));
}

/* Bytes of a buffer for so many primitives. */
static ir_ref
bytes_for(const group *g, unsigned buffer, ir_ref primitives)
{
    amd_abi *a = g->f->a;
    uint32_t stride = amd_abi_own_vertex(a)->xfb_stride[buffer];
    ir_ref vertices = irb_imul(&a->b, primitives, g->vertices);
    return irb_imul(&a->b, vertices, amd_abi_imm(a, stride));
}

/* ---- in order, up to gfx11.5 ---- */

static void
take_turn(const group *g, uint32_t how)
{
    ir_builder *b = &g->f->a->b;
    ir_build_intr(b, AMD_HIR_take_turn_amd, 0, &g->order, 1);
    ir_attr_set(ir_built(b), IR_A_BASE, how);
}

static ir_ref
add_to_register(const group *g, unsigned buffer, ir_ref bytes, uint32_t how)
{
    ir_builder *b = &g->f->a->b;
    ir_ref refs[2] = {g->order, bytes};
    ir_ref r = ir_build_intr(b, AMD_HIR_add_counter_amd, IR_I32, refs, 2);
    ir_attr_set(ir_built(b), IR_A_BASE, 4 * buffer | how);
    return r;
}

/* ---- in order, from gfx12 on ---- */

static ir_ref
turn_address(const group *g, unsigned buffer, unsigned byte)
{
    ir_builder *b = &g->f->a->b;
    return irb_iadd(b, g->table, ir_build_imm(b, 64, TABLE_TURNS + TURN_BYTES * buffer + byte));
}

/* loop { if (it was the group's turn) break; } */
static ir_ref
add_in_turn(const group *g, unsigned buffer, ir_ref bytes)
{
    amd_abi_frame *f = g->f;
    ir_builder *b = &f->a->b;
    ir_fn *fn = f->a->f;
    ir_ref refs[3] = {turn_address(g, buffer, 0), g->order, bytes};
    ir_block *header = ir_block_new(fn), *cont = ir_block_new(fn), *behind = ir_block_new(fn);
    ir_build_loop(b, header, behind, cont);
    amd_abi_append_block(f, header);
    ir_builder_at_end(b, header);
    ir_ref old = ir_build_intr(b, AMD_HIR_ordered_add_amd, IR_TYPE(32, 2), refs, 3);
    amd_abi_guard done = amd_abi_open_guard(f, irb_ieq(b, ir_comp(old, 0), g->order),
                                            ir_block_new(fn));
    ir_build_jump(b, behind);
    amd_abi_close_empty_arm(f, &done);
    ir_build_jump(b, cont);
    amd_abi_append_block(f, cont);
    ir_builder_at_end(b, cont);
    ir_build_jump(b, header);
    amd_abi_append_block(f, behind);
    ir_builder_at_end(b, behind);
    return ir_comp(old, 1);
}

static void
take_back_in_memory(const group *g, unsigned buffer, ir_ref bytes)
{
    ir_builder *b = &g->f->a->b;
    ir_ref refs[2] = {turn_address(g, buffer, 4), irb_ineg(b, bytes)};
    ir_build_intr(b, IR_global_atomic, IR_I32, refs, 2);
    ir_attr_set(ir_built(b), IR_A_ATOMIC_OP, IR_ATOMIC_iadd);
}

/* ---- counting ---- */

static void
count_buffers(group *g)
{
    enum { WAIT = 0, PASS_ON = 0x300 /* release and done */ };
    amd_abi *a = g->f->a;
    const uint32_t *stride = amd_abi_own_vertex(a)->xfb_stride;
    bool memory = turns_in_memory(a);
    if (!memory)
        take_turn(g, WAIT);
    for (unsigned k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        if (!stride[k])
            continue;
        ir_ref bytes = bytes_for(g, k, g->primitives);
        g->start[k] = memory ? add_in_turn(g, k, bytes) : add_to_register(g, k, bytes, 0);
    }
    if (!memory)
        take_turn(g, PASS_ON);
}

/* The primitives for which the buffer has room. */
static ir_ref
room_of(const group *g, unsigned buffer)
{
    amd_abi *a = g->f->a;
    ir_builder *b = &a->b;
    ir_ref size = ir_comp(g->buffer[buffer], 2), start = g->start[buffer];
    ir_ref left = irb_bcsel(b, irb_ult(b, start, size), irb_isub(b, size, start),
                            amd_abi_imm(a, 0));
    uint32_t stride = amd_abi_own_vertex(a)->xfb_stride[buffer], known = amd_abi_known_vertices(a);
    if (known)
        return irb_udiv(b, left, amd_abi_imm(a, stride * known));
    ir_ref vertices = irb_udiv(b, left, amd_abi_imm(a, stride));
    ir_ref lines = irb_ushr(b, vertices, amd_abi_imm(a, 1)),
           triangles = irb_udiv(b, vertices, amd_abi_imm(a, 3));
    ir_ref more = irb_bcsel(b, irb_ieq(b, g->vertices, amd_abi_imm(a, 2)), lines, triangles);
    return irb_bcsel(b, irb_ieq(b, g->vertices, amd_abi_imm(a, 1)), vertices, more);
}

/* Gives back what primitives without room would need. */
static void
take_back(const group *g, ir_ref captured)
{
    amd_abi *a = g->f->a;
    ir_builder *b = &a->b;
    amd_abi_guard rest = amd_abi_open_guard(g->f, irb_ult(b, captured, g->primitives),
                                            ir_block_new(a->f));
    ir_ref others = irb_isub(b, g->primitives, captured);
    for (unsigned k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        if (!amd_abi_own_vertex(a)->xfb_stride[k])
            continue;
        ir_ref bytes = bytes_for(g, k, others);
        if (turns_in_memory(a))
            take_back_in_memory(g, k, bytes);
        else
            add_to_register(g, k, bytes, AMD_COUNTER_SUBTRACT);
    }
    amd_abi_close_guard(g->f, &rest);
}

/* What one lane does for the group. */
static void
count_group(group *g)
{
    amd_abi *a = g->f->a;
    const uint32_t *stride = amd_abi_own_vertex(a)->xfb_stride;
    ir_ref zero = amd_abi_imm(a, 0), captured = g->primitives;
    amd_abi_guard first = amd_abi_open_guard(g->f, irb_ieq(&a->b, amd_abi_number_in_group(a), zero),
                                             ir_block_new(a->f));
    count_buffers(g);
    for (unsigned k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        if (!stride[k])
            continue;
        store_lds(a, g->start[k], zero, 4 * k);
        captured = irb_umin(&a->b, captured, room_of(g, k));
    }
    store_lds(a, captured, zero, COUNT_AT);
    take_back(g, captured);
    amd_abi_close_guard(g->f, &first);
}

/* ---- copying ---- */

/* Copies what vertex `k` of the lane's primitive has to its place in the buffers. */
static void
copy_vertex(const group *g, ir_ref primitive, ir_ref number, unsigned k)
{
    amd_abi *a = g->f->a;
    ir_builder *b = &a->b;
    const amd_abi_vertex *v = a->own;
    unsigned bits = amd_has(a->p->target, ngg_packed_index_bits);
    unsigned width = bits ? bits : INDEX_BITS;
    ir_ref index = irb_ubitfield_extract(b, primitive, amd_abi_imm(a, k * (width + 1)),
                                         amd_abi_imm(a, width));
    ir_ref row = row_of(a, index);
    ir_ref vertex = irb_iadd(b, irb_imul(b, number, g->vertices), amd_abi_imm(a, k));
    for (size_t c = 0; c < v->n_captured; c++) {
        const amd_abi_captured *o = &v->captured[c];
        ir_ref value = load_lds(a, o->comps, row, VERTICES_AT + o->place);
        ir_ref at = irb_imul(b, vertex, amd_abi_imm(a, v->xfb_stride[o->buffer]));
        at = irb_iadd(b, at, g->start[o->buffer]);
        if (k && !amd_abi_known_vertices(a))
            at = irb_bcsel(b, irb_ult(b, amd_abi_imm(a, k), g->vertices), at,
                           amd_abi_imm(a, AMD_XFB_OUTSIDE));
        at = irb_iadd(b, at, amd_abi_imm(a, o->offset));
        amd_abi_store_captured(a, value, g->buffer[o->buffer], at);
    }
}

static void
copy_primitives(group *g)
{
    amd_abi *a = g->f->a;
    ir_ref number = amd_abi_number_in_group(a), zero = amd_abi_imm(a, 0),
           captured = load_lds(a, 1, zero, COUNT_AT);
    for (unsigned k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        if (amd_abi_own_vertex(a)->xfb_stride[k])
            g->start[k] = load_lds(a, 1, zero, 4 * k);
    }
    amd_abi_guard some = amd_abi_open_guard(g->f, irb_ult(&a->b, number, captured),
                                            ir_block_new(a->f));
    ir_ref primitive = amd_abi_packed_primitive(a);
    uint32_t known = amd_abi_known_vertices(a), n = known ? known : MOST_VERTICES;
    for (unsigned k = 0; k < n; k++)
        copy_vertex(g, primitive, number, k);
    amd_abi_close_guard(g->f, &some);
}

void
amd_abi_capture_primitives(amd_abi_frame *f)
{
    amd_abi *a = f->a;
    const amd_abi_vertex *v = a->own;
    group g = {.f = f};
    g.table = amd_abi_whole_address(a, amd_abi_load_arg(a, v->xfb_arg));
    g.order = amd_abi_arg_field(a, v->group_counts_arg, 0, AMD_GROUP_ORDER_BITS);
    g.primitives = amd_abi_arg_field(a, v->group_counts_arg, AMD_GROUP_PRIMITIVES_AT,
                                     AMD_GROUP_COUNT_BITS);
    g.vertices = vertices_of(a, g.table);
    for (unsigned k = 0; k < AMD_HW_XFB_BUFFERS; k++) {
        if (v->xfb_stride[k])
            g.buffer[k] = amd_abi_captured_buffer(a, k);
    }
    count_group(&g);
    amd_abi_wait_for_group(a);
    copy_primitives(&g);
}
