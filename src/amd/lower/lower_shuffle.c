/* Reads values of any lane of a wave64, through LDS.
 *
 * Where ds_bpermute_b32 reaches only lanes in the same half of a wave64 (property wide_bpermute), a
 * lane writes its value to its own slot in LDS and reads the other lane's slot. LDS executes
 * the instructions of one wave in order, so no wait is needed between them, and no other wave uses
 * these slots: all shuffles have slots of one size, 8 bytes if one of them is of 64 bits. This
 * takes two LDS instructions, also for 64 bits, while the alternative takes two ds_bpermute_b32 and
 * a select.
 *
 *     32 %3 = @shuffle (%1, %2)  ->  @store_shared (%1, own)
 *                                    32 %3 = @load_shared (other)
 *
 * If the workgroup's LDS is too small, shuffles are kept, and selection turns them into p_bpermute.
 * Shuffles within a half are kept too: those by constants below 32, and those in clusters. Where an
 * instruction exchanges the halves, shuffles by 32 lanes are this instruction, and those by other
 * lanes are a second one besides, as long as no lane between source and reader is inactive.
 */
#include "amd/lower/lower_shuffle.h"

#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/replace.h"

enum { WAVE = 64 };

typedef struct shuffles {
    ir_fn *f;
    amd_program *p;
    ir_builder b;
    ir_replacement map;
    const bool *full; /* by block: all lanes are active */
    uint32_t waves;   /* per workgroup */
    uint32_t base;    /* of the slots in LDS, in bytes */
    uint32_t place;   /* the size of a slot: 4 or 8 bytes, the same for all shuffles */
} shuffles;

static ir_ref
imm(shuffles *s, uint32_t v)
{
    return ir_build_imm(&s->b, 32, v);
}

/* Is the shuffle by the constant `n` v_permlane64_b32, which exchanges the halves, and at most one
 * exchange within them? */
static bool
is_by_permlane(const shuffles *s, const ir_instr *i, uint64_t n)
{
    bool exchanges = i->op == IR_shuffle_xor && n < WAVE && s->full[i->block->index];
    return (n == WAVE / 2 || exchanges) && amd_op_exists(AMD_V_PERMLANE64_B32, s->p->target->gen);
}

/* Can the shuffle read lanes of the other half, other than by exchanges? */
static bool
crosses_halves(const shuffles *s, const ir_instr *i)
{
    uint64_t n;
    bool known = ir_is_const(s->f, i->refs[1], &n);
    switch (i->op) {
    case IR_shuffle: return s->f->values[i->refs[1].id].divergent;
    case IR_shuffle_up:
    case IR_shuffle_down: return !known || !is_by_permlane(s, i, n);
    case IR_shuffle_xor: return !known || (n >= WAVE / 2 && !is_by_permlane(s, i, n));
    case IR_rotate: {
        uint32_t cluster = ir_attr_get(i, IR_A_CLUSTER_SIZE);
        bool wide = cluster == 0 || cluster > WAVE / 2;
        return wide && (!known || !is_by_permlane(s, i, n % WAVE));
    }
    default: return false;
    }
}

static bool
is_lowered(const shuffles *s, const ir_instr *i)
{
    return i->op >= IR_shuffle && i->op <= IR_rotate && crosses_halves(s, i) &&
           ir_type_bits(s->f->values[i->defs[0].id].type) > 1;
}

/* The invocation's number in the workgroup (or in its wave, if the workgroup has only one); waves
 * have consecutive numbers. */
static ir_ref
own_number(shuffles *s)
{
    const uint32_t *size = s->f->shader.workgroup_size;
    bool plain = s->waves > 1 || (size[1] == 1 && size[2] == 1);
    ir_op op = plain ? IR_load_local_invocation_index : IR_load_subgroup_invocation;
    return ir_build_intr(&s->b, op, IR_I32, NULL, 0);
}

/* The number of the other invocation. */
static ir_ref
other_number(shuffles *s, const ir_instr *i, ir_ref own)
{
    ir_builder *b = &s->b;
    ir_ref n = i->refs[1], in_wave = imm(s, WAVE - 1);
    switch (i->op) {
    case IR_shuffle_xor: n = irb_ixor(b, own, n); break;
    case IR_shuffle_up: n = irb_isub(b, own, n); break;
    case IR_shuffle_down:
    case IR_rotate: n = irb_iadd(b, own, n); break;
    default: break;
    }
    return s->waves > 1 ? irb_bitfield_select(b, in_wave, n, own) : irb_iand(b, n, in_wave);
}

static void
set_place(shuffles *s)
{
    ir_instr *i = ir_built(&s->b);
    ir_attr_set(i, IR_A_BASE, s->base);
    ir_attr_set(i, IR_A_ALIGN_MUL, s->place);
    if (ir_attr_has(i, IR_A_WRITE_MASK))
        ir_attr_set(i, IR_A_WRITE_MASK, 1);
}

static void
lower(shuffles *s, ir_instr *i)
{
    ir_builder *b = &s->b;
    ir_type type = s->f->values[i->defs[0].id].type;
    ir_builder_before(b, i);
    b->loc = i->loc;
    ir_ref own = own_number(s), shift = imm(s, s->place == 8 ? 3 : 2);
    ir_ref other = irb_ishl(b, other_number(s, i, own), shift);
    ir_ref refs[2] = {i->refs[0], irb_ishl(b, own, shift)};
    ir_build_intr(b, IR_store_shared, 0, refs, 2);
    set_place(s);
    ir_ref result = ir_build_intr(b, IR_load_shared, type, &other, 1);
    set_place(s);
    s->f->values[result.id].divergent = true;
    ir_replace_add(&s->map, i->defs[0].id, result);
    ir_unlink(i);
}

/* The size of an invocation's slot in bytes: 0, 4 or 8. */
static uint32_t
place_size(const shuffles *s)
{
    uint32_t size = 0;
    IR_FOREACH_INSTR_OF(i, s->f) {
        if (!is_lowered(s, i))
            continue;
        if (ir_type_bits(s->f->values[i->defs[0].id].type) == 64)
            return 8;
        size = 4;
    }
    return size;
}

/* Allocates the slots; false if there are none, or no room. */
static bool
allocate(shuffles *s)
{
    const uint32_t *size = s->f->shader.workgroup_size;
    uint64_t waves = ((uint64_t)size[0] * size[1] * size[2] + WAVE - 1) / WAVE;
    s->place = place_size(s);
    s->base = (s->p->lds_bytes + 7) / 8 * 8;
    s->waves = (uint32_t)waves;
    if (!s->place || s->base + waves * WAVE * s->place > s->p->target->lds_limit)
        return false;
    s->p->lds_bytes = s->base + s->waves * WAVE * s->place;
    return true;
}

bool
amd_lower_shuffles(ir_fn *f, amd_program *p)
{
    shuffles s = {.f = f, .p = p, .map = {.f = f}};
    if (p->wave_size != WAVE || amd_has(p->target, wide_bpermute) || !f->shader.uses_subgroups)
        return false;
    s.full = ir_find_full_blocks(f, f->arena);
    if (!allocate(&s))
        return false;
    ir_builder_init(&s.b, f);
    IR_FOREACH_INSTR_OF(i, f) {
        if (is_lowered(&s, i))
            lower(&s, i);
    }
    ir_replace_all(&s.map);
    return true;
}
