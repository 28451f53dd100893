/* Compares the emulator's vector and scalar ALU with references: see alu_ref.h, alu_frame.h.
 *
 *     test_alu_reference [--inputs=N] [--share=N] [--part=K/N] [--each-mode] [--seed=N]
 *                        [--target=NAME] [--only=MNEMONIC]
 *
 * For each opcode of each generation: all combinations of corner values in every rounding and
 * denormal mode, then N random inputs spread over these 16 modes (--each-mode: N in each).
 * Modifiers, encodings, wave sizes, IEEE and DX10_CLAMP are drawn too. An opcode with neither a
 * reference nor a reason (ref_excuse) fails.
 *
 * With --share=S all N inputs are run once for each opcode and *family* of generations, and N / S
 * on the family's other targets. Within a family neither the emulator's arithmetic nor the
 * references depend on the generation; only the encodings of an opcode may differ.
 */
#include "alu_frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct target {
    amd_gen gen;
    const char *name;
    bool wave32;
    char family;
} targets[] = {
    {AMD_GFX6, "gfx600", false, 'a'},   {AMD_GFX7, "gfx700", false, 'a'},
    {AMD_GFX8, "gfx803", false, 'a'},   {AMD_GFX9, "gfx900", false, 'b'},
    {AMD_GFX908, "gfx908", false, 'b'}, {AMD_GFX90A, "gfx90a", false, 'b'},
    {AMD_GFX942, "gfx942", false, 'c'}, {AMD_GFX950, "gfx950", false, 'c'},
    {AMD_GFX10, "gfx1010", true, 'd'},  {AMD_GFX10_3, "gfx1030", true, 'd'},
    {AMD_GFX11, "gfx1100", true, 'e'},  {AMD_GFX11_5, "gfx1150", true, 'e'},
    {AMD_GFX12, "gfx1200", true, 'f'},
};
enum { TARGETS = sizeof targets / sizeof *targets };

typedef struct options {
    uint64_t inputs, share, seed;
    unsigned part, parts;
    bool each_mode;
    const char *target, *only;
} options;

typedef struct totals {
    unsigned passed, failed, excused, whole;
    uint64_t inputs;
} totals;

/* An encoding that a row has in addition to its own. */
typedef struct form {
    amd_fmt fmt;
    amd_ext ext;
} form;

enum { MAX_FORMS = 8, MODES = 16 };

static unsigned
forms_of(const amd_op_info *row, amd_gen gen, form *out)
{
    unsigned n = 0;
    bool vop3_only = row->number[gen] >= 0x100 && row->fmt != AMD_VOP3 && row->fmt != AMD_VOP3P;
    if (!vop3_only)
        out[n++] = (form){(amd_fmt)row->fmt, AMD_EXT_NONE};
    if (row->flags & AMD_F_E64 || vop3_only)
        out[n++] = (form){AMD_VOP3, AMD_EXT_NONE};
    if (row->flags & AMD_F_DPP && gen >= AMD_GFX11 &&
        (row->flags & AMD_F_E64 || vop3_only || row->fmt == AMD_VOP3 || row->fmt == AMD_VOP3P)) {
        amd_fmt fmt = row->fmt == AMD_VOP3P ? AMD_VOP3P : AMD_VOP3;
        out[n++] = (form){fmt, AMD_EXT_DPP16};
        out[n++] = (form){fmt, AMD_EXT_DPP8};
    }
    if (vop3_only || row->fmt == AMD_VOP3 || row->fmt == AMD_VOP3P)
        return n;
    if (row->flags & AMD_F_SDWA && gen >= AMD_GFX8 && gen < AMD_GFX11)
        out[n++] = (form){(amd_fmt)row->fmt, AMD_EXT_SDWA};
    if (row->flags & AMD_F_DPP && gen >= AMD_GFX8)
        out[n++] = (form){(amd_fmt)row->fmt, AMD_EXT_DPP16};
    if (row->flags & AMD_F_DPP && gen >= AMD_GFX10)
        out[n++] = (form){(amd_fmt)row->fmt, AMD_EXT_DPP8};
    return n;
}

