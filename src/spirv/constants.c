/* Constants, specialisation constants and OpSpecConstantOp.
 *
 * A constant stores its leaves as bit patterns, which are computed on first use (a module may
 * declare null constants of huge arrays and never use them). OpSpecConstantOp is emitted like an
 * ordinary instruction in the entry block; with constant operands the builder folds it.
 */
#include "base/fp.h"
#include "spirv/reader.h"

static spirv_const *
new_constant(spirv_reader *r, const spirv_insn *i)
{
    spirv_id *id = spirv_ref(r, i, 2);
    id->type = (spirv_type *)spirv_type_ref(r, i, 1);
    id->kind = i->op == SPIRV_OpUndef ? SPIRV_ID_UNDEF : SPIRV_ID_CONST;
    id->constant = ARENA_NEW(r->a, spirv_const);
    if (id->number == r->size_builtin ||
        spirv_decor_arg(id, SPIRV_DEC_BUILTIN, UINT32_MAX) == SPIRV_BUILTIN_WORKGROUP_SIZE)
        r->size_builtin = id->number;
    return id->constant;
}

/* ---- scalars ---- */

static _Noreturn void
bad_spec(spirv_reader *r, const spirv_id *id, const spirv_spec *s, const char *why)
{
    const char *name = id->name && *id->name ? arena_printf(r->a, " (%s)", id->name) : "";
    diag_fail(r->d, ERR_SPIRV_SPEC, s->id, name, why);
}

/* Returns true if an integer of `bits` bits, signed or not, can have the value. */
static bool
integer_fits(uint64_t value, unsigned bits)
{
    return bits == 64 || value >> bits == 0 || value >> (bits - 1) == UINT64_MAX >> (bits - 1);
}

/* The bits of a float of the constant's type. Only an infinity may become one. */
static uint64_t
float_bits(spirv_reader *r, const spirv_id *id, const spirv_spec *s)
{
    const unsigned size = id->type->bits;
    const uint64_t huge = UINT64_C(0x7ff) << 52, magnitude = UINT64_MAX >> 1;
    uint64_t bits = base_fp_encode(base_fp_decode(s->value, 64), size, BASE_ROUND_EVEN);
    uint64_t infinity = base_fp_encode(base_fp_decode(huge, 64), size, BASE_ROUND_EVEN);
    bool is_infinite = (bits & (magnitude >> (64 - size))) == infinity;
    if (is_infinite && (s->value & magnitude) != huge)
        bad_spec(r, id, s,
                 arena_printf(r->a, "a float of %u bits, which cannot have this value", size));
    return bits;
}

/* The constant's bits for the value that the options give. */
static uint64_t
spec_bits(spirv_reader *r, const spirv_id *id, const spirv_spec *s)
{
    const spirv_type *t = id->type;
    switch (s->type) {
    case SPIRV_SPEC_BITS: break;
    case SPIRV_SPEC_INTEGER:
        if (t->kind == SPIRV_FLOAT)
            bad_spec(r, id, s, "a float, not an integer; write 1.0");
        if (t->kind == SPIRV_BOOL && s->value > 1)
            bad_spec(r, id, s, "a boolean: true, false, 1 or 0");
        if (t->kind == SPIRV_INT && !integer_fits(s->value, t->bits))
            bad_spec(
                r, id, s,
                arena_printf(r->a, "an integer of %u bits, which cannot have this value", t->bits));
        break;
    case SPIRV_SPEC_FLOAT:
        if (t->kind != SPIRV_FLOAT)
            bad_spec(r, id, s, "not a float");
        return float_bits(r, id, s);
    case SPIRV_SPEC_BOOL:
        if (t->kind != SPIRV_BOOL)
            bad_spec(r, id, s, "not a boolean");
        break;
    }
    return s->value;
}

/* The value that the options give to a constant, the last one if there are several; else
 * `value`. */
