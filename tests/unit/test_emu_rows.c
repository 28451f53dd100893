/* Every opcode that a generation has is bound to a handler, or stands in the list of those that are
 * not built, with the reason. A row that is in the list though it is bound fails too. */
#include "emu_env.h"

typedef struct missing {
    uint16_t op;
    const char *why;
} missing;

static const missing not_built[] = {
    {AMD_IMAGE_GATHER4H, "which four texels it takes is not documented"},
};

static const char *
why_missing(uint32_t op)
{
    for (size_t k = 0; k < sizeof not_built / sizeof *not_built; k++)
        if (not_built[k].op == op)
            return not_built[k].why;
    return NULL;
}

/* An instruction as the decoder makes it, as far as binding looks at it. */
static bool
is_bound(uint32_t op, uint8_t fmt)
{
    emu_inst i = {.row = amd_op_row((amd_op)op)};
    unsigned d = 0, s = 0;
    i.in.op = (uint16_t)op;
    i.in.fmt = fmt;
    i.in.dmask = 1;
    i.in.gds = strncmp(i.row->name, "ds_gws", 6) == 0 || op == AMD_DS_ORDERED_COUNT;
    i.vaddr = i.vdata = i.data0 = i.data1 = i.result = AMD_REG_VGPR0;
    i.samp = AMD_REG_ABSENT;
    for (const amd_operand *o = i.row->operands; o < i.row->operands + AMD_MAX_OPERANDS && o->role;
         o++) {
        uint16_t code = o->kind == AMD_K_SAMP || o->kind == AMD_K_RSRC ? 8 : AMD_REG_VGPR0;
        if (o->role == AMD_ROLE_SRC)
            i.in.src[s++] = code;
        else if (o->role != AMD_ROLE_IMM)
            i.in.dst[d++] = code;
        if (o->kind == AMD_K_SAMP)
            i.samp = code;
    }
    return emu_bind(&i) && i.run;
}

/* `gen` must be complete. */
static void
check(amd_gen gen)
{
    char list[2048] = "";
    unsigned rows = 0;
    for (unsigned op = 1; op < AMD_OP_HW_COUNT; op++) {
        const amd_op_info *row = amd_op_row((amd_op)op);
        if (amd_op_number((amd_op)op, (amd_fmt)row->fmt, gen) < 0)
            continue;
        bool bound = is_bound(op, row->fmt);
        const char *why = why_missing(op);
        rows++;
        if (bound == (why != NULL) && strlen(list) < sizeof list - 64) {
            strcat(list, " ");
            strcat(list, row->name);
        }
    }
    if (list[0])
        fail_msg("generation %d: bound though listed as missing, or missing:%s", gen, list);
    assert_true(rows > 800);
}

static void
test_gfx10(void **state)
{
    (void)state;
    check(AMD_GFX10);
}

static void
test_gfx10_3(void **state)
{
    (void)state;
    check(AMD_GFX10_3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gfx10),
        cmocka_unit_test(test_gfx10_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
