/* ELF64 for AMDGPU: numbers and record sizes shared by the writer and the reader, and the AMDHSA
 * kernel descriptor.
 *
 * Records are written and read byte by byte in little-endian order, so no structs mirror the file.
 * Sources: System V gABI, chapters 4 and 5; LLVM 19, docs/AMDGPUUsage.rst, "ELF Code Object" and
 * "Kernel Descriptor".
 */
#ifndef OBJECT_ELF_H
#define OBJECT_ELF_H

#include "object/object.h"

/* Sizes of the file's records, in bytes. */
enum {
    ELF_HEADER_SIZE = 64,
    ELF_PROGRAM_SIZE = 56,
    ELF_SECTION_SIZE = 64,
    ELF_SYMBOL_SIZE = 24,
    ELF_RELA_SIZE = 24,
    ELF_DYNAMIC_SIZE = 16,
};

enum {
    ELF_EM_AMDGPU = 224,
    ELF_ET_REL = 1,
    ELF_ET_DYN = 3,
    ELF_OSABI_HSA = 64,
    ELF_OSABI_PAL = 65,
    ELF_ABI_VERSION_HSA_V5 = 3,
    /* the oldest version that the reader accepts; its feature bits differ */
    ELF_ABI_VERSION_HSA_V3 = 1,
    ELF_ABI_VERSION_PAL = 0,
};

/* e_flags. Feature fields are two bits: 0 unsupported, 1 any, 2 off, 3 on (HSA from v4); PAL and
 * HSA v3 have one bit each. */
enum {
    ELF_EF_MACH = 0xff,
    ELF_EF_XNACK = 0x300,
    ELF_EF_XNACK_ANY = 0x100,
    ELF_EF_SRAMECC = 0xc00,
    ELF_EF_SRAMECC_ANY = 0x400,
    ELF_EF_XNACK_V3 = 0x100,
    ELF_EF_SRAMECC_V3 = 0x200,
};

enum {
    ELF_PT_LOAD = 1,
    ELF_PT_DYNAMIC = 2,
    ELF_PT_NOTE = 4,
    ELF_PF_X = 1,
    ELF_PF_W = 2,
    ELF_PF_R = 4,
};

enum {
    ELF_SHT_PROGBITS = 1,
    ELF_SHT_SYMTAB = 2,
    ELF_SHT_STRTAB = 3,
    ELF_SHT_RELA = 4,
    ELF_SHT_HASH = 5,
    ELF_SHT_DYNAMIC = 6,
    ELF_SHT_NOTE = 7,
    ELF_SHT_NOBITS = 8,
    ELF_SHT_DYNSYM = 11,
    ELF_SHF_WRITE = 1,
    ELF_SHF_ALLOC = 2,
    ELF_SHF_EXECINSTR = 4,
    ELF_SHF_COMPRESSED = 0x800,
    ELF_SHN_UNDEF = 0,
    ELF_SHN_ABS = 0xfff1,
    ELF_SHN_LORESERVE = 0xff00,
};

enum {
    ELF_STB_LOCAL = 0,
    ELF_STB_GLOBAL = 1,
    ELF_STB_WEAK = 2,
    ELF_STT_OBJECT = 1,
    ELF_STT_FUNC = 2,
    ELF_STT_FILE = 4,
    ELF_STV_PROTECTED = 3,
};

enum {
    ELF_DT_NULL = 0,
    ELF_DT_HASH = 4,
    ELF_DT_STRTAB = 5,
    ELF_DT_SYMTAB = 6,
    ELF_DT_RELA = 7,
    ELF_DT_RELASZ = 8,
    ELF_DT_RELAENT = 9,
    ELF_DT_STRSZ = 10,
    ELF_DT_SYMENT = 11,
};

/* Relocations that a loader applies ("Relocation Records"). */
enum { ELF_R_AMDGPU_ABS64 = 3, ELF_R_AMDGPU_ABS32 = 6, ELF_R_AMDGPU_RELATIVE64 = 13 };

enum { ELF_NT_AMDGPU_METADATA = 32 };

/* The kernel descriptor: byte offsets of its fields. */
enum {
    HSA_KD_GROUP_SEGMENT_SIZE = 0,
    HSA_KD_PRIVATE_SEGMENT_SIZE = 4,
    HSA_KD_KERNARG_SIZE = 8,
    HSA_KD_ENTRY_OFFSET = 16,
    HSA_KD_RSRC3 = 44,
    HSA_KD_RSRC1 = 48,
    HSA_KD_RSRC2 = 52,
    HSA_KD_PROPERTIES = 56, /* 16 bits */
    HSA_KD_SIZE = 64,
};

/* KERNEL_CODE_PROPERTIES: bits 0 to 6 enable user SGPRs, in the order of
 * OBJ_USER_PRIVATE_SEGMENT_BUFFER and the kinds after it. */
enum {
    HSA_PROPERTY_WAVE32 = 1 << 10,
    HSA_PROPERTY_DYNAMIC_STACK = 1 << 11,
};

/* Dword addresses of the registers in PAL's notes (GFX6 and up; checked with llvm-mc-19). */
enum {
    PAL_COMPUTE_DISPATCH_INITIATOR = 0x2e00, /* bit 15 CS_W32_EN */
    PAL_COMPUTE_NUM_THREAD_X = 0x2e07,       /* Y and Z follow */
    PAL_COMPUTE_PGM_RSRC1 = 0x2e12,
    PAL_COMPUTE_PGM_RSRC2 = 0x2e13,
    PAL_COMPUTE_PGM_RSRC3 = 0x2e28,
    PAL_CS_W32_EN = 0x8000,
};

/* A processor: a row of machines.def. */
typedef struct elf_machine {
    const char *name;
    uint8_t mach;
    bool has_xnack, has_sramecc;
} elf_machine;

/* Finds the row by target name or by EF_AMDGPU_MACH bits; NULL if there is none. */
const elf_machine *
elf_machine_by_name(const char *name);
const elf_machine *
elf_machine_by_number(uint32_t mach);

/* The number of SGPRs for a user SGPR kind of the hsa ABI (OBJ_USER_PRIVATE_SEGMENT_BUFFER ...). */
uint32_t
elf_hsa_user_sgprs(obj_user_kind kind);

/* A program header. Physical addresses are the virtual ones. Sizes are in bytes. */
typedef struct elf_program {
    uint32_t type, flags;
    uint64_t offset, address, in_file, in_memory, align;
} elf_program;

/* Appends the header. */
void
elf_put_program(base_buf *b, const elf_program *p);

#endif
