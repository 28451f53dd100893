/* The words of textures, samplers, texel buffers and typed RATs.
 *
 * They are those that a driver writes into SQ_TEX_RESOURCE, SQ_VTX_CONSTANT, SQ_TEX_SAMPLER and
 * CB_COLOR registers. Only linear images are known (ARRAY_LINEAR_ALIGNED): rows are a multiple of
 * 256 bytes and of 64 texels; a level has all its slices; the levels behind the first have sizes
 * that are powers of two (Mesa, radeon_surface.c). The samples of a multisampled image are slices,
 * which is this model's own convention (machine/image.h): the hardware has such images in tiles. */
#ifndef R600_EMU_DESC_TEXTURE_H
#define R600_EMU_DESC_TEXTURE_H

#include "machine/image.h"
#include "r600/isa/table/table.h"

enum {
    R600_TEXTURE_WORDS = 8, /* R600 and R700: 7 */
    R600_SAMPLER_WORDS = 3,
    R600_RAT_WORDS = 7, /* CB_COLOR0_BASE, PITCH, SLICE, VIEW, INFO, ATTRIB, DIM */
};

/* Fills level[] and the view of an image, and returns the bytes that it needs; 0: there is no such
 * image. */
uint64_t
r600_layout_image(mach_image *m);

/* A texture, as laid out by r600_layout_image, whose first byte is at a multiple of 256. Returns
 * false if words cannot say it. */
bool
r600_encode_texture(r600_gen gen, const mach_image *m, uint64_t address,
                    uint32_t words[R600_TEXTURE_WORDS]);
/* All of the image but its data. Returns false if the words are no texture that is known. */
bool
r600_decode_texture(r600_gen gen, const uint32_t words[R600_TEXTURE_WORDS], mach_image *m,
                    uint64_t *address);

/* A texel buffer: a vertex resource whose elements are texels. Before Evergreen it has no selects
 * and does not say its size: only formats whose components are in order. */
bool
r600_encode_texel_buffer(r600_gen gen, const mach_image *m, uint64_t address,
                         uint32_t words[R600_TEXTURE_WORDS]);

/* A sampler; the border's colour is in registers of its own. Returns false if the hardware does not
 * have it: filters that reduce, and coordinates in texels, which instructions have. */
bool
r600_encode_sampler(r600_gen gen, const mach_sampler *s, uint32_t words[R600_SAMPLER_WORDS]);
void
r600_decode_sampler(r600_gen gen, const uint32_t words[R600_SAMPLER_WORDS],
                    const uint32_t border[4], mach_sampler *s);

/* A RAT of Evergreen and Cayman that shows the first level of an image's view, or a texel
 * buffer. */
bool
r600_encode_rat(const mach_image *m, uint64_t address, uint32_t words[R600_RAT_WORDS]);
bool
r600_decode_rat(const uint32_t words[R600_RAT_WORDS], mach_image *m, uint64_t *address);

#endif
