/* VOPD's table and codec. The encoding omits the lowest bit of the second half's vdst: it is the
 * opposite of the first half's. */
#include "amd/isa/table/dual.h"
#include "amd/isa/table/layout.h"

#include <string.h>

enum { Y = 1, XY = 3 };

static const struct {
    uint16_t op;
    uint8_t number, slots, first, last;
    const char *name;
} duals[] = {
#define AMD_DUAL(id, number, slots, first, last, name)                                             \
    {AMD_##id, number, slots, AMD_##first, AMD_##last, name},
#include "amd/isa/table/dual.def"
#undef AMD_DUAL
};
enum { DUALS = sizeof duals / sizeof *duals };

static bool
exists(size_t i, amd_gen gen, bool second)
{
    return gen >= duals[i].first && gen <= duals[i].last && (second || duals[i].slots == XY);
}

/* The row of `op` in the table, or DUALS. */
static size_t
find(amd_gen gen, unsigned op, bool second)
{
    size_t i = 0;
    while (i < DUALS && !(duals[i].op == op && exists(i, gen, second)))
        i++;
    return i;
}

bool
amd_dual_exists(amd_gen gen, amd_op op, bool second)
{
    return find(gen, op, second) < DUALS;
}

const char *
amd_dual_name(amd_gen gen, amd_op op)
{
    size_t i = find(gen, op, true);
    return i < DUALS && duals[i].name[0] ? duals[i].name : amd_op_name(op, gen) + 2;
}

amd_op
amd_dual_find(amd_gen gen, const char *name, size_t len, bool second)
{
    for (size_t i = 0; i < DUALS; i++) {
        const char *n = amd_dual_name(gen, (amd_op)duals[i].op);
        if (exists(i, gen, second) && strlen(n) == len && memcmp(n, name, len) == 0)
            return (amd_op)duals[i].op;
    }
    return AMD_OP_INVALID;
}

int
amd_dual_place(const amd_operand *o, bool second, unsigned *k)
{
    if (o->role != AMD_ROLE_SRC || o->kind == AMD_K_LIT || o->kind == AMD_K_MASK)
        return -1;
    return (int)(second ? 2 + (*k)++ : (*k)++);
}

/* The number of sources with a place in src; sets `literal` if there is a literal operand. */
static unsigned
count_sources(unsigned op, bool *literal)
{
    unsigned k = 0;
    const amd_operand *o;
    for (unsigned i = 0; (o = amd_op_src(amd_op_row((amd_op)op), i)); i++) {
        amd_dual_place(o, false, &k);
        *literal |= o->kind == AMD_K_LIT;
    }
    return k;
}

amd_inst
amd_dual_half(const amd_inst *in, bool second)
{
    unsigned op = second ? in->op_y : in->op, k = 0;
    const amd_op_info *row = amd_op_row((amd_op)op);
    amd_inst half = {.op = (uint16_t)op, .fmt = row->fmt, .size = in->size, .literal = in->literal};
    const amd_operand *o;
    half.dst[half.n_dst++] = in->dst[second];
    for (unsigned i = 0; (o = amd_op_src(row, i)); i++) {
        int place = amd_dual_place(o, second, &k);
        half.src[half.n_src++] = place >= 0             ? in->src[place]
                                 : o->kind == AMD_K_LIT ? AMD_SRC_LITERAL
                                                        : AMD_REG_VCC_LO;
    }
    return half;
}

static bool
source_valid(amd_gen gen, unsigned code)
{
    if (code >= AMD_REG_VGPR0)
        return code < AMD_REG_VGPR0 + 256;
    return code == AMD_SRC_LITERAL || amd_scalar_valid(gen, code, 1) ||
           amd_constant_valid(gen, code);
}

/* Are the half's operands valid? Sets `literal` if it needs one. */
static bool
half_valid(amd_gen gen, const amd_inst *in, bool second, bool *literal)
{
    unsigned op = second ? in->op_y : in->op, at = second ? 2 : 0;
    if (!amd_dual_exists(gen, (amd_op)op, second))
        return false;
    unsigned count = count_sources(op, literal);
    unsigned dst = in->dst[second], src1 = in->src[at + 1];
    *literal |= in->src[at] == AMD_SRC_LITERAL;
    return dst >= AMD_REG_VGPR0 && dst < AMD_REG_VGPR0 + 256 && source_valid(gen, in->src[at]) &&
           (count < 2 ? src1 == AMD_REG_ABSENT
                      : src1 >= AMD_REG_VGPR0 && src1 < AMD_REG_VGPR0 + 256);
}

static bool
dual_valid(amd_gen gen, const amd_inst *in, bool *literal)
{
    *literal = false;
    return in->n_dst == 2 && in->n_src == 4 && half_valid(gen, in, false, literal) &&
           half_valid(gen, in, true, literal) && (in->dst[0] ^ in->dst[1]) & 1;
}

bool
amd_dual_valid(amd_gen gen, const amd_inst *in)
{
    bool literal;
    return dual_valid(gen, in, &literal);
}

static amd_op
op_of(amd_gen gen, unsigned number, bool second)
{
    for (size_t i = 0; i < DUALS; i++) {
        if (duals[i].number == number && exists(i, gen, second))
            return (amd_op)duals[i].op;
    }
    return AMD_OP_INVALID;
}

/* Reads a half's second source; sets `extra` if the operation has none and the field is not
 * zero. */
static void
read_src1(amd_inst *in, unsigned place, unsigned op, unsigned value, bool *extra)
{
    bool literal = false;
    bool has = count_sources(op, &literal) > 1;
    in->src[place] = (uint16_t)(has ? AMD_REG_VGPR0 + value : AMD_REG_ABSENT);
    *extra |= !has && value != 0;
}

bool
amd_decode_dual(amd_gen gen, const uint32_t *words, size_t size, amd_inst *out, bool *extra)
{
    const amd_layout *l = &amd_layouts[AMD_L_VOPD];
    amd_raw raw = {{0}};
    bool literal;
    if (size < 8)
        return false;
    for (unsigned i = 0; i < l->count; i++) {
        const amd_layout_row *r = &l->rows[i];
        raw.f[r->field] |= amd_row_read(r, words[r->word]);
    }
    amd_exchange_null(gen, AMD_VOPD, &raw);
    const uint32_t *f = raw.f;
    out->op = (uint16_t)op_of(gen, f[AMD_FIELD_OP], false);
    out->op_y = (uint16_t)op_of(gen, f[AMD_FIELD_OPY], true);
    out->fmt = AMD_VOPD;
    out->n_dst = 2;
    out->n_src = 4;
    if (out->op == AMD_OP_INVALID || out->op_y == AMD_OP_INVALID)
        return false;
    out->dst[0] = (uint16_t)(AMD_REG_VGPR0 + f[AMD_FIELD_VDST]);
    out->dst[1] = (uint16_t)(AMD_REG_VGPR0 + (f[AMD_FIELD_VDSTY] << 1 | (~out->dst[0] & 1)));
    out->src[0] = (uint16_t)f[AMD_FIELD_SRC0];
    out->src[2] = (uint16_t)f[AMD_FIELD_SRC0Y];
    read_src1(out, 1, out->op, f[AMD_FIELD_SRC1], extra);
    read_src1(out, 3, out->op_y, f[AMD_FIELD_SRC1Y], extra);
    if (!dual_valid(gen, out, &literal) || size < (literal ? 12u : 8u))
        return false;
    out->literal = literal ? words[2] : 0;
    out->size = literal ? 12 : 8;
    return true;
}

bool
amd_encode_dual(amd_gen gen, amd_inst *in, base_buf *out)
{
    const amd_layout *l = &amd_layouts[AMD_L_VOPD];
    amd_raw raw = {{0}};
    uint32_t words[2] = {0, 0}, *f = raw.f;
    bool literal;
    if (!dual_valid(gen, in, &literal))
        return false;
    f[AMD_FIELD_ENC] = l->enc;
    f[AMD_FIELD_OP] = duals[find(gen, in->op, false)].number;
    f[AMD_FIELD_OPY] = duals[find(gen, in->op_y, true)].number;
    f[AMD_FIELD_VDST] = in->dst[0] - AMD_REG_VGPR0;
    f[AMD_FIELD_VDSTY] = (in->dst[1] - AMD_REG_VGPR0) >> 1;
    f[AMD_FIELD_SRC0] = in->src[0];
    f[AMD_FIELD_SRC0Y] = in->src[2];
    f[AMD_FIELD_SRC1] = in->src[1] == AMD_REG_ABSENT ? 0 : in->src[1] & 0xff;
    f[AMD_FIELD_SRC1Y] = in->src[3] == AMD_REG_ABSENT ? 0 : in->src[3] & 0xff;
    amd_exchange_null(gen, AMD_VOPD, &raw);
    for (unsigned i = 0; i < l->count; i++) {
        const amd_layout_row *r = &l->rows[i];
        words[r->word] |= amd_row_write(r, f[r->field]);
    }
    buf_put_u32(out, words[0]);
    buf_put_u32(out, words[1]);
    if (literal)
        buf_put_u32(out, in->literal);
    in->size = literal ? 12 : 8;
    return true;
}
