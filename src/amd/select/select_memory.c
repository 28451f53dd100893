/* Selection of loads, stores and arguments.
 *
 * An access is split into pieces that one instruction can move: as many dwords as remain and the
 * alignment allows, then halves and bytes. A piece is aligned both in memory and in the value, so
 * that none crosses two dwords of the value. Buffers, global memory, scratch, LDS and the scalar
 * path differ only in the parts of an address (`address`) and in the opcodes for pieces (`widths`);
 * common code joins pieces into components, and components into pieces.
 */
#include "amd/select/select_memory.h"

#include "amd/isa/table/names.h"
#include "amd/select/select_alu.h"
#include "amd/select/select_half.h"
#include "amd/target/hir_level.h"

/* Opcodes by piece: 1 byte, 2 bytes, 1 to 4 dwords; 8 and 16 dwords for scalar loads. */
typedef struct widths {
    uint16_t byte, half, dword[4], dword8, dword16;
} widths;

#define BUFFER_LOADS                                                                               \
    {                                                                                              \
        AMD_BUFFER_LOAD_UBYTE, AMD_BUFFER_LOAD_USHORT,                                             \
            {AMD_BUFFER_LOAD_DWORD, AMD_BUFFER_LOAD_DWORDX2, AMD_BUFFER_LOAD_DWORDX3,              \
             AMD_BUFFER_LOAD_DWORDX4},                                                             \
            0, 0                                                                                   \
    }
#define BUFFER_STORES                                                                              \
    {                                                                                              \
        AMD_BUFFER_STORE_BYTE, AMD_BUFFER_STORE_SHORT,                                             \
            {AMD_BUFFER_STORE_DWORD, AMD_BUFFER_STORE_DWORDX2, AMD_BUFFER_STORE_DWORDX3,           \
             AMD_BUFFER_STORE_DWORDX4},                                                            \
            0, 0                                                                                   \
    }

static const widths load_ops[] = {
    [SEL_BUFFER] = BUFFER_LOADS,
    [SEL_ADDR64] = BUFFER_LOADS,
    [SEL_FLAT] = {AMD_FLAT_LOAD_UBYTE,
                  AMD_FLAT_LOAD_USHORT,
                  {AMD_FLAT_LOAD_DWORD, AMD_FLAT_LOAD_DWORDX2, AMD_FLAT_LOAD_DWORDX3,
                   AMD_FLAT_LOAD_DWORDX4},
                  0,
                  0},
    [SEL_GLOBAL] = {AMD_GLOBAL_LOAD_UBYTE,
                    AMD_GLOBAL_LOAD_USHORT,
                    {AMD_GLOBAL_LOAD_DWORD, AMD_GLOBAL_LOAD_DWORDX2, AMD_GLOBAL_LOAD_DWORDX3,
                     AMD_GLOBAL_LOAD_DWORDX4},
                    0,
                    0},
    [SEL_SCRATCH] = {AMD_SCRATCH_LOAD_UBYTE,
                     AMD_SCRATCH_LOAD_USHORT,
                     {AMD_SCRATCH_LOAD_DWORD, AMD_SCRATCH_LOAD_DWORDX2, AMD_SCRATCH_LOAD_DWORDX3,
                      AMD_SCRATCH_LOAD_DWORDX4},
                     0,
                     0},
    [SEL_LDS] = {AMD_DS_READ_U8,
                 AMD_DS_READ_U16,
                 {AMD_DS_READ_B32, AMD_DS_READ_B64, AMD_DS_READ_B96, AMD_DS_READ_B128},
                 0,
                 0},
    [SEL_SMEM] = {AMD_S_LOAD_U8,
                  AMD_S_LOAD_U16,
                  {AMD_S_LOAD_DWORD, AMD_S_LOAD_DWORDX2, 0, AMD_S_LOAD_DWORDX4},
                  AMD_S_LOAD_DWORDX8,
                  AMD_S_LOAD_DWORDX16},
    [SEL_SMEM_BUFFER] = {AMD_S_BUFFER_LOAD_U8,
                         AMD_S_BUFFER_LOAD_U16,
                         {AMD_S_BUFFER_LOAD_DWORD, AMD_S_BUFFER_LOAD_DWORDX2, 0,
                          AMD_S_BUFFER_LOAD_DWORDX4},
                         AMD_S_BUFFER_LOAD_DWORDX8,
                         AMD_S_BUFFER_LOAD_DWORDX16},
};

