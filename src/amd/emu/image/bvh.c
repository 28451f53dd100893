/* Ray tracing: image_bvh_intersect_ray and image_bvh64_intersect_ray test one node for each lane.
 *
 * A node pointer holds the node's type in its low three bits and the node's offset, in units of 64
 * bytes, above them. Types 0 to 3 are the triangles of a node with up to five vertices; type 4 is
 * four boxes with binary16 planes, type 5 with binary32 planes. A box node returns its children's
 * pointers, ~0 for those that the ray misses, sorted by entry if the descriptor asks for that. A
 * triangle gives {t_num, t_denom, I_num, J_num}, or triangle id and hit in the last two.
 *
 * Sources: RDNA 2 and RDNA 4 ISA, "Ray Tracing" (operands, descriptor, results); node formats:
 * AMD's GPURT (HWDefs.hlsl) and Mesa (src/amd/vulkan/bvh/bvh.h); the triangle test: Woop, Benthin,
 * Wald, "Watertight Ray/Triangle Intersection", JCGT 2013, which Mesa's emulation follows too.
 */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/image/image.h"
#include "amd/emu/mem/access.h"
#include "amd/emu/num/float.h"
#include "amd/isa/table/mimg.h"

enum { NODE_BOX16 = 4, NODE_BOX32 = 5 };
enum { TRIANGLE_ID = 15, MISS = -1 };

typedef struct bvh {
    uint64_t base, last; /* in bytes; the number of the last node */
    uint32_t grow;       /* ULPs by which the exit distance is enlarged */
    bool sort, barycentrics;
} bvh;

typedef struct ray {
    uint64_t node;
    float extent, origin[3], dir[3], inverse[3];
} ray;

static bvh
read_descriptor(emu_wave *w, const emu_inst *i)
{
    const uint32_t *s = &w->sgpr[i->rsrc];
    if (w->shadow)
        amd_emu_shadow_use_scalar(w, i->rsrc, 4, "descriptor of rays");
    return (bvh){.base = mach_canonical((s[0] | (uint64_t)(s[1] & 0xff) << 32) << 8),
                 .last = s[2] | (uint64_t)(s[3] & 0x3ff) << 32,
                 .grow = s[1] >> 23 & 0xff,
                 .sort = s[1] >> 31,
                 .barycentrics = s[3] >> 24 & 1};
}

/* The register of address dword `k`. From gfx11 on a list of separate addresses has one for each of
 * node, extent, origin, direction, inverse direction. */
static uint32_t
address_register(const emu_inst *i, uint32_t k)
{
    bool wide = i->row->memory == AMD_A_BVH64;
    uint32_t n = amd_mimg_address_dwords(i->row, &i->in), node = wide ? 2 : 1;
    if (!i->in.nsa)
        return i->vaddr + k - AMD_REG_VGPR0;
    if (i->in.n_nsa >= n)
        return i->in.nsa_addr[k] - AMD_REG_VGPR0;
    if (k < node)
        return i->in.nsa_addr[0] + k - AMD_REG_VGPR0;
    if (k == node)
        return i->in.nsa_addr[1] - AMD_REG_VGPR0;
    k -= node + 1;
    return i->in.nsa_addr[2 + k / 3] + k % 3 - AMD_REG_VGPR0;
}

static ray
read_ray(const emu_wave *w, const emu_inst *i, uint32_t l)
{
    uint32_t words[12], n = amd_mimg_address_dwords(i->row, &i->in), at = 0;
    float v[12];
    ray r;
    for (uint32_t k = 0; k < n && k < 12; k++)
        words[k] = w->vgpr[address_register(i, k)][l];
    r.node = words[at++];
    if (i->row->memory == AMD_A_BVH64)
        r.node |= (uint64_t)words[at++] << 32;
    r.extent = base_bits_f32(words[at++]);
    for (uint32_t k = 0; k < 3; k++)
        r.origin[k] = base_bits_f32(words[at++]);
    for (uint32_t k = 0; k < 6; k++)
        v[k] = i->in.a16 ? amd_emu_from_half(words[at + k / 2] >> (16 * (k % 2)) & 0xffff)
                         : base_bits_f32(words[at + k]);
    memcpy(r.dir, v, sizeof r.dir);
    memcpy(r.inverse, v + 3, sizeof r.inverse);
    return r;
}

