/* Assembling to machine code or to a code object, and replacing the code of one. */
#include "amd/code/code.h"

#include "amd/code/link.h"
#include "amd/code/reader.h"
#include "amd/isa/table/layout.h"
#include "amd/isa/table/table.h"
#include "amd/object/object.h"

#include <string.h>

/* Returns the last byte that is known to begin an instruction, behind an instruction at `at` before
 * which it was `last`: where the code goes on, and where it branches to. A jump to a computed place
 * may go anywhere. */
static size_t
last_begun(const amd_inst *in, size_t at, size_t last)
{
    uint32_t flags = amd_op_row((amd_op)in->op)->flags;
    if (flags & AMD_F_BRANCH) {
        if (in->fmt != AMD_SOPP && in->op != AMD_S_CALL_B64)
            return SIZE_MAX;
        int64_t target = (int64_t)at + 4 + 4 * (int64_t)in->imm;
        last = target > 0 && (size_t)target > last ? (size_t)target : last;
    }
    return !(flags & AMD_F_TERM) && at + in->size > last ? at + in->size : last;
}

/* Returns where the code ends, behind which only padding and data follow: at s_code_end, or, where
 * there is none, as before gfx10, where nothing goes on to. */
static uint32_t
find_end(const amd_target *t, const base_buf *code)
{
    amd_inst in;
    size_t at = 0, last = 0;
    for (; at <= last && code->size - at >= 4; at += in.size) {
        if (!amd_decode(t->gen, code->data + at, code->size - at, &in))
            in = (amd_inst){.op = AMD_S_NOP, .fmt = AMD_SOPP, .size = 4};
        if (in.op == AMD_S_CODE_END)
            return (uint32_t)at;
        last = last_begun(&in, at, last);
    }
    return (uint32_t)(at > last ? at : code->size);
}

/* Returns the highest VGPR that the first `size` bytes of code use, plus one. */
static uint32_t
count_vgprs(const amd_target *t, bool wave64, const uint8_t *code, size_t size)
{
    uint32_t n = 0;
    amd_inst in;
    for (size_t at = 0; size - at >= 4; at += in.size) {
        if (!amd_decode(t->gen, code + at, size - at, &in)) {
            in.size = 4;
            continue;
        }
        const amd_op_info *row = amd_op_row((amd_op)in.op);
        for (unsigned i = 0; i < in.n_dst + in.n_src; i++) {
            bool dst = i < in.n_dst;
            uint16_t reg = dst ? in.dst[i] : in.src[i - in.n_dst];
            const amd_operand *o = dst ? amd_op_dst(row, i) : amd_op_src(row, i - in.n_dst);
            unsigned dwords = o ? amd_operand_dwords(t->gen, row, &in, o, wave64) : 1;
            if (reg >= AMD_REG_VGPR0 && reg < AMD_REG_VGPR0 + 256 &&
                reg - AMD_REG_VGPR0 + dwords > n)
                n = reg - AMD_REG_VGPR0 + dwords;
        }
    }
    return n;
}

/* Appends as many s_code_end to the new code as the old code has, for the instruction prefetcher.
 */
static void
pad_like(const obj_code *like, base_buf *code)
{
    for (uint32_t at = like->data_offset; amd_is_code_end(like, at); at += 4)
        buf_put(code, like->code + at, 4);
}

void
amd_replace_code(const ir_ctx *c, const family_target *t, base_buf *bytes, obj_code *code)
{
    const obj_code like = *code;
    const amd_target *target = amd_target_of(t);
    code->data_offset = find_end(target, bytes);
    uint32_t vgprs = count_vgprs(target, code->wave_size == 64, bytes->data, code->data_offset);
    uint32_t has = amd_obj_state_of(code)->vgprs;
    if (vgprs > has)
        diag_fail(c->diag, ERR_API_BAD_ARGUMENT,
                  arena_printf(c->arena, "the code uses %u VGPRs, but the code object has %u",
                               vgprs, has));
    if (code->data_offset == bytes->size)
        pad_like(&like, bytes);
    code->code = bytes->data;
    code->code_size = (uint32_t)bytes->size;
    code->n_lines = 0;
}

/* ---- the text ---- */

const char *
amd_stated_target(arena *a, const char *text, size_t size)
{
    const char *end = text + size, *p = asm_find_word(text, size, ".amdgcn_target");
    for (; p && end - p > 6 && *p != '\n'; p++) {
        size_t n = 3;
        if (memcmp(p, "gfx", 3) != 0)
            continue;
        while (p + n < end && n < 32 && p[n] && strchr("0123456789abcdefginrc-", p[n]))
            n++; /* gfx90a, gfx10-1-generic */
        return arena_printf(a, "%.*s", (int)n, p);
    }
    return NULL;
}

/* Decides between vcc and vcc_lo: as the options say, else as the kernels in the text say. Kernels
 * are wave32 on gfx10 and later by default. */
static bool
is_wave64(const family_assembly *job, const amd_target *t)
{
    const char *p = asm_find_word(job->text, job->size, ".amdhsa_wavefront_size32");
    if (job->wave_size || t->gen < AMD_GFX10)
        return job->wave_size != 32;
    if (p)
        return *p == '0';
    return !asm_find_word(job->text, job->size, ".amdhsa_kernel");
}

void
amd_assemble_text(const ir_ctx *c, const family_assembly *job, base_buf *out)
{
    const amd_target_id *id = job->target->own;
    const amd_target *t = id->target;
    const amd_unit_options options = {.text = *job->options,
                                      .gen = t->gen,
                                      .wave64 = is_wave64(job, t),
                                      .target = t->name,
                                      .has_xnack = amd_obj_has_xnack(id->name),
                                      .xnack = (amd_unit_feature)id->xnack,
                                      .sramecc = (amd_unit_feature)id->sramecc};
    amd_unit *u = amd_assemble_unit(c->diag, c->scratch, &options, job->text, job->size);
    if (job->object) {
        amd_link_unit(c, u, t, out);
        return;
    }
    asm_resolve(u->text);
    *out = u->text->sections[0].data;
}