static const widths store_ops[] = {
    [SEL_BUFFER] = BUFFER_STORES,
    [SEL_ADDR64] = BUFFER_STORES,
    [SEL_FLAT] = {AMD_FLAT_STORE_BYTE,
                  AMD_FLAT_STORE_SHORT,
                  {AMD_FLAT_STORE_DWORD, AMD_FLAT_STORE_DWORDX2, AMD_FLAT_STORE_DWORDX3,
                   AMD_FLAT_STORE_DWORDX4},
                  0,
                  0},
    [SEL_GLOBAL] = {AMD_GLOBAL_STORE_BYTE,
                    AMD_GLOBAL_STORE_SHORT,
                    {AMD_GLOBAL_STORE_DWORD, AMD_GLOBAL_STORE_DWORDX2, AMD_GLOBAL_STORE_DWORDX3,
                     AMD_GLOBAL_STORE_DWORDX4},
                    0,
                    0},
    [SEL_SCRATCH] = {AMD_SCRATCH_STORE_BYTE,
                     AMD_SCRATCH_STORE_SHORT,
                     {AMD_SCRATCH_STORE_DWORD, AMD_SCRATCH_STORE_DWORDX2, AMD_SCRATCH_STORE_DWORDX3,
                      AMD_SCRATCH_STORE_DWORDX4},
                     0,
                     0},
    [SEL_LDS] = {AMD_DS_WRITE_B8,
                 AMD_DS_WRITE_B16,
                 {AMD_DS_WRITE_B32, AMD_DS_WRITE_B64, AMD_DS_WRITE_B96, AMD_DS_WRITE_B128},
                 0,
                 0},
};

/* Store the high half of a register. */
static const uint16_t high_half_stores[] = {
    [SEL_BUFFER] = AMD_BUFFER_STORE_SHORT_D16_HI,   [SEL_ADDR64] = AMD_BUFFER_STORE_SHORT_D16_HI,
    [SEL_FLAT] = AMD_FLAT_STORE_SHORT_D16_HI,       [SEL_GLOBAL] = AMD_GLOBAL_STORE_SHORT_D16_HI,
    [SEL_SCRATCH] = AMD_SCRATCH_STORE_SHORT_D16_HI, [SEL_LDS] = AMD_DS_WRITE_B16_D16_HI,
};

static bool
is_scalar_kind(sel_address_kind k)
{
    return k == SEL_SMEM || k == SEL_SMEM_BUFFER;
}

/* ---- pieces ---- */

typedef struct piece {
    ir_ref value;
    uint32_t offset, size; /* bytes: position and size in the access */
} piece;

enum { MAX_PIECES = 16 * 8 };

/* The largest power of two that divides every address of position `at` in an access with the given
 * alignment and, below 4, also `at` itself. */
static uint32_t
align_at(uint32_t mul, uint32_t off, uint32_t at)
{
    uint32_t o = (off + at) & (mul - 1), align = o ? o & (0u - o) : mul, in_dword = at & 3;
    uint32_t in_value = in_dword ? in_dword & (0u - in_dword) : align;
    return align < in_value ? align : in_value;
}

/* The dwords that one instruction may move. */
static uint32_t
most_dwords(const sel *s, sel_address_kind k)
{
    if (k == SEL_SCRATCH && !sel_has(s, AMD_SCRATCH_LOAD_DWORD))
        return 1; /* a swizzled buffer's elements have 4 bytes */
    return k == SEL_LDS && !sel_has(s, AMD_DS_READ_B128) ? 2 : 4;
}

/* The number of bytes that the next piece moves. */
static uint32_t
piece_size(const sel *s, sel_address_kind k, uint32_t align, uint32_t left)
{
    if (is_scalar_kind(k)) {
        /* behind a buffer's end there are zeros: one load may read up to a third more than asked */
        bool more = k == SEL_SMEM_BUFFER && left > 8;
        for (uint32_t size = 64; size > 1; size /= 2) {
            if (left >= size || (more && left >= size / 4 * 3))
                return size;
        }
        return 1;
    }
    if (align < 4 || left < 4)
        return align >= 2 && left >= 2 ? 2 : 1;
    uint32_t most = most_dwords(s, k), dwords = left / 4 < most ? left / 4 : most;
    if (dwords == 3 && k != SEL_LDS && !amd_has(s->p->target, has_dwordx3))
        dwords = 2;
    if (k == SEL_LDS) { /* ds_read_b64 requires 8, b96 and b128 16 bytes of alignment */
        if (align < 16 && dwords > 2)
            dwords = 2;
        if (align < 8)
            dwords = 1;
    }
    return dwords * 4;
}

