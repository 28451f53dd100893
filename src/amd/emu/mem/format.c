/* Formatted buffer loads and stores. MTBUF has the format in the instruction, and its components
 * are the format's channels; MUBUF's *_FORMAT_* take format and dst_sel from the descriptor (GCN3
 * ISA to RDNA 4 ISA, table "Buffer instructions": data format, dst_sel). A texel is range-checked
 * as a whole; one that is out of bounds reads 0, or 1 where dst_sel says so.
 */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/desc/texel.h"
#include "amd/emu/mem/buffer.h"
#include "amd/emu/mem/mem.h"
#include "amd/emu/num/float.h"

enum { F_STORE = 1, F_D16 = 2, F_HIGH = 4 };

typedef struct format_row {
    uint16_t op;
    uint8_t count; /* components */
    uint8_t flags;
} format_row;

#define FAMILY(F)                                                                                  \
    {AMD_##F##_LOAD_FORMAT_X, 1, 0}, {AMD_##F##_LOAD_FORMAT_XY, 2, 0},                             \
        {AMD_##F##_LOAD_FORMAT_XYZ, 3, 0}, {AMD_##F##_LOAD_FORMAT_XYZW, 4, 0},                     \
        {AMD_##F##_STORE_FORMAT_X, 1, F_STORE}, {AMD_##F##_STORE_FORMAT_XY, 2, F_STORE},           \
        {AMD_##F##_STORE_FORMAT_XYZ, 3, F_STORE}, {AMD_##F##_STORE_FORMAT_XYZW, 4, F_STORE},       \
        {AMD_##F##_LOAD_FORMAT_D16_X, 1, F_D16}, {AMD_##F##_LOAD_FORMAT_D16_XY, 2, F_D16},         \
        {AMD_##F##_LOAD_FORMAT_D16_XYZ, 3, F_D16}, {AMD_##F##_LOAD_FORMAT_D16_XYZW, 4, F_D16},     \
        {AMD_##F##_STORE_FORMAT_D16_X, 1, F_STORE | F_D16},                                        \
        {AMD_##F##_STORE_FORMAT_D16_XY, 2, F_STORE | F_D16},                                       \
        {AMD_##F##_STORE_FORMAT_D16_XYZ, 3, F_STORE | F_D16},                                      \
    {                                                                                              \
        AMD_##F##_STORE_FORMAT_D16_XYZW, 4, F_STORE | F_D16                                        \
    }

static const format_row rows[] = {
    FAMILY(BUFFER),
    FAMILY(TBUFFER),
    {AMD_BUFFER_LOAD_FORMAT_D16_HI_X, 1, F_D16 | F_HIGH},
    {AMD_BUFFER_STORE_FORMAT_D16_HI_X, 1, F_STORE | F_D16 | F_HIGH},
    {AMD_BUFFER_LOAD_LDS_FORMAT_X, 1, 0},
};

/* Narrows a component of 32 bits to the 16 bits that D16 moves. */
static uint32_t
narrow(uint32_t v, bool is_int)
{
    return is_int ? v & 0xffff : amd_emu_to_half_rne(base_bits_f32(v));
}

static uint32_t
widen(uint32_t h, bool is_int)
{
    return is_int ? h & 0xffff : base_f32_bits(amd_emu_from_half(h));
}

/* The register of component `c` of the data that begins in `reg`, and the bit position within it.
 * gfx8, except gfx810, has a register for each 16-bit component. */
static uint32_t
component_register(const emu_inst *i, uint32_t c, uint32_t *shift)
{
    const format_row *r = i->op;
    bool halves = r->flags & F_D16 && !i->unpacked_d16;
    *shift = r->flags & F_HIGH || (halves && c % 2) ? 16 : 0;
    return i->vdata - AMD_REG_VGPR0 + (halves ? c / 2 : c);
}

static uint32_t
get_component(const emu_wave *w, const emu_inst *i, bool is_int, uint32_t c, uint32_t l)
{
    const format_row *r = i->op;
    uint32_t shift, v = w->vgpr[component_register(i, c, &shift)][l];
    return r->flags & F_D16 ? widen(v >> shift, is_int) : v;
}

static void
put_component(emu_wave *w, const emu_inst *i, bool is_int, uint32_t c, uint32_t l, uint32_t v)
{
    const format_row *r = i->op;
    uint32_t shift, *at = &w->vgpr[component_register(i, c, &shift)][l];
    if (r->flags & F_D16)
        v = (*at & ~(0xffffu << shift)) | narrow(v, is_int) << shift;
    *at = v;
}

typedef struct format_access {
    mach_format format;
    uint32_t dst_sel[4]; /* loads: the sources of the components */
    char swizzle[5];     /* the part of dst_sel that `format` does not cover */
    uint32_t bytes;
    bool is_int;
} format_access;

/* The value of a component beyond the end of the buffer. */
static uint32_t
outside(const format_access *f, uint32_t c)
{
    return f->dst_sel[c] != AMD_SEL_1 ? 0 : f->is_int ? 1 : 0x3f800000;
}

/* Applies the view swizzle to a texel. */
static mach_texel
swizzled(const format_access *f, const mach_texel *t)
{
    static const char names[] = "rgba";
    mach_texel r = *t;
    for (uint32_t k = 0; f->swizzle[0] && k < 4; k++) {
        const char *at = strchr(names, f->swizzle[k]);
        uint32_t constant = f->swizzle[k] != '1' ? 0 : f->is_int ? 1 : 0x3f800000;
        r.c[k] = at && *at ? t->c[at - names] : constant;
    }
    return r;
}

static void
load_lane(emu_wave *w, const emu_inst *i, const emu_buffer_args *b, const format_access *f,
          uint32_t l)
{
    const format_row *r = i->op;
    uint64_t address;
    bool inside = amd_emu_buffer_place(w, i, b, l, 0, f->bytes, &address);
    const uint8_t *p = inside ? amd_emu_bytes(w, address, f->bytes, (int)l, false) : NULL;
    mach_texel t = {{0}};
    if (p) {
        t = mach_texel_read(f->format, p);
        t = swizzled(f, &t);
    }
    if (amd_emu_buffer_to_lds(i)) {
        amd_emu_put_to_lds(w, i, l, p ? (uint32_t)t.c[0] : outside(f, 0), 0);
        return;
    }
    for (uint32_t c = 0; c < r->count; c++)
        put_component(w, i, f->is_int, c, l, p ? (uint32_t)t.c[c] : outside(f, c));
}

static void
store_lane(emu_wave *w, const emu_inst *i, const emu_buffer_args *b, const format_access *f,
           uint32_t l)
{
    const format_row *r = i->op;
    uint64_t address;
    mach_texel t = {{0}};
    for (uint32_t c = 0; c < 4; c++) /* missing components repeat the first */
        t.c[c] = get_component(w, i, f->is_int, c < r->count ? c : 0, l);
    if (!amd_emu_buffer_place(w, i, b, l, 0, f->bytes, &address))
        return;
    uint8_t *p = amd_emu_bytes(w, address, f->bytes, (int)l, true);
    t = mach_texel_unswizzle(f->swizzle, t);
    if (p)
        mach_texel_write(f->format, p, &t);
}

static uint32_t
data_registers(const emu_inst *i)
{
    const format_row *r = i->op;
    return r->flags & F_D16 && !i->unpacked_d16 ? (r->count + 1u) / 2 : r->count;
}

/* The bytes of the k-th data register that hold components. */
static uint32_t
data_bytes(const emu_inst *i, uint32_t k)
{
    const format_row *r = i->op;
    if (!(r->flags & F_D16) || !(i->unpacked_d16 || r->count == 2 * k + 1))
        return EMU_BYTES_ALL;
    return r->flags & F_HIGH ? EMU_BYTES_HIGH : EMU_BYTES_LOW;
}

static void
shadow_data(emu_wave *w, const emu_inst *i)
{
    const format_row *r = i->op;
    uint64_t exec = amd_emu_exec(w);
    for (uint32_t k = 0; k < data_registers(i); k++) {
        uint32_t reg = i->vdata - AMD_REG_VGPR0 + k, bytes = data_bytes(i, k);
        if (r->flags & F_STORE)
            amd_emu_shadow_use_bytes(w, reg, bytes, exec, "data of a formatted store");
        else
            amd_emu_shadow_set(w, reg, bytes, exec, 0);
    }
}

/* Selects the format's own channels in order, then zeros: the result of MTBUF loads. */
static void
identity_select(uint32_t format, uint32_t dst_sel[4])
{
    static const uint32_t all[4] = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W};
    char swizzle[5];
    mach_format f = amd_format_to_mach(format, all, swizzle);
    for (uint32_t k = 0; k < 4; k++)
        dst_sel[k] = mach_format_get(f)->bits[k] ? all[k] : AMD_SEL_0;
}

static void
run_format(emu_wave *w, const emu_inst *i)
{
    const format_row *r = i->op;
    emu_buffer_args b;
    format_access f;
    if (!amd_emu_buffer_source(w, i, &b))
        return;
    if (w->shadow && amd_emu_buffer_to_lds(i))
        amd_emu_shadow_use_scalar(w, AMD_REG_M0, 1, "LDS address");
    else if (w->shadow)
        shadow_data(w, i);
    bool typed = i->in.fmt == AMD_MTBUF, store = r->flags & F_STORE;
    uint32_t number = typed ? amd_format_of_buffer(w->m->d->gen, i->in.format) : b.desc.format;
    memcpy(f.dst_sel, b.desc.dst_sel, sizeof f.dst_sel);
    if (typed)
        identity_select(number, f.dst_sel);
    f.format = amd_format_to_mach(number, f.dst_sel, f.swizzle);
    f.bytes = mach_format_get(f.format)->bytes;
    f.is_int = mach_format_is_int(f.format);
    if (!f.format && b.bounds != EMU_BOUNDS_UNBOUND) {
        amd_emu_stop(w, MACH_RUN_UNSUPPORTED, "buffer format %u",
                     number & ~(uint32_t)AMD_FORMAT_UNKNOWN);
        return;
    }
    for (uint64_t left = amd_emu_exec(w); left; left &= left - 1) {
        if (store)
            store_lane(w, i, &b, &f, base_ctz64(left));
        else
            load_lane(w, i, &b, &f, base_ctz64(left));
    }
    if (i->in.tfe && !store && !amd_emu_buffer_to_lds(i))
        amd_emu_fault_status(w, i->vdata - AMD_REG_VGPR0 + data_registers(i));
}

bool
amd_emu_bind_format(emu_inst *i)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].op == i->in.op) {
            i->op = &rows[k];
            i->run = run_format;
            /* loads to LDS move only single components of 32 bits */
            return !amd_emu_buffer_to_lds(i) || (rows[k].count == 1 && !rows[k].flags);
        }
    }
    return false;
}
