/* Sizes of an image instruction's operands, which follow from its row and its modifiers. */
#ifndef AMD_MIMG_H
#define AMD_MIMG_H

#include "amd/isa/table.h"

/* Number of address registers: the row's parts, the dimension, a16 (RDNA 2 ISA, "Vector Memory
 * Image", "Image Addressing").
 */
unsigned
amd_mimg_address_dwords(const amd_op_info *row, const amd_inst *in);

/* The same, as the size of a tuple of consecutive registers: above 12 it is 16. */
unsigned
amd_mimg_address_tuple(const amd_op_info *row, const amd_inst *in);

/* Fields that hold addresses, and how many registers each stands for; returns their number. Before
 * gfx11 each is one register; then the last of five (gfx12's VSAMPLE: four) is the tuple of all
 * that are left, and rays have fields for their parts. */
enum { AMD_MAX_ADDRESS_FIELDS = 13 };
unsigned
amd_mimg_address_fields(amd_gen gen, const amd_op_info *row, const amd_inst *in,
                        uint8_t dwords[AMD_MAX_ADDRESS_FIELDS]);

/* Registers of the address where the dimension takes the most of them; without a16. */
unsigned
amd_mimg_address_most(const amd_op_info *row);

/* The most words of addresses behind the first two that an instruction of this row can have. */
unsigned
amd_mimg_nsa_words_max(amd_gen gen, const amd_op_info *row);

/* Number of data registers: dmask (gather4: four), d16, tfe. */
unsigned
amd_mimg_data_dwords(const amd_op_info *row, const amd_inst *in);

/* Before gfx10 the resource decides the dimension: the least number of address registers that an
 * instruction of this row takes for any, and whether the text may give it `dwords` of them. */
unsigned
amd_mimg_address_least(const amd_op_info *row);
bool
amd_mimg_address_fits(const amd_op_info *row, unsigned dwords);

#endif
