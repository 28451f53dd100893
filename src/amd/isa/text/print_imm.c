/* Immediates: messages, hardware registers, counters, swizzles, literals. */
#include "amd/isa/table/consts.h"
#include "amd/isa/table/counters.h"
#include "amd/isa/table/names.h"
#include "amd/isa/text/print.h"
#include "base/bits.h"

static void
print_counters(const amd_counter *list, uint32_t imm, bool all, base_buf *out)
{
    const char *space = "";
    bool any = false;
    for (const amd_counter *c = list; c->name; c++)
        any |= amd_counter_get(c, imm) != amd_counter_max(c);
    for (const amd_counter *c = list; c->name; c++) {
        uint32_t v = amd_counter_get(c, imm);
        if (any && v == amd_counter_max(c) && !all)
            continue;
        buf_printf(out, "%s%s(%u)", space, c->name, (unsigned)v);
        space = " ";
    }
}

/* The bits of s_waitcnt_depctr's immediate that no counter uses. */
enum { DEPCTR_UNUSED = 0x60 };

/* gfx11 and later: only the message id. */
static void
print_message_id(amd_gen gen, uint32_t imm, base_buf *out)
{
    const char *name = amd_name_on(gen, amd_message_names, imm & 0xff);
    if (name)
        buf_printf(out, "sendmsg(%s)", name);
    else if (imm < 256)
        buf_printf(out, "sendmsg(%u, 0, 0)", (unsigned)imm);
    else
        buf_printf(out, "%u", (unsigned)imm);
}

/* Parts of s_delay_alu that are zero are omitted. */
static void
print_delay(uint32_t imm, base_buf *out)
{
    const char *between = "";
    for (const amd_delay_part *part = amd_delay_parts; part->name; part++) {
        if ((imm >> part->pos & ((1u << part->bits) - 1)) >= part->count || imm >> 11) {
            buf_printf(out, "0x%x", (unsigned)imm);
            return;
        }
    }
    for (const amd_delay_part *part = amd_delay_parts; part->name; part++) {
        uint32_t v = imm >> part->pos & ((1u << part->bits) - 1);
        if (!v)
            continue;
        buf_printf(out, "%s%s(%s)", between, part->name, part->values[v]);
        between = " | ";
    }
    if (!between[0])
        buf_puts(out, "0");
}

/* Before gfx11. Bits 0-3 message, 4-6 operation, 8-9 stream; other bits are ignored. */
static void
print_message(amd_gen gen, uint32_t imm, base_buf *out)
{
    if (gen >= AMD_GFX11) {
        print_message_id(gen, imm, out);
        return;
    }
    uint32_t message = imm & 15, op = imm >> 4 & 7, stream = imm >> 8 & 3;
    const char *name = amd_name_on(gen, amd_message_names, message);
    const char *op_name = NULL;
    bool gs = message == AMD_MSG_GS || message == AMD_MSG_GS_DONE;
    bool named = name != NULL;
    if (gs) {
        op_name = amd_name_of(amd_gs_op_names, op);
        named = op_name && (op != 0 || (message == AMD_MSG_GS_DONE && stream == 0));
    } else if (message == AMD_MSG_SYSMSG) {
        op_name = amd_name_on(gen, amd_sys_op_names, op);
        named = op_name && stream == 0;
    } else if (op || stream) {
        named = false;
    }
    if (!named) {
        if ((imm & ~0x37fu) == 0)
            buf_printf(out, "sendmsg(%u, %u, %u)", (unsigned)message, (unsigned)op,
                       (unsigned)stream);
        else
            buf_printf(out, "%u", (unsigned)imm);
        return;
    }
    buf_printf(out, "sendmsg(%s", name);
    if (op_name)
        buf_printf(out, ", %s", op_name);
    if (gs && op)
        buf_printf(out, ", %u", (unsigned)stream);
    buf_puts(out, ")");
}

/* Bits 0-5 register, 6-10 offset, 11-15 size - 1. */
static void
print_hwreg(amd_gen gen, uint32_t imm, base_buf *out)
{
    uint32_t offset = imm >> 6 & 31, size = (imm >> 11 & 31) + 1;
    const char *name = amd_name_on(gen, amd_hwreg_names, imm & 63);
    buf_puts(out, "hwreg(");
    if (name)
        buf_puts(out, name);
    else
        buf_printf(out, "%u", (unsigned)(imm & 63));
    if (offset || size != 32)
        buf_printf(out, ", %u, %u", (unsigned)offset, (unsigned)size);
    buf_puts(out, ")");
}

