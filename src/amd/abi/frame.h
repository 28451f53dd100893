/* The frame of a primitive shader, as it is built (internal to src/amd/abi): what
 * primitive_shader.c and capture_primitives.c have in common. */
#ifndef AMD_ABI_FRAME_H
#define AMD_ABI_FRAME_H

#include "amd/abi/vertex.h"

/* Fields of the SGPRs that primitive shaders begin with: of the group, of the wave. A group has so
 * many vertices at most (GE_CNTL), in several waves. */
enum {
    AMD_GROUP_ORDER_BITS = 12, /* from bit 0 on: the group's number, by which groups take turns */
    AMD_GROUP_VERTICES_AT = 12,
    AMD_GROUP_PRIMITIVES_AT = 22,
    AMD_GROUP_COUNT_BITS = 9,
    AMD_WAVE_NUMBER_AT = 24,
    AMD_WAVE_NUMBER_BITS = 4,
    AMD_GROUP_VERTICES = 256,
};

typedef struct amd_abi_frame {
    amd_abi *a;
    ir_block **blocks; /* in order */
    size_t n_blocks, cap_blocks;
} amd_abi_frame;

void
amd_abi_append_block(amd_abi_frame *f, ir_block *b);

/* An if whose second arm is empty. */
typedef struct amd_abi_guard {
    ir_block *then, *otherwise, *merge;
} amd_abi_guard;

/* Ends the builder's block with an if, and goes on in its arm `then`. */
amd_abi_guard
amd_abi_open_guard(amd_abi_frame *f, ir_ref cond, ir_block *then);

/* Ends the arm, and goes on behind the if. */
void
amd_abi_close_guard(amd_abi_frame *f, const amd_abi_guard *g);

/* The same where the arm is ended already. */
void
amd_abi_close_empty_arm(amd_abi_frame *f, const amd_abi_guard *g);

/* Bits of an argument, from `at` on. */
ir_ref
amd_abi_arg_field(amd_abi *a, int arg, unsigned at, unsigned bits);

/* The number of the lane's vertex, or primitive, in the group. */
ir_ref
amd_abi_number_in_group(amd_abi *a);

/* The vertices of a primitive where the pipeline says it; 0: it does not. */
uint32_t
amd_abi_known_vertices(const amd_abi *a);

/* So many bytes of LDS for the group; where they begin. */
uint32_t
amd_abi_reserve_lds(amd_abi *a, uint32_t bytes);

/* The group's waves have stored to LDS what they say to each other. */
void
amd_abi_wait_for_group(amd_abi *a);

/* The lane's primitive: which vertices of the group it has, as it is exported. */
ir_ref
amd_abi_packed_primitive(amd_abi *a);

/* capture_primitives.c: stores what the group's primitives capture, behind the shader. */
void
amd_abi_capture_primitives(amd_abi_frame *f);

#endif
