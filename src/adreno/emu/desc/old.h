/* Textures and samplers before a6xx, which instructions name by numbers: what CP_LOAD_STATE loads
 * for a stage (a3xx.xml, a4xx.xml, a5xx.xml of freedreno's registers: TEX_CONST, TEX_SAMP). They
 * have the fields of a6xx's at other places; images are linear. Border colours are in a table. */
#ifndef ADRENO_EMU_DESC_OLD_H
#define ADRENO_EMU_DESC_OLD_H

#include "adreno/emu/desc/descriptor.h"

enum { ADRENO_OLD_LEVELS = 14 };

typedef struct adreno_old_texture {
    uint32_t word[6];
    uint32_t level[ADRENO_OLD_LEVELS]; /* a3xx: addresses of the levels (state block MIPADDR) */
} adreno_old_texture;

typedef struct adreno_old_sampler {
    uint32_t word[2];
    uint32_t border[4]; /* the first four words of the entry in the table of border colours */
} adreno_old_sampler;

/* As those of descriptor.h. `high`: what is above the 32 bits of an address on a3xx and a4xx. */
bool
adreno_decode_old_texture(unsigned gen, const adreno_old_texture *t, uint32_t high, mach_image *out,
                          uint64_t *address);
void
adreno_decode_old_sampler(unsigned gen, const adreno_old_sampler *s, bool is_int,
                          mach_sampler *out);
bool
adreno_encode_old_image(unsigned gen, const mach_image *image, uint64_t address,
                        adreno_old_texture *out);
bool
adreno_encode_old_buffer(unsigned gen, const adreno_buffer_view *v, adreno_old_texture *out);
bool
adreno_encode_old_sampler(unsigned gen, const mach_sampler *s, adreno_old_sampler *out);

#endif
