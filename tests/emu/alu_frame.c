/* Running instructions on the emulator: see alu_frame.h. */
#include "alu_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void
out_of_memory(void *user)
{
    (void)user;
    fprintf(stderr, "out of memory\n");
    exit(3);
}

void
frame_begin(frame *f, amd_gen gen, const char *name, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    f->name = name;
    f->random = seed * 2 + 1;
    arena_init(&f->a, &base_malloc_allocator, out_of_memory, NULL);
    mach_memory_init(&f->memory, &f->a);
    f->d = (amd_emu_dispatch){.gen = gen, .wave_size = 64, .checks = AMD_EMU_CHECK_MEMORY};
    f->m = (emu_machine){.d = &f->d, .memory = &f->memory, .arena = &f->a, .report = &f->report};
    f->g = (emu_group){.n_waves = 1, .waves = &f->w};
    f->w = (emu_wave){.group = &f->g, .m = &f->m, .n_vgprs = 256};
    f->w.vgpr = arena_zalloc(&f->a, (EMU_MAX_VGPRS + 16) * sizeof *f->w.vgpr);
    f->code = mach_memory_alloc(&f->memory, MACH_HEAP_LOW, 64, 0, "code");
}

void
frame_end(frame *f)
{
    arena_free(&f->a);
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
    uint64_t low = f->w.sgpr[code];
    return f->w.lanes > 32 ? low | (uint64_t)f->w.sgpr[code + 1] << 32 : low;
}

frame_outcome
frame_fetch(frame *f, amd_inst *in, emu_inst **out)
{
    f->mark = arena_save(&f->a);
    base_buf bytes = buf_make(&f->a);
    *out = NULL;
    if (!amd_encode(f->d.gen, in, &bytes))
        return FRAME_NOT_ENCODABLE;
    memset(f->code->host, 0, 32);
    memcpy(f->code->host, bytes.data, bytes.size);
    f->m.code = NULL;
    f->m.stop = false;
    f->report.n_findings = 0;
    f->w.pc = f->code->base;
    emu_inst *i = emu_fetch(&f->w, f->w.pc);
    if (i && i->in.op == in->op && !f->m.stop) {
        f->w.at = i;
        f->w.pc = i->next;
        *out = i;
        return FRAME_RAN;
    }
    snprintf(f->first, sizeof f->first, "%s",
             f->report.n_findings ? f->report.findings[0].message : "another opcode is decoded");
    return FRAME_REFUSED;
}

void
frame_release(frame *f)
{
    arena_release(&f->a, f->mark);
}

/* Runs `in`. */
static frame_outcome
execute(frame *f, amd_inst *in)
{
    emu_inst *i;
    frame_outcome outcome = frame_fetch(f, in, &i);
    f->w.exec_spread = ~frame_read_mask(f, AMD_REG_EXEC_LO);
    if (outcome == FRAME_RAN)
        i->run(&f->w, i);
    frame_release(f);
    return outcome;
}

frame_outcome
frame_vector(frame *f, const amd_op_info *row, const ref_row *ref, amd_op op, amd_fmt fmt,
             amd_ext ext, uint32_t lanes, frame_batch batch)
{
    trial *t = calloc(1, sizeof *t);
    if (!t)
        out_of_memory(NULL);
    t->f = f;
    t->row = row;
    t->ref = ref;
    t->in = (amd_inst){.op = (uint16_t)op, .fmt = (uint8_t)fmt, .ext = (uint8_t)ext};
    t->n_src = amd_op_src_count(row);
    f->w.lanes = lanes;
    f->w.all_lanes = base_mask64(lanes);
    f->d.wave_size = lanes;
    t->e.op = op;
    t->e.in = &t->in;
    trial_choose(t, batch);
    frame_outcome outcome = execute(f, &t->in);
    if (outcome == FRAME_RAN) {
        uint64_t mask_got = t->to_mask ? frame_read_mask(f, t->mask_code) : 0;
        for (unsigned r = 0; r < 4; r++)
            memcpy(t->got[r], f->w.vgpr[DEST_V + r], sizeof t->got[r]);
        if (row->flags & AMD_F_EXEC_W && frame_read_mask(f, AMD_REG_EXEC_LO) != mask_got)
            mask_got = ~mask_got; /* before gfx10 v_cmpx writes both */
        for (uint32_t l = 0; l < lanes; l++)
            trial_compare(t, l, mask_got);
        f->inputs += lanes;
    }
    free(t);
    return outcome;
}