/* Runs one batch in some form; a form that cannot be encoded on this generation is removed. */
static frame_outcome
one_batch(frame *f, const amd_op_info *row, const ref_row *ref, amd_op op, bool wave32,
          const form *forms, unsigned *n_forms, frame_batch batch)
{
    for (unsigned tries = 0; tries < 40 && *n_forms; tries++) {
        /* plain forms are chosen more often than SDWA and DPP */
        unsigned k = (unsigned)frame_random(f, *n_forms + 2);
        form use = forms[k >= *n_forms ? (k - *n_forms) % *n_forms : k];
        uint32_t lanes = wave32 && frame_random(f, 4) == 0 ? 32 : 64;
        frame_outcome o = frame_vector(f, row, ref, op, use.fmt, use.ext, lanes, batch);
        if (o != FRAME_NOT_ENCODABLE)
            return o;
    }
    return FRAME_NOT_ENCODABLE;
}

static frame_outcome
vector_row(frame *f, uint64_t inputs, const amd_op_info *row, const ref_row *ref, amd_op op,
           bool wave32)
{
    form forms[MAX_FORMS];
    unsigned n_forms = forms_of(row, f->one.d.gen, forms);
    uint64_t crossings = frame_crossings(row);
    /* with few inputs, only gfx1030 and gfx1200 cross corners with all modes */
    bool all_modes = inputs > 50000 || f->one.d.gen == AMD_GFX10_3 || f->one.d.gen == AMD_GFX12;
    uint64_t modes = row->flags & AMD_F_FP && all_modes ? MODES : 1, batches = (inputs + 63) / 64;
    for (uint64_t b = 0; b < crossings * modes + batches; b++) {
        bool cross = b < crossings * modes;
        frame_batch batch = {.mode = (unsigned)(b % MODES),
                             .cross = cross ? b / modes : UINT64_MAX};
        frame_outcome out = one_batch(f, row, ref, op, wave32, forms, &n_forms, batch);
        if (out != FRAME_RAN)
            return out;
    }
    return FRAME_RAN;
}

static frame_outcome
scalar_row(frame *f, uint64_t inputs, const amd_op_info *row, ref_scalar_fn *ref, amd_op op)
{
    frame_outcome out = FRAME_RAN;
    unsigned unencodable = 0;
    while (f->inputs < inputs + 2048 && out != FRAME_REFUSED && unencodable < 100) {
        out = frame_scalar(f, row, ref, op);
        unencodable = out == FRAME_NOT_ENCODABLE ? unencodable + 1 : 0;
    }
    return out == FRAME_NOT_ENCODABLE && unencodable < 100 ? FRAME_RAN : out;
}

static bool
is_scalar(const amd_op_info *row)
{
    return row->fmt == AMD_SOP1 || row->fmt == AMD_SOP2 || row->fmt == AMD_SOPK ||
           row->fmt == AMD_SOPC;
}

static bool
is_vector(const amd_op_info *row)
{
    return row->fmt == AMD_VOP1 || row->fmt == AMD_VOP2 || row->fmt == AMD_VOPC ||
           row->fmt == AMD_VOP3 || row->fmt == AMD_VOP3P;
}

/* The number of inputs for the opcode on targets[at]. */
static uint64_t
inputs_of(const options *o, totals *t, const amd_op_info *row, unsigned at)
{
    bool first = true;
    for (unsigned k = 0; k < at; k++)
        first = first &&
                (targets[k].family != targets[at].family || row->number[targets[k].gen] < 0);
    t->whole += first || o->share == 1;
    uint64_t n = first ? o->inputs : o->inputs / o->share;
    return o->each_mode && row->flags & AMD_F_FP ? n * MODES : n;
}

