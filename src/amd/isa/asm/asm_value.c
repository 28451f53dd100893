/* Operands with names of their own: counters, messages, hardware registers, swizzles, attributes,
 * export targets, labels. */
#include "amd/isa/asm/asm.h"
#include "amd/isa/table/counters.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/names.h"
#include "base/bits.h"

#include <string.h>

/* "vmcnt(0)": sets the counter's bits; a name ending in _sat takes what fits. */
static bool
counter(asm_ctx *a, const amd_counter *list, uint32_t *imm)
{
    uint32_t len = a->token.len;
    bool sat = len > 4 && memcmp(a->token.text + len - 4, "_sat", 4) == 0;
    int64_t value;
    if (sat)
        len -= 4;
    while (list->name && (strlen(list->name) != len || memcmp(list->name, a->token.text, len) != 0))
        list++;
    if (!list->name)
        return asm_expected(a, "a counter");
    asm_next(a);
    if (!asm_expect(a, '(', "'('"))
        return false;
    int64_t most = amd_counter_max(list);
    if (!asm_integer(a, 0, sat ? INT64_MAX : most, &value))
        return false;
    *imm = amd_counter_put(list, *imm, (uint32_t)(value > most ? most : value));
    return asm_expect(a, ')', "')'");
}

/* Counters in any order, with &, comma or nothing between them; or a number. */
static bool
counters(asm_ctx *a, const amd_counter *list, uint32_t *imm)
{
    int64_t value;
    if (a->token.kind != ASM_IDENT) {
        if (!asm_integer(a, 0, 0xffff, &value))
            return false;
        *imm = (uint32_t)value;
        return true;
    }
    *imm = 0;
    for (const amd_counter *c = list; c->name; c++)
        *imm = amd_counter_put(c, *imm, amd_counter_max(c));
    while (a->token.kind == ASM_IDENT) {
        if (!counter(a, list, imm))
            return false;
        if ((asm_take(a, '&') || asm_take(a, ',')) && a->token.kind != ASM_IDENT)
            return asm_expected(a, "a counter");
    }
    return true;
}

/* A name of the list or a number within limits. */
static bool
named_value(asm_ctx *a, const amd_name *list, int64_t most, int64_t *value)
{
    uint32_t known;
    if (a->token.kind == ASM_IDENT &&
        amd_name_find_on(amd_asm_of(a)->gen, list, a->token.text, a->token.len, &known)) {
        *value = known;
        asm_next(a);
        return true;
    }
    return asm_integer(a, 0, most, value);
}

static bool
message(asm_ctx *a, int64_t *imm)
{
    int64_t id, op = 0, stream = 0;
    if (!asm_take_name(a, "sendmsg"))
        return asm_integer(a, 0, 0xffff, imm);
    int64_t most = amd_asm_of(a)->gen >= AMD_GFX11 ? 255 : 15;
    if (!asm_expect(a, '(', "'('") || !named_value(a, amd_message_names, most, &id))
        return false;
    if (asm_take(a, ',')) {
        const amd_name *ops = id == AMD_MSG_SYSMSG ? amd_sys_op_names : amd_gs_op_names;
        if (!named_value(a, ops, 7, &op))
            return false;
        if (asm_take(a, ',') && !asm_integer(a, 0, 3, &stream))
            return false;
    }
    *imm = id | op << 4 | stream << 8;
    return asm_expect(a, ')', "')'");
}

/* The parts by name: {id: HW_REG_MODE, offset: 0, size: 32}. */
static bool
hwreg_parts(asm_ctx *a, int64_t *id, int64_t *offset, int64_t *size)
{
    do {
        bool ok;
        if (asm_take_name(a, "id"))
            ok = asm_expect(a, ':', "':'") && named_value(a, amd_hwreg_names, 63, id);
        else if (asm_take_name(a, "offset"))
            ok = asm_expect(a, ':', "':'") && asm_integer(a, 0, 31, offset);
        else if (asm_take_name(a, "size"))
            ok = asm_expect(a, ':', "':'") && asm_integer(a, 1, 32, size);
        else
            ok = asm_expected(a, "id, offset or size");
        if (!ok)
            return false;
    } while (asm_take(a, ','));
    return asm_expect(a, '}', "'}'");
}

static bool
hwreg(asm_ctx *a, int64_t *imm)
{
    int64_t id = 0, offset = 0, size = 32;
    if (asm_take(a, '{')) {
        if (!hwreg_parts(a, &id, &offset, &size))
            return false;
    } else if (!asm_take_name(a, "hwreg")) {
        return asm_integer(a, 0, 0xffff, imm);
    } else {
        if (!asm_expect(a, '(', "'('") || !named_value(a, amd_hwreg_names, 63, &id))
            return false;
        if (asm_take(a, ',') && !(asm_integer(a, 0, 31, &offset) && asm_expect(a, ',', "','") &&
                                  asm_integer(a, 1, 32, &size)))
            return false;
        if (!asm_expect(a, ')', "')'"))
            return false;
    }
    *imm = id | offset << 6 | (size - 1) << 11;
    return true;
}

