/* The language's own directives by kind; each list is terminated by a NULL name. */
#ifndef ASM_DIRECTIVES_H
#define ASM_DIRECTIVES_H

#include "asm/machine.h"

extern const asm_directive asm_data_directives[], asm_section_directives[], asm_symbol_directives[],
    asm_cond_directives[], asm_macro_directives[], asm_repeat_directives[],
    asm_include_directives[];

#endif