static void
test_row(frame *f, const options *o, totals *t, const amd_op_info *row, amd_op op, unsigned at)
{
    const ref_row *vector = is_vector(row) ? ref_find(op) : NULL;
    ref_scalar_fn *scalar = vector ? NULL : ref_find_scalar(op);
    f->inputs = f->wrong = 0;
    f->first[0] = 0;
    if (!vector && !scalar) {
        if (ref_excuse(op)) {
            t->excused++;
            return;
        }
        printf("FAIL %s %s: there is no reference\n", f->name, row->name);
        t->failed++;
        return;
    }
    uint64_t inputs = inputs_of(o, t, row, at);
    frame_outcome out = vector ? vector_row(f, inputs, row, vector, op, targets[at].wave32)
                               : scalar_row(f, inputs, row, scalar, op);
    t->inputs += f->inputs;
    if (out == FRAME_RAN && !f->wrong) {
        t->passed++;
        return;
    }
    t->failed++;
    if (out == FRAME_NOT_ENCODABLE)
        printf("FAIL %s %s: no operands could be encoded\n", f->name, row->name);
    else if (out == FRAME_REFUSED)
        printf("FAIL %s %s: %s\n", f->name, row->name, f->first);
    else
        printf("FAIL %s %s: %" PRIu64 " of %" PRIu64 " inputs; %s\n", f->name, row->name, f->wrong,
               f->inputs, f->first);
}

static bool
parse(int argc, char **argv, options *o)
{
    *o = (options){.inputs = 1024, .share = 1, .seed = 1, .parts = 1};
    for (int k = 1; k < argc; k++) {
        const char *a = argv[k];
        if (!strncmp(a, "--inputs=", 9))
            o->inputs = strtoull(a + 9, NULL, 10);
        else if (!strncmp(a, "--share=", 8))
            o->share = strtoull(a + 8, NULL, 10);
        else if (!strcmp(a, "--each-mode"))
            o->each_mode = true;
        else if (!strncmp(a, "--seed=", 7))
            o->seed = strtoull(a + 7, NULL, 10);
        else if (!strncmp(a, "--target=", 9))
            o->target = a + 9;
        else if (!strncmp(a, "--only=", 7))
            o->only = a + 7;
        else if (sscanf(a, "--part=%u/%u", &o->part, &o->parts) != 2)
            return false;
    }
    return o->share && o->parts && o->part < o->parts;
}

static void
test_target(const options *o, totals *t, unsigned at)
{
    frame f;
    frame_begin(&f, targets[at].gen, targets[at].name, o->seed);
    for (unsigned op = 1; op < AMD_OP_HW_COUNT; op++) {
        const amd_op_info *row = amd_op_row((amd_op)op);
        if (row->number[targets[at].gen] < 0 || (!is_vector(row) && !is_scalar(row)) ||
            op % o->parts != o->part || (o->only && strcmp(o->only, row->name)))
            continue;
        test_row(&f, o, t, row, (amd_op)op, at);
    }
    frame_end(&f);
}

int
main(int argc, char **argv)
{
    options o;
    totals t = {0};
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: test_alu_reference [--inputs=N] [--share=N] [--part=K/N] "
                        "[--each-mode] [--seed=N] [--target=NAME] [--only=MNEMONIC]\n");
        return 2;
    }
    ref_soft_begin();
    if (!ref_soft_check(o.inputs / 32)) {
        printf("0 passed, 1 failed, 0 skipped\n");
        return 1;
    }
    for (unsigned k = 0; k < TARGETS; k++)
        if (!o.target || !strcmp(o.target, targets[k].name))
            test_target(&o, &t, k);
    ref_soft_end();
    printf("%" PRIu64 " inputs, %u opcodes excused, %u with all %" PRIu64 " inputs\n", t.inputs,
           t.excused, t.whole, o.inputs);
    printf("%u passed, %u failed, 0 skipped\n", t.passed, t.failed);
    return t.failed != 0;
}