static void
print_target(amd_gen gen, unsigned target, base_buf *out)
{
    for (const amd_target_name *t = amd_target_names; t->name; t++) {
        unsigned count = t->count ? t->count : 1;
        if (gen < t->first_gen || gen > t->last_gen || target < t->first ||
            target >= t->first + count)
            continue;
        buf_puts(out, t->name);
        if (t->count)
            buf_printf(out, "%u", target - t->first);
        return;
    }
}

/* Bits 0-3: indexing of SRC0, SRC1, SRC2, DST. */
static void
print_indexed(uint32_t imm, base_buf *out)
{
    const char *comma = "";
    if (imm > 15) {
        buf_printf(out, "0x%x", (unsigned)imm);
        return;
    }
    buf_puts(out, "gpr_idx(");
    for (unsigned i = 0; i < 4; i++) {
        if (imm >> i & 1) {
            buf_printf(out, "%s%s", comma, amd_indexed_names[i]);
            comma = ",";
        }
    }
    buf_puts(out, ")");
}

/* s_version: bits 0-7 a version, 13-15 flags. */
static void
print_version(uint32_t imm, base_buf *out)
{
    static const char *const bits[] = {"UC_VERSION_W64_BIT", "UC_VERSION_W32_BIT",
                                       "UC_VERSION_MDP_BIT"};
    const char *name = amd_name_of(amd_version_names, imm & 0xff);
    uint32_t set = imm >> 13;
    if (imm & 0x1f00) {
        buf_printf(out, "0x%x", (unsigned)imm);
        return;
    }
    for (unsigned i = 1; i < base_popcount32(set); i++)
        buf_puts(out, "(");
    if (name)
        buf_puts(out, name);
    else
        buf_printf(out, "%u", (unsigned)imm & 0xff);
    for (unsigned i = 0, n = 0; i < 3; i++) {
        if (set >> i & 1)
            buf_printf(out, "%s|%s", n++ ? ")" : "", bits[i]);
    }
}

void
amd_print_immediate(amd_gen gen, const amd_inst *in, amd_kind kind, base_buf *out)
{
    uint32_t imm = (uint32_t)in->imm & 0xffff;
    switch (kind) {
    case AMD_K_HEX: buf_printf(out, "0x%x", (unsigned)imm); break;
    case AMD_K_WAITCNT: print_counters(amd_waitcnt_counters(gen), imm, false, out); break;
    case AMD_K_DEPCTR:
        if (imm & (gen < AMD_GFX10_3 ? DEPCTR_UNUSED | 0x80 : DEPCTR_UNUSED))
            buf_printf(out, "0x%x", (unsigned)imm);
        else
            print_counters(amd_depctr_counters(gen), imm, false, out);
        break;
    case AMD_K_SENDMSG: print_message(gen, imm, out); break;
    case AMD_K_MSGRTN: print_message_id(gen, imm, out); break;
    case AMD_K_DELAY: print_delay(imm, out); break;
    case AMD_K_HWREG: print_hwreg(gen, imm, out); break;
    case AMD_K_ATTR:
        buf_printf(out, "attr%u.%c", (unsigned)(imm >> 2 & 63), "xyzw"[imm & 3]);
        break;
    case AMD_K_TARGET: print_target(gen, in->target, out); break;
    case AMD_K_GPRIDX: print_indexed(imm, out); break;
    case AMD_K_VERSION: print_version(imm, out); break;
    case AMD_K_CODE:
    case AMD_K_LABEL: buf_printf(out, "%u", (unsigned)imm); break;
    case AMD_K_LENGTH: buf_printf(out, "%u", (unsigned)imm); break;
    default: buf_printf(out, imm <= 64 ? "%u" : "0x%x", (unsigned)imm); break; /* DEC, PROBE */
    }
}

/* Floats that have inline constants, in the order of the codes from AMD_SRC_F_0_5. */
static const char *const inline_floats[9] = {"0.5",  "-0.5", "1.0",  "-1.0",      "2.0",
                                             "-2.0", "4.0",  "-4.0", "0.15915494"};

