/* Image addresses in scattered registers (NSA, non-sequential address).
 *
 * Selection makes one vector of an image instruction's address. gfx10's instructions can name up to
 * 13 registers for it instead (RDNA 2 ISA, 8.2.1 and "MIMG-NSA"), so VGPRs that p_create_vector
 * would have copied are read directly, and only constants and SGPRs are copied to the vector's
 * position:
 *
 *   v3: %4:v[4-6] = p_create_vector %1:v[0], 0, %2:v[9]       v1: v[5] = p_parallelcopy 0
 *   v4: %5:v[4-7] = image_load %4:v[4-6], ...            ->   v4: %5:v[4-7] = image_load v[0], ...
 * v[5], v[9]
 *
 * This requires that the vector has no other use, and applies to the parts whose registers are not
 * written in between. The registers after the first one follow all other operands.
 */
#include "amd/isa/table/mimg.h"
#include "amd/post/lower.h"

enum { MAX_DWORDS = 16, MAX_BETWEEN = 64 };

typedef struct address {
    ir_instr *vector, *image;
    unsigned operand; /* operand number in the image instruction */
    unsigned n;
    ir_ref part[MAX_DWORDS]; /* by dword: constant, register of one dword, or undefined */
    bool copied[MAX_DWORDS]; /* copied to its position in the vector */
} address;

static unsigned
place(const address *a, unsigned k)
{
    return a->vector->defs[0].reg + k * 4;
}

static bool
is_vgpr(ir_ref r)
{
    return r.kind == IR_REF_NONE && r.reg >= AMD_VGPR0;
}

/* ---- analysis ---- */

/* Splits the vector's operands into dwords; false if an operand's size is not a multiple of a dword
 * or it cannot be split. */
static bool
take_parts(address *a)
{
    a->n = 0;
    for (unsigned r = 0; r < a->vector->n_refs; r++) {
        ir_ref ref = a->vector->refs[r];
        unsigned bytes = amd_rc_bytes(ref.rc);
        bool simple = ir_is_value(ref) || bytes == 4;
        if (bytes % 4 || !simple || a->n + bytes / 4 > MAX_DWORDS)
            return false;
        for (unsigned k = 0; k < bytes / 4; k++) {
            unsigned rc = amd_rc_is_vgpr(ref.rc) ? AMD_V1 : AMD_S1;
            a->part[a->n++] = ir_is_value(ref) ? amd_phys(ref.reg + k * 4, rc) : ref;
        }
    }
    return a->n > 1;
}

static bool
find_address(const ir_fn *f, ir_instr *image, address *a)
{
    const amd_op_info *row = amd_op_row((amd_op)image->op);
    if (row->fmt != AMD_MIMG || row->memory & AMD_A_BVH)
        return false;
    *a = (address){.image = image, .operand = row->operands[0].role == AMD_ROLE_SRC};
    ir_ref ref = image->refs[a->operand];
    if (!ir_is_value(ref) || !(ref.flags & IR_KILL))
        return false;
    a->vector = f->values[ref.id].def;
    return a->vector && a->vector->op == AMD_P_CREATE_VECTOR && a->vector->block == image->block &&
           a->vector->defs[0].reg == ref.reg && take_parts(a) &&
           a->n <= amd_has(amd_prog(f)->target, max_nsa_addresses) &&
           (a->n + 2) / 4 <= amd_mimg_nsa_words_max(amd_prog(f)->target->gen, row);
}

static bool
overlap(ir_ref def, unsigned reg)
{
    return def.reg < reg + 4 && reg < def.reg + amd_rc_bytes(def.rc);
}

/* Does the vector `i` take the dword at `reg` from there? */
static bool
keeps_in_place(const ir_instr *i, unsigned reg)
{
    unsigned at = i->defs[0].reg;
    for (unsigned r = 0; i->op == AMD_P_CREATE_VECTOR && r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]) && i->refs[r].reg == at && reg >= at &&
            reg + 4 <= at + amd_rc_bytes(i->refs[r].rc))
            return true;
        at += amd_rc_bytes(i->refs[r].rc);
    }
    return false;
}

