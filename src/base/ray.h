/* Rays and bounding volume hierarchies, as the instruction ray_intersection of Adreno's a740 and
 * later sees them, and acceleration structures of two levels, as turnip lays them out. The HIR
 * interpreter and Adreno's emulator compute by these functions; what lowers ray queries, and what
 * builds hierarchies, has the layout from here.
 *
 * A hierarchy is an array of nodes of 64 bytes, of which node 0 is the root; the number of the
 * parent of node n is the word 4 n + 4 bytes before the array (BASE_RAY_NO_NODE: none).
 *
 *     inner node: word 0       number of its first child; the others follow it
 *                 byte 4       x, y, z of the boxes' base, the upper halves of floats
 *                 byte 10      of 8 children: lower x, y, z, upper x, y, z in steps from the base
 *                 byte 58      exponents of the steps of x, y, z: a step is 2^(exponent - 134)
 *                 byte 61      number of children, 1 to 8
 *                 byte 62      BASE_NODE_* >> 16
 *     leaf:       word 0       number of the primitive or of the instance
 *                 word 1       triangle: three points; box, instance: lower and upper point
 *                 word 7       instance: BASE_INSTANCE_*, and its mask from bit 8 on
 *                 word 10      number of the geometry
 *                 word 15      BASE_NODE_*
 *
 * An acceleration structure is a record of 128 bytes, and one for each instance (top level):
 *
 *     first record: word 6     address of the hierarchy (64 bits)
 *                   word 8     BASE_INSTANCE_* of its leaves
 *                   word 20    its own address (64 bits)
 *     instance:     word 0     address of its hierarchy (64 bits)
 *                   word 2     custom index (24 bits)
 *                   word 3     offset in the shader binding table (24 bits); BASE_GEOMETRY_*
 *                   word 4     three rows of four floats: world to object
 *                   word 20    the same, object to world
 *
 * Source: turnip's tu_bvh.h, encode.comp and tu_nir_lower_ray_query.cc, which refer to freedreno's
 * notes on a7xx, and its code for a750. Nodes of several compressed leaves are not known here.
 */
#ifndef BASE_RAY_H
#define BASE_RAY_H

#include <stdint.h>

enum {
    BASE_NODE_BYTES = 64,
    BASE_ACCEL_RECORD = 128, /* bytes */
    /* of nodes */
    BASE_NODE_INSTANCES = 1 << 24, /* of the top level */
    BASE_NODE_LEAF = 1 << 25,
    BASE_NODE_NOT_OPAQUE = 1 << 26,
    BASE_NODE_BOX = 1 << 27,
    /* of instances: what all leaves of its hierarchy are, with its own flags that force it */
    BASE_INSTANCE_ALL_OPAQUE = 1 << 2,
    BASE_INSTANCE_ALL_NOT_OPAQUE = 1 << 3,
    BASE_INSTANCE_ALL_BOXES = 1 << 6,
    /* of results */
    BASE_HIT_LEFT = 0xf,      /* leaves of the node that are still to be visited; here always 0 */
    BASE_HIT_COUNT_SHIFT = 4, /* 4 bits: the number of children, or leaves, that the ray meets */
    BASE_HIT_INSTANCES = 1 << 8,
    BASE_HIT_LEAF = 1 << 9,
    BASE_HIT_NOT_OPAQUE = 1 << 10,
    BASE_HIT_BOX = 1 << 11,
    BASE_HIT_BACK_FACE = 1 << 12,
    /* of the flags that go with a ray: bits 0 to 3 as BASE_HIT_LEFT, all set at first */
    BASE_RAY_FLAGS_SHIFT = 4,     /* 12 bits: SPIR-V's Ray Flags */
    BASE_RAY_MASK_SHIFT = 16,     /* 8 bits: the cull mask */
    BASE_RAY_INSTANCE_SHIFT = 24, /* 8 bits: VkGeometryInstanceFlags of the instance it is in */
    /* SPIR-V's Ray Flags */
    BASE_RAY_OPAQUE = 1 << 0,
    BASE_RAY_NOT_OPAQUE = 1 << 1,
    BASE_RAY_TERMINATE = 1 << 2, /* on the first hit */
    BASE_RAY_SKIP_SHADER = 1 << 3,
    BASE_RAY_CULL_BACK = 1 << 4,
    BASE_RAY_CULL_FRONT = 1 << 5,
    BASE_RAY_CULL_OPAQUE = 1 << 6,
    BASE_RAY_CULL_NOT_OPAQUE = 1 << 7,
    BASE_RAY_SKIP_TRIANGLES = 1 << 8,
    BASE_RAY_SKIP_BOXES = 1 << 9,
    /* VkGeometryInstanceFlags */
    BASE_GEOMETRY_NO_FACE_CULLING = 1 << 0,
    BASE_GEOMETRY_FLIP_FACING = 1 << 1,
    BASE_GEOMETRY_FORCE_OPAQUE = 1 << 2,
    BASE_GEOMETRY_FORCE_NOT_OPAQUE = 1 << 3,
};

#define BASE_RAY_NO_NODE UINT32_C(0xffffffff)

/* A ray in the space of the hierarchy: points origin + t direction, tmin <= t <= tmax. */
typedef struct base_ray {
    float origin[3], tmin, direction[3], tmax;
} base_ray;

/* The words of a node from its bytes in memory. */
void
base_read_node(const uint8_t bytes[BASE_NODE_BYTES], uint32_t node[BASE_NODE_BYTES / 4]);

/* Meets the ray with the node whose words are `node`. out[0]: BASE_HIT_*. out[1]: the node's word
 * 0. Of a triangle that is met, out[2] is t, out[3] and out[4] are the weights of its second and
 * third point. Of an inner node out[3] lists the children that are met: numbers of 3 bits from bit
 * 8 up, the nearest in the highest place; bits 0 to 4 say how far to shift for that one. Children
 * that the ray enters at the same t are in the order of their numbers. Other words are 0.
 *
 * A leaf is not met if the flags rule it out: an instance by its mask, and by what all its leaves
 * are; others as triangle or box, by opacity or facing (Vulkan, "Ray Intersection Culling"). Of
 * these BASE_HIT_NOT_OPAQUE is what the flags make of their opacity.
 *
 * Boxes are met at tmin and at tmax, too, triangles between them (Vulkan, "Ray Intersection
 * Candidate Determination"). A box around a triangle that is met is met itself, also with the
 * triangle's t as tmax. Leaves with a NaN, and boxes whose lower point is above the upper one, are
 * not met. */
void
base_ray_intersect(const uint32_t node[BASE_NODE_BYTES / 4], const base_ray *ray, uint32_t flags,
                   uint32_t out[5]);

#endif
