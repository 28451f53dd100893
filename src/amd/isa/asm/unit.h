/* The assembler's result for a file for AMDGPU: the unit, and the data of AMD's directives.
 *
 * Steps: amd_assemble_unit reads the text; the caller assigns addresses to the sections;
 * asm_resolve fills in everything that depends on them.
 */
#ifndef AMD_UNIT_H
#define AMD_UNIT_H

#include "amd/isa/isa.h"
#include "asm/block.h"
#include "asm/line_check.h"

typedef enum amd_unit_feature { AMD_UNIT_ANY, AMD_UNIT_OFF, AMD_UNIT_ON } amd_unit_feature;

typedef struct amd_unit_options {
    asm_options text; /* `machine` and `user` are set by the call */
    amd_gen gen;
    bool wave64;
    const char *target;              /* "gfx1030"; NULL: directives that depend on it are ignored */
    bool has_xnack;                  /* the target's XNACK can be on */
    amd_unit_feature xnack, sramecc; /* that the caller sets */
} amd_unit_options;

typedef struct amd_unit {
    asm_unit *text;
    amd_unit_options options;
    const char **kernels; /* names given to .amdhsa_kernel; each descriptor is the symbol NAME.kd */
    uint32_t n_kernels;
    size_t cap_kernels;
    asm_block metadata;              /* the text between .amdgpu_metadata and its end */
    uint32_t code_object_version;    /* 0 if the text does not set it */
    amd_unit_feature xnack, sramecc; /* that the caller or the text sets */
} amd_unit;

/* Assembles a file. The result lives in `a`. Fails with a diagnostic at line and column. */
amd_unit *
amd_assemble_unit(diag *d, arena *a, const amd_unit_options *options, const char *text,
                  size_t size);

/* Checks that an instruction's text assembles to its bytes, for disassemblers whose output is meant
 * to be assembled again. One checker serves any number of lines; it lives in `a`. */
asm_line_check *
amd_line_check_new(arena *a, amd_gen gen, bool wave64);

#endif
