/* Running instructions on the emulator: see alu_frame.h. */
#include "alu_trial.h"
#include "amd/emu/run/code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void
frame_begin(frame *f, amd_gen gen, const char *name, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    f->name = name;
    f->random = seed * 2 + 1;
    one_wave_open(&f->one,
                  &(amd_emu_dispatch){.gen = gen, .wave_size = 64, .checks = MACH_CHECK_MEMORY});
    f->code = mach_memory_alloc(&f->one.memory, MACH_HEAP_LOW, 64, 0, "code");
}

void
frame_end(frame *f)
{
    one_wave_close(&f->one);
}

bool
frame_one_in(frame *f, unsigned n)
{
    return frame_random(f, n) == 0;
}

const ref_format *
trial_format(unsigned type)
{
    return type == AMD_T_F16   ? &ref_f16
           : type == AMD_T_F32 ? &ref_f32
           : type == AMD_T_F64 ? &ref_f64
                               : NULL;
}

bool
trial_is_pair(unsigned type)
{
    return amd_type_class((amd_type)type) >= AMD_CLASS_V2U;
}

uint64_t
frame_read_mask(const frame *f, uint32_t code)
{
    uint64_t low = f->one.w.sgpr[code];
    return f->one.w.lanes > 32 ? low | (uint64_t)f->one.w.sgpr[code + 1] << 32 : low;
}

frame_outcome
frame_fetch(frame *f, amd_inst *in, emu_inst **out)
{
    f->mark = arena_save(&f->one.a);
    base_buf bytes = buf_make(&f->one.a);
    *out = NULL;
    if (!amd_encode(f->one.d.gen, in, &bytes))
        return FRAME_NOT_ENCODABLE;
    memset(f->code->host, 0, 32);
    memcpy(f->code->host, bytes.data, bytes.size);
    one_wave_forget_code(&f->one);
    f->one.m.stop = false;
    f->one.report.n_findings = 0;
    f->one.w.pc = f->code->base;
    emu_inst *i = amd_emu_fetch(&f->one.w, f->one.w.pc);
    if (i && i->in.op == in->op && !f->one.m.stop) {
        f->one.w.at = i;
        f->one.w.pc = i->next;
        *out = i;
        return FRAME_RAN;
    }
    snprintf(f->first, sizeof f->first, "%s",
             f->one.report.n_findings ? f->one.report.findings[0].message
                                      : "another opcode is decoded");
    return FRAME_REFUSED;
}

void
frame_release(frame *f)
{
    arena_release(&f->one.a, f->mark);
}

/* Runs `in`. */
static frame_outcome
execute(frame *f, amd_inst *in)
{
    emu_inst *i;
    frame_outcome outcome = frame_fetch(f, in, &i);
    f->one.w.exec_spread = ~frame_read_mask(f, AMD_REG_EXEC_LO);
    if (outcome == FRAME_RAN)
        i->run(&f->one.w, i);
    frame_release(f);
    return outcome;
}

frame_outcome
frame_vector(frame *f, const amd_op_info *row, const ref_row *ref, amd_op op, amd_fmt fmt,
             amd_ext ext, uint32_t lanes, frame_batch batch)
{
    trial *t = calloc(1, sizeof *t);
    if (!t)
        one_wave_no_memory(NULL);
    t->f = f;
    t->row = row;
    t->ref = ref;
    t->in = (amd_inst){.op = (uint16_t)op, .fmt = (uint8_t)fmt, .ext = (uint8_t)ext};
    t->n_src = amd_op_src_count(row);
    f->one.w.lanes = lanes;
    f->one.w.all_lanes = base_mask64(lanes);
    f->one.d.wave_size = lanes;
    t->e.op = op;
    t->e.in = &t->in;
    trial_choose(t, batch);
    frame_outcome outcome = execute(f, &t->in);
    if (outcome == FRAME_RAN) {
        uint64_t mask_got = t->to_mask ? frame_read_mask(f, t->mask_code) : 0;
        for (unsigned r = 0; r < 4; r++)
            memcpy(t->got[r], f->one.w.vgpr[DEST_V + r], sizeof t->got[r]);
        if (row->flags & AMD_F_EXEC_W && frame_read_mask(f, AMD_REG_EXEC_LO) != mask_got)
            mask_got = ~mask_got; /* before gfx10 v_cmpx writes both */
        for (uint32_t l = 0; l < lanes; l++)
            trial_compare(t, l, mask_got);
        f->inputs += lanes;
    }
    free(t);
    return outcome;
}