/* Does `i` write another value to the VGPR? */
static bool
overwrites(const ir_instr *i, unsigned reg)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (overlap(i->defs[d], reg))
            return !keeps_in_place(i, reg);
    }
    return false;
}

/* Decides which parts are copied because their registers are written in between; false if the
 * vector is used there. */
static bool
look_between(address *a)
{
    unsigned steps = 0;
    for (const ir_instr *i = a->vector->next; i != a->image; i = i->next) {
        if (!i || ++steps > MAX_BETWEEN)
            return false;
        for (unsigned r = 0; r < i->n_refs; r++) {
            if (ir_is_value(i->refs[r]) && i->refs[r].id == a->vector->defs[0].id)
                return false;
        }
        for (unsigned k = 0; k < a->n; k++)
            a->copied[k] |= is_vgpr(a->part[k]) && overwrites(i, a->part[k].reg);
    }
    return true;
}

/* Copies the parts that are neither VGPRs nor undefined, and those that such copies would
 * overwrite. */
static void
choose_copied(address *a)
{
    for (unsigned k = 0; k < a->n; k++)
        a->copied[k] |= a->part[k].kind != IR_REF_UNDEF && !is_vgpr(a->part[k]);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned k = 0; k < a->n; k++) {
            for (unsigned m = 0; m < a->n && !a->copied[k]; m++) {
                bool hit = a->copied[m] && is_vgpr(a->part[k]) && a->part[k].reg == place(a, m);
                a->copied[k] = hit;
                changed |= hit;
            }
        }
    }
}

static unsigned
address_reg(const address *a, unsigned k)
{
    return a->copied[k] || !is_vgpr(a->part[k]) ? place(a, k) : a->part[k].reg;
}

/* ---- rewriting ---- */

/* Replaces the vector by the remaining copies. */
static void
replace_vector(ir_fn *f, const address *a)
{
    unsigned n = 0;
    for (unsigned k = 0; k < a->n; k++)
        n += a->copied[k];
    ir_instr *copy = n ? amd_new(f, AMD_P_PARALLELCOPY, n, n) : NULL;
    for (unsigned k = a->n; k-- > 0;) {
        if (!a->copied[k])
            continue;
        copy->defs[--n] = amd_phys(place(a, k), AMD_V1);
        copy->refs[n] = a->part[k];
    }
    if (copy) {
        copy->loc = a->vector->loc;
        ir_insert_before(a->vector, copy);
    }
    ir_unlink(a->vector);
}

static void
replace_image(const address *a, bool scattered)
{
    unsigned n_refs = a->image->n_refs;
    ir_instr *i = ir_extend_instr(a->image, 0, scattered ? a->n - 1 : 0);
    i->refs[a->operand] = amd_phys(address_reg(a, 0), amd_rc(true, scattered ? 4 : a->n * 4));
    for (unsigned k = 1; k < a->n && scattered; k++)
        i->refs[n_refs + k - 1] = amd_phys(address_reg(a, k), AMD_V1);
    ir_words(i)[1] |= scattered ? AMD_MEM_NSA : 0;
}

static void
form(ir_fn *f, const address *a)
{
    bool in_place = true, scattered = false;
    for (unsigned k = 0; k < a->n; k++) {
        in_place &= a->copied[k] || address_reg(a, k) == place(a, k);
        scattered |= address_reg(a, k) != address_reg(a, 0) + k * 4;
    }
    if (in_place)
        return; /* nothing changes */
    replace_vector(f, a);
    replace_image(a, scattered);
}

void
amd_low_form_nsa(ir_block *b)
{
    address a;
    IR_FOREACH_INSTR(i, b) {
        if (amd_is_pseudo(i->op) || !find_address(b->fn, i, &a) || !look_between(&a))
            continue;
        choose_copied(&a);
        form(b->fn, &a);
    }
}
