/* Descriptors of a6xx and a7xx: 64 bytes each, in sets whose addresses are the bindless bases.
 *
 * Images are linear here. A view's words describe its first level and layer; the other levels
 * follow from pitch, alignment and size as in fdl6_layout.c of Mesa. A uniform buffer has two
 * dwords (address, and its size in units of 16 bytes from bit 49), a sampler four. Source:
 * a6xx_descriptors.xml of freedreno's registers. */
#ifndef ADRENO_EMU_DESC_DESCRIPTOR_H
#define ADRENO_EMU_DESC_DESCRIPTOR_H

#include "machine/image.h"

enum { ADRENO_MAX_SAMPLES = 8 /* of a pixel; bits 21:20 of word 0 have the logarithm */ };

enum { ADRENO_TEXTURE_WORDS = 16, ADRENO_SAMPLER_WORDS = 4 };

/* Types of a texture's words. */
enum { ADRENO_TEX_1D, ADRENO_TEX_2D, ADRENO_TEX_CUBE, ADRENO_TEX_3D, ADRENO_TEX_BUFFER };

/* With `record` an element is a record of so many texels (STRUCTSIZETEXELS), which isam finds by
 * the record's number and the texel's place in it; 0 and 1: elements are texels. */
typedef struct adreno_buffer_view {
    uint64_t address;
    uint64_t elements;
    mach_format format; /* of a texel */
    uint32_t record;
} adreno_buffer_view;

static inline uint64_t
adreno_view_texels(const adreno_buffer_view *v)
{
    return v->elements * (v->record ? v->record : 1);
}

/* Decode. The image's `data` stays NULL; `*address` gets its first byte's. Return false if the
 * words describe something else, or in a way that is not known. */
bool
adreno_decode_buffer(const uint32_t words[ADRENO_TEXTURE_WORDS], adreno_buffer_view *out);
bool
adreno_decode_image(unsigned gen, const uint32_t words[ADRENO_TEXTURE_WORDS], mach_image *out,
                    uint64_t *address);
void
adreno_decode_sampler(const uint32_t words[ADRENO_SAMPLER_WORDS], bool is_int, mach_sampler *out);

/* Where the entry of a sampler's border colour begins in the table of these, in bytes. An entry has
 * the colour as four 32-bit numbers, then as narrower ones. Returns false if the words have the
 * colour themselves, as adreno_decode_sampler gives it (FASTBORDERCOLOREN). */
bool
adreno_find_border(const uint32_t words[ADRENO_SAMPLER_WORDS], uint32_t *offset);

/* The words of a buffer whose texels are of `format`, and of a view of an image whose bytes are
 * at `address`. Return false if there are none. */
bool
adreno_encode_buffer(const adreno_buffer_view *v, uint32_t words[ADRENO_TEXTURE_WORDS]);
bool
adreno_encode_image(const mach_image *image, uint64_t address,
                    uint32_t words[ADRENO_TEXTURE_WORDS]);
void
adreno_encode_sampler(const mach_sampler *s, uint32_t words[ADRENO_SAMPLER_WORDS]);
void
adreno_encode_uniform_buffer(uint64_t address, uint64_t size, uint32_t words[2]);

/* Fills level[] and the view of an image as the target lays out linear ones; returns its bytes, or
 * 0 if there is no such image. */
uint64_t
adreno_layout_image(unsigned gen, mach_image *image);

/* Do the faces of a level follow each other, without a pitch of layers (a3xx)? */
static inline bool
adreno_has_faces_in_a_row(unsigned gen, const mach_image *m)
{
    return gen < 4 && m->dim == MACH_DIM_CUBE;
}

/* ---- formats ---- */

/* Numbers of formats that are not those of a5xx on. */
typedef enum adreno_format_set {
    ADRENO_FORMATS_3,
    ADRENO_FORMATS_4,
    ADRENO_STORED_FORMATS_4,
} adreno_format_set;

/* A set's number for one of a5xx on, and the other way round; the format of such a number without
 * swap, and its number. Return false if there is none. */
bool
adreno_format_number(adreno_format_set set, uint32_t number, uint32_t *out);
bool
adreno_format_from(adreno_format_set set, uint32_t number, uint32_t *out);
mach_format
adreno_format_of_number(uint32_t number);
bool
adreno_number_of_format(mach_format f, uint32_t *out);

#endif