/* Enlarges the exit distance by `ulps`. */
static float
grown(float t, uint32_t ulps)
{
    return t > 0 && t < INFINITY ? base_bits_f32(base_f32_bits(t) + ulps) : t;
}

/* The distance at which the ray enters box `b` of a node; infinity if it misses. */
static float
enter_box(const ray *r, const uint32_t *node, bool half, uint32_t b, uint32_t grow)
{
    float low[3], high[3], near = -INFINITY, far = INFINITY;
    for (uint32_t k = 0; k < 6; k++) {
        float plane = half ? amd_emu_from_half(node[4 + b * 3 + k / 2] >> (16 * (k % 2)) & 0xffff)
                           : base_bits_f32(node[4 + b * 6 + k]);
        *(k < 3 ? &low[k] : &high[k - 3]) = plane;
    }
    if (low[0] != low[0]) /* the box is unused */
        return INFINITY;
    for (uint32_t a = 0; a < 3; a++) {
        float t0 = (low[a] - r->origin[a]) * r->inverse[a];
        float t1 = (high[a] - r->origin[a]) * r->inverse[a];
        near = fmaxf(near, fminf(t0, t1));
        far = fminf(far, fmaxf(t0, t1));
    }
    return fmaxf(near, 0) <= grown(far, grow) && near <= r->extent ? near : INFINITY;
}

static void
test_boxes(const bvh *v, const ray *r, const uint32_t *node, bool half, uint32_t out[4])
{
    float enter[4];
    for (uint32_t b = 0; b < 4; b++) {
        enter[b] = node[b] == (uint32_t)MISS ? INFINITY : enter_box(r, node, half, b, v->grow);
        out[b] = enter[b] < INFINITY ? node[b] : (uint32_t)MISS;
    }
    for (uint32_t a = 1; v->sort && a < 4; a++)
        for (uint32_t b = a; b > 0 && enter[b] < enter[b - 1]; b--) {
            float t = enter[b];
            uint32_t p = out[b];
            enter[b] = enter[b - 1], out[b] = out[b - 1];
            enter[b - 1] = t, out[b - 1] = p;
        }
}

/* The x, y and z of each vertex of triangle `type`, relative to the ray's origin and sheared so
 * that the ray runs along the third axis. */
static void
shear(const ray *r, const uint32_t *node, uint32_t type, float p[3][3])
{
    static const uint8_t vertices[4][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {2, 4, 0}};
    uint32_t z = 0;
    for (uint32_t a = 1; a < 3; a++)
        z = fabsf(r->dir[a]) > fabsf(r->dir[z]) ? a : z;
    uint32_t x = (z + 1) % 3, y = (z + 2) % 3;
    if (r->dir[z] < 0) { /* preserves the winding */
        uint32_t t = x;
        x = y;
        y = t;
    }
    float sz = 1 / r->dir[z], sx = r->dir[x] * sz, sy = r->dir[y] * sz;
    for (uint32_t k = 0; k < 3; k++) {
        float d[3];
        for (uint32_t a = 0; a < 3; a++)
            d[a] = base_bits_f32(node[3 * vertices[type][k] + a]) - r->origin[a];
        p[k][0] = d[x] - sx * d[z];
        p[k][1] = d[y] - sy * d[z];
        p[k][2] = sz * d[z];
    }
}

