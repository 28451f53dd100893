/* Sizes of an image instruction's operands, which follow from its row and its modifiers. */
#ifndef AMD_MIMG_H
#define AMD_MIMG_H

#include "amd/isa/table/table.h"

/* Number of address registers: the row's parts, the dimension, a16 (RDNA 2 ISA, "Vector Memory
 * Image", "Image Addressing"). */
unsigned
amd_mimg_address_dwords(const amd_op_info *row, const amd_inst *in);

/* The same, rounded up to the size of a tuple of consecutive registers: above 12 it is 16. */
unsigned
amd_mimg_address_tuple(const amd_op_info *row, const amd_inst *in);

/* The number of fields that hold addresses; each field's number of registers is stored too. Before
 * gfx11 each field is one register. From gfx11 on the last of five fields (gfx12's VSAMPLE: four)
 * is a tuple of all remaining registers, and rays have one field for each part. */
enum { AMD_MAX_ADDRESS_FIELDS = 13 };
unsigned
amd_mimg_address_fields(amd_gen gen, const amd_op_info *row, const amd_inst *in,
                        uint8_t dwords[AMD_MAX_ADDRESS_FIELDS]);

/* The number of address registers for the dimension that needs the most; without a16. */
unsigned
amd_mimg_address_most(const amd_op_info *row);

/* The maximum number of address words, beyond the first two words, of an instruction with this
 * row. */
unsigned
amd_mimg_nsa_words_max(amd_gen gen, const amd_op_info *row);

/* Number of data registers: dmask (gather4: four), d16, tfe. */
unsigned
amd_mimg_data_dwords(const amd_op_info *row, const amd_inst *in);

/* Before gfx10 the resource decides the dimension. amd_mimg_address_least: the minimum number of
 * address registers for any dimension; amd_mimg_address_fits: whether the text may give the
 * instruction `dwords` of them. */
unsigned
amd_mimg_address_least(const amd_op_info *row);
bool
amd_mimg_address_fits(const amd_op_info *row, unsigned dwords);

#endif
