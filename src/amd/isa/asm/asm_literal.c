/* Literals of instructions whose values are not known yet. */
#include "amd/isa/asm/asm.h"

/* The value of a literal that is not known yet: not an inline constant, and unlikely in a text. */
#define PLACEHOLDER 0x7ead5a01

bool
amd_asm_literal(asm_ctx *a, bool alone, int64_t *value)
{
    const char *at = a->token.text;
    amd_asm *m = amd_asm_of(a);
    asm_expr e;
    if (!asm_parse_late(a, alone, &e))
        return false;
    *value = e.value;
    if (e.is_known)
        return true;
    m->has_literal = true;
    m->literal = e;
    m->literal_at = at;
    *value = PLACEHOLDER;
    return true;
}

bool
amd_asm_note_literal(asm_ctx *a, size_t start)
{
    const amd_asm *m = amd_asm_of(a);
    const base_buf *b = a->out;
    if (!m->has_literal)
        return true;
    uint32_t last = 0;
    for (unsigned i = 0; i < 4 && b->size - start > 4; i++)
        last |= (uint32_t)b->data[b->size - 4 + i] << (8 * i);
    if (last != PLACEHOLDER) {
        asm_seek(a, m->literal_at);
        return asm_fail(a, ERR_ASM_ADDRESS,
                        "a value that is not known yet must be a literal of 32 bits");
    }
    asm_add_fixup(a, (asm_fixup){.kind = ASM_FIX_LITERAL,
                                 .section = a->section,
                                 .offset = b->size - 4,
                                 .size = 4,
                                 .expr = m->literal,
                                 .at = m->literal_at});
    return true;
}