static unsigned
piece_op(const widths *w, uint32_t size)
{
    return size == 1    ? w->byte
           : size == 2  ? w->half
           : size == 64 ? w->dword16
           : size == 32 ? w->dword8
                        : w->dword[size / 4 - 1];
}

static unsigned
load_pieces(sel *s, sel_address *a, uint32_t size, uint32_t mul, uint32_t off, piece *out)
{
    unsigned n = 0;
    bool scalar = is_scalar_kind(a->kind);
    amd_sel_fit_offset(s, a, size);
    for (uint32_t at = 0; at < size; n++) {
        uint32_t k = piece_size(s, a->kind, align_at(mul, off, at), size - at);
        unsigned rc = amd_rc(!scalar, (k + 3) / 4 * 4);
        out[n] = (piece){
            amd_sel_emit_memory(s, piece_op(&load_ops[a->kind], k), rc, a, ir_none(), at), at, k};
        at += k;
    }
    return n;
}

static ir_ref
shift_right(sel *s, ir_ref v, uint32_t bits)
{
    if (!bits)
        return v;
    return sel_is_vgpr(v) ? amd_sel_2(s, AMD_V_LSHRREV_B32, AMD_V1, amd_const(bits), v)
                          : amd_sel_2(s, AMD_S_LSHR_B32, AMD_S1, v, amd_const(bits));
}

/* The dwords of all pieces that consist of dwords, so that each piece is split only once for all
 * components. */
typedef struct loaded {
    piece pieces[MAX_PIECES];
    ir_ref dwords[MAX_PIECES]; /* by dword of the access, where a dword piece covers it */
    unsigned n;
    bool scalar;
} loaded;

static void
split_pieces(sel *s, loaded *l)
{
    for (unsigned i = 0; i < l->n; i++) {
        const piece *p = &l->pieces[i];
        if (p->size >= 4)
            amd_sel_split(s, p->value, p->size / 4, &l->dwords[p->offset / 4]);
    }
}

/* At most 4 bytes from `at`, in the low bits of a dword, or 2 bytes in its high half; the bits
 * above are undefined if the size is 1 or 2. */
static ir_ref
bytes_at(sel *s, const loaded *l, uint32_t at, uint32_t size)
{
    ir_ref r = ir_none();
    for (unsigned i = 0; i < l->n; i++) {
        const piece *p = &l->pieces[i];
        if (p->offset + p->size <= at || p->offset >= at + size)
            continue;
        if (p->size >= 4 && size == 2 && at % 4 == 2)
            return amd_sel_high_here(s, l->dwords[at / 4]);
        if (p->size >= 4)
            return shift_right(s, l->dwords[at / 4], at % 4 * 8);
        ir_ref v = p->offset < at ? shift_right(s, p->value, (at - p->offset) * 8) : p->value;
        if (p->offset > at)
            v = amd_sel_2(s, AMD_V_LSHLREV_B32, AMD_V1, amd_const((p->offset - at) * 8), v);
        r = r.kind == IR_REF_NONE ? v : amd_sel_2(s, AMD_V_OR_B32, AMD_V1, r, v);
    }
    return r;
}

/* ---- numbers of 8 and 16 bits by scalar loads ---- */

sel_reach
amd_sel_scalar_reach(const sel *s, const ir_instr *i)
{
    ir_type t = s->hir->values[i->defs[0].id].type;
    unsigned bytes = ir_type_bits(t) / 8, n = ir_type_comps(t);
    uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), off = ir_attr_get(i, IR_A_ALIGN_OFFSET);
    bool in_dword = mul >= 4 && off % 4 == 0, parts = sel_has(s, AMD_S_LOAD_U16);
    if (bytes >= 4)
        return SEL_REACH_NUMBERS;
    if (!bytes || mul < bytes || off % bytes)
        return SEL_REACH_NONE;
    if ((n == 1 && parts) || (in_dword && (bytes * n % 4 == 0 || parts)))
        return SEL_REACH_NUMBERS;
    /* a dword is in the memory of which a part is; but a storage buffer may end within it, since
     * its size is what the shader asks for (docs/abi.md) */
    if (i->op != IR_load_ubo && i->op != IR_load_global)
        return SEL_REACH_NONE;
    return mul >= 4 || n == 1 ? SEL_REACH_DWORDS : SEL_REACH_NONE;
}