static uint64_t
specialised(spirv_reader *r, const spirv_id *id, uint64_t value)
{
    const spirv_decor *d = spirv_decor_find(id, SPIRV_DEC_SPEC_ID, UINT32_MAX);
    if (!d || !d->n_args)
        return value;
    for (size_t s = 0; s < r->opt->n_specs; s++) {
        if (r->opt->specs[s].id != d->args[0])
            continue;
        value = spec_bits(r, id, &r->opt->specs[s]);
        r->spec_used[s] = true;
    }
    return value;
}

static void
read_scalar(spirv_reader *r, const spirv_insn *i)
{
    spirv_const *c = new_constant(r, i);
    const spirv_id *id = spirv_ref(r, i, 2);
    const spirv_type *t = id->type;
    if (t->kind != SPIRV_INT && t->kind != SPIRV_FLOAT)
        spirv_invalid(r, "the type of a numeric constant is not a numeric scalar");
    uint64_t value = i->w[3];
    if (t->bits == 64)
        value |= (uint64_t)spirv_word(r, i, 4) << 32;
    if (i->op == SPIRV_OpSpecConstant)
        value = specialised(r, id, value);
    c->leaf = ARENA_NEW(r->a, uint64_t);
    *c->leaf = value & base_mask64(t->bits);
}

static void
read_bool(spirv_reader *r, const spirv_insn *i)
{
    spirv_const *c = new_constant(r, i);
    const spirv_id *id = spirv_ref(r, i, 2);
    if (id->type->kind != SPIRV_BOOL)
        spirv_invalid(r, "the type of a boolean constant is not boolean");
    uint64_t value = i->op == SPIRV_OpConstantTrue || i->op == SPIRV_OpSpecConstantTrue;
    if (i->op == SPIRV_OpSpecConstantTrue || i->op == SPIRV_OpSpecConstantFalse)
        value = specialised(r, id, value);
    c->leaf = ARENA_NEW(r->a, uint64_t);
    *c->leaf = value != 0;
}

/* ---- OpSpecConstantOp ---- */

static void
read_spec_op(spirv_reader *r, const spirv_insn *i)
{
    spirv_const *c = new_constant(r, i);
    spirv_id *id = spirv_ref(r, i, 2);
    const spirv_op_row *row = spirv_op_find(i->w[3]);
    if (!row || row->layout[0] != 'T')
        spirv_unsupported(r, "OpSpecConstantOp with opcode %u", i->w[3]);
    uint32_t *w = arena_alloc(r->a, i->n * sizeof *w);
    w[0] = i->w[3] | (uint32_t)(i->n - 1) << 16;
    w[1] = i->w[1];
    w[2] = i->w[2];
    memcpy(w + 3, i->w + 4, (i->n - 4u) * sizeof *w);
    spirv_insn op = {.w = w, .at = i->at, .op = (uint16_t)i->w[3], .n = (uint16_t)(i->n - 1)};
    id->kind = SPIRV_ID_NONE;
    spirv_check_spec_op(r, &op);
    spirv_emit(r, &op);
    id->kind = SPIRV_ID_CONST;
    c->leaf = ARENA_ARRAY(r->a, id->type->leaves, uint64_t);
    for (uint32_t k = 0; k < id->type->leaves; k++) {
        const ir_instr *def = r->f->values[id->leaf[k].id].def;
        if (!ir_is_const(r->f, id->leaf[k], &c->leaf[k]) && (!def || def->op != IR_undef))
            spirv_unsupported(r, "OpSpecConstantOp with %s", row->name);
    }
}

void
spirv_read_constant(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpConstant:
    case SPIRV_OpSpecConstant: read_scalar(r, i); break;
    case SPIRV_OpConstantTrue:
    case SPIRV_OpConstantFalse:
    case SPIRV_OpSpecConstantTrue:
    case SPIRV_OpSpecConstantFalse: read_bool(r, i); break;
    case SPIRV_OpSpecConstantOp: read_spec_op(r, i); break;
    default: new_constant(r, i); break;
    }
}

/* ---- leaves ---- */