/* "attr3.y": a name to the lexer. */
static bool
attribute(asm_ctx *a, int64_t *imm)
{
    static const char channels[] = "xyzw";
    const char *text = a->token.text;
    uint32_t len = a->token.len, i = 4;
    unsigned number = 0;
    if (a->token.kind != ASM_IDENT || len < 7 || memcmp(text, "attr", 4) != 0)
        return asm_expected(a, "an attribute");
    while (i < len && text[i] >= '0' && text[i] <= '9' && number < 100)
        number = number * 10 + (unsigned)(text[i++] - '0');
    const char *channel = i + 2 == len && i > 4 && text[i] == '.' ? strchr(channels, text[i + 1])
                                                                  : NULL;
    if (!channel || number > 32)
        return asm_expected(a, "an attribute");
    *imm = number * 4 + (channel - channels);
    asm_next(a);
    return true;
}

/* Export targets: a name, or one followed by a number. */
static bool
target(asm_ctx *a, int64_t *value)
{
    const char *text = a->token.text;
    uint32_t len = a->token.kind == ASM_IDENT ? a->token.len : 0;
    for (const amd_target_name *t = amd_target_names; t->name; t++) {
        uint32_t n = (uint32_t)strlen(t->name);
        unsigned number = 0;
        if (len < n || memcmp(text, t->name, n) != 0 || (t->count == 0) != (len == n) ||
            len > n + 2 || amd_asm_of(a)->gen < t->first_gen || amd_asm_of(a)->gen > t->last_gen)
            continue;
        bool digits = true;
        for (uint32_t k = n; k < len; k++) {
            digits &= text[k] >= '0' && text[k] <= '9';
            number = number * 10 + (unsigned)(text[k] - '0');
        }
        if (!digits || (t->count && number >= t->count))
            continue;
        *value = t->first + number;
        asm_next(a);
        return true;
    }
    return asm_expected(a, "an export target");
}

/* "gpr_idx(SRC0,DST)", or a number. */
static bool
indexed(asm_ctx *a, int64_t *imm)
{
    if (!asm_take_name(a, "gpr_idx"))
        return asm_integer(a, 0, 15, imm);
    if (!asm_expect(a, '(', "'('"))
        return false;
    while (!asm_is(a, ')')) {
        unsigned i = 0;
        while (i < 4 && !asm_take_name(a, amd_indexed_names[i]))
            i++;
        if (i == 4)
            return asm_expected(a, "SRC0, SRC1, SRC2 or DST");
        *imm |= INT64_C(1) << i;
        if (!asm_take(a, ','))
            break;
    }
    return asm_expect(a, ')', "')'");
}

/* "instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)", parts in any order. */
static bool
delay(asm_ctx *a, int64_t *imm)
{
    if (a->token.kind != ASM_IDENT)
        return asm_integer(a, 0, 0xffff, imm);
    do {
        const amd_delay_part *part = amd_delay_parts;
        while (part->name && !asm_is_name(a, part->name))
            part++;
        if (!part->name)
            return asm_expected(a, "instid0, instskip or instid1");
        asm_next(a);
        if (!asm_expect(a, '(', "'('"))
            return false;
        unsigned v = 0;
        while (v < part->count && !asm_take_name(a, part->values[v]))
            v++;
        if (v == part->count)
            return asm_expected(a, "a dependency or distance");
        *imm = (*imm & ~(((INT64_C(1) << part->bits) - 1) << part->pos)) | (int64_t)v << part->pos;
        if (!asm_expect(a, ')', "')'"))
            return false;
    } while (asm_take(a, '|'));
    return true;
}

/* A number of dwords, or a label. */
static bool
label(asm_ctx *a, amd_asm_trial *t, int64_t *imm)
{
    const char *at = a->token.text;
    asm_expr e;
    if (a->token.kind != ASM_IDENT && a->token.kind != ASM_INT)
        return asm_integer(a, -0x8000, 0xffff, imm);
    if (!asm_parse(a, false, &e))
        return false;
    bool is_label = e.count == 1 && !e.is_known && a->codes[e.first].op == ASM_SYMBOL;
    if (!is_label) {
        asm_seek(a, at);
        return asm_integer(a, -0x8000, 0xffff, imm);
    }
    t->labelled = true;
    t->at_label = at;
    t->label = a->codes[e.first].index;
    return true;
}

