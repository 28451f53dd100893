/* Exchanges of two VGPRs, or halves, by exclusive or:
 *
 *     a ^= b;  b ^= a;  a ^= b
 *
 * Where one of them is undefined, so are the sum and what is made of it, for all that the rules for
 * single instructions know; but b becomes what a was, and a what b was. Compilers exchange
 * registers so where there is no v_swap, also such as hold nothing. The first step is noted: both
 * shadows, and the values that follow. A later step continues it if it finds these values in both
 * registers, whatever stands between.
 */
#include "amd/emu/check/undefined.h"

#include "amd/emu/core/operand.h"

/* Where an operand lies. */
typedef struct place {
    uint32_t reg, shift, mask; /* VGPR; its bits `mask` << `shift` */
} place;

static place
place_of(const emu_inst *i, uint32_t code, bool high)
{
    bool half = i->in.op == AMD_V_XOR_B16;
    return (place){.reg = code - AMD_REG_VGPR0,
                   .shift = half && high ? 16 : 0,
                   .mask = half ? 0xffff : UINT32_MAX};
}

static bool
is_same(place x, place y)
{
    return x.reg == y.reg && x.shift == y.shift && x.mask == y.mask;
}

static uint32_t
value(const emu_wave *w, place p, uint32_t lane)
{
    return w->vgpr[p.reg][lane] >> p.shift & p.mask;
}

/* Is it a step of an exchange? Sets where the result and the other operand lie. */
static bool
is_step(const emu_inst *i, place *to, place *other)
{
    const amd_inst *in = &i->in;
    if ((in->op != AMD_V_XOR_B32 && in->op != AMD_V_XOR_B16) || in->ext ||
        in->src[0] < AMD_REG_VGPR0 || in->src[1] < AMD_REG_VGPR0)
        return false;
    place src[2] = {place_of(i, in->src[0], in->op_sel & 1),
                    place_of(i, in->src[1], in->op_sel & 2)};
    *to = place_of(i, in->dst[0], in->op_sel & 8);
    bool second = is_same(*to, src[1]);
    *other = src[!second];
    return is_same(*to, src[second]) && !is_same(src[0], src[1]);
}

static void
copy_shadow(const emu_wave *w, place p, uint64_t out[4])
{
    for (uint32_t k = 0; k < 4; k++)
        out[k] = k < 2 || p.mask > 0xffff ? w->shadow->v[p.reg][(k + p.shift / 8) & 3] : 0;
}

/* Does the exchange continue with `to` ^= `other`? */
static bool
continues(const emu_wave *w, const emu_exchange *x, place to, place other)
{
    uint32_t is = x->steps & 1; /* the register that this step writes: a, b, a */
    bool same = x->steps && x->exec == amd_emu_exec(w) && x->reg[is] == to.reg &&
                x->shift[is] == to.shift && x->reg[!is] == other.reg &&
                x->shift[!is] == other.shift && x->mask == to.mask;
    for (uint32_t l = 0; same && l < w->lanes; l++)
        same = x->value[is][l] == value(w, to, l) && x->value[!is][l] == value(w, other, l);
    return same;
}

static void
begin(const emu_wave *w, emu_exchange *x, place a, place b)
{
    *x = (emu_exchange){.reg = {a.reg, b.reg},
                        .shift = {a.shift, b.shift},
                        .mask = a.mask,
                        .exec = amd_emu_exec(w)};
    copy_shadow(w, a, x->undefined[0]);
    copy_shadow(w, b, x->undefined[1]);
    for (uint32_t l = 0; l < w->lanes; l++) {
        x->value[0][l] = value(w, a, l);
        x->value[1][l] = value(w, b, l);
    }
}

void
amd_emu_shadow_exchange(emu_wave *w, const emu_inst *i, uint64_t u[4])
{
    emu_exchanges *all = &w->shadow->exchanges;
    emu_exchange *x = all->at;
    place to, other;
    if (!is_step(i, &to, &other))
        return;
    while (x < all->at + EMU_EXCHANGES && !continues(w, x, to, other))
        x++;
    if (x == all->at + EMU_EXCHANGES) {
        x = &all->at[all->next++ % EMU_EXCHANGES];
        begin(w, x, to, other);
    }
    uint32_t is = x->steps++ & 1;
    for (uint32_t l = 0; l < w->lanes; l++)
        x->value[is][l] ^= x->exec >> l & 1 ? x->value[!is][l] : 0;
    if (x->steps > 1) /* it becomes what the other one was */
        memcpy(u, x->undefined[!is], sizeof x->undefined[!is]);
    if (x->steps == 3)
        x->steps = 0;
}