/* A number whose position in its dword is not known; the hardware ignores the two low bits of
 * addresses (RDNA 2 ISA, 7.3). */
static void
select_in_dword(sel *s, const ir_instr *i, sel_address *a)
{
    ir_ref at = a->kind == SEL_SMEM_BUFFER ? a->index : amd_sel_half(s, a->base, 0);
    ir_ref bit = amd_sel_2(s, AMD_S_LSHL_B32, AMD_S1, at, amd_const(3));
    amd_sel_fit_offset(s, a, 4);
    ir_ref all = amd_sel_emit_memory(s, load_ops[a->kind].dword[0], AMD_S1, a, ir_none(), 0);
    amd_sel_set(s, i, amd_sel_2(s, AMD_S_LSHR_B32, AMD_S1, all, bit));
}

static void
set_loaded(sel *s, const ir_instr *i, loaded *l, uint32_t start)
{
    ir_type t = s->hir->values[i->defs[0].id].type;
    unsigned bits = ir_type_bits(t), n = ir_type_comps(t);
    split_pieces(s, l);
    ir_ref comps[IR_MAX_COMPS];
    for (unsigned c = 0; c < n; c++) {
        uint32_t at = start + c * bits / 8;
        if (bits < 64)
            comps[c] = bytes_at(s, l, at, bits / 8);
        else
            comps[c] = amd_sel_join(s, l->scalar, 2,
                                    (ir_ref[]){bytes_at(s, l, at, 4), bytes_at(s, l, at + 4, 4)});
    }
    amd_sel_set_comps(s, i, comps);
}

/* Loads the dwords in which the numbers lie. */
static void
select_dwords(sel *s, const ir_instr *i, sel_address *a, uint32_t mul, uint32_t off)
{
    ir_type t = s->hir->values[i->defs[0].id].type;
    bool constant = a->kind == SEL_SMEM_BUFFER && a->index.kind == IR_REF_NONE;
    if (!constant && mul < 4) {
        select_in_dword(s, i, a);
        return;
    }
    uint32_t start = (constant ? a->offset : off) & 3;
    uint32_t bytes = ir_type_bits(t) / 8 * ir_type_comps(t);
    loaded l; /* large: only what is loaded is set */
    l.scalar = true;
    a->offset &= ~3u;
    l.n = load_pieces(s, a, (start + bytes + 3) & ~3u, 4, 0, l.pieces);
    set_loaded(s, i, &l, start);
}

static void
select_load(sel *s, const ir_instr *i, sel_address *a, uint32_t mul, uint32_t off)
{
    ir_type t = s->hir->values[i->defs[0].id].type;
    unsigned bits = ir_type_bits(t), n = ir_type_comps(t);
    loaded l; /* large: only what is loaded is set */
    l.scalar = is_scalar_kind(a->kind);
    l.n = load_pieces(s, a, bits / 8 * n, mul ? mul : 4, off, l.pieces);
    if (l.n == 1 && bits >= 32 && l.pieces[0].size == bits / 8 * n) {
        amd_sel_set_vector(s, i, l.pieces[0].value);
        return;
    }
    set_loaded(s, i, &l, 0);
}

/* ---- stores ---- */

/* Low `bits` of a dword, the rest zero. */
static ir_ref
low_bits(sel *s, ir_ref v, unsigned bits)
{
    if (v.kind == IR_REF_CONST)
        return amd_const(v.id & (uint32_t)base_mask64(bits));
    return amd_sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const((uint32_t)base_mask64(bits)), v);
}