bool
amd_asm_immediate(asm_ctx *a, amd_asm_trial *t, amd_kind kind)
{
    int64_t imm = 0;
    uint32_t bits = 0;
    bool ok;
    switch (kind) {
    case AMD_K_WAITCNT:
        ok = counters(a, amd_waitcnt_counters(amd_asm_of(a)->gen), &bits);
        imm = bits;
        break;
    case AMD_K_DEPCTR:
        ok = counters(a, amd_depctr_counters(amd_asm_of(a)->gen), &bits);
        imm = bits;
        break;
    case AMD_K_SENDMSG: ok = message(a, &imm); break;
    case AMD_K_MSGRTN: ok = message(a, &imm); break;
    case AMD_K_DELAY: ok = delay(a, &imm); break;
    case AMD_K_HWREG: ok = hwreg(a, &imm); break;
    case AMD_K_ATTR: ok = attribute(a, &imm); break;
    case AMD_K_LABEL: ok = label(a, t, &imm); break;
    case AMD_K_CODE: ok = a->token.kind == ASM_END || asm_integer(a, 0, 0xffff, &imm); break;
    case AMD_K_GPRIDX: ok = indexed(a, &imm); break;
    case AMD_K_PROBE:
        ok = asm_integer(a, 0, amd_asm_of(a)->gen == AMD_GFX12 ? 31 : 0x7f, &imm);
        break;
    case AMD_K_LENGTH: ok = asm_integer(a, 0, 31, &imm); break;
    case AMD_K_OFFSET: {
        amd_offsets range = amd_offsets_of(amd_asm_of(a)->gen, AMD_SMEM);
        ok = asm_integer(a, range.low, range.high, &imm);
        t->in.offset = (int32_t)imm;
        return ok;
    }
    case AMD_K_TARGET:
        ok = target(a, &imm);
        t->in.target = (uint8_t)imm;
        return ok;
    default: ok = asm_integer(a, -0x8000, 0xffff, &imm); break;
    }
    t->in.imm = (int32_t)imm;
    return ok;
}

/* "swizzle(BITMASK_PERM, "01pip")": see print_imm.c for the characters. */
static bool
bitmask(asm_ctx *a, int64_t *value)
{
    unsigned and_mask = 0, or_mask = 0, xor_mask = 0;
    if (a->token.kind != ASM_STRING || a->token.len != 7)
        return asm_expected(a, "a mask of five characters");
    for (unsigned i = 0; i < 5; i++) {
        unsigned bit = 16u >> i;
        switch (a->token.text[1 + i]) {
        case '0': break;
        case '1': or_mask |= bit; break;
        case 'p': and_mask |= bit; break;
        case 'i':
            and_mask |= bit;
            xor_mask |= bit;
            break;
        default: return asm_expected(a, "a mask of 0, 1, p, i");
        }
    }
    asm_next(a);
    *value = and_mask | or_mask << 5 | xor_mask << 10;
    return true;
}

static bool
power_of_two(asm_ctx *a, int64_t low, int64_t high, int64_t *value)
{
    const char *at = a->token.text;
    if (!asm_integer(a, low, high, value))
        return false;
    if (base_is_pow2((uint64_t)*value))
        return true;
    asm_seek(a, at);
    return asm_expected(a, "a power of two");
}

/* "FFT,number" and "ROTATE,direction,lanes", from gfx9 on (Vega ISA, "LDS Instruction Fields"; the
 * texts are LLVM 22's). */
static bool
swizzle_whole(asm_ctx *a, bool rotate, int64_t *value)
{
    int64_t direction = 0, n;
    if (amd_asm_of(a)->gen < AMD_GFX9)
        return asm_expected(a, "a swizzle mode of this target");
    if (rotate && (!asm_expect(a, ',', "','") || !asm_integer(a, 0, 1, &direction)))
        return false;
    if (!asm_expect(a, ',', "','") || !asm_integer(a, 0, 31, &n))
        return false;
    *value = rotate ? 0xc000 | direction << 10 | n << 5 : 0xe000 | n;
    return true;
}

static bool
swizzle_mode(asm_ctx *a, int64_t *value)
{
    int64_t v[4];
    bool rotate = asm_take_name(a, "ROTATE");
    if (rotate || asm_take_name(a, "FFT"))
        return swizzle_whole(a, rotate, value);
    if (asm_take_name(a, "QUAD_PERM")) {
        *value = 0x8000;
        for (unsigned i = 0; i < 4; i++) {
            if (!asm_expect(a, ',', "','") || !asm_integer(a, 0, 3, &v[i]))
                return false;
            *value |= v[i] << i * 2;
        }
        return true;
    }
    if (asm_take_name(a, "BITMASK_PERM"))
        return asm_expect(a, ',', "','") && bitmask(a, value);
    if (asm_take_name(a, "BROADCAST")) {
        if (!asm_expect(a, ',', "','") || !power_of_two(a, 2, 32, &v[0]) ||
            !asm_expect(a, ',', "','") || !asm_integer(a, 0, v[0] - 1, &v[1]))
            return false;
        *value = (32 - v[0]) | v[1] << 5;
        return true;
    }
    if (asm_take_name(a, "SWAP")) {
        if (!asm_expect(a, ',', "','") || !power_of_two(a, 1, 16, &v[0]))
            return false;
        *value = 31 | v[0] << 10;
        return true;
    }
    if (asm_take_name(a, "REVERSE")) {
        if (!asm_expect(a, ',', "','") || !power_of_two(a, 2, 32, &v[0]))
            return false;
        *value = 31 | (v[0] - 1) << 10;
        return true;
    }
    return asm_expected(a, "a swizzle mode");
}

bool
amd_asm_swizzle(asm_ctx *a, int64_t *value)
{
    if (!asm_take_name(a, "swizzle"))
        return asm_integer(a, 0, 0xffff, value);
    return asm_expect(a, '(', "'('") && swizzle_mode(a, value) && asm_expect(a, ')', "')'");
}
