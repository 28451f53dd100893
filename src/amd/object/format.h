/* Numbers of AMD's code objects: the file's head, relocations, the AMDHSA kernel descriptor, the
 * registers of PAL's notes.
 *
 * Source: LLVM 19, docs/AMDGPUUsage.rst, "ELF Code Object" and "Kernel Descriptor".
 */
#ifndef AMD_OBJECT_FORMAT_H
#define AMD_OBJECT_FORMAT_H

#include "amd/object/object.h"

enum {
    AMD_OBJ_EM_AMDGPU = 224,
    AMD_OBJ_OSABI_HSA = 64,
    AMD_OBJ_OSABI_PAL = 65,
    AMD_OBJ_ABI_VERSION_HSA_V5 = 3,
    /* the oldest version that the reader accepts; its feature bits differ */
    AMD_OBJ_ABI_VERSION_HSA_V3 = 1,
    AMD_OBJ_ABI_VERSION_PAL = 0,
};

/* e_flags. Feature fields are two bits: 0 unsupported, 1 any, 2 off, 3 on (HSA from v4); PAL and
 * HSA v3 have one bit each. */
enum {
    AMD_OBJ_EF_MACH = 0xff,
    AMD_OBJ_EF_XNACK = 0x300,
    AMD_OBJ_EF_XNACK_ANY = 0x100,
    AMD_OBJ_EF_SRAMECC = 0xc00,
    AMD_OBJ_EF_SRAMECC_ANY = 0x400,
    AMD_OBJ_EF_XNACK_V3 = 0x100,
    AMD_OBJ_EF_SRAMECC_V3 = 0x200,
};

/* Relocations that a loader applies ("Relocation Records"). */
enum { AMD_OBJ_R_ABS64 = 3, AMD_OBJ_R_ABS32 = 6, AMD_OBJ_R_RELATIVE64 = 13 };

/* Relocations of relocatable files: name, number, what is stored, bytes, the high half. */
#define AMD_OBJ_RELOCS(X)                                                                          \
    X(R_AMDGPU_ABS32_LO, 1, ABSOLUTE, 4, false)                                                    \
    X(R_AMDGPU_ABS32_HI, 2, ABSOLUTE, 4, true)                                                     \
    X(R_AMDGPU_ABS64, 3, ABSOLUTE, 8, false)                                                       \
    X(R_AMDGPU_REL32, 4, RELATIVE, 4, false)                                                       \
    X(R_AMDGPU_REL64, 5, RELATIVE, 8, false)                                                       \
    X(R_AMDGPU_ABS32, 6, ABSOLUTE, 4, false)                                                       \
    X(R_AMDGPU_GOTPCREL, 7, GOT, 4, false)                                                         \
    X(R_AMDGPU_GOTPCREL32_LO, 8, GOT, 4, false)                                                    \
    X(R_AMDGPU_GOTPCREL32_HI, 9, GOT, 4, true)                                                     \
    X(R_AMDGPU_REL32_LO, 10, RELATIVE, 4, false)                                                   \
    X(R_AMDGPU_REL32_HI, 11, RELATIVE, 4, true)                                                    \
    X(R_AMDGPU_REL16, 14, BRANCH, 2, false)

enum { AMD_OBJ_NT_METADATA = 32 };

/* The kernel descriptor: byte offsets of its fields. */
enum {
    AMD_OBJ_KD_GROUP_SEGMENT_SIZE = 0,
    AMD_OBJ_KD_PRIVATE_SEGMENT_SIZE = 4,
    AMD_OBJ_KD_KERNARG_SIZE = 8,
    AMD_OBJ_KD_ENTRY_OFFSET = 16,
    AMD_OBJ_KD_RSRC3 = 44,
    AMD_OBJ_KD_RSRC1 = 48,
    AMD_OBJ_KD_RSRC2 = 52,
    AMD_OBJ_KD_PROPERTIES = 56, /* 16 bits */
    AMD_OBJ_KD_SIZE = 64,
};

/* KERNEL_CODE_PROPERTIES: bits 0 to 6 enable user SGPRs, in the order of
 * AMD_OBJ_USER_PRIVATE_SEGMENT_BUFFER and the kinds after it. */
enum {
    AMD_OBJ_PROPERTY_WAVE32 = 1 << 10,
    AMD_OBJ_PROPERTY_DYNAMIC_STACK = 1 << 11,
};

/* Dword addresses of the registers in PAL's notes (GFX6 and up; checked with llvm-mc-19). */
enum {
    AMD_OBJ_PAL_COMPUTE_DISPATCH_INITIATOR = 0x2e00, /* bit 15 CS_W32_EN */
    AMD_OBJ_PAL_COMPUTE_NUM_THREAD_X = 0x2e07,       /* Y and Z follow */
    AMD_OBJ_PAL_COMPUTE_PGM_RSRC1 = 0x2e12,
    AMD_OBJ_PAL_COMPUTE_PGM_RSRC2 = 0x2e13,
    AMD_OBJ_PAL_COMPUTE_PGM_RSRC3 = 0x2e28,
    AMD_OBJ_PAL_CS_W32_EN = 0x8000,
};

/* The number of SGPRs for a user SGPR kind of the hsa ABI. */
uint32_t
amd_obj_hsa_user_sgprs(amd_obj_user_kind kind);

#endif