/* Validators allow the signedness of integers to differ. */
static bool
fits(const spirv_type *part, const spirv_type *element)
{
    bool scalars = spirv_is_scalar(part) && spirv_is_scalar(element);
    return part == element || (scalars && part->bits == element->bits);
}

/* Constituents are defined before the composite, so the recursion terminates; it is as deep as the
 * type.
 */
static void
fill_composite(spirv_reader *r, const spirv_id *id, uint64_t *leaf)
{
    spirv_insn i = spirv_insn_at(r, id->at);
    const spirv_type *t = id->type;
    if (!spirv_is_composite(t) || i.n - 3u != t->count)
        spirv_invalid(r, "%u constituents do not make type id %u", i.n - 3u, t->id);
    for (uint32_t m = 0; m < t->count; m++) {
        spirv_id *part = spirv_ref(r, &i, m + 3);
        uint32_t at = 0;
        const spirv_type *e = spirv_element(r, t, m, &at);
        if (!part->type || !fits(part->type, e) || part->at >= id->at)
            spirv_invalid(r, "constituent %u has a type that does not fit or is defined later", m);
        memcpy(leaf + at, spirv_const_leaves(r, part), e->leaves * sizeof *leaf);
    }
}

/* Fills the leaves of a null constant. They are 0, except for pointers into memory where offset 0
 * is valid: a workgroup's first variable has offset 0, and a buffer's handle and offset may be 0.
 * Their null has all bits set, as in LLVM's address space 3 (AMDGPUUsage, "Address Spaces").
 * Recursion is as deep as the type. Returns false if all leaves are 0. */
static bool
fill_null(const spirv_type *t, uint64_t *leaf)
{
    bool filled = false;
    switch (t->kind) {
    case SPIRV_POINTER:
        for (uint32_t k = 0; k < t->leaves; k++)
            leaf[k] = t->storage == SPIRV_SC_PHYSICAL ? 0 : base_mask64(t->bits);
        return t->storage != SPIRV_SC_PHYSICAL;
    case SPIRV_ARRAY:
        filled = t->count && fill_null(t->elem, leaf);
        for (uint32_t k = 1; filled && k < t->count; k++)
            memcpy(leaf + (size_t)k * t->elem->leaves, leaf, t->elem->leaves * sizeof *leaf);
        return filled;
    case SPIRV_STRUCT:
        for (uint32_t m = 0; m < t->count; m++)
            filled |= fill_null(t->members[m].type, leaf + t->members[m].first_leaf);
        return filled;
    default: return false;
    }
}

const uint64_t *
spirv_const_leaves(spirv_reader *r, spirv_id *id)
{
    if (id->kind != SPIRV_ID_CONST && id->kind != SPIRV_ID_UNDEF)
        spirv_invalid(r, "id %u is not a constant", id->number);
    spirv_const *c = id->constant;
    if (c->leaf)
        return c->leaf;
    spirv_check_value_type(r, id->type);
    spirv_charge(r, id->type->leaves);
    uint64_t *leaf = ARENA_ARRAY(r->a, id->type->leaves, uint64_t);
    if (id->op == SPIRV_OpConstantComposite || id->op == SPIRV_OpSpecConstantComposite)
        fill_composite(r, id, leaf);
    else
        fill_null(id->type, leaf);
    return c->leaf = leaf;
}

bool
spirv_const_value(spirv_reader *r, spirv_id *id, uint64_t *value)
{
    (void)r;
    if (id->kind != SPIRV_ID_CONST || (id->type->kind != SPIRV_INT && id->type->kind != SPIRV_BOOL))
        return false;
    *value = id->constant->leaf ? *id->constant->leaf : 0; /* not computed: OpConstantNull */
    return true;
}

uint64_t
spirv_const_word(spirv_reader *r, const spirv_insn *i, unsigned k)
{
    uint64_t value;
    spirv_id *id = spirv_ref(r, i, k);
    if (!spirv_const_value(r, id, &value))
        spirv_invalid(r, "operand %u (id %u) is not a constant integer", k, id->number);
    return value;
}
