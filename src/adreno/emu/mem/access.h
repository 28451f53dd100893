/* Bytes of memory as instructions reach them: global addresses, local and private memory. */
#ifndef ADRENO_EMU_MEM_ACCESS_H
#define ADRENO_EMU_MEM_ACCESS_H

#include "adreno/emu/core/findings.h"

typedef enum adreno_space {
    ADRENO_GLOBAL,
    ADRENO_LOCAL,
    ADRENO_PRIVATE,
} adreno_space;

typedef enum adreno_access_kind {
    ADRENO_LOAD,
    ADRENO_STORE,
    ADRENO_ATOMIC,
} adreno_access_kind;

typedef struct adreno_access {
    adreno_space space;
    adreno_access_kind kind;
    uint64_t address; /* LOCAL, PRIVATE: an offset */
    uint32_t size;    /* bytes */
    unsigned fibre;
    bool same; /* a store that changes nothing */
} adreno_access;

/* Where the bytes are, and the bits and places that say whether they are defined. */
typedef struct adreno_bytes {
    uint8_t *host; /* NULL: there are none; the finding has been reported */
    mach_region *region;
    uint8_t *defined; /* a byte for each, of local memory; NULL: by the region */
    uint64_t at;      /* in the region */
} adreno_bytes;

adreno_bytes
adreno_reach(adreno_wave *w, const adreno_access *a);

/* Tells the one who listens of an access whose bytes have been reached. */
void
adreno_note_access(adreno_wave *w, const adreno_access *a);

bool
adreno_bytes_defined(const adreno_bytes *b, uint32_t size);
void
adreno_define_bytes(const adreno_bytes *b, uint32_t size, bool defined);

/* The bytes of a value of type adreno_data_type. */
static inline uint32_t
adreno_type_bytes(unsigned type)
{
    return type >= ADRENO_U8 ? 1 : adreno_is_half_type(type) ? 2 : 4;
}

/* Loads `n` values of a type to registers from `reg`, or stores them from there. What is outside
 * memory is loaded as 0. */
typedef struct adreno_transfer {
    adreno_access access; /* of the first value */
    unsigned type, n, reg;
} adreno_transfer;

void
adreno_load(adreno_wave *w, const adreno_transfer *t);
void
adreno_store(adreno_wave *w, const adreno_transfer *t);

#endif
