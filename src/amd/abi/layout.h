/* The positions of descriptors in a set's memory (docs/abi.md): the pipeline layout that compiler
 * and runtime share. */
#ifndef AMD_LAYOUT_H
#define AMD_LAYOUT_H

#include "amd/isa/isa.h"
#include "family/layout.h"

enum {
    AMD_RUNTIME_ARRAY_COUNT = 1024,   /* the number of elements assumed for a runtime-sized
                                         descriptor array */
    AMD_COMBINED_SAMPLER_OFFSET = 32, /* offset of the S# in a combined image sampler */
    AMD_SAMPLER_DWORDS = 4,
};

/* The high half of descriptor set and push constant addresses if the driver chooses no other. */
#define AMD_ADDRESS_HIGH 0xffff8000u

/* Word 3 of a raw buffer's V#, whose word 1 has a stride of 0. */
uint32_t
amd_raw_buffer_word3(amd_gen gen);

/* Word 3 of the V# of scratch memory before gfx9: it swizzles dwords between 64 lanes, and adds the
 * lane's number. From gfx8 on the data format's bits then belong to the stride (LLVM 19,
 * SIInstrInfo::getScratchRsrcWords23). */
uint32_t
amd_scratch_word3(amd_gen gen);

/* Sorts the bindings and assigns sizes and positions (family_place_bindings). Fails with
 * TARGET_SET_SIZE if a set is larger than 1 GiB. */
void
amd_layout_place(diag *d, family_layout *layout);

#endif