/* Dword `d` of the stored run, with components of 8 or 16 bits packed. */
static ir_ref
packed_dword(sel *s, ir_ref value, unsigned bits, unsigned first)
{
    unsigned per = 32 / bits;
    ir_ref r = ir_none();
    if (bits == 16)
        return amd_sel_pack_comps(s, value, first);
    for (unsigned k = 0; k < per; k++) {
        ir_ref v = amd_sel_get_comp(s, value, first + k);
        if (k + 1 < per)
            v = low_bits(s, v, bits);
        if (k == 0) {
            r = v;
            continue;
        }
        r = amd_sel_3(s, AMD_V_LSHL_OR_B32, AMD_V1, v, amd_const(k * bits), r);
    }
    return r;
}

/* What one instruction stores: `size` bytes from byte `at` on of the components from `first` on. */
typedef struct {
    ir_ref value;
    unsigned first;
    uint32_t at, size;
} store_piece;

/* 1 or 2 bytes, in the low bits of a VGPR; the bits above are arbitrary. */
static ir_ref
small_data(sel *s, store_piece p)
{
    ir_ref value = p.value;
    unsigned bits = sel_bits(s, value), c = p.first + p.at * 8 / bits, shift = p.at * 8 % bits;
    ir_ref v = amd_sel_get_comp(s, value, c);
    if (bits == 64) {
        v = amd_sel_half(s, v, shift / 32);
        shift %= 32;
    }
    if (p.size * 8 > bits) { /* two bytes that are separate components */
        ir_ref high = amd_sel_get_comp(s, value, c + 1), low = low_bits(s, v, 8);
        return amd_sel_as_vgpr(s, amd_sel_3(s, AMD_V_LSHL_OR_B32, AMD_V1, high, amd_const(8), low));
    }
    if (v.kind == IR_REF_CONST)
        return amd_sel_copy(s, AMD_V1, amd_const(v.id >> shift));
    return amd_sel_as_vgpr(s, shift_right(s, v, shift));
}

/* The data of a piece; `at` is a multiple of 4 if `size` is. */
static ir_ref
store_data(sel *s, store_piece p)
{
    unsigned bits = sel_bits(s, p.value), n = 0;
    ir_ref parts[4];
    if (p.size < 4)
        return small_data(s, p);
    for (uint32_t byte = p.at; byte < p.at + p.size; byte += sel_regs(parts[n++]) * 4) {
        if (bits < 32)
            parts[n] = packed_dword(s, p.value, bits, p.first + byte * 8 / bits);
        else if (bits == 32)
            parts[n] = amd_sel_get_comp(s, p.value, p.first + byte / 4);
        else if (byte % 8 == 0 && byte + 8 <= p.at + p.size)
            parts[n] = amd_sel_get_comp(s, p.value, p.first + byte / 8);
        else
            parts[n] = amd_sel_half(s, amd_sel_get_comp(s, p.value, p.first + byte / 8),
                                    byte / 4 % 2);
    }
    return amd_sel_join(s, false, n, parts);
}

static void
select_piece(sel *s, const sel_address *a, store_piece p)
{
    unsigned bits = sel_bits(s, p.value), op = piece_op(&store_ops[a->kind], p.size),
             high = high_half_stores[a->kind];
    ir_ref data = ir_none();
    if (bits == 16 && p.size == 2 && sel_has(s, high))
        data = amd_sel_get_part(s, p.value, p.first + p.at / 2);
    if (data.kind == IR_REF_VALUE && sel_is_high(data) && sel_is_vgpr(data)) {
        data = sel_register(data);
        op = high;
    } else {
        data = store_data(s, p);
    }
    amd_sel_emit_memory(s, op, 0, a, data, p.at);
}

static void
store_run(sel *s, sel_address a, ir_ref value, unsigned first, unsigned count, uint32_t mul,
          uint32_t off)
{
    unsigned bits = sel_bits(s, value);
    uint32_t size = count * bits / 8, start = first * bits / 8;
    a.offset += start;
    amd_sel_fit_offset(s, &a, size);
    for (uint32_t at = 0; at < size;) {
        uint32_t k = piece_size(s, a.kind, align_at(mul, off, start + at), size - at);
        select_piece(s, &a, (store_piece){value, first, at, k});
        at += k;
    }
}