static void
test_triangle(const bvh *v, const ray *r, const uint32_t *node, uint32_t type, uint32_t out[4])
{
    float p[3][3], weight[3];
    uint32_t id = node[TRIANGLE_ID], order = id >> (8 * type);
    shear(r, node, type, p);
    for (uint32_t k = 0; k < 3; k++) {
        const float *a = p[(k + 2) % 3], *b = p[(k + 1) % 3];
        weight[k] = a[0] * b[1] - a[1] * b[0];
    }
    bool negative = weight[0] < 0 || weight[1] < 0 || weight[2] < 0;
    bool positive = weight[0] > 0 || weight[1] > 0 || weight[2] > 0;
    float det = weight[0] + weight[1] + weight[2];
    float t = weight[0] * p[0][2] + weight[1] * p[1][2] + weight[2] * p[2][2];
    bool hit = !(negative && positive) && det != 0 && !((det > 0 ? t : -t) < 0);
    out[0] = base_f32_bits(hit ? t : INFINITY);
    out[1] = base_f32_bits(hit ? det : 1);
    out[2] = v->barycentrics ? (hit ? base_f32_bits(weight[(order & 3) % 3]) : 0) : id;
    out[3] = v->barycentrics ? (hit ? base_f32_bits(weight[(order >> 2 & 3) % 3]) : 0) : hit;
}

static void
one_lane(emu_wave *w, const emu_inst *i, const bvh *v, uint32_t l, uint32_t out[4])
{
    ray r = read_ray(w, i, l);
    uint32_t type = r.node & 7, node[32];
    uint64_t number = r.node >> 3;
    memset(out, 0xff, 4 * sizeof *out);
    if (number > v->last)
        return; /* out of bounds: no hit */
    if (type > NODE_BOX32) {
        amd_emu_find(w, EMU_RULE_NODE_TYPE, (int)l, "node type %u is not the hardware's", type);
        return;
    }
    uint32_t size = type == NODE_BOX32 ? 128 : 64;
    const uint8_t *bytes = amd_emu_bytes(w, mach_canonical(v->base + number * 64), size, (int)l,
                                         false);
    if (!bytes)
        return;
    memcpy(node, bytes, size);
    if (type < NODE_BOX16)
        test_triangle(v, &r, node, type, out);
    else
        test_boxes(v, &r, node, type == NODE_BOX16, out);
}

static void
intersect(emu_wave *w, const emu_inst *i)
{
    uint64_t exec = amd_emu_exec(w);
    uint32_t reg = i->vdata - AMD_REG_VGPR0, out[EMU_LANES][4];
    if (!exec)
        return;
    bvh v = read_descriptor(w, i);
    for (uint32_t k = 0; w->shadow && k < amd_mimg_address_dwords(i->row, &i->in); k++)
        amd_emu_shadow_use(w, address_register(i, k), exec, "ray");
    for (uint64_t left = exec; left; left &= left - 1)
        one_lane(w, i, &v, base_ctz64(left), out[base_ctz64(left)]);
    for (uint32_t k = 0; k < 4; k++) {
        for (uint64_t left = exec; left; left &= left - 1)
            w->vgpr[reg + k][base_ctz64(left)] = out[base_ctz64(left)][k];
        if (w->shadow)
            amd_emu_shadow_set(w, reg + k, EMU_BYTES_ALL, exec, 0);
    }
}

bool
amd_emu_bind_bvh(emu_inst *i)
{
    if (i->in.op != AMD_IMAGE_BVH_INTERSECT_RAY && i->in.op != AMD_IMAGE_BVH64_INTERSECT_RAY)
        return false;
    uint32_t n = amd_mimg_address_dwords(i->row, &i->in);
    if (!i->in.nsa)
        amd_emu_add_range(i, i->vaddr, n, false);
    for (uint32_t k = 0; i->in.nsa && k < n; k++)
        amd_emu_add_range(i, AMD_REG_VGPR0 + address_register(i, k), 1, false);
    i->run = intersect;
    return true;
}
