/* lower_abi: replaces Vulkan's built-ins and descriptors in HIR by the ABI's arguments.
 *
 * Decides which arguments the shader gets (p->args, docs/abi.md), then replaces system values, push
 * constants and descriptor handles: a handle becomes the 32-bit address of its descriptor, and its
 * uses get the descriptor's words, loaded by load_smem_amd (buffers and texel buffers 32x4, images
 * 32x8, samplers 32x4). Operations with divergent handles are put into a loop over the different
 * handles.
 */
#ifndef AMD_LOWER_ABI_H
#define AMD_LOWER_ABI_H

#include "amd/abi/layout.h"
#include "amd/amd.h"

/* Needs divergence. The function is at amd_hir_level from then on. Fails with TARGET_NO_BINDING. */
void
amd_lower_abi(ir_fn *f, amd_program *p, const family_layout *layout);

#endif