static void
select_store(sel *s, const ir_instr *i, sel_address *a)
{
    ir_ref value = i->refs[0];
    uint32_t mask = ir_attr_get(i, IR_A_WRITE_MASK), mul = ir_attr_get(i, IR_A_ALIGN_MUL);
    unsigned n = value.comp == IR_WHOLE ? ir_type_comps(s->hir->values[value.id].type) : 1;
    bool part = value.comp != IR_WHOLE && value.comp > 0;
    mask &= (uint32_t)base_mask64(n);
    for (unsigned c = 0, run; (run = base_next_run(mask, n, &c)); c += run) {
        if (part) { /* one component of a vector: its position in the value differs from
                              that in memory */
            sel_address b = *a;
            b.offset -= (uint32_t)value.comp * sel_bits(s, value) / 8;
            store_run(s, b, value, value.comp, 1, mul ? mul : 4,
                      ir_attr_get(i, IR_A_ALIGN_OFFSET) - value.comp * sel_bits(s, value) / 8);
        } else {
            store_run(s, *a, value, c, run, mul ? mul : 4, ir_attr_get(i, IR_A_ALIGN_OFFSET));
        }
    }
}

/* ---- the opcodes ---- */

/* `bits` say how a coherent access passes the caches where instructions name caches; elsewhere they
 * name the scope in which it is coherent. */
static uint32_t
access_flags(const sel *s, uint32_t access, uint32_t bits)
{
    bool coherent = access & (IR_ACCESS_COHERENT | IR_ACCESS_VOLATILE);
    if (amd_has(s->p->target, has_scopes) || amd_has(s->p->target, has_scope_bits))
        bits = (uint32_t)AMD_SCOPE_DEV << AMD_MEM_SCOPE;
    return (coherent ? bits : 0) | (access & IR_ACCESS_NON_TEMPORAL ? AMD_MEM_SLC : 0);
}

uint32_t
amd_sel_load_flags(const sel *s, uint32_t access)
{
    return access_flags(s, access,
                        AMD_MEM_GLC | (amd_has(s->p->target, has_dlc) ? AMD_MEM_DLC : 0));
}

uint32_t
amd_sel_store_flags(const sel *s, uint32_t access)
{
    return access_flags(s, access, AMD_MEM_GLC);
}

/* Volatile loads stay in their order. */
static uint32_t
volatile_bit(const ir_instr *i)
{
    return ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_VOLATILE ? AMD_SYNC_VOLATILE : 0;
}

static void
load_from(sel *s, const ir_instr *i, sel_address *a)
{
    uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), off = ir_attr_get(i, IR_A_ALIGN_OFFSET);
    if (is_scalar_kind(a->kind) && amd_sel_scalar_reach(s, i) == SEL_REACH_DWORDS)
        select_dwords(s, i, a, mul, off);
    else
        select_load(s, i, a, mul, off);
}

static void
load_buffer(sel *s, const ir_instr *i)
{
    bool scalar = !sel_wants_vgpr(s, i);
    uint32_t flags = scalar ? 0 : amd_sel_load_flags(s, ir_attr_get(i, IR_A_ACCESS));
    sel_address a = amd_sel_buffer_address(s, scalar, i->refs[0], i->refs[1], flags);
    a.sync |= volatile_bit(i);
    load_from(s, i, &a);
}

static void
load_global(sel *s, const ir_instr *i)
{
    bool scalar = !sel_wants_vgpr(s, i);
    uint32_t flags = scalar ? 0 : amd_sel_load_flags(s, ir_attr_get(i, IR_A_ACCESS));
    sel_address a = amd_sel_global_address(s, scalar, i->refs[0], flags);
    a.sync |= volatile_bit(i);
    load_from(s, i, &a);
}

static void
load_smem(sel *s, const ir_instr *i)
{
    sel_address a = amd_sel_global_address(s, true, i->refs[0], 0);
    a.sync = AMD_SYNC_CAN_REORDER;
    /* Descriptors and push constants lie within 4 GiB: these sums do not wrap. */
    ir_ref at = amd_sel_get(s, amd_sel_split_sum(s, a.kind, i->refs[1], &a.offset));
    if (at.kind == IR_REF_CONST)
        a.offset += at.id;
    else
        a.index = amd_sel_as_sgpr(s, at);
    select_load(s, i, &a, 4, 0);
}