/* The inline float with bits `v` in an operand of type `t`, NULL if there is none. A double's
 * literal is its high word; 1/(2 pi) also has a low word. */
static const char *
inline_float(uint32_t v, amd_type t)
{
    for (unsigned code = AMD_SRC_F_0_5; code <= AMD_SRC_F_INV_2PI; code++) {
        uint64_t bits = amd_float_constant(code, t);
        if (t == AMD_T_F64 && (uint32_t)bits != 0)
            continue;
        if ((t == AMD_T_F64 ? bits >> 32 : bits) == v)
            return inline_floats[code - AMD_SRC_F_0_5];
    }
    return NULL;
}

void
amd_print_literal(uint32_t literal, amd_type t, base_buf *out)
{
    int32_t number = (int32_t)literal;
    bool small = number >= -16 && number <= 64;
    const char *name = NULL;
    switch (t) {
    case AMD_T_F16:
        literal &= 0xffff;
        number = (int32_t)base_sext64(literal, 16);
        small = number >= -16 && number <= 64;
        name = inline_float(literal, t);
        break;
    case AMD_T_B16:
    case AMD_T_U16:
    case AMD_T_I16:
        name = inline_float(literal, AMD_T_F32);
        literal &= 0xffff;
        break;
    case AMD_T_BF16:
        number = (int32_t)base_sext64(literal, 16);
        small = number >= -16 && number <= 64;
        name = inline_float(literal & 0xffff, t);
        break;
    case AMD_T_V2BF16:
    case AMD_T_V2F16: name = inline_float(literal, t); break;
    case AMD_T_F64:
        small = number == 0;
        name = inline_float(literal, t);
        break;
    case AMD_T_B64:
    case AMD_T_U64:
    case AMD_T_I64: small = literal <= 64; break;
    default: name = inline_float(literal, AMD_T_F32); break;
    }
    if (small)
        buf_printf(out, "%d", (int)number);
    else if (name)
        buf_puts(out, name);
    else
        buf_printf(out, "0x%x", (unsigned)literal);
}

/* The masks of bitmask mode as five characters, the highest bit of a lane's number first: 0, 1, p
 * (kept), i (inverted). */
static void
print_bitmask(uint32_t and_mask, uint32_t or_mask, uint32_t xor_mask, base_buf *out)
{
    uint32_t zeros = or_mask ^ xor_mask, ones = (and_mask | or_mask) ^ xor_mask;
    for (uint32_t bit = 16; bit; bit >>= 1) {
        unsigned from0 = (zeros & bit) != 0, from1 = (ones & bit) != 0;
        buf_put_u8(out, from0 == from1 ? (uint8_t)('0' + from0) : from0 ? 'i' : 'p');
    }
}

void
amd_print_swizzle(uint32_t offset, base_buf *out)
{
    uint32_t and_mask = offset & 31, or_mask = offset >> 5 & 31, xor_mask = offset >> 10 & 31;
    uint32_t group = 32 - and_mask;
    if (!offset)
        return;
    buf_puts(out, " offset:");
    if ((offset & 0xff00) == 0x8000) {
        buf_printf(out, "swizzle(QUAD_PERM,%u,%u,%u,%u)", (unsigned)(offset & 3),
                   (unsigned)(offset >> 2 & 3), (unsigned)(offset >> 4 & 3),
                   (unsigned)(offset >> 6 & 3));
    } else if (offset & 0x8000) {
        buf_printf(out, "%u", (unsigned)offset);
    } else if (and_mask == 31 && !or_mask && base_popcount32(xor_mask) == 1) {
        buf_printf(out, "swizzle(SWAP,%u)", (unsigned)xor_mask);
    } else if (and_mask == 31 && !or_mask && xor_mask && base_is_pow2(xor_mask + 1)) {
        buf_printf(out, "swizzle(REVERSE,%u)", (unsigned)xor_mask + 1);
    } else if (group > 1 && base_is_pow2(group) && or_mask < group && !xor_mask) {
        buf_printf(out, "swizzle(BROADCAST,%u,%u)", (unsigned)group, (unsigned)or_mask);
    } else {
        buf_puts(out, "swizzle(BITMASK_PERM,\"");
        print_bitmask(and_mask, or_mask, xor_mask, out);
        buf_puts(out, "\")");
    }
}
