/* The assembler of Adreno: instructions in ir3's syntax, and the lines with @ that describe a
 * shader.
 *
 * A mnemonic names rows by its longest prefix that is a row's name; each row is tried by walking
 * over its format's text (trial.h). The failure that is furthest along becomes the diagnostic. */
#ifndef ADRENO_ISA_ASM_ASM_H
#define ADRENO_ISA_ASM_ASM_H

#include "adreno/isa/table/table.h"
#include "asm/block.h"
#include "asm/line_check.h"
#include "base/map.h"

enum { ADRENO_NO_REG = 0xff, ADRENO_MAX_BUFS = 16, ADRENO_MAX_CONSTS = 512 };

/* A buffer of a text: `@buf SIZE (cN.c) WORD, ...`. */
typedef struct adreno_buf {
    uint32_t size;    /* in dwords */
    uint16_t address; /* the constant that gets its address; 0: none, else 1 + its number */
    const uint32_t *words;
    uint32_t n_words;
} adreno_buf;

/* What lines with @ say of a shader. Registers are ADRENO_NO_REG if they are not stated. */
typedef struct adreno_header {
    uint32_t local_size[3]; /* 0: not stated */
    adreno_buf bufs[ADRENO_MAX_BUFS];
    uint32_t n_bufs;
    uint8_t invocation_id, workgroup_id;
    uint16_t num_workgroups; /* 1 + the number of a constant; 0: not stated */
    uint32_t constants[4 * ADRENO_MAX_CONSTS];
    uint32_t n_constants; /* 1 + the highest one that is stated */
    uint32_t n_inputs, n_outputs, n_prefetches;
    uint32_t branch_stack, private_bytes, local_bytes;
    bool early_preamble;
} adreno_header;

typedef struct adreno_asm_unit {
    asm_unit *text;
    adreno_header header;
    asm_block metadata; /* the text between .adreno_metadata and its end */
} adreno_asm_unit;

/* Assembles a text; asm_resolve must follow. Fails with a diagnostic at line and column. */
adreno_asm_unit *
adreno_assemble_unit(diag *d, arena *scratch, const adreno_isa *isa, const asm_options *options,
                     asm_text text);

/* Assembles single lines, to see what they give. */
asm_line_check *
adreno_line_check_new(arena *scratch, const adreno_isa *isa);

/* ---- inside the assembler ---- */

/* The machine's state. */
typedef struct adreno_asm {
    const adreno_isa *isa;
    base_strings names; /* of rows */
    uint16_t *first;    /* by name: the first row */
    uint16_t *next;     /* by row: the next one of the same name; 0: none */
    adreno_header *header;
    asm_block *metadata;
    bool full_sync, full_nop; /* between @fullsyncstart and @fullsyncend, and the same for nop */
} adreno_asm;

adreno_asm *
adreno_asm_of(asm_ctx *a);

/* Reads an instruction, or a line with @. */
void
adreno_asm_statement(asm_ctx *a);
void
adreno_asm_header(asm_ctx *a);

#endif
