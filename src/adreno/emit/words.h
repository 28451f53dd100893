/* Register words of a program: what the files that make them share. */
#ifndef ADRENO_EMIT_WORDS_H
#define ADRENO_EMIT_WORDS_H

#include "adreno/adreno.h"
#include "adreno/object/object.h"

enum { ADRENO_WORD_NO_REG = 0xfc, ADRENO_WORD_ENABLED = 1 << 8 };

typedef struct adreno_words {
    const adreno_program *p;
    adreno_obj_state *s;
    uint32_t code_size, resources; /* bytes; the bits of SP_xS_CONFIG */
} adreno_words;

/* Sets a register, if the generation has it. */
void
adreno_add_word(adreno_words *w, adreno_obj_register_id id, uint32_t value);

/* Places at which fibres wait, as SP_xS_CTRL_REG0 counts them. */
uint32_t
adreno_stack_word(const adreno_program *p);
/* SP_xS_PVT_MEM_PARAM. */
uint32_t
adreno_private_word(const adreno_program *p);

static inline bool
adreno_is_double_wave(const adreno_program *p)
{
    return p->wave_size > (p->target->wave_sizes & (0 - p->target->wave_sizes));
}

/* Those of vertex and of fragment shaders; none of others. */
void
adreno_add_stage_words(adreno_words *w);

#endif