/* Constant data follows the code; its address is computed relative to the program counter. */
static ir_ref
constant_address(sel *s, uint32_t offset)
{
    ir_instr *at = s->const_address;
    if (at && at->block == s->cur && ir_words(at)[0] == offset)
        return at->defs[0];
    at = s->const_address = amd_new(s->f, AMD_P_CONSTADDR, 2, 0);
    ir_define(s->f, at, 0, AMD_S2);
    ir_define(s->f, at, 1, AMD_S1);
    at->defs[1] = ir_fixed(at->defs[1], AMD_SCC);
    ir_words(at)[0] = offset;
    at->loc = s->loc;
    ir_append(s->cur, at);
    return at->defs[0];
}

static void
load_constant(sel *s, const ir_instr *i)
{
    bool scalar = !sel_wants_vgpr(s, i);
    ir_ref offset = amd_sel_get(s, i->refs[0]);
    /* The low bits of the position go into the offset field, so that neighbouring data share an
     * address. */
    uint32_t place = ir_attr_get(i, IR_A_BASE), low = scalar ? 0xffff : 0x3ff;
    sel_address a = {.kind = scalar ? SEL_SMEM : SEL_GLOBAL,
                     .base = constant_address(s, place & ~low),
                     .index = ir_none(),
                     .offset = place & low,
                     .sync = AMD_SYNC_CAN_REORDER};
    if (offset.kind == IR_REF_CONST)
        a.offset += offset.id;
    else
        a.index = scalar ? amd_sel_as_sgpr(s, offset) : amd_sel_as_vgpr(s, offset);
    if (!scalar)
        a = amd_sel_without_global(s, a);
    select_load(s, i, &a, ir_attr_get(i, IR_A_ALIGN_MUL), ir_attr_get(i, IR_A_ALIGN_OFFSET));
}

static void
load_argument(sel *s, const ir_instr *i)
{
    amd_sel_set_vector(s, i, s->args[ir_attr_get(i, IR_A_BASE)]);
}

static void
barrier(sel *s, const ir_instr *i)
{
    ir_instr *b = amd_new(s->f, AMD_P_BARRIER, 0, 0);
    for (unsigned w = 0; w < 4; w++)
        ir_words(b)[w] = ir_words(i)[w];
    b->loc = s->loc;
    ir_append(s->cur, b);
}

bool
amd_sel_memory(sel *s, const ir_instr *i)
{
    uint32_t mul = ir_attr_has(i, IR_A_ALIGN_MUL) ? ir_attr_get(i, IR_A_ALIGN_MUL) : 0;
    uint32_t off = ir_attr_has(i, IR_A_ALIGN_OFFSET) ? ir_attr_get(i, IR_A_ALIGN_OFFSET) : 0;
    uint32_t base = ir_attr_has(i, IR_A_BASE) ? ir_attr_get(i, IR_A_BASE) : 0;
    sel_address a;
    switch (i->op) {
    case AMD_HIR_load_scalar_arg_amd:
    case AMD_HIR_load_vector_arg_amd: load_argument(s, i); return true;
    case AMD_HIR_load_smem_amd: load_smem(s, i); return true;
    case IR_load_ubo:
    case IR_load_ssbo: load_buffer(s, i); return true;
    case IR_load_global: load_global(s, i); return true;
    case IR_load_constant: load_constant(s, i); return true;
    case IR_load_shared:
        a = amd_sel_offset_address(s, SEL_LDS, i->refs[0], base);
        select_load(s, i, &a, mul, off);
        return true;
    case IR_load_scratch:
        a = amd_sel_offset_address(s, SEL_SCRATCH, i->refs[0], base);
        select_load(s, i, &a, mul, off);
        return true;
    case IR_store_ssbo:
        a = amd_sel_buffer_address(s, false, i->refs[1], i->refs[2],
                                   amd_sel_store_flags(s, ir_attr_get(i, IR_A_ACCESS)));
        select_store(s, i, &a);
        return true;
    case IR_store_global:
        a = amd_sel_global_address(s, false, i->refs[1],
                                   amd_sel_store_flags(s, ir_attr_get(i, IR_A_ACCESS)));
        select_store(s, i, &a);
        return true;
    case IR_store_shared:
        a = amd_sel_offset_address(s, SEL_LDS, i->refs[1], base);
        select_store(s, i, &a);
        return true;
    case IR_store_scratch:
        a = amd_sel_offset_address(s, SEL_SCRATCH, i->refs[1], base);
        select_store(s, i, &a);
        return true;
    case IR_barrier: barrier(s, i); return true;
    default: return amd_sel_atomic(s, i);
    }
}
