/* Checks that operand fields that an instruction does not use may have any value.
 *
 *     test_unused PROCESSOR...
 *
 * For each opcode of a processor's generation, in each of its encodings, an instruction is drawn,
 * and each operand field of its layout in turn is set to all values except zero. Words that
 * amd_decode still accepts have another operand, or one that is ignored everywhere. Of the others,
 * those that the loose decoder accepts must decode to the original instruction, which amd_encode
 * encodes to the original words; and the fields that the ISA guides omit from an instruction
 * (`cases`) must be among them.
 */
#include "opcode_draw.h"

#include "amd/isa/table/layout.h"
#include "amd/isa/table/names.h"
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words that the hardware accepts, and their meaning as text. */
static const struct {
    amd_gen gen;
    uint32_t words[2];
    const char *text;
} cases[] = {
    {AMD_GFX9, {0xd81a0000, 0x05000201}, "ds_write_b32 v1, v2"},
    {AMD_GFX10_3, {0xd8340000, 0x05000201}, "ds_write_b32 v1, v2"},
    {AMD_GFX10_3, {0xd8340000, 0x00070201}, "ds_write_b32 v1, v2"},
    {AMD_GFX10_3, {0xd8d80000, 0x05070801}, "ds_read_b32 v5, v1"},
    {AMD_GFX11, {0xca100301, 0x02020701}, "v_dual_mov_b32 v2, v1 :: v_dual_mov_b32 v3, v1"},
    {AMD_GFX12, {0xd8340000, 0x05000201}, "ds_store_b32 v1, v2"},
    {AMD_GFX10_3, {0xbf8a0005, 0}, "s_barrier"},
    {AMD_GFX8, {0x7e020105, 0}, "v_nop"},
};

static void
out_of_memory(void *user)
{
    (void)user;
    exit(3);
}

static bool
is_operand(unsigned field)
{
    switch (field) {
    case AMD_FIELD_SIMM16:
    case AMD_FIELD_VDST:
    case AMD_FIELD_SRC0:
    case AMD_FIELD_SRC1:
    case AMD_FIELD_SRC2:
    case AMD_FIELD_VADDR:
    case AMD_FIELD_VDATA:
    case AMD_FIELD_DATA1: return true;
    default: return false;
    }
}

typedef struct tester {
    arena a;
    opcode_draw draw;
    const char *name;
    unsigned rows, set, wrong;
} tester;

static void
compare(tester *t, const uint32_t *words, const amd_inst *before, unsigned field)
{
    amd_inst in;
    bool extra;
    if (amd_decode(t->draw.gen, (const uint8_t *)words, OPCODE_WORDS * 4, &in) ||
        !amd_decode_loose(t->draw.gen, (const uint8_t *)words, OPCODE_WORDS * 4, &in, &extra))
        return;
    t->set++;
    if (extra && !memcmp(&in, before, sizeof in))
        return;
    if (t->wrong++ < 20)
        printf("# %s %s: field %u: is another instruction\n", t->name,
               amd_op_name((amd_op)before->op, t->draw.gen), field);
}

static void
try_fields(tester *t, const uint32_t *drawn, const amd_inst *in)
{
    amd_layout_id id = amd_layout_of(t->draw.gen, amd_op_row((amd_op)in->op), (amd_fmt)in->fmt);
    for (unsigned k = 0; k < amd_layouts[id].count; k++) {
        const amd_layout_row *r = &amd_layouts[id].rows[k];
        uint32_t greatest = r->mask >> r->at, words[OPCODE_WORDS];
        if (!is_operand(r->field) || (in->ext && r->field == AMD_FIELD_SRC0))
            continue;
        memcpy(words, drawn, sizeof words);
        if (amd_row_read(r, drawn[r->word])) /* used, or ignored everywhere */
            continue;
        for (uint32_t v = 1; v <= greatest; v = v * 2 + (v == 1)) {
            words[r->word] = drawn[r->word] | amd_row_write(r, v << r->at);
            compare(t, words, in, r->field);
        }
    }
}

static void
try_all(tester *t)
{
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++)
        for (amd_fmt fmt = 1; fmt < AMD_FMT_COUNT; fmt++)
            for (amd_ext ext = AMD_EXT_NONE; ext <= AMD_EXT_DPP8; ext++) {
                uint32_t words[OPCODE_WORDS];
                amd_inst in;
                if (!opcode_draw_has(t->draw.gen, op, fmt, ext) ||
                    !opcode_draw_words(&t->draw, op, fmt, ext, words) ||
                    !amd_decode(t->draw.gen, (const uint8_t *)words, sizeof words, &in))
                    continue;
                t->rows++;
                try_fields(t, words, &in);
            }
}

static bool
right_case(arena *a, size_t k)
{
    amd_inst in;
    bool extra;
    base_buf text = buf_make(a);
    if (amd_decode(cases[k].gen, (const uint8_t *)cases[k].words, 8, &in) ||
        !amd_decode_loose(cases[k].gen, (const uint8_t *)cases[k].words, 8, &in, &extra) || !extra)
        return false;
    amd_print(cases[k].gen, &in, false, &text);
    bool ok = !strcmp(buf_text(&text), cases[k].text);
    if (!ok)
        printf("# %s\n", buf_text(&text));
    return ok;
}

int
main(int argc, char **argv)
{
    static tester t;
    unsigned n = 0, failed = 0;
    arena_init(&t.a, &base_malloc_allocator, out_of_memory, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bool ok = right_case(&t.a, k);
        failed += !ok;
        printf("%sok %u - 0x%08x 0x%08x is %s\n", ok ? "" : "not ", ++n, cases[k].words[0],
               cases[k].words[1], cases[k].text);
    }
    for (int k = 1; k < argc; k++) {
        if (!amd_gen_find(argv[k], &t.draw.gen))
            continue;
        t.name = argv[k];
        t.draw.random = 1;
        t.rows = t.set = t.wrong = 0;
        try_all(&t);
        failed += t.wrong != 0;
        printf("%sok %u - %s: %u encodings, %u words with unused fields, %u wrong\n",
               t.wrong ? "not " : "", ++n, t.name, t.rows, t.set, t.wrong);
    }
    printf("1..%u\n", n);
    arena_free(&t.a);
    return failed != 0;
}
