/* ray_intersection: a node of a hierarchy in memory and the fibre's ray (base/ray.h).
 *
 *     ray_intersection r11.x, [r8.y], r0.z, r8.w, r10.w
 *
 * Five registers from r11.x get the result, r8.y and r8.z have the hierarchy's address, r0.z the
 * number of the node, eight registers from r8.w the ray (origin, tmin, direction, tmax), r10.w the
 * flags. The address may be in two constants. Source: turnip's code, ir3-cat6.xml of Mesa. */
#include "adreno/emu/mem/mem.h"

#include "base/bits.h"
#include "base/ray.h"

enum { RESULTS = 5, RAY_WORDS = 8 };

static uint32_t
read_reg(adreno_wave *w, unsigned fibre, unsigned reg, const char *what)
{
    return adreno_number_or_reg(w, fibre, reg, false, what);
}

static uint32_t
read_const(adreno_wave *w, unsigned number)
{
    if (w->defined && !w->m->const_state[number])
        adreno_find(w, ADRENO_RULE_UNDEFINED_CONST, -1, "c%u.%c", number / 4, "xyzw"[number % 4]);
    return w->consts[number];
}

static uint64_t
read_address(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    const unsigned at = in->f[ADRENO_F_src1];
    if (in->f[ADRENO_F_c1])
        return read_const(w, at) | (uint64_t)read_const(w, at + 1) << 32;
    return read_reg(w, fibre, at, "the address") |
           (uint64_t)read_reg(w, fibre, at + 1, "the address") << 32;
}

static base_ray
read_ray(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    float f[RAY_WORDS];
    for (unsigned k = 0; k < RAY_WORDS; k++)
        f[k] = base_bits_f32(read_reg(w, fibre, in->f[ADRENO_F_src3] + k, "the ray"));
    return (base_ray){{f[0], f[1], f[2]}, f[3], {f[4], f[5], f[6]}, f[7]};
}

static void
intersect(adreno_wave *w, const adreno_inst *in, unsigned fibre)
{
    const uint64_t number = read_reg(w, fibre, in->f[ADRENO_F_src2], "the node's number");
    const base_ray ray = read_ray(w, in, fibre);
    const uint32_t flags = read_reg(w, fibre, in->f[ADRENO_F_src4], "the word of flags");
    const adreno_access a = {.space = ADRENO_GLOBAL,
                             .kind = ADRENO_LOAD,
                             .address = read_address(w, in, fibre) + number * BASE_NODE_BYTES,
                             .size = BASE_NODE_BYTES,
                             .fibre = fibre};
    const adreno_bytes b = adreno_reach(w, &a);
    uint32_t node[BASE_NODE_BYTES / 4], out[RESULTS] = {0};
    if (b.host) {
        adreno_note_access(w, &a);
        base_read_node(b.host, node);
        base_ray_intersect(node, &ray, flags, out);
    }
    for (unsigned k = 0; k < RESULTS; k++) {
        adreno_wave_write(w, fibre, in->f[ADRENO_F_dst] + k, false, out[k]);
        adreno_wave_define(w, fibre, in->f[ADRENO_F_dst] + k, false,
                           adreno_bytes_defined(&b, BASE_NODE_BYTES));
    }
}

void
adreno_execute_ray(adreno_wave *w, const adreno_inst *in)
{
    if (!w->m->d->intersects_rays) {
        adreno_stop(w, MACH_RUN_BAD_CODE, "the chip has no ray_intersection");
        return;
    }
    ADRENO_FOREACH_FIBRE(f, w)
        intersect(w, in, f);
}
