/* Turns imported functions of a loaded library: its slots in the global offset table. */
#define _GNU_SOURCE 1

#include "radeon.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { SLOT_OF_CALL = R_X86_64_JUMP_SLOT, SLOT_OF_ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { SLOT_OF_CALL = R_AARCH64_JUMP_SLOT, SLOT_OF_ADDRESS = R_AARCH64_GLOB_DAT };
#else
#error "the slots of imported functions are known for x86-64 and AArch64 alone"
#endif

/* What the dynamic section says of a library's imports. */
typedef struct import_table {
    uintptr_t base;
    const Elf64_Sym *symbols;
    const char *names;
    const Elf64_Rela *relocs[2];
    size_t n[2];
} import_table;

static import_table
read_dynamic(const struct link_map *l)
{
    import_table t = {.base = l->l_addr};
    for (const Elf64_Dyn *d = l->l_ld; d->d_tag != DT_NULL; d++) {
        const void *at = (const void *)d->d_un.d_ptr; /* glibc has made it absolute */
        switch (d->d_tag) {
        case DT_SYMTAB: t.symbols = at; break;
        case DT_STRTAB: t.names = at; break;
        case DT_JMPREL: t.relocs[0] = at; break;
        case DT_PLTRELSZ: t.n[0] = d->d_un.d_val / sizeof(Elf64_Rela); break;
        case DT_RELA: t.relocs[1] = at; break;
        case DT_RELASZ: t.n[1] = d->d_un.d_val / sizeof(Elf64_Rela); break;
        default: break;
        }
    }
    return t;
}

/* Writes a slot, which the loader may have made read-only. */
static bool
set_slot(uintptr_t at, void (*function)(void))
{
    uintptr_t page = at & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
    if (mprotect((void *)page, at + sizeof function - page, PROT_READ | PROT_WRITE) != 0)
        return false;
    memcpy((void *)at, &function, sizeof function);
    return true;
}

static bool
turn_one(const import_table *t, const Elf64_Rela *reloc, const radeon_import *imports, uint32_t n)
{
    uint64_t type = ELF64_R_TYPE(reloc->r_info);
    if (type != SLOT_OF_CALL && type != SLOT_OF_ADDRESS)
        return false;
    const char *name = t->names + t->symbols[ELF64_R_SYM(reloc->r_info)].st_name;
    for (uint32_t k = 0; k < n; k++) {
        if (strcmp(name, imports[k].name) == 0)
            return set_slot(t->base + reloc->r_offset, imports[k].function);
    }
    return false;
}

bool
radeon_turn_imports(void *library, const radeon_import *imports, uint32_t n)
{
    struct link_map *l;
    bool any = false;
    if (dlinfo(library, RTLD_DI_LINKMAP, &l) != 0)
        return false;
    import_table t = read_dynamic(l);
    for (unsigned k = 0; t.symbols && t.names && k < 2; k++) {
        for (size_t i = 0; t.relocs[k] && i < t.n[k]; i++)
            any |= turn_one(&t, &t.relocs[k][i], imports, n);
    }
    return any;
}
